/* Pictures of the lessons that no trace can draw: ./pictures FOLDER writes them as SVG. Times and
 * bank conflicts are computed by the rules that devices follow (32 banks of 4 bytes, warps of 32
 * lanes). draw.sh makes these and those that ./course picture draws; tests/lessons says when the
 * pictures in the repository are stale. */
#include "draw.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARP = 32, BANKS = 32 };

static const char *folder;
static char path[4096]; /* of the picture that is being drawn */
static FILE *file;

static void beginPicture(const char *name, int width, int height, const char *title,
                         const char *description)
{
    if (snprintf(path, sizeof path, "%s/%s.svg", folder, name) >= (int)sizeof path ||
        (file = fopen(path, "w")) == NULL) {
        perror(path);
        exit(2);
    }
    beginDrawing(file, width, height, title, description);
}

static void endPicture(void)
{
    endDrawing();
    if (ferror(file) || fclose(file) != 0) {
        perror(path);
        exit(2);
    }
}

/* One bar of a timeline. */
struct bar {
    int start, length;
    const char *kind, *name;
};

/* The bars of one who acts, from x = left on. */
static void bars(int left, int y, const char *who, const struct bar *bar, int count)
{
    label(left - 8, y + 16, "s end", "%s", who);
    for (int i = 0; i < count; i++) {
        box(left + bar[i].start, y, bar[i].length, 24, bar[i].kind);
        label(left + bar[i].start + bar[i].length / 2, y + 16, "s mid", "%s", bar[i].name);
    }
}

/* ex00: who does what, when. A call that waits for the device is drawn as long as it waits. */
static void calls(void)
{
    enum { LEFT = 72, HOST = 20, DEVICE = 84 };
    static const struct bar host[] = {{0, 104, "a", "cudaMalloc"},
                                      {108, 128, "a", "cudaMemcpy"},
                                      {240, 64, "b", "<<< >>>"},
                                      {308, 212, "a", "cudaMemcpy"},
                                      {524, 96, "a", "cudaFree"}},
                            device[] = {{128, 100, "c", "copy"},
                                        {296, 120, "b", "kernel"},
                                        {420, 92, "c", "copy"}};

    beginPicture("calls", 712, 152, "What the host and the device do, one after the other",
                 "The host calls cudaMalloc, cudaMemcpy, the launch, cudaMemcpy, cudaFree. Both "
                 "copies last until the device has copied. The launch is short: the kernel runs on "
                 "the device while the host goes on to the second copy, which waits for the "
                 "kernel.");
    bars(LEFT, HOST, "host", host, 5);
    bars(LEFT, DEVICE, "device", device, 3);
    arrow(LEFT + 116, HOST + 26, LEFT + 128, DEVICE - 2);
    arrow(LEFT + 284, HOST + 26, LEFT + 296, DEVICE - 2);
    arrow(LEFT + 512, DEVICE - 2, LEFT + 520, HOST + 26);
    label(LEFT + 330, HOST + 44, "s dim", "waits for the kernel, then copies");
    label(LEFT + 296, DEVICE + 44, "s dim", "an error in here shows at the next call that waits");
    label(LEFT, DEVICE + 60, "s dim", "time goes to the right");
    endPicture();
}

/* lab_debugging: which tool looks at what. */
static void tools(void)
{
    enum { LEFT = 250, TOP = 40, WIDE = 92, HIGH = 26, TOOLS = 5, KINDS = 7 };
    static const char *const tool[TOOLS] = {"memcheck", "initcheck", "racecheck", "synccheck",
                                            "emulated"};
    static const struct {
        const char *name, *by; /* by: x for each tool that looks at it */
    } kind[KINDS] = {
        {"addresses", "x...x"},
        {"global memory that nobody has written", ".x..x"},
        {"shared memory that nobody has written", "....x"},
        {"races in shared memory", "..x.x"},
        {"races in global memory, between streams", "....x"},
        {"barriers and masks", "...xx"},
        {"wrong results", "....."},
    };

    beginPicture(
        "tools", LEFT + TOOLS * WIDE + 8, TOP + KINDS * HIGH + 8, "Which tool looks at what",
        "memcheck looks at addresses, initcheck at global memory that nobody has written, "
        "racecheck at shared memory, synccheck at barriers and masks. The emulated device "
        "looks at all these, and also at shared memory that nobody has written and at races "
        "in global memory and between streams. No tool knows a wrong result.");
    for (int t = 0; t < TOOLS; t++)
        label(LEFT + t * WIDE + WIDE / 2, TOP - 12, "s mid", "%s", tool[t]);
    for (int k = 0; k < KINDS; k++) {
        label(LEFT - 10, TOP + k * HIGH + 16, "s end", "%s", kind[k].name);
        for (int t = 0; t < TOOLS; t++)
            box(LEFT + t * WIDE + 2, TOP + k * HIGH, WIDE - 4, HIGH - 4,
                kind[k].by[t] == 'x' ? "a" : "frame");
    }
    endPicture();
}

/* lab_profiling: the seconds of its versions, as recorded. */
static void readVersions(double *seconds, int count)
{
    static const char recorded[] = LAB_PROFILING "/h200.csv";
    FILE *csv = fopen(recorded, "r");
    char row[256];
    int found = 0, version;
    double value;

    while (csv != NULL && fgets(row, sizeof row, csv) != NULL)
        if (sscanf(row, "%d,median of 21 launches without ncu,s,%lf", &version, &value) == 2 &&
            version == found && found < count)
            seconds[found++] = value;
    if (csv == NULL || fclose(csv) != 0 || found < count) {
        fprintf(stderr, "%s: no times of %d versions\n", recorded, count);
        exit(2);
    }
}

/* lab_profiling: the roofline of an H200, and the lab's versions below it. Both axes are
 * logarithmic. */
static void roofline(void)
{
    enum { LEFT = 90, RIGHT = 640, TOP = 24, BOTTOM = 244, VERSIONS = 4 };
    const double least = 1.0 / 16, most = 128.0; /* operations per byte, and TFLOP/s */
    const double rate = 4.8, peak = 66.9, rows = 8192.0;
    const double unit = (RIGHT - LEFT) / log2(most / least);
    const double high = (BOTTOM - TOP) / log2(most / least);
    const int ridge = LEFT + (int)(unit * log2(peak / rate / least));
    const int roof = BOTTOM - (int)(high * log2(peak / least));
    const int intensity = LEFT + (int)(unit * log2(0.5 / least));
    double seconds[VERSIONS];

    readVersions(seconds, VERSIONS);
    beginPicture("roofline", RIGHT + 60, BOTTOM + 56, "The roofline of an H200",
                 "Operations per byte to the right, TFLOP/s upwards. The roof rises with 4.8 TB/s "
                 "and goes on level at 66.9 TFLOP/s. The four versions of the lab stand at half an "
                 "operation per byte: versions 2 and 3 just below the roof, 0 and 1 far below.");
    for (double tick = least; tick <= most; tick *= 8.0) {
        const int x = LEFT + (int)(unit * log2(tick / least));
        const int y = BOTTOM - (int)(high * log2(tick / least));

        line(x, BOTTOM, x, BOTTOM + 5, "l");
        label(x, BOTTOM + 20, "s mid", "%g", tick);
        line(LEFT - 5, y, LEFT, y, "l");
        label(LEFT - 10, y + 4, "s end", "%g", tick);
    }
    line(LEFT, BOTTOM, RIGHT, BOTTOM, "l");
    line(LEFT, TOP, LEFT, BOTTOM, "l");
    label((LEFT + RIGHT) / 2, BOTTOM + 42, "s mid dim", "operations per byte");
    label(8, TOP - 8, "s dim", "TFLOP/s");
    line(LEFT, BOTTOM - (int)(high * log2(rate)), ridge, roof, "strong");
    line(ridge, roof, RIGHT, roof, "strong");
    label(RIGHT, roof - 8, "s end", "multiply-adds, %g TFLOP/s", peak);
    label(ridge - 60, roof + 48, "s", "memory, %g TB/s", rate);
    line(intensity, TOP + 90, intensity, BOTTOM, "dash");
    for (int v = 0; v < VERSIONS; v++) {
        const double reached = 2.0 * rows * rows / seconds[v] * 1e-12;
        const int y = BOTTOM - (int)(high * log2(reached / least));

        box(intensity - 4, y - 4, 8, 8, "a");
        label(intensity + 14 + 70 * (v / 3), y + 4, "s", "version %d",
              v); /* 2 and 3 side by side */
    }
    endPicture();
}

/* A step of a build: its result in a box, and below which program makes it. */
static void step(int x, int y, int width, const char *kind, const char *what, const char *by)
{
    box(x, y, width, 26, kind);
    label(x + width / 2, y + 17, "s mid", "%s", what);
    label(x + width / 2, y + 40, "s mid dim", "%s", by);
}

/* lab_building: from a source to a program. */
static void build(void)
{
    enum { HOST = 16, DEVICE = 88, BOTH = 52 };

    beginPicture(
        "build", 736, 140, "From a .cu file to a program",
        "nvcc splits table.cu. The host's part is compiled by gcc. The device's part becomes "
        "PTX, of which ptxas makes machine code. Both stand in table.o. With -dc the device "
        "code of all objects is linked first, into link.o. Then the linker makes the "
        "program.");
    step(8, BOTH, 84, "a", "table.cu", "nvcc splits it");
    step(160, HOST, 200, "b", "host part", "gcc");
    step(160, DEVICE, 84, "c", "PTX", "nvcc");
    step(276, DEVICE, 84, "c", "SASS", "ptxas");
    step(428, BOTH, 84, "a", "table.o", "nvcc -c, -dc");
    step(544, DEVICE, 84, "c", "link.o", "nvcc -dlink");
    step(644, HOST, 84, "a", "program", "nvcc, g++, mpicc");
    arrow(92, BOTH + 8, 158, HOST + 13);
    arrow(92, BOTH + 18, 158, DEVICE + 13);
    arrow(244, DEVICE + 13, 274, DEVICE + 13);
    arrow(360, HOST + 13, 426, BOTH + 8);
    arrow(360, DEVICE + 13, 426, BOTH + 18);
    arrow(512, BOTH + 8, 642, HOST + 13);
    arrow(512, BOTH + 18, 542, DEVICE + 8);
    arrow(628, DEVICE + 8, 676, HOST + 44);
    endPicture();
}

/* ex01: threads, blocks, the grid, and which element each thread takes. */
static void grid(void)
{
    enum { BLOCKS = 3, THREADS = 8, N = 21, CELL = 28, GAP = 14, LEFT = 12 };

    beginPicture(
        "grid", 736, 262, "Grid, blocks, threads and the index of an element",
        "A grid of three blocks with eight threads each. Thread t of block b has the index b times "
        "8 plus "
        "t and takes that element of an array of 21; the last three threads have no element.");
    label(LEFT, 20, "h", "grid: gridDim.x = %d blocks of blockDim.x = %d threads", BLOCKS, THREADS);
    for (int b = 0; b < BLOCKS; b++) {
        const int x = LEFT + b * (THREADS * CELL + GAP);

        box(x - 4, 32, THREADS * CELL + 8, 66, "frame");
        label(x + THREADS * CELL / 2, 50, "m mid", "blockIdx.x = %d", b);
        for (int t = 0; t < THREADS; t++) {
            const int i = b * THREADS + t, middle = x + t * CELL + CELL / 2;

            box(x + t * CELL + 1, 62, CELL - 2, 28,
                i < N ? (b == 1 && t == 5 ? "b" : "a") : "waste");
            label(middle, 81, "m mid", "%d", t);
            if (i < N) {
                arrow(middle, 92, LEFT + i * CELL + CELL / 2 + 14, 166);
                box(LEFT + i * CELL + 15, 168, CELL - 2, 28, b == 1 && t == 5 ? "b" : "none");
                label(LEFT + i * CELL + CELL / 2 + 14, 187, "m mid", "%d", i);
            }
        }
    }
    label(LEFT + N * CELL + 24, 187, "", "array, n = %d", N);
    label(728, 120, "s dim end", "i >= n: no element");
    label(LEFT, 222, "m", "i = blockIdx.x * blockDim.x + threadIdx.x");
    label(LEFT, 244, "m", "= %d * %d + %d = %d", 1, THREADS, 5, THREADS + 5);
    label(190, 244, "s dim", "(the orange thread; in each cell its threadIdx.x)");
    endPicture();
}

static void multiprocessor(int x, int number)
{
    box(x, 62, 196, 132, "frame");
    label(x + 98, 80, "h mid", "multiprocessor %d", number);
    for (int t = 0; t < 8; t++)
        box(x + 10 + t * 22, 90, 20, 20, "a");
    label(x + 98, 125, "s mid", "registers: a thread's own");
    box(x + 10, 132, 176, 22, "c");
    label(x + 98, 147, "s mid", "shared memory: a block's own");
    box(x + 10, 160, 176, 22, "none");
    label(x + 98, 175, "s mid", "L1 cache");
}

/* ex01 and ex05: who sees which memory. */
static void spaces(void)
{
    beginPicture("spaces", 736, 322, "Memory spaces of host and device",
                 "The host has a processor and its memory. The device has multiprocessors, each "
                 "with registers, "
                 "shared memory and a first-level cache, and for all of them a second-level cache "
                 "and global "
                 "memory. cudaMemcpy moves data between host memory and global memory.");
    label(12, 22, "h", "host");
    box(12, 32, 180, 274, "frame");
    box(24, 62, 156, 132, "none");
    label(102, 132, "mid", "CPU cores");
    box(24, 250, 156, 42, "b");
    label(102, 268, "mid", "host memory");
    label(102, 284, "s mid", "malloc()");
    label(292, 22, "h", "device");
    box(292, 32, 432, 274, "frame");
    multiprocessor(304, 0);
    multiprocessor(516, 1);
    label(508, 52, "s dim mid", "as many as the device has: 132 on an H200");
    box(304, 206, 408, 30, "none");
    label(508, 226, "mid", "L2 cache: all multiprocessors");
    box(304, 250, 408, 42, "b");
    label(508, 268, "mid", "global memory: all threads, and cudaMemcpy()");
    label(508, 284, "s mid", "cudaMalloc()");
    arrow(182, 262, 302, 262);
    arrow(302, 280, 182, 280);
    label(242, 252, "m mid", "cudaMemcpy");
    line(402, 196, 402, 204, "strong");
    line(614, 196, 614, 204, "strong");
    line(508, 238, 508, 248, "strong");
    endPicture();
}

/* ex03: one scheduler, which issues an instruction of one warp per step; a load takes LATENCY
 * steps. */
static void timelineOfWarps(int y, int warps, int *busy)
{
    enum { LATENCY = 11, STEPS = 36, CELL = 16, LEFT = 92, WORK = 2 };
    int ready[8] = {0}, left[8] = {0};

    *busy = 0;
    for (int w = 0; w < warps; w++) {
        label(LEFT - 8, y + 20 * w + 13, "s end", "warp %d", w);
        box(LEFT, y + 20 * w, STEPS * CELL, 16, "none");
        left[w] = WORK;
    }
    for (int step = 0; step < STEPS; step++)
        for (int w = 0; w < warps; w++)
            if (ready[w] <= step) {
                box(LEFT + step * CELL, y + 20 * w, CELL, 16, left[w] == 1 ? "b" : "a");
                if (left[w] == 1)
                    label(LEFT + step * CELL + CELL / 2, y + 20 * w + 12, "s mid", "L");
                if (--left[w] == 0) {
                    left[w] = WORK;
                    ready[w] = step + LATENCY;
                }
                ++*busy;
                break;
            }
    label(LEFT + STEPS * CELL + 8, y + 10 * warps + 4, "s", "busy %d of %d", *busy, STEPS);
}

static void latency(void)
{
    int busy;

    beginPicture("latency", 768, 256, "Hiding the latency of loads behind other warps",
                 "A scheduler issues one instruction per step. A warp whose load is under way "
                 "cannot go on. With "
                 "one warp the scheduler is idle most of the time; with six, another warp is "
                 "nearly always ready.");
    label(12, 20, "h", "one warp");
    timelineOfWarps(30, 1, &busy);
    label(12, 78, "h", "six warps on the same scheduler");
    timelineOfWarps(88, 6, &busy);
    box(92, 224, 16, 16, "a");
    label(116, 237, "s", "an instruction");
    box(222, 224, 16, 16, "b");
    label(230, 236, "s mid", "L");
    label(246, 237, "s", "a load; its warp then waits");
    box(440, 224, 16, 16, "none");
    label(464, 237, "s", "waits for data, or for its turn");
    endPicture();
}

/* ex05: a block's tile with a halo cell on either side. */
static void tile(void)
{
    enum { BLOCK = 8, CELL = 30, LEFT = 24, SHOWN = 22, FIRST = 8 };

    beginPicture("tile", 720, 236, "A tile in shared memory with its halo",
                 "Block 1 of 8 threads owns the elements 8 to 15 of an array. Its tile in shared "
                 "memory has ten "
                 "places: the eight elements and on either side a halo, a copy of the neighbouring "
                 "block's outer "
                 "element.");
    label(LEFT, 20, "h", "global memory");
    for (int i = 0; i < SHOWN; i++) {
        const int isHalo = i == FIRST - 1 || i == FIRST + BLOCK;

        box(LEFT + i * CELL, 30, CELL, 28,
            isHalo                            ? "b"
            : i >= FIRST && i < FIRST + BLOCK ? "a"
                                              : "none");
        label(LEFT + i * CELL + CELL / 2, 49, "m mid", "%d", i);
    }
    for (int b = 0; b < 3; b++)
        label(LEFT + b * BLOCK * CELL + (b < 2 ? BLOCK : SHOWN - 2 * BLOCK) * CELL / 2, 76,
              "s dim mid", "block %d", b);
    label(LEFT, 148, "h", "shared memory");
    label(LEFT, 166, "h", "of block 1");
    for (int k = 0; k < BLOCK + 2; k++) {
        const int x = LEFT + (FIRST - 1 + k) * CELL;

        arrow(x + CELL / 2, k == 0 || k == BLOCK + 1 ? 60 : 84, x + CELL / 2, 136);
        box(x, 138, CELL, 28, k == 0 || k == BLOCK + 1 ? "b" : "a");
        label(x + CELL / 2, 157, "m mid", "%d", FIRST - 1 + k);
        label(x + CELL / 2, 182, "m mid dim", "%d", k);
    }
    label(LEFT, 182, "s dim", "place in the tile");
    label(LEFT, 216, "s",
          "Thread t fills place t + 1. The two halo places are filled by the first and the last "
          "thread of the block besides.");
    endPicture();
}

/* Passes that the banks need for one request of a warp to the given words; equal words are one. */
static int passes(const int *word, int lanes)
{
    int most = 0;

    for (int bank = 0; bank < BANKS; bank++) {
        int different = 0;

        for (int lane = 0; lane < lanes; lane++) {
            int isNew = word[lane] % BANKS == bank;

            for (int before = 0; before < lane; before++)
                isNew = isNew && word[before] != word[lane];
            different += isNew;
        }
        most = different > most ? different : most;
    }
    return most;
}

/* One tree over COUNT sums. Neighbours: thread t adds s[2 t step + step] to s[2 t step]; otherwise
 * it adds s[t + count / 2] to s[t]. To the right the passes of a warp's reads in a tree over 1024
 * sums. */
static void oneTree(int y, int isNeighbours)
{
    enum { COUNT = 16, CELL = 26, LEFT = 60, REAL = 1024 };

    for (int level = 0, left = COUNT, real = REAL; left >= 1; level++, left /= 2, real /= 2) {
        const int step = COUNT / left;
        int word[WARP], lanes = real / 2 < WARP ? real / 2 : WARP;

        for (int i = 0; i < COUNT; i++) {
            const int isAlive = isNeighbours ? i % step == 0 : i < left;

            box(LEFT + i * CELL, y + level * 38, CELL - 2, 20, isAlive ? "a" : "none");
            if (isAlive)
                label(LEFT + i * CELL + CELL / 2 - 1, y + level * 38 + 14, "m mid", "%d", i);
        }
        if (left == 1)
            continue;
        for (int t = 0; t < left / 2; t++) {
            const int to = isNeighbours ? 2 * t * step : t,
                      from = isNeighbours ? to + step : t + left / 2;

            line(LEFT + from * CELL + CELL / 2, y + level * 38 + 20, LEFT + to * CELL + CELL / 2,
                 y + level * 38 + 37, "strong");
        }
        for (int t = 0; t < lanes; t++)
            word[t] = isNeighbours ? 2 * t * (REAL / real) : t;
        label(LEFT + COUNT * CELL + 34, y + level * 38 + 34, "m", "%4d sums: %2d %s", real,
              passes(word, lanes), passes(word, lanes) == 1 ? "pass" : "passes");
    }
}

static void tree(void)
{
    beginPicture("tree", 720, 500, "Two reduction trees and the bank conflicts of each",
                 "Sixteen sums become eight, four, two, one. Above, the upper half is added to the "
                 "lower: the lanes "
                 "read neighbouring words, without conflicts. Below, thread t adds neighbours that "
                 "lie 2 t step "
                 "apart: with every step the words of the lanes lie further apart, and more of "
                 "them share a bank.");
    label(12, 22, "m", "s[t] += s[t + half]");
    label(510, 22, "s", "passes of a warp's read of s[t],");
    label(510, 36, "s", "in a block of 1024 threads");
    oneTree(36, 0);
    label(12, 274, "m", "s[2 * t * step] += s[2 * t * step + step]");
    oneTree(288, 1);
    endPicture();
}

/* ex12: chunks through copy engine, kernel, copy engine. In one stream, or each in a stream of its
 * own. */
static void oneTimeline(int y, int chunks, int in, int kernel, int outTime)
{
    enum { SCALE = 2, LEFT = 104 };
    static const char *const rows[] = {"copy in", "kernel", "copy out"}, *const kinds[] = {"a", "b",
                                                                                           "c"};
    const int times[] = {in, kernel, outTime};
    int freeAt[3] = {0, 0, 0}, end = 0;

    for (int r = 0; r < 3; r++) {
        label(LEFT - 8, y + r * 26 + 15, "s end", "%s", rows[r]);
        line(LEFT, y + r * 26 + 21, LEFT + 620, y + r * 26 + 21, "dash");
    }
    for (int c = 0; c < chunks; c++) {
        int ready = 0;

        for (int r = 0; r < 3; r++) {
            const int start = ready > freeAt[r] ? ready : freeAt[r];

            box(LEFT + start * SCALE, y + r * 26, times[r] * SCALE, 20, kinds[r]);
            label(LEFT + start * SCALE + times[r] * SCALE / 2, y + r * 26 + 14, "s mid", "%d", c);
            ready = freeAt[r] = start + times[r];
        }
        end = ready;
    }
    line(LEFT + end * SCALE, y - 6, LEFT + end * SCALE, y + 78, "strong");
    label(LEFT + end * SCALE + 6, y + 4, "s", "t = %d", end);
}

static void streams(void)
{
    beginPicture("streams", 740, 262, "Copies and kernels in one stream and in four",
                 "One stream: the copy to the device, the kernel and the copy back follow one "
                 "another. The same "
                 "work in four parts, each in a stream of its own: the copy of one part runs "
                 "beside the kernel of "
                 "another, and the whole ends earlier.");
    label(12, 22, "h", "one stream");
    oneTimeline(34, 1, 100, 80, 100);
    label(12, 144, "h", "four parts, each in a stream of its own");
    oneTimeline(160, 4, 25, 20, 25);
    endPicture();
}

/* ex12: three ranks, each with its rows and a halo row beside each neighbour. */
static void halo(void)
{
    enum { RANKS = 3, ROWS = 3, CELL = 24, COLUMNS = 16, LEFT = 150, SLAB = 138 };

    beginPicture("halo", 700, 430, "Halo exchange between three ranks",
                 "Three ranks own three rows each. Above and below a rank's rows lie halo rows: "
                 "copies of the "
                 "outermost row of the neighbour. After every step each rank sends its first row "
                 "up and its last "
                 "row down.");
    for (int r = 0; r < RANKS; r++) {
        const int top = 14 + r * SLAB;

        label(12, top + 2 * CELL + 14, "h", "rank %d", r);
        for (int row = r == 0; row < ROWS + 2 - (r == RANKS - 1); row++) {
            const int isHalo = row == 0 || row == ROWS + 1;

            for (int c = 0; c < COLUMNS; c++)
                box(LEFT + c * CELL, top + row * CELL, CELL, CELL - 3,
                    isHalo                    ? "b"
                    : row == 1 || row == ROWS ? "a"
                                              : "none");
            label(LEFT - 8, top + row * CELL + 15, "s end",
                  isHalo        ? "halo"
                  : row == 1    ? "first row"
                  : row == ROWS ? "last row"
                                : "inner rows");
        }
    }
    for (int r = 0; r + 1 < RANKS; r++) {
        const int top = 14 + r * SLAB;
        const int below = top + SLAB, right = LEFT + COLUMNS * CELL;

        arrow(right - 60, top + ROWS * CELL + 12, right - 60, below + 9);
        arrow(right - 180, below + CELL + 10, right - 180, top + (ROWS + 1) * CELL + 14);
        label(right + 10, below - 8, "s", "last row: down");
        label(right + 10, below + 8, "s", "first row: up");
    }
    endPicture();
}

/* ex05 and ex12: a tile of TILE points loaded once; after each step one point fewer is right on
 * either side. */
static void temporal(void)
{
    enum { TILE = 24, STEPS = 4, CELL = 24, LEFT = 96, ROW = 36 };

    beginPicture("temporal", 700, 262, "Temporal blocking: several steps for one pass over memory",
                 "A tile of 24 points is loaded once and advanced four steps. After every step one "
                 "point fewer is "
                 "right on either side, for its neighbour is not in the tile; after four steps 16 "
                 "of the 24 points "
                 "are stored.");
    for (int step = 0; step <= STEPS; step++) {
        const int y = 14 + step * ROW;
        int right = 0;

        for (int i = 0; i < TILE; i++) {
            const int isRight = i >= step && i < TILE - step;

            right += isRight;
            box(LEFT + i * CELL, y, CELL - 2, 20, !isRight ? "waste" : step == STEPS ? "c" : "a");
        }
        label(LEFT - 8, y + 15, "s end", step == 0 ? "loaded" : "step %d", step);
        if (step == STEPS)
            label(LEFT, y + 40, "s", "stored: %d of %d points; %d of %d updates were in vain",
                  right, TILE, STEPS * TILE - STEPS * right, STEPS * TILE);
        for (int i = step + 1; step < STEPS && i < TILE - step - 1; i += TILE - 2 * step - 3) {
            line(LEFT + (i - 1) * CELL + 11, y + 20, LEFT + i * CELL + 11, y + ROW, "strong");
            line(LEFT + i * CELL + 11, y + 20, LEFT + i * CELL + 11, y + ROW, "strong");
            line(LEFT + (i + 1) * CELL + 11, y + 20, LEFT + i * CELL + 11, y + ROW, "strong");
        }
    }
    box(LEFT, 228, 22, 18, "a");
    label(LEFT + 30, 242, "s", "right");
    box(LEFT + 90, 228, 22, 18, "waste");
    label(LEFT + 120, 242, "s", "wrong: a neighbour was not there");
    box(LEFT + 340, 228, 22, 18, "c");
    label(LEFT + 370, 242, "s", "right, and stored");
    endPicture();
}

/* ex13: a small sparse matrix and its three arrays in CSR. */
static void csr(void)
{
    static const int a[4][4] = {{4, 0, 1, 0}, {0, 5, 0, 0}, {2, 0, 6, 3}, {0, 0, 7, 8}};
    enum { CELL = 34, LEFT = 24, RIGHT = 330 };
    int k = 0;

    beginPicture(
        "csr", 700, 216, "A sparse matrix in CSR format",
        "A matrix of four rows with eight entries that are not zero. CSR keeps the values row by "
        "row, the "
        "column of each value, and where each row starts, with the number of entries at the end.");
    label(RIGHT - 14, 50, "m end", "start");
    label(RIGHT - 14, 120, "m end", "column");
    label(RIGHT - 14, 166, "m end", "value");
    for (int row = 0; row < 4; row++) {
        box(RIGHT + row * CELL, 30, CELL, 30, row % 2 ? "b" : "a");
        label(RIGHT + row * CELL + CELL / 2, 50, "m mid", "%d", k);
        arrow(RIGHT + row * CELL + CELL / 2, 62, RIGHT + k * CELL + CELL / 2, 98);
        for (int j = 0; j < 4; j++) {
            box(LEFT + j * CELL, 30 + row * CELL, CELL, CELL,
                a[row][j] == 0 ? "none"
                : row % 2      ? "b"
                               : "a");
            if (a[row][j] == 0)
                continue;
            label(LEFT + j * CELL + CELL / 2, 52 + row * CELL, "m mid", "%d", a[row][j]);
            box(RIGHT + k * CELL, 100, CELL, 30, row % 2 ? "b" : "a");
            label(RIGHT + k * CELL + CELL / 2, 120, "m mid", "%d", j);
            box(RIGHT + k * CELL, 146, CELL, 30, row % 2 ? "b" : "a");
            label(RIGHT + k * CELL + CELL / 2, 166, "m mid", "%d", a[row][j]);
            k++;
        }
    }
    box(RIGHT + 4 * CELL, 30, CELL, 30, "none");
    label(RIGHT + 4 * CELL + CELL / 2, 50, "m mid", "%d", k);
    label(LEFT, 200, "s", "Row i has the entries from start[i] up to, and without, start[i + 1].");
    endPicture();
}

/* ex08: atomics of the lanes of a warp on one address are served one after the other; or the lanes
 * add up among themselves first. */
static void queue(void)
{
    enum { LANES = 8, CELL = 30, ROW = 22, LEFT = 60, RIGHT = 440, TOP = 52 };
    int steps = 0;

    beginPicture("queue", 708, 262, "Eight atomics on one address, and one",
                 "On the left eight lanes add to the same address: in each of eight steps one lane "
                 "is served, and the others wait. On the right the lanes add up among themselves "
                 "in three steps, and in the fourth one lane does one atomic.");
    label(LEFT, 20, "h", "each lane adds to *sum");
    label(RIGHT, 20, "h", "the warp adds up first");
    for (int lane = 0; lane < LANES; lane++) {
        label(LEFT + lane * CELL + CELL / 2, TOP - 8, "s dim mid", "%d", lane);
        label(RIGHT + lane * CELL + CELL / 2, TOP - 8, "s dim mid", "%d", lane);
    }
    for (int step = 0; step < LANES; step++) {
        label(LEFT - 8, TOP + step * ROW + 14, "s end", "step %d", step);
        for (int lane = step; lane < LANES; lane++)
            box(LEFT + lane * CELL, TOP + step * ROW, CELL - 2, ROW - 4,
                lane == step ? "b" : "waste");
    }
    for (int left = LANES; left >= 1; left /= 2, steps++) {
        label(RIGHT - 8, TOP + steps * ROW + 14, "s end", "step %d", steps);
        for (int lane = 0; lane < (left > 1 ? left / 2 : 1); lane++)
            box(RIGHT + lane * CELL, TOP + steps * ROW, CELL - 2, ROW - 4, left > 1 ? "a" : "b");
    }
    box(LEFT, 240, 18, 14, "b");
    label(LEFT + 24, 251, "s", "an atomic");
    box(LEFT + 120, 240, 18, 14, "waste");
    label(LEFT + 144, 251, "s", "waits for its turn");
    box(RIGHT, 240, 18, 14, "a");
    label(RIGHT + 24, 251, "s", "adds what another lane has");
    endPicture();
}

/* ex09: an atomic on the length of a cell's list returns the place for the particle. */
static void buckets(void)
{
    enum { PARTICLES = 14, CELLS = 4, ROOM = 5, CELL = 30, LEFT = 92, LISTS = 150, GAP = 10 };
    int length[CELLS] = {0};

    beginPicture("buckets", 744, 236, "Particles into cells, by an atomic on the length of a list",
                 "Fourteen particles, each with the number of its cell. Each adds one to the "
                 "length of its cell's list, and what the length was before is its place there.");
    label(LEFT - 8, 52, "s end", "its cell");
    label(LEFT - 8, 28, "s end", "particle");
    for (int i = 0; i < PARTICLES; i++) {
        const int cell = (i * i + 3 * i / 2) % CELLS, place = length[cell]++;
        const int x = LEFT + i * CELL + CELL / 2,
                  to = LEFT - 30 + cell * (ROOM * CELL + GAP) + place * CELL + CELL / 2;

        label(x, 28, "m mid", "%d", i);
        box(LEFT + i * CELL, 36, CELL - 2, 22, cell % 2 ? "b" : "a");
        label(x, 52, "m mid", "%d", cell);
        arrow(x, 60, to, LISTS - 3);
        box(to - CELL / 2, LISTS, CELL - 2, 28, cell % 2 ? "b" : "a");
        label(to, LISTS + 19, "m mid", "%d", i);
    }
    for (int cell = 0; cell < CELLS; cell++) {
        const int x = LEFT - 30 + cell * (ROOM * CELL + GAP);

        for (int place = length[cell]; place < ROOM; place++)
            box(x + place * CELL, LISTS, CELL - 2, 28, "none");
        label(x, LISTS + 46, "s", "cell %d, length %d", cell, length[cell]);
    }
    label(LEFT - 30, LISTS + 76, "s dim",
          "The order within a list is that of the atomics, which may be another in each run.");
    endPicture();
}

/* ex10: blocks arrive at a counter, and go on when it says that all are there. */
static void arrivals(void)
{
    enum { BLOCKS = 5, LEFT = 80, ROW = 34, AFTER = 90 };
    static const int work[BLOCKS] = {180, 300, 240, 390, 120};
    int last = 0;

    beginPicture("arrivals", 700, 226,
                 "A barrier of all blocks: the last one to arrive lets all go",
                 "Five blocks work for different times, then add one to a counter and wait. When "
                 "the last one has made it five, all go on.");
    for (int b = 0; b < BLOCKS; b++)
        last = work[b] > last ? work[b] : last;
    for (int b = 0; b < BLOCKS; b++) {
        int count = 1;

        for (int other = 0; other < BLOCKS; other++)
            count += work[other] < work[b];
        label(LEFT - 8, 32 + b * ROW, "s end", "block %d", b);
        box(LEFT, 16 + b * ROW, work[b], 24, "a");
        label(LEFT + work[b] - 6, 32 + b * ROW, "s end", "count = %d", count);
        if (work[b] < last)
            box(LEFT + work[b], 16 + b * ROW, last - work[b], 24, "waste");
        box(LEFT + last + 4, 16 + b * ROW, AFTER, 24, "c");
    }
    line(LEFT + last + 2, 10, LEFT + last + 2, 16 + BLOCKS * ROW, "strong");
    label(LEFT + last + 8, 24 + BLOCKS * ROW, "s", "the barrier opens");
    label(LEFT, 218, "s dim",
          "hatched: the block waits. One that cannot begin before another ends never arrives.");
    endPicture();
}

/* ex14: the turns of a loop, dealt out to gangs, workers and the lanes of vectors. */
static void gangs(void)
{
    enum { GANGS = 3, WORKERS = 2, LANES = 4, CELL = 40, LEFT = 86, ROW = 32, GAP = 40 };

    beginPicture("gangs", 716, 180, "A loop of 24 turns as gangs, workers and vectors",
                 "Three gangs of two workers with vectors of four lanes. Each lane has one turn i "
                 "of the loop. A gang is a block of CUDA, and a lane of its vectors a thread.");
    label(LEFT - 34, 20, "m", "for (i = 0; i < %d; i++)", GANGS * WORKERS * LANES);
    for (int g = 0; g < GANGS; g++) {
        const int x = LEFT + g * (LANES * CELL + GAP);

        box(x - 6, 34, LANES * CELL + 12, 100, "frame");
        label(x + LANES * CELL / 2, 52, "m mid", "gang %d", g);
        for (int w = 0; w < WORKERS; w++)
            for (int lane = 0; lane < LANES; lane++) {
                box(x + lane * CELL + 1, 62 + w * ROW, CELL - 2, 26, w ? "b" : "a");
                label(x + lane * CELL + CELL / 2, 80 + w * ROW, "m mid", "%d",
                      (g * WORKERS + w) * LANES + lane);
            }
    }
    label(LEFT - 12, 80, "s end", "worker 0");
    label(LEFT - 12, 112, "s end", "worker 1");
    label(LEFT - 34, 160, "s dim",
          "One way to deal them out: which one is taken, the compiler decides unless you do.");
    endPicture();
}

/* ex15: steps of a loop with copies around each of them, and with one data region around all. */
static void regions(void)
{
    enum { STEPS = 3, COPY = 52, KERNEL = 72, LEFT = 20 };
    static const char *const titles[] = {"no data region: each step copies",
                                         "a data region around the loop"};

    beginPicture("regions", 620, 162, "Copies in each step, and around all of them",
                 "Above, each of three steps copies the field to the device, computes, and copies "
                 "it back. Below, a data region copies it once before and once after all steps.");
    for (int i = 0; i < 2; i++) {
        int x = LEFT;

        label(LEFT, 20 + i * 72, "h", "%s", titles[i]);
        for (int step = 0; step < STEPS; step++) {
            if (i == 0 || step == 0) {
                box(x, 30 + i * 72, COPY, 24, "b");
                label(x + COPY / 2, 46 + i * 72, "s mid", "in");
                x += COPY;
            }
            box(x, 30 + i * 72, KERNEL, 24, "a");
            label(x + KERNEL / 2, 46 + i * 72, "s mid", "step %d", step);
            x += KERNEL;
            if (i == 0 || step == STEPS - 1) {
                box(x, 30 + i * 72, COPY, 24, "b");
                label(x + COPY / 2, 46 + i * 72, "s mid", "out");
                x += COPY;
            }
        }
    }
    label(LEFT, 150, "s dim", "in, out: copies of the whole field");
    endPicture();
}

/* ex16: launches that are waited for, and launches back to back. */
static void oneLaunchLine(int y, int isWaiting)
{
    enum { KERNELS = 4, CALL = 36, WAY = 22, WORK = 44, LEFT = 72 };
    int call = 0, free = 0;

    label(LEFT - 8, y + 16, "s end", "host");
    label(LEFT - 8, y + 52, "s end", "device");
    for (int k = 0; k < KERNELS; k++) {
        const int arrives = call + CALL + WAY, begins = arrives > free ? arrives : free;

        free = begins + WORK;
        box(LEFT + call, y, CALL, 24, "b");
        label(LEFT + call + CALL / 2, y + 16, "s mid", "L");
        arrow(LEFT + call + CALL, y + 26, LEFT + arrives, y + 35);
        box(LEFT + begins, y + 36, WORK, 24, "a");
        label(LEFT + begins + WORK / 2, y + 52, "s mid", "%d", k);
        if (isWaiting) {
            box(LEFT + call + CALL, y, free + WAY - call - CALL, 24, "waste");
            arrow(LEFT + free, y + 35, LEFT + free + WAY, y + 26);
        }
        call = isWaiting ? free + WAY : call + CALL;
    }
    line(LEFT + free, y - 4, LEFT + free, y + 64, "strong");
}

static void launches(void)
{
    beginPicture("launches", 600, 228, "Four kernels, each waited for, and back to back",
                 "Above, the host launches a kernel and waits for its end before the next launch: "
                 "the call, the way to the device, the kernel and the way back follow one another. "
                 "Below, it launches one after another, and the device is never idle.");
    label(12, 20, "h", "the host waits for each kernel");
    oneLaunchLine(32, 1);
    label(12, 124, "h", "back to back");
    oneLaunchLine(136, 0);
    label(12, 220, "s dim", "L: a launch; hatched: the host waits; lengths are made up");
    endPicture();
}

/* ex17: chunks by way of several streams, queued in one order or the other: what each engine does.
 * An operation begins when the one before it in its stream has ended and its engine is free. */
static void oneOrder(int y, int isDepthFirst)
{
    enum { CHUNKS = 8, STREAMS = 4, SCALE = 8, LEFT = 84, KINDS = 3 };
    static const char *const rows[KINDS] = {"copy in", "kernel", "copy out"}, *const kinds[KINDS] =
                                                                                  {"a", "b", "c"};
    static const int time[KINDS] = {4, 3, 4};
    int stream[STREAMS] = {0}, engine[KINDS] = {0}, end = 0;

    for (int op = 0; op < CHUNKS * KINDS; op++) {
        const int chunk = isDepthFirst ? op / KINDS : op % CHUNKS,
                  kind = isDepthFirst ? op % KINDS : op / CHUNKS;
        int *const ready = &stream[chunk % STREAMS];
        const int start = *ready > engine[kind] ? *ready : engine[kind];

        box(LEFT + start * SCALE, y + kind * 24, time[kind] * SCALE, 20, kinds[kind]);
        label(LEFT + start * SCALE + time[kind] * SCALE / 2, y + kind * 24 + 14, "s mid", "%d",
              chunk);
        *ready = engine[kind] = end = start + time[kind];
    }
    for (int kind = 0; kind < KINDS; kind++)
        label(LEFT - 8, y + kind * 24 + 14, "s end", "%s", rows[kind]);
    line(LEFT + end * SCALE, y - 6, LEFT + end * SCALE, y + 72, "strong");
    label(LEFT + end * SCALE + 6, y + 4, "s", "t = %d", end);
}

static void order(void)
{
    beginPicture("order", 720, 226,
                 "Eight chunks in four streams, queued breadth-first and depth-first",
                 "Breadth-first, all copies to the device are queued before all kernels: chunk 0 "
                 "waits in its stream behind the copy of chunk 4. Depth-first, all three "
                 "engines are busy at once, and the whole ends much earlier.");
    label(12, 20, "h", "breadth-first");
    oneOrder(32, 0);
    label(12, 130, "h", "depth-first");
    oneOrder(142, 1);
    endPicture();
}

/* ex18: a matrix of 6 x 6 by way of a tile of 3 x 3 in shared memory; numbers: addresses in x. */
static void transpose(void)
{
    enum {
        SIDE = 6,
        TILE = 3,
        CELL = 34,
        X = 20,
        SHARED = 290,
        Y = 460,
        TOP = 40,
        ROW = 0,
        COLUMN = 3
    };

    beginPicture("transpose", 690, 290, "A transpose of 6 x 6 by way of a tile in shared memory",
                 "A block reads a tile of 3 x 3 elements, row by row, from x into shared memory, "
                 "and writes its columns as rows of the tile of y on the other side of the "
                 "diagonal.");
    label(X, 24, "h", "x");
    label(SHARED, 24, "h", "shared memory");
    label(Y, 24, "h", "y");
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++) {
            const int inX = row >= ROW && row < ROW + TILE && column >= COLUMN &&
                            column < COLUMN + TILE,
                      inY = column >= ROW && column < ROW + TILE && row >= COLUMN &&
                            row < COLUMN + TILE;

            box(X + column * CELL, TOP + row * CELL, CELL - 2, CELL - 2,
                !inX         ? "none"
                : row == ROW ? "b"
                             : "a");
            label(X + column * CELL + CELL / 2, TOP + row * CELL + 21, "m mid", "%d",
                  row * SIDE + column);
            box(Y + column * CELL, TOP + row * CELL, CELL - 2, CELL - 2,
                !inY            ? "none"
                : column == ROW ? "b"
                                : "a");
            label(Y + column * CELL + CELL / 2, TOP + row * CELL + 21, "m mid", "%d",
                  column * SIDE + row);
        }
    for (int row = 0; row < TILE; row++)
        for (int column = 0; column < TILE; column++) {
            box(SHARED + column * CELL, TOP + row * CELL, CELL - 2, CELL - 2, row == 0 ? "b" : "a");
            label(SHARED + column * CELL + CELL / 2, TOP + row * CELL + 21, "m mid", "%d",
                  (ROW + row) * SIDE + COLUMN + column);
        }
    arrow(X + SIDE * CELL + 4, TOP + CELL / 2, SHARED - 6, TOP + CELL / 2);
    arrow(SHARED + TILE * CELL / 2, TOP + TILE * CELL + 4, Y - 6, TOP + (COLUMN + 1) * CELL);
    label(X, 264, "s", "rows of x are read,");
    label(SHARED - 20, 264, "s", "columns of the tile are read");
    label(Y, 264, "s", "and written as rows of y");
    label(X, 280, "s dim", "numbers: the element's address in x");
    endPicture();
}

/* A matrix of `tiles` x `tiles`, of which some tiles are filled. */
static void matrix(int x, int y, const char *name, int row, int column, int now)
{
    enum { TILES = 5, CELL = 30 };

    label(x + 4, y - 6, "h", "%s", name);
    for (int r = 0; r < TILES; r++)
        for (int c = 0; c < TILES; c++) {
            const int isIn = (row < 0 || r == row) && (column < 0 || c == column),
                      isNow = isIn && (row < 0      ? r == now
                                       : column < 0 ? c == now
                                                    : 1);

            box(x + c * CELL, y + r * CELL, CELL - 2, CELL - 2, isNow ? "b" : isIn ? "a" : "none");
        }
}

/* ex19: the tiles that a block needs for its tile of C. */
static void product(void)
{
    enum { A = 30, B = 250, TOP = 30, LOW = 220 };

    beginPicture(
        "product", 640, 386, "The tiles of A and B that make a tile of C",
        "A block computes one tile of C. It needs all tiles of A in the same rows, and all "
        "tiles of B in the same columns, and multiplies them pair by pair along k.");
    matrix(A, LOW, "A", 2, -1, 1);
    matrix(B, TOP, "B", -1, 3, 1);
    matrix(B, LOW, "C", 2, 3, 0);
    arrow(A + 4, LOW + 156, A + 140, LOW + 156);
    label(A + 148, LOW + 160, "m", "k");
    arrow(B + 156, TOP + 4, B + 156, TOP + 140);
    label(B + 153, TOP + 156, "m", "k");
    box(430, 60, 22, 22, "b");
    label(460, 76, "s", "this step's pair of tiles,");
    label(460, 92, "s", "and the tile of C");
    box(430, 110, 22, 22, "a");
    label(460, 126, "s", "the other steps' tiles");
    label(430, 160, "s", "5 steps for 5 tiles along k;");
    label(430, 176, "s", "each element of a tile is loaded");
    label(430, 192, "s", "once, and used by a whole row");
    label(430, 208, "s", "or column of the tile of C.");
    endPicture();
}

/* ex20: which elements of A the lanes of a warp read in the same step. */
static void rows(void)
{
    enum { ROWS = 8, COLUMNS = 16, CELL = 19, LEFT = 20, RIGHT = 376, TOP = 36 };

    beginPicture(
        "rows", 700, 234, "What the lanes read in one step: a thread per row, a warp per row",
        "With a thread for each row the lanes read the first element of every row, each in "
        "a sector of its own. With a warp for each row they read neighbouring elements of "
        "one row.");
    label(LEFT, 20, "h", "a thread for each row");
    label(RIGHT, 20, "h", "a warp for each row");
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            box(LEFT + c * CELL, TOP + r * CELL, CELL, CELL,
                c == 0  ? "b"
                : c < 8 ? "waste"
                        : "none");
            box(RIGHT + c * CELL, TOP + r * CELL, CELL, CELL, r == 0 && c < 8 ? "b" : "none");
            if (c == 0)
                label(LEFT + CELL / 2, TOP + r * CELL + 14, "s mid", "%d", r);
            if (r == 0 && c < 8)
                label(RIGHT + c * CELL + CELL / 2, TOP + 14, "s mid", "%d", c);
        }
    label(LEFT, 206, "s", "8 lanes: 8 sectors, and 7 of 8 words in vain");
    label(RIGHT, 206, "s", "8 lanes: 1 sector, all of it used");
    label(LEFT, 224, "s dim",
          "numbers: lanes, of which 8 are shown; hatched: moved with them, and not asked for");
    endPicture();
}

/* ex21: how many warps find room for their registers. */
static void occupancy(void)
{
    enum {
        REGISTERS = 65536,
        MOST = 64,
        CELL = 8,
        LEFT = 108,
        ROW = 34,
        UNIT = 256,
        SCHEDULERS = 4
    };
    static const int each[] = {32, 64, 96, 128, 255};

    beginPicture("occupancy", 740, 222, "Registers per thread, and the warps that find room",
                 "A multiprocessor has 65,536 registers and places for 64 warps. With 32 registers "
                 "for each thread all places are taken, with 255 eight.");
    for (int i = 0; i < (int)(sizeof each / sizeof *each); i++) {
        const int warp = (each[i] * WARP + UNIT - 1) / UNIT * UNIT;
        const int fit = REGISTERS / SCHEDULERS / warp * SCHEDULERS, warps = fit < MOST ? fit : MOST;

        label(LEFT - 8, 30 + i * ROW, "s end", "%d registers", each[i]);
        for (int w = 0; w < MOST; w++)
            box(LEFT + w * CELL, 16 + i * ROW, CELL - 1, 20, w < warps ? "a" : "none");
        label(LEFT + MOST * CELL + 8, 30 + i * ROW, "s", "%d warps", warps);
    }
    label(LEFT, 204, "s dim",
          "65,536 registers, a quarter for each scheduler; a warp gets them %d at a time", UNIT);
    endPicture();
}

/* ex23: the weights of linear filtering at one place. */
static void weights(void)
{
    enum { PIXELS = 5, CELL = 120, LEFT = 40, TOP = 60 };
    const double place = 2.3, from = place - 0.5;
    const int first = (int)from;
    const double a = from - first;

    beginPicture("weights", 680, 190, "Linear filtering: two pixels and their weights",
                 "Five pixels with their centres half a pixel from their edges. The place 2.3 lies "
                 "between the centres of pixels 1 and 2, which are weighted by 0.2 and 0.8.");
    for (int i = 0; i < PIXELS; i++) {
        box(LEFT + i * CELL, TOP, CELL, 34, i == first ? "a" : i == first + 1 ? "b" : "none");
        label(LEFT + i * CELL + CELL / 2, TOP + 22, "m mid", "pixel %d", i);
        line(LEFT + i * CELL + CELL / 2, TOP + 34, LEFT + i * CELL + CELL / 2, TOP + 44, "strong");
        label(LEFT + i * CELL + CELL / 2, TOP + 58, "s dim mid", "%.1f", i + 0.5);
    }
    arrow(LEFT + (int)(place * CELL), 34, LEFT + (int)(place * CELL), TOP - 2);
    label(LEFT + (int)(place * CELL), 26, "m mid", "u = %.1f", place);
    for (int i = 0; i < 2; i++) {
        const int centre = LEFT + (first + i) * CELL + CELL / 2;

        line(LEFT + (int)(place * CELL), TOP + 80, centre, TOP + 80, "dash");
        label(centre, TOP + 98, "m mid", "%.1f x[%d]", i ? a : 1.0 - a, first + i);
    }
    label(LEFT, 182, "s dim", "below the pixels: their centres");
    endPicture();
}

/* ex24: the spectrum of eight real numbers, of which five say all. */
static void spectrum(void)
{
    enum { N = 8, CELL = 70, LEFT = 92, TOP = 30 };

    beginPicture("spectrum", 690, 142, "The spectrum of eight real numbers, of which five say all",
                 "Eight complex numbers X[0] to X[7]. X[5], X[6] and X[7] are the mirror images of "
                 "X[3], X[2] and X[1], complex conjugates, and are left out.");
    label(LEFT - 10, TOP + 22, "s end", "spectrum");
    for (int k = 0; k < N; k++) {
        const int isKept = k <= N / 2, x = LEFT + k * CELL;

        box(x, TOP, CELL - 4, 34, isKept ? "a" : "waste");
        label(x + CELL / 2 - 2, TOP + 22, "m mid", "X[%d]", k);
        if (!isKept)
            label(x + CELL / 2 - 2, TOP + 52, "m mid", "= X[%d]*", N - k);
    }
    label(LEFT, TOP + 52, "s", "n / 2 + 1 = %d are kept", N / 2 + 1);
    label(LEFT, TOP + 96, "s dim", "*: the complex conjugate; X[0] is the sum of all numbers");
    endPicture();
}

/* ex29: the passes of a transform of eight points. */
static void butterflies(void)
{
    enum { N = 8, PASSES = 3, LEFT = 60, TOP = 48, WIDE = 190, HIGH = 30, BOX = 24 };

    beginPicture("butterflies", LEFT + PASSES * WIDE + 90, TOP + N * HIGH + 30,
                 "A transform of eight points in three passes",
                 "Each pass combines point j with point j + 4, for j from 0 to 3. The results go "
                 "to neighbours in the first pass, two places apart in the second and four apart "
                 "in the third, which leaves X[0] to X[7] in order.");
    for (int p = 0; p < PASSES; p++) {
        const int size = 1 << p, x = LEFT + p * WIDE;

        label(x + WIDE / 2 + 12, 20, "s mid", "size %d to %d", size, 2 * size);
        for (int j = 0; j < N / 2; j++) {
            const int k = j % size, to = 2 * (j - k) + k;

            for (int half = 0; half < 2; half++)
                for (int result = 0; result < 2; result++)
                    line(x + BOX + 2, TOP + (j + half * N / 2) * HIGH + BOX / 2, x + WIDE - 2,
                         TOP + (to + result * size) * HIGH + BOX / 2, j == 1 ? "strong" : "dash");
        }
    }
    for (int p = 0; p <= PASSES; p++)
        for (int i = 0; i < N; i++)
            box(LEFT + p * WIDE, TOP + i * HIGH, BOX, BOX,
                p < PASSES && i % (N / 2) == 1 ? "b" : "a");
    for (int i = 0; i < N; i++) {
        label(LEFT - 8, TOP + i * HIGH + 16, "m end", "x[%d]", i);
        label(LEFT + PASSES * WIDE + BOX + 8, TOP + i * HIGH + 16, "m", "X[%d]", i);
    }
    label(LEFT, TOP + N * HIGH + 18, "s dim",
          "solid: butterfly 1 of each pass; it always reads points 1 and 5");
    endPicture();
}

/* ex03: what is on a multiprocessor. */
static void parts(void)
{
    enum { SCHEDULERS = 4, WARPS = 16, LANES = 32, LEFT = 20, WIDE = 164, GAP = 10 };

    beginPicture("parts", 722, 262, "The parts of a multiprocessor of an H200",
                 "Four schedulers, each with 16 places for warps, 16,384 registers and units for "
                 "the 32 lanes of a warp. They share shared memory and the first-level cache.");
    for (int s = 0; s < SCHEDULERS; s++) {
        const int x = LEFT + s * (WIDE + GAP);

        box(x, 12, WIDE, 178, "frame");
        label(x + WIDE / 2, 30, "h mid", "scheduler %d", s);
        for (int w = 0; w < WARPS; w++)
            box(x + 10 + w % 8 * 18, 40 + w / 8 * 18, 16, 16, w == 5 ? "b" : "a");
        label(x + WIDE / 2, 92, "s mid", "places for %d warps", WARPS);
        box(x + 10, 102, WIDE - 20, 24, "c");
        label(x + WIDE / 2, 118, "s mid", "%d registers", 65536 / SCHEDULERS);
        for (int lane = 0; lane < LANES; lane++)
            box(x + 10 + lane % 16 * 9, 136 + lane / 16 * 14, 8, 12, "b");
        label(x + WIDE / 2, 180, "s mid", "units for %d lanes", LANES);
    }
    box(LEFT, 200, SCHEDULERS * (WIDE + GAP) - GAP, 26, "c");
    label(LEFT + 2 * (WIDE + GAP), 217, "mid",
          "shared memory and L1 cache: 256 KB for all blocks here");
    label(LEFT, 250, "s dim",
          "In each cycle a scheduler lets one of its warps (orange) use the units; the others wait "
          "or are ready.");
    endPicture();
}

/* ex22: which lanes of a warp still have a ray to follow. */
static void rays(void)
{
    enum { LANES = 8, TURNS = 4, WIDE = 132, HIGH = 20, LEFT = 90, TOP = 40 };
    static const int follows[LANES] = {1, 1, 2, 2, 4, 3, 2, 1};
    static const char *const ray[TURNS] = {"from the eye", "1st reflection", "2nd reflection",
                                           "3rd reflection"};
    int used = 0;

    beginPicture("rays", 722, 256, "The rays that the lanes of a warp follow",
                 "Eight lanes. Some are done when the first ray meets the sky, one follows three "
                 "reflections; all wait for that one.");
    for (int t = 0; t < TURNS; t++)
        label(LEFT + t * (WIDE + 6) + WIDE / 2, TOP - 10, "s mid", "%s", ray[t]);
    for (int lane = 0; lane < LANES; lane++) {
        label(LEFT - 10, TOP + lane * (HIGH + 3) + 14, "s end", "lane %d", lane);
        for (int t = 0; t < TURNS; t++)
            box(LEFT + t * (WIDE + 6), TOP + lane * (HIGH + 3), WIDE, HIGH,
                t < follows[lane] ? "a" : "waste");
        used += follows[lane];
    }
    label(
        LEFT, TOP + LANES * (HIGH + 3) + 20, "s dim",
        "Blue: the lane follows a ray. Hatched: it waits for the others. %d of %d turns are used.",
        used, LANES * TURNS);
    endPicture();
}

/* ex03: a CPU beside a GPU: what the area of each is used for. */
static void chips(void)
{
    enum { LEFT = 20, WIDE = 330, RIGHT = LEFT + WIDE + 22, TOP = 34, HIGH = 172, SIDE = 72 };

    beginPicture(
        "chips", 722, 266, "A CPU beside a GPU",
        "The CPU has eight large cores, each with much control and a cache of its own, and "
        "a large cache for all. The GPU has 132 small multiprocessors, nearly all units, "
        "and one cache.");
    label(LEFT, TOP - 10, "h", "CPU: a few cores");
    box(LEFT, TOP, WIDE, HIGH, "frame");
    for (int core = 0; core < 8; core++) {
        const int x = LEFT + 12 + core % 4 * (SIDE + 6), y = TOP + 12 + core / 4 * 56;

        box(x, y, 40, 30, "b");
        for (int unit = 0; unit < 4; unit++)
            box(x + 42 + unit % 2 * 15, y + unit / 2 * 15, 15, 15, "a");
        box(x, y + 32, SIDE, 16, "c");
    }
    box(LEFT + 12, TOP + 126, WIDE - 24, 34, "c");
    label(RIGHT, TOP - 10, "h", "GPU: 132 multiprocessors");
    box(RIGHT, TOP, WIDE, HIGH, "frame");
    for (int m = 0; m < 132; m++) {
        const int x = RIGHT + 12 + m % 12 * 26, y = TOP + 12 + m / 12 * 11;

        box(x, y, 3, 9, "b");
        box(x + 3, y, 15, 9, "a");
        box(x + 18, y, 4, 9, "c");
    }
    box(RIGHT + 12, TOP + 138, WIDE - 24, 22, "c");
    box(LEFT, TOP + HIGH + 14, 16, 12, "a");
    label(LEFT + 22, TOP + HIGH + 24, "s", "units that compute");
    box(LEFT + 160, TOP + HIGH + 14, 16, 12, "b");
    label(LEFT + 182, TOP + HIGH + 24, "s", "control: what comes next?");
    box(LEFT + 360, TOP + HIGH + 14, 16, 12, "c");
    label(LEFT + 382, TOP + HIGH + 24, "s", "caches");
    label(LEFT, TOP + HIGH + 48, "s dim", "Not to scale.");
    endPicture();
}

/* ex25: devices with their parts of a field, and the ways between them. */
static void links(void)
{
    enum { DEVICES = 4, WIDE = 140, GAP = 36, LEFT = 20, TOP = 104 };

    beginPicture("links", 724, 238, "Four devices, and the two ways between neighbours",
                 "Four devices, each with its rows of the field. With peer access a boundary row "
                 "goes straight to the neighbour; without it by way of a buffer of the host, in "
                 "two copies.");
    box(LEFT, 12, DEVICES * (WIDE + GAP) - GAP, 34, "none");
    label(LEFT + 2 * (WIDE + GAP) - GAP / 2, 34, "mid", "host: a buffer");
    for (int d = 0; d < DEVICES; d++) {
        const int x = LEFT + d * (WIDE + GAP);

        box(x, TOP, WIDE, 92, "frame");
        label(x + WIDE / 2, TOP + 18, "h mid", "device %d", d);
        box(x + 12, TOP + 28, WIDE - 24, 34, "a");
        label(x + WIDE / 2, TOP + 50, "s mid", "its rows");
        box(x + 12, TOP + 66, WIDE - 24, 16, "b");
        label(x + WIDE / 2, TOP + 78, "s mid", "halo rows");
        if (d + 1 < DEVICES) {
            arrow(x + WIDE - 10, TOP + 44, x + WIDE + GAP + 10, TOP + 72);
            arrow(x + WIDE + GAP + 10, TOP + 38, x + WIDE - 10, TOP + 66);
        }
    }
    arrow(LEFT + WIDE - 40, TOP - 2, LEFT + WIDE - 40, 50);
    arrow(LEFT + WIDE + GAP + 40, 50, LEFT + WIDE + GAP + 40, TOP - 2);
    label(LEFT + WIDE + GAP + 52, 80, "s", "without peer access: two copies, by way of the host");
    label(LEFT, 224, "s",
          "between the devices: with peer access, one copy, over NVLink or PCI Express");
    endPicture();
}

/* ex27: in which passes the lanes of a warp reach the counters of their values, with `copies`
 * counters for a value, one beside the other. Returns the height. */
static int oneCounting(int y, int copies)
{
    enum { LEFT = 78, CELL = 20, ROW = 20 };
    unsigned int random = 1; /* as in lessons/ex27.cu */
    int word[WARP], count = 0;

    for (int lane = 0; lane < WARP; lane++) {
        random = random * 1664525u + 1013904223u;
        word[lane] = (int)(random >> 24) * copies + lane % copies;
    }
    label(LEFT, y, "h", copies == 1 ? "one counter for each value" : "%d counters for each value",
          copies);
    for (int lane = 0; lane < WARP; lane++) {
        int pass = 0, isNew = 1, isShared = 0;

        for (int other = 0; other < WARP; other++) {
            isShared |= other != lane && word[other] == word[lane];
            isNew &= other >= lane || word[other] != word[lane];
        }
        if (!isNew)
            continue;
        for (int before = 0; before < lane; before++) {
            int isFirst = word[before] % BANKS == word[lane] % BANKS;

            for (int other = 0; other < before; other++)
                isFirst &= word[other] != word[before];
            pass += isFirst;
        }
        box(LEFT + word[lane] % BANKS * CELL, y + 10 + pass * ROW, CELL - 2, ROW - 2,
            isShared ? "b" : "a");
        label(LEFT + word[lane] % BANKS * CELL + CELL / 2 - 1, y + 23 + pass * ROW, "s mid", "%d",
              lane);
        count = pass + 1 > count ? pass + 1 : count;
    }
    for (int pass = 0; pass < count; pass++)
        label(LEFT - 8, y + 23 + pass * ROW, "s end", "pass %d", pass + 1);
    return 10 + count * ROW;
}

static void counters(void)
{
    int y = 24;

    beginPicture(
        "counters", 732, 262, "In how many passes a warp adds to its counters",
        "The 32 banks from left to right, and in each the lanes whose counters lie there. "
        "With one counter for each value up to three lanes meet in a bank, which takes three "
        "passes. With 16 counters two lanes meet. With 32 each lane has a bank to itself.");
    for (int copies = 1; copies <= WARP; copies = copies == 1 ? 16 : 2 * copies)
        y += oneCounting(y, copies) + 26;
    label(78, y + 4, "s dim",
          "Columns: the 32 banks. Numbers: lanes. Orange: several lanes have this value.");
    endPicture();
}

/* ex31: all pairs of bodies as a square, of which a block works on a strip, tile by tile. */
static void bodies(void)
{
    enum { CELL = 12, HELD = 4, THREADS = 4, TILES = 5, LEFT = 190, TOP = 50 };
    enum { HIGH = HELD * THREADS * CELL, WIDE = TILES * THREADS * 2 * CELL, AT = 2 };

    beginPicture("bodies", 722, TOP + HIGH + 84,
                 "The bodies i of a block, and its tiles of bodies j",
                 "A strip of the square of all pairs. Downwards the bodies i of a block, four of "
                 "them in the registers of each thread; to the right the bodies j, in tiles. One "
                 "tile is in shared memory, and one body of it meets all bodies i of the block.");
    label(LEFT + WIDE / 2, 18, "mid", "all n bodies j, tile by tile");
    for (int t = 0; t < TILES; t++) {
        const int x = LEFT + t * WIDE / TILES;

        box(x, TOP - 20, WIDE / TILES - 3, 14, t == AT ? "c" : "none");
        box(x, TOP, WIDE / TILES - 3, HIGH - 2, t < AT ? "waste" : "none");
        label(x + WIDE / TILES / 2 - 2, TOP + HIGH + 16, "s mid", "%s",
              t < AT    ? "done"
              : t == AT ? "in shared memory"
                        : "to come");
    }
    for (int k = 0; k < HELD; k++)
        for (int thread = 0; thread < THREADS; thread++) {
            const int y = TOP + (k * THREADS + thread) * CELL;

            box(LEFT - 24, y, 16, CELL - 2, thread == 1 ? "b" : "a");
            box(LEFT + AT * WIDE / TILES + 3 * CELL, y, CELL, CELL - 2, thread == 1 ? "b" : "a");
        }
    label(LEFT - 32, TOP + 4 * CELL, "s end", "bodies i, in registers");
    label(LEFT - 32, TOP + 4 * CELL + 18, "s end", "orange: four of one thread");
    label(20, TOP + HIGH + 44, "s dim",
          "Each thread reads one body j of the tile, the same for all, and lets it meet its four "
          "bodies i.");
    label(20, TOP + HIGH + 64, "s dim", "When the tile is done, the block loads the next one.");
    endPicture();
}

/* ex32: the scores of all queries and keys, of which one tile at a time exists. */
static void attention(void)
{
    enum { CELL = 44, ROWS = 4, COLUMNS = 6, LEFT = 200, TOP = 76, ROW = 2, AT = 3 };

    beginPicture("attention", 722, TOP + ROWS * CELL + 90, "Attention tile by tile",
                 "The square of all scores, queries downwards, keys to the right. A block has the "
                 "queries of one row of tiles. It goes from left to right; only one tile of scores "
                 "exists, and the largest score, the total and the weighted sum are carried on. "
                 "Above the diagonal a causal mask leaves nothing to do.");
    label(LEFT + COLUMNS * CELL / 2, 18, "mid", "keys and values, tile by tile");
    for (int j = 0; j < COLUMNS; j++)
        box(LEFT + j * CELL, TOP - 44, CELL - 4, 28, j == AT ? "c" : "none");
    for (int i = 0; i < ROWS; i++) {
        box(LEFT - 48, TOP + i * CELL, 28, CELL - 4, i == ROW ? "b" : "a");
        for (int j = 0; j < COLUMNS; j++)
            box(LEFT + j * CELL, TOP + i * CELL, CELL - 4, CELL - 4,
                i == ROW && j == AT ? "b"
                : j > i + 2         ? "waste"
                                    : "none");
    }
    label(LEFT - 56, TOP + ROWS * CELL / 2, "s end", "queries");
    label(LEFT + COLUMNS * CELL + 12, TOP + 16, "s", "hatched: a causal mask hides them");
    label(LEFT + COLUMNS * CELL + 12, TOP + ROW * CELL + 16, "s",
          "orange: the only scores that exist");
    label(LEFT + COLUMNS * CELL + 12, TOP + ROW * CELL + 34, "s", "carried on: most, total, sum");
    label(20, TOP + ROWS * CELL + 34, "s dim",
          "In three kernels, the whole square goes to memory and comes back, twice.");
    label(20, TOP + ROWS * CELL + 54, "s dim",
          "In one kernel, a block keeps its queries, and keys and values come to it.");
    endPicture();
}

/* ex31: bodies i stay in the lanes of a warp, bodies j go around. */
static void travel(void)
{
    enum { LANES = 8, HELD = 4, WIDE = 64, LEFT = 110, TOP = 30 };

    beginPicture("travel", 722, 242, "Bodies that travel around the lanes of a warp",
                 "Lanes of a warp, each with bodies i that stay. Below each lane a body j with the "
                 "sum of what it has received. After each step the lane before takes both over.");
    for (int lane = 0; lane < LANES; lane++) {
        const int x = LEFT + lane * (WIDE + 8), middle = x + WIDE / 2;
        const int number = lane < LANES - 1 ? lane : 31;

        if (lane > 0)
            arrow(x + 4, TOP + 148, x - 12, TOP + 148);
        if (lane == LANES - 2) { /* lanes 6 to 30 */
            label(middle, TOP + 34, "mid", "...");
            label(middle, TOP + 116, "mid", "...");
            continue;
        }
        label(middle, TOP - 10, "s mid", "lane %d", number);
        for (int k = 0; k < HELD; k++)
            box(x, TOP + k * 16, WIDE, 14, "a");
        box(x, TOP + 92, WIDE, 20, "b");
        label(middle, TOP + 106, "s mid", "j = %d", number);
        box(x, TOP + 114, WIDE, 20, "c");
        label(middle, TOP + 128, "s mid", "its sum");
        arrow(middle, TOP + 90, middle, TOP + 66);
    }
    line(LEFT + 4, TOP + 148, LEFT + 4, TOP + 164, "l");
    line(LEFT + 4, TOP + 164, LEFT + LANES * (WIDE + 8) - 12, TOP + 164, "l");
    arrow(LEFT + LANES * (WIDE + 8) - 12, TOP + 164, LEFT + LANES * (WIDE + 8) - 12, TOP + 138);
    label(LEFT - 8, TOP + 34, "s end", "bodies i stay");
    label(LEFT - 8, TOP + 114, "s end", "bodies j travel");
    label(20, TOP + 198, "s dim",
          "In each step a j meets all bodies i of its lane: both get their part of the force, i in "
          "its register, j in its sum.");
    endPicture();
}

/* ex26: one row of sums; those that have changed are coloured. */
static void rowOfSums(int x, int y, const int *sum, const int *before, int count)
{
    enum { CELL = 34 };

    for (int i = 0; i < count; i++) {
        box(x + i * CELL, y, CELL - 4, 20, sum[i] != before[i] ? "a" : "none");
        label(x + i * CELL + CELL / 2 - 2, y + 14, "m mid", "%d", sum[i]);
    }
}

/* ex26: eight elements scanned in doubling steps, and by a tree. */
static void scan(void)
{
    enum { COUNT = 8, CELL = 34, ROW = 40, LEFT = 20, RIGHT = 400, TOP = 36 };
    static const int x[COUNT] = {3, 1, 4, 1, 5, 9, 2, 6};
    int sum[COUNT], old[COUNT], y = TOP, additions = 0;

    beginPicture("scan", 692, 362, "Doubling steps and a tree",
                 "Eight elements. On the left each step adds the sum that stands 1, 2, 4 places "
                 "before: 17 additions in three steps. On the right sums go up a tree to the "
                 "total, which 0 replaces, and down again: 14 additions in six steps.");
    label(LEFT, 20, "h", "doubling steps");
    label(RIGHT, 20, "h", "a tree");
    for (int i = 0; i < COUNT; i++)
        sum[i] = x[i];
    rowOfSums(LEFT, y, sum, sum, COUNT);
    for (int distance = 1; distance < COUNT; distance *= 2, y += ROW) {
        for (int i = 0; i < COUNT; i++)
            old[i] = sum[i];
        for (int i = distance; i < COUNT; i++, additions++) {
            sum[i] += old[i - distance];
            line(LEFT + (i - distance) * CELL + CELL / 2, y + 20, LEFT + i * CELL + CELL / 2 - 2,
                 y + ROW, "l");
        }
        rowOfSums(LEFT, y + ROW, sum, old, COUNT);
    }
    label(LEFT, y + 44, "s", "%d additions: sums up to and with each element", additions);
    label(LEFT, y + 62, "s dim", "one place to the right, they are the sums before it");
    for (int i = 0; i < COUNT; i++)
        sum[i] = x[i];
    y = TOP;
    additions = 0;
    rowOfSums(RIGHT, y, sum, sum, COUNT);
    for (int distance = 1; distance < COUNT; distance *= 2, y += ROW) {
        for (int i = 0; i < COUNT; i++)
            old[i] = sum[i];
        for (int i = 2 * distance - 1; i < COUNT; i += 2 * distance, additions++) {
            sum[i] += old[i - distance];
            line(RIGHT + (i - distance) * CELL + CELL / 2, y + 20, RIGHT + i * CELL + CELL / 2 - 2,
                 y + ROW, "l");
        }
        rowOfSums(RIGHT, y + ROW, sum, old, COUNT);
    }
    sum[COUNT - 1] = 0; /* the total is kept elsewhere */
    y += ROW;
    label(RIGHT - 8, y + 14, "s end", "then 0");
    for (int distance = COUNT / 2; distance > 0; distance /= 2, y += ROW) {
        for (int i = 0; i < COUNT; i++)
            old[i] = sum[i];
        if (distance == COUNT / 2) {
            old[COUNT - 1] = -1;
            rowOfSums(RIGHT, y, sum, old, COUNT);
            old[COUNT - 1] = 0;
        }
        for (int i = 2 * distance - 1; i < COUNT; i += 2 * distance, additions++) {
            sum[i] += old[i - distance];
            sum[i - distance] = old[i];
            line(RIGHT + (i - distance) * CELL + CELL / 2, y + 20, RIGHT + i * CELL + CELL / 2 - 2,
                 y + ROW, "l");
            line(RIGHT + i * CELL + CELL / 2, y + 20, RIGHT + (i - distance) * CELL + CELL / 2 - 2,
                 y + ROW, "dash");
        }
        rowOfSums(RIGHT, y + ROW, sum, old, COUNT);
    }
    label(LEFT, y + 16, "s", "the tree: %d additions", additions);
    endPicture();
}

/* ex26: whose notes a tile needs: by look-back, and by a block that stays. */
static void notes(void)
{
    enum { TILES = 12, CELL = 48, LEFT = 90, FIRST = 44, SECOND = 148, TILE = 9, BLOCKS = 4 };
    static const char kind[] = "bbbbbbaaa---"; /* b: the sum, a: the total, -: nothing yet */

    beginPicture("notes", 692, 236, "The notes that tile 9 needs",
                 "By look-back tile 9 adds the totals of tiles 8, 7 and 6 to the sum that it finds "
                 "at tile 5. A block that stays and has had tile 5 adds the totals of tiles 6 to 8 "
                 "to the sum that it knows.");
    label(LEFT, 20, "h", "look back, until there is a sum");
    label(LEFT, SECOND - 24, "h", "four blocks that stay: only what was added since");
    for (int t = 0; t < TILES; t++) {
        const int x = LEFT + t * CELL;

        box(x, FIRST, CELL - 4, 26, kind[t] == '-' ? "none" : kind[t] == 'b' ? "b" : "a");
        label(x + CELL / 2 - 2, FIRST + 17, "m mid", "%d", t);
        box(x, SECOND, CELL - 4, 26,
            t == TILE - BLOCKS              ? "c"
            : t < TILE && t > TILE - BLOCKS ? "a"
                                            : "none");
        label(x + CELL / 2 - 2, SECOND + 17, "m mid", "%d", t);
        if (t >= TILE - BLOCKS && t < TILE) {
            arrow(LEFT + TILE * CELL + CELL / 2, FIRST + 48, x + CELL / 2 - 2, FIRST + 28);
            if (t > TILE - BLOCKS)
                arrow(LEFT + TILE * CELL + CELL / 2, SECOND + 48, x + CELL / 2 - 2, SECOND + 28);
        }
    }
    label(LEFT - 8, FIRST + 17, "s end", "tile");
    label(LEFT - 8, SECOND + 17, "s end", "tile");
    box(LEFT, 214, 18, 14, "b");
    label(LEFT + 24, 225, "s", "sum up to the tile");
    box(LEFT + 160, 214, 18, 14, "a");
    label(LEFT + 184, 225, "s", "total of the tile");
    box(LEFT + 310, 214, 18, 14, "c");
    label(LEFT + 334, 225, "s", "the block's own last tile: it knows the sum");
    endPicture();
}

/* ex28: eight keys in a bitonic network; a comparison joins two lines. */
static void network(void)
{
    enum { KEYS = 8, ROUNDS = 6, LEFT = 40, TOP = 44, ROW = 26, ROUND = 106, STEP = 20 };
    static const int size[ROUNDS] = {2, 4, 4, 8, 8, 8}, stride[ROUNDS] = {1, 2, 1, 4, 2, 1};
    int key[KEYS] = {6, 3, 7, 1, 8, 2, 5, 4};

    beginPicture("network", LEFT + ROUNDS * ROUND + 40, TOP + KEYS * ROW + 40,
                 "A bitonic network for eight keys",
                 "Eight lines, one for each place, and six rounds of four comparisons. A round "
                 "that begins a merge compares the place with its mirror image, the others with a "
                 "fixed stride. In the end the keys 1 to 8 are in order.");
    for (int i = 0; i < KEYS; i++)
        line(LEFT + 12, TOP + i * ROW, LEFT + ROUNDS * ROUND, TOP + i * ROW, "l");
    for (int r = 0; r < ROUNDS; r++) {
        const int x = LEFT + r * ROUND, isMirror = stride[r] == size[r] / 2;

        if (isMirror) {
            label(x + 20, 14, "s", "runs of %d", size[r]);
            line(x - 12, 18, x - 12, TOP + KEYS * ROW - 12, "dash");
        }
        if (isMirror)
            label(x + 20, 30, "s dim", "mirror image");
        else
            label(x + 20, 30, "s dim", "stride %d", stride[r]);
        for (int i = 0; i < KEYS; i++)
            label(x + 6, TOP + i * ROW - 4, "m end", "%d", key[i]);
        for (int low = 0; low < KEYS; low++) {
            const int high = isMirror ? low ^ (size[r] - 1) : low ^ stride[r];

            if (high > low) {
                const int at = x + 28 + low % (isMirror ? size[r] / 2 : stride[r]) * STEP;

                line(at, TOP + low * ROW, at, TOP + high * ROW, "strong");
                box(at - 3, TOP + low * ROW - 3, 6, 6, "a");
                box(at - 3, TOP + high * ROW - 3, 6, 6, "a");
                if (key[high] < key[low]) {
                    const int larger = key[low];

                    key[low] = key[high];
                    key[high] = larger;
                }
            }
        }
    }
    for (int i = 0; i < KEYS; i++)
        label(LEFT + ROUNDS * ROUND + 14, TOP + i * ROW + 4, "m", "%d", key[i]);
    label(LEFT, TOP + KEYS * ROW + 16, "s dim",
          "Each comparison puts the smaller key on the upper line. The numbers are the keys before "
          "the round.");
    endPicture();
}

/* ex28: keys of two digits, sorted by the last digit and then by the first. */
static void radix(void)
{
    enum { KEYS = 12, CELL = 46, LEFT = 96, ROW = 96, TOP = 16 };
    int key[KEYS] = {31, 12, 32, 20, 11, 22, 30, 21, 10, 33, 12, 23};

    beginPicture("radix", LEFT + KEYS * CELL + 16, TOP + 2 * ROW + 62,
                 "A radix sort of keys with two digits",
                 "Twelve keys in three rows. From the first row to the second they are sorted by "
                 "the last digit, from the second to the third by the first digit. Keys with the "
                 "same digit keep their order, so that their arrows do not cross.");
    for (int row = 0; row < 3; row++) {
        const int y = TOP + row * ROW, divisor = row == 0 ? 1 : 10;
        int next[10] = {0}, moved[KEYS], sum = 0;

        label(LEFT - 10, y + 18, "s end", "%s",
              row == 0   ? "input"
              : row == 1 ? "by the last"
                         : "by the first");
        for (int i = 0; i < KEYS; i++)
            next[key[i] / divisor % 10]++;
        for (int d = 0; d < 10; d++) {
            const int count = next[d];

            next[d] = sum;
            sum += count;
        }
        for (int i = 0; i < KEYS; i++) {
            const int d = key[i] / divisor % 10, to = next[d]++, x = LEFT + i * CELL;

            box(x, y, CELL - 4, 26, d % 2 ? "b" : "a");
            label(x + CELL / 2 - 2, y + 18, "m mid", "%d", key[i]);
            if (row < 2)
                arrow(x + CELL / 2 - 2, y + 28, LEFT + to * CELL + CELL / 2 - 2, y + ROW - 3);
            moved[to] = key[i];
        }
        for (int i = 0; i < KEYS; i++)
            key[i] = moved[i];
    }
    label(LEFT, TOP + 2 * ROW + 50, "s dim",
          "Colours: the digit of the next pass. Arrows of one digit do not cross: a stable pass.");
    endPicture();
}

/* ex30: a tile with its halo from above, and the planes through which it marches from the side. */
static void marching(void)
{
    enum { CELL = 20, WIDE = 8, HIGH = 4, LEFT = 20, TOP = 50, SIDE = 300, PLANES = 7, NOW = 3 };

    beginPicture("marching", 722, 268, "A block's tile and the planes through which it marches",
                 "On the left a tile of points from above, with a halo of one point around it, "
                 "without corners. On the right the planes from the side: some to come, one that "
                 "is read now, and below it those whose elements wait in registers.");
    label(LEFT, 22, "h", "plane k from above");
    for (int row = 0; row < HIGH + 2; row++)
        for (int c = 0; c < WIDE + 2; c++) {
            const int isHalo = row == 0 || row == HIGH + 1 || c == 0 || c == WIDE + 1;
            const int isCorner = (row == 0 || row == HIGH + 1) && (c == 0 || c == WIDE + 1);

            if (!isCorner)
                box(LEFT + c * CELL, TOP + row * CELL, CELL - 3, CELL - 3, isHalo ? "b" : "a");
        }
    label(LEFT, TOP + (HIGH + 2) * CELL + 18, "s", "blue: the tile, a point or four to a thread");
    label(LEFT, TOP + (HIGH + 2) * CELL + 36, "s", "orange: the halo, read by neighbours, too");
    label(SIDE, 22, "h", "planes from the side");
    for (int k = 0; k < PLANES; k++) {
        const int y = TOP + k * 26;

        if (k == NOW) {
            box(SIDE, y, CELL - 3, 16, "b");
            box(SIDE + (WIDE + 1) * CELL, y, CELL - 3, 16, "b");
        }
        box(SIDE + CELL, y, WIDE * CELL - 3, 16, k < NOW ? "none" : k == NOW ? "a" : "waste");
        label(SIDE + (WIDE + 2) * CELL + 10, y + 13, "s",
              k < NOW    ? "to come"
              : k == NOW ? "k: now, in shared memory or a cache"
                         : "k - %d: wait in registers",
              k - NOW);
    }
    arrow(SIDE - 12, TOP + (PLANES - 1) * 26, SIDE - 12, TOP);
    endPicture();
}

/* ex33: the blocks of a cluster, whose ends of a rod go to the neighbours' shared memory. */
static void cluster(void)
{
    enum { BLOCKS = 4, LEFT = 20, TOP = 40, WIDE = 150, STEP = 174, CELL = 18, CELLS = 6 };

    beginPicture("cluster", 722, 210, "A rod in the shared memory of a cluster",
                 "Four blocks of a cluster side by side, each with a part of a rod and a place for "
                 "a halo at both ends. Arrows lead from the outermost elements of each block into "
                 "the halo of its neighbour.");
    for (int b = 0; b < BLOCKS; b++) {
        const int x = LEFT + b * STEP;

        label(x, TOP - 12, "h", "block %d", b);
        box(x, TOP, WIDE, 96, "none");
        label(x + 8, TOP + 18, "s dim", "shared memory");
        for (int c = 0; c < CELLS + 2; c++)
            if ((c > 0 || b > 0) && (c <= CELLS || b + 1 < BLOCKS))
                box(x + 3 + c * CELL, TOP + 56, CELL - 3, CELL - 3,
                    c == 0 || c == CELLS + 1 ? "b" : "a");
    }
    for (int x = LEFT; x < LEFT + (BLOCKS - 1) * STEP; x += STEP) {
        arrow(x + 11 + CELLS * CELL, TOP + 54, x + STEP + 9, TOP + 54);
        arrow(x + STEP + 11 + CELL, TOP + 75, x + 11 + (CELLS + 1) * CELL, TOP + 75);
    }
    label(LEFT, TOP + 122, "s", "blue: a block's part of the rod");
    label(LEFT, TOP + 140, "s", "orange: its halo, which the neighbours write");
    label(LEFT, TOP + 158, "s dim",
          "The arrows cross the network between the multiprocessors, not memory.");
    endPicture();
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: pictures FOLDER\n");
        return 2;
    }
    folder = argv[1];
    calls();
    tools();
    roofline();
    build();
    grid();
    spaces();
    latency();
    tile();
    tree();
    streams();
    halo();
    temporal();
    csr();
    queue();
    buckets();
    arrivals();
    gangs();
    regions();
    launches();
    order();
    transpose();
    product();
    rows();
    occupancy();
    weights();
    spectrum();
    butterflies();
    rays();
    chips();
    parts();
    links();
    counters();
    bodies();
    travel();
    attention();
    scan();
    notes();
    network();
    radix();
    marching();
    cluster();
    return 0;
}
