/* syntax_pass.h: mistakes in CUDA that are no mistakes in C++ */
#ifndef EMULATED_SYNTAX_PASS_H
#define EMULATED_SYNTAX_PASS_H
#include <stddef.h>

/* If clang is installed, it reads the preprocessed source as CUDA while the compiler works, and
 * finds mistakes that g++ cannot see: a host function called from a kernel, a kernel called without
 * <<<>>>, a kernel that returns a value, an initialiser on a __shared__ variable. Only the file
 * itself is judged, not what it includes. */
void syntax_pass_start(const char *source, const char *text, size_t length);

/* Waits for it and reports on stderr. Returns the number of errors; 0, silently, without clang. */
int syntax_pass_finish(void);
#endif
