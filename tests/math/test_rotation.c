/* Rotations: exponential map, least rotation, twist, quaternion of a matrix, tangents; and the public small math. */
/* items: C012 B018 */
#include "check.h"
#include "math/rotation.h"
#include "random_numbers.h"

static const fender_vec3 origin = {0, 0, 0};

/* Rodrigues in long double */
static fender_vec3 turned(fender_vec3 v, fender_vec3 u)
{
    long double angle = sqrtl((long double)v.x * v.x + (long double)v.y * v.y + (long double)v.z * v.z);
    if (angle == 0) return u;
    long double s = sinl(angle) / angle, c = (1 - cosl(angle)) / (angle * angle);
    fender_vec3 vu = fender_vec3_cross(v, u), vvu = fender_vec3_cross(v, vu);
    return fender_vec3_add(u, fender_vec3_add(fender_vec3_scale((double)s, vu), fender_vec3_scale((double)c, vvu)));
}

static void exponential(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 200000; n++) {
        random_stream r = random_of_case(61, n);
        fender_vec3 v = fender_vec3_scale(random_magnitude(&r, 1e-12, 10), random_direction(&r));
        fender_quaternion q = fnd_rotation_exp(v);
        check_near(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-15);
        fender_vec3 u = random_direction(&r);
        check_vector(fender_quaternion_rotate(q, u), turned(v, u), 4e-15);
        /* small angles keep relative precision */
        if (fender_vec3_length(v) < 1e-3) check_near(2 * q.x / v.x, 1, 1e-6);
    }
    fender_quaternion q = fnd_rotation_exp(origin);
    assert_true(q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0);
}

static void least_rotation(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 100000; n++) {
        random_stream r = random_of_case(62, n);
        fender_vec3 from = random_direction(&r), to = random_direction(&r), u = random_in_ball(&r, 3);
        if (n % 10 == 0) { /* nearly the same, and nearly opposite */
            to = fender_vec3_add_scaled(from, random_magnitude(&r, 1e-9, 1e-2), to);
            to = fender_vec3_scale((n % 20 ? -1 : 1) / fender_vec3_length(to), to);
        }
        double c = fender_vec3_dot(from, to), loss = c < 0 ? 1 / (1 + c + 1e-9) : 1;
        double tolerance = 1e-14 * (loss < 1e8 ? loss : 1) + (c < -0.999999 ? 1e-3 : 0);
        check_vector(fnd_least_rotation(from, to, from), to, tolerance);
        check_near(fender_vec3_length(fnd_least_rotation(from, to, u)), fender_vec3_length(u), 3 * tolerance);
        /* what stands across both stays */
        fender_vec3 axis = fender_vec3_cross(from, to);
        if (c > -0.999) check_vector(fnd_least_rotation(from, to, axis), axis, tolerance);
    }
    fender_vec3 x = {1, 0, 0}, back = {-1, 0, 0};
    check_vector(fnd_least_rotation(x, x, fender_vec3_make(3, 4, 5)), fender_vec3_make(3, 4, 5), 0);
    check_vector(fnd_least_rotation(x, back, x), back, 0);
}

/* A turn by `angle` about n after a turn about an axis across n has the twist `angle`. */
static void twist(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 100000; i++) {
        random_stream r = random_of_case(63, i);
        fender_vec3 n = random_direction(&r), across = fender_vec3_cross(n, random_direction(&r));
        across = fender_vec3_scale(random_between(&r, 0, 3) / fender_vec3_length(across), across);
        double angle = random_between(&r, -3.1, 3.1), c, s;
        fender_quaternion q = fender_quaternion_product(fnd_rotation_exp(fender_vec3_scale(angle, n)),
                                                        fnd_rotation_exp(across));
        if (i % 2) q = (fender_quaternion){-q.w, -q.x, -q.y, -q.z}; /* the same rotation */
        fnd_half_twist(q, n, &c, &s);
        double length = sqrt(c * c + s * s); /* any */
        check_near(c / length, cos(angle / 2), 1e-13);
        check_near(s / length, sin(angle / 2), 1e-13);
    }
    double c, s;
    fnd_half_twist((fender_quaternion){0, 1, 0, 0}, fender_vec3_make(0, 0, 1), &c, &s);
    assert_true(c == 1 && s == 0); /* half a turn across n: none */
}

static void matrix_and_quaternion(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 100000; n++) {
        random_stream r = random_of_case(64, n);
        fender_quaternion q = random_rotation(&r);
        if (n % 5 == 1) q = (fender_quaternion){random_between(&r, -1e-9, 1e-9), q.x, q.y, q.z}; /* half turns */
        if (n % 5 == 2) q.x = q.y = 0;
        if (n % 5 == 3) q.w = q.z = 0;
        q = fender_quaternion_normalized(q);
        fender_mat3 R = fender_quaternion_matrix(q);
        fender_quaternion p = fnd_quaternion_from_matrix(&R);
        double same = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z;
        check_near(fabs(same), 1, 1e-15);
        fender_mat3 Rt = fender_mat3_transpose(&R), one = fender_mat3_product(&R, &Rt);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) check_near(one.m[i][k], i == k, 2e-15);
        fender_vec3 v = random_in_ball(&r, 2);
        check_vector(fender_mat3_transpose_times(&R, v), fender_mat3_times(&Rt, v), 0);
        check_vector(fender_quaternion_rotate(fender_quaternion_conjugate(q), fender_mat3_times(&R, v)), v, 4e-15);
    }
}

static void tangent(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 10000; n++) {
        random_stream r = random_of_case(65, n);
        fender_vec3 u = random_direction(&r), t = fnd_any_tangent(u);
        check_near(fender_vec3_length(t), 1, 1e-15);
        check_near(fender_vec3_dot(t, u), 0, 1e-15);
    }
    const fender_vec3 axes[] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) check_near(fender_vec3_dot(fnd_any_tangent(axes[i]), axes[i]), 0, 0);
}

static void poses(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 1000; n++) {
        random_stream r = random_of_case(66, n);
        fender_pose AB = {random_in_ball(&r, 3), random_rotation(&r)},
                    BC = {random_in_ball(&r, 3), random_rotation(&r)};
        fender_vec3 p_C = random_in_ball(&r, 2);
        fender_vec3 p_B = fender_vec3_add(BC.p, fender_quaternion_rotate(BC.q, p_C));
        fender_vec3 p_A = fender_vec3_add(AB.p, fender_quaternion_rotate(AB.q, p_B));
        fender_pose AC = fender_pose_product(AB, BC), none = fender_pose_product(AC, fender_pose_inverse(AC));
        check_vector(fender_vec3_add(AC.p, fender_quaternion_rotate(AC.q, p_C)), p_A, 4e-14);
        check_vector(none.p, origin, 4e-14);
        check_near(fabs(none.q.w), 1, 1e-15);
    }
    fender_quaternion zero = {0, 0, 0, 0}, nan = {NAN, 0, 0, 0};
    assert_true(fender_quaternion_normalized(zero).w == 1);
    assert_true(fender_quaternion_normalized(nan).w == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponential),           cmocka_unit_test(least_rotation), cmocka_unit_test(twist),
        cmocka_unit_test(matrix_and_quaternion), cmocka_unit_test(tangent),        cmocka_unit_test(poses),
    };
    return cmocka_run_group_tests_name("rotations", tests, NULL, NULL);
}
