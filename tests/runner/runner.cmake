# The course program: its commands, its errors, and the authors' checks, each also where it must
# fail.

# Sets result to ON if this course has the exercises that a command names, and the solutions that it
# runs: a handout may lack some. Exercises are named as ex03, ex03_vector_add or 3, where a second
# number is something else.
function(has_what_is_named result)
  set(${result} ON PARENT_SCOPE)
  get_property(solved GLOBAL PROPERTY COURSE_SOLVED)
  set(wants_solution OFF)
  if("--solution" IN_LIST ARGN OR "bench" IN_LIST ARGN OR "targets" IN_LIST ARGN OR ("diff" IN_LIST
      ARGN AND NOT "--cpu" IN_LIST ARGN))
    set(wants_solution ON)
  endif()
  set(first ON)
  foreach(word ${ARGN})
    if(NOT word MATCHES "^(ex)?([0-9][0-9]?)(_.*)?$" OR NOT (CMAKE_MATCH_1 OR first))
      continue()
    endif()
    set(first OFF)
    string(REGEX REPLACE "^([0-9])$" "0\\1" number ${CMAKE_MATCH_2})
    set(short ex${number})
    if(short STREQUAL "ex99") # is never there
      continue()
    endif()
    if(NOT TARGET ${short} OR (wants_solution AND NOT "${solved}" MATCHES "${short}_"))
      set(${result} OFF PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

function(course_case label status text)
  add_test(NAME course.${label} COMMAND ${expect} ${status} ${text} $<TARGET_FILE:course> ${ARGN})
  set_tests_properties(course.${label} PROPERTIES
    ENVIRONMENT "COURSE_SOURCE=${CMAKE_SOURCE_DIR};COURSE_BUILD=${CMAKE_BINARY_DIR}")
  has_what_is_named(available ${ARGN})
  if(NOT available)
    set_tests_properties(course.${label} PROPERTIES DISABLED ON)
  endif()
endfunction()

# Each solution as ./course check tries it; also one that CMakeLists.txt forgets, which then fails.
# First of all, since the first check of a program that cmake has built links it anew, which no
# other test should run meanwhile.
file(GLOB folders RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/ex*_*
    ${CMAKE_SOURCE_DIR}/lab_*/template.cu)
foreach(folder ${folders})
  short_name(${folder} short)
  if(NOT COURSE_ONLY OR short IN_LIST COURSE_ONLY)
    course_case(check_all.${short} 0 "PASS also with --" check ${short} --solution
        --device=emulated)
    set_tests_properties(course.check_all.${short} PROPERTIES LABELS author SKIP_RETURN_CODE 77
        TIMEOUT 600 COST 500
      FAIL_REGULAR_EXPRESSION "far from what these rows should reach;32 bits are too few")
    course_case(targets.${short} 0 - targets ${short} --check)
    set_tests_properties(course.targets.${short} PROPERTIES LABELS author SKIP_RETURN_CODE 77
        TIMEOUT 300 COST 3)
  endif()
endforeach()
if(COURSE_ONLY)
  return()
endif()

get_property(exercises GLOBAL PROPERTY COURSE_EXERCISES)
list(GET exercises 0 first)
string(REGEX REPLACE "^(....)[^|]*\\|" "\\1  " first "${first}")
course_case(list 0 "${first}" list)
course_case(alone 0 "Next: ")
course_case(help 0 "usage: ./course" --help)
course_case(help_table 0 "  sectors/rq" help table)
course_case(check_help 0 "--solution" check --help)
course_case(version 0 "CUDA C course 1." --version)
course_case(no_command 2 "there is no command 'chekc'" chekc)
course_case(no_exercise 2 "there is no exercise 'ex99', there are ex" check ex99)
course_case(bad_device 2 "--device=tpu: expected auto, gpu, emulated or the number" check ex03
    --device=tpu)
course_case(diff 0 "solution.cu" diff 3)
course_case(diff_further 0 "  ex19_dense_mmm/advanced/async.cuh" diff 19)
course_case(diff_cpu 0 "cpu.c" diff ex03_vector_add --cpu)
course_case(diff_nothing 2 "diff needs an exercise" diff)
course_case(hint 0 "c[i] = a[i] + b[i]" hint ex03)
course_case(hint_tier 0 "2. if (i < n)." hint ex03 2 2)
course_case(hint_none 2 "there is no hint 2 for TODO 77" hint ex03 77 2)
course_case(device 0 "use: " device)
course_case(recorded 0 "float4, two in flight" recorded ex03)
course_case(recorded_sweep 0 "  block=256 grid=1056" recorded ex03 --sweep --variant grid-stride)
# the longest, whatever was recorded
course_case(recorded_bar 0 " #########################\n" recorded ex04 --sweep --variant stride)
course_case(recorded_none 2 "nothing has been recorded there" recorded ex03 --on voodoo)
course_case(recorded_nothing 2 "recorded needs an exercise" recorded --sweep)
course_case(recorded_value 2 "--variant needs a value" recorded ex03 --variant)
course_case(tables_fresh 0 - tables --check)
set_tests_properties(course.tables_fresh PROPERTIES LABELS author)

# Those that build: make finds nothing to do, since all is built before the tests begin, and takes
# no time of the others.
course_case(check_solution 0 "variants are right" check ex03 --solution --device=emulated --size
    1000)
course_case(check_too_much 2 "too much for the emulated device: about "
  check ex01 --solution --device=emulated --size 100 --grid 2147483647)
course_case(check_emulate 2 "a block of this device has at most 1024" check 3 --solution
    --emulate=fermi --block 1025)
course_case(check_emulate_bad 2 "fermi" check 3 --solution --emulate=voodoo --size 1000)
course_case(check_fast 0 "variants are right" check ex03 --solution --device=emulated --fast --size
    1000)
course_case(check_passes_on 2 "--nonsense: no such option" check ex03 --device=emulated --nonsense)
course_case(check_several 0 "ex01_vector_scale" check ex01 ex03 --solution --device=emulated --size
    1000)
course_case(bench 0 "Emu  one float4 per thread" bench ex01 --device=emulated --quick --size 1000)
course_case(bench_template 3 "TODO 1 at ex01_vector_scale/template.cu" bench ex01 --template
    --device=emulated --size 1000)
course_case(profile 0 "one element per thread" check ex03 --solution --device=emulated --profile
    --size 1000)
course_case(unfilled 3 "NOT IMPLEMENTED: TODO 1" check ex03 --device=emulated --size 1000)
set_tests_properties(course.bench course.bench_template PROPERTIES
    RESOURCE_LOCK bench) # one waits for another
set_property(TEST course.unfilled course.bench_template APPEND PROPERTY LABELS author)

# The rooms of the runner call one another in one direction only.
add_test(NAME course.layers COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/layers.sh $<TARGET_OBJECTS:course>
    COMMAND_EXPAND_LISTS)
add_test(NAME course.layers_found COMMAND ${expect} 1 "calls append of class/text.c"
  sh ${CMAKE_CURRENT_LIST_DIR}/layers_wrong.sh ${CMAKE_CURRENT_LIST_DIR}/layers.sh
  ${CMAKE_CURRENT_BINARY_DIR}/runner_layers
  $<TARGET_OBJECTS:course> COMMAND_EXPAND_LISTS)
set_tests_properties(course.layers course.layers_found PROPERTIES SKIP_RETURN_CODE 77 LABELS author)

# The program that ./course device runs.
add_test(NAME device.info COMMAND ${expect} 0 "compute capability:"
    $<TARGET_FILE:device_info_emulated>)
add_test(NAME device.costs COMMAND ${expect} 0 "PASS: " $<TARGET_FILE:device_costs_emulated>)
add_executable(fit_test ${CMAKE_SOURCE_DIR}/tests/common/fit.c)
target_link_libraries(fit_test PRIVATE course_options)
add_test(NAME device.fit COMMAND fit_test)

# A course that is made up for the purpose, with scripts in place of programs, in a folder with a
# blank in its name.
foreach(label authors check devices forecast gpu install read recording report rollup second_look
    sources stranger targets testing)
  add_test(NAME course.${label} COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/${label}.sh
    $<TARGET_FILE:course> "${CMAKE_CURRENT_BINARY_DIR}/of ${label}")
endforeach()
set_tests_properties(course.install PROPERTIES SKIP_RETURN_CODE 77)
add_library(many_cores SHARED ${CMAKE_CURRENT_LIST_DIR}/many_cores.c)
target_compile_options(many_cores PRIVATE ${COURSE_WARNINGS})
target_link_libraries(many_cores PRIVATE ${CMAKE_DL_LIBS})
add_test(NAME course.beside COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/beside.sh $<TARGET_FILE:course>
  "${CMAKE_CURRENT_BINARY_DIR}/of beside" $<TARGET_FILE:many_cores>)
add_test(NAME course.ahead COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/ahead.sh $<TARGET_FILE:course>
  "${CMAKE_CURRENT_BINARY_DIR}/of ahead" $<TARGET_FILE:many_cores>)
set_tests_properties(course.ahead course.beside PROPERTIES COST 8)
add_test(NAME course.several COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/several.sh $<TARGET_FILE:course>
  "${CMAKE_CURRENT_BINARY_DIR}/of several")
set_tests_properties(course.several PROPERTIES COST 15)
set_property(TEST course.ahead course.authors course.beside course.devices course.forecast course.gpu
    course.install course.read course.recording course.report course.rollup course.second_look
    course.several course.sources course.stranger course.targets course.testing APPEND PROPERTY
    LABELS author)

# The heads of all tables are explained: ex21's has operations instead of bytes.
if(COURSE_AUTHOR AND TARGET emulated-cc)
  set(tables $<TARGET_FILE:device_test>)
  if(TARGET ex21_solution_emulated)
    list(APPEND tables $<TARGET_FILE:ex21_solution_emulated>)
  endif()
  add_test(NAME course.help_heads COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/help.sh $<TARGET_FILE:course>
    "${CMAKE_CURRENT_BINARY_DIR}/of help" ${tables})
  set_tests_properties(course.help_heads PROPERTIES LABELS author)
endif()

add_test(NAME course.both COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/both.sh $<TARGET_FILE:course>
    ${CMAKE_SOURCE_DIR}
  ${CMAKE_BINARY_DIR})
set_tests_properties(course.both PROPERTIES RUN_SERIAL ON SKIP_RETURN_CODE 77
    LABELS gpu) # without one, its programs may not be built

add_test(NAME course.cc COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/cc.sh $<TARGET_FILE:course>)
set_tests_properties(course.cc PROPERTIES
  ENVIRONMENT "COURSE_SOURCE=${CMAKE_SOURCE_DIR};COURSE_BUILD=${CMAKE_BINARY_DIR}")

# Each exercise's README fits a terminal of 80 columns.
add_test(NAME course.read_width COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/width.sh $<TARGET_FILE:course>)
set_tests_properties(course.read_width PROPERTIES
  ENVIRONMENT "COURSE_SOURCE=${CMAKE_SOURCE_DIR};COURSE_BUILD=${CMAKE_BINARY_DIR}")
add_test(NAME course.new COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/new.sh $<TARGET_FILE:course>
  ${CMAKE_CURRENT_BINARY_DIR}/runner_new ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
set_tests_properties(course.new PROPERTIES LABELS author COST 10)
set_tests_properties(course.check PROPERTIES COST 20)

add_test(NAME course.picture COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/picture.sh $<TARGET_FILE:course>
  $<TARGET_FILE:emulated-cc> ${CMAKE_CURRENT_BINARY_DIR}/runner_picture)
set_tests_properties(course.picture PROPERTIES LABELS author
  ENVIRONMENT "COURSE_SOURCE=${CMAKE_SOURCE_DIR};COURSE_BUILD=${CMAKE_BINARY_DIR}")
add_test(NAME course.plots COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/plots.sh ${CMAKE_SOURCE_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/runner_plots)
set_tests_properties(course.plots PROPERTIES LABELS author SKIP_RETURN_CODE 77)
add_test(NAME course.browser COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/browser.sh $<TARGET_FILE:course>
    ${CMAKE_SOURCE_DIR}
  ${CMAKE_BINARY_DIR} ${CMAKE_CURRENT_BINARY_DIR}/runner_browser)
set_tests_properties(course.browser PROPERTIES LABELS author SKIP_RETURN_CODE 77 TIMEOUT 600
    COST 40)

add_test(NAME course.book COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/book.sh $<TARGET_FILE:course>
  ${CMAKE_CURRENT_BINARY_DIR}/runner_book)
set_tests_properties(course.book PROPERTIES SKIP_RETURN_CODE 77 LABELS author
  ENVIRONMENT "COURSE_SOURCE=${CMAKE_SOURCE_DIR};COURSE_BUILD=${CMAKE_BINARY_DIR}")
add_test(NAME course.handout COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/handout.sh $<TARGET_FILE:course>
    ${CMAKE_SOURCE_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/runner_handout)
add_test(NAME course.shared COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/shared.sh ${CMAKE_SOURCE_DIR}
    ${CMAKE_BINARY_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/runner_shared)
set_tests_properties(course.shared PROPERTIES LABELS author SKIP_RETURN_CODE 77 COST 15)
add_test(NAME course.class COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/class.sh ${CMAKE_SOURCE_DIR}
    ${CMAKE_BINARY_DIR}
  "${CMAKE_CURRENT_BINARY_DIR}/of class")
set_tests_properties(course.class PROPERTIES LABELS author SKIP_RETURN_CODE 77 COST 30)
set_tests_properties(course.handout PROPERTIES LABELS author SKIP_RETURN_CODE 77 TIMEOUT 600
    COST 10)

# nvcc's messages in our words
add_executable(nvcc_words ${CMAKE_CURRENT_LIST_DIR}/nvcc_words.c
    ${CMAKE_SOURCE_DIR}/runner/base/nvcc.c ${CMAKE_SOURCE_DIR}/runner/base/text.c)
target_include_directories(nvcc_words PRIVATE ${CMAKE_SOURCE_DIR}/runner/base
    ${CMAKE_SOURCE_DIR}/emulated ${CMAKE_SOURCE_DIR}/common/harness)
target_link_libraries(nvcc_words PRIVATE course_options)
add_test(NAME course.nvcc COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/nvcc.sh $<TARGET_FILE:nvcc_words>
  ${CMAKE_SOURCE_DIR}/tests/emulated/mistakes ${CMAKE_CUDA_COMPILER})
set_tests_properties(course.nvcc PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600 COST 30 LABELS author)

# Recorded results compare with themselves: a row is known by its identity, not by its file.
set(files view/compare base/files base/results base/terminal base/text)
list(TRANSFORM files REPLACE "(.+)" "${CMAKE_SOURCE_DIR}/runner/\\1.c")
add_executable(compare_recorded ${CMAKE_CURRENT_LIST_DIR}/compare_recorded.c ${files})
target_include_directories(compare_recorded PRIVATE ${CMAKE_SOURCE_DIR}/runner/base
    ${CMAKE_SOURCE_DIR}/runner/view
  ${CMAKE_SOURCE_DIR}/common/harness)
# not looked at
target_compile_definitions(compare_recorded PRIVATE COURSE_SOURCE_FOLDER="" COURSE_BUILD_FOLDER="")
target_link_libraries(compare_recorded PRIVATE course_options)
add_test(NAME course.compare_recorded COMMAND compare_recorded
    ${CMAKE_SOURCE_DIR}/solutions/timings/h200)
set_tests_properties(course.compare_recorded PROPERTIES LABELS author)
