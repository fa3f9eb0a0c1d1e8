/* From text to a checked description: the public loading functions, and bundles of all texts. */
#include "plugin/load.h"
#include "scenario/bundle.h"
#include "scenario/geometry_cache.h"
#include "scenario/parameters.h"
#include "scenario/section.h"
#include "scenario/tree.h"
#include "support/file.h"
#include "support/io_error.h"
#include "support/memory.h"
#include <string.h>

/* ---- Bundles ---- */

static const char mark[] = "fender-sources 1\n";
/* "end 0123456789abcdef\n" */
enum { END_SIZE = 21 };

/* ---- writing */

/* Followed by a character. printf would ask the system for a locale, and that for memory. */
static void append_count(fnd_buffer *to, size_t count, char behind)
{
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = behind;
    do {
        digits[--at] = (char)('0' + count % 10);
        count /= 10;
    } while (count > 0);
    fnd_buffer_append(to, digits + at, sizeof digits - at);
}

static void write_end(uint64_t hash, char text[END_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    memcpy(text, "end ", 4);
    for (int i = 0; i < 16; i++) text[4 + i] = digits[(hash >> (60 - 4 * i)) & 15];
    text[20] = '\n';
}

static void append_pair(fnd_buffer *to, const char *what, const char *name, const char *text, size_t length)
{
    fnd_buffer_append_text(to, what);
    append_count(to, strlen(name), ' ');
    append_count(to, length, '\n');
    fnd_buffer_append_text(to, name);
    fnd_buffer_append_char(to, '\n');
    fnd_buffer_append(to, text, length);
    fnd_buffer_append_char(to, '\n');
}

bool fnd_bundle_append(fnd_buffer *to, const fender_scenario *scenario, uint64_t *hash)
{
    size_t start = to->length;
    fnd_buffer_append_text(to, mark);
    append_count(to, (size_t)scenario->override_count, ' ');
    append_count(to, (size_t)scenario->text_count, ' ');
    fnd_buffer_append_text(to, scenario->from_memory ? "memory\n" : "files\n");
    for (int i = 0; i < scenario->override_count; i++) {
        const fender_override *o = &scenario->overrides[i];
        append_pair(to, "set ", o->path, o->value, strlen(o->value));
    }
    for (int i = 0; i < scenario->text_count; i++) {
        const fnd_scenario_text *t = &scenario->texts[i];
        append_pair(to, "file ", t->name, t->text, t->length);
    }
    if (to->failed) return false;
    *hash = fnd_text_hash(FND_TEXT_HASH_START, to->text + start, to->length - start);
    char end[END_SIZE];
    write_end(*hash, end);
    return fnd_buffer_append(to, end, sizeof end);
}

/* ---- reading */

typedef struct cursor {
    char *at, *end;
} cursor;

static bool take_text(cursor *c, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, text, length) != 0) return false;
    c->at += length;
    return true;
}

/* Digits and the character behind them. */
static bool take_count(cursor *c, char behind, size_t *count)
{
    size_t digits = 0;
    *count = 0;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9' && digits < 12; c->at++, digits++)
        *count = 10 * *count + (size_t)(*c->at - '0');
    return digits > 0 && c->at < c->end && *c->at++ == behind;
}

/* A text of that length and its line break, which becomes its terminator. */
static bool take_block(cursor *c, size_t length, const char **text)
{
    if ((size_t)(c->end - c->at) <= length || c->at[length] != '\n') return false;
    *text = c->at;
    c->at[length] = '\0';
    c->at += length + 1;
    return true;
}

static bool take_pair(cursor *c, const char *what, const char **name, const char **text, size_t *length)
{
    size_t name_length;
    return take_text(c, what) && take_count(c, ' ', &name_length) && take_count(c, '\n', length) &&
           take_block(c, name_length, name) && take_block(c, *length, text);
}

static bool sum_fits(const fnd_file *file)
{
    char expected[END_SIZE];
    if (file->length < END_SIZE) return false;
    uint64_t hash = fnd_text_hash(FND_TEXT_HASH_START, file->text, file->length - END_SIZE);
    write_end(hash, expected);
    return memcmp(file->text + file->length - END_SIZE, expected, END_SIZE) == 0;
}

static void *take_array(const fender_allocator *allocator, size_t count, size_t size)
{
    return allocator->allocate(allocator->ctx, count * size + 1, _Alignof(max_align_t));
}

static bool parse(fnd_bundle *bundle, bool *memory_failed)
{
    cursor c = {bundle->file.text, bundle->file.text + bundle->file.length - END_SIZE};
    size_t overrides, texts, length;
    if (!take_text(&c, mark) || !take_count(&c, ' ', &overrides) || !take_count(&c, ' ', &texts)) return false;
    bundle->from_memory = take_text(&c, "memory\n");
    if (!bundle->from_memory && !take_text(&c, "files\n")) return false;
    /* each takes some bytes of the file */
    if (texts == 0 || overrides > bundle->file.length || texts > bundle->file.length) return false;
    bundle->overrides = take_array(&bundle->allocator, overrides, sizeof *bundle->overrides);
    bundle->override_count = (int)overrides;
    bundle->texts = take_array(&bundle->allocator, texts, sizeof *bundle->texts);
    bundle->text_count = (int)texts;
    *memory_failed = !bundle->overrides || !bundle->texts;
    if (*memory_failed) return false;
    for (size_t i = 0; i < overrides; i++)
        if (!take_pair(&c, "set ", &bundle->overrides[i].path, &bundle->overrides[i].value, &length)) return false;
    for (size_t i = 0; i < texts; i++) {
        fnd_scenario_text *t = &bundle->texts[i];
        if (!take_pair(&c, "file ", &t->name, &t->text, &t->length)) return false;
    }
    return c.at == c.end;
}

fender_status fnd_bundle_read(const fender_allocator *allocator, const char *path, fnd_bundle *bundle,
                              fender_error *error)
{
    bool memory_failed = false;
    memset(bundle, 0, sizeof *bundle);
    bundle->allocator = *allocator;
    fender_status status = fnd_file_read(allocator, path, (size_t)1 << 30, FND_FILE_BYTES, &bundle->file, error);
    if (status != FENDER_STATUS_OK) return status;
    if (sum_fits(&bundle->file) && parse(bundle, &memory_failed)) return FENDER_STATUS_OK;
    fnd_bundle_release(bundle);
    if (memory_failed) return fnd_io_fail_memory(error, "the scenario of a run");
    return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = path,
                       .message = "the file is damaged, or was not written by a run",
                       .found = "bytes that do not match its checksum", .expected = "the bytes that the run wrote",
                       .suggestion = "start again from the scenario (fender run)");
}

void fnd_bundle_release(fnd_bundle *bundle)
{
    const fender_allocator *a = &bundle->allocator;
    if (bundle->overrides)
        a->release(a->ctx, bundle->overrides, (size_t)bundle->override_count * sizeof *bundle->overrides + 1);
    if (bundle->texts) a->release(a->ctx, bundle->texts, (size_t)bundle->text_count * sizeof *bundle->texts + 1);
    fnd_file_release(a, &bundle->file);
    bundle->overrides = NULL;
    bundle->texts = NULL;
}

const fnd_scenario_text *fnd_bundle_find(const fnd_bundle *bundle, const char *name)
{
    for (int i = 0; i < bundle->text_count; i++)
        if (strcmp(bundle->texts[i].name, name) == 0) return &bundle->texts[i];
    return NULL;
}

/* ---- Loading ---- */

typedef struct whole {
    fender_scenario scenario;
    fnd_arena arena;
} whole;

static fender_scenario *scenario_create(const fender_env *env, const fender_registry *registry)
{
    whole *w = env->allocator.allocate(env->allocator.ctx, sizeof *w, _Alignof(max_align_t));
    if (!w) return NULL;
    memset(w, 0, sizeof *w);
    w->arena = fnd_arena_open(&env->allocator, 0);
    fender_scenario *scenario = &w->scenario;
    scenario->env = *env;
    scenario->arena = &w->arena;
    scenario->registry = fender_registry_retain(registry);
    scenario->title = scenario->about = scenario->file = scenario->source_text = "";
    scenario->axes[0] = "x";
    scenario->axes[1] = "y";
    scenario->axes[2] = "z";
    scenario->world = fender_world_def_default();
    scenario->world.registry = registry;
    return scenario;
}

void fender_scenario_destroy(fender_scenario *scenario)
{
    if (!scenario) return;
    whole *w = (whole *)(void *)((char *)scenario - offsetof(whole, scenario));
    fender_allocator allocator = scenario->env.allocator;
    fnd_geometry_cache_release(scenario);
    fender_registry_destroy(w->scenario.registry);
    for (int i = 0; i < scenario->library_count; i++) fnd_controller_unload(scenario->libraries[i]);
    fnd_arena_close(&w->arena);
    allocator.release(allocator.ctx, w, sizeof *w);
}

const char *fender_scenario_title(const fender_scenario *scenario) { return scenario->title; }

static void copy_overrides(fnd_reader *reader, const fender_override *overrides, int count)
{
    fender_override *copies = fnd_keep(reader, (size_t)count, sizeof *copies);
    if (!copies) return;
    for (int i = 0; i < count; i++) {
        const char *path = overrides[i].path ? overrides[i].path : "";
        const char *value = overrides[i].value ? overrides[i].value : "";
        copies[i].path = fnd_keep_text(reader, path, strlen(path));
        copies[i].value = fnd_keep_text(reader, value, strlen(value));
        if (!copies[i].path || !copies[i].value) return;
    }
    reader->scenario->overrides = copies;
    reader->scenario->override_count = count;
}

static void read_text_section(fnd_reader *reader, const char *key, const char **text)
{
    const fnd_node *node = fnd_node_find(reader->root, key);
    if (node) (void)fnd_read_text(reader, node, key, text);
}

static void read_sections(fnd_reader *reader)
{
    const fnd_node *root = reader->root;
    read_text_section(reader, "title", &reader->scenario->title);
    read_text_section(reader, "about", &reader->scenario->about);
    reader->scenario->has_plugins = fnd_node_find(root, "plugins") != NULL;
    fnd_read_plugins(reader, fnd_node_find(root, "plugins"));
    fnd_read_world(reader, fnd_node_find(root, "world"), fnd_node_find(root, "integrator"));
    fnd_read_materials(reader, fnd_node_find(root, "materials"));
    fnd_read_geometries(reader, fnd_node_find(root, "geometries"));
    fnd_read_contact_types(reader, fnd_node_find(root, "contact_types"));
    fnd_node *bodies = fnd_node_find(root, "bodies");
    if (bodies) fnd_read_bodies(reader, bodies);
    else if (!reader->only_rules) (void)fnd_require(reader, root, "bodies", "the scenario", "{NAME: {..}}");
    fnd_read_rules(reader, fnd_node_find(root, "rules"));
    fnd_derive_parameters(reader);
    fnd_read_links(reader, fnd_node_find(root, "links"));
    fnd_read_loads(reader, fnd_node_find(root, "loads"));
    fnd_read_sensors(reader, fnd_node_find(root, "sensors"));
    fnd_read_actions(reader, fnd_node_find(root, "actions"));
    fnd_read_controllers(reader, fnd_node_find(root, "controllers"));
    fnd_read_run(reader, fnd_node_find(root, "run"));
    fnd_warn_of_steps(reader);
    fnd_read_record(reader, fnd_node_find(root, "record"));
    fnd_read_expect(reader, fnd_node_find(root, "expect"));
    fnd_read_fmu(reader, fnd_node_find(root, "fmu"));
}

/* A copy of what was read before; its texts and places stay where they are. */
static fnd_source *take_tree(fnd_reader *reader, const fnd_tree *tree)
{
    reader->sources = tree->sources;
    reader->root = fnd_node_copy(reader, tree->root);
    return reader->root ? tree->main : NULL;
}

static void keep_tree(fnd_reader *reader, fnd_source *source)
{
    fnd_tree *tree = fnd_keep(reader, 1, sizeof *tree);
    if (!tree) return;
    *tree = (fnd_tree){source, reader->sources, fnd_node_copy(reader, reader->root)};
    if (tree->root) reader->scenario->tree = tree;
}

static void read_all(fnd_reader *reader, const char *path, const char *name, const char *text, size_t length)
{
    fender_scenario *scenario = reader->scenario;
    const fnd_tree *tree = reader->bundle ? reader->bundle->tree : NULL;
    fnd_source *source = NULL;
    if (tree) source = take_tree(reader, tree);
    else if (path) source = fnd_tree_read_file(reader, path, NULL);
    else if (length > FND_FILE_SIZE_LIMIT) {
        fnd_location location = {name, 0, 0, 0, ""};
        fnd_complain(reader, &location, FENDER_STATUS_FILE, "the text is too large", "more than 64 MiB",
                     "at most 64 MiB", "put tables into CSV files");
    } else {
        const char *own_name = fnd_keep_text(reader, name, strlen(name));
        const char *own_text = fnd_keep_text(reader, text, length);
        if (own_name && own_text) source = fnd_source_open(reader, own_name, "", own_text, length);
    }
    if (!source) return;
    scenario->file = source->name;
    scenario->source_text = source->text;
    scenario->source_length = source->length;
    if (!tree && !fnd_tree_load(reader, source)) return;
    if (reader->keep_tree) keep_tree(reader, source);
    fnd_tree_override(reader, scenario->overrides, scenario->override_count, FND_OVERRIDE_PARAMETERS);
    fnd_parameters_resolve(reader);
    if (reader->memory_failed) return;
    fnd_tree_override(reader, scenario->overrides, scenario->override_count, FND_OVERRIDE_LIKE);
    fnd_tree_expand_like(reader);
    fnd_tree_override(reader, scenario->overrides, scenario->override_count, FND_OVERRIDE_REST);
    fnd_tree_expand_like(reader); /* of what was added */
    fnd_tree_expand_patterns(reader);
    fnd_parameters_finish(reader);
    if (reader->printed) {
        fnd_parameters_print(reader, reader->printed);
        fnd_tree_print(reader->root, reader->printed);
    }
    read_sections(reader);
}

static bool is_listed(const fender_scenario *scenario, const fnd_scenario_text *texts, const char *name)
{
    for (int i = 0; i < scenario->text_count; i++)
        if (strcmp(texts[i].name, name) == 0) return true;
    return false;
}

/* All that was read, for those who want to read it again when the files may have changed. */
static void list_texts(fnd_reader *reader)
{
    fender_scenario *scenario = reader->scenario;
    size_t count = 0;
    for (const fnd_source *s = reader->sources; s; s = s->next) count++;
    const fnd_source **sources = fnd_keep(reader, count, sizeof(const fnd_source *));
    fnd_scenario_text *texts = fnd_keep(reader, count, sizeof *texts);
    if (!sources || !texts) return;
    size_t at = count;
    for (const fnd_source *s = reader->sources; s; s = s->next) sources[--at] = s; /* the oldest first */
    for (size_t i = 0; i < count; i++) {
        bool is_override = sources[i]->start > 0;
        if (is_override || is_listed(scenario, texts, sources[i]->name)) continue;
        texts[scenario->text_count++] = (fnd_scenario_text){sources[i]->name, sources[i]->text, sources[i]->length};
    }
    scenario->texts = texts;
}

static fender_scenario *load(const fender_env *env, const fender_registry *registry, const char *path, const char *name,
                             const char *text, size_t length, const fender_override *overrides, int override_count,
                             const fnd_bundle *bundle, fnd_geometry_cache *kept, fnd_buffer *printed,
                             fender_error *error)
{
    if (!fnd_io_env_usable(env, error)) return NULL;
    fender_env own = env ? *env : fender_env_default();
    fnd_reader reader = {.env = own, .diagnostics = fnd_diagnostics_create(&own)};
    if (reader.diagnostics) reader.scenario = scenario_create(&own, registry);
    if (!reader.scenario) {
        if (reader.diagnostics) (void)fnd_diagnostics_deliver(reader.diagnostics, NULL);
        (void)fnd_diagnostics_deliver(NULL, error);
        return NULL;
    }
    reader.arena = reader.scenario->arena;
    reader.bundle = bundle;
    reader.cache = bundle ? bundle->cache : kept;
    reader.keep_tree = kept != NULL;
    reader.printed = printed;
    reader.scenario->from_memory = !path;
    copy_overrides(&reader, overrides, override_count);
    if (!reader.memory_failed) read_all(&reader, path, name, text, length);
    list_texts(&reader);
    if (reader.memory_failed) fnd_diagnostics_note_memory(reader.diagnostics);
    if (fnd_diagnostics_deliver(reader.diagnostics, error) == FENDER_STATUS_OK) return reader.scenario;
    fender_scenario_destroy(reader.scenario);
    return NULL;
}

fender_scenario *fender_scenario_load(const fender_env *env, const fender_registry *registry, const char *path,
                                      const fender_override *overrides, int override_count, fender_error *error)
{
    return load(env, registry, path ? path : "", NULL, NULL, 0, overrides, override_count, NULL, NULL, NULL, error);
}

fender_scenario *fnd_scenario_load_keeping(const fender_env *env, fnd_geometry_cache *cache, const char *path,
                                           const fender_override *overrides, int override_count, fender_error *error)
{
    return load(env, NULL, path ? path : "", NULL, NULL, 0, overrides, override_count, NULL, cache, NULL, error);
}

fender_scenario *fender_scenario_parse(const fender_env *env, const fender_registry *registry, const char *name,
                                       const char *text, size_t length, const fender_override *overrides,
                                       int override_count, fender_error *error)
{
    return load(env, registry, NULL, name ? name : "", text ? text : "", text ? length : 0, overrides, override_count,
                NULL, NULL, NULL, error);
}

fender_scenario *fnd_scenario_load_bundle(const fender_env *env, const fender_registry *registry,
                                          const fnd_bundle *bundle, fender_error *error)
{
    const fnd_scenario_text *main_text = &bundle->texts[0];
    const char *path = bundle->from_memory ? NULL : main_text->name;
    return load(env, registry, path, main_text->name, main_text->text, main_text->length, bundle->overrides,
                bundle->override_count, bundle, NULL, NULL, error);
}

fender_status fnd_scenario_print(const fender_scenario *scenario, fnd_buffer *to, fender_error *error)
{
    const fnd_scenario_text *main_text = &scenario->texts[0];
    fender_env silent = scenario->env; /* whatever there is to say was said when it was loaded */
    silent.report = NULL;
    fnd_bundle bundle = {.allocator = silent.allocator,
                         .texts = (fnd_scenario_text *)scenario->texts,
                         .text_count = scenario->text_count};
    fender_scenario *again = load(&silent, scenario->registry, scenario->from_memory ? NULL : main_text->name,
                                  main_text->name, main_text->text, main_text->length, scenario->overrides,
                                  scenario->override_count, &bundle, NULL, to, error);
    if (!again) return error ? error->status : FENDER_STATUS_STATE;
    fender_scenario_destroy(again);
    return to->failed ? fnd_io_fail_memory(error, "the text of the scenario") : FENDER_STATUS_OK;
}
