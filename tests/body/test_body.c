/* Definitions of bodies: what is refused and how it is named; states between structure frame and centre of mass. */
/* items: B013 B023 B026 B030 */
#include "body/body.h"
#include "check.h"
#include "random_numbers.h"
#include <string.h>

static fender_body_def good(void)
{
    fender_body_def def = fender_body_def_default();
    def.name = "body";
    def.mass_properties.mass = 5;
    def.mass_properties.inertia = fender_mat3_diagonal(2, 3, 4);
    return def;
}

static void refuse(const fender_body_def *def, const char *path, const char *in_found)
{
    fender_error error = {0};
    assert_int_equal(fnd_body_check(def, &error), FENDER_STATUS_VALUE);
    assert_string_equal(error.path, path);
    assert_true(strlen(error.message) > 0);
    if (!strstr(error.found, in_found)) fail_msg("'%s' is not in '%s'", in_found, error.found);
}

static void inertia(void **state)
{
    (void)state;
    fender_body_def def = good();
    check_ok(fnd_body_check(&def, &error));
    const char *path = "mass_properties.inertia";
    def.mass_properties.inertia = fender_mat3_diagonal(1, 2, 3); /* a flat plate: just allowed */
    check_ok(fnd_body_check(&def, &error));
    def.mass_properties.inertia = fender_mat3_diagonal(1, 2, 3.001);
    refuse(&def, path, "3.001");
    def.mass_properties.inertia = fender_mat3_diagonal(1, -2, 3);
    refuse(&def, path, "-2");
    def.mass_properties.inertia = fender_mat3_diagonal(0, 2, 2);
    refuse(&def, path, "0");
    def = good();
    def.mass_properties.inertia.m[0][1] = 0.5;
    refuse(&def, path, "I_xy = 0.5");
    def.mass_properties.inertia.m[1][0] = 0.5;
    check_ok(fnd_body_check(&def, &error));
    def.mass_properties.inertia.m[0][1] = def.mass_properties.inertia.m[1][0] = 2.6; /* indefinite */
    refuse(&def, path, "principal moments");
    def = good();
    def.mass_properties.inertia.m[2][1] = NAN;
    refuse(&def, path, "");
    /* any solid's tensor in any axes is accepted, and one whose triangle is broken in any axes is not */
    for (uint64_t n = 0; n < 5000; n++) {
        random_stream r = random_of_case(91, n);
        def.mass_properties.inertia = random_inertia(&r, 1, 1);
        check_ok(fnd_body_check(&def, &error));
        fender_mat3 D = fender_mat3_diagonal(1, 1, 2.0001), R = fender_quaternion_matrix(random_rotation(&r));
        fender_mat3 Rt = fender_mat3_transpose(&R), half = fender_mat3_product(&R, &D);
        def.mass_properties.inertia = fender_mat3_product(&half, &Rt);
        refuse(&def, path, "principal moments");
        def.lenient_inertia = true;
        check_ok(fnd_body_check(&def, &error));
        def.lenient_inertia = false;
    }
    def.lenient_inertia = true; /* about the triangle only */
    def.mass_properties.inertia = fender_mat3_diagonal(1, -2, 3);
    refuse(&def, path, "-2");
}

static void other_values(void **state)
{
    (void)state;
    const double masses[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        fender_body_def def = good();
        def.mass_properties.mass = masses[i];
        refuse(&def, "mass_properties.mass", "");
    }
    fender_body_def def = good();
    def.mass_properties.center_of_mass.y = NAN;
    refuse(&def, "mass_properties.center_of_mass", "");
    def = good(), def.state.position.x = INFINITY;
    refuse(&def, "state.position", "");
    def = good(), def.state.velocity.z = NAN;
    refuse(&def, "state.velocity", "");
    def = good(), def.state.angular_velocity.z = NAN;
    refuse(&def, "state.angular_velocity", "");
    def = good(), def.state.attitude = (fender_quaternion){0, 0, 0, 0};
    refuse(&def, "state.orientation", "");
    def = good(), def.body_axes.w = NAN;
    refuse(&def, "mass_properties.body_axes", "");
    def = good(), def.motion = FENDER_MOTION_FIXED, def.state.velocity.x = 1;
    refuse(&def, "state.velocity", "");
    def = good(), def.motion = FENDER_MOTION_FIXED, def.mass_properties.mass = -1; /* not read */
    check_ok(fnd_body_check(&def, &error));
    const double times[] = {0, 1, 1};
    const fender_vec3 positions[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    def = good(), def.motion = FENDER_MOTION_PRESCRIBED,
    def.path = (fender_path){times, positions, 3, FENDER_PATH_LINEAR, NULL};
    refuse(&def, "path", "");
    def.path.count = 2;
    check_ok(fnd_body_check(&def, &error));
    def.motion = FENDER_MOTION_DYNAMIC;
    assert_int_equal(fnd_body_check(&def, NULL), FENDER_STATUS_ARGUMENT);
}

/* Structure state -> centre of mass and momentum -> structure state. */
static void state_there_and_back(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    for (uint64_t n = 0; n < 5000; n++) {
        random_stream r = random_of_case(92, n);
        fender_body_def def = good();
        def.mass_properties.center_of_mass = random_in_ball(&r, 2);
        def.mass_properties.inertia = random_inertia(&r, 5, 1);
        def.body_axes = random_rotation(&r);
        def.state = (fender_body_state){random_in_ball(&r, 10), random_rotation(&r), random_in_ball(&r, 10),
                                        random_in_ball(&r, 10)};
        fnd_body body;
        memset(&body, 0, sizeof body);
        check_ok(fnd_body_init(&env, &body, &def, &error));
        fnd_frame frame = fnd_frame_of_state(&body, &body.state);
        fender_body_state back = fnd_structure_from_frame(&body, &frame);
        check_vector(back.position, def.state.position, 1e-14);
        check_vector(back.velocity, def.state.velocity, 2e-13);
        check_vector(back.angular_velocity, def.state.angular_velocity, 2e-13);
        fender_vec3 lever = fender_quaternion_rotate(def.state.attitude, def.mass_properties.center_of_mass);
        check_vector(body.state.p, fender_vec3_add(def.state.position, lever), 1e-14);
        fender_vec3 w = fender_quaternion_rotate(def.state.attitude, def.state.angular_velocity);
        check_vector(body.state.v, fender_vec3_add(def.state.velocity, fender_vec3_cross(w, lever)), 1e-13);
        /* L in world axes: R I R^T w with R from body to world axes */
        fender_quaternion q = fender_quaternion_product(def.state.attitude, def.body_axes);
        fender_vec3 w_B = fender_quaternion_rotate(fender_quaternion_conjugate(q), w);
        check_vector(body.state.L, fender_quaternion_rotate(q, fender_mat3_times(&def.mass_properties.inertia, w_B)),
                     1e-12);
        fnd_body_release(&env, &body);
    }
}

/* A prescribed body: along its path, turning evenly. */
static void prescribed(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    const double times[] = {1, 2, 4};
    const fender_vec3 positions[] = {{1, 0, 0}, {3, 0, 0}, {3, 4, 0}};
    fender_body_def def = good();
    def.motion = FENDER_MOTION_PRESCRIBED;
    def.path = (fender_path){times, positions, 3, FENDER_PATH_LINEAR, NULL};
    def.state.angular_velocity.z = 2;
    fnd_body body;
    memset(&body, 0, sizeof body);
    check_ok(fnd_body_init(&env, &body, &def, &error));
    fnd_state s = fnd_state_prescribed(&body, 0.5, NAN, 0);
    check_vector(s.p, positions[0], 0);
    check_vector(s.v, fender_vec3_make(0, 0, 0), 0);
    s = fnd_state_prescribed(&body, 1.25, NAN, 0);
    check_vector(s.p, fender_vec3_make(1.5, 0, 0), 1e-15);
    check_vector(s.v, fender_vec3_make(2, 0, 0), 1e-15);
    check_vector(s.L, fender_vec3_make(0, 0, 2), 1e-15); /* its angular velocity */
    check_vector(fender_quaternion_rotate(s.q, fender_vec3_make(1, 0, 0)), fender_vec3_make(cos(2.5), sin(2.5), 0),
                 1e-15);
    s = fnd_state_prescribed(&body, 3, NAN, 0);
    check_vector(s.p, fender_vec3_make(3, 2, 0), 1e-15);
    check_vector(s.v, fender_vec3_make(0, 2, 0), 1e-15);
    s = fnd_state_prescribed(&body, 9, NAN, 0);
    check_vector(s.p, positions[2], 0);
    check_vector(s.v, fender_vec3_make(0, 0, 0), 0);
    fnd_body_release(&env, &body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inertia),
        cmocka_unit_test(other_values),
        cmocka_unit_test(state_there_and_back),
        cmocka_unit_test(prescribed),
    };
    return cmocka_run_group_tests_name("bodies", tests, NULL, NULL);
}
