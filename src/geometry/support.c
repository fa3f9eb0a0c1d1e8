/* Farthest points of the cores of convex geometries, and how surfaces are curved at a point. */
#include "geometry/support.h"
#include <assert.h>

#include "math/rotation.h"

/* ---- Farthest points ---- */

static double largest_component(fender_vec3 v)
{
    double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z), m = x;
    if (y > m) m = y;
    if (z > m) m = z;
    return m;
}

/* The point of a circle about z farthest along the direction; the centre when none is. */
static fender_vec3 circle(double radius, fender_vec3 d, double z)
{
    double across = sqrt(d.x * d.x + d.y * d.y);
    if (!(across > 0)) return fender_vec3_make(0, 0, z);
    return fender_vec3_make(radius * (d.x / across), radius * (d.y / across), z);
}

static fender_vec3 cylinder(double radius, double half_length, fender_vec3 d)
{
    return circle(radius, d, d.z >= 0 ? half_length : -half_length);
}

static fender_vec3 cone(double radius, double half_length, fender_vec3 d)
{
    double across = sqrt(d.x * d.x + d.y * d.y);
    if (2 * half_length * d.z >= radius * across) return fender_vec3_make(0, 0, half_length);
    return circle(radius, d, -half_length);
}

static fender_vec3 ellipsoid(fender_vec3 radii, fender_vec3 d)
{
    fender_vec3 w = fender_vec3_make(radii.x * d.x, radii.y * d.y, radii.z * d.z);
    double m = largest_component(w);
    if (!(m > 0)) return fender_vec3_make(0, 0, 0);
    w = fender_vec3_make(w.x / m, w.y / m, w.z / m);
    double length = fender_vec3_length(w);
    return fender_vec3_make(radii.x * (w.x / length), radii.y * (w.y / length), radii.z * (w.z / length));
}

static fender_vec3 polytope(const fnd_polytope *p, fender_vec3 d)
{
    assert(p->vertex_count > 0);
    int best = 0;
    double farthest = fender_vec3_dot(p->vertices[0], d);
    for (int i = 1; i < p->vertex_count; i++) {
        double along = fender_vec3_dot(p->vertices[i], d);
        if (along > farthest) farthest = along, best = i;
    }
    return p->vertices[best];
}

fender_vec3 fnd_support(const fender_geometry *geometry, fender_vec3 d)
{
    double m = largest_component(d);
    if (m < 1e-100 || m > 1e100) { /* squares and products would leave the range of doubles */
        if (!(m > 0)) d = fender_vec3_make(0, 0, 1);
        else d = fender_vec3_make(d.x / m, d.y / m, d.z / m);
    }
    switch (geometry->type) {
    case FENDER_GEOMETRY_CAPSULE:
        return fender_vec3_make(0, 0, d.z >= 0 ? geometry->half_length : -geometry->half_length);
    case FENDER_GEOMETRY_DISK: return circle(geometry->radius, d, 0);
    case FENDER_GEOMETRY_CYLINDER: return cylinder(geometry->radius, geometry->half_length, d);
    case FENDER_GEOMETRY_CONE: return cone(geometry->radius, geometry->half_length, d);
    case FENDER_GEOMETRY_ELLIPSOID: return ellipsoid(geometry->half, d);
    case FENDER_GEOMETRY_BOX:
        return fender_vec3_make(d.x >= 0 ? geometry->half.x : -geometry->half.x,
                                d.y >= 0 ? geometry->half.y : -geometry->half.y,
                                d.z >= 0 ? geometry->half.z : -geometry->half.z);
    case FENDER_GEOMETRY_HULL: return polytope(geometry->polytope, d);
    case FENDER_GEOMETRY_USER: return geometry->user.support(geometry->user_data, d);
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_POINT:
    case FENDER_GEOMETRY_CLOUD:
    case FENDER_GEOMETRY_PROBE:
    case FENDER_GEOMETRY_PLANE:
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_MESH:
    case FENDER_GEOMETRY_TYPE_COUNT: break;
    }
    return fender_vec3_make(0, 0, 0);
}

/* ---- Curvature ---- */

/* Normals come out of iterations: so close to that of a face they are of the face. */
#define FACE_GRAIN 1e-6

static double inverse(double radius) { return radius > 0 ? 1 / radius : 0; }

static fnd_curvature even(double curvature, fender_vec3 normal)
{
    return (fnd_curvature){curvature, curvature, fnd_any_tangent(normal)};
}

/* `along` is the curvature along the tangent t, `across` that at right angles to it. */
static fnd_curvature of_tangent(double along, double across, fender_vec3 normal, fender_vec3 t)
{
    if (along >= across) return (fnd_curvature){along, across, t};
    return (fnd_curvature){across, along, fender_vec3_cross(normal, t)};
}

/* Of a body of revolution about z: a parallel circle of radius p whose normal is inclined so that its radial part is
 * n_r bends the surface by n_r / p (Meusnier); along the meridian the bend is given. */
static fnd_curvature of_revolution(fender_vec3 point, fender_vec3 normal, double meridian)
{
    double radial = sqrt(normal.x * normal.x + normal.y * normal.y);
    double p = sqrt(point.x * point.x + point.y * point.y);
    if (!(radial > FACE_GRAIN) || !(p > 0)) return even(meridian, normal); /* at the pole */
    fender_vec3 around = fender_vec3_make(-normal.y / radial, normal.x / radial, 0);
    return of_tangent(radial / p, meridian, normal, around);
}

static fnd_curvature of_capsule(const fender_geometry *g, fender_vec3 point, fender_vec3 normal)
{
    if (fabs(normal.z) > FACE_GRAIN) return even(inverse(g->radius), normal); /* of the half spheres */
    return of_revolution(point, normal, 0);
}

/* Disks, cylinders and cones: normals of the faces, between them edges that are sharp or rounded. */
static fnd_curvature of_turned(const fender_geometry *g, fender_vec3 point, fender_vec3 normal)
{
    double radial = sqrt(normal.x * normal.x + normal.y * normal.y), side = 0;
    if (g->type == FENDER_GEOMETRY_CONE) {
        double slope = sqrt(g->radius * g->radius + 4 * g->half_length * g->half_length);
        side = slope > 0 ? g->radius / slope : 0; /* z part of its normal: the apex is at +half_length */
    }
    bool cap = radial < FACE_GRAIN && (normal.z < 0 || g->type != FENDER_GEOMETRY_CONE);
    if (cap) return even(0, normal);
    bool straight = g->type != FENDER_GEOMETRY_DISK && fabs(normal.z - side) < FACE_GRAIN;
    return of_revolution(point, normal, straight ? 0 : inverse(g->rounding));
}

/* The box that a sphere sweeps: faces, edges, corners by how many parts its normal has. */
static fnd_curvature of_box(const fender_geometry *g, fender_vec3 normal)
{
    const double parts[3] = {normal.x, normal.y, normal.z};
    int count = 0, free_axis = 0;
    for (int i = 0; i < 3; i++) {
        if (fabs(parts[i]) > FACE_GRAIN) count++;
        else free_axis = i;
    }
    double bend = inverse(g->rounding);
    if (count != 2) return even(count == 3 ? bend : 0, normal);
    fender_vec3 edge = fender_vec3_make(free_axis == 0, free_axis == 1, free_axis == 2);
    fender_vec3 t = fender_vec3_cross(edge, normal);
    return of_tangent(bend, 0, normal, fender_vec3_scale(1 / fender_vec3_length(t), t));
}

/* The shape operator of x^2/a^2 + y^2/b^2 + z^2/c^2 = 1: its second derivatives across the normal over its gradient;
 * radii of curvature grow by the rounding. */
static fnd_curvature of_ellipsoid(const fender_geometry *g, fender_vec3 point, fender_vec3 normal)
{
    fender_vec3 h = g->half, core = fender_vec3_add_scaled(point, -g->rounding, normal);
    if (!(h.x > 0) || !(h.y > 0) || !(h.z > 0)) return even(0, normal);
    fender_vec3 w = fender_vec3_make(1 / (h.x * h.x), 1 / (h.y * h.y), 1 / (h.z * h.z));
    double gradient = fender_vec3_length(fender_vec3_make(w.x * core.x, w.y * core.y, w.z * core.z));
    if (!(gradient > 0)) return even(0, normal);
    fender_vec3 t = fnd_any_tangent(normal), u = fender_vec3_cross(normal, t);
    double tt = w.x * t.x * t.x + w.y * t.y * t.y + w.z * t.z * t.z;
    double tu = w.x * t.x * u.x + w.y * t.y * u.y + w.z * t.z * u.z;
    double uu = w.x * u.x * u.x + w.y * u.y * u.y + w.z * u.z * u.z;
    fnd_symmetric_plane e = fnd_symmetric_plane_of(tt / gradient, tu / gradient, uu / gradient);
    return (fnd_curvature){e.first / (1 + e.first * g->rounding), e.second / (1 + e.second * g->rounding),
                           fender_vec3_add(fender_vec3_scale(e.cosine, t), fender_vec3_scale(e.sine, u))};
}

fnd_curvature fnd_geometry_curvature(const fender_geometry *geometry, fender_vec3 point_G, fender_vec3 normal_G)
{
    assert(fnd_is_unit(normal_G));
    switch (geometry->type) {
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_POINT: return even(inverse(geometry->radius), normal_G);
    case FENDER_GEOMETRY_CAPSULE: return of_capsule(geometry, point_G, normal_G);
    case FENDER_GEOMETRY_DISK:
    case FENDER_GEOMETRY_CYLINDER:
    case FENDER_GEOMETRY_CONE: return of_turned(geometry, point_G, normal_G);
    case FENDER_GEOMETRY_ELLIPSOID: return of_ellipsoid(geometry, point_G, normal_G);
    case FENDER_GEOMETRY_BOX: return of_box(geometry, normal_G);
    case FENDER_GEOMETRY_CLOUD:
    case FENDER_GEOMETRY_PLANE:
    case FENDER_GEOMETRY_HULL:
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_MESH:
    case FENDER_GEOMETRY_PROBE:
    case FENDER_GEOMETRY_USER:
    case FENDER_GEOMETRY_TYPE_COUNT: break;
    }
    return even(0, normal_G);
}

/* ---- Farthest vertices of large polytopes ---- */

/* Which vertices of a large polytope can be the farthest ones along the directions of a cell.
 *
 * The directions of a cell are sums of its four corners with weights of 0 or more, so a vertex is never the farthest
 * there when some other vertex lies farther along all four corners. The others are listed by the eights that hold
 * them; eights of vertices that lie together keep the lists short. */

static int cells_per_edge(int vertex_count) { return vertex_count <= 200 ? 4 : 8; }

static size_t round_up(size_t size) { return (size + 63) / 64 * 64; }

size_t fnd_polytope_cells_size(int vertex_count)
{
    if (vertex_count <= FND_CELLS_FROM || vertex_count > FND_CELLS_UP_TO) return 0;
    size_t n = (size_t)cells_per_edge(vertex_count), eights = ((size_t)vertex_count + 7) / 8;
    return 64 + round_up(sizeof(fnd_polytope_cells)) + eights * sizeof(fnd_polytope_eight) +
           round_up(eights * sizeof(int32_t[8])) + 6 * n * n * sizeof(fnd_polytope_cell);
}

static double along_axis(fender_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/* Heap sort of vertex numbers by the coordinate, then by number: the same order everywhere. */
static bool before(const fender_vec3 *v, int axis, int32_t a, int32_t b)
{
    assert(axis >= 0 && axis < 3);
    double x = along_axis(v[a], axis), y = along_axis(v[b], axis);
    return x < y || (x == y && a < b);
}

static void sift(const fender_vec3 *v, int axis, int32_t *list, int at, int count)
{
    assert(at >= 0 && at < count);
    for (int child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && before(v, axis, list[child], list[child + 1])) child++;
        if (!before(v, axis, list[at], list[child])) return;
        int32_t swap = list[at];
        list[at] = list[child], list[child] = swap;
    }
}

static void sort_along(const fender_vec3 *v, int axis, int32_t *list, int count)
{
    for (int i = count / 2 - 1; i >= 0; i--) sift(v, axis, list, i, count);
    for (int i = count - 1; i > 0; i--) {
        int32_t swap = list[0];
        list[0] = list[i], list[i] = swap;
        sift(v, axis, list, 0, i);
    }
}

/* Halves along the longest side until eights are left. */
static void gather(const fender_vec3 *v, int32_t *list, int count)
{
    while (count > 8) {
        fender_vec3 low = v[list[0]], high = low;
        for (int i = 1; i < count; i++) {
            fender_vec3 p = v[list[i]];
            low.x = p.x < low.x ? p.x : low.x, high.x = p.x > high.x ? p.x : high.x;
            low.y = p.y < low.y ? p.y : low.y, high.y = p.y > high.y ? p.y : high.y;
            low.z = p.z < low.z ? p.z : low.z, high.z = p.z > high.z ? p.z : high.z;
        }
        double x = high.x - low.x, y = high.y - low.y, z = high.z - low.z;
        sort_along(v, x >= y && x >= z ? 0 : y >= z ? 1 : 2, list, count);
        int left = ((count + 7) / 8 + 1) / 2 * 8;
        gather(v, list, left);
        list += left;
        count -= left;
    }
}

/* Marks the eights that the cell needs; corners are those of its square on the cube. */
static void fill_cell(const fnd_polytope *p, const fnd_polytope_cells *c, const fender_vec3 corners[4], double margin,
                      fnd_polytope_cell *cell)
{
    double rival[5][4];
    int farthest[5] = {0};
    fender_vec3 middle = {0, 0, 0};
    for (int k = 0; k < 4; k++) middle = fender_vec3_add(middle, corners[k]);
    for (int k = 0; k < 5; k++) {
        farthest[k] = fnd_polytope_climb(p, k ? farthest[k - 1] : 0, k < 4 ? corners[k] : middle);
        for (int i = 0; i < 4; i++) rival[k][i] = fender_vec3_dot(p->vertices[farthest[k]], corners[i]);
    }
    cell->count = 0;
    for (int e = 0; e < c->eight_count; e++) {
        bool needed = false;
        for (int lane = 0; lane < 8 && !needed; lane++) {
            fender_vec3 v = p->vertices[c->numbers[e][lane]];
            double along[4];
            for (int i = 0; i < 4; i++) along[i] = fender_vec3_dot(v, corners[i]) + margin;
            bool beaten = false;
            for (int k = 0; k < 5 && !beaten; k++)
                beaten = rival[k][0] > along[0] && rival[k][1] > along[1] && rival[k][2] > along[2] &&
                         rival[k][3] > along[3];
            needed = !beaten;
        }
        if (!needed) continue;
        if (cell->count == FND_CELL_LIST) {
            cell->count = 0;
            return;
        }
        cell->eight[cell->count++] = (uint8_t)e;
    }
}

fnd_polytope_cells *fnd_polytope_cells_fill(const fnd_polytope *p, void *memory)
{
    assert(p->vertex_count > 0);
    if (fnd_polytope_cells_size(p->vertex_count) == 0) return NULL;
    char *at = (char *)memory + (-(uintptr_t)memory & 63);
    fnd_polytope_cells *c = (void *)at;
    c->per_edge = cells_per_edge(p->vertex_count);
    c->eight_count = (p->vertex_count + 7) / 8;
    size_t eights = (size_t)c->eight_count;
    at += round_up(sizeof *c);
    c->eights = (void *)at;
    at += eights * sizeof(fnd_polytope_eight);
    c->numbers = (void *)at;
    c->cells = (void *)(at + round_up(eights * sizeof(int32_t[8])));
    int32_t *list = c->numbers[0];
    for (int i = 0; i < 8 * c->eight_count; i++) list[i] = i < p->vertex_count ? i : 0;
    gather(p->vertices, list, p->vertex_count);
    for (int i = p->vertex_count; i < 8 * c->eight_count; i++) list[i] = list[p->vertex_count - 1];
    double size = 0;
    for (int i = 0; i < 8 * c->eight_count; i++) {
        fender_vec3 v = p->vertices[list[i]];
        c->eights[i / 8].x[i % 8] = v.x, c->eights[i / 8].y[i % 8] = v.y, c->eights[i / 8].z[i % 8] = v.z;
        double sum = fabs(v.x) + fabs(v.y) + fabs(v.z);
        size = sum > size ? sum : size;
    }
    int n = c->per_edge;
    for (int face = 0; face < 6; face++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                fender_vec3 corners[4];
                for (int k = 0; k < 4; k++) { /* a little beyond the cell, so that rounding does not matter */
                    double most = face & 1 ? -1 : 1, wide = k & 1 ? 1e-9 : -1e-9, high = k & 2 ? 1e-9 : -1e-9;
                    double u = 2.0 * (i + (k & 1)) / n - 1 + wide, v = 2.0 * (j + (k >> 1)) / n - 1 + high;
                    corners[k] = face < 2   ? fender_vec3_make(most, u, v)
                                 : face < 4 ? fender_vec3_make(v, most, u)
                                            : fender_vec3_make(u, v, most);
                }
                fill_cell(p, c, corners, 1e-13 * size, &c->cells[(face * n + i) * n + j]);
            }
    return c;
}
