# shared.sh SOURCE BUILD FOLDER: two students at once use a course that they can only read, from
# first use to bench. The checkout and its build stand in for the installation, with one exercise
# and without a GPU.
. "$(dirname "$0")/functions.sh"
source=$1 build=$2 folder=$3 first=61001 second=61002
[ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null ||
    { echo "SKIPPED: other users need root and setpriv"; exit 77; }
umask 022
unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER # its cache may be closed to others
rm -rf "$folder" && mkdir -p "$folder/installed" && cd "$folder" || exit 2
ln -s "$build"/* installed/ && rm installed/settings.cmake installed/exercises.txt || exit 2
grep -v -e COURSE_GPU -e COURSE_ONLY -e CUDA "$build/settings.cmake" >installed/settings.cmake
printf 'set(COURSE_GPU OFF CACHE STRING "")\nset(COURSE_ONLY ex01 CACHE STRING "")\n' \
    >>installed/settings.cmake
grep '^ex01' "$build/exercises.txt" >installed/exercises.txt ||
    { echo "SKIPPED: there is no ex01 in this build"; exit 77; }
for user in $first $second; do
    mkdir home$user && chown $user:$user home$user || exit 2
done
# as USER COMMAND...; with exec=exec in place of this shell.
as() {
    user=$1
    shift
    ${exec:-} setpriv --reuid="$user" --regid="$user" \
        --clear-groups env -u COURSE_BUILD -u COURSE_WORK HOME="$folder/home$user" \
        COURSE_INSTALLED="$folder/installed" "$@"
}
as $first sh -c 'test -r "$1/course" && cd "$2"' sh "$source" "$build" ||
    { echo "SKIPPED: others cannot read $source"; exit 77; }
as $first sh -c 'test ! -w "$1" && test ! -w "$2"' sh "$source" "$build" ||
    fail "the installation can be written"
course=$source/course work=$folder/home$first/cuda-course
# both COMMAND...: both students at once; the outputs are in the files USER.
both() {
    as $first "$course" "$@" >$first 2>&1 </dev/null &
    one=$!
    as $second "$course" "$@" >$second 2>&1 </dev/null
    status_of_second=$?
    wait $one
    status_of_first=$?
}

both list
[ "$status_of_first$status_of_second" = 00 ] || fail "list: $(cat $first $second)"
grep -q "copied 1 template to $work" $first && grep -q 'ex01  Scale a vector' $second ||
    fail "list: $(cat $first $second)"
# One has solved it, the other not.
cat "$source/ex01_vector_scale/solution.cu" >"$work/ex01_vector_scale/template.cu"
both check ex01 --device=emulated
[ "$status_of_first$status_of_second" = 03 ] || fail "check: $(cat $first $second)"
grep -q 'PASS: 5 of 5' $first &&
    grep -q 'NOT IMPLEMENTED: TODO 1 at ex01_vector_scale/template.cu' $second ||
    fail "check: $(cat $first $second)"
made=$(find "$work/build" -name '*.o' | wc -l)
[ "$made" -eq 1 ] ||
    fail "more than the student's own file was compiled: $(find "$work/build" -name '*.o')"
expect 0 "[x] ex01" as $first "$course" list
# Root checks the first student's work again, as a third user.
if id nobody >/dev/null 2>&1; then
    (
        COURSE_SOURCE=$source COURSE_INSTALLED=$folder/installed COURSE_WORK=$folder/teacher \
            COURSE_BUILD=$folder/teacher/build
        export COURSE_SOURCE COURSE_INSTALLED COURSE_WORK COURSE_BUILD
        expect 0 "passed            1" "$build/course" rollup --verify=nobody "$work" --csv rows.csv
        grep -q ',yes$' rows.csv || fail "not verified: $(cat out rows.csv)"
        mkdir -m 700 closed
        expect 2 "nobody cannot enter $folder/closed/course-verify-" "$build/course" rollup \
            --verify=nobody --in closed "$work"
        [ -z "$(ls closed)" ] || fail "the folder is left"
    ) || exit 1
fi
expect 0 "[ ] ex01" as $second "$course" list
expect 0 "Next: ex01, TODO 1" as $second "$course" next
expect 0 "solution.cu" as $second "$course" diff ex01
expect 0 "Emu  one float4 per thread" as \
    $second "$course" bench ex01 --quick --device=emulated --only device
exec='exec' as $second "$course" watch ex01 >watched 2>&1 &
watch=$!
for moment in $(seq 300); do
    grep -q 'Watching; Ctrl-C ends it.' watched && break
    sleep 0.2
done
kill $watch
grep -q 'NOT IMPLEMENTED: TODO 1' watched && [ "$moment" -lt 300 ] || fail "watch: $(cat watched)"
expect 0 "yours is kept in $work/ex01_vector_scale/template.cu." as $first "$course" reset ex01
expect 0 "[ ] ex01" as $first "$course" list
[ -f "$work/.clangd" ] &&
    grep -q "\"file\": \"$work/ex01_vector_scale/template.cu\"" \
        "$work/build/editor/compile_commands.json" ||
    fail "an editor finds no flags: $(cat "$work/build/editor/compile_commands.json")"
kilobytes=$(du -sk "$work" | cut -f1)
[ "$kilobytes" -le 10000 ] || fail "one exercise takes $kilobytes kB of a student's disk"
echo "two students share what they cannot write; each has $kilobytes kB"
