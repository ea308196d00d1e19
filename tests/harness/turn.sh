# turn.sh PROGRAM FOLDER: a program that is started before its turn (--wait) makes its inputs, and
# runs no row, says nothing and writes nothing before a byte comes on its standard input; where that
# ends instead, it ends without a word.
program=$1 folder=$2
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" && mkfifo go || exit 2
fail() { echo "$*"; exit 1; }
# begin OPTIONS...: starts it and lets it come as far as it can.
begin() {
    rm -f verdict verdict.rows r.csv*
    "$program" --wait --only device --verdict verdict --csv r.csv --cache cache "$@" <go >out 2>&1 &
    waiting=$!
    exec 3>go
    sleep 0.5
    kill -0 $waiting 2>/dev/null || fail "it has not waited: $*, $(cat out)"
    [ ! -s out ] || fail "it speaks before its turn: $*, $(cat out)"
    [ "$(ls)" = "$(printf 'go\nout')" ] || [ "$(ls)" = "$(printf 'cache\ngo\nout')" ] ||
        fail "it leaves something: $(ls)"
}
# ends STATUS: the exit status after the turn has come, or not.
ends() { exec 3>&-; wait $waiting; status=$?; [ $status -eq "$1" ] ||
    fail "exit status $status, not $1: $(cat out)"; }

begin
echo >&3
ends 0
"$program" --only device --verdict verdict2 --cache cache >expected 2>&1
sed 's/ [0-9.]* [mun]*s.*//' out >told && sed 's/ [0-9.]* [mun]*s.*//' expected | diff - told ||
    fail "another table"
rm -f verdict2* expected told
[ -s verdict ] && [ -s r.csv ] || fail "no verdict, or no results"
# A row that ends the program has not run before.
begin --mistake exit
echo >&3
ends 2
grep -q "ended within the variant" out || fail "the row has not run: $(cat out)"
# Earlier errors are reported then.
for wrong in --nonsense --size=2^49 --size=abc --variant=zzz; do
    begin $wrong
    echo >&3
    ends 2
    [ "$(grep -c . out)" -ge 1 ] || fail "$wrong is not told"
    begin $wrong
    exec 3>&-
    wait $waiting
    [ ! -s out ] || fail "nobody wants to know: $(cat out)"
done
begin
ends 77
[ ! -s out ] && [ ! -e verdict ] && [ ! -e r.csv ] || fail "it was not wanted: $(ls) $(cat out)"
# The seconds of what was made ready are told afterwards, and then those of the waiting.
export COURSE_TIMES=1
begin
echo >&3
ends 0
grep -q '^times: .* s: inputs and reference$' out || fail "no time of the inputs: $(cat out)"
sed '1,/inputs and reference/d' out | grep -q '^times: .* s: waiting for its turn$' ||
    fail "no time of the waiting: $(cat out)"
echo "it waits for its turn"
