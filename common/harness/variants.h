/* The tables of variants that the files of an exercise export. An exercise's header declares its
 * function type variant_fn and then includes this file. */
#ifndef VARIANTS_H
#define VARIANTS_H

#include "traits.h"

struct variant {
    const char *name; /* as the table prints it; NULL ends a table */
    variant_fn *run;
#ifdef VARIANTS_IN_DOUBLE
    variant_double_fn *runDouble; /* the same in double, for an exercise that has both */
#endif
    unsigned traits; /* enum variant_trait, or'ed; may be left out */
};

#ifdef __cplusplus
extern "C" {
#endif
extern const struct variant cpuVariants[]; /* cpu.c: one core first, all cores last */
#ifndef COURSE_CPU_ONLY
extern const struct variant deviceVariants[]; /* template.cu or solution.cu */
#endif
#ifdef COURSE_LIBRARY
extern const struct variant libraryVariants[]; /* library.cu: the calls of a library */
#endif
#ifdef __cplusplus
}
#endif

#endif
