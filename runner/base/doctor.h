/* Whether this machine is fit for the course. */
#ifndef DOCTOR_H
#define DOCTOR_H

/* Looks at GPU, driver, toolkit and tools, and says what to do about what is amiss. Returns
 * EXIT_ERROR if something must be mended, EXIT_PASS otherwise. */
int doctor(void);

#endif
