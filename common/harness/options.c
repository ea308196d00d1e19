/* The command line of an exercise's program: the options of all programs and the exercise's own,
 * from tables alike. */
#include "options.h"
#include "fail.h"
#include "ranks.h"
#include "start_gate.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct settings given = {.seed = 1, .only = -1};
const struct settings *const settings = &given;

int isWaitedFor(void) { return given.cache != NULL && given.only == 1 << ON_DEVICE; }

/* Values that the tables below fill in for settle(). */
static int help, special, isEarly;
static long size = -1, seed = 1, repeat, block, grid;
static const char *device = "auto", *only, *count;

/* Options of all programs that belong to a row's identity, like most of the exercise's own. */
static const struct course_option ofRows[] = {
    {"seed", OPTION_INTEGER, &seed, 0, 4294967295.0, NULL, "seed of the inputs (1)"},
    {"special", OPTION_FLAG, &special, 0, 0, NULL,
     "among the inputs zeros, tiny values, infinities and NaN, as far as they mean something"},
    {"block", OPTION_INTEGER, &block, 1, INT_MAX, NULL,
     "threads per block, instead of each variant's own choice"},
    {"grid", OPTION_INTEGER, &grid, 1, 2147483647.0, NULL, "blocks in the grid, likewise"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

/* The others; the size has a column of its own. Those without a help text are for other programs of
 * the course. */
static struct course_option common[] = {
    {"size", OPTION_INTEGER, &size, 0, 1e15, NULL, NULL}, /* optionsRead() sets range and text */
    {"repeat", OPTION_INTEGER, &repeat, 1, 100000, NULL,
     "timed samples for each variant, of which the median counts"},
    {"device", OPTION_WORD, &device, 0, 0, NULL, "auto, gpu, emulated, or the number of a GPU"},
    {"variant", OPTION_WORD, &given.variant, 0, 0, NULL,
     "only the variants with this in their names, or one of A|B; _ is a blank, A$ the end"},
    {"only", OPTION_WORD, &only, 0, 0, NULL, "cpu, device or library rows; device|library: both"},
    {"csv", OPTION_WORD, &given.csv, 0, 0, NULL, "adds one row per variant to this file"},
    {"cache", OPTION_WORD, &given.cache, 0, 0, NULL,
     "keeps the CPU's times in this folder, so that they are measured once; a size for quick "
     "checks"},
    {"verdict", OPTION_WORD, &given.verdict, 0, 0, NULL, NULL},
    {"counting", OPTION_WORD, &count, 0, 0, "whole,half", NULL},  /* for forecasts */
    {"advanced", OPTION_WORD, &given.advanced, 0, 0, NULL, NULL}, /* for ./course check */
    {"wait", OPTION_FLAG, &isEarly, 0, 0, NULL, NULL},            /* likewise: start_gate.h */
    {"quick", OPTION_FLAG, &given.quick, 0, 0, NULL, "a small size and few repetitions"},
    {"list", OPTION_FLAG, &given.list, 0, 0, NULL, "names the variants and stops"},
    {"help", OPTION_FLAG, &help, 0, 0, NULL, "this text"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

/* A whole number with an optional suffix k, M or G (powers of 1024), or the form 2^K. */
static double wholeNumber(const char *option, const char *text, double min, double max)
{
    char *end;
    double value;

    errno = 0;
    value = strtod(text, &end);
    if (end != text && strncmp(text, "2^", 2) == 0 && end == text + 1) {
        char *power = end + 1;
        long exponent = strtol(power, &end, 10);

        if (end == power || exponent < 0 || exponent > 62)
            end = (char *)text;
        else
            value = ldexp(1.0, (int)exponent);
    } else if (*end != '\0') {
        const char *suffix = strchr("kMG", *end == 'K' ? 'k' : *end);

        if (suffix != NULL) {
            value *= pow(1024.0, (double)(suffix - "kMG" + 1));
            end++;
        }
    }
    if (end == text || *end != '\0' || !(value == floor(value)) || strpbrk(text, "xX") != NULL)
        courseFail(EXIT_USAGE, "--%s %s: expected a whole number such as 1000, 64k or 2^20", option,
                   text);
    if (value < min || value > max || errno == ERANGE)
        courseFail(EXIT_USAGE, "--%s %s: expected %.0f to %.0f", option, text, min, max);
    return value;
}

static double anyNumber(const char *option, const char *text, double min, double max)
{
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end != '\0' || !isfinite(value))
        courseFail(EXIT_USAGE, "--%s %s: expected a number", option, text);
    if (value < min || value > max)
        courseFail(EXIT_USAGE, "--%s %s: expected %g to %g", option, text, min, max);
    return value;
}

/* 1 if word is an entry of the comma-separated list. */
static int isOneOf(const char *word, const char *words)
{
    const size_t length = strlen(word);

    while (*words != '\0') {
        size_t entry = strcspn(words, ",");

        if (entry == length && strncmp(word, words, length) == 0)
            return 1;
        words += entry + (words[entry] == ',');
    }
    return 0;
}

/* The places that --only names, a bit for each; all bits without it. */
static int placesOf(const char *text)
{
    static const char *const names[] = {"cpu", "device", "library"}; /* enum place */
    int places = 0;

    for (size_t length; text != NULL; text = text[length] == '|' ? text + length + 1 : NULL) {
        int place = 0;

        length = strcspn(text, "|");
        while (place < 3 &&
               (strlen(names[place]) != length || strncmp(text, names[place], length) != 0))
            place++;
        if (place == 3)
            courseFail(EXIT_USAGE,
                       "--only %s: expected cpu, device, library, or several of them: "
                       "device|library",
                       only);
        places |= 1 << place;
    }
    return places != 0 ? places : -1;
}

static enum option_kind kindOf(const struct course_option *o)
{
    return (enum option_kind)(o->kind & ~OPTION_ASIDE);
}

static void set(const struct course_option *o, const char *text)
{
    switch (kindOf(o)) {
    case OPTION_FLAG: *(int *)o->target = 1; break;
    case OPTION_INTEGER:
        *(long *)o->target = (long)wholeNumber(o->name, text, o->min, o->max);
        break;
    case OPTION_NUMBER: *(double *)o->target = anyNumber(o->name, text, o->min, o->max); break;
    default:
        if (o->words != NULL && !isOneOf(text, o->words))
            courseFail(EXIT_USAGE, "--%s %s: expected one of %s", o->name, text, o->words);
        *(const char **)o->target = text;
        break;
    }
}

static void printOptions(const struct course_option *o)
{
    static const char *const value[] = {"", " N", " N", " WORD"};
    char name[64];

    for (; o != NULL && o->name != NULL; o++) {
        if (o->help == NULL)
            continue;
        snprintf(name, sizeof name, "--%s%s", o->name, value[kindOf(o)]);
        printf("  %-15s %s%s%s%s\n", name, o->help, o->words != NULL ? " (" : "",
               o->words != NULL ? o->words : "", o->words != NULL ? ")" : "");
    }
}

static void printHelp(const struct exercise *exercise)
{
    if (rankNumber() == 0) {
        printf("%s: %s\n\n"
               "Runs every variant, compares each result with the reference, and times it.\n\n",
               given.program, exercise->title);
        printOptions(common);
        printOptions(ofRows);
        printOptions(exercise->options);
        printf("\nExit status: 0 every result is right, 1 one is wrong, 2 usage or environment,\n"
               "3 a TODO is unfilled, 77 skipped because something is missing here.\n");
    }
    exit(EXIT_PASS);
}

/* --device: a word that must agree with what the program was built for, or a GPU's number. */
static int ordinalOf(const char *text)
{
#ifdef COURSE_CPU_ONLY
    const char *builtFor = "cpu";
#elif defined COURSE_EMULATED
    const char *builtFor = "emulated";
#else
    const char *builtFor = "gpu";
#endif

    if (!isOneOf(text, "auto,gpu,emulated,cpu")) {
        if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0')
            courseFail(EXIT_USAGE,
                       "--device %s: expected auto, gpu, emulated or the number of a GPU", text);
        return (int)wholeNumber("device", text, 0, 1023);
    }
    if (strcmp(text, "auto") != 0 && strcmp(text, builtFor) != 0)
        courseFail(EXIT_USAGE,
                   "--device %s: this program was built for device '%s'; ./course picks "
                   "the right one",
                   text, builtFor);
    return 0;
}

/* The option of that name, the exercise's own first; ends the program if there is none. */
static const struct course_option *optionNamed(const struct exercise *exercise, const char *name)
{
    const struct course_option *const tables[] = {exercise->options, ofRows, common};

    for (int t = 0; t < 3; t++)
        for (const struct course_option *o = tables[t]; o != NULL && o->name != NULL; o++)
            if (strcmp(o->name, name) == 0)
                return o;
    courseFail(EXIT_USAGE, "--%s: no such option; see --help", name);
}

static int isOwn(const struct exercise *exercise, const struct course_option *option)
{
    for (const struct course_option *o = exercise->options; o != NULL && o->name != NULL; o++)
        if (o == option)
            return 1;
    return 0;
}

/* Completes the settings from the values that the tables have got. */
static void settle(const struct exercise *exercise)
{
    const char *const files[] = {given.csv, given.verdict, given.cache};
    static const char *const names[] = {"csv", "verdict", "cache"};

    for (int i = 0; i < 3; i++)
        if (files[i] != NULL && files[i][0] == '\0')
            courseFail(EXIT_USAGE, "--%s needs the name of a %s", names[i],
                       i == 2 ? "folder" : "file");
    if (special && exercise->special == 0)
        courseFail(EXIT_USAGE, "--special: this exercise has no use for NaN and the like");
    given.special = special ? exercise->special : 0;
    given.sizeGiven = size >= 0;
    given.size = size >= 0 ? (size_t)size : 0;
    given.seed = (unsigned long)seed;
    given.repeat = (int)repeat;
    given.block = (int)block;
    given.isArranged |= block > 0 || grid > 0;
    given.grid = (size_t)grid;
    given.ordinal = ordinalOf(device);
    given.only = placesOf(only);
    given.count = count != NULL;
    given.half = count != NULL && strcmp(count, "half") == 0;
}

/* Adds an option to a list of words as " name=value ". Returns the length of the list then; what
 * does not fit is left out. */
static size_t addWord(const struct course_option *o, char *list, size_t length, size_t bytes)
{
    char *word = list + length;
    const char *text;
    int more;

    switch (kindOf(o)) {
    case OPTION_FLAG:
        more = snprintf(word, bytes - length, " %s=%d ", o->name, *(const int *)o->target);
        break;
    case OPTION_INTEGER:
        more = snprintf(word, bytes - length, " %s=%ld ", o->name, *(const long *)o->target);
        break;
    case OPTION_NUMBER:
        more = snprintf(word, bytes - length, " %s=%.15g ", o->name, *(const double *)o->target);
        break;
    default:
        text = *(const char **)o->target;
        more = snprintf(word, bytes - length, " %s=%s ", o->name, text != NULL ? text : "");
    }
    if (length + (size_t)more >= bytes) {
        *word = '\0';
        return length + (size_t)more;
    }
    for (char *c = word + 1; *c != '='; c++)
        if (*c == '-')
            *c = '_'; /* as in the parameters that exercises state */
    for (char *c = word + 1; c[1] != '\0'; c++)
        if (isspace((unsigned char)*c))
            *c = '_';
    return length + (size_t)more;
}

/* Adds all of a table. As long as no exercise has dozens of options, they fit. */
static size_t addWords(const struct course_option *o, char *list, size_t length, size_t bytes)
{
    for (; o != NULL && o->name != NULL && length < bytes; o++)
        length = addWord(o, list, length, bytes);
    return length;
}

void optionsText(const struct exercise *exercise, char *text, size_t bytes)
{
    text[0] = '\0';
    addWords(exercise->options, text, 0, bytes);
}

/* Keeps the options of rows that do not have their default value. */
static void keepGiven(const struct exercise *exercise, const char *usual)
{
    const struct course_option *const tables[] = {ofRows, exercise->options};
    size_t length = 0, end;

    for (int t = 0; t < 2; t++)
        for (const struct course_option *o = tables[t]; o != NULL && o->name != NULL; o++) {
            if (o->kind & OPTION_ASIDE)
                continue;
            end = addWord(o, given.given, length, sizeof given.given);
            if (end >= sizeof given.given && given.csv != NULL)
                courseFail(EXIT_USAGE, "--%s: the value is too long for a results file", o->name);
            if (end < sizeof given.given && strstr(usual, given.given + length) == NULL)
                length = end;
            given.given[length] = '\0';
        }
}

void optionsRead(const struct exercise *exercise, int argc, char **argv)
{
    static char sizeHelp[128];
    char usual[1024] = "";
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;

    given.program = slash != NULL ? slash + 1 : (argc > 0 ? argv[0] : exercise->name);
    failName(given.program);
    snprintf(sizeHelp, sizeof sizeHelp, "problem size in %s (also 64k, 4M, 2^20)", exercise->unit);
    common[0].help = sizeHelp;
    common[0].min = (double)exercise->minSize;
    if (exercise->maxSize > 0)
        common[0].max = (double)exercise->maxSize;
    addWords(exercise->options, usual, addWords(ofRows, usual, 0, sizeof usual), sizeof usual);
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--wait") == 0)
            gateExpect(); /* mistakes in the others are reported then */
    for (int i = 1; i < argc; i++) {
        const struct course_option *o;
        char *value;

        if (strncmp(argv[i], "--", 2) != 0)
            courseFail(EXIT_USAGE, "'%s': options begin with --; see --help", argv[i]);
        value = strchr(argv[i], '=');
        if (value != NULL)
            *value++ = '\0';
        o = optionNamed(exercise, argv[i] + 2);
        if (kindOf(o) == OPTION_FLAG && value != NULL)
            courseFail(EXIT_USAGE, "--%s takes no value", o->name);
        if (kindOf(o) != OPTION_FLAG && value == NULL && i + 1 < argc &&
            strncmp(argv[i + 1], "--", 2) != 0)
            value = argv[++i];
        if (kindOf(o) != OPTION_FLAG && value == NULL)
            courseFail(EXIT_USAGE, "--%s needs a value; see --help", o->name);
        set(o, value);
        if (isOwn(exercise, o))
            given.isArranged = 1;
        if (help)
            printHelp(exercise);
    }
    keepGiven(exercise, usual);
    settle(exercise);
    given.isUsual = !given.isArranged && given.size <= exercise->emulatedSize &&
                    getenv("CUDA_EMULATED_DEVICE") == NULL &&
                    getenv("CUDA_EMULATED_DEVICES") == NULL &&
                    getenv("CUDA_EMULATED_MEMORY") == NULL;
}
