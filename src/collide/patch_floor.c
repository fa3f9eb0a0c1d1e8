/* A solid on a floor: points of patches, and the polytope that stands on it. */
#include "collide/patch_floor.h"

#include "collide/patch.h"
#include "geometry/support.h"

#define LEAST_WEIGHT 1e-15 /* below is rounding */

/* Numbers of features: four bits of kind, 28 of the floor's face, 24 of the solid's, 8 of the point. */
static uint64_t feature_of(const fnd_patch_floor *f, fnd_patch_kind kind, int number, int index)
{
    uint64_t kind_bits = (uint64_t)kind << 1 | (f->mirrored ? 1 : 0);
    return kind_bits << 60 | ((uint64_t)f->owner_face & 0xfffffff) << 32 | ((uint64_t)number & 0xffffff) << 8 |
           (uint64_t)index;
}

void fnd_patch_add(fnd_patch_floor *f, fender_vec3 core, double depth, double weight, fnd_patch_kind kind, int number,
                   int index)
{
    if (!(weight > LEAST_WEIGHT)) return;
    fender_vec3 b = fender_vec3_add_scaled(core, -f->solid_rounding, f->normal);
    fender_separation s = {
        .distance = -depth,
        .point_a = fender_vec3_add_scaled(b, depth, f->normal),
        .point_b = b,
        .normal = f->normal,
        .feature = feature_of(f, kind, number, index),
        .weight = weight,
        .area = kind == FND_PATCH_FACE || kind == FND_PATCH_CAP ? weight * f->full_area : 0,
        .index = index,
        .fades = true,
    };
    fnd_manifold_add(f->out, s);
    f->force += weight * depth;
    if (depth > f->deepest) f->deepest = depth;
}

/* In depths; only bodies of nearly no thickness ask for more. */
#define LARGEST_SHIFT 20

void fnd_patch_finish(fnd_patch_floor *f)
{
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

/* A face of the solid with coordinates of its own: x along its first edge. */
typedef struct face_frame {
    const fnd_patch_floor *floor;
    fender_vec3 origin, e1, e2; /* world axes, floor's origin */
    double depth, slope_x, slope_y;
} face_frame;

/* Half plane 0 is where the face lies below the floor, the others are the borders of the floor. */
static fnd_half_plane cut_of_face(const void *ctx, int index)
{
    const face_frame *frame = ctx;
    const fnd_patch_floor *f = frame->floor;
    if (index == 0) return (fnd_half_plane){frame->slope_x, frame->slope_y, frame->depth + f->lift};
    const fnd_polytope *p = f->owner->geometry->polytope;
    int start = p->face_start[f->owner_face], count = p->face_start[f->owner_face + 1] - start;
    fender_vec3 from = p->vertices[p->face_vertices[start + index - 1]];
    fender_vec3 to = p->vertices[p->face_vertices[start + index % count]];
    fender_vec3 inward = fender_vec3_cross(p->face_normals[f->owner_face], fender_vec3_sub(to, from));
    inward = fender_mat3_times(&f->owner->R_WG, inward);
    double c = fender_vec3_dot(inward, fender_vec3_sub(frame->origin, fender_mat3_times(&f->owner->R_WG, from)));
    return (fnd_half_plane){fender_vec3_dot(inward, frame->e1), fender_vec3_dot(inward, frame->e2), c};
}

enum { CORNERS = 32 };

/* Moments of the part of a face that is below the floor and within its border. */
static fnd_area_moments face_below(const face_frame *frame, const fnd_polytope *p, int face)
{
    const fnd_patch_floor *f = frame->floor;
    fnd_half_planes cuts = {1, cut_of_face, frame};
    if (f->owner) {
        const fnd_polytope *owner = f->owner->geometry->polytope;
        cuts.count += owner->face_start[f->owner_face + 1] - owner->face_start[f->owner_face];
    }
    const int32_t *vertices = &p->face_vertices[p->face_start[face]];
    int count = p->face_start[face + 1] - p->face_start[face];
    fender_vec3 first = p->vertices[vertices[0]];
    fender_vec3 e1 = fender_mat3_transpose_times(&f->solid->R_WG, frame->e1);
    fender_vec3 e2 = fender_mat3_transpose_times(&f->solid->R_WG, frame->e2);
    fnd_area_moments sum = {0};
    fender_vec2 corners[CORNERS];
    for (int start = 1; start + 1 < count; start += CORNERS - 2) {
        int n = 0;
        corners[n++] = (fender_vec2){0, 0};
        for (int i = start; i < count && n < CORNERS; i++) {
            fender_vec3 v = fender_vec3_sub(p->vertices[vertices[i]], first);
            corners[n++] = (fender_vec2){fender_vec3_dot(e1, v), fender_vec3_dot(e2, v)};
        }
        fnd_area_add_polygon(&sum, corners, n, &cuts);
    }
    return sum;
}

/* The patch of a face whose outward normal has the part `down` > 0 into the floor.
 *
 * Its points stand for the integral over the projected area, energy k/2 * integral of depth^2. Where the border of the
 * area is the body's silhouette and below the floor, that energy has a torque beside the force on the area: with the
 * horizontal slope -n_h / down of the depth, the moment is what fnd_patch_finish shifts the points by. Between faces
 * that both look down it cancels. */
static void add_face(fnd_patch_floor *f, const fnd_polytope *p, int face, double down)
{
    const int32_t *vertices = &p->face_vertices[p->face_start[face]];
    fender_vec3 first = p->vertices[vertices[0]];
    face_frame frame = {.floor = f};
    fender_vec3 edge = fender_vec3_sub(p->vertices[vertices[1]], first);
    edge = fender_vec3_scale(1 / fender_vec3_length(edge), edge);
    frame.e1 = fender_mat3_times(&f->solid->R_WG, edge);
    frame.e2 = fender_mat3_times(&f->solid->R_WG, fender_vec3_cross(p->face_normals[face], edge));
    fender_vec3 arm = fender_mat3_times(&f->solid->R_WG, first);
    frame.origin = fender_vec3_add(f->solid_p, arm);
    frame.depth = fnd_patch_depth(f, f->solid_p) - fender_vec3_dot(f->normal, arm);
    frame.slope_x = -fender_vec3_dot(f->normal, frame.e1);
    frame.slope_y = -fender_vec3_dot(f->normal, frame.e2);
    fnd_area_moments area = face_below(&frame, p, face);
    if (!(area.area > 0)) return;
    fender_vec2 points[4];
    fnd_area_points(&area, points);
    double weight = 0.25 * down * (area.area / f->full_area);
    double square = 0; /* mean of depth^2 */
    for (int k = 0; k < 4; k++) {
        fender_vec3 x = fender_vec3_add_scaled(fender_vec3_add_scaled(frame.origin, points[k].x, frame.e1), points[k].y,
                                               frame.e2);
        double depth = frame.depth + (frame.slope_x * points[k].x + frame.slope_y * points[k].y);
        fnd_patch_add(f, x, depth, weight, FND_PATCH_FACE, face, k);
        square += 0.25 * depth * depth;
    }
    fender_vec3 normal = fender_mat3_times(&f->solid->R_WG, p->face_normals[face]);
    fender_vec3 horizontal = fender_vec3_add_scaled(normal, down, f->normal);
    f->moment = fender_vec3_add_scaled(f->moment, 0.5 * square * (area.area / f->full_area), horizontal);
}

void fnd_patch_add_polytope(fnd_patch_floor *f)
{
    const fnd_polytope *p = f->solid->geometry->polytope;
    fender_vec3 normal = fender_mat3_transpose_times(&f->solid->R_WG, f->normal); /* in the solid's frame */
    double depth = fnd_patch_depth(f, f->solid_p);
    for (int face = 0; face < p->face_count; face++) {
        double down = -fender_vec3_dot(normal, p->face_normals[face]);
        if (!(down > 0)) continue;
        bool below = false;
        for (int i = p->face_start[face]; i < p->face_start[face + 1] && !below; i++)
            below = depth - fender_vec3_dot(normal, p->vertices[p->face_vertices[i]]) > -f->lift;
        if (below) add_face(f, p, face, down);
    }
}

bool fnd_patch_plane(const fnd_placed *plane, const fnd_placed *convex, const fnd_query *query, fnd_manifold *out)
{
    const fender_geometry *g = convex->geometry;
    bool polytope = g->polytope && g->polytope->face_count > 2;
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
    return true;
}
