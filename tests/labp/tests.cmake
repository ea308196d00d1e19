# The programs have no sizes.
set(sizes "")
set(gpu_sizes "")
exercise_test(labp usual 0 "3 of 3 programs pass" emulated solution)
exercise_test(labp usual 0 "3 of 3 programs pass" gpu solution)
