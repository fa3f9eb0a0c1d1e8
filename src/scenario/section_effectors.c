/* Sections `loads` and `sensors`, and functions of time. */
#include "scenario/formula.h"
#include "scenario/parameters.h"
#include "scenario/section.h"
#include "scenario/table.h"
#include <math.h>
#include <string.h>

/* ---- Functions of time ---- */

/* ---- tables */

static bool read_columns(fnd_reader *reader, const fnd_node *node, bool along, const char *unit,
                         fnd_table_columns *columns)
{
    if (!fnd_expect_list(reader, node, "columns")) return false;
    int wanted = along ? 2 : 4;
    if (node->count != wanted) {
        fnd_phrase found = fnd_phrase_make("%d", node->count);
        fnd_complain(
            reader, fnd_node_shown_location(node), FENDER_STATUS_PARSE,
            fnd_phrase_make("a table %s needs %d columns, not %s", along ? "with 'direction'" : "of vectors", wanted,
                            found.text)
                .text,
            found.text, along ? "time and one value" : "time and three components",
            along ? fnd_phrase_make("write [s, %s]", unit).text
                  : fnd_phrase_make("write [s, %s, %s, %s], or add 'direction' for one value", unit, unit, unit).text);
        return false;
    }
    return fnd_read_table_columns(reader, node, columns);
}

static bool read_direction(fnd_reader *reader, const fnd_node *node, fender_vec3 *direction)
{
    if (!fnd_read_vector(reader, node, "direction", "1", direction)) return false;
    double length = fender_vec3_length(*direction);
    if (length > 0) return *direction = fender_vec3_scale(1 / length, *direction), true;
    fnd_complain(reader, &node->location, FENDER_STATUS_VALUE, "'direction' is zero", "[0, 0, 0]",
                 "a vector that is not zero", "write [1, 0, 0] for x");
    return false;
}

static bool fill_table(fnd_reader *reader, const double *rows, int row_count, int stride, fender_vec3 direction,
                       const double **times, const fender_vec3 **values)
{
    double *t = fnd_keep(reader, (size_t)row_count, sizeof *t);
    fender_vec3 *v = fnd_keep(reader, (size_t)row_count, sizeof *v);
    if (!t || !v) return false;
    for (int i = 0; i < row_count; i++) {
        const double *row = rows + (size_t)i * (size_t)stride;
        t[i] = row[0];
        v[i] = stride == 2 ? fender_vec3_scale(row[1], direction) : fender_vec3_make(row[1], row[2], row[3]);
    }
    *times = t;
    *values = v;
    return true;
}

bool fnd_read_table(fnd_reader *reader, fnd_node *table, const char *name, const char *unit, const double **times,
                    const fender_vec3 **values, int *count, fender_signal_after *after)
{
    static const char *const keys[] = {"columns", "rows", "file", "between", "after", "direction", NULL};
    static const char *const betweens[] = {"linear", NULL}, *const afters[] = {"hold", "zero", NULL};
    if (!fnd_expect_map(reader, table, "table")) return false;
    bool good = fnd_check_keys(reader, table, "a table", keys);
    fnd_node *columns_node = fnd_require(reader, table, "columns", "the table", "[s, N, N, N]");
    fnd_node *between = fnd_node_find(table, "between"), *after_node = fnd_node_find(table, "after");
    fnd_node *direction_node = fnd_node_find(table, "direction");
    fnd_table_columns columns = {0};
    fender_vec3 direction = {0, 0, 0};
    int choice = 0;
    if (between) good = fnd_read_choice(reader, between, "between", betweens, &choice) && good;
    if (after_node && !after) {
        fnd_complain(reader, &after_node->key_location, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'after' has no meaning for '%s'", name).text, "after",
                     "a path holds its last position", "remove it");
        good = false;
    } else if (after_node && fnd_read_choice(reader, after_node, "after", afters, &choice))
        *after = choice == 0 ? FENDER_AFTER_HOLD : FENDER_AFTER_ZERO;
    if (direction_node) good = read_direction(reader, direction_node, &direction) && good;
    double *read = NULL;
    if (!fnd_check_table_source(reader, table)) return false;
    if (!columns_node || !read_columns(reader, columns_node, direction_node != NULL, unit, &columns) || !good)
        return false;
    if (!fnd_read_table_rows(reader, table, &columns, unit, &read, count)) return false;
    return fill_table(reader, read, *count, columns.count, direction, times, values);
}

/* ---- the three forms */

static bool read_ramp(fnd_reader *reader, fnd_node *node, const char *unit, fender_signal *signal)
{
    static const char *const keys[] = {"direction", "rate", "start", NULL};
    if (!fnd_expect_map(reader, node, "ramp")) return false;
    bool good = fnd_check_keys(reader, node, "a ramp", keys);
    fnd_phrase rate_unit = fnd_phrase_make("%s/s", unit), example = fnd_phrase_make("10 %s/s", unit);
    fnd_node *direction = fnd_require(reader, node, "direction", "the ramp", "[1, 0, 0]");
    fnd_node *rate = fnd_require(reader, node, "rate", "the ramp", example.text);
    fnd_node *start = fnd_node_find(node, "start");
    signal->kind = FENDER_SIGNAL_RAMP;
    good = direction && read_direction(reader, direction, &signal->direction) && good;
    good = rate && fnd_read_number(reader, rate, "rate", rate_unit.text, &signal->rate) && good;
    if (start) good = fnd_read_number(reader, start, "start", "s", &signal->start) && good;
    return good;
}

/* In the order of fender_load_slot. */
static const fnd_formula_slot load_slots[FENDER_LOAD_SLOT_COUNT] = {{"time", "s"},
                                                                    {"position.x", "m"},
                                                                    {"position.y", "m"},
                                                                    {"position.z", "m"},
                                                                    {"velocity.x", "m/s"},
                                                                    {"velocity.y", "m/s"},
                                                                    {"velocity.z", "m/s"},
                                                                    {"angular_velocity.x", "rad/s"},
                                                                    {"angular_velocity.y", "rad/s"},
                                                                    {"angular_velocity.z", "rad/s"},
                                                                    {"attitude.w", "1"},
                                                                    {"attitude.x", "1"},
                                                                    {"attitude.y", "1"},
                                                                    {"attitude.z", "1"},
                                                                    {"mass", "kg"}};
static const fnd_formula_kind load_formula = {.style = FND_EXPRESSION_LOAD,
                                              .slots = load_slots,
                                              .slot_count = FENDER_LOAD_SLOT_COUNT,
                                              .readable = FENDER_LOAD_SLOT_COUNT,
                                              .of = "loads",
                                              .what = "the time, a quantity of the body, a channel such as "
                                                      "bodies.NAME.position.x",
                                              .example = "(not time > t)",
                                              .reads = true};

static bool read_formula(fnd_reader *reader, fnd_node *node, const char *unit, fender_signal *signal,
                         const fnd_reading_description **readings)
{
    static const char *const keys[] = {"x", "y", "z", "constants", NULL};
    const bool force = strcmp(unit, "N") == 0;
    const fnd_formula_result wanted = {
        unit, force ? "a force" : "a torque", force ? "a force [N]" : "a torque [N*m]",
        force ? "give the constants their units: {k: 2e5 N/m}, or 2e5 [N/m] in the expression"
              : "give the constants their units: {k: 5 N*m/rad}, or 5 [N*m] in the expression"};
    if (!fnd_expect_map(reader, node, "formula") || !fnd_check_keys(reader, node, "a formula", keys)) return false;
    fender_expression *components = fnd_keep(reader, 3, sizeof *components);
    fnd_formula formula;
    if (!fnd_formula_begin(reader, &load_formula, fnd_node_find(node, "constants"), &formula) || !components)
        return false;
    memset(components, 0, 3 * sizeof *components);
    int given = 0;
    for (int i = 0; i < 3; i++) {
        const fnd_node *text = fnd_node_find(node, keys[i]);
        const char *unused;
        if (!text) continue;
        given++;
        int count = 0;
        if (!fnd_read_text(reader, text, keys[i], &unused)) return false;
        fender_instruction *program = fnd_formula_compile(&formula, text, &wanted, &count);
        if (!program) return false;
        count = fender_expression_shorten(program, count);
        if (count > FENDER_EXPRESSION_CAPACITY) {
            fnd_complain(reader, fnd_node_shown_location(text), FENDER_STATUS_VALUE,
                         "the expression of the load is too long", fnd_phrase_make("%d", count).text,
                         "at most 48 operations, names and numbers",
                         "compute what is constant beforehand, or make two loads of it");
            return false;
        }
        components[i].count = count;
        memcpy(components[i].code, program, (size_t)count * sizeof *program);
    }
    if (given == 0) {
        fnd_complain(reader, &node->key_location, FENDER_STATUS_ARGUMENT, "the formula has no component", "nothing",
                     "x, y or z",
                     force ? "write formula: {x: -k * position.x, constants: {k: 200 N/m}}"
                           : "write formula: {z: -c * angular_velocity.z, constants: {c: 2 N*m*s/rad}}");
        return false;
    }
    fnd_formula_end(&formula);
    signal->kind = FENDER_SIGNAL_FORMULA;
    signal->components = components;
    if (formula.reading_count == 0) return true;
    fnd_reading_description *read = fnd_keep(reader, (size_t)formula.reading_count, sizeof *read);
    if (!read) return false;
    memcpy(read, formula.readings, (size_t)formula.reading_count * sizeof *read);
    *readings = read;
    signal->reading_count = formula.reading_count;
    return true;
}

/* A function of time, or a formula. */
static bool read_signal(fnd_reader *reader, fnd_node *node, const char *name, const char *unit, fender_signal *signal,
                        const fnd_reading_description **readings)
{
    static const char *const keys[] = {"constant", "ramp", "table", "formula", NULL};
    if (node->kind == FND_NODE_LIST) {
        fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_PARSE,
                     fnd_phrase_make("'%s' is a function of time, not a list", name).text, "a list",
                     "{constant: ..}, {ramp: ..} or {table: ..}",
                     fnd_phrase_make("write %s: {constant: [x, y, z, %s]}", name, unit).text);
        return false;
    }
    if (!fnd_expect_map(reader, node, name)) return false;
    const fnd_node *after = fnd_node_find(node, "after"), *table = fnd_node_find(node, "table");
    if (after && table) {
        fnd_complain(reader, &after->key_location, FENDER_STATUS_NAME, "'after' belongs inside 'table'", "after",
                     "'after' among the keys of the table", "write {table: {columns: .., rows: .., after: zero}}");
        return false;
    }
    if (!fnd_check_keys(reader, node, "a function of time", keys)) return false;
    if (node->count != 1) {
        fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'%s' has %s", name, node->count ? "more than one form" : "no form").text,
                     fnd_phrase_make("%d", node->count).text, "one of constant, ramp, table, formula",
                     "keep one of them");
        return false;
    }
    fnd_node *form = node->first;
    if (strcmp(form->key, "constant") == 0) {
        signal->kind = FENDER_SIGNAL_CONSTANT;
        return fnd_read_vector(reader, form, "constant", unit, &signal->constant);
    }
    if (strcmp(form->key, "ramp") == 0) return read_ramp(reader, form, unit, signal);
    if (strcmp(form->key, "formula") == 0) return read_formula(reader, form, unit, signal, readings);
    signal->kind = FENDER_SIGNAL_TABLE;
    return fnd_read_table(reader, form, name, unit, &signal->times, &signal->values, &signal->count, &signal->after);
}

/* ---- Loads ---- */

static void read_point(fnd_reader *reader, const fnd_node *at, const fnd_node *position, fnd_load_description *load)
{
    fender_load_def *def = &load->def;
    if (at && position) {
        fnd_complain(reader, &position->key_location, FENDER_STATUS_ARGUMENT, "'position' and 'at' cannot be combined",
                     "both", "one of them, or neither for the centre of mass", "remove one of them");
        return;
    }
    const char *name = NULL;
    if (at && fnd_read_text(reader, at, "at", &name) && strcmp(name, "center") != 0 && load->body >= 0) {
        int point = fnd_find_point_of(reader, at, name, load->body);
        if (point < 0) return;
        def->at_center = false;
        def->point = reader->scenario->bodies[load->body].points[point].X_SP.p;
    }
    if (!position) return;
    def->at_center = false;
    (void)fnd_read_vector(reader, position, "position", "m", &def->point);
}

/* `kind` of a load; -1 after a diagnostic. */
static int read_kind(fnd_reader *reader, const fnd_node *node)
{
    enum { LIMIT = 16 };
    const char *names[LIMIT + 1] = {NULL};
    int index = FENDER_LOAD_GIVEN;
    for (int i = 0; i < LIMIT; i++) names[i] = fender_load_kind_name((fender_load_kind)i);
    return !node || fnd_read_choice(reader, node, "kind", names, &index) ? index : -1;
}

/* Loads whose wrench follows from parameters. */
static void read_parameters(fnd_reader *reader, fnd_node *node, fnd_load_description *load)
{
    static const char *const at_a_point[] = {"kind", "body", "at", "position", "active", NULL};
    static const char *const of_a_thruster[] = {"kind", "body", "at", "position", "active", "tank", NULL};
    static const char *const of_a_wheel[] = {"kind", "body", "active", NULL};
    fender_load_def *def = &load->def;
    const fender_load_kind kind = def->kind;
    const fnd_parameter_set set = {.law = fender_load_kind_name(kind),
                                   .topic = "loads",
                                   .table = fender_load_parameters(kind),
                                   .keys = kind == FENDER_LOAD_THRUSTER         ? of_a_thruster
                                           : kind == FENDER_LOAD_REACTION_WHEEL ? of_a_wheel
                                                                                : at_a_point};
    const void *parameters = fnd_read_parameters(reader, node, &set);
    if (!parameters) return;
    if (kind == FENDER_LOAD_DRAG) memcpy(&def->drag, parameters, sizeof def->drag);
    if (kind == FENDER_LOAD_SPRING) memcpy(&def->spring, parameters, sizeof def->spring);
    if (kind == FENDER_LOAD_REACTION_WHEEL) memcpy(&def->wheel, parameters, sizeof def->wheel);
    if (kind != FENDER_LOAD_THRUSTER) return;
    memcpy(&def->thruster, parameters, sizeof def->thruster);
    const fnd_node *tank = fnd_node_find(node, "tank");
    const char *name = NULL;
    if (tank && fnd_read_text(reader, tank, "tank", &name)) load->tank = fnd_find_body(reader, tank, name);
}

static void read_load(fnd_reader *reader, fnd_node *node, fnd_load_description *load)
{
    static const char *const keys[] = {"kind", "body", "at", "position", "force", "torque", "axes", "active", NULL};
    static const char *const axes_names[] = {"world", "body", NULL};
    if (!fnd_expect_map(reader, node, node->key)) return;
    const int kind = read_kind(reader, fnd_node_find(node, "kind"));
    if (kind == FENDER_LOAD_GIVEN) (void)fnd_check_keys(reader, node, "a load", keys);
    const char *name = NULL;
    fnd_phrase what = fnd_phrase_make("load '%s'", fnd_shown(node->key).text);
    fnd_node *body = fnd_require(reader, node, "body", what.text, "NAME");
    fnd_node *force = fnd_node_find(node, "force"), *torque = fnd_node_find(node, "torque");
    fnd_node *axes = fnd_node_find(node, "axes"), *active = fnd_node_find(node, "active");
    if (body && fnd_read_text(reader, body, "body", &name)) load->body = fnd_find_body(reader, body, name);
    read_point(reader, fnd_node_find(node, "at"), fnd_node_find(node, "position"), load);
    if (kind != FENDER_LOAD_GIVEN) {
        if (active) (void)fnd_read_bool(reader, active, "active", &load->def.active);
        if (kind < 0) return;
        load->def.kind = (fender_load_kind)kind;
        read_parameters(reader, node, load);
        return;
    }
    if (!force && !torque && !fnd_is_misspelt_in(node, "force") && !fnd_is_misspelt_in(node, "torque"))
        fnd_complain(reader, &node->key_location, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("%s has neither force nor torque", what.text).text, "nothing",
                     "'force' or 'torque'", "add 'force: {constant: [0, 0, 5, N]}'");
    if (force) (void)read_signal(reader, force, "force", "N", &load->def.force, &load->readings[0]);
    if (torque) (void)read_signal(reader, torque, "torque", "N*m", &load->def.torque, &load->readings[1]);
    int index = 0;
    if (axes && fnd_read_choice(reader, axes, "axes", axes_names, &index))
        load->def.axes = index == 0 ? FENDER_AXES_WORLD : FENDER_AXES_BODY;
    if (active) (void)fnd_read_bool(reader, active, "active", &load->def.active);
}

void fnd_read_loads(fnd_reader *reader, fnd_node *section)
{
    fender_scenario *scenario = reader->scenario;
    scenario->loads = fnd_keep_section(reader, section, "loads", sizeof *scenario->loads);
    if (!scenario->loads) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        fnd_load_description *load = &scenario->loads[scenario->load_count++];
        load->id = fnd_read_name(reader, node, "a load");
        load->def = fender_load_def_default();
        load->def.name = node->key;
        load->body = load->tank = -1;
        read_load(reader, node, load);
    }
}

/* ---- Sensors ---- */

/* `at`: a point of the body by name, or coordinates in its structure frame; nothing: its origin. */
static void read_place(fnd_reader *reader, const fnd_node *at, fnd_sensor_description *sensor)
{
    const char *name = NULL;
    if (!at) return;
    if (at->kind == FND_NODE_LIST) {
        (void)fnd_read_vector(reader, at, "at", "m", &sensor->beam.point);
        return;
    }
    if (!fnd_read_text(reader, at, "at", &name) || sensor->body < 0) return;
    int point = fnd_find_point_of(reader, at, name, sensor->body);
    if (point >= 0) sensor->beam.point = reader->scenario->bodies[sensor->body].points[point].X_SP.p;
}

static void read_sensor(fnd_reader *reader, fnd_node *node, fnd_sensor_description *sensor)
{
    static const char *const keys[] = {"body", "at", "direction", "range", NULL};
    if (!fnd_expect_map(reader, node, node->key)) return;
    (void)fnd_check_keys(reader, node, "a sensor", keys);
    const char *name = NULL;
    fnd_phrase what = fnd_phrase_make("sensor '%s'", fnd_shown(node->key).text);
    const fnd_node *body = fnd_require(reader, node, "body", what.text, "NAME");
    const fnd_node *direction = fnd_require(reader, node, "direction", what.text, "[0, 0, -1]");
    const fnd_node *range = fnd_node_find(node, "range");
    if (body && fnd_read_text(reader, body, "body", &name)) sensor->body = fnd_find_body(reader, body, name);
    read_place(reader, fnd_node_find(node, "at"), sensor);
    if (range && !(range->kind == FND_NODE_TEXT && strcmp(range->text, "none") == 0))
        (void)fnd_read_number_from(reader, range, "range", "m", 0, true, &sensor->beam.range);
    if (!direction || !fnd_read_vector(reader, direction, "direction", "1", &sensor->beam.direction)) return;
    if (fender_vec3_length(sensor->beam.direction) > 0) return;
    fnd_complain(reader, &direction->location, FENDER_STATUS_VALUE, "'direction' is zero", "[0, 0, 0]",
                 "a vector that is not zero", "write [0, 0, -1] for down");
}

void fnd_read_sensors(fnd_reader *reader, fnd_node *section)
{
    fender_scenario *scenario = reader->scenario;
    scenario->sensors = fnd_keep_section(reader, section, "sensors", sizeof *scenario->sensors);
    if (!scenario->sensors) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        fnd_sensor_description *sensor = &scenario->sensors[scenario->sensor_count++];
        sensor->id = fnd_read_name(reader, node, "a sensor");
        sensor->beam.range = INFINITY;
        sensor->body = -1;
        read_sensor(reader, node, sensor);
    }
}
