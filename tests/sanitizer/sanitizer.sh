# sanitizer.sh FOLDER TOOL PROGRAM [options...]: runs a program under a tool of compute-sanitizer,
# the one on the PATH or else in FOLDER, nvcc's: exit status 0 if the program ends well and no
# process of it has an error. Warnings (racecheck has them for a warp's steps without a barrier) are
# shown. Exit status 77 where there is no GPU or no such tool.
PATH=$PATH:$1
tool=$2
shift 2
nvidia-smi -L >/dev/null 2>&1 || { echo "SKIPPED: no GPU"; exit 77; }
command -v compute-sanitizer >/dev/null 2>&1 || { echo "SKIPPED: no compute-sanitizer"; exit 77; }
output=$(mktemp) || exit 2
trap 'rm -f "$output"' EXIT
trap 'exit 1' HUP INT TERM
compute-sanitizer --tool "$tool" --target-processes all "$@" >"$output" 2>&1
status=$?
head -c 20000 "$output"
grep -qE '^ex[0-9]+: SKIPPED: ' "$output" &&
    exit 77 # the tool has a status of its own for a program that calls no CUDA
[ $status -eq 0 ] || [ $status -eq 77 ] ||
    { echo "WRONG: exit status $status under $tool"; exit 1; }
[ $status -eq 0 ] || exit 77
summaries=$(grep -E '^=+ (ERROR|RACECHECK) SUMMARY:' "$output")
[ -n "$summaries" ] || { echo "WRONG: $tool has no summary"; exit 1; }
bad=$(echo "$summaries" | grep -vE ' SUMMARY: 0 errors|displayed \(0 errors,')
[ -z "$bad" ] || { echo "WRONG: $bad"; exit 1; }
