# The lessons: pictures that are fresh, programs and outputs as the documents quote them, links that
# lead somewhere.

add_executable(pictures ${CMAKE_SOURCE_DIR}/lessons/pictures/pictures.c
  ${CMAKE_SOURCE_DIR}/runner/view/draw.c)
target_include_directories(pictures PRIVATE ${CMAKE_SOURCE_DIR}/runner/view)
target_compile_definitions(pictures PRIVATE LAB_PROFILING="${CMAKE_SOURCE_DIR}/lab_profiling")
target_link_libraries(pictures PRIVATE course_options)
set(lessons_here ${CMAKE_CURRENT_LIST_DIR})
add_test(NAME lessons.pictures COMMAND sh ${lessons_here}/pictures.sh
    ${CMAKE_SOURCE_DIR}/lessons/pictures
  sh ${CMAKE_SOURCE_DIR}/lessons/pictures/draw.sh $<TARGET_FILE:pictures> $<TARGET_FILE:course>
  $<TARGET_FILE:emulated-cc>)
add_test(NAME lessons.first_use COMMAND sh ${lessons_here}/first_use.sh ${CMAKE_SOURCE_DIR})
add_test(NAME lessons.api COMMAND sh ${lessons_here}/api.sh ${CMAKE_SOURCE_DIR})
add_test(NAME lessons.links COMMAND sh ${lessons_here}/links.sh ${CMAKE_SOURCE_DIR})

# What a document quotes is what its program prints now.
file(GLOB documents ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/ex*/README.md
    ${CMAKE_SOURCE_DIR}/lab*/README.md ${CMAKE_SOURCE_DIR}/lessons/*.md)
foreach(document ${documents})
  file(STRINGS ${document} quotes REGEX "^<!-- (file|output): ")
  if(quotes AND TARGET emulated-cc)
    get_filename_component(label ${document} DIRECTORY)
    get_filename_component(label ${label} NAME)
    short_name(${label} label)
    if(NOT label MATCHES "^(ex|lab)") # README.md, lessons/streams.md
      get_filename_component(label ${document} NAME_WE)
    endif()
    add_test(NAME lessons.quotes.${label}
      COMMAND sh ${CMAKE_SOURCE_DIR}/lessons/quote.sh --check ${CMAKE_BINARY_DIR} ${document})
    set_tests_properties(lessons.quotes.${label} PROPERTIES SKIP_RETURN_CODE 77)
  endif()
endforeach()
add_test(NAME lessons.tools COMMAND sh ${lessons_here}/tools.sh ${CMAKE_SOURCE_DIR}
    ${CMAKE_BINARY_DIR}
  $<TARGET_FILE:pictures> $<TARGET_FILE:course> $<TARGET_FILE:emulated-cc>)
if(TARGET ex01_solution_emulated)
  add_test(NAME lessons.notebook COMMAND sh ${lessons_here}/notebook.sh
      ${CMAKE_SOURCE_DIR}/lessons/hosted.ipynb
    ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR} $<TARGET_FILE:course>)
  set_tests_properties(lessons.notebook PROPERTIES SKIP_RETURN_CODE 77)
endif()
add_test(NAME lessons.syllabus COMMAND sh ${lessons_here}/syllabus.sh ${CMAKE_SOURCE_DIR})
add_test(NAME lessons.counted COMMAND sh ${lessons_here}/counted.sh ${CMAKE_SOURCE_DIR})
add_test(NAME lessons.answers COMMAND sh ${lessons_here}/answers.sh ${CMAKE_SOURCE_DIR})
add_test(NAME lessons.teaching COMMAND sh ${lessons_here}/teaching.sh ${CMAKE_SOURCE_DIR})
add_test(NAME lessons.ratios COMMAND sh ${lessons_here}/ratios.sh ${CMAKE_SOURCE_DIR}
    ${lessons_here}/ratios.txt)
if(TARGET ex05_mutant_barrier_missing)
  add_test(NAME lessons.excerpt COMMAND sh ${lessons_here}/excerpt.sh ${CMAKE_SOURCE_DIR}/README.md
      ex05
    barrier_missing $<TARGET_FILE:ex05_mutant_barrier_missing>)
endif()
file(GLOB exercise_folders ${CMAKE_SOURCE_DIR}/ex*_* ${CMAKE_SOURCE_DIR}/lab_*)
add_test(NAME lessons.editor COMMAND sh ${lessons_here}/editor.sh ${CMAKE_SOURCE_DIR}
    ${CMAKE_BINARY_DIR}
  ${exercise_folders})
set_tests_properties(lessons.editor PROPERTIES SKIP_RETURN_CODE 77)

add_test(NAME lessons.profiles COMMAND sh ${lessons_here}/profiles.sh ${CMAKE_SOURCE_DIR})

# The forecasts of a GPU's time: of exercises that take little time, and those of a check where they
# depend most on the sizes that are run
set(forecast)
foreach(short ex01 ex03 ex04 ex05 ex06 ex08 -- ex26 ex27 ex28 ex33)
  if(TARGET ${short}_solution_emulated OR (forecast AND short STREQUAL "--"))
    list(APPEND forecast ${short})
  endif()
endforeach()
if(forecast)
  add_test(NAME lessons.forecasts COMMAND sh ${lessons_here}/forecasts.sh $<TARGET_FILE:course>
    ${CMAKE_SOURCE_DIR} ${forecast})
  set_tests_properties(lessons.forecasts PROPERTIES COST 10
    ENVIRONMENT "COURSE_SOURCE=${CMAKE_SOURCE_DIR};COURSE_BUILD=${CMAKE_BINARY_DIR}")
endif()

# Words in tables and messages, not before their lesson: of the exercises up to the last such
# lesson, and of the one with the longest rows
set(early)
foreach(short ex01 ex03 ex04 ex05 ex06 ex30)
  if(TARGET ${short}_solution_emulated)
    list(APPEND early ${short})
  endif()
endforeach()
if(early)
  add_test(NAME lessons.taught COMMAND sh ${lessons_here}/taught.sh $<TARGET_FILE:course>
    ${CMAKE_SOURCE_DIR} ${early})
  set_tests_properties(lessons.taught PROPERTIES
    ENVIRONMENT "COURSE_SOURCE=${CMAKE_SOURCE_DIR};COURSE_BUILD=${CMAKE_BINARY_DIR}")
endif()

# Every command that a README or TEACHING.md shows. All is built by now, so that none waits for a
# build; one bench waits for another.
foreach(exercise readme teaching ${exercises})
  string(REGEX REPLACE "^(ex[0-9]+|lab_[a-z]+).*" "\\1" exercise ${exercise})
  add_test(NAME lessons.commands.${exercise} COMMAND sh ${lessons_here}/commands.sh
      ${CMAKE_SOURCE_DIR}
    ${CMAKE_BINARY_DIR} $<TARGET_FILE:course> ${exercise})
  set_tests_properties(lessons.commands.${exercise} PROPERTIES TIMEOUT 3600 COST 10)
  file(GLOB document ${CMAKE_SOURCE_DIR}/${exercise}*/README.md)
  if(exercise STREQUAL "readme")
    set(document ${CMAKE_SOURCE_DIR}/README.md)
  elseif(exercise STREQUAL "teaching")
    set(document ${CMAKE_SOURCE_DIR}/TEACHING.md)
  endif()
  file(STRINGS ${document} benches REGEX "(^    |`)./course bench (ex|lab)")
  if(benches)
    set_tests_properties(lessons.commands.${exercise} PROPERTIES RESOURCE_LOCK bench)
  endif()
endforeach()

add_test(NAME lessons.by_hand COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/by_hand.sh ${CMAKE_SOURCE_DIR}
    "${CMAKE_CUDA_COMPILER}"
  ${CMAKE_CURRENT_BINARY_DIR}/by_hand)
set_tests_properties(lessons.by_hand PROPERTIES SKIP_RETURN_CODE 77)

add_test(NAME lessons.building COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/building.sh ${CMAKE_SOURCE_DIR}
    "${CMAKE_CUDA_COMPILER}"
  $<TARGET_FILE:emulated-cc> ${CMAKE_BINARY_DIR}/emulated-lib64
  ${CMAKE_CURRENT_BINARY_DIR}/building)
set_tests_properties(lessons.building PROPERTIES COST 10)
