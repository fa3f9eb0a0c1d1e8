/* Grids of heights: ESRI ASCII, raw and ENVI rasters; gaps, measures, the grid itself. */
#include "import/import.h"

#include "support/io_error.h"
#include "support/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- ENVI headers ---- */

typedef struct entry {
    const char *key, *value; /* not terminated */
    size_t key_length, value_length;
} entry;

static void trim(const char **start, const char **end)
{
    while (*start < *end && (unsigned char)**start <= ' ') (*start)++;
    while (*end > *start && (unsigned char)(*end)[-1] <= ' ') (*end)--;
}

/* The next `key = value`; a value in braces may go over several lines. False at the end. */
static bool next_entry(fnd_word_scan *s, entry *e)
{
    while (s->at < s->end) {
        const char *stop = memchr(s->at, '\n', (size_t)(s->end - s->at));
        if (!stop) stop = s->end;
        const char *equals = memchr(s->at, '=', (size_t)(stop - s->at));
        if (!equals || *s->at == ';') {
            fnd_scan_next_line(s);
            continue;
        }
        const char *start = s->at, *end = equals;
        trim(&start, &end);
        *e = (entry){.key = start, .key_length = (size_t)(end - start)};
        start = equals + 1;
        end = stop;
        trim(&start, &end);
        if (start < end && *start == '{') {
            const char *brace = memchr(start, '}', (size_t)(s->end - start));
            end = brace ? brace : s->end;
            start++;
        }
        e->value = start;
        e->value_length = (size_t)(end - start);
        while (s->at < end) fnd_scan_next_line(s);
        if (s->at < stop) fnd_scan_next_line(s);
        return true;
    }
    return false;
}

/* The index-th part between commas as a number. */
static bool part(const entry *e, int index, double *value)
{
    const char *at = e->value, *end = e->value + e->value_length;
    for (; index > 0 && at < end; index--) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        at = comma ? comma + 1 : end;
    }
    const char *comma = at < end ? memchr(at, ',', (size_t)(end - at)) : NULL;
    const char *stop = comma ? comma : end;
    size_t used;
    trim(&at, &stop);
    return at < stop && fnd_number_parse(at, (size_t)(stop - at), value, &used) && used == (size_t)(stop - at);
}

static bool refuse(fnd_import *import, const char *name, const char *message, const char *found, const char *expected)
{
    fnd_words whole = fnd_words_make("the ENVI header %s: %s", fnd_words_of(name, strlen(name)).text, message);
    return fnd_import_refuse(import, 0, whole.text, found, expected, "correct the header, or give the layout itself");
}

enum { SAMPLES, LINES, BANDS, OFFSET, TYPE, ORDER, IGNORE, KEY_COUNT };

/* Tie point (pixel 1, 1 is the outer corner of the first cell) and sizes of cells. */
static void place(fender_raster_layout *l, const entry *map)
{
    double tie[2], at[2], size[2];
    for (int i = 0; i < 2; i++)
        if (!part(map, 1 + i, &tie[i]) || !part(map, 3 + i, &at[i]) || !part(map, 5 + i, &size[i])) return;
    l->spacing = (fender_vec2){size[0], size[1]};
    l->lower.x = at[0] + (1.5 - tie[0]) * size[0];
    l->lower.y = at[1] - (l->rows + 0.5 - tie[1]) * size[1];
}

static bool fill(fnd_import *import, const char *name, const double *values, const bool *given, fender_raster_layout *l)
{
    static const struct {
        int code;
        fender_raster_type type;
    } types[] = {{1, FENDER_RASTER_UINT8},   {2, FENDER_RASTER_INT16},   {3, FENDER_RASTER_INT32},
                 {4, FENDER_RASTER_FLOAT32}, {5, FENDER_RASTER_FLOAT64}, {12, FENDER_RASTER_UINT16},
                 {13, FENDER_RASTER_UINT32}};
    static const char *const names[] = {"samples", "lines", "bands", "header offset", "data type", "byte order"};
    for (int key = SAMPLES; key <= ORDER; key++) {
        bool needed = key == SAMPLES || key == LINES || key == TYPE;
        double most = key == OFFSET ? 0x1p53 : INT32_MAX;
        if (!given[key] && needed)
            return refuse(import, name, fnd_words_make("'%s' is missing", names[key]).text, "nothing", names[key]);
        if (!given[key] || (values[key] >= 0 && values[key] <= most && values[key] == floor(values[key]))) continue;
        return refuse(import, name, fnd_words_make("'%s' is not a whole number", names[key]).text,
                      fnd_words_number(values[key]).text, "a whole number");
    }
    if (given[BANDS] && values[BANDS] != 1)
        return refuse(import, name, "several bands", fnd_words_number(values[BANDS]).text, "one band of heights");
    l->columns = (int)values[SAMPLES];
    l->rows = (int)values[LINES];
    l->skip = (int64_t)values[OFFSET];
    l->big_endian = values[ORDER] == 1;
    l->south_first = false;
    if (given[IGNORE]) {
        l->has_no_data = true;
        l->no_data = values[IGNORE];
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].code == (int)values[TYPE]) {
            l->type = types[i].type;
            return true;
        }
    return refuse(import, name, "a data type that is not a height", fnd_words_number(values[TYPE]).text,
                  "1, 2, 3, 4, 5, 12 or 13");
}

/* Layout of a raw file out of an ENVI header. */
static bool import_envi(fnd_import *import, const char *text, size_t length, const char *name,
                        fender_raster_layout *layout)
{
    static const char *const keys[KEY_COUNT] = {
        "samples", "lines", "bands", "header offset", "data type", "byte order", "data ignore value"};
    fnd_word_scan s = fnd_scan_open(text, length);
    entry e, map = {NULL, NULL, 0, 0};
    double values[KEY_COUNT] = {0};
    bool given[KEY_COUNT] = {false};
    if (!name) name = "";
    if (s.end - s.at < 4 || memcmp(s.at, "ENVI", 4) != 0)
        return refuse(import, name, "'ENVI' does not begin it",
                      fnd_words_of(s.at, s.end - s.at < 16 ? (size_t)(s.end - s.at) : 16).text, "'ENVI' at its start");
    while (next_entry(&s, &e)) {
        if (fnd_scan_is(e.key, e.key_length, "map info")) map = e;
        for (int key = 0; key < KEY_COUNT; key++) {
            if (!fnd_scan_is(e.key, e.key_length, keys[key])) continue;
            if (!part(&e, 0, &values[key]))
                return refuse(import, name, fnd_words_make("'%s' is not a number", keys[key]).text,
                              fnd_words_of(e.value, e.value_length < 60 ? e.value_length : 60).text, "a finite number");
            given[key] = true;
        }
    }
    if (!fill(import, name, values, given, layout)) return false;
    if (map.key) place(layout, &map);
    return true;
}

/* ---- Raw rasters ---- */

static const struct {
    const char *name;
    int size;
} types[FENDER_RASTER_TYPE_COUNT] = {{"uint8", 1},  {"int16", 2},   {"uint16", 2}, {"int32", 4},
                                     {"uint32", 4}, {"float32", 4}, {"float64", 8}};

const char *fender_raster_type_name(fender_raster_type type)
{
    return (unsigned)type < FENDER_RASTER_TYPE_COUNT ? types[type].name : NULL;
}

static double value_at(const unsigned char *at, fender_raster_type type, bool big)
{
    if (type == FENDER_RASTER_FLOAT32) return fnd_binary_float32(at, big);
    if (type == FENDER_RASTER_FLOAT64) return fnd_binary_float64(at, big);
    bool has_sign = type == FENDER_RASTER_INT16 || type == FENDER_RASTER_INT32;
    return has_sign ? (double)fnd_binary_signed(at, types[type].size, big)
                    : (double)fnd_binary_bits(at, types[type].size, big);
}

static bool check(fnd_import *import, const fender_raster_layout *l)
{
    if (l->columns < 2 || l->rows < 2)
        return fnd_import_refuse_value(import, "the layout of the raw file has too few columns or rows",
                                       fnd_words_make("%d columns, %d rows", l->columns, l->rows).text,
                                       "at least 2 x 2", "give columns and rows, or an ENVI header (.hdr)");
    if ((unsigned)l->type >= FENDER_RASTER_TYPE_COUNT)
        return fnd_import_refuse_value(import, "the type of the raw numbers is not known", "no type",
                                       "uint8 to float64", "");
    double least = l->spacing.x < l->spacing.y ? l->spacing.x : l->spacing.y;
    if (!(least > 0) || !isfinite(l->spacing.x + l->spacing.y + l->lower.x + l->lower.y))
        return fnd_import_refuse_value(import, "the raster has no spacing", fnd_words_number(least).text,
                                       "distances of columns and rows above 0", "give the spacing");
    uint64_t count = (uint64_t)l->columns * (uint64_t)l->rows, size = (uint64_t)types[l->type].size;
    uint64_t left = l->skip >= 0 && (uint64_t)l->skip <= import->length ? import->length - (uint64_t)l->skip : 0;
    if (l->skip >= 0 && left >= count * size && count <= (uint64_t)INT64_MAX / 8) return true;
    return fnd_import_refuse(import, 0, "the file is too short for its raster",
                             fnd_words_make("%zu bytes", import->length).text,
                             fnd_words_make("%lld bytes, then %d x %d numbers of %d bytes", (long long)l->skip,
                                            l->columns, l->rows, types[l->type].size)
                                 .text,
                             "check whether the file is complete, and check type, columns and rows");
}

bool fnd_import_raw(fnd_import *import)
{
    fender_raster_layout layout = import->def->raster;
    if (import->def->header &&
        !import_envi(import, import->def->header, import->def->header_length, import->def->header_name, &layout))
        return false;
    if (!check(import, &layout) || !fnd_import_raster(import, layout.columns, layout.rows)) return false;
    import->lower = layout.lower;
    import->spacing = layout.spacing;
    const unsigned char *at = import->bytes + layout.skip;
    for (int j = 0; j < layout.rows; j++) {
        size_t row = (size_t)(layout.south_first ? j : layout.rows - 1 - j) * (size_t)layout.columns;
        for (int i = 0; i < layout.columns; i++, at += types[layout.type].size) {
            double value = value_at(at, layout.type, layout.big_endian);
            if (isfinite(value) && !(layout.has_no_data && value == layout.no_data))
                import->heights[row + (size_t)i] = value;
        }
    }
    return true;
}

/* ---- ESRI ASCII grids ---- */

enum { NCOLS, NROWS, XCORNER, YCORNER, XCENTER, YCENTER, CELL, DX, DY, NODATA, ESRI_KEY_COUNT };
static const char *const keys[ESRI_KEY_COUNT] = {"ncols",     "nrows",    "xllcorner", "yllcorner", "xllcenter",
                                                 "yllcenter", "cellsize", "dx",        "dy",        "nodata_value"};

static bool missing(fnd_import *import, const fnd_word_scan *s, const char *key, const char *suggestion)
{
    return fnd_import_refuse(import, s->line, fnd_words_make("the grid has no '%s'", key).text,
                             "heights without it before them", fnd_words_make("'%s' and a number", key).text,
                             suggestion);
}

static bool read_keys(fnd_import *import, fnd_word_scan *s, double *values, bool *given)
{
    for (;;) {
        fnd_word_scan before = *s;
        const char *text;
        size_t length = fnd_scan_word(s, &text);
        int key = 0;
        bool letter = length > 0 && ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
        while (key < ESRI_KEY_COUNT && !fnd_scan_is(text, length, keys[key])) key++;
        if (key == ESRI_KEY_COUNT && (!letter || fnd_scan_is(text, length, "nan"))) {
            *s = before;
            return true;
        }
        fnd_words found = fnd_words_of(text, length);
        if (key == ESRI_KEY_COUNT)
            return fnd_import_refuse(
                import, s->line, fnd_words_make("'%s' is not a key of an ESRI grid", found.text).text, found.text,
                "ncols, nrows, xllcorner, yllcorner, cellsize, NODATA_value", "check the file name");
        if (given[key])
            return fnd_import_refuse(import, s->line, fnd_words_make("'%s' is given twice", found.text).text,
                                     found.text, "each key once", "remove one of them");
        given[key] = true;
        if (key == NODATA) { /* often nan */
            fnd_word_scan here = *s;
            length = fnd_scan_word_here(&here, &text);
            if (fnd_scan_is(text, length, "nan") || fnd_scan_is(text, length, "-nan")) {
                given[key] = false;
                *s = here;
                continue;
            }
        }
        if (!fnd_scan_numbers(import, s, true, 1, &values[key], "number",
                              fnd_words_make("a number for %s", keys[key]).text))
            return false;
    }
}

static bool read_count(fnd_import *import, const fnd_word_scan *s, const char *key, double value, int *count)
{
    if (value >= 2 && value <= INT32_MAX && value == floor(value)) {
        *count = (int)value;
        return true;
    }
    fnd_words found = fnd_words_number(value);
    return fnd_import_refuse(import, s->line, fnd_words_make("a grid cannot have %s of %s", key, found.text).text,
                             found.text, "a whole number, 2 or more", "check the file name");
}

/* The place of the first column or row: the middle of its cell. */
static double first_of(const double *values, const bool *given, int corner, int center, double spacing)
{
    return given[center] ? values[center] : given[corner] ? values[corner] + 0.5 * spacing : 0.5 * spacing;
}

static bool read_heights(fnd_import *import, fnd_word_scan *s, bool has_no_data, double no_data)
{
    for (int row = import->rows - 1; row >= 0; row--)
        for (int column = 0; column < import->columns; column++) {
            const char *text;
            double value = 0;
            size_t used, length = fnd_scan_word(s, &text);
            if (length == 0)
                return fnd_import_refuse(import, s->line, "the file ends within its heights",
                                         fnd_words_make("%d rows and %d heights", import->rows - 1 - row, column).text,
                                         fnd_words_make("%d rows of %d heights", import->rows, import->columns).text,
                                         "check whether the file is complete");
            if (fnd_scan_is(text, length, "nan") || fnd_scan_is(text, length, "-nan")) continue;
            if (!fnd_number_parse(text, length, &value, &used) || used != length) {
                fnd_words found = fnd_words_of(text, length);
                return fnd_import_refuse(import, s->line,
                                         fnd_words_make("'%s' is not a finite height", found.text).text, found.text,
                                         "a finite number, or what NODATA_value says", "export the grid again");
            }
            if (!has_no_data || value != no_data)
                import->heights[(size_t)row * (size_t)import->columns + (size_t)column] = value;
        }
    const char *text;
    size_t length = fnd_scan_word(s, &text);
    if (length == 0) return true;
    fnd_words found = fnd_words_of(text, length);
    return fnd_import_refuse(import, s->line, fnd_words_make("'%s' stands behind the last height", found.text).text,
                             found.text, fnd_words_make("%d rows of %d heights", import->rows, import->columns).text,
                             "are ncols and nrows right?");
}

bool fnd_import_esri(fnd_import *import)
{
    fnd_word_scan s = fnd_scan_open(import->bytes, import->length);
    double values[ESRI_KEY_COUNT] = {[NODATA] = -9999};
    bool given[ESRI_KEY_COUNT] = {false};
    if (!read_keys(import, &s, values, given)) return false;
    if (!given[NCOLS]) return missing(import, &s, "ncols", "is this an ESRI ASCII grid?");
    if (!given[NROWS]) return missing(import, &s, "nrows", "is this an ESRI ASCII grid?");
    if (!given[CELL] && !(given[DX] && given[DY])) return missing(import, &s, "cellsize", "add the size of a cell");
    int columns, rows;
    if (!read_count(import, &s, "ncols", values[NCOLS], &columns) ||
        !read_count(import, &s, "nrows", values[NROWS], &rows))
        return false;
    import->spacing.x = given[DX] ? values[DX] : values[CELL];
    import->spacing.y = given[DY] ? values[DY] : values[CELL];
    double least = import->spacing.x < import->spacing.y ? import->spacing.x : import->spacing.y;
    if (!(least > 0)) {
        fnd_words found = fnd_words_number(least);
        return fnd_import_refuse(import, s.line, fnd_words_make("a cell cannot have the size %s", found.text).text,
                                 found.text, "more than 0", "is the sign right?");
    }
    import->lower.x = first_of(values, given, XCORNER, XCENTER, import->spacing.x);
    import->lower.y = first_of(values, given, YCORNER, YCENTER, import->spacing.y);
    size_t room = ((size_t)(s.end - s.at) + 1) / 2; /* a digit and what parts it from the next */
    if ((uint64_t)columns * (uint64_t)rows > room)
        return fnd_import_refuse(import, s.line, "the file is too short for its heights",
                                 fnd_words_make("%d rows of %d", rows, columns).text,
                                 fnd_words_make("at most %zu heights in the bytes that follow", room).text,
                                 "check whether the file is complete");
    return fnd_import_raster(import, columns, rows) && read_heights(import, &s, true, values[NODATA]);
}

/* ---- from a raster to a grid */

bool fnd_import_raster(fnd_import *import, int columns, int rows)
{
    size_t count = (size_t)columns * (size_t)rows;
    if (count > INT32_MAX / 6)
        return fnd_import_refuse_value(import, "the raster has too many heights",
                                       fnd_words_make("%d x %d", columns, rows).text, "at most 357913941 in all",
                                       "divide it");
    import->heights = fnd_import_allocate(import, count, sizeof(double));
    if (!import->heights) return false;
    import->height_capacity = count;
    import->columns = columns;
    import->rows = rows;
    for (size_t i = 0; i < count; i++) import->heights[i] = NAN;
    return true;
}

static bool thin_out(fnd_import *import, int stride)
{
    int columns = (import->columns - 1) / stride + 1, rows = (import->rows - 1) / stride + 1;
    if (columns < 2 || rows < 2)
        return fnd_import_refuse_value(
            import, "the stride leaves no cell of the grid",
            fnd_words_make("a stride of %d over %d columns and %d rows", stride, import->columns, import->rows).text,
            "at least 2 columns and 2 rows", "take a smaller stride");
    double *to = import->heights;
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++)
            *to++ = import->heights[(size_t)(j * stride) * (size_t)import->columns + (size_t)(i * stride)];
    import->columns = columns;
    import->rows = rows;
    import->spacing = (fender_vec2){import->spacing.x * stride, import->spacing.y * stride};
    return true;
}

/* ---- gaps */

/* Mean of the neighbours that have a height; NaN when there is none. */
static double mean_beside(const fnd_import *import, size_t at)
{
    int row = (int)(at / (size_t)import->columns), column = (int)(at % (size_t)import->columns), count = 0;
    double sum = 0;
    for (int j = row - 1; j <= row + 1; j++)
        for (int i = column - 1; i <= column + 1; i++) {
            if (i < 0 || j < 0 || i >= import->columns || j >= import->rows) continue;
            double height = import->heights[(size_t)j * (size_t)import->columns + (size_t)i];
            if (!isfinite(height)) continue; /* a gap, or one that waits */
            sum += height;
            count++;
        }
    return count > 0 ? sum / count : NAN;
}

typedef struct gap {
    size_t at;
    double height;
} gap;

/* Puts a gap at the end of the queue, and marks it by an infinite height. */
static void queue(fnd_import *import, gap *gaps, size_t *count, size_t at)
{
    import->heights[at] = INFINITY;
    gaps[(*count)++].at = at;
}

static void queue_beside(fnd_import *import, gap *gaps, size_t *count, size_t at)
{
    int row = (int)(at / (size_t)import->columns), column = (int)(at % (size_t)import->columns);
    for (int j = row - 1; j <= row + 1; j++)
        for (int i = column - 1; i <= column + 1; i++) {
            if (i < 0 || j < 0 || i >= import->columns || j >= import->rows) continue;
            size_t beside = (size_t)j * (size_t)import->columns + (size_t)i;
            if (isnan(import->heights[beside])) queue(import, gaps, count, beside);
        }
}

/* Ring by ring: each ring sees the heights of those before it alone. */
static void spread(fnd_import *import, gap *gaps)
{
    size_t count = (size_t)import->columns * (size_t)import->rows, begin = 0, end = 0;
    for (size_t i = 0; i < count; i++)
        if (isnan(import->heights[i]) && !isnan(mean_beside(import, i))) queue(import, gaps, &end, i);
    while (begin < end) {
        size_t next = end;
        for (size_t i = begin; i < end; i++) gaps[i].height = mean_beside(import, gaps[i].at);
        for (size_t i = begin; i < end; i++) import->heights[gaps[i].at] = gaps[i].height;
        for (size_t i = begin; i < end; i++) queue_beside(import, gaps, &next, gaps[i].at);
        begin = end;
        end = next;
    }
}

static bool fill_gaps(fnd_import *import)
{
    size_t count = (size_t)import->columns * (size_t)import->rows, gap_count = 0;
    for (size_t i = 0; i < count; i++) gap_count += isnan(import->heights[i]) ? 1 : 0;
    import->report.gaps = (int64_t)gap_count;
    if (gap_count == 0 || import->def->gaps == FENDER_GAPS_HOLE) return true;
    if (gap_count == count)
        return fnd_import_refuse_value(import, "the rows and columns that are kept have no heights",
                                       "no data everywhere", "heights", "take a smaller stride");
    if (import->def->gaps == FENDER_GAPS_REFUSE) {
        fnd_words found = fnd_words_make("%zu of %zu", gap_count, count);
        return fnd_import_refuse_value(import, "the grid has places without a height", found.text,
                                       "a height everywhere",
                                       "say what becomes of them: no_data: spread, hole or a height");
    }
    if (import->def->gaps == FENDER_GAPS_FILL) {
        double height = import->def->fill_height - import->report.origin.z;
        for (size_t i = 0; i < count; i++)
            if (isnan(import->heights[i])) import->heights[i] = height;
        return true;
    }
    gap *gaps = fnd_import_allocate(import, gap_count, sizeof *gaps);
    if (!gaps) return false;
    spread(import, gaps);
    fnd_import_release(import, gaps, gap_count, sizeof *gaps);
    return true;
}

/* ---- triangles, as fender_geometry_grid divides its cells */

static bool add_triangle(fnd_import *import, const size_t at[3])
{
    for (int k = 0; k < 3; k++)
        if (isnan(import->heights[at[k]])) return true;
    for (int k = 0; k < 3; k++)
        if (!fnd_import_corner(import, (int32_t)at[k])) return false;
    return true;
}

static bool make_triangles(fnd_import *import)
{
    size_t columns = (size_t)import->columns, rows = (size_t)import->rows;
    if (!fnd_import_reserve(import, columns * rows, 6 * (columns - 1) * (rows - 1), 0)) return false;
    for (size_t j = 0; j < rows; j++)
        for (size_t i = 0; i < columns; i++) {
            double height = import->heights[j * columns + i];
            if (!fnd_import_vertex(import, import->lower.x + (double)i * import->spacing.x,
                                   import->lower.y + (double)j * import->spacing.y, isnan(height) ? 0 : height))
                return false;
        }
    for (size_t j = 0; j + 1 < rows; j++)
        for (size_t i = 0; i + 1 < columns; i++) {
            size_t near = j * columns + i, far = near + columns + 1;
            if (!add_triangle(import, (const size_t[3]){near, near + 1, far}) ||
                !add_triangle(import, (const size_t[3]){near, far, near + columns}))
                return false;
        }
    fnd_import_release(import, import->heights, import->height_capacity, sizeof(double));
    import->heights = NULL;
    import->columns = import->rows = 0;
    return true;
}

bool fnd_import_grid(fnd_import *import)
{
    if (import->def->stride > 1 && !thin_out(import, import->def->stride)) return false;
    if (!fill_gaps(import)) return false;
    bool holes = import->report.gaps > 0 && import->def->gaps == FENDER_GAPS_HOLE;
    return (!holes && !import->def->as_mesh) || make_triangles(import);
}
