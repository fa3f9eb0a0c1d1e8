/* Rows of hashes.csv: time, step, hash in 16 hexadecimal digits. */
#include "run/hashes.h"

#include "run/directory.h"
#include "run/table_place.h"
#include "support/fault.h"
#include "support/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- writing */

fender_status fnd_hash_log_open(fnd_hash_log *log, const fender_env *env, const char *directory, int64_t period,
                                bool go_on, fender_error *error)
{
    fnd_table_place place = {env, directory, FND_FILE_HASHES, NULL};
    if (!go_on) *log = (fnd_hash_log){.intervals = -1, .last_time = NAN};
    log->period = period;
    fender_status status = fnd_table_open_at(&log->table, &place, 4 * FND_TABLE_NUMBER_SIZE, go_on ? &log->mark : NULL,
                                             error);
    if (status != FENDER_STATUS_OK) return status;
    fnd_table_head(&log->table, "time", "s");
    fnd_table_head(&log->table, "step", "");
    fnd_table_head(&log->table, "hash", "");
    return fnd_table_end_header(&log->table, error);
}

fender_status fnd_hash_log_follow(fnd_hash_log *log, const fnd_moment *moment, bool last, fender_error *error)
{
    char text[32];
    int64_t intervals = moment->step / log->period;
    if (moment->time == log->last_time || (!last && intervals == log->intervals)) return FENDER_STATUS_OK;
    log->intervals = intervals;
    log->last_time = moment->time;
    fnd_table_number(&log->table, moment->time);
    fnd_table_number(&log->table, (double)moment->step);
    snprintf(text, sizeof text, "%016" PRIx64, fender_world_hash(moment->world));
    fnd_table_text(&log->table, text);
    return fnd_table_end_row(&log->table, error);
}

/* ---- comparing */

static bool read_hash(const char *text, uint64_t *hash)
{
    static const char digits[] = "0123456789abcdef";
    *hash = 0;
    for (int i = 0; i < 16; i++) {
        const char *digit = text[i] ? strchr(digits, text[i]) : NULL;
        if (!digit) return false;
        *hash = *hash << 4 | (uint64_t)(digit - digits);
    }
    return text[16] == '\n' || text[16] == '\0';
}

/* TIME,STEP,HASH */
static bool read_row(const char *line, size_t length, fnd_hash_row *row)
{
    double step;
    size_t used;
    static const double largest = 9e15;
    const char *first = memchr(line, ',', length);
    const char *second = first ? memchr(first + 1, ',', length - (size_t)(first + 1 - line)) : NULL;
    if (!second || length - (size_t)(second + 1 - line) != 16 || !read_hash(second + 1, &row->hash)) return false;
    size_t width = (size_t)(first - line);
    if (fnd_number_read(line, width, &row->time, &used) != FND_NUMBER_OK || used != width) return false;
    width = (size_t)(second - first) - 1;
    if (fnd_number_read(first + 1, width, &step, &used) != FND_NUMBER_OK || used != width) return false;
    row->step = (int64_t)step;
    return step >= 0 && step < largest;
}

static fender_status fail_line(fender_error *error, const char *path, int line)
{
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_PARSE,
                                             .source = path,
                                             .line = line,
                                             .column = 1,
                                             .message = "this is no row of hashes",
                                             .expected = "time,step,hash in the order of time",
                                             .suggestion = "repeat the run that wrote this directory"});
}

/* A row that a killed run has left without its end is not read. */
static fender_status read_rows(fnd_hash_check *check, const fnd_file *file, const char *path, fender_error *error)
{
    const char *at = strchr(file->text, '\n');
    for (int line = 2; at; line++) {
        const char *begin = at + 1;
        at = strchr(begin, '\n');
        if (!at) break;
        fnd_hash_row *row = &check->rows[check->count];
        if (!read_row(begin, (size_t)(at - begin), row) || (check->count > 0 && row->time <= row[-1].time))
            return fail_line(error, path, line);
        check->count++;
    }
    if (check->count > 0) return FENDER_STATUS_OK;
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_FILE,
                                             .source = path,
                                             .message = "there are no hashes to compare with",
                                             .found = "a file without rows",
                                             .expected = "a row for the start at least",
                                             .suggestion = "run the scenario again (fender run)"});
}

fender_status fnd_hash_check_read(fnd_hash_check *check, const fender_env *env, const char *directory,
                                  fender_error *error)
{
    const fender_allocator *allocator = &env->allocator;
    size_t size;
    fnd_file file;
    memset(check, 0, sizeof *check);
    char *path = fnd_directory_path(allocator, directory, FND_FILE_HASHES, &size);
    if (!path) return fnd_io_fail_memory(error, "the path of a file");
    fender_status status = fnd_file_read(allocator, path, (size_t)256 << 20, FND_FILE_TEXT, &file, error);
    if (status == FENDER_STATUS_OK) {
        check->capacity = 1;
        for (size_t i = 0; i < file.length; i++) check->capacity += file.text[i] == '\n';
        check->rows = allocator->allocate(allocator->ctx, check->capacity * sizeof *check->rows,
                                          _Alignof(fnd_hash_row));
        status = check->rows ? read_rows(check, &file, path, error)
                             : fnd_io_fail_memory(error, "hashes to compare with");
        fnd_file_release(allocator, &file);
    }
    allocator->release(allocator->ctx, path, size);
    if (status != FENDER_STATUS_OK) fnd_hash_check_release(check, env);
    return status;
}

void fnd_hash_check_release(fnd_hash_check *check, const fender_env *env)
{
    if (check->rows) env->allocator.release(env->allocator.ctx, check->rows, check->capacity * sizeof *check->rows);
    check->rows = NULL;
    check->count = 0;
}

bool fnd_hash_check_follow(fnd_hash_check *check, const fnd_moment *moment)
{
    const fnd_hash_row *row = &check->rows[check->at];
    if (check->at < check->count && row->time <= moment->time) {
        check->differs = row->time != moment->time || row->hash != fender_world_hash(moment->world);
        if (check->differs) return false;
        check->at++;
    }
    return check->at < check->count;
}
