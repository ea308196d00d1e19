/* What an exercise's main.c uses: options, inputs, the loop over all variants, verification, the
 * table of results, and the exit code. The harness knows no exercise. Order of use:
 *
 *     harnessStart(&exercise, argc, argv);      options, the device, its copy rate
 *     a = newArray(n, sizeof *a); randomFloats(a, n, 1); ...
 *     harnessWork(bytes, flops, n);             what one run must move and compute
 *     RUN_VARIANTS(v) {                         every variant: CPU, device, library
 *         poison(c, n * sizeof *c);
 *         v->run(a, b, c, n);
 *         verifyFloats("c", c, reference, n, tolerance);
 *     }
 *     return harnessFinish();                   verdict, CSV, exit code
 */
#ifndef HARNESS_H
#define HARNESS_H

#include "exit_codes.h"
#include <stddef.h>

/* Where a variant runs. */
enum place { ON_CPU, ON_DEVICE, ON_LIBRARY };

/* OPTION_ASIDE is added to the kind of an option that changes no row: one that selects rows, or
 * writes a file beside them. Any other option belongs to a row's identity and stands in its record
 * if it is given. */
enum option_kind { OPTION_FLAG, OPTION_INTEGER, OPTION_NUMBER, OPTION_WORD, OPTION_ASIDE = 4 };

/* An option of the exercise's own, --name VALUE. target is an int (flag), long (integer), double
 * (number) or const char * (word), preset to the default. A value outside [min, max], or a word
 * that is not in the comma-separated list words (if there is one), ends the program with exit code
 * 2. */
struct course_option {
    const char *name;
    int kind; /* enum option_kind */
    void *target;
    double min, max;
    const char *words;
    const char *help;
};

/* Values that --special puts among the inputs, at places that --seed draws. TINY: denormal, or
 * nearly. */
enum special { ZEROS = 1, TINY = 2, INFINITIES = 4, NANS = 8 };

struct exercise {
    const char *name;  /* "ex03_vector_add" */
    const char *title; /* "c[i] = a[i] + b[i]" */
    const char *unit;  /* what --size counts: "elements" */
    /* Defaults of --size: on a GPU and its CPU rows, on the emulated device, and with --quick. The
     * GPU's default is halved until it fits into the free memory. */
    size_t size, emulatedSize, quickSize;
    size_t minSize, maxSize; /* the range of --size; maxSize 0: no limit but memory */
    size_t checkSize;    /* if not 0: a smaller default with --cache (./course check on a GPU) */
    int emulatedDevices; /* number of emulated devices, unless CUDA_EMULATED_DEVICES is set; 0: 1 */
    /* Bits of enum special: values with which every right program has the same result. */
    unsigned special;
    int gridsFold; /* 1: a grid smaller than the size still does all of the work */
    /* The size that the exercise's own options ask for, or SIZE_MAX if they ask for none. May be
     * NULL. */
    size_t (*sizeByOptions)(void);
    /* Bytes that one variant needs on the device, and the whole program on the host, for a size. */
    double (*deviceBytes)(size_t size);
    double (*hostBytes)(size_t size);
    const struct course_option *options; /* ends with name NULL; may be NULL */
};

/* Reads the options, opens the device, measures its copy rate, prints the head of the table. Ends
 * the program on --help, --list, a bad option or a size that does not fit (exit 2), no device
 * (77). */
void harnessStart(const struct exercise *exercise, int argc, char **argv);

/* Call this before main.c itself prints or measures anything. A check starts the GPU's program
 * while the emulated device is still at work, and the program waits here for its turn. The first
 * row or the first rate waits, too. */
void harnessReady(void);
/* 1 while the program waits for its turn: there is time to prepare work that some rows need. */
int harnessHasTime(void);
/* The problem size in force (--size, or the default for this device). */
size_t harnessSize(void);
/* 1 with --list: variants are only named. */
int harnessListing(void);
/* 1 if the device is the emulated one. */
int harnessEmulated(void);
/* The device's compute capability, 90 for 9.0; 0 where there is no device. */
int harnessCapability(void);
/* 1 if the program has no device rows. */
int harnessCpuOnly(void);

/* The bytes that one run must move through memory, its floating-point operations, and the size that
 * the CSV row states. Call before RUN_VARIANTS, or inside where variants differ. */
void harnessWork(double bytes, double flops, size_t size);
/* States the parameters of the rows that follow, as "name=value name=value": a sweep's point. */
void harnessParameters(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Restricts the rows that follow to one kind (a sweep needs no CPU rows); harnessAll() lifts it. */
void harnessOnly(enum place place);
void harnessAll(void);
/* Restricts the rows that follow to the variants with this in their names; NULL: as --variant
 * selects. */
void harnessVariant(const char *name);
/* Restricts the rows that follow to the variants that have one of the traits `with`, if it is not
 * 0, and none of those in `without`. */
void harnessTraits(unsigned with, unsigned without);
/* Notes under the table which of the device rows so far is the fastest: the end of a sweep. */
void harnessBest(void);
/* Overrides --block and --grid for the rows that follow; 0: as given on the command line. */
void harnessLaunch(int block, size_t grid);
/* Replaces the copy rate in "of limit" by this rate, in bytes/s, for the present device row and
 * those that follow. */
void harnessLimit(double bytesPerSecond);
/* With these functions the ranks of an MPI program decide alike and give one verdict. */
struct harness_ranks {
    int rank, ranks; /* all ranks but 0 are silent */
    int onNode; /* number of this rank on its node: it gets that GPU, modulo the number of GPUs */
    double (*largest)(double x); /* the largest x of all ranks, which wait for each other here */
    /* Makes a row's verdict and its message (of `size` bytes) those of the rank with the worst
     * one. */
    void (*worst)(int *verdict, char *message, size_t size);
    void (*finish)(void); /* ends MPI in all ranks: before an exit that all of them take */
};
/* Call before harnessStart. */
void harnessRanks(const struct harness_ranks *ranks);
/* The variants use this many devices, beginning with the opened one. MEASURE then waits for all of
 * them. */
void harnessUseDevices(int count);
/* CUDA's number of the k-th of these devices, k from 0 on. */
int harnessDeviceNumber(int k);
/* 1 if submitted work is left for which the host has not waited yet. Only the emulated device
 * knows; otherwise 0. */
int harnessWorkIsLeft(void);
/* The number of kernels and copies that must run one after another since the start of the program;
 * and from one event to another, which a variant gives as cudaEvent_t. 0 if nothing counts them. */
long harnessSteps(void);
long harnessStepsBetween(const void *begin, const void *end);
/* GPUs in this node, at least 1; bytes/s of a device-to-device copy, 0 if unknown. */
int harnessDevices(void);
double harnessCopyRate(void);
/* Bytes/s of large copies between page-locked host memory and the device: to the device, from it,
 * or the sum of both at once. Measured at the first call. 0 on the emulated device and without a
 * device. */
enum link_direction { TO_DEVICE, FROM_DEVICE, BOTH_WAYS_AT_ONCE };
double harnessLinkRate(enum link_direction direction);
/* A line of the exercise's own under the present row (measure.h has it too), and one under the
 * table. */
void harnessRemark(const char *format, ...) __attribute__((format(printf, 1, 2)));
void harnessNote(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Zeroed host memory for count elements, freed by harnessFinish(). Ends the program (exit 2) if
 * there is none. count may be 0. */
void *newArray(size_t count, size_t elementSize);
/* Fills an output with 0xFF bytes (a NaN; the integer -1), so that an element nobody writes is
 * found, and one that is only added to stays a NaN. */
void poison(void *array, size_t bytes);

/* Uniform values in [-1, 1), different for every stream and element, from --seed; the same on every
 * machine and for every number of threads. randomBits gives the 64 bits behind element i. */
void randomFloats(float *x, size_t n, int stream);
void randomDoubles(double *x, size_t n, int stream);
/* x, or what --special puts in its place: element i of n. Both functions above do so. */
double specialOr(double x, int stream, size_t i, size_t n);
unsigned long long randomBits(int stream, size_t i);
double randomUniform(int stream, size_t i, double from, double to);

/* The sum of x[i] * y[i], in double with compensated additions. All cores work on it, and the
 * result does not depend on their number. */
double dotOfFloats(const float *x, const float *y, size_t n);
double dotOfDoubles(const double *x, const double *y, size_t n);

/* Ends the time with copies of the present variant. The verifying functions call it; main.c calls
 * it if it computes something before it verifies. */
void harnessRan(void);

/* |got - want| <= absolute + relative * |want|, so NaN never passes. With --special it does where
 * the reference is NaN, too. */
struct tolerance {
    double absolute, relative;
};

/* Each compares every element of a result with the reference and, if one is wrong, makes the
 * present row WRONG and names the kind of mistake. The 2D form (ny rows of nx, element (x, y) at y
 * * nx + x, borders included) also knows rows, columns and borders. */
void verifyFloats(const char *name, const float *got, const float *want, size_t n,
                  struct tolerance tolerance);
void verifyDoubles(const char *name, const double *got, const double *want, size_t n,
                   struct tolerance tolerance);
void verifyInts(const char *name, const int *got, const int *want, size_t n);
void verifyUnsigned(const char *name, const unsigned int *got, const unsigned int *want, size_t n);
void verifyFloats2D(const char *name, const float *got, const float *want, size_t nx, size_t ny,
                    struct tolerance tolerance);
/* The exercise's own check: makes the row WRONG with this message unless ok. */
void verifyThat(int ok, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Makes the row WRONG and returns 0 unless the array that `function` allocated is page-locked host
 * memory. Only the emulated device knows. */
int verifyPageLocked(const char *function, const void *array);
/* States the error of the present row (for a check of the exercise's own). */
void verifyError(double error);
/* The verdict of the present row so far: EXIT_PASS, EXIT_WRONG, EXIT_UNFILLED or EXIT_SKIPPED. */
enum exit_code rowVerdict(void);
/* Median seconds of the last measurement of the present row; 0 if there was none. */
double rowSeconds(void);
/* The same with allocation and the copies between host and device; 0 before the row is verified. */
double rowSecondsWithCopies(void);
/* Demands that the present row has hardly any bank conflicts, where they are counted; names the
 * worst access. */
void verifyNoBankConflicts(void);
/* The fraction of the bytes moved between memory and the multiprocessors that some lane asked for,
 * in the present row; 0 if nothing counts them. */
double rowBytesUsed(void);
/* The length of a run of the present row in steps of the emulated device's clock: each copy between
 * host and device and each kernel takes one step, and independent operations share it. rowWaits()
 * is how often the host waits for one of them. 0 if nothing counts them. */
double rowSteps(void);
double rowWaits(void);
/* The bytes that such a run sends from the host to the device, by copies or as the host writes into
 * memory that kernels use, too; and those that its copies read from the device. */
double rowBytesSent(void);
double rowBytesRead(void);
/* Kernels, and calls of a library that compute on the device, in a run of the present row; 0 if
 * nothing counts them. */
double rowLaunches(void);
/* The number of threads of these kernels. */
double rowThreads(void);
/* 1 if atomics were counted in the present row, and no compare-and-swap among them; 0 if nothing
 * counts them. */
int rowHasAtomicsButNoSwap(void);
/* As the trait WRONG_ON_PURPOSE, for a row that is wrong only with some inputs. Call in the
 * loop. */
void rowIsDemonstration(void);

/* The verdict, the CSV file and the exit code; frees all arrays. */
int harnessFinish(void);

/* A row that deviceVariants must have. Rows of a student's own may stand beside these; they are
 * shown and not judged. */
struct expected_row {
    const char *name;
    const char *run; /* as the solution writes it; rows in which it differs share no function */
    unsigned traits;
    int isConditional; /* it stands in an #if: not every toolkit has it */
    /* The contents of deviceVariants. */
    void (*runThere)(void);
    size_t times;
};
/* Names the rows that must be there; call before harnessHas(). */
void harnessExpects(struct expected_row *rows, size_t count);
/* deviceVariants has this row. */
void harnessHas(const char *name, void (*run)(void));
/* The traits of a row: those that are expected of it or, in another table, its own. */
unsigned harnessTraitsOf(const char *name, enum place place, unsigned own);

/* For RUN_VARIANTS: rowBegin() opens a variant's row, or returns 0 if --variant or harnessOnly()
 * leaves the variant out; rowEnd() closes it. */
int rowBegin(const char *name, enum place place, unsigned traits);
void rowEnd(void);

/* Prints "PROGRAM: message" to stderr and ends the program with that exit code. courseFailAlike()
 * is for errors that all ranks of an MPI program find together: all call it, and only rank 0
 * prints. */
void courseFail(enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));
void courseFailAlike(enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

#ifdef VARIANTS_H
#define RUN_VARIANTS(v) for (const struct variant *v = NULL; (v = nextVariant(v)) != NULL;)

#if !defined COURSE_CPU_ONLY && !defined ANY_ROWS
/* Compares deviceVariants with variants.inc, which has the rows of the solution and their
 * traits. */
static inline void compareRows(void)
{
#define DEVICE_ROW(name, run, traits) {name, run, traits, 0, NULL, 0},
#define DEVICE_ROW_IF(name, run, traits) {name, run, traits, 1, NULL, 0},
    static struct expected_row rows[] = {
#include "variants.inc"
    };
#undef DEVICE_ROW_IF
#undef DEVICE_ROW

    harnessExpects(rows, sizeof rows / sizeof *rows);
    for (const struct variant *v = deviceVariants; v->name != NULL; v++)
        harnessHas(v->name, (void (*)(void))v->run);
}
#else
#define compareRows() ((void)0)
#endif

static inline const struct variant *nextVariant(const struct variant *v)
{
    static const struct variant *const tables[] = {
        cpuVariants,
#ifndef COURSE_CPU_ONLY
        deviceVariants,
#else
        NULL,
#endif
#ifdef COURSE_LIBRARY
        libraryVariants,
#else
        NULL,
#endif
    };
    static const struct variant *next;
    static struct variant row; /* with its traits, which deviceVariants need not state */
    static int place, isCompared;

    if (v == NULL) {
        if (!isCompared++)
            compareRows();
        place = ON_CPU;
        next = tables[ON_CPU];
    } else {
        rowEnd();
    }
    for (;;) {
        while (next == NULL || next->name == NULL) {
            if (++place > ON_LIBRARY)
                return NULL;
            next = tables[place];
        }
        row = *next++;
        row.traits = harnessTraitsOf(row.name, (enum place)place, row.traits);
        if (!rowBegin(row.name, (enum place)place, row.traits))
            continue;
        if (row.run == NULL)
            courseFail(EXIT_ERROR, "%s: the table of variants names no function for this row",
                       row.name);
        return &row;
    }
}
#endif

#endif
