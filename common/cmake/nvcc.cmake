# Whether nvcc can be used at all. A toolkit takes host compilers up to some version, and a
# distribution's g++ is often newer. CMake's own test of nvcc would end the configuration, and with
# it the emulated device.

# Sets `result` to nvcc's message, in one line, if it cannot compile and link a kernel, or to "" if
# it can. `host` is a host compiler, or empty.
function(course_try_nvcc nvcc host result)
  set(folder ${CMAKE_BINARY_DIR}/CMakeFiles/try_nvcc)
  file(WRITE ${folder}/try.cu
      "__global__ void kernel(int *x) { *x = 1; }\n"
      "int main(void) { kernel<<<1, 1>>>(0); return 0; }\n")
  set(options "")
  if(host)
    set(options -ccbin ${host})
  endif()
  execute_process(COMMAND ${nvcc} ${options} try.cu -o try WORKING_DIRECTORY ${folder}
    OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE failed)
  set(${result} "" PARENT_SCOPE)
  if(NOT failed STREQUAL "0")
    set(line ${failed})
    if(said MATCHES "[^\n]*(error|fatal)[^\n]*" OR said MATCHES "[^\n]+")
      set(line ${CMAKE_MATCH_0})
    endif()
    set(${result} "${line}" PARENT_SCOPE)
  endif()
endfunction()

# Sets CMAKE_CUDA_HOST_COMPILER if nvcc needs an older g++ than the usual one. If nvcc works with
# none, unsets CMAKE_CUDA_COMPILER and sets COURSE_NVCC_SAYS to the reason.
macro(course_check_nvcc)
  set(COURSE_NVCC_SAYS "")
  set(course_host "${CMAKE_CUDA_HOST_COMPILER}")
  if(NOT course_host)
    set(course_host "$ENV{CUDAHOSTCXX}")
  endif()
  if(NOT "${COURSE_HAVE_WORKING_NVCC}" STREQUAL "${CMAKE_CUDA_COMPILER} ${course_host}")
    course_try_nvcc(${CMAKE_CUDA_COMPILER} "${course_host}" COURSE_NVCC_SAYS)
    if(COURSE_NVCC_SAYS AND NOT course_host)
      foreach(version 16 15 14 13 12 11 10 9 8 7)
        find_program(COURSE_GXX_${version} g++-${version})
        mark_as_advanced(COURSE_GXX_${version})
        if(COURSE_GXX_${version})
          course_try_nvcc(${CMAKE_CUDA_COMPILER} ${COURSE_GXX_${version}} course_says)
          if(NOT course_says)
            set(course_host ${COURSE_GXX_${version}})
            set(CMAKE_CUDA_HOST_COMPILER ${course_host} CACHE FILEPATH "nvcc's host compiler")
            message(STATUS "GPU programs: nvcc does not take the usual g++, but ${course_host}")
            set(COURSE_NVCC_SAYS "")
            break()
          endif()
        endif()
      endforeach()
    endif()
    if(COURSE_NVCC_SAYS)
      message(STATUS
          "SKIPPED the GPU: ${CMAKE_CUDA_COMPILER} does not work: ${COURSE_NVCC_SAYS}; "
          "CUDAHOSTCXX names an older g++, CUDACXX another nvcc (then: ./course --install list)")
      unset(CMAKE_CUDA_COMPILER)
      unset(CMAKE_CUDA_COMPILER CACHE)
    else()
      set(COURSE_HAVE_WORKING_NVCC "${CMAKE_CUDA_COMPILER} ${course_host}" CACHE INTERNAL "")
    endif()
  endif()
endmacro()
