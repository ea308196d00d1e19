#!/bin/sh
# sanitise.sh CHECKS: what compute-sanitizer says of the cases of checks.cu, built by nvcc, as CSV on stdout:
# case,tool,errors. Runs on a machine with a GPU; tests/emulated/compare/sanitizer.csv holds the result on an H200.
checks=$1
echo case,tool,errors
for pair in memcheck:pastTheEnd memcheck:beforeTheStart memcheck:withinBounds memcheck:noTailGuard \
    memcheck:freedMemory memcheck:dynamicSharedTooSmall memcheck:dynamicSharedFits memcheck:nullPointer \
    memcheck:misaligned memcheck:aligned initcheck:uninitialisedGlobal initcheck:poisonedGlobal \
    racecheck:treeWithoutBarrier racecheck:treeWithBarrier racecheck:noBarrier racecheck:withBarrier \
    racecheck:oneBarrierARound racecheck:twoBarriersARound racecheck:noSyncwarp racecheck:withSyncwarp \
    racecheck:warpSynchronous racecheck:volatileWarp racecheck:bytesOfOneWord \
    synccheck:halfAtBarrier synccheck:allAtBarrier; do
    echo "$pair"
done | xargs -P 8 -I{} sh -c '
    tool=${2%%:*} case=${2#*:}
    n=$(timeout 40 compute-sanitizer --tool "$tool" "$1" "$case" 2>&1 |
        sed -n "s/.*ERROR SUMMARY: \([0-9]*\) error.*/\1/p; s/.*RACECHECK SUMMARY: \([0-9]*\) hazard.*/\1/p" | tail -1)
    echo "$case,$tool,${n:-unknown}"' sh "$checks" {} | sort -t, -k2,2 -k1,1
