# bound.sh COURSE FOLDER: ./course bound with programs whose counts are made up, so that each bound
# is known; where it may not be given; and that it says so when a recorded time is below it.
. "$(dirname "$0")/prelude.sh"
timings=$folder/source/solutions/timings/h200
mkdir -p "$timings" || exit 2
head=$old_columns
# row VARIANT SIZE SECONDS BYTES COUNTERS [PLACE], in the programs too
row='row() { echo "ex77_made_up,$1,device,$2,PASS,$3,,$4,,9e8,,,,,${6:-device},,,$5,,,,,,,,,,,,,,,,1000"; }'
eval "$row"
# A cache of 1000 bytes; a sum has moved 1e9 bytes a second, its copy 9e8.
{ echo "$head" && row sum 10 1e-3 1e6; } >"$timings/ex06.csv"
{ echo "$head" && row launch 1 1e-6 ""; } >"$timings/device.csv"
recorded() {
    echo "$head"
    row plain 1000 "$1" 10000
    row "two launches" 1000 2e-5 10000
    row steps 1000 2e-5 20000
    row small 100 2e-5 1000
    row jumps 1000 2e-5 10000
    row levels 1000 2e-5 10000
    row busy 1000 2e-5 ""
    row library 1000 2e-5 10000 "" library
}
recorded 2e-5 >"$timings/ex77.csv"
{
    echo "head='$head'"
    echo "$row"
    cat <<'END2'
echo "$arguments" >>"$COURSE_BUILD/calls"
n=10 more=0
case $arguments in *"--counting half"*) n=5 more=1 ;; esac
count="bytes_in=$((6 * n)) bytes_out=$((4 * n))"
{
    echo "$head"
    row plain $n "" $((10 * n)) "launches=1 $count"
    row "two launches" $n "" $((10 * n)) "launches=2 $count"
    row steps $n "" $((10 * n)) "launches=2 $count"
    row small $n "" $((10 * n)) "launches=1 $count"
    row jumps $n "" $((10 * n)) "launches=1 bytes_in=60 bytes_out=40"
    row levels $n "" $((10 * n)) "launches=$((3 - more)) $count"
    row busy $n "" "" "launches=1 $count"
    row library $n "" $((10 * n)) "launches=1 $count" library
    row new $n "" $((10 * n)) "launches=1 $count"
} >"${csv:-/dev/null}"
verdict PASS
END2
} | behave

# (6000 - 1000 + 4000 - 1000) / 1e9 s, and with two launches 2000 bytes less each way
expect 0 "| ex77 | plain | 1.00 | ≥ 8.00 µs | 20.00 µs | 0.40 |" \
    "$course" bound ex77 --solution --markdown
grep -qF "| ex77 | two launches | 1.00 | ≥ 6.00 µs | 20.00 µs | 0.30 |" out ||
    fail "two launches: $(cat out)"
while IFS='|' read -r name why; do
    grep -q "^| ex77 | $name | | $why" out || fail "$name: $(cat out)"
done <<'END2'
steps|recorded with another number of launches
small|all of it fits into the L2 cache
jumps|the count is not proportional
levels|launches depend on the size
busy|bound by something else
library|the accesses are a library's
new|not recorded with these options
END2
expect 0 ">=    8.00 us" "$course" bound ex77 --solution
[ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ] || fail "wider than 80 columns"

# A check shows it where all is right, in a line for each row that has a bound, and says nothing of
# the others. It reads the rows of the run that it shows, and adds one at half the size.
: >"$folder/build/calls"
expect 0 "  plain                                   1.00  >=    8.00 us     20.00 us" \
    "$course" check ex77 --device=emulated
[ "$(wc -l <"$folder/build/calls")" -eq 2 ] &&
    [ "$(grep -c -e '--counting half' "$folder/build/calls")" -eq 1 ] ||
    fail "a check runs the program for other things, too: $(cat "$folder/build/calls")"
[ "$(grep -c '>= ' out)" -eq 2 ] || fail "not the two rows that have a bound: $(cat out)"
[ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ] || fail "wider than 80 columns"
expect 0 "" "$course" check ex77 --device=emulated --size 7
! grep -q '>= ' out || fail "a bound of another size: $(cat out)"
cp ex77_made_up/behaviour right && sed 's/^verdict PASS/verdict WRONG 1; exit 1/' right | behave
expect 1 "" "$course" check ex77 --device=emulated
! grep -q '>= ' out || fail "a bound of what is wrong: $(cat out)"
behave <right && mv "$timings/ex77.csv" kept
expect 0 "" "$course" check ex77 --device=emulated
! grep -q '>= ' out || fail "a bound of what nobody has recorded: $(cat out)"
mv kept "$timings/ex77.csv"

# A recorded time below the bound: one of the two is wrong. A template may well be slower than that.
recorded 7e-6 >"$timings/ex77.csv"
expect 1 "a bound is above a recorded time" "$course" bound ex77 --solution
expect 0 ">=    8.00 us" "$course" bound ex77

# Nothing that is right, nothing to bound.
printf "verdict \"NOT IMPLEMENTED\" 0 1; echo \"%s\" >\"\$csv\"; exit 3\n" "$head" | behave
expect 0 "no row is right so far" "$course" bound ex77
expect 2 "bound needs an exercise" "$course" bound
expect 2 "bound takes no --quick" "$course" bound ex77 --quick
expect 2 "nothing has been recorded there" "$course" bound ex77 --on none
{ echo "$head" && row sum 10 1e-3 1000; } >"$timings/ex06.csv" # fits into the cache
expect 2 "state no rate of the memory" "$course" bound ex77
echo "all as expected"
