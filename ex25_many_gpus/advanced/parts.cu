/* TASK     Allocate the parts of a field, each on its GPU, and copy them there and back.
 * TRAFFIC  none of the steps'.
 * LIMIT    the links between host and GPUs. */
#include "cuda_utils.h"
#include "measure.h"
#include "parts.h"

static char isOpen[MOST_PARTS][MOST_PARTS];

void peersClose(void)
{
    for (int device = 0; device < MOST_PARTS; device++)
        for (int peer = 0; peer < MOST_PARTS; peer++)
            if (isOpen[device][peer]) {
                cudaVerify(cudaSetDevice(device));
                if (cudaDeviceDisablePeerAccess(peer) != cudaSuccess)
                    cudaGetLastError(); /* said to be open, but is not: the kernels will show it */
                isOpen[device][peer] = 0;
            }
}

int peersOpen(const struct field *field, open_fn *open)
{
    int all = 1;

    peersClose();
    for (int i = 0; i < field->devices; i++)
        for (int k = 0; k < field->devices; k++)
            if (i != k) {
                const int device = field->device[i], peer = field->device[k];

                isOpen[device][peer] = open(device, peer) != 0;
                all &= isOpen[device][peer];
            }
    return all;
}

static size_t fieldBytes(const struct part *p)
{
    return (p->rows + 2 * p->halo) * p->pitch * sizeof(float);
}

static void allocate(struct part *p)
{
    cudaVerify(cudaSetDevice(p->device)); /* what follows is this device's */
    cudaVerify(cudaMalloc((void **)&p->memory, 3 * fieldBytes(p)));
    cudaVerify(cudaMemset(p->memory, 0, fieldBytes(p)));
    p->start = p->memory + p->halo * p->pitch;
    p->field[0] = p->start + fieldBytes(p) / sizeof(float);
    p->field[1] = p->field[0] + fieldBytes(p) / sizeof(float);
}

/* The outer rows' blocks are to go first wherever a multiprocessor has room: their stream has
 * priority. */
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
        cudaVerify(cudaMemcpy2D(p->start + (from - first) * p->pitch, p->pitch * sizeof(float),
                                start + (size_t)from * field->nx, rowBytes, rowBytes, to - from,
                                cudaMemcpyHostToDevice));
        for (int i = 0; i < 2; i++)
            cudaVerify(cudaMemcpyAsync(haloAbove(p, p->field[i]), haloAbove(p, p->start),
                                       fieldBytes(p), cudaMemcpyDeviceToDevice, 0));
        cudaVerify(cudaStreamSynchronize(0)); /* the part's streams do not wait for stream 0 */
    }
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
