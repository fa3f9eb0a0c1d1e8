/* Geometries as triangles, for pictures. */
#include "report/solids.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { AROUND = 24, HALF = AROUND / 2 };

fnd_solid fnd_solid_open(const fender_allocator *allocator)
{
    fnd_solid solid;
    memset(&solid, 0, sizeof solid);
    solid.allocator = *allocator;
    return solid;
}

void fnd_solid_close(fnd_solid *solid)
{
    const fender_allocator *a = &solid->allocator;
    if (solid->points) a->release(a->ctx, solid->points, (size_t)solid->point_capacity * sizeof *solid->points);
    if (solid->triangles) a->release(a->ctx, solid->triangles, (size_t)solid->index_capacity * sizeof(int32_t));
    solid->points = NULL;
    solid->triangles = NULL;
    solid->point_count = solid->triangle_count = solid->point_capacity = solid->index_capacity = 0;
}

/* Room for `count` items beside `used`; NULL without memory. */
static void *grown(const fender_allocator *a, void *items, int used, int count, int *capacity, size_t size)
{
    if (used + count <= *capacity) return items;
    int wanted = 2 * *capacity > used + count ? 2 * *capacity : used + count;
    void *larger = a->allocate(a->ctx, (size_t)wanted * size, _Alignof(max_align_t));
    if (!larger) return NULL;
    if (items) {
        memcpy(larger, items, (size_t)used * size);
        a->release(a->ctx, items, (size_t)*capacity * size);
    }
    *capacity = wanted;
    return larger;
}

static bool reserve(fnd_solid *solid, int points, int triangles)
{
    const fender_allocator *a = &solid->allocator;
    void *more = grown(a, solid->points, solid->point_count, points, &solid->point_capacity, sizeof *solid->points);
    if (more) solid->points = more;
    void *indices = more ? grown(a, solid->triangles, 3 * solid->triangle_count, 3 * triangles, &solid->index_capacity,
                                 sizeof(int32_t))
                         : NULL;
    if (indices) solid->triangles = indices;
    solid->failed |= !indices;
    return !solid->failed;
}

static void add_triangle(fnd_solid *solid, int a, int b, int c)
{
    int32_t *to = &solid->triangles[3 * (ptrdiff_t)solid->triangle_count++];
    to[0] = a, to[1] = b, to[2] = c;
}

static void add_point(fnd_solid *solid, const fender_pose *X, double x, double y, double z)
{
    solid->points[solid->point_count++] = fender_vec3_add(X->p,
                                                          fender_quaternion_rotate(X->q, fender_vec3_make(x, y, z)));
}

/* A solid of revolution about z from its outline, (radius, z) from the lowest to the highest; where the first or last
 * radius is 0 it ends in a point. */
static void add_turned(fnd_solid *solid, const fender_pose *X, const double (*outline)[2], int rings, double x_scale,
                       double y_scale)
{
    if (!reserve(solid, rings * AROUND, 2 * rings * AROUND)) return;
    const int first = solid->point_count;
    for (int i = 0; i < rings; i++) {
        for (int k = 0; k < AROUND; k++) {
            const double angle = 2 * 3.14159265358979323846 * k / AROUND;
            add_point(solid, X, x_scale * outline[i][0] * cos(angle), y_scale * outline[i][0] * sin(angle),
                      outline[i][1]);
        }
    }
    for (int i = 0; i + 1 < rings; i++) {
        for (int k = 0; k < AROUND; k++) {
            const int a = first + i * AROUND + k, b = first + i * AROUND + (k + 1) % AROUND;
            if (outline[i][0] > 0) add_triangle(solid, a, b, b + AROUND);
            if (outline[i + 1][0] > 0) add_triangle(solid, a, b + AROUND, a + AROUND);
        }
    }
}

/* A half ball's outline of that radius about z, from pole to rim (`up` false) or from rim to pole. */
static int add_arc(double (*outline)[2], int rings, double radius, double height, double z, bool up)
{
    for (int i = 0; i <= HALF / 2; i++) {
        const double angle = 0.5 * 3.14159265358979323846 * i / (HALF / 2);
        const bool pole = up ? i == HALF / 2 : i == 0;
        outline[rings][0] = pole ? 0 : radius * (up ? cos(angle) : sin(angle));
        outline[rings++][1] = z + height * (up ? sin(angle) : -cos(angle));
    }
    return rings;
}

static void add_round(fnd_solid *solid, const fender_geometry *g, const fender_pose *X)
{
    const double r = fender_geometry_radius(g), h = fender_geometry_half_length(g);
    const fender_vec3 half = fender_geometry_half_extents(g);
    double outline[2 * HALF][2];
    int rings = 0;
    switch (fender_geometry_type_of(g)) {
    case FENDER_GEOMETRY_SPHERE:
        rings = add_arc(outline, 0, r, r, 0, false) - 1;
        rings = add_arc(outline, rings, r, r, 0, true);
        break;
    case FENDER_GEOMETRY_ELLIPSOID:
        rings = add_arc(outline, 0, 1, half.z, 0, false) - 1;
        rings = add_arc(outline, rings, 1, half.z, 0, true);
        add_turned(solid, X, (const double(*)[2])outline, rings, half.x, half.y);
        return;
    case FENDER_GEOMETRY_CAPSULE:
        rings = add_arc(outline, 0, r, r, -h, false);
        rings = add_arc(outline, rings, r, r, h, true);
        break;
    case FENDER_GEOMETRY_DISK: {
        const double corners[3][2] = {{0, 0}, {r, 0}, {0, 0}};
        memcpy(outline, corners, sizeof corners);
        rings = 3;
        break;
    }
    case FENDER_GEOMETRY_CYLINDER: {
        const double corners[4][2] = {{0, -h}, {r, -h}, {r, h}, {0, h}};
        memcpy(outline, corners, sizeof corners);
        rings = 4;
        break;
    }
    case FENDER_GEOMETRY_CONE: {
        const double corners[3][2] = {{0, -h}, {r, -h}, {0, h}};
        memcpy(outline, corners, sizeof corners);
        rings = 3;
        break;
    }
    default: return;
    }
    add_turned(solid, X, (const double(*)[2])outline, rings, 1, 1);
}

static void add_faces(fnd_solid *solid, const fender_geometry *g, const fender_pose *X)
{
    int count;
    const fender_vec3 *vertices = fender_geometry_vertices(g, &count);
    const int indices = fender_geometry_triangles(g, NULL, 0), first = solid->point_count;
    if (indices == 0 || !reserve(solid, count, indices / 3)) return;
    for (int i = 0; i < count; i++) add_point(solid, X, vertices[i].x, vertices[i].y, vertices[i].z);
    int32_t *to = &solid->triangles[3 * (ptrdiff_t)solid->triangle_count];
    (void)fender_geometry_triangles(g, to, indices);
    for (int i = 0; i < indices; i++) to[i] += first;
    solid->triangle_count += indices / 3;
}

/* Adds a geometry that stands at X. Round ones get corners every 15 degrees, planes are squares of half size `extent`
 * [m]; roundings of edges are left out; points, clouds, probes and user geometries have nothing to show. */
static void solid_add(fnd_solid *solid, const fender_geometry *geometry, const fender_pose *X, double extent)
{
    assert(geometry && X);
    switch (fender_geometry_type_of(geometry)) {
    case FENDER_GEOMETRY_BOX:
    case FENDER_GEOMETRY_HULL:
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_MESH: add_faces(solid, geometry, X); return;
    case FENDER_GEOMETRY_PLANE:
        if (!reserve(solid, 4, 2)) return;
        for (int i = 0; i < 4; i++)
            add_point(solid, X, i == 0 || i == 3 ? -extent : extent, i < 2 ? -extent : extent, 0);
        add_triangle(solid, solid->point_count - 4, solid->point_count - 3, solid->point_count - 2);
        add_triangle(solid, solid->point_count - 4, solid->point_count - 2, solid->point_count - 1);
        return;
    default: add_round(solid, geometry, X);
    }
}

static const fender_pose at_origin = {.q = {1, 0, 0, 0}};

void fnd_solid_add_rod(fnd_solid *solid, double radius)
{
    const double outline[4][2] = {{0, 0}, {radius, 0}, {radius, 1}, {0, 1}};
    add_turned(solid, &at_origin, outline, 4, 1, 1);
}

void fnd_solid_add_arrow(fnd_solid *solid)
{
    static const double outline[5][2] = {{0, 0}, {0.02, 0}, {0.02, 0.8}, {0.06, 0.8}, {0, 1}};
    add_turned(solid, &at_origin, outline, 5, 1, 1);
}

void fnd_solid_add_body(fnd_solid *solid, const fender_world *world, fender_body_id body, double extent)
{
    for (int i = 0; i < fender_shape_count(world); i++) {
        fender_shape_def def;
        const fender_shape_id shape = fender_shape_at(world, i);
        if (fender_shape_body(world, shape).index1 == body.index1 &&
            fender_shape_get_def(world, shape, &def) == FENDER_STATUS_OK)
            solid_add(solid, def.geometry, &def.X_SG, extent);
    }
}
