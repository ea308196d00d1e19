/* Host arrays, for the harness's own files; harness.h has newArray() and the rest. */
#ifndef ARRAYS_H
#define ARRAYS_H

/* Frees what newArray() gave. */
void arraysFree(void);

#endif
