/* Trick's binary recordings, .trk of version 10: a header that describes the variables, then rows of packed values. */
#include "tables/trk.h"

#include "support/io_error.h"
#include "tables/recording.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Layout, from Trick's documentation of data recording: "Trick-10-L" or "-B" (byte order), the number of variables, of
 * each the length and text of name and unit, its type and its size (all numbers int of 4 bytes); then the rows. */
enum { MARK_LENGTH = 10, LEAST_VARIABLE = 16, TEXT_LIMIT = 4096 };

typedef enum kind { KIND_NONE, KIND_SIGNED, KIND_UNSIGNED, KIND_FLOATING } kind;
typedef struct variable {
    kind kind;
    size_t size, offset; /* in the row */
} variable;

typedef struct scan {
    const fnd_table_source *source;
    size_t at;
    bool big; /* end first */
    fender_error *error;
} scan;

static bool fits(const fnd_table_source *source)
{
    return source->length >= 6 && memcmp(source->bytes, "Trick-", 6) == 0;
}

static fender_status fail(const scan *s, const char *message, const char *found, const char *expected,
                          const char *suggestion)
{
    return FND_IO_FAIL(s->error, .status = FENDER_STATUS_PARSE, .source = s->source->file, .message = message,
                       .found = found, .expected = expected, .suggestion = suggestion);
}

static fender_status fail_end(const scan *s)
{
    char found[64];
    snprintf(found, sizeof found, "%zu bytes", s->source->length);
    return fail(s, "the file ends within its header", found, "the whole description of the variables",
                "record it again; without its header nothing of it can be read");
}

/* The bytes of a value, in the order of this machine's arithmetic. */
static uint64_t whole(const char *bytes, size_t size, bool big)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) value = value << 8 | (unsigned char)bytes[big ? i : size - 1 - i];
    return value;
}

static fender_status read_count(scan *s, uint32_t limit, const char *what, uint32_t *value)
{
    char message[120], found[64], expected[64];
    if (s->source->length - s->at < 4) return fail_end(s);
    *value = (uint32_t)whole(s->source->bytes + s->at, 4, s->big);
    s->at += 4;
    if (*value <= limit) return FENDER_STATUS_OK;
    snprintf(message, sizeof message, "the %s at byte %zu cannot be", what, s->at - 4);
    snprintf(found, sizeof found, "%lu", (unsigned long)*value);
    snprintf(expected, sizeof expected, "at most %lu", (unsigned long)limit);
    return fail(s, message, found, expected, "check that this is a whole .trk file of Trick 10 or later");
}

static fender_status read_text(scan *s, fnd_arena *arena, const char *what, const char **text)
{
    uint32_t length;
    fender_status status = read_count(s, TEXT_LIMIT, what, &length);
    if (status != FENDER_STATUS_OK) return status;
    if (s->source->length - s->at < length) return fail_end(s);
    *text = fnd_arena_copy(arena, s->source->bytes + s->at, length);
    s->at += length;
    return *text ? status : fnd_io_fail_memory(s->error, "the names of a table");
}

static kind kind_of(uint32_t type)
{
    switch (type) {
    case 1:  /* char */
    case 4:  /* short */
    case 6:  /* int */
    case 8:  /* long */
    case 12: /* bit field */
    case 14: /* long long */
    case 21: /* enumeration */ return KIND_SIGNED;
    case 2:
    case 5:
    case 7:
    case 9:
    case 13:
    case 15:
    case 17: /* bool */ return KIND_UNSIGNED;
    case 10: /* float */
    case 11: /* double */ return KIND_FLOATING;
    default: return KIND_NONE;
    }
}

static fender_status read_variable(scan *s, fnd_arena *arena, fender_recording_column *column, variable *v)
{
    uint32_t type, size;
    char message[160], found[64];
    fender_status status = read_text(s, arena, "length of a name", &column->name);
    if (status == FENDER_STATUS_OK) status = read_text(s, arena, "length of a unit", &column->unit);
    if (status == FENDER_STATUS_OK) status = read_count(s, UINT32_MAX, "type", &type);
    if (status == FENDER_STATUS_OK) status = read_count(s, UINT32_MAX, "size", &size);
    if (status != FENDER_STATUS_OK) return status;
    column->unit = fnd_recording_trick_unit(column->unit);
    v->kind = kind_of(type);
    v->size = size;
    bool possible = v->kind == KIND_FLOATING
                        ? size == (type == 10 ? 4 : 8)
                        : v->kind != KIND_NONE && (size == 1 || size == 2 || size == 4 || size == 8);
    if (possible) return status;
    snprintf(message, sizeof message, "variable '%.80s' is of no type that can be read", column->name);
    snprintf(found, sizeof found, "type %lu of %lu bytes", (unsigned long)type, (unsigned long)size);
    return fail(s, message, found, "a number of 1, 2, 4 or 8 bytes", "leave this variable out of the recording");
}

static double number(const char *bytes, const variable *v, bool big)
{
    uint64_t bits = whole(bytes, v->size, big);
    if (v->kind == KIND_UNSIGNED) return (double)bits;
    if (v->kind == KIND_SIGNED) {
        uint64_t sign = (uint64_t)1 << (8 * v->size - 1);
        if (!(bits & sign)) return (double)bits;
        return -(double)((sign - 1) - (bits & (sign - 1))) - 1;
    }
    if (v->size == 4) {
        uint32_t low = (uint32_t)bits;
        float value;
        memcpy(&value, &low, sizeof value);
        return (double)value;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static fender_status read_rows(scan *s, fnd_arena *arena, fender_recording_table *table, const variable *variables,
                               size_t row_size)
{
    size_t rest = s->source->length - s->at, rows = rest / row_size;
    table->row_count = rows;
    table->cut = rest % row_size != 0;
    for (int i = 0; i < table->column_count; i++) {
        const char *at = s->source->bytes + s->at + variables[i].offset;
        double *values = FND_ARENA_NEW_ARRAY(arena, double, rows);
        if (!values) return fnd_io_fail_memory(s->error, "the numbers of a table");
        for (size_t k = 0; k < rows; k++) values[k] = number(at + k * row_size, &variables[i], s->big);
        table->columns[i].values = values;
    }
    return FENDER_STATUS_OK;
}

static fender_status read_table(const fnd_table_source *source, fnd_arena *arena, fender_recording_table *table,
                                int *parts, fender_error *error)
{
    *parts = 1;
    scan s = {source, MARK_LENGTH, false, error};
    uint32_t count;
    size_t row_size = 0;
    if (source->length < MARK_LENGTH) return fail_end(&s);
    s.big = source->bytes[MARK_LENGTH - 1] == 'B';
    if (memcmp(source->bytes, "Trick-10-", MARK_LENGTH - 1) != 0 || (!s.big && source->bytes[MARK_LENGTH - 1] != 'L')) {
        char found[64];
        return fail(&s, "this version of .trk files is not read",
                    fnd_io_excerpt(found, sizeof found, source->bytes, 10), "Trick-10-L or Trick-10-B",
                    "convert it to CSV with Trick's trk2csv");
    }
    fender_status status = read_count(&s, (uint32_t)(source->length / LEAST_VARIABLE), "number of variables", &count);
    if (status != FENDER_STATUS_OK) return status;
    if (count == 0) return fail(&s, "the file describes no variables", "0 variables", "at least the time", "");
    table->column_count = (int)count;
    table->columns = FND_ARENA_NEW_ARRAY(arena, fender_recording_column, count);
    variable *variables = FND_ARENA_NEW_ARRAY(arena, variable, count);
    if (!table->columns || !variables) return fnd_io_fail_memory(error, "the columns of a table");
    for (uint32_t i = 0; i < count && status == FENDER_STATUS_OK; i++) {
        status = read_variable(&s, arena, &table->columns[i], &variables[i]);
        variables[i].offset = row_size;
        row_size += variables[i].size;
    }
    return status == FENDER_STATUS_OK ? read_rows(&s, arena, table, variables, row_size) : status;
}

/* ---- writing: doubles, in the byte order of this machine */

/* Appends bytes to the row, as far as there is room. */
static void add_bytes(fnd_table *table, const void *bytes, size_t size)
{
    assert(table->used <= table->row_size);
    if (table->row_size - table->used < size) return;
    memcpy(table->row + table->used, bytes, size);
    table->used += size;
}

static void add_int(fnd_table *table, int32_t value) { add_bytes(table, &value, sizeof value); }

static void add_text(fnd_table *table, const char *text)
{
    add_int(table, (int32_t)strlen(text));
    add_bytes(table, text, strlen(text));
}

/* A column: name, unit, type (11: double), size of a value. The first is the time, as Trick calls it. */
static void write_head(fnd_table *table, const char *name, const char *unit, size_t text_size)
{
    enum { DOUBLE = 11 };
    (void)text_size;
    add_text(table, table->columns++ == 0 ? "sys.exec.out.time" : name);
    add_text(table, unit);
    add_int(table, DOUBLE);
    add_int(table, (int32_t)sizeof(double));
}

static void write_number(fnd_table *table, double value) { add_bytes(table, &value, sizeof value); }

static void write_text(fnd_table *table, const char *text)
{
    (void)table, (void)text;
    assert(false && "tables of numbers alone have no words");
}

static bool end_header(fnd_table *table)
{
    const int32_t columns = table->columns;
    const uint16_t order = 1;
    const bool little = *(const unsigned char *)&order == 1;
    return fnd_writer_bytes(&table->writer, little ? "Trick-10-L" : "Trick-10-B", MARK_LENGTH) &&
           fnd_writer_bytes(&table->writer, &columns, sizeof columns) && fnd_table_take_row(table);
}

static int64_t keep(fnd_table *table, int descriptor, int64_t from, int64_t size)
{
    const int64_t row = (int64_t)table->columns * (int64_t)sizeof(double);
    (void)descriptor, (void)from;
    assert(row > 0);
    table->rows += size / row;
    return size / row * row;
}

const fnd_table_format fnd_trk_format = {.name = "Trick 10 (.trk)",
                                         .endings = {".trk"},
                                         .fits = fits,
                                         .read = read_table,
                                         .head = write_head,
                                         .number = write_number,
                                         .text = write_text,
                                         .end_header = end_header,
                                         .end_row = fnd_table_take_row,
                                         .flush = fnd_table_flush_rows,
                                         .keep = keep};
