/* Geometries that stand for others in patches. */
#include "collide/stand_in.h"
#include "collide/patch.h"
#include "collide/plane.h"

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

/* Where the shapes themselves are nearest; false: they do not touch. What leans over the rim may be behind the side's
 * plane, and not. */
static bool touch(const fnd_pair_entry *entry, const fnd_posed *a, const fnd_posed *b, const fnd_query *query,
                  fender_separation *nearest)
{
    fnd_manifold one = {.items = nearest, .capacity = 1};
    const fnd_query single = {FND_QUERY_SINGLE, query->reach, query->cache, query->memory, 0};
    fnd_pair_evaluate(entry, a, b, &single, &one);
    return one.count > 0;
}

/* Of contacts, over the stiffness: energy, and force and moment about the origin of b. */
typedef struct potential {
    double energy;
    fnd_patch_wrench push;
} potential;

static potential potential_of(const fnd_posed *a, const fnd_posed *b, const fnd_manifold *out, int first)
{
    potential all = {0};
    const double n = out->exponent > 1 ? out->exponent : 1;
    const fender_vec3 origin = fender_vec3_sub(b->p_WG, a->p_WG);
    for (int i = first; i < out->count; i++) {
        const fender_separation *s = &out->items[i];
        if (!(s->distance < 0)) continue;
        const double force = s->weight * fnd_power_of_depth(-s->distance, n), energy = -force * s->distance / (n + 1);
        const fender_vec3 push = fender_vec3_scale(force, s->normal),
                          middle = fender_vec3_scale(0.5, fender_vec3_add(s->point_a, s->point_b));
        all.energy += energy;
        all.push.force = fender_vec3_add(all.push.force, push);
        all.push.moment = fender_vec3_add(all.push.moment, fender_vec3_cross(fender_vec3_sub(middle, origin), push));
        all.push.moment = fender_vec3_add_scaled(all.push.moment, energy, s->turn);
    }
    return all;
}

/* Half of a solid's surface, which is more than it covers of a plane, over the area of its largest face. */
static double widest_part(const fender_geometry *solid)
{
    double area = 0;
    const fnd_polytope *p = fnd_geometry_faces(solid);
    if (solid->surface) area = solid->surface->area;
    for (int i = 0; p && i < p->face_count; i++) area += p->face_areas[i];
    return area > 2 * solid->patch_area ? 0.5 * area / solid->patch_area : 1;
}

/* How much of the side's patches counts, and its decrease. Their energy is at most that of all that the solid covers at
 * the depth of the shortest way out; it is more where the rim alone is in the solid, or the solid beyond the rim. */
static fnd_side_part part_of_side(const fnd_posed *solid, const fender_separation *nearest, const potential *side,
                                  fender_vec3 origin, double n)
{
    const double way = -nearest->distance;
    assert(solid->geometry);
    if (!(way > 0)) return (fnd_side_part){0};
    const double limit = widest_part(solid->geometry) * fnd_power_of_depth(way, n) * way / (n + 1);
    const double x = side->energy / limit - 1;
    if (x <= 0) return (fnd_side_part){.part = 1};
    if (x >= 1) return (fnd_side_part){0};
    const double by_energy = 6 * x * (1 - x) / limit, by_way = by_energy * (n + 1) / way * side->energy;
    const fender_vec3 out = fender_vec3_scale(by_way, nearest->normal),
                      place = fender_vec3_sub(nearest->point_b, origin);
    return (fnd_side_part){1 - x * x * (3 - 2 * x), fender_vec3_add_scaled(out, -by_energy, side->push.force),
                           fender_vec3_add_scaled(fender_vec3_cross(place, out), -by_energy, side->push.moment)};
}

static void scale(fnd_manifold *out, int from, int to, double part)
{
    for (int i = from; i < to; i++) {
        out->items[i].weight *= part;
        out->items[i].area *= part;
        out->items[i].weight_fades = true;
    }
}

/* A face that the side of a disk does not have: contacts of its rim. */
enum { RIM = 1 << 25 };

/* Those that the pair has where the disk does not stand as ground. */
static void add_rim(const fnd_pair_entry *entry, const fnd_posed *a, const fnd_posed *b, const fnd_query *query,
                    bool first, fnd_manifold *out)
{
    const int from = out->count;
    const fnd_query uncached = {query->kind, query->reach, NULL, query->memory, query->lift};
    const fender_separation deepest = out->deepest;
    const bool has_deepest = out->has_deepest;
    out->has_deepest = false;
    fnd_pair_evaluate_plain(entry, a, b, &uncached, out);
    for (int i = from; i < out->count; i++) {
        uint64_t *name = &out->items[i].feature;
        if (first) *name = fnd_patch_on_face(*name, RIM);
        else *name = fnd_patch_feature_mirrored(fnd_patch_on_face(fnd_patch_feature_mirrored(*name), RIM));
    }
    if (!has_deepest) return;
    out->deepest = deepest;
    out->has_deepest = true;
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
    const fender_vec3 origin = fender_vec3_sub(b->p_WG, a->p_WG);
    const double n = out->exponent > 1 ? out->exponent : 1;
    const int before = out->count;
    double weight = 0;
    fender_separation nearest;
    fnd_side_part part = {0};
    potential of = {0};
    fnd_pair_evaluate(&of_side, of_a, of_b, &uncached, out);
    for (int i = before; i < out->count; i++) weight += out->items[i].weight;
    if (weight > 0 && touch(entry, a, b, query, &nearest)) {
        of = potential_of(a, b, out, before);
        part = of.energy > 0 ? part_of_side(first ? b : a, &nearest, &of, origin, n) : (fnd_side_part){.part = 1};
    }
    if (part.part >= 1) return true;
    if (!(part.part > 0)) { /* apart, or at the rim, 0.12 % of the radius beyond the side's polygon */
        out->count = before;
        out->has_deepest = false;
        add_rim(entry, a, b, query, first, out);
        return true;
    }
    const int middle = out->count;
    scale(out, before, middle, part.part);
    add_rim(entry, a, b, query, first, out);
    const double more = of.energy - potential_of(a, b, out, middle).energy;
    scale(out, middle, out->count, 1 - part.part);
    const fnd_patch_wrench push = {fender_vec3_scale(more, part.force), fender_vec3_scale(more, part.moment)};
    fnd_patch_push(a, b, &push, before, out);
    return true;
}

/* ---- A closed convex mesh ---- */

/* Cylinders and disks know by the ways out of a hull, at edges, which part of the pressure of their sides counts.
 * Rounded ones do where both have faces of the same size. Where an ellipsoid is deepest at an edge, none of the
 * triangles knows the shortest way out of the solid. */
static bool has_hull(const fender_geometry *mesh, const fender_geometry *solid)
{
    if (!mesh->hull) return false;
    if (solid->type == FENDER_GEOMETRY_ELLIPSOID) return true;
    if (solid->type != FENDER_GEOMETRY_CYLINDER && solid->type != FENDER_GEOMETRY_DISK) return false;
    const double area = mesh->patch_area;
    return solid->rounding == 0 || fabs(mesh->hull->patch_area - area) <= 1e-9 * area;
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
