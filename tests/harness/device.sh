# device.sh PROGRAM READER FOLDER: results and verdicts of a program on the emulated device; the
# table's width.
program=$1 reader=$2 folder=$3
rm -rf "$folder" && mkdir -p "$folder" || exit 2
fail() { echo "$*"; exit 1; }

# A device row has counters and no time.
"$program" --only device --csv "$folder/r.csv" >/dev/null || fail "the run failed"
for column in median_s min_s max_s with_transfers_s limit_bytes_per_s fraction clock_hz; do
    "$reader" "$folder/r.csv" $column | grep -q . &&
        fail "$column of the emulated device must be empty"
done
"$reader" "$folder/r.csv" counters | grep -q 'sectors_per_request=3.99' ||
    fail "no counters: $(cat "$folder/r.csv")"
[ "$("$reader" "$folder/r.csv" place | sort -u)" = device ] || fail "the rows are the device's"

# What ends the program early, but is found, is a verdict.
for mistake in exitfound failed; do
    rm -f "$folder/v"
    "$program" --mistake $mistake --verdict "$folder/v" >/dev/null
    grep -qx 'verdict=WRONG' "$folder/v" || fail "$mistake: no verdict"
done
"$program" --mistake mayskip --verdict "$folder/v" >/dev/null || fail "a row that may be skipped"
grep -qx 'skipped=1' "$folder/v" || fail "the skipped row is not counted: $(cat "$folder/v")"

# Eighty columns.
for columns in 80 99; do
    COLUMNS=$columns "$program" | grep -E '^(CPU|Emu|    ) ' >"$folder/narrow"
    awk -v most=80 'length($0) > most { print; bad = 1 } END { exit bad }' "$folder/narrow" ||
        fail "$columns columns: the table is wider than 80"
done
for mistake in none purpose; do
    COLUMNS=100 "$program" --mistake $mistake | grep -E '^(CPU|Emu|    ) ' >"$folder/wide"
    awk 'length($0) > 100 { print; bad = 1 } END { exit bad || NR < 3 }' "$folder/wide" ||
        fail "the table is wider than 100: $(cat "$folder/wide")"
done
COLUMNS=100 "$program" | grep -q 'x 1 core' || fail "there is room for all columns"
COLUMNS=80 "$program" | grep -q 'x 1 core' && fail "there is no room for all columns"
echo "results and verdicts of a device"
