# stranger.sh COURSE FOLDER: what somebody types, and where, who has not read the README.
. "$(dirname "$0")/prelude.sh"
echo 'echo "ran with $arguments"; verdict PASS; exit 0' | behave
printf 'ex01_first|first\nex06_sixth|sixth\nex77_made_up|nothing\n' >"$folder/build/exercises.txt"
check() { status=$1 text=$2; shift 2
expect "$status" "$text" "$course" check "$@" --device=emulated --patience 5; }

# The name of an exercise in every form that a shell, an editor or a person gives it.
for name in ex77 EX77 Ex77 77 ex77_made_up EX77_Made_Up ex77/ ex77_made_up/ ./ex77_made_up \
    "$PWD/ex77_made_up" \
    ex77_made_up/template.cu "$PWD/ex77_made_up/template.cu"; do
    check 0 "ran with" "$name"
done
(cd ex77_made_up && "$course" check . template.cu --device=emulated >out 2>&1) ||
    fail "the folder itself: $(cat ex77_made_up/out)"
check 2 "exercise 2 is part of ex01" ex02
check 2 "exercise 7 is part of ex06" 7
for name in ex99 99 "" " ex77" ex77_made_up/solution.cu ex77x / ex; do
    check 2 "there is no exercise '$name'; there are ex01 ex06 ex77" "$name"
done
check 2 "'-x' is not understood; see ./course COMMAND --help" -x
expect 2 "next: '--soon' is not understood; see ./course next --help" "$course" next --soon
expect 2 "cannot find" "$course" check ex01

# Help, however it is asked for.
for words in "check --help" "check -h" "help check" "--help check"; do
    # shellcheck disable=SC2086
    expect 0 "usage: ./course check [EX...] [options]" "$course" $words
done
for words in --help -h help
do expect 0 "usage: ./course [--install] COMMAND" "$course" $words; done
expect 2 "there is no command 'chekc'" "$course" help chekc
check 0 "ran with --help" ex77 -h

# Nothing can be written: no folder for temporary files, closed streams.
echo '--size 3' >ex77_made_up/checks.txt
mkdir -p "$folder/locked"
for way in "$folder/not there" "" /dev/null; do
    (TMPDIR=$way; export TMPDIR; check 0 "PASS also with --size 3" ex77) || fail "TMPDIR=$way"
done
(exec <&-; check 0 "PASS also with --size 3" ex77) || fail "without standard input: $(cat out)"
"$course" check ex77 --device=emulated <&- >out 2>&1 || fail "without standard input: $(cat out)"
grep -q 'PASS also with --size 3' out || fail "without standard input: $(cat out)"
"$course" check ex77 --device=emulated 2>&- >out </dev/null ||
    fail "without standard error: $(cat out)"
"$course" list >&- 2>out </dev/null && fail "no standard output, and no word about it"
grep -q 'cannot write to standard output' out || fail "no standard output: $(cat out)"
rm ex77_made_up/checks.txt

# A file from Windows differs where its text does.
sed 's/$/\r/' $solution >$template
expect 0 "" "$course" diff ex77
[ ! -s out ] || fail "the same lines with other ends differ: $(cat out)"
check 0 "" ex77
expect 0 "Every TODO of ex77 is filled in" "$course" next ex77

# A course that came as an archive, without git: the templates are kept before anybody works on
# them.
sed -i 's/int b = 1;/NOT_IMPLEMENTED(1);/; s/^int d;/NOT_IMPLEMENTED(2);/' $solution
cp $solution $template && cp $solution empty
expect 0 "" "$course" list
echo "// mine" >>$template && sed -i 's/NOT_IMPLEMENTED(1);/int b = 2;/' $template
GIT_CEILING_DIRECTORIES=$folder; export GIT_CEILING_DIRECTORIES
expect 0 "template.cu is as it was when it came; yours is kept in " "$course" reset ex77
cmp -s empty $template || fail "reset did not bring the template back"
grep -q '^// mine' $template.* || fail "reset lost what the student wrote"
expect 0 "template.cu is as it was when it came already" "$course" reset ex77
rm $template
expect 0 "template.cu is as it was when it came" "$course" reset ex77

# A folder that is not there has not "checked nothing yet".
expect 2 "there is no such file or folder" "$course" rollup "$folder/nobody"
# A template that is a named pipe without a writer is no file: one line, and nothing hangs.
mv $template kept && mkfifo $template
for words in "check ex77 --device=emulated" "next ex77"; do
    # shellcheck disable=SC2086
    expect 2 "course: cannot read " timeout 10 "$course" $words
    [ "$(wc -l <out)" -eq 1 ] || fail "$words: more than a line: $(cat out)"
done
rm $template && mv kept $template
# Nor does a limit of files' sizes end the program without a word.
(ulimit -f 0; "$course" check ex77 --device=emulated 2>&1; echo "status $?") | cat >out
grep -q "^course: cannot write .*: File too large$" out && grep -q "^status 2$" out ||
    fail "a limit of files' sizes: $(cat out)"
echo "strangers are welcome"
