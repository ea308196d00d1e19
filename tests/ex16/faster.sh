# faster.sh SOURCE: the table in solutions/ex16.md is what plots/faster.awk makes of the recorded timings; and of made-up
# timings it finds the sizes that it should.
cd "$1" || exit 2
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
bad=0

# rows EXERCISE "SIZE CPU DEVICE WITH"...: a results file.
rows() {
    echo "exercise,variant,device,size,verdict,median_s,min_s,bytes,flops,limit_bytes_per_s,fraction,with_transfers_s,max_error,parameters,place"
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
awk -f solutions/plots/faster.awk "$folder/a.csv" "$folder/b.csv" >"$folder/table" || bad=1
for line in '| ex77_made_up | about 1.0 thousand elements | more than 1.0 million elements |' \
    '| ex78_made_up | less than 100 elements | less than 100 elements |'; do
    grep -qxF "$line" "$folder/table" || { echo "no line: $line"; bad=1; }
done
[ "$(awk -v curve=ex77 -f solutions/plots/faster.awk "$folder/a.csv" | tail -n 1)" = "1000000 10 0.5" ] ||
    { echo "wrong curve"; bad=1; }
[ $bad -eq 0 ] || cat "$folder/table"

command=$(sed -n 's/^<!-- awk -f \(solutions.*\) -->$/\1/p' solutions/ex16.md)
# shellcheck disable=SC2086
eval "awk -f $command" >"$folder/now" || bad=1
sed -n '/^<!-- awk /,/^<!-- end -->/p' solutions/ex16.md | grep -v '^<!--' >"$folder/text"
cmp -s "$folder/now" "$folder/text" || { echo "stale in solutions/ex16.md:"; diff "$folder/text" "$folder/now"; bad=1; }
exit $bad
