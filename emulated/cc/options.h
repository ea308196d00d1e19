/* options.h: the command line of emulated-cc. */
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

struct options {
    struct words preprocess; /* -I -D -U -include */
    struct words other;      /* -g -W -f, for host files and the linker too */
    struct words link;       /* sources, objects, archives, -l and -L, in order */
    struct words sources;    /* those of them that are compiled */
    int compile_only, depend, device_link, fast, no_syntax_pass;
    char *out, *dependencies, *warnings;
};

/* Reads the command line. Returns -1, or the status to end with: it has said why. */
int read_options(struct options *o, int argc, char **argv);

const char *extension(const char *name); /* ".cu", or "" */
#endif
