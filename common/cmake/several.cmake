# quick/several.sh JOBS TARGET... builds targets side by side. The top Makefile, as CMake writes it, makes one after another
# of those that it is asked for, however many jobs there are; the one below it does not, but knows only its own folder's.
function(write_script_of_several)
  if(NOT CMAKE_GENERATOR STREQUAL "Unix Makefiles")
    return()
  endif()
  string(REPLACE "'" "'\\''" folder "${CMAKE_BINARY_DIR}")
  file(WRITE ${CMAKE_BINARY_DIR}/quick/several.sh "jobs=$1 own= others=
shift
cd '${folder}' || exit
for target; do
  if [ -d CMakeFiles/$target.dir ]; then own=\"$own CMakeFiles/$target.dir/all\"; else others=\"$others $target\"; fi
done
'${CMAKE_MAKE_PROGRAM}' -s cmake_check_build_system && '${CMAKE_MAKE_PROGRAM}' -f CMakeFiles/Makefile2 -j$jobs $own
status=$?
[ -z \"$others\" ] || '${CMAKE_COMMAND}' --build . --parallel $jobs --target $others || status=$?
exit $status
")
endfunction()
write_script_of_several()
