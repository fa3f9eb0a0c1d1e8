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
#include "collide/pair_functions.h"

#include "geometry/ray.h"

/* How far beyond the tip a surface is looked for to be within reach: distances are measured along n where lines are
 * flat. */
#define LOOK_AHEAD 16

/* Vectors in world axes, origin at the probe's. */
typedef struct sight {
    fender_vec3 tip, normal, intercept;
    double ahead; /* m along the line, from the tip to the surface; negative: the overshoot */
} sight;

static bool look(const fnd_placed *probe, const fnd_placed *solid, double reach, sight *out)
{
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

static fender_separation separate(const fnd_placed *probe, const sight *s)
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
static void nearest(const fnd_placed *a, const fnd_placed *b, const fnd_query *query, fnd_manifold *out)
{
    const fender_geometry point = {.type = FENDER_GEOMETRY_POINT};
    fender_vec3 tip = fender_vec3_scale(a->geometry->cushion, fender_mat3_column(&a->R_WG, 2));
    fnd_placed there = {&point, fender_vec3_add(a->p_WG, tip), a->R_WG};
    const fnd_query uncached = {query->kind, query->reach, NULL};
    const fnd_pair_entry entry = fnd_pair_find(&point, b->geometry);
    int first = out->count;
    fnd_pair_evaluate(&entry, &there, b, &uncached, out);
    for (int i = first; i < out->count; i++) {
        out->items[i].point_a = fender_vec3_add(out->items[i].point_a, tip);
        out->items[i].point_b = fender_vec3_add(out->items[i].point_b, tip);
    }
}

void fnd_probe_solid(const fnd_placed *a, const fnd_placed *b, const fnd_query *query, fnd_manifold *out)
{
    double reach = fnd_query_reach(query);
    sight s;
    if (!look(a, b, reach, &s)) {
        if (query->kind == FND_QUERY_DISTANCE) nearest(a, b, query, out);
        return;
    }
    fender_separation found = separate(a, &s);
    if (found.distance <= reach) fnd_manifold_add(out, found);
}
