/* Rays against meshes and grids: against every triangle in long double, and through no gap between triangles. */
/* items: M022 M023 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fender/geometry.h>
#include <math.h>
#include <string.h>

#include "random_numbers.h"

typedef long double real;
enum { around = 24, rings = 11, vertex_limit = 2 + around * rings, triangle_limit = 2 * around * rings };

/* A closed surface like a sphere's with bumps, as rings between two poles. */
typedef struct ball {
    fender_vec3 vertices[vertex_limit];
    int32_t triangles[triangle_limit][3];
    int triangle_count;
} ball;
static void make_ball(ball *b, random_stream *random, double bumps, fender_vec3 shift)
{
    b->vertices[0] = fender_vec3_make(0, 0, -1);
    b->vertices[vertex_limit - 1] = fender_vec3_make(0, 0, 1);
    b->triangle_count = 0;
    for (int j = 0; j < rings; j++)
        for (int i = 0; i < around; i++) {
            double u = 2 * acos(-1) * i / around, v = acos(-1) * (j + 1) / (rings + 1) - acos(-1) / 2;
            double r = 1 + random_between(random, -bumps, bumps);
            b->vertices[1 + j * around + i] = fender_vec3_make(r * cos(u) * cos(v), r * sin(u) * cos(v), r * sin(v));
        }
    for (int i = 0; i < vertex_limit; i++) b->vertices[i] = fender_vec3_add(b->vertices[i], shift);
    for (int i = 0; i < around; i++) {
        int next = (i + 1) % around, top = 1 + (rings - 1) * around;
        int32_t *lower = b->triangles[b->triangle_count++], *upper = b->triangles[b->triangle_count++];
        lower[0] = 0, lower[1] = 1 + next, lower[2] = 1 + i;
        upper[0] = vertex_limit - 1, upper[1] = top + i, upper[2] = top + next;
        for (int j = 0; j + 1 < rings; j++) {
            int a = 1 + j * around + i, c = 1 + j * around + next;
            int32_t *one = b->triangles[b->triangle_count++], *two = b->triangles[b->triangle_count++];
            one[0] = a, one[1] = c, one[2] = c + around;
            two[0] = a, two[1] = c + around, two[2] = a + around;
        }
    }
}

typedef struct vec {
    real x, y, z;
} vec;
static vec minus(fender_vec3 a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static vec cross(vec a, vec b) { return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
static real dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec exact(fender_vec3 a) { return (vec){a.x, a.y, a.z}; }

/* Distance to the triangle's front along the ray, or -1; *margin: how close the ray passes to its rim, in parts of it.
 */
static real meet(fender_vec3 a, fender_vec3 b, fender_vec3 c, vec o, vec d, real *margin)
{
    vec u = minus(b, exact(a)), v = minus(c, exact(a)), n = cross(u, v), from = minus(a, o);
    real slope = dot(n, d);
    if (slope >= 0) return -1;
    real t = dot(from, n) / slope;
    vec p = {o.x + t * d.x - a.x, o.y + t * d.y - a.y, o.z + t * d.z - a.z};
    real square = dot(n, n), x = dot(cross(p, v), n) / square, y = dot(cross(u, p), n) / square, z = 1 - x - y;
    real least = x < y ? x : y;
    if (z < least) least = z;
    if (t > 0 && fabsl(least) < *margin) *margin = fabsl(least);
    return least >= 0 ? t : -1;
}

typedef struct tally {
    int hit, missed, close;
    double worst;
} tally;

static void compare(const fender_geometry *g, const fender_vec3 *vertices, const int32_t (*triangles)[3], int count,
                    const fender_ray *ray, real wall, tally *t)
{
    fender_pose X = fender_pose_identity();
    fender_ray_hit hit;
    assert_int_equal(fender_geometry_ray_cast(g, &X, ray, &hit), FENDER_STATUS_OK);
    vec o = exact(ray->origin), d = exact(ray->direction);
    real length = sqrtl(dot(d, d)), best = wall >= 0 ? wall : INFINITY, margin = INFINITY, steep = 1;
    uint64_t which = UINT64_MAX;
    d = (vec){d.x / length, d.y / length, d.z / length};
    for (int i = 0; i < count; i++) {
        const int32_t *k = triangles[i];
        real at = meet(vertices[k[0]], vertices[k[1]], vertices[k[2]], o, d, &margin);
        if (at < 0 || at >= best) continue;
        best = at;
        which = (uint64_t)i;
        vec n = cross(minus(vertices[k[1]], exact(vertices[k[0]])), minus(vertices[k[2]], exact(vertices[k[0]])));
        steep = -dot(n, d) / sqrtl(dot(n, n));
    }
    real away = sqrtl(dot(o, o)) + 3;
    if (margin < 1e-12L * away || steep < 1e-6L) {
        t->close++;
        return;
    }
    assert_true(hit.hit == (best < INFINITY && best <= ray->range));
    if (!hit.hit) {
        t->missed++;
        return;
    }
    t->hit++;
    if (which != UINT64_MAX) assert_true(hit.feature == which);
    double error = (double)(fabsl(hit.distance - best) * steep / away);
    if (error > t->worst) t->worst = error;
    assert_true(fabs(fender_vec3_length(hit.normal) - 1) < 1e-15 * 4 &&
                fender_vec3_dot(hit.normal, ray->direction) < 0);
}

static void rays_meet_the_first_triangle_seen_from_outside(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    tally t = {0};
    for (uint64_t n = 0; n < 1000; n++) {
        random_stream random = random_of_case(730, n / 20);
        ball b;
        make_ball(&b, &random, 0.3, fender_vec3_make(0, 0, 0));
        random = random_of_case(731, n);
        fender_mesh_def def = {b.vertices, vertex_limit, b.triangles[0], b.triangle_count};
        fender_geometry *g = fender_geometry_mesh(&env, &def, NULL);
        fender_vec3 target = random_in_ball(&random, 1.3), direction = random_direction(&random);
        if (n % 4 == 0) direction = fender_vec3_make(n % 8 ? 1 : 0, 0, n % 8 ? 0 : -1);
        double before = n % 5 == 0 ? random_magnitude(&random, 1e2, 1e6) : random_between(&random, -1, 6);
        fender_ray ray = {fender_vec3_add_scaled(target, -before, direction), direction, n % 7 ? INFINITY : 3};
        compare(g, b.vertices, (const int32_t(*)[3])b.triangles, b.triangle_count, &ray, -1, &t);
        fender_geometry_release(g);
    }
    print_message("mesh: %d hit, %d missed, %d too close to tell; worst error %.2g\n", t.hit, t.missed, t.close,
                  t.worst);
    assert_true(t.hit > 400 && t.missed > 100 && t.close < 20);
    assert_true(t.worst < 2e-15); /* about ten roundings of coordinates of the size of the distance */
}

/* Aimed at corners and at points of edges of a closed surface, from everywhere and in every pose: each ray hits. */
static void no_ray_passes_between_triangles(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    int count = 0;
    for (int place = 0; place < 3; place++) {
        random_stream random = random_of_case(732, (uint64_t)place);
        ball b;
        fender_vec3 shift = place == 0   ? fender_vec3_make(0, 0, 0)
                            : place == 1 ? fender_vec3_make(1e3, -2e3, 500)
                                         : fender_vec3_make(1e7, 1e7, -3e7);
        make_ball(&b, &random, 0, shift);
        fender_mesh_def def = {b.vertices, vertex_limit, b.triangles[0], b.triangle_count};
        fender_geometry *g = fender_geometry_mesh(&env, &def, NULL);
        for (uint64_t n = 0; n < 20000; n++, count++) {
            random = random_of_case(733 + (uint64_t)place, n);
            const int32_t *k = b.triangles[random_below(&random, b.triangle_count)];
            int from = random_below(&random, 3), to = (from + 1) % 3;
            double part = n % 3 == 0 ? 0 : n % 3 == 1 ? 0.5 : random_between(&random, 0, 1);
            fender_vec3 a = b.vertices[k[from]], c = b.vertices[k[to]];
            fender_vec3 target = fender_vec3_add_scaled(a, part, fender_vec3_sub(c, a));
            fender_vec3 outward = fender_vec3_sub(target, shift), direction;
            do direction = random_direction(&random);
            while (fender_vec3_dot(direction, outward) > -0.3);
            if (n % 5 == 0) direction = fender_vec3_scale(-1, outward);
            fender_pose X = fender_pose_identity();
            if (n % 2) X.q = random_rotation(&random);
            fender_mat3 R = fender_quaternion_matrix(X.q);
            fender_vec3 origin = fender_vec3_add_scaled(target, -5, direction);
            fender_ray ray = {fender_mat3_times(&R, origin), fender_mat3_times(&R, direction), INFINITY};
            fender_ray_hit hit;
            assert_int_equal(fender_geometry_ray_cast(g, &X, &ray, &hit), FENDER_STATUS_OK);
            assert_true(hit.hit);
            double grain = 1e-14 * (10 + fender_vec3_length(shift)), length = fender_vec3_length(direction);
            assert_true(fabs(hit.distance / length - 5) < 20 * grain);
        }
        /* from inside there are only back faces */
        for (uint64_t n = 0; n < 2000; n++) {
            random = random_of_case(736 + (uint64_t)place, n);
            fender_ray ray = {fender_vec3_add(shift, random_in_ball(&random, 0.8)), random_direction(&random),
                              INFINITY};
            fender_pose X = fender_pose_identity();
            fender_ray_hit hit;
            assert_int_equal(fender_geometry_ray_cast(g, &X, &ray, &hit), FENDER_STATUS_OK);
            assert_false(hit.hit);
        }
        fender_geometry_release(g);
    }
    print_message("%d rays at edges and corners, none passed\n", count);
}

enum { columns = 9, rows = 7 };
/* Height of the border of the grid at a point of it. */
static real border_height(const double *heights, real x, real y)
{
    bool along_x = y == 0 || y == rows - 1;
    real at = along_x ? x : y;
    int i = (int)floorl(at), j = along_x ? (int)y : (int)x, last = along_x ? columns - 2 : rows - 2;
    if (i > last) i = last;
    double a = along_x ? heights[j * columns + i] : heights[i * columns + j];
    double b = along_x ? heights[j * columns + i + 1] : heights[(i + 1) * columns + j];
    return a + (at - i) * ((real)b - a);
}

/* A grid is the ground below its heights: with walls at its border, inside everywhere below. */
static void rays_meet_the_ground_of_a_grid(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    tally t = {0};
    int inside = 0, walls = 0;
    for (uint64_t n = 0; n < 2000; n++) {
        random_stream random = random_of_case(740, n / 40);
        double heights[columns * rows];
        for (int i = 0; i < columns * rows; i++) heights[i] = random_between(&random, -1, 1);
        fender_grid_def def = {columns, rows, {0, 0}, {1, 1}, heights};
        fender_geometry *g = fender_geometry_grid(&env, &def, NULL);
        int count, indices = fender_geometry_triangles(g, NULL, 0);
        const fender_vec3 *vertices = fender_geometry_vertices(g, &count);
        int32_t triangles[2 * (columns - 1) * (rows - 1)][3];
        fender_geometry_triangles(g, triangles[0], indices);
        random = random_of_case(741, n);
        fender_vec3 target = {random_between(&random, -1, columns), random_between(&random, -1, rows),
                              random_between(&random, -2, 1)};
        fender_vec3 direction = random_direction(&random);
        fender_ray ray = {fender_vec3_add_scaled(target, -random_between(&random, 0, 12), direction), direction,
                          INFINITY};
        vec o = exact(ray.origin), d = exact(ray.direction);
        real wall = -1, low = -INFINITY, high = INFINITY, lower[2] = {(0 - o.x) / d.x, (0 - o.y) / d.y},
             upper[2] = {(columns - 1 - o.x) / d.x, (rows - 1 - o.y) / d.y};
        int side = 0;
        for (int i = 0; i < 2; i++) {
            real one = lower[i] < upper[i] ? lower[i] : upper[i], other = lower[i] < upper[i] ? upper[i] : lower[i];
            if (one > low) low = one, side = i;
            if (other < high) high = other;
        }
        bool ground = false;
        if (low <= 0 && high >= 0) { /* begins above or below the raster: up through the ground? */
            real margin = INFINITY;
            for (int i = 0; i < indices / 3; i++) {
                const int32_t *k = triangles[i];
                ground |= meet(vertices[k[0]], vertices[k[2]], vertices[k[1]], o, (vec){0, 0, 1}, &margin) > 0;
            }
        } else if (low > 0 && low < high) {
            real x = o.x + low * d.x, y = o.y + low * d.y, z = o.z + low * d.z;
            if (side == 0) x = d.x > 0 ? 0 : columns - 1;
            else y = d.y > 0 ? 0 : rows - 1;
            if (z <= border_height(heights, x, y)) wall = low;
        }
        if (ground) {
            fender_pose X = fender_pose_identity();
            fender_ray_hit hit;
            assert_int_equal(fender_geometry_ray_cast(g, &X, &ray, &hit), FENDER_STATUS_OK);
            assert_true(hit.hit && hit.distance == 0);
            inside++;
        } else compare(g, vertices, (const int32_t(*)[3])triangles, indices / 3, &ray, wall, &t);
        walls += wall > 0;
        fender_geometry_release(g);
    }
    print_message("grid: %d hit (%d walls), %d missed, %d began inside, %d too close; worst error %.2g\n", t.hit, walls,
                  t.missed, inside, t.close, t.worst);
    assert_true(t.hit > 400 && walls > 50 && t.missed > 300 && inside > 100 && t.worst < 2e-15);
}

/* A square of two triangles, rays from above: normals and distances of any size, one ray and eight at once. */
static void triangles_of_any_size(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    static const double sizes[] = {1e-35, 1e-20, 1, 1e20, 1e35};
    for (int k = 0; k < 5; k++) {
        const double a = sizes[k];
        const fender_vec3 corners[4] = {{0, 0, 0}, {3 * a, 0, 4 * a}, {3 * a, 5 * a, 4 * a}, {0, 5 * a, 0}};
        static const int32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
        const fender_mesh_def def = {corners, 4, triangles[0], 2};
        fender_geometry *g = fender_geometry_mesh(&env, &def, NULL);
        assert_non_null(g);
        fender_ray rays[8];
        fender_ray_hit hits[8], hit;
        for (int i = 0; i < 8; i++) {
            const double x = (0.3 + 0.3 * i) * a;
            rays[i] = (fender_ray){{x, (1 + 0.4 * i) * a, 4 * x / 3 + (1 + i) * a}, {0, 0, -2 * a}, INFINITY};
        }
        const fender_pose X = fender_pose_identity();
        assert_int_equal(fender_geometry_ray_cast_many(g, &X, rays, 8, hits), FENDER_STATUS_OK);
        for (int i = 0; i < 8; i++) {
            assert_int_equal(fender_geometry_ray_cast(g, &X, &rays[i], &hit), FENDER_STATUS_OK);
            assert_true(hit.distance == hits[i].distance && hit.feature == hits[i].feature);
            assert_memory_equal(&hit.point, &hits[i].point, sizeof hit.point);
            assert_memory_equal(&hit.normal, &hits[i].normal, sizeof hit.normal);
            assert_true(hit.hit && fabs(hit.distance / a - (1 + i)) < 1e-14);
            assert_true(fabs(hit.normal.x + 0.8) < 4e-16 && hit.normal.y == 0 && fabs(hit.normal.z - 0.6) < 4e-16);
        }
        fender_geometry_release(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_meet_the_first_triangle_seen_from_outside),
        cmocka_unit_test(no_ray_passes_between_triangles),
        cmocka_unit_test(rays_meet_the_ground_of_a_grid),
        cmocka_unit_test(triangles_of_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
