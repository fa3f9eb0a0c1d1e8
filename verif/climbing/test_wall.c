/* A robot on a wall: what each foot bears before, while and after one of them is pulled off, against statics. */
/* items: P002 */
#include "robot.h"

/* Stiff feet: displacements of some micrometres, so that statics of small displacements hold to 1e-4 of a force. Damped
 * critically, and pulled at 2 N/s over 2.5 s, so that what moves is statics, too: all feet have the same ratio of
 * damping to stiffness, which shares damping as it shares springs. */
static const robot_set_up stiff = {.stiffness = 1e6,
                                   .damping = 400,
                                   .limit = 5,
                                   .rate = 2,
                                   .start = 0.1,
                                   .press = 1e-7,
                                   .step = 1e-4,
                                   .locate = true,
                                   .method = FENDER_INTEGRATOR_RK4};
static const bool all_feet[FEET] = {true, true, true, true, true, true},
                  five[FEET] = {false, true, true, true, true, true};

static double worst_off(const robot *r, const robot_set_up *s, double pull, const bool held[FEET], bool shown)
{
    fender_vec3 found[FEET], wanted[FEET];
    double worst = 0;
    robot_forces(r, found);
    statics(s->stiffness, s->press, pull, held, wanted);
    for (int i = 0; i < FEET; i++) {
        worst = larger(worst, fender_vec3_length(fender_vec3_sub(found[i], wanted[i])));
        if (shown)
            printf("  foot %d: (%8.5f %8.5f %8.5f) N, statics (%8.5f %8.5f %8.5f) N\n", i, found[i].x, found[i].y,
                   found[i].z, wanted[i].x, wanted[i].y, wanted[i].z);
    }
    return worst;
}

/* Load of the pull at which statics say that the first foot bears -limit. */
static double breaking_load(const robot_set_up *s)
{
    fender_vec3 none[FEET], one[FEET];
    statics(s->stiffness, s->press, 0, all_feet, none);
    statics(s->stiffness, s->press, 1, all_feet, one);
    return (-s->limit - none[PULLED].x) / (one[PULLED].x - none[PULLED].x);
}

typedef struct broken {
    double time,
        force; /* of the break; of the wall on the foot there, by the straight line through the two steps before */
} broken;

/* Steps until the pulled foot breaks; no other may. */
static broken run_to_break(robot *r)
{
    double times[2] = {0, 0}, forces[2] = {0, 0};
    for (;;) {
        fender_contact_data data;
        assert_int_equal(fender_contact_between(r->world, r->wall, r->pads[PULLED], &data), FENDER_STATUS_OK);
        times[0] = times[1], forces[0] = forces[1];
        times[1] = fender_world_time(r->world), forces[1] = data.normal_force;
        check_ok(fender_world_step(r->world, &error));
        int count;
        const fender_event *events = fender_world_events(r->world, &count);
        for (int i = 0; i < count; i++) {
            if (events[i].kind != FENDER_EVENT_LAW) continue;
            assert_true(events[i].contact.a.index1 == r->pads[PULLED].index1 ||
                        events[i].contact.b.index1 == r->pads[PULLED].index1);
            double slope = (forces[1] - forces[0]) / (times[1] - times[0]);
            return (broken){events[i].time, forces[1] + slope * (events[i].time - times[1])};
        }
        assert_true(fender_world_time(r->world) < 20);
    }
}

static void check_books(const robot *r, double part)
{
    fender_ledger ledger;
    fender_world_ledger(r->world, &ledger);
    printf("  residual %.1e of %.1e J, drift %.1e N s, %.1e N m s\n", ledger.residual, ledger.scale,
           ledger.linear_drift, ledger.angular_drift);
    check_below(fabs(ledger.residual), part * ledger.scale);
    check_below(ledger.linear_drift, 1e-11); /* rounding of 1e5 steps at impulses of 100 N s */
    check_below(ledger.angular_drift, 1e-11);
}

/* Five feet carry what six did; the pull is let go as the foot breaks. */
static void stiff_feet(void **state)
{
    (void)state;
    const robot_set_up *s = &stiff;
    robot r = robot_build(s);
    const double load = breaking_load(s);
    check_ok(fender_world_advance_to(r.world, s->start, &error));
    printf("before the pull\n");
    check_below(worst_off(&r, s, 0, all_feet, true), 2e-5);
    for (int k = 1; k < 5; k++) {
        check_ok(fender_world_advance_to(r.world, s->start + k * 0.2 * load / s->rate, &error));
        double pull = s->rate * (fender_world_time(r.world) - s->start);
        check_below(worst_off(&r, s, pull, all_feet, k == 4), 2e-4); /* arms grow by micrometres */
    }
    broken broke = run_to_break(&r);
    double pull = s->rate * (broke.time - s->start);
    printf("broke at %.9f N under a pull of %.6f N; statics %.6f N\n", broke.force, pull, load);
    check_near(broke.force, -s->limit, 1e-8);
    check_near(pull, load, 5e-4);
    assert_int_equal(fender_load_set_active(r.world, r.pull, false), FENDER_STATUS_OK);
    check_ok(fender_world_advance_to(r.world, broke.time + 0.2, &error));
    printf("after it\n");
    check_below(worst_off(&r, s, 0, five, true), 2e-5);
    check_books(&r, 1e-4); /* of 50 microjoules, through 1e4 steps of w h = 0.3: see below for softer feet */
    fender_world_destroy(r.world);
}

/* The feet of the sample, which give way by millimetres: the same limit, and books that close. Arms of weight and pull
 * grow by what the feet give, 5 mm of 40 mm at the most, and the shares with them: statics of small displacements
 * are only near. */
static void soft_feet(void **state)
{
    (void)state;
    static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_DOPRI5,
                                                       FENDER_INTEGRATOR_DOP853};
    double times[3];
    for (int i = 0; i < 3; i++) {
        robot_set_up s = {.stiffness = 1000,
                          .damping = 10,
                          .limit = 5,
                          .rate = 2,
                          .start = 2,
                          .press = 1e-4,
                          .step = 5e-4,
                          .locate = true,
                          .method = methods[i]};
        robot r = robot_build(&s);
        check_ok(fender_world_advance_to(r.world, s.start, &error));
        check_below(worst_off(&r, &s, 0, all_feet, i == 0), 5e-3);
        broken broke = run_to_break(&r);
        times[i] = broke.time;
        check_near(broke.force, -s.limit, i == 0 ? 1e-8 : 1e-7); /* straight lines over longer steps */
        check_near(broke.time, times[0], 1e-7);
        check_near(broke.time, s.start + breaking_load(&s) / s.rate, 0.02);
        printf("%s: broke at %.9f N, %.9f s; statics of small displacements %.3f s\n",
               fender_integrator_name(methods[i]), broke.force, broke.time, s.start + breaking_load(&s) / s.rate);
        assert_int_equal(fender_load_set_active(r.world, r.pull, false), FENDER_STATUS_OK);
        check_ok(fender_world_advance_to(r.world, 8, &error));
        check_below(worst_off(&r, &s, 0, five, i == 0), 0.03);
        check_books(&r, i == 0 ? 1e-7 : 1e-9); /* steps of w h = 0.1; tolerance 1e-11 */
        fender_world_destroy(r.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiff_feet),
        cmocka_unit_test(soft_feet),
    };
    return cmocka_run_group_tests_name("a robot on a wall", tests, NULL, NULL);
}
