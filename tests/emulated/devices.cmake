# Each exercise's solution on emulated devices of other generations, compiled for them: what stands
# behind #if __CUDA_ARCH__ runs too. Hopper, 9.0, is what all other tests run on. From 6.0 on that
# program serves, on a device with other limits, unless the exercise itself asks for an architecture
# of 6.0 or later.

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
foreach(entry IN LISTS exercises)
  string(REGEX REPLACE "[|].*" "" exercise "${entry}")
  short_name(${exercise} short)
  set(folder ${CMAKE_SOURCE_DIR}/${exercise})
  if(NOT TARGET ${short}_host_emulated OR NOT EXISTS ${folder}/solution.cu)
    continue() # OpenACC, or no MPI
  endif()
  set(asks OFF)
  file(GLOB_RECURSE sources ${folder}/*.cu ${folder}/*.cuh)
  foreach(source IN LISTS sources)
    file(STRINGS ${source} conditions REGEX "__CUDA_ARCH__ *[<>=!]+ *[6-9][0-9][0-9]")
    if(conditions)
      set(asks ON)
    endif()
  endforeach()
  foreach(kind fermi.20 kepler.35 pascal.60 volta.70 ampere.80)
    string(REGEX REPLACE "(.*)[.](.*)" "\\1;\\2" kind ${kind})
    list(GET kind 0 name)
    list(GET kind 1 arch)
    set(program ${short}_solution_emulated)
    if(asks OR arch LESS 60)
      solution_for(${short} ${folder} ${name} ${arch})
      set(program ${short}_solution_${name})
    endif()
    add_test(NAME emulated.devices.${short}.${name}
      COMMAND ${program} --only device --quick ${options_${short}} ${options_${short}.${name}})
    set_tests_properties(emulated.devices.${short}.${name} PROPERTIES ENVIRONMENT
      CUDA_EMULATED_DEVICE=${name})
  endforeach()
endforeach()
