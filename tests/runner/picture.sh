# picture.sh COURSE EMULATED-CC FOLDER: ./course picture draws accesses whose pictures are known
# (picture.cu, picture.expected), for the solutions as many sectors and passes as the device has
# counted, and says what it cannot read.
. "$(dirname "$0")/functions.sh"
here=$(cd "$(dirname "$0")" && pwd) course=$1 compiler=$2 folder=$3
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 2
cp "$here/picture.cu" . || exit 2
"$compiler" picture.cu -o picture && CUDA_EMULATED_TRACE=trace.csv ./picture ||
    fail "the program does not run"
for line in 12 13 14 15 16 17 18 19 20 21 22 23 25; do
    "$course" picture --trace trace.csv --line $line >out || fail "line $line: $(cat out)"
    sed -n 's/\(^picture.cu:[0-9]*\):[0-9]*/\1/;/^Each sign/q;p' out \
        # columns differ among compilers
done >drawn
diff "$here/picture.expected" drawn || fail "these are not the pictures of picture.cu"
expect 0 "Drawn: drawn.svg" "$course" picture --trace trace.csv -o drawn.svg
grep -q "</svg>" drawn.svg || fail "the SVG has no end"
[ "$(grep -c 'class="waste"' drawn.svg)" -gt 200 ] ||
    fail "the picture shows no bytes that nobody asked for"

for ex in ex04 ex11; do
    expect 0 "Each sign is a word" "$course" picture $ex --solution
    ! grep -B 12 "the device counted" out ||
        fail "$ex: the picture has other sectors or passes than the counters"
    [ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ] || fail "$ex: wider than 80 columns"
done
line=$(sed -n '/s_b\[v\]\[u\] =/{=;q;}' "$here/../../ex11_small_mmm/solution.cu")
expect 0 "8 shared requests, 8 passes each" \
    "$course" picture ex11 --solution --kernel mmmBTransposed \
    --line "$line"

expect 2 "picture takes one exercise" "$course" picture
expect 2 "--line x: expected the number of a line" "$course" picture ex04 --line x
expect 2 "--event jump: expected load" "$course" picture ex04 --event jump
expect 2 "-o picture.png: expected the name of a file, FILE.svg" \
    "$course" picture ex04 -o picture.png
expect 2 "nothing to draw" "$course" picture --trace trace.csv --line 999
expect 2 "cannot" "$course" picture --trace none.csv
printf 'kernel,line\n' >other.csv
expect 2 "other.csv is not a trace" "$course" picture --trace other.csv
head -c "$(($(wc -c <trace.csv) - 40))" trace.csv >short.csv
expect 2 "this line is no part of a trace" "$course" picture --trace short.csv
sed '3s/load\|store/lood/' trace.csv >odd.csv
expect 2 "odd.csv:3: this line is no part of a trace" "$course" picture --trace odd.csv
exit 0
