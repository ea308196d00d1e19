set(sizes 0 1 2 3 31 33 1023 1024 1025 100003)
set(gpu_sizes 0 1 33 1025 1048583)
set(bad_sizes abc -5 1e30 12x 4G)

foreach(block 1 32 96 1000 1024)
  exercise_test(${short} block_${block} 0 PASS emulated solution
    --only device --size 2003 --block ${block} --grid 3)
  exercise_test(${short} block_${block} 0 PASS gpu solution
    --only device --size 100003 --block ${block} --grid 8)
endforeach()
exercise_test(${short} sweep 0 "threads=1024" emulated solution --sweep --size 1025 --variant
    thread)
