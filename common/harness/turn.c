#include "turn.h"
#include "exit_codes.h"
#include "ranks.h"
#include <errno.h>
#include <unistd.h>

static int isExpected;

void turnExpect(void)
{
    isExpected = 1;
}

int turnIsExpected(void)
{
    return isExpected;
}

int turnComes(void)
{
    char byte;
    ssize_t length = 1;

    if (isExpected && rankNumber() == 0)
        while ((length = read(STDIN_FILENO, &byte, 1)) < 0 && errno == EINTR)
            continue;
    isExpected = 0;
    return length == 1;
}

void turnAwait(void)
{
    if (!isExpected || rankMax(!turnComes()) == 0.0)
        return;
    rankFinish();
    _exit(EXIT_SKIPPED);
}
