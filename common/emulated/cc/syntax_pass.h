/* syntax_pass.h: mistakes in CUDA that are no mistakes in C++ */
#ifndef EMULATED_SYNTAX_PASS_H
#define EMULATED_SYNTAX_PASS_H

/* Where clang is installed, lets it look at the source as CUDA and passes on the errors that g++ cannot see: a host
 * function called from a kernel, a kernel called without <<<>>>, a kernel that returns a value, an initialiser on
 * a __shared__ variable. Returns non-zero if there were any; without clang 0, silently. */
int syntax_pass(const char *source, const char *const *flags);
#endif
