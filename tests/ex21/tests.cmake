# Fewer intervals than a chunk, a remainder of every kind, one thread, more threads than intervals.
set(sizes 1 2 3 63 64 65 1023 1025)
set(gpu_sizes 1 33 1025 1000003)
set(under_sanitizer "--size 3001")
foreach(function circle sine exponential root)
  exercise_test(ex21 ${function} 0 PASS emulated solution --function ${function} --from -1.5 --to 2
    --size 5003 --grid 20)
  exercise_test(ex21 ${function} 0 PASS gpu solution --function ${function} --from -1.5 --to 2
      --size 100003)
endforeach()
exercise_test(ex21 block_100 0 PASS emulated solution --size 5003 --block 100 --only device)
exercise_test(ex21 block_1 0 PASS emulated solution --size 103 --block 1 --grid 1 --only device)
exercise_test(ex21 grid_3 0 PASS emulated solution --size 5003 --block 33 --grid 3 --only device)
exercise_test(ex21 sweep_block 0 PASS emulated solution --size 1025 --sweep block --grid 5)

# Launch bounds: every number of blocks computes the same; a row that asks for more threads gets as
# many as it is compiled for.
exercise_test(ex21 sweep_bounds 0 "7 of 7" emulated solution --size 20011 --sweep bounds --function
    exponential)
exercise_test(ex21 sweep_bounds 0 "registers=32 local=" gpu solution --size 100003 --sweep bounds
    --function exponential)
exercise_test(ex21 bounds_large_block 0 PASS emulated solution --size 5003 --variant bounds --block
    1024 --resident 8)
exercise_test(ex21 bounds_small_block 0 PASS emulated solution --size 5003 --variant bounds --block
    33 --resident 3)
exercise_test(ex21 bad_resident 2 "--resident 7" emulated solution --resident 7)
exercise_test(ex21 ptxas 0 "this takes a GPU" emulated solution --size 33 --only device --ptxas)
exercise_test(ex21 ptxas 0 "bytes of shared memory a block" gpu solution --size 33 --only device
    --ptxas)

# The error of the rule is that of the theory: of h^4, and beyond it of the bound, nothing else is
# allowed.
exercise_test(ex21 sweep_h 0 PASS cpu cpu --size 65536 --sweep h --plot
    ${CMAKE_CURRENT_BINARY_DIR}/ex21.svg)
exercise_test(ex21 one_interval 0 "error 8.3e-03" cpu cpu --size 1)
exercise_test(ex21 two_intervals 0 "error 2.4e-05" cpu cpu --size 2)

exercise_test(ex21 bad_function 2 "--function tangent" emulated solution --function tangent)
exercise_test(ex21 downwards 2 "must go upwards" emulated solution --from 1 --to 0)
exercise_test(ex21 empty 2 "must go upwards" emulated solution --from 1 --to 1)
exercise_test(ex21 bad_sweep 2 "--sweep x" emulated solution --sweep x)
exercise_test(ex21 bad_plot 2 "expected a file name" cpu cpu --plot x.jpg)
