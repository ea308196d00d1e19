/* Files that take their name only once they are complete: whoever reads the name finds the old file or the new one,
 * never a part. */
#ifndef FILE_H
#define FILE_H

#include <stdio.h>

/* A file under way, beside the one that it will replace. */
struct new_file {
    FILE *stream;
    char *target, *partial; /* "results.csv", "results.csv.partial-0f3a..." */
};

/* Makes an empty file beside `target`, under a name that nobody can foresee and no file or link had before. Ends the
 * program (exit 2) if it cannot. Close it by newFileKeep() or newFileDrop(). */
struct new_file newFile(const char *target);
/* Gives the file its name. Ends the program (exit 2), and leaves what was there, if not all of it could be
 * written. */
const char *newFileKeep(struct new_file *file);
/* Removes it. */
void newFileDrop(struct new_file *file);
/* Some letters and digits, different each time. */
void randomName(char *name, size_t size);

#endif
