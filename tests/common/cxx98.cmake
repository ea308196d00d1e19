# The .cu files keep to the C++ of 1998, as nvcc 5.5 wants it: where nvcc is there, each solution
# must compile with that standard.
if(COURSE_HAVE_GPU_COMPILER)
  get_property(exercises GLOBAL PROPERTY COURSE_EXERCISES)
  foreach(exercise ${exercises})
    string(REGEX REPLACE "\\|.*" "" folder ${exercise})
    short_name(${exercise} short)
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
      file(GLOB sources ${CMAKE_SOURCE_DIR}/${folder}/solution.cu
          ${CMAKE_SOURCE_DIR}/${folder}/advanced/*.cu)
      foreach(source ${sources})
        get_filename_component(kind ${source} NAME_WE)
        set(name ${short}.cxx98.${kind})
        add_test(NAME ${name} COMMAND ${CMAKE_CUDA_COMPILER} -std=c++03 -arch=sm_${architecture}
          -Xcicc -O0 # the compiler's messages are wanted, not fast code, and -ptx has them all
          -I${CMAKE_SOURCE_DIR}/${folder} -I${CMAKE_SOURCE_DIR}/common
          -I${CMAKE_SOURCE_DIR}/common/harness ${mpi}
          -ptx ${source} -o ${CMAKE_CURRENT_BINARY_DIR}/${name}.ptx)
      endforeach()
    endif()
  endforeach()
endif()
