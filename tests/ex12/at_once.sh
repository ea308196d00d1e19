# at_once.sh PROGRAM FOLDER LAUNCHER: two runs of one user at the same time. Each gives Open MPI a
# folder of its own, which is gone when it ends; in a shared one, the first to end would remove the
# other's files.
program=$1 folder=$2 launcher=$3
rm -rf "$folder" && mkdir -p "$folder/tmp" && cd "$folder" || exit 2
export TMPDIR="$folder/tmp" COURSE_LAUNCHER=./launch
printf '#!/bin/sh\necho "$OMPI_MCA_orte_tmpdir_base" >>folders\nexec "%s" "$@"\n' "$launcher" \
    >launch && chmod +x launch || exit 2
fail() { echo "$*"; exit 1; }
"$program" --size 67 --ranks 2 >first 2>&1 &
first=$!
"$program" --size 67 --ranks 2 >second 2>&1
status=$?
wait $first || fail "the first fails: $(cat first)"
[ $status -eq 0 ] || fail "the second fails: $(cat second)"
grep -q ranks=2 first && grep -q ranks=2 second || fail "no ranks: $(cat first second)"
[ "$(sort -u folders | grep -c "^$folder/tmp/")" -eq 2 ] || fail "folders: $(cat folders)"
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"
echo "two runs at once do not meet"
