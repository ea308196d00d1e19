/* cuda_std.h: what <cuda/std/...> takes from the host's library under the name cuda::std */
#ifndef EMULATED_CUDA_STD_H
#define EMULATED_CUDA_STD_H
namespace std
{
}
namespace cuda
{
namespace std
{
using namespace ::std;
}
} // namespace cuda
#endif
