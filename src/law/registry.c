/* The registry: built-in laws first, then a user's own. Counted by reference. */
#include "law/registry.h"
#include "base/error.h"
#include "base/memory.h"
#include "law/laws.h"
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static const fender_law *const built_in[] = {&fnd_law_spring_damper,
                                             &fnd_law_jeod_spring,
                                             &fnd_law_coulomb,
                                             &fnd_law_coulomb_static_kinetic,
                                             &fnd_law_smooth_spring_damper,
                                             &fnd_law_smooth_stick_slip,
                                             &fnd_law_hunt_crossley,
                                             &fnd_law_impact,
                                             &fnd_law_hertz,
                                             &fnd_law_elastic_plastic,
                                             &fnd_law_soil,
                                             &fnd_law_janosi,
                                             &fnd_law_jkr,
                                             &fnd_law_dmt,
                                             &fnd_law_adhesion,
                                             &fnd_law_pull_off_spring,
                                             &fnd_law_default_contact,
                                             &fnd_law_spring_contact,
                                             &fnd_law_stribeck,
                                             &fnd_law_dahl,
                                             &fnd_law_lugre,
                                             &fnd_law_cundall_strack,
                                             &fnd_law_mindlin,
                                             &fnd_law_anisotropic,
                                             &fnd_law_claw,
                                             &fnd_law_rolling_resistance,
                                             &fnd_law_rolling_stick,
                                             &fnd_law_torsional,
                                             &fnd_law_torsional_stick,
                                             &fnd_law_capture,
                                             &fnd_law_input,
                                             &fnd_law_none};
enum { BUILT_IN_COUNT = sizeof built_in / sizeof built_in[0] };

struct fender_registry {
    fender_env env;
    atomic_int references;
    fender_registry *base; /* whose laws come before its own; NULL: the built-in ones alone */
    int base_count;
    fnd_registered *laws;
    int count, capacity;
    fnd_law_library *libraries;
    int library_count, library_capacity;
};

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

void fender_registry_destroy(fender_registry *registry)
{
    if (!registry || atomic_fetch_sub_explicit(&registry->references, 1, memory_order_acq_rel) > 1) return;
    fender_env env = registry->env;
    fnd_registry_cut(registry, 0);
    for (int i = registry->library_count - 1; i >= 0; i--)
        registry->libraries[i].release(registry->libraries[i].handle);
    fnd_release(&env, registry->libraries, (size_t)registry->library_capacity * sizeof *registry->libraries);
    fnd_release(&env, registry->laws, (size_t)registry->capacity * sizeof *registry->laws);
    fender_registry_destroy(registry->base);
    fnd_release(&env, registry, sizeof *registry);
}

const fender_law *fender_law_at(const fender_registry *registry, int index)
{
    if (index < 0 || index >= count_laws(registry)) return NULL;
    if (!registry) return built_in[index];
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

/* What every law has had for as long as there are plug-ins. */
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
        error, (fnd_fault){FENDER_STATUS_ARGUMENT, "size",
                           newer ? "the law was compiled against a newer fender/law.h"
                                 : "the size of the law is not that of a fender_law",
                           found, expected,
                           newer ? "compile it against the headers of this fender" : "set .size = sizeof(fender_law)"});
}

/* The law, or a copy of an older one; in either case complete. */
static fender_status register_law(const fender_env *env, const fender_law *law, fnd_registered *entry,
                                  fender_error *error)
{
    *entry = (fnd_registered){law, NULL};
    if (law->size < sizeof(fender_law)) {
        entry->copy = fnd_allocate(env, sizeof *entry->copy);
        if (!entry->copy) return fnd_fail_memory(error, "a law");
        memcpy(entry->copy, law, law->size);
        entry->copy->size = sizeof(fender_law);
        entry->law = entry->copy;
    }
    fender_status status = fnd_law_check(entry->law, error);
    if (status) fnd_release(env, entry->copy, sizeof *entry->copy);
    return status;
}

fender_status fender_registry_add_law(fender_registry *registry, const fender_law *law, fender_error *error)
{
    if (!registry || !law)
        return fnd_fail(
            error, (fnd_fault){FENDER_STATUS_ARGUMENT, "law", "a registry and a law are needed", "NULL", "both", ""});
    void *laws = registry->laws;
    if (!fnd_reserve_one_more(&registry->env, &laws, &registry->capacity, registry->count, sizeof *registry->laws))
        return fnd_fail_memory(error, "a law");
    registry->laws = laws;
    fnd_registered *entry = &registry->laws[registry->count];
    fender_status status = check_size(law, error);
    if (!status) status = register_law(&registry->env, law, entry, error);
    if (status) return status;
    if (fender_law_find(registry, entry->law->name)) {
        fnd_release(&registry->env, entry->copy, sizeof *entry->copy);
        return fnd_fail(
            error, (fnd_fault){FENDER_STATUS_NAME, "name", "a law of that name exists", law->name, "a new name", ""});
    }
    registry->count++;
    return FENDER_STATUS_OK;
}

int fnd_registry_count(const fender_registry *registry) { return registry->count; }

void fnd_registry_cut(fender_registry *registry, int count)
{
    while (registry->count > count) {
        fender_law *copy = registry->laws[--registry->count].copy;
        fnd_release(&registry->env, copy, sizeof *copy);
    }
}

bool fnd_registry_hold(fender_registry *registry, fnd_law_library library)
{
    void *libraries = registry->libraries;
    if (!fnd_reserve_one_more(&registry->env, &libraries, &registry->library_capacity, registry->library_count,
                              sizeof *registry->libraries))
        return false;
    registry->libraries = libraries;
    registry->libraries[registry->library_count++] = library;
    return true;
}

/* ---- Parameters ---- */

fender_status fender_law_typed_default(const char *law, void *parameters, size_t size, fender_error *error)
{
    const fender_law *found = fender_law_find(NULL, law ? law : "");
    if (!found)
        return fnd_fail(error, (fnd_fault){FENDER_STATUS_NAME, "law", "no built-in law has that name", law ? law : "",
                                           "a name that fender_law_at knows", ""});
    if (size != found->parameters.size)
        return fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, law,
                                           "the parameters are of another size than the library's", "",
                                           "headers and library of one version", "compile the program anew"});
    return fender_law_parameters_default(found, parameters, size, error);
}

fender_status fender_law_parameters_default(const fender_law *law, void *parameters, size_t size, fender_error *error)
{
    return fender_field_initialize(law ? &law->parameters : NULL, parameters, size, error);
}

static fender_status unknown_parameter(const fender_law *law, const char *name, fender_error *error)
{
    char message[200], names[240];
    size_t used = 0;
    names[0] = '\0';
    for (int i = 0; i < law->parameters.count && used < sizeof names - 1; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                                 fender_field_at(&law->parameters, i)->name);
    snprintf(message, sizeof message, "the law %.60s has no parameter of that name", law->name);
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_NAME, "parameters", message, name ? name : "NULL", names, ""});
}

fender_status fender_law_parameters_set(const fender_law *law, void *parameters, size_t size, const char *name,
                                        double value, fender_error *error)
{
    if (!law || !parameters || size < law->parameters.size)
        return fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, "size", "the memory is smaller than the parameters",
                                           law && parameters ? "" : "NULL", "room for law->parameters.size bytes", ""});
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
