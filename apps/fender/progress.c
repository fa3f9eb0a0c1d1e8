/* The line on a terminal that tells how far a run is. */
#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fnd_app_progress_begin(fnd_app_progress *progress, fnd_app *app)
{
    const char *terminal = getenv("TERM");
    bool redraws = terminal != NULL && terminal[0] != '\0' && strcmp(terminal, "dumb") != 0;
    progress->drawn = false;
    progress->before = &app->out;
    progress->stream = !app->quiet && !app->json && redraws && isatty(app->err.descriptor) ? &app->err : NULL;
}

void fnd_app_progress_text(char *text, size_t size, const fender_progress *now)
{
    char time[FND_APP_NUMBER_SIZE], until[FND_APP_NUMBER_SIZE], speed[FND_APP_NUMBER_SIZE];
    double share = now->until > 0 ? now->time / now->until : 0;
    double rate = now->wall_time > 0 ? now->time / now->wall_time : 0;
    fnd_app_number(time, now->time);
    fnd_app_number(until, now->until);
    /* two or three digits are all that a speed is worth */
    fnd_app_number(speed, rate >= 10 ? floor(rate + 0.5) : floor(rate * 100 + 0.5) / 100);
    snprintf(text, size, " %s s of %s s   %d %%", time, until, (int)(100 * share));
    size_t used = strlen(text);
    if (share > 0 && rate > 0) {
        char left[FND_APP_NUMBER_SIZE];
        fnd_app_fixed(left, ceil(now->wall_time * (1 - share) / share), 0);
        snprintf(text + used, size - used, "   %s x real time   %s s left", speed, left);
    }
}

bool fnd_app_progress_draw(void *ctx, const fender_progress *now)
{
    fnd_app_progress *progress = ctx;
    char text[160];
    fnd_app_stream_flush(progress->before);
    if (progress->stream == NULL) return true;
    fnd_app_progress_text(text, sizeof text, now);
    fnd_app_put(progress->stream, "\r");
    fnd_app_put(progress->stream, text);
    fnd_app_put(progress->stream, "\033[K");
    fnd_app_stream_flush(progress->stream);
    progress->drawn = true;
    return true;
}

void fnd_app_progress_end(fnd_app_progress *progress)
{
    if (!progress->drawn) return;
    fnd_app_put(progress->stream, "\r\033[K");
    fnd_app_stream_flush(progress->stream);
    progress->drawn = false;
}
