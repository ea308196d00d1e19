/* Pictures of the lessons that no trace can draw: ./pictures FOLDER writes them as SVG. Times and
 * bank conflicts are computed by the rules that devices follow (32 banks of 4 bytes, warps of 32
 * lanes). draw.sh makes these and those that ./course picture draws; tests/lessons says when the
 * pictures in the repository are stale. */
#include "draw.h"
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

/* ex00: who does what, when. A call that waits for the device is drawn as long as it waits. */
static void calls(void)
{
    enum { LEFT = 92, HOST = 34, DEVICE = 104, HIGH = 30 };
    static const struct {
        int start, length;
        const char *name;
    } host[] = {{0, 104, "cudaMalloc"},
                {108, 128, "cudaMemcpy"},
                {240, 64, "<<< >>>"},
                {308, 212, "cudaMemcpy"},
                {524, 96, "cudaFree"}},
      device[] = {{128, 100, "copy"}, {296, 120, "kernel"}, {420, 92, "copy"}};

    beginPicture("calls", 736, 184, "What the host and the device do, one after the other",
                 "The host calls cudaMalloc, cudaMemcpy, the launch, cudaMemcpy, cudaFree. Both "
                 "copies last until the device has copied. The launch is short: the kernel runs on "
                 "the device while the host goes on to the second copy, which waits for the "
                 "kernel.");
    label(LEFT - 10, HOST + 20, "h end", "host");
    label(LEFT - 10, DEVICE + 20, "h end", "device");
    for (size_t i = 0; i < sizeof host / sizeof *host; i++) {
        box(LEFT + host[i].start, HOST, host[i].length, HIGH, i == 2 ? "b" : "a");
        label(LEFT + host[i].start + host[i].length / 2, HOST + 20, "m mid", "%s", host[i].name);
    }
    for (size_t i = 0; i < sizeof device / sizeof *device; i++) {
        const int x = LEFT + device[i].start;

        box(x, DEVICE, device[i].length, HIGH, i == 1 ? "b" : "c");
        label(x + device[i].length / 2, DEVICE + 20, "m mid", "%s", device[i].name);
        if (i < 2)
            arrow(x - 12, HOST + HIGH + 2, x, DEVICE - 2);
    }
    arrow(LEFT + 512, DEVICE - 2, LEFT + 520, HOST + HIGH + 2);
    label(LEFT + 330, HOST + HIGH + 24, "s dim", "waits for the kernel, then copies");
    label(LEFT + 296, DEVICE + HIGH + 20, "s dim",
          "an error in here shows at the next call that waits");
    label(LEFT, 174, "s dim", "time goes to the right");
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

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: pictures FOLDER\n");
        return 2;
    }
    folder = argv[1];
    calls();
    grid();
    spaces();
    latency();
    tile();
    tree();
    streams();
    halo();
    temporal();
    csr();
    return 0;
}
