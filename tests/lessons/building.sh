# building.sh SOURCE NVCC EMULATED-CC LIBRARIES FOLDER: the commands of lab_building's README and
# answers work one after the other, by the emulated device's compiler (LIBRARIES are its own) and,
# where it is there, by nvcc; one that "fails" fails. Where nvcc is of the release that is quoted,
# it writes what is quoted.
source=$1 nvcc=$2 emulated=$3 libraries=$4 folder=$5
. "$source/tests/runner/functions.sh"
# lines FENCED: those of the documents in fences of text (1), or the commands (0).
lines() {
    sed '/^### What nvcc/,/^### Sep/d' "$source/lab_building/README.md" \
        "$source/solutions/labb.md" |
        awk -v fenced="$1" '/^```/ { inside = !inside; text = /text/; next }
            inside && fenced && text
            !inside && !fenced && sub(/^    /, "") && !/^cd /'
}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# build KIND LIBRARIES: all commands, in a copy of the folder, but those of programs that are not
# here, and those with $left_out.
build() {
    rm -rf "${folder:?}/$1" && mkdir -p "$folder/$1" && cd "$folder/$1" || exit 2
    cp "$source"/lab_building/*.* . || exit 2
    lines 0 | sed "s|/usr/local/cuda/lib64|$2|" >commands
    [ "$(wc -l <commands)" -gt 20 ] || fail "only these commands: $(cat commands)"
    while IFS= read -r command; do
        word=${command%% *}
        if { ! command -v "$word" >/dev/null && [ "${word#./}" = "$word" ]; } ||
            echo "$command" | grep -qE -- "$left_out"
        then echo "$1: left out: $command"; continue; fi
        echo "$ $command" >>said
        case $command in
        *"# fails") ! sh -c "$command" >>said 2>&1 </dev/null || fail "$1: no failure: $command" ;;
        *) sh -c "$command" >>said 2>&1 </dev/null || fail "$1: fails: $(cat said)" ;;
        esac
    done <commands
}

mkdir -p "$folder/bin" && ln -sf "$emulated" "$folder/bin/nvcc" || exit 2
path=$PATH PATH=$folder/bin:$PATH
left_out='# fails|--ptx|^cuobjdump|cmake|/table$'
build emulated "$libraries"
[ "$(tail -n 1 said)" = "1 6 17 34 57" ] || fail "not the five numbers at the end: $(cat said)"

[ -x "$nvcc" ] || { echo "nvcc: left out"; exit 0; }
PATH=$(dirname "$nvcc"):$path
left_out='^$'
nvidia-smi >/dev/null 2>&1 || left_out='^\./|^mpirun'
build nvcc "$(dirname "$(dirname "$nvcc")")/lib64"
nvcc --version | grep -q 'release 13\.0' || exit 0
cat ./*.ptx >>said
echo "1 6 17 34 57" >>said # needs a GPU
lines 1 | while IFS= read -r line; do
    grep -qxF -- "$line" said || fail "not what nvcc writes: $line"
done
