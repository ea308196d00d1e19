# forecast.sh COURSE FOLDER: the time on a GPU that a check without one shows, with programs whose
# counts are made up, so that each time is known; and where it may not be shown.
. "$(dirname "$0")/prelude.sh"
timings=$folder/source/solutions/timings
mkdir -p "$timings/h200" || exit 2
head=$old_columns
# row VARIANT SIZE SECONDS COUNTERS [PARAMETERS], in the programs too
row='row() {
    row_bytes=$((8 * $2))
    echo "ex77_made_up,$1,device,$2,PASS,$3,,$row_bytes,,,,,,${5:-},device,,,\"$4\",,,,,,,,,,,,,,,,"
}'
eval "$row"
{
    echo "$head"
    for variant in copy far follows link; do row $variant 1000000000 2e-3 ""; done
    row beside 1000000000 2e-3 "" streams=2
} >"$timings/h200/ex77.csv"
forecasts() {
    echo exercise,variant,parameters,forecast_s,recorded_s
    printf 'ex77,"%s","",%s,2e-3\n' copy 1.5e-3 far "$1" follows 1.5e-3 link 3e-3
    echo 'ex77,"beside","streams=2",3e-3,2e-3'
}
forecasts 4.1e-3 >"$timings/forecasts.csv"
{
    echo "head='$head'"
    echo "$row"
    cat <<'END2'
echo "$arguments $CUDA_EMULATED_MULTIPROCESSORS" >>"$COURSE_BUILD/calls"
n=10000 blocks=128 options=
case $arguments in *"--grid 7"*) options=grid=7 ;; esac
case $arguments in *"--counting half"* | *"--size 10000"*) n=5000 blocks=16 ;; esac
zeros() { printf ',0%.0s' $(seq "$1"); }
# launches, blocks, warps, threads; then bytes in and out, or atomics on one address
copy="name,1,10,40,128$(zeros 15),$((4 * n)),$((4 * n))$(zeros 19);"
{
    echo "$head"
    row copy $n "" "launches=1 work=$copy" $options
    row far $n "" "launches=1 work=$copy"
    row new $n "" "launches=1 work=$copy"
    sum="sum,1,$blocks,$((8 * blocks)),256$(zeros 23),$((2000 * blocks))$(zeros 12);"
    row follows $n "" "launches=1 work=$sum"
    link="page_locked_copy_to_device,1$(zeros 18),$((4 * n))"
    row link $n "" "work=$link$(zeros 20);"
    row beside $n "" "work=$link$(zeros 18),2e-6,1e-6;" streams=2
} >"${csv:-/dev/null}"
verdict PASS
END2
} | behave

# 8e9 bytes, of which L2 keeps none, at 0.985 of 4.8e12 a second
check() { "$course" check ex77 --device=emulated "$@"; }
expect 0 \
    "  copy                               about   1.692 ms (yours),   1.500 ms (solution): memory" \
    check
grep -qF "On an H200 at size 1000000000, by a model, and what limits it:" out ||
    fail "no head: $(cat out)"
# 16 blocks on 2 multiprocessors are 1056 on 132, and each adds 2000 times to one address: 0.73 ns
grep -q "  follows  *about *1.542 ms (yours), .*: atomics$" out ||
    fail "a grid that follows: $(cat out)"
# 4e9 bytes at 55e9 a second
grep -q "  link  *about *72.734 ms (yours), .*: copies$" out || fail "a copy: $(cat out)"
# half of it while something else runs; below the parameters of its row
grep -A 1 '^streams=2$' out | grep -q "  beside  *about *36.370 ms (yours), .*: copies$" ||
    fail "a copy beside others: $(cat out)"
[ "$(grep -c ' about ' out)" -eq 4 ] ||
    fail "a row without a solution's forecast, or one that is far off: $(cat out)"
[ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 100 ] || fail "wider than 100 columns"
[ "$(wc -l <"$folder/build/calls")" -eq 2 ] &&
    grep -q -e '--counting half .* 2$' "$folder/build/calls" ||
    fail "not one more run, on 2 multiprocessors: $(cat "$folder/build/calls")"
forecasts 3.9e-3 >"$timings/forecasts.csv"
expect 0 "  far                                about   1.692 ms (yours)" check
expect 0 "      memory          1.692 ms  moving data from and to memory" check --verbose
# a copy of 4e9 bytes has two launches besides
expect 0 "      without that limit: about 6.60 us" check --verbose
expect 0 "  copy                               about   1.692 ms (model),   2.000 ms (recorded)" \
    check --solution

# Nothing of another size, of what is wrong, or of what nobody has recorded.
expect 0 "" check --size 7
! grep -q ' about ' out || fail "a time of another size: $(cat out)"
cp ex77_made_up/behaviour right && sed 's/^verdict PASS/verdict WRONG 1; exit 1/' right | behave
expect 1 "" check
! grep -q ' about ' out || fail "a time of what is wrong: $(cat out)"
behave <right && mv "$timings/h200/ex77.csv" kept
expect 0 "" check
! grep -q ' about ' out || fail "a time of what nobody has recorded: $(cat out)"
mv kept "$timings/h200/ex77.csv"

# With a GPU, whose measured times stand in its own table, only on request
with_gpu
expect 0 "" "$course" check ex77
! grep -q ' about ' out || fail "a time of the model, where one is measured: $(cat out)"
expect 0 "  copy                               about   1.692 ms (yours)" \
    "$course" check ex77 --verbose
rm bin/nvidia-smi "$folder/build/has_gpu_programs"

expect 2 "bound is gone: ./course check" "$course" bound ex77
printf 'ex77 --size 20000 | --size 10000\nex77 + --grid 7\n' >"$timings/forecast_runs.txt"
: >"$folder/build/calls"
expect 0 "| ex77 | copy | 1.692 ms | 2.000 ms | 0.85 | dram |" "$course" forecasts ex77
grep -q -e '--size 20000' "$folder/build/calls" &&
    grep -q -e '--size 10000.* 2$' "$folder/build/calls" ||
    fail "not the sizes of forecast_runs.txt: $(cat "$folder/build/calls")"
expect 0 'ex77,"copy","",0.00169,0.002' "$course" forecasts --usual ex77
# The sweeps' rows: copy at another size, and with the options of the second line
{
    echo "$head"
    row copy 500000000 1e-3 ""
    row copy 1000000000 2e-3 "" grid=7
    row copy 1000000000 2e-3 "" grid=8
} >"$timings/h200/ex77_sweep.csv"
: >"$folder/build/calls"
expect 0 "| from ex26 on: the fit has never seen them | 5 | 23 % | 60 % |" \
    "$course" forecasts --fit ex77
grep -qF "| all of these in sweeps, at other sizes and with other options | 2 | " out ||
    fail "the rows of sweeps: $(cat out)"
[ "$(grep -c -e '--grid 7' "$folder/build/calls")" -eq 2 ] ||
    fail "not two more runs with the options of a sweep: $(cat "$folder/build/calls")"
echo "all as expected"
