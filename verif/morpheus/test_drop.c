/* M039: the centre of mass as the only contact point, looking in six directions, dropped from 20 m above its nominal
 * place 1.3 m over the ground. */
/* items: M002 M035 M039 */
#include "vehicle.h"

static const fender_vec3 six[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

/* One spring of a leg stops a fall of 21.3 m within 1.8 m: with the range of 0.8 m that the paper had coded, the start
 * of the ray goes below the ground, which is then lost (M044). */
static vehicle_set_up dropped(fender_quaternion attitude, bool literal, double range)
{
    lander l = vehicle_parameters();
    l.cushion = 0;
    vehicle_set_up s = vehicle_lander(&l);
    s.leg_count = 6;
    for (int i = 0; i < 6; i++) {
        s.legs[i] = fender_vec3_make(0, 0, 0);
        s.directions[i] = six[i];
    }
    s.push_rate = 0;
    s.step = 1e-3;
    s.literal = literal;
    s.range = range;
    s.state.attitude = attitude;
    s.state.position.z = 21.3;
    return s;
}

/* Stiffness of the ground under the point, in units of one leg's, by the lines that carry: one that has come out of the
 * ground stays silent until it has left it. */
static double share(const vehicle *v, const fender_body_data *d, bool literal, int *carrying)
{
    double sum = 0;
    *carrying = 0;
    for (int k = 0; k < fender_contact_count(v->world, FENDER_CLOCK_COMMITTED); k++) {
        fender_contact_data c;
        fender_contact_at(v->world, FENDER_CLOCK_COMMITTED, k, &c);
        if (!(c.normal_force > 0)) continue;
        int i = 0;
        while (v->legs[i].index1 != c.b.index1) i++;
        double down = -fender_quaternion_rotate(d->attitude, six[i]).z;
        double facing = down < FENDER_PROBE_SLANT ? FENDER_PROBE_SLANT : down;
        ++*carrying;
        sum += literal ? 1 : 1 / (facing * facing);
    }
    return sum;
}

typedef struct drop {
    double rest, deepest, first_touch, energy_gained;
    int bounces, least, most, steps_below;
    fender_body_data end;
    int below;
    double share;
} drop;

static drop run(const vehicle_set_up *s, double until)
{
    vehicle v = vehicle_build(s);
    drop d = {.least = 7, .first_touch = NAN};
    double last = INFINITY, height = s->state.position.z;
    bool flying = true;
    while (fender_world_time(v.world) < until) {
        check_ok(fender_world_step(v.world, &error));
        fender_body_data now = vehicle_data(&v);
        fender_ledger ledger;
        fender_world_ledger(v.world, &ledger);
        double energy = ledger.kinetic + ledger.gravitational + ledger.stored;
        d.energy_gained = larger(d.energy_gained, energy - last);
        last = energy;
        int touching = 0, count = fender_contact_count(v.world, FENDER_CLOCK_COMMITTED);
        for (int i = 0; i < count; i++) {
            fender_contact_data c;
            fender_contact_at(v.world, FENDER_CLOCK_COMMITTED, i, &c);
            touching += c.touching;
        }
        d.deepest = larger(d.deepest, -now.position.z);
        if (now.position.z < -1e-9) {
            d.steps_below++;
            d.least = touching < d.least ? touching : d.least;
            d.most = touching > d.most ? touching : d.most;
            d.bounces += flying;
            if (isnan(d.first_touch)) d.first_touch = fender_world_time(v.world);
            flying = false;
        } else if (now.position.z > 1e-3) flying = true;
    }
    d.end = vehicle_data(&v);
    d.rest = height - d.end.position.z;
    d.share = share(&v, &d.end, s->literal, &d.below);
    fender_world_destroy(v.world);
    return d;
}

static fender_quaternion turned(fender_vec3 axis, double angle)
{
    axis = fender_vec3_scale(sin(angle / 2) / fender_vec3_length(axis), axis);
    return (fender_quaternion){cos(angle / 2), axis.x, axis.y, axis.z};
}

static void six_directions(void **state)
{
    (void)state;
    const struct {
        const char *name;
        fender_quaternion attitude;
        int least, most;
    } cases[] = {{"aligned", {1, 0, 0, 0}, 1, 1},
                 {"on an edge", turned(fender_vec3_make(1, 0, 0), 0.785398163397448310), 2, 2},
                 {"on a corner", turned(fender_vec3_make(1, 1, 0), 0.955316618124509278), 3, 3},
                 {"askew", turned(fender_vec3_make(1, 0.3, 0.2), 0.4), 1, 3}};
    for (int form = 0; form < 2; form++)
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
            vehicle_set_up s = dropped(cases[k].attitude, form, 2.5);
            drop d = run(&s, 60); /* a swing dies by exp(-0.55 t) once it has stopped to bounce, at 30 s */
            double sink = s.l.weight / (s.l.stiffness * d.share), settles = d.rest - 21.3;
            print_message(
                "%-12s %-16s first touch %.4f s, %2d bounces, %d to %d directions touching in %d steps; "
                "settles %.6f m below the start: 21.3 m and %.4f m (statics of %d lines %.4f m), deepest %.3f "
                "m, energy rose by %.1e J at most\n",
                cases[k].name, form ? "literal" : "conservative", d.first_touch, d.bounces, d.least, d.most,
                d.steps_below, d.rest, settles, d.below, sink, d.deepest, d.energy_gained);
            check_near(d.first_touch, sqrt(2 * 21.3 / 9.80665), 2e-3); /* a step and the first 10 um of depth */
            assert_true(d.bounces >= 3 && d.steps_below > 1000);
            assert_true(d.least >= 1 && d.most <= 3);
            assert_true(d.least >= cases[k].least && d.most <= cases[k].most);
            check_near(settles, sink, k == 3 ? 1e-4 : 1e-6); /* askew it rocks on one line, for minutes */
            /* a point below the ground is held: located steps of RK4 lose 1e-7 of the drop's 324 kJ in an impact */
            if (!form) check_below(d.energy_gained, 1e-6 * s.l.weight * 21.3);
        }
}

static void lost_beyond_the_range(void **state)
{
    (void)state;
    vehicle_set_up s = dropped((fender_quaternion){1, 0, 0, 0}, false, 0.8);
    drop d = run(&s, 3);
    print_message("range 0.8 m: deepest %.3f m after 3 s, energy rose by %.1e J at most\n", d.deepest, d.energy_gained);
    assert_true(d.deepest > 5 && d.least == 0);
    check_below(d.energy_gained, 1); /* what the spring held is lost, not given back */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(six_directions), cmocka_unit_test(lost_beyond_the_range)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
