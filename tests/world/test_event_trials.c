/* Trial steps that locating an event takes, and how near its time is to the exact one: of functions that are smooth,
 * with and without rates, that have a kink at zero, and that are exactly zero behind it. */
/* items: S074 */
#include "check.h"
#include <math.h>
#include <string.h>

/* A law without force, whose root is a function of the way to a depth, until that is reached. */
typedef enum gate_form { GATE_SMOOTH, GATE_STEEP, GATE_KINK, GATE_FLAT, GATE_FORMS } gate_form;
static const double gate_depth = 0.0637;

static void gate_force(const void *parameters, const fender_contact_input *in, const void *memory,
                       fender_contact_output *out)
{
    (void)parameters, (void)in, (void)memory, (void)out;
}

static void gate_roots(gate_form form, const fender_contact_input *in, const void *memory, double *root)
{
    const double way = gate_depth - in->depth;
    *root = way;
    if (form == GATE_STEEP) *root = exp(100 * way) - 1;
    if (form == GATE_KINK && way < 0) *root = 1e-4 * way;
    if (form == GATE_FLAT && way < 0) *root = 0;
    if (*(const double *)memory > 0) *root = 1;
}

static void gate_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                        void *memory, fender_contact_change *change)
{
    (void)parameters, (void)out;
    if (*(double *)memory > 0 || in->depth < gate_depth) return;
    *(double *)memory = 1;
    change->event = 7;
}

#define GATE(number)                                                                                            \
    static void gate_roots_##number(const void *parameters, const fender_contact_input *in, const void *memory, \
                                    double *root)                                                               \
    {                                                                                                           \
        (void)parameters;                                                                                       \
        gate_roots(number, in, memory, root);                                                                   \
    }                                                                                                           \
    static const fender_law gate_##number = {.size = sizeof(fender_law),                                        \
                                             .kinds = FENDER_LAW_WHOLE,                                         \
                                             .name = "gate",                                                    \
                                             .doc = "",                                                         \
                                             .memory_size = sizeof(double),                                     \
                                             .force = gate_force,                                               \
                                             .update = gate_update,                                             \
                                             .root_count = 1,                                                   \
                                             .roots = gate_roots_##number}
GATE(0);
GATE(1);
GATE(2);
GATE(3);
static const fender_law *const gates[GATE_FORMS] = {&gate_0, &gate_1, &gate_2, &gate_3};

/* A ball that is thrown onto a plane: its height is a parabola, which rk4 follows exactly. */
static const double gravity = 9.81, speed = 1.37;
static double height = 0.0711;
static double tolerance; /* of dopri5, for a ball at a body that tumbles; 0: rk4 */
static double time_at(double depth)
{
    return (-speed + sqrt(speed * speed + 2 * gravity * (height + depth))) / gravity;
}

static fender_world *thrown(gate_form form, double arm, double rate)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = tolerance > 0 ? FENDER_INTEGRATOR_DOPRI5 : FENDER_INTEGRATOR_RK4;
    if (tolerance > 0) def.relative_tolerance = tolerance;
    def.step = 0.01;
    def.locate_events = true;
    def.gravity.kind = FENDER_GRAVITY_UNIFORM;
    def.gravity.acceleration = fender_vec3_make(0, 0, -gravity);
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    fender_contact_type_def type = {.size = sizeof type, .name = "gate", .law = gates[form]};
    fender_rule_def rule = fender_rule_def_default();
    rule.kind = FENDER_RULE_DEFAULT;
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    fender_body_id id;
    fender_body_def ground = fender_body_def_default(), ball = ground;
    fender_shape_def shape = fender_shape_def_default();
    ground.name = "ground";
    ground.motion = FENDER_MOTION_FIXED;
    check_ok(fender_body_create(world, &ground, &id, &error));
    shape.name = "shape";
    shape.geometry = fender_geometry_plane(&env, NULL);
    check_ok(fender_shape_create(world, id, &shape, NULL, &error));
    fender_geometry_release((fender_geometry *)shape.geometry);
    ball.name = "ball";
    ball.mass_properties.mass = 1;
    ball.mass_properties.inertia = fender_mat3_diagonal(1, tolerance > 0 ? 1.5 : 1, 1);
    ball.state.position.z = 0.2 + height;
    ball.state.velocity.z = -speed;
    ball.state.angular_velocity.y = rate;
    if (tolerance > 0) ball.state.angular_velocity.x = 0.3 * rate;
    check_ok(fender_body_create(world, &ball, &id, &error));
    shape.geometry = fender_geometry_sphere(&env, 0.2, NULL);
    shape.X_SG.p.x = arm;
    check_ok(fender_shape_create(world, id, &shape, NULL, &error));
    fender_geometry_release((fender_geometry *)shape.geometry);
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* Evaluations of the step in which an event of that kind happens, beyond those of a step without events. */
static int64_t evaluations_of(fender_world *world, fender_event_kind kind, double *time)
{
    int64_t before = fender_world_evaluation_count(world), plain = INT64_MAX;
    for (int i = 0; i < 500; i++) {
        check_ok(fender_world_step(world, &error));
        const int64_t now = fender_world_evaluation_count(world), taken = now - before;
        before = now;
        int count;
        const fender_event *events = fender_world_events(world, &count);
        for (int k = 0; k < count; k++) {
            if (events[k].kind != kind) continue;
            *time = events[k].time;
            return taken - plain;
        }
        if (count == 0 && taken < plain) plain = taken;
    }
    fail();
    return 0;
}

/* A step of rk4 has four stages, of which the first is that of the accepted state. The step goes on after the event,
 * which takes another one. */
static void few_trials(void **state)
{
    (void)state;
    static const int most[GATE_FORMS] = {4, 8, 24, 6};
    for (int form = 0; form < GATE_FORMS; form++) {
        fender_world *world = thrown((gate_form)form, 0, 0);
        double touch = NAN, reached = NAN;
        const int64_t touching = evaluations_of(world, FENDER_EVENT_BEGIN, &touch);
        check_near(touch, time_at(0), 2e-14);
        const int64_t reaching = evaluations_of(world, FENDER_EVENT_LAW, &reached);
        check_near(reached, time_at(gate_depth), 2e-14);
        print_message("form %d: trials of a touch %g, of the law %g\n", form, (double)touching / 3 - 1,
                      (double)reaching / 3 - 1);
        check_below((double)touching / 3 - 1, 3);
        check_below((double)reaching / 3 - 1, most[form]);
        fender_world_destroy(world);
    }
}

/* A ball at a lever on a body that turns: its height is no polynomial. */
static const double lever = 0.02, turning = 60;
static double touch_of_turning(void)
{
    double t = 0.04;
    for (int i = 0; i < 20; i++) {
        const double z = height - speed * t - 0.5 * gravity * t * t - lever * sin(turning * t);
        t += z / (speed + gravity * t + lever * turning * cos(turning * t));
    }
    return t;
}

/* Wherever the event is in its step, and however near to it the first trials are. */
static void few_trials_anywhere(void **state)
{
    (void)state;
    const double first = height;
    double sum = 0, most = 0;
    enum { HEIGHTS = 20 };
    for (int i = 0; i < HEIGHTS; i++) {
        height = first + 1.3e-3 * i;
        fender_world *world = thrown(GATE_SMOOTH, lever, turning);
        double touch = NAN;
        const double trials = (double)evaluations_of(world, FENDER_EVENT_BEGIN, &touch) / 3 - 1;
        check_near(touch, touch_of_turning(), 2e-14);
        sum += trials;
        if (trials > most) most = trials;
        fender_world_destroy(world);
    }
    height = first;
    check_below(most, 6);
    print_message("trials: %.2f in the mean, %.2f at most\n", sum / HEIGHTS, most);
}

/* dopri5 looks for events on its dense output and brackets them again by steps that end there, whose states differ by
 * far more than the tolerance of events: the first such step tells where the event is, the next two are beside it. */
static void few_trials_behind_dense_output(void **state)
{
    (void)state;
    const double first = height;
    double sum = 0, most = 0;
    enum { HEIGHTS = 20 };
    for (int i = 0; i < HEIGHTS; i++) {
        double touch[2] = {NAN, NAN}, trials = 0;
        height = first + 1.3e-3 * i;
        for (int fine = 1; fine >= 0; fine--) {
            tolerance = fine ? 1e-12 : 1e-7;
            fender_world *world = thrown(GATE_SMOOTH, lever, turning);
            trials = (double)evaluations_of(world, FENDER_EVENT_BEGIN, &touch[fine]) / 6;
            fender_world_destroy(world);
        }
        check_near(touch[0], touch[1], 1e-6);
        sum += trials;
        if (trials > most) most = trials;
    }
    height = first;
    tolerance = 0;
    print_message("trials: %.2f in the mean, %.2f at most\n", sum / HEIGHTS, most);
    check_below(most, 5);
}

/* A touch that is so slow that rounding of places exceeds the tolerance of its time: the search ends there, instead of
 * asking rounding for every further bit. */
static void few_trials_of_a_slow_touch(void **state)
{
    (void)state;
    enum { CASES = 40 };
    double sum = 0, most = 0;
    for (int i = 0; i < CASES; i++) {
        fender_env env = fender_env_default();
        fender_world_def def = fender_world_def_default();
        def.method = FENDER_INTEGRATOR_RK4;
        def.step = 0.01;
        def.locate_events = true;
        fender_world *world = fender_world_create(&env, &def, NULL);
        fender_contact_type_def type = fender_contact_type_def_default();
        fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT};
        double numbers[16];
        type.name = "soft", type.law = fender_law_find(NULL, "spring_damper"), type.law_parameters = numbers;
        (void)fender_field_initialize(&type.law->parameters, numbers, sizeof numbers, NULL);
        fender_field_set(fender_field_find(&type.law->parameters, "stiffness"), numbers, 0, 1e3);
        check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
        check_ok(fender_rule_create(world, &rule, NULL, &error));
        const double approach = 1e-5, way = approach * def.step * (1.3 + 0.9 * i / CASES);
        for (int k = 0; k < 2; k++) {
            fender_body_def ball = fender_body_def_default();
            fender_shape_def shape = fender_shape_def_default();
            fender_body_id id;
            ball.name = k == 0 ? "first" : "second";
            ball.mass_properties.mass = 1;
            ball.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
            ball.state.position = fender_vec3_make(3.1, k * (0.7 + way), -2.3); /* balls of 0.4 m and 0.3 m */
            ball.state.velocity.y = k == 0 ? approach : 0;
            check_ok(fender_body_create(world, &ball, &id, &error));
            shape.name = "ball";
            shape.geometry = fender_geometry_sphere(&env, k == 0 ? 0.4 : 0.3, NULL);
            check_ok(fender_shape_create(world, id, &shape, NULL, &error));
            fender_geometry_release((fender_geometry *)shape.geometry);
        }
        check_ok(fender_world_initialize(world, &error));
        double touch = NAN;
        const double trials = (double)evaluations_of(world, FENDER_EVENT_BEGIN, &touch) / 4;
        check_near(touch, way / approach, 1e-9); /* 1e-14 m */
        sum += trials;
        if (trials > most) most = trials;
        fender_world_destroy(world);
    }
    print_message("slow: %.2f trials in the mean, %.2f at most\n", sum / CASES, most);
    check_below(sum / CASES, 14); /* 18.3 if every bit is asked for */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_trials), cmocka_unit_test(few_trials_anywhere),
                                       cmocka_unit_test(few_trials_behind_dense_output),
                                       cmocka_unit_test(few_trials_of_a_slow_touch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
