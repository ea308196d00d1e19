set(quick_options --size 100003)
# Offsets on each array, beyond the vector, with strides and regions that fit nothing.
exercise_test(ex04 offset_0 0 PASS emulated solution --size 1025 --offset 0)
foreach(arrays a b c a,b a,c a,b,c)
  string(REPLACE "," "" label ${arrays})
  foreach(offset 1 2 3 8 33)
    exercise_test(ex04 offset_${offset}_${label} 0 PASS emulated solution
      --size 1025 --offset ${offset} --offset-on ${arrays} --variant offset)
  endforeach()
  exercise_test(ex04 offset_beyond_${label} 0 PASS emulated solution
    --size 10 --offset 1000 --offset-on ${arrays})
endforeach()
foreach(stride 1 3 31 64 1024 1500)
  exercise_test(ex04 stride_${stride} 0 PASS emulated solution --size 1025 --stride ${stride}
      --variant stride)
endforeach()
foreach(region 1 3 4 31 33 64 1000 5000)
  exercise_test(ex04 region_${region} 0 PASS emulated solution --size 10007 --region ${region}
      --variant region)
endforeach()
exercise_test(ex04 block_100 0 PASS emulated solution --size 10007 --block 100 --region 5)
foreach(sweep offset stride region)
  exercise_test(ex04 sweep_${sweep} 0 PASS emulated solution --size 1025 --sweep ${sweep})
endforeach()

# The counters show why: sectors per request without an offset, with one on all arrays, and of a
# region.
exercise_test(ex04 sectors_aligned 0 " 4.00 " emulated solution --size 4096 --only device --offset 0
    --variant offset)
exercise_test(ex04 sectors_offset 0 " 5.00 " emulated solution
  --size 4096 --only device --offset-on a,b,c --variant offset)
exercise_test(ex04 sectors_region 0 " 32.00 " emulated solution --size 4096 --only device --variant
    "per thread")

exercise_test(ex04 bad_offset 2 "--offset -1" emulated solution --offset -1)
exercise_test(ex04 bad_offset_on 2 "--offset-on x" emulated solution --offset-on x)
exercise_test(ex04 bad_stride 2 "--stride 0" emulated solution --stride 0)
exercise_test(ex04 bad_region 2 "--region 0" emulated solution --region 0)
exercise_test(ex04 bad_sweep 2 "--sweep height" emulated solution --sweep height)
exercise_test(ex04 bad_plot 2 "--plot" emulated solution --plot x.svg)
exercise_test(ex04 offset_3 0 PASS gpu solution --size 1000003 --offset 3 --offset-on a,c --stride 5
    --region 37)
