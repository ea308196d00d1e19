# layers_wrong.sh LAYERS FOLDER OBJECT...: what LAYERS says if base/text.c stood in class/.
layers=$1 folder=$2
shift 2
rm -rf "$folder" && mkdir -p "$folder/class" || exit 2
for object; do
    shift
    case $object in */base/text.c.o*) cp "$object" "$folder/class/" &&
        object=$folder/class/${object##*/} ;; esac
    set -- "$@" "$object"
done
exec sh "$layers" "$@"
