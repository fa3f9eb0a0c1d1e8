/* Geometries that stand for others in patches. */
#include "collide/stand_in.h"

static fender_vec3 center_of(const fnd_posed *solid)
{
    const fender_box *box = &solid->geometry->bounds;
    const fender_vec3 middle = fender_vec3_scale(0.5, fender_vec3_add(box->lower, box->upper));
    return fender_vec3_add(solid->p_WG, fender_mat3_times(&solid->R_WG, middle));
}

/* ---- A disk as ground ---- */

/* Boxes, hulls, cones and closed meshes, whose largest face is smaller than the disk. The pressure of other sides does
 * not end at the border of an open mesh, and a rounded rim is not of one. */
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
    return (fnd_posed){disk->geometry->side, disk->p_WG, above ? disk->R_WG : fender_mat3_product(&disk->R_WG, &over)};
}

/* Do the shapes themselves touch? What leans over the rim may be behind the side's plane, and not. */
static bool touch(const fnd_pair_entry *entry, const fnd_posed *a, const fnd_posed *b, const fnd_query *query)
{
    fender_separation nearest;
    fnd_manifold one = {.items = &nearest, .capacity = 1};
    const fnd_query single = {FND_QUERY_SINGLE, query->reach, query->cache, query->memory, 0};
    fnd_pair_evaluate(entry, a, b, &single, &one);
    return one.count > 0;
}

static bool on_disk(const fnd_pair_entry *entry, const fnd_posed *a, const fnd_posed *b, const fnd_query *query,
                    fnd_manifold *out)
{
    const bool first = carries(a->geometry, b->geometry);
    if (!first && !carries(b->geometry, a->geometry)) return false;
    const fnd_posed side = side_of(first ? a : b, first ? b : a);
    const fnd_posed *of_a = first ? &side : a, *of_b = first ? b : &side;
    const fnd_query uncached = {query->kind, query->reach, NULL, query->memory, query->lift};
    const fnd_pair_entry of_side = fnd_pair_find(of_a->geometry, of_b->geometry);
    const int before = out->count;
    double weight = 0;
    fnd_pair_evaluate(&of_side, of_a, of_b, &uncached, out);
    for (int i = before; i < out->count; i++) weight += out->items[i].weight;
    if (weight > 0 && touch(entry, a, b, query)) return true;
    out->count = before; /* apart, or at the rim, 0.12 % of the radius beyond the side's polygon */
    out->has_deepest = false;
    return false;
}

/* ---- A closed convex mesh ---- */

/* Cylinders and disks know by the ways out of a hull, at edges, which part of the pressure of their sides counts. */
static bool has_hull(const fender_geometry *mesh, const fender_geometry *solid)
{
    const bool capped = solid->type == FENDER_GEOMETRY_CYLINDER || solid->type == FENDER_GEOMETRY_DISK;
    return mesh->hull && capped && solid->rounding == 0;
}

static bool on_hull(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    fnd_posed of_a = *a, of_b = *b;
    if (has_hull(a->geometry, b->geometry)) of_a.geometry = a->geometry->hull;
    else if (has_hull(b->geometry, a->geometry)) of_b.geometry = b->geometry->hull;
    else return false;
    const fnd_query uncached = {query->kind, query->reach, NULL, NULL, query->lift};
    const fnd_pair_entry entry = fnd_pair_find(of_a.geometry, of_b.geometry);
    fnd_pair_evaluate(&entry, &of_a, &of_b, &uncached, out);
    return true;
}

bool fnd_stand_in(const fnd_pair_entry *entry, const fnd_posed *a, const fnd_posed *b, const fnd_query *query,
                  fnd_manifold *out)
{
    return on_disk(entry, a, b, query, out) || on_hull(a, b, query, out);
}
