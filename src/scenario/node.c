/* The tree that a text parses to, built from libyaml's events, strictly: no anchors, aliases, tags, merge keys, second
 * documents, double keys; bounded depth and size. */
#include "scenario/node.h"

#include <limits.h>
#include <string.h>
#include <yaml.h>

#include "scenario/source.h"

#define STRING_VALUE(x) #x
#define STRING_OF(x)    STRING_VALUE(x)

fnd_node *fnd_node_find(const fnd_node *map, const char *key)
{
    if (!map || map->kind != FND_NODE_MAP) return NULL;
    for (fnd_node *child = map->first; child; child = child->next)
        if (strcmp(child->key, key) == 0) return child;
    return NULL;
}

fnd_node *fnd_node_make(fnd_reader *reader, fnd_node_kind kind, const fnd_location *location)
{
    if (reader->node_count >= FND_NODE_COUNT_LIMIT) {
        if (reader->node_count++ == FND_NODE_COUNT_LIMIT)
            fnd_complain(reader, location, FENDER_STATUS_PARSE, "the scenario contains too many values",
                         "more than " STRING_OF(FND_NODE_COUNT_LIMIT), "at most " STRING_OF(FND_NODE_COUNT_LIMIT),
                         "put tables into CSV files");
        return NULL;
    }
    reader->node_count++;
    fnd_node *node = fnd_keep(reader, 1, sizeof *node);
    if (!node) return NULL;
    node->kind = kind;
    node->location = *location;
    node->text = "";
    return node;
}

fnd_node *fnd_node_copy(fnd_reader *reader, const fnd_node *node)
{
    fnd_node *copy = fnd_node_make(reader, node->kind, &node->location);
    if (!copy) return NULL;
    copy->text = node->text;
    copy->own_unit = node->own_unit;
    copy->key = node->key;
    copy->key_location = node->key_location;
    for (const fnd_node *child = node->first; child; child = child->next) { /* depth is bounded by the parser */
        fnd_node *child_copy = fnd_node_copy(reader, child);
        if (!child_copy) return NULL;
        fnd_node_append(copy, child_copy);
    }
    return copy;
}

void fnd_node_append(fnd_node *parent, fnd_node *child)
{
    child->next = NULL;
    if (parent->last) parent->last->next = child;
    else parent->first = child;
    parent->last = child;
    parent->count++;
}

void fnd_node_put(fnd_node *map, fnd_node *child)
{
    fnd_node *previous = NULL;
    for (fnd_node *old = map->first; old; previous = old, old = old->next) {
        if (strcmp(old->key, child->key) != 0) continue;
        child->next = old->next;
        if (previous) previous->next = child;
        else map->first = child;
        if (map->last == old) map->last = child;
        return;
    }
    fnd_node_append(map, child);
}

const char *fnd_node_kind_text(const fnd_node *node)
{
    switch (node->kind) {
    case FND_NODE_LIST: return "a list";
    case FND_NODE_MAP: return "a map";
    case FND_NODE_TEXT: break;
    }
    return node->text[0] ? "text" : "nothing";
}

const fnd_location *fnd_node_shown_location(const fnd_node *node)
{
    bool empty = node->kind == FND_NODE_TEXT && node->text[0] == 0;
    bool block = node->kind != FND_NODE_TEXT && node->key && node->location.line != node->key_location.line;
    return node->key && (empty || block) ? &node->key_location : &node->location;
}

/* ---- building */

typedef struct builder {
    fnd_reader *reader;
    const fnd_source *source;
    yaml_parser_t parser;
    fnd_node *open[FND_NODE_DEPTH_LIMIT]; /* the collections around the next event */
    int depth;
    const char *key; /* of the entry whose value comes next; NULL: a key comes next */
    fnd_location key_location;
    fnd_node *root;
    bool failed;
} builder;

static fnd_location location_of_event(const fnd_source *source, const yaml_event_t *event)
{
    const yaml_mark_t *start = &event->start_mark, *end = &event->end_mark;
    size_t length = end->line == start->line && end->column > start->column ? end->column - start->column : 1;
    if (end->line != start->line) length = INT_MAX;
    int shift = start->line == 0 ? source->column_shift : 0;
    return fnd_source_location(source, (int)start->line + 1, (int)start->column + 1 + shift,
                               length > INT_MAX ? INT_MAX : (int)length);
}

static void stop(builder *b, const fnd_location *location, const char *message, const char *found, const char *expected,
                 const char *suggestion)
{
    fnd_complain(b->reader, location, FENDER_STATUS_PARSE, message, found, expected, suggestion);
    b->failed = true;
}

static bool in_map(const builder *b) { return b->depth > 0 && b->open[b->depth - 1]->kind == FND_NODE_MAP; }

/* Puts a finished or opened node where it belongs. */
static void attach(builder *b, fnd_node *node)
{
    if (b->depth == 0) {
        b->root = node;
        return;
    }
    fnd_node *parent = b->open[b->depth - 1];
    if (parent->kind == FND_NODE_MAP) {
        node->key = b->key;
        node->key_location = b->key_location;
        b->key = NULL;
    }
    fnd_node_append(parent, node);
}

static bool refuse_property(builder *b, const yaml_event_t *event, const yaml_char_t *anchor, const yaml_char_t *tag)
{
    fnd_location location = location_of_event(b->source, event);
    if (anchor) {
        location.length = 1;
        stop(b, &location,
             fnd_phrase_make("anchors ('&%s') are not used here", fnd_shown((const char *)anchor).text).text,
             fnd_phrase_make("&%s", fnd_shown((const char *)anchor).text).text, "plain values",
             "use `like` to copy a body, `pattern` to repeat a shape, `include` to share a section");
        return true;
    }
    if (tag) {
        location.length = 1;
        stop(b, &location, fnd_phrase_make("tags ('%s') are not used here", fnd_shown((const char *)tag).text).text,
             fnd_shown((const char *)tag).text, "plain values", "remove the tag: the field gives the type");
        return true;
    }
    return false;
}

static void take_key(builder *b, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    b->key_location = location_of_event(b->source, event);
    if (length == 0 || strlen(text) != length) {
        stop(b, &b->key_location, "a key is empty", "nothing", "a key before the colon", "write 'key: value'");
        return;
    }
    if (strcmp(text, "<<") == 0 && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE) {
        stop(b, &b->key_location, "merge keys ('<<') are not used here", "<<", "keys of the section",
             "use `like` to copy a body, `include` to share a section");
        return;
    }
    b->key = fnd_keep_text(b->reader, text, length);
    if (!b->key) b->failed = true;
}

static void take_scalar(builder *b, const yaml_event_t *event)
{
    if (refuse_property(b, event, event->data.scalar.anchor, event->data.scalar.tag)) return;
    if (in_map(b) && !b->key) {
        take_key(b, event);
        return;
    }
    fnd_location location = location_of_event(b->source, event);
    const char *text = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    if (strlen(text) != length) {
        stop(b, &location, "the text contains a NUL character", "\\0", "printable characters", "delete the escape");
        return;
    }
    fnd_node *node = fnd_node_make(b->reader, FND_NODE_TEXT, &location);
    if (node) node->text = fnd_keep_text(b->reader, text, length);
    if (!node || !node->text) b->failed = true;
    else attach(b, node);
}

static void open_collection(builder *b, const yaml_event_t *event, fnd_node_kind kind)
{
    bool map = kind == FND_NODE_MAP;
    if (refuse_property(b, event, map ? event->data.mapping_start.anchor : event->data.sequence_start.anchor,
                        map ? event->data.mapping_start.tag : event->data.sequence_start.tag))
        return;
    fnd_location location = location_of_event(b->source, event);
    if (in_map(b) && !b->key) {
        stop(b, &location, fnd_phrase_make("a key is %s", map ? "a map" : "a list").text, map ? "a map" : "a list",
             "a name as key", "write 'key: value'; text that begins with '[' or '{' needs quotes");
        return;
    }
    if (b->depth == FND_NODE_DEPTH_LIMIT) {
        stop(b, &location, "lists and maps are nested too deeply",
             "more than " STRING_OF(FND_NODE_DEPTH_LIMIT) " levels",
             "at most " STRING_OF(FND_NODE_DEPTH_LIMIT) " levels", "flatten the structure; is a bracket doubled?");
        return;
    }
    fnd_node *node = fnd_node_make(b->reader, kind, &location);
    if (!node) {
        b->failed = true;
        return;
    }
    attach(b, node);
    b->open[b->depth++] = node;
}

/* Names of a closed map by open addressing; its order plays no part in any result. */
static uint32_t key_hash(const char *key)
{
    uint32_t hash = 2166136261u;
    for (; *key; key++) hash = (hash ^ (unsigned char)*key) * 16777619u;
    return hash;
}

static void report_double_key(builder *b, const fnd_node *second, const fnd_node *first)
{
    fnd_phrase key = fnd_shown(second->key);
    fnd_complain(b->reader, &second->key_location, FENDER_STATUS_NAME,
                 fnd_phrase_make("'%s' occurs twice in this map", key.text).text, key.text, "each key once",
                 fnd_phrase_make("it is already in line %d; remove or rename one", first->key_location.line).text);
}

/* Takes double keys out: the first stands, and nobody trips over the second. */
static void check_double_keys(builder *b, fnd_node *map)
{
    if (map->count < 2) return;
    size_t capacity = 4;
    while (capacity < 2 * (size_t)map->count) capacity *= 2;
    const fender_env *env = &b->reader->env;
    size_t size = capacity * sizeof(const fnd_node *);
    const fnd_node **slots = env->allocator.allocate(env->allocator.ctx, size, _Alignof(max_align_t));
    if (!slots) {
        b->reader->memory_failed = b->failed = true;
        return;
    }
    memset(slots, 0, size);
    for (fnd_node *child = map->first, *previous = NULL; child; child = child->next) {
        size_t at = key_hash(child->key) & (capacity - 1);
        while (slots[at] && strcmp(slots[at]->key, child->key) != 0) at = (at + 1) & (capacity - 1);
        if (slots[at]) {
            report_double_key(b, child, slots[at]);
            previous->next = child->next; /* the first child of a map is never a double */
            if (map->last == child) map->last = previous;
            map->count--;
        } else {
            slots[at] = child;
            previous = child;
        }
    }
    env->allocator.release(env->allocator.ctx, (void *)slots, size);
}

static void close_collection(builder *b, const yaml_event_t *event)
{
    fnd_node *node = b->open[--b->depth];
    /* a flow collection on one line is marked as a whole */
    const yaml_mark_t *end = &event->end_mark;
    int shift = end->line == 0 ? b->source->column_shift : 0;
    if ((int)end->line + 1 == node->location.line && (int)end->column + 1 + shift > node->location.column)
        node->location = fnd_source_location(b->source, node->location.line, node->location.column,
                                             (int)end->column + 1 + shift - node->location.column);
    if (node->kind == FND_NODE_MAP) check_double_keys(b, node);
}

static void take_event(builder *b, const yaml_event_t *event, int *documents)
{
    fnd_location location = location_of_event(b->source, event);
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (++*documents > 1)
            stop(b, &location, "a second document begins here", "---", "one document per file",
                 "remove the '---', or put the second part into a separate file and include it");
        break;
    case YAML_ALIAS_EVENT: {
        fnd_phrase name = fnd_shown((const char *)event->data.alias.anchor);
        stop(b, &location, fnd_phrase_make("aliases ('*%s') are not used here", name.text).text,
             fnd_phrase_make("*%s", name.text).text, "plain values",
             "use `like` to copy a body; put text that begins with '*' in quotes");
        break;
    }
    case YAML_SCALAR_EVENT: take_scalar(b, event); break;
    case YAML_SEQUENCE_START_EVENT: open_collection(b, event, FND_NODE_LIST); break;
    case YAML_MAPPING_START_EVENT: open_collection(b, event, FND_NODE_MAP); break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: close_collection(b, event); break;
    default: break;
    }
}

static void read_events(builder *b)
{
    int documents = 0;
    for (bool done = false; !done && !b->failed;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&b->parser, &event)) {
            fnd_syntax_report(b->reader, b->source, &b->parser);
            b->failed = true;
            return;
        }
        take_event(b, &event, &documents);
        done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
}

fnd_node *fnd_node_parse(fnd_reader *reader, const fnd_source *source)
{
    builder b = {.reader = reader, .source = source};
    if (!yaml_parser_initialize(&b.parser)) {
        reader->memory_failed = true;
        return NULL;
    }
    yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b.parser, (const unsigned char *)source->text + source->start,
                                 source->length - source->start);
    read_events(&b);
    yaml_parser_delete(&b.parser);
    if (b.failed) return NULL;
    if (!b.root) { /* nothing but space and comments */
        fnd_location location = fnd_source_location(source, 1, 1 + source->column_shift, 1);
        if (source->start == 0) {
            fnd_complain(reader, &location, FENDER_STATUS_PARSE, "the file is empty", "nothing",
                         "'fender: 1' and sections", "`fender new two_spheres` writes a scenario to start from");
            return NULL;
        }
        return fnd_node_make(reader, FND_NODE_TEXT, &location);
    }
    return b.root;
}
