# line_ends.sh SOURCE FOLDER: a clone by a git that gives text the ends of lines of Windows, as git for Windows does, has
# those of our own: a shell takes no others.
source=$1 folder=$2
git -C "$source" rev-parse HEAD >/dev/null 2>&1 || { echo "SKIPPED: $source is no git checkout"; exit 77; }
rm -rf "$folder" && git clone -q --no-checkout "$source" "$folder" && cd "$folder" || exit 2
git config core.autocrlf true && git checkout -q HEAD -- course runner tests/runner || exit 2
carriage_return=$(printf '\r')
! grep -rl "$carriage_return" course runner tests/runner || { echo "these have other ends of lines"; exit 1; }
[ -z "$(git status --porcelain -- course runner)" ] || { echo "git takes them for changed"; exit 1; }
echo "the ends of lines are our own"
