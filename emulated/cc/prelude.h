/* prelude.h: cuda_runtime.h, with which every program begins, read once for all of them. The option
 * --prelude makes two precompiled headers: one for the preprocessor, in whose output a line then
 * stands for the whole header, and one of its translation for the compiler. Without them a small
 * source takes twice as long. */
#ifndef EMULATED_PRELUDE_H
#define EMULATED_PRELUDE_H

#include <stddef.h>

struct part {
    size_t begin, end;
};

/* Where a text, preprocessed or translated, holds cuda_runtime.h and what that includes: from
 * behind the marker that enters it to the one that leaves it. 0 to 0 where it is not found. */
struct part prelude_in(const char *text);

/* The line that stands for all of this. 0 to 0 if the text has it in full: it was preprocessed for
 * another architecture, or with other macros, or by another compiler. */
struct part prelude_line(const char *text);

/* What it stands for, preprocessed or translated; a new string. */
#define PREPROCESSED_PRELUDE "cuda_runtime.i"
#define TRANSLATED_PRELUDE "cuda_runtime.ii"
char *prelude_read(const char *what, size_t *length);

/* The text with that in the line's place; a new string. */
char *prelude_spelt_out(const char *text, const char *what, size_t *length);
#endif
