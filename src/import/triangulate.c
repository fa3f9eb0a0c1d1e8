/* Polygons into triangles: fans of convex ones, ears cut off others. */
#include <math.h>

#include "import/import.h"

/* Cutting ears takes time like the square of the corners, seldom like the cube; then the work of a file ends it. */
#define CONCAVE_LIMIT    4096
#define WORK_OF_A_FILE   1e8
#define WORK_OF_A_CORNER 512.0

typedef struct polygon {
    const int32_t *corners;
    int count;
    fender_vec2 *flat; /* seen along its normal, counter-clockwise */
    int *next, *before;
    double grain; /* areas below this are rounding */
    double work;  /* that is left for the file */
} polygon;

static double cross(fender_vec2 a, fender_vec2 b, fender_vec2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Projects along the largest component of the normal (Newell's sum over the edges). */
static void flatten(const fnd_import *import, polygon *p)
{
    fender_vec3 origin = import->vertices[p->corners[0]], n = fender_vec3_make(0, 0, 0);
    double size = 0;
    for (int i = 0; i < p->count; i++) {
        fender_vec3 a = fender_vec3_sub(import->vertices[p->corners[i]], origin);
        fender_vec3 b = fender_vec3_sub(import->vertices[p->corners[i + 1 < p->count ? i + 1 : 0]], origin);
        n = fender_vec3_add(n, fender_vec3_cross(a, b));
        double length = fender_vec3_dot(a, a);
        size = length > size ? length : size;
    }
    p->grain = 1e-14 * size;
    bool along_x = fabs(n.x) >= fabs(n.y) && fabs(n.x) >= fabs(n.z), along_y = !along_x && fabs(n.y) >= fabs(n.z);
    bool away = (along_x ? n.x : along_y ? n.y : n.z) < 0;
    for (int i = 0; i < p->count; i++) {
        fender_vec3 v = fender_vec3_sub(import->vertices[p->corners[i]], origin);
        fender_vec2 f = along_x ? (fender_vec2){v.y, v.z} : along_y ? (fender_vec2){v.z, v.x} : (fender_vec2){v.x, v.y};
        p->flat[i] = away ? (fender_vec2){f.y, f.x} : f;
    }
}

/* All corners turn left (or, with `weak`, hardly right), and x and y each turn back twice: no star. */
static bool is_convex(const polygon *p, bool weak)
{
    int turns_x = 0, turns_y = 0;
    double last_x = 0, last_y = 0;
    for (int i = 0; i < p->count + 1; i++) {
        fender_vec2 a = p->flat[i % p->count], b = p->flat[(i + 1) % p->count], c = p->flat[(i + 2) % p->count];
        double area = cross(a, b, c), dx = b.x - a.x, dy = b.y - a.y;
        if (weak ? area < -p->grain : !(area > p->grain)) return false;
        if (dx != 0) {
            turns_x += dx * last_x < 0;
            last_x = dx > 0 ? 1 : -1;
        }
        if (dy != 0) {
            turns_y += dy * last_y < 0;
            last_y = dy > 0 ? 1 : -1;
        }
    }
    return turns_x <= 2 && turns_y <= 2;
}

static void emit(const polygon *p, int32_t *to, size_t *written, int a, int b, int c)
{
    to[(*written)++] = p->corners[a];
    to[(*written)++] = p->corners[b];
    to[(*written)++] = p->corners[c];
}

/* Does the boundary turn once around, as that of a polygon that does not cross itself? */
static bool turns_once(const polygon *p)
{
    double turn = 0;
    fender_vec2 last = {0, 0}, first = {0, 0};
    bool begun = false;
    for (int i = 0; i <= p->count; i++) {
        fender_vec2 a = p->flat[i % p->count], b = p->flat[(i + 1) % p->count], d = {b.x - a.x, b.y - a.y};
        if (d.x == 0 && d.y == 0) continue;
        if (i == p->count) d = first;
        if (begun) turn += atan2(last.x * d.y - last.y * d.x, last.x * d.x + last.y * d.y);
        else first = d;
        begun = true;
        last = d;
    }
    return turn > 3.2 && turn < 9.4; /* about 2 pi */
}

static bool same(fender_vec2 a, fender_vec2 b) { return a.x == b.x && a.y == b.y; }

/* Is the corner b an ear: does it turn left, and does no corner that turns right lie in its triangle? */
static bool is_ear(polygon *p, int b)
{
    int before = p->before[b], behind = p->next[b];
    fender_vec2 u = p->flat[before], v = p->flat[b], w = p->flat[behind];
    if (!(cross(u, v, w) > p->grain)) return false;
    for (int i = p->next[behind]; i != before; i = p->next[i]) {
        fender_vec2 q = p->flat[i];
        p->work--;
        if (same(q, u) || same(q, v) || same(q, w)) continue;
        if (cross(u, v, q) >= -p->grain && cross(v, w, q) >= -p->grain && cross(w, u, q) >= -p->grain &&
            !(cross(p->flat[p->before[i]], q, p->flat[p->next[i]]) > p->grain))
            return false;
    }
    return true;
}

/* The order in which ears go is fixed. A polygon that crosses itself has none at last: then the next corner goes. */
static bool cut_ears(fnd_import *import, polygon *p, int32_t *to, size_t *written)
{
    bool crossed = !turns_once(p);
    int left = p->count, at = 0, tried = 0;
    for (int i = 0; i < left; i++) {
        p->next[i] = (i + 1) % left;
        p->before[i] = (i + left - 1) % left;
    }
    while (left > 3) {
        if (p->work < 0) return false;
        bool ear = is_ear(p, at);
        if (!ear && tried++ < left) {
            at = p->next[at];
            continue;
        }
        crossed |= !ear && fabs(cross(p->flat[p->before[at]], p->flat[at], p->flat[p->next[at]])) > p->grain;
        emit(p, to, written, p->before[at], at, p->next[at]);
        p->next[p->before[at]] = p->next[at];
        p->before[p->next[at]] = p->before[at];
        at = p->next[p->next[at]];
        left--;
        tried = 0;
    }
    emit(p, to, written, p->before[at], at, p->next[at]);
    import->report.crossed_polygons += crossed;
    return true;
}

static bool divide(fnd_import *import, polygon *p, int32_t *to, size_t *written)
{
    if (p->count == 3) {
        emit(p, to, written, 0, 1, 2);
        return true;
    }
    flatten(import, p);
    bool fan = is_convex(p, false);
    if (!fan && p->count > CONCAVE_LIMIT) {
        fan = is_convex(p, true);
        if (!fan)
            return fnd_import_refuse_value(import, "a polygon that is not convex has too many corners",
                                           fnd_words_make("%d corners", p->count).text, "at most 4096",
                                           "divide it into triangles where it was made");
    }
    if (!fan && !cut_ears(import, p, to, written))
        return fnd_import_refuse_value(import, "the polygons of the file are too entangled", "windings without end",
                                       "polygons that do not wind", "divide them into triangles where they were made");
    for (int i = 2; fan && i < p->count; i++) emit(p, to, written, 0, i - 1, i);
    return true;
}

bool fnd_import_triangulate(fnd_import *import)
{
    size_t count = import->size_count, triangles = 0, largest = 3, written = 0;
    if (!import->sizes) return true;
    for (size_t i = 0; i < count; i++) {
        size_t size = (size_t)import->sizes[i];
        triangles += size - 2;
        if (size > largest) largest = size;
    }
    bool good = true;
    if (largest > 3) {
        int32_t *to = fnd_import_allocate(import, 3 * triangles, sizeof *to);
        polygon p = {.flat = to ? fnd_import_allocate(import, largest, sizeof(fender_vec2)) : NULL};
        p.next = p.flat ? fnd_import_allocate(import, largest, sizeof(int)) : NULL;
        p.before = p.next ? fnd_import_allocate(import, largest, sizeof(int)) : NULL;
        good = p.before != NULL;
        p.corners = import->corners;
        p.work = WORK_OF_A_FILE + WORK_OF_A_CORNER * (double)import->corner_count;
        for (size_t i = 0; good && i < count; i++) {
            p.count = import->sizes[i];
            good = divide(import, &p, to, &written);
            p.corners += p.count;
        }
        fnd_import_release(import, p.flat, largest, sizeof(fender_vec2));
        fnd_import_release(import, p.next, largest, sizeof(int));
        fnd_import_release(import, p.before, largest, sizeof(int));
        if (to) {
            fnd_import_release(import, import->corners, import->corner_capacity, sizeof(int32_t));
            import->corners = to;
            import->corner_capacity = import->corner_count = 3 * triangles;
        }
    }
    fnd_import_release(import, import->sizes, import->size_capacity, sizeof(int32_t));
    import->sizes = NULL;
    import->size_capacity = 0;
    return good;
}
