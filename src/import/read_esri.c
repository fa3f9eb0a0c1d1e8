/* ESRI ASCII grids: a few keys, then heights row by row from the north. */
#include <math.h>
#include <string.h>

#include "import/scan.h"
#include "text/number.h"

enum { NCOLS, NROWS, XCORNER, YCORNER, XCENTER, YCENTER, CELL, DX, DY, NODATA, KEY_COUNT };
static const char *const keys[KEY_COUNT] = {"ncols",     "nrows",    "xllcorner", "yllcorner", "xllcenter",
                                            "yllcenter", "cellsize", "dx",        "dy",        "nodata_value"};

static bool missing(fnd_import *import, const fnd_scan *s, const char *key, const char *suggestion)
{
    return fnd_import_refuse(import, s->line, fnd_words_make("the grid has no '%s'", key).text,
                             "heights without it before them", fnd_words_make("'%s' and a number", key).text,
                             suggestion);
}

static bool read_keys(fnd_import *import, fnd_scan *s, double *values, bool *given)
{
    for (;;) {
        fnd_scan before = *s;
        const char *text;
        size_t length = fnd_scan_word(s, &text);
        int key = 0;
        bool letter = length > 0 && ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
        while (key < KEY_COUNT && !fnd_scan_is(text, length, keys[key])) key++;
        if (key == KEY_COUNT && (!letter || fnd_scan_is(text, length, "nan"))) {
            *s = before;
            return true;
        }
        fnd_words found = fnd_words_of(text, length);
        if (key == KEY_COUNT)
            return fnd_import_refuse(import, s->line, fnd_words_make("'%s' is no key of an ESRI grid", found.text).text,
                                     found.text, "ncols, nrows, xllcorner, yllcorner, cellsize, NODATA_value",
                                     "is this the file meant?");
        if (given[key])
            return fnd_import_refuse(import, s->line, fnd_words_make("'%s' is given twice", found.text).text,
                                     found.text, "each key once", "remove one of them");
        given[key] = true;
        if (key == NODATA) { /* often nan */
            fnd_scan here = *s;
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

static bool read_count(fnd_import *import, const fnd_scan *s, const char *key, double value, int *count)
{
    if (value >= 2 && value <= INT32_MAX && value == floor(value)) {
        *count = (int)value;
        return true;
    }
    fnd_words found = fnd_words_number(value);
    return fnd_import_refuse(import, s->line, fnd_words_make("a grid cannot have %s of %s", key, found.text).text,
                             found.text, "a whole number, 2 or more", "is this the file meant?");
}

/* The place of the first column or row: the middle of its cell. */
static double first_of(const double *values, const bool *given, int corner, int center, double spacing)
{
    return given[center] ? values[center] : given[corner] ? values[corner] + 0.5 * spacing : 0.5 * spacing;
}

static bool read_heights(fnd_import *import, fnd_scan *s, bool has_no_data, double no_data)
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
                                         "is the file whole?");
            if (fnd_scan_is(text, length, "nan") || fnd_scan_is(text, length, "-nan")) continue;
            if (!fnd_number_parse(text, length, &value, &used) || used != length) {
                fnd_words found = fnd_words_of(text, length);
                return fnd_import_refuse(import, s->line, fnd_words_make("'%s' is no finite height", found.text).text,
                                         found.text, "a finite number, or what NODATA_value says",
                                         "export the grid anew");
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
    fnd_scan s = fnd_scan_open(import->bytes, import->length);
    double values[KEY_COUNT] = {[NODATA] = -9999};
    bool given[KEY_COUNT] = {false};
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
                                 "is the file whole?");
    return fnd_import_raster(import, columns, rows) && read_heights(import, &s, true, values[NODATA]);
}
