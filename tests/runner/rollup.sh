# rollup.sh COURSE FOLDER: a class of 30, with solved, broken and forged progress.
. "$(dirname "$0")/prelude.sh"
for number in 01 02 03 04 05 06 07 08 09 10 11 12; do
    echo "ex${number}_made_up|nothing"
    mkdir -p "ex${number}_made_up"
    printf '// TODO 1 begin: something\nNOT_IMPLEMENTED(1);\n// TODO 1 end\n' \
        >"ex${number}_made_up/template.cu"
    : >"ex${number}_made_up/solution.cu"
done >"$folder/build/exercises.txt"
mkdir class
# claims STUDENT: a progress.txt from standard input.
claims() { mkdir -p "class/$1/build" && cat >"class/$1/build/progress.txt"; }
# claim EXERCISE VERDICT [ADVANCED [HASH [DATE]]]: of a template of its own, unless its hash is
# given.
claim() {
    echo "ex$1_made_up $2 ${3:-1/3} ${5:-2026-01-31T23:59:59Z}" \
        "${4:-$(printf %016x "$(date +%s%N)")}"
}
i=0
while [ $i -lt 25 ]; do
    i=$((i + 1))
    { claim 01 PASS 3/3; claim 02 PASS; [ $i -gt 20 ] || claim 03 UNFILLED; [ $i -gt 3 ] ||
        claim 04 WRONG; } | claims student$i
done

start=$(date +%s%N)
expect 0 "passed           25 25  0  0  0" "$course" rollup class/*
took=$((($(date +%s%N) - start) / 1000000))
[ $took -le 2000 ] || fail "30 students take $took ms"
grep -qE '^student1 +\+  x  o  !  \.' out || fail "a student's row: $(cat out)"
grep -qF 'stuck             0  0 20  3  0' out || fail "the stuck: $(cat out)"
grep -qF 'Most are stuck at ex03: 20 of 25.' out || fail "where: $(cat out)"

# Claims that cannot be true are named and do not count.
{ claim 01 PASS 4/3; claim 02 PASS 0/1 "" 2999-01-01T00:00:00Z | sed 's/  / 0123456789abcdef /'; } \
    | claims forged
sed -i 's/PASS 0\/1.*/PASS 0\/1 2999-01-01T00:00:00Z 0123456789abcdef/' \
    class/forged/build/progress.txt
expect 0 "course: forged: ex01: more TODOs than there are" "$course" rollup class/forged
grep -qF 'forged: ex02: its date is in the future' out || fail "not named: $(cat out)"
grep -qE '^forged +\?  \?  \.' out || fail "it counts: $(cat out)"
for date in 2026-02-31T00:00:00Z 2026-01-31T24:00:00Z 2026-01-31x00:00:00Z yesterday; do
    claim 01 PASS 1/3 "" $date | claims forged
    expect 0 "forged: ex01: its date is in the future, or none" "$course" rollup class/forged
done
# The hash of the empty template, which a check of it would have recorded.
echo 'verdict "NOT IMPLEMENTED" 0 1; exit 3' >ex01_made_up/behaviour
sed 's/ex77_made_up/ex01_made_up/; s/ex77/ex01/g' "$folder/build/emulated/ex77_template" \
    >"$folder/build/emulated/ex01_template"
chmod +x "$folder/build/emulated/ex01_template"
printf '#!/bin/sh\ntouch "$COURSE_BUILD"/emulated/ex01_template\n' >bin/cmake
expect 3 "" "$course" check ex01 --device=emulated
empty=$(awk '{print $5}' "$folder/build/progress.txt")
claim 01 PASS 1/1 "$empty" | claims lazy
expect 0 "lazy: ex01: a PASS of the empty template" "$course" rollup class/lazy
# The student's own template, where it can be seen, unfilled.
mkdir -p class/hasty/ex01_made_up &&
    sed 's/something/else/' ex01_made_up/template.cu >class/hasty/ex01_made_up/template.cu
cp class/hasty/ex01_made_up/template.cu ex01_made_up/template.cu
expect 3 "" "$course" check ex01 --device=emulated
claim 01 PASS 1/1 "$(awk '{print $5}' "$folder/build/progress.txt")" | claims hasty
sed -i 's/else/something/' ex01_made_up/template.cu # as it was
expect 0 "hasty: ex01: a PASS of a template with unfilled TODOs" "$course" rollup class/hasty

# Invalid lines, files and folders: one line each, and the rest counts.
{ echo "rubbish"; claim 01 PASS 1/3 short; claim 99 PASS; claim 01 FINE; claim 02 PASS
printf 'ex01_made_up PASS 1/3 2026-01'; } | claims broken
expect 0 "course: broken: line 1 is not understood" "$course" rollup class/broken
[ "$(grep -c 'not understood' out)" -eq 5 ] || fail "five lines: $(cat out)"
grep -qE '^broken +\.  x  \.' out || fail "the good line counts: $(cat out)"
mkdir class/nobody
printf 'a\0b\n' | claims zero
head -c 1100000 /dev/zero | tr '\0' a | claims huge
mkdir -p class/folder/build/progress.txt
for name in nobody:nothing zero:sensible huge:sensible folder:sensible; do
    expect 2 "${name#*:}" "$course" rollup "class/${name%:*}"
    [ "$(grep -c '^course: ' out)" -eq 1 ] || fail "one line: $(cat out)"
done
expect 0 "passed           25 26" "$course" rollup class/*

# A home stands for the course in it. What this account may not read is named as that, and is no
# student who has checked nothing.
for name in ana ben cleo dora; do claim 01 PASS | claims ../closed/$name/cuda-course; done
mkdir closed/emil &&
    chmod 000 closed/ana closed/ben/cuda-course closed/cleo/cuda-course/build/progress.txt || exit 2
expect 0 "" as_user "$course" rollup closed/* closed/ana/cuda-course
chmod -R u+rwX closed
for name in ana ben cleo; do
    grep -qE "^$name +cannot be read by this account" out || fail "$name may be read: $(cat out)"
done
grep -qE '^dora +x' out && grep -qE '^emil +has checked nothing yet' out || fail "homes: $(cat out)"

# As a file of its own, and as CSV, in which a name may hold a comma and a quote, and is no formula.
claim 01 PASS 3/3 0123456789abcdef | claims bea
cp class/bea/build/progress.txt anna.txt
for name in 'a,b"c' =1+1 +x -x @x; do
    mkdir -p "odd/$name" && claim 01 PASS >"odd/$name/progress.txt"
done
expect 0 "" "$course" rollup anna.txt --csv rows.csv
grep -qF '"anna",ex01_made_up,PASS,3,3,2026-01-31T23:59:59Z,0123456789abcdef,"","",' rows.csv ||
    fail "$(cat rows.csv)"
expect 0 "" "$course" rollup odd/* --csv rows.csv --students students.csv
for name in 'a,b""c' "'=1+1" "'+x" "'-x" "'@x"; do
    grep -qF "\"$name\",ex01_made_up,PASS," rows.csv || fail "$name: $(cat rows.csv)"
    grep -qF "\"$name\",1,0,0,0,2026-01-31T23:59:59Z,,PASS,," students.csv ||
        fail "$name: $(cat students.csv)"
done
[ "$(wc -l <rows.csv)" -eq 61 ] || fail "5 students, 12 exercises: $(cat rows.csv)"

# A student is named by the part in which the paths differ, wherever that is.
mkdir -p homes/anna/cuda-course/build homes/ben/cuda-course/build
claim 01 PASS |
    tee homes/anna/cuda-course/build/progress.txt >homes/ben/cuda-course/build/progress.txt
for paths in "homes/*/cuda-course" "homes/*/cuda-course/" "homes/*/cuda-course/build" \
    "homes/*/cuda-course/build/progress.txt"; do
    # shellcheck disable=SC2086
    expect 0 "ben: ex01: the same file as anna" "$course" rollup $paths
    grep -qE '^anna +x' out && grep -qE '^ben +x' out || fail "$paths: $(cat out)"
done
expect 0 "" "$course" rollup homes/ben/cuda-course
grep -qE '^ben +x' out || fail "one alone: $(cat out)"
expect 0 "" "$course" rollup homes/anna/cuda-course homes/anna/cuda-course
[ "$(grep -cE '^homes/anna ' out)" -eq 2 ] || fail "one given twice: $(cat out)"
# Letters of two columns, and bytes that are no letters.
wide=$(printf '\345\261\261\347\224\260') none=$(printf 'a\377b')
mkdir -p "wide/$wide" "wide/$none" && claim 01 PASS |
    tee "wide/$wide/progress.txt" >"wide/$none/progress.txt"
LC_ALL=C expect 0 "" "$course" rollup wide/*
LC_ALL=C grep -qE "^$wide {12}  x" out && LC_ALL=C grep -qE '^a[?]b {13}  x' out ||
    fail "columns: $(cat out)"

# What somebody should look at: the solution with other blanks, its name, markers that are gone. A
# template without changes is the same for all.
echo 'int  right ;' >ex01_made_up/solution.cu
# written STUDENT TEXT: a template and a PASS of it.
written() {
    mkdir -p "looked/$1/ex01_made_up" "looked/$1/build"
    echo "$2" >"looked/$1/ex01_made_up/template.cu"
    claim 01 PASS >"looked/$1/build/progress.txt"
}
written anna 'int right;' && written ben '#include "../ex01_made_up/solution.cu"' &&
    written cleo 'int my = 1;'
for name in dora emil; do
    written $name '' && cp ex01_made_up/template.cu looked/$name/ex01_made_up/ &&
        sed -i s/PASS/WRONG/ looked/$name/build/progress.txt
done
expect 0 "anna: ex01: the template is the solution" "$course" rollup looked/*
for line in "ben: ex01: the template names the solution's file" \
    "cleo: ex01: the markers of TODO 1 are gone"; do
    grep -qF "course: $line" out || fail "not flagged: $line: $(cat out)"
done
[ "$(grep -c '^course: ' out)" -eq 3 ] || fail "untouched ones are flagged: $(cat out)"
while IFS='|' read -r trick words; do
    written fred "// TODO 1 begin: $trick"
    expect 0 "fred: ex01: the template $words" "$course" rollup looked/fred
done <<'END2'
a##b|puts names together by ##
__attribute__((constructor))|has a constructor or a destructor
"/proc/self/mem"|opens a file of /proc
unsetenv("A")|changes the environment
atexit(f)|acts at the end of the program
_exit(0)|ends the program
execl(f)|starts another program
execv(f)|starts another program
fork ()|starts another process
mprotect(p)|unlocks memory
argv[1] = 0|looks at the program's arguments
"solu" "tion.cu"|names the solution's file
".inc" "bin x"|takes in another file
extern "C" void rowIsOwn(void);|declares a function of C
void own(void) asm("rowIsOwn");|gives a function another name
#include "row.h"|includes a part of the harness
END2
# Continued lines are one; what two words only have together is nothing.
written fred "// TODO 1 begin: $(printf 'fo\\\nrk()')"
expect 0 "fred: ex01: the template starts another process" "$course" rollup looked/fred
written fred "$(printf '// TODO 1 begin: exec less, for (k)\n#if 1')"
expect 0 "" "$course" rollup looked/fred
grep -q "^course: fred" out && fail "flagged for nothing: $(cat out)"
written fred "// TODO 1 begin: #define TEXT(x) #x"
expect 0 "fred: ex01: the template makes text of code" "$course" rollup looked/fred
: >ex01_made_up/solution.cu
expect 2 "rollup needs the students' folders" "$course" rollup
expect 2 "'--nonsense' is not understood" "$course" rollup --nonsense

# Checked again: a right template, a wrong one, one that never ends, and one that was changed after
# its check. A build of the student's is configured, and its programs do as the template says.
cat >bin/cmake <<'END2'
#!/bin/sh
[ "$1" = -S ] && mkdir -p "$4/emulated" && exit
sed 's/ex77_made_up/ex01_made_up/; s/ex77/ex01/g' "$COURSE_INSTALLED/emulated/ex77_template" \
    >"$2/emulated/ex01_template"
chmod +x "$2/emulated/ex01_template"
END2
cat >ex01_made_up/behaviour <<'END2'
case ${handing:-}$(cat "$COURSE_WORK/ex01_made_up/template.cu") in
handing* | *right*) verdict PASS ;;
*endless*) sleep 60 ;;
*early*) exit 0 ;;
*) verdict WRONG 1; exit 1 ;;
esac
END2
ln -s "$course" "$folder/build/course"
: >"$folder/build/settings.cmake"
# hands STUDENT TEXT [RECORDED]: a template, and a PASS of it or of another one.
hands() {
    mkdir -p "handed/$1/ex01_made_up" "handed/$1/build"
    echo "${3:-$2}" >"handed/$1/ex01_made_up/template.cu"
    (
        COURSE_INSTALLED=$folder/build COURSE_WORK=$PWD/handed/$1 COURSE_BUILD=$PWD/handed/$1/build
        handing=handing
        export COURSE_INSTALLED COURSE_WORK COURSE_BUILD handing
        mkdir -p "$COURSE_BUILD/emulated"
        expect 0 "" "$course" check ex01 --device=emulated
    ) || exit 1
    echo "$2" >"handed/$1/ex01_made_up/template.cu"
}
hands anna right && hands ben plausible && hands cleo endless && hands dora early &&
    hands emil right another
hands fred right && rm handed/fred/ex01_made_up/template.cu
expect 0 "passed            6" "$course" rollup handed/* # all claim it
expect 0 "passed            2" "$course" rollup --verify=here --limit 1 handed/* --csv rows.csv
for line in "ben: ex01: checked again, it is WRONG" \
    "cleo: ex01: checked again, it is not done after 1 s" \
    "dora: ex01: checked again, it does not build" \
    "emil: ex01: the template is not the one that was checked" \
    "fred: ex01: not verified, the template is not there"; do
    grep -qF "course: $line" out || fail "not named: $line: $(cat out)"
done
[ "$(grep -c ',yes$' rows.csv)" -eq 1 ] && grep -q '^"anna",.*,yes$' rows.csv ||
    fail "only anna: $(cat rows.csv)"
expect 2 "--verify runs the students' programs" "$course" rollup --verify handed/anna
expect 2 "there is no such user" "$course" rollup --verify=no-such-user handed/anna
expect 2 "expected seconds" "$course" rollup --verify=here --limit 0 handed/anna
echo "the class is rolled up"
