/* cufftVerify and curandVerify: silent when all is well, otherwise place, call, status, and exit
 * status 2. The argument says which call goes wrong. */
#include "cufft_utils.h"
#include "curand_utils.h"
#include <string.h>

int main(int argc, char **argv)
{
    const char *wrong = argc > 1 ? argv[1] : "";
    cufftHandle plan;
    curandGenerator_t generator;

    cufftVerify(cufftCreate(&plan));
    curandVerify(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW));
    if (strcmp(wrong, "cufft") == 0)
        cufftVerify(cufftExecD2Z(plan, NULL, NULL));
    if (strcmp(wrong, "curand") == 0)
        curandVerify(curandGenerateNormal(generator, NULL, 1, 0.0f, 1.0f));
    curandVerify(curandDestroyGenerator(generator));
    cufftVerify(cufftDestroy(plan));
    printf("all is well\n");
    return 0;
}
