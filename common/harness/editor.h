/* editor.h: an editor's clangd includes this before each .cu file of the course
 * (common/cmake/editor.cmake). It declares CUDA's names and those functions of the harness that a
 * template's kernel calls. */
#include "../../emulated/clang/clangd.h"
#pragma clang force_cuda_host_device begin
#include "measure.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#pragma clang force_cuda_host_device end
