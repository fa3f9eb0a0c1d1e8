/* Solids that fall onto rough ground and bounce: contacts begin and end where the nearest points touch, whatever depth
 * their patches have there, which begin with the polygon around a round cap. */
/* items: S074 */
#include "check.h"
#include <string.h>

static fender_env env;

enum { SIDE = 21, SOLIDS = 6 };

static fender_geometry *ground(bool grid)
{
    static double heights[SIDE * SIDE];
    static fender_vec3 vertices[SIDE * SIDE];
    static int32_t triangles[2 * (SIDE - 1) * (SIDE - 1)][3];
    const double spacing = 4.0 / (SIDE - 1);
    int n = 0;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const double x = -2 + spacing * i, y = -2 + spacing * j, z = 0.05 * sin(3 * x) * cos(2.5 * y);
            heights[j * SIDE + i] = z;
            vertices[j * SIDE + i] = fender_vec3_make(x, y, z);
            if (i == SIDE - 1 || j == SIDE - 1) continue;
            const int32_t a = j * SIDE + i, c = a + SIDE + 1;
            memcpy(triangles[n++], (int32_t[]){a, a + 1, c}, sizeof triangles[0]);
            memcpy(triangles[n++], (int32_t[]){a, c, c - 1}, sizeof triangles[0]);
        }
    const fender_grid_def def = {
        .count_x = SIDE, .count_y = SIDE, .lower = {-2, -2}, .spacing = {spacing, spacing}, .heights = heights};
    const fender_mesh_def mesh = {vertices, SIDE * SIDE, &triangles[0][0], n};
    return grid ? fender_geometry_grid(&env, &def, NULL) : fender_geometry_mesh(&env, &mesh, NULL);
}

static fender_geometry *solid(int kind)
{
    const fender_vec3 corners[] = {
        {0.2, 0, -0.1}, {-0.1, 0.2, -0.1}, {-0.1, -0.2, -0.1}, {0, 0, 0.25}, {0.1, 0.1, 0.1}};
    switch (kind) {
    case 0: return fender_geometry_cylinder(&env, 0.25, 0.03, NULL);
    case 1: return fender_geometry_cone(&env, 0.2, 0.15, NULL);
    case 2: return fender_geometry_box(&env, fender_vec3_make(0.25, 0.2, 0.05), NULL);
    case 3: return fender_geometry_hull(&env, corners, 5, NULL);
    case 4: return fender_geometry_capsule(&env, 0.1, 0.2, NULL);
    default: return fender_geometry_ellipsoid(&env, fender_vec3_make(0.2, 0.15, 0.1), NULL);
    }
}

static fender_shape_id add(fender_world *world, const char *name, fender_motion motion, fender_geometry *geometry,
                           const fender_body_state *state, fender_body_id *id)
{
    assert_non_null(geometry);
    fender_body_def body = fender_body_def_default();
    body.name = name;
    body.motion = motion;
    body.mass_properties.mass = 5;
    body.mass_properties.inertia = fender_mat3_diagonal(0.08, 0.08, 0.15);
    body.state = *state;
    check_ok(fender_body_create(world, &body, id, &error));
    fender_shape_def shape = fender_shape_def_default();
    fender_shape_id made;
    shape.name = name;
    shape.geometry = geometry;
    check_ok(fender_shape_create(world, *id, &shape, &made, &error));
    return made;
}

/* range: 0, or the law attracts and holds the contact up to that separation. */
static fender_world *build(fender_geometry *terrain, fender_geometry *thing, int number, double range,
                           fender_body_id *id)
{
    fender_world_def def = fender_world_def_default();
    def.method = FENDER_INTEGRATOR_RK4;
    def.step = 1e-3;
    def.locate_events = true;
    def.gravity.kind = FENDER_GRAVITY_UNIFORM;
    def.gravity.acceleration = fender_vec3_make(0, 0, -9.81);
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    fender_spring_damper_parameters push;
    fender_coulomb_static_kinetic_parameters grip;
    check_ok(fender_spring_damper_parameters_default(&push, &error));
    check_ok(fender_coulomb_static_kinetic_parameters_default(&grip, &error));
    push.stiffness = 2e4;
    push.damping = 60;
    grip.mu_static = 0.6;
    grip.mu_kinetic = 0.4;
    grip.stiffness = 2e4;
    grip.damping = 200;
    grip.stick_speed = 0.01;
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "touch";
    type.normal = fender_law_find(NULL, "spring_damper");
    type.normal_parameters = &push;
    fender_adhesion_parameters hold;
    check_ok(fender_adhesion_parameters_default(&hold, &error));
    hold.stiffness = push.stiffness, hold.damping = push.damping, hold.pull = 1, hold.range = range;
    if (range > 0) type.normal = fender_law_find(NULL, "adhesion"), type.normal_parameters = &hold;
    type.friction = fender_law_find(NULL, "coulomb_static_kinetic");
    type.friction_parameters = &grip;
    fender_rule_def rule = fender_rule_def_default();
    rule.kind = FENDER_RULE_DEFAULT;
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    fender_body_state state = {.attitude = fender_quaternion_identity()};
    fender_body_id fixed;
    (void)add(world, "ground", FENDER_MOTION_FIXED, terrain, &state, &fixed);
    state.position = fender_vec3_make(0.13 * number - 0.3, 0.2 - 0.1 * number, 0.45);
    state.attitude = fender_quaternion_normalized(
        (fender_quaternion){1, 0.15 - 0.05 * number, 0.1 + 0.03 * number, 0.2});
    state.velocity = fender_vec3_make(0.2, -0.1, -0.5);
    state.angular_velocity = fender_vec3_make(0.5, -0.7, 0.4);
    (void)add(world, "solid", FENDER_MOTION_DYNAMIC, thing, &state, id);
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* How far apart the two are, after a part of the step that begins with the snapshot. */
static double distance_at(fender_world *world, const fender_snapshot *before, double time, fender_geometry *terrain,
                          fender_geometry *thing, fender_body_id id)
{
    check_ok(fender_snapshot_restore(world, before, &error));
    check_ok(fender_world_advance_to(world, time, &error));
    fender_body_state now;
    check_ok(fender_body_get_state(world, id, FENDER_CLOCK_COMMITTED, &now));
    const fender_pose at_ground = fender_pose_identity(), pose = {now.position, now.attitude};
    fender_separation between;
    check_ok(fender_geometry_separation(terrain, &at_ground, thing, &pose, &between));
    return between.distance;
}

/* Times are located to 1e-14 s, which is 3e-14 m at the speeds here; distances are rounded to 1e-15 m. */
static void check_solid(bool grid, int kind, int number, double range, int *begun, int *ended)
{
    fender_geometry *terrain = ground(grid), *thing = solid(kind);
    fender_body_id id;
    fender_world *world = build(terrain, thing, number, range, &id);
    while (fender_world_time(world) < 0.7) {
        fender_snapshot *before = fender_snapshot_take(world, NULL);
        assert_non_null(before);
        check_ok(fender_world_step(world, &error));
        int count;
        const fender_event *events = fender_world_events(world, &count);
        double time = NAN; /* of the first: the step goes on after it in another one */
        double expected = 0;
        for (int k = 0; k < count && isnan(time); k++) {
            if (events[k].kind != FENDER_EVENT_BEGIN && events[k].kind != FENDER_EVENT_END) continue;
            *begun += events[k].kind == FENDER_EVENT_BEGIN;
            *ended += events[k].kind == FENDER_EVENT_END;
            if (k == 0) time = events[k].time, expected = events[k].kind == FENDER_EVENT_END ? range : 0;
        }
        const double end = fender_world_time(world);
        if (!isnan(time)) {
            const double distance = distance_at(world, before, time, terrain, thing, id);
            check_near(distance, expected, 1e-12);
            check_ok(fender_snapshot_restore(world, before, &error));
            check_ok(fender_world_advance_to(world, end, &error));
        }
        fender_snapshot_destroy(before);
    }
    fender_world_destroy(world);
    fender_geometry_release(terrain);
    fender_geometry_release(thing);
}

static void begins_and_ends(void **state)
{
    (void)state;
    env = fender_env_default();
    int begun = 0, ended = 0;
    for (int kind = 0; kind < SOLIDS; kind++)
        for (int grid = 0; grid < 2; grid++) check_solid(grid, kind, (kind + grid) % 3, 0, &begun, &ended);
    check_solid(true, 0, 2, 0, &begun, &ended);
    print_message("%d begins, %d ends\n", begun, ended);
    assert_true(begun > 20 && ended > 12);
}

/* Its patches are gone while the contact persists. */
static void contacts_held_across_a_gap(void **state)
{
    (void)state;
    env = fender_env_default();
    int begun = 0, ended = 0;
    for (int kind = 0; kind < SOLIDS; kind++) check_solid(kind % 2, kind, kind % 3, 5e-3, &begun, &ended);
    print_message("%d begins, %d ends\n", begun, ended);
    assert_true(begun > 8 && ended > 5);
}

/* A solid above a plane, in the air and leaning by about 25 degrees times `lean`, or 0.1 mm above it and level (0).
 * `law` has its parameters. */
static fender_world *drop(fender_world_def *def, fender_geometry *plane, fender_geometry *thing, const char *law,
                          const void *parameters, const char *friction, const void *grip, double lean)
{
    def->gravity.kind = FENDER_GRAVITY_UNIFORM;
    def->gravity.acceleration = fender_vec3_make(0, 0, -9.81);
    fender_world *world = fender_world_create(&env, def, NULL);
    assert_non_null(world);
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "touch";
    type.normal = fender_law_find(NULL, law);
    type.normal_parameters = parameters;
    if (grip) type.friction = fender_law_find(NULL, friction), type.friction_parameters = grip;
    fender_rule_def rule = fender_rule_def_default();
    rule.kind = FENDER_RULE_DEFAULT;
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    fender_body_state state = {.attitude = fender_quaternion_identity()};
    fender_body_id id;
    (void)add(world, "ground", FENDER_MOTION_FIXED, plane, &state, &id);
    state.position.z = lean > 0 ? 0.3 : 0.0501;
    state.velocity = fender_vec3_make(0.3, 0, -0.5);
    if (lean > 0) {
        state.attitude = fender_quaternion_normalized((fender_quaternion){1, 0.18 * lean, 0.13 * lean, 0.04});
        state.angular_velocity = fender_vec3_make(0.5, -0.7, 0.4);
    }
    (void)add(world, "solid", FENDER_MOTION_DYNAMIC, thing, &state, &id);
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* A solid of `kind` that tumbles on a plane without damping. `law` has its parameters. */
static fender_world *tumble(fender_geometry *plane, fender_geometry *thing, const char *law, const void *parameters,
                            double step, bool located, double lean)
{
    fender_world_def def = fender_world_def_default();
    def.method = FENDER_INTEGRATOR_RK4;
    def.step = step;
    def.locate_events = located;
    return drop(&def, plane, thing, law, parameters, NULL, NULL, lean);
}

static double largest_residual(fender_world *world, double until)
{
    double worst = 0;
    fender_ledger ledger;
    while (fender_world_time(world) < until) {
        check_ok(fender_world_step(world, &error));
        fender_world_ledger(world, &ledger);
        worst = fabs(ledger.residual) > worst ? fabs(ledger.residual) : worst;
    }
    assert_true(ledger.damping > -1e-12);
    fender_world_destroy(world);
    return worst;
}

/* Energy is kept by laws that are not linear, too: that of area within the range of an attraction, which carries none
 * over the border of the range, and that of weights, which change with attitude. Against 15 J of motion. */
static void energy_of_attitude_and_area(void **state)
{
    (void)state;
    env = fender_env_default();
    fender_geometry *plane = fender_geometry_plane(&env, NULL), *cylinder = solid(0), *box = solid(2),
                    *capsule = solid(4);
    fender_adhesion_parameters hold;
    fender_hertz_parameters round;
    check_ok(fender_adhesion_parameters_default(&hold, &error));
    check_ok(fender_hertz_parameters_default(&round, &error));
    fender_geometry *disk = fender_geometry_disk(&env, 0.25, NULL);
    fender_spring_damper_parameters spring;
    check_ok(fender_spring_damper_parameters_default(&spring, &error));
    spring.stiffness = 1e4, spring.damping = 0;
    hold.stiffness = 1e4, hold.pull = 10, hold.range = 5e-3;
    round.modulus = 1e6, round.radius = 0.05;
    for (int i = 0; i < 4; i++) {
        const bool located = i % 2;
        fender_geometry *thing = i < 2 ? box : cylinder;
        const double coarse = largest_residual(tumble(plane, thing, "adhesion", &hold, 1e-3, located, 1), 0.7),
                     fine = largest_residual(tumble(plane, thing, "adhesion", &hold, 2.5e-4, located, 1), 0.7);
        print_message("%s: residual of a %s %.1e, %.1e J at a quarter of the step\n", located ? "located" : "unlocated",
                      i < 2 ? "box" : "cylinder", coarse, fine);
        check_below(fine, 2e-4); /* 0.08 of area that leaves the range with pull times range */
        if (i < 2) check_below(fine, 0.25 * coarse);
    }
    for (int located = 0; located < 2; located++) {
        check_below(largest_residual(tumble(plane, capsule, "hertz", &round, 2.5e-4, located, 1), 0.7), 1e-3);
        /* where it leans by 37 to 60 degrees its points ask for a moment */
        check_below(largest_residual(tumble(plane, disk, "spring_damper", &spring, 1e-3, located, 1.7), 0.7), 1e-4);
    }
    /* attraction begins with touch, and what it stores then is lost: pull times range */
    for (int located = 0; located < 2; located++) {
        hold.range = 2e-3;
        fender_world *world = tumble(plane, box, "adhesion", &hold, 1e-5, located, 0);
        int count = 0;
        while (count == 0) {
            check_ok(fender_world_step(world, &error));
            fender_world_events(world, &count);
        }
        check_near(fender_world_time(world), 2e-4, 1.1e-5); /* 0.1 mm at 0.5 m/s */
        check_ok(fender_world_step(world, &error));
        check_ok(fender_world_step(world, &error));
        fender_ledger ledger;
        fender_world_ledger(world, &ledger);
        check_near(ledger.damping, hold.pull * hold.range, 1e-12);
        check_near(ledger.residual, 0, located ? 1e-12 : 1e-4); /* of the step of touch: pull times 5 um of way */
        fender_world_destroy(world);
    }
    fender_geometry_release(plane);
    fender_geometry_release(box);
    fender_geometry_release(capsule);
    fender_geometry_release(cylinder);
    fender_geometry_release(disk);
}

/* So do laws whose force is a power of the depth, on planes and on grids: their patches are elastic foundations of that
 * law. */
static void energy_of_powers_of_the_depth(void **state)
{
    (void)state;
    env = fender_env_default();
    const double heights[4] = {0, 0, 0, 0};
    const fender_grid_def raster = {2, 2, {-10, -10}, {20, 20}, heights};
    fender_geometry *grounds[2] = {fender_geometry_plane(&env, NULL), fender_geometry_grid(&env, &raster, NULL)};
    fender_geometry *box = solid(2), *solids[] = {solid(0),
                                                  box,
                                                  solid(4),
                                                  fender_geometry_disk(&env, 0.25, NULL),
                                                  fender_geometry_cone(&env, 0.25, 0.3, NULL),
                                                  fender_geometry_rounded(box, 0.02, NULL)};
    fender_hunt_crossley_parameters push;
    check_ok(fender_hunt_crossley_parameters_default(&push, &error));
    double worst = 0;
    for (int k = 0; k < 24; k++) {
        fender_geometry *ground = grounds[k / 6 % 2], *thing = solids[k % 6];
        push.exponent = k < 12 ? 1.5 : 2.2;
        push.stiffness = k < 12 ? 1e6 : 1e7;
        const double found = largest_residual(tumble(ground, thing, "hunt_crossley", &push, 2.5e-4, true, 1), 0.7);
        worst = found > worst ? found : worst;
        if (found > 1e-4) print_message("solid %d on %s: %.1e J\n", k % 6, k / 6 % 2 ? "a grid" : "a plane", found);
    }
    print_message("residual of 24 tumbling solids: at most %.1e J of 15 J\n", worst);
    check_below(worst, 1e-4); /* 0.3 J with the points of a linear law */
    for (int i = 0; i < 2; i++) fender_geometry_release(grounds[i]);
    for (int i = 0; i < 6; i++) fender_geometry_release(solids[i]);
}

/* So does the friction spring of Mindlin beside Hertz's law, whose stiffness follows depths that a patch has anew at
 * every state: a point at a rim goes from 1e-10 m to 0.1 mm within a step. Against 15 J of motion; with the rate of the
 * bodies for that of the depth more than 1e10 J. */
static void energy_of_mindlin_on_patches(void **state)
{
    (void)state;
    env = fender_env_default();
    fender_geometry *grounds[] = {fender_geometry_box(&env, fender_vec3_make(2, 2, 0.001), NULL),
                                  fender_geometry_plane(&env, NULL)},
                    *box = solid(2);
    fender_hertz_parameters push;
    fender_mindlin_parameters grip;
    check_ok(fender_hertz_parameters_default(&push, &error));
    check_ok(fender_mindlin_parameters_default(&grip, &error));
    push.young = grip.young = 1e6;
    grip.mu = 0.5;
    for (int k = 0; k < 4; k++) {
        fender_world_def def = fender_world_def_default();
        def.method = FENDER_INTEGRATOR_RK4;
        def.step = 2.5e-4;
        def.locate_events = true;
        grip.history = k / 2; /* rescaled, force */
        fender_world *world = drop(&def, grounds[k % 2], box, "hertz", &push, "mindlin", &grip, 0.3);
        const double found = largest_residual(world, 0.5);
        print_message("on a %s, history %d: %.1e J\n", k % 2 ? "plane" : "box", k / 2, found);
        check_below(found, 5e-3); /* measured 1.2e-3: impacts of 5 ms in steps of 0.25 ms */
    }
    for (int i = 0; i < 2; i++) fender_geometry_release(grounds[i]);
    fender_geometry_release(box);
}

/* A ball that touches with slip slides until its friction has stopped the slip: by mu times its impulse at the end of
 * the contact, whatever the length of the step after touch, in the middle of which the bristle could hold the ball. */
static void a_ball_slides_from_touch_on(void **state)
{
    (void)state;
    env = fender_env_default();
    fender_geometry *plane = fender_geometry_plane(&env, NULL), *ball = fender_geometry_sphere(&env, 0.05, NULL);
    static const struct {
        fender_integrator_method method;
        double step;
    } ways[] = {{FENDER_INTEGRATOR_RK4, 1e-3},
                {FENDER_INTEGRATOR_RK4, 1e-4},
                {FENDER_INTEGRATOR_DOPRI5, 1e-2},
                {FENDER_INTEGRATOR_DOP853, 1e-2}};
    fender_spring_damper_parameters push;
    fender_coulomb_static_kinetic_parameters grip;
    check_ok(fender_spring_damper_parameters_default(&push, &error));
    check_ok(fender_coulomb_static_kinetic_parameters_default(&grip, &error));
    push.stiffness = 1e5, push.damping = 20;
    grip.mu_static = grip.mu_kinetic = 0.1, grip.stiffness = 1e5, grip.damping = 40, grip.stick_speed = 1e-2;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        fender_world_def def = fender_world_def_default();
        def.method = ways[i].method;
        def.step = ways[i].step;
        def.locate_events = true;
        fender_world *world = drop(&def, plane, ball, "spring_damper", &push, "coulomb_static_kinetic", &grip, 0);
        double begin = NAN, slip = NAN, end = NAN;
        fender_body_id id;
        check_ok(fender_body_find(world, "solid", &id));
        while (isnan(end) && fender_world_time(world) < 0.1) {
            check_ok(fender_world_step(world, &error));
            int count;
            const fender_event *events = fender_world_events(world, &count);
            fender_body_state now;
            check_ok(fender_body_get_state(world, id, FENDER_CLOCK_COMMITTED, &now));
            for (int k = 0; k < count; k++) {
                assert_true(events[k].kind != FENDER_EVENT_STICK);
                if (events[k].kind == FENDER_EVENT_BEGIN) begin = events[k].time;
                if (events[k].kind == FENDER_EVENT_SLIP) slip = events[k].time;
                if (events[k].kind == FENDER_EVENT_END) end = events[k].time;
            }
            const double pushed = now.velocity.z + 0.5 + 9.81 * fender_world_time(world); /* per mass */
            check_near(now.velocity.x, 0.3 - 0.1 * pushed, 1e-12);
        }
        assert_true(begin > 0 && slip == begin && end > begin);
        fender_world_destroy(world);
    }
    fender_geometry_release(plane);
    fender_geometry_release(ball);
}

/* Where a cap takes nearly all of the pressure of a cylinder's side from a facet, the centre of the rest is anywhere:
 * 600 km away here, where a damper made 9e7 J out of 1e-8 of the stiffness. */
static void no_contact_is_far_away(void **state)
{
    (void)state;
    env = fender_env_default();
    fender_geometry *slab = fender_geometry_box(&env, fender_vec3_make(2, 2, 0.25), NULL),
                    *can = fender_geometry_cylinder(&env, 0.1094, 0.2551 / 2, NULL);
    fender_world_def def = fender_world_def_default();
    def.method = FENDER_INTEGRATOR_RK4;
    def.step = 2.5e-4;
    def.locate_events = true;
    def.gravity.kind = FENDER_GRAVITY_UNIFORM;
    def.gravity.acceleration = fender_vec3_make(0, 0, -9.81);
    fender_world *world = fender_world_create(&env, &def, NULL);
    fender_adhesion_parameters hold;
    fender_coulomb_parameters rub;
    check_ok(fender_adhesion_parameters_default(&hold, &error));
    check_ok(fender_coulomb_parameters_default(&rub, &error));
    hold.stiffness = 12082, hold.damping = 80.8, hold.pull = 5, hold.range = 1e-3;
    rub.mu = 0.129, rub.slip_speed = 0.01;
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "touch";
    type.normal = fender_law_find(NULL, "adhesion");
    type.normal_parameters = &hold;
    type.friction = fender_law_find(NULL, "coulomb");
    type.friction_parameters = &rub;
    fender_rule_def rule = fender_rule_def_default();
    rule.kind = FENDER_RULE_DEFAULT;
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    for (int k = 0; k < 2; k++) {
        fender_body_def body = fender_body_def_default();
        body.name = k ? "can" : "slab";
        body.motion = k ? FENDER_MOTION_DYNAMIC : FENDER_MOTION_FIXED;
        body.mass_properties.mass = 3.306;
        body.mass_properties.inertia = fender_mat3_diagonal(0.02017, 0.02380, 0.02678);
        body.state.position.z = k ? 0.32 : -0.25;
        if (k) {
            const fender_vec3 axis = {0.914, 0.454, 0.318};
            const double half = 0.5 * 1.36 * 3.14159265358979 / 180, part = sin(half) / fender_vec3_length(axis);
            body.state.attitude = (fender_quaternion){cos(half), part * axis.x, part * axis.y, part * axis.z};
            body.state.velocity = fender_vec3_make(-0.088, 0.110, -1.910);
            body.state.angular_velocity = fender_vec3_make(2.610, -3.084, -1.306);
        }
        fender_body_id id;
        fender_shape_id made;
        check_ok(fender_body_create(world, &body, &id, &error));
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "shape";
        shape.geometry = k ? can : slab;
        check_ok(fender_shape_create(world, id, &shape, &made, &error));
    }
    check_ok(fender_world_initialize(world, &error));
    check_below(largest_residual(world, 0.16), 0.02); /* of 16 J */
    fender_geometry_release(slab);
    fender_geometry_release(can);
}

/* Also of samples within each step. */
static double largest_sampled_residual(fender_world *world, double until)
{
    double worst = 0;
    fender_ledger ledger;
    while (fender_world_time(world) < until) {
        fender_proposal proposal;
        check_ok(fender_world_propose(world, INFINITY, &proposal, &error));
        for (int k = 1; k < 4; k++) {
            const double length = proposal.end_time - proposal.start_time;
            check_ok(fender_world_sample(world, proposal.start_time + 0.3 * k * length, &error));
            fender_world_ledger(world, &ledger);
            worst = larger(worst, fabs(ledger.residual));
        }
        check_ok(fender_world_accept(world, &error));
    }
    fender_world_destroy(world);
    return worst;
}

/* A patch that holds in friction while its area changes: what bristles store goes with the area. The books have the
 * integral of it over each step, however long the steps are, in batches and one by one (a second friction law). */
static void friction_goes_with_the_area(void **state)
{
    (void)state;
    env = fender_env_default();
    fender_geometry *plane = fender_geometry_plane(&env, NULL), *cylinder = solid(0), *box = solid(2);
    fender_spring_damper_parameters push;
    fender_coulomb_static_kinetic_parameters grip;
    check_ok(fender_spring_damper_parameters_default(&push, &error));
    check_ok(fender_coulomb_static_kinetic_parameters_default(&grip, &error));
    push.stiffness = 2e4, push.damping = 20;
    grip.mu_static = grip.mu_kinetic = 0.5, grip.stiffness = 2e4, grip.damping = 20, grip.stick_speed = 1e-2;
    static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_DOP853, FENDER_INTEGRATOR_DOPRI5,
                                                       FENDER_INTEGRATOR_RK4};
    for (int i = 0; i < 6; i++) {
        fender_world_def def = fender_world_def_default();
        def.method = methods[i / 2];
        def.step = i / 2 == 2 ? 5e-4 : 1e-2;
        def.locate_events = true;
        fender_world *world = drop(&def, plane, i % 2 ? box : cylinder, "spring_damper", &push,
                                   "coulomb_static_kinetic", &grip, 1);
        const double worst = largest_residual(world, 1);
        print_message("method %d, %s: residual %.1e J\n", i / 2, i % 2 ? "box" : "cylinder", worst);
        check_below(worst, i / 2 == 2 ? 1e-3 : 2e-5);
    }
    fender_world_def def = fender_world_def_default();
    def.method = FENDER_INTEGRATOR_DOP853;
    def.locate_events = true;
    const double within = largest_sampled_residual(
        drop(&def, plane, cylinder, "spring_damper", &push, "coulomb_static_kinetic", &grip, 1), 1);
    print_message("within steps: residual %.1e J\n", within);
    check_below(within, 1e-4); /* without the integral 4e-2 */
    fender_geometry_release(plane);
    fender_geometry_release(cylinder);
    fender_geometry_release(box);
}

/* A cylinder that lands on its rim and sticks, while the area that touches grows and shrinks: steps of any length and
 * method lead to one place. With stretches shared at the ends of steps dop853 was 1e-2 m away. */
static void friction_on_a_rim_has_the_order_of_the_method(void **state)
{
    (void)state;
    env = fender_env_default();
    fender_geometry *plane = fender_geometry_plane(&env, NULL), *cylinder = solid(0);
    fender_spring_damper_parameters push;
    fender_coulomb_static_kinetic_parameters grip;
    check_ok(fender_spring_damper_parameters_default(&push, &error));
    check_ok(fender_coulomb_static_kinetic_parameters_default(&grip, &error));
    push.stiffness = 2e4, push.damping = 20;
    grip.mu_static = grip.mu_kinetic = 50, grip.stiffness = 3e4, grip.damping = 30, grip.stick_speed = 2e-3;
    fender_vec3 places[3];
    for (int i = 0; i < 3; i++) {
        fender_world_def def = fender_world_def_default();
        def.method = i < 2 ? FENDER_INTEGRATOR_RK4 : FENDER_INTEGRATOR_DOP853;
        def.step = i == 0 ? 5e-4 : i == 1 ? 5e-5 : 1e-2;
        def.locate_events = true;
        fender_world *world = drop(&def, plane, cylinder, "spring_damper", &push, "coulomb_static_kinetic", &grip, 2);
        fender_body_id id;
        fender_body_state now;
        check_ok(fender_body_find(world, "solid", &id));
        check_ok(fender_world_advance_to(world, 0.5, &error));
        check_ok(fender_body_get_state(world, id, FENDER_CLOCK_COMMITTED, &now));
        places[i] = now.position;
        fender_world_destroy(world);
    }
    const double coarse = fender_vec3_length(fender_vec3_sub(places[0], places[1]));
    const double adaptive = fender_vec3_length(fender_vec3_sub(places[2], places[1]));
    print_message("after 0.5 s rk4 (0.5 ms) is %.1e m, dop853 %.1e m away from rk4 (0.05 ms)\n", coarse, adaptive);
    check_below(coarse, 1e-3);
    check_below(adaptive, 1e-4);
    fender_geometry_release(plane);
    fender_geometry_release(cylinder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins_and_ends),
        cmocka_unit_test(contacts_held_across_a_gap),
        cmocka_unit_test(energy_of_attitude_and_area),
        cmocka_unit_test(energy_of_mindlin_on_patches),
        cmocka_unit_test(energy_of_powers_of_the_depth),
        cmocka_unit_test(a_ball_slides_from_touch_on),
        cmocka_unit_test(friction_goes_with_the_area),
        cmocka_unit_test(friction_on_a_rim_has_the_order_of_the_method),
        cmocka_unit_test(no_contact_is_far_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
