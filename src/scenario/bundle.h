/* Everything that a scenario was read from, in one file: its texts and its --set options. */
#ifndef FND_SCENARIO_BUNDLE_H
#define FND_SCENARIO_BUNDLE_H

#include "scenario/scenario.h"
#include "support/file.h"
#include "support/memory.h"

/* One that was read. Its texts lie within `file`. */
typedef struct fnd_bundle {
    fender_allocator allocator;
    fnd_file file;
    fender_override *overrides;
    fnd_scenario_text *texts; /* the main one first */
    int override_count, text_count;
    bool from_memory;                 /* the main text came from no file */
    const struct fnd_tree *tree;      /* of these texts, read before; NULL: they are parsed */
    struct fnd_geometry_cache *cache; /* NULL: none */
} fnd_bundle;

/* Appends the bytes of the file; *hash tells them from those of any other scenario. */
bool fnd_bundle_append(fnd_buffer *to, const fender_scenario *scenario, uint64_t *hash);
/* FILE with what is wrong for anything else. After a failure there is nothing to release. */
fender_status fnd_bundle_read(const fender_allocator *allocator, const char *path, fnd_bundle *bundle,
                              fender_error *error);
void fnd_bundle_release(fnd_bundle *bundle);
/* As fender_scenario_load; the scenario keeps its tree for bundles with the same texts, which must not outlive it. */
fender_scenario *fnd_scenario_load_keeping(const fender_env *env, struct fnd_geometry_cache *cache, const char *path,
                                           const fender_override *overrides, int override_count, fender_error *error);
/* As fender_scenario_load, of what the bundle holds alone. */
fender_scenario *fnd_scenario_load_bundle(const fender_env *env, const fender_registry *registry,
                                          const fnd_bundle *bundle, fender_error *error);
/* Appends one YAML text of the whole scenario: includes merged, overrides applied, copied bodies written out. */
fender_status fnd_scenario_print(const fender_scenario *scenario, fnd_buffer *to, fender_error *error);
/* NULL: it holds none of that name. */
const fnd_scenario_text *fnd_bundle_find(const fnd_bundle *bundle, const char *name);

#endif
