# cmake -DFOLDER=... -P architectures.cmake: the chosen architectures, with scripts in place of nvcc
# and nvidia-smi.
cmake_minimum_required(VERSION 3.24)
include(${CMAKE_CURRENT_LIST_DIR}/../../common/cmake/architectures.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/demand.cmake)
file(MAKE_DIRECTORY ${FOLDER})

# fake(name line...): prints these lines, whatever it is asked
function(fake name)
  string(REPLACE ";" "\n" lines "${ARGN}")
  file(WRITE ${FOLDER}/${name} "#!/bin/sh\ncat <<END\n${lines}\nEND\n")
  file(CHMOD ${FOLDER}/${name} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

set(COURSE_NVIDIA_SMI "" CACHE FILEPATH "")
foreach(case
    "13.0|compute_75 compute_80 compute_86 compute_90 compute_100 compute_110 compute_103 \
compute_120 compute_121|75"
    "11.4|compute_35 compute_37 compute_50 compute_52 compute_60 compute_70 compute_75 compute_80 \
compute_86|35"
    "10.2||30" "8.0||20" "5.5||20")
  string(REPLACE "|" ";" case "${case}")
  list(GET case 0 version)
  list(GET case 1 known)
  list(GET case 2 wanted)
  string(REPLACE " " ";" known "${known}")
  string(REPLACE " " ";" wanted "${wanted}")
  fake(nvcc "Cuda compilation tools, release ${version}, V${version}.1" ${known})
  course_architectures_of_toolkit(${FOLDER}/nvcc is)
  demand("toolkit ${version} without a GPU" "${is}" "${wanted}")
endforeach()

fake(nvidia-smi 8.0 9.0 8.0)
set(COURSE_NVIDIA_SMI ${FOLDER}/nvidia-smi)
course_architectures(${FOLDER}/nvcc is)
demand("two kinds of GPU" "${is}" "80;90")

# A GPU that is newer than the toolkit runs code that the driver compiles from older PTX; one that
# is too old, nothing.
foreach(case "8.9|compute_70 compute_80 compute_86|86"
    "12.0 9.0|compute_80 compute_86 compute_90|90" "6.1|compute_75 compute_80|"
    "6.1 8.0|compute_75 compute_80|80" "10.0|compute_90 compute_100 compute_120|100"
    "7.5|compute_75|75")
  string(REPLACE "|" ";" case "${case};")
  list(GET case 0 capabilities)
  list(GET case 1 known)
  list(GET case 2 wanted)
  string(REPLACE " " ";" known "${known}")
  string(REPLACE " " ";" capabilities "${capabilities}")
  fake(nvcc ${known})
  fake(nvidia-smi ${capabilities})
  course_architectures(${FOLDER}/nvcc is)
  demand("GPU ${capabilities} and a toolkit that knows ${known}" "${is}" "${wanted}")
endforeach()
fake(nvcc "")
fake(nvidia-smi 8.0 9.0 8.0)

# Lists that nobody can mean
fake(nvcc compute_75 compute_80 compute_90)
foreach(list 80 "80;90-real" 90a "75-virtual" all-major native OFF)
  course_refuse_architectures(${FOLDER}/nvcc "${list}" is)
  demand("named: ${list}" "${is}" "")
endforeach()
foreach(list sm_90 "80,90" "80 90" nonsense "90;9.0")
  course_refuse_architectures(${FOLDER}/nvcc "${list}" is)
  string(REGEX REPLACE "^.* (is no compute capability: .*)$" "\\1" is "${is}")
  demand("refused: ${list}" "${is}"
      "is no compute capability: write it as in 90, and several as in \"80;90\"")
endforeach()
course_refuse_architectures(${FOLDER}/nvcc "80;20" is)
demand("unknown" "${is}" "20 is none that ${FOLDER}/nvcc knows: 75, 80, 90")
fake(nvcc "")
course_refuse_architectures(${FOLDER}/nvcc "20;35" is)
demand("a toolkit that lists none" "${is}" "")
# "native" without a GPU
fake(nvcc compute_75 compute_90)
foreach(case "No CUDA devices found.|75" "90|native")
  string(REPLACE "|" ";" case "${case}")
  list(GET case 0 CMAKE_CUDA_ARCHITECTURES_NATIVE)
  list(GET case 1 wanted)
  string(REPLACE " " ";" wanted "${wanted}")
  set(CMAKE_CUDA_ARCHITECTURES native)
  course_settle_native(${FOLDER}/nvcc)
  demand("native, which is ${CMAKE_CUDA_ARCHITECTURES_NATIVE}" "${CMAKE_CUDA_ARCHITECTURES}"
      "${wanted}")
endforeach()
unset(CMAKE_CUDA_ARCHITECTURES)
fake(nvcc "")

# CUDAARCHS, which is remembered
unset(ENV{CUDAARCHS})
course_choose_architectures(${FOLDER}/nvcc)
demand("no CUDAARCHS" "${CMAKE_CUDA_ARCHITECTURES}" "80;90")
unset(CMAKE_CUDA_ARCHITECTURES)
set(ENV{CUDAARCHS} "70;90")
foreach(run 1 2)
  course_choose_architectures(${FOLDER}/nvcc)
  demand("CUDAARCHS, run ${run}" "${CMAKE_CUDA_ARCHITECTURES}" "70;90")
  unset(ENV{CUDAARCHS})
endforeach()
unset(CMAKE_CUDA_ARCHITECTURES CACHE)

# Of the compilers and architectures, those that have 9.0a for ex19's last rungs
set(CMAKE_CUDA_ARCHITECTURES_NATIVE 90)
foreach(case "NVIDIA|13.0|90|ON" "NVIDIA|12.0|80 90-real 120|ON" "NVIDIA|12.4|all-major|ON"
    "NVIDIA|13.0|native|ON"
    "NVIDIA|13.0|90a|ON" "NVIDIA|13.0|75-real 100-real|OFF" "NVIDIA|11.8|90|OFF" "Clang|16.0|90|OFF"
    "NVIDIA|13.0|890|OFF")
  string(REPLACE "|" ";" case "${case}")
  list(GET case 0 CMAKE_CUDA_COMPILER_ID)
  list(GET case 1 CMAKE_CUDA_COMPILER_VERSION)
  list(GET case 2 CMAKE_CUDA_ARCHITECTURES)
  list(GET case 3 wanted)
  string(REPLACE " " ";" CMAKE_CUDA_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}")
  course_sm_90a(is)
  demand("9.0a of ${case}" "${is}" "${wanted}")
endforeach()
message(STATUS "the architectures are as they should be")
