# NCCL: below NCCL_HOME, in the system, in the toolkit, or in Python's package, which names its
# library by version only.

set(nccl_toolkit)
if(CMAKE_CUDA_COMPILER)
  get_filename_component(nccl_toolkit ${CMAKE_CUDA_COMPILER} REALPATH)
  get_filename_component(nccl_toolkit ${nccl_toolkit}/../.. ABSOLUTE)
endif()
find_path(NCCL_INCLUDE_DIR nccl.h HINTS ENV NCCL_HOME PATHS ${nccl_toolkit} PATH_SUFFIXES include)
find_library(NCCL_LIBRARY nccl HINTS ENV NCCL_HOME PATHS ${nccl_toolkit} PATH_SUFFIXES lib lib64)
if(NOT NCCL_INCLUDE_DIR OR NOT NCCL_LIBRARY)
  find_program(COURSE_PYTHON python3)
  mark_as_advanced(COURSE_PYTHON)
  set(nccl_home)
  if(COURSE_PYTHON)
    execute_process(COMMAND ${COURSE_PYTHON} -c
        "import nvidia.nccl as n; print(list(n.__path__)[0])"
      OUTPUT_VARIABLE nccl_home ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE TIMEOUT 20)
  endif()
  if(nccl_home)
    unset(NCCL_INCLUDE_DIR CACHE) # header and library of one version
    unset(NCCL_LIBRARY CACHE)
    find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${nccl_home}/include NO_DEFAULT_PATH)
    find_library(NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${nccl_home}/lib NO_DEFAULT_PATH)
  endif()
endif()
mark_as_advanced(NCCL_INCLUDE_DIR NCCL_LIBRARY)

# use_nccl(TARGET): compiles it with NCCL, if that is found, and defines the macro COURSE_NCCL.
function(use_nccl target)
  if(NCCL_INCLUDE_DIR AND NCCL_LIBRARY)
    target_include_directories(${target} SYSTEM PRIVATE ${NCCL_INCLUDE_DIR})
    target_compile_definitions(${target} PRIVATE COURSE_NCCL)
  endif()
endfunction()
