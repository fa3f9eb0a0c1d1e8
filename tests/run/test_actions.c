/* Actions: when they act, in what order, what they change, what they report, and how a refusal ends the run. */
#include "run/run.h"
#include "run_test.h"

#include <fender/fender.h>

/* Two bodies on a line, 4 m apart, of 1 kg and 3 kg, each at 1 m/s towards the other. */
static const char bodies[] =
    "fender: 1\n"
    "integrator: {step: 10 ms}\n"
    "bodies:\n"
    "  a:\n"
    "    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}\n"
    "    points: {port: {position: [0.5, 0, 0]}}\n"
    "    state: {velocity: [1, 0, 0]}\n"
    "  b:\n"
    "    mass_properties: {mass: 3 kg, inertia: [2, 2, 2]}\n"
    "    points: {port: {position: [-0.5, 0, 0], orientation: {axis: [0, 0, 1], angle: 180 deg}}}\n"
    "    state: {position: [4, 0, 0], velocity: [-1, 0, 0]}\n";

typedef struct outcome {
    fender_status status;
    fender_error error;
    diagnostics f;
    fender_scenario *scenario;
    fender_run *run;
    const fender_run_summary *summary;
} outcome;

/* Runs the bodies with more sections. */
static outcome *run_with(const char *head, const char *more, const char *directory)
{
    static outcome o;
    static char text[16384];
    memset(&o, 0, sizeof o);
    fender_env env = fender_env_default();
    env.report = collect_diagnostic;
    env.report_ctx = &o.f;
    snprintf(text, sizeof text, "%s%s", head, more);
    o.scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), NULL, 0, &o.error);
    if (!o.scenario) print_error("%s\n", o.f.text);
    assert_non_null(o.scenario);
    if (directory) remove_directory(directory);
    fender_run_def def = {.scenario = o.scenario, .output_directory = directory};
    o.run = fender_run_create(&env, &def, &o.error);
    if (!o.run) print_error("%s\n", o.f.text);
    assert_non_null(o.run);
    o.status = fender_run_execute(o.run, &o.error);
    o.summary = fender_run_get_summary(o.run);
    for (int i = 0; i < o.summary->expectation_count; i++)
        if (!o.summary->expectations[i].met) print_error("missed: %s\n", o.summary->expectations[i].text);
    return &o;
}

static void finish(outcome *o)
{
    fender_run_destroy(o->run);
    fender_scenario_destroy(o->scenario);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part)) count++;
    return count;
}

/* Attach at 1 s, detach at 2 s, stop at 3 s: masses, centres, velocities known by hand, events in their order. */
static void timeline(void **state)
{
    (void)state;
    static const char more[] =
        "run: {until: 10 s}\n"
        "actions:\n"
        "  join: {when: {time: 1 s}, do: [{attach: {child: b, to: a, pose: as_is}}, {emit: joined}]}\n"
        "  part: {when: {time: 2 s}, do: [{detach: b}]}\n"
        "  end: {when: {time: 3 s}, do: [{emit: over}, stop]}\n"
        "record: {log: {file: log.csv, on: steps, channels: [bodies.a.mass, bodies.a.velocity.x, "
        "events.joined.count]}}\n"
        "expect:\n"
        "  - {channel: bodies.a.mass, at: 0.99 s, equals: 1 kg, within: 0 kg}\n"
        "  - {channel: bodies.a.mass, at: 1 s, equals: 4 kg, within: 0 kg}\n"
        "  - {channel: bodies.a.core_mass, at: 1.5 s, equals: 1 kg, within: 0 kg}\n"
        "  - {channel: bodies.a.velocity.x, at: 1 s, equals: -0.5 m/s, within: 1e-15 m/s}\n"
        "  - {channel: bodies.a.center_of_mass.x, at: 1 s, equals: 1.5 m, within: 1e-13 m}\n"
        "  - {channel: bodies.a.mass, at: end, equals: 1 kg, within: 0 kg}\n"
        "  - {channel: bodies.b.position.x, at: end, equals: 2 m, within: 1e-12 m}\n"
        "  - {channel: ledger.energy.attachment, at: end, equals: 1.5 J, within: 1e-14 J}\n"
        "  - {channel: ledger.momentum.drift, at: max, below: 1e-14 N*s}\n"
        "  - {channel: events.attach.count, at: end, equals: 1, within: 0}\n"
        "  - {channel: events.over.count, at: end, equals: 1, within: 0}\n"
        "  - {event: attach, contact: a:b, at: 1 s, within: 0 s}\n"
        "  - {event: detach, at: 2 s, within: 0 s}\n"
        "  - {event: joined, at: 1 s, within: 0 s}\n";
    outcome *o = run_with(bodies, more, "timeline.run");
    assert_int_equal(o->status, FENDER_STATUS_OK);
    assert_int_equal(o->summary->step_count, 300);
    assert_int_equal(o->summary->attachment_count, 1);
    const fender_attachment *item = &o->summary->attachments[0];
    assert_string_equal(item->action, "join");
    assert_string_equal(item->child, "b");
    assert_string_equal(item->parent, "a");
    check_near(item->time, 1, 0);
    check_near(fender_vec3_length(item->report.child_displacement), 0, 1e-15);
    check_near(item->report.kinetic_energy_lost, 1.5, 1e-14); /* reduced mass 3/4, closing at 2 m/s */
    assert_int_equal(o->summary->emission_count, 2);
    assert_string_equal(o->summary->emissions[0].event, "joined");
    assert_string_equal(o->summary->emissions[1].action, "end");
    const char *events = read_run_file("timeline.run", "events.csv");
    assert_int_equal(count_lines(events), 5);
    assert_non_null(strstr(line_of(events, 1), "1,attach,b:a,"));
    assert_non_null(strstr(line_of(events, 2), "1,joined,,"));
    assert_non_null(strstr(line_of(events, 3), "2,detach,b:a,"));
    assert_non_null(strstr(line_of(events, 4), "3,over,,"));
    const char *summary = read_run_file("timeline.run", "summary.json");
    assert_non_null(strstr(summary, "\"complete\":true"));
    assert_non_null(strstr(summary, "\"ended_by\":\"action\""));
    assert_non_null(strstr(summary, "\"event\":\"attach\",\"child\":\"b\",\"parent\":\"a\""));
    assert_non_null(strstr(summary, "\"event\":\"joined\"}"));
    assert_non_null(strstr(summary, "\"attachments\":[\n{\"time\":1,\"action\":\"join\""));
    finish(o);
}

/* Body a carries c, by which it docks at b and is let go: events have the bodies that were named. The root of what was
 * attached fits, too, and no other pair. */
static void names_of_events(void **state)
{
    (void)state;
    static const char more[] = "  c:\n"
                               "    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}\n"
                               "    attached: {to: a, position: [1, 0, 0, m]}\n"
                               "run: {until: 4 s}\n"
                               "actions:\n"
                               "  dock: {when: {time: 1 s}, do: [{attach: {child: c, to: b, pose: as_is}}]}\n"
                               "  by_name: {when: {event: attach, contact: \"c:b\"}, do: [{emit: named}]}\n"
                               "  by_root: {when: {event: attach, contact: \"b:a\"}, do: [{emit: root}]}\n"
                               "  by_others: {when: {event: attach, contact: \"a:c\"}, do: [{emit: others}]}\n"
                               "  part: {when: {time: 2 s}, do: [{detach: {body: c, from: a}}]}\n"
                               "  parted: {when: {event: detach, contact: \"a:c\"}, do: [{emit: free}]}\n"
                               "  not_parted: {when: {event: detach, contact: \"b:c\"}, do: [{emit: others}]}\n"
                               "expect:\n"
                               "  - {event: attach, contact: \"c:b\", at: 1 s, within: 0 s}\n"
                               "  - {event: detach, contact: \"c:a\", at: 2 s, within: 0 s}\n"
                               "  - {channel: events.named.count, equals: 1, within: 0}\n"
                               "  - {channel: events.root.count, equals: 1, within: 0}\n"
                               "  - {channel: events.free.count, equals: 1, within: 0}\n"
                               "  - {channel: events.others.count, equals: 0, within: 0}\n"
                               "  - {channel: bodies.b.mass, equals: 4 kg, within: 0 kg}\n";
    outcome *o = run_with(bodies, more, "named.run");
    assert_int_equal(o->status, FENDER_STATUS_OK);
    for (int i = 0; i < o->summary->expectation_count; i++) assert_true(o->summary->expectations[i].met);
    const char *events = read_run_file("named.run", "events.csv");
    assert_non_null(strstr(line_of(events, 1), "1,attach,c:b,"));
    assert_non_null(strstr(events, "2,detach,c:a,"));
    assert_non_null(
        strstr(read_run_file("named.run", "summary.json"), "\"event\":\"attach\",\"child\":\"c\",\"parent\":\"b\""));
    finish(o);
}

/* A body that is moved in its parent: an event for conditions, and a row with the way of its centre. Of 4 kg, 3 move by
 * 2 m against the rest. */
static void reattached(void **state)
{
    (void)state;
    static const char more[] =
        "run: {until: 4 s}\n"
        "actions:\n"
        "  join: {when: {time: 1 s}, do: [{attach: {child: b, to: a, pose: aligned, position: [2, 0, 0, m]}}]}\n"
        "  move: {when: {time: 2 s}, do: [{reattach: {child: b, position: [4, 0, 0, m]}}]}\n"
        "  seen: {when: {event: reattach, contact: \"a:b\"}, do: [{emit: moved}]}\n"
        "expect:\n"
        "  - {event: reattach, contact: \"b:a\", at: 2 s, within: 0 s}\n"
        "  - {channel: events.reattach.count, equals: 1, within: 0}\n"
        "  - {channel: events.attach.count, equals: 1, within: 0}\n"
        "  - {channel: events.moved.count, equals: 1, within: 0}\n";
    outcome *o = run_with(bodies, more, "reattached.run");
    assert_int_equal(o->status, FENDER_STATUS_OK);
    for (int i = 0; i < o->summary->expectation_count; i++) assert_true(o->summary->expectations[i].met);
    const char *row = strstr(read_run_file("reattached.run", "events.csv"), "2,reattach,b:a,0,");
    assert_non_null(row);
    check_near(strtod(row + strlen("2,reattach,b:a,0,"), NULL), 0.5, 1e-14);
    finish(o);
}

/* Until an action acts a run is the run without it, bit for bit; a run with actions repeats, with files or without. */
static void accepted_steps_only(void **state)
{
    (void)state;
    static const char record[] = "run: {until: 2 s}\n"
                                 "record: {log: {file: log.csv, on: steps, channels: [bodies.*.position, "
                                 "bodies.*.velocity, ledger.*.*]}}\n";
    static const char acting[] =
        "run: {until: 2 s}\n"
        "record: {log: {file: log.csv, on: steps, channels: [bodies.*.position, bodies.*.velocity, ledger.*.*]}}\n"
        "actions: {join: {when: {time: 1 s}, do: [{attach: {child: b.port, to: a.port, pose: aligned}}]}}\n";
    static char before[1 << 21];
    outcome *o = run_with(bodies, record, "without.run");
    uint64_t without = o->summary->hash;
    finish(o);
    memcpy(before, read_run_file("without.run", "log.csv"), sizeof before);
    o = run_with(bodies, acting, "with.run");
    assert_int_equal(o->status, FENDER_STATUS_OK);
    uint64_t hash = o->summary->hash;
    assert_true(hash != without);
    finish(o);
    const char *after = read_run_file("with.run", "log.csv");
    char row[4096];
    for (int i = 0; i <= 100; i++) { /* header, and the states 0 to 99 */
        snprintf(row, sizeof row, "%s", line_of(before, i));
        assert_string_equal(row, line_of(after, i));
    }
    snprintf(row, sizeof row, "%s", line_of(before, 101));
    assert_string_not_equal(row, line_of(after, 101));
    o = run_with(bodies, acting, "with.run");
    assert_true(o->summary->hash == hash);
    finish(o);
    o = run_with(bodies, acting, NULL);
    assert_true(o->summary->hash == hash);
    finish(o);
}

/* Snapped into alignment: both move towards the system's centre, by their masses. At 1 s the ports are 1 m apart. */
static void aligned(void **state)
{
    (void)state;
    outcome *o = run_with(
        bodies,
        "run: {until: 2 s}\n"
        "actions: {join: {when: {time: 1 s}, do: [{attach: {child: b.port, to: a.port, pose: aligned}},\n"
        "  {reattach: {child: b, position: [2, 0, 0]}}]}}\n"
        "expect:\n"
        "  - {channel: bodies.a.position.x, at: 1 s, equals: 1 m, within: 1e-13 m}\n"
        "  - {channel: bodies.b.position.x, at: 1 s, equals: 3 m, within: 1e-13 m}\n",
        NULL);
    assert_int_equal(o->status, FENDER_STATUS_OK);
    assert_int_equal(o->summary->attachment_count, 2);
    const fender_attachment *snap = &o->summary->attachments[0], *back = &o->summary->attachments[1];
    check_vector(snap->report.child_displacement, fender_vec3_make(-0.25, 0, 0), 1e-13);
    check_vector(snap->report.parent_displacement, fender_vec3_make(0.75, 0, 0), 1e-13);
    check_near(snap->report.rotation, 0, 1e-7);
    check_near(snap->report.kinetic_energy_lost, 1.5, 1e-14);
    assert_false(snap->reattached);
    assert_true(back->reattached);
    assert_string_equal(back->parent, "a");
    check_vector(back->report.child_displacement, fender_vec3_make(0.25, 0, 0), 1e-13);
    finish(o);
}

/* JEOD's way: the parent stays, with its velocity, and the child gets the pose and the motion. 1 m of b is made up; the
 * momentum of b, 3 kg at -1 m/s, becomes 3 kg at 1 m/s from outside. */
static void placed(void **state)
{
    (void)state;
    static const char *const forms[] = {"child: b.port, to: a.port", "child: b, to: a, position: [1, 0, 0, m]"};
    for (int i = 0; i < 2; i++) {
        char more[800];
        snprintf(more, sizeof more,
                 "run: {until: 2 s}\n"
                 "actions: {join: {when: {time: 1 s}, do: [{attach: {%s, pose: placed}}]}}\n"
                 "expect:\n"
                 "  - {channel: bodies.a.position.x, at: 1 s, equals: 1 m, within: 1e-13 m}\n"
                 "  - {channel: bodies.b.position.x, at: 1 s, equals: 2 m, within: 1e-13 m}\n"
                 "  - {channel: bodies.a.position.x, at: 2 s, equals: 2 m, within: 1e-13 m}\n"
                 "  - {channel: bodies.b.velocity.x, at: 2 s, equals: 1 m/s, within: 1e-13 m/s}\n"
                 "  - {channel: ledger.momentum.total.x, at: 2 s, equals: 4 N*s, within: 1e-13 N*s}\n"
                 "  - {channel: ledger.momentum.drift, at: 2 s, equals: 0, within: 1e-13 N*s}\n"
                 "  - {channel: ledger.energy.residual, at: 2 s, equals: 0, within: 1e-13 J}\n",
                 forms[i]);
        outcome *o = run_with(bodies, more, NULL);
        assert_int_equal(o->status, FENDER_STATUS_OK);
        for (int k = 0; k < o->summary->expectation_count; k++) assert_true(o->summary->expectations[k].met);
        assert_int_equal(o->summary->attachment_count, 1);
        const fender_attach_report *report = &o->summary->attachments[0].report;
        check_vector(report->child_displacement, fender_vec3_make(-1, 0, 0), 1e-13);
        check_vector(report->parent_displacement, fender_vec3_make(0, 0, 0), 0);
        finish(o);
    }
}

/* An event of an action is seen by later actions at the same state, by earlier ones at the next. */
static void order(void **state)
{
    (void)state;
    outcome *o = run_with(
        bodies,
        "run: {until: 1 s}\n"
        "actions:\n"
        "  early: {when: {event: middle}, do: [{emit: first}]}\n"
        "  mid: {when: {time: 0.5 s}, do: [{emit: middle}]}\n"
        "  late: {when: {event: middle}, do: [{emit: last}]}\n"
        "  never: {when: {all: [{event: middle}, {time: 0.9 s}]}, do: [{emit: wrong}]}\n"
        "  seen: {when: {all: [{channel: events.middle.count, above: 0.5}, {time: 0.9 s}]}, do: [{emit: right}]}\n"
        "  some: {when: {any: [{time: 99 s}, {event: last}]}, do: [{emit: either}]}\n"
        "expect:\n"
        "  - {event: first, at: 0.51 s, within: 1e-12 s}\n"
        "  - {event: last, at: 0.5 s, within: 0 s}\n"
        "  - {event: right, at: 0.9 s, within: 0 s}\n"
        "  - {event: either, at: 0.5 s, within: 0 s}\n"
        "  - {channel: events.wrong.count, at: end, equals: 0, within: 0}\n",
        NULL);
    assert_int_equal(o->status, FENDER_STATUS_OK);
    finish(o);
}

/* A sphere between two fixed ones: `once: false` acts at each touch, once: true at the first; begin and end. */
static void edges(void **state)
{
    (void)state;
    static const char box[] =
        "fender: 1\n"
        "integrator: {step: 1 ms}\n"
        "materials: {m: {}}\n"
        "contact_types: {t: {law: spring_damper, stiffness: 1e5 N/m}}\n"
        "rules: [{default: t}]\n"
        "bodies:\n"
        "  left: {motion: fixed, shapes: {s: {sphere: {radius: 1}}}, state: {position: [-3, 0, 0]}}\n"
        "  right: {motion: fixed, shapes: {s: {sphere: {radius: 1}}}, state: {position: [3, 0, 0]}}\n"
        "  ball: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, shapes: {s: {sphere: {radius: 1}}},\n"
        "         state: {velocity: [2, 0, 0]}}\n"
        "run: {until: 8 s}\n"
        "actions:\n"
        "  each: {when: {event: begin}, do: [{emit: knock}], once: false}\n"
        "  on: {when: {begin: [ball, right]}, do: [{emit: held}], once: false}\n"
        "  first: {when: {end: [ball.s, right]}, do: [{emit: freed}]}\n"
        "  one: {when: {event: end, contact: left:ball}, do: [{emit: bounced}]}\n"
        "  off: {when: {time: 6 s}, do: [{set: {bodies.right.shapes.s.active: false}}]}\n";
    outcome *o = run_with(box, "", "edges.run");
    assert_int_equal(o->status, FENDER_STATUS_RESIDUAL); /* 50 ms a step: the spheres come apart faster */
    const char *events = read_run_file("edges.run", "events.csv");
    int touches = count_of(events, ",begin,");
    assert_true(touches >= 6);
    assert_int_equal(count_of(events, ",knock,"), touches);
    assert_int_equal(count_of(events, ",held,"), count_of(events, ",begin,right.s:ball.s"));
    assert_true(count_of(events, ",held,") >= 2);
    assert_int_equal(count_of(events, ",freed,"), 1);
    assert_int_equal(count_of(events, ",bounced,"), 1);
    fender_body_id ball;
    fender_body_data data;
    assert_int_equal(fender_body_find(fender_run_world(o->run), "ball", &ball), FENDER_STATUS_OK);
    assert_int_equal(fender_body_get(fender_run_world(o->run), ball, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    assert_true(fabs(data.position.x) < 20);
    finish(o);
}

/* Ports that close at 2 m/s from 3 m, turned by 20 degrees about x. */
static void near_points(void **state)
{
    (void)state;
    static const char scene[] =
        "fender: 1\n"
        "integrator: {step: 10 ms}\n"
        "bodies:\n"
        "  a: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, points: {port: {position: [0.5, 0, 0]}}}\n"
        "  b:\n"
        "    mass_properties: {mass: 1, inertia: [1, 1, 1]}\n"
        "    points: {port: {position: [0.5, 0, 0]}}\n"
        "    state: {of: port, relative_to: a.port, docked: true, position: [3, 0, 0], velocity: [-2, 0, 0],\n"
        "            orientation: {axis: [1, 0, 0], angle: 20 deg}}\n"
        "run: {until: 1.2 s}\n"
        "actions:\n"
        "  near: {when: {points: [a.port, b.port], closer_than: 2 m}, do: [{emit: near}]}\n"
        "  ok: {when: {points: [b.port, a.port], closer_than: 1 m, aligned_within: 20.001 deg, slower_than: 2.001 "
        "m/s},\n"
        "       do: [{emit: fine}]}\n"
        "  turned: {when: {points: [a.port, b.port], aligned_within: 19.999 deg}, do: [{emit: wrong}]}\n"
        "  fast: {when: {points: [a.port, b.port], slower_than: 1.999 m/s}, do: [{emit: wrong}]}\n"
        "expect:\n"
        "  - {event: near, at: 0.51 s, within: 0.0101 s}\n"
        "  - {event: fine, at: 1.01 s, within: 0.0101 s}\n"
        "  - {channel: events.wrong.count, at: end, equals: 0, within: 0}\n";
    outcome *o = run_with(scene, "", NULL);
    assert_int_equal(o->status, FENDER_STATUS_OK);
    finish(o);
}

/* A force and an acceleration that pass their limits within a step: a ball of 1 kg at 1 m/s touches a spring of 100 N/m
 * at 0.1 s, so that F = 10 N sin(10 t) from there. */
static void within_steps(void **state)
{
    (void)state;
    static const char scene[] =
        "fender: 1\n"
        "integrator: {method: dopri5, step: 50 ms, relative_tolerance: 1e-10}\n"
        "materials: {m: {}}\n"
        "contact_types: {t: {law: spring_damper, stiffness: 100 N/m}}\n"
        "rules: [{default: t}]\n"
        "bodies:\n"
        "  stop: {motion: fixed, shapes: {s: {sphere: {radius: 1}}}, state: {position: [2.1, 0, 0]}}\n"
        "  ball: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, shapes: {s: {sphere: {radius: 1}}},\n"
        "         state: {velocity: [1, 0, 0]}}\n"
        "run: {until: 1 s}\n"
        "actions:\n"
        "  pushed: {when: {channel: contacts.stop.s:ball.s.normal_force, above: 5 N}, do: [{emit: pushed}]}\n"
        "  slowed: {when: {channel: bodies.ball.acceleration.x, below: -8 m/s^2}, do: [{emit: slowed}]}\n"
        "  turned: {when: {channel: bodies.ball.velocity.x, below: 0.6 m/s}, do: [{emit: turned}]}\n"
        "expect:\n"
        "  - {event: pushed, at: 0.1523598776 s, within: 1e-6 s, source: asin(0.5)}\n"
        "  - {event: slowed, at: 0.1927295218 s, within: 1e-6 s, source: asin(0.8)}\n"
        "  - {event: turned, at: 0.1927295218 s, within: 1e-6 s, source: acos(0.6)}\n";
    outcome *o = run_with(scene, "", NULL);
    assert_int_equal(o->status, FENDER_STATUS_OK);
    finish(o);
}

/* Steps of seconds in free flight. A point turns about a fixed one that it passes once in 2 pi s; the two are
 * 2 sin(t / 2) m apart. A body flies by at 1 m/s, at least 19.9 mm away, so that it is nearer than 20 mm for 4 ms. */
static const char passing[] =
    "fender: 1\n"
    "integrator: {method: %s, step: 50 ms}\n"
    "run: {until: 60 s, stop_when: {channel: points.p.o@q.o.distance, below: 19.8 mm}}\n"
    "bodies:\n"
    "  a:\n"
    "    mass_properties: {mass: 1, inertia: [1, 1, 1]}\n"
    "    state: {angular_velocity: [0, 0, 1]}\n"
    "    points: {p: {position: [1, 0, 0]}}\n"
    "  b: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, points: {p: {position: [1, 0, 0]}}}\n"
    "  p:\n"
    "    mass_properties: {mass: 1, inertia: [1, 1, 1]}\n"
    "    state: {position: [-30.0123, 0.0199, 0], velocity: [1, 0, 0]}\n"
    "    points: {o: {position: [0, 0, 0]}}\n"
    "  q: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, points: {o: {position: [0, 0, 0]}}}\n"
    "actions:\n"
    "  again: {when: {channel: points.b.p@a.p.distance, below: 10 mm}, once: false, do: [{emit: again}]}\n"
    "  both: {when: {all: [{channel: points.b.p@a.p.distance, below: 10 mm}, {channel: points.a.p.position.y, above: "
    "9.9 mm}]},\n"
    "    once: false, do: [{emit: both}]}\n"
    "  apart: {when: {channel: points.b.p@a.p.distance, below: 1.99999 m, for: 5 s}, once: false, do: [{emit: "
    "apart}]}\n"
    "  by: {when: {channel: points.p.o@q.o.distance, below: 20 mm}, do: [{emit: by}]}\n"
    "  near: {when: {points: [p.o, q.o], closer_than: 20 mm}, do: [{emit: near}]}\n"
    "  once_more: {when: {all: [{channel: points.b.p@a.p.distance, below: 10 mm}, {time: 50 s}]}, do: [{emit: last}]}\n"
    "expect:\n"
    "  - {channel: events.again.count, at: end, equals: 10, within: 0}\n"
    "  - {event: both, at: 0.00990016 s, within: 1e-7 s, source: asin(0.0099)}\n"
    "  - {channel: events.both.count, at: end, equals: 10, within: 0}\n"
    "  - {event: apart, at: 8.14791722 s, within: 1e-5 s, source: pi + 2 acos(0.999995) + 5}\n"
    "  - {channel: events.apart.count, at: end, equals: 9, within: 0}\n"
    "  - {event: by, at: 30.01030250 s, within: 1e-7 s, source: 30.0123 - sqrt(0.02^2 - 0.0199^2)}\n"
    "  - {event: near, at: 30.01030250 s, within: 1e-7 s}\n"
    "  - {event: last, at: 50.25548244 s, within: 1e-6 s, source: 16 pi - 2 asin(0.005)}\n";

/* What comes and goes between two looks is found, and so is what ceases to hold between them; the nearest that is told
 * is that of the flight: the end of the run waits for 19.8 mm, and 19.9 mm are reached. */
static void passing_within_steps(void **state)
{
    (void)state;
    static const char *const methods[] = {"dopri5", "dop853"};
    for (int i = 0; i < 2; i++) {
        char text[4096];
        snprintf(text, sizeof text, passing, methods[i]);
        remove_directory("passing.run");
        outcome *o = run_with(text, "", "passing.run");
        assert_int_equal(o->status, FENDER_STATUS_OK);
        finish(o);
        const char *told = strstr(read_run_file("passing.run", "summary.json"), "\"stop_when\":{");
        assert_non_null(told);
        assert_non_null(told = strstr(told, "\"nearest\":"));
        assert_true(fabs(strtod(told + strlen("\"nearest\":"), NULL) - 0.0199) < 1e-9);
        assert_non_null(told = strstr(told, "\"time\":"));
        assert_true(fabs(strtod(told + strlen("\"time\":"), NULL) - 30.0123) < 1e-5);
    }
}

/* A mark that oscillates, with a body in free flight that could be followed in one step: each crest is found, as the
 * points of the grid are close enough to tell them apart. The mark is above 9.99 mm for 14 ms of every second. */
static void crests_within_steps(void **state)
{
    (void)state;
    static const char scene[] =
        "fender: 1\n"
        "integrator: {method: dop853, step: 100 ms}\n"
        "run: {until: 20 s}\n"
        "bodies:\n"
        "  flyer: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, state: {velocity: [1, 0, 0]}}\n"
        "  mark: {motion: prescribed, path: {sine: {frequency: 1 Hz, amplitude: [0, 0, 1, cm]}}}\n"
        "actions:\n"
        "  crest: {when: {channel: bodies.mark.position.z, above: 9.99 mm}, once: false, do: [{emit: crest}]}\n"
        "expect:\n"
        "  - {channel: events.crest.count, at: end, equals: 20, within: 0}\n"
        "  - {event: crest, at: 0.24288178 s, within: 1e-8 s, source: asin(0.999) / (2 pi)}\n";
    outcome *o = run_with(scene, "", NULL);
    assert_int_equal(o->status, FENDER_STATUS_OK);
    finish(o);
}

/* A path is a function of time: every point of the grid is looked at in a step of seconds in free flight. The step
 * begins at 10 s, where the mark is lowest, and is 80 rounds long: the mark is there, and at rest, at each eighth. */
static void paths_within_steps(void **state)
{
    (void)state;
    static const char scene[] =
        "fender: 1\n"
        "integrator: {method: dop853, step: 10 ms}\n"
        "run: {until: 17.94 s}\n"
        "bodies:\n"
        "  flyer: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, state: {velocity: [1, 0, 0]}}\n"
        "  mark: {motion: prescribed, path: {sine: {frequency: 10.0755667506 Hz, phase: -2.04030227 deg,\n"
        "         amplitude: [0, 0, 1, cm]}}}\n"
        "actions:\n"
        "  crest: {when: {all: [{channel: bodies.mark.position.z, above: 9.99 mm}, {time: 10 s}]}, do: [{emit: "
        "crest}]}\n"
        "expect: [{event: crest, at: 10.04891852 s, within: 1e-6 s, source: 10 + (0.5 - acos(0.999) / (2 pi)) / f}]\n";
    outcome *o = run_with(scene, "", NULL);
    assert_int_equal(o->status, FENDER_STATUS_OK);
    finish(o);
}

/* A ball on a spring, x = sin t, in steps of some 2000 points of the grid. Far from a limit there are no more looks
 * than the ten of every step; near one it is met, however little is beyond it: x > 0.99999 for 9 ms of every 2 pi s. A
 * body flies by at 1 m/s, nearer than 20 mm for 4 ms. */
static void looks_where_it_is_near(void **state)
{
    (void)state;
    static const char scene[] =
        "fender: 1\n"
        "integrator: {method: dop853, step: 0.1 ms, relative_tolerance: 1e-8}\n"
        "run: {until: 20 s}\n"
        "record: {log: {file: log.csv, every: 1 s, channels: [time]}}\n"
        "bodies:\n"
        "  base: {motion: fixed, points: {p: {position: [0, 0, 0]}}}\n"
        "  ball: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, points: {p: {position: [0, 0, 0]}},\n"
        "         state: {position: [2, 0, 0, m], velocity: [1, 0, 0, m/s]}}\n"
        "  p: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, state: {position: [-9.0123, 0.0199, 9], velocity: [1, "
        "0, "
        "0]},\n"
        "      points: {o: {position: [0, 0, 0]}}}\n"
        "  q: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, state: {position: [0, 0, 9]},\n"
        "      points: {o: {position: [0, 0, 0]}}}\n"
        "links: {s: {law: spring_damper, between: [base.p, ball.p], free_length: 2 m, stiffness: 1 N/m}}\n"
        "actions:\n"
        "  never: {when: {channel: bodies.ball.position.x, above: 10 m}, do: [{emit: never}]}\n";
    static const char near[] =
        "  crest: {when: {channel: bodies.ball.position.x, above: 2.99999 m}, once: false, do: [{emit: crest}]}\n"
        "  by: {when: {points: [p.o, q.o], closer_than: 20 mm}, do: [{emit: by}]}\n"
        "expect:\n"
        "  - {channel: events.crest.count, at: end, equals: 3, within: 0}\n"
        "  - {event: crest, at: 1.5663242 s, within: 1e-5 s, source: asin(0.99999)}\n"
        "  - {event: by, at: 9.01030250 s, within: 1e-6 s, source: 9.0123 - sqrt(0.02^2 - 0.0199^2)}\n";
    for (int i = 0; i < 2; i++) {
        outcome *o = run_with(scene, i ? near : "", NULL);
        assert_int_equal(o->status, FENDER_STATUS_OK);
        print_message("%lld looks, %lld steps\n", (long long)o->run->watch.looks, (long long)o->summary->step_count);
        if (i == 0) assert_true(o->run->watch.looks < 13 * o->summary->step_count);
        finish(o);
    }
}

/* A search that fails takes nothing in: what ceased to hold before it failed, holds. It is asked for looks behind the
 * end of the proposal, which the world refuses. */
static void failed_search(void **state)
{
    (void)state;
    static const char scene[] =
        "fender: 1\n"
        "integrator: {method: dopri5, step: 50 ms}\n"
        "run: {until: 60 s}\n"
        "bodies:\n"
        "  a: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, state: {velocity: [1, 0, 0]}}\n"
        "actions:\n"
        "  near: {when: {channel: bodies.a.position.x, below: 50 mm}, once: false, do: [{emit: near}]}\n"
        "  long: {when: {channel: bodies.a.position.x, below: 50 mm, for: 100 s}, do: [{emit: long}]}\n";
    const fender_env env = fender_env_default();
    fender_error fault = {0};
    fender_scenario *s = fender_scenario_parse(&env, NULL, "scene.yaml", scene, strlen(scene), NULL, 0, &fault);
    assert_non_null(s);
    fender_run *run = fender_run_create(&env, &(fender_run_def){.scenario = s}, &fault);
    assert_non_null(run);
    bool more = true;
    for (int i = 0; i < 2; i++) assert_int_equal(fender_run_step(run, &more, &fault), FENDER_STATUS_OK);
    fender_proposal proposal;
    double at;
    assert_true(run->actions.states[0].held && fnd_condition_counts(&run->actions.states[1].when));
    check_ok(fender_world_propose(run->world, 1, &proposal, &error));
    assert_true(proposal.end_time > 0.1);
    const fender_proposal longer = {.start_time = proposal.start_time, .end_time = 2 * proposal.end_time};
    assert_int_equal(fnd_watch_find(run, &longer, &at, &fault), FENDER_STATUS_VALUE);
    assert_true(run->actions.states[0].held && fnd_condition_counts(&run->actions.states[1].when));
    assert_int_equal(fnd_watch_find(run, &proposal, &at, &fault), FENDER_STATUS_OK);
    assert_false(run->actions.states[0].held);
    fnd_watch_end(run, false);
    assert_true(run->actions.states[0].held && fnd_condition_counts(&run->actions.states[1].when));
    assert_int_equal(fnd_watch_find(run, &proposal, &at, &fault), FENDER_STATUS_OK);
    fnd_watch_end(run, true);
    assert_false(run->actions.states[0].held || fnd_condition_counts(&run->actions.states[1].when));
    fender_run_destroy(run);
    fender_scenario_destroy(s);
}

/* A load between 1 s and 2 s gives F t / m; then the mass is halved, and the same load gives twice as much. */
static void settings(void **state)
{
    (void)state;
    outcome *o = run_with(
        bodies,
        "loads: {push: {body: a, at: port, force: {constant: [2, 0, 0, N]}, active: false}}\n"
        "run: {until: 5 s}\n"
        "actions:\n"
        "  on: {when: {time: 1 s}, do: [{set: {loads.push.active: true}}]}\n"
        "  off: {when: {time: 2 s}, do: [{set: {loads.push.active: false}}]}\n"
        "  lighter: {when: {time: 3 s}, do: [{set: {bodies.a.mass_properties.mass: 500 g,\n"
        "    bodies.a.mass_properties.inertia: [1, 1, 2], bodies.a.mass_properties.center_of_mass: [10, 0, 0, cm],\n"
        "    loads.push.active: true}}]}\n"
        "  off_again: {when: {time: 4 s}, do: [{set: {loads.push.active: false}}]}\n"
        "expect:\n"
        "  - {channel: bodies.a.velocity.x, at: 1 s, equals: 1 m/s, within: 1e-14 m/s}\n"
        "  - {channel: bodies.a.velocity.x, at: 3 s, equals: 3 m/s, within: 1e-13 m/s}\n"
        "  - {channel: bodies.a.velocity.x, at: end, equals: 7 m/s, within: 1e-12 m/s}\n"
        "  - {channel: loads.push.active, at: 1.5 s, equals: 1, within: 0}\n"
        "  - {channel: loads.push.active, at: end, equals: 0, within: 0}\n"
        "  - {channel: bodies.a.mass, at: end, equals: 0.5 kg, within: 0 kg}\n"
        "  - {channel: \"bodies.a.inertia[2][2]\", at: end, equals: 2 kg*m^2, within: 0 kg*m^2}\n"
        "  - {channel: bodies.a.center_of_mass.x, at: end, equals: 0.1 m, within: 0 m}\n",
        NULL);
    assert_int_equal(o->status, FENDER_STATUS_OK);
    finish(o);
}

/* A sphere that flies through a wall which is a rule away from being one: switched on at 1 s, it turns the sphere at
 * once with what it then stores; switched off at 2 s, it lets it go. Switching to what is there already changes
 * nothing. */
static void switching(void **state)
{
    (void)state;
    outcome *o = run_with("fender: 1\n"
                          "integrator: {step: 1 ms}\n"
                          "run: {until: 3 s}\n"
                          "materials: {steel: {}}\n"
                          "contact_types:\n"
                          "  soft: {law: spring_damper, stiffness: 10 N/m}\n"
                          "  hard: {law: spring_damper, stiffness: 40 N/m}\n"
                          "rules:\n"
                          "  - {materials: [steel, steel], use: never}\n"
                          "  - {default: soft}\n"
                          "bodies:\n"
                          "  wall: {motion: fixed, shapes: {ball: {sphere: {radius: 1 m}, material: steel}}}\n"
                          "  ball:\n"
                          "    mass_properties: {mass: 2 kg, inertia: [1, 1, 1]}\n"
                          "    shapes: {hull: {sphere: {radius: 1 m}, material: steel}}\n"
                          "    state: {position: [3, 0, 0], velocity: [-1.5, 0, 0]}\n",
                          "actions:\n"
                          "  on: {when: {time: 1 s}, do: [{switch: {materials: [steel, steel], use: hard}}]}\n"
                          "  still: {when: {time: 1.1 s}, do: [{switch: {materials: [steel, steel], use: hard}},\n"
                          "                                    {switch: {default: hard}}]}\n"
                          "  softer: {when: {time: 1.2 s}, do: [{switch: {materials: [steel, steel], use: soft}}]}\n"
                          "  off: {when: {time: 2 s}, do: [{switch: {materials: [steel, steel], use: never}}]}\n"
                          "expect:\n"
                          "  - {channel: bodies.ball.position.x, at: 1 s, equals: 1.5 m, within: 1e-12 m}\n"
                          "  - {channel: ledger.energy.stored, at: 1 s, equals: 5 J, within: 1e-9 J}\n"
                          "  - {channel: ledger.energy.applied, at: 1 s, equals: 5 J, within: 1e-9 J}\n"
                          "  - {channel: events.begin.count, at: 1.15 s, equals: 1, within: 0}\n"
                          "  - {channel: events.end.count, at: 1.15 s, equals: 0, within: 0}\n"
                          "  - {channel: events.begin.count, at: 1.2 s, equals: 2, within: 0}\n"
                          "  - {channel: events.end.count, at: 1.2 s, equals: 1, within: 0}\n"
                          "  - {event: begin, contact: 'wall:ball', at: 1 s, within: 0 s}\n"
                          "  - {channel: ledger.energy.residual, at: max, below: 1e-3 J}\n"
                          "  - {channel: ledger.energy.stored, at: end, equals: 0 J, within: 0 J}\n",
                          NULL);
    assert_int_equal(o->status, FENDER_STATUS_OK);
    finish(o);
}

/* What the world refuses ends the run, with the action, its place and the reason; what went before stays. */
static void refusal(void **state)
{
    (void)state;
    outcome *o = run_with(
        bodies,
        "run: {until: 5 s}\n"
        "actions:\n"
        "  fine: {when: {time: 1 s}, do: [{attach: {child: b, to: a, pose: as_is}}]}\n"
        "  wrong: {when: {time: 2 s}, do: [{emit: tried}, {attach: {child: a, to: b, pose: as_is}}, {emit: no}]}\n",
        "refusal.run");
    assert_int_equal(o->status, FENDER_STATUS_TOPOLOGY);
    assert_string_equal(o->error.source, "scene.yaml");
    assert_int_equal(o->error.line, 15);
    assert_string_equal(o->error.path, "actions.wrong");
    assert_non_null(strstr(o->error.message, "action 'wrong' at 2 s: attach was refused"));
    assert_non_null(strstr(o->error.message, "same mass tree"));
    check_near(o->summary->end_time, 2, 0);
    assert_int_equal(o->summary->attachment_count, 1);
    assert_int_equal(o->summary->emission_count, 1);
    const char *summary = read_run_file("refusal.run", "summary.json");
    assert_non_null(strstr(summary, "\"complete\":false"));
    assert_non_null(strstr(summary, "\"line\":15"));
    assert_int_equal(count_lines(read_run_file("refusal.run", "events.csv")), 3); /* head, attach, tried */
    assert_true(count_lines(read_run_file("refusal.run", "replay.csv")) > 10);
    finish(o);
    o = run_with(bodies, "run: {until: 5 s}\nactions: {wrong: {when: {time: 0 s}, do: [{detach: a}]}}\n", NULL);
    assert_int_equal(o->status, FENDER_STATUS_TOPOLOGY);
    assert_non_null(strstr(o->error.message, "action 'wrong' at 0 s: detach was refused"));
    finish(o);
    o = run_with(bodies,
                 "run: {until: 5 s}\nactions: {wrong: {when: {time: 1 s}, do: [{set: "
                 "{bodies.a.mass_properties.inertia: [1, 1, 3]}}]}}\n",
                 NULL);
    assert_int_equal(o->status, FENDER_STATUS_VALUE);
    assert_non_null(strstr(o->error.message, "action 'wrong' at 1 s: set was refused: inertia violates the triangle"));
    finish(o);
}

/* Values beyond the range of what they set are known before a run: they are told with their places, all of them. */
static void ranges(void **state)
{
    (void)state;
    static const char scene[] =
        "fender: 1\n"
        "run: {until: 1 s}\n"
        "bodies:\n"
        "  a: {mass_properties: {mass: 2 kg, inertia: [1, 1, 1]}, points: {p: {}}}\n"
        "  b: {mass_properties: {mass: 3 kg, inertia: [1, 1, 1]}, points: {p: {}}, state: {position: [2, 0, 0, m]}}\n"
        "links: {s: {between: [a.p, b.p], law: strut, free_length: 2.5 m, stiffness: 10 N/m}}\n"
        "loads: {t: {kind: thruster, body: a, at: center, direction: [0, 0, 1], thrust: 3 N}}\n"
        "actions:\n"
        "  one: {when: {time: 1 ms}, do: [{set: {links.s.stiffness: %s}}]}\n"
        "  two: {when: {time: 2 ms}, do: [{set: {loads.t.throttle: %s}}]}\n"
        "  three: {when: {time: 3 ms}, do: [{set: {links.s.length: %s}}]}\n";
    for (int bad = 0; bad < 2; bad++) {
        char text[1200];
        static diagnostics told;
        snprintf(text, sizeof text, scene, bad ? "-3 N/m" : "0 N/m", bad ? "1.5" : "1", bad ? "-1 m" : "0 m");
        memset(&told, 0, sizeof told);
        fender_env env = fender_env_default();
        env.report = collect_diagnostic;
        env.report_ctx = &told;
        fender_scenario *scenario = fender_scenario_parse(&env, NULL, "ranges.yaml", text, strlen(text), NULL, 0, NULL);
        if (!scenario) print_error("%s\n", told.text);
        assert_non_null(scenario);
        const fender_run_def def = {.scenario = scenario};
        fender_run *run = fender_run_create(&env, &def, NULL);
        assert_true((run != NULL) == !bad);
        assert_int_equal(told.errors, bad ? 3 : 0);
        if (bad) assert_non_null(strstr(told.text, "9:41 'stiffness' of strut is too small"));
        if (bad) assert_non_null(strstr(told.text, "10:41 the throttle is not between 0 and 1"));
        if (bad) assert_non_null(strstr(told.text, "11:43 the length is negative"));
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

/* A contact that carries load ends with attachment, and comes back with detaching. */
static void contact_of_one_tree(void **state)
{
    (void)state;
    static const char scene[] =
        "fender: 1\n"
        "integrator: {step: 1 ms}\n"
        "materials: {m: {}}\n"
        "contact_types: {t: {law: spring_damper, stiffness: 1e4 N/m}}\n"
        "rules: [{default: t}]\n"
        "bodies:\n"
        "  a: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, shapes: {s: {sphere: {radius: 1}}}}\n"
        "  b: {like: a, state: {position: [1.99, 0, 0]}}\n"
        "run: {until: 1 s}\n"
        "actions:\n"
        "  join: {when: {time: 0 s}, do: [{attach: {child: b, to: a, pose: as_is}}]}\n"
        "  part: {when: {time: 0.5 s}, do: [{detach: {body: b, from: a, rule: tree}}]}\n"
        "expect:\n"
        "  - {channel: \"contacts.a.s:b.s.normal_force\", at: 0.25 s, equals: 0 N, within: 0 N}\n"
        "  - {channel: bodies.a.velocity.x, at: 0.5 s, equals: 0 m/s, within: 1e-15 m/s}\n"
        "  - {channel: bodies.b.velocity.x, at: end, equals: 0.7071067811865476 m/s, within: 1e-2 m/s, source: "
        "sqrt(E/m)}\n"
        "  - {channel: ledger.momentum.drift, at: max, below: 1e-13 N*s}\n"
        "  - {channel: events.begin.count, at: end, equals: 2, within: 0}\n"
        "  - {channel: events.end.count, at: end, equals: 2, within: 0}\n";
    outcome *o = run_with(scene, "", NULL);
    assert_int_equal(o->status, FENDER_STATUS_OK);
    check_near(o->summary->attachments[0].report.contact_energy_lost, 0.5, 1e-12);
    finish(o);
    /* a pair that hangs together at the start can be named too */
    o = run_with("fender: 1\n"
                 "integrator: {step: 1 ms}\n"
                 "contact_types: {t: {law: spring_damper, stiffness: 1e4 N/m}}\n"
                 "rules: [{default: t}]\n"
                 "bodies:\n"
                 "  a: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, shapes: {s: {sphere: {radius: 1}}}}\n"
                 "  b: {like: a, attached: {to: a, position: [1.99, 0, 0]}}\n"
                 "run: {until: 1 s}\n"
                 "actions: {part: {when: {time: 0.5 s}, do: [{detach: b}]}}\n"
                 "expect:\n"
                 "  - {channel: \"contacts.a.s:b.s.normal_force\", at: 0.4 s, equals: 0 N, within: 0 N}\n"
                 "  - {channel: \"contacts.a.s:b.s.normal_force\", at: 0.5 s, equals: 100 N, within: 1e-9 N}\n"
                 "  - {channel: \"contacts.a.s:b.s.peak_force\", at: max, equals: 100 N, within: 1e-9 N}\n",
                 "", NULL);
    assert_int_equal(o->status, FENDER_STATUS_OK);
    finish(o);
}

/* What hangs on bodies that nothing moves goes with them, and leaves them with their velocity field. */
static void immovable_parents(void **state)
{
    (void)state;
    static const char scene[] =
        "fender: 1\n"
        "run: {until: 1 s}\n"
        "integrator: {locate_events: true}\n"
        "materials: {m: {}}\n"
        "contact_types: {t: {law: spring_damper, stiffness: 1 kN/m}}\n"
        "rules: [{default: t}]\n"
        "world: {gravity: [0, 0, -9.81, m/s^2]}\n"
        "bodies:\n"
        "  wall: {motion: fixed, points: {hook: {position: [0, 0, 2]}}, state: {position: [1, 0, 0]}}\n"
        "  shelf: {motion: fixed, state: {relative_to: wall, position: [-1, 0, 1]}, shapes: {s: {sphere: {radius: "
        "0.1}}}}\n"
        "  box: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, points: {eye: {}}, attached: {by: eye, to: "
        "wall.hook}}\n"
        "  ball: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, shapes: {s: {sphere: {radius: 0.1}}}, state: "
        "{relative_to: shelf, position: [0, 0, 0.5]}}\n"
        "  cart: {motion: prescribed, state: {position: [5, 0, 0], velocity: [1, 0, 0]}}\n"
        "  rider: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, attached: {to: cart, position: [0, 0, 1]}}\n"
        "actions:\n"
        "  drop: {when: {time: 0.5 s}, do: [{detach: box}, {detach: rider}]}\n"
        "expect:\n"
        "  - {channel: bodies.box.position.z, at: 0.5 s, equals: 2 m, within: 1e-12 m}\n"
        "  - {channel: bodies.box.velocity.z, at: end, equals: -4.905 m/s, within: 1e-9 m/s}\n"
        "  - {channel: bodies.shelf.position.z, at: end, equals: 1 m, within: 0 m}\n"
        "  - {channel: bodies.rider.position.x, at: 0.5 s, equals: 5.5 m, within: 1e-12 m}\n"
        "  - {channel: bodies.rider.velocity.x, at: end, equals: 1 m/s, within: 1e-12 m/s}\n"
        "  - {channel: ledger.momentum.drift, at: max, below: 1e-10 N*s}\n";
    outcome *o = run_with(scene, "", NULL);
    assert_int_equal(o->status, FENDER_STATUS_OK);
    finish(o);
}

/* The samples with actions keep what they promise: conservation, JEOD's composite properties and rates. */
static void samples(void **state)
{
    (void)state;
    static const char *const names[] = {"capture", "apollo_stack"};
    for (int i = 0; i < 2; i++) {
        char path[512];
        outcome o = {0};
        fender_env env = fender_env_default();
        snprintf(path, sizeof path, FENDER_SOURCE_DIR "/samples/scenarios/%s.yaml", names[i]);
        o.scenario = fender_scenario_load(&env, NULL, path, NULL, 0, &o.error);
        assert_non_null(o.scenario);
        fender_run_def def = {.scenario = o.scenario};
        o.run = fender_run_create(&env, &def, &o.error);
        assert_non_null(o.run);
        o.status = fender_run_execute(o.run, &o.error);
        if (o.status != FENDER_STATUS_OK) print_error("%s: %s\n", names[i], o.error.message);
        assert_int_equal(o.status, FENDER_STATUS_OK);
        finish(&o);
    }
}

/* Contacts that no shapes can have are told; those that a switch or a detachment may bring are not. */
static void touch_that_cannot_be(void **state)
{
    (void)state;
    static const char scene[] =
        "fender: 1\n"
        "run: {until: 1 s}\n"
        "contact_types: {c: {law: spring_damper, stiffness: 1e4}}\n"
        "rules: [{bodies: [ground, a], use: c}, {bodies: [ground, off], use: c}, {default: never}]\n"
        "bodies:\n"
        "  ground: {motion: fixed, shapes: {s: {plane: {}}}}\n"
        "  a: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, state: {position: [0, 0, 9]}, shapes: {s: {sphere: "
        "{radius: 1}}}}\n"
        "  b: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, state: {position: [9, 0, 9]}, shapes: {s: {sphere: "
        "{radius: 1}}}}\n"
        "  off: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, state: {position: [0, 9, 9]}, shapes: {s: {sphere: "
        "{radius: 1}, active: false}}}\n"
        "  bare: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, state: {position: [9, 9, 9]}}\n"
        "actions: {one: {when: {begin: [ground, %s]}, do: [{emit: done}]}}\n";
    static const struct {
        const char *body, *remedy; /* NULL: no warning */
    } cases[] = {{"a", NULL}, {"off", NULL}, {"b", "`fender explain` tells why"}, {"bare", "name the attached body"}};
    for (int i = 0; i < 4; i++) {
        char text[2000];
        static diagnostics told;
        snprintf(text, sizeof text, scene, cases[i].body);
        memset(&told, 0, sizeof told);
        fender_env env = fender_env_default();
        env.report = collect_diagnostic;
        env.report_ctx = &told;
        fender_scenario *scenario = fender_scenario_parse(&env, NULL, "touch.yaml", text, strlen(text), NULL, 0, NULL);
        if (!scenario) print_error("%s\n", told.text);
        assert_non_null(scenario);
        const fender_run_def def = {.scenario = scenario};
        fender_run *run = fender_run_create(&env, &def, NULL);
        assert_non_null(run);
        assert_true((strstr(told.text, "this is never true") != NULL) == (cases[i].remedy != NULL));
        if (cases[i].remedy) assert_non_null(strstr(told.text, cases[i].remedy));
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

/* A tank that an action parts from its thruster still feeds it: told, unless the action cuts the thrust, too. Tanks
 * that go along with their thruster, or never were in its tree, are not. */
static void tanks_that_are_dropped(void **state)
{
    (void)state;
    static const char scene[] =
        "fender: 1\nrun: {until: 1 s}\nbodies:\n"
        "  s: {mass_properties: {mass: 100 kg, inertia: [20, 20, 20]}}\n"
        "  stage: {mass_properties: {mass: 9 kg, inertia: [1, 1, 1]}, attached: {to: s, position: [0, 0, -1]}}\n"
        "  t: {mass_properties: {mass: 60 kg, inertia: [5, 5, 5]}, attached: {to: stage, position: [0, 0, -1]}}\n"
        "  far: {mass_properties: {mass: 60 kg, inertia: [5, 5, 5]}, state: {position: [9, 0, 0, m]}}\n"
        "loads:\n"
        "  e: {kind: thruster, body: %s, at: center, direction: [0, 0, 1], thrust: 1 kN, throttle: 1,\n"
        "      specific_impulse: 200 s, tank: %s, dry_mass: 5 kg}\n"
        "actions: {drop: {when: {time: 0.5 s}, do: [%s]}}\n";
    static const struct {
        const char *body, *tank, *operations;
        bool told;
    } cases[] = {{"s", "t", "{detach: t}", true},
                 {"s", "t", "{detach: stage}", true},
                 {"stage", "s", "{detach: stage}", true},
                 {"s", "t", "{set: {loads.e.throttle: 0.5}}, {detach: t}", true},
                 {"s", "t", "{detach: t}, {set: {loads.e.active: false}}", false},
                 {"s", "t", "{set: {loads.e.throttle: 0}}, {detach: stage}", false},
                 {"stage", "t", "{detach: stage}", false},
                 {"s", "s", "{detach: t}", false},
                 {"s", "far", "{detach: t}", false},
                 {"far", "t", "{detach: t}", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2000];
        snprintf(text, sizeof text, scene, cases[i].body, cases[i].tank, cases[i].operations);
        outcome *o = run_with(text, "", NULL);
        assert_int_equal(o->status, FENDER_STATUS_OK);
        assert_int_equal(count_of(o->f.text, "goes on drawing from tank"), cases[i].told);
        assert_int_equal(o->f.warnings, cases[i].told);
        finish(o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timeline),
        cmocka_unit_test(names_of_events),
        cmocka_unit_test(reattached),
        cmocka_unit_test(accepted_steps_only),
        cmocka_unit_test(aligned),
        cmocka_unit_test(placed),
        cmocka_unit_test(order),
        cmocka_unit_test(edges),
        cmocka_unit_test(near_points),
        cmocka_unit_test(within_steps),
        cmocka_unit_test(passing_within_steps),
        cmocka_unit_test(crests_within_steps),
        cmocka_unit_test(paths_within_steps),
        cmocka_unit_test(looks_where_it_is_near),
        cmocka_unit_test(failed_search),
        cmocka_unit_test(settings),
        cmocka_unit_test(switching),
        cmocka_unit_test(refusal),
        cmocka_unit_test(ranges),
        cmocka_unit_test(contact_of_one_tree),
        cmocka_unit_test(immovable_parents),
        cmocka_unit_test(touch_that_cannot_be),
        cmocka_unit_test(tanks_that_are_dropped),
        cmocka_unit_test(samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
