/* The terminal's abilities. */
#ifndef TERMINAL_H
#define TERMINAL_H

/* The code where standard output is a terminal with colours and NO_COLOR is not set; ""
 * elsewhere. */
const char *colour(const char *code);
/* The width for output: COLUMNS, otherwise the terminal's width, at most 100; 80 without a
 * terminal. */
int terminalWidth(void);

#endif
