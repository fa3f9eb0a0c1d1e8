/* The lander of the sample on legs without dampers, on ground without friction: what has come down is where the forms
 * of its links say, with no word of the ledger. Then as it is: what all legs crush, and the books. */
/* items: M002 */
#include "check.h"
#include <fender/fender.h>
#include <fender/io.h>
#include <string.h>

enum { LEGS = 4, OVERRIDES = 32 };
static const double LEG = 600e3, SIDE = 600e3, CRUSH = 9e3, LEG_LENGTH = 1.8868, SIDE_LENGTH = 1.60312, MOON = 1.62;

static fender_world *lander(const fender_override *overrides, int count)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_scenario *scenario = fender_scenario_load(
        &env, NULL, FENDER_SOURCE_DIR "/samples/scenarios/lander_legs.yaml", overrides, count, &error);
    if (!scenario) fail_msg("%s, found %s", error.message, error.found);
    fender_world *world = fender_scenario_build(scenario, &env, &error);
    if (!world) fail_msg("%s, found %s", error.message, error.found);
    fender_scenario_destroy(scenario);
    return world;
}

static fender_link_data link_of(const fender_world *world, const char *kind, int number)
{
    char name[32];
    fender_link_id id;
    fender_link_data data;
    snprintf(name, sizeof name, "%s_%d", kind, number);
    assert_int_equal(fender_link_find(world, name, &id), FENDER_STATUS_OK);
    assert_int_equal(fender_link_get(world, id, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data;
}

/* Kinetic and potential, by the masses and moments of the file. */
static double of_bodies(const fender_world *world)
{
    double energy = 0;
    for (int i = 0; i < fender_body_count(world); i++) {
        fender_body_id id = fender_body_at(world, i);
        const char *name = fender_body_name(world, id);
        bool is_pad = strncmp(name, "pad", 3) == 0;
        if (!is_pad && strcmp(name, "lander") != 0) continue;
        fender_body_data b;
        assert_int_equal(fender_body_get(world, id, FENDER_CLOCK_COMMITTED, &b), FENDER_STATUS_OK);
        double mass = is_pad ? 20 : 1120;
        fender_vec3 moments = is_pad ? fender_vec3_make(0.3, 0.3, 0.5) : fender_vec3_make(620, 620, 800);
        fender_vec3 w = b.angular_velocity, v = b.velocity;
        energy += 0.5 * mass * fender_vec3_dot(v, v) + mass * MOON * b.position.z;
        energy += 0.5 * (moments.x * w.x * w.x + moments.y * w.y * w.y + moments.z * w.z * w.z);
    }
    return energy;
}

static double square(double x) { return x * x; }

static void adds_up(void **state)
{
    (void)state;
    static char names[2 + 4 * LEGS + 2][64];
    fender_override overrides[OVERRIDES];
    int count = 0;
    overrides[count++] = (fender_override){"integrator.method", "dop853"};
    overrides[count++] = (fender_override){"integrator.relative_tolerance", "1e-12"};
    overrides[count++] = (fender_override){"contact_types.pad_on_soil.normal.damping", "0"};
    overrides[count++] = (fender_override){"contact_types.pad_on_soil.friction.mu", "0"};
    for (int i = 0; i < 4 * LEGS; i++) {
        static const char *const forms[] = {"links.leg_%d.compression_damping", "links.leg_%d.extension_damping",
                                            "links.left_%d.damping", "links.right_%d.damping"};
        snprintf(names[i], sizeof names[i], forms[i % 4], 1 + i / 4);
        overrides[count++] = (fender_override){names[i], "0"};
    }
    fender_world *world = lander(overrides, count);
    const double start = of_bodies(world);
    double worst = 0, crushed = 0;
    for (int k = 1; k <= 40; k++) {
        check_ok(fender_world_advance_to(world, 0.02 * k, &error));
        double held = 0, lost = 0, ground = 0;
        for (int i = 1; i <= LEGS; i++) {
            fender_link_data leg = link_of(world, "leg", i);
            double x = LEG_LENGTH - leg.length, y = x - leg.crushed;
            held += 0.5 * LEG * (y > 0 ? y * y : 0) + 0.5 * LEG * (x < 0 ? x * x : 0); /* core, stop */
            lost += CRUSH * leg.crushed;
            held += 0.5 * SIDE * square(link_of(world, "left", i).length - SIDE_LENGTH);
            held += 0.5 * SIDE * square(link_of(world, "right", i).length - SIDE_LENGTH);
        }
        int contacts = fender_contact_count(world, FENDER_CLOCK_COMMITTED);
        for (int i = 0; i < contacts; i++) {
            fender_contact_data c;
            assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, &c), FENDER_STATUS_OK);
            ground += c.stored_energy; /* patches have closed forms of their own: docs/models/contact_patches.md */
        }
        worst = larger(worst, fabs(of_bodies(world) + held + lost + ground - start));
        crushed = lost;
    }
    printf("undamped: %.3f J crushed of %.3f J, energies add up to %.1e J\n", crushed, start, worst);
    assert_true(crushed > 2000);
    check_below(worst, 1e-8 * start); /* events are known to 1e-9 m of crushed stroke, at 36 kN of all legs */
    fender_world_destroy(world);
}

/* As the sample is: legs on both sides of its way are crushed alike, and the rest of the energy is booked. */
static void mirror(void **state)
{
    (void)state;
    fender_world *world = lander(NULL, 0);
    check_ok(fender_world_advance_to(world, 1.0, &error));
    double lost = 0;
    for (int i = 1; i <= LEGS; i++) {
        fender_link_data leg = link_of(world, "leg", i);
        check_near(leg.crush_loss, CRUSH * leg.crushed, 1e-9);
        assert_true(leg.damping_loss > leg.crush_loss);
        lost += leg.damping_loss;
    }
    check_near(link_of(world, "leg", 2).crushed, link_of(world, "leg", 4).crushed, 1e-12);
    assert_true(link_of(world, "leg", 1).crushed > link_of(world, "leg", 3).crushed);
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    assert_true(ledger.damping > lost);
    check_below(fabs(ledger.residual), 1e-4 * ledger.scale);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(adds_up), cmocka_unit_test(mirror)};
    return cmocka_run_group_tests_name("a lander on crushing legs", tests, NULL, NULL);
}
