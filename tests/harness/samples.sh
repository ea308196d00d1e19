# samples.sh PROGRAM READER CLOCK FOLDER: how many samples a row of the CPU has, by how long its body takes and how much that
# varies, with a clock that a busy machine does not disturb.
program=$1 reader=$2 clock=$3 folder=$4
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 2
fail() { echo "$*"; cat out; exit 1; }
samples() {
    rm -f r.csv
    LD_PRELOAD="$clock" "$program" --csv r.csv --mistake "$@" >out || fail "the run failed"
    "$reader" r.csv samples
}
# Samples that agree within 1 % are enough once they have taken 0.3 s.
cp "$clock" clock.so && clock=./clock.so || exit 2 # LD_PRELOAD is a list with blanks between its names
steady=$(samples steady)
[ "$steady" -ge 3 ] && [ "$steady" -le 4 ] || fail "steady runs of 0.1 s: $steady samples"
grep -q 'run once' out && fail "that is more than one run"
unsteady=$(samples unsteady)
[ "$unsteady" -ge 6 ] && [ "$unsteady" -le 12 ] || fail "runs that vary are timed for a second: $unsteady samples"
[ "$(samples steady --repeat 5)" -eq 5 ] || fail "--repeat is what one asks for"
[ "$(samples none)" -eq 21 ] || fail "short runs cost nothing: 21 samples"
# A body that takes a second: one sample, after one run, and the table says so.
[ "$(samples long)" -eq 1 ] || fail "a long body has one sample"
grep -q 'PASS (run once)' out || fail "not said"
[ "$(samples long --repeat 2)" -eq 2 ] || fail "--repeat is what one asks for"
grep -q 'run once' out && fail "twice is not once"
echo "as many samples as are worth their time"
