# The architectures that GPU programs are compiled for, unless CMAKE_CUDA_ARCHITECTURES or CUDAARCHS
# names some.

# The architectures that the toolkit knows, in order, such as 75;80;90; empty before 11.0, where
# nvcc does not list them.
function(course_architectures_known nvcc result)
  execute_process(COMMAND ${nvcc} --list-gpu-arch OUTPUT_VARIABLE text ERROR_QUIET
      RESULT_VARIABLE failed)
  string(REGEX MATCHALL "compute_[0-9]+" known "${text}")
  if(failed)
    set(known "")
  endif()
  string(REPLACE "compute_" "" known "${known}")
  list(SORT known COMPARE NATURAL)
  set(${result} "${known}" PARENT_SCOPE)
endfunction()

# For a machine without a GPU: the oldest architecture that the toolkit knows, as code and as PTX,
# which the driver of any newer GPU compiles. Each further one takes 0.6 s a file; CUDAARCHS=all
# compiles for all.
function(course_architectures_of_toolkit nvcc result)
  course_architectures_known(${nvcc} known)
  if(NOT known)
    execute_process(COMMAND ${nvcc} --version OUTPUT_VARIABLE text ERROR_QUIET)
    set(known 20)
    if(text MATCHES "release ([0-9]+\\.[0-9]+)" AND CMAKE_MATCH_1 VERSION_GREATER_EQUAL 9)
      set(known 30)
    endif()
  endif()
  list(GET known 0 oldest)
  set(${result} ${oldest} PARENT_SCOPE)
endfunction()

# The newest architecture of the toolkit that a GPU of this capability can run. If the GPU is newer
# than the toolkit, the driver compiles the PTX of an older one. Empty if the GPU is too old for the
# toolkit.
function(course_architecture_for known capability result)
  set(best "")
  foreach(architecture ${known})
    if(NOT architecture GREATER capability)
      set(best ${architecture})
    endif()
  endforeach()
  set(${result} "${best}" PARENT_SCOPE)
endfunction()

# With GPUs in this machine: those only.
function(course_architectures nvcc result)
  course_architectures_of_toolkit(${nvcc} list)
  find_program(COURSE_NVIDIA_SMI nvidia-smi)
  mark_as_advanced(COURSE_NVIDIA_SMI)
  if(COURSE_NVIDIA_SMI)
    execute_process(COMMAND ${COURSE_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
      OUTPUT_VARIABLE capabilities ERROR_QUIET RESULT_VARIABLE failed)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]+" capabilities "${capabilities}")
    if(NOT failed AND capabilities)
      string(REPLACE "." "" list "${capabilities}")
      course_architectures_known(${nvcc} known)
      if(known)
        set(capabilities ${list})
        set(list "")
        foreach(capability ${capabilities})
          course_architecture_for("${known}" ${capability} architecture)
          list(APPEND list ${architecture})
        endforeach()
      endif()
      list(REMOVE_DUPLICATES list)
    elseif(NOT failed AND CMAKE_VERSION VERSION_GREATER_EQUAL 3.24)
      set(list native)
    endif()
  endif()
  set(${result} "${list}" PARENT_SCOPE)
endfunction()

# The error in a list of architectures that the user gave; "" if there is none.
function(course_refuse_architectures nvcc list result)
  course_architectures_known(${nvcc} known)
  set(why "")
  foreach(architecture ${list})
    if(architecture MATCHES "^(all|all-major|native|OFF)$")
      continue()
    elseif(NOT architecture MATCHES "^([0-9]+)[af]?(-real|-virtual)?$")
      set(why "is no compute capability: write it as in 90, and several as in \"80;90\"")
    elseif(known AND NOT CMAKE_MATCH_1 IN_LIST known)
      string(REPLACE ";" ", " names "${known}")
      set(why "is none that ${nvcc} knows: ${names}")
    endif()
    if(why)
      set(why "${architecture} ${why}")
      break()
    endif()
  endforeach()
  set(${result} "${why}" PARENT_SCOPE)
endfunction()

# Sets CMAKE_CUDA_ARCHITECTURES. CMake reads CUDAARCHS itself, but not in a folder that was
# configured without it. A wrong value is refused here and not remembered: the messages of CMake and
# nvcc name neither variable.
macro(course_choose_architectures nvcc)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND DEFINED ENV{CUDAARCHS})
    course_refuse_architectures(${nvcc} "$ENV{CUDAARCHS}" course_why)
    if(course_why)
      message(FATAL_ERROR "error: CUDAARCHS: ${course_why}")
    endif()
    set(CMAKE_CUDA_ARCHITECTURES "$ENV{CUDAARCHS}" CACHE STRING "CUDA architectures")
  elseif(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    course_architectures(${nvcc} CMAKE_CUDA_ARCHITECTURES)
  endif()
endmacro()

# "native" on a machine without a GPU, such as a login node on which a module sets CUDAARCHS, counts
# as not set.
macro(course_settle_native nvcc)
  if(CMAKE_CUDA_ARCHITECTURES STREQUAL "native" AND NOT CMAKE_CUDA_ARCHITECTURES_NATIVE
      MATCHES "^[0-9]")
    course_architectures_of_toolkit(${nvcc} CMAKE_CUDA_ARCHITECTURES)
  endif()
endmacro()

# Whether programs are built for compute capability 9.0 by a compiler that knows 9.0a, which some
# kernels need.
function(course_sm_90a result)
  set(list ${CMAKE_CUDA_ARCHITECTURES})
  if(list STREQUAL "native")
    set(list ${CMAKE_CUDA_ARCHITECTURES_NATIVE})
  elseif(list MATCHES "^all(-major)?$")
    set(list 90)
  endif()
  list(FILTER list INCLUDE REGEX "^90a?(-real|-virtual)?$")
  set(${result} OFF PARENT_SCOPE)
  if(list AND CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA" AND CMAKE_CUDA_COMPILER_VERSION
      VERSION_GREATER_EQUAL 12)
    set(${result} ON PARENT_SCOPE)
  endif()
endfunction()
