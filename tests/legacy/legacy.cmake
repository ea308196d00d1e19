# Fermi and Kepler: each .cu file compiles as C++98 for sm_20, sm_30 and sm_35, and for the host,
# against what CUDA 5.5 declared (tests/legacy/include). clang 14 to 16 still know these devices;
# nothing is run.

find_program(COURSE_CLANG NAMES clang++ clang++-14 clang++-15 clang++-16)
find_program(COURSE_GXX NAMES g++)
mark_as_advanced(COURSE_CLANG COURSE_GXX)
set(compile sh ${CMAKE_CURRENT_LIST_DIR}/compile.sh)
set(includes -I${CMAKE_SOURCE_DIR}/common -I${CMAKE_SOURCE_DIR}/common/harness)

set(why "")
if(NOT COURSE_CLANG OR NOT COURSE_GXX)
  set(why "no clang++ beside g++: install clang")
else()
  execute_process(COMMAND ${compile} sm_20 ${CMAKE_CURRENT_LIST_DIR}/newer.cu ${COURSE_CLANG}
      ${COURSE_GXX} ${includes}
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    set(why "${COURSE_CLANG} does not compile for sm_20: install clang 14, 15 or 16")
  endif()
endif()
if(why)
  message(STATUS "SKIPPED legacy: ${why}")
  add_test(NAME legacy COMMAND sh -c "echo \"SKIPPED: $0\"; exit 77" ${why})
  set_tests_properties(legacy PROPERTIES SKIP_RETURN_CODE 77)
  return()
endif()

get_property(exercises GLOBAL PROPERTY COURSE_EXERCISES)
foreach(exercise ${exercises})
  string(REGEX REPLACE "\\|.*" "" folder ${exercise})
  short_name(${exercise} short)
  file(GLOB sources ${CMAKE_SOURCE_DIR}/${folder}/*.cu ${CMAKE_SOURCE_DIR}/${folder}/advanced/*.cu)
  foreach(source ${sources})
    file(STRINGS ${source} nccl REGEX "#include <nccl.h>") # came later than these devices
    file(STRINGS ${source} mpi REGEX "#include \"mpi_utils.h\"")
    if(nccl OR (mpi AND NOT MPI_C_FOUND))
      continue()
    endif()
    get_filename_component(name ${source} NAME_WE)
    set(where -I${CMAKE_SOURCE_DIR}/${folder} ${includes}) # the exercise first, as in the build
    foreach(directory ${MPI_C_INCLUDE_DIRS})
      list(APPEND where -isystem ${directory})
    endforeach()
    foreach(what sm_20 sm_30 sm_35 host)
      add_test(NAME legacy.${short}.${name}.${what}
        COMMAND ${compile} ${what} ${source} ${COURSE_CLANG} ${COURSE_GXX} ${where})
    endforeach()
  endforeach()
endforeach()

foreach(name info costs)
  foreach(what sm_20 sm_35 host)
    add_test(NAME legacy.device.${name}.${what}
      COMMAND ${compile} ${what} ${CMAKE_SOURCE_DIR}/common/device/${name}.cu ${COURSE_CLANG}
      ${COURSE_GXX} ${includes})
  endforeach()
endforeach()

# The stand-in has nothing newer: each of these must not compile for that device, or must.
function(legacy_case what name status text)
  add_test(NAME legacy.newer.${name}.${what} COMMAND ${expect} ${status} ${text}
    ${compile} ${what} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/newer.cu ${COURSE_CLANG} ${COURSE_GXX}
    ${includes} -D${name})
endfunction()
legacy_case(host NOTHING 0 -)
legacy_case(sm_20 SHUFFLE 1 "use of undeclared identifier '__shfl'")
legacy_case(sm_30 SHUFFLE 0 -)
legacy_case(sm_20 TEXTURE_OBJECT 1 "no matching function for call to 'tex2D'")
legacy_case(sm_30 TEXTURE_OBJECT 0 -)
legacy_case(sm_30 READ_ONLY_LOAD 1 "use of undeclared identifier '__ldg'")
legacy_case(sm_35 READ_ONLY_LOAD 0 -)
legacy_case(sm_35 NAMED_LANES 1 "use of undeclared identifier '__shfl_sync'")
legacy_case(sm_35 DOUBLE_ATOMIC 1 "no matching function for call to 'atomicAdd'")
legacy_case(sm_35 COOPERATIVE_GROUPS 1 "'cooperative_groups.h' file not found")
legacy_case(sm_35 NULL_POINTER 1 "nullptr")
legacy_case(host NULL_POINTER 1 "nullptr")
legacy_case(host OCCUPANCY 1 "cudaOccupancyMaxActiveBlocksPerMultiprocessor")
legacy_case(host OWN_SURFACE 1 "surface")
legacy_case(sm_20 OWN_SURFACE 1 "surface")
legacy_case(host STRIDED_BATCHES 1 "cublasSgemmStridedBatched")
