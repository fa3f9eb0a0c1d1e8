/* Orbits by elements: vis viva, the elements back from the state, Kepler's equation; the frame LVLH. */
#include "check.h"

static const double MU = 3.986004418e14;

static void states_have_the_elements(void **state)
{
    (void)state;
    static const fender_orbit orbits[] = {{7e6, 0, 0.9, 0.5, 0, 1},        {7e6, 0.1, 0.9, 0.5, 0.7, 0},
                                          {2.6e7, 0.74, 1.1, 4, 4.7, 2.5}, {4.2e7, 0.3, 0, 0, 1, 3.1},
                                          {-2e7, 1.6, 2.5, 1, 0.3, -1.2},  {9e6, 0.2, 1.5707963267948966, 3, 6, 5}};
    for (size_t i = 0; i < sizeof orbits / sizeof orbits[0]; i++) {
        const fender_orbit *o = &orbits[i];
        fender_vec3 r, v;
        fender_error error = {0};
        assert_int_equal(fender_orbit_state(MU, o, &r, &v, &error), FENDER_STATUS_OK);
        double distance = fender_vec3_length(r), e = o->eccentricity, a = o->semi_major_axis;
        check_near(distance * (1 + e * cos(o->true_anomaly)) / (a * (1 - e * e)), 1, 1e-14);
        check_near(fender_vec3_dot(v, v) / (MU * (2 / distance - 1 / a)), 1, 1e-14); /* vis viva */
        fender_vec3 h = fender_vec3_cross(r, v);
        double size = fender_vec3_length(h);
        check_near(size / sqrt(MU * a * (1 - e * e)), 1, 1e-14);
        check_near(h.z / size, cos(o->inclination), 1e-14);
        check_near(h.x / size, sin(o->inclination) * sin(o->ascending_node), 1e-14);
        check_near(h.y / size, -sin(o->inclination) * cos(o->ascending_node), 1e-14);
        /* the vector of eccentricity points at periapsis */
        fender_vec3 ecc = fender_vec3_sub(fender_vec3_scale(1 / MU, fender_vec3_cross(v, h)),
                                          fender_vec3_scale(1 / distance, r));
        fender_vec3 node = {cos(o->ascending_node), sin(o->ascending_node), 0};
        check_near(fender_vec3_dot(ecc, node), e * cos(o->argument_of_periapsis), 1e-14);
        fender_vec3 across = fender_vec3_scale(1 / size, fender_vec3_cross(h, node));
        check_near(fender_vec3_dot(ecc, across), e * sin(o->argument_of_periapsis), 1e-14);
        fender_quaternion q;
        fender_vec3 w;
        assert_true(fender_lvlh(r, v, &q, &w));
        fender_vec3 down = fender_quaternion_rotate(q, (fender_vec3){0, 0, 1});
        fender_vec3 side = fender_quaternion_rotate(q, (fender_vec3){0, 1, 0});
        fender_vec3 forward = fender_quaternion_rotate(q, (fender_vec3){1, 0, 0});
        check_near(fender_vec3_dot(down, r) / distance, -1, 1e-14);
        check_near(fender_vec3_dot(side, h) / size, -1, 1e-14);
        assert_true(fender_vec3_dot(forward, v) > 0);
        /* the rate: what turns the line to the body */
        fender_vec3 moved = fender_vec3_sub(v, fender_vec3_scale(fender_vec3_dot(v, r) / (distance * distance), r));
        check_near(fender_vec3_length(fender_vec3_sub(moved, fender_vec3_cross(w, r))) / fender_vec3_length(v), 0,
                   1e-14);
    }
}

static void anomalies_solve_keplers_equation(void **state)
{
    (void)state;
    for (double e = 0; e < 1; e += 0.0999)
        for (double m = -20; m < 20; m += 0.37) {
            double t = fender_true_anomaly(m, e), cosine = cos(t), sine = sin(t);
            double E = atan2(sqrt(1 - e * e) * sine, e + cosine), turns = floor(m / (2 * acos(-1)) + 0.5);
            check_near(E - e * sin(E) + 2 * acos(-1) * turns, m, 1e-12);
            check_near(t, m, 3.2); /* of the same turn */
        }
    check_near(fender_true_anomaly(1e-9, 0.99), 1e-9 / 0.01 * sqrt(1.99 / 0.01), 1e-14);
    assert_true(isnan(fender_true_anomaly(1, 1)) && isnan(fender_true_anomaly(NAN, 0)));
}

static void impossible_orbits_are_refused(void **state)
{
    (void)state;
    static const struct {
        fender_orbit orbit;
        const char *path;
    } cases[] = {{{7e6, 1, 0, 0, 0, 0}, "eccentricity"},
                 {{7e6, -0.1, 0, 0, 0, 0}, "eccentricity"},
                 {{7e6, 1.5, 0, 0, 0, 0}, "semi_major_axis"},
                 {{0, 0.5, 0, 0, 0, 0}, "semi_major_axis"},
                 {{-7e6, 1.5, 0, 0, 0, 3}, "true_anomaly"},
                 {{7e6, 0.1, 360, 0, 0, 0}, "inclination"},
                 {{7e6, 0.1, 0, 0, NAN, 0}, "argument_of_periapsis"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_vec3 r, v;
        fender_error error = {0};
        assert_int_equal(fender_orbit_state(MU, &cases[i].orbit, &r, &v, &error), FENDER_STATUS_VALUE);
        assert_string_equal(error.path, cases[i].path);
    }
    fender_quaternion q;
    fender_vec3 w;
    assert_false(fender_lvlh((fender_vec3){7e6, 0, 0}, (fender_vec3){10, 0, 0}, &q, &w));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_have_the_elements),
        cmocka_unit_test(anomalies_solve_keplers_equation),
        cmocka_unit_test(impossible_orbits_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
