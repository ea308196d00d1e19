/* arithmetic.h: conversions to integers, and divisions, as a GPU makes them where the processor
 * makes them otherwise. */
#ifndef ARITHMETIC_H
#define ARITHMETIC_H

#include <stddef.h>
#include <stdio.h>

/* Writes `length` bytes of assembler text to out, in which a float or double that is too large for
 * an int, a long long or an unsigned int becomes the nearest one. On aarch64, where it does so by
 * itself, NaN becomes what it is on a GPU, and runtime/division.cpp hears of divisions by zero. The
 * text of other processors stays as it is. On x86-64 the code must be compiled with -mno-red-zone:
 * what is put in uses the stack. */
void arithmetic_write(const char *text, size_t length, FILE *out);

#endif
