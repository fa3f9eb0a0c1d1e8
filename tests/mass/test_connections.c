/* Connections are what holds bodies together, wherever links of the tree lead: detach, reattach and the loads of joints
 * against graphs of connections that are kept here. */
/* items: B011 B031 B068 */
#include "check.h"
#include "random_numbers.h"
#include "repeats.h"
#include "world/world.h"
#include <fender/fender.h>
#include <string.h>

static const fender_body_id no_body = {0};

static fender_world *new_world(double rotation)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = FENDER_INTEGRATOR_RK4;
    if (rotation > 0) {
        def.frame.kind = FENDER_FRAME_LOCAL;
        def.frame.planet = (fender_planet){.mu = 1, .equatorial_radius = 100, .rotation_rate = rotation};
    }
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    return world;
}

static fender_body_id add_ball(fender_world *world, const char *name, double mass, double x)
{
    fender_body_def def = fender_body_def_default();
    def.name = name;
    def.mass_properties.mass = mass;
    def.mass_properties.inertia = fender_mat3_diagonal(mass, mass, mass);
    def.state.position = fender_vec3_make(x, 0, 0);
    fender_body_id id;
    check_ok(fender_body_create(world, &def, &id, &error));
    return id;
}

static void join(fender_world *world, fender_body_id child, fender_body_id parent)
{
    fender_attach_def def = fender_attach_def_default();
    def.child = child;
    def.parent = parent;
    def.pose = FENDER_ATTACH_AS_IS;
    check_ok(fender_body_attach(world, &def, NULL, &error));
}

static double mass_of(const fender_world *world, fender_body_id body)
{
    fender_mass_properties whole;
    assert_int_equal(fender_body_get_mass(world, fender_body_root(world, body), FENDER_MASS_COMPOSITE, &whole), 0);
    return whole.mass;
}

static bool together(const fender_world *world, fender_body_id a, fender_body_id b)
{
    return fender_body_root(world, a).index1 == fender_body_root(world, b).index1;
}

static fender_interface_data load_of(const fender_world *world, fender_body_id a, fender_body_id b)
{
    const fender_body_frame frame = {.kind = FENDER_BODY_FRAME_STRUCTURE, .body = a};
    fender_interface_data data;
    assert_int_equal(fender_body_get_interface(world, frame, b, &data), FENDER_STATUS_OK);
    return data;
}

/* ---- a tug between a module and a station ---- */

typedef struct yard {
    fender_world *world;
    fender_body_id station, module, tug;
} yard;

/* The module carries the tug, which docks at the station: the module is the root of what is attached there. */
static yard docked(void)
{
    yard y = {.world = new_world(0)};
    y.station = add_ball(y.world, "station", 1000, 0);
    y.module = add_ball(y.world, "module", 500, -4);
    y.tug = add_ball(y.world, "tug", 100, -2);
    join(y.world, y.tug, y.module);
    fender_load_def push = fender_load_def_default();
    push.name = "push";
    push.body = y.module;
    push.at_center = false;
    push.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {-500, 0, 0}};
    check_ok(fender_load_create(y.world, &push, NULL, &error));
    check_ok(fender_world_initialize(y.world, &error));
    join(y.world, y.tug, y.station);
    return y;
}

/* Each of these cuts the joint of tug and module; the tug stays at the station. */
static void cut_is_the_joint_that_was_named(void **state)
{
    (void)state;
    for (int way = 0; way < 3; way++) {
        yard y = docked();
        fender_body_id freed;
        const fender_body_id body = way == 1 ? y.tug : y.module, from = way == 0   ? y.tug
                                                                        : way == 1 ? y.module
                                                                                   : no_body;
        check_ok(fender_body_detach(y.world, body, from, FENDER_DETACH_CONNECTION, &freed, &error));
        assert_int_equal(freed.index1, y.module.index1);
        assert_true(together(y.world, y.tug, y.station) && !together(y.world, y.module, y.station));
        assert_true(mass_of(y.world, y.tug) == 1100 && mass_of(y.world, y.module) == 500);
        check_ok(fender_world_advance(y.world, 10, &error));
        /* what is pulled is the module alone */
        fender_body_data module, tug;
        check_ok(fender_body_get(y.world, y.module, FENDER_CLOCK_COMMITTED, &module));
        check_ok(fender_body_get(y.world, y.tug, FENDER_CLOCK_COMMITTED, &tug));
        check_near(module.velocity.x, -fender_world_time(y.world), 1e-12); /* 500 N on 500 kg */
        check_near(tug.velocity.x, 0, 1e-15);
        /* the tug is named by one connection yet */
        check_ok(fender_body_detach(y.world, y.tug, no_body, FENDER_DETACH_CONNECTION, &freed, &error));
        assert_true(!together(y.world, y.tug, y.station));
        fender_error fault = {0};
        assert_int_equal(fender_body_detach(y.world, y.tug, no_body, FENDER_DETACH_CONNECTION, NULL, &fault),
                         FENDER_STATUS_TOPOLOGY);
        fender_world_destroy(y.world);
    }
}

/* JEOD's rule cuts the tree; what remains is named by what is there. */
static void rule_of_the_tree(void **state)
{
    (void)state;
    yard y = docked();
    fender_body_id child, parent;
    check_ok(fender_body_detach(y.world, y.tug, no_body, FENDER_DETACH_TREE, NULL, &error));
    assert_true(together(y.world, y.module, y.station) && !together(y.world, y.tug, y.station));
    assert_true(fender_body_connection(y.world, y.module, &child, &parent));
    assert_true(child.index1 == y.module.index1 && parent.index1 == y.station.index1);
    fender_error fault = {0};
    assert_int_equal(fender_body_detach(y.world, y.tug, no_body, FENDER_DETACH_CONNECTION, NULL, &fault),
                     FENDER_STATUS_TOPOLOGY);
    check_near(load_of(y.world, y.module, y.station).joint_force.x, 500.0 * 1000 / 1500, 1e-10);
    fender_world_destroy(y.world);
}

/* 500 N pull 1600 kg. The joint of tug and module carries 1100 kg along, that of tug and station 1000 kg. */
static void loads_are_those_of_the_joints(void **state)
{
    (void)state;
    const yard y = docked();
    check_near(load_of(y.world, y.tug, y.module).joint_force.x, -343.75, 1e-10);
    check_near(load_of(y.world, y.module, y.tug).joint_force.x, 343.75, 1e-10);
    check_near(load_of(y.world, y.tug, y.station).joint_force.x, 312.5, 1e-10);
    check_near(load_of(y.world, y.station, y.tug).joint_force.x, -312.5, 1e-10);
    fender_world_destroy(y.world);
}

/* The tug moves on the module, and what holds it to the station stays: station and tug move together. */
static void reattached_at_its_joint(void **state)
{
    (void)state;
    const yard y = docked();
    const fender_pose X = {{0, 3, 0}, {1, 0, 0, 0}};
    fender_attach_report report;
    check_ok(fender_body_reattach(y.world, y.tug, X, &report, &error));
    fender_body_data s, m, t;
    check_ok(fender_body_get(y.world, y.station, FENDER_CLOCK_COMMITTED, &s));
    check_ok(fender_body_get(y.world, y.module, FENDER_CLOCK_COMMITTED, &m));
    check_ok(fender_body_get(y.world, y.tug, FENDER_CLOCK_COMMITTED, &t));
    check_vector(fender_vec3_sub(t.position, m.position), fender_vec3_make(0, 3, 0), 1e-14);
    check_vector(fender_vec3_sub(s.position, t.position), fender_vec3_make(2, 0, 0), 1e-14);
    const double center = (500.0 * -4 + 100.0 * -2) / 1600; /* of all, on x; it stays */
    check_near((1000 * s.position.x + 500 * m.position.x + 100 * t.position.x) / 1600, center, 1e-14);
    assert_int_equal(report.moved.index1, y.module.index1);
    /* against the rest it has moved by (2, -3, 0), of which 1100 of 1600 kg stay behind */
    check_vector(report.child_displacement, fender_vec3_make(2 * 1100.0 / 1600, -3 * 1100.0 / 1600, 0), 1e-13);
    fender_world_destroy(y.world);
}

/* A snapshot whose connections name bodies elsewhere is refused: every link has one end above it and one below. */
static void snapshots_have_sound_names(void **state)
{
    (void)state;
    const yard y = docked();
    const int station = (int)y.station.index1 - 1, module = (int)y.module.index1 - 1, tug = (int)y.tug.index1 - 1;
    const int wrong[][2] = {{tug, module}, {station, station}, {-1, station}, {module, tug}};
    fnd_body *link = &y.world->model.bodies[module];
    const uint64_t hash = fender_world_hash(y.world);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const fnd_body kept = *link;
        link->connection_child = wrong[i][0];
        link->connection_parent = wrong[i][1];
        fender_snapshot *snapshot = fender_snapshot_take(y.world, NULL);
        assert_non_null(snapshot);
        *link = kept;
        assert_int_not_equal(fender_snapshot_restore(y.world, snapshot, NULL), FENDER_STATUS_OK);
        assert_true(fender_world_hash(y.world) == hash);
        fender_snapshot_destroy(snapshot);
    }
    fender_world_destroy(y.world);
}

/* A tank of 4 kg that a body at 3 m/s takes along has lost nothing: it brings 18 J, as the ledger has it. */
static void tank_brings_its_energy(void **state)
{
    (void)state;
    fender_world *world = new_world(0);
    const fender_body_id ship = add_ball(world, "ship", 10, 0);
    const fender_body_state moving = {.attitude = {1, 0, 0, 0}, .velocity = {3, 0, 0}};
    check_ok(fender_body_set_state(world, ship, &moving, &error));
    fender_body_def tank = fender_body_def_default();
    tank.name = "tank";
    tank.motion = FENDER_MOTION_MASS_ONLY;
    tank.mass_properties.mass = 4;
    tank.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
    fender_attach_def def = fender_attach_def_default();
    check_ok(fender_body_create(world, &tank, &def.child, &error));
    check_ok(fender_world_initialize(world, &error));
    def.parent = ship;
    fender_attach_report report;
    fender_ledger ledger;
    check_ok(fender_body_attach(world, &def, &report, &error));
    fender_world_ledger(world, &ledger);
    assert_true(report.kinetic_energy_lost == 0 && report.contact_energy_lost == 0);
    check_near(ledger.applied, 18, 1e-14);
    check_near(ledger.attachment, 0, 0);
    fender_world_destroy(world);
}

/* ---- parts that move ---- */

static const double times[] = {0, 1}, angles[] = {0, 1};

static void turn(fender_world *world, fender_body_id body)
{
    fender_part_motion motion = fender_part_motion_default();
    motion.axis = fender_vec3_make(0, 0, 1);
    motion.times = times;
    motion.angles = angles;
    motion.count = 2;
    check_ok(fender_body_set_part_motion(world, body, &motion, &error));
}

/* A ship that was docked by its arm is held itself: the arm, which would leave the port, is not moved. */
static void arm_that_holds_a_ship_stays(void **state)
{
    (void)state;
    fender_world *world = new_world(0);
    const fender_body_id station = add_ball(world, "station", 10, 0), ship = add_ball(world, "ship", 3, -4),
                         arm = add_ball(world, "arm", 1, -2);
    join(world, arm, ship);
    fender_attach_def def = fender_attach_def_default();
    def.child = arm;
    def.parent = station;
    def.pose = FENDER_ATTACH_AS_IS;
    turn(world, arm);
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_advance(world, 50, &error));
    const uint64_t hash = fender_world_hash(world);
    fender_error fault = {0};
    assert_int_equal(fender_body_attach(world, &def, NULL, &fault), FENDER_STATUS_TOPOLOGY);
    assert_non_null(strstr(fault.message, "relative to 'ship', and would take 'arm' away from 'station'"));
    assert_true(fender_world_hash(world) == hash);
    check_ok(fender_world_advance(world, 100, &error));
    check_ok(fender_body_attach(world, &def, NULL, &error));
    fault = (fender_error){0};
    assert_int_equal(fender_body_move_part(world, arm, fender_vec3_make(0, 0, 0), 0, 1, &fault),
                     FENDER_STATUS_TOPOLOGY);
    assert_non_null(strstr(fault.message, "'ship' is attached to 'station' by 'arm'"));
    assert_non_null(strstr(fault.suggestion, "'station' with the parent 'arm'"));
    fender_part_motion motion = fender_part_motion_default();
    assert_int_equal(fender_body_set_part_motion(world, arm, &motion, &fault), FENDER_STATUS_TOPOLOGY);
    check_ok(fender_body_set_part_motion(world, arm, NULL, &error));
    fender_world_destroy(world);
}

/* While a ship turns on a station, at which it was docked by its arm, it is not let go by the arm; when it rests it is,
 * and the arm stays where it is. */
static void ship_rests_before_it_is_let_go(void **state)
{
    (void)state;
    fender_world *world = new_world(0);
    const fender_body_id station = add_ball(world, "station", 10, 0), ship = add_ball(world, "ship", 3, -4),
                         arm = add_ball(world, "arm", 1, -2);
    join(world, arm, ship);
    join(world, arm, station);
    turn(world, ship);
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_advance(world, 50, &error));
    const uint64_t hash = fender_world_hash(world);
    fender_error fault = {0};
    assert_int_equal(fender_body_detach(world, arm, ship, FENDER_DETACH_CONNECTION, NULL, &fault),
                     FENDER_STATUS_TOPOLOGY);
    assert_non_null(strstr(fault.message, "'ship' moves relative to 'station'"));
    assert_int_equal(fender_body_reattach(world, arm, fender_pose_identity(), NULL, &fault), FENDER_STATUS_TOPOLOGY);
    assert_true(fender_world_hash(world) == hash);
    check_ok(fender_world_advance(world, 100, &error));
    fender_body_data before, after;
    fender_part_state gone;
    fender_body_id freed;
    check_ok(fender_body_get(world, arm, FENDER_CLOCK_COMMITTED, &before));
    check_ok(fender_body_detach(world, arm, ship, FENDER_DETACH_CONNECTION, &freed, &error));
    check_ok(fender_body_get(world, arm, FENDER_CLOCK_COMMITTED, &after));
    assert_int_equal(freed.index1, ship.index1);
    assert_true(together(world, arm, station) && !together(world, ship, station));
    check_vector(after.position, before.position, 1e-14);
    check_vector(after.velocity, before.velocity, 1e-14);
    assert_int_equal(fender_body_get_part(world, ship, &gone), FENDER_STATUS_ARGUMENT);
    check_ok(fender_world_advance(world, 10, &error));
    fender_world_destroy(world);
}

/* ---- random missions ---- */

enum { BODIES = 8 };

typedef struct edge {
    int child, parent;
} edge;

typedef struct mission {
    fender_world *world;
    fender_body_id body[BODIES];
    double mass[BODIES];
    edge edges[BODIES]; /* in the order in which they were made */
    int count;
} mission;

static mission begin(random_stream *s, double spin, double rotation)
{
    mission m = {.world = new_world(rotation)};
    for (int i = 0; i < BODIES; i++) {
        const char name[] = {(char)('a' + i), 0};
        fender_body_def def = fender_body_def_default();
        def.name = name;
        m.mass[i] = def.mass_properties.mass = random_between(s, 1, 20);
        def.mass_properties.center_of_mass = random_in_ball(s, 1);
        def.mass_properties.inertia = random_inertia(s, def.mass_properties.mass, 1);
        def.body_axes = random_rotation(s);
        def.state.position = random_in_ball(s, 5);
        def.state.attitude = random_rotation(s);
        def.state.velocity = fender_vec3_scale(spin, random_in_ball(s, 1));
        def.state.angular_velocity = fender_vec3_scale(spin, random_in_ball(s, 1));
        check_ok(fender_body_create(m.world, &def, &m.body[i], &error));
    }
    return m;
}

/* Fills the lowest body that each is connected to, but by one of the edges (-1: none). */
static void components(const mission *m, int without, int *lowest)
{
    for (int i = 0; i < BODIES; i++) lowest[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = 0; k < m->count; k++) {
            const int a = m->edges[k].child, b = m->edges[k].parent;
            if (k == without || lowest[a] == lowest[b]) continue;
            if (lowest[a] < lowest[b]) lowest[b] = lowest[a];
            else lowest[a] = lowest[b];
            changed = true;
        }
    }
}

/* What is one tree is one component, with its mass. */
static void check_components(const mission *m)
{
    int lowest[BODIES];
    components(m, -1, lowest);
    for (int i = 0; i < BODIES; i++) {
        double mass = 0;
        for (int k = 0; k < BODIES; k++) {
            assert_int_equal(together(m->world, m->body[i], m->body[k]), lowest[i] == lowest[k]);
            if (lowest[i] == lowest[k]) mass += m->mass[k];
        }
        check_near(mass_of(m->world, m->body[i]), mass, 1e-12 * mass);
    }
}

static void remove_edge(mission *m, int which)
{
    m->count--;
    for (int i = which; i < m->count; i++) m->edges[i] = m->edges[i + 1];
}

/* The edge that is meant by one or two names; -1: none. */
static int meant(const mission *m, int body, int from)
{
    int as_child = -1, named = -1;
    for (int i = 0; i < m->count; i++) {
        const edge e = m->edges[i];
        if (from >= 0 && !((e.child == body && e.parent == from) || (e.child == from && e.parent == body))) continue;
        if (e.child == body) as_child = i;
        if (e.child == body || e.parent == body) named = i;
    }
    return as_child >= 0 ? as_child : named;
}

static void attach_some(mission *m, random_stream *s)
{
    fender_attach_def def = fender_attach_def_default();
    const edge e = {random_below(s, BODIES), random_below(s, BODIES)};
    def.child = m->body[e.child];
    def.parent = m->body[e.parent];
    def.pose = FENDER_ATTACH_AS_IS;
    int lowest[BODIES];
    components(m, -1, lowest);
    fender_error fault = {0};
    const fender_status status = fender_body_attach(m->world, &def, NULL, &fault);
    assert_int_equal(status == FENDER_STATUS_OK, lowest[e.child] != lowest[e.parent]);
    if (!status) m->edges[m->count++] = e;
}

static void detach_some(mission *m, random_stream *s)
{
    const int body = random_below(s, BODIES), other = random_below(s, 2) ? random_below(s, BODIES) : -1;
    const int cut = other == body ? -1 : meant(m, body, other);
    fender_body_state before[BODIES], after;
    for (int i = 0; i < BODIES; i++)
        check_ok(fender_body_get_state(m->world, m->body[i], FENDER_CLOCK_COMMITTED, &before[i]));
    fender_error fault = {0};
    const fender_status status = fender_body_detach(m->world, m->body[body], other < 0 ? no_body : m->body[other],
                                                    FENDER_DETACH_CONNECTION, NULL, &fault);
    assert_int_equal(status == FENDER_STATUS_OK, cut >= 0);
    if (status) return;
    remove_edge(m, cut);
    for (int i = 0; i < BODIES; i++) { /* nothing feels it; lengths of 10 m and rounding of some products of poses */
        check_ok(fender_body_get_state(m->world, m->body[i], FENDER_CLOCK_COMMITTED, &after));
        check_vector(after.position, before[i].position, 1e-12);
        check_vector(after.velocity, before[i].velocity, 1e-12);
        check_vector(after.angular_velocity, before[i].angular_velocity, 1e-12);
    }
}

static fender_pose between(const mission *m, int body, int reference)
{
    const fender_body_frame a = {.kind = FENDER_BODY_FRAME_STRUCTURE, .body = m->body[body]},
                            b = {.kind = FENDER_BODY_FRAME_STRUCTURE, .body = m->body[reference]};
    fender_pose X;
    check_ok(fender_body_frame_relative(m->world, a, b, &X, &error));
    return X;
}

static double pose_gap(fender_pose a, fender_pose b)
{
    const fender_pose X = fender_pose_product(fender_pose_inverse(a), b);
    return fender_vec3_length(X.p) + 2 * sqrt(X.q.x * X.q.x + X.q.y * X.q.y + X.q.z * X.q.z);
}

/* One joint moves, and no other. */
static void reattach_some(mission *m, random_stream *s)
{
    const int body = random_below(s, BODIES);
    const fender_body_id parent = fender_body_parent(m->world, m->body[body]);
    const fender_pose X = {random_in_ball(s, 2), random_rotation(s)};
    if (!parent.index1) return;
    fender_body_id child, end;
    assert_true(fender_body_connection(m->world, m->body[body], &child, &end));
    const int moves = meant(m, (int)child.index1 - 1, (int)end.index1 - 1);
    fender_pose before[BODIES];
    for (int i = 0; i < m->count; i++) before[i] = between(m, m->edges[i].child, m->edges[i].parent);
    check_ok(fender_body_reattach(m->world, m->body[body], X, NULL, &error));
    check_below(pose_gap(between(m, body, (int)parent.index1 - 1), X), 1e-12);
    for (int i = 0; i < m->count; i++)
        if (i != moves) check_below(pose_gap(between(m, m->edges[i].child, m->edges[i].parent), before[i]), 1e-12);
}

/* Linear and angular momentum of all about the origin. */
static void momentum(const mission *m, fender_vec3 *linear, fender_vec3 *angular)
{
    *linear = *angular = fender_vec3_make(0, 0, 0);
    for (int i = 0; i < BODIES; i++) {
        if (fender_body_parent(m->world, m->body[i]).index1) continue;
        fender_body_data d;
        check_ok(fender_body_get(m->world, m->body[i], FENDER_CLOCK_COMMITTED, &d));
        *linear = fender_vec3_add(*linear, d.linear_momentum);
        *angular = fender_vec3_add(*angular, d.angular_momentum);
        *angular = fender_vec3_add(*angular, fender_vec3_cross(d.center_position, d.linear_momentum));
    }
}

static void random_missions(void **state)
{
    (void)state;
    int far = 0;
    for (int n = 0; n < repeats(200); n++) {
        random_stream s = random_of_case(8211, (uint64_t)n);
        mission m = begin(&s, 1, 0);
        check_ok(fender_world_initialize(m.world, &error));
        fender_vec3 p, L, p_before, L_before;
        for (int k = 0; k < 60; k++) {
            const int kind = random_below(&s, 8);
            momentum(&m, &p_before, &L_before);
            if (kind < 4) attach_some(&m, &s);
            else if (kind < 6) detach_some(&m, &s);
            else reattach_some(&m, &s);
            momentum(&m, &p, &L);
            check_vector(p, p_before, 1e-11); /* of 100 kg m/s, and 1000 kg m^2/s about the origin */
            check_vector(L, L_before, 1e-9);
            check_components(&m);
            for (int i = 0; i < BODIES; i++) {
                fender_body_id child;
                if (!fender_body_connection(m.world, m.body[i], &child, NULL)) continue;
                far += child.index1 != m.body[i].index1;
            }
        }
        fender_snapshot *snapshot = fender_snapshot_take(m.world, NULL);
        assert_non_null(snapshot);
        const uint64_t hash = fender_world_hash(m.world);
        for (int i = 0; i < 4; i++) detach_some(&m, &s);
        check_ok(fender_snapshot_restore(m.world, snapshot, &error));
        assert_true(fender_world_hash(m.world) == hash);
        fender_snapshot_destroy(snapshot);
        fender_world_destroy(m.world);
    }
    assert_true(far > repeats(1000)); /* links whose connection is elsewhere */
}

/* ---- loads of joints ---- */

static void push_all(mission *m, random_stream *s)
{
    for (int i = 0; i < BODIES; i++) {
        const char name[] = {'f', (char)('a' + i), 0};
        fender_load_def push = fender_load_def_default();
        push.name = name;
        push.body = m->body[i];
        push.at_center = false; /* what a body carries depends on its tree */
        push.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = random_in_ball(s, 10)};
        push.torque = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = random_in_ball(s, 10)};
        check_ok(fender_load_create(m->world, &push, NULL, &error));
    }
}

/* Attaches all bodies at random, or as told, with each child the root of its tree. */
static void assemble(mission *m, random_stream *s)
{
    while (m->count < BODIES - 1) attach_some(m, s);
}

/* The same connections, made from one body outwards, so that each link is its connection. */
static void assemble_alike(mission *m, const mission *of, int first)
{
    bool done[BODIES] = {false};
    done[first] = true;
    for (int n = 1; n < BODIES;)
        for (int k = 0; k < of->count; k++) {
            const edge e = of->edges[k];
            if (done[e.child] == done[e.parent]) continue;
            const int child = done[e.child] ? e.parent : e.child, parent = done[e.child] ? e.child : e.parent;
            join(m->world, m->body[child], m->body[parent]);
            done[child] = true;
            n++;
        }
}

/* A body that nothing hangs on, and which hangs on the same in both; -1: none. */
static int leaf_of_both(const mission *one, const mission *other)
{
    for (int i = 0; i < BODIES; i++) {
        const fender_body_id parent = fender_body_parent(one->world, one->body[i]);
        if (!parent.index1 || fender_body_parent(other->world, other->body[i]).index1 != parent.index1) continue;
        if (!fender_body_child_at(one->world, one->body[i], 0).index1 &&
            !fender_body_child_at(other->world, other->body[i], 0).index1)
            return i;
    }
    return -1;
}

/* Loads of joints do not depend on how bodies are hung on each other: in free space, in a frame that turns, and where a
 * part moves. */
static void loads_follow_connections(void **state)
{
    (void)state;
    int far = 0, moving = 0;
    for (int n = 0; n < repeats(200); n++) {
        random_stream s = random_of_case(8212, (uint64_t)n), again = s;
        const double rotation = n % 3 == 1 ? 0.5 : 0;
        mission one = begin(&s, 0, rotation), other = begin(&again, 0, rotation);
        push_all(&one, &s);
        push_all(&other, &again);
        assemble(&one, &s);
        assemble_alike(&other, &one, (int)fender_body_root(one.world, one.body[0]).index1 - 1);
        const fender_body_state spinning = {.attitude = random_rotation(&s), .angular_velocity = random_in_ball(&s, 2)};
        const int leaf = n % 3 == 2 ? leaf_of_both(&one, &other) : -1;
        for (int k = 0; k < 2; k++) {
            mission *m = k ? &other : &one;
            if (leaf >= 0) turn(m->world, m->body[leaf]);
            check_ok(fender_body_set_state(m->world, fender_body_root(m->world, m->body[0]), &spinning, &error));
            check_ok(fender_world_initialize(m->world, &error));
            if (leaf >= 0) check_ok(fender_world_advance(m->world, 30, &error));
        }
        moving += leaf >= 0;
        for (int a = 0; a < BODIES; a++)
            for (int b = 0; b < BODIES; b++) {
                if (a == b) continue;
                const fender_interface_data is = load_of(one.world, one.body[a], one.body[b]),
                                            meant = load_of(other.world, other.body[a], other.body[b]);
                check_vector(is.joint_force, meant.joint_force, 1e-9); /* of 1000 N, and 10 m times that */
                check_vector(is.joint_torque, meant.joint_torque, 1e-8);
            }
        for (int i = 0; i < BODIES; i++)
            far += fender_body_parent(one.world, one.body[i]).index1 !=
                   fender_body_parent(other.world, other.body[i]).index1;
        fender_world_destroy(one.world);
        fender_world_destroy(other.world);
    }
    assert_true(far > repeats(100) && moving > repeats(10));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cut_is_the_joint_that_was_named),
                                       cmocka_unit_test(rule_of_the_tree),
                                       cmocka_unit_test(loads_are_those_of_the_joints),
                                       cmocka_unit_test(reattached_at_its_joint),
                                       cmocka_unit_test(snapshots_have_sound_names),
                                       cmocka_unit_test(tank_brings_its_energy),
                                       cmocka_unit_test(arm_that_holds_a_ship_stays),
                                       cmocka_unit_test(ship_rests_before_it_is_let_go),
                                       cmocka_unit_test(random_missions),
                                       cmocka_unit_test(loads_follow_connections)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
