/* Solids on a plane: single contacts, and patches of polytopes and round solids (docs/models/contact_patches.md). */
#include "collide/plane.h"
#include <assert.h>

#include "collide/pair_table.h"
#include "geometry/support.h"

/* ---- Single contacts ---- */

/* Contact of a plane with a convex solid: its lowest point, by the support function in closed form.
 *
 * Where a face, an edge or a line of the solid is parallel to the plane to within rounding, all its points are lowest;
 * the middle is taken, so that a lying body is pushed there and not turned by rounding in its attitude. Slopes below
 * PARALLEL_FULL count as parallel, from there to PARALLEL_NONE the point moves continuously from the middle to the
 * exact one; that band is at the rounding of a rotation matrix, and the distance is that of the lowest point always. */

#define PARALLEL_FULL 2e-15
#define PARALLEL_NONE 5e-15

/* 0: parallel, 1: not. */
static double inclined(double slope)
{
    double s = fabs(slope);
    if (s <= PARALLEL_FULL) return 0;
    return s >= PARALLEL_NONE ? 1 : (s - PARALLEL_FULL) / (PARALLEL_NONE - PARALLEL_FULL);
}

/* The end of [-half, half] on the side of d. */
static double end_towards(double half, double d) { return (d < 0 ? -half : half) * inclined(d); }

static fender_vec3 circle(double radius, fender_vec3 d, double z)
{
    double across = fnd_length_2(d.x, d.y), part = radius * inclined(across);
    return across > 0 ? fender_vec3_make(part * (d.x / across), part * (d.y / across), z) : fender_vec3_make(0, 0, z);
}

static fender_vec3 cone(double radius, double half_length, fender_vec3 d)
{
    double across = fnd_length_2(d.x, d.y), length = fnd_length_2(radius, 2 * half_length);
    fender_vec3 apex = {0, 0, half_length}, rim = circle(radius, d, -half_length);
    if (!(length > 0)) return apex;
    double slope = (2 * half_length * d.z - radius * across) / length; /* of the line from the rim to the apex */
    double part = 0.5 + (slope < 0 ? -0.5 : 0.5) * inclined(slope);
    return fender_vec3_add_scaled(rim, part, fender_vec3_sub(apex, rim));
}

static fender_vec3 ellipsoid(fender_vec3 semi_axes, fender_vec3 d)
{
    fender_vec3 w = {semi_axes.x * d.x, semi_axes.y * d.y, semi_axes.z * d.z};
    double longest = fnd_largest_component(semi_axes), length = fnd_length_and_direction(w, &w);
    double part = longest > 0 ? inclined(length / longest) : 0;
    return fender_vec3_make(part * semi_axes.x * w.x, part * semi_axes.y * w.y, part * semi_axes.z * w.z);
}

static fender_vec3 hull(const fnd_polytope *polytope, double size, fender_vec3 d)
{
    assert(polytope->vertex_count > 0);
    double most = -INFINITY, weight = 0;
    for (int i = 0; i < polytope->vertex_count; i++) {
        double along = fender_vec3_dot(polytope->vertices[i], d);
        if (along > most) most = along;
    }
    fender_vec3 sum = {0, 0, 0}, first = {0, 0, 0};
    for (int i = 0; i < polytope->vertex_count; i++) {
        double short_of = most - fender_vec3_dot(polytope->vertices[i], d);
        double share = size > 0 ? 1 - inclined(short_of / size) : 1;
        if (share <= 0) continue;
        if (weight == 0) first = polytope->vertices[i]; /* alone it stays what it is */
        weight += share;
        sum = fender_vec3_add_scaled(sum, share, fender_vec3_sub(polytope->vertices[i], first));
    }
    return weight > 0 ? fender_vec3_add_scaled(first, 1 / weight, sum) : first;
}

/* The point of the core farthest along the unit vector d, both in G. */
static fender_vec3 farthest(const fender_geometry *geometry, fender_vec3 d)
{
    double radius = geometry->radius, half_length = geometry->half_length;
    switch (geometry->type) {
    case FENDER_GEOMETRY_CAPSULE: return fender_vec3_make(0, 0, end_towards(half_length, d.z));
    case FENDER_GEOMETRY_DISK: return circle(radius, d, 0);
    case FENDER_GEOMETRY_CYLINDER: return circle(radius, d, end_towards(half_length, d.z));
    case FENDER_GEOMETRY_CONE: return cone(radius, half_length, d);
    case FENDER_GEOMETRY_ELLIPSOID: return ellipsoid(geometry->half, d);
    case FENDER_GEOMETRY_BOX:
        return fender_vec3_make(end_towards(geometry->half.x, d.x), end_towards(geometry->half.y, d.y),
                                end_towards(geometry->half.z, d.z));
    case FENDER_GEOMETRY_HULL: return hull(geometry->polytope, geometry->bounding_radius - geometry->rounding, d);
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_POINT:
    case FENDER_GEOMETRY_CLOUD:
    case FENDER_GEOMETRY_PROBE:
    case FENDER_GEOMETRY_PLANE:
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_MESH:
    case FENDER_GEOMETRY_USER:
    case FENDER_GEOMETRY_TYPE_COUNT: break;
    }
    return fnd_support(geometry, d);
}

void fnd_plane_convex(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    if (query->kind == FND_QUERY_PATCH && fnd_patch_plane(a, b, query, out)) return;
    double reach = fnd_query_range(query), rounding = fnd_core_rounding(b->geometry);
    fender_vec3 offset = fender_vec3_sub(b->p_WG, a->p_WG), normal;
    fnd_length_and_direction(fender_mat3_column(&a->R_WG, 2), &normal);
    double height = fender_vec3_dot(normal, offset);
    if (height - b->geometry->bounding_radius > reach * (reach > 0 ? 1.00000000000001 : 1)) return;
    fender_vec3 lowest_G = farthest(b->geometry, fender_mat3_transpose_times(&b->R_WG, fender_vec3_negate(normal)));
    fender_vec3 lowest = fender_mat3_times(&b->R_WG, lowest_G);
    double distance = height + fender_vec3_dot(normal, lowest) - rounding;
    if (distance > reach) return;
    fender_vec3 point_b = fender_vec3_add_scaled(fender_vec3_add(offset, lowest), -rounding, normal);
    fnd_manifold_add(out, fnd_single(distance, fender_vec3_add_scaled(point_b, -distance, normal), point_b, normal, 0));
}

/* ---- Patches ---- */

/* Vectors in world axes; origin at a's p_WG. */
typedef struct patch_floor {
    const fnd_posed *solid;
    fender_vec3 solid_p; /* its origin */
    fender_vec3 normal;  /* out of the floor */
    double offset;       /* normal . x on the core of the floor */
    double floor_rounding, solid_rounding;
    double reach;
    double lift;      /* points at most so far above the floor belong to a patch as well [m, >= 0] */
    double border;    /* the part of the patch at hand reaches so far above the floor: 0 or `lift` [m] */
    bool apart;       /* and has only what is above it */
    fender_vec3 turn; /* of the points at hand: see fender_separation */
    double full_area;
    fnd_manifold *out;
    int first; /* of the patch in out */
    /* sums over what was added */
    double force;       /* weight times depth */
    fender_vec3 moment; /* horizontal; the moment that changes of weights do, turned into a shift times force */
    double deepest;
} patch_floor;

/* Depth of a point of the solid's core. */
static double patch_depth(const patch_floor *f, fender_vec3 x)
{
    return f->offset - fender_vec3_dot(f->normal, x) + (f->floor_rounding + f->solid_rounding);
}

/* Features: 3 bits of kind, whether the floor is of b, 26 bits of the face of a, 26 of b, 8 of the point. */
enum { FACE_BITS = 26, POINT_BITS = 8 };
#define FACE_MASK (((uint64_t)1 << FACE_BITS) - 1)

static uint64_t feature_of(fnd_patch_kind kind, int number, int index)
{
    assert(kind >= FND_PATCH_FACE && kind <= FND_PATCH_TIP);
    assert(number >= 0 && index >= 0);
    uint64_t solid = (uint64_t)number & FACE_MASK;
    return ((uint64_t)kind << 1 << 2 * FACE_BITS | solid) << POINT_BITS | (uint64_t)index;
}

uint64_t fnd_patch_face_feature(int32_t face_a, int32_t face_b, int index)
{
    assert(face_a >= 0 && face_b >= 0 && index >= 0);
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

static void patch_add(patch_floor *f, fender_vec3 core, double depth, double weight, fnd_patch_kind kind, int number,
                      int index)
{
    if (!(weight > 0) || (kind == FND_PATCH_TIP && !(depth > -f->reach))) return;
    /* Within the part that meets the floor nothing lies above the lift, but points of triangles lie on the border of
     * that part: rounding must not decide whether they are there, for a damper acts at depth 0 as well. */
    if (kind != FND_PATCH_TIP && depth <= -f->border) depth = f->border > 0 ? f->border * (-1 + 0x1p-52) : 0x1p-100;
    if (f->apart && depth >= 0) depth = -0x1p-100;
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
        .weight_fades = true,
        .border = f->lift,
    };
    if (f->out->turns) s.turn = f->turn;
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

/* Parts with less than this fraction of the patch are ignored: steep walls of a standing box. */
#define LEAST_PART 1e-12

void fnd_drop_specks(fnd_manifold *out, int first)
{
    double sum = 0;
    for (int i = first; i < out->count; i++) sum += out->items[i].weight;
    int kept = first;
    for (int i = first; i < out->count; i++)
        if (out->items[i].weight > LEAST_PART * sum) out->items[kept++] = out->items[i];
    out->count = kept;
}

static void patch_finish(patch_floor *f)
{
    fnd_drop_specks(f->out, f->first);
    if (!(f->force > 0) || f->lift > 0 || f->out->turns) return;
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

/* ---- Polytopes ---- */

/* A face of the solid with coordinates of its own: x along its first edge. */
typedef struct face_frame {
    const patch_floor *floor;
    fender_vec3 origin, e1, e2; /* world axes, floor's origin */
    double depth, slope_x, slope_y;
} face_frame;

/* Where the face lies below the floor, or below the border and not below the floor. */
static fnd_half_plane below_floor(const void *ctx, int index)
{
    const face_frame *frame = ctx;
    if (index > 0) return (fnd_half_plane){-frame->slope_x, -frame->slope_y, -frame->depth};
    return (fnd_half_plane){frame->slope_x, frame->slope_y, frame->depth + frame->floor->border};
}

/* Points of the part that is apart have numbers of their own. */
enum { APART = 4 };

enum { CORNERS = 32 };

/* Moments of the part of a face that is below the floor. */
static fnd_area_moments face_below(const face_frame *frame, const fnd_polytope *p, int face)
{
    assert(face >= 0 && face < p->face_count);
    const patch_floor *f = frame->floor;
    fnd_half_planes cuts = {f->apart ? 2 : 1, below_floor, frame};
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

/* The patch of a face that looks down.
 *
 * Its energy is fnd_patch_counted * integral over the face's part below the floor of k/2 depth^2: over the projected
 * area, which makes the sum over all faces the potential of a body that floats, but for steep faces. (Counted as they
 * are they would enter and leave with the torque of their upper half: a kink at rest.) The integral changes with depth
 * alone, the border lies at depth 0 or on the body; what fnd_patch_counted changes is a moment along the horizontal
 * part of the normal, by which patch_finish shifts the points. Between faces that meet below the floor and look
 * down it cancels. */
static void add_face(patch_floor *f, const fnd_polytope *p, int face, double down)
{
    assert(face >= 0 && face < p->face_count);
    const int32_t *vertices = &p->face_vertices[p->face_start[face]];
    fender_vec3 first = p->vertices[vertices[0]];
    face_frame frame = {.floor = f};
    fender_vec3 edge = fender_vec3_sub(p->vertices[vertices[1]], first);
    edge = fender_vec3_scale(1 / fender_vec3_length(edge), edge);
    frame.e1 = fender_mat3_times(&f->solid->R_WG, edge);
    frame.e2 = fender_mat3_times(&f->solid->R_WG, fender_vec3_cross(p->face_normals[face], edge));
    fender_vec3 arm = fender_mat3_times(&f->solid->R_WG, first);
    frame.origin = fender_vec3_add(f->solid_p, arm);
    frame.depth = patch_depth(f, f->solid_p) - fender_vec3_dot(f->normal, arm);
    frame.slope_x = -fender_vec3_dot(f->normal, frame.e1);
    frame.slope_y = -fender_vec3_dot(f->normal, frame.e2);
    fnd_area_moments area = face_below(&frame, p, face);
    if (!(area.area > 0)) return;
    fender_vec2 points[4];
    fnd_area_points(&area, points);
    double derivative, counted = fnd_patch_counted(down, &derivative), part = area.area / f->full_area;
    double weight = 0.25 * counted * part;
    double square = 0; /* mean of depth^2 */
    fender_vec3 normal = fender_mat3_times(&f->solid->R_WG, p->face_normals[face]);
    fender_vec3 horizontal = fender_vec3_add_scaled(normal, down, f->normal);
    f->turn = fender_vec3_scale(derivative / counted, fender_vec3_cross(horizontal, f->normal));
    for (int k = 0; k < 4; k++) {
        fender_vec3 x = fender_vec3_add_scaled(fender_vec3_add_scaled(frame.origin, points[k].x, frame.e1), points[k].y,
                                               frame.e2);
        double depth = frame.depth + (frame.slope_x * points[k].x + frame.slope_y * points[k].y);
        patch_add(f, x, depth, weight, FND_PATCH_FACE, face, f->apart ? APART + k : k);
        square += 0.25 * depth * depth;
    }
    f->moment = fender_vec3_add_scaled(f->moment, 0.5 * square * part * derivative, horizontal);
}

/* Two Gauss points on the part of an edge that is below. */
static double add_edge(patch_floor *f, const fnd_polytope *p, int edge, double weight)
{
    assert(edge >= 0 && edge < p->edge_count);
    fender_vec3 from = fender_mat3_times(&f->solid->R_WG, p->vertices[p->edges[edge].vertex[0]]);
    fender_vec3 to = fender_mat3_times(&f->solid->R_WG, p->vertices[p->edges[edge].vertex[1]]);
    double origin = patch_depth(f, f->solid_p), low = 0, high = 1;
    double depth = origin - fender_vec3_dot(f->normal, from), rise = origin - fender_vec3_dot(f->normal, to) - depth;
    double crossing = -(depth + f->border) / rise;
    if (depth + f->border <= 0 && depth + rise + f->border <= 0) return 0;
    if (depth + f->border < 0) low = crossing;
    else if (depth + rise + f->border < 0) high = crossing;
    if (f->apart && depth >= 0 && depth + rise >= 0) return 0;
    if (f->apart && depth > 0) low = -depth / rise;
    else if (f->apart && depth + rise > 0) high = -depth / rise;
    double square = 0;
    for (int k = 0; k < 2; k++) {
        double at = 0.5 * (low + high) + (k == 0 ? -0.5 : 0.5) * (high - low) / 1.7320508075688772935;
        fender_vec3 arm = fender_vec3_add_scaled(from, at, fender_vec3_sub(to, from));
        double here = depth + at * rise, part = 0.5 * weight * (high - low);
        patch_add(f, fender_vec3_add(f->solid_p, arm), here, part, FND_PATCH_LINE, edge, f->apart ? APART + k : k);
        square += part * here * here;
    }
    return square;
}

static double edge_length(const fnd_polytope *p, int edge)
{
    assert(edge >= 0 && edge < p->edge_count);
    const int32_t *v = p->edges[edge].vertex;
    return fender_vec3_length(fender_vec3_sub(p->vertices[v[1]], p->vertices[v[0]]));
}

/* Plates and rods stand on their border: edges count by length over the longest, and fade as a plate lies down. */
static void add_border(patch_floor *f, const fnd_polytope *p, fender_vec3 normal)
{
    double longest = 0, down = 0, squares = 0;
    int face = 0;
    for (int i = 0; i < p->edge_count; i++) {
        double length = edge_length(p, i);
        if (length > longest) longest = length;
    }
    if (p->face_count == 2) {
        down = -fender_vec3_dot(normal, p->face_normals[0]);
        face = down < 0 ? 1 : 0;
        down = fabs(down);
    }
    if (!(longest > 0) || !(down < 1)) return;
    /* squares has the factor 1 - down^2, whose derivative is -2 down */
    fender_vec3 horizontal = {0, 0, 0};
    if (p->face_count == 2) {
        horizontal = fender_mat3_times(&f->solid->R_WG, p->face_normals[face]);
        horizontal = fender_vec3_add_scaled(horizontal, down, f->normal);
    }
    f->turn = fender_vec3_scale(-2 * down / (1 - down * down), fender_vec3_cross(horizontal, f->normal));
    for (int i = 0; i < p->edge_count; i++)
        squares += add_edge(f, p, i, (1 - down * down) * (edge_length(p, i) / longest));
    if (p->face_count < 2) return;
    f->moment = fender_vec3_add_scaled(f->moment, -down / (1 - down * down) * squares, horizontal);
}

static void patch_add_polytope(patch_floor *f)
{
    const fnd_polytope *p = f->solid->geometry->polytope;
    fender_vec3 normal = fender_mat3_transpose_times(&f->solid->R_WG, f->normal); /* in the solid's frame */
    double depth = patch_depth(f, f->solid_p);
    if (depth + f->solid->geometry->bounding_radius <= -f->border) return; /* all of it is above */
    for (int face = 0; face < p->face_count; face++) {
        double down = -fender_vec3_dot(normal, p->face_normals[face]);
        if (!(down > 0)) continue;
        bool below = false;
        for (int i = p->face_start[face]; i < p->face_start[face + 1] && !below; i++)
            below = depth - fender_vec3_dot(normal, p->vertices[p->face_vertices[i]]) > -f->border;
        if (below) add_face(f, p, face, down);
    }
    if (p->face_count <= 2) add_border(f, p, normal);
}

/* ---- Round solids ---- */

/* A disk, cylinder, cone or capsule on a floor.
 *
 * Energy = k/2 f, where f is homogeneous of degree 2 in depths of points of the body, so that the points' weights are
 * found from its gradient, and depends beside that on the elevation of the axis alone: rolling changes nothing.
 *
 *   f = p cap + (1 - p) (q line + (1 - q) tip^2)
 *
 * tip: depth of the lowest point. cap: the mean of depth^2 over the lower cap while the pressure's centre lies within
 * it (slope R / depth of its centre < 4), from there on tip^2 / 5. line: the mean of depth^2 over the lowest ruling
 * line while the pressure's centre lies within it, from there on tip^2 / 4. Both pass over with continuous gradients.
 * p = sigma^4 for the sine sigma of the axis' elevation (1: flat on the cap), q = (1 - psi^2)^2 for the sine psi of the
 * line's (0: it lies on the floor). So the stiffness is k flat on the cap, k on the side, k on a tip or rim that stands
 * upright, and nowhere below k / 5.
 *
 * The pressure of a cap that is about to lift is that of a smaller disk of even weight, shifted towards the tip, and of
 * the tip itself, with the same force, torque and energy (any points in a linear field of depth that have force and
 * torque have the energy); four points stand for it. A line is two Gauss points of a part of the line, likewise. */

/* Part of the way that the shifted disk or line would have to go to have the whole torque; the tip has the rest. */
#define WAY 0.6
/* Up to here slope R / depth of a cap of even pressure: sqrt 5 - 1. */
#define EVEN_CAP 1.2360679774997896964
/* A slope that is rounding. */
#define FLAT   1e-15
#define SQRT_3 1.7320508075688772935

typedef struct round_body {
    fender_vec3 axis, down; /* unit; down: steepest descent in the cap */
    double sigma, slope;    /* sine and cosine of the elevation of the axis */
    double depth;           /* of the origin */
    /* cap */
    double p, dp; /* and its derivative by sigma */
    double cap_z, radius, cap_depth;
    int cap_number;
    /* tip and line: points relative to the origin */
    fender_vec3 tip, far; /* ends of the line */
    double tip_depth, far_depth;
    double q, dq;
    int tip_number;
    bool tip_is_upper;
} round_body;

static fender_vec3 point_of(const round_body *r, double z, double radius)
{
    return fender_vec3_add(fender_vec3_scale(z, r->axis), fender_vec3_scale(radius, r->down));
}
static double depth_of(const round_body *r, double z, double radius)
{
    return r->depth - z * r->sigma + radius * r->slope;
}

static void set_cap(round_body *r, double z, double radius, int number)
{
    double squared = r->sigma * r->sigma;
    r->p = squared * squared;
    r->dp = 4 * squared * r->sigma;
    r->cap_z = z;
    r->radius = radius;
    r->cap_depth = depth_of(r, z, 0);
    r->cap_number = number;
}

/* The deeper of the points at z[i], radius[i] is the tip. */
static void set_line(round_body *r, const double z[2], const double radius[2])
{
    double depth[2] = {depth_of(r, z[0], radius[0]), depth_of(r, z[1], radius[1])};
    int tip = depth[1] > depth[0] ? 1 : 0, far = 1 - tip;
    r->tip = point_of(r, z[tip], radius[tip]);
    r->far = point_of(r, z[far], radius[far]);
    r->tip_depth = depth[tip];
    r->far_depth = depth[far];
    r->tip_number = tip;
    r->tip_is_upper = tip == 1;
}

static void describe_disk(round_body *r, double radius)
{
    const double z[2] = {0, 0}, radii[2] = {radius, radius};
    set_line(r, z, radii);
    set_cap(r, 0, radius, r->sigma >= 0 ? 0 : 1);
}

static void describe_cylinder(round_body *r, double radius, double half)
{
    const double z[2] = {-half, half}, radii[2] = {radius, radius};
    set_line(r, z, radii);
    if (radius > 0) set_cap(r, r->sigma >= 0 ? -half : half, radius, r->sigma >= 0 ? 0 : 1);
    r->q = r->slope * r->slope * r->slope * r->slope;
    r->dq = -4 * r->sigma * r->slope * r->slope;
}

static void describe_cone(round_body *r, double radius, double half)
{
    const double z[2] = {-half, half}, radii[2] = {radius, 0};
    set_line(r, z, radii);
    if (r->sigma > 0) set_cap(r, -half, radius, 0);
    double length = sqrt(4 * half * half + radius * radius);
    double psi = (2 * half * r->sigma + radius * r->slope) / length, cosine = 1 - psi * psi;
    double dpsi = r->slope > 0 ? (2 * half - radius * r->sigma / r->slope) / length : 0;
    r->q = cosine * cosine;
    r->dq = -4 * psi * cosine * dpsi;
    /* Upright on the apex no line is the lowest: it fades from where the cone lies on its side. */
    double lying = radius / length, beyond = (-r->sigma - lying) / (1 - lying);
    if (beyond > 0) {
        double part = 1 - beyond * beyond;
        r->dq = r->dq * part + r->q * (2 * beyond / (1 - lying));
        r->q *= part;
    }
}

static round_body describe(const patch_floor *f)
{
    const fender_geometry *g = f->solid->geometry;
    round_body r = {0};
    r.axis = fender_mat3_column(&f->solid->R_WG, 2);
    r.sigma = fender_vec3_dot(r.axis, f->normal);
    fender_vec3 across = fender_vec3_add_scaled(f->normal, -r.sigma, r.axis);
    across = fender_vec3_add_scaled(across, -fender_vec3_dot(across, r.axis), r.axis); /* rounding of a small one */
    r.slope = fender_vec3_length(across);
    if (r.slope > FLAT) {
        r.down = fender_vec3_scale(-1 / r.slope, across);
    } else {
        r.slope = 0;
        r.down = fender_mat3_column(&f->solid->R_WG, 0);
    }
    r.depth = patch_depth(f, f->solid_p) + f->border;
    double half = g->half_length, radius = g->type == FENDER_GEOMETRY_CAPSULE ? 0 : g->radius;
    if (half == 0) describe_disk(&r, radius);
    else if (g->type == FENDER_GEOMETRY_CONE && radius > 0) describe_cone(&r, radius, half);
    else describe_cylinder(&r, radius, half);
    if (radius == 0) r.p = r.dp = 0;
    return r;
}

static void add(patch_floor *f, const round_body *r, fender_vec3 arm, double weight, fnd_patch_kind kind, int number,
                int index)
{
    double depth = r->depth - fender_vec3_dot(f->normal, arm) - f->border;
    patch_add(f, fender_vec3_add(f->solid_p, arm), depth, weight, kind, number, index);
}

/* Adds the cap's part, returns its value of f; *tip_weight gets what the tip carries of it. */
static double add_cap(patch_floor *f, const round_body *r, double *tip_weight)
{
    double depth = r->cap_depth, rise = r->radius * r->slope;
    if (!(rise < 4 * depth)) {
        *tip_weight = 0.2;
        return 0.2 * r->tip_depth * r->tip_depth;
    }
    double slope = rise / depth, middle = 0, share = 0;
    if (slope > EVEN_CAP) {
        middle = WAY * (slope * slope + 2 * slope - 4) / (5 * slope);
        double center = middle + slope * (1 - middle) * (1 - middle) / (4 * (1 + slope * middle));
        share = (0.25 * slope - center) / (1 - center);
    }
    *tip_weight = share / (1 + slope);
    double weight = 0.25 * r->p * (1 - share) / (1 + slope * middle), s = 0.5 * r->radius * (1 - middle);
    fender_vec3 x = fender_vec3_scale(s, fender_mat3_column(&f->solid->R_WG, 0));
    fender_vec3 y = fender_vec3_scale(s, fender_mat3_column(&f->solid->R_WG, 1));
    fender_vec3 at = point_of(r, r->cap_z, r->radius * middle);
    fender_vec3 sum = fender_vec3_add(x, y), difference = fender_vec3_sub(x, y);
    add(f, r, fender_vec3_add(at, sum), weight, FND_PATCH_CAP, r->cap_number, 0);
    add(f, r, fender_vec3_sub(at, difference), weight, FND_PATCH_CAP, r->cap_number, 1);
    add(f, r, fender_vec3_sub(at, sum), weight, FND_PATCH_CAP, r->cap_number, 2);
    add(f, r, fender_vec3_add(at, difference), weight, FND_PATCH_CAP, r->cap_number, 3);
    return depth * depth + 0.25 * rise * rise;
}

/* The same of the line; `part` is its weight in f. */
static double add_line(patch_floor *f, const round_body *r, double part, double *tip_weight)
{
    double depth = 0.5 * (r->tip_depth + r->far_depth), rise = 0.5 * (r->tip_depth - r->far_depth);
    if (!(rise < 3 * depth)) {
        *tip_weight = 0.25;
        return 0.25 * r->tip_depth * r->tip_depth;
    }
    double slope = rise / depth, middle = 0, share = 0;
    if (slope > 1) {
        middle = WAY * (slope + 3) * (slope - 1) / (4 * slope);
        double center = middle + slope * (1 - middle) * (1 - middle) / (3 * (1 + slope * middle));
        share = (slope / 3 - center) / (1 - center);
    }
    *tip_weight = share / (1 + slope);
    double weight = 0.5 * part * (1 - share) / (1 + slope * middle), s = (1 - middle) / SQRT_3;
    fender_vec3 center = fender_vec3_scale(0.5, fender_vec3_add(r->tip, r->far));
    fender_vec3 arm = fender_vec3_scale(0.5, fender_vec3_sub(r->tip, r->far));
    int near_tip = r->tip_is_upper ? 1 : 0;
    add(f, r, fender_vec3_add_scaled(center, middle + s, arm), weight, FND_PATCH_LINE, 0, near_tip);
    add(f, r, fender_vec3_add_scaled(center, middle - s, arm), weight, FND_PATCH_LINE, 0, 1 - near_tip);
    return depth * depth + rise * rise / 3;
}

/* The tip, with its part of the cap and of the line. */
static void add_tip(patch_floor *f, const round_body *r, double cap_tip, double line_tip, fender_vec3 turning)
{
    const double p = r->p, q = r->q, weight = p * cap_tip + (1 - p) * (q * line_tip + (1 - q));
    const double change = r->dp * (cap_tip - (q * line_tip + (1 - q))) + (1 - p) * (line_tip - 1) * r->dq;
    f->turn = weight > 0 ? fender_vec3_scale(change / weight, turning) : fender_vec3_make(0, 0, 0);
    add(f, r, r->tip, weight, FND_PATCH_TIP, r->tip_number, 0);
}

static void patch_add_round(patch_floor *f)
{
    round_body r = describe(f);
    double p = r.p, q = r.q;
    const fender_vec3 horizontal = fender_vec3_add_scaled(r.axis, -r.sigma, f->normal);
    const fender_vec3 turning = fender_vec3_cross(f->normal, horizontal); /* the sine's growth, as a moment */
    if (!(r.tip_depth > 0)) {                                             /* apart: the tip is all that would touch */
        add_tip(f, &r, 0.2, 0.25, turning);
        return;
    }
    double cap = 0, line = 0, tip = r.tip_depth * r.tip_depth, cap_tip = 0, line_tip = 0;
    if (p > 0) {
        f->turn = fender_vec3_scale(r.dp / p, turning);
        cap = add_cap(f, &r, &cap_tip);
    }
    if (q > 0) {
        if (p < 1) f->turn = fender_vec3_scale(r.dq / q - r.dp / (1 - p), turning);
        line = add_line(f, &r, (1 - p) * q, &line_tip);
    }
    add_tip(f, &r, cap_tip, line_tip, turning);
    /* what p and q do as the axis turns: a moment along the horizontal part of the axis */
    double change = r.dp * (cap - (q * line + (1 - q) * tip)) + (1 - p) * (line - tip) * r.dq;
    f->moment = fender_vec3_add_scaled(f->moment, -0.5 * change, horizontal);
}

/* ---- Whatever the solid is ---- */

bool fnd_patch_plane(const fnd_posed *plane, const fnd_posed *convex, const fnd_query *query, fnd_manifold *out)
{
    assert(plane->geometry->type == FENDER_GEOMETRY_PLANE);
    const fender_geometry *g = convex->geometry;
    bool polytope = g->polytope && g->polytope->edge_count > 0;
    bool round = g->type == FENDER_GEOMETRY_DISK || g->type == FENDER_GEOMETRY_CYLINDER ||
                 g->type == FENDER_GEOMETRY_CONE || g->type == FENDER_GEOMETRY_CAPSULE;
    if (!polytope && !round) return false;
    patch_floor floor = {
        .solid = convex,
        .solid_p = fender_vec3_sub(convex->p_WG, plane->p_WG),
        .normal = fender_mat3_column(&plane->R_WG, 2),
        .floor_rounding = plane->geometry->rounding,
        .solid_rounding = fnd_core_rounding(g),
        .full_area = g->patch_area,
        .out = out,
        .first = out->count,
    };
    floor.reach = out->splits && out->touching && query->reach > 0 ? 0 : fnd_query_range(query);
    if (query->lift > 0) floor.lift = query->lift;
    const bool splits = out->splits && floor.lift > 0 && (polytope || out->touching);
    floor.border = splits ? 0 : floor.lift;
    if (polytope) patch_add_polytope(&floor);
    else patch_add_round(&floor);
    if (splits && !out->touching) {
        floor.border = floor.lift;
        floor.apart = true;
        patch_add_polytope(&floor);
    }
    patch_finish(&floor);
    if (out->count == floor.first) return true;
    fender_vec3 down = fender_mat3_transpose_times(&convex->R_WG, fender_vec3_negate(floor.normal));
    fender_vec3 lowest = fender_vec3_add(floor.solid_p, fender_mat3_times(&convex->R_WG, fnd_support(g, down)));
    fnd_manifold_add_point(out, patch_depth(&floor, lowest),
                           fender_vec3_add_scaled(lowest, -floor.solid_rounding, floor.normal), floor.normal);
    return true;
}
