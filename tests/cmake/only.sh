# only.sh SOURCE FOLDER EXERCISE: with COURSE_ONLY one exercise is configured, built and tested with
# the authors' tests, and nothing else is tested.
. "$(dirname "$0")/../runner/functions.sh"
source=$1 folder=$2 only=$3
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 2
# The build lies in a course, as the main one does, whose entries are links to this one's: a cache
# of the compiler's results knows a source by its path from there.
mkdir course && for entry in "$source"/*; do
    [ -e "$entry/CMakeCache.txt" ] || ln -s "$entry" course || exit 2
done
source=$folder/course
ln -s course/build build
expect 0 "" cmake -S course -B course/build -DCOURSE_GPU=OFF -DCOURSE_AUTHOR=ON \
    -DCOURSE_ONLY="$only"
! grep -q COURSE_HAVE_ACC build/CMakeCache.txt ||
    fail "OpenACC is looked for, and ex14 and ex15 are not there"
ctest --test-dir build -N | sed -n 's/^ *Test *#[0-9]*: //p' >tests
others=$(grep -v -w -e "$only" -e pair tests)
[ -z "$others" ] || fail "other tests: $others"
grep -q "^$only\.mutant\." tests || fail "no mutants: $(cat tests)"
expect 0 "" cmake --build build --parallel 2
expect 0 "100% tests passed" ctest --test-dir build -j 2
passed=$(grep 'tests passed' out)
# A check builds again what somebody has removed.
rm -rf build/emulated build/warnings
COURSE_SOURCE=$source COURSE_BUILD=$source/build expect 0 "PASS also with" build/course check \
    "$only" --solution --device=emulated
echo "$only alone: $passed"
