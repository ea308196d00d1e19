# several.sh COURSE FOLDER SEVERAL_CMAKE: several exercises are built side by side, and none keeps the others waiting.
cmake=$(command -v cmake) rules=$3
. "$(dirname "$0")/prelude.sh"

# Two targets, each of which waits for the other; and one of another folder, which is known to the top Makefile alone.
mkdir -p real/below && cat >real/CMakeLists.txt <<END2
cmake_minimum_required(VERSION 3.16)
project(several NONE)
include("$rules")
add_subdirectory(below)
foreach(name a b)
  add_custom_target(\${name} COMMAND sh \${CMAKE_SOURCE_DIR}/meet.sh \${name})
endforeach()
add_custom_target(unasked ALL COMMAND touch \${CMAKE_BINARY_DIR}/unasked)
END2
for name in c e; do echo "add_custom_target($name COMMAND touch \${CMAKE_BINARY_DIR}/$name)"; done >real/below/CMakeLists.txt
cat >real/meet.sh <<'END2'
: >met_$1
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -e met_a ] && [ -e met_b ] && exit 0; sleep 0.2; done
exit 1
END2
"$cmake" -G "Unix Makefiles" -S real -B "real/build it" >out 2>&1 || fail "cmake: $(cat out)"
sh "real/build it/quick/several.sh" 4 a b >out 2>&1 || fail "one after the other: $(cat out)"
sh "real/build it/quick/several.sh" 4 a c >out 2>&1 || fail "not those of another folder: $(cat out)"
[ -e "real/build it/c" ] || fail "nothing was made of another folder: $(cat out)"
rm "real/build it/c"
sh "real/build it/quick/several.sh" 4 c e >out 2>&1 && [ -e "real/build it/c" ] && [ -e "real/build it/e" ] || fail "only of another folder: $(cat out)"
[ ! -e "real/build it/unasked" ] || fail "all is built where two are asked for: $(cat out)"
# One that is not there takes nothing from the others, and is an error.
rm -f "real/build it/c"
sh "real/build it/quick/several.sh" 4 nosuch a b >out 2>&1 && fail "there is no such target"
[ "$(grep -c 'Built target [ab]$' out)" -eq 2 ] || fail "the others were not made: $(cat out)"
# What CMake has to do anew is done before.
echo 'add_custom_target(d COMMAND touch ${CMAKE_BINARY_DIR}/d)' >>real/CMakeLists.txt
sh "real/build it/quick/several.sh" 4 a b >out 2>&1 || fail "not after a change: $(cat out)"
[ -d "real/build it/CMakeFiles/d.dir" ] || fail "CMake was not run again"

# The runner takes it where there are several targets.
mkdir -p "$folder/build/quick"
echo 'echo "$*" >"$COURSE_BUILD/asked"; touch "$COURSE_BUILD"/emulated/ex7*' >"$folder/build/quick/several.sh"
echo "ex78_too|nothing" >>"$folder/build/exercises.txt"
mkdir ex78_too && cp $template $solution ex78_too/
for device in emulated gpu; do for kind in template solution; do
    sed 's/ex77/ex78/g; s/ex78_made_up/ex77_made_up/' "$folder/build/$device/ex77_$kind" >"$folder/build/$device/ex78_$kind"
    chmod +x "$folder/build/$device/ex78_$kind"
done; done
echo 'echo "$device ran ${file##*/}"; verdict PASS; exit 0' | behave
expect 0 "" "$course" check ex77 ex78
grep -q '[0-9] ex77_template_emulated ex78_template_emulated$' "$folder/build/asked" || fail "asked otherwise: $(cat "$folder/build/asked")"
rm "$folder/build/asked"
expect 0 "" "$course" check ex77
[ ! -e "$folder/build/asked" ] || fail "one needs no script"

# On a machine with a GPU: while its programs are being built the emulated device has its turns, and one reads how far they are.
with_gpu
cat >"$folder/build/quick/several.sh" <<'END2'
mkdir -p "$COURSE_BUILD/ready"
touch "$COURSE_BUILD"/emulated/ex7* "$COURSE_BUILD/ready/ex77_template" "$COURSE_BUILD/ready/ex78_template"
echo "Built target ex77_template_ready"; echo "Built target ex78_template_readyish"
sleep ${BUILDING:-0}
touch "$COURSE_BUILD"/gpu/ex7* "$COURSE_BUILD/built"
END2
BUILDING=4 expect 0 "course: building ... 1 of 4, " "$course" check ex77 ex78
ran=$(sed -n 's/\(.*\) ran .*/\1/p' out | tr '\n' ' ')
[ "$ran" = "emulated emulated gpu gpu " ] || fail "in this order: $ran"
[ "$(grep -c 'The GPU comes later' out)" -eq 2 ] || fail "not said: $(cat out)"
[ "$(grep -c 'ex7[78]  PASS' out)" -eq 2 ] || fail "no summary: $(cat out)"
# What is wrong is said at once, and the others have their turn all the same.
echo 'echo "$device ran ${file##*/}"; case $0$device in *ex77*emulated) verdict WRONG 1; exit 1 ;; esac; verdict PASS; exit 0' | behave
BUILDING=4 expect 1 "The GPU is not used until this is fixed" "$course" check ex77 ex78
sed -n '/The GPU has no turn/,$p' out | grep -q 'emulated ran' || fail "ex77 is done before ex78 begins: $(cat out)"
[ "$(grep -c 'gpu ran' out)" -eq 1 ] || fail "ex78 alone has a second turn: $(cat out)"
# Where all is built the two follow one another.
behave <<'END2'
echo "$device ran ${file##*/}"
while [ $device = emulated ] && [ ! -e "$COURSE_BUILD/built" ]; do sleep 0.1; done
[ $device = gpu ] || sleep 1
verdict PASS; exit 0
END2
rm "$folder/build/built"
expect 0 "" "$course" check ex77 ex78
ran=$(sed -n 's/\(.*\) ran .*/\1/p' out | tr '\n' ' ')
[ "$ran" = "emulated gpu emulated gpu " ] || fail "in this order: $ran"
grep -q 'building' out && fail "there is nothing to wait for: $(cat out)"
echo "several exercises are checked side by side"
