/* The sum of N times 0.1f: in float, in float with Kahan's correction, in
 * chunks of 100 terms, and in double. */
#include "../common/cuda_utils.h"

enum { N = 1000000, CHUNK = 100 };

__global__ void addUp(float term, double *sums)
{
    float plain = 0.0f, corrected = 0.0f, lost = 0.0f;
    double chunks = 0.0, inDouble = 0.0;

    for (int i = 0; i < N; i++)
        plain += term;
    for (int i = 0; i < N; i++) {
        const float next = term + lost, sum = corrected + next;

        lost = next - (sum - corrected); /* what the sum did not take */
        corrected = sum;
    }
    for (int i = 0; i < N; i += CHUNK) {
        float chunk = 0.0f;

        for (int k = 0; k < CHUNK; k++)
            chunk += term;
        chunks += chunk;
    }
    for (int i = 0; i < N; i++)
        inDouble += term;
    sums[0] = plain;
    sums[1] = corrected;
    sums[2] = chunks;
    sums[3] = inDouble;
}

int main(void)
{
    static const char *const names[] = {"float", "corrected", "chunks",
                                        "double"};
    double sums[4], *d_sums = NULL;

    cudaVerify(cudaMalloc((void **)&d_sums, sizeof sums));
    cudaVerifyKernel((addUp<<<1, 1>>>(0.1f, d_sums)));
    cudaVerify(
        cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_sums));
    for (int i = 0; i < 4; i++)
        printf("%-10s %.4f\n", names[i], sums[i]);
    return 0;
}
