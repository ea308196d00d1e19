# One body, which nothing attracts; two; sizes around a warp, a tile and a group; an odd and an even
# number of groups. n^2 interactions: small sizes.
set(sizes 1 2 3 31 33)
set(gpu_sizes 1 2 33 1025 5003)
set(bad_sizes abc -5 0 1e30 12x)
set(quick_options --size 1025)
set(under_sanitizer "--size 700 --steps 1")
foreach(size 255 256 257 513 1023 1024 1025)
  exercise_test(ex31 groups_${size} 0 PASS emulated solution --size ${size} --only device --variant
      "tile|blocks|thread$|registers|tree")
endforeach()
exercise_test(ex31 block_33 0 PASS emulated solution --size 100 --block 33 --only device)
exercise_test(ex31 block_1000 0 PASS emulated solution --size 100 --block 1000 --only device)
exercise_test(ex31 galaxies 0 PASS emulated solution --scene galaxies --size 301 --only device
    --softening 0.1 --seed 7)
exercise_test(ex31 steps_30 0 PASS emulated solution --size 64 --steps 30 --variant leapfrog)
exercise_test(ex31 sweep_sizes 0 "PASS: 4 of 4" emulated solution --size 300 --sweep sizes --variant
    "tile|split")
exercise_test(ex31 fermi 0 PASS emulated solution --size 300 --only device
  ENVIRONMENT CUDA_EMULATED_DEVICE=fermi)

# Trees of which all nodes are looked into, or few; far away, where many places are the same.
exercise_test(ex31 theta_0 0 PASS emulated solution --size 301 --theta 0 --variant tree)
exercise_test(ex31 theta_0.57 0 PASS emulated solution --size 1500 --theta 0.57 --variant tree)
exercise_test(ex31 tree_far_away 0 PASS emulated solution --size 301 --away 1e6 --variant tree)
exercise_test(ex31 tree_of_hard_bodies 0 PASS cpu cpu --size 5000 --softening 0.001 --variant tree)

# Far away a float has no digits left for the distances; two floats have. The energy goes to and fro
# with the square of the step.
exercise_test(ex31 away 0 PASS emulated solution --size 200 --away 10000 --only device)
exercise_test(ex31 sweep_dt 0 "PASS: 7 of 7" cpu cpu --size 100 --sweep dt --variant leapfrog)

exercise_test(ex31 picture 0 "Written: " cpu cpu --scene galaxies --size 100 --steps 2 --panels 4
  --picture ${CMAKE_CURRENT_BINARY_DIR}/ex31.png)
exercise_test(ex31 bad_picture 2 "ends with .png" cpu cpu --picture x.jpg)
exercise_test(ex31 bad_scene 2 "--scene stars" emulated solution --scene stars)
exercise_test(ex31 bad_steps 2 "--steps 0" emulated solution --steps 0)
exercise_test(ex31 bad_theta 2 "--theta 0.6" emulated solution --theta 0.6)
exercise_test(ex31 bad_softening 2 "--softening 0" emulated solution --softening 0)
exercise_test(ex31 large 0 PASS gpu solution --size 40000 --only device)
