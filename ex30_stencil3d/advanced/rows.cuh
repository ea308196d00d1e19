/* TASK     The squares of an image once more: strips() with rows that TMA brings.
 * TRAFFIC  8 bytes a pixel.
 * LIMIT    memory bandwidth for 7 x 7 and separable weights, multiply-adds for 15 x 15.
 *
 * A thread of strips() has one row in flight, and asks the cache for each quad of the window. Here
 * each warp has a ring of its own, of STAGES boxes of ROWS_OF_BOX rows. No other warp reads them,
 * so there is no barrier of the block: the warp waits for itself. */
#ifdef HAVE_TMA
enum { ROWS_OF_BOX = 8, BOXES = 3, WARPS = 4, LONG_STRIP = 256 };

template <int R> struct row_ring {
    enum { HALO = (R + 3) / 4, QUADS = LANES + 2 * HALO, BYTES = ROWS_OF_BOX * QUADS * 16 };
    float4 box[BOXES][BYTES / 16]; /* multiples of 128 bytes, since a box has 8 rows */
    barrier arrived[16];           /* BOXES are used; the ring is a multiple of 128 bytes */
};

template <int R>
__device__ void askRows(struct row_ring<R> *ring, int place, const CUtensorMap *map, int i, int j)
{
    expectBytes(&ring->arrived[place], row_ring<R>::BYTES);
    loadBox(ring->box[place], map, i, j, 0, &ring->arrived[place]);
}

template <int R, int IS_SEPARABLE>
__global__ void __launch_bounds__(32 * WARPS)
    rowsByTma(const __grid_constant__ CUtensorMap map, float4 *y, struct shape s)
{
    typedef row_ring<R> ring_of;
    extern __shared__ __align__(128) unsigned char shared[];
    const int lane = threadIdx.x % 32, column = blockIdx.x * WARPS * 32 + threadIdx.x - lane;
    const int first = blockIdx.y * LONG_STRIP, end = min(first + LONG_STRIP, s.ny);
    const int boxes = (end - first + 2 * R + ROWS_OF_BOX - 1) / ROWS_OF_BOX;
    const int left = 4 * (column - ring_of::HALO); /* the first column of its boxes */
    ring_of *ring = (ring_of *)shared + threadIdx.x / 32;
    float4 waits[2 * R];

    if (column >= s.nx)
        return;
    if (lane == 0) {
        initBarriers(ring->arrived, BOXES);
        for (int b = 0; b < BOXES && b < boxes; b++)
            askRows(ring, b, &map, left, first - R + b * ROWS_OF_BOX);
    }
    __syncwarp();
#pragma unroll
    for (int d = 0; d < 2 * R; d++)
        waits[d] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int b = 0, j = first - 2 * R; b < boxes; b++) {
        waitFor(&ring->arrived[b % BOXES], b / BOXES % 2);
#pragma unroll(R == 3 || IS_SEPARABLE ? 2 : 1)
        for (int row = 0; row < ROWS_OF_BOX; row++, j++) {
            const float4 *q = ring->box[b % BOXES] + row * ring_of::QUADS + lane;
            float window[4 * (2 * ring_of::HALO + 1)];

#pragma unroll
            for (int k = 0; k < 2 * ring_of::HALO + 1; k++) {
                window[4 * k] = q[k].x;
                window[4 * k + 1] = q[k].y;
                window[4 * k + 2] = q[k].z;
                window[4 * k + 3] = q[k].w;
            }
            const float *from = window + 4 * ring_of::HALO - R;
            const float4 complete =
                IS_SEPARABLE ? meetSeparable<R>(waits, from) : meetSquare<R>(waits, from);
            if (j >= first && j < end && column + lane < s.nx)
                y[place(s, column + lane, j, 0)] = complete;
        }
        __syncwarp(); /* no lane needs this box any more */
        if (lane == 0 && b + BOXES < boxes)
            askRows(ring, b % BOXES, &map, left, first - R + (b + BOXES) * ROWS_OF_BOX);
    }
}

template <int R, int IS_SEPARABLE>
static void rowsOf(const float *d_x, float *d_y, const struct problem *p)
{
    const CUtensorMap map = mapOf(d_x, p, pitchOf(p), 4 * row_ring<R>::QUADS, ROWS_OF_BOX);
    const dim3 grid = boxes(p, 4 * 32 * WARPS, LONG_STRIP, 1);
    const int bytes = WARPS * (int)sizeof(struct row_ring<R>);

    cudaVerify(cudaFuncSetAttribute((const void *)rowsByTma<R, IS_SEPARABLE>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    cudaVerifyKernel(
        (rowsByTma<R, IS_SEPARABLE><<<grid, 32 * WARPS, bytes>>>(map, (float4 *)d_y, inQuads(p))));
}

void launchRowsByTma(const float *d_x, float *d_y, const struct problem *p)
{
    if (p->radius == 3)
        rowsOf<3, 0>(d_x, d_y, p);
    else
        rowsOf<7, 0>(d_x, d_y, p);
}

void launchSeparableByTma(const float *d_x, float *d_y, const struct problem *p)
{
    if (p->radius == 3)
        rowsOf<3, 1>(d_x, d_y, p);
    else
        rowsOf<7, 1>(d_x, d_y, p);
}
#else
void launchRowsByTma(const float *, float *, const struct problem *) {}

void launchSeparableByTma(const float *, float *, const struct problem *) {}
#endif
