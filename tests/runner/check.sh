# check.sh COURSE FOLDER: what a check makes of programs that end in all kinds of ways, and what it
# tries.
. "$(dirname "$0")/prelude.sh"
check() { status=$1 text=$2; shift 2
expect "$status" "$text" "$course" check ex77 --device=emulated --patience 1 "$@"; }

# A program that reaches its verdict.
echo 'verdict PASS; exit 0' | behave
check 0 ""
echo 'verdict WRONG 1; exit 1' | behave
check 1 ""
echo 'verdict SKIPPED; exit 77' | behave
check 77 ""
echo 'echo "ex77: --nonsense: no such option" >&2; exit 2' | behave
check 2 "no such option" --nonsense
[ "$(wc -l <out)" -eq 1 ] || fail "a bad option takes one line: $(cat out)"

# Programs that end by themselves never pass.
for ending in 'exit 0' 'exec true' 'trap "exit 0" USR1; kill -USR1 $$' 'exit 3' \
    'verdict PASS; : >"$file"; exit 0' \
    'verdict PASS; sed -i /^end/d "$file"; exit 0' 'verdict PASS; exit 3' \
    'verdict NONSENSE; exit 0' 'exit 42'; do
    echo "$ending" | behave
    check 2 "course: ex77_template "
done
echo 'exit 0' | behave
check 2 "ended before its verdict, with exit status 0"
check 2 "ended before its verdict" "--csv=$folder/out.csv"
expect 2 "ended before its verdict" "$course" bench ex77 --device=emulated --csv "$folder/out.csv"
[ -e "$folder/out.csv" ] && fail "a run without a verdict has no results"
echo 'verdict WRONG 1; exit 0' | behave
check 1 "ended with exit status 0 after its verdict, WRONG"
echo 'printf "rows=1\nwrong=1\n" >"$file.rows"; exit 0' | behave
check 1 "ended before its verdict"
echo 'verdict PASS; exit 1' | behave
check 2 "ended with exit status 1 after its verdict, PASS"
echo 'kill -SEGV $$' | behave
check 2 "was ended by signal 11"
echo 'verdict PASS; kill -SEGV $$' | behave
check 2 "was ended by signal 11 (Segmentation fault) after its verdict, PASS"
echo 'sed -i s/^rows.*/rows=0/ "$file" 2>/dev/null; verdict PASS
    sed -i s/^rows.*/rows=0/ "$file"; exit 0' | behave
check 2 "has judged nothing"
# A verdict that something else has written.
echo 'verdict PASS; rm "$file.rows"; exit 0' | behave
check 2 "says PASS of 2 rows, where 0 were seen"
echo 'verdict WRONG 1; sed -i "s/WRONG/PASS/; s/^wrong=1/wrong=0/" "$file"; exit 0' | behave
check 1 "says PASS of 2 rows, where 2 were seen and 1 of them wrong"

# Output that nobody takes is no verdict: the record stays.
echo 'verdict PASS; exit 0' | behave
check 0 ""
echo 'echo first; sleep 0.5; echo more; echo "cannot write" >&2; exit 2' | behave
"$course" check ex77 --device=emulated 2>out | head -n 1 >first
"$course" check ex77 --device=emulated >/dev/full 2>out && fail "a full disk"
grep -q "cannot write to standard output" out || fail "not said: $(cat out)"
expect 0 "basic PASS" "$course" list
check 2 "There is no verdict."
expect 0 "error at the last check" "$course" list

# A verdict of another run does not count.
echo 'exit 0' | behave
for i in 0 1 2
do printf 'course-verdict 1\nverdict=PASS\nrows=1\nend\n' >"$folder/build/verdict-1-$i"; done
check 2 "ended before its verdict"

# A program that never ends is ended, whatever it does, with all processes that it has started.
echo 'trap "" TERM INT HUP; sleep 600 & echo $! >"$COURSE_BUILD/child"
    while :; do sleep 0.1; done' | behave
before=$(date +%s)
check 1 "WRONG: still running after"
[ $(($(date +%s) - before)) -le 8 ] || fail "the patience was not kept"
sleep 0.2
case $(cat "/proc/$(cat "$folder/build/child")/stat" 2>/dev/null) in "" | *") Z "*) \
    ;; *) fail "what the program started is still there" ;; esac
# A signal that ends ./course ends the program, too; a hang-up does not if it is ignored (nohup).
state() { sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null || echo gone; }
echo 'echo $$ >"$COURSE_BUILD/child"; while :; do sleep 0.1; done' | behave
for way in TERM KILL; do
    rm -f "$folder/build/child"
    "$course" check ex77 --device=emulated >out 2>&1 &
    runner=$!
    until [ -s "$folder/build/child" ]; do sleep 0.05; done
    kill -$way $runner
    sleep 1
    case $(state "$(cat "$folder/build/child")") in Z | gone) \
        ;; *) fail "the program goes on after SIG$way" ;; esac
done
# An interrupt leaves no files behind, and those of a runner that was killed go at the next start.
rm "$folder"/build/verdict-1-*
left() { find "$folder/build" -name 'verdict-*' -o -name '*.partial-*'; }
# unfinished FILE: the program never ends, and leaves a part of this file.
unfinished() {
    echo 'echo rows=1 >"$file.rows"; : >"'"$1"'.partial-x"; : >"$COURSE_BUILD/begun"
        while :; do sleep 0.1; done' | behave
}
unfinished '$file.rows'
for way in TERM HUP KILL; do
    rm -f "$folder/build/begun"
    [ $way != KILL ] || unfinished '$csv'
    "$course" check ex77 --device=emulated >out 2>&1 &
    runner=$!
    until [ -e "$folder/build/begun" ]; do sleep 0.05; done
    if [ $way = TERM ]; then # another check meanwhile leaves them alone
        ( echo 'verdict PASS; exit 0' | behave; check 0 "" ) || exit
        [ -n "$(left)" ] || fail "the files of a check under way are gone"
        unfinished '$file.rows'
    fi
    kill -$way $runner
    wait $runner 2>/dev/null
    [ $way = KILL ] || [ -z "$(left)" ] || fail "SIG$way leaves $(left)"
done
[ -n "$(left)" ] || fail "the test of a killed runner tests nothing"
echo 'verdict PASS; exit 0' | behave
check 0 ""
[ -z "$(left)" ] || fail "a killed runner's files stay: $(left)"
# A build goes on where its ./course is killed, and the next one waits for its end.
cp bin/cmake kept
printf '#!/bin/sh\ntrap "" TERM\n: >"$COURSE_BUILD/building"; sleep 2; : >"$COURSE_BUILD/built"\n' \
    >bin/cmake
"$course" check ex77 --device=emulated >out 2>&1 &
until [ -e "$folder/build/building" ]; do sleep 0.05; done
kill -KILL $!
wait $! 2>/dev/null
mv kept bin/cmake
check 0 "waiting for another build"
[ -e "$folder/build/built" ] || fail "two builds at once in one folder"
echo 'sleep 2; verdict PASS; exit 0' | behave
nohup "$course" check ex77 --device=emulated >out 2>&1 &
runner=$!
sleep 1 && kill -HUP $runner
wait $runner || fail "a hang-up that is ignored ended the check: $(cat out)"
# One that shows signs of life is not.
echo \
    'for i in 1 2 3 4 5 6 7; do sleep 0.5; echo rows=$i >"$file.rows"; done; verdict PASS; exit 0' |
    behave
check 0 ""
echo 'sleep 3; verdict PASS; exit 0' | behave
echo 'COURSE_PATIENCE=10' >ex77_made_up/checks.txt
expect 0 "" "$course" check ex77 --device=emulated
# The emulated device is told to end an endless kernel long before, and how long a kernel may take;
# the user's word counts.
echo 'echo "patience $CUDA_EMULATED_PATIENCE of $CUDA_EMULATED_LIMIT"; verdict PASS; exit 0' |
    behave
expect 0 "patience 0.5 of 10.0" "$course" check ex77 --device=emulated
export CUDA_EMULATED_PATIENCE=7
expect 0 "patience 7 of 10.0" "$course" check ex77 --device=emulated; unset CUDA_EMULATED_PATIENCE
rm ex77_made_up/checks.txt
expect 0 "patience 1.5 of 30.0" "$course" check ex77 --device=emulated
# The exercise's program shows all findings only if asked for them.
echo 'echo "all findings: ${COURSE_VERBOSE:-no}"; verdict PASS; exit 0' | behave
expect 0 "all findings: no" "$course" check ex77 --device=emulated
expect 0 "all findings: 1" "$course" check ex77 --device=emulated --verbose
expect 2 "--patience soon: expected seconds" "$course" check ex77 --patience soon
export COURSE_PATIENCE=x
expect 2 "COURSE_PATIENCE=x: expected seconds" "$course" check ex77 --device=emulated
unset COURSE_PATIENCE

# checks.txt.
echo 'echo "ran with $arguments and ${SOME_ORDER:-none}"
case $arguments in *"--size 33"*) verdict WRONG 1; exit 1 ;; esac
case ${SOME_ORDER:-} in late) verdict WRONG 1; exit 1 ;; esac
verdict PASS; exit 0' | behave
printf '# others\n--size 1\n--size 5 --block 96\n' >ex77_made_up/checks.txt
check 0 "PASS also with --size 1; --size 5 --block 96"
check 0 "PASS also with --size 1; --size 5 --block 96" --variant=one
check 0 "PASS also with" --seed=3
expect 0 "ran with --size 7" "$course" check ex77 --device=emulated --size 7
grep -q 'PASS also' out && fail "with a size of one's own there is only the one run"
expect 0 "PASS also with" "$course" check ex77 --device=emulated --variant "float4, two in flight"
echo '--size 33' >>ex77_made_up/checks.txt
check 1 "But with --size 33:"
grep -q '^ran with --only device --size 33 ' out || fail "not shown: $(cat out)"
check 1 "But with --size 33:" --variant=one
grep -q '^ran with --variant=one --only device --size 33 ' out ||
    fail "the variant is left out: $(cat out)"
printf 'SOME_ORDER=early --seed 1\nSOME_ORDER=late --seed 1\n' >ex77_made_up/checks.txt
check 1 "But with SOME_ORDER=late --seed 1:"
grep -q '^ran with --only device --seed 1 .*and late' out || fail "not set: $(cat out)"
# A line has room for eight variables beside the number of threads; no further one is dropped.
printf 'A=1 B=1 C=1 D=1 E=1 F=1 G=1 SOME_ORDER=early --seed 1\n' >ex77_made_up/checks.txt
check 0 "PASS also with A=1 B=1"
printf 'A=1 B=1 C=1 D=1 E=1 F=1 G=1 H=1 SOME_ORDER=late --seed 1\n' >ex77_made_up/checks.txt
(unset OMP_NUM_THREADS; check 2 "SOME_ORDER=late is one variable too many") || exit
# No line of checks.txt is one that the solution skips. A single row may skip it.
echo 'case $arguments in *--size*) verdict SKIPPED; exit 77 ;; esac; verdict PASS; exit 0' | behave
echo '--size 33' >ex77_made_up/checks.txt
check 1 "WRONG: the solution does not skip this."
check 0 "" --variant=one
# Paths in checks.txt are the course's, wherever it is called, and COURSE_BUILD may be relative.
echo '[ -e ex77_made_up/checks.txt ] ||
        case $arguments in *--size*) verdict WRONG 1; exit 1 ;; esac
    verdict PASS; exit 0' | behave
(cd "$folder" && COURSE_BUILD=build "$course" check ex77 --device=emulated >out 2>&1) ||
    fail "from elsewhere: $(cat "$folder/out")"
grep -q "PASS also with" "$folder/out" || fail "from elsewhere: $(cat "$folder/out")"
# A..B is a number that each check draws, and names, so that it can be had again.
echo 'echo "ran with $arguments"; verdict PASS; exit 0' | behave
printf -- '--size 5..7 --name 3..x --seed 1..4294967295\n' >ex77_made_up/checks.txt
check 0 "PASS also with --size "
cp out first
grep -Eq 'with --size [567] --name 3\.\.x --seed [0-9]+$' out ||
    fail "not drawn from the range: $(cat out)"
check 0 "PASS also with --size "
cmp -s out first && fail "the same seed again: $(cat out)"
echo 'case $arguments in *"--size 6 "*) verdict WRONG 1; exit 1 ;; esac; verdict PASS; exit 0' |
    behave
echo 'ORDER=late --size 6..6 --seed 1..9' >ex77_made_up/checks.txt
check 1 "  ORDER=late ./course check ex77 --size 6 --seed "
[ "$(sed -n 's/^But with \(.*\):$/\1/p' out)" = \
    "$(sed -n 's/^  \(.*\)\.\/course check ex77 /\1/p' out)" ] || fail "other numbers: $(cat out)"
# A long list is wrapped.
echo 'verdict PASS; exit 0' | behave
for size in 1 2 3 4 5 6 7 8; do echo "--size 100$size --block 96"; done >ex77_made_up/checks.txt
check 0 "PASS also with --size 1001 --block 96;"
[ "$(wc -L <out)" -le 80 ] || fail "wider than 80 columns: $(cat out)"
# One that prints without end is ended before it fills the memory, and its beginning shown.
echo 'case $arguments in *"--size 1008"*) yes again || exit 2 ;; esac; verdict PASS; exit 0' |
    behave
check 1 "WRONG: it printed without end, and was ended" --patience 60
[ "$(wc -c <out)" -lt 9000 ] || fail "all of it is shown: $(wc -c <out)"
# The output of the further runs needs no room in the folder for temporary files.
if unshare -rm true 2>/dev/null; then
    echo 'echo "prints $arguments" || exit 2; verdict PASS; exit 0' | behave
    mkdir small
    # shellcheck disable=SC2016
    expect 0 "PASS also with" unshare -rm sh -c 'mount -t tmpfs -o size=4k none small &&
            head -c 9999 /dev/zero >small/full 2>/dev/null
        export TMPDIR="$PWD/small"; exec "$@"' sh "$course" check ex77 --device=emulated
fi
# Several at once where there are several cores.
if [ "$(nproc)" -gt 1 ]; then
    echo 'sleep 0.5; verdict PASS; exit 0' | behave
    printf -- '--size 1\n--size 2\n--size 3\n--size 4\n' >ex77_made_up/checks.txt
    before=$(date +%s%N)
    check 0 "PASS also with --size 1; --size 2; --size 3; --size 4"
    [ $((($(date +%s%N) - before) / 1000000)) -lt 2300 ] ||
        fail "the further runs are not side by side"
fi
rm ex77_made_up/checks.txt

# If no other process can be started, a line says so.
if with_processes 1 test -r "$solution" 2>/dev/null; then
    echo 'verdict PASS; exit 0' | behave
    with_processes 1 "$course" check ex77 --device=emulated >out 2>&1 &&
        fail "no more processes, and it goes on"
    grep -q \
        "^course: cannot start .*: .*too many processes run: end some, or ask for more (ulimit -u" \
        out || fail "of processes: $(cat out)"
    [ "$(wc -l <out)" -eq 1 ] || fail "more than a line: $(cat out)"
fi

# Parts. Advanced TODOs may stay unfilled when the basic ones are not: the program is told which.
parts() { echo 'case $arguments in *"--advanced 2 "*) verdict PASS 0 2; exit 0 ;; esac
verdict "NOT IMPLEMENTED" 0 2; exit 3'; }
echo 'case $arguments in *--advanced*) exit 2 ;; esac; verdict PASS; exit 0' | behave
check 0 ""
grep -q "basic part" out && fail "all is filled in: $(cat out)"
parts | behave
sed -i 's/^int d;/NOT_IMPLEMENTED(2);/' $template
export COLUMNS=100
check 0 "PASS: the basic part; advanced 0 of 1 (next: TODO 2 at ex77_made_up/template.cu:6)"
unset COLUMNS
check 0 "PASS: the basic part; advanced 0 of 1 (next: TODO 2 at"
[ "$(wc -L <out)" -le 80 ] || fail "wider than 80 columns: $(cat out)"
check 0 "PASS: the basic part" --size 7
check 0 "" --variant one # which says nothing of the other rows
! grep -q "basic part" out || fail "one row is the basic part: $(cat out)"
sed -i 's/^NOT_IMPLEMENTED(2);/int d; &/' $template
yours="TODO 2 at ex77_made_up/template.cu:6 has lines of yours"
check 0 "$yours, and still NOT_IMPLEMENTED"
sed -i 's/NOT_IMPLEMENTED(2);/rowSkip("no");/' $template
check 0 "$yours, and still NOT_IMPLEMENTED, UNFILLED or rowSkip()"
sed -i 's/^int d; rowSkip("no")/NOT_IMPLEMENTED(2)/' $template
echo '--size 3' >ex77_made_up/checks.txt
check 0 "PASS also with --size 3"
# Only a line of checks.txt may reach a basic TODO; an advanced one may stay open there.
for todo in 1 2; do
    echo 'case $arguments in *"--size 3"*) echo "TODO '$todo' is met"
        verdict "NOT IMPLEMENTED" 0 '$todo'; exit 3 ;; esac; verdict PASS; exit 0' | behave
    if [ $todo -eq 1 ]; then
        check 3 "But with --size 3:"
        grep -q "TODO 1 is met" out || fail "not shown: $(cat out)"
    else
        check 0 "PASS: the basic part"
        ! grep -q "PASS also" out || fail "that run has shown nothing: $(cat out)"
    fi
done
rm ex77_made_up/checks.txt
echo 'verdict "NOT IMPLEMENTED" 0 "1 2"; exit 3' | behave
expect 3 "" "$course" check ex77 --device=emulated
parts | behave
sed -i 's/int b = 1;/NOT_IMPLEMENTED(1);/' $template
expect 3 "TODO 1 at ex77_made_up/template.cu:" "$course" check ex77 --device=emulated
grep -q "works without it" out || fail "the unused TODO is not named: $(cat out)"
sed -i 's/NOT_IMPLEMENTED(1);/int b; \/\/ NOT_IMPLEMENTED(1);/' $template
check 0 "PASS: the basic part"
expect 3 "" "$course" check ex77 --solution --device=emulated
# After a WRONG, what the compiler finds suspicious in the student's own lines, once each, at most
# three; after a PASS nothing. They stand in the file that its compilation leaves, under the path by
# which the build knows it: nothing is compiled.
mkdir -p "$folder/build/warnings"
{
    warn() { printf '/elsewhere/%s:%s:7: warning: %s\n %5s | the line\n       | ^\n' "$template" \
        "$1" "$2" "$1"; }
    echo "$template: In function:"
    warn 3 "suggest parentheses"
    warn 3 "suggest parentheses"
    warn 5 "outside of a region"
    warn 3 "unnecessary parentheses in declaration"
    printf 'other.h:3:7: warning: elsewhere\n'
} >"$folder/build/warnings/ex77_template"
echo 'verdict WRONG 1; exit 1' | behave
check 1 "template.cu:3:7: warning: suggest parentheses"
[ "$(grep -c "warning: " out)" -eq 1 ] || fail "other warnings than the student's: $(cat out)"
[ "$(grep -c "the line" out)" -eq 1 ] || fail "the source's line once: $(cat out)"
grep -q "The compiler warns of these lines." out ||
    fail "no word about the warnings: $(cat out)"
echo 'verdict PASS; exit 0' | behave
check 0 ""
! grep -q "warning" out || fail "warnings after a PASS: $(cat out)"
rm "$folder/build/warnings/ex77_template"

# A size or a position that is too narrow for large arrays is named after a PASS: no check is that
# large.
narrow() { sed "s|int b = 1;|$1|" $solution >$template; check "$2" "$3"; }
advice="32 bits are too few for the size or index"
for line in 'b[((int)m * n + u) * n] = 1;' 'y[column + (int)(k * (int)n)] = 1;' \
    'x[(unsigned short)blockIdx.x] = 1;' \
    'const size_t i = (unsigned)(4 * n);' 'int bytes = (int)(n * sizeof *d_a);' \
    'const size_t i = blockIdx.x * blockDim.x + threadIdx.x;'; do
    narrow "$line" 0 "$advice"
    grep -qF "  template.cu:3:     $line" out || fail "the line is not named: $(cat out)"
done
for line in 'const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;' 'list[i] = (int)i;' \
    'x[(int)threadIdx.x] = 1;' \
    'const size_t k = n; // (int)n' 'const unsigned blocks = (unsigned)(n / block + 1);' \
    'y[(int)floorf(u)] = 1;' \
    'memset(x, 0, (size_t)blockDim.x * blockIdx.x);' 'x[i] = y[i * sizeof(int)];' \
    'cudaMalloc(x, n * sizeof(int));' \
    'const int n = (int)(bytes / sizeof(float));'; do
    narrow "$line" 0 ""
    ! grep -q "$advice" out || fail "a false alarm for $line: $(cat out)"
done
sed 's|int a;|x[(int)n] = 1;|' $solution >$template
check 0 ""
! grep -q "$advice" out || fail "not a line of the student's: $(cat out)"
told() { printf '/elsewhere/%s:3:7: warning: %s\n' "$template" "$1" \
    >"$folder/build/warnings/ex77_template"; }
told "conversion from 'size_t' {aka 'long unsigned int'} to 'int' may change value [-Wconversion]"
narrow 'int b = n;' 0 "$advice"
narrow 'f<<<n, 256>>>();' 0 ""
! grep -q "$advice" out || fail "a number of blocks: $(cat out)"
narrow 'int blocks = n / 256;' 0 ""
! grep -q "$advice" out || fail "a quotient: $(cat out)"
narrow 'const int k = id % n; // of the row' 0 ""
! grep -q "$advice" out || fail "a remainder: $(cat out)"
told "conversion from 'size_t' {aka 'long unsigned int'} to 'double' may change [-Wconversion]"
narrow 'area(a + i * h);' 0 ""
! grep -q "$advice" out || fail "no size or index: $(cat out)"
echo 'verdict WRONG 1; exit 1' | behave
narrow 'int b = n;' 1 ""
! grep -q "The compiler warns" out || fail "no cause of a WRONG: $(cat out)"
echo 'verdict PASS; exit 0' | behave
signs="comparison of integer expressions of different signedness"
told "$signs: 'int' and 'size_t' {aka 'long unsigned int'} [-Wsign-compare]"
narrow 'if (i < n)' 0 "$advice"
told "$signs: 'int' and 'unsigned int' [-Wsign-compare]"
narrow 'if (i < n)' 0 ""
! grep -q "$advice" out || fail "nothing is wider: $(cat out)"
rm "$folder/build/warnings/ex77_template"

# The generation that is emulated is the run's, and the build does not know it.
cp bin/cmake bin/plain_cmake
echo 'echo "for ${CUDA_EMULATED_DEVICE-}" >built' >>bin/cmake
echo 'echo "on $CUDA_EMULATED_DEVICE"; verdict PASS; exit 0' | behave
expect 0 "on kepler" "$course" check ex77 --emulate=kepler
grep -qx "for " built || fail "built $(cat built)"
mv bin/plain_cmake bin/cmake
echo 'verdict PASS; exit 0' | behave

# A call with an ignored error is named, too.
advice="this call's error is ignored"
for line in 'cudaMalloc(x, n * sizeof(int));' 'f<<<n, 256>>>();' 'f<float><<<n, 256>>>();'; do
    narrow "$line" 0 "  template.cu:3: $advice"
done
for line in 'cudaVerify(cudaMalloc(x, n));' 'cudaVerifyKernel((f<<<n, 256>>>()));' \
    'e = cudaMalloc(x, n);' 'cudaStream_t s;' 'cudaVerify(\n        cudaMalloc(x, n));' \
    'cudaVerifyKernel((f<int>\n        <<<n, 256>>>()));' \
    'f<<<n, 256>>>();\n    e = cudaGetLastError();' 'cudaGetLastError();' 'a[i] = i << 3;'; do
    narrow "$line" 0 ""
    ! grep -q "$advice" out || fail "a false alarm for $line: $(cat out)"
done
cp $solution $template

# --help and --list are answered by the program; there is no verdict to miss.
echo 'case $arguments in --help | --list) echo "the answer"; exit 0 ;; esac; verdict PASS; exit 0' \
    | behave
for question in --help --list; do
    check 0 "the answer" $question
    [ "$(wc -l <out)" -eq 1 ] || fail "more than the answer: $(cat out)"
    expect 0 "the answer" "$course" bench ex77 --device=emulated $question
    [ "$(wc -l <out)" -eq 1 ] || fail "more than the answer: $(cat out)"
done


# Lines of one's own beside the mark that stands for them: the row says NOT IMPLEMENTED, and the
# check says why.
sed '/TODO 1 begin/a\    NOT_IMPLEMENTED(1);' $solution >$template
echo 'verdict "NOT IMPLEMENTED" 0 1; exit 3' | behave
check 3 "TODO 1 at ex77_made_up/template.cu:2 has lines of yours, and still NOT_IMPLEMENTED"
sed '/int b/s/.*/    NOT_IMPLEMENTED(1);/' $solution >$template
check 3 ""
grep -q 'has lines of yours' out && fail "the mark alone is no line of the student's"
# checks.txt is tried once a line of the student's has run.
echo '--size 3' >ex77_made_up/checks.txt
echo 'case $arguments in *"--size 3"*) verdict WRONG 1; exit 1 ;; esac
verdict "NOT IMPLEMENTED" 0 1; exit 3' | behave
check 1 "--size 3"
sed -i 's/int d;/NOT_IMPLEMENTED(2);/' $template
check 3 ""
rm ex77_made_up/checks.txt
cp $solution $template
echo "check works"
