/* Runs that a host steps: begin, step, advance, command, finish; and the repetition of what it did. */
#include "run/host.h"

#include "run/directory.h"
#include "run/run.h"
#include "support/file.h"
#include "support/io_error.h"
#include "support/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the file */

static const char stop_name[] = "advance_to";

static fender_status open_log(fender_run *run, fender_error *error)
{
    fnd_host_log *log = &run->host;
    if (log->table.open || !run->directory_ready) return FENDER_STATUS_OK;
    fnd_table_location location = {&run->env, run->directory, FND_FILE_COMMANDS, NULL};
    size_t row_size = (2 + FENDER_COMMAND_CAPACITY) * FND_TABLE_NUMBER_SIZE +
                      FND_TABLE_TEXT_SIZE(sizeof log->rows->name);
    fender_status status = fnd_table_open_at(&log->table, &location, row_size, log->mark.rows > 0 ? &log->mark : NULL,
                                             error);
    if (status != FENDER_STATUS_OK) return status;
    fnd_table_head(&log->table, "time", "s");
    fnd_table_head_of_texts(&log->table, "command", sizeof log->rows->name);
    for (int i = 0; i < FENDER_COMMAND_CAPACITY; i++) {
        char name[24];
        snprintf(name, sizeof name, "value_%d", i);
        fnd_table_head(&log->table, name, "");
    }
    status = fnd_table_end_header(&log->table, error);
    if (status != FENDER_STATUS_OK) fnd_table_close(&log->table, NULL);
    return status;
}

static fender_status write_row(fender_run *run, const char *name, const double *values, int count, fender_error *error)
{
    fender_status status = open_log(run, error);
    fnd_table *table = &run->host.table;
    if (status != FENDER_STATUS_OK || !table->open) return status;
    fnd_table_number(table, run->instant.time);
    fnd_table_text(table, name);
    for (int i = 0; i < FENDER_COMMAND_CAPACITY; i++) fnd_table_number(table, i < count ? values[i] : 0);
    return fnd_table_end_row(table, error);
}

fender_status fnd_host_log_sync(fnd_host_log *log, fender_error *error)
{
    return log->table.open ? fnd_table_sync(&log->table, &log->mark, error) : FENDER_STATUS_OK;
}

/* "TIME,NAME,VALUE,.." */
static bool read_row(const char *line, size_t length, fnd_host_row *row)
{
    size_t used, at;
    if (fnd_number_read(line, length, &row->time, &used) != FND_NUMBER_OK || used >= length || line[used] != ',')
        return false;
    at = used + 1;
    const char *comma = memchr(line + at, ',', length - at);
    if (!comma || (size_t)(comma - line) - at >= sizeof row->name) return false;
    memset(row->name, 0, sizeof row->name);
    memcpy(row->name, line + at, (size_t)(comma - line) - at);
    at = (size_t)(comma - line);
    for (int i = 0; i < FENDER_COMMAND_CAPACITY; i++) {
        if (at >= length || line[at] != ',') return false;
        if (fnd_number_read(line + at + 1, length - at - 1, &row->values[i], &used) != FND_NUMBER_OK) return false;
        at += used + 1;
    }
    return at == length;
}

static fender_status read_rows(fnd_host_log *log, const fnd_file *file, const char *path, fender_error *error)
{
    const char *at = strchr(file->text, '\n');
    for (int line = 2; at; line++) {
        const char *begin = at + 1;
        at = strchr(begin, '\n');
        if (!at) break; /* a killed run has left a row without its end */
        fnd_host_row *row = &log->rows[log->count];
        if (!read_row(begin, (size_t)(at - begin), row) || (log->count > 0 && row->time < row[-1].time))
            return FND_IO_FAIL(error, .status = FENDER_STATUS_PARSE, .source = path, .line = line, .column = 1,
                               .message = "this is not a row of commands",
                               .expected = "time,command,values in the order of time",
                               .suggestion = "repeat the run that wrote this directory");
        log->count++;
    }
    return FENDER_STATUS_OK;
}

fender_status fnd_host_log_read(fnd_host_log *log, const fender_env *env, const char *directory, fender_error *error)
{
    const fender_allocator *allocator = &env->allocator;
    size_t size;
    fnd_file file;
    if (!fnd_directory_holds(directory, FND_FILE_COMMANDS)) return FENDER_STATUS_OK;
    char *path = fnd_directory_path(allocator, directory, FND_FILE_COMMANDS, &size);
    if (!path) return fnd_io_fail_memory(error, "the path of a file");
    fender_status status = fnd_file_read(allocator, path, (size_t)256 << 20, FND_FILE_TEXT, &file, error);
    if (status == FENDER_STATUS_OK) {
        log->capacity = 1;
        for (size_t i = 0; i < file.length; i++) log->capacity += file.text[i] == '\n';
        log->rows = allocator->allocate(allocator->ctx, log->capacity * sizeof *log->rows, _Alignof(fnd_host_row));
        status = log->rows ? read_rows(log, &file, path, error) : fnd_io_fail_memory(error, "commands to repeat");
        fnd_file_release(allocator, &file);
    }
    allocator->release(allocator->ctx, path, size);
    return status;
}

void fnd_host_log_release(fnd_host_log *log, const fender_env *env)
{
    if (log->rows) env->allocator.release(env->allocator.ctx, log->rows, log->capacity * sizeof *log->rows);
    log->rows = NULL;
    log->count = 0;
}

/* ---- acting and repeating */

/* Sets a command, or notes a stop (command NULL), and writes it down. */
static fender_status act(fender_run *run, const fender_command *command, const double *values, fender_error *error)
{
    if (command) {
        fender_status status = fender_command_set(run->world, command, values, error);
        return status ? status : write_row(run, command->name, values, command->count, error);
    }
    run->host.limit = values[0];
    return write_row(run, stop_name, values, 1, error);
}

fender_status fnd_host_repeat(fender_run *run, fender_error *error)
{
    fnd_host_log *log = &run->host;
    for (; log->at < log->count && log->rows[log->at].time <= run->instant.time; log->at++) {
        const fnd_host_row *row = &log->rows[log->at];
        fender_command command;
        if (strcmp(row->name, stop_name) == 0) {
            log->limit = row->values[0];
            continue;
        }
        fender_status status = fender_command_find(run->world, row->name, &command, error);
        if (status == FENDER_STATUS_OK) status = act(run, &command, row->values, error);
        if (status != FENDER_STATUS_OK) return status;
    }
    if (log->limit <= run->instant.time) log->limit = INFINITY;
    return FENDER_STATUS_OK;
}

/* ---- the calls of a host */

static fender_status refuse(fender_error *error, fender_status status, const char *message, const char *expected)
{
    return FND_IO_FAIL(error, .status = status, .message = message, .expected = expected);
}

/* Begins it with the first call. */
static fender_status ready(fender_run *run, fender_error *error)
{
    if (!run) return refuse(error, FENDER_STATUS_ARGUMENT, "a run is needed", "a pointer that is not NULL");
    if (run->phase == FND_RUN_CLOSED)
        return refuse(error, FENDER_STATUS_STATE, "the run is finished", "a run before fender_run_finish");
    if (run->phase == FND_RUN_CREATED) fnd_run_begin(run);
    return fnd_run_status(run, error);
}

fender_status fender_run_open(fender_run *run, fender_error *error)
{
    if (run) run->hosted = true;
    return ready(run, error);
}

fender_status fender_run_step(fender_run *run, bool *more, fender_error *error)
{
    fender_status status = ready(run, error);
    if (status == FENDER_STATUS_OK && !run->last) {
        fnd_run_go(run);
        status = fnd_run_status(run, error);
    }
    if (more) *more = run && status == FENDER_STATUS_OK && !run->last;
    return status;
}

fender_status fender_run_advance_to(fender_run *run, double time, bool *more, fender_error *error)
{
    if (more) *more = false;
    fender_status status = ready(run, error);
    if (status != FENDER_STATUS_OK) return status;
    if (!isfinite(time) || time < run->instant.time)
        return refuse(error, FENDER_STATUS_VALUE, "a run advances to a time at or after the present one",
                      "a finite time that is not past");
    if (!run->last && time > run->instant.time) status = act(run, NULL, &time, error);
    while (status == FENDER_STATUS_OK && !run->last && !fnd_run_is_at(run, time)) {
        fnd_run_go(run);
        status = fnd_run_status(run, error);
    }
    run->host.limit = INFINITY;
    if (more) *more = status == FENDER_STATUS_OK && !run->last;
    return status;
}

fender_status fender_run_set_command(fender_run *run, const fender_command *command, const double *values,
                                     fender_error *error)
{
    if (!command || !values)
        return refuse(error, FENDER_STATUS_ARGUMENT, "a command and values are needed", "pointers that are not NULL");
    fender_status status = ready(run, error);
    if (status != FENDER_STATUS_OK) return status;
    if (run->last) return refuse(error, FENDER_STATUS_STATE, "the run has come to its end", "a run that goes on");
    return act(run, command, values, error);
}
