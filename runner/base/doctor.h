/* Whether this machine is fit for the course. */
#ifndef DOCTOR_H
#define DOCTOR_H

/* Examines GPU, driver, toolkit and tools, and gives advice on each problem. Returns EXIT_ERROR if
 * something must be repaired, EXIT_PASS otherwise. */
int doctor(void);

#endif
