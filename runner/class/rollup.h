/* The roll-up of a class as a page of HTML that needs no network. */
#ifndef ROLLUP_H
#define ROLLUP_H

#include "roster.h"

/* Writes the page: progress by exercise, who is stuck where, and each student's last activity.
 * doubts: also what is not true or worth a look, which is not for the room. */
void rollupPage(const char *path, const struct roster *roster, int doubts);

#endif
