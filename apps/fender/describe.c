/* Words for the things of a world: shapes, rules, laws with their parameters. */
#include "describe.h"

#include <stdio.h>
#include <string.h>

static const char *named(const char *name) { return name != NULL ? name : "?"; }

void fnd_app_put_shape(fnd_app_stream *to, const fender_world *world, fender_shape_id shape)
{
    fnd_app_print(to, "%s.%s", named(fender_body_name(world, fender_shape_body(world, shape))),
                  named(fender_shape_name(world, shape)));
}

static void put_length(fnd_app_stream *to, const char *name, double length)
{
    char text[FND_APP_NUMBER_SIZE];
    fnd_app_print(to, ", %s %s", name, fnd_app_quantity(text, length, "m"));
}

void fnd_app_put_geometry(fnd_app_stream *to, const fender_geometry *geometry)
{
    fender_geometry_type type = fender_geometry_type_of(geometry);
    char x[FND_APP_NUMBER_SIZE], y[FND_APP_NUMBER_SIZE], z[FND_APP_NUMBER_SIZE];
    int vertices;
    (void)fender_geometry_vertices(geometry, &vertices);
    fnd_app_put(to, named(fender_geometry_type_name(type)));
    switch (type) {
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_DISK: put_length(to, "radius", fender_geometry_radius(geometry)); break;
    case FENDER_GEOMETRY_CAPSULE:
    case FENDER_GEOMETRY_CYLINDER:
    case FENDER_GEOMETRY_CONE:
        put_length(to, "radius", fender_geometry_radius(geometry));
        put_length(to, "half length", fender_geometry_half_length(geometry));
        break;
    case FENDER_GEOMETRY_BOX:
    case FENDER_GEOMETRY_ELLIPSOID: {
        fender_vec3 half = fender_geometry_half_extents(geometry);
        fnd_app_print(to, ", %s [%s, %s, %s] m", type == FENDER_GEOMETRY_BOX ? "half extents" : "radii",
                      fnd_app_number(x, half.x), fnd_app_number(y, half.y), fnd_app_number(z, half.z));
        break;
    }
    case FENDER_GEOMETRY_PROBE: {
        double range = 0, cushion = 0;
        bool literal = false;
        (void)fender_geometry_probe_lengths(geometry, &range, &cushion, &literal);
        put_length(to, "range", range);
        put_length(to, "cushion", cushion);
        if (literal) fnd_app_put(to, ", morpheus_literal");
        break;
    }
    case FENDER_GEOMETRY_CLOUD: fnd_app_print(to, ", %d points", vertices); break;
    case FENDER_GEOMETRY_HULL: fnd_app_print(to, ", %d vertices", vertices); break;
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_MESH:
        fnd_app_print(to, ", %d vertices, %d triangles", vertices, fender_geometry_triangles(geometry, NULL, 0) / 3);
        break;
    case FENDER_GEOMETRY_POINT:
    case FENDER_GEOMETRY_PLANE:
    case FENDER_GEOMETRY_USER:
    case FENDER_GEOMETRY_TYPE_COUNT: break;
    }
    if (fender_geometry_rounding(geometry) > 0) put_length(to, "rounding", fender_geometry_rounding(geometry));
}

static const char *app_rule_kind(fender_rule_kind kind)
{
    static const char *const names[] = {"shapes", "bodies", "materials", "default"};
    return (unsigned)kind < sizeof names / sizeof names[0] ? names[kind] : "?";
}

void fnd_app_put_rule(fnd_app_stream *to, const fender_world *world, const fender_rule_def *rule)
{
    fnd_app_put(to, app_rule_kind(rule->kind));
    switch (rule->kind) {
    case FENDER_RULE_SHAPES:
        fnd_app_put(to, " ");
        fnd_app_put_shape(to, world, rule->shape_a);
        fnd_app_put(to, " * ");
        fnd_app_put_shape(to, world, rule->shape_b);
        break;
    case FENDER_RULE_BODIES:
        fnd_app_print(to, " %s * %s", named(fender_body_name(world, rule->body_a)),
                      named(fender_body_name(world, rule->body_b)));
        break;
    case FENDER_RULE_MATERIALS:
        fnd_app_print(to, " %s * %s", named(fender_material_name(world, rule->material_a)),
                      named(fender_material_name(world, rule->material_b)));
        break;
    case FENDER_RULE_DEFAULT: break;
    }
    if (rule->ignore_unsupported) fnd_app_put(to, ", unsupported: ignore");
}

void fnd_app_json_rule(fnd_app_json *json, const char *key, const fender_world *world, const fender_scenario *scenario,
                       fender_rule_id id)
{
    fender_rule_def rule;
    fender_contact_type_def type;
    char first[160] = "", second[160] = "";
    int line = 0;
    if (fender_rule_get_def(world, id, &rule) != FENDER_STATUS_OK) {
        fnd_app_json_text(json, key, NULL);
        return;
    }
    if (rule.kind == FENDER_RULE_SHAPES) {
        snprintf(first, sizeof first, "%s.%s", named(fender_body_name(world, fender_shape_body(world, rule.shape_a))),
                 named(fender_shape_name(world, rule.shape_a)));
        snprintf(second, sizeof second, "%s.%s", named(fender_body_name(world, fender_shape_body(world, rule.shape_b))),
                 named(fender_shape_name(world, rule.shape_b)));
    } else if (rule.kind == FENDER_RULE_BODIES) {
        snprintf(first, sizeof first, "%s", named(fender_body_name(world, rule.body_a)));
        snprintf(second, sizeof second, "%s", named(fender_body_name(world, rule.body_b)));
    } else if (rule.kind == FENDER_RULE_MATERIALS) {
        snprintf(first, sizeof first, "%s", named(fender_material_name(world, rule.material_a)));
        snprintf(second, sizeof second, "%s", named(fender_material_name(world, rule.material_b)));
    }
    const char *file = fender_scenario_rule_location(scenario, id, &line);
    bool never = fender_contact_type_get_def(world, rule.use, &type) != FENDER_STATUS_OK;
    fnd_app_json_object(json, key);
    fnd_app_json_text(json, "kind", app_rule_kind(rule.kind));
    fnd_app_json_text(json, "a", first[0] ? first : NULL);
    fnd_app_json_text(json, "b", second[0] ? second : NULL);
    fnd_app_json_text(json, "use", never ? "never" : type.name);
    if (rule.ignore_unsupported) fnd_app_json_text(json, "unsupported", "ignore");
    fnd_app_json_text(json, "file", file);
    fnd_app_json_integer(json, "line", line);
    fnd_app_json_end(json);
}

/* The unit of a field with {name} replaced by that field's value in the object. */
static const char *app_unit(char text[FND_APP_NUMBER_SIZE], const fender_field_table *table, const fender_field *field,
                            const void *object)
{
    const char *open = strchr(field->unit, '{'), *close = open != NULL ? strchr(open, '}') : NULL;
    char name[48], value[FND_APP_NUMBER_SIZE];
    if (close == NULL || object == NULL) return field->unit;
    snprintf(name, sizeof name, "%.*s", (int)(close - open - 1), open + 1);
    const fender_field *exponent = fender_field_find(table, name);
    if (exponent == NULL) return field->unit;
    snprintf(text, FND_APP_NUMBER_SIZE, "%.*s%s%s", (int)(open - field->unit), field->unit,
             fnd_app_number(value, fender_field_get(exponent, object, 0)), close + 1);
    return text;
}

static const char *choice_name(const fender_field *field, int index)
{
    for (int i = 0; field->choices != NULL && field->choices[i] != NULL; i++)
        if (i == index) return field->choices[i];
    return "?";
}

void fnd_app_put_value(fnd_app_stream *to, const fender_field_table *table, const fender_field *field,
                       const void *object)
{
    char text[FND_APP_NUMBER_SIZE], unit[FND_APP_NUMBER_SIZE];
    int count = fender_field_component_count(field);
    double value = fender_field_get(field, object, 0);
    if (field->type == FENDER_FIELD_BOOL) {
        fnd_app_put(to, value != 0 ? "true" : "false");
    } else if (field->type == FENDER_FIELD_ENUM) {
        fnd_app_put(to, choice_name(field, (int)value));
    } else if (count == 1 && isinf(value)) {
        fnd_app_put(to, "none");
    } else if (count == 1) {
        fnd_app_put(to, fnd_app_quantity(text, value, app_unit(unit, table, field, object)));
    } else {
        for (int i = 0; i < count; i++)
            fnd_app_print(to, "%s%s", i == 0 ? "[" : ", ", fnd_app_number(text, fender_field_get(field, object, i)));
        const char *shown = app_unit(unit, table, field, object);
        fnd_app_print(to, "]%s%s", strcmp(shown, "1") == 0 ? "" : " ", strcmp(shown, "1") == 0 ? "" : shown);
    }
}

void fnd_app_json_value(fnd_app_json *json, const char *key, const fender_field *field, const void *object)
{
    int count = fender_field_component_count(field);
    double value = fender_field_get(field, object, 0);
    if (field->type == FENDER_FIELD_BOOL) {
        fnd_app_json_bool(json, key, value != 0);
    } else if (field->type == FENDER_FIELD_ENUM) {
        fnd_app_json_text(json, key, choice_name(field, (int)value));
    } else if (count == 1) {
        fnd_app_json_number(json, key, value);
    } else {
        fnd_app_json_array(json, key);
        for (int i = 0; i < count; i++) fnd_app_json_number(json, NULL, fender_field_get(field, object, i));
        fnd_app_json_end(json);
    }
}

bool fnd_app_is_initial(const fender_field *field, const void *object)
{
    for (int i = 0; i < fender_field_component_count(field); i++)
        if (fender_field_get(field, object, i) != field->initial) return false;
    return (field->flags & FENDER_FIELD_REQUIRED) == 0;
}

void fnd_app_put_law(fnd_app_stream *to, const fender_law *law, const void *parameters)
{
    fnd_app_put(to, law->name);
    for (int i = 0; i < law->parameters.count; i++) {
        const fender_field *field = fender_field_at(&law->parameters, i);
        fnd_app_print(to, "%s%s ", i == 0 ? ": " : ", ", field->name);
        fnd_app_put_value(to, &law->parameters, field, parameters);
    }
}

int fnd_app_laws_of(const fender_contact_type_def *type, fnd_app_law_use uses[FND_APP_LAW_CAPACITY])
{
    const fnd_app_law_use all[FND_APP_LAW_CAPACITY] = {{"law", type->law, type->law_parameters},
                                                       {"normal", type->normal, type->normal_parameters},
                                                       {"friction", type->friction, type->friction_parameters},
                                                       {"rolling", type->rolling, type->rolling_parameters},
                                                       {"twisting", type->twisting, type->twisting_parameters}};
    int count = 0;
    for (int i = 0; i < FND_APP_LAW_CAPACITY; i++)
        if (all[i].law != NULL) uses[count++] = all[i];
    return count;
}

static void put_table(fnd_app_stream *to, const char *part, const fender_force_table *table)
{
    if (table->count == 0) return;
    fnd_app_print(to, "%s force by a table of %d %s", part, table->count, fnd_app_plural(table->count, "row", "rows"));
    if (table->columns > 1) fnd_app_print(to, " for %d points", table->columns);
    fnd_app_print(to, ", then %s", table->after == FENDER_AFTER_HOLD ? "held" : "zero");
}

bool fnd_app_put_option(fnd_app_stream *to, const fender_contact_type_def *type, int number, const char **label)
{
    const fender_prescribed_force *given = type->prescribed_force;
    static const char *const labels[] = {"points", "zero crossings", "from outside"};
    const bool set[] = {type->points != FENDER_CONTACT_POINTS_PATCH, type->unlocated,
                        given && (given->force || given->normal.count > 0 || given->friction.count > 0)};
    if (!set[number]) return false;
    *label = labels[number];
    if (to == NULL) return true;
    if (number == 0) {
        fnd_app_put(to, type->points == FENDER_CONTACT_POINTS_SINGLE
                            ? "single: the deepest point of each pair; for a cloud, each of its points"
                            : "corners: boxes and hulls touch with their vertices, other pairs with patches");
    } else if (number == 1) {
        fnd_app_put(to, "not located: begin and end are accurate to one step");
    } else if (given->force) {
        fnd_app_put(to, "forces from a function of the host program");
    } else {
        put_table(to, "normal", &given->normal);
        if (given->normal.count > 0 && given->friction.count > 0) fnd_app_put(to, "; ");
        put_table(to, "friction", &given->friction);
    }
    return true;
}

void fnd_app_json_laws(fnd_app_json *json, const fender_contact_type_def *type)
{
    fnd_app_law_use uses[FND_APP_LAW_CAPACITY];
    int count = fnd_app_laws_of(type, uses);
    fnd_app_json_array(json, "laws");
    for (int i = 0; i < count; i++) {
        const fender_field_table *table = &uses[i].law->parameters;
        fnd_app_json_object(json, NULL);
        fnd_app_json_text(json, "part", uses[i].part);
        fnd_app_json_text(json, "law", uses[i].law->name);
        fnd_app_json_object(json, "parameters");
        for (int k = 0; k < table->count; k++) {
            char unit[FND_APP_NUMBER_SIZE];
            const fender_field *field = fender_field_at(table, k);
            fnd_app_json_object(json, field->name);
            fnd_app_json_value(json, "value", field, uses[i].parameters);
            fnd_app_json_text(json, "unit", app_unit(unit, table, field, uses[i].parameters));
            fnd_app_json_bool(json, "default", fnd_app_is_initial(field, uses[i].parameters));
            fnd_app_json_end(json);
        }
        fnd_app_json_end(json);
        fnd_app_json_end(json);
    }
    fnd_app_json_end(json);
    static const char *const points[] = {"patch", "single", "corners"}; /* as fender_contact_points */
    fnd_app_json_text(json, "points", points[type->points]);
    fnd_app_json_bool(json, "zero_crossings", !type->unlocated);
    const char *label;
    fnd_app_json_bool(json, "forces_from_outside", fnd_app_put_option(NULL, type, 2, &label));
}

bool fnd_app_has_state(const fender_world *world, fender_body_id body)
{
    fender_body_def def;
    return fender_body_get_def(world, fender_body_root(world, body), &def) == FENDER_STATUS_OK &&
           def.motion != FENDER_MOTION_MASS_ONLY;
}

const char *fnd_app_reason_text(fender_pair_reason reason)
{
    switch (reason) {
    case FENDER_PAIR_MAY_TOUCH: return "may touch";
    case FENDER_PAIR_SAME_BODY: return "same body";
    case FENDER_PAIR_SAME_TREE: return "same mass tree";
    case FENDER_PAIR_BOTH_IMMOVABLE: return "both fixed";
    case FENDER_PAIR_RULE_NEVER: return "a rule says never";
    case FENDER_PAIR_NO_RULE: return "no rule";
    case FENDER_PAIR_NOT_ACTIVE: return "shape not active";
    case FENDER_PAIR_NO_FUNCTION: return "no contact function for these geometries";
    case FENDER_PAIR_OUT_OF_RANGE: return "out of the range limit";
    case FENDER_PAIR_NO_INSIDE: return "neither has an inside";
    case FENDER_PAIR_NO_STATE: return "mass only, without a state";
    }
    return "?";
}
