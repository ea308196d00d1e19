# mutant.sh MUTANT PROGRAM COURSE EX: runs a wrong solution and demands that it is found out: exit
# status 1 (or that of the mutant's line "# status: N"), each "expect:" text of the mutant in the
# output, and no "refuse:" text. A line "environment:" holds settings, NAME=value, for the run. A
# mutant with lines "advice:" is right, and far from what its row should reach: it must pass, and
# COURSE must say that of its rows, by each of these texts.
mutant=$1 program=$2 course=$3 exercise=$4
cd "${0%/*}/.." || exit 2 # paths in the options are the course's
newline='
'
wanted=1 options='' environment='' expect='' refuse='' advice=''
# No process for each kind of line: there are 800 mutants.
while IFS= read -r line; do
    text=${line#*: }
    case $line in
    '# status: '*) wanted=$text ;;
    'options: '*) options=$text ;;
    'environment: '*) environment=$text ;;
    'expect: '*) expect=$expect$text$newline ;;
    'refuse: '*) refuse=$refuse$text$newline ;;
    'advice: '*) advice=$advice$text$newline ;;
    '--- begin') break ;;
    esac
done <"$mutant"
# COURSE_VERBOSE: every finding, since the text may be of any
run() { env COURSE_VERBOSE=1 $environment "$program" $options "$@"; }
# demand TEXTS OUTPUT: each line of the texts stands in the output.
demand() {
    IFS=$newline
    for text in $1; do
        case $2 in
        *"$text"*) ;;
        *) echo "NOT NAMED: the output does not hold '$text'"; exit 1 ;;
        esac
    done
}
set -f
if [ -n "$advice" ]; then
    rows=$(mktemp) || exit 2
    trap 'rm -f "$rows"' EXIT
    rm "$rows" && run --csv "$rows" || { echo "NOT RIGHT: exit status $?"; exit 1; }
    output=$("$course" targets "$exercise" --rows "$rows") &&
        echo "NOT CAUGHT: no row is far from its target"
    echo "$output"
    demand "$advice" "$(echo "$output" | tr -s '\n ' '  ')" # lines are wrapped
    exit
fi
output=$(run 2>&1)
status=$?
echo "$output"
if [ $status -ne "$wanted" ]; then
    echo "NOT CAUGHT: exit status $status where $wanted is expected"
    exit 1
fi
demand "$expect" "$output"
IFS=$newline
for text in $refuse; do
    case $output in
    *"$text"*) echo "FALSE: the output holds '$text'"; exit 1 ;;
    esac
done
