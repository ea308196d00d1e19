/* Building targets of the build tree. */
#ifndef BUILD_H
#define BUILD_H

/* Builds targets of the build tree, quietly; on failure prints the log from the first error on. Returns 0 or
 * EXIT_ERROR. targets is separated by blanks; "all" builds all. */
int buildTargets(const char *targets);

#endif
