/* The whole scenario as one tree: includes merged, --set applied. */
#include "scenario/tree.h"

#include "scenario/bundle.h"
#include "support/file.h"
#include "support/json.h"
#include "support/number.h"
#include "support/renamed.h"
#include <fender/mesh_file.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Includes ---- */

/* Top-level keys, for checks and paths. Ended by a NULL name. */
static const char *const section_keys[] = {
    "fender",     "title",   "about",   "include",       "world",      "run",    "integrator", "bodies",
    "materials",  "loads",   "rules",   "contact_types", "record",     "expect", "plugins",    "links",
    "geometries", "actions", "sensors", "controllers",   "parameters", "fmu",    NULL,
};

/* fnd_source_open or fnd_source_open_bytes */
typedef fnd_source *opener(fnd_reader *reader, const char *name, const char *directory, const char *text,
                           size_t length);

/* Of a bundle: the place in it is what tells one file from another. */
static fnd_source *read_bundled(fnd_reader *reader, const char *path, const fnd_location *location, opener *open)
{
    const fnd_scenario_text *found = fnd_bundle_find(reader->bundle, path);
    if (!found) {
        const bool study = reader->bundle->tree != NULL; /* which read what single values of its variables name */
        fnd_complain(reader, location, FENDER_STATUS_FILE,
                     fnd_phrase_make("'%s' is not among the stored files of the %s", fnd_shown(path).text,
                                     study ? "study" : "run")
                         .text,
                     fnd_shown(path).text,
                     study ? "a file that the scenario or one discrete variable names"
                           : "the original files of the scenario",
                     study ? "name each file by one value, or declare all geometries and vary shapes.NAME.geometry"
                           : "start again from the scenario");
        return NULL;
    }
    char *text = fnd_keep_text(reader, found->text, found->length), *name = fnd_keep_text(reader, path, strlen(path));
    if (!text || !name) return NULL;
    fnd_source *source = open(reader, name, fnd_directory_of(reader, path), text, found->length);
    if (source) source->file_number = (uint64_t)(found - reader->bundle->texts) + 1;
    return source;
}

/* Has a line that begins a section? */
static bool is_part_of_scenario(const char *text)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        if (*line == '\n') line++;
        for (const char *const *section = section_keys; *section; section++) {
            const size_t length = strlen(*section);
            if (strncmp(line, *section, length) == 0 && line[length] == ':') return true;
        }
    }
    return false;
}

/* Of a pipe there may be no end, and of a device none at all; the file that the user names may be one. */
static bool is_regular(fnd_reader *reader, const char *path, const fnd_location *named_at)
{
    struct stat about;
    if (stat(path, &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)) return true; /* opening tells */
    fnd_complain(reader, named_at, FENDER_STATUS_FILE,
                 fnd_phrase_make("'%s' is not a regular file", fnd_shown(path).text).text,
                 S_ISFIFO(about.st_mode)   ? "a pipe"
                 : S_ISSOCK(about.st_mode) ? "a socket"
                                           : "a device",
                 "a regular file", "write its content to a file and name that file");
    return false;
}

static fnd_source *read_file(fnd_reader *reader, const char *path, const fnd_location *named_at, opener *open)
{
    fnd_file file;
    fender_error error = {0};
    fnd_location location = named_at ? *named_at : (fnd_location){path, 0, 0, 0, ""};
    if (reader->bundle) {
        fnd_source *source = read_bundled(reader, path, &location, open);
        if (source && named_at) source->named_at = *named_at;
        return source;
    }
    if (named_at && !is_regular(reader, path, named_at)) return NULL;
    size_t limit = open == fnd_source_open_bytes ? FENDER_MESH_FILE_LIMIT : FND_FILE_SIZE_LIMIT;
    if (fnd_file_read(&reader->env.allocator, path, limit, FND_FILE_BYTES, &file, &error) != FENDER_STATUS_OK) {
        if (error.status == FENDER_STATUS_MEMORY) reader->memory_failed = true;
        else fnd_diagnostic_add_error(reader->diagnostics, &error, &location);
        return NULL;
    }
    char *text = fnd_keep_text(reader, file.text, file.length), *name = fnd_keep_text(reader, path, strlen(path));
    size_t length = file.length;
    fnd_file_release(&reader->env.allocator, &file);
    if (!text || !name) return NULL;
    fnd_source *source = open(reader, name, fnd_directory_of(reader, path), text, length);
    struct stat about;
    if (source && stat(path, &about) == 0) {
        source->device = (uint64_t)about.st_dev;
        source->file_number = (uint64_t)about.st_ino;
    }
    if (source && named_at) source->named_at = *named_at;
    return source;
}

fnd_source *fnd_tree_read_file(fnd_reader *reader, const char *path, const fnd_location *named_at)
{
    return read_file(reader, path, named_at, fnd_source_open);
}

fnd_source *fnd_tree_read_bytes(fnd_reader *reader, const char *path, const fnd_location *named_at)
{
    return read_file(reader, path, named_at, fnd_source_open_bytes);
}

static fnd_phrase location_text(const fnd_location *location)
{
    return fnd_phrase_make("%s:%d", location->file, location->line);
}

static void complain_twice(fnd_reader *reader, const fnd_node *second, const fnd_node *first)
{
    fnd_complain(
        reader, &second->key_location, FENDER_STATUS_NAME,
        fnd_phrase_make("'%s' is defined in two files", fnd_shown(second->key).text).text, fnd_shown(second->key).text,
        "each name once",
        fnd_phrase_make("the first is at %s; rename or remove one", location_text(&first->key_location).text).text);
}

static void merge_section(fnd_reader *reader, fnd_node *whole, fnd_node *section)
{
    fnd_node *present = fnd_node_find(whole, section->key);
    bool both_maps = present && present->kind == FND_NODE_MAP && section->kind == FND_NODE_MAP;
    bool both_lists = present && present->kind == FND_NODE_LIST && section->kind == FND_NODE_LIST;
    if (!present) fnd_node_append(whole, section);
    else if (both_maps || both_lists) {
        for (fnd_node *child = section->first, *next; child; child = next) {
            next = child->next;
            fnd_node *first = both_maps ? fnd_node_find(present, child->key) : NULL;
            if (first) complain_twice(reader, child, first);
            else fnd_node_append(present, child);
        }
        /* diagnostics about the section as a whole point at the file that was named */
        present->key_location = section->key_location;
        present->location = section->location;
    } else complain_twice(reader, section, present);
}

static void merge_file(fnd_reader *reader, fnd_node *whole, fnd_node *file, bool main_file)
{
    for (fnd_node *section = file->first, *next; section; section = next) {
        next = section->next;
        const char *key = section->key;
        bool own = strcmp(key, "title") == 0 || strcmp(key, "about") == 0;
        if (strcmp(key, "include") == 0 || strcmp(key, "fender") == 0 || (own && !main_file)) continue;
        merge_section(reader, whole, section);
    }
}

static bool check_version(fnd_reader *reader, const fnd_node *root, bool main_file)
{
    const fnd_node *version = fnd_node_find(root, "fender"), *study = fnd_node_find(root, "fender_study");
    if (!version && study) {
        fnd_complain(reader, &study->key_location, FENDER_STATUS_PARSE, "this is a study, not a scenario",
                     "'fender_study'", "'fender: 1' as first key",
                     "`fender study run` checks and runs it; `fender study show --only K` writes one of its scenarios");
        return false;
    }
    if (!version) {
        if (!main_file) return true;
        fnd_location location = root->location;
        location.length = 1;
        fnd_complain(reader, root->first ? &root->first->key_location : &location, FENDER_STATUS_PARSE,
                     "the format version is missing", root->first ? fnd_shown(root->first->key).text : "nothing",
                     "'fender: 1' as first key", "write 'fender: 1' in the first line");
        return false;
    }
    if (version->kind != FND_NODE_TEXT || strcmp(version->text, "1") != 0) {
        fnd_phrase found = version->text[0] ? fnd_shown(version->text)
                                            : fnd_phrase_make("%s", fnd_node_kind_text(version));
        fnd_complain(reader, fnd_node_shown_location(version), FENDER_STATUS_PARSE,
                     fnd_phrase_make("format version '%s' is not known", found.text).text, found.text, "1",
                     "this fender reads format version 1: write 'fender: 1'");
        return false;
    }
    if (root->first != version)
        fnd_complain(reader, &version->key_location, FENDER_STATUS_PARSE, "'fender' is not the first key",
                     fnd_phrase_make("'%s' before it", fnd_shown(root->first->key).text).text,
                     "'fender: 1' as first key", "move 'fender: 1' to the top");
    return true;
}

static bool is_open(const fnd_source *a, const fnd_source *b)
{
    return a->file_number != 0 && a->device == b->device && a->file_number == b->file_number;
}

static const char *name_ending(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') ? dot : "";
}

/* `chain`: the files around this one, from the main file on. */
typedef struct include_chain {
    const struct include_chain *outer;
    const fnd_source *source;
    int depth;
} include_chain;

static bool load_file(fnd_reader *reader, fnd_source *source, const include_chain *outer, fnd_node *whole);

static bool refuse_repetition(fnd_reader *reader, const fnd_source *source, const fnd_node *entry,
                              const include_chain *chain)
{
    for (const include_chain *c = chain; c; c = c->outer)
        if (is_open(source, c->source)) {
            fnd_complain(reader, &entry->location, FENDER_STATUS_FILE,
                         fnd_phrase_make("'%s' includes itself%s", fnd_shown(entry->text).text,
                                         c == chain ? "" : " by way of other files")
                             .text,
                         entry->text, "a file that does not include this one", "remove the include");
            return true;
        }
    for (const fnd_source *s = reader->sources; s; s = s->next)
        if (s != source && is_open(source, s)) {
            fnd_complain(reader, &entry->location, FENDER_STATUS_NAME,
                         fnd_phrase_make("'%s' is included twice", fnd_shown(entry->text).text).text, entry->text,
                         "each file once",
                         fnd_phrase_make("it was already included at %s", location_text(&s->named_at).text).text);
            return true;
        }
    return false;
}

static bool include_entry(fnd_reader *reader, const fnd_source *from, const fnd_node *entry, const include_chain *chain,
                          fnd_node *whole)
{
    const char *text = NULL;
    if (!fnd_read_text(reader, entry, "include", &text)) return true;
    if (chain->depth == FND_INCLUDE_DEPTH_LIMIT) {
        fnd_complain(reader, &entry->location, FENDER_STATUS_FILE, "includes are nested too deeply", text,
                     "at most 16 levels", "include the files from the main one");
        return false;
    }
    char *path = fnd_source_resolve(reader, from, text);
    fnd_source *source = path ? fnd_tree_read_file(reader, path, &entry->location) : NULL;
    if (!source || refuse_repetition(reader, source, entry, chain)) return !reader->memory_failed;
    source->concealed = strcmp(name_ending(path), ".pcm") != 0 && !is_part_of_scenario(source->text);
    return load_file(reader, source, chain, whole);
}

static bool load_file(fnd_reader *reader, fnd_source *source, const include_chain *outer, fnd_node *whole)
{
    include_chain chain = {outer, source, outer ? outer->depth + 1 : 0};
    bool pcm = strcmp(name_ending(source->name), ".pcm") == 0;
    fnd_node *root = pcm ? fnd_pcm_parse(reader, source) : fnd_node_parse(reader, source);
    if (!root || (pcm && !outer && !fnd_pcm_complete(reader, source, root))) return false;
    if (root->kind != FND_NODE_MAP) {
        fnd_complain(reader, &root->location, FENDER_STATUS_PARSE, "a scenario is a map of sections",
                     fnd_node_kind_text(root), "'fender: 1' and sections such as 'bodies:'",
                     "`fender new two_spheres` writes a scenario to start from");
        return false;
    }
    if (!pcm && !check_version(reader, root, outer == NULL)) return false;
    const fnd_node *include = fnd_node_find(root, "include");
    if (include && fnd_expect_list(reader, include, "include"))
        for (const fnd_node *entry = include->first; entry; entry = entry->next)
            if (!include_entry(reader, source, entry, &chain, whole)) return false;
    if (!outer) whole->location = root->location;
    (void)fnd_check_keys(reader, root, "a scenario", section_keys);
    merge_file(reader, whole, root, outer == NULL);
    return true;
}

bool fnd_tree_load(fnd_reader *reader, fnd_source *main_source)
{
    fnd_location top = fnd_source_location(main_source, 1, 1, 1);
    reader->root = fnd_node_make(reader, FND_NODE_MAP, &top);
    return reader->root && load_file(reader, main_source, NULL, reader->root);
}

/* ---- --set ---- */

#define SEGMENT_LIMIT 32

typedef struct segment {
    const char *name; /* NULL: an index */
    int index;
    fnd_location location;
} segment;

typedef struct assignment {
    fnd_reader *reader;
    const fnd_source *source;
    segment segments[SEGMENT_LIMIT];
    int count;
    fnd_node *value;
    bool append;  /* to a list */
    bool matched; /* a `*` fitted something */
} assignment;

static void complain(const assignment *a, const segment *s, fender_status status, const char *message,
                     const char *found, const char *expected, const char *suggestion)
{
    fnd_complain(a->reader, &s->location, status, message, found, expected, suggestion);
}

static bool fail_path(const assignment *a, size_t at, size_t length)
{
    int column = (int)fnd_utf8_count(a->source->text, at) + 1;
    fnd_location location = fnd_source_location(a->source, 1, column, length > 0 ? (int)length : 1);
    fnd_complain(a->reader, &location, FENDER_STATUS_PARSE, "this is not a path",
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
        s->location = fnd_source_location(a->source, 1, (int)fnd_utf8_count(text, start) + 1,
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

bool fnd_tree_distribute_unit(fnd_reader *reader, fnd_node *list)
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
        } else if (child->kind == FND_NODE_TEXT && !child->own_unit) {
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
    fnd_node *list = fnd_node_make(a->reader, FND_NODE_LIST, &s->location);
    for (int i = 0; list && i < 3; i++) {
        fnd_node *zero = fnd_node_make(a->reader, FND_NODE_TEXT, &s->location);
        if (!zero) return NULL;
        zero->text = "0";
        fnd_node_append(list, zero);
    }
    return list;
}

static bool is_component(const segment *s) { return s->name && strlen(s->name) == 1 && strchr("xyz", s->name[0]); }

/* The kind of the things that segment `at` names; NULL: it is no name of a thing. */
static const char *thing_kind(const assignment *a, int at)
{
    static const struct {
        const char *section, *kind;
    } kinds[] = {{"bodies", "body"},
                 {"materials", "material"},
                 {"contact_types", "contact type"},
                 {"loads", "load"},
                 {"links", "link"},
                 {"record", "record"},
                 {"actions", "action"},
                 {"sensors", "sensor"},
                 {"parameters", "parameter"},
                 {"controllers", "controller"},
                 {"shapes", "shape"},
                 {"points", "point"}};
    const bool of_body = at == 3 && strcmp(a->segments[0].name, "bodies") == 0;
    const char *map = at == 1 ? a->segments[0].name : of_body ? a->segments[2].name : NULL;
    for (size_t i = 0; map && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(map, kinds[i].section) == 0 && of_body == (i + 2 >= sizeof kinds / sizeof kinds[0]))
            return kinds[i].kind;
    return NULL;
}

/* Is it the component of a vector that the path ends with? Names may be letters, too. */
static bool ends_with_component(const assignment *a, int at)
{
    return at > 1 && at + 1 == a->count && is_component(&a->segments[at]) && !thing_kind(a, at) &&
           strcmp(a->segments[0].name, "fmu") != 0;
}

static bool complain_append(const assignment *a, const segment *s, const char *found, const char *suggestion)
{
    complain(a, s, FENDER_STATUS_NAME, "there is no list at this path", found, "a list, such as rules or expect",
             suggestion);
    return false;
}

/* The value becomes the last element. */
static bool append_value(assignment *a, fnd_node *list, int at)
{
    const segment *s = &a->segments[at];
    if (list->kind == FND_NODE_MAP)
        return complain_append(a, s, "a map",
                               fnd_phrase_make("name the entry: --set '%s.NAME={..}'", fnd_shown(s->name).text).text);
    if (list->kind != FND_NODE_LIST) return complain_append(a, s, "a single value", "set the value without '+'");
    fnd_node *value = fnd_tree_distribute_unit(a->reader, list) ? fnd_node_copy(a->reader, a->value) : NULL;
    if (value) fnd_node_append(list, value);
    return value != NULL;
}

/* Sections that are lists are made; elsewhere a list must be there. */
static bool append_to_missing(assignment *a, fnd_node *map, int at)
{
    const segment *s = &a->segments[at];
    bool section = map == a->reader->root &&
                   (strcmp(s->name, "rules") == 0 || strcmp(s->name, "expect") == 0 || strcmp(s->name, "plugins") == 0);
    if (!section) return complain_append(a, s, "nothing", "set the whole value without '+'");
    fnd_node *list = fnd_node_make(a->reader, FND_NODE_LIST, &s->location);
    if (!list) return false;
    list->key = s->name;
    list->key_location = s->location;
    fnd_node_append(map, list);
    return append_value(a, list, at);
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
                 fnd_phrase_make(".x, .y, .z, or [0] to [%d]", list->count - 1).text,
                 "count elements from 0; PATH+=VALUE appends one");
        return false;
    }
    if (!fnd_tree_distribute_unit(a->reader, list)) return false;
    if (at + 1 < a->count) return apply(a, child, at + 1);
    if (a->append) return append_value(a, child, at);
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
    const char *kind = thing_kind(a, at);
    if (map == a->reader->root) {
        fnd_known_name names[24];
        int count = 0;
        bool known = false;
        for (const char *const *key = section_keys; *key && count < 24; key++) {
            known = known || strcmp(*key, s->name) == 0;
            names[count++] = (fnd_known_name){*key, 0};
        }
        if (!known) {
            complain(a, s, FENDER_STATUS_NAME, fnd_phrase_make("'%s' is not a section", fnd_shown(s->name).text).text,
                     fnd_shown(s->name).text, "a section of the scenario",
                     fnd_suggest(a->reader, s->name, "sections", names, count).text);
            return false;
        }
    }
    bool last = at + 1 == a->count, vector = ends_with_component(a, at + 1);
    if (a->append && last) return append_to_missing(a, map, at);
    /* a map at the end of the path is a new thing; anything else is a slip of the name */
    bool is_new = last && a->value->kind == FND_NODE_MAP && kind && strcmp(kind, "parameter") != 0;
    if (kind && is_new && !fnd_check_name(a->reader, s->name, &s->location, fnd_phrase_make("a %s", kind).text))
        return false;
    if (kind && !is_new) {
        fnd_complain_unknown(a->reader, &s->location, kind, fnd_phrase_make("%s", map->key).text, s->name, map);
        return false;
    }
    fnd_node *child = last     ? fnd_node_copy(a->reader, a->value)
                      : vector ? zero_vector(a, s)
                               : fnd_node_make(a->reader, FND_NODE_MAP, &s->location);
    if (!child) return false;
    child->key = s->name;
    child->key_location = s->location;
    fnd_node_append(map, child);
    return last || apply(a, child, at + 1);
}

/* The spelling that a map of a fixed set of keys uses for the key of a path. A path with a former key reaches the
 * present one and the other way round; otherwise the map would contain both and be refused. */
static const char *key_in_map(assignment *a, const fnd_node *map, int at)
{
    const segment *s = &a->segments[at];
    if (thing_kind(a, at) || fnd_node_find(map, s->name)) return s->name;
    const fnd_renamed *row = fnd_renamed_find(FND_RENAMED_KEY, s->name);
    if (row && fnd_node_find(map, row->now)) {
        fnd_note_renamed(a->reader, &s->location, row);
        return row->now;
    }
    row = fnd_renamed_find_present(FND_RENAMED_KEY, s->name);
    return row && fnd_node_find(map, row->before) ? row->before : s->name;
}

static bool apply_to_map(assignment *a, fnd_node *map, int at)
{
    const segment *s = &a->segments[at];
    if (!s->name) {
        complain(a, s, FENDER_STATUS_NAME, "this path has an index, but there is no list", "an index", "a name",
                 "write .name");
        return false;
    }
    bool every = strcmp(s->name, "*") == 0, good = true;
    const char *key = every ? s->name : key_in_map(a, map, at);
    for (fnd_node *child = map->first, *next; child; child = next) {
        next = child->next;
        if (!every && strcmp(child->key, key) != 0) continue;
        a->matched = true;
        if (at + 1 < a->count) good = apply(a, child, at + 1) && good;
        else if (a->append) good = append_value(a, child, at) && good;
        else {
            fnd_node *value = fnd_node_copy(a->reader, a->value);
            if (!value) return false;
            value->key = child->key;
            value->key_location = s->location;
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
    complain(a, s, FENDER_STATUS_NAME, "this path continues below a value without parts",
             s->name ? fnd_shown(s->name).text : "an index",
             fnd_phrase_make("'%s' as the end of the path", node->key ? fnd_shown(node->key).text : "the value").text,
             "shorten the path");
    return false;
}

static fnd_override_phase phase_of(const char *path)
{
    static const char section[] = "parameters";
    const size_t length = sizeof section - 1;
    const char *dot = strrchr(path, '.');
    if (strncmp(path, section, length) == 0 && (!path[length] || path[length] == '.')) return FND_OVERRIDE_PARAMETERS;
    return dot && strcmp(dot, ".like") == 0 ? FND_OVERRIDE_LIKE : FND_OVERRIDE_REST;
}

void fnd_tree_override(fnd_reader *reader, const fender_override *overrides, int count, fnd_override_phase phase)
{
    for (int i = 0; i < count; i++) {
        const char *path = overrides[i].path ? overrides[i].path : "";
        const char *value = overrides[i].value ? overrides[i].value : "";
        if (phase_of(path) != phase) continue;
        assignment a = {.reader = reader};
        a.source = fnd_source_open_override(reader, path, value);
        size_t length = strlen(path);
        a.append = length > 1 && path[length - 1] == '+';
        if (!a.source || !split_path(&a, length - a.append)) continue;
        if (a.segments[0].name &&
            (strcmp(a.segments[0].name, "include") == 0 || strcmp(a.segments[0].name, "fender") == 0)) {
            complain(&a, &a.segments[0], FENDER_STATUS_NAME,
                     fnd_phrase_make("'%s' cannot be set", a.segments[0].name).text, a.segments[0].name,
                     "a section that describes the scenario", "change the file");
            continue;
        }
        a.value = fnd_node_parse(reader, a.source);
        if (a.value && fnd_parameters_substitute(reader, a.value)) (void)apply(&a, reader->root, 0);
    }
}
