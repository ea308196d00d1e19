/* Reading and writing files, and where the course's own lie. */
#ifndef FILES_H
#define FILES_H

#include <glob.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

/* The course's folder and its build tree, from COURSE_SOURCE and COURSE_BUILD, or as they were when
 * the program was built. */
const char *sourceFolder(void);
const char *buildFolder(void);
/* 1 if the course is a shared installation: COURSE_INSTALLED is then its build folder. */
int isInstalled(void);
/* Where the templates are: COURSE_WORK in an installation, otherwise the course's folder. */
const char *workFolder(void);
/* The build tree of the targets that are not made from a template: the installation's, otherwise
 * buildFolder(). */
const char *sharedBuild(void);

int exists(const char *path);
/* The whole file; ends the program if it cannot be read. */
char *readFile(const char *path);
/* The same, but NULL if there is no such file. */
char *readFileIfThere(const char *path);
/* The same, but NULL also if it cannot be read, or is a folder or the like. */
char *readIfReadable(const char *path);
/* The same of a file that may hold any bytes, *length of them; a 0 follows them. */
char *readBytesIfThere(const char *path, size_t *length);
/* The rest of a stream, likewise; *length is shorter if ferror(). */
char *readStream(FILE *file, size_t *length);
/* Makes a folder, which may be there already if `mayExist`. Ends the program if it cannot. */
void makeFolder(const char *path, mode_t mode, int mayExist);
/* The absolute path of a folder, since some programs start elsewhere. Ends the program if nothing
 * can be written there. */
char *writableFolder(const char *path);
/* Writes the file under a temporary name and renames it, so that it is never half written. Ends the
 * program if that fails, or something other than a file has the name. */
void replaceFile(const char *path, const char *text);
/* 1 if the folder takes a file of some megabytes: a full disk, or a quota, leaves a build's log
 * empty. */
int hasSpace(const char *folder);
/* Waits for the lock of this name in the build folder; says on stderr that it waits for another
 * `what`, unless that is NULL. Returns what to close. A file system without locks has none. */
int lockInBuild(const char *name, const char *what);
/* Renames the file to an unused name with the time in it, so that no student's text is ever lost.
 * Returns that name. Ends the program if it cannot. */
char *putAside(const char *path);
/* The files that match a pattern of glob(); none if it fails. */
glob_t matching(const char *pattern);
/* Removes all files that match a pattern of glob(). */
void removeMatching(const char *pattern);
/* Removes the file and all files with names that begin with its name and a dot. */
void removeFiles(const char *path);
/* 1 if the first date of a file is before the second. */
int isEarlier(const struct timespec *a, const struct timespec *b);

#endif
