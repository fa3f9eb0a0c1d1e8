/* The tippe top: an eccentric ball on a rough floor turns upside down. */
#include "../friction/ground.h"
#include "verified.h"

/* A top that can invert: 1 - e^2 < I1 / I3 < 1, its eccentricity e R, I1 across and I3 about the axis
 * (Rauch-Wojciechowski and Rutstam, SIGMA 10, 2014). */
static const double MASS = 0.02, RADIUS = 0.02, ECCENTRIC = 0.3, GRAVITY = 9.81;

static ground_set_up top(double lean, double spin)
{
    ground_set_up s = ground_default();
    fender_env env = fender_env_default();
    const double mr2 = MASS * RADIUS * RADIUS, I1 = 131.0 / 350 * mr2, I3 = 0.4 * mr2, k = 1e5;
    s.mass = MASS;
    s.solid = fender_geometry_sphere(&env, RADIUS, NULL);
    s.solid_properties.center_of_mass = fender_vec3_make(0, 0, -ECCENTRIC * RADIUS);
    s.solid_properties.inertia = fender_mat3_diagonal(I1, I1, I3);
    s.attitude = (fender_quaternion){cos(0.5 * lean), 0, sin(0.5 * lean), 0};
    s.place = fender_vec3_make(0, 0, RADIUS - MASS * GRAVITY / k);
    s.spin = fender_vec3_make(0, 0, spin);
    s.normal = (law_choice){"spring_damper", {{"stiffness", k}, {"damping", 2}}};
    s.friction = (law_choice){"coulomb", {{"mu", 0.3}, {"slip_speed", 1}}};
    s.method = FENDER_INTEGRATOR_DOPRI5;
    s.tolerance = 1e-9;
    return s;
}

static fender_vec3 axis_of(const fender_body_data *top)
{
    return fender_quaternion_rotate(top->attitude, fender_vec3_make(0, 0, 1));
}

/* Moment of momentum times the lever from the touching point to the centre of mass: no force there can change it. */
static double jellett(const fender_body_data *top)
{
    fender_vec3 lever = fender_vec3_scale(-ECCENTRIC * RADIUS, axis_of(top));
    lever.z += RADIUS;
    return fender_vec3_dot(top->angular_momentum, lever);
}

/* Jellett's constant of the steady state in which the axis is inclined by c = cos and nothing slides: the top turns by
 * w = p (R up - e R axis) about the line from the centre of mass, which rests, to the touching point, and
 * p^2 R^2 ((I1 - I3) c + e I3) = m g e. */
static double of_steady_state(double c)
{
    const double mr2 = MASS * RADIUS * RADIUS, I1 = 131.0 / 350 * mr2, I3 = 0.4 * mr2, R = RADIUS, e = ECCENTRIC;
    const double p = sqrt(MASS * GRAVITY * e / (R * ((I1 - I3) * c + e * I3)));
    return p * R * R * (I1 * (1 - c * c) + I3 * (c - e) * (c - e));
}

/* Below the threshold of Jellett's constant that Rauch-Wojciechowski and Rutstam give, the top stays inclined as the
 * constant tells; above it stands on its head, and its spin is that of the constant: (1 - e) / (1 + e) of the first one
 * for a top that began upright. Friction is all but linear in the slip, 0.3 N s/m per newton of load.
 *
 * The touching point is in the middle of the depth, 2e-6 m: the lever of the constant is shorter by up to 5e-5. */
static void inverts(void **state)
{
    (void)state;
    const double mr2 = MASS * RADIUS * RADIUS, I3 = 0.4 * mr2, gamma = 131.0 / 350 / 0.4;
    const double threshold = sqrt(MASS * GRAVITY * RADIUS * RADIUS * RADIUS * I3 * ECCENTRIC) * (1 + ECCENTRIC) *
                             (1 + ECCENTRIC) / sqrt(1 + ECCENTRIC - gamma);
    check_near(of_steady_state(-1), threshold, 1e-12 * threshold);
    for (int fast = 0; fast < 2; fast++) {
        const double upright = threshold / (I3 * RADIUS * (1 - ECCENTRIC));
        ground_set_up s = top(0.1, fast ? 155 : 0.8 * upright);
        ground g = ground_build(&s);
        fender_body_data at = ground_ball(&g);
        const double start = jellett(&at);
        double worst = 0, low = -1, high = 0.5;
        for (int n = 1; n <= 150; n++) {
            ground_run(&g, 0.1 * n);
            at = ground_ball(&g);
            worst = larger(worst, fabs(jellett(&at) / start - 1));
        }
        const char *name = fast ? "tippe top, 155 rad/s" : "tippe top, 0.8 of the threshold";
        double spin = fender_quaternion_rotate(at.attitude, at.angular_velocity).z;
        check_verified(name, "largest change of Jellett's constant", "1", "Jellett 1872", worst, 0, 1e-4);
        for (int i = 0; i < 60; i++) {
            double middle = 0.5 * (low + high);
            *(of_steady_state(middle) > start ? &low : &high) = middle;
        }
        /* near the vertical the cosine is the square of what is left */
        check_verified(name, "upward part of the axis, 15 s", "1",
                       fast ? "Rauch-Wojciechowski and Rutstam 2014" : "steady state, closed form", axis_of(&at).z,
                       fast ? -1 : low, fast ? 1e-5 : 2e-4);
        if (fast)
            check_verified(name, "spin on its head", "rad/s", "Jellett's constant", spin,
                           start / (I3 * RADIUS * (1 + ECCENTRIC)), 1e-4 * spin);
        fender_world_destroy(g.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(inverts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
