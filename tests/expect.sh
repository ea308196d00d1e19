# expect.sh STATUS TEXT COMMAND...: runs a command and demands its exit status and that its output
# (both streams) holds TEXT; the TEXT - demands nothing. Status 77 (skipped) is passed on.
want=$1 text=$2
shift 2
[ "$text" = - ] && text=
output=$("$@" 2>&1 </dev/null)
status=$?
printf '%s\n' "$output"
[ $status -eq 77 ] && [ "$want" -ne 77 ] && exit 77
if [ $status -ne "$want" ]; then
    echo "exit status $status where $want is expected"
    exit 1
fi
case $output in
*"$text"*) ;;
*) echo "the output does not hold '$text'"; exit 1 ;;
esac
