# samples.sh PROGRAM READER CLOCK FOLDER DEVICE_PROGRAM: how many samples a row has, by how long its
# body takes and how much that varies, with a clock that a busy machine does not disturb.
program=$1 reader=$2 clock=$3 folder=$4 onDevice=$5
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 2
fail() { echo "$*"; cat out; exit 1; }
samples() {
    rm -f r.csv
    LD_PRELOAD="$clock" "$program" --csv r.csv --mistake "$@" >out || fail "the run failed"
    "$reader" r.csv samples
}
# Samples that agree within 1 % are enough once they have taken 0.3 s.
cp "$clock" clock.so && clock=./clock.so ||
    exit 2 # LD_PRELOAD is a list with blanks between its names
steady=$(samples steady)
[ "$steady" -ge 3 ] && [ "$steady" -le 4 ] || fail "steady runs of 0.1 s: $steady samples"
grep -q 'run once' out && fail "that is more than one run"
unsteady=$(samples unsteady)
[ "$unsteady" -ge 3 ] && [ "$unsteady" -le 6 ] ||
    fail "runs that vary are timed for half a second: $unsteady samples"
[ "$(samples steady --repeat 5)" -eq 5 ] || fail "--repeat is what one asks for"
# Seven that differ by less than 3 % are enough, others cost little: 21.
[ "$(samples none)" -eq 7 ] || fail "seven that hardly differ are enough"
[ "$(samples alike)" -eq 7 ] || fail "seven within 2 % are enough"
[ "$(samples unlike)" -eq 21 ] || fail "short runs that differ by 5 % cost little: 21 samples"
# A body that takes a second: one sample, after one run, and the table states it.
[ "$(samples long)" -eq 1 ] || fail "a long body has one sample"
grep -q '(run once)' out || fail "not said"
[ "$(samples long --repeat 2)" -eq 2 ] || fail "--repeat is what one asks for"
grep -q 'run once' out && fail "twice is not once"
# The time that main.c computes before it verifies does not count for the variant.
samples ponder >count
"$reader" r.csv with_transfers_s | awk '{exit !($1 > 0 && $1 < 1)}' ||
    fail "the variant's own time has ended: $(cat r.csv)"
# In a check on a GPU the user waits for a row of the device: a tenth of a second, and no more than
# 7 samples. In bench it is not.
program=$onDevice
[ "$(samples unsteady --only device)" -ge 4 ] ||
    fail "bench measures a row of the device as it does one of the CPU"
[ "$(samples unsteady --only device --cache cache)" -eq 3 ] ||
    fail "a check waits too long for a row"
[ "$(samples none --only device --cache cache)" -eq 7 ] || fail "short runs cost nothing: 7 samples"
[ "$(samples steady --only device --cache cache --repeat 5)" -eq 5 ] ||
    fail "--repeat is what one asks for"
# The launches of a run, however often it was run.
samples launches --only device >count
[ "$("$reader" r.csv counters)" = launches=3 ] || fail "three launches each: $(cat r.csv)"
echo "as many samples as are worth their time"
