# turn.sh PROGRAM FOLDER LAUNCHER: the ranks of a program that is started before its turn wait
# together: rank 0 has the launcher's input. Where that ends, all of them end and say nothing.
program=$1 folder=$2 launcher=$3
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" && mkfifo go || exit 2
fail() { echo "$*"; exit 1; }
begin() {
    "$program" --wait --only device --size 35 --ranks 2 <go >out 2>&1 3>&- &
    waiting=$!
    exec 3>go
    sleep 3
    kill -0 $waiting 2>/dev/null || fail "it has not waited: $(cat out)"
    [ ! -s out ] || fail "it speaks before its turn: $(cat out)"
}
begin
echo >&3
wait $waiting || fail "it does not go on: $(cat out)"
grep -q '^PASS' out || fail "no verdict: $(cat out)"
begin
exec 3>&-
wait $waiting
[ ! -s out ] || fail "it was not wanted: $(cat out)"
# Who asks the launcher to end has no verdict to wait for: it is not tried whether ranks can be
# started at all.
printf '#!/bin/sh\necho started >>starts\nexec "%s" "$@"\n' "$launcher" >launch && chmod +x launch \
    || exit 2
export COURSE_LAUNCHER=./launch
begin
kill $waiting
wait $waiting
[ "$(wc -l <starts)" -eq 1 ] || fail "ranks are started once more"
echo "the ranks wait for their turn"
