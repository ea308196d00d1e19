# line_ends.sh SOURCE FOLDER: a clone by a git that gives text the ends of lines of Windows, as git
# for Windows does, has those of our own: a shell takes no others.
source=$1 folder=$2
git -C "$source" rev-parse HEAD >/dev/null 2>&1 ||
    { echo "SKIPPED: $source is no git checkout"; exit 77; }
rm -rf "$folder" && git clone -q -c core.autocrlf=true "$source" "$folder" && cd "$folder" || exit 2
carriage_return=$(printf '\r')
! grep -l "$carriage_return" course runner/*/*.[ch] tests/*.sh ||
    { echo "these have other ends of lines"; exit 1; }
[ -z "$(git status --porcelain -- course runner)" ] ||
    { echo "git takes them for changed"; exit 1; }
cd / && rm -rf "$folder"
echo "the ends of lines are our own"
