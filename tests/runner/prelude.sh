# prelude.sh COURSE FOLDER: a course of one exercise that is made up for a test, with scripts in
# place of its programs. Sourced by the tests of the course program.
#
# The programs do what the file `behaviour` in the exercise's folder says, a piece of shell in which
# $arguments are the program's, $csv the file that --csv names, $device is emulated or gpu, and
# `verdict WORD [WRONG [TODOS]]` writes the closing verdict. One that is to wait for its turn writes
# its process into waits_$device in the build folder before.
. "$(dirname "$0")/../runner/functions.sh" # a test in another folder sources this file, too
# shellcheck disable=SC2034 # the tests that source this file use them
course=$1 with_cores="env LD_PRELOAD=../source/bin/cores.so"
folder=$2
rm -rf "$folder" &&
    mkdir -p "$folder/source/ex77_made_up" "$folder/source/bin" "$folder/build/emulated" \
        "$folder/build/gpu" || exit 2
COURSE_SOURCE=$folder/source COURSE_BUILD=$folder/build
export COURSE_SOURCE COURSE_BUILD
unset COURSE_PATIENCE
cd "$folder/source" || exit 2
PATH=$PWD/bin:$PATH
echo "ex77_made_up|nothing" >"$folder/build/exercises.txt"
template=ex77_made_up/template.cu solution=ex77_made_up/solution.cu
# The first line of a results file (columns.h): as older versions wrote it, and as it is now.
old_columns=exercise,variant,device,size,verdict,median_s,min_s,bytes,flops,limit_bytes_per_s
old_columns=$old_columns,fraction,with_transfers_s,max_error,parameters,place,max_s,samples
old_columns=$old_columns,counters,run,date,host,commit,compiler,cpu,sockets,cores,threads
old_columns=$old_columns,driver,toolkit,multiprocessors,clock_hz,memory_clock_hz,ecc,l2_bytes
# shellcheck disable=SC2034 # for the tests that source this file
columns=$old_columns,power_limit_w

# In place of cmake: every build makes all programs anew.
printf '#!/bin/sh\ntouch "$COURSE_BUILD"/emulated/ex77_* "$COURSE_BUILD"/gpu/ex77_*\n' >bin/cmake
for device in emulated gpu; do
    for kind in template solution; do
        cat >"$folder/build/$device/ex77_$kind" <<END2
#!/bin/sh
device=$device arguments=\$* file= csv= early=
while [ \$# -gt 0 ]; do
    [ "\$1" = --verdict ] && file=\$2
    [ "\$1" = --csv ] && csv=\$2
    [ "\$1" = --wait ] && early=1
    shift
done
if [ "\$early" ]; then
    [ ! -e "\$COURSE_BUILD/stubborn" ] || trap '' TERM
    echo \$\$ >"\$COURSE_BUILD/waits_new" &&
        mv "\$COURSE_BUILD/waits_new" "\$COURSE_BUILD/waits_\$device"
    [ ! -e "\$COURSE_BUILD/broken" ] || exit 2
    read -r turn || exit 77
fi
verdict() {
    printf 'rows=2\nwrong=%s\n' "\${2:-0}" >"\$file.rows"
    {
        printf 'course-verdict 1\nprogram=ex77_$kind\nverdict=%s\nrows=2\njudged=2\n' "\$1"
        printf 'wrong=%s\nunfilled=0\nskipped=0\ntodos=%s\nplace=\nend\n' "\${2:-0}" "\${3:-}"
    } >"\$file.new" && mv "\$file.new" "\$file"
}
. "$PWD/ex77_made_up/behaviour"
END2
        chmod +x "$folder/build/$device/ex77_$kind"
    done
done
chmod +x bin/cmake
behave() { cat >ex77_made_up/behaviour; }
cat >$solution <<'END2'
int a;
    // TODO 1 begin: set b
    int b = 1;
    // TODO 1 end
int c;
// TODO 2 begin: (advanced) d
int d;
// TODO 2 end
END2
cp $solution $template
# A GPU: nvidia-smi says so.
with_gpu() {
    printf '#!/bin/sh\nexit 0\n' >bin/nvidia-smi
    chmod +x bin/nvidia-smi
    : >"$folder/build/has_gpu_programs"
}
# with_gpu_and_cores LIBRARY: a GPU, and so many cores as the library that is loaded first says to
# what $with_cores starts. In the build folder from here on: LD_PRELOAD is a list with blanks
# between its names.
with_gpu_and_cores() {
    unset SLURM_CPUS_PER_TASK
    with_gpu
    cp "$1" bin/cores.so && cd "$folder/build" || exit 2
}
