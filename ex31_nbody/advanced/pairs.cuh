/* Places in double, nearly: a float, and a second one for what the first cuts off. Far from the
 * origin a float has no digits left for the distance of neighbours; the difference of two pairs has
 * them, and from then on floats suffice. It takes nine additions instead of three. A double takes a
 * subtraction and a conversion for each coordinate, both at a lower rate. */
__global__ void pairs(const float4 *at, const float4 *rest, int n, int part, float softening2,
                      float *a)
{
    __shared__ float4 bodies[THREADS], rests[THREADS];
    const int i = blockIdx.x * BODIES * THREADS + threadIdx.x;
    const int last = min(n, (int)(blockIdx.y + 1) * part);
    float4 p[BODIES], r[BODIES];
    float3 own[BODIES];

#pragma unroll
    for (int k = 0; k < BODIES; k++) {
        p[k] = bodyAt(at, i + k * THREADS, n);
        r[k] = bodyAt(rest, i + k * THREADS, n);
        own[k] = make_float3(0.0f, 0.0f, 0.0f);
    }
    for (int first = blockIdx.y * part; first < last; first += THREADS) {
        bodies[threadIdx.x] = bodyAt(at, first + threadIdx.x, n);
        rests[threadIdx.x] = bodyAt(rest, first + threadIdx.x, n);
        __syncthreads();
#pragma unroll 4
        for (int j = 0; j < THREADS; j++) {
            const float4 q = bodies[j], s = rests[j];

#pragma unroll
            for (int k = 0; k < BODIES; k++)
                attractFast(make_float4(0.0f, 0.0f, 0.0f, 0.0f),
                            make_float4((q.x - p[k].x) + (s.x - r[k].x),
                                        (q.y - p[k].y) + (s.y - r[k].y),
                                        (q.z - p[k].z) + (s.z - r[k].z), q.w),
                            softening2, &own[k]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < BODIES; k++)
        addTo(a, n, i + k * THREADS, own[k]);
}

static void acceleratePairs(const struct galaxy *g, float *a, struct body *, struct body *)
{
    const int n = (int)g->n, part = partFor(n, THREADS);
    const dim3 grid(blocksFor(n, BODIES * THREADS), blocksFor(n, part));
    float4 *d_at = onDevice<float4>(g->at, n), *d_rest = onDevice<float4>(g->rest, n);
    float *d_a = NULL;

    cudaVerify(cudaMalloc((void **)&d_a, 3 * g->n * sizeof *d_a));
    MEASURE (run) {
        cudaVerify(cudaMemsetAsync(d_a, 0, 3 * g->n * sizeof *d_a));
        cudaVerifyKernel(
            (pairs<<<grid, THREADS>>>(d_at, d_rest, n, part, g->softening * g->softening, d_a)));
    }
    cudaVerify(cudaMemcpy(a, d_a, 3 * g->n * sizeof *a, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_at));
    cudaVerify(cudaFree(d_rest));
    cudaVerify(cudaFree(d_a));
}
