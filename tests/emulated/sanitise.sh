#!/bin/sh
# sanitise.sh FOLDER [PROGRAM ...]: what compute-sanitizer says of the cases of checks.cu, async.cu,
# wmma.cu and compare/features.cu, built by nvcc as FOLDER/checks and so on (or only of the programs
# that are named), as CSV on stdout: case,tool,errors,program. Runs on a machine with a GPU;
# tests/emulated/compare/sanitizer.csv holds the result on an H200.
folder=$1
shift
echo case,tool,errors,program
for triple in memcheck:pastTheEnd:checks memcheck:beforeTheStart:checks \
    memcheck:withinBounds:checks memcheck:noTailGuard:checks memcheck:freedMemory:checks \
    memcheck:dynamicSharedTooSmall:checks memcheck:dynamicSharedFits:checks \
    memcheck:nullPointer:checks memcheck:misaligned:checks memcheck:aligned:checks \
    initcheck:uninitialisedGlobal:checks initcheck:poisonedGlobal:checks \
    racecheck:treeWithoutBarrier:checks racecheck:treeWithBarrier:checks \
    racecheck:noBarrier:checks racecheck:withBarrier:checks racecheck:oneBarrierARound:checks \
    racecheck:twoBarriersARound:checks racecheck:noSyncwarp:checks racecheck:withSyncwarp:checks \
    racecheck:warpSynchronous:checks racecheck:volatileWarp:checks \
    racecheck:bytesOfOneWord:checks synccheck:halfAtBarrier:checks synccheck:allAtBarrier:checks \
    racecheck:streamsRace:features racecheck:blocksRace:features racecheck:halvesApart:features \
    racecheck:halvesTogether:features racecheck:binsTooEarly:features \
    racecheck:tooFewWait:features memcheck:halfPastTheEnd:features racecheck:primitives:async \
    racecheck:noWait:async racecheck:noCommit:async racecheck:noBarrier:async \
    racecheck:groupCopy:async racecheck:groupNoWait:async racecheck:barrierCopy:async \
    racecheck:barrierNoWait:async racecheck:pipelineNoWait:async \
    racecheck:pipelineNoBarrier:async racecheck:blockPipelineNoWait:async \
    racecheck:overwrittenWhileRead:async racecheck:producersAndConsumers:async \
    memcheck:pastTheEnd:async memcheck:oddAddress:async initcheck:uninitialisedSource:async \
    racecheck:right:wmma racecheck:noBarrier:wmma racecheck:noBarrierTwoWarps:wmma \
    memcheck:oddAddress:wmma memcheck:pastTheEnd:wmma synccheck:earlyEnd:wmma \
    synccheck:halfAWarp:wmma; do
    case " ${*:-checks async wmma features} " in *" ${triple##*:} "*) echo "$triple" ;; esac
done | xargs -P 8 -I{} sh -c '
    tool=${2%%:*} case=${2#*:} program=${2##*:} case=${case%:*}
    n=$(timeout 20 compute-sanitizer --tool "$tool" "$1/$program" "$case" 2>&1 |
        sed -n "s/.*ERROR SUMMARY: \([0-9]*\) error.*/\1/p
            s/.*RACECHECK SUMMARY: \([0-9]*\) hazard.*/\1/p" | tail -1)
    echo "$case,$tool,${n:-unknown},$program"' sh "$folder" {} | sort -t, -k4,4 -k2,2 -k1,1
