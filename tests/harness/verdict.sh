# verdict.sh PROGRAM FOLDER: the file that --verdict names is there after every verdict, and only
# then.
program=$1 folder=$2
rm -rf "$folder" && mkdir -p "$folder" || exit 2
fail() { echo "$*"; exit 1; }
expect() { # STATUS LINES OPTIONS...
    status=$1 lines=$2
    shift 2
    rm -f "$folder/v"
    "$program" --verdict "$folder/v" "$@" >"$folder/out" 2>&1
    got=$?
    [ $got -eq "$status" ] ||
        fail "$*: exit status $got where $status is expected: $(cat "$folder/out")"
    [ "$(head -n 1 "$folder/v")" = 'course-verdict 1' ] || fail "$*: no head: $(cat "$folder/v")"
    [ "$(tail -n 1 "$folder/v")" = end ] || fail "$*: no end: $(cat "$folder/v")"
    for line in $lines; do
        grep -qx "$(echo "$line" | tr _ ' ')" "$folder/v" ||
            fail "$*: no line '$line': $(cat "$folder/v")"
    done
}
none() { # OPTIONS...
    rm -f "$folder/v"
    "$program" --verdict "$folder/v" "$@" >/dev/null 2>&1
    [ -e "$folder/v" ] && fail "$*: there must be no verdict: $(cat "$folder/v")"
    [ -z "$(find "$folder" -name '*partial*')" ] || fail "$*: a partial file was left"
}

expect 0 'verdict=PASS rows=1 judged=1 wrong=0 unfilled=0 skipped=0 todos= place='
grep -qx 'failed=' "$folder/v" || fail "nothing has failed: $(cat "$folder/v")"
expect 1 'verdict=WRONG rows=1 judged=1 wrong=1 unfilled=0 skipped=0' --mistake zero
grep -qx 'failed=the variant' "$folder/v" || fail "what is wrong is not named: $(cat "$folder/v")"
expect 3 'verdict=NOT_IMPLEMENTED unfilled=1 todos=4 place=harness/harness.test.c:[0-9]*' \
    --mistake todo
expect 77 'verdict=SKIPPED judged=0 skipped=1' --mistake skip
expect 0 'verdict=PASS rows=1 judged=0' --mistake purpose
grep -qx "program=${program##*/}" "$folder/v" || fail "the program is not named: $(cat "$folder/v")"

# Whatever ends the program before its verdict leaves no verdict: an exit within a variant, a bad
# option, a signal.
none --mistake exit
grep -qx 'failed=the variant' "$folder/v.rows" ||
    fail "where it ended is not named: $(cat "$folder/v.rows")"
none --mistake _exit
none --mistake abort
none --size abc
none --list
none --csv "$folder/no/such/folder.csv"
if [ -w /dev/full ]; then
    rm -f "$folder/v"
    "$program" --verdict "$folder/v" >/dev/full 2>/dev/null
    [ -e "$folder/v" ] && fail "a verdict that could not be printed must not be there"
fi
"$program" --verdict "$folder/no/such/folder" >/dev/null 2>&1
[ $? -eq 2 ] || fail "a verdict that cannot be written must give exit status 2"
echo "the verdict is there where it is due"
