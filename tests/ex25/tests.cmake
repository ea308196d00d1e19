# --size N is a field of N x N points; the emulated device is four devices unless the environment
# says otherwise.
set(sizes 3 4 5 33)
set(gpu_sizes 33 131 1025)
set(bad_sizes abc 2)
set(under_sanitizer "--size 131")

foreach(devices 1 2 3 5)
  exercise_test(ex25 devices_${devices} 0 PASS emulated solution --only device --size 35
    ENVIRONMENT CUDA_EMULATED_DEVICES=${devices})
endforeach()
foreach(parts 1 2 5 33)
  exercise_test(ex25 parts_${parts} 0 PASS emulated solution --only device --size 35 --parts
      ${parts})
  exercise_test(ex25 parts_${parts} 0 PASS gpu solution --only device --size 1027 --steps 19 --parts
      ${parts})
endforeach()
foreach(columns 31 33 1023 1025)
  exercise_test(ex25 columns_${columns} 0 PASS emulated solution --only device --size ${columns}
      --rows 43)
endforeach()
foreach(steps 1 8 17)
  exercise_test(ex25 steps_${steps} 0 PASS emulated solution --only device --size 35 --rows 61
      --steps ${steps})
endforeach()
foreach(order late random:1 random:2)
  exercise_test(ex25 ${order} 0 PASS emulated solution --only device --size 35 --rows 61
    ENVIRONMENT CUDA_EMULATED_ORDER=${order})
endforeach()
exercise_test(ex25 fewer_rows_than_a_halo 0 "fewer than 8 rows in a part" emulated solution --only
    device --size 20)
exercise_test(ex25 sweep_devices 0 "PASS: 18 of 18 variants are right, 6 skipped" emulated solution
    --sweep devices
  --size 33 --steps 2)
exercise_test(ex25 sweep_links 0 "PASS: 48 of 48" emulated solution --sweep links --size 33)
exercise_test(ex25 sweep_devices 0 "devices=1" gpu solution --sweep devices --size 1025)
exercise_test(ex25 too_many_parts 2 "4 parts, but only 3 rows inside the border" cpu cpu --size 5
    --parts 4)
exercise_test(ex25 no_parts 2 "--parts 0: expected 1 to 64" cpu cpu --parts 0)
exercise_test(ex25 bad_sweep 2 "expected one of devices,links" cpu cpu --sweep sideways)
