set(quick_options --size 20011)
foreach(chunks 1 2 3 64 997)
  exercise_test(ex17 chunks_${chunks} 0 PASS emulated solution --only device --size 4001 --chunks
      ${chunks})
endforeach()
foreach(slots 2 3 64)
  exercise_test(ex17 slots_${slots} 0 PASS emulated solution --only device --size 4001 --slots
      ${slots} --chunks 67)
endforeach()
exercise_test(ex17 flops 0 PASS emulated solution --size 1025 --flops-per-byte 0.5)
exercise_test(ex17 flops 0 PASS gpu solution --size 1000003 --flops-per-byte 1000)
exercise_test(ex17 no_slots 2 "--slots 1" emulated solution --slots 1)
exercise_test(ex17 no_chunks 2 "--chunks 0" emulated solution --chunks 0)

# The timeline, step by step: three chunks in a pipeline, and the breadth-first order in two
# streams.
exercise_test(ex17 gantt_pipeline 0 "stream 1  ............##" emulated solution --only device
    --variant three
  --size 3000 --chunks 3 --gantt)
exercise_test(ex17 gantt_in_order 0 "both directions at once 0 %" emulated solution --only device
    --variant "all in"
  --size 3000 --chunks 6 --gantt)
exercise_test(ex17 priorities 0
    "the last small kernel has ended after 2 steps, the long one after 1" emulated solution
  --only device --size 20011 --variant priority)
exercise_test(ex17 svg 0 PASS emulated solution --only device --size 3000 --svg
    ${CMAKE_CURRENT_BINARY_DIR}/ex17.svg)
exercise_test(ex17 svg_nowhere 2 "none/ex17.svg" emulated solution --only device --size 3000
    --variant ring
  --svg ${CMAKE_CURRENT_BINARY_DIR}/none/ex17.svg)

# Arrays that do not fit into the device's memory: the ring goes on, the others say why not.
set(larger --only device --size 3000000 --chunks 100 ENVIRONMENT CUDA_EMULATED_MEMORY=40 --variant)
exercise_test(ex17 larger_than_the_device.ring 0 "PASS: 1 of 1" emulated solution ${larger} ring)
exercise_test(ex17 larger_than_the_device.whole 77 "needs all of a and c on the device" emulated
    solution ${larger} after)

if(COURSE_AUTHOR) # overlap of timelines that are known
  add_executable(ex17_chart_test ${CMAKE_CURRENT_LIST_DIR}/chart_test.c
      ${CMAKE_SOURCE_DIR}/ex17_streams/chart.c)
  target_include_directories(ex17_chart_test PRIVATE ${CMAKE_SOURCE_DIR}/ex17_streams)
  target_link_libraries(ex17_chart_test PRIVATE harness_cpu m)
  add_test(NAME ex17.chart COMMAND ex17_chart_test)
endif()
