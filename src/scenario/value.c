/* Maps, scalars, vectors and matrices out of nodes, and the words for what is wrong with them. */
#include "scenario/value.h"

#include "support/io_error.h"
#include "support/number.h"
#include "support/renamed.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- Maps ---- */

/* PARSE: "'mass' needs a mass [kg]; here is a list". */
static void complain_kind(fnd_reader *reader, const fnd_node *node, const char *name, const char *expected,
                          const char *suggestion)
{
    const char *found = fnd_node_kind_text(node);
    fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_PARSE,
                 fnd_phrase_make("'%s' needs %s; here is %s", name, expected, found).text, found, expected, suggestion);
}

fnd_phrase fnd_join(const char *const *names)
{
    fnd_phrase list = {""};
    size_t used = 0;
    for (int i = 0; names[i]; i++) {
        size_t length = strlen(names[i]);
        if (used + length + 8 > sizeof list.text) break;
        if (i > 0) {
            memcpy(list.text + used, ", ", 2);
            used += 2;
        }
        memcpy(list.text + used, names[i], length);
        used += length;
    }
    return list;
}

bool fnd_expect_map(fnd_reader *reader, const fnd_node *node, const char *what)
{
    if (node->kind == FND_NODE_MAP) return true;
    bool empty = node->kind == FND_NODE_TEXT && !node->text[0];
    complain_kind(reader, node, what, "a map",
                  empty ? "write {} for an empty one" : "write {key: value} or 'key: value' lines below");
    return false;
}

bool fnd_expect_list(fnd_reader *reader, const fnd_node *node, const char *what)
{
    if (node->kind == FND_NODE_LIST) return true;
    complain_kind(reader, node, what, "a list", "write [a, b] or lines that begin with '- '");
    return false;
}

void fnd_complain_later(fnd_reader *reader, const fnd_location *location, const char *found, const char *instead)
{
    fnd_complain(reader, location, FENDER_STATUS_NOT_BUILT,
                 fnd_phrase_make("'%s' is in the format but not in this version of fender", found).text, found,
                 "what this version has: see docs/formats/scenario.md", instead ? instead : "remove it");
}

static bool is_later(const char *key) { return key[0] == FND_LATER[0]; }

static bool is_key_of(const char *const *keys, const char *name, bool *later)
{
    for (; *keys; keys++) {
        *later = is_later(*keys);
        if (strcmp(*keys + *later, name) == 0) return true;
    }
    return false;
}

/* Gives a key of an earlier version its present name. A map with both keeps the former one, which is then unknown. */
static void rename_key(fnd_reader *reader, const fnd_node *map, fnd_node *child, const char *const *keys)
{
    bool later;
    const fnd_renamed *row = fnd_renamed_find(FND_RENAMED_KEY, child->key);
    if (!row || !is_key_of(keys, row->now, &later) || fnd_node_find(map, row->now)) return;
    fnd_note_renamed(reader, &child->key_location, row);
    child->key = row->now;
}

static void complain_key(fnd_reader *reader, const fnd_node *child, const char *what, const char *const *keys)
{
    fnd_known_name candidates[48];
    const char *names[48];
    int count = 0;
    for (; *keys && count < 47; keys++)
        if (!is_later(*keys)) {
            candidates[count] = (fnd_known_name){*keys, 0};
            names[count++] = *keys;
        }
    names[count] = NULL;
    fnd_phrase found = fnd_shown(child->key);
    fnd_complain(reader, &child->key_location, FENDER_STATUS_NAME,
                 fnd_phrase_make("'%s' is not a key of %s", found.text, what).text, found.text, fnd_join(names).text,
                 fnd_suggest(reader, child->key, "keys", candidates, count).text);
}

bool fnd_check_keys(fnd_reader *reader, fnd_node *map, const char *what, const char *const *keys)
{
    assert(keys);
    bool good = true;
    if (map->kind == FND_NODE_LIST) return fnd_expect_map(reader, map, map->key ? map->key : what); /* without keys */
    for (fnd_node *child = map->first; child; child = child->next) {
        bool later = false;
        if (!is_key_of(keys, child->key, &later)) rename_key(reader, map, child, keys);
        const bool known = is_key_of(keys, child->key, &later);
        if (known && !later) continue;
        good = false;
        child->unknown = true;
        if (known) fnd_complain_later(reader, &child->key_location, child->key, NULL);
        else complain_key(reader, child, what, keys);
    }
    return good;
}

static bool is_word(const char *name, const char *word, size_t length)
{
    return strlen(name) == length && strncmp(name, word, length) == 0;
}

/* "events.NAME.count" of an event that there is: an action may emit one that has the former name of another. */
static bool is_event_now(const fnd_reader *reader, const char *path)
{
    static const char events[] = "events.";
    const fender_scenario *scenario = reader->scenario;
    if (strncmp(path, events, sizeof events - 1) != 0) return false;
    const char *word = path + sizeof events - 1, *name;
    size_t length = strcspn(word, ".");
    for (int i = 0; i < scenario->event_count; i++)
        if (is_word(scenario->events[i].name, word, length)) return true;
    for (int kind = 0; (name = fender_event_name((fender_event_kind)kind)) != NULL; kind++)
        if (is_word(name, word, length)) return true;
    return false;
}

bool fnd_read_channel_path(fnd_reader *reader, fnd_node *node, const char *name)
{
    const char *path = NULL;
    char present[256];
    if (!fnd_read_text(reader, node, name, &path)) return false;
    const fnd_renamed *row = is_event_now(reader, path) ? NULL : fnd_renamed_find(FND_RENAMED_CHANNEL, path);
    if (!row || !fnd_renamed_channel(row, path, present, sizeof present)) return true;
    fnd_note_renamed(reader, &node->location, row);
    node->text = fnd_keep_text(reader, present, strlen(present));
    return node->text != NULL;
}

bool fnd_is_misspelt_in(const fnd_node *map, const char *key)
{
    size_t length = strlen(key);
    for (const fnd_node *child = map->first; child; child = child->next) {
        if (!child->unknown) continue;
        if (fnd_nearest_distance(child->key, strlen(child->key), key, length) <= fnd_nearest_limit(length)) return true;
    }
    return false;
}

fnd_node *fnd_require(fnd_reader *reader, const fnd_node *map, const char *key, const char *what, const char *example)
{
    assert(key);
    fnd_node *child = fnd_node_find(map, key);
    if (child) return child;
    if (fnd_is_misspelt_in(map, key)) return NULL;
    fnd_complain(reader, map->key ? &map->key_location : &map->location, FENDER_STATUS_ARGUMENT,
                 fnd_phrase_make("%s has no '%s'", what, key).text, "nothing", fnd_phrase_make("'%s'", key).text,
                 fnd_phrase_make("add '%s: %s'", key, example).text);
    return NULL;
}

void fnd_complain_unknown(fnd_reader *reader, const fnd_location *location, const char *kind, const char *plural,
                          const char *name, const fnd_node *map)
{
    fnd_phrase section = fnd_phrase_make("%s", plural);
    for (char *c = section.text; *c; c++)
        if (*c == ' ') *c = '_';
    /* the section itself is wrong, and that has been said */
    if ((map && map->kind != FND_NODE_MAP) || (!map && fnd_is_misspelt_in(reader->root, section.text))) return;
    int count = 0, capacity = map ? map->count : 0;
    fnd_known_name *candidates = fnd_keep(reader, (size_t)capacity, sizeof *candidates);
    if (!candidates) return;
    for (const fnd_node *child = map ? map->first : NULL; child; child = child->next)
        candidates[count++] = (fnd_known_name){child->key, child->key_location.line};
    fnd_phrase found = fnd_shown(name);
    fnd_complain(reader, location, FENDER_STATUS_NAME, fnd_phrase_make("no %s is named '%s'", kind, found.text).text,
                 found.text, fnd_phrase_make("the name of a %s", kind).text,
                 fnd_suggest(reader, name, plural, candidates, count).text);
}

bool fnd_check_name(fnd_reader *reader, const char *name, const fnd_location *location, const char *what)
{
    assert(name);
    size_t length = strlen(name);
    bool good = length <= 63 && fnd_is_letter(name[0]);
    for (size_t i = 0; good && i < length; i++) good = fnd_is_letter(name[i]) || fnd_is_digit(name[i]);
    if (!good)
        fnd_complain(reader, location, FENDER_STATUS_NAME,
                     length > 63
                         ? fnd_phrase_make("the name of %s has at most 63 characters, not %d", what, (int)length).text
                         : fnd_phrase_make("'%s' cannot be the name of %s", fnd_shown(name).text, what).text,
                     fnd_shown(name).text, "letters, digits and '_', no digit first, at most 63",
                     length > 63 ? "shorten it to at most 63 characters" : "replace other characters by '_'");
    return good;
}

fnd_named fnd_read_name(fnd_reader *reader, const fnd_node *node, const char *what)
{
    (void)fnd_check_name(reader, node->key, &node->key_location, what);
    return (fnd_named){node->key, node->key_location};
}

void *fnd_keep_section(fnd_reader *reader, const fnd_node *section, const char *name, size_t size)
{
    return section && fnd_expect_map(reader, section, name) ? fnd_keep(reader, (size_t)section->count, size) : NULL;
}

/* ---- Values ---- */

static bool is_plain_number(const char *unit) { return unit[0] == 0 || strcmp(unit, "1") == 0; }

static const char *article(const char *noun) { return strchr("aeiou", noun[0]) ? "an" : "a"; }

/* "a length [m]", "N/m" for a unit without a name, "a plain number" */
static fnd_phrase describe(const char *unit)
{
    fender_unit parsed;
    if (is_plain_number(unit)) return fnd_phrase_make("a plain number");
    if (fender_unit_parse(unit, strlen(unit), &parsed, NULL) != FENDER_STATUS_OK) return fnd_phrase_make("%s", unit);
    const char *name = fender_unit_dimension_name(&parsed);
    if (!name[0] || strpbrk(name, "*/^")) return fnd_phrase_make("%s", unit);
    return fnd_phrase_make("%s %s [%s]", article(name), name, unit);
}

static fnd_phrase units_of(const char *unit)
{
    char list[200];
    fender_unit parsed;
    if (is_plain_number(unit)) return fnd_phrase_make("write the number alone");
    fender_unit_alternatives(unit, list, sizeof list);
    if (fender_unit_parse(unit, strlen(unit), &parsed, NULL) != FENDER_STATUS_OK || !list[0])
        return fnd_phrase_make("write it in %s", unit);
    return fnd_phrase_make("units of %s: %s", fender_unit_dimension_name(&parsed), list);
}

bool fnd_read_text(fnd_reader *reader, const fnd_node *node, const char *name, const char **text)
{
    if (node->kind != FND_NODE_TEXT || !node->text[0]) {
        complain_kind(reader, node, name, "a text", fnd_phrase_make("write '%s: TEXT'", name).text);
        return false;
    }
    *text = node->text;
    return true;
}

bool fnd_read_bool(fnd_reader *reader, const fnd_node *node, const char *name, bool *value)
{
    static const char *const yes[] = {"yes", "on", "True", "TRUE", "1", NULL}, *const no[] = {"no",    "off", "False",
                                                                                              "FALSE", "0",   NULL};
    if (node->kind == FND_NODE_TEXT) {
        if (strcmp(node->text, "true") == 0) return *value = true, true;
        if (strcmp(node->text, "false") == 0) return *value = false, true;
    }
    bool looks_true = false, looks_false = false;
    for (int i = 0; yes[i]; i++) looks_true = looks_true || strcmp(node->text, yes[i]) == 0;
    for (int i = 0; no[i]; i++) looks_false = looks_false || strcmp(node->text, no[i]) == 0;
    fnd_phrase found = node->text[0] ? fnd_shown(node->text) : fnd_phrase_make("%s", fnd_node_kind_text(node));
    fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_PARSE,
                 fnd_phrase_make("'%s' is true or false, not '%s'", name, found.text).text, found.text, "true or false",
                 fnd_phrase_make("write '%s: %s'", name,
                                 looks_true    ? "true"
                                 : looks_false ? "false"
                                               : "true' or 'false")
                     .text);
    return false;
}

bool fnd_read_choice(fnd_reader *reader, const fnd_node *node, const char *name, const char *const *choices, int *index)
{
    assert(choices && index);
    size_t count = 0;
    fnd_phrase list = fnd_join(choices);
    for (; choices[count]; count++)
        if (node->kind == FND_NODE_TEXT && strcmp(node->text, choices[count]) == 0) return *index = (int)count, true;
    fnd_phrase found = node->text[0] ? fnd_shown(node->text) : fnd_phrase_make("%s", fnd_node_kind_text(node));
    const char *near = fnd_nearest_of(node->text, strlen(node->text), choices, count);
    fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_NAME,
                 fnd_phrase_make("'%s' is not a valid value of '%s'", found.text, name).text, found.text, list.text,
                 near ? fnd_phrase_make("did you mean '%s'?   choices: %s", near, list.text).text
                      : fnd_phrase_make("choices: %s", list.text).text);
    return false;
}

/* ---- numbers */

static void complain_number(fnd_reader *reader, const fnd_location *location, const char *text, const char *name,
                            const char *unit, fnd_number_result result)
{
    fnd_phrase found = fnd_shown(text), expected = describe(unit);
    const char *why = "is not a number", *remedy = "write a number such as 0.5 or 1e-3";
    switch (result) {
    case FND_NUMBER_OVERFLOW: why = "is too large for a number", remedy = "the largest number is about 1.8e308"; break;
    case FND_NUMBER_NOT_FINITE: why = "is not finite", remedy = "write a finite number"; break;
    case FND_NUMBER_HEXADECIMAL: why = "is hexadecimal", remedy = "write the number in decimal notation"; break;
    case FND_NUMBER_UNDERSCORE: why = "has an underscore", remedy = "write the digits without underscores"; break;
    case FND_NUMBER_OK:
    case FND_NUMBER_MISSING: break;
    }
    bool parse = result == FND_NUMBER_MISSING || result == FND_NUMBER_HEXADECIMAL || result == FND_NUMBER_UNDERSCORE;
    fnd_complain(reader, location, parse ? FENDER_STATUS_PARSE : FENDER_STATUS_VALUE,
                 fnd_phrase_make("'%s' %s; '%s' needs %s", found.text, why, name, expected.text).text, found.text,
                 expected.text, remedy);
}

bool fnd_apply_unit(fnd_reader *reader, const fnd_location *location, const char *found, const char *name,
                    const char *unit_text, const char *unit, double *value)
{
    fender_unit given, wanted;
    fender_error error = {0};
    if (fender_unit_parse(unit_text, strlen(unit_text), &given, &error) != FENDER_STATUS_OK) {
        fnd_phrase expected = describe(unit), suggestion = units_of(unit);
        fnd_phrase remedy = error.suggestion[0] ? fnd_phrase_make("%s   %s", error.suggestion, suggestion.text)
                                                : suggestion;
        fnd_complain(reader, location, error.status, error.message, found, expected.text, remedy.text);
        return false;
    }
    const char *si = is_plain_number(unit) ? "1" : unit;
    if (fender_unit_parse(si, strlen(si), &wanted, &error) != FENDER_STATUS_OK) {
        fnd_complain(reader, location, error.status, error.message, si, "", "");
        return false;
    }
    if (!fender_unit_compatible(&given, &wanted)) {
        const char *dimension = fender_unit_dimension_name(&given);
        bool named = dimension[0] && !strpbrk(dimension, "*/^");
        fnd_phrase is = named ? fnd_phrase_make("%s %s", article(dimension), dimension)
                              : fnd_phrase_make("of dimension %s", dimension);
        fnd_phrase needs = describe(unit);
        fnd_complain(
            reader, location, FENDER_STATUS_UNIT,
            fnd_phrase_make("unit '%s' is %s; '%s' needs %s", fnd_shown(unit_text).text, is.text, name, needs.text)
                .text,
            found, needs.text, units_of(unit).text);
        return false;
    }
    double converted = 0;
    if (fender_unit_to_si(*value, unit_text, si, &converted, &error) != FENDER_STATUS_OK) {
        fnd_complain(reader, location, error.status, error.message, found, error.expected, error.suggestion);
        return false;
    }
    *value = converted;
    return true;
}

bool fnd_split_number(fnd_reader *reader, const fnd_node *node, const char *name, const char *unit, double *value,
                      const char **unit_text)
{
    if (node->kind != FND_NODE_TEXT || !node->text[0]) {
        fnd_phrase expected = describe(unit);
        if (node->kind == FND_NODE_MAP) complain_kind(reader, node, name, expected.text, "write the number itself");
        else complain_kind(reader, node, name, expected.text, fnd_phrase_make("write '%s: NUMBER UNIT'", name).text);
        return false;
    }
    const char *text = node->text;
    while (*text == ' ') text++;
    size_t used = 0;
    double number = 0;
    fnd_number_result result = fnd_number_read(text, strlen(text), &number, &used);
    if (result != FND_NUMBER_OK) {
        complain_number(reader, &node->location, text, name, unit, result);
        return false;
    }
    const char *rest = text + used;
    while (*rest == ' ') rest++;
    size_t length = strlen(rest);
    while (length > 0 && rest[length - 1] == ' ') length--;
    if (rest[length] != 0) rest = fnd_keep_text(reader, rest, length);
    if (!rest) return false;
    *value = number;
    *unit_text = rest;
    return true;
}

bool fnd_read_number(fnd_reader *reader, const fnd_node *node, const char *name, const char *unit, double *value)
{
    assert(value);
    const char *unit_text = "";
    double number = 0;
    if (!fnd_split_number(reader, node, name, unit, &number, &unit_text)) return false;
    if (unit_text[0] &&
        !fnd_apply_unit(reader, &node->location, fnd_shown(node->text).text, name, unit_text, unit, &number))
        return false;
    *value = number;
    return true;
}

bool fnd_read_number_from(fnd_reader *reader, const fnd_node *node, const char *name, const char *unit, double minimum,
                          bool above, double *value)
{
    assert(!isnan(minimum));
    double number = 0;
    if (!fnd_read_number(reader, node, name, unit, &number)) return false;
    if (above ? number > minimum : number >= minimum) return *value = number, true;
    fnd_phrase bound = fnd_digits(minimum, minimum == 0 ? "" : unit);
    fnd_phrase expected = fnd_phrase_make(above ? "more than %s" : "%s or more", bound.text);
    fnd_phrase found = fnd_shown(node->text);
    fnd_complain(reader, &node->location, FENDER_STATUS_VALUE,
                 fnd_phrase_make("'%s' must be %s, not %s", name, expected.text, found.text).text, found.text,
                 expected.text, number < minimum ? "is the sign right?" : "write a positive number");
    return false;
}

bool fnd_read_integer(fnd_reader *reader, const fnd_node *node, const char *name, int minimum, int maximum, int *value)
{
    assert(minimum <= maximum);
    double number = 0;
    if (!fnd_read_number(reader, node, name, "1", &number)) return false;
    if (number == floor(number) && number >= minimum && number <= maximum) return *value = (int)number, true;
    fnd_phrase expected = fnd_phrase_make("a whole number from %d to %d", minimum, maximum);
    fnd_complain(reader, &node->location, FENDER_STATUS_VALUE,
                 fnd_phrase_make("'%s' must be %s, not %s", name, expected.text, fnd_shown(node->text).text).text,
                 fnd_shown(node->text).text, expected.text, "");
    return false;
}

/* ---- vectors */

static bool begins_like_number(const char *text)
{
    return fnd_is_digit(text[0]) || text[0] == '+' || text[0] == '-' || text[0] == '.';
}

bool fnd_is_unit_element(const fnd_node *node)
{
    static const char *const words[] = {"inf", "Inf", "INF", "infinity", "nan", "NaN", "NAN", "none", NULL};
    if (node->kind != FND_NODE_TEXT || !node->text[0] || begins_like_number(node->text)) return false;
    for (int i = 0; words[i]; i++)
        if (strcmp(node->text, words[i]) == 0) return false;
    return true;
}

static bool read_element(fnd_reader *reader, const fnd_node *node, const char *name, const char *common,
                         const char *unit, double *value)
{
    if (!common) return fnd_read_number(reader, node, name, unit, value);
    const char *own = "";
    double number = 0;
    if (!fnd_split_number(reader, node, name, unit, &number, &own)) return false;
    if (own[0]) {
        fnd_phrase found = fnd_shown(node->text);
        fnd_complain(reader, &node->location, FENDER_STATUS_UNIT,
                     fnd_phrase_make("'%s' has a separate unit in addition to the unit '%s' of the list", found.text,
                                     fnd_shown(common).text)
                         .text,
                     found.text, "one unit at the end, or a unit on every element", "remove one of the two units");
        return false;
    }
    *value = number;
    return true;
}

/* The unit at the end of a list of count + 1 elements; NULL when there is none. */
static const fnd_node *common_unit(const fnd_node *list, int count)
{
    return list->count == count + 1 && fnd_is_unit_element(list->last) ? list->last : NULL;
}

static void complain_count(fnd_reader *reader, const fnd_node *node, const char *name, const char *unit, int count)
{
    bool has_unit = node->last && fnd_is_unit_element(node->last);
    int numbers = node->count - (has_unit ? 1 : 0);
    fnd_phrase found = fnd_phrase_make("%d%s", numbers, has_unit ? " and a unit" : "");
    fnd_phrase example = fnd_phrase_make(count == 2   ? "[x, y%s%s]"
                                         : count == 4 ? "[w, x, y, z%s%s]"
                                                      : "[x, y, z%s%s]",
                                         is_plain_number(unit) ? "" : ", ", is_plain_number(unit) ? "" : unit);
    fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_PARSE,
                 fnd_phrase_make("'%s' needs %d numbers, not %s", name, count, found.text).text, found.text,
                 fnd_phrase_make("%d numbers%s", count, is_plain_number(unit) ? "" : ", and perhaps a unit").text,
                 fnd_phrase_make("write %s", example.text).text);
}

/* A list under a unit that stands further out (of a matrix), or that looks for one of its own. */
static bool read_list(fnd_reader *reader, const fnd_node *node, const char *name, const fnd_node *outer_unit,
                      const char *unit, int count, double *values)
{
    if (node->kind != FND_NODE_LIST) {
        fnd_phrase expected = fnd_phrase_make("a list of %d numbers", count);
        complain_kind(reader, node, name, expected.text,
                      count == 2   ? "write [x, y]"
                      : count == 4 ? "write [w, x, y, z]"
                                   : "write [x, y, z]");
        return false;
    }
    const fnd_node *unit_node = outer_unit ? outer_unit : common_unit(node, count);
    bool unit_for_number = !unit_node && node->count == count && fnd_is_unit_element(node->last);
    /* an element that was set to a word is at fault itself, wherever the list stands */
    if (unit_for_number && node->last->location.file != node->location.file)
        return read_element(reader, node->last, name, NULL, unit, &values[0]) && false;
    if (node->count != count + (unit_node && !outer_unit ? 1 : 0) || unit_for_number) {
        complain_count(reader, node, name, unit, count);
        return false;
    }
    bool good = true;
    int i = 0;
    for (const fnd_node *element = node->first; i < count; element = element->next, i++)
        good = read_element(reader, element, name, unit_node ? unit_node->text : NULL, unit, &values[i]) && good;
    for (i = 0; good && unit_node && i < count; i++)
        good = fnd_apply_unit(reader, &unit_node->location, fnd_shown(unit_node->text).text, name, unit_node->text,
                              unit, &values[i]);
    return good;
}

bool fnd_read_numbers(fnd_reader *reader, const fnd_node *node, const char *name, const char *unit, int count,
                      double *values)
{
    return read_list(reader, node, name, NULL, unit, count, values);
}

bool fnd_read_vector(fnd_reader *reader, const fnd_node *node, const char *name, const char *unit, fender_vec3 *vector)
{
    double v[3];
    if (!fnd_read_numbers(reader, node, name, unit, 3, v)) return false;
    *vector = fender_vec3_make(v[0], v[1], v[2]);
    return true;
}

bool fnd_read_matrix(fnd_reader *reader, const fnd_node *node, const char *name, const char *unit, bool diagonal,
                     fender_mat3 *matrix)
{
    const char *forms = diagonal ? "three numbers or a 3 x 3 matrix" : "a 3 x 3 matrix";
    if (node->kind == FND_NODE_LIST && node->first && node->first->kind != FND_NODE_LIST && diagonal) {
        double d[3];
        if (!fnd_read_numbers(reader, node, name, unit, 3, d)) return false;
        *matrix = fender_mat3_diagonal(d[0], d[1], d[2]);
        return true;
    }
    const fnd_node *unit_node = node->kind == FND_NODE_LIST ? common_unit(node, 3) : NULL;
    if (node->kind != FND_NODE_LIST || (!unit_node && node->count != 3)) {
        complain_kind(reader, node, name, forms, "write [[a, b, c], [d, e, f], [g, h, i]]");
        return false;
    }
    fender_mat3 read;
    bool good = true;
    int i = 0;
    for (const fnd_node *row = node->first; i < 3; row = row->next, i++)
        good = read_list(reader, row, name, unit_node, unit, 3, read.m[i]) && good;
    if (good) *matrix = read;
    return good;
}

static bool read_row(fnd_reader *reader, const fnd_node *row, const char *name, const fnd_node *outer_unit,
                     const char *unit, int *columns, double *values)
{
    bool own = !outer_unit && row->last && fnd_is_unit_element(row->last);
    const fnd_node *unit_node = own ? row->last : outer_unit;
    int count = row->count - (own ? 1 : 0);
    if (*columns == 0) *columns = count;
    if (count != *columns || count == 0) {
        fnd_complain(reader, fnd_node_shown_location(row), FENDER_STATUS_PARSE,
                     fnd_phrase_make("a row of '%s' has %d numbers", name, count).text,
                     fnd_phrase_make("%d", count).text,
                     *columns == 0 ? "some numbers" : fnd_phrase_make("%d numbers", *columns).text,
                     "all rows have the same length");
        return false;
    }
    const fnd_node *element = row->first;
    for (int i = 0; i < count; i++, element = element->next) {
        if (!read_element(reader, element, name, unit_node ? unit_node->text : NULL, unit, &values[i])) return false;
        if (unit_node && !fnd_apply_unit(reader, &unit_node->location, fnd_shown(unit_node->text).text, name,
                                         unit_node->text, unit, &values[i]))
            return false;
    }
    return true;
}

bool fnd_read_rows(fnd_reader *reader, const fnd_node *node, const char *name, const char *unit, int *columns,
                   double **values, int *row_count)
{
    const fnd_node *outer = node->kind == FND_NODE_LIST && node->last && fnd_is_unit_element(node->last) ? node->last
                                                                                                         : NULL;
    int rows = node->count - (outer ? 1 : 0), total = 0;
    bool good = node->kind == FND_NODE_LIST && rows > 0;
    const fnd_node *row = node->first;
    for (int i = 0; good && i < rows; i++, row = row->next) {
        good = row->kind == FND_NODE_LIST;
        total += row->count; /* the tree has at most a million nodes */
    }
    if (!good) {
        complain_kind(reader, node, name, "a list of lists of numbers", "write [[x, y, z], [x, y, z], m]");
        return false;
    }
    *values = fnd_keep(reader, (size_t)total, sizeof **values);
    if (!*values) return false;
    row = node->first;
    for (int i = 0; i < rows; i++, row = row->next)
        if (!read_row(reader, row, name, outer, unit, columns, *values + (size_t)i * (size_t)*columns)) return false;
    *row_count = rows;
    return true;
}
