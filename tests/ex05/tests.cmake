set(quick_options --size 100003)
foreach(size 1 2 3 4 5 6 7 223 224 225 226 448 1022 1025 5003)
  exercise_test(ex05 steps_37_${size} 0 PASS emulated solution --size ${size} --steps 37)
endforeach()
foreach(steps 1 2 15 16 17 200)
  exercise_test(ex05 steps_${steps} 0 PASS emulated solution --size 1025 --steps ${steps})
endforeach()
exercise_test(ex05 block_100 0 PASS emulated solution --size 5003 --block 100)
exercise_test(ex05 grid_3 0 PASS emulated solution --size 5003 --grid 3 --variant grid-stride)
exercise_test(ex05 sweep 0 PASS emulated solution --size 1025 --sweep block)

# The laws: a sine decays by its eigenvalue, a hill keeps its mass until it reaches the ends.
exercise_test(ex05 sine 0
    "decay of the sine: 0.9698463 a step, 1 - 4 alpha sin^2(pi k / 2N) = 0.9698463" cpu cpu
  --initial sine --size 1043 --mode 116 --steps 50)
exercise_test(ex05 sine 0 "decay of the sine" emulated solution --initial sine --size 1043 --mode 58
    --steps 50)
exercise_test(ex05 bump 0 "mass: 256.5" emulated solution --initial bump --size 1025 --steps 100)

exercise_test(ex05 unstable 0 "stable range, 0 to 0.5" emulated solution --alpha 0.6 --size 1025)
exercise_test(ex05 negative_alpha 0 "stable range, 0 to 0.5" emulated solution --alpha -0.1 --size
    1025)
exercise_test(ex05 blows_up 2 "take fewer steps" emulated solution --alpha 0.6 --steps 1000 --size
    1025)
exercise_test(ex05 bad_alpha 2 "--alpha nan" emulated solution --alpha nan)
exercise_test(ex05 bad_steps 2 "--steps -3" emulated solution --steps -3)
exercise_test(ex05 no_steps 2 "--steps 0" emulated solution --steps 0)
exercise_test(ex05 bad_mode 2 "--mode 9" emulated solution --size 7 --mode 9)
exercise_test(ex05 plot_svg 0 "Drawn: " emulated solution --only device
  --variant "one point" --size 100 --initial bump --steps 100 --plot
  ${CMAKE_CURRENT_BINARY_DIR}/ex05.svg)
exercise_test(ex05 plot_png 0 "Drawn: " cpu cpu
  --size 1000 --initial sine --mode 3 --steps 500 --plot ${CMAKE_CURRENT_BINARY_DIR}/ex05.png)
exercise_test(ex05 plot_nowhere 2 "cannot write" cpu cpu --size 100 --plot
    ${CMAKE_CURRENT_BINARY_DIR}/none/ex05.svg)
exercise_test(ex05 bad_plot 2 "expected a file name" emulated solution --plot x.jpg)
exercise_test(ex05 steps_37 0 PASS gpu solution --size 1000003 --steps 37 --initial sine)
