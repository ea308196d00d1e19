/* TASK     X[k] = sum over j of x[j] w^(j k), in each of many transforms, and one large transform:
 *          the problems, their inputs, what is right, and an image that is filtered.
 * TRAFFIC  16 bytes for each point: x read, X written.
 * LIMIT    memory bandwidth. */
#include "measure.h"
#include "fft.h"
#include "harness.h"
#include "picture.h"
#include "png.h"
#include "reference.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* The transforms of a row that is too slow for more. */
enum { PART = 1024 };

static const char *length, *pictureFile;
static int inThreePasses;

static const struct course_option options[] = {
    {"points", OPTION_WORD, &length, 0, 0, "256,1024,4096,8192",
     "points of a transform (4096; emulated: 256); the large one has their square"},
    {"picture", OPTION_WORD | OPTION_ASIDE, &pictureFile, 0, 0, NULL,
     "filters an image of --points rows and columns, and writes it (.png)"},
    {"three-passes", OPTION_FLAG, &inThreePasses, 0, 0, NULL,
     "the large transform in three passes where two would do"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

/* Many transforms, or one large one: what is right, and of the first points what is exact. */
struct problem {
    size_t n, batch, exactPoints;
    double sizeOfX; /* the root mean square of |X| */
    struct point *reference;
    struct exact *exact;
};

static struct point *x, *y;
static struct exact *work;
static struct problem many, large;

int threePasses(void) { return inThreePasses; }

static size_t points(void)
{
    return length != NULL ? (size_t)atol(length) : harnessEmulated() ? 256 : 4096;
}

/* The emulated device would take a minute for a large one of more points. */
static int hasLarge(void) { return !harnessEmulated() || points() == 256; }

/* A picture has as many rows as columns. */
static size_t sizeOfOptions(void) { return pictureFile != NULL ? points() : SIZE_MAX; }

static double pointsOf(size_t size)
{
    return (double)points() * (double)(size < points() && hasLarge() ? points() : size);
}

static double deviceBytes(size_t size) { return 3.0 * sizeof(struct point) * pointsOf(size); }

static double hostBytes(size_t size)
{
    return 3.0 * sizeof(struct point) * pointsOf(size) +
           (sizeof(struct point) + 3.0 * sizeof(struct exact)) * pointsOf(1);
}

static const struct exercise exercise = {
    .name = "ex29_fft",
    .title = "X[k] = sum over j of x[j] exp(-2 pi i j k / n)",
    .unit = "transforms",
    .size = 16384,
    .emulatedSize = 19,
    .quickSize = 1024,
    .checkSize = 2048,
    .minSize = 1,
    .maxSize = 4000000,
    .gridsFold = 1,
    .sizeByOptions = sizeOfOptions,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

/* The reference itself is held against the sum, of which three suffice: a wrong pass is wrong
 * everywhere; and against Parseval. */
static void checkReference(struct problem *p)
{
    double sum = 0.0, wanted = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        sum += p->exact[i].re * p->exact[i].re + p->exact[i].im * p->exact[i].im;
        wanted += (double)x[i].re * x[i].re + (double)x[i].im * x[i].im;
    }
    if (!(fabs(sum - wanted * (double)p->n) <= 1e-12 * sum))
        courseFail(EXIT_WRONG, "the reference contradicts Parseval");
    p->sizeOfX = sqrt(sum / (double)p->n);
    for (size_t k = 1; k < p->n; k += p->n / 3 + 1) {
        const struct exact e = byDefinitionInLongDouble(x, p->n, k), got = p->exact[k];

        if (!(hypot(e.re - got.re, e.im - got.im) < 1e-12 * p->sizeOfX))
            courseFail(EXIT_WRONG, "the reference is wrong at %zu of %zu points", k, p->n);
    }
}

/* Computes what is right in parts of points() transforms, the first one last, and keeps that. */
static void solve(struct problem *p)
{
    const size_t most = points() * points(), total = p->n * p->batch;

    for (size_t first = (total - 1) / most * most;; first -= most) {
        const size_t count = total - first < most ? total - first : most;

        transformInDouble(x + first, p->exact, work, p->n, count / p->n);
#pragma omp parallel for
        for (size_t i = 0; i < count; i++)
            p->reference[first + i] = (struct point){(float)p->exact[i].re, (float)p->exact[i].im};
        if (first == 0)
            break;
    }
    p->exactPoints = total < most ? total : most;
    checkReference(p);
}

/* The error of the first points, as a fraction of their size: both root mean squares. */
static double errorOf(const struct problem *p, size_t count)
{
    double error = 0.0, size = 0.0;

    if (count > p->exactPoints)
        count = p->exactPoints;
#pragma omp parallel for reduction(+ : error, size)
    for (size_t i = 0; i < count; i++) {
        const double re = y[i].re - p->exact[i].re, im = y[i].im - p->exact[i].im;

        error += re * re + im * im;
        size += p->exact[i].re * p->exact[i].re + p->exact[i].im * p->exact[i].im;
    }
    return sqrt(error / size);
}

/* Each of log2(n) passes rounds, at random, so that errors grow as sqrt(log n); the sum by
 * definition rounds n times, and its error grows as sqrt(n). Twiddles that are powers of
 * inexact ones are within the tolerance, but double the error. */
static void judge(const struct variant *v, const struct problem *p, size_t batch)
{
    const int isSum = (v->traits & PART_OF_SIZE) != 0;
    const double error = errorOf(p, p->n * batch);
    const struct tolerance allowed = {p->sizeOfX * (isSum ? 1e-6 * sqrt((double)p->n) : 1e-5), 0.0};

    verifyFloats("X as floats", &y->re, &p->reference->re, 2 * p->n * batch, allowed);
    if (v->traits & EXACT_TWIDDLES)
        verifyThat(error < 6e-8 * sqrt(log2((double)p->n)),
                   "the error is %.2g of X, more than rounding with exact twiddles gives", error);
    if (v->traits & WITHOUT_CONFLICTS)
        verifyNoBankConflicts();
    if (rowVerdict() == EXIT_PASS)
        harnessRemark("error %.2g of X, in the root mean square", error);
}

static void runAll(void)
{
    solve(&many);
    RUN_VARIANTS (v) {
        struct problem *p = v->traits & ONE_LARGE ? &large : &many;
        const size_t batch = v->traits & PART_OF_SIZE && p->batch > PART ? PART : p->batch;
        const double count = (double)p->n * (double)batch;

        if (p->reference == NULL) {
            p->reference = newArray(p->n, sizeof *p->reference);
            p->exact = newArray(p->n, sizeof *p->exact);
            solve(p);
        }
        if (batch < p->batch)
            harnessRemark("(%zu transforms only)", batch);
        harnessWork(2.0 * sizeof *x * count, 5.0 * log2((double)p->n) * count, p->n * batch);
        poison(y, p->n * batch * sizeof *y);
        v->run(x, y, p->n, batch);
        judge(v, p, batch);
    }
}

/* Rows, columns, and the same back. The last row of the table has computed what is seen. */
static void filterImage(size_t side)
{
    static const char *const step[] = {"rows", "columns", "rows back", "columns back"};
    float *panels = newArray(3 * side * side, sizeof *panels);

    harnessTraits(0, ONE_LARGE | ASKS_FOR_MORE);
    drawScene(x, side);
    keepImage(x, panels, side, 1.0);
    for (int s = 0; s < 4; s++) {
        harnessParameters("step=%s", step[s]);
        runAll();
        turnOver(y, x, side);
        if (s == 1) {
            turnOver(x, y, side);
            keepSpectrum(y, panels + side * side, side);
            removeStripes(x, side);
        }
    }
    keepImage(x, panels + 2 * side * side, side, 1.0 / ((double)side * (double)side));
    drawPanels(pictureFile, panels, side);
    harnessNote("%s: an image with stripes, its spectrum, the image without them", pictureFile);
}

int main(int argc, char **argv)
{
    size_t total, part;

    harnessStart(&exercise, argc, argv);
    checkPngName("picture", pictureFile);
    many.n = points();
    many.batch = harnessSize();
    large.n = points() * points();
    large.batch = 1;
    total = (size_t)pointsOf(many.batch);
    part = total < large.n ? total : large.n;
    x = newArray(total, sizeof *x);
    y = newArray(total, sizeof *y);
    work = newArray(part, sizeof *work);
    many.reference = newArray(many.n * many.batch, sizeof *many.reference);
    many.exact = newArray(part, sizeof *many.exact);
    if (!hasLarge())
        harnessTraits(0, ONE_LARGE);
    randomFloats(&x->re, 2 * total, 1);

    if (length == NULL && harnessEmulated())
        harnessParameters("points=%zu", points()); /* not those of a GPU */
    if (pictureFile != NULL && !harnessListing())
        filterImage(many.n);
    else
        runAll();
    return harnessFinish();
}
