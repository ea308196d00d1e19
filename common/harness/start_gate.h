/* A start gate for a program that ./course check has started early (--wait). The program opens the
 * device and makes its inputs while another program runs. It prints and measures nothing until a
 * byte arrives on its standard input, and ends if that is closed. */
#ifndef START_GATE_H
#define START_GATE_H

/* From here on nothing is printed until the turn comes. */
void gateExpect(void);
int gateIsClosed(void);
/* Waits for the turn, all ranks together. Ends the program silently if it does not come. Returns at
 * once if none is expected. */
void gateAwait(void);
/* The same for one rank, without ending it: returns 0 if the turn does not come. Only rank 0 waits,
 * as it has the input. */
int gateOpens(void);

#endif
