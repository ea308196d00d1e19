/* nvcc_words <LOG: nvcc's errors in our words, as ./course prints them; exit status 1 if it has
 * found none. */
#include "nvcc.h"
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *log = NULL;
    const char *told;
    size_t room = 0;

    if (getdelim(&log, &room, '\0', stdin) < 0)
        return 1;
    told = nvccExplain(log);
    return told == NULL || fputs(told, stdout) == EOF;
}
