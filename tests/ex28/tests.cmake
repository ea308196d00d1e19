# Sizes at which tiles are empty, not full, just full, or one too many; n that is a power of two,
# and the two beside it; values, which show whether a sort is stable; keys with a sign.
set(sizes 0 1 2 3 31 33 511 512 513 1025 4096)
set(gpu_sizes 0 1 33 1025 1000003)
set(quick_options --pairs --size 100003)
set(under_sanitizer "--size 5003 --pairs")
foreach(order random few equal sorted reversed)
  exercise_test(ex28 order_${order} 0 PASS emulated solution --only device --size 2100 --pairs
      --order ${order} --variant bitonic$|merge|4_bits|match|sweep)
  exercise_test(ex28 order_${order} 0 PASS gpu solution --size 1000003 --pairs --order ${order})
endforeach()
foreach(type int float)
  exercise_test(ex28 type_${type} 0 PASS emulated solution --only device --size 1100 --type ${type}
      --variant bits|sweep)
  exercise_test(ex28 type_${type} 0 PASS gpu solution --size 1000003 --type ${type})
endforeach()
foreach(block 32 1024)
  exercise_test(ex28 block_${block} 0 PASS emulated solution --only device --size 1100 --block
      ${block} --variant bitonic|odd-even)
endforeach()
exercise_test(ex28 grid_2 0 PASS emulated solution --only device --size 9000 --grid 2 --variant
    bitonic|merge|4_bits|match|sweep)
exercise_test(ex28 many_passes 0 PASS emulated solution --only device --size 40009
  --variant bitonic$)
exercise_test(ex28 random_order 0 PASS emulated solution --only device --size 20011 --variant sweep
    --pairs
  ENVIRONMENT CUDA_EMULATED_ORDER=random:1)
exercise_test(ex28 large 0 PASS gpu solution --size 100000007 --variant merge|radix)
exercise_test(ex28 bad_order 2 --order cpu cpu --order sideways)
exercise_test(ex28 bad_type 2 --type cpu cpu --type double)
