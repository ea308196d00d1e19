# submit.sh SOURCE FOLDER: one_gpu.sh builds before it submits itself, and submits nothing that was
# not built. Scripts stand in for the course and for sbatch.
. "$(dirname "$0")/../runner/functions.sh"
source=$1 folder=$2
rm -rf "$folder" && mkdir -p "$folder/solutions/slurm" "$folder/bin" "$folder/elsewhere" || exit 2
cp "$source/solutions/slurm/one_gpu.sh" "$folder/solutions/slurm/" && cd "$folder" || exit 2
PATH=$PWD/bin:$PATH
unset SLURM_JOB_ID
printf '#!/bin/sh\necho "course $*" >>"%s/said"\n[ ! -e "%s/broken" ]\n' "$PWD" "$PWD" >course
printf '#!/bin/sh\necho "sbatch in $PWD: $*" >>"%s/said"\n' "$PWD" >bin/sbatch
chmod +x course bin/sbatch
cd elsewhere && expect 0 "" ../solutions/slurm/one_gpu.sh --quick "a word" && cd .. || exit 1
[ "$(cat said)" = "course build
sbatch in $PWD: solutions/slurm/one_gpu.sh --quick a word" ] || fail "$(cat said)"
: >broken
expect 1 "" solutions/slurm/one_gpu.sh
[ "$(tail -n 1 said)" = "course build" ] || fail "submitted, though it was not built: $(cat said)"
echo "one_gpu.sh builds, then submits"
