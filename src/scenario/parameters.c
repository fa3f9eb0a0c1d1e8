/* Parameters of a law by the law's own table of fields. */
#include <math.h>
#include <string.h>

#include "scenario/intent.h"
#include "scenario/known_material.h"
#include "scenario/orientation.h"
#include "scenario/parameters.h"
#include "text/nearest.h"

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

bool fnd_check_range(fnd_reader *reader, const fnd_node *node, const fender_field *field, const char *unit,
                     double value)
{
    bool above = (field->flags & FENDER_FIELD_ABOVE_MINIMUM) != 0;
    bool low = above ? !(value > field->minimum) : !(value >= field->minimum), high = !(value <= field->maximum);
    if (!low && !high) return true;
    fnd_phrase bound = fnd_digits(low ? field->minimum : field->maximum, unit);
    fnd_phrase expected = fnd_phrase_make(low ? (above ? "more than %s" : "%s or more") : "at most %s", bound.text);
    fnd_phrase found = node->kind == FND_NODE_TEXT ? fnd_shown(node->text) : fnd_digits(value, unit);
    fnd_complain(reader, fnd_node_shown_place(node), FENDER_STATUS_VALUE,
                 fnd_phrase_make("'%s' must be %s, not %s", field->name, expected.text, found.text).text, found.text,
                 expected.text, low && value < 0 ? "is the sign right?" : "");
    return false;
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
        if (!fnd_check_range(reader, node, field, unit, values[i])) return false;
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
        if (!fnd_check_range(reader, node, field, unit, index)) return false;
        fender_field_set(field, object, 0, index);
        return true;
    case FENDER_FIELD_REAL:
        if (none && node->kind == FND_NODE_TEXT && strcmp(node->text, "none") == 0) {
            fender_field_set(field, object, 0, (double)INFINITY);
            return true;
        }
        if (node->kind == FND_NODE_MAP && fnd_law_derives(set->contact_law, field->name)) {
            *derived = true;
            return fnd_note_intent(reader, node, set->contact_law, object, field, unit);
        }
        if (node->kind == FND_NODE_MAP && set->contact_law) {
            fnd_complain(reader, fnd_node_shown_place(node), FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("law '%s' does not derive '%s'", set->law, field->name).text, "a map",
                         fnd_phrase_make("a number [%s]", unit).text,
                         fnd_phrase_make("give '%s' as a number%s%s%s", field->name, strcmp(unit, "1") ? " [" : "",
                                         strcmp(unit, "1") ? unit : "", strcmp(unit, "1") ? "]" : "")
                             .text);
            return false;
        }
        if (node->kind == FND_NODE_MAP) {
            fnd_complain_later(reader, fnd_node_shown_place(node), "a derived value",
                               fnd_phrase_make("give '%s' as a number [%s]", field->name, unit).text);
            return false;
        }
        if (!fnd_read_number(reader, node, field->name, unit, &value)) return false;
        if (!fnd_check_range(reader, node, field, unit, value)) return false;
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
    fnd_phrase lists = fnd_phrase_make("`fender info %s %s` lists all", set->topic, set->law);
    bool bare = best && strcmp(best->unit, "1") == 0;
    fnd_phrase near = best ? fnd_phrase_make("did you mean '%s'%s%s%s?   %s", best->name, bare ? "" : " [",
                                             bare ? "" : best->unit, bare ? "" : "]", lists.text)
                           : lists;
    fnd_complain(reader, &node->key_place, FENDER_STATUS_NAME,
                 fnd_phrase_make("'%s' is not a parameter of law '%s'", found.text, set->law).text, found.text,
                 names.text, near.text);
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
        if (fnd_is_material_key(set->contact_law, child->key)) continue;
        child->unknown = true;
        complain_parameter(reader, child, set);
    }
}

void *fnd_read_parameters(fnd_reader *reader, fnd_node *node, const fnd_parameter_set *set)
{
    const fender_field_table *table = set->table;
    void *object = fnd_keep(reader, 1, table->size > 0 ? table->size : 1);
    if (!object) return NULL;
    fender_field_initialize(table, object);
    mark_unknown_parameters(reader, node, set);
    fnd_known_materials materials;
    bool good = fnd_read_known_materials(reader, node, set->contact_law, &materials), derived = false;
    for (int pass = 0; pass < 2; pass++) /* fields whose unit depends on another come second */
        for (int i = 0; i < table->count; i++) {
            const fender_field *field = fender_field_at(table, i);
            if ((strchr(field->unit, '{') != NULL) != (pass == 1)) continue;
            fnd_phrase unit = resolve_unit(table, object, field->unit);
            fnd_node *given = fnd_node_find(node, field->name);
            double known = fnd_known_value(&materials, field->name);
            if (!given && !isnan(known)) fender_field_set(field, object, 0, known);
            else if (given) good = read_field(reader, given, set, field, unit.text, object, &derived) && good;
            else if (!fnd_note_default(reader, node, set->contact_law, object, field, unit.text)) good = false;
            else if ((field->flags & FENDER_FIELD_REQUIRED) != 0) {
                bool bare = strcmp(unit.text, "1") == 0;
                good = false;
                (void)fnd_require(reader, node, field->name, fnd_phrase_make("law '%s'", set->law).text,
                                  bare ? "NUMBER" : fnd_phrase_make("NUMBER %s", unit.text).text);
            }
        }
    fender_error error = {0};
    if (good && !derived && set->check && set->check(object, &error) != FENDER_STATUS_OK) {
        const fnd_node *at = fnd_node_find(node, error.path);
        fnd_finding_add_error(reader->findings, &error, at ? fnd_node_shown_place(at) : fnd_node_shown_place(node));
    }
    return object;
}
