# without_gpu: builds everything in "all" except the GPU's programs and their objects, the targets
# that end with _gpu. ./course test needs no more on a machine without a GPU, and nvcc takes most of
# the time of a build.

function(targets_without_gpu folder result)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  list(FILTER targets EXCLUDE REGEX "_gpu(_acc)?$")
  set(list "")
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    get_target_property(apart ${target} EXCLUDE_FROM_ALL)
    if(NOT apart AND NOT type STREQUAL "INTERFACE_LIBRARY")
      list(APPEND list ${target})
    endif()
  endforeach()
  foreach(subfolder ${subfolders})
    targets_without_gpu(${subfolder} more)
    list(APPEND list ${more})
  endforeach()
  set(${result} "${list}" PARENT_SCOPE)
endfunction()

function(add_target_without_gpu)
  targets_without_gpu(${CMAKE_CURRENT_SOURCE_DIR} targets)
  add_custom_target(without_gpu)
  add_dependencies(without_gpu ${targets})
endfunction()
