/* For a test that goes on after what fails: EXPECT(condition), and at the end how many failed. */
#ifndef EXPECT_H
#define EXPECT_H

#include <stdio.h>

static int failures;
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: FAILED: %s\n", __FILE__, __LINE__, #condition);                         \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

#endif
