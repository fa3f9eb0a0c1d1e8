/* The rattleback of Kane and Levinson (1982): spun the wrong way it begins to rattle, stops and turns back. */
#include "../friction/ground.h"
#include "no_slip.h"
#include "verified.h"

/* Kane and Levinson, "Realistic mathematical modeling of the rattleback", Int. J. Non-Linear Mech. 17 (1982): the shell
 * is that of an ellipsoid of 20, 3, 2 cm, the centre of mass 1 cm below its middle; moments of inertia per mass 2, 16,
 * 17 cm^2, product -0.2 cm^2. */
static const double MASS = 1, GRAVITY = 9.81;

static no_slip rattleback(double spin, double lean)
{
    no_slip b = {.mass = MASS, .gravity = GRAVITY};
    b.inertia = fender_mat3_diagonal(2e-4, 16e-4, 17e-4);
    b.inertia.m[0][1] = b.inertia.m[1][0] = -0.2e-4;
    b.semi_axes = fender_vec3_make(0.2, 0.03, 0.02);
    b.center = fender_vec3_make(0, 0, 0.01);
    b.up = fender_vec3_make(-sin(lean), 0, cos(lean)); /* leans about y */
    b.angular = fender_vec3_scale(spin, b.up);
    return b;
}

static ground_set_up on_springs(const no_slip *b, double lean, double k)
{
    ground_set_up s = ground_default();
    fender_env env = fender_env_default();
    fender_vec3 rate, lever = no_slip_lever(b, b->up, fender_vec3_make(0, 0, 0), &rate);
    s.mass = b->mass;
    s.solid = fender_geometry_ellipsoid(&env, b->semi_axes, NULL);
    s.solid_properties.center_of_mass = fender_vec3_negate(b->center);
    s.solid_properties.inertia = b->inertia;
    s.attitude = (fender_quaternion){cos(0.5 * lean), 0, sin(0.5 * lean), 0};
    /* the origin is the middle of the ellipsoid */
    s.place.z = fender_vec3_dot(fender_vec3_sub(b->center, lever), b->up) - b->mass * b->gravity / k;
    s.spin = b->angular;
    fender_vec3 arm = fender_vec3_sub(b->center, lever); /* from the touching point, which rests */
    s.velocity = fender_quaternion_rotate(s.attitude, fender_vec3_cross(b->angular, arm));
    s.normal = (law_choice){"spring_damper", {{"stiffness", k}, {"damping", 300 * sqrt(k / 1e7)}}};
    s.friction = (law_choice){
        "coulomb_static_kinetic",
        {{"mu_static", 5}, {"mu_kinetic", 5}, {"stiffness", k}, {"damping", 300 * sqrt(k / 1e7)}}};
    s.method = FENDER_INTEGRATOR_DOPRI5;
    s.tolerance = 1e-8;
    return s;
}

/* Half a degree of lean. On springs the body comes near the rigid motion as they become stiffer: they hold a part of
 * the energy that swings, and their dampers take some, so that the reversal comes later, 0.04 s on 1e7 N/m and 0.001 s
 * on 1e8. Spun the other way nothing grows, and what the springs change is a hundredth of that; the slow rocking makes
 * it grow after some four seconds. */
static void reverses(void **state)
{
    (void)state;
    const double lean = 0.5 * 0.017453292519943295;
    for (int way = 1; way >= -1; way -= 2)
        for (double k = 1e7; k < 2e8; k *= 10) {
            no_slip b = rattleback(5.0 * way, lean);
            ground_set_up s = on_springs(&b, lean, k);
            ground g = ground_build(&s);
            double found = NAN, expected = NAN, before = 0, exact_before = 0, spin = 0, exact = 0;
            for (int i = 1; i <= (way > 0 ? 400 : 625); i++) {
                ground_run(&g, 0.01 * i);
                for (int n = 0; n < 50; n++) no_slip_step(&b, 2e-4);
                fender_body_data at = ground_ball(&g);
                spin = fender_quaternion_rotate(at.attitude, at.angular_velocity).z;
                exact = no_slip_spin(&b);
                if (isnan(found) && spin * before < 0) found = 0.01 * (i - spin / (spin - before));
                if (isnan(expected) && exact * exact_before < 0) expected = 0.01 * (i - exact / (exact - exact_before));
                before = spin, exact_before = exact;
            }
            char name[64];
            snprintf(name, sizeof name, "rattleback of Kane and Levinson, %g N/m", k);
            if (way > 0) {
                check_verified(name, "spin after 4 s, the stable way", "rad/s", "rigid, no slip", spin, exact, 4e3 / k);
                assert_true(isnan(found) && isnan(expected));
            } else {
                check_verified(name, "its spin turns back", "s", "rigid, no slip", found, expected, 5e5 / k);
                check_verified(name, "spin after 6.25 s, back", "rad/s", "rigid, no slip", spin, exact, 5e5 / k);
            }
            fender_world_destroy(g.world);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reverses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
