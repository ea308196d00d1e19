# excerpt.sh DOCUMENT EXERCISE MUTANT PROGRAM: what the document says a check prints, the mutant's
# program prints: each line of it, once the mutant's file is called template.cu, as a student's is.
# The program has only the mutant's row.
output=$(mktemp) || exit 2
trap 'rm -f "$output"' EXIT
mutant=$(dirname "$1")/tests/$2/mutants/$3.mutant
row=$(sed -n 's/^options:.* \(--variant [^ ]*\).*/\1/p' "$mutant")
# shellcheck disable=SC2086 # two words
"$4" --only device $row 2>&1 | sed "s/$3\.cu/template.cu/g" >"$output"
lines=$(sed -n "/^<!-- mutant: $2 $3 -->/,/^<!-- end -->/p" "$1" | grep -v '^<!--\|^```')
[ -n "$lines" ] || { echo "$1 has no excerpt of $2 $3"; exit 1; }
echo "$lines" | while IFS= read -r line; do
    grep -qxF -- "$line" "$output" || { echo "stale in $1: $line"; cat "$output"; exit 1; }
done
