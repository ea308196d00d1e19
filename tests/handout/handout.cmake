# The whole course handed out, and walked from end to end.

set(handout_here ${CMAKE_CURRENT_LIST_DIR})
set(handed_out ${CMAKE_CURRENT_BINARY_DIR}/handed_out)
add_executable(copies ${handout_here}/copies.c)
target_link_libraries(copies PRIVATE course_options)

add_test(NAME handout.make COMMAND sh ${handout_here}/make.sh $<TARGET_FILE:course>
    ${CMAKE_SOURCE_DIR}
  ${CMAKE_BINARY_DIR} ${handed_out})
add_test(NAME handout.walk COMMAND sh ${handout_here}/walk.sh ${handed_out})
add_test(NAME handout.links COMMAND sh ${CMAKE_SOURCE_DIR}/tests/lessons/links.sh
    ${handed_out}/class)
add_test(NAME handout.copies COMMAND sh ${handout_here}/copies.sh $<TARGET_FILE:copies>
    ${handout_here}/allowed.txt
  ${CMAKE_SOURCE_DIR} ${handed_out})
add_test(NAME handout.planted COMMAND sh ${handout_here}/planted.sh $<TARGET_FILE:copies>
  ${CMAKE_SOURCE_DIR}/ex06_scalar_product/solution.cu ${CMAKE_CURRENT_BINARY_DIR}/handout_planted)
set_tests_properties(handout.make PROPERTIES FIXTURES_SETUP handout SKIP_RETURN_CODE 77 COST 200)
set_tests_properties(handout.walk handout.links handout.copies PROPERTIES FIXTURES_REQUIRED handout)
set_tests_properties(handout.walk PROPERTIES TIMEOUT 1200 COST 200)
