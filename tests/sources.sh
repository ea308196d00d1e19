# sources.sh FOLDER...: each file that a shell script in these folders sources is there. Within a
# sourced file $(dirname "$0") is the folder of the script that was started, not its own: what works
# for one folder's scripts may be missing for another's.

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

missing=$(find "$@" -name '*.sh' | sort |
    while IFS= read -r script; do follow "$script" "$script"; done)
[ -z "$missing" ] || { echo "$missing"; exit 1; }
echo "all that is sourced is there"
