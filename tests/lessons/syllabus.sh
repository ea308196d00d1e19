# syllabus.sh SOURCE: the README's table has a row for each exercise, with the minutes that its
# lesson states. From exercise 14 on at most 1500 words, the programs' included, stand before the
# task: what only some TODOs need comes behind it.
cd "$1" || exit 2
bad=0
for lesson in ex[0-9][0-9]_*/README.md lab_*/README.md; do
    [ -e "$lesson" ] || continue # no labs
    minutes=$(sed -n '/^## What you need/,/^## Task/s/^\*\([0-9]*\) minutes.*/\1/p' "$lesson")
    [ -n "$minutes" ] || { echo "$lesson does not say how many minutes it takes"; bad=1; continue; }
    grep -F "]($lesson)" README.md | grep -q "| $minutes + [0-9]* |" ||
        { echo "README.md: no row with $minutes minutes for $lesson"; bad=1; }
    words=$(sed -n '/^## What you need/,/^## Task/p' "$lesson" | wc -w)
    case $lesson in
    ex0* | ex1[0-3]*) ;;
    *) [ "$words" -le 1500 ] || { echo "$lesson: $words words before the task"; bad=1; } ;;
    esac
    for wanted in '^Questions that this lesson answers:' '^### Common misunderstandings' \
        '^### Key points'; do
        grep -q "$wanted" "$lesson" || { echo "$lesson has no $wanted"; bad=1; }
    done
done
exit $bad
