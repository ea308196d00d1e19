# wgmma.sh SOURCE NVCC...: the kernels of advanced/wgmma.cu compile for compute capability 9.0a,
# without a warning.
source=$1
shift
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
exercise=$source/ex19_dense_mmm
"$@" -gencode arch=compute_90a,code=sm_90a -DCOURSE_SM_90A -I"$source/common" \
    -I"$source/common/harness" -I"$exercise" \
    -O2 -c "$exercise/advanced/wgmma.cu" -o "$folder/wgmma.o" >"$folder/said" 2>&1
status=$?
cat "$folder/said"
[ $status -eq 0 ] || exit 1
! grep -q warning "$folder/said" || exit 1
# Without COURSE_SM_90A the file compiles as well, to rows that are skipped.
grep -q mmmWgmma "$folder/wgmma.o" || { echo "no kernel in it"; exit 1; }
