/* Tables of text: a line of names with units, then a row of numbers a line; separators and quotes as they come. */
#include "series/series.h"

#include "text/fault.h"
#include "text/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct cell {
    const char *text; /* without spaces and quotes around it; doubled quotes stay doubled */
    size_t length;
    int column; /* byte in the line, from 1 */
} cell;

typedef struct scan {
    const fnd_series_source *source;
    const char *at, *end, *line_begin;
    char separator;
    int line;
    fender_error *error;
} scan;

typedef enum content { CONTENT_UNKNOWN, CONTENT_NUMBERS, CONTENT_WORDS } content;

static fender_status fail(const scan *s, int column, const char *message, const char *found, const char *expected,
                          const char *suggestion)
{
    return fnd_io_fail(s->error, (fnd_io_fault){.status = FENDER_STATUS_PARSE,
                                                .source = s->source->file,
                                                .line = s->line,
                                                .column = column,
                                                .message = message,
                                                .found = found,
                                                .expected = expected,
                                                .suggestion = suggestion});
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
        return fnd_series_name_column(arena, made, (size_t)length, column);
    }
    char *text = fnd_arena_copy(arena, c->text, c->length);
    if (!text) return false;
    size_t length = 0;
    for (size_t i = 0; i < c->length; i++) {
        text[length++] = c->text[i];
        if (c->text[i] == '"' && i + 1 < c->length && c->text[i + 1] == '"') i++;
    }
    return fnd_series_name_column(arena, text, length, column);
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

static fender_status read_row(scan *s, fender_recording_table *table, double *const *values, content *contents)
{
    bool last = false;
    int count = 0;
    while (!last) {
        cell c = next_cell(s, &last);
        if (count >= table->column_count) {
            if (c.length > 0 || count > table->column_count) return fail_count(s, count + 1, table->column_count);
            count++; /* one separator behind the row is fine */
            continue;
        }
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
    if (!table->cut) table->row_count++;
    next_line(s);
    return FENDER_STATUS_OK;
}

static fender_status read(const fnd_series_source *source, fnd_arena *arena, fender_recording_table *table,
                          fender_error *error)
{
    scan s = {.source = source, .at = source->bytes, .end = source->bytes + source->length, .line = 1, .error = error};
    if (source->length >= 3 && memcmp(source->bytes, "\xef\xbb\xbf", 3) == 0) s.at += 3;
    s.line_begin = s.at;
    const char *zero = source->length > 0 ? memchr(source->bytes, '\0', source->length) : NULL;
    if (zero || !find_row(&s))
        return fail(&s, 0, zero ? "this is no table of text" : "the file is empty", zero ? "a byte of zero" : "nothing",
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
    while (status == FENDER_STATUS_OK && find_row(&s)) status = read_row(&s, table, values, contents);
    for (size_t i = 0; i < count; i++) table->columns[i].values = contents[i] == CONTENT_WORDS ? NULL : values[i];
    return status;
}

static bool fits(const fnd_series_source *source)
{
    (void)source;
    return true;
}

const fnd_series_format fnd_series_csv = {"CSV", fits, read};
