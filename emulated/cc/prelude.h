/* prelude.h: cuda_runtime.h, with which every program begins, compiled once. The C++ compiler would
 * otherwise read these headers for each source, which takes it a quarter of its time. */
#ifndef EMULATED_PRELUDE_H
#define EMULATED_PRELUDE_H

#include <stddef.h>

struct part {
    size_t begin, end;
};

/* Where a text, preprocessed or translated, holds cuda_runtime.h and what that includes: from
 * behind the marker that enters it to the one that leaves it. 0 to 0 where it is not found. */
struct part prelude_in(const char *text);

/* The same with these two markers. */
struct part with_markers(const char *text, struct part part);

/* The precompiled header for the translated part of this text, a new string; NULL if there is none,
 * or it was made from another text: for another architecture, or with other macros. */
char *prelude_compiled(const char *text, struct part part);
#endif
