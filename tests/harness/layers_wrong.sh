# layers_wrong.sh LAYERS CMAKELISTS LIST OBJECT...: the test of the order with a list in which
# fail.c comes first.
layers=$1 from=$2 to=$3
shift 3
sed 's|\(harness/ranks.c harness/start_gate.c\) \(harness/fail.c\)|\2 \1|' "$from" >"$to" || exit 2
exec sh "$layers" "$to" "$@"
