# An installation for many (./course install) and its students. The installation's build writes:
#   offered.cmake   its targets, imported ones for whoever includes that
#   settings.cmake  its compilers and options, as an initial cache
# A student's build folder is configured from the installation's source with those settings and
#   COURSE_INSTALLED  the installation's build folder
#   COURSE_WORK       the folder with the student's templates
# and has only the programs of the templates, each linked with the installation's objects.

set(COURSE_INSTALLED "" CACHE PATH
    "Build folder of the installation whose harness, emulated device and programs are used")
set(COURSE_WORK "" CACHE PATH
    "Folder of a student's templates, where the course itself is not theirs to write in")
set_property(GLOBAL PROPERTY COURSE_OFFERED "")
if(COURSE_INSTALLED)
  if(NOT COURSE_WORK)
    message(FATAL_ERROR "error: COURSE_INSTALLED needs COURSE_WORK, the folder with the templates")
  endif()
  find_package(Threads REQUIRED)
  include(${COURSE_INSTALLED}/offered.cmake)
  set(EMULATED_DIR ${CMAKE_SOURCE_DIR}/emulated) # for objects.cmake
endif()

# offer(target...): targets that a student's programs are linked with.
function(offer)
  set_property(GLOBAL APPEND PROPERTY COURSE_OFFERED ${ARGN})
endfunction()

# The file of a variant: a student's template lies in COURSE_WORK.
function(variant_source folder variant extension result)
  get_filename_component(name ${folder} NAME)
  if(COURSE_INSTALLED AND variant STREQUAL "template")
    set(folder ${COURSE_WORK}/${name})
  endif()
  set(${result} ${folder}/${variant}.${extension} PARENT_SCOPE)
endfunction()

function(offer_to_students)
  get_property(offered GLOBAL PROPERTY COURSE_OFFERED)
  export(TARGETS ${offered} FILE ${CMAKE_BINARY_DIR}/offered.cmake)
  set(COURSE_GPU ${COURSE_HAVE_GPU_COMPILER})
  set(text "")
  foreach(name CMAKE_BUILD_TYPE CMAKE_C_COMPILER CMAKE_CXX_COMPILER CMAKE_CUDA_COMPILER
      CMAKE_CUDA_HOST_COMPILER
      CMAKE_CUDA_ARCHITECTURES CMAKE_C_FLAGS CMAKE_CXX_FLAGS CMAKE_CUDA_FLAGS COURSE_GPU
      COURSE_HAVE_WORKING_NVCC COURSE_OPENMP COURSE_ONLY
      CMAKE_EXECUTABLE_FORMAT COURSE_HAVE_GOLD)
    if(NOT "${${name}}" STREQUAL "")
      string(APPEND text "set(${name} \"${${name}}\" CACHE STRING \"\")\n")
    endif()
  endforeach()
  # What CMake has found out about these compilers: to find it out again takes seconds.
  string(APPEND text
      "set(found \"${CMAKE_BINARY_DIR}/CMakeFiles/\${CMAKE_VERSION}\")\n"
      "if(EXISTS \${found})\n"
      "  file(COPY \${found} DESTINATION \${CMAKE_BINARY_DIR}/CMakeFiles)\n"
      "  set(CMAKE_PLATFORM_INFO_INITIALIZED 1 CACHE INTERNAL \"\")\n"
      "endif()\n")
  file(WRITE ${CMAKE_BINARY_DIR}/settings.cmake "${text}")
endfunction()
