/* A student's own folder, if the course is an installation that many share (./course install). */
#ifndef STUDENT_FOLDER_H
#define STUDENT_FOLDER_H

#include "exercises.h"

/* Copies the templates that are not in the student's folder yet, and links the script there. If the
 * installation has a new template, an unchanged copy is replaced and an edited one stays; a message
 * says so once. Does nothing in a checkout. */
void workPrepare(void);
/* Where the empty template of an exercise is kept in a course that came without git's history
 * (an archive), so that reset can bring it back. */
char *workKept(const struct exercise_entry *e);
/* Keeps copies of the unchanged templates there. Does nothing in a checkout or an installation. */
void workKeep(void);
/* Configures the student's build with the installation's settings, unless that was done with the
 * same ones. Returns 0 or, after saying why, EXIT_ERROR. */
int workConfigure(void);
/* Keeps the student's build within MOST_KEPT bytes by removing the oldest programs and objects,
 * which are built again when needed. Does nothing in a checkout. */
void workTidy(void);

#endif
