# The tools at hand: C and C++ settings, OpenMP, librt, and nvcc with the architectures to build
# for.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()
if(CMAKE_CONFIGURATION_TYPES)
  message(FATAL_ERROR
      "error: ${CMAKE_GENERATOR} builds several configurations in one folder: "
      "unset CMAKE_GENERATOR, or set it to Ninja")
endif()
if("${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize=")
  message(FATAL_ERROR
      "error: the emulated device is a sanitizer itself, and bears no other beside it: "
      "unset CFLAGS and CXXFLAGS (-DCOURSE_SANITIZE=ON for the host code)")
endif()
set(CMAKE_C_STANDARD 11)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(COURSE_GPU "Build the GPU programs where nvcc is found" ON)
option(COURSE_OPENMP "Use OpenMP for the all-cores rows where it is found" ON)
option(COURSE_AUTHOR "Build what only authors need: mutants, sanitized programs, tests of the rooms"
    OFF)
option(COURSE_SANITIZE "Build host code with AddressSanitizer and UBSan" OFF)
set(COURSE_ONLY "" CACHE STRING "Build only these exercises, such as ex03;ex05 (empty: all)")

# Of all C files. Rows of tables leave out fields that are 0.
set(COURSE_WARNINGS -Wall -Wextra -Wconversion -Wno-missing-field-initializers)

if(NOT COURSE_INSTALLED) # it offers the same
  # The options of every C file of the project.
  add_library(course_options INTERFACE)
  target_compile_options(course_options INTERFACE
    "$<$<COMPILE_LANGUAGE:C>:${COURSE_WARNINGS}>"
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall;-lineinfo>)
  target_include_directories(course_options INTERFACE
    ${CMAKE_SOURCE_DIR}/common ${CMAKE_SOURCE_DIR}/common/harness)
  target_link_libraries(course_options INTERFACE m)
  find_library(COURSE_LIBRT rt)
  if(COURSE_LIBRT)
    target_link_libraries(course_options INTERFACE ${COURSE_LIBRT})
  endif()
  if(COURSE_SANITIZE)
    set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(course_options INTERFACE "$<$<COMPILE_LANGUAGE:C>:${sanitizers}>")
    target_link_options(course_options INTERFACE -fsanitize=address,undefined)
  endif()
endif()

# AddressSanitizer and UBSan, where the compiler has them: the authors' tests run the host code
# under both.
include(CheckCSourceCompiles)
set(COURSE_HAVE_SANITIZERS OFF)
if(COURSE_AUTHOR)
  set(CMAKE_REQUIRED_FLAGS "-fsanitize=address,undefined")
  check_c_source_compiles("int main(void) { return 0; }" COURSE_HAVE_WORKING_SANITIZERS)
  unset(CMAKE_REQUIRED_FLAGS)
  set(COURSE_HAVE_SANITIZERS ${COURSE_HAVE_WORKING_SANITIZERS})
endif()

if(COURSE_OPENMP)
  find_package(OpenMP QUIET COMPONENTS C)
endif()
if(COURSE_INSTALLED)
  set(COURSE_HAVE_OPENMP ${OpenMP_C_FOUND}) # course_options has it, or not
elseif(OpenMP_C_FOUND)
  target_compile_options(course_options INTERFACE $<$<COMPILE_LANGUAGE:C>:${OpenMP_C_FLAGS}>)
  target_link_libraries(course_options INTERFACE ${OpenMP_C_LIBRARIES})
  set(COURSE_HAVE_OPENMP ON)
else()
  target_compile_options(course_options INTERFACE $<$<COMPILE_LANGUAGE:C>:-Wno-unknown-pragmas>)
  message(STATUS "OpenMP not found: the all-cores rows run on one core")
endif()

# nvcc from CMAKE_CUDA_COMPILER, CUDACXX, the PATH, or where toolkits are usually put.
set(COURSE_HAVE_GPU_COMPILER OFF)
if(COURSE_GPU)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(COURSE_NVCC nvcc
      HINTS ENV CUDA_HOME ENV CUDA_PATH ENV CUDA_ROOT ENV CUDATOOLKIT_HOME
      PATHS /usr/local/cuda /opt/cuda /usr/lib/cuda /usr/lib/nvidia-cuda-toolkit
      PATH_SUFFIXES bin)
    mark_as_advanced(COURSE_NVCC)
    if(COURSE_NVCC)
      set(CMAKE_CUDA_COMPILER ${COURSE_NVCC})
    endif()
  elseif(NOT CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER $ENV{CUDACXX})
  endif()
endif()

if(CMAKE_CUDA_COMPILER)
  include(nvcc)
  course_check_nvcc()
endif()
if(CMAKE_CUDA_COMPILER)
  include(architectures)
  course_choose_architectures(${CMAKE_CUDA_COMPILER})
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    message(STATUS
        "SKIPPED the GPU: it is older than all that ${CMAKE_CUDA_COMPILER} knows: "
        "an older toolkit knows it (CUDACXX)")
  else()
    enable_language(CUDA)
    course_settle_native(${CMAKE_CUDA_COMPILER})
    set(COURSE_HAVE_GPU_COMPILER ON)
    course_sm_90a(COURSE_HAVE_SM_90A)
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 8 AND NOT
        COURSE_INSTALLED) # each toolkit warns of the devices that the next one drops
      target_compile_options(course_options INTERFACE
          $<$<COMPILE_LANGUAGE:CUDA>:-Wno-deprecated-gpu-targets>)
    endif()
    # A check waits for nvcc, and -O concerns only the host compiler: at -O3, a template's launches
    # take half of its time.
    if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA" AND CMAKE_CUDA_FLAGS_RELEASE MATCHES "-O3")
      string(REPLACE "-O3" "" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
      set(level $<IF:$<BOOL:$<TARGET_PROPERTY:COURSE_TEMPLATE>>,1,3>)
      if(CMAKE_CUDA_FLAGS MATCHES "-Ofast-compile") # nor is the kernels' speed asked for
        set(level 0)
      endif()
      add_compile_options($<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CONFIG:Release>>:-O${level}>)
    endif()
    # Nor need it optimise one kernel after the other: the code is the same.
    execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --help OUTPUT_VARIABLE nvcc_help ERROR_QUIET)
    if(nvcc_help MATCHES "-split-compile" AND NOT CMAKE_CUDA_FLAGS MATCHES "-Ofast-compile")
      add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:-split-compile=4>)
    endif()
    find_package(CUDAToolkit QUIET)
    message(STATUS
        "GPU programs: nvcc ${CMAKE_CUDA_COMPILER_VERSION}, "
        "architectures ${CMAKE_CUDA_ARCHITECTURES}")
  endif()
endif()
if(COURSE_INSTALLED AND NOT COURSE_GPU)
  message(STATUS "GPU programs: the installation has none; the emulated device stands in")
elseif(NOT COURSE_HAVE_GPU_COMPILER)
  message(STATUS
      "GPU programs: left out, no working nvcc (set CUDACXX or PATH); "
      "the emulated device stands in")
endif()
