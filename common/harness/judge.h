/* What the harness itself finds wrong with a row, whatever its result. */
#ifndef JUDGE_H
#define JUDGE_H

/* Before a variant runs: the device's memory is full of NaN, its counters are zero. */
void judgeStart(void);
/* Notes a machine that is busy with something else; call before the first row. */
void judgeMachine(void);
/* After the variant. */
void judgeRow(void);

#endif
