# The course program: its commands and its errors. authors.cmake tests the rest.

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
course_case(no_exercise 2 "there is no exercise 'ex99'" check ex99)
course_case(bad_device 2 "--device=tpu: expected auto, gpu, emulated, the number of a GPU, or, for"
    check ex03 --device=tpu)
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

# Those that build: make finds nothing to do, since all is built before the tests begin, and takes
# no time of the others.
course_case(check_solution 0 "variants are right" check ex03 --solution --device=emulated --size
    1000)
course_case(check_too_much 2 "too much for the emulated device: about "
  check ex01 --solution --device=emulated --size 100 --grid 2147483647)
course_case(check_emulate 2 "a block of this device has at most 1024" check 3 --solution
    --emulate=fermi --block 1025)
course_case(check_emulate_bad 2 "--emulate=voodoo: expected fermi, kepler" check 3 --solution
    --emulate=voodoo --size 1000)
course_case(check_fast 0 "variants are right" check ex03 --solution --device=emulated --fast --size
    1000)
course_case(check_passes_on 2 "--nonsense: no such option" check ex03 --device=emulated --nonsense)
course_case(check_several 0 "ex01_vector_scale" check ex01 ex03 --solution --device=emulated --size
    1000)
course_case(bench 0 "Emu  one float4 per thread" bench ex01 --device=emulated --quick --size 1000)
set_tests_properties(course.bench PROPERTIES RESOURCE_LOCK bench) # one waits for another
course_case(profile 0 "one element per thread" check ex03 --solution --device=emulated --profile
    --size 1000)

# The program that ./course device runs.
add_test(NAME device.info COMMAND ${expect} 0 "compute capability:"
    $<TARGET_FILE:device_info_emulated>)
add_test(NAME device.costs COMMAND ${expect} 0 "PASS: " $<TARGET_FILE:device_costs_emulated>)

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
