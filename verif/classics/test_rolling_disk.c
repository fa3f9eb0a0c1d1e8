/* Disks that roll steadily: the coin on its circle, Euler's disk. */
#include "../friction/ground.h"
#include "verified.h"

static const double RADIUS = 0.0375, MASS = 0.44, GRAVITY = 9.81; /* of the toy "Euler's Disk" (Moffatt 2000) */

/* An even thin disk of inclination `lean` whose centre goes round at `off` from a fixed axis, at the rate `turn`
 * without slip: spin about its axis -turn (off + a cos lean) / a. */
static ground_set_up rolling(double lean, double off, double turn)
{
    ground_set_up s = ground_default();
    fender_env env = fender_env_default();
    const double a = RADIUS, k = 1e7, inertia = MASS * a * a / 4;
    s.mass = MASS;
    s.solid = fender_geometry_disk(&env, a, NULL);
    s.solid_properties.inertia = fender_mat3_diagonal(inertia, inertia, 2 * inertia);
    s.place = fender_vec3_make(off, 0, a * sin(lean) - MASS * GRAVITY / k);
    s.attitude = (fender_quaternion){cos(0.5 * lean), 0, sin(0.5 * lean), 0}; /* its axis leans outward */
    s.velocity = fender_vec3_make(0, turn * off, 0);
    const double spin = -turn * (off + a * cos(lean)) / a;
    s.spin = fender_vec3_make(-turn * sin(lean), 0, turn * cos(lean) + spin);
    s.normal = (law_choice){"spring_damper", {{"stiffness", k}, {"damping", 60}}};
    s.friction = (law_choice){"coulomb_static_kinetic",
                              {{"mu_static", 3}, {"mu_kinetic", 3}, {"stiffness", k}, {"damping", 60}}};
    s.method = FENDER_INTEGRATOR_DOPRI5;
    s.tolerance = 1e-9;
    s.points = FENDER_CONTACT_POINTS_SINGLE;
    return s;
}

static fender_vec3 axis_of(const ground *g)
{
    return fender_quaternion_rotate(ground_ball(g).attitude, fender_vec3_make(0, 0, 1));
}

/* A rigid rim: one contact of the whole stiffness. The ground gives way by m g / k = 4e-7 m, five times that for a disk
 * that nearly lies: 1e-5 to 6e-5 radii. By that part the inclination swings about the steady one, and the turns of 5
 * periods are off by ten times that or so.
 *
 * Balance of moments about the centre (Routh 1905; O'Reilly 1996 for the stability):
 *     turn^2 sin a [off (1 + C / (m r^2)) + A cos a / (m r)] = g cos a,    A = m r^2 / 4, C = m r^2 / 2
 * For off = 0 it is turn^2 sin a = 4 g / r (Moffatt 2000). */
static double steady(double lean, double off)
{
    return sqrt(GRAVITY * cos(lean) / (sin(lean) * (1.5 * off + 0.25 * RADIUS * cos(lean))));
}

static void circles(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double lean, off; /* rad, radii */
    } cases[] = {{"coin, circle of 4 radii", 1.2, 4},
                 {"coin, circle of 1 radius", 0.8, 1},
                 {"Euler's disk, 0.5 rad", 0.5, 0},
                 {"Euler's disk, 0.1 rad", 0.1, 0}};
    for (int i = 0; i < 4; i++) {
        const double lean = cases[i].lean, off = cases[i].off * RADIUS, turn = steady(lean, off);
        ground_set_up s = rolling(lean, off, turn);
        ground g = ground_build(&s);
        double angle = 0, last = 0, worst = 0, until = 5 * 6.283185307179586 / turn;
        while (fender_world_time(g.world) < until) {
            check_ok(fender_world_advance_to(g.world, fmin(fender_world_time(g.world) + 1 / turn, until), &error));
            fender_vec3 n = axis_of(&g);
            double now = atan2(n.y, n.x);
            angle += remainder(now - last, 6.283185307179586);
            last = now;
            worst = larger(worst, fabs(acos(n.z) - lean));
        }
        check_verified(cases[i].name, "turns of 5 periods", "1", "rigid disk, closed form", angle / 6.283185307179586,
                       5, 5e-4);
        check_verified(cases[i].name, "largest change of inclination", "rad", "rigid disk, closed form", worst, 0,
                       1e-4);
        fender_world_destroy(g.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(circles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
