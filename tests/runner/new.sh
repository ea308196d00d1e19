# new.sh COURSE FOLDER REPOSITORY BUILD: a new exercise builds, is unsolved, and passes once its
# kernel is written.
. "$(dirname "$0")/prelude.sh"
repository=$3 build=$4
mkdir -p runner/author solutions && cp -r "$repository/runner/author/skeleton" runner/author/ ||
    exit 2
list() { # LINE...: the list of exercises with these lines added
    printf '%s\n' 'project(x)' 'add_exercise(ex01_one "One"' '    MPI)' "$@" \
        'add_exercise(ex40_forty "Forty")' 'write_exercise_list()'
}
list >CMakeLists.txt
cp CMakeLists.txt before

expect 2 "new needs a name and a title" "$course" new ex26_fast_copy
expect 2 "expected a name such as" "$course" new ex2_x "Title"
expect 2 "expected a name such as" "$course" new ex26_Fast "Title"
expect 2 "expected a name such as" "$course" new "ex26_a/../b" "Title"
expect 2 "the title is text" "$course" new ex26_fast_copy 'Ti"tle'
expect 2 "ex77_made_up is there already" "$course" new ex77_other "Title"
expect 2 "has an exercise ex40 already" "$course" new ex40_other "Title"
cmp -s CMakeLists.txt before || fail "CMakeLists.txt was changed by a command that failed"

expect 0 "ex26_fast_copy is there, and unsolved" "$course" new ex26_fast_copy "Copy: fast"
list 'add_exercise(ex26_fast_copy          "Copy: fast")' >wanted
cmp CMakeLists.txt wanted || fail "$(cat CMakeLists.txt)"
for file in main.c cpu.c fast_copy.h solution.cu template.cu README.md checks.txt; do
    [ -s ex26_fast_copy/$file ] || fail "there is no $file"
    grep -n '@[A-Za-z]*@' ex26_fast_copy/$file && fail "a mark is left in $file"
done
if command -v clang-format >/dev/null; then
    cp "$repository/.clang-format" . &&
        expect 0 "" clang-format --dry-run -Werror ex26_fast_copy/*.[ch] ex26_fast_copy/*.cu
fi
[ -s solutions/ex26.md ] || fail "there is no page for the answers"
[ "$(find . -name '*.new*' -o -name '.ex*' | wc -l)" -eq 0 ] || fail "left behind: $(ls -a)"
expect 2 "ex26_fast_copy is there already" "$course" new ex26_fast_copy "Copy: fast"
echo "ex26_fast_copy|Copy: fast" >"$folder/build/exercises.txt"
expect 0 "agree" "$course" pair ex26

# make_program KIND: the program, with the course's own headers, harness and emulated device.
make_program() {
    includes="-I$repository/common -I$repository/common/harness -Iex26_fast_copy"
    for file in main cpu; do
        # shellcheck disable=SC2086
        gcc -std=gnu11 -fopenmp -Wall -Wextra -Wconversion -Werror -Wno-missing-field-initializers \
            -DCOURSE_EMULATED $includes -c ex26_fast_copy/$file.c -o $file.o || exit 1
    done
    # shellcheck disable=SC2086
    "$build/emulated-cc" $includes ex26_fast_copy/"$1".cu \
        "$repository/common/harness/device_cuda.cu" main.o cpu.o \
        "$build/common/libharness_emulated_host.a" -fopenmp -lm -o "$1" || exit 1
}
for kind in template solution; do
    make_program $kind
    expect 3 "NOT IMPLEMENTED: TODO 1 at" ./$kind --only device --size 100
done
at='(size_t)blockIdx.x * blockDim.x + threadIdx.x' copy='    if (i < n)\n        y[i] = x[i];'
sed -i "s/^    NOT_IMPLEMENTED(1);/    const size_t i = $at;\n\n$copy/" ex26_fast_copy/solution.cu
make_program solution
for options in "--size 1" "--size 33" "--size 4000 --block 96"; do
    # shellcheck disable=SC2086
    expect 0 "PASS" ./solution --only device $options
done
echo "// what both share" >>ex26_fast_copy/solution.cu
expect 1 "differ outside" "$course" pair ex26
expect 0 "" "$course" pair --fix ex26
expect 0 "agree" "$course" pair ex26
make_program template
expect 3 "NOT IMPLEMENTED: TODO 1 at" ./template --only device --size 100
echo "a new exercise works"
