/* TASK     The 2D diffusion on all GPUs of a machine from one process: each has a part of the rows,
 *          and after every step neighbours exchange their boundary rows, or read them where they
 *          are.
 * TRAFFIC  8 bytes per point and step within a GPU; between two GPUs 8 nx bytes per step.
 * LIMIT    memory bandwidth of all GPUs together, if the exchange hides behind the inner rows. */
#include "cuda_utils.h"
#include "measure.h"
#include "parts.h"
#ifdef _OPENMP
#include <omp.h>
#endif

/* Lets the kernels of `device` use the memory of `peer`, another one. Returns 0 where that is
 * impossible. */
static int openPeer(int device, int peer)
{
    int reaches = 0;

    // TODO 1 begin: can it at all? Then make device the active one, and enable the access
    cudaVerify(cudaDeviceCanAccessPeer(&reaches, device, peer));
    if (reaches) {
        cudaVerify(cudaSetDevice(device));
        cudaVerify(cudaDeviceEnablePeerAccess(peer, 0));
    }
    // TODO 1 end
    return reaches;
}

#include "links.cuh" /* copies through the host, by a kernel's loads, by its stores */

/* Copies n floats from device `from` to device `to`, and waits for that. The host only gives the
 * order; the bytes go over the link between the two devices, where there is one. */
void peerCopy(float *d_to, int to, const float *d_from, int from, float *h, size_t n)
{
    (void)h;
    // TODO 2 begin: a copy between two devices, which returns at once; then wait for it
    cudaVerify(cudaMemcpyPeer(d_to, to, d_from, from, n * sizeof(float)));
    cudaVerify(cudaDeviceSynchronize());
    // TODO 2 end
}

/* cudaDeviceSynchronize() waits for the active device, and for no other. */
static void waitForAll(const struct part *parts, const struct field *field)
{
    // TODO 3 begin: wait for each part's device
    for (int k = 0; k < field->parts; k++) {
        cudaVerify(cudaSetDevice(parts[k].device));
        cudaVerify(cudaDeviceSynchronize());
    }
    // TODO 3 end
}

/* Launches return at once, so the devices work at the same time though one thread starts them in
 * turn. A cudaMemcpyPeer() waits for all that is under way on its two devices, and what comes later
 * waits for it: right, and never at the same time as a kernel. */
template <int access> static void inTurn(const struct field *field, const float *start, float *end)
{
    struct part parts[MOST_PARTS];
    int which = -1;

    if (access)
        peersOpen(field, openPeer);
    else
        peersClose();
    partsToDevices(parts, field, 1, start);
    MEASURE (run) {
        for (int s = 0; s < field->steps; s++) {
            which = s % 2;
            // TODO 3 begin: each part's step with stepFast(); then the boundary rows, down and up
            for (int k = 0; k < field->parts; k++) {
                const struct part *p = &parts[k];
                const float *f = s == 0 ? p->start : p->field[1 - which];

                cudaVerify(cudaSetDevice(p->device));
                stepFast(p, 1, f, p->field[which], 0, p->rows, 0);
            }
            for (int k = 0; k < field->parts - 1; k++) {
                const struct part *p = &parts[k], *q = p->below;
                float *f = p->field[which], *g = q->field[which];

                cudaVerify(cudaMemcpyPeer(haloAbove(q, g), q->device, lastRows(p, f), p->device,
                                          p->haloBytes));
                cudaVerify(cudaMemcpyPeer(haloBelow(p, f), p->device, g, q->device, p->haloBytes));
            }
            // TODO 3 end
        }
        waitForAll(parts, field);
    }
    partsToHost(parts, field, which, end);
    peersClose();
}

static void oneDevice(const struct field *field, const float *start, float *end)
{
    struct field whole = *field;

    whole.parts = 1;
    inTurn<0>(&whole, start, end);
}

/* All multiprocessors were idle during the copies. Here the outer rows come first, on a stream of
 * their own, and are copied while the other stream computes the inner ones. Events order the
 * streams of one device and of its neighbours; the host waits for nothing. t counts the exchanges;
 * events that several streams wait for alternate. */
static void stepPart(struct part *p, int t, int n, const float *f, float *g)
{
    // TODO 4 begin: wait for four events; n steps; record three events; copy to two neighbours
    const int now = t % 2, before = 1 - now, which = g == p->field[1];
    const int top = p->halo < p->rows ? p->halo : p->rows; /* outer rows: 0 to top, */
    const int bottom = p->rows - p->halo > top ? p->rows - p->halo : top; /* and from bottom on */
    struct part *const neighbour[2] = {p->above, p->below};

    cudaVerify(cudaSetDevice(p->device));
    cudaVerify(cudaStreamWaitEvent(p->inner, p->outerDone[before], 0));
    cudaVerify(cudaStreamWaitEvent(p->outer, p->innerDone, 0));
    for (int i = 0; i < 2; i++)
        if (neighbour[i] != NULL)
            cudaVerify(cudaStreamWaitEvent(p->outer, neighbour[i]->sent[before], 0));
    stepFast(p, n, f, g, 0, top, p->outer);
    stepFast(p, n, f, g, bottom, p->rows, p->outer);
    cudaVerify(cudaEventRecord(p->outerDone[now], p->outer));
    stepFast(p, n, f, g, top, bottom, p->inner);
    cudaVerify(cudaEventRecord(p->innerDone, p->inner));
    for (int i = 0; i < 2; i++)
        if (neighbour[i] != NULL) {
            struct part *q = neighbour[i];
            float *halo = i == 0 ? haloBelow(q, q->field[which]) : haloAbove(q, q->field[which]);

            cudaVerify(cudaMemcpyPeerAsync(halo, q->device, i == 0 ? g : lastRows(p, g), p->device,
                                           p->haloBytes, p->outer));
        }
    cudaVerify(cudaEventRecord(p->sent[now], p->outer));
    // TODO 4 end
}

template <int stepsPerExchange>
static void overlapped(const struct field *field, const float *start, float *end)
{
    struct part parts[MOST_PARTS];
    int halo = stepsPerExchange, which = -1, t = 0;

    if ((field->ny - 2) / field->parts < halo) { /* it would reach past the neighbour's rows */
        harnessRemark("fewer than %d rows in a part: exchanged after every step", halo);
        halo = 1;
    }
    peersOpen(field, openPeer);
    partsToDevices(parts, field, halo, start);
    MEASURE (run) {
        which = -1;
        for (int s = 0, n; s < field->steps; s += n, t++) {
            n = field->steps - s >= halo ? halo : 1; /* the last few steps singly */
            for (int k = 0; k < field->parts; k++) {
                struct part *p = &parts[k];

                stepPart(p, t, n, which < 0 ? p->start : p->field[which],
                         p->field[which < 0 ? 0 : 1 - which]);
            }
            which = which < 0 ? 0 : 1 - which;
        }
        waitForAll(parts, field);
    }
    partsToHost(parts, field, which, end);
    peersClose();
}

/* One thread gave the orders to all devices, and the last device began when its turn came. Here
 * every part has a thread. Waiting for an event that the neighbour's thread has yet to record would
 * be waiting for nothing, or for the one before: hence the barrier. */
static void threads(const struct field *field, const float *start, float *end)
{
#ifdef _OPENMP
    struct part parts[MOST_PARTS];

    peersOpen(field, openPeer);
    partsToDevices(parts, field, 1, start);
    MEASURE (run) {
        // TODO 5 begin: a thread for each part takes all its steps with stepPart(); then it waits
#pragma omp parallel num_threads(field->parts)
        {
            struct part *p = &parts[omp_get_thread_num()];

            for (int s = 0; s < field->steps; s++) {
                stepPart(p, s, 1, s == 0 ? p->start : p->field[(s + 1) % 2], p->field[s % 2]);
#pragma omp barrier
            }
            cudaVerify(cudaDeviceSynchronize());
        }
        // TODO 5 end
    }
    partsToHost(parts, field, (field->steps + 1) % 2, end);
    peersClose();
#else
    (void)field;
    (void)start;
    (void)end;
    rowSkip("built without OpenMP");
#endif
}

/* Even the copies can go: a kernel that reads its neighbours' boundary rows in their memory needs
 * no halo. */
static void peerLoads(const struct field *field, const float *start, float *end)
{
    struct part parts[MOST_PARTS];
    int which = -1, t = 0;

    if (!peersOpen(field, openPeer)) {
        rowSkip("these devices cannot use each other's memory");
        peersClose();
        return;
    }
    partsToDevices(parts, field, 1, start);
    MEASURE (run) {
        for (int s = 0; s < field->steps; s++, t++) {
            which = s % 2;
            for (int k = 0; k < field->parts; k++) {
                // TODO 6 begin: (advanced) all rows in one stream; stepOnce(), two rows elsewhere
                struct part *p = &parts[k], *a = p->above, *b = p->below;
                const int now = t % 2, before = 1 - now;
                const float *f = s == 0 ? p->start : p->field[1 - which];
                const float *up = f - p->pitch, *down = f + p->rows * p->pitch;

                cudaVerify(cudaSetDevice(p->device));
                if (a != NULL) {
                    up = lastRows(a, s == 0 ? a->start : a->field[1 - which]);
                    cudaVerify(cudaStreamWaitEvent(p->outer, a->outerDone[before], 0));
                }
                if (b != NULL) {
                    down = s == 0 ? b->start : b->field[1 - which];
                    cudaVerify(cudaStreamWaitEvent(p->outer, b->outerDone[before], 0));
                }
                stepOnce(p, f, up, down, p->field[which], 0, p->rows, p->outer);
                cudaVerify(cudaEventRecord(p->outerDone[now], p->outer));
                // TODO 6 end
            }
        }
        waitForAll(parts, field);
    }
    partsToHost(parts, field, which, end);
    peersClose();
}

extern "C" const struct variant deviceVariants[] = {
    {"link: through the host", link<throughHost, NO_ACCESS>},
    {"link: peer copy", link<peerCopy, WANTS_ACCESS>},
    {"link: loads of a kernel", link<loads, NEEDS_ACCESS>},
    {"link: stores of a kernel", link<stores, NEEDS_ACCESS>},
    {"one device", oneDevice},
    {"devices in turn", inTurn<0>},
    {"devices in turn, peer access", inTurn<1>},
    {"overlapped peer copies", overlapped<1>},
    {"a thread for each device", threads},
    {"loads from the neighbours", peerLoads},
    {"8 steps per exchange", overlapped<STEPS_PER_PASS>},
    {NULL, NULL},
};
