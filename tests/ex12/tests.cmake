# --size N is a field of N x N points; the emulated device runs three ranks unless --ranks says
# otherwise. Nine steps are the eight of one exchange of wide halos, and one more.
set(sizes 5)
set(gpu_sizes 33 131 1025)
set(bad_sizes abc 2)
set(quick_options --size 1025)
set(under_sanitizer "--size 131 --steps 9 --ranks 2")
if(NOT COURSE_AUTHOR)
  return()
endif()

foreach(ranks 1 2 3 5 8)
  exercise_test(${short} ranks_${ranks} 0 PASS emulated solution --only device --size 67 --steps 9
      --ranks ${ranks})
  exercise_test(${short} ranks_${ranks} 0 PASS gpu solution --only device --size 1027 --steps 19
      --ranks ${ranks})
endforeach()
exercise_test(${short} size_131 0 PASS emulated solution --size 131 --rows 35 --steps 9)
exercise_test(${short} smallest 0 PASS emulated solution --only device --size 3 --ranks 1)
foreach(columns 31 33 1023 1025)
  exercise_test(${short} columns_${columns} 0 PASS emulated solution
    --only device --size ${columns} --rows 21 --steps 9 --ranks 2)
endforeach()
foreach(steps 1 8 17)
  exercise_test(${short} steps_${steps} 0 PASS emulated solution
    --only device --size 35 --rows 61 --ranks 3 --steps ${steps})
endforeach()
exercise_test(${short} fewer_rows_than_a_halo 0 PASS emulated solution --only device
  --size 35 --rows 20 --steps 9 --ranks 5)
exercise_test(${short} sine 0 PASS emulated solution --only device --size 65 --steps 9 --sine)
exercise_test(${short} scaling 0 efficiency cpu cpu --size 131 --ranks 4 --scaling strong)
exercise_test(${short} weak_scaling 0 PASS emulated solution --size 35 --steps 9 --ranks 3 --scaling
    weak
  --variant over)
exercise_test(${short} too_many_ranks 2 "only 3 rows inside the border" cpu cpu --size 5 --ranks 4)
exercise_test(${short} ranks_as_power 2 "--ranks 2^2: expected 1 to 100000" cpu cpu --ranks 2^2)
exercise_test(${short} last_ranks 0 "ranks=3" cpu cpu --size 67 --ranks 2 --ranks 3)
# in a step of Slurm's: a lone shell of srun --pty bash, and tasks that srun does not connect
if(TARGET ex12_cpu)
  set(step env SLURM_STEP_ID=0)
  set(program $<TARGET_FILE:ex12_cpu> --size 67)
  add_test(NAME ex12.cpu.shell_of_srun.cpu COMMAND ${expect} 0 "ranks=3" ${step}
      SLURM_STEP_NUM_TASKS=1 ${program} --ranks 3)
  add_test(NAME ex12.cpu.one_rank_of_srun.cpu COMMAND ${expect} 0 "ranks=1" ${step}
      SLURM_STEP_NUM_TASKS=1
    SLURM_JOBID=1 SLURM_NODELIST=node ${program} --ranks 1) # by these two Open MPI knows a step
  add_test(NAME ex12.cpu.first_task.cpu COMMAND ${expect} 0 "ranks=2" ${step} SLURM_STEP_NUM_TASKS=2
      SLURM_PROCID=0 ${program})
  add_test(NAME ex12.cpu.names_of_ranks.cpu COMMAND ${expect} 0 "all cores" env
      OMPI_ALLOW_RUN_AS_ROOT=1
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 ${MPIEXEC_EXECUTABLE} -n 3
    ${program} --list)
  add_test(NAME ex12.cpu.other_task.cpu COMMAND ${expect} 0 - ${step} SLURM_STEP_NUM_TASKS=2
      SLURM_PROCID=1 ${program})
  set_tests_properties(ex12.cpu.other_task.cpu PROPERTIES
      FAIL_REGULAR_EXPRESSION "PASS|MPI") # nothing is said
  set_tests_properties(ex12.cpu.shell_of_srun.cpu ex12.cpu.first_task.cpu PROPERTIES
      SKIP_RETURN_CODE 77)
endif()
if(TARGET ex12_cpu) # another MPI's launcher
  add_test(NAME ex12.cpu.another_launcher.cpu COMMAND ${expect} 2
      "is it the MPI that this was built with?"
    env PMI_RANK=0 PMI_SIZE=2 $<TARGET_FILE:ex12_cpu> --size 67 --ranks 2)
endif()
if(TARGET ex12_cpu) # a launcher that starts nothing gives no verdict
  add_test(NAME ex12.cpu.launcher_fails.cpu COMMAND ${expect} 2 "that is no verdict"
    env COURSE_LAUNCHER=false $<TARGET_FILE:ex12_cpu> --size 67 --ranks 2)
  add_test(NAME ex12.cpu.launcher_missing.cpu COMMAND ${expect} 77 "cannot start nosuch"
    env COURSE_LAUNCHER=nosuch $<TARGET_FILE:ex12_cpu> --size 67 --ranks 2)
endif()
if(TARGET ex12_solution_emulated)
  add_test(NAME ex12.emulated.turn COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/turn.sh
    $<TARGET_FILE:ex12_solution_emulated> ${CMAKE_CURRENT_BINARY_DIR}/ex12_turn
    ${MPIEXEC_EXECUTABLE})
endif()
if(TARGET ex12_cpu)
  add_test(NAME ex12.cpu.at_once COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/at_once.sh
      $<TARGET_FILE:ex12_cpu>
    ${CMAKE_CURRENT_BINARY_DIR}/ex12_at_once ${MPIEXEC_EXECUTABLE})
  add_test(NAME ex12.verdict_of_ranks COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/verdict_of_ranks.sh
      $<TARGET_FILE:ex12_cpu>
    ${CMAKE_CURRENT_BINARY_DIR}/ex12_verdict_of_ranks)
endif()
exercise_test(${short} no_ranks 2 "--ranks 0: expected 1" cpu cpu --ranks 0)
exercise_test(${short} bad_scaling 2 "expected one of strong,weak" cpu cpu --scaling sideways
    --ranks 2)
exercise_test(${short} unwritable_picture 2 "cannot write" cpu cpu --size 65 --ranks 2 --picture
    /dev/null/p)
exercise_test(${short} names 0 "all cores" cpu cpu --list --ranks 3)
