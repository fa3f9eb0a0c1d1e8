/* What links refuse beyond their ranges, struts and latches at the borders of their definitions, loads in time. */
#include "link_pair.h"

/* ---- contact types that a link cannot take */

static void nothing(const void *parameters, const fender_contact_input *in, const void *memory,
                    fender_contact_output *out)
{
    (void)parameters, (void)in, (void)memory, (void)out;
}
static void no_rates(const void *parameters, const fender_contact_input *in, const void *memory, double *rates)
{
    (void)parameters, (void)in, (void)memory;
    rates[0] = 0;
}

static void contact_types(void **state)
{
    (void)state;
    fender_world_def world_def = fender_world_def_default();
    fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 1);
    pair two = pair_of(&world_def, &a, &b, at(0, 0, 0), at(0, 0, 0));
    const fender_law plain = {.size = sizeof(fender_law),
                              .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
                              .name = "plain",
                              .doc = "It.",
                              .force = nothing};
    fender_law states = plain, connects = plain, remembers = plain, most = plain;
    states.state_count = 1, states.state_rates = no_rates;
    connects.needs = FENDER_LAW_CONNECTS;
    remembers.memory_size = 1000;
    most.memory_size = 16;
    static const double times[] = {0}, values[] = {1};
    const fender_prescribed_force prescribed_force = {.normal = {times, values, 1, 1, FENDER_AFTER_HOLD}};
    const struct {
        const fender_law *law;
        const fender_prescribed_force *prescribed_force;
        const char *why; /* NULL: taken */
    } rows[] = {
        {&states, NULL, NULL}, /* they are integrated with the bodies */
        {&plain, &prescribed_force, "a link has no prescribed forces"},
        {&connects, NULL, "a link makes no connections"},
        {&remembers, NULL, "the laws need more memory than a link has"},
        {&most, NULL, NULL},
        {&plain, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fender_contact_type_def type = fender_contact_type_def_default();
        fender_link_contact_law p = {1, FENDER_LINK_PUSH, INFINITY};
        fender_link_def def = fender_link_def_default();
        char name[8];
        snprintf(name, sizeof name, "n%d", (int)i);
        type.name = def.name = name;
        type.law = rows[i].law;
        type.prescribed_force = rows[i].prescribed_force;
        def.a = two.p, def.b = two.q;
        def.law = FENDER_LINK_CONTACT_LAW;
        def.parameters = &p;
        check_ok(fender_contact_type_create(two.world, &type, &def.use, &error));
        fender_error why = {0};
        const fender_status status = fender_link_create(two.world, &def, NULL, &why);
        assert_int_equal(status, rows[i].why ? FENDER_STATUS_ARGUMENT : FENDER_STATUS_OK);
        assert_string_equal(why.message, rows[i].why ? rows[i].why : "");
        assert_string_equal(why.found, rows[i].why ? name : "");
    }
    assert_int_equal(fender_link_count(two.world), 3);
    fender_world_destroy(two.world);
}

/* ---- struts */

static fender_link_strut strut(double stiffness)
{
    fender_link_strut p;
    (void)fender_field_initialize(fender_link_law_parameters(FENDER_LINK_STRUT), &p, sizeof p, NULL);
    p.free_length = 1;
    p.stiffness = stiffness;
    return p;
}

static fender_link_def strut_of(const fender_link_strut *p)
{
    fender_link_def def = fender_link_def_default();
    def.law = FENDER_LINK_STRUT;
    def.parameters = p;
    return def;
}

static void curves(void **state)
{
    (void)state;
    const fender_vec2 bad[][3] = {
        {{0, 0}, {NAN, 1}, {2, 2}},      {{0, 0}, {INFINITY, 1}, {2, 2}}, {{0, NAN}, {1, 1}, {2, 2}},
        {{0, 0}, {1, INFINITY}, {2, 2}}, {{0, -1}, {1, 1}, {2, 2}},       {{0, 0}, {2, 1}, {1, 2}},
        {{0, 0}, {1, 2}, {2, 1}},        {{-1, 0}, {1, 1}, {2, 2}},
    };
    const fender_link_strut p = strut(0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        fender_link_def def = strut_of(&p);
        def.curve = bad[i];
        def.curve_count = 3;
        fender_error error = {0};
        assert_int_equal(fender_link_check(&def, &error), FENDER_STATUS_VALUE);
        assert_string_equal(error.path, "curve");
    }
}

/* A curve that is flat, rises, and is flat again: a core that crushes between its two levels does so in the piece that
 * rises, and one at its upper level where that begins. Force and crushed length against the curve by hand. */
static void crushing_on_a_curve(void **state)
{
    (void)state;
    static const fender_vec2 steps[] = {{0, 100}, {0.01, 100}, {0.03, 300}, {0.05, 300}};
    for (int i = 0; i < 2; i++) {
        fender_link_strut p = strut(0);
        p.crush_force = i ? 300 : 200;
        fender_link_def def = strut_of(&p);
        def.curve = steps;
        def.curve_count = 4;
        pair two = located_link(&locateds[0], 1, -3, &def);
        run_to(&two, 0.08, NULL);
        /* E = F u + what the curve holds at the yield: 100 N over 10 mm, and the trapezium from 100 N to F */
        const double energy = 0.5 * reduced * 9, yield = 0.01 + (p.crush_force - 100) * 1e-4;
        const double held = 1 + 0.5 * (100 + p.crush_force) * (yield - 0.01);
        check_near(read(&two).crushed, (energy - held) / p.crush_force, 1e-6);
        check_near(read(&two).crush_loss, energy - held, 1e-4);
        check_near(read(&two).peak_force, p.crush_force, 1e-9);
        fender_world_destroy(two.world);
    }
}

/* A core that has used up its stroke of crushing is a spring again, and deeper than its stop it has both. */
static void beyond_everything(void **state)
{
    (void)state;
    fender_link_strut p = strut(1e4);
    p.crush_force = 100;
    p.crush_stroke = 0.02;
    p.stroke = 0.05;
    p.stop_stiffness = 2e4;
    fender_link_def def = strut_of(&p);
    pair two = located_link(&locateds[0], 1, -6, &def);
    double most = 0, worst = 0;
    while (fender_world_time(two.world) < 0.1) {
        check_ok(fender_world_step(two.world, &error));
        const fender_link_data data = read(&two);
        const double x = 1 - data.length, y = x - data.crushed;
        const bool crushes = data.crushed < 0.02 && 1e4 * y > 100 - 1e-6;
        const double core = crushes ? 100 : y > 0 ? 1e4 * y : 0; /* lifted off what is crushed it is loose */
        const double wanted = core + 2e4 * (x > 0.05 ? x - 0.05 : 0);
        if (x > 0) worst = larger(worst, fabs(data.force - wanted));
        most = larger(most, x);
    }
    assert_true(most > 0.06); /* 0.5 * 1.2 * 36 J: more than all that it takes up to 60 mm */
    check_below(worst, 1e-5);
    check_near(read(&two).crushed, 0.02, 1e-12);
    check_near(read(&two).crush_loss, 2, 1e-12);
    /* what is left moves the bodies, or stretches the stop that ends the way out */
    const fender_link_data last = read(&two);
    check_near(0.5 * reduced * last.rate * last.rate + last.stored_energy, 0.5 * reduced * 36 - 2,
               1e-3); /* 100 steps of rk4 at 160 rad/s */
    fender_world_destroy(two.world);
}

/* ---- latches: each limit by itself keeps it open */

static void latches(void **state)
{
    (void)state;
    const struct {
        double distance, angle, speed;
        bool catches;
    } rows[] = {
        {0.3, INFINITY, INFINITY, true}, {0.1, INFINITY, INFINITY, false}, {0.3, 0.5, INFINITY, true},
        {0.3, 0.1, INFINITY, false},     {0.3, INFINITY, 0.2, true},       {0.3, INFINITY, 0.01, false},
        {0.3, INFINITY, 0, false}, /* at rest alone */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fender_link_latch p;
        (void)fender_field_initialize(fender_link_law_parameters(FENDER_LINK_LATCH), &p, sizeof p, NULL);
        p.distance = rows[i].distance;
        p.angle = rows[i].angle;
        p.speed = rows[i].speed;
        p.stiffness = p.angular_stiffness = fender_vec3_make(10, 10, 10);
        fender_link_def def = fender_link_def_default();
        def.law = FENDER_LINK_LATCH;
        def.parameters = &p;
        fender_world_def world_def = fender_world_def_default();
        world_def.step = 1e-3;
        fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 0.2);
        b.state.velocity.y = 0.1;
        b.state.attitude = (fender_quaternion){cos(0.1), 0, 0, sin(0.1)}; /* 0.2 rad */
        pair two = pair_of(&world_def, &a, &b, at(0, 0, 0), at(0, 0, 0));
        join_by(&two, &def);
        check_ok(fender_world_initialize(two.world, &error));
        check_ok(fender_world_step(two.world, &error));
        if (read(&two).captured != rows[i].catches) fail_msg("row %d: captured %d", (int)i, read(&two).captured);
        fender_world_destroy(two.world);
    }
}

/* ---- loads in time: momentum is the integral of the force */

static double speed_after(const fender_signal *force, double time)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.step = 0.125; /* rows of the tables lie on steps, where rk4 is exact for straight pieces */
    fender_world *world = fender_world_create(&env, &def, NULL);
    fender_body_def body = ball("a", 2, 1, 0);
    fender_load_def load = fender_load_def_default();
    check_ok(fender_body_create(world, &body, &load.body, &error));
    load.name = "push";
    load.force = *force;
    check_ok(fender_load_create(world, &load, NULL, &error));
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_advance_to(world, time, &error));
    fender_body_data data;
    check_ok(fender_body_get(world, load.body, FENDER_CLOCK_COMMITTED, &data));
    fender_world_destroy(world);
    return data.velocity.x;
}

static void loads(void **state)
{
    (void)state;
    static const double times[] = {0.5, 1, 2, 2.5};
    static const fender_vec3 rows[] = {{0, 0, 0}, {4, 0, 0}, {4, 0, 0}, {0, 0, 0}};
    fender_signal table = {.kind = FENDER_SIGNAL_TABLE, .times = times, .values = rows, .count = 4};
    check_near(speed_after(&table, 3), 6.0 / 2, 1e-14); /* a trapezium of 6 N s on 2 kg */
    table.after = FENDER_AFTER_ZERO;
    check_near(speed_after(&table, 1), 1.0 / 2, 1e-14);
    table.count = 1; /* one row: held from its time on */
    table.values = &rows[1];
    table.after = FENDER_AFTER_HOLD;
    const double weight = 0.125 / 6; /* rk4 of the step that ends at the row: its last stage sees it */
    check_near(speed_after(&table, 0.5), weight * 4 / 2, 1e-14);
    check_near(speed_after(&table, 1.5), (weight + 1) * 4 / 2, 1e-14);
    fender_signal ramp = {.kind = FENDER_SIGNAL_RAMP, .direction = {3, 0, 0}, .rate = 4, .start = 1};
    check_near(speed_after(&ramp, 1), 0, 0);
    check_near(speed_after(&ramp, 2), 1, 1e-14); /* 4 N/s for 1 s: 2 N s on 2 kg */
    const fender_signal none = {.kind = FENDER_SIGNAL_ZERO};
    check_near(speed_after(&none, 1), 0, 0);
}

/* ---- a law without roots, update or memory on a link; links within one rigid body */

static int ended;
static void spring_force(const void *parameters, const fender_contact_input *in, const void *memory,
                         fender_contact_output *out)
{
    (void)parameters, (void)memory;
    out->force.z = in->depth > 0 ? 1000 * in->depth : 0;
}
static double spring_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)parameters, (void)memory;
    return in->depth > 0 ? 500 * in->depth * in->depth : 0;
}
static void note_end(const void *parameters, const fender_contact_input *last, void *memory)
{
    (void)parameters, (void)memory;
    assert_true(last->depth <= 1e-6); /* at most a grain from where the law ends */
    ended++;
}

static void plain_law(void **state)
{
    (void)state;
    static const fender_law law = {.size = sizeof(fender_law),
                                   .kinds = FENDER_LAW_WHOLE,
                                   .name = "plain",
                                   .doc = "It.",
                                   .force = spring_force,
                                   .stored_energy = spring_energy,
                                   .end = note_end};
    for (int finds = 0; finds < 2; finds++) {
        fender_world_def world_def = fender_world_def_default();
        world_def.step = 1e-4;
        world_def.locate_events = finds;
        fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 1.05);
        b.state.velocity.x = -1;
        pair two = pair_of(&world_def, &a, &b, at(0, 0, 0), at(0, 0, 0));
        fender_contact_type_def type = fender_contact_type_def_default();
        fender_link_contact_law p = {1, FENDER_LINK_PUSH, INFINITY};
        fender_link_def def = fender_link_def_default();
        type.name = "plain";
        type.law = &law;
        check_ok(fender_contact_type_create(two.world, &type, &def.use, &error));
        def.law = FENDER_LINK_CONTACT_LAW;
        def.parameters = &p;
        join_by(&two, &def);
        check_ok(fender_world_initialize(two.world, &error));
        ended = 0;
        run_to(&two, 0.3, NULL);
        assert_true(ended > 0); /* it is asked on a copy of the memory, too: what would happen */
        check_near(read(&two).rate, 1, finds ? 1e-7 : 1e-5);           /* it gives back what it got */
        check_near(read(&two).peak_force, sqrt(1000 * reduced), 1e-3); /* v sqrt(k m), seen at steps */
        fender_world_destroy(two.world);
    }
}

static void within_one_body(void **state)
{
    (void)state;
    fender_link_spring_damper_6dof p = {.stiffness = {100, 100, 100}, .damping = {5, 5, 5}};
    p.limit = p.angular_limit = INFINITY;
    fender_world_def world_def = fender_world_def_default();
    world_def.step = 1e-3;
    fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 1);
    a.state.angular_velocity.z = b.state.angular_velocity.z = 2;
    b.state.velocity.y = 2;
    pair two = pair_of(&world_def, &a, &b, at(0, 0, 0), at(0, 0, 0));
    join(&two, FENDER_LINK_SPRING_DAMPER_6DOF, &p);
    fender_attach_def attach = fender_attach_def_default();
    attach.child = two.b;
    attach.parent = two.a;
    attach.pose = FENDER_ATTACH_AS_IS;
    check_ok(fender_body_attach(two.world, &attach, NULL, &error));
    check_ok(fender_world_initialize(two.world, &error));
    run_to(&two, 0.1, NULL);
    const fender_link_data data = read(&two);
    assert_false(data.acting);
    check_near(data.length, 1, 1e-12);
    check_near(data.stored_energy, 50, 1e-9); /* 1 m of 100 N/m, though nobody feels it */
    check_near(data.damping_power, 0, 0);     /* its ends do not move against each other */
    check_below(fabs(ledger_of(&two).residual), 1e-9);
    fender_world_destroy(two.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact_types),
        cmocka_unit_test(plain_law),
        cmocka_unit_test(within_one_body),
        cmocka_unit_test(curves),
        cmocka_unit_test(crushing_on_a_curve),
        cmocka_unit_test(beyond_everything),
        cmocka_unit_test(latches),
        cmocka_unit_test(loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
