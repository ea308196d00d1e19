/* TASK     The heat equation in 2D on any number of MPI ranks: inputs, reference, verdict of all
 *          ranks, scaling, pictures.
 * TRAFFIC  8 bytes per point and step: read once, written once.
 * LIMIT    memory bandwidth of all GPUs together. */
#include "measure.h"
#include "mpi_utils.h"
#include "diffusion2d.h"
#include "harness.h"
#include "cuda_utils.h"
#include "mpi_launch.h"
#include "mpi_requests.h"
#include <float.h>
#include <math.h>
#include <string.h>
#ifdef COURSE_HAVE_MPI_EXT
#include <mpi-ext.h>
#endif

enum {
    MOST_HALO = 8,
    MOST_ROWS = 2 * 65535, /* of a rank: a grid has at most 65535 blocks in y */
    SINE_X = 3,            /* half waves across and down */
    SINE_Y = 2
};

static int worldRank, worldRanks, rankOnNode, ranksOnNode;
static MPI_Comm active; /* the ranks that work: all of them, but for a scaling table */

static long ranksWanted, rowsWanted, steps, patience, frames = 10;
static int sine;
static const char *scaling, *gpuAware = "auto", *picture;

static const struct course_option options[] = {
    {"ranks", OPTION_INTEGER, &ranksWanted, 1, 100000, NULL, "MPI ranks to start (one per GPU)"},
    {"rows", OPTION_INTEGER, &rowsWanted, 3, 1e9, NULL, "rows of the field (as many as columns)"},
    {"steps", OPTION_INTEGER, &steps, 1, 1e6, NULL, "time steps (16; emulated 9)"},
    {"scaling", OPTION_WORD | OPTION_ASIDE, &scaling, 0, 0, "strong,weak",
     "a table over 1, 2, 4, ... ranks"},
    {"sine", OPTION_FLAG, &sine, 0, 0, NULL, "a sine wave, against its analytic decay"},
    {"gpu-aware", OPTION_WORD, &gpuAware, 0, 0, "auto,yes,no", "MPI takes device pointers"},
    {"patience", OPTION_INTEGER | OPTION_ASIDE, &patience, 1, 86400, NULL,
     "seconds to wait for a rank (120; emulated 15, small fields 4)"},
    {"picture", OPTION_WORD | OPTION_ASIDE, &picture, 0, 0, NULL,
     "hot spots; writes WORD-00.ppm, WORD-01.ppm, ..."},
    {"frames", OPTION_INTEGER | OPTION_ASIDE, &frames, 1, 99, NULL,
     "pictures after the first, --steps apart (10)"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static double fieldBytes(size_t size, int parts)
{
    const double rows = (rowsWanted > 0 ? (double)rowsWanted : (double)size) *
                        (scaling != NULL && strcmp(scaling, "weak") == 0 ? worldRanks : 1);

    return sizeof(float) * ((double)size + 32.0) * (rows / parts + 2.0 * MOST_HALO);
}

/* On one GPU, of all ranks that share it: start and two fields each. */
static double deviceBytes(size_t size)
{
    const int devices = harnessDevices();
    const int sharing = (ranksOnNode + devices - 1) / devices;

    return 3.0 * sharing * fieldBytes(size, scaling != NULL ? sharing : worldRanks);
}

/* In one node: start, end, and two fields for the reference. */
static double hostBytes(size_t size) { return 4.0 * ranksOnNode * fieldBytes(size, worldRanks); }

static const struct exercise exercise = {
    .name = "ex12_diffusion2d_mpi",
    .title = "f' = f + 1/8 (left + right + up + down - 4 f)",
    .unit = "columns",
    .size = 16384,
    .emulatedSize = 67,
    .quickSize = 4096,
    .checkSize = 8192,
    .minSize = 3,
    .maxSize = 1 << 20,
    .special = ZEROS | TINY | NANS,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

/* Seconds that a rank waits for another one. The emulated device is given little work, and the
 * sizes of a check least: there a deadlock shall be named soon. */
static int waitSeconds(void)
{
    const double nx = (double)harnessSize(), ny = rowsWanted > 0 ? (double)rowsWanted : nx;
    const int little = nx * ny * (double)steps < 5e5;

    return patience > 0 ? (int)patience : !harnessEmulated() ? 120 : little ? 4 : 15;
}

/* The largest x of all working ranks. Waits for them; verifying and CPU rows may take them long. */
static double largest(double x)
{
    mpiPatience(10 * waitSeconds(), "rank %d waits for the other ranks to come this far",
                worldRank);
    mpiVerify(MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_MAX, active));
    mpiPatienceEnd();
    return x;
}

/* Right < skipped < unfilled < wrong. */
static int badness(int verdict)
{
    return verdict == EXIT_PASS       ? 0
           : verdict == EXIT_SKIPPED  ? 1
           : verdict == EXIT_UNFILLED ? 2
                                      : 3;
}

static void worst(int *verdict, char *message, size_t size)
{
    int rank, ranks, whose;
    double worstOf;
    char own[256];

    mpiVerify(MPI_Comm_rank(active, &rank));
    mpiVerify(MPI_Comm_size(active, &ranks));
    worstOf = largest(badness(*verdict));
    /* The first rank with it speaks. */
    whose = -(int)largest(badness(*verdict) == (int)worstOf ? -rank : -ranks);
    if (rank == whose && rank > 0 && message[0] != '\0') {
        snprintf(own, sizeof own, "%s", message);
        snprintf(message, size, "rank %d: %s", rank, own);
    }
    mpiVerify(MPI_Bcast(verdict, 1, MPI_INT, whose, active));
    mpiVerify(MPI_Bcast(message, (int)size, MPI_CHAR, whose, active));
}

static void finish(void)
{
    mpiPatience(10 * waitSeconds(), "rank %d waits for the others to end", worldRank);
    mpiVerify(MPI_Finalize());
    mpiPatienceEnd();
}

/* Whether this MPI takes device pointers. The emulated device's memory is the host's. */
static int isGpuAware(void)
{
    if (strcmp(gpuAware, "auto") != 0)
        return strcmp(gpuAware, "yes") == 0;
    if (harnessEmulated())
        return 1;
#if defined MPIX_CUDA_AWARE_SUPPORT && MPIX_CUDA_AWARE_SUPPORT
    return MPIX_Query_cuda_support();
#else
    return 0;
#endif
}

/* The value of point (x, y) at the start: any rank can make any row. */
static float valueAt(const struct slab *s, size_t x, size_t y)
{
    const size_t nx = (size_t)s->nx;
    float value = 0.0f;

    if (sine)
        return (float)(sin(SINE_X * M_PI * (double)x / (s->nx - 1)) *
                       sin(SINE_Y * M_PI * (double)y / (s->ny - 1)));
    if (picture == NULL)
        return (float)specialOr((double)(randomBits(1, y * nx + x) >> 40) * 0x1p-23 - 1.0, 1,
                                y * nx + x, nx * (size_t)s->ny);
    for (int spot = 0; spot < 12; spot++) {
        const double dx = (double)x / s->nx - randomUniform(2, (size_t)spot, 0.1, 0.9);
        const double dy = (double)y / s->ny - randomUniform(3, (size_t)spot, 0.1, 0.9);

        if (hypot(dx, dy) < randomUniform(4, (size_t)spot, 0.02, 0.1))
            value = 1.0f;
    }
    return value;
}

static void fill(const struct slab *s, float *field, size_t firstRow, size_t rows)
{
#pragma omp parallel for
    for (size_t y = 0; y < rows; y++)
        for (size_t x = 0; x < (size_t)s->nx; x++)
            field[y * (size_t)s->nx + x] = valueAt(s, x, firstRow + y);
}

/* The field of a single rank: this rank's rows and one row more for every step on either side,
 * stepped without any exchange. What is missing at the cut comes one row nearer a step, and does
 * not reach the rank's own rows and halo. Returns them within buffers[0] or buffers[1]. */
static const float *reference(const struct slab *s, float *const buffers[2])
{
    const size_t nx = (size_t)s->nx;
    const int above = s->first - 1 < s->steps ? s->first - 1 : s->steps;
    const int left = s->ny - (s->first + s->rows + 1);
    const size_t rows = (size_t)(above + s->rows + 2 + (left < s->steps ? left : s->steps));
    const double waveX = sin(0.5 * SINE_X * M_PI / (s->nx - 1));
    const double waveY = sin(0.5 * SINE_Y * M_PI / (s->ny - 1));
    /* A wave is an eigenvector of the stencil: every step multiplies it by this. */
    const double decay = pow(1.0 - 4.0 * ALPHA * (waveX * waveX + waveY * waveY), s->steps);

    for (int k = 0; k < 2; k++)
        fill(s, buffers[k], (size_t)(s->first - 1 - above), rows);
    for (int step = 0; step < s->steps && !sine; step++) {
        const float *f = buffers[step % 2];
        float *g = buffers[(step + 1) % 2];

#pragma omp parallel for
        for (size_t y = 1; y < rows - 1; y++)
            for (size_t i = y * nx + 1; i < y * nx + nx - 1; i++)
                g[i] = f[i] + ALPHA * (f[i - 1] + f[i + 1] + f[i - nx] + f[i + nx] - 4.0f * f[i]);
    }
    if (sine)
        for (size_t i = 0; i < rows * nx; i++)
            buffers[s->steps % 2][i] *= (float)decay;
    return buffers[s->steps % 2] + (size_t)above * nx;
}

static float *field(const struct slab *s, int rows)
{
    return mustAllocate((size_t)rows * (size_t)s->nx * sizeof(float), "a rank's rows");
}

/* All ranks call it before `ranks` of them divide a field of ny rows. */
static void checkRows(int ranks, int ny)
{
    if (ranks > ny - 2)
        courseFailAlike(EXIT_USAGE, "%d ranks, but only %d rows inside the border", ranks, ny - 2);
    if ((ny - 2) / ranks >= MOST_ROWS)
        courseFailAlike(EXIT_USAGE, "%d rows a rank, of at most %d: start more ranks",
                        (ny - 2) / ranks, MOST_ROWS);
}

/* The field of ny rows, divided among the ranks of comm. */
static struct slab newSlab(MPI_Comm comm, int ny)
{
    struct slab s = {.comm = comm, .nx = (int)harnessSize(), .ny = ny, .steps = (int)steps};

    mpiVerify(MPI_Comm_rank(comm, &s.rank));
    mpiVerify(MPI_Comm_size(comm, &s.ranks));
    s.patience = waitSeconds();
    s.gpuAware = isGpuAware();
    divideRows(&s);
    return s;
}

/* Every inner row must have been given to one rank. */
static void verifyDivision(const struct slab *s)
{
    int sum = s->rows, first = s->first;

    mpiVerify(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, s->comm));
    mpiVerify(MPI_Bcast(&first, 1, MPI_INT, 0, s->comm));
    verifyThat(first == 1 && sum == s->ny - 2,
               "the ranks have %d rows from row %d on, of rows 1 to %d", sum, first, s->ny - 2);
}

/* Notes the present row's time on one rank in *alone, or compares its time on more ranks with
 * that. */
static void stateEfficiency(const struct slab *s, double *alone)
{
    const double share = strcmp(scaling, "weak") == 0 ? 1.0 : s->ranks;

    if (rowVerdict() != EXIT_PASS || rowSeconds() <= 0.0 || harnessEmulated())
        return;
    if (s->ranks == 1)
        *alone = rowSeconds();
    else if (*alone > 0.0)
        harnessRemark("efficiency %.3f", *alone / share / rowSeconds());
}

/* GPUs that the ranks of the slab's communicator use: the first ranks of a node have one each. */
static int gpusOf(const struct slab *s)
{
    int gpus = rankOnNode < harnessDevices();

    mpiVerify(MPI_Allreduce(MPI_IN_PLACE, &gpus, 1, MPI_INT, MPI_SUM, s->comm));
    return gpus;
}

/* Says so if no kernel goes on at the same time as another one or a copy: each then takes a step of
 * its own. */
static void remarkOverlap(const struct slab *s)
{
    const int neighbours = (s->above != MPI_PROC_NULL) + (s->below != MPI_PROC_NULL);
    const double copies = (2.0 + neighbours) * s->steps;

    if (s->ranks > 1 && s->fewestRows > 2 && rowVerdict() == EXIT_PASS && rowSteps() > 0.0 &&
        rowSteps() >= rowLaunches() + copies)
        harnessRemark(
            "nothing is computed during the exchange: the inner rows belong into a stream "
            "of their own");
}

/* All variants on the ranks of the slab's communicator. alone: the time of each of them on one
 * rank, noted or compared with; NULL: neither. */
static void runAll(const struct slab *s, double *alone)
{
    /* The same to the last bit (see ALPHA), unless the product is too small for all its bits; a
     * wave is compared with mathematics. */
    const struct tolerance tolerance = {sine ? 1e-6 * s->steps : FLT_MIN, 0.0};
    const size_t nx = (size_t)s->nx, points = ((size_t)s->rows + 2) * nx;
    const double work = (double)s->nx * s->ny * s->steps;
    float *start = field(s, s->rows + 2), *end = field(s, s->rows + 2);
    const int wide = s->rows + 2 + 2 * s->steps < s->ny ? s->rows + 2 + 2 * s->steps : s->ny;
    float *buffers[2] = {field(s, wide), field(s, wide)};
    const float *want = reference(s, buffers);
    const int parts = scaling != NULL && !harnessCpuOnly() ? 2 : 1; /* no CPU rows */
    int variant = 0;

    fill(s, start, (size_t)(s->first - 1), (size_t)s->rows + 2);
    harnessWork(2.0 * sizeof(float) * work, 7.0 * work, nx);
    harnessLimit(harnessCopyRate() * gpusOf(s));
    harnessParameters("ranks=%d ny=%d steps=%d", s->ranks, s->ny, s->steps);
    for (int part = 0; part < parts; part++) {
        if (parts > 1)
            harnessOnly(part == 0 ? ON_DEVICE : ON_LIBRARY);
        RUN_VARIANTS (v) {
            const long before = mpiRequestsPending();

            poison(end, points * sizeof *end);
            if (s->ranks > 1)
                mpiWatch((harnessEmulated() ? 2 : 5) * waitSeconds(),
                         "WRONG: rank %d gets no further in the variant '%s': it waits for "
                         "a message that does not come (another rank, another tag, or not sent)\n",
                         s->rank, v->name);
            v->run(s, start, end);
            mpiWatch(0, " ");
            verifyThat(mpiRequestsPending() == before,
                       "%ld messages are never waited for: their buffers may be overwritten before "
                       "they are sent (MPI_Waitall)",
                       mpiRequestsPending() - before);
            verifyDivision(s);
            verifyFloats2D("f", end, want, nx, (size_t)s->rows + 2, tolerance);
            if (v->traits & HIDES_EXCHANGE)
                remarkOverlap(s);
            if (alone != NULL)
                stateEfficiency(s, &alone[variant++]);
        }
    }
    free(start);
    free(end);
    free(buffers[0]);
    free(buffers[1]);
}

static int rowsOf(int ranks, int ny)
{
    return strcmp(scaling, "weak") == 0 ? (ny - 2) * ranks + 2 : ny;
}

/* The same field, or the same rows per rank, on 1, 2, 4, ... and all ranks. */
static void runScaling(int ny)
{
    double alone[64] = {0.0};

    checkRows(worldRanks, rowsOf(worldRanks, ny)); /* before anything is measured */
    for (int ranks = 1;; ranks = 2 * ranks < worldRanks ? 2 * ranks : worldRanks) {
        const int rows = rowsOf(ranks, ny);

        checkRows(ranks, rows);
        mpiVerify(MPI_Comm_split(MPI_COMM_WORLD, worldRank < ranks ? 0 : MPI_UNDEFINED, worldRank,
                                 &active));
        if (active != MPI_COMM_NULL) {
            struct slab s = newSlab(active, rows);

            runAll(&s, alone);
            mpiVerify(MPI_Comm_free(&active));
        }
        active = MPI_COMM_WORLD;
        largest(0.0);
        if (ranks == worldRanks)
            break;
    }
}

/* The field after 0, 1, ..., frames times --steps steps, by the first variant of the kind at
 * hand. */
static void runPicture(const struct slab *s)
{
#ifdef COURSE_CPU_ONLY
    const struct variant *v = &cpuVariants[1];
#else
    const struct variant *v = &deviceVariants[0];
#endif
    float *f = field(s, s->rows + 2), *g = field(s, s->rows + 2);
    char file[4096];
    Timer timer;

    initTimer(&timer);
    fill(s, f, (size_t)(s->first - 1), (size_t)s->rows + 2);
    for (int frame = 0;; frame++) {
        float *swap = f;

        snprintf(file, sizeof file, "%s-%02d.ppm", picture, frame);
        pictureWrite(file, s, f);
        if (worldRank == 0)
            fprintf(stderr, "%s written, %.0f s left  \r", file,
                    getTimer(&timer) / (frame + 1) * (double)(frames - frame));
        if (frame == frames)
            break;
        poison(g, ((size_t)s->rows + 2) * (size_t)s->nx * sizeof *g);
        v->run(s, f, g);
        f = g;
        g = swap;
    }
    if (worldRank == 0)
        fprintf(stderr, "\n");
    free(f);
    free(g);
}

/* MPI_COMM_WORLD, and this rank's place in it and in its node. Returns what the harness needs. */
static const struct harness_ranks *startRanks(int *argc, char ***argv)
{
    static struct harness_ranks ranks = {.largest = largest, .worst = worst, .finish = finish};
    MPI_Comm node;

    mpiVerify(MPI_Init(argc, argv));
    mpiVerify(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    mpiVerify(MPI_Comm_rank(MPI_COMM_WORLD, &worldRank));
    mpiVerify(MPI_Comm_size(MPI_COMM_WORLD, &worldRanks));
    mpiVerify(
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, worldRank, MPI_INFO_NULL, &node));
    mpiVerify(MPI_Comm_rank(node, &rankOnNode));
    mpiVerify(MPI_Comm_size(node, &ranksOnNode));
    mpiVerify(MPI_Allreduce(MPI_IN_PLACE, &ranksOnNode, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    mpiVerify(MPI_Comm_free(&node));
    active = MPI_COMM_WORLD;
    ranks.rank = worldRank;
    ranks.ranks = worldRanks;
    ranks.onNode = rankOnNode;
    return &ranks;
}

/* Ranks to start if --ranks is not given: one per GPU, but at least two to show a student's
 * exchange. */
static int usualRanks(const char *program)
{
#if defined COURSE_EMULATED
    (void)program;
    return 3;
#elif defined COURSE_CPU_ONLY
    (void)program;
    return 1;
#else
    const int devices = harnessDevices();

    return devices == 1 && strstr(program, "template") != NULL ? 2 : devices;
#endif
}

int main(int argc, char **argv)
{
    int ny, verdict;

    mpiLaunch(argc, argv, usualRanks(argv[0]));
    harnessRanks(startRanks(&argc, &argv));
    harnessStart(&exercise, argc, argv);
    if (steps == 0) /* nine: an exchange of wide halos, and one more step */
        steps = harnessEmulated() ? 9 : 16;
    if (ranksWanted > 0 && ranksWanted != worldRanks && !harnessListing())
        courseFailAlike(EXIT_USAGE,
                        "--ranks %ld, but MPI started %d; is it the MPI that this was built with?",
                        ranksWanted, worldRanks);
    ny = (int)(rowsWanted > 0 ? rowsWanted : (long)harnessSize());
    if (harnessListing())
        ny = worldRanks + 2; /* a row for each rank */
    if (ranksOnNode > harnessDevices() && !harnessEmulated() && !harnessCpuOnly())
        harnessNote("%d ranks share %d GPU%s and take turns: right or wrong shows, speed does not",
                    ranksOnNode, harnessDevices(), harnessDevices() > 1 ? "s" : "");
    if (scaling != NULL) {
        runScaling(ny);
    } else {
        struct slab s;

        checkRows(worldRanks, ny);
        s = newSlab(active, ny);
        if (picture != NULL)
            runPicture(&s);
        runAll(&s, NULL);
    }
    verdict = harnessFinish();
    finish();
    return verdict;
}
