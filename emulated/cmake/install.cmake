# cmake --install BUILD --component emulated --prefix P: the emulated device without the course.
#
#   P/bin/emulated-nvcc     takes nvcc's options; finds the rest beside itself, so P may be moved
#   P/lib/emulated-nvcc     a folder of the shape of a CUDA toolkit: bin/nvcc, include, lib64
#   P/share                 the man page, README and license
#
# A program that another linker than emulated-nvcc links asks for NVIDIA's libraries by their names.
# Behind each of them are the emulated device's two.

set(emulated_toolkit lib/emulated-nvcc)
set(emulated_names cuda cudadevrt culibos nvToolsExt nvidia-ml)
foreach(name cudart cublas cublasLt cufft curand cusolver cusparse)
  list(APPEND emulated_names ${name} ${name}_static)
endforeach()
string(REPLACE ";" " -l" emulated_script ";${emulated_link_libraries};pthread;m")
foreach(name IN LISTS emulated_names)
  file(GENERATE OUTPUT ${emulated_libraries}/lib${name}.a CONTENT "/* for GNU ld */
GROUP(libemulated_cuda_libraries.a libemulated_runtime.a)
INPUT(-lstdc++${emulated_script})
")
  install(FILES ${emulated_libraries}/lib${name}.a DESTINATION ${emulated_toolkit}/lib64
    COMPONENT emulated EXCLUDE_FROM_ALL)
endforeach()

install(PROGRAMS $<TARGET_FILE:emulated-cc> DESTINATION bin RENAME emulated-nvcc
  COMPONENT emulated EXCLUDE_FROM_ALL)
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/emulated-bin/nvcc
  CONTENT "#!/bin/sh\nexec \"$(dirname \"$0\")/../../../bin/emulated-nvcc\" \"$@\"\n")
install(PROGRAMS ${CMAKE_CURRENT_BINARY_DIR}/emulated-bin/nvcc DESTINATION ${emulated_toolkit}/bin
  COMPONENT emulated EXCLUDE_FROM_ALL)
install(FILES $<TARGET_FILE:emulated_runtime> $<TARGET_FILE:emulated_cuda_libraries>
  ${emulated_libraries}/emulated_prelude.h.gch ${emulated_libraries}/cuda_runtime.i
  ${emulated_libraries}/cuda_runtime.ii.gch ${emulated_libraries}/cuda_runtime.ii
  DESTINATION ${emulated_toolkit}/lib64 COMPONENT emulated EXCLUDE_FROM_ALL)
install(DIRECTORY ${EMULATED_DIR}/include ${EMULATED_DIR}/clang DESTINATION ${emulated_toolkit}
  COMPONENT emulated EXCLUDE_FROM_ALL)
install(DIRECTORY ${EMULATED_DIR}/extras/ DESTINATION ${emulated_toolkit}/include
  COMPONENT emulated EXCLUDE_FROM_ALL PATTERN "*.cpp" EXCLUDE)
install(FILES ${EMULATED_DIR}/emulated-nvcc.1 DESTINATION share/man/man1
  COMPONENT emulated EXCLUDE_FROM_ALL)
install(FILES ${EMULATED_DIR}/README.md ${EMULATED_DIR}/../LICENSE
  DESTINATION share/doc/emulated-nvcc COMPONENT emulated EXCLUDE_FROM_ALL)
