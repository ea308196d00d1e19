# handout.sh COURSE SOURCE FOLDER: a handout of one exercise, that it configures, what it lacks, and
# a release.
. "$(dirname "$0")/functions.sh"
course=$1 COURSE_SOURCE=$2 folder=$3
export COURSE_SOURCE
unset COURSE_BUILD
git -C "$COURSE_SOURCE" rev-parse HEAD >/dev/null 2>&1 ||
    { echo "SKIPPED: $COURSE_SOURCE is no git checkout"; exit 77; }
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 2
# A separate checkout, with the templates of git.
git clone -q --depth 1 "file://$COURSE_SOURCE" here 2>/dev/null ||
    { echo "SKIPPED: no clone of $COURSE_SOURCE"; exit 77; }
COURSE_SOURCE=$folder/here COURSE_BUILD=$folder/build
export COURSE_BUILD
mkdir build && printf 'ex01_vector_scale|one\nex03_vector_add|two\n' >build/exercises.txt
expect 0 "Handed out: $folder/class, 1 exercise" "$course" handout "$folder/class" ex01
for gone in ex01_vector_scale/solution.cu ex03_vector_add solutions/ex01.md tests/ex01/mutants \
    tests/harness TEACHING.md WORKSHOP.md CONTRIBUTING.md KNOWN-LIMITS.md .ci; do
    [ -e here/$gone ] || fail "$gone is not in the course any more"
    [ ! -e class/$gone ] || fail "$gone is in the handout"
done
for there in ex01_vector_scale/template.cu ex01_vector_scale/README.md course README.md \
    emulated/runtime solutions/timings/h200/ex01.csv solutions/plots \
    ex01_vector_scale/targets.csv; do
    [ -e class/$there ] || fail "$there is not in the handout"
done
[ "$(git -C class rev-list --count HEAD)" -eq 1 ] && [ -z "$(git -C class status --porcelain)" ] \
    || fail "a history of its own"
git -C class grep -q 'NOT_IMPLEMENTED(1)' -- ex01_vector_scale/template.cu ||
    fail "the template is not the empty one"
dead=$(sh here/tests/lessons/links.sh class | grep ': no file\|: no heading')
[ -z "$dead" ] || fail "dead links: $dead"
grep -q '^| ex03 vector add' class/README.md || fail "an exercise that is not there is not named"
grep -q '(ex01_vector_scale/README.md)' class/README.md || fail "an exercise has no link"

# It configures without the solution, and builds with it when it comes.
cmake -S class -B class/build -DCOURSE_GPU=OFF >log 2>&1 ||
    fail "it does not configure: $(tail -n 5 log)"
grep -q '^ex01_vector_scale|' class/build/exercises.txt || fail "the exercise is not there"
[ "$(wc -l <class/build/exercises.txt)" -eq 1 ] ||
    fail "others are: $(cat class/build/exercises.txt)"
# Tests of missing parts are not run.
(cd class/build && ctest -N) >log
for label in check_solution check_several bench diff hint_tier recorded; do
    grep -q "course.$label (Disabled)" log || fail "course.$label would be run: $(grep course. log)"
done
grep -q "course.list$" log || fail "what it has is not tested: $(grep course. log)"
has_solution() { cmake --build class/build --target help | grep ex01_solution_emulated >/dev/null; }
has_solution && fail "there is a solution to build"
(
    COURSE_SOURCE=$folder/class COURSE_BUILD=$folder/class/build
    expect 77 "the solution of ex01 is not here" "$course" check ex01 --solution --device=emulated
    expect 77 "the solution of ex01 is not here" "$course" diff ex01
    expect 77 "the solution of ex01 is not here" "$course" pair
    expect 0 "cpu.c" "$course" diff ex01 --cpu
    expect 77 "the answers of ex01 are not here" "$course" answer ex01
    echo >>class/ex01_vector_scale/template.cu
    expect 0 "as git last recorded it" "$course" reset ex01
) || exit 1
expect 2 "cannot make the folder" "$course" handout "$folder/class" ex01
expect 2 "ex03 has not been handed out" "$course" release "$folder/class" ex03
expect 0 "Released: the solution and the answers of ex01" "$course" release "$folder/class" ex01
cmp -s here/ex01_vector_scale/solution.cu class/ex01_vector_scale/solution.cu ||
    fail "another solution"
[ -s class/solutions/ex01.md ] || fail "no answers"
# A check configures anew before it builds; nothing is built here.
mkdir bin &&
    printf '#!/bin/sh\n[ "$1" != --build ] || exit 1\nexec "%s" "$@"\n' "$(command -v cmake)" \
        >bin/cmake && chmod +x bin/cmake
PATH=$folder/bin:$PATH COURSE_SOURCE=$folder/class COURSE_BUILD=$folder/class/build \
    "$course" check ex01 --solution --device=emulated >log 2>&1
has_solution || fail "the build has not noticed the solution"
# Students pull it; other files there stay as they are.
[ "$(git -C class log --format=%s -1)" = "Solutions and answers" ] ||
    fail "not in its history: $(git -C class log --oneline)"
[ "$(git -C class show --name-only --format= | tr '\n' ' ')" = \
    "ex01_vector_scale/solution.cu solutions/ex01.md " ] || fail "other files"
expect 0 "" "$course" release "$folder/class" ex01
[ "$(git -C class rev-list --count HEAD)" -eq 2 ] || fail "twice in its history"
echo "// mine" >>class/ex01_vector_scale/solution.cu
expect 2 "is there already, with other contents" "$course" release "$folder/class" ex01

# An archive; and never a template that gives something away.
expect 0 "" "$course" handout "$folder/archive.tar.gz" ex01 ex03
tar -tzf archive.tar.gz | grep -q '^archive/ex03_vector_add/template.cu$' ||
    fail "the archive: $(tar -tzf archive.tar.gz | head)"
tar -tzf archive.tar.gz | grep -q '/solution\.cu$' && fail "a solution is in the archive"
cp here/ex03_vector_add/solution.cu here/ex03_vector_add/template.cu
expect 2 "is solved in part" "$course" handout "$folder/other" ex03
[ ! -e other ] || fail "nothing is made then"
# For others to read, whatever the umask; and without git, or where git does not trust the checkout,
# it says so.
git -C here checkout -q ex03_vector_add/template.cu
(umask 077 && "$course" handout "$folder/masked" ex01 &&
    "$course" release "$folder/masked" ex01) >out 2>&1 || fail "$(cat out)"
[ -z "$(find masked ! -type l ! -perm -a+r)" ] && [ -z "$(find masked -type d ! -perm -a+rx)" ] ||
    fail "not for others: $(find masked ! -perm -a+r)"
mkdir tools
for tool in sh tar rm mkdir; do ln -s "$(command -v $tool)" tools/; done
expect 2 "this needs git, which is not on the PATH" env PATH="$folder/tools" \
    "$course" handout "$folder/none" ex01
[ ! -e none ] || fail "nothing is made then"
mv here/.git here/git
expect 2 "git checkout of the course; of $folder/here git says: fatal: not a git repository" env \
    GIT_CEILING_DIRECTORIES="$folder" "$course" handout "$folder/none" ex01
mv here/git here/.git
# It reads another account's checkout.
echo >>here/ex01_vector_scale/template.cu
expect 0 "as git last recorded it" env HOME="$folder" GIT_TEST_ASSUME_DIFFERENT_OWNER=1 \
    "$course" reset ex01
# Git does not work in another account's folder: one line, and nothing is released.
git clone -q masked theirs && git -C theirs reset -q --hard HEAD~1
expect 2 "must release there, since git says: fatal: detected dubious ownership" \
    env HOME="$folder" GIT_TEST_ASSUME_DIFFERENT_OWNER=1 "$course" release "$folder/theirs" ex01
[ "$(wc -l <out)" -eq 1 ] && [ ! -e theirs/solutions/ex01.md ] || fail "not one line: $(cat out)"
expect 2 "handout needs a new folder" "$course" handout
expect 2 "release needs the folder" "$course" release "$folder/class"
echo "handing out and releasing work"
