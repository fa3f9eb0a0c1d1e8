/* Geometries of many numbers that several readings of one scenario share: a terrain of a study is read and its tree
 * built once, for all threads. */
#ifndef FND_SCENARIO_GEOMETRY_CACHE_H
#define FND_SCENARIO_GEOMETRY_CACHE_H

#include "scenario/node.h"

typedef struct fnd_geometry_cache fnd_geometry_cache;
/* One of them: what was read, and the geometry that was made of it. */
typedef struct fnd_cached_geometry fnd_cached_geometry;

/* NULL: no memory. */
fnd_geometry_cache *fnd_geometry_cache_create(const fender_env *env);
void fnd_geometry_cache_destroy(fnd_geometry_cache *cache); /* NULL is fine; no scenario may hold a part of it */

/* Reads the description at `node` into *type and *data. */
typedef bool fnd_geometry_read(fnd_reader *reader, fnd_node *node, fender_geometry_type *type, fnd_shape_data *data,
                               void *ctx);
/* As `read`, but a text that was read before is not read again: `kind` and the text of the node, with the directory
 * that its files are relative to, tell one geometry from another. Without a cache (reader->cache) it is `read` itself.
 */
bool fnd_geometry_cache_read(fnd_reader *reader, fnd_node *node, const char *kind, fnd_geometry_read *read, void *ctx,
                             fender_geometry_type *type, fnd_shape_data *data);
/* The geometry of an entry, retained for the caller; made by `make` at the first call. NULL on failure. */
fender_geometry *fnd_cached_geometry_make(
    fnd_cached_geometry *entry, const fender_env *env, const fnd_shape_description *shape,
    fender_geometry *(*make)(const fender_env *env, const fnd_shape_description *shape, fender_error *error),
    fender_error *error);
/* The type that it was read as. */
fender_geometry_type fnd_cached_geometry_type(const fnd_cached_geometry *entry);
/* Ends what a scenario holds. */
void fnd_geometry_cache_release(fender_scenario *scenario);

#endif
