# ex24: --size is the side of a square: no whole warps, an odd number of points, more points than
# subsequences hold.
set(sizes 2 3 4 20 33)
set(gpu_sizes 2 33 100 1000)
set(bad_sizes abc -5 1 1e30 12x 30001)
set(under_sanitizer "--size 32")
exercise_test(ex24 late 0 PASS emulated solution --only device --size 17
    ENVIRONMENT CUDA_EMULATED_ORDER=late)
exercise_test(ex24 random 0 PASS emulated solution --only device --size 17
    ENVIRONMENT CUDA_EMULATED_ORDER=random:1)
# More than 31 columns of the spectrum take a second block.
exercise_test(ex24 wide 0 PASS emulated solution --only device --size 70 --variant cuFFT)
# 132 000 quads of numbers are more than 65536 subsequences: threads take a second and a third one.
exercise_test(ex24 many_points 0 PASS emulated solution --only device --size 513 --variant points)
exercise_test(ex24 library 0 "PASS: 1 of 1" emulated solution --only library --size 40)
exercise_test(ex24 sweep 0 "PASS: 16 of 16" emulated solution --sweep sizes --size 17)
exercise_test(ex24 part 0 "512 x 512 points only" cpu cpu --size 513 --variant "Poisson: CG, all"
    --repeat 1)
exercise_test(ex24 bad_sweep 2 "--sweep" cpu cpu --sweep rows)

if(COURSE_AUTHOR)
  emulated_object(object ${CMAKE_CURRENT_LIST_DIR}/library_utils_test.cu
      INCLUDES ${COURSE_INCLUDES})
  emulated_executable(ex24_library_utils_test ${object})
  set(program $<TARGET_FILE:ex24_library_utils_test>)
  add_test(NAME ex24.library_utils.right COMMAND ${expect} 0 "all is well" ${program})
  add_test(NAME ex24.library_utils.cufft
    COMMAND ${expect} 2 "cufftExecD2Z(plan, NULL, NULL): error 1, CUFFT_INVALID_PLAN" ${program}
    cufft)
  add_test(NAME ex24.library_utils.curand
    COMMAND ${expect} 2
    "error 105, CURAND_STATUS_LENGTH_NOT_MULTIPLE (normal numbers come in pairs)" ${program} curand)
endif()
