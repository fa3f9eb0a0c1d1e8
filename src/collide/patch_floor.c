/* A solid on a floor: points of patches, and the plane as a floor. */
#include "collide/patch_floor.h"

#include "collide/patch.h"
#include "geometry/support.h"

/* Features: 3 bits of kind, whether the floor is of b, 26 bits of the face of a, 26 of b, 8 of the point. */
enum { FACE_BITS = 26, POINT_BITS = 8 };
#define FACE_MASK (((uint64_t)1 << FACE_BITS) - 1)

static uint64_t feature_of(fnd_patch_kind kind, int number, int index)
{
    uint64_t solid = (uint64_t)number & FACE_MASK;
    return ((uint64_t)kind << 1 << 2 * FACE_BITS | solid) << POINT_BITS | (uint64_t)index;
}

uint64_t fnd_patch_face_feature(int32_t face_a, int32_t face_b, int index)
{
    uint64_t a = (uint64_t)face_a & FACE_MASK, b = (uint64_t)face_b & FACE_MASK;
    return (((uint64_t)FND_PATCH_FACE << 1 << FACE_BITS | a) << FACE_BITS | b) << POINT_BITS | (uint64_t)index;
}

uint64_t fnd_patch_on_face(uint64_t feature, int32_t face_a)
{
    return feature | ((uint64_t)face_a & FACE_MASK) << (POINT_BITS + FACE_BITS);
}

uint64_t fnd_patch_feature_mirrored(uint64_t feature)
{
    uint64_t point = feature & (((uint64_t)1 << POINT_BITS) - 1), face_b = feature >> POINT_BITS & FACE_MASK;
    uint64_t face_a = feature >> (POINT_BITS + FACE_BITS) & FACE_MASK, top = feature >> (POINT_BITS + 2 * FACE_BITS);
    bool of_faces = top >> 1 == FND_PATCH_FACE; /* neither solid is the floor */
    if (!of_faces) top ^= 1;
    return ((top << FACE_BITS | face_b) << FACE_BITS | face_a) << POINT_BITS | point;
}

void fnd_patch_add(fnd_patch_floor *f, fender_vec3 core, double depth, double weight, fnd_patch_kind kind, int number,
                   int index)
{
    if (!(weight > 0) || (kind == FND_PATCH_TIP && !(depth > -f->reach))) return;
    /* Within the part that meets the floor nothing lies above the lift, but points of triangles lie on the border of
     * that part: rounding must not decide whether they are there, for a damper acts at depth 0 as well. */
    if (kind != FND_PATCH_TIP && depth <= -f->lift) depth = f->lift > 0 ? f->lift * (-1 + 0x1p-52) : 0x1p-100;
    fender_vec3 b = fender_vec3_add_scaled(core, -f->solid_rounding, f->normal);
    fender_separation s = {
        .distance = -depth,
        .point_a = fender_vec3_add_scaled(b, depth, f->normal),
        .point_b = b,
        .normal = f->normal,
        .feature = feature_of(kind, number, index),
        .weight = weight,
        .area = kind == FND_PATCH_FACE || kind == FND_PATCH_CAP ? weight * f->full_area : 0,
        .index = index,
        .fades = true,
    };
    fnd_manifold_add(f->out, s);
    f->force += weight * depth;
    if (depth > f->deepest) f->deepest = depth;
}

/* Faces steeper than that (cosine of the tilt) fade until they stand upright. */
#define STEEP 0.2

double fnd_patch_counted(double down, double *derivative)
{
    double x = down / STEEP;
    *derivative = x < 1 ? x * x * (9 - 8 * x) : 1;
    return x < 1 ? down * x * x * (3 - 2 * x) : down;
}

/* In depths; only bodies of nearly no thickness ask for more. */
#define LARGEST_SHIFT 20

/* What is below this part of the whole patch is not worth a contact: steep walls of a box that stands. */
#define LEAST_PART 1e-12

static void drop_specks(fnd_patch_floor *f)
{
    double sum = 0;
    for (int i = f->first; i < f->out->count; i++) sum += f->out->items[i].weight;
    int kept = f->first;
    for (int i = f->first; i < f->out->count; i++)
        if (f->out->items[i].weight > LEAST_PART * sum) f->out->items[kept++] = f->out->items[i];
    f->out->count = kept;
}

void fnd_patch_finish(fnd_patch_floor *f)
{
    drop_specks(f);
    if (!(f->force > 0) || f->lift > 0) return;
    fender_vec3 shift = fender_vec3_scale(1 / f->force, f->moment);
    double length = fender_vec3_length(shift), limit = LARGEST_SHIFT * f->deepest;
    if (length == 0) return;
    if (length > limit) shift = fender_vec3_scale(limit / length, shift);
    for (int i = f->first; i < f->out->count; i++) {
        fender_separation *s = &f->out->items[i];
        s->point_a = fender_vec3_add(s->point_a, shift);
        s->point_b = fender_vec3_add(s->point_b, shift);
    }
}

bool fnd_patch_plane(const fnd_placed *plane, const fnd_placed *convex, const fnd_query *query, fnd_manifold *out)
{
    const fender_geometry *g = convex->geometry;
    bool polytope = g->polytope && g->polytope->edge_count > 0;
    bool round = g->type == FENDER_GEOMETRY_DISK || g->type == FENDER_GEOMETRY_CYLINDER ||
                 g->type == FENDER_GEOMETRY_CONE || g->type == FENDER_GEOMETRY_CAPSULE;
    if (!polytope && !round) return false;
    fnd_patch_floor floor = {
        .solid = convex,
        .solid_p = fender_vec3_sub(convex->p_WG, plane->p_WG),
        .normal = fender_mat3_column(&plane->R_WG, 2),
        .floor_rounding = plane->geometry->rounding,
        .solid_rounding = fnd_core_rounding(g),
        .full_area = g->patch_area,
        .out = out,
        .first = out->count,
    };
    floor.reach = fnd_query_reach(query);
    if (isfinite(floor.reach) && floor.reach > 0) floor.lift = floor.reach;
    if (polytope) fnd_patch_add_polytope(&floor);
    else fnd_patch_add_round(&floor);
    fnd_patch_finish(&floor);
    if (out->count == floor.first) return true;
    fender_vec3 down = fender_mat3_transpose_times(&convex->R_WG, fender_vec3_negate(floor.normal));
    fender_vec3 lowest = fender_vec3_add(floor.solid_p, fender_mat3_times(&convex->R_WG, fnd_support(g, down)));
    fnd_manifold_add_place(out, fnd_patch_depth(&floor, lowest),
                           fender_vec3_add_scaled(lowest, -floor.solid_rounding, floor.normal), floor.normal);
    return true;
}
