# ex23: --size is the number of rows and columns of the image, so small ones.
set(sizes 1 2 3 31 33 64 101)
set(gpu_sizes 1 33 1000 2049)
set(bad_sizes abc 0 11586)
set(under_sanitizer "--size 70")

# Angles in each quadrant and along the axes; a scale at which the image ends, one at which tiles do
# not fit.
foreach(angle 0 90 180 270 -45 135 200 300)
  exercise_test(ex23 angle_${angle} 0 PASS emulated solution --only device --size 40 --angle
      ${angle} --scale 0.9
    --variant near)
  exercise_test(ex23 linear_${angle} 0 PASS emulated solution --only device --size 40 --angle
      ${angle} --scale 0.9
    --variant linear)
endforeach()
foreach(scale 0.01 1 1.02 1.6 20)
  exercise_test(ex23 scale_${scale} 0 PASS emulated solution --only device --size 70 --scale
      ${scale} --variant linear)
endforeach()
foreach(region 1 5 1024)
  exercise_test(ex23 region_${region} 0 PASS emulated solution --only device --size 45 --region
      ${region} --block 96)
endforeach()
exercise_test(ex23 in_pixels 0 PASS gpu solution --size 1500 --angle 77 --scale 1.3 --region 19)

# The model of 9-bit weights: off by less than 1/256 of the range from exact interpolation, and yet
# not the same.
exercise_test(ex23 weights 0 "262144 of 262144 pixels are those of weights with 8 bits" cpu cpu
    --size 512
  --variant weights)
exercise_test(ex23 fermi 0 "surface objects need compute capability 3.0" emulated solution --size 33
    --only device
  ENVIRONMENT CUDA_EMULATED_DEVICE=fermi)
foreach(order late random:1)
  string(REPLACE ":" "_" label ${order})
  exercise_test(ex23 order_${label} 0 PASS emulated solution --size 45 --only device
    ENVIRONMENT CUDA_EMULATED_ORDER=${order})
endforeach()

# The sectors that the answers state: a region per lane, one address.
exercise_test(ex23 sectors_one 0 " 1.18 " emulated solution --only device --size 128 --variant
    "one address, plain")
exercise_test(ex23 picture 0 "Written: " cpu cpu --size 60 --variant near
  --picture ${CMAKE_CURRENT_BINARY_DIR}/ex23.png)
exercise_test(ex23 no_picture 0 "No picture: the last row has no image" cpu cpu --size 60 --variant
    table
  --picture ${CMAKE_CURRENT_BINARY_DIR}/ex23_none.png)
exercise_test(ex23 bad_picture 2 "ends with .png" emulated solution --picture x.jpg)
exercise_test(ex23 bad_region 2 "--region 0" emulated solution --region 0)
exercise_test(ex23 bad_angle 2 "--angle 361" emulated solution --angle 361)
exercise_test(ex23 bad_scale 2 "--scale 0" emulated solution --scale 0)

# A pass over constant memory for each different word; one lane's region, or the last warp's, is
# cut.
exercise_test(ex23 passes_many 0 "constant load       4       1024                            31.97"
    emulated solution
  --only device --size 128 --variant "table, constant" ENVIRONMENT CUDA_EMULATED_PROFILE=1)
exercise_test(ex23 passes_one 0 "constant load       4        992                             1.00"
    emulated solution
  --only device --size 128 --variant "address, constant" ENVIRONMENT CUDA_EMULATED_PROFILE=1)
