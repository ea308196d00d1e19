/* device_test --mistake WHICH: its device variant makes a chosen mistake that no result shows, so
 * that the tests can demand the harness's message. */
#define ANY_ROWS /* nothing is expected of its table */
#include "device_test.h"
#include "harness.h"
#include <stddef.h>
#include <stdlib.h>

static void oneCore(const char *mistake, const float *a, float *c, size_t n)
{
    (void)mistake;
    for (size_t i = 0; i < n; i++)
        c[i] = 2.0f * a[i];
}

const struct variant cpuVariants[] = {{"one core", oneCore}, {NULL, NULL}};

static double bytes(size_t size) { return 2.0 * sizeof(float) * (double)size; }

int main(int argc, char **argv)
{
    static const char *mistake = "none";
    static struct exercise exercise;
    static const struct course_option options[] = {
        {"mistake", OPTION_WORD, &mistake, 0, 0, NULL, "which mistake to make"},
        {"grids-fold", OPTION_FLAG, &exercise.gridsFold, 0, 0, NULL, "a small grid does all"},
        {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const struct exercise values = {
        .name = "device_test",
        .title = "a variant with a mistake",
        .unit = "elements",
        .size = 10000,
        .emulatedSize = 10000,
        .quickSize = 1000,
        .minSize = 0,
        .deviceBytes = bytes,
        .hostBytes = bytes,
        .options = options,
    };
    const struct tolerance exact = {0.0, 0.0};
    float *a, *c, *want;
    size_t n;

    exercise = values;
    if (getenv("MISTAKE") != NULL)
        mistake = getenv("MISTAKE"); /* without an option that makes the run another one */
    harnessStart(&exercise, argc, argv);
    n = harnessSize();
    a = newArray(n, sizeof *a);
    c = newArray(n, sizeof *c);
    want = newArray(n, sizeof *want);
    randomFloats(a, n, 1);
    oneCore("", a, want, n);
    harnessWork(bytes(n), (double)n, n);
    RUN_VARIANTS (v) {
        poison(c, n * sizeof *c);
        v->run(mistake, a, c, n);
        verifyFloats("c", c, want, n, exact);
    }
    return harnessFinish();
}
