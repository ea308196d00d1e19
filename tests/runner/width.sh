# width.sh COURSE: each exercise's README is read in 80 columns, and so is each help text.
. "$(dirname "$0")/functions.sh"
COLUMNS=80
export COLUMNS
for ex in $(short <"$COURSE_BUILD/exercises.txt"); do
    width=$("$1" read "$ex" | LC_ALL=C.UTF-8 wc -L)
    [ "$width" -gt 0 ] && [ "$width" -le 80 ] || { echo "$ex: $width columns"; exit 1; }
done
commands=$("$1" --help | sed -n "s|^  \([a-z][a-z]*\) .*|\1|p")
[ "$(echo "$commands" | wc -w)" -gt 20 ] ||
    { echo "these are not all commands: $commands"; exit 1; }
for command in "" $commands; do
    # shellcheck disable=SC2086
    width=$("$1" $command --help | LC_ALL=C.UTF-8 wc -L)
    [ "$width" -gt 0 ] && [ "$width" -le 80 ] || { echo "$command --help: $width columns"; exit 1; }
done
