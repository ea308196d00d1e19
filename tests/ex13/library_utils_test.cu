/* cublasVerify and cusparseVerify: silent when all is well, otherwise place, call, status, and exit
 * status 2. The argument says which call goes wrong. */
#include "cublas_utils.h"
#include "cusparse_utils.h"
#include <string.h>

int main(int argc, char **argv)
{
    const char *wrong = argc > 1 ? argv[1] : "";
    cublasHandle_t blas;
    cusparseHandle_t sparse;
    cusparseDnVecDescr_t vector;

    cublasVerify(cublasCreate(&blas));
    cusparseVerify(cusparseCreate(&sparse));
    if (strcmp(wrong, "cublas") == 0)
        cublasVerify(cublasDestroy(NULL));
    if (strcmp(wrong, "cusparse") == 0)
        cusparseVerify(cusparseCreateDnVec(&vector, -1, NULL, CUDA_R_64F));
    cusparseVerify(cusparseDestroy(sparse));
    cublasVerify(cublasDestroy(blas));
    printf("all is well\n");
    return 0;
}
