/* What nvcc says, in the words of the emulated device's compiler. */
#ifndef NVCC_H
#define NVCC_H

#include <stdio.h>

/* Prints the errors in nvcc's output: each with the author's line, the caret under it, and a
 * sentence for the mistakes that beginners make; warnings too, if there are errors. What nvcc says
 * of the toolkit's headers and of the files that it has written itself is left out. Returns how
 * many errors there are. */
int nvccExplain(FILE *out, const char *log);

#endif
