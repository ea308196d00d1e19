# inputs.sh COURSE FOLDER: a check never judges a program that was made from other sources, whatever the dates say.
. "$(dirname "$0")/prelude.sh"
echo 'echo "$device: $(cat "$0.made")"; verdict PASS; exit 0' | behave

# In place of cmake something that goes by dates, as make does: the program remembers its sources.
cat >bin/cmake <<'END2'
#!/bin/sh
program=$COURSE_BUILD/emulated/ex77_template
for source in ex77_made_up/template.cu ex77_made_up/mine.h; do
    [ $source -nt "$program" ] || continue
    echo made >>"$COURSE_BUILD/made"
    cat ex77_made_up/template.cu ex77_made_up/mine.h >"$program.made"
    touch "$program"
    break
done
exit 0
END2
say() { echo "// $1" >ex77_made_up/mine.h; }
check() { expect 0 "$1" "$course" check ex77 --device=emulated; }
touch -d '1 hour ago' "$folder/build/emulated/ex77_template"
say one
check "// one"
made=$(wc -l <"$folder/build/made")
check "// one"
[ "$(wc -l <"$folder/build/made")" -eq "$made" ] || fail "what has not changed is built once"
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
# A build that takes no notice is no build.
printf '#!/bin/sh\nexit 0\n' >bin/cmake
check "// five"
echo "// six" >>$template
expect 2 "has changed, but the build has left" "$course" check ex77 --device=emulated

# A damaged build folder takes one line that says what to do.
printf '#!/bin/sh\necho "make: *** No rule to make target x.o"; exit 2\n' >bin/cmake
expect 2 "the build folder seems to be damaged; remove it and try again: rm -r '$folder/build'" "$course" check ex77 --device=emulated
printf '#!/bin/sh\necho "/usr/bin/ld: error: emulated/template-1.o: file too short"\nexit 1\n' >bin/cmake
expect 2 "the build folder seems to be damaged" "$course" check ex77 --device=emulated
printf '#!/bin/sh\necho "/usr/bin/ld: x.o: file format not recognized"; echo "collect2: error: ld returned 1 exit status"; exit 2\n' >bin/cmake
expect 2 "the build folder seems to be damaged" "$course" check ex77 --device=emulated
# A linker's own words come before those of the compiler that called it.
printf '#!/bin/sh\necho "[ 50%%] Linking"; echo "/usr/bin/ld: main.c:3: undefined reference to f"; echo "collect2: error: ld returned 1 exit status"; exit 2\n' >bin/cmake
expect 2 "undefined reference to f" "$course" check ex77 --device=emulated
[ "$(head -n 1 out)" = "/usr/bin/ld: main.c:3: undefined reference to f" ] || fail "the cause comes first: $(cat out)"
rm "$folder/build/exercises.txt"
expect 2 "is damaged, or not configured to its end: remove that folder" "$course" check ex77
rm "$folder/build/has_gpu_programs" 2>/dev/null
echo "inputs work"
