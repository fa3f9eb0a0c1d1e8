/* Tests 4 and 5 of Chung and Ooi: a sphere without spin comes to a rigid plane obliquely. */
#include "oblique.h"

static const char reading[] = "Chung and Ooi 2011, curve as read";

static oblique_case onto_plane(const material *m, double radius, double mu, double restitution, oblique_motion ball)
{
    return (oblique_case){
        .material = *m, .radius = radius, .mu = mu, .restitution = restitution, .ball = ball, .rigid = true};
}

/* Test 4, as read off the paper: angle, tangential restitution of the centre, spin, angle at which the surface
 * rebounds. Of the alloy no reading of the last is open. */
typedef struct row_4 {
    double angle, restitution, spin, rebound; /* deg, 1, rad/s, deg */
} row_4;

static const row_4 oxide_4[] = {
    {5, 0.94811, -19.266, 3.7613},    {10, 0.68699, -212.997, -1.5559}, {15, 0.62438, -377.829, -5.5438},
    {20, 0.61614, -510.550, -7.5378}, {25, 0.63427, -599.388, -7.5378}, {30, 0.68369, -616.514, -3.5498},
    {35, 0.73723, -582.263, 3.4290},  {40, 0.78089, -544.801, 11.5710}, {50, 0.84514, -457.034, 29.3505},
    {60, 0.89292, -357.492, 47.7946}, {70, 0.93163, -246.177, 64.5770}, {80, 0.96623, -126.300, 78.7009},
    {85, 0.98270, -63.150, 84.5166}};
static const row_4 alloy_4[] = {
    {5, 0.89868, -35.321, NAN},   {10, 0.67133, -223.700, NAN}, {15, 0.61285, -389.602, NAN},
    {20, 0.60873, -519.113, NAN}, {25, 0.63344, -599.388, NAN}, {30, 0.68287, -617.584, NAN},
    {35, 0.73641, -582.263, NAN}, {40, 0.78007, -544.801, NAN}, {50, 0.84432, -458.104, NAN},
    {60, 0.89127, -358.563, NAN}, {70, 0.93245, -245.107, NAN}, {80, 0.96623, -125.229, NAN},
    {85, 0.98270, -64.220, NAN}};

/* Tolerances: those of the reproduction in Kratos, by the same measure over the same angles. */
static void test_4(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        material material;
        const row_4 *rows;
    } sets[] = {{"Chung and Ooi test 4 aluminium oxide", {"aluminium oxide", 380e9, 0.23, 4000}, oxide_4},
                {"Chung and Ooi test 4 aluminium alloy", {"aluminium alloy", 70e9, 0.33, 2700}, alloy_4}};
    const double radius = 0.0025, speed = 3.9;
    for (int m = 0; m < 2; m++) {
        oblique_gap restitution = {0, 0}, spin = {0, 0}, rebound = {0, 0};
        for (int i = 0; i < 13; i++) {
            const row_4 *row = &sets[m].rows[i];
            double angle = row->angle * pi / 180;
            oblique_case c = onto_plane(&sets[m].material, radius, 0.092, 0.98,
                                        (oblique_motion){speed * cos(angle), speed * sin(angle), 0});
            oblique_result r = oblique_run(&c);
            check_near(-r.ball.down / c.ball.down, 0.98, 1e-8);
            oblique_gap_add(&restitution, r.ball.along / c.ball.along, row->restitution);
            oblique_gap_add(&spin, -r.ball.spin, row->spin); /* the paper counts it the other way */
            if (!isnan(row->rebound))
                oblique_gap_add(&rebound, atan2(surface_speed(r.ball, radius), -r.ball.down) * 180 / pi, row->rebound);
        }
        check_gap(sets[m].name, "tangential restitution: mean gap, 5 to 85 deg", reading, restitution, 0.016);
        check_gap(sets[m].name, "spin: mean gap, 5 to 85 deg", reading, spin, 0.022);
        if (rebound.size > 0) check_gap(sets[m].name, "rebound angle: mean gap, 5 to 85 deg", reading, rebound, 0.025);
    }
}

static const material steel = {"steel", 208e9, 0.3, 7850}, polyethylene = {"polyethylene", 1e9, 0.4, 1400};
static const double radius_5 = 1e-5, down_5 = 5, mu_5 = 0.3;

/* At tan(angle) / mu: what the surface's speed over mu times the normal speed is afterwards, and so the spin's. */
static oblique_result run_5(const material *m, double ratio)
{
    oblique_case c = onto_plane(m, radius_5, mu_5, 1, (oblique_motion){down_5, down_5 * mu_5 * ratio, 0});
    return oblique_run(&c);
}

static double recoil_5(oblique_result r) { return surface_speed(r.ball, radius_5) / (mu_5 * -r.ball.down); }

/* The finite elements of test 5 as read off the paper. */
static const double elements_recoil[][2] = {{0.2719, -0.0267}, {0.5861, -0.0267}, {0.8761, -0.0800}, {1.1903, -0.2133},
                                            {1.5529, -0.3733}, {1.9154, -0.6267}, {2.3142, -0.9467}, {2.7855, -1.2533},
                                            {3.3172, -1.5200}, {3.9698, -1.7200}, {4.7553, -1.7067}, {5.7583, -1.2000},
                                            {7.1239, 0.1333},  {9.1178, 2.1467},  {12.3565, 5.4267}};
static const double elements_spin[][2] = {{5.6590, -4.9415}, {7.0289, -4.9407}, {9.0405, -4.9721}, {12.3353, -4.9703}};
enum { READINGS = sizeof elements_recoil / sizeof elements_recoil[0], SLIDING = 4 };

/* As in Kratos: against the finite elements, where all slides, to 2 %. */
static void test_5(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const material *material;
    } sets[] = {{"Chung and Ooi test 5 steel", &steel}, {"Chung and Ooi test 5 polyethylene", &polyethylene}};
    for (int m = 0; m < 2; m++) {
        oblique_gap recoil = {0, 0}, spin = {0, 0};
        for (int i = 0; i < SLIDING; i++) {
            const double *row = elements_recoil[READINGS - SLIDING + i];
            oblique_gap_add(&recoil, recoil_5(run_5(sets[m].material, row[0])), row[1]);
            row = elements_spin[i];
            double turned = run_5(sets[m].material, row[0]).ball.spin;
            oblique_gap_add(&spin, -turned * radius_5 / (mu_5 * down_5), row[1]);
        }
        check_gap(sets[m].name, "surface speed, sliding: mean gap", "finite elements, as read", recoil, 0.02);
        check_gap(sets[m].name, "spin, sliding: mean gap", "finite elements, as read", spin, 0.02);
    }
}

/* The paper's curve for steel, by its own spring, as read. */
static const double paper[][2] = {{0.0665, -0.0800}, {0.3323, -0.2800}, {0.6707, -0.4933}, {1.0091, -0.7467},
                                  {1.3353, -1.0000}, {1.6616, -1.2667}, {2, -1.5333},      {2.3505, -1.8133},
                                  {2.9909, -2.4400}, {3.3414, -2.6933}, {4.0060, -2.7867}, {4.9970, -2.0000}};
enum { PAPER = sizeof paper / sizeof paper[0] };

/* The paper's curve is that of increments of force that are not scaled down, with half the G* of a rigid plane: that of
 * a plane with the sphere's own shear modulus, 1/G* = 2 (2 - nu) / G, beside the E* of a rigid one. With the whole G*
 * the gap is 0.74, with the other histories and half of it 0.09 and 0.1. Tolerance: the readings, 0.03 of 1 or so: one
 * near the origin, 0.08, has 0.05 by proportion to its neighbour. */
static void spring_of_the_paper(void **state)
{
    (void)state;
    oblique_gap gap = {0, 0};
    for (int i = 0; i < PAPER; i++) {
        double along = down_5 * mu_5 * paper[i][0];
        oblique_case c = onto_plane(&steel, radius_5, mu_5, 1, (oblique_motion){down_5, along, 0});
        c.history = OBLIQUE_FORCE;
        c.shear_modulus = steel.young / (2 * (1 + steel.poisson)) / (2 * (2 - steel.poisson));
        oblique_result r = oblique_run(&c);
        double energy = 0.5 * sphere_mass(&steel, radius_5) * (along * along + down_5 * down_5);
        check_below(fabs(r.residual) / energy, 1e-8); /* what the law makes is booked; found 4e-10 */
        oblique_gap_add(&gap, recoil_5(r), paper[i][1]);
    }
    check_gap("Chung and Ooi test 5 steel", "surface speed, sticking, 12 angles: mean gap", reading, gap, 0.03);
}

/* Where the patch sticks, microslip decides, which neither the paper's spring nor this one has; but the paper's keeps
 * its force as the contact opens, this one loses some. At no angle may it be farther from the finite
 * elements than the paper's curve for steel, read at the same angles. */
static void sticking(void **state)
{
    (void)state;
    oblique_gap ours = {0, 0}, theirs = {0, 0};
    for (int i = 0, k = 0; i < READINGS - SLIDING; i++) {
        double at = elements_recoil[i][0], elements = elements_recoil[i][1];
        while (paper[k + 1][0] < at) k++;
        double part = (at - paper[k][0]) / (paper[k + 1][0] - paper[k][0]);
        double curve = paper[k][1] + part * (paper[k + 1][1] - paper[k][1]), found = recoil_5(run_5(&steel, at));
        check_below(fabs(found - elements), fabs(curve - elements));
        oblique_gap_add(&ours, found, elements);
        oblique_gap_add(&theirs, curve, elements);
    }
    print_message("test 5, sticking: mean gap to the finite elements %.3f, of the paper's spring %.3f\n",
                  ours.gap / ours.size, theirs.gap / theirs.size);
}

/* Rigid ball that slides all the time: v' = v - mu (1 + e) vn, and the spin 5/2 mu (1 + e) vn / R, with an arm between
 * the radius and that less half the depth, where the force acts. It does from tan = 7/2 mu (1 + e) on; here 60 % above.
 */
static void sliding(void **state)
{
    (void)state;
    static const double restitutions[] = {1, 0.98, 0.5};
    for (int i = 0; i < 3; i++) {
        double e = restitutions[i], impulse = mu_5 * (1 + e) * down_5, along = 1.6 * 3.5 * impulse;
        oblique_case c = onto_plane(&steel, radius_5, mu_5, e, (oblique_motion){down_5, along, 0});
        oblique_result r = oblique_run(&c);
        double found = along - r.ball.along, turned = r.ball.spin * radius_5 / (2.5 * impulse);
        char name[64];
        snprintf(name, sizeof name, "Ball slides on a plane, e = %g", e);
        check_verified(name, "tangential impulse over mu (1 + e) m vn", "1", "rigid body", found / impulse, 1, 2.5e-4);
        check_below(turned, 1);
        check_below(1 - 0.5 * r.depth / radius_5, turned);
    }
}

/* While it slides under a load that rises the spring's limit moves with it; the end of sliding is found by the rate of
 * the limit, which the law takes from accepted states. Adaptive methods do not stall, and agree. */
static void adaptive_methods(void **state)
{
    static const struct {
        const char *name;
        fender_integrator_method method;
        double tolerance, allowed; /* allowed: of the speed of 3.9 m/s; found: 1e-7, 6e-10, 2e-8, 3e-10 */
        int steps;                 /* found: 104, 243, 48, 76 */
    } rows[] = {{"dopri5, 1e-9", FENDER_INTEGRATOR_DOPRI5, 1e-9, 5e-7, 160},
                {"dopri5, 1e-11", FENDER_INTEGRATOR_DOPRI5, 1e-11, 5e-9, 400},
                {"dop853, 1e-9", FENDER_INTEGRATOR_DOP853, 1e-9, 1e-7, 80},
                {"dop853, 1e-11", FENDER_INTEGRATOR_DOP853, 1e-11, 2e-9, 130}};
    static const double angles[] = {5, 10, 20, 40};
    (void)state;
    for (int i = 0; i < 4; i++) {
        double angle = angles[i] * 3.14159265358979324 / 180;
        oblique_case c = {.material = {.young = 380e9, .poisson = 0.23, .density = 4000},
                          .radius = 2.5e-3,
                          .mu = 0.092,
                          .restitution = 0.98,
                          .ball = {3.9 * cos(angle), 3.9 * sin(angle), 0},
                          .rigid = true,
                          .method = FENDER_INTEGRATOR_DOP853,
                          .tolerance = 1e-13};
        oblique_result finest = oblique_run(&c), fixed;
        double energy = 0.5 * sphere_mass(&c.material, c.radius) * 3.9 * 3.9;
        for (int k = 0; k < 4; k++) {
            char name[80];
            c.method = rows[k].method;
            c.tolerance = rows[k].tolerance;
            oblique_result r = oblique_run(&c);
            snprintf(name, sizeof name, "test 4 at %g degrees, %s", angles[i], rows[k].name);
            check_verified(name, "tangential speed", "m/s", "the same at 1e-13", r.ball.along, finest.ball.along,
                           3.9 * rows[k].allowed);
            check_below(r.steps, rows[k].steps);
            check_below(fabs(r.residual) / energy, 10 * rows[k].allowed);
        }
        c.tolerance = 0;
        fixed = oblique_run(&c);
        /* of order 2 as far as the events go; found 7e-8 */
        check_near(fixed.ball.along, finest.ball.along, 3.9 * 3e-7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_4),   cmocka_unit_test(adaptive_methods),
                                       cmocka_unit_test(test_5),   cmocka_unit_test(spring_of_the_paper),
                                       cmocka_unit_test(sticking), cmocka_unit_test(sliding)};
    return cmocka_run_group_tests_name("chung_ooi, oblique", tests, NULL, NULL);
}
