/* Which words are known in which exercise, and what is left of a text before. */
#include "taught.h"
#include <stdio.h>

static int failures;

static void expectTaught(int expected, const char *text, const char *exercise)
{
    if (isTaught(text, exercise) == expected)
        return;
    printf("isTaught(\"%s\", \"%s\") is not %d\n", text, exercise, expected);
    failures++;
}

static void expectLeft(const char *expected, const char *text, const char *exercise)
{
    char left[256];

    snprintf(left, sizeof left, "%s", text);
    if (strcmp(leaveUntaught(left, exercise), expected) == 0)
        return;
    printf("of \"%s\" in %s remains \"%s\"\n", text, exercise, left);
    failures++;
}

int main(void)
{
    unsetenv("COURSE_ALL_COLUMNS");
    expectTaught(1, "", "ex01");
    expectTaught(0, "31 sectors", "ex03_template");
    expectTaught(1, "31 sectors", "ex04_uncoalesced");
    expectTaught(0, "Atomics", "ex06");
    expectTaught(1, "Atomics", "ex08");
    expectTaught(1, "a plane, an embankment, subatomic", "ex01"); /* not at a word's start */
    expectTaught(1, "banks", "harness_test");

    expectLeft("thread (0,0,0): no barrier",
               "thread (0,0,0): no barrier (an atomic, if both count)", "ex06");
    expectLeft("no barrier (an atomic, if both count)", "no barrier (an atomic, if both count)",
               "ex08");
    expectLeft("two launches; more", "two launches (or atomics (with f()) here); more", "ex01");
    expectLeft("one (two)", "one (two (a bank))", "ex05");
    expectLeft("ignored", "ignored (cudaVerify() checks it, and\ncudaVerifyKernel(()) of a launch)",
               "ex00");
    expectLeft("cut off", "cut off (an atomic that", "ex01");

    setenv("COURSE_ALL_COLUMNS", "1", 1);
    expectTaught(1, "an atomic and a bank", "ex01");
    return failures > 0;
}
