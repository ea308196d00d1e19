#!/bin/sh
# unseen.sh [--fix] PROGRAM RECORDED README: what the model of a GPU's time says of the kernels of
# unseen.cu, beside what an H200 took for them, as README's table has it. Without --fix every sixth
# kernel is run, and a forecast may differ from the table's by a quarter, since other compilers make
# other instructions.
fix=
[ "$1" = --fix ] && fix=1 && shift
program=$1 recorded=$2 readme=$3
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
CUDA_EMULATED_TIMES=$work/times CUDA_EMULATED_FINDINGS_FATAL=0 \
    "$program" 1 ${fix:-6} >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
awk -F , 'NR == FNR { seconds[$1] = $2; next }
    $1 in seconds && $1 != "kernel" {
        printf "| %s | %.1f | %.1f | %.2f | %s |\n", $1, 1e6 * $3, 1e6 * seconds[$1],
            $3 / seconds[$1], $4
    }' "$recorded" "$work/times" >"$work/rows"

if [ "$fix" ]; then
    awk -F '|' -v rows="$work/rows" '
        function off(ratio) { return ratio < 1 ? 1 / ratio : ratio }
        /^<!-- unseen -->/ {
            print
            while ((getline line < rows) > 0) {
                split(line, field, "|")
                for (i = n++; i > 0 && ratio[i - 1] > off(field[5]); i--)
                    ratio[i] = ratio[i - 1]
                ratio[i] = off(field[5])
                near += off(field[5]) <= 2
                table = table line "\n"
            }
            printf "Of %d kernels, half are forecast within a factor of %.2f, ", n,
                ratio[int(n / 2)]
            printf "%.0f %% within a factor of 2.\n\n", 100 * near / n
            print "| kernel | forecast, µs | recorded, µs | forecast / recorded | limit |"
            print "|---|---:|---:|---:|---|"
            printf "%s", table
            inside = 1
        }
        /^<!-- end -->/ { inside = 0 }
        !inside { print }' "$readme" >"$work/new" && cat "$work/new" >"$readme"
    exit
fi

stale() { # the rows that the table of $1 lacks, or has with another forecast
    awk -F '|' 'NR == FNR { forecast[$2] = $3; next }
        !($2 in forecast) || forecast[$2] < 0.8 * $3 || forecast[$2] > 1.25 * $3' "$1" "$work/rows"
}
sed '/^<!-- unseen -->/,/^<!-- end -->/!d' "$readme" >"$work/table"
stale "$work/table" >"$work/stale"
if [ ! -s "$work/rows" ] || [ -s "$work/stale" ]; then
    cat "$work/stale"
    echo "stale: sh tests/emulated/unseen.sh --fix PROGRAM RECORDED README renews the table"
    exit 1
fi
# What is stale is found.
sed '/^| gather/s/| [0-9.]* |/| 99.9 |/' "$work/table" >"$work/other"
[ "$(stale "$work/other" | wc -l)" -eq 1 ] || {
    echo "a wrong figure in the table is not found"
    exit 1
}
