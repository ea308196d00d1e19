/* A student's progress: the verdict of the last check of each template, and its present text.
 *
 * The checks are recorded in progress.txt in the build folder, a line for each exercise, which a
 * check writes anew:
 *
 *     ex01_vector_scale PASS 1/3 2026-11-21T15:40:02Z 0123456789abcdef
 *
 * exercise, verdict of the basic part, advanced TODOs done, date, hash of the template that was
 * checked. */
#ifndef CHECK_RECORD_H
#define CHECK_RECORD_H

#include "exercises.h"
#include "todo.h"

/* Records a check of the exercise's template, which had this text. */
void recordCheck(const struct exercise_entry *e, const struct todos *todos, const char *text,
                 int code);
/* Prints the tick list of all exercises. */
void recordsList(void);
/* Prints the summary of a check of several exercises: a line each. parts: of templates. */
void recordsSummary(const struct exercise_entry *const *chosen, const int *codes, size_t count,
                    int parts);
/* The TODO that comes next in this exercise; NULL if there is none. Notes in *verdict what the last
 * check of the template as it is now came to; "" if there was none. Both are valid until the next
 * call. */
const struct todo *recordsNext(const struct exercise_entry *e, const char **verdict);
/* "ex01_vector_scale/template.cu:16". */
char *todoPlace(const struct exercise_entry *e, const struct todo *todo);
/* Says so if a region of the TODO has no end marker: whatever stands there, it counts as unfilled.
 * Returns 0 if all have one. */
int todoIsUnclosed(const struct exercise_entry *e, const struct todo *todo);

#endif
