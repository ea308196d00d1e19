# notebook.sh NOTEBOOK SOURCE BUILD COURSE: the commands of a notebook's cells do what they should
# when they are run one after another, in a clone of SOURCE. The clone's ./course stands for that of
# BUILD, which is built already; what an unsolved template or the lack of a GPU says (3, 77) is no
# failure.
notebook=$1 source=$2 build=$3 program=$4
git -C "$source" rev-parse --git-dir >/dev/null 2>&1 ||
    { echo "SKIPPED: no repository to clone"; exit 77; }
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cat >"$folder/stub" <<END
#!/bin/sh
[ "\$1" = --install ] && shift
case \$1 in check | bench) set -- "\$@" --quick ;; esac
COURSE_SOURCE='$source' COURSE_BUILD='$build' exec '$program' "\$@"
END
chmod +x "$folder/stub"
# The lines of code cells that a notebook hands over: "!command\n", "%cd folder", "%env NAME=value"
awk '/"cell_type":/ { code = /"code"/ } code && /^ *"[!%]/ { print }' "$notebook" |
    sed 's/^ *"//; s/"*,* *$//; s/\\n$//; s/\\"/"/g' >"$folder/lines"
[ "$(grep -c '^!' "$folder/lines")" -ge 3 ] || { echo "no commands in $notebook"; exit 1; }
command -v jq >/dev/null 2>&1 &&
    { jq -e '.nbformat == 4 and (.cells | length > 3)' "$notebook" >/dev/null || exit 1; }

cd "$folder" || exit 2
while IFS= read -r line; do
    case $line in
    %env\ REPOSITORY=*) REPOSITORY=file://$source && export REPOSITORY ;;
    %cd\ *) cd "${line#%cd }" && cp "$folder/stub" course || exit 1 ;;
    !*)
        sh -c "${line#!}" >"$folder/output" 2>&1 </dev/null
        status=$?
        case $status in 0 | 3 | 77) ;; *) echo "exit status $status: ${line#!}" &&
            cat "$folder/output" && exit 1 ;; esac
        ;;
    *) echo "not understood: $line" && exit 1 ;;
    esac
done <"$folder/lines"
