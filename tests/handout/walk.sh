# walk.sh FOLDER: walks through the whole course, handed out to FOLDER/class, as a class does. It
# configures, a check says of each exercise that it is not implemented, and the tests pass.
. "$(dirname "$0")/../runner/functions.sh"
cd "$1" || exit 2
unset COURSE_SOURCE COURSE_BUILD
expect 0 "" cmake -S class -B class/build -DCOURSE_GPU=OFF
skipped=$(grep '^-- SKIPPED' out) # no MPI, no OpenACC
expect 3 "" class/course check
exercises=$(short <class/build/exercises.txt)
[ "$(echo "$exercises" | wc -l)" -eq "$(ls -d class/ex*_* class/lab_*/template.cu | wc -l)" ] ||
    fail "exercises are missing: $exercises"
for exercise in $exercises; do
    case $skipped in *$exercise*) continue ;; esac
    grep -q "^\[ \] $exercise  NOT IMPLEMENTED  0 of" out ||
        fail "$exercise is said to be otherwise: $(cat out)"
done
expect 2 "a handout has no tests for authors" class/course test --author
expect 0 "100% tests passed" class/course test
[ -z "$(git -C class status --porcelain)" ] ||
    fail "something lies in the checkout: $(git -C class status --porcelain)"
echo "the handout works: $(grep 'tests passed' out)"
