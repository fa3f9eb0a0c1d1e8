/* Edges by a table of their two vertices, rims of a mesh, and which way its facets look. */
#include "import/import.h"
#include <math.h>
#include <string.h>

/* ---- Edges ---- */

bool fnd_topology_open(fnd_import *import, fnd_topology *t)
{
    size_t size = 16, count = import->corner_count;
    const int32_t *corners = import->corners;
    *t = (fnd_topology){.count = count};
    while (size < count + count / 2) size *= 2; /* an edge has two of them, as a rule */
    t->mates = fnd_import_allocate(import, count, sizeof *t->mates);
    uint32_t *slots = t->mates ? fnd_import_allocate(import, size, sizeof *slots) : NULL;
    if (!slots) {
        fnd_topology_close(import, t);
        return false;
    }
    memset(slots, 0, size * sizeof *slots);
    for (size_t h = 0; h < count; h++) {
        int32_t from = corners[h], to = corners[fnd_half_edge_next(h)];
        uint64_t low = (uint64_t)(from < to ? from : to), high = (uint64_t)(from < to ? to : from);
        size_t at = (size_t)fnd_import_mix(fnd_import_mix(1, low), high) & (size - 1);
        t->mates[h] = -1;
        for (; slots[at]; at = (at + 1) & (size - 1)) {
            size_t first = slots[at] - 1;
            int32_t p = corners[first], q = corners[fnd_half_edge_next(first)];
            if ((p == from && q == to) || (p == to && q == from)) break;
        }
        if (!slots[at]) {
            slots[at] = (uint32_t)h + 1;
            t->border_edges++;
            continue;
        }
        size_t first = slots[at] - 1;
        int32_t crowd = -2 - (int32_t)first;
        if (t->mates[first] == -1) {
            t->mates[first] = (int32_t)h;
            t->mates[h] = (int32_t)first;
            t->border_edges--;
            continue;
        }
        if (t->mates[first] >= 0) {
            t->mates[t->mates[first]] = crowd;
            t->mates[first] = crowd;
            t->crowded_edges++;
        }
        t->mates[h] = crowd;
    }
    fnd_import_release(import, slots, size, sizeof *slots);
    return true;
}

void fnd_topology_close(fnd_import *import, fnd_topology *t)
{
    fnd_import_release(import, t->mates, t->count, sizeof *t->mates);
    t->mates = NULL;
}

/* ---- Rims ---- */

static int32_t root_of(int32_t *parents, int32_t v)
{
    while (parents[v] != v) {
        parents[v] = parents[parents[v]];
        v = parents[v];
    }
    return v;
}

/* Border edges that share vertices are one rim. */
static bool count_rims(fnd_import *import, const fnd_topology *t)
{
    int32_t *parents = fnd_import_allocate(import, import->vertex_count, sizeof *parents);
    if (!parents) return false;
    for (size_t i = 0; i < import->vertex_count; i++) parents[i] = -1;
    for (size_t h = 0; h < t->count; h++) {
        if (t->mates[h] != -1) continue;
        int32_t ends[2] = {import->corners[h], import->corners[fnd_half_edge_next(h)]};
        for (int k = 0; k < 2; k++)
            if (parents[ends[k]] < 0) {
                parents[ends[k]] = ends[k];
                import->report.holes++;
            }
        int32_t a = root_of(parents, ends[0]), b = root_of(parents, ends[1]);
        if (a == b) continue;
        parents[a > b ? a : b] = a > b ? b : a;
        import->report.holes--;
    }
    fnd_import_release(import, parents, import->vertex_count, sizeof *parents);
    return true;
}

/* Do as many facets run along each crowded edge one way as the other? */
static bool is_balanced(fnd_import *import, const fnd_topology *t, bool *balanced)
{
    int32_t *sums = fnd_import_allocate(import, t->count, sizeof *sums);
    if (!sums) return false;
    memset(sums, 0, t->count * sizeof *sums);
    for (size_t h = 0; h < t->count; h++) {
        if (t->mates[h] >= -1) continue;
        size_t first = (size_t)(-2 - t->mates[h]);
        sums[first] += import->corners[h] == import->corners[first] ? 1 : -1;
    }
    *balanced = true;
    for (size_t h = 0; h < t->count; h++) *balanced = *balanced && sums[h] == 0;
    fnd_import_release(import, sums, t->count, sizeof *sums);
    return true;
}

bool fnd_import_count_holes(fnd_import *import, const fnd_topology *t)
{
    bool balanced = true;
    import->report.border_edges = t->border_edges;
    import->report.crowded_edges = t->crowded_edges;
    if (t->border_edges > 0 && !count_rims(import, t)) return false;
    if (t->crowded_edges > 0 && !is_balanced(import, t, &balanced)) return false;
    import->report.closed = t->border_edges == 0 && import->report.one_sided == 0 && balanced;
    return true;
}

/* ---- Facing ---- */

/* Comparisons of parts that may lie within others. */
#define NESTING_WORK 10000000

typedef struct part {
    size_t first, end; /* its facets in the queue */
    double volume;     /* of a closed one */
    bool open;
    fender_box box;
} part;

typedef struct faces {
    fnd_import *import;
    const fnd_topology *t;
    size_t count;    /* facets */
    int32_t *queue;  /* facets part by part */
    uint8_t *states; /* SEEN, TURN */
    part *parts;
    size_t part_count, part_capacity;
} faces;
enum { SEEN = 1, TURN = 2 };

static fender_vec3 corner(const faces *f, size_t facet, int k)
{
    return f->import->vertices[f->import->corners[3 * facet + (size_t)k]];
}

/* Twice the area times the normal, as the facet is to be turned. */
static fender_vec3 area_vector(const faces *f, size_t facet)
{
    fender_vec3 n = fnd_import_area_vector(corner(f, facet, 0), corner(f, facet, 1), corner(f, facet, 2));
    return (f->states[facet] & TURN) ? fender_vec3_scale(-1, n) : n;
}

/* All facets that edges of two connect with the first: each gets the turn that agrees with the one it was reached from.
 */
static void walk(faces *f, part *p, size_t start)
{
    const int32_t *corners = f->import->corners;
    size_t end = p->first;
    f->queue[end++] = (int32_t)start;
    f->states[start] = SEEN;
    p->open = false;
    for (size_t at = p->first; at < end; at++)
        for (size_t k = 0; k < 3; k++) {
            size_t facet = (size_t)f->queue[at], h = 3 * facet + k;
            int32_t mate = f->t->mates[h];
            p->open |= mate == -1;
            if (mate < 0) continue;
            size_t other = (size_t)mate / 3;
            bool against = corners[h] != corners[mate];
            uint8_t turn = (uint8_t)(against ? f->states[facet] & TURN : ~f->states[facet] & TURN);
            if (!(f->states[other] & SEEN)) {
                f->states[other] = SEEN | turn;
                f->queue[end++] = (int32_t)other;
            } else if ((f->states[other] & TURN) != turn) f->import->report.one_sided += h < (size_t)mate;
        }
    p->end = end;
}

static void turn_over(faces *f, const part *p)
{
    for (size_t at = p->first; at < p->end; at++) f->states[f->queue[at]] ^= TURN;
}

/* Most of the area stays as it was. */
static void follow_majority(faces *f, const part *p)
{
    double stays = 0, turns = 0;
    for (size_t at = p->first; at < p->end; at++) {
        size_t facet = (size_t)f->queue[at];
        double area = fender_vec3_length(area_vector(f, facet));
        if (f->states[facet] & TURN) turns += area;
        else stays += area;
    }
    if (turns > stays) turn_over(f, p);
}

static void measure(faces *f, part *p)
{
    fender_vec3 origin = corner(f, (size_t)f->queue[p->first], 0);
    p->box = (fender_box){origin, origin};
    p->volume = 0;
    for (size_t at = p->first; at < p->end; at++) {
        size_t facet = (size_t)f->queue[at];
        for (int k = 0; k < 3; k++) {
            fender_vec3 v = corner(f, facet, k);
            if (v.x < p->box.lower.x) p->box.lower.x = v.x;
            if (v.y < p->box.lower.y) p->box.lower.y = v.y;
            if (v.z < p->box.lower.z) p->box.lower.z = v.z;
            if (v.x > p->box.upper.x) p->box.upper.x = v.x;
            if (v.y > p->box.upper.y) p->box.upper.y = v.y;
            if (v.z > p->box.upper.z) p->box.upper.z = v.z;
        }
        p->volume += fender_vec3_dot(area_vector(f, facet), fender_vec3_sub(corner(f, facet, 0), origin)) / 6;
    }
}

/* True if an open part faces down. */
static bool looks_down(const faces *f, const part *p)
{
    fender_vec3 up = f->import->def->up, sum = fender_vec3_make(0, 0, 0), o = f->import->report.origin;
    double outward = 0, area = 0;
    for (size_t at = p->first; at < p->end; at++) {
        size_t facet = (size_t)f->queue[at];
        fender_vec3 n = area_vector(f, facet), away = fender_vec3_add(corner(f, facet, 0), o);
        double far = fender_vec3_length(away);
        sum = fender_vec3_add(sum, n);
        area += fender_vec3_length(n);
        if (far > 0) outward += fender_vec3_dot(n, away) / far;
    }
    if (fender_vec3_dot(up, up) > 0) return fender_vec3_dot(sum, up) < 0;
    /* around a planet, whose centre is the origin of the file, up is away from it */
    if (fender_vec3_dot(o, o) > 0 && fabs(outward) > 0.5 * area) return outward < 0;
    return sum.z < 0;
}

static bool is_within(const fender_box *a, const fender_box *b)
{
    return a->lower.x > b->lower.x && a->lower.y > b->lower.y && a->lower.z > b->lower.z && a->upper.x < b->upper.x &&
           a->upper.y < b->upper.y && a->upper.z < b->upper.z;
}

/* A closed part inside another may be a hollow, which looks inward. */
static bool may_be_hollow(const faces *f, size_t index, int64_t *work)
{
    for (size_t i = 0; i<f->part_count && * work> 0; i++, (*work)--)
        if (!f->parts[i].open && i != index && is_within(&f->parts[index].box, &f->parts[i].box)) return true;
    return false;
}

static bool add_part(faces *f)
{
    if (f->part_count < f->part_capacity) return true;
    size_t wanted = f->part_capacity < 16 ? 16 : 2 * f->part_capacity;
    part *parts = fnd_import_allocate(f->import, wanted, sizeof *parts);
    if (!parts) return false;
    if (f->parts) memcpy(parts, f->parts, f->part_count * sizeof *parts);
    fnd_import_release(f->import, f->parts, f->part_capacity, sizeof *parts);
    f->parts = parts;
    f->part_capacity = wanted;
    return true;
}

static bool find_parts(faces *f)
{
    size_t end = 0;
    for (size_t facet = 0; facet < f->count; facet++) {
        if (f->states[facet] & SEEN) continue;
        if (!add_part(f)) return false;
        part *p = &f->parts[f->part_count++];
        p->first = end;
        walk(f, p, facet);
        follow_majority(f, p);
        end = p->end;
        f->import->report.open_parts += p->open;
    }
    f->import->report.parts = (int64_t)f->part_count;
    return true;
}

static void face_outward(faces *f)
{
    int64_t work = NESTING_WORK;
    for (size_t i = 0; i < f->part_count; i++) measure(f, &f->parts[i]);
    for (size_t i = 0; i < f->part_count; i++) {
        part *p = &f->parts[i];
        bool wrong = p->open ? looks_down(f, p) : p->volume < 0 && !may_be_hollow(f, i, &work);
        if (!wrong) continue;
        turn_over(f, p);
        f->import->report.flipped_parts++;
    }
}

/* Facets that agree with most of their part are turned with it; the others are those that were wrong. */
static void apply(faces *f)
{
    for (size_t i = 0; i < f->count; i++) {
        if (!(f->states[i] & TURN)) continue;
        int32_t *c = f->import->corners + 3 * i, second = c[1];
        c[1] = c[2];
        c[2] = second;
    }
}

bool fnd_import_face(fnd_import *import, const fnd_topology *t)
{
    faces f = {.import = import, .t = t, .count = t->count / 3};
    f.queue = fnd_import_allocate(import, f.count, sizeof *f.queue);
    f.states = f.queue ? fnd_import_allocate(import, f.count, 1) : NULL;
    if (f.states) memset(f.states, 0, f.count);
    bool good = f.states && find_parts(&f);
    if (good) {
        for (size_t i = 0; i < f.count; i++) import->report.flipped += (f.states[i] & TURN) != 0;
        if (import->def->facing == FENDER_FACING_MEND) face_outward(&f);
        apply(&f);
    }
    fnd_import_release(import, f.queue, f.count, sizeof *f.queue);
    fnd_import_release(import, f.states, f.count, 1);
    fnd_import_release(import, f.parts, f.part_capacity, sizeof *f.parts);
    return good;
}
