/* TASK     Allocate the parts of a field, each on its GPU, and copy them there and back.
 * TRAFFIC  none of the steps'.
 * LIMIT    the links between host and GPUs. */
#include "cuda_utils.h"
#include "measure.h"
#include "parts.h"

void peersClose(const struct field *field)
{
    for (int i = 0; i < field->devices; i++)
        for (int k = 0; k < field->devices; k++) {
            cudaVerify(cudaSetDevice(field->device[i]));
            if (i != k && cudaDeviceDisablePeerAccess(field->device[k]) != cudaSuccess)
                cudaGetLastError(); /* these two never had it */
        }
}

static void allocate(struct part *p)
{
    const size_t fieldFloats = (p->rows + 2 * p->halo) * p->pitch;

    cudaVerify(cudaSetDevice(p->device)); /* what follows is this device's */
    cudaVerify(cudaMalloc((void **)&p->memory, 3 * fieldFloats * sizeof(float)));
    cudaVerify(cudaMemset(p->memory, 0, 3 * fieldFloats * sizeof(float)));
    cudaVerify(cudaStreamSynchronize(0));
    p->start = p->memory + p->halo * p->pitch;
    p->field[0] = p->start + fieldFloats;
    p->field[1] = p->field[0] + fieldFloats;
}

/* The outer rows' blocks are to go first wherever a multiprocessor has room: their stream has priority. */
static void createStreams(struct part *p)
{
    int least = 0, greatest = 0;

    cudaVerify(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaVerify(cudaStreamCreateWithPriority(&p->outer, cudaStreamNonBlocking, greatest));
    cudaVerify(cudaStreamCreateWithPriority(&p->inner, cudaStreamNonBlocking, least));
    cudaVerify(cudaEventCreateWithFlags(&p->innerDone, cudaEventDisableTiming));
    for (int k = 0; k < 2; k++) {
        cudaVerify(cudaEventCreateWithFlags(&p->outerDone[k], cudaEventDisableTiming));
        cudaVerify(cudaEventCreateWithFlags(&p->sent[k], cudaEventDisableTiming));
    }
}

void partsToDevices(struct part *parts, const struct field *field, int halo, const float *start)
{
    const size_t rowBytes = field->nx * sizeof(float);

    for (int k = 0; k < field->parts; k++) {
        struct part *p = &parts[k];
        const int first = firstRow(field, k), next = firstRow(field, k + 1);
        const int from = first - halo > 0 ? first - halo : 0;
        const int to = next + halo < field->ny ? next + halo : field->ny;

        p->device = field->device[k];
        p->nx = field->nx;
        p->rows = next - first;
        p->halo = halo;
        p->pitch = (field->nx + 31) / 32 * 32;
        p->haloBytes = halo * p->pitch * sizeof(float);
        p->above = k > 0 ? p - 1 : NULL;
        p->below = k < field->parts - 1 ? p + 1 : NULL;
        allocate(p);
        createStreams(p);
        for (int i = 0; i < 3; i++) {
            float *f = i == 2 ? p->start : p->field[i];

            cudaVerify(cudaMemcpy2D(f + (from - first) * p->pitch, p->pitch * sizeof(float),
                                    start + (size_t)from * field->nx, rowBytes, rowBytes, to - from,
                                    cudaMemcpyHostToDevice));
        }
    }
}

void partsWipe(const struct part *parts, const struct field *field)
{
    for (int k = 0; k < field->parts; k++)
        for (int i = 0; i < 2; i++)
            wipeBeforeRuns(parts[k].field[i] + 1, (field->nx - 2) * sizeof(float));
}

void partsToHost(struct part *parts, const struct field *field, int which, float *end)
{
    const size_t rowBytes = field->nx * sizeof(float);

    for (int k = 0; k < field->parts; k++) {
        struct part *p = &parts[k];
        const float *f = which < 0 ? p->start : p->field[which];
        const int from = p->above == NULL ? -1 : 0;
        const int to = p->below == NULL ? p->rows + 1 : p->rows;

        cudaVerify(cudaSetDevice(p->device));
        cudaVerify(cudaMemcpy2D(end + (size_t)(firstRow(field, k) + from) * field->nx, rowBytes,
                                f + from * p->pitch, p->pitch * sizeof(float), rowBytes, to - from,
                                cudaMemcpyDeviceToHost));
        for (int i = 0; i < 2; i++) {
            cudaVerify(cudaEventDestroy(p->outerDone[i]));
            cudaVerify(cudaEventDestroy(p->sent[i]));
        }
        cudaVerify(cudaEventDestroy(p->innerDone));
        cudaVerify(cudaStreamDestroy(p->outer));
        cudaVerify(cudaStreamDestroy(p->inner));
        cudaVerify(cudaFree(p->memory));
    }
}
