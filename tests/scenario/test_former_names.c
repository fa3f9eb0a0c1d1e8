/* Scenarios of version 0.1: former keys, events and channels are read as the present ones, with one note for each. */
#include "collect.h"

static const char former[] =
    "fender: 1\n"
    "run: {until: 1 s, stop_when: {any: [{touch: [a, b]}, {touch: [b, a]}, {release: [a, b]}]}}\n"
    "bodies:\n  a: {motion: fixed}\n  b: {motion: fixed, shapes: {s: {sphere: {radius: 1}}}}\n"
    "actions:\n  go: {when: {event: touch}, do: [stop]}\n"
    "record:\n  log: {file: log.csv, every: 0.1 s, channels: [events.touch.count, time]}\n"
    "expect:\n  - {channel: events.release.count, at: end, equals: 0, within: 0}\n"
    "  - {event: release, at: 1 s, within: 1 s}\n";

static void former_names_are_read_with_one_note_each(void **state)
{
    (void)state;
    collection c;
    fender_scenario *s = parse_with(former, NULL, 0, &c);
    if (!s) print_collection(&c);
    assert_non_null(s);
    assert_int_equal(c.errors, 0);
    static const char *const notes[] = {
        "'touch' is now 'begin'", /* the key, of which there are two */
        "'release' is now 'end'",
        "'touch' is now 'begin'", /* the event */
        "'events.touch' is now 'events.begin'",
        "'events.release' is now 'events.end'",
        "'release' is now 'end'",
    };
    assert_int_equal(c.count, sizeof notes / sizeof notes[0]);
    for (int i = 0; i < c.count; i++) {
        assert_int_equal(c.list[i].severity, FENDER_SEVERITY_NOTE);
        assert_string_equal(c.list[i].message, notes[i]);
    }
    assert_int_equal(c.list[0].line, 2);
    assert_int_equal(s->stop_when.children[1].kind, FND_CONDITION_BEGIN);
    assert_int_equal(s->stop_when.children[2].kind, FND_CONDITION_END);
    assert_string_equal(s->actions[0].when.event.text, "begin");
    assert_string_equal(s->records[0].channels[0].text, "events.begin.count");
    assert_string_equal(s->expectations[0].channel.text, "events.end.count");
    assert_string_equal(s->expectations[1].event.text, "end");
    fender_scenario_destroy(s);
}

/* An action may emit what was once an event of the world. */
static void emitted_events_come_first(void **state)
{
    (void)state;
    static const char text[] = BODY_A "actions:\n  one: {when: {time: 0.5 s}, do: [{emit: touch}]}\n"
                                      "  two: {when: {event: touch}, do: [stop]}\n"
                                      "record:\n  log: {file: log.csv, every: 0.1 s, channels: [events.touch.count]}\n";
    collection c;
    fender_scenario *s = parse_with(text, NULL, 0, &c);
    if (!s) print_collection(&c);
    assert_non_null(s);
    assert_int_equal(c.count, 0);
    assert_string_equal(s->actions[1].when.event.text, "touch");
    assert_string_equal(s->records[0].channels[0].text, "events.touch.count");
    fender_scenario_destroy(s);
}

static void both_names_at_once_are_refused(void **state)
{
    (void)state;
    static const char text[] = BODY_A "actions:\n  one: {when: {begin: [a, a], touch: [a, a]}, do: [stop]}\n";
    collection c;
    assert_null(parse_with(text, NULL, 0, &c));
    assert_int_equal(c.list[0].status, FENDER_STATUS_NAME);
    assert_string_equal(c.list[0].message, "'touch' is not a key of a condition");
}

/* --set: a path with a former key reaches the present key of the file, and the other way round. */
static void overrides_take_former_keys(void **state)
{
    (void)state;
    static const struct {
        const char *text, *path;
        int notes;
    } cases[] = {
        {BODY_A "actions:\n  one: {when: {begin: [a, a]}, do: [stop]}\n", "actions.one.when.touch", 1},
        {BODY_A "actions:\n  one: {when: {touch: [a, a]}, do: [stop]}\n", "actions.one.when.begin", 1},
        {BODY_A "actions:\n  one: {when: {touch: [a, a]}, do: [stop]}\n", "actions.one.when.touch", 1},
        {BODY_A "actions:\n  one: {when: {begin: [a, a]}, do: [stop]}\n", "actions.one.when.begin", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        collection c;
        fender_override set = {cases[i].path, "[a, b]"};
        assert_null(parse_with(cases[i].text, &set, 1, &c)); /* reached: there is no body b */
        assert_int_equal(c.errors, 1);
        assert_string_equal(c.list[c.count - 1].message, "no body is named 'b'");
        assert_int_equal(c.count, 1 + cases[i].notes);
        if (cases[i].notes) assert_string_equal(c.list[0].message, "'touch' is now 'begin'");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overrides_take_former_keys),
        cmocka_unit_test(former_names_are_read_with_one_note_each),
        cmocka_unit_test(emitted_events_come_first),
        cmocka_unit_test(both_names_at_once_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
