/* Geometries by the text that describes them, counted by the scenarios that use them. */
#include "scenario/geometry_cache.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "support/memory.h"

/* Bytes of geometries that no scenario uses at the moment and that are kept for the next one. */
static const size_t idle_limit = (size_t)256 << 20;

struct fnd_cached_geometry {
    fnd_geometry_cache *cache;
    fnd_cached_geometry *next; /* the one used last is the first */
    pthread_mutex_t lock;      /* of all below but `users` */
    bool ready;
    fender_geometry_type type;
    fnd_shape_data data;
    fender_geometry *geometry; /* NULL: not made yet */
    fnd_arena arena;           /* of the data */
    char *key;
    size_t key_length;
    int users; /* scenarios; under the lock of the cache */
};

struct fnd_geometry_cache {
    fender_env env;
    pthread_mutex_t lock; /* of the list and of users */
    fnd_cached_geometry *first;
};

/* What a scenario holds. */
typedef struct fnd_geometry_hold {
    fnd_cached_geometry *entry;
    struct fnd_geometry_hold *next;
} fnd_geometry_hold;

fnd_geometry_cache *fnd_geometry_cache_create(const fender_env *env)
{
    fnd_geometry_cache *cache = env->allocator.allocate(env->allocator.ctx, sizeof *cache, _Alignof(max_align_t));
    if (!cache) return NULL;
    *cache = (fnd_geometry_cache){.env = *env};
    pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

static void entry_destroy(fnd_cached_geometry *entry)
{
    fender_allocator a = entry->cache->env.allocator;
    fender_geometry_release(entry->geometry);
    fnd_arena_close(&entry->arena);
    pthread_mutex_destroy(&entry->lock);
    a.release(a.ctx, entry->key, entry->key_length + 1);
    a.release(a.ctx, entry, sizeof *entry);
}

void fnd_geometry_cache_destroy(fnd_geometry_cache *cache)
{
    if (!cache) return;
    fender_allocator a = cache->env.allocator;
    for (fnd_cached_geometry *entry = cache->first, *next; entry; entry = next) {
        assert(entry->users == 0);
        next = entry->next;
        entry_destroy(entry);
    }
    pthread_mutex_destroy(&cache->lock);
    a.release(a.ctx, cache, sizeof *cache);
}

/* ---- keys */

static void append_node(fnd_reader *reader, const fnd_node *node, fnd_buffer *key)
{
    if (node->key) fnd_buffer_append_text(key, node->key);
    fnd_buffer_append_char(key, '\x1f');
    if (node->kind == FND_NODE_TEXT) {
        const fnd_source *source = fnd_source_of(reader, &node->location);
        if (source) fnd_buffer_append_text(key, source->directory); /* a file is named from there */
        fnd_buffer_append_char(key, '\x1f');
        fnd_buffer_append_text(key, node->text);
        fnd_buffer_append_char(key, '\x1e');
        return;
    }
    fnd_buffer_append_char(key, node->kind == FND_NODE_LIST ? '[' : '{');
    for (const fnd_node *child = node->first; child; child = child->next) append_node(reader, child, key);
    fnd_buffer_append_char(key, ']');
}

/* ---- entries; under the lock of the cache */

static size_t size_of(const fnd_cached_geometry *entry)
{
    const fnd_shape_data *d = &entry->data;
    size_t numbers = 3 * (size_t)d->point_count + 2 * (size_t)d->triangle_count +
                     (d->grid.heights ? (size_t)d->grid.count_x * (size_t)d->grid.count_y : 0);
    return 4 * numbers * sizeof(double); /* with the tree */
}

/* Lets go of those that nobody uses, the longest unused first, beyond the limit. */
static void trim(fnd_geometry_cache *cache)
{
    size_t idle = 0;
    fnd_cached_geometry **at = &cache->first;
    while (*at) {
        fnd_cached_geometry *entry = *at;
        if (entry->users == 0) idle += size_of(entry);
        if (entry->users == 0 && idle > idle_limit) {
            *at = entry->next;
            entry_destroy(entry);
        } else at = &entry->next;
    }
}

static fnd_cached_geometry *entry_create(fnd_geometry_cache *cache, const fnd_buffer *key)
{
    fender_allocator a = cache->env.allocator;
    fnd_cached_geometry *entry = a.allocate(a.ctx, sizeof *entry, _Alignof(max_align_t));
    char *copy = entry ? a.allocate(a.ctx, key->length + 1, 1) : NULL;
    if (!copy) {
        if (entry) a.release(a.ctx, entry, sizeof *entry);
        return NULL;
    }
    memcpy(copy, key->text, key->length + 1);
    *entry = (fnd_cached_geometry){
        .cache = cache, .key = copy, .key_length = key->length, .arena = fnd_arena_open(&a, 0)};
    pthread_mutex_init(&entry->lock, NULL);
    return entry;
}

/* Counted for the caller, and first in the list. NULL: no memory. */
static fnd_cached_geometry *entry_of(fnd_geometry_cache *cache, const fnd_buffer *key)
{
    pthread_mutex_lock(&cache->lock);
    fnd_cached_geometry **at = &cache->first;
    while (*at && ((*at)->key_length != key->length || memcmp((*at)->key, key->text, key->length) != 0))
        at = &(*at)->next;
    fnd_cached_geometry *entry = *at;
    if (entry) *at = entry->next;
    else entry = entry_create(cache, key);
    if (entry) {
        entry->next = cache->first;
        cache->first = entry;
        entry->users++;
    }
    pthread_mutex_unlock(&cache->lock);
    return entry;
}

void fnd_geometry_cache_release(fender_scenario *scenario)
{
    for (fnd_geometry_hold *hold = scenario->holds; hold; hold = hold->next) {
        fnd_geometry_cache *cache = hold->entry->cache;
        pthread_mutex_lock(&cache->lock);
        hold->entry->users--;
        trim(cache);
        pthread_mutex_unlock(&cache->lock);
    }
    scenario->holds = NULL;
}

/* ---- use */

/* The name of the file is the scenario's own, which may end before. */
static void own_name(fnd_cached_geometry *entry)
{
    fnd_named *file = &entry->data.file;
    if (!file->name) return;
    const char *name = fnd_arena_copy(&entry->arena, file->name, strlen(file->name));
    *file = (fnd_named){name, {name, 0, 0, 0, ""}};
}

static bool read_entry(fnd_reader *reader, fnd_node *node, fnd_geometry_read *read, void *ctx,
                       fnd_cached_geometry *entry)
{
    fnd_arena *arena = reader->arena;
    entry->data = (fnd_shape_data){0}; /* an attempt before may have failed */
    reader->arena = &entry->arena;     /* what is read stays */
    entry->ready = read(reader, node, &entry->type, &entry->data, ctx);
    if (entry->ready) own_name(entry);
    reader->arena = arena;
    entry->data.cached = entry;
    entry->ready = entry->ready && !entry->arena.failed;
    return entry->ready;
}

bool fnd_geometry_cache_read(fnd_reader *reader, fnd_node *node, const char *kind, fnd_geometry_read *read, void *ctx,
                             fender_geometry_type *type, fnd_shape_data *data)
{
    if (!reader->cache) return read(reader, node, type, data, ctx);
    fnd_buffer key = fnd_buffer_open(&reader->env.allocator);
    fnd_buffer_append_text(&key, kind);
    append_node(reader, node, &key);
    fnd_geometry_hold *hold = fnd_keep(reader, 1, sizeof *hold);
    fnd_cached_geometry *entry = hold && !key.failed ? entry_of(reader->cache, &key) : NULL;
    fnd_buffer_close(&key);
    if (!entry) {
        reader->memory_failed = true;
        return false;
    }
    hold->entry = entry;
    hold->next = reader->scenario->holds;
    reader->scenario->holds = hold;
    pthread_mutex_lock(&entry->lock);
    bool good = entry->ready || read_entry(reader, node, read, ctx, entry);
    if (good) {
        *type = entry->type;
        *data = entry->data;
    }
    pthread_mutex_unlock(&entry->lock);
    return good;
}

fender_geometry_type fnd_cached_geometry_type(const fnd_cached_geometry *entry) { return entry->type; }

fender_geometry *fnd_cached_geometry_make(
    fnd_cached_geometry *entry, const fender_env *env, const fnd_shape_description *shape,
    fender_geometry *(*make)(const fender_env *env, const fnd_shape_description *shape, fender_error *error),
    fender_error *error)
{
    pthread_mutex_lock(&entry->lock);
    if (!entry->geometry) entry->geometry = make(env, shape, error);
    fender_geometry *geometry = entry->geometry ? fender_geometry_retain(entry->geometry) : NULL;
    pthread_mutex_unlock(&entry->lock);
    return geometry;
}
