# script.sh SOURCE FOLDER: the script ./course with other programs in place of apt-get, sudo and
# cmake: its messages before it installs, its use of sudo, and its reaction to a damaged build
# folder.
source=$1 folder=$2
unset COURSE_SOURCE COURSE_BUILD COURSE_WORK COURSE_INSTALLED # of the ./course test that runs this
rm -rf "$folder" && mkdir -p "$folder/bin" "$folder/build" && cd "$folder" || exit 2
fail() { echo "$*"; cat out calls 2>/dev/null; exit 1; }
# fake NAME SCRIPT: never through a link to the true program.
fake() { rm -f "bin/$1" && printf '#!/bin/sh\n%s\n' "${2:-}" >"bin/$1" && chmod +x "bin/$1"; }

# Only these tools exist: those of the script itself, gcc, g++, make and the fakes; no mpicc, no
# gnuplot.
for tool in find sh sed grep rm mkdir readlink flock cat head env tr touch chmod gcc g++ make; do
    ln -s "$(command -v $tool)" bin/ 2>/dev/null || exit 2
done
fake true
fake "$(gcc -dumpmachine)-accel-nvptx-none-gcc" # else a machine with a GPU wants one more package
fake id 'echo 1000'
fake apt-get 'echo "apt-get $*" >>calls; cat out >at_that_time'
fake sudo 'echo "sudo $*" >>calls; [ "$1" != -n ] || [ ! -e password ] || exit 1
[ "$1" != -n ] || shift; exec "$@"'
# A configured and built course: a program that reports its start.
fake_cmake() { fake cmake 'echo "cmake $*" >>calls
[ "$1" = --build ] ||
    printf "%s\n" "CMAKE_HOME_DIRECTORY:INTERNAL='"$source"'" >build/CMakeCache.txt
printf "#!/bin/sh\necho ran \$*\n" >build/course; chmod +x build/course'; }
fake_cmake
course() { : >calls
PATH=$folder/bin COURSE_BUILD=$folder/build sh "$source/course" "$@" >out 2>&1 </dev/null; }

# Without --install nothing is installed.
course list || fail "the course does not start"
grep -q '^ran list' out || fail "not handed over"
grep -q -e apt-get -e sudo calls && fail "installed without --install"

# As an ordinary user: says what and how, before; never a prompt without a terminal.
course --install list || fail "--install failed"
grep -q -e '--install: sudo apt-get install ninja-build openmpi-bin libopenmpi-dev gnuplot-nox' \
    at_that_time || fail "not said before it was done"
grep -q 'sudo -n true' calls || fail "sudo was not asked whether it wants a password"
grep '^sudo' calls | grep -v '^sudo -n' && fail "sudo could have asked for a password"
[ "$(grep -c '^apt-get install -y -qq [a-z-]*$' calls)" -eq 5 ] || fail "five packages are wanted"
grep -q "without 'mpicc': exercise 12 is left out" out || fail "what is left out is not said"

# sudo wants a password: one line, and nothing is tried.
touch password
course --install list || fail "the rest must go on"
grep -q 'sudo wants a password, and there is no terminal' out || fail "not said"
grep -q apt-get calls && fail "tried nevertheless"

# Without a compiler nothing works, whether or not it could be installed.
rm bin/g++ bin/make build/configured
course list && fail "handed over without g++"
grep -q \
    "without 'g++': nothing works (Debian, Ubuntu: apt-get install g++; or ./course --install)" \
    out || fail "not said"
grep -q "without 'make': nothing works" out || fail "only the first is said"
course --install list && fail "handed over without g++, after --install"
ln -s "$(command -v g++)" "$(command -v make)" bin/ || exit 2

# Without any tool: one line, and no folder in a place that only looks like the course's.
sh=$(command -v sh)
PATH=$folder/nowhere "$sh" "$source/course" list >out 2>&1 && fail "handed over without tools"
[ "$(wc -l <out)" -eq 1 ] && grep -q 'readlink.*not found' out || fail "one line"

# As root: no sudo.
fake id 'echo 0'
course --install list || fail "--install as root failed"
grep -q -e '--install: apt-get install' out || fail "not said"
grep -q sudo calls && fail "root needs no sudo"

# For the authors' tests Slurm too, and only for these.
course --install test || fail "--install test failed"
grep -q -e slurm -e munge calls out && fail "a student needs no Slurm"
course test --author || fail "test --author failed"
grep -q -e slurm -e munge calls out && fail "installed, or asked for, without --install"
for words in "test --author" "test ex01 --author --keep"; do
    course --install $words || fail "--install $words failed"
    grep -q '^apt-get install -y -qq slurm-wlm$' calls &&
        grep -q '^apt-get install -y -qq munge$' calls || fail "$words: no Slurm"
    grep -q "^ran $words" out || fail "not handed over: $words"
done
grep -q "without 'munge': the tests under Slurm are skipped" out ||
    fail "what is left out is not said"

# A folder that cannot be written, and an installation without a home: what to do.
touch file
fake mpicc; fake gnuplot; fake ninja
PATH=$folder/bin COURSE_BUILD=$folder/file/build sh "$source/course" list >out 2>&1 &&
    fail "it cannot be written"
grep -q 'cannot write in .*/file/build: COURSE_BUILD names another folder; to share a course: ' \
    out || fail "not said"
PATH=$folder/bin HOME=$folder/file COURSE_INSTALLED=$folder/build sh "$source/course" list \
    >out 2>&1 && fail "it cannot be written"
grep -q 'cannot write in .*/file/cuda-course/build: set COURSE_WORK to a folder of yours' out ||
    fail "not said of an installation"
(unset HOME &&
    PATH=$folder/bin COURSE_INSTALLED=$folder/build exec sh "$source/course" list) >out 2>&1 &&
    fail "there is no home"
grep -q 'HOME: is not set: set COURSE_WORK to a folder of yours' out ||
    fail "not said without a home"
rm bin/mpicc bin/gnuplot bin/ninja

# Nothing missing: nothing said, nothing done.
fake mpicc; fake gnuplot; fake ninja; fake git
course --install list || fail "--install with all there failed"
grep -q -e '--install' out && fail "nothing was to be installed"

# A damaged build folder: a program cut short, and a cache that the next configuring finds.
course list || fail "the course does not start again"
[ -s calls ] && fail "built without need"
printf 'ELF' >build/course
course list || fail "a program cut short"
grep -q '^ran list' out || fail "a program cut short is not built again"
: >build/CMakeCache.txt && : >build/CMakeFiles && rm build/configured
course list || fail "a cache cut short"
[ ! -e build/CMakeFiles ] || fail "what belongs to a damaged cache stays"
# A checkout that was moved or copied; a build folder from before that note, which stays as it is
# configured.
echo /elsewhere >build/configured && course list && grep -q -e "--target course" calls ||
    fail "moved: $(cat out calls)"
rm build/configured && course list && [ "$(cat build/configured)" = "$source" ] ||
    fail "an older build folder: $(cat out)"
sed -i 's|INTERNAL=.*|INTERNAL=/elsewhere|' build/CMakeCache.txt && rm build/configured
course list && fail "another course's build folder was taken"
grep -q "build was built from /elsewhere: set COURSE_BUILD to another folder" out ||
    fail "not said: $(cat out)"
rm build/CMakeCache.txt
# Ninja, if it is there, for a new build folder; the user's choice stays.
unset CMAKE_GENERATOR
generator() { fake cmake 'echo "${CMAKE_GENERATOR:-none}" >>calls; exit 1'; course list
[ "$(head -n 1 calls)" = "$1" ] || fail "$2: $(cat calls out)"; }
rm -f bin/ninja
generator none "without Ninja"
fake ninja
generator Ninja "with Ninja"
(export CMAKE_GENERATOR='Unix Makefiles'
generator 'Unix Makefiles' "with a generator of one's own") || exit 1
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$source" >build/CMakeCache.txt
generator none "in a folder that is configured"
rm bin/ninja
fake_cmake
# After a git pull, or an author's change, what builds makes the course program anew. What builds
# nothing does not look.
mkdir -p pulled/runner pulled/common/harness pulled/common/cmake && cp "$source/course" pulled &&
    echo one >pulled/runner/main.c || exit 2
cp "$source/common/cmake/tools.sh" pulled/common/cmake
echo 1 >pulled/common/harness/columns.h; : >pulled/CMakeLists.txt
sed "s|build/|pulled/build/|g; s|INTERNAL=[^\"]*|INTERNAL=$folder/pulled|" bin/cmake >with_pulled \
    && cat with_pulled >bin/cmake
pulled() { : >calls
PATH=$folder/bin COURSE_BUILD=$folder/pulled/build sh pulled/course $1 >out 2>&1 </dev/null ||
    fail "$2"; }
pulled list "in a checkout of its own"
[ -s calls ] || fail "not built at first"
for file in runner/main.c common/harness/columns.h; do
    touch -d '1 second ago' pulled/runner/* pulled/common/harness/*
    pulled check "nothing has changed"
    [ -s calls ] && fail "built without need"
    touch -d '1 second' pulled/$file
    for command in list --help; do
        pulled $command "not $command"
        [ -s calls ] && fail "$command builds"
    done
    pulled check "$file has changed"
    [ -s calls ] || fail "$file has changed, and the course program is the old one"
done
# A command that builds nothing does not wait for a build; configuring waits, with a message; a file
# system without locks is none.
if command -v flock >/dev/null; then
    course list || fail "not configured"
    flock build/lock sh -c ': >locked; sleep 3' &
    until [ -e locked ]; do sleep 0.05; done
    course list && course --help || fail "not while another one builds"
    course list && grep -q "waiting" out && fail "list waits: $(cat out)"
    course --install list || fail "not after another one has built"
    grep -q "waiting for another build in $folder/build" out ||
        fail "it waits without a word: $(cat out)"
    fake flock 'exit 71'
    course --install list || fail "not without locks"
    grep -q "waiting" out && fail "there is nobody to wait for"
    ln -sf "$(command -v flock)" bin/flock
fi
# Few processes for what only shows something.
if command -v strace >/dev/null && strace -f true 2>/dev/null; then
    ln -sf "$(command -v strace)" bin/strace
    PATH=$folder/bin COURSE_BUILD=$folder/build strace -f -c \
        -o processes -e trace=fork,vfork,clone,clone3 sh "$source/course" list >out 2>&1 </dev/null
    [ "$(awk '$NF == "total" { print $(NF - 1) }' processes)" -le 5 ] ||
        fail "more than six processes: $(cat processes)"
fi
# The course's own folder is none to build in: its course would take the place of the script.
PATH=$folder/bin COURSE_BUILD=$folder/pulled "$(command -v timeout)" 20 sh pulled/course list \
    >out 2>&1 </dev/null && fail "it builds among its sources"
grep -q "/pulled holds sources: COURSE_BUILD names another folder" out ||
    fail "not said: $(cat out)"
cmp -s "$source/course" pulled/course || fail "the script is gone"
# The messages of compilers and make are read, so they must be in English.
fake cmake "echo flags \"\${MAKEFLAGS:-}\${GNUMAKEFLAGS:-}\" >>calls
echo \"\${LANGUAGE:-} \$(gcc --nonsense 2>&1)\" >>calls; exit 1"
MAKEFLAGS=n GNUMAKEFLAGS=n course --install list
grep -q '^en ' calls || fail "the messages are in no language that we read: $(cat calls)"
grep -q '^flags $' calls || fail "the flags of another make reach ours: $(cat calls)"

# A full disk is named, where CMake and the compiler say all kinds of things, or nothing. (No file
# beyond a limit stands in for it.)
fake cmake 'exit 1'
rm -f build/CMakeCache.txt build/configured
(trap "" XFSZ; ulimit -f 100; course list) && fail "configured with a cmake that fails"
grep -q "$folder/build: no space left; COURSE_BUILD names another folder" out ||
    fail "a full disk is not named"
course list && fail "configured with a cmake that fails"
grep -q 'no space left' out && fail "there is space"
[ ! -e build/configure.log.space ] || fail "what it tried with is left"
[ "$(wc -l <"$source/course")" -le 60 ] && [ "$(wc -c <"$source/course")" -le 3500 ] ||
    fail "it should be short enough to be read"
echo "the script works"
