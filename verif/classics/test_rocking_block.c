/* A rigid block that rocks from edge to edge (Housner 1963), with `points: corners`. */
#include "../friction/ground.h"
#include "verified.h"

/* Half sizes: width, height; the block of the figures. */
static const double HALF_WIDTH = 0.1, HALF_HEIGHT = 0.5, MASS = 40, GRAVITY = 9.81;

/* Turned by `lean` about its lower edge on the side of +x. */
static ground_set_up rocking_block(double lean, double stiffness)
{
    ground_set_up s = ground_default();
    fender_env env = fender_env_default();
    const double b = HALF_WIDTH, h = HALF_HEIGHT, sag = 2 * MASS * GRAVITY / stiffness;
    s.mass = MASS;
    s.solid = fender_geometry_box(&env, fender_vec3_make(b, b, h), NULL);
    s.solid_properties.inertia = fender_mat3_diagonal(MASS * (b * b + h * h) / 3, MASS * (b * b + h * h) / 3,
                                                      MASS * 2 * b * b / 3);
    s.attitude = (fender_quaternion){cos(0.5 * lean), 0, sin(0.5 * lean), 0};
    s.place = fender_vec3_make(h * sin(lean) - b * cos(lean), 0, h * cos(lean) + b * sin(lean) - sag);
    s.points = FENDER_CONTACT_POINTS_CORNERS;
    s.normal = (law_choice){"hunt_crossley", {{"stiffness", stiffness}, {"exponent", 1}, {"dissipation", 300}}};
    s.friction = (law_choice){"coulomb_static_kinetic",
                              {{"mu_static", 2},
                               {"mu_kinetic", 2},
                               {"stiffness", 0.1 * stiffness},
                               {"damping", 2e5 * sqrt(stiffness / 1e9)}}};
    s.method = FENDER_INTEGRATOR_DOPRI5;
    s.tolerance = 1e-8;
    return s;
}

/* Above the block that stands, J. */
static double energy(const ground *g)
{
    fender_body_data block = ground_ball(g);
    return block.kinetic_energy + MASS * GRAVITY * (block.position.z - HALF_HEIGHT);
}

static double simpson(double (*f)(double, double), double lean, int count)
{
    double sum = 0;
    for (int i = 0; i <= count; i++) sum += (i == 0 || i == count ? 1 : i % 2 ? 4 : 2) * f((double)i / count, lean);
    return sum / (3.0 * count);
}

/* The rigid block about its edge: I w^2 / 2 = m g R (cos(a - lean) - cos(a - t)), I = 4/3 m R^2, t the angle. With
 * t = lean (1 - u^2) the integrand of the time is smooth. */
static double pace(double u, double lean)
{
    const double a = atan2(HALF_WIDTH, HALF_HEIGHT), R = sqrt(HALF_WIDTH * HALF_WIDTH + HALF_HEIGHT * HALF_HEIGHT);
    const double t = lean * (1 - u * u), half = 0.5 * lean * u * u;
    /* cos(a - lean) - cos(a - t) = 2 sin(a - (t + lean)/2) sin((lean - t)/2), divided by u^2 */
    const double fall = 2 * sin(a - 0.5 * (t + lean)) * (u > 0 ? sin(half) / (u * u) : 0.5 * lean);
    return 2 * lean / sqrt(1.5 * GRAVITY / R * fall);
}

/* Housner, "The behavior of inverted pendulum structures during earthquakes", Bull. Seism. Soc. Am. 53 (1963). An
 * impact hands the rotation from edge to edge by the moment of momentum about the new one: the kinetic energy keeps (1
 * - m R^2 (1 - cos 2a) / I)^2 = (1 - 3/2 sin^2 a)^2, tan a = width / height.
 *
 * The block is rigid, its ground is not: it stands on springs that a corner's part of the weight presses in by up to
 * 2 m g / k, so that it leans more and meets the ground earlier, and holds that much energy: errors fall with 1 / k.
 * 5e-5 of the energy beside that: an impact is not at once over, and the ground's grip gives way, too. */
static void housner(void **state)
{
    (void)state;
    const double lean = 0.5 * atan2(HALF_WIDTH, HALF_HEIGHT);
    const double sine2 = HALF_WIDTH * HALF_WIDTH / (HALF_WIDTH * HALF_WIDTH + HALF_HEIGHT * HALF_HEIGHT);
    const double quarter = simpson(pace, lean, 1000), kept = (1 - 1.5 * sine2) * (1 - 1.5 * sine2);
    for (double k = 1e8; k < 2e10; k *= 10) {
        ground_set_up s = rocking_block(lean, k);
        ground g = ground_build(&s);
        char name[64];
        snprintf(name, sizeof name, "Housner's rocking block, %g N/m", k);
        double touch = ground_event(&g, FENDER_EVENT_BEGIN, 1), before = energy(&g);
        check_verified(name, "quarter period", "s", "rigid block, in quadrature", touch, quarter, 2e4 / k);
        for (int i = 0; i < 2; i++) {
            char what[32];
            snprintf(what, sizeof what, "energy lost, impact %d", i + 1);
            ground_run(&g, touch + 0.05); /* of half a second to the next */
            double after = energy(&g);
            check_verified(name, what, "1", "Housner 1963", 1 - after / before, 1 - kept, 1e5 / k + 5e-5);
            before = after;
            touch = ground_event(&g, FENDER_EVENT_BEGIN, 10);
        }
        fender_world_destroy(g.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(housner)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
