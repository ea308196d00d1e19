# mutant.sh MUTANT PROGRAM COURSE EX: runs a wrong solution and demands that it is found out: exit
# status 1 (or that of the mutant's line "# status: N"), each "expect:" text of the mutant in the
# output, and no "refuse:" text. A line "environment:" holds settings, NAME=value, for the run. A
# mutant with lines "advice:" is right, and far from what its row should reach: it must pass, and
# COURSE must say that of its rows, by each of these texts.
mutant=$1 program=$2 course=$3 exercise=$4
options=$(sed -n 's/^options: *//p' "$mutant")
cd "$(dirname "$0")/.." || exit 2 # paths in the options are the course's
wanted=$(sed -n 's/^# status: *//p' "$mutant")
# every finding, since the text may be of any
environment="COURSE_VERBOSE=1 $(sed -n 's/^environment: *//p' "$mutant")"
# named KIND OUTPUT: each text of the mutant's lines KIND stands in the output.
named() {
    sed -n "s/^$1: *//p" "$mutant" | while IFS= read -r text; do
        case $2 in
        *"$text"*) ;;
        *) echo "NOT NAMED: the output does not hold '$text'"; exit 1 ;;
        esac
    done
}
if grep -q '^advice: ' "$mutant"; then
    rows=$(mktemp) || exit 2
    trap 'rm -f "$rows"' EXIT
    rm "$rows" && env $environment "$program" $options --csv "$rows" ||
        { echo "NOT RIGHT: exit status $?"; exit 1; }
    output=$("$course" targets "$exercise" --rows "$rows") &&
        echo "NOT CAUGHT: no row is far from its target"
    echo "$output"
    named advice "$(echo "$output" | tr -s '\n ' '  ')" # lines are wrapped
    exit
fi
output=$(env $environment "$program" $options 2>&1)
status=$?
echo "$output"
if [ $status -ne "${wanted:-1}" ]; then
    echo "NOT CAUGHT: exit status $status where ${wanted:-1} is expected"
    exit 1
fi
named expect "$output" || exit 1
refused=$(sed -n 's/^refuse: *//p' "$mutant")
if [ -n "$refused" ] && echo "$output" | grep -qF -e "$refused"; then
    echo "FALSE: the output holds '$refused'"
    exit 1
fi
