# Which of these libraries the toolkit lacks, in words: "cufft and no curand". If CMake does not
# know the toolkit, the linker reports it.
function(missing_libraries result)
  set(missing "")
  foreach(item ${ARGN})
    if(CUDAToolkit_FOUND AND NOT TARGET CUDA::${item})
      list(APPEND missing ${item})
    endif()
  endforeach()
  string(REPLACE ";" " and no " missing "${missing}")
  set(${result} "${missing}" PARENT_SCOPE)
endfunction()
