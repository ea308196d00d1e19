# sources.sh [FOLDER...]: each file that a shell script in these folders sources is there, and no
# line of shell or CMake in them has more than 100 columns; without folders, in those of the course.
# Within a sourced file $(dirname "$0") is the folder of the script that was started, not its own:
# what works for one folder's scripts may be missing for another's.
[ $# -gt 0 ] || { cd "$(dirname "$0")/.." &&
    set -- CMakeLists.txt course .ci common emulated lab_building lessons runner solutions tests; }

# follow SCRIPT FILE: names the missing ones of the files that FILE sources when SCRIPT is started.
follow() {
    sed -nE 's/^ *\. "(\$\(dirname "\$0"\)|\$here)\/([^"]*)".*/\2/p' "$2" |
        while IFS= read -r name; do
        sourced=$(dirname "$1")/$name
        if [ -f "$sourced" ]; then
            follow "$1" "$sourced"
        else
            echo "$1: there is no $sourced, which $2 sources"
        fi
    done
}

wrong=$(find "$@" -name '*.sh' | sort |
    while IFS= read -r script; do follow "$script" "$script"; done
    LC_ALL=C.UTF-8 find "$@" -type f \( -name '*.sh' -o -name '*.cmake' -o -name CMakeLists.txt \
        -o -name course -o -name run \) -exec grep -HnE '.{101}' {} + |
        sed 's/^/more than 100 columns: /')
[ -z "$wrong" ] || { printf '%s\n' "$wrong"; exit 1; }
echo "all that is sourced is there, and no line is too long"
