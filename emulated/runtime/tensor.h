// tensor.h: numbers of all element types of CUDA's libraries, and the roundings of tensor cores.
#ifndef EMULATED_TENSOR_H
#define EMULATED_TENSOR_H
#include <cmath>
#include <cstdint>
#include <cstring>

#include "library_types.h"

extern "C" unsigned short emulated_pack(double value, int exponent_bits, int fraction_bits);
extern "C" float emulated_unpack(unsigned short bits, int exponent_bits, int fraction_bits);

namespace emulated
{

// How an operand is rounded before it is multiplied
enum Rounding { kExact, kTf32, kHalf, kBrain };

// The nearest number with 10 bits of fraction; a tie goes away from zero, as cvt.rna does it.
inline float to_tf32(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7f800000) != 0x7f800000) // neither infinite nor NaN
        bits = (bits + 0x1000) & ~0x1fffu;
    memcpy(&x, &bits, sizeof x);
    return x;
}

inline double rounded(double x, Rounding rounding)
{
    switch (rounding) {
    case kTf32: return (double)to_tf32((float)x);
    case kHalf: return (double)emulated_unpack(emulated_pack(x, 5, 10), 5, 10);
    case kBrain: return (double)emulated_unpack(emulated_pack(x, 8, 7), 8, 7);
    default: return x;
    }
}

inline size_t bytes_of(cudaDataType type) // 0: the type is not supported
{
    switch (type) {
    case CUDA_R_64F: return 8;
    case CUDA_R_32F:
    case CUDA_R_32I: return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    case CUDA_R_8I:
    case CUDA_R_8U: return 1;
    default: return 0;
    }
}

inline double number_at(const void *p, cudaDataType type, long long i)
{
    switch (type) {
    case CUDA_R_64F: return ((const double *)p)[i];
    case CUDA_R_32F: return (double)((const float *)p)[i];
    case CUDA_R_32I: return ((const int32_t *)p)[i];
    case CUDA_R_16F: return (double)emulated_unpack(((const unsigned short *)p)[i], 5, 10);
    case CUDA_R_16BF: return (double)emulated_unpack(((const unsigned short *)p)[i], 8, 7);
    case CUDA_R_8I: return ((const int8_t *)p)[i];
    case CUDA_R_8U: return ((const uint8_t *)p)[i];
    default: return NAN;
    }
}

inline void set_number(const void *p, cudaDataType type, long long i, double x)
{
    switch (type) {
    case CUDA_R_64F: ((double *)p)[i] = x; break;
    case CUDA_R_32F: ((float *)p)[i] = (float)x; break;
    case CUDA_R_32I: ((int32_t *)p)[i] = (int32_t)(int64_t)x; break;
    case CUDA_R_16F: ((unsigned short *)p)[i] = emulated_pack(x, 5, 10); break;
    case CUDA_R_16BF: ((unsigned short *)p)[i] = emulated_pack(x, 8, 7); break;
    case CUDA_R_8I: ((int8_t *)p)[i] = (int8_t)x; break;
    case CUDA_R_8U: ((uint8_t *)p)[i] = (uint8_t)x; break;
    default: break;
    }
}

// x rounded to that type
inline double as_type(double x, cudaDataType type)
{
    switch (type) {
    case CUDA_R_32F: return (double)(float)x;
    case CUDA_R_16F: return rounded(x, kHalf);
    case CUDA_R_16BF: return rounded(x, kBrain);
    default: return x;
    }
}

} // namespace emulated
#endif
