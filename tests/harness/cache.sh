# cache.sh PROGRAM FOLDER: with --cache the rows of the CPU are measured once, and again where
# anything differs that their times depend on.
program=$1 folder=$2
rm -rf "$folder" && mkdir -p "$folder" || exit 2
fail() { echo "$*"; cat "$folder/out"; exit 1; }
measured() { "$program" --cache "$folder/cache" "$@" >"$folder/out" 2>&1 ||
    fail "$*: the run failed"
    grep -q '(measured before)' "$folder/out" && fail "$*: must be measured"; true; }
kept() { "$program" --cache "$folder/cache" "$@" >"$folder/out" 2>&1 || fail "$*: the run failed"
    grep -q '(measured before)' "$folder/out" || fail "$*: must not be measured again"; }

measured
grep -q ' 998 elements' "$folder/out" || fail "a check has a size of its own"
[ "$(ls "$folder/cache" | wc -l)" -eq 1 ] || fail "one file is expected"
time=$(grep '^CPU  ' "$folder/out" | cut -c 42-90)
kept
[ "$(grep '^CPU  ' "$folder/out" | cut -c 42-90)" = "$time" ] ||
    fail "the time is not the one that was measured: $time"
grep -q 'PASS: only rows that were measured before' "$folder/out" || fail "no row was judged"
kept --csv "$folder/r.csv"
[ "$(wc -l <"$folder/r.csv")" -eq 1 ] ||
    fail "a row that was not measured must not be in the results"
measured --size 999
measured --seed 2
measured --mistake within
OMP_NUM_THREADS=1 measured --quick

# A wrong row is not kept.
"$program" --cache "$folder/cache" --mistake zero >/dev/null && fail "the mistake must be found"
"$program" --cache "$folder/cache" --mistake zero >/dev/null &&
    fail "the mistake must be found again"

# Records that cannot be read are measured again and replaced.
for file in "$folder"/cache/*; do echo rubbish >"$file"; done
measured
kept
for file in "$folder"/cache/*; do head -c -30 "$file" >"$folder/half"; cp "$folder/half" "$file"
done
measured
kept

# No folder: one line.
"$program" --cache "$folder/no/such/folder" >"$folder/out" 2>&1
[ $? -eq 2 ] || fail "a folder that cannot be made must give exit status 2"
"$program" --cache "$folder/half" >"$folder/out" 2>&1
[ $? -eq 2 ] || fail "a file in place of the folder must give exit status 2"
echo "what was measured is kept"
