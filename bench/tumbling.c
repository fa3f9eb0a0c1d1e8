/* Torque-free tumbling beside other engines: cost of a step, and drift of energy and angular momentum over 1,000 s. */
#include "peers/tumbling.h"
#include "bench.h"
#include <fender/fender.h>
#include <math.h>

/* The cases of docs/performance.md. */
typedef struct tumbling_case {
    tumbling_start start;
    double duration; /* s */
    double patience; /* s of processor time for a run */
    bool beside;     /* also Fender with a step that costs as much as the peer's */
} tumbling_case;

static const tumbling_case cases[] = {
    {{{1, 2, 3}, {0.05, 2, 0.05}, 1e-3}, 1000, INFINITY, true},
    {{{1, 2, 3}, {1e-6, 2, 1e-6}, 1e-3}, 10000, 40, false},
};

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
static double measure(const tumbling_peer *peer, const tumbling_start *start, void *body, fender_vec3 *L)
{
    double q[4], w[3];
    peer->read(body, q, w);
    fender_vec3 own = {start->moments[0] * w[0], start->moments[1] * w[1], start->moments[2] * w[2]};
    *L = fender_quaternion_rotate(fender_quaternion_normalized((fender_quaternion){q[0], q[1], q[2], q[3]}), own);
    return 0.5 * (own.x * w[0] + own.y * w[1] + own.z * w[2]);
}

static double larger(double a, double b) { return a > b ? a : b; }

static void *make(const tumbling_peer *peer, const tumbling_start *start)
{
    void *body = peer->create(start);
    if (!body) bench_fail(peer->name);
    return body;
}

static double cost_of(const tumbling_peer *peer, const tumbling_start *start)
{
    void *body = make(peer, start);
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

static void run(const tumbling_peer *peer, const tumbling_start *start, double duration, outcome *o)
{
    void *body = make(peer, start);
    fender_vec3 L, now;
    double energy = measure(peer, start, body, &L), size = fender_vec3_length(L);
    int parts = 10000, each = (int)(duration / start->step / parts + 0.5);
    for (int i = 0; i < parts; i++) {
        peer->advance(body, each);
        o->energy = larger(o->energy, fabs(measure(peer, start, body, &now) - energy) / energy);
        o->size = larger(o->size, fabs(fender_vec3_length(now) - size) / size);
        double sine = fender_vec3_length(fender_vec3_cross(L, now));
        o->direction = larger(o->direction, atan2(sine, fender_vec3_dot(L, now)));
    }
    peer->destroy(body);
}

/* The cost for a second is returned. */
static double print_row(const tumbling_peer *peer, const char *name, const tumbling_case *of, double step, double most)
{
    tumbling_start start = of->start;
    start.step = step;
    outcome o = {cost_of(peer, &start), 0, 0, 0};
    double second = o.cost / step;
    if (second > most) return second;
    printf("%-30s %6g ms %12.0f %12.1f us ", name, 1e3 * step, 1 / o.cost, 1e6 * second);
    fflush(stdout);
    if (second * of->duration > of->patience) {
        printf("  not run: it would take %.0f s\n", second * of->duration);
        return second;
    }
    run(peer, &start, of->duration, &o);
    printf("%10.1e %10.1e %10.1e\n", o.energy, o.size, o.direction);
    fflush(stdout);
    return second;
}

static void show(const tumbling_case *of, const tumbling_peer *peers, const char *package)
{
    static const double steps[] = {1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1}; /* 10,000 parts of 1,000 s at most */
    if (!peers) printf("%-30s missing: built without %s\n", "", package);
    for (int i = 0; peers && peers[i].name; i++) {
        double most = print_row(&peers[i], peers[i].name, of, of->start.step, INFINITY);
        if (peers == fender || !of->beside) continue;
        /* the shortest step at which a second costs Fender no more than it cost the peer */
        for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++)
            if (print_row(&fender[0], "  Fender at that cost or less", of, steps[k], most) <= most) break;
    }
}

int main(void)
{
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
    printf("torque-free tumbling, moments 1, 2, 3 kg m^2; processor time, median of %d; largest drift of energy and of "
           "|L|, relative,\nand of the direction of L in rad, from attitude and angular velocity\n",
           BENCH_REPEATS);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double *w = cases[i].start.angular_velocity;
        printf("\nfrom (%g, %g, %g) rad/s, %g s\n%-30s %9s %12s %15s %10s %10s %10s\n", w[0], w[1], w[2],
               cases[i].duration, "", "step", "steps/s", "a second costs", "energy", "|L|", "direction");
        show(&cases[i], fender, "");
        show(&cases[i], ode, "ODE (libode-dev)");
        show(&cases[i], bullet, "Bullet (libbullet-dev)");
        show(&cases[i], mujoco, "MuJoCo (libmujoco-dev)");
        show(&cases[i], simbody, "Simbody (libsimbody-dev)");
    }
    return 0;
}
