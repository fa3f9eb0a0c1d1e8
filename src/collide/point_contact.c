/* Contacts of points: spheres, clouds and corners against solids; probes, points with a line of sight. */
#include "collide/point_contact.h"
#include <assert.h>

#include "collide/convex.h"
#include "collide/pair_table.h"
#include "geometry/point_query.h"
#include "geometry/ray.h"
#include "geometry/support.h"

/* ---- Spheres ---- */

/* The bounding test may not reject what the exact test would keep. */
#define BOUND_MARGIN 1.00000000000001

/* A sphere against a solid, vectors in world axes with the origin at the sphere's centre; `offset` leads from there to
 * the origin of the solid. False: farther than reach. Not for user geometries with support. */
static bool ball_and_solid(fender_vec3 offset, double radius, const fnd_posed *solid, double reach,
                           fender_separation *found)
{
    assert(!(radius < 0));
    double bound = solid->geometry->bounding_radius + radius + reach;
    if (bound >= 0 && fender_vec3_dot(offset, offset) > bound * bound * BOUND_MARGIN) return false;
    fnd_solid_point nearest;
    fender_vec3 center_G = fender_mat3_transpose_times(&solid->R_WG, fender_vec3_negate(offset));
    if (!fnd_point_query(solid->geometry, center_G, &nearest)) return false;
    double distance = nearest.distance - radius;
    if (distance > reach) return false;
    fender_vec3 normal = fender_vec3_negate(fender_mat3_times(&solid->R_WG, nearest.normal));
    *found = fnd_single(distance, fender_vec3_scale(radius, normal), fender_vec3_scale(nearest.distance, normal),
                        normal, 0);
    return true;
}

void fnd_sphere_solid(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    if (b->geometry->type == FENDER_GEOMETRY_USER && b->geometry->user.support) {
        fnd_convex_convex(a, b, query, out);
        return;
    }
    fender_separation found;
    fender_vec3 offset = fender_vec3_sub(b->p_WG, a->p_WG);
    if (ball_and_solid(offset, a->geometry->radius, b, fnd_query_range(query), &found)) fnd_manifold_add(out, found);
}

/* ---- Clouds ---- */

/* A point of the cloud against a user's convex solid, as a geometry of its own. Same result as ball_and_solid. */
static bool point_and_user(fender_vec3 offset, const fnd_posed *solid, const fnd_query *query, fender_separation *found)
{
    const fender_geometry point = {.type = FENDER_GEOMETRY_POINT};
    const fnd_posed here = {&point, {0, 0, 0}, fender_mat3_identity()};
    const fnd_posed there = {solid->geometry, offset, solid->R_WG};
    const fnd_query uncached = {query->kind, query->reach, NULL, NULL, 0}; /* the cache is for one pair of points */
    fnd_manifold one = {.items = found, .capacity = 1};
    fnd_convex_convex(&here, &there, &uncached, &one);
    return one.count == 1;
}

void fnd_cloud_solid(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    assert(a->geometry->type == FENDER_GEOMETRY_CLOUD);
    fender_vec3 offset = fender_vec3_sub(b->p_WG, a->p_WG);
    bool user = b->geometry->type == FENDER_GEOMETRY_USER && b->geometry->user.support;
    bool nearest_alone = query->kind == FND_QUERY_DISTANCE;
    fender_separation nearest = {.distance = INFINITY};
    for (int i = 0; i < a->geometry->point_count; i++) {
        fender_vec3 point = fender_mat3_times(&a->R_WG, a->geometry->points[i]);
        fender_vec3 to_solid = fender_vec3_sub(offset, point);
        fender_separation found;
        bool within = user ? point_and_user(to_solid, b, query, &found)
                           : ball_and_solid(to_solid, 0, b, fnd_query_range(query), &found);
        if (!within || (nearest_alone && !(found.distance < nearest.distance))) continue;
        found.point_a = point;
        found.point_b = fender_vec3_add(point, found.point_b);
        found.feature = (uint64_t)i;
        found.index = i;
        if (nearest_alone) nearest = found;
        else fnd_manifold_add(out, found);
    }
    if (nearest_alone && nearest.distance < INFINITY) fnd_manifold_add(out, nearest);
}

/* ---- Corners ---- */

/* Names: the number of the corner, and this for those of b and for the deepest contact. */
#define CORNER_OF_B ((uint64_t)1 << 32)
#define NO_CORNER   ((uint64_t)1 << 33)

/* The polytope whose corners touch: its own, or that within a round solid. NULL: none. */
static const fnd_polytope *corners_of(const fender_geometry *geometry)
{
    return geometry->polytope ? geometry->polytope : geometry->rim;
}

static bool takes_corners(const fender_geometry *geometry)
{
    switch (fnd_geometry_class_of(geometry)) {
    case FND_CLASS_PLANE:
    case FND_CLASS_GRID:
    case FND_CLASS_MESH:
    case FND_CLASS_FIELD: return true;
    case FND_CLASS_CONVEX: return corners_of(geometry) != NULL;
    case FND_CLASS_POINT:
    case FND_CLASS_CLOUD:
    case FND_CLASS_SPHERE:
    case FND_CLASS_CAPSULE:
    case FND_CLASS_DISK: /* it has no inside */
    case FND_CLASS_PROBE:
    case FND_CLASS_COUNT: break;
    }
    return false;
}

bool fnd_corners_touch(const fender_geometry *a, const fender_geometry *b)
{
    return (corners_of(a) && takes_corners(b)) || (corners_of(b) && takes_corners(a));
}

/* Do corners alone touch, whatever the poses? They do on a plane. */
static bool corners_are_all(const fender_geometry *a, const fender_geometry *b)
{
    return (corners_of(a) && fnd_geometry_class_of(b) == FND_CLASS_PLANE) ||
           (corners_of(b) && fnd_geometry_class_of(a) == FND_CLASS_PLANE);
}

/* The corners of a, or those of b, each a sphere of its solid's rounding. Returns the least distance among them. */
static double add_corners(const fnd_posed *a, const fnd_posed *b, bool of_b, double reach, fnd_manifold *out)
{
    const fender_geometry *solid = of_b ? b->geometry : a->geometry;
    const fender_geometry cloud = {.type = FENDER_GEOMETRY_CLOUD,
                                   .points = solid->polytope->vertices,
                                   .point_count = solid->polytope->vertex_count};
    const double rounding = fnd_core_rounding(solid);
    const fnd_posed corners = {&cloud, of_b ? b->p_WG : a->p_WG, of_b ? b->R_WG : a->R_WG};
    const fnd_query query = {FND_QUERY_SINGLE, reach + rounding, NULL, NULL, 0};
    const fnd_posed *first = of_b ? a : &corners, *second = of_b ? &corners : b;
    const fnd_pair_entry entry = fnd_pair_find(first->geometry, second->geometry);
    double least = INFINITY;
    int at = out->count;
    fnd_pair_evaluate(&entry, first, second, &query, out);
    for (; at < out->count; at++) {
        fender_separation *s = &out->items[at];
        s->distance -= rounding;
        s->weight = solid->polytope->corner_weights[s->index];
        s->area = s->weight * solid->patch_area;
        if (of_b) s->point_b = fender_vec3_add_scaled(s->point_b, -rounding, s->normal);
        else s->point_a = fender_vec3_add_scaled(s->point_a, rounding, s->normal);
        if (of_b) s->feature += CORNER_OF_B;
        if (s->distance < least) least = s->distance;
    }
    return least;
}

/* The deepest contact of two solids or a solid and a surface none of whose corners touch. */
static void add_deepest(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    const fnd_pair_entry entry = fnd_pair_find(a->geometry, b->geometry);
    const double area_a = a->geometry->patch_area, area_b = b->geometry->patch_area;
    const double area = area_a > 0 && !(area_b > 0 && area_b < area_a) ? area_a : area_b;
    int at = out->count;
    fnd_pair_evaluate(&entry, a, b, query, out);
    for (; at < out->count; at++) {
        out->items[at].feature = NO_CORNER;
        out->items[at].area = area; /* of the whole face, as the weight is */
    }
}

/* In contacts by corners a round solid is the polytope within it. */
static const fender_geometry *cornered(const fender_geometry *geometry, fender_geometry *room)
{
    if (!geometry->rim) return geometry;
    *room = (fender_geometry){.type = FENDER_GEOMETRY_HULL,
                              .polytope = geometry->rim,
                              .rounding = geometry->rounding,
                              .bounds = geometry->bounds,
                              .bounding_radius = geometry->bounding_radius,
                              .patch_area = geometry->patch_area,
                              .thickness = geometry->thickness,
                              .env = geometry->env};
    return room;
}

void fnd_corners(const fnd_posed *of_a, const fnd_posed *of_b, const fnd_query *query, fnd_manifold *out)
{
    assert(fnd_corners_touch(of_a->geometry, of_b->geometry));
    fender_geometry room_a, room_b;
    const fnd_posed a = {cornered(of_a->geometry, &room_a), of_a->p_WG, of_a->R_WG};
    const fnd_posed b = {cornered(of_b->geometry, &room_b), of_b->p_WG, of_b->R_WG};
    double least = INFINITY;
    for (int second = 0; second < 2; second++) {
        const fnd_posed *solid = second ? &b : &a;
        if (!solid->geometry->polytope || !takes_corners(second ? of_a->geometry : of_b->geometry)) continue;
        double nearest = add_corners(&a, &b, second, query->reach, out);
        if (nearest < least) least = nearest;
    }
    if (least < 0 || corners_are_all(of_a->geometry, of_b->geometry)) return;
    const bool same = a.geometry == of_a->geometry && b.geometry == of_b->geometry; /* as in other queries? */
    const fnd_query single = {FND_QUERY_SINGLE, 0, same ? query->cache : NULL, query->memory, 0};
    add_deepest(&a, &b, &single, out);
}

/* ---- Probes ---- */

/* Contact of a probe with a solid: where its line of sight enters.
 *
 * The ray starts `range` behind the contact point and ends at the tip, `cushion` before it. With L = range + cushion
 * and the surface met after s, the overshoot is l = L - s. A displacement w of the probe at the intercept changes it by
 * -n.w / |n.u|, so a potential U(l) pushes with U' / |n.u| along the normal n at the intercept I
 * (docs/models/probes.md). The separation says distance -l, slant 1 / |n.u| - 1 and points one above the other on the
 * line along n through I.
 *
 * Lines flatter than FENDER_PROBE_SLANT to the surface count by the tip's depth e below the facet instead, which is
 * l |n.u|: distance -e / FENDER_PROBE_SLANT and the line along n through the tip. At the border both are the same
 * potential; on one facet the force is that of a potential at every attitude. */

/* How far beyond the tip a surface is looked for to be within reach: distances are measured along n where lines are
 * flat. */
#define LOOK_AHEAD 16

/* Vectors in world axes, origin at the probe's. */
typedef struct visibility {
    fender_vec3 tip, normal, intercept;
    double ahead; /* m along the line, from the tip to the surface; negative: the overshoot */
} visibility;

static bool look(const fnd_posed *probe, const fnd_posed *solid, double reach, visibility *out)
{
    assert(probe->geometry->type == FENDER_GEOMETRY_PROBE);
    const fender_geometry *g = probe->geometry;
    double length = g->range + g->cushion, distance;
    fender_vec3 u = fender_mat3_column(&probe->R_WG, 2), origin = fender_vec3_scale(-g->range, u);
    fender_vec3 offset = fender_vec3_sub(solid->p_WG, probe->p_WG), point;
    fender_vec3 origin_G = fender_mat3_transpose_times(&solid->R_WG, fender_vec3_sub(origin, offset));
    fnd_entry entry;
    if (!fnd_ray_enter(solid->geometry, origin_G, fender_mat3_transpose_times(&solid->R_WG, u),
                       length + LOOK_AHEAD * reach, &distance, &entry, &point))
        return false;
    out->tip = fender_vec3_scale(g->cushion, u);
    out->normal = fender_mat3_times(&solid->R_WG, entry.normal);
    out->ahead = distance - length;
    out->intercept = fender_vec3_add_scaled(out->tip, out->ahead, u);
    return fender_vec3_dot(out->normal, u) < 0; /* seen from its side it has no depth */
}

static fender_separation separate(const fnd_posed *probe, const visibility *s)
{
    double facing = -fender_vec3_dot(s->normal, fender_mat3_column(&probe->R_WG, 2)), across = s->ahead * facing;
    fender_vec3 out = fender_vec3_negate(s->normal), foot = fender_vec3_add_scaled(s->tip, across, out);
    bool literal = probe->geometry->literal, flat = !literal && facing < FENDER_PROBE_SLANT;
    double distance = literal ? across : flat ? across / FENDER_PROBE_SLANT : s->ahead;
    fender_separation found = fnd_single(distance, s->tip, foot, out, 0);
    found.deep = -s->ahead > 0.5 * (probe->geometry->range + probe->geometry->cushion);
    if (literal) return found;
    found.slant = (flat ? 1 / FENDER_PROBE_SLANT : 1 / facing) - 1;
    if (found.slant < 0) found.slant = 0; /* by rounding */
    if (flat) return found;
    found.point_b = s->intercept;
    found.point_a = fender_vec3_add_scaled(s->intercept, -across, out);
    return found;
}

/* A line of sight that meets nothing: nearest points of the tip, so that there is a distance to tell. */
static void nearest(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    const fender_geometry point = {.type = FENDER_GEOMETRY_POINT};
    fender_vec3 tip = fender_vec3_scale(a->geometry->cushion, fender_mat3_column(&a->R_WG, 2));
    fnd_posed there = {&point, fender_vec3_add(a->p_WG, tip), a->R_WG};
    const fnd_query uncached = {query->kind, query->reach, NULL, NULL, 0};
    const fnd_pair_entry entry = fnd_pair_find(&point, b->geometry);
    int first = out->count;
    fnd_pair_evaluate(&entry, &there, b, &uncached, out);
    for (int i = first; i < out->count; i++) {
        out->items[i].point_a = fender_vec3_add(out->items[i].point_a, tip);
        out->items[i].point_b = fender_vec3_add(out->items[i].point_b, tip);
    }
}

void fnd_probe_solid(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    double reach = fnd_query_range(query);
    visibility s;
    if (!look(a, b, reach, &s)) {
        if (query->kind == FND_QUERY_DISTANCE) nearest(a, b, query, out);
        return;
    }
    fender_separation found = separate(a, &s);
    if (found.distance <= reach) fnd_manifold_add(out, found);
}
