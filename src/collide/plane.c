/* Solids on a plane: single contacts, and patches of polytopes (docs/models/contact_patches.md). */
#include "collide/plane.h"
#include <assert.h>

#include "collide/pair_table.h"
#include "collide/plane_floor.h"
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

double fnd_floor_depth(const fnd_floor *f, fender_vec3 x)
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

void fnd_floor_add(fnd_floor *f, fender_vec3 core, double depth, double weight, fnd_patch_kind kind, int number,
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
        .area = kind == FND_PATCH_FACE || kind == FND_PATCH_CAP ? weight / f->denser * f->full_area : 0,
        .index = index,
        .weight_fades = true,
        .border = f->lift,
    };
    if (f->out->turns) s.turn = f->turn;
    fnd_manifold_add(f->out, s);
    f->force += weight * depth;
    f->energy += 0.5 * weight * depth * depth;
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

/* In depths. What bodies of nearly no thickness ask beyond, and parts that nearly fade, is stated as a moment. */
#define LARGEST_SHIFT 4

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

static void patch_finish(fnd_floor *f)
{
    fnd_drop_specks(f->out, f->first);
    if (!(f->force > 0) || f->lift > 0 || f->out->turns) return;
    fender_vec3 shift = fender_vec3_scale(1 / f->force, f->moment);
    double length = fender_vec3_length(shift), limit = LARGEST_SHIFT * f->deepest;
    if (length == 0) return;
    fender_vec3 turn = {0, 0, 0};
    if (length > limit) {
        turn = fender_vec3_scale((1 - limit / length) / f->energy, fender_vec3_cross(f->moment, f->normal));
        shift = fender_vec3_scale(limit / length, shift);
    }
    for (int i = f->first; i < f->out->count; i++) {
        fender_separation *s = &f->out->items[i];
        s->point_a = fender_vec3_add(s->point_a, shift);
        s->point_b = fender_vec3_add(s->point_b, shift);
        s->turn = turn;
    }
}

/* ---- Polytopes ---- */

/* A face of the solid with coordinates of its own: x along its first edge. */
typedef struct face_frame {
    const fnd_floor *floor;
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

enum { CORNERS = 32 };

/* Moments of the part of a face that is below the floor. */
static fnd_area_moments face_below(const face_frame *frame, const fnd_polytope *p, int face)
{
    assert(face >= 0 && face < p->face_count);
    const fnd_floor *f = frame->floor;
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

/* The same part for a force that is a power of the depth. */
static fnd_power_part powers_below(const face_frame *frame, const fnd_polytope *p, int face)
{
    const fnd_floor *f = frame->floor;
    const int32_t *vertices = &p->face_vertices[p->face_start[face]];
    const int count = p->face_start[face + 1] - p->face_start[face];
    fnd_power_part sum = {.exponent = f->exponent};
    for (int start = 1; start + 1 < count; start += CORNERS - 2) { /* a fan about the first corner */
        fnd_cut whole, below;
        whole.corners[0] = (fnd_cut_corner){0, 0, frame->depth, FND_SIDE_FACE};
        whole.count = 1;
        for (int i = start; i < count && whole.count < CORNERS; i++) {
            const fender_vec3 arm = fender_mat3_times(&f->solid->R_WG, p->vertices[vertices[i]]);
            const fender_vec3 v = fender_vec3_sub(fender_vec3_add(f->solid_p, arm), frame->origin);
            const double x = fender_vec3_dot(frame->e1, v), y = fender_vec3_dot(frame->e2, v);
            whole.corners[whole.count++] = (fnd_cut_corner){
                x, y, frame->depth + (frame->slope_x * x + frame->slope_y * y), FND_SIDE_FACE};
        }
        fnd_cut_depth(&whole, &below);
        fnd_power_add_cut(&sum, &below);
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
static void add_face(fnd_floor *f, const fnd_polytope *p, int face, double down)
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
    frame.depth = fnd_floor_depth(f, f->solid_p) - fender_vec3_dot(f->normal, arm);
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
    double depths[4];
    if (f->exponent != 1) {
        const fnd_power_part powers = powers_below(&frame, p, face);
        f->denser = fnd_power_fit_points(&powers, area.area, frame.slope_x, frame.slope_y, frame.depth, points, depths);
        weight *= f->denser;
    }
    for (int k = 0; k < 4; k++) {
        fender_vec3 x = fender_vec3_add_scaled(fender_vec3_add_scaled(frame.origin, points[k].x, frame.e1), points[k].y,
                                               frame.e2);
        double depth = f->exponent != 1 ? depths[k]
                                        : frame.depth + (frame.slope_x * points[k].x + frame.slope_y * points[k].y);
        fnd_floor_add(f, x, depth, weight, FND_PATCH_FACE, face, f->apart ? FND_FLOOR_APART + k : k);
        square += 0.25 * depth * depth;
    }
    f->denser = 1;
    f->moment = fender_vec3_add_scaled(f->moment, 0.5 * square * part * derivative, horizontal);
}

/* The two points of a part of a line that begins at `low` and has the depths `from` and `to` at its ends: moved to the
 * centre of its force. Returns the factor of their weights. */
static double fit_line(double exponent, double from, double to, double length, double low, double ways[2],
                       double depths[2])
{
    double force, first, energy, deeper, more, has[2], sum = 0, center = 0, all = 0;
    fnd_power_of_line(exponent, from > 0 ? from : 0, to > 0 ? to : 0, &force, &first, &energy);
    for (int k = 0; k < 2; k++) {
        has[k] = 0.5 * fnd_power_of_depth(depths[k], exponent);
        sum += has[k];
        center += has[k] * ways[k];
        all += has[k] * depths[k];
    }
    if (!fnd_power_fit_to(exponent, sum, all, force, energy, &deeper, &more)) return 1;
    for (int k = 0; k < 2; k++) {
        ways[k] += low + length * first / force - center / sum;
        depths[k] *= deeper;
    }
    return more;
}

double fnd_floor_add_line(fnd_floor *f, fender_vec3 from, fender_vec3 to, double weight, int number)
{
    assert(number >= 0);
    double origin = fnd_floor_depth(f, f->solid_p), low = 0, high = 1;
    double depth = origin - fender_vec3_dot(f->normal, from), rise = origin - fender_vec3_dot(f->normal, to) - depth;
    double crossing = -(depth + f->border) / rise;
    if (depth + f->border <= 0 && depth + rise + f->border <= 0) return 0;
    if (depth + f->border < 0) low = crossing;
    else if (depth + rise + f->border < 0) high = crossing;
    if (f->apart && depth >= 0 && depth + rise >= 0) return 0;
    if (f->apart && depth > 0) low = -depth / rise;
    else if (f->apart && depth + rise > 0) high = -depth / rise;
    double ways[2], depths[2], square = 0;
    for (int k = 0; k < 2; k++) {
        ways[k] = 0.5 * (low + high) + (k == 0 ? -0.5 : 0.5) * (high - low) / 1.7320508075688772935;
        depths[k] = depth + ways[k] * rise;
    }
    if (f->exponent != 1)
        weight *= fit_line(f->exponent, depth + low * rise, depth + high * rise, high - low, low, ways, depths);
    for (int k = 0; k < 2; k++) {
        fender_vec3 arm = fender_vec3_add_scaled(from, ways[k], fender_vec3_sub(to, from));
        const double here = depths[k], part = 0.5 * weight * (high - low);
        int index = f->apart ? FND_FLOOR_APART + k : k;
        fnd_floor_add(f, fender_vec3_add(f->solid_p, arm), here, part, FND_PATCH_LINE, number, index);
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
static void add_border(fnd_floor *f, const fnd_polytope *p, fender_vec3 normal)
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
    for (int i = 0; i < p->edge_count; i++) {
        fender_vec3 from = fender_mat3_times(&f->solid->R_WG, p->vertices[p->edges[i].vertex[0]]);
        fender_vec3 to = fender_mat3_times(&f->solid->R_WG, p->vertices[p->edges[i].vertex[1]]);
        squares += fnd_floor_add_line(f, from, to, (1 - down * down) * (edge_length(p, i) / longest), i);
    }
    if (p->face_count < 2) return;
    f->moment = fender_vec3_add_scaled(f->moment, -down / (1 - down * down) * squares, horizontal);
}

static void patch_add_polytope(fnd_floor *f)
{
    const fnd_polytope *p = f->solid->geometry->polytope;
    fender_vec3 normal = fender_mat3_transpose_times(&f->solid->R_WG, f->normal); /* in the solid's frame */
    double depth = fnd_floor_depth(f, f->solid_p);
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

/* ---- Whatever the solid is ---- */

bool fnd_patch_plane(const fnd_posed *plane, const fnd_posed *convex, const fnd_query *query, fnd_manifold *out)
{
    assert(plane->geometry->type == FENDER_GEOMETRY_PLANE);
    const fender_geometry *g = convex->geometry;
    bool polytope = g->polytope && g->polytope->edge_count > 0;
    bool round = g->type == FENDER_GEOMETRY_DISK || g->type == FENDER_GEOMETRY_CYLINDER ||
                 g->type == FENDER_GEOMETRY_CONE || g->type == FENDER_GEOMETRY_CAPSULE;
    if (!polytope && !round) return false;
    fnd_floor floor = {
        .solid = convex,
        .solid_p = fender_vec3_sub(convex->p_WG, plane->p_WG),
        .normal = fender_mat3_column(&plane->R_WG, 2),
        .floor_rounding = plane->geometry->rounding,
        .solid_rounding = fnd_core_rounding(g),
        .full_area = g->patch_area,
        .exponent = out->exponent > 1 && !(query->lift > 0) ? out->exponent : 1,
        .denser = 1,
        .out = out,
        .first = out->count,
    };
    floor.reach = out->splits && out->touching && query->reach > 0 ? 0 : fnd_query_range(query);
    if (query->lift > 0) floor.lift = query->lift;
    const bool parts = polytope || fnd_floor_round_splits(g), splits = out->splits && floor.lift > 0;
    void (*const add)(fnd_floor *) = polytope ? patch_add_polytope : fnd_floor_add_round;
    floor.border = splits && (parts || out->touching) ? 0 : floor.lift;
    add(&floor);
    if (splits && parts && !out->touching) {
        floor.border = floor.lift;
        floor.apart = true;
        add(&floor);
    }
    patch_finish(&floor);
    if (out->count == floor.first) return true;
    fender_vec3 down = fender_mat3_transpose_times(&convex->R_WG, fender_vec3_negate(floor.normal));
    fender_vec3 lowest = fender_vec3_add(floor.solid_p, fender_mat3_times(&convex->R_WG, fnd_support(g, down)));
    const double depth = fnd_floor_depth(&floor, lowest);
    if (out->touching && !out->splits && !(depth > 0)) out->count = floor.first;
    fnd_manifold_add_point(out, depth, fender_vec3_add_scaled(lowest, -floor.solid_rounding, floor.normal),
                           floor.normal);
    return true;
}
