/* mutate MUTANT SOURCE OUTPUT: writes SOURCE with the mutant's mistake to OUTPUT. A mutant file is
 *
 *     # why people make this mistake (any number of such lines)
 *     expect: text that the program's output must hold     (optional; more than one allowed)
 *     advice: text that ./course check must say of it (of one that is right and slow; more than one
 *     allowed)
 *     options: --size 1025                                 (optional: how to run it)
 *     environment: NAME=value                              (optional: with which settings)
 *     --- begin
 *     text of SOURCE, which must occur there exactly once
 *     --- replace
 *     what stands there instead
 *     --- end
 *
 * with any number of begin-replace-end parts. Exit status 2 and one line if something is off, so
 * that a mutant which no longer fits its solution is noticed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *file, const char *message)
{
    fprintf(stderr, "mutate: %s: %s\n", file, message);
    exit(2);
}

/* The whole file as a string that the caller frees. */
static char *readFile(const char *name)
{
    FILE *file = fopen(name, "rb");
    char *text = NULL;
    size_t length = 0, size = 0, got;

    if (file == NULL)
        fail(name, strerror(errno));
    do {
        if (size - length < 4096) {
            size = 2 * size + 8192;
            text = realloc(text, size);
            if (text == NULL)
                fail(name, "no memory");
        }
        got = fread(text + length, 1, size - length - 1, file);
        length += got;
    } while (got > 0);
    if (ferror(file))
        fail(name, "cannot read");
    fclose(file);
    text[length] = '\0';
    return text;
}

/* Cuts text at the line `mark` and returns what follows that line. */
static char *cut(const char *name, char *text, const char *mark)
{
    char *found = strstr(text, mark);

    if (found == NULL)
        fail(name, "a part lacks its '--- replace' or '--- end'");
    *found = '\0';
    return found + strlen(mark);
}

static char *replaceOnce(const char *name, char *source, const char *old, const char *new)
{
    char *found = strstr(source, old);
    char *result;

    if (*old == '\0' || found == NULL)
        fail(name, "the text to replace does not occur in the source");
    if (strstr(found + 1, old) != NULL)
        fail(name, "the text to replace occurs more than once in the source");
    result = malloc(strlen(source) + strlen(new) + 1);
    if (result == NULL)
        fail(name, "no memory");
    sprintf(result, "%.*s%s%s", (int)(found - source), source, new, found + strlen(old));
    free(source);
    return result;
}

int main(int argc, char **argv)
{
    char *mutant, *source, *part;
    int parts = 0;
    FILE *file;

    if (argc != 4)
        fail("usage", "mutate MUTANT SOURCE OUTPUT");
    mutant = readFile(argv[1]);
    source = readFile(argv[2]);
    for (part = mutant; (part = strstr(part, "--- begin\n")) != NULL; parts++) {
        char *old = part + strlen("--- begin\n");
        char *new = cut(argv[1], old, "--- replace\n");

        part = cut(argv[1], new, "--- end\n");
        source = replaceOnce(argv[1], source, old, new);
    }
    if (parts == 0)
        fail(argv[1], "no '--- begin' part");
    file = fopen(argv[3], "wb");
    if (file == NULL || fputs(source, file) == EOF || fclose(file) != 0)
        fail(argv[3], strerror(errno));
    free(source);
    free(mutant);
    return 0;
}
