/* compute-sanitizer, if it is installed: its findings in a program that is wrong on the GPU
 * only. */
#ifndef SANITIZER_H
#define SANITIZER_H

/* Runs the GPU program at its --quick size under memcheck, then racecheck, until one of them finds
 * something, and prints the first findings in short form. Prints nothing if it is not installed. */
void sanitizerAsk(const char *program);

#endif
