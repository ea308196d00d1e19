# forecasts.sh [--fix] COURSE SOURCE EX... [-- EX...]: the forecasts of these exercises in
# emulated/README.md and in solutions/timings/forecasts.csv are those that ./course forecasts finds
# now, as far as another compiler lets them be: it makes other instructions of a kernel. Of those
# behind --, the second file only. The figures above the table are those of its rows. --fix renews
# them; with --fix the exercises are all that there are.
fix=
[ "$1" = --fix ] && fix=1 && shift
course=$1 readme=$2/emulated/README.md records=$2/solutions/timings/forecasts.csv
shift 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
both=$(echo "$*" | sed 's/ *--.*//') all=$(echo "$*" | sed 's/ --//')
# shellcheck disable=SC2086 # lists
"$course" forecasts ${fix:+--fit} $both >"$work/judged" &&
    "$course" forecasts --usual $all >"$work/usual" || exit 2

if [ "$fix" ]; then
    cp "$work/usual" "$records" || exit 2
    awk -v judged="$work/judged" '
        /^<!-- forecasts -->/ {
            print
            while ((getline line < judged) > 0)
                if (behind || line == "") {
                    if (line ~ /^[|]/)
                        print line
                    behind = 1
                }
            close(judged)
            print ""
            while ((getline line < judged) > 0 && line != "")
                print line
            inside = 1
        }
        /^<!-- end -->/ { inside = 0 }
        !inside { print }' "$readme" >"$work/new" && cat "$work/new" >"$readme"
    exit
fi

# far OLD NEW SEPARATOR: the rows of NEW that OLD lacks, or has with another ratio of forecast to
# recording, a field of its own in the table
far() {
    awk -F "$3" '
        /^exercise,/ { next }
        FS == "," { ratio = $(NF - 1) / $NF; key = $0; sub(/,[^,]*,[^,]*$/, "", key) }
        FS != "," { ratio = $6; key = $2 "|" $3 }
        NR == FNR { old[key] = ratio; next }
        !(key in old) { print "not there: " key; next }
        old[key] < 0.8 * ratio || old[key] > 1.25 * ratio {
            print key ": " old[key] " there, " ratio " now" }' "$1" "$2"
}
table() { sed '/^<!-- forecasts -->/,/^<!-- end -->/!d' "$1" | grep '^| ex[0-9]'; }
table "$readme" >"$work/table"
grep '^| ex[0-9]' "$work/judged" >"$work/rows"
{ far "$work/table" "$work/rows" '|' && far "$records" "$work/usual" ,; } >"$work/stale"
[ ! -s "$work/stale" ] || {
    cat "$work/stale"
    echo "stale: sh tests/lessons/forecasts.sh --fix COURSE SOURCE renews them"
    exit 1
}

# What is stale is found: the first row with another figure, and without it.
sed '1s/| [0-9.]* | \([a-z0-9]*\) |$/| 9.99 | \1 |/' "$work/table" >"$work/other"
[ "$(far "$work/other" "$work/rows" '|' | wc -l)" -eq 1 ] ||
    { echo "a stale row is not found"; exit 1; }
sed 2d "$records" >"$work/other"
[ "$(far "$work/other" "$work/usual" , | wc -l)" -eq 1 ] ||
    { echo "a lost row is not found"; exit 1; }

# median NAME TEST: the number and the median error, in %, of the rows whose exercise's number
# passes the test, as the document has them. The ratios in the table are rounded, so it may differ
# by 1.
median() {
    awk -F '|' '{ number = substr($2, 4) + 0; d = $6 - 1 } '"$2"' { print d < 0 ? -d : d }
        ' "$work/table" | sort -n >"$work/errors"
    grep -F "| $1 |" "$readme" | awk -F '|' '
        NR == FNR { e[NR] = $1; rows = NR; next }
        {
            off = $4 - 50 * (e[int((rows + 1) / 2)] + e[int(rows / 2) + 1])
            right = $3 == rows && off <= 1 && off >= -1
        }
        END { exit !right }' "$work/errors" - || {
        echo "$readme does not say of its table: $1"
        return 1
    }
}
median "before ex26: the fit knows them" 'number < 26' &&
    median "from ex26 on: the fit has never seen them" 'number >= 26' || exit 1

# Figures of other rows are found.
! median "before ex26: the fit knows them" 'number < 27' >"$work/said" ||
    { echo "wrong figures are not found"; exit 1; }
