/* translate.h: CUDA C to C++, lexically. */
#ifndef EMULATED_TRANSLATE_H
#define EMULATED_TRANSLATE_H
#include <stddef.h>
#include <stdio.h>

/* Reads preprocessed CUDA C and writes preprocessed C++ with the same lines. Reports on stderr what
 * it cannot translate, with the author's file and line. Returns the number of such errors. In a
 * whole program no other file can name a kernel. */
int translate(const char *source, size_t length, int is_whole_program, FILE *out);

/* For messages about what was written: *column in the result becomes the column of the same token
 * in the source, or 0; token is what stands there in the source. */
void translated_column(const char *file, int line, int *column, char *token, size_t size);

/* Does no statement of the kernel or device function around this line give the variable a value,
 * other than one made from its own? 0 for host code. */
int translated_never_sets(const char *file, int line, const char *name);
void translate_end(void);
#endif
