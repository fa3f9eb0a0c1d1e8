/* OBJ files: the vertices (v) and polygons (f) of all groups; lines and points are counted, all else is left out. */
#include <string.h>

#include "import/scan.h"
#include "text/number.h"

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\\' || c == '\n'; }

/* A word of a line, which may go on behind a backslash. */
static size_t next_word(fnd_scan *s, const char **start)
{
    while (s->at < s->end && is_blank(*s->at)) s->at++;
    *start = s->at;
    while (s->at < s->end && !is_blank(*s->at)) s->at++;
    return (size_t)(s->at - *start);
}

static bool complain(fnd_import *import, int line, const char *text, size_t length, const char *what,
                     const char *expected)
{
    fnd_words found = fnd_words_of(text, length);
    return fnd_import_refuse(import, line, fnd_words_make("'%s' is no %s", found.text, what).text, found.text, expected,
                             "export the mesh anew");
}

static bool read_vertex(fnd_import *import, fnd_scan *s)
{
    double v[3];
    for (int i = 0; i < 3; i++) {
        const char *text;
        size_t length = next_word(s, &text), used = 0;
        if (!fnd_number_parse(text, length, &v[i], &used) || used != length)
            return complain(import, s->line, text, length, "finite coordinate", "three finite numbers behind 'v'");
    }
    return fnd_import_vertex(import, v[0], v[1], v[2]);
}

/* "7", "7/1", "7//3", "-1" (the vertex before this line): the vertex, from 0; `total`: of the whole file. */
static bool read_index(const char *text, size_t length, size_t before, size_t total, int32_t *index)
{
    const char *slash = memchr(text, '/', length);
    int64_t value;
    if (!fnd_scan_integer(text, slash ? (size_t)(slash - text) : length, &value)) return false;
    value = value < 0 ? (int64_t)before + value : value - 1;
    if (value < 0 || value >= (int64_t)total) return false;
    *index = (int32_t)value;
    return true;
}

static bool read_polygon(fnd_import *import, fnd_scan *s, size_t total)
{
    size_t corners = 0;
    for (;; corners++) {
        const char *text;
        int32_t index;
        size_t length = next_word(s, &text);
        if (length == 0) break;
        if (!read_index(text, length, import->vertex_count, total, &index))
            return complain(import, s->line, text, length, "vertex of this file",
                            fnd_words_make("1 to %zu, or -1 to -%zu", total, import->vertex_count).text);
        if (!fnd_import_corner(import, index)) return false;
    }
    if (corners >= 3) return fnd_import_polygon(import, corners);
    return fnd_import_refuse(import, s->line, "a polygon has fewer than three corners",
                             fnd_words_make("%zu corners", corners).text, "three or more", "export the mesh anew");
}

/* How many vertices the file has: polygons may stand before them. */
static size_t count_vertices(fnd_import *import)
{
    size_t count = 0;
    for (fnd_scan s = fnd_scan_open(import->bytes, import->length); s.at < s.end; fnd_scan_next_line(&s)) {
        while (s.at < s.end && (*s.at == ' ' || *s.at == '\t')) s.at++;
        count += s.end - s.at >= 2 && s.at[0] == 'v' && (s.at[1] == ' ' || s.at[1] == '\t');
    }
    return count;
}

bool fnd_import_obj(fnd_import *import)
{
    size_t total = count_vertices(import);
    fnd_scan whole = fnd_scan_open(import->bytes, import->length);
    for (const char *at = whole.at; at < whole.end;) {
        const char *stop = at;
        int lines = 1;
        for (; stop < whole.end && *stop != '\n'; stop++) /* a backslash joins two lines */
            if (*stop == '\\' && whole.end - stop > 1 &&
                (stop[1] == '\n' || (stop[1] == '\r' && whole.end - stop > 2))) {
                stop += stop[1] == '\n' ? 1 : 2;
                lines++;
            }
        fnd_scan s = {at, stop, whole.line};
        const char *text;
        size_t length = next_word(&s, &text);
        if (length == 1 && text[0] == 'v' && !read_vertex(import, &s)) return false;
        if (length == 1 && text[0] == 'f' && !read_polygon(import, &s, total)) return false;
        if (length == 1 && (text[0] == 'l' || text[0] == 'p')) import->report.other++;
        whole.line += lines;
        at = stop + 1;
    }
    if (import->vertex_count >= total) return true;
    /* a continued line began with a vertex that is none */
    return fnd_import_refuse(import, 0, "a polygon may name a vertex that the file does not have",
                             fnd_words_make("%zu vertices", import->vertex_count).text,
                             fnd_words_make("%zu, one a line", total).text, "remove backslashes before 'v' lines");
}
