# api.sh SOURCE: API.md is what lessons/api.sh writes now, fits on two pages, and would lack a name
# that a lesson or a template is the first to use.
. "$(dirname "$0")/../runner/functions.sh"
source=$1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
sh "$source/lessons/api.sh" "$source" >"$work/now" || fail "lessons/api.sh fails"
diff "$source/API.md" "$work/now" || fail "API.md is stale: sh lessons/api.sh . >API.md"
[ "$(fold -w 100 "$work/now" | wc -l)" -le 120 ] || fail "longer than two pages"
mkdir "$work/copy"
(cd "$source" && cp --parents ex*_*/README.md ex*_*/template.c* lab_*/README.md lab_*/template.c* \
    lessons/*.md "$work/copy")
for file in ex03_vector_add/README.md ex05_diffusion1d/template.cu lab_building/README.md; do
    echo "cudaNeverTaught(1);" >>"$work/copy/$file"
    sh "$source/lessons/api.sh" "$work/copy" | diff "$source/API.md" - | grep -q cudaNeverTaught ||
        fail "a new name in $file is not missed"
    cp "$source/$file" "$work/copy/$file"
done
