# quick/several.sh JOBS TARGET... builds targets side by side. The top Makefile, as CMake writes it, makes one after another
# of those that it is asked for, however many jobs there are; the one below it does not, but knows only its own folder's.
include(${CMAKE_CURRENT_LIST_DIR}/shell_word.cmake) # by its path: a test includes this file alone
function(write_script_of_several)
  if(NOT CMAKE_GENERATOR STREQUAL "Unix Makefiles")
    return()
  endif()
  shell_word(folder "${CMAKE_BINARY_DIR}")
  shell_word(make "${CMAKE_MAKE_PROGRAM}")
  shell_word(cmake "${CMAKE_COMMAND}")
  file(WRITE ${CMAKE_BINARY_DIR}/quick/several.sh "jobs=$1 own= others=
shift
cd ${folder} || exit
for target; do
  if [ -d CMakeFiles/$target.dir ]; then own=\"$own CMakeFiles/$target.dir/all\"; else others=\"$others $target\"; fi
done
${make} -s cmake_check_build_system && { [ -z \"$own\" ] || ${make} -f CMakeFiles/Makefile2 -j$jobs $own; }
status=$?
[ -z \"$others\" ] || ${cmake} --build . --parallel $jobs --target $others || status=$?
exit $status
")
endfunction()
write_script_of_several()
