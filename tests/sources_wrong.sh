# sources_wrong.sh SOURCES: a file that is there for the scripts of its own folder only is found.
sources=$1
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/a" "$folder/b" && cd "$folder" || exit 2
printf '. "$(dirname "$0")/../a/prelude.sh"\n' >b/test.sh
printf '. "$(dirname "$0")/prelude.sh"\n' >a/test.sh
printf '. "$(dirname "$0")/../a/functions.sh"\n' >a/prelude.sh
: >a/functions.sh
sh "$sources" a b || { echo "called missing, but it is there"; exit 1; }
printf '. "$(dirname "$0")/functions.sh"\n' >a/prelude.sh
said=$(sh "$sources" a b) && { echo "NOT CAUGHT: $said"; exit 1; }
[ "$said" = "b/test.sh: there is no b/functions.sh, which b/../a/prelude.sh sources" ] ||
    { echo "$said"; exit 1; }
