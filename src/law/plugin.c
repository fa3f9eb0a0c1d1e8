/* Plug-ins that are in memory: their version and sizes, then their laws, all or none. */
#include "base/error.h"
#include "base/name_index.h"
#include "law/registry.h"
#include <fender/plugin.h>
#include <stdio.h>

static fender_status refuse(fender_error *error, const char *message, const char *found, const char *expected,
                            const char *suggestion)
{
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, "plugin", message, found, expected, suggestion});
}

/* `size` and `version` stand where they stand in every version. */
static fender_status check_version(const fender_plugin *plugin, fender_error *error)
{
    char found[64], expected[64];
    if (plugin->version != FENDER_PLUGIN_VERSION) {
        snprintf(found, sizeof found, "version %u", (unsigned)plugin->version);
        snprintf(expected, sizeof expected, "version %d (fender %s)", FENDER_PLUGIN_VERSION, fender_version());
        return refuse(error, "the plug-in speaks another version of fender/plugin.h", found, expected,
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
        return refuse(error, "the plug-in was compiled against a newer fender", found, expected,
                      "compile it against the headers of this fender");
    }
    if (plugin->size < sizeof(fender_plugin) || !fnd_name_valid(plugin->name) || !plugin->laws || !plugin->laws[0])
        return refuse(error, "the plug-in is incomplete",
                      plugin->size < sizeof(fender_plugin) ? "a struct cut short" : "", "a name and at least one law",
                      "begin it with FENDER_PLUGIN_HEAD");
    return FENDER_STATUS_OK;
}

fender_status fender_registry_add_plugin(fender_registry *registry, const fender_plugin *plugin, void *handle,
                                         void (*release)(void *handle), fender_error *error)
{
    if (!registry || !plugin) return refuse(error, "a registry and a plug-in are needed", "NULL", "both", "");
    fender_status status = check_version(plugin, error);
    int before = fnd_registry_count(registry);
    for (int i = 0; !status && plugin->laws[i]; i++) status = fender_registry_add_law(registry, plugin->laws[i], error);
    if (!status && release && !fnd_registry_hold(registry, (fnd_law_library){handle, release}))
        status = fnd_fail_memory(error, "a plug-in");
    if (status) fnd_registry_cut(registry, before);
    return status;
}
