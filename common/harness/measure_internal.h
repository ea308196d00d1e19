/* Measuring, for the harness's own files; measure.h is what a variant sees. */
#ifndef MEASURE_INTERNAL_H
#define MEASURE_INTERNAL_H

/* A new row: nothing is measured yet. */
void measureReset(void);
/* 1 if a MEASURE loop of the row was left before its end. */
int measureWasLeft(void);
/* Number of measurements of the row that were completed. */
int measureCount(void);
/* 1 if the body ended while its work in other streams was pending, if the device can tell. */
int measureLeftWork(void);
/* Threads per block of the row's last blockSize() call; 0 before the first. */
int blockSizeUsed(void);
/* Threads of a grid of the row's last gridSize() and blockSize(); 0 before either. */
size_t threadsUsed(void);
/* Start and end of the time that the row's variant takes as a whole. */
void wholeStart(void);
void wholeStop(void);
/* Overrides --block and --grid; 0: as given on the command line. */
void measureLaunch(int block, size_t grid);
/* Bytes/s, read plus written, of a copy by all cores between arrays of about `bytes` each. Each
 * core first touches the pages that it copies. 0 if there is no memory. */
double cpuCopyRate(double bytes);

#endif
