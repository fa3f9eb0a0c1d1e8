/* Tables of text: a line of names with units, then a row a line. Read with separators and quotes as they come, written
 * with commas. */
#include "tables/csv.h"

#include "support/io_error.h"
#include "support/number.h"
#include "tables/recording.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct cell {
    const char *text; /* without spaces and quotes around it; doubled quotes stay doubled */
    size_t length;
    int column; /* byte in the line, from 1 */
} cell;

typedef struct scan {
    const fnd_table_source *source;
    const char *at, *end, *line_begin;
    char separator;
    int line;
    fender_error *error;
} scan;

typedef enum content { CONTENT_UNKNOWN, CONTENT_NUMBERS, CONTENT_WORDS } content;

static fender_status fail(const scan *s, int column, const char *message, const char *found, const char *expected,
                          const char *suggestion)
{
    return FND_IO_FAIL(s->error, .status = FENDER_STATUS_PARSE, .source = s->source->file, .line = s->line,
                       .column = column, .message = message, .found = found, .expected = expected,
                       .suggestion = suggestion);
}

/* ---- cells and lines */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Moves behind the cell and its separator. *last: it ends its line. */
static cell next_cell(scan *s, bool *last)
{
    while (s->at < s->end && is_space(*s->at) && *s->at != s->separator) s->at++;
    int column = (int)(s->at - s->line_begin) + 1;
    const char *text = s->at, *stop;
    if (s->at < s->end && *s->at == '"') {
        text = ++s->at;
        while (s->at < s->end && (*s->at != '"' || (s->at + 1 < s->end && s->at[1] == '"')))
            s->at += *s->at == '"' ? 2 : 1;
        stop = s->at;
        while (s->at < s->end && *s->at != s->separator && *s->at != '\n') s->at++;
    } else {
        while (s->at < s->end && *s->at != s->separator && *s->at != '\n') s->at++;
        stop = s->at;
    }
    while (text < stop && is_space(*text)) text++;
    while (stop > text && is_space(stop[-1])) stop--;
    *last = s->at >= s->end || *s->at == '\n';
    if (!*last) s->at++;
    return (cell){text, (size_t)(stop - text), column};
}

static void next_line(scan *s)
{
    if (s->at < s->end) s->at++;
    for (const char *c = s->line_begin; c < s->at; c++) s->line += *c == '\n';
    s->line_begin = s->at;
}

/* Moves over empty lines and lines of remarks. False at the end. */
static bool find_row(scan *s)
{
    while (s->at < s->end) {
        const char *c = s->at;
        while (c < s->end && is_space(*c)) c++;
        if (c < s->end && *c != '\n' && *c != '#') return true;
        const char *stop = c < s->end ? memchr(c, '\n', (size_t)(s->end - c)) : NULL;
        s->at = stop ? stop : s->end;
        next_line(s);
    }
    return false;
}

/* The separator that stands most often in the first line, outside of quotes. */
static char find_separator(const scan *s)
{
    static const char candidates[] = ",;\t";
    char best = ',';
    int most = 0;
    for (const char *candidate = candidates; *candidate; candidate++) {
        int count = 0;
        bool quoted = false;
        for (const char *c = s->at; c < s->end && (quoted || *c != '\n'); c++) {
            if (*c == '"') quoted = !quoted;
            count += !quoted && *c == *candidate;
        }
        if (count > most) best = *candidate;
        if (count > most) most = count;
    }
    return best;
}

/* ---- numbers */

static fnd_number_result read_number(const cell *c, double *value)
{
    size_t used = 0;
    bool minus = c->length > 0 && c->text[0] == '-';
    if (c->length == 0) {
        *value = NAN;
        return FND_NUMBER_OK;
    }
    fnd_number_result result = fnd_number_read(c->text, c->length, value, &used);
    if (used != c->length) return FND_NUMBER_MISSING;
    if (result != FND_NUMBER_NOT_FINITE) return result;
    char first = c->text[strspn(c->text, "+-.")];
    *value = first == 'n' || first == 'N' ? NAN : minus ? -INFINITY : INFINITY;
    return FND_NUMBER_OK;
}

static fender_status fail_cell(const scan *s, const cell *c, const char *name, bool overflow)
{
    char message[200], found[120];
    fnd_io_excerpt(found, sizeof found, c->text, c->length);
    snprintf(message, sizeof message, "'%.60s' is %s, in column '%.60s'", found,
             overflow ? "larger than the largest number" : "not a number", name);
    return fail(s, c->column, message, found, "a number, as in the rows above, or nothing",
                s->separator == ';' ? "numbers have a decimal point" : "mend this cell, or leave out the column");
}

/* ---- header */

/* A name without doubled quotes. */
static bool name_column(fnd_arena *arena, const cell *c, int index, fender_recording_column *column)
{
    char made[32];
    if (c->length == 0) {
        int length = snprintf(made, sizeof made, "column%d", index + 1);
        return fnd_recording_name_column(arena, made, (size_t)length, column);
    }
    char *text = fnd_arena_copy(arena, c->text, c->length);
    if (!text) return false;
    size_t length = 0;
    for (size_t i = 0; i < c->length; i++) {
        text[length++] = c->text[i];
        if (c->text[i] == '"' && i + 1 < c->length && c->text[i + 1] == '"') i++;
    }
    return fnd_recording_name_column(arena, text, length, column);
}

static fender_status read_header(scan *s, fnd_arena *arena, fender_recording_table *table)
{
    scan ahead = *s;
    int count = 0;
    bool last = false, all_numbers = true;
    while (!last) {
        double value;
        cell c = next_cell(&ahead, &last);
        all_numbers = all_numbers && c.length > 0 && read_number(&c, &value) == FND_NUMBER_OK;
        count++;
    }
    table->column_count = count;
    table->columns = FND_ARENA_NEW_ARRAY(arena, fender_recording_column, (size_t)count);
    if (!table->columns) return fnd_io_fail_memory(s->error, "the columns of a table");
    ahead = *s;
    for (int i = 0; i < count; i++) {
        cell c = next_cell(&ahead, &last);
        if (all_numbers) c.length = 0; /* the first line is a row already */
        if (!name_column(arena, &c, i, &table->columns[i])) return fnd_io_fail_memory(s->error, "the names of a table");
    }
    if (all_numbers) return FENDER_STATUS_OK;
    s->at = ahead.at;
    next_line(s);
    return FENDER_STATUS_OK;
}

/* ---- rows */

static fender_status fail_count(const scan *s, int count, int expected)
{
    char message[120], found[40], wanted[40];
    snprintf(message, sizeof message, "cells: %d in this row, but %d in the first line", count, expected);
    snprintf(found, sizeof found, "%d cells", count);
    snprintf(wanted, sizeof wanted, "%d cells", expected);
    return fail(s, 0, message, found, wanted, "complete the row, or mend the separators");
}

/* Of contacts, whose names are kept. */
typedef struct list {
    fnd_arena *arena;
    fnd_row_names *names;
    int column; /* -1: it is none */
} list;

static fender_status read_row(scan *s, const list *l, fender_recording_table *table, double *const *values,
                              content *contents)
{
    bool last = false;
    int count = 0;
    cell contact = {0};
    while (!last) {
        cell c = next_cell(s, &last);
        if (count >= table->column_count) {
            if (c.length > 0 || count > table->column_count) return fail_count(s, count + 1, table->column_count);
            count++; /* one separator behind the row is fine */
            continue;
        }
        if (count == l->column) contact = c;
        double value = NAN;
        fnd_number_result result = read_number(&c, &value);
        bool bad = result != FND_NUMBER_OK && contents[count] == CONTENT_NUMBERS, at_end = last && s->at >= s->end;
        if (bad && !at_end) return fail_cell(s, &c, table->columns[count].name, result == FND_NUMBER_OVERFLOW);
        table->cut = table->cut || bad; /* a file of a killed program may end so */
        if (contents[count] == CONTENT_UNKNOWN && c.length > 0)
            contents[count] = result == FND_NUMBER_OK ? CONTENT_NUMBERS : CONTENT_WORDS;
        values[count++][table->row_count] = value;
    }
    if (count < table->column_count && s->at < s->end) return fail_count(s, count, table->column_count);
    table->cut = table->cut || count < table->column_count;
    if (!table->cut && l->column >= 0 &&
        !fnd_row_names_note(l->names, l->arena, table->row_count, contact.text, contact.length))
        return fnd_io_fail_memory(s->error, "the names of contacts");
    if (!table->cut) table->row_count++;
    next_line(s);
    return FENDER_STATUS_OK;
}

static fender_status read_table(const fnd_table_source *source, fnd_arena *arena, fender_recording_table *table,
                                int *parts, fender_error *error)
{
    *parts = 1;
    scan s = {.source = source, .at = source->bytes, .end = source->bytes + source->length, .line = 1, .error = error};
    if (source->length >= 3 && memcmp(source->bytes, "\xef\xbb\xbf", 3) == 0) s.at += 3;
    s.line_begin = s.at;
    const char *zero = source->length > 0 ? memchr(source->bytes, '\0', source->length) : NULL;
    if (zero || !find_row(&s))
        return fail(&s, 0, zero ? "this is not a text table" : "the file is empty", zero ? "a byte of zero" : "nothing",
                    "a line of names, then rows of numbers", "tables of text (CSV) and Trick's .trk files are read");
    s.separator = find_separator(&s);
    fender_status status = read_header(&s, arena, table);
    if (status != FENDER_STATUS_OK) return status;
    size_t count = (size_t)table->column_count;
    /* every cell takes a byte with its separator */
    size_t most = source->length / count + 1, lines = 1;
    for (const char *c = s.at; c < s.end; c++) lines += *c == '\n';
    double **values = FND_ARENA_NEW_ARRAY(arena, double *, count);
    content *contents = FND_ARENA_NEW_ARRAY(arena, content, count);
    for (size_t i = 0; values && contents && i < count; i++)
        values[i] = FND_ARENA_NEW_ARRAY(arena, double, (lines < most ? lines : most) + 1);
    if (!values || !contents || arena->failed) return fnd_io_fail_memory(error, "the numbers of a table");
    list l = {.arena = arena, .column = fnd_recording_contact_column(table)};
    if (l.column >= 0) l.names = fnd_row_names_create(arena, (lines < most ? lines : most) + 1);
    if (l.column >= 0 && !l.names) return fnd_io_fail_memory(error, "the names of contacts");
    while (status == FENDER_STATUS_OK && find_row(&s)) status = read_row(&s, &l, table, values, contents);
    if (l.column >= 0 && contents[l.column] == CONTENT_WORDS) table->contacts = fnd_row_names_of_contacts(l.names);
    for (size_t i = 0; i < count; i++) table->columns[i].values = contents[i] == CONTENT_WORDS ? NULL : values[i];
    return status;
}

static bool fits(const fnd_table_source *source)
{
    (void)source;
    return true;
}

/* ---- writing */

/* Room for a cell of `size` bytes after its comma; NULL when the caller's row is longer than he said. */
static char *begin_cell(fnd_table *table, size_t size)
{
    size_t comma = table->used > 0 ? 1 : 0;
    assert(table->used <= table->row_size);
    if (table->row_size - table->used < size + comma + 1) return NULL;
    if (comma) table->row[table->used++] = ',';
    return table->row + table->used;
}

static void write_number(fnd_table *table, double value)
{
    char *to = begin_cell(table, FND_NUMBER_SIZE);
    if (to) table->used += (size_t)fnd_number_format(value, to, FND_NUMBER_SIZE);
}

static void write_text(fnd_table *table, const char *text)
{
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

static void write_head(fnd_table *table, const char *name, const char *unit, size_t text_size)
{
    char title[320];
    bool has_unit = strcmp(unit, "1") != 0;
    (void)text_size;
    snprintf(title, sizeof title, "%s%s%s%s", name, has_unit ? " [" : "", has_unit ? unit : "", has_unit ? "]" : "");
    write_text(table, title);
}

static bool end_row(fnd_table *table)
{
    assert(table->used < table->row_size);
    table->row[table->used++] = '\n';
    return fnd_table_take_row(table);
}

static int64_t keep(fnd_table *table, int descriptor, int64_t from, int64_t size)
{
    char bytes[4096];
    int64_t at = 0, kept = 0;
    ssize_t got = 0;
    while (at < size && (got = pread(descriptor, bytes, sizeof bytes, (off_t)(from + at))) > 0) {
        for (ssize_t i = 0; i < got && at + i < size; i++) {
            if (bytes[i] != '\n') continue;
            table->rows++;
            kept = at + i + 1;
        }
        at += got;
    }
    return got < 0 ? size : kept;
}

const fnd_table_format fnd_csv_format = {.name = "CSV",
                                         .endings = {".csv"},
                                         .fits = fits,
                                         .read = read_table,
                                         .head = write_head,
                                         .number = write_number,
                                         .text = write_text,
                                         .end_header = end_row,
                                         .end_row = end_row,
                                         .flush = fnd_table_flush_rows,
                                         .keep = keep};

/* ---- tables of words of a run directory: no cell of them has a separator or quotes in it */

static const size_t size_limit = (size_t)1 << 30;

static fender_status refuse(const fnd_rows *rows, const char *found, const char *expected, fender_error *error)
{
    return FND_IO_FAIL(error, .status = FENDER_STATUS_PARSE, .source = rows->path, .line = rows->line,
                       .message = "this is not a table of a run", .found = found, .expected = expected,
                       .suggestion = "run the scenario again");
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

bool fnd_rows_says(const fnd_rows *rows, int index, const char *word)
{
    return index < rows->cell_count && rows->lengths[index] == strlen(word) &&
           memcmp(rows->cells[index], word, rows->lengths[index]) == 0;
}
