#!/bin/sh
# cores.sh PROGRAM CASE: what cores.cu prints, finds and counts does not depend on the number of
# cores, and launches are really shared out, or taken back. Prints nothing when all is well.
program=$1 case=$2
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }

# run CORES [ARGUMENT]: leaves the program's output in $dir/CORES.*, and in $dir/CORES.cores what
# became of its launches
run() {
    CUDA_EMULATED_CORES=$1,0 CUDA_EMULATED_TELL_CORES=1 CUDA_EMULATED_FINDINGS=$dir/$1.findings \
        CUDA_EMULATED_COUNTERS=$dir/$1.counters "$program" "$2" > "$dir/$1.out" 2> "$dir/$1.all"
    echo "status $?" >> "$dir/$1.out"
    grep '^cores: ' "$dir/$1.all" > "$dir/$1.cores"
    grep -v '^cores: ' "$dir/$1.all" > "$dir/$1.err"
}

# compare [ARGUMENT]: with one, two and six cores, of which children start children
compare() {
    run 1 "$1"
    [ ! -s "$dir/1.cores" ] || fail "one core, and yet: $(cat "$dir/1.cores")"
    grep -q '^apart.*cudaSuccess\|^order' "$dir/1.out" ||
        fail "the program has not run: $(cat "$dir/1.out" "$dir/1.err")"
    for cores in 2 6; do
        run $cores "$1"
        for what in out err findings counters; do
            diff "$dir/1.$what" "$dir/$cores.$what" || fail "$what: < 1 core, > $cores cores"
        done
    done
}

# expect KERNEL TEXT: what became of this kernel with two and with six cores
expect() {
    for cores in 2 6; do
        grep -q "kernel $1: $2" "$dir/$cores.cores" ||
            fail "$cores cores: no '$1: $2' in: $(cat "$dir/$cores.cores")"
    done
}
shared='blocks from [0-9]* on were run by [1-6] more processes'
met='parts use the same memory'
order='a part needs the order'

case $case in
checked)
    compare
    for kernel in Reverse Uneven Histogram HalfWords; do expect apart$kernel "$shared"; done
    for kernel in Neighbour Late SameValue InWord; do expect meet$kernel "$met"; done
    for kernel in AddsToHalf RaceLate Uninitialised OutOfBounds AtomicLate Prints PrintsTwice \
        HostFunction Barrier Clock Heap Waits Dies; do
        expect order$kernel "$order"
    done
    ! grep alone "$dir/2.cores" || fail "shared out"
    grep -q 'race: kernel meetNeighbour' "$dir/6.err" ||
        fail "the race of meetNeighbour: $(cat "$dir/6.err")"
    grep -q '^host-function,orderHostFunction' "$dir/6.findings" ||
        fail "sprintf() in a kernel: $(cat "$dir/6.findings")"
    grep -q '^uninitialised-read,orderAddsToHalf' "$dir/6.findings" ||
        fail "the half words: $(cat "$dir/6.findings")"
    ;;
fast)
    export CUDA_EMULATED_FAST=1
    compare
    for kernel in Reverse Uneven Histogram HalfWords; do expect apart$kernel "$shared"; done
    for kernel in Neighbour Late SameValue InWord; do expect meet$kernel "$met"; done
    for kernel in OutOfBounds AtomicLate Prints PrintsTwice HostFunction Clock Heap Waits Dies
    do expect order$kernel "$order"; done
    expect aloneRace "$met"
    ;;
late)
    export CUDA_EMULATED_ORDER=late
    compare
    expect apartReverse "$shared"
    ;;
random:5) # on one core, where blocks take turns
    export CUDA_EMULATED_ORDER="$case"
    compare
    ;;
sample)
    export CUDA_EMULATED_SAMPLE=0.0005
    compare
    expect apartReverse "$shared"
    grep -q 'kernel apartReverse: of 201 blocks only' "$dir/6.err" ||
        fail "no sample: $(cat "$dir/6.err")"
    ;;
end) # of a launch, and of the program
    compare trap
    expect orderTrap "$order"
    CUDA_EMULATED_CORES=6,0 "$program" long > "$dir/out" 2>&1 &
    parent=$!
    children=
    while [ -z "$children" ] && kill -0 $parent 2> "$dir/none"; do # however busy the machine is
        children=$(cat /proc/$parent/task/$parent/children 2> "$dir/none")
        sleep 0.1
    done
    [ -n "$children" ] || fail "no children: $(cat "$dir/out")"
    for child in $children; do # its page tables are copied without those of the array of 64 MB
        own=$(sed -n 's/^RssAnon:[[:space:]]*\([0-9]*\) kB/\1/p' \
            "/proc/$child/status" 2> "$dir/none")
        [ "${own:-0}" -lt 60000 ] || fail "child $child has $own kB of memory"
    done
    kill -KILL $parent
    { wait $parent; } 2> "$dir/none"
    for child in $children; do
        for _ in $(seq 50); do
            state=$(sed -n 's/^State:[[:space:]]*//p' "/proc/$child/status" 2> "$dir/none")
            case $state in '' | Z* | X*) state= && break ;; esac
            sleep 0.2
        done
        [ -z "$state" ] || fail "child $child has outlived its parent: $state"
    done
    for wrong in 0 many '2,' '2,x' -1; do
        CUDA_EMULATED_CORES=$wrong "$program" trap > "$dir/out" 2>&1
        [ $? -eq 2 ] || fail "CORES=$wrong: the exit status is not 2"
        grep -q "CUDA_EMULATED_CORES=$wrong: expected a number" "$dir/out" ||
            fail "CORES=$wrong: $(cat "$dir/out")"
    done
    ;;
*) fail "no such case: $case" ;;
esac
exit $failed
