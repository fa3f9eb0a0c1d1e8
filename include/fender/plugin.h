/* fender/plugin.h - laws compiled into a shared library of their own, for a program that is there already.
 *
 * A plug-in includes this header, defines fender_plugin_entry and links nothing of Fender:
 *
 *     static const fender_law *const laws[] = {&claw, NULL};
 *     const fender_plugin *fender_plugin_entry(void)
 *     {
 *         static const fender_plugin plugin = {FENDER_PLUGIN_HEAD, "claw", laws};
 *         return &plugin;
 *     }
 *
 * cc -shared -fPIC -I INCLUDE -o claw.so claw.c, then `plugins: [claw.so]` in a scenario (docs/models/your_own_law.md).
 * Structs grow at their ends alone and say how large they are, so an older plug-in works with a newer Fender: what it
 * does not know is zero. A newer one, or one of another version of this interface, is refused. */
#ifndef FENDER_PLUGIN_H
#define FENDER_PLUGIN_H

#include "law.h"

/* Rises when a plug-in of before could not work any more. */
#define FENDER_PLUGIN_VERSION 1

/* Description of a plug-in. It and all that it points to must stay unchanged while the library is loaded. */
typedef struct fender_plugin {
    uint32_t size, version; /* sizeof(fender_plugin), FENDER_PLUGIN_VERSION */
    /* what its laws are given to read and to fill, as its author's header has them */
    uint32_t input_size, output_size, change_size, stiffness_size, surface_size;
    const char *name;              /* as laws are named */
    const fender_law *const *laws; /* NULL-ended; at least one */
} fender_plugin;
#define FENDER_PLUGIN_HEAD                                                                          \
    (uint32_t)sizeof(fender_plugin), FENDER_PLUGIN_VERSION, (uint32_t)sizeof(fender_contact_input), \
        (uint32_t)sizeof(fender_contact_output), (uint32_t)sizeof(fender_contact_change),           \
        (uint32_t)sizeof(fender_law_stiffness), (uint32_t)sizeof(fender_contact_surface)

/* Defined by every plug-in; never NULL. */
FENDER_API const fender_plugin *fender_plugin_entry(void);

/* Adds the laws of a plug-in that is in memory, all or none (library fender). `release` is called with `handle` when
 * the registry goes; it may be NULL, and is not called after a failure. ARGUMENT when the plug-in is of a newer Fender,
 * of another version or incomplete, and all that fender_registry_add_law answers. */
FENDER_API fender_status fender_registry_add_plugin(fender_registry *registry, const fender_plugin *plugin,
                                                    void *handle, void (*release)(void *handle), fender_error *error);

/* Loads a shared library and adds its laws, all or none (library fender_io). It runs what the library runs when it is
 * loaded: trust its author as you trust a program's. It stays until the registry goes. A library that this process
 * has loaded already is taken as it was then, even if its file is another one by now. FILE when it is missing or cannot
 * be loaded; ARGUMENT and NAME as above. */
FENDER_API fender_status fender_registry_load(fender_registry *registry, const char *path, fender_error *error);

#endif
