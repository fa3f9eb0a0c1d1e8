/* Links between mass points: closed forms, momentum, energy, breaking, trees, snapshots, refusals. */
/* items: B065 */
#include "link_pair.h"

/* l = l0 + (l1 - l0) cos(sqrt(k / m) t): RK4 at 1/200 of a period is off by less than 1e-6 of the amplitude. */
static void two_masses_on_a_spring(void **state)
{
    (void)state;
    fender_link_spring_damper p = spring(120, 0, 1);
    double omega = sqrt(120 / reduced), worst[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        pair two = balls(5e-3 / (1 + i), 1.2, &p);
        fender_link_data data = read(&two);
        check_near(data.force, -24, 1e-12);
        check_near(data.stored_energy, 2.4, 1e-12);
        check_vector(data.force_on_b, fender_vec3_make(-24, 0, 0), 1e-12);
        check_near(ledger_of(&two).stored, 2.4, 1e-12);
        for (int k = 1; k <= 200 * (1 + i); k++) {
            check_ok(fender_world_step(two.world, &error));
            data = read(&two);
            double phase = omega * fender_world_time(two.world);
            worst[i] = larger(worst[i], fabs(data.length - 1 - 0.2 * cos(phase)));
            worst[i] = larger(worst[i], fabs(data.rate + 0.2 * omega * sin(phase)) / omega);
        }
        fender_ledger ledger = ledger_of(&two);
        check_near(ledger.kinetic + ledger.stored, 2.4, 1e-6);
        check_near(ledger.residual, 2.4 - ledger.kinetic - ledger.stored, 1e-12);
        check_below(ledger.linear_drift, 1e-14);
        check_near(data.peak_force, 24, 1e-12);
        check_near(data.peak_force_time, 0, 0);
        fender_world_destroy(two.world);
    }
    printf("spring: length off by %.1e m at 5 ms, %.1e m at 2.5 ms\n", worst[0], worst[1]);
    check_below(worst[1], 2e-7);
    check_below(worst[1], worst[0] / 14);
}

/* What a damped spring has lost is in the ledger and in the link, and decays as exp(-c t / m). */
static void damped_spring(void **state)
{
    (void)state;
    fender_link_spring_damper p = spring(120, 2, 1);
    pair two = balls(1e-3, 1.2, &p);
    check_ok(fender_world_advance(two.world, 2000, &error));
    double decay = 2 / (2 * reduced), omega = sqrt(120 / reduced - decay * decay), t = 2;
    double length = 1 + 0.2 * exp(-decay * t) * (cos(omega * t) + decay / omega * sin(omega * t));
    check_near(read(&two).length, length, 1e-9);
    fender_ledger ledger = ledger_of(&two);
    check_near(ledger.damping, 2.4 - ledger.kinetic - ledger.stored, 1e-8);
    check_near(read(&two).damping_loss, ledger.damping, 1e-12);
    check_below(fabs(ledger.residual), 1e-8);
    fender_world_destroy(two.world);
}

/* A separation spring gives its energy to both and is spent: v = sqrt(k / m) (l0 - l1). The step that passes the free
 * length has a kink in it: its error falls with the step. */
static void separation_spring(void **state)
{
    (void)state;
    double off[2];
    for (int i = 0; i < 2; i++) {
        fender_link_spring_damper p = spring(800, 0, 0.3);
        p.acts = FENDER_LINK_PUSH;
        p.spent_at_free_length = true;
        pair two = balls(1e-3 / (1 + 7 * i), 0.1, &p);
        double wanted = 0.2 * sqrt(800 / reduced), spent_at = 0, speed = 0;
        for (int k = 0; k < 200 * (1 + 7 * i); k++) {
            check_ok(fender_world_step(two.world, &error));
            int count;
            const fender_event *events = fender_world_events(two.world, &count);
            for (int e = 0; e < count; e++) {
                assert_int_equal(events[e].kind, FENDER_EVENT_LINK_SPENT);
                assert_int_equal(events[e].link.link.index1, two.link.index1);
                assert_int_equal(events[e].link.body_a.index1, two.a.index1);
                assert_int_equal(events[e].link.body_b.index1, two.b.index1);
                spent_at = events[e].time;
                speed = events[e].link.speed;
            }
        }
        fender_link_data data = read(&two);
        check_near(data.rate, wanted, 1e-3 * wanted);
        check_near(speed, wanted, 1e-3 * wanted);
        check_near(spent_at, 1.5707963267948966 / sqrt(800 / reduced), 2e-3);
        assert_true(data.spent && !data.acting && !data.broken);
        assert_int_equal(fender_world_event_count(two.world, FENDER_EVENT_LINK_SPENT), 1);
        check_near(data.force, 0, 0);
        check_near(ledger_of(&two).stored, 0, 0);
        off[i] = fabs(data.rate - wanted);
        /* pressed together again it does nothing */
        fender_body_state back = {.position = {data.length + 1, 0, 0}, .attitude = {1, 0, 0, 0}};
        back.velocity.x = -100;
        fender_body_data a;
        fender_body_get(two.world, two.a, FENDER_CLOCK_COMMITTED, &a);
        back.position.x = a.position.x + 0.2;
        check_ok(fender_body_set_state(two.world, two.b, &back, &error));
        check_ok(fender_world_step(two.world, &error));
        check_near(read(&two).force, 0, 0);
        fender_world_destroy(two.world);
    }
    printf("separation spring: speed off by %.1e m/s at 1 ms, %.1e m/s at 0.125 ms\n", off[0], off[1]);
    check_below(off[1], 2e-4);
}

/* Docked ports on a vehicle of any pose: between them rounding is left, of any direction. The spring pushes along the
 * x axis of the first: v = sqrt(F s / m), without rotation. Where it begins to follow the difference, this is 1e5 units
 * of rounding long, of which some are across; the angle between them is kept from there on, so that the part 1e-4 of v
 * is the bound. Nearer to the origin, steps of 1 ms pass that place. */
static void pushes_along_the_port(void **state)
{
    (void)state;
    static const double far[] = {0, 100, 1e6};
    const fender_vec3 none = {0, 0, 0};
    fender_link_separation_spring p;
    (void)fender_field_initialize(fender_link_law_parameters(FENDER_LINK_SEPARATION_SPRING), &p, sizeof p, NULL);
    p.free_length = p.stroke = 0.1;
    p.preload = 20;
    for (int i = 0; i < 3 * 3 * 5; i++) {
        const double place = far[i / 5 % 3];
        fender_world_def def = fender_world_def_default();
        def.step = 1e-3;
        def.method = locateds[i / 15].method;
        def.locate_events = true;
        fender_body_def a = ball("a", 3, 1, place), b = ball("b", 2, 1, 0);
        a.state.position.y = -0.3 * place;
        a.state.attitude = fender_quaternion_normalized((fender_quaternion){1, -2 + i % 5, 0.3 * (i % 5), 0.5});
        b.state.attitude = a.state.attitude;
        b.state.position = fender_vec3_add(a.state.position,
                                           fender_quaternion_rotate(a.state.attitude, (fender_vec3){2, 0, 0}));
        fender_pose facing = at(-1, 0, 0);
        facing.q = (fender_quaternion){0, 0, 0, 1};
        pair two = pair_of(&def, &a, &b, at(1, 0, 0), facing);
        join(&two, FENDER_LINK_SEPARATION_SPRING, &p);
        check_ok(fender_world_initialize(two.world, &error));
        run_to(&two, 0.5, NULL);
        fender_body_data ends[2];
        fender_body_get(two.world, two.a, FENDER_CLOCK_COMMITTED, &ends[0]);
        fender_body_get(two.world, two.b, FENDER_CLOCK_COMMITTED, &ends[1]);
        const fender_vec3 apart = fender_vec3_sub(ends[1].velocity, ends[0].velocity),
                          out = fender_quaternion_rotate(a.state.attitude, (fender_vec3){sqrt(2 / reduced), 0, 0});
        const double within = place < 1e6 ? 1e-6 : 1e-4;
        check_vector(apart, out, within);
        check_vector(ends[0].angular_velocity, none, within);
        check_vector(ends[1].angular_velocity, none, within);
        fender_world_destroy(two.world);
    }
}

/* Balls 15 mm apart across the x axis, on a spring of 0.1 m: they are pushed across it, v = d sqrt(k / m), wherever
 * they are. At the farthest place, positions are multiples of 3e-5 m, 0.2 % of the first length. */
static void keeps_its_line_far_away(void **state)
{
    (void)state;
    static const double far[] = {0, 7e6, 4e8, 1.5e11}, within[] = {1e-5, 1e-5, 1e-4, 2e-2};
    for (int i = 0; i < 4; i++) {
        fender_world_def def = fender_world_def_default();
        def.method = FENDER_INTEGRATOR_RK4;
        def.step = 1e-4;
        def.locate_events = true;
        fender_body_def a = ball("a", 3, 1, far[i]), b = ball("b", 2, 1, far[i]);
        b.state.position.y = 0.015;
        pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
        fender_link_spring_damper p = spring(100, 0, 0.1);
        p.acts = FENDER_LINK_PUSH;
        join(&two, FENDER_LINK_SPRING_DAMPER, &p);
        check_ok(fender_world_initialize(two.world, &error));
        const fender_vec3 force = {0, 8.5, 0};
        check_vector(read(&two).force_on_b, force, 1e-6);
        run_to(&two, 0.3, NULL);
        fender_body_data ends[2];
        fender_body_get(two.world, two.a, FENDER_CLOCK_COMMITTED, &ends[0]);
        fender_body_get(two.world, two.b, FENDER_CLOCK_COMMITTED, &ends[1]);
        const fender_vec3 out = {0, 0.085 * sqrt(100 / reduced), 0};
        check_vector(fender_vec3_sub(ends[1].velocity, ends[0].velocity), out, within[i]);
        check_below(fabs(ledger_of(&two).residual), within[i] * ledger_of(&two).scale);
        fender_world_destroy(two.world);
    }
}

/* Told is what the force does: while the points coincide it is along the x axis of the first, up to 1e5 units of
 * rounding of the sum of coordinates, here 6 km: 1.33e-7 m. A spring of a short or of no free length has its line. */
static void points_coincide(void **state)
{
    (void)state;
    static const struct {
        double gap, free_length;
        bool coincide;
    } rows[] = {{0, 1, true},        {1e-7, 1, true},     {1.3e-7, 1, true},
                {1.37e-7, 1, false}, {1e-7, 1e-5, false}, {1e-7, 0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fender_world_def def = fender_world_def_default();
        fender_body_def a = ball("a", 3, 1, 1000), b = ball("b", 2, 1, 1000 - rows[i].gap);
        a.state.position.y = a.state.position.z = b.state.position.y = b.state.position.z = 1000;
        pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
        fender_link_spring_damper p = spring(100, 0, rows[i].free_length);
        join(&two, FENDER_LINK_SPRING_DAMPER, &p);
        assert_false(fender_link_points_coincide(two.world, two.link));
        check_ok(fender_world_initialize(two.world, &error));
        assert_int_equal(fender_link_points_coincide(two.world, two.link), rows[i].coincide);
        if (rows[i].free_length > 0) assert_int_equal(read(&two).force_on_b.x > 0, rows[i].coincide);
        check_ok(fender_link_destroy(two.world, two.link, &error));
        assert_false(fender_link_points_coincide(two.world, two.link));
        fender_world_destroy(two.world);
    }
}

/* A spring without a free length whose ends come to coincide stays a spring, whatever is left between them. */
static void settles_at_no_length(void **state)
{
    (void)state;
    fender_link_spring_damper p = spring(100, 20, 0);
    pair two = balls(1e-3, 0.1, &p);
    check_ok(fender_world_advance(two.world, 20000, &error));
    check_below(read(&two).length, 1e-14); /* rounding of positions below 0.1 m */
    fender_world_destroy(two.world);
}

/* A spring that has not been pressed yet is not spent by being long. */
static void unloaded_spring_is_not_spent(void **state)
{
    (void)state;
    fender_link_spring_damper p = spring(800, 0, 0.3);
    p.acts = FENDER_LINK_PUSH;
    p.spent_at_free_length = true;
    pair two = balls(1e-3, 0.4, &p);
    fender_body_state toward = {.position = {0.4, 0, 0}, .attitude = {1, 0, 0, 0}, .velocity = {-2, 0, 0}};
    check_ok(fender_body_set_state(two.world, two.b, &toward, &error));
    check_ok(fender_world_advance(two.world, 40, &error));
    assert_false(read(&two).spent);
    check_ok(fender_world_advance(two.world, 300, &error));
    fender_link_data data = read(&two);
    assert_true(data.spent && data.peak_force > 50);
    check_near(data.rate, 2, 1e-2);
    fender_world_destroy(two.world);
}

/* A tether is slack, stretches and throws both back: the rate of its length is reversed. */
static void tether(void **state)
{
    (void)state;
    fender_link_spring_damper p = spring(5000, 0, 1);
    p.acts = FENDER_LINK_PULL;
    pair two = balls(1e-4, 0.5, &p);
    fender_body_state away = {.position = {0.5, 0, 0}, .attitude = {1, 0, 0, 0}, .velocity = {2, 0, 0}};
    check_ok(fender_body_set_state(two.world, two.b, &away, &error));
    check_ok(fender_world_advance(two.world, 2400, &error)); /* 0.24 s: still slack */
    check_near(read(&two).force, 0, 0);
    check_near(read(&two).rate, 2, 1e-12);
    bool pulled = false;
    for (int k = 0; k < 1000; k++) {
        check_ok(fender_world_step(two.world, &error));
        assert_true(read(&two).force <= 0);
        pulled |= read(&two).force < -100;
    }
    assert_true(pulled);
    check_near(read(&two).rate, -2, 1e-4);
    check_near(read(&two).peak_force, 2 * sqrt(5000 * reduced), 1);
    fender_world_destroy(two.world);
}

/* A damper that would turn a one-way force round is cut off: never a pull, and the energy adds up. */
static void damper_never_reverses(void **state)
{
    (void)state;
    fender_link_spring_damper p = spring(800, 100, 0.3);
    p.acts = FENDER_LINK_PUSH;
    pair two = balls(1e-4, 0.2, &p);
    fender_body_state away = {.position = {0.2, 0, 0}, .attitude = {1, 0, 0, 0}, .velocity = {3, 0, 0}};
    check_ok(fender_body_set_state(two.world, two.b, &away, &error));
    for (int k = 0; k < 500; k++) {
        check_ok(fender_world_step(two.world, &error));
        check_near(read(&two).force, 0, 0); /* the spring alone would push, 300 N of damping would pull */
    }
    fender_ledger ledger = ledger_of(&two);
    check_near(read(&two).rate, 3, 1e-12);
    check_near(ledger.damping, 0.5 * 800 * 0.01, 1e-9); /* all that it held */
    check_below(fabs(ledger.residual), 1e-9);
    fender_world_destroy(two.world);
}

/* Coinciding points push along the x axis of the point of a. */
static void no_length(void **state)
{
    (void)state;
    fender_world_def def = fender_world_def_default();
    fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 0);
    fender_pose p = at(0, 0, 0);
    p.q = (fender_quaternion){sqrt(0.5), 0, 0, sqrt(0.5)}; /* its x axis is y of the body */
    pair two = pair_of(&def, &a, &b, p, at(0, 0, 0));
    fender_link_spring_damper s = spring(10, 0, 0.5);
    join(&two, FENDER_LINK_SPRING_DAMPER, &s);
    check_ok(fender_world_initialize(two.world, &error));
    check_near(read(&two).length, 0, 0);
    check_vector(read(&two).force_on_b, fender_vec3_make(0, 5, 0), 1e-14);
    fender_world_destroy(two.world);
}

/* Tumbling bodies, points far from their centres: both laws, every method. */
static void momentum_is_kept(void **state)
{
    (void)state;
    for (int law = 0; law < 2; law++)
        for (int method = 0; method <= (int)FENDER_INTEGRATOR_DOP853; method++) {
            if (!fender_integrator_name((fender_integrator_method)method)) continue;
            fender_world_def def = fender_world_def_default();
            def.step = 2e-3;
            def.method = (fender_integrator_method)method;
            fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 2);
            a.mass_properties.inertia = fender_mat3_diagonal(0.5, 0.7, 0.9);
            b.mass_properties.inertia = fender_mat3_diagonal(1.1, 0.6, 0.8);
            b.mass_properties.center_of_mass = fender_vec3_make(0.1, -0.2, 0.05);
            a.state.angular_velocity = fender_vec3_make(0.3, 2, -1);
            b.state.angular_velocity = fender_vec3_make(-1, 0.5, 0.7);
            b.state.velocity = fender_vec3_make(0.2, -0.4, 0.3);
            fender_pose q = at(-0.6, 0.4, -0.2);
            q.q = fender_quaternion_normalized((fender_quaternion){1, 0.1, -0.2, 0.1});
            pair two = pair_of(&def, &a, &b, at(0.5, 0.3, 0.2), q);
            fender_link_spring_damper axial = spring(200, 1, 0.4);
            fender_link_spring_damper_6dof bushing;
            (void)fender_field_initialize(fender_link_law_parameters(FENDER_LINK_SPRING_DAMPER_6DOF), &bushing,
                                          sizeof bushing, NULL);
            bushing.stiffness = fender_vec3_make(200, 100, 300);
            bushing.damping = fender_vec3_make(1, 2, 0.5);
            bushing.angular_stiffness = fender_vec3_make(30, 60, 10);
            bushing.angular_damping = fender_vec3_make(0.1, 0.2, 0.1);
            bushing.free_position.x = 0.4;
            join(&two, (fender_link_law)law, law ? (const void *)&bushing : (const void *)&axial);
            check_ok(fender_world_initialize(two.world, &error));
            while (fender_world_time(two.world) < 4) check_ok(fender_world_step(two.world, &error));
            fender_ledger ledger = ledger_of(&two);
            printf("%s, %s: drift %.1e N s, %.1e N m s; residual %.1e of %.1e J\n",
                   fender_link_law_name((fender_link_law)law), fender_integrator_name(def.method), ledger.linear_drift,
                   ledger.angular_drift, ledger.residual, ledger.scale);
            check_below(ledger.linear_drift, 2e-13); /* 2000 steps of rounding at momenta of 1 */
            check_below(ledger.angular_drift, 5e-13);
            double order_one = 1, order_two = 1e-2, higher = 1e-4; /* J */
            check_below(fabs(ledger.residual), def.method == FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER ? order_one
                                               : def.method == FENDER_INTEGRATOR_VELOCITY_VERLET   ? order_two
                                                                                                   : higher);
            assert_true(ledger.damping > 1);
            fender_world_destroy(two.world);
        }
}

/* The bushing's springs keep energy, large rotations too: the residual of RK4 falls with the fourth power. */
static void bushing_keeps_energy(void **state)
{
    (void)state;
    double residuals[2];
    for (int i = 0; i < 2; i++) {
        fender_world_def def = fender_world_def_default();
        def.step = 4e-3 / (1 + i);
        fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 1);
        a.mass_properties.inertia = fender_mat3_diagonal(0.5, 0.7, 0.9);
        b.state.attitude = fender_quaternion_normalized((fender_quaternion){1, 0.5, -0.6, 0.4}); /* 82 degrees */
        pair two = pair_of(&def, &a, &b, at(0.5, 0.1, 0), at(-0.4, 0, 0.1));
        fender_link_spring_damper_6dof p;
        (void)fender_field_initialize(fender_link_law_parameters(FENDER_LINK_SPRING_DAMPER_6DOF), &p, sizeof p, NULL);
        p.stiffness = fender_vec3_make(200, 100, 300);
        p.angular_stiffness = fender_vec3_make(30, 60, 10);
        join(&two, FENDER_LINK_SPRING_DAMPER_6DOF, &p);
        check_ok(fender_world_initialize(two.world, &error));
        double least = read(&two).stored_energy;
        assert_true(fender_vec3_length(read(&two).rotation) > 1.4);
        for (int k = 0; k < 500 * (1 + i); k++) {
            check_ok(fender_world_step(two.world, &error));
            if (read(&two).stored_energy < least) least = read(&two).stored_energy;
        }
        fender_ledger ledger = ledger_of(&two);
        assert_true(least < 0.2 * ledger.scale);
        residuals[i] = fabs(ledger.residual) / ledger.scale;
        check_near(ledger.damping, 0, 0);
        fender_world_destroy(two.world);
    }
    printf("bushing: residual %.1e and %.1e of the scale at 4 and 2 ms\n", residuals[0], residuals[1]);
    check_below(residuals[1], 1e-7);
    check_below(residuals[1], residuals[0] / 12);
}

static fender_link_spring_damper_6dof hinge_of(fender_vec3 stiffness, fender_vec3 damping)
{
    fender_link_spring_damper_6dof p;
    (void)fender_field_initialize(fender_link_law_parameters(FENDER_LINK_SPRING_DAMPER_6DOF), &p, sizeof p, NULL);
    p.angular_stiffness = stiffness;
    p.angular_damping = damping;
    return p;
}

/* A hinge about x whose b has turned by any angle, then is tilted by 0.1 rad about y, and turns about its own axis: the
 * spring gives 60 * 0.1 N*m against the tilt, the damper 2 N*m*s/rad * 5 rad/s about the hinge and nothing across. */
static void hinge_turns_freely(void **state)
{
    (void)state;
    const fender_quaternion tilt = {cos(0.05), 0, sin(0.05), 0};
    for (int i = 0; i <= 24; i++) {
        const double half = 0.5 * i * 0.5235987755982988; /* up to two turns */
        fender_world_def def = fender_world_def_default();
        fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 0);
        a.motion = FENDER_MOTION_FIXED;
        b.state.attitude = fender_quaternion_product(tilt, (fender_quaternion){cos(half), sin(half), 0, 0});
        b.state.angular_velocity = fender_vec3_make(5, 0, 0); /* in axes of b */
        pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
        const fender_link_spring_damper_6dof p = hinge_of(fender_vec3_make(0, 60, 10), fender_vec3_make(2, 7, 3));
        join(&two, FENDER_LINK_SPRING_DAMPER_6DOF, &p);
        check_ok(fender_world_initialize(two.world, &error));
        const fender_link_data data = read(&two);
        check_vector(data.torque_on_b, fender_vec3_make(-10 * cos(0.1), -6, 10 * sin(0.1)), 1e-13); /* rounding */
        check_near(data.stored_energy, 0.3, 1e-14);
        check_near(data.damping_power, 50, 1e-12);
        fender_world_destroy(two.world);
    }
}

/* The springs of a hinge keep energy at large tilts, over full turns and with unequal stiffness, about any axis: the
 * residual of RK4 falls with the fourth power. */
static void hinge_keeps_energy(void **state)
{
    (void)state;
    const fender_vec3 stiffness[] = {{0, 60, 10}, {60, 0, 10}, {60, 10, 0}};
    for (int axis = 0; axis < 3; axis++) {
        double residuals[2];
        for (int i = 0; i < 2; i++) {
            fender_world_def def = fender_world_def_default();
            def.step = 4e-3 / (1 + i);
            fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 1);
            a.mass_properties.inertia = fender_mat3_diagonal(0.5, 0.7, 0.9);
            b.state.attitude = fender_quaternion_normalized((fender_quaternion){1, 0.5, -0.6, 0.4});
            b.state.angular_velocity = fender_vec3_make(axis == 0 ? 8 : 0, axis == 1 ? 8 : 0, axis == 2 ? 8 : 0);
            pair two = pair_of(&def, &a, &b, at(0.5, 0.1, 0), at(-0.4, 0, 0.1));
            fender_link_spring_damper_6dof p = hinge_of(stiffness[axis], fender_vec3_make(0, 0, 0));
            p.stiffness = fender_vec3_make(200, 100, 300);
            join(&two, FENDER_LINK_SPRING_DAMPER_6DOF, &p);
            check_ok(fender_world_initialize(two.world, &error));
            assert_true(read(&two).stored_energy > 3);
            for (int k = 0; k < 500 * (1 + i); k++) check_ok(fender_world_step(two.world, &error));
            const fender_ledger ledger = ledger_of(&two);
            residuals[i] = fabs(ledger.residual) / ledger.scale;
            check_below(ledger.angular_drift, 1e-12);
            check_near(ledger.damping, 0, 0);
            fender_world_destroy(two.world);
        }
        printf("hinge about %c: residual %.1e and %.1e of the scale at 4 and 2 ms\n", "xyz"[axis], residuals[0],
               residuals[1]);
        check_below(residuals[1], 1e-7);
        check_below(residuals[1], residuals[0] / 12);
    }
}

/* Torsion about one axis: a rotation of a full radian swings as k / (I1 I2 / (I1 + I2)), unlike the sine of the angle.
 */
static void torsion(void **state)
{
    (void)state;
    fender_world_def def = fender_world_def_default();
    def.step = 2e-3;
    fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 3, 0);
    b.state.attitude = (fender_quaternion){cos(0.5), 0, 0, sin(0.5)};
    pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
    fender_link_spring_damper_6dof p;
    (void)fender_field_initialize(fender_link_law_parameters(FENDER_LINK_SPRING_DAMPER_6DOF), &p, sizeof p, NULL);
    p.angular_stiffness = fender_vec3_make(5, 5, 40);
    join(&two, FENDER_LINK_SPRING_DAMPER_6DOF, &p);
    check_ok(fender_world_initialize(two.world, &error));
    check_near(read(&two).torque, 40, 1e-12);
    double omega = sqrt(40 / 0.75);
    for (int k = 0; k < 1000; k++) {
        check_ok(fender_world_step(two.world, &error));
        double angle = cos(omega * fender_world_time(two.world));
        check_vector(read(&two).rotation, fender_vec3_make(0, 0, angle), 1e-6);
    }
    fender_world_destroy(two.world);
}

/* Unloaded when docked: x axes facing, z axes agreeing. */
static void facing_bushing(void **state)
{
    (void)state;
    fender_world_def def = fender_world_def_default();
    fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 2);
    b.state.attitude = (fender_quaternion){0, 0, 0, 1};
    pair two = pair_of(&def, &a, &b, at(1, 0, 0), at(1, 0, 0));
    fender_link_spring_damper_6dof p;
    (void)fender_field_initialize(fender_link_law_parameters(FENDER_LINK_SPRING_DAMPER_6DOF), &p, sizeof p, NULL);
    p.stiffness = p.angular_stiffness = fender_vec3_make(5, 6, 7);
    p.facing = true;
    join(&two, FENDER_LINK_SPRING_DAMPER_6DOF, &p);
    check_ok(fender_world_initialize(two.world, &error));
    check_near(read(&two).stored_energy, 0, 1e-28);
    check_near(read(&two).torque, 0, 1e-14);
    fender_world_destroy(two.world);
}

/* Beyond its limit a link breaks for good; what it held is lost. */
static void breaking(void **state)
{
    (void)state;
    fender_link_spring_damper p = spring(100, 0, 1);
    p.limit = 30;
    pair two = balls(1e-3, 1.2, &p);
    fender_body_state away = {.position = {1.2, 0, 0}, .attitude = {1, 0, 0, 0}, .velocity = {4, 0, 0}};
    check_ok(fender_body_set_state(two.world, two.b, &away, &error));
    double before = 0;
    while (!read(&two).broken) {
        before = read(&two).stored_energy;
        check_ok(fender_world_step(two.world, &error));
    }
    int count;
    const fender_event *events = fender_world_events(two.world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(events[0].kind, FENDER_EVENT_LINK_BREAK);
    assert_string_equal(fender_event_name(events[0].kind), "break");
    fender_link_data data = read(&two);
    assert_true(data.peak_force > 30 && data.peak_force < 31 && !data.acting);
    check_near(data.force, 0, 0);
    fender_ledger ledger = ledger_of(&two);
    assert_true(before > 4.4);
    check_near(ledger.damping, 0.5 * data.peak_force * data.peak_force / 100, 1e-12);
    check_near(data.damping_loss, ledger.damping, 1e-15);
    check_near(ledger.stored, 0, 0);
    check_below(fabs(ledger.residual), 1e-9);
    check_ok(fender_world_advance(two.world, 100, &error));
    check_near(read(&two).rate, data.rate, 1e-13);
    assert_int_equal(fender_link_set_active(two.world, two.link, false), FENDER_STATUS_OK);
    assert_int_equal(fender_link_set_active(two.world, two.link, true), FENDER_STATUS_OK); /* does not mend it */
    check_ok(fender_world_advance(two.world, 10, &error));
    check_near(read(&two).force, 0, 0);
    fender_world_destroy(two.world);
}

/* Switching books what the link holds as applied; an inactive one does nothing. */
static void switching(void **state)
{
    (void)state;
    fender_link_spring_damper p = spring(120, 0, 1);
    pair two = balls(1e-3, 1.2, &p);
    assert_int_equal(fender_link_set_active(two.world, two.link, false), FENDER_STATUS_OK);
    check_near(ledger_of(&two).applied, -2.4, 1e-12);
    check_ok(fender_world_advance(two.world, 100, &error));
    check_near(read(&two).length, 1.2, 0);
    check_near(read(&two).rate, 0, 0);
    assert_false(read(&two).active || read(&two).acting);
    assert_int_equal(fender_link_set_active(two.world, two.link, true), FENDER_STATUS_OK);
    check_near(ledger_of(&two).applied, 0, 1e-12);
    check_near(read(&two).force, -24, 1e-12); /* at once */
    check_ok(fender_world_advance(two.world, 100, &error));
    assert_true(read(&two).rate < -0.1);
    check_below(fabs(ledger_of(&two).residual), 1e-8);
    fender_world_destroy(two.world);
}

/* A fixed end does no work, a prescribed one does: both are outside of the system. */
static void immovable_ends(void **state)
{
    (void)state;
    for (int prescribed = 0; prescribed < 2; prescribed++) {
        fender_world_def def = fender_world_def_default();
        def.step = 1e-3;
        fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 1.2);
        a.motion = prescribed ? FENDER_MOTION_PRESCRIBED : FENDER_MOTION_FIXED;
        if (prescribed) a.state.velocity.x = -0.5;
        pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
        fender_link_spring_damper p = spring(120, 1, 1);
        join(&two, FENDER_LINK_SPRING_DAMPER, &p);
        check_ok(fender_world_initialize(two.world, &error));
        check_ok(fender_world_advance(two.world, 1000, &error));
        fender_ledger ledger = ledger_of(&two);
        if (prescribed) assert_true(ledger.applied > 0.1);
        else check_near(ledger.applied, 0, 0);
        check_below(fabs(ledger.residual), 1e-7);
        check_below(ledger.linear_drift, 1e-12);
        check_below(ledger.angular_drift, 1e-12);
        fender_world_destroy(two.world);
    }
    fender_world_def def = fender_world_def_default(); /* between two immovable ones it holds nothing */
    fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 1.2);
    a.motion = FENDER_MOTION_FIXED;
    b.motion = FENDER_MOTION_PRESCRIBED;
    b.state.velocity.x = 1;
    pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
    fender_link_spring_damper p = spring(120, 1, 1);
    join(&two, FENDER_LINK_SPRING_DAMPER, &p);
    check_ok(fender_world_initialize(two.world, &error));
    check_ok(fender_world_advance(two.world, 100, &error));
    assert_false(read(&two).acting);
    check_near(read(&two).length, 2.2, 1e-12);
    check_near(ledger_of(&two).stored, 0, 0);
    check_near(ledger_of(&two).residual, 0, 0);
    fender_world_destroy(two.world);
}

/* Latched together with a pressed spring between them, then let go: the spring keeps its energy and gives it away. */
static void in_one_tree(void **state)
{
    (void)state;
    fender_link_spring_damper p = spring(800, 5, 0.3);
    p.acts = FENDER_LINK_PUSH;
    p.spent_at_free_length = true;
    pair two = balls(1e-4, 0.1, &p);
    double held = 0.5 * 800 * 0.04;
    check_near(ledger_of(&two).stored, held, 1e-12);
    fender_attach_def def = fender_attach_def_default();
    def.child = two.b;
    def.parent = two.a;
    def.pose = FENDER_ATTACH_AS_IS;
    check_ok(fender_body_attach(two.world, &def, NULL, &error));
    assert_false(read(&two).acting);
    fender_body_state spun = {.attitude = {1, 0, 0, 0}, .angular_velocity = {0, 0, 1}, .velocity = {0, 0.5, 0}};
    check_ok(fender_body_set_state(two.world, two.a, &spun, &error));
    check_ok(fender_world_advance(two.world, 1000, &error));
    check_near(read(&two).length, 0.1, 1e-12);
    check_near(read(&two).rate, 0, 0);
    check_near(read(&two).force, 160, 1e-9);
    check_near(ledger_of(&two).stored, held, 1e-10);
    check_near(ledger_of(&two).damping, 0, 0);
    fender_ledger before = ledger_of(&two);
    check_ok(fender_body_detach(two.world, two.b, two.a, FENDER_DETACH_CONNECTION, NULL, &error));
    assert_true(read(&two).acting);
    check_ok(fender_world_advance(two.world, 2000, &error));
    fender_ledger after = ledger_of(&two);
    assert_true(read(&two).spent);
    check_near(after.kinetic + after.damping, before.kinetic + held, 1e-4);
    check_below(after.angular_drift, 1e-12);
    check_below(after.linear_drift, 1e-12);
    fender_world_destroy(two.world);
}

/* What a link remembers is in snapshots and hashes. */
static void snapshots(void **state)
{
    (void)state;
    fender_link_spring_damper p = spring(800, 3, 0.3);
    p.acts = FENDER_LINK_PUSH;
    p.spent_at_free_length = true;
    pair one = balls(1e-3, 0.1, &p), other = balls(1e-3, 0.1, &p);
    check_ok(fender_world_advance(one.world, 30, &error)); /* still pushing */
    uint64_t middle = fender_world_hash(one.world);
    fender_snapshot *snapshot = fender_snapshot_take(one.world, NULL);
    assert_non_null(snapshot);
    check_ok(fender_world_advance(one.world, 200, &error));
    assert_true(read(&one).spent);
    check_ok(fender_snapshot_restore(other.world, snapshot, &error));
    assert_true(fender_world_hash(other.world) == middle);
    check_ok(fender_world_advance(other.world, 200, &error));
    assert_true(fender_world_hash(other.world) == fender_world_hash(one.world));
    check_near(read(&other).damping_loss, read(&one).damping_loss, 0);
    check_ok(fender_snapshot_restore(one.world, snapshot, &error)); /* unspent again */
    assert_false(read(&one).spent);
    uint64_t active = fender_world_hash(one.world);
    assert_int_equal(fender_link_set_active(one.world, one.link, false), FENDER_STATUS_OK);
    assert_true(fender_world_hash(one.world) != active);
    fender_snapshot_destroy(snapshot);
    /* a world without the link is of another structure */
    fender_world_def def = fender_world_def_default();
    def.step = 1e-3;
    fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 0.1);
    pair bare = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
    check_ok(fender_world_initialize(bare.world, &error));
    snapshot = fender_snapshot_take(bare.world, NULL);
    assert_int_equal(fender_snapshot_restore(one.world, snapshot, NULL), FENDER_STATUS_ARGUMENT);
    fender_snapshot_destroy(snapshot);
    fender_world_destroy(bare.world);
    fender_world_destroy(one.world);
    fender_world_destroy(other.world);
}

/* A link made in a world under way begins with what it holds booked as applied. */
static void made_under_way(void **state)
{
    (void)state;
    fender_world_def def = fender_world_def_default();
    def.step = 1e-3;
    fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 1.2);
    pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
    check_ok(fender_world_initialize(two.world, &error));
    check_ok(fender_world_advance(two.world, 10, &error));
    fender_link_spring_damper p = spring(120, 0, 1);
    join(&two, FENDER_LINK_SPRING_DAMPER, &p);
    fender_link_data data;
    assert_int_equal(fender_link_get(two.world, two.link, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_STATE);
    check_ok(fender_world_initialize(two.world, &error));
    check_near(ledger_of(&two).applied, 2.4, 1e-12);
    check_near(ledger_of(&two).residual, 0, 1e-12);
    check_ok(fender_world_advance(two.world, 100, &error));
    assert_true(read(&two).rate < 0);
    fender_world_destroy(two.world);
}

/* An outside integrator finds the link's force in the derivative. */
static void in_the_derivative(void **state)
{
    (void)state;
    fender_link_spring_damper p = spring(120, 0, 1);
    pair two = balls(1e-3, 1.2, &p);
    double y[2 * FENDER_STATE_PER_BODY], ydot[2 * FENDER_STATE_PER_BODY];
    fender_world_get_state(two.world, y);
    y[0] = 0.05; /* a moves toward b */
    check_ok(fender_world_set_state(two.world, 0, y, &error));
    check_ok(fender_world_derivative(two.world, ydot, &error));
    check_near(ydot[7], 18 / 2.0, 1e-12);
    check_near(ydot[FENDER_STATE_PER_BODY + 7], -18 / 3.0, 1e-12);
    fender_link_data data;
    assert_int_equal(fender_link_get(two.world, two.link, FENDER_CLOCK_EVALUATED, &data), FENDER_STATUS_OK);
    check_near(data.force, -18, 1e-12);
    check_near(read(&two).force, -24, 1e-12);
    fender_world_destroy(two.world);
}

/* ---- located events: what a one-way link does within a step has the order of the method */

static void located_separation(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        fender_link_spring_damper p = spring(800, 0, 0.3);
        p.acts = FENDER_LINK_PUSH;
        p.spent_at_free_length = true;
        pair two = located_balls(&locateds[i], 0.1, 0, &p);
        fender_event spent = {0};
        run_to(&two, 0.2, &spent);
        double omega = sqrt(800 / reduced);
        printf("%s: spent off by %.1e s, speed by %.1e m/s, residual %.1e J\n",
               fender_integrator_name(locateds[i].method), spent.time - 1.5707963267948966 / omega,
               read(&two).rate - 0.2 * omega, ledger_of(&two).residual);
        assert_int_equal(spent.kind, FENDER_EVENT_LINK_SPENT);
        check_near(spent.time, 1.5707963267948966 / omega, locateds[i].tolerance);
        check_near(read(&two).rate, 0.2 * omega, 10 * locateds[i].tolerance);
        check_below(fabs(ledger_of(&two).residual), 100 * locateds[i].tolerance);
        fender_world_destroy(two.world);
    }
}

static void located_tether(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        fender_link_spring_damper p = spring(800, 0, 1);
        p.acts = FENDER_LINK_PULL;
        pair two = located_balls(&locateds[i], 0.5, 2, &p);
        run_to(&two, 0.5, NULL); /* taut at 0.25 s for half an oscillation, 0.12 s */
        double omega = sqrt(800 / reduced), slack = 0.25 + 3.141592653589793 / omega,
               now = fender_world_time(two.world);
        check_near(read(&two).rate, -2, 10 * locateds[i].tolerance);
        check_near(read(&two).length, 1 - 2 * (now - slack), 10 * locateds[i].tolerance);
        check_below(fabs(ledger_of(&two).residual), 100 * locateds[i].tolerance);
        fender_world_destroy(two.world);
    }
}

/* Pressed in at 2 m/s against spring and damper: it pushes until the force is zero, at
 * w t = pi - atan(2 z sqrt(1 - z^2) / (1 - 2 z^2)) with z the damping ratio and w the damped frequency, and then no
 * more, though it is still short. */
static void located_cut(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        double k = 800, c = 10, free = 1, start = 1.1;
        fender_link_spring_damper p = spring(k, c, free);
        p.acts = FENDER_LINK_PUSH;
        pair two = located_balls(&locateds[i], start, -2, &p);
        run_to(&two, 0.4, NULL);
        double omega = sqrt(k / reduced), z = c / (2 * sqrt(k * reduced)), root = sqrt(1 - z * z);
        double phase = 3.141592653589793 - atan2(2 * z * root, 1 - 2 * z * z), t = phase / (omega * root);
        double decay = exp(-z * omega * t), speed = -2 * decay * (cos(phase) - z / root * sin(phase));
        double length = free - 2 / (omega * root) * decay * sin(phase), now = fender_world_time(two.world);
        check_near(read(&two).rate, speed, 10 * locateds[i].tolerance);
        check_near(read(&two).length, length + speed * (now - 0.05 - t), 10 * locateds[i].tolerance);
        check_near(ledger_of(&two).damping, 0.5 * reduced * (4 - speed * speed), 100 * locateds[i].tolerance);
        check_below(fabs(ledger_of(&two).residual), 100 * locateds[i].tolerance);
        assert_true(length < free - 0.01);
        fender_world_destroy(two.world);
    }
}

/* l = 1 + 0.2 cos(w t) + v / w sin(w t) reaches 1 + F / k at a time that Newton's method finds here. */
static void located_break(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        fender_link_spring_damper p = spring(800, 0, 1);
        p.limit = 190;
        pair two = located_balls(&locateds[i], 1.2, 4, &p);
        fender_event broken = {0};
        run_to(&two, 0.1, &broken);
        double omega = sqrt(800 / reduced), t = 0.01;
        for (int k = 0; k < 50; k++) {
            double off = 0.2 * cos(omega * t) + 4 / omega * sin(omega * t) - 0.2375;
            t -= off / (4 * cos(omega * t) - 0.2 * omega * sin(omega * t));
        }
        assert_int_equal(broken.kind, FENDER_EVENT_LINK_BREAK);
        check_near(broken.time, t, locateds[i].tolerance);
        check_near(read(&two).peak_force, 190, 1e4 * locateds[i].tolerance);
        check_below(fabs(ledger_of(&two).residual), 100 * locateds[i].tolerance);
        fender_world_destroy(two.world);
    }
}

/* What a taut tether gives at t: f = -m x'' with x = (v / w) exp(-d t) sin w t. */
static double taut_force(double stiffness, double damping, double speed, double t)
{
    const double d = damping / (2 * reduced), w = sqrt(stiffness / reduced - d * d), part = (w * w - d * d) / w;
    return reduced * speed * exp(-d * t) * (part * sin(w * t) + 2 * d * cos(w * t));
}

/* A limit that is passed only within a step, as the force has its maximum there: less than 1e-3 of it is above the
 * limit. Not limited, the tether persists. With a damper its rate depends on accelerations, which are known with dense
 * output. RK4: steps of 8 ms, in one of which the limit is passed for 4 ms. */
static void breaks_within_a_step(void **state)
{
    (void)state;
    const struct {
        fender_integrator_method method;
        double damping;
    } rows[] = {{FENDER_INTEGRATOR_RK4, 0},     {FENDER_INTEGRATOR_DOPRI5, 0},  {FENDER_INTEGRATOR_DOP853, 0},
                {FENDER_INTEGRATOR_DOPRI5, 2},  {FENDER_INTEGRATOR_DOP853, 2},  {FENDER_INTEGRATOR_DOPRI5, 12},
                {FENDER_INTEGRATOR_DOP853, 12}, {FENDER_INTEGRATOR_DOPRI5, 30}, {FENDER_INTEGRATOR_DOP853, 30}};
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        const double c = rows[i / 2].damping, taut = 0.5 / 3;
        double most = 0, t = 0;
        for (double at = 0; at < 0.1; at += 1e-6)
            if (taut_force(500, c, 3, at) > most) most = taut_force(500, c, 3, at);
        fender_link_spring_damper p = spring(500, c, 1);
        p.acts = FENDER_LINK_PULL;
        p.limit = i % 2 ? 1.0001 * most : 0.999 * most;
        while (taut_force(500, c, 3, t) < p.limit && t < 0.1) t += 1e-6;
        fender_world_def def = fender_world_def_default();
        def.method = rows[i / 2].method;
        def.step = def.method == FENDER_INTEGRATOR_RK4 ? 8e-3 : 10;
        def.locate_events = true;
        def.relative_tolerance = 1e-8;
        fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 0.5);
        b.state.velocity.x = 3;
        pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
        join(&two, FENDER_LINK_SPRING_DAMPER, &p);
        check_ok(fender_world_initialize(two.world, &error));
        fender_event broken = {.time = INFINITY};
        while (fender_world_time(two.world) < taut + 0.1 && isinf(broken.time))
            run_to(&two, fender_world_time(two.world) + 1e-3, &broken);
        assert_true(isinf(broken.time) == (i % 2 == 1));
        if (i % 2) assert_int_equal(fender_world_event_count(two.world, FENDER_EVENT_LINK_BREAK), 0);
        else check_near(broken.time, taut + t, 1e-5); /* steps of the closed form, and errors of the method */
        fender_world_destroy(two.world);
    }
}

/* Adaptive steps end anywhere: the largest force of a tether that snaps taut, and its largest length, are found between
 * them. Without damping they are v sqrt(k m) and 1 + v sqrt(m / k). Of a force that is known at eighths of a step of at
 * most 2 rad, a polynomial of degree 5 has lost less than 1e-6 at its maximum. */
static void peaks_within_a_step(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * 3; i++) {
        const double damping[] = {0, 2, 12}, c = damping[i / 2];
        double most = 0, when = 0, longest = 0;
        for (double at = 0; at < 0.12; at += 1e-5) {
            const double force = taut_force(500, c, 3, at);
            if (force > most) most = force, when = 0.5 / 3 + at;
        }
        fender_link_spring_damper p = spring(500, c, 1);
        p.acts = FENDER_LINK_PULL;
        fender_world_def def = fender_world_def_default();
        def.step = 10;
        def.method = i % 2 ? FENDER_INTEGRATOR_DOPRI5 : FENDER_INTEGRATOR_DOP853;
        def.locate_events = true;
        def.relative_tolerance = 1e-8;
        fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 0.5);
        b.state.velocity.x = 3;
        pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
        join(&two, FENDER_LINK_SPRING_DAMPER, &p);
        check_ok(fender_world_initialize(two.world, &error));
        while (fender_world_time(two.world) < 0.3) {
            check_ok(fender_world_step(two.world, &error));
            longest = larger(longest, read(&two).longest);
        }
        check_near(read(&two).peak_force, most, 1e-6 * most);
        check_near(read(&two).peak_force_time, when, 1e-4); /* a maximum is flat */
        if (c == 0) check_near(read(&two).peak_force, 3 * sqrt(500 * reduced), 1e-6 * most);
        if (c == 0) check_near(longest, 1 + 3 * sqrt(reduced / 500), 1e-7);
        fender_world_destroy(two.world);
    }
}

/* A pass in one step of free flight: beside the other point at 0.3 m, through it, and by a point on an arm of 1 m that
 * turns at 2 rad/s and comes within 0.5 m again and again. */
static void nearest_within_a_step(void **state)
{
    (void)state;
    const struct {
        double aside, speed, spin, nearest, tolerance;
    } rows[] = {{0.3, -0.5, 0, 0.3, 1e-9}, {0, -0.5, 0, 0, 1e-6}, {0, 0, 2, 0.5, 1e-5}};
    for (int i = 0; i < 2 * 3; i++) {
        const int row = i / 2;
        fender_link_spring_damper p = spring(500, 0, 0.01);
        p.acts = FENDER_LINK_PUSH; /* it never acts */
        fender_world_def def = fender_world_def_default();
        def.step = 10;
        def.method = i % 2 ? FENDER_INTEGRATOR_DOPRI5 : FENDER_INTEGRATOR_DOP853;
        def.locate_events = true;
        fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 1.5);
        b.state.position.y = rows[row].aside;
        b.state.velocity.x = rows[row].speed;
        a.state.angular_velocity.z = rows[row].spin;
        pair two = pair_of(&def, &a, &b, at(rows[row].spin > 0, 0, 0), at(0, 0, 0));
        if (row == 1) p.free_length = 0;
        join(&two, FENDER_LINK_SPRING_DAMPER, &p);
        check_ok(fender_world_initialize(two.world, &error));
        check_near(read(&two).shortest, read(&two).length, 0);
        double nearest = INFINITY, farthest = 0;
        if (row == 2) check_ok(fender_world_step(two.world, &error)); /* it begins where it is nearest */
        while (fender_world_time(two.world) < 8) {
            check_ok(fender_world_step(two.world, &error));
            nearest = fmin(nearest, read(&two).shortest);
            farthest = fmax(farthest, read(&two).longest);
        }
        check_near(nearest, rows[row].nearest, rows[row].tolerance);
        if (row == 2) check_near(farthest, 2.5, 1e-5);
        fender_world_destroy(two.world);
    }
}

/* Pressed and let go again and again, by a spring against gravity on a fixed seat: every flight is an event, and the
 * energy stays. */
static void located_bounces(void **state)
{
    (void)state;
    fender_world_def def = fender_world_def_default();
    def.method = FENDER_INTEGRATOR_DOP853;
    def.relative_tolerance = 1e-11;
    def.gravity = (fender_gravity){.kind = FENDER_GRAVITY_UNIFORM, .acceleration = {-9.81, 0, 0}};
    fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 1);
    a.motion = FENDER_MOTION_FIXED;
    pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
    fender_link_spring_damper p = spring(3e4, 0, 0.5);
    p.acts = FENDER_LINK_PUSH;
    join(&two, FENDER_LINK_SPRING_DAMPER, &p);
    check_ok(fender_world_initialize(two.world, &error));
    run_to(&two, 10, NULL);
    fender_ledger ledger = ledger_of(&two);
    check_below(fabs(ledger.residual), 1e-8 * ledger.scale);
    fender_world_destroy(two.world);
}

static void bad_definitions(void **state)
{
    (void)state;
    fender_link_spring_damper p = spring(120, 0, 1);
    pair two = balls(1e-3, 1.2, &p);
    fender_point_id second;
    check_ok(fender_point_create(two.world, two.a, "second", at(1, 0, 0), &second, &error));
    fender_link_def good = fender_link_def_default();
    assert_int_equal(fender_link_create(two.world, &good, NULL, NULL), FENDER_STATUS_NAME);
    good.name = "other";
    assert_int_equal(fender_link_create(two.world, &good, NULL, NULL), FENDER_STATUS_STALE_ID);
    good.a = two.p;
    good.b = two.q;
    assert_int_equal(fender_link_create(two.world, &good, NULL, NULL), FENDER_STATUS_ARGUMENT); /* no parameters */
    good.parameters = &p;
    fender_link_def def = good;
    def.name = "link";
    assert_int_equal(fender_link_create(two.world, &def, NULL, NULL), FENDER_STATUS_NAME);
    def.name = "9";
    assert_int_equal(fender_link_create(two.world, &def, NULL, NULL), FENDER_STATUS_NAME);
    def = good;
    def.b = second;
    assert_int_equal(fender_link_create(two.world, &def, NULL, NULL), FENDER_STATUS_ARGUMENT);
    def = good;
    def.law = (fender_link_law)77;
    assert_int_equal(fender_link_create(two.world, &def, NULL, NULL), FENDER_STATUS_ARGUMENT);
    assert_null(fender_link_law_name((fender_link_law)77));
    assert_null(fender_link_law_parameters((fender_link_law)77));
    assert_null(fender_link_law_doc((fender_link_law)77));
    const struct {
        double stiffness, damping, free_length, limit;
        int acts;
        bool spent;
        const char *path;
    } wrong[] = {
        {-1, 0, 1, INFINITY, 0, false, "stiffness"},
        {1, -1, 1, INFINITY, 0, false, "damping"},
        {1, 0, -1, INFINITY, 0, false, "free_length"},
        {1, 0, 1, 0, 0, false, "limit"},
        {1, 0, 1, INFINITY, 3, false, "acts"},
        {1, 0, 1, INFINITY, 0, true, "spent_at_free_length"},
        {(double)NAN, 0, 1, INFINITY, 0, false, "stiffness"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fender_link_spring_damper bad = {wrong[i].stiffness, wrong[i].damping, wrong[i].free_length,
                                         wrong[i].acts,      wrong[i].spent,   wrong[i].limit};
        fender_error error = {0};
        def.law = FENDER_LINK_SPRING_DAMPER;
        def.parameters = &bad;
        assert_int_equal(fender_link_create(two.world, &def, NULL, &error), FENDER_STATUS_VALUE);
        assert_string_equal(error.path, wrong[i].path);
    }
    assert_int_equal(fender_link_count(two.world), 1);
    fender_link_id id, none = {7, 1, 1};
    assert_int_equal(fender_link_find(two.world, "other", &id), FENDER_STATUS_NAME);
    assert_int_equal(fender_link_find(two.world, "link", &id), FENDER_STATUS_OK);
    assert_int_equal(id.index1, fender_link_at(two.world, 0).index1);
    assert_int_equal(fender_link_at(two.world, 1).index1, 0);
    assert_string_equal(fender_link_name(two.world, id), "link");
    assert_null(fender_link_name(two.world, none));
    assert_int_equal(fender_link_set_active(two.world, none, true), FENDER_STATUS_STALE_ID);
    fender_link_data data;
    assert_int_equal(fender_link_get(two.world, none, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_STALE_ID);
    assert_int_equal(fender_link_get_def(two.world, none, &def), FENDER_STATUS_STALE_ID);
    assert_int_equal(fender_link_get_def(two.world, id, &def), FENDER_STATUS_OK);
    assert_true(def.active && def.a.index1 == two.p.index1 && def.b.index1 == two.q.index1);
    check_near(((const fender_link_spring_damper *)def.parameters)->stiffness, 120, 0);
    fender_world_destroy(two.world);
}

/* A force that stops being finite is refused by the link's name. */
static void not_finite(void **state)
{
    (void)state;
    fender_link_spring_damper p = spring(1e300, 0, 1);
    fender_world_def def = fender_world_def_default();
    fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 1e100);
    pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
    join(&two, FENDER_LINK_SPRING_DAMPER, &p);
    fender_error error = {0};
    assert_int_equal(fender_world_initialize(two.world, &error), FENDER_STATUS_NOT_FINITE);
    assert_non_null(strstr(error.message, "link"));
    fender_world_destroy(two.world);
}

/* The shortest and the longest length of every step of a damped oscillation, not of the first only, are those of its
 * samples: 100 of them miss a parabola of the height h by 1e-4 h / 4. A restored world has the numbers of one that went
 * on. */
static void lengths_within_steps(void **state)
{
    (void)state;
    enum { STEPS = 16 };
    fender_world_def def = fender_world_def_default();
    def.method = FENDER_INTEGRATOR_DOP853;
    def.relative_tolerance = 1e-6;
    fender_body_def a = ball("a", 3, 1, 0), b = ball("b", 2, 1, 1);
    b.state.velocity.x = 0.5;
    pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
    fender_link_spring_damper p = spring(1, 0.3, 1);
    join(&two, FENDER_LINK_SPRING_DAMPER, &p);
    check_ok(fender_world_initialize(two.world, &error));
    fender_snapshot *snapshot = NULL;
    double told[2 * STEPS][2] = {{0}};
    int turns = 0;
    for (int k = 0; k < 2 * STEPS; k++) {
        if (k == STEPS / 2) snapshot = fender_snapshot_take(two.world, NULL);
        if (k == STEPS) check_ok(fender_snapshot_restore(two.world, snapshot, &error));
        fender_proposal step;
        double least = INFINITY, most = 0, ends[2] = {read(&two).length};
        check_ok(fender_world_propose(two.world, 1000, &step, &error));
        for (int i = 1; i <= 100; i++) {
            const double part = 0.01 * i, time = step.start_time + part * (step.end_time - step.start_time);
            check_ok(fender_world_sample(two.world, i < 100 ? time : step.end_time, &error));
            const double length = read(&two).length;
            least = length < least ? length : least;
            most = length > most ? length : most;
        }
        check_ok(fender_world_accept(two.world, &error));
        const fender_link_data data = read(&two);
        ends[1] = data.length;
        least = ends[0] < least ? ends[0] : least;
        most = ends[0] > most ? ends[0] : most;
        check_near(data.shortest, least, 1e-4);
        check_near(data.longest, most, 1e-4);
        turns += most > ends[0] + 1e-3 && most > ends[1] + 1e-3;
        turns += least < ends[0] - 1e-3 && least < ends[1] - 1e-3;
        told[k][0] = data.shortest;
        told[k][1] = data.longest;
    }
    assert_true(turns > 4);
    for (int k = STEPS / 2; k < STEPS; k++)
        for (int i = 0; i < 2; i++) assert_true(told[k][i] == told[k + STEPS / 2][i]);
    fender_snapshot_destroy(snapshot);
    fender_world_destroy(two.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_masses_on_a_spring),
        cmocka_unit_test(damped_spring),
        cmocka_unit_test(separation_spring),
        cmocka_unit_test(pushes_along_the_port),
        cmocka_unit_test(keeps_its_line_far_away),
        cmocka_unit_test(points_coincide),
        cmocka_unit_test(settles_at_no_length),
        cmocka_unit_test(unloaded_spring_is_not_spent),
        cmocka_unit_test(tether),
        cmocka_unit_test(damper_never_reverses),
        cmocka_unit_test(no_length),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(bushing_keeps_energy),
        cmocka_unit_test(hinge_turns_freely),
        cmocka_unit_test(hinge_keeps_energy),
        cmocka_unit_test(torsion),
        cmocka_unit_test(facing_bushing),
        cmocka_unit_test(breaking),
        cmocka_unit_test(switching),
        cmocka_unit_test(immovable_ends),
        cmocka_unit_test(in_one_tree),
        cmocka_unit_test(snapshots),
        cmocka_unit_test(made_under_way),
        cmocka_unit_test(in_the_derivative),
        cmocka_unit_test(located_separation),
        cmocka_unit_test(located_tether),
        cmocka_unit_test(located_cut),
        cmocka_unit_test(located_break),
        cmocka_unit_test(breaks_within_a_step),
        cmocka_unit_test(peaks_within_a_step),
        cmocka_unit_test(lengths_within_steps),
        cmocka_unit_test(nearest_within_a_step),
        cmocka_unit_test(located_bounces),
        cmocka_unit_test(bad_definitions),
        cmocka_unit_test(not_finite),
    };
    return cmocka_run_group_tests_name("links", tests, NULL, NULL);
}
