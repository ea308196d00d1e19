# pictures.sh PICTURES FOLDER: the pictures in FOLDER are those that the program PICTURES makes, and each tells
# what it shows: a title, a description, and a text alternative wherever a document shows it.
fresh=$(mktemp -d) || exit 2
trap 'rm -rf "$fresh"' EXIT
"$1" "$fresh" || exit 2
diff -rq -x "*.[ch]" -x .clang-format "$fresh" "$2" || { echo "stale: build/tests/pictures lessons/pictures remakes them"; exit 1; }
for picture in "$2"/*.svg; do
    for wanted in '<title id="title">..*</title>' '<desc id="desc">..*</desc>' prefers-color-scheme; do
        grep -q "$wanted" "$picture" || { echo "$picture has no $wanted"; exit 1; }
    done
done
if grep -n '!\[\]' "$2"/../../README.md "$2"/../../*/README.md; then
    echo "a picture without a text alternative"
    exit 1
fi
