/* Probes in a world: energy while a body tumbles on them over facets, Coulomb's limit on slanted lines, anchors, what
 * comes out of the ground, snapshots, and the same as points where lines are vertical. */
/* items: M003 M006 M007 M025 M026 M028 M044 M046 */
#include "check.h"
#include "random_numbers.h"
#include <string.h>

typedef struct set_up {
    fender_integrator_method method;
    double step, stiffness, damping, mu, range, cushion, gravity;
    bool literal, points, rough, plane, locate, limited;
    fender_body_state state;
    fender_vec3 direction;
} set_up;

typedef struct rig {
    fender_world *world;
    fender_body_id body;
    fender_shape_id ground, feet[4];
} rig;

static const fender_vec3 feet[4] = {{0.5, 0.5, -0.4}, {0.5, -0.5, -0.4}, {-0.5, -0.5, -0.4}, {-0.5, 0.5, -0.4}};

static fender_geometry *ground_of(const set_up *s, const fender_env *env)
{
    enum { SIDE = 21 };
    double heights[SIDE * SIDE];
    random_stream r = random_of_case(650, 0);
    if (s->plane) return fender_geometry_plane(env, NULL);
    for (int i = 0; i < SIDE * SIDE; i++) heights[i] = s->rough ? random_between(&r, -0.15, 0.15) : 0;
    fender_grid_def def = {SIDE, SIDE, {-10, -10}, {1, 1}, heights};
    return fender_geometry_grid(env, &def, NULL);
}

static void set(const fender_law *law, void *parameters, const char *name, double value)
{
    fender_field_set(fender_field_find(&law->parameters, name), parameters, 0, value);
}

static rig rig_build(const set_up *s)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = s->method;
    def.step = s->step;
    def.relative_tolerance = 1e-9;
    def.locate_events = s->locate;
    if (s->limited) def.depth_limit = FENDER_DEPTH_OF_SHAPES;
    def.gravity = (fender_gravity){.kind = FENDER_GRAVITY_UNIFORM, .acceleration = {0, 0, -s->gravity}};
    rig g = {.world = fender_world_create(&env, &def, NULL)};
    union {
        double align;
        char bytes[256];
    } normal, friction;
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "foot", .normal = fender_law_find(NULL, "spring_damper")};
    (void)fender_field_initialize(&type.normal->parameters, normal.bytes, sizeof normal.bytes, NULL);
    set(type.normal, normal.bytes, "stiffness", s->stiffness);
    set(type.normal, normal.bytes, "damping", s->damping);
    type.normal_parameters = normal.bytes;
    if (s->mu > 0) {
        type.friction = fender_law_find(NULL, "coulomb_static_kinetic");
        (void)fender_field_initialize(&type.friction->parameters, friction.bytes, sizeof friction.bytes, NULL);
        set(type.friction, friction.bytes, "mu_static", s->mu);
        set(type.friction, friction.bytes, "mu_kinetic", s->mu);
        set(type.friction, friction.bytes, "stiffness", s->stiffness);
        set(type.friction, friction.bytes, "damping", 0.02 * s->stiffness);
        set(type.friction, friction.bytes, "stick_speed", 5e-3);
        type.friction_parameters = friction.bytes;
    }
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT};
    check_ok(fender_contact_type_create(g.world, &type, &rule.use, &error));
    check_ok(fender_rule_create(g.world, &rule, NULL, &error));
    fender_body_def body = fender_body_def_default();
    fender_body_id ground;
    body.name = "ground";
    body.motion = FENDER_MOTION_FIXED;
    check_ok(fender_body_create(g.world, &body, &ground, &error));
    fender_shape_def shape = fender_shape_def_default();
    shape.name = "surface";
    shape.geometry = ground_of(s, &env);
    check_ok(fender_shape_create(g.world, ground, &shape, &g.ground, &error));
    fender_geometry_release(shape.geometry);
    body.name = "craft";
    body.motion = FENDER_MOTION_DYNAMIC;
    body.mass_properties.mass = 10;
    body.mass_properties.inertia = fender_mat3_diagonal(1.5, 1.7, 1.2);
    body.state = s->state;
    check_ok(fender_body_create(g.world, &body, &g.body, &error));
    shape.geometry = s->points    ? fender_geometry_point(&env, NULL)
                     : s->literal ? fender_geometry_probe_literal(&env, s->range, s->cushion, NULL)
                                  : fender_geometry_probe(&env, s->range, s->cushion, NULL);
    for (int i = 0; i < 4; i++) {
        char name[24];
        snprintf(name, sizeof name, "foot%d", i);
        shape.name = name;
        shape.X_SG.p = feet[i];
        fender_vec3 d = s->direction, axis = {-d.y, d.x, 0};
        double sine = fender_vec3_length(axis), half = 0.5 * atan2(sine, d.z);
        shape.X_SG.q = sine > 0
                           ? (fender_quaternion){cos(half), sin(half) / sine * axis.x, sin(half) / sine * axis.y, 0}
                           : (fender_quaternion){0, 1, 0, 0};
        check_ok(fender_shape_create(g.world, g.body, &shape, &g.feet[i], &error));
    }
    fender_geometry_release(shape.geometry);
    check_ok(fender_world_initialize(g.world, &error));
    return g;
}

static set_up usual(void)
{
    return (set_up){.method = FENDER_INTEGRATOR_DOP853,
                    .step = 2e-3,
                    .stiffness = 2e4,
                    .range = 0.8,
                    .cushion = 0.05,
                    .gravity = 9.81,
                    .state = {{0.1, 0.2, 1.5}, {0.98, 0.15, 0.1, 0.05}, {1, 0.5, 0}, {0.3, -0.4, 0.2}},
                    .direction = {0, 0, -1}};
}

static double energy_of(const fender_world *world)
{
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    return ledger.kinetic + ledger.gravitational + ledger.stored;
}

/* Springs alone on four probes: what they store is what they give back, on all facets. */
static void energy(void **state)
{
    (void)state;
    double drift[2] = {0, 0};
    int touches = 0;
    for (int rough = 0; rough < 2; rough++)
        for (int k = 0; k < 4; k++) {
            set_up s = usual();
            s.rough = rough;
            random_stream r = random_of_case(651, (uint64_t)k);
            s.state.attitude = fender_quaternion_normalized((fender_quaternion){
                1, random_between(&r, -0.1, 0.1), random_between(&r, -0.1, 0.1), random_between(&r, -1, 1)});
            s.state.position.z = 0.8; /* it stays on its feet: what rolls on its side looks along the ground */
            s.state.angular_velocity = fender_vec3_scale(0.2, s.state.angular_velocity);
            s.direction = k % 2 ? fender_vec3_make(0.3, 0.1, -0.9) : fender_vec3_make(0, 0, -1);
            rig g = rig_build(&s);
            double start = energy_of(g.world), most = 0;
            while (fender_world_time(g.world) < 3) {
                check_ok(fender_world_advance_to(g.world, fender_world_time(g.world) + 2e-3, &error));
                most = larger(most, fabs(energy_of(g.world) - start));
            }
            touches += (int)fender_world_event_count(g.world, FENDER_EVENT_BEGIN);
            fender_ledger ledger;
            fender_world_ledger(g.world, &ledger);
            drift[rough] = larger(drift[rough], most / ledger.scale);
            fender_world_destroy(g.world);
        }
    print_message("springs alone: energy off its start by %.1e of the scale on a level grid, %.1e over facets; %d "
                  "touches\n",
                  drift[0], drift[1], touches);
    assert_true(touches > 50);
    check_below(drift[0], 1e-9);
    /* a step that crosses an edge of facets has the order of a kink */
    check_below(drift[1], 1e-6);
}

/* A line of sight at 45 degrees: the force along the normal is twice the law's over the slanted depth's root, friction
 * stays within mu of it, and the anchor lies where the foot touched. */
static void slanted(void **state)
{
    (void)state;
    set_up s = usual();
    s.method = FENDER_INTEGRATOR_RK4;
    s.step = 5e-4;
    s.plane = true;
    s.mu = 0.6;
    s.damping = 300;
    s.cushion = 0;
    s.direction = fender_vec3_make(0.6, 0, -0.8);
    s.state = (fender_body_state){{0, 0, 0.4}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    rig g = rig_build(&s);
    check_ok(fender_world_advance_to(g.world, 15, &error));
    fender_contact_data c;
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        check_ok(fender_contact_between(g.world, g.ground, g.feet[i], &c));
        sum += c.normal_force;
        check_near(c.normal_force, s.stiffness * c.depth / 0.8, 1e-5 * c.normal_force); /* k l / |n.u| */
        check_near(c.stored_energy,
                   0.5 * s.stiffness * (c.depth * c.depth + c.stretch.x * c.stretch.x + c.stretch.y * c.stretch.y),
                   1e-12);
        assert_true(c.friction_force <= s.mu * c.normal_force * (1 + 1e-12));
        /* delta vector in the facet's axes: minus the overshoot, then what the spring across is stretched (M008, M026)
         */
        check_near(c.surface_offset.x, -c.depth, 1e-15);
        check_near(fender_vec3_length(fender_vec3_sub(c.point, c.anchor)),
                   sqrt(c.stretch.x * c.stretch.x + c.stretch.y * c.stretch.y), 1e-15);
        check_near(c.surface_force.x, c.normal_force, 1e-9);
        check_near(c.surface_force.y, -s.stiffness * c.surface_offset.y, 1e-5 * c.normal_force); /* east */
        check_near(c.surface_force.z, -s.stiffness * c.surface_offset.z, 1e-5 * c.normal_force); /* north */
        /* a level facet's axes are up, east, north (M025) */
        fender_vec3 up = fender_quaternion_rotate(c.surface_frame, fender_vec3_make(1, 0, 0));
        fender_vec3 east = fender_quaternion_rotate(c.surface_frame, fender_vec3_make(0, 1, 0));
        check_vector(up, fender_vec3_make(0, 0, 1), 1e-15);
        check_vector(east, fender_vec3_make(1, 0, 0), 1e-15);
    }
    check_near(sum, 98.1, 1e-4);
    fender_world_destroy(g.world);
}

/* Vertical lines without cushion on a plane are points, to rounding. */
static void like_points(void **state)
{
    (void)state;
    set_up s = usual();
    s.method = FENDER_INTEGRATOR_RK4;
    s.step = 5e-4;
    s.plane = true;
    s.damping = 50;
    s.mu = 0.5;
    s.cushion = 0;
    s.state.attitude = fender_quaternion_identity();
    s.state.velocity = fender_vec3_make(0, 0, 0); /* level all the time */
    s.state.angular_velocity = fender_vec3_make(0, 0, 1);
    fender_body_data end[2];
    for (int points = 0; points < 2; points++) {
        s.points = points;
        rig g = rig_build(&s);
        check_ok(fender_world_advance_to(g.world, 1.5, &error));
        fender_body_get(g.world, g.body, FENDER_CLOCK_COMMITTED, &end[points]);
        fender_world_destroy(g.world);
    }
    double apart = fender_vec3_length(fender_vec3_sub(end[0].position, end[1].position));
    print_message("probes and points, 1.5 s with bounces and slip: %.1e m apart\n", apart);
    check_below(apart,
                2e-3); /* as the body leans, a probe's line leans with it: 0.05 m deep, some hundredths of a rad */
}

/* A line of sight that comes out of the ground, sideways: it does not push before it has been above. */
static void out_of_the_ground(void **state)
{
    (void)state;
    set_up s = usual();
    s.method = FENDER_INTEGRATOR_RK4;
    s.step = 1e-3;
    s.gravity = 0;
    s.cushion = 0;
    s.plane = true;
    /* feet 1.4 m below the ground, starts of the rays 0.6 m below; it rises at 1 m/s */
    s.state = (fender_body_state){{0, 0, -1}, {1, 0, 0, 0}, {0, 0, 1}, {0, 0, 0}};
    rig g = rig_build(&s);
    fender_body_data data;
    while (fender_world_time(g.world) < 2) {
        check_ok(fender_world_step(g.world, &error));
        fender_body_get(g.world, g.body, FENDER_CLOCK_COMMITTED, &data);
        check_near(data.velocity.z, 1, 0);
    }
    assert_int_equal(fender_world_event_count(g.world, FENDER_EVENT_BEGIN), 0);
    fender_world_destroy(g.world);
    /* but what is deep at the start is pushed out */
    s.state.position.z = -0.2;
    s.state.velocity.z = 0;
    g = rig_build(&s);
    check_ok(fender_world_advance_to(g.world, 0.1, &error));
    fender_body_get(g.world, g.body, FENDER_CLOCK_COMMITTED, &data);
    assert_true(data.velocity.z > 1);
    fender_world_destroy(g.world);
}

/* A step longer than the line never takes it past the ground: feet on lines of 0.85 m that move by 1 m a step touch and
 * bounce, or an error tells that the step goes beyond the line; at 3 m a step the spring does not hold them. */
static void fast(void **state)
{
    (void)state;
    static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_VELOCITY_VERLET,
                                                       FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, FENDER_INTEGRATOR_RK4};
    int bounced = 0;
    for (int n = 0; n < 96; n++) {
        const bool held = n < 48;
        set_up s = usual();
        s.method = methods[n % 3];
        s.step = 0.05;
        s.stiffness = 2000;
        s.limited = true;
        s.gravity = 0;
        s.plane = n % 2 == 0;
        s.state = (fender_body_state){
            {0.1, 0.2, 2.5 + 0.041 * (n % 48)}, {1, 0, 0, 0}, {0, 0, held ? -20 : -60}, {0, 0, 0}};
        rig g = rig_build(&s);
        fender_error found = {0};
        fender_body_data data;
        const fender_status status = fender_world_advance(g.world, 8, &found);
        fender_body_get(g.world, g.body, FENDER_CLOCK_COMMITTED, &data);
        assert_int_equal(fender_world_event_count(g.world, FENDER_EVENT_BEGIN), 4);
        const bool ended = status == FENDER_STATUS_INTEGRATOR && strstr(found.message, "depth");
        assert_true(ended || (held && status == FENDER_STATUS_OK && data.velocity.z > 0));
        bounced += !ended;
        fender_world_destroy(g.world);
    }
    print_message("steps longer than the line: %d of 48 bounced\n", bounced);
    assert_true(bounced > 0);
}

static void snapshots(void **state)
{
    (void)state;
    set_up s = usual();
    s.method = FENDER_INTEGRATOR_RK4;
    s.rough = true;
    s.damping = 40;
    s.mu = 0.6;
    rig g = rig_build(&s), other = rig_build(&s);
    check_ok(fender_world_advance(g.world, 300, &error));
    fender_snapshot *snapshot = fender_snapshot_take(g.world, NULL);
    check_ok(fender_world_advance(g.world, 500, &error));
    check_ok(fender_snapshot_restore(other.world, snapshot, &error));
    check_ok(fender_world_advance(other.world, 500, &error));
    assert_true(fender_world_hash(g.world) == fender_world_hash(other.world));
    fender_snapshot_destroy(snapshot);
    fender_world_destroy(g.world);
    fender_world_destroy(other.world);
}

/* The paper's form on the same rough ground makes energy where facets change; it is kept to be compared with. */
static void literal(void **state)
{
    (void)state;
    double gained[2];
    for (int form = 0; form < 2; form++) {
        set_up s = usual();
        s.method = FENDER_INTEGRATOR_RK4;
        s.step = 2e-4;
        s.locate = true;
        s.rough = true;
        s.literal = form;
        s.direction = fender_vec3_make(0.3, 0.1, -0.9);
        rig g = rig_build(&s);
        double start = energy_of(g.world);
        gained[form] = 0;
        for (int i = 0; i < 15000; i++) {
            check_ok(fender_world_step(g.world, &error));
            gained[form] = larger(gained[form], fabs(energy_of(g.world) - start));
        }
        fender_world_destroy(g.world);
    }
    print_message("energy off by %.1e J in 3 s, literal form %.1e J\n", gained[0], gained[1]);
    assert_true(gained[1] > 10 * gained[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy),      cmocka_unit_test(slanted),
        cmocka_unit_test(like_points), cmocka_unit_test(out_of_the_ground),
        cmocka_unit_test(snapshots),   cmocka_unit_test(literal),
        cmocka_unit_test(fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
