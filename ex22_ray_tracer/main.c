/* TASK     a picture of n spheres on a chequered floor, by rays: the scene, the reference, and the
 *          files that one can look at.
 * TRAFFIC  4 bytes per pixel.
 * LIMIT    arithmetic: up to n tests per ray, of 11 operations. */
#include "measure.h"
#include "cpu.h"
#include "scene.h"
#include "png.h"
#include "harness.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A test of a sphere takes at least this: 3 for o - centre, 5 for b, 2 for b^2 - c, 1 to compare.
 * Rates count it, whatever a variant does. */
enum { FLOPS_A_TEST = 11, ONE_CORE_ROWS = 8 };

static long askedWidth, askedSpheres, bounces = 3, frames = 1;
static double turn = 0.03;
static const char *pictureFile, *heatFile;

static const struct course_option options[] = {
    {"width", OPTION_INTEGER, &askedWidth, 1, 65536, NULL, "pixels in a row (16/9 of the rows)"},
    {"spheres", OPTION_INTEGER, &askedSpheres, 1, 1 << 20, NULL,
     "spheres of the scene (1024; emulated: 61)"},
    {"bounces", OPTION_INTEGER, &bounces, 0, 16, NULL, "reflections of a ray (3)"},
    {"turn", OPTION_NUMBER, &turn, -1e3, 1e3, NULL, "where the camera is on its way around (0.03)"},
    {"frames", OPTION_INTEGER, &frames, 1, 100000, NULL,
     "the full picture of a tree that many times, once around"},
    {"picture", OPTION_WORD | OPTION_ASIDE, &pictureFile, 0, 0, NULL,
     "writes the last row's picture (.png)"},
    {"heat", OPTION_WORD | OPTION_ASIDE, &heatFile, 0, 0, NULL,
     "writes the tests of each pixel (.png)"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static int widthOf(size_t rows)
{
    return askedWidth ? (int)askedWidth : (int)((16 * rows + 8) / 9);
}

static int sphereCount(void)
{
    return askedSpheres ? (int)askedSpheres : harnessEmulated() && !harnessCpuOnly() ? 61 : 1024;
}

static double sceneBytes(void)
{
    const double n = askedSpheres ? (double)askedSpheres : 1024.0;

    return n * (sizeof(struct sphere) + 4 * sizeof(float) + 2 * sizeof(struct node));
}

static double deviceBytes(size_t size)
{
    return (double)size * widthOf(size) * sizeof(int) + 2.0 * sceneBytes();
}

/* The image, three references, and a file. */
static double hostBytes(size_t size)
{
    return (double)size * widthOf(size) * (5 * sizeof(int) + 3) + sceneBytes();
}

static const struct exercise exercise = {
    .name = "ex22_ray_tracer",
    .title = "a picture of spheres by rays",
    .unit = "rows of pixels",
    .size = 2160,
    .emulatedSize = 17,
    .quickSize = 540,
    .checkSize = 540,
    .minSize = 1,
    .maxSize = 32768,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

static struct sphere *spheres;
static struct node *nodes;
static struct scene scene;
static struct view view;
static size_t pixels;
static int *image, *reference[3], *tests;
static int isComputed[3];
static struct effort effort[3];

static enum picture pictureOf(const struct variant *v)
{
    return v->traits & FOUR_RAYS ? ANTIALIASED : v->traits & FULL_PICTURE ? FULL : PRIMARY;
}

/* Sets the camera, and the tree, whose order depends on it. */
static void setView(double at)
{
    const size_t rows = harnessSize();

    view = viewFrom(at, widthOf(rows), (int)rows);
    view.bounces = (int)bounces;
    memset(isComputed, 0, sizeof isComputed);
    scene.spheres = spheres;
    scene.n = sphereCount();
    scene.nodes = nodes;
    scene.nodeCount = buildTree(spheres, scene.n, view.eye, nodes);
}

/* The rows of the picture that are computed from now on. */
static void setRows(int rows)
{
    view.rows = rows;
    pixels = (size_t)rows * (size_t)view.width;
}

/* The reference for such a picture of the present view, computed when it is first asked for. */
static const int *referenceOf(enum picture picture)
{
    setRows(view.height);
    if (reference[picture] == NULL)
        reference[picture] = newArray(pixels, sizeof *image);
    if (!isComputed[picture])
        effort[picture] = renderByTree(&scene, &view, picture, reference[picture],
                                       picture == FULL && heatFile != NULL ? tests : NULL);
    isComputed[picture] = 1;
    return reference[picture];
}

/* Fused multiply-adds round once where the reference rounds twice: a colour may be off by a level,
 * and at the edge of a sphere one ray in thousands hits what the other misses. */
static void verifyNearly(const int *want)
{
    size_t off = 0;

#pragma omp parallel for reduction(+ : off)
    for (size_t i = 0; i < pixels; i++) {
        int far = image[i] >> 24 != 0; /* never written */

        for (int shift = 0; shift < 24; shift += 8)
            far |= abs((image[i] >> shift & 255) - (want[i] >> shift & 255)) > 1;
        off += (size_t)far;
    }
    verifyThat((double)off <= 0.001 * (double)pixels,
               "%zu of %zu pixels are off by more than one level", off, pixels);
    if (rowVerdict() == EXIT_PASS)
        harnessRemark("%zu of %zu pixels are off by more than one level", off, pixels);
}

/* Every pixel must be that of the reference, to the bit. */
static void verifyPixels(const int *want)
{
    size_t upsideDown = 0;

#pragma omp parallel for reduction(+ : upsideDown)
    for (size_t i = 0; i < pixels; i++) {
        const size_t width = (size_t)view.width, row = (size_t)view.rows - 1 - i / width;

        upsideDown += image[i] == want[row * width + i % width];
    }
    verifyThat(upsideDown < pixels || memcmp(image, want, pixels * sizeof *image) == 0,
               "the picture is upside down: its first row is the top one");
    verifyInts("pixel", image, want, pixels);
}

/* What the row must compute. A tree is charged with the boxes and spheres that the reference looks
 * at. */
static double flopsOf(const struct variant *v)
{
    const struct effort e = effort[pictureOf(v)];

    return FLOPS_A_TEST * (v->traits & BY_TREE ? e.tests : e.rays * scene.n);
}

static void remarkRate(const struct variant *v, double flops)
{
#ifndef COURSE_CPU_ONLY
    static double rate = -1.0;

    if (rate < 0.0)
        rate = harnessListing() ? 0.0 : multiplyAddRate();
    if (rowVerdict() != EXIT_PASS || rate == 0.0 || rowSeconds() == 0.0)
        return;
    for (const struct variant *c = cpuVariants; c->name != NULL; c++)
        if (c == v)
            return;
    harnessRemark(
        "%.2f of the multiply-add rate, %.1f T/s, at %d operations a test; %.1f pictures/s",
        flops / rowSeconds() / rate, rate * 1e-12, FLOPS_A_TEST, 1.0 / rowSeconds());
#else
    (void)v;
    (void)flops;
#endif
}

static void runAll(void)
{
    for (int picture = PRIMARY; harnessHasTime() && picture <= ANTIALIASED; picture++)
        referenceOf((enum picture)picture);
    RUN_VARIANTS (v) {
        const int part = (v->traits & PART_OF_SIZE) && view.height > ONE_CORE_ROWS;
        const int *want = referenceOf(pictureOf(v));
        const double flops = flopsOf(v) * (part ? (double)ONE_CORE_ROWS / view.height : 1.0);

        setRows(part ? ONE_CORE_ROWS : view.height);
        if (part)
            harnessRemark("(the first %d rows only)", view.rows);
        harnessWork(0.0, flops, (size_t)view.rows);
        poison(image, (size_t)view.height * (size_t)view.width * sizeof *image);
        v->run(&scene, &view, image);
        harnessRan();
        if (v->traits & FUSED)
            verifyNearly(want);
        else
            verifyPixels(want);
        remarkRate(v, flops);
    }
}

/* From few tests to many: dark blue, violet, red, orange, white. */
static int heatOf(double part)
{
    static const struct vec scaleOf[] = {{0.02f, 0.03f, 0.15f},
                                         {0.25f, 0.02f, 0.45f},
                                         {0.80f, 0.10f, 0.20f},
                                         {1.00f, 0.65f, 0.05f},
                                         {1.00f, 1.00f, 0.90f}};
    const double at = fmin(part, 0.9999) * 4.0;

    return pixelOf(mix(scaleOf[(int)at], scaleOf[(int)at + 1], (float)(at - floor(at))));
}

static void writeHeat(void)
{
    int most = 1;

    referenceOf(FULL);
    for (size_t i = 0; i < (size_t)view.height * (size_t)view.width; i++)
        most = tests[i] > most ? tests[i] : most;
    for (size_t i = 0; i < (size_t)view.height * (size_t)view.width; i++)
        tests[i] = heatOf(sqrt((double)tests[i] / most));
    writePng(heatFile, tests, view.width, view.height);
    harnessNote("%s: %.2f rays a pixel, up to %d tests, %.1f on average; without the tree %.0f",
                heatFile, effort[FULL].rays / ((double)view.height * view.width), most,
                effort[FULL].tests / ((double)view.height * view.width),
                effort[FULL].rays * scene.n / ((double)view.height * view.width));
}

/* Writes the image of the last row; that of a frame into a file with the frame's number before
 * ".png". */
static void writePicture(long frame)
{
    char name[4096];

    if (pictureFile == NULL || harnessListing())
        return;
    if (frames == 1)
        snprintf(name, sizeof name, "%s", pictureFile);
    else
        snprintf(name, sizeof name, "%.*s_%04ld.png", (int)(strlen(pictureFile) - 4), pictureFile,
                 frame);
    writePng(name, image, view.width, view.rows);
    harnessNote("Written: %s", name);
}

int main(int argc, char **argv)
{
    harnessStart(&exercise, argc, argv);
    checkPngName("picture", pictureFile);
    checkPngName("heat", heatFile);
    pixels = harnessSize() * (size_t)widthOf(harnessSize());
    spheres = newArray((size_t)sphereCount(), sizeof *spheres);
    nodes = newArray((size_t)mostNodes(sphereCount()), sizeof *nodes);
    image = newArray(pixels, sizeof *image);
    tests = newArray(heatFile != NULL ? pixels : 0, sizeof *tests);
    placeSpheres(spheres, sphereCount());

    for (long frame = 0; frame < frames; frame++) {
        setView(turn + (double)frame / (double)frames);
        if (frames > 1) {
            harnessVariant("tree");
            harnessOnly(harnessCpuOnly() ? ON_CPU : ON_DEVICE);
            harnessParameters("spheres=%d frame=%ld", scene.n, frame);
        } else if (askedSpheres || bounces != 3) {
            harnessParameters("spheres=%d bounces=%ld", scene.n, bounces);
        }
        runAll();
        writePicture(frame);
    }
    harnessNote("%d x %d pixels, %d spheres in %d boxes", view.width, view.height, scene.n,
                scene.nodeCount);
    if (heatFile != NULL)
        writeHeat();
    return harnessFinish();
}
