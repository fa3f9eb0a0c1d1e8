/* A store read back, with every row checked. */
#ifdef FENDER_WITH_SQLITE
#include "study/stop.h"
#include "study/store_base.h"

#include "support/io_error.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *keep_text(fnd_arena *arena, const char *text)
{
    if (!text || !text[0]) return "";
    const char *copy = fnd_arena_copy(arena, text, strlen(text));
    return copy ? copy : "";
}

static const char *cell_text(sqlite3_stmt *s, int column) { return (const char *)sqlite3_column_text(s, column); }

static bool read_facts(fnd_results *r, sqlite3 *base)
{
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(base, "SELECT name, value FROM study", -1, &s, NULL);
    if (code == SQLITE_OK)
        while ((code = sqlite3_step(s)) == SQLITE_ROW) {
            const char *name = cell_text(s, 0), *value = keep_text(&r->arena, cell_text(s, 1));
            if (!name) continue;
            if (strcmp(name, "title") == 0) r->title = value;
            if (strcmp(name, "version") == 0) r->version = value;
            if (strcmp(name, "hash") == 0) r->hash = value;
            if (strcmp(name, "text") == 0) r->text = value;
            if (strcmp(name, "design") == 0) r->design = value;
            if (strcmp(name, "stop") == 0) r->stop = value;
            if (strcmp(name, "runs") == 0) r->runs = strtoll(value, NULL, 10);
        }
    sqlite3_finalize(s);
    return code == SQLITE_DONE;
}

/* -1 when it fails. */
static int64_t count_of(sqlite3 *base, const char *sql)
{
    sqlite3_stmt *s = NULL;
    int64_t count = sqlite3_prepare_v2(base, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW
                        ? sqlite3_column_int64(s, 0)
                        : -1;
    sqlite3_finalize(s);
    return count;
}

static bool read_columns(fnd_results *r, sqlite3 *base)
{
    sqlite3_stmt *s = NULL;
    int i = 0,
        code = sqlite3_prepare_v2(base, "SELECT kind, name, unit, detail FROM columns ORDER BY position", -1, &s, NULL);
    if (code == SQLITE_OK)
        for (; (code = sqlite3_step(s)) == SQLITE_ROW && i < r->column_count; i++) {
            const char *kind = cell_text(s, 0);
            r->columns[i] = (fnd_store_column){kind && strcmp(kind, "input") == 0  ? FND_COLUMN_INPUT
                                               : kind && strcmp(kind, "kept") == 0 ? FND_COLUMN_KEPT
                                                                                   : FND_COLUMN_OUTCOME,
                                               keep_text(&r->arena, cell_text(s, 1)),
                                               keep_text(&r->arena, cell_text(s, 2)),
                                               keep_text(&r->arena, cell_text(s, 3)),
                                               FND_ARENA_NEW_ARRAY(&r->arena, double, (size_t)r->rows),
                                               NULL,
                                               NULL};
        }
    sqlite3_finalize(s);
    return code == SQLITE_DONE && i == r->column_count;
}

static void take_row(fnd_results *r, sqlite3_stmt *s, int64_t i)
{
    const char *status = cell_text(s, 1);
    r->status[i] = !status || strcmp(status, "ok") == 0 ? FND_ROW_OK
                   : strcmp(status, "failed") == 0      ? FND_ROW_FAILED
                                                        : FND_ROW_DOUBTFUL;
    r->reasons[i] = keep_text(&r->arena, cell_text(s, 2));
    r->hashes[i] = keep_text(&r->arena, cell_text(s, 3));
    for (int c = 0; c < r->column_count; c++) {
        const int at = c + FND_COLUMNS_BEFORE, type = sqlite3_column_type(s, at);
        fnd_store_column *column = &r->columns[c];
        column->values[i] = type == SQLITE_FLOAT || type == SQLITE_INTEGER ? sqlite3_column_double(s, at) : (double)NAN;
        if (type == SQLITE_TEXT && !column->texts) {
            column->texts = FND_ARENA_NEW_ARRAY(&r->arena, const char *, (size_t)r->rows);
            for (int64_t k = 0; column->texts && k < r->rows; k++) column->texts[k] = "";
        }
        if (column->texts) column->texts[i] = keep_text(&r->arena, cell_text(s, at));
    }
}

static fender_status read_rows(fnd_results *r, sqlite3 *base, const char *path, fender_error *error)
{
    sqlite3_stmt *s = NULL;
    fender_status status = FENDER_STATUS_OK;
    if (sqlite3_prepare_v2(base, "SELECT * FROM runs ORDER BY run", -1, &s, NULL) != SQLITE_OK)
        return fnd_base_fail(path, base, error);
    int64_t i = 0, run = -1;
    while (!r->arena.failed && fnd_base_next_row(s, path, &run, &status, error) == SQLITE_ROW && i < r->rows) {
        r->run[i] = run;
        take_row(r, s, i++);
    }
    if (status == FENDER_STATUS_OK && !r->arena.failed && i != r->rows)
        status = fnd_base_fail_damaged(path, "fewer rows than it counts", error);
    sqlite3_finalize(s);
    return status;
}

/* Texts that are numbers have an order. */
static void read_numbers(fnd_results *r)
{
    fnd_quantity kind;
    for (int c = 0; c < r->column_count && !r->arena.failed; c++) {
        fnd_store_column *column = &r->columns[c];
        double *numbers = column->texts ? FND_ARENA_NEW_ARRAY(&r->arena, double, (size_t)r->rows) : NULL;
        if (numbers && fnd_study_numbers(column->texts, r->rows, numbers, &kind)) column->numbers = numbers;
    }
}

static fender_status read_all(fnd_results *r, sqlite3 *base, const char *path, fender_error *error)
{
    if (!fnd_base_execute(base, "BEGIN")) return fnd_base_fail(path, base, error);
    fender_status status = fnd_base_check_head(base, path, error);
    if (status != FENDER_STATUS_OK) return status;
    /* Each call forgets why the one before it failed. */
    if ((r->rows = count_of(base, "SELECT count(*) FROM runs")) < 0) return fnd_base_fail(path, base, error);
    if ((r->column_count = (int)count_of(base, "SELECT count(*) FROM columns")) < 0)
        return fnd_base_fail(path, base, error);
    if (!read_facts(r, base)) return fnd_base_fail(path, base, error);
    size_t rows = (size_t)r->rows;
    r->columns = FND_ARENA_NEW_ARRAY(&r->arena, fnd_store_column, (size_t)r->column_count);
    r->run = FND_ARENA_NEW_ARRAY(&r->arena, int64_t, rows);
    r->status = FND_ARENA_NEW_ARRAY(&r->arena, int, rows);
    r->reasons = FND_ARENA_NEW_ARRAY(&r->arena, const char *, rows);
    r->hashes = FND_ARENA_NEW_ARRAY(&r->arena, const char *, rows);
    if (!r->arena.failed && !read_columns(r, base)) return fnd_base_fail(path, base, error);
    if (!r->arena.failed) status = read_rows(r, base, path, error);
    if (status == FENDER_STATUS_OK) read_numbers(r);
    return r->arena.failed ? fnd_io_fail_memory(error, "a store") : status;
}

fender_status fnd_results_read(fnd_results *r, const fender_env *env, const char *path, fender_error *error)
{
    memset(r, 0, sizeof *r);
    r->arena = fnd_arena_open(&env->allocator, (size_t)1 << 20);
    r->title = r->version = r->hash = r->text = r->design = r->stop = "";
    sqlite3 *base = fnd_base_open(path, FND_BASE_READ, error);
    if (!base) return FENDER_STATUS_FILE;
    fender_status status = read_all(r, base, path, error);
    sqlite3_close(base);
    if (status != FENDER_STATUS_OK) fnd_results_release(r);
    return status;
}

void fnd_results_release(fnd_results *r) { fnd_arena_close(&r->arena); }

/* A stop that is reached makes a store complete: what follows it is no run of the study. */
static fender_status count_to_stop(const fender_env *env, const char *store, fender_study_counts *counts,
                                   fender_error *error)
{
    fnd_results r;
    fender_status status = fnd_results_read(&r, env, store, error);
    if (status != FENDER_STATUS_OK) return status;
    const int64_t total = fnd_results_total(&r);
    if (total < counts->runs) *counts = (fender_study_counts){total, total, -1};
    fnd_results_release(&r);
    return FENDER_STATUS_OK;
}

fender_status fender_study_count(const fender_env *env, const char *store, fender_study_counts *counts,
                                 fender_error *error)
{
    *counts = (fender_study_counts){.first_missing = -1};
    char runs[24] = "";
    int64_t run = -1, expected = 0;
    sqlite3_stmt *s = NULL;
    if (!fnd_io_env_usable(env, error)) return FENDER_STATUS_ARGUMENT;
    sqlite3 *base = fnd_base_open(store, FND_BASE_READ, error);
    if (!base) return FENDER_STATUS_FILE;
    fender_status status = fnd_base_check_head(base, store, error);
    if (status == FENDER_STATUS_OK &&
        (!fnd_base_fact(base, "runs", runs, sizeof runs) ||
         sqlite3_prepare_v2(base, "SELECT * FROM runs ORDER BY run", -1, &s, NULL) != SQLITE_OK))
        status = fnd_base_fail(store, base, error);
    counts->runs = strtoll(runs, NULL, 10);
    while (s && fnd_base_next_row(s, store, &run, &status, error) == SQLITE_ROW) {
        if (run != expected && counts->first_missing < 0) counts->first_missing = expected;
        expected = run + 1;
        counts->rows += run < counts->runs;
    }
    if (counts->first_missing < 0 && counts->rows < counts->runs) counts->first_missing = expected;
    char stop[FND_STOP_TEXT] = "";
    const bool stops = status == FENDER_STATUS_OK && fnd_base_fact(base, "stop", stop, sizeof stop) && stop[0];
    sqlite3_finalize(s);
    sqlite3_close(base);
    return stops && counts->first_missing >= 0 ? count_to_stop(env, store, counts, error) : status;
}
#else
typedef int fnd_results_is_empty; /* a source holds at least a declaration */
#endif
