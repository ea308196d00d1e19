# pictures.sh FOLDER COMMAND...: the pictures in FOLDER are those that COMMAND makes in the folder
# that it is given as last word, and each tells what it shows: a title, a description, and a text
# alternative wherever a document shows it.
pictures=$1
shift
fresh=$(mktemp -d) || exit 2
trap 'rm -rf "$fresh"' EXIT
"$@" "$fresh" || exit 2
for picture in "$pictures"/*.svg "$fresh"/*.svg; do
    cmp "$fresh/${picture##*/}" "$pictures/${picture##*/}" ||
        { echo "stale: sh lessons/pictures/draw.sh build/tests/pictures build/course build/emulated-cc lessons/pictures"; exit 1; }
done
for picture in "$pictures"/*.svg; do
    for wanted in '<title id="title">..*</title>' '<desc id="desc">..*' prefers-color-scheme; do
        grep -q "$wanted" "$picture" || { echo "$picture has no $wanted"; exit 1; }
    done
done
if grep -n '!\[\]' "$pictures"/../../README.md "$pictures"/../../*/README.md; then
    echo "a picture without a text alternative"
    exit 1
fi
