/* The columns of a results file, defined once for the code that writes the file and the code that
 * reads it.
 *
 * The file is CSV by RFC 4180: the first line names the columns, a field that holds a comma, a
 * quote or the end of a line is quoted, a quote inside it is doubled. Lines end with LF; CRLF is
 * read as well. A field that does not apply is empty: the times of a wrong result, and those of a
 * device row on the emulated device. */
#ifndef COLUMNS_H
#define COLUMNS_H

#include <stddef.h>

/* X(name, unit, meaning) */
#define COLUMNS(X)                                                                                 \
    X(exercise, "", "folder of the exercise")                                                      \
    X(variant, "", "name of the variant, as in the table")                                         \
    X(device, "", "what the row ran on: the name of the CPU or of the GPU")                        \
    X(size, "", "problem size of the row, in the exercise's unit")                                 \
    X(verdict, "", "PASS, WRONG, NOT IMPLEMENTED, SKIPPED or DEMONSTRATION")                       \
    X(median_s, "s", "median time of one run")                                                     \
    X(min_s, "s", "shortest time of one run")                                                      \
    X(bytes, "B", "bytes that one run must move through memory")                                   \
    X(flops, "", "floating-point operations of one run")                                           \
    X(limit_bytes_per_s, "B/s", "copy rate that the row is compared with, measured in the run")    \
    X(fraction, "", "rate as a fraction of that limit")                                            \
    X(with_transfers_s, "s", "time with allocation and the copies between host and device")        \
    X(max_error, "", "largest deviation from the reference")                                       \
    X(parameters, "", "point of a sweep and options given: name=value, separated by blanks")       \
    X(place, "", "cpu, device or library")                                                         \
    X(max_s, "s", "longest time of one run")                                                       \
    X(samples, "", "timed samples, of which the median counts")                                    \
    X(counters, "", "what the emulated device counted: name=value, separated by blanks")           \
    X(run, "", "the same in all rows of one run of a program, different in any other")             \
    X(date, "", "start of the run, UTC")                                                           \
    X(host, "", "name of the machine")                                                             \
    X(commit, "", "commit of the sources; -dirty: with changes")                                   \
    X(compiler, "", "compiler of the host code")                                                   \
    X(cpu, "", "name of the CPU")                                                                  \
    X(sockets, "", "CPU sockets of the machine")                                                   \
    X(cores, "", "CPU cores of the machine")                                                       \
    X(threads, "", "CPU threads that the program used")                                            \
    X(driver, "", "version of the GPU's driver")                                                   \
    X(toolkit, "", "version of the CUDA toolkit")                                                  \
    X(multiprocessors, "", "multiprocessors of the device")                                        \
    X(clock_hz, "Hz", "highest clock rate of the multiprocessors")                                 \
    X(memory_clock_hz, "Hz", "highest clock rate of the device memory")                            \
    X(ecc, "", "1: the device memory corrects errors")                                             \
    X(l2_bytes, "B", "size of the device's L2 cache")                                              \
    X(power_limit_w, "W", "power that the device may draw")

enum column {
#define X(name, unit, meaning) COLUMN_##name,
    COLUMNS(X)
#undef X
        COLUMN_COUNT
};

/* New columns are only added at the end. A file with this many columns, of an earlier version, can
 * be read as well: the missing fields are empty. */
enum { COLUMNS_AT_LEAST = COLUMN_l2_bytes + 1 };

/* The header line, without its end. */
#define X(name, unit, meaning) "," #name
static const char columnsHeader[] = "" COLUMNS(X);
#undef X
#define COLUMNS_HEADER (columnsHeader + 1) /* without the first comma */

/* Takes one record of CSV text apart, in place: field[i] points to the text of field i, without its
 * quotes; "" for those of `count` that the record does not have. Returns the start of the next
 * record, or NULL if this one was the last; *found becomes the number of fields in the record, -1
 * if a quote is never closed. */
static inline char *csvRecord(char *text, char *field[], int count, int *found)
{
    static char nothing[] = "";
    char *from = text, *to = text;
    int fields = 0, quoted = 0, more;

    for (int i = 0; i < count; i++)
        field[i] = nothing;
    do {
        if (fields < count)
            field[fields] = to;
        fields++;
        if (*from == '"') {
            quoted = 1;
            from++;
        }
        while (*from != '\0' &&
               (quoted || !(*from == ',' || *from == '\n' || (*from == '\r' && from[1] == '\n')))) {
            if (quoted && *from == '"') {
                from++;
                if (*from != '"') { /* the field's end; what follows it up to the comma is kept */
                    quoted = 0;
                    continue;
                }
            }
            *to++ = *from++;
        }
        more = *from == ',';
        if (more)
            from++;
        else if (*from != '\0')
            from += *from == '\r' ? 2 : 1;
        else
            from = NULL;
        *to++ = '\0'; /* never beyond `from`: at least a comma or the end was read */
    } while (more);
    *found = quoted ? -1 : fields;
    return from != NULL && *from != '\0' ? from : NULL;
}

#endif
