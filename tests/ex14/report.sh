# report.sh BUILD: gcc appends to its report on the loops, so each compilation must begin with none:
# a mistake that is mended would be told of for ever.
build=$1 target=ex14_mutant_sequential_loop
report=$build/$target.loops
lines() { wc -l <"$report"; }
before=$(lines) || exit 2
[ "$before" -gt 0 ] || { echo "$report is empty"; exit 1; }
find "$build/CMakeFiles/${target}_acc.dir" -name '*.o' -exec rm {} +
"${2:-cmake}" --build "$build" --target ${target}_acc >/dev/null || exit 2
[ "$(lines)" -eq "$before" ] || { echo "$report has grown from $before to $(lines) lines"; exit 1; }
