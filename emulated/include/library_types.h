/* library_types.h: the element types of CUDA's libraries. */
#ifndef __LIBRARY_TYPES_H__
#define __LIBRARY_TYPES_H__
typedef enum cudaDataType_t { CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16F = 2, CUDA_R_32I = 10 } cudaDataType_t;
typedef cudaDataType_t cudaDataType;
#endif
