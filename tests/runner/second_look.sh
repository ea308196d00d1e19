# second_look.sh COURSE FOLDER: when nvcc cannot compile a template, the emulated device's compiler
# says why, if it knows.
. "$(dirname "$0")/prelude.sh"
with_gpu
echo 'verdict PASS; exit 0' | behave
printf 'int a;\nint main(void) { return square(2); }\n' >student.cu
# compilers WORDS...: nvcc fails; the emulated device's compiler fails with these words, or has none
# and is content
compilers() {
    {
        cat <<'END'
#!/bin/sh
case $* in
*_gpu*) printf "%s\n" "student.cu(2): error: identifier \"square\" is undefined" \
    "  int main(void) { return square(2); }" "                          ^" "" \
    "1 error detected in the compilation of \"student.cu\"."; exit 1 ;;
END
        [ $# -eq 0 ] || echo "*) echo '$*'; exit 1 ;;"
        echo 'esac'
    } >bin/cmake
    rm -f "$COURSE_BUILD"/gpu/ex77_template
}
compilers "student.cu:2:25: error: 'square' was not declared in this scope"
expect 2 "was not declared" "$course" check ex77 --device=gpu
! grep -q "undefined" out || fail "nvcc speaks, too: $(cat out)"
compilers
expect 2 'student.cu:2:25: error: identifier "square" is undefined' \
    "$course" check ex77 --device=gpu
grep -qx '    2 | int main(void) { return square(2); }' out &&
    grep -qx '      |                         ^' out || fail "not the author's line: $(cat out)"
! grep -q "detected in the compilation" out || fail "nvcc's own words: $(cat out)"
expect 2 'error: identifier "square" is undefined' "$course" bench ex77 --device=gpu --template
echo "all as expected"
