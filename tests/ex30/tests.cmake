# ex30: --size is the number of rows and columns of a volume with half as many planes.
set(sizes 1 2 3 31 33)
set(gpu_sizes 1 33 130)
set(bad_sizes abc -5 0 1e30 12x 4097)
set(quick_options --size 70)
set(under_sanitizer "--size 36")

# every remainder of quads, tiles and chunks of planes or rows
foreach(shape "140 41 3" "1 70 2" "130 17 4" "8 30 70" "257 67 9")
  string(REPLACE " " ";" shape ${shape})
  list(GET shape 0 nx)
  list(GET shape 1 ny)
  list(GET shape 2 nz)
  exercise_test(ex30 ${nx}_${ny}_${nz} 0 PASS emulated solution --only device --nx ${nx} --ny ${ny}
      --nz ${nz}
    ENVIRONMENT CUDA_EMULATED_FAST=1)
  exercise_test(ex30 ${nx}_${ny}_${nz} 0 PASS gpu solution --nx ${nx} --ny ${ny} --nz ${nz})
endforeach()
exercise_test(ex30 fermi 0 "needs compute capability 9.0: TMA" emulated solution --size 10 --only
    device
  ENVIRONMENT CUDA_EMULATED_DEVICE=fermi)
exercise_test(ex30 one_problem 0 "PASS: 1 of 1" emulated solution --size 10 --only device --problem
    steps2)
exercise_test(ex30 bad_problem 2 "--problem" cpu cpu --problem star9)
exercise_test(ex30 bad_picture 2 "--picture" cpu cpu --size 10 --picture image.jpg)
exercise_test(ex30 nz_0 2 "--nz 0: expected 1 to" cpu cpu --nz 0)
