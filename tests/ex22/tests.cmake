# Pictures of one pixel, of rows that no block or tile divides; scenes of one sphere, of more than a
# tile of shared memory holds, of more than constant memory holds.
set(sizes 1 2 3 9 13)
set(quick_options --size 40)
set(gpu_sizes 1 33 270)
set(under_sanitizer "--size 5 --spheres 600")
if(NOT COURSE_AUTHOR)
  return()
endif()
foreach(width 1 7 33 65)
  exercise_test(ex22 width_${width} 0 PASS emulated solution --size 5 --width ${width} --only
      device)
endforeach()
foreach(spheres 1 2 3 4 5 13 513)
  exercise_test(ex22 spheres_${spheres} 0 PASS emulated solution --size 5 --spheres ${spheres}
      --only device)
endforeach()
exercise_test(ex22 spheres_1000 0 PASS emulated solution --size 18 --spheres 1000 --only device
    --variant "full picture,")
exercise_test(ex22 spheres_4097 0 "do not fit into 64 KB of constant memory" emulated solution
  --size 2 --spheres 4097 --only device --variant memory)
foreach(bounces 0 1 7)
  exercise_test(ex22 bounces_${bounces} 0 PASS emulated solution --size 7 --bounces ${bounces}
      --variant full)
endforeach()
exercise_test(ex22 block_100 0 PASS emulated solution --size 7 --block 100 --only device)
exercise_test(ex22 block_33 0 PASS emulated solution --size 7 --block 33 --only device --seed 5)
exercise_test(ex22 grid_1 0 PASS emulated solution --size 7 --grid 1 --variant queue --turn 0.4)

# The tree against all spheres, one after the other, on the CPU: they must see the same.
exercise_test(ex22 tree 0 "3 of 3 variants are right" cpu cpu --size 90 --spheres 3000 --turn 0.7)

# The picture: a PNG that another program can read, its frames, and where the time goes.
exercise_test(ex22 picture 0 "Written: " cpu cpu --size 90 --variant tree
  --picture ${CMAKE_CURRENT_BINARY_DIR}/ex22.png --heat ${CMAKE_CURRENT_BINARY_DIR}/ex22_heat.png)
exercise_test(ex22 frames 0 "ex22_frame_0002.png" cpu cpu --size 20 --frames 3
  --picture ${CMAKE_CURRENT_BINARY_DIR}/ex22_frame.png)
add_test(NAME ex22.png COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/png.sh $<TARGET_FILE:ex22_cpu>)
set_tests_properties(ex22.png PROPERTIES SKIP_RETURN_CODE 77)
exercise_test(ex22 bad_picture 2 "ends with .png" emulated solution --picture x.jpg)
exercise_test(ex22 bad_heat 2 "ends with .png" cpu cpu --heat .png)
exercise_test(ex22 picture_nowhere 2 "cannot write" cpu cpu --size 9 --variant tree
  --picture ${CMAKE_CURRENT_BINARY_DIR}/none/ex22.png)
exercise_test(ex22 bad_spheres 2 "--spheres 0" emulated solution --spheres 0)
exercise_test(ex22 bad_bounces 2 "--bounces -1" emulated solution --bounces -1)
exercise_test(ex22 bad_width 2 "--width 0" emulated solution --width 0)
exercise_test(ex22 spheres_5000 0 PASS gpu solution --size 135 --spheres 5000 --bounces 5 --only
    device)
