/* Copies of things: those that are `like` others filled in, `pattern` of links and loads written out. */
#include "scenario/section.h"
#include "scenario/tree.h"
#include <string.h>

/* ---- like ---- */

/* Sections whose things may be `like` others. */
typedef struct section_kind {
    const char *section, *kind;
} section_kind;
static const section_kind kinds[] = {
    {"bodies", "body"},    {"links", "link"},    {"loads", "load"},
    {"actions", "action"}, {"record", "record"}, {"controllers", "controller"},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

static bool is_like(const fnd_node *node) { return strcmp(node->key, "like") == 0; }

/* Of a body: where it is stands in one of the two, so that the other of the model does not go with its own. */
static bool is_overruled(fnd_node *own, const fnd_node *child)
{
    return (strcmp(child->key, "state") == 0 && fnd_node_find(own, "attached")) ||
           (strcmp(child->key, "attached") == 0 && fnd_node_find(own, "state"));
}

/* The model's keys in its order with the body's own in their place, then the body's further keys. */
static bool fill(fnd_reader *reader, fnd_node *body, const fnd_node *model)
{
    fnd_node own = *body;
    body->first = body->last = NULL;
    body->count = 0;
    for (const fnd_node *child = model->first; child; child = child->next) {
        if (is_like(child) || is_overruled(&own, child)) continue;
        bool replaced = fnd_node_find(&own, child->key) != NULL;
        /* a place holder keeps the order; the body's own key is put over it below */
        fnd_node *copy = replaced ? fnd_node_make(reader, FND_NODE_TEXT, &child->location)
                                  : fnd_node_copy(reader, child);
        if (!copy) return false;
        copy->key = child->key;
        copy->key_location = child->key_location;
        fnd_node_append(body, copy);
    }
    for (fnd_node *child = own.first, *next; child; child = next) {
        next = child->next;
        fnd_node_put(body, child);
    }
    return true;
}

static void complain_circle(fnd_reader *reader, const section_kind *kind, const fnd_node *thing, const fnd_node *like)
{
    fnd_complain(reader, &like->location, FENDER_STATUS_NAME,
                 fnd_phrase_make("%s '%s' is like itself%s", kind->kind, fnd_shown(thing->key).text,
                                 strcmp(thing->key, like->text) == 0 ? "" : " by way of others")
                     .text,
                 fnd_shown(like->text).text, fnd_phrase_make("a %s that does not depend on this one", kind->kind).text,
                 "write out the keys of one of them");
}

/* True when the body is complete. `steps` bounds the chain: more steps than bodies means a circle. */
static bool expand(fnd_reader *reader, const section_kind *kind, fnd_node *bodies, fnd_node *body, int steps)
{
    fnd_node *like = fnd_node_find(body, "like");
    if (body->kind != FND_NODE_MAP || !like || like->unknown) return !body->unknown;
    if (body->unknown) return false;
    const char *name = NULL;
    if (!fnd_read_text(reader, like, "like", &name)) return body->unknown = true, false;
    fnd_node *model = fnd_node_find(bodies, name);
    if (!model) {
        fnd_complain_unknown(reader, &like->location, kind->kind, kind->section, name, bodies);
        return body->unknown = true, false;
    }
    if (steps > 200 || steps > bodies->count) {
        complain_circle(reader, kind, body, like);
        return body->unknown = true, false;
    }
    if (!expand(reader, kind, bodies, model, steps + 1) || model->kind != FND_NODE_MAP)
        return body->unknown = true, false;
    if (!fill(reader, body, model)) return body->unknown = true, false;
    like->key = "like"; /* stays readable, but is done: */
    like->unknown = true;
    return true;
}

static void take_out(fnd_node *parent, const fnd_node *child)
{
    fnd_node *previous = NULL;
    for (fnd_node *node = parent->first; node; previous = node, node = node->next) {
        if (node != child) continue;
        if (previous) previous->next = node->next;
        else parent->first = node->next;
        if (parent->last == node) parent->last = previous;
        parent->count--;
        return;
    }
}

void fnd_tree_expand_like(fnd_reader *reader)
{
    for (int i = 0; i < KIND_COUNT; i++) {
        fnd_node *section = fnd_node_find(reader->root, kinds[i].section);
        if (!section || section->kind != FND_NODE_MAP) continue;
        for (fnd_node *thing = section->first; thing; thing = thing->next) {
            fnd_node *like = thing->kind == FND_NODE_MAP ? fnd_node_find(thing, "like") : NULL;
            if (like && !like->unknown) (void)expand(reader, &kinds[i], section, thing, 0);
        }
        if (i == 0) continue; /* bodies keep the key: their reader knows it, and what is marked */
        for (fnd_node *thing = section->first, *next; thing; thing = next) {
            next = thing->next;
            const fnd_node *like = thing->kind == FND_NODE_MAP ? fnd_node_find(thing, "like") : NULL;
            if (like && thing->unknown) take_out(section, thing); /* one mistake, one diagnostic */
            else if (like) take_out(thing, like);
        }
    }
}

/* ---- pattern ---- */

enum { COPY_LIMIT = 1000 };

static const fnd_node *text_at(const fnd_node *map, const char *key)
{
    const fnd_node *node = fnd_node_find(map, key);
    return node && node->kind == FND_NODE_TEXT ? node : NULL;
}

static const fnd_node *find_part(const fnd_node *map, const char *name, size_t length, int number)
{
    for (const fnd_node *child = map && map->kind == FND_NODE_MAP ? map->first : NULL; child; child = child->next) {
        if (strncmp(child->key, name, length) != 0) continue;
        if (number == 0 ? child->key[length] == 0
                        : strcmp(child->key + length, fnd_phrase_make("_%d", number).text) == 0)
            return child;
    }
    return NULL;
}

/* What stands for "BODY.POINT" in copy k of `count`: BODY.POINT_k if the point is repeated, BODY_k.POINT if the body
 * is, else the same for all. NULL: no memory, or a diagnostic. *repeated: it is not the same for all. */
static const char *name_of_copy(fnd_reader *reader, const fnd_node *end, int k, int count, bool *repeated)
{
    const fnd_node *bodies = fnd_node_find(reader->root, "bodies");
    size_t body_length = strcspn(end->text, ".");
    const char *point = end->text[body_length] ? end->text + body_length + 1 : "";
    const fnd_node *body = find_part(bodies, end->text, body_length, 0);
    const fnd_node *points = body ? fnd_node_find(body, "points") : NULL;
    const fnd_node *one = find_part(points, point, strlen(point), 0);
    const fnd_node *pattern = one ? fnd_node_find(one, "pattern") : NULL, *copies = text_at(pattern, "count");
    fnd_phrase name = fnd_phrase_make("%s", end->text);
    if (copies && strcmp(copies->text, fnd_phrase_make("%d", count).text) != 0) {
        fnd_complain(reader, &end->location, FENDER_STATUS_VALUE,
                     fnd_phrase_make("point '%s' has %s copies, the pattern has %d", fnd_shown(end->text).text,
                                     fnd_shown(copies->text).text, count)
                         .text,
                     fnd_phrase_make("%d", count).text, fnd_phrase_make("count: %s", copies->text).text,
                     "give both patterns the same count");
        return NULL;
    }
    if (copies || (point[0] && find_part(points, point, strlen(point), k + 1))) {
        *repeated = true;
        name = fnd_phrase_make("%s_%d", end->text, k + 1);
    } else if (!body && find_part(bodies, end->text, body_length, k + 1)) {
        const char *head = fnd_keep_text(reader, end->text, body_length);
        if (!head) return NULL;
        *repeated = true;
        name = fnd_phrase_make("%s_%d%s%s", head, k + 1, point[0] ? "." : "", point);
    }
    return fnd_keep_text(reader, name.text, strlen(name.text));
}

/* `at` of a load is a point of its `body`. */
static bool number_load(fnd_reader *reader, fnd_node *load, int k, int count, bool *repeated)
{
    fnd_node *at = fnd_node_find(load, "at"), *body = fnd_node_find(load, "body");
    if (!body || body->kind != FND_NODE_TEXT) return true; /* its reader complains */
    bool point = at && at->kind == FND_NODE_TEXT;
    fnd_node whole = *body;
    fnd_phrase joined = fnd_phrase_make("%s%s%s", body->text, point ? "." : "", point ? at->text : "");
    whole.text = fnd_keep_text(reader, joined.text, strlen(joined.text));
    if (point) whole.location = at->location;
    const char *name = whole.text ? name_of_copy(reader, &whole, k, count, repeated) : NULL;
    const char *dot = name ? strchr(name, '.') : NULL;
    if (!name) return false;
    body->text = fnd_keep_text(reader, name, dot ? (size_t)(dot - name) : strlen(name));
    if (point && dot) at->text = dot + 1;
    return body->text != NULL;
}

static bool number_link(fnd_reader *reader, fnd_node *link, int k, int count, bool *repeated)
{
    fnd_node *between = fnd_node_find(link, "between");
    if (!between || between->kind != FND_NODE_LIST) return true; /* its reader complains */
    for (fnd_node *end = between->first; end; end = end->next) {
        if (end->kind != FND_NODE_TEXT) continue;
        const char *name = name_of_copy(reader, end, k, count, repeated);
        if (!name) return false;
        end->text = name;
    }
    return true;
}

static fnd_node *copy_of(fnd_reader *reader, const fnd_node *section, const fnd_node *thing, const section_kind *kind,
                         int k)
{
    fnd_node *copy = fnd_node_copy(reader, thing);
    if (!copy) return NULL;
    copy->key = fnd_pattern_name(reader, thing->key, k);
    if (!copy->key) return NULL;
    take_out(copy, fnd_node_find(copy, "pattern"));
    const fnd_node *other = fnd_node_find(section, copy->key);
    if (!other) return copy;
    fnd_complain(reader, &thing->key_location, FENDER_STATUS_NAME,
                 fnd_phrase_make("the name of %s '%s' of the pattern is already used", kind->kind, copy->key).text,
                 copy->key, "a free name",
                 fnd_phrase_make("the other one is in line %d; rename one", other->key_location.line).text);
    return NULL;
}

/* The copies of one thing, appended to the list of copies. */
static void repeat(fnd_reader *reader, const fnd_node *section, const fnd_node *thing, const section_kind *kind,
                   fnd_node *to)
{
    static const char *const keys[] = {"count", NULL};
    fnd_node *pattern = fnd_node_find(thing, "pattern");
    fnd_phrase what = fnd_phrase_make("a pattern of %s", kind->section);
    if (!fnd_expect_map(reader, pattern, "pattern") || !fnd_check_keys(reader, pattern, what.text, keys)) return;
    const fnd_node *given = fnd_require(reader, pattern, "count", what.text, "4");
    int count = 0;
    if (!given || !fnd_read_integer(reader, given, "count", 1, COPY_LIMIT, &count)) return;
    bool link = strcmp(kind->kind, "link") == 0, repeated = false;
    for (int k = 0; k < count; k++) {
        fnd_node *copy = copy_of(reader, section, thing, kind, k);
        if (!copy || !(link ? number_link : number_load)(reader, copy, k, count, &repeated)) return;
        fnd_node_append(to, copy);
    }
    const fnd_node *ends = fnd_node_find(thing, link ? "between" : "body");
    if (repeated || count == 1 || !ends) return;
    fnd_complain(reader, &pattern->key_location, FENDER_STATUS_ARGUMENT,
                 fnd_phrase_make("nothing that %s '%s' acts on is repeated", kind->kind, thing->key).text,
                 "points and bodies that are the same for all copies", "a point with a pattern, or NAME_1, NAME_2, ..",
                 "give the point a pattern with the same count");
}

void fnd_tree_expand_patterns(fnd_reader *reader)
{
    for (int i = 0; i < KIND_COUNT; i++) {
        fnd_node *section = fnd_node_find(reader->root, kinds[i].section);
        bool repeats = strcmp(kinds[i].kind, "link") == 0 || strcmp(kinds[i].kind, "load") == 0;
        if (!repeats || !section || section->kind != FND_NODE_MAP) continue;
        fnd_node whole = *section;
        whole.first = whole.last = NULL;
        whole.count = 0;
        for (fnd_node *thing = section->first, *next; thing; thing = next) {
            next = thing->next;
            if (fnd_node_find(thing, "pattern")) repeat(reader, section, thing, &kinds[i], &whole);
            else {
                fnd_node *same = fnd_node_copy(reader, thing); /* the section stays whole for searches in it */
                if (!same) return;
                fnd_node_append(&whole, same);
            }
        }
        section->first = whole.first;
        section->last = whole.last;
        section->count = whole.count;
    }
}
