/* OBJ files: the vertices (v) and polygons (f), which become fans of triangles; all else is left out. */
#include <limits.h>
#include <string.h>

#include "scenario/mesh_file.h"
#include "text/number.h"

typedef struct scanner {
    const char *at, *end; /* of the line */
    int line;
} scanner;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\\' || c == '\n'; }

static size_t next_word(scanner *s, const char **start)
{
    while (s->at < s->end && is_blank(*s->at)) s->at++;
    *start = s->at;
    while (s->at < s->end && !is_blank(*s->at)) s->at++;
    return (size_t)(s->at - *start);
}

static bool complain(fnd_mesh_builder *mesh, const scanner *s, const char *text, size_t length, const char *what,
                     const char *expected)
{
    char *copy = fnd_keep_text(mesh->reader, text, length < 80 ? length : 80);
    fnd_phrase found = copy && copy[0] ? fnd_shown(copy) : fnd_phrase_make("nothing");
    return fnd_mesh_complain(mesh, s->line, fnd_phrase_make("'%s' is no %s", found.text, what).text, found.text,
                             expected, "export the mesh anew");
}

static bool read_vertex(fnd_mesh_builder *mesh, scanner *s)
{
    double v[3];
    for (int i = 0; i < 3; i++) {
        const char *text;
        size_t length = next_word(s, &text), used = 0;
        if (!fnd_number_parse(text, length, &v[i], &used) || used != length)
            return complain(mesh, s, text, length, "finite coordinate", "three finite numbers behind 'v'");
    }
    return fnd_mesh_add_corner(mesh, fender_vec3_make(v[0], v[1], v[2]));
}

/* "7", "7/1", "7//3", "-1": the vertex, from 0. */
static bool read_index(const char *text, size_t length, int count, int32_t *index)
{
    bool back = length > 0 && text[0] == '-';
    long long value = 0;
    size_t i = back ? 1 : 0, first = i;
    for (; i < length && text[i] >= '0' && text[i] <= '9' && i < first + 10; i++) value = 10 * value + (text[i] - '0');
    if (i == first || (i < length && text[i] != '/')) return false;
    value = back ? count - value : value - 1;
    if (value < 0 || value >= count) return false;
    *index = (int32_t)value;
    return true;
}

static bool read_polygon(fnd_mesh_builder *mesh, scanner *s)
{
    int32_t first = 0, before = 0, index;
    int corners = 0;
    for (;; corners++) {
        const char *text;
        size_t length = next_word(s, &text);
        if (length == 0) break;
        if (!read_index(text, length, mesh->corner_count, &index))
            return complain(mesh, s, text, length, "vertex that stands before this line",
                            fnd_phrase_make("1 to %d, or -1 to -%d", mesh->corner_count, mesh->corner_count).text);
        if (corners == 0) first = index;
        if (corners >= 2 && !fnd_mesh_add_triangle(mesh, first, before, index)) return false;
        before = index;
    }
    if (corners >= 3) return true;
    return fnd_mesh_complain(mesh, s->line, "a polygon has fewer than three corners",
                             fnd_phrase_make("%d corners", corners).text, "three or more", "export the mesh anew");
}

bool fnd_mesh_read_obj(fnd_mesh_builder *mesh)
{
    const char *at = mesh->source->text, *end = at + mesh->source->length;
    for (int line = 1; at < end;) {
        const char *stop = at;
        int lines = 1;
        for (; stop < end && *stop != '\n'; stop++) /* a backslash joins two lines */
            if (*stop == '\\' && stop + 1 < end && (stop[1] == '\n' || (stop[1] == '\r' && stop + 2 < end))) {
                stop += stop[1] == '\n' ? 1 : 2;
                lines++;
            }
        scanner s = {at, stop, line};
        const char *text;
        size_t length = next_word(&s, &text);
        if (length == 1 && text[0] == 'v' && !read_vertex(mesh, &s)) return false;
        if (length == 1 && text[0] == 'f' && !read_polygon(mesh, &s)) return false;
        line += lines;
        at = stop + 1;
    }
    return true;
}
