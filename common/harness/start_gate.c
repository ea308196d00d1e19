#include "start_gate.h"
#include "exit_codes.h"
#include "ranks.h"
#include <errno.h>
#include <unistd.h>

static int isExpected;

void gateExpect(void) { isExpected = 1; }

int gateIsClosed(void) { return isExpected; }

int gateOpens(void)
{
    char byte;
    ssize_t length = 1;

    if (isExpected && rankNumber() == 0)
        while ((length = read(STDIN_FILENO, &byte, 1)) < 0 && errno == EINTR)
            continue;
    isExpected = 0;
    return length == 1;
}

void gateAwait(void)
{
    if (!isExpected || rankMax(!gateOpens()) == 0.0)
        return;
    rankFinish();
    _exit(EXIT_SKIPPED);
}
