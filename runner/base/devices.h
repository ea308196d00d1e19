/* Which device the commands use. */
#ifndef DEVICES_H
#define DEVICES_H

/* 1 if a GPU and its driver are in this machine. */
int hasGpu(void);
/* 1 if nvcc was found when the build was configured. */
int hasGpuPrograms(void);
/* Which device to use: "gpu" or "emulated". wanted may be auto, gpu, emulated or a GPU's number.
 * Ends the program if the wanted one is not there (gpu: EXIT_SKIPPED). */
const char *deviceToUse(const char *wanted);
/* Writes the facts of the devices, as ./course device prints them, to FOLDER/device.txt. */
void factsWrite(const char *device, const char *folder);

#endif
