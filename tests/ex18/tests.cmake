# ex18: --size is the number of rows and columns, so small ones; --nx and --ny for shapes that are
# not square.
set(sizes 1 2 3 31 33 64 127 300)
set(gpu_sizes 1 33 1000 2049)
set(bad_sizes abc -5 0 1e30 12x 100001)
set(under_sanitizer "--nx 70 --ny 133" "--size 2001")

foreach(shape "1 70" "70 1" "4 68" "68 4" "33 64" "64 33" "66 130" "130 66" "129 67")
  string(REPLACE " " ";" shape ${shape})
  list(GET shape 0 nx)
  list(GET shape 1 ny)
  exercise_test(ex18 ${nx}_by_${ny} 0 PASS emulated solution --only device --nx ${nx} --ny ${ny})
  exercise_test(ex18 ${nx}_by_${ny} 0 PASS gpu solution --nx ${nx} --ny ${ny})
endforeach()
# Odd sizes have other blocks where the matrix does not fit into the L2 cache, here of 768 KB.
exercise_test(ex18 beyond_l2 0 "PASS: 1 of 1" emulated solution --only device --nx 361 --ny 302
    --variant order
  ENVIRONMENT CUDA_EMULATED_DEVICE=fermi)
exercise_test(ex18 library 0 "PASS: 2 of 2" emulated solution --only library --nx 33 --ny 70)
exercise_test(ex18 not_square 0 "only a square matrix can stay in its place" emulated solution --nx
    5 --ny 6)
exercise_test(ex18 fermi_texture 0 "texture of this device" emulated solution --size 40 --only
    device
  ENVIRONMENT CUDA_EMULATED_DEVICE=fermi)
exercise_test(ex18 sweep_sizes 0 "PASS: 7 of 7" cpu cpu --sweep sizes --size 1200 --repeat 1
    --variant tiles)
exercise_test(ex18 sweep_powers 0 "PASS: 16 of 16" emulated solution --only device --sweep powers
    --variant padded)
exercise_test(ex18 large 0 PASS gpu solution --nx 20001 --ny 9998 --quick)
exercise_test(ex18 nx_0 2 "--nx 0: expected 1 to" emulated solution --nx 0)
exercise_test(ex18 ny_negative 2 "--ny -1: expected 1 to" emulated solution --ny -1)
exercise_test(ex18 too_large 2 "GB on the host" cpu cpu --nx 1000000 --ny 1000000)
exercise_test(ex18 bad_sweep 2 "--sweep" cpu cpu --sweep rows)
