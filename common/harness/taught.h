/* The words that a lesson explains. Tables and messages use each of them from the exercise of that
 * lesson on: before, a beginner could only wonder. */
#ifndef TAUGHT_H
#define TAUGHT_H

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A word, which stands for all that begin with it, and the number of the exercise. */
static const struct taught_word {
    const char *word;
    long exercise;
} taughtWords[] = {
    {"cudaVerify", 1}, {"lane", 3}, {"latency", 3},       {"occupancy", 3}, {"warp", 3},
    {"diverg", 4},     {"L1", 4},   {"request", 4},       {"sector", 4},    {"bank", 6},
    {"atomic", 8},     {"L2", 8},   {"shared memory", 5},
};

/* 1 if the text has no word of a later lesson than that of the exercise: "ex03" or a name that
 * begins so. Anywhere else, and after ./course check --all-columns, all words are known. */
static inline int isTaught(const char *text, const char *exercise)
{
    const long here = strncmp(exercise, "ex", 2) == 0 && getenv("COURSE_ALL_COLUMNS") == NULL
                          ? strtol(exercise + 2, NULL, 10)
                          : LONG_MAX;

    for (const char *at = text; *at != '\0'; at++)
        for (size_t i = 0; i < sizeof taughtWords / sizeof *taughtWords; i++)
            if (taughtWords[i].exercise > here &&
                strncasecmp(at, taughtWords[i].word, strlen(taughtWords[i].word)) == 0 &&
                (at == text || !isalnum((unsigned char)at[-1])))
                return 0;
    return 1;
}

/* Takes from the text what stands in parentheses, the inner ones first, and has a word of a later
 * lesson. Returns the text. */
static inline char *leaveUntaught(char *text, const char *exercise)
{
    for (char *from = text + strlen(text); from-- > text;) {
        char *end = from + 1, behind;
        int depth = 0, isKnown;

        if (strncmp(from, " (", 2) != 0)
            continue;
        do
            depth += (*end == '(') - (*end == ')');
        while (*++end != '\0' && depth > 0);
        behind = *end;
        *end = '\0';
        isKnown = isTaught(from, exercise);
        *end = behind;
        if (!isKnown)
            memmove(from, end, strlen(end) + 1);
    }
    return text;
}

#endif
