/* Sections `materials`, `contact_types` and `rules`. */
#include "scenario/law_expression.h"
#include "scenario/parameters.h"
#include "scenario/section.h"
#include "scenario/table.h"
#include <string.h>

/* ---- Forces from outside ---- */

static const double since_ever = -1e300; /* s */

/* "[x, y]" or "one number": what one contact gets. */
static const char *one_force(int components) { return components == 1 ? "one number" : "x and y"; }

/* How many contacts the numbers are for; 0 after a diagnostic. */
static int check_count(fnd_reader *reader, const fnd_node *node, const char *name, int count, int components)
{
    if (count > 0 && count % components == 0) return count / components;
    fnd_complain(
        reader, fnd_node_shown_location(node), FENDER_STATUS_PARSE,
        fnd_phrase_make("%s of '%s': wrong number, %d", components == 1 ? "the values" : "pairs of values", name, count)
            .text,
        fnd_phrase_make("%d", count).text,
        fnd_phrase_make("%s for all, or for each point of a cloud in their order", one_force(components)).text,
        "complete them");
    return 0;
}

static bool read_constant(fnd_reader *reader, const fnd_node *node, int components, fender_force_table *force)
{
    double *values = NULL, *time = fnd_keep(reader, 1, sizeof *time);
    int count = 1;
    if (node->kind == FND_NODE_LIST) {
        const fnd_node *last = node->first;
        while (last && last->next) last = last->next;
        count = node->count - (last && fnd_is_unit_element(last) ? 1 : 0);
    }
    force->columns = check_count(reader, node, "constant", count, components);
    if (force->columns == 0 || !time || !(values = fnd_keep(reader, (size_t)count, sizeof *values))) return false;
    if (node->kind == FND_NODE_LIST ? !fnd_read_numbers(reader, node, "constant", "N", count, values)
                                    : !fnd_read_number(reader, node, "constant", "N", values))
        return false;
    *time = since_ever;
    force->times = time;
    force->values = values;
    force->count = 1;
    return true;
}

static bool read_table(fnd_reader *reader, fnd_node *table, int components, fender_force_table *force)
{
    static const char *const keys[] = {"columns", "rows", "file", "between", "after", NULL};
    static const char *const betweens[] = {"linear", NULL}, *const afters[] = {"hold", "zero", NULL};
    if (!fnd_expect_map(reader, table, "table")) return false;
    bool good = fnd_check_keys(reader, table, "a table", keys);
    fnd_node *columns_node = fnd_require(reader, table, "columns", "the table",
                                         components == 1 ? "[s, N]" : "[s, N, N]");
    fnd_node *between = fnd_node_find(table, "between"), *after = fnd_node_find(table, "after");
    fnd_table_columns columns = {0};
    int choice = 0;
    if (between) good = fnd_read_choice(reader, between, "between", betweens, &choice) && good;
    if (after && fnd_read_choice(reader, after, "after", afters, &choice))
        force->after = choice == 0 ? FENDER_AFTER_HOLD : FENDER_AFTER_ZERO;
    if (!fnd_check_table_source(reader, table) || !columns_node || !good) return false;
    if (!fnd_read_table_columns(reader, columns_node, &columns)) return false;
    force->columns = check_count(reader, columns_node, "columns", columns.count - 1, components);
    double *rows = NULL;
    int row_count = 0;
    if (force->columns == 0 || !fnd_read_table_rows(reader, table, &columns, "N", &rows, &row_count)) return false;
    size_t width = (size_t)columns.count - 1;
    double *times = fnd_keep(reader, (size_t)row_count, sizeof *times);
    double *values = fnd_keep(reader, (size_t)row_count * width, sizeof *values);
    if (!times || !values) return false;
    for (size_t i = 0; i < (size_t)row_count; i++) {
        times[i] = rows[i * (width + 1)];
        memcpy(values + i * width, rows + i * (width + 1) + 1, width * sizeof *values);
    }
    force->times = times;
    force->values = values;
    force->count = row_count;
    return true;
}

/* Force from outside of a contact type: `components` 1 (normal) or 2 (friction) for all or for each point. */
static bool read_prescribed_force(fnd_reader *reader, fnd_node *node, int components, fender_force_table *force)
{
    static const char *const keys[] = {"constant", "table", NULL};
    if (!fnd_expect_map(reader, node, "force") || !fnd_check_keys(reader, node, "a force from outside", keys))
        return false;
    if (node->count != 1) {
        fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'force' has %s", node->count ? "more than one form" : "no form").text,
                     fnd_phrase_make("%d", node->count).text, "constant or table", "keep one of them");
        return false;
    }
    fnd_node *form = node->first;
    return strcmp(form->key, "constant") == 0 ? read_constant(reader, form, components, force)
                                              : read_table(reader, form, components, force);
}

/* ---- Materials and contact types ---- */

fnd_located_text fnd_located(const fnd_node *node)
{
    fnd_located_text posed = {node->text, node->location};
    return posed;
}

static void read_material(fnd_reader *reader, fnd_node *node, fnd_material_constants *constants)
{
    static const struct {
        const char *name, *unit;
        double minimum;
        bool above;
    } fields[] = {{"young", "Pa", 0, true}, {"poisson", "1", -1, true}, {"density", "kg/m^3", 0, true}};
    static const char *const keys[] = {"young", "poisson", "density", NULL};
    if (!fnd_expect_map(reader, node, node->key)) return;
    (void)fnd_check_keys(reader, node, "a material", keys);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        fnd_node *field = fnd_node_find(node, fields[i].name);
        double value = 0;
        if (!field || !fnd_read_number_from(reader, field, fields[i].name, fields[i].unit, fields[i].minimum,
                                            fields[i].above, &value))
            continue;
        if (i == 1 && value > 0.5)
            fnd_complain(reader, &field->location, FENDER_STATUS_VALUE,
                         fnd_phrase_make("'poisson' must be at most 0.5, not %s", fnd_shown(field->text).text).text,
                         fnd_shown(field->text).text, "-1 to 0.5", "0.3 is usual for metals");
        if (i == 0) constants->young = value;
        if (i == 1) constants->poisson = value, constants->poisson_given = true;
    }
}

void fnd_read_materials(fnd_reader *reader, fnd_node *section)
{
    fender_scenario *scenario = reader->scenario;
    scenario->materials = fnd_keep_section(reader, section, "materials", sizeof *scenario->materials);
    if (!scenario->materials) return;
    scenario->material_constants = fnd_keep(reader, (size_t)section->count, sizeof *scenario->material_constants);
    if (!scenario->material_constants) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        scenario->materials[scenario->material_count] = fnd_read_name(reader, node, "a material");
        read_material(reader, node, &scenario->material_constants[scenario->material_count++]);
    }
}

int fnd_find_material(fnd_reader *reader, const fnd_node *node, const char *name)
{
    for (int i = 0; i < reader->scenario->material_count; i++)
        if (strcmp(reader->scenario->materials[i].name, name) == 0) return i;
    fnd_complain_unknown(reader, &node->location, "material", "materials", name,
                         fnd_node_find(reader->root, "materials"));
    return -1;
}

/* ---- laws */

/* True if the law applies a prescribed force. */
static bool is_input(const fender_law *law) { return strcmp(law->name, "input") == 0; }

/* Parameters of the law that `node` names; NULL after a diagnostic. */
static void *read_parameters(fnd_reader *reader, fnd_node *node, const fender_law *law, bool whole)
{
    static const char *const keys_of_part[] = {"law", NULL}, *const keys_of_input[] = {"law", "force", NULL};
    static const char *const keys_of_whole[] = {"law",    "normal",         "friction", "rolling", "twisting",
                                                "points", "zero_crossings", "debug",    NULL};
    const bool formula = fnd_law_is_expression(law);
    fnd_parameter_set set = {law->name,
                             "laws",
                             &law->parameters,
                             whole           ? keys_of_whole
                             : is_input(law) ? keys_of_input
                             : formula       ? fnd_law_expression_keys(law)
                                             : keys_of_part,
                             law,
                             formula ? NULL : law->check};
    void *parameters = fnd_read_parameters(reader, node, &set);
    if (parameters && formula) fnd_read_law_expression(reader, node, law, parameters);
    return parameters;
}

static void complain_law(fnd_reader *reader, const fnd_node *node, const char *message_end, fender_law_kind kind)
{
    fnd_known_name names[64];
    int count = 0;
    for (int i = 0; count < 64; i++) {
        const fender_law *law = fender_law_at(reader->scenario->registry, i);
        if (!law) break;
        if (law->kinds & (uint32_t)kind) names[count++] = (fnd_known_name){law->name, 0};
    }
    fnd_phrase found = fnd_shown(node->text);
    fnd_complain(reader, &node->location, FENDER_STATUS_NAME, fnd_phrase_make(message_end, found.text).text, found.text,
                 "the name of a law", fnd_suggest(reader, node->text, "laws", names, count).text);
}

/* `law: NAME` in a map; NULL after a diagnostic. `kind` says where it stands. */
static const fender_law *read_law(fnd_reader *reader, const fnd_node *node, fender_law_kind kind, const char *what)
{
    const char *name = NULL;
    fnd_node *law_node = fnd_require(reader, node, "law", what, "spring_damper");
    if (!law_node || !fnd_read_text(reader, law_node, "law", &name)) return NULL;
    const fender_law *law = fender_law_find(reader->scenario->registry, name);
    if (!law) {
        complain_law(reader, law_node, "no law is named '%s'", kind);
        return NULL;
    }
    if (!(law->kinds & (uint32_t)kind)) {
        complain_law(reader, law_node,
                     kind == FENDER_LAW_WHOLE      ? "law '%s' cannot be used alone"
                     : kind == FENDER_LAW_NORMAL   ? "law '%s' cannot be used under 'normal'"
                     : kind == FENDER_LAW_FRICTION ? "law '%s' cannot be used under 'friction'"
                     : kind == FENDER_LAW_ROLLING  ? "law '%s' cannot be used under 'rolling'"
                                                   : "law '%s' cannot be used under 'twisting'",
                     kind);
        return NULL;
    }
    return law;
}

static void read_part(fnd_reader *reader, fnd_node *node, fender_law_kind kind, const fender_law **law,
                      void **parameters, fnd_location *location, fender_force_table *prescribed_force)
{
    if (kind != FENDER_LAW_NORMAL && node->kind == FND_NODE_TEXT && strcmp(node->text, "none") == 0) return;
    if (!fnd_expect_map(reader, node, node->key)) return;
    *location = *fnd_node_shown_location(node);
    *law = read_law(reader, node, kind, fnd_phrase_make("'%s'", node->key).text);
    if (!*law) return;
    *parameters = read_parameters(reader, node, *law, false);
    if (!prescribed_force || !is_input(*law)) return;
    int components = kind == FENDER_LAW_NORMAL ? 1 : 2;
    fnd_node *force = fnd_require(reader, node, "force", "law 'input'",
                                  components == 1 ? "{constant: 10 N}" : "{constant: [1, 0, N]}");
    if (force) (void)read_prescribed_force(reader, force, components, prescribed_force);
}

/* `rolling` and `twisting`, beside a whole law or a normal one. */
static void read_turning(fnd_reader *reader, const fnd_node *node, fnd_contact_type_description *type)
{
    fnd_node *rolling = fnd_node_find(node, "rolling"), *twisting = fnd_node_find(node, "twisting");
    if (rolling)
        read_part(reader, rolling, FENDER_LAW_ROLLING, &type->rolling, &type->rolling_parameters,
                  &type->rolling_location, NULL);
    if (twisting)
        read_part(reader, twisting, FENDER_LAW_TWISTING, &type->twisting, &type->twisting_parameters,
                  &type->twisting_location, NULL);
}

/* `points`, `zero_crossings` and `debug`. */
static void read_options(fnd_reader *reader, const fnd_node *node, fnd_contact_type_description *type)
{
    static const char *const modes[] = {"patch", "single", "corners", NULL}; /* as fender_contact_points */
    const fnd_node *points = fnd_node_find(node, "points"), *crossings = fnd_node_find(node, "zero_crossings");
    int mode = 0;
    bool located = true;
    if (points && fnd_read_choice(reader, points, "points", modes, &mode)) type->points = (fender_contact_points)mode;
    const fnd_node *debug = fnd_node_find(node, "debug");
    if (debug) (void)fnd_read_bool(reader, debug, "debug", &type->debug);
    if (crossings && fnd_read_bool(reader, crossings, "zero_crossings", &located)) type->unlocated = !located;
}

/* Limits that differ along x and y of the contact frame, which the axes of the world have chosen. */
static void warn_of_no_direction(fnd_reader *reader, const fnd_node *node, const fnd_contact_type_description *type)
{
    if (!type->law_parameters || strcmp(type->law->name, "SpringContact") != 0) return;
    const fender_spring_contact_parameters *p = type->law_parameters;
    const bool has_direction = p->along.x != 0 || p->along.y != 0 || p->along.z != 0;
    if (p->X_Limit == p->Y_Limit || has_direction) return;
    const fnd_node *limit = fnd_node_find(node, "X_Limit");
    if (!limit) limit = fnd_node_find(node, "Y_Limit");
    fnd_diagnostic_add(reader->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_OK,
                       limit ? &limit->key_location : &node->key_location,
                       "X_Limit and Y_Limit differ, and no direction says which is which", "no 'along'",
                       "'along', the direction of X_Limit in the axes of a shape, or equal limits",
                       "add along: [1, 0, 0] and fixed_to: a or b; otherwise the axes of the world choose");
}

static void read_contact_type(fnd_reader *reader, fnd_node *node, fnd_contact_type_description *type)
{
    static const char *const parts[] = {"normal",
                                        "friction",
                                        "law",
                                        "points",
                                        "zero_crossings",
                                        "debug",
                                        "rolling",
                                        "twisting",
                                        FND_LATER "adhesion",
                                        FND_LATER "sliding",
                                        NULL};
    if (!fnd_expect_map(reader, node, node->key)) return;
    read_options(reader, node, type);
    fnd_node *law = fnd_node_find(node, "law"), *normal = fnd_node_find(node, "normal");
    fnd_node *friction = fnd_node_find(node, "friction");
    type->law_location = law ? law->location : node->key_location;
    if (law && (normal || friction)) {
        const fnd_node *second = normal ? normal : friction;
        fnd_complain(reader, &second->key_location, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'%s' and 'law' cannot be combined", second->key).text, second->key,
                     "either 'law', or 'normal' with or without 'friction'", "remove one of them");
        return;
    }
    if (law) {
        type->law = read_law(reader, node, FENDER_LAW_WHOLE, "the contact type");
        if (type->law) type->law_parameters = read_parameters(reader, node, type->law, true);
        warn_of_no_direction(reader, node, type);
        read_turning(reader, node, type);
        return;
    }
    bool keys = fnd_check_keys(reader, node, "a contact type without 'law'", parts);
    if (!normal && !friction) {
        if (keys)
            fnd_complain(reader, &node->key_location, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("contact type '%s' has no law", fnd_shown(node->key).text).text, "nothing",
                         "'law: NAME', or 'normal: {law: NAME, ..}'", "`fender info laws` lists the laws");
        return;
    }
    if (!normal && !fnd_is_misspelt_in(node, "normal"))
        fnd_complain(reader, &friction->key_location, FENDER_STATUS_ARGUMENT, "'friction' needs 'normal'",
                     "friction alone", "'normal: {law: NAME, ..}'", "add a normal law");
    if (normal)
        read_part(reader, normal, FENDER_LAW_NORMAL, &type->normal, &type->normal_parameters, &type->normal_location,
                  &type->prescribed_force.normal);
    if (normal) type->normal_formula = fnd_law_formula(normal, type->normal);
    if (friction)
        read_part(reader, friction, FENDER_LAW_FRICTION, &type->friction, &type->friction_parameters,
                  &type->friction_location, &type->prescribed_force.friction);
    if (friction) type->friction_formula = fnd_law_formula(friction, type->friction);
    read_turning(reader, node, type);
}

void fnd_read_contact_types(fnd_reader *reader, fnd_node *section)
{
    fender_scenario *scenario = reader->scenario;
    scenario->contact_types = fnd_keep_section(reader, section, "contact_types", sizeof *scenario->contact_types);
    if (!scenario->contact_types) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        fnd_contact_type_description *type = &scenario->contact_types[scenario->contact_type_count++];
        if (fnd_check_name(reader, node->key, &node->key_location, "a contact type") && strcmp(node->key, "never") == 0)
            fnd_complain(reader, &node->key_location, FENDER_STATUS_NAME,
                         "'never' cannot be the name of a contact type", "never", "another name",
                         "in rules, it excludes a pair");
        type->id = (fnd_named){node->key, node->key_location};
        read_contact_type(reader, node, type);
    }
}

/* ---- Rules ---- */

bool fnd_find_contact_type(fnd_reader *reader, const fnd_node *node, int *use)
{
    const char *name = NULL;
    if (!fnd_read_text(reader, node, node->key, &name)) return false;
    for (int i = 0; i < reader->scenario->contact_type_count; i++)
        if (strcmp(reader->scenario->contact_types[i].id.name, name) == 0) return *use = i, true;
    fnd_complain_unknown(reader, &node->location, "contact type", "contact types", name,
                         fnd_node_find(reader->root, "contact_types"));
    return false;
}

static bool read_use(fnd_reader *reader, const fnd_node *node, int *use)
{
    *use = -1;
    if (node->kind == FND_NODE_TEXT && strcmp(node->text, "never") == 0) return true;
    return fnd_find_contact_type(reader, node, use);
}

static bool read_pair(fnd_reader *reader, const fnd_node *list, fnd_rule_description *rule)
{
    const char *name = NULL;
    if (!fnd_expect_list(reader, list, list->key)) return false;
    if (list->count != 2) {
        fnd_complain(reader, fnd_node_shown_location(list), FENDER_STATUS_PARSE,
                     fnd_phrase_make("'%s' needs two names, not %d", list->key, list->count).text,
                     fnd_phrase_make("%d", list->count).text, "two names",
                     rule->kind == FENDER_RULE_MATERIALS ? "write [a, b]; both names may be equal" : "write [a, b]");
        return false;
    }
    bool good = true;
    for (int i = 0; i < 2; i++) {
        const fnd_node *node = i == 0 ? list->first : list->last;
        int *body = i == 0 ? &rule->body_a : &rule->body_b, *shape = i == 0 ? &rule->shape_a : &rule->shape_b;
        int *material = i == 0 ? &rule->material_a : &rule->material_b;
        if (!fnd_read_text(reader, node, list->key, &name)) good = false;
        else if (rule->kind == FENDER_RULE_SHAPES) good = fnd_find_shape(reader, node, body, shape) && good;
        else if (rule->kind == FENDER_RULE_BODIES) good = (*body = fnd_find_body(reader, node, name)) >= 0 && good;
        else good = (*material = fnd_find_material(reader, node, name)) >= 0 && good;
    }
    if (good && rule->kind != FENDER_RULE_MATERIALS && rule->body_a == rule->body_b) {
        fnd_complain(reader, &list->last->location, FENDER_STATUS_VALUE,
                     fnd_phrase_make("both are %s body '%s', and a body does not touch itself",
                                     rule->kind == FENDER_RULE_BODIES ? "the" : "on",
                                     reader->scenario->bodies[rule->body_a].id.name)
                         .text,
                     fnd_shown(list->last->text).text, "two bodies", "name the other body");
        good = false;
    }
    return good;
}

static bool same_pair(const fnd_rule_description *a, const fnd_rule_description *b)
{
    if (a->kind != b->kind) return false;
    switch (a->kind) {
    case FENDER_RULE_SHAPES:
        return (a->body_a == b->body_a && a->shape_a == b->shape_a && a->body_b == b->body_b &&
                a->shape_b == b->shape_b) ||
               (a->body_a == b->body_b && a->shape_a == b->shape_b && a->body_b == b->body_a &&
                a->shape_b == b->shape_a);
    case FENDER_RULE_BODIES:
        return (a->body_a == b->body_a && a->body_b == b->body_b) || (a->body_a == b->body_b && a->body_b == b->body_a);
    case FENDER_RULE_MATERIALS:
        return (a->material_a == b->material_a && a->material_b == b->material_b) ||
               (a->material_a == b->material_b && a->material_b == b->material_a);
    case FENDER_RULE_DEFAULT: break;
    }
    return true;
}

static bool is_repeated(fnd_reader *reader, const fnd_rule_description *rule)
{
    for (int i = 0; i < reader->scenario->rule_count; i++) {
        const fnd_rule_description *other = &reader->scenario->rules[i];
        if (!same_pair(rule, other)) continue;
        fnd_complain(reader, &rule->location, FENDER_STATUS_NAME, "a second rule for the same pair", "the pair again",
                     "one rule of each kind for a pair",
                     fnd_phrase_make("the first is in line %d; remove one", other->location.line).text);
        return true;
    }
    return false;
}

/* Treatment of pairs of geometries without a contact function. */
static bool read_unsupported(fnd_reader *reader, const fnd_node *node, bool *ignore)
{
    const char *text = NULL;
    if (!fnd_read_text(reader, node, node->key, &text)) return false;
    *ignore = strcmp(text, "ignore") == 0;
    if (!*ignore)
        fnd_complain(reader, &node->location, FENDER_STATUS_VALUE, "'unsupported' is not known", fnd_shown(text).text,
                     "ignore", "write ignore, or omit it");
    return *ignore;
}

static bool read_rule(fnd_reader *reader, fnd_node *node, fnd_rule_description *rule)
{
    static const char *const keys[] = {"shapes", "bodies", "materials", "default", "use", "unsupported", NULL};
    static const char *const kinds[] = {"shapes", "bodies", "materials", "default"};
    if (!fnd_expect_map(reader, node, "rules") || !fnd_check_keys(reader, node, "a rule", keys)) return false;
    const fnd_node *given = NULL, *use = fnd_node_find(node, "use"), *unsupported = fnd_node_find(node, "unsupported");
    for (int i = 0; i < 4; i++) {
        const fnd_node *form = fnd_node_find(node, kinds[i]);
        if (!form) continue;
        if (given) {
            fnd_complain(reader, &form->key_location, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("a rule has both '%s' and '%s'", given->key, form->key).text, form->key,
                         "one of shapes, bodies, materials, default", "write two rules");
            return false;
        }
        given = form;
        rule->kind = i == 0   ? FENDER_RULE_SHAPES
                     : i == 1 ? FENDER_RULE_BODIES
                     : i == 2 ? FENDER_RULE_MATERIALS
                              : FENDER_RULE_DEFAULT;
    }
    if (!given) {
        fnd_complain(reader, &node->location, FENDER_STATUS_ARGUMENT, "a rule names no shapes, bodies or materials",
                     "no shapes, bodies, materials or default", "one of shapes, bodies, materials, default",
                     "write {materials: [a, b], use: TYPE} or {default: TYPE}");
        return false;
    }
    rule->location = given->key_location;
    if (unsupported && !read_unsupported(reader, unsupported, &rule->ignore_unsupported)) return false;
    if (rule->kind == FENDER_RULE_DEFAULT) {
        if (use) {
            fnd_complain(reader, &use->key_location, FENDER_STATUS_ARGUMENT, "'use' and 'default' cannot be combined",
                         "use", "{default: TYPE}", "remove 'use'");
            return false;
        }
        return read_use(reader, given, &rule->use);
    }
    bool good = read_pair(reader, given, rule);
    if (!use) use = fnd_require(reader, node, "use", "the rule", "TYPE, or never");
    return use && read_use(reader, use, &rule->use) && good;
}

static const fnd_rule_description blank = {
    .body_a = -1, .shape_a = -1, .body_b = -1, .shape_b = -1, .material_a = -1, .material_b = -1, .use = -1};

bool fnd_read_switch(fnd_reader *reader, fnd_node *node, int *rule, int *use)
{
    const fender_scenario *scenario = reader->scenario;
    fnd_rule_description wanted = blank;
    if (!read_rule(reader, node, &wanted)) return false;
    *use = wanted.use;
    if (wanted.ignore_unsupported) {
        fnd_complain(reader, &wanted.location, FENDER_STATUS_ARGUMENT, "'switch' has 'unsupported'", "unsupported",
                     "the pair and 'use'", "write 'unsupported' in the rule under `rules`");
        return false;
    }
    for (*rule = 0; *rule < scenario->rule_count; (*rule)++)
        if (same_pair(&wanted, &scenario->rules[*rule])) return true;
    fnd_complain(reader, &wanted.location, FENDER_STATUS_NAME, "there is no rule of this kind for this pair", "no rule",
                 "a rule under `rules` for the same shapes, bodies or materials, or the default",
                 "add one there, for instance with 'use: never'");
    return false;
}

void fnd_read_rules(fnd_reader *reader, fnd_node *section)
{
    if (!section || !fnd_expect_list(reader, section, "rules")) return;
    fender_scenario *scenario = reader->scenario;
    scenario->rules = fnd_keep(reader, (size_t)section->count, sizeof *scenario->rules);
    if (!scenario->rules) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        fnd_rule_description rule = blank;
        if (read_rule(reader, node, &rule) && !is_repeated(reader, &rule))
            scenario->rules[scenario->rule_count++] = rule;
    }
}
