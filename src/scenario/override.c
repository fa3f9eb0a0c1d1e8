/* --set PATH=VALUE: puts a value where a path points, as if it had been written there. */
#include <string.h>

#include "scenario/tree.h"
#include "text/number.h"
#include "text/utf8.h"

#define SEGMENT_LIMIT 32

typedef struct segment {
    const char *name; /* NULL: an index */
    int index;
    fnd_place place;
} segment;

typedef struct assignment {
    fnd_reader *reader;
    const fnd_source *source;
    segment segments[SEGMENT_LIMIT];
    int count;
    fnd_node *value;
    bool matched; /* a `*` fitted something */
} assignment;

static void complain(const assignment *a, const segment *s, fender_status status, const char *message,
                     const char *found, const char *expected, const char *suggestion)
{
    fnd_complain(a->reader, &s->place, status, message, found, expected, suggestion);
}

static bool fail_path(const assignment *a, size_t at, size_t length)
{
    int column = (int)fnd_utf8_count(a->source->text, at) + 1;
    fnd_place place = fnd_source_place(a->source, 1, column, length > 0 ? (int)length : 1);
    fnd_complain(a->reader, &place, FENDER_STATUS_PARSE, "this is not a path",
                 fnd_phrase_make("%s", fnd_shown(a->source->text + at).text).text,
                 "names joined by points, as in bodies.veh2.state.velocity.x", "write --set section.name.field=value");
    return false;
}

/* name ('.' name | '[' digits ']')* */
static bool split_path(assignment *a, size_t length)
{
    const char *text = a->source->text;
    for (size_t at = 0; at < length || a->count == 0;) {
        if (a->count == SEGMENT_LIMIT) return fail_path(a, at, 1);
        segment *s = &a->segments[a->count];
        size_t start = at;
        if (text[at] == '[' && a->count > 0) {
            size_t digits = strspn(text + at + 1, "0123456789");
            if (digits == 0 || digits > 8 || text[at + 1 + digits] != ']') return fail_path(a, at, 1);
            for (size_t i = 0; i < digits; i++) s->index = 10 * s->index + (text[at + 1 + i] - '0');
            at += digits + 2;
        } else {
            if (a->count > 0 && text[at++] != '.') return fail_path(a, at - 1, 1);
            start = at;
            while (at < length && text[at] != '.' && text[at] != '[') at++;
            if (at == start) return fail_path(a, start, 1);
            s->name = fnd_keep_text(a->reader, text + start, at - start);
            if (!s->name) return false;
        }
        s->place = fnd_source_place(a->source, 1, (int)fnd_utf8_count(text, start) + 1,
                                    (int)fnd_utf8_count(text + start, at - start));
        a->count++;
    }
    return true;
}

static int component_index(const fnd_node *list, const char *name)
{
    bool quaternion = list->key && strcmp(list->key, "quaternion") == 0;
    const char *letters = quaternion ? "wxyz" : "xyz";
    const char *found = name[0] && !name[1] ? strchr(letters, name[0]) : NULL;
    return found ? (int)(found - letters) : -1;
}

static fnd_node *element_at(const fnd_node *list, int index)
{
    fnd_node *child = list->first;
    while (child && index-- > 0) child = child->next;
    return child;
}

/* The unit at the end of a list moves to its elements, so that one of them can get another. */
static bool distribute_unit(fnd_reader *reader, fnd_node *list)
{
    fnd_node *unit = list->last, *child = list->first;
    if (list->count < 2 || !fnd_is_unit_element(unit) || (child->kind == FND_NODE_TEXT && fnd_is_unit_element(child)))
        return true;
    for (; child != unit; child = child->next) {
        if (child->next == unit) list->last = child;
        if (child->kind == FND_NODE_LIST) {
            fnd_node *copy = fnd_node_copy(reader, unit);
            if (!copy) return false;
            fnd_node_append(child, copy);
        } else if (child->kind == FND_NODE_TEXT) {
            fnd_phrase joined = fnd_phrase_make("%s %s", child->text, unit->text);
            child->text = fnd_keep_text(reader, joined.text, strlen(joined.text));
            if (!child->text) return false;
        }
    }
    list->last->next = NULL;
    list->count--;
    return true;
}

static fnd_node *zero_vector(assignment *a, const segment *s)
{
    fnd_node *list = fnd_node_make(a->reader, FND_NODE_LIST, &s->place);
    for (int i = 0; list && i < 3; i++) {
        fnd_node *zero = fnd_node_make(a->reader, FND_NODE_TEXT, &s->place);
        if (!zero) return NULL;
        zero->text = "0";
        fnd_node_append(list, zero);
    }
    return list;
}

static bool is_component(const segment *s) { return s->name && strlen(s->name) == 1 && strchr("xyz", s->name[0]); }

/* Maps whose keys are names of things: a path never makes a new thing there. */
static const char *thing_kind(const fnd_node *map)
{
    static const struct {
        const char *section, *kind;
    } kinds[] = {{"bodies", "body"},   {"materials", "material"}, {"contact_types", "contact type"},
                 {"loads", "load"},    {"links", "link"},         {"record", "record"},
                 {"shapes", "shape"},  {"points", "point"},       {"actions", "action"},
                 {"sensors", "sensor"}};
    for (size_t i = 0; map->key && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(map->key, kinds[i].section) == 0) return kinds[i].kind;
    return NULL;
}

static bool apply(assignment *a, fnd_node *node, int at);

static bool apply_to_list(assignment *a, fnd_node *list, int at)
{
    const segment *s = &a->segments[at];
    int index = s->name ? component_index(list, s->name) : s->index;
    fnd_node *child = index >= 0 ? element_at(list, index) : NULL;
    if (!child) {
        complain(a, s, FENDER_STATUS_NAME,
                 fnd_phrase_make("the list at this path has no element '%s'",
                                 s->name ? fnd_shown(s->name).text : fnd_phrase_make("[%d]", s->index).text)
                     .text,
                 s->name ? fnd_shown(s->name).text : fnd_phrase_make("[%d]", s->index).text,
                 fnd_phrase_make(".x, .y, .z, or [0] to [%d]", list->count - 1).text, "count elements from 0");
        return false;
    }
    if (!distribute_unit(a->reader, list)) return false;
    if (at + 1 < a->count) return apply(a, child, at + 1);
    fnd_node *value = fnd_node_copy(a->reader, a->value);
    if (!value) return false;
    fnd_node *next = child->next;
    const char *key = child->key;
    *child = *value; /* in place: the list keeps its order */
    child->next = next;
    child->key = key;
    return true;
}

static bool apply_to_missing(assignment *a, fnd_node *map, int at)
{
    const segment *s = &a->segments[at];
    const char *kind = thing_kind(map);
    if (map == a->reader->root) {
        const fnd_key *key = fnd_sections;
        while (key->name && strcmp(key->name, s->name) != 0) key++;
        fnd_candidate names[24];
        int count = 0;
        for (const fnd_key *k = fnd_sections; k->name && count < 24; k++)
            if (!k->later) names[count++] = (fnd_candidate){k->name, 0};
        if (!key->name) {
            complain(a, s, FENDER_STATUS_NAME, fnd_phrase_make("'%s' is not a section", fnd_shown(s->name).text).text,
                     fnd_shown(s->name).text, "a section of the scenario",
                     fnd_suggest(a->reader, s->name, "sections", names, count).text);
            return false;
        }
        if (key->later) {
            fnd_complain_later(a->reader, &s->place, s->name, NULL);
            return false;
        }
    }
    if (kind) {
        fnd_complain_unknown(a->reader, &s->place, kind, fnd_phrase_make("%s", map->key).text, s->name, map);
        return false;
    }
    bool last = at + 1 == a->count, vector = at + 2 == a->count && is_component(&a->segments[at + 1]);
    fnd_node *child = last     ? fnd_node_copy(a->reader, a->value)
                      : vector ? zero_vector(a, s)
                               : fnd_node_make(a->reader, FND_NODE_MAP, &s->place);
    if (!child) return false;
    child->key = s->name;
    child->key_place = s->place;
    fnd_node_append(map, child);
    return last || apply(a, child, at + 1);
}

static bool apply_to_map(assignment *a, fnd_node *map, int at)
{
    const segment *s = &a->segments[at];
    if (!s->name) {
        complain(a, s, FENDER_STATUS_NAME, "this path has an index where there is no list", "an index", "a name",
                 "write .name");
        return false;
    }
    bool every = strcmp(s->name, "*") == 0, good = true;
    for (fnd_node *child = map->first, *next; child; child = next) {
        next = child->next;
        if (!every && strcmp(child->key, s->name) != 0) continue;
        a->matched = true;
        if (at + 1 < a->count) good = apply(a, child, at + 1) && good;
        else {
            fnd_node *value = fnd_node_copy(a->reader, a->value);
            if (!value) return false;
            value->key = child->key;
            value->key_place = s->place;
            fnd_node_put(map, value);
        }
        if (!every) return good;
    }
    if (!every) return apply_to_missing(a, map, at);
    if (!a->matched)
        complain(a, s, FENDER_STATUS_NAME, "'*' fits nothing here", "*", "a section with names", "write the name");
    return good && a->matched;
}

static bool apply(assignment *a, fnd_node *node, int at)
{
    if (node->kind == FND_NODE_MAP) return apply_to_map(a, node, at);
    if (node->kind == FND_NODE_LIST) return apply_to_list(a, node, at);
    const segment *s = &a->segments[at];
    complain(a, s, FENDER_STATUS_NAME, "this path goes on below a value that has no parts",
             s->name ? fnd_shown(s->name).text : "an index",
             fnd_phrase_make("'%s' as the end of the path", node->key ? fnd_shown(node->key).text : "the value").text,
             "shorten the path");
    return false;
}

static bool sets_like(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".like") == 0;
}

void fnd_tree_override(fnd_reader *reader, const fender_override *overrides, int count, bool like)
{
    for (int i = 0; i < count; i++) {
        const char *path = overrides[i].path ? overrides[i].path : "";
        const char *value = overrides[i].value ? overrides[i].value : "";
        if (sets_like(path) != like) continue;
        assignment a = {.reader = reader};
        a.source = fnd_source_open_override(reader, path, value);
        if (!a.source || !split_path(&a, strlen(path))) continue;
        if (a.segments[0].name &&
            (strcmp(a.segments[0].name, "include") == 0 || strcmp(a.segments[0].name, "fender") == 0)) {
            complain(&a, &a.segments[0], FENDER_STATUS_NAME,
                     fnd_phrase_make("'%s' cannot be set", a.segments[0].name).text, a.segments[0].name,
                     "a section that describes the scenario", "change the file");
            continue;
        }
        a.value = fnd_node_parse(reader, a.source);
        if (a.value) (void)apply(&a, reader->root, 0);
    }
}
