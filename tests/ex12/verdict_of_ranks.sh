# verdict_of_ranks.sh PROGRAM FOLDER: status 1 of a launcher is believed when the ranks have written
# a verdict; when they have not, or when there is one of an earlier run, whether any can be started
# is tried: the launcher is called once more.
program=$1 folder=$2
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 2
fail() { echo "$*"; exit 1; }

cat > launcher <<'END'
#!/bin/sh
echo called >> calls
[ ! -e writes ] || echo verdict > v
exit 1
END
chmod +x launcher
run() {
    rm -f calls
    COURSE_LAUNCHER=./launcher "$program" --size 67 --ranks 2 --verdict v 2> errors
    status=$?
    calls=$(grep -c called calls)
}
touch writes
run
[ "$status $calls" = '1 1' ] || fail "with a verdict: status $status, $calls calls: $(cat errors)"
run
[ "$status $calls" = '2 2' ] || fail "with an old verdict: status $status, $calls calls"
rm -f v writes
run
[ "$status $calls" = '2 2' ] || fail "without a verdict: status $status, $calls calls"
echo "a verdict shows that the ranks have started"
