/* Contact laws on links: the same as links of that form, closed forms, memory, events, snapshots, refusals. */
#include "link_pair.h"

typedef struct given {
    const char *name;
    double value;
} given;

/* A contact type of one law with these parameters. */
static fender_contact_type_id type_of(fender_world *world, const fender_law *law, bool whole, const given *values,
                                      int count)
{
    double parameters[32];
    assert_true(law->parameters.size <= sizeof parameters);
    (void)fender_field_initialize(&law->parameters, parameters, sizeof parameters, NULL);
    for (int i = 0; i < count; i++)
        fender_field_set(fender_field_find(&law->parameters, values[i].name), parameters, 0, values[i].value);
    fender_contact_type_def def = {.size = sizeof(fender_contact_type_def), .name = "type"};
    if (whole) def.law = law, def.law_parameters = parameters;
    else def.normal = law, def.normal_parameters = parameters;
    fender_contact_type_id id;
    check_ok(fender_contact_type_create(world, &def, &id, &error));
    return id;
}

typedef struct set_up {
    const fender_law *law;
    bool whole;
    given values[6];
    int count;
    double apart, speed, free_length;
    int acts;
    double limit;
    fender_integrator_method method;
    bool locate;
} set_up;

static pair build(const set_up *s)
{
    fender_world_def def = fender_world_def_default();
    def.step = 1e-3;
    def.method = s->method;
    def.locate_events = s->locate;
    def.relative_tolerance = 1e-11;
    fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, s->apart);
    b.state.velocity.x = s->speed;
    pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
    fender_link_contact_law p = {s->free_length, s->acts, s->limit > 0 ? s->limit : (double)INFINITY};
    fender_link_def link = fender_link_def_default();
    link.law = FENDER_LINK_CONTACT_LAW;
    link.parameters = &p;
    link.use = type_of(two.world, s->law, s->whole, s->values, s->count);
    join_by(&two, &link);
    check_ok(fender_world_initialize(two.world, &error));
    return two;
}

static set_up linear(void)
{
    return (set_up){.law = fender_law_find(NULL, "spring_damper"),
                    .values = {{"stiffness", 800}, {"damping", 10}},
                    .count = 2,
                    .apart = 1.1,
                    .speed = -2,
                    .free_length = 1,
                    .acts = FENDER_LINK_PUSH};
}

/* The contact law spring_damper on a link is the link spring_damper that acts one way. */
static void as_the_link(void **state)
{
    (void)state;
    static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_RK4,
                                                       FENDER_INTEGRATOR_VELOCITY_VERLET, FENDER_INTEGRATOR_DOP853};
    for (int i = 0; i < 4; i++)
        for (int pulls = 0; pulls < 2; pulls++) {
            set_up s = linear();
            s.method = methods[i];
            s.locate = i != 0;
            s.acts = pulls ? FENDER_LINK_PULL : FENDER_LINK_PUSH;
            if (pulls) s.apart = 0.9, s.speed = 2;
            pair one = build(&s);
            fender_world_def def = fender_world_def_default();
            def.step = 1e-3;
            def.method = s.method;
            def.locate_events = s.locate;
            def.relative_tolerance = 1e-11;
            fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, s.apart);
            b.state.velocity.x = s.speed;
            pair other = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
            fender_link_spring_damper p = spring(800, 10, 1);
            p.acts = s.acts;
            join(&other, FENDER_LINK_SPRING_DAMPER, &p);
            check_ok(fender_world_initialize(other.world, &error));
            check_ok(fender_world_advance_to(one.world, 0.1, &error));
            check_ok(fender_world_advance_to(other.world, 0.1, &error));
            check_near(read(&one).force, read(&other).force, 1e-8);
            assert_true(pulls ? read(&one).force < -10 : read(&one).force > 10);
            check_near(read(&one).stored_energy, read(&other).stored_energy, 1e-9);
            check_near(read(&one).depth, fabs(read(&one).length - 1), 1e-15);
            check_ok(fender_world_advance_to(one.world, 0.4, &error));
            check_ok(fender_world_advance_to(other.world, 0.4, &error));
            check_near(read(&one).rate, read(&other).rate, 1e-9);
            check_near(read(&one).length, read(&other).length, 1e-9);
            check_near(read(&one).damping_loss, read(&other).damping_loss, 1e-8);
            check_near(read(&one).force, 0, 0);
            check_near(ledger_of(&one).residual, ledger_of(&other).residual, 1e-8);
            fender_world_destroy(one.world);
            fender_world_destroy(other.world);
        }
}

/* A commanded end moves the depth as it moves the spring of the link. */
static void on_a_moving_end(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        set_up s = linear();
        s.method = locateds[i].method;
        s.locate = true;
        pair one = build(&s);
        fender_link_spring_damper p = spring(800, 10, 1);
        p.acts = FENDER_LINK_PUSH;
        pair other = located_balls(&locateds[i], s.apart, s.speed, &p), *both[] = {&one, &other};
        for (int k = 0; k < 2; k++) {
            check_ok(fender_world_advance_to(both[k]->world, 0.02, &error));
            check_ok(fender_link_set_rate(both[k]->world, both[k]->link, 0.5, 1.03, &error));
            check_ok(fender_world_advance_to(both[k]->world, 0.4, &error));
            check_below(fabs(ledger_of(both[k]).residual), 1e-7);
            check_near(ledger_of(both[k]).applied, read(both[k]).motor_work, 1e-14);
        }
        assert_true(read(&one).motor_work > 0.1);
        check_near(read(&one).motor_work, read(&other).motor_work, 1e-8);
        check_near(read(&one).rate, read(&other).rate, 1e-8);
        fender_world_destroy(one.world);
        fender_world_destroy(other.world);
    }
}

/* Within a tree, pressed in and out by its end: the work k x^2 / 2 + c u x, and out again until the damper would pull
 * at c u / k, where the rest of the energy is lost; with a limit it breaks at k u t + c u. The same as the link. */
static void in_a_tree(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT * 2; i++) {
        const double k = 800, c = 10, u = 0.1, x = 0.1, last = c * u / k;
        const bool breaks = i >= LOCATED_COUNT;
        set_up s = linear();
        s.method = locateds[i % LOCATED_COUNT].method;
        s.locate = true;
        s.apart = 1, s.speed = 0, s.free_length = 0.95;
        s.limit = breaks ? 40 : 0;
        pair one = build(&s);
        fender_link_spring_damper p = spring(k, c, 0.95);
        p.acts = FENDER_LINK_PUSH;
        if (breaks) p.limit = s.limit;
        pair other = located_balls(&locateds[i % LOCATED_COUNT], 1, 0, &p), *both[] = {&one, &other};
        for (int n = 0; n < 2; n++) {
            fender_world *world = both[n]->world;
            fender_attach_def attach = fender_attach_def_default();
            attach.child = both[n]->b;
            attach.parent = both[n]->a;
            attach.pose = FENDER_ATTACH_AS_IS;
            check_ok(fender_body_attach(world, &attach, NULL, &error));
            check_ok(fender_link_set_rate(world, both[n]->link, u, 0.95 + 0.05 + x, &error));
            fender_event event = {0};
            run_to(both[n], 0.99, &event);
            if (breaks) assert_int_equal(event.kind, FENDER_EVENT_LINK_BREAK);
            if (breaks) check_near(event.time, 0.5 + (s.limit - c * u) / k / u, 1e-12);
            check_ok(fender_world_advance_to(world, 2, &error));
            check_below(fabs(ledger_of(both[n]).residual), 1e-12);
            if (breaks) continue;
            check_near(read(both[n]).motor_work, 0.5 * k * x * x + c * u * x, 1e-11);
            check_ok(fender_link_set_rate(world, both[n]->link, -u, 0.95, &error));
            check_ok(fender_world_advance_to(world, 4, &error));
            check_near(read(both[n]).stored_energy, 0, 0);
            check_near(ledger_of(both[n]).damping, c * u * (2 * x - last) + 0.5 * k * last * last, 1e-11);
            check_below(fabs(ledger_of(both[n]).residual), 1e-12);
        }
        fender_world_destroy(one.world);
        fender_world_destroy(other.world);
    }
}

/* Hunt and Crossley with a restitution: that part of the speed comes back, whatever it was. */
static void restitution(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++)
        for (int k = 0; k < 2; k++) {
            set_up s = linear();
            s.law = fender_law_find(NULL, "hunt_crossley");
            s.values[0] = (given){"stiffness", 1e4};
            s.values[1] = (given){"restitution", 0.6};
            s.method = locateds[i].method;
            s.locate = true;
            s.speed = k ? -0.5 : -2;
            pair two = build(&s);
            check_ok(fender_world_advance_to(two.world, k ? 0.8 : 0.4, &error));
            check_near(read(&two).rate, -0.6 * s.speed, 100 * locateds[i].tolerance);
            check_below(fabs(ledger_of(&two).residual), 100 * locateds[i].tolerance);
            check_below(ledger_of(&two).linear_drift, 1e-13);
            fender_world_destroy(two.world);
        }
}

/* Blows at 2 m/s against laws of the registry: what comes back follows from the energy that each keeps. */
static void laws_of_the_registry(void **state)
{
    (void)state;
    const double v = 2, k = 2e4;
    const struct {
        const char *name;
        given values[4];
        double lost; /* J; NAN: some */
    } rows[] = {
        {"elastic_plastic", {{"stiffness", k}, {"crush_force", 200}}, 0.5 * reduced * v * v - 200.0 * 200 / (2 * k)},
        {"adhesion", {{"stiffness", k}, {"pull", 5}, {"range", 1e-3}}, 5e-3},
        {"pull_off_spring", {{"stiffness", k}, {"pull_off", 50}}, 50.0 * 50 / (2 * k)},
        {"impact", {{"stiffness", 1e5}, {"full_depth", 1e-3}}, 0},
        {"smooth_spring_damper", {{"stiffness", k}, {"transition_width", 1e-3}}, 0},
        {"hertz", {{"modulus", 1e6}, {"radius", 0.1}}, 0},
        {"hertz", {{"modulus", 1e6}, {"radius", 0.1}, {"dissipation", 0.1}}, NAN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up s = linear();
        s.law = fender_law_find(NULL, rows[i].name);
        for (s.count = 0; s.count < 4 && rows[i].values[s.count].name; s.count++)
            s.values[s.count] = rows[i].values[s.count];
        s.method = FENDER_INTEGRATOR_DOP853;
        s.locate = true;
        pair two = build(&s);
        check_ok(fender_world_advance_to(two.world, 0.3, &error));
        double back = read(&two).rate, lost = 0.5 * reduced * (v * v - back * back);
        printf("%s: back at %.9f m/s, residual %.1e J\n", rows[i].name, back, ledger_of(&two).residual);
        if (isnan(rows[i].lost)) assert_true(back > 0 && lost > 0.1);
        else check_near(back, sqrt(v * v - 2 * rows[i].lost / reduced), 1e-7);
        check_near(ledger_of(&two).damping, lost, 1e-6);
        check_near(read(&two).damping_loss, lost, 1e-6);
        check_near(ledger_of(&two).stored, 0, 0);
        fender_world_destroy(two.world);
    }
}

/* In the middle of a contact: the speed at its beginning is remembered, and the law's own bytes. */
static void snapshots(void **state)
{
    (void)state;
    for (int locate = 0; locate < 2; locate++)
        for (int law = 0; law < 2; law++) {
            set_up s = linear();
            s.locate = locate > 0;
            if (law) {
                s.law = fender_law_find(NULL, "hunt_crossley");
                s.values[0] = (given){"stiffness", 1e4};
                s.values[1] = (given){"restitution", 0.6};
            }
            pair one = build(&s), other = build(&s);
            check_ok(fender_world_advance_to(one.world, 0.07, &error));
            assert_true(read(&one).force > 1);
            fender_snapshot *snapshot = fender_snapshot_take(one.world, NULL);
            check_ok(fender_snapshot_restore(other.world, snapshot, &error));
            check_ok(fender_world_advance_to(one.world, 0.4, &error));
            check_ok(fender_world_advance_to(other.world, 0.4, &error));
            assert_true(fender_world_hash(one.world) == fender_world_hash(other.world));
            assert_true(read(&one).rate > 0);
            fender_snapshot_destroy(snapshot);
            fender_world_destroy(one.world);
            fender_world_destroy(other.world);
        }
}

/* ---- a user's law: pushes until it has been deeper than a limit, says so, and ends */

typedef struct fuse {
    double stiffness, depth;
} fuse;
static const fender_field fuse_fields[] = {
    {"stiffness", "N/m", "Spring.", FENDER_FIELD_REAL, offsetof(fuse, stiffness), 0, 0, INFINITY, 100, NULL},
    {"depth", "m", "Where it blows.", FENDER_FIELD_REAL, offsetof(fuse, depth), 0, 0, INFINITY, 0.01, NULL},
};
static void fuse_force(const void *parameters, const fender_contact_input *in, const void *memory,
                       fender_contact_output *out)
{
    (void)memory;
    out->force.z = ((const fuse *)parameters)->stiffness * in->depth;
}
static void fuse_begin(const void *parameters, const fender_contact_input *in, void *memory)
{
    (void)parameters;
    *(double *)memory = in->approach_speed;
}
static void fuse_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                        void *memory, fender_contact_change *change)
{
    (void)out;
    assert_true(*(double *)memory > 0);
    change->end = in->depth >= ((const fuse *)parameters)->depth;
    if (change->end) change->event = 7;
}
/* Told once for each end, with the memory that the law has held. */
static int fuses_ended;
static void fuse_end(const void *parameters, const fender_contact_input *in, void *memory)
{
    (void)parameters, (void)in;
    assert_true(*(double *)memory > 0);
    fuses_ended++;
}
static double fuse_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)memory;
    return 0.5 * ((const fuse *)parameters)->stiffness * in->depth * in->depth;
}
static void fuse_root(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    (void)memory;
    root[0] = ((const fuse *)parameters)->depth - in->depth;
}
static const fender_law fuse_law = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "fuse",
    .doc = "Pushes until it blows.",
    .parameters = FENDER_FIELD_TABLE("fuse", fuse_fields, fuse),
    .memory_size = sizeof(double),
    .begin = fuse_begin,
    .force = fuse_force,
    .update = fuse_update,
    .end = fuse_end,
    .stored_energy = fuse_energy,
    .root_count = 1,
    .roots = fuse_root,
};

static void a_law_of_ones_own(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        set_up s = linear();
        s.law = &fuse_law;
        s.whole = i == 1;
        s.count = 0;
        s.method = locateds[i].method;
        s.locate = true;
        pair two = build(&s);
        fender_event blown = {0};
        fuses_ended = 0;
        run_to(&two, 0.2, &blown);
        double omega = sqrt(100 / reduced), t = asin(0.01 * omega / 2) / omega;
        assert_int_equal(blown.kind, FENDER_EVENT_LAW);
        assert_int_equal(blown.code, 7);
        assert_int_equal(blown.link.link.index1, two.link.index1);
        check_near(blown.time, 0.05 + t, locateds[i].tolerance);
        check_near(read(&two).damping_loss, 0.5 * 100 * 1e-4, 1e-9 + locateds[i].tolerance);
        check_near(read(&two).force, 0, 0); /* although it is far within its reach */
        assert_true(read(&two).depth > 0.1);
        check_below(fabs(ledger_of(&two).residual), 100 * locateds[i].tolerance);
        assert_int_equal(fender_world_event_count(two.world, FENDER_EVENT_LAW), 1);
        assert_int_equal(fuses_ended, 1);
        fender_world_destroy(two.world);
        /* one that does not blow ends where the points are out of reach again */
        s.values[0] = (given){"depth", 1};
        s.count = 1;
        fuses_ended = 0;
        two = build(&s);
        check_ok(fender_world_advance_to(two.world, 0.5, &error));
        assert_true(read(&two).depth < 0);
        assert_int_equal(fuses_ended, 1);
        fender_world_destroy(two.world);
    }
}

static void breaking(void **state)
{
    (void)state;
    set_up s = linear();
    s.limit = 30;
    s.locate = true;
    s.method = FENDER_INTEGRATOR_DOP853;
    pair two = build(&s);
    fender_event last = {0};
    run_to(&two, 0.2, &last);
    assert_int_equal(last.kind, FENDER_EVENT_LINK_BREAK);
    check_near(read(&two).peak_force, 30, 1e-5);
    assert_true(read(&two).broken);
    check_below(fabs(ledger_of(&two).residual), 1e-7);
    fender_world_destroy(two.world);
}

static void refused(void **state)
{
    (void)state;
    set_up s = linear();
    pair two = build(&s);
    fender_link_contact_law p = {1, FENDER_LINK_PUSH, INFINITY}, both = {1, FENDER_LINK_BOTH, INFINITY};
    fender_link_def def = {.size = sizeof(fender_link_def),
                           .name = "second",
                           .a = two.p,
                           .b = two.q,
                           .law = FENDER_LINK_CONTACT_LAW,
                           .parameters = &p,
                           .active = true};
    assert_int_equal(fender_link_create(two.world, &def, NULL, NULL), FENDER_STATUS_STALE_ID);
    fender_link_def got;
    assert_int_equal(fender_link_get_def(two.world, two.link, &got), FENDER_STATUS_OK);
    def.use = got.use;
    def.parameters = &both;
    fender_error wrong_way = {0};
    assert_int_equal(fender_link_create(two.world, &def, NULL, &wrong_way), FENDER_STATUS_VALUE);
    assert_string_equal(wrong_way.path, "acts");
    def.parameters = &p;
    static const char *const frictions[] = {"coulomb", "dahl"};
    for (int i = 0; i < 2; i++) {
        double normal[32], friction[32];
        fender_contact_type_def type = {.size = sizeof(fender_contact_type_def), .name = i ? "bristles" : "rough"};
        type.normal = fender_law_find(NULL, "spring_damper");
        type.friction = fender_law_find(NULL, frictions[i]);
        (void)fender_field_initialize(&type.normal->parameters, normal, sizeof normal, NULL);
        (void)fender_field_initialize(&type.friction->parameters, friction, sizeof friction, NULL);
        fender_field_set(fender_field_find(&type.normal->parameters, "stiffness"), normal, 0, 1);
        if (i) fender_field_set(fender_field_find(&type.friction->parameters, "amplitude"), friction, 0, 1);
        if (i) fender_field_set(fender_field_find(&type.friction->parameters, "mu"), friction, 0, 1);
        type.normal_parameters = normal;
        type.friction_parameters = friction;
        check_ok(fender_contact_type_create(two.world, &type, &def.use, &error));
        fender_error why = {0};
        assert_int_equal(fender_link_create(two.world, &def, NULL, &why), FENDER_STATUS_ARGUMENT);
        assert_string_equal(why.path, "use");
        assert_string_equal(why.suggestion, "a link `law: friction` has the friction of a contact type");
    }
    /* a law with continuous states is taken */
    double spring_contact[64];
    fender_contact_type_def bond = {.size = sizeof bond, .name = "bond", .law = fender_law_find(NULL, "SpringContact")};
    assert_true(bond.law->state_count > 0 && bond.law->parameters.size <= sizeof spring_contact);
    (void)fender_field_initialize(&bond.law->parameters, spring_contact, sizeof spring_contact, NULL);
    fender_field_set(fender_field_find(&bond.law->parameters, "K"), spring_contact, 0, 50);
    fender_field_set(fender_field_find(&bond.law->parameters, "Z_Limit"), spring_contact, 0, 1);
    bond.law_parameters = spring_contact;
    check_ok(fender_contact_type_create(two.world, &bond, &def.use, &error));
    p.free_length = 1.2;
    fender_link_id second;
    check_ok(fender_link_create(two.world, &def, &second, &error));
    check_ok(fender_world_initialize(two.world, &error));
    fender_link_data data;
    check_ok(fender_link_get(two.world, second, FENDER_CLOCK_COMMITTED, &data));
    check_near(data.force, 50 * (1.2 - 1.1), 1e-12);
    fender_world_destroy(two.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_link), cmocka_unit_test(laws_of_the_registry),
        cmocka_unit_test(restitution), cmocka_unit_test(snapshots),
        cmocka_unit_test(breaking),    cmocka_unit_test(a_law_of_ones_own),
        cmocka_unit_test(refused),     cmocka_unit_test(on_a_moving_end),
        cmocka_unit_test(in_a_tree),
    };
    return cmocka_run_group_tests_name("contact laws on links", tests, NULL, NULL);
}
