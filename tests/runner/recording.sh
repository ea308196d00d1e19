# recording.sh COURSE FOLDER: what bench keeps, records, compares and goes on with. Scripts stand in
# for the programs and the GPU.
. "$(dirname "$0")/prelude.sh"
with_gpu
machine=a,b,c,d,e,f,1,1,1,g,h,1,1,1,1,1,700
# row EXERCISE VARIANT GPU SECONDS FRACTION [SIZE [LIMIT]]: a record.
row() { echo "$1,$2,$3,${6:-1000},PASS,$4,$4,8000,,${7:-4e12},$5,,0,,device,$4,5,,$machine"; }
# results FILE: a results file from standard input.
results() { { echo "$columns"; cat; } >"$1"; }
# The program writes the rows in the file rows-N of its N-th start, or the file rows.
cat >ex77_made_up/behaviour <<'END2'
case " $arguments " in *" --quick "*) echo quick ;; esac
n=$(cat starts 2>/dev/null || echo 0); n=$((n + 1)); echo $n >starts
echo "start $n: $arguments" | tee -a all_starts
from=rows; [ ! -e rows-$n ] || from=rows-$n
[ ! -e stop-$n ] || { rm stop-$n; kill -INT "$(cat pid)"; sleep 5; }
[ ! -e fail-$n ] || exit 2
[ -z "$csv" ] || if [ -e "$csv" ]; then tail -n +2 $from >>"$csv"; else cp $from "$csv"; fi
verdict PASS; exit 0
END2
kept=$folder/build/results/ex77.csv

# A bench keeps its rows, and adds them to --csv.
{ row ex77_made_up one "GPU A" 1e-3 0.80; row ex77_made_up two "GPU A" 2e-3 0.40; } | results rows
expect 0 "Results: all.csv" "$course" bench ex77 --csv all.csv
cmp -s rows "$kept" || fail "not kept: $(cat "$kept")"
expect 0 "" "$course" bench ex77 --csv all.csv
[ "$(wc -l <all.csv)" -eq 5 ] || fail "two runs make four rows: $(cat all.csv)"
# Of two that add to the same file at once, one waits for the other.
if command -v flock >/dev/null; then
    cp all.csv both.csv
    flock both.csv sh -c \
        'cp both.csv new.csv; : >held; sleep 2; tail -n 1 both.csv >>new.csv; mv new.csv both.csv' &
    until [ -e held ]; do sleep 0.05; done
    expect 0 "Results: both.csv" "$course" bench ex77 --csv both.csv
    wait
    [ "$(wc -l <both.csv)" -eq 8 ] ||
        fail "a row of the other's or two of ours are lost: $(cat both.csv)"
fi
expect 0 "" "$course" bench ex77 --quick
[ -e "$folder/build/results-quick/ex77.csv" ] || fail "small sizes are kept apart"
[ -z "$(ls "$folder"/build/results*/*.new 2>/dev/null)" ] || fail "something is left over"
echo foreign >foreign.csv
rm starts
expect 2 "cannot add results to foreign.csv: it does not hold results" \
    "$course" bench ex77 --csv foreign.csv
[ ! -e starts ] && [ "$(cat foreign.csv)" = foreign ] || fail "that is known before anything runs"

# The comparison: fractions; of the same model, or of the nearest.
mkdir -p solutions/timings/a100 solutions/timings/b200
{ row ex77_made_up one "GPU A" 1e-3 0.81; row ex77_made_up two "GPU A" 2e-3 0.44; } |
    results solutions/timings/a100/ex77.csv
{ row ex77_made_up one "GPU B" 1e-3 0.80 1000 8e12
row ex77_made_up two "GPU B" 2e-3 0.40 1000 8e12; } | results solutions/timings/b200/ex77.csv
expect 1 "      0.440       0.400    -9.1 %  slower" "$course" bench ex77 --compare
grep -qF 'Compared with GPU A (solutions/timings/a100):' out || fail "not said: $(cat out)"
grep -qF '1 of 2 rows is more than 5 % slower than recorded' out || fail "not said: $(cat out)"
grep 'ex77  one' out | grep -q slower && fail "1.2 % is no reason"
expect 0 "No row is more than 5 % slower" "$course" bench ex77 --compare b200
grep -qF 'which copies 8000 GB/s; this is GPU A, which copies 4000 GB/s' out ||
    fail "not said: $(cat out)"
expect 1 "slower" "$course" bench ex77 --compare=solutions/timings/a100/ex77.csv
expect 1 "slower" "$course" bench --compare ex77
sed -i 's/GPU A/GPU C/; s/4e12/7e12/' rows
expect 0 "Compared with GPU B" "$course" bench --compare
sed -i 's/7e12/5e12/' rows
expect 1 "Compared with GPU A" "$course" bench --compare
# Without a fraction by the time, and only with the same model.
{ row ex77_made_up one "GPU A" 2e-3 ""; } | results rows
{ row ex77_made_up one "GPU A" 1e-3 ""; row ex77_made_up two "GPU A" 2e-3 0.44; } |
    results solutions/timings/a100/ex77.csv
expect 1 "1.000 ms    2.000 ms   -50.0 %  slower" "$course" bench --compare a100
{ row ex77_made_up one "GPU Z" 2e-3 ""; } | results rows
expect 2 "none of these rows is recorded" "$course" bench --compare a100
# A row of a few microseconds is mostly its launch: it is marked and does not count as slow.
{ row ex77_made_up one "GPU A" 8e-6 0.40; row ex77_made_up two "GPU A" 30e-6 0.44; } | results rows
{ row ex77_made_up one "GPU A" 4e-6 0.80; row ex77_made_up two "GPU A" 30e-6 0.44; } |
    results solutions/timings/a100/ex77.csv
expect 0 "No other row is more than 5 % slower" "$course" bench --compare a100
grep -qF '1 of the 1 rows below 20 us a launch is more than 5 % slower, which says little' out ||
    fail "not said: $(cat out)"
grep 'ex77  one' out | grep -q slower && fail "so brief a row is never marked"
# The same holds for one of many launches.
sed -i 's/0.44/0.22/' rows
cp rows rows.of_one && sed -i 's/,30e-6,5,,/,30e-6,5,launches=2,/' rows
expect 0 "2 of the 2 rows below 20 us a launch are more" "$course" bench --compare a100
mv rows.of_one rows
expect 1 "1 of 1 other rows is more than 5 % slower than recorded" "$course" bench --compare a100
# A row that was recorded with another size or other work is no counterpart.
{ row ex77_made_up one "GPU A" 1e-3 ""; row ex77_made_up two "GPU A" 2e-3 0.44; } |
    results solutions/timings/a100/ex77.csv
{ row ex77_made_up two "GPU A" 2e-3 0.2 999; } | results rows
expect 2 "none of these rows is recorded with this size" "$course" bench --compare a100
for options in "function=sine" "type=double"; do # in the column of the parameters
    row ex77_made_up two "GPU A" 2e-3 0.2 | sed "s/,,device,/,$options,device,/" | results rows
    expect 2 "none of these rows is recorded with this size and these options" \
        "$course" bench --compare a100
done
# Of several recordings of a row the nearest counts.
{ row ex77_made_up two "GPU A" 2e-3 0.9; row ex77_made_up two "GPU A" 2e-3 0.41; } |
    results solutions/timings/a100/ex77_again.csv
{ row ex77_made_up two "GPU A" 2e-3 0.4; } | results rows
expect 0 "      0.410       0.400    -2.4 %" "$course" bench --compare a100
rm solutions/timings/a100/ex77_again.csv
# A slow row is measured again, and is named if it is slow both times. The file keeps the first
# time.
{ row ex77_made_up two "GPU A" 2e-3 0.41; } | results solutions/timings/a100/ex77.csv
{ row ex77_made_up two "GPU A" 3e-3 0.30; } | results rows-1
rm starts
expect 0 "No row is more than 5 % slower" "$course" bench --compare a100
grep -qF 'ex77 has a row slower than recorded, measured again' out || fail "not said: $(cat out)"
cmp -s rows-1 "$kept" || fail "the results are those of the first run: $(cat "$kept")"
[ ! -e "$kept.again" ] || fail "the second run leaves a file"
rm starts rows-1
{ row ex77_made_up two "GPU A" 3e-3 0.30; } | results rows
expect 1 "1 of 1 rows is more than 5 % slower than recorded" "$course" bench --compare a100
rm starts
expect 2 "--compare c300: there is no such file or folder; recorded are: a100, b200" \
    "$course" bench --compare c300
expect 2 "--compare= needs a value" "$course" bench --compare=
[ ! -e starts ] || fail "that is known before anything runs"

# Others' measurements at unknown sizes stand beside the fastest row and are not compared.
{ row ex77_made_up one "GPU A" 1e-3 0.80; row ex77_made_up two "GPU A" 5e-4 0.40; } | results rows
{ row ex77_made_up "their sum" "K20x (2012)" 1e-9 "" 1 ""
row ex77_made_up "their sum" "T10 (2008)" 2e-9 "" 1 ""
  row ex78_other sum "T10 (2008)" 2e-9 "" 1 ""; } | results solutions/timings/quoted.csv
quoted="Quoted by the course, not measured, ex77 in GB/s"
expect 0 "$quoted: 0.016 here (two), K20x (2012) 8000, T10 (2008) 4000" \
    "$course" bench --compare b200
grep -q 'ex78\|their sum' out && fail "nothing of the sort was run: $(cat out)"
: >solutions/timings/quoted.csv
expect 0 "left out: $folder/source/solutions/timings/quoted.csv is empty" \
    "$course" bench --compare b200
rm solutions/timings/quoted.csv

# Files without results: a line each.
{ row ex77_made_up two "GPU A" 2e-3 0.44; } | results rows
: >empty.csv
head -c -5 rows >cut.csv
sed '2s/0.44/0,44/' rows >fields.csv
sed '2s/,2e-3/,2e-3x/' rows >figure.csv
sed '2s/PASS/FINE/' rows >verdict.csv
sed '2s/^/"/' rows >quote.csv
sed 's/,l2_bytes//; s/,1,1,1,1,1,700$//' rows >version.csv
{ cat rows; printf 'a\0b\n'; } >zero.csv
mkdir folder.csv
while IFS='|' read -r file text; do
    expect 2 "$text" "$course" bench ex77 --compare $file
    [ "$(grep -c '^course: ' out)" -eq 1 ] || fail "one line: $(cat out)"
done <<'END2'
empty.csv|empty.csv is empty
cut.csv|row 1: 34 fields instead of 35: cut short?
fields.csv|row 1: 36 fields instead of 35
figure.csv|row 1: median_s is '2e-3x', which is no number
verdict.csv|row 1: there is no verdict 'FINE'
quote.csv|row 1: a quote is never closed
version.csv|holds results of another version
zero.csv|zero bytes
foreign.csv|does not hold results
folder.csv|there are no results in folder.csv
END2

# A file of a version that knew no power limit is read, but not added to.
sed 's/,power_limit_w$//; s/,700$//' rows >older.csv
expect 0 "No row is more than 5 % slower" "$course" bench ex77 --compare older.csv
expect 2 "cannot add results to older.csv: it is of another version of the course" \
    "$course" bench ex77 --csv older.csv
sed '2s/$/,700/' older.csv >longer.csv
expect 2 "row 1: 35 fields instead of 34" "$course" bench ex77 --compare longer.csv

# A recording: its files, its options, several runs in one file; wrong rows are not recorded.
cat >solutions/recordings.txt <<'END2'
# a comment
device      2
ex77        1
ex77_sweep  2  --sweep
ex77_sweep  2  --sweep --size 2^9
END2
for device in gpu emulated; do
    sed "s/ex77_template/device_costs/" "$folder/build/$device/ex77_template" \
        >"$folder/build/$device/device_costs"
    cat >"$folder/build/$device/device_info" <<'END'
#!/bin/sh
echo "Device 0: GPU A"
echo "  PCI bus:                            0000:01:00.0"
END
    chmod +x "$folder/build/$device/"device_*
done
rm -f starts
expect 0 "Recorded: " "$course" bench --record node
grep -q 'course: ex77_sweep, 3 of 3, about [0-9]* s left' out || fail "the time left: $(cat out)"
[ "$(ls node)" = "device.csv
device.txt
ex77.csv
ex77_sweep.csv" ] || fail "other files: $(ls node)"
[ "$(wc -l <node/ex77_sweep.csv)" -eq 3 ] || fail "two runs, one file: $(cat node/ex77_sweep.csv)"
expect 0 "" "$course" bench --record node2 ex77
[ ! -e node2/device.csv ] || fail "the device was not asked for"
sed -i '$s/.*/nonsense/' solutions/recordings.txt
expect 2 "expected a name, seconds and options, not 'nonsense'" "$course" bench --record node
sed -i '$d' solutions/recordings.txt

# An interruption: finished pieces stay, the rest follows.
rm -rf starts node; : >stop-3
sh -c 'echo $$ >pid; exec "$0" bench --record node --compare a100' "$course" >out 2>&1
[ $? -eq 130 ] || fail "it was not interrupted: $(cat out)"
[ -e node/ex77.csv ] && [ ! -e node/ex77_sweep.csv ] || fail "what is done is kept: $(ls node)"
expect 2 "--resume stands alone" "$course" bench --resume --quick
expect 0 "ex77_sweep, 3 of 3" "$course" bench --resume
grep -q 'ex77, 2 of 3' out && fail "that was done: $(cat out)"
[ "$(cat starts)" -eq 4 ] || fail "one run was left: $(cat starts)"
grep -q 'Compared with' out || fail "the bench goes on as it began: $(cat out)"
expect 2 "no bench was interrupted" "$course" bench --resume
# The same on a machine without a GPU, where the sizes are not those for a GPU.
(
    rm -rf starts node bin/nvidia-smi "$folder/build/has_gpu_programs"
    : >stop-3
    [ ! -e /dev/nvidia0 ] || exit 0
    sh -c 'echo $$ >pid; exec "$0" bench --record node' "$course" >out 2>&1
    [ $? -eq 130 ] || fail "it was not interrupted: $(cat out)"
    [ -e node/ex77.csv ] && [ ! -e node/ex77_sweep.csv ] || fail "what is done is kept: $(ls node)"
    expect 0 "ex77_sweep, 3 of 3" "$course" bench --resume
    [ "$(cat starts)" -eq 4 ] && [ -e node/ex77_sweep.csv ] ||
        fail "one run was left: $(cat starts)"
    cp solutions/recordings.txt before.txt
    printf '%s\n' 'ex77_one 2 --sweep one --size 2^26 --only device' 'ex77_two 2 --size 2^28' \
        'ex77_two 2 --steps 1000' 'ex77_three 2 --sweep --size 2^9' >>solutions/recordings.txt
    sed -i 's/^ex77  .*/ex77 1 --n 4096\nex77 1 --n 8192/' solutions/recordings.txt
    rm -f all_starts
    expect 0 "ex77_one, 4 of 5" "$course" bench --record node
    grep -q -e '--sweep one --only device' all_starts || fail "the sweep: $(cat all_starts)"
    grep -q -e '--size' -e '--steps' -e '--n ' all_starts &&
        fail "a size for a GPU: $(cat all_starts)"
    [ "$(grep -c 'start [0-9]*: --csv' all_starts)" -eq 2 ] ||
        fail "the device and the exercise, once each: $(cat all_starts)"
    [ ! -e node/ex77_two.csv ] && [ -e node/ex77_three.csv ] || fail "$(ls node)"
    mv before.txt solutions/recordings.txt
) || exit 1
with_gpu
# One that fails is tried again.
rm -rf starts node; : >fail-2
expect 2 "1 of 3 failed; ./course bench --resume tries them again" "$course" bench --record node
[ ! -e node/ex77.csv ] || fail "it failed"
expect 0 "ex77, 3 of 3" "$course" bench --resume
[ "$(cat starts)" -eq 4 ] || fail "only that one: $(cat starts)"
# A state that is not whole.
rm -f starts; : >fail-2
expect 2 "1 of 3 failed" "$course" bench --record node
printf 'course-bench 1\nword --rec' >"$folder/build/bench.unfinished"
expect 2 "bench.unfinished is damaged" "$course" bench --resume
rm "$folder/build/bench.unfinished"

# A limit of time: tables before sweeps, and no sweep that would take longer than what is left; the
# rest by --resume.
cp solutions/recordings.txt before.txt
printf 'device 1\nex77_long 1000\nex77_longer 3\nex77_short 1\nex77 1\n' >solutions/recordings.txt
sed -i 's/^verdict PASS/[ ! -e slow ] || sleep "$(cat slow)"; verdict PASS/' ex77_made_up/behaviour
rm -rf starts node fail-*; echo 1 >slow
expect 0 "course: no time left for ex77_long; ./course bench --resume runs the rest" \
    "$course" bench --record node --within 1
[ "$(grep -c -e 'device, 1 of 5' -e 'ex77, 2 of 5' -e 'ex77_short, 3 of 5' \
    -e 'ex77_longer, 4 of 5' out)" -eq 4 ] ||
    fail "tables first, then the shortest: $(cat out)"
grep -q 'min left' out && fail "never more than a minute is left: $(cat out)"
[ "$(cat starts)" -eq 4 ] && [ ! -e node/ex77_long.csv ] || fail "four in a minute: $(ls node)"
echo 0 >slow
expect 0 "ex77_long, 5 of 5" "$course" bench --resume
[ -e node/ex77_long.csv ] || fail "the rest: $(ls node)"
expect 2 "no bench was interrupted" "$course" bench --resume
# One that takes longer than expected is ended then, and is not done.
rm -rf starts node; echo 30 >slow
started=$(date +%s)
expect 77 "no time left for device, ex77_long, ex77_longer, ex77_short, ex77;" \
    "$course" bench --record node --within 0.1
[ $(($(date +%s) - started)) -lt 15 ] || fail "not ended"
[ "$(cat starts)" -eq 1 ] && [ "$(ls node)" = device.txt ] || fail "nothing is done: $(ls node)"
rm slow "$folder/build/bench.unfinished"
# What building and whatever came before this program in its process take counts, and the comparison
# and what is left stand at the end, also where time was short.
printf 'device 1\nex77 1\nex77_long 60\nex77_longer 20\n' >solutions/recordings.txt
{ row ex77_made_up two "GPU A" 2e-3 0.44; } | results solutions/timings/a100/ex77.csv
mkdir -p runner/view && : >runner/view/report.css
cp bin/cmake bin/cmake.quick
echo '[ ! -e slow_build ] || sleep "$(cat slow_build)"' >>bin/cmake
rm -rf starts node; echo 6 >slow_build; echo 1 >slow
started=$(date +%s)
sh -c 'sleep 2; exec "$0" bench --record node --compare a100 --report=page.html --within 0.5' \
    "$course" >out 2>&1
took=$(($(date +%s) - started))
grep -q 'Compared with GPU A' out && [ -s page.html ] ||
    fail "what is there is compared and shown: $(cat out)"
[ "$(tail -1 out)" = \
    "course: no time left for ex77_long, ex77_longer; ./course bench --resume runs the rest" ] ||
    fail "what is left is said last: $(cat out)"
[ $took -lt 31 ] && [ "$(cat starts)" -eq 2 ] ||
    fail "two programs after 14 seconds of configuring and building, not $(cat starts)" \
        "in $took s: $(cat out)"
rm -rf starts node "$folder/build/bench.unfinished"; echo 30 >slow_build
started=$(date +%s)
expect 2 "no time left for device, ex77, ex77_long, ex77_longer; ./course bench --resume" \
    "$course" bench --record node --within 0.05
grep -q 'the time is up before the programs are built' out || fail "not said: $(cat out)"
[ $(($(date +%s) - started)) -lt 15 ] && [ ! -e starts ] ||
    fail "the build was not ended: $(cat out)"
echo 0 >slow_build; echo 0 >slow
expect 0 "ex77_longer, 4 of 4" "$course" bench --resume
mv bin/cmake.quick bin/cmake
# One that is ended from outside leaves no half of a file.
for signal in TERM HUP; do
    rm -rf starts node; echo 30 >slow
    sh -c 'echo $$ >pid; exec "$0" bench --record node' "$course" >out 2>&1 &
    for _ in $(seq 80); do
        [ -z "$(ls node/*.new 2>/dev/null)" ] || break
        sleep 0.25
    done
    [ -n "$(ls node/*.new)" ] || fail "it has not begun: $(cat out)"
    kill -$signal "$(cat pid)"
    wait $!
    [ -z "$(ls node/*.new 2>/dev/null)" ] || fail "left behind: $(ls node)"
done
rm slow "$folder/build/bench.unfinished"; mv before.txt solutions/recordings.txt
while IFS='|' read -r words text; do
    expect 2 "--within: expected minutes, not '$text'" "$course" bench --record node $words
done <<'END2'
--within ten|ten
--within=|
--within -1|-1
END2

# Two at once: one after the other.
echo 1 >slow
"$course" bench ex77 >first 2>&1 &
sleep 0.3
expect 0 "waiting for another bench" "$course" bench ex77
wait $!
cmp -s rows "$kept" || fail "mixed: $(cat "$kept")"

# The bars of a curve show one quantity, also where only some of its points have a limit.
mkdir -p solutions/timings/c400
{ row ex77_made_up one "GPU A" 1e-6 "" 1000; row ex77_made_up one "GPU A" 2e-6 0.50 2000; } |
    results solutions/timings/c400/ex77_sweep.csv
expect 0 "one: rate; longest bar: 8 GB/s" "$course" recorded ex77 --sweep --on c400
grep -q 'size=2000 .* 4 ################$' out ||
    fail "4 GB/s are half of the longest bar: $(cat out)"
sed -i 's/,8000,,/,,8000,/' solutions/timings/c400/ex77_sweep.csv
expect 0 "one: rate; longest bar: 8 GFLOP/s" "$course" recorded ex77 --sweep --on c400
echo "bench keeps, compares, records and resumes"
