/* Nearest point of a solid's surface to a given point; nearest point of any placed geometry. */
#include "geometry/point_query.h"
#include <assert.h>

#include "geometry/geometry.h"
#include "geometry/support.h"
#include "math/rotation.h"

/* ---- Ellipsoids ---- */

/* Nearest point of an ellipsoid's surface to a given point.
 *
 * With semi-axes e_i and the point y in the first octant the nearest point is x_i = e_i^2 y_i / (t + e_i^2), where t is
 * the greatest root of S(t) = sum (e_i y_i / (t + e_i^2))^2 = 1. In v = t + e_2^2 (e_2 the least axis) the denominators
 * are v + (e_i^2 - e_2^2): nothing cancels near the pole v = 0, which is where points near the middle plane go, and a
 * flat ellipsoid (e_2 = 0) needs no rule of its own. S^(-1/2) is concave and rises, so Newton from the left climbs to
 * the root without overshooting; it is nearly straight, so that takes few steps. Gap and normal are t n and n/|n| with
 * n_i = y_i / (t + e_i^2), so nothing is subtracted for a point close to the surface. */

/* Beside the larger of size and distance, a length below this is none: its squares would leave the range of doubles. */
#define LEAST_LENGTH 1e-140

/* Semi-axes from long to short, the point's coordinates beside them. */
typedef struct sorted_problem {
    double e[3], y[3], d[3]; /* d = e^2 - e[2]^2 */
    int axis[3];
} sorted_problem;

/* Of equal semi-axes z comes last, x first. */
static void sort_axes(sorted_problem *p)
{
    static const int pairs[3][2] = {{0, 1}, {1, 2}, {0, 1}};
    for (int k = 0; k < 3; k++) {
        int i = pairs[k][0], j = pairs[k][1];
        if (p->e[i] >= p->e[j]) continue;
        double e = p->e[i], y = p->y[i];
        int axis = p->axis[i];
        p->e[i] = p->e[j], p->y[i] = p->y[j], p->axis[i] = p->axis[j];
        p->e[j] = e, p->y[j] = y, p->axis[j] = axis;
    }
    for (int i = 0; i < 3; i++) p->d[i] = (p->e[i] - p->e[2]) * (p->e[i] + p->e[2]);
}

/* The middle plane across the shortest axes: x[2] is what the others leave; `sum` of theirs, S at the pole. */
static void solve_at_pole(const sorted_problem *p, double sum, double *x, double *n, double *t)
{
    double e = p->e[2], height = sum < 1 ? sqrt(1 - sum) : 0;
    for (int i = 0; i < 3; i++) {
        bool shortest = p->d[i] == 0;
        x[i] = shortest ? 0 : p->e[i] * p->e[i] * (p->y[i] / p->d[i]);
        n[i] = shortest ? 0 : p->y[i] / p->d[i];
    }
    *t = -(e * e);
    if (e > 0) {
        x[2] = e * height;
        n[2] = height / e;
        return;
    }
    for (int i = 0; i < 3; i++) n[i] = p->d[i] == 0 ? p->y[i] : 0; /* flat: straight above it */
    *t = 1;
}

/* Nearest point x, and n with x + t n = y. */
static void solve(const sorted_problem *p, double *x, double *n, double *t)
{
    double at_pole = 0, v = 0; /* v starts where one term alone is 1 */
    bool pole = true;
    for (int i = 0; i < 3; i++) {
        double product = p->e[i] * p->y[i];
        if (product == 0) continue;
        if (p->d[i] == 0) pole = false;
        else at_pole += (product / p->d[i]) * (product / p->d[i]);
        if (product - p->d[i] > v) v = product - p->d[i];
    }
    if (pole && at_pole <= 1) {
        solve_at_pole(p, at_pole, x, n, t);
        return;
    }
    for (int count = 0; count < 200; count++) {
        double sum = 0, weighted = 0;
        for (int i = 0; i < 3; i++) {
            double product = p->e[i] * p->y[i];
            if (product == 0) continue;
            double quotient = product / (v + p->d[i]);
            sum += quotient * quotient;
            weighted += quotient * quotient / (v + p->d[i]);
        }
        double step = (sqrt(sum) - 1) * sum / weighted;
        if (!(step > 1.2e-16 * v)) break;
        v += step;
    }
    if (v == 0) { /* on the border of the middle plane's part, to rounding */
        solve_at_pole(p, 1, x, n, t);
        return;
    }
    for (int i = 0; i < 3; i++) {
        n[i] = p->y[i] == 0 ? 0 : p->y[i] / (v + p->d[i]);
        x[i] = p->e[i] * (p->e[i] * n[i]);
    }
    *t = v - p->e[2] * p->e[2];
}

/* Nearest point of an ellipsoid's surface (semi-axes of 0 or more). */
static void point_query_ellipsoid(fender_vec3 semi_axes, fender_vec3 point, fnd_solid_point *found)
{
    const double given[3] = {point.x, point.y, point.z};
    double size = fnd_largest_component(semi_axes), far_off = fnd_largest_component(point);
    if (far_off > size) size = far_off;
    *found = (fnd_solid_point){0, {0, 0, 0}, {0, 0, 1}, 0};
    if (size == 0) return;
    int exponent = 0;
    frexp(size, &exponent);
    sorted_problem p = {
        {ldexp(semi_axes.x, -exponent), ldexp(semi_axes.y, -exponent), ldexp(semi_axes.z, -exponent)},
        {ldexp(fabs(point.x), -exponent), ldexp(fabs(point.y), -exponent), ldexp(fabs(point.z), -exponent)},
        {0, 0, 0},
        {0, 1, 2}};
    for (int i = 0; i < 3; i++) {
        if (p.e[i] < LEAST_LENGTH) p.e[i] = 0;
        if (p.y[i] < LEAST_LENGTH) p.y[i] = 0;
    }
    sort_axes(&p);
    double x[3], n[3], t, nearest[3], normal[3];
    solve(&p, x, n, &t);
    for (int i = 0; i < 3; i++) {
        int axis = p.axis[i];
        double sign = given[axis] < 0 ? -1 : 1;
        nearest[axis] = sign * ldexp(x[i], exponent);
        normal[axis] = sign * n[i];
    }
    fender_vec3 direction;
    double length = fnd_length_and_direction(fender_vec3_make(normal[0], normal[1], normal[2]), &direction);
    if (length == 0) { /* on a flat one */
        double unit[3] = {0, 0, 0};
        unit[p.axis[2]] = given[p.axis[2]] < 0 ? -1 : 1;
        direction = fender_vec3_make(unit[0], unit[1], unit[2]);
    }
    found->distance = ldexp(t * length, exponent);
    found->point = fender_vec3_make(nearest[0], nearest[1], nearest[2]);
    found->normal = direction;
}

/* ---- Polytopes ---- */

/* Nearest point of a polytope to a given point.
 *
 * Inside, the face with the greatest signed distance holds the nearest point of the surface. Outside, if the nearest
 * point lies within a face, that face is again the one of greatest signed distance (all of them are at most the true
 * distance); else it lies on an edge. So the faces are looked through once, and at most the edges once: no search that
 * could stop short. Rounding decides nothing that matters: a point beside a face by rounding gets the edge, at the
 * same distance, and the normal is that of the face then. */

/* A distance below this part of the coordinates it was computed from is rounding. */
#define HULL_ROUNDING (8 * 2.220446049250313e-16)

static bool beside_face(const fnd_polytope *polytope, int face, fender_vec3 point)
{
    assert(face >= 0 && face < polytope->face_count);
    int32_t first = polytope->face_start[face], end = polytope->face_start[face + 1];
    fender_vec3 normal = polytope->face_normals[face], from = polytope->vertices[polytope->face_vertices[end - 1]];
    for (int32_t i = first; i < end; i++) {
        fender_vec3 to = polytope->vertices[polytope->face_vertices[i]];
        fender_vec3 inward = fender_vec3_cross(normal, fender_vec3_sub(to, from));
        if (fender_vec3_dot(inward, fender_vec3_sub(point, from)) < 0) return true;
        from = to;
    }
    return false;
}

static void on_face(const fnd_polytope *polytope, int face, double distance, fender_vec3 point, fnd_solid_point *found)
{
    assert(face >= 0 && face < polytope->face_count);
    found->distance = distance;
    found->normal = polytope->face_normals[face];
    found->point = fender_vec3_add_scaled(point, -distance, found->normal);
    found->feature = FND_FEATURE_FACE | (uint64_t)face;
}

/* Part of an edge from its first vertex, 0 to 1, that is nearest to the point. */
static double along_edge(fender_vec3 edge, fender_vec3 from_start)
{
    double squared = fender_vec3_dot(edge, edge), along;
    if (squared > FND_LEAST_SQUARE && squared < FND_GREATEST_SQUARE)
        along = fender_vec3_dot(from_start, edge) / squared;
    else {
        fender_vec3 direction;
        double length = fnd_length_and_direction(edge, &direction);
        along = length > 0 ? fender_vec3_dot(from_start, direction) / length : 0;
    }
    return along > 1 ? 1 : along > 0 ? along : 0;
}

static void on_vertex(const fnd_polytope *polytope, int vertex, fender_vec3 point, fnd_solid_point *found)
{
    assert(vertex >= 0 && vertex < polytope->vertex_count);
    found->point = polytope->vertices[vertex];
    found->feature = FND_FEATURE_VERTEX | (uint64_t)vertex;
    found->distance = fnd_length_and_direction(fender_vec3_sub(point, found->point), &found->normal);
}

static void on_edge(const fnd_polytope *polytope, int index, double along, fender_vec3 point, fnd_solid_point *found)
{
    assert(index >= 0 && index < polytope->edge_count);
    const fnd_polytope_edge *edge = &polytope->edges[index];
    fender_vec3 start = polytope->vertices[edge->vertex[0]], direction;
    fender_vec3 step = fender_vec3_sub(polytope->vertices[edge->vertex[1]], start);
    fnd_length_and_direction(step, &direction);
    found->point = fender_vec3_add_scaled(start, along, step);
    fender_vec3 gap = fender_vec3_sub(point, found->point);
    gap = fender_vec3_add_scaled(gap, -fender_vec3_dot(gap, direction), direction);
    found->distance = fnd_length_and_direction(gap, &found->normal);
    found->feature = FND_FEATURE_EDGE | (uint64_t)index;
    int beside = -1;
    double greatest = -INFINITY;
    for (int side = 0; side < 2; side++) { /* within the cone of both faces' normals, but for rounding */
        int face = edge->face[side];
        if (face < 0) continue;
        fender_vec3 normal = polytope->face_normals[face];
        double outward = fender_vec3_dot(fender_vec3_cross(direction, normal), gap);
        if ((side == 0 ? outward : -outward) >= 0) continue;
        double distance = fender_vec3_dot(normal, gap);
        if (distance > greatest) greatest = distance, beside = face;
    }
    if (beside >= 0) on_face(polytope, beside, greatest, point, found);
}

/* A gap close to rounding points anywhere: its direction is brought into the cone of the normals at the vertex. */
static void into_cone(const fnd_polytope *polytope, int vertex, int face, fender_vec3 point, fnd_solid_point *found)
{
    assert(vertex >= 0 && vertex < polytope->vertex_count);
    fender_vec3 at = polytope->vertices[vertex], normal = found->normal;
    double worst = 0;
    for (int tries = 0; tries < 4; tries++) {
        fender_vec3 along = {0, 0, 0};
        worst = 2e-16;
        for (int32_t i = polytope->neighbour_start[vertex]; i < polytope->neighbour_start[vertex + 1]; i++) {
            fender_vec3 edge;
            fnd_length_and_direction(fender_vec3_sub(polytope->vertices[polytope->neighbours[i]], at), &edge);
            double rise = fender_vec3_dot(edge, normal);
            if (rise > worst) worst = rise, along = edge;
        }
        if (worst <= 2e-16) break;
        fnd_length_and_direction(fender_vec3_add_scaled(normal, -worst, along), &normal);
    }
    if (worst > 1e-14 && face >= 0) normal = polytope->face_normals[face];
    found->normal = normal;
    found->distance = fender_vec3_dot(normal, fender_vec3_sub(point, at));
}

typedef struct nearest_edge {
    int edge;
    double along;
    fender_vec3 place, gap; /* its point, and from there to the point that was asked for */
} nearest_edge;

/* Takes the edge that is nearest. Squares cannot tell places apart whose distance differs by rounding, so what is
 * compared is by how much a place is better than the best one, from the vector between them; true: there was one.
 * Lengths times `unit` have squares in the range of doubles. */
static bool look_through_edges(const fnd_polytope *polytope, fender_vec3 point, double unit, nearest_edge *best)
{
    bool better = false;
    for (int i = 0; i < polytope->edge_count; i++) {
        fender_vec3 start = polytope->vertices[polytope->edges[i].vertex[0]];
        fender_vec3 edge = fender_vec3_sub(polytope->vertices[polytope->edges[i].vertex[1]], start);
        double along = along_edge(edge, fender_vec3_sub(point, start));
        fender_vec3 place = along < 1 ? fender_vec3_add_scaled(start, along, edge)
                                      : polytope->vertices[polytope->edges[i].vertex[1]];
        fender_vec3 move = fender_vec3_scale(unit, fender_vec3_sub(place, best->place));
        fender_vec3 mean_gap = fender_vec3_add_scaled(fender_vec3_scale(unit, best->gap), -0.5, move);
        if (!(fender_vec3_dot(move, mean_gap) > 0)) continue;
        *best = (nearest_edge){i, along, place, fender_vec3_sub(point, place)};
        better = true;
    }
    return better;
}

/* The same of a polytope: flat ones, segments and points included. */
static void point_query_polytope(const fnd_polytope *polytope, fender_vec3 point, fnd_solid_point *found)
{
    assert(polytope->vertex_count > 0);
    int face = -1;
    double outside = -INFINITY;
    for (int i = 0; i < polytope->face_count; i++) {
        double distance = fender_vec3_dot(polytope->face_normals[i], point) - polytope->face_offsets[i];
        if (distance > outside) outside = distance, face = i;
    }
    bool solid = polytope->face_count > 2;
    if (face >= 0 && ((solid && outside <= 0) || !beside_face(polytope, face, point))) {
        /* against the face's own corner: the offset has a rounding of its own */
        fender_vec3 corner = polytope->vertices[polytope->face_vertices[polytope->face_start[face]]];
        outside = fender_vec3_dot(polytope->face_normals[face], fender_vec3_sub(point, corner));
        on_face(polytope, face, outside, point, found);
        return;
    }
    double size = fnd_largest_component(point) + fnd_largest_component(polytope->vertices[0]);
    double unit = size > 1e-120 && size < 1e120 ? 1 : 1 / size; /* squares stay in range */
    int first = polytope->edge_count > 0 ? polytope->edges[0].vertex[0] : 0;
    fender_vec3 start = polytope->vertices[first];
    nearest_edge best = {polytope->edge_count > 0 ? 0 : -1, 0, start, fender_vec3_sub(point, start)};
    for (int tries = 0; tries < 4 && look_through_edges(polytope, point, unit, &best); tries++) continue;
    int nearest = best.edge;
    if (nearest < 0) on_vertex(polytope, 0, point, found);
    else if (best.along > 0 && best.along < 1) on_edge(polytope, nearest, best.along, point, found);
    else {
        int vertex = polytope->edges[nearest].vertex[best.along > 0];
        on_vertex(polytope, vertex, point, found);
        if (found->distance < 1e-3 * size && found->distance > 0) into_cone(polytope, vertex, face, point, found);
    }
    if (found->distance > HULL_ROUNDING * size) return;
    if (face >= 0) on_face(polytope, face, outside, point, found);
    else if (nearest < 0) found->normal = fender_vec3_make(0, 0, 1);
    else {
        fender_vec3 direction;
        const int32_t *ends = polytope->edges[nearest].vertex;
        fnd_length_and_direction(fender_vec3_sub(polytope->vertices[ends[1]], polytope->vertices[ends[0]]), &direction);
        found->normal = fnd_any_tangent(direction);
        found->distance = fender_vec3_dot(found->normal, fender_vec3_sub(point, found->point));
    }
}

/* ---- Solids ---- */

/* Nearest point of a solid's surface to a given point: shapes of revolution, box, plane; the rest is handed on.
 *
 * Shapes of revolution are solved in the half plane of (distance from the axis, z). Inside, the least distance over the
 * faces is the least over the whole surface, since every solid here is convex. */

/* A distance below this part of the coordinates it was computed from is rounding. */
#define ROUNDING (4 * 2.220446049250313e-16)

/* A point of the half plane through the axis, and the frame's direction of its radius. */
typedef struct half_plane {
    double r, z;
    double cosine, sine; /* of the azimuth; x axis on the axis itself */
} half_plane;

static half_plane to_half_plane(fender_vec3 p)
{
    fender_vec3 direction;
    double r = fnd_length_and_direction(fender_vec3_make(p.x, p.y, 0), &direction);
    half_plane h = {r, p.z, 1, 0};
    if (r > 0) h.cosine = direction.x, h.sine = direction.y;
    return h;
}

static void from_half_plane(const half_plane *h, double r, double z, double normal_r, double normal_z, double distance,
                            fnd_solid_point *found)
{
    found->distance = distance;
    found->point = fender_vec3_make(r * h->cosine, r * h->sine, z);
    found->normal = fender_vec3_make(normal_r * h->cosine, normal_r * h->sine, normal_z);
}

/* A corner of the outline at (r, z): apex, rim, end of a segment; and the normal of the line that ends there, for the
 * corner itself and what rounding puts beside the line. `beyond`: 1 beyond its lower end, -1 its upper end, 0 no
 * matter. */
static void from_corner(const half_plane *h, double r, double z, double normal_r, double normal_z, double beyond,
                        fnd_solid_point *found)
{
    fender_vec3 direction;
    double distance = fnd_length_and_direction(fender_vec3_make(h->r - r, 0, h->z - z), &direction);
    bool beside = beyond * (direction.x * normal_z - direction.z * normal_r) < 0;
    if (beside || distance <= ROUNDING * (h->r + fabs(h->z))) direction = fender_vec3_make(normal_r, 0, normal_z);
    from_half_plane(h, r, z, direction.x, direction.z, distance, found);
}

static double with_sign_of(double magnitude, double sign) { return sign < 0 ? -magnitude : magnitude; }

/* Also disks (half length 0), segments (radius 0) and points. */
static void cylinder(double radius, double half_length, fender_vec3 p, fnd_solid_point *found)
{
    half_plane h = to_half_plane(p);
    double outside_r = h.r - radius, outside_z = fabs(h.z) - half_length, up = with_sign_of(1, h.z);
    if (outside_r > 0 && outside_z > 0) from_corner(&h, radius, up * half_length, 0, up, 0, found);
    else if (outside_r > outside_z) from_half_plane(&h, radius, h.z, 1, 0, outside_r, found);
    else from_half_plane(&h, h.r, up * half_length, 0, up, outside_z, found);
}

static void cone(double radius, double half_length, fender_vec3 p, fnd_solid_point *found)
{
    if (radius == 0 || half_length == 0) {
        cylinder(radius, half_length, p, found);
        return;
    }
    half_plane h = to_half_plane(p);
    double length = fnd_length_2(radius, 2 * half_length); /* of the line from the apex to the rim */
    double sine = radius / length, cosine = 2 * (half_length / length), below_apex = half_length - h.z;
    double along = h.r * sine + below_apex * cosine; /* from the apex */
    double outside_slant = h.r * cosine - below_apex * sine, outside_base = -half_length - h.z;
    bool inside = outside_slant <= 0 && outside_base <= 0;
    if (inside ? outside_base > outside_slant : outside_base > 0 && h.r <= radius)
        from_half_plane(&h, h.r, -half_length, 0, -1, outside_base, found);
    else if (inside || (outside_slant > 0 && along >= 0 && along <= length))
        from_half_plane(&h, along * sine, half_length - along * cosine, cosine, sine, outside_slant, found);
    else if (along < 0) from_corner(&h, 0, half_length, cosine, sine, -1, found);
    else from_corner(&h, radius, -half_length, cosine, sine, 1, found);
}

static void box(fender_vec3 half, fender_vec3 p, fnd_solid_point *found)
{
    fender_vec3 beyond = {fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z};
    if (beyond.x > 0 || beyond.y > 0 || beyond.z > 0) {
        fender_vec3 gap = {beyond.x > 0 ? with_sign_of(beyond.x, p.x) : 0,
                           beyond.y > 0 ? with_sign_of(beyond.y, p.y) : 0,
                           beyond.z > 0 ? with_sign_of(beyond.z, p.z) : 0};
        found->distance = fnd_length_and_direction(gap, &found->normal);
        found->point = fender_vec3_make(beyond.x > 0 ? with_sign_of(half.x, p.x) : p.x,
                                        beyond.y > 0 ? with_sign_of(half.y, p.y) : p.y,
                                        beyond.z > 0 ? with_sign_of(half.z, p.z) : p.z);
        return;
    }
    found->point = p;
    found->normal = fender_vec3_make(0, 0, 0);
    if (beyond.z >= beyond.x && beyond.z >= beyond.y) {
        found->distance = beyond.z;
        found->normal.z = with_sign_of(1, p.z);
        found->point.z = with_sign_of(half.z, p.z);
    } else if (beyond.x >= beyond.y) {
        found->distance = beyond.x;
        found->normal.x = with_sign_of(1, p.x);
        found->point.x = with_sign_of(half.x, p.x);
    } else {
        found->distance = beyond.y;
        found->normal.y = with_sign_of(1, p.y);
        found->point.y = with_sign_of(half.y, p.y);
    }
}

static void field(const fender_geometry *geometry, fender_vec3 p, fnd_solid_point *found)
{
    fender_vec3 outward = {0, 0, 1};
    found->distance = geometry->user.signed_distance(geometry->user_data, p, &outward);
    if (fnd_length_and_direction(outward, &found->normal) == 0) found->normal = fender_vec3_make(0, 0, 1);
    found->point = fender_vec3_add_scaled(p, -found->distance, found->normal);
}

bool fnd_point_query(const fender_geometry *geometry, fender_vec3 point, fnd_solid_point *found)
{
    assert(found);
    double swept = geometry->rounding;
    found->feature = 0;
    switch (geometry->type) {
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_POINT:
        cylinder(0, 0, point, found);
        swept = geometry->radius;
        break;
    case FENDER_GEOMETRY_CAPSULE:
        cylinder(0, geometry->half_length, point, found);
        swept = geometry->radius;
        break;
    case FENDER_GEOMETRY_PLANE: *found = (fnd_solid_point){point.z, {point.x, point.y, 0}, {0, 0, 1}, 0}; break;
    case FENDER_GEOMETRY_DISK: cylinder(geometry->radius, 0, point, found); break;
    case FENDER_GEOMETRY_CYLINDER: cylinder(geometry->radius, geometry->half_length, point, found); break;
    case FENDER_GEOMETRY_CONE: cone(geometry->radius, geometry->half_length, point, found); break;
    case FENDER_GEOMETRY_BOX: box(geometry->half, point, found); break;
    case FENDER_GEOMETRY_ELLIPSOID: point_query_ellipsoid(geometry->half, point, found); break;
    case FENDER_GEOMETRY_HULL: point_query_polytope(geometry->polytope, point, found); break;
    case FENDER_GEOMETRY_USER:
        if (!geometry->user.signed_distance || geometry->user.support) return false;
        field(geometry, point, found);
        break;
    case FENDER_GEOMETRY_CLOUD:
    case FENDER_GEOMETRY_PROBE:
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_MESH:
    case FENDER_GEOMETRY_TYPE_COUNT: return false;
    }
    if (swept != 0) {
        found->distance -= swept;
        found->point = fender_vec3_add_scaled(found->point, swept, found->normal);
    }
    return true;
}

/* ---- Placed geometries ---- */

static bool of_place(const fnd_surface *s, fender_vec3 p, const fnd_surface_closest *place, fender_nearest *out)
{
    assert(place->triangle < s->triangle_count);
    if (place->triangle < 0) return false;
    out->normal = fnd_surface_normal(s, place);
    bool behind = fnd_surface_is_behind_normal(s, p, place, &out->normal);
    out->distance = behind ? -place->distance : place->distance;
    out->point = place->point;
    out->part = place->feature == FND_ON_TRIANGLE ? FENDER_ON_FACE
                : place->feature == FND_ON_EDGE   ? FENDER_ON_EDGE
                                                  : FENDER_ON_VERTEX;
    out->corner = place->corner;
    out->feature = (uint64_t)place->triangle;
    return true;
}

static bool of_cloud(const fender_geometry *g, fender_vec3 p, double limit, fender_nearest *out)
{
    assert(g->point_count > 0);
    double least = INFINITY;
    for (int i = 0; i < g->point_count; i++) {
        double distance = fnd_length(fender_vec3_sub(p, g->points[i]));
        if (!(distance < least)) continue;
        least = distance;
        out->feature = (uint64_t)i;
    }
    if (!(least <= limit)) return false;
    out->point = g->points[out->feature];
    out->distance = least;
    fender_vec3 from = fender_vec3_sub(p, out->point);
    out->normal = least > 0 ? fender_vec3_make(from.x / least, from.y / least, from.z / least)
                            : fender_vec3_make(0, 0, 1);
    return true;
}

static fender_status in_geometry(const fender_geometry *g, fender_vec3 p, double limit, fender_nearest *out)
{
    if (g->surface) {
        fnd_surface_closest place = fnd_surface_nearest(g->surface, p, limit);
        out->found = of_place(g->surface, p, &place, out);
        return FENDER_STATUS_OK;
    }
    if (g->type == FENDER_GEOMETRY_CLOUD) {
        out->found = of_cloud(g, p, limit, out);
        return FENDER_STATUS_OK;
    }
    fnd_solid_point at;
    if (!fnd_point_query(g, p, &at)) return FENDER_STATUS_NO_PAIR_FUNCTION;
    out->found = fabs(at.distance) <= limit;
    out->distance = at.distance;
    out->point = at.point;
    out->normal = at.normal;
    out->feature = at.feature & UINT32_MAX;
    return FENDER_STATUS_OK;
}

bool fnd_pose_axes(const fender_pose *pose, fender_mat3 *R)
{
    fender_quaternion q = pose->q;
    double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!fender_vec3_is_finite(pose->p) || !(norm > 0) || !isfinite(norm)) return false;
    *R = fender_quaternion_matrix(fender_quaternion_normalized(q));
    return true;
}

static fender_nearest posed(const fender_pose *X_WG, const fender_mat3 *R, fender_nearest found)
{
    if (!found.found) return (fender_nearest){0};
    found.point = fender_vec3_add(X_WG->p, fender_mat3_times(R, found.point));
    found.normal = fender_mat3_times(R, found.normal);
    return found;
}

fender_status fender_geometry_nearest_point(const fender_geometry *geometry, const fender_pose *X_WG, fender_vec3 point,
                                            double max_distance, fender_nearest *nearest)
{
    if (!geometry || !X_WG || !nearest) return FENDER_STATUS_ARGUMENT;
    fender_mat3 R;
    if (!fender_vec3_is_finite(point) || !(max_distance >= 0) || !fnd_pose_axes(X_WG, &R)) return FENDER_STATUS_VALUE;
    fender_nearest found = {0};
    fender_vec3 p = fender_mat3_transpose_times(&R, fender_vec3_sub(point, X_WG->p));
    fender_status status = in_geometry(geometry, p, max_distance, &found);
    *nearest = status == FENDER_STATUS_OK ? posed(X_WG, &R, found) : (fender_nearest){0};
    return status;
}

fender_status fender_geometry_nearest_points(const fender_geometry *geometry, const fender_pose *X_WG,
                                             const fender_vec3 *points, int count, double max_distance,
                                             fender_nearest *nearest)
{
    if (!geometry || !X_WG || count < 0 || (count > 0 && (!points || !nearest))) return FENDER_STATUS_ARGUMENT;
    fender_mat3 R;
    if (!(max_distance >= 0) || !fnd_pose_axes(X_WG, &R)) return FENDER_STATUS_VALUE;
    for (int i = 0; i < count; i++)
        if (!fender_vec3_is_finite(points[i])) return FENDER_STATUS_VALUE;
    enum { TOGETHER = 32 };
    for (int first = 0; first < count; first += TOGETHER) {
        fender_vec3 p[TOGETHER];
        fnd_surface_closest places[TOGETHER];
        int some = count - first < TOGETHER ? count - first : TOGETHER;
        for (int i = 0; i < some; i++)
            p[i] = fender_mat3_transpose_times(&R, fender_vec3_sub(points[first + i], X_WG->p));
        if (geometry->surface) fnd_surface_nearest_many(geometry->surface, p, some, max_distance, places);
        for (int i = 0; i < some; i++) {
            fender_nearest found = {0};
            if (geometry->surface) found.found = of_place(geometry->surface, p[i], &places[i], &found);
            else {
                fender_status status = in_geometry(geometry, p[i], max_distance, &found);
                if (status != FENDER_STATUS_OK) return status;
            }
            nearest[first + i] = posed(X_WG, &R, found);
        }
    }
    return FENDER_STATUS_OK;
}
