/* arithmetic.h: conversions to integers as a GPU makes them where x86 makes them otherwise. */
#ifndef ARITHMETIC_H
#define ARITHMETIC_H

#include <stddef.h>
#include <stdio.h>

/* Writes `length` bytes of assembler text to out, in which a float or double that is too large for
 * an int, a long long or an unsigned int becomes the nearest one. The text of other processors
 * stays as it is. The code must be compiled with -mno-red-zone: what is put in uses the stack. */
void arithmetic_write(const char *text, size_t length, FILE *out);

#endif
