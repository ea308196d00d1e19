// product.h: the product of two matrices, for cuBLAS and cuBLASLt.
//
// It follows the definition: operands are rounded to the type of the arithmetic (TF32, half), their
// products are summed in double, and the sum is rounded once.
#ifndef EMULATED_PRODUCT_H
#define EMULATED_PRODUCT_H
#include "cublas_call.h"
#include "tensor.h"

namespace emulated
{

struct Operand {
    const void *p;
    cudaDataType type;
    long long ld, stride; // from one matrix of a batch to the next, in elements
    cublasOperation_t op;
    long long at(long long matrix, int i, int j) const // where element (i, j) of op(X) lies
    {
        return matrix * stride + (op == CUBLAS_OP_N ? i + j * ld : j + i * ld);
    }
};
struct Product {
    int m, n, k, batch;
    Operand a, b, c;    // c is written
    cudaDataType scale; // the type of alpha, beta and of the sums
    Rounding rounding;  // of the operands
    const void *alpha, *beta;
};

// Translates a compute type into the type of the scalars and the rounding of the operands; `usual`
// is the rounding where the type leaves it open. False: the type is not supported.
inline bool compute(cublasComputeType_t type, cudaDataType operands, Rounding usual, Product *q)
{
    q->rounding = kExact;
    switch (type) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: q->scale = CUDA_R_16F; return operands == CUDA_R_16F;
    case CUBLAS_COMPUTE_32F: q->rounding = usual; break;
    case CUBLAS_COMPUTE_32F_PEDANTIC: break;
    case CUBLAS_COMPUTE_32F_FAST_16F: q->rounding = operands == CUDA_R_32F ? kHalf : kExact; break;
    case CUBLAS_COMPUTE_32F_FAST_16BF:
        q->rounding = operands == CUDA_R_32F ? kBrain : kExact;
        break;
    case CUBLAS_COMPUTE_32F_FAST_TF32: q->rounding = operands == CUDA_R_32F ? kTf32 : kExact; break;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC: q->scale = CUDA_R_64F; return operands == CUDA_R_64F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC: q->scale = CUDA_R_32I; return operands == CUDA_R_8I;
    default: return false;
    }
    q->scale = CUDA_R_32F;
    return operands != CUDA_R_64F && operands != CUDA_R_32I;
}

// op(X), `rows` by `columns`, of each matrix of a batch
inline void announce(Call &call, const Operand &x, int rows, int columns, int batch,
                     const char *name, u8 flags)
{
    const u32 bytes = (u32)bytes_of(x.type);
    const bool plain = x.op == CUBLAS_OP_N;
    for (int i = 0; i < batch && call.good; i++)
        call.matrix((const char *)x.p + (size_t)((long long)i * x.stride) * bytes,
                    plain ? rows : columns, plain ? columns : rows, x.ld, bytes, name, flags);
}

inline void announce_factors(Call &call, const Product &q)
{
    if (q.k == 0)
        return;
    announce(call, q.a, q.m, q.k, q.batch, "A", kRead);
    announce(call, q.b, q.k, q.n, q.batch, "B", kRead);
}

// The rows of op(A), or the columns of op(B): `count` times k numbers
inline std::vector<double> pack(const Operand &x, long long matrix, int count, int k, bool rows,
                                Rounding rounding)
{
    std::vector<double> packed((size_t)count * (size_t)k);
    for (int i = 0; i < count; i++)
        for (int p = 0; p < k; p++)
            packed[(size_t)i * (size_t)k + (size_t)p] = rounded(
                number_at(x.p, x.type, rows ? x.at(matrix, i, p) : x.at(matrix, p, i)), rounding);
    return packed;
}

// Calls store(i, j, sum) for each element of op(A) op(B).
template <class F> void sums(const Product &q, long long matrix, F store)
{
    const std::vector<double> a = pack(q.a, matrix, q.m, q.k, true, q.rounding),
                              b = pack(q.b, matrix, q.n, q.k, false, q.rounding);
    for (int j = 0; j < q.n; j++)
        for (int i = 0; i < q.m; i++) {
            const double *x = &a[(size_t)i * (size_t)q.k], *y = &b[(size_t)j * (size_t)q.k];
            double sum[4] = {0, 0, 0, 0};
            int p = 0;
            for (; p + 4 <= q.k; p += 4)
                for (int s = 0; s < 4; s++)
                    sum[s] += x[p + s] * y[p + s];
            for (; p < q.k; p++)
                sum[0] += x[p] * y[p];
            store(i, j, (sum[0] + sum[1]) + (sum[2] + sum[3]));
        }
}

// alpha * sum + beta * C; the element of C is not read if beta is 0
inline double scaled(const Product &q, double sum, double alpha, double beta, const Operand &c,
                     long long at)
{
    const double product = as_type(as_type(sum, q.scale) * alpha, q.scale);
    return beta != 0 ? product + as_type(beta * number_at(c.p, c.type, at), q.scale) : product;
}

} // namespace emulated
#endif
