/* The further runs of a check, beside the one that it shows: the exercise's checks.txt. */
#include "extra_runs.h"
#include "files.h"
#include "text.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINES = 64, SETTING_SLOTS = 10, AT_ONCE = 16 };

/* A line of checks.txt, and its run. */
struct trial {
    char *line; /* as it stands there, but for numbers that were drawn */
    int isDrawn;
    char *settings[SETTING_SLOTS]; /* ends with NULL */
    char *words, *options;         /* a copy to be cut up, and what follows its settings */
    struct run run;
    int ended;
};

struct extra_runs {
    const struct run_options *r;
    const struct exercise_entry *e;
    const char *device, *kind;
    struct trial *trials;
    int count, started, ended;
    int stopped; /* one was not right */
    /* if the run that is shown has needed no basic TODO more: all of them */
    const struct todos *todos;
};

/* 1 if the line sets something for all runs of the exercise: it begins with the runner's own
 * COURSE_PATIENCE. */
static int holdsForAll(const char *line) { return startsWith(line, "COURSE_"); }

/* The length of a word NAME=value at the start of the text, 0 if there is none. */
static size_t settingLength(const char *text)
{
    size_t name = 0;

    while (isupper((unsigned char)text[name]) || text[name] == '_' ||
           (name > 0 && isdigit((unsigned char)text[name])))
        name++;
    return name > 0 && text[name] == '=' ? strcspn(text, " \t") : 0;
}

static void addSetting(char *settings[SETTING_SLOTS], char *setting)
{
    int count = 0;

    while (settings[count] != NULL)
        count++;
    if (count == SETTING_SLOTS - 1)
        fail(EXIT_ERROR, "checks.txt: %s is one variable too many for a run, which has at most %d",
             setting, count);
    settings[count] = setting;
}

/* Cuts the settings off the start of a line; returns the options behind them. */
static char *cutSettings(char *line, char *settings[SETTING_SLOTS])
{
    size_t length;

    while ((length = settingLength(line)) > 0) {
        addSetting(settings, formatString("%.*s", (int)length, line));
        line += length;
        line += strspn(line, " \t");
    }
    return line;
}

/* The next line of checks.txt that is neither empty nor a comment, in place; advances *text. NULL
 * at the end. */
static char *nextTrial(char **text)
{
    while (*text != NULL) {
        char *line = strsep(text, "\n"), *end = line + strlen(line);

        line += strspn(line, " \t");
        while (end > line && isspace((unsigned char)end[-1]))
            *--end = '\0';
        if (line[0] != '\0' && line[0] != '#')
            return line;
    }
    return NULL;
}

static char *checksText(const struct exercise_entry *e)
{
    return readFileIfThere(formatString("%s/%s/checks.txt", sourceFolder(), e->name));
}

char **settingsOf(const struct exercise_entry *e, int oneThread)
{
    char **all = mustAllocate(NULL, SETTING_SLOTS * sizeof *all);
    char *text = checksText(e), *rest = text, *line;

    memset(all, 0, SETTING_SLOTS * sizeof *all);
    while ((line = nextTrial(&rest)) != NULL)
        if (holdsForAll(line))
            cutSettings(line, all);
    /* Beside other work, more threads slow each other down: the sizes are small, and waiting for a
     * thread that has no core takes long. */
    if (oneThread && getenv("OMP_NUM_THREADS") == NULL)
        addSetting(all, "OMP_NUM_THREADS=1");
    return all;
}

/* A random whole number from `least` to `most`. */
static unsigned long drawn(unsigned long least, unsigned long most)
{
    static int number;
    struct timespec now = {0};

    clock_gettime(CLOCK_REALTIME, &now);
    return least + (unsigned long)(hashOf(formatString("%ld %d %lld %ld", (long)getpid(), number++,
                                                       (long long)now.tv_sec, now.tv_nsec)) %
                                   (most - least + 1));
}

/* The words of a line of checks.txt, a number in the place of each A..B: one that is drawn. */
static char *withDrawn(const char *line, int *isDrawn)
{
    struct text all = {0};

    while (*line != '\0') {
        const size_t length = strcspn(line, " \t") + strspn(line + strcspn(line, " \t"), " \t");
        unsigned long least, most;
        int read = 0;

        if (sscanf(line, "%lu..%lu%n", &least, &most, &read) == 2 && least <= most &&
            strchr(" \t", line[read]) != NULL) {
            appendFormat(&all, "%lu%s", drawn(least, most), line[read] != '\0' ? " " : "");
            *isDrawn = 1;
        } else {
            appendFormat(&all, "%.*s", (int)length, line);
        }
        line += length;
    }
    return all.data;
}

/* Reads the lines that are to be tried; returns how many. */
static int readTrials(const struct exercise_entry *e, char **shared, struct trial *trials)
{
    char *text = checksText(e), *rest = text, *line;
    int count = 0;

    while ((line = nextTrial(&rest)) != NULL) {
        struct trial *t = &trials[count];
        int i = 0;

        if (holdsForAll(line))
            continue;
        if (count == LINES)
            fail(EXIT_ERROR, "%s/checks.txt has more than %d lines", e->name, LINES);
        memset(t, 0, sizeof *t);
        for (; shared[i] != NULL; i++)
            t->settings[i] = shared[i];
        t->line = withDrawn(line, &t->isDrawn);
        t->words = formatString("%s", t->line);
        t->options = cutSettings(t->words, t->settings);
        count++;
    }
    return count;
}

static void startTrial(struct trial *t, const struct extra_runs *f)
{
    t->run = runOf(f->r, f->e, f->device, f->kind, 0);
    t->run.job.captured = 1;
    t->run.job.folder = sourceFolder(); /* for the paths in checks.txt */
    t->run.job.settings = t->settings;
    runOption(&t->run, "--only", "device");
    runWords(&t->run, t->options);
    runStart(&t->run);
}

/* 1 if a trial of all rows has skipped them all on the emulated device: the solution does so in no
 * trial. A GPU may be too small or too old for one. */
static int isSkippedWrongly(const struct extra_runs *f, const struct trial *t)
{
    return t->run.code == EXIT_SKIPPED && isSame(f->device, "emulated") && allRows(f->r);
}

/* 1 if a trial alone has come upon a basic TODO that is not filled. */
static int needsMore(const struct extra_runs *f, const struct trial *t)
{
    int needs = 0;

    for (int i = 0; f->todos != NULL && i < t->run.todoCount; i++) {
        const struct todo *met = todoNumber(f->todos, t->run.todos[i]);

        needs |= met != NULL && !met->advanced;
    }
    return needs;
}

/* 1 if a trial's verdict need not be shown. */
static int isFine(const struct extra_runs *f, const struct trial *t)
{
    return t->run.code == EXIT_PASS || (t->run.code == EXIT_UNFILLED && !needsMore(f, t)) ||
           (t->run.code == EXIT_SKIPPED && !isSkippedWrongly(f, t));
}

/* Starts trials until this many are running. */
static void startTrials(struct extra_runs *f, int atOnce)
{
    while (!f->stopped && f->started < f->count && f->started - f->ended < atOnce)
        startTrial(&f->trials[f->started++], f);
}

/* Waits a while for a trial to end; after the first that is not right no more are started. */
static void awaitTrial(struct extra_runs *f)
{
    struct job *running[LINES] = {0};
    struct trial *t;
    int done;

    for (int i = 0; i < f->started; i++)
        running[i] = &f->trials[i].run.job;
    done = jobsWait(running, f->started, 1.0);
    if (done < 0)
        return;
    t = &f->trials[done];
    runJudge(&t->run);
    t->ended = 1;
    f->stopped |= !isFine(f, t);
    f->ended++;
}

/* Runs all trials, some at a time. */
static void runTrials(struct extra_runs *f)
{
    const int cores = usableCores(), atOnce = cores < AT_ONCE ? cores : AT_ONCE;
    const int onTerminal = isatty(STDERR_FILENO);

    while (f->ended < f->started || (f->started < f->count && !f->stopped)) {
        startTrials(f, atOnce);
        if (onTerminal)
            fprintf(stderr, "  also with: %s (%d of %d)\033[K\r", f->trials[f->started - 1].line,
                    f->ended, f->count);
        awaitTrial(f);
    }
    if (onTerminal)
        fprintf(stderr, "\033[K");
}

/* Shows the first trial that was not right, or names all in *fine if there is none. Returns the
 * code. */
static int report(const struct extra_runs *f, struct text *fine)
{
    int code = EXIT_PASS;

    for (int i = 0; i < f->count; i++) {
        const struct trial *t = &f->trials[i];

        if (t->ended && code == EXIT_PASS && !isFine(f, t)) {
            printf("\nBut with %s:\n%s", t->line, t->run.job.output);
            runExplain(&t->run);
            if (t->isDrawn)
                printf("These numbers were drawn for this check. The same again:\n"
                       "  %.*s./course check %s %s\n",
                       (int)(t->options - t->words), t->line, f->e->brief,
                       t->line + (t->options - t->words));
            code = t->run.code;
            if (isSkippedWrongly(f, t)) {
                printf("WRONG: the solution does not skip this.\n");
                code = EXIT_WRONG;
            }
        } else if (t->ended && t->run.code == EXIT_PASS) {
            appendFormat(fine, "%s%s", fine->length > 0 ? "; " : "", t->line);
        }
    }
    return code;
}

struct extra_runs *extraRunsStart(const struct run_options *r, const struct exercise_entry *e,
                                  const char *device, const char *kind, int atOnce)
{
    struct extra_runs *f = mustAllocate(NULL, sizeof *f);

    *f = (struct extra_runs){.r = r, .e = e, .device = device, .kind = kind};
    f->trials = mustAllocate(NULL, (LINES + 1) * sizeof *f->trials);
    f->count = readTrials(e, settingsOf(e, 1), f->trials);
    startTrials(f, atOnce);
    return f;
}

int extraRunsFinish(struct extra_runs *f, const struct todos *todos, struct text *fine)
{
    f->todos = todos;
    runTrials(f);
    return report(f, fine);
}

void extraRunsStop(struct extra_runs *f)
{
    for (int i = 0; i < f->started; i++)
        runStop(&f->trials[i].run);
}
