/* library_types.h: the element types of CUDA's libraries. */
#ifndef EMULATED_LIBRARY_TYPES_H
#define EMULATED_LIBRARY_TYPES_H
typedef enum cudaDataType_t { CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16F = 2, CUDA_R_32I = 10 } cudaDataType_t;
typedef cudaDataType_t cudaDataType;
#endif
