/* The registry: built-in laws first, then a user's own. */
#include "base/error.h"
#include "base/memory.h"
#include "base/name_index.h"
#include "law/laws.h"
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
                                             &fnd_law_default_contact,
                                             &fnd_law_spring_contact,
                                             &fnd_law_rolling_resistance,
                                             &fnd_law_rolling_stick,
                                             &fnd_law_torsional,
                                             &fnd_law_torsional_stick,
                                             &fnd_law_input,
                                             &fnd_law_none};
enum { BUILT_IN_COUNT = sizeof built_in / sizeof built_in[0] };

struct fender_registry {
    fender_env env;
    const fender_law **laws;
    int count, capacity;
};

fender_registry *fender_registry_create(const fender_env *env, fender_error *error)
{
    fender_registry *registry = fnd_allocate(env, sizeof *registry);
    if (!registry) {
        fnd_fail_memory(error, "a registry");
        return NULL;
    }
    registry->env = *env;
    return registry;
}

void fender_registry_destroy(fender_registry *registry)
{
    if (!registry) return;
    fender_env env = registry->env;
    fnd_release(&env, registry->laws, (size_t)registry->capacity * sizeof *registry->laws);
    fnd_release(&env, registry, sizeof *registry);
}

const fender_law *fender_law_at(const fender_registry *registry, int index)
{
    if (index < 0) return NULL;
    if (index < BUILT_IN_COUNT) return built_in[index];
    if (!registry || index - BUILT_IN_COUNT >= registry->count) return NULL;
    return registry->laws[index - BUILT_IN_COUNT];
}

const fender_law *fender_law_find(const fender_registry *registry, const char *name)
{
    if (!name) return NULL;
    for (int i = 0;; i++) {
        const fender_law *law = fender_law_at(registry, i);
        if (!law || strcmp(law->name, name) == 0) return law;
    }
}

static fender_status refuse(fender_error *error, fender_status status, const char *path, const char *message,
                            const char *found, const char *expected)
{
    return fnd_fail(error, (fnd_fault){status, path, message, found, expected, ""});
}

fender_status fender_registry_add_law(fender_registry *registry, const fender_law *law, fender_error *error)
{
    if (!registry || !law)
        return refuse(error, FENDER_STATUS_ARGUMENT, "law", "a registry and a law are needed", "NULL", "both");
    if (law->size != sizeof(fender_law)) {
        char found[64], expected[64];
        snprintf(found, sizeof found, "a fender_law of %u bytes", (unsigned)law->size);
        snprintf(expected, sizeof expected, "%zu bytes (fender %s)", sizeof(fender_law), fender_version());
        return refuse(error, FENDER_STATUS_ARGUMENT, "size",
                      "the law was compiled against another version of fender/law.h", found, expected);
    }
    if (!fnd_name_valid(law->name))
        return refuse(error, FENDER_STATUS_NAME, "name", "a law needs a name", law->name ? law->name : "NULL",
                      "letters, digits and _, not beginning with a digit");
    if (fender_law_find(registry, law->name))
        return refuse(error, FENDER_STATUS_NAME, "name", "a law of that name exists", law->name, "a new name");
    const uint32_t kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL | FENDER_LAW_FRICTION | FENDER_LAW_ROLLING |
                           FENDER_LAW_TWISTING;
    if (!law->force || !(law->kinds & kinds))
        return refuse(error, FENDER_STATUS_ARGUMENT, law->force ? "kinds" : "force", "the law is incomplete", law->name,
                      "a force function and at least one kind");
    if (law->root_count < 0 || law->root_count > FENDER_LAW_ROOT_CAPACITY || (law->root_count > 0 && !law->roots))
        return refuse(error, FENDER_STATUS_ARGUMENT, "root_count", "the roots of the law are incomplete", law->name,
                      "a roots function, and as many roots as FENDER_LAW_ROOT_CAPACITY at the most");
    if (law->state_count < 0 || law->state_count > FENDER_LAW_STATE_CAPACITY ||
        (law->state_count > 0 && !law->state_rates))
        return refuse(error, FENDER_STATUS_ARGUMENT, "state_count", "the states of the law are incomplete", law->name,
                      "a state_rates function, and as many states as FENDER_LAW_STATE_CAPACITY at the most");
    if (law->parameters.count > 0 && (!law->parameters.fields || law->parameters.field_size < sizeof(fender_field)))
        return refuse(error, FENDER_STATUS_ARGUMENT, "parameters", "the parameter table is incomplete", law->name,
                      "fields and their size (FENDER_FIELD_TABLE)");
    void *laws = (void *)registry->laws;
    if (!fnd_reserve_one_more(&registry->env, &laws, &registry->capacity, registry->count, sizeof *registry->laws))
        return fnd_fail_memory(error, "a law");
    registry->laws = laws;
    registry->laws[registry->count++] = law;
    return FENDER_STATUS_OK;
}
