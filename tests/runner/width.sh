# width.sh COURSE: each exercise's README is read in 80 columns.
COLUMNS=80
export COLUMNS
for ex in $(cut -c1-4 "$COURSE_BUILD/exercises.txt"); do
    width=$("$1" read "$ex" | LC_ALL=C.UTF-8 wc -L)
    [ "$width" -gt 0 ] && [ "$width" -le 80 ] || { echo "$ex: $width columns"; exit 1; }
done
