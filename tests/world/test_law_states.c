/* Continuous states of laws: they follow their contact through beginnings and ends of others, growth, snapshots, looks
 * into a step and hosts. The laws here push nothing: their states are clocks, and what they store is what these show.
 */
/* items: P019 */
#include "check.h"
#include "random_numbers.h"
#include <string.h>

static void none(const void *parameters, const fender_contact_input *in, const void *memory, fender_contact_output *out)
{
    (void)parameters, (void)memory, (void)out;
    assert_non_null(in->states);
}

static double shown(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)parameters, (void)memory;
    return in->states[0];
}

static double sum_of_two(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)parameters, (void)memory;
    return in->states[0] + 10 * in->states[1];
}

static void one_rate(const void *parameters, const fender_contact_input *in, const void *memory, double *rates)
{
    (void)parameters, (void)in, (void)memory;
    rates[0] = 1;
}

static void two_rates(const void *parameters, const fender_contact_input *in, const void *memory, double *rates)
{
    (void)parameters, (void)in, (void)memory;
    rates[0] = 2;
    rates[1] = 3;
}

static void six_rates(const void *parameters, const fender_contact_input *in, const void *memory, double *rates)
{
    (void)parameters, (void)memory;
    for (int i = 0; i < 6; i++) rates[i] = i == 0 ? 7 : in->time;
}

static const fender_law clock_law = {.size = sizeof(fender_law),
                                     .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
                                     .name = "clock",
                                     .doc = "",
                                     .force = none,
                                     .stored_energy = shown,
                                     .state_count = 1,
                                     .state_rates = one_rate};
static const fender_law pair_of_clocks = {.size = sizeof(fender_law),
                                          .kinds = FENDER_LAW_FRICTION,
                                          .name = "pair_of_clocks",
                                          .doc = "",
                                          .memory_size = 24,
                                          .force = none,
                                          .stored_energy = sum_of_two,
                                          .state_count = 2,
                                          .state_rates = two_rates};
static const fender_law six_clocks = {.size = sizeof(fender_law),
                                      .kinds = FENDER_LAW_WHOLE,
                                      .name = "six_clocks",
                                      .doc = "",
                                      .memory_size = 8,
                                      .force = none,
                                      .stored_energy = shown,
                                      .state_count = 6,
                                      .state_rates = six_rates};

enum { BALLS = 16 };
static const double STEP = 5e-3;

/* Spheres that fly through each other near the origin, all of them at once. */
static fender_world *crowd(fender_integrator_method method, bool locate, uint64_t number)
{
    random_stream r = random_of_case(77, number);
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.step = STEP;
    def.locate_events = locate;
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    fender_contact_type_def types[2] = {
        {.size = sizeof(fender_contact_type_def), .name = "three", .normal = &clock_law, .friction = &pair_of_clocks},
        {.size = sizeof(fender_contact_type_def), .name = "six", .law = &six_clocks},
    };
    fender_contact_type_id ids[2];
    for (int i = 0; i < 2; i++) check_ok(fender_contact_type_create(world, &types[i], &ids[i], &error));
    fender_rule_id rule_id;
    check_ok(fender_rule_create(
        world, &(fender_rule_def){.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = ids[0]},
        &rule_id, &error));
    fender_body_id first = {0};
    for (int i = 0; i < BALLS; i++) {
        char name[16];
        snprintf(name, sizeof name, "ball%d", i);
        fender_body_def body = fender_body_def_default();
        body.name = name;
        body.mass_properties.mass = 1;
        body.mass_properties.inertia = fender_mat3_diagonal(0.1, 0.1, 0.1);
        fender_vec3 way = random_direction(&r);
        double distance = 3 + 0.5 * i, speed = distance * random_between(&r, 0.95, 1.05);
        body.state.position = fender_vec3_scale(distance, way); /* at the origin at about 1 s */
        body.state.velocity = fender_vec3_scale(-speed, way);
        fender_body_id id;
        check_ok(fender_body_create(world, &body, &id, &error));
        if (i == 0) first = id;
        if (i % 3 == 1) {
            fender_rule_def rule = {.size = sizeof(fender_rule_def),
                                    .kind = FENDER_RULE_BODIES,
                                    .body_a = first,
                                    .body_b = id,
                                    .use = ids[1]};
            check_ok(fender_rule_create(world, &rule, &rule_id, &error));
        }
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "ball";
        shape.geometry = fender_geometry_sphere(&env, 0.6, NULL);
        fender_shape_id shape_id;
        check_ok(fender_shape_create(world, id, &shape, &shape_id, &error));
        fender_geometry_release(shape.geometry);
    }
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* Every clock shows the time since its contact has a record. Returns how many there are. */
static int check_clocks(const fender_world *world, double late, double tolerance)
{
    int count = fender_contact_count(world, FENDER_CLOCK_COMMITTED);
    double sum = 0;
    for (int i = 0; i < count; i++) {
        fender_contact_data c;
        assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, &c), FENDER_STATUS_OK);
        double age = fender_world_time(world) - c.begin_time - late;
        if (age < -tolerance) continue; /* begins with the step that is looked into */
        double factor = c.type.index1 == 1 ? 33 : 7;
        check_near(c.stored_energy, factor * age, factor * tolerance);
        sum += factor * age;
    }
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    check_near(ledger.stored, sum, 33 * count * tolerance);
    return count;
}

static void clocks(void **state)
{
    (void)state;
    static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER,
                                                       FENDER_INTEGRATOR_VELOCITY_VERLET, FENDER_INTEGRATOR_DOPRI5,
                                                       FENDER_INTEGRATOR_DOP853};
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
        for (int locate = 0; locate < 2; locate++) {
            bool adaptive = fender_integrator_adaptive(methods[m]);
            if (adaptive && !locate) continue;
            fender_world *world = crowd(methods[m], locate, 1);
            int most = 0;
            while (fender_world_time(world) < 1.6) {
                check_ok(fender_world_step(world, &error));
                int count = check_clocks(world, locate ? 0 : STEP, 1e-9);
                if (count > most) most = count;
            }
            print_message("%-20s %s up to %d contacts\n", fender_integrator_name(methods[m]),
                          locate ? "located" : "       ", most);
            assert_true(most > 60); /* of 120; room was made for 48 */
            assert_true(fender_world_event_count(world, FENDER_EVENT_END) > 60);
            fender_world_destroy(world);
        }
}

/* Within a proposed step they are those of the time that is looked at, and of the accepted state again behind it. */
static void looks(void **state)
{
    (void)state;
    static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_DOPRI5};
    for (size_t m = 0; m < 2; m++) {
        fender_world *world = crowd(methods[m], true, 2), *other = crowd(methods[m], true, 2);
        while (fender_world_time(world) < 1.2) {
            fender_proposal p;
            check_ok(fender_world_propose(world, INFINITY, &p, &error));
            uint64_t before = fender_world_hash(world);
            for (int i = 1; i < 4; i++) {
                check_ok(fender_world_sample(world, p.start_time + 0.25 * i * (p.end_time - p.start_time), &error));
                check_clocks(world, 0, 1e-9);
            }
            check_ok(fender_world_sample(world, p.start_time, &error));
            check_clocks(world, 0, 1e-9);
            assert_true(fender_world_hash(world) == before);
            check_ok(fender_world_accept(world, &error));
            check_ok(fender_world_propose(other, INFINITY, &p, &error));
            check_ok(fender_world_accept(other, &error));
            assert_true(fender_world_hash(world) == fender_world_hash(other));
        }
        fender_world_destroy(world);
        fender_world_destroy(other);
    }
}

/* A snapshot of many contacts goes into a new world that has room for few. */
static void snapshots(void **state)
{
    (void)state;
    fender_world *world = crowd(FENDER_INTEGRATOR_RK4, false, 3), *other = crowd(FENDER_INTEGRATOR_RK4, false, 3);
    check_ok(fender_world_advance(world, 200, &error));
    assert_true(fender_contact_count(world, FENDER_CLOCK_COMMITTED) > 60);
    fender_snapshot *snapshot = fender_snapshot_take(world, NULL);
    assert_non_null(snapshot);
    check_ok(fender_snapshot_restore(other, snapshot, &error));
    fender_snapshot_destroy(snapshot);
    check_clocks(other, STEP, 1e-9);
    for (int i = 0; i < 60; i++) {
        assert_true(fender_world_hash(world) == fender_world_hash(other));
        check_ok(fender_world_step(world, &error));
        check_ok(fender_world_step(other, &error));
    }
    check_clocks(other, STEP, 1e-9);
    fender_world_destroy(world);
    fender_world_destroy(other);
}

/* A host moves the bodies; the states follow by the trapezoidal rule, exact for clocks. */
static void host(void **state)
{
    (void)state;
    fender_world *world = crowd(FENDER_INTEGRATOR_RK4, false, 4);
    double y[BALLS * FENDER_STATE_PER_BODY];
    int most = 0;
    for (int i = 1; i < 250; i++) {
        fender_world_get_state(world, y);
        for (int k = 0; k < BALLS; k++)
            for (int j = 0; j < 3; j++) y[k * FENDER_STATE_PER_BODY + j] += STEP * y[k * FENDER_STATE_PER_BODY + 7 + j];
        check_ok(fender_world_set_state(world, i * STEP, y, &error));
        check_ok(fender_world_evaluate(world, &error));
        check_ok(fender_world_commit(world, &error));
        int count = check_clocks(world, STEP, 1e-9);
        if (count > most) most = count;
    }
    assert_true(most > 60);
    fender_world_destroy(world);
}

/* A law that resets its state at every accepted state. */
static void reset(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                  void *memory, fender_contact_change *change)
{
    (void)parameters, (void)out, (void)memory;
    assert_true(in->states == change->states);
    change->states[0] = -1;
}

static void changed_by_update(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    fender_world *world = fender_world_create(&env, &def, NULL);
    fender_law law = clock_law;
    law.update = reset;
    fender_contact_type_id type;
    fender_rule_id rule;
    check_ok(fender_contact_type_create(
        world, &(fender_contact_type_def){.size = sizeof(fender_contact_type_def), .name = "reset", .law = &law}, &type,
        &error));
    check_ok(fender_rule_create(
        world, &(fender_rule_def){.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = type}, &rule,
        &error));
    for (int i = 0; i < 2; i++) {
        fender_body_def body = fender_body_def_default();
        body.name = i ? "moving" : "fixed";
        body.motion = i ? FENDER_MOTION_DYNAMIC : FENDER_MOTION_FIXED;
        body.mass_properties.mass = 1;
        body.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
        body.state.position.x = i;
        fender_body_id id;
        check_ok(fender_body_create(world, &body, &id, &error));
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "ball";
        shape.geometry = fender_geometry_sphere(&env, 1, NULL);
        fender_shape_id shape_id;
        check_ok(fender_shape_create(world, id, &shape, &shape_id, &error));
        fender_geometry_release(shape.geometry);
    }
    check_ok(fender_world_initialize(world, &error));
    for (int i = 0; i < 5; i++) {
        fender_ledger ledger;
        fender_world_ledger(world, &ledger);
        assert_true(ledger.stored == -1);
        check_near(ledger.damping, i * def.step, 1e-15); /* what it gave up */
        check_ok(fender_world_step(world, &error));
    }
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks),
        cmocka_unit_test(looks),
        cmocka_unit_test(snapshots),
        cmocka_unit_test(host),
        cmocka_unit_test(changed_by_update),
    };
    return cmocka_run_group_tests_name("continuous states of laws", tests, NULL, NULL);
}
