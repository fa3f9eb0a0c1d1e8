/* The registry: built-in laws first, then a user's own, checked as they are added; kinds of geometries; plug-ins.
 * Counted by reference. */
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <fender/plugin.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/name_index.h"
#include "law/laws.h"

/* ---- Whether a law that comes from outside is complete */

static fender_status refuse_law(fender_error *error, fender_status status, const char *path, const char *message,
                                const char *found, const char *expected)
{
    return fnd_fail(error, status, path, message, found, expected, "");
}

/* A field must lie within the struct, or setting it by name would write beyond. */
static bool field_is_complete(const fender_field_table *table, const fender_field *field)
{
    if (!fnd_name_valid(field->name) || !field->unit || !field->doc) return false;
    if ((unsigned)field->type > FENDER_FIELD_ENUM || (field->type == FENDER_FIELD_ENUM && !field->choices))
        return false;
    size_t size = (size_t)fender_field_component_count(field) * sizeof(double);
    if (field->type == FENDER_FIELD_BOOL) size = sizeof(bool);
    if (field->type == FENDER_FIELD_INT || field->type == FENDER_FIELD_ENUM) size = sizeof(int);
    return size <= table->size && field->offset <= table->size - size;
}

/* Of a `what` ("law") of that name. */
static fender_status check_table(const fender_field_table *table, const char *what, const char *name,
                                 fender_error *error)
{
    char message[96];
    if (table->count < 0 || (table->count > 0 && (!table->fields || table->field_size < sizeof(fender_field))))
        return refuse_law(error, FENDER_STATUS_ARGUMENT, "parameters", "the parameter table is incomplete", name,
                          "fields and their size (FENDER_FIELD_TABLE)");
    for (int i = 0; i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        snprintf(message, sizeof message, "a field of the %s's parameters is incomplete", what);
        if (!field_is_complete(table, field))
            return refuse_law(error, FENDER_STATUS_ARGUMENT, "parameters", message, field->name ? field->name : name,
                              "a name, a unit, a sentence, and a place within the struct");
        snprintf(message, sizeof message, "two parameters of the %s have one name", what);
        if (fender_field_find(table, field->name) != field)
            return refuse_law(error, FENDER_STATUS_NAME, "parameters", message, field->name, "each name once");
    }
    return FENDER_STATUS_OK;
}

/* All that is called and read of a law is there. */
static fender_status check_law(const fender_law *law, fender_error *error)
{
    if (!fnd_name_valid(law->name))
        return refuse_law(error, FENDER_STATUS_NAME, "name", "a law needs a name", law->name ? law->name : "NULL",
                          "letters, digits and _, not beginning with a digit");
    if (!law->doc)
        return refuse_law(error, FENDER_STATUS_ARGUMENT, "doc", "the law is incomplete", law->name,
                          "a sentence that says what it does");
    const uint32_t kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL | FENDER_LAW_FRICTION | FENDER_LAW_ROLLING |
                           FENDER_LAW_TWISTING;
    if (!law->force || !(law->kinds & kinds))
        return refuse_law(error, FENDER_STATUS_ARGUMENT, law->force ? "kinds" : "force", "the law is incomplete",
                          law->name, "a force function and at least one kind");
    if (law->kinds & ~kinds ||
        law->needs & ~(uint32_t)(FENDER_LAW_NEEDS_SURFACE | FENDER_LAW_ACTS_APART | FENDER_LAW_CONNECTS))
        return refuse_law(error, FENDER_STATUS_ARGUMENT, law->kinds & ~kinds ? "kinds" : "needs",
                          "the law asks for what this fender does not know", law->name,
                          "kinds and needs of fender/law.h");
    if (law->root_count < 0 || law->root_count > FENDER_LAW_ROOT_CAPACITY || (law->root_count > 0 && !law->roots))
        return refuse_law(error, FENDER_STATUS_ARGUMENT, "root_count", "the roots of the law are incomplete", law->name,
                          "a roots function, and as many roots as FENDER_LAW_ROOT_CAPACITY at the most");
    if (law->state_count < 0 || law->state_count > FENDER_LAW_STATE_CAPACITY ||
        (law->state_count > 0 && !law->state_rates))
        return refuse_law(error, FENDER_STATUS_ARGUMENT, "state_count", "the states of the law are incomplete",
                          law->name,
                          "a state_rates function, and as many states as FENDER_LAW_STATE_CAPACITY at the most");
    return check_table(&law->parameters, "law", law->name, error);
}

/* ---- The registry */

#define ADDRESS(name) &fnd_law_##name,
static const fender_law *const built_in[] = {FND_BUILT_IN_LAWS(ADDRESS)};
enum { BUILT_IN_COUNT = sizeof built_in / sizeof built_in[0] };

typedef struct registered {
    const fender_law *law;
    fender_law *copy; /* of an older law, with room for what it does not know; NULL: law is its author's */
} registered;

/* A shared library that laws lie in. */
typedef struct law_library {
    void *handle;
    void (*release)(void *handle);
} law_library;

struct fender_registry {
    fender_env env;
    atomic_int references;
    fender_registry *base; /* whose laws come before its own; NULL: the built-in ones alone */
    int base_count;
    registered *laws;
    int count, capacity;
    const fender_geometry_kind **geometries;
    int base_geometry_count, geometry_count, geometry_capacity;
    law_library *libraries;
    int library_count, library_capacity;
};

/* Registry NULL: the built-in ones. */
static int count_laws(const fender_registry *registry)
{
    return registry ? registry->base_count + registry->count : BUILT_IN_COUNT;
}

fender_registry *fender_registry_extend(const fender_env *env, const fender_registry *base, fender_error *error)
{
    fender_registry *registry = fnd_allocate(env, sizeof *registry);
    if (!registry) {
        fnd_fail_memory(error, "a registry");
        return NULL;
    }
    registry->env = *env;
    atomic_init(&registry->references, 1);
    registry->base = fender_registry_retain(base);
    registry->base_count = count_laws(base);
    registry->base_geometry_count = base ? base->base_geometry_count + base->geometry_count : 0;
    return registry;
}

fender_registry *fender_registry_create(const fender_env *env, fender_error *error)
{
    return fender_registry_extend(env, NULL, error);
}

/* The count is no part of what a registry holds: it may change in one that is not to be changed. */
fender_registry *fender_registry_retain(const fender_registry *registry)
{
    fender_registry *held = (fender_registry *)(uintptr_t)registry;
    if (held) atomic_fetch_add_explicit(&held->references, 1, memory_order_relaxed);
    return held;
}

/* Forgets the laws from that one on. */
static void cut_laws(fender_registry *registry, int count)
{
    assert(count >= 0);
    while (registry->count > count) {
        fender_law *copy = registry->laws[--registry->count].copy;
        fnd_release(&registry->env, copy, sizeof *copy);
    }
}

void fender_registry_destroy(fender_registry *registry)
{
    assert(!registry || atomic_load_explicit(&registry->references, memory_order_relaxed) > 0);
    if (!registry || atomic_fetch_sub_explicit(&registry->references, 1, memory_order_acq_rel) > 1) return;
    fender_env env = registry->env;
    cut_laws(registry, 0);
    for (int i = registry->library_count - 1; i >= 0; i--)
        registry->libraries[i].release(registry->libraries[i].handle);
    fnd_release(&env, registry->libraries, (size_t)registry->library_capacity * sizeof *registry->libraries);
    fnd_release(&env, registry->geometries, (size_t)registry->geometry_capacity * sizeof *registry->geometries);
    fnd_release(&env, registry->laws, (size_t)registry->capacity * sizeof *registry->laws);
    fender_registry_destroy(registry->base);
    fnd_release(&env, registry, sizeof *registry);
}

/* The order of adding: that of the base first, down to the built-in laws. */
const fender_law *fender_law_at(const fender_registry *registry, int index)
{
    if (index < 0 || index >= count_laws(registry)) return NULL;
    if (!registry) return built_in[index];
    assert(registry->base_count >= BUILT_IN_COUNT);
    if (index < registry->base_count) return fender_law_at(registry->base, index);
    return registry->laws[index - registry->base_count].law;
}

const fender_law *fender_law_find(const fender_registry *registry, const char *name)
{
    if (!name) return NULL;
    for (int i = 0;; i++) {
        const fender_law *law = fender_law_at(registry, i);
        if (!law || strcmp(law->name, name) == 0) return law;
    }
}

/* Size of the oldest fender_law that plug-ins may use. */
#define LEAST_SIZE offsetof(fender_law, stretch)

static fender_status check_size(const fender_law *law, fender_error *error)
{
    if (law->size >= LEAST_SIZE && law->size <= sizeof(fender_law)) return FENDER_STATUS_OK;
    char found[64], expected[64];
    bool newer = law->size > sizeof(fender_law);
    snprintf(found, sizeof found, "a fender_law of %u bytes", (unsigned)law->size);
    snprintf(expected, sizeof expected, "%zu to %zu bytes (fender %s)", LEAST_SIZE, sizeof(fender_law),
             fender_version());
    return fnd_fail(
        error, FENDER_STATUS_ARGUMENT, "size",
        newer ? "the law was compiled against a newer fender/law.h" : "the size of the law is not that of a fender_law",
        found, expected, newer ? "compile it against the headers of this fender" : "set .size = sizeof(fender_law)");
}

/* The law, or a copy of an older one; in either case complete. */
static fender_status register_law(const fender_env *env, const fender_law *law, registered *entry, fender_error *error)
{
    assert(law->size <= sizeof(fender_law));
    *entry = (registered){law, NULL};
    if (law->size < sizeof(fender_law)) {
        entry->copy = fnd_allocate(env, sizeof *entry->copy);
        if (!entry->copy) return fnd_fail_memory(error, "a law");
        memcpy(entry->copy, law, law->size);
        entry->copy->size = sizeof(fender_law);
        entry->law = entry->copy;
    }
    fender_status status = check_law(entry->law, error);
    if (status) fnd_release(env, entry->copy, sizeof *entry->copy);
    return status;
}

fender_status fender_registry_add_law(fender_registry *registry, const fender_law *law, fender_error *error)
{
    if (!registry || !law)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "law", "a registry and a law are needed", "NULL", "both", "");
    void *laws = registry->laws;
    if (!fnd_reserve_one_more(&registry->env, &laws, &registry->capacity, registry->count, sizeof *registry->laws))
        return fnd_fail_memory(error, "a law");
    registry->laws = laws;
    registered *entry = &registry->laws[registry->count];
    fender_status status = check_size(law, error);
    if (!status) status = register_law(&registry->env, law, entry, error);
    if (status) return status;
    if (fender_law_find(registry, entry->law->name)) {
        fnd_release(&registry->env, entry->copy, sizeof *entry->copy);
        return fnd_fail(error, FENDER_STATUS_NAME, "name", "a law of that name exists", law->name, "a new name", "");
    }
    registry->count++;
    return FENDER_STATUS_OK;
}

/* ---- Parameters of laws */

fender_status fender_law_typed_default(const char *law, void *parameters, size_t size, fender_error *error)
{
    const fender_law *found = fender_law_find(NULL, law ? law : "");
    if (!found)
        return fnd_fail(error, FENDER_STATUS_NAME, "law", "no built-in law has that name", law ? law : "",
                        "a name that fender_law_at knows", "");
    if (size != found->parameters.size)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, law, "the parameters are of another size than the library's", "",
                        "headers and library of one version", "compile the program anew");
    return fender_law_parameters_default(found, parameters, size, error);
}

fender_status fender_law_parameters_default(const fender_law *law, void *parameters, size_t size, fender_error *error)
{
    return fender_field_initialize(law ? &law->parameters : NULL, parameters, size, error);
}

/* Names what there is: the misspelt name is seen at once beside the right one. */
static fender_status unknown_parameter(const fender_law *law, const char *name, fender_error *error)
{
    char message[200], names[240];
    size_t used = 0;
    names[0] = '\0';
    for (int i = 0; i < law->parameters.count && used < sizeof names - 1; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                                 fender_field_at(&law->parameters, i)->name);
    snprintf(message, sizeof message, "the law %.60s has no parameter of that name", law->name);
    return fnd_fail(error, FENDER_STATUS_NAME, "parameters", message, name ? name : "NULL", names, "");
}

fender_status fender_law_parameters_set(const fender_law *law, void *parameters, size_t size, const char *name,
                                        double value, fender_error *error)
{
    if (!law || !parameters || size < law->parameters.size)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "size", "the memory is smaller than the parameters",
                        law && parameters ? "" : "NULL", "room for law->parameters.size bytes", "");
    for (int i = 0; name && i < law->parameters.count; i++) {
        const fender_field *field = fender_field_at(&law->parameters, i);
        const size_t length = strlen(field->name);
        if (strncmp(field->name, name, length) != 0) continue;
        for (int c = 0; c < fender_field_component_count(field); c++)
            if (strcmp(name + length, fender_field_component_name(field, c)) == 0) {
                fender_field_set(field, parameters, c, value);
                return FENDER_STATUS_OK;
            }
    }
    return unknown_parameter(law, name, error);
}

/* ---- Kinds of geometries ---- */

const fender_geometry_kind *fender_geometry_kind_at(const fender_registry *registry, int index)
{
    if (!registry || index < 0 || index >= registry->base_geometry_count + registry->geometry_count) return NULL;
    if (index < registry->base_geometry_count) return fender_geometry_kind_at(registry->base, index);
    return registry->geometries[index - registry->base_geometry_count];
}

const fender_geometry_kind *fender_geometry_kind_find(const fender_registry *registry, const char *name)
{
    if (!name) return NULL;
    for (int i = 0;; i++) {
        const fender_geometry_kind *kind = fender_geometry_kind_at(registry, i);
        if (!kind || strcmp(kind->name, name) == 0) return kind;
    }
}

static fender_status refuse_kind(fender_error *error, const char *path, const char *message, const char *found,
                                 const char *expected, const char *suggestion)
{
    return fnd_fail(error, FENDER_STATUS_ARGUMENT, path, message, found, expected, suggestion);
}

/* A struct of another size than ours: `size` stands first in every version. */
static fender_status refuse_size(fender_error *error, const char *type, uint32_t size, size_t ours)
{
    char found[64], expected[64];
    snprintf(found, sizeof found, "a %s of %u bytes", type, (unsigned)size);
    snprintf(expected, sizeof expected, "%zu bytes (fender %s)", ours, fender_version());
    return refuse_kind(error, "size",
                       size > ours ? "the geometry was compiled against a newer fender"
                                   : "the size of a struct of the geometry is not that of its type",
                       found, expected,
                       size > ours ? "compile it against the headers of this fender" : "set its .size");
}

static fender_status check_kind(const fender_geometry_kind *kind, fender_error *error)
{
    const fender_geometry_class *type = kind->type;
    if (kind->size != sizeof *kind) return refuse_size(error, "fender_geometry_kind", kind->size, sizeof *kind);
    if (!fnd_name_valid(kind->name))
        return fnd_fail(error, FENDER_STATUS_NAME, "name", "a geometry needs a name", kind->name ? kind->name : "NULL",
                        "letters, digits and _, not beginning with a digit", "");
    if (!kind->doc || !type)
        return refuse_kind(error, kind->doc ? "type" : "doc", "the geometry is incomplete", kind->name,
                           "a sentence that says what it is, and a fender_geometry_class", "");
    if (type->size != sizeof *type) return refuse_size(error, "fender_geometry_class", type->size, sizeof *type);
    if (!type->bounds || (!type->support && !type->signed_distance))
        return refuse_kind(error, type->bounds ? "type.support" : "type.bounds", "the geometry is incomplete",
                           kind->name, "bounds, and a support function or a signed distance", "");
    return check_table(&kind->parameters, "geometry", kind->name, error);
}

fender_status fender_registry_add_geometry(fender_registry *registry, const fender_geometry_kind *kind,
                                           fender_error *error)
{
    if (!registry || !kind)
        return refuse_kind(error, "kind", "a registry and a kind of geometry are needed", "NULL", "both", "");
    fender_status status = check_kind(kind, error);
    if (status) return status;
    if (fender_geometry_kind_find(registry, kind->name))
        return fnd_fail(error, FENDER_STATUS_NAME, "name", "a geometry of that name exists", kind->name, "a new name",
                        "");
    void *kinds = registry->geometries;
    if (!fnd_reserve_one_more(&registry->env, &kinds, &registry->geometry_capacity, registry->geometry_count,
                              sizeof *registry->geometries))
        return fnd_fail_memory(error, "a kind of geometry");
    registry->geometries = kinds;
    registry->geometries[registry->geometry_count++] = kind;
    return FENDER_STATUS_OK;
}

/* ---- Plug-ins that are in memory: their version and sizes, then their laws and geometries, all or none */

static fender_status refuse_plugin(fender_error *error, const char *message, const char *found, const char *expected,
                                   const char *suggestion)
{
    return fnd_fail(error, FENDER_STATUS_ARGUMENT, "plugin", message, found, expected, suggestion);
}

/* Plug-ins of the first fender/plugin.h end before their geometries. */
enum { FIRST_PLUGIN_SIZE = offsetof(fender_plugin, geometries) };
static const fender_geometry_kind *const *geometries_of(const fender_plugin *plugin)
{
    return plugin->size >= FIRST_PLUGIN_SIZE + sizeof plugin->geometries ? plugin->geometries : NULL;
}

/* `size` and `version` stand where they stand in every version. */
static fender_status check_version(const fender_plugin *plugin, fender_error *error)
{
    char found[64], expected[64];
    if (plugin->version != FENDER_PLUGIN_VERSION) {
        snprintf(found, sizeof found, "version %u", (unsigned)plugin->version);
        snprintf(expected, sizeof expected, "version %d (fender %s)", FENDER_PLUGIN_VERSION, fender_version());
        return refuse_plugin(error, "the plug-in speaks another version of fender/plugin.h", found, expected,
                             "compile it against the headers of this fender");
    }
    const struct {
        const char *name;
        uint32_t theirs;
        size_t ours;
    } sizes[] = {{"fender_plugin", plugin->size, sizeof(fender_plugin)},
                 {"fender_contact_input", plugin->input_size, sizeof(fender_contact_input)},
                 {"fender_contact_output", plugin->output_size, sizeof(fender_contact_output)},
                 {"fender_contact_change", plugin->change_size, sizeof(fender_contact_change)},
                 {"fender_law_stiffness", plugin->stiffness_size, sizeof(fender_law_stiffness)},
                 {"fender_contact_surface", plugin->surface_size, sizeof(fender_contact_surface)}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (sizes[i].theirs <= sizes[i].ours) continue;
        snprintf(found, sizeof found, "a %s of %u bytes", sizes[i].name, (unsigned)sizes[i].theirs);
        snprintf(expected, sizeof expected, "at most %zu bytes (fender %s)", sizes[i].ours, fender_version());
        return refuse_plugin(error, "the plug-in was compiled against a newer fender", found, expected,
                             "compile it against the headers of this fender");
    }
    const bool cut = plugin->size < FIRST_PLUGIN_SIZE;
    if (cut || !fnd_name_valid(plugin->name) ||
        !((plugin->laws && plugin->laws[0]) || (geometries_of(plugin) && geometries_of(plugin)[0])))
        return refuse_plugin(error, "the plug-in is incomplete", cut ? "a struct cut short" : "",
                             "a name and at least one law or geometry", "begin it with FENDER_PLUGIN_HEAD");
    return FENDER_STATUS_OK;
}

/* False: no memory. */
static bool hold_library(fender_registry *registry, law_library library)
{
    void *libraries = registry->libraries;
    if (!fnd_reserve_one_more(&registry->env, &libraries, &registry->library_capacity, registry->library_count,
                              sizeof *registry->libraries))
        return false;
    registry->libraries = libraries;
    registry->libraries[registry->library_count++] = library;
    return true;
}

fender_status fender_registry_add_plugin(fender_registry *registry, const fender_plugin *plugin, void *handle,
                                         void (*release)(void *handle), fender_error *error)
{
    if (!registry || !plugin) return refuse_plugin(error, "a registry and a plug-in are needed", "NULL", "both", "");
    fender_status status = check_version(plugin, error);
    int before = registry->count;
    const int geometries_before = registry->geometry_count;
    for (int i = 0; !status && plugin->laws && plugin->laws[i]; i++)
        status = fender_registry_add_law(registry, plugin->laws[i], error);
    const fender_geometry_kind *const *geometries = status ? NULL : geometries_of(plugin);
    for (int i = 0; !status && geometries && geometries[i]; i++)
        status = fender_registry_add_geometry(registry, geometries[i], error);
    if (!status && release && !hold_library(registry, (law_library){handle, release}))
        status = fnd_fail_memory(error, "a plug-in");
    if (status) {
        cut_laws(registry, before);
        registry->geometry_count = geometries_before;
    }
    return status;
}
