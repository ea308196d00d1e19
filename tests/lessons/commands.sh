# commands.sh SOURCE BUILD COURSE EXERCISE: each command that the README of the exercise shows does
# what it says: with the solution in the template's place, on the emulated device, with exit status
# 0 or the one that its comment names. "readme" means the README of the course, "teaching"
# TEACHING.md, whose commands stand within lines. What is "on a GPU" or "on GPUs" is left out, and a
# plain check, which is course.check_all; bench takes small sizes, thousands of steps are a tenth as
# many; --template is unsolved.
source=$1 COURSE_BUILD=$2 course=$3 exercise=$4
export COURSE_SOURCE="$source" COURSE_BUILD CUDA_EMULATED_FAST=1 \
    # findings are other tests' business
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
ln -s "$source/tests" "$folder/tests" && cd "$folder" || exit 2

case $exercise in
teaching) # a comparison needs the times of a GPU
    grep -oE '`(\./)?course [^`]*`' "$source/TEACHING.md" | tr -d '`' | sed 's|^\(\./\)*|    ./|' \
        | grep -v -e --compare ;;
readme) # what names no exercise takes all of them, and is a test of its own
    cat "$source/README.md" ;;
*) cat "$source/$exercise"*/README.md ;;
esac | grep -E \
    "^    \./course (check|bench|read|recorded|answer|hint|diff|list|device) *(ex|lab|$)" \
    >"$folder/lines"
[ -s "$folder/lines" ] || { echo "no commands in $exercise's README"; exit 1; }
result=0
while IFS= read -r line; do
    words=$(echo "$line" |
        sed -E 's/^ *\.\/course //; s/ {2,}.*//; s/FILE\.mtx/tests\/ex13\/matrices\/bcsstk01.mtx/
        s/--steps ([0-9]{3,})0( |$)/--steps \1\2/')
    wanted=$(echo "$line" | sed -n 's/.*exit status \([0-9]\).*/\1/p')
    case $line in *"on a GPU"* | *"on GPUs"*) echo "left out: $words"; continue ;; esac
    case $words in
    "check $exercise") echo "course.check_all.$exercise: $words"; continue ;;
    *--template*) words="$words --device=emulated --quick" wanted=3 ;;
    check*) words="$words --solution --device=emulated --patience 800" ;;
    bench*) words="$words --device=emulated --quick" ;;
    esac
    started=$(date +%s)
    eval "timeout 900 \"$course\" $words" >"$folder/output" 2>&1 </dev/null
    status=$?
    echo "$(($(date +%s) - started)) s: $words"
    if [ $status -ne "${wanted:-0}" ] && [ $status -ne 77 ]; then
        echo "exit status $status where ${wanted:-0} is expected:"
        cat "$folder/output"
        result=1
    fi
done <"$folder/lines"
# Each TODO has a hint of each kind: the concept, the call, nearly the code.
for todo in \
    $(sed -n 's|.*// TODO \([0-9]*\) begin.*|\1|p' "$source/$exercise"*/template.* 2>/dev/null); do
    "$course" hint "$exercise" "$todo" 3 >"$folder/output" 2>&1 ||
        { cat "$folder/output"; result=1; }
done
exit $result
