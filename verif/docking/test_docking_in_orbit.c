/* A docking in low Earth orbit: the same vehicles and conditions in deep space, in a frame in orbit, and in an inertial
 * world from the planet's centre.
 *
 * The frame keeps momentum and angular momentum to 1e-12 of their scale, about the pair and about the planet. Contact
 * forces differ from those in space by what the gradient of gravity does to the approach, and from those of the
 * inertial world by the digits that this has lost. */
#include "docking.h"

#define ELEMENTS "{semi_major_axis: 6778 km, eccentricity: 0.001, inclination: 51.6 deg, true_anomaly: 40 deg}"
#define EARTH    "{mu: 398600.4418 km^3/s^2, radius: 6378 km}"
static const double MU = 3.986004418e14;

enum { STEPS = 1600 };
static const double STEP = 0.005;

typedef struct history {
    double force[STEPS], gap[STEPS]; /* N, of all contacts; m, of the ports */
    double peak;
    double linear, angular, inertial, axial; /* largest drifts, as parts of their scales */
    double residual;
    uint64_t hash;
} history;

static const char integrator[] = "{method: rk4, step: 5 ms, locate_events: true}";

/* Angular momentum about the planet's centre, by what bodies report. */
static fender_vec3 about_planet(const fender_world *world)
{
    fender_vec3 sum = {0, 0, 0};
    for (int i = 0; i < fender_body_count(world); i++) {
        fender_body_id body = fender_body_at(world, i);
        if (fender_body_parent(world, body).index1) continue;
        fender_body_data data;
        fender_body_planet_data planet;
        assert_int_equal(fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
        assert_int_equal(fender_body_get_planet(world, body, &planet), FENDER_STATUS_OK);
        fender_vec3 p = fender_vec3_scale(data.mass, planet.inertial_velocity);
        sum = fender_vec3_add(sum, fender_vec3_cross(planet.inertial_position, p));
        sum = fender_vec3_add(sum, planet.inertial_angular_momentum);
    }
    return sum;
}

static history run(const char *world_text, const char *station, bool framed)
{
    random_stream r = random_of_case(3311, 4);
    history h = {.peak = 0};
    docking d;
    memset(&d, 0, sizeof d);
    d.world = docking_world_of(&r, integrator, world_text, station);
    check_ok(fender_body_find(d.world, "station", &d.station));
    check_ok(fender_body_find(d.world, "chaser", &d.chaser));
    check_ok(fender_point_find(d.world, d.station, "port", &d.station_port));
    check_ok(fender_point_find(d.world, d.chaser, "port", &d.chaser_port));
    const totals start = totals_of(d.world);
    fender_vec3 begun = about_planet(d.world);
    bool slid = false, held = false;
    for (int i = 0; i < STEPS; i++) {
        double rate;
        check_ok(fender_world_step(d.world, &error));
        h.gap[i] = port_distance(&d, &rate);
        for (int c = 0; c < fender_contact_count(d.world, FENDER_CLOCK_COMMITTED); c++) {
            fender_contact_data contact;
            assert_int_equal(fender_contact_at(d.world, FENDER_CLOCK_COMMITTED, c, &contact), FENDER_STATUS_OK);
            h.force[i] += contact.normal_force;
        }
        h.peak = larger(h.peak, h.force[i]);
        fender_ledger ledger;
        fender_world_ledger(d.world, &ledger);
        h.linear = larger(h.linear, ledger.linear_drift / start.linear_scale);
        h.angular = larger(h.angular, ledger.angular_drift / start.angular_scale);
        h.residual = larger(h.residual, fabs(ledger.residual) / ledger.scale);
        slid = slid || ledger.friction > 0;
        if (framed) {
            fender_vec3 change = fender_vec3_sub(about_planet(d.world), begun);
            h.inertial = larger(h.inertial, fender_vec3_length(change) / fender_vec3_length(begun));
            fender_inertial_ledger seen;
            fender_world_inertial_ledger(d.world, &seen);
            h.axial = larger(h.axial, seen.axial_drift / fabs(seen.axial_momentum));
        }
        if (!held && slid && rate > 0) {
            held = true;
            capture(&d, false);
            /* a capture loses energy; its momenta go on */
        }
    }
    assert_true(held);
    h.hash = fender_world_hash(d.world);
    fender_world_destroy(d.world);
    return h;
}

static double largest_difference(const history *a, const history *b)
{
    double most = 0;
    for (int i = 0; i < STEPS; i++) most = larger(most, fabs(a->force[i] - b->force[i]));
    return most / a->peak;
}

static void vehicles_dock_in_orbit(void **state)
{
    (void)state;
    history space = run("{gravity: none}", "{}", false);
    history orbit = run("{frame: {planet: " EARTH ", orbit: " ELEMENTS "}}", "{}", true);
    history again = run("{frame: {planet: " EARTH ", orbit: " ELEMENTS "}}", "{}", true);
    history far = run("{gravity: {point_mass: {mu: 398600.4418 km^3/s^2}}}", "{orbit: " ELEMENTS "}", false);
    print_message("peak %.1f N; drifts in orbit: linear %.1e, angular %.1e, about the planet %.1e, axial %.1e, energy "
                  "%.1e; in the inertial world: linear %.1e, angular %.1e, energy %.1e\n",
                  orbit.peak, orbit.linear, orbit.angular, orbit.inertial, orbit.axial, orbit.residual, far.linear,
                  far.angular, far.residual);
    check_below(orbit.linear, 1e-12);
    check_below(orbit.angular, 1e-12);
    check_below(orbit.inertial, 1e-12);
    check_below(orbit.axial, 1e-12);
    check_below(orbit.residual, 1e-5);
    assert_true(again.hash == orbit.hash);

    /* the gradient changes a distance s of the centres, 13 m, by at most 2 n^2 s t^2 / 2 and the closing rate by twice
     * that over t */
    const double n2 = MU / 6778e3 / 6778e3 / 6778e3;
    double gap = 0, touch = 0;
    for (int i = 0; i < STEPS; i++) {
        double t = (i + 1) * STEP;
        if (orbit.force[i] > 0 && touch == 0) touch = t;
        if (touch == 0) gap = larger(gap, fabs(orbit.gap[i] - space.gap[i]) / (n2 * 13 * t * t));
    }
    const double from_space = largest_difference(&orbit, &space), from_far = largest_difference(&orbit, &far);
    print_message("touch at %.2f s; distance of the ports changed by %.2f n^2 s t^2; forces: space %.1e, inertial %.1e "
                  "of the peak\n",
                  touch, gap, from_space, from_far);
    check_below(gap, 1);
    assert_true(gap > 0.05);
    check_below(from_space, 0.1);
    check_below(from_far, 5e-3 * from_space); /* coordinates of 7e6 m are rounded to 1e-9 m, of depths of 1e-2 m */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(vehicles_dock_in_orbit)};
    return cmocka_run_group_tests_name("docking_in_orbit", tests, NULL, NULL);
}
