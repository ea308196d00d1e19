# The OpenACC exercises: cpu.c, template.c, solution.c, and library.cu with the CUDA rows beside
# them.
#   gpu/exNN_*       where the C compiler offloads to NVIDIA GPUs, and nvcc is there
#   emulated/exNN_*  where the C compiler knows OpenACC: the same program on the host
# The copies between host and device are counted on both (common/openacc/acc_copies.h).

include(CheckCSourceCompiles)

set(COURSE_ACC_WRAPPED GOACC_parallel_keyed GOACC_data_start GOACC_data_end GOACC_update
    GOACC_enter_data
  GOACC_exit_data GOACC_wait acc_wait acc_wait_all acc_memcpy_to_device acc_memcpy_from_device)
set(COURSE_ACC_WRAP "")
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
  set(COURSE_ACC_HOST -fopenacc -foffload=disable)
  # gcc's wrapper would check the code with ptxas for a device that newer toolkits no longer
  # support.
  set(COURSE_ACC_GPU -fopenacc -foffload=nvptx-none -foffload-options=nvptx-none=-Wa,--no-verify)
  set(COURSE_ACC_GPU_LINK -no-pie) # the table of offloaded functions is not position-independent
  foreach(call ${COURSE_ACC_WRAPPED})
    list(APPEND COURSE_ACC_WRAP -Wl,--wrap=${call})
  endforeach()
elseif(CMAKE_C_COMPILER_ID MATCHES "NVHPC|PGI")
  set(COURSE_ACC_HOST -acc=host)
  set(COURSE_ACC_GPU -acc=gpu)
endif()

function(check_openacc flags result)
  string(REPLACE ";" " " CMAKE_REQUIRED_FLAGS "${flags}")
  set(CMAKE_REQUIRED_QUIET ON)
  check_c_source_compiles("#include <openacc.h>
    int main(void) {
        int x[100];
    #pragma acc parallel loop copyout(x[0:100])
        for (int i = 0; i < 100; i++) x[i] = i;
        return x[0] + acc_get_num_devices(acc_device_default) * 0;
    }" ${result})
endfunction()

if(COURSE_ACC_HOST)
  check_openacc("${COURSE_ACC_HOST}" COURSE_HAVE_ACC)
  check_openacc("${COURSE_ACC_GPU}" COURSE_HAVE_ACC_GPU)
endif()
if(NOT COURSE_HAVE_ACC)
  set(no_acc
      "${CMAKE_C_COMPILER} does not build OpenACC programs here: install gcc with its libgomp, or \
set CC to a compiler that does (another gcc, nvc), and configure in an empty folder")
  message(STATUS "SKIPPED ${short}: ${no_acc}")
elseif(COURSE_HAVE_GPU_COMPILER AND NOT COURSE_HAVE_ACC_GPU)
  set(no_acc_gpu
      "${CMAKE_C_COMPILER} does not offload to GPUs: install gcc-offload-nvptx, or set CC to \
one that does (another gcc, nvc), and configure in an empty folder; --device=emulated runs it on \
the host")
  if(EXISTS /dev/nvidia0) # elsewhere only the program that stands in for the GPU's says so
    message(STATUS "SKIPPED ${short} on the GPU: ${no_acc_gpu}")
  endif()
endif()

# gcc reports how it divides each loop among gangs, workers and vector lanes. The program reads the
# report, since a loop in one thread computes the same result. gcc appends to an existing report,
# which would then show mistakes that have been corrected; a compiler cache writes none. Without the
# decomposition of `kernels` regions, gcc calls each loop in one sequential, independent or not.
function(report_loops target)
  if(CMAKE_C_COMPILER_ID STREQUAL GNU AND NOT CMAKE_C_COMPILER_VERSION VERSION_LESS 11)
    set(report ${CMAKE_CURRENT_BINARY_DIR}/${target}.loops)
    target_compile_options(${target}_acc PRIVATE -fopt-info-omp=${report}
      --param=openacc-kernels=decompose)
    set_target_properties(${target}_acc PROPERTIES C_COMPILER_LAUNCHER ""
      RULE_LAUNCH_COMPILE "\"${CMAKE_COMMAND}\" -E remove -f \"${report}\" &&")
    target_compile_definitions(${target} PRIVATE
      "COURSE_ACC_LOOPS=\"${report}\"")
  endif()
endfunction()

# The programs of one exercise for one device: flags for the variant, host sources, what to link.
function(add_openacc_programs short folder device flags definitions libraries)
  if(NOT COURSE_INSTALLED)
    add_library(${short}_host_${device} OBJECT ${folder}/main.c ${folder}/cpu.c)
    target_compile_definitions(${short}_host_${device} PRIVATE ${definitions})
    target_link_libraries(${short}_host_${device} PUBLIC course_options)
    offer(${short}_host_${device})
  endif()
  kinds_of(${folder} kinds)
  foreach(variant ${kinds})
    set(target ${short}_${variant}_${device})
    variant_source(${folder} ${variant} c source)
    add_library(${target}_acc OBJECT ${source})
    # Without OpenMP: gcc's linker plugin refuses code that was compiled for both to be offloaded.
    target_include_directories(${target}_acc PRIVATE ${folder} ${COURSE_INCLUDES})
    target_compile_options(${target}_acc PRIVATE ${COURSE_WARNINGS} ${flags})
    # it gets the path of the compiler's report on this target
    add_executable(${target} $<TARGET_OBJECTS:${short}_host_${device}>
        $<TARGET_OBJECTS:${target}_acc>
      ${CMAKE_SOURCE_DIR}/common/openacc/acc_copies.c)
    target_compile_definitions(${target} PRIVATE ${definitions})
    if(device STREQUAL "emulated")
      report_loops(${target})
    endif()
    target_link_options(${target} PRIVATE ${flags} ${COURSE_ACC_WRAP})
    if(device STREQUAL "gpu")
      target_link_options(${target} PRIVATE ${COURSE_ACC_GPU_LINK})
    endif()
    target_link_libraries(${target} PRIVATE ${libraries})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${short}_${variant} LINKER_LANGUAGE C
      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${device})
  endforeach()
endfunction()

function(add_openacc_exercise name short folder)
  add_cpu_program(${name} ${short} ${folder} "${folder}/main.c;${folder}/cpu.c")
  add_sanitized_program(${short} "${folder}/main.c;${folder}/cpu.c")
  if(NOT COURSE_HAVE_ACC)
    add_skipped_programs(${short} "gpu emulated" "${no_acc}")
    return()
  endif()
  add_openacc_programs(${short} ${folder} emulated "${COURSE_ACC_HOST}" "COURSE_EMULATED"
      harness_acc)
  add_openacc_mutants(${short} ${folder})
  if(NOT COURSE_HAVE_ACC_GPU OR NOT COURSE_HAVE_GPU_COMPILER)
    add_skipped_programs(${short} gpu "${no_acc_gpu}")
    return()
  endif()
  if(NOT COURSE_INSTALLED)
    add_library(${short}_cuda STATIC ${folder}/library.cu)
    target_link_libraries(${short}_cuda PUBLIC course_options)
    offer(${short}_cuda)
  endif()
  add_openacc_programs(${short} ${folder} gpu "${COURSE_ACC_GPU}" "COURSE_LIBRARY"
    "${short}_cuda;harness_gpu;CUDA::cudart_static;stdc++")
endfunction()

# Mutants of an OpenACC solution run on the host; some mistakes show only in the counts of copies.
function(add_openacc_mutants short folder)
  mutants_of(${short} mutants)
  foreach(mutant ${mutants})
    get_filename_component(label ${mutant} NAME_WE)
    set(target ${short}_mutant_${label})
    mutated_file(${mutant} changed)
    set(source ${CMAKE_BINARY_DIR}/mutants/${short}/${label}.c)
    # a file that solution.c includes: a copy of solution.c stands beside the changed one
    if(NOT changed STREQUAL "solution.cu")
      set(source ${CMAKE_BINARY_DIR}/mutants/${short}/${label}.source/solution.c)
      set(copy ${CMAKE_BINARY_DIR}/mutants/${short}/${label}.source/${changed})
      get_filename_component(directory ${copy} DIRECTORY)
      file(MAKE_DIRECTORY ${directory})
      add_custom_command(OUTPUT ${source}
        COMMAND mutate ${mutant} ${folder}/${changed} ${copy}
        COMMAND ${CMAKE_COMMAND} -E copy ${folder}/solution.c ${source}
        DEPENDS mutate ${mutant} ${folder}/${changed} ${folder}/solution.c VERBATIM)
    else()
      add_custom_command(OUTPUT ${source}
        COMMAND mutate ${mutant} ${folder}/solution.c ${source}
        DEPENDS mutate ${mutant} ${folder}/solution.c VERBATIM)
    endif()
    add_library(${target}_acc OBJECT ${source})
    target_include_directories(${target}_acc PRIVATE ${folder} ${COURSE_INCLUDES})
    target_compile_options(${target}_acc PRIVATE ${COURSE_ACC_HOST})
    add_executable(${target} $<TARGET_OBJECTS:${short}_host_emulated>
        $<TARGET_OBJECTS:${target}_acc>
      ${CMAKE_SOURCE_DIR}/common/openacc/acc_copies.c)
    target_compile_definitions(${target} PRIVATE COURSE_EMULATED)
    report_loops(${target})
    target_link_options(${target} PRIVATE ${COURSE_ACC_HOST} ${COURSE_ACC_WRAP})
    target_link_libraries(${target} PRIVATE harness_acc)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
    add_mutant_test(${short} ${label} ${mutant})
  endforeach()
endfunction()
