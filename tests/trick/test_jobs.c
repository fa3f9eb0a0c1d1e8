/* The jobs of integrations/trick in the order in which Trick calls them: an integrator and a scheduler that do what
 * those of Trick do (Runge_Kutta_4; IntegLoopScheduler with dynamic events) stand in for it. Results are compared with
 * the world's own integrator. */
#include "fender_trick_jobs.h"

#include <fender/io.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "trick/stub/trick/exec_proto.h"
#include "trick/stub/trick/integrator_c_intf.h"
#include "trick/stub/trick/memorymanager_c_intf.h"

#define SCENARIO FENDER_SOURCE_DIR "/integrations/trick/SIM_vehicles/vehicles.yaml"
static const double cycle = 0.002;

/* ---- what stands in for Trick */

static struct {
    double time, dt, target, sim_time;
    double state[FENDER_TRICK_STATES], start[FENDER_TRICK_STATES], deriv[4][FENDER_TRICK_STATES];
    int pass, allocations, events;
    char ended[600]; /* the message of exec_terminate_with_return */
} trick;

double exec_get_sim_time(void) { return trick.sim_time; }
int exec_terminate_with_return(int code, const char *file, int line, const char *message)
{
    snprintf(trick.ended, sizeof trick.ended, "%d %s:%d %s", code, file, line, message);
    return 0;
}
double get_integ_dt(void) { return trick.dt; }
double get_integ_target_time(void) { return trick.target; }
int get_intermediate_step(void) { return trick.pass; }
void load_indexed_state(unsigned int i, double value) { trick.state[i] = value; }
void load_indexed_deriv(unsigned int i, double value) { trick.deriv[trick.pass][i] = value; }
double unload_indexed_state(unsigned int i) { return trick.state[i]; }
void *TMM_declare_var_1d(const char *type, int count)
{
    assert_string_equal(type, "unsigned char");
    trick.allocations++;
    return malloc((size_t)count);
}
void TMM_delete_var_a(void *address)
{
    trick.allocations--;
    free(address);
}

int integrate(void)
{
    const double h = trick.dt;
    for (int i = 0; i < FENDER_TRICK_STATES; i++) {
        double(*k)[FENDER_TRICK_STATES] = trick.deriv;
        if (trick.pass == 0) {
            trick.start[i] = trick.state[i];
            trick.state[i] = trick.start[i] + k[0][i] * (h / 2);
        } else if (trick.pass == 1) {
            trick.state[i] = trick.start[i] + k[1][i] * (h / 2);
        } else if (trick.pass == 2) {
            trick.state[i] = trick.start[i] + k[2][i] * h;
        } else {
            trick.state[i] = trick.start[i] + (k[0][i] + k[3][i]) * (h / 6) + (k[1][i] + k[2][i]) * (h / 3);
        }
    }
    trick.pass = (trick.pass + 1) % 4;
    if (trick.pass == 0) trick.time += h;
    return trick.pass;
}

static void integrate_dt(fender_trick *t, double from, double dt)
{
    trick.time = from;
    trick.dt = dt;
    trick.target = from + dt;
    do assert_int_equal(fender_trick_derivative_job(t), 0);
    while (fender_trick_integration_job(t));
}

static void dynamic_events(fender_trick *t, double end)
{
    double to = end, go = fender_trick_event_job(t);
    if (go >= 0) return;
    for (int n = 0; go != 0; n++) {
        assert_true(n < 100);
        integrate_dt(t, to, go);
        to += go;
        go = fender_trick_event_job(t);
    }
    trick.events++;
    integrate_dt(t, to, end - to);
    dynamic_events(t, end);
}

/* To the step's number `until`, from the number `from`. */
static void cycles(fender_trick *t, int from, int until)
{
    for (int n = from; n < until; n++) {
        const double begin = n * cycle;
        trick.sim_time = (n + 1) * cycle;
        assert_int_equal(fender_trick_command_job(t), 0);
        integrate_dt(t, begin, cycle);
        dynamic_events(t, trick.sim_time);
        assert_int_equal(fender_trick_commit_job(t), 0);
    }
}

static fender_trick *begin(void)
{
    memset(&trick, 0, sizeof trick);
    fender_trick *t = malloc(sizeof *t);
    assert_non_null(t);
    assert_int_equal(fender_trick_default_data(t), 0);
    t->scenario = SCENARIO;
    return t;
}

static void end(fender_trick *t)
{
    fender_trick_shutdown_job(t);
    if (t->snapshot) TMM_delete_var_a(t->snapshot);
    assert_int_equal(trick.allocations, 0);
    free(t);
}

/* ---- the world alone */

static const fender_override elastic[] = {{"contact_types.shell_on_shell.normal.damping", "0"},
                                          {"integrator.locate_events", "true"}};

static fender_body_data alone(const fender_override *overrides, int count, double time, const char *name,
                              uint64_t *hash)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_scenario *scenario = fender_scenario_load(&env, NULL, SCENARIO, overrides, count, &error);
    assert_non_null(scenario);
    fender_world *world = fender_scenario_build(scenario, &env, &error);
    assert_non_null(world);
    while (fender_world_time(world) < time - cycle / 2) assert_int_equal(fender_world_step(world, &error), 0);
    fender_body_id id;
    fender_body_data data;
    assert_int_equal(fender_body_find(world, name, &id), 0);
    assert_int_equal(fender_body_get(world, id, FENDER_CLOCK_COMMITTED, &data), 0);
    if (hash) *hash = fender_world_hash(world);
    fender_world_destroy(world);
    fender_scenario_destroy(scenario);
    return data;
}

static void check_body(const fender_trick_body *b, fender_body_data d, double tolerance)
{
    check_vector(fender_vec3_make(b->position[0], b->position[1], b->position[2]), d.position, tolerance);
    check_vector(fender_vec3_make(b->velocity[0], b->velocity[1], b->velocity[2]), d.velocity, tolerance);
    check_vector(fender_vec3_make(b->angular_velocity[0], b->angular_velocity[1], b->angular_velocity[2]),
                 d.angular_velocity, tolerance);
    check_near(b->attitude[3], d.attitude.z, tolerance);
}

/* ---- tests */

static void integrated_by_the_host(void **state)
{
    (void)state;
    fender_trick *t = begin();
    assert_int_equal(fender_trick_initialize_job(t), 0);
    assert_string_equal(t->body[1].name, "chaser");
    assert_int_equal(t->state_count, 27);
    cycles(t, 0, 1600); /* 3.2 s: in contact */
    assert_string_equal(t->contact[0].a, "target.hull");
    assert_true(t->contact[0].normal_force > 100);
    cycles(t, 1600, 2000);
    assert_int_equal(t->contact_count, 0);
    assert_int_equal(t->begin_count, 1);
    assert_int_equal(t->end_count, 1);
    assert_string_equal(t->event[1].kind, "end");
    /* quaternions here, the rotation group in the world's own rk4: order 4 both */
    check_body(&t->body[0], alone(NULL, 0, 4, "target", NULL), 2e-9);
    check_body(&t->body[1], alone(NULL, 0, 4, "chaser", NULL), 2e-9);
    assert_string_equal(trick.ended, "");
    end(t);
}

static void events_are_hit(void **state)
{
    (void)state;
    fender_trick *t = begin();
    t->watch[0].a = "target.hull";
    t->watch[0].b = "chaser.hull";
    t->set[0] = "contact_types.shell_on_shell.normal.damping=0"; /* no other kinks than those of the touch */
    assert_int_equal(fender_trick_initialize_job(t), 0);
    cycles(t, 0, 1600);
    assert_int_equal(trick.events, 1);
    check_near(t->watch[0].last_time, (8 - sqrt(4 - 0.09)) / 2, 1e-11); /* free flight at 2 m/s until the hulls touch */
    cycles(t, 1600, 2000);
    assert_int_equal(trick.events, 2);
    assert_int_equal(t->watch[0].fires, 2);
    assert_int_equal(t->begin_count, 1);
    assert_int_equal(t->end_count, 1);
    check_body(&t->body[0], alone(elastic, 2, 4, "target", NULL), 1e-9);
    end(t);
}

/* The force of a damper jumps at the first touch: the step that ends there must not see it, the next one must. */
static void a_jump_is_hit(void **state)
{
    (void)state;
    fender_trick *t = begin();
    t->watch[0].a = "target.hull";
    t->watch[0].b = "chaser.hull";
    assert_int_equal(fender_trick_initialize_job(t), 0);
    cycles(t, 0, 1510);
    check_body(&t->body[1], alone(&elastic[1], 1, 3.02, "chaser", NULL), 1e-11);
    end(t);
}

static void advanced_by_the_world(void **state)
{
    (void)state;
    uint64_t hash;
    fender_trick *t = begin();
    assert_int_equal(fender_trick_initialize_job(t), 0);
    for (int n = 0; n <= 2000; n++) {
        trick.sim_time = n * cycle;
        assert_int_equal(fender_trick_advance_job(t), 0);
    }
    alone(NULL, 0, 4, "target", &hash);
    assert_true(fender_trick_hash(t) == hash);
    end(t);
}

static void checkpoint_continues(void **state)
{
    (void)state;
    fender_trick *t = begin();
    assert_int_equal(fender_trick_initialize_job(t), 0);
    cycles(t, 0, 1600);
    assert_int_equal(fender_trick_checkpoint_job(t), 0);
    fender_trick *other = malloc(sizeof *other); /* what a checkpoint file brings back: all but the world */
    assert_non_null(other);
    memcpy(other, t, sizeof *t);
    other->inside = NULL;
    cycles(t, 1600, 2000);
    assert_int_equal(fender_trick_restart_job(other), 0);
    assert_int_equal(trick.ended[0], 0);
    cycles(other, 1600, 2000);
    assert_true(fender_trick_hash(other) == fender_trick_hash(t));
    assert_memory_equal(other->state, t->state, sizeof t->state);
    fender_trick_shutdown_job(other);
    free(other);
    end(t);
}

static void commands_and_states(void **state)
{
    (void)state;
    fender_trick *t = begin();
    t->body[1].use_state = 1;
    t->body[1].position[0] = 20;
    t->command[0].name = "loads.engine.active";
    t->set[0] = "loads.engine.force={constant: [100, 0, 0, N]}";
    assert_int_equal(fender_trick_initialize_job(t), 0);
    check_near(t->body[1].position[0], 20, 0);
    cycles(t, 0, 100);
    check_near(t->body[1].velocity[0], 0, 0);
    t->command[0].value[0] = 1;
    cycles(t, 100, 600); /* 1 s by 1 m/s^2 */
    check_near(t->command[0].given[0], 1, 0);
    check_near(t->body[1].velocity[0], 1, 1e-12);
    t->command[0].value[0] = 0;
    cycles(t, 600, 700);
    check_near(t->body[1].velocity[0], 1, 1e-12);
    check_near(t->energy_residual, 0, 1e-10);
    end(t);
}

/* The engine's 100 N on 100 kg act for 0.4 s, and 50 N once they are commanded; y is as in the scenario. */
static void named_commands_keep_the_scenario(void **state)
{
    (void)state;
    fender_trick *t = begin();
    t->body[1].use_state = 1;
    t->body[1].position[0] = 20;
    t->command[0].name = "loads.engine.force";
    t->command[1].name = "loads.engine.active";
    t->command[1].value[0] = 1;
    t->set[0] = "loads.engine.force={constant: [100, 0, 0, N]}";
    assert_int_equal(fender_trick_initialize_job(t), 0);
    check_near(t->command[0].value[0], 100, 0);
    check_near(t->command[2].value[0], 0, 0);
    cycles(t, 0, 200);
    check_near(t->body[1].velocity[0], 0.4, 1e-12);
    t->command[0].value[0] = 50;
    cycles(t, 200, 400);
    check_near(t->body[1].velocity[0], 0.4 + 0.2, 1e-12);
    end(t);
}

/* Two landers whose names differ in their last letters stand in the ground. */
static void long_names_are_whole(void **state)
{
    (void)state;
    static const char path[] = "long_names.yaml";
    static const char *const names[] = {"lander_with_a_name_of_more_than_thirty_letters_and_a_leg_left",
                                        "lander_with_a_name_of_more_than_thirty_letters_and_a_leg_right"};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("fender: 1\n"
          "integrator: {method: rk4, step: 2 ms}\n"
          "run: {until: 1 s}\n"
          "contact_types: {foot: {law: spring_damper, stiffness: 1 kN/m}}\n"
          "rules: [{default: foot}]\n"
          "bodies:\n"
          "  ground: {motion: fixed, shapes: {soil: {plane: {}}}}\n",
          file);
    for (int i = 0; i < 2; i++)
        fprintf(file,
                "  %s:\n"
                "    mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}\n"
                "    shapes: {foot_whose_name_is_not_a_short_one_either: {sphere: {radius: 1 m}}}\n"
                "    state: {position: [%d, 0, 0.99, m]}\n",
                names[i], 10 * i);
    assert_int_equal(fclose(file), 0);
    fender_trick *t = begin();
    t->scenario = (char *)path;
    assert_int_equal(fender_trick_initialize_job(t), 0);
    assert_int_equal(t->contact_count, 2);
    for (int i = 0; i < 2; i++) {
        char expected[200];
        snprintf(expected, sizeof expected, "%s.foot_whose_name_is_not_a_short_one_either", names[i]);
        assert_string_equal(t->contact[i].b, expected);
        assert_string_equal(t->contact[i].a, "ground.soil");
    }
    end(t);
}

static void mistakes_end_the_sim(void **state)
{
    (void)state;
    fender_trick *t = begin();
    t->scenario = NULL;
    assert_int_not_equal(fender_trick_initialize_job(t), 0);
    assert_non_null(strstr(trick.ended, "scenario"));
    assert_int_not_equal(fender_trick_commit_job(t), 0);
    t->scenario = "nowhere.yaml";
    assert_int_not_equal(fender_trick_initialize_job(t), 0);
    assert_non_null(strstr(trick.ended, "nowhere.yaml"));
    t->scenario = SCENARIO;
    t->command[0].name = "loads.engin.active";
    assert_int_not_equal(fender_trick_initialize_job(t), 0);
    assert_non_null(strstr(trick.ended, "engin"));
    t->command[0].name = NULL;
    t->watch[0].a = "target.hull";
    t->watch[0].b = "chaser.nose";
    assert_int_not_equal(fender_trick_initialize_job(t), 0);
    assert_non_null(strstr(trick.ended, "chaser.nose"));
    t->watch[0].a = NULL;
    t->set[0] = "no value";
    assert_int_not_equal(fender_trick_initialize_job(t), 0);
    assert_non_null(strstr(trick.ended, "PATH=VALUE"));
    t->set[0] = NULL;
    assert_int_not_equal(fender_trick_restart_job(t), 0);
    assert_non_null(strstr(trick.ended, "snapshot"));
    assert_int_equal(fender_trick_initialize_job(t), 0);
    cycles(t, 0, 1);
    t->state[0] = NAN;
    trick.sim_time = 2 * cycle;
    assert_int_not_equal(fender_trick_commit_job(t), 0);
    end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrated_by_the_host), cmocka_unit_test(events_are_hit),
        cmocka_unit_test(a_jump_is_hit),          cmocka_unit_test(advanced_by_the_world),
        cmocka_unit_test(checkpoint_continues),   cmocka_unit_test(commands_and_states),
        cmocka_unit_test(mistakes_end_the_sim),   cmocka_unit_test(named_commands_keep_the_scenario),
        cmocka_unit_test(long_names_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
