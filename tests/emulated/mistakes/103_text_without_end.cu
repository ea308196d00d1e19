// A text copied without its final zero: the loop that looks for it runs past the array
// says: cudaMemcpy copies 6 bytes to d_text, which has 8: the rest has not been written
#include <string.h>
__global__ void length(const char *text, int *characters)
{
    int i = 0;
    while (text[i] != '\0')
        i++;
    *characters = i;
}
int main(void)
{
    const char *text = "kernel";
    char *d_text;
    int *d_characters;
    cudaMalloc((void **)&d_text, 8);
    cudaMalloc((void **)&d_characters, sizeof(int));
    cudaMemcpy(d_text, text, strlen(text), cudaMemcpyHostToDevice); // <-- mistake
    length<<<1, 1>>>(d_text, d_characters);
    cudaFree(d_text);
    cudaFree(d_characters);
    return 0;
}
