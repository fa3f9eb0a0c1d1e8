/* Copies of links, loads, actions and records; entries that --set adds to sections and lists. */
#include "collect.h"

#define PADS                                                                                                          \
    HEAD "bodies:\n  hub: {mass_properties: {mass: 9 kg, inertia: [1, 1, 1]}, points: {leg: {position: [1, 0, 0, m]," \
         " pattern: {count: 3, about: [0, 0, 1]}}, mid: {position: [0, 0, 0]}, n_1: {position: [0, 0, 1]},"           \
         " n_2: {position: [0, 0, 2]}, n_3: {position: [0, 0, 3]}}}\n"                                                \
         "  pad_1: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}, points: {top: {position: [0, 0, 0]}}}\n"       \
         "  pad_2: {like: pad_1}\n  pad_3: {like: pad_1}\n"

static const char *point_name(const fender_scenario *s, const fnd_link_description *link, int end)
{
    static char text[2][160];
    const fnd_body_description *body = &s->bodies[link->body[end]];
    snprintf(text[end], sizeof text[end], "%s.%s", body->id.name, body->points[link->point[end]].id.name);
    return text[end];
}

static void patterns_of_links(void **state)
{
    (void)state;
    fender_scenario *s = parse(PADS "links:\n"
                                    "  strut: {between: [hub.leg, pad.top], law: spring_damper, stiffness: 1 kN/m,"
                                    " free_length: 1 m, pattern: {count: 3}}\n"
                                    "  soft: {like: strut, stiffness: 10 N/m, between: [hub.mid, pad.top]}\n"
                                    "  one: {between: [hub.mid, pad_2.top], law: tether, length: 2 m, stiffness: 3}\n"
                                    "  named: {like: strut, between: [pad.top, hub.n]}\n");
    static const char *const wanted[10][3] = {
        {"strut_1", "hub.leg_1", "pad_1.top"}, {"strut_2", "hub.leg_2", "pad_2.top"},
        {"strut_3", "hub.leg_3", "pad_3.top"}, {"soft_1", "hub.mid", "pad_1.top"},
        {"soft_2", "hub.mid", "pad_2.top"},    {"soft_3", "hub.mid", "pad_3.top"},
        {"one", "hub.mid", "pad_2.top"},       {"named_1", "pad_1.top", "hub.n_1"},
        {"named_2", "pad_2.top", "hub.n_2"},   {"named_3", "pad_3.top", "hub.n_3"},
    };
    assert_int_equal(s->link_count, 10);
    for (int i = 0; i < 10; i++) {
        const fnd_link_description *link = &s->links[i];
        assert_string_equal(link->id.name, wanted[i][0]);
        assert_string_equal(point_name(s, link, 0), wanted[i][1]);
        assert_string_equal(point_name(s, link, 1), wanted[i][2]);
    }
    fender_scenario_destroy(s);
}

static void patterns_of_loads(void **state)
{
    (void)state;
    fender_scenario *s = parse(
        PADS "loads:\n  jet: {body: hub, at: leg, force: {constant: [0, 0, 5, N]}, pattern: {count: 3}}\n"
             "  lift: {body: pad, force: {constant: [0, 0, 5, N]}, pattern: {count: 2}}\n"
             "  pull: {like: lift, at: top, pattern: {count: 3}}\n");
    static const struct {
        const char *name;
        int body;
    } wanted[8] = {{"jet_1", 0},  {"jet_2", 0},  {"jet_3", 0},  {"lift_1", 1},
                   {"lift_2", 2}, {"pull_1", 1}, {"pull_2", 2}, {"pull_3", 3}};
    assert_int_equal(s->load_count, 8);
    for (int i = 0; i < 8; i++) {
        assert_string_equal(s->loads[i].id.name, wanted[i].name);
        assert_int_equal(s->loads[i].body, wanted[i].body);
    }
    assert_true(s->loads[0].def.point.x == 1 && s->loads[1].def.point.x != 1);
    fender_scenario_destroy(s);
}

static void actions_and_records_like_others(void **state)
{
    (void)state;
    fender_scenario *s = parse(PADS "record:\n  b: {like: a, file: b.csv}\n  a: {file: a.csv, on: steps, channels: "
                                    "[bodies.hub.position]}\n"
                                    "actions:\n  x: {when: {time: 1 s}, do: [{emit: y}]}\n"
                                    "  z: {like: x, when: {action: x}, delay: 2 s}\n");
    assert_int_equal(s->record_count, 2);
    assert_string_equal(s->records[0].file.text, "b.csv");
    assert_string_equal(s->records[0].channels[0].text, "bodies.hub.position");
    assert_int_equal(s->action_count, 2);
    assert_true(s->actions[1].delay == 2 && s->actions[1].when.kind == FND_CONDITION_ACTION);
    assert_int_equal(s->actions[1].operation_count, 1);
    fender_scenario_destroy(s);
}

static void added_by_set(void **state)
{
    (void)state;
    static const fender_override set[] = {
        {"loads.extra", "{body: hub, force: {constant: [1, 0, 0, N]}}"},
        {"loads.again", "{like: extra, axes: body}"},
        {"record.more", "{file: m.csv, on: steps, channels: [bodies.hub.position]}"},
        {"record.more.channels+", "bodies.hub.velocity"},
        {"rules+", "{default: never}"},
        {"bodies.hub.shapes.s", "{sphere: {radius: 1 m}}"},
        {"bodies.pad_4", "{like: pad_1}"},
        {"links.l", "{between: [hub.mid, pad_4.top], law: tether, length: 1 m, stiffness: 3}"},
    };
    collection c;
    fender_scenario *s = parse_with(PADS, set, sizeof set / sizeof set[0], &c);
    print_collection(&c);
    assert_non_null(s);
    assert_int_equal(s->load_count, 2);
    assert_int_equal(s->loads[1].def.axes, FENDER_AXES_BODY);
    assert_int_equal(s->records[0].channel_count, 2);
    assert_string_equal(s->records[0].channels[1].text, "bodies.hub.velocity");
    assert_int_equal(s->rule_count, 1);
    assert_int_equal(s->bodies[0].shape_count, 1);
    assert_int_equal(s->links[0].body[1], 4);
    fender_scenario_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_of_links),
        cmocka_unit_test(patterns_of_loads),
        cmocka_unit_test(actions_and_records_like_others),
        cmocka_unit_test(added_by_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
