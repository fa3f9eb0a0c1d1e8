/* What is remembered of a surface from query to query of one ball. */
#include "collide/mesh_memory.h"
#include "collide/mesh_scan.h"
#include "collide/mesh_touch.h"
#include <assert.h>

/* ---- Triangles that were looked at ---- */

fender_vec3 fnd_facet_normal(const fnd_surface *s, fnd_facet *f)
{
    if (!f->has_normal) f->normal = fnd_triangle_normal(s, f->view.triangle);
    f->has_normal = true;
    return f->normal;
}

const fnd_facet_edge *fnd_facet_edge_at(const fnd_surface *s, fnd_facet *f, int k)
{
    assert(k >= 0 && k < 3);
    fnd_facet_edge *e = &f->edges[k];
    if (e->known) return e;
    const fender_vec3 edge = fender_vec3_sub(f->view.corner[(k + 1) % 3], f->view.corner[k]);
    e->known = true;
    e->direction = fender_vec3_scale(1 / fender_vec3_length(edge), edge);
    e->other = s->neighbours[f->view.triangle][k];
    if (e->other < 0) return e;
    const fender_vec3 n = fnd_triangle_normal(s, e->other);
    e->into = fender_vec3_cross(edge, n); /* the edge runs the other way there */
    e->into_length = fender_vec3_length(e->into);
    e->normals = fender_vec3_add(fnd_facet_normal(s, f), n);
    return e;
}

void fnd_facet_look(const fnd_surface *s, int32_t triangle, fnd_facet *f)
{
    fnd_triangle_look(s, triangle, &f->view);
    f->has_normal = false;
    for (int k = 0; k < 3; k++) f->edges[k].known = false;
}

/* ---- Triangles kept from query to query ---- */

#define KEPT_MARGIN 0.25 /* of the ball of a query: how far its centre may move before triangles are searched again */
#define COVER       1e-8 /* relative; rounding of what is kept and asked for */

static void forget_steady(fnd_triangle_memory *m) { m->steady_room = m->foothold.room = 0; }

/* Forgets everything of another surface. */
static void remember(fnd_triangle_memory *m, const fnd_surface *s)
{
    if (m->surface == s) return;
    for (int i = 0; i < FND_KEPT_FACETS; i++) m->facets[i].view.triangle = -1;
    m->surface = s;
    m->count = m->oldest = 0;
    m->radius = m->clear = m->room = m->patience = 0;
    forget_steady(m);
    m->uses = m->pause = 0;
    m->apart = false;
}

static fnd_kept kept_around(fnd_triangle_memory *m, const fnd_surface *s, fender_vec3 center)
{
    if (!m || m->surface != s || m->count < 0) return (fnd_kept){NULL, center, -1};
    return (fnd_kept){m, center, m->radius * (1 - COVER) - fender_vec3_length(fender_vec3_sub(center, m->center))};
}

/* Lower bound of the distance of a triangle that is kept. */
static double least_distance(const fnd_kept *k, int i)
{
    const fnd_kept_triangle *t = &k->memory->kept[i];
    return t->least - fender_vec3_length(fender_vec3_sub(k->center, t->from));
}

/* A triangle that is kept, as it was looked at. */
static fnd_facet *kept_facet(const fnd_kept *k, int i)
{
    fnd_triangle_memory *m = k->memory;
    assert(i >= 0 && i < m->count);
    fnd_facet *known = &m->facets[m->slots[i]];
    if (known->view.triangle == m->triangles[i]) return known;
    for (int slot = 0; slot < FND_KEPT_FACETS; slot++)
        if (m->facets[slot].view.triangle == m->triangles[i]) {
            m->slots[i] = (unsigned char)slot;
            return &m->facets[slot];
        }
    m->slots[i] = (unsigned char)m->oldest;
    m->oldest = (m->oldest + 1) % FND_KEPT_FACETS;
    fnd_facet_look(m->surface, m->triangles[i], &m->facets[m->slots[i]]);
    return &m->facets[m->slots[i]];
}

/* The nearest place of a triangle that is kept. NULL: it is farther away than the limit, and need not be known. */
fnd_facet *fnd_kept_place(const fnd_kept *k, int i, double limit, fnd_surface_closest *place)
{
    if (least_distance(k, i) > limit * (1 + COVER)) return NULL;
    fnd_facet *facet = kept_facet(k, i);
    *place = fnd_triangle_view_nearest(&facet->view, k->center);
    k->memory->kept[i] = (fnd_kept_triangle){k->center, place->distance * (1 - COVER)};
    return place->distance <= limit ? facet : NULL;
}

/* Searches the triangles within a ball again, wider by the margin, unless they are known; where there are none, notes
 * how far away the nearest is. False: they are too many. */
bool fnd_kept_triangles(fnd_triangle_memory *m, const fnd_surface *s, fender_vec3 center, double ball, fnd_kept *k)
{
    if (!m || !(ball > 0) || !(ball < INFINITY)) return false;
    const double wanted = (1 + KEPT_MARGIN) * ball;
    if (m->surface == s && m->count < 0 && wanted > (1 - KEPT_MARGIN) * m->radius &&
        fender_vec3_length(fender_vec3_sub(center, m->center)) < KEPT_MARGIN * m->radius)
        return false;
    *k = kept_around(m, s, center);
    if (k->known >= ball) return true;
    remember(m, s);
    for (int i = 0; i < FND_KEPT_TRIANGLES; i++) m->slots[i] = 0;
    forget_steady(m);
    m->center = center;
    m->radius = wanted;
    m->count = 0;
    fnd_surface_sphere_scan scan;
    fnd_surface_sphere_scan_begin(&scan, s, center, m->radius);
    while (fnd_surface_sphere_scan_more(&scan)) {
        if (m->count + scan.count > FND_KEPT_TRIANGLES) {
            m->count = -1;
            return false;
        }
        for (int i = 0; i < scan.count; i++, m->count++) {
            m->triangles[m->count] = scan.found[i];
            m->kept[m->count] = (fnd_kept_triangle){center, 0};
        }
    }
    if (m->count == 0) {
        const fnd_surface_closest place = fnd_surface_nearest(s, center, INFINITY);
        if (place.triangle >= 0 && place.distance > m->radius) m->radius = place.distance;
    }
    *k = kept_around(m, s, center);
    return true;
}

/* The nearest place within the limit; triangle -1: none. */
static fnd_surface_closest nearest_in_list(const fnd_kept *k, double limit)
{
    fnd_surface_closest best = {.triangle = -1, .distance = limit}, one;
    for (int i = 0; i < k->memory->count; i++)
        if (fnd_kept_place(k, i, best.distance, &one) && fnd_surface_nearer(&one, &best)) best = one;
    return best;
}

/* Lower bound of the distance of the surface. */
static double kept_gap(const fnd_kept *k)
{
    double gap = k->known;
    for (int i = 0; k->memory && i < k->memory->count; i++) {
        const double least = least_distance(k, i);
        if (least < gap) gap = least;
    }
    return gap > 0 ? gap : 0;
}

double fnd_surface_gap(const fnd_surface *s, fender_vec3 center, double wanted, fnd_triangle_memory *memory)
{
    if (memory && memory->surface == s && memory->clear > wanted) {
        const double gap = memory->clear * (1 - COVER) - fender_vec3_length(fender_vec3_sub(center, memory->front));
        if (gap > wanted) return gap;
    }
    fnd_kept k;
    if (!fnd_kept_triangles(memory, s, center, wanted, &k)) k = kept_around(memory, s, center);
    return kept_gap(&k);
}

/* ---- Room around a place of a triangle ---- */

/* How far the point may move, at least, before its nearest place is on another feature of the triangle. */
static double feature_room(const fnd_triangle_view *v, fender_vec3 p, const fnd_surface_closest *place)
{
    double within[3], room = INFINITY; /* distances from the planes through the edges, across the triangle */
    for (int k = 0; k < 3; k++)
        within[k] = fender_vec3_dot(v->across[k], fender_vec3_sub(p, v->corner[k])) / fender_vec3_length(v->across[k]);
    if (place->feature == FND_ON_TRIANGLE) {
        for (int k = 0; k < 3; k++) room = within[k] < room ? within[k] : room;
        return room;
    }
    const int c = place->corner, next = (c + 1) % 3, last = (c + 2) % 3;
    assert(c >= 0 && c < 3);
    const fender_vec3 from = fender_vec3_sub(p, v->corner[c]), e = v->edge[c], f = v->edge[last];
    const double along = fender_vec3_dot(from, e) / fender_vec3_length(e);
    if (place->feature == FND_ON_VERTEX) {
        const double back = -fender_vec3_dot(from, f) / fender_vec3_length(f);
        return -(along > back ? along : back);
    }
    const double rest = fender_vec3_dot(fender_vec3_sub(v->corner[next], p), e) / fender_vec3_length(e);
    room = along < rest ? along : rest;
    return -within[c] < room ? -within[c] : room;
}

/* How far the point is, at least, from being behind the surface, while its nearest place is on this feature. */
static double front_of_feature(const fnd_surface *s, const fnd_surface_closest *place)
{
    const int32_t t = place->triangle;
    if (place->feature == FND_ON_TRIANGLE) return place->height;
    if (place->feature == FND_ON_EDGE ? s->neighbours[t][place->corner] < 0 : s->border[s->triangles[t][place->corner]])
        return INFINITY; /* nothing is behind a border */
    return fender_vec3_dot(place->offset, fnd_surface_normal(s, place));
}

/* ---- Balls that touch the same facets as before ---- */

/* A triangle of the list has no place where the ball touches, and will have none while the point moves by less than its
 * room, for one of these reasons: it is beyond the limit; or its nearest place stays on the same feature, and from
 * there another triangle leads nearer, or the point is behind it. A place of the last kind must not become the nearest.
 */

#define STEADY_LEAST 1e-3 /* of the limit: less room than that is not worth while */
enum { STEADY_USES = 3, STEADY_PAUSE = 16 };
#define FOOTHOLD_BREADTH 1e-4 /* twice the area over the square of the longest edge, at least */

/* How far the other triangles at an edge or a vertex lead nearer than that, at the steepest; not above 0: they do not.
 */
static double way_nearer(const fnd_surface *s, fnd_facet *f, fender_vec3 center, const fnd_surface_closest *place)
{
    assert(place->feature != FND_ON_TRIANGLE);
    if (place->feature == FND_ON_EDGE) {
        const fnd_facet_edge *edge = fnd_facet_edge_at(s, f, place->corner);
        return edge->other < 0 ? 0 : fender_vec3_dot(place->offset, edge->into) / edge->into_length;
    }
    const int32_t v = s->triangles[place->triangle][place->corner];
    const fender_vec3 from = fender_vec3_sub(center, s->vertices[v]);
    double most = 0;
    for (int i = s->vertex_start[v]; i < s->vertex_start[v + 1]; i++)
        for (int k = 0; k < 3; k++) {
            const fender_vec3 edge = fender_vec3_sub(fnd_surface_corner(s, s->vertex_triangles[i], k), s->vertices[v]);
            if (s->triangles[s->vertex_triangles[i]][k] == v) continue;
            const double along = fender_vec3_dot(from, edge) / fender_vec3_length(edge);
            if (along > most) most = along;
        }
    return most;
}

/* Of a triangle without such a place. */
static double room_without_touch(const fnd_kept *k, int i, double limit, double nearest)
{
    const fnd_surface *s = k->memory->surface;
    double beyond = least_distance(k, i) - limit;
    if (beyond > STEADY_LEAST * limit) return beyond;
    fnd_facet *f = kept_facet(k, i);
    const fnd_surface_closest place = fnd_triangle_view_nearest(&f->view, k->center);
    beyond = place.distance - limit; /* as the centre is now */
    if (beyond > STEADY_LEAST * limit) return beyond;
    const double same = feature_room(&f->view, k->center, &place);
    double other = place.feature == FND_ON_TRIANGLE ? 0 : way_nearer(s, f, k->center, &place);
    if (!(other > 0)) {
        const double behind = -front_of_feature(s, &place), farther = (place.distance - nearest) / 2;
        other = behind < farther ? behind : farther;
    }
    return same < other ? same : other;
}

bool fnd_kept_is_steady(const fnd_surface *s, fender_vec3 center, double limit, const fnd_triangle_memory *m)
{
    return m && m->surface == s && m->steady_room > 0 && limit == m->limit &&
           fender_vec3_length(fender_vec3_sub(center, m->steady)) < m->steady_room;
}

fnd_facet *fnd_kept_touched(fnd_triangle_memory *m, int n, fender_vec3 center, fnd_surface_closest *place)
{
    assert(n >= 0 && n < m->steady_count);
    const fnd_kept k = {m, center, 0};
    fnd_facet *facet = kept_facet(&k, m->touched[n]);
    *place = fnd_triangle_view_nearest(&facet->view, center);
    m->uses += n == 0;
    return facet;
}

/* The nearest place of the surface, if it is one of those that are touched; triangle -1: it may be another. */
static fnd_surface_closest nearest_touched(fnd_triangle_memory *m, const fnd_surface *s, fender_vec3 center)
{
    fnd_surface_closest best = {.triangle = -1, .distance = INFINITY}, one;
    if (!m || !fnd_kept_is_steady(s, center, m->limit, m)) return best;
    for (int n = 0; n < m->steady_count; n++) {
        fnd_kept_touched(m, n, center, &one);
        if (fnd_surface_nearer(&one, &best)) best = one;
    }
    if (best.distance > m->limit) best.triangle = -1;
    return best;
}

fnd_surface_closest fnd_kept_nearest(const fnd_surface *s, fender_vec3 center, double limit,
                                     fnd_triangle_memory *memory)
{
    const fnd_surface_closest touched = nearest_touched(memory, s, center);
    if (touched.triangle >= 0 && touched.distance <= limit) return touched;
    const fnd_kept k = kept_around(memory, s, center);
    if (k.known > 0) {
        const fnd_surface_closest best = nearest_in_list(&k, limit < k.known ? limit : k.known);
        if (best.triangle >= 0) return best;
    }
    if (k.known >= limit) return (fnd_surface_closest){.triangle = -1, .distance = limit};
    return fnd_surface_nearest(s, center, limit);
}

static double rounding_of_room(fender_vec3 center, double limit) /* by far */
{
    return 1e-7 * (fabs(center.x) + fabs(center.y) + fabs(center.z) + limit);
}

/* The only triangle that is touched, and stays so within `most`: the ball stands within it as long as the foot of its
 * centre does not leave it. Of narrow triangles, whose heights are uncertain, nothing is noted. */
static void note_foothold(const fnd_kept *k, int i, double most)
{
    fnd_triangle_memory *m = k->memory;
    fnd_facet *facet = kept_facet(k, i);
    const fnd_triangle_view *v = &facet->view;
    const fnd_surface_closest place = fnd_triangle_view_nearest(v, k->center);
    if (place.feature != FND_ON_TRIANGLE || v->scale != 1) return;
    if (!(v->plane.normal_length > FOOTHOLD_BREADTH * v->plane.edge_square)) return;
    const fender_vec3 normal = fnd_facet_normal(m->surface, facet);
    const double height = fender_vec3_dot(normal, fender_vec3_sub(k->center, v->corner[0]));
    const double rounding = rounding_of_room(k->center, m->limit);
    const double within = feature_room(v, k->center, &place) - rounding - 1e-12 * sqrt(v->plane.edge_square);
    double room = most < within ? most : within;
    if (!(height > 4 * rounding)) return;
    if (height / 2 < room) room = height / 2;
    if (!(room > 0)) return;
    const int longest = v->longest;
    m->foothold = (fnd_foothold){k->center, room, v->corner[longest], v->corner[(longest + 2) % 3], normal, v->plane};
}

void fnd_kept_note_sole(fnd_triangle_memory *m, int n, fender_vec3 center)
{
    assert(n >= 0 && n < m->steady_count);
    if (m->uses % STEADY_USES != 0) return;
    const fnd_kept k = {m, center, 0};
    const fnd_surface_closest place = fnd_triangle_view_nearest(&kept_facet(&k, m->touched[n])->view, center);
    double room = m->steady_room - fender_vec3_length(fender_vec3_sub(center, m->steady));
    for (int i = 0; i < m->steady_count; i++) {
        const double one = i == n ? room : room_without_touch(&k, m->touched[i], m->limit, place.distance);
        if (one < room) room = one;
    }
    room -= rounding_of_room(center, m->limit);
    if (room > STEADY_LEAST * m->limit) note_foothold(&k, m->touched[n], room);
}

void fnd_kept_note_steady(const fnd_kept *k, double limit, double nearest, uint32_t touched)
{
    fnd_triangle_memory *m = k->memory;
    if (m->steady_room > 0 && m->uses < STEADY_USES) m->pause = STEADY_PAUSE; /* it moves too fast */
    forget_steady(m);
    m->steady_count = m->uses = 0;
    if (m->pause > 0) {
        m->pause--;
        return;
    }
    double room = k->known - limit;
    for (int i = 0; i < m->count && room > STEADY_LEAST * limit; i++) {
        if (touched >> i & 1) {
            if (m->steady_count == FND_KEPT_TOUCHED) room = 0;
            else m->touched[m->steady_count++] = (unsigned char)i;
            continue;
        }
        const double one = room_without_touch(k, i, limit, nearest);
        if (one < room) room = one;
    }
    room -= rounding_of_room(k->center, limit);
    if (!(room > STEADY_LEAST * limit)) {
        m->pause = STEADY_PAUSE;
        return;
    }
    m->steady = k->center, m->limit = limit, m->steady_room = room;
    if (m->steady_count == 1) note_foothold(k, m->touched[0], room);
}

/* Rounding of a distance from the surface, by far. */
static double rounding(fender_vec3 center, double distance)
{
    return 1e-9 * (fabs(center.x) + fabs(center.y) + fabs(center.z) + distance);
}

/* ---- Balls that are apart from the surface ---- */

/* While a point moves by m, the nearest place of the surface is on a triangle within d + 2 m of where it began, d being
 * its distance there. It stays in front if it does so for each of those: it is in front of the triangle's plane, or its
 * nearest place on the triangle stays on the same feature, and the point in front of that. For an edge or a vertex the
 * first has to hold for all its triangles, or the second for one of them. */

enum { FRONT_MOST = 2048 }; /* triangles that are looked at */
#define FRONT_REACH 0.5     /* of the distance: how much farther they are looked for, at first */
#define FRONT_LEAST 0.0625  /* of the distance: less room than that is not looked for again nearby */

/* The room of a triangle, or `most` if it is not less. */
static double room_of_triangle(const fnd_surface *s, int32_t triangle, fender_vec3 center, double distance, double most)
{
    const double sure = rounding(center, distance);
    const fender_vec3 from = fender_vec3_sub(center, fnd_surface_corner(s, triangle, 0));
    double room = fender_vec3_dot(fnd_triangle_normal(s, triangle), from) - sure;
    if (room >= most) return most;
    fnd_triangle_view view;
    fnd_triangle_look(s, triangle, &view);
    const fnd_surface_closest place = fnd_triangle_view_nearest(&view, center);
    const double beyond = (place.distance - distance) / 2 - sure;
    if (beyond > room) room = beyond;
    if (room >= most) return most;
    const double same = feature_room(&view, center, &place) - sure, front = front_of_feature(s, &place) - sure;
    const double stays = same < front ? same : front;
    if (stays > room) room = stays;
    return room < most ? room : most;
}

/* How far a place in front may move; negative: too many triangles are within distance + 2 most. */
static double room_in_front(const fnd_surface *s, fender_vec3 center, double distance, double most)
{
    fnd_surface_sphere_scan scan;
    double room = most;
    int seen = 0;
    fnd_surface_sphere_scan_begin(&scan, s, center, distance + 2 * most);
    while (fnd_surface_sphere_scan_more(&scan)) {
        seen += scan.count;
        if (seen > FRONT_MOST) return -1;
        for (int i = 0; i < scan.count && room > 0; i++)
            room = room_of_triangle(s, scan.found[i], center, distance, room);
    }
    return room > 0 ? room : 0;
}

bool fnd_surface_is_clear(const fnd_surface *s, fender_vec3 center, double distance, fnd_triangle_memory *m)
{
    if (!m || m->surface != s || !(m->room > 0)) return false;
    const double moved = fender_vec3_length(fender_vec3_sub(center, m->front));
    m->apart = moved < m->room * (1 - COVER) && moved + distance < m->clear * (1 - COVER);
    return m->apart;
}

bool fnd_surface_is_front(const fnd_surface *s, fender_vec3 center, double clear, fnd_triangle_memory *m)
{
    const bool known = m && m->surface == s;
    const double moved = known ? fender_vec3_length(fender_vec3_sub(center, m->front)) : INFINITY;
    const double room = known && moved < m->room * (1 - COVER) ? m->room - moved : 0;
    double height; /* straight above a grid, and nothing is between the two */
    const bool above = s->count_x > 0 && fnd_grid_height(s, center, &height) && center.z >= height;
    if (!above && !(room > 0)) return false;
    if (!m) return true;
    const fnd_kept k = kept_around(m, s, center);
    const double gap = kept_gap(&k);
    remember(m, s);
    m->front = center;
    m->clear = gap > clear ? gap : clear;
    m->room = above ? m->clear : room;
    return true;
}

void fnd_surface_note_front(const fnd_surface *s, fender_vec3 center, double distance, fnd_triangle_memory *m)
{
    if (!m || !(distance > 0) || !(distance < INFINITY)) return;
    remember(m, s);
    if (s->count_x > 0 || fender_vec3_length(fender_vec3_sub(center, m->tried)) < m->patience) return;
    double most = FRONT_REACH / 2 * distance, room = -1;
    for (int tries = 0; room < 0 && tries < 3; tries++, most /= 8) room = room_in_front(s, center, distance, most);
    m->front = m->tried = center;
    m->clear = distance;
    m->room = room > 0 ? room : 0;
    m->patience = room > FRONT_LEAST * distance ? 0 : FRONT_LEAST * distance;
}
