/* cublaslt.cu: what cuBLASLt is asked for, compared with the sums written out. "arguments" needs no
 * device, so that it can be compared with NVIDIA's library anywhere. */
/* After cudaDeviceReset() cublasLtCreate() fails: NOT_INITIALIZED, CUDA 13.0. */
#define CASES_KEEP_DEVICE
#include "cases.h"

#include <cublasLt.h> /* half and bfloat16 come with it */
#include <math.h>

enum { M = 5, N = 4, K = 6, LD = 9, BATCH = 3, SIZE = 96 * BATCH };
static cublasLtHandle_t lt;
static cublasLtMatmulDesc_t desc;
static cublasLtMatrixLayout_t layout_a, layout_b, layout_c, layout_d;
static double h_a[SIZE], h_b[SIZE], h_c[SIZE], h_bias[M * BATCH];
static void *d_a, *d_b, *d_c, *d_d, *d_bias, *d_work;

#define BLAS(call)                                                                                 \
    do {                                                                                           \
        cublasStatus_t status_ = (call);                                                           \
        if (status_ != CUBLAS_STATUS_SUCCESS) {                                                    \
            printf("%s:%d: %s\n", __FILE__, __LINE__, cublasLtGetStatusName(status_));             \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)
#define SET(Name, what, attribute, type, value)                                                    \
    do {                                                                                           \
        type value_ = (value);                                                                     \
        BLAS(cublasLt##Name##SetAttribute(what, attribute, &value_, sizeof value_));               \
    } while (0)

/* ---- attributes: their sizes, their values at first, what is refused ---- */

static void numbers(int is_desc, const int (*expected)[3], int count)
{
    for (int number = 0; number < count; number++) {
        const int size = expected[number][1];
        size_t written = 99;
        char value[16] = {0};
        cublasStatus_t asked, got;
        if (is_desc) {
            const cublasLtMatmulDescAttributes_t attribute =
                (cublasLtMatmulDescAttributes_t)expected[number][0];
            asked = cublasLtMatmulDescGetAttribute(desc, attribute, NULL, 0, &written);
            got = cublasLtMatmulDescGetAttribute(desc, attribute, value, (size_t)size, NULL);
        } else {
            const cublasLtMatrixLayoutAttribute_t attribute =
                (cublasLtMatrixLayoutAttribute_t)expected[number][0];
            asked = cublasLtMatrixLayoutGetAttribute(layout_a, attribute, NULL, 0, &written);
            got = cublasLtMatrixLayoutGetAttribute(layout_a, attribute, value, (size_t)size, NULL);
        }
        int first;
        memcpy(&first, value, sizeof first);
        if ((size != 0) != (got == CUBLAS_STATUS_SUCCESS) ||
            (size && (asked != CUBLAS_STATUS_SUCCESS || (int)written != size ||
                      first != expected[number][2]))) {
            printf("FAILED: attribute %d of %s: %s, %d bytes, %d\n", expected[number][0],
                   is_desc ? "a product" : "a layout", cublasLtGetStatusName(got), (int)written,
                   first);
            exit(2);
        }
    }
}

static void create(void)
{
    BLAS(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_64F, CUDA_R_64F));
    BLAS(cublasLtMatrixLayoutCreate(&layout_a, CUDA_R_64F, M, K, LD));
    BLAS(cublasLtMatrixLayoutCreate(&layout_b, CUDA_R_64F, K, N, LD));
    BLAS(cublasLtMatrixLayoutCreate(&layout_c, CUDA_R_64F, M, N, LD));
    BLAS(cublasLtMatrixLayoutCreate(&layout_d, CUDA_R_64F, M, N, LD));
}
static void destroy(void)
{
    BLAS(cublasLtMatmulDescDestroy(desc));
    BLAS(cublasLtMatrixLayoutDestroy(layout_a));
    BLAS(cublasLtMatrixLayoutDestroy(layout_b));
    BLAS(cublasLtMatrixLayoutDestroy(layout_c));
    BLAS(cublasLtMatrixLayoutDestroy(layout_d));
}

static void arguments(void)
{
    static const int of_a_product[][3] = {{0, 4, CUBLAS_COMPUTE_64F},
                                          {1, 4, CUDA_R_64F},
                                          {2, 4, 0},
                                          {3, 4, 0},
                                          {4, 4, 0},
                                          {5, 4, 0},
                                          {6, 4, 2},
                                          {7, 4, 1},
                                          {8, 8, 0},
                                          {9, 0, 0},
                                          {10, 8, 0},
                                          {11, 8, 0},
                                          {12, 8, 0},
                                          {13, 8, 0},
                                          {14, 8, 0},
                                          {15, 4, 0},
                                          {17, 8, 0},
                                          {18, 8, 0},
                                          {19, 8, 0},
                                          {20, 8, 0},
                                          {21, 8, 0},
                                          {22, 4, -1},
                                          {23, 8, 0},
                                          {24, 8, 0},
                                          {25, 1, 0},
                                          {26, 4, -1},
                                          {99, 0, 0}};
    static const int of_a_layout[][3] = {{0, 4, CUDA_R_64F}, {1, 4, 0},  {2, 8, M},
                                         {3, 8, K},          {4, 8, LD}, {5, 4, 1},
                                         {6, 8, 0},          {7, 8, 0},  {99, 0, 0}};
    create();
    numbers(1, of_a_product, sizeof of_a_product / sizeof *of_a_product);
    numbers(0, of_a_layout, sizeof of_a_layout / sizeof *of_a_layout);
    const cublasStatus_t invalid = CUBLAS_STATUS_INVALID_VALUE;
    const int four = CUBLAS_OP_T;
    int value = 0;
    const long long eight = 8;
    must(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &eight, 8) == invalid,
         "8 bytes of 4");
    must(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &four, 2) == invalid,
         "2 bytes of 4");
    must(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, NULL, 4) == invalid,
         "no value");
    must(cublasLtMatmulDescSetAttribute(NULL, CUBLASLT_MATMUL_DESC_TRANSA, &four, 4) == invalid,
         "no descriptor");
    must(cublasLtMatmulDescGetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, NULL, 0, NULL) ==
             invalid,
         "no size");
    must(cublasLtMatmulDescGetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &value, 2, NULL) ==
             invalid,
         "2 of 4");
    BLAS(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &four, 4));
    BLAS(cublasLtMatmulDescGetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &value, 4, NULL));
    must(value == CUBLAS_OP_T, "what has been set");
    must(cublasLtMatrixLayoutSetAttribute(layout_a, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                          &four, 4) == invalid,
         "4 bytes of 8");
    must(cublasLtMatrixLayoutCreate(NULL, CUDA_R_32F, 1, 1, 1) == invalid &&
             cublasLtMatmulDescCreate(NULL, CUBLAS_COMPUTE_32F, CUDA_R_32F) == invalid &&
             cublasLtMatmulPreferenceCreate(NULL) == invalid && cublasLtCreate(NULL) == invalid &&
             cublasLtDestroy(NULL) == invalid,
         "nowhere to create it");
    BLAS(cublasLtMatmulDescDestroy(NULL));
    BLAS(cublasLtMatrixLayoutDestroy(NULL));
    BLAS(cublasLtMatmulPreferenceDestroy(NULL));

    cublasLtMatmulPreference_t preference;
    size_t bytes = 99;
    unsigned alignment = 0;
    BLAS(cublasLtMatmulPreferenceCreate(&preference));
    BLAS(cublasLtMatmulPreferenceGetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                              &bytes, sizeof bytes, NULL));
    BLAS(cublasLtMatmulPreferenceGetAttribute(preference,
                                              CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
                                              &alignment, sizeof alignment, NULL));
    must(bytes == 0 && alignment == 256, "a preference at first");
    must(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                              &four, 4) == invalid,
         "a size of 4 bytes");
    SET(MatmulPreference, preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, size_t, 1 << 20);
    BLAS(cublasLtMatmulPreferenceDestroy(preference));

    cublasLtMatmulDescOpaque_t own_desc;
    cublasLtMatrixLayoutOpaque_t own_layout;
    BLAS(cublasLtMatmulDescInit(&own_desc, CUBLAS_COMPUTE_16F, CUDA_R_16F));
    BLAS(cublasLtMatrixLayoutInit(&own_layout, CUDA_R_16F, 2, 3, 4));
    BLAS(cublasLtMatmulDescGetAttribute(&own_desc, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, &value, 4,
                                        NULL));
    must(value == CUBLAS_COMPUTE_16F, "cublasLtMatmulDescInit");
    const double one = 1, zero = 0;
    int count;
    cublasLtMatmulHeuristicResult_t result;
    must(cublasLtMatmul(NULL, desc, &one, NULL, layout_a, NULL, layout_b, &zero, NULL, layout_c,
                        NULL, layout_d, NULL, NULL, 0, 0) == CUBLAS_STATUS_NOT_INITIALIZED,
         "a product without a handle");
    must(cublasLtMatmulAlgoGetHeuristic(NULL, desc, layout_a, layout_b, layout_c, layout_d, NULL, 1,
                                        &result, &count) == CUBLAS_STATUS_NOT_INITIALIZED,
         "algorithms without a handle");
    destroy();
}

/* ---- products ---- */

static void *fresh(size_t bytes)
{
    void *p;
    CHECK(cudaMalloc(&p, bytes));
    return p;
}
static void prepare(void)
{
    BLAS(cublasLtCreate(&lt));
    for (int i = 0; i < SIZE; i++) {
        h_a[i] = (i * 37 % 101) / 8.0 - 5;
        h_b[i] = (i * 53 % 97) / 16.0 - 3;
        h_c[i] = (i * 29 % 89) / 4.0 - 9;
    }
    for (int i = 0; i < M * BATCH; i++)
        h_bias[i] = i * 3.5 - 20;
    d_a = fresh(sizeof h_a);
    d_b = fresh(sizeof h_b);
    d_c = fresh(sizeof h_c);
    d_d = fresh(sizeof h_c);
    d_bias = fresh(sizeof h_bias);
    d_work = fresh(1 << 20);
    create();
}
static void finish(void)
{
    destroy();
    BLAS(cublasLtDestroy(lt));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    CHECK(cudaFree(d_d));
    CHECK(cudaFree(d_bias));
    CHECK(cudaFree(d_work));
}

static size_t bytes_of(cudaDataType type)
{
    return type == CUDA_R_64F                         ? 8
           : type == CUDA_R_32F || type == CUDA_R_32I ? 4
           : type == CUDA_R_8I                        ? 1
                                                      : 2;
}
static void put(void *array, cudaDataType type, int i, double x)
{
    if (type == CUDA_R_64F)
        ((double *)array)[i] = x;
    else if (type == CUDA_R_32F)
        ((float *)array)[i] = (float)x;
    else if (type == CUDA_R_16F)
        ((half *)array)[i] = __float2half((float)x);
    else
        ((__nv_bfloat16 *)array)[i] = __float2bfloat16((float)x);
}
static double pick(const void *array, cudaDataType type, int i)
{
    if (type == CUDA_R_64F)
        return ((const double *)array)[i];
    if (type == CUDA_R_32F)
        return (double)((const float *)array)[i];
    if (type == CUDA_R_16F)
        return (double)__half2float(((const half *)array)[i]);
    return (double)__bfloat162float(((const __nv_bfloat16 *)array)[i]);
}
/* h[0..n) as `type` to d */
static void upload(void *d, const double *h, int n, cudaDataType type)
{
    static char as[SIZE * 8];
    for (int i = 0; i < n; i++)
        put(as, type, i, h[i]);
    CHECK(cudaMemcpy(d, as, (size_t)n * bytes_of(type), cudaMemcpyHostToDevice));
}

struct how {
    const char *name;
    cublasComputeType_t compute;
    cudaDataType scale, in, out;
    cublasOperation_t op_a, op_b;
    int by_rows, batch, epilogue, device_scalars, in_place;
    double alpha, beta, tolerance;
};
static int place(int by_rows, int i, int j) { return by_rows ? i * LD + j : i + j * LD; }
static double gelu(double x)
{
    return 0.5 * x * (1 + tanh(sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)));
}

/* Sets the global descriptors up for `how`. */
static void describe(const struct how *how)
{
    destroy();
    BLAS(cublasLtMatmulDescCreate(&desc, how->compute, how->scale));
    SET(MatmulDesc, desc, CUBLASLT_MATMUL_DESC_TRANSA, cublasOperation_t, how->op_a);
    SET(MatmulDesc, desc, CUBLASLT_MATMUL_DESC_TRANSB, cublasOperation_t, how->op_b);
    SET(MatmulDesc, desc, CUBLASLT_MATMUL_DESC_EPILOGUE, cublasLtEpilogue_t,
        (cublasLtEpilogue_t)how->epilogue);
    if (how->epilogue & CUBLASLT_EPILOGUE_BIAS) {
        SET(MatmulDesc, desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, void *, d_bias);
        SET(MatmulDesc, desc, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, long long, M);
    }
    if (how->device_scalars)
        SET(MatmulDesc, desc, CUBLASLT_MATMUL_DESC_POINTER_MODE, cublasLtPointerMode_t,
            CUBLASLT_POINTER_MODE_DEVICE);
    const int an = how->op_a == CUBLAS_OP_N, bn = how->op_b == CUBLAS_OP_N;
    BLAS(cublasLtMatrixLayoutCreate(&layout_a, how->in, an ? M : K, an ? K : M, LD));
    BLAS(cublasLtMatrixLayoutCreate(&layout_b, how->in, bn ? K : N, bn ? N : K, LD));
    BLAS(cublasLtMatrixLayoutCreate(&layout_c, how->out, M, N, LD));
    BLAS(cublasLtMatrixLayoutCreate(&layout_d, how->out, M, N, LD));
    const cublasLtMatrixLayout_t all[4] = {layout_a, layout_b, layout_c, layout_d};
    for (int i = 0; i < 4; i++) {
        if (how->by_rows)
            SET(MatrixLayout, all[i], CUBLASLT_MATRIX_LAYOUT_ORDER, cublasLtOrder_t,
                CUBLASLT_ORDER_ROW);
        SET(MatrixLayout, all[i], CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, int, how->batch);
        SET(MatrixLayout, all[i], CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, long long, 96);
    }
}

/* The algorithm that the library proposes, with what it may need for room */
static cublasStatus_t propose(cublasLtMatmulHeuristicResult_t *result, unsigned divisor = 1)
{
    cublasLtMatmulPreference_t preference;
    int count = 0;
    BLAS(cublasLtMatmulPreferenceCreate(&preference));
    SET(MatmulPreference, preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, size_t, 1 << 20);
    const cublasLtMatrixLayout_t all[4] = {layout_a, layout_b, layout_c, layout_d};
    /* the matrices of a batch are no further aligned than their elements */
    for (int i = 0; i < 4; i++) {
        cudaDataType type;
        BLAS(cublasLtMatrixLayoutGetAttribute(all[i], CUBLASLT_MATRIX_LAYOUT_TYPE, &type,
                                              sizeof type, NULL));
        SET(MatmulPreference, preference,
            (cublasLtMatmulPreferenceAttributes_t)(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES + i),
            unsigned, (unsigned)bytes_of(type) / divisor);
    }
    const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
        lt, desc, layout_a, layout_b, layout_c, layout_d, preference, 1, result, &count);
    BLAS(cublasLtMatmulPreferenceDestroy(preference));
    return status == CUBLAS_STATUS_SUCCESS && count == 0 ? CUBLAS_STATUS_NOT_SUPPORTED : status;
}

static void product(const struct how *how)
{
    char scalars[2][8], got[SIZE * 8];
    describe(how);
    upload(d_a, h_a, SIZE, how->in);
    upload(d_b, h_b, SIZE, how->in);
    upload(d_c, h_c, SIZE, how->out);
    upload(d_d, h_c, SIZE, how->out);
    upload(d_bias, h_bias, M * BATCH, how->out);
    put(scalars[0], how->scale, 0, how->alpha);
    put(scalars[1], how->scale, 0, how->beta);
    char *d_scalars = (char *)fresh(sizeof scalars);
    CHECK(cudaMemcpy(d_scalars, scalars, sizeof scalars, cudaMemcpyHostToDevice));
    const void *alpha = how->device_scalars ? d_scalars : scalars[0],
               *beta = how->device_scalars ? d_scalars + 8 : scalars[1];
    cublasLtMatmulHeuristicResult_t result;
    const cublasStatus_t status = propose(&result);
#ifndef __CUDA_EMULATED__
    if (status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_INVALID_VALUE) {
        /* NVIDIA's library does less */
        printf("  %s: %s\n", how->name, cublasLtGetStatusName(status));
        CHECK(cudaFree(d_scalars));
        return;
    }
#endif
    BLAS(status);
    must(result.state == CUBLAS_STATUS_SUCCESS && result.workspaceSize <= 1 << 20,
         "the algorithm's state");
    BLAS(cublasLtMatmul(lt, desc, alpha, d_a, layout_a, d_b, layout_b, beta,
                        how->in_place ? d_d : d_c, layout_c, d_d, layout_d, &result.algo, d_work,
                        1 << 20, 0));
    CHECK(cudaMemcpy(got, d_d, SIZE * bytes_of(how->out), cudaMemcpyDeviceToHost));
    for (int at = 0; at < SIZE; at++) {
        const int b = at / 96, in = at % 96, i = how->by_rows ? in / LD : in % LD,
                  j = how->by_rows ? in % LD : in / LD;
        double old[1], wanted;
        put(old, how->out, 0, h_c[at]);
        wanted = pick(old, how->out, 0);
        if (b < how->batch && i < M && j < N) {
            double sum = 0;
            for (int p = 0; p < K; p++) {
                double x[1], y[1];
                put(x, how->in, 0,
                    h_a[96 * b + place(how->by_rows, how->op_a == CUBLAS_OP_N ? i : p,
                                       how->op_a == CUBLAS_OP_N ? p : i)]);
                put(y, how->in, 0,
                    h_b[96 * b + place(how->by_rows, how->op_b == CUBLAS_OP_N ? p : j,
                                       how->op_b == CUBLAS_OP_N ? j : p)]);
                sum += pick(x, how->in, 0) * pick(y, how->in, 0);
            }
            wanted = how->alpha * sum + how->beta * wanted;
            if (how->epilogue & CUBLASLT_EPILOGUE_BIAS)
                wanted += h_bias[M * b + i];
            if (how->epilogue & CUBLASLT_EPILOGUE_RELU)
                wanted = wanted > 0 ? wanted : 0;
            if (how->epilogue & CUBLASLT_EPILOGUE_GELU)
                wanted = gelu(wanted);
        }
        const double is = pick(got, how->out, at);
        if (!(fabs(is - wanted) <= how->tolerance * (1 + fabs(wanted)))) {
            printf("FAILED: %s: D[%d] (%d,%d) is %.9g instead of %.9g\n", how->name, at, i, j, is,
                   wanted);
            exit(2);
        }
    }
    CHECK(cudaFree(d_scalars));
}

#define EXACT CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F
#define SINGLE CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F
static const cublasOperation_t no = CUBLAS_OP_N, yes = CUBLAS_OP_T;
static void transposes(void)
{
    for (int i = 0; i < 16; i++) {
        const struct how how = {"transposes",
                                EXACT,
                                i & 1 ? yes : no,
                                i & 2 ? yes : no,
                                i >> 2 & 1,
                                1,
                                CUBLASLT_EPILOGUE_DEFAULT,
                                i >> 3,
                                i & 1,
                                1.5,
                                -0.5,
                                1e-12};
        product(&how);
    }
    finish();
}
static void batches(void)
{
    for (int rows = 0; rows < 2; rows++) {
        const struct how how = {
            "a batch", SINGLE, yes, no,   rows, BATCH, CUBLASLT_EPILOGUE_DEFAULT,
            0,         0,      1,   0.25, 1e-5};
        product(&how);
    }
    finish();
}
static void types(void)
{
    const struct how all[] = {
        {"float", SINGLE, no, no, 0, 1, 1, 0, 0, 2, 1, 1e-5},
        {"half", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F, yes, no, 0, 1, 1, 0, 0,
         0.125, 1, 1e-3},
        {"half to float", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_32F, yes, no, 0, 1, 1,
         0, 0, 1, 1, 1e-5},
        {"bfloat16", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF, yes, no, 0, 1, 1, 0,
         0, 1, 1, 8e-3},
        {"bfloat16 to float", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_32F, yes, no, 0,
         1, 1, 0, 0, 1, 0, 1e-5},
        {"half throughout", CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, yes, no, 0, 1,
         1, 0, 0, 0.125, 1, 5e-3},
        {"TF32", CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, yes, no, 0, 1, 1,
         0, 0, 1, 1, 1e-5},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        product(&all[i]);
    finish();
}
/* A NaN is not positive either. */
static void reluOfNothing(void)
{
    const struct how how = {
        "", SINGLE, no, no, 0, 1, CUBLASLT_EPILOGUE_DEFAULT | CUBLASLT_EPILOGUE_RELU,
        0,  0,      1,  0,  0};
    const float one = 1, zero = 0;
    float got;
    describe(&how);
    upload(d_a, h_a, SIZE, CUDA_R_32F);
    upload(d_b, h_b, SIZE, CUDA_R_32F);
    CHECK(cudaMemset(d_a, 0xff, sizeof one));
    BLAS(cublasLtMatmul(lt, desc, &one, d_a, layout_a, d_b, layout_b, &zero, d_d, layout_c, d_d,
                        layout_d, NULL, NULL, 0, 0));
    CHECK(cudaMemcpy(&got, d_d, sizeof got, cudaMemcpyDeviceToHost));
#ifdef __CUDA_EMULATED__
    must(got == 0, "ReLU of NaN");
#else /* an H200 had another value than 0 in float: NaN, presumably */
    must(got == 0 || got != got, "ReLU of NaN");
#endif
    finish();
}
static void epilogues(void)
{
    static const int which[] = {CUBLASLT_EPILOGUE_BIAS, CUBLASLT_EPILOGUE_RELU,
                                CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_GELU,
                                CUBLASLT_EPILOGUE_GELU_BIAS};
    for (int batch = 1; batch <= BATCH; batch += BATCH - 1)
        for (size_t i = 0; i < sizeof which / sizeof *which; i++) {
            /* The numbers are small enough that GELU is neither 0 nor x. */
            const double tolerance = which[i] & CUBLASLT_EPILOGUE_GELU ? 1e-3 : 1e-5;
            const struct how single = {"float with epilogue",
                                       SINGLE,
                                       yes,
                                       no,
                                       0,
                                       batch,
                                       which[i],
                                       0,
                                       0,
                                       0.03125,
                                       0,
                                       tolerance};
            product(&single);
            const struct how half = {"half with epilogue",
                                     CUBLAS_COMPUTE_32F,
                                     CUDA_R_32F,
                                     CUDA_R_16F,
                                     CUDA_R_16F,
                                     yes,
                                     no,
                                     0,
                                     batch,
                                     which[i],
                                     0,
                                     0,
                                     0.03125,
                                     0,
                                     2e-3};
            product(&half);
        }
    finish();
}

/* Layouts that do not fit together: no algorithm, no product */
static void refused(cublasStatus_t expected, const char *what)
{
    double one = 1, zero = 0;
    cublasLtMatmulHeuristicResult_t result;
    must(propose(&result) == expected, what);
    must(cublasLtMatmul(lt, desc, &one, d_a, layout_a, d_b, layout_b, &zero, d_c, layout_c, d_d,
                        layout_d, NULL, NULL, 0, 0) == expected,
         what);
}
static void misfits(void)
{
    const struct how plain = {"", EXACT, no, no, 0, 1, CUBLASLT_EPILOGUE_DEFAULT, 0, 0, 1, 0, 0};
    describe(&plain);
    SET(MatmulDesc, desc, CUBLASLT_MATMUL_DESC_TRANSA, cublasOperation_t, CUBLAS_OP_T);
    refused(CUBLAS_STATUS_INVALID_VALUE, "A transposed, its layout not");
    describe(&plain);
    SET(MatrixLayout, layout_b, CUBLASLT_MATRIX_LAYOUT_ROWS, unsigned long long, K - 1);
    refused(CUBLAS_STATUS_INVALID_VALUE, "B has too few rows");
    describe(&plain);
    SET(MatrixLayout, layout_a, CUBLASLT_MATRIX_LAYOUT_LD, long long, M - 1);
    refused(CUBLAS_STATUS_INVALID_VALUE, "a leading dimension that is too small");
    describe(&plain);
    SET(MatrixLayout, layout_b, CUBLASLT_MATRIX_LAYOUT_TYPE, cudaDataType, CUDA_R_32F);
    refused(CUBLAS_STATUS_INVALID_VALUE, "two operands of different types");
    describe(&plain);
    SET(MatmulDesc, desc, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, cublasComputeType_t,
        CUBLAS_COMPUTE_32F);
    SET(MatmulDesc, desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, cudaDataType, CUDA_R_32F);
    refused(CUBLAS_STATUS_NOT_SUPPORTED, "doubles multiplied as floats");
    describe(&plain);
    SET(MatrixLayout, layout_d, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, int, 2);
    refused(CUBLAS_STATUS_INVALID_VALUE, "batches of different lengths");
    describe(&plain);
    SET(MatrixLayout, layout_d, CUBLASLT_MATRIX_LAYOUT_ORDER, cublasLtOrder_t, CUBLASLT_ORDER_ROW);
    refused(CUBLAS_STATUS_INVALID_VALUE, "C by columns, D by rows");
    describe(&plain);
    SET(MatmulDesc, desc, CUBLASLT_MATMUL_DESC_SCALE_TYPE, cudaDataType, CUDA_R_32F);
    refused(CUBLAS_STATUS_INVALID_VALUE, "a product of doubles, scaled by floats");
    const struct how biased = {"", SINGLE, no, no, 1, 1, CUBLASLT_EPILOGUE_BIAS, 0, 0, 1, 0, 0};
    describe(&biased);
    refused(CUBLAS_STATUS_NOT_SUPPORTED, "a bias by rows");
    describe(&plain);
    cublasLtMatmulHeuristicResult_t result;
    must(propose(&result, 2) == CUBLAS_STATUS_NOT_SUPPORTED, "doubles aligned to 4 bytes");
    /* NVIDIA's library, 13.1 on an H200, ends the program by one of these, or of those above. */
#ifdef __CUDA_EMULATED__
    double one = 1, zero = 0;
    must(cublasLtMatmul(lt, desc, &one, NULL, layout_a, d_b, layout_b, &zero, d_c, layout_c, d_d,
                        layout_d, NULL, NULL, 0, 0) == CUBLAS_STATUS_INVALID_VALUE,
         "no A");
    must(cublasLtMatmul(lt, desc, NULL, d_a, layout_a, d_b, layout_b, &zero, d_c, layout_c, d_d,
                        layout_d, NULL, NULL, 0, 0) == CUBLAS_STATUS_INVALID_VALUE,
         "no alpha");
#endif
    int count;
    cublasLtMatmulPreference_t preference;
    BLAS(cublasLtMatmulPreferenceCreate(&preference));
    must(cublasLtMatmulAlgoGetHeuristic(lt, desc, layout_a, layout_b, layout_c, layout_d,
                                        preference, 0, &result,
                                        &count) == CUBLAS_STATUS_INVALID_VALUE,
         "no algorithm asked for");
    BLAS(cublasLtMatmulPreferenceDestroy(preference));
    finish();
}

/* A row-major array of floats becomes a column-major one of halves. */
static void changeOfOrder(void)
{
    cublasLtMatrixTransformDesc_t transform;
    cublasLtMatrixLayout_t from, to;
    BLAS(cublasLtMatrixTransformDescCreate(&transform, CUDA_R_32F));
    BLAS(cublasLtMatrixLayoutCreate(&from, CUDA_R_32F, M, N, LD));
    BLAS(cublasLtMatrixLayoutCreate(&to, CUDA_R_32F, M, N, M));
    SET(MatrixLayout, from, CUBLASLT_MATRIX_LAYOUT_ORDER, cublasLtOrder_t, CUBLASLT_ORDER_ROW);
    upload(d_a, h_a, SIZE, CUDA_R_32F);
    const float two = 2, zero = 0;
    float got[M * N];
    BLAS(cublasLtMatrixTransform(lt, transform, &two, d_a, from, &zero, NULL, NULL, d_c, to, 0));
    CHECK(cudaMemcpy(got, d_c, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < M * N; i++)
        must(got[i] == 2 * (float)h_a[i % M * LD + i / M], "cublasLtMatrixTransform");
    BLAS(cublasLtMatrixTransformDescDestroy(transform));
    BLAS(cublasLtMatrixLayoutDestroy(from));
    BLAS(cublasLtMatrixLayoutDestroy(to));
    finish();
}

/* ---- mistakes ---- */

static void multiply(const void *a, const void *alpha, void *work, size_t bytes)
{
    const struct how plain = {"", EXACT, no, no, 0, 1, CUBLASLT_EPILOGUE_DEFAULT, 0, 0, 1, 0, 0};
    const double one = 1, zero = 0;
    describe(&plain);
    upload(d_a, h_a, SIZE, CUDA_R_64F);
    upload(d_b, h_b, SIZE, CUDA_R_64F);
    cublasLtMatmul(lt, desc, alpha ? alpha : &one, a, layout_a, d_b, layout_b, &zero, d_d, layout_c,
                   d_d, layout_d, NULL, work, bytes, 0);
}
static void hostMatrix(void) { multiply(h_a, NULL, NULL, 0); }
static void deviceAlpha(void) { multiply(d_a, d_bias, NULL, 0); }
static void smallWorkspace(void) { multiply(d_a, NULL, d_work, 1 << 21); }
static void pastTheEnd(void) { multiply((double *)d_a + SIZE - 8, NULL, NULL, 0); }
static void uninitialisedA(void)
{
    double *d_new = (double *)fresh(sizeof h_a);
    multiply(d_new, NULL, NULL, 0);
    CHECK(cudaFree(d_new));
}
static void uninitialisedBias(void)
{
    const struct how how = {"", EXACT, no, no, 0, 1, CUBLASLT_EPILOGUE_BIAS, 0, 0, 1, 0, 0};
    const double one = 1, zero = 0;
    describe(&how);
    upload(d_a, h_a, SIZE, CUDA_R_64F);
    upload(d_b, h_b, SIZE, CUDA_R_64F);
    BLAS(cublasLtMatmul(lt, desc, &one, d_a, layout_a, d_b, layout_b, &zero, d_d, layout_c, d_d,
                        layout_d, NULL, NULL, 0, 0));
}
static void withoutWaiting(void)
{
    cudaStream_t s, t;
    const double one = 1, zero = 0;
    const struct how plain = {"", EXACT, no, no, 0, 1, CUBLASLT_EPILOGUE_DEFAULT, 0, 0, 1, 0, 0};
    describe(&plain);
    upload(d_a, h_a, SIZE, CUDA_R_64F);
    upload(d_b, h_b, SIZE, CUDA_R_64F);
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    BLAS(cublasLtMatmul(lt, desc, &one, d_a, layout_a, d_b, layout_b, &zero, d_d, layout_c, d_d,
                        layout_d, NULL, NULL, 0, s));
    CHECK(cudaMemcpyAsync(d_c, d_d, M * sizeof(double), cudaMemcpyDeviceToDevice, t));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(t));
}

static const struct test tests[] = {
    CLEAN(transposes),
    CLEAN(batches),
    CLEAN(types),
    CLEAN(epilogues),
    CLEAN(reluOfNothing),
    CLEAN(misfits),
    CLEAN(changeOfOrder),
    FINDS(hostMatrix, "bad-copy", "of A begin at"),
    FINDS(deviceAlpha, "host-dereference", "alpha is a device pointer"),
    FINDS(smallWorkspace, "bad-copy", "2097152 bytes of the workspace"),
    FINDS(pastTheEnd, "bad-copy", "of A begin at"),
    FINDS(uninitialisedA, "uninitialised-read", "cublasLtMatmul reads p (byte 0"),
    FINDS(uninitialisedBias, "uninitialised-read", "cublasLtMatmul reads"),
    FINDS(withoutWaiting, "race", "cublasLtMatmul"),
};

int main(int argc, char **argv)
{
    arguments();
    if (argc > 1 && strcmp(argv[1], "arguments") == 0) {
        printf("arguments, 0 failed\n");
        return 0;
    }
    return runCases(tests, sizeof tests / sizeof *tests, prepare, argc, argv);
}
