/* Section `parameters`: named values, put in place of `$name` and of expressions before anything else reads the tree.
 */
#include "scenario/expression.h"
#include "scenario/tree.h"
#include "support/memory.h"
#include "support/number.h"
#include "units/dimension.h"
#include <string.h>

enum { CHAIN_LIMIT = 100 }; /* parameters that refer to parameters */

typedef enum parameter_state { RAW, IN_PROGRESS, READY, FAILED } parameter_state;
typedef struct entry {
    fnd_node *node;
    const char *given; /* as it is written; "" for lists and maps */
    parameter_state state;
    bool used;
} entry;

typedef struct fnd_parameter_set {
    fnd_node *section;
    entry *items;
    int count, depth;
    bool refused; /* something is, so that it is not known what is used */
} fnd_parameter_set;

static bool substitute(fnd_reader *reader, fnd_node *node);

/* ---- names */

static bool is_word(char c) { return fnd_is_letter(c) || fnd_is_digit(c); }

static size_t word_length(const char *text)
{
    size_t n = 0;
    if (!fnd_is_letter(text[0])) return 0;
    while (is_word(text[n])) n++;
    return n;
}

static bool complain_circle(fnd_reader *reader, const entry *p, const fnd_location *location)
{
    bool deep = p->state != IN_PROGRESS;
    fnd_complain(reader, location, FENDER_STATUS_NAME,
                 fnd_phrase_make(deep ? "parameter '%s' stands at the end of too long a chain"
                                      : "parameter '%s' depends on itself",
                                 fnd_shown(p->node->key).text)
                     .text,
                 fnd_shown(p->node->key).text,
                 deep ? "at most 100 parameters that refer to each other" : "parameters that do not go in a circle",
                 "write out the value of one of them");
    return false;
}

static bool make_ready(fnd_reader *reader, entry *p, const fnd_location *location)
{
    fnd_parameter_set *set = reader->parameter_set;
    if (p->state == READY || p->state == FAILED) return p->state == READY;
    if (p->state == IN_PROGRESS || set->depth == CHAIN_LIMIT) return complain_circle(reader, p, location);
    p->state = IN_PROGRESS;
    set->depth++;
    bool good = substitute(reader, p->node);
    set->depth--;
    p->state = good ? READY : FAILED;
    return good;
}

/* The parameter of that name, with its value in place; NULL after a diagnostic. */
static entry *find_parameter(fnd_reader *reader, const char *name, size_t length, const fnd_location *location)
{
    fnd_parameter_set *set = reader->parameter_set;
    for (int i = 0; i < set->count; i++) {
        entry *p = &set->items[i];
        if (strlen(p->node->key) != length || strncmp(p->node->key, name, length) != 0) continue;
        p->used = true;
        return make_ready(reader, p, location) ? p : NULL;
    }
    char *found = fnd_keep_text(reader, name, length);
    fnd_known_name *candidates = fnd_keep(reader, (size_t)set->count, sizeof *candidates);
    if (!found || !candidates || fnd_is_misspelt_in(reader->root, "parameters")) return NULL;
    for (int i = 0; i < set->count; i++)
        candidates[i] = (fnd_known_name){set->items[i].node->key, set->items[i].node->key_location.line};
    fnd_complain(
        reader, location, FENDER_STATUS_NAME, fnd_phrase_make("no parameter is named '%s'", fnd_shown(found).text).text,
        fnd_shown(found).text, "the name of a parameter",
        set->count > 0 ? fnd_suggest(reader, found, "parameters", candidates, set->count).text
                       : "add it to the section 'parameters'; write $$ for a dollar sign that is part of a text");
    return NULL;
}

/* ".x" or "[2]" behind a name: the index, and its length; -1: there is none. */
static int element_index(const char *text, size_t *length)
{
    const char *letters = "xyzw", *found;
    if (text[0] == '.' && text[1] && (found = strchr(letters, text[1])) != NULL && !is_word(text[2])) {
        *length = 2;
        return (int)(found - letters);
    }
    size_t digits = text[0] == '[' ? strspn(text + 1, "0123456789") : 0;
    if (digits == 0 || digits > 4 || text[1 + digits] != ']') return -1;
    int index = 0;
    for (size_t i = 0; i < digits; i++) index = 10 * index + (text[1 + i] - '0');
    *length = digits + 2;
    return index;
}

/* A name with perhaps an element behind it, as a node to be copied. `*length`: of both, without the dollar sign. */
static const fnd_node *find_value(fnd_reader *reader, const char *name, size_t *length, const fnd_location *location)
{
    size_t more = 0;
    const entry *p = find_parameter(reader, name, *length, location);
    int index = element_index(name + *length, &more);
    *length += more;
    if (!p || index < 0) return p ? p->node : NULL;
    const fnd_node *list = p->node, *unit = NULL;
    if (list->kind == FND_NODE_LIST && list->count > 1 && fnd_is_unit_element(list->last)) unit = list->last;
    int count = list->kind == FND_NODE_LIST ? list->count - (unit != NULL) : 0;
    const fnd_node *element = list->first;
    for (int i = 0; i < index && element; i++) element = element->next;
    if (index >= count) {
        fnd_complain(reader, location, FENDER_STATUS_NAME,
                     fnd_phrase_make("parameter '%s' has no such element", p->node->key).text,
                     fnd_phrase_make("element %d", index).text,
                     count > 0 ? fnd_phrase_make("elements 0 to %d, or .x, .y, .z", count - 1).text : "a list",
                     count > 0 ? "elements count from 0" : "remove the index, or make the parameter a list");
        return NULL;
    }
    if (!unit || element->kind != FND_NODE_TEXT || element->own_unit) return element;
    fnd_node *joined = fnd_node_make(reader, FND_NODE_TEXT, &element->location);
    fnd_phrase text = fnd_phrase_make("%s %s", element->text, unit->text);
    if (joined) joined->text = fnd_keep_text(reader, text.text, strlen(text.text));
    return joined && joined->text ? joined : NULL;
}

/* ---- expressions */

bool fnd_quantity_parse(const char *text, fnd_quantity *quantity, bool *unit)
{
    size_t used = 0;
    fender_unit parsed = {.scale = 1};
    char si[160];
    *quantity = (fnd_quantity){0};
    while (*text == ' ') text++;
    if (fnd_number_read(text, strlen(text), &quantity->value, &used) != FND_NUMBER_OK) return false;
    const char *rest = text + used;
    while (*rest == ' ') rest++;
    *unit = *rest != 0;
    if (!*rest) return true;
    if (fender_unit_parse(rest, strlen(rest), &parsed, NULL) != FENDER_STATUS_OK) return false;
    memcpy(quantity->exponent, parsed.exponent, sizeof quantity->exponent);
    fnd_dimension_text(parsed.exponent, si, sizeof si);
    if (fender_unit_to_si(quantity->value, rest, si, &quantity->value, NULL) != FENDER_STATUS_OK)
        quantity->value = parsed.scale * (quantity->value + parsed.offset);
    return true;
}

typedef struct slots {
    fnd_reader *reader;
    fnd_quantity values[FND_EXPRESSION_CODE_LIMIT];
    int count;
} slots;

static int find_slot(void *ctx, const char *name, size_t *length, const fnd_location *location)
{
    slots *s = ctx;
    bool unit;
    const char *start = name;
    if (s->count == FND_EXPRESSION_CODE_LIMIT) return 0; /* the expression is refused as too long */
    const fnd_node *node = find_value(s->reader, name, length, location);
    if (!node) return -1;
    if (node->kind == FND_NODE_TEXT && fnd_quantity_parse(node->text, &s->values[s->count], &unit)) return s->count++;
    char *shown = fnd_keep_text(s->reader, start, *length);
    if (!shown) return -1;
    fender_error error = {0};
    if (node->kind == FND_NODE_TEXT &&
        fender_quantity_parse(node->text, strlen(node->text), "1", &(double){0}, &error) &&
        error.status == FENDER_STATUS_UNIT) {
        fnd_complain(s->reader, location, error.status, error.message, fnd_shown(node->text).text,
                     "a number with a known unit", error.suggestion);
        return -1;
    }
    bool list = node->kind == FND_NODE_LIST;
    fnd_complain(s->reader, location, FENDER_STATUS_VALUE, fnd_phrase_make("'$%s' is not a number", shown).text,
                 node->kind == FND_NODE_TEXT ? fnd_shown(node->text).text : fnd_node_kind_text(node),
                 "a parameter that is a number, perhaps with a unit",
                 list ? fnd_phrase_make("compute with its elements: $%s.x", shown).text
                      : "expressions compute with numbers alone");
    return -1;
}

static bool compute(fnd_reader *reader, fnd_node *node)
{
    slots *s = fnd_keep(reader, 1, sizeof *s);
    fnd_operator *code = NULL;
    int count = 0;
    fnd_quantity result;
    if (!s) return false;
    s->reader = reader;
    fnd_expression_def def = {FND_EXPRESSION_VALUE, node, find_slot, s};
    if (!fnd_expression_read(reader, &def, &code, &count) ||
        !fnd_expression_quantity(reader, &def, code, count, s->values, &result))
        return false;
    char unit[160];
    fnd_dimension_text(result.exponent, unit, sizeof unit);
    fnd_phrase text = fnd_digits(result.value, unit);
    node->own_unit = strcmp(unit, "1") != 0;
    node->text = fnd_keep_text(reader, text.text, strlen(text.text));
    return node->text != NULL;
}

/* ---- texts */

static fnd_location part_of(const fnd_node *node, const char *at, size_t length)
{
    return fnd_expression_location(node, (size_t)(at - node->text), length);
}

/* "$$" is a dollar sign, "${name}" the text of a parameter within a text. */
static bool interpolate(fnd_reader *reader, fnd_node *node)
{
    fnd_buffer text = fnd_buffer_open(&reader->env.allocator);
    bool good = true;
    for (const char *at = node->text; *at && good;) {
        size_t n = at[0] == '$' && at[1] == '{' ? word_length(at + 2) : 0;
        fnd_location location = part_of(node, at, n > 0 ? n + 3 : 1);
        if (at[0] != '$') fnd_buffer_append_char(&text, *at++);
        else if (at[1] == '$') {
            fnd_buffer_append_char(&text, '$');
            at += 2;
        } else if (n == 0 || at[2 + n] != '}') {
            fnd_complain(reader, &location, FENDER_STATUS_PARSE, "a '$' within a text begins ${NAME}",
                         fnd_shown(at).text, "${NAME}, or $$ for a dollar sign", "write the name in braces");
            good = false;
        } else {
            const entry *p = find_parameter(reader, at + 2, n, &location);
            good = p && p->node->kind == FND_NODE_TEXT;
            if (p && !good)
                fnd_complain(reader, &location, FENDER_STATUS_VALUE, "a text cannot contain a list or a map",
                             fnd_node_kind_text(p->node), "a parameter that is a text or a number",
                             "name another parameter");
            if (good) fnd_buffer_append_text(&text, p->node->text);
            at += n + 3;
        }
    }
    if (text.failed) reader->memory_failed = true;
    if (good && !text.failed) node->text = fnd_keep_text(reader, text.text, text.length);
    good = good && !text.failed && node->text;
    fnd_buffer_close(&text);
    return good;
}

/* The node becomes a copy of the value; it keeps its key and its place. */
static bool put_value(fnd_reader *reader, fnd_node *node, const fnd_node *value)
{
    fnd_quantity quantity;
    fnd_node *copy = fnd_node_copy(reader, value);
    if (!copy) return false;
    node->kind = copy->kind;
    node->text = copy->text;
    node->first = copy->first;
    node->last = copy->last;
    node->count = copy->count;
    if (node->kind != FND_NODE_TEXT || !fnd_quantity_parse(node->text, &quantity, &node->own_unit))
        node->own_unit = false;
    return true;
}

static bool substitute_text(fnd_reader *reader, fnd_node *node)
{
    const char *text = node->text;
    if (!strchr(text, '$')) return true;
    if (strstr(text, "$$") || strstr(text, "${")) return interpolate(reader, node);
    while (*text == ' ') text++;
    size_t n = text[0] == '$' ? word_length(text + 1) : 0, more = 0;
    if (n == 0) return compute(reader, node);
    if (element_index(text + 1 + n, &more) < 0) more = 0;
    if (text[1 + n + more + strspn(text + 1 + n + more, " ")] != 0) return compute(reader, node);
    fnd_location location = part_of(node, text, 1 + n + more);
    const fnd_node *value = find_value(reader, text + 1, &n, &location);
    return value && put_value(reader, node, value);
}

static bool has_own_unit(const fnd_node *list, int depth)
{
    for (const fnd_node *child = list->first; child; child = child->next)
        if (child->own_unit || (depth > 0 && child->kind == FND_NODE_LIST && has_own_unit(child, depth - 1)))
            return true;
    return false;
}

/* "[$gap, 0, 0, m]": elements that came without a unit get that of the list. */
static bool settle_units(fnd_reader *reader, fnd_node *list)
{
    fender_unit unit;
    const fnd_node *last = list->last;
    if (list->kind != FND_NODE_LIST || list->count < 2 || last->own_unit || !fnd_is_unit_element(last) ||
        !has_own_unit(list, 1) || fender_unit_parse(last->text, strlen(last->text), &unit, NULL) != FENDER_STATUS_OK)
        return true;
    if (!fnd_tree_distribute_unit(reader, list)) return false;
    for (fnd_node *child = list->first; child; child = child->next)
        if (!settle_units(reader, child)) return false;
    return true;
}

/* Free text stays as it is. */
static bool is_prose(const fnd_node *node)
{
    return node->key &&
           (strcmp(node->key, "title") == 0 || strcmp(node->key, "about") == 0 || strcmp(node->key, "source") == 0);
}

/* Formulas of laws and loads have names of their own: their parameters stand under `constants`. */
static bool is_formula(const fnd_node *map, const fnd_node *child)
{
    if (map->kind == FND_NODE_MAP && map->key && strcmp(map->key, "formula") == 0)
        return child->kind == FND_NODE_TEXT && strlen(child->key) == 1;
    if (map->kind != FND_NODE_MAP || child->kind != FND_NODE_TEXT) return false;
    const fnd_node *law = fnd_node_find(map, "law");
    if (!law || law->kind != FND_NODE_TEXT) return false;
    return (strcmp(law->text, "expression") == 0 && strcmp(child->key, "force") == 0) ||
           (strcmp(law->text, "friction_expression") == 0 && strcmp(child->key, "coefficient") == 0);
}

static bool substitute(fnd_reader *reader, fnd_node *node) /* depth is bounded by the parser */
{
    if (is_prose(node)) return true;
    bool good = node->kind != FND_NODE_TEXT || substitute_text(reader, node);
    for (fnd_node *child = node->first; child; child = child->next)
        good = (is_formula(node, child) || substitute(reader, child)) && good;
    if (node->kind != FND_NODE_TEXT) good = good && settle_units(reader, node);
    node->unresolved = !good && node->kind != FND_NODE_MAP;
    return good;
}

/* ---- the section */

bool fnd_parameters_substitute(fnd_reader *reader, fnd_node *node)
{
    return !reader->parameter_set || substitute(reader, node);
}

/* What stays without its parameter would be refused again where it is read. */
static void mute(const fnd_reader *reader, const fnd_node *node)
{
    if (node->unresolved) {
        fnd_diagnostics_mute(reader->diagnostics, &node->location);
        fnd_diagnostics_mute(reader->diagnostics, fnd_node_shown_location(node));
    }
    for (const fnd_node *child = node->first; child; child = child->next) mute(reader, child);
}

void fnd_parameters_resolve(fnd_reader *reader)
{
    fnd_node *section = fnd_node_find(reader->root, "parameters");
    fnd_parameter_set *set = fnd_keep(reader, 1, sizeof *set);
    if (!set) return;
    reader->parameter_set = set;
    bool good = !section || fnd_expect_map(reader, section, "parameters");
    if (section && good) {
        set->items = fnd_keep(reader, (size_t)section->count, sizeof *set->items);
        if (!set->items) return;
        set->section = section;
        for (fnd_node *node = section->first; node; node = node->next) {
            good = fnd_check_name(reader, node->key, &node->key_location, "a parameter") && good;
            set->items[set->count++] = (entry){node, node->text, RAW, false};
            if (node->kind != FND_NODE_TEXT || node->text[0]) continue;
            good = false;
            set->items[set->count - 1].state = FAILED;
            fnd_complain(reader, &node->key_location, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("parameter '%s' has no value", fnd_shown(node->key).text).text, "nothing",
                         "a number, a text, a list or a map", fnd_phrase_make("write '%s: 6 t'", node->key).text);
        }
        for (int i = 0; i < set->count; i++)
            good = make_ready(reader, &set->items[i], &set->items[i].node->location) && good;
    }
    for (fnd_node *node = reader->root->first; node; node = node->next)
        if (node != section) good = substitute(reader, node) && good;
    set->refused = !good;
    if (!good && !reader->memory_failed) mute(reader, reader->root);
}

void fnd_parameters_finish(fnd_reader *reader)
{
    const fnd_parameter_set *set = reader->parameter_set;
    fender_scenario *scenario = reader->scenario;
    if (!set || !set->section) return;
    set->section->unknown = true; /* done: not printed as a section */
    scenario->parameters = fnd_keep(reader, (size_t)set->count, sizeof *scenario->parameters);
    if (!scenario->parameters) return;
    for (int i = 0; i < set->count; i++) {
        const entry *p = &set->items[i];
        fnd_parameter *to = &scenario->parameters[scenario->parameter_count++];
        fnd_buffer text = fnd_buffer_open(&reader->env.allocator);
        fnd_tree_print_value(p->node, &text);
        if (text.failed) reader->memory_failed = true;
        to->id = (fnd_named){p->node->key, p->node->key_location};
        to->given = p->given;
        to->value = text.failed ? NULL : fnd_keep_text(reader, text.text ? text.text : "", text.length);
        fnd_buffer_close(&text);
        if (!to->value) return;
        if (p->used || set->refused) continue;
        fnd_diagnostic_add(reader->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_NAME, &p->node->key_location,
                           fnd_phrase_make("parameter '%s' is not used", fnd_shown(p->node->key).text).text,
                           fnd_shown(p->node->key).text, fnd_phrase_make("$%s somewhere", p->node->key).text,
                           "use it, or remove it");
    }
}

bool fender_scenario_parameter_at(const fender_scenario *scenario, int index, fender_scenario_parameter *parameter)
{
    if (!scenario || !parameter || index < 0 || index >= scenario->parameter_count) return false;
    const fnd_parameter *p = &scenario->parameters[index];
    *parameter = (fender_scenario_parameter){p->id.name, p->given, p->value, p->id.location.file, p->id.location.line};
    return true;
}

void fnd_parameters_print(const fnd_reader *reader, fnd_buffer *to)
{
    const fender_scenario *scenario = reader->scenario;
    for (int i = 0; i < scenario->parameter_count; i++) {
        fnd_buffer_append_text(to, "# parameter ");
        fnd_buffer_append_text(to, scenario->parameters[i].id.name);
        fnd_buffer_append_text(to, ": ");
        fnd_buffer_append_text(to, scenario->parameters[i].value);
        fnd_buffer_append_char(to, '\n');
    }
}
