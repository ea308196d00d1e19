# cmake -P libraries.cmake: the message on a toolkit that lacks a library of an exercise.
cmake_minimum_required(VERSION 3.18)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR}/../../common/cmake)
include(libraries)
include(${CMAKE_CURRENT_LIST_DIR}/demand.cmake)

set(CUDAToolkit_FOUND ON) # and none of its libraries
missing_libraries(is)
demand("no library is needed" "${is}" "")
missing_libraries(is cufft)
demand("one" "${is}" "cufft")
missing_libraries(is cufft curand)
demand("two" "${is}" "cufft and no curand")
set(CUDAToolkit_FOUND OFF)
missing_libraries(is cufft)
demand("unknown" "${is}" "")
message(STATUS "what is missing is named")
