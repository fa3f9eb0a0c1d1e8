/* ENVI headers: `key = value` lines that describe a raw raster. */
#include <math.h>
#include <string.h>

#include "import/scan.h"
#include "text/number.h"

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
static bool next_entry(fnd_scan *s, entry *e)
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
        return refuse(import, name, fnd_words_make("'%s' is no whole number", names[key]).text,
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
    return refuse(import, name, "a data type that is no height", fnd_words_number(values[TYPE]).text,
                  "1, 2, 3, 4, 5, 12 or 13");
}

bool fnd_import_envi(fnd_import *import, const char *text, size_t length, const char *name,
                     fender_raster_layout *layout)
{
    static const char *const keys[KEY_COUNT] = {
        "samples", "lines", "bands", "header offset", "data type", "byte order", "data ignore value"};
    fnd_scan s = fnd_scan_open(text, length);
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
                return refuse(import, name, fnd_words_make("'%s' is no number", keys[key]).text,
                              fnd_words_of(e.value, e.value_length < 60 ? e.value_length : 60).text, "a finite number");
            given[key] = true;
        }
    }
    if (!fill(import, name, values, given, layout)) return false;
    if (map.key) place(layout, &map);
    return true;
}
