/* While a run executes: the line of progress, and signals that end it at an accepted step. */
#include "progress.h"

#include <errno.h>
#include <signal.h>
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

/* ---- signals */

/* A signal handler gets no argument of ours: the one run of this process that it may cancel. */
static fender_run *volatile watched_run;

static void cancel_run(int number)
{
    fender_run *run = watched_run;
    (void)number;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (run != NULL) fender_run_cancel(run);
}

void fnd_app_interrupt_prepare(void)
{
    signal(SIGPIPE, SIG_IGN);
#ifdef SIGXFSZ
    signal(SIGXFSZ, SIG_IGN);
#endif
}

static void watch_signal(int number)
{
    struct sigaction now, action;
    if (sigaction(number, NULL, &now) != 0 || now.sa_handler == SIG_IGN) return;
    memset(&action, 0, sizeof action);
    action.sa_handler = cancel_run;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(number, &action, NULL);
}

static void unwatch_signal(int number)
{
    struct sigaction now;
    if (sigaction(number, NULL, &now) == 0 && now.sa_handler == cancel_run) signal(number, SIG_DFL);
}

void fnd_app_interrupt_watch(fender_run *run)
{
    watched_run = run;
    watch_signal(SIGINT);
    watch_signal(SIGTERM);
}

void fnd_app_interrupt_end(void)
{
    unwatch_signal(SIGINT);
    unwatch_signal(SIGTERM);
    watched_run = NULL;
}

bool fnd_app_interrupt_is_broken_pipe(int number) { return number == EPIPE; }
