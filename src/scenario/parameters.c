/* Parameters of laws: by the law's table of fields, by a known material, by what is wanted of a contact. */
#include "scenario/parameters.h"

#include "scenario/orientation.h"
#include "scenario/section.h"
#include "support/io_error.h"
#include <assert.h>
#include <fender/advice.h>
#include <fender/sizing.h>
#include <math.h>
#include <string.h>

/* ---- Known materials ---- */

static const char *const material_keys[2] = {"material", "material_b"};

static bool gives(const fender_known_material *material, const fender_law *law, bool other)
{
    for (int i = 0; i < law->parameters.count; i++)
        if (!isnan(fender_known_material_value(material, fender_field_at(&law->parameters, i)->name, other)))
            return true;
    return false;
}

/* Is it a key that names a material, and does the law take constants of it? */
static bool is_material_key(const fender_law *law, const char *key)
{
    for (int k = 0; law && k < 2; k++) {
        if (strcmp(key, material_keys[k]) != 0) continue;
        for (int i = 0; fender_known_material_at(i); i++)
            if (gives(fender_known_material_at(i), law, k == 1)) return true;
    }
    return false;
}

/* False after a diagnostic. */
static bool read_known_materials(fnd_reader *reader, fnd_node *node, const fender_law *law, fnd_known_materials *found)
{
    *found = (fnd_known_materials){{NULL, NULL}};
    for (int k = 0; law && k < 2; k++) {
        const char *name = "";
        fnd_node *given = is_material_key(law, material_keys[k]) ? fnd_node_find(node, material_keys[k]) : NULL;
        if (!given) continue;
        if (!fnd_read_text(reader, given, material_keys[k], &name)) return false;
        found->of[k] = fender_known_material_find(name);
        if (found->of[k] && gives(found->of[k], law, k == 1)) continue;
        fnd_nearest search = fnd_nearest_begin(name, strlen(name));
        const char *best = NULL;
        fnd_phrase names = {""};
        for (int i = 0; fender_known_material_at(i); i++) {
            const fender_known_material *m = fender_known_material_at(i);
            if (!gives(m, law, k == 1)) continue;
            if (fnd_nearest_offer(&search, m->name)) best = m->name;
            names = fnd_phrase_make("%s%s%s", names.text, names.text[0] ? ", " : "", m->name);
        }
        fnd_complain(
            reader, fnd_node_shown_location(given), FENDER_STATUS_NAME,
            fnd_phrase_make(found->of[k] ? "material '%s' has no constants for law '%s'" : "no material is named '%s'",
                            fnd_shown(name).text, law->name)
                .text,
            name, names.text,
            best ? fnd_phrase_make("did you mean '%s'?   `fender info materials` lists all", best).text
                 : "`fender info materials` lists all");
        return false;
    }
    return true;
}

/* The value that they give a parameter; NaN: none. */
static double known_value(const fnd_known_materials *found, const char *parameter)
{
    for (int k = 0; k < 2; k++) {
        double value = found->of[k] ? fender_known_material_value(found->of[k], parameter, k == 1) : (double)NAN;
        if (!isnan(value)) return value;
    }
    return (double)NAN;
}

/* ---- Tables of fields ---- */

static const char *kind_of(const fnd_parameter_set *set)
{
    return !set->topic ? "geometry" : strcmp(set->topic, "loads") == 0 ? "kind" : "law";
}

/* A field's unit with {name} replaced by the value that the other field got. */
static fnd_phrase resolve_unit(const fender_field_table *table, const void *object, const char *unit)
{
    const char *open = strchr(unit, '{'), *close = open ? strchr(open, '}') : NULL;
    if (!close || close - open > 40) return fnd_phrase_make("%s", unit);
    char name[48];
    memcpy(name, open + 1, (size_t)(close - open) - 1);
    name[close - open - 1] = 0;
    const fender_field *other = fender_field_find(table, name);
    if (!other) return fnd_phrase_make("%s", unit);
    fnd_phrase value = fnd_digits(fender_field_get(other, object, 0), "");
    return fnd_phrase_make("%.*s%s%s", (int)(open - unit), unit, value.text, close + 1);
}

/* False after a diagnostic; node: what the value came from. */
static bool check_range(fnd_reader *reader, const fnd_node *node, const fender_field *field, const char *unit,
                        double value)
{
    bool above = (field->flags & FENDER_FIELD_ABOVE_MINIMUM) != 0;
    bool low = above ? !(value > field->minimum) : !(value >= field->minimum), high = !(value <= field->maximum);
    if (!low && !high) return true;
    fnd_phrase bound = fnd_digits(low ? field->minimum : field->maximum, unit);
    fnd_phrase expected = fnd_phrase_make(low ? (above ? "more than %s" : "%s or more") : "at most %s", bound.text);
    fnd_phrase found = node->kind == FND_NODE_TEXT ? fnd_shown(node->text) : fnd_digits(value, unit);
    fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_VALUE,
                 fnd_phrase_make("'%s' must be %s, not %s", field->name, expected.text, found.text).text, found.text,
                 expected.text, low && value < 0 ? "is the sign right?" : "");
    return false;
}

/* Does the law derive this parameter at all? */
static bool law_derives(const fender_law *law, const char *name)
{
    for (const fender_derivation *row = law ? law->derivations : NULL; row && row->parameter; row++)
        if (strcmp(row->parameter, name) == 0) return true;
    return false;
}

/* False after a diagnostic. */
static bool note_sizing_spec(fnd_reader *reader, fnd_node *node, const fender_law *law, void *object,
                             const fender_field *field, const char *unit)
{
    fnd_sizing_spec *spec = fnd_keep(reader, 1, sizeof *spec), **last = &reader->sizing_specs;
    char *own_unit = fnd_keep_text(reader, unit, strlen(unit));
    if (!spec || !own_unit) return false;
    *spec = (fnd_sizing_spec){node, law, object, field, own_unit, false, NULL};
    while (*last) last = &(*last)->next;
    *last = spec;
    return true;
}

/* stick_speed and rest_rate, where they are not given: sliding and turning under gravity must be able to end within a
 * step. */
static bool note_default(fnd_reader *reader, fnd_node *node, const fender_law *law, void *object,
                         const fender_field *field, const char *unit)
{
    const bool slides = strcmp(field->name, "stick_speed") == 0, turns = strcmp(field->name, "rest_rate") == 0;
    if (!law || !(slides || turns) || (slides && !fender_field_find(&law->parameters, "mu_kinetic"))) return true;
    if (turns && !fender_field_find(&law->parameters, "arm") && !fender_field_find(&law->parameters, "radius"))
        return true;
    if (!note_sizing_spec(reader, node, law, object, field, unit)) return false;
    fnd_sizing_spec *last = reader->sizing_specs;
    while (last->next) last = last->next;
    return last->by_step = true;
}

static bool read_components(fnd_reader *reader, fnd_node *node, const fender_field *field, const char *unit,
                            void *object)
{
    double values[9];
    int count = fender_field_component_count(field);
    if (field->type == FENDER_FIELD_QUATERNION) {
        fender_quaternion q;
        if (!fnd_read_orientation(reader, node, field->name, &q)) return false;
        memcpy(values, &q, sizeof q);
    } else if (field->type == FENDER_FIELD_MATRIX3) {
        if (!fnd_read_matrix(reader, node, field->name, unit, true, (fender_mat3 *)values)) return false;
    } else if (!fnd_read_numbers(reader, node, field->name, unit, count, values)) return false;
    for (int i = 0; i < count; i++) {
        if (!check_range(reader, node, field, unit, values[i])) return false;
        fender_field_set(field, object, i, values[i]);
    }
    return true;
}

/* *derived is set when the value is to come later. */
static bool read_field(fnd_reader *reader, fnd_node *node, const fnd_parameter_set *set, const fender_field *field,
                       const char *unit, void *object, bool *derived)
{
    double value = 0;
    bool truth = false;
    int index = 0;
    bool none = (field->flags & FENDER_FIELD_NONE_ALLOWED) != 0;
    switch (field->type) {
    case FENDER_FIELD_BOOL:
        if (!fnd_read_bool(reader, node, field->name, &truth)) return false;
        fender_field_set(field, object, 0, truth ? 1 : 0);
        return true;
    case FENDER_FIELD_ENUM:
        if (!fnd_read_choice(reader, node, field->name, field->choices, &index)) return false;
        fender_field_set(field, object, 0, index);
        return true;
    case FENDER_FIELD_INT:
        if (!fnd_read_integer(reader, node, field->name, -2147483647, 2147483647, &index)) return false;
        if (!check_range(reader, node, field, unit, index)) return false;
        fender_field_set(field, object, 0, index);
        return true;
    case FENDER_FIELD_REAL:
        if (none && node->kind == FND_NODE_TEXT && strcmp(node->text, "none") == 0) {
            fender_field_set(field, object, 0, (double)INFINITY);
            return true;
        }
        if (node->kind == FND_NODE_MAP && law_derives(set->contact_law, field->name)) {
            *derived = true;
            return note_sizing_spec(reader, node, set->contact_law, object, field, unit);
        }
        if (node->kind == FND_NODE_MAP && set->contact_law) {
            fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("law '%s' does not derive '%s'", set->law, field->name).text, "a map",
                         fnd_phrase_make("a number [%s]", unit).text,
                         fnd_phrase_make("give '%s' as a number%s%s%s", field->name, strcmp(unit, "1") ? " [" : "",
                                         strcmp(unit, "1") ? unit : "", strcmp(unit, "1") ? "]" : "")
                             .text);
            return false;
        }
        if (node->kind == FND_NODE_MAP) {
            fnd_complain_later(reader, fnd_node_shown_location(node), "a derived value",
                               fnd_phrase_make("give '%s' as a number [%s]", field->name, unit).text);
            return false;
        }
        if (!fnd_read_number(reader, node, field->name, unit, &value)) return false;
        if (!check_range(reader, node, field, unit, value)) return false;
        fender_field_set(field, object, 0, value);
        return true;
    default: return read_components(reader, node, field, unit, object);
    }
}

static void complain_parameter(fnd_reader *reader, const fnd_node *node, const fnd_parameter_set *set)
{
    const fender_field_table *table = set->table;
    fnd_nearest search = fnd_nearest_begin(node->key, strlen(node->key));
    fnd_phrase names = {""};
    const fender_field *best = NULL;
    for (int i = 0; i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        if (fnd_nearest_offer(&search, field->name)) best = field;
        names = fnd_phrase_make("%s%s%s", names.text, i > 0 ? ", " : "", field->name);
    }
    fnd_phrase found = fnd_shown(node->key);
    fnd_phrase lists = set->topic ? fnd_phrase_make("`fender info %s %s` lists all", set->topic, set->law)
                                  : fnd_phrase_make("its plug-in has: %s", names.text);
    bool bare = best && strcmp(best->unit, "1") == 0;
    fnd_phrase near = best ? fnd_phrase_make("did you mean '%s'%s%s%s?   %s", best->name, bare ? "" : " [",
                                             bare ? "" : best->unit, bare ? "" : "]", lists.text)
                           : lists;
    fnd_complain(reader, &node->key_location, FENDER_STATUS_NAME,
                 fnd_phrase_make("'%s' is not a parameter of %s '%s'", found.text, kind_of(set), set->law).text,
                 found.text, names.text, near.text);
}

static bool is_key_of_the_map(const fnd_parameter_set *set, const char *key)
{
    for (int i = 0; set->keys[i]; i++)
        if (strcmp(set->keys[i], key) == 0) return true;
    return false;
}

static void mark_unknown_parameters(fnd_reader *reader, fnd_node *node, const fnd_parameter_set *set)
{
    for (fnd_node *child = node->first; child; child = child->next) {
        if (is_key_of_the_map(set, child->key) || fender_field_find(set->table, child->key)) continue;
        if (is_material_key(set->contact_law, child->key)) continue;
        child->unknown = true;
        complain_parameter(reader, child, set);
    }
}

void *fnd_read_parameters(fnd_reader *reader, fnd_node *node, const fnd_parameter_set *set)
{
    assert(set);
    const fender_field_table *table = set->table;
    void *object = fnd_keep(reader, 1, table->size > 0 ? table->size : 1);
    if (!object) return NULL;
    (void)fender_field_initialize(table, object, table->size, NULL);
    mark_unknown_parameters(reader, node, set);
    fnd_known_materials materials;
    bool good = read_known_materials(reader, node, set->contact_law, &materials), derived = false;
    for (int pass = 0; pass < 2; pass++) /* fields whose unit depends on another come second */
        for (int i = 0; i < table->count; i++) {
            const fender_field *field = fender_field_at(table, i);
            if ((strchr(field->unit, '{') != NULL) != (pass == 1)) continue;
            fnd_phrase unit = resolve_unit(table, object, field->unit);
            fnd_node *given = fnd_node_find(node, field->name);
            double known = known_value(&materials, field->name);
            if (!given && !isnan(known)) fender_field_set(field, object, 0, known);
            else if (given) good = read_field(reader, given, set, field, unit.text, object, &derived) && good;
            else if (!note_default(reader, node, set->contact_law, object, field, unit.text)) good = false;
            else if ((field->flags & FENDER_FIELD_REQUIRED) != 0) {
                bool bare = strcmp(unit.text, "1") == 0;
                good = false;
                (void)fnd_require(reader, node, field->name, fnd_phrase_make("%s '%s'", kind_of(set), set->law).text,
                                  bare ? "NUMBER" : fnd_phrase_make("NUMBER %s", unit.text).text);
            }
        }
    fender_error error = {0};
    if (good && !derived && set->check && set->check(object, &error) != FENDER_STATUS_OK) {
        const fnd_node *at = fnd_node_find(node, error.path);
        fnd_diagnostic_add_error(reader->diagnostics, &error,
                                 at ? fnd_node_shown_location(at) : fnd_node_shown_location(node));
    }
    return object;
}

/* ---- What is wanted ---- */

/* ---- masses */

int fnd_scenario_root(const fender_scenario *scenario, int body)
{
    for (int steps = 0; steps < scenario->body_count; steps++) {
        const fnd_attachment_description *attached = &scenario->bodies[body].attached;
        if (attached->location.line == 0 || attached->parent < 0) break;
        body = attached->parent;
    }
    return body;
}

/* Of all that hangs together with the body; infinite when no force moves it, 0 when it is not known. */
static double composite_mass(const fender_scenario *scenario, int body)
{
    int root = fnd_scenario_root(scenario, body);
    fender_motion motion = scenario->bodies[root].def.motion;
    double sum = 0;
    if (motion != FENDER_MOTION_DYNAMIC && motion != FENDER_MOTION_MASS_ONLY) return (double)INFINITY;
    for (int i = 0; i < scenario->body_count; i++)
        if (fnd_scenario_root(scenario, i) == root) sum += scenario->bodies[i].def.mass_properties.mass;
    return sum;
}

/* `mass: {between: [a, b]}` */
static bool read_mass_between(fnd_reader *reader, fnd_node *node, double *mass, fnd_phrase *names)
{
    static const char *const keys[] = {"between", NULL};
    double masses[2];
    const char *name[2] = {"", ""};
    if (!fnd_check_keys(reader, node, "a mass between bodies", keys)) return false;
    fnd_node *list = fnd_require(reader, node, "between", "the mass", "[veh1, veh2]");
    if (!list || !fnd_expect_list(reader, list, "between")) return false;
    if (list->count != 2) {
        fnd_complain(reader, fnd_node_shown_location(list), FENDER_STATUS_PARSE,
                     fnd_phrase_make("'between' needs two bodies, not %d", list->count).text,
                     fnd_phrase_make("%d", list->count).text, "two names of bodies", "write [veh1, veh2]");
        return false;
    }
    for (int i = 0; i < 2; i++) {
        const fnd_node *item = i == 0 ? list->first : list->last;
        if (!fnd_read_text(reader, item, "between", &name[i])) return false;
        int body = fnd_find_body(reader, item, name[i]);
        if (body < 0) return false;
        masses[i] = composite_mass(reader->scenario, body);
    }
    *mass = fender_reduced_mass(masses[0], masses[1]);
    *names = fnd_phrase_make(" (%s, %s)", name[0], name[1]);
    if (isfinite(*mass)) return true;
    bool heavy = isinf(*mass); /* else a mass is missing, and has its diagnostic */
    if (heavy || fnd_diagnostics_error_count(reader->diagnostics) == 0)
        fnd_complain(reader, fnd_node_shown_location(list), FENDER_STATUS_VALUE,
                     heavy ? "neither of the two bodies is dynamic" : "the mass of one of the two bodies is unknown",
                     names->text + 1, "at least one dynamic body", "give the mass as a number");
    return false;
}

/* ---- materials */

static bool modulus_of_pair(fnd_reader *reader, const fnd_node *node, int a, int b, double *modulus)
{
    fnd_material_constants *constants = reader->scenario->material_constants;
    const int both[] = {a, b};
    for (int i = 0; i < 2; i++) {
        fnd_material_constants *m = &constants[both[i]];
        m->used = true;
        if (m->young > 0 && m->poisson_given) continue;
        const fnd_named *material = &reader->scenario->materials[both[i]];
        fnd_complain(
            reader, fnd_node_shown_location(node), FENDER_STATUS_ARGUMENT,
            fnd_phrase_make("material '%s' has no '%s'", material->name, m->young > 0 ? "poisson" : "young").text,
            material->name, "young and poisson of both materials",
            fnd_phrase_make("add them to material '%s' (line %d)", material->name, material->location.line).text);
        return false;
    }
    *modulus = fender_hertz_modulus(constants[a].young, constants[a].poisson, constants[b].young, constants[b].poisson);
    return true;
}

static int material_of(const fender_scenario *scenario, int body, int shape)
{
    return scenario->bodies[body].shapes[shape].material;
}

/* The modulus of the pairs of materials for which rules choose the contact type; it has to be the same for all. */
static bool modulus_of_rules(fnd_reader *reader, const fnd_node *node, int type, double *modulus, fnd_phrase *names)
{
    fender_scenario *scenario = reader->scenario;
    bool any = false;
    for (int i = 0; i < scenario->rule_count; i++) {
        const fnd_rule_description *rule = &scenario->rules[i];
        if (rule->use != type) continue;
        int a = rule->material_a, b = rule->material_b;
        bool told = rule->kind == FENDER_RULE_MATERIALS;
        if (rule->kind == FENDER_RULE_SHAPES) {
            a = material_of(scenario, rule->body_a, rule->shape_a);
            b = material_of(scenario, rule->body_b, rule->shape_b);
            told = a >= 0 && b >= 0;
        }
        if (!told) {
            fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("the rule in line %d does not name the materials", rule->location.line).text,
                         "from_materials", "rules of two materials, or of shapes with materials",
                         "give 'modulus' instead of 'from_materials', or rules of materials");
            return false;
        }
        double found = 0;
        if (!modulus_of_pair(reader, node, a, b, &found)) return false;
        if (any && found != *modulus) {
            fnd_complain(
                reader, fnd_node_shown_location(node), FENDER_STATUS_ARGUMENT,
                "the contact type is used for pairs of materials that differ in modulus",
                fnd_phrase_make("%s and %s", fnd_digits(*modulus, "Pa").text, fnd_digits(found, "Pa").text).text,
                "one pair of materials", "define a contact type for each pair");
            return false;
        }
        any = true;
        *modulus = found;
        *names = fnd_phrase_make(" (%s, %s)", scenario->materials[a].name, scenario->materials[b].name);
    }
    if (!any)
        fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_ARGUMENT,
                     "no rule uses this contact type, so its materials are not known", "from_materials",
                     "a rule '{materials: [a, b], use: ..}'", "give 'modulus' instead, or add a rule");
    return any;
}

static void warn_of_unused_constants(fnd_reader *reader)
{
    const fnd_node *section = fnd_node_find(reader->root, "materials");
    for (int i = 0; section && i < reader->scenario->material_count; i++) {
        const fnd_node *material = fnd_node_find(section, reader->scenario->materials[i].name);
        if (!material || material->kind != FND_NODE_MAP) continue;
        for (const fnd_node *field = material->first; field; field = field->next) {
            bool density = strcmp(field->key, "density") == 0;
            if (field->unknown || (!density && reader->scenario->material_constants[i].used)) continue;
            fnd_diagnostic_add(reader->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_OK, &field->key_location,
                               fnd_phrase_make("'%s' of a material is not used", field->key).text, field->key, "",
                               density ? "bodies get their mass from 'mass_properties'"
                                       : "a law uses it by 'stiffness: {from_materials: true, ..}'");
        }
    }
}

/* ---- what is wanted */

typedef struct reading {
    fender_sizing_spec wanted;
    fnd_phrase from; /* "sink 0.02 m, weight 3808.75 N" */
} reading;

static void add_text(reading *r, const char *name, double value, const char *unit, const char *names)
{
    r->from = fnd_phrase_make("%s%s%s %s%s", r->from.text, r->from.text[0] ? ", " : "", name,
                              fnd_digits(value, unit).text, names);
}

static bool read_member(fnd_reader *reader, fnd_node *node, const fender_field *member, reading *r)
{
    double value = 0;
    fnd_phrase names = {""};
    bool above = (member->flags & FENDER_FIELD_ABOVE_MINIMUM) != 0;
    if (node->kind == FND_NODE_MAP && strcmp(member->name, "mass") == 0) {
        if (!read_mass_between(reader, node, &value, &names)) return false;
    } else {
        if (!fnd_read_number_from(reader, node, member->name, member->unit, member->minimum, above, &value))
            return false;
        if (!(value <= member->maximum)) {
            fnd_complain(reader, &node->location, FENDER_STATUS_VALUE,
                         fnd_phrase_make("'%s' must be at most %s, not %s", member->name,
                                         fnd_digits(member->maximum, member->unit).text, fnd_shown(node->text).text)
                             .text,
                         fnd_shown(node->text).text,
                         fnd_phrase_make("at most %s", fnd_digits(member->maximum, member->unit).text).text, "");
            return false;
        }
    }
    fender_field_set(member, &r->wanted, 0, value);
    add_text(r, member->name, value, member->unit, names.text);
    return true;
}

static bool read_materials_key(fnd_reader *reader, fnd_node *node, int type, reading *r)
{
    bool truth = false;
    fnd_phrase names = {""};
    if (!fnd_read_bool(reader, node, "from_materials", &truth)) return false;
    if (!truth) return true;
    if (!isnan(r->wanted.modulus)) {
        fnd_complain(reader, &node->key_location, FENDER_STATUS_ARGUMENT,
                     "'from_materials' and 'modulus' cannot be combined", "both", "one of them", "remove one of them");
        return false;
    }
    if (!modulus_of_rules(reader, node, type, &r->wanted.modulus, &names)) return false;
    add_text(r, "modulus", r->wanted.modulus, "Pa", names.text);
    return true;
}

static bool read_sizing_spec(fnd_reader *reader, fnd_node *node, int type, reading *r)
{
    const fender_field_table *table = fender_sizing_spec_fields();
    const char *keys[16] = {"from_materials"};
    *r = (reading){fender_sizing_spec_none(), {""}};
    for (int i = 0; i < table->count; i++) keys[i + 1] = fender_field_at(table, i)->name;
    keys[table->count + 1] = NULL;
    bool good = fnd_check_keys(reader, node, "a derived value", keys);
    for (int i = 0; i < table->count; i++) {
        const fender_field *member = fender_field_at(table, i);
        fnd_node *given = fnd_node_find(node, member->name);
        if (given) good = read_member(reader, given, member, r) && good;
    }
    fnd_node *materials = fnd_node_find(node, "from_materials");
    return materials ? read_materials_key(reader, materials, type, r) && good : good;
}

/* ---- deriving */

static void note_derived(fnd_reader *reader, const fnd_sizing_spec *spec, int type, const char *part, double value,
                         const char *from, const char *relation)
{
    fnd_derived *derived = fnd_keep(reader, 1, sizeof *derived), **last = &reader->scenario->derived;
    if (!derived) return;
    *derived = (fnd_derived){type,
                             part,
                             spec->field,
                             spec->unit,
                             value,
                             fnd_keep_text(reader, from, strlen(from)),
                             fnd_keep_text(reader, relation, strlen(relation)),
                             *fnd_node_shown_location(spec->node),
                             NULL};
    while (*last) last = &(*last)->next;
    *last = derived;
}

/* True if the rule can apply to a shape of the body. */
static bool rule_names(const fender_scenario *scenario, const fnd_rule_description *rule, int body)
{
    if (rule->kind == FENDER_RULE_SHAPES || rule->kind == FENDER_RULE_BODIES)
        return rule->body_a == body || rule->body_b == body;
    for (int i = 0; i < scenario->bodies[body].shape_count; i++) {
        const int material = material_of(scenario, body, i);
        if (rule->kind == FENDER_RULE_DEFAULT || material == rule->material_a || material == rule->material_b)
            return true;
    }
    return false;
}

/* m; the least radius of gyration of the bodies that rules give contacts of the type. What hangs together turns as its
 * root does, and no faster. INFINITY: nothing turns. */
static double least_gyration(const fender_scenario *scenario, int type)
{
    double least = INFINITY;
    for (int i = 0; i < scenario->rule_count; i++)
        for (int body = 0; scenario->rules[i].use == type && body < scenario->body_count; body++) {
            const fender_body_def *root = &scenario->bodies[fnd_scenario_root(scenario, body)].def;
            if (root->motion != FENDER_MOTION_DYNAMIC || !rule_names(scenario, &scenario->rules[i], body)) continue;
            const fender_mass_properties *own = &root->mass_properties;
            const double radius = sqrt(fender_principal_moments(&own->inertia).x / own->mass);
            if (radius < least) least = radius;
        }
    return least;
}

static double gravity_of(const fender_scenario *scenario)
{
    const fender_gravity *gravity = &scenario->world.gravity;
    return gravity->kind == FENDER_GRAVITY_UNIFORM ? fender_vec3_length(gravity->acceleration) : 0;
}

/* m; torque per load at most: of laws of rolling their arm, of laws of twisting that of a rim. */
static double arm_of(const fnd_sizing_spec *spec)
{
    const fender_field_table *table = &spec->law->parameters;
    const fender_field *arm = fender_field_find(table, "arm");
    if (arm) return fender_field_get(arm, spec->object, 0);
    return fender_field_get(fender_field_find(table, "mu"), spec->object, 0) *
           fender_field_get(fender_field_find(table, "radius"), spec->object, 0);
}

/* Twice what it has to be at least, where that is more than the law's own default. */
static void derive_by_step(fnd_reader *reader, const fnd_sizing_spec *spec, int type, const char *part)
{
    const fender_world_def *world = &reader->scenario->world;
    const fender_field *mu = fender_field_find(&spec->law->parameters, "mu_kinetic");
    const bool turns = !mu || strcmp(spec->field->name, "rest_rate") == 0;
    const double gravity = gravity_of(reader->scenario), arm = turns ? arm_of(spec) : 0;
    const double gyration = turns ? least_gyration(reader->scenario, type) : 0;
    const double friction = turns ? 0 : fender_field_get(mu, spec->object, 0);
    const double least = turns ? fender_least_rest_rate(world->method, world->step, arm, gyration, gravity)
                               : fender_least_stick_speed(world->method, world->step, friction, gravity);
    /* what the world itself would choose */
    if (!(2 * least > (turns ? FENDER_REST_RATE_FLOOR : FENDER_STICK_SPEED_FLOOR)) || !isfinite(least)) return;
    fender_field_set(spec->field, spec->object, 0, 2 * least);
    reading r = {.from = {""}};
    add_text(&r, "step", world->step, "s", "");
    if (turns) add_text(&r, "arm", arm, "m", ""), add_text(&r, "gyration", gyration, "m", "");
    else add_text(&r, "mu_kinetic", friction, "1", "");
    add_text(&r, "gravity", gravity, "m/s^2", "");
    note_derived(
        reader, spec, type, part, 2 * least, r.from.text,
        turns
            ? "2 arm gravity step / (z gyration^2), z = 2.8 (rk4) or 2: slower turning could go to and fro and never "
              "rest"
            : "2 mu_kinetic gravity step / z, z = 2.8 (rk4) or 2: slower sliding could go to and fro and never stick");
}

static bool derive(fnd_reader *reader, const fnd_sizing_spec *spec, int type, const char *part)
{
    reading r;
    double value = 0;
    const fender_derivation *row = NULL;
    fender_error error = {0};
    if (!read_sizing_spec(reader, spec->node, type, &r)) return false;
    if (fender_law_derive(spec->law, spec->object, spec->field->name, &r.wanted, &value, &row, &error)) {
        const fnd_node *idle = fnd_node_find(spec->node, error.path);
        fnd_complain(reader, idle ? &idle->key_location : fnd_node_shown_location(spec->node), error.status,
                     error.message, error.found, error.expected, error.suggestion);
        return false;
    }
    if (!check_range(reader, spec->node, spec->field, spec->unit, value)) return false;
    fender_field_set(spec->field, spec->object, 0, value);
    note_derived(reader, spec, type, part, value, r.from.text, row->doc);
    return true;
}

static fnd_sizing_spec *find_sizing_spec(const fnd_reader *reader, const void *object, const fender_field *field)
{
    for (fnd_sizing_spec *spec = reader->sizing_specs; spec; spec = spec->next)
        if (spec->object == object && spec->field == field) return spec;
    return NULL;
}

/* In the order of the fields, so that a damping finds its stiffness; the law's own check comes last. */
static void derive_part(fnd_reader *reader, int type, const char *part, const fender_law *law, void *object,
                        const fnd_location *location)
{
    bool any = false, good = true;
    for (int i = 0; object && i < law->parameters.count; i++) {
        fnd_sizing_spec *spec = find_sizing_spec(reader, object, fender_field_at(&law->parameters, i));
        if (!spec) continue;
        any = any || !spec->by_step;
        if (spec->by_step) derive_by_step(reader, spec, type, part);
        else good = good && derive(reader, spec, type, part);
    }
    fender_error error = {0};
    if (any && good && law->check && law->check(object, &error) != FENDER_STATUS_OK)
        fnd_diagnostic_add_error(reader->diagnostics, &error, location);
}

void fnd_derive_parameters(fnd_reader *reader)
{
    fender_scenario *scenario = reader->scenario;
    for (int i = 0; reader->sizing_specs && i < scenario->contact_type_count; i++) {
        fnd_contact_type_description *type = &scenario->contact_types[i];
        derive_part(reader, i, "law", type->law, type->law_parameters, &type->law_location);
        derive_part(reader, i, "normal", type->normal, type->normal_parameters, &type->normal_location);
        derive_part(reader, i, "friction", type->friction, type->friction_parameters, &type->friction_location);
        derive_part(reader, i, "rolling", type->rolling, type->rolling_parameters, &type->rolling_location);
        derive_part(reader, i, "twisting", type->twisting, type->twisting_parameters, &type->twisting_location);
    }
    if (fnd_diagnostics_error_count(reader->diagnostics) == 0) warn_of_unused_constants(reader);
}

bool fender_scenario_derivation_at(const fender_scenario *scenario, int index, fender_scenario_derivation *derivation)
{
    const fnd_derived *d = index < 0 ? NULL : scenario->derived;
    for (int i = 0; d && i < index; i++) d = d->next;
    if (!d) return false;
    *derivation = (fender_scenario_derivation){.contact_type = scenario->contact_types[d->contact_type].id.name,
                                               .part = d->part,
                                               .parameter = d->field->name,
                                               .unit = d->unit,
                                               .from = d->from,
                                               .relation = d->relation,
                                               .file = d->location.file,
                                               .line = d->location.line,
                                               .value = d->value};
    return true;
}
