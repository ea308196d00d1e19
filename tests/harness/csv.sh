# csv.sh PROGRAM READER FOLDER: what stands in a results file survives a second run, a full disk, a
# folder that cannot be written, and links that lie in wait; names with commas and quotes come back
# as they were.
program=$1 reader=$2 folder=$3
rm -rf "$folder" && mkdir -p "$folder" || exit 2
fail() { echo "$*"; exit 1; }
nothingLeft() { ls "$folder"/*partial* 2>/dev/null && fail "a partial file was left $1"; }

"$program" --csv "$folder/r.csv" >/dev/null || fail "first run failed"
"$program" --csv "$folder/r.csv" >/dev/null || fail "second run failed"
[ "$(wc -l <"$folder/r.csv")" -eq 3 ] || fail "expected a header and two rows"
[ "$(grep -c '^exercise,variant,device,size,verdict' "$folder/r.csv")" -eq 1 ] ||
    fail "expected one header"
nothingLeft "after two runs"
[ "$("$reader" "$folder/r.csv" run | sort -u | wc -l)" -eq 2 ] || fail "two runs must be told apart"
for column in date host cpu compiler threads median_s min_s max_s samples place; do
    "$reader" "$folder/r.csv" $column | grep -q . || fail "$column is empty"
done
[ "$("$reader" "$folder/r.csv" place | sort -u)" = cpu ] || fail "the rows are the CPU's"

"$program" --mistake zero --csv "$folder/wrong.csv" >/dev/null
[ "$("$reader" "$folder/wrong.csv" verdict)" = WRONG ] || fail "a wrong row must say so"
for column in median_s min_s max_s with_transfers_s; do
    [ -z "$("$reader" "$folder/wrong.csv" $column)" ] ||
        fail "a wrong result must have no time: $column"
done

# The CPU is compared with the copy rate of its cores, if the arrays are larger than its caches.
[ -z "$("$reader" "$folder/r.csv" limit_bytes_per_s | sort -u)" ] ||
    fail "small arrays have no limit"
"$program" --size 9M --csv "$folder/large.csv" >/dev/null || fail "a large run failed"
"$reader" "$folder/large.csv" limit_bytes_per_s | grep -q '^[1-9]' || fail "the CPU has no limit"
"$reader" "$folder/large.csv" fraction | awk '{ exit !($1 > 0.001 && $1 < 3) }' ||
    fail "the fraction cannot be true"

# Names as they are.
for name in 'float4, two in flight' 'says "hello", twice' 'a "quote"'; do
    rm -f "$folder/name.csv"
    "$program" --name "$name" --variant "$name" --csv "$folder/name.csv" >/dev/null ||
        fail "--variant '$name' failed"
    [ "$("$reader" "$folder/name.csv" variant)" = "$name" ] ||
        fail "'$name' did not come back: $(cat "$folder/name.csv")"
done
grep -q ',"a ""quote""",' "$folder/name.csv" ||
    fail "a quote is doubled inside quotes: $(cat "$folder/name.csv")"

# What a row is stands in its parameters: the options that were given, but those that have their
# usual value, change no row, or are stated already.
while IFS='|' read -r wanted options; do
    rm -f "$folder/options.csv"
    # shellcheck disable=SC2086
    "$program" $options --csv "$folder/options.csv" >/dev/null || fail "$options failed"
    [ "$("$reader" "$folder/options.csv" parameters)" = "$wanted" ] ||
        fail "the parameters of $options are '$("$reader" "$folder/options.csv" parameters)'"
done <<'END2'
|--seed 1 --size 100 --repeat 3 --only cpu --mistake none --variant a
seed=2 block=32 grid=7 name=x|--name x --grid 7 --seed 2 --block 32
point=1 mistake=none seed=3|--mistake stated --seed 3
END2
"$program" --name 'two words' --csv "$folder/blank.csv" >/dev/null
[ "$("$reader" "$folder/blank.csv" parameters)" = "name=two_words" ] ||
    fail "a blank parts the parameters"
long=$(printf %400s x | tr ' ' x)
"$program" --name "$long" >/dev/null || fail "only a results file is too narrow"
"$program" --name "$long" --csv "$folder/long.csv" >/dev/null 2>"$folder/said"
[ $? -eq 2 ] && grep -q -e '--name: the value is too long for a results file' "$folder/said" &&
    [ ! -e "$folder/long.csv" ] ||
    fail "a long value: $(cat "$folder/said")"

# The reader: CRLF is read; too few fields and an open quote are errors.
sed 's/$/\r/' "$folder/r.csv" >"$folder/crlf.csv"
"$reader" "$folder/crlf.csv" l2_bytes >/dev/null || fail "CRLF was not read"
"$program" --csv "$folder/crlf.csv" >/dev/null || fail "a file with CRLF was not added to"
sed '2s/,/;/' "$folder/r.csv" >"$folder/few.csv"
"$reader" "$folder/few.csv" size >/dev/null && fail "a record with too few fields was read"
sed '2s/^/"/' "$folder/r.csv" >"$folder/open.csv"
"$reader" "$folder/open.csv" size >/dev/null && fail "a quote that is never closed was read"

# An editor may have left out the last line's end; a link leads to the file that is meant.
printf '%s' "$(cat "$folder/r.csv")" >"$folder/cut.csv"
ln -s cut.csv "$folder/link.csv"
"$program" --csv "$folder/link.csv" >/dev/null || fail "a run into a link failed"
[ -L "$folder/link.csv" ] || fail "the link was replaced"
[ "$(wc -l <"$folder/cut.csv")" -eq 4 ] || fail "expected a header and three rows behind the link"

# A link under an expected temporary name is not followed.
echo precious >"$folder/precious"
ln -s precious "$folder/r.csv.partial"
"$program" --csv "$folder/r.csv" >/dev/null || fail "a run beside a link failed"
[ "$(cat "$folder/precious")" = precious ] || fail "another file was overwritten through a link"
rm "$folder/r.csv.partial"

# Several runs at once: each row gets there.
for _ in 1 2 3 4; do
    for _ in 1 2 3 4 5 6 7 8; do
        "$program" --csv "$folder/shared.csv" >/dev/null || touch "$folder/failed"
    done &
done
wait
[ -e "$folder/failed" ] && fail "a run beside others failed"
[ "$(wc -l <"$folder/shared.csv")" -eq 33 ] ||
    fail "expected a header and 32 rows of 32 runs at once"
nothingLeft "after many runs"

# Only plain files are written to or replaced, and no results of another version.
mkfifo "$folder/fifo" && mkdir "$folder/folder" || exit 2
for name in fifo folder; do
    output=$("$program" --csv "$folder/$name" 2>&1)
    [ $? -eq 2 ] || fail "a $name must give exit status 2"
    case $output in *"it is not a file"*) ;; *) fail "a $name must be named: $output" ;; esac
done
[ -p "$folder/fifo" ] || fail "the fifo was replaced"
echo 'exercise,variant,device,size,verdict,median_s' >"$folder/old.csv"
output=$("$program" --csv "$folder/old.csv" 2>&1)
[ $? -eq 2 ] || fail "results of another version must give exit status 2"
case $output in *"another version"*) ;; *) fail "another version must be named: $output" ;; esac

# If no file can grow, as on a full disk, the old one stays.
before=$(cat "$folder/r.csv")
output=$(trap '' XFSZ; ulimit -f 0; "$program" --csv "$folder/r.csv" 2>&1)
[ $? -eq 2 ] || fail "a full disk must give exit status 2: $output"
case $output in *"cannot write"*"File too large"*) \
    ;; *) fail "a full disk must be named: $output" ;; esac
[ "$(cat "$folder/r.csv")" = "$before" ] || fail "a full disk changed the file"
nothingLeft "on a full disk"
output=$(trap '' XFSZ; ulimit -f 0; "$program" --csv "$folder/none.csv" 2>&1)
[ $? -eq 2 ] || fail "a full disk must give exit status 2: $output"
[ -e "$folder/none.csv" ] && fail "an empty file was left"

"$program" >/dev/full 2>/dev/null
[ $? -eq 2 ] || fail "a full standard output must give exit status 2"

# As root a folder's permissions do not bind, so this part is for everyone else.
if [ "$(id -u)" -ne 0 ]; then
    chmod a-w "$folder"
    output=$("$program" --csv "$folder/r.csv" 2>&1)
    status=$?
    chmod u+w "$folder"
    [ $status -eq 2 ] || fail "a read-only folder must give exit status 2"
    case $output in *"cannot write"*) ;; *) fail "a read-only folder must be named: $output" ;; esac
fi
echo "results files survive"
