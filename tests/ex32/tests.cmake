# --size counts the queries of a head, and its keys; a row of the layer norm has as many numbers.
set(sizes 1 2 3 31 33)
set(gpu_sizes 1 33 1023 1025)
set(bad_sizes abc -5 0 1e30 12x 65537)
set(under_sanitizer "--size 70 --keys 72 --heads 2")

# every remainder of tiles, pieces and warps; rows that see nothing; more keys than a thread's
# registers hold at 32 threads
foreach(shape "129 65 64" "3 264 128" "1 1031 64")
  string(REPLACE " " ";" shape ${shape})
  list(GET shape 0 queries)
  list(GET shape 1 keys)
  list(GET shape 2 size)
  exercise_test(ex32 ${queries}_${keys}_${size} 0 PASS emulated solution --heads 1 --only device
      --size ${queries} --keys ${keys} --head-size ${size} --causal)
  exercise_test(ex32 ${queries}_${keys}_${size} 0 PASS gpu solution --heads 5 --only device
      --size ${queries} --keys ${keys} --head-size ${size} --causal)
endforeach()
exercise_test(ex32 cpu_heads_70 0 PASS cpu cpu --size 20 --heads 70 --repeat 1)
exercise_test(ex32 keys_1023 0 PASS emulated solution --size 1 --keys 1023 --heads 1 --only device)
exercise_test(ex32 keys_1024 0 PASS emulated solution --size 2 --keys 1024 --heads 1 --only device)
exercise_test(ex32 keys_1025 0 PASS emulated solution --size 1 --keys 1025 --heads 1 --only device)
exercise_test(ex32 keys_32776 0 PASS gpu solution --size 2 --keys 32776 --heads 1 --only device)
exercise_test(ex32 block_100 0 PASS emulated solution --size 33 --block 100 --variant softmax)
exercise_test(ex32 fermi 0 "needs compute capability 8.0" emulated solution --size 20 --only device
  ENVIRONMENT CUDA_EMULATED_DEVICE=fermi)
exercise_test(ex32 one_problem 0 "PASS: 4 of 4" emulated solution --only device --problem softmax)
# layer norm: every number of pieces, and rows that are too long for a warp's registers; decoding:
# parts without keys, parts of different lengths, as many blocks as an H200 holds
foreach(columns 8 256 264 520 1032 2056 4096 4104)
  exercise_test(ex32 norm_${columns} 0 "PASS: 3 of 3" emulated solution --problem norm --size 5
      --keys ${columns} --heads 1 --only device)
  exercise_test(ex32 norm_${columns} 0 "PASS: 3 of 3" gpu solution --problem norm --size 333
      --keys ${columns} --heads 2 --only device)
endforeach()
exercise_test(ex32 norm_block_100 0 PASS emulated solution --size 33 --block 100 --variant norm)
foreach(shape "2000 64 60" "1089 64 34" "1025 128 7" "33 64 1" "4097 128 528")
  string(REPLACE " " ";" shape ${shape})
  list(GET shape 0 keys)
  list(GET shape 1 size)
  list(GET shape 2 grid)
  foreach(where emulated gpu)
    exercise_test(ex32 decoding_${keys}_${size} 0 "PASS: 3 of 3" ${where} solution --heads 3
        --problem decoding --size 1 --keys ${keys} --head-size ${size} --grid ${grid} --only device)
  endforeach()
endforeach()
exercise_test(ex32 decoding_causal 0 "PASS: 3 of 3" emulated solution --problem decoding
    --only device --size 40 --keys 9 --causal)
if(COURSE_HAVE_SM_90A) # built for 9.0, so this is one, and no row is skipped
  exercise_test(ex32 warpgroups 0 "PASS: 1 of 1" gpu solution --only device --variant warpgroups
      --size 700 --keys 900 --causal)
endif()
exercise_test(ex32 bad_head_size 2 "expected 64 or 128" cpu cpu --head-size 96)
exercise_test(ex32 bad_heads 2 "--heads 0: expected 1 to" cpu cpu --heads 0)
exercise_test(ex32 bad_problem 2 "--problem" cpu cpu --problem max)
