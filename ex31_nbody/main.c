/* TASK     the accelerations that n bodies give each other by gravity, and their motion: the
 *          scenes, the reference, the energy, and a picture of galaxies over time.
 * TRAFFIC  28 n bytes: places and masses read, accelerations written.
 * LIMIT    arithmetic: n^2 interactions of 12 multiply-adds and a reciprocal root. */
#include "measure.h"
#include "cpu.h"
#include "cuda_utils.h" /* Timer */
#include "picture.h"
#include "png.h"
#include "scene.h"
#include "tree.h"
#include "harness.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Operations of an interaction, by convention: 3 differences, 6 for the distance, a root, 4 for the
 * pull, 6 for the sums. Rates count them, whatever a variant does. */
enum { FLOPS = 20 };
/* Interactions that the CPU can do in passing: for a row of one core, and for the reference. */
static const double affordable = 1 << 26, verifiable = 1 << 30;
/* Bodies of a row with MOVES, whose reference takes many times as long. */
enum { MOST_MOVING = 8192, MOST_MOVING_EMULATED = 100 };

static long steps = 4;
static double dt = 1.0 / 64.0, softening = 0.05, away, duration = 1.0, theta = 0.5;
static const char *sceneName = "cluster", *sweep, *pictureFile;
static long panels = 6;

static const struct course_option options[] = {
    {"scene", OPTION_WORD, &sceneName, 0, 0, "cluster,galaxies", "which bodies (cluster)"},
    {"softening", OPTION_NUMBER, &softening, 1e-3, 1e3, NULL,
     "added to each distance, as a square (0.05)"},
    {"away", OPTION_NUMBER, &away, -1e6, 1e6, NULL,
     "so far from the origin in x, y and z (0): a float is less exact there"},
    /* A body lies within 1.73 sizes of the centre of its own node: up to 0.57 that is near. */
    {"theta", OPTION_NUMBER, &theta, 0.0, 0.57, NULL,
     "of the tree: nodes are near from a size of theta times their distance on (0.5)"},
    {"steps", OPTION_INTEGER, &steps, 1, 1000000, NULL, "steps of leapfrog (4)"},
    {"dt", OPTION_NUMBER, &dt, 1e-6, 1e3, NULL, "the length of a step (1/64)"},
    {"sweep", OPTION_WORD | OPTION_ASIDE, &sweep, 0, 0, "sizes,dt",
     "256, 512, ... bodies up to --size; or ever shorter steps, up to --duration"},
    {"duration", OPTION_NUMBER, &duration, 1e-3, 1e3, NULL, "of --sweep dt (1)"},
    {"picture", OPTION_WORD | OPTION_ASIDE, &pictureFile, 0, 0, NULL,
     "writes a picture of the bodies over time (.png)"},
    {"panels", OPTION_INTEGER | OPTION_ASIDE, &panels, 1, 60, NULL,
     "of that picture (6), --steps steps from one to the next"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static int isOfGalaxies(void) { return strcmp(sceneName, "galaxies") == 0; }

static double deviceBytes(size_t size)
{
    return (double)size * (3.0 * sizeof(struct body) + 3.0 * sizeof(float) +
                           2.0 * (sizeof(struct node) + sizeof(struct body)));
}

static double hostBytes(size_t size)
{
    return (double)size * (8.0 * sizeof(struct body) + 17.0 * sizeof(float) +
                           12.0 * sizeof(double) + 2.0 * sizeof(struct node));
}

static const struct exercise exercise = {
    .name = "ex31_nbody",
    .title = "gravity between n bodies",
    .unit = "bodies",
    .size = 131072,
    .emulatedSize = 500,
    .quickSize = 4096,
    .checkSize = 16384,
    .minSize = 1,
    .maxSize = (size_t)1 << 21,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

static struct body *start, *rest, *velocity, *atEnd, *velocityAtEnd;
static float *a, *want;
/* The reference: places, velocities and accelerations in double, all x, then all y, then all z. */
static double *place, *speed, *force;
static float *places, *wantPlaces; /* the same, as a row with MOVES returns them */
static double *lengths;            /* of each body: see struct magnitude */

/* The tree, which main() gives the rows that need one, and how many interactions it takes. */
static struct tree tree;
static struct body *sorted;
static int *order;
static struct node *nodes;
static double interactions, secondsToBuild;

/* What the accelerations are made of: for each body the sum of the lengths of what all others add,
 * and of their masses over the cubes of their distances, without itself. The mean of the first and
 * the largest of the second bound the rounding errors. */
struct magnitude {
    double length, pull;
};

/* The acceleration of body i by all n, in double, in out[0], out[n] and out[2 n]. */
static struct magnitude accelerationOf(size_t i, size_t n, double *out)
{
    const double *x = place, *y = place + n, *z = place + 2 * n;
    double ax = 0.0, ay = 0.0, az = 0.0, length = 0.0, pulls = 0.0;
    struct magnitude m;

#pragma omp simd reduction(+ : ax, ay, az, length, pulls)
    for (size_t j = 0; j < n; j++) {
        const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        const double square = dx * dx + dy * dy + dz * dz;
        const double root = 1.0 / sqrt(square + softening * softening);
        const double pull = start[j].mass * root * root * root;

        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
        length += pull * sqrt(square);
        pulls += pull;
    }
    out[0] = ax;
    out[n] = ay;
    out[2 * n] = az;
    m.length = length;
    m.pull = pulls - start[i].mass * pow(softening, -3.0);
    return m;
}

/* Of so many bodies only each stride-th has a reference, if there are too many for all of them. An
 * odd stride meets all lanes of the warps. */
static size_t strideFor(size_t n) { return (size_t)ceil((double)n * (double)n / verifiable) | 1; }

/* The accelerations of every stride-th body where all are now. Returns the mean length, and the
 * largest pull. */
static struct magnitude computeForces(size_t n, size_t stride)
{
    double length = 0.0, pull = 0.0;
    struct magnitude m;

#pragma omp parallel for reduction(+ : length) reduction(max : pull) if (n > 64)
    for (size_t i = 0; i < (harnessListing() ? 0 : n); i += stride) {
        const struct magnitude own = accelerationOf(i, n, force + i);

        lengths[i] = own.length;
        length += own.length * (double)stride / (double)n;
        pull = own.pull > pull ? own.pull : pull;
    }
    m.length = length;
    m.pull = fmax(pull, 0.0);
    return m;
}

static void setPlaces(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        place[i] = (double)start[i].x + rest[i].x;
        place[n + i] = (double)start[i].y + rest[i].y;
        place[2 * n + i] = (double)start[i].z + rest[i].z;
        speed[i] = velocity[i].x;
        speed[n + i] = velocity[i].y;
        speed[2 * n + i] = velocity[i].z;
    }
}

/* The reference takes its n bodies through all steps. */
static struct magnitude computeMotion(size_t n)
{
    struct magnitude m = computeForces(n, 1);

    for (long step = 0; step <= steps; step++) {
        const double kick = step == 0 || step == steps ? 0.5 * dt : dt;

        for (size_t k = 0; k < 3 * n; k++) {
            speed[k] += kick * force[k];
            place[k] += step < steps ? dt * speed[k] : 0.0;
        }
        if (step < steps) {
            const double pull = m.pull;

            m = computeForces(n, 1);
            m.pull = fmax(m.pull, pull);
        }
    }
    return m;
}

/* A term is off by some units in its last place: half of one for each difference, three times what
 * the root is off by, a few for the products. The errors of n additions grow like sqrt(n), as
 * exercise 6 explains. Places rounded to float are off by half a unit of theirs. */
static struct tolerance toleranceOfForces(struct magnitude m, size_t n, int isExact)
{
    const double unit = 0.5 * FLT_EPSILON;
    const double ofPlaces = isExact ? 0.0 : 4.0 * unit * fabs(away) * m.pull;
    const struct tolerance t = {unit * (8.0 + sqrt((double)n)) * m.length + ofPlaces, 32.0 * unit};

    return t;
}

/* All forces together are zero, to each force there is another one against it. This holds for all
 * bodies, also where the reference is that of a few. */
static void verifyMomentum(size_t n, struct tolerance t)
{
    double sum[3] = {0.0, 0.0, 0.0}, all = 0.0;

    for (size_t i = 0; i < n; i++) {
        all += start[i].mass;
        for (size_t k = 0; k < 3; k++)
            sum[k] += (double)start[i].mass * (double)a[k * n + i];
    }
    for (int k = 0; k < 3 && rowVerdict() == EXIT_PASS; k++)
        verifyThat(fabs(sum[k]) <= all * 4.0 * t.absolute,
                   "all forces in %c should add up to 0, and add up to %g", "xyz"[k], sum[k]);
}

/* Compares the accelerations of the first `count` bodies, each stride-th of them. */
static void verifyForces(size_t n, size_t count, size_t stride, struct tolerance t)
{
    static const char *const names[] = {"a in x", "a in y", "a in z"};
    double error = 0.0;

    for (size_t k = 0; k < 3 && rowVerdict() == EXIT_PASS; k++) {
        float *got = a + k * n;
        size_t m = 0;

        if (stride > 1) { /* put these side by side, behind a */
            for (size_t i = 0; i < count; i += stride)
                places[m++] = got[i];
            got = places;
        }
        m = 0;
        for (size_t i = 0; i < count; i += stride, m++) {
            want[m] = (float)force[k * n + i];
            error = fmax(error, fabs((double)got[m] - force[k * n + i]));
        }
        verifyFloats(names[k], got, want, m, t);
    }
    verifyError(error);
}

/* A node that is taken for one body is off by some theta^2 of what it adds, as its bodies are up to
 * theta of its distance apart. The errors of many nodes have all directions, so that less is left
 * of them in the sum: the more bodies there are and, beyond some, the smaller theta is. */
static double partOff(size_t n) { return theta * theta * (0.1 * theta + 1.0 / sqrt((double)n)); }

/* The accelerations of a row by the tree. First all together: the root of the mean square of the
 * errors, each as a part of what the bodies add. (If it is a NaN, the comparison below says where.)
 * Then each alone, within its rounding errors, t, and what two heavy bodies in opposite corners of
 * a node make. So much hides most of the errors: what exceeds it may be one of many. */
static void verifyTree(size_t n, size_t stride, struct tolerance t, double meanLength)
{
    const double allowed = partOff(n) + (meanLength > 0.0 ? t.absolute / meanLength : 0.0);
    double longest = 0.0, sum = 0.0, off;

    for (size_t i = 0; i < n; i += stride)
        longest = fmax(longest, lengths[i]);
    for (size_t i = 0; i < n; i += stride)
        for (size_t k = 0; k < 3 && lengths[i] > 0.0; k++)
            sum += pow(((double)a[k * n + i] - force[k * n + i]) / lengths[i], 2.0);
    off = sqrt(sum * (double)stride / (double)n);
    verifyThat(!(off > allowed),
               "the accelerations are off by %.1e of what the bodies add (RMS), where theta = %g "
               "allows %.1e",
               off, theta, allowed);
    t.absolute += 9.0 / 4.0 * theta * theta * longest;
    verifyForces(n, n, stride, t);
    t.absolute = allowed * meanLength;
    verifyMomentum(n, t);
    if (rowVerdict() == EXIT_PASS)
        harnessRemark(
            "%.0f interactions a body in the CPU's walk, not %zu; off by %.1e of their sum; "
            "built before, in %.3g ms",
            interactions / (double)n, n, off, 1e3 * secondsToBuild);
}

static double energy(const struct body *at, const struct body *v, size_t n)
{
    double sum = 0.0;

#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 16)
    for (size_t i = 0; i < n; i++) {
        double potential = 0.0;

        for (size_t j = 0; j < i; j++) {
            const double dx = at[j].x - at[i].x, dy = at[j].y - at[i].y, dz = at[j].z - at[i].z;

            potential -= at[j].mass / sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
        }
        sum += at[i].mass *
               (potential + 0.5 * ((double)v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z));
    }
    return sum;
}

/* The energy is the same at the end, nearly: leapfrog's error goes to and fro. For many bodies it
 * is not computed. */
static void verifyEnergy(size_t n, double before)
{
    double drift;

    if (strideFor(n) > 1)
        return;
    drift = energy(atEnd, velocityAtEnd, n) / before - 1.0;
    verifyThat(fabs(drift) < 0.1, "the energy has changed by %g of itself", drift);
    if (rowVerdict() != EXIT_PASS)
        return;
    verifyError(fabs(drift));
    harnessRemark("%ld steps of %g: the energy has changed by %.1e of itself", steps, dt, drift);
}

/* A small error of a place grows like exp(t sqrt(2 pull)), as the tides around it tear at it. */
static void verifyMotion(size_t n, struct magnitude m)
{
    static const char *const names[] = {
        "x", "y", "z", "velocity in x", "velocity in y", "velocity in z"};
    const double time = dt * (double)steps, growth = exp(time * sqrt(2.0 * m.pull));
    const double unit = 0.5 * FLT_EPSILON * (4.0 + (double)steps);
    const double ofForces = (1.0 + time) * 4.0 * toleranceOfForces(m, n, 0).absolute;
    const struct tolerance t = {growth * (4.0 * unit + ofForces), 8.0 * unit};

    for (size_t i = 0; i < n; i++) {
        const float got[6] = {atEnd[i].x,         atEnd[i].y,         atEnd[i].z,
                              velocityAtEnd[i].x, velocityAtEnd[i].y, velocityAtEnd[i].z};

        for (size_t k = 0; k < 6; k++) {
            places[k * n + i] = got[k];
            wantPlaces[k * n + i] = (float)(k < 3 ? place[k * n + i] : speed[(k - 3) * n + i]);
        }
    }
    for (size_t k = 0; k < 6 && rowVerdict() == EXIT_PASS; k++)
        verifyFloats(names[k], places + k * n, wantPlaces + k * n, n, t);
}

/* What the device can do at best, measured when first asked for; 0 without one. */
static double limitOfRate(void)
{
    static double rate;
#ifndef COURSE_CPU_ONLY
    static int isMeasured;

    if (!isMeasured && !harnessListing())
        rate = interactionRate();
    isMeasured = 1;
#endif
    return rate;
}

/* Of a row on the device; those of the CPU are far below. */
static void remarkRate(double interactions)
{
    const double rate = rowSeconds() > 0.0 ? interactions / rowSeconds() : 0.0;

    if (rowVerdict() == EXIT_PASS && limitOfRate() > 0.0 && rate > 0.01 * limitOfRate())
        harnessRemark(
            "%.3f T interactions/s, %.2f of the rate of twelve multiply-adds and a root for each",
            rate * 1e-12, rate / limitOfRate());
}

static struct galaxy galaxyOf(size_t n, size_t wanted)
{
    const struct galaxy g = {n,         wanted,     start, rest,        velocity, (float)softening,
                             (float)dt, (int)steps, NULL,  (float)theta};

    return g;
}

/* Gives *g the tree, which is built when the first row needs it. */
static void plantTree(struct galaxy *g)
{
    Timer timer;

    g->tree = &tree;
    if (tree.nodeCount > 0)
        return;
    initTimer(&timer);
    tree.nodeCount = buildTree(start, g->n, sorted, order, nodes);
    secondsToBuild = getTimer(&timer);
    tree.bodies = sorted;
    tree.order = order;
    tree.nodes = nodes;
    interactions = accelerateByTree(g, a);
}

/* The rows that compute accelerations. */
static void runForces(size_t n)
{
    const size_t stride = strideFor(n);
    struct magnitude m;

    setPlaces(n);
    m = computeForces(n, stride);
    tree.nodeCount = 0;
    harnessTraits(0, MOVES);
    RUN_VARIANTS (v) {
        const size_t part = (size_t)fmax(1.0, affordable / (double)n);
        const size_t wanted = (v->traits & PART_OF_SIZE) && part < n ? part : n;
        const struct tolerance t = toleranceOfForces(m, n, (v->traits & EXACT_PLACES) != 0);
        const int byTree = (v->traits & BY_TREE) != 0;
        struct galaxy g = galaxyOf(n, wanted);
        double work = (double)n * (double)wanted;

        if (byTree) {
            plantTree(&g);
            work = interactions;
        }
        if (wanted < n)
            harnessRemark("(the first %zu bodies only)", wanted);
        harnessWork(0.0, FLOPS * work, n);
        poison(a, 3 * n * sizeof *a);
        v->run(&g, a, atEnd, velocityAtEnd);
        harnessRan();
        if (byTree)
            verifyTree(n, stride, t, m.length);
        else
            verifyForces(n, wanted, stride, t);
        if (wanted == n && !byTree)
            verifyMomentum(n, t);
        remarkRate(work);
    }
}

/* The rows that move the bodies, the first n of all. Without a reference only the energy is
 * judged. */
static void runMotion(size_t n, int hasReference)
{
    const double before = strideFor(n) > 1 ? 0.0 : energy(start, velocity, n);
    struct magnitude m = {0.0, 0.0};

    setPlaces(n);
    if (hasReference)
        m = computeMotion(n);
    harnessTraits(MOVES, 0);
    RUN_VARIANTS (v) {
        const struct galaxy g = galaxyOf(n, n);

        if (n < harnessSize())
            harnessRemark("(the first %zu bodies only)", n);
        harnessWork(0.0, FLOPS * (double)n * (double)n * (double)(steps + 1), n);
        poison(atEnd, n * sizeof *atEnd);
        poison(velocityAtEnd, n * sizeof *velocityAtEnd);
        v->run(&g, a, atEnd, velocityAtEnd);
        harnessRan();
        if (hasReference)
            verifyMotion(n, m);
        verifyEnergy(n, before);
        remarkRate((double)n * (double)n * (double)(steps + 1));
    }
}

static size_t mostMoving(void)
{
    const size_t most = harnessEmulated() && !harnessCpuOnly() ? MOST_MOVING_EMULATED : MOST_MOVING;

    return harnessSize() < most ? harnessSize() : most;
}

static void sweepSizes(void)
{
    harnessOnly(ON_DEVICE);
    for (size_t n = 256; n < harnessSize(); n *= 2) {
        harnessParameters("n=%zu", n);
        runForces(n);
    }
    harnessParameters("n=%zu", harnessSize());
    runForces(harnessSize());
    harnessBest();
}

/* The same time in ever shorter steps. */
static void sweepSteps(void)
{
    for (long parts = 8; parts <= 512; parts *= 2) {
        steps = parts;
        dt = duration / (double)parts;
        harnessParameters("duration=%g steps=%ld", duration, steps);
        runMotion(mostMoving(), 0);
    }
}

/* All bodies, a panel after every --steps steps. The last row draws. */
static void drawAll(void)
{
    const size_t n = harnessSize();

    for (int panel = 0; panel < panels; panel++) {
        drawPanel(panel, (int)panels, start, n, isOfGalaxies());
        if (panel + 1 == panels)
            break;
        harnessParameters("n=%zu panel=%d", n, panel);
        runMotion(n, 0);
        memcpy(start, atEnd, n * sizeof *start);
        memcpy(velocity, velocityAtEnd, n * sizeof *velocity);
    }
    writePanels(pictureFile);
    harnessNote("Written: %s, a panel every %g units of time", pictureFile, dt * (double)steps);
}

/* Puts the bodies where they belong, and splits each place into a float and what it cuts off. */
static void placeBodies(size_t n)
{
    if (isOfGalaxies())
        placeGalaxies(start, velocity, n);
    else
        placeCluster(start, velocity, n);
    for (size_t i = 0; i < n; i++) {
        const double x = start[i].x + away, y = start[i].y + away, z = start[i].z + away;
        const struct body at = {(float)x, (float)y, (float)z, start[i].mass};
        const struct body left = {(float)(x - at.x), (float)(y - at.y), (float)(z - at.z), 0.0f};

        start[i] = at;
        rest[i] = left;
    }
}

int main(int argc, char **argv)
{
    size_t n;

    harnessStart(&exercise, argc, argv);
    checkPngName("picture", pictureFile);
    softening = (float)softening; /* as the variants get them */
    dt = (float)dt;
    n = harnessSize();
    start = newArray(n, sizeof *start);
    rest = newArray(n, sizeof *rest);
    velocity = newArray(n, sizeof *velocity);
    atEnd = newArray(n, sizeof *atEnd);
    velocityAtEnd = newArray(n, sizeof *velocityAtEnd);
    a = newArray(3 * n, sizeof *a);
    want = newArray(n, sizeof *want);
    places = newArray(6 * n, sizeof *places);
    wantPlaces = newArray(6 * n, sizeof *wantPlaces);
    place = newArray(3 * n, sizeof *place);
    speed = newArray(3 * n, sizeof *speed);
    force = newArray(3 * n, sizeof *force);
    lengths = newArray(n, sizeof *lengths);
    sorted = newArray(n, sizeof *sorted);
    order = newArray(n, sizeof *order);
    nodes = newArray(mostNodes(n), sizeof *nodes);
    placeBodies(n);

    if (harnessListing()) {
        runForces(n); /* a list names all rows */
    } else if (sweep != NULL && strcmp(sweep, "sizes") == 0) {
        sweepSizes();
    } else if (sweep != NULL) {
        sweepSteps();
    } else if (pictureFile != NULL) {
        drawAll();
    } else {
        runForces(n);
        runMotion(mostMoving(), 1);
    }
    return harnessFinish();
}
