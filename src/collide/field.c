/* Contact of a user's signed distance with a solid: where on the solid it is least.
 *
 *   capsule        the least value over the segment, from 33 places and the slope between the neighbours of the best
 *   others         downhill over the solid: a local minimum, the least value where the field is of a convex solid
 *   box, hull      in patches the vertices within reach, each with the largest share of a face that ends there; the
 *                  lowest place where there is none
 * A field says nothing of its own faces, so it has no patches with edges. */
#include "collide/pair_table.h"
#include <assert.h>

#include "geometry/point_query.h"
#include "geometry/support.h"

/* The solid in the frame of the field. */
typedef struct field_pair {
    const fnd_posed *field, *solid;
    fender_mat3 R;
    fender_vec3 p;
    double rounding;
} field_pair;

static fender_vec3 to_field(const field_pair *f, fender_vec3 x)
{
    return fender_vec3_add(f->p, fender_mat3_times(&f->R, x));
}

static double value_at(const field_pair *f, fender_vec3 x, fender_vec3 *outward)
{
    fnd_solid_point found;
    fnd_point_query(f->field->geometry, x, &found);
    *outward = found.normal;
    return found.distance;
}

/* A contact at a point of the solid's core. */
static fender_separation contact_at(const field_pair *f, fender_vec3 x, uint64_t feature, double weight)
{
    fender_vec3 outward;
    double value = value_at(f, x, &outward);
    fender_vec3 normal = fender_mat3_times(&f->field->R_WG, outward), core = fender_mat3_times(&f->field->R_WG, x);
    fender_separation s = fnd_single(value - f->rounding, fender_vec3_add_scaled(core, -value, normal),
                                     fender_vec3_add_scaled(core, -f->rounding, normal), normal, feature);
    s.weight = weight;
    s.index = (int)feature;
    return s;
}

static fender_vec3 between(fender_vec3 a, double part, fender_vec3 b)
{
    assert(!(part < 0) && !(part > 1));
    return fender_vec3_add_scaled(a, part, fender_vec3_sub(b, a));
}

/* Where between a and b the slope along them turns from down to up: part of the way. */
static double turning_point(const field_pair *f, fender_vec3 a, fender_vec3 b, double low, double high)
{
    fender_vec3 along = fender_vec3_sub(b, a), outward;
    value_at(f, between(a, low, b), &outward);
    if (fender_vec3_dot(outward, along) >= 0) return low;
    value_at(f, between(a, high, b), &outward);
    if (fender_vec3_dot(outward, along) <= 0) return high;
    for (int halving = 0; halving < 60; halving++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        value_at(f, between(a, middle, b), &outward);
        double slope = fender_vec3_dot(outward, along);
        if (slope == 0) return middle;
        if (slope < 0) low = middle;
        else high = middle;
    }
    return 0.5 * (low + high);
}

static fender_vec3 lowest_of_segment(const field_pair *f, fender_vec3 a, fender_vec3 b)
{
    enum { STEPS = 32 };
    double least = INFINITY;
    int best = STEPS / 2;
    fender_vec3 outward;
    for (int k = 0; k <= STEPS; k++) { /* from the middle outward: the middle of equal ones */
        int i = STEPS / 2 + (k & 1 ? (k + 1) / 2 : -(k / 2));
        double value = value_at(f, between(a, (double)i / STEPS, b), &outward);
        if (value < least) least = value, best = i;
    }
    value_at(f, between(a, (double)best / STEPS, b), &outward);
    double slope = fender_vec3_dot(outward, fender_vec3_sub(b, a)), at = (double)best / STEPS, step = 1.0 / STEPS;
    double part = slope < 0 && best < STEPS ? turning_point(f, a, b, at, at + step)
                  : slope > 0 && best > 0   ? turning_point(f, a, b, at - step, at)
                                            : at;
    return between(a, part, b);
}

/* Downhill over a user's convex solid, of which only farthest points are known: towards the one against the gradient,
 * as far as that goes down. */
static fender_vec3 lowest_of_user(const field_pair *f)
{
    fender_vec3 x = f->p, outward;
    double size = f->solid->geometry->bounding_radius;
    for (int count = 0; count < 300; count++) {
        value_at(f, x, &outward);
        fender_vec3 against = fender_mat3_transpose_times(&f->R, fender_vec3_negate(outward));
        fender_vec3 corner = to_field(f, fnd_support(f->solid->geometry, against));
        if (fender_vec3_dot(outward, fender_vec3_sub(x, corner)) <= 1e-15 * size) break;
        double part = turning_point(f, x, corner, 0, 1);
        if (part <= 0) break;
        x = part >= 1 ? corner : between(x, part, corner);
    }
    return x;
}

/* The place of the solid's core that is nearest to x, which is in the frame of the field. */
static fender_vec3 into_core(const field_pair *f, fender_vec3 x)
{
    fnd_solid_point found;
    fender_vec3 local = fender_mat3_transpose_times(&f->R, fender_vec3_sub(x, f->p));
    if (!fnd_point_query(f->solid->geometry, local, &found)) return x;
    if (found.distance + f->rounding <= 0) return x;
    return to_field(f, fender_vec3_add_scaled(found.point, -f->rounding, found.normal));
}

/* Downhill over a solid: along the gradient and back to the nearest place of the solid, with steps as long as the
 * bend of the field allows. A signed distance of a convex solid is convex, so there is no other minimum then. */
static fender_vec3 lowest_of_solid(const field_pair *f)
{
    double size = f->solid->geometry->bounding_radius, step = 2 * size;
    fender_vec3 outward, ahead, x = into_core(f, f->p);
    double value = value_at(f, x, &outward);
    for (int count = 0; count < 400; count++) {
        fender_vec3 next = into_core(f, fender_vec3_add_scaled(x, -step, outward)), move = fender_vec3_sub(next, x);
        double squared = fender_vec3_dot(move, move);
        if (squared <= 1e-30 * size * size) break;
        double there = value_at(f, next, &ahead);
        double bend = fender_vec3_dot(move,
                                      fender_vec3_sub(ahead, outward)); /* of the field along the move, times it */
        if (bend * step > squared) {
            step *= 0.5;
            if (step < 1e-12 * size) break;
            continue;
        }
        if (there > value + 4e-16 * size) break;
        x = next, value = there, outward = ahead;
        step = 1.25 * step < 1e3 * size ? 1.25 * step : 1e3 * size;
    }
    return x;
}

/* Largest part of a face that a vertex has, as part of the largest face. */
static double share_of_vertex(const fender_geometry *geometry, int vertex)
{
    assert(vertex >= 0);
    const fnd_polytope *polytope = geometry->polytope;
    double most = 0;
    for (int i = 0; i < polytope->face_count; i++) {
        int32_t first = polytope->face_start[i], end = polytope->face_start[i + 1];
        for (int32_t k = first; k < end; k++)
            if (polytope->face_vertices[k] == vertex && polytope->face_areas[i] / (end - first) > most)
                most = polytope->face_areas[i] / (end - first);
    }
    return geometry->patch_area > 0 ? most / geometry->patch_area : 1;
}

/* Adds those within reach; false: none is. */
static bool add_vertices(const field_pair *f, const fnd_query *query, fnd_manifold *out)
{
    const fender_geometry *geometry = f->solid->geometry;
    bool any = false;
    for (int i = 0; i < geometry->polytope->vertex_count; i++) {
        fender_separation one = contact_at(f, to_field(f, geometry->polytope->vertices[i]), (uint64_t)i, 1);
        if (!(one.distance <= fnd_query_range(query))) continue;
        one.weight = share_of_vertex(geometry, i);
        fnd_manifold_add(out, one);
        any = true;
    }
    return any;
}

void fnd_field_convex(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    const fender_geometry *solid = b->geometry;
    double reach = fnd_query_range(query);
    fender_vec3 offset = fender_vec3_sub(b->p_WG, a->p_WG);
    double bound = a->geometry->bounding_radius + solid->bounding_radius + reach;
    if (bound >= 0 && fender_vec3_dot(offset, offset) > bound * bound * 1.00000000000001) return;
    fender_mat3 back = fender_mat3_transpose(&a->R_WG);
    field_pair f = {a, b, fender_mat3_product(&back, &b->R_WG), fender_mat3_times(&back, offset),
                    fnd_core_rounding(solid)};
    if (solid->polytope && query->kind == FND_QUERY_PATCH && add_vertices(&f, query, out)) return;
    fender_vec3 x;
    if (solid->type == FENDER_GEOMETRY_CAPSULE) {
        fender_vec3 end = {0, 0, solid->half_length};
        x = lowest_of_segment(&f, to_field(&f, fender_vec3_negate(end)), to_field(&f, end));
    } else if (solid->type == FENDER_GEOMETRY_USER) x = lowest_of_user(&f);
    else x = lowest_of_solid(&f);
    fender_separation found = contact_at(&f, x, 0, 1);
    if (found.distance <= reach) fnd_manifold_add(out, found);
}
