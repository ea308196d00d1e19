# cc.sh COURSE: ./course cc compiles somebody's own program, which finds the course's cuda_utils.h.
course=$1
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
fail() { echo "$*"; cat out; exit 1; }
cat >mine.cu <<'END'
#include "cuda_utils.h"
#include <stdio.h>
__global__ void twice(int *x) { x[threadIdx.x] *= 2; }
int main(void)
{
    int x[32], *d_x;

    for (int i = 0; i < 32; i++)
        x[i] = i;
    cudaVerify(cudaMalloc((void **)&d_x, sizeof x));
    cudaVerify(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    twice<<<1, 32>>>(d_x);
    cudaVerify(cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    printf("%d\n", x[31]);
    return 0;
}
END
"$course" cc mine.cu -o mine >out 2>&1 || fail "not compiled"
[ "$(./mine)" = 62 ] || fail "twice 31 is 62"
"$course" cc mine.cu >out 2>&1 || fail "not compiled without -o"
[ -x a.out ] || fail "no a.out"
sed -i 's/x\[threadIdx.x\]/x[threadidx.x]/' mine.cu
"$course" cc mine.cu -o wrong >out 2>&1 && fail "a wrong program is compiled"
grep -q '^mine.cu:3:.*threadidx' out || fail "the mistake is not named"
[ ! -e wrong ] || fail "a program in spite of the mistake"
"$course" cc >out 2>&1
[ $? -eq 2 ] || fail "not a usage error"
grep -q 'cc needs a file' out || fail "no file"
