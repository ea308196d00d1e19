#!/bin/sh
# quote.sh [--check] BUILD [DOCUMENT...]: renews the quotations in the documents. Between the lines
#
#     <!-- file: lessons/ex01.cu -->
#     <!-- end -->
#     <!-- output: [VARIABLE=VALUE...] [COMMAND...] lessons/ex01.cu [ARGUMENT...] -->
#     <!-- end -->
#
# stands that file, or what its program prints: its output, then its messages, then its exit status
# unless that is 0. A .cu file is built by BUILD/emulated-cc, a .c file by mpicc or gcc -fopenacc.
# --check writes nothing and names stale documents. Exit status: 0, 1 (stale), 2 (an error), 77 (a
# compiler is missing).
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit 2
self=$here/lessons/quote.sh

# program SOURCE: builds it into $QUOTE_FOLDER, unless it is there, and prints its path.
program() {
    made=$QUOTE_FOLDER/$(basename "$1").out
    if [ ! -x "$made" ]; then
        case $1 in
        *.cu) "$QUOTE_BUILD/emulated-cc" "$1" -o "$made" ;;
        *) if grep -q 'mpi\.h' "$1"; then
            mpicc -O1 -Wall -Wextra -Wconversion "$1" -o "$made" -lm
        else
            gcc -O1 -fopenacc -foffload=disable -Wall -Wextra -Wconversion "$1" -o "$made" -lm
        fi ;;
        esac >&2 || return 2
    fi
    echo "$made"
}

# emitOutput WORD...: runs a program as the marker says, in the top folder.
emitOutput() {
    command=
    for word; do
        case $word in
        lessons/*.cu | lessons/*.c) word=$(program "$word") || return 2 ;;
        esac
        command="$command $word"
    done
    # shellcheck disable=SC2086
    env $command >"$QUOTE_FOLDER/stdout" 2>"$QUOTE_FOLDER/stderr"
    status=$?
    cat "$QUOTE_FOLDER/stdout" "$QUOTE_FOLDER/stderr"
    [ $status -eq 0 ] || echo "(exit status $status)"
}

if [ "${1:-}" = --emit ]; then # called by the awk below: --emit KIND WORD...
    kind=$2
    shift 2
    cd "$here" || exit 2
    case $kind in
    file)
        echo '```'"$(case $1 in *.c) echo c ;; *.txt) echo cmake ;; *) echo cuda ;; esac)" &&
            cat "$1" && echo '```' ;;
    output) echo '```text' && emitOutput "$@" && echo '```' ;;
    esac
    exit
fi

checking=no
if [ "${1:-}" = --check ]; then checking=yes; shift; fi
[ $# -ge 1 ] || { echo "usage: quote.sh [--check] BUILD [DOCUMENT...]" >&2; exit 2; }
QUOTE_BUILD=$(CDPATH='' cd -- "$1" && pwd) || exit 2
shift
QUOTE_FOLDER=$(mktemp -d) || exit 2
trap 'rm -rf "$QUOTE_FOLDER"' EXIT
# mpirun refuses root and more ranks than cores unless told
export QUOTE_BUILD QUOTE_FOLDER OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
    OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe \
    CUDA_EMULATED_DEVICE=hopper
[ $# -gt 0 ] || set -- "$here"/README.md "$here"/*/README.md "$here"/lessons/*.md

result=0
for document; do
    grep -qE '^<!-- (file|output): ' "$document" || continue
    if grep -q '^<!-- output: .*mpirun' "$document" && ! command -v mpicc >/dev/null 2>&1; then
        echo "quote.sh: SKIPPED: $document needs mpicc"
        result=77
        continue
    fi
    fresh=$QUOTE_FOLDER/document
    awk -v self="$self" '
        /^<!-- (file|output): .* -->$/ {
            print
            fflush()
            words = $0
            sub(/^<!-- /, "", words); sub(/ -->$/, "", words); sub(/:/, "", words)
            if (system("sh " self " --emit " words) != 0)
                exit 2
            skipping = 1
        }
        /^<!-- end -->$/ { skipping = 0 }
        !skipping' "$document" >"$fresh" ||
        { echo "quote.sh: $document: a quoted program failed to build" >&2; exit 2; }
    if cmp -s "$document" "$fresh"; then
        continue
    elif [ $checking = yes ]; then
        echo "stale: $document; sh lessons/quote.sh BUILD remakes it"
        diff "$document" "$fresh"
        result=1
    else
        cp "$fresh" "$document.new" && mv "$document.new" "$document" || exit 2
        echo "remade: $document"
    fi
done
exit $result
