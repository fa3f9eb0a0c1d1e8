/* Solids of a profile: closed, within their tolerance of the true surface, with the volume and inertia of closed forms
 * as the tolerance shrinks; profiles in any order of points; refusals; contact within bores. */
/* items: S003 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "geometry/geometry.h"
#include "random_numbers.h"
#include <fender/solid.h>

#define PI 3.14159265358979323846

static fender_env env;

static void assert_close(double a, double b, double tolerance)
{
    if (fabs(a - b) <= tolerance) return;
    fail_msg("%.17g differs from %.17g by %.3g, more than %.3g", a, b, fabs(a - b), tolerance);
}

/* Every edge between two triangles that run along it in opposite directions, and a volume. */
static fender_geometry *closed(fender_geometry *g, const fender_error *error)
{
    if (!g) fail_msg("%s: %s (%s)", error->path, error->message, error->found);
    for (int t = 0; t < g->surface->triangle_count; t++)
        for (int k = 0; k < 3; k++) assert_true(g->surface->neighbours[t][k] >= 0);
    assert_int_equal(fender_geometry_type_of(g), FENDER_GEOMETRY_MESH);
    assert_true(fender_geometry_mass_properties(g, 1).mass > 0);
    return g;
}

static fender_geometry *extruded(const fender_vec2 *points, const int *sizes, int loops, double half)
{
    fender_error error = {0};
    const fender_profile profile = {points, sizes, loops};
    return closed(fender_geometry_extruded(&env, &profile, half, &error), &error);
}
static fender_geometry *revolved(const fender_vec2 *points, int count, double angle, double tolerance)
{
    fender_error error = {0};
    const fender_profile profile = {points, &count, 1};
    return closed(fender_geometry_revolved(&env, &profile, angle, tolerance, &error), &error);
}
static fender_geometry *tube(double inner, double outer, double half, double tolerance)
{
    fender_error error = {0};
    return closed(fender_geometry_tube(&env, inner, outer, half, tolerance, &error), &error);
}
static fender_geometry *hollow(double inner, double outer, double tolerance)
{
    fender_error error = {0};
    return closed(fender_geometry_hollow_sphere(&env, inner, outer, tolerance, &error), &error);
}

/* ---- Mass properties ---- */

static fender_mass_properties mass_of(fender_geometry *g)
{
    fender_mass_properties p = fender_geometry_mass_properties(g, 1);
    fender_geometry_release(g);
    return p;
}

/* A tube of n sides is a prism: its area is n/2 sin(2 pi/n) of the squared radii, its polar moment by the same
 * triangles. The closed forms of the round tube are approached in proportion to the tolerance. */
static void tubes_have_the_mass_of_their_closed_form(void **unused)
{
    (void)unused;
    const double r = 0.3, R = 0.5, h = 0.7, round = PI * (R * R - r * r) * 2 * h;
    const double about_z = round * (R * R + r * r) / 2, about_x = round * ((R * R + r * r) / 4 + h * h / 3);
    double last = 0;
    for (double tolerance = 4e-3; tolerance > 1e-6; tolerance /= 4) {
        fender_geometry *g = tube(r, R, h, tolerance);
        double n = g->surface->triangle_count / 8.0;
        assert_close(fmod(n, 4), 0, 0);
        double c = cos(PI / n), prism = n / 2 * sin(2 * PI / n) * (R * R - r * r) * 2 * h;
        double spin = n / 2 * sin(2 * PI / n) * 2 * h * (pow(R, 4) - pow(r, 4)) * (1 + 2 * c * c) / 6;
        fender_mass_properties p = mass_of(g);
        assert_close(p.mass, prism, 1e-13);
        assert_close(p.inertia.m[2][2], spin, 1e-13);
        assert_close(fender_vec3_length(p.center_of_mass), 0, 1e-14);
        double off = 1 - p.mass / round;
        assert_true(off > 0 && off < 2.7 * tolerance / R); /* 2/3 of the sagitta, of twice the radius */
        assert_close(p.inertia.m[2][2], about_z, 6 * tolerance / R * about_z);
        assert_close(p.inertia.m[0][0], about_x, 6 * tolerance / R * about_x);
        if (last > 0) assert_true(off < 0.35 * last);
        last = off;
    }
}

static void hollow_spheres_have_the_mass_of_their_closed_form(void **unused)
{
    (void)unused;
    const double r = 0.6, R = 1, round = 4 * PI / 3 * (pow(R, 3) - pow(r, 3));
    const double about = 0.4 * round * (pow(R, 5) - pow(r, 5)) / (pow(R, 3) - pow(r, 3));
    for (double tolerance = 1e-2; tolerance > 3e-4; tolerance /= 4) {
        fender_mass_properties p = mass_of(hollow(r, R, tolerance));
        assert_close(p.mass, round, 3 * tolerance * round);
        for (int i = 0; i < 3; i++) assert_close(p.inertia.m[i][i], about, 6 * tolerance * about);
        assert_close(p.inertia.m[0][1], 0, 1e-13);
    }
}

/* A ring of circular section (Pappus): 2 pi^2 R r^2; about its axis m (R^2 + 3/4 r^2). */
static void rings_have_the_mass_of_their_closed_form(void **unused)
{
    (void)unused;
    enum { SIDES = 256 };
    fender_vec2 circle[SIDES];
    const double R = 0.8, r = 0.2, round = 2 * PI * PI * R * r * r, about = round * (R * R + 0.75 * r * r);
    for (int k = 0; k < SIDES; k++)
        circle[k] = (fender_vec2){R + r * cos(2 * PI * k / SIDES), r * sin(2 * PI * k / SIDES)};
    fender_mass_properties p = mass_of(revolved(circle, SIDES, 2 * PI, 1e-4));
    assert_close(p.mass, round, 1e-3 * round);
    assert_close(p.inertia.m[2][2], about, 1.5e-3 * about);
    p = mass_of(revolved(circle, SIDES, PI / 3, 1e-4)); /* a sixth of it */
    assert_close(p.mass, round / 6, 1e-3 * round / 6);
}

/* A sector of a tube: its centre lies at 2/3 sin(a/2)/(a/2) (R^3 - r^3)/(R^2 - r^2) on the bisector. */
static void parts_of_a_turn_have_their_centre(void **unused)
{
    (void)unused;
    const double r = 0.3, R = 0.5, angle = 1.2;
    const fender_vec2 ring[4] = {{r, 0}, {R, 0}, {R, 0.4}, {r, 0.4}}, wedge[3] = {{0, 0}, {R, 0}, {0, 1}};
    fender_mass_properties p = mass_of(revolved(ring, 4, angle, 1e-6));
    double arm = 2.0 / 3 * sin(angle / 2) / (angle / 2) * (pow(R, 3) - pow(r, 3)) / (R * R - r * r);
    assert_close(p.mass, angle / 2 * (R * R - r * r) * 0.4, 1e-6);
    assert_close(p.center_of_mass.x, arm * cos(angle / 2), 3e-6);
    assert_close(p.center_of_mass.y, arm * sin(angle / 2), 3e-6);
    assert_close(p.center_of_mass.z, 0.2, 1e-12);
    p = mass_of(revolved(wedge, 3, 2 * PI, 1e-5)); /* a cone, with an edge on the axis */
    assert_close(p.mass, PI * R * R / 3, 1e-4);
    assert_close(p.center_of_mass.z, 0.25, 1e-12);
    p = mass_of(revolved(wedge, 3, 1.5 * PI, 1e-5)); /* three quarters of it */
    assert_close(p.mass, PI * R * R / 4, 1e-4);
}

/* A star of random radii with random holes: volume, centre and inertia by sums over the edges of its loops. */
static void extruded_profiles_have_the_moments_of_their_polygons(void **unused)
{
    (void)unused;
    for (uint64_t n = 0; n < 300; n++) {
        random_stream random = random_of_case(2101, n);
        fender_vec2 points[1000], kept[1000];
        int sizes[40] = {3 + (int)random_below(&random, 40)}, loops = 1, at = 0;
        int holes = (int)random_below(&random, 30);
        for (; at < sizes[0]; at++) {
            double a = 2 * PI * (at + random_between(&random, 0, 0.8)) / sizes[0];
            double size = random_between(&random, 2, 6);
            points[at] = (fender_vec2){size * cos(a), size * sin(a)};
        }
        for (; loops <= holes; loops++) { /* in cells of a raster, within the circle that every star holds */
            int cell = loops - 1, size = 3 + (int)random_below(&random, 6);
            double x = -0.5 + 0.2 * (cell % 6), y = -0.5 + 0.2 * (cell / 6);
            if (sizes[0] < 8) break;
            bool level = n % 3 == 0; /* points of many holes at the same heights */
            double first = level ? 0 : random_between(&random, 0, 1);
            for (int k = 0; k < size; k++, at++) {
                double a = 2 * PI * (k + first) / size, radius = level ? 0.08 : random_between(&random, 0.03, 0.09);
                points[at] = (fender_vec2){x + radius * cos(a), y + radius * sin(a)};
            }
            sizes[loops] = size;
        }
        double area = 0, mx = 0, my = 0, xx = 0, yy = 0;
        for (int loop = 0, first = 0; loop < loops; first += sizes[loop++]) {
            double part[5] = {0};
            for (int i = 0; i < sizes[loop]; i++) {
                fender_vec2 a = points[first + i], b = points[first + (i + 1) % sizes[loop]];
                double twice = a.x * b.y - a.y * b.x;
                part[0] += twice / 2;
                part[1] += twice * (a.x + b.x) / 6;
                part[2] += twice * (a.y + b.y) / 6;
                part[3] += twice * (a.x * a.x + a.x * b.x + b.x * b.x) / 12;
                part[4] += twice * (a.y * a.y + a.y * b.y + b.y * b.y) / 12;
            }
            double sign = (loop == 0 ? 1 : -1) * (part[0] > 0 ? 1 : -1);
            area += sign * part[0];
            mx += sign * part[1];
            my += sign * part[2];
            xx += sign * part[3];
            yy += sign * part[4];
        }
        memcpy(kept, points, sizeof kept); /* some loops the other way round */
        for (int loop = 0, first = 0; loop < loops; first += sizes[loop++])
            if (random_below(&random, 2))
                for (int i = 0; i < sizes[loop]; i++) points[first + i] = kept[first + sizes[loop] - 1 - i];
        fender_mass_properties p = mass_of(extruded(points, sizes, loops, 0.5));
        assert_close(p.mass, area, 1e-12 * area);
        assert_close(p.center_of_mass.x, mx / area, 1e-12);
        assert_close(p.center_of_mass.y, my / area, 1e-12);
        assert_close(p.inertia.m[2][2], xx + yy - (mx * mx + my * my) / area, 1e-10 * area);
    }
}

/* ---- Surfaces ---- */

static double off_tube(fender_vec3 p, const double *d)
{
    double r = sqrt(p.x * p.x + p.y * p.y), wall = fabs(r - d[0]) < fabs(r - d[1]) ? fabs(r - d[0]) : fabs(r - d[1]);
    double end = fabs(fabs(p.z) - d[2]);
    return end < wall ? end : wall;
}
static double off_sphere(fender_vec3 p, const double *d)
{
    double r = fender_vec3_length(p);
    return fabs(r - d[0]) < fabs(r - d[1]) ? fabs(r - d[0]) : fabs(r - d[1]);
}

/* Vertices lie on the true surface, no point of a triangle is farther off than the tolerance, and it is made use of. */
static void check_surface(fender_geometry *g, double (*off)(fender_vec3, const double *), const double *d,
                          double tolerance)
{
    random_stream random = random_of_case(2102, 0);
    double worst = 0;
    for (int i = 0; i < g->surface->vertex_count; i++) assert_close(off(g->surface->vertices[i], d), 0, 1e-15);
    for (int t = 0; t < g->surface->triangle_count; t++)
        for (int n = 0; n < 5; n++) {
            double u = n == 0 ? 0.5 : random_between(&random, 0, 1),
                   v = n == 0 ? 0.5 : random_between(&random, 0, 1 - u);
            fender_vec3 p = fender_vec3_scale(1 - u - v, fnd_surface_corner(g->surface, t, 0));
            p = fender_vec3_add_scaled(p, u, fnd_surface_corner(g->surface, t, 1));
            p = fender_vec3_add_scaled(p, v, fnd_surface_corner(g->surface, t, 2));
            double o = off(p, d);
            worst = o > worst ? o : worst;
        }
    assert_true(worst <= tolerance && worst > 0.6 * tolerance);
    fender_geometry_release(g);
}

static void surfaces_are_within_the_tolerance(void **unused)
{
    (void)unused;
    const double lengths[3] = {0.3, 0.5, 0.7};
    for (double tolerance = 1e-2; tolerance > 1e-4; tolerance /= 3) {
        check_surface(tube(0.3, 0.5, 0.7, tolerance), off_tube, lengths, tolerance);
        check_surface(hollow(0.3, 0.5, tolerance), off_sphere, lengths, tolerance);
    }
    fender_geometry *g = tube(0.3, 0.5, 0.7, 10); /* no fewer than eight sides */
    assert_int_equal(g->surface->triangle_count, 64);
    fender_geometry_release(g);
}

/* ---- Profiles ---- */

static void needless_points_are_dropped(void **unused)
{
    (void)unused;
    const fender_vec2 square[] = {{0, 0}, {0, 0}, {0.5, 0}, {1, 0}, {1, 1}, {0.3, 1}, {0, 1}, {0, 0.4}, {0, 0}};
    const fender_vec2 off[] = {{0.5, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}; /* the first one needless */
    int size = 9, five = 5;
    fender_geometry *g = extruded(square, &size, 1, 1);
    assert_int_equal(g->surface->vertex_count, 8);
    assert_int_equal(g->surface->triangle_count, 12);
    assert_close(mass_of(g).mass, 2, 1e-15);
    g = extruded(off, &five, 1, 1);
    assert_int_equal(g->surface->vertex_count, 8);
    fender_geometry_release(g);
}

static void bad_profiles_are_refused(void **unused)
{
    (void)unused;
    static const struct {
        fender_vec2 points[10];
        int sizes[3], loops;
        const char *path, *message;
        bool turned;
    } cases[] = {
        {{{0, 0}, {1, 0}}, {2}, 1, "profile.loops[0]", "the outline has fewer than three points", false},
        {{{0, 0}, {1, 0}, {2, 0}}, {3}, 1, "profile.loops[0]", "the outline encloses no area", false},
        {{{0, 0}, {1, 0}, {1, 0}, {0, 0}}, {4}, 1, "profile.loops[0]", "the outline encloses no area", false},
        {{{0, 0}, {1, 1}, {1, 0}, {0, 1}}, {4}, 1, "profile.loops[0]", "the outline crosses or touches itself", false},
        {{{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}},
         {5},
         1,
         "profile.loops[0]",
         "the outline crosses or touches itself",
         false}, /* a corner on an edge */
        {{{0, 0}, {4, 0}, {4, 4}, {6, 4}, {2, 4}, {0, 4}},
         {6},
         1,
         "profile.loops[0]",
         "the outline crosses or touches itself",
         false}, /* a spike */
        {{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {3, 3}, {5, 3}, {3, 2}},
         {4, 3},
         2,
         "profile.loops[1]",
         "the outline and hole 1 cross or touch",
         false},
        {{{0, 0}, {4, 0}, {4, 4}, {5, 3}, {6, 3}, {5, 2}},
         {3, 3},
         2,
         "profile.loops[1]",
         "hole 1 lies outside the outline",
         false},
        {{{0, 0}, {9, 0}, {0, 9}, {1, 1}, {3, 1}, {1, 3}, {1.5, 1.5}, {2, 1.5}, {1.5, 2}},
         {3, 3, 3},
         3,
         "profile.loops[2]",
         "hole 2 lies within hole 1",
         false},
        {{{0, 0}, {NAN, 0}, {1, 0}},
         {3},
         1,
         "profile.points[1].x",
         "a coordinate of the profile is not finite, or too large",
         false},
        {{{-1, 0}, {1, 0}, {1, 1}}, {3}, 1, "profile", "a profile that is revolved reaches beyond the axis", true},
        {{{0, 0}, {1, 1}, {1, -1}}, {3}, 1, "profile", "the profile touches the axis in a single point", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_error error = {0};
        const fender_profile profile = {cases[i].points, cases[i].sizes, cases[i].loops};
        assert_null(cases[i].turned ? fender_geometry_revolved(&env, &profile, 6, 1e-2, &error)
                                    : fender_geometry_extruded(&env, &profile, 1, &error));
        assert_int_equal(error.status, FENDER_STATUS_VALUE);
        assert_string_equal(error.message, cases[i].message);
        assert_string_equal(error.path, cases[i].path);
        assert_true(error.found[0] && error.expected[0]);
    }
}

static void bad_lengths_are_refused(void **unused)
{
    (void)unused;
    const fender_vec2 points[3] = {{1, 0}, {2, 0}, {1, 1}};
    const int size = 3;
    const fender_profile profile = {points, &size, 1};
    fender_error error[9] = {{0}};
    assert_null(fender_geometry_extruded(&env, &profile, 0, &error[0]));
    assert_null(fender_geometry_revolved(&env, &profile, 0, 1e-3, &error[1]));
    assert_null(fender_geometry_revolved(&env, &profile, 7, 1e-3, &error[2]));
    assert_null(fender_geometry_revolved(&env, &profile, 1, NAN, &error[3]));
    assert_null(fender_geometry_tube(&env, 0, 1, 1, 1e-3, &error[4]));
    assert_null(fender_geometry_tube(&env, 1, 1, 1, 1e-3, &error[5]));
    assert_null(fender_geometry_hollow_sphere(&env, 2, 1, 1e-3, &error[6]));
    assert_null(fender_geometry_hollow_sphere(&env, 1, 2, 1e-8, &error[7]));
    assert_null(fender_geometry_tube(&env, 1, 2, 1, 1e-14, &error[8]));
    static const char *const paths[9] = {"half_length",  "angle",        "angle",     "tolerance", "inner_radius",
                                         "inner_radius", "inner_radius", "tolerance", "tolerance"};
    for (int i = 0; i < 9; i++) {
        assert_int_equal(error[i].status, FENDER_STATUS_VALUE);
        assert_string_equal(error[i].path, paths[i]);
    }
    fender_error missing = {0};
    assert_null(fender_geometry_extruded(&env, NULL, 1, &missing));
    assert_int_equal(missing.status, FENDER_STATUS_ARGUMENT);
}

/* ---- Contact within bores ---- */

/* The distance of a ball from the bore around it: r - radius - offset, less the tolerance at most. */
static void a_ball_touches_the_bore_around_it(void **unused)
{
    (void)unused;
    const double bore = 0.5, radius = 0.2, tolerance = 1e-4;
    fender_geometry *t = tube(bore, 0.7, 1, tolerance), *s = hollow(bore, 0.7, tolerance);
    fender_geometry *ball = fender_geometry_sphere(&env, radius, NULL);
    random_stream random = random_of_case(2103, 0);
    for (int n = 0; n < 2000; n++) {
        double a = random_between(&random, 0, 2 * PI), offset = random_between(&random, 0.05, 0.35);
        fender_pose at = fender_pose_identity(), origin = fender_pose_identity();
        at.p = fender_vec3_make(offset * cos(a), offset * sin(a), random_between(&random, -0.5, 0.5));
        for (int shape = 0; shape < 2; shape++) {
            fender_separation found;
            if (shape == 1) at.p.z *= 0.1;
            double reach = shape == 0 ? offset : fender_vec3_length(at.p), gap = bore - radius - reach;
            assert_int_equal(fender_geometry_separation(shape == 0 ? t : s, &origin, ball, &at, &found),
                             FENDER_STATUS_OK);
            assert_true(found.distance <= gap + 1e-12 && found.distance >= gap - tolerance - 1e-12);
            fender_vec3 inward = fender_vec3_scale(-1 / reach, at.p);
            if (shape == 0) inward = fender_vec3_make(-cos(a), -sin(a), 0);
            /* facets are turned against the true surface by half a side: sqrt(2 tolerance / r) at most, and the nearest
             * point moves along by as much of the offset */
            assert_true(fender_vec3_dot(found.normal, inward) > 0.999);
        }
    }
    fender_geometry_release(t);
    fender_geometry_release(s);
    fender_geometry_release(ball);
}

static int open_environment(void **unused)
{
    (void)unused;
    env = fender_env_default();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tubes_have_the_mass_of_their_closed_form),
        cmocka_unit_test(hollow_spheres_have_the_mass_of_their_closed_form),
        cmocka_unit_test(rings_have_the_mass_of_their_closed_form),
        cmocka_unit_test(parts_of_a_turn_have_their_centre),
        cmocka_unit_test(extruded_profiles_have_the_moments_of_their_polygons),
        cmocka_unit_test(surfaces_are_within_the_tolerance),
        cmocka_unit_test(needless_points_are_dropped),
        cmocka_unit_test(bad_profiles_are_refused),
        cmocka_unit_test(bad_lengths_are_refused),
        cmocka_unit_test(a_ball_touches_the_bore_around_it),
    };
    return cmocka_run_group_tests(tests, open_environment, NULL);
}
