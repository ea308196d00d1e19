/* The time of a GPU for rows of the emulated device, at the size at which the exercise has been
 * recorded there: what two emulated sizes have counted, carried to that size, and the model of
 * emulated/runtime/time_model.h. */
#ifndef FORECAST_H
#define FORECAST_H

#include "request.h"
#include "results.h"
#include "time_model.h"

struct forecast {
    const char *why;      /* there is none; NULL: there is one */
    struct gpu_time time; /* of all kernels and copies of the row */
};

/* The recorded row of the same variant, with the same parameters if there is one; NULL: none. */
const struct result *recordedRow(const struct result *row, const struct results *recorded);
/* The forecast of a row for the size and the work of a recorded one. `half`: the rows at half the
 * size. */
struct forecast forecastOf(const struct result *row, const struct results *half,
                           const struct result *recorded, const struct gpu *gpu);

/* Runs an exercise's program on the emulated device with these further options, and reads its
 * device rows. isSmaller: for the smaller one of two sizes, on few multiprocessors. Returns
 * 0 if it has no rows, and has said why. */
int countRows(const struct run_options *r, const struct exercise_entry *e, const char *kind,
              const char *options, int isSmaller, struct results *rows);
/* The rows of the exercise that have been recorded on an H200. Returns 0 if there are none. */
int readRecording(const struct exercise_entry *e, struct results *rows);

/* Starts the program of that kind once more, at half its usual size, if the solution's forecast of
 * one of these rows is not far from what has been recorded. Otherwise the run is not started: its
 * file is NULL. */
struct run forecastsStart(const struct run_options *r, const struct exercise_entry *e,
                          const char *kind, const struct results *rows);
/* Waits for that run, and prints a line for each of the rows that is right and has such a forecast;
 * with what it consists of, if verbose. */
void forecastsShow(struct run *run, const struct exercise_entry *e, const char *kind,
                   const struct results *rows, int verbose);

/* The columns of solutions/timings/forecasts.csv: the solution's rows, as a check would forecast
 * them, and what has been recorded. */
enum {
    FORECAST_exercise,
    FORECAST_variant,
    FORECAST_parameters,
    FORECAST_s,
    FORECAST_recorded_s,
    FORECAST_COLUMNS
};
#define FORECASTS_HEADER "exercise,variant,parameters,forecast_s,recorded_s"

#endif
