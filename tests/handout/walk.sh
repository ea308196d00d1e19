# walk.sh FOLDER: what a class does with the whole course handed out. It configures, a check says of each exercise that
# it is not implemented, and the tests pass.
. "$(dirname "$0")/../runner/functions.sh"
cd "$1/class" || exit 2
unset COURSE_SOURCE COURSE_BUILD
expect 0 "" cmake -S . -B build -DCOURSE_GPU=OFF
skipped=$(grep '^-- SKIPPED' out) # no MPI, no OpenACC
expect 3 "" ./course check
exercises=$(sed 's/_.*//' build/exercises.txt)
[ "$(echo "$exercises" | wc -l)" -eq "$(ls -d ex*_* | wc -l)" ] || fail "exercises are missing: $exercises"
for exercise in $exercises; do
    case $skipped in *$exercise*) continue ;; esac
    grep -q "^\[ \] $exercise  NOT IMPLEMENTED  0 of" out || fail "$exercise is said to be otherwise: $(cat out)"
done
expect 2 "a handout has no tests for authors" ./course test --author
expect 0 "100% tests passed" ./course test
[ -z "$(git status --porcelain)" ] || fail "something lies in the checkout: $(git status --porcelain)"
echo "the handout works: $(grep 'tests passed' out)"
