if(NOT COURSE_AUTHOR)
  return()
endif()

exercise_test(ex14 copies_counted 0 "2 + 2 copies a run, 0 + 0 a call" emulated solution --size 4096
    --variant copy)
exercise_test(ex14 copies_async 0 "4 + 4 copies a run" emulated solution --size 4096 --variant
    async)
exercise_test(ex14 host_named 0 "OpenACC ran on the host" emulated solution --size 33)
if(TARGET ex14_mutant_sequential_loop AND CMAKE_C_COMPILER_ID STREQUAL GNU AND NOT
    CMAKE_C_COMPILER_VERSION VERSION_LESS 11)
  add_test(NAME ex14.report COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/report.sh ${CMAKE_BINARY_DIR}
      ${CMAKE_COMMAND})
endif()
