# faster.sh SOURCE: the table in solutions/ex16.md is the one that plots/faster.awk makes from the
# recorded timings; and of made-up timings it finds the sizes that it should.
cd "$1" || exit 2
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
bad=0

# rows EXERCISE "SIZE CPU DEVICE WITH"...: a results file.
rows() {
    columns=exercise,variant,device,size,verdict,median_s,min_s,bytes,flops,limit_bytes_per_s
    echo "$columns,fraction,with_transfers_s,max_error,parameters,place"
    exercise=$1; shift
    for point; do
        # shellcheck disable=SC2086
        set -- $point
        echo "$exercise,one core,C,$1,PASS,9e9,,,,,,,,,cpu"
        echo "$exercise,all cores,C,$1,PASS,$2,,,,,,,,,cpu"
        echo "$exercise,\"slow, plain\",D,$1,PASS,9e9,,,,,,9e9,,,device"
        echo "$exercise,fast,D,$1,PASS,$3,,,,,,$4,,,device"
        echo "$exercise,wrong,D,$1,WRONG,1e-9,,,,,,1e-9,,,device"
    done
}
rows ex77_made_up "100 1 2 8" "10000 1 0.5 4" "1000000 1 0.1 2" >"$folder/a.csv"
rows ex78_made_up "100 4 2 1" "1000 4 2 1" >"$folder/b.csv"
rows ex79_made_up "100 1 2 4" "300 1 0.5 2" >"$folder/c.csv" # crosses in the middle, in log-log
rows ex80_made_up "100 1 0.5 2" >"$folder/d.csv"
rows ex81_made_up "100 1 0.5 2" | grep -v ,cpu >"$folder/e.csv"
{ rows ex16_overhead "100 1 0.5 2" && rows ex82_made_up "100 1 0.5 2" |
    sed 's/PASS/SKIPPED/'; } >"$folder/f.csv" # solve no problem
rows ex83_made_up "100 1 0.5 2" | sed 's/,2,,,device/,2,,block=8x8,device/' >"$folder/g.csv" \
    # the same problem in other blocks
awk -f solutions/plots/faster.awk "$folder"/[a-g].csv >"$folder/table" || bad=1
grep -qE 'ex16|ex82' "$folder/table" && { echo "rows that are none"; bad=1; }
sizes='between 100 and 10 thousand | more than 1.0 million'
one_size='at the one size recorded | not at the one size recorded'
for line in "| ex77_made_up | 1.0 million | 10 | 0.50 | $sizes |" \
    '| ex78_made_up | 1.0 thousand | 2.0 | 4.0 | less than 100 | less than 100 |' \
    '| ex79_made_up | 300 | 2.0 | 0.50 | about 173 | more than 300 |' \
    "| ex80_made_up | 100 | 2.0 | 0.50 | $one_size |" \
    "| ex83_made_up | 100 | 2.0 | 0.50 | $one_size |" \
    '| ex81_made_up | | | | no row of the CPU recorded | |'; do
    grep -qxF "$line" "$folder/table" || { echo "no line: $line"; bad=1; }
done
[ "$(awk -v curve=ex77 -f solutions/plots/faster.awk "$folder/a.csv" | tail -n 1)" = \
    "1000000 10 0.5 1 " ] ||
    { echo "wrong curve"; bad=1; }
[ $bad -eq 0 ] || cat "$folder/table"

command=$(sed -n 's/^<!-- awk -f \(solutions.*\) -->$/\1/p' solutions/ex16.md)
# shellcheck disable=SC2086
eval "awk -f $command" >"$folder/now" || bad=1
sed -n '/^<!-- awk /,/^<!-- end -->/p' solutions/ex16.md | grep -v '^<!--' >"$folder/text"
cmp -s "$folder/now" "$folder/text" ||
    { echo "stale in solutions/ex16.md:"; diff "$folder/text" "$folder/now"; bad=1; }
exit $bad
