/* M040: the hazard field inclined by 45 degrees, a lander thrown onto it tumbles down: energy never grows, no part of
 * it is lost below the ground, and every repeat has the same bits. */
/* items: M040 */
#include <fender/hazard_field.h>
#include <fender/io.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"

/* The field stays level and gravity leans instead: the same, but that heights above the ground are easy to see. */
static const char text[] =
    "fender: 1\n"
    "world: {gravity: [1.1455130, 0, -1.1455130, m/s^2]}\n" /* 1.62 m/s^2 */
    "integrator: {method: rk4, step: 2 ms, locate_events: true}\n"
    "run: {until: 100 s}\n"
    "materials: {pad: {}, soil: {}}\n"
    "contact_types:\n"
    "  foot:\n"
    "    normal: {law: spring_damper, stiffness: {sink: 0.4 mm, weight: 629 N}, damping: {ratio: 0.2, mass: 388 kg}}\n"
    "    friction: {law: coulomb, mu: 0.7, slip_speed: 1 cm/s}\n"
    "rules: [{materials: [pad, soil], use: foot}]\n"
    "bodies:\n"
    "  ground: {motion: fixed, shapes: {field: {grid: {hazard_field: {seed: 1}}, material: soil}}}\n"
    "  lander:\n"
    "    mass_properties: {mass: 1553 kg, inertia: [1400, 1400, 900, kg*m^2]}\n"
    "    state: {position: [-42, 3, 6, m], velocity: [3, 0.5, 0, m/s], angular_velocity: [0.1, 1.5, 0.05, rad/s]}\n"
    "    shapes:\n"
    "      pad: {sphere: {radius: 20 cm}, position: [1.8, 1.8, -1.1, m], material: pad,\n"
    "            pattern: {count: 4, about: [0, 0, 1]}}\n"
    "      hull: {sphere: {radius: 1 m}, material: pad}\n"
    "      top: {sphere: {radius: 30 cm}, position: [0, 0, 1.4, m], material: pad}\n";

typedef struct way {
    uint64_t hash;
    double lost, rise, deepest, travelled, turned, end_time; /* J, J, part of a radius, m, rad, s */
    int64_t steps;
    int touches;
} way;

/* Deepest centre of a sphere below the surface, as part of its radius (1: wholly below by its centre and more). */
static double depth_of(const fender_world *world, fender_body_id ground, fender_body_id lander,
                       const fender_body_data *body)
{
    double deepest = 0;
    fender_shape_def field = fender_shape_def_default(), shape;
    fender_pose level = fender_pose_identity();
    for (int i = 0; i < fender_shape_count(world); i++) {
        fender_shape_id id = fender_shape_at(world, i);
        assert_int_equal(fender_shape_get_def(world, id, &shape), FENDER_STATUS_OK);
        if (fender_shape_body(world, id).index1 == ground.index1) field = shape;
    }
    for (int i = 0; i < fender_shape_count(world); i++) {
        fender_shape_id id = fender_shape_at(world, i);
        if (fender_shape_body(world, id).index1 != lander.index1) continue;
        assert_int_equal(fender_shape_get_def(world, id, &shape), FENDER_STATUS_OK);
        fender_vec3 center = fender_vec3_add(body->position, fender_quaternion_rotate(body->attitude, shape.X_SG.p));
        fender_box box = fender_geometry_bounds(shape.geometry, &level);
        double radius = 0.5 * (box.upper.x - box.lower.x);
        fender_nearest nearest;
        assert_int_equal(fender_geometry_nearest_point(field.geometry, &level, center, 2 * radius, &nearest),
                         FENDER_STATUS_OK);
        if (nearest.found) deepest = larger(deepest, 1 - nearest.distance / radius);
    }
    return deepest;
}

static way tumble(bool look)
{
    fender_error error = {0};
    fender_scenario *scenario = fender_scenario_parse(NULL, NULL, "tumble", text, sizeof text - 1, NULL, 0, &error);
    if (!scenario) fail_msg("line %d: %s", error.line, error.message);
    fender_world *world = fender_scenario_build(scenario, NULL, &error);
    if (!world) fail_msg("%s", error.message);
    fender_body_id ground = fender_body_at(world, 0), lander = fender_body_at(world, 1);
    fender_body_data body, first;
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    double start = ledger.kinetic + ledger.gravitational + ledger.stored, before = start;
    way w = {0};
    assert_int_equal(fender_body_get(world, lander, FENDER_CLOCK_COMMITTED, &first), FENDER_STATUS_OK);
    for (;;) {
        if (fender_world_step(world, &error) != FENDER_STATUS_OK)
            fail_msg("t = %g s: %s", fender_world_time(world), error.message);
        assert_int_equal(fender_body_get(world, lander, FENDER_CLOCK_COMMITTED, &body), FENDER_STATUS_OK);
        double part = fender_world_time(world) - w.end_time;
        w.turned += fender_vec3_length(body.angular_velocity) * part;
        w.end_time = fender_world_time(world);
        if (body.position.x > 44 || w.end_time > 30) break;
        if (!look) continue;
        fender_world_ledger(world, &ledger);
        double energy = ledger.kinetic + ledger.gravitational + ledger.stored;
        w.rise = larger(w.rise, energy - before);
        before = energy;
        w.deepest = larger(w.deepest, depth_of(world, ground, lander, &body));
    }
    fender_world_ledger(world, &ledger);
    w.lost = start - (ledger.kinetic + ledger.gravitational + ledger.stored);
    w.travelled = body.position.x - first.position.x;
    w.steps = fender_world_step_count(world);
    w.hash = fender_world_hash(world);
    fender_world_destroy(world);
    fender_scenario_destroy(scenario);
    return w;
}

static void tumbles(void **state)
{
    (void)state;
    clock_t began = clock();
    way first = tumble(true);
    printf("%.1f m down and %.1f turns in %.1f s, %lld steps; %.0f J lost; energy rose by at most %.1e J in a step; "
           "deepest "
           "%.2f radii; %.1f s of processor time\n",
           first.travelled, first.turned / 6.2832, first.end_time, (long long)first.steps, first.lost, first.rise,
           first.deepest, (double)(clock() - began) / CLOCKS_PER_SEC);
    assert_true(first.travelled > 80 && first.turned > 6.2832); /* all the way, and it did tumble */
    assert_true(first.lost > 10000);
    /* RK4 with located events: 1e-6 of the energy at work, 160 kJ */
    check_below(first.rise, 0.16);
    check_below(first.deepest, 1); /* no ball's centre came below the surface */
    way again = tumble(false);
    printf("hash %016llx, again %016llx\n", (unsigned long long)first.hash, (unsigned long long)again.hash);
    assert_true(first.hash == again.hash && first.steps == again.steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tumbles)};
    return cmocka_run_group_tests_name("lander on the inclined hazard field", tests, NULL, NULL);
}
