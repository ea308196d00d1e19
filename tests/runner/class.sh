# class.sh SOURCE BUILD FOLDER: a class from the students' checks to the instructor's page: folders
# below one parent that are all called cuda-course, with every exercise of this build, and progress
# that ./course check has written.
. "$(dirname "$0")/functions.sh"
source=$1 build=$2 folder=$3 course=$2/course
rm -rf "$folder" && mkdir -p "$folder/home" "$folder/verify" "$folder/tmp" && cd "$folder" || exit 2
ex01=ex01_vector_scale ex03=ex03_vector_add
for exercise in $ex01 $ex03; do
    if ! grep -q "^$exercise" "$build/exercises.txt" ||
        [ ! -f "$source/$exercise/solution.cu" ]; then
        echo "SKIPPED: there is no $exercise with its solution in this build"
        exit 77
    fi
done
COURSE_SOURCE=$source COURSE_INSTALLED=$build TMPDIR=$folder/tmp LC_ALL=C
export COURSE_SOURCE COURSE_INSTALLED TMPDIR LC_ALL
# student NAME COMMAND...: the course's command as that student.
student() {
    work=$folder/home/$1/cuda-course
    shift
    env COURSE_WORK="$work" COURSE_BUILD="$work/build" HOME="$folder/home" "$course" "$@"
}
# checks NAME STATUS EXERCISE...: with the expected exit status.
checks() {
    name=$1 status=$2
    shift 2
    expect "$status" "" student "$name" check "$@" --device=emulated
}
# begin NAME: templates and a build, for which CMake need not find out again what compilers there
# are.
begin() {
    mkdir -p "home/$1/cuda-course/build" && student "$1" --prepare >log 2>&1 ||
        fail "$1 cannot begin: $(cat log)"
    configured=home/$1/cuda-course/build/configure.log
    grep -q 'Configuring done' "$configured" && ! grep -q 'compiler identification' "$configured" ||
        fail "the compilers are identified again: $(cat "$configured")"
}
# template NAME EXERCISE: its path.
template() { echo "home/$1/cuda-course/$2/template.cu"; }
anna=$(printf 'anna\345\261\261\347\224\260') # two wide characters behind the name

for name in "$anna" @ben cleo dora; do
    begin "$name"
done
mkdir -p home/emil/cuda-course
# anna has solved both by herself; ben has taken the solution, and is wrong in the second; cleo has
# begun; dora has anna's file.
for exercise in $ex01 $ex03; do
    sed 's|^\( *\)// TODO 1 begin.*|&\n\1// my own words|' "$source/$exercise/solution.cu" \
        >"$(template "$anna" $exercise)"
done
cp "$source/$ex01"/solution.cu "$(template @ben $ex01)"
sed 's/\(c\[[a-z]*\] = a\[[a-z]*\]\) + /\1 - /' "$source/$ex03"/solution.cu \
    >"$(template @ben $ex03)"
cmp -s "$source/$ex03"/solution.cu "$(template @ben $ex03)" && fail "ben's ex03 is not wrong"
cp "$(template "$anna" $ex01)" "$(template dora $ex01)"
checks "$anna" 0 ex01
checks "$anna" 0 ex03
checks @ben 0 ex01
checks @ben 1 ex03
checks cleo 3 ex01
checks dora 0 ex01
sed -i 's/$/\r/' home/dora/cuda-course/build/progress.txt

# The instructor's turn, with the same installation. Nothing is written into a home from here on.
kept() { (cd home && find . -type f -exec cksum {} + | sort); }
kept >before
unset COURSE_SOURCE COURSE_WORK COURSE_BUILD
course=$source/course HOME=$folder/teacher
export HOME
expect 0 "Most are stuck at ex" "$course" rollup home/*/cuda-course --csv claims.csv \
    --students students.csv -o class.html
grep -qE '^ex {14} 00 01 03 ' out || fail "the exercises: $(cat out)" # nobody has begun with ex00
grep -qE "^$anna {8}  \.  [x+]  [x+]" out || fail "anna's row: $(cat out)"
grep -qE '^@ben {12}  \.  [x+]  !' out && grep -qE '^cleo {12}  \.  o' out &&
    grep -qE '^dora {12}  \.  [x+]' out ||
    fail "the table: $(cat out)"
grep -qE '^emil {12}  has checked nothing yet' out || fail "emil's row: $(cat out)"
grep -qE '^passed +0  3  1' out && grep -qE '^stuck +0  1  1' out || fail "the sums: $(cat out)"
grep -qF '@ben: ex01: the template is the solution' out &&
    grep -qF "dora: ex01: the same file as $anna" out &&
    grep -qF "$anna: ex01: the same file as dora" out || fail "flags: $(cat out)"
[ "$(grep -c '^course: ' out)" -eq 4 ] || fail "three flags, and emil: $(cat out)"
exercises=$(wc -l <"$build/exercises.txt")
[ "$(wc -l <claims.csv)" -eq $((5 * exercises + 1)) ] ||
    fail "a row for each student and exercise: $(cat claims.csv)"
grep -q "^\"'@ben\",ex03_vector_add,WRONG," claims.csv &&
    grep -q '^"emil",ex01_vector_scale,,' claims.csv || fail "$(cat claims.csv)"
[ "$(wc -l <students.csv)" -eq 6 ] &&
    grep -q '^"emil",0,0,0,0,,has checked nothing yet,' students.csv &&
    grep -qE "^\"$anna\",2,0,1,0,20[0-9T:-]+Z,,,PASS,PASS," students.csv ||
    fail "$(cat students.csv)"
for part in "<h2>Who is stuck where</h2>" "<dt>ex03</dt><dd>@ben (WRONG, 20" \
    "<th scope=\"row\">$anna</th>" \
    "the same file as dora" "has checked nothing yet</td>"; do
    grep -qF "$part" class.html || fail "not on the page: $part"
done
grep -iE 'https?:|src=|@import|<script' class.html &&
    fail "the page needs a network, or runs a program"

# For the room: the same without names, and without the templates to look at.
expect 0 "student 5" "$course" rollup --anonymous home/*/cuda-course --csv room.csv \
    --students room2.csv -o room.html
grep -lE 'anna|ben|cleo|dora|emil' out room.csv room2.csv room.html && fail "names"
grep -qF 'student 1' room.html && ! grep -qF 'same file' room.html || fail "the room's page"

# Checked again, where it is told to, and in the folder for temporary files. It says beforehand how
# long.
expect 0 "course: verifying 4 PASS verdicts of 3 students in $folder/verify/" \
    "$course" rollup --verify=here --in verify home/*/cuda-course --csv claims.csv -o class.html
grep -qE ': about [0-9]+ s, at most [0-9]+ min$' out || fail "how long: $(cat out)"
[ "$(grep -c ',yes$' claims.csv)" -eq 4 ] || fail "four hold: $(cat out claims.csv)"
grep -qF '4 of 4 PASS verdicts held when checked again.' out &&
    grep -qF '4 of 4 PASS verdicts held when checked again.' class.html ||
    fail "the page does not say so"
sed -i 's/my own words/not what was checked/' "$(template dora $ex01)"
expect 0 "dora: ex01: the template is not the one that was checked" \
    "$course" rollup --verify=here home/dora/cuda-course
expect 2 "cannot verify in nowhere" \
    "$course" rollup --verify=here --in nowhere home/@ben/cuda-course
sed -i 's/not what was checked/my own words/' "$(template dora $ex01)"
# Interrupted while a build is configured, or while a check runs: nothing is left.
for moment in build build/CMakeFiles build/emulated/ex01_template; do
    "$course" rollup --verify=here --in verify home/*/cuda-course >out 2>&1 </dev/null &
    until ls verify/*/student/$moment >there 2>&1; do sleep 0.02; done
    kill -TERM $!
    wait $! && fail "not interrupted: $(cat out)"
    ! grep -q 'cannot configure' out || fail "it is no fault of the build: $(cat out)"
    [ -z "$(ls verify)" ] || fail "left when $moment was there: $(ls verify/*)"
done
kept | cmp -s before - || fail "the students' folders have changed"
rm -f tmp/cc* # the compiler's, which was ended with the build
[ ! -e teacher ] && [ -z "$(ls verify)$(ls tmp)" ] ||
    fail "something is left: $(ls -d teacher verify/* tmp/* 2>&1)"
echo "a class is rolled up and checked again"
