/* Steps per second of two bodies that meet, of a lander and of settled piles of spheres, beside other engines on the
 * same inputs.
 *   fender_bench_stepping [runs] */
#include "bench.h"
#include "stepping/own.h"
#include "targets.h"
#include <fender/fender.h>
#include <math.h>
#include <string.h>

enum { REPEATS = 3 }; /* in each run */

/* ---- measuring ---- */

typedef struct rate {
    double median, least, most; /* steps per second; 0: not measured */
} rate;

static void *make(const stepping_peer *peer, const stepping_scene *scene)
{
    void *world = peer->create(scene);
    if (!world) bench_fail(peer->name);
    return world;
}

static double seconds_of(const stepping_peer *peer, void *world, int steps)
{
    if (peer->measure) {
        double seconds = peer->measure(world, steps);
        if (!(seconds > 0)) bench_fail(peer->name);
        return seconds;
    }
    double begin = bench_now();
    peer->advance(world, steps);
    return bench_now() - begin;
}

static rate rate_of(const bench_sample *s) { return (rate){bench_median(s), bench_least(s), bench_most(s)}; }

/* The first two seconds, several times from the start. */
static rate measure_meeting(const stepping_peer *peer, const stepping_scene *scene)
{
    const int steps = 2000;
    bench_sample sample = {{0}, 0};
    for (int r = 0; r < REPEATS; r++) {
        double seconds = 0;
        int rounds = 0;
        for (; rounds < 100 && seconds < 0.05; rounds++) {
            void *world = make(peer, scene);
            seconds += seconds_of(peer, world, steps);
            double position[3], before = scene->bodies[0].velocity[0], velocity[3];
            peer->read(world, 0, position, velocity);
            if (!(velocity[0] < 0.9 * before)) bench_fail("the bodies did not meet");
            peer->destroy(world);
        }
        bench_add(&sample, rounds * (double)steps / seconds);
    }
    return rate_of(&sample);
}

/* Steps of a world that goes on. */
static rate measure_rest(const stepping_peer *peer, const stepping_scene *scene)
{
    void *world = make(peer, scene);
    bench_sample sample = {{0}, 0};
    int steps = peer->measure ? 100 + 200000 / scene->body_count : 1;
    if (!peer->measure) peer->advance(world, 20);
    for (int r = 0; r < REPEATS;) {
        double seconds = seconds_of(peer, world, steps);
        if (seconds < 0.1) { /* too short for the clock */
            steps *= 2;
            continue;
        }
        bench_add(&sample, steps / seconds);
        r++;
    }
    double highest = 0;
    for (int i = 0; peer->read && i < scene->body_count; i++) {
        double position[3], velocity[3];
        peer->read(world, i, position, velocity);
        if (position[2] > highest) highest = position[2];
        if (!(position[2] > -0.2)) bench_fail("a ball has fallen out of the box");
    }
    peer->destroy(world);
    return rate_of(&sample);
}

/* With stick-slip friction, Fender must come to rest, with a step that is stable there. */
static void check_rest(void *world, const stepping_scene *scene, const double velocity[3])
{
    double speed = sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]);
    double stable = stepping_own_stable_step(world);
    printf("    at the end %.1e m/s; stable below %.3g ms\n", speed, 1e3 * stable);
    if (!(speed < 1e-9)) bench_fail("the lander is not at rest");
    if (!(scene->step < stable)) bench_fail("the step is too long for the lander at rest");
}

/* Ten seconds from the start, several times. */
static rate measure_landing(const stepping_peer *peer, const stepping_scene *scene)
{
    const bool sticks = peer >= &stepping_own[OWN_EULER_STICKS] && peer <= &stepping_own[OWN_DOP853];
    const int steps = 10000;
    bench_sample sample = {{0}, 0};
    for (int r = 0; r < REPEATS; r++) {
        void *world = make(peer, scene);
        bench_add(&sample, steps / seconds_of(peer, world, steps));
        double position[3], velocity[3];
        peer->read(world, 0, position, velocity);
        if (!(position[2] > 1.4 && position[2] < 1.6)) bench_fail("the lander does not stand");
        if (sticks && r == REPEATS - 1) check_rest(world, scene, velocity);
        peer->destroy(world);
    }
    return rate_of(&sample);
}

typedef enum task { MEETING, REST, LANDING } task;

static rate show(const stepping_peer *peer, const stepping_scene *scene, task what)
{
    rate r = what == REST      ? measure_rest(peer, scene)
             : what == LANDING ? measure_landing(peer, scene)
                               : measure_meeting(peer, scene);
    printf("  %-40s %12.4g  (%.4g .. %.4g)\n", peer->name, r.median, r.least, r.most);
    fflush(stdout);
    return r;
}

/* ---- the engines ---- */

enum { BULLET, ODE, SIMBODY, LAMMPS, MUJOCO, ENGINES };
static const stepping_peer *const engines[ENGINES + 1] = {
#ifdef FENDER_BENCH_BULLET
    [BULLET] = stepping_bullet,
#endif
#ifdef FENDER_BENCH_ODE
    [ODE] = stepping_ode,
#endif
#ifdef FENDER_BENCH_SIMBODY
    [SIMBODY] = stepping_simbody,
#endif
#ifdef FENDER_BENCH_LAMMPS
    [LAMMPS] = stepping_lammps,
#endif
#ifdef FENDER_BENCH_MUJOCO
    [MUJOCO] = stepping_mujoco,
#endif
    [ENGINES] = NULL, /* none may be installed */
};
static const char *const packages[ENGINES] = {"libbullet-dev", "libode-dev", "libsimbody-dev", "lammps",
                                              "libmujoco-dev"};

static rate best[ENGINES];

static void show_engines(const stepping_scene *scene, task what)
{
    bool capsules = scene->bodies[0].half_length > 0;
    for (int e = 0; e < ENGINES; e++) {
        best[e] = (rate){0, 0, 0};
        for (const stepping_peer *p = engines[e]; p && p->name; p++) {
            if ((capsules && !p->capsules) || (p->measure && what != REST) || scene->body_count > p->most_bodies)
                continue;
            rate r = show(p, scene, what);
            if (r.median > best[e].median) best[e] = r;
        }
    }
}

/* ---- cases ---- */

/* 1 kg each, radius 0.1 m, half length 0.2 m, 1 m/s, k = 1e5 N/m, c = 50.45 N*s/m, mu = 0.3, 1 ms. */
static void two_bodies(bool capsules)
{
    stepping_body bodies[2] = {
        {1, {0.004, 0.004, 0.004}, {-0.3, 0.02, 0}, {1, 0, 0, 0}, {0.5, 0, 0}, {0.5, 0.2, 0.1}, 0.1, 0, NULL, 0, 0},
        {1,
         {0.004, 0.004, 0.004},
         {0.3, 0, 0.01},
         {0.87758, 0, 0, 0.47943},
         {-0.5, 0, 0},
         {0, 0, 0},
         0.1,
         0,
         NULL,
         0,
         0},
    };
    for (int i = 0; capsules && i < 2; i++) {
        bodies[i].moments[0] = bodies[i].moments[1] = 0.02;
        bodies[i].half_length = 0.2;
    }
    const double crossed[4] = {0.77417, 0.63297, 0, 0};
    if (capsules) memcpy(bodies[1].attitude, crossed, sizeof crossed);
    stepping_scene scene = {{0, 0, 0}, 1e-3, 1e5, 50.45, 0.3, 0.7, bodies, 2, NULL, 0, 0};
    printf("two %s meet in free space, 2,000 steps of 1 ms\n", capsules ? "capsules" : "balls");
    rate euler = show(&stepping_own[OWN_EULER], &scene, MEETING), rk4 = show(&stepping_own[OWN_RK4], &scene, MEETING);
    show_engines(&scene, MEETING);
    if (capsules) {
        targets_add("two capsules, semi-implicit", "steps/s", euler.median, "ODE", best[ODE].median, 0);
        targets_add("two capsules, rk4", "steps/s", rk4.median, "ODE", best[ODE].median, 0);
    } else { /* what 5 M and 1.5 M are beside Debian's Bullet */
        targets_add("two spheres, semi-implicit", "steps/s", euler.median, "Bullet", best[BULLET].median, 4.2);
        targets_add("two spheres, rk4", "steps/s", rk4.median, "Bullet", best[BULLET].median, 1.27);
    }
}

/* 500 kg on eight spheres of 0.1 m falls 0.3 m to a plane in the Moon's gravity and comes to rest on it. */
static void lander(void)
{
    const double pi = 3.14159265358979324, roll = pi / 36, pitch = pi / 60, radius = 0.05;
    double feet[8][3], lowest = 0;
    stepping_body body = {500, {300, 300, 400}, {0}, {0}, {0.2, 0.1, -0.5}, {0.02, -0.01, 0.05}, radius, 0, feet, 8, 0};
    const fender_quaternion q = fender_quaternion_product((fender_quaternion){cos(pitch / 2), 0, sin(pitch / 2), 0},
                                                          (fender_quaternion){cos(roll / 2), sin(roll / 2), 0, 0});
    for (int k = 0; k < 8; k++) {
        double angle = (45 + 90 * (k / 2)) * pi / 180, out = k % 2 ? 2.2 : 2.0;
        feet[k][0] = out * cos(angle), feet[k][1] = out * sin(angle), feet[k][2] = -1.5;
        double height = fender_quaternion_rotate(q, fender_vec3_make(feet[k][0], feet[k][1], feet[k][2])).z - radius;
        if (height < lowest) lowest = height;
    }
    body.attitude[0] = q.w, body.attitude[1] = q.x, body.attitude[2] = q.y, body.attitude[3] = q.z;
    body.position[2] = 0.3 - lowest;
    /* engines that give each body its own spring have two in a row here: a plane is one of them */
    const stepping_plane ground = {{0, 0, 1}, 0};
    stepping_scene scene = {{0, 0, -1.62}, 1e-3, 1e5, 2e3, 0.6, 0, &body, 1, &ground, 1, 0};
    printf("lander on eight feet, 10,000 steps of 1 ms from 0.3 m above the ground\n");
    rate own[OWN_ROWS];
    for (int i = 0; i < OWN_ROWS; i++) own[i] = show(&stepping_own[i], &scene, LANDING);
    show_engines(&scene, LANDING);
    /* what 3 M and 800 k are beside Debian's Bullet; the others stick, and end at rest */
    static const double wanted[OWN_ROWS] = {[OWN_EULER] = 13.8, [OWN_RK4] = 3.7};
    static const char *const names[OWN_ROWS] = {
        "semi-implicit", "rk4", "semi-implicit, sticks", "rk4, sticks", "rk4, sticks, located", "dop853, sticks"};
    for (int i = 0; i < OWN_ROWS; i++) {
        char work[64];
        snprintf(work, sizeof work, "lander, %s", names[i]);
        targets_add(work, "steps/s", own[i].median, "Bullet", best[BULLET].median, wanted[i]);
    }
    for (int i = OWN_EULER; i <= OWN_EULER_STICKS; i += OWN_EULER_STICKS)
        targets_add(i ? "lander, semi-implicit, sticks" : "lander, semi-implicit", "steps/s", own[i].median, "MuJoCo",
                    best[MUJOCO].median, 0);
}

static double noise(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0 - 0.5;
}

/* Spheres of 0.1 m, 2,500 kg/m^3 in a box that they would fill to 60 % of their number's height, dropped and let
 * settle.
 */
typedef struct heap {
    int count;
    double side;
    stepping_body *bodies; /* settled; NULL: not yet */
    double rates[2];
} heap;

static void settle(heap *h)
{
    const stepping_peer *own = &stepping_own[OWN_EULER];
    const int count = h->count;
    double r = 0.05, mass = 2500 * 4.0 / 3 * 3.14159265358979324 * r * r * r, moment = 0.4 * mass * r * r;
    double side = h->side = cbrt(count * 4.0 / 3 * 3.14159265358979324 * r * r * r / 0.6);
    stepping_body *bodies = h->bodies = calloc((size_t)count, sizeof *bodies);
    if (!bodies) bench_fail("no memory");
    int across = (int)(side / (2.15 * r));
    unsigned state = (unsigned)count;
    for (int i = 0; i < count; i++) {
        double pitch = side / across;
        double x = (i % across + 0.5) * pitch + 0.006 * noise(&state);
        double y = (i / across % across + 0.5) * pitch + 0.006 * noise(&state);
        double z = (i / (across * across) + 0.5) * 2.15 * r;
        bodies[i] = (stepping_body){mass, {moment, moment, moment}, {x, y, z}, {1, 0, 0, 0}, {0}, {0}, r, 0, NULL, 0,
                                    0};
    }
    const stepping_plane planes[] = {
        {{0, 0, 1}, 0}, {{1, 0, 0}, 0}, {{-1, 0, 0}, -side}, {{0, 1, 0}, 0}, {{0, -1, 0}, -side}};
    stepping_scene scene = {{0, 0, -9.81}, 5e-4, 2e5, 300, 0.5, 0, bodies, count, planes, 5, side};
    for (int k = 0; k < 5; k++) { /* stopped five times */
        void *world = own->create(&scene);
        own->advance(world, 700);
        double velocity[3];
        for (int i = 0; i < count; i++) own->read(world, i, bodies[i].position, velocity);
        own->destroy(world);
    }
}

static void pile(heap *h)
{
    if (!h->bodies) settle(h);
    const double side = h->side;
    const stepping_plane planes[] = {
        {{0, 0, 1}, 0}, {{1, 0, 0}, 0}, {{-1, 0, 0}, -side}, {{0, 1, 0}, 0}, {{0, -1, 0}, -side}};
    stepping_scene scene = {{0, 0, -9.81}, 1e-3, 2e5, 100, 0.5, 0, h->bodies, h->count, planes, 5, side};
    void *world = stepping_own[OWN_EULER].create(&scene);
    printf("settled pile of %d balls, steps of 1 ms; %d contacts\n", h->count, stepping_own_contacts(world));
    stepping_own[OWN_EULER].destroy(world);
    h->rates[0] = show(&stepping_own[OWN_EULER], &scene, REST).median;
    show_engines(&scene, REST);
    h->rates[1] = best[LAMMPS].median;
    char work[64];
    snprintf(work, sizeof work, "settled pile, %d spheres", h->count);
    targets_add(work, "steps/s", h->rates[0], "LAMMPS", h->rates[1], 1);
}

int main(int argc, char **argv)
{
    enum { HEAPS = 3 };
    heap heaps[HEAPS] = {{.count = 100}, {.count = 1000}, {.count = 10000}};
    int runs = argc > 1 ? atoi(argv[1]) : BENCH_RUNS;
    bool missing = false;
    if (runs < 1 || runs > BENCH_REPEATS) bench_fail("1 to 7 runs");
    printf("steps per second of processor time, median (least .. most) of %d\n", REPEATS);
    for (int run = 0; run < runs; run++) {
        printf("\nrun %d of %d\n", run + 1, runs);
        two_bodies(false);
        two_bodies(true);
        lander();
        for (int i = 0; i < HEAPS; i++) {
            pile(&heaps[i]);
            const double *less = heaps[i > 0 ? i - 1 : 0].rates, *more = heaps[i].rates;
            if (i > 0)
                printf("  cost grows with the power %.2f of the number of balls (Fender)", log10(less[0] / more[0]));
            if (i > 0 && more[1] > 0) printf(", %.2f (LAMMPS)", log10(less[1] / more[1]));
            if (i > 0) printf("\n");
        }
    }
    for (int i = 0; i < HEAPS; i++) free(heaps[i].bodies);
    targets_print();
    for (int e = 0; e < ENGINES; e++) {
        if (engines[e]) continue;
        fprintf(stderr, "benchmark: built without %s\n", packages[e]);
        missing = true;
    }
    return missing;
}
