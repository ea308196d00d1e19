/* The output of other tools. */
#ifndef TOOL_H
#define TOOL_H

/* Runs a command (the list ends with NULL), for 20 s at most, and returns what it prints, errors
 * included; NULL if it cannot be started or fails. */
char *toolSays(char *const argv[]);
/* The same whatever the exit status, which goes to *status; 127 if it cannot be started. */
char *toolSaysAnyway(char *const argv[], int *status);
/* What git prints on an object of the course's folder, or without one if that is NULL. The folder
 * may be another account's, as in a container: its programs run anyway. */
char *gitSays(const char *command, const char *object, int *status);
/* The path of a program on the PATH; NULL if it is not there. */
char *toolPath(const char *name);
/* nvcc of this build, or else on the PATH; NULL if there is none. */
char *toolNvcc(void);

#endif
