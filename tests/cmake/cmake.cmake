# The build itself: what make may run at once.

set(one_rule ${CMAKE_CURRENT_LIST_DIR}/one_rule.sh)
add_test(NAME build.one_rule COMMAND ${expect} 0 "files is made by one target" sh ${one_rule}
  ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/one_rule -DCOURSE_GPU=OFF -DCOURSE_AUTHOR=ON)
add_test(NAME build.one_rule.finds COMMAND ${expect} 1 "made by several targets at once: shared.c" sh ${one_rule}
  ${CMAKE_CURRENT_LIST_DIR}/two_rules ${CMAKE_CURRENT_BINARY_DIR}/two_rules)
