# demand(ACTUAL WANTED): ends the script if they differ. For the tests that cmake -P runs.
function(demand what is wanted)
  if(NOT "${is}" STREQUAL "${wanted}")
    message(FATAL_ERROR "${what}: '${is}' instead of '${wanted}'")
  endif()
endfunction()
