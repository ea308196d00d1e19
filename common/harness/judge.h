/* Judging a row by other means than its result. */
#ifndef JUDGE_H
#define JUDGE_H

/* Before a variant runs: fills free device memory with NaN and resets the counters. */
void judgeStart(void);
/* Notes under the table if the machine is busy with something else. Call before the first row. */
void judgeMachine(void);
/* After the variant: makes the row WRONG if it was right by wrong means. */
void judgeRow(void);

#endif
