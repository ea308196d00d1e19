/* The command line of an exercise's program. */
#include "internal.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct settings settings = {.seed = 1, .only = -1};

void courseFail(enum exit_code code, const char *format, ...)
{
    va_list arguments;

    fflush(stdout);
    settings.failing = 1;
    if (!settings.silent || !settings.reading) {
        fprintf(stderr, "%s: ", settings.program != NULL ? settings.program : "course");
        va_start(arguments, format);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
        fputc('\n', stderr);
    }
    if (theRanks != NULL && settings.reading)
        theRanks->finish(); /* or else the first rank to end would take the others' words away */
    exit(code);
}

void courseFailAlike(enum exit_code code, const char *format, ...)
{
    char message[MESSAGE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    settings.reading = 1;
    courseFail(code, "%s", message);
}

/* A whole number with an optional suffix k, M or G (powers of 1024), or the form 2^K. */
static double wholeNumber(const char *option, const char *text, double least, double most)
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
    } else if (*end == 'k' || *end == 'K') {
        value *= 1024.0;
        end++;
    } else if (*end == 'M') {
        value *= 1024.0 * 1024.0;
        end++;
    } else if (*end == 'G') {
        value *= 1024.0 * 1024.0 * 1024.0;
        end++;
    }
    if (end == text || *end != '\0' || !(value == floor(value)) || strpbrk(text, "xX") != NULL)
        courseFail(EXIT_USAGE, "--%s %s: expected a whole number such as 1000, 64k or 2^20", option,
                   text);
    if (value < least || value > most || errno == ERANGE)
        courseFail(EXIT_USAGE, "--%s %s: expected %.0f to %.0f", option, text, least, most);
    return value;
}

static double anyNumber(const char *option, const char *text, double least, double most)
{
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end != '\0' || !isfinite(value))
        courseFail(EXIT_USAGE, "--%s %s: expected a number", option, text);
    if (value < least || value > most)
        courseFail(EXIT_USAGE, "--%s %s: expected %g to %g", option, text, least, most);
    return value;
}

/* 1 if word is an entry of the comma-separated list. */
static int isOneOf(const char *word, const char *list)
{
    size_t length = strlen(word);

    while (*list != '\0') {
        size_t entry = strcspn(list, ",");

        if (entry == length && strncmp(word, list, length) == 0)
            return 1;
        list += entry + (list[entry] == ',');
    }
    return 0;
}

static void setOwn(const struct course_option *option, const char *text)
{
    switch (option->kind) {
    case OPTION_FLAG:
        *(int *)option->target = 1;
        break;
    case OPTION_INTEGER:
        *(long *)option->target =
            (long)wholeNumber(option->name, text, option->least, option->most);
        break;
    case OPTION_NUMBER:
        *(double *)option->target = anyNumber(option->name, text, option->least, option->most);
        break;
    case OPTION_WORD:
        if (option->words != NULL && !isOneOf(text, option->words))
            courseFail(EXIT_USAGE, "--%s %s: expected one of %s", option->name, text,
                       option->words);
        *(const char **)option->target = text;
        break;
    }
}

static void help(const struct exercise *exercise)
{
    if (settings.silent)
        exit(EXIT_PASS);
    printf("%s: %s\n\n"
           "Runs every variant, compares each result with the reference, and times it.\n\n"
           "  --size N        problem size in %s (also 64k, 4M, 2^20)\n"
           "  --seed N        seed of the inputs (1)\n"
           "  --repeat N      timed samples for each variant, of which the median counts\n"
           "  --block N       threads per block, instead of each variant's own choice\n"
           "  --grid N        blocks in the grid, likewise\n"
           "  --device WHICH  auto, gpu, emulated, or the number of a GPU\n"
           "  --variant NAME  only the variants whose name holds NAME\n"
           "  --only KIND     only cpu, device or library rows\n"
           "  --csv FILE      adds one row per variant to FILE\n"
           "  --quick         a small size and few repetitions\n"
           "  --list          names the variants and stops\n"
           "  --help          this text\n",
           settings.program, exercise->title, exercise->unit);
    for (const struct course_option *o = exercise->options; o != NULL && o->name != NULL; o++) {
        char name[NAME];

        snprintf(name, sizeof name, "--%s%s", o->name,
                 o->kind == OPTION_FLAG ? "" : (o->kind == OPTION_WORD ? " WORD" : " N"));
        printf("  %-15s %s%s%s%s\n", name, o->help, o->words != NULL ? " (" : "",
               o->words != NULL ? o->words : "", o->words != NULL ? ")" : "");
    }
    printf("\nExit status: 0 every result is right, 1 one is wrong, 2 usage or environment,\n"
           "3 a TODO is unfilled, 77 skipped because something is missing here.\n");
    exit(EXIT_PASS);
}

/* --device: a word that must agree with what the program was built for, or a GPU's number. */
static void setDevice(const char *text)
{
#ifdef COURSE_CPU_ONLY
    const char *own = "cpu";
#elif defined COURSE_EMULATED
    const char *own = "emulated";
#else
    const char *own = "gpu";
#endif

    if (!isOneOf(text, "auto,gpu,emulated,cpu")) {
        if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0')
            courseFail(EXIT_USAGE,
                       "--device %s: expected auto, gpu, emulated or the number of a GPU", text);
        settings.ordinal = (int)wholeNumber("device", text, 0, 1023);
        return;
    }
    if (strcmp(text, "auto") != 0 && strcmp(text, own) != 0)
        courseFail(EXIT_USAGE,
                   "--device %s: this program was built for device '%s'; ./course picks "
                   "the right one",
                   text, own);
}

void optionsRead(const struct exercise *exercise, int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;

    settings.program = slash != NULL ? slash + 1 : (argc > 0 ? argv[0] : exercise->name);
    for (int i = 1; i < argc; i++) {
        const struct course_option *own = exercise->options;
        char *name = argv[i] + 2;
        char *value;

        if (strncmp(argv[i], "--", 2) != 0)
            courseFail(EXIT_USAGE, "'%s': options begin with --; see --help", argv[i]);
        value = strchr(name, '=');
        if (value != NULL)
            *value++ = '\0';
        if (strcmp(name, "help") == 0)
            help(exercise);
        while (own != NULL && own->name != NULL && strcmp(own->name, name) != 0)
            own++;
        if (own != NULL && own->name == NULL)
            own = NULL; /* none of the exercise's */
        if ((own != NULL && own->kind == OPTION_FLAG) || isOneOf(name, "list,quick")) {
            if (value != NULL)
                courseFail(EXIT_USAGE, "--%s takes no value", name);
            if (own != NULL)
                setOwn(own, NULL);
            else if (strcmp(name, "list") == 0)
                settings.list = 1;
            else
                settings.quick = 1;
            continue;
        }
        if (own == NULL &&
            !isOneOf(name, "size,seed,repeat,block,grid,device,variant,only,csv,verdict"))
            courseFail(EXIT_USAGE, "--%s: no such option; see --help", name);
        if (value == NULL && i + 1 < argc)
            value = argv[++i];
        if (value == NULL)
            courseFail(EXIT_USAGE, "--%s needs a value; see --help", name);

        if (own != NULL) {
            setOwn(own, value);
        } else if (strcmp(name, "size") == 0) {
            double most = exercise->mostSize > 0 ? (double)exercise->mostSize : 1e15;

            settings.size = (size_t)wholeNumber("size", value, (double)exercise->leastSize, most);
            settings.sizeGiven = 1;
        } else if (strcmp(name, "seed") == 0) {
            settings.seed = (unsigned long)wholeNumber("seed", value, 0, 4294967295.0);
        } else if (strcmp(name, "repeat") == 0) {
            settings.repeat = (int)wholeNumber("repeat", value, 1, 100000);
        } else if (strcmp(name, "block") == 0) {
            settings.block = (int)wholeNumber("block", value, 1, INT_MAX);
        } else if (strcmp(name, "grid") == 0) {
            settings.grid = (size_t)wholeNumber("grid", value, 1, 2147483647.0);
        } else if (strcmp(name, "device") == 0) {
            setDevice(value);
        } else if (strcmp(name, "variant") == 0) {
            settings.variant = value;
        } else if (strcmp(name, "csv") == 0) {
            if (value[0] == '\0')
                courseFail(EXIT_USAGE, "--csv needs the name of a file");
            settings.csv = value;
        } else if (strcmp(name, "verdict") == 0) {
            settings.verdict = value; /* not in --help: it is between programs */
        } else {                      /* only */
            if (!isOneOf(value, "cpu,device,library"))
                courseFail(EXIT_USAGE, "--only %s: expected cpu, device or library", value);
            settings.only = strcmp(value, "cpu") == 0      ? ON_CPU
                            : strcmp(value, "device") == 0 ? ON_DEVICE
                                                           : ON_LIBRARY;
        }
    }
}
