# No element, parts of a quad, rows that end within a block, sizes around a warp and a block.
set(sizes 0 1 2 3 31 33 1023 1024 1025)
set(gpu_sizes 0 1 33 1025 200003)
set(bad_sizes abc -5 1e30 12x)
set(under_sanitizer "--size 70003 --steps 3")
exercise_test(ex33 rows_of_4 0 PASS emulated solution --size 1000 --row 1 --only device)
exercise_test(ex33 rows_of_5003 0 PASS emulated solution --size 17001 --row 5003 --only device)
exercise_test(ex33 cluster_4 0 PASS emulated solution --size 70003 --cluster 4 --only device)
exercise_test(ex33 cluster_16 0 PASS emulated solution --size 9001 --cluster 16 --only device)
exercise_test(ex33 steps_0 0 PASS emulated solution --size 999 --steps 0 --problem smeared)
exercise_test(ex33 steps_100 0 PASS emulated solution --size 9003 --steps 100 --problem smeared)
exercise_test(ex33 one_key 0 PASS emulated solution --size 5003 --keys one --problem counted)
exercise_test(ex33 fermi 0 "PASS: 5 of 5 variants are right, 5 skipped" emulated solution --size 1000
    --only device
  ENVIRONMENT CUDA_EMULATED_DEVICE=fermi)
exercise_test(ex33 rows_on_gpu 0 PASS gpu solution --size 1000003 --row 5003)
exercise_test(ex33 bad_cluster 2 "--cluster" cpu cpu --cluster 3)
exercise_test(ex33 bad_problem 2 "--problem" cpu cpu --problem copied)
exercise_test(ex33 bad_row 2 "--row 0" cpu cpu --row 0)
