/* The programs of a check, built for one device or for both at once. */
#include "programs.h"
#include "files.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>

int programsStart(struct programs *p, const struct run_options *r, const char *kind)
{
    *p = (struct programs){.request = r, .kind = kind};
    if (r->deviceCount == 1 || (isInstalled() && !isSame(kind, "template")))
        return buildKind(r, r->devices[0], kind);
    if (prepareSources(r, kind) != 0)
        return EXIT_ERROR;
    startKind(&p->build, r, kind);
    p->both = UNDER_WAY;
    return 0;
}

/* 1 if the build of both has reached exercise i's program on a device. The GPU's programs are
 * awaited all together: they run when the compilers have ended. */
static int isBuilt(struct programs *p, size_t i, const char *device)
{
    int there = p->both == BUILT;

    if (p->both == UNDER_WAY && isSame(device, "emulated")) {
        there = buildReaches(&p->build,
                             formatString("%s_%s_emulated", p->request->chosen[i]->brief, p->kind),
                             "emulated/");
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
    struct run_options one = *p->request;

    if (p->both == ALONE || isBuilt(p, i, device))
        return 0;
    one.chosen[0] = p->request->chosen[i]; /* built alone, it reports its error, or there is none */
    one.chosenCount = 1;
    return buildKind(&one, device, p->kind);
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
