# sources.sh COURSE FOLDER: the files that a check examines before it builds, and whether it has
# judged the present text.
. "$(dirname "$0")/prelude.sh"
echo 'echo "$device: $(cat "$0.made")"; verdict PASS; exit 0' | behave
# In place of cmake something that goes by the date of the copy, as the build does.
cat >bin/cmake <<'END2'
#!/bin/sh
program=$COURSE_BUILD/emulated/ex77_template
[ "$COURSE_BUILD/templates/ex77" -nt "$program.made" ] || exit 0
cat ex77_made_up/template.cu >"$program.made"
END2
check() { expect 0 "$1" "$course" check ex77 --device=emulated; }
: >"$folder/build/emulated/ex77_template.made"
echo "// one" >>$template
check "// one"
# Another file in its place with an older date (mv, cp -p).
sleep 0.02
echo "// two" >>$template && touch -d '2 hours ago' $template
check "// two"
written=$(stat -c %y "$folder/build/templates/ex77")
check "// two"
[ "$written" = "$(stat -c %y "$folder/build/templates/ex77")" ] ||
    fail "what has not changed is built once"
# In a build folder of make's, a template whose sources are no newer than the program, but for its
# own file, is made by its own rules, side by side with the other device's. Whatever else is newer
# is for make as a whole.
cp bin/cmake by_copy && mkdir common emulated && : >CMakeLists.txt
printf '#!/bin/sh\necho "own $*" >>"$COURSE_BUILD/calls"\n' >bin/make && chmod +x bin/make
printf '#!/bin/sh\necho "whole" >>"$COURSE_BUILD/calls"; touch "$COURSE_BUILD"/*/ex77_template\n' \
    >bin/cmake
: >"$folder/build/Makefile" && : >"$folder/build/CMakeCache.txt"
calls() { # WANTED [OPTION]: a check passes, with these calls
    called=$1; shift; : >"$folder/build/calls"
    expect 0 "" "$course" check ex77 "$@"
    [ "$(sort "$folder/build/calls" | tr '\n' ' ')" = "$called" ] ||
        fail "called '$called', called: $(cat "$folder/build/calls" out)"
}
own() {
    echo "own -s -f CMakeFiles/ex77_template_$1.dir/build.make" \
        "CMakeFiles/ex77_template_$1.dir/build "
}
calls "whole " --device=emulated
sleep 0.02 && echo "// three" >>$template
calls "$(own emulated)" --device=emulated
for newer in ex77_made_up/mine.h common/own.cuh CMakeLists.txt; do
    sleep 0.02 && : >$newer
    calls "whole " --device=emulated
done
sleep 0.02 && : >"$folder/build/CMakeCache.txt"
calls "whole " --device=emulated
calls "whole " --solution --device=emulated
with_gpu
calls "$(own emulated)$(own gpu)"
rm bin/make "$folder/build/Makefile" bin/nvidia-smi "$folder/build/has_gpu_programs" &&
    mv by_copy bin/cmake
check "// three"
# What no compiler could take is named in one line, and the part of a file behind a byte 0 cannot be
# forgotten.
cp $template kept
printf '// a\0b\n' >>$template
expect 2 "template.cu is no plain text, it has a byte 0: save it as UTF-8" \
    "$course" check ex77 --device=emulated
printf ' \n' >$template
expect 2 "template.cu is empty; ./course reset ex77 brings back the template" \
    "$course" check ex77 --device=emulated
cp kept $template
check "// three"
# A template that is saved while its program is built: the verdict is that of the text before, and
# is not recorded for this one.
cp bin/cmake quiet
printf '#!/bin/sh\nsh quiet; echo "// saved meanwhile" >>%s\n' $template >bin/cmake
echo "// one more" >>$template
expect 0 "You have saved the template since the build began" "$course" check ex77 --device=emulated
expect 0 "" "$course" list
grep -q '\[x\]' out && fail "what was not checked is ticked off: $(cat out)"
mv quiet bin/cmake
check "// saved meanwhile"
grep -q "You have saved" out && fail "nobody has saved anything: $(cat out)"
expect 0 "[x]" "$course" list
# Checks that end at the same time: one reads and writes the records, the other one waits for that.
if command -v flock >/dev/null; then
    echo "ex11_twin|twin" >>"$folder/build/exercises.txt" && mkdir ex11_twin &&
        cp $template $solution ex11_twin
    records=$folder/build/progress.txt
    sed 's/ex77_made_up/ex11_twin/' "$records" >twin
    flock "$folder/build/progress.lock" sh -c \
        'cat "$1" twin >both; : >locked; sleep 1; mv both "$1"' - "$records" &
    until [ -e locked ]; do sleep 0.02; done
    echo "// last" >>$template
    check "// last"
    wait
    expect 0 "" "$course" list
    [ "$(grep -c '^\[x\] ex' out)" -eq 2 ] || fail "a record is lost: $(cat out "$records")"
    sed -i /ex11/d "$folder/build/exercises.txt"
fi
# A damaged build folder takes one line that says what to do.
printf '#!/bin/sh\necho "make: *** No rule to make target x.o"; exit 2\n' >bin/cmake
expect 2 "the build folder seems to be damaged; remove it and try again: rm -r '$folder/build'" \
    "$course" check ex77 --device=emulated
printf '#!/bin/sh\necho "/usr/bin/ld: error: emulated/template-1.o: file too short"\nexit 1\n' \
    >bin/cmake
expect 2 "the build folder seems to be damaged" "$course" check ex77 --device=emulated
cat >bin/cmake <<'END'
#!/bin/sh
echo "/usr/bin/ld: x.o: file format not recognized"
echo "collect2: error: ld returned 1 exit status"; exit 2
END
expect 2 "the build folder seems to be damaged" "$course" check ex77 --device=emulated
# A folder in it that is gone.
none="No such file or directory" object=$folder/build/emulated/template-1.o
for line in "emulated-cc: cannot write $folder/build/warnings/ex77_template: $none" \
    "<built-in>: fatal error: opening dependency file $object.d: $none"; do
    printf '#!/bin/sh\necho "[ 50%%%%] Compiling"; echo "%s"; exit 2\n' "$line" >bin/cmake
    expect 2 "the build folder seems to be damaged" "$course" check ex77 --device=emulated
    [ "$(head -n 1 out)" = "$line" ] || fail "the cause comes first: $(cat out)"
done
printf '#!/bin/sh\necho "Error: could not find CMAKE_GENERATOR in Cache"; exit 1\n' >bin/cmake
expect 2 "the build folder seems to be damaged" "$course" check ex77 --device=emulated
# A full disk (here: a limit of files' length) leaves an empty log.
printf '#!/bin/sh\nexit 2\n' >bin/cmake
(trap "" XFSZ; ulimit -f 100
expect 2 "no space left in $folder/build, or in your quota; COURSE_BUILD names another folder" \
    "$course" check ex77 --device=emulated) || exit 1
ls "$folder"/build/space-* 2>/dev/null && fail "what it tried with is left"
# A linker's own words come before those of the compiler that called it.
cat >bin/cmake <<'END'
#!/bin/sh
echo "[ 50%] Linking"; echo "/usr/bin/ld: main.c:3: undefined reference to f"
echo "collect2: error: ld returned 1 exit status"; exit 2
END
expect 2 "undefined reference to f" "$course" check ex77 --device=emulated
[ "$(head -n 1 out)" = "/usr/bin/ld: main.c:3: undefined reference to f" ] ||
    fail "the cause comes first: $(cat out)"
# Ninja's words: its own, and the command that failed, are left out where a message of the compiler
# follows.
cat >bin/cmake <<'END'
#!/bin/sh
echo "[1/2] Compiling"; echo "FAILED: emulated/template-1.o"; echo "emulated-cc -c template.cu"
echo "template.cu:3: error: no such thing"; echo "ninja: build stopped: subcommand failed."; exit 1
END
expect 2 "template.cu:3: error: no such thing" "$course" check ex77 --device=emulated
[ "$(wc -l <out)" -eq 2 ] || fail "more than the message and where the log is: $(cat out)"
# A name in two files: which file must change.
for name in main f; do
    cat >bin/cmake <<END
#!/bin/sh
echo "ld: t.o: in function \\\`$name': multiple definition of \\\`$name';" \
    "main.o: first defined here"
exit 2
END
    case $name \
        in main) said="the exercise has a main() in its main.c: remove yours" ;; *) \
        said="there is another f: give yours another name" ;; esac
    expect 2 "course: $said" "$course" check ex77 --device=emulated
done
rm "$folder/build/exercises.txt"
expect 2 "is damaged, or not configured to its end: remove that folder" "$course" check ex77
rm "$folder/build/has_gpu_programs" 2>/dev/null
echo "sources work"
