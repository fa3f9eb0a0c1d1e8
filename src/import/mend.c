/* Mending: which facets meet at which edges, their facing, what is doubled or missing. */
#include "import/import.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- Welding ---- */

/* A table of chains: `slots` hold the number + 1 of the first of a chain, `next` those behind it. */
typedef struct chains {
    uint32_t *slots, *next;
    size_t mask, count;
} chains;

static bool open_chains(fnd_import *import, chains *c, size_t count)
{
    size_t size = 16;
    while (size < count + count / 2) size *= 2;
    *c = (chains){NULL, NULL, size - 1, count};
    c->slots = fnd_import_allocate(import, size, sizeof *c->slots);
    c->next = c->slots ? fnd_import_allocate(import, count, sizeof *c->next) : NULL;
    if (c->slots) memset(c->slots, 0, size * sizeof *c->slots);
    return c->next != NULL;
}

static void close_chains(fnd_import *import, chains *c)
{
    fnd_import_release(import, c->slots, c->mask + 1, sizeof *c->slots);
    fnd_import_release(import, c->next, c->count, sizeof *c->next);
}

static void link_in(chains *c, uint64_t hash, size_t index)
{
    uint32_t *slot = &c->slots[hash & c->mask];
    c->next[index] = *slot;
    *slot = (uint32_t)index + 1;
}

static uint64_t hash3(const void *words)
{
    uint64_t w[3];
    memcpy(w, words, sizeof w);
    return fnd_import_mix(fnd_import_mix(fnd_import_mix(1, w[0]), w[1]), w[2]);
}

typedef struct cell {
    int64_t at[3];
} cell;

static cell cell_of(fender_vec3 p, double size)
{
    return (cell){{(int64_t)floor(p.x / size), (int64_t)floor(p.y / size), (int64_t)floor(p.z / size)}};
}

/* Are the cells numbers that integers hold? */
static bool cells_fit(fnd_import *import, double size, const char *what)
{
    double largest = 0;
    for (size_t i = 0; i < import->vertex_count; i++) {
        const double v[3] = {fabs(import->vertices[i].x), fabs(import->vertices[i].y), fabs(import->vertices[i].z)};
        for (int k = 0; k < 3; k++) largest = v[k] > largest ? v[k] : largest;
    }
    if (isfinite(size) && largest / size < 0x1p52) return true;
    fnd_words found = fnd_words_number(size);
    return fnd_import_refuse_value(
        import, fnd_words_make("%s is not a valid distance for '%s' of this mesh", found.text, what).text, found.text,
        fnd_words_make("0, or more than %s m", fnd_words_number(largest / 0x1p52).text).text,
        "use a length above the rounding of the coordinates");
}

/* The first vertex of the same coordinates, among those that are kept; -1: none. */
static int64_t find_same(const fnd_import *import, const chains *c, fender_vec3 p)
{
    for (uint32_t i = c->slots[hash3(&p) & c->mask]; i; i = c->next[i - 1]) {
        fender_vec3 q = import->vertices[i - 1];
        if (q.x == p.x && q.y == p.y && q.z == p.z) return (int64_t)i - 1;
    }
    return -1;
}

/* The first vertex that is kept and nearer than `reach`. */
static int64_t find_near(const fnd_import *import, const chains *c, fender_vec3 p, double reach)
{
    cell middle = cell_of(p, reach);
    int64_t best = -1;
    for (int n = 0; n < 27; n++) {
        cell beside = {{middle.at[0] + n % 3 - 1, middle.at[1] + n / 3 % 3 - 1, middle.at[2] + n / 9 - 1}};
        for (uint32_t i = c->slots[hash3(&beside) & c->mask]; i; i = c->next[i - 1]) {
            fender_vec3 d = fender_vec3_sub(import->vertices[i - 1], p);
            if (fender_vec3_dot(d, d) <= reach * reach && (best < 0 || (int64_t)i - 1 < best)) best = (int64_t)i - 1;
        }
    }
    return best;
}

bool fnd_import_weld(fnd_import *import)
{
    size_t count = import->vertex_count, kept = 0;
    double reach = import->def->weld;
    chains c;
    if (reach > 0 && !cells_fit(import, reach, "weld")) return false;
    int32_t *map = fnd_import_allocate(import, count, sizeof *map);
    bool good = map != NULL && open_chains(import, &c, count);
    if (map && !good) close_chains(import, &c);
    for (size_t i = 0; good && i < count; i++) {
        fender_vec3 p = import->vertices[i];
        int64_t found = reach > 0 ? find_near(import, &c, p, reach) : find_same(import, &c, p);
        if (found < 0) {
            cell at = reach > 0 ? cell_of(p, reach) : (cell){{0, 0, 0}};
            link_in(&c, reach > 0 ? hash3(&at) : hash3(&p), kept);
            import->vertices[kept] = p;
            found = (int64_t)kept++;
        }
        map[i] = (int32_t)found;
    }
    if (good) {
        for (size_t i = 0; i < import->corner_count; i++) import->corners[i] = map[import->corners[i]];
        import->report.welded += (int64_t)(count - kept);
        import->vertex_count = kept;
        close_chains(import, &c);
    }
    fnd_import_release(import, map, count, sizeof *map);
    return good;
}

/* All vertices of a cell become their mean. */
static void gather(fnd_import *import, chains *c, int32_t *map, fender_vec3 *sums, int32_t *members, double size)
{
    size_t count = import->vertex_count, kept = 0;
    for (size_t i = 0; i < count; i++) {
        cell own = cell_of(import->vertices[i], size);
        uint32_t found = c->slots[hash3(&own) & c->mask];
        for (; found; found = c->next[found - 1]) { /* the first of a cell stands for it until all are gathered */
            cell other = cell_of(import->vertices[found - 1], size);
            if (other.at[0] == own.at[0] && other.at[1] == own.at[1] && other.at[2] == own.at[2]) break;
        }
        size_t at = found > 0 ? found - 1 : kept++;
        if (found == 0) {
            link_in(c, hash3(&own), at);
            import->vertices[at] = import->vertices[i]; /* at <= i */
            sums[at] = fender_vec3_make(0, 0, 0);
            members[at] = 0;
        }
        sums[at] = fender_vec3_add(sums[at], fender_vec3_sub(import->vertices[i], import->vertices[at]));
        members[at]++;
        map[i] = (int32_t)at;
    }
    for (size_t i = 0; i < kept; i++)
        import->vertices[i] = fender_vec3_add_scaled(import->vertices[i], 1.0 / members[i], sums[i]);
    for (size_t i = 0; i < import->corner_count; i++) import->corners[i] = map[import->corners[i]];
    import->report.welded += (int64_t)(count - kept);
    import->vertex_count = kept;
}

bool fnd_import_cluster(fnd_import *import)
{
    size_t count = import->vertex_count;
    chains c = {NULL, NULL, 0, 0};
    if (!(import->def->cluster > 0)) return true;
    if (!cells_fit(import, import->def->cluster, "cluster")) return false;
    int32_t *map = fnd_import_allocate(import, count, sizeof *map);
    int32_t *members = map ? fnd_import_allocate(import, count, sizeof *members) : NULL;
    fender_vec3 *sums = members ? fnd_import_allocate(import, count, sizeof *sums) : NULL;
    bool good = sums && open_chains(import, &c, count);
    if (good) gather(import, &c, map, sums, members, import->def->cluster);
    if (c.slots) close_chains(import, &c);
    fnd_import_release(import, map, count, sizeof *map);
    fnd_import_release(import, members, count, sizeof *members);
    fnd_import_release(import, sums, count, sizeof *sums);
    return good;
}

/* ---- Mending ---- */

/* Slivers are exchanged with their neighbours in rounds; what is left then is dropped. */
#define ROUND_LIMIT 8

fender_vec3 fnd_import_area_vector(fender_vec3 a, fender_vec3 b, fender_vec3 c)
{
    return fender_vec3_cross(fender_vec3_sub(b, a), fender_vec3_sub(c, a));
}

static double largest_of(fender_vec3 v)
{
    double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
    return x > y ? (x > z ? x : z) : (y > z ? y : z);
}

/* The height above the longest edge against the rounding of the coordinates, and the least sine of an angle: so little
 * above rounding that the normal means something. */
static bool import_is_sliver(fender_vec3 a, fender_vec3 b, fender_vec3 c)
{
    fender_vec3 u = fender_vec3_sub(b, a), v = fender_vec3_sub(c, a), w = fender_vec3_sub(c, b);
    double scale = largest_of(u), coordinate = largest_of(a);
    if (largest_of(v) > scale) scale = largest_of(v);
    if (largest_of(w) > scale) scale = largest_of(w);
    if (largest_of(b) > coordinate) coordinate = largest_of(b);
    if (largest_of(c) > coordinate) coordinate = largest_of(c);
    if (!(scale > 1e-290)) return true;
    u = fender_vec3_make(u.x / scale, u.y / scale, u.z / scale);
    v = fender_vec3_make(v.x / scale, v.y / scale, v.z / scale);
    w = fender_vec3_make(w.x / scale, w.y / scale, w.z / scale);
    double twice = fender_vec3_length(fender_vec3_cross(u, v)); /* longest edges are about 1 */
    double lengths[3] = {fender_vec3_length(u), fender_vec3_length(v), fender_vec3_length(w)};
    for (int k = 0; k < 3; k++)
        if (!(twice > 4e-15 * lengths[k] * lengths[(k + 1) % 3])) return true;
    return !(twice * scale > 32 * DBL_EPSILON * coordinate);
}

static bool is_sliver(const fnd_import *import, const int32_t *c)
{
    return import_is_sliver(import->vertices[c[0]], import->vertices[c[1]], import->vertices[c[2]]);
}

/* ---- doubled facets */

static void sort3(const int32_t *c, int32_t *s)
{
    memcpy(s, c, 3 * sizeof *s);
    for (int i = 0; i < 3; i++) {
        int k = i % 2;
        if (s[k] <= s[k + 1]) continue;
        int32_t larger = s[k];
        s[k] = s[k + 1];
        s[k + 1] = larger;
    }
}

/* Facets with the same vertex twice, and of the same vertices as one before. */
static bool drop_doubles(fnd_import *import)
{
    size_t size = 16, count = import->corner_count / 3, kept = 0;
    while (size < count + count / 2) size *= 2;
    uint32_t *slots = fnd_import_allocate(import, size, sizeof *slots);
    if (!slots) return false;
    memset(slots, 0, size * sizeof *slots);
    for (size_t i = 0; i < count; i++) {
        int32_t *c = import->corners + 3 * i, s[3], other[3];
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) {
            import->report.degenerate++;
            continue;
        }
        sort3(c, s);
        uint64_t hash = fnd_import_mix(fnd_import_mix(fnd_import_mix(1, (uint64_t)s[0]), (uint64_t)s[1]),
                                       (uint64_t)s[2]);
        size_t at = (size_t)hash & (size - 1);
        for (; slots[at]; at = (at + 1) & (size - 1)) {
            sort3(import->corners + 3 * (slots[at] - 1), other);
            if (memcmp(other, s, sizeof s) == 0) break;
        }
        if (slots[at]) {
            import->report.duplicate++;
            continue;
        }
        memmove(import->corners + 3 * kept, c, 3 * sizeof *c);
        slots[at] = (uint32_t)++kept;
    }
    import->corner_count = 3 * kept;
    fnd_import_release(import, slots, size, sizeof *slots);
    return true;
}

/* ---- slivers */

/* A sliver b near its edge a-c and the neighbour c-a-d behind that edge become a-b-d and b-c-d, which close the surface
 * as well: so no corner is left within an edge. */
static bool exchange(fnd_import *import, const fnd_topology *t, uint8_t *touched, size_t facet)
{
    int32_t *own = import->corners + 3 * facet;
    size_t longest = 0;
    double most = -1;
    for (size_t k = 0; k < 3; k++) {
        fender_vec3 d = fender_vec3_sub(import->vertices[own[(k + 1) % 3]], import->vertices[own[k]]);
        double length = fender_vec3_dot(d, d);
        if (length > most) {
            most = length;
            longest = k;
        }
    }
    int32_t mate = t->mates[3 * facet + longest];
    if (mate < 0 || touched[mate / 3] || touched[facet]) return false;
    /* the longest edge runs from c to a */
    int32_t c = own[longest], a = own[(longest + 1) % 3], b = own[(longest + 2) % 3];
    int32_t *beside = import->corners + 3 * (mate / 3), d = beside[(mate % 3 + 2) % 3];
    if (beside[mate % 3] != a || d == b) return false;
    const int32_t one[3] = {a, b, d}, two[3] = {b, c, d};
    if (is_sliver(import, one) || is_sliver(import, two)) return false;
    memcpy(own, one, sizeof one);
    memcpy(beside, two, sizeof two);
    touched[facet] = touched[mate / 3] = 1;
    return true;
}

static bool exchange_round(fnd_import *import, const fnd_topology *t, bool *changed)
{
    size_t count = t->count / 3;
    uint8_t *touched = fnd_import_allocate(import, count, 1);
    if (!touched) return false;
    memset(touched, 0, count);
    *changed = false;
    for (size_t i = 0; i < count; i++) {
        if (touched[i] || !is_sliver(import, import->corners + 3 * i) || !exchange(import, t, touched, i)) continue;
        import->report.degenerate++;
        *changed = true;
    }
    fnd_import_release(import, touched, count, 1);
    return true;
}

static void drop_slivers(fnd_import *import)
{
    size_t count = import->corner_count / 3, kept = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t *c = import->corners + 3 * i;
        if (is_sliver(import, c)) import->report.degenerate++;
        else memmove(import->corners + 3 * kept++, c, 3 * sizeof *c);
    }
    import->corner_count = 3 * kept;
}

/* ---- vertices in the order of their first use */

static bool drop_unused(fnd_import *import)
{
    size_t count = import->vertex_count, kept = 0;
    int32_t *map = fnd_import_allocate(import, count, sizeof *map);
    fender_vec3 *vertices = map ? fnd_import_allocate(import, count, sizeof *vertices) : NULL;
    if (!vertices) {
        fnd_import_release(import, map, count, sizeof *map);
        return false;
    }
    for (size_t i = 0; i < count; i++) map[i] = -1;
    for (size_t i = 0; i < import->corner_count; i++) {
        int32_t old = import->corners[i];
        if (map[old] < 0) {
            map[old] = (int32_t)kept;
            vertices[kept++] = import->vertices[old];
        }
        import->corners[i] = map[old];
    }
    import->report.unused = (int64_t)(count - kept);
    fnd_import_release(import, map, count, sizeof *map);
    fnd_import_release(import, import->vertices, import->vertex_capacity, sizeof *import->vertices);
    import->vertices = vertices;
    import->vertex_capacity = count;
    import->vertex_count = kept;
    return true;
}

static bool has_facets(fnd_import *import)
{
    if (import->corner_count > 0) return true;
    if (import->report.file_polygons == 0 && import->report.gaps == 0)
        return fnd_import_refuse(import, 0, "the mesh has no triangles", "0 triangles", "at least one",
                                 "export the mesh again");
    return fnd_import_refuse_value(import, "no facet of the mesh has an area", "0 triangles", "at least one",
                                   "is the unit right? are 'weld' and 'cluster' too large?");
}

static void mirror(fnd_import *import)
{
    const fender_vec3 s = import->def->scale;
    bool mirrored = (s.x < 0) ^ (s.y < 0) ^ (s.z < 0);
    for (size_t i = 0; mirrored && i < import->corner_count; i += 3) {
        int32_t second = import->corners[i + 1];
        import->corners[i + 1] = import->corners[i + 2];
        import->corners[i + 2] = second;
    }
}

bool fnd_import_mend(fnd_import *import)
{
    fnd_topology t;
    bool changed = true;
    if (!has_facets(import)) return false;
    mirror(import);
    if (!drop_doubles(import) || !has_facets(import) || !fnd_topology_open(import, &t)) return false;
    bool good = fnd_import_face(import, &t);
    for (int round = 0; good && changed && round < ROUND_LIMIT; round++) {
        good = exchange_round(import, &t, &changed);
        if (good && changed) {
            fnd_topology_close(import, &t);
            good = fnd_topology_open(import, &t);
        }
    }
    fnd_topology_close(import, &t);
    if (!good) return false;
    size_t before = import->corner_count;
    drop_slivers(import);
    if (import->corner_count < before && !has_facets(import)) return false;
    if (!fnd_topology_open(import, &t)) return false;
    good = fnd_import_count_holes(import, &t) && drop_unused(import);
    fnd_topology_close(import, &t);
    return good;
}

/* ---- polygons into triangles */

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

/* True if the boundary winds once, as that of a simple polygon. */
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

/* True if corner b is an ear: convex, and no reflex corner is in its triangle. */
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
                                           "export it as triangles");
    }
    if (!fan && !cut_ears(import, p, to, written))
        return fnd_import_refuse_value(import, "the polygons of the file are too entangled", "windings without end",
                                       "polygons without many windings", "export them as triangles");
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
