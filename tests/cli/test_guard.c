/* Calls of foreign code: crashes, aborts, hangs and lack of stack come back as sentences; what works is untouched. */
#include "check.h"

#include "../../apps/fender/guard.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void works(void *argument) { ++*(int *)argument; }
static void crashes(void *argument)
{
    (void)argument;
    raise(SIGSEGV);
}
static void aborts(void *argument)
{
    (void)argument;
    abort();
}
static void hangs(void *argument)
{
    (void)argument;
    for (;;) pause();
}

static void comes_back(void **state)
{
    (void)state;
    const double limit = 0.1;
    const struct {
        void (*call)(void *);
        const char *what;
    } cases[] = {{crashes, "memory that is not its own"},
                 {aborts, "aborted"},
                 {hangs, "did not come back within 0.1 s"},
                 {crashes, "memory that is not its own"}};
    int count = 0;
    char what[200];
    for (int i = 0; i < 4; i++) {
        what[0] = '\0';
        assert_false(fnd_app_guard((void *)(uintptr_t)&limit, cases[i].call, NULL, what, sizeof what));
        assert_non_null(strstr(what, cases[i].what));
        assert_true(fnd_app_guard((void *)(uintptr_t)&limit, works, &count, what, sizeof what));
    }
    assert_int_equal(count, 4);
    /* the signals are those of the program again */
    struct sigaction now;
    sigaction(SIGALRM, NULL, &now);
    assert_true(now.sa_handler == SIG_DFL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(comes_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
