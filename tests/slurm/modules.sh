# modules.sh SOURCE BUILD FOLDER: the course's module file is loaded, used and unloaded, with this
# machine's Environment Modules or Lmod, and with modules of the centre's that are made up. The
# checkout stands in for the installation.
. "$(dirname "$0")/../runner/functions.sh"
source=$1 COURSE_BUILD=$2 folder=$3
export COURSE_BUILD
command=
for candidate in "$(command -v modulecmd)" "${LMOD_CMD:-/usr/share/lmod/lmod/libexec/lmod}"; do
    [ -x "$candidate" ] && command=$candidate && break
done
[ -n "$command" ] || { \
    echo "SKIPPED: neither Environment Modules nor Lmod is here:" \
        "install environment-modules or lmod"; exit 77; }
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 2
modules=$(mktemp -d) || exit 2 # Lmod takes no blank in its path
trap 'rm -rf "$modules"' EXIT
for name in cuda cmake gcc openmpi; do
    printf '#%%Module1.0\nsetenv MADE_UP_%s loaded\n' $name >"$modules/$name"
done
sed "s|^set folder .*|set folder {$source}|" "$source/solutions/slurm/modulefile" \
    >"$modules/cuda-course"
grep -qF "{$source}" "$modules/cuda-course" || fail "the module file has no line for the folder"
unset LOADEDMODULES _LMFILES_ COURSE_SOURCE COURSE_INSTALLED COURSE_WORK
MODULEPATH=$modules
export MODULEPATH
# module WORDS...: as at a prompt, with what the command says in the file said.
module() {
    "$command" sh "$@" >changes 2>said </dev/null || fail "module $*: $(cat changes said)"
    eval "$(cat changes)"
}
module load cuda-course
for name in cuda cmake gcc openmpi; do
    eval "[ \"\${MADE_UP_$name:-}\" = loaded ]" || fail "$name was not loaded: $(cat changes said)"
done
[ "$(command -v course)" = "$source/course" ] ||
    fail "the command is $(command -v course), not $source/course: $(cat changes said)"
mkdir elsewhere && (cd elsewhere && expect 0 "Next: " course) || exit 1
module whatis cuda-course
grep -q "CUDA C course" changes said || fail "whatis: $(cat changes said)"
module help cuda-course
grep -q "course check ex01" changes said || fail "help: $(cat changes said)"
module unload cuda-course
case ":$PATH:" in *":$source:"*) fail "unloaded, the course is still on the PATH: $PATH" ;; esac
[ -z "${MADE_UP_cuda:-}" ] || fail "the other modules are still loaded"
echo "the module works with $command"
