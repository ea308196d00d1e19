# cmake -P nvcc.cmake: which host compiler is chosen for nvcc, and when nvcc is left out, with
# scripts in place of all of them.
cmake_minimum_required(VERSION 3.18)
include(${CMAKE_CURRENT_LIST_DIR}/../../common/cmake/nvcc.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/demand.cmake)
set(bin ${CMAKE_BINARY_DIR}/nvcc_bin)

# fake(name line): a program
function(fake name line)
  file(WRITE ${bin}/${name} "#!/bin/sh\n${line}\n")
  file(CHMOD ${bin}/${name} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# case(what nvcc host-of-the-user nvcc-after host-after): nvcc is the condition on its words under
# which it works
function(case what condition host nvcc_after host_after)
  set(refuses "echo 'x.h:1:2: error: #error -- unsupported GNU version!'; exit 1")
  fake(nvcc "if ${condition}; then exit 0; fi; ${refuses}")
  set(CMAKE_CUDA_COMPILER ${bin}/nvcc)
  set(ENV{CUDAHOSTCXX} "${host}")
  unset(CMAKE_CUDA_HOST_COMPILER CACHE)
  unset(COURSE_HAVE_WORKING_NVCC CACHE)
  course_check_nvcc()
  demand("${what}: nvcc" "${CMAKE_CUDA_COMPILER}" "${nvcc_after}")
  set(says "${COURSE_NVCC_SAYS}" PARENT_SCOPE)
  demand("${what}: host compiler" "${CMAKE_CUDA_HOST_COMPILER}" "${host_after}")
endfunction()

set(ENV{PATH} "${bin}:/usr/bin:/bin")
foreach(version 16 15 14 13 12 11 10 9 8 7) # none of this machine's
  set(COURSE_GXX_${version} "" CACHE FILEPATH "")
endforeach()
foreach(version 13 12 11)
  fake(g++-${version} "exit 1")
  set(COURSE_GXX_${version} ${bin}/g++-${version} CACHE FILEPATH "" FORCE)
endforeach()
case("nvcc works" "true" "" ${bin}/nvcc "")
case("the usual g++ is too new" "case $2 in *g++-1[12]) true ;; *) false ;; esac" ""
  ${bin}/nvcc ${bin}/g++-12)
case("none is old enough" "false" "" "" "")
demand("what it says" "${says}" "x.h:1:2: error: #error -- unsupported GNU version!")
case("the user's choice" "[ \"$2\" = mine ]" mine ${bin}/nvcc "")
case("the user's choice does not work" "[ \"$2\" != mine ]" mine "" "")
set(CMAKE_CUDA_COMPILER ${bin}/not_there)
set(ENV{CUDAHOSTCXX} "")
course_check_nvcc()
demand("no such nvcc" "${CMAKE_CUDA_COMPILER}" "")
message(STATUS "nvcc is tried before it is relied upon")
