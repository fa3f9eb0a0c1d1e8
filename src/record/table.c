/* Files of whole rows: CSV, the binary tables of Trick, groups of HDF5 files. */
#include "record/table.h"

#include "text/fault.h"
#include "text/number.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

_Static_assert(FND_TABLE_NUMBER_SIZE > FND_NUMBER_SIZE, "a number and its comma fit");

static const double flush_interval = 1; /* s, wall; longer where it would take more than this part of the time: */
static const double flush_share = 0.02;

static double wall_time(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool fnd_table_is_binary(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".trk") == 0;
}

/* ---- failure */

/* Counts the whole rows among `size` bytes behind the last that is known; returns how many bytes they are. */
static off_t count_binary_rows(fnd_table *table, off_t size)
{
    const off_t row = (off_t)table->columns * (off_t)sizeof(double);
    table->rows += size / row;
    return size / row * row;
}

/* Cuts the file behind its last whole row and counts what is left: a write that failed may have left half a row. */
static void keep_whole_rows(fnd_table *table)
{
    char bytes[4096];
    struct stat about;
    off_t end = (off_t)table->bytes_in_file, at = end;
    ssize_t got = 0;
    table->rows = table->rows_in_file;
    int descriptor = open(table->writer.name, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return;
    if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode)) {
        if (table->binary && about.st_size > at) {
            end += count_binary_rows(table, about.st_size - at);
            at = about.st_size;
        }
        while ((got = pread(descriptor, bytes, sizeof bytes, at)) > 0) {
            for (ssize_t i = 0; i < got; i++) {
                if (bytes[i] != '\n') continue;
                table->rows++;
                end = at + i + 1;
            }
            at += got;
        }
        /* Where even this fails half a row stays; readers of CSV files skip it. */
        if (got == 0 && end < at && ftruncate(descriptor, end) != 0) end = at;
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
    return fnd_io_fail(error, (fnd_io_fault){.status = cause->status,
                                             .source = cause->source,
                                             .message = cause->message,
                                             .found = cause->found,
                                             .expected = cause->expected,
                                             .suggestion = table->bytes_in_file > 0 || table->rows_in_file > 0
                                                               ? suggestion
                                                               : cause->suggestion});
}

static bool flush(fnd_table *table)
{
    double begin = wall_time();
    if (table->sheet ? fnd_sheet_flush(table->sheet, false, &table->writer.error) != FENDER_STATUS_OK
                     : !fnd_writer_flush(&table->writer))
        return false;
    table->rows_in_file = table->rows;
    table->bytes_in_file = table->writer.written;
    double end = wall_time(), interval = (end - begin) / flush_share;
    table->next_flush = end + (interval > flush_interval ? interval : flush_interval);
    return true;
}

/* ---- life */

fender_status fnd_table_open_in(fnd_table *table, fnd_store *store, const char *group, const fnd_table_mark *from,
                                fender_error *error)
{
    memset(table, 0, sizeof *table);
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
    if (fnd_store_fits_name(path)) return open_alone(table, allocator, path, from, error);
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
    table->binary = fnd_table_is_binary(path);
    if (!from) return status;
    table->has_header = true;
    table->rows = table->rows_in_file = from->rows;
    table->bytes_in_file = from->bytes;
    return status;
}

fender_status fnd_table_sync(fnd_table *table, fnd_table_mark *mark, fender_error *error)
{
    bool synced = !table->failed && flush(table) &&
                  (table->sheet ? fnd_sheet_flush(table->sheet, true, &table->writer.error) == FENDER_STATUS_OK
                                : fnd_writer_sync(&table->writer));
    if (!synced) return fail(table, error);
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

/* Room for a cell of `size` bytes after its comma; NULL when the caller's row is longer than he said. */
static char *begin_cell(fnd_table *table, size_t size)
{
    size_t comma = table->used > 0 ? 1 : 0;
    if (table->row_size - table->used < size + comma + 1) return NULL;
    if (comma) table->row[table->used++] = ',';
    return table->row + table->used;
}

/* Appends bytes to a binary row, as far as there is room. */
static void add_bytes(fnd_table *table, const void *bytes, size_t size)
{
    if (table->row_size - table->used < size) return;
    memcpy(table->row + table->used, bytes, size);
    table->used += size;
}

static void add_int(fnd_table *table, int32_t value) { add_bytes(table, &value, sizeof value); }

/* A column: length and text of its name and of its unit, type (11: double), size of a value. */
static void add_binary_head(fnd_table *table, const char *name, const char *unit)
{
    enum { DOUBLE = 11 };
    if (table->columns++ == 0) name = "sys.exec.out.time";
    add_int(table, (int32_t)strlen(name));
    add_bytes(table, name, strlen(name));
    add_int(table, (int32_t)strlen(unit));
    add_bytes(table, unit, strlen(unit));
    add_int(table, DOUBLE);
    add_int(table, (int32_t)sizeof(double));
}

/* What stands before the columns: ten letters that tell version and order of bytes, and how many columns there are. */
static bool write_binary_begin(fnd_table *table)
{
    const int32_t columns = table->columns;
    const uint16_t order = 1;
    const bool little = *(const unsigned char *)&order == 1;
    return fnd_writer_bytes(&table->writer, little ? "Trick-10-L" : "Trick-10-B", 10) &&
           fnd_writer_bytes(&table->writer, &columns, sizeof columns);
}

void fnd_table_number(fnd_table *table, double value)
{
    if (table->sheet) {
        fnd_sheet_number(table->sheet, value);
        return;
    }
    if (table->binary) {
        add_bytes(table, &value, sizeof value);
        return;
    }
    char *to = begin_cell(table, FND_NUMBER_SIZE);
    if (to) table->used += (size_t)fnd_number_format(value, to, FND_NUMBER_SIZE);
}

void fnd_table_text(fnd_table *table, const char *text)
{
    if (table->sheet) {
        fnd_sheet_text(table->sheet, text);
        return;
    }
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    char *to = begin_cell(table, FND_TABLE_TEXT_SIZE(strlen(text)) - 1);
    if (!to) return;
    char *at = to;
    if (quoted) *at++ = '"';
    for (; *text; text++) {
        if (*text == '"') *at++ = '"';
        *at++ = *text;
    }
    if (quoted) *at++ = '"';
    table->used += (size_t)(at - to);
}

/* What fails is told when the header ends. */
static void add_column(fnd_table *table, const char *name, const char *unit, size_t text_size)
{
    if (fnd_sheet_head(table->sheet, name, unit, text_size, &table->writer.error) != FENDER_STATUS_OK)
        table->failed = true;
}

void fnd_table_head_of_texts(fnd_table *table, const char *name, size_t size)
{
    if (table->sheet) add_column(table, name, "", size);
    else fnd_table_head(table, name, "");
}

void fnd_table_head(fnd_table *table, const char *name, const char *unit)
{
    char cell[320];
    bool has_unit = unit[0] && strcmp(unit, "1") != 0;
    if (table->sheet) {
        add_column(table, name, has_unit ? unit : "1", 0);
        return;
    }
    if (table->binary) {
        add_binary_head(table, name, has_unit ? unit : "1");
        return;
    }
    snprintf(cell, sizeof cell, "%s%s%s%s", name, has_unit ? " [" : "", has_unit ? unit : "", has_unit ? "]" : "");
    fnd_table_text(table, cell);
}

static bool take_row(fnd_table *table)
{
    if (table->sheet) return fnd_sheet_end_row(table->sheet, &table->writer.error) == FENDER_STATUS_OK;
    fnd_writer *writer = &table->writer;
    if (!table->binary) table->row[table->used++] = '\n';
    size_t used = table->used;
    table->used = 0;
    /* A buffer that is handed over in the middle of a row would leave half of it in the file of a killed program. */
    if (used > writer->capacity - writer->used && !flush(table)) return false;
    return fnd_writer_bytes(writer, table->row, used);
}

fender_status fnd_table_end_header(fnd_table *table, fender_error *error)
{
    if (table->sheet) {
        table->next_flush = wall_time() + flush_interval;
        if (!table->failed && table->store && fnd_store_start(table->store, &table->writer.error) != FENDER_STATUS_OK)
            table->failed = true;
        return table->failed ? fail(table, error) : FENDER_STATUS_OK;
    }
    if (table->has_header) {
        table->used = 0;
        return FENDER_STATUS_OK;
    }
    if (table->binary && !write_binary_begin(table)) return fail(table, error);
    return take_row(table) && flush(table) ? FENDER_STATUS_OK : fail(table, error);
}

fender_status fnd_table_end_row(fnd_table *table, fender_error *error)
{
    if (table->failed || !take_row(table)) return fail(table, error);
    table->rows++;
    if (table->sheet) table->rows_in_file = fnd_sheet_rows_in_file(table->sheet);
    if (wall_time() >= table->next_flush && !flush(table)) return fail(table, error);
    return FENDER_STATUS_OK;
}
