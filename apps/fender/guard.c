/* Crashes and hangs of controllers, caught by signals of this thread. */
#ifndef _GNU_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "guard.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
enum { CAUGHT = sizeof caught / sizeof caught[0], STACK_SIZE = 1 << 16 };
enum { FAILED = 1 }; /* exit code of a run that failed */

static sigjmp_buf back;
static volatile sig_atomic_t inside, running;

/* Outside a guarded call the signal does what it did before. */
static void catch_signal(int number)
{
    if (inside) siglongjmp(back, number);
    signal(number, SIG_DFL);
    raise(number);
}

/* Code that ends the process within a command, as Fortran's STOP does, must not end it as a success. */
static void refuse_exit(void)
{
    static const char text[] = "error: the code of a controller has ended the program: the run is not complete\n";
    if (!inside && !running) return;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(FAILED); /* there is nobody to tell */
    _exit(FAILED);
}

static void watch_exit(void)
{
    static bool watches;
    if (!watches) watches = atexit(refuse_exit) == 0;
}

void fnd_app_guard_command(bool runs)
{
    watch_exit();
    running = runs;
}

static const char *describe(int number)
{
    switch (number) {
    case SIGSEGV:
    case SIGBUS: return "it crashed: it used memory that is not its own";
    case SIGFPE: return "it crashed: an arithmetic exception";
    case SIGILL: return "it crashed: an instruction that this machine does not have";
    case SIGABRT: return "it crashed: it aborted";
    default: return NULL;
    }
}

static void set_timer(double seconds)
{
    struct itimerval timer = {{0, 0}, {0, 0}};
    timer.it_value.tv_sec = (time_t)seconds;
    timer.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - (double)timer.it_value.tv_sec));
    setitimer(ITIMER_REAL, &timer, NULL);
}

bool fnd_app_guard(void *ctx, void (*call)(void *argument), void *argument, char *what, size_t size)
{
    static char stack[STACK_SIZE]; /* a call that has used up its stack is caught on another */
    const double limit = *(const double *)ctx;
    struct sigaction before[CAUGHT], action;
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack}, stack_before;
    memset(&action, 0, sizeof action);
    action.sa_handler = catch_signal;
    action.sa_flags = SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaltstack(&alternate, &stack_before);
    for (int i = 0; i < CAUGHT; i++) sigaction(caught[i], &action, &before[i]);
    watch_exit();
    const int number = sigsetjmp(back, 1);
    if (number == 0) {
        inside = 1;
        set_timer(limit);
        call(argument);
    }
    inside = 0;
    set_timer(0);
    for (int i = 0; i < CAUGHT; i++) sigaction(caught[i], &before[i], NULL);
    sigaltstack(&stack_before, NULL);
    if (number == 0) return true;
    const char *text = describe(number);
    if (text) snprintf(what, size, "%s", text);
    else snprintf(what, size, "it did not come back within %.3g s", limit);
    return false;
}
