# --size counts rows and columns.
set(sizes 1 2 3 15 16 17 31 33 65 100)
set(gpu_sizes 1 33 128 1025)
set(bad_sizes abc -5 1e30 12x 0 65537)
set(under_sanitizer "--size 130")
if(NOT COURSE_AUTHOR)
  return()
endif()

# Every remainder of tiles, float4 and blocks, exactly.
foreach(shape "1 70 3" "70 1 17" "33 70 1" "129 60 33" "60 257 16")
  string(REPLACE " " ";" mnk "${shape}")
  list(GET mnk 0 m)
  list(GET mnk 1 n)
  list(GET mnk 2 k)
  exercise_test(ex19 shape_${m}_${n}_${k} 0 PASS emulated solution
    --values integers --m ${m} --n ${n} --k ${k} --only device)
  exercise_test(ex19 shape_${m}_${n}_${k} 0 PASS cpu cpu --values integers --m ${m} --n ${n} --k
      ${k} --repeat 1)
endforeach()
exercise_test(ex19 shape_1000_1500_777 0 PASS gpu solution --values integers --m 1000 --n 1500 --k
    777 --only device)
exercise_test(ex19 shape_4095_4097_4093 0 PASS gpu solution --values integers --m 4095 --n 4097 --k
    4093 --only device)
exercise_test(ex19 random_520_510_30 0 PASS cpu cpu --m 520 --n 510 --k 30 --repeat 1)
# One product a sum: nothing of three products' error cancels.
exercise_test(ex19 random_90_90_1 0 PASS emulated solution --m 90 --n 90 --k 1 --seed 400
    --only device)
exercise_test(ex19 block_100 0 PASS emulated solution --size 33 --block 100 --variant "one element")

# A row is skipped only if the device cannot run it.
exercise_test(ex19 fermi 0 "needs compute capability 8.0: asynchronous" emulated solution --size 20
    --only device
  ENVIRONMENT CUDA_EMULATED_DEVICE=fermi)

if(COURSE_HAVE_SM_90A) # built for 9.0, so this is one, and no row is skipped
  exercise_test(ex19 warpgroups 0 "PASS: 2 of 2" gpu solution --only device --variant warpgroups
      --values integers
    --m 300 --n 515 --k 130)
endif()

# The sweep has a row for each size, and its crossings for the GPU only.
exercise_test(ex19 sweep 0 "PASS: 9 of 9" emulated solution --sweep --matrices 32 --repeat 1)
exercise_test(ex19 sweep 0 "from which n on faster than one core: " gpu solution --sweep --matrices
    256 --quick)
exercise_test(ex19 plot 0 "Drawn: " cpu cpu --sweep --matrices 24 --repeat 1 --plot
    ${CMAKE_CURRENT_BINARY_DIR}/ex19.svg)

exercise_test(ex19 bad_m 2 "--m 0: expected 1 to 65536" emulated solution --m 0)
exercise_test(ex19 bad_values 2 "--values ones" emulated solution --values ones)
exercise_test(ex19 bad_matrices 2 "--matrices 8: expected 16 to" emulated solution --sweep
    --matrices 8)

# Kernels for compute capability 9.0a only are compiled on any machine with an nvcc that can, so
# that CI, which has no such GPU and compiles for the newest one, sees it, too.
if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA" AND CMAKE_CUDA_COMPILER_VERSION
    VERSION_GREATER_EQUAL 12)
  set(ccbin "")
  if(CMAKE_CUDA_HOST_COMPILER)
    set(ccbin -ccbin ${CMAKE_CUDA_HOST_COMPILER})
  endif()
  add_test(NAME ex19.wgmma COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/wgmma.sh ${CMAKE_SOURCE_DIR}
      ${CMAKE_CUDA_COMPILER} ${ccbin})
else()
  add_test(NAME ex19.wgmma COMMAND sh -c "echo 'SKIPPED: no nvcc of CUDA 12 or newer'; exit 77")
endif()
set_tests_properties(ex19.wgmma PROPERTIES SKIP_RETURN_CODE 77)
