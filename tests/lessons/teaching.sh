# teaching.sh SOURCE: TEACHING.md has a section for each exercise of the syllabus, with its minutes.
# What the section quotes in parentheses of a check is what a mutant of the exercise gets. The times
# that it quotes are recorded ones, to three digits. The document has at most 400 lines.
cd "$1" || exit 2
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
complain() { echo "TEACHING.md: $*"; echo x >>"$folder/bad"; }

# recorded CSV...: the recorded times, as the text writes them.
recorded() {
    awk 'function field(   i, text) {
            if (substr(line, 1, 1) == "\"") {
                i = index(substr(line, 2), "\""); text = substr(line, 2, i - 1); i += 2
            } else {
                i = index(line, ","); if (i == 0) i = length(line) + 1
                text = substr(line, 1, i - 1)
            }
            line = substr(line, i + 1)
            return text
        }
        function show(s, unit) {
            text = sprintf("%#.3g", s); sub(/\.$/, "", text); print text " " unit
        }
        function time(s) {
            if (s >= 1) show(s, "s")
            else if (s >= 1e-3) show(s * 1e3, "ms")
            else if (s > 0) show(s * 1e6, "µs")
        }
        FNR == 1 { next }
        {
            line = $0; for (i = 1; i <= 12; i++) value[i] = field()
            time(value[6] + 0); time(value[12] + 0)
        }' "$@"
}

sed -n 's/^| \[\(ex[0-9]*\|lab[a-z]*\)\](.* | \([0-9]* + [0-9]*\) |.*/\1 \2/p' README.md \
    >"$folder/syllabus"
[ "$(wc -l <TEACHING.md)" -le 400 ] || complain "more than 400 lines"
[ -s "$folder/syllabus" ] || complain "no syllabus in README.md"
while read -r exercise minutes; do
    sed -n "/^### $exercise /,/^##* /{/^### $exercise /p;/^#/!p;}" TEACHING.md >"$folder/section"
    grep -q "^### $exercise .*: $minutes minutes\$" "$folder/section" ||
        complain "no section of $minutes minutes for $exercise"
    [ "$exercise" != labb ] || continue # it has no check
    set -- solutions/timings/h200/"$exercise"*.csv
    if [ -e "$1" ]
    then recorded "$@"; else echo "$exercise: no recording yet" >&2; fi >"$folder/times"
    tr '\n' ' ' <"$folder/section" | grep -oE '[0-9.]+ (s|ms|µs)\b' | while read -r time; do
        grep -qxF "$time" "$folder/times" || complain "$exercise: $time is not recorded"
    done
    cat tests/"$exercise"/mutants/*.mutant | grep -E '^(expect|options|advice):' >"$folder/says"
    sed -n '/^- \*\*Mistakes/,/^- \*\*Ask/{/^- \*\*Ask/!p;}' "$folder/section" | tr '\n' ' ' |
        awk -F'`' '{ for (i = 2; i <= NF; i += 2) if ($(i - 1) ~ /\([^()]*$/) print $i }' \
            >"$folder/quoted"
    [ -s "$folder/quoted" ] || complain "$exercise: no mistakes"
    while IFS= read -r quoted; do
        grep -qF -- "$quoted" "$folder/says" || complain "no mutant of $exercise says '$quoted'"
    done <"$folder/quoted"
done <"$folder/syllabus"
[ ! -e "$folder/bad" ]
