/* Starting programs. */
#ifndef PROCESS_H
#define PROCESS_H

/* Runs a command (argv ends with NULL) and returns its exit status; EXIT_ERROR if it cannot start or a
 * signal ends it. quiet: its output is thrown away. */
int runCommand(char *const argv[], int quiet);

#endif
