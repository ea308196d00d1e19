set(sizes 0 1 2 3 31 33 1023 1024 1025 10007)
set(quick_options --size 10007)
set(gpu_sizes 0 1 33 1025 1000003)
set(bad_sizes abc -5 1e30 12x)
set(under_sanitizer "--size 3000 --n 16" "--size 3000 --n 32")

# Every n, with counts that do and do not fill the blocks.
foreach(count 0 1 7 9)
  exercise_test(${short} every_n_count_${count} 0 "PASS: 224 of 224" emulated solution
    --sweep --only device --count ${count})
  exercise_test(${short} every_n_count_${count} 0 PASS gpu solution --sweep --count ${count})
endforeach()
foreach(n 1 2 3 4 5 8)
  exercise_test(${short} several_blocks_n_${n} 0 PASS emulated solution
    --only device --n ${n} --count 257)
endforeach()
exercise_test(${short} every_n 0 PASS gpu solution --sweep --size 1000003)
exercise_test(${short} every_n 0 "PASS: 32 of 32" cpu cpu --sweep --count 7 --repeat 1 --variant
    "row by row")
exercise_test(${short} few_blocks 0 PASS emulated solution --only device --n 8 --count 37 --grid 2)
exercise_test(${short} few_blocks 0 PASS gpu solution --n 8 --count 1037 --grid 2)
exercise_test(${short} n_0 2 "--n 0: expected 1 to 32" emulated solution --n 0)
exercise_test(${short} n_33 2 "--n 33: expected 1 to 32" emulated solution --n 33)
exercise_test(${short} count_negative 2 "--count -1: expected 0 to" emulated solution --count -1)
exercise_test(${short} count_too_large 2 "GB on the device" emulated solution --count 1e12)
exercise_test(${short} count_too_large 2 "GB on the host" cpu cpu --count 1e12)
