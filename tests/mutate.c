/* mutate [--lean] MUTANT SOURCE OUTPUT: writes SOURCE with the mutant's mistake to OUTPUT. --lean:
 * a mutant with the option --variant is run for one row, so the table of variants keeps the
 * functions of this row only; what else the program needs can be seen from outside, and with
 * -fwhole-program the compiler leaves out the rest: most of its time. A mutant file is
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

/* The text behind --variant in the line "options: ", or NULL. */
static char *variantOf(const char *mutant)
{
    const char *line = strstr(mutant, "\noptions:");
    const char *option = line != NULL ? strstr(line, " --variant ") : NULL;
    size_t length;
    char *text;

    if (option == NULL || option > line + strcspn(line + 1, "\n"))
        return NULL;
    option += strlen(" --variant ");
    length = strcspn(option, " \n");
    text = malloc(length + 1);
    if (text == NULL)
        fail("mutate", "no memory");
    sprintf(text, "%.*s", (int)length, option);
    return text;
}

/* 1 if a label begins with a text, in which _ may be a blank. */
static int begins(const char *label, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (label[i] != text[i] && (text[i] != '_' || label[i] != ' '))
            return 0;
    return 1;
}

/* 1 if one of the texts between bars is in the label; $ is its end (common/harness/run.c). */
static int isChosen(const char *label, size_t length, const char *texts)
{
    for (const char *t = texts; *t != '\0'; t += strcspn(t, "|"), t += *t == '|') {
        const size_t all = strcspn(t, "|"), wanted = all - (all > 0 && t[all - 1] == '$');

        for (size_t i = wanted < all && length > wanted ? length - wanted : 0; i + wanted <= length;
             i++)
            if (begins(label + i, t, wanted))
                return 1;
    }
    return 0;
}

/* Drops what the rows that --variant does not choose hold behind their labels. */
static void dropOtherRows(char *source, const char *texts)
{
    char *row = strstr(source, "deviceVariants[] = {");

    if (row == NULL)
        return;
    while ((row = strstr(row, "{\"")) != NULL) {
        char *const label = row + 2, *const end = label + strcspn(label, "\"");

        row = end + strcspn(end, "}");
        if (!isChosen(label, (size_t)(end - label), texts) && *row == '}')
            memset(end + 1, ' ', (size_t)(row - end - 1));
    }
}

static void writeVisibly(const char *source, FILE *file)
{
    static const char word[] = "extern \"C\" ";
    const char *found;

    for (; (found = strstr(source, word)) != NULL; source = found + strlen(word)) {
        fprintf(file, "%.*s%s", (int)(found - source), source, word);
        if (found[strlen(word)] != '{')
            fputs("__attribute__((externally_visible)) ", file);
    }
    fputs(source, file);
}

int main(int argc, char **argv)
{
    char *mutant, *source, *part, *variant;
    const int isLean = argc == 5 && strcmp(argv[1], "--lean") == 0;
    int parts = 0;
    FILE *file;

    argc -= isLean;
    argv += isLean;
    if (argc != 4)
        fail("usage", "mutate [--lean] MUTANT SOURCE OUTPUT");
    mutant = readFile(argv[1]);
    variant = isLean ? variantOf(mutant) : NULL;
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
    if (file == NULL)
        fail(argv[3], strerror(errno));
    if (variant != NULL)
        dropOtherRows(source, variant);
    if (isLean)
        writeVisibly(source, file);
    else
        fputs(source, file);
    if (ferror(file) || fclose(file) != 0)
        fail(argv[3], strerror(errno));
    free(variant);
    free(source);
    free(mutant);
    return 0;
}
