# progress.sh PROGRAM OUTPUT: a terminal shows the progress, other outputs do not.
program=$1 output=$2
fail() { echo "$*"; exit 1; }
command -v script >/dev/null || { echo "SKIPPED: script (util-linux) is not installed"; exit 77; }
script -qec "'$program' --mistake slow --repeat 2" /dev/null >"$output" </dev/null ||
    fail "the run failed: $(cat "$output")"
grep -q 'running: the variant' "$output" ||
    fail "on a terminal the variant under way must be named: $(cat "$output")"
grep -q 'running: the variant, [0-9]* s, run 1 of 2' "$output" ||
    fail "after two seconds it must be counted: $(cat "$output")"
grep -q 'PASS' "$output" || fail "no verdict: $(cat "$output")"
"$program" >"$output" 2>&1
grep -q 'running' "$output" && fail "in a file there must be no progress: $(cat "$output")"
grep -q 'times:' "$output" && fail "nobody has asked for times: $(cat "$output")"
# The time that it took, if the user asks.
COURSE_TIMES=1 "$program" --mistake slow --repeat 1 >"$output" 2>&1
grep -q '^times: .* s: inputs and reference$' "$output" ||
    fail "no time of the inputs: $(cat "$output")"
grep -q '^times:  *[1-9][0-9.]* s: running: the variant$' "$output" ||
    fail "no time of the row: $(cat "$output")"
echo "what is under way shows on a terminal"
