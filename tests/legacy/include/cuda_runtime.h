/* A stand-in for the declarations of CUDA 5.5, for the compilers of tests/legacy: names and types
 * only, nothing runs.
 *
 * It declares the functions of the toolkit of 2013, for the devices that had them (shuffles from
 * 3.0 on, __ldg from 3.5 on), and nothing newer, so that a newer call does not compile. clang reads
 * it as CUDA C for one architecture at a time, g++ as C++ of the host, where a kernel is a plain
 * function. */
#ifndef LEGACY_CUDA_RUNTIME_H
#define LEGACY_CUDA_RUNTIME_H

#ifdef __clang__ /* no device has 128 bits of them */
#include <cstddef>
#undef _GLIBCXX_USE_FLOAT128
#endif
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUDART_VERSION 5050
#define CUDA_VERSION 5050
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif

#ifdef __clang__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#endif
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))

/* Device functions of every architecture (g++ sees those of the last). */
#if !defined __clang__ || defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 300 || !defined __CUDA_ARCH__
#define LEGACY_KEPLER
#endif
#if !defined __clang__ || defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 350 || !defined __CUDA_ARCH__
#define LEGACY_KEPLER_35
#endif

#include "legacy_types.h"
#include "legacy_device.h"
#include "legacy_runtime.h"
#include "legacy_texture.h"

#endif
