/* M037, M038: a push to the north that grows, until the southern and then the northern legs slip. Weight and spacing of
 * the legs were fitted to the two published times, so meeting these shows consistency; the rest is measured against
 * statics that share no code with the library, and against symmetry. */
/* items: M011 M033 M037 M038 */
#include "vehicle.h"
#include "verified.h"

typedef struct course {
    double slip[4]; /* s, first of each leg */
    double lean_before, least_friction, push_at_least, recovered, lean_sliding, turn_end, rate_end, north_end;
} course;

static course run(const vehicle_set_up *s, double until)
{
    vehicle v = vehicle_build(s);
    course c = {.slip = {NAN, NAN, NAN, NAN}, .least_friction = INFINITY};
    bool slipped = false;
    while (fender_world_time(v.world) < until) {
        fender_body_data before = vehicle_data(&v);
        fender_proposal piece; /* to the next event, or the end of the step */
        check_ok(fender_world_propose(v.world, INFINITY, &piece, &error));
        check_ok(fender_world_accept(v.world, &error));
        int count;
        const fender_event *events = fender_world_events(v.world, &count);
        for (int i = 0; i < count; i++)
            for (int k = 0; k < 4; k++)
                if (events[i].kind == FENDER_EVENT_SLIP && events[i].contact.b.index1 == v.legs[k].index1 &&
                    isnan(c.slip[k]))
                    c.slip[k] = events[i].time;
        double time = fender_world_time(v.world);
        if (!slipped && !isnan(c.slip[1])) {
            slipped = true;
            c.lean_before = vehicle_lean(&before);
        }
        if (!slipped) continue;
        fender_vec3 force = vehicle_ground_force(&v);
        if (-force.y < c.least_friction && isnan(c.slip[0])) {
            c.least_friction = -force.y;
            c.push_at_least = time * s->push_rate;
        }
        if (time < c.slip[1] + 2) c.recovered = -force.y / (time * s->push_rate);
    }
    fender_body_data end = vehicle_data(&v);
    c.lean_sliding = vehicle_lean(&end);
    c.turn_end = vehicle_turn(&end);
    c.rate_end = end.angular_velocity.z;
    c.north_end = end.position.y;
    fender_ledger ledger;
    fender_world_ledger(v.world, &ledger);
    /* the steps end where legs slip: what the ledger misses is RK4's error while friction turns to one side */
    check_below(fabs(ledger.residual), 1e-8 * ledger.scale);
    fender_world_destroy(v.world);
    return c;
}

static void published(void **state)
{
    (void)state;
    lander l = vehicle_parameters();
    slips expected = find_slips(&l);
    vehicle_set_up s = vehicle_lander(&l);
    course c = run(&s, 33);
    print_message("slips at %.5f %.5f %.5f %.5f s (legs NE SE SW NW); statics %.5f, %.5f s; published 24.3, 32.0 s\n",
                  c.slip[0], c.slip[1], c.slip[2], c.slip[3], expected.first / s.push_rate,
                  expected.second / s.push_rate);
    print_message("friction falls from %.1f to %.1f N (statics %.1f N) and recovers to %.6f of the push; lean %.5f deg "
                  "(statics %.5f deg)\n",
                  expected.first, c.least_friction, expected.friction_after, c.recovered, c.lean_before * 57.2957795,
                  expected.lean_before * 57.2957795);
    static const char *const legs[] = {"NE", "SE", "SW", "NW"}, name[] = "Morpheus M037, growing push";
    for (int i = 0; i < 4; i++) { /* consistency: fitted */
        char what[32];
        snprintf(what, sizeof what, "slip of leg %s", legs[i]);
        check_verified(name, what, "s", "Morpheus paper", c.slip[i], i == 0 || i == 3 ? 32.0 : 24.3, 0.1);
    }
    /* legs that mirror each other slip together, to rounding of the times */
    check_near(c.slip[1], c.slip[2], 1e-9);
    check_near(c.slip[0], c.slip[3], 1e-6);
    /* the ramp moves the vehicle at 0.8 mm/s, so that inertia and dampers matter little: 1e-3 s */
    check_verified(name, "first slip", "s", "statics", c.slip[1], expected.first / s.push_rate, 1e-3);
    check_verified(name, "second slip", "s", "statics", c.slip[0], expected.second / s.push_rate, 1e-3);
    double lag = s.damping / l.stiffness; /* 9 ms by which springs with dampers follow a ramp */
    check_near(c.lean_before, expected.lean_before * (1 - lag / c.slip[1]), 5e-5 * expected.lean_before);
    assert_true(c.lean_before > 0 && c.lean_before < 0.01745); /* "a fraction of a degree", to the north */
    /* what the southern legs lose is lost at once; the least is that, but for the swing of the normal forces after it
     */
    check_near(c.push_at_least, expected.first, 1e-3 * s.push_rate);
    check_verified(name, "friction after the first slip", "N", "statics", c.least_friction, expected.friction_after,
                   2e-4 * expected.friction_after);
    check_near(c.recovered, 1, 1e-3); /* two seconds later: all of the push again */
    /* sliding: the kinetic friction leans it, mu_k W h over the stiffness of four legs in tilt */
    double height = l.height + l.cushion - 0.01, tilt = l.stiffness * l.spacing * l.spacing;
    double sliding = l.mu_kinetic * l.weight * height / (tilt - l.weight * height);
    print_message("lean while sliding %.5f deg (closed form %.5f deg)\n", c.lean_sliding * 57.2957795,
                  sliding * 57.2957795);
    check_near(c.lean_sliding, sliding, 0.01 * sliding); /* the form is linear in an angle of 2.4e-3, sink changed */
    check_near(c.turn_end, 0, 1e-6);                     /* no side is preferred: what turns it is rounding */
    assert_true(c.north_end > 1);
}

/* A push that passes the centre a little to the east turns the vehicle to the left, seen from above, once all legs
 * slide, and the south-eastern leg slips first; the mirrored push does the mirrored, to rounding grown by instability
 * (friction grips ahead of the centre of mass: like a trailer pushed, it leaves the straight path exponentially). */
static void sense_of_rotation(void **state)
{
    (void)state;
    lander l = vehicle_parameters();
    vehicle_set_up s = vehicle_lander(&l);
    course side[2];
    for (int i = 0; i < 2; i++) {
        s.push_point = fender_vec3_make(i == 0 ? 1e-3 : -1e-3, 0, 0);
        side[i] = run(&s, 32.6);
        print_message("push 1 mm %s: slips %.6f %.6f %.6f %.6f s, turned by %+.6f rad at %+.6f rad/s\n",
                      i == 0 ? "east" : "west", side[i].slip[0], side[i].slip[1], side[i].slip[2], side[i].slip[3],
                      side[i].turn_end, side[i].rate_end);
    }
    assert_true(side[0].slip[1] < side[0].slip[2] && side[1].slip[2] < side[1].slip[1]);
    assert_true(side[0].turn_end > 1e-5 && side[0].rate_end > 0 && side[1].turn_end < -1e-5 && side[1].rate_end < 0);
    check_near(side[1].turn_end, -side[0].turn_end, 1e-3 * side[0].turn_end);
    check_near(side[0].slip[0], side[1].slip[3], 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(published), cmocka_unit_test(sense_of_rotation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
