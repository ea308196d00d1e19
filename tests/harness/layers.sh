# layers.sh CMAKELISTS OBJECT...: the harness's objects, in the order of the list in CMAKELISTS,
# call only what stands before them, and none has a variable that another one could write.
list=$1
shift
objects=$(printf '%s\n' "$@")
fail() { echo "$*"; exit 1; }
command -v nm >/dev/null || { echo "SKIPPED: nm is not installed"; exit 77; }
names=$(sed -n '/^set(harness /,/)/p' "$list" | grep -o 'harness/[a-z_]*\.c' | sed 's|harness/||')
[ "$(echo "$names" | wc -l)" -ge 15 ] || fail "the list of files was not understood: $names"

# Each time in a subshell with its own IFS: a folder may have a blank in its name.
objectOf() {
    IFS='
'
    for object in $objects; do case $object in */"$1".o | */"$1".obj) echo "$object" ;; esac; done
}
defined() { nm -g --defined-only "$(objectOf "$1")" | awk '{ print $NF }'; }

all=" " allowed=" " bad=
for name in $names; do
    [ -n "$(objectOf "$name")" ] || fail "there is no object of $name"
    all="$all$(defined "$name" | tr '\n' ' ')"
    for variable in $(nm -g --defined-only "$(objectOf "$name")" |
        awk '$2 ~ /[BCD]/ { print $NF }'); do
        [ "$variable" = settings ] || fail "$name has a variable that any file may write: $variable"
    done
done
for name in $names; do
    for symbol in $(nm -u "$(objectOf "$name")" | awk '{ print $NF }'); do
        case $all in *" $symbol "*) ;; *) continue ;; esac # of a library, or of the device
        case $allowed in *" $symbol "*) ;; *) echo "$name calls $symbol of a later file" &&
            bad=1 ;; esac
    done
    allowed="$allowed$(defined "$name" | tr '\n' ' ')"
done
[ -z "$bad" ] || exit 1
echo "no file of the harness calls a later one"
