# Sizes at which chunks, tiles and blocks are empty, not full, or just full; grids that no tile
# divides; places that belong to no cell; cells that are full.
set(sizes 0 1 2 3 31 33 1023 1024 1025 20011)
set(gpu_sizes 0 1 33 1025 1000003)
foreach(order sorted clustered one-cell borders outside)
  exercise_test(ex09 order_${order} 0 PASS emulated solution --size 5003 --order ${order})
  exercise_test(ex09 order_${order} 0 PASS gpu solution --size 100003 --cells-x 16 --cells-y 8
      --order ${order})
endforeach()
exercise_test(ex09 rounds 0 PASS emulated solution --order one-cell --size 40000 --cells-x 4
    --cells-y 4)
exercise_test(ex09 odd_grid 0 PASS emulated solution --size 5003 --cells-x 33 --cells-y 31)
exercise_test(ex09 one_row 0 PASS emulated solution --size 5003 --cells-x 1 --cells-y 1023)
exercise_test(ex09 one_cell 0 PASS emulated solution --size 1025 --cells-x 1 --cells-y 1)
foreach(block 1 32 96 1000 1024)
  exercise_test(ex09 block_${block} 0 PASS emulated solution --size 5003 --block ${block} --variant
      increment)
endforeach()
exercise_test(ex09 outside 0 "lie outside the" emulated solution --size 1025 --order outside)
exercise_test(ex09 full_cells 2 "use --capacity" emulated solution --size 5003 --capacity 3)
exercise_test(ex09 no_verdict 2 "GPU)\nex09: " emulated solution --size 5003 --capacity 3)
exercise_test(ex09 full_cells 2 "use --capacity" gpu solution --size 1000003 --capacity 3)
exercise_test(ex09 full_cells 2 "use --capacity" cpu cpu --size 5003 --capacity 3)
exercise_test(ex09 bad_capacity 2 --capacity emulated solution --capacity 0)
exercise_test(ex09 bad_order 2 --order emulated solution --order sideways)
exercise_test(ex09 bad_cells 2 --cells-x emulated solution --cells-x 5000)
exercise_test(ex09 wrong_on_purpose 0 "(on purpose)" emulated solution --variant plain)
exercise_test(ex09 overflow 0 PASS emulated solution --size 5003 --capacity 3 --overflow)
