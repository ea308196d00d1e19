/* The exercises of this build, and where their sources and programs lie. */
#ifndef EXERCISES_H
#define EXERCISES_H

#include <stddef.h>

struct exercise_entry {
    char name[64];   /* "ex03_vector_add", "lab_debugging" */
    char brief[8];   /* "ex03", "labd" */
    char title[128]; /* what it teaches */
};

/* Ends the program: this word of a command line means nothing. */
void notUnderstood(const char *command, const char *word) __attribute__((noreturn));
/* The exercises of this build, in order; the name of the last entry, which is none, is "". */
const struct exercise_entry *exercises(void);
size_t exerciseCount(void);
/* The exercise that "ex03", "3", "03" or "ex03_vector_add" names. Ends the program if there is
 * none. */
const struct exercise_entry *exerciseNamed(const char *text);
/* The lab that has a lesson, but no template. */
extern const struct exercise_entry labToRead;
/* As exerciseNamed(), that lab included: for commands that only read. */
const struct exercise_entry *lessonNamed(const char *text);
/* 1 if the word begins like the name of an exercise, whether there is one of that name or not. */
int isLikeExercise(const char *word);
/* The exercise in argv[1] of a command that takes at most `most` words, its own name included. Ends
 * the program if there are more, or none. */
const struct exercise_entry *oneExercise(const char *command, int argc, char **argv, int most);
/* The same with lessonNamed(). */
const struct exercise_entry *oneLesson(const char *command, int argc, char **argv);

/* The source of an exercise's "template" or "solution", .cu or .c. */
char *sourcePath(const struct exercise_entry *e, const char *kind);
/* The template as it was handed out: in an installation not the student's copy. */
char *originalPath(const struct exercise_entry *e);
/* 1 if the solution is here: a handout has none. */
int hasSolution(const struct exercise_entry *e);
/* Ends the program if it is not. */
void mustHaveSolution(const struct exercise_entry *e);
/* Path of a program of an exercise, device "cpu", "gpu" or "emulated", kind "cpu", "template" or
 * "solution". */
char *programPath(const char *device, const char *brief, const char *kind);

#endif
