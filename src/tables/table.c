/* The formats of tables, and the life of one that is written: whole rows only, in files of rows of bytes and in groups
 * of HDF5 files. */
#include "tables/table.h"

#include "support/clock.h"
#include "support/io_error.h"
#include "support/number.h"
#include "tables/csv.h"
#include "tables/trk.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(FND_TABLE_NUMBER_SIZE > FND_NUMBER_SIZE, "a number and its comma fit");

static const double flush_interval = 1; /* s, wall; longer where it would take more than this part of the time: */
static const double flush_share = 0.02;

/* ---- formats */

/* In the order of looking: the last one fits everything. */
static const fnd_table_format *const formats[] = {&fnd_hdf5_format, &fnd_trk_format, &fnd_csv_format};

const fnd_table_format *fnd_table_format_at(int index)
{
    assert(index >= 0);
    return index < (int)(sizeof formats / sizeof formats[0]) ? formats[index] : NULL;
}

const fnd_table_format *fnd_table_format_of_name(const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        for (int k = 0; k < 2 && formats[i]->endings[k]; k++) {
            size_t end = strlen(formats[i]->endings[k]);
            if (length > end && strcmp(name + length - end, formats[i]->endings[k]) == 0) return formats[i];
        }
    return NULL;
}

/* ---- failure */

/* Cuts the file behind its last whole row and counts what is left: a write that failed may have left half a row. */
static void keep_whole_rows(fnd_table *table)
{
    struct stat about;
    const int64_t from = (int64_t)table->bytes_in_file;
    table->rows = table->rows_in_file;
    if (!table->format->keep) return;
    int descriptor = open(table->writer.name, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return;
    if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > from) {
        int64_t kept = table->format->keep(table, descriptor, from, (int64_t)about.st_size - from);
        assert(kept >= 0 && kept <= (int64_t)about.st_size - from);
        /* Where even this fails half a row stays; readers of CSV files skip it. */
        if (from + kept < (int64_t)about.st_size && ftruncate(descriptor, (off_t)(from + kept)) != 0)
            table->failed = true;
    }
    close(descriptor);
}

static fender_status fail(fnd_table *table, fender_error *error)
{
    const fender_error *cause = &table->writer.error;
    char suggestion[320];
    if (!table->failed && table->bytes_in_file > 0) keep_whole_rows(table);
    if (table->sheet) table->rows = table->rows_in_file;
    table->failed = true;
    snprintf(suggestion, sizeof suggestion, "%.200s; the %lld %s before this can be read", cause->suggestion,
             (long long)table->rows, table->rows == 1 ? "row" : "rows");
    return FND_IO_FAIL(error, .status = cause->status, .source = cause->source, .message = cause->message,
                       .found = cause->found, .expected = cause->expected,
                       .suggestion = table->bytes_in_file > 0 || table->rows_in_file > 0 ? suggestion
                                                                                         : cause->suggestion);
}

static bool flush(fnd_table *table)
{
    double begin = fnd_wall_time();
    if (!table->format->flush(table, false)) return false;
    table->rows_in_file = table->rows;
    table->bytes_in_file = table->writer.written;
    double end = fnd_wall_time(), interval = (end - begin) / flush_share;
    table->next_flush = end + (interval > flush_interval ? interval : flush_interval);
    return true;
}

/* ---- life */

fender_status fnd_table_open_in(fnd_table *table, fnd_store *store, const char *group, const fnd_table_mark *from,
                                fender_error *error)
{
    memset(table, 0, sizeof *table);
    table->format = &fnd_hdf5_format;
    table->sheet = fnd_sheet_open(store, group, from ? from->rows : -1, error);
    if (!table->sheet) return FENDER_STATUS_MEMORY;
    table->open = true;
    table->rows = table->rows_in_file = from ? from->rows : 0;
    return FENDER_STATUS_OK;
}

/* A file of its own: the group has its name without the ending. */
static fender_status open_alone(fnd_table *table, const fender_allocator *allocator, const char *path,
                                const fnd_table_mark *from, fender_error *error)
{
    char group[256];
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    snprintf(group, sizeof group, "%.*s", (int)(strrchr(name, '.') - name), name);
    fender_error unused, cause;
    memset(&unused, 0, sizeof unused);
    memset(&cause, 0, sizeof cause);
    fnd_store *store = fnd_store_open(allocator, path, NULL, from != NULL, error ? error : &cause);
    if (!store) return error ? error->status : cause.status;
    fender_status status = fnd_table_open_in(table, store, group, from, error);
    if (status == FENDER_STATUS_OK) table->store = store;
    else fnd_store_close(store, NULL, &unused);
    return status;
}

fender_status fnd_table_open(fnd_table *table, const fender_allocator *allocator, const char *path, size_t row_size,
                             const fnd_table_mark *from, fender_error *error)
{
    memset(table, 0, sizeof *table);
    const fnd_table_format *format = fnd_table_format_of_name(path);
    if (format == &fnd_hdf5_format) return open_alone(table, allocator, path, from, error);
    table->format = format ? format : &fnd_csv_format;
    table->row_size = row_size + 2;
    table->row = allocator->allocate(allocator->ctx, table->row_size, 1);
    if (!table->row) return fnd_io_fail_memory(error, "the rows of a table");
    fender_status status = from ? fnd_writer_reopen(&table->writer, allocator, path, 0, from->bytes, error)
                                : fnd_writer_open(&table->writer, allocator, path, 0, error);
    if (status != FENDER_STATUS_OK) {
        allocator->release(allocator->ctx, table->row, table->row_size);
        return status;
    }
    table->open = true;
    if (!from) return status;
    table->has_header = true;
    table->rows = table->rows_in_file = from->rows;
    table->bytes_in_file = from->bytes;
    return status;
}

fender_status fnd_table_sync(fnd_table *table, fnd_table_mark *mark, fender_error *error)
{
    if (table->failed || !flush(table) || !table->format->flush(table, true)) return fail(table, error);
    *mark = (fnd_table_mark){table->rows, table->bytes_in_file};
    return FENDER_STATUS_OK;
}

static fender_status close_sheet(fnd_table *table, fender_error *error)
{
    fender_error *own = &table->writer.error;
    bool failed = table->failed;
    bool closed = fnd_sheet_close(table->sheet, failed, own) == FENDER_STATUS_OK;
    if (closed && !failed) table->rows_in_file = table->rows;
    if (table->store) closed = fnd_store_close(table->store, NULL, own) == FENDER_STATUS_OK && closed;
    table->open = false;
    return closed && !failed ? FENDER_STATUS_OK : fail(table, error);
}

fender_status fnd_table_close(fnd_table *table, fender_error *error)
{
    fender_status status = FENDER_STATUS_OK;
    if (!table->open) return status;
    if (table->sheet) return close_sheet(table, error);
    if (table->failed || !flush(table)) status = fail(table, error);
    fender_allocator allocator = table->writer.allocator;
    fender_error unused; /* of a second failure */
    memset(&unused, 0, sizeof unused);
    fender_status closed = fnd_writer_close(&table->writer, false, status == FENDER_STATUS_OK ? error : &unused);
    if (status == FENDER_STATUS_OK) status = closed;
    allocator.release(allocator.ctx, table->row, table->row_size);
    table->open = false;
    return status;
}

/* ---- rows */

bool fnd_table_flush_rows(fnd_table *table, bool sync)
{
    return sync ? fnd_writer_sync(&table->writer) : fnd_writer_flush(&table->writer);
}

bool fnd_table_take_row(fnd_table *table)
{
    fnd_writer *writer = &table->writer;
    size_t used = table->used;
    assert(used <= table->row_size);
    table->used = 0;
    /* A buffer that is handed over in the middle of a row would leave half of it in the file of a killed program. */
    if (used > writer->capacity - writer->used && !flush(table)) return false;
    return fnd_writer_bytes(writer, table->row, used);
}

void fnd_table_number(fnd_table *table, double value) { table->format->number(table, value); }

void fnd_table_text(fnd_table *table, const char *text) { table->format->text(table, text); }

void fnd_table_head_of_texts(fnd_table *table, const char *name, size_t size)
{
    assert(size > 0);
    table->format->head(table, name, "1", size);
}

void fnd_table_head(fnd_table *table, const char *name, const char *unit)
{
    table->format->head(table, name, unit[0] ? unit : "1", 0);
}

fender_status fnd_table_end_header(fnd_table *table, fender_error *error)
{
    assert(table->open);
    if (table->sheet) table->next_flush = fnd_wall_time() + flush_interval;
    if (table->failed) return fail(table, error);
    if (table->has_header) {
        table->used = 0;
        return FENDER_STATUS_OK;
    }
    if (!table->format->end_header(table)) return fail(table, error);
    return table->sheet || flush(table) ? FENDER_STATUS_OK : fail(table, error);
}

fender_status fnd_table_end_row(fnd_table *table, fender_error *error)
{
    if (table->failed || !table->format->end_row(table)) return fail(table, error);
    table->rows++;
    if (table->sheet) table->rows_in_file = fnd_sheet_rows_in_file(table->sheet);
    if (fnd_wall_time() >= table->next_flush && !flush(table)) return fail(table, error);
    return FENDER_STATUS_OK;
}
