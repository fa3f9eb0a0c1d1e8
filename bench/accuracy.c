/* What the steps are worth: the creep of a cube that must not slide, and the restitution of two balls, beside other
 * engines on the same inputs. */
#include "bench.h"
#include "stepping/own.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

static const double pi = 3.14159265358979324;

enum { BULLET, ODE, MUJOCO, ENGINES };
static const stepping_peer *const engines[ENGINES + 1] = {
#ifdef FENDER_BENCH_BULLET
    [BULLET] = stepping_bullet,
#endif
#ifdef FENDER_BENCH_ODE
    [ODE] = stepping_ode,
#endif
#ifdef FENDER_BENCH_MUJOCO
    [MUJOCO] = stepping_mujoco,
#endif
    [ENGINES] = NULL, /* none may be installed */
};
static const char *const packages[ENGINES] = {"libbullet-dev", "libode-dev", "libmujoco-dev"};

static int failures;

/* `wanted`: 0: none. */
static void show(const char *name, double value, double second, double wanted)
{
    printf("  %-42s %12.2g %12.2g", name, value, second);
    if (wanted > 0) {
        bool reached = fabs(value) <= wanted;
        printf("   %8.0e  %s", wanted, reached ? "reached" : "NOT REACHED");
        failures += !reached;
    }
    printf("\n");
    fflush(stdout);
}

static void *make(const stepping_peer *peer, const stepping_scene *scene)
{
    void *world = peer->create(scene);
    if (!world) bench_fail(peer->name);
    return world;
}

/* 1 kg, 0.2 m, friction 5 % above the tangent of the slope's 20 degrees. The gravity is inclined, not the plane. */
static void creep(const stepping_peer *peer, double wanted)
{
    const double slope = pi / 9, half = 0.1, moment = 1 * 0.2 * 0.2 / 6;
    const stepping_body cube = {1, {moment, moment, moment}, {0, 0, half}, {1, 0, 0, 0}, {0}, {0}, 0, 0, NULL, 0, half};
    const stepping_plane ground = {{0, 0, 1}, 0};
    const stepping_scene scene = {
        {9.81 * sin(slope), 0, -9.81 * cos(slope)}, 1e-3, 1e5, 200, 1.05 * tan(slope), 0, &cube, 1, &ground, 1, 0};
    void *world = make(peer, &scene);
    double before[3], after[3], velocity[3];
    peer->advance(world, 50000);
    peer->read(world, 0, before, velocity);
    peer->advance(world, 50000);
    peer->read(world, 0, after, velocity);
    peer->destroy(world);
    show(peer->name, (after[0] - before[0]) / 50, velocity[0], wanted);
}

/* Of a spring and damper that push only, for two bodies of the reduced mass m: the contact ends when the force does
 * (Schwager and Poeschel, Granular Matter 9 (2007) 465, equation 21 for weak damping). */
static double restitution_of(double k, double c, double m)
{
    double beta = c / (2 * m), omega = sqrt(k / m - beta * beta);
    return exp(-beta / omega * (pi - atan2(2 * beta * omega, omega * omega - beta * beta)));
}

/* 1 kg each, 0.1 m, head-on at 1 m/s. Engines of springs shall give what their spring and damper give, those of hard
 * contacts the number itself. */
static void bounce(const stepping_peer *peer, double step, bool hard, double wanted)
{
    stepping_body balls[2] = {
        {1, {0.004, 0.004, 0.004}, {-0.1503, 0, 0}, {1, 0, 0, 0}, {0.5, 0, 0}, {0}, 0.1, 0, NULL, 0, 0},
        {1, {0.004, 0.004, 0.004}, {0.1504, 0, 0}, {1, 0, 0, 0}, {-0.5, 0, 0}, {0}, 0.1, 0, NULL, 0, 0}};
    const stepping_scene scene = {{0, 0, 0}, step, 1e5, 50.45, 0.3, 0.7, balls, 2, NULL, 0, 0};
    void *world = make(peer, &scene);
    double position[3], a[3], b[3];
    peer->advance(world, (int)lround(0.5 / step));
    peer->read(world, 0, position, a);
    peer->read(world, 1, position, b);
    peer->destroy(world);
    char name[64];
    snprintf(name, sizeof name, "%s, %g ms", peer->name, 1e3 * step);
    show(name, (b[0] - a[0]) - (hard ? 0.7 : restitution_of(1e5, 50.45, 0.5)), b[0] + a[0], wanted);
}

int main(void)
{
    bool missing = false;
    printf("creep of a cube on 20 degrees, friction 1.05 of what holds it, steps of 1 ms\n"
           "  %-42s %12s %12s   %8s\n",
           "", "50..100 s", "at 100 s", "wanted");
    for (int i = 0; i < OWN_ROWS; i++)
        creep(&stepping_own[i], i < OWN_EULER_STICKS ? 0 : i == OWN_DOP853 ? 1e-9 : 1e-12); /* its tolerance */
    for (int e = 0; e < ENGINES; e++)
        for (const stepping_peer *p = engines[e]; p && p->name; p++) creep(p, 0);
    printf("\nerror of the restitution of two balls at 1 m/s: 0.7 (hard contacts) or %.4f (spring and damper)\n"
           "  %-42s %12s %12s   %8s\n",
           restitution_of(1e5, 50.45, 0.5), "", "error", "sum of m/s", "wanted");
    for (int k = 0; k < 2; k++) {
        double step = k ? 1e-4 : 1e-3;
        static const double wanted[OWN_ROWS] = {[OWN_RK4_LOCATES] = 1e-4, [OWN_DOP853] = 1e-9};
        for (int i = 0; i < OWN_ROWS; i++) bounce(&stepping_own[i], step, false, wanted[i]);
        for (int e = 0; e < ENGINES; e++)
            for (const stepping_peer *p = engines[e]; p && p->name; p++)
                bounce(p, step, e != MUJOCO && p == engines[e], 0);
    }
    for (int e = 0; e < ENGINES; e++) {
        if (engines[e]) continue;
        fprintf(stderr, "benchmark: built without %s\n", packages[e]);
        missing = true;
    }
    if (failures) fprintf(stderr, "benchmark: %d rows miss their targets\n", failures);
    return missing || failures;
}
