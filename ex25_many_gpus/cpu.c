/* TASK     The 2D diffusion on the CPU, and a copy: what the devices are compared with.
 * TRAFFIC  8 bytes per point and step.
 * LIMIT    memory bandwidth. */
#include "measure.h"
#include "many_gpus.h"
#include "steps.h"
#include <stdlib.h>
#include <string.h>

static void diffuse(const struct field *field, const float *start, float *end, int allCores)
{
    const size_t bytes = (size_t)field->nx * (size_t)field->ny * sizeof(float);
    float *other = mustAllocate(bytes, "a second field");
    /* The last step must arrive in end. */
    float *fields[2] = {field->steps % 2 ? end : other, field->steps % 2 ? other : end};

    memcpy(end, start, bytes);
    memcpy(other, start, bytes);
    MEASURE (run) {
        for (int s = 0; s < field->steps; s++)
            stepOnCpu(s == 0 ? start : fields[1 - s % 2], fields[s % 2], field->nx, field->ny,
                      allCores);
    }
    free(other);
}

static void oneCore(const struct field *field, const float *start, float *end)
{
    diffuse(field, start, end, 0);
}

static void allCores(const struct field *field, const float *start, float *end)
{
    diffuse(field, start, end, 1);
}

const struct variant cpuVariants[] = {
    {"one core", oneCore},
    {"all cores", allCores},
    {NULL, NULL},
};
