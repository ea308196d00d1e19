# ex27: --size is the number of bytes.
set(sizes 0 1 2 3 31 33 1023 1024 1025 100003)
set(gpu_sizes 0 1 33 1025 1000003)
set(bad_sizes abc -5 1e30 12x 4G)
set(under_sanitizer "--size 5003" "--size 5003 --input one")

foreach(input one zipf sorted image)
  exercise_test(ex27 ${input} 0 PASS emulated solution --only device --size 5003 --input ${input})
  exercise_test(ex27 ${input} 0 PASS gpu solution --size 1000003 --input ${input})
endforeach()
foreach(block 1 33 96 1024)
  exercise_test(ex27 block_${block} 0 PASS emulated solution --only device --size 2003 --block
      ${block} --grid 3)
  exercise_test(ex27 block_${block} 0 PASS gpu solution --size 100003 --block ${block} --grid 8)
endforeach()
foreach(copies 1 2 4 8 16)
  exercise_test(ex27 copies_${copies} 0 PASS emulated solution --only device --size 2003 --copies
      ${copies} --variant per_lane)
  exercise_test(ex27 copies_${copies} 0 PASS gpu solution --size 100003 --copies ${copies}
      --variant per_lane)
endforeach()
exercise_test(ex27 fermi 0 PASS emulated solution --only device --size 2003
  ENVIRONMENT CUDA_EMULATED_DEVICE=fermi)
exercise_test(ex27 library 0 PASS emulated solution --only library --size 2003)
# One value 255 times and more in each thread: bytes overflow unless they are emptied in time.
exercise_test(ex27 full_bytes 0 PASS emulated solution --only device --size 70001 --input one --grid
    1 --variant per_thread)
exercise_test(ex27 picture 0 "Written: " emulated solution --only device --size 1000 --input image
  --picture ${CMAKE_CURRENT_BINARY_DIR}/ex27.png)
exercise_test(ex27 no_picture 0 "No picture" emulated solution --only device --size 100 --variant
    block --picture ${CMAKE_CURRENT_BINARY_DIR}/ex27_none.png)
exercise_test(ex27 bad_picture 2 "ends with .png" emulated solution --picture x.jpg)
exercise_test(ex27 bad_input 2 "--input" emulated solution --input some)
exercise_test(ex27 bad_copies 2 "--copies" emulated solution --copies 3)
