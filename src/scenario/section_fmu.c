/* Section `fmu`: the names by which an exported FMU shows commands, channels and values of the scenario. */
#include "scenario/section.h"
#include "scenario/value.h"
#include "support/number.h"

#include <stdlib.h>
#include <string.h>

static const char *const part_keys[] = {"inputs", "outputs", "parameters", NULL};

/* ---- values of the tree by their paths */

static const fnd_node *list_element(const fnd_node *list, const char *name, size_t length)
{
    int index = length == 1 && name[0] >= 'x' && name[0] <= 'z' ? name[0] - 'x' : -1;
    if (length > 0 && name[0] >= '0' && name[0] <= '9') index = (int)strtol(name, NULL, 10);
    const fnd_node *child = index >= 0 ? list->first : NULL;
    while (child && index-- > 0) child = child->next;
    return child;
}

/* "bodies.lander.state.velocity.z"; NULL: nothing is there. *list: the list that holds it, or NULL. */
static const fnd_node *find_value(const fnd_node *root, const char *path, const fnd_node **list)
{
    const fnd_node *at = root;
    *list = NULL;
    while (at && *path) {
        size_t length = strcspn(path, ".[");
        const fnd_node *next = NULL;
        if (at->kind == FND_NODE_LIST) {
            *list = at;
            next = list_element(at, path, strcspn(path, ".[]"));
        } else if (at->kind == FND_NODE_MAP) {
            for (next = at->first; next; next = next->next)
                if (strlen(next->key) == length && memcmp(next->key, path, length) == 0) break;
        }
        at = next;
        path += length;
        path += strspn(path, ".[");
    }
    return at;
}

/* The text of a value, with the unit that stands at the end of its list. */
static const char *value_text(fnd_reader *reader, const fnd_node *value, const fnd_node *list)
{
    if (!list || value == list->last || !fnd_is_unit_element(list->last) || fnd_is_unit_element(list->first))
        return value->text;
    fnd_phrase joined = fnd_phrase_make("%s %s", value->text, list->last->text);
    return fnd_keep_text(reader, joined.text, strlen(joined.text));
}

/* What the section `parameters` says of a path "parameters.NAME"; NULL: another path, or no such parameter. */
static const char *parameter_value(const fender_scenario *scenario, const char *path)
{
    static const char section[] = "parameters.";
    if (strncmp(path, section, sizeof section - 1) != 0) return NULL;
    for (int i = 0; i < scenario->parameter_count; i++)
        if (strcmp(scenario->parameters[i].id.name, path + sizeof section - 1) == 0)
            return scenario->parameters[i].value;
    return NULL;
}

/* A number, perhaps with a unit that starts from zero. */
static bool is_quantity(const char *text)
{
    double value;
    size_t used, length = strlen(text);
    fender_unit unit;
    if (!fnd_number_parse(text, length, &value, &used)) return false;
    used += strspn(text + used, " ");
    return used == length ||
           (fender_unit_parse(text + used, length - used, &unit, NULL) == FENDER_STATUS_OK && unit.offset == 0);
}

static bool find_parameter(fnd_reader *reader, fnd_fmu_entry *entry)
{
    const fnd_node *list = NULL, *value = NULL;
    entry->value = parameter_value(reader->scenario, entry->path.text);
    if (!entry->value) value = find_value(reader->root, entry->path.text, &list);
    if (value && value->kind == FND_NODE_TEXT) {
        entry->value = value_text(reader, value, list);
        if (!entry->value) return false; /* no memory */
    }
    if (entry->value) {
        if (is_quantity(entry->value)) return true;
        fnd_complain(reader, &entry->path.location, FENDER_STATUS_VALUE, "a parameter of an FMU is a number",
                     fnd_shown(entry->value).text, "a number with its unit, \"388 kg\"",
                     "choose a value of the scenario that is a number; write kelvins for degC");
        return false;
    }
    fnd_complain(reader, &entry->path.location, FENDER_STATUS_NAME,
                 fnd_phrase_make("the scenario has no value '%s'", fnd_shown(entry->path.text).text).text,
                 value ? fnd_node_kind_text(value) : fnd_shown(entry->path.text).text,
                 "the path of a number that the scenario gives", "write it as for --set: bodies.lander.mass");
    return false;
}

/* ---- the three parts */

/* No two variables of an FMU have one name. */
static bool is_new(fnd_reader *reader, const fnd_named *id)
{
    const fender_scenario *scenario = reader->scenario;
    for (int part = 0; part < FND_FMU_PART_COUNT; part++)
        for (int i = 0; i < scenario->fmu[part].count; i++) {
            if (strcmp(scenario->fmu[part].entries[i].id.name, id->name) != 0) continue;
            fnd_complain(reader, &id->location, FENDER_STATUS_NAME,
                         fnd_phrase_make("two variables are named '%s'", fnd_shown(id->name).text).text,
                         fnd_shown(id->name).text, "a name for each input, output and parameter", "rename one of them");
            return false;
        }
    if (strcmp(id->name, "time") != 0) return true;
    fnd_complain(reader, &id->location, FENDER_STATUS_NAME, "'time' is the independent variable of every FMU", "time",
                 "another name", "rename it");
    return false;
}

static bool read_entry(fnd_reader *reader, const fnd_node *node, fnd_fmu_part part, bool map, fnd_fmu_entry *entry)
{
    const char *text = NULL;
    if (!fnd_read_text(reader, node, part_keys[part], &text)) return false;
    entry->path = fnd_located(node);
    if (map) entry->id = fnd_read_name(reader, node, "a variable of the FMU");
    else {
        entry->id = (fnd_named){text, node->location};
        if (part == FND_FMU_PARAMETERS) {
            fnd_phrase path = fnd_phrase_make("parameters.%s", text);
            entry->path.text = fnd_keep_text(reader, path.text, strlen(path.text));
            if (!entry->path.text) return false;
        }
    }
    return entry->id.name && is_new(reader, &entry->id) &&
           (part != FND_FMU_PARAMETERS || find_parameter(reader, entry));
}

static void read_part(fnd_reader *reader, const fnd_node *node, fnd_fmu_part part)
{
    fnd_fmu_list *list = &reader->scenario->fmu[part];
    bool map = node->kind == FND_NODE_MAP;
    if (!map && node->kind != FND_NODE_LIST) {
        (void)fnd_expect_map(reader, node, part_keys[part]);
        return;
    }
    fnd_fmu_entry *entries = fnd_keep(reader, (size_t)node->count, sizeof *entries);
    if (!entries) return;
    list->given = true;
    list->entries = entries;
    for (const fnd_node *child = node->first; child; child = child->next)
        if (read_entry(reader, child, part, map, &entries[list->count])) list->count++;
}

/* The section `parameters` of the scenario: its numbers, but for those that follow from others. */
static void take_parameters(fnd_reader *reader)
{
    fender_scenario *scenario = reader->scenario;
    fnd_fmu_list *list = &scenario->fmu[FND_FMU_PARAMETERS];
    list->entries = fnd_keep(reader, (size_t)scenario->parameter_count, sizeof *list->entries);
    if (!list->entries) return;
    for (int i = 0; i < scenario->parameter_count; i++) {
        const fnd_parameter *parameter = &scenario->parameters[i];
        if (!parameter->id.name || !parameter->given || !parameter->value) return; /* without memory */
        if (strchr(parameter->given, '$') || !is_quantity(parameter->value)) continue;
        if (strcmp(parameter->id.name, "time") == 0) continue; /* the independent variable of every FMU */
        fnd_phrase path = fnd_phrase_make("parameters.%s", parameter->id.name);
        const char *text = fnd_keep_text(reader, path.text, strlen(path.text));
        if (!text || !is_new(reader, &parameter->id)) return;
        list->entries[list->count++] = (fnd_fmu_entry){
            .id = parameter->id, .path = {text, parameter->id.location}, .value = parameter->value};
    }
}

void fnd_read_fmu(fnd_reader *reader, fnd_node *section)
{
    if (section && fnd_expect_map(reader, section, "fmu")) {
        (void)fnd_check_keys(reader, section, "fmu", part_keys);
        for (int part = 0; part < FND_FMU_PART_COUNT; part++) {
            const fnd_node *node = fnd_node_find(section, part_keys[part]);
            if (node) read_part(reader, node, (fnd_fmu_part)part);
        }
    }
    if (!reader->scenario->fmu[FND_FMU_PARAMETERS].given) take_parameters(reader);
}
