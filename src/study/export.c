/* A store as a table for other programs: CSV, HDF5. */
#include "study/store.h"
#include "support/file.h"
#include "tables/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const statuses[] = {"ok", "doubtful", "failed"};

/* ---- CSV */

/* Quoted where a comma, a quote or a line break asks for it. */
static void put_cell(fnd_writer *w, const char *text)
{
    bool quoted = strpbrk(text, ",\"\n\r") != NULL;
    if (quoted) fnd_writer_char(w, '"');
    for (; *text; text++) {
        if (*text == '"') fnd_writer_char(w, '"');
        fnd_writer_char(w, *text);
    }
    if (quoted) fnd_writer_char(w, '"');
}

fender_status fender_study_export(const fender_env *env, const char *store, const char *csv, fender_error *error)
{
    fnd_results r;
    fnd_writer w;
    fender_status status = fnd_results_read(&r, env, store, error);
    if (status != FENDER_STATUS_OK) return status;
    status = fnd_writer_open(&w, &env->allocator, csv, 0, error);
    if (status == FENDER_STATUS_OK) {
        fnd_writer_text(&w, "run,status");
        for (int c = 0; c < r.column_count; c++) {
            const fnd_store_column *column = &r.columns[c];
            fnd_writer_char(&w, ',');
            fnd_writer_text(&w, column->name);
            if (!column->unit[0] || strcmp(column->unit, "1") == 0) continue;
            fnd_writer_text(&w, " [");
            fnd_writer_text(&w, column->unit);
            fnd_writer_char(&w, ']');
        }
        fnd_writer_text(&w, ",hash,reason\n");
        for (int64_t i = 0; i < r.rows; i++) {
            char number[32];
            snprintf(number, sizeof number, "%lld,", (long long)r.run[i]);
            fnd_writer_text(&w, number);
            fnd_writer_text(&w, statuses[r.status[i]]);
            for (int c = 0; c < r.column_count; c++) {
                fnd_writer_char(&w, ',');
                if (r.columns[c].texts) put_cell(&w, r.columns[c].texts[i]);
                else if (!isnan(r.columns[c].values[i])) fnd_writer_number(&w, r.columns[c].values[i]);
            }
            fnd_writer_char(&w, ',');
            fnd_writer_text(&w, r.hashes[i]);
            fnd_writer_char(&w, ',');
            put_cell(&w, r.reasons[i]);
            fnd_writer_char(&w, '\n');
        }
        status = fnd_writer_close(&w, false, error);
    }
    fnd_results_release(&r);
    return status;
}

/* ---- HDF5 */

static size_t longest(const char *const *texts, int64_t count)
{
    size_t most = 0;
    for (int64_t i = 0; i < count; i++) {
        size_t length = strlen(texts[i]);
        if (length > most) most = length;
    }
    return most + 1;
}

static fender_status write_rows(fnd_table *table, const fnd_results *r, fender_error *error)
{
    fender_status status = FENDER_STATUS_OK;
    for (int64_t i = 0; i < r->rows && status == FENDER_STATUS_OK; i++) {
        fnd_table_number(table, (double)r->run[i]);
        fnd_table_text(table, statuses[r->status[i]]);
        for (int c = 0; c < r->column_count; c++)
            if (r->columns[c].texts) fnd_table_text(table, r->columns[c].texts[i]);
            else fnd_table_number(table, r->columns[c].values[i]);
        fnd_table_text(table, r->hashes[i]);
        fnd_table_text(table, r->reasons[i]);
        status = fnd_table_end_row(table, error);
    }
    return status;
}

static void write_heads(fnd_table *table, const fnd_results *r)
{
    fnd_table_head(table, "run", "1");
    fnd_table_head_of_texts(table, "status", sizeof "doubtful");
    for (int c = 0; c < r->column_count; c++) {
        const fnd_store_column *column = &r->columns[c];
        if (column->texts) fnd_table_head_of_texts(table, column->name, longest(column->texts, r->rows));
        else fnd_table_head(table, column->name, column->unit);
    }
    fnd_table_head_of_texts(table, "hash", longest(r->hashes, r->rows));
    fnd_table_head_of_texts(table, "reason", longest(r->reasons, r->rows));
}

fender_status fender_study_export_hdf5(const fender_env *env, const char *store, const char *file, fender_error *error)
{
    fnd_results r;
    fnd_table table;
    fender_error unused = {0}; /* of a second failure */
    fender_status status = fnd_results_read(&r, env, store, error);
    if (status != FENDER_STATUS_OK) return status;
    fnd_store_about about = {.format = "fender-study", .title = r.title, .study = r.text, .study_hash = r.hash};
    fender_error own = {0}, *first = error ? error : &own;
    fnd_store *base = fnd_store_open(&env->allocator, file, &about, false, first);
    if (!base) {
        fnd_results_release(&r);
        return first->status;
    }
    status = fnd_table_open_in(&table, base, "runs", NULL, error);
    if (status == FENDER_STATUS_OK) {
        write_heads(&table, &r);
        status = fnd_table_end_header(&table, error);
        if (status == FENDER_STATUS_OK) status = fnd_store_start(base, error);
        if (status == FENDER_STATUS_OK) status = write_rows(&table, &r, error);
        fender_status closed = fnd_table_close(&table, status == FENDER_STATUS_OK ? error : &unused);
        if (status == FENDER_STATUS_OK) status = closed;
    }
    fender_status closed = fnd_store_close(base, NULL, status == FENDER_STATUS_OK ? error : &unused);
    fnd_results_release(&r);
    return status == FENDER_STATUS_OK ? closed : status;
}
