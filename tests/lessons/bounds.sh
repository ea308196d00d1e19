# bounds.sh [--fix] COURSE README EX...: the rows of these exercises in the table of bounds
# (emulated/README.md) are those that ./course bound EX... --solution finds now, and no bound is
# above a recorded time. --fix puts them into the table.
fix=
[ "$1" = --fix ] && fix=1 && shift
course=$1 readme=$2
shift 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
"$course" bound "$@" --solution --markdown >"$work/fresh" || exit 1
for ex in "$@"; do
    grep "^| $ex |" "$work/fresh" >"$work/$ex"
    sed '/^<!-- bounds -->/,/^<!-- end -->/!d' "$readme" | grep "^| $ex |" >"$work/old"
    [ -s "$work/old" ] || { \
        echo "$readme has no rows of $ex between <!-- bounds --> and <!-- end -->"; exit 2; }
    cmp -s "$work/old" "$work/$ex" && continue
    if [ "$fix" ]; then
        awk -v ex="$ex" -v fresh="$work/$ex" '
            /^<!-- bounds -->/ { inside = 1 } /^<!-- end -->/ { inside = 0 }
            inside && index($0, "| " ex " |") == 1 { if (!done) while ((getline row < fresh) > 0) print row; done = 1; next }
            { print }' "$readme" >"$work/new" && cat "$work/new" >"$readme" || exit 2
    else
        diff "$work/old" "$work/$ex"
        echo "stale: sh tests/lessons/bounds.sh --fix build/course emulated/README.md $ex remakes these rows"
        stale=1
    fi
done
exit ${stale:-0}
