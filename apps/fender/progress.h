/* Executing a run: the line of progress; Ctrl-C, full disks and closed pipes; the run as commands carry it out. */
#ifndef FND_FENDER_PROGRESS_H
#define FND_FENDER_PROGRESS_H

#include <fender/io.h>

#include "app.h"

typedef struct fnd_app_progress {
    fnd_app_stream *stream; /* NULL: nothing is shown */
    fnd_app_stream *before; /* what must be on the screen first */
    bool drawn;
} fnd_app_progress;

/* Shown on standard error when that is a terminal that can redraw a line, and neither --quiet nor --json was given. */
void fnd_app_progress_begin(fnd_app_progress *progress, fnd_app *app);
/* For fender_run_def.progress; ctx is the fnd_app_progress. */
bool fnd_app_progress_draw(void *ctx, const fender_progress *now);
/* Clears the line. */
void fnd_app_progress_end(fnd_app_progress *progress);
/* The line's text without control characters: "  2.41 s of 10 s   24 %   12.3 x real time   3 s left". */
void fnd_app_progress_text(char *text, size_t size, const fender_progress *now);

/* ---- Signals: Ctrl-C ends a run at an accepted step, a second one kills; full disks and closed pipes become errors.
 */

/* Ignores the signals that would kill instead of letting a write fail. */
void fnd_app_interrupt_prepare(void);
/* While a run is watched, SIGINT and SIGTERM cancel it; the next one of either does what it does by default. Signals
 * that were ignored when the program started stay ignored. */
void fnd_app_interrupt_watch(fender_run *run);
void fnd_app_interrupt_end(void);
bool fnd_app_interrupt_is_broken_pipe(int number);

/* Creates the run, executes it with progress and Ctrl-C, prints its summary; or, when it is compared with another, what
 * that gave. `consequence` stands behind a failure before the first step ("nothing was run"). Returns the exit code. */
int fnd_app_run(fnd_app *app, const fender_run_def *def, const char *consequence);

#endif
