/* From text to a checked description: the public loading functions. */
#include <string.h>

#include "scenario/bundle.h"
#include "scenario/intent.h"
#include "scenario/section.h"
#include "scenario/tree.h"
#include "text/arena.h"
#include "text/fault.h"

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
    fender_registry_destroy(w->scenario.registry);
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
    fnd_read_run(reader, fnd_node_find(root, "run"));
    fnd_read_record(reader, fnd_node_find(root, "record"));
    fnd_read_expect(reader, fnd_node_find(root, "expect"));
}

static void read_all(fnd_reader *reader, const char *path, const char *name, const char *text, size_t length)
{
    fender_scenario *scenario = reader->scenario;
    fnd_source *source = NULL;
    if (path) source = fnd_tree_read_file(reader, path, NULL);
    else if (length > FND_FILE_SIZE_LIMIT) {
        fnd_place place = {name, 0, 0, 0, ""};
        fnd_complain(reader, &place, FENDER_STATUS_FILE, "the text is too large", "more than 64 MiB", "at most 64 MiB",
                     "put tables into CSV files");
    } else {
        const char *own_name = fnd_keep_text(reader, name, strlen(name));
        const char *own_text = fnd_keep_text(reader, text, length);
        if (own_name && own_text) source = fnd_source_open(reader, own_name, "", own_text, length);
    }
    if (!source) return;
    scenario->file = source->name;
    scenario->source_text = source->text;
    scenario->source_length = source->length;
    if (!fnd_tree_load(reader, source)) return;
    fnd_tree_override(reader, scenario->overrides, scenario->override_count, true);
    fnd_tree_expand_like(reader);
    fnd_tree_override(reader, scenario->overrides, scenario->override_count, false);
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
                             const fnd_bundle *bundle, fender_error *error)
{
    if (!fnd_io_env_usable(env, error)) return NULL;
    fender_env own = env ? *env : fender_env_default();
    fnd_reader reader = {.env = own, .findings = fnd_findings_create(&own)};
    if (reader.findings) reader.scenario = scenario_create(&own, registry);
    if (!reader.scenario) {
        if (reader.findings) (void)fnd_findings_deliver(reader.findings, NULL);
        (void)fnd_findings_deliver(NULL, error);
        return NULL;
    }
    reader.arena = reader.scenario->arena;
    reader.bundle = bundle;
    reader.scenario->from_memory = !path;
    copy_overrides(&reader, overrides, override_count);
    if (!reader.memory_failed) read_all(&reader, path, name, text, length);
    list_texts(&reader);
    if (reader.memory_failed) fnd_findings_note_memory(reader.findings);
    if (fnd_findings_deliver(reader.findings, error) == FENDER_STATUS_OK) return reader.scenario;
    fender_scenario_destroy(reader.scenario);
    return NULL;
}

fender_scenario *fender_scenario_load(const fender_env *env, const fender_registry *registry, const char *path,
                                      const fender_override *overrides, int override_count, fender_error *error)
{
    return load(env, registry, path ? path : "", NULL, NULL, 0, overrides, override_count, NULL, error);
}

fender_scenario *fender_scenario_parse(const fender_env *env, const fender_registry *registry, const char *name,
                                       const char *text, size_t length, const fender_override *overrides,
                                       int override_count, fender_error *error)
{
    return load(env, registry, NULL, name ? name : "", text ? text : "", text ? length : 0, overrides, override_count,
                NULL, error);
}

fender_scenario *fnd_scenario_load_bundle(const fender_env *env, const fender_registry *registry,
                                          const fnd_bundle *bundle, fender_error *error)
{
    const fnd_scenario_text *main_text = &bundle->texts[0];
    const char *path = bundle->from_memory ? NULL : main_text->name;
    return load(env, registry, path, main_text->name, main_text->text, main_text->length, bundle->overrides,
                bundle->override_count, bundle, error);
}
