/* fender/plugin.h - plug-ins: shared libraries with user-defined laws and geometries, for an existing program.
 *
 * A plug-in includes this header and defines fender_plugin_entry. It is not linked with Fender:
 *
 *     static const fender_law *const laws[] = {&claw, NULL};
 *     const fender_plugin *fender_plugin_entry(void)
 *     {
 *         static const fender_plugin plugin = {FENDER_PLUGIN_HEAD, "claw", laws, NULL};
 *         return &plugin;
 *     }
 *
 * Compile it by `cc -shared -fPIC -I INCLUDE -o claw.so claw.c`, and name it in a scenario by `plugins: [claw.so]`
 * (docs/models/your_own_law.md). Structs state their size and grow only at the end, so that an older plug-in works with
 * a newer Fender: new members are zero. A newer plug-in, or one for another FENDER_PLUGIN_VERSION, is refused. */
#ifndef FENDER_PLUGIN_H
#define FENDER_PLUGIN_H

#include "geometry.h"
#include "law.h"

/* Increases with incompatible changes of this interface. */
#define FENDER_PLUGIN_VERSION 1

/* A kind of geometry by functions that a scenario can name: `user: {kind: NAME, ..}`, with the parameters of the table.
 * The functions of `type` get the parameters as their data. Any thread may call them, also after the world is gone, as
 * long as somebody holds the geometry: keep the registry as long. */
typedef struct fender_geometry_kind {
    uint32_t size;                 /* sizeof(fender_geometry_kind) */
    const char *name;              /* follows the rules for names of laws */
    const char *doc;               /* one sentence */
    fender_field_table parameters; /* names, units, ranges, defaults; the struct holds no pointers */
    const fender_geometry_class *type;
    /* NULL: the ranges of the table are enough. Else fills the error, as check of a law does. */
    fender_status (*check)(const void *parameters, fender_error *error);
} fender_geometry_kind;

/* Adds a kind, which must live as long as the registry. ARGUMENT if it is incomplete (no sentence, a field outside its
 * struct, no bounds, neither support nor signed_distance) or newer than this Fender; NAME if the name is not valid or
 * taken. A failure changes nothing. Not while another thread uses the registry. */
FENDER_API fender_status fender_registry_add_geometry(fender_registry *registry, const fender_geometry_kind *kind,
                                                      fender_error *error);
/* By name, or by index in the order in which they were added, those of the base first; NULL: none. Registry NULL: there
 * are none. */
FENDER_API const fender_geometry_kind *fender_geometry_kind_find(const fender_registry *registry, const char *name);
FENDER_API const fender_geometry_kind *fender_geometry_kind_at(const fender_registry *registry, int index);

/* Description of a plug-in. It and everything it points to must not change while the library is loaded. */
typedef struct fender_plugin {
    uint32_t size, version; /* sizeof(fender_plugin), FENDER_PLUGIN_VERSION */
    /* sizes of the structs that its laws read and fill, as compiled */
    uint32_t input_size, output_size, change_size, stiffness_size, surface_size;
    const char *name;                              /* follows the rules for names of laws */
    const fender_law *const *laws;                 /* NULL-ended; NULL: none. At least one law or geometry */
    const fender_geometry_kind *const *geometries; /* NULL-ended; NULL: none. Older plug-ins end before */
} fender_plugin;
#define FENDER_PLUGIN_HEAD                                                                          \
    (uint32_t)sizeof(fender_plugin), FENDER_PLUGIN_VERSION, (uint32_t)sizeof(fender_contact_input), \
        (uint32_t)sizeof(fender_contact_output), (uint32_t)sizeof(fender_contact_change),           \
        (uint32_t)sizeof(fender_law_stiffness), (uint32_t)sizeof(fender_contact_surface)

/* Defined by every plug-in; never NULL. */
FENDER_API const fender_plugin *fender_plugin_entry(void);

/* Adds all laws and geometries of a plug-in in memory, or none on failure (library fender). `release`, unless NULL, is
 * called with `handle` when the registry is freed, but not after a failure. ARGUMENT if the plug-in is newer than
 * Fender, of another version or incomplete; and the errors of fender_registry_add_law and fender_registry_add_geometry.
 */
FENDER_API fender_status fender_registry_add_plugin(fender_registry *registry, const fender_plugin *plugin,
                                                    void *handle, void (*release)(void *handle), fender_error *error);

/* Loads a shared library and adds all its laws and geometries, or none on failure (library fender_io). Loading executes
 * code of the library: load only trusted files. The library stays loaded until the registry is freed. If this process
 * has already loaded it, the loaded version is used even if the file has changed. FILE if it is missing or cannot be
 * loaded; ARGUMENT and NAME as above. */
FENDER_API fender_status fender_registry_load(fender_registry *registry, const char *path, fender_error *error);

#endif
