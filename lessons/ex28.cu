/* Sorts words by their lengths, without moving one until its place is known:
 * a word's place is the number of words that go before it. */
#include "../common/cuda_utils.h"

enum { N = 10 };

/* Thread i counts the keys before key i: all that are smaller, and those that
 * are equal and stand before it already. */
__global__ void findPlaces(const int *key, int *place)
{
    const int i = (int)threadIdx.x;
    int before = 0;

    for (int k = 0; k < N; k++)
        if (key[k] < key[i] || (key[k] == key[i] && k < i))
            before++;
    place[i] = before;
}

int main(void)
{
    static const char *const word[N] = {
        "the", "keys",  "of",      "a",    "sort",
        "are", "often", "shorter", "than", "what belongs to them"};
    int length[N], place[N], *d_length = NULL, *d_place = NULL;
    const char *sorted[N];

    for (int i = 0; i < N; i++)
        for (length[i] = 0; word[i][length[i]] != '\0'; length[i]++)
            ;
    cudaVerify(cudaMalloc((void **)&d_length, sizeof length));
    cudaVerify(cudaMalloc((void **)&d_place, sizeof place));
    cudaVerify(cudaMemcpy(d_length, length, sizeof length,
                          cudaMemcpyHostToDevice));
    cudaVerifyKernel((findPlaces<<<1, N>>>(d_length, d_place)));
    cudaVerify(
        cudaMemcpy(place, d_place, sizeof place, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_length));
    cudaVerify(cudaFree(d_place));
    for (int i = 0; i < N; i++)
        sorted[place[i]] = word[i];
    for (int i = 0; i < N; i++)
        printf("%s\n", sorted[i]);
    return 0;
}
