/* Latches, tethers and separation springs: closed forms, what they catch, what they refuse. */
/* items: C010 */
#include "link_pair.h"

static fender_link_latch latch(void)
{
    fender_link_latch p;
    (void)fender_field_initialize(fender_link_law_parameters(FENDER_LINK_LATCH), &p, sizeof p, NULL);
    p.distance = 0.05;
    p.stiffness = fender_vec3_make(2000, 2000, 2000);
    p.angular_stiffness = fender_vec3_make(50, 50, 50);
    return p;
}

static pair latched(const located *how, double apart, double speed, const fender_link_latch *p)
{
    fender_link_def def = fender_link_def_default();
    def.law = FENDER_LINK_LATCH;
    def.parameters = p;
    return located_link(how, apart, speed, &def);
}

/* Caught at a distance of 50 mm at a known time; then an oscillation about that place, from which nothing is lost. */
static void catches(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        fender_link_latch p = latch();
        pair two = latched(&locateds[i], 0.25, -0.5, &p);
        fender_event caught = {0};
        assert_true(!read(&two).captured && !read(&two).acting);
        check_near(read(&two).force, 0, 0);
        run_to(&two, 0.91, &caught);
        fender_link_data data = read(&two);
        assert_int_equal(caught.kind, FENDER_EVENT_LINK_CAPTURE);
        check_near(caught.time, 0.4, locateds[i].tolerance);
        check_near(caught.link.speed, 0.5, 1e-12);
        assert_true(data.captured && data.acting);
        double omega = sqrt(2000 / reduced), t = fender_world_time(two.world) - 0.4;
        check_near(data.length, 0.05 - 0.5 / omega * sin(omega * t), 100 * locateds[i].tolerance);
        check_near(data.displacement.x, -0.5 / omega * sin(omega * t), 100 * locateds[i].tolerance);
        check_near(ledger_of(&two).applied, 0, 0);
        check_below(fabs(ledger_of(&two).residual), 100 * locateds[i].tolerance);
        check_below(ledger_of(&two).linear_drift, 1e-13);
        assert_int_equal(fender_world_event_count(two.world, FENDER_EVENT_LINK_CAPTURE), 1);
        /* opened and armed again it catches at the next state, where they are */
        double held = data.stored_energy;
        assert_int_equal(fender_link_set_active(two.world, two.link, false), FENDER_STATUS_OK);
        assert_false(read(&two).captured);
        check_near(ledger_of(&two).applied, -held, 1e-12);
        assert_int_equal(fender_link_set_active(two.world, two.link, true), FENDER_STATUS_OK);
        check_ok(fender_world_step(two.world, &error));
        assert_true(read(&two).captured);
        fender_world_destroy(two.world);
    }
}

/* Neither too fast nor askew nor too far. */
static void conditions(void **state)
{
    (void)state;
    const struct {
        double offset, speed, turn;
        bool facing, caught;
    } rows[] = {
        {0, -0.3, 0, false, true},     {0, -0.5, 0, false, false},     /* faster than 0.4 m/s */
        {0.049, -0.3, 0, false, true}, {0.051, -0.3, 0, false, false}, /* passes beside it */
        {0, -0.3, 0.19, false, true},  {0, -0.3, 0.21, false, false},
        {0, -0.3, 0, true, false},     {0, -0.3, 3.141592653589793 - 0.19, true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fender_link_latch p = latch();
        p.speed = 0.4;
        p.angle = 0.2;
        p.facing = rows[i].facing;
        fender_world_def def = fender_world_def_default();
        def.step = 1e-3;
        fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 0.2);
        b.state.position.y = rows[i].offset;
        b.state.velocity.x = rows[i].speed;
        b.state.attitude = (fender_quaternion){cos(0.5 * rows[i].turn), 0, 0, sin(0.5 * rows[i].turn)};
        pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
        join(&two, FENDER_LINK_LATCH, &p);
        check_ok(fender_world_initialize(two.world, &error));
        check_ok(fender_world_advance(two.world, 1000, &error));
        if (read(&two).captured != rows[i].caught) print_error("row %zu\n", i);
        assert_true(read(&two).captured == rows[i].caught);
        fender_world_destroy(two.world);
    }
}

/* Conditions that hold only within a step of free flight: a pass beside or through the other point at v = -0.5 m/s, and
 * a turn past alignment at w = 1 rad/s. The latch catches where the last condition is met, d - sqrt(D^2 - y^2) = v t or
 * turn - angle = w t. */
static void catches_in_passing(void **state)
{
    (void)state;
    const struct {
        double along, aside, speed, turn, spin, caught;
    } rows[] = {{1, 0.049, -0.5, 0, 0, (1 - sqrt(0.05 * 0.05 - 0.049 * 0.049)) / 0.5},
                {1, 0, -0.5, 0, 0, 0.95 / 0.5},
                {1, 0.051, -0.5, 0, 0, INFINITY}, /* passes beside it */
                {0.03, 0, 0, 2.5, -1, 2.3},       /* turns past it */
                {1, 0.03, -0.5, 2.2, -1, 2},      /* within 0.05 m from 1.92 s to 2.08 s, within 0.2 rad from 2 s on */
                {1, 0.03, -0.5, 2.4, -1, INFINITY}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] * LOCATED_COUNT; i++) {
        const size_t row = i / LOCATED_COUNT;
        const located *how = &locateds[i % LOCATED_COUNT];
        fender_link_latch p = latch();
        p.angle = 0.2;
        p.speed = 0.6;
        fender_world_def def = fender_world_def_default();
        def.step = how->method == FENDER_INTEGRATOR_RK4 ? 0.5 : 10;
        def.method = how->method;
        def.locate_events = true;
        fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, rows[row].along);
        b.state.position.y = rows[row].aside;
        b.state.velocity.x = rows[row].speed;
        b.state.angular_velocity.z = rows[row].spin;
        b.state.attitude = (fender_quaternion){cos(0.5 * rows[row].turn), 0, 0, sin(0.5 * rows[row].turn)};
        pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
        join(&two, FENDER_LINK_LATCH, &p);
        check_ok(fender_world_initialize(two.world, &error));
        fender_event caught = {.time = INFINITY};
        while (fender_world_time(two.world) < 5 && isinf(caught.time))
            run_to(&two, fender_world_time(two.world) + 1e-3, &caught);
        if (isinf(rows[row].caught) != isinf(caught.time)) print_error("row %zu\n", row);
        assert_true(isinf(rows[row].caught) == isinf(caught.time));
        if (isfinite(caught.time)) check_near(caught.time, rows[row].caught, 1e-9);
        fender_world_destroy(two.world);
    }
}

/* Thrown against gravity, b comes to rest at 0.03 m and falls back: slow enough from (v - 0.05 m/s) / g on, for 0.38 s
 * of a step of seconds. */
static void catches_at_the_turn(void **state)
{
    (void)state;
    for (int i = 1; i < LOCATED_COUNT; i++) {
        const double speed = 0.5, pull = speed * speed / (2 * (0.5 - 0.03));
        fender_link_latch p = latch();
        p.speed = 0.05;
        fender_world_def def = fender_world_def_default();
        def.step = 10;
        def.method = locateds[i].method;
        def.locate_events = true;
        def.gravity.kind = FENDER_GRAVITY_UNIFORM;
        def.gravity.acceleration.x = pull;
        fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 0.5);
        a.motion = FENDER_MOTION_FIXED;
        b.state.velocity.x = -speed;
        pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
        join(&two, FENDER_LINK_LATCH, &p);
        check_ok(fender_world_initialize(two.world, &error));
        fender_event caught = {.time = INFINITY};
        while (fender_world_time(two.world) < 5 && isinf(caught.time))
            run_to(&two, fender_world_time(two.world) + 1e-3, &caught);
        check_near(caught.time, (speed - p.speed) / pull, 1e-8);
        fender_world_destroy(two.world);
    }
}

/* Pulled beyond its limit: v sqrt(k m) = 24.5 N is too much for 20 N. */
static void breaks(void **state)
{
    (void)state;
    fender_link_latch p = latch();
    p.limit = 20;
    pair two = latched(&locateds[2], 0.25, -0.5, &p);
    fender_event last = {0};
    run_to(&two, 1, &last);
    assert_int_equal(last.kind, FENDER_EVENT_LINK_BREAK);
    double omega = sqrt(2000 / reduced);
    check_near(last.time, 0.4 + asin(20 / (0.5 * sqrt(2000 * reduced))) / omega, 1e-8);
    check_near(read(&two).damping_loss, 20.0 * 20 / 4000, 1e-6);
    assert_true(read(&two).broken && !read(&two).acting);
    check_below(fabs(ledger_of(&two).residual), 1e-7);
    fender_world_destroy(two.world);
}

/* Caught while turning past each other: momentum and energy of a tumbling pair, every method. */
static void tumbling(void **state)
{
    (void)state;
    for (int method = 0; method <= (int)FENDER_INTEGRATOR_DOP853; method++) {
        if (!fender_integrator_name((fender_integrator_method)method)) continue;
        fender_world_def def = fender_world_def_default();
        def.step = 1e-3;
        def.method = (fender_integrator_method)method;
        def.locate_events = true;
        fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 1);
        a.mass_properties.inertia = fender_mat3_diagonal(0.5, 0.7, 0.9);
        b.mass_properties.inertia = fender_mat3_diagonal(1.1, 0.6, 0.8);
        a.state.angular_velocity = fender_vec3_make(0.3, 0.05, -0.05);
        b.state.velocity = fender_vec3_make(-0.4, 0, 0.02);
        pair two = pair_of(&def, &a, &b, at(0.3, 0, 0), at(-0.3, 0, 0));
        fender_link_latch p = latch();
        p.distance = 0.1;
        join(&two, FENDER_LINK_LATCH, &p);
        check_ok(fender_world_initialize(two.world, &error));
        while (fender_world_time(two.world) < 2.5) check_ok(fender_world_step(two.world, &error));
        fender_ledger ledger = ledger_of(&two);
        assert_true(read(&two).captured);
        printf("%s: drift %.1e N s, %.1e N m s; residual %.1e of %.1e J\n", fender_integrator_name(def.method),
               ledger.linear_drift, ledger.angular_drift, ledger.residual, ledger.scale);
        check_below(ledger.linear_drift, 2e-13);
        check_below(ledger.angular_drift, 2e-13);
        check_below(fabs(ledger.residual), def.method == FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER ? 1e-2 : 2e-4);
        fender_world_destroy(two.world);
    }
}

/* Where and how it caught is in snapshots. */
static void snapshots(void **state)
{
    (void)state;
    fender_link_latch p = latch();
    pair one = latched(&locateds[0], 0.25, -0.5, &p), other = latched(&locateds[0], 0.25, -0.5, &p);
    run_to(&one, 0.45, NULL);
    fender_snapshot *snapshot = fender_snapshot_take(one.world, NULL);
    check_ok(fender_snapshot_restore(other.world, snapshot, &error));
    assert_true(read(&other).captured);
    run_to(&one, 1, NULL);
    run_to(&other, 1, NULL);
    assert_true(fender_world_hash(one.world) == fender_world_hash(other.world));
    fender_snapshot_destroy(snapshot);
    fender_world_destroy(one.world);
    fender_world_destroy(other.world);
}

/* The same as a spring_damper that only pulls, to the bit. */
static void tether(void **state)
{
    (void)state;
    fender_link_tether rope = {1, 800, 3, 150};
    fender_link_spring_damper p = spring(800, 3, 1);
    p.acts = FENDER_LINK_PULL;
    p.limit = 150;
    fender_link_def def = fender_link_def_default();
    def.law = FENDER_LINK_TETHER;
    def.parameters = &rope;
    pair one = located_link(&locateds[0], 0.5, 2, &def), other = located_balls(&locateds[0], 0.5, 2, &p);
    for (int i = 0; i < 500; i++) {
        check_ok(fender_world_step(one.world, &error));
        check_ok(fender_world_step(other.world, &error));
        check_near(read(&one).length, read(&other).length, 0);
        check_near(read(&one).force, read(&other).force, 0);
        assert_true(read(&one).force <= 0);
    }
    check_near(read(&one).peak_force, read(&other).peak_force, 0);
    assert_true(read(&one).peak_force > 40 && !read(&one).broken);
    fender_world_destroy(one.world);
    fender_world_destroy(other.world);
}

/* From its seat it gives (F1 + F0) s / 2 to both bodies, and is spent at the end of its stroke. */
static void separation_spring(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++)
        for (int flat = 0; flat < 2; flat++) {
            double s = 0.1, first = 80, last = flat ? 80 : 20;
            fender_link_separation_spring p = {0.3, s, first, last, 0};
            fender_link_def def = fender_link_def_default();
            def.law = FENDER_LINK_SEPARATION_SPRING;
            def.parameters = &p;
            pair two = located_link(&locateds[i], 0.2, 0, &def);
            check_near(read(&two).force, first, 1e-12);
            check_near(read(&two).stored_energy, 0.5 * (first + last) * s, 1e-12);
            fender_event spent = {0};
            run_to(&two, 0.2, &spent);
            double speed = sqrt((first + last) * s / reduced), omega = sqrt((first - last) / s / reduced);
            double time = flat ? speed * reduced / first : acos(last / first) / omega;
            assert_int_equal(spent.kind, FENDER_EVENT_LINK_SPENT);
            check_near(spent.time, time, locateds[i].tolerance);
            check_near(read(&two).rate, speed, 10 * locateds[i].tolerance);
            assert_true(read(&two).spent);
            check_near(read(&two).force, 0, 0);
            check_below(fabs(ledger_of(&two).residual), 100 * locateds[i].tolerance);
            fender_world_destroy(two.world);
        }
}

static void refused(void **state)
{
    (void)state;
    fender_link_latch far = latch(), fast = latch();
    far.distance = 0;
    fast.speed = -1;
    fender_link_tether loose = {1, -1, 0, INFINITY};
    fender_link_separation_spring increasing = {0.3, 0.1, 10, 11, 0}, short_one = {0.3, 0, 10, 0, 0};
    const struct {
        fender_link_law law;
        const void *parameters;
        const char *path;
    } wrong[] = {
        {FENDER_LINK_LATCH, &far, "distance"},
        {FENDER_LINK_LATCH, &fast, "speed"},
        {FENDER_LINK_TETHER, &loose, "stiffness"},
        {FENDER_LINK_SEPARATION_SPRING, &increasing, "end_force"},
        {FENDER_LINK_SEPARATION_SPRING, &short_one, "stroke"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fender_link_def def = {.size = sizeof(fender_link_def), .law = wrong[i].law, .parameters = wrong[i].parameters};
        fender_error error = {0};
        assert_int_equal(fender_link_check(&def, &error), FENDER_STATUS_VALUE);
        assert_string_equal(error.path, wrong[i].path);
    }
}

/* Pulled in at u from d: d - u t + ((v + u) / w) sin w t, by a work of m u (v + u) (1 - cos w t); then it is there. */
static void pulls_in(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        const double u = 0.1, v = -0.3, d = 0.05;
        fender_link_latch p = latch();
        p.pull_rate = u;
        pair two = latched(&locateds[i], d, v, &p);
        assert_true(read(&two).captured);
        fender_snapshot *start = fender_snapshot_take(two.world, NULL);
        const double w = sqrt(2000 / reduced), t = 0.37;
        check_ok(fender_world_advance_to(two.world, t, &error));
        check_near(read(&two).length, d - u * t + (v + u) / w * sin(w * t), 1e-8);
        check_near(read(&two).motor_work, reduced * u * (v + u) * (1 - cos(w * t)), 1e-8);
        check_near(read(&two).displacement.x, (v + u) / w * sin(w * t), 1e-8);
        fender_event event = {0};
        run_to(&two, 0.51, &event);
        assert_int_equal(event.kind, FENDER_EVENT_LINK_LATCHED);
        check_near(event.time, d / u, 1e-13);
        check_ok(fender_world_advance_to(two.world, 0.7, &error));
        check_near(read(&two).displacement.x, read(&two).length * (read(&two).force_on_b.x > 0 ? -1 : 1), 1e-12);
        check_below(fabs(ledger_of(&two).residual), 100 * locateds[i].tolerance);
        check_near(ledger_of(&two).applied, read(&two).motor_work, 1e-14);
        const uint64_t hash = fender_world_hash(two.world);
        check_ok(fender_snapshot_restore(two.world, start, &error));
        check_ok(fender_world_advance_to(two.world, t, &error));
        fender_snapshot *middle = fender_snapshot_take(two.world, NULL);
        check_ok(fender_world_advance_to(two.world, 0.45, &error));
        check_ok(fender_snapshot_restore(two.world, middle, &error));
        run_to(&two, 0.51, NULL);
        check_ok(fender_world_advance_to(two.world, 0.7, &error));
        assert_true(fender_world_hash(two.world) == hash);
        assert_int_equal(fender_link_set_active(two.world, two.link, false), FENDER_STATUS_OK);
        assert_int_equal(fender_world_event_count(two.world, FENDER_EVENT_LINK_LATCHED), 1);
        fender_snapshot_destroy(start);
        fender_snapshot_destroy(middle);
        fender_world_destroy(two.world);
    }
}

/* Caught and joined rigidly before it pulls: it works against the joint alone, k d^2 / 2 + c u d in d / u; or breaks at
 * 42 N = k u t + c u, and has not latched then. Rounding of times of 2 s and of energies of 4 J. */
static void pulls_in_a_tree(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT * 2; i++) {
        const bool breaks = i >= LOCATED_COUNT;
        const double u = 0.02, d = 0.04, c = 100;
        fender_link_latch p = latch();
        p.pull_rate = u;
        p.damping.x = c;
        if (breaks) p.limit = 42;
        pair two = latched(&locateds[i % LOCATED_COUNT], d, 0, &p);
        assert_true(read(&two).captured);
        fender_attach_def attach = fender_attach_def_default();
        attach.child = two.b;
        attach.parent = two.a;
        attach.pose = FENDER_ATTACH_AS_IS;
        check_ok(fender_body_attach(two.world, &attach, NULL, &error));
        fender_event event = {0};
        run_to(&two, 3, &event);
        const double way = breaks ? (p.limit - c * u) / 2000 : d, time = way / u;
        assert_int_equal(event.kind, breaks ? FENDER_EVENT_LINK_BREAK : FENDER_EVENT_LINK_LATCHED);
        assert_int_equal(fender_world_event_count(two.world, FENDER_EVENT_LINK_LATCHED), !breaks);
        check_near(event.time, time, 1e-13);
        check_near(read(&two).motor_work, 0.5 * 2000 * way * way + c * u * way, 1e-12);
        check_below(fabs(ledger_of(&two).residual), 1e-12);
        check_near(read(&two).peak_force, 2000 * way + c * u, 1e-10);
        if (!breaks) check_near(read(&two).stored_energy, 0.5 * 2000 * d * d, 1e-13);
        if (!breaks) check_near(read(&two).damping_loss, c * u * d, 1e-13);
        fender_world_destroy(two.world);
    }
}

/* Caught askew and turning: pulled in and turned, at two rates; momentum, energy, and the pose at the end. */
static void turns_in(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < LOCATED_COUNT; i++) {
            fender_link_latch p = latch();
            p.distance = 0.2;
            p.damping = fender_vec3_make(40, 30, 35);
            p.angular_stiffness = fender_vec3_make(60, 50, 40);
            p.angular_damping = fender_vec3_make(5, 6, 7);
            p.pull_rate = 0.04;
            p.pull_angular_rate = 0.3;
            p.facing = k == 1;
            fender_world_def def = fender_world_def_default();
            def.step = 1e-3;
            def.method = locateds[i].method;
            def.locate_events = true;
            def.relative_tolerance = 1e-11;
            fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 1);
            fender_quaternion askew = fender_quaternion_normalized((fender_quaternion){1, 0.2, -0.1, 0.15});
            const fender_quaternion facing = {0, 0, 0, 1};
            b.state.attitude = k == 1 ? fender_quaternion_product(askew, facing) : askew;
            b.state.angular_velocity = fender_vec3_make(0.1, -0.2, 0.1);
            a.state.angular_velocity = fender_vec3_make(0.3, 0.05, -0.05);
            pair two = pair_of(&def, &a, &b, at(0.55, 0.05, 0), at(k == 1 ? 0.4 : -0.4, 0, 0.03));
            join(&two, FENDER_LINK_LATCH, &p);
            check_ok(fender_world_initialize(two.world, &error));
            assert_true(read(&two).captured && read(&two).length > 0.03);
            check_ok(fender_world_advance_to(two.world, 20, &error));
            fender_ledger ledger = ledger_of(&two);
            assert_int_equal(fender_world_event_count(two.world, FENDER_EVENT_LINK_LATCHED), 1);
            check_below(ledger.angular_drift, 1e-11);
            check_below(fabs(ledger.residual), i == 0 ? 1e-8 : 1e-9);
            assert_true(fabs(read(&two).motor_work) > 1e-3);
            check_near(ledger.applied, read(&two).motor_work, 1e-13);
            check_below(read(&two).length, 2e-3); /* the pair turns: what is left stretches the springs */
            check_below(fender_vec3_length(read(&two).rotation), 2e-2);
            fender_body_data one, other;
            check_ok(fender_body_get(two.world, two.a, FENDER_CLOCK_COMMITTED, &one));
            check_ok(fender_body_get(two.world, two.b, FENDER_CLOCK_COMMITTED, &other));
            fender_quaternion off = fender_quaternion_product(fender_quaternion_conjugate(one.attitude),
                                                              other.attitude);
            check_near(fabs(k == 1 ? off.z : off.w), 1, 1e-4);
            fender_world_destroy(two.world);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(catches),
        cmocka_unit_test(conditions),
        cmocka_unit_test(catches_in_passing),
        cmocka_unit_test(catches_at_the_turn),
        cmocka_unit_test(breaks),
        cmocka_unit_test(tumbling),
        cmocka_unit_test(snapshots),
        cmocka_unit_test(tether),
        cmocka_unit_test(refused),
        cmocka_unit_test(separation_spring),
        cmocka_unit_test(pulls_in),
        cmocka_unit_test(pulls_in_a_tree),
        cmocka_unit_test(turns_in),
    };
    return cmocka_run_group_tests_name("latches", tests, NULL, NULL);
}
