# inputs.sh COURSE FOLDER: a check never judges a program that was made from other sources, whatever the dates say.
. "$(dirname "$0")/prelude.sh"
echo 'echo "$device: $(cat "$0.made")"; verdict PASS; exit 0' | behave

cp "$folder/build/emulated/ex77_template" "$folder/program"
export folder
# In place of cmake something that goes by dates, as make does: the program remembers its sources.
cat >bin/cmake <<'END2'
#!/bin/sh
program=$COURSE_BUILD/emulated/ex77_template
for source in ex77_made_up/template.cu ex77_made_up/mine.h common/harness/own.c; do
    [ ! -e "$program" ] || [ $source -nt "$program" ] || continue
    echo made >>"$COURSE_BUILD/made"
    cat ex77_made_up/template.cu ex77_made_up/mine.h common/harness/own.c >"$program.made"
    cp "$folder/program" "$program"
    break
done
exit 0
END2
say() { echo "// $1" >ex77_made_up/mine.h; }
check() { expect 0 "$1" "$course" check ex77 --device=emulated; }
touch -d '1 hour ago' "$folder/build/emulated/ex77_template"
mkdir -p common/harness && echo "// of the harness" >common/harness/own.c
say one
check "// one"
made=$(wc -l <"$folder/build/made")
check "// one"
[ "$(wc -l <"$folder/build/made")" -eq "$made" ] || fail "what has not changed is built once"
# Another harness with an older date: a course that is brought up to date by a copy that keeps dates.
echo "// another harness" >common/harness/own.c && touch -d '2 hours ago' common/harness/own.c
check "// another harness"
# A header with an older date (mv, cp -p, git checkout), then the template itself.
say two && touch -d '2 hours ago' ex77_made_up/mine.h
check "// two"
echo "// three" >>$template && touch -d '2 hours ago' $template
check "// three"
# The clock was moved back: the program's date lies ahead.
touch -d '+1 hour' "$folder/build/emulated/ex77_template" && check "// three"
say four
check "// four"
touch -d '+1 hour' "$folder/build/emulated/ex77_template" && check "// four"
echo "// five" >>$template
check "// five"
# With an object between: what is compiled now is older than a program from the future, and must be linked all the same.
cp bin/cmake by_dates
cat >bin/cmake <<'END2'
#!/bin/sh
program=$COURSE_BUILD/emulated/ex77_template object=$COURSE_BUILD/ex77_template.o
clock=now
[ ! -e "$folder/ahead" ] || clock='+1 hour'
[ -e "$object" ] && ! [ ex77_made_up/template.cu -nt "$object" ] || { cp ex77_made_up/template.cu "$object"; touch -d "$clock" "$object"; }
[ -e "$program" ] && ! [ "$object" -nt "$program" ] && exit 0
cp "$object" "$program.made"
cp "$folder/program" "$program" && touch -d "$clock" "$program"
END2
echo "// six" >>$template && check "// six"
for known in yes no; do
    : >"$folder/ahead"
    echo "// ahead, known: $known" >>$template && check "// ahead, known: $known"
    rm "$folder/ahead"
    [ $known = yes ] || rm "$folder/build/emulated/ex77_template.inputs"
    echo "// linked, known: $known" >>$template && check "// linked, known: $known"
done
mv by_dates bin/cmake
# What no compiler could take is named in one line, and the part of a file behind a byte 0 cannot be forgotten.
cp $template kept
printf '// a\0b\n' >>$template
expect 2 "template.cu is no plain text, it has a byte 0: save it as UTF-8" "$course" check ex77 --device=emulated
printf ' \n' >$template
expect 2 "template.cu is empty; ./course reset ex77 brings back the template" "$course" check ex77 --device=emulated
cp kept $template
check "// linked"
# A template that is saved while its program is built: the verdict is that of the text before, and is not recorded for this one.
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
    echo "ex11_twin|twin" >>"$folder/build/exercises.txt" && mkdir ex11_twin && cp $template $solution ex11_twin
    records=$folder/build/progress.txt
    sed 's/ex77_made_up/ex11_twin/' "$records" >twin
    flock "$folder/build/progress.lock" sh -c 'cat "$1" twin >both; : >locked; sleep 1; mv both "$1"' - "$records" &
    until [ -e locked ]; do sleep 0.02; done
    echo "// last" >>$template
    check "// last"
    wait
    expect 0 "" "$course" list
    [ "$(grep -c '^\[x\] ex' out)" -eq 2 ] || fail "a record is lost: $(cat out "$records")"
    sed -i /ex11/d "$folder/build/exercises.txt"
fi
# A build that takes no notice is no build.
printf '#!/bin/sh\nexit 0\n' >bin/cmake
check "// linked"
echo "// seven" >>$template
expect 2 "has changed, but the build has left" "$course" check ex77 --device=emulated

# A damaged build folder takes one line that says what to do.
printf '#!/bin/sh\necho "make: *** No rule to make target x.o"; exit 2\n' >bin/cmake
expect 2 "the build folder seems to be damaged; remove it and try again: rm -r '$folder/build'" "$course" check ex77 --device=emulated
printf '#!/bin/sh\necho "/usr/bin/ld: error: emulated/template-1.o: file too short"\nexit 1\n' >bin/cmake
expect 2 "the build folder seems to be damaged" "$course" check ex77 --device=emulated
printf '#!/bin/sh\necho "/usr/bin/ld: x.o: file format not recognized"; echo "collect2: error: ld returned 1 exit status"; exit 2\n' >bin/cmake
expect 2 "the build folder seems to be damaged" "$course" check ex77 --device=emulated
# A folder in it that is gone.
for line in "emulated-cc: cannot write $folder/build/warnings/ex77_template: No such file or directory" \
    "<built-in>: fatal error: opening dependency file $folder/build/emulated/template-1.o.d: No such file or directory"; do
    printf '#!/bin/sh\necho "[ 50%%%%] Compiling"; echo "%s"; exit 2\n' "$line" >bin/cmake
    expect 2 "the build folder seems to be damaged" "$course" check ex77 --device=emulated
    [ "$(head -n 1 out)" = "$line" ] || fail "the cause comes first: $(cat out)"
done
# A full disk (here: a limit of files' length) leaves an empty log.
printf '#!/bin/sh\nexit 2\n' >bin/cmake
(trap "" XFSZ; ulimit -f 100; expect 2 "no space left in $folder/build, or in your quota; COURSE_BUILD names another folder" "$course" check ex77 --device=emulated) || exit 1
ls "$folder"/build/space-* 2>/dev/null && fail "what it tried with is left"
# A linker's own words come before those of the compiler that called it.
printf '#!/bin/sh\necho "[ 50%%] Linking"; echo "/usr/bin/ld: main.c:3: undefined reference to f"; echo "collect2: error: ld returned 1 exit status"; exit 2\n' >bin/cmake
expect 2 "undefined reference to f" "$course" check ex77 --device=emulated
[ "$(head -n 1 out)" = "/usr/bin/ld: main.c:3: undefined reference to f" ] || fail "the cause comes first: $(cat out)"
# A name in two files: whose is to go.
for name in main f; do
    printf '#!/bin/sh\necho "ld: t.o: in function \\`%s'"'"': multiple definition of \\`%s'"'"'; main.o: first defined here"; exit 2\n' $name $name >bin/cmake
    case $name in main) said="main() is the exercise's, in its main.c: take yours out" ;; *) said="f is the name of something else, too" ;; esac
    expect 2 "course: $said" "$course" check ex77 --device=emulated
done
rm "$folder/build/exercises.txt"
expect 2 "is damaged, or not configured to its end: remove that folder" "$course" check ex77
rm "$folder/build/has_gpu_programs" 2>/dev/null
echo "inputs work"
