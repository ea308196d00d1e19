exercise_test(ex14 copies_counted 0 "2 + 2 copies a run, 0 + 0 a call" emulated solution --size 4096 --variant copy)
exercise_test(ex14 copies_async 0 "4 + 4 copies a run" emulated solution --size 4096 --variant async)
exercise_test(ex14 host_named 0 "OpenACC ran on the host" emulated solution --size 33)
