/* Files that get their name only when they are complete: a reader finds the old file or the new
 * one, never a part. */
#ifndef FILE_H
#define FILE_H

#include <stdio.h>

/* A file being written beside the one that it will replace. */
struct new_file {
    FILE *stream;
    char *target, *partial; /* "results.csv", "results.csv.partial-0f3a..." */
};

/* Makes an empty file beside `target`, under an unpredictable, unused name. Ends the program (exit
 * 2) if it cannot. Close it by newFileKeep() or newFileDrop(). */
struct new_file newFile(const char *target);
/* Gives the file its name and returns NULL. If not all of it could be written, leaves what was
 * there and returns the error. newFileMustKeep() then ends the program (exit 2). */
const char *newFileKeep(struct new_file *file);
void newFileMustKeep(struct new_file *file, const char *name);
/* Removes it. */
void newFileDrop(struct new_file *file);
/* Some letters and digits, different each time. */
void randomName(char *name, size_t size);

#endif
