# gpu.sh COURSE FOLDER: a check on a machine with a GPU, which scripts stand in for.
. "$(dirname "$0")/prelude.sh"
with_gpu
check() { expect "$1" "$2" "$course" check ex77 --patience 1 ${3:-}; }

# Both devices have a turn: the emulated one at its own size, then the GPU.
echo 'echo "$device ran with $arguments"; verdict PASS; exit 0' | behave
check 0 "gpu ran with --only device"
[ "$(grep -c ' ran with ' out)" -eq 2 ] || fail "each has one turn: $(cat out)"
expect 0 "emulated ran with --block 64" "$course" check ex77 --size 2^27 --block 64
grep -q '^gpu ran with --size 2^27 --block 64' out || fail "the GPU has its size: $(cat out)"
check 0 "gpu ran" --device=gpu
grep -q '^emulated ran' out && fail "--device=gpu is the GPU alone"
check 0 "emulated ran" --device=emulated
grep -q '^gpu ran' out && fail "--device=emulated is that alone"
printf -- '--size 1\n' >ex77_made_up/checks.txt
check 0 "PASS also with --size 1"
[ "$(grep -c 'gpu ran' out)" -eq 1 ] || fail "the GPU has one turn: $(cat out)"

rm ex77_made_up/checks.txt
# The host's loops: one thread for the emulated device's small sizes, beside which nvcc is at work;
# none that waits by spinning, but where the CPU's times are measured. What the user has set stays.
echo 'echo "$device: ${OMP_NUM_THREADS:-all} threads, ${OMP_WAIT_POLICY:-as usual}"
    verdict PASS; exit 0' | behave
unset OMP_NUM_THREADS OMP_WAIT_POLICY
check 0 "emulated: 1 threads, passive"
grep -qx 'gpu: all threads, passive' out || fail "the GPU's reference has all cores: $(cat out)"
check 0 "emulated: all threads, passive" --device=emulated
check 0 "gpu: all threads, as usual" --device=gpu
export OMP_NUM_THREADS=3 OMP_WAIT_POLICY=active
check 0 "emulated: 3 threads, active"
unset OMP_NUM_THREADS OMP_WAIT_POLICY
echo 'echo "$device ran with $arguments"; verdict PASS; exit 0' | behave
# The CPU's times come from a folder that bench fills, anew each time.
check 0 "gpu ran with --only device --cache $folder/build/cache"
mkdir "$folder/build/cache" && : >"$folder/build/cache/ex77_made_up-1.csv" &&
    : >"$folder/build/cache/ex78_too-1.csv"
expect 0 " --cache $folder/build/cache" "$course" bench ex77
[ -e "$folder/build/cache/ex77_made_up-1.csv" ] && fail "bench measures the CPU anew"
[ -e "$folder/build/cache/ex78_too-1.csv" ] || fail "the times of another exercise stay"

# Wrong on the emulated device: at once, without the GPU, unless that is wanted.
echo 'echo "$device ran"; [ $device = gpu ] && { verdict PASS; exit 0; }; verdict WRONG 1; exit 1' \
    | behave
check 1 "The GPU is not used until this is fixed"
grep -q 'gpu ran' out && fail "the GPU had a turn"
check 1 "The GPU's results happen to be right" --device=both

# Wrong on the GPU alone: what that means, and what compute-sanitizer says.
echo 'echo "$device ran"; [ $device = emulated ] && { verdict PASS; exit 0; }
    verdict WRONG 1; exit 1' | behave
cat >bin/compute-sanitizer <<'END2'
#!/bin/sh
echo "$*" >>"$COURSE_BUILD/asked"
echo "========= COMPUTE-SANITIZER"
case $2 in
memcheck) echo "========= ERROR SUMMARY: 0 errors" ;;
racecheck)
    echo "========= Error: Race reported between Write access at sum(float *)+0x1c0" \
        "in template.cu:12"
    echo "=========     and Read access at sum(float *)+0x1e0 in template.cu:15 [8192 hazards]"
    echo "========= "
    echo "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)" ;;
esac
END2
chmod +x bin/compute-sanitizer
check 1 "Right on the emulated device, not on the GPU."
race="Race reported between Write access at sum(float *)+0x1c0 in template.cu:12"
race="$race and Read access at sum(float *)+0x1e0 in template.cu:15"
grep -qF "compute-sanitizer (racecheck): Error: $race" out ||
    fail "not told: $(cat out)"
grep -q 'memcheck.*ex77_template --only device --quick' "$folder/build/asked" ||
    fail "asked otherwise: $(cat "$folder/build/asked")"
sed -i 's/^memcheck).*/memcheck)\
    echo "========= Invalid __global__ write of size 4 bytes"\
    echo "=========     at add(float *)+0x90 in template.cu:25"\
    echo "=========     by thread (32,0,0) in block (390,0,0)" ;;/' bin/compute-sanitizer
invalid="Invalid __global__ write of size 4 bytes at add(float *)+0x90 in template.cu:25"
check 1 "compute-sanitizer (memcheck): $invalid by thread (32,0,0) in block (390,0,0)"
grep -q racecheck out && fail "memcheck has found it"
# Beside nvcc, where it is not on the PATH.
PATH=$(echo "$PATH" | tr : '\n' | while read -r folder_of_path; do
    [ -x "$folder_of_path/compute-sanitizer" ] && [ "$folder_of_path" != "$PWD/bin" ] ||
        printf '%s:' "$folder_of_path"
done)
mkdir toolkit && mv bin/compute-sanitizer toolkit/ && cp /bin/true toolkit/nvcc &&
    echo "$PWD/toolkit/nvcc" >"$folder/build/has_gpu_programs"
check 1 "compute-sanitizer (memcheck): Invalid"
rm toolkit/compute-sanitizer
check 1 "Right on the emulated device, not on the GPU."
grep -q compute-sanitizer out && fail "it is not there: $(cat out)"

# With an unfilled TODO only of a row that the emulated device has judged, wrong on the GPU, or
# ended there.
echo "head=$old_columns" >ex77_made_up/behaviour
cat >>ex77_made_up/behaviour <<'END2'
row() { echo "ex77_made_up,$1,device,1000,$2,1e-3,,,,,,,,,device,,,,,,,,,,,,,,,,,,,"; }
failed=$(cat "$COURSE_BUILD/failed")
[ -n "$csv" ] && { echo "$head"; row plain PASS; row fast "NOT IMPLEMENTED"; } >"$csv"
[ $device = emulated ] && { verdict "NOT IMPLEMENTED" 0 1; exit 3; }
case $failed in
end*) printf 'rows=1\nwrong=0\nfailed=%s\n' "${failed#end }" >"$file.rows"; exit 2 ;;
*) verdict WRONG 1; sed -i "s/^place=/failed=$failed\n&/" "$file"; exit 1 ;;
esac
END2
for failed in plain fast "end plain" "end fast" "end "; do
    echo "$failed" >"$folder/build/failed"
    status=1
    case $failed in end*) status=2 ;; esac
    case $failed in
    *plain) check $status "Right on the emulated device, not on the GPU." ;;
    *) check $status "The emulated device has not judged this: a TODO is unfilled."
        grep -q "Right on the emulated" out && fail "it was not judged: $(cat out)" ;;
    esac
done

# A kernel that never ends on the GPU.
echo '[ $device = emulated ] && { verdict PASS; exit 0; }; while :; do sleep 0.1; done' | behave
check 1 "The kernel ends on the emulated device"
grep -q 'WRONG: still running after 1 s' out || fail "not named: $(cat out)"

# A GPU program that cannot be built, and one that was not started because nothing is filled in.
echo 'echo "$device ran"; verdict PASS; exit 0' | behave
cat >bin/cmake <<'END'
#!/bin/sh
case $* in
*template_gpu* | *template_both*) echo "template.cu:3: error: no such thing"; exit 1 ;;
esac
END
check 2 "template.cu:3: error: no such thing"
grep -q 'emulated ran' out || fail "the emulated device has its turn: $(cat out)"

# Both programs are built at once. The emulated device's runs as soon as it is there.
cat >bin/cmake <<'END2'
#!/bin/sh
touch "$COURSE_BUILD"/emulated/ex77_*
case $* in
*template_both*)
    echo "Built target ex77_template_emulated"
    sleep 1
    touch "$COURSE_BUILD"/gpu/ex77_* "$COURSE_BUILD/compiled" ;;
esac
END2
echo '[ -e "$COURSE_BUILD/compiled" ] && echo "$device after" || echo "$device before"
    verdict PASS; exit 0' | behave
check 0 "emulated before"
grep -q '^gpu after' out || fail "the GPU waits for its program: $(cat out)"
# The log of the previous build also says so; it is not believed.
rm "$folder/build/compiled"
cp bin/cmake once && sed 's/^case/sleep 0.5; : >"$COURSE_BUILD"\/begun\n&/' once >bin/cmake
echo '[ -e "$COURSE_BUILD/begun" ] && echo "$device in time" || echo "$device early"
    verdict PASS; exit 0' | behave
check 0 "emulated in time"
# What is wrong there ends the other build, and so does a compiler's error, of which one message is
# shown.
rm "$folder/build/compiled"
echo 'echo "$device ran"; verdict WRONG 1; exit 1' | behave
check 1 "The GPU is not used until this is fixed"
[ -e "$folder/build/compiled" ] && fail "the build for the GPU went on"
cat >bin/cmake <<'END2'
#!/bin/sh
case $* in
*template_both*)
    echo "template.cu(3): error: as nvcc says it"
    echo "make[3]: *** [a.dir/build.make:71: emulated/template-1.o] Error 1"
    sleep 5
    touch "$COURSE_BUILD/compiled" ;;
*template_emulated*) echo "template.cu:3: error: as the emulated device says it" ;;
esac
exit 1
END2
check 2 "template.cu:3: error: as the emulated device says it"
grep -q nvcc out && fail "both messages are shown: $(cat out)"
[ -e "$folder/build/compiled" ] && fail "the build went on after an error"
echo "check on a GPU works"
