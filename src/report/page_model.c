/* What a run was of, for the tables of the page: masses, contact types with their laws, rules, links, as JSON. */
#include "report/page.h"

#include "support/json.h"

#include <string.h>

static void append_text(fnd_buffer *to, const char *key, const char *text, bool first)
{
    fnd_json_key(to, key, first);
    fnd_json_text(to, text ? text : "");
}

static void append_numbers(fnd_buffer *to, const double *values, int count)
{
    fnd_buffer_append_char(to, '[');
    for (int i = 0; i < count; i++) {
        if (i > 0) fnd_buffer_append_char(to, ',');
        fnd_json_number(to, values[i]);
    }
    fnd_buffer_append_char(to, ']');
}

static void open_list(fnd_buffer *to, const char *key)
{
    fnd_json_key(to, key, false);
    fnd_buffer_append_char(to, '[');
}

/* ---- parameters */

/* A number, a list, a word of an enum; null stands for no limit. */
static void append_value(fnd_buffer *to, const fender_field *field, const void *object)
{
    double values[9];
    const int count = fender_field_component_count(field);
    for (int i = 0; i < count; i++) values[i] = fender_field_get(field, object, i);
    if (field->type == FENDER_FIELD_BOOL) fnd_buffer_append_text(to, values[0] != 0 ? "true" : "false");
    else if (field->type == FENDER_FIELD_ENUM) fnd_json_text(to, field->choices[(int)values[0]]);
    else if (count == 1) fnd_json_number(to, values[0]);
    else append_numbers(to, values, count);
}

static void append_parameters(fnd_buffer *to, const fender_field_table *table, const void *object)
{
    open_list(to, "parameters");
    for (int i = 0; object && i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        fnd_buffer_append_text(to, i > 0 ? ",{" : "{");
        append_text(to, "name", field->name, true);
        append_text(to, "unit", strcmp(field->unit, "1") == 0 ? "" : field->unit, false);
        append_text(to, "doc", field->doc, false);
        fnd_json_key(to, "value", false);
        append_value(to, field, object);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
}

/* ---- bodies */

static void append_bodies(fnd_buffer *to, const fender_world *world)
{
    bool first = true;
    open_list(to, "bodies");
    for (int i = 0; i < fender_body_count(world); i++) {
        fender_body_def def;
        if (fender_body_get_def(world, fender_body_at(world, i), &def) != FENDER_STATUS_OK) continue;
        const fender_mass_properties *m = &def.mass_properties;
        const double center[3] = {m->center_of_mass.x, m->center_of_mass.y, m->center_of_mass.z};
        if (!(m->mass > 0)) continue;
        fnd_buffer_append_text(to, first ? "\n{" : ",\n{");
        append_text(to, "name", def.name, true);
        fnd_json_key(to, "mass", false);
        fnd_json_number(to, m->mass);
        fnd_json_key(to, "center_of_mass", false);
        append_numbers(to, center, 3);
        fnd_json_key(to, "inertia", false);
        append_numbers(to, &m->inertia.m[0][0], 9);
        fnd_buffer_append_char(to, '}');
        first = false;
    }
    fnd_buffer_append_char(to, ']');
}

/* ---- contact types */

static bool append_law(fnd_buffer *to, const char *part, const fender_law *law, const void *parameters, bool first)
{
    if (!law) return first;
    fnd_buffer_append_text(to, first ? "{" : ",{");
    append_text(to, "part", part, true);
    append_text(to, "law", law->name, false);
    append_text(to, "doc", law->doc, false);
    open_list(to, "modes");
    for (int i = 0; law->mode_names && law->mode_names[i]; i++) {
        if (i > 0) fnd_buffer_append_char(to, ',');
        fnd_json_text(to, law->mode_names[i]);
    }
    fnd_buffer_append_char(to, ']');
    append_parameters(to, &law->parameters, parameters);
    fnd_buffer_append_char(to, '}');
    return false;
}

static void append_contact_types(fnd_buffer *to, const fender_world *world)
{
    open_list(to, "contact_types");
    for (int i = 0; i < fender_contact_type_count(world); i++) {
        fender_contact_type_def def = fender_contact_type_def_default();
        (void)fender_contact_type_get_def(world, fender_contact_type_at(world, i), &def);
        fnd_buffer_append_text(to, i > 0 ? ",\n{" : "\n{");
        append_text(to, "name", def.name, true);
        open_list(to, "laws");
        bool first = append_law(to, "law", def.law, def.law_parameters, true);
        first = append_law(to, "normal", def.normal, def.normal_parameters, first);
        first = append_law(to, "friction", def.friction, def.friction_parameters, first);
        first = append_law(to, "rolling", def.rolling, def.rolling_parameters, first);
        append_law(to, "twisting", def.twisting, def.twisting_parameters, first);
        fnd_buffer_append_text(to, "]}");
    }
    fnd_buffer_append_char(to, ']');
}

static void append_shape(fnd_buffer *to, const fender_world *world, const char *key, fender_shape_id shape)
{
    const char *body = fender_body_name(world, fender_shape_body(world, shape)),
               *name = fender_shape_name(world, shape);
    fnd_buffer text = fnd_buffer_open(&to->allocator);
    if (body && name) fnd_buffer_appendf(&text, "%s.%s", body, name);
    append_text(to, key, fnd_buffer_text(&text), false);
    to->failed = to->failed || text.failed;
    fnd_buffer_close(&text);
}

static void append_rules(fnd_buffer *to, const fender_world *world)
{
    static const char *const kinds[] = {"shapes", "bodies", "materials", "default"};
    open_list(to, "rules");
    for (int i = 0; i < fender_rule_count(world); i++) {
        fender_rule_def def;
        fender_contact_type_def type;
        memset(&def, 0, sizeof def);
        memset(&type, 0, sizeof type);
        (void)fender_rule_get_def(world, fender_rule_at(world, i), &def);
        fnd_buffer_append_text(to, i > 0 ? ",\n{" : "\n{");
        append_text(to, "kind", kinds[def.kind], true);
        if (def.kind == FENDER_RULE_SHAPES) {
            append_shape(to, world, "a", def.shape_a);
            append_shape(to, world, "b", def.shape_b);
        } else if (def.kind == FENDER_RULE_BODIES) {
            append_text(to, "a", fender_body_name(world, def.body_a), false);
            append_text(to, "b", fender_body_name(world, def.body_b), false);
        } else if (def.kind == FENDER_RULE_MATERIALS) {
            append_text(to, "a", fender_material_name(world, def.material_a), false);
            append_text(to, "b", fender_material_name(world, def.material_b), false);
        }
        /* no use: these never touch */
        if (def.use.index1 && fender_contact_type_get_def(world, def.use, &type) == FENDER_STATUS_OK)
            append_text(to, "use", type.name, false);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
}

/* ---- links */

static void append_links(fnd_buffer *to, const fender_world *world)
{
    open_list(to, "links");
    for (int i = 0; i < fender_link_count(world); i++) {
        fender_link_def def = fender_link_def_default();
        (void)fender_link_get_def(world, fender_link_at(world, i), &def);
        fnd_buffer_append_text(to, i > 0 ? ",\n{" : "\n{");
        append_text(to, "name", def.name, true);
        append_text(to, "law", fender_link_law_name(def.law), false);
        append_parameters(to, fender_link_law_parameters(def.law), def.parameters);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
}

/* ---- */

void fnd_page_append_model(fnd_buffer *to, const fender_env *env, const char *run_directory)
{
    fender_env quiet = *env;
    fender_error error = {0};
    quiet.report = NULL;
    fender_scenario *scenario = fender_scenario_load_run(&quiet, NULL, run_directory, &error);
    fender_world *world = scenario ? fender_scenario_build(scenario, &quiet, &error) : NULL;
    fnd_buffer_append_text(to, "{\"format\":\"fender-model\",\"version\":1");
    if (world) {
        append_bodies(to, world);
        append_contact_types(to, world);
        append_rules(to, world);
        append_links(to, world);
    } else {
        append_text(to, "missing", error.message, false);
        if (error.status == FENDER_STATUS_MEMORY) to->failed = true;
    }
    fnd_buffer_append_char(to, '}');
    fender_world_destroy(world);
    fender_scenario_destroy(scenario);
}
