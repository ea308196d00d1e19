# layers.sh OBJECT...: each room of the runner calls only itself and the rooms before it in this
# list, and main.c may call all of them. So class/ does not call author/ either.
command -v nm >/dev/null || { echo "SKIPPED: nm is not installed"; exit 77; }
[ $# -ge 30 ] || { echo "only $# objects"; exit 1; }
nm -A -g "$@" | awk '
BEGIN {
    rooms = split("base view student author class course.dir", name)
    for (i in name) level[name[i]] = i
    level["."] = rooms
    level["runtime"] = 0 # time_model.c, which calls nobody
}
match($0, /[a-z_.]+\/[a-z_]+\.c\.o(bj)?:/) {
    file = substr($0, RSTART, RLENGTH - 1)
    room = file
    sub(/\/.*/, "", room)
    if (!(room in level)) { print "no such room: " room; bad = 1 }
    if ($(NF - 1) == "U") {
        callers[++calls] = file; called[calls] = $NF; from[calls] = level[room]
    } else { owner[$NF] = file; at[$NF] = level[room] }
}
END {
    for (i = 1; i <= calls; i++)
        if (at[called[i]] > from[i]) {
            print callers[i] " calls " called[i] " of " owner[called[i]]; bad = 1
        }
    exit bad
}' || exit 1
echo "no room of the runner calls a later one"
