# help.sh COURSE FOLDER PROGRAM...: ./course help, and that "help table" explains each head of the
# tables that these programs print, wide and narrow, and of the bounds and the comparison below
# them, on one screen.
. "$(dirname "$0")/prelude.sh"
shift 2
export COURSE_ALL_COLUMNS=1
expect 0 "requests" "$course" help table
cp out explained
[ "$(wc -l <explained)" -le 23 ] && [ "$(LC_ALL=C.UTF-8 wc -L <explained)" -le 80 ] ||
    fail "more than a screen: $(cat explained)"
# The heads that are explained, the longest first: "  wide, narrow  meaning".
sed -n 's/^  \([^ ].*[^ ]\)   *[^ ].*/\1/p; s/^  \([^ ]*, [^ ]*\)  .*/\1/p' explained |
    sed 's/  .*//' | tr ',' '\n' | sed 's/^ //' |
    sort -u | awk '{ print length($0) "\t" $0 }' | sort -rn | cut -f 2 >known
# left LINE: the part of a head line that is not explained.
left() {
    awk -v line="$1" '{ while (i = index(line, $0))
            line = substr(line, 1, i - 1) "|" substr(line, i + length($0)) }
        END { gsub(/[ |]/, "", line); print line }' known
}
[ "$(left '  time     nonsense')" = nonsense ] || fail "the test finds no head that is missing"
heads=0
for program; do
    for columns in 80 120; do
        COLUMNS=$columns "$program" --size 1000 >table 2>&1 || fail "$program: $(cat table)"
        grep '^      *[A-Za-z]' table | grep -e ' time ' -e ' requests ' >lines ||
            fail "$program has no head: $(cat table)"
        while read -r line; do
            [ -z "$(left "$line")" ] ||
                fail "not explained by help table: $(left "$line") in '$line'"
            heads=$((heads + 1))
        done <lines
    done
done
[ "$heads" -ge $((4 * $#)) ] || fail "too few heads: $heads"

expect 0 "--solution            the reference" "$course" help check
expect 0 "usage: ./course" "$course" help
expect 0 "usage: ./course" "$course" --help
expect 2 "there is no command 'chekc'" "$course" help chekc
expect 2 "one thing at a time" "$course" help table check
echo "$heads heads explained"
