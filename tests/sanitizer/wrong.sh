# wrong.sh SANITIZER FOLDER: does sanitizer.sh fail where it should? With programs that stand for
# nvidia-smi, compute-sanitizer and a program of the course.
sanitizer=$1 folder=$2
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 2
fail() { echo "$*: $(cat out)"; exit 1; }
tool() { { echo '#!/bin/sh'; cat; } >"$1" && chmod +x "$1"; }
# expect STATUS WHAT
expect() {
    PATH=$PWD:$PATH sh "$sanitizer" /nowhere racecheck program >out 2>&1
    got=$?
    [ $got -eq "$1" ] || fail "$2: exit status $got instead of $1"
}
echo 'exit 1' | tool nvidia-smi
expect 77 "no GPU"
echo 'exit 0' | tool nvidia-smi
command -v compute-sanitizer >/dev/null 2>&1 || expect 77 "no compute-sanitizer"
echo 'echo "========= ERROR SUMMARY: 0 errors"' | tool compute-sanitizer
expect 0 "no error"
echo 'echo "========= RACECHECK SUMMARY: 3 hazards displayed (0 errors, 3 warnings)"' |
    tool compute-sanitizer
expect 0 "warnings"
echo 'echo "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)"' |
    tool compute-sanitizer
expect 1 "a hazard"
echo 'echo "========= ERROR SUMMARY: 0 errors"; echo "========= ERROR SUMMARY: 2 errors"' |
    tool compute-sanitizer
expect 1 "one rank of two"
echo 'echo PASS' | tool compute-sanitizer
expect 1 "no summary"
echo 'echo "========= ERROR SUMMARY: 0 errors"; exit 1' | tool compute-sanitizer
expect 1 "the program's own verdict"
echo 'echo "ex14: SKIPPED: no compiler"; echo "Target application terminated"; exit 1' |
    tool compute-sanitizer
expect 77 "a program that says why it cannot run"
echo 'exit 77' | tool compute-sanitizer
expect 77 "a program that is skipped"
