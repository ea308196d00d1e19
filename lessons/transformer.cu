/* A transformer that goes on with a text, on the CPU and on the device: two
 * layers, each with one head of attention. Nothing is trained; the weights
 * are random vectors for the words, and matrices that pick and shift parts.
 * The first head finds the word before each word. The second looks where
 * the last word stood before, and takes the word that followed there. */
#include <string.h>

#include "../common/cuda_utils.h"

enum { D = 32, WIDTH = 4 * D, MOST_ROWS = D, LAYERS = 2, SHARP = 20 };
/* A row of the state has four parts: its word, its place in the text, and
 * what the two heads have found. */
enum { WORD = 0, PLACE = D, BEFORE = 2 * D, NEXT = 3 * D };

/* For a row x of the state: query q x, key k x, value v x. What the head
 * finds is added to x from `result` on. */
struct head {
    float q[D][WIDTH], k[D][WIDTH], v[D][WIDTH];
    int result;
};

struct model {
    struct head head[LAYERS];
    float x[MOST_ROWS][WIDTH], q[MOST_ROWS][D], k[MOST_ROWS][D];
    float v[MOST_ROWS][D];
};

static const char *const words[] = {"roses",   "are",  "red", "and",
                                    "violets", "blue", ";",   "(begin)"};
enum { WORDS = sizeof words / sizeof words[0] };

__host__ __device__ float product(const float *a, const float *b, int n)
{
    float sum = 0.0f;

    for (int c = 0; c < n; c++)
        sum += a[c] * b[c];
    return sum;
}

/* Element c of the query, key and value of row i. */
__host__ __device__ void project(struct model *m, int layer, int i, int c)
{
    m->q[i][c] = product(m->head[layer].q[c], m->x[i], WIDTH);
    m->k[i][c] = product(m->head[layer].k[c], m->x[i], WIDTH);
    m->v[i][c] = product(m->head[layer].v[c], m->x[i], WIDTH);
}

/* Row i attends to the rows up to itself, with the online softmax. */
__host__ __device__ void attend(struct model *m, int layer, int i)
{
    float most = -INFINITY, total = 0.0f, found[D] = {0.0f};

    for (int j = 0; j <= i; j++) {
        const float score = SHARP * product(m->q[i], m->k[j], D);
        const float larger = fmaxf(most, score);
        const float old = expf(most - larger), now = expf(score - larger);

        total = total * old + now;
        for (int c = 0; c < D; c++)
            found[c] = found[c] * old + now * m->v[j][c];
        most = larger;
    }
    for (int c = 0; c < D; c++)
        m->x[i][m->head[layer].result + c] += found[c] / total;
}

__global__ void projectAll(struct model *m, int layer)
{
    project(m, layer, (int)blockIdx.x, (int)threadIdx.x);
}

__global__ void attendAll(struct model *m, int layer)
{
    attend(m, layer, (int)threadIdx.x);
}

static void forwardOnDevice(struct model *m, struct model *d_m, int rows)
{
    cudaVerify(cudaMemcpy(d_m, m, sizeof *m, cudaMemcpyHostToDevice));
    for (int layer = 0; layer < LAYERS; layer++) {
        cudaVerifyKernel((projectAll<<<rows, D>>>(d_m, layer)));
        cudaVerifyKernel((attendAll<<<1, rows>>>(d_m, layer)));
    }
    cudaVerify(cudaMemcpy(m, d_m, sizeof *m, cudaMemcpyDeviceToHost));
}

static void forwardOnCpu(struct model *m, int rows)
{
    for (int layer = 0; layer < LAYERS; layer++) {
        for (int i = 0; i < rows; i++)
            for (int c = 0; c < D; c++)
                project(m, layer, i, c);
        for (int i = 0; i < rows; i++)
            attend(m, layer, i);
    }
}

/* Goes on with the text by 15 words. d_m: NULL for the CPU. */
static void goOn(struct model *m, struct model *d_m, float vector[WORDS][D])
{
    int text[MOST_ROWS] = {7, 0, 1, 2, 3, 4, 5, 6, 0}, rows = 9;

    printf("%s:", d_m != NULL ? "device" : "CPU");
    for (; rows < 24; rows++) {
        int best = 0;

        memset(m->x, 0, sizeof m->x);
        for (int i = 0; i < rows; i++) {
            memcpy(m->x[i] + WORD, vector[text[i]], sizeof vector[0]);
            m->x[i][PLACE + i] = 1.0f;
        }
        if (d_m != NULL)
            forwardOnDevice(m, d_m, rows);
        else
            forwardOnCpu(m, rows);
        for (int w = 1; w < WORDS; w++) /* the likeliest */
            if (product(vector[w], m->x[rows - 1] + NEXT, D) >
                product(vector[best], m->x[rows - 1] + NEXT, D))
                best = w;
        text[rows] = best;
        printf(" %s", words[best]);
    }
    printf("\n");
}

int main(void)
{
    static struct model model;
    static float vector[WORDS][D];
    struct model *d_m = NULL;
    unsigned random = 1;

    for (int w = 0; w < WORDS; w++)
        for (int c = 0; c < D; c++) {
            random = 1664525 * random + 1013904223;
            vector[w][c] = (random >> 31 ? 1.0f : -1.0f) / sqrtf(D);
        }
    for (int c = 0; c < D; c++) {
        struct head *first = &model.head[0], *second = &model.head[1];

        if (c + 1 < D)
            first->q[c][PLACE + c + 1] = 1.0f; /* the place before */
        first->k[c][PLACE + c] = first->v[c][WORD + c] = 1.0f;
        first->result = BEFORE;
        second->q[c][WORD + c] = second->k[c][BEFORE + c] = 1.0f;
        second->v[c][WORD + c] = 1.0f;
        second->result = NEXT;
    }
    cudaVerify(cudaMalloc((void **)&d_m, sizeof *d_m));
    printf("roses are red and violets blue ; roses ...\n");
    goOn(&model, NULL, vector);
    goOn(&model, d_m, vector);
    cudaVerify(cudaFree(d_m));
    return 0;
}
