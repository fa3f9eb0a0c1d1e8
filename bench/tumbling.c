/* Torque-free tumbling beside other engines: cost of a step, and drift of energy and angular momentum over 1,000 s. */
#include "peers/tumbling.h"
#include "bench.h"
#include <fender/world.h>
#include <math.h>

/* The case of docs/performance.md. */
static const tumbling_start definition = {{1, 2, 3}, {0.05, 2, 0.05}, 1e-3};
static const double duration = 1000;

/* ---- Fender, in the form of the others ---- */

static void *create(const tumbling_start *start, fender_integrator_method method)
{
    fender_error error = {0};
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.step = start->step;
    fender_world *world = fender_world_create(&env, &def, &error);
    fender_body_def body = fender_body_def_default();
    body.name = "body";
    body.mass_properties.mass = 1;
    body.mass_properties.inertia = fender_mat3_diagonal(start->moments[0], start->moments[1], start->moments[2]);
    body.state.angular_velocity = fender_vec3_make(start->angular_velocity[0], start->angular_velocity[1],
                                                   start->angular_velocity[2]);
    fender_body_id id;
    if (!world || fender_body_create(world, &body, &id, &error) || fender_world_initialize(world, &error))
        bench_fail(error.message);
    return world;
}
static void *create_rk4(const tumbling_start *start) { return create(start, FENDER_INTEGRATOR_RK4); }
static void *create_verlet(const tumbling_start *start) { return create(start, FENDER_INTEGRATOR_VELOCITY_VERLET); }

static void advance(void *world, int steps)
{
    fender_error error = {0};
    for (int i = 0; i < steps; i++)
        if (fender_world_step(world, &error)) bench_fail(error.message);
}

static void read_state(void *world, double attitude[4], double angular_velocity[3])
{
    fender_body_data data;
    if (fender_body_get(world, fender_body_at(world, 0), FENDER_CLOCK_COMMITTED, &data)) bench_fail("no state");
    const double q[] = {data.attitude.w, data.attitude.x, data.attitude.y, data.attitude.z};
    const double w[] = {data.angular_velocity.x, data.angular_velocity.y, data.angular_velocity.z};
    for (int i = 0; i < 4; i++) attitude[i] = q[i];
    for (int i = 0; i < 3; i++) angular_velocity[i] = w[i];
}

static void destroy(void *world) { fender_world_destroy(world); }

static const tumbling_peer fender[] = {
    {"Fender, velocity_verlet", create_verlet, advance, read_state, destroy},
    {"Fender, rk4", create_rk4, advance, read_state, destroy},
    {0},
};

/* ---- measuring ---- */

typedef struct outcome {
    double cost; /* s of processor time for a step */
    double energy, size, direction;
} outcome;

/* Energy and angular momentum from attitude and angular velocity. */
static double measure(const tumbling_peer *peer, void *body, fender_vec3 *L)
{
    double q[4], w[3];
    peer->read(body, q, w);
    fender_vec3 own = {definition.moments[0] * w[0], definition.moments[1] * w[1], definition.moments[2] * w[2]};
    *L = fender_quaternion_rotate(fender_quaternion_normalized((fender_quaternion){q[0], q[1], q[2], q[3]}), own);
    return 0.5 * (own.x * w[0] + own.y * w[1] + own.z * w[2]);
}

static double larger(double a, double b) { return a > b ? a : b; }

static void *make(const tumbling_peer *peer, double step)
{
    tumbling_start start = definition;
    start.step = step;
    void *body = peer->create(&start);
    if (!body) bench_fail(peer->name);
    return body;
}

static double cost_of(const tumbling_peer *peer, double step)
{
    void *body = make(peer, step);
    bench_sample cost = {{0}, 0};
    int steps = 100;
    for (int r = 0; r < BENCH_REPEATS;) {
        double begin = bench_now();
        peer->advance(body, steps);
        double used = bench_now() - begin;
        if (used < 0.02) { /* too short for the clock */
            steps *= 2;
            continue;
        }
        bench_add(&cost, used / steps);
        r++;
    }
    peer->destroy(body);
    return bench_median(&cost);
}

static outcome run(const tumbling_peer *peer, double step)
{
    outcome o = {cost_of(peer, step), 0, 0, 0};
    void *body = make(peer, step);
    fender_vec3 L, now;
    double energy = measure(peer, body, &L), size = fender_vec3_length(L);
    int parts = 10000, each = (int)(duration / step / parts + 0.5);
    if (each < 1) each = 1, parts = (int)(duration / step + 0.5);
    for (int i = 0; i < parts; i++) {
        peer->advance(body, each);
        o.energy = larger(o.energy, fabs(measure(peer, body, &now) - energy) / energy);
        o.size = larger(o.size, fabs(fender_vec3_length(now) - size) / size);
        o.direction = larger(o.direction,
                             atan2(fender_vec3_length(fender_vec3_cross(L, now)), fender_vec3_dot(L, now)));
    }
    peer->destroy(body);
    return o;
}

static void print_row(const char *name, double step, const outcome *o)
{
    printf("%-30s %6g ms %12.0f %12.1f us %10.1e %10.1e %10.1e\n", name, 1e3 * step, 1 / o->cost, 1e6 * o->cost / step,
           o->energy, o->size, o->direction);
    fflush(stdout);
}

/* Fender with the shortest step of the 1-2-5 series at which a second costs no more than it cost the peer. */
static void beside(const outcome *peer)
{
    static const double steps[] = {1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        outcome o = run(&fender[0], steps[i]);
        if (o.cost / steps[i] > peer->cost / definition.step) continue;
        print_row("  Fender at that cost or less", steps[i], &o);
        return;
    }
}

static void show(const tumbling_peer *peers, const char *package)
{
    if (!peers) printf("%-30s missing: built without %s\n", "", package);
    for (int i = 0; peers && peers[i].name; i++) {
        outcome o = run(&peers[i], definition.step);
        print_row(peers[i].name, definition.step, &o);
        if (peers != fender) beside(&o);
    }
}

int main(void)
{
    printf("torque-free tumbling, moments 1, 2, 3 kg m^2, from (0.05, 2, 0.05) rad/s, %g s; processor time, median of "
           "%d;\nlargest drift of energy and of |L|, relative, and of the direction of L in rad, from attitude and "
           "angular "
           "velocity\n",
           duration, BENCH_REPEATS);
    printf("%-30s %9s %12s %15s %10s %10s %10s\n", "", "step", "steps/s", "a second costs", "energy", "|L|",
           "direction");
    show(fender, "");
    const tumbling_peer *ode = NULL, *bullet = NULL, *mujoco = NULL, *simbody = NULL;
#ifdef FENDER_BENCH_ODE
    ode = tumbling_ode;
#endif
#ifdef FENDER_BENCH_BULLET
    bullet = tumbling_bullet;
#endif
#ifdef FENDER_BENCH_MUJOCO
    mujoco = tumbling_mujoco;
#endif
#ifdef FENDER_BENCH_SIMBODY
    simbody = tumbling_simbody;
#endif
    show(ode, "ODE (libode-dev)");
    show(bullet, "Bullet (libbullet-dev)");
    show(mujoco, "MuJoCo (libmujoco-dev)");
    show(simbody, "Simbody (libsimbody-dev)");
    return 0;
}
