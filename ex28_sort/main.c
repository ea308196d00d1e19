/* TASK     n keys of 32 bits in ascending order, with their values: the problem, its inputs, and
 *          the check that the result is in order, has the keys of the input, and is stable.
 * TRAFFIC  8 n bytes, of pairs 16 n: keys read and written.
 * LIMIT    memory bandwidth, times the number of passes. */
#include "measure.h"
#include "sort.h"
#include "harness.h"
#include <stdint.h>
#include <string.h>

static int pairs;
static const char *order = "random", *typeName = "unsigned";

static const struct course_option options[] = {
    {"pairs", OPTION_FLAG, &pairs, 0, 0, NULL, "keys with values: the number of the key"},
    {"order", OPTION_WORD, &order, 0, 0, "random,sorted,reversed,few,equal",
     "the order of the keys; few: seven different ones"},
    {"type", OPTION_WORD, &typeName, 0, 0, "unsigned,int,float", "what the bits of a key mean"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

/* What is moved: keys, or keys and values. */
static double bytesOf(double n) { return n * sizeof(unsigned int) * (pairs ? 2 : 1); }

/* The input and two places, and the counters, or what a library works in. */
static double deviceBytes(size_t size) { return 4.0 * bytesOf((double)size); }

static double hostBytes(size_t size) { return 3.0 * bytesOf((double)size); }

static const struct exercise exercise = {
    .name = "ex28_sort",
    .title = "n keys in ascending order",
    .unit = "keys",
    .size = (size_t)1 << 28,
    .emulatedSize = 4001,
    .quickSize = (size_t)1 << 22,
    .checkSize = (size_t)1 << 24,
    .minSize = 0,
    .maxSize = ((size_t)1 << 30) - 1,
    .gridsFold = 1,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

static size_t n;
static enum key_type type;
static unsigned int *key, *value, *sortedKey, *sortedValue;

static int orderIs(const char *name) { return strcmp(order, name) == 0; }

/* A key whose number among all is about u of 2^32. */
static unsigned int keyAt(unsigned int u)
{
    union {
        float value;
        unsigned int bits;
    } number;

    number.value = (float)(u / 2147483648.0 - 1.0);
    return type == FLOAT_KEYS ? number.bits : type == INT_KEYS ? u ^ 0x80000000u : u;
}

static void makeKeys(void)
{
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        const unsigned int random = (unsigned int)(randomBits(1, i) >> 32);
        const unsigned int inOrder = (unsigned int)((double)i / (double)n * 4294967295.0);

        key[i] = keyAt(orderIs("sorted")     ? inOrder
                       : orderIs("reversed") ? ~inOrder
                       : orderIs("few")      ? random % 7 * 0x1c71c71du
                       : orderIs("equal")    ? (unsigned int)(randomBits(2, 0) >> 32)
                                             : random);
        if (pairs)
            value[i] = (unsigned int)i;
    }
}

/* A word that any other key or value shares only by chance: sums of keys would not show that one
 * has become larger, and another smaller. */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 31) * 0x7fb5d329728ea185u;
    x = (x ^ x >> 27) * 0x81dadef4bc2dd44du;
    return x ^ x >> 33;
}

static uint64_t sumOfMixed(const unsigned int *x, size_t first, size_t end)
{
    uint64_t sum = 0;

#pragma omp parallel for reduction(+ : sum) if (end - first > TILE)
    for (size_t i = first; i < end; i++)
        sum += mixed(x[i] + 1u + ((uint64_t)1 << 40));
    return sum;
}

/* How many of these words are as poison() leaves them. */
static size_t poisoned(const unsigned int *x, size_t first, size_t end)
{
    size_t count = 0;

#pragma omp parallel for reduction(+ : count) if (end - first > TILE)
    for (size_t i = first; i < end; i++)
        count += x[i] == 0xffffffffu;
    return count;
}

/* The keys of [first, end) are those of the input. */
static int sameKeys(size_t first, size_t end)
{
    size_t unwritten, before;

    if (sumOfMixed(key, first, end) == sumOfMixed(sortedKey, first, end))
        return 1;
    unwritten = poisoned(sortedKey, first, end);
    before = poisoned(key, first, end);
    if (unwritten > before)
        verifyThat(0,
                   "of elements %zu to %zu, %zu are 0xffffffff: never written, or the padding of a "
                   "tile",
                   first, end - 1, unwritten - before);
    else
        verifyThat(0, "elements %zu to %zu are not the keys of the input: some are lost", first,
                   end - 1);
    return 0;
}

/* What can be wrong with element i, when the one before it is right. */
enum fault { RIGHT, OUT_OF_ORDER, NO_INDEX, OTHER_KEY, UNSTABLE };

static enum fault faultOf(size_t i, unsigned traits)
{
    const int first = i == 0 || ((traits & TILES_ONLY) && i % TILE == 0);

    if (!first && encoded(sortedKey[i], type) < encoded(sortedKey[i - 1], type))
        return OUT_OF_ORDER;
    if (!pairs)
        return RIGHT;
    if (sortedValue[i] >= n)
        return NO_INDEX;
    if (key[sortedValue[i]] != sortedKey[i])
        return OTHER_KEY;
    if (!first && !(traits & NOT_STABLE) && sortedKey[i] == sortedKey[i - 1] &&
        sortedValue[i] <= sortedValue[i - 1])
        return UNSTABLE;
    return RIGHT;
}

/* The values of a stable sort ascend among equal keys, so none can be there twice, and all are; the
 * others are added up, as the keys are. */
static void verifySorted(unsigned traits)
{
    const size_t step = traits & TILES_ONLY ? TILE : n;
    size_t wrong = n;

    for (size_t first = 0; first < n; first += step)
        if (!sameKeys(first, first + step < n ? first + step : n))
            return;
#pragma omp parallel for reduction(min : wrong)
    for (size_t i = 0; i < n; i++)
        if (faultOf(i, traits) != RIGHT && i < wrong)
            wrong = i;
    if (wrong == n) {
        verifyThat(!pairs || sumOfMixed(value, 0, n) == sumOfMixed(sortedValue, 0, n),
                   "the values are not those of the input: some are lost");
        return;
    }
    switch (faultOf(wrong, traits)) {
    case OUT_OF_ORDER: verifyThat(0, "element %zu is smaller than the one before it", wrong); break;
    case NO_INDEX:
        verifyThat(0, "the value of element %zu is %u: not one of the input", wrong,
                   sortedValue[wrong]);
        break;
    case OTHER_KEY:
        verifyThat(0, "the value of element %zu, %u, is that of another key: both must move", wrong,
                   sortedValue[wrong]);
        break;
    case UNSTABLE:
        verifyThat(0,
                   "elements %zu and %zu are equal, and their values %u and %u have changed their "
                   "order: not stable",
                   wrong - 1, wrong, sortedValue[wrong - 1], sortedValue[wrong]);
        break;
    case RIGHT: break;
    }
}

static void runRows(void)
{
    RUN_VARIANTS (v) {
        poison(sortedKey, n * sizeof *sortedKey);
        if (pairs)
            poison(sortedValue, n * sizeof *sortedValue);
        v->run(key, value, sortedKey, sortedValue, n, type);
        harnessRan();
        verifySorted(v->traits);
    }
}

int main(int argc, char **argv)
{
    harnessStart(&exercise, argc, argv);
    n = harnessSize();
    type = strcmp(typeName, "int") == 0     ? INT_KEYS
           : strcmp(typeName, "float") == 0 ? FLOAT_KEYS
                                            : UNSIGNED_KEYS;
    key = newArray(n, sizeof *key);
    sortedKey = newArray(n, sizeof *sortedKey);
    if (pairs) {
        value = newArray(n, sizeof *value);
        sortedValue = newArray(n, sizeof *sortedValue);
    }
    makeKeys();

    harnessWork(2.0 * bytesOf((double)n), 0.0, n);
    harnessTraits(TILES_ONLY, 0);
    harnessParameters("tile=%d", TILE);
    runRows();
    harnessTraits(0, TILES_ONLY);
    harnessParameters("%s", "");
    runRows();
    return harnessFinish();
}
