#include "steps.h"

#include <cstdio>
#include <vector>

int main()
{
    std::vector<float> x;
    for (int i = 0; i < 100; i++)
        x.push_back((float)i);
    set_factor(2);
    std::printf("%g\n", scaled_sum(x.data(), (int)x.size())); // 2 * 4950 + 100 * SHIFT
    // a template that the host's compiler knows, too
    return cudaGetLastError() != cudaSuccess || cudaCreateChannelDesc<float4>().w != 32;
}
