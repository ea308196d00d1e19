/* options.h: the command line of emulated-nvcc, which is nvcc's. */
#ifndef EMULATED_OPTIONS_H
#define EMULATED_OPTIONS_H

#include <stddef.h>

struct words { /* ends with NULL, as execvp() wants it */
    char **list;
    size_t count, capacity;
};
void add(struct words *w, char *word);
void add_all(struct words *w, const struct words *more);
void add_list(struct words *w, const char *const *more); /* ends with NULL */

/* What is made of the sources. */
enum product { PROGRAM, SHARED, ARCHIVE, OBJECTS, DEVICE_LINK, PREPROCESSED, DEPENDENCIES };

struct options {
    enum product product;
    struct words preprocess; /* -I -D -U -include */
    struct words other;      /* -g -W -f, for host files and the linker too */
    struct words link;       /* sources, objects, archives, -l, -L and -Xlinker, in order */
    struct words sources;    /* those of them that are compiled */
    struct words depend;     /* -MP and -MT */
    const char *depend_how;  /* -M, -MM, -MD, -MMD, or NULL */
    const char *standard;    /* of -std, or NULL */
    char *language;          /* of -x, or NULL: by the file's name */
    char *unknown;           /* the first option that is none of nvcc's */
    char *out, *out_folder, *dependencies, *warnings, *prelude, *host_compiler;
    int verbose, dry_run, fast, no_syntax_pass, forward_unknown;
};

/* Reads the command line. Returns -1, or, after a message, the exit status. */
int read_options(struct options *o, int argc, char **argv);

const char *extension(const char *name);                              /* ".cu", or "" */
const char *language_of(const struct options *o, const char *source); /* "cu", "c++", "c" or "" */
#endif
