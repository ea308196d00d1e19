/* cuRAND: known answers. Philox's come from its paper's test vectors (kat_vectors of Random123);
 * the others are what cuRAND 10.4 gives on the host, whose integers and uniform numbers are those
 * of the device. */
#include <curand.h>
#include <curand_kernel.h>
#include <math.h>

#include "cases.h"

enum { DRAWS = 6 };
struct answer {
    unsigned long long seed, subsequence, offset;
    unsigned bits[DRAWS];
    /* drawn in turn after them */
    double uniform, uniform_double, normal, normal_double, log_normal;
    unsigned last;
};
static const struct answer xorwow[] = {
    {1234u,
     0u,
     0u,
     {624778773u, 1867875844u, 3739671282u, 1954919316u, 3681184389u, 2501467243u},
     0.201403871,
     0.30077175010334462,
     -0.017826112,
     -2.18765064685702,
     2.27147222,
     4040207470u},
    {0u,
     0u,
     0u,
     {3179217846u, 1883133293u, 2220552389u, 674260989u, 306521119u, 1986458431u},
     0.227643266,
     0.14406516578192247,
     -0.175963923,
     1.0680969246216121,
     1.60481572,
     4198548494u},
    {1234u,
     5u,
     0u,
     {3732235839u, 2152834071u, 919474540u, 1633321130u, 1363217923u, 2702936549u},
     0.688283563,
     0.845084632748764,
     -0.222404495,
     0.18697498274962174,
     1.01842284,
     1507053303u},
    {1234u,
     0u,
     7u,
     {3379045701u, 1291806421u, 1575338248u, 2477592138u, 2956985617u, 2161587329u},
     0.724526465,
     0.58261975517105258,
     -1.8543855,
     -0.37437669440029098,
     1.52575552,
     200341984u},
    {81985529216486895u,
     77u,
     1000003u,
     {409352104u, 3087273929u, 3369382916u, 2026901671u, 622933573u, 3168978574u},
     0.563293695,
     0.32256937851568962,
     -1.07873499,
     0.30394625582529888,
     2.06526136,
     2294056491u},
    {42u,
     1099511627776u,
     8589934592u,
     {2461879829u, 2240948988u, 1961650545u, 1563112359u, 3943636969u, 1507673037u},
     0.186604679,
     0.10477359050258567,
     -1.92378485,
     0.51765355345453379,
     1.77075195,
     3572487514u},
};
static const struct answer mrg[] = {
    {1234u,
     0u,
     0u,
     {3379073520u, 2521876100u, 213678209u, 1604391373u, 2253011095u, 4200718073u},
     0.399929374,
     0.80102633694524517,
     -0.518003583,
     -1.1641718988979646,
     1.19999409,
     922612657u},
    {0u,
     0u,
     0u,
     {545508615u, 1368065476u, 1327943825u, 3546985268u, 951893240u, 2290915747u},
     0.480774194,
     0.35555987952091145,
     0.56285727,
     -0.56303418315795295,
     1.790923,
     4150764078u},
    {1234u,
     5u,
     0u,
     {1307787078u, 2849003678u, 560262121u, 1764926452u, 1184748449u, 4062017915u},
     0.364813834,
     0.48168783860112502,
     -1.38941967,
     1.6248108212090726,
     1.43709826,
     2354042553u},
    {1234u,
     0u,
     7u,
     {3440381920u, 1389802694u, 2246368603u, 1933347828u, 2436244815u, 1722295085u},
     0.197164953,
     0.47466944581966714,
     0.820040047,
     -0.17536616127033211,
     1.51969552,
     2376784314u},
    {81985529216486895u,
     77u,
     1000003u,
     {3746775445u, 4206213085u, 4249445898u, 343374110u, 2356200270u, 960610741u},
     0.937404156,
     0.7605635046394944,
     0.581104159,
     -1.1134090914578527,
     1.40347362,
     851861861u},
    {42u,
     1099511627776u,
     8589934592u,
     {1228910460u, 4052296045u, 1518698461u, 4100585500u, 1359358625u, 4019004381u},
     0.320216984,
     0.74186463562066418,
     -1.34827662,
     0.57770761983147789,
     1.57828307,
     3159394483u},
};
static const struct answer philox[] = {
    {1234u,
     0u,
     0u,
     {546353992u, 3665621163u, 1140953199u, 3419031310u, 2666454581u, 482218876u},
     0.977164328,
     0.080060798907652497,
     -0.149344906,
     -0.064744066078547116,
     1.9415158,
     2985480102u},
    {0u,
     0u,
     0u,
     {1713891541u, 3781805453u, 3159862348u, 2600524760u, 4175744164u, 1555169499u},
     0.693930924,
     0.037094080820679665,
     1.96113145,
     -0.42620584005128648,
     1.74155927,
     2878821274u},
    {1234u,
     5u,
     0u,
     {4181881884u, 3080788858u, 2334630092u, 3180702920u, 1549596404u, 1069600344u},
     0.197131708,
     0.44827861781232059,
     -2.35920811,
     0.80407271216380793,
     2.46371651,
     2957938786u},
    {1234u,
     0u,
     7u,
     {343858512u, 1070188760u, 4228315704u, 3424062247u, 2300394257u, 3055983166u},
     0.139514774,
     0.44844790734350681,
     0.117212735,
     -0.14529426685005231,
     1.34266961,
     1857369626u},
    {81985529216486895u,
     77u,
     1000003u,
     {3909554990u, 1429476587u, 2362814591u, 3005395973u, 2816607366u, 2596954989u},
     0.63291049,
     0.64228337816894054,
     -1.54929519,
     -0.15272071269669649,
     2.01348901,
     943693484u},
    {42u,
     1099511627776u,
     8589934592u,
     {1511825378u, 3720831942u, 2614301136u, 3966462002u, 1598117425u, 2075949149u},
     0.325616091,
     0.065240277908742428,
     -0.23996985,
     -0.010744392167423351,
     1.73747814,
     3656401633u},
};

static void must(int condition, const char *what, int i)
{
    if (!condition) {
        printf("FAILED: %s, %d\n", what, i);
        exit(2);
    }
}
/* The wanted normal numbers are the host's; a GPU computes them with its fast sine, as good as
 * 2^-21 of 1. */
#ifdef __CUDA_EMULATED__
#define FAST 1e-5
#else
#define FAST 1e-3
#endif
static int close_to(double a, double b, double error) { return fabs(a - b) <= error * fabs(b); }

template <class State> __global__ void draw(struct answer *a)
{
    State state;
    a += threadIdx.x;
    curand_init(a->seed, a->subsequence, a->offset, &state);
    for (int i = 0; i < DRAWS; i++)
        a->bits[i] = curand(&state);
    a->uniform = (double)curand_uniform(&state);
    a->uniform_double = curand_uniform_double(&state);
    for (int i = 0; i < 3; i++)
        a->normal = (double)curand_normal(&state);
    for (int i = 0; i < 3; i++)
        a->normal_double = curand_normal_double(&state);
    a->log_normal = (double)curand_log_normal(&state, 0.5f, 0.25f);
    a->last = curand(&state);
}
template <class State> static void known(const struct answer *wanted, int n)
{
    struct answer got[8], *d;
    CHECK(cudaMalloc(&d, sizeof got));
    CHECK(cudaMemcpy(d, wanted, n * sizeof *wanted, cudaMemcpyHostToDevice));
    draw<State><<<1, n>>>(d);
    CHECK(cudaMemcpy(got, d, n * sizeof *got, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    for (int k = 0; k < n; k++) {
        must(memcmp(got[k].bits, wanted[k].bits, sizeof got[k].bits) == 0, "bits", k);
        must((float)got[k].uniform == (float)wanted[k].uniform &&
                 got[k].uniform_double == wanted[k].uniform_double,
             "uniform numbers", k);
        if (!close_to(got[k].normal, wanted[k].normal, FAST) ||
            !close_to(got[k].log_normal, wanted[k].log_normal, FAST) ||
            !close_to(got[k].normal_double, wanted[k].normal_double, 1e-12))
            printf("%.9g %.9g, %.17g %.17g, %.9g %.9g\n", got[k].normal, wanted[k].normal,
                   got[k].normal_double, wanted[k].normal_double, got[k].log_normal,
                   wanted[k].log_normal);
        must(close_to(got[k].normal, wanted[k].normal, FAST) &&
                 close_to(got[k].normal_double, wanted[k].normal_double, 1e-12) &&
                 close_to(got[k].log_normal, wanted[k].log_normal, FAST),
             "normal numbers", k);
        must(got[k].last == wanted[k].last, "what comes then", k);
    }
}
static void xorwowAnswers(void)
{
    known<curandStateXORWOW_t>(xorwow, sizeof xorwow / sizeof *xorwow);
}
static void mrgAnswers(void) { known<curandStateMRG32k3a_t>(mrg, sizeof mrg / sizeof *mrg); }
static void philoxAnswers(void)
{
    known<curandStatePhilox4_32_10_t>(philox, sizeof philox / sizeof *philox);
}

#ifdef __CUDA_EMULATED__
/* The vectors of the paper: counter and key all zeros, all ones, and digits of pi */
static void philoxVectors(void)
{
    static const unsigned counter[3][4] = {{0},
                                           {~0u, ~0u, ~0u, ~0u},
                                           {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
                          key[3][2] = {{0}, {~0u, ~0u}, {0xa4093822, 0x299f31d0}},
                          wanted[3][4] = {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                          {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                          {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
    for (int k = 0; k < 3; k++) {
        const unsigned *c = counter[k];
        const uint4 got = emulated_philox_block(make_uint4(c[0], c[1], c[2], c[3]),
                                                make_uint2(key[k][0], key[k][1]));
        must(memcmp(&got, wanted[k], sizeof got) == 0, "Philox", k);
    }
}

#endif

/* A jump lands where as many draws do. */
template <class State> __global__ void jumps(int *wrong)
{
    State a, b;
    curand_init(99, 3, 0, &a);
    for (int i = 0; i < 1000; i++)
        (void)curand(&a);
    curand_init(99, 3, 17, &b);
    skipahead(983, &b);
    *wrong += curand(&a) != curand(&b);
    curand_init(99, 7, 1001, &b);
    skipahead_sequence(4, &a);
    *wrong += sizeof(State) != sizeof(curandStateMRG32k3a_t) && curand(&a) != curand(&b);
}
static void jumping(void)
{
    int *d, wrong;
    CHECK(cudaMalloc(&d, sizeof *d));
    CHECK(cudaMemset(d, 0, sizeof *d));
    jumps<curandStateXORWOW_t><<<1, 1>>>(d);
    jumps<curandStatePhilox4_32_10_t><<<1, 1>>>(d);
    CHECK(cudaMemcpy(&wrong, d, sizeof wrong, cudaMemcpyDeviceToHost));
    must(wrong == 0, "jumps", wrong);
    CHECK(cudaFree(d));
}

/* ---- arrays ---------------------------------------------------------------------------------- */
enum { FAR = 90000 };
struct array_answer {
    curandRngType_t type;
    unsigned first[5], far[5]; /* from FAR on */
    double uniform_double[4], normal[4];
};
static const struct array_answer arrays[] = {
    {CURAND_RNG_PSEUDO_XORWOW,
     {624778773, 3522650202u, 2363946744u, 1266286439, 3928747533u},
     {3910742843u, 3515776585u, 1687489462, 295631490, 2833196721u},
     {0.43489880438841294, 0.92641692020243771, 0.81184521113001917, 0.30855542463539803},
     {0.780973554, -1.80157816, -0.280848563, 0.563546598}},
    {CURAND_RNG_PSEUDO_MRG32K3A,
     {3379073520u, 653317650, 4012281984u, 4237272334u, 4243547925u},
     {2771774127u, 2829176900u, 3495266802u, 25305732, 3627746498u},
     {0.78675186271572939, 0.15211236914421553, 0.93418219691237425, 0.9865668449067676},
     {-0.360653788, -0.591281295, -1.7185365, -0.901611984}},
    {CURAND_RNG_PSEUDO_PHILOX4_32_10,
     {546353992, 3665621163u, 1140953199, 3419031310u, 3507855656u},
     {3763197063u, 86598854, 3853005186u, 2335263525u, 2073375004},
     {0.85346899543001431, 0.79605514883270523, 0.11227557330034327, 0.080060631323720377},
     {-1.61649048, 1.22915542, -1.56054044, 0.464621365}}};
#define RAND(call) must((call) == CURAND_STATUS_SUCCESS, #call, 0)
static void arraysInOrder(void)
{
    unsigned *d_bits, bits[5];
    double *d_uniform, uniform[4];
    float *d_normal, normal[4];
    CHECK(cudaMalloc(&d_bits, (FAR + 5) * sizeof *d_bits));
    CHECK(cudaMalloc(&d_uniform, sizeof uniform));
    CHECK(cudaMalloc(&d_normal, sizeof normal));
    for (int k = 0; k < 3; k++) {
        const struct array_answer *wanted = &arrays[k];
        curandGenerator_t g;
        RAND(curandCreateGenerator(&g, wanted->type));
        RAND(curandSetPseudoRandomGeneratorSeed(g, 1234));
        RAND(curandGenerate(g, d_bits, FAR));
        CHECK(cudaMemcpy(bits, d_bits, sizeof bits, cudaMemcpyDeviceToHost));
        must(memcmp(bits, wanted->first, sizeof bits) == 0, "the first", k);
        RAND(curandGenerate(g, d_bits + FAR, 5));
        CHECK(cudaMemcpy(bits, d_bits + FAR, sizeof bits, cudaMemcpyDeviceToHost));
        must(memcmp(bits, wanted->far, sizeof bits) == 0, "the second call", k);
        RAND(curandSetGeneratorOffset(g, 3));
        RAND(curandGenerate(g, d_bits, 2));
        CHECK(cudaMemcpy(bits, d_bits, 2 * sizeof *bits, cudaMemcpyDeviceToHost));
        must(memcmp(bits, wanted->first + 3, 2 * sizeof *bits) == 0, "from an offset", k);
        RAND(curandSetGeneratorOffset(g, 0));
        RAND(curandGenerateUniformDouble(g, d_uniform, 4));
        RAND(curandSetGeneratorOffset(g, 0));
        RAND(curandGenerateNormal(g, d_normal, 4, 0, 1));
        CHECK(cudaMemcpy(uniform, d_uniform, sizeof uniform, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(normal, d_normal, sizeof normal, cudaMemcpyDeviceToHost));
        for (int i = 0; i < 4; i++)
            must(uniform[i] == wanted->uniform_double[i] &&
                     close_to((double)normal[i], wanted->normal[i], FAST),
                 "uniform and normal", k);
        must(curandGenerateNormal(g, d_normal, 3, 0, 1) ==
                 (wanted->type == CURAND_RNG_PSEUDO_PHILOX4_32_10
                      ? CURAND_STATUS_SUCCESS
                      : CURAND_STATUS_LENGTH_NOT_MULTIPLE),
             "an odd number", k);
        RAND(curandDestroyGenerator(g));
    }
#ifdef __CUDA_EMULATED__
    curandGenerator_t none;
    must(curandCreateGenerator(&none, (curandRngType_t)99) == CURAND_STATUS_TYPE_ERROR,
         "no generator", 0);
#endif
    CHECK(cudaFree(d_bits));
    CHECK(cudaFree(d_uniform));
    CHECK(cudaFree(d_normal));
}
/* Where a generator stands after a call: a double takes one turn, a pair of normal numbers one
 * (with Philox two), and a new seed goes on where the old one has ended. A round of doubles takes
 * twice as many numbers as one of integers. */
static const unsigned next[3][6][2] = {
    {{1004333919u, 2916556602u},
     {2205755199u, 1282999252u},
     {3730258485u, 1722964720u},
     {271209828u, 2135330559u},
     {1801795169u, 220643049u},
     {739302706u, 2310059321u}},
    {{1521199185u, 1241029733u},
     {3852191227u, 3666265999u},
     {940126900u, 3278032707u},
     {189247920u, 684669699u},
     {3131825295u, 2482183834u},
     {571185955u, 1510311581u}},
    {{1109236389u, 2835017892u},
     {3180702920u, 1676474115u},
     {3789396203u, 111637370u},
     {1710575330u, 1659735674u},
     {393384488u, 1360278684u},
     {551012768u, 659132226u}},
};
static void arraysGoOn(void)
{
    static const int round[3] = {4096, 81920, 262144};
    double *d;
    unsigned bits[2];
    CHECK(cudaMalloc(&d, (round[2] + 6) * sizeof *d));
    for (int k = 0; k < 3; k++) {
        curandGenerator_t g;
        RAND(curandCreateGenerator(&g, arrays[k].type));
        RAND(curandSetPseudoRandomGeneratorSeed(g, 1234));
        for (int step = 0; step < 6; step++) {
            switch (step) {
            case 0: RAND(curandGenerateUniformDouble(g, d, 11)); break;
            case 1: RAND(curandGenerateNormal(g, (float *)d, 10, 0, 1)); break;
            case 2: RAND(curandGenerateLogNormalDouble(g, d, 12, 0, 1)); break;
            case 3:
            case 5: RAND(curandSetPseudoRandomGeneratorSeed(g, 1234)); break;
            case 4: RAND(curandGenerateUniformDouble(g, d, round[k] + 6)); break;
            }
            RAND(curandGenerate(g, (unsigned *)d, 2));
            CHECK(cudaMemcpy(bits, d, sizeof bits, cudaMemcpyDeviceToHost));
            if (memcmp(bits, next[k][step], sizeof bits) != 0)
                printf("%u, %u\n", bits[0], bits[1]);
            must(memcmp(bits, next[k][step], sizeof bits) == 0, "what comes next", 10 * k + step);
        }
        RAND(curandDestroyGenerator(g));
    }
    CHECK(cudaFree(d));
}
/* Sobol's points: what cuRAND 10.4 gives on the host, number 123457 and the next in ten
 * dimensions. */
static void sobol(void)
{
    enum { DIMENSIONS = 10, ALL = 2 * DIMENSIONS };
    static const unsigned wanted[ALL] = {
        2261286912u, 3335028736u, 2932375552u, 1858633728u, 3467149312u, 245923840u, 4081549312u,
        860323840u,  2874114048u, 3947855872u, 3020455936u, 4094197760u, 926973952u, 4148199424u,
        4140597248u, 3066855424u, 886734848u,  1960476672u, 3217195008u, 4290936832u};
    static const double normals[6] = {-0.186560035,  0.501051068, 3.99313188,
                                      -0.0044939518, 1.28804481,  3.98565173};
    static const double doubles[4] = {0.50000000023283064, 0.75000000023283064, 0.50000000023283064,
                                      0.25000000023283064};
    unsigned *d_bits, bits[ALL];
    float normal[ALL];
    double uniform[ALL];
    curandGenerator_t g;
    CHECK(cudaMalloc(&d_bits, sizeof uniform));
    RAND(curandCreateGenerator(&g, CURAND_RNG_QUASI_DEFAULT));
    RAND(curandSetQuasiRandomGeneratorDimensions(g, DIMENSIONS));
    RAND(curandSetGeneratorOffset(g, 123457));
    RAND(curandGenerate(g, d_bits, ALL));
    CHECK(cudaMemcpy(bits, d_bits, sizeof bits, cudaMemcpyDeviceToHost));
    must(memcmp(bits, wanted, sizeof bits) == 0, "Sobol's points", 0);
    RAND(curandGenerateNormal(g, (float *)d_bits, ALL, 1, 2));
    CHECK(cudaMemcpy(normal, d_bits, sizeof normal, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 6; i++)
        must(close_to((double)normal[i], normals[i], 1e-4), "normal numbers of the next ones", i);
    RAND(curandSetGeneratorOffset(g, 1));
    RAND(curandGenerateUniformDouble(g, (double *)d_bits, ALL));
    CHECK(cudaMemcpy(uniform, d_bits, sizeof uniform, cudaMemcpyDeviceToHost));
    must(memcmp(uniform, doubles, sizeof doubles) == 0, "uniform numbers", 0);
    must(curandGenerate(g, d_bits, ALL - 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE, "no whole points",
         0);
    must(curandSetPseudoRandomGeneratorSeed(g, 1) == CURAND_STATUS_TYPE_ERROR, "no seed", 0);
    must(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_BEST) == CURAND_STATUS_OUT_OF_RANGE,
         "their order", 0);
    must(curandSetQuasiRandomGeneratorDimensions(g, 0) == CURAND_STATUS_OUT_OF_RANGE,
         "no dimension", 0);
    RAND(curandDestroyGenerator(g));
    CHECK(cudaFree(d_bits));
}
static void generate(float *where, size_t n)
{
    curandGenerator_t g;
    RAND(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT));
    (void)curandGenerateUniform(g, where, n);
    RAND(curandDestroyGenerator(g));
}
static void hostArray(void)
{
    static float h[8];
    generate(h, 8);
}
static void tooShort(void)
{
    float *d;
    CHECK(cudaMalloc(&d, 32));
    generate(d, 9);
    CHECK(cudaFree(d));
}
/* States that one launch leaves in device memory for the next one give what a local one gives. */
template <class State> __global__ void seedStates(State *states)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(77, i, 3, &states[i]);
}
template <class State> __global__ void drawFromStates(State *states, unsigned *wrong)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    State own;
    curand_init(77, i, 3, &own);
    for (int k = 0; k < 6; k++)
        if (curand(&states[i]) != curand(&own))
            atomicAdd(wrong, 1);
}
template <class State> static void statesOf(const char *name)
{
    State *states;
    unsigned *d_wrong, wrong = 0;
    CHECK(cudaMalloc(&states, 4096 * sizeof *states));
    CHECK(cudaMalloc(&d_wrong, sizeof *d_wrong));
    CHECK(cudaMemcpy(d_wrong, &wrong, sizeof wrong, cudaMemcpyHostToDevice));
    seedStates<<<64, 64>>>(states);
    drawFromStates<<<64, 64>>>(states, d_wrong);
    CHECK(cudaMemcpy(&wrong, d_wrong, sizeof wrong, cudaMemcpyDeviceToHost));
    must(wrong == 0, name, (int)wrong);
    CHECK(cudaFree(states));
    CHECK(cudaFree(d_wrong));
}
static void statesInMemory(void)
{
    statesOf<curandStateXORWOW_t>("states of XORWOW");
    statesOf<curandStateMRG32k3a_t>("states of MRG32k3a");
    statesOf<curandStatePhilox4_32_10_t>("states of Philox");
}
/* Each thread needs a state of its own. */
__global__ void oneStateForAll(curandState *state, float *out)
{
    if (threadIdx.x == 0)
        curand_init(1, 0, 0, state);
    __syncthreads();
    out[threadIdx.x] = curand_uniform(state);
}
static void sharedState(void)
{
    curandState *state;
    float *out;
    CHECK(cudaMalloc(&state, sizeof *state));
    CHECK(cudaMalloc(&out, 64 * sizeof *out));
    oneStateForAll<<<1, 64>>>(state, out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(state));
    CHECK(cudaFree(out));
}
__global__ void noInit(curandState *state, unsigned *out) { *out = curand(state); }
static void uninitialisedState(void)
{
    curandState *state;
    CHECK(cudaMalloc(&state, 2 * sizeof *state));
    noInit<<<1, 1>>>(state, (unsigned *)(state + 1));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(state));
}

static void nothing(void) {}
static const struct test tests[] = {
#ifdef __CUDA_EMULATED__
    CLEAN(philoxVectors),
#endif
    CLEAN(xorwowAnswers),
    CLEAN(mrgAnswers),
    CLEAN(philoxAnswers),
    CLEAN(jumping),
    CLEAN(statesInMemory),
    CLEAN(arraysInOrder),
    CLEAN(sobol),
    CLEAN(arraysGoOn),
    FINDS(hostArray, "bad-copy", "curandGenerateUniform"),
    FINDS(tooShort, "bad-copy", "curandGenerateUniform: 36 bytes"),
    FINDS(sharedState, "race", "state[0]"),
    FINDS(uninitialisedState, "uninitialised-read", "state[0]"),
};

int main(int argc, char **argv)
{
    return runCases(tests, sizeof tests / sizeof *tests, nothing, argc, argv);
}
