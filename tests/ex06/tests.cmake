set(sizes 0 1 2 3 31 33 1023 1024 1025 100003)
set(gpu_sizes 0 1 33 1025 1048583)
set(bad_sizes abc -5 1e30 12x 4G)

foreach(block 1 32 96 1000 1024)
  foreach(type float double)
    exercise_test(${short} block_${block}_${type} 0 PASS emulated solution
      --only device --size 5003 --block ${block} --type ${type})
    exercise_test(${short} block_${block}_${type} 0 PASS gpu solution
      --only device --size 1048583 --block ${block} --type ${type})
  endforeach()
endforeach()
foreach(size 0 1 1025)
  exercise_test(${short} double_${size} 0 PASS emulated solution --type double --size ${size})
endforeach()
exercise_test(${short} one_block 0 PASS emulated solution --size 5003 --grid 1)
exercise_test(${short} many_blocks 0 PASS emulated solution --only device --size 1025 --block 32
    --grid 300)
exercise_test(${short} positive 0 PASS emulated solution --positive --size 5003)
exercise_test(${short} sweep 0 PASS emulated solution --sweep --size 4096)
exercise_test(${short} naive_sum 0 "(on purpose)" cpu cpu --positive --size 2^24)
exercise_test(${short} bad_type 2 "expected one of float,double" cpu cpu --type half)
exercise_test(${short} short_sweep 2 "must be at least" emulated solution --sweep --size 1000)
