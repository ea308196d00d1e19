# ex13: --size is the side of the grid, so small ones; real matrices; what must be refused, by which
# line.
set(sizes 1 2 3 7 12)
set(quick_options --size 33)
set(gpu_sizes 1 2 33 100 1025)
set(bad_sizes abc -5 0 30000)
set(under_sanitizer "--size 40")
if(NOT COURSE_AUTHOR)
  return()
endif()

set(matrices ${CMAKE_CURRENT_LIST_DIR}/matrices)
set(reader ${CMAKE_SOURCE_DIR}/ex13_cg/csr.c ${CMAKE_SOURCE_DIR}/common/matrix_market.c)

foreach(size 31 32 33)
  exercise_test(ex13 size_${size} 0 PASS emulated solution --size ${size} --max-iterations 3)
endforeach()
exercise_test(ex13 three_dimensions 0 PASS emulated solution --dimensions 3 --size 7)
exercise_test(ex13 float 0 PASS emulated solution --precision float --tolerance 1e-4 --size 11)
exercise_test(ex13 large_grid 0 PASS emulated solution --grid 1000000 --size 7)
exercise_test(ex13 small_grid 0 PASS emulated solution --grid 1 --size 20 --max-iterations 3)
exercise_test(ex13 one_iteration 0 "not converged after 1 iterations" emulated solution
    --max-iterations 1 --size 9)
exercise_test(ex13 bcsstk01 0 PASS emulated solution --matrix ${matrices}/bcsstk01.mtx
    --max-iterations 30)
exercise_test(ex13 bcsstk02 0 PASS emulated solution --matrix ${matrices}/bcsstk02.mtx
    --max-iterations 8)
exercise_test(ex13 mesh1e1 0 "converged after" emulated solution --matrix ${matrices}/mesh1e1.mtx)
exercise_test(ex13 bcsstk16 0 "converged after" cpu cpu --matrix ${matrices}/bcsstk16.mtx.gz
  --max-iterations 1000 --variant "one core" --repeat 1)
exercise_test(ex13 three_dimensions 0 PASS gpu solution --dimensions 3 --size 32 --quick)
exercise_test(ex13 float 0 PASS gpu solution --precision float --tolerance 1e-4 --size 200 --quick)
exercise_test(ex13 converges 0 PASS gpu solution --size 200 --max-iterations 2000 --quick)
foreach(name bcsstk01.mtx bcsstk02.mtx bcsstk16.mtx.gz mesh1e1.mtx)
  exercise_test(ex13 ${name} 0 PASS gpu solution --matrix ${matrices}/${name} --max-iterations 2000
      --quick)
endforeach()
exercise_test(ex13 rhs 0 PASS cpu cpu --matrix ${matrices}/../good/small.mtx --rhs
    ${matrices}/../good/rhs.mtx)

# Bad matrices: one line, exit status 2.
foreach(case
    "indefinite.mtx|not positive definite: p'Ap is"
    "missing.mtx|No such file or directory" "truncated.mtx.gz|cannot be decompressed"
    "nan.mtx|nan.mtx:5: the value is not finite" "rhs.mtx|the matrix is dense")
  string(REPLACE "|" ";" case "${case}")
  list(GET case 0 file)
  list(GET case 1 text)
  exercise_test(ex13 bad_${file} 2 ${text} cpu cpu --matrix ${matrices}/../bad/${file}
      --max-iterations 500)
endforeach()
exercise_test(ex13 bad_singular 2 "not positive definite: p'Ap is 0" cpu cpu
  --matrix ${matrices}/../bad/singular.mtx --rhs ${matrices}/../good/rhs.mtx)
exercise_test(ex13 bad_rhs 2 "elements, but the matrix needs 48 x 1" cpu cpu --matrix
    ${matrices}/bcsstk01.mtx
  --rhs ${matrices}/../good/rhs.mtx)
exercise_test(ex13 bad_precision 2 "--precision" cpu cpu --precision half)
exercise_test(ex13 bad_tolerance 2 "--tolerance" cpu cpu --tolerance -1)
exercise_test(ex13 bad_iterations 2 "--max-iterations" cpu cpu --max-iterations 0)
exercise_test(ex13 bad_history 2 "No such file or directory" cpu cpu --size 5 --history
    no/such/folder.csv)

# The reader alone, and under AddressSanitizer and UBSan where the compiler has them.
if(NOT TARGET ex13_reader_test)
  foreach(name reader_test fuzz_reader)
    add_executable(ex13_${name} ${CMAKE_CURRENT_LIST_DIR}/${name}.c ${reader})
    target_include_directories(ex13_${name} PRIVATE ${CMAKE_SOURCE_DIR}/ex13_cg)
    target_link_libraries(ex13_${name} PRIVATE course_options m)
    if(COURSE_HAVE_SANITIZERS)
      target_compile_options(ex13_${name} PRIVATE -fsanitize=address,undefined
          -fno-sanitize-recover=all -g)
      target_link_options(ex13_${name} PRIVATE -fsanitize=address,undefined)
    endif()
  endforeach()
  add_test(NAME ex13.reader COMMAND ex13_reader_test 48 400 ${matrices}/bcsstk01.mtx
    66 4356 ${matrices}/bcsstk02.mtx 4884 290378 ${matrices}/bcsstk16.mtx.gz 48 306
    ${matrices}/mesh1e1.mtx
    - - ${matrices}/../bad/truncated.mtx.gz - - ${matrices})
  add_test(NAME ex13.reader.fuzz COMMAND ex13_fuzz_reader 300000)

  emulated_object(object ${CMAKE_CURRENT_LIST_DIR}/library_utils_test.cu
      INCLUDES ${COURSE_INCLUDES})
  emulated_executable(ex13_library_utils_test ${object})
  set(program $<TARGET_FILE:ex13_library_utils_test>)
  add_test(NAME ex13.library_utils.right COMMAND ${expect} 0 "all is well" ${program})
  add_test(NAME ex13.library_utils.cublas
    COMMAND ${expect} 2 "cublasDestroy(NULL): error 1, CUBLAS_STATUS_NOT_INITIALIZED" ${program}
    cublas)
  add_test(NAME ex13.library_utils.cusparse
    COMMAND ${expect} 2 "CUDA_R_64F): error 3, CUSPARSE_STATUS_INVALID_VALUE" ${program} cusparse)
  set_tests_properties(ex13.library_utils.cublas ex13.library_utils.cusparse
    PROPERTIES ENVIRONMENT CUDA_EMULATED_FINDINGS_FATAL=0)
endif()
