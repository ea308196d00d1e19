/* messages.h: the compiler's messages, with the words and lines of the author's file. */
#ifndef EMULATED_MESSAGES_H
#define EMULATED_MESSAGES_H

#include <stdio.h>

/* Translates a message's column: *column is one of the compiler's text and becomes that of the
 * author's line, or 0 if it is unknown. Set by the translator; NULL: columns are the author's. */
typedef void (*column_finder)(const char *file, int line, int *column, char *token, size_t size);

/* Is it certain that this local variable of the function around that line never gets a value? Set
 * by the translator. */
typedef int (*never_set)(const char *file, int line, const char *name);

/* Prints the messages in `from` to stderr: each error with its line and caret, what belongs to the
 * emulated device's headers left out, and a sentence for mistakes that beginners make. Of the
 * variables that 'may be used uninitialized' those that is_never_set() knows. */
void print_messages(FILE *from, column_finder find_column, never_set is_never_set);

/* From now on warnings are written into this file, not to stderr. */
void warnings_into(FILE *file);

/* The same as print_messages() for one message of our own. */
void print_message(const char *file, int line, int column, const char *kind, const char *text);
#endif
