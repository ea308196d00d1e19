# Each exercise's solution on emulated devices of other generations, compiled for them: what stands
# behind #if __CUDA_ARCH__ runs too. Hopper, 9.0, is what all other tests run on.

# Whether the sources ask for an architecture above `low` and up to `high`, so that what is compiled
# for the one differs from what is compiled for the other.
function(asks_between outvar low high)
  set(${outvar} OFF PARENT_SCOPE)
  foreach(source IN LISTS ARGN)
    file(STRINGS ${source} conditions REGEX "__CUDA_ARCH__ *[<>=!]+ *[0-9]+")
    foreach(condition IN LISTS conditions)
      string(REGEX REPLACE ".*__CUDA_ARCH__ *[<>=!]+ *([0-9]+).*" "\\1" asked "${condition}")
      if(asked GREATER ${low}0 AND NOT asked GREATER ${high}0)
        set(${outvar} ON PARENT_SCOPE)
      endif()
    endforeach()
  endforeach()
endfunction()

# Links EX_solution_NAME from sources compiled for `arch`.
function(solution_for short folder name arch)
  set(includes ${folder} ${COURSE_INCLUDES})
  file(GLOB sources ${folder}/solution.cu ${folder}/advanced/*.cu)
  get_target_property(linked ${short}_host_emulated LINK_LIBRARIES)
  set(mpi OFF)
  if("MPI::MPI_C" IN_LIST linked) # all its device code but library.cu, which needs NCCL
    set(mpi ON)
    list(APPEND includes ${MPI_C_INCLUDE_DIRS})
    file(GLOB sources ${folder}/*.cu)
    list(REMOVE_ITEM sources ${folder}/template.cu ${folder}/library.cu)
  endif()
  set(objects "")
  foreach(source ${sources})
    emulated_object(object ${source} TWIN INCLUDES ${includes} ARCH ${arch})
    list(APPEND objects ${object})
  endforeach()
  if(EXISTS ${folder}/library.cu AND NOT mpi)
    emulated_object(object ${folder}/library.cu INCLUDES ${includes}) # as for the other programs
    list(APPEND objects ${object})
  endif()
  add_emulated_program(${short}_solution_${name} ${short} "${objects}")
  if(mpi)
    target_link_libraries(${short}_solution_${name} PRIVATE MPI::MPI_C)
  endif()
endfunction()

# Smaller than usual: where all blocks of a large device wait for each other, or each thread of a
# large grid has work.
foreach(name pascal volta ampere)
  set(options_ex10.${name} --size 3 --grid 40)
  set(options_ex21.${name} --grid 20)
endforeach()
# A Fermi's warps run in lockstep, without __syncwarp(); the emulated ones only within a function.
set(options_ex26.fermi --variant steps|tree|packets|reduce|pass|selection|partition)
set(options_ex28.fermi --variant odd-even|bitonic|merge|1_bit|4_bits)
set(options_ex12 --size 33 --steps 9)
set(options_ex13 --size 7 --max-iterations 5)
set(options_ex20 --size 33 --max-steps 2)
set(options_ex26 --size 9001)
set(options_ex27 --size 20011)
set(options_ex28 --size 2001)
foreach(entry IN LISTS exercises)
  string(REGEX REPLACE "[|].*" "" exercise "${entry}")
  short_name(${exercise} short)
  set(folder ${CMAKE_SOURCE_DIR}/${exercise})
  if(NOT TARGET ${short}_host_emulated OR NOT EXISTS ${folder}/solution.cu)
    continue() # OpenACC, or no MPI
  endif()
  file(GLOB_RECURSE sources ${folder}/*.cu ${folder}/*.cuh)
  foreach(source IN LISTS sources)
    foreach(header warp_utils hopper) # of common/, which ask, too
      file(STRINGS ${source} included REGEX "\"${header}.h\"")
      if(included)
        list(APPEND sources ${CMAKE_SOURCE_DIR}/common/${header}.h)
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES sources)
  # In the order of their architectures: where nothing asks for what lies between, the program that
  # was compiled for an earlier device, or for 9.0, runs on this one, too.
  set(compiled 0)
  foreach(kind fermi.20 kepler.35 pascal.60 volta.70 ampere.80)
    string(REGEX REPLACE "(.*)[.](.*)" "\\1;\\2" kind ${kind})
    list(GET kind 0 name)
    list(GET kind 1 arch)
    asks_between(since ${compiled} ${arch} ${sources})
    asks_between(later ${arch} 90 ${sources})
    if(arch GREATER 59 AND NOT later)
      set(program ${short}_solution_emulated)
    elseif(compiled EQUAL 0 OR since)
      solution_for(${short} ${folder} ${name} ${arch})
      set(program ${short}_solution_${name})
      set(compiled ${arch})
    endif()
    add_test(NAME emulated.devices.${short}.${name}
      COMMAND ${program} --only device --quick ${options_${short}} ${options_${short}.${name}})
    set_tests_properties(emulated.devices.${short}.${name} PROPERTIES ENVIRONMENT
      CUDA_EMULATED_DEVICE=${name})
  endforeach()
endforeach()
