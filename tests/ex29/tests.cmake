# ex29: --size counts transforms of 256 points; a block has 16 of them. The large one of 65536
# points is always there, and one of more is too slow for the emulated device.
set(sizes 1 2 3 16 17 33)
set(gpu_sizes 1 33 1025)
set(bad_sizes abc -5 0 1e30 12x 4000001)
set(quick_options --size 100)
set(under_sanitizer "--points 256 --size 17")
foreach(points 1024 4096 8192)
  exercise_test(ex29 points_${points} 0 PASS emulated solution --only device --points ${points}
      --size 2 --variant radix)
  exercise_test(ex29 table_${points} 0 PASS emulated solution --only device --points ${points}
      --size 5 --variant table)
  exercise_test(ex29 points_${points} 0 PASS gpu solution --points ${points} --size 33)
endforeach()
exercise_test(ex29 late 0 PASS emulated solution --only device --size 17 --variant 16
    ENVIRONMENT CUDA_EMULATED_ORDER=late)
exercise_test(ex29 random 0 PASS emulated solution --only device --size 17 --variant large
    ENVIRONMENT CUDA_EMULATED_ORDER=random:1)
foreach(points 256 4096 8192)
  exercise_test(ex29 prefetch_${points} 0 PASS emulated solution --only device --points ${points}
      --size 33 --variant prefetch
    ENVIRONMENT CUDA_EMULATED_MULTIPROCESSORS=2)
endforeach()
exercise_test(ex29 library 0 "PASS: 2 of 2" emulated solution --only library --size 5)
exercise_test(ex29 fermi 0 "KB of shared memory in a block" emulated solution --only device --points
    8192 --size 1 --variant radix
  ENVIRONMENT CUDA_EMULATED_DEVICE=fermi)
exercise_test(ex29 picture 0 "without them" emulated solution --only device --points 256 --variant
    table --picture filtered.png)
exercise_test(ex29 bad_points 2 "--points" cpu cpu --points 512)
exercise_test(ex29 bad_picture 2 "--picture" cpu cpu --picture filtered.jpg)
