/* A disk as ground for smaller solids. */
#include "collide/disk_ground.h"
#include <assert.h>

static fender_vec3 center_of(const fnd_posed *solid)
{
    const fender_box *box = &solid->geometry->bounds;
    const fender_vec3 middle = fender_vec3_scale(0.5, fender_vec3_add(box->lower, box->upper));
    return fender_vec3_add(solid->p_WG, fender_mat3_times(&solid->R_WG, middle));
}

/* Boxes, hulls, cones and closed meshes, whose largest face is smaller than the disk. The pressure of other sides and
 * roundings does not end at the border of an open mesh. */
static bool carries(const fender_geometry *disk, const fender_geometry *solid)
{
    if (!disk->side || !(solid->patch_area < disk->patch_area)) return false;
    if (solid->surface) return solid->surface->closed;
    return solid->thickness > 0 && solid->rounding == 0 && (solid->polytope || solid->type == FENDER_GEOMETRY_CONE);
}

/* The side of the disk that looks to the solid's centre. */
static fnd_posed side_of(const fnd_posed *disk, const fnd_posed *solid)
{
    const fender_vec3 axis = fender_mat3_column(&disk->R_WG, 2);
    const bool above = !(fender_vec3_dot(axis, fender_vec3_sub(center_of(solid), disk->p_WG)) < 0);
    const fender_mat3 over = fender_mat3_diagonal(1, -1, -1);
    const double up = above ? disk->geometry->rounding : -disk->geometry->rounding;
    return (fnd_posed){disk->geometry->side, fender_vec3_add_scaled(disk->p_WG, up, axis),
                       above ? disk->R_WG : fender_mat3_product(&disk->R_WG, &over)};
}

bool fnd_disk_is_ground(const fender_geometry *a, const fender_geometry *b) { return carries(a, b) || carries(b, a); }

void fnd_disk_ground(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    assert(fnd_disk_is_ground(a->geometry, b->geometry) && query->kind == FND_QUERY_PATCH);
    const bool first = carries(a->geometry, b->geometry);
    const fnd_posed side = side_of(first ? a : b, first ? b : a);
    const fnd_posed *of_a = first ? &side : a, *of_b = first ? b : &side;
    const fnd_query uncached = {query->kind, query->reach, NULL, query->memory, query->lift};
    const fnd_pair_entry entry = fnd_pair_find(of_a->geometry, of_b->geometry);
    const fender_vec3 shift = fender_vec3_sub(of_a->p_WG, a->p_WG); /* places are from the origin of a */
    int at = out->count;
    fnd_pair_evaluate(&entry, of_a, of_b, &uncached, out);
    for (; at < out->count; at++) {
        out->items[at].point_a = fender_vec3_add(out->items[at].point_a, shift);
        out->items[at].point_b = fender_vec3_add(out->items[at].point_b, shift);
    }
    out->deepest.point_a = fender_vec3_add(out->deepest.point_a, shift);
    out->deepest.point_b = fender_vec3_add(out->deepest.point_b, shift);
}
