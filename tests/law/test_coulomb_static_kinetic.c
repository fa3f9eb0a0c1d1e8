/* The law coulomb_static_kinetic by itself: along random paths of slip and load it balances its power, never gives more
 * than it took, keeps its limits and knows no direction. */
/* items: M006 M007 M008 M009 M012 M013 M014 */
#include "law_test.h"
#include "random_numbers.h"

typedef struct path {
    double slip[2][3], phase[3][3], frequency[3][3], load[3], mean_load;
} path;

/* Slip that often comes to rest and turns, and a load that often comes to zero. */
static path random_path(random_stream *r)
{
    path p;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            p.phase[i][k] = random_between(r, 0, 6.3);
            p.frequency[i][k] = random_magnitude(r, 3, 60);
            if (i < 2) p.slip[i][k] = random_magnitude(r, 1e-4, 3e-2);
            else p.load[k] = random_between(r, 0, 20);
        }
    p.mean_load = random_between(r, -5, 40);
    return p;
}

static double wave(const path *p, const double *sizes, int i, double t)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += sizes[k] * sin(p->frequency[i][k] * t + p->phase[i][k]);
    return sum;
}

static fender_contact_input input_at(const path *p, double t, const double *states, bool located, double turn)
{
    double x = wave(p, p->slip[0], 0, t), y = wave(p, p->slip[1], 1, t), c = cos(turn), s = sin(turn);
    return (fender_contact_input){.time = t,
                                  .slip = {c * x - s * y, s * x + c * y},
                                  .normal_force = larger(0, p->mean_load + wave(p, p->load, 2, t)),
                                  .states = states,
                                  .located = located};
}

typedef struct drive {
    lone_law law;
    const path *path;
    double turn;
    union {
        double align;
        char bytes[128];
    } memory;
    double states[3], work, lost;
} drive;

static drive begin(const lone_law *law, const path *p, double turn)
{
    drive d;
    memset(&d, 0, sizeof d);
    d.law = *law;
    d.path = p;
    d.turn = turn;
    return d;
}

/* What the law says at a time: its power is what the slip does to it less what its spring takes. */
static fender_contact_output look(const drive *d, double t, const double *states, double *rates)
{
    const fender_law *law = d->law.law;
    fender_contact_input in = input_at(d->path, t, states, false, d->turn);
    fender_contact_output out;
    memset(&out, 0, sizeof out);
    law->force(d->law.parameters.bytes, &in, d->memory.bytes, &out);
    law->state_rates(d->law.parameters.bytes, &in, d->memory.bytes, rates);
    double kt = ((const double *)d->law.parameters.bytes)[2];
    double power = out.force.x * in.slip.x + out.force.y * in.slip.y;
    double taken = kt * (states[0] * rates[0] + states[1] * rates[1]), size = fabs(power) + fabs(taken) + 1e-3; /* W */
    check_near(out.friction_power, -power - taken, 1e-12 * size);
    assert_true(out.friction_power >= -1e-13 * size);
    double mu = ((const double *)d->law.parameters.bytes)[0];
    assert_true(hypot(out.force.x, out.force.y) <= mu * in.normal_force * (1 + 1e-12));
    assert_true(out.force.z == 0 && out.damping_power == 0);
    return out;
}

static double energy_of(const drive *d, double t)
{
    fender_contact_input in = input_at(d->path, t, d->states, false, d->turn);
    return d->law.law->stored_energy(d->law.parameters.bytes, &in, d->memory.bytes);
}

/* One step of RK4, then the commit, as a world that does not locate events does it. */
static fender_contact_output go(drive *d, double t, double h)
{
    double k[4][3], states[3];
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 3; i++) states[i] = d->states[i] + (s > 0 ? h * part[s] * k[s - 1][i] : 0);
        fender_contact_output out = look(d, t + part[s] * h, states, k[s]);
        fender_contact_input in = input_at(d->path, t + part[s] * h, states, false, d->turn);
        d->work += h * weight[s] * (out.force.x * in.slip.x + out.force.y * in.slip.y);
        d->lost += h * weight[s] * out.friction_power;
    }
    for (int i = 0; i < 3; i++) d->states[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    double held = energy_of(d, t + h), rates[3];
    fender_contact_output out = look(d, t + h, d->states, rates);
    fender_contact_input in = input_at(d->path, t + h, d->states, false, d->turn);
    fender_contact_change change = {.states = d->states};
    d->law.law->update(d->law.parameters.bytes, &in, &out, d->memory.bytes, &change);
    assert_true(!change.end && change.event == 0);
    d->lost += held - energy_of(d, t + h);
    return look(d, t + h, d->states, rates);
}

static lone_law random_law(random_stream *r)
{
    lone_law l = law_named("coulomb_static_kinetic");
    double mu = random_between(r, 0.05, 1);
    law_set(&l, "mu_static", mu * random_between(r, 1, 1.5));
    law_set(&l, "mu_kinetic", mu);
    law_set(&l, "stiffness", random_magnitude(r, 1e3, 1e5));
    if (random_below(r, 2)) law_set(&l, "damping", random_magnitude(r, 1, 100));
    law_set(&l, "stick_speed", random_magnitude(r, 1e-4, 1e-2));
    law_set(&l, "restick", random_below(r, 2));
    return l;
}

/* What has been lost never falls, and what was lost is what the slip has done less what is held: to the error of steps
 * across the kinks. */
static void passive(void **state)
{
    (void)state;
    int modes[3] = {0}, changes = 0;
    double fall = 0, gap = 0;
    for (uint64_t n = 0; n < 80; n++) {
        random_stream r = random_of_case(61, n);
        lone_law l = random_law(&r);
        path p = random_path(&r);
        drive d = begin(&l, &p, 0);
        double h = 4e-5, most = 0, scale = 1e-6, worst = 0, off = 0;
        for (int i = 0, last = 0; i < 10000; i++) {
            fender_contact_output out = go(&d, i * h, h);
            modes[out.mode]++;
            changes += out.mode != last;
            last = out.mode;
            most = larger(most, d.lost);
            scale = larger(scale, fabs(d.work) + d.lost);
            worst = larger(worst, most - d.lost);
            off = larger(off, fabs(d.work + d.lost + energy_of(&d, (i + 1) * h)));
        }
        fall = larger(fall, worst / scale);
        gap = larger(gap, off / scale);
        assert_true(d.work <= 1e-4 * scale); /* from an unstretched spring the contact only takes */
    }
    print_message("modes %d static, %d kinetic, %d changes; losses fell by %.1e, balance off by %.1e of the scale\n",
                  modes[1], modes[2], changes, fall, gap);
    assert_true(modes[1] > 100000 && modes[2] > 100000 && changes > 150);
    check_below(fall, 1e-5);
    check_below(gap, 1e-4);
}

/* Turned paths give turned forces: no tangent is better than another. */
static void isotropic(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 40; n++) {
        random_stream r = random_of_case(62, n);
        lone_law l = random_law(&r);
        path p = random_path(&r);
        double turn = random_between(&r, 0, 6.3), h = 1e-4;
        drive one = begin(&l, &p, 0), other = begin(&l, &p, turn);
        for (int i = 0; i < 3000; i++) {
            fender_contact_output a = go(&one, i * h, h), b = go(&other, i * h, h);
            double size = 1e-9 * (1 + hypot(a.force.x, a.force.y));
            check_near(cos(turn) * a.force.x - sin(turn) * a.force.y, b.force.x, size);
            check_near(sin(turn) * a.force.x + cos(turn) * a.force.y, b.force.y, size);
            assert_int_equal(a.mode, b.mode);
        }
    }
}

/* A contact that touches without load, as a foot over its print in the soil, has no force that could bend where the
 * slip comes to rest or turns: no such time is located. With load, those of the same path are. */
static void without_load(bool history)
{
    int located[2] = {0, 0};
    for (uint64_t n = 0; n < 40; n++) {
        random_stream r = random_of_case(63, n);
        lone_law l = random_law(&r);
        if (history) {
            const lone_law drawn = l;
            const double *numbers = (const double *)
                                        drawn.parameters.bytes; /* mu_static, mu_kinetic, stiffness, damping */
            l = law_named("cundall_strack");
            law_set(&l, "mu", numbers[0]);
            law_set(&l, "stiffness", numbers[2]);
            law_set(&l, "damping", numbers[3]);
        }
        const path p = random_path(&r);
        for (int loaded = 0; loaded < 2; loaded++) {
            drive d = begin(&l, &p, 0);
            for (int i = 0; i < 1000; i++) {
                double roots[2][FENDER_LAW_ROOT_CAPACITY] = {{0}};
                for (int end = 0; end < 2; end++) {
                    fender_contact_input in = input_at(&p, (i + end) * 1e-3, d.states, true, 0);
                    in.normal_force = loaded ? 10 : 0;
                    fender_contact_change change = {.states = d.states};
                    fender_contact_output out = {0};
                    double rates[3];
                    if (end == 0) l.law->update(l.parameters.bytes, &in, &out, d.memory.bytes, &change);
                    l.law->roots(l.parameters.bytes, &in, d.memory.bytes, roots[end]);
                    l.law->state_rates(l.parameters.bytes, &in, d.memory.bytes, rates);
                    for (int k = 0; k < 3; k++) d.states[k] += 0.5e-3 * rates[k];
                }
                for (int k = 0; k < l.law->root_count; k++) located[loaded] += roots[0][k] > 0 && !(roots[1][k] > 0);
            }
        }
    }
    print_message("%d events with load, %d without\n", located[1], located[0]);
    assert_int_equal(located[0], 0);
    assert_true(located[1] > 100);
}

static void without_load_nothing_is_located(void **state)
{
    (void)state;
    without_load(false);
    without_load(true); /* the spring with a history */
}

static void refused(void **state)
{
    (void)state;
    lone_law l = law_named("coulomb_static_kinetic");
    law_set(&l, "mu_static", 0.3);
    law_set(&l, "mu_kinetic", 0.31);
    law_set(&l, "stiffness", 1e5);
    fender_error error = {0};
    assert_int_equal(l.law->check(l.parameters.bytes, &error), FENDER_STATUS_VALUE);
    assert_string_equal(error.path, "mu_kinetic");
    law_set(&l, "mu_kinetic", 0.3);
    assert_int_equal(l.law->check(l.parameters.bytes, NULL), FENDER_STATUS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(passive), cmocka_unit_test(isotropic),
                                       cmocka_unit_test(without_load_nothing_is_located), cmocka_unit_test(refused)};
    return cmocka_run_group_tests_name("coulomb_static_kinetic", tests, NULL, NULL);
}
