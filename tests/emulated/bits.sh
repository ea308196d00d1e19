#!/bin/sh
# bits.sh PROGRAM H200 [COUNT]: conversions and integer operations have the results of an H200, bit
# for bit, but for those named here. Prints nothing when all is well.
program=$1 recorded=$2 count=${3:-16384}
# x86 takes a distance modulo the width, and the assembler text does not tell (unsigned char)x from
# (signed char)x.
differ='double_to_u16 double_to_u8 float_to_u16 float_to_u8 shift_left_32 shift_left_64
shift_right_s32 shift_right_s64 shift_right_u32 shift_right_u64'
# aarch64 has instructions that give those of a GPU.
[ "$(uname -m)" != aarch64 ] || differ=${differ#double_to_u16 double_to_u8 float_to_u16 float_to_u8}
CUDA_EMULATED_FINDINGS_FATAL=0 "$program" "$count" 2>/dev/null |
    awk -v count="$count" -v differ="$differ" '
    BEGIN { split(differ, names); for (i in names) known[names[i]] = 1 }
    NR == FNR { if ($1 != "#") wanted[$1] = $(count == 16384 ? 2 : 3); next }
    !($1 in wanted) { print $1 " is not recorded"; failed = 1; next }
    ($2 == wanted[$1]) == ($1 in known) {
        print $1 ($1 in known ? " is right now: take it from the list" : " differs from an H200")
        failed = 1
    }
    { delete wanted[$1] }
    END {
        for (name in wanted) { print name " was not computed"; failed = 1 }
        exit failed
    }' "$recorded" -
