/* places.h: where the headers, the libraries and the compilers are. */
#ifndef EMULATED_PLACES_H
#define EMULATED_PLACES_H

/* Finds them: in the folders that this program was built from or, once it is installed as
 * bin/emulated-nvcc, in lib/emulated-nvcc beside bin, which has the shape of a CUDA toolkit. Ends
 * the program when they are not there. */
void places_find(void);

const char *place(void);         /* the folder with include and clang */
const char *library_place(void); /* the folder with the libraries */

/* Tells a build system where they are, in nvcc's form, on stderr. */
void places_show(void);

/* Is this an include folder of NVIDIA's toolkit? Its headers would be found before ours. */
int is_toolkit(const char *folder);
#endif
