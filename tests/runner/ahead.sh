# ahead.sh COURSE FOLDER CORES: on a machine with a GPU and many cores the GPU's program starts
# beside the emulated device's, and waits for its turn.
. "$(dirname "$0")/prelude.sh"
with_gpu_and_cores "$3"
check() { rm -f waits_gpu done_emulated ran_gpu; status=$1 text=$2; shift 2
expect "$status" "$text" $with_cores "$course" check ex77 "$@"; }
behaviour=$folder/source/ex77_made_up/behaviour
nothing_left() {
    [ -e waits_gpu ] || fail "it was not started"
    ! kill -0 "$(cat waits_gpu)" 2>/dev/null || fail "it still runs"
    [ ! -e ran_gpu ] || fail "it ran"
    ! ls verdict-* 2>/dev/null || fail "something is left"
}
gone() { for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do kill -0 "$1" 2>/dev/null \
    || return 0; sleep 0.2; done; fail "$2"; }
# begun FILE: waits until it is there, in the shell of a program or of this test.
begun='begun() {
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ -e "$1" ] && return 0
        sleep 0.2
    done
    return 1
}'
eval "$begun"

# It begins while the emulated device's run is under way, and its rows when that has ended.
{
    echo "unset LD_PRELOAD; $begun"
    cat <<'END2'
if [ $device = emulated ]; then
    begun "$COURSE_BUILD/waits_gpu" ||
        { echo "the other one does not begin"; verdict WRONG 1; exit 1; }
    sleep 0.5
    : >"$COURSE_BUILD/done_emulated"
else
    [ -e "$COURSE_BUILD/done_emulated" ] || { echo "too early"; verdict WRONG 1; exit 1; }
    : >"$COURSE_BUILD/ran_gpu"
    echo "gpu ran"
fi
verdict PASS; exit 0
END2
} >"$behaviour"
check 0 "gpu ran"
[ "$(wc -l <out)" -eq 2 ] || fail "one empty line, one of the GPU's: $(cat out)"
# The time that it waits does not count against its patience; later time does.
sed -i 's/sleep 0.5/sleep 2.2/' "$behaviour"
check 0 "gpu ran" --patience 2
sed -i 's/sleep 2.2/sleep 0.5/; s/echo "gpu ran"/sleep 30/' "$behaviour"
check 1 "WRONG: still running after" --patience 2
# One that has ended before its turn does no harm, and is judged then.
: >broken
check 2 ""
[ -e done_emulated ] || fail "the emulated device has its turn: $(cat out)"
rm broken
# Not beside the emulated device's: with few cores, with options that either may refuse, and where
# it is the only one.
echo 'echo "$device ran with $arguments"; verdict PASS; exit 0' >"$behaviour"
export SLURM_CPUS_PER_TASK=2
check 0 "gpu ran"
[ ! -e waits_gpu ] || fail "two cores have enough to do"
unset SLURM_CPUS_PER_TASK
for option in --size=5 --device=gpu --device=emulated; do
    check 0 "ran with" $option
    [ ! -e waits_gpu ] || fail "$option: it is not to wait"
done
check 0 "gpu ran with --variant=a --only device" --variant=a
[ -e waits_gpu ] || fail "--variant leaves all else as it is"

# Where the emulated device's is wrong, or those of checks.txt are, it ends without a row, a word or
# a file.
{
    echo "unset LD_PRELOAD; $begun"
    cat <<'END2'
case "$device $arguments" in
gpu*) : >"$COURSE_BUILD/ran_gpu"; echo "gpu ran"; verdict PASS; exit 0 ;;
*--size*) begun "$COURSE_BUILD/waits_gpu"; verdict WRONG 1; exit 1 ;;
esac
[ ! -e "$COURSE_BUILD/fine" ] || { verdict PASS; exit 0; }
begun "$COURSE_BUILD/waits_gpu"
verdict WRONG 1; exit 1
END2
} >"$behaviour"
check 1 "The GPU is not used until this is fixed"
nothing_left
: >fine && echo '--size 1' >"$folder/source/ex77_made_up/checks.txt"
check 1 "But with --size 1:"
nothing_left
rm fine "$folder/source/ex77_made_up/checks.txt"
check 1 "The GPU's results happen to be right" --device=both
[ -e ran_gpu ] || fail "--device=both lets it go on"

# Ending the runner ends both; if the runner is killed, the waiting program ends itself.
echo 'unset LD_PRELOAD; sleep 30; verdict PASS; exit 0' >"$behaviour"
for signal in TERM KILL; do
    [ $signal = TERM ] || : >stubborn
    rm -f waits_gpu
    $with_cores "$course" check ex77 >out 2>&1 &
    runner=$!
    begun waits_gpu || fail "it was not started: $(cat out)"
    sleep 0.3
    kill -s $signal $runner
    gone "$(cat waits_gpu)" "SIG$signal: it still waits"
    wait $runner
done
rm stubborn
echo "the GPU's program is ahead"
