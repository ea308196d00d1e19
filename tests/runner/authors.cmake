# The course program as its authors test it: each check also where it must fail.

add_test(NAME pair COMMAND course pair)

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
    set_tests_properties(course.check_all.${short} PROPERTIES SKIP_RETURN_CODE 77
        COST 500
      FAIL_REGULAR_EXPRESSION "far from what these rows should reach;32 bits are too few")
    course_case(targets.${short} 0 - targets ${short} --check)
    set_tests_properties(course.targets.${short} PROPERTIES SKIP_RETURN_CODE 77
        COST 3)
  endif()
endforeach()
if(COURSE_ONLY)
  return()
endif()

course_case(tables_fresh 0 - tables --check)
course_case(bench_template 3 "TODO 1 at ex01_vector_scale/template.cu" bench ex01 --template
    --device=emulated --size 1000)
course_case(unfilled 3 "NOT IMPLEMENTED: TODO 1" check ex03 --device=emulated --size 1000)
set_tests_properties(course.bench_template PROPERTIES RESOURCE_LOCK bench)

# The rooms of the runner call one another in one direction only.
add_test(NAME course.layers COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/layers.sh $<TARGET_OBJECTS:course>
    COMMAND_EXPAND_LISTS)
add_test(NAME course.layers_found COMMAND ${expect} 1 "calls append of class/text.c"
  sh ${CMAKE_CURRENT_LIST_DIR}/layers_wrong.sh ${CMAKE_CURRENT_LIST_DIR}/layers.sh
  ${CMAKE_CURRENT_BINARY_DIR}/runner_layers
  $<TARGET_OBJECTS:course> COMMAND_EXPAND_LISTS)
set_tests_properties(course.layers course.layers_found PROPERTIES SKIP_RETURN_CODE 77)

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
set_tests_properties(course.check PROPERTIES COST 20)
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

# The heads of all tables are explained: ex21's has operations instead of bytes.
set(tables $<TARGET_FILE:device_test>)
if(TARGET ex21_solution_emulated)
  list(APPEND tables $<TARGET_FILE:ex21_solution_emulated>)
endif()
add_test(NAME course.help_heads COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/help.sh $<TARGET_FILE:course>
  "${CMAKE_CURRENT_BINARY_DIR}/of help" ${tables})

add_test(NAME course.new COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/new.sh $<TARGET_FILE:course>
  ${CMAKE_CURRENT_BINARY_DIR}/runner_new ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
set_tests_properties(course.new PROPERTIES COST 10)

add_test(NAME course.picture COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/picture.sh $<TARGET_FILE:course>
  $<TARGET_FILE:emulated-cc> ${CMAKE_CURRENT_BINARY_DIR}/runner_picture)
set_tests_properties(course.picture PROPERTIES
  ENVIRONMENT "COURSE_SOURCE=${CMAKE_SOURCE_DIR};COURSE_BUILD=${CMAKE_BINARY_DIR}")
add_test(NAME course.plots COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/plots.sh ${CMAKE_SOURCE_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/runner_plots)
set_tests_properties(course.plots PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME course.browser COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/browser.sh $<TARGET_FILE:course>
    ${CMAKE_SOURCE_DIR}
  ${CMAKE_BINARY_DIR} ${CMAKE_CURRENT_BINARY_DIR}/runner_browser)
set_tests_properties(course.browser PROPERTIES SKIP_RETURN_CODE 77 COST 40)

add_test(NAME course.book COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/book.sh $<TARGET_FILE:course>
  ${CMAKE_CURRENT_BINARY_DIR}/runner_book)
set_tests_properties(course.book PROPERTIES SKIP_RETURN_CODE 77
  ENVIRONMENT "COURSE_SOURCE=${CMAKE_SOURCE_DIR};COURSE_BUILD=${CMAKE_BINARY_DIR}")
add_test(NAME course.slides COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/slides.sh $<TARGET_FILE:course>
    ${CMAKE_SOURCE_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/runner_slides)
set_tests_properties(course.slides PROPERTIES SKIP_RETURN_CODE 77
  ENVIRONMENT "COURSE_SOURCE=${CMAKE_SOURCE_DIR};COURSE_BUILD=${CMAKE_BINARY_DIR}")
add_test(NAME course.handout COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/handout.sh $<TARGET_FILE:course>
    ${CMAKE_SOURCE_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/runner_handout)
add_test(NAME course.shared COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/shared.sh ${CMAKE_SOURCE_DIR}
    ${CMAKE_BINARY_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/runner_shared)
set_tests_properties(course.shared PROPERTIES SKIP_RETURN_CODE 77 COST 15)
add_test(NAME course.class COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/class.sh ${CMAKE_SOURCE_DIR}
    ${CMAKE_BINARY_DIR}
  "${CMAKE_CURRENT_BINARY_DIR}/of class")
set_tests_properties(course.class PROPERTIES SKIP_RETURN_CODE 77 COST 30)
set_tests_properties(course.handout PROPERTIES SKIP_RETURN_CODE 77 COST 10)

# nvcc's messages in our words
add_executable(nvcc_words ${CMAKE_CURRENT_LIST_DIR}/nvcc_words.c
    ${CMAKE_SOURCE_DIR}/runner/base/nvcc.c ${CMAKE_SOURCE_DIR}/runner/base/text.c)
target_include_directories(nvcc_words PRIVATE ${CMAKE_SOURCE_DIR}/runner/base
    ${CMAKE_SOURCE_DIR}/emulated ${CMAKE_SOURCE_DIR}/common/harness)
target_link_libraries(nvcc_words PRIVATE course_options)
add_test(NAME course.nvcc COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/nvcc.sh $<TARGET_FILE:nvcc_words>
  ${CMAKE_SOURCE_DIR}/tests/emulated/mistakes ${CMAKE_CUDA_COMPILER})
set_tests_properties(course.nvcc PROPERTIES SKIP_RETURN_CODE 77 COST 30)

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
