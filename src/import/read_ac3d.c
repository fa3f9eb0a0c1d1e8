/* AC3D files: a tree of objects, each with a rotation and a shift against its parent, vertices and surfaces. */
#include <string.h>

#include "import/scan.h"

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
    fnd_scan s;
    int depth;       /* open objects */
    bool world_done; /* the root was a world, and is complete */
    bool root_is_world;
    level levels[DEPTH_LIMIT];
} ac3d;

static bool complain(ac3d *r, const char *text, size_t length, const char *message, const char *expected)
{
    fnd_words found = length > 0 || r->s.at < r->s.end ? fnd_words_of(text, length)
                                                       : fnd_words_make("the end of the file");
    return fnd_import_refuse(r->import, r->s.line, fnd_words_make(message, found.text).text, found.text, expected,
                             "is the file whole?");
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
        return complain(r, type, length,
                        "an object '%s' stands behind the end of the world: a count of kids is too small",
                        "as many objects as the counts of kids say");
    if (r->depth == DEPTH_LIMIT)
        return fnd_import_refuse(r->import, r->s.line, "objects are nested too deep", "more than 256 levels",
                                 "at most 256", "is the file whole? flatten its groups");
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
            return complain(r, text, length, "'%s' is no vertex of the object",
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
        return complain(r, text, length, "'%s' stands where 'SURF' should", "'SURF'");
    length = fnd_scan_word_here(&r->s, &text);
    if (!fnd_scan_integer(text, length, &flags) || flags < 0)
        return complain(r, text, length, "'%s' is no kind of surface", "0x and a number");
    int kind = (int)(flags & 15);
    if (kind > 2)
        return complain(r, text, length, "surfaces of kind '%s' are not known", "0 polygon, 1 closed line, 2 line");
    for (;;) {
        length = fnd_scan_word(&r->s, &text);
        if (fnd_scan_is(text, length, "refs")) return read_refs(r, kind);
        if (!fnd_scan_is(text, length, "mat"))
            return complain(r, text, length, "'%s' stands where 'mat' or 'refs' should", "'refs' and a count");
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

/* What may stand in an object besides its kids; all that is not geometry is one line. */
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
    return complain(r, text, length, "'%s' does not belong into an object of AC3D",
                    "name, texture, rot, loc, data, numvert, numsurf or kids");
}

static bool read_tree(ac3d *r)
{
    const char *text;
    size_t length = fnd_scan_word_here(&r->s, &text);
    if (length < 4 || memcmp(text, "AC3D", 4) != 0)
        return complain(r, text, length, "'%s' does not begin an AC3D file", "'AC3Db' or the like in the first line");
    for (;;) {
        if (r->depth == 0 || !fnd_scan_is(text, length, "data")) fnd_scan_next_line(&r->s);
        length = fnd_scan_word(&r->s, &text);
        if (length == 0) break;
        if (fnd_scan_is(text, length, "object")) {
            if (r->depth > 0 && r->levels[r->depth - 1].kids == 0)
                return complain(r, text, length, "'%s' stands inside another object, before its 'kids'",
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
            return complain(r, text, length, "'%s' stands where an object should begin", "MATERIAL or OBJECT");
    }
    if (r->depth == 0) return true;
    return fnd_import_refuse(r->import, r->s.line, "the file ends within an object",
                             fnd_words_make("%d objects are open", r->depth).text, "as many kids as each object says",
                             "is the file whole?");
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
