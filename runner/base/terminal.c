/* The terminal's abilities. */
#include "terminal.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

const char *colour(const char *code)
{
    const char *terminal = getenv("TERM"), *none = getenv("NO_COLOR");
    const int coloured = isatty(STDOUT_FILENO) && (none == NULL || none[0] == '\0') &&
                         terminal != NULL && !isSame(terminal, "dumb");

    return coloured ? code : "";
}

int terminalWidth(void)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    int width = columns != NULL ? atoi(columns) : 0;

    if (width <= 0 && isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    if (width <= 0)
        return 80;
    return width < 20 ? 20 : width > 100 ? 100 : width;
}
