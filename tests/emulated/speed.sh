#!/bin/sh
# speed.sh BUILD [CORES [SIZE]]: how fast the emulated device is on this machine, beside its goals.
# BUILD holds emulated-cc; CORES: the most to use (all); SIZE: of each kernel's matrices, for a
# quick try. Takes three minutes or so on 16 cores, which should have nothing else to do.
#
#     sh tests/emulated/speed.sh build
#
# Each line: a kernel, then for 1, 2, 4, ... cores the seconds of its best launch of two, and below
# how many times faster than one core that is. "copies": as many programs on one core each at the
# same time, and how many times the work of one they get done. More than that no program gets from
# the machine: its cores may be hyperthreads, or share a memory that is too slow.
build=$1 most=${2:-$(nproc)} size=${3:-}
[ -x "$build/emulated-cc" ] || { \
    echo "usage: speed.sh BUILD [CORES [SIZE]]: no emulated-cc in '$build'" >&2; exit 2; }
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
"$build/emulated-cc" "$(dirname "$0")/speed.cu" -o "$dir/speed" || exit 2

cores=1
all=''
while [ "$cores" -lt "$most" ]; do
    all="$all $cores"
    cores=$((2 * cores))
done
all="$all $most"

# best CORES KERNEL: seconds of its best launch
best() {
    # shellcheck disable=SC2086 # no size is no argument
    CUDA_EMULATED_CORES=$1,0 "$dir/speed" "$2" $size > "$dir/seconds" || exit 1
    sort -n "$dir/seconds" | head -n 1
}

# copies N KERNEL: seconds of the slowest of N programs at the same time, each by its best launch
copies() {
    i=0
    while [ $i -lt "$1" ]; do
        # shellcheck disable=SC2086
        { CUDA_EMULATED_CORES=1 "$dir/speed" "$2" $size | sort -n | head -n 1; } > "$dir/copy$i" &
        i=$((i + 1))
    done
    wait
    cat "$dir"/copy* | sort -n | tail -n 1
    rm -f "$dir"/copy*
}

# row NAME WHAT KERNEL: WHAT is best or copies
row() {
    seconds='' factors=''
    for n in $all; do
        s=$($2 "$n" "$3") || exit 1
        [ "$n" -gt 1 ] || one=$s
        seconds="$seconds $(echo "$s" | awk '{ printf "%.3f", $1 }')"
        factors="$factors $(echo "$one $s $n $2" |
            awk '{ printf "%.2f", $1 / $2 * ($4 == "copies" ? $3 : 1) }')"
    done
    # shellcheck disable=SC2086
    { printf '%-28s' "$1"; printf '%8s' $seconds; printf '\n%-28s' '  times one core'
    printf '%8s' $factors; echo; }
    last=${factors##* }
}

grep -m 1 'model name' /proc/cpuinfo
threads=$(lscpu 2> "$dir/none" | sed -n 's/^Thread(s) per core: */, threads per core: /p')
echo "load $(cut -d ' ' -f 1-3 /proc/loadavg)$threads"
# shellcheck disable=SC2086
{ printf '%-28s' 'seconds on cores'; printf '%8s' $all; echo; }
for kernel in add stencil product; do
    export CUDA_EMULATED_FAST=0
    row "$kernel, all on" best $kernel
    [ $kernel != add ] || add=$one
    [ $kernel != product ] || product=$one
    CUDA_EMULATED_FAST=1
    row "$kernel, fast" best $kernel
    reached="$reached $last"
    row "$kernel, fast, copies" copies $kernel
    possible="$possible $last"
done
echo
[ -n "$size" ] || echo "$add $product" | awk '{
    printf "all on, one core: vector add %.1f million threads/s (goal 15), ", 16.777216 / $1
    printf "product %.2f s (goal 6)\n", $2 }'
echo "$most $reached $possible" | awk '{
    printf "fast on %d cores, of linear: add %.2f, stencil %.2f, product %.2f (goal 0.80); ",
           $1, $2 / $1, $3 / $1, $4 / $1
    printf "of what the machine can do: %.2f, %.2f, %.2f\n", $2 / $5, $3 / $6, $4 / $7 }'
