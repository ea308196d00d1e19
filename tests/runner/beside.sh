# beside.sh COURSE FOLDER CORES: on a machine with a GPU and many cores the runs of checks.txt begin
# beside the one that is shown.
. "$(dirname "$0")/prelude.sh"
with_gpu_and_cores "$3"
check() { status=$1 text=$2; shift 2
expect "$status" "$text" $with_cores "$course" check ex77 "$@"; }
behaviour=$folder/source/ex77_made_up/behaviour
printf -- '--size 1\n--size 2\n' >"$folder/source/ex77_made_up/checks.txt"

# Each waits for the other, so that neither passes alone.
cat >"$behaviour" <<'END2'
unset LD_PRELOAD
case "$device $arguments" in
emulated*--size*) mine=further other=shown ;;
emulated*) mine=shown other=further ;;
*) verdict PASS; exit 0 ;;
esac
: >"$COURSE_BUILD/begun_$mine"
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -e "$COURSE_BUILD/begun_$other" ] || sleep 0.2
done
[ -e "$COURSE_BUILD/begun_$other" ] || { echo "$mine is alone"; verdict WRONG 1; exit 1; }
verdict PASS; exit 0
END2
check 0 "PASS also with --size 1; --size 2"
[ "$(grep -c "" out)" -le 4 ] || fail "what the others print is not shown: $(cat out)"

# If the run that is shown is wrong, they are ended and leave nothing.
cat >"$behaviour" <<'END2'
unset LD_PRELOAD
case "$device $arguments" in
emulated*--size\ 1*) verdict PASS; exit 0 ;;
emulated*--size*) sleep 3; : >"$COURSE_BUILD/went_on"; verdict PASS; exit 0 ;;
*) sleep 0.5; verdict WRONG 1; exit 1 ;;
esac
END2
check 1 "The GPU is not used until this is fixed"
sleep 3
[ -e "$folder/build/went_on" ] && fail "they went on"
ls "$folder"/build/verdict-* 2>/dev/null && fail "something is left"
# One that is wrong is shown, after the run that is right.
cat >"$behaviour" <<'END2'
unset LD_PRELOAD
case "$device $arguments" in
emulated*--size\ 2*) echo "the second"; verdict WRONG 1; exit 1 ;;
*) sleep 0.5; verdict PASS; exit 0 ;;
esac
END2
check 1 "But with --size 2:"
grep -q '^the second' out || fail "not shown: $(cat out)"
# While the CPU's times are taken, nothing else runs.
cat >"$behaviour" <<'END2'
unset LD_PRELOAD
case "$device $arguments" in
emulated*--size*) : >"$COURSE_BUILD/others"; verdict PASS; exit 0 ;;
*) sleep 0.5; [ ! -e "$COURSE_BUILD/others" ] || echo "beside others"; verdict PASS; exit 0 ;;
esac
END2
check 0 "PASS also with" --device=emulated
grep -q 'beside others' out && fail "the times of the CPU were disturbed: $(cat out)"
echo "the runs of checks.txt begin beside the one that is shown"
