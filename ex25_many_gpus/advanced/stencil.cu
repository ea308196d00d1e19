/* TASK     The 2D diffusion on one GPU: a step with float4 and rows in registers, and eight time
 *          steps a pass.
 * TRAFFIC  8 bytes per point and step: read once, written once; per eight steps in stepMany.
 * LIMIT    memory bandwidth; stepMany: arithmetic. */
#include "cuda_utils.h"
#include "parts.h"
#include "warp_utils.h"

__device__ static inline float step(float left, float right, float up, float down, float f)
{
    return f + ALPHA * (left + right + up + down - 4.0f * f);
}

/* The points x .. x + 3 of a row, of which the field's first and last keep their old value. */
__device__ static inline float4 keepEnds(float4 now, float4 old, int x, int nx)
{
    if (x == 0 || x == nx - 1)
        now.x = old.x;
    if (x + 1 == nx - 1)
        now.y = old.y;
    if (x + 2 == nx - 1)
        now.z = old.z;
    if (x + 3 == nx - 1)
        now.w = old.w;
    return now;
}

/* The rows of a part: its own lie together, those of its neighbours anywhere, in another device's
 * memory too. */
struct row_places {
    const float *own, *above, *below;
    ptrdiff_t pitch;
    int rows;
};

__device__ static inline const float *placeOfRow(const struct row_places *at, int y)
{
    return y < 0 ? at->above : y >= at->rows ? at->below : at->own + y * at->pitch;
}

/* A thread takes four points of ROWS rows: 16 bytes a load, all loads under way before the first is
 * used, and every row loaded once for the three rows that need it. The neighbours across x come
 * from the lanes beside; only the two outer lanes of a warp load theirs. */
enum { ROWS = 6 };

__global__ void diffuseRows(struct row_places f, float *g, int nx, int from, int to)
{
    const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int y = from + blockIdx.y * ROWS;
    const int lane = threadIdx.x % 32;
    const bool outer = lane == 0 || lane == 31;
    const int beside = min(max(lane == 0 ? x - 1 : x + 4, 0), (int)f.pitch - 1);
    const int column = min(x, (int)f.pitch - 4); /* threads past the row help to shuffle */
    float4 row[ROWS + 2];
    float edge[ROWS];

#pragma unroll
    for (int k = 0; k < ROWS + 2; k++)
        row[k] = *(const float4 *)(placeOfRow(&f, min(y - 1 + k, to)) + column);
#pragma unroll
    for (int k = 0; k < ROWS; k++)
        edge[k] = outer ? placeOfRow(&f, min(y + k, to))[beside] : 0.0f;
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        const float4 up = row[k], mid = row[k + 1], down = row[k + 2];
        const float before = shuffleUp(mid.w, 1), after = shuffleDown(mid.x, 1);
        const float left = lane == 0 ? edge[k] : before, right = lane == 31 ? edge[k] : after;
        float4 now;

        now.x = step(left, mid.y, up.x, down.x, mid.x);
        now.y = step(mid.x, mid.z, up.y, down.y, mid.y);
        now.z = step(mid.y, mid.w, up.z, down.z, mid.z);
        now.w = step(mid.z, right, up.w, down.w, mid.w);
        if (x < nx && y + k < to)
            *(float4 *)(g + (y + k) * f.pitch + x) = keepEnds(now, mid, x, nx);
    }
}

/* Temporal blocking. A warp marches down a strip of 128 columns. Each row that it loads gives, at
 * once, a row of step 1 one row further up, a row of step 2 two rows further up, ... and a finished
 * row of step STEPS, STEPS rows further up: the field is read and written once for all steps. At
 * every step the outermost columns of the strip go wrong for want of neighbours, so strips overlap
 * by MARGIN lanes on either side, and marches by STEPS rows. */
enum {
    STEPS = STEPS_PER_PASS,
    MARGIN = (STEPS + 3) / 4,
    STRIP = 4 * (32 - 2 * MARGIN), /* columns that a warp stores */
    MARCH = 256,                   /* rows that a warp stores */
    AHEAD = 4                      /* rows loaded ahead of their use */
};

/* Rows below lo or above hi are not read; rows lo and hi keep their values. */
__global__ void diffuseSteps(const float *f, float *g, int nx, ptrdiff_t pitch, int from, int to,
                             int lo, int hi)
{
    const int lane = threadIdx.x % 32, strip = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int x = strip * STRIP + 4 * (lane - MARGIN);
    const int y0 = from + blockIdx.y * MARCH, y1 = min(y0 + MARCH, to);
    const int last = min(hi, y1 + STEPS - 1); /* further down a halo may be arriving */
    const bool mine = lane >= MARGIN && lane < 32 - MARGIN && x < nx;
    const bool nearBorder =
        strip == 0 || (strip + 1) * STRIP + 4 * MARGIN >= nx || y0 - STEPS <= lo || y1 + STEPS > hi;
    const float *column = f + min(max(x, 0), (int)pitch - 4);
    float4 newest[STEPS], sum[STEPS]; /* of each step: the newest row; its left + right + up */
    float4 ahead[AHEAD], row[AHEAD];

#pragma unroll
    for (int t = 0; t < STEPS; t++)
        newest[t] = sum[t] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll
    for (int k = 0; k < AHEAD; k++)
        ahead[k] = *(const float4 *)(column + min(max(y0 - STEPS + k, lo), last) * pitch);
    for (int y = y0 - STEPS; y < y1 + STEPS; y += AHEAD) {
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            row[k] = ahead[k];
            ahead[k] = *(const float4 *)(column + min(max(y + AHEAD + k, lo), last) * pitch);
        }
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            float4 down = row[k]; /* row y + k - t of step t */

#pragma unroll
            for (int t = 0; t < STEPS; t++) {
                const float4 mid = newest[t];
                const float left = shuffleUp(down.w, 1), right = shuffleDown(down.x, 1);
                float4 now; /* row y + k - t - 1 of step t + 1; added up in the order of step() */

                now.x = mid.x + ALPHA * (sum[t].x + down.x - 4.0f * mid.x);
                now.y = mid.y + ALPHA * (sum[t].y + down.y - 4.0f * mid.y);
                now.z = mid.z + ALPHA * (sum[t].z + down.z - 4.0f * mid.z);
                now.w = mid.w + ALPHA * (sum[t].w + down.w - 4.0f * mid.w);
                if (nearBorder) {
                    now = keepEnds(now, mid, x, nx);
                    if (y + k - t - 1 == lo || y + k - t - 1 == hi)
                        now = mid;
                }
                sum[t].x = left + down.y + mid.x;
                sum[t].y = down.x + down.z + mid.y;
                sum[t].z = down.y + down.w + mid.z;
                sum[t].w = down.z + right + mid.w;
                newest[t] = down;
                down = now;
            }
            if (mine && y + k - STEPS >= y0 && y + k - STEPS < y1)
                *(float4 *)(g + (y + k - STEPS) * pitch + x) = down;
        }
    }
}

void stepOnce(const struct part *p, const float *f, const float *above, const float *below,
              float *g, int from, int to, cudaStream_t stream)
{
    const int warps = p->nx < 1024 ? (p->nx + 127) / 128 : 8; /* none past the end of a row */
    const int block = 32 * warps, columns = 4 * block;
    const dim3 grid((p->nx + columns - 1) / columns, (to - from + ROWS - 1) / ROWS);
    const struct row_places places = {f, above, below, p->pitch, p->rows};

    if (from < to)
        cudaVerifyKernel((diffuseRows<<<grid, block, 0, stream>>>(places, g, p->nx, from, to)));
}

void stepMany(const struct part *p, const float *f, float *g, int from, int to, cudaStream_t stream)
{
    const int block = 64, columns = STRIP * block / 32;
    const dim3 grid((p->nx + columns - 1) / columns, (to - from + MARCH - 1) / MARCH);
    const int lo = p->above == NULL ? -1 : -p->halo;
    const int hi = p->below == NULL ? p->rows : p->rows + p->halo - 1;

    if (from < to)
        cudaVerifyKernel(
            (diffuseSteps<<<grid, block, 0, stream>>>(f, g, p->nx, p->pitch, from, to, lo, hi)));
}
