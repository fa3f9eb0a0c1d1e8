/* Calls of foreign code: crashes, aborts, hangs and lack of stack come back as sentences; what works is untouched. */
#include "check.h"

#include "../../apps/fender/guard.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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

static void exits(void *argument) { exit(*(int *)argument); }

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

/* A success that code of others declares is none; outside of it, the program exits as it likes. */
static void exit_is_a_failure(void **state)
{
    (void)state;
    for (int guarded = 0; guarded < 2; guarded++) {
        int ends[2], ended = 0;
        char said[300] = "";
        assert_int_equal(pipe(ends), 0);
        const pid_t child = fork();
        if (child == 0) {
            const double limit = 1;
            int code = 0, count = 0;
            char what[200];
            dup2(ends[1], STDERR_FILENO);
            (void)fnd_app_guard((void *)(uintptr_t)&limit, works, &count, what, sizeof what);
            if (!guarded) exit(0);
            (void)fnd_app_guard((void *)(uintptr_t)&limit, exits, &code, what, sizeof what);
        }
        assert_true(child > 0);
        close(ends[1]);
        assert_true(read(ends[0], said, sizeof said - 1) >= 0);
        close(ends[0]);
        assert_int_equal(waitpid(child, &ended, 0), child);
        assert_true(WIFEXITED(ended));
        assert_int_equal(WEXITSTATUS(ended), guarded);
        assert_int_equal(strstr(said, "has ended the program") != NULL, guarded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(comes_back), cmocka_unit_test(exit_is_a_failure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
