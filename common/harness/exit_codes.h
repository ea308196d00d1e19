/* How a program of the course ends: an exercise's program and ./course itself. */
#ifndef EXIT_CODES_H
#define EXIT_CODES_H

enum exit_code {
    EXIT_PASS = 0,
    EXIT_WRONG = 1,
    EXIT_USAGE = 2, /* the command line is not understood */
    EXIT_ERROR = 2, /* the machine refused: memory, files, a program that cannot start */
    EXIT_UNFILLED = 3,
    EXIT_SKIPPED = 77
};

static inline const char *verdictWord(int code)
{
    switch (code) {
    case EXIT_PASS: return "PASS";
    case EXIT_WRONG: return "WRONG";
    case EXIT_UNFILLED: return "NOT IMPLEMENTED";
    case EXIT_SKIPPED: return "SKIPPED";
    default: return "error";
    }
}

#endif
