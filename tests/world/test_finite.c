/* What makes a proposed state unacceptable: each number that is not finite, by itself, is refused by name, and what is
 * finite is not. The arrays are those of a world after a step. */
#include "check.h"
#include "world/world.h"
#include <string.h>

enum { NOT_FINITE = FENDER_STATUS_NOT_FINITE, INTEGRATOR = FENDER_STATUS_INTEGRATOR };
static const double none[] = {NAN, INFINITY, -INFINITY};

static fender_law_stiffness says; /* of the law below */
static void push(const void *parameters, const fender_contact_input *in, const void *memory, fender_contact_output *out)
{
    (void)parameters, (void)memory;
    out->force.z = in->depth > 0 ? 1e4 * in->depth : 0;
}
static void push_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    (void)parameters, (void)in;
    *out = says;
}
static const fender_law law = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_NORMAL,
    .name = "push",
    .doc = "It.",
    .force = push,
    .stiffness = push_stiffness,
};

/* A ball on the ground, another in the air that a link holds to it. */
static fender_world *build(const char *friction)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.step = 1e-3;
    def.depth_limit = FENDER_DEPTH_OF_SHAPES;
    def.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {0, 0, -9.8}, 0, {0, 0, 0}};
    fender_world *world = fender_world_create(&env, &def, NULL);
    fender_geometry *shapes[] = {fender_geometry_plane(&env, NULL), fender_geometry_sphere(&env, 0.5, NULL),
                                 fender_geometry_sphere(&env, 0.5, NULL)};
    static const char *const names[] = {"ground", "ball", "balloon"};
    fender_body_id bodies[3];
    for (int i = 0; i < 3; i++) {
        fender_body_def body = fender_body_def_default();
        fender_shape_def shape = fender_shape_def_default();
        body.name = names[i];
        body.motion = i == 0 ? FENDER_MOTION_FIXED : FENDER_MOTION_DYNAMIC;
        body.mass_properties = (fender_mass_properties){2, {0, 0, 0}, fender_mat3_diagonal(0.2, 0.2, 0.2)};
        body.state.position = fender_vec3_make(0, 0, i == 0 ? 0 : i == 1 ? 0.499 : 3);
        body.state.velocity.x = i == 1 ? 0.1 : 0;
        check_ok(fender_body_create(world, &body, &bodies[i], &error));
        shape.name = "hull";
        shape.geometry = shapes[i];
        check_ok(fender_shape_create(world, bodies[i], &shape, NULL, &error));
        fender_geometry_release(shapes[i]);
    }
    fender_dahl_parameters dahl = {.mu = 0.3, .amplitude = 1e-3};
    fender_contact_type_def type = fender_contact_type_def_default();
    fender_rule_def rule = fender_rule_def_default();
    type.name = "touch";
    type.normal = &law;
    if (friction) {
        type.friction = fender_law_find(NULL, friction);
        type.friction_parameters = &dahl;
    }
    says = (fender_law_stiffness){.normal_stiffness = 1e4};
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    fender_link_spring_damper_6dof spring = {.stiffness = {10, 10, 10}, .limit = INFINITY, .angular_limit = INFINITY};
    fender_link_def link = fender_link_def_default();
    link.name = "leash";
    link.law = FENDER_LINK_SPRING_DAMPER_6DOF;
    link.parameters = &spring;
    check_ok(fender_point_create(world, bodies[1], "from", fender_pose_identity(), &link.a, &error));
    check_ok(fender_point_create(world, bodies[2], "to", fender_pose_identity(), &link.b, &error));
    check_ok(fender_link_create(world, &link, NULL, &error));
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_advance(world, 3, &error));
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 1);
    check_ok(fender_world_propose(world, INFINITY, NULL, &error)); /* the trial arrays are those of a step */
    return world;
}

typedef fender_status check_function(const fender_world *world, fender_error *error);
static fender_status check_state(const fender_world *world, fender_error *fault)
{
    return fnd_world_check_state(world, world->time + 1e-3, fault);
}
static fender_status check_law_states(const fender_world *world, fender_error *fault)
{
    return fnd_world_check_law_states(world, world->time + 1e-3, fault);
}
static fender_status check_evaluation(const fender_world *world, fender_error *fault)
{
    double kinetic;
    return fnd_world_check_evaluation(world, world->time + 1e-3, &world->dynamics.evaluations[0], &kinetic, fault);
}
static double step_length = 1e-3; /* s; of the step that the contacts are checked for */
static fender_status check_contacts(const fender_world *world, fender_error *fault)
{
    return fnd_world_check_contacts(world, world->time + step_length, &world->dynamics.evaluations[0], fault);
}

/* With another number in its place the check fails with that status and these words; without, it does not. */
static void refuse(const fender_world *world, check_function *check, double *number, double value, int status,
                   const char *words)
{
    const double kept = *number;
    fender_error fault = {0};
    check_ok(check(world, &error));
    *number = value;
    const int found = (int)check(world, &fault);
    *number = kept;
    assert_int_equal(found, status);
    if (status && !strstr(fault.message, words)) fail_msg("'%s' is not in '%s'", words, fault.message);
}

static void accept(const fender_world *world, check_function *check, double *number, double value)
{
    refuse(world, check, number, value, FENDER_STATUS_OK, "");
}

static void states(void **state)
{
    (void)state;
    fender_world *world = build(NULL);
    assert_int_equal(world->dynamics.dynamic_count, 2);
    for (int i = 0; i < 18; i++) { /* positions, velocities and angular momenta of both */
        const bool ball = i / 3 % 2 == 0;
        for (int k = 0; k < 3; k++)
            refuse(world, check_state, &world->vector[1][i], none[k], NOT_FINITE,
                   ball ? "the state of body ball, pushed by contact ground.hull:ball.hull is not finite"
                        : "the state of body balloon is not finite");
        accept(world, check_state, &world->vector[1][i], 1e300);
    }
    for (int k = 0; k < 2; k++) {
        fender_quaternion *q = &world->rotations[1][k], kept = *q;
        double *parts[] = {&q->w, &q->x, &q->y, &q->z};
        for (int i = 0; i < 4; i++)
            refuse(world, check_state, parts[i], NAN, NOT_FINITE, k == 0 ? "body ball" : "body balloon");
        *q = (fender_quaternion){0, 0, 0, 0};
        fender_error fault = {0};
        assert_int_equal(check_state(world, &fault), NOT_FINITE);
        *q = kept;
    }
    /* a contact that is not finite is to blame */
    fnd_contact *c = &world->dynamics.evaluations[1].contacts.items[0];
    c->force.y = NAN;
    world->vector[1][1] = NAN;
    fender_error fault = {0};
    assert_int_equal(check_state(world, &fault), NOT_FINITE);
    assert_non_null(strstr(fault.message, "the force at contact ground.hull:ball.hull is not finite"));
    assert_non_null(strstr(fault.found, "law push (contact type touch)"));
    assert_null(strstr(fault.suggestion, "area"));
    /* an area that neither the law nor the contact has */
    fnd_slot *slot = &world->model.types[c->type].primary;
    const fnd_slot law_of_it = *slot;
    fender_soil_parameters ground = {.unloading = 1e7};
    slot->law = fender_law_find(NULL, "soil");
    slot->parameters = &ground;
    for (int i = 0; i < 3; i++) {
        ground.area = i == 1 ? 1 : 0;
        c->in.area = i == 2 ? 1 : 0;
        fault = (fender_error){0};
        assert_int_equal(check_state(world, &fault), NOT_FINITE);
        assert_true((strstr(fault.suggestion, "give the law an area") != NULL) == (i == 0));
    }
    *slot = law_of_it;
    fender_world_destroy(world);
}

static void states_of_laws(void **state)
{
    (void)state;
    fender_world *world = build("dahl");
    double *states = world->vector[1] + fnd_state_offset(&world->dynamics);
    assert_true(world->ode.state_count > 0);
    for (int k = 0; k < 3; k++)
        refuse(world, check_law_states, states, none[k], NOT_FINITE,
               "the state of the law of contact ground.hull:ball.hull is not finite");
    int *record = &world->dynamics.evaluations[0].contacts.items[0].record;
    const int kept = *record;
    *record = -1; /* of a contact that the stage has not seen */
    refuse(world, check_law_states, states, NAN, NOT_FINITE, "the state of a law is not finite");
    *record = kept;
    fender_world_destroy(world);
    world = build(NULL);
    check_ok(check_law_states(world, &error));
    fender_world_destroy(world);
}

static void evaluations(void **state)
{
    (void)state;
    fender_world *world = build(NULL);
    fnd_evaluation *e = &world->dynamics.evaluations[0];
    fnd_contact *c = &e->contacts.items[0];
    double *of_contact[] = {&c->force.x,  &c->force.y,  &c->force.z,       &c->torque.x,
                            &c->torque.y, &c->torque.z, &c->damping_power, &c->friction_power};
    const double power = e->damping_power;
    for (int i = 0; i < 8; i++) {
        e->damping_power = NAN; /* the sums say that something is wrong */
        *of_contact[i] += 0;
        const double kept = *of_contact[i];
        fender_error fault = {0};
        *of_contact[i] = NAN;
        assert_int_equal(check_evaluation(world, &fault), NOT_FINITE);
        assert_non_null(strstr(fault.message, "the force at contact ground.hull:ball.hull"));
        *of_contact[i] = kept;
    }
    check_ok(check_evaluation(world, &error)); /* but nothing is found that is */
    /* forces that are finite, and their sum is not */
    const fender_vec3 force = c->force;
    c->force = fender_vec3_make(1e308, 1e308, 0);
    check_ok(check_evaluation(world, &error));
    c->force = force;
    e->damping_power = power;
    fnd_link_value *v = &e->links[0];
    double *of_link[] = {&v->force_on_b.x,  &v->force_on_b.y,  &v->force_on_b.z,  &v->torque_on_b.x,
                         &v->torque_on_b.y, &v->torque_on_b.z, &v->stored_energy, &v->damping_power};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            refuse(world, check_evaluation, of_link[i], none[k], NOT_FINITE, "the force of link leash is not finite");
    for (int body = 1; body < 3; body++) {
        double *of_body[] = {&e->acceleration[body].x, &e->acceleration[body].y, &e->acceleration[body].z,
                             &e->torque[body].x,       &e->torque[body].y,       &e->torque[body].z};
        for (int i = 0; i < 6; i++)
            refuse(world, check_evaluation, of_body[i], NAN, NOT_FINITE,
                   body == 1 ? "the acceleration of body ball is not finite"
                             : "the acceleration of body balloon is not finite");
    }
    refuse(world, check_evaluation, &world->vector[1][6], 1e200, NOT_FINITE,
           "the kinetic energy of body ball, pushed by contact ground.hull:ball.hull is not finite");
    refuse(world, check_evaluation, &world->vector[1][9], 1e200, NOT_FINITE,
           "the kinetic energy of body balloon is not finite");
    refuse(world, check_evaluation, &e->applied_power, NAN, NOT_FINITE, "the power of loads is not finite");
    char name[200];
    fnd_world_worst_contact(world, 1, name, sizeof name);
    assert_string_equal(name, "ground.hull:ball.hull");
    fnd_world_worst_contact(world, 2, name, sizeof name);
    assert_string_equal(name, "body balloon");
    fnd_world_worst_contact(world, -1, name, sizeof name);
    assert_string_equal(name, "");
    fender_world_destroy(world);
}

/* 2 kg on 1e4 N/m: rk4 is stable below 2.785 / 70.7 s = 39 ms. What a law does not know is not held against it. */
static void stiffness(void **state)
{
    (void)state;
    fender_world *world = build(NULL);
    step_length = 1;
    fender_error fault = {0};
    assert_int_equal(check_contacts(world, &fault), INTEGRATOR);
    assert_non_null(strstr(fault.message, "the step is too long for the stiffness of contact ground.hull:ball.hull"));
    fender_error again = {0};
    fnd_contact *c = &world->dynamics.evaluations[0].contacts.items[0];
    const double unknown[][2] = {{0, 0}, {-1, 0}, {NAN, 0}, {INFINITY, 0}, {1e4, NAN}, {1e4, INFINITY}};
    for (int i = 0; i < 6; i++) {
        says = (fender_law_stiffness){.normal_stiffness = unknown[i][0], .normal_damping = unknown[i][1]};
        check_ok(check_contacts(world, &error));
    }
    says = (fender_law_stiffness){.normal_stiffness = 1e4};
    world->dynamics.contacts.records.items[c->record].suppressed = true; /* ended by its law: it pushes no more */
    check_ok(check_contacts(world, &error));
    world->dynamics.contacts.records.items[c->record].suppressed = false;
    const int record = c->record;
    c->record = -1;
    check_ok(check_contacts(world, &error));
    c->record = record;
    assert_int_equal(check_contacts(world, &again), INTEGRATOR);
    assert_string_equal(again.message, fault.message);
    step_length = 1e-3;
    check_ok(check_contacts(world, &error));
    fender_world_destroy(world);
}

/* A ball may be as deep as its radius, 0.5 m; on its way out it may be deeper. */
static void depths(void **state)
{
    (void)state;
    fender_world *world = build(NULL);
    fnd_evaluation *e = &world->dynamics.evaluations[0];
    fnd_contact *c = &e->contacts.items[0];
    const double depth = c->in.depth, rate = c->in.depth_rate;
    for (int i = 0; i < 4; i++) {
        c->in.depth = e->contacts.deepest = i == 1 ? 0.49 : 0.51;
        c->in.depth_rate = i == 2 ? -0.1 : 0.1;
        const int record = c->record;
        if (i == 3) c->record = -1;
        fender_error fault = {0};
        assert_int_equal(check_contacts(world, &fault), i == 0 ? INTEGRATOR : FENDER_STATUS_OK);
        if (i == 0) assert_non_null(strstr(fault.message, "the depth exceeds its limit"));
        c->record = record;
    }
    c->in.depth_rate = 0.1;
    fnd_slot *slot = &world->model.types[c->type].primary;
    const fnd_slot kept = *slot;
    fender_hunt_crossley_parameters parameters = {.stiffness = 1e4, .exponent = 1, .least_speed = 1e-3};
    slot->law = fender_law_find(NULL, "hunt_crossley");
    slot->parameters = &parameters;
    for (int i = 0; i < 2; i++) { /* its damper follows from the speed of the touch with a restitution alone */
        fender_error fault = {0};
        parameters.restitution = i == 0 ? 0.5 : 1;
        assert_int_equal(check_contacts(world, &fault), INTEGRATOR);
        assert_true((strstr(fault.suggestion, "a larger least_speed of the law") != NULL) == (i == 0));
        assert_non_null(strstr(fault.suggestion, "the state stays at the last accepted step"));
    }
    *slot = kept;
    world->def.depth_limit = 0; /* none */
    check_ok(check_contacts(world, &error));
    world->def.depth_limit = 0.505;
    fender_error fault = {0};
    assert_int_equal(check_contacts(world, &fault), INTEGRATOR);
    assert_non_null(strstr(fault.expected, "at most 0.505 m"));
    c->in.depth = e->contacts.deepest = depth;
    c->in.depth_rate = rate;
    fender_world_destroy(world);
}

/* What is told to be stable without a search is, for any damping, and next to all that is. */
static void stable_without_a_search(void **state)
{
    (void)state;
    for (int i = 0; i <= 4000; i++) {
        const double ratio = i < 2000 ? i / 1000.0 : exp((i - 2000) / 400.0);
        const double limit = fender_integrator_stable_step(FENDER_INTEGRATOR_RK4, 1, ratio);
        assert_false(fnd_step_is_surely_stable(FENDER_INTEGRATOR_RK4, 1.001 * limit, ratio));
        assert_true(fnd_step_is_surely_stable(FENDER_INTEGRATOR_RK4, 0.85 * limit, ratio));
        assert_false(fnd_step_is_surely_stable(FENDER_INTEGRATOR_VELOCITY_VERLET, 0.01, ratio));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(states),      cmocka_unit_test(states_of_laws),
                                       cmocka_unit_test(evaluations), cmocka_unit_test(stiffness),
                                       cmocka_unit_test(depths),      cmocka_unit_test(stable_without_a_search)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
