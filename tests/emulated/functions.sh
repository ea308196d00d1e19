#!/bin/sh
# functions.sh [--fix] PROGRAM RECORDED README: no float function of the emulated device is off by
# more than 5 units in the last place, and README's table names the errors of an H200's. --fix
# renews the table.
fix=
[ "$1" = --fix ] && fix=1 && shift
program=$1 recorded=$2 readme=$3
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
"$program" >"$work/here" || exit 1
awk -F , '
    $1 == "function" { next }
    NR == FNR { here[$1] = $2; next }
    !($1 in here) { print $1 " was not computed" >"/dev/stderr"; bad = 1; next }
    !(here[$1] <= 5) { print $1 ": " here[$1] " ulp" >"/dev/stderr"; bad = 1 }
    { printf "| `%s` | %.1f | %.1f |\n", $1, $2, here[$1] }
    END { exit bad }' "$work/here" "$recorded" >"$work/rows" || exit 1
if [ "$fix" ]; then
    awk -v rows="$work/rows" '
        /^<!-- functions -->/ {
            print "<!-- functions -->\n| function | H200 | emulated |\n|---|---:|---:|"
            while ((getline line < rows) > 0)
                print line
            inside = 1
        }
        /^<!-- end -->/ { inside = 0 }
        !inside { print }' "$readme" >"$work/new" && cat "$work/new" >"$readme"
    exit
fi
# The last column depends on the C library.
brief() { sed -n 's/^\(| `[a-z0-9_]*` | [0-9.]* |\).*/\1/p' "$1"; }
sed '/^<!-- functions -->/,/^<!-- end -->/!d' "$readme" >"$work/table"
brief "$work/table" >"$work/named"
brief "$work/rows" | cmp -s - "$work/named" || {
    echo "stale: sh tests/emulated/functions.sh --fix PROGRAM RECORDED README renews the table"
    exit 1
}
