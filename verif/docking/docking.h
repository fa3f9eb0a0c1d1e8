/* Dockings from random initial contact conditions: meet, slide, capture, one tree, release; the momenta after each
 * step.
 *
 * Vehicles, ports and guides are those of samples/scenarios/capture.yaml: 25 t to 350 t, rings of twelve capsules and
 * three petals on each side. Conditions: IDSS IDD Rev E, table 3.3.1.1-2: closing 0.05 to 0.10 m/s, lateral rate to
 * 0.04 m/s, pitch and yaw rate (vector sum) and roll rate to 0.20 deg/s, lateral misalignment to 0.10 m, pitch and yaw
 * (vector sum) and roll misalignment to 4 deg. */
#ifndef VERIF_DOCKING_H
#define VERIF_DOCKING_H

#include "check.h"
#include "random_numbers.h"
#include <fender/io.h>
#include <string.h>

static const double degree = 3.14159265358979323846 / 180;

typedef struct docking_row {
    fender_integrator_method method;
    const char *integrator; /* the section of the scenario */
    double energy;          /* largest residual, as a part of the ledger's scale */
} docking_row;

/* Of the roots: momentum, angular momentum about their common centre, and what the two are to be compared with: the sum
 * of |m v|, and of |r x m v| + |I w|. */
typedef struct totals {
    fender_vec3 linear, angular;
    double linear_scale, angular_scale;
} totals;

static totals totals_of(const fender_world *world)
{
    totals sum;
    memset(&sum, 0, sizeof sum);
    fender_body_data data[8];
    int count = 0;
    double mass = 0;
    fender_vec3 center = {0, 0, 0};
    for (int i = 0; i < fender_body_count(world); i++) {
        fender_body_id body = fender_body_at(world, i);
        if (fender_body_parent(world, body).index1) continue;
        assert_true(count < 8);
        fender_body_data *d = &data[count++];
        assert_int_equal(fender_body_get(world, body, FENDER_CLOCK_COMMITTED, d), FENDER_STATUS_OK);
        mass += d->mass;
        center = fender_vec3_add_scaled(center, d->mass, d->center_position);
    }
    center = fender_vec3_scale(1 / mass, center);
    for (int i = 0; i < count; i++) {
        fender_vec3 r = fender_vec3_sub(data[i].center_position, center);
        fender_vec3 p = fender_vec3_scale(data[i].mass, data[i].center_velocity), orbital = fender_vec3_cross(r, p);
        sum.linear = fender_vec3_add(sum.linear, p);
        sum.angular = fender_vec3_add(sum.angular, fender_vec3_add(orbital, data[i].angular_momentum));
        sum.linear_scale += fender_vec3_length(p);
        sum.angular_scale += fender_vec3_length(orbital) + fender_vec3_length(data[i].angular_momentum);
    }
    return sum;
}

static fender_vec3 in_disk(random_stream *r, double radius)
{
    double size = radius * sqrt(random_between(r, 0, 1)), angle = random_between(r, -180, 180) * degree;
    return fender_vec3_make(0, size * cos(angle), size * sin(angle));
}

/* The state of the chaser's port in the axes of the station's, as text of a scenario. x points out of the port: roll is
 * about x. */
static void random_state(random_stream *r, char *text, size_t size)
{
    fender_vec3 place = in_disk(r, 0.10), lateral = in_disk(r, 0.04), rate = in_disk(r, 0.20), tilt = in_disk(r, 4.0);
    double closing = random_between(r, 0.05, 0.10), roll_rate = random_between(r, -0.2, 0.2);
    double roll = random_between(r, -4, 4), angle = sqrt(roll * roll + fender_vec3_dot(tilt, tilt));
    snprintf(text, size,
             "{of: port, relative_to: station.port, docked: true, position: [0.26, %.17g, %.17g], velocity: [%.17g, "
             "%.17g, %.17g], orientation: {axis: [%.17g, %.17g, %.17g], angle: %.17g deg}, angular_velocity: [%.17g, "
             "%.17g, %.17g, deg/s]}",
             place.y, place.z, -closing, lateral.y, lateral.z, roll / angle, tilt.y / angle, tilt.z / angle, angle,
             roll_rate, rate.y, rate.z);
}

/* `world`, `station`: the section of the world and the station's state, as text. */
static fender_world *docking_world_of(random_stream *r, const char *integrator, const char *world_text,
                                      const char *station)
{
    char state[1000];
    random_state(r, state, sizeof state);
    fender_override overrides[] = {{"bodies.chaser.state", state},
                                   {"integrator", integrator},
                                   {"world", world_text},
                                   {"bodies.station.state", station}};
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_scenario *scenario = fender_scenario_load(&env, NULL, FENDER_SOURCE_DIR "/samples/scenarios/capture.yaml",
                                                     overrides, 4, &error);
    if (!scenario) fail_msg("%s: %s, found %s", error.path, error.message, error.found);
    fender_world *world = fender_scenario_build(scenario, &env, &error);
    if (!world) fail_msg("%s: %s, found %s", error.path, error.message, error.found);
    fender_scenario_destroy(scenario);
    return world;
}

static inline fender_world *docking_world(random_stream *r, const char *integrator)
{
    return docking_world_of(r, integrator, "{gravity: none}", "{}");
}

typedef struct docking {
    fender_world *world;
    fender_body_id station, chaser;
    fender_point_id station_port, chaser_port;
    totals start;
    double linear_drift, angular_drift, residual; /* largest so far, as parts of their scales */
    double capture_time, distance;
    double peak_force, friction;
    int touches;
} docking;

static void watch(docking *d)
{
    totals now = totals_of(d->world);
    double linear = fender_vec3_length(fender_vec3_sub(now.linear, d->start.linear)) / d->start.linear_scale;
    double angular = fender_vec3_length(fender_vec3_sub(now.angular, d->start.angular)) / d->start.angular_scale;
    fender_ledger ledger;
    fender_world_ledger(d->world, &ledger);
    d->linear_drift = larger(d->linear_drift, linear);
    d->angular_drift = larger(d->angular_drift, angular);
    d->residual = larger(d->residual, fabs(ledger.residual) / ledger.scale);
    d->friction = ledger.friction;
}

static void step(docking *d)
{
    check_ok(fender_world_step(d->world, &error));
    int count;
    const fender_event *events = fender_world_events(d->world, &count);
    for (int i = 0; i < count; i++) d->touches += events[i].kind == FENDER_EVENT_BEGIN;
    for (int i = 0; i < fender_contact_count(d->world, FENDER_CLOCK_COMMITTED); i++) {
        fender_contact_data contact;
        assert_int_equal(fender_contact_at(d->world, FENDER_CLOCK_COMMITTED, i, &contact), FENDER_STATUS_OK);
        d->peak_force = larger(d->peak_force, contact.normal_force);
    }
    watch(d);
}

/* How the chaser's port lies before the station's: distance of the ports, and how fast that grows. */
static double port_distance(const docking *d, double *rate)
{
    fender_body_state a, b;
    fender_body_frame station = {FENDER_BODY_FRAME_POINT, d->station, d->station_port};
    fender_body_frame chaser = {FENDER_BODY_FRAME_POINT, d->chaser, d->chaser_port};
    check_ok(fender_body_frame_state(d->world, station, &a, &error));
    check_ok(fender_body_frame_state(d->world, chaser, &b, &error));
    fender_vec3 gap = fender_vec3_sub(b.position, a.position), speed = fender_vec3_sub(b.velocity, a.velocity);
    double distance = fender_vec3_length(gap);
    *rate = fender_vec3_dot(gap, speed) / distance;
    return distance;
}

static double distance_of_bodies(const docking *d)
{
    fender_body_data a, b;
    assert_int_equal(fender_body_get(d->world, d->station, FENDER_CLOCK_COMMITTED, &a), FENDER_STATUS_OK);
    assert_int_equal(fender_body_get(d->world, d->chaser, FENDER_CLOCK_COMMITTED, &b), FENDER_STATUS_OK);
    return fender_vec3_length(fender_vec3_sub(b.position, a.position));
}

/* The latch closes when the vehicles, having touched, come no nearer. Every other docking is captured as it is; else
 * the ports are drawn together to where they fit. */
static void capture(docking *d, bool aligned)
{
    fender_attach_def def = fender_attach_def_default();
    def.child = d->chaser, def.parent = d->station;
    /* the ports 0.1 m apart and turned as they fit: the rings clear, the petals between each other */
    def.X_PC = (fender_pose){fender_vec3_make(-12.1, 0, 0), fender_quaternion_identity()};
    def.pose = aligned ? FENDER_ATTACH_ALIGNED : FENDER_ATTACH_AS_IS;
    fender_attach_report report;
    check_ok(fender_body_attach(d->world, &def, &report, &error));
    d->capture_time = fender_world_time(d->world);
    watch(d);
    assert_int_equal(fender_body_root(d->world, d->chaser).index1, d->station.index1);
    fender_body_data stack;
    assert_int_equal(fender_body_get(d->world, d->station, FENDER_CLOCK_COMMITTED, &stack), FENDER_STATUS_OK);
    check_near(stack.mass, 375e3, 0);
    if (aligned) {
        double rate;
        check_near(port_distance(d, &rate), 0.1, 1e-12);
    }
    /* a plastic joint: it takes energy, whatever the snap; the ledger has it as such */
    assert_true(report.kinetic_energy_lost > 0);
}

static inline docking dock(uint64_t number, const docking_row *row)
{
    random_stream r = random_of_case(3311, number);
    docking d;
    memset(&d, 0, sizeof d);
    d.world = docking_world(&r, row->integrator);
    check_ok(fender_body_find(d.world, "station", &d.station));
    check_ok(fender_body_find(d.world, "chaser", &d.chaser));
    check_ok(fender_point_find(d.world, d.station, "port", &d.station_port));
    check_ok(fender_point_find(d.world, d.chaser, "port", &d.chaser_port));
    d.start = totals_of(d.world);
    double rate = -1;
    while (!(d.friction > 0) || rate < 0) { /* until they have slid on each other and come no nearer */
        step(&d);
        d.distance = port_distance(&d, &rate);
        if (fender_world_time(d.world) > 30) fail_msg("docking %d: nothing to capture", (int)number);
    }
    capture(&d, number % 2 == 1);

    double distance = distance_of_bodies(&d);
    int touches = d.touches;
    for (double until = fender_world_time(d.world) + 1; fender_world_time(d.world) < until;) step(&d);
    check_near(distance_of_bodies(&d), distance, 1e-12);
    assert_int_equal(fender_contact_count(d.world, FENDER_CLOCK_COMMITTED), 0); /* one body: nothing touches */
    assert_int_equal(d.touches, touches);

    fender_body_id freed;
    check_ok(fender_body_detach(d.world, d.chaser, (fender_body_id){0}, FENDER_DETACH_CONNECTION, &freed, &error));
    assert_int_equal(freed.index1, d.chaser.index1);
    watch(&d);
    for (double until = fender_world_time(d.world) + 2; fender_world_time(d.world) < until;) step(&d);
    /* two again, and where the guides overlapped they push each other off */
    assert_int_equal(fender_body_root(d.world, d.chaser).index1, d.chaser.index1);
    fender_world_destroy(d.world);
    d.world = NULL;
    return d;
}

/* 1e-12 of the scale: a step rounds each momentum a few times to 1e-16 of it, and some ten thousand steps of rounding
 * with changing sign come to 1e-14; an event that lost momentum would show at once, for its shares are 1e-2. */
static inline void dockings(const docking_row *rows, int row_count, int count)
{
    for (int k = 0; k < row_count; k++) {
        if (!fender_integrator_name(rows[k].method)) continue;
        docking worst;
        memset(&worst, 0, sizeof worst);
        int touches = 0;
        double first = INFINITY;
        for (int n = 0; n < count; n++) {
            docking d = dock((uint64_t)n, &rows[k]);
            worst.linear_drift = larger(worst.linear_drift, d.linear_drift);
            worst.angular_drift = larger(worst.angular_drift, d.angular_drift);
            worst.residual = larger(worst.residual, d.residual);
            worst.peak_force = larger(worst.peak_force, d.peak_force);
            worst.capture_time = larger(worst.capture_time, d.capture_time);
            if (d.capture_time < first) first = d.capture_time;
            touches += d.touches;
        }
        print_message(
            "%-8s %d dockings: captured %.2f to %.2f s, %d touches, up to %.0f N; momentum kept to %.1e, angular to "
            "%.1e, energy residual %.1e\n",
            fender_integrator_name(rows[k].method), count, first, worst.capture_time, touches, worst.peak_force,
            worst.linear_drift, worst.angular_drift, worst.residual);
        check_below(worst.linear_drift, 1e-12);
        check_below(worst.angular_drift, 1e-12);
        check_below(worst.residual, rows[k].energy);
    }
}

#endif
