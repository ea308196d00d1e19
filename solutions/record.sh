#!/bin/sh
# record.sh FOLDER [exNN...]: the runs of recordings.txt, on a machine with a GPU, into CSV files in FOLDER.
# The same as ./course bench --record FOLDER [exNN...]; --resume goes on after an interruption.
[ $# -ge 1 ] || { echo "usage: solutions/record.sh FOLDER [exNN...]" >&2; exit 2; }
<<<<<<< HEAD
exec "$(dirname -- "$0")/../course" bench --record "$@"
=======
folder=$1; shift
only=$*
here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit 2
programs=${COURSE_BUILD:-$here/build}/gpu
matrix=$here/tests/ex13/matrices/bcsstk16.mtx.gz
failed=0
mkdir -p "$folder" || exit 2

# record FILE OPTIONS...: one run of the exercise that the file's name begins with.
record() {
    file=$folder/$1.csv
    exercise=${1%%[_.]*}; shift
    case " ${only:-$exercise} " in *" $exercise "*) ;; *) return ;; esac
    [ ! -e "$file" ] || return
    if [ ! -x "$programs/${exercise}_solution" ]; then
        echo "record.sh: there is no $programs/${exercise}_solution; ./course bench builds it" >&2
        failed=2
        return
    fi
    echo "$(basename "$file"): $*"
    "$programs/${exercise}_solution" "$@" --csv "$file.new" >"$folder/log" 2>&1
    case $? in
    0) mv "$file.new" "$file" ;;
    77) echo "  skipped: $(tail -n 1 "$folder/log")" ;;
    *) tail -n 5 "$folder/log"; failed=1 ;;
    esac
}

# several FILE "OPTIONS" "OPTIONS"...: several runs into one file.
several() {
    name=$1; shift
    [ ! -e "$folder/$name.csv" ] || return
    for options; do
        # shellcheck disable=SC2086
        record "$name.$(echo "$options" | tr -c 'a-zA-Z0-9\n' _)" $options
    done
    first=yes
    for part in "$folder/$name".*.csv; do
        [ -e "$part" ] || continue
        if [ $first = yes ]; then cat "$part" >"$folder/$name.all"; else tail -n +2 "$part" >>"$folder/$name.all"; fi
        first=no
        rm -f "$part"
    done
    [ ! -e "$folder/$name.all" ] || mv "$folder/$name.all" "$folder/$name.csv"
}

small=$((1 << 26))
for exercise in ex01 ex03 ex04 ex05 ex06 ex08 ex09 ex10 ex12 ex14 ex15 ex22; do
    record $exercise
done
record ex13 --size 4096 --tolerance 0
record ex03_sweep --sweep --only device --size $small
record ex04_offset --sweep offset --only device --size $small
record ex04_stride --sweep stride --only device --size $small
record ex04_region --sweep region --only device --size $small
record ex05_block --sweep block --only device --size $small
record ex06_double --type double
record ex06_positive --positive
record ex06_sizes --sweep
record ex08_threads --sweep --only device --size $((1 << 20))
several ex09_sizes "--size 4096" "--size 16384" "--size 65536" "--size 262144" "--size 1048576" "--size 4194304"
several ex09_orders "--order sorted" "--order clustered"
record ex10_sweep --sweep --only device
several ex11 "--n 16" "--n 8 --only device" "--n 8 --only library" "--n 32 --only device" "--n 32 --only library"
several ex11_sweep "--sweep --only device --size $small" "--sweep --only library --size $small"
record ex13_3d --size 256 --dimensions 3 --tolerance 0
record ex13_float --size 4096 --precision float --tolerance 0
record ex13_small --size 100 --tolerance 0
record ex13_bcsstk16 --matrix "$matrix" --max-iterations 1000
several ex22_spheres "--only device --variant picture --spheres 100" "--only device --variant picture --spheres 1000" \
    "--only device --variant tree --spheres 10000" "--only device --variant tree --spheres 100000"
rm -f "$folder/log"
exit $failed
>>>>>>> 2e56d2c (ex22: a ray tracer)
