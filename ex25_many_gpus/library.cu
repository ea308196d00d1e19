/* TASK     The 2D diffusion on all GPUs of one process with NCCL, which sends and receives on a
 *          stream.
 * TRAFFIC  8 bytes per point and step within a GPU; between two GPUs 8 nx bytes per step.
 * LIMIT    memory bandwidth of all GPUs together, if the exchange hides behind the inner rows. */
#include "cuda_utils.h"
#include "measure.h"
#include "parts.h"

#ifdef COURSE_NCCL
#include <nccl.h>

#define ncclVerify(call) ncclVerifyAt((call), #call, __FILE__, __LINE__)

static void ncclVerifyAt(ncclResult_t result, const char *call, const char *file, int line)
{
    if (result != ncclSuccess) {
        fflush(stdout);
        fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, ncclGetErrorString(result));
        exit(2);
    }
}

/* One group for all parts: what is sent and received goes on together, as a kernel on each device's
 * stream. Part k is NCCL's rank k. */
static void exchange(struct part *parts, const struct field *field, ncclComm_t *comms, int which)
{
    ncclVerify(ncclGroupStart());
    for (int k = 0; k < field->parts; k++) {
        const struct part *p = &parts[k];
        const size_t n = p->haloBytes / sizeof(float);
        float *g = p->field[which];

        if (p->above != NULL) {
            ncclVerify(ncclSend(g, n, ncclFloat, k - 1, comms[k], p->outer));
            ncclVerify(ncclRecv(haloAbove(p, g), n, ncclFloat, k - 1, comms[k], p->outer));
        }
        if (p->below != NULL) {
            ncclVerify(ncclSend(lastRows(p, g), n, ncclFloat, k + 1, comms[k], p->outer));
            ncclVerify(ncclRecv(haloBelow(p, g), n, ncclFloat, k + 1, comms[k], p->outer));
        }
    }
    ncclVerify(ncclGroupEnd());
}

/* As the overlapped copies, but the streams of two devices need no events: a message orders
 * them. */
static void stepPart(const struct part *p, int n, const float *f, float *g)
{
    const int top = p->halo < p->rows ? p->halo : p->rows;
    const int bottom = p->rows - p->halo > top ? p->rows - p->halo : top;

    cudaVerify(cudaSetDevice(p->device));
    cudaVerify(cudaStreamWaitEvent(p->outer, p->innerDone, 0));
    cudaVerify(cudaStreamWaitEvent(p->inner, p->outerDone[0], 0));
    stepFast(p, n, f, g, 0, top, p->outer);
    stepFast(p, n, f, g, bottom, p->rows, p->outer);
    cudaVerify(cudaEventRecord(p->outerDone[0], p->outer));
    stepFast(p, n, f, g, top, bottom, p->inner);
    cudaVerify(cudaEventRecord(p->innerDone, p->inner));
}

/* NCCL may have enabled it, and left it so. */
static void endPeerAccess(const struct field *field)
{
    for (int i = 0; i < field->devices; i++)
        for (int k = 0; k < field->devices; k++) {
            cudaVerify(cudaSetDevice(field->device[i]));
            if (i != k && cudaDeviceDisablePeerAccess(field->device[k]) != cudaSuccess)
                cudaGetLastError();
        }
}

template <int stepsPerExchange>
static void diffuse(const struct field *field, const float *start, float *end)
{
    struct part parts[MOST_PARTS];
    ncclComm_t comms[MOST_PARTS];
    int halo = stepsPerExchange, which = -1;

    if (field->parts > field->devices) {
        rowSkip("NCCL wants a device for each part");
        return;
    }
    if ((field->ny - 2) / field->parts < halo)
        halo = 1;
    setenv("NCCL_NVLS_ENABLE", "0", 0); /* sums within the switch, which are not used here */
    peersClose();
    ncclVerify(ncclCommInitAll(comms, field->parts, field->device));
    partsToDevices(parts, field, halo, start);
    MEASURE (run) {
        which = -1;
        for (int s = 0, n; s < field->steps; s += n) {
            const int next = which < 0 ? 0 : 1 - which;

            n = field->steps - s >= halo ? halo : 1;
            for (int k = 0; k < field->parts; k++)
                stepPart(&parts[k], n, which < 0 ? parts[k].start : parts[k].field[which],
                         parts[k].field[next]);
            exchange(parts, field, comms, next);
            which = next;
        }
        for (int k = 0; k < field->parts; k++) {
            cudaVerify(cudaSetDevice(parts[k].device));
            cudaVerify(cudaDeviceSynchronize());
        }
    }
    partsToHost(parts, field, which, end);
    for (int k = 0; k < field->parts; k++)
        ncclVerify(ncclCommDestroy(comms[k]));
    endPeerAccess(field);
}

#else

template <int stepsPerExchange>
static void diffuse(const struct field *field, const float *start, float *end)
{
    (void)field;
    (void)start;
    (void)end;
#ifdef __CUDA_EMULATED__
    rowSkip("the emulated device has no NCCL");
#else
    rowSkip("built without NCCL (nccl.h and libnccl: install libnccl-dev, or set NCCL_HOME)");
#endif
}

#endif

extern "C" const struct variant libraryVariants[] = {
    {"NCCL", diffuse<1>, MAY_SKIP},
    {"NCCL, 8 steps", diffuse<STEPS_PER_PASS>, MAY_SKIP | SAVES_TRAFFIC},
    {NULL, NULL},
};
