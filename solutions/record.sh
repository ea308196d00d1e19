#!/bin/sh
# record.sh FOLDER [exNN...]: the runs of recordings.txt, on a machine with a GPU, into CSV files in
# FOLDER. The same as ./course bench --record FOLDER [exNN...]; --resume goes on after an
# interruption.
[ $# -ge 1 ] || { echo "usage: solutions/record.sh FOLDER [exNN...]" >&2; exit 2; }
exec "$(dirname -- "$0")/../course" bench --record "$@"
