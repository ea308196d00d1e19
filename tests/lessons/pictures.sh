# pictures.sh FOLDER COMMAND...: the pictures in FOLDER are those that COMMAND makes in the folder
# that it is given as last word, and each tells what it shows: a title, a description, and a text
# alternative wherever a document shows it. No text is wider than its picture, by the mean width of
# DejaVu's letters. Each lesson has a picture.
pictures=$1
shift
fresh=$(mktemp -d) || exit 2
trap 'rm -rf "$fresh"' EXIT
"$@" "$fresh" || exit 2
for picture in "$pictures"/*.svg "$fresh"/*.svg; do
    cmp "$fresh/${picture##*/}" "$pictures/${picture##*/}" ||
        { echo "stale: sh lessons/pictures/draw.sh build/tests/pictures build/course" \
            "build/emulated-cc lessons/pictures"; exit 1; }
done
for picture in "$pictures"/*.svg; do
    for wanted in '<title id="title">..*</title>' '<desc id="desc">..*' prefers-color-scheme; do
        grep -q "$wanted" "$picture" || { echo "$picture has no $wanted"; exit 1; }
    done
    ! grep -q '<pattern' "$picture" ||
        { echo "$picture: of a pattern, printing makes a large bitmap"; exit 1; }
done
sed -n 's/^<svg .* width="\([0-9]*\)".*/width \1/p
    s/^<text class="\([^"]*\)" x="\([0-9]*\)"[^>]*>\(.*\)<\/text>/\2 \1|\3/p' "$pictures"/*.svg |
    awk '$1 == "width" { width = $2; next }
        { class = $0; sub(/\|.*/, " ", class); text = substr($0, index($0, "|") + 1)
            gsub(/&[a-z]*;/, "x", text)
            letter = class ~ / m / ? 7.3 : class ~ / s / ? 5.9 : class ~ / h / ? 7.7 : 7.0
            long = length(text) * letter
            left = class ~ / mid / ? $1 - long / 2 : class ~ / end / ? $1 - long : $1
            if (left < 0 || left + long > width) { print "cut off: " text; bad = 1 } }
        END { exit bad }' || exit 1
for lesson in "$pictures"/../../ex*/README.md "$pictures"/../../lab*/README.md \
    "$pictures"/../*.md; do
    [ ! -e "$lesson" ] || grep -q '!\[' "$lesson" || { echo "$lesson has no picture"; exit 1; }
done
if grep -n '!\[\]' "$pictures"/../../README.md "$pictures"/../../*/README.md; then
    echo "a picture without a text alternative"
    exit 1
fi
