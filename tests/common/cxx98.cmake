# The .cu files keep to the C++ of 1998, as nvcc 5.5 wants it: where nvcc is there, each solution must
# compile with that standard.
if(COURSE_HAVE_GPU_COMPILER)
  get_property(exercises GLOBAL PROPERTY COURSE_EXERCISES)
  foreach(exercise ${exercises})
    string(REGEX REPLACE "\\|.*" "" folder ${exercise})
    string(SUBSTRING ${exercise} 0 4 short)
    if(EXISTS ${CMAKE_SOURCE_DIR}/${folder}/solution.cu AND TARGET ${short}_solution_gpu)
      get_target_property(skipped ${short}_solution_gpu COURSE_SKIPPED)
      if(skipped) # its headers are missing
        continue()
      endif()
      list(GET CMAKE_CUDA_ARCHITECTURES 0 architecture)
      string(REGEX REPLACE "-(real|virtual)$" "" architecture ${architecture})
      if(NOT architecture MATCHES "^[0-9]+$")
        set(architecture 75)
      endif()
      set(mpi "")
      foreach(directory ${MPI_C_INCLUDE_DIRS})
        list(APPEND mpi -I${directory})
      endforeach()
      add_test(NAME ${short}.cxx98 COMMAND ${CMAKE_CUDA_COMPILER} -std=c++03 -arch=sm_${architecture}
        -I${CMAKE_SOURCE_DIR}/common -I${CMAKE_SOURCE_DIR}/common/harness -I${CMAKE_SOURCE_DIR}/${folder} ${mpi}
        -c ${CMAKE_SOURCE_DIR}/${folder}/solution.cu -o ${CMAKE_CURRENT_BINARY_DIR}/${short}_cxx98.o)
      set_tests_properties(${short}.cxx98 PROPERTIES LABELS author TIMEOUT 300)
    endif()
  endforeach()
endif()
