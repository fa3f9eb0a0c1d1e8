/* What each section says arrives in the description, in SI and in order. */
/* items: C032 B041 */
#include "collect.h"

#include <math.h>

static void defaults(void **state)
{
    (void)state;
    fender_scenario *s = parse("fender: 1\nrun: {until: 2 min}\nbodies: {a: {motion: fixed}}\n");
    assert_true(s->until == 120 && s->world.step == 0.01 && s->world.method == FENDER_INTEGRATOR_RK4);
    assert_int_equal(s->world.gravity.kind, FENDER_GRAVITY_NONE);
    assert_string_equal(fender_scenario_title(s), "");
    assert_string_equal(s->axes[2], "z");
    assert_int_equal(s->stop_when.kind, FND_CONDITION_NONE);
    fender_scenario_destroy(s);
}

static void world_and_integrator(void **state)
{
    (void)state;
    fender_scenario *s = parse(BODY_A "title: A\nabout: >\n  two\n  lines\nworld:\n  axes: [east, north, up]\n"
                                      "  gravity: {point_mass: {mu: 398600.4415 km^3/s^2, center: [1, 0, 0, "
                                      "km]}}\nintegrator: {locate_events: false}\n");
    assert_string_equal(s->axes[1], "north");
    assert_string_equal(s->about, "two lines\n");
    assert_int_equal(s->world.gravity.kind, FENDER_GRAVITY_POINT_MASS);
    assert_true(s->world.gravity.mu == 398600.4415e9 && s->world.gravity.center.x == 1000);
    fender_scenario_destroy(s);
}

/* CVODE's methods take tolerances beside the step where the build has them, and are refused by their reason where not.
 */
static void methods_of_sundials(void **state)
{
    (void)state;
    static const char text[] = BODY_A "integrator: {method: cvode_bdf, step: 2 ms, relative_tolerance: 1e-7}\n";
    collection c;
    fender_env env = collecting_env(&c);
    fender_scenario *s = fender_scenario_parse(&env, NULL, "text", text, strlen(text), NULL, 0, NULL);
    if (fender_integrator_name(FENDER_INTEGRATOR_CVODE_BDF)) {
        print_collection(&c);
        assert_non_null(s);
        assert_int_equal(s->world.method, FENDER_INTEGRATOR_CVODE_BDF);
        assert_true(s->world.step == 2e-3 && s->world.relative_tolerance == 1e-7);
        fender_scenario_destroy(s);
        return;
    }
    assert_null(s);
    assert_int_equal(c.list[0].status, FENDER_STATUS_NAME);
    assert_non_null(strstr(c.list[0].message, "needs SUNDIALS"));
    assert_non_null(strstr(c.list[0].suggestion, "FENDER_WITH_SUNDIALS"));
}

/* Scalars stay text until a field gives them a type: these names and texts are no truth values and no numbers. */
static void text_stays_text(void **state)
{
    (void)state;
    fender_scenario *s = parse(BODY_A
                               "  no: {motion: fixed}\n  null: {motion: fixed}\n  y: {motion: fixed}\ntitle: 1e3\n"
                               "about: 0x10\nmaterials: {on: {}, true: {}}\n");
    assert_string_equal(s->bodies[1].id.name, "no");
    assert_string_equal(s->bodies[2].id.name, "null");
    assert_string_equal(s->title, "1e3");
    assert_string_equal(s->about, "0x10");
    assert_string_equal(s->materials[1].name, "true");
    fender_scenario_destroy(s);
}

static void flow_and_block_are_the_same(void **state)
{
    (void)state;
    fender_scenario *flow = parse(
        "{fender: 1, run: {until: 1 s}, bodies: {a: {mass_properties: {mass: \"3 kg\", inertia: [1, 2, 2.5]}}}}");
    fender_scenario *block = parse(
        "---\nfender: 1\nrun:\n  until: 1 s\nbodies:\n  a:\n    mass_properties:\n      mass: '3 kg'\n"
        "      inertia:\n      - 1\n      - 2\n      - 2.5 # kg*m^2\n...\n");
    assert_memory_equal(&flow->bodies[0].def.mass_properties, &block->bodies[0].def.mass_properties,
                        sizeof(fender_mass_properties));
    fender_scenario_destroy(flow);
    fender_scenario_destroy(block);
}

static void vectors_and_units(void **state)
{
    (void)state;
    fender_scenario *s = parse(
        BODY_A "    state: {position: [1, -2.5, .5e1, km], velocity: [1 km/h, 2 m/s, 3]}\n  b:\n"
               "    mass_properties: {mass: 2 lbm, inertia: [[1, 0, 0], [0, 2, 0], [0, 0, 2], g*m^2]}\n");
    const fender_body_state *a = &s->bodies[0].def.state;
    assert_true(a->position.x == 1000 && a->position.y == -2500 && a->position.z == 5000);
    assert_true(fabs(a->velocity.x - 1 / 3.6) < 1e-16 && a->velocity.y == 2 && a->velocity.z == 3);
    assert_true(s->bodies[1].def.mass_properties.mass == 2 * 0.45359237);
    assert_true(s->bodies[1].def.mass_properties.inertia.m[1][1] == 0.002);
    fender_scenario_destroy(s);
}

/* The spring of JEOD's runs: 20 lbf/in and 0.4 lbf*s/in, by the definitions of pound-force and inch. */
static void law_parameters(void **state)
{
    (void)state;
    fender_scenario *s = parse(BODY_A "contact_types:\n  t: {law: jeod_spring, stiffness: 20 lbf/in, damping: 0.4 "
                                      "lbf*s/in, mu: 0.05, sense: pull}\n");
    const fnd_contact_type_description *t = &s->contact_types[0];
    const fender_field_table *table = &t->law->parameters;
    assert_true(fender_field_get(fender_field_find(table, "stiffness"), t->law_parameters, 0) == 3502.5367049295273);
    assert_true(fabs(fender_field_get(fender_field_find(table, "damping"), t->law_parameters, 0) - 70.050734098590539) <
                1e-13);
    assert_true(fender_field_get(fender_field_find(table, "sense"), t->law_parameters, 0) == 1);
    fender_scenario_destroy(s);
}

/* ---- a law of a host: every type of field, a unit that another field decides, none, a whole check */

typedef struct probe_parameters {
    double stiffness, exponent, limit;
    bool literal;
    int count, mode;
    fender_vec3 axis;
    fender_quaternion turn;
    fender_mat3 gain;
} probe_parameters;

static fender_status probe_check(const void *parameters, fender_error *error)
{
    const probe_parameters *p = parameters;
    if (p->count != 13) return FENDER_STATUS_OK;
    memset(error, 0, sizeof *error);
    error->status = FENDER_STATUS_VALUE;
    error->count = 1;
    snprintf(error->path, sizeof error->path, "count");
    snprintf(error->message, sizeof error->message, "13 is unlucky");
    return FENDER_STATUS_VALUE;
}
static void probe_force(const void *parameters, const fender_contact_input *in, const void *memory,
                        fender_contact_output *out)
{
    (void)memory;
    out->force.z = ((const probe_parameters *)parameters)->stiffness * in->depth;
}
static const char *const probe_modes[] = {"soft", "hard", NULL};
static const fender_field probe_fields[] = {
    {"stiffness", "N/m^{exponent}", "K.", FENDER_FIELD_REAL, offsetof(probe_parameters, stiffness),
     FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
    {"exponent", "1", "N.", FENDER_FIELD_REAL, offsetof(probe_parameters, exponent), FENDER_FIELD_ABOVE_MINIMUM, 0, 3,
     1, NULL},
    {"limit", "N", "L.", FENDER_FIELD_REAL, offsetof(probe_parameters, limit), FENDER_FIELD_NONE_ALLOWED, 0, INFINITY,
     5, NULL},
    {"literal", "1", "B.", FENDER_FIELD_BOOL, offsetof(probe_parameters, literal), 0, 0, 1, 0, NULL},
    {"count", "1", "I.", FENDER_FIELD_INT, offsetof(probe_parameters, count), 0, 0, 20, 2, NULL},
    {"mode", "1", "M.", FENDER_FIELD_ENUM, offsetof(probe_parameters, mode), 0, 0, 1, 0, probe_modes},
    {"axis", "m", "V.", FENDER_FIELD_VEC3, offsetof(probe_parameters, axis), 0, -INFINITY, INFINITY, 0, NULL},
    {"turn", "1", "Q.", FENDER_FIELD_QUATERNION, offsetof(probe_parameters, turn), 0, -INFINITY, INFINITY, 0, NULL},
    {"gain", "N/m", "G.", FENDER_FIELD_MATRIX3, offsetof(probe_parameters, gain), 0, -INFINITY, INFINITY, 0, NULL},
};
static const fender_law probe = {.size = sizeof(fender_law),
                                 .kinds = FENDER_LAW_WHOLE,
                                 .name = "probe",
                                 .doc = "A law of a host.",
                                 .parameters = FENDER_FIELD_TABLE("probe", probe_fields, probe_parameters),
                                 .check = probe_check,
                                 .force = probe_force};

static fender_scenario *with_probe(const fender_registry *registry, const char *parameters, collection *c)
{
    char text[1024];
    snprintf(text, sizeof text, BODY_A "contact_types:\n  t: {law: probe, %s}\n", parameters);
    fender_env env = collecting_env(c);
    return fender_scenario_parse(&env, registry, "text", text, strlen(text), NULL, 0, NULL);
}

static void law_of_a_host(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_registry *registry = fender_registry_create(&env, NULL);
    assert_non_null(registry);
    assert_int_equal(fender_registry_add_law(registry, &probe, NULL), FENDER_STATUS_OK);
    collection c;
    fender_scenario *s = with_probe(
        registry,
        "exponent: 1.5, stiffness: 2 kN/mm^1.5, limit: none, literal: true, count: 7, mode: hard, "
        "axis: [1, 2, 3, cm], turn: {axis: [1, 0, 0], angle: 180 deg}, gain: [1, 2, 3, kN/m]",
        &c);
    print_collection(&c);
    assert_non_null(s);
    const probe_parameters *p = s->contact_types[0].law_parameters;
    assert_true(fabs(p->stiffness / (2e3 * pow(1e3, 1.5)) - 1) < 1e-15);
    assert_true(isinf(p->limit) && p->literal && p->count == 7 && p->mode == 1);
    assert_true(p->axis.z == 0.03 && p->turn.x == 1 && p->gain.m[2][2] == 3000 && p->gain.m[0][1] == 0);
    fender_scenario_destroy(s);
    /* the unit follows the exponent: N/m does not fit 1.5, and does fit the initial 1 */
    assert_null(with_probe(registry, "exponent: 1.5, stiffness: 2 kN/m", &c));
    assert_int_equal(c.list[0].status, FENDER_STATUS_UNIT);
    assert_non_null(strstr(c.list[0].expected, "N/m^1.5"));
    s = with_probe(registry, "stiffness: 2 kN/m", &c);
    assert_non_null(s);
    assert_true(((const probe_parameters *)s->contact_types[0].law_parameters)->limit == 5);
    fender_scenario_destroy(s);
    assert_null(with_probe(registry, "stiffness: 1, exponent: 0", &c)); /* the minimum itself is refused */
    assert_int_equal(c.list[0].status, FENDER_STATUS_VALUE);
    assert_null(with_probe(registry, "stiffness: 1, count: 1.5", &c));
    assert_int_equal(c.list[0].status, FENDER_STATUS_VALUE);
    assert_null(with_probe(registry, "stiffness: none", &c)); /* only where the field allows it */
    assert_int_equal(c.list[0].status, FENDER_STATUS_PARSE);
    assert_null(with_probe(registry, "stiffness: 1, count: 13", &c)); /* the law's own check, at the field it names */
    assert_string_equal(c.list[0].message, "13 is unlucky");
    assert_int_equal(c.list[0].column, 40);
    fender_registry_destroy(registry);
}

static void record_and_expect(void **state)
{
    (void)state;
    fender_scenario *s = parse(BODY_A
                               "record:\n  log: {file: a/log.csv, every: 10 ms, channels: [bodies.*.mass, time]}\n"
                               "  all: {file: all.csv, on: steps, channels: [time]}\n  e: {file: e.csv, on: events}\n"
                               "expect:\n  - {channel: bodies.a.mass, equals: 1 kg, within: 1 g, source: hand}\n"
                               "  - {channel: time, below: 3 s}\n  - {channel: time, above: 3 s}\n"
                               "  - {channel: time, at: 500 ms, above: 0, below: 1}\n"
                               "  - {event: begin, contact: \"a.x:b.y\", at: 2 s, within: 10 ms}\n");
    assert_int_equal(s->record_count, 3);
    assert_true(s->records[0].every == 0.01 && s->records[0].channel_count == 2);
    assert_string_equal(s->records[0].channels[0].text, "bodies.*.mass");
    assert_int_equal(s->records[0].channels[1].location.column, 66);
    assert_int_equal(s->records[1].trigger, FND_RECORD_STEPS);
    assert_int_equal(s->records[2].trigger, FND_RECORD_EVENTS);
    const fnd_expectation *e = s->expectations;
    assert_int_equal(s->expectation_count, 5);
    assert_int_equal(e[0].at, FND_EXPECT_END);
    assert_string_equal(e[0].equals.text, "1 kg");
    assert_string_equal(e[0].source, "hand");
    assert_int_equal(e[1].at, FND_EXPECT_MAX); /* a bound without a time holds always */
    assert_int_equal(e[2].at, FND_EXPECT_MIN);
    assert_true(e[3].at == FND_EXPECT_TIME && e[3].at_time == 0.5);
    assert_true(e[4].event_time == 2 && e[4].event_within == 0.01);
    assert_string_equal(e[4].contact.text, "a.x:b.y");
    assert_null(e[4].channel.text);
    fender_scenario_destroy(s);
}

static void conditions(void **state)
{
    (void)state;
    fender_scenario *s = parse(
        "fender: 1\nrun:\n  until: 1 s\n  stop_when:\n    any:\n      - {time: 5 s}\n"
        "      - all: [{begin: [a, b.s]}, {end: [a, b]}, {channel: time, above: 3 s}]\n"
        "bodies:\n  a: {motion: fixed}\n  b: {motion: fixed, shapes: {s: {sphere: {radius: 1}}}}\n");
    const fnd_condition *c = &s->stop_when;
    assert_int_equal(c->kind, FND_CONDITION_ANY);
    assert_int_equal(c->child_count, 2);
    assert_true(c->children[0].time == 5);
    assert_int_equal(c->children[1].child_count, 3);
    assert_string_equal(c->children[1].children[0].b.text, "b.s");
    assert_string_equal(c->children[1].children[2].above.text, "3 s");
    fender_scenario_destroy(s);
}

static void loads_and_csv(void **state)
{
    (void)state;
    FILE *file = fopen("thrust.csv", "wb");
    assert_non_null(file);
    fputs("# a comment\n\n\"time [ms]\", \"other, too\", fz [kN],\"fx [N]\", fy [N]\n0,x,0,0,0\n  500 , y , 2, 1, "
          "-1\r\n\n",
          file);
    fclose(file);
    fender_scenario *s = parse(
        BODY_A "loads:\n  l: {body: a, force: {table: {file: thrust.csv, columns: [time, fx, fy, fz]}}}\n"
               "  r: {body: a, force: {ramp: {direction: [0, 2, 0], rate: 1 kN/min, start: 1 ms}}}\n"
               "  k: {body: a, torque: {constant: [0, 0, 5, N*mm]}, at: center}\n");
    const fender_signal *f = &s->loads[0].def.force;
    assert_int_equal(f->count, 2);
    assert_true(f->times[1] == 0.5 && f->values[1].x == 1 && f->values[1].y == -1 && f->values[1].z == 2000);
    assert_true(s->loads[1].def.force.direction.y == 1 && fabs(s->loads[1].def.force.rate - 1000.0 / 60) < 1e-14);
    assert_true(s->loads[2].def.torque.constant.z == 0.005 && s->loads[2].def.at_center);
    fender_scenario_destroy(s);
}

/* Forces from outside: constant, table, columns per point, out of a CSV file; options of a contact type. */
static void contact_type_options(void **state)
{
    (void)state;
    FILE *file = fopen("feet.csv", "wb");
    assert_non_null(file);
    fputs("time [ms],left [kN],right [N]\n0,0,1\n500,2,3\n", file);
    fclose(file);
    fender_scenario *s = parse(
        BODY_A
        "contact_types:\n"
        "  a: {points: single, zero_crossings: false, normal: {law: input, force: {constant: 5 kN}}, friction: none}\n"
        "  b:\n    normal: {law: input, force: {table: {columns: [ms, N], rows: [[0, 1], [10, 2 kN]], after: zero}}}\n"
        "    friction: {law: input, force: {constant: [1, 2, 3, 4, kN]}}\n"
        "  c:\n    points: patch\n"
        "    normal: {law: input, force: {table: {file: feet.csv, columns: [time, left, right]}}}\n"
        "    friction: {law: smooth_stick_slip, mu_static: 0.5, mu_dynamic: 0.3}\n"
        "  d: {law: smooth_spring_damper, stiffness: 1 kN/m, transition_width: 1 mm, points: corners}\n"
        "  e: {normal: {law: smooth_spring_damper, stiffness: 1, transition_width: 0}, friction: {law: none}}\n");
    const fnd_contact_type_description *t = s->contact_types;
    assert_int_equal(s->contact_type_count, 5);
    assert_true(t[0].points == FENDER_CONTACT_POINTS_SINGLE && t[0].unlocated && !t[0].friction);
    const fender_force_table *f = &t[0].prescribed_force.normal;
    assert_true(f->count == 1 && f->columns == 1 && f->values[0] == 5000 && f->times[0] < -1e200);
    assert_int_equal(f->after, FENDER_AFTER_HOLD);
    f = &t[1].prescribed_force.normal;
    assert_true(f->count == 2 && f->columns == 1 && f->times[1] == 0.01 && f->values[0] == 1 && f->values[1] == 2000);
    assert_int_equal(f->after, FENDER_AFTER_ZERO);
    f = &t[1].prescribed_force.friction;
    assert_true(f->count == 1 && f->columns == 2 && f->values[0] == 1000 && f->values[3] == 4000);
    f = &t[2].prescribed_force.normal;
    assert_true(f->count == 2 && f->columns == 2 && f->times[1] == 0.5);
    assert_true(f->values[0] == 0 && f->values[1] == 1 && f->values[2] == 2000 && f->values[3] == 3);
    assert_true(!t[2].unlocated && t[2].points == FENDER_CONTACT_POINTS_PATCH &&
                t[2].prescribed_force.friction.count == 0);
    assert_true(t[3].points == FENDER_CONTACT_POINTS_CORNERS && t[3].law && t[3].prescribed_force.normal.count == 0);
    assert_string_equal(t[4].friction->name, "none");
    fender_scenario_destroy(s);
}

/* What is in the format and not here is said to be so, and materials' numbers are accepted with a warning. */
static void warnings(void **state)
{
    (void)state;
    collection c;
    fender_scenario *s = parse_with(BODY_A "materials: {steel: {young: 210 GPa, density: 7.8 g/cm^3}}\n", NULL, 0, &c);
    assert_non_null(s);
    assert_int_equal(c.errors, 0);
    assert_int_equal(c.count, 2);
    assert_int_equal(c.list[0].severity, FENDER_SEVERITY_WARNING);
    fender_scenario_destroy(s);
}

/* A frame of a planet without gravity is told, unless the scenario says which, or that there is none. */
static void weightless(void **state)
{
    (void)state;
    static const char *const frames[] = {"{planet: moon, latitude: 0 deg}", "{planet: earth, origin: center}",
                                         "{planet: earth, orbit: {semi_major_axis: 7000 km}}",
                                         "{planet: {radius: 1 km}, latitude: 0 deg}"};
    static const char *const gravities[] = {"", "gravity: none", "gravity: planet", "gravity: [0, 0, -1, m/s^2]"};
    for (int f = 0; f < 4; f++)
        for (int g = 0; g < 4; g++) {
            if (g > 0 && f >= 2) continue; /* an orbit has its planet's, and that without mu has none */
            char text[400];
            collection c;
            snprintf(text, sizeof text, BODY_A "world: {frame: %s%s%s}\n", frames[f], g > 0 ? ", " : "", gravities[g]);
            fender_scenario *s = parse_with(text, NULL, 0, &c);
            assert_non_null(s);
            assert_int_equal(c.errors, 0);
            assert_int_equal(c.count, f < 2 && g == 0);
            if (c.count > 0) assert_int_equal(c.list[0].severity, FENDER_SEVERITY_WARNING);
            fender_scenario_destroy(s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weightless),           cmocka_unit_test(defaults),
        cmocka_unit_test(world_and_integrator), cmocka_unit_test(methods_of_sundials),
        cmocka_unit_test(text_stays_text),      cmocka_unit_test(flow_and_block_are_the_same),
        cmocka_unit_test(vectors_and_units),    cmocka_unit_test(law_parameters),
        cmocka_unit_test(law_of_a_host),        cmocka_unit_test(record_and_expect),
        cmocka_unit_test(conditions),           cmocka_unit_test(contact_type_options),
        cmocka_unit_test(loads_and_csv),        cmocka_unit_test(warnings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
