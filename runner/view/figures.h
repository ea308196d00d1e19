/* The figures that a lecture shows first, from the results that are there. */
#ifndef FIGURES_H
#define FIGURES_H

#include "result_table.h"

/* Draws them: the heat equation on CPU and GPU over its size, launches, copies between host and
 * device, copies on the device, atomics. Says how to measure the missing ones. */
void figuresDraw(struct text *page, const struct sheets *sheets, const char *device);

#endif
