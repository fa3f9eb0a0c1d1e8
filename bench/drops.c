/* Landings per second and core: a dispersed lander drops on a plane and on a field of a million triangles, as a grid of
 * heights and as a mesh, beside MuJoCo; how many tip over; what it costs to build a world and to set one back; how much
 * two threads gain. On the plane, landings with stick-slip friction must end at rest, with a step that is stable there.
 *   fender_bench_drops [drops a row [runs]] */
#include "peers/drops.h"
#include "bench.h"
#include "targets.h"
#include <fender/advice.h>
#include <fender/fender.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

enum { PLANE, GRID, MESH, GROUNDS };
static const char *const ground_names[GROUNDS] = {"plane", "field, grid", "field, mesh"};
static int drops = 24;
static drop_ground grounds[GROUNDS];
static fender_geometry *ground_geometry[GROUNDS], *foot_geometry;
static double feet[DROP_FEET][3], *heights;

/* ---- starts */

static double uniform(uint64_t *state) /* splitmix64 */
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double normal(uint64_t *state)
{
    double a = uniform(state), b = uniform(state);
    return sqrt(-2 * log(a > 1e-300 ? a : 1e-300)) * cos(2 * 3.14159265358979323846 * b);
}

static double highest_below(const drop_ground *g, double x, double y)
{
    double high = 0;
    int i0 = (int)((x - 3 - g->lower[0]) / g->spacing[0]), j0 = (int)((y - 3 - g->lower[1]) / g->spacing[1]);
    int across = (int)(6 / g->spacing[0]) + 2, along = (int)(6 / g->spacing[1]) + 2;
    for (int j = j0; j < j0 + along; j++)
        for (int i = i0; i < i0 + across; i++) {
            double h = g->heights[(size_t)j * (size_t)g->count_x + (size_t)i];
            if (h > high || (i == i0 && j == j0)) high = h;
        }
    return high;
}

static drop_start start_of(int k, const drop_ground *ground)
{
    uint64_t r = 1000 + (uint64_t)k;
    double roll = 0.1 * normal(&r), pitch = 0.1 * normal(&r), yaw = 2 * 3.14159265358979323846 * uniform(&r);
    fender_quaternion q = fender_quaternion_product(
        (fender_quaternion){cos(yaw / 2), 0, 0, sin(yaw / 2)},
        fender_quaternion_product((fender_quaternion){cos(pitch / 2), 0, sin(pitch / 2), 0},
                                  (fender_quaternion){cos(roll / 2), sin(roll / 2), 0, 0}));
    double lowest = INFINITY;
    for (int i = 0; i < DROP_FEET; i++) {
        double z = fender_quaternion_rotate(q, fender_vec3_make(feet[i][0], feet[i][1], feet[i][2])).z - drop_foot;
        if (z < lowest) lowest = z;
    }
    drop_start s = {.position = {0, 0, 0.3 - lowest}, .attitude = {q.w, q.x, q.y, q.z}};
    for (int i = 0; i < 3; i++) s.velocity[i] = (i < 2 ? 0.3 : 0.2) * normal(&r) - (i < 2 ? 0 : 0.5);
    for (int i = 0; i < 3; i++) s.angular_velocity[i] = 0.05 * normal(&r);
    if (ground->count_x == 0) return s;
    for (int i = 0; i < 2; i++) s.position[i] = -40 + 80 * uniform(&r);
    s.position[2] += highest_below(ground, s.position[0], s.position[1]);
    return s;
}

/* ---- Fender */

typedef struct method_row {
    const char *name;
    fender_integrator_method method;
    bool sticks, locates;
    int longer; /* times the usual step; 0: once */
} method_row;

static void check(fender_status status, const fender_error *error)
{
    if (status == FENDER_STATUS_OK) return;
    fprintf(stderr, "%s: %s %s\n", error->path, error->message, error->found);
    bench_fail("Fender refused");
}

static fender_body_state state_of(const drop_start *s)
{
    fender_body_state state = {0};
    state.position = fender_vec3_make(s->position[0], s->position[1], s->position[2]);
    state.attitude = (fender_quaternion){s->attitude[0], s->attitude[1], s->attitude[2], s->attitude[3]};
    state.velocity = fender_vec3_make(s->velocity[0], s->velocity[1], s->velocity[2]);
    state.angular_velocity = fender_vec3_make(s->angular_velocity[0], s->angular_velocity[1], s->angular_velocity[2]);
    return state;
}

static fender_world *build(const method_row *row, int ground, const drop_start *start, fender_body_id *lander)
{
    fender_error error = {0};
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = row->method;
    def.step = drop_step * (row->longer > 0 ? row->longer : 1);
    def.locate_events = row->locates;
    def.gravity.kind = FENDER_GRAVITY_UNIFORM;
    def.gravity.acceleration = fender_vec3_make(0, 0, -drop_gravity);
    fender_world *world = fender_world_create(&env, &def, &error);
    if (!world) check(error.status, &error);
    fender_spring_damper_parameters push;
    fender_coulomb_parameters slide;
    fender_coulomb_static_kinetic_parameters stick;
    check(fender_spring_damper_parameters_default(&push, &error), &error);
    check(fender_coulomb_parameters_default(&slide, &error), &error);
    check(fender_coulomb_static_kinetic_parameters_default(&stick, &error), &error);
    push.stiffness = stick.stiffness = 1e5;
    push.damping = stick.damping = 2e3;
    slide.mu = stick.mu_static = drop_friction;
    slide.slip_speed = stick.stick_speed = 0.01;
    stick.mu_kinetic = 0.4;
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "foot";
    type.normal = fender_law_find(NULL, "spring_damper");
    type.normal_parameters = &push;
    type.friction = fender_law_find(NULL, row->sticks ? "coulomb_static_kinetic" : "coulomb");
    type.friction_parameters = row->sticks ? (const void *)&stick : &slide;
    fender_rule_def rule = fender_rule_def_default();
    rule.kind = FENDER_RULE_DEFAULT;
    check(fender_contact_type_create(world, &type, &rule.use, &error), &error);
    check(fender_rule_create(world, &rule, NULL, &error), &error);
    fender_body_def body = fender_body_def_default();
    fender_shape_def shape = fender_shape_def_default();
    body.name = "ground";
    body.motion = FENDER_MOTION_FIXED;
    check(fender_body_create(world, &body, lander, &error), &error);
    shape.name = "surface";
    shape.geometry = ground_geometry[ground];
    check(fender_shape_create(world, *lander, &shape, NULL, &error), &error);
    body = fender_body_def_default();
    body.name = "lander";
    body.mass_properties.mass = drop_mass;
    body.mass_properties.inertia = fender_mat3_diagonal(drop_inertia[0], drop_inertia[1], drop_inertia[2]);
    body.state = state_of(start);
    check(fender_body_create(world, &body, lander, &error), &error);
    for (int i = 0; i < DROP_FEET; i++) {
        char name[16];
        snprintf(name, sizeof name, "foot_%d", i);
        shape.name = name;
        shape.geometry = foot_geometry;
        shape.X_SG.p = fender_vec3_make(feet[i][0], feet[i][1], feet[i][2]);
        check(fender_shape_create(world, *lander, &shape, NULL, &error), &error);
    }
    check(fender_world_initialize(world, &error), &error);
    return world;
}

typedef struct crew {
    const method_row *row;
    int ground, first, last, tipped;
    double fastest; /* m/s; at the end, of those that have not tipped */
    double stable;  /* s; the longest stable step at the end of the last landing; asked for if not 0 */
    uint64_t hash;
} crew;

/* One world, set back for each drop. */
static void *work(void *argument)
{
    crew *c = argument;
    fender_error error = {0};
    fender_body_id lander;
    drop_start start = start_of(c->first, &grounds[c->ground]);
    fender_world *world = build(c->row, c->ground, &start, &lander);
    fender_snapshot *fresh = fender_snapshot_take(world, &error);
    if (!fresh) check(error.status, &error);
    for (int k = c->first; k < c->last; k++) {
        start = start_of(k, &grounds[c->ground]);
        fender_body_state state = state_of(&start);
        check(fender_snapshot_restore(world, fresh, &error), &error);
        check(fender_body_set_state(world, lander, &state, &error), &error);
        check(fender_world_advance_to(world, DROP_STEPS * drop_step, &error), &error);
        fender_body_data end;
        fender_body_get(world, lander, FENDER_CLOCK_COMMITTED, &end);
        bool tipped = fender_quaternion_rotate(end.attitude, fender_vec3_make(0, 0, 1)).z < 0.9;
        double speed = fender_vec3_length(end.velocity);
        c->tipped += tipped;
        if (!tipped && speed > c->fastest) c->fastest = speed;
        c->hash = 31 * c->hash + fender_world_hash(world);
    }
    if (c->stable > 0) check(fender_world_stable_step(world, &c->stable, &error), &error);
    fender_snapshot_destroy(fresh);
    fender_world_destroy(world);
    return NULL;
}

/* ---- rows: one line a run */

static void print_row(const char *ground, const char *engine, const char *name, double rate, int tipped, double fastest)
{
    printf("%-14s %s%-*s %9.1f %4d of %d   %8.1e\n", ground, engine, 46 - (int)strlen(engine), name, rate, tipped,
           drops, fastest);
    fflush(stdout);
}

static double best_peer(int ground, const char **name)
{
    double best = 0;
    *name = "MuJoCo (libmujoco-dev)";
#ifdef FENDER_BENCH_MUJOCO
    const int count = drops;
    for (const drop_peer *peer = drops_mujoco; peer->name; peer++) {
        void *of = peer->create(&grounds[ground], feet);
        if (!of) bench_fail(peer->name);
        int tipped = 0;
        double fastest = 0, begin = bench_now();
        for (int k = 0; k < count; k++) {
            drop_start start = start_of(k, &grounds[ground]);
            double speed;
            const bool tips = peer->drop(of, &start, &speed) < 0.9;
            tipped += tips;
            if (!tips && speed > fastest) fastest = speed;
        }
        const double rate = (double)count / (bench_now() - begin);
        print_row(ground ? "field" : "plane", "", peer->name, rate, tipped, fastest);
        if (rate > best) {
            best = rate;
            *name = peer->name;
        }
        peer->destroy(of);
    }
#else
    (void)ground;
#endif
    return best;
}

static double drop_rate(const method_row *row, int ground)
{
    const bool rests = row->sticks && ground == PLANE;
    double begin = bench_now();
    crew c = {.row = row, .ground = ground, .last = drops};
    work(&c);
    const double rate = drops / (bench_now() - begin);
    print_row(ground_names[ground], "Fender, ", row->name, rate, c.tipped, c.fastest);
    if (!rests) return rate;
    if (!(c.fastest < 1e-9)) bench_fail("a lander with stick-slip friction is not at rest");
    c = (crew){.row = row, .ground = ground, .last = 1, .stable = 1}; /* outside of the time */
    work(&c);
    if (!(drop_step * row->longer < c.stable)) bench_fail("the step is too long for the lander at rest");
    return rate;
}

static double wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double gain_of_two_threads(const method_row *row)
{
    double best[2] = {INFINITY, INFINITY};
    for (int r = 0; r < 6; r++) {
        pthread_t second;
        crew a = {.row = row, .last = r % 2 ? drops / 2 : drops}, b = {.row = row, .first = drops / 2, .last = drops};
        double begin = wall();
        if (r % 2 && pthread_create(&second, NULL, work, &b) != 0) bench_fail("no thread");
        work(&a);
        if (r % 2) pthread_join(second, NULL);
        double time = wall() - begin;
        if (time < best[r % 2]) best[r % 2] = time;
    }
    return best[0] / best[1];
}

static void costs_of_worlds(const method_row *row)
{
    fender_error error = {0};
    fender_body_id lander;
    drop_start start = start_of(0, &grounds[0]);
    fender_body_state state = state_of(&start);
    enum { TIMES = 2000 };
    double begin = bench_now();
    for (int i = 0; i < TIMES; i++) fender_world_destroy(build(row, 0, &start, &lander));
    double built = (bench_now() - begin) / TIMES;
    fender_world *world = build(row, 0, &start, &lander);
    fender_snapshot *fresh = fender_snapshot_take(world, &error);
    if (!fresh) check(error.status, &error);
    check(fender_world_advance(world, 1000, &error), &error);
    begin = bench_now();
    for (int i = 0; i < TIMES; i++) {
        check(fender_snapshot_restore(world, fresh, &error), &error);
        check(fender_body_set_state(world, lander, &state, &error), &error);
    }
    double set_back = (bench_now() - begin) / TIMES;
    size_t size;
    (void)fender_snapshot_bytes(fresh, &size);
    printf("\na world of 9 shapes: built in %.1f us, set back to another state in %.2f us (its snapshot: %zu bytes)\n",
           1e6 * built, 1e6 * set_back, size);
    fender_snapshot_destroy(fresh);
    fender_world_destroy(world);
}

/* The same heights; each cell has two triangles. */
static fender_geometry *mesh_of(const fender_env *env, const fender_grid_def *grid, fender_error *error)
{
    const int nx = grid->count_x, ny = grid->count_y, count = 2 * (nx - 1) * (ny - 1);
    fender_vec3 *vertices = malloc((size_t)nx * (size_t)ny * sizeof *vertices);
    int32_t(*triangles)[3] = malloc((size_t)count * sizeof *triangles);
    if (!vertices || !triangles) bench_fail("no memory");
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            vertices[j * nx + i] = fender_vec3_make(grid->lower.x + i * grid->spacing.x,
                                                    grid->lower.y + j * grid->spacing.y,
                                                    grid->heights[(size_t)j * (size_t)nx + (size_t)i]);
    for (int j = 0, t = 0; j < ny - 1; j++)
        for (int i = 0; i < nx - 1; i++) {
            const int32_t at = j * nx + i, corners[2][3] = {{at, at + 1, at + nx + 1}, {at, at + nx + 1, at + nx}};
            memcpy(triangles[t], corners, sizeof corners);
            t += 2;
        }
    fender_mesh_def def = {vertices, nx * ny, triangles[0], count};
    fender_geometry *mesh = fender_geometry_mesh(env, &def, error);
    free(vertices);
    free(triangles);
    return mesh;
}

static void set_up(void)
{
    for (int k = 0; k < DROP_FEET; k++) {
        double angle = (45 + 90 * (k / 2)) * 3.14159265358979323846 / 180, radius = k % 2 ? 2.2 : 2.0;
        feet[k][0] = radius * cos(angle);
        feet[k][1] = radius * sin(angle);
        feet[k][2] = -1.5;
    }
    fender_error error = {0};
    fender_env env = fender_env_default();
    fender_hazard_field field = fender_hazard_field_default();
    fender_grid_def grid;
    heights = malloc(sizeof *heights * (size_t)(field.cells[0] + 1) * (size_t)(field.cells[1] + 1));
    if (!heights) bench_fail("no memory");
    check(fender_hazard_field_heights(&field, heights, &grid, &error), &error);
    grounds[GRID] = (drop_ground){
        grid.count_x, grid.count_y, {grid.lower.x, grid.lower.y}, {grid.spacing.x, grid.spacing.y}, heights};
    grounds[MESH] = grounds[GRID];
    ground_geometry[PLANE] = fender_geometry_plane(&env, &error);
    ground_geometry[GRID] = fender_geometry_grid(&env, &grid, &error);
    ground_geometry[MESH] = mesh_of(&env, &grid, &error);
    foot_geometry = fender_geometry_sphere(&env, drop_foot, &error);
    for (int i = 0; i < GROUNDS; i++)
        if (!ground_geometry[i]) check(error.status, &error);
    if (!foot_geometry) check(error.status, &error);
}

int main(int argc, char **argv)
{
    const fender_integrator_method euler = FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, rk4 = FENDER_INTEGRATOR_RK4;
    const method_row rows[] = {{"semi-implicit Euler, smooth friction", euler, false, false, 1},
                               {"semi-implicit Euler, stick-slip", euler, true, false, 1},
                               {"RK4, smooth friction", rk4, false, false, 1},
                               {"RK4, stick-slip", rk4, true, false, 1},
                               {"RK4, smooth friction, located events", rk4, false, true, 1},
                               {"RK4, stick-slip, located events", rk4, true, true, 1},
                               {"RK4, stick-slip, located, 4 ms", rk4, true, true, 4},
                               {"RK4, stick-slip, located, 10 ms", rk4, true, true, 10},
                               {"dop853, stick-slip", FENDER_INTEGRATOR_DOP853, true, true, 1}};
    if (argc > 1 && atoi(argv[1]) > 1) drops = atoi(argv[1]);
    const int runs = argc > 2 ? atoi(argv[2]) : BENCH_RUNS;
    if (runs < 1 || runs > BENCH_REPEATS) bench_fail("1 to 7 runs");
    set_up();
    printf("%-14s %-46s %9s   tipped    m/s at the end\n", "landings", "", "a second");
    for (int run = 0; run < runs; run++) {
        const char *name = NULL;
        double peer = 0;
        for (int ground = 0; ground < GROUNDS; ground++) {
            if (ground != MESH) peer = best_peer(ground, &name); /* MuJoCo's meshes are convex */
            for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
                double rate = drop_rate(&rows[i], ground);
                const bool all = rows[i].sticks && rows[i].locates && rows[i].method == rk4 && rows[i].longer == 1;
                char text[64];
                snprintf(text, sizeof text, "%s: %s", ground_names[ground], rows[i].name);
                targets_add(text, "1/s", rate, name, peer, i == 0 ? (ground ? 10 : 15) : all ? (ground ? 4 : 5) : 0);
            }
        }
    }
    costs_of_worlds(&rows[0]);
    printf("two threads: %.2f times one\n", gain_of_two_threads(&rows[0]));
    targets_print();
    for (int i = 0; i < GROUNDS; i++) fender_geometry_release(ground_geometry[i]);
    fender_geometry_release(foot_geometry);
    free(heights);
    return 0;
}
