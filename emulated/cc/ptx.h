/* ptx.h: inline PTX */
#ifndef EMULATED_PTX_H
#define EMULATED_PTX_H
#include "tokens.h"

/* Replaces the asm statement at token i by a call where it holds PTX that has an equivalent. Host
 * assembly (strings without a PTX mnemonic) stays. Returns NULL or the error. */
const char *translate_ptx(struct tokens *t, int i);
#endif
