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
    NOT_IMPLEMENTED_VALUE(1, 0);
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
    NOT_IMPLEMENTED(2);
    // TODO 2 end
}

/* cudaDeviceSynchronize() waits for the active device, and for no other. */
static void waitForAll(const struct part *parts, const struct field *field)
{
    // TODO 3 begin: wait for each part's device
    NOT_IMPLEMENTED(3);
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
            NOT_IMPLEMENTED(3);
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
    NOT_IMPLEMENTED(4);
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
        NOT_IMPLEMENTED(5);
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
                NOT_IMPLEMENTED(6);
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
