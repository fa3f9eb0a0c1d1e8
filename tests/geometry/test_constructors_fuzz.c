/* Constructors of all geometries, given whatever a caller may come up with: a clear error or a right answer, no leak,
 * and a failure with nothing left behind wherever memory ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fender/geometry.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_numbers.h"

typedef struct counter {
    int allocated, fail_at;
    size_t bytes;
} counter;
static void *counted_allocate(void *ctx, size_t size, size_t alignment)
{
    counter *c = ctx;
    (void)alignment;
    if (++c->allocated == c->fail_at || size > (size_t)1 << 30) return NULL;
    c->bytes += size;
    return malloc(size);
}
static void counted_release(void *ctx, void *memory, size_t size)
{
    ((counter *)ctx)->bytes -= size;
    free(memory);
}
static fender_env counted(counter *c)
{
    *c = (counter){0, 0, 0};
    fender_env env = {{counted_allocate, counted_release, c}, NULL, NULL};
    return env;
}

static double nasty(random_stream *random)
{
    static const double values[] = {0,      -0.0,   1,     0.5,   3,    1e-300, DBL_MIN,
                                    5e-324, 1e-160, 1e160, 1e100, 1e99, -1,     -1e-300};
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e300, DBL_MAX, 1.0000001e100, -DBL_MAX};
    int choice = random_below(random, 24);
    if (choice < 14) return values[choice];
    if (choice == 14) return bad[random_below(random, 7)];
    return random_magnitude(random, 1e-12, 1e12);
}
static bool length_is_allowed(double x) { return x >= 0 && x <= 1e100; }

/* An error says what, where, what was found and what would have been right. */
static void assert_clear(const fender_error *error)
{
    assert_true(error->status == FENDER_STATUS_VALUE || error->status == FENDER_STATUS_ARGUMENT);
    assert_int_equal(error->count, 1);
    assert_true(error->path[0] && error->message[0] && error->found[0] && error->expected[0]);
}

static double largest_of(fender_vec3 v)
{
    double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
    return x > y ? x > z ? x : z : y > z ? y : z;
}

/* What holds for every geometry that is made. */
static void assert_sound(const fender_geometry *g, fender_vec3 half)
{
    fender_pose X = fender_pose_identity();
    fender_box box = fender_geometry_bounds(g, &X);
    double r = fender_geometry_rounding(g), tolerance = 4 * DBL_EPSILON * (largest_of(half) + r);
    if (fender_geometry_type_of(g) != FENDER_GEOMETRY_PLANE) {
        assert_true(fabs(box.upper.x - half.x - r) <= tolerance && fabs(box.lower.x + half.x + r) <= tolerance);
        assert_true(fabs(box.upper.y - half.y - r) <= tolerance && fabs(box.lower.y + half.y + r) <= tolerance);
        assert_true(fabs(box.upper.z - half.z - r) <= tolerance && fabs(box.lower.z + half.z + r) <= tolerance);
        double radius = fender_geometry_bounding_radius(g);
        assert_true(radius >= largest_of(half) * (1 - 1e-15) && radius <= sqrt(3) * largest_of(half) * (1 + 1e-15) + r);
    }
    fender_mass_properties p = fender_geometry_mass_properties(g, 1000);
    assert_true(p.mass >= 0 && isfinite(p.mass));
    for (int i = 0; i < 3; i++) assert_true(p.inertia.m[i][i] >= 0); /* may be infinite, never NaN */
}

/* Mass of a shape of one of the types that lengths describe, in long double. */
static long double mass_of(int type, double a, double b, double c)
{
    const long double pi = 3.14159265358979323846264338327950288L, x = a, y = b, z = c, density = 1000;
    switch (type) {
    case 0: return density * 4 / 3 * pi * x * x * x;
    case 1: return density * (4 * pi / 3 * x * x * x + 2 * pi * x * x * y);
    case 3: return density * 2 * pi * x * x * y;
    case 4: return density * 2 * pi / 3 * x * x * y;
    case 5: return density * 8 * x * y * z;
    case 6: return density * 4 / 3 * pi * x * y * z;
    default: return 0;
    }
}

static fender_geometry *make(const fender_env *env, int type, double a, double b, double c, fender_error *error)
{
    switch (type) {
    case 0: return fender_geometry_sphere(env, a, error);
    case 1: return fender_geometry_capsule(env, a, b, error);
    case 2: return fender_geometry_disk(env, a, error);
    case 3: return fender_geometry_cylinder(env, a, b, error);
    case 4: return fender_geometry_cone(env, a, b, error);
    case 5: return fender_geometry_box(env, fender_vec3_make(a, b, c), error);
    default: return fender_geometry_ellipsoid(env, fender_vec3_make(a, b, c), error);
    }
}

static void lengths_of_any_kind(void **unused)
{
    (void)unused;
    static const int lengths[] = {1, 2, 1, 2, 2, 3, 3};
    int made = 0, refused = 0;
    for (uint64_t n = 0; n < 40000; n++) {
        random_stream random = random_of_case(601, n);
        int type = random_below(&random, 7);
        double v[3] = {nasty(&random), nasty(&random), nasty(&random)};
        bool allowed = true;
        for (int i = 0; i < lengths[type]; i++) allowed &= length_is_allowed(v[i]);
        counter c;
        fender_env env = counted(&c);
        fender_error error;
        memset(&error, 0, sizeof error);
        fender_geometry *g = make(&env, type, v[0], v[1], v[2], &error);
        assert_true(!g == !allowed);
        if (g) {
            double a = v[0], b = v[1], capsule = a + b;
            fender_vec3 half = {a, b, v[2]};
            if (type < 5) half = fender_vec3_make(a, a, type == 0 ? a : type == 1 ? capsule : type == 2 ? 0 : b);
            if (type == 4 && b == 0) half.z = 0;
            assert_sound(g, half);
            long double mass = mass_of(type, a, b, v[2]);
            double found = fender_geometry_mass_properties(g, 1000).mass;
            /* relative, but for what lies among the numbers that have lost digits */
            assert_true(fabsl((long double)found - mass) <= 2e-15L * mass + 1e-300L);
            double rounding = nasty(&random);
            fender_geometry *rounded = fender_geometry_rounded(g, rounding, &error);
            if (rounded && type > 1) assert_sound(rounded, half);
            assert_true(!rounded == !(length_is_allowed(rounding) && (type > 1 || length_is_allowed(a + rounding))));
            if (!rounded) assert_clear(&error);
            fender_geometry_release(g);
            fender_geometry_release(rounded);
            made++;
        } else {
            assert_clear(&error);
            refused++;
        }
        assert_true(c.bytes == 0);
    }
    print_message("%d made, %d refused\n", made, refused);
    assert_true(made > 10000 && refused > 5000);
}

enum { most_points = 60 };
/* Points on a flat, a line, a spot, a raster (many in a plane), a shell; of any scale, anywhere. */
static int scatter(random_stream *random, fender_vec3 *points)
{
    int count = 1 + random_below(random, most_points - 1), kind = random_below(random, 7);
    double scale = random_below(random, 3) ? random_magnitude(random, 1e-3, 1e3)
                                           : random_magnitude(random, 1e-290, 1e90);
    fender_vec3 u = random_direction(random), v = random_direction(random), at = {0, 0, 0};
    if (random_below(random, 3) == 0)
        at = fender_vec3_scale(scale * random_magnitude(random, 1, 1e9), random_direction(random));
    for (int i = 0; i < count; i++) {
        double a = random_between(random, -1, 1), b = random_between(random, -1, 1);
        fender_vec3 p = random_in_ball(random, 1);
        if (kind == 0) p = fender_vec3_scale(a, u);
        if (kind == 1) p = fender_vec3_add(fender_vec3_scale(a, u), fender_vec3_scale(b, v));
        if (kind == 2) p = fender_vec3_make(random_below(random, 4), random_below(random, 4), random_below(random, 4));
        if (kind == 3) p = random_direction(random);
        if (kind == 4) p = fender_vec3_make(a, b, 0);
        if (kind == 5) p = u;
        if (i > 0 && random_below(random, 5) == 0) points[i] = points[random_below(random, i)];
        else points[i] = fender_vec3_add(at, fender_vec3_scale(scale, p));
    }
    return count;
}

static double extent_of(const fender_vec3 *points, int count, fender_vec3 *lower, fender_vec3 *upper)
{
    *lower = *upper = points[0];
    for (int i = 1; i < count; i++) {
        fender_vec3 p = points[i];
        if (p.x < lower->x) lower->x = p.x;
        if (p.y < lower->y) lower->y = p.y;
        if (p.z < lower->z) lower->z = p.z;
        if (p.x > upper->x) upper->x = p.x;
        if (p.y > upper->y) upper->y = p.y;
        if (p.z > upper->z) upper->z = p.z;
    }
    double away = largest_of(*lower), other = largest_of(*upper);
    return away > other ? away : other;
}

static void points_of_any_kind(void **unused)
{
    (void)unused;
    int made = 0, refused = 0, solids = 0;
    for (uint64_t n = 0; n < 4000; n++) {
        random_stream random = random_of_case(602, n);
        fender_vec3 points[most_points], lower, upper;
        int count = scatter(&random, points), spoilt = -1;
        if (random_below(&random, 8) == 0) {
            static const double bad[] = {NAN, INFINITY, -INFINITY, 1e300, -2e100};
            spoilt = random_below(&random, count);
            points[spoilt].y = bad[random_below(&random, 5)];
        }
        for (int hull = 0; hull < 2; hull++) {
            counter c;
            fender_env env = counted(&c);
            fender_error error;
            memset(&error, 0, sizeof error);
            fender_geometry *g = hull ? fender_geometry_hull(&env, points, count, &error)
                                      : fender_geometry_cloud(&env, points, count, &error);
            assert_true(!g == (spoilt >= 0));
            if (!g) {
                char path[64];
                snprintf(path, sizeof path, "points[%d].y", spoilt);
                assert_string_equal(error.path, path);
                assert_clear(&error);
                refused++;
                assert_true(c.bytes == 0);
                continue;
            }
            made++;
            fender_pose X = fender_pose_identity();
            fender_box box = fender_geometry_bounds(g, &X);
            double grain = 1e-14 * extent_of(points, count, &lower, &upper);
            assert_true(fabs(box.lower.x - lower.x) <= grain && fabs(box.upper.x - upper.x) <= grain);
            assert_true(fabs(box.lower.y - lower.y) <= grain && fabs(box.upper.y - upper.y) <= grain);
            assert_true(fabs(box.lower.z - lower.z) <= grain && fabs(box.upper.z - upper.z) <= grain);
            int vertex_count;
            const fender_vec3 *vertices = fender_geometry_vertices(g, &vertex_count);
            assert_true(vertex_count >= 1 && vertex_count <= count);
            if (!hull) assert_int_equal(vertex_count, count);
            if (!hull) assert_memory_equal(vertices, points, (size_t)count * sizeof *points);
            fender_mass_properties p = fender_geometry_mass_properties(g, 1000);
            assert_true(p.mass >= 0 && isfinite(p.mass) && fender_vec3_is_finite(p.center_of_mass));
            double volume = (upper.x - lower.x) * (upper.y - lower.y) * (upper.z - lower.z);
            assert_true(p.mass <= 1000 * volume * (1 + 1e-12) + DBL_MIN);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) assert_true(!isnan(p.inertia.m[i][j]));
            if (p.mass > 0) { /* the other way round it is the same solid */
                solids++;
                assert_true(p.center_of_mass.x >= lower.x - grain && p.center_of_mass.x <= upper.x + grain);
                fender_vec3 turned[most_points];
                for (int i = 0; i < count; i++) turned[i] = points[count - 1 - i];
                fender_geometry *other = fender_geometry_hull(&env, turned, count, NULL);
                double mass = fender_geometry_mass_properties(other, 1000).mass;
                double size = largest_of(fender_vec3_sub(upper, lower));
                /* points within rounding of a face of the others are dropped, or not */
                assert_true(fabs(mass - p.mass) <= 1e-12 * mass + 1000 * size * size * grain + DBL_MIN);
                fender_geometry_release(other);
            }
            fender_geometry_release(g);
            assert_true(c.bytes == 0);
        }
    }
    print_message("%d made (%d with a volume), %d refused\n", made, solids, refused);
}

static void counts_and_pointers_of_any_kind(void **unused)
{
    (void)unused;
    counter c;
    fender_env env = counted(&c);
    fender_vec3 point = {1, 2, 3};
    static const int counts[] = {0, -1, INT_MIN};
    for (int i = 0; i < 3; i++) {
        fender_error error;
        memset(&error, 0, sizeof error);
        assert_null(fender_geometry_cloud(&env, &point, counts[i], &error));
        assert_clear(&error);
        memset(&error, 0, sizeof error);
        assert_null(fender_geometry_hull(&env, &point, counts[i], &error));
        assert_clear(&error);
        memset(&error, 0, sizeof error);
        fender_mesh_def mesh = {&point, counts[i], NULL, 1};
        assert_null(fender_geometry_mesh(&env, &mesh, &error));
        assert_clear(&error);
    }
    fender_error error;
    memset(&error, 0, sizeof error);
    assert_null(fender_geometry_cloud(&env, NULL, 5, &error));
    assert_clear(&error);
    memset(&error, 0, sizeof error);
    assert_null(fender_geometry_mesh(&env, NULL, &error));
    assert_clear(&error);
    memset(&error, 0, sizeof error);
    assert_null(fender_geometry_grid(&env, NULL, &error));
    assert_clear(&error);
    double heights[4] = {0, 0, 0, 0};
    const fender_grid_def grids[] = {
        {1, 2, {0, 0}, {1, 1}, heights},
        {2, 0, {0, 0}, {1, 1}, heights},
        {-2, -2, {0, 0}, {1, 1}, heights},
        {100000, 100000, {0, 0}, {1, 1}, heights},
        {INT_MAX, INT_MAX, {0, 0}, {1, 1}, heights},
        {2, 2, {0, 0}, {0, 1}, heights},
        {2, 2, {0, 0}, {1, -1}, heights},
        {2, 2, {0, 0}, {NAN, 1}, heights},
        {2, 2, {0, 0}, {INFINITY, 1}, heights},
        {2, 2, {NAN, 0}, {1, 1}, heights},
        {2, 2, {0, INFINITY}, {1, 1}, heights},
        {2, 2, {1e30, 0}, {1, 1}, heights}, /* 1e30 + 1 is 1e30 */
        {2, 2, {0, 0}, {1, 1}, NULL},
    };
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++) {
        memset(&error, 0, sizeof error);
        assert_null(fender_geometry_grid(&env, &grids[i], &error));
        assert_clear(&error);
    }
    assert_true(c.bytes == 0);
}

static void meshes_of_any_kind(void **unused)
{
    (void)unused;
    int made = 0, refused = 0;
    for (uint64_t n = 0; n < 3000; n++) {
        random_stream random = random_of_case(603, n);
        fender_vec3 vertices[12];
        int32_t triangles[30];
        int vertex_count = 3 + random_below(&random, 9), triangle_count = 1 + random_below(&random, 9), bad = -1;
        double scale = random_magnitude(&random, 1e-280, 1e95);
        for (int i = 0; i < vertex_count; i++) vertices[i] = random_in_ball(&random, scale);
        if (random_below(&random, 4) == 0) vertices[1] = vertices[0];
        if (random_below(&random, 4) == 0) vertices[2] = fender_vec3_scale(0.5, vertices[0]);
        for (int t = triangle_count - 1; t >= 0; t--) {
            int32_t *k = triangles + 3 * t;
            for (int i = 0; i < 3; i++) k[i] = random_below(&random, vertex_count);
            if (random_below(&random, 30) == 0)
                k[random_below(&random, 3)] = random_below(&random, 2) ? -1 : vertex_count;
            bool outside = k[0] < 0 || k[1] < 0 || k[2] < 0 || k[0] >= vertex_count || k[1] >= vertex_count ||
                           k[2] >= vertex_count;
            if (outside) bad = t;
            else {
                fender_vec3 u = fender_vec3_scale(1 / scale, fender_vec3_sub(vertices[k[1]], vertices[k[0]]));
                fender_vec3 v = fender_vec3_scale(1 / scale, fender_vec3_sub(vertices[k[2]], vertices[k[0]]));
                if (fender_vec3_length(fender_vec3_cross(u, v)) < 1e-14) bad = t;
            }
        }
        counter c;
        fender_env env = counted(&c);
        fender_error error;
        memset(&error, 0, sizeof error);
        fender_mesh_def def = {vertices, vertex_count, triangles, triangle_count};
        fender_geometry *g = fender_geometry_mesh(&env, &def, &error);
        assert_true(!g == (bad >= 0));
        if (g) {
            int count;
            int32_t indices[30];
            assert_memory_equal(fender_geometry_vertices(g, &count), vertices, (size_t)vertex_count * sizeof *vertices);
            assert_int_equal(fender_geometry_triangles(g, indices, 30), 3 * triangle_count);
            assert_memory_equal(indices, triangles, 3 * (size_t)triangle_count * sizeof *triangles);
            made++;
        } else {
            char path[32];
            snprintf(path, sizeof path, "triangles[%d]", bad); /* the first of them is named */
            assert_true(strncmp(error.path, path, strlen(path)) == 0);
            assert_clear(&error);
            refused++;
        }
        fender_geometry_release(g);
        assert_true(c.bytes == 0);
    }
    print_message("%d made, %d refused\n", made, refused);
}

static void grids_of_any_kind(void **unused)
{
    (void)unused;
    int made = 0, refused = 0;
    for (uint64_t n = 0; n < 1000; n++) {
        random_stream random = random_of_case(604, n);
        double heights[100], scale = random_magnitude(&random, 1e-100, 1e90);
        int nx = 2 + random_below(&random, 8), ny = 2 + random_below(&random, 8), bad = -1;
        for (int i = 0; i < nx * ny; i++) heights[i] = random_between(&random, -scale, scale);
        if (random_below(&random, 3) == 0) {
            static const double values[] = {NAN, INFINITY, -INFINITY, 1e101};
            heights[bad = random_below(&random, nx * ny)] = values[random_below(&random, 4)];
        }
        counter c;
        fender_env env = counted(&c);
        fender_error error;
        memset(&error, 0, sizeof error);
        fender_grid_def def = {nx, ny, {-scale, scale}, {scale, 2 * scale}, heights};
        fender_geometry *g = fender_geometry_grid(&env, &def, &error);
        assert_true(!g == (bad >= 0));
        if (g) {
            int count;
            const fender_vec3 *vertices = fender_geometry_vertices(g, &count);
            assert_int_equal(count, nx * ny);
            assert_int_equal(fender_geometry_triangles(g, NULL, 0), 6 * (nx - 1) * (ny - 1));
            assert_true(vertices[nx + 1].x == 0 && vertices[nx + 1].y == 3 * scale &&
                        vertices[nx + 1].z == heights[nx + 1]);
            made++;
        } else {
            char path[32];
            snprintf(path, sizeof path, "heights[%d]", bad);
            assert_string_equal(error.path, path);
            assert_clear(&error);
            refused++;
        }
        fender_geometry_release(g);
        assert_true(c.bytes == 0);
    }
    print_message("%d made, %d refused\n", made, refused);
}

static fender_box cube_bounds(const void *data)
{
    double r = *(const double *)data;
    return (fender_box){{-r, -r, -r}, {r, r, r}};
}
static fender_vec3 cube_support(const void *data, fender_vec3 d)
{
    double r = *(const double *)data;
    return fender_vec3_make(d.x < 0 ? -r : r, d.y < 0 ? -r : r, d.z < 0 ? -r : r);
}
static void user_geometries_of_any_kind(void **unused)
{
    (void)unused;
    for (uint64_t n = 0; n < 2000; n++) {
        random_stream random = random_of_case(605, n);
        double r = nasty(&random);
        counter c;
        fender_env env = counted(&c);
        fender_geometry_class type = {sizeof type, "cube", cube_bounds, cube_support, NULL, NULL};
        fender_error error;
        memset(&error, 0, sizeof error);
        fender_geometry *g = fender_geometry_user(&env, &type, &r, sizeof r, &error);
        assert_true(!g == !length_is_allowed(r));
        if (g) assert_sound(g, fender_vec3_make(r, r, r));
        else assert_clear(&error);
        fender_geometry_release(g);
        assert_true(c.bytes == 0);
        type.size = (uint32_t)random_below(&random, 100);
        memset(&error, 0, sizeof error);
        if (type.size != sizeof type) {
            assert_null(fender_geometry_user(&env, &type, &r, sizeof r, &error));
            assert_clear(&error);
        }
    }
    counter c;
    fender_env env = counted(&c);
    double r = 1;
    fender_error error;
    memset(&error, 0, sizeof error);
    assert_null(fender_geometry_user(&env, NULL, &r, sizeof r, &error));
    assert_clear(&error);
    fender_geometry_class none = {sizeof none, "none", NULL, cube_support, NULL, NULL};
    memset(&error, 0, sizeof error);
    assert_null(fender_geometry_user(&env, &none, &r, sizeof r, &error));
    assert_clear(&error);
    none = (fender_geometry_class){sizeof none, "none", cube_bounds, NULL, NULL, NULL};
    memset(&error, 0, sizeof error);
    assert_null(fender_geometry_user(&env, &none, &r, sizeof r, &error));
    assert_clear(&error);
    none.support = cube_support;
    memset(&error, 0, sizeof error);
    assert_null(fender_geometry_user(&env, &none, NULL, sizeof r, &error));
    assert_clear(&error);
}

/* Every constructor with the n-th allocation refused, for every n. */
static fender_geometry *construct(const fender_env *env, int type, fender_error *error)
{
    static const fender_vec3 points[8] = {{0, 0, 0}, {1, 0, 0},       {0, 1, 0}, {0, 0, 1},
                                          {1, 1, 1}, {0.2, 0.2, 0.2}, {1, 1, 0}, {2, 1, 3}};
    static const int32_t triangles[6] = {0, 1, 2, 1, 6, 2};
    static const double heights[6] = {0, 1, 2, 3, 1, 1};
    double r = 1;
    fender_geometry_class user = {sizeof user, "cube", cube_bounds, cube_support, NULL, NULL};
    fender_mesh_def mesh = {points, 8, triangles, 2};
    fender_grid_def grid = {3, 2, {0, 0}, {1, 1}, heights};
    switch (type) {
    case 7: return fender_geometry_point(env, error);
    case 8: return fender_geometry_plane(env, error);
    case 9: return fender_geometry_cloud(env, points, 8, error);
    case 10: return fender_geometry_hull(env, points, 8, error);
    case 11: return fender_geometry_hull(env, points, 3, error);
    case 12: return fender_geometry_hull(env, points, 2, error);
    case 13: return fender_geometry_mesh(env, &mesh, error);
    case 14: return fender_geometry_grid(env, &grid, error);
    case 15: return fender_geometry_user(env, &user, &r, sizeof r, error);
    case 16: {
        fender_geometry *box = fender_geometry_box(env, points[4], error), *rounded = NULL;
        if (box) rounded = fender_geometry_rounded(box, 1, error);
        fender_geometry_release(box);
        return rounded;
    }
    default: return make(env, type, 1, 2, 3, error);
    }
}
static void memory_may_end_anywhere(void **unused)
{
    (void)unused;
    int refused = 0;
    for (int type = 0; type <= 16; type++) {
        for (int fail_at = 1;; fail_at++) {
            counter c;
            fender_env env = counted(&c);
            c.fail_at = fail_at;
            fender_error error;
            memset(&error, 0, sizeof error);
            fender_geometry *g = construct(&env, type, &error);
            bool done = g != NULL;
            if (!g) {
                refused++;
                assert_int_equal(error.status, FENDER_STATUS_MEMORY);
                assert_true(error.message[0]);
            }
            fender_geometry_release(g);
            assert_true(c.bytes == 0);
            if (done) break;
            assert_true(fail_at < 100);
        }
    }
    print_message("%d allocations refused\n", refused);
    assert_true(refused > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_of_any_kind),
        cmocka_unit_test(points_of_any_kind),
        cmocka_unit_test(counts_and_pointers_of_any_kind),
        cmocka_unit_test(meshes_of_any_kind),
        cmocka_unit_test(grids_of_any_kind),
        cmocka_unit_test(user_geometries_of_any_kind),
        cmocka_unit_test(memory_may_end_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
