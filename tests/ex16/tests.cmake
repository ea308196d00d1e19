set(sizes 4 31 33 1025 100003)
set(gpu_sizes 33 1025 1000003)
set(bad_sizes abc 3 1e30 12x)
set(under_sanitizer "--quick")
foreach(sweep grid bytes chains)
  exercise_test(ex16 sweep_${sweep} 0 PASS emulated solution --only device --size 3000 --sweep
      ${sweep})
  exercise_test(ex16 sweep_${sweep} 0 PASS gpu solution --only device --quick --sweep ${sweep})
endforeach()
exercise_test(ex16 bad_sweep 2 "--sweep down" emulated solution --sweep down)
exercise_test(ex16 bad_plot 2 "expected a file name" emulated solution --sweep grid --plot x.jpg)
exercise_test(ex16 cpu 0 PASS cpu cpu --size 100)

if(COURSE_AUTHOR) # the line through points, and where half a rate is reached
  add_executable(ex16_fit_test ${CMAKE_CURRENT_LIST_DIR}/series_test.c
      ${CMAKE_SOURCE_DIR}/ex16_overhead/series.c)
  target_include_directories(ex16_fit_test PRIVATE ${CMAKE_SOURCE_DIR}/ex16_overhead
    ${CMAKE_SOURCE_DIR}/common/harness)
  target_link_libraries(ex16_fit_test PRIVATE course_options m)
  find_program(AWK awk)
  if(AWK)
    add_test(NAME ex16.faster COMMAND sh ${CMAKE_SOURCE_DIR}/tests/ex16/faster.sh
        ${CMAKE_SOURCE_DIR})
  endif()
  add_test(NAME ex16.fit COMMAND ex16_fit_test)
endif()
