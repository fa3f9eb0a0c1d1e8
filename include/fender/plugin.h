/* fender/plugin.h - plug-ins: shared libraries with user-defined laws, for an existing program.
 *
 * A plug-in includes this header and defines fender_plugin_entry. It is not linked with Fender:
 *
 *     static const fender_law *const laws[] = {&claw, NULL};
 *     const fender_plugin *fender_plugin_entry(void)
 *     {
 *         static const fender_plugin plugin = {FENDER_PLUGIN_HEAD, "claw", laws};
 *         return &plugin;
 *     }
 *
 * Compile it by `cc -shared -fPIC -I INCLUDE -o claw.so claw.c`, and name it in a scenario by `plugins: [claw.so]`
 * (docs/models/your_own_law.md). Structs state their size and grow only at the end, so that an older plug-in works with
 * a newer Fender: new members are zero. A newer plug-in, or one for another FENDER_PLUGIN_VERSION, is refused. */
#ifndef FENDER_PLUGIN_H
#define FENDER_PLUGIN_H

#include "law.h"

/* Increases with incompatible changes of this interface. */
#define FENDER_PLUGIN_VERSION 1

/* Description of a plug-in. It and everything it points to must not change while the library is loaded. */
typedef struct fender_plugin {
    uint32_t size, version; /* sizeof(fender_plugin), FENDER_PLUGIN_VERSION */
    /* sizes of the structs that its laws read and fill, as compiled */
    uint32_t input_size, output_size, change_size, stiffness_size, surface_size;
    const char *name;              /* follows the rules for names of laws */
    const fender_law *const *laws; /* NULL-ended; at least one */
} fender_plugin;
#define FENDER_PLUGIN_HEAD                                                                          \
    (uint32_t)sizeof(fender_plugin), FENDER_PLUGIN_VERSION, (uint32_t)sizeof(fender_contact_input), \
        (uint32_t)sizeof(fender_contact_output), (uint32_t)sizeof(fender_contact_change),           \
        (uint32_t)sizeof(fender_law_stiffness), (uint32_t)sizeof(fender_contact_surface)

/* Defined by every plug-in; never NULL. */
FENDER_API const fender_plugin *fender_plugin_entry(void);

/* Adds all laws of a plug-in in memory, or none on failure (library fender). `release`, unless NULL, is called with
 * `handle` when the registry is freed, but not after a failure. ARGUMENT if the plug-in is newer than Fender, of
 * another version or incomplete; and the errors of fender_registry_add_law. */
FENDER_API fender_status fender_registry_add_plugin(fender_registry *registry, const fender_plugin *plugin,
                                                    void *handle, void (*release)(void *handle), fender_error *error);

/* Loads a shared library and adds all its laws, or none on failure (library fender_io). Loading executes code of the
 * library: load only trusted files. The library stays loaded until the registry is freed. If this process has already
 * loaded it, the loaded version is used even if the file has changed. FILE if it is missing or cannot be loaded;
 * ARGUMENT and NAME as above. */
FENDER_API fender_status fender_registry_load(fender_registry *registry, const char *path, fender_error *error);

#endif
