/* Case DEM05 of the verification manual of MFIX: a sphere comes to a plane obliquely, both elastic. */
#include "../chung_ooi/oblique.h"

static const char source[] = "MFIX 21.3.2, tests/dem/DEM05/AUTOTEST, Hertzian, wall";

/* What MFIX found: angle of impact, angle of rebound of the centre, tangential restitution, spin. */
typedef struct row_dem05 {
    double angle, rebound, restitution, spin; /* deg, deg, 1, rad/s */
} row_dem05;

static const row_dem05 rows[] = {
    {2.5, 2.4917, 0.9967, 0.5631},     {5.0, 4.7015, 0.9400, 20.2515},    {7.5, 5.8442, 0.7775, 112.5553},
    {10.0, 6.9401, 0.6903, 208.3846},  {12.5, 8.1454, 0.6456, 297.2630},  {15.0, 9.4858, 0.6236, 377.6207},
    {17.5, 10.9723, 0.6149, 448.9163}, {20.0, 12.6178, 0.6150, 510.5268}, {22.5, 14.4419, 0.6217, 561.3789},
    {25.0, 16.4771, 0.6343, 599.5303}, {27.5, 18.7815, 0.6533, 621.2173}, {30.0, 21.4722, 0.6813, 618.3861},
    {35.0, 27.3031, 0.7372, 585.0427}, {40.0, 33.2288, 0.7807, 547.2487}, {45.0, 39.2144, 0.8160, 505.2858},
    {50.0, 45.2213, 0.8456, 459.4671}, {55.0, 51.2090, 0.8712, 410.1343}, {60.0, 57.1386, 0.8938, 357.6565},
    {65.0, 62.9751, 0.9142, 302.4259},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static oblique_case at_angle(double degrees, oblique_history history)
{
    const double speed = 3.9, angle = degrees * pi / 180;
    return (oblique_case){.material = {"aluminium oxide", 380e9, 0.23, 4000},
                          .base_material = {"anvil", 70e9, 0.25, 0},
                          .radius = 0.0025,
                          .mu = 0.092,
                          .restitution = 1,
                          .ball = {speed * cos(angle), speed * sin(angle), 0},
                          .history = history};
}

/* Tolerances: the arm of the force. Here it is that of the middle of the overlap, R - d/2; at MFIX's walls R - d, 0.34
 * % less at 17 um. Of the largest spin, 622 rad/s, this is 2.1 rad/s; where the patch sticks the rest follows:
 * found 1.5 rad/s, 0.0046, 0.035 deg. Another history is off by 0.12 of the restitution. */
static void dem05(void **state)
{
    (void)state;
    double rebound = 0, restitution = 0, spin = 0, other = 0;
    for (int i = 0; i < ROWS; i++) {
        oblique_case c = at_angle(rows[i].angle, OBLIQUE_DISPLACEMENT);
        oblique_result r = oblique_run(&c);
        double a = atan2(r.ball.along, -r.ball.down) * 180 / pi, e = r.ball.along / c.ball.along;
        rebound = larger(rebound, fabs(a - rows[i].rebound));
        restitution = larger(restitution, fabs(e - rows[i].restitution));
        spin = larger(spin, fabs(r.ball.spin - rows[i].spin));
        c.history = OBLIQUE_RESCALED;
        r = oblique_run(&c);
        other = larger(other, fabs(r.ball.along / c.ball.along - rows[i].restitution));
    }
    check_below(0.1, other);
    check_verified("MFIX DEM05", "angle of rebound: largest gap of 19", "deg", source, rebound, 0, 0.05);
    check_verified("MFIX DEM05", "tangential restitution: largest gap of 19", "1", source, restitution, 0, 0.006);
    check_verified("MFIX DEM05", "spin: largest gap of 19", "rad/s", source, spin, 0, 2.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dem05)};
    return cmocka_run_group_tests_name("MFIX DEM05", tests, NULL, NULL);
}
