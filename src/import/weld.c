/* Vertices that are the same, or near each other, become one. */
#include <math.h>
#include <string.h>

#include "import/import.h"

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
        import, fnd_words_make("%s is no distance for '%s' of this mesh", found.text, what).text, found.text,
        fnd_words_make("0, or more than %s m", fnd_words_number(largest / 0x1p52).text).text,
        "take a length that shows on the mesh");
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
