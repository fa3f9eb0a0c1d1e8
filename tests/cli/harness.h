/* Runs the program in this process or in a child, in a folder of its own, and keeps what it printed. */
#ifndef TEST_CLI_HARNESS_H
#define TEST_CLI_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"

typedef struct outcome {
    int code;
    char out[65536], err[65536];
} outcome;

static inline void harness_enter_folder(char folder[64])
{
    strcpy(folder, "/tmp/fender-cli-XXXXXX");
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
}

static inline void harness_leave_folder(const char *folder)
{
    char command[128];
    assert_int_equal(chdir("/"), 0);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

static inline void harness_write(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Reads at most size - 1 bytes of a file; returns the length, or -1 when it cannot be opened. */
static inline long harness_read(const char *name, char *text, size_t size)
{
    FILE *file = fopen(name, "r");
    if (file == NULL) return -1;
    size_t length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    fclose(file);
    return (long)length;
}

/* Copies a file of tests/cli/inputs into the working folder. */
static inline void harness_copy_input(const char *name)
{
    static char text[65536];
    char path[512];
    snprintf(path, sizeof path, "%s/tests/cli/inputs/%s", FENDER_SOURCE_DIR, name);
    assert_true(harness_read(path, text, sizeof text) > 0);
    harness_write(name, text);
}

static inline int harness_redirect(int descriptor, const char *name)
{
    int kept = dup(descriptor), file = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    assert_true(kept >= 0 && file >= 0);
    assert_int_equal(dup2(file, descriptor), descriptor);
    close(file);
    return kept;
}

/* Words are separated by single spaces. */
static inline void harness_run_with(const fender_env *env, const char *line, outcome *result)
{
    char words[512], *argv[32];
    int argc = 0;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word != NULL && argc < 31; word = strtok(NULL, " ")) argv[argc++] = word;
    argv[argc] = NULL;
    fflush(NULL);
    int out = harness_redirect(1, ".out"), err = harness_redirect(2, ".err");
    result->code = fender_program_main(argc, argv, env);
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    harness_read(".out", result->out, sizeof result->out);
    harness_read(".err", result->err, sizeof result->err);
}

static inline void harness_run(const char *line, outcome *result)
{
    fender_env env = fender_env_default();
    harness_run_with(&env, line, result);
}

#endif
