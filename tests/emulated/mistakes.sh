# mistakes.sh CC FOLDER DOCUMENT [--write]: each program in FOLDER has one mistake that beginners
# make. Its first line says which; `// says: TEXT` what (a regular expression) must stand in the
# first message that a student sees, which must name the line marked `<-- said here`, or else the
# one marked `<-- mistake`; or `// not found: REASON`, and then nothing may be said. DOCUMENT has
# the table of messages: compared, or written anew. `// needs: clang`: without clang such a mistake
# is left out. With another g++ or clang than those that the document names, whose messages differ,
# the table is not compared.
cc=$(realpath "$1") folder=$2 document=$(realpath "$3") write=${4:-}
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED: $*"; cat err; failed=1; }
version() { command -v "$1" >/dev/null 2>&1 && "$1" -dumpversion | sed "s/[.].*//; s/^/$1 /"; }
compilers="$(version g++), $(version clang++)"
cp "$folder"/*.cu "$dir" && cd "$dir" && touch compile run lost err || exit 2

head_of() { sed -n "1,2s|^// $1||p" "$file"; }
line_of() { grep -n -e "// <-- $1" "$file" | head -1 | cut -d: -f1; }
# code N: line N of the program, for a table
code() { sed -n "$1{s| *// <-- .*||; s/^ *//; s/|/\\\\|/g; s/.*/\`&\`/; p}" "$file"; }
# The first message without the file's name, the source and the caret, with the advice
first_message() {
    awk -v file="$file" 'NR > 1 && !/^ / { exit }
        NR == 1 { sub("^" file ":[0-9]*(:[0-9]*)?: ", ""); gsub(file ":", "line ")
            sub(/ \[-[Wf][a-z-]*\]/, ""); print }
        /^      = / { sub(/^ *= /, ""); print }
        /^    if both are to use it/ { sub(/^ */, ""); gsub(file ":", "line "); print }' err |
        sed 's/|/\\|/g; s/.*/`&`/'
}
row() { printf '| [%s](tests/emulated/mistakes/%s) | %s<br>%s | %s |\n' "${file%.cu}" "$file" \
    "$title" "$(code "$mistake")" "$1"; }

# Compiles and runs $file, with messages in err; "compile" or "run": where the first message came
# from.
try() {
    only=-c
    grep -q '^int main(void)' "$file" && only=''
    "$cc" $only "$file" -o program 2>err && [ ! -s err ] && [ -z "$only" ] ||
        { echo compile; return; }
    (./program 2>err >out) 2>/dev/null && status=0 || status=1
    [ -s err ] && [ $status -eq 0 ] && ! head -1 err | grep -q ': remark: ' &&
        echo "exit status 0 in spite of this" >>err
    echo run
}

for file in $(printf "%s\n" [0-9]*.cu | sort -n); do
    title=$(head_of '' | head -1) says=$(head_of 'says: ') reason=$(head_of 'not found: ')
    mistake=$(line_of mistake) said=$(line_of 'said here')
    [ -n "$title" ] && [ -n "$mistake" ] && [ -n "$says$reason" ] ||
        { fail "$file: its head is not understood"; continue; }
    grep -q '^// needs: clang' "$file" && ! command -v clang++ >/dev/null 2>&1 && continue
    when=$(try)
    if [ -n "$reason" ]; then
        [ "$when" = run ] && [ ! -s err ] || fail "$file: not to be found, and yet:"
        row "$reason" >>lost
        continue
    fi
    grep -q '^exit status 0' err && fail "$file:"
    head -1 err | grep -q "^$file:${said:-$mistake}:" || fail "$file: not line ${said:-$mistake}:"
    first_message >message
    grep -q -e "$says" message || fail "$file: no '$says' in:"
    { [ -z "$said" ] || printf 'at %s\n' "$(code "$said")"; cat message; } | sed '$!s/$/<br>/' |
        tr -d '\n' >cell
    row "$(cat cell)" >>"$when"
done
[ $failed -eq 0 ] || exit 1

section() { printf '\n## %s\n\n| | mistake | %s |\n|---|---|---|\n' "$1" "$2"; cat "$3"; }
{
    echo "<!-- mistakes: $compilers -->"
    section "When compiling" message compile
    section "When running" message run
    section "Not found" why lost
    printf '\n<!-- end of mistakes -->\n'
} >table
known=$(sed -n 's/^<!-- mistakes: \(.*\) -->$/\1/p' "$document")
[ -n "$known" ] || { echo "$document has no table"; exit 1; }
if [ -n "$write" ]; then
    awk '/^<!-- mistakes: / { while ((getline line < "table") > 0) print line; inside = 1 }
        !inside { print }
        /^<!-- end of mistakes/ { inside = 0 }' "$document" >written && cp written "$document"
elif [ "$known" = "$compilers" ]; then
    sed -n '/^<!-- mistakes: /,/^<!-- end of mistakes/p' "$document" >shown
    diff shown table || { \
        echo "$document is stale: tests/emulated/mistakes.sh CC FOLDER DOCUMENT --write"; exit 1; }
else
    echo "the table was written with $known, here is $compilers: it is not compared"
fi
