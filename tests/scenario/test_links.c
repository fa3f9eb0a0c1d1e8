/* Section `links`: what is read, with units and defaults, and the world that comes of it. */
#include "collect.h"

#include <math.h>

static const char bodies[] = "fender: 1\n"
                             "run: {until: 1 s}\n"
                             "bodies:\n"
                             "  a:\n"
                             "    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}\n"
                             "    points: {port: {position: [1, 0, 0]}, hook: {position: [0, 1, 0]}}\n"
                             "  b:\n"
                             "    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}\n"
                             "    points: {port: {position: [-1, 0, 0]}}\n"
                             "    state: {position: [5, 0, 0]}\n";

static fender_world *build(const char *more, const fender_override *overrides, int count)
{
    collection c;
    fender_env env = collecting_env(&c);
    char text[4096];
    snprintf(text, sizeof text, "%s%s", bodies, more);
    fender_scenario *s = fender_scenario_parse(&env, NULL, "links.yaml", text, strlen(text), overrides, count, NULL);
    fender_world *world = s ? fender_scenario_build(s, &env, NULL) : NULL;
    print_collection(&c);
    assert_non_null(world);
    fender_scenario_destroy(s);
    return world;
}

static fender_link_def def_of(const fender_world *world, const char *name)
{
    fender_link_id id;
    fender_link_def def;
    assert_int_equal(fender_link_find(world, name, &id), FENDER_STATUS_OK);
    assert_int_equal(fender_link_get_def(world, id, &def), FENDER_STATUS_OK);
    return def;
}

static void spring_damper(void **state)
{
    (void)state;
    fender_world *world = build("links:\n"
                                "  rope: {between: [b.port, a.hook], law: spring_damper, stiffness: 2 kN/m,\n"
                                "         free_length: 100 mm, damping: 3 N*s/m, acts: pull, limit: 50 kN}\n"
                                "  bare: {between: [a.port, b.port], law: spring_damper, stiffness: 1,\n"
                                "         free_length: 0, active: false, limit: none}\n",
                                NULL, 0);
    assert_int_equal(fender_link_count(world), 2);
    fender_link_def def = def_of(world, "rope");
    const fender_link_spring_damper *p = def.parameters;
    assert_true(def.law == FENDER_LINK_SPRING_DAMPER && def.active);
    assert_true(p->stiffness == 2000 && p->free_length == 0.1 && p->damping == 3 && p->acts == FENDER_LINK_PULL);
    assert_true(p->limit == 50000 && !p->spent_at_free_length);
    fender_body_id body;
    const char *name;
    assert_int_equal(fender_point_get(world, def.a, &body, &name, NULL), FENDER_STATUS_OK);
    assert_string_equal(fender_body_name(world, body), "b");
    assert_int_equal(fender_point_get(world, def.b, &body, &name, NULL), FENDER_STATUS_OK);
    assert_string_equal(name, "hook");
    def = def_of(world, "bare");
    p = def.parameters;
    assert_true(!def.active && isinf(p->limit) && p->acts == FENDER_LINK_BOTH && p->damping == 0);
    fender_link_data data;
    assert_int_equal(fender_link_get(world, fender_link_at(world, 0), FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    assert_true(fabs(data.length - sqrt(17)) < 1e-14 && fabs(data.force + 2000 * (sqrt(17) - 0.1)) < 1e-10);
    fender_world_destroy(world);
}

static void bushing(void **state)
{
    (void)state;
    fender_world *world = build("links:\n"
                                "  mount:\n"
                                "    between: [a.port, b.port]\n"
                                "    law: spring_damper_6dof\n"
                                "    stiffness: [1, 2, 3, kN/m]\n"
                                "    angular_stiffness: [4, 5, 6, N*m/rad]\n"
                                "    damping: [1, 1, 2, N*s/m]\n"
                                "    angular_damping: [7, 8, 9, N*m*s/rad]\n"
                                "    free_position: [3, 0, 0, m]\n"
                                "    facing: false\n"
                                "    angular_limit: 20 N*m\n",
                                NULL, 0);
    fender_link_def def = def_of(world, "mount");
    const fender_link_spring_damper_6dof *p = def.parameters;
    assert_true(def.law == FENDER_LINK_SPRING_DAMPER_6DOF);
    assert_true(p->stiffness.z == 3000 && p->angular_stiffness.y == 5 && p->angular_damping.x == 7);
    assert_true(p->free_position.x == 3 && !p->facing && isinf(p->limit) && p->angular_limit == 20);
    fender_link_data data;
    assert_int_equal(fender_link_get(world, fender_link_at(world, 0), FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    assert_true(data.force == 0 && data.stored_energy == 0 && data.acting);
    fender_world_destroy(world);
}

static void leg(void **state)
{
    (void)state;
    fender_world *world = build(
        "links:\n"
        "  leg:\n"
        "    between: [a.port, b.port]\n"
        "    law: strut\n"
        "    free_length: 3.1 m\n"
        "    curve: [[0 mm, 100 N], [20 mm, 0.2 kN], [200 mm, 3.8 kN]]\n"
        "    preload: 50 N\n"
        "    stop_stiffness: 1 MN/m\n"
        "    stroke: 150 mm\n"
        "    compression_damping: 5 N*s/m\n"
        "    extension_damping: 6 N*s/m\n"
        "    crush_force: 2 kN\n"
        "    crush_stroke: none\n"
        "  catch: {between: [a.hook, b.port], law: latch, distance: 10 mm, angle: 3 deg, speed: 2 m/s,\n"
        "          stiffness: [1, 2, 3, kN/m], facing: true}\n",
        NULL, 0);
    fender_link_def def = def_of(world, "leg");
    const fender_link_strut *p = def.parameters;
    assert_true(def.law == FENDER_LINK_STRUT && def.curve_count == 3);
    assert_true(def.curve[1].x == 0.02 && def.curve[1].y == 200 && def.curve[2].y == 3800);
    assert_true(p->stiffness == 0 && p->preload == 50 && p->stroke == 0.15 && p->stop_stiffness == 1e6);
    assert_true(p->compression_damping == 5 && p->extension_damping == 6 && p->crush_force == 2000);
    assert_true(isinf(p->crush_stroke) && isinf(p->limit));
    fender_link_data data;
    assert_int_equal(fender_link_get(world, fender_link_at(world, 0), FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    assert_true(fabs(data.force - 1850) < 1e-9); /* 100 mm in: 50 + 200 + 80 mm x 20 N/mm */
    def = def_of(world, "catch");
    const fender_link_latch *l = def.parameters;
    assert_true(l->distance == 0.01 && fabs(l->angle - 0.052359877559829887) < 1e-16 && l->speed == 2);
    assert_true(l->stiffness.y == 2000 && l->facing && l->angular_stiffness.x == 0);
    fender_world_destroy(world);
}

/* With a load, along a rail, and the channels of the link. */
static void friction_of_contacts(void **state)
{
    (void)state;
    fender_world *world = build("contact_types: {dry: {normal: {law: spring_damper, stiffness: 2e3}, "
                                "friction: {law: dahl, mu: 0.5, amplitude: 1 mm}}}\n"
                                "links: {guide: {between: [b.port, a.port], law: friction, use: dry, motion: axis, "
                                "load: 20 kN}}\n",
                                NULL, 0);
    fender_link_def def = def_of(world, "guide");
    const fender_link_friction *p = def.parameters;
    assert_true(def.law == FENDER_LINK_FRICTION && p->motion == FENDER_FRICTION_AXIS && p->load == 20e3);
    assert_true(p->depth == 0 && p->arm == 0 && isinf(p->radius));
    fender_channel channel;
    static const char *const names[] = {"links.guide.stretch", "links.guide.slip", "links.guide.load"};
    int count;
    for (int i = 0; i < 3; i++)
        assert_int_equal(fender_channel_find(world, names[i], &channel, 1, &count, NULL), FENDER_STATUS_OK);
    assert_true(fender_channel_read(world, &channel) == 20e3);
    fender_world_destroy(world);
}

static void law_of_contacts(void **state)
{
    (void)state;
    fender_world *world = build(
        "contact_types: {soft: {normal: {law: hunt_crossley, stiffness: 2e3, restitution: 0.5}}}\n"
        "links: {bumper: {between: [b.port, a.port], law: contact_law, use: soft, "
        "free_length: 3.1 m}}\n",
        NULL, 0);
    fender_link_def def = def_of(world, "bumper");
    const fender_link_contact_law *p = def.parameters;
    fender_contact_type_def type;
    assert_true(def.law == FENDER_LINK_CONTACT_LAW && p->acts == FENDER_LINK_PUSH && isinf(p->limit));
    assert_int_equal(fender_contact_type_get_def(world, def.use, &type), FENDER_STATUS_OK);
    assert_string_equal(type.name, "soft");
    fender_link_data data;
    assert_int_equal(fender_link_get(world, fender_link_at(world, 0), FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    assert_true(fabs(data.depth - 0.1) < 1e-12 && data.force > 0);
    fender_world_destroy(world);
}

static void overridden(void **state)
{
    (void)state;
    const fender_override overrides[] = {{"links.rope.stiffness", "3 kN/m"}, {"links.rope.active", "false"}};
    fender_world *world = build("links: {rope: {between: [b.port, a.hook], law: spring_damper, stiffness: 1, "
                                "free_length: 1}}\n",
                                overrides, 2);
    fender_link_def def = def_of(world, "rope");
    assert_true(((const fender_link_spring_damper *)def.parameters)->stiffness == 3000 && !def.active);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spring_damper),        cmocka_unit_test(bushing),         cmocka_unit_test(leg),
        cmocka_unit_test(friction_of_contacts), cmocka_unit_test(law_of_contacts), cmocka_unit_test(overridden),
    };
    return cmocka_run_group_tests_name("links of scenarios", tests, NULL, NULL);
}
