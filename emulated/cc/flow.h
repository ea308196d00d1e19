/* flow.h: which part of a function comes before which, whatever order the compiler has put them
 * in. */
#ifndef EMULATED_FLOW_H
#define EMULATED_FLOW_H

#include <stddef.h>
#include <stdio.h>

/* Writes the compiler's assembler text with a table for each function, in the section
 * emulated_flow: its basic blocks and loops in the order of the control flow, and how many
 * arithmetic instructions of each kind a block has (runtime/flow.cpp reads it). */
void flow_write(const char *text, size_t length, FILE *out);
/* 1 if the text from p to end begins with the word. */
int starts(const char *p, const char *end, const char *word);
#endif
