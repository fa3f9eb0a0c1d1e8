/* Signals: Ctrl-C ends a run at an accepted step, a second one kills; full disks and closed pipes become errors. */
#define _POSIX_C_SOURCE 200809L
#include "interrupt.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

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
