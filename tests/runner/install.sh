# install.sh COURSE FOLDER: an installation of a course that is made up, and what a student of it
# gets: copies of the templates, which nothing overwrites once they are edited.
. "$(dirname "$0")/prelude.sh"
command -v git >/dev/null || { echo "SKIPPED: git is not installed"; exit 77; }
: >README.md
sed 's/    int b = 1;/    NOT_IMPLEMENTED(1);/; /^int d;/d' $solution >$template
git init -q . && git add -A &&
    git -c commit.gpgsign=false -c user.name=course -c user.email=course commit -qm course || exit 2
: >"$folder/build/settings.cmake"
# In place of cmake: says how it was called.
printf '#!/bin/sh\necho "$*" >>"%s/calls"\n' "$folder" >bin/cmake

umask 077
expect 0 "Installed: 1 exercise for all who can read $folder/shared" \
    "$course" install "$folder/shared" ex77
options="-DCOURSE_AUTHOR=OFF -DCOURSE_ONLY=ex77 -C $folder/build/settings.cmake"
grep -q -e "-B $folder/shared/build $options" "$folder/calls" || fail "$(cat "$folder/calls")"
grep -q -e "--build $folder/shared/build .*--target all" "$folder/calls" ||
    fail "$(cat "$folder/calls")"
cmp -s $template "$folder/shared/$template" && cmp -s $solution "$folder/shared/$solution" ||
    fail "its files"
[ -z "$(find "$folder/shared" ! -perm -a+r -o -perm /go+w)" ] ||
    fail "not to be read, or to be written: $(ls -lR "$folder/shared")"
# For a class that must not see them yet: without solutions, and later with them.
mkdir solutions && echo answers >solutions/ex77.md && git add solutions
expect 0 "Installed: 1 exercise without solutions for all who can read $folder/class" \
    "$course" install --without-solutions "$folder/class" ex77
[ -e "$folder/class/$template" ] || fail "there is no template"
for gone in $solution solutions/ex77.md; do
    [ ! -e "$folder/class/$gone" ] || fail "$gone is installed"
done
expect 0 "Installed: 1 exercise for all" "$course" install "$folder/class" ex77
cmp -s $solution "$folder/class/$solution" || fail "no solution later"
expect 0 "1 exercise without solutions" "$course" install "$folder/class" ex77 --without-solutions
[ ! -e "$folder/class/$solution" ] || fail "the solution is still there"
umask 022
mkdir "$folder/other"
expect 2 "cannot make the folder" "$course" install "$folder/other"
expect 2 "install needs a folder" "$course" install
cp $solution $template
expect 2 "is solved in part" "$course" install "$folder/shared"
git checkout -q -- $template
# A newer one: old files that it lacks go away, files that others put there stay.
git rm -q --cached README.md && : >"$folder/shared/theirs"
expect 0 "Installed" "$course" install "$folder/shared" ex77
[ ! -e "$folder/shared/README.md" ] && [ -e "$folder/shared/theirs" ] ||
    fail "the older one's files: $(ls "$folder/shared")"

# A student of it.
cp -r "$folder/build/exercises.txt" "$folder/build/emulated" "$folder/shared/build/"
COURSE_SOURCE=$folder/shared COURSE_INSTALLED=$folder/shared/build COURSE_WORK=$folder/mine \
    COURSE_BUILD=$folder/mine/build
export COURSE_INSTALLED COURSE_WORK
original=$folder/shared/$template own=$folder/mine/$template
expect 0 "course: copied 1 template to $folder/mine: edit them and call ./course there" \
    "$course" list
[ "$(readlink "$folder/mine/course")" = "$folder/shared/course" ] || fail "no script"
cmp -s "$original" "$own" && [ -w "$own" ] || fail "the copy"
expect 0 "" "$course" list
grep -q '^course: ' out && fail "said again: $(cat out)"

# What ./course has it do before: their build is configured with the installation's settings, again
# when these are newer.
: >"$folder/shared/build/settings.cmake"
cat >bin/cmake <<END
#!/bin/sh
echo "\$*" >>"$folder/calls"; echo "-- GPU programs: none"
: >"$folder/mine/build/CMakeCache.txt"
END
expect 0 "course: GPU programs: none" "$course" --prepare
options="-C $folder/shared/build/settings.cmake -DCOURSE_INSTALLED=$folder/shared/build"
grep -q -e "-B $folder/mine/build $options -DCOURSE_WORK=$folder/mine" "$folder/calls" ||
    fail "$(cat "$folder/calls")"
rm -f "$folder/calls"
expect 0 "" "$course" --prepare
[ ! -e "$folder/calls" ] || fail "configured without need"
sleep 0.02 && : >"$folder/shared/build/settings.cmake"
printf '#!/bin/sh\necho "CMake Error: no such compiler"; exit 1\n' >bin/cmake
expect 2 "CMake Error: no such compiler" "$course" --prepare
printf '#!/bin/sh\necho "$*" >>"%s/calls"\n' "$folder" >bin/cmake

echo "// new" >>"$original"
expect 0 "ex77: the installation has a new template; you had not edited yours" "$course" list
cmp -s "$original" "$own" || fail "the new one"
echo "// mine" >>"$own"
echo "// newer" >>"$original"
expect 0 "ex77: the installation has a new template; yours stays as it is" "$course" list
grep -q '^// mine' "$own" || fail "the student's text is lost"
expect 0 "" "$course" list
grep -q '^course: ' out && fail "said again: $(cat out)"
expect 0 "is as the installation has it; yours is kept in $own." "$course" reset ex77
cmp -s "$original" "$own" && grep -q '^// mine' "$own".* || fail "reset"
expect 0 "as the installation has it already" "$course" reset ex77
rm "$own"
expect 0 "copied 1 template" "$course" list

# Their program is made from their template; the solution's is the installation's, and is not made
# again.
mkdir -p "$folder/mine/build/emulated"
sed 's/verdict()/own=1; verdict()/' "$folder/build/emulated/ex77_template" \
    >"$folder/mine/build/emulated/ex77_template"
chmod +x "$folder/mine/build/emulated/ex77_template"
echo 'echo "own: ${own:-0}"; verdict PASS' | behave
cp ex77_made_up/behaviour "$folder/shared/ex77_made_up/"
rm -f "$folder/calls"
expect 0 "own: 0" "$course" check ex77 --solution --device=emulated
[ ! -e "$folder/calls" ] ||
    fail "the solution is not the student's to build: $(cat "$folder/calls")"
expect 0 "own: 1" "$course" check ex77 --device=emulated
grep -q -e "--build $folder/mine/build .*ex77_template_emulated" "$folder/calls" ||
    fail "$(cat "$folder/calls")"
grep -q '^ex77_made_up ' "$folder/mine/build/progress.txt" || fail "the record of the check"
# The oldest files go when the build is too large.
truncate -s 20M "$folder/mine/build/emulated/first" && sleep 0.02 &&
    truncate -s 10M "$folder/mine/build/emulated/second" && sleep 0.02 || exit 2
touch "$folder/mine/build/emulated/"ex77_*
expect 0 "" "$course" check ex77 --device=emulated
[ ! -e "$folder/mine/build/emulated/first" ] || fail "30 MB are kept"
[ -e "$folder/mine/build/emulated/second" ] && [ -e "$folder/mine/build/emulated/ex77_template" ] \
    || fail "more than necessary is gone"
rm "$folder/shared/$solution"
expect 77 "the solution of ex77 is not here" "$course" check ex77 --solution --device=emulated
expect 2 "an installation has no tests" "$course" test
echo "an installation is made and used"
