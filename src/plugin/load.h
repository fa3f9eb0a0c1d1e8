/* Shared libraries that laws are loaded from: found, told apart by their bytes, loaded. */
#ifndef FND_PLUGIN_LOAD_H
#define FND_PLUGIN_LOAD_H

#include <fender/controller.h>
#include <fender/plugin.h>
#include <limits.h>

typedef struct fnd_plugin_file {
    char path[PATH_MAX]; /* from the root, without links */
    uint64_t size, hash; /* of its bytes: fnd_text_hash */
} fnd_plugin_file;

/* FILE, with the path as it was given. */
fender_status fnd_plugin_find(const char *path, fnd_plugin_file *file, fender_error *error);
/* Adds the laws of a file that was found. */
fender_status fnd_plugin_load(fender_registry *registry, const fnd_plugin_file *file, fender_error *error);

/* The controller of a file that was found; *handle keeps it loaded until it is given to unload. */
fender_status fnd_controller_load(const fnd_plugin_file *file, const fender_controller **controller, void **handle,
                                  fender_error *error);
void fnd_controller_unload(void *handle);

#endif
