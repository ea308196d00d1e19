# The harness's messages on each kind of mistake, on bad options, and on files that cannot be
# written.

add_executable(harness_test ${CMAKE_CURRENT_LIST_DIR}/harness_test.c)
target_link_libraries(harness_test PRIVATE harness_cpu)
add_executable(csv_record ${CMAKE_CURRENT_LIST_DIR}/csv_record.c)
target_link_libraries(csv_record PRIVATE course_options)

# The same under AddressSanitizer and UBSan.
if(COURSE_HAVE_SANITIZERS)
  add_executable(harness_test_sanitized ${CMAKE_CURRENT_LIST_DIR}/harness_test.c)
  target_link_libraries(harness_test_sanitized PRIVATE harness_sanitized)
endif()

function(harness_case label status text)
  foreach(program harness_test harness_test_sanitized)
    if(TARGET ${program})
      string(REPLACE harness_test harness name ${program})
      add_test(NAME ${name}.${label} COMMAND ${expect} ${status} ${text} $<TARGET_FILE:${program}>
          ${ARGN})
    endif()
  endforeach()
endfunction()

# Sizes, right results.
foreach(size 0 1 2 3 31 33 1023 1024 1025 1000003)
  harness_case(size_${size} 0 "PASS: 1 of 1" --size ${size})
endforeach()
harness_case(size_suffix 0 "4096 elements" --size 4k)
harness_case(size_power 0 "1024 elements" --size 2^10)
harness_case(within_tolerance 0 PASS --mistake within)

# Each mistake is found and named.
harness_case(beyond_tolerance 1 WRONG --mistake beyond)
harness_case(nan 1 "only one element, number 500, is NaN" --mistake nan)
harness_case(special 0 "PASS: 1 of 1" --special)
harness_case(special_seed 0 "PASS: 1 of 1" --special --seed 77 --size 33)
harness_case(special_none 1 "WRONG" --special --mistake nan) # a NaN where the reference is none
harness_case(special_lost 1 "expected nan" --special --mistake nanlost)
harness_case(special_untouched 1 "were not written" --special --mistake nanhole)
harness_case(special_flushed 1 "expected -inf" --special --mistake flushed --seed 3)
add_test(NAME harness.special_refused COMMAND ${expect} 2
    "--special: this exercise has no use for NaN"
  ${CMAKE_COMMAND} -E env NOTHING_SPECIAL=1 $<TARGET_FILE:harness_test> --special)
harness_case(infinity 1 WRONG --mistake infinity)
harness_case(off_by_one 1 "only the last element, number 999, is wrong" --mistake last)
harness_case(first 1 "only the first element, number 0, is wrong" --mistake first)
harness_case(hole 1 "only one element, number 7, was not written" --mistake hole)
harness_case(untouched 1 "elements 7 to 9 were not written" --mistake untouched)
harness_case(nothing 1 "nothing was written" --mistake nothing)
harness_case(first_block 1 "as many as a block has threads, are right: elements"
  --mistake firstblock)
# a block is only called missing where the threads of the launch are known
harness_case(last_block 1 "c: elements 960 to 999 were not written" --mistake lastblock)
harness_case(shifted 1 "shifted by 1" --mistake shifted)
harness_case(zero 1 "are zero" --mistake zero)
harness_case(three_times 1 "exactly 3 times too big" --mistake times3)
harness_case(no_whole_factor 1 "elements 0 to 999 are wrong" --mistake times600)
harness_case(half_zero 1 "of 1000 elements are wrong" --mistake halfzero)
harness_case(added_to_poison 1 "or only added to the old contents" --mistake added)
harness_case(sign 1 "the sign is wrong" --mistake sign)
harness_case(todo 3 "NOT IMPLEMENTED: TODO 4 at harness/harness_test.c:" --mistake todo)
harness_case(todo_advanced 3 "NOT IMPLEMENTED: TODO 4 at harness/harness_test.c:" --mistake todo
    --advanced 4) # no other row
harness_case(ended_early 2 "the program ended within the variant 'the variant'" --mistake exit)
harness_case(broken_loop 1 "MEASURE was left by break" --mistake break)
harness_case(skipped 77 "SKIPPED: no variant could run here" --mistake skip)
harness_case(on_purpose_rate 0
    "s       -        -           -        -      -  WRONG" --mistake purpose)
harness_case(on_purpose_said 0 "       (on purpose)" --mistake purpose)
harness_case(on_purpose 0 "PASS: only rows that are wrong on purpose" --mistake purpose)

# Bad options: one line, exit status 2.
harness_case(bad_size_word 2 "--size abc: expected a whole number" --size abc)
harness_case(bad_size_negative 2 "--size -1: expected" --size -1)
harness_case(bad_size_fraction 2 "--size 1.5: expected a whole number" --size 1.5)
harness_case(bad_size_huge 2 "--size 1e300: expected" --size 1e300)
harness_case(bad_size_infinite 2 "--size inf: expected" --size inf)
harness_case(bad_size_nan 2 "--size nan: expected" --size nan)
harness_case(bad_size_memory 2 "GB on the host" --size 2^49)
harness_case(bad_size_missing 2 "--size needs a value" --size)
harness_case(bad_block 2 "--block 0: expected" --block 0)
harness_case(flag_with_value 2 "--quick takes no value" --quick=no)
harness_case(bad_option 2 "--nonsense: no such option" --nonsense)
harness_case(bad_word 2 "'word': options begin with --" word)
harness_case(bad_variant 2 "no variant is left to run" --variant zzz)
harness_case(variants 0 "PASS: 1 of 1" --variant "none such|variant")
harness_case(variant_blank 0 "PASS: 1 of 1" --variant "the_vari")
harness_case(variant_end 0 "PASS: 1 of 1" --variant "variant$")
harness_case(variant_not_at_end 2 "no variant is left to run" --variant "the$")
harness_case(only_two 0 "PASS: 1 of 1" --only "cpu|device")
harness_case(only_others 2 "no variant is left to run" --only "device|library")
harness_case(only_nonsense 2 "--only device|nonsense: expected cpu, device, library" --only
    "device|nonsense")
harness_case(bad_variants 2 "no variant is left to run" --variant "zzz|none such")
harness_case(bad_device_word 2 "--device foo: expected auto" --device foo)
harness_case(csv_no_name 2 "--csv needs the name" --csv=)
harness_case(bad_device 2 "--device gpu: this program was built for device 'cpu'" --device gpu)
harness_case(help 0 "--repeat N" --help)
harness_case(list 0 "the variant" --list)

# Files.
harness_case(csv_no_folder 2 "cannot write" --csv ${CMAKE_CURRENT_BINARY_DIR}/no/such/folder.csv)
harness_case(csv_foreign_file 2 "does not hold results" --csv
    ${CMAKE_CURRENT_LIST_DIR}/../expect.sh)
add_test(NAME harness.csv_files
  COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/csv.sh $<TARGET_FILE:harness_test> $<TARGET_FILE:csv_record>
    ${CMAKE_CURRENT_BINARY_DIR}/csv)
set_tests_properties(harness.csv_files PROPERTIES SKIP_RETURN_CODE 77)
# A row of the table of variants that has a name alone
add_executable(no_function_test ${CMAKE_CURRENT_LIST_DIR}/harness_test.c)
target_compile_definitions(no_function_test PRIVATE NO_FUNCTION)
target_link_libraries(no_function_test PRIVATE harness_cpu)
add_test(NAME harness.no_function COMMAND ${expect} 2
  "the table of variants names no function for this row" $<TARGET_FILE:no_function_test>)
# A results file of a device that claims to be a GPU.
add_executable(gpu_test ${CMAKE_CURRENT_LIST_DIR}/harness_test.c
    ${CMAKE_CURRENT_LIST_DIR}/made_up_gpu.c
  $<FILTER:$<TARGET_OBJECTS:harness_cpu>,EXCLUDE,device_none>)
target_include_directories(gpu_test PRIVATE ${CMAKE_SOURCE_DIR}/common/harness)
target_link_libraries(gpu_test PRIVATE course_options ${CMAKE_DL_LIBS})
# The same with a row of the device.
add_executable(device_rows_test ${CMAKE_CURRENT_LIST_DIR}/harness_test.c
    ${CMAKE_CURRENT_LIST_DIR}/made_up_gpu.c
  $<FILTER:$<TARGET_OBJECTS:harness_cpu>,EXCLUDE,device_none>)
target_compile_definitions(device_rows_test PRIVATE WITH_DEVICE_ROWS)
target_include_directories(device_rows_test PRIVATE ${CMAKE_SOURCE_DIR}/common/harness)
target_link_libraries(device_rows_test PRIVATE course_options ${CMAKE_DL_LIBS})
# A GPU that a kernel's error has stopped
add_test(NAME harness.lost COMMAND ${CMAKE_COMMAND} -E env LOST=1 ${expect} 2
  "A kernel has failed. For its line: ./course check device --device=emulated"
  $<TARGET_FILE:device_rows_test> --mistake exit)
add_library(fake_nvml SHARED ${CMAKE_CURRENT_LIST_DIR}/fake_nvml.c)
target_compile_options(fake_nvml PRIVATE ${COURSE_WARNINGS})
set_target_properties(fake_nvml PROPERTIES OUTPUT_NAME nvidia-ml SUFFIX .so.1
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/fake_nvml)
add_test(NAME harness.power
  COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/power.sh $<TARGET_FILE:gpu_test> $<TARGET_FILE:csv_record>
    $<TARGET_FILE_DIR:fake_nvml> ${CMAKE_CURRENT_BINARY_DIR}/power)
add_test(NAME harness.verdict
  COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/verdict.sh $<TARGET_FILE:harness_test>
  ${CMAKE_CURRENT_BINARY_DIR}/verdict)

add_test(NAME harness.layers COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/layers.sh
  ${CMAKE_SOURCE_DIR}/common/CMakeLists.txt $<TARGET_OBJECTS:harness_cpu> COMMAND_EXPAND_LISTS)
set_tests_properties(harness.layers PROPERTIES SKIP_RETURN_CODE 77)
# It must fail where a file stands before one that it calls.
add_test(NAME harness.layers_found COMMAND ${expect} 1 "fail.c calls rankNumber of a later file"
  sh ${CMAKE_CURRENT_LIST_DIR}/layers_wrong.sh ${CMAKE_CURRENT_LIST_DIR}/layers.sh
  ${CMAKE_SOURCE_DIR}/common/CMakeLists.txt ${CMAKE_CURRENT_BINARY_DIR}/layers
  $<TARGET_OBJECTS:harness_cpu> COMMAND_EXPAND_LISTS)
add_test(NAME harness.cache
  COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/cache.sh $<TARGET_FILE:harness_test>
  ${CMAKE_CURRENT_BINARY_DIR}/cache)
harness_case(uneven 0 "the machine is busy with something else" --mistake uneven)
add_test(NAME harness.progress
  COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/progress.sh $<TARGET_FILE:harness_test>
  ${CMAKE_CURRENT_BINARY_DIR}/progress)
set_tests_properties(harness.progress PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME harness.turn
  COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/turn.sh $<TARGET_FILE:device_rows_test>
  ${CMAKE_CURRENT_BINARY_DIR}/turn)
if(COURSE_HAVE_GPU_COMPILER)
  set(launches sh ${CMAKE_CURRENT_LIST_DIR}/launches.sh)
  add_test(NAME harness.launches COMMAND ${launches} $<TARGET_FILE:device_costs_gpu>)
  # which is linked without the harness
  add_test(NAME harness.launches.finds
    COMMAND ${expect} 1 "that nobody counts" ${launches} $<TARGET_FILE:cuda_utils_test_gpu>)
endif()
harness_case(run_once 0 "       (run once)" --mistake slow)
add_executable(taught_test ${CMAKE_CURRENT_LIST_DIR}/taught_test.c)
target_include_directories(taught_test PRIVATE ${CMAKE_SOURCE_DIR}/common/harness)
target_link_libraries(taught_test PRIVATE course_options)
add_test(NAME harness.taught COMMAND taught_test)
add_library(fake_clock SHARED ${CMAKE_CURRENT_LIST_DIR}/fake_clock.c)
target_compile_options(fake_clock PRIVATE ${COURSE_WARNINGS})
add_test(NAME harness.samples
  COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/samples.sh $<TARGET_FILE:harness_test>
  $<TARGET_FILE:csv_record>
    $<TARGET_FILE:fake_clock> ${CMAKE_CURRENT_BINARY_DIR}/samples $<TARGET_FILE:device_rows_test>)

# The harness's findings in device rows with right results.
if(TARGET emulated-cc)
  add_library(device_host_emulated OBJECT ${CMAKE_CURRENT_LIST_DIR}/device_test.c)
  target_link_libraries(device_host_emulated PUBLIC course_options)
  target_compile_definitions(device_host_emulated PUBLIC COURSE_EMULATED)
  emulated_object(device_test_object ${CMAKE_CURRENT_LIST_DIR}/device_test.cu
      INCLUDES ${COURSE_INCLUDES})
  add_emulated_program(device_test device ${device_test_object})

  function(device_case label status text)
    add_test(NAME harness.device.${label} COMMAND ${expect} ${status} ${text}
        $<TARGET_FILE:device_test> ${ARGN})
  endfunction()

  foreach(size 0 1 1000)
    device_case(right_${size} 0 "PASS: 3 of 3 variants are right" --size ${size})
  endforeach()
  device_case(break 1 "MEASURE was left by break, return or goto" --mistake break)
  device_case(return 1 "MEASURE was left by break, return or goto" --mistake return)
  device_case(ahead 1 "the body of MEASURE ends before its work does" --mistake ahead)
  device_case(unmeasured 1 "nothing was measured" --mistake unmeasured)
  device_case(host 1 "no kernel ran inside MEASURE" --mistake host)
  device_case(once 1 "at least not in its last run" --mistake once --variant twice)
  device_case(empty 1 "no kernel ran inside MEASURE" --mistake empty)
  device_case(counter 1 "by the last run of MEASURE, though by an earlier one" --mistake counter)
  device_case(cached 1 "by the last run of MEASURE, though by an earlier one" --mistake cached)
  device_case(third_run 1 "nothing was written" --mistake second)
  device_case(every_block 1 "times the bytes that the work needs" --mistake everyblock)
  device_case(every_block_may 0 "PASS: 1 of 1" --mistake everyblock --variant "by every block")
  device_case(first_block 1 "one block of the grid does nearly all of the work" --size 20000)
  device_case(first_block_by_option 0 "PASS: 3 of 3" --mistake firstblock --size 20000)
  device_case(first_block_of_few 0 "PASS: 3 of 3" --size 700)
  set_tests_properties(harness.device.first_block harness.device.first_block_of_few PROPERTIES
    ENVIRONMENT MISTAKE=firstblock)
  device_case(first_lane 1 "one thread of each warp, or of all" --size 20000)
  set_tests_properties(harness.device.first_lane PROPERTIES ENVIRONMENT MISTAKE=firstlane)
  device_case(blocks_of_one_lane 0 "PASS: 3 of 3" --size 5000 --block 1)
  device_case(skip 1 "skipped, where the solution is not: nobody asked" --mistake skip)
  device_case(may_skip 0 "PASS: 2 of 2 variants are right, 1 skipped" --mistake mayskip)
  device_case(may_skip_usually 1
      "skipped, where the solution is not: this machine is not made for it")
  device_case(may_skip_larger 0 "PASS: 2 of 2 variants are right, 1 skipped" --size 20000)
  set_tests_properties(harness.device.may_skip_usually harness.device.may_skip_larger PROPERTIES
    ENVIRONMENT MISTAKE=mayskip)
  device_case(unfilled 3 "NOT IMPLEMENTED: TODO 5 at harness/device_test.cu:" --mistake later)
  device_case(unfilled_other 3 "NOT IMPLEMENTED: TODO 5 at" --mistake later --advanced 4,15,50)
  device_case(later 0 "PASS: 2 of 2 variants are right, 1 still to do (advanced)" --mistake later
      --advanced 4,5)
  device_case(later_row 0 "  still to do (advanced)" --mistake later --advanced 5)
  device_case(later_alone 3 "NOT IMPLEMENTED: TODO 5 at" --mistake later --advanced 5 --variant
      "can be")
  device_case(leak 1 "bytes of device memory allocated here are never freed (cudaFree)" --mistake
      leak)
  device_case(unchecked 1 "its error was never checked" --mistake unchecked)
  device_case(gave_up 1 "the variant gave up" --mistake failed)
  device_case(found_and_ended 1 "WRONG: 1 of" --mistake exitfound)
  device_case(small_grid 2 "a grid of this device has at most 65535 blocks" --size 20M)
  device_case(small_grid_default 0 PASS)
  # the size is accepted
  device_case(small_grid_folds 2 "no variant is left" --grids-fold --size 17M --only library)
  set_tests_properties(harness.device.small_grid harness.device.small_grid_default
    harness.device.small_grid_folds PROPERTIES
    ENVIRONMENT CUDA_EMULATED_DEVICE=fermi)
  add_test(NAME harness.device.files
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/device.sh $<TARGET_FILE:device_test>
    $<TARGET_FILE:csv_record>
      ${CMAKE_CURRENT_BINARY_DIR}/device)
endif()
