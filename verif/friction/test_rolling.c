/* Resistance to rolling and twisting against closed forms, beside a normal law and beside a whole one. */
/* items: S077 */
#include "ground.h"

static const double ARM = 2e-3, G = 9.81; /* m, m/s^2 */

/* What does not slip at all: stiff and well damped. */
static law_choice sticking(void)
{
    return (law_choice){"coulomb_static_kinetic",
                        {{"mu_static", 2}, {"mu_kinetic", 1.5}, {"stiffness", 1e5}, {"damping", 250}}};
}

static law_choice rolling(bool sticks)
{
    if (sticks) return (law_choice){"rolling_stick", {{"arm", ARM}, {"stiffness", 20}, {"damping", 0.6}}};
    return (law_choice){"rolling_resistance", {{"arm", ARM}, {"roll_rate", 1e-6}}};
}

/* Rolls without slip on a plane that is tilted by an angle: I w' + m l^2 w' = m g l sin - arm m g cos, with the lever l
 * of the common point; for a rigid ball v = (5/7) g (sin - mu_r cos) t, mu_r = arm / R (LAMMPS, granular unit tests).
 * The stretch of the friction law is even in that motion, so nothing slips; that, too, is seen. */
static void incline(void **state)
{
    (void)state;
    static const double tilts[] = {0, 0.05, 0.3};
    for (int k = 0; k < 3; k++)
        for (int sticks = 0; sticks < 2; sticks++)
            for (int located = 0; located < 2; located++) {
                double tilt = tilts[k], load = G * cos(tilt);
                ground_set_up s = ground_default();
                s.friction = sticking();
                s.rolling = rolling(sticks);
                s.gravity = fender_vec3_make(G * sin(tilt), 0, -load);
                s.depth = load / GROUND_STIFFNESS;
                s.locate_events = located;
                double lever = ground_lever(&s);
                s.velocity.x = 2;
                s.spin.y = s.velocity.x / lever;
                ground g = ground_build(&s);
                ground_run(&g, 0.25); /* the start has died out */
                double before = ground_ball(&g).velocity.x;
                ground_run(&g, 1.25);
                double found = ground_ball(&g).velocity.x - before;
                double exact = lever * (lever * G * sin(tilt) - ARM * load) / (s.moment / s.mass + lever * lever);
                double rigid = 5.0 / 7 * (G * sin(tilt) - ARM / s.radius * load);
                print_message("%4.2f rad %-8s %s %.9f m/s^2, off by %8.1e\n", tilt, sticks ? "stick" : "smooth",
                              located ? "located" : "       ", found, found - exact);
                check_near(found, exact, 1e-9); /* rounding of 10^4 steps; smooth: (roll_rate / rate)^2 / 2 */
                check_near(found, rigid, 1e-3 * fabs(rigid)); /* l / R differs from 1 by 5e-5, near balance more */
                check_near(ground_contact(&g).slip.x, 0, 1e-9);
                ground_ledger(&g, 1e-9);
                fender_world_destroy(g.world);
            }
}

/* Rolls until it stands, and then stands: all its energy has gone into friction. */
static void comes_to_rest(void **state)
{
    (void)state;
    ground_set_up s = ground_default();
    s.friction = sticking();
    s.rolling = rolling(true);
    double lever = ground_lever(&s), slowing = lever * ARM * G / (s.moment / s.mass + lever * lever);
    s.velocity.x = 0.2;
    s.spin.y = s.velocity.x / lever;
    ground g = ground_build(&s);
    ground_run(&g, 0.2 / slowing + 3);
    fender_body_data end = ground_ball(&g);
    double exact = 0.02 / slowing - ARM * G / 20 * lever; /* the spring of 20 N m/rad takes it back by arm N / k */
    print_message("stands after %.9f m, off by %.1e m; %.1e m/s\n", end.position.x, end.position.x - exact,
                  end.velocity.x);
    check_near(end.position.x, exact, 3e-6); /* the springs of rolling and sliding are wound up at the start */
    check_below(fender_vec3_length(end.velocity), 1e-12);
    check_below(fender_vec3_length(end.angular_velocity), 1e-11);
    fender_ledger ledger = ground_ledger(&g, 1e-9);
    check_near(ledger.friction, 0.5 * (s.mass * 0.04 + s.moment * s.spin.y * s.spin.y), 1e-6);
    fender_world_destroy(g.world);
}

/* On a slope it stands up to tan = arm / l, held by the spring: k angle = m g l sin. Beyond, it rolls off. */
static void slope(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        ground_set_up s = ground_default();
        double part = k == 0 ? 0.99 : 1.01, tangent = part * ARM / ground_lever(&s), tilt = atan(tangent);
        s.friction = sticking();
        s.rolling = rolling(true);
        s.gravity = fender_vec3_make(G * sin(tilt), 0, -G * cos(tilt));
        s.depth = G * cos(tilt) / GROUND_STIFFNESS;
        s.rolling.parameters[2].value = 3; /* the load comes on at once: no overshoot */
        ground g = ground_build(&s);
        ground_run(&g, 5);
        fender_body_data end = ground_ball(&g);
        print_message("%.2f of the limit: %.3e m/s after %.3e m\n", part, end.velocity.x, end.position.x);
        if (k == 0) {
            check_below(fabs(end.velocity.x), 1e-12);
            check_near(ground_contact(&g).torque.y, -s.mass * G * sin(tilt) * ground_lever(&s), 1e-12);
        } else {
            assert_true(end.velocity.x > 1e-3);
        }
        fender_world_destroy(g.world);
    }
}

/* A torque that grows evenly: it begins to turn at arm N. (There is no friction of sliding here.) */
static void breakaway(void **state)
{
    (void)state;
    ground_set_up s = ground_default();
    s.rolling = rolling(true);
    s.ramp = true;
    s.torque = fender_vec3_make(0.3 * ARM * G, 0.4 * ARM * G, 0);
    ground g = ground_build(&s);
    double found = ground_event(&g, FENDER_EVENT_SLIP, 3);
    print_message("rolls from %.12f s on\n", found);
    check_near(found, 2, 1e-9);
    fender_world_destroy(g.world);
}

/* Spins about the normal: I w' = -part mu R N, part 2/3, 3 pi / 16, 1, and stops (LAMMPS: w = w0 - 5 mu_t g t / 2 R^2).
 * With the law that sticks it then holds a torque up to the limit. */
static void twisting(void **state)
{
    (void)state;
    static const double parts[] = {2.0 / 3, 0.58904862254808621, 1};
    for (int pressure = 0; pressure < 3; pressure++)
        for (int sticks = 0; sticks < 2; sticks++) {
            ground_set_up s = ground_default();
            s.spin.z = 4;
            s.twisting = sticks ? (law_choice){"torsional_stick",
                                               {{"mu", 0.5},
                                                {"radius", 0.01},
                                                {"pressure", pressure},
                                                {"stiffness", 30},
                                                {"damping", 0.5}}}
                                : (law_choice){
                                      "torsional",
                                      {{"mu", 0.5}, {"radius", 0.01}, {"pressure", pressure}, {"twist_rate", 1e-3}}};
            double limit = parts[pressure] * 0.5 * 0.01 * G, rate = limit / s.moment;
            ground g = ground_build(&s);
            ground_run(&g, 0.1);
            double before = ground_ball(&g).angular_velocity.z;
            ground_run(&g, 0.3);
            /* smooth: (twist_rate / rate)^2 / 2 at the end */
            check_near((ground_ball(&g).angular_velocity.z - before) / 0.2, -rate, (sticks ? 1e-10 : 1e-5) * rate);
            check_below(fabs(ground_ball(&g).angular_velocity.x), 1e-15);
            ground_run(&g, 4 / rate + 0.5);
            check_below(fabs(ground_ball(&g).angular_velocity.z), 1e-12);
            ground_ledger(&g, 1e-9);
            fender_world_destroy(g.world);
            if (!sticks) continue;
            /* a torque that grows evenly winds it up evenly, and nothing swings: it lets go when the limit is reached
             */
            s.spin.z = 0;
            s.ramp = true;
            s.torque.z = 0.5 * limit;
            g = ground_build(&s);
            ground_run(&g, 1.9);
            check_near(ground_ball(&g).angular_velocity.z, 0.5 * limit / 30, 1e-12);
            check_near(ground_event(&g, FENDER_EVENT_SLIP, 3), 2, 1e-9);
            fender_world_destroy(g.world);
        }
}

/* Rolling and twisting stand beside a whole law as beside a normal one, to the bit where the two push alike. */
static void beside_whole(void **state)
{
    (void)state;
    fender_vec3 spins[2];
    for (int k = 0; k < 2; k++) {
        ground_set_up s = ground_default();
        law_choice spring = {"spring_damper",
                             {{"stiffness", GROUND_STIFFNESS}, {"damping", GROUND_DAMPING}, {"mu", 0.2}}};
        *(k ? &s.whole : &s.normal) = spring;
        s.rolling = rolling(true);
        s.twisting = (law_choice){"torsional", {{"mu", 0.5}, {"radius", 0.01}}};
        s.spin = fender_vec3_make(3, -7, 5);
        s.velocity = fender_vec3_make(0.3, 0.1, 0);
        ground g = ground_build(&s);
        ground_run(&g, 0.2);
        spins[k] = ground_ball(&g).angular_velocity;
        fender_contact_type_id id;
        fender_contact_type_def def;
        assert_int_equal(fender_contact_type_find(g.world, "type", &id), FENDER_STATUS_OK);
        assert_int_equal(fender_contact_type_get_def(g.world, id, &def), FENDER_STATUS_OK);
        assert_string_equal(def.rolling->name, "rolling_stick");
        assert_string_equal(def.twisting->name, "torsional");
        assert_true((k ? def.law : def.normal) != NULL && !(k ? def.normal : def.law));
        ground_ledger(&g, 1e-6);
        fender_world_destroy(g.world);
    }
    check_vector(spins[0], spins[1], 0);
}

/* A law under a slot that is not its own is refused by name. */
static void refused(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_world_def world_def = fender_world_def_default();
    fender_world *world = fender_world_create(&env, &world_def, NULL);
    law_room room, other;
    law_choice normal = {"spring_damper", {{"stiffness", 1}}}, mu = {"coulomb", {{"mu", 1}}};
    fender_contact_type_def def = {.size = sizeof(fender_contact_type_def),
                                   .name = "type",
                                   .normal = law_chosen(&normal, &room),
                                   .normal_parameters = room.bytes};
    def.rolling = law_chosen(&mu, &other);
    def.rolling_parameters = other.bytes;
    fender_error error = {0};
    assert_int_equal(fender_contact_type_create(world, &def, NULL, &error), FENDER_STATUS_ARGUMENT);
    assert_string_equal(error.message, "law 'coulomb' cannot be used under 'rolling'");
    assert_string_equal(error.suggestion, "use it under 'friction'");
    law_choice arm = {"rolling_resistance", {{"arm", -1}}};
    def.rolling = law_chosen(&arm, &other);
    error = (fender_error){0};
    assert_int_not_equal(fender_contact_type_create(world, &def, NULL, &error), FENDER_STATUS_OK);
    assert_string_equal(error.path, "rolling.arm");
    def.twisting = def.rolling;
    def.twisting_parameters = other.bytes;
    def.rolling = NULL;
    error = (fender_error){0};
    assert_int_equal(fender_contact_type_create(world, &def, NULL, &error), FENDER_STATUS_ARGUMENT);
    assert_string_equal(error.suggestion, "use it under 'rolling'");
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(incline),  cmocka_unit_test(comes_to_rest),
                                       cmocka_unit_test(slope),    cmocka_unit_test(breakaway),
                                       cmocka_unit_test(twisting), cmocka_unit_test(beside_whole),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests_name("rolling and twisting", tests, NULL, NULL);
}
