/* Sphere and capsule pairs in poses whose answer is known in closed form, and the rules for what is not unique. */
/* items: C014 C020 */
#include "collide/pair_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static fender_geometry *sphere(double radius)
{
    fender_env env = fender_env_default();
    return fender_geometry_sphere(&env, radius, NULL);
}
static fender_geometry *capsule(double radius, double half_length)
{
    fender_env env = fender_env_default();
    return fender_geometry_capsule(&env, radius, half_length, NULL);
}
static fender_pose at(double x, double y, double z)
{
    fender_pose pose = {{x, y, z}, {1, 0, 0, 0}};
    return pose;
}
static fender_pose turned(fender_pose pose, double ax, double ay, double az, double angle)
{
    double s = sin(angle / 2);
    pose.q = (fender_quaternion){cos(angle / 2), s * ax, s * ay, s * az};
    return pose;
}
static fender_separation apart(fender_geometry *a, fender_pose pa, fender_geometry *b, fender_pose pb)
{
    fender_separation s;
    memset(&s, 0xff, sizeof s);
    assert_int_equal(fender_geometry_separation(a, &pa, b, &pb, &s), FENDER_STATUS_OK);
    assert_int_equal(s.feature, 0);
    return s;
}
static void release(fender_geometry *a, fender_geometry *b)
{
    fender_geometry_release(a);
    fender_geometry_release(b);
}
static void near3(fender_vec3 v, double x, double y, double z, double tolerance)
{
    if (!(fabs(v.x - x) <= tolerance && fabs(v.y - y) <= tolerance && fabs(v.z - z) <= tolerance))
        fail_msg("(%.17g, %.17g, %.17g) is not (%g, %g, %g)", v.x, v.y, v.z, x, y, z);
}
static void near1(double v, double expected, double tolerance)
{
    if (!(fabs(v - expected) <= tolerance)) fail_msg("%.17g is not %.17g", v, expected);
}
static const double pi = 3.14159265358979323846;

static void spheres(void **unused)
{
    (void)unused;
    fender_geometry *a = sphere(1), *b = sphere(0.5);
    fender_separation s = apart(a, at(1e7, 0, 0), b, at(1e7 + 3, 4, 0)); /* 3-4-5 */
    near1(s.distance, 3.5, 0);
    near3(s.normal, 0.6, 0.8, 0, 1e-16);
    near3(s.point_a, 0.6, 0.8, 0, 1e-16);
    near3(s.point_b, 2.7, 3.6, 0, 1e-15);
    s = apart(a, at(0, 0, 0), b, at(0, 0.25, 0)); /* b wholly inside a: JEOD finds no contact here */
    near1(s.distance, -1.25, 0);
    near3(s.normal, 0, 1, 0, 0);
    near3(s.point_a, 0, 1, 0, 0);
    near3(s.point_b, 0, -0.25, 0, 0);
    release(a, b);
}

static void spheres_on_one_centre_part_along_the_z_axis_of_a(void **unused)
{
    (void)unused;
    fender_geometry *a = sphere(1), *b = sphere(0.5);
    fender_separation s = apart(a, turned(at(5, 6, 7), 1, 0, 0, pi / 2), b, at(5, 6, 7));
    near1(s.distance, -1.5, 0);
    near3(s.normal, 0, -1, 0, 1e-15);
    fender_separation tiny = apart(a, at(0, 0, 0), b, at(3e-200, 4e-200, 0)); /* its square is no double */
    near3(tiny.normal, 0.6, 0.8, 0, 1e-15);
    release(a, b);
}

/* JEOD's example: a sphere of 0.5 on the side of a cylinder of radius 0.5 and length 4 touches at height 1 all along.
 */
static void sphere_on_the_side_of_a_capsule_at_every_offset(void **unused)
{
    (void)unused;
    fender_geometry *c = capsule(0.5, 2), *b = sphere(0.5);
    for (int i = -8; i <= 8; i++) {
        double z = 0.25 * i;
        fender_separation s = apart(c, at(0, 0, 0), b, at(0, 0.998, z));
        near1(s.distance, -0.002, 1e-15);
        near3(s.normal, 0, 1, 0, 0);
        near3(s.point_a, 0, 0.5, z, 1e-16);
        near3(s.point_b, 0, 0.498, z, 1e-15);
        s = apart(b, at(0, 0.998, z), c, at(0, 0, 0));
        near1(s.distance, -0.002, 1e-15);
        near3(s.normal, 0, -1, 0, 0);
        near3(s.point_a, 0, -0.5, 0, 0); /* from the sphere's centre */
        near3(s.point_b, 0, -0.498, 0, 1e-15);
    }
    fender_separation s = apart(c, at(0, 0, 0), b, at(0, 3, 6)); /* past the end: (3, 4) from the core's end */
    near1(s.distance, 4, 0);
    near3(s.normal, 0, 0.6, 0.8, 1e-16);
    near3(s.point_a, 0, 0.3, 2.4, 1e-15);
    release(c, b);
}

static void sphere_on_the_axis_of_a_capsule(void **unused)
{
    (void)unused;
    fender_geometry *c = capsule(0.5, 2), *b = sphere(0.25);
    fender_separation s = apart(c, at(0, 0, 0), b, at(0, 0, 1)); /* sideways: along x of the capsule */
    near1(s.distance, -0.75, 0);
    near3(s.normal, 1, 0, 0, 0);
    near3(s.point_a, 0.5, 0, 1, 0);
    near3(s.point_b, -0.25, 0, 1, 0);
    fender_separation m = apart(b, at(0, 0, 1), c, at(0, 0, 0));
    near3(m.normal, -1, 0, 0, 0);
    s = apart(c, at(0, 0, 0), b, at(0, 0, 2.5)); /* on the axis, past the core's end */
    near1(s.distance, -0.25, 0);
    near3(s.normal, 0, 0, 1, 0);
    release(c, b);
}

static void crossing_capsules(void **unused)
{
    (void)unused;
    fender_geometry *a = capsule(0.5, 2), *b = capsule(0.25, 3);
    fender_pose across = turned(at(1, 0.7, 0.5), 0, 1, 0, pi / 2); /* b along x */
    fender_separation s = apart(a, at(0, 0, 0), b, across);
    near1(s.distance, -0.05, 1e-15);
    near3(s.normal, 0, 1, 0, 1e-15);
    near3(s.point_a, 0, 0.5, 0.5, 1e-15);
    near3(s.point_b, 0, 0.45, 0.5, 1e-15);
    release(a, b);
}

static void crossing_axes_part_along_their_common_perpendicular(void **unused)
{
    (void)unused;
    fender_geometry *a = capsule(0.5, 2), *b = capsule(0.25, 3);
    fender_pose across = turned(at(1, 0, 0.5), 0, 1, 0, pi / 2);
    fender_separation s = apart(a, at(0, 0, 0), b, across), m = apart(b, across, a, at(0, 0, 0));
    near1(s.distance, -0.75, 1e-15);
    near3(s.normal, 0, 1, 0, 1e-15); /* z x x */
    near3(m.normal, -s.normal.x, -s.normal.y, -s.normal.z, 0);
    near1(m.distance, s.distance, 0);
    release(a, b);
}

static void parallel_capsules_touch_in_the_middle_of_the_overlap(void **unused)
{
    (void)unused;
    fender_geometry *a = capsule(0.5, 2), *b = capsule(0.25, 1);
    static const struct {
        double z, middle;
    } cases[] = {{0, 0}, {0.5, 0.5}, {1, 1}, {2, 1.5}, {3, 2}, {-2.5, -1.75}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int half_turn = 0; half_turn < 2; half_turn++) {
            fender_pose pose = at(0.8, 0, cases[i].z);
            if (half_turn) pose.q = (fender_quaternion){0, 1, 0, 0};
            fender_separation s = apart(a, at(0, 0, 0), b, pose);
            near1(s.distance, 0.05, 1e-15);
            near3(s.normal, 1, 0, 0, 0);
            near3(s.point_a, 0.5, 0, cases[i].middle, 1e-15);
            near3(s.point_b, 0.55, 0, cases[i].middle, 1e-15);
        }
    fender_separation s = apart(a, at(0, 0, 0), b, at(3, 0, 7)); /* past each other: ends at (3, 4) */
    near1(s.distance, 4.25, 1e-15);
    near3(s.normal, 0.6, 0, 0.8, 1e-16);
    release(a, b);
}

/* The same attitude reached by rounded turns: still the middle, not an end. */
static void rounding_of_the_attitude_does_not_move_the_middle(void **unused)
{
    (void)unused;
    fender_geometry *a = capsule(0.5, 2), *b = capsule(0.5, 2);
    double most = 0;
    for (int i = 0; i < 20000; i++) {
        fender_quaternion q = {cos(1.0 + i), sin(3.0 * i + 1), cos(5.0 * i), sin(7.0 * i)}, roll = {0, 0, 0, 0};
        q = fender_quaternion_normalized(q);
        roll.w = cos(0.37 * i), roll.z = sin(0.37 * i);
        fender_pose pa = {{0, 0, 0}, q};
        fender_pose pb = {fender_quaternion_rotate(q, fender_vec3_make(0.9, 0, 1)), fender_quaternion_product(q, roll)};
        fender_separation s = apart(a, pa, b, pb);
        double along = fender_vec3_dot(s.point_a, fender_quaternion_rotate(q, fender_vec3_make(0, 0, 1)));
        most = fabs(along - 0.5) > most ? fabs(along - 0.5) : most;
        near1(s.distance, -0.1, 1e-15 * 4);
    }
    print_message("parallel to rounding: contact off the middle by at most %.1e m of 3 m\n", most);
    near1(most, 0, 1e-14);
    release(a, b);
}

static int pair(const fnd_posed *a, const fnd_posed *b, double reach, fender_separation *s)
{
    fnd_pair_entry entry = fnd_pair_find(a->geometry, b->geometry);
    fnd_query query = {FND_QUERY_SINGLE, reach, NULL, NULL, 0};
    fnd_manifold found = {.items = s, .capacity = 1};
    fnd_pair_evaluate(&entry, a, b, &query, &found);
    return found.count;
}

/* Tilting one capsule over another, through parallel: distance and normal follow the tilt, and the point of contact
 * crosses from one end over the middle to the other in steps that shrink with the step of the tilt. */
static void contact_moves_continuously_through_parallel(void **unused)
{
    (void)unused;
    fender_geometry *g = capsule(0.5, 2);
    fnd_posed a = {g, {0, 0, 0}, fender_mat3_identity()}, b = {g, {1.2, 0, 0.5}, fender_mat3_identity()};
    fender_separation s, before = {0};
    double step = 1e-18, most = 0, first = 0, last = 0;
    for (int i = -8000; i <= 8000; i++) {
        double tilt = step * i;
        b.R_WG.m[0][2] = tilt;
        b.R_WG.m[2][0] = -tilt;
        assert_int_equal(pair(&a, &b, INFINITY, &s), 1);
        near1(s.distance, 0.2, 2e-14);
        near3(s.normal, 1, 0, 0, 2e-14);
        if (i > -8000) most = fabs(s.point_a.z - before.point_a.z) > most ? fabs(s.point_a.z - before.point_a.z) : most;
        else first = s.point_a.z;
        if (i == 0) near1(s.point_a.z, 0.25, 1e-15); /* middle of [-1.5, 2] */
        last = s.point_a.z;
        before = s;
    }
    near1(first, 2, 1e-12); /* b leans over to a at its upper end, then at its lower */
    near1(last, -1.5, 1e-12);
    near1(most, 0, 1.75 * 1e-3);
    for (int i = -150; i <= 0; i++) { /* larger tilts: distance and normal are as steep as the lever, not steeper */
        double tilt = pow(10, 0.1 * i);
        b.R_WG.m[0][2] = sin(tilt), b.R_WG.m[2][2] = cos(tilt);
        assert_int_equal(pair(&a, &b, INFINITY, &s), 1);
        assert_true(fabs(s.distance - 0.2) <= 2 * tilt + 1e-14);
        /* The gap vector moves by at most the end of b does; its direction by that over the length of the gap. */
        near3(s.normal, 1, 0, 0, 2 * 2 * tilt / 1.2 + 1e-14);
    }
    release(g, NULL);
}

static void collinear_capsules(void **unused)
{
    (void)unused;
    fender_geometry *a = capsule(0.5, 2), *b = capsule(0.25, 1);
    fender_separation s = apart(a, at(0, 0, 0), b, at(0, 0, 4)); /* end to end */
    near1(s.distance, 0.25, 0);
    near3(s.normal, 0, 0, 1, 0);
    near3(s.point_a, 0, 0, 2.5, 0);
    near3(s.point_b, 0, 0, 2.75, 0);
    /* Cores overlap by 0.5: sideways after 0.75 m, along the axis after 1.25 m. */
    fender_pose rolled = turned(at(0, 0, 2.5), 0, 0, 1, pi / 2);
    s = apart(a, at(0, 0, 0), b, rolled);
    near1(s.distance, -0.75, 1e-16);
    near1(s.normal.z, 0, 1e-16);
    near3(s.normal, sqrt(0.5), -sqrt(0.5), 0, 1e-15); /* x_a - x_b */
    near3(s.point_a, 0.5 * sqrt(0.5), -0.5 * sqrt(0.5), 1.75, 1e-15);
    fender_separation m = apart(b, rolled, a, at(0, 0, 0));
    near3(m.normal, -s.normal.x, -s.normal.y, -s.normal.z, 0);
    s = apart(a, at(0, 0, 0), b, at(0, 0, 2.5)); /* frames agree */
    near3(s.normal, 1, 0, 0, 0);
    s = apart(a, at(0, 0, 0), a, at(0, 0, 0)); /* one in the other */
    near1(s.distance, -1, 0);
    near3(s.normal, 1, 0, 0, 0);
    release(a, b);
}

static void a_capsule_without_length_is_a_sphere(void **unused)
{
    (void)unused;
    static const double lengths[] = {0, 1e-300, 1e-160};
    fender_geometry *ball = sphere(0.5), *rod = capsule(0.25, 2);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        fender_geometry *dot = capsule(0.5, lengths[i]);
        for (int k = 0; k < 400; k++) {
            fender_pose pose = {{sin(k), cos(3.0 * k), 3 * sin(7.0 * k)}, {cos(k), sin(k), 0, 0}};
            fender_separation s = apart(rod, at(0, 0, 0), ball, pose), t = apart(rod, at(0, 0, 0), dot, pose);
            near1(t.distance, s.distance, 2e-15);
            near3(t.normal, s.normal.x, s.normal.y, s.normal.z, 1e-13);
        }
        fender_geometry_release(dot);
    }
    fender_geometry *speck = capsule(0, 1e-160);
    fender_separation s = apart(speck, at(0, 0, 0), speck, at(0, 3e-160, 6e-160)); /* sizes whose squares vanish */
    near1(s.distance, 5e-160, 1e-175);
    near3(s.normal, 0, 0.6, 0.8, 1e-15);
    release(speck, NULL);
    release(ball, rod);
}

/* Where the cores meet, the normal turns with the scene. */
static void rules_for_meeting_cores_turn_with_the_scene(void **unused)
{
    (void)unused;
    fender_geometry *ball = sphere(0.3), *rod = capsule(0.5, 2);
    const struct {
        fender_geometry *a, *b;
        fender_pose X_AB;
    } cases[] = {
        {ball, ball, turned(at(0, 0, 0), 1, 0, 0, 1)},   {rod, ball, at(0, 0, 1)},
        {ball, rod, turned(at(0, 0, 0), 0, 1, 0, 1)},    {rod, rod, turned(at(0, 0, 1), 0, 0, 1, 2)},
        {rod, rod, turned(at(0, 0, 0.5), 1, 0, 0, 0.7)}, {rod, rod, at(0, 0, 1)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_separation s = apart(cases[i].a, at(0, 0, 0), cases[i].b, cases[i].X_AB);
        for (int k = 0; k < 300; k++) {
            fender_quaternion q = {cos(k), sin(3.0 * k), cos(5.0 * k), sin(2.0 * k)};
            fender_pose frame = {{sin(k), 2, 3}, fender_quaternion_normalized(q)};
            fender_separation t = apart(cases[i].a, frame, cases[i].b, fender_pose_product(frame, cases[i].X_AB));
            fender_vec3 n = fender_quaternion_rotate(frame.q, s.normal);
            near3(t.normal, n.x, n.y, n.z, 3e-15);
            near1(t.distance, s.distance, 5e-15);
        }
    }
    release(ball, rod);
}

/* b slides through a's core sideways: from both sides the depth runs up to both radii and down again; the normal can
 * only jump there, from one side to the other. */
static void depth_is_continuous_where_the_normal_turns_round(void **unused)
{
    (void)unused;
    fender_geometry *a = capsule(0.5, 2), *b = capsule(0.25, 2);
    for (int i = -17; i <= 17; i++) {
        double y = i == 0 ? 0 : (i < 0 ? -1 : 1) * pow(10, -fabs((double)i));
        fender_separation s = apart(a, at(0, 0, 0), b, turned(at(0, y, 0), 0, 1, 0, 1));
        near1(s.distance, fabs(y) - 0.75, 3e-15);
        near3(s.normal, 0, y < 0 ? -1 : 1, 0, 3e-15);
    }
    release(a, b);
}

static void nothing_beyond_reach(void **unused)
{
    (void)unused;
    fender_geometry *shapes[2] = {sphere(0.5), capsule(0.5, 1)};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            fnd_posed a = {shapes[i], {1e7, 0, 0}, fender_mat3_identity()};
            fnd_posed b = {shapes[j], {1e7 + 3, 0, 0}, fender_mat3_identity()};
            fender_separation s;
            memset(&s, 0xff, sizeof s);
            fender_separation untouched = s;
            assert_int_equal(pair(&a, &b, 0, &s), 0);
            assert_int_equal(pair(&a, &b, nextafter(2, 0), &s), 0);
            assert_int_equal(pair(&a, &b, -1, &s), 0);
            assert_int_equal(pair(&a, &b, -100, &s), 0);
            assert_memory_equal(&s, &untouched, sizeof s);
            assert_int_equal(pair(&a, &b, 2, &s), 1); /* at reach is within it */
            near1(s.distance, 2, 0);
            assert_int_equal(pair(&a, &b, INFINITY, &s), 1);
            b.p_WG.x = 1e200; /* offset squared is no double */
            assert_int_equal(pair(&a, &b, 1, &s), 0);
            assert_int_equal(pair(&a, &b, INFINITY, &s), 1);
            near1(s.distance, 1e200, 1e185);
        }
    release(shapes[0], shapes[1]);
}

/* A pose that is not a number must not be taken for "apart". */
static void not_a_number_is_passed_on(void **unused)
{
    (void)unused;
    fender_geometry *shapes[2] = {sphere(0.5), capsule(0.5, 1)};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 3; k++) {
                fnd_posed a = {shapes[i], {0, 0, 0}, fender_mat3_identity()};
                fnd_posed b = {shapes[j], {k == 0 ? NAN : 1, k == 1 ? NAN : 0, k == 2 ? NAN : 0}, a.R_WG};
                fender_separation s;
                assert_int_equal(pair(&a, &b, 0.1, &s), 1);
                assert_true(isnan(s.distance));
            }
    release(shapes[0], shapes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres),
        cmocka_unit_test(spheres_on_one_centre_part_along_the_z_axis_of_a),
        cmocka_unit_test(sphere_on_the_side_of_a_capsule_at_every_offset),
        cmocka_unit_test(sphere_on_the_axis_of_a_capsule),
        cmocka_unit_test(crossing_capsules),
        cmocka_unit_test(crossing_axes_part_along_their_common_perpendicular),
        cmocka_unit_test(parallel_capsules_touch_in_the_middle_of_the_overlap),
        cmocka_unit_test(rounding_of_the_attitude_does_not_move_the_middle),
        cmocka_unit_test(contact_moves_continuously_through_parallel),
        cmocka_unit_test(collinear_capsules),
        cmocka_unit_test(a_capsule_without_length_is_a_sphere),
        cmocka_unit_test(rules_for_meeting_cores_turn_with_the_scene),
        cmocka_unit_test(depth_is_continuous_where_the_normal_turns_round),
        cmocka_unit_test(nothing_beyond_reach),
        cmocka_unit_test(not_a_number_is_passed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
