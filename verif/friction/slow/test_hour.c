/* Laws that promise to stick: what they hold under an even load moves by less than a nanometre in an hour. Looked at
 * after every step. */
#include "../ground.h"

static const double G = 9.81, SETTLED = 20, HOUR = 3600; /* m/s^2, s, s */

/* Centre and, by its radius, rotation: how far has any point of the sphere gone? */
static double moved(const fender_body_data *from, const fender_body_data *to, double radius)
{
    fender_quaternion turn = fender_quaternion_product(fender_quaternion_conjugate(from->attitude), to->attitude);
    double angle = 2 * sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    return fender_vec3_length(fender_vec3_sub(to->position, from->position)) + radius * angle;
}

static void hold(const char *name, const ground_set_up *s)
{
    ground g = ground_build(s);
    ground_run(&g, SETTLED);
    fender_body_data settled = ground_ball(&g);
    double most = 0;
    while (fender_world_time(g.world) < SETTLED + HOUR) {
        check_ok(fender_world_step(g.world, &error));
        fender_body_data now = ground_ball(&g);
        most = larger(most, moved(&settled, &now, s->radius));
    }
    print_message("%-24s moved by %.1e m at most\n", name, most);
    check_below(most, 1e-9);
    assert_true(fender_vec3_length(fender_vec3_sub(settled.position, (fender_vec3){0, 0, s->radius - s->depth})) >
                    1e-7 ||
                s->torque.z > 0); /* it bears a load */
    fender_world_destroy(g.world);
}

static ground_set_up on_slope(double part_of_limit)
{
    ground_set_up s = ground_block();
    double tilt = atan(part_of_limit * 0.4);
    s.step = 2e-3;
    s.locate_events = false;
    s.gravity = fender_vec3_make(G * sin(tilt), 0, -G * cos(tilt));
    s.depth = G * cos(tilt) / GROUND_STIFFNESS;
    return s;
}

/* A block on a slope of eight tenths of the limit. */
static void sliding(void **state)
{
    (void)state;
    const law_choice laws[] = {
        {"coulomb_static_kinetic", {{"mu_static", 0.4}, {"mu_kinetic", 0.3}, {"stiffness", 1e4}, {"damping", 140}}},
        {"cundall_strack", {{"mu", 0.4}, {"stiffness", 1e4}, {"damping", 140}}},
        {"dahl", {{"mu", 0.4}, {"amplitude", 4e-4}, {"damping", 14}}},
        {"lugre",
         {{"mu_static", 0.4}, {"mu_kinetic", 0.35}, {"amplitude", 4e-4}, {"damping", 14}, {"stribeck_speed", 0.1}}},
    };
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        ground_set_up s = on_slope(0.8);
        s.friction = laws[i];
        hold(laws[i].law, &s);
    }
}

/* A sphere on a slope of eight tenths of its arm over its radius, and one with a torque about the normal. */
static void turning(void **state)
{
    (void)state;
    ground_set_up s = on_slope(0.8 * 2e-3 / 0.1 / 0.4);
    s.moment = 0.4 * s.mass * s.radius * s.radius;
    s.friction = (law_choice){"coulomb_static_kinetic",
                              {{"mu_static", 2}, {"mu_kinetic", 1.5}, {"stiffness", 1e5}, {"damping", 250}}};
    s.rolling = (law_choice){"rolling_stick", {{"arm", 2e-3}, {"stiffness", 20}, {"damping", 0.6}}};
    hold("rolling_stick", &s);
    s = on_slope(0.1);
    s.moment = 0.004;
    s.friction = (law_choice){"cundall_strack", {{"mu", 0.4}, {"stiffness", 1e4}, {"damping", 140}}};
    s.rolling = (law_choice){"rolling_stick", {{"arm", 1e-2}, {"stiffness", 20}, {"damping", 0.6}}};
    s.twisting = (law_choice){"torsional_stick", {{"mu", 0.5}, {"radius", 0.01}, {"stiffness", 30}, {"damping", 0.5}}};
    s.torque.z = 0.8 * 2.0 / 3 * 0.5 * 0.01 * G;
    hold("torsional_stick", &s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sliding), cmocka_unit_test(turning)};
    return cmocka_run_group_tests_name("an hour without creep", tests, NULL, NULL);
}
