# Each exercise's solution compiled for other generations of devices and run on the emulated device of that kind: what
# stands behind #if __CUDA_ARCH__ runs too. Hopper, 9.0, is what all other tests run on.
#
# Left out: ex05 on Fermi, whose shuffle through shared memory needs lanes that meet again after a branch, as a warp of
# that device does and one of the emulated device need not; ex10 on the two with most multiprocessors, whose blocks all
# wait for each other, for its time.
set(left_out ex05.fermi ex10.volta ex10.ampere)
foreach(entry IN LISTS exercises)
  string(REGEX REPLACE "[|].*" "" exercise "${entry}")
  string(SUBSTRING ${exercise} 0 4 short)
  set(folder ${CMAKE_SOURCE_DIR}/${exercise})
  if(NOT TARGET ${short}_host_emulated OR NOT EXISTS ${folder}/solution.cu OR EXISTS ${folder}/stencil.cu)
    continue() # OpenACC; MPI programs are linked with more
  endif()
  set(library "")
  if(EXISTS ${folder}/library.cu)
    emulated_object(library ${folder}/library.cu INCLUDES ${folder} ${COURSE_INCLUDES})
  endif()
  foreach(kind fermi.20 kepler.35 pascal.60 volta.70 ampere.80)
    string(REGEX REPLACE "(.*)[.](.*)" "\\1;\\2" kind ${kind})
    list(GET kind 0 name)
    list(GET kind 1 arch)
    if(${short}.${name} IN_LIST left_out)
      continue()
    endif()
    emulated_object(object ${folder}/solution.cu INCLUDES ${folder} ${COURSE_INCLUDES} ARCH ${arch})
    add_emulated_program(${short}_solution_${name} ${short} "${object};${library}")
    add_test(NAME emulated.devices.${short}.${name} COMMAND ${short}_solution_${name} --only device --quick)
    set_tests_properties(emulated.devices.${short}.${name} PROPERTIES TIMEOUT 300)
  endforeach()
endforeach()
