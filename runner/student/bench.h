/* Functions that bench, device and report share. */
#ifndef BENCH_H
#define BENCH_H

#include "exercises.h"

/* The measurements of ./course device --measure, as if they were an exercise: the program is
 * device_costs. */
const struct exercise_entry *benchDevice(void);
/* Writes the facts of the devices, as ./course device prints them, to FOLDER/device.txt. */
void factsWrite(const char *device, const char *folder);

#endif
