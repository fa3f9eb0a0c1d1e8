/* Tables of a run directory that hold words, read row by row: no cell of them has a separator or quotes in it. */
#include "report/rows.h"

#include "text/fault.h"
#include "text/number.h"

#include <stdio.h>
#include <string.h>

static const size_t size_limit = (size_t)1 << 30;

static fender_status refuse(const fnd_rows *rows, const char *found, const char *expected, fender_error *error)
{
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_PARSE,
                                             .source = rows->path,
                                             .line = rows->line,
                                             .message = "this is no table that a run has written",
                                             .found = found,
                                             .expected = expected,
                                             .suggestion = "run the scenario again to write it anew"});
}

fender_status fnd_rows_open(fnd_rows *rows, const fender_allocator *allocator, const char *directory, const char *name,
                            const char *head, fender_error *error)
{
    memset(rows, 0, sizeof *rows);
    rows->allocator = *allocator;
    rows->path_size = strlen(directory) + strlen(name) + 2;
    rows->path = allocator->allocate(allocator->ctx, rows->path_size, 1);
    if (!rows->path) return fnd_io_fail_memory(error, "the path of a file");
    snprintf(rows->path, rows->path_size, "%s/%s", directory, name);
    fender_status status = fnd_file_read(allocator, rows->path, size_limit, FND_FILE_TEXT, &rows->file, error);
    if (status == FENDER_STATUS_OK && strncmp(rows->file.text, head, strlen(head)) != 0) {
        char found[80];
        fnd_io_excerpt(found, sizeof found, rows->file.text, strcspn(rows->file.text, "\n"));
        rows->line = 1;
        status = refuse(rows, found, head, error);
    }
    if (status == FENDER_STATUS_OK) fnd_rows_rewind(rows);
    else fnd_rows_close(rows);
    return status;
}

void fnd_rows_close(fnd_rows *rows)
{
    if (rows->file.text) fnd_file_release(&rows->allocator, &rows->file);
    if (rows->path) rows->allocator.release(rows->allocator.ctx, rows->path, rows->path_size);
    rows->path = NULL;
}

static const char *line_end(const fnd_rows *rows)
{
    return memchr(rows->at, '\n', (size_t)(rows->file.text + rows->file.length - rows->at));
}

void fnd_rows_rewind(fnd_rows *rows)
{
    rows->at = rows->file.text;
    rows->line = 1;
    const char *end = line_end(rows);
    rows->at = end ? end + 1 : rows->file.text + rows->file.length;
}

bool fnd_rows_next(fnd_rows *rows)
{
    const char *end = line_end(rows);
    if (!end) return false;
    rows->line++;
    rows->cell_count = 0;
    while (rows->at <= end && rows->cell_count < FND_ROWS_CELLS) {
        const char *comma = memchr(rows->at, ',', (size_t)(end - rows->at)), *stop = comma ? comma : end;
        rows->cells[rows->cell_count] = rows->at;
        rows->lengths[rows->cell_count++] = (size_t)(stop - rows->at);
        rows->at = stop + 1;
    }
    rows->at = end + 1;
    return true;
}

fender_status fnd_rows_numbers(const fnd_rows *rows, int first, int count, double *values, fender_error *error)
{
    if (first + count > rows->cell_count) return refuse(rows, "the end of the line", "as many cells as names", error);
    for (int i = 0; i < count; i++) {
        const char *text = rows->cells[first + i];
        const size_t length = rows->lengths[first + i];
        size_t used;
        if (fnd_number_parse(text, length, &values[i], &used) && used == length) continue;
        char found[80];
        fnd_io_excerpt(found, sizeof found, text, length);
        return refuse(rows, found, "a finite number", error);
    }
    return FENDER_STATUS_OK;
}

bool fnd_rows_says(const fnd_rows *rows, int cell, const char *word)
{
    return cell < rows->cell_count && rows->lengths[cell] == strlen(word) &&
           memcmp(rows->cells[cell], word, rows->lengths[cell]) == 0;
}
