# Mutants: solutions with one deliberate mistake, each of which the checks must catch. A file
# tests/exNN/mutants/NAME.mutant names the text of solution.cu to replace (tests/mutate.c explains
# the format). Every mutant is built for the emulated device. Its test demands the verdict WRONG;
# for a mutant that is right but slow (lines "advice: TEXT") it demands this text from ./course
# check.

# The mutants of an exercise: none in a student's build.
function(mutants_of short result)
  set(mutants "")
  if(COURSE_AUTHOR)
    file(GLOB mutants ${CMAKE_SOURCE_DIR}/tests/${short}/mutants/*.mutant)
  endif()
  set(${result} "${mutants}" PARENT_SCOPE)
endfunction()

# The file of the exercise that a mutant changes: the one in its line "# source: FILE", or
# solution.cu.
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
    COMMAND sh ${CMAKE_SOURCE_DIR}/tests/mutant.sh ${mutant} $<TARGET_FILE:${target}>
    $<TARGET_FILE:course> ${short})
  set_tests_properties(${short}.mutant.${label} PROPERTIES TIMEOUT 120 LABELS "author;mutant"
    ENVIRONMENT "COURSE_SOURCE=${CMAKE_SOURCE_DIR};COURSE_BUILD=${CMAKE_BINARY_DIR}")
endfunction()

# A mutant with a line "# source: FILE" changes that file: one of those that are compiled,
# solution.cu or of `given`, or a header of theirs.
function(add_mutants short folder given)
  mutants_of(${short} mutants)
  foreach(mutant ${mutants})
    get_filename_component(label ${mutant} NAME_WE)
    mutated_file(${mutant} changed)
    set(sources ${folder}/solution.cu ${given})
    if("${folder}/${changed}" IN_LIST sources)
      set(result ${CMAKE_BINARY_DIR}/mutants/${short}/${label}.cu)
      set(lean)
      set(flags ${EMULATED_FLAGS})
      file(STRINGS ${mutant} options REGEX "^options: .*--variant ")
      if(options AND changed STREQUAL "solution.cu")
        set(lean --lean)
        list(APPEND EMULATED_FLAGS -Xcompiler -fwhole-program)
      endif()
      add_custom_command(OUTPUT ${result}
        COMMAND mutate ${lean} ${mutant} ${folder}/${changed} ${result}
        DEPENDS mutate ${mutant} ${folder}/${changed} VERBATIM)
      list(REMOVE_ITEM sources ${folder}/${changed})
      emulated_object(object ${result} TWIN INCLUDES ${folder} ${COURSE_INCLUDES})
      set(EMULATED_FLAGS ${flags})
      emulated_objects(objects "${sources}" INCLUDES ${folder} ${COURSE_INCLUDES})
      list(APPEND objects ${object})
    else()
      objects_with_header(objects ${short} ${label} ${mutant} ${folder} ${changed} "${sources}")
    endif()
    add_emulated_program(${short}_mutant_${label} ${short} "${objects}")
    add_mutant_test(${short} ${label} ${mutant})
  endforeach()
endfunction()

# The sources, each copied beside a changed header of its own and compiled with it; library.cu is
# not copied. If they shared a changed header, several targets would have the rule that makes it.
function(objects_with_header outvar short label mutant folder header sources)
  set(library ${sources})
  list(FILTER library INCLUDE REGEX "/library\\.cu$")
  list(FILTER sources EXCLUDE REGEX "/library\\.cu$")
  emulated_objects(objects "${library}" INCLUDES ${folder} ${COURSE_INCLUDES})
  foreach(source ${sources})
    file(RELATIVE_PATH name ${folder} ${source})
    get_filename_component(stem ${source} NAME_WE)
    set(tree ${CMAKE_BINARY_DIR}/mutants/${short}/${label}.${stem})
    file(MAKE_DIRECTORY ${tree}/advanced)
    add_custom_command(OUTPUT ${tree}/${header} ${tree}/${name}
      COMMAND mutate ${mutant} ${folder}/${header} ${tree}/${header}
      COMMAND ${CMAKE_COMMAND} -E copy ${source} ${tree}/${name}
      DEPENDS mutate ${mutant} ${folder}/${header} ${source} VERBATIM)
    emulated_object(object ${tree}/${name} TWIN INCLUDES ${tree} ${folder} ${COURSE_INCLUDES})
    list(APPEND objects ${object})
  endforeach()
  set(${outvar} "${objects}" PARENT_SCOPE)
endfunction()
