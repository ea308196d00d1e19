# The emulated device: its compiler, its runtime, and how to build a .cu file for it.
#
#   emulated-cc              the compile driver
#   emulated_runtime         the device
#   emulated_cuda_libraries  cuBLAS, cuFFT, cuRAND, cuSPARSE and the parts in extras/
#   emulated_link            what else a program of emulated objects is linked with
#   emulated_object(OUTVAR source.cu [DEFINITIONS name[=value]...] [INCLUDES directory...]
#                   [ARCH 70] [TWIN] [ALONE] [WARNINGS file] [DEPENDS file...])
#       compiles one .cu into an object and sets OUTVAR to its path. Several programs may share it.
#       ARCH: the compute capability to compile for and to run on; 9.0 by default.
#       WARNINGS: writes the findings of -Wall and -Wconversion to this file, and prints none.
#       ALONE: only one program has it, among its sources: the rule is one of the program's target.
#       DEPENDS: other files that the object depends on.
#       TWIN: nearly the same source is compiled elsewhere, too, so clang++ need not check it again.
#   emulated_link_objects(target object...)
#       links such objects into a program or a library.
#   emulated_executable(target object...)
#       a program of such objects alone, with the libraries.

set(EMULATED_DIR "${CMAKE_CURRENT_LIST_DIR}/..")
get_filename_component(EMULATED_DIR "${EMULATED_DIR}" ABSOLUTE)

set(emulated_libraries "${CMAKE_CURRENT_BINARY_DIR}/emulated-lib64") # also what install.cmake adds

# The device, in parts. CMake hands the compiler all files of a part at once, since the headers of
# the C++ library take half the time. What runs for each access of each thread is always optimised;
# the rest hardly, which takes a third of the time. Nothing of it throws or catches exceptions.
set(emulated_parts)
function(emulated_part name level)
  set(part emulated_runtime_${name})
  list(TRANSFORM ARGN PREPEND ${EMULATED_DIR}/runtime/)
  add_library(${part} OBJECT ${ARGN})
  set_target_properties(${part} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  target_include_directories(${part} PRIVATE ${EMULATED_DIR}/include ${EMULATED_DIR}/runtime)
  target_compile_options(${part} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-std=gnu++17> ${level}
      $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions> -fno-omit-frame-pointer -Wall -Wextra
      $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>) # objcopy leaves such symbols global
  set(emulated_parts ${emulated_parts} ${part} PARENT_SCOPE)
endfunction()
emulated_part(accesses -O3 access.cpp ahead.cpp atomics.cpp distinct.cpp fiber.cpp flow.cpp
  hooks.cpp)
emulated_part(memory -O3 counters.cpp fragment.cpp grid.cpp mathematics.cpp matrix.cpp memory.cpp
  order.cpp)
emulated_part(warps -O3 mbarrier.cpp read_only.cpp texture.cpp times.cpp warp.cpp)
emulated_part(calls -O1 api_device.cpp api_memory.cpp api_stream.cpp async.cpp causes.cpp
  cluster.cpp findings.cpp host_copies.cpp objects.cpp operations.cpp remarks.cpp trace.cpp)
emulated_part(launches -O1 cores.cpp division.cpp graph.cpp heap.cpp host_functions.cpp library.cpp
  lines.cpp patience.cpp pools.cpp quota.cpp settings.cpp source.cpp tensor_map.cpp time_model.c)

# One object, whose instances of the C++ library's templates are its own. Where a program has the
# same one, the linker would take either, and the runtime run what is instrumented for kernels.
set(emulated_object "${CMAKE_CURRENT_BINARY_DIR}/emulated_runtime.o")
list(TRANSFORM emulated_parts REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>"
    OUTPUT_VARIABLE emulated_part_objects)
add_custom_command(OUTPUT "${emulated_object}"
  COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o "${emulated_object}"
    ${emulated_part_objects}
  COMMAND ${CMAKE_OBJCOPY} --wildcard --localize-symbol=_ZNSt* --localize-symbol=_ZNKSt*
    --localize-symbol=_ZSt* --localize-symbol=_ZN9__gnu_cxx* --localize-symbol=_ZZNSt*
    --localize-symbol=_ZZNKSt* --localize-symbol=_ZZSt* "${emulated_object}"
  DEPENDS ${emulated_parts} ${emulated_part_objects}
  COMMENT "Joining the emulated device" VERBATIM COMMAND_EXPAND_LISTS)
# Apart from it what a program may have under the same names, and what most do not need.
add_library(emulated_runtime STATIC "${emulated_object}" ${EMULATED_DIR}/runtime/api_driver.cpp
    ${EMULATED_DIR}/runtime/unwrapped.cpp)
target_include_directories(emulated_runtime PUBLIC ${EMULATED_DIR}/include
    PRIVATE ${EMULATED_DIR}/runtime)
target_compile_options(emulated_runtime PRIVATE -std=gnu++17 -O1 -Wall -Wextra)

# Apart, since a first check of most exercises does without them, and they take long to compile.
add_library(emulated_cuda_libraries STATIC
  ${EMULATED_DIR}/libraries/cublas.cpp
  ${EMULATED_DIR}/libraries/cublas_matrix.cpp
  ${EMULATED_DIR}/libraries/cufft.cpp
  ${EMULATED_DIR}/libraries/curand.cpp
  ${EMULATED_DIR}/libraries/cusparse.cpp
  ${EMULATED_DIR}/extras/cublaslt.cpp
  ${EMULATED_DIR}/extras/cusolver.cpp)
target_include_directories(emulated_cuda_libraries PRIVATE ${EMULATED_DIR}/libraries
    ${EMULATED_DIR}/extras ${EMULATED_DIR}/runtime)
target_compile_options(emulated_cuda_libraries PRIVATE -std=gnu++17 -O3 -fno-omit-frame-pointer
    -Wall -Wextra)
set_target_properties(emulated_runtime emulated_cuda_libraries PROPERTIES
  ARCHIVE_OUTPUT_DIRECTORY "${emulated_libraries}")

find_package(Threads REQUIRED)
# The other objects' calls of malloc() and the like pass through runtime/heap.cpp, and those that
# read a clock through runtime/remarks.cpp.
set(emulated_wrap)
foreach(call malloc calloc realloc aligned_alloc posix_memalign free
    clock clock_gettime gettimeofday
    _ZNSt6chrono3_V212system_clock3nowEv _ZNSt6chrono3_V212steady_clock3nowEv)
  list(APPEND emulated_wrap -Wl,--wrap=${call})
endforeach()
# Shared variables are thread-local ones, and may be aligned to more than a page.
list(APPEND emulated_wrap -Wl,-z,max-page-size=65536)
set(emulated_link_libraries)
# Source lines come from libbacktrace, a part of gcc, and without it from addr2line, a part of
# binutils.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES backtrace)
check_cxx_source_compiles("#include <backtrace.h>
  int main() { return backtrace_create_state(0, 0, 0, 0) == 0; }" EMULATED_HAVE_BACKTRACE)
unset(CMAKE_REQUIRED_LIBRARIES)
if(EMULATED_HAVE_BACKTRACE)
  target_compile_definitions(emulated_runtime_launches PRIVATE HAVE_BACKTRACE)
  list(APPEND emulated_wrap -Wl,--wrap=dl_iterate_phdr) # so that it reads the executable only
  set(emulated_link_libraries backtrace)
endif()

add_library(emulated_link INTERFACE)
target_link_libraries(emulated_link INTERFACE emulated_runtime ${emulated_link_libraries}
    Threads::Threads m)
target_link_options(emulated_link INTERFACE ${emulated_wrap})
foreach(flag IN LISTS emulated_wrap)
  string(APPEND emulated_link_flags "\"${flag}\",")
endforeach()
target_compile_definitions(emulated_link INTERFACE __CUDA_EMULATED__=1)
target_link_libraries(emulated_cuda_libraries PUBLIC emulated_link)
include(CheckLinkerFlag)
check_linker_flag(CXX -Wl,--compress-debug-sections=zlib EMULATED_HAVE_COMPRESSED_LINES)
if(EMULATED_HAVE_COMPRESSED_LINES) # half the size of a program
  target_link_options(emulated_link INTERFACE -Wl,--compress-debug-sections=zlib)
endif()

# The instrumentation is gcc's: with another C++ compiler for the rest, .cu files still go to g++.
set(emulated_cxx "${CMAKE_CXX_COMPILER}")
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  find_program(EMULATED_GXX g++)
  if(EMULATED_GXX)
    set(emulated_cxx "${EMULATED_GXX}")
  else()
    message(WARNING "the emulated device needs g++ to compile .cu files: install g++")
  endif()
endif()

# Local variables without a value hold 0xfe bytes, so that using one shows: from g++ 12 on.
execute_process(COMMAND ${emulated_cxx} -dumpversion OUTPUT_VARIABLE emulated_gcc_version
    OUTPUT_STRIP_TRAILING_WHITESPACE)
set(emulated_gcc_flags)
if(emulated_gcc_version VERSION_GREATER_EQUAL 12)
  set(emulated_gcc_flags EMULATED_FILL_LOCALS)
endif()
# The special functions of <cmath> are left out, where that works, by the include guard of the
# header that has them.
set(emulated_lean _GLIBCXX_BITS_SPECFUN_H)
execute_process(COMMAND ${emulated_cxx} -std=gnu++17 -D${emulated_lean}=1 -include cmath -include
    math.h
  -fsyntax-only -x c++ ${EMULATED_DIR}/cmake/no_source.c RESULT_VARIABLE emulated_lean_fails
  OUTPUT_QUIET ERROR_QUIET)
if(emulated_lean_fails)
  set(emulated_lean "")
endif()

add_executable(emulated-cc
  ${EMULATED_DIR}/cc/arch.c
  ${EMULATED_DIR}/cc/arithmetic.c
  ${EMULATED_DIR}/cc/flow.c
  ${EMULATED_DIR}/cc/main.c
  ${EMULATED_DIR}/cc/merge.c
  ${EMULATED_DIR}/cc/messages.c
  ${EMULATED_DIR}/cc/options.c
  ${EMULATED_DIR}/cc/places.c
  ${EMULATED_DIR}/cc/prelude.c
  ${EMULATED_DIR}/cc/ptx.c
  ${EMULATED_DIR}/cc/syntax_pass.c
  ${EMULATED_DIR}/cc/tokens.c
  ${EMULATED_DIR}/cc/translate.c)
set_target_properties(emulated-cc PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF)
# A first check waits for it: with -O3 twice as long, for 5 ms at each use.
target_compile_options(emulated-cc PRIVATE $<$<CONFIG:Release>:-O1> -Wall -Wextra -Wconversion)
target_compile_definitions(emulated-cc PRIVATE
  EMULATED_CC="${CMAKE_C_COMPILER}" EMULATED_CXX="${emulated_cxx}" EMULATED_LEAN="${emulated_lean}"
  ${emulated_gcc_flags}
  "EMULATED_LINK_FLAGS=${emulated_link_flags}")
# These alone differ from one folder to the next.
set_source_files_properties(${EMULATED_DIR}/cc/places.c PROPERTIES COMPILE_DEFINITIONS
  "EMULATED_DIR=\"${EMULATED_DIR}\";EMULATED_LIBRARIES=\"${emulated_libraries}\"")
add_dependencies(emulated-cc emulated_runtime)

include(${CMAKE_CURRENT_LIST_DIR}/objects.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/install.cmake)

# What every program begins with, read and compiled once: half of a compilation.
set(prelude "${emulated_libraries}/cuda_runtime.ii")
add_custom_command(OUTPUT "${prelude}"
  COMMAND emulated-cc --prelude "${emulated_libraries}"
  DEPENDS emulated-cc ${EMULATED_HEADERS}
  COMMENT "Compiling cuda_runtime.h for the emulated device" VERBATIM)
add_custom_target(emulated_prelude ALL DEPENDS "${prelude}")
set_target_properties(emulated_prelude PROPERTIES PRELUDE "${prelude}")
