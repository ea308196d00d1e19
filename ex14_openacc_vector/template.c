/* TASK     c[i] = a[i] * b, n floats, by OpenACC directives: which clauses save which copies.
 * TRAFFIC  8 n bytes: a read, c written; up to 16 n more between host and device.
 * LIMIT    the link between host and device, unless the arrays stay on the device. */
#include "measure.h"
#include "vector_scale.h"

/* Enough gangs of 8 x 32 threads to fill any device several times over. */
enum { GANGS = 16384, WORKERS = 8 };

/* The compiler copies an array that no clause names there before the loop, and back after it: both
 * arrays in both directions. (For a pointer, with a length that it cannot know, we state this.) */
static void copyBothWays(const float *a, float b, float *c, size_t n)
{
    MEASURE (run) {
        // TODO 1 begin: make the loop a parallel loop that copies both arrays there and back
        UNFILLED(1);
        // TODO 1 end
        for (size_t i = 0; i < n; i++)
            c[i] = a[i] * b;
    }
}

/* a need not come back, and what c held before is of no interest: two copies fewer. */
static void copyinCopyout(const float *a, float b, float *c, size_t n)
{
    MEASURE (run) {
        // TODO 2 begin: the same, with only the copies that are needed
        UNFILLED(2);
        // TODO 2 end
        for (size_t i = 0; i < n; i++)
            c[i] = a[i] * b;
    }
}

/* The arrays stay on the device for as long as the data region lasts, however often the loop runs:
 * the time measured inside is the loop's own. */
static void insideDataRegion(const float *a, float b, float *c, size_t n)
{
    // TODO 3 begin: a data region around the block; the loop finds its arrays present
    UNFILLED(3);
    // TODO 3 end
    {
        MEASURE (run) {
            // TODO 4 begin: the parallel loop, without any copy
            UNFILLED(4);
            // TODO 4 end
            for (size_t i = 0; i < n; i++)
                c[i] = a[i] * b;
        }
    }
}

/* The same with the compiler's choice of gangs and workers replaced by ours. */
static void workersChosen(const float *a, float b, float *c, size_t n)
{
    // TODO 5 begin: (advanced) the data region as before
    UNFILLED(5);
    // TODO 5 end
    {
        MEASURE (run) {
            // TODO 5 begin: the parallel loop with gangs, workers and vectors of your choice
            UNFILLED(5);
            // TODO 5 end
            for (size_t i = 0; i < n; i++)
                c[i] = a[i] * b;
        }
    }
}

/* The vector in parts, each on a queue of its own: one part's copies run beside another part's
 * loop. */
static void asyncParts(const float *a, float b, float *c, size_t n)
{
    enum { PARTS = 4 };

    MEASURE (run) {
        for (int part = 0; part < PARTS; part++) {
            const size_t from = n * (size_t)part / PARTS;
            const size_t length = n * (size_t)(part + 1) / PARTS - from;

            // TODO 6 begin: copies and loop of this part, on queue number `part`, without waiting
            UNFILLED(6);
            // TODO 6 end
            for (size_t i = from; i < from + length; i++)
                c[i] = a[i] * b;
        }
        // TODO 7 begin: wait for all queues
        UNFILLED(7);
        // TODO 7 end
    }
}

#include "advanced/clauses.h"

const struct variant deviceVariants[] = {
    {"parallel loop, copy", copyBothWays},
    {"copyin and copyout", copyinCopyout},
    {"inside a data region", insideDataRegion},
    {"data region, workers chosen", workersChosen},
    {"async, four parts", asyncParts},
    {"kernels, independent", kernelsIndependent},
    {"update by hand", updateByHand},
    {"runtime library, deviceptr", runtimeLibrary},
    {"host_data, a CUDA kernel", cudaKernel},
    {NULL, NULL},
};
