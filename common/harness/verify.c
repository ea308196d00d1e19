/* Verification: compares every element and names the kind of mistake. */
#include "device.h"
#include "harness.h"
#include "measure_internal.h"
#include "options.h"
#include "result_provenance.h"
#include "row.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum type { FLOAT, DOUBLE, INT, UNSIGNED };

/* A result beside its reference. */
struct pair {
    const char *name;
    const void *got, *want;
    size_t n, nx, ny; /* nx = 0: no rows */
    enum type type;
    struct tolerance tolerance;
};

static double valueAt(const void *array, enum type type, size_t i)
{
    switch (type) {
    case FLOAT: return ((const float *)array)[i];
    case DOUBLE: return ((const double *)array)[i];
    case UNSIGNED: return ((const unsigned int *)array)[i];
    default: return ((const int *)array)[i];
    }
}

static double got(const struct pair *p, size_t i) { return valueAt(p->got, p->type, i); }

static double want(const struct pair *p, size_t i) { return valueAt(p->want, p->type, i); }

/* Written so that a NaN, on either side, is never close, and only infinity itself is close to an
 * infinite reference. */
static int isClose(double x, double reference, struct tolerance t)
{
    if (isinf(reference))
        return x == reference;
    return fabs(x - reference) <= t.absolute + t.relative * fabs(reference);
}

/* 1 if element i still holds the bytes of poison(), or was converted from a shorter one that does:
 * a NaN whose upper 16 bits are ones, as no operation gives it. */
static int isUntouched(const struct pair *p, size_t i)
{
    static const unsigned char poisoned[4] = {255, 255, 255, 255};
    const size_t size = p->type == DOUBLE ? 8 : 4, part = p->type >= INT ? size : 2;

    return memcmp((const char *)p->got + (i + 1) * size - part, poisoned, part) == 0;
}

static int isRight(const struct pair *p, size_t i)
{
    if (settings->special != 0 && isnan(want(p, i)))
        return isnan(got(p, i)) && !isUntouched(p, i);
    return isClose(got(p, i), want(p, i), p->tolerance);
}

/* 1 if element i and its reference are doubles that differ only in digits that a float does not
 * have. */
static int isNear(const struct pair *p, size_t i)
{
    const struct tolerance digits = {0.0, 1e-7};

    return p->type == DOUBLE && isClose(got(p, i), want(p, i), digits);
}

/* Facts about the wrong elements, from one pass over all elements. first is n and last 0 if there
 * are none. */
struct survey {
    size_t wrong, first, last;
    size_t untouched, firstUntouched, lastUntouched;
    size_t notANumber, zero;
};

static struct survey surveyOf(const struct pair *p)
{
    size_t wrong = 0, first = p->n, last = 0, untouched = 0, firstUntouched = p->n;
    size_t lastUntouched = 0, notANumber = 0, zero = 0;

#pragma omp parallel for reduction(+ : wrong, untouched, notANumber, zero)                         \
    reduction(min : first, firstUntouched) reduction(max : last, lastUntouched)
    for (size_t i = 0; i < p->n; i++) {
        if (isRight(p, i))
            continue;
        wrong++;
        first = i < first ? i : first;
        last = i > last ? i : last;
        if (isUntouched(p, i)) {
            untouched++;
            firstUntouched = i < firstUntouched ? i : firstUntouched;
            lastUntouched = i > lastUntouched ? i : lastUntouched;
        } else {
            notANumber += isnan(got(p, i)) != 0;
        }
        zero += got(p, i) == 0.0;
    }
    return (struct survey){wrong,          first,         last,       untouched,
                           firstUntouched, lastUntouched, notANumber, zero};
}

/* 1 if nearly all elements from the first wrong one to the last (a sample of them) satisfy
 * got[i] == want[i + shift]. */
static int isShifted(const struct pair *p, const struct survey *s, long shift)
{
    size_t looked = 0, same = 0, step = (s->last - s->first) / 4096 + 1;

    for (size_t i = s->first; i <= s->last; i += step) {
        if (isUntouched(p, i) || (shift < 0 && i < (size_t)-shift) ||
            (shift > 0 && i + (size_t)shift >= p->n))
            continue;
        looked++;
        same += (size_t)isClose(got(p, i), want(p, (size_t)((long)i + shift)), p->tolerance);
    }
    return looked >= 3 && same * 20 >= looked * 19;
}

/* The factor by which all wrong elements differ from the reference; 0 if there is none. */
static double commonFactor(const struct pair *p, const struct survey *s)
{
    double factor = 0.0;
    size_t step = (s->last - s->first) / 4096 + 1;

    for (size_t i = s->first; i <= s->last; i += step) {
        if (isRight(p, i) || fabs(want(p, i)) < 1e-3)
            continue;
        if (got(p, i) == 0.0)
            return 0.0;
        if (factor == 0.0)
            factor = got(p, i) / want(p, i);
        if (!(fabs(got(p, i) - factor * want(p, i)) <= 1e-4 * fabs(got(p, i))))
            return 0.0;
    }
    return isfinite(factor) ? factor : 0.0;
}

/* 1 if all wrong elements are right but for this factor, within the tolerance. */
static int isRightBut(const struct pair *p, const struct survey *s, double factor)
{
    const size_t step = (s->last - s->first) / 4096 + 1;

    for (size_t i = s->first; i <= s->last; i += step)
        if (!isRight(p, i) && !isClose(got(p, i) / factor, want(p, i), p->tolerance))
            return 0;
    return 1;
}

/* 1 if all wrong elements lie on the border of the rows. */
static int isBorderOnly(const struct pair *p)
{
    for (size_t y = 1; y + 1 < p->ny; y++)
        for (size_t x = 1; x + 1 < p->nx; x++)
            if (!isRight(p, y * p->nx + x))
                return 0;
    return 1;
}

static int isTransposed(const struct pair *p)
{
    if (p->nx != p->ny)
        return 0;
    for (size_t y = 0; y < p->ny; y++)
        for (size_t x = 0; x < p->nx; x++)
            if (!isClose(got(p, y * p->nx + x), want(p, x * p->nx + y), p->tolerance))
                return 0;
    return 1;
}

/* Names the stretch of wrong (or untouched) elements from `first` to `last`, `count` of them. */
static void stretch(const struct pair *p, size_t first, size_t last, size_t count, const char *what,
                    char *text, size_t size)
{
    const size_t block = (size_t)blockSizeUsed(), threads = threadsUsed();
    const char *rest = strchr(what, ' '); /* of "are ...", said of one element */
    const char *is = strncmp(what, "were", strlen("were")) == 0 ? "was" : "is";

    if (p->n == 1)
        snprintf(text, size, "%s%s", is, rest);
    else if (p->nx > 0 && first == last)
        snprintf(text, size, "row %zu, column %zu %s%s, and nothing else", first / p->nx,
                 first % p->nx, is, rest);
    else if (p->nx > 0 && first / p->nx == last / p->nx && count == last - first + 1)
        snprintf(text, size, "row %zu, columns %zu to %zu %s", first / p->nx, first % p->nx,
                 last % p->nx, what);
    else if (p->nx > 0 && count == last - first + 1)
        snprintf(text, size, "rows %zu to %zu %s", first / p->nx, last / p->nx, what);
    else if (p->nx > 0)
        snprintf(text, size, "%zu of %zu elements %s, the first in row %zu, column %zu", count,
                 p->n, what, first / p->nx, first % p->nx);
    else if (count != last - first + 1)
        snprintf(text, size, "%zu of %zu elements %s, the first is number %zu, the last %zu", count,
                 p->n, what, first, last);
    else if (first == last)
        snprintf(text, size, "only %s element, number %zu, %s%s",
                 first == 0         ? "the first"
                 : last == p->n - 1 ? "the last"
                                    : "one",
                 last, is, rest);
    else if (last == p->n - 1 && first > 0 && block > 0 && first == block)
        snprintf(text, size,
                 "only the first %zu elements, as many as a block has threads, are right: elements "
                 "%zu to %zu %s",
                 block, first, last, what);
    else if (last == p->n - 1 && first > 0 && block > 0 && first % block == 0 && count < block &&
             (double)first == rowThreads()) /* 0: not known */
        snprintf(text, size, "the last, partial block is missing: elements %zu to %zu %s", first,
                 last, what);
    else if (last == p->n - 1 && threads > 0 && first == threads)
        snprintf(
            text, size,
            "only the first %zu elements, as many as there are threads, are right: elements %zu "
            "to %zu %s",
            threads, first, last, what);
    else if (last == p->n - 1 && threads > 0 && first > 0 && first % threads == 0 &&
             count < threads)
        snprintf(text, size, "only whole rounds of all threads are right: elements %zu to %zu %s",
                 first, last, what);
    else
        snprintf(text, size, "elements %zu to %zu %s", first, last, what);
}

/* 1 if a factor is a whole number of at most a block's threads, as a mistake in counting gives. */
static int isCount(double factor) { return factor < 1024.5 && fabs(factor - round(factor)) < 1e-3; }

/* Names a shift along the array or by whole rows. Returns 0 if there is none. */
static int diagnoseShift(const struct pair *p, const struct survey *s, char *text, size_t size)
{
    char stretch[64] = "";

    if (s->notANumber > 0 || s->wrong < 3)
        return 0;
    for (long shift = 1; shift <= 64; shift++)
        for (int sign = -1; sign <= 1; sign += 2)
            if (isShifted(p, s, sign * shift)) {
                if (s->first > 64 || s->last + 64 < p->n)
                    snprintf(stretch, sizeof stretch, "from %zu to %zu ", s->first, s->last);
                snprintf(text, size, "%sshifted by %ld: element i holds the value of i%+ld",
                         stretch, shift, sign * shift);
                return 1;
            }
    for (long sign = -1, nx = (long)p->nx; nx > 0 && sign <= 1; sign += 2)
        if (isShifted(p, s, sign * nx)) {
            snprintf(text, size, "shifted by one row: row y holds the values of row y%+ld", sign);
            return 1;
        }
    return 0;
}

/* Names a factor that all wrong elements share. Returns 0 if there is none. */
static int diagnoseFactor(const struct pair *p, const struct survey *s, char *text, size_t size)
{
    const double factor = commonFactor(p, s);
    const double times = factor > 0.0 && factor < 1.0 ? 1.0 / factor : factor;
    const double whole = round(times);
    char what[160];

    if ((fabs(factor + 1.0) < 1e-4 || s->wrong >= 3) && isRightBut(p, s, -1.0)) {
        snprintf(text, size, "the sign is wrong");
        return 1;
    }
    if (!(whole > 1.0 && isCount(times) && isRightBut(p, s, factor < 1.0 ? 1.0 / whole : whole)))
        return 0;
    snprintf(what, sizeof what, "are exactly %.0f times too %s%s", whole,
             factor < 1.0 ? "small" : "big",
             factor > 1.0 && whole == (double)measureRuns()
                 ? ", and MEASURE has run its body as often: set to 0 inside it what is added to"
                 : "");
    stretch(p, s->first, s->last, s->wrong, what, text, size);
    return 1;
}

/* What is known of a result of which nothing was written. On a GPU a launch that failed counts. */
static const char *ofNothing(void)
{
    return provenanceIsLost() ? "nothing was written by the last run of MEASURE, though by an "
                                "earlier one: the runs do not all do the same"
           : rowNow()->traits & NO_KERNEL
               ? "nothing was written, or something was copied there that nothing has written"
           : theDevice()->emulated && rowLaunches() > 0.0
               ? "nothing was written, or only added to the old contents, though a kernel has run: "
                 "look at what it reads, where it stores, and what is copied back"
               : "nothing was written, or only added to the old contents: look at the launch "
                 "and at the copy of the result";
}

/* Of wrong elements of which some, or all, were not written. */
static void diagnoseUntouched(const struct pair *p, const struct survey *s, const char *notWritten,
                              char *text, size_t size)
{
    if (s->untouched == s->wrong) {
        stretch(p, s->first, s->last, s->wrong, notWritten, text, size);
        return;
    }
    stretch(p, s->first, s->last, s->wrong, "are wrong", text, size);
    size -= strlen(text);
    text += strlen(text);
    if (s->untouched == 1)
        snprintf(text, size, "; number %zu of them was%s", s->firstUntouched,
                 notWritten + strlen("were"));
    else
        snprintf(text, size, "; %zu of them, from number %zu on, %s", s->untouched,
                 s->firstUntouched, notWritten);
}

/* Names the mistake in a learner's words. */
static void diagnose(const struct pair *p, const struct survey *s, char *text, size_t size)
{
    const char *notWritten =
        provenanceIsWiped(p->got)
            ? "were not written by the last run of MEASURE (or come from such elements)"
            : "were not written (or come from such elements)";

    if (s->untouched > 0 && deviceShortCopy(p->got) != NULL)
        snprintf(text, size, "%s", deviceShortCopy(p->got));
    else if (s->untouched == p->n)
        snprintf(text, size, "%s", ofNothing());
    else if (s->untouched > s->wrong / 2)
        diagnoseUntouched(p, s, notWritten, text, size);
    else if (p->nx > 0 && isTransposed(p))
        snprintf(text, size, "rows and columns are swapped");
    else if (diagnoseShift(p, s, text, size))
        return;
    else if (p->nx > 2 && p->ny > 2 && isBorderOnly(p))
        snprintf(text, size,
                 "only the border (halo) is wrong: %zu elements, the first in row %zu, column %zu",
                 s->wrong, s->first / p->nx, s->first % p->nx);
    else if (s->untouched > 0)
        diagnoseUntouched(p, s, notWritten, text, size);
    else if (s->zero == s->wrong)
        stretch(p, s->first, s->last, s->wrong, "are zero but should not be", text, size);
    else if (!diagnoseFactor(p, s, text, size))
        stretch(p, s->first, s->last, s->wrong,
                s->notANumber == s->wrong ? "are NaN but should not be" : "are wrong", text, size);
}

void harnessRan(void) { wholeStop(); }

void verifyThat(int ok, const char *format, ...)
{
    char message[MESSAGE];
    va_list arguments;

    wholeStop();
    if (ok)
        return;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    rowIsWrong("%s", message);
}

int verifyPageLocked(const char *function, const void *array)
{
    const int isLocked = deviceIsPageLocked(array);

    verifyThat(
        isLocked,
        "%s allocates memory that is not page-locked memory of the host: cudaMallocHost() or "
        "cudaHostAlloc() does that",
        function);
    return isLocked;
}

static void verify(const struct pair *p)
{
    struct survey s;
    char mistake[MESSAGE / 2];
    double all = 0.0;
    size_t wrong = 0, shown;

    wholeStop();
    if (rowNow() == NULL || rowVerdict() == EXIT_UNFILLED || rowVerdict() == EXIT_SKIPPED)
        return;
        /* The common case, a right result, takes one parallel pass. */
#pragma omp parallel for reduction(+ : wrong) reduction(max : all)
    for (size_t i = 0; i < p->n; i++) {
        const int right = isRight(p, i);
        const double error = right && !isfinite(want(p, i)) ? 0.0 : fabs(got(p, i) - want(p, i));

        wrong += !right;
        all = error <= all ? all : isnan(error) ? HUGE_VAL : error;
    }
    verifyError(all);
    if (wrong == 0) {
        provenanceCompare(p->name, p->got, p->n * (p->type == DOUBLE ? 8 : 4));
        return;
    }
    s = surveyOf(p);
    diagnose(p, &s, mistake, sizeof mistake);
    shown = s.untouched > 0 ? s.firstUntouched : s.first;
    verifyThat(0,
               p->type >= INT     ? "%s: %s; %s[%zu] = %.0f, expected %.0f"
               : isNear(p, shown) ? "%s: %s; %s[%zu] = %.16g, expected %.16g"
                                  : "%s: %s; %s[%zu] = %.9g, expected %.9g",
               p->name, mistake, p->name, shown, got(p, shown), want(p, shown));
    if (s.untouched > 0 && deviceSameElement() != NULL)
        harnessRemark("%s", deviceSameElement());
    else if (p->n == 1 && deviceUseOfArrays() != NULL) /* a sum, say */
        harnessRemark("%s", deviceUseOfArrays());
}

void verifyNoBankConflicts(void)
{
    const double passes = rowNow() != NULL ? rowNow()->counters.bankConflict : 0.0;
    const enum exit_code before = rowVerdict();

    verifyThat(passes < 1.2,
               "%.1f passes for each request of shared memory: the lanes of a warp collide in a "
               "bank",
               passes);
    if (rowVerdict() != before && deviceBankConflict() != NULL)
        harnessRemark("%s", deviceBankConflict());
}

void verifyFloats(const char *name, const float *g, const float *w, size_t n,
                  struct tolerance tolerance)
{
    struct pair p = {name, g, w, n, 0, 0, FLOAT, tolerance};

    verify(&p);
}

void verifyDoubles(const char *name, const double *g, const double *w, size_t n,
                   struct tolerance tolerance)
{
    struct pair p = {name, g, w, n, 0, 0, DOUBLE, tolerance};

    verify(&p);
}

void verifyInts(const char *name, const int *g, const int *w, size_t n)
{
    struct pair p = {name, g, w, n, 0, 0, INT, {0.0, 0.0}};

    verify(&p);
}

void verifyUnsigned(const char *name, const unsigned int *g, const unsigned int *w, size_t n)
{
    struct pair p = {name, g, w, n, 0, 0, UNSIGNED, {0.0, 0.0}};

    verify(&p);
}

void verifyFloats2D(const char *name, const float *g, const float *w, size_t nx, size_t ny,
                    struct tolerance tolerance)
{
    struct pair p = {name, g, w, nx * ny, nx, ny, FLOAT, tolerance};

    verify(&p);
}
