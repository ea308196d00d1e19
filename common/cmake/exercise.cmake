# add_exercise(exNN_name "what it teaches" [MPI] [OPENACC] [EXACT] [OPENMP] [NCCL] [PROGRAM]
# [LIBRARIES cublas cusparse ...])
#
# Builds from the folder's main.c, cpu.c, template.cu and solution.cu (and library.cu, the rows of a
# library; other .c files, and advanced/*.cu, are compiled once and added to all programs):
#   cpu/exNN_cpu                                    the CPU rows alone
#   gpu/exNN_template, gpu/exNN_solution            where nvcc is there
#   emulated/exNN_template, emulated/exNN_solution  always
# and registers the tests of the exercise. EXACT: no compiler fuses a multiplication with an
# addition, so that the CPU and every device compute the same bits. OPENMP: the .cu files have
# threads of the host. NCCL: library.cu is compiled with COURSE_NCCL where NCCL is found. PROGRAM:
# template.cu and solution.cu are whole programs, with a main() each, and output.txt is what they
# should print, each number of several behind a line "$ ./a.out NUMBER"; there are no main.c and
# cpu.c.
# COURSE_ONLY restricts the build to some exercises.

include(mutants)
include(libraries)
include(nccl)
include(mpi OPTIONAL)

set_property(GLOBAL PROPERTY COURSE_EXERCISES "")
set(COURSE_INCLUDES ${CMAKE_SOURCE_DIR}/common ${CMAKE_SOURCE_DIR}/common/harness)

# The kinds of programs of an exercise. A handout has no solutions.
# A student of an installation builds the templates only.
function(kinds_of folder result)
  file(GLOB solution ${folder}/solution.*) # ./course notices one that is added later
  set(kinds template)
  if(solution)
    list(APPEND kinds solution)
    get_filename_component(name ${folder} NAME)
    set_property(GLOBAL APPEND PROPERTY COURSE_SOLVED ${name})
  endif()
  if(COURSE_INSTALLED)
    set(kinds template)
  endif()
  set(${result} ${kinds} PARENT_SCOPE)
endfunction()

# What commands and targets call an exercise: ex03 for ex03_vector_add, labd for lab_debugging.
function(short_name name result)
  string(REPLACE "_" "" name "${name}")
  string(SUBSTRING "${name}" 0 4 name)
  set(${result} ${name} PARENT_SCOPE)
endfunction()

function(add_exercise name title)
  cmake_parse_arguments(E "MPI;OPENACC;EXACT;OPENMP;NCCL;PROGRAM" "" "LIBRARIES" ${ARGN})
  set(folder ${CMAKE_SOURCE_DIR}/${name})
  short_name(${name} short)
  set_property(GLOBAL APPEND PROPERTY COURSE_KNOWN ${short})
  if(COURSE_ONLY AND NOT short IN_LIST COURSE_ONLY)
    return()
  endif()
  if(NOT IS_DIRECTORY ${folder}) # a handout may have some exercises only
    return()
  endif()
  variant_source(${folder} template cu template)
  variant_source(${folder} template c template_in_c)
  if(NOT EXISTS ${template} AND NOT EXISTS ${template_in_c})
    message(FATAL_ERROR "error: ${name} has no template; git checkout ${name} brings it back")
  endif()
  set_property(GLOBAL APPEND PROPERTY COURSE_EXERCISES "${name}|${title}")
  file(GLOB own ${folder}/*.c)
  # harness.h includes variants.inc
  set_source_files_properties(${own} PROPERTIES INCLUDE_DIRECTORIES ${folder})

  if(E_EXACT)
    no_fused_operations(${folder})
  endif()
  set(host_flags) # of .cu files, for all functions called from here on
  if(E_OPENMP AND COURSE_HAVE_OPENMP)
    set(host_flags -Xcompiler ${OpenMP_C_FLAGS})
  endif()
  set(EMULATED_FLAGS ${host_flags})
  if(E_OPENACC)
    include(openacc) # here, since a course without these exercises needs no such compiler
    add_openacc_exercise(${name} ${short} ${folder})
  elseif(E_MPI)
    add_mpi_exercise(${name} ${short} ${folder})
  else()
    if(E_PROGRAM)
      set(own ${CMAKE_SOURCE_DIR}/common/program.c)
    else()
      add_cpu_program(${name} ${short} ${folder} "${own}")
      add_sanitized_program(${short} "${own}")
    endif()
    missing_libraries(missing ${E_LIBRARIES})
    if(COURSE_HAVE_GPU_COMPILER AND missing)
      message(STATUS "GPU programs of ${short}: left out, this toolkit has no ${missing}")
      add_skipped_programs(${short} gpu "this toolkit has no ${missing}")
    elseif(COURSE_HAVE_GPU_COMPILER)
      add_gpu_programs(${name} ${short} ${folder} "${own}" "${E_LIBRARIES}")
      if(E_NCCL)
        add_nccl(${short})
      endif()
    endif()
    add_emulated_programs(${name} ${short} ${folder} "${own}" "${E_LIBRARIES}")
  endif()
  add_targets_of_both(${short})
  add_target_of_exercise(${short})
endfunction()

# The objects that stand for main.c in a whole PROGRAM. The linker hands its main() to them.
function(judge_program target)
  if(E_PROGRAM)
    target_compile_definitions(${target} PRIVATE COURSE_EXERCISE="${name}"
        COURSE_TITLE="${title}" COURSE_EXPECTED="${folder}/output.txt")
    target_link_libraries(${target} INTERFACE -Wl,--wrap=main)
  endif()
endfunction()

# Tells the program of such a template where its source is, which may have unfilled TODOs.
function(name_template target variant source)
  if(E_PROGRAM AND variant STREQUAL "template")
    set(file ${CMAKE_BINARY_DIR}/${target}_source.c)
    file(GENERATE OUTPUT ${file} CONTENT
        "extern const char courseTemplate[];\nconst char courseTemplate[] = \"${source}\";\n")
    target_sources(${target} PRIVATE ${file})
  endif()
endfunction()

# EX builds all programs of the exercise.
function(add_target_of_exercise short)
  add_custom_target(${short})
  foreach(target cpu template_gpu solution_gpu template_emulated solution_emulated)
    if(TARGET ${short}_${target})
      add_dependencies(${short} ${short}_${target})
    endif()
  endforeach()
endfunction()

# Adds NCCL to the programs, where it is found; library.cu also works without it.
function(add_nccl short)
  if(NCCL_INCLUDE_DIR AND NCCL_LIBRARY)
    message(STATUS "NCCL: ${NCCL_LIBRARY}")
  else()
    message(STATUS
        "NCCL not found (nccl.h and libnccl; NCCL_HOME names their folder): SKIPPED in ${short}")
    return()
  endif()
  if(NOT COURSE_INSTALLED)
    use_nccl(${short}_given_gpu)
  endif()
  foreach(kind template solution)
    if(TARGET ${short}_${kind}_gpu)
      target_link_libraries(${short}_${kind}_gpu PRIVATE ${NCCL_LIBRARY})
    endif()
  endforeach()
endfunction()

# EX_KIND_both builds the programs of both devices, side by side. make reports when the emulated
# one's is built; Ninja does not report a target that was up to date.
function(add_targets_of_both short)
  foreach(kind template solution)
    set(first ${short}_${kind}_emulated)
    if(TARGET ${short}_${kind}_gpu AND TARGET ${first})
      add_custom_target(${short}_${kind}_both)
      if(CMAKE_GENERATOR STREQUAL "Ninja")
        add_custom_target(${first}_told COMMAND ${CMAKE_COMMAND} -E echo "Built target ${first}")
        add_dependencies(${first}_told ${first})
        set(first ${first}_told)
      endif()
      add_dependencies(${short}_${kind}_both ${first} ${short}_${kind}_gpu)
    endif()
  endforeach()
endfunction()

# A template's programs also depend on this copy of its text, which a check writes when the text has
# changed. So an older file that replaces the template is noticed in spite of its date.
function(copy_of_template short result)
  set(copy ${CMAKE_BINARY_DIR}/templates/${short})
  if(NOT EXISTS ${copy})
    file(WRITE ${copy} "")
  endif()
  set(${result} ${copy} PARENT_SCOPE)
endfunction()

# The emulated device never fuses them.
function(no_fused_operations folder)
  file(GLOB hosts ${folder}/*.c)
  file(GLOB devices ${folder}/*.cu ${folder}/advanced/*.cu)
  variant_source(${folder} template cu template)
  list(APPEND devices ${template})
  set_source_files_properties(${hosts} PROPERTIES COMPILE_OPTIONS -ffp-contract=off)
  if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    set_source_files_properties(${devices} PROPERTIES COMPILE_OPTIONS -fmad=false)
  elseif(CMAKE_CUDA_COMPILER)
    set_source_files_properties(${devices} PROPERTIES COMPILE_OPTIONS -ffp-contract=off)
  endif()
endfunction()

# The host code of an exercise, once per back end: main.c and cpu.c with the harness.
function(add_cpu_program name short folder sources)
  if(COURSE_INSTALLED)
    return()
  endif()
  add_executable(${short}_cpu ${sources})
  target_compile_definitions(${short}_cpu PRIVATE COURSE_CPU_ONLY)
  target_link_libraries(${short}_cpu PRIVATE harness_cpu)
  set_target_properties(${short}_cpu PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/cpu)
endfunction()

# The same under AddressSanitizer and UBSan, which find mistakes in cpu.c and main.c.
function(add_sanitized_program short sources)
  if(COURSE_HAVE_SANITIZERS)
    add_executable(${short}_cpu_sanitized ${sources})
    target_link_libraries(${short}_cpu_sanitized PRIVATE harness_sanitized)
  endif()
endfunction()

# The device code that no student edits: library.cu and the files in advanced/ that are compiled by
# themselves.
function(given_sources folder result)
  file(GLOB given ${folder}/library.cu ${folder}/advanced/*.cu)
  set(${result} "${given}" PARENT_SCOPE)
endfunction()

# Those of these files that mention COURSE_SM_90A have kernels that run on compute capability 9.0a
# only. If the programs are built for 9.0, they are compiled for 9.0a only, with COURSE_SM_90A
# defined; otherwise like the rest.
function(only_for_9_0a given result)
  set(found "")
  foreach(source ${given})
    file(STRINGS ${source} mentioned REGEX "COURSE_SM_90A" LIMIT_COUNT 1)
    if(mentioned AND COURSE_HAVE_SM_90A)
      list(APPEND found ${source})
    endif()
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# Objects of given sources, for all programs of an exercise on the GPU.
function(add_given_objects target short folder sources)
  add_library(${target} OBJECT ${sources})
  target_compile_definitions(${target} PRIVATE
    $<TARGET_PROPERTY:${short}_host_gpu,INTERFACE_COMPILE_DEFINITIONS>)
  target_include_directories(${target} PRIVATE ${folder})
  target_link_libraries(${target} PUBLIC course_options)
  target_compile_options(${target} PRIVATE ${cuda_host_flags})
  offer(${target})
endfunction()

# Saves time, since a check waits for nvcc. The host's part of a template is hardly optimised
# (toolchain.cmake). The guard of their header leaves out C++17's special functions (Bessel's and
# others), which take a sixth of the time; the other headers that it would include (std::max) are
# included here. Several threads compile the kernels, to the same code.
function(compile_quickly short target variant source)
  if(variant STREQUAL "template")
    copy_of_template(${short} copy)
    set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${copy})
    set_target_properties(${target} PROPERTIES COURSE_TEMPLATE ON)
    set(headers "SHELL:-include bits/stl_algobase.h" "SHELL:-include limits")
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-D_GLIBCXX_BITS_SPECFUN_H=1;${headers}>")
    if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA" AND CMAKE_CUDA_COMPILER_VERSION
        VERSION_GREATER_EQUAL 12.2)
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--split-compile=8>)
    endif()
  endif()
endfunction()

function(add_gpu_programs name short folder sources libraries)
  set(cuda_host_flags)
  if(host_flags)
    string(REPLACE ";" "=" cuda_host_flags "$<$<COMPILE_LANGUAGE:CUDA>:${host_flags}>")
  endif()
  given_sources(${folder} given)
  only_for_9_0a("${given}" for_9_0a)
  if(NOT COURSE_INSTALLED)
    add_library(${short}_host_gpu OBJECT ${sources})
    target_link_libraries(${short}_host_gpu PUBLIC course_options)
    judge_program(${short}_host_gpu)
    offer(${short}_host_gpu)
    if(EXISTS ${folder}/library.cu)
      target_compile_definitions(${short}_host_gpu PUBLIC COURSE_LIBRARY)
    endif()
    if(for_9_0a)
      list(REMOVE_ITEM given ${for_9_0a})
      add_given_objects(${short}_given_90a_gpu ${short} ${folder} "${for_9_0a}")
      target_compile_definitions(${short}_given_90a_gpu PRIVATE COURSE_SM_90A)
      target_compile_options(${short}_given_90a_gpu
          PRIVATE --generate-code=arch=compute_90a,code=sm_90a)
      set_target_properties(${short}_given_90a_gpu PROPERTIES CUDA_ARCHITECTURES OFF)
    endif()
    if(given)
      add_given_objects(${short}_given_gpu ${short} ${folder} "${given}")
    endif()
  endif()
  set(given_objects "")
  foreach(target ${short}_given_gpu ${short}_given_90a_gpu)
    if(TARGET ${target})
      list(APPEND given_objects $<TARGET_OBJECTS:${target}>)
    endif()
  endforeach()
  set(linked harness_gpu $<TARGET_PROPERTY:${short}_host_gpu,INTERFACE_LINK_LIBRARIES>)
  foreach(item ${libraries})
    if(TARGET CUDA::${item})
      list(APPEND linked CUDA::${item})
    else()
      list(APPEND linked ${item})
    endif()
  endforeach()
  kinds_of(${folder} kinds)
  foreach(variant ${kinds})
    set(target ${short}_${variant}_gpu)
    variant_source(${folder} ${variant} cu source)
    add_executable(${target} ${source} ${given_objects} $<TARGET_OBJECTS:${short}_host_gpu>)
    target_compile_definitions(${target} PRIVATE
      $<TARGET_PROPERTY:${short}_host_gpu,INTERFACE_COMPILE_DEFINITIONS>)
    target_include_directories(${target} PRIVATE ${folder}) # for the files in advanced/
    target_link_libraries(${target} PRIVATE ${linked})
    target_compile_options(${target} PRIVATE ${cuda_host_flags})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${short}_${variant}
      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/gpu)
    compile_quickly(${short} ${target} ${variant} ${source})
    name_template(${target} ${variant} ${source})
  endforeach()
endfunction()

# Settings of emulated_object() for a variant. The compiler's warnings go to warnings/EX_VARIANT; a
# check shows some of them.
function(settings_of_variant result short variant)
  set(settings WARNINGS ${CMAKE_BINARY_DIR}/warnings/${short}_${variant})
  if(variant STREQUAL "template")
    copy_of_template(${short} copy)
    list(APPEND settings ALONE DEPENDS ${copy})
  endif()
  set(${result} ${settings} PARENT_SCOPE)
endfunction()

# The library rows of the emulated device come from its own cuBLAS and cuSPARSE, so library.cu must
# do without anything else there (#ifndef __CUDA_EMULATED__ around CUB, say).
function(add_emulated_programs name short folder sources libraries)
  if(NOT COURSE_INSTALLED)
    add_library(${short}_host_emulated OBJECT ${sources})
    target_link_libraries(${short}_host_emulated PUBLIC course_options)
    judge_program(${short}_host_emulated)
    target_compile_definitions(${short}_host_emulated PUBLIC COURSE_EMULATED)
    if(libraries)
      target_link_libraries(${short}_host_emulated INTERFACE emulated_cuda_libraries)
    endif()
    add_library(${short}_given_emulated INTERFACE) # holds the objects, to hand them on
    if(EXISTS ${folder}/library.cu)
      target_compile_definitions(${short}_host_emulated PUBLIC COURSE_LIBRARY)
    endif()
    given_sources(${folder} given)
    emulated_objects(objects "${given}" INCLUDES ${folder} ${COURSE_INCLUDES})
    emulated_link_objects(${short}_given_emulated ${objects})
    offer(${short}_host_emulated ${short}_given_emulated)
  endif()
  objects_in(${short}_given_emulated given_objects)
  kinds_of(${folder} kinds)
  foreach(variant ${kinds})
    variant_source(${folder} ${variant} cu source)
    settings_of_variant(settings ${short} ${variant})
    emulated_object(object ${source} ${settings} INCLUDES ${folder} ${COURSE_INCLUDES})
    add_emulated_program(${short}_${variant}_emulated ${short} "${object};${given_objects}")
    set_target_properties(${short}_${variant}_emulated PROPERTIES OUTPUT_NAME ${short}_${variant}
      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/emulated)
    name_template(${short}_${variant}_emulated ${variant} ${source})
  endforeach()
  add_mutants(${short} ${folder} "${given}")
endfunction()

# Compiles sources for the emulated device; then the settings of emulated_object().
function(emulated_objects outvar sources)
  set(objects "")
  foreach(source ${sources})
    emulated_object(object ${source} ${ARGN})
    list(APPEND objects ${object})
  endforeach()
  set(${outvar} "${objects}" PARENT_SCOPE)
endfunction()

# The objects that an INTERFACE library hands on, as a list, since the linker needs them before the
# harness.
function(objects_in target result)
  get_target_property(objects ${target} INTERFACE_LINK_LIBRARIES)
  if(NOT objects)
    set(objects "")
  endif()
  set(${result} "${objects}" PARENT_SCOPE)
endfunction()

# Links the exercise's host code with objects that were compiled for the emulated device. A check
# waits for the linker, and gold takes half the time of the usual one.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold COURSE_HAVE_GOLD)
function(add_emulated_program target short objects)
  add_executable(${target} $<TARGET_OBJECTS:${short}_host_emulated>)
  emulated_link_objects(${target} ${objects})
  target_link_libraries(${target} PRIVATE
      $<TARGET_PROPERTY:${short}_host_emulated,INTERFACE_LINK_LIBRARIES> harness_emulated)
  if(COURSE_HAVE_GOLD)
    target_link_options(${target} PRIVATE -fuse-ld=gold)
  endif()
endfunction()

# Programs that say what is missing, in place of those that cannot be built for these devices.
function(add_skipped_programs short devices why)
  set(source ${CMAKE_BINARY_DIR}/${short}_skipped.c)
  file(WRITE ${source}
      "#include <stdio.h>\nint main(void)\n{\n    puts(\"${short}: SKIPPED: ${why}\");\n"
    "    return 77;\n}\n")
  string(REPLACE " " ";" devices ${devices})
  foreach(device ${devices})
    if(device STREQUAL "cpu")
      add_executable(${short}_cpu ${source})
      set_target_properties(${short}_cpu PROPERTIES
          RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/cpu)
      continue()
    elseif(device STREQUAL "gpu" AND NOT COURSE_HAVE_GPU_COMPILER)
      continue()
    endif()
    foreach(kind template solution)
      set(target ${short}_${kind}_${device})
      add_executable(${target} ${source})
      set_target_properties(${target} PROPERTIES OUTPUT_NAME ${short}_${kind} COURSE_SKIPPED ON
        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${device})
    endforeach()
  endforeach()
endfunction()

# The tests of this directory run side by side. Each gets two threads and does not spin while it
# waits, so that they do not slow each other down on a node with many cores.
function(few_threads_in_tests)
  get_property(tests DIRECTORY PROPERTY TESTS)
  set_property(TEST ${tests} APPEND PROPERTY ENVIRONMENT OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive)
endfunction()

# build/exercises.txt lists the exercises for the course program: exNN_name|title
function(write_exercise_list)
  get_property(known GLOBAL PROPERTY COURSE_KNOWN)
  foreach(only ${COURSE_ONLY})
    if(NOT only IN_LIST known)
      message(FATAL_ERROR
          "error: COURSE_ONLY: there is no exercise '${only}'; write it as in \"ex03;ex05\"")
    endif()
  endforeach()
  get_property(exercises GLOBAL PROPERTY COURSE_EXERCISES)
  string(REPLACE ";" "\n" text "${exercises}")
  file(WRITE ${CMAKE_BINARY_DIR}/exercises.txt "${text}\n")
  get_property(solved GLOBAL PROPERTY COURSE_SOLVED)
  if(solved)
    list(REMOVE_DUPLICATES solved)
  endif()
  string(REPLACE ";" "\n" text "${solved}")
  file(WRITE ${CMAKE_BINARY_DIR}/solutions.txt "${text}\n") # those with a solution
endfunction()
