/* The line on a terminal that tells how far a run is. */
#ifndef FND_APP_PROGRESS_H
#define FND_APP_PROGRESS_H

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

#endif
