# emulated_object(), emulated_link_objects(), emulated_executable(): emulated.cmake tells what they
# do. They need the target emulated-cc only, which may also be an imported one.

# EMULATED_EXTRA_HEADERS: what the .cu files of a project include, for a CMake without dependency
# files.
file(GLOB EMULATED_HEADERS ${EMULATED_DIR}/include/*.h ${EMULATED_DIR}/include/*/*.h
    ${EMULATED_DIR}/extras/*.h
  ${EMULATED_EXTRA_HEADERS})

function(wait_for_prelude target)
  if(TARGET emulated_prelude)
    add_dependencies(${target} emulated_prelude)
  endif()
endfunction()

function(emulated_object outvar source)
  cmake_parse_arguments(arg "TWIN;ALONE" "ARCH;WARNINGS" "DEFINITIONS;INCLUDES;DEPENDS" ${ARGN})
  get_filename_component(source "${source}" ABSOLUTE)
  get_filename_component(name "${source}" NAME_WE)
  set(flags ${EMULATED_FLAGS}) # of the caller
  set(folders "${CMAKE_CURRENT_BINARY_DIR}/emulated")
  foreach(definition IN LISTS arg_DEFINITIONS)
    list(APPEND flags -D${definition})
  endforeach()
  foreach(directory IN LISTS arg_INCLUDES)
    get_filename_component(directory "${directory}" ABSOLUTE)
    list(APPEND flags -I${directory})
  endforeach()
  if(arg_ARCH)
    list(APPEND flags -arch=sm_${arg_ARCH})
  endif()
  if(arg_TWIN)
    list(APPEND flags --no-syntax-pass)
  endif()
  if(arg_WARNINGS)
    list(APPEND flags --warnings "${arg_WARNINGS}")
    get_filename_component(directory "${arg_WARNINGS}" DIRECTORY)
    list(APPEND folders "${directory}")
  endif()
  # One source may be compiled with several sets of flags.
  string(MD5 key "${CMAKE_CURRENT_BINARY_DIR} ${source} ${flags}")
  string(SUBSTRING "${key}" 0 8 key)
  set(object "${CMAKE_CURRENT_BINARY_DIR}/emulated/${name}-${key}.o")
  set(${outvar} "${object}" PARENT_SCOPE)
  if(TARGET object_${name}-${key})
    return()
  endif()

  set(dependencies DEPENDS "${source}" emulated-cc ${arg_DEPENDS} ${EMULATED_HEADERS})
  set(write_dependencies)
  if(CMAKE_GENERATOR MATCHES "Ninja" OR NOT CMAKE_VERSION VERSION_LESS 3.20)
    if(POLICY CMP0116)
      cmake_policy(SET CMP0116 NEW)
    endif()
    set(dependencies DEPENDS "${source}" emulated-cc ${arg_DEPENDS} DEPFILE "${object}.d")
    if(TARGET emulated_prelude) # with it, CUDA's headers are in no dependency file
      get_target_property(headers emulated_prelude PRELUDE)
      if(NOT CMAKE_GENERATOR MATCHES "Ninja") # make would run the prelude's rule for each object
        set(headers ${EMULATED_HEADERS})
      endif()
      list(INSERT dependencies 1 ${headers})
    endif()
    set(write_dependencies -MD -MF "${object}.d")
  endif()
  add_custom_command(OUTPUT "${object}"
    COMMAND mkdir -p ${folders} # somebody may have removed them
    COMMAND emulated-cc -c ${flags} ${write_dependencies} -o "${object}" "${source}"
    ${dependencies}
    COMMENT "Compiling ${name}.cu for the emulated device"
    VERBATIM)
  # One rule, one target: with the object among the sources of several programs, make would run its
  # rule for each of them at once.
  if(arg_ALONE)
    set_property(GLOBAL APPEND PROPERTY EMULATED_ALONE "${object}")
  else()
    add_custom_target(object_${name}-${key} DEPENDS "${object}")
    wait_for_prelude(object_${name}-${key})
  endif()
endfunction()

function(emulated_link_objects target)
  get_property(alone GLOBAL PROPERTY EMULATED_ALONE)
  foreach(object IN LISTS ARGN)
    get_filename_component(name "${object}" NAME_WLE)
    if(TARGET object_${name}) # else it was compiled elsewhere
      add_dependencies(${target} object_${name})
    elseif(object IN_LIST alone)
      target_sources(${target} PRIVATE "${object}")
      wait_for_prelude(${target})
      list(REMOVE_ITEM ARGN "${object}")
    endif()
  endforeach()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    target_link_libraries(${target} INTERFACE ${ARGN})
  else()
    target_link_libraries(${target} PRIVATE ${ARGN})
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
endfunction()

function(emulated_executable target)
  add_executable(${target} ${EMULATED_DIR}/cmake/no_source.c)
  emulated_link_objects(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE emulated_cuda_libraries)
endfunction()
