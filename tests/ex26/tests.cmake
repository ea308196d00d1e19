set(sizes 0 1 2 3 31 33 1023 1024 1025 100003)
set(gpu_sizes 0 1 33 1025 1048583)
set(bad_sizes abc -5 1e30 12x 4G)
set(under_sanitizer "--size 70001 --block 128")

foreach(block 1 32 96 1000 1024)
  exercise_test(ex26 block_${block} 0 PASS emulated solution --only device --size 5003
      --block ${block})
  exercise_test(ex26 block_${block} 0 PASS gpu solution --only device --size 1048583
      --block ${block})
  exercise_test(ex26 block_${block}_double 0 PASS gpu solution --only device --size 1048583
      --block ${block} --type double)
endforeach()
foreach(size 0 1 1025)
  exercise_test(ex26 double_${size} 0 PASS emulated solution --type double --size ${size})
endforeach()
exercise_test(ex26 double 0 PASS emulated solution --type double --size 20011 --block 64 --in-place)
exercise_test(ex26 in_place 0 "PASS: 9 of 9" emulated solution --in-place --only device --size 5003)
exercise_test(ex26 in_place 0 PASS gpu solution --in-place --size 1048583)
exercise_test(ex26 few_blocks 0 PASS emulated solution --only device --size 20011 --block 32
    --grid 3)
# Where few blocks fit, some begin when others have ended.
exercise_test(ex26 fermi 0 PASS emulated solution --only device --size 100003 --block 32
  --variant "one pass" ENVIRONMENT CUDA_EMULATED_DEVICE=fermi)
exercise_test(ex26 late 0 PASS emulated solution --only device --size 100003 --block 32
  --variant "one pass" ENVIRONMENT CUDA_EMULATED_ORDER=late)
exercise_test(ex26 bad_type 2 "expected one of uint,double" cpu cpu --type half)
