# csv.sh PROGRAM FOLDER: what stands in a results file survives a second run, a full disk, and a folder
# that cannot be written.
program=$1 folder=$2
rm -rf "$folder" && mkdir -p "$folder" || exit 2
fail() { echo "$*"; exit 1; }

"$program" --csv "$folder/r.csv" >/dev/null || fail "first run failed"
"$program" --csv "$folder/r.csv" >/dev/null || fail "second run failed"
[ "$(wc -l <"$folder/r.csv")" -eq 3 ] || fail "expected a header and two rows"
[ "$(grep -c '^exercise,variant,device,size,verdict' "$folder/r.csv")" -eq 1 ] || fail "expected one header"
"$program" --mistake zero --csv "$folder/wrong.csv" >/dev/null
grep -q ',WRONG,,,' "$folder/wrong.csv" || fail "a wrong result must have no time"
ls "$folder" | grep -q partial && fail "a partial file was left"

# An editor may have left out the last line's end; a link leads to the file that is meant.
printf '%s' "$(cat "$folder/r.csv")" >"$folder/cut.csv"
ln -s cut.csv "$folder/link.csv"
"$program" --csv "$folder/link.csv" >/dev/null || fail "a run into a link failed"
[ -L "$folder/link.csv" ] || fail "the link was replaced"
[ "$(wc -l <"$folder/cut.csv")" -eq 4 ] || fail "expected a header and three rows behind the link"

# Several runs at once: each row gets there.
for i in 1 2 3 4; do
    for j in 1 2 3 4 5 6 7 8; do
        "$program" --csv "$folder/shared.csv" >/dev/null || touch "$folder/failed"
    done &
done
wait
[ -e "$folder/failed" ] && fail "a run beside others failed"
[ "$(wc -l <"$folder/shared.csv")" -eq 33 ] || fail "expected a header and 32 rows of 32 runs at once"
ls "$folder" | grep -q partial && fail "a partial file was left"

# What is no plain file is neither written to nor replaced.
mkfifo "$folder/fifo" && mkdir "$folder/folder" || exit 2
for name in fifo folder; do
    output=$("$program" --csv "$folder/$name" 2>&1)
    [ $? -eq 2 ] || fail "a $name must give exit status 2"
    case $output in *"it is not a file"*) ;; *) fail "a $name must be named: $output" ;; esac
done
[ -p "$folder/fifo" ] || fail "the fifo was replaced"

# A device that is always full stands in for a full disk: the temporary file is a link to it.
ln -s /dev/full "$folder/full.csv.partial"
output=$("$program" --csv "$folder/full.csv" 2>&1)
[ $? -eq 2 ] || fail "a full disk must give exit status 2"
case $output in *"cannot write"*"No space left"*) ;; *) fail "a full disk must be named: $output" ;; esac

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
