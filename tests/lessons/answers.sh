# answers.sh SOURCE: solutions/exNN.md answers each question that the exercise's README asks, in
# order: "1. ..." or "**1. ...".
. "$(dirname "$0")/../runner/functions.sh"
cd "$1" || exit 2
result=0
for readme in ex*/README.md lab_*/README.md; do
    [ -e "$readme" ] || continue # no labs
    ex=$(echo "$readme" | short)
    asked=$(awk '/^## /{ inside = /^## Questions/ } inside && /^[0-9]+\. / { n++ }
        END { print n + 0 }' "$readme")
    answered=$(awk '{ sub(/^\*\*/, "") } /^[0-9]+\. / && $1 + 0 == n + 1 { n++ }
        END { print n + 0 }' "solutions/$ex.md")
    [ "$asked" -gt 0 ] && [ "$asked" -eq "$answered" ] ||
        { echo "$ex: $asked questions, $answered answers"; result=1; }
done
exit $result
