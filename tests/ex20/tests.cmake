# ex20: --size is the number of rows and columns of a dense matrix, so small ones.
set(sizes 2 3 33)
set(gpu_sizes 2 33 1000 2049)
set(bad_sizes abc -5 0 1 1e30 12x 100001)
set(under_sanitizer "--size 130 --max-steps 3" "--size 130 --matrix poisson --max-steps 3")
if(NOT COURSE_AUTHOR)
  return()
endif()
set(matrices ${CMAKE_CURRENT_LIST_DIR}/matrices)
set(bad ${CMAKE_CURRENT_LIST_DIR}/bad)

exercise_test(ex20 padded_rows 0 PASS emulated solution --size 129 --max-steps 2)
exercise_test(ex20 poisson 0 PASS emulated solution --matrix poisson --size 40 --max-steps 5 --only
    device)
exercise_test(ex20 no_steps 0 PASS emulated solution --size 20 --max-steps 0)
exercise_test(ex20 more_than_a_batch 0 "25 steps" emulated solution --size 20 --tolerance 0
    --max-steps 25 --variant fused)
# On the emulated device a step that is wrong is not repeated for long.
exercise_test(ex20 soon_over 0 "30 steps" emulated solution --size 20 --alpha 0.01 --variant fused)
# Rows of 8192 elements and more, of which a block takes whole stretches.
exercise_test(ex20 long_rows 0 PASS emulated solution --size 8300 --max-steps 0 --only device
    --variant "fused, block" ENVIRONMENT CUDA_EMULATED_FAST=1)
exercise_test(ex20 long_rows 0 PASS gpu solution --size 8300 --only device --variant "fused, block")
exercise_test(ex20 poisson 0 PASS gpu solution --matrix poisson --size 1000)
exercise_test(ex20 a_thousand_steps 0 PASS gpu solution --size 1000 --tolerance 0 --max-steps 1000
    --only device)
exercise_test(ex20 large_x 0 "does not fit into the 48 KB" gpu solution --size 13000 --variant one
    --quick)
# Long, and not endless: the blocks go over the same memory, and meet after each step.
exercise_test(ex20 not_endless 0 PASS emulated solution --matrix poisson --size 100 --only device
    --variant "all steps" ENVIRONMENT CUDA_EMULATED_PATIENCE=0.03)
exercise_test(ex20 slope 0 "max |1 + alpha lambda| = 0.6" emulated solution --size 20 --variant
    fused)

# Jacobi and Chebyshev: the factors of theory, which the residuals follow; when neither can be
# tried.
foreach(matrix random poisson)
  exercise_test(ex20 steered_${matrix} 0 "2 of 2 variants" emulated solution --matrix ${matrix}
      --size 70 --variant "'s steps")
endforeach()
exercise_test(ex20 factor_of_jacobi 0 "Jacobi's by 0.99706" emulated solution --matrix poisson
    --size 40 --variant Jacobi)
exercise_test(ex20 factor_of_chebyshev 0 "Chebyshev's by 0.926168" emulated solution --matrix
    poisson --size 40 --variant Cheb)
exercise_test(ex20 steered_n_2 0 "2 of 2 variants" emulated solution --size 2 --variant "'s steps")
exercise_test(ex20 steered_more 0 PASS gpu solution --matrix poisson --size 1000 --max-steps 300
    --variant "'s steps")
exercise_test(ex20 bounds_unknown 0 "a file's matrix are not known" emulated solution
  --matrix ${matrices}/poisson20.mtx --variant "'s steps")
exercise_test(ex20 diagonal_0 77 "one of them is 0" emulated solution --matrix
    ${matrices}/zero_diagonal.mtx
  --max-steps 5 --variant "Jacobi's")
exercise_test(ex20 jacobi_diverges 77 "diverges: in 9 steps" emulated solution --matrix
    ${matrices}/not_dominant.mtx
  --max-steps 20 --variant "Jacobi's")
add_test(NAME ex20.history COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/history.sh $<TARGET_FILE:ex20_cpu>
    ${matrices})

# The slides' condition, |alpha| ||A|| < 1, holds for alpha = 0.24, and yet the residual grows.
exercise_test(ex20 diverges 2 "--alpha 0.24 diverges" cpu cpu --matrix poisson --alpha 0.24 --size
    32)
exercise_test(ex20 bad_matrix 2 "--matrix hilbert: No such file or directory" cpu cpu --matrix
    hilbert)
exercise_test(ex20 bad_matrix_twice 2 "twice.mtx:5: entry (1, 1) occurs twice" cpu cpu --matrix
    ${bad}/twice.mtx)
exercise_test(ex20 bad_matrix_zero 2 "zero.mtx: all elements are 0" cpu cpu --matrix
    ${bad}/zero.mtx)

# A matrix from a file: that of --matrix poisson has the same slope, found by power iteration; one
# that is not symmetric.
foreach(matrix poisson ${matrices}/poisson20.mtx)
  get_filename_component(name ${matrix} NAME_WE)
  exercise_test(ex20 matrix_${name} 0 "max |1 + alpha lambda| = 0.99441" cpu cpu --matrix ${matrix}
      --alpha -0.25 --size 20)
endforeach()
exercise_test(ex20 matrix_general 0 PASS emulated solution --matrix ${matrices}/general.mtx
    --max-steps 5)
exercise_test(ex20 matrix_sparse 0 PASS emulated solution --matrix
    ${CMAKE_SOURCE_DIR}/tests/ex13/matrices/bcsstk01.mtx
  --max-steps 3)

if(NOT TARGET ex20_dense_test)
  add_executable(ex20_dense_test ${CMAKE_CURRENT_LIST_DIR}/dense_test.c
      ${CMAKE_SOURCE_DIR}/common/matrix_market.c)
  target_link_libraries(ex20_dense_test PRIVATE course_options)
  if(COURSE_HAVE_SANITIZERS)
    target_compile_options(ex20_dense_test PRIVATE -fsanitize=address,undefined
        -fno-sanitize-recover=all -g)
    target_link_options(ex20_dense_test PRIVATE -fsanitize=address,undefined)
  endif()
  add_test(NAME ex20.dense_reader COMMAND ex20_dense_test)
endif()
exercise_test(ex20 bad_alpha 2 "--alpha" cpu cpu --alpha 1e9)
exercise_test(ex20 bad_steps 2 "--max-steps" cpu cpu --max-steps -1)
exercise_test(ex20 bad_history 2 "No such file or directory" cpu cpu --size 5 --history
    no/such/folder.csv)
