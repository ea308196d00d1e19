/* What bench, device and report share. */
#ifndef BENCH_H
#define BENCH_H

#include "exercises.h"

/* What ./course device --measure times, as if it were an exercise: its program is device_costs. */
const struct exercise_entry *benchDevice(void);
/* Writes the facts of the devices, as ./course device prints them, to FOLDER/device.txt. */
void factsWrite(const char *device, const char *folder);

#endif
