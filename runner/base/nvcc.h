/* nvcc's messages in the words of the emulated device's compiler. */
#ifndef NVCC_H
#define NVCC_H

#include <stdio.h>

/* Prints the errors in nvcc's output, each with the author's line, a caret under it, and a
 * sentence of advice on beginners' mistakes. Prints warnings, too, if there are errors. Leaves
 * out messages on the toolkit's headers and on files that nvcc has written itself. Returns the
 * number of errors. */
int nvccExplain(FILE *out, const char *log);

#endif
