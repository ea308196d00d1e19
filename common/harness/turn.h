/* The turn of a program that ./course check has started early (--wait): it opens the device and makes its inputs while
 * something else is under way, says and measures nothing, and goes on when a byte comes on its standard input. Where that
 * ends, by the word or the death of who started it, so does the program. */
#ifndef TURN_H
#define TURN_H

/* The turn is to come: until then nothing is shown. */
void turnExpect(void);
int turnIsExpected(void);
/* Waits for it, all ranks together; ends the program, without a word, if it does not come. At once where none is expected. */
void turnAwait(void);
/* The same for a rank alone, without ending it: 0 if the turn does not come. Rank 0 alone waits, which has an input. */
int turnComes(void);

#endif
