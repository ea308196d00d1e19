# The program has no sizes.
set(sizes "")
set(gpu_sizes "")
exercise_test(ex00 usual 0 "PASS: it prints what it should" emulated solution)
exercise_test(ex00 usual 0 "PASS: it prints what it should" gpu solution)
exercise_test(ex00 list 0 "device  program" emulated solution --list)
if(TARGET ex00_solution_emulated AND COURSE_AUTHOR)
  add_test(NAME ex00.student COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/student.sh ${CMAKE_SOURCE_DIR}
    ${CMAKE_BINARY_DIR} "${CMAKE_CURRENT_BINARY_DIR}/of ex00")
  set_tests_properties(ex00.student PROPERTIES COST 10)
endif()
