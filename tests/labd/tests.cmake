# The programs have no sizes.
set(sizes "")
set(gpu_sizes "")
exercise_test(labd usual 0 "12 of 12 programs pass" emulated solution)
exercise_test(labd usual 0 "12 of 12 programs pass" gpu solution)
if(TARGET labd_solution_emulated AND COURSE_AUTHOR)
  add_test(NAME labd.student COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/student.sh ${CMAKE_SOURCE_DIR}
    ${CMAKE_BINARY_DIR} "${CMAKE_CURRENT_BINARY_DIR}/of labd")
  set_tests_properties(labd.student PROPERTIES COST 10)
endif()
