# cuda_utils.h: the timer as C and as C++ without CUDA; the checks on the emulated device and on a
# GPU.

configure_file(${CMAKE_CURRENT_LIST_DIR}/timer_test.c ${CMAKE_CURRENT_BINARY_DIR}/timer_test.cpp
    COPYONLY)
add_executable(timer_test_c ${CMAKE_CURRENT_LIST_DIR}/timer_test.c)
add_executable(timer_test_cpp ${CMAKE_CURRENT_BINARY_DIR}/timer_test.cpp)
foreach(target timer_test_c timer_test_cpp)
  target_link_libraries(${target} PRIVATE course_options)
  add_test(NAME cuda_utils.${target} COMMAND ${target})
  set_tests_properties(cuda_utils.${target} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()

emulated_object(object ${CMAKE_CURRENT_LIST_DIR}/cuda_utils_test.cu INCLUDES ${COURSE_INCLUDES})
emulated_executable(cuda_utils_test_emulated ${object})
# The error for a block that is too large: toolkit 13 reports error 1, older ones error 9.
set(too_large_emulated "error 9, invalid configuration argument")
set(too_large_gpu "error ")
set(devices emulated)
if(COURSE_HAVE_GPU_COMPILER)
  add_executable(cuda_utils_test_gpu ${CMAKE_CURRENT_LIST_DIR}/cuda_utils_test.cu)
  target_link_libraries(cuda_utils_test_gpu PRIVATE course_options)
  list(APPEND devices gpu)
endif()
foreach(device ${devices})
  set(program $<TARGET_FILE:cuda_utils_test_${device}>)
  add_test(NAME cuda_utils.right.${device} COMMAND ${expect} 0 "x = 1" ${program})
  add_test(NAME cuda_utils.call.${device}
    COMMAND ${expect} 2 "cuda_utils_test.cu:44: cudaMemcpy(&x, d_x, sizeof x" ${program} call)
  add_test(NAME cuda_utils.best.${device} COMMAND ${expect} 0 "6 runs" ${program} best)
  add_test(NAME cuda_utils.launch.${device}
    COMMAND ${expect} 2 "(increment<<<1, 4096>>>(d_x)): ${too_large_${device}}" ${program} launch)
  set(tests cuda_utils.right.${device} cuda_utils.call.${device} cuda_utils.best.${device}
      cuda_utils.launch.${device})
  set_tests_properties(${tests} PROPERTIES SKIP_RETURN_CODE 77)
  if(device STREQUAL "gpu")
    add_test(NAME cuda_utils.kernel.gpu COMMAND ${expect} 2
      "cuda_utils_test.cu:48: (fail<<<1, 1>>>(NULL))" ${program} kernel)
    list(APPEND tests cuda_utils.kernel.gpu)
    set_tests_properties(${tests} PROPERTIES LABELS gpu RESOURCE_LOCK gpu SKIP_RETURN_CODE 77)
  else()
    set_tests_properties(cuda_utils.call.emulated cuda_utils.launch.emulated
      PROPERTIES ENVIRONMENT CUDA_EMULATED_FINDINGS_FATAL=0)
  endif()
endforeach()
