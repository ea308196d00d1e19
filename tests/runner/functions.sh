# functions.sh: assertions for the tests of the course program, which source this file.
fail() { echo "$*"; exit 1; }
# expect STATUS TEXT COMMAND...: the exit status, and the text somewhere in the output, which is in
# the file out.
expect() {
    wanted=$1 text=$2
    shift 2
    "$@" >out 2>&1 </dev/null
    got=$?
    [ $got -eq "$wanted" ] || fail "exit status $got instead of $wanted: $* ($(cat out))"
    [ -z "$text" ] || grep -qF -- "$text" out ||
        fail "'$text' is not in the output of $*: $(cat out)"
}
# short: of the names of exercises' folders what commands call them, such as ex03 or labd.
short() { sed 's/_//; s/^\(....\).*/\1/'; }
# as_user COMMAND...: by an account that permissions and limits hold for: not root.
as_user() {
    if [ "$(id -u)" -ne 0 ]; then "$@"
    else setpriv --reuid=65533 --regid=65533 --clear-groups "$@"; fi
}
# with_processes N COMMAND...: by an account that may have no more than N processes.
with_processes() { most=$1; shift; as_user prlimit --nproc="$most" "$@"; }
