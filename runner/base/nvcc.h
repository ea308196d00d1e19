/* nvcc's messages in the words of the emulated device's compiler. */
#ifndef NVCC_H
#define NVCC_H

/* The errors in nvcc's output, each with the author's line, a caret under it, and a sentence of
 * advice on beginners' mistakes; and the warnings beside them. Leaves out messages on the toolkit's
 * headers and on files that nvcc has written itself. NULL: there are no errors. */
char *nvccExplain(const char *log);

#endif
