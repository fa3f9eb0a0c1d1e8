/* Steps per second of two bodies that meet, of a lander and of settled piles of spheres, beside other engines on the
 * same inputs. */
#include "peers/stepping.h"
#include "bench.h"
#include "targets.h"
#include <fender/fender.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- Fender, in the form of the others ---- */

static fender_contact_type_id contact_type(fender_world *world, const char *name, double stiffness, double damping,
                                           double mu)
{
    fender_error error = {0};
    const fender_law *law = fender_law_find(NULL, "spring_damper");
    unsigned char parameters[256];
    if (!law || law->parameters.size > sizeof parameters) bench_fail("no law");
    (void)fender_field_initialize(&law->parameters, parameters, sizeof parameters, NULL);
    const char *const names[] = {"stiffness", "damping", "mu"};
    const double values[] = {stiffness, damping, mu};
    for (int i = 0; i < 3; i++)
        fender_field_set(fender_field_find(&law->parameters, names[i]), parameters, 0, values[i]);
    fender_contact_type_id type;
    fender_contact_type_def def = {
        .size = sizeof(fender_contact_type_def), .name = name, .law = law, .law_parameters = parameters};
    if (fender_contact_type_create(world, &def, &type, &error)) bench_fail(error.message);
    return type;
}

static fender_vec3 vector(const double *v) { return fender_vec3_make(v[0], v[1], v[2]); }

/* `body` may be NULL: one shape in the middle. */
static void add_body(fender_world *world, const fender_body_def *def, fender_geometry *geometry,
                     const stepping_body *body)
{
    fender_error error = {0};
    fender_body_id id;
    int feet = body ? body->foot_count : 0;
    if (!geometry || fender_body_create(world, def, &id, &error)) bench_fail(error.message);
    for (int k = 0; k < (feet > 0 ? feet : 1); k++) {
        fender_shape_def shape = fender_shape_def_default();
        char name[32];
        snprintf(name, sizeof name, "hull_%d", k);
        shape.name = name;
        shape.geometry = geometry;
        if (feet > 0) shape.X_SG.p = vector(body->feet[k]);
        if (fender_shape_create(world, id, &shape, NULL, &error)) bench_fail(error.message);
    }
}

static void add_planes(fender_world *world, const stepping_scene *scene)
{
    fender_error error = {0};
    fender_env env = fender_env_default();
    fender_geometry *plane = fender_geometry_plane(&env, &error);
    for (int i = 0; i < scene->plane_count; i++) {
        const double *n = scene->planes[i].normal;
        char name[32];
        snprintf(name, sizeof name, "plane_%d", i);
        fender_body_def body = fender_body_def_default();
        body.name = name;
        body.motion = FENDER_MOTION_FIXED;
        body.state.position = fender_vec3_scale(scene->planes[i].offset, vector(n));
        fender_quaternion q = {1 + n[2], -n[1], n[0], 0}; /* the least that turns z to n */
        if (n[2] < -0.5) q = (fender_quaternion){0, 1, 0, 0};
        body.state.attitude = fender_quaternion_normalized(q);
        add_body(world, &body, plane, NULL);
    }
    fender_geometry_release(plane);
}

static fender_world *create(const stepping_scene *scene, fender_integrator_method method)
{
    fender_error error = {0};
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.step = scene->step;
    def.gravity.kind = scene->gravity[2] == 0 ? FENDER_GRAVITY_NONE : FENDER_GRAVITY_UNIFORM;
    def.gravity.acceleration = vector(scene->gravity);
    fender_world *world = fender_world_create(&env, &def, &error);
    if (!world) bench_fail(error.message);
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT};
    rule.use = contact_type(world, "contact", scene->stiffness, scene->damping, scene->friction);
    if (fender_rule_create(world, &rule, NULL, &error)) bench_fail(error.message);
    const stepping_body *first = &scene->bodies[0];
    fender_geometry *geometry = first->half_length > 0
                                    ? fender_geometry_capsule(&env, first->radius, first->half_length, &error)
                                    : fender_geometry_sphere(&env, first->radius, &error);
    for (int i = 0; i < scene->body_count; i++) {
        const stepping_body *b = &scene->bodies[i];
        char name[32];
        snprintf(name, sizeof name, "body_%d", i);
        fender_body_def body = fender_body_def_default();
        body.name = name;
        body.mass_properties.mass = b->mass;
        body.mass_properties.inertia = fender_mat3_diagonal(b->moments[0], b->moments[1], b->moments[2]);
        body.state.position = vector(b->position);
        body.state.attitude = (fender_quaternion){b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]};
        body.state.velocity = vector(b->velocity);
        body.state.angular_velocity = fender_quaternion_rotate(fender_quaternion_conjugate(body.state.attitude),
                                                               vector(b->turning));
        add_body(world, &body, geometry, b);
    }
    fender_geometry_release(geometry);
    add_planes(world, scene);
    if (fender_world_initialize(world, &error)) bench_fail(error.message);
    return world;
}
static void *create_euler(const stepping_scene *scene) { return create(scene, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER); }
static void *create_rk4(const stepping_scene *scene) { return create(scene, FENDER_INTEGRATOR_RK4); }

static void advance(void *world, int steps)
{
    fender_error error = {0};
    if (fender_world_advance(world, steps, &error)) bench_fail(error.message);
}

static void read_state(void *world, int body, double position[3], double velocity[3])
{
    fender_body_data data;
    if (fender_body_get(world, fender_body_at(world, body), FENDER_CLOCK_COMMITTED, &data)) bench_fail("no state");
    const fender_vec3 p = data.center_position, v = data.center_velocity;
    position[0] = p.x, position[1] = p.y, position[2] = p.z;
    velocity[0] = v.x, velocity[1] = v.y, velocity[2] = v.z;
}

static void destroy(void *world) { fender_world_destroy(world); }

static const stepping_peer fender[] = {
    {"Fender, semi-implicit Euler", 1, 1000000, create_euler, advance, NULL, read_state, destroy},
    {"Fender, rk4", 1, 1000000, create_rk4, advance, NULL, read_state, destroy},
    {0},
};

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
    for (int r = 0; r < BENCH_REPEATS; r++) {
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
    for (int r = 0; r < BENCH_REPEATS;) {
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

/* Ten seconds from the start, several times. */
static rate measure_landing(const stepping_peer *peer, const stepping_scene *scene)
{
    const int steps = 10000;
    bench_sample sample = {{0}, 0};
    for (int r = 0; r < BENCH_REPEATS; r++) {
        void *world = make(peer, scene);
        bench_add(&sample, steps / seconds_of(peer, world, steps));
        double position[3], velocity[3];
        peer->read(world, 0, position, velocity);
        if (!(position[2] > 1.4 && position[2] < 1.6)) bench_fail("the lander does not stand");
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
    printf("  %-30s %12.4g  (%.4g .. %.4g)\n", peer->name, r.median, r.least, r.most);
    fflush(stdout);
    return r;
}

/* ---- the engines ---- */

enum { BULLET, ODE, SIMBODY, LAMMPS, ENGINES };
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
    [ENGINES] = NULL, /* none may be installed */
};
static const char *const packages[ENGINES] = {"libbullet-dev", "libode-dev", "libsimbody-dev", "lammps"};

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
        {1, {0.004, 0.004, 0.004}, {-0.3, 0.02, 0}, {1, 0, 0, 0}, {0.5, 0, 0}, {0.5, 0.2, 0.1}, 0.1, 0, NULL, 0},
        {1, {0.004, 0.004, 0.004}, {0.3, 0, 0.01}, {0.87758, 0, 0, 0.47943}, {-0.5, 0, 0}, {0, 0, 0}, 0.1, 0, NULL, 0},
    };
    for (int i = 0; capsules && i < 2; i++) {
        bodies[i].moments[0] = bodies[i].moments[1] = 0.02;
        bodies[i].half_length = 0.2;
    }
    const double crossed[4] = {0.77417, 0.63297, 0, 0};
    if (capsules) memcpy(bodies[1].attitude, crossed, sizeof crossed);
    stepping_scene scene = {{0, 0, 0}, 1e-3, 1e5, 50.45, 0.3, 0.7, bodies, 2, NULL, 0, 0};
    printf("two %s meet in free space, 2,000 steps of 1 ms\n", capsules ? "capsules" : "balls");
    rate euler = show(&fender[0], &scene, MEETING), rk4 = show(&fender[1], &scene, MEETING);
    show_engines(&scene, MEETING);
    if (capsules) {
        targets_add("two capsules, semi-implicit", "steps/s", euler.median, "ODE", best[ODE].median, 0);
        targets_add("two capsules, rk4", "steps/s", rk4.median, "ODE", best[ODE].median, 0);
    } else { /* 5 M and 1.5 M where Bullet had 1.5 M */
        targets_add("two spheres, semi-implicit", "steps/s", euler.median, "Bullet", best[BULLET].median, 5 / 1.5);
        targets_add("two spheres, rk4", "steps/s", rk4.median, "Bullet", best[BULLET].median, 1);
    }
}

/* 500 kg on eight spheres of 0.1 m falls 0.3 m to a plane in the Moon's gravity and comes to rest on it. */
static void lander(void)
{
    const double pi = 3.14159265358979324, roll = pi / 36, pitch = pi / 60, radius = 0.05;
    double feet[8][3], lowest = 0;
    stepping_body body = {500, {300, 300, 400}, {0}, {0}, {0.2, 0.1, -0.5}, {0.02, -0.01, 0.05}, radius, 0, feet, 8};
    const fender_quaternion q = fender_quaternion_product((fender_quaternion){cos(pitch / 2), 0, sin(pitch / 2), 0},
                                                          (fender_quaternion){cos(roll / 2), sin(roll / 2), 0, 0});
    for (int k = 0; k < 8; k++) {
        double angle = (45 + 90 * (k / 2)) * pi / 180, out = k % 2 ? 2.2 : 2.0;
        feet[k][0] = out * cos(angle), feet[k][1] = out * sin(angle), feet[k][2] = -1.5;
        double height = fender_quaternion_rotate(q, vector(feet[k])).z - radius;
        if (height < lowest) lowest = height;
    }
    body.attitude[0] = q.w, body.attitude[1] = q.x, body.attitude[2] = q.y, body.attitude[3] = q.z;
    body.position[2] = 0.3 - lowest;
    /* engines that give each body its own spring have two in a row here: a plane is one of them */
    const stepping_plane ground = {{0, 0, 1}, 0};
    stepping_scene scene = {{0, 0, -1.62}, 1e-3, 1e5, 2e3, 0.6, 0, &body, 1, &ground, 1, 0};
    printf("lander on eight feet, 10,000 steps of 1 ms from 0.3 m above the ground\n");
    rate euler = show(&fender[0], &scene, LANDING), rk4 = show(&fender[1], &scene, LANDING);
    show_engines(&scene, LANDING);
    /* 3 M and 800 k where Bullet had 249 k */
    targets_add("lander, semi-implicit", "steps/s", euler.median, "Bullet", best[BULLET].median, 3e6 / 249e3);
    targets_add("lander, rk4", "steps/s", rk4.median, "Bullet", best[BULLET].median, 8e5 / 249e3);
}

static double noise(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0 - 0.5;
}

/* Spheres of 0.1 m, 2,500 kg/m^3 in a box that they would fill to 60 % of their number's height, dropped and let
 * settle.
 */
static void pile(int count, double rates[2])
{
    double r = 0.05, mass = 2500 * 4.0 / 3 * 3.14159265358979324 * r * r * r, moment = 0.4 * mass * r * r;
    double side = cbrt(count * 4.0 / 3 * 3.14159265358979324 * r * r * r / 0.6);
    stepping_body *bodies = calloc((size_t)count, sizeof *bodies);
    if (!bodies) bench_fail("no memory");
    int across = (int)(side / (2.15 * r));
    unsigned state = (unsigned)count;
    for (int i = 0; i < count; i++) {
        double pitch = side / across;
        double x = (i % across + 0.5) * pitch + 0.006 * noise(&state);
        double y = (i / across % across + 0.5) * pitch + 0.006 * noise(&state);
        double z = (i / (across * across) + 0.5) * 2.15 * r;
        bodies[i] = (stepping_body){mass, {moment, moment, moment}, {x, y, z}, {1, 0, 0, 0}, {0}, {0}, r, 0, NULL, 0};
    }
    const stepping_plane planes[] = {
        {{0, 0, 1}, 0}, {{1, 0, 0}, 0}, {{-1, 0, 0}, -side}, {{0, 1, 0}, 0}, {{0, -1, 0}, -side}};
    stepping_scene scene = {{0, 0, -9.81}, 5e-4, 2e5, 300, 0.5, 0, bodies, count, planes, 5, side};
    for (int k = 0; k < 5; k++) { /* stopped five times */
        void *world = create_euler(&scene);
        advance(world, 700);
        double velocity[3];
        for (int i = 0; i < count; i++) read_state(world, i, bodies[i].position, velocity);
        destroy(world);
    }
    scene.step = 1e-3;
    scene.damping = 100;
    fender_world *world = create_euler(&scene);
    printf("settled pile of %d balls, steps of 1 ms; %d contacts\n", count,
           fender_contact_count(world, FENDER_CLOCK_COMMITTED));
    fender_world_destroy(world);
    rates[0] = show(&fender[0], &scene, REST).median;
    show_engines(&scene, REST);
    rates[1] = best[LAMMPS].median;
    char work[64];
    snprintf(work, sizeof work, "settled pile, %d spheres", count);
    targets_add(work, "steps/s", rates[0], "LAMMPS", rates[1], 1);
    free(bodies);
}

int main(int argc, char **argv)
{
    bool large = argc > 1 && strcmp(argv[1], "--large") == 0, missing = false;
    printf("steps per second of processor time, median (least .. most) of %d\n", BENCH_REPEATS);
    two_bodies(false);
    two_bodies(true);
    lander();
    double rates[3][2];
    for (int i = 0, count = 100; i < 2 + large; i++, count *= 10) {
        pile(count, rates[i]);
        if (i > 0)
            printf("  cost grows with the power %.2f of the number of balls (Fender), %.2f (LAMMPS)\n",
                   log10(rates[i - 1][0] / rates[i][0]), log10(rates[i - 1][1] / rates[i][1]));
    }
    targets_print();
    for (int e = 0; e < ENGINES; e++) {
        if (engines[e]) continue;
        fprintf(stderr, "benchmark: built without %s\n", packages[e]);
        missing = true;
    }
    return missing;
}
