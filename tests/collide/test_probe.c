/* Probes against every kind of solid: overshoot, slant and points by closed forms, and the wrench of a spring along the
 * line of sight against the gradient of its energy (M024, M027 to M029). */
/* items: M003 M021 M024 M027 M029 */
#include "check.h"
#include "random_numbers.h"
#include <fender/geometry.h>

static const double range = 0.8, cushion = 0.1;

static fender_env env;
static fender_geometry *probe_of(double ahead)
{
    fender_error error = {0};
    fender_geometry *probe = fender_geometry_probe(&env, range, ahead, &error);
    assert_non_null(probe);
    return probe;
}

static fender_quaternion turned(fender_vec3 axis, double angle)
{
    return (fender_quaternion){cos(angle / 2), axis.x * sin(angle / 2), axis.y * sin(angle / 2),
                               axis.z * sin(angle / 2)};
}

/* The line of sight along d: the least rotation of z. */
static fender_quaternion looking(fender_vec3 d)
{
    fender_vec3 axis = {-d.y, d.x, 0};
    double sine = fender_vec3_length(axis);
    if (!(sine > 0)) return d.z > 0 ? fender_quaternion_identity() : (fender_quaternion){0, 1, 0, 0};
    return turned(fender_vec3_scale(1 / sine, axis), atan2(sine, d.z));
}

/* ---- a plane: everything in closed form */

static void plane(void **state)
{
    (void)state;
    fender_error error = {0};
    fender_geometry *probe = probe_of(cushion), *ground = fender_geometry_plane(&env, &error);
    random_stream r = random_of_case(601, 0);
    double worst = 0;
    int flat = 0, lost = 0;
    for (int i = 0; i < 20000; i++) {
        fender_vec3 u = random_direction(&r);
        if (u.z > 0) u.z = -u.z;
        fender_pose place = {{random_between(&r, -5, 5), random_between(&r, -5, 5), random_between(&r, -0.8, 0.8)},
                             looking(u)};
        fender_pose here = fender_pose_identity();
        u = fender_quaternion_rotate(place.q, fender_vec3_make(0, 0, 1));
        double start = place.p.z - range * u.z, tip = place.p.z + cushion * u.z, facing = -u.z;
        double overshoot = -tip / facing;
        bool grazing = facing < FENDER_PROBE_SLANT;
        fender_separation s[2];
        int count = 0;
        assert_int_equal(
            fender_geometry_contacts(probe, &place, ground, &here, FENDER_CONTACT_POINTS_PATCH, 0.3, s, 2, &count),
            FENDER_STATUS_OK);
        double expected = grazing ? tip / FENDER_PROBE_SLANT : -overshoot;
        if (fabs(start) < 1e-12 || fabs(expected - 0.3) < 1e-9) continue;
        if (start < 0 || expected > 0.3) { /* its ray starts within the solid: back faces alone */
            assert_int_equal(count, 0);
            lost += start < 0;
            continue;
        }
        if (count == 0 && grazing && -overshoot > 16 * 0.3) continue; /* a surface is looked for that far ahead */
        assert_int_equal(count, 1);
        flat += grazing;
        /* what a tip 1 m away, seen at a hundredth, makes of rounding */
        double grain = 1e-13 / facing;
        check_near(s->distance, expected, grain);
        check_near(s->slant, grazing ? 1 / FENDER_PROBE_SLANT - 1 : 1 / facing - 1, grain / facing);
        check_vector(s->normal, fender_vec3_make(0, 0, -1), 1e-15); /* from the probe into the ground */
        check_near(s->point_b.z + place.p.z, 0, grain);
        check_near(s->point_a.z + place.p.z, tip, grain);
        double across = grazing ? cushion : (start / facing) - range;
        check_near(s->point_b.x, across * u.x, grain);
        check_near(s->point_a.y, across * u.y, grain);
        assert_true(s->feature == 0 && s->index == 0 && s->weight == 1 && !s->weight_fades);
        worst = larger(worst, fabs(s->distance - expected) * facing);
    }
    print_message("plane: worst error of the overshoot %.1e m (by its height), %d grazing, %d from inside\n", worst,
                  flat, lost);
    assert_true(flat > 100 && lost > 100);
    fender_geometry_release(probe);
    fender_geometry_release(ground);
}

/* ---- the force of a spring is the gradient of its energy */

typedef struct spring {
    double energy;
    fender_vec3 force, torque; /* on the probe, torque about its contact point */
    bool touching;
    double slant;
    fender_vec3 normal;
} spring;

/* A potential that is no square, so that depth and slant are told apart: U = l^2 + l^3. */
static spring press(const fender_geometry *probe, const fender_pose *place, const fender_geometry *solid,
                    const fender_pose *there)
{
    fender_separation s;
    int count = 0;
    spring out = {0};
    assert_int_equal(
        fender_geometry_contacts(probe, place, solid, there, FENDER_CONTACT_POINTS_SINGLE, 0, &s, 1, &count),
        FENDER_STATUS_OK);
    if (count == 0) return out;
    double l = -s.distance;
    out.touching = true;
    out.energy = l * l + l * l * l;
    out.normal = s.normal;
    out.slant = s.slant;
    out.force = fender_vec3_scale(-(1 + s.slant) * (2 * l + 3 * l * l), s.normal);
    fender_vec3 middle = fender_vec3_scale(0.5, fender_vec3_add(s.point_a, s.point_b));
    out.torque = fender_vec3_cross(middle, out.force);
    return out;
}

static fender_pose nudged(const fender_pose *place, int direction, double by)
{
    fender_vec3 axis = {direction % 3 == 0, direction % 3 == 1, direction % 3 == 2};
    fender_pose out = *place;
    if (direction < 3) out.p = fender_vec3_add_scaled(out.p, by, axis);
    else out.q = fender_quaternion_normalized(fender_quaternion_product(turned(axis, by), out.q));
    return out;
}

static double component(fender_vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

static fender_geometry *rough_ground(void)
{
    enum { SIDE = 7 };
    double heights[SIDE * SIDE];
    random_stream r = random_of_case(602, 0);
    fender_error error = {0};
    for (int i = 0; i < SIDE * SIDE; i++) heights[i] = random_between(&r, -0.3, 0.3);
    fender_grid_def def = {SIDE, SIDE, {-3, -3}, {1, 1}, heights};
    return fender_geometry_grid(&env, &def, &error);
}

static fender_geometry *mesh_of(const fender_geometry *grid)
{
    int vertices, indices = fender_geometry_triangles(grid, NULL, 0);
    const fender_vec3 *points = fender_geometry_vertices(grid, &vertices);
    int32_t triangles[3 * 72];
    assert_true(indices <= 3 * 72);
    fender_geometry_triangles(grid, triangles, indices);
    fender_mesh_def def = {points, vertices, triangles, indices / 3};
    fender_error error = {0};
    return fender_geometry_mesh(&env, &def, &error);
}

static void gradient(void **state)
{
    (void)state;
    fender_error error = {0};
    fender_geometry *grid = rough_ground();
    fender_vec3 corners[] = {{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}};
    fender_geometry *solids[] = {fender_geometry_plane(&env, &error),
                                 fender_geometry_sphere(&env, 2, &error),
                                 fender_geometry_capsule(&env, 1, 1, &error),
                                 fender_geometry_box(&env, fender_vec3_make(1, 2, 1.5), &error),
                                 fender_geometry_cylinder(&env, 1.5, 1, &error),
                                 fender_geometry_cone(&env, 1.5, 1, &error),
                                 fender_geometry_ellipsoid(&env, fender_vec3_make(1, 1.5, 2), &error),
                                 fender_geometry_hull(&env, corners, 4, &error),
                                 grid,
                                 mesh_of(grid)};
    fender_geometry *probe = probe_of(cushion);
    for (size_t k = 0; k < sizeof solids / sizeof solids[0]; k++) {
        random_stream r = random_of_case(603, (uint64_t)k);
        int looked = 0, steep = 0, kinks = 0;
        double worst = 0;
        for (int tries = 0; tries < 20000 && looked < 400; tries++) {
            fender_pose there = {{0, 0, 0}, random_rotation(&r)}, place = {{0, 0, 0}, random_rotation(&r)};
            place.p = fender_vec3_scale(random_between(&r, 0, 3), random_direction(&r));
            spring here = press(probe, &place, solids[k], &there);
            bool curved = k == 1 || k == 2 || (k >= 4 && k <= 6);
            if (!here.touching || (curved && here.slant > 8.9)) continue; /* grazing: exact on flat facets alone */
            looked++;
            const double step = 1e-6;
            for (int i = 0; i < 6; i++) {
                fender_pose up = nudged(&place, i, step), down = nudged(&place, i, -step);
                spring a = press(probe, &up, solids[k], &there), b = press(probe, &down, solids[k], &there);
                double slope = -(a.energy - b.energy) / (2 * step);
                double force = i < 3 ? component(here.force, i) : component(here.torque, i - 3);
                double size = fender_vec3_length(here.force);
                /* another facet, the border of contact or of grazing lines lies between: one-sided slopes differ */
                double halves = fabs(a.energy - 2 * here.energy + b.energy) / step;
                if (!a.touching || !b.touching || halves > 1e-3 * (size + 1) ||
                    fender_vec3_dot(a.normal, b.normal) < 0.999) {
                    kinks++;
                    continue;
                }
                /* of a difference of energies near 1 J over 2e-6, and of its third derivatives, which grow with the
                 * force as the line gets flat */
                double off = fabs(slope - force);
                worst = larger(worst, off / (size + 1));
                if (!(off <= 2e-7 * (size + 1)))
                    fail_msg("solid %zu, direction %d: %.12g is not %.12g", k, i, force, slope);
            }
            steep += fender_vec3_length(here.force) > 5;
        }
        print_message("%s: %d overlaps (%d with a force above 5 N), gradient off by %.1e of the force, %d kinks\n",
                      fender_geometry_type_name(fender_geometry_type_of(solids[k])), looked, steep, worst, kinks);
        assert_true(looked >= 100 && kinks < looked);
    }
    for (size_t k = 0; k < sizeof solids / sizeof solids[0]; k++) fender_geometry_release(solids[k]);
    fender_geometry_release(probe);
}

/* Along a path over facets of different slopes the energy has no jumps; the literal form's has (rule 8 of the design:
 * measured here). */
static void facets(void **state)
{
    (void)state;
    fender_error error = {0};
    fender_geometry *grid = rough_ground(), *probe = probe_of(cushion);
    fender_geometry *literal = fender_geometry_probe_literal(&env, range, cushion, &error);
    fender_pose there = fender_pose_identity();
    double jump = 0, literal_jump = 0;
    const int count = 40000;
    double last = NAN, literal_last = NAN;
    for (int i = 0; i <= count; i++) {
        double x = -2.5 + 5.0 * i / count;
        fender_pose place = {{x, 0.3 * x, -0.2}, looking(fender_vec3_make(0.3, 0, -1))};
        place.q = fender_quaternion_normalized(place.q);
        double energy = press(probe, &place, grid, &there).energy;
        double literal_energy = press(literal, &place, grid, &there).energy;
        if (i > 0) {
            jump = larger(jump, fabs(energy - last));
            literal_jump = larger(literal_jump, fabs(literal_energy - literal_last));
        }
        last = energy;
        literal_last = literal_energy;
    }
    print_message("over facets in steps of 0.13 mm: energy changes by %.1e J at most; literal form %.1e J\n", jump,
                  literal_jump);
    check_below(jump, 1e-3);          /* slopes of 0.6, forces of 2 N: 2.5e-4 J in a step */
    assert_true(literal_jump > 0.01); /* it is the reason for the other form */
    fender_geometry_release(grid);
    fender_geometry_release(probe);
    fender_geometry_release(literal);
}

/* Coplanar facets: no ripple, near the origin and at the Earth's radius (relative to the shapes). */
static void seams(void **state)
{
    (void)state;
    fender_error error = {0};
    /* four facets about a centre, as the paper's terrain (M017), tilted and flat */
    for (int flat = 0; flat < 2; flat++) {
        double slope = flat ? 0 : 0.3;
        fender_vec3 v[] = {{0, 0, 0}, {0, 2, 0}, {2, 0, 2 * slope}, {0, -2, 0}, {-2, 0, -2 * slope}};
        int32_t triangles[] = {0, 2, 1, 0, 3, 2, 0, 4, 3, 0, 1, 4};
        fender_mesh_def def = {v, 5, triangles, 4};
        fender_geometry *ground = fender_geometry_mesh(&env, &def, &error), *probe = probe_of(cushion);
        assert_non_null(ground);
        for (int far = 0; far < 2; far++) {
            fender_pose there = {{far ? 6378137 : 0, far ? -3e6 : 0, 0}, {1, 0, 0, 0}};
            double depth = 0, ripple = 0, turn = 0;
            fender_vec3 normal = {0, 0, 0};
            for (int i = 0; i <= 4000; i++) {
                double a = 6.283185307179586 * i / 4000, x = 0.7 * cos(a), y = 0.4 * sin(a);
                if (far) { /* places that doubles can tell at that distance */
                    x = floor(x * 1048576) / 1048576;
                    y = floor(y * 1048576) / 1048576;
                }
                fender_pose place = {{there.p.x + x, there.p.y + y, slope * x - 0.02 + cushion}, {0, 1, 0, 0}};
                fender_separation s;
                int count = 0;
                fender_geometry_contacts(probe, &place, ground, &there, FENDER_CONTACT_POINTS_PATCH, 0, &s, 1, &count);
                assert_int_equal(count, 1);
                if (i == 0) depth = -s.distance, normal = s.normal;
                ripple = larger(ripple, fabs(-s.distance - depth) / 0.02);
                turn = larger(turn, fender_vec3_length(fender_vec3_sub(s.normal, normal)));
            }
            print_message("%s facets, %s: ripple %.1e of the depth, normal %.1e\n", flat ? "level" : "tilted",
                          far ? "7e6 m away" : "at the origin", ripple, turn);
            check_near(depth, 0.02, 1e-14);
            check_below(ripple, 1e-12);
            check_below(turn, 1e-12);
        }
        fender_geometry_release(ground);
        fender_geometry_release(probe);
    }
}

/* ---- what it does not see, and what is said then */

static void blind(void **state)
{
    (void)state;
    fender_error error = {0};
    fender_geometry *probe = probe_of(0), *ball = fender_geometry_sphere(&env, 1, &error);
    fender_vec3 v[] = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
    int32_t up[] = {0, 1, 2};
    fender_mesh_def def = {v, 3, up, 1};
    fender_geometry *facet = fender_geometry_mesh(&env, &def, &error);
    fender_pose here = fender_pose_identity(), place = {{0, 0, -0.1}, {0, 1, 0, 0}};
    fender_separation s;
    int count;
    /* from above a facet is met, from below it is not (M021) */
    fender_geometry_contacts(probe, &place, facet, &here, FENDER_CONTACT_POINTS_PATCH, 0, &s, 1, &count);
    assert_int_equal(count, 1);
    check_near(s.distance, -0.1, 1e-15);
    place.q = fender_quaternion_identity();
    place.p.z = 0.1;
    fender_geometry_contacts(probe, &place, facet, &here, FENDER_CONTACT_POINTS_PATCH, 0, &s, 1, &count);
    assert_int_equal(count, 0);
    /* a ray that starts within the sphere has lost it (M044): no contact, the distance is that of the tip */
    place = (fender_pose){{0, 0, 0.15}, {0, 1, 0, 0}};
    fender_geometry_contacts(probe, &place, ball, &here, FENDER_CONTACT_POINTS_PATCH, 0, &s, 1, &count);
    assert_int_equal(count, 0);
    assert_int_equal(fender_geometry_separation(probe, &place, ball, &here, &s), FENDER_STATUS_OK);
    check_near(s.distance, -0.85, 1e-15);
    /* it looks aside: the distance of the tip */
    place = (fender_pose){{0, 0, 3}, {1, 0, 0, 0}};
    assert_int_equal(fender_geometry_separation(probe, &place, ball, &here, &s), FENDER_STATUS_OK);
    check_near(s.distance, 2, 1e-15);
    check_vector(s.normal, fender_vec3_make(0, 0, -1), 1e-15);
    /* ahead: along the line, as far as there is one */
    place = (fender_pose){{0.6, 0, 50}, {0, 1, 0, 0}};
    assert_int_equal(fender_geometry_separation(probe, &place, ball, &here, &s), FENDER_STATUS_OK);
    check_near(s.distance, 49.2, 1e-13);
    check_near(s.slant, 0.25, 1e-13);
    /* mirrored: the same seen from the other, to the bit */
    fender_separation turned_round;
    assert_int_equal(fender_geometry_separation(ball, &here, probe, &place, &turned_round), FENDER_STATUS_OK);
    assert_true(turned_round.distance == s.distance && turned_round.slant == s.slant &&
                turned_round.normal.z == -s.normal.z && turned_round.normal.x == -s.normal.x);
    assert_true(fender_geometry_pair_supported(FENDER_GEOMETRY_PROBE, FENDER_GEOMETRY_MESH));
    assert_false(fender_geometry_pair_supported(FENDER_GEOMETRY_PROBE, FENDER_GEOMETRY_PROBE));
    assert_false(fender_geometry_pair_supported(FENDER_GEOMETRY_POINT, FENDER_GEOMETRY_PROBE));
    fender_geometry_release(probe);
    fender_geometry_release(ball);
    fender_geometry_release(facet);
}

static void literal(void **state)
{
    (void)state;
    fender_error error = {0};
    fender_geometry *probe = fender_geometry_probe_literal(&env, range, cushion, &error);
    fender_geometry *ground = fender_geometry_plane(&env, &error);
    fender_vec3 u = {0.6, 0, -0.8};
    fender_pose place = {{1, 2, 0.05}, looking(u)}, here = fender_pose_identity();
    fender_separation s;
    assert_int_equal(fender_geometry_separation(probe, &place, ground, &here, &s), FENDER_STATUS_OK);
    check_near(s.distance, 0.05 - 0.8 * cushion, 1e-15); /* perpendicular depth of the tip */
    check_near(s.slant, 0, 0);
    check_vector(s.point_a, fender_vec3_make(0.06, 0, -0.08), 1e-15); /* the tip itself */
    check_near(s.point_b.z, -0.05, 1e-15);
    double r, c;
    bool form = false;
    assert_true(fender_geometry_probe_lengths(probe, &r, &c, &form) && form && r == range && c == cushion);
    assert_false(fender_geometry_probe_lengths(ground, &r, &c, &form));
    fender_geometry_release(probe);
    fender_geometry_release(ground);
}

static void constructors(void **state)
{
    (void)state;
    const double bad[][2] = {{0, 0.1}, {-1, 0}, {0.8, -0.1}, {NAN, 0}, {INFINITY, 0}, {0.8, NAN}, {1e101, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        fender_error error = {0};
        assert_null(fender_geometry_probe(&env, bad[i][0], bad[i][1], &error));
        assert_int_equal(error.status, FENDER_STATUS_VALUE);
        assert_true(error.message[0] && error.path[0]);
    }
    fender_geometry *probe = probe_of(cushion);
    fender_error error = {0};
    assert_null(fender_geometry_rounded(probe, 1, &error));
    check_near(fender_geometry_bounding_radius(probe), range, 0);
    fender_pose turned_about = {{1, 0, 0}, {sqrt(0.5), 0, sqrt(0.5), 0}}; /* z to x */
    fender_box box = fender_geometry_bounds(probe, &turned_about);
    check_vector(box.lower, fender_vec3_make(1 - range, 0, 0), 1e-15);
    check_vector(box.upper, fender_vec3_make(1 + cushion, 0, 0), 1e-15);
    check_near(fender_geometry_mass_properties(probe, 1000).mass, 0, 0);
    fender_ray ray = {{0, 0, 5}, {0, 0, -1}, INFINITY};
    fender_ray_hit hit;
    fender_pose here = fender_pose_identity();
    assert_int_equal(fender_geometry_ray_cast(probe, &here, &ray, &hit), FENDER_STATUS_OK);
    assert_false(hit.hit);
    fender_geometry_release(probe);
}

int main(void)
{
    env = fender_env_default();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plane), cmocka_unit_test(gradient), cmocka_unit_test(facets),       cmocka_unit_test(seams),
        cmocka_unit_test(blind), cmocka_unit_test(literal),  cmocka_unit_test(constructors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
