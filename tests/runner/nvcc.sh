# nvcc.sh WORDS FOLDER NVCC: what nvcc says of each mistake of MISTAKES.md that it finds when
# compiling, in our words: the line of the mistake, the author's text of it, a sentence of advice,
# and nothing of headers and files of nvcc's own.
words=$1 folder=$2 nvcc=$3
[ -x "$nvcc" ] || { echo "SKIPPED: no nvcc"; exit 77; }
architecture=$("$nvcc" --list-gpu-arch | sed -n 's/compute_\([0-9]*\)$/\1/p' | sort -n | head -1)
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cp "$folder"/*.cu "$dir" && cd "$dir" || exit 2
found=0
fail() { echo "FAILED: $file: $*"; cat out; exit 1; }
for file in 0[1-9]*.cu 1[0-3]*.cu 4[1-5]*.cu; do
    "$nvcc" -arch="sm_$architecture" -c "$file" -o object.o >log 2>&1 &&
        continue # nvcc finds nothing, or only warns
    line=$(grep -n -e '// <-- mistake' "$file" | head -1 | cut -d: -f1)
    "$words" <log >out || fail "no error recognised in: $(cat log)"
    head -1 out | grep -q "^$file:$line:.*error: " || fail "not line $line first"
    sed -n 2p out | grep -qF "$(sed -n "${line}p" "$file")" || fail "not the author's line"
    grep -q '^      = ' out || fail "no advice"
    grep -E 'stub|/targets/|note #|Remark|detected in the compilation|tmpxft|__attribute__' out &&
        fail "noise"
    found=$((found + 1))
done
echo "$found mistakes explained"
[ $found -ge 13 ]
