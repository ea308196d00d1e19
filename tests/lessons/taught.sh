# taught.sh COURSE SOURCE EX...: each word of common/harness/taught.h is explained in the lesson
# that it names, and stands in no table and no message of a check before. No table is wider than 100
# columns.
. "$(dirname "$0")/../runner/functions.sh"
course=$1 source=$2
shift 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
unset COURSE_ALL_COLUMNS

grep -oE '\{"[^"]+", [0-9]+\}' "$source/common/harness/taught.h" |
    sed 's/{"\([^"]*\)", \([0-9]*\)}/\2 \1/' >words
[ "$(wc -l <words)" -ge 10 ] || fail "these are not all words: $(cat words)"
while read -r number word; do
    tr '\n' ' ' <"$(echo "$source/ex$(printf %02d "$number")"_*/README.md)" |
        grep -qiw -- "${word}[a-z]*" ||
        fail "the lesson of exercise $number does not explain '$word'"
done <words
# What no lesson of an exercise explains
printf '99 dram\n' >>words

# early EX FILE: the words in the file that come later than in this exercise; not in a row's name
early() {
    sed 's/^\(CPU\|Emu\|Lib\) .\{30\}//; s/^  .\{34\} about//; s/^- [^:]*://; /^ex[0-9]/d' \
        "$2" >text
    while read -r number word; do
        [ "$number" -le "$(echo "$1" | sed 's/^ex0*//')" ] || grep -inE "(^|[^a-z0-9])$word" text
    done <words
}
echo 'Emu  region staged in shared memory   1 bank' >text_of_table
[ "$(early ex04 text_of_table | wc -l)" -eq 1 ] || fail "the test does not find a word, or a name"

for ex; do
    expect 0 "PASS" "$course" check "$ex" --solution --device=emulated --verbose
    [ -z "$(early "$ex" out)" ] || fail "$ex: before its lesson: $(early "$ex" out)"
    grep -q "by a model" out || fail "$ex: no time on a GPU: $(cat out)"
    LC_ALL=C.UTF-8 awk 'length($0) > 100 { print; bad = 1 } END { exit bad }' out ||
        fail "$ex: wider than 100 columns"
    rm -f rows.csv
    expect 0 "requests sectors/rq   used   bank  diverg. atomic" "$course" check "$ex" --solution \
        --device=emulated --all-columns --csv "$work/rows.csv"
    # The same kernels, if they were worse in every way
    sed 's/sectors_per_request=[^ ]*/sectors_per_request=90/; s/divergence=[^ ]*/divergence=0.9/
        s/bank_conflict=[1-9][^ ]*/bank_conflict=9/' rows.csv >worse.csv
    expect 1 "far from the targets" "$course" targets "$ex" --rows "$work/worse.csv"
    [ -z "$(early "$ex" out)" ] || fail "$ex: advice before its lesson: $(early "$ex" out)"
    sed 's/bank_conflict=[1-9][^ ]*/bank_conflict=9/; s/divergence=[^ ]*/divergence=0.9/' \
        rows.csv >worse.csv
    "$course" targets "$ex" --rows "$work/worse.csv" >out
    [ -z "$(early "$ex" out)" ] || fail "$ex: advice before its lesson: $(early "$ex" out)"
done
echo "as the lessons explain it"
