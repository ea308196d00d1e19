# sources_wrong.sh SOURCES: a file that is there for the scripts of its own folder only is found,
# and a line of more than 100 columns.
sources=$1
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/a" "$folder/b" && cd "$folder" || exit 2
printf '. "$(dirname "$0")/../a/prelude.sh"\n' >b/test.sh
printf '. "$(dirname "$0")/prelude.sh"\n' >a/test.sh
printf '. "$(dirname "$0")/../a/functions.sh"\n' >a/prelude.sh
: >a/functions.sh
printf '#%98sµ\n' '' >a/CMakeLists.txt
sh "$sources" a b || { echo "called missing or too long, but it is neither"; exit 1; }
printf '#%99sµ\n' '' >a/CMakeLists.txt
said=$(sh "$sources" a b) && { echo "NOT CAUGHT: $said"; exit 1; }
case $said in
"more than 100 columns: a/CMakeLists.txt:1:# "*) rm a/CMakeLists.txt ;;
*) echo "$said"; exit 1 ;;
esac
printf '. "$(dirname "$0")/functions.sh"\n' >a/prelude.sh
said=$(sh "$sources" a b) && { echo "NOT CAUGHT: $said"; exit 1; }
[ "$said" = "b/test.sh: there is no b/functions.sh, which b/../a/prelude.sh sources" ] ||
    { echo "$said"; exit 1; }
