# several.sh COURSE FOLDER: several exercises are built by one build, and none keeps the others
# waiting.
. "$(dirname "$0")/prelude.sh"

# One build of all.
printf '#!/bin/sh\necho "$*" >"$COURSE_BUILD/asked"; touch "$COURSE_BUILD"/emulated/ex7*\n' \
    >bin/cmake
echo "ex78_too|nothing" >>"$folder/build/exercises.txt"
mkdir ex78_too && cp $template $solution ex78_too/
for device in emulated gpu; do for kind in template solution; do
    sed 's/ex77/ex78/g; s/ex78_made_up/ex77_made_up/' "$folder/build/$device/ex77_$kind" \
        >"$folder/build/$device/ex78_$kind"
    chmod +x "$folder/build/$device/ex78_$kind"
done; done
echo 'echo "$device ran ${file##*/}"; verdict PASS; exit 0' | behave
expect 0 "" "$course" check ex77 ex78
grep -q -e '--target *ex77_template_emulated ex78_template_emulated$' "$folder/build/asked" ||
    fail "asked otherwise: $(cat "$folder/build/asked")"

# On a machine with a GPU: while its programs are being built the emulated device has its turns, and
# one reads how far they are.
with_gpu
cat >bin/cmake <<'END2'
#!/bin/sh
touch "$COURSE_BUILD"/emulated/ex7*
echo "Built target ex77_template_emulated"; echo "Built target ex78_template_emulated"
echo "[3/12] Building"
sleep ${BUILDING:-0}
touch "$COURSE_BUILD"/gpu/ex7* "$COURSE_BUILD/built"
END2
BUILDING=12 expect 0 "course: building ... 25 %" "$course" check ex77 ex78
ran=$(sed -n 's/\(.*\) ran .*/\1/p' out | tr '\n' ' ')
[ "$ran" = "emulated emulated gpu gpu " ] || fail "in this order: $ran"
[ "$(grep -c 'The GPU comes later' out)" -eq 2 ] || fail "not said: $(cat out)"
[ "$(grep -c 'ex7[78]  PASS' out)" -eq 2 ] || fail "no summary: $(cat out)"
# A mistake is reported at once, and the other exercises still have their turn.
echo 'echo "$device ran ${file##*/}"
    case $0$device in *ex77*emulated) verdict WRONG 1; exit 1 ;; esac
    verdict PASS; exit 0' | behave
BUILDING=4 expect 1 "The GPU is not used until this is fixed" "$course" check ex77 ex78
sed -n '/The GPU is not used/,$p' out | grep -q 'emulated ran' ||
    fail "ex77 is done before ex78 begins: $(cat out)"
[ "$(grep -c 'gpu ran' out)" -eq 1 ] || fail "ex78 alone has a second turn: $(cat out)"
# One that cannot be compiled keeps none of the others waiting, and stands in the summary.
cp bin/cmake kept
cat >bin/cmake <<'END2'
#!/bin/sh
case $* in *ex77*) echo "ex77_made_up/template.cu:3:1: error: what is this"; exit 1 ;; esac
touch "$COURSE_BUILD"/*/ex78*
END2
echo 'echo "$device ran ${file##*/}"; verdict PASS; exit 0' | behave
expect 2 "error: what is this" "$course" check ex77 ex78
[ "$(grep -c ' ran ' out)" -eq 2 ] || fail "ex78 has both of its turns: $(cat out)"
grep -q 'ex77  error' out && grep -q 'ex78  PASS' out || fail "no summary: $(cat out)"
mv kept bin/cmake
# If everything is built, the two follow one another.
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
