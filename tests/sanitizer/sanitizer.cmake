# The solutions under compute-sanitizer, on a machine with a GPU: ctest -L sanitizer. Included for
# each exercise; its tests.cmake may set other options, each of one run.
get_filename_component(toolkit "${CMAKE_CUDA_COMPILER}" DIRECTORY)
if(COURSE_AUTHOR AND TARGET ${short}_solution_gpu)
  set(number "")
  foreach(options ${under_sanitizer})
    separate_arguments(options UNIX_COMMAND "${options}")
    foreach(tool memcheck racecheck)
      set(name ${short}.solution.${tool}${number}.gpu)
      add_test(NAME ${name} COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/sanitizer/sanitizer.sh
          "${toolkit}" ${tool}
        $<TARGET_FILE:${short}_solution_gpu> --only device --repeat 1 ${options})
      set_tests_properties(${name} PROPERTIES LABELS "gpu;sanitizer" SKIP_RETURN_CODE 77
          TIMEOUT 600 COST 60)
    endforeach()
    string(APPEND number _2)
  endforeach()
endif()
