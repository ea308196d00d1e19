# Writes build/editor/compile_commands.json, which .clangd names: with it an editor's clangd
# understands the course's files, kernels included, with and without a toolkit. It does not
# understand nvcc's own flags.

set(editor_flags
    "-Wall -Wno-unused-variable -I${CMAKE_SOURCE_DIR}/common -I${CMAKE_SOURCE_DIR}/common/harness")
foreach(folder ${MPI_C_HEADER_DIR} ${MPI_C_COMPILER_INCLUDE_DIRS} ${MPI_C_INCLUDE_DIRS})
  string(APPEND editor_flags " -isystem ${folder}")
endforeach()
set(editor_cuda
    "clang++ -x cuda -DEMULATED_REFERENCES=1 --cuda-host-only -nocudainc -nocudalib \
-std=gnu++17 -Wno-unknown-cuda-version -Xclang -fcuda-allow-variadic-functions \
-isystem ${CMAKE_SOURCE_DIR}/emulated/include \
-include ${CMAKE_SOURCE_DIR}/common/harness/editor.h")

file(GLOB editor_files ex*/*.c ex*/*.cu lab*/*.cu ex*/*.cuh ex*/advanced/*.cu ex*/advanced/*.cuh
  lessons/*.c lessons/*.cu lessons/openacc/*.c lessons/pictures/*.c common/*.c common/harness/*.c
  common/openacc/*.c)
if(COURSE_INSTALLED) # a student of an installation edits templates, and nothing else
  file(GLOB editor_files ${COURSE_WORK}/ex*/*.c ${COURSE_WORK}/ex*/*.cu ${COURSE_WORK}/lab*/*.cu)
  if(NOT EXISTS ${COURSE_WORK}/.clangd)
    file(COPY ${CMAKE_SOURCE_DIR}/.clangd DESTINATION ${COURSE_WORK})
  endif()
endif()
set(entries "")
foreach(file ${editor_files})
  get_filename_component(folder ${file} DIRECTORY)
  set(flags "${editor_flags} -I${folder}")
  if(COURSE_INSTALLED)
    get_filename_component(name ${folder} NAME)
    string(APPEND flags " -I${CMAKE_SOURCE_DIR}/${name}")
  endif()
  if(folder MATCHES "/advanced$")
    get_filename_component(above ${folder} DIRECTORY)
    string(APPEND flags " -I${above}")
  endif()
  if(file MATCHES "\\.c$")
    set(command "clang -std=gnu11 -D_GNU_SOURCE -Wno-unknown-pragmas ${flags} -c ${file}")
  else()
    set(command "${editor_cuda} ${flags} -c ${file}")
  endif()
  list(APPEND entries
    "{\"directory\": \"${CMAKE_SOURCE_DIR}\", \"file\": \"${file}\", \"command\": \"${command}\"}")
endforeach()
string(REPLACE ";{" ",\n{" entries "${entries}")
file(WRITE ${CMAKE_BINARY_DIR}/editor/compile_commands.json "[\n${entries}\n]\n")
