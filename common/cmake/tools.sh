#!/bin/sh
# tools.sh [--install [WORDS]]: names the tools that are missing; --install first installs these and
# the optional ones. Fails if a tool is missing without which nothing works. ./course runs it before
# it configures.
set -u
install=no
if [ "${1:-}" = --install ]; then
    install=yes
    case "${2:-} " in test*" --author "*) install=author ;; esac
fi
log=$COURSE_BUILD/install.log
say() { echo "course: $*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }
# TOOL|its Debian packages|what is left out without it, for each tool that is missing.
missing() {
    {   printf '%s|nothing works\n' "gcc|gcc" "g++|g++" "cmake|cmake"
        have ninja || printf '%s|nothing works\n' "make|make"
        [ $install = no ] || printf '%s\n' "ninja|ninja-build|builds take longer" \
            "mpicc|openmpi-bin libopenmpi-dev|exercise 12 is left out" \
            "gnuplot|gnuplot-nox|plotting is left out" \
            "git|git|./course reset and handout do not work"
        [ $install != author ] ||
            printf '%s|the tests under Slurm are skipped\n' "sbatch|slurm-wlm" "munge|munge"
        [ $install = no ] || [ ! -e /dev/nvidia0 ] ||
            printf '%s-accel-nvptx-none-gcc|gcc-offload-nvptx nvptx-tools|%s\n' \
                "$(gcc -dumpmachine)" "the GPU is left out of exercises 14 and 15"
    } | while IFS='|' read -r tool packages what; do have "$tool" ||
        echo "$tool|$packages|$what"; done
}
# install PACKAGE...: as root, or through sudo, which asks for a password only where one can be
# typed.
install() {
    root=sudo failed=0
    [ "$(id -u)" -ne 0 ] || root=
    have apt-get || { say "--install knows apt-get only; please install: $*"; return; }
    [ -z "$root" ] || have sudo || { \
        say "no sudo here: please install as root: apt-get install $*"; return; }
    say "--install: ${root:+$root }apt-get install $*"
    [ -z "$root" ] || [ -t 0 ] || root="sudo -n"
    [ "$root" != "sudo -n" ] || sudo -n true 2>/dev/null ||
        { say "sudo wants a password, and there is no terminal: install these first, as root"
        return; }
    {   $root apt-get update -qq || failed=1
        # one at a time: a package that cannot be installed does not stop the others
        for package; do
            $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$package" || failed=1
        done; } </dev/null >>"$log" 2>&1
    [ $failed -eq 0 ] || say "not all could be installed; see $log"
}

packages=$([ $install = no ] || missing | sed 's/^[^|]*|//; s/|.*//')
# shellcheck disable=SC2086 # a list
[ -z "$packages" ] || install $packages
missing | { status=0; while IFS='|' read -r tool packages what; do
    say "without '$tool': $what (Debian, Ubuntu: apt-get install $packages; or ./course --install)"
    [ "$what" != "nothing works" ] || status=2
done; exit $status; }
