/* STL, OBJ and AC3D files. */
#include "import/import.h"
#include "support/number.h"
#include <math.h>
#include <string.h>

/* ---- STL ---- */

static bool read_binary(fnd_import *import, uint32_t count)
{
    const unsigned char *at = import->bytes + 84;
    if (!fnd_import_reserve(import, 3 * (size_t)count, 3 * (size_t)count, count)) return false;
    for (uint32_t t = 0; t < count; t++, at += 50) {
        for (int k = 0; k < 3; k++) {
            const unsigned char *c = at + 12 + 12 * k; /* behind the normal, which the corners give better */
            double x = fnd_binary_float32(c, false), y = fnd_binary_float32(c + 4, false),
                   z = fnd_binary_float32(c + 8, false);
            if (!isfinite(x) || !isfinite(y) || !isfinite(z)) {
                size_t byte = (size_t)(c - import->bytes);
                return fnd_import_refuse(import, 0,
                                         fnd_words_make("corner %d of triangle %lu, at byte %zu, is not finite", k + 1,
                                                        (unsigned long)t + 1, byte)
                                             .text,
                                         "a coordinate that is not a finite number", "finite coordinates",
                                         "export the mesh again");
            }
            if (!fnd_import_corner(import, (int32_t)import->vertex_count) || !fnd_import_vertex(import, x, y, z))
                return false;
        }
        if (!fnd_import_polygon(import, 3)) return false;
    }
    return true;
}

/* ---- text */

static fnd_words shown(const char *text, size_t length)
{
    return length > 0 ? fnd_words_of(text, length) : fnd_words_make("the end of the file");
}

static bool expect(fnd_import *import, fnd_word_scan *s, const char *wanted)
{
    const char *text;
    size_t length = fnd_scan_word(s, &text);
    if (fnd_scan_is(text, length, wanted)) return true;
    fnd_words found = shown(text, length);
    return fnd_import_refuse(
        import, s->line, fnd_words_make("'%s' stands where '%s' should", found.text, wanted).text, found.text,
        fnd_words_make("'%s'", wanted).text,
        "check whether the file is complete: facet normal, outer loop, three vertices, endloop, endfacet");
}

static bool read_facet(fnd_import *import, fnd_word_scan *s)
{
    const char *text;
    if (!expect(import, s, "normal")) return false;
    for (int i = 0; i < 3; i++) (void)fnd_scan_word(s, &text); /* often 0 or nan; the corners give it better */
    if (!expect(import, s, "outer") || !expect(import, s, "loop")) return false;
    for (int k = 0; k < 3; k++) {
        double v[3];
        if (!expect(import, s, "vertex") ||
            !fnd_scan_numbers(import, s, false, 3, v, "coordinate", "three finite numbers behind 'vertex'") ||
            !fnd_import_corner(import, (int32_t)import->vertex_count) || !fnd_import_vertex(import, v[0], v[1], v[2]))
            return false;
    }
    return expect(import, s, "endloop") && expect(import, s, "endfacet") && fnd_import_polygon(import, 3);
}

/* One or more of: solid NAME, facets, endsolid NAME. */
static bool read_text(fnd_import *import)
{
    fnd_word_scan s = fnd_scan_open(import->bytes, import->length);
    bool open = false;
    for (;;) {
        const char *text;
        size_t length = fnd_scan_word(&s, &text);
        if (length == 0 && !open) return true;
        if (!open && fnd_scan_is(text, length, "solid")) {
            fnd_scan_next_line(&s);
            open = true;
        } else if (open && fnd_scan_is(text, length, "facet")) {
            if (!read_facet(import, &s)) return false;
        } else if (open && fnd_scan_is(text, length, "endsolid")) {
            fnd_scan_next_line(&s);
            open = false;
        } else {
            fnd_words found = shown(text, length);
            return fnd_import_refuse(
                import, s.line, fnd_words_make("'%s' does not belong into an STL file", found.text).text, found.text,
                open ? "'facet' or 'endsolid'" : "'solid'", "check whether the file is complete");
        }
    }
}

/* True if a line begins with a vertex, as lines of an OBJ do. */
static bool has_vertex_line(const char *at, const char *end)
{
    while (end - at > 2) {
        if (at[0] == 'v' && (at[1] == ' ' || at[1] == '\t')) return true;
        const char *line = memchr(at, '\n', (size_t)(end - at));
        if (!line) return false;
        at = line + 1;
    }
    return false;
}

/* A file of another format under the name of an STL. */
static bool refuse_text(fnd_import *import, const char *word, size_t length)
{
    const char *bytes = (const char *)import->bytes;
    const bool obj = has_vertex_line(bytes, bytes + import->length);
    fnd_words found = shown(word, length);
    return fnd_import_refuse(import, 0, "the file is text, but not an STL file", found.text, "'solid' at its start",
                             obj ? "it looks like an OBJ: name it as obj, or check the ending of its name"
                                 : "check the format of the file, and whether it is complete");
}

bool fnd_import_stl(fnd_import *import)
{
    size_t length = import->length;
    uint32_t count = length >= 84 ? fnd_binary_uint32(import->bytes + 80, false) : 0;
    if (length >= 84 && 84 + 50 * (uint64_t)count == length) return read_binary(import, count);
    fnd_word_scan s = fnd_scan_open(import->bytes, length);
    const char *text;
    /* "solid" may begin the title of a binary file, too; no text holds a byte of 0 */
    const size_t first = fnd_scan_word(&s, &text);
    const bool is_text = first > 0 && !memchr(import->bytes, 0, length);
    if (is_text && first >= 5 && fnd_scan_is(text, 5, "solid")) return read_text(import);
    if (is_text && (length >= 84 || has_vertex_line((const char *)import->bytes, (const char *)import->bytes + length)))
        return refuse_text(import, text, first);
    if (length < 84)
        return fnd_import_refuse(import, 0, "the file is not an STL file", fnd_words_make("%zu bytes", length).text,
                                 "'solid' at its start, or 84 bytes and more", "check whether the file is complete");
    return fnd_import_refuse(
        import, 0, "the length of the binary STL does not fit its count of triangles",
        fnd_words_make("%zu bytes", length).text,
        fnd_words_make("%llu bytes for %lu triangles", 84 + 50 * (unsigned long long)count, (unsigned long)count).text,
        "check whether the file is complete");
}

/* ---- OBJ ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\\' || c == '\n'; }

/* A word of a line, which may go on behind a backslash. */
static size_t next_word(fnd_word_scan *s, const char **start)
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
                             "export the mesh again");
}

static bool read_vertex(fnd_import *import, fnd_word_scan *s)
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

static bool read_polygon(fnd_import *import, fnd_word_scan *s, size_t total)
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
                             fnd_words_make("%zu corners", corners).text, "three or more", "export the mesh again");
}

/* How many vertices the file has: polygons may stand before them. */
static size_t count_vertices(fnd_import *import)
{
    size_t count = 0;
    for (fnd_word_scan s = fnd_scan_open(import->bytes, import->length); s.at < s.end; fnd_scan_next_line(&s)) {
        while (s.at < s.end && (*s.at == ' ' || *s.at == '\t')) s.at++;
        count += s.end - s.at >= 2 && s.at[0] == 'v' && (s.at[1] == ' ' || s.at[1] == '\t');
    }
    return count;
}

bool fnd_import_obj(fnd_import *import)
{
    size_t total = count_vertices(import);
    fnd_word_scan whole = fnd_scan_open(import->bytes, import->length);
    for (const char *at = whole.at; at < whole.end;) {
        const char *stop = at;
        int lines = 1;
        for (; stop < whole.end && *stop != '\n'; stop++) /* a backslash joins two lines */
            if (*stop == '\\' && whole.end - stop > 1 &&
                (stop[1] == '\n' || (stop[1] == '\r' && whole.end - stop > 2))) {
                stop += stop[1] == '\n' ? 1 : 2;
                lines++;
            }
        fnd_word_scan s = {at, stop, whole.line};
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

/* ---- AC3D ---- */

#define DEPTH_LIMIT 256

typedef struct level {
    double axes[3][3]; /* rows: where x, y, z of the object lie in the file's frame */
    double at[3];
    double own_axes[3][3], own_at[3]; /* against the parent */
    size_t first_vertex;
    size_t kids; /* still to come */
} level;

typedef struct ac3d {
    fnd_import *import;
    fnd_word_scan s;
    int depth;       /* open objects */
    bool world_done; /* the root was a world, and is complete */
    bool root_is_world;
    level levels[DEPTH_LIMIT];
} ac3d;

static bool complain_of(ac3d *r, const char *text, size_t length, const char *message, const char *expected)
{
    fnd_words found = length > 0 || r->s.at < r->s.end ? fnd_words_of(text, length)
                                                       : fnd_words_make("the end of the file");
    return fnd_import_refuse(r->import, r->s.line, fnd_words_make(message, found.text).text, found.text, expected,
                             "check whether the file is complete");
}

/* The object's vertices into the frame of the file, once its rotation and shift are known. */
static void place_object(ac3d *r)
{
    static const level root = {.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    level *own = &r->levels[r->depth - 1];
    const level *parent = r->depth > 1 ? own - 1 : &root;
    for (int j = 0; j < 3; j++) {
        own->at[j] = parent->at[j];
        for (int k = 0; k < 3; k++) {
            own->at[j] += own->own_at[k] * parent->axes[k][j];
            own->axes[k][j] = 0;
            for (int i = 0; i < 3; i++) own->axes[k][j] += own->own_axes[k][i] * parent->axes[i][j];
        }
    }
    for (size_t i = own->first_vertex; i < r->import->vertex_count; i++) {
        fender_vec3 *p = &r->import->vertices[i];
        const double v[3] = {p->x, p->y, p->z};
        double w[3];
        for (int j = 0; j < 3; j++)
            w[j] = own->at[j] + (v[0] * own->axes[0][j] + v[1] * own->axes[1][j] + v[2] * own->axes[2][j]);
        *p = fender_vec3_make(w[0], w[1], w[2]);
    }
}

static bool open_object(ac3d *r, const char *type, size_t length)
{
    if (r->depth == 0 && r->world_done)
        return complain_of(r, type, length,
                           "an object '%s' stands behind the end of the world: a count of kids is too small",
                           "as many objects as the counts of kids say");
    if (r->depth == DEPTH_LIMIT)
        return fnd_import_refuse(r->import, r->s.line, "objects are nested too deep", "more than 256 levels",
                                 "at most 256", "check whether the file is complete, or flatten its groups");
    if (r->depth == 0) r->root_is_world = fnd_scan_is(type, length, "world");
    level *own = &r->levels[r->depth++];
    memset(own, 0, sizeof *own);
    for (int i = 0; i < 3; i++) own->own_axes[i][i] = 1;
    own->first_vertex = r->import->vertex_count;
    return true;
}

static bool read_vertices(ac3d *r)
{
    size_t count;
    double v[3];
    if (!fnd_scan_count(r->import, &r->s, "vertices", 6, &count)) return false;
    for (size_t i = 0; i < count; i++) {
        fnd_scan_next_line(&r->s); /* behind the coordinates a normal may stand */
        if (!fnd_scan_numbers(r->import, &r->s, false, 3, v, "coordinate", "three finite numbers of a vertex") ||
            !fnd_import_vertex(r->import, v[0], v[1], v[2]))
            return false;
    }
    return true;
}

/* `refs N`, then a vertex of the object and its place in the texture, N times. */
static bool read_refs(ac3d *r, int kind)
{
    size_t count, own = r->import->vertex_count - r->levels[r->depth - 1].first_vertex;
    if (!fnd_scan_count(r->import, &r->s, "corners", 2, &count)) return false;
    bool surface = kind == 0 && count >= 3;
    for (size_t i = 0; i < count; i++) {
        const char *text;
        int64_t index;
        fnd_scan_next_line(&r->s);
        size_t length = fnd_scan_word(&r->s, &text);
        if (!fnd_scan_integer(text, length, &index) || index < 0 || (uint64_t)index >= own)
            return complain_of(r, text, length, "'%s' is not a vertex of the object",
                               own > 0 ? fnd_words_make("0 to %zu", own - 1).text : "an object with vertices");
        if (surface && !fnd_import_corner(r->import, (int32_t)((size_t)index + r->levels[r->depth - 1].first_vertex)))
            return false;
    }
    if (!surface) r->import->report.other++;
    return !surface || fnd_import_polygon(r->import, count);
}

static bool read_surface(ac3d *r)
{
    const char *text;
    int64_t flags;
    fnd_scan_next_line(&r->s); /* behind an index its place in the texture stands */
    size_t length = fnd_scan_word(&r->s, &text);
    if (!fnd_scan_is(text, length, "surf"))
        return complain_of(r, text, length, "'%s' stands where 'SURF' should", "'SURF'");
    length = fnd_scan_word_here(&r->s, &text);
    if (!fnd_scan_integer(text, length, &flags) || flags < 0)
        return complain_of(r, text, length, "'%s' is not a kind of surface", "0x and a number");
    int kind = (int)(flags & 15);
    if (kind > 2)
        return complain_of(r, text, length, "surfaces of kind '%s' are not known", "0 polygon, 1 closed line, 2 line");
    for (;;) {
        length = fnd_scan_word(&r->s, &text);
        if (fnd_scan_is(text, length, "refs")) return read_refs(r, kind);
        if (!fnd_scan_is(text, length, "mat"))
            return complain_of(r, text, length, "'%s' stands where 'mat' or 'refs' should", "'refs' and a count");
        (void)fnd_scan_word_here(&r->s, &text);
    }
}

static bool read_surfaces(ac3d *r)
{
    size_t count;
    if (!fnd_scan_count(r->import, &r->s, "surfaces", 12, &count)) return false;
    for (size_t i = 0; i < count; i++)
        if (!read_surface(r)) return false;
    return true;
}

/* `data N`: N bytes of anything behind the line. */
static bool skip_data(ac3d *r)
{
    size_t count;
    if (!fnd_scan_count(r->import, &r->s, "bytes", 1, &count)) return false;
    fnd_scan_next_line(&r->s);
    const char *stop = count < (size_t)(r->s.end - r->s.at) ? r->s.at + count : r->s.end;
    while (r->s.at < stop) r->s.line += *r->s.at++ == '\n';
    return true;
}

static bool read_kids(ac3d *r)
{
    level *own = &r->levels[r->depth - 1];
    if (!fnd_scan_count(r->import, &r->s, "kids", 8, &own->kids)) return false;
    place_object(r);
    while (r->depth > 0 && r->levels[r->depth - 1].kids == 0) {
        r->depth--;
        if (r->depth > 0) r->levels[r->depth - 1].kids--;
    }
    if (r->depth == 0) r->world_done = r->root_is_world;
    return true;
}

/* Entries of an object other than its kids; every entry that is not geometry is one line. */
static bool read_part(ac3d *r, const char *text, size_t length)
{
    static const char *const skipped[] = {"name",   "texture", "texrep", "texoff", "url",   "crease",
                                          "subdiv", "hidden",  "locked", "folded", "shader"};
    level *own = &r->levels[r->depth - 1];
    if (fnd_scan_is(text, length, "numvert")) return read_vertices(r);
    if (fnd_scan_is(text, length, "numsurf")) return read_surfaces(r);
    if (fnd_scan_is(text, length, "data")) return skip_data(r);
    if (fnd_scan_is(text, length, "kids")) return read_kids(r);
    if (fnd_scan_is(text, length, "loc"))
        return fnd_scan_numbers(r->import, &r->s, true, 3, own->own_at, "number", "three finite numbers behind 'loc'");
    if (fnd_scan_is(text, length, "rot"))
        return fnd_scan_numbers(r->import, &r->s, true, 9, &own->own_axes[0][0], "number",
                                "nine finite numbers behind 'rot'");
    for (size_t i = 0; i < sizeof skipped / sizeof skipped[0]; i++)
        if (fnd_scan_is(text, length, skipped[i])) return true;
    return complain_of(r, text, length, "'%s' does not belong into an object of AC3D",
                       "name, texture, rot, loc, data, numvert, numsurf or kids");
}

static bool read_tree(ac3d *r)
{
    const char *text;
    size_t length = fnd_scan_word_here(&r->s, &text);
    if (length < 4 || memcmp(text, "AC3D", 4) != 0)
        return complain_of(r, text, length, "'%s' does not begin an AC3D file",
                           "'AC3Db' or the like in the first line");
    for (;;) {
        if (r->depth == 0 || !fnd_scan_is(text, length, "data")) fnd_scan_next_line(&r->s);
        length = fnd_scan_word(&r->s, &text);
        if (length == 0) break;
        if (fnd_scan_is(text, length, "object")) {
            if (r->depth > 0 && r->levels[r->depth - 1].kids == 0)
                return complain_of(r, text, length, "'%s' stands inside another object, before its 'kids'",
                                   "'kids' at the end of an object");
            length = fnd_scan_word_here(&r->s, &text);
            if (!open_object(r, text, length)) return false;
        } else if (r->depth > 0 && r->levels[r->depth - 1].kids == 0) {
            if (!read_part(r, text, length)) return false;
        } else if (r->depth > 0 || (!fnd_scan_is(text, length, "material") && !fnd_scan_is(text, length, "mat") &&
                                    !fnd_scan_is(text, length, "endmat") && !fnd_scan_is(text, length, "rgb") &&
                                    !fnd_scan_is(text, length, "amb") && !fnd_scan_is(text, length, "emis") &&
                                    !fnd_scan_is(text, length, "spec") && !fnd_scan_is(text, length, "shi") &&
                                    !fnd_scan_is(text, length, "trans") && !fnd_scan_is(text, length, "data")))
            return complain_of(r, text, length, "'%s' stands where an object should begin", "MATERIAL or OBJECT");
    }
    if (r->depth == 0) return true;
    return fnd_import_refuse(r->import, r->s.line, "the file ends within an object",
                             fnd_words_make("%d objects are open", r->depth).text, "as many kids as each object says",
                             "check whether the file is complete");
}

bool fnd_import_ac3d(fnd_import *import)
{
    ac3d *r = fnd_import_allocate(import, 1, sizeof *r);
    if (!r) return false;
    memset(r, 0, sizeof *r);
    r->import = import;
    r->s = fnd_scan_open(import->bytes, import->length);
    bool good = read_tree(r);
    fnd_import_release(import, r, 1, sizeof *r);
    return good;
}
