/* Nearest points of solids: certificates in long double that share no code with src/geometry.
 *
 * For a convex solid with support function h and a unit n, n.p - h(n) is at most the signed distance of p. So the
 * normal that a query gives proves its own distance from below, and the witness point, if it lies in the solid (m.x <=
 * h(m) for every m tried), proves it from above outside. Inside, the least of h(n) - n.p over many directions, each
 * followed downhill, must not be less than the depth. Tolerances are parts of the larger of size and distance: 1e-14
 * for distance (a few dozen roundings), 1e-14 for the sampled minimum, which is found to about 1e-16 of itself. */
#include "check.h"
#include "geometry/point_query.h"
#include "long_support.h"
#include "random_numbers.h"

#ifndef POSES
#define POSES 1000
#endif

/* The hull of some points: in space, nearly or exactly flat, on a line, one point. */
static fnd_polytope *random_hull(random_stream *r)
{
    fender_vec3 points[24];
    int count = 1 + random_below(r, 24), kind = random_below(r, 5);
    double size = random_magnitude(r, 1e-2, 1e2), flat = kind == 1 ? random_magnitude(r, 1e-6, 1) : 1;
    fender_quaternion q = random_rotation(r);
    fender_vec3 middle = random_in_ball(r, size);
    for (int i = 0; i < count; i++) {
        fender_vec3 p = kind == 4 ? random_direction(r) : random_in_ball(r, 1);
        p.z *= flat;
        if (kind >= 2) p.z = random_below(r, 2);
        if (kind == 3) p.x = p.y = 0;
        points[i] = fender_vec3_add_scaled(middle, size, kind == 4 ? p : fender_quaternion_rotate(q, p));
    }
    fender_env env = fender_env_default();
    return fnd_polytope_of_points(&env, points, count);
}

static double length_or_none(random_stream *r) { return random_below(r, 8) ? random_magnitude(r, 1e-2, 1e2) : 0; }

static void random_solid(random_stream *r, fender_geometry_type type, fender_geometry *g)
{
    *g = (fender_geometry){.type = type};
    double scale = random_below(r, 4) ? 1 : random_magnitude(r, 1e-4, 1e4);
    g->radius = scale * length_or_none(r);
    g->half_length = scale * length_or_none(r);
    if (type == FENDER_GEOMETRY_POINT) g->radius = 0;
    g->half = fender_vec3_make(scale * length_or_none(r), scale * length_or_none(r), scale * length_or_none(r));
    if (type == FENDER_GEOMETRY_ELLIPSOID) {
        int kind = random_below(r, 8);
        if (kind == 0) g->half.y = g->half.x;
        if (kind == 1) g->half.z = g->half.y = g->half.x;
        if (kind == 2) g->half.z = g->half.y * (1 + 1e-15 * random_below(r, 9));
        if (kind == 3) g->half.x *= 1e-12;
        if (kind == 4) g->half.y *= 1e-9, g->half.z *= 1e-9;
    }
    if (type == FENDER_GEOMETRY_HULL) {
        g->polytope = random_hull(r);
        assert_non_null(g->polytope);
    }
    bool may_round = type != FENDER_GEOMETRY_SPHERE && type != FENDER_GEOMETRY_CAPSULE && type != FENDER_GEOMETRY_POINT;
    if (may_round && random_below(r, 3) == 0) g->rounding = scale * random_magnitude(r, 1e-3, 10);
}

static double size_of(const fender_geometry *g)
{
    double size = g->rounding + 1e-30;
    if (g->type == FENDER_GEOMETRY_HULL)
        for (int i = 0; i < g->polytope->vertex_count; i++)
            size = larger(size, fender_vec3_length(g->polytope->vertices[i]) + g->rounding);
    else if (g->type == FENDER_GEOMETRY_BOX || g->type == FENDER_GEOMETRY_ELLIPSOID)
        size += fender_vec3_length(g->half);
    else if (g->type == FENDER_GEOMETRY_SPHERE) size += g->radius;
    else if (g->type == FENDER_GEOMETRY_DISK) size += g->radius;
    else if (g->type != FENDER_GEOMETRY_POINT) size += g->radius + g->half_length;
    return size;
}

/* h(n) - n.p */
static long double depth_along(const fender_geometry *g, long3 n, fender_vec3 p)
{
    return long_support(g, n) - long_dot(n, long_of(p));
}

/* Least depth over a fan of directions, each followed downhill by a shrinking pattern. */
static long double least_depth(const fender_geometry *g, fender_vec3 p, random_stream *r)
{
    long double least = INFINITY;
    for (int start = 0; start < 30; start++) {
        long3 n = long_unit(long_of(random_direction(r)));
        if (start < 6) n = (long3){start % 3 == 0, start % 3 == 1, start % 3 == 2};
        if (start < 3) n = (long3){-n.x, -n.y, -n.z};
        if (g->type == FENDER_GEOMETRY_HULL && start >= 6 && start < 6 + g->polytope->face_count)
            n = long_unit(long_of(g->polytope->face_normals[start - 6]));
        long double value = depth_along(g, n, p), reach = 0.5L;
        for (int count = 0; count < 200 && reach > 1e-10L; count++) {
            bool better = false;
            for (int k = 0; k < 6 && !better; k++) {
                long double step = k & 1 ? -reach : reach;
                long3 m = n;
                if (k / 2 == 0) m.x += step;
                else if (k / 2 == 1) m.y += step;
                else m.z += step;
                if (long_length(m) < 0.1L) continue;
                m = long_unit(m);
                long double there = depth_along(g, m, p);
                if (there < value) value = there, n = m, better = true;
            }
            if (!better) reach *= 0.5L;
        }
        if (value < least) least = value;
    }
    return least;
}

typedef struct worst_figures {
    double distance, inside, witness, surface, unit;
    int outside_count, inside_count;
} worst_figures;

static void check_point(const fender_geometry *g, fender_vec3 p, random_stream *r, bool search, worst_figures *worst)
{
    fnd_solid_point found = {0};
    assert_true(fnd_point_query(g, p, &found));
    double size = larger(size_of(g), fender_vec3_length(p));
    assert_true(isfinite(found.distance) && fender_vec3_is_finite(found.point) && fender_vec3_is_finite(found.normal));
    long3 n = long_of(found.normal);
    worst->unit = larger(worst->unit, fabs((double)(long_length(n) - 1)));
    double along = (double)(-depth_along(g, n, p));
    worst->distance = larger(worst->distance, fabs(along - found.distance) / size);
    fender_vec3 back = fender_vec3_add_scaled(found.point, found.distance, found.normal);
    worst->witness = larger(worst->witness, fender_vec3_length(fender_vec3_sub(back, p)) / size);
    for (int i = 0; i < 20; i++) { /* the witness lies in the solid */
        long3 m = i ? long_unit(long_of(random_direction(r))) : n;
        double out = (double)(-depth_along(g, m, found.point));
        worst->surface = larger(worst->surface, out / size);
    }
    if (found.distance > 0) worst->outside_count++;
    else {
        worst->inside_count++;
        if (search) worst->inside = larger(worst->inside, (-found.distance - (double)least_depth(g, p, r)) / size);
    }
}

static void check_type(fender_geometry_type type, uint64_t number)
{
    worst_figures worst = {0};
    for (uint64_t i = 0; i < POSES; i++) {
        random_stream r = random_of_case(number, i);
        fender_geometry g;
        random_solid(&r, type, &g);
        double size = size_of(&g);
        for (int k = 0; k < 12; k++) {
            fender_vec3 p;
            fnd_solid_point s;
            if (k < 3) p = random_in_ball(&r, size * 2);
            else if (k < 5) p = random_in_ball(&r, size * 0.3);
            else if (k == 5) p = fender_vec3_scale(1e7, random_direction(&r));
            else if (k == 6) p = fender_vec3_make(0, 0, 0);
            else if (k == 7) { /* on planes and axes of symmetry */ p = random_in_ball(&r, size);
                int zeros = 1 + random_below(&r, 6);
                if (zeros & 1) p.x = 0;
                if (zeros & 2) p.y = 0;
                if (zeros & 4) p.z = 0;
            } else { /* near the surface, and on it */
                p = random_in_ball(&r, size * 1.5);
                fnd_point_query(&g, p, &s);
                double step = k < 10 ? size * random_magnitude(&r, 1e-16, 1e-3) : 0;
                p = fender_vec3_add_scaled(s.point, k & 1 ? -step : step, s.normal);
            }
            check_point(&g, p, &r, i % 16 == 0, &worst);
        }
        fender_env env = fender_env_default();
        if (g.polytope) fnd_polytope_release(&env, g.polytope);
    }
    print_message(
        "%-10s outside %d, inside %d: distance %.2g, least depth %.2g, witness %.2g, beyond surface %.2g, unit %.2g\n",
        fender_geometry_type_name(type), worst.outside_count, worst.inside_count, worst.distance, worst.inside,
        worst.witness, worst.surface, worst.unit);
    check_below(worst.distance, 1e-14);
    check_below(worst.inside, 1e-14);
    check_below(worst.witness, 1e-14);
    check_below(worst.surface, 4e-15);
    check_below(worst.unit, 4e-16);
}

static void test_solids(void **state)
{
    (void)state;
    static const fender_geometry_type types[] = {
        FENDER_GEOMETRY_SPHERE, FENDER_GEOMETRY_POINT,     FENDER_GEOMETRY_CAPSULE,
        FENDER_GEOMETRY_DISK,   FENDER_GEOMETRY_CYLINDER,  FENDER_GEOMETRY_CONE,
        FENDER_GEOMETRY_BOX,    FENDER_GEOMETRY_ELLIPSOID, FENDER_GEOMETRY_HULL};
    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++) check_type(types[i], 4100 + i);
}

/* Sizes at the ends of what constructors take, and far below. */
static void test_extreme_sizes(void **state)
{
    (void)state;
    for (int exponent = -300; exponent <= 100; exponent += 20) {
        double s = pow(10, exponent);
        fender_vec3 p = {1.5 * s, 2 * s, 3 * s};
        fnd_solid_point found;
        fender_geometry ball = {.type = FENDER_GEOMETRY_ELLIPSOID, .half = {s, s, s}};
        assert_true(fnd_point_query(&ball, p, &found));
        check_near(found.distance / s, sqrt(15.25) - 1, 1e-14);
        fender_geometry box = {.type = FENDER_GEOMETRY_BOX, .half = {s, s, s}};
        assert_true(fnd_point_query(&box, p, &found));
        check_near(found.distance / s, sqrt(0.25 + 1 + 4), 1e-14);
        fender_geometry cylinder = {.type = FENDER_GEOMETRY_CYLINDER, .radius = s, .half_length = s};
        assert_true(fnd_point_query(&cylinder, p, &found));
        check_near(found.distance / s, sqrt(1.5 * 1.5 + 4), 1e-14);
        fender_geometry cone = {.type = FENDER_GEOMETRY_CONE, .radius = s, .half_length = s};
        assert_true(fnd_point_query(&cone, fender_vec3_make(0, 0, -3 * s), &found));
        check_near(found.distance / s, 2, 1e-14);
        fender_vec3 ends[2] = {{0, 0, -s}, {0, 0, s}};
        fnd_polytope_edge edge = {{0, 1}, {-1, -1}};
        fnd_polytope segment = {.vertex_count = 2, .edge_count = 1, .vertices = ends, .edges = &edge};
        fender_geometry hull = {.type = FENDER_GEOMETRY_HULL, .polytope = &segment};
        assert_true(fnd_point_query(&hull, p, &found));
        check_near(found.distance / s, sqrt(1.5 * 1.5 + 4 + 4), 1e-14);
    }
}

/* Where the normal is not unique it follows the axes of G. */
static void test_choices(void **state)
{
    (void)state;
    fender_vec3 zero = {0, 0, 0}, x = {1, 0, 0}, z = {0, 0, 1};
    struct {
        fender_geometry g;
        fender_vec3 p, normal;
        double distance;
    } cases[] = {
        {{.type = FENDER_GEOMETRY_SPHERE, .radius = 2}, zero, z, -2},
        {{.type = FENDER_GEOMETRY_CAPSULE, .radius = 2, .half_length = 3}, {0, 0, 1}, x, -2},
        {{.type = FENDER_GEOMETRY_CYLINDER, .radius = 2, .half_length = 3}, zero, x, -2},
        {{.type = FENDER_GEOMETRY_CYLINDER, .radius = 2, .half_length = 2}, zero, z, -2},
        {{.type = FENDER_GEOMETRY_DISK, .radius = 2}, zero, z, 0},
        {{.type = FENDER_GEOMETRY_DISK, .radius = 2, .rounding = 0.5}, zero, z, -0.5},
        {{.type = FENDER_GEOMETRY_BOX, .half = {1, 1, 1}}, zero, z, -1},
        {{.type = FENDER_GEOMETRY_BOX, .half = {1, 1, 2}}, zero, x, -1},
        {{.type = FENDER_GEOMETRY_ELLIPSOID, .half = {2, 2, 2}}, zero, z, -2},
        {{.type = FENDER_GEOMETRY_ELLIPSOID, .half = {1, 2, 3}}, zero, x, -1},
        {{.type = FENDER_GEOMETRY_ELLIPSOID, .half = {3, 2, 0}}, zero, z, 0},
        {{.type = FENDER_GEOMETRY_ELLIPSOID}, zero, z, 0},
        {{.type = FENDER_GEOMETRY_CONE}, zero, z, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fnd_solid_point found;
        assert_true(fnd_point_query(&cases[i].g, cases[i].p, &found));
        check_near(found.distance, cases[i].distance, 0);
        check_vector(found.normal, cases[i].normal, 0);
    }
}

/* A flat hull: within its plane but outside, above it, and on it. */
static void test_flat_hull(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    const fender_vec3 corners[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    fender_geometry g = {.type = FENDER_GEOMETRY_HULL, .polytope = fnd_polytope_of_points(&env, corners, 4)};
    const struct {
        fender_vec3 p;
        double distance;
    } cases[] = {{{3, 0, 0}, 2}, {{4, 5, 0}, 5}, {{0.5, 0, 0}, 0}, {{0.5, 0, 2}, 2}, {{0.5, 0, -2}, 2}, {{1, 4, 4}, 5}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fnd_solid_point found;
        assert_true(fnd_point_query(&g, cases[i].p, &found));
        check_near(found.distance, cases[i].distance, 1e-15 * 5);
        check_vector(fender_vec3_add_scaled(found.point, found.distance, found.normal), cases[i].p, 1e-14);
    }
    fnd_polytope_release(&env, g.polytope);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_solids), cmocka_unit_test(test_extreme_sizes),
                                       cmocka_unit_test(test_choices), cmocka_unit_test(test_flat_hull)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
