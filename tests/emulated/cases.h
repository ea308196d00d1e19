/* cases.h: what checks.cu and memory.cu share. A case names the one kind of finding that it
 * expects, or none; `says` is a part of the finding's text. */
#ifndef CASES_H
#define CASES_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __CUDA_EMULATED__
#include "cuda_emulated.h"
#endif

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));                 \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)
static inline void must(int condition, const char *what)
{
    if (!condition) {
        printf("FAILED: %s\n", what);
        exit(2);
    }
}

struct test {
    const char *name;
    void (*run)(void);
    const char *kind, *says;
};
#define FINDS(function, kind, says)                                                                \
    {                                                                                              \
#function, function, kind, says                                                            \
    }
#define CLEAN(function)                                                                            \
    {                                                                                              \
#function, function, NULL, NULL                                                            \
    }

#ifdef __CUDA_EMULATED__
/* Returns 0 if the case found what it should. */
static int runTest(const struct test *t, void (*prepare)(void))
{
    /* which may name the other thread */
    const int otherOrder = getenv("CUDA_EMULATED_ORDER") != NULL;
    int wrong = 0, found = 0;
    prepare();
    emulatedFindingsReset();
    t->run();
    cudaDeviceSynchronize();
    for (int i = 0; i < emulatedFindings(); i++) {
        const char *hint = emulatedFindingHint(i);
        if (!t->kind || strcmp(emulatedFindingKind(i), t->kind) != 0)
            wrong = 1;
        else if (otherOrder || strstr(emulatedFindingLine(i), t->says) ||
                 (hint && strstr(hint, t->says)))
            found = 1;
    }
    if (t->kind && !found)
        wrong = 1;
    if (!t->kind && t->says) /* any finding or none: what lies behind a variable is unknown */
        wrong = 0;
    printf("%-24s %s\n", t->name, wrong ? "FAILED" : "ok");
    if (wrong) {
        printf("    expected %s %s\n", t->kind ? t->kind : "nothing", t->says ? t->says : "");
        for (int i = 0; i < emulatedFindings(); i++)
            printf("    %s\n", emulatedFindingLine(i));
    }
    CHECK(cudaDeviceReset());
    return wrong;
}

/* How far an endless kernel comes depends on the machine. */
static int endsByTime(const struct test *t)
{
    return t->kind && strcmp(t->kind, "endless-kernel") == 0;
}

/* Fast mode still looks for these. */
static int foundFast(const struct test *t)
{
    static const char *const kinds[] = {"out-of-bounds", "misaligned", "stack-overflow",
                                        "endless-kernel"};
    for (size_t i = 0; t->kind && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(t->kind, kinds[i]) == 0)
            return 1;
    return 0;
}

static int isNamed(const struct test *t, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], t->name) == 0)
            return 1;
    return 0;
}

/* All cases, or those that are named, or "right": those without a mistake, or "steady": those that
 * give the same in each run, or "fast". Returns the program's exit status. */
static int runCases(const struct test *tests, size_t n, void (*prepare)(void), int argc,
                    char **argv)
{
    int wrong = 0, count = 0;
    emulatedSilence(1);
    for (size_t i = 0; i < n; i++)
        if (argc < 2 || isNamed(&tests[i], argc, argv) ||
            (strcmp(argv[1], "right") == 0 && !tests[i].kind) ||
            (strcmp(argv[1], "steady") == 0 && !endsByTime(&tests[i])) ||
            (strcmp(argv[1], "fast") == 0 && foundFast(&tests[i]))) {
            wrong += runTest(&tests[i], prepare);
            count++;
        }
    printf("%d cases, %d failed\n", count, wrong);
    return wrong != 0 || count == 0;
}
#else
/* On a GPU: the cases without a mistake, or the one that is named. A wrong result ends the program
 * with status 2. */
__attribute__((unused)) static int runCases(const struct test *tests, size_t n,
                                            void (*prepare)(void), int argc, char **argv)
{
    int count = 0;
    for (size_t i = 0; i < n; i++)
        if (argc > 1 ? strcmp(argv[1], tests[i].name) == 0 : !tests[i].kind) {
            prepare();
            tests[i].run();
            CHECK(cudaDeviceSynchronize());
#ifndef CASES_KEEP_DEVICE
            CHECK(cudaDeviceReset());
#endif
            printf("%-24s ran\n", tests[i].name);
            fflush(stdout);
            count++;
        }
    return count == 0;
}
#endif
#endif
