/* Includes: files merged by name into one tree, included ones first. */
#include <string.h>
#include <sys/stat.h>

#include <fender/mesh_file.h>

#include "scenario/bundle.h"
#include "scenario/tree.h"
#include "text/file.h"

const fnd_key fnd_sections[] = {
    {"fender", false}, {"title", false},         {"about", false},   {"include", false},   {"world", false},
    {"run", false},    {"integrator", false},    {"bodies", false},  {"materials", false}, {"loads", false},
    {"rules", false},  {"contact_types", false}, {"record", false},  {"expect", false},    {"plugins", false},
    {"links", false},  {"geometries", false},    {"actions", false}, {"sensors", false},   {NULL, false},
};

/* fnd_source_open or fnd_source_open_bytes */
typedef fnd_source *opener(fnd_reader *reader, const char *name, const char *directory, const char *text,
                           size_t length);

/* Of a bundle: the place in it is what tells one file from another. */
static fnd_source *read_bundled(fnd_reader *reader, const char *path, const fnd_place *place, opener *open)
{
    const fnd_scenario_text *found = fnd_bundle_find(reader->bundle, path);
    if (!found) {
        fnd_complain(reader, place, FENDER_STATUS_FILE,
                     fnd_phrase_make("'%s' is not among the files that the run has kept", fnd_shown(path).text).text,
                     fnd_shown(path).text, "the files of the scenario as they were", "start again from the scenario");
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
        for (const fnd_key *section = fnd_sections; section->name; section++) {
            const size_t length = strlen(section->name);
            if (strncmp(line, section->name, length) == 0 && line[length] == ':') return true;
        }
    }
    return false;
}

/* Of a pipe there may be no end, and of a device none at all; the file that the user names may be one. */
static bool is_regular(fnd_reader *reader, const char *path, const fnd_place *named_at)
{
    struct stat about;
    if (stat(path, &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)) return true; /* opening tells */
    fnd_complain(reader, named_at, FENDER_STATUS_FILE,
                 fnd_phrase_make("'%s' is no regular file", fnd_shown(path).text).text,
                 S_ISFIFO(about.st_mode)   ? "a pipe"
                 : S_ISSOCK(about.st_mode) ? "a socket"
                                           : "a device",
                 "a regular file", "write what it gives to a file, and name that");
    return false;
}

static fnd_source *read_file(fnd_reader *reader, const char *path, const fnd_place *named_at, opener *open)
{
    fnd_file file;
    fender_error error = {0};
    fnd_place place = named_at ? *named_at : (fnd_place){path, 0, 0, 0, ""};
    if (reader->bundle) {
        fnd_source *source = read_bundled(reader, path, &place, open);
        if (source && named_at) source->named_at = *named_at;
        return source;
    }
    if (named_at && !is_regular(reader, path, named_at)) return NULL;
    size_t limit = open == fnd_source_open_bytes ? FENDER_MESH_FILE_LIMIT : FND_FILE_SIZE_LIMIT;
    if (fnd_file_read(&reader->env.allocator, path, limit, FND_FILE_BYTES, &file, &error) != FENDER_STATUS_OK) {
        if (error.status == FENDER_STATUS_MEMORY) reader->memory_failed = true;
        else fnd_finding_add_error(reader->findings, &error, &place);
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

fnd_source *fnd_tree_read_file(fnd_reader *reader, const char *path, const fnd_place *named_at)
{
    return read_file(reader, path, named_at, fnd_source_open);
}

fnd_source *fnd_tree_read_bytes(fnd_reader *reader, const char *path, const fnd_place *named_at)
{
    return read_file(reader, path, named_at, fnd_source_open_bytes);
}

static fnd_phrase place_text(const fnd_place *place) { return fnd_phrase_make("%s:%d", place->file, place->line); }

static void complain_twice(fnd_reader *reader, const fnd_node *second, const fnd_node *first)
{
    fnd_complain(reader, &second->key_place, FENDER_STATUS_NAME,
                 fnd_phrase_make("'%s' is defined in two files", fnd_shown(second->key).text).text,
                 fnd_shown(second->key).text, "each name once",
                 fnd_phrase_make("the first is at %s; rename or remove one", place_text(&first->key_place).text).text);
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
        /* findings about the section as a whole point at the file that was named */
        present->key_place = section->key_place;
        present->place = section->place;
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
    const fnd_node *version = fnd_node_find(root, "fender");
    if (!version) {
        if (!main_file) return true;
        fnd_place place = root->place;
        place.length = 1;
        fnd_complain(reader, root->first ? &root->first->key_place : &place, FENDER_STATUS_PARSE,
                     "the format version is missing", root->first ? fnd_shown(root->first->key).text : "nothing",
                     "'fender: 1' as first key", "write 'fender: 1' in the first line");
        return false;
    }
    if (version->kind != FND_NODE_TEXT || strcmp(version->text, "1") != 0) {
        fnd_phrase found = version->text[0] ? fnd_shown(version->text)
                                            : fnd_phrase_make("%s", fnd_node_kind_text(version));
        fnd_complain(reader, fnd_node_shown_place(version), FENDER_STATUS_PARSE,
                     fnd_phrase_make("format version '%s' is not known", found.text).text, found.text, "1",
                     "this fender reads format version 1: write 'fender: 1'");
        return false;
    }
    if (root->first != version)
        fnd_complain(reader, &version->key_place, FENDER_STATUS_PARSE, "'fender' is not the first key",
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
            fnd_complain(reader, &entry->place, FENDER_STATUS_FILE,
                         fnd_phrase_make("'%s' includes itself%s", fnd_shown(entry->text).text,
                                         c == chain ? "" : " by way of other files")
                             .text,
                         entry->text, "a file that does not include this one", "remove the include");
            return true;
        }
    for (const fnd_source *s = reader->sources; s; s = s->next)
        if (s != source && is_open(source, s)) {
            fnd_complain(reader, &entry->place, FENDER_STATUS_NAME,
                         fnd_phrase_make("'%s' is included twice", fnd_shown(entry->text).text).text, entry->text,
                         "each file once",
                         fnd_phrase_make("it was included at %s already", place_text(&s->named_at).text).text);
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
        fnd_complain(reader, &entry->place, FENDER_STATUS_FILE, "includes are nested too deeply", text,
                     "at most 16 levels", "include the files from the main one");
        return false;
    }
    char *path = fnd_source_resolve(reader, from, text);
    fnd_source *source = path ? fnd_tree_read_file(reader, path, &entry->place) : NULL;
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
        fnd_complain(reader, &root->place, FENDER_STATUS_PARSE, "a scenario is a map of sections",
                     fnd_node_kind_text(root), "'fender: 1' and sections such as 'bodies:'",
                     "`fender new two_spheres` writes a scenario to start from");
        return false;
    }
    if (!pcm && !check_version(reader, root, outer == NULL)) return false;
    const fnd_node *include = fnd_node_find(root, "include");
    if (include && fnd_expect_list(reader, include, "include"))
        for (const fnd_node *entry = include->first; entry; entry = entry->next)
            if (!include_entry(reader, source, entry, &chain, whole)) return false;
    if (!outer) whole->place = root->place;
    (void)fnd_check_keys(reader, root, "a scenario", fnd_sections);
    merge_file(reader, whole, root, outer == NULL);
    return true;
}

bool fnd_tree_load(fnd_reader *reader, fnd_source *main_source)
{
    fnd_place top = fnd_source_place(main_source, 1, 1, 1);
    reader->root = fnd_node_make(reader, FND_NODE_MAP, &top);
    return reader->root && load_file(reader, main_source, NULL, reader->root);
}
