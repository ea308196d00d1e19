# The course on a cluster: its module, and under Slurm, where slurm-wlm and munge are installed.
add_test(NAME slurm.modules COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/modules.sh ${CMAKE_SOURCE_DIR}
    ${CMAKE_BINARY_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/modules)
set_tests_properties(slurm.modules PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME slurm.submit COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/submit.sh ${CMAKE_SOURCE_DIR}
    "${CMAKE_CURRENT_BINARY_DIR}/of submit")
if(TARGET ex12_solution_emulated)
  add_test(NAME slurm.jobs COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/jobs.sh ${CMAKE_SOURCE_DIR}
      ${CMAKE_BINARY_DIR}
    ${CMAKE_CURRENT_BINARY_DIR}/slurm)
  set_tests_properties(slurm.jobs PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900 COST 120)
endif()
