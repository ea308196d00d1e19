# The build itself: what make may run at once.

set(one_rule ${CMAKE_CURRENT_LIST_DIR}/one_rule.sh)
add_test(NAME build.one_rule COMMAND ${expect} 0 "files is made by one target" sh ${one_rule}
  ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/one_rule -DCOURSE_GPU=OFF -DCOURSE_AUTHOR=ON)
add_test(NAME build.one_rule.finds COMMAND ${expect} 1 "made by several targets at once: shared.c"
    sh ${one_rule}
  ${CMAKE_CURRENT_LIST_DIR}/two_rules ${CMAKE_CURRENT_BINARY_DIR}/two_rules)

# A student's build has none of the authors' programs, an author's has them.
foreach(author OFF ON)
  add_test(NAME build.author_${author} COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/targets.sh
      ${CMAKE_SOURCE_DIR}
    ${CMAKE_CURRENT_BINARY_DIR}/author_${author} -DCOURSE_GPU=OFF -DCOURSE_ONLY=ex01
    -DCOURSE_AUTHOR=${author})
endforeach()
set_tests_properties(build.author_OFF PROPERTIES PASS_REGULAR_EXPRESSION "^0 programs for authors")
set_tests_properties(build.author_ON PROPERTIES PASS_REGULAR_EXPRESSION
    "^[1-9][0-9]+ programs for authors")

# One exercise alone, from end to end.
add_test(NAME build.only COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/only.sh ${CMAKE_SOURCE_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/only ex03)
set_tests_properties(build.only PROPERTIES TIMEOUT 900 COST 100)

# The targets that ./course test builds on a machine without a GPU.
add_test(NAME build.without_gpu COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/without_gpu.sh
    ${CMAKE_SOURCE_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/without_gpu)
add_test(NAME build.blank_in_path COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/blank.sh
  $<TARGET_FILE:emulated-cc> ${EMULATED_DIR} ${CMAKE_CURRENT_BINARY_DIR}/blank)
add_test(NAME build.refused COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/refused.sh ${CMAKE_COMMAND}
    ${CMAKE_SOURCE_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/refused)
add_test(NAME build.script COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/script.sh ${CMAKE_SOURCE_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/script)
add_test(NAME build.install COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/install.sh ${CMAKE_COMMAND}
    ${CMAKE_SOURCE_DIR}
  ${CMAKE_BINARY_DIR} ${CMAKE_CURRENT_BINARY_DIR}/install)
set_tests_properties(build.install PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME build.line_ends COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/line_ends.sh ${CMAKE_SOURCE_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/line_ends)
set_tests_properties(build.line_ends PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME build.architectures COMMAND ${CMAKE_COMMAND}
    -DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/architectures
  -P ${CMAKE_CURRENT_LIST_DIR}/architectures.cmake)
add_test(NAME build.jobs COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/jobs.sh $<TARGET_FILE:course>
  ${CMAKE_CURRENT_BINARY_DIR}/jobs)
add_test(NAME build.nvcc COMMAND ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_LIST_DIR}/nvcc.cmake)
set_tests_properties(build.nvcc PROPERTIES WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
add_test(NAME build.libraries COMMAND ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_LIST_DIR}/libraries.cmake)
