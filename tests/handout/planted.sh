# planted.sh COPIES SOLUTION FOLDER: the search of the handout finds a copy with other names and
# blanks, one in a comment, and a part of the allowed text that is no longer anywhere; nothing else.
. "$(dirname "$0")/../runner/functions.sh"
copies=$1 solution=$2
rm -rf "$3" && mkdir -p "$3" && cd "$3" || exit 2
region() { sed -n '/TODO 2 begin/,/TODO 2 end/p' "$solution" |
    grep -v -e TODO -e '/\*' -e '^ *\* '; }
renamed() { region | sed 's/sums/parts/g; s/half/h/g; s/value/v/g; s/  */ /g; s/ = /=/g'; }
printf '== kernel.cuh: for a test\n%s\n' "$(region)" >allowed
{ echo 'void kernel()'; echo '{'; renamed; echo '}'; } >kernel.cuh
{ echo 'It could be'; echo; renamed; } | sed 's|^|// |' >comment.cuh
printf 'A lesson.\n```c\n%s\n```\n' "$(renamed)" >lesson.md
printf 'void kernel()\n{\n    __syncthreads();\n    value = sums[0];\n}\n' >other.cuh
cmp -s "$solution" kernel.cuh && fail "nothing was renamed"
expect 0 "0 found" "$copies" allowed "$solution" -- kernel.cuh other.cuh
for file in comment.cuh:5 lesson.md:3; do
    expect 1 "$file: TODO 2 of $solution" "$copies" allowed "$solution" \
        -- kernel.cuh ${file%:*} other.cuh
done
cp kernel.cuh copy.cuh
expect 1 "copy.cuh:3: TODO 2 of $solution" "$copies" allowed "$solution" -- kernel.cuh copy.cuh
expect 1 "allowed:1: nothing of this is found any more" "$copies" allowed "$solution" -- other.cuh
printf '== other.cuh: too short\na = 1;\n' >allowed
expect 2 "fewer than three statements" "$copies" allowed "$solution" -- other.cuh
printf '// TODO 1 begin: a kernel\n#include "kernel.cuh"\n// TODO 1 end\n' >included.cu
expect 2 "the answer to a TODO is an #include" "$copies" /dev/null included.cu -- other.cuh
expect 2 "none.cuh" "$copies" /dev/null "$solution" -- none.cuh
echo "planted copies are found"
