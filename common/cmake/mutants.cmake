# Mutants: solutions with one deliberate mistake, each of which the checks must catch. A file
# tests/exNN/mutants/NAME.mutant names the text of solution.cu to replace (tests/mutate.c tells the
# format). Every mutant is built for the emulated device; its test demands the verdict WRONG.

# The mutants of an exercise: none in a student's build.
function(mutants_of short result)
  set(mutants "")
  if(COURSE_AUTHOR)
    file(GLOB mutants ${CMAKE_SOURCE_DIR}/tests/${short}/mutants/*.mutant)
  endif()
  set(${result} "${mutants}" PARENT_SCOPE)
endfunction()

# The file of the exercise that a mutant changes: what its line "# source: FILE" names, or solution.cu.
function(mutated_file mutant result)
  file(STRINGS ${mutant} line REGEX "^# source: " LIMIT_COUNT 1)
  string(REGEX REPLACE "^# source: *" "" file "${line}")
  if(NOT file)
    set(file solution.cu)
  endif()
  set(${result} ${file} PARENT_SCOPE)
endfunction()

# Names the program of a mutant and registers its test.
function(add_mutant_test short label mutant)
  set(target ${short}_mutant_${label})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${label}
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/mutants/${short})
  add_test(NAME ${short}.mutant.${label}
    COMMAND sh ${CMAKE_SOURCE_DIR}/tests/mutant.sh ${mutant} $<TARGET_FILE:${target}>)
  set_tests_properties(${short}.mutant.${label} PROPERTIES TIMEOUT 120 LABELS "author;mutant")
endfunction()

# A mutant with a line "# source: further/FILE" changes that file; a copy of solution.cu beside it then
# includes the changed one.
function(add_mutants short folder library_object)
  mutants_of(${short} mutants)
  foreach(mutant ${mutants})
    get_filename_component(label ${mutant} NAME_WE)
    mutated_file(${mutant} changed)
    set(source ${CMAKE_BINARY_DIR}/mutants/${short}/${label}.cu)
    if(NOT changed STREQUAL "solution.cu")
      set(source ${CMAKE_BINARY_DIR}/mutants/${short}/${label}.source/solution.cu)
      set(copy ${CMAKE_BINARY_DIR}/mutants/${short}/${label}.source/${changed})
      get_filename_component(directory ${copy} DIRECTORY)
      file(MAKE_DIRECTORY ${directory})
      add_custom_command(OUTPUT ${source}
        COMMAND mutate ${mutant} ${folder}/${changed} ${copy}
        COMMAND ${CMAKE_COMMAND} -E copy ${folder}/solution.cu ${source}
        DEPENDS mutate ${mutant} ${folder}/${changed} ${folder}/solution.cu VERBATIM)
    else()
      add_custom_command(OUTPUT ${source}
        COMMAND mutate ${mutant} ${folder}/solution.cu ${source}
        DEPENDS mutate ${mutant} ${folder}/solution.cu VERBATIM)
    endif()
    emulated_object(object ${source} TWIN INCLUDES ${folder} ${COURSE_INCLUDES})
    add_emulated_program(${short}_mutant_${label} ${short} "${object};${library_object}")
    add_mutant_test(${short} ${label} ${mutant})
  endforeach()
endfunction()
