# targets.sh SOURCE BUILD [cmake options]: configures SOURCE in the fresh folder BUILD and says how
# many programs only authors need.
source=$1 build=$2
shift 2
rm -rf "$build"
cmake -S "$source" -B "$build" "$@" >"$build.log" 2>&1 || { cat "$build.log"; exit 2; }
cmake --build "$build" --target help >"$build.targets" || exit 2
echo "$(grep -c -E '_mutant_|sanitized' "$build.targets") programs for authors"
grep -q ex01_template_emulated "$build.targets"
