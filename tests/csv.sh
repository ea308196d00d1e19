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

# A device that is always full stands in for a full disk: the temporary file is a link to it.
ln -s /dev/full "$folder/full.csv.partial"
output=$("$program" --csv "$folder/full.csv" 2>&1)
[ $? -eq 2 ] || fail "a full disk must give exit status 2"
case $output in *"cannot write"*"No space left"*) ;; *) fail "a full disk must be named: $output" ;; esac

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
