/* Sections `materials` and `contact_types`: parameters of laws by the laws' own tables. */
#include <string.h>

#include "scenario/parameters.h"
#include "scenario/section.h"

fnd_placed_text fnd_placed(const fnd_node *node)
{
    fnd_placed_text placed = {node->text, node->place};
    return placed;
}

static void read_material(fnd_reader *reader, fnd_node *node, fnd_material_constants *constants)
{
    static const struct {
        const char *name, *unit;
        double minimum;
        bool above;
    } fields[] = {{"young", "Pa", 0, true}, {"poisson", "1", -1, true}, {"density", "kg/m^3", 0, true}};
    static const fnd_key keys[] = {{"young", false}, {"poisson", false}, {"density", false}, {NULL, false}};
    if (!fnd_expect_map(reader, node, node->key)) return;
    (void)fnd_check_keys(reader, node, "a material", keys);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        fnd_node *field = fnd_node_find(node, fields[i].name);
        double value = 0;
        if (!field || !fnd_read_number_from(reader, field, fields[i].name, fields[i].unit, fields[i].minimum,
                                            fields[i].above, &value))
            continue;
        if (i == 1 && value > 0.5)
            fnd_complain(reader, &field->place, FENDER_STATUS_VALUE,
                         fnd_phrase_make("'poisson' must be at most 0.5, not %s", fnd_shown(field->text).text).text,
                         fnd_shown(field->text).text, "-1 to 0.5", "0.3 is usual for metals");
        if (i == 0) constants->young = value;
        if (i == 1) constants->poisson = value, constants->poisson_given = true;
    }
}

void fnd_read_materials(fnd_reader *reader, fnd_node *section)
{
    if (!section || !fnd_expect_map(reader, section, "materials")) return;
    fender_scenario *scenario = reader->scenario;
    scenario->materials = fnd_keep(reader, (size_t)section->count, sizeof *scenario->materials);
    scenario->material_constants = fnd_keep(reader, (size_t)section->count, sizeof *scenario->material_constants);
    if (!scenario->materials || !scenario->material_constants) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        (void)fnd_check_name(reader, node->key, &node->key_place, "a material");
        scenario->materials[scenario->material_count++] = (fnd_named){node->key, node->key_place};
        read_material(reader, node, &scenario->material_constants[scenario->material_count - 1]);
    }
}

int fnd_find_material(fnd_reader *reader, const fnd_node *node, const char *name)
{
    for (int i = 0; i < reader->scenario->material_count; i++)
        if (strcmp(reader->scenario->materials[i].name, name) == 0) return i;
    fnd_complain_unknown(reader, &node->place, "material", "materials", name, fnd_node_find(reader->root, "materials"));
    return -1;
}

/* ---- laws */

/* Does it give what is provided from outside? */
static bool is_input(const fender_law *law) { return strcmp(law->name, "input") == 0; }

/* Parameters of the law that `node` names; NULL after a finding. */
static void *read_parameters(fnd_reader *reader, fnd_node *node, const fender_law *law, bool whole)
{
    static const char *const keys_of_part[] = {"law", NULL}, *const keys_of_input[] = {"law", "force", NULL};
    static const char *const keys_of_whole[] = {"law",    "normal",         "friction", "rolling", "twisting",
                                                "points", "zero_crossings", "debug",    NULL};
    fnd_parameter_set set = {
        law->name, "laws",    &law->parameters, whole ? keys_of_whole : is_input(law) ? keys_of_input : keys_of_part,
        law,       law->check};
    return fnd_read_parameters(reader, node, &set);
}

static void complain_law(fnd_reader *reader, const fnd_node *node, const char *message_end, fender_law_kind kind)
{
    fnd_candidate names[64];
    int count = 0;
    for (int i = 0; count < 64; i++) {
        const fender_law *law = fender_law_at(reader->scenario->registry, i);
        if (!law) break;
        if (law->kinds & (uint32_t)kind) names[count++] = (fnd_candidate){law->name, 0};
    }
    fnd_phrase found = fnd_shown(node->text);
    fnd_complain(reader, &node->place, FENDER_STATUS_NAME, fnd_phrase_make(message_end, found.text).text, found.text,
                 "the name of a law", fnd_suggest(reader, node->text, "laws", names, count).text);
}

/* `law: NAME` in a map; NULL after a finding. `kind` says where it stands. */
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
                     kind == FENDER_LAW_WHOLE      ? "law '%s' cannot stand alone"
                     : kind == FENDER_LAW_NORMAL   ? "law '%s' cannot stand under 'normal'"
                     : kind == FENDER_LAW_FRICTION ? "law '%s' cannot stand under 'friction'"
                     : kind == FENDER_LAW_ROLLING  ? "law '%s' cannot stand under 'rolling'"
                                                   : "law '%s' cannot stand under 'twisting'",
                     kind);
        return NULL;
    }
    return law;
}

static void read_part(fnd_reader *reader, fnd_node *node, fender_law_kind kind, const fender_law **law,
                      void **parameters, fnd_place *place, fender_force_table *provided)
{
    if (kind != FENDER_LAW_NORMAL && node->kind == FND_NODE_TEXT && strcmp(node->text, "none") == 0) return;
    if (!fnd_expect_map(reader, node, node->key)) return;
    *place = *fnd_node_shown_place(node);
    *law = read_law(reader, node, kind, fnd_phrase_make("'%s'", node->key).text);
    if (!*law) return;
    *parameters = read_parameters(reader, node, *law, false);
    if (!provided || !is_input(*law)) return;
    int components = kind == FENDER_LAW_NORMAL ? 1 : 2;
    fnd_node *force = fnd_require(reader, node, "force", "law 'input'",
                                  components == 1 ? "{constant: 10 N}" : "{constant: [1, 0, N]}");
    if (force) (void)fnd_read_provided(reader, force, components, provided);
}

/* `rolling` and `twisting`, beside a whole law or a normal one. */
static void read_turning(fnd_reader *reader, const fnd_node *node, fnd_contact_type_description *type)
{
    fnd_node *rolling = fnd_node_find(node, "rolling"), *twisting = fnd_node_find(node, "twisting");
    if (rolling)
        read_part(reader, rolling, FENDER_LAW_ROLLING, &type->rolling, &type->rolling_parameters, &type->rolling_place,
                  NULL);
    if (twisting)
        read_part(reader, twisting, FENDER_LAW_TWISTING, &type->twisting, &type->twisting_parameters,
                  &type->twisting_place, NULL);
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

static void read_contact_type(fnd_reader *reader, fnd_node *node, fnd_contact_type_description *type)
{
    static const fnd_key parts[] = {
        {"normal", false},         {"friction", false}, {"law", false},     {"points", false},
        {"zero_crossings", false}, {"debug", false},    {"rolling", false}, {"twisting", false},
        {"adhesion", true},        {"sliding", true},   {NULL, false}};
    if (!fnd_expect_map(reader, node, node->key)) return;
    read_options(reader, node, type);
    fnd_node *law = fnd_node_find(node, "law"), *normal = fnd_node_find(node, "normal");
    fnd_node *friction = fnd_node_find(node, "friction");
    type->law_place = law ? law->place : node->key_place;
    if (law && (normal || friction)) {
        const fnd_node *second = normal ? normal : friction;
        fnd_complain(reader, &second->key_place, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'%s' stands beside 'law'", second->key).text, second->key,
                     "either 'law', or 'normal' with or without 'friction'", "remove one of them");
        return;
    }
    if (law) {
        type->law = read_law(reader, node, FENDER_LAW_WHOLE, "the contact type");
        if (type->law) type->law_parameters = read_parameters(reader, node, type->law, true);
        read_turning(reader, node, type);
        return;
    }
    bool keys = fnd_check_keys(reader, node, "a contact type without 'law'", parts);
    if (!normal && !friction) {
        if (keys)
            fnd_complain(reader, &node->key_place, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("contact type '%s' has no law", fnd_shown(node->key).text).text, "nothing",
                         "'law: NAME', or 'normal: {law: NAME, ..}'", "`fender info laws` lists the laws");
        return;
    }
    if (!normal && !fnd_is_misspelt_in(node, "normal"))
        fnd_complain(reader, &friction->key_place, FENDER_STATUS_ARGUMENT, "'friction' stands without 'normal'",
                     "friction alone", "'normal: {law: NAME, ..}' beside it", "add a normal law");
    if (normal)
        read_part(reader, normal, FENDER_LAW_NORMAL, &type->normal, &type->normal_parameters, &type->normal_place,
                  &type->provided.normal);
    if (friction)
        read_part(reader, friction, FENDER_LAW_FRICTION, &type->friction, &type->friction_parameters,
                  &type->friction_place, &type->provided.friction);
    read_turning(reader, node, type);
}

void fnd_read_contact_types(fnd_reader *reader, fnd_node *section)
{
    if (!section || !fnd_expect_map(reader, section, "contact_types")) return;
    fender_scenario *scenario = reader->scenario;
    scenario->contact_types = fnd_keep(reader, (size_t)section->count, sizeof *scenario->contact_types);
    if (!scenario->contact_types) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        fnd_contact_type_description *type = &scenario->contact_types[scenario->contact_type_count++];
        if (fnd_check_name(reader, node->key, &node->key_place, "a contact type") && strcmp(node->key, "never") == 0)
            fnd_complain(reader, &node->key_place, FENDER_STATUS_NAME, "'never' cannot be the name of a contact type",
                         "never", "another name", "in rules it says that a pair does not touch");
        type->id = (fnd_named){node->key, node->key_place};
        read_contact_type(reader, node, type);
    }
}
