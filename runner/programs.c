/* The programs of a check, built for one device or for both at once. */
#include "programs.h"
#include "files.h"
#include "inputs.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const devices[] = {"emulated", "gpu"};

/* The file that says that exercise i's program for the emulated device is there. */
static char *signOf(const struct programs *p, size_t i)
{
    return textOf("%s/ready/%s_%s", buildFolder(), p->request->chosen[i]->brief, p->kind);
}

/* Begins to build the only exercise's programs, if nothing but its own file has changed. Returns 1 if so. */
static int startQuickly(struct programs *p)
{
    const struct exercise_entry *e = p->request->chosen[0];
    char *scripts[2], *sign = signOf(p, 0);
    int quick = 1, isNew[2];

    for (size_t d = 0; d < 2; d++) {
        const enum change change = inputsChange(e, devices[d], p->kind, p->sources[d][0]);

        scripts[d] = quickScript(e, devices[d], p->kind);
        quick &= scripts[d] != NULL && change != ANYTHING;
        isNew[d] = change == OWN_FILE;
    }
    if (quick)
        buildStartQuickly(&p->build, isNew[0] ? scripts[0] : "/dev/null", sign,
                          isNew[1] ? scripts[1] : "/dev/null");
    for (size_t d = 0; d < 2; d++)
        free(scripts[d]);
    free(sign);
    return quick;
}

int programsStart(struct programs *p, const struct request *r, const char *kind)
{
    char *first, *both, *targets;

    *p = (struct programs){.request = r, .kind = kind};
    if (r->deviceCount == 1 || (isInstalled() && strcmp(kind, "template") != 0))
        return buildKind(r, r->devices[0], kind);
    for (size_t i = 0; i < r->chosenCount; i++) {
        char *sign = signOf(p, i);

        remove(sign);
        free(sign);
        for (size_t d = 0; d < 2; d++)
            p->sources[d][i] = inputsBeforeBuild(r->chosen[i], devices[d], kind);
    }
    p->both = UNDER_WAY;
    if (r->chosenCount == 1 && startQuickly(p))
        return 0;
    both = targetsOf(r, "both", kind);
    first = r->chosenCount > 1 ? targetsOf(r, "ready", kind) : textOf("%s", "");
    targets = textOf("%s%s", first, both); /* the emulated device's programs are wanted first */
    buildStart(&p->build, targets, 1);
    free(targets);
    free(first);
    free(both);
    return 0;
}

/* 1 if the build of both has come as far as exercise i's program on device number d. The GPU's are waited for all
 * together: they run when no compiler does any more. */
static int isBuilt(struct programs *p, size_t i, int d)
{
    int there = p->both == BUILT;

    if (p->both == UNDER_WAY && d == 0) {
        char *sign = signOf(p, i);

        there = buildReaches(&p->build, sign, "emulated/");
        free(sign);
        if (!there)
            programsEnd(p);
    } else if (p->both == UNDER_WAY) {
        there = buildEnd(&p->build) == 0;
        p->both = there ? BUILT : FAILED;
    }
    return there;
}

int programsReady(struct programs *p, size_t i, const char *device)
{
    const int d = strcmp(device, devices[1]) == 0;

    if (p->both == ALONE)
        return 0;
    if (!isBuilt(p, i, d)) { /* built alone, it says what is wrong, or nothing is */
        struct request one = *p->request;

        one.chosen[0] = p->request->chosen[i];
        one.chosenCount = 1;
        return buildKind(&one, device, p->kind);
    }
    inputsAfterBuild(p->request->chosen[i], device, p->kind, p->sources[d][i]);
    return 0;
}

int programsBuilt(struct programs *p)
{
    return p->both == UNDER_WAY ? buildIsDone(&p->build) : p->both != FAILED;
}

void programsEnd(struct programs *p)
{
    if (p->both == UNDER_WAY) {
        buildStop(&p->build);
        p->both = FAILED;
    }
}
