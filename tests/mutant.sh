# mutant.sh MUTANT PROGRAM: runs a wrong solution and demands that it is found out: exit status 1 (or that of
# the mutant's line "# status: N"), and each "expect:" text of the mutant in the output. A line "environment:"
# holds settings, NAME=value, for the run.
mutant=$1 program=$2
options=$(sed -n 's/^options: *//p' "$mutant")
cd "$(dirname "$0")/.." || exit 2 # paths in the options are the course's
wanted=$(sed -n 's/^# status: *//p' "$mutant")
environment=$(sed -n 's/^environment: *//p' "$mutant")
output=$(env $environment "$program" $options 2>&1)
status=$?
echo "$output"
if [ $status -ne "${wanted:-1}" ]; then
    echo "NOT CAUGHT: exit status $status where ${wanted:-1} is expected"
    exit 1
fi
sed -n 's/^expect: *//p' "$mutant" | while IFS= read -r text; do
    case $output in
    *"$text"*) ;;
    *) echo "NOT NAMED: the output does not hold '$text'"; exit 1 ;;
    esac
done
