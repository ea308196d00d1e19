/* The page of results. */
#ifndef REPORT_H
#define REPORT_H

/* Writes the results in these files and folders (the list ends with NULL) as a page to a file,
 * report.html if page is NULL, with the differences to the recorded results that `reference` names
 * (compare.h). Returns an exit code. */
int reportWrite(const char *page, char *const *sources, const char *reference);

#endif
