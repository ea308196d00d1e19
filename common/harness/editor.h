/* editor.h: what an editor's clangd reads before a .cu file of the course (common/cmake/editor.cmake): CUDA's names,
 * and the harness's, which a kernel of a template calls too. */
#include "../../emulated/clang/clangd.h"
#pragma clang force_cuda_host_device begin
#include "measure.h"
#pragma clang force_cuda_host_device end
