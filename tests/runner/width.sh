# width.sh COURSE: each exercise's README is read in 80 columns, and so is each help text.
COLUMNS=80
export COLUMNS
for ex in $(cut -c1-4 "$COURSE_BUILD/exercises.txt"); do
    width=$("$1" read "$ex" | LC_ALL=C.UTF-8 wc -L)
    [ "$width" -gt 0 ] && [ "$width" -le 80 ] || { echo "$ex: $width columns"; exit 1; }
done
for command in "" list next check bench watch read bound picture book recorded diff hint answer reset cc device test new pair tables; do
    # shellcheck disable=SC2086
    width=$("$1" $command --help | LC_ALL=C.UTF-8 wc -L)
    [ "$width" -gt 0 ] && [ "$width" -le 80 ] || { echo "$command --help: $width columns"; exit 1; }
done
