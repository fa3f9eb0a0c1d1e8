/* Every form of an orientation against rotations put together independently, from matrices and the C library. */
/* items: B042 B043 */
#include "collect.h"

#include <math.h>

static fender_quaternion read_orientation(const char *orientation)
{
    char text[1024];
    snprintf(text, sizeof text, BODY_A "    state: {orientation: %s}\n", orientation);
    fender_scenario *scenario = parse(text);
    fender_quaternion q = scenario->bodies[0].def.state.attitude;
    fender_scenario_destroy(scenario);
    return q;
}

/* Rotation about a coordinate axis that takes components in the turned frame to the fixed one. */
static fender_mat3 about(char axis, double degrees)
{
    double a = degrees * 3.14159265358979323846 / 180, c = cos(a), s = sin(a);
    fender_mat3 x = {{{1, 0, 0}, {0, c, -s}, {0, s, c}}};
    fender_mat3 y = {{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
    fender_mat3 z = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
    return axis == 'x' ? x : axis == 'y' ? y : z;
}

static void same(const fender_mat3 *wanted, fender_quaternion q, double tolerance)
{
    fender_mat3 got = fender_quaternion_matrix(q);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) assert_true(fabs(got.m[i][j] - wanted->m[i][j]) <= tolerance);
    assert_true(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) <= 1e-15);
}

static void euler_sequences(void **state)
{
    (void)state;
    static const char *const sequences[] = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx",
                                            "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"};
    for (int i = 0; i < 12; i++) {
        const char *s = sequences[i];
        char text[128];
        fender_mat3 first = about(s[0], 10), second = about(s[1], -35.5), third = about(s[2], 127);
        fender_mat3 two = fender_mat3_product(&first, &second), all = fender_mat3_product(&two, &third);
        snprintf(text, sizeof text, "{euler: [10, -35.5, 127, deg], sequence: %s}", s);
        same(&all, read_orientation(text), 2e-15);
        snprintf(text, sizeof text, "{euler: [10 deg, -0.61959188445798699, 127 deg], sequence: %s}", s);
        same(&all, read_orientation(text), 2e-15);
        fender_mat3 reversed = fender_mat3_transpose(&all);
        snprintf(text, sizeof text, "{euler: [10, -35.5, 127, deg], sequence: %s, maps: parent_to_child}", s);
        same(&reversed, read_orientation(text), 2e-15);
    }
}

/* Moving axes: after a yaw of 90 degrees, pitch turns about the new y, which is -x of the parent. */
static void moving_axes(void **state)
{
    (void)state;
    fender_quaternion q = read_orientation("{euler: [90, 90, 0, deg], sequence: zyx}");
    fender_vec3 nose = fender_quaternion_rotate(q, fender_vec3_make(1, 0, 0));
    assert_true(fabs(nose.x) < 2e-15 && fabs(nose.y) < 2e-15 && fabs(nose.z + 1) < 2e-15);
}

static void axis_and_angle(void **state)
{
    (void)state;
    fender_mat3 z = about('z', 90), x = about('x', -30);
    same(&z, read_orientation("{axis: [0, 0, 1], angle: 90 deg}"), 2e-15);
    same(&z, read_orientation("{axis: [0, 0, 7], angle: 1.5707963267948966}"), 2e-15);
    same(&x, read_orientation("{axis: [-2, 0, 0], angle: 30 deg}"), 2e-15);
    fender_quaternion half = read_orientation("{axis: [0, 1, 0], angle: 180 deg}");
    assert_true(half.w == 0 && half.x == 0 && half.y == 1 && half.z == 0); /* exact */
    fender_quaternion turn = read_orientation("{axis: [1, 2, 3], angle: 0}");
    assert_true(turn.w == 1 && turn.x == 0 && turn.y == 0 && turn.z == 0);
}

static void quaternions(void **state)
{
    (void)state;
    fender_mat3 y = about('y', 60);
    same(&y, read_orientation("{quaternion: [0.86602540378443865, 0, 0.5, 0]}"), 2e-15);
    same(&y, read_orientation("{quaternion: [1.7320508075688772, 0, 1, 0]}"), 2e-15);
    same(&y, read_orientation("{quaternion: [1.7320508075688772e200, 0, 1e200, 0]}"), 2e-15);
    same(&y, read_orientation("{quaternion: [1.7320508075688772e-300, 0, 1e-300, 0]}"), 2e-15);
}

/* All four branches of the conversion: the largest component is w, x, y, z in turn. */
static void matrices(void **state)
{
    (void)state;
    static const char axes[] = "xyz";
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int angle = -175; angle <= 180; angle += 35) {
                fender_mat3 a = about(axes[i], angle), b = about(axes[j], 20), m = fender_mat3_product(&a, &b);
                char text[512];
                snprintf(text, sizeof text,
                         "{matrix: [[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g]]}", m.m[0][0],
                         m.m[0][1], m.m[0][2], m.m[1][0], m.m[1][1], m.m[1][2], m.m[2][0], m.m[2][1], m.m[2][2]);
                same(&m, read_orientation(text), 1e-15);
            }
    fender_mat3 z = about('z', 45); /* seven digits are accepted */
    same(&z, read_orientation("{matrix: [[0.7071068, -0.7071068, 0], [0.7071068, 0.7071068, 0], [0, 0, 1]]}"), 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(euler_sequences), cmocka_unit_test(moving_axes),
                                       cmocka_unit_test(axis_and_angle), cmocka_unit_test(quaternions),
                                       cmocka_unit_test(matrices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
