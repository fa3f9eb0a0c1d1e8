/* Memory of the contact set. */
#include "contact/contact_set.h"

#include "contact/quick.h"

#include <limits.h>
#include <string.h>

/* How many contacts a shape may well have at once with one other, beyond the first. */
static int further_contacts(const fender_geometry *geometry)
{
    switch (fnd_geometry_class_of(geometry)) {
    case FND_CLASS_POINT:
    case FND_CLASS_SPHERE:
    case FND_CLASS_PROBE:
    case FND_CLASS_PLANE: return 0;
    case FND_CLASS_CAPSULE: return 1;
    case FND_CLASS_CLOUD: return geometry->point_count - 1;
    case FND_CLASS_DISK:
    case FND_CLASS_CONVEX:
    case FND_CLASS_GRID:
    case FND_CLASS_MESH:
    case FND_CLASS_FIELD:
    case FND_CLASS_COUNT: break;
    }
    return 11; /* three faces of four points */
}

/* Contacts that are expected at once when so many exist already: more than that allocates. */
static int expected_contacts(const fnd_contact_model *model, int present)
{
    int64_t n = model->shape_count, pairs = n * (n - 1) / 2, guess = 2 * n + 16 + present, more = 0;
    for (int i = 0; i < model->shape_count; i++) more += further_contacts(model->shapes[i].geometry);
    int64_t expected = (pairs < guess ? pairs : guess) + more;
    return (int)(expected < INT_MAX / 2 ? expected : INT_MAX / 2);
}

bool fnd_record_list_reserve(const fender_env *env, fnd_record_list *list, int count)
{
    if (count <= list->capacity) return true;
    if (count < list->capacity + list->capacity / 2) count = list->capacity + list->capacity / 2;
    void *items = list->items, *memory = list->memory, *order = list->order, *vacant = list->vacant;
    bool ok = fnd_reserve(env, &memory, &list->memory_capacity, count, list->stride);
    list->memory = memory;
    ok = ok && fnd_reserve(env, &order, &list->order_capacity, count, sizeof *list->order);
    list->order = order;
    ok = ok && fnd_reserve(env, &vacant, &list->vacant_capacity, count, sizeof *list->vacant);
    list->vacant = vacant;
    ok = ok && fnd_reserve(env, &items, &list->capacity, count, sizeof *list->items);
    list->items = items;
    return ok;
}

static void record_list_destroy(const fender_env *env, fnd_record_list *list)
{
    fnd_release(env, list->items, (size_t)list->capacity * sizeof *list->items);
    fnd_release(env, list->memory, (size_t)list->memory_capacity * list->stride);
    fnd_release(env, list->order, (size_t)list->order_capacity * sizeof *list->order);
    fnd_release(env, list->vacant, (size_t)list->vacant_capacity * sizeof *list->vacant);
    memset(list, 0, sizeof *list);
}

void fnd_record_list_in_order(fnd_record_list *list)
{
    for (int i = 0; i < list->count; i++) list->order[i] = i;
    list->used = list->count;
}

/* Steps that double, then bisection: what is looked for is mostly near. */
int fnd_record_list_find(const fnd_record_list *list, int from, const fnd_key *key)
{
    int low = from, reach = 1;
    if (low >= list->count || fnd_key_compare(&fnd_record_at(list, low)->key, key) >= 0) return low;
    while (low + reach < list->count && fnd_key_compare(&fnd_record_at(list, low + reach)->key, key) < 0) {
        low += reach;
        reach *= 2;
    }
    int high = low + reach < list->count ? low + reach : list->count; /* that of `low` is below, that of `high` not */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (fnd_key_compare(&fnd_record_at(list, middle)->key, key) < 0) low = middle;
        else high = middle;
    }
    return high;
}

int fnd_record_list_place(const fnd_record_list *list, const fnd_key *key)
{
    int at = fnd_record_list_find(list, 0, key);
    return at < list->count && fnd_key_compare(&fnd_record_at(list, at)->key, key) == 0 ? list->order[at] : -1;
}

bool fnd_contact_set_reserve_commit(const fender_env *env, fnd_contact_set *set, int contacts)
{
    void *works = set->works, *order = set->new_order;
    int wanted = set->records.capacity > contacts ? set->records.capacity : contacts;
    bool ok = fnd_reserve(env, &works, &set->works_capacity, wanted, sizeof *set->works);
    set->works = works;
    ok = ok && fnd_reserve(env, &order, &set->new_order_capacity, wanted, sizeof *set->new_order);
    set->new_order = order;
    return ok;
}

bool fnd_contact_set_create(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model)
{
    *set = (fnd_contact_set){.active = true};
    size_t stride = 16; /* never none: a pointer to it may be formed for any contact */
    for (int i = 0; i < model->type_count; i++) {
        const fnd_contact_type *type = &model->types[i];
        size_t size = type->memory_size + (size_t)(type->state_count + 1) / 2 * (2 * sizeof(double));
        if (size > stride) stride = size;
        if (type->state_count > set->state_stride) set->state_stride = type->state_count;
        set->any_quick |= type->quick;
    }
    set->records.stride = set->next_records.stride = stride;
    int64_t n = model->shape_count, pairs = n * (n - 1) / 2, guess = 12 * n + 64;
    int capacity = (int)(pairs < guess ? pairs : guess);
    void *candidates = NULL;
    bool ok = fnd_broad_phase_create(env, &set->broad, model->shape_count, capacity) &&
              fnd_reserve(env, &candidates, &set->candidate_capacity, capacity, sizeof *set->candidates) &&
              fnd_contact_set_reserve(env, set, model, 0);
    set->candidates = candidates;
    set->watch_count = model->shape_count;
    if (model->shape_count > 0)
        ok = ok && (set->watches = fnd_allocate(env, (size_t)set->watch_count * sizeof *set->watches)) != NULL;
    set->manifold.env = env;
    void *separations = NULL; /* of one pair: 64 are more than patches of a few faces have */
    ok = ok && fnd_reserve(env, &separations, &set->manifold.capacity, 64, sizeof *set->manifold.items);
    set->manifold.items = separations;
    ok = ok && (set->scratch_memory = fnd_allocate(env, stride)) != NULL;
    set->body_count = model->body_count;
    if (model->body_count > 0) {
        set->since = fnd_allocate(env, (size_t)set->body_count * sizeof *set->since);
        set->turns = fnd_allocate(env, (size_t)set->body_count * sizeof *set->turns);
        ok = ok && set->since && set->turns;
    }
    ok = ok && (set->batch = fnd_allocate(env, sizeof *set->batch)) != NULL;
    if (ok) {
        set->batch->function = fnd_quick_function_here();
        set->batch->any_arms = set->batch->any_planes = true; /* cleared at first use */
    }
    if (!ok) fnd_contact_set_destroy(env, set);
    return ok;
}

bool fnd_contact_set_reserve(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model, int present)
{
    int count = expected_contacts(model, present) + 1; /* a commit needs room for one more */
    return fnd_record_list_reserve(env, &set->records, count) &&
           fnd_record_list_reserve(env, &set->next_records, count) && fnd_contact_set_reserve_commit(env, set, count);
}

void fnd_contact_set_destroy(const fender_env *env, fnd_contact_set *set)
{
    fnd_release(env, set->requests.items, (size_t)set->requests.capacity * sizeof *set->requests.items);
    fnd_release(env, set->scratch_memory, set->next_records.stride);
    fnd_release(env, set->since, (size_t)set->body_count * sizeof *set->since);
    fnd_release(env, set->turns, (size_t)set->body_count * sizeof *set->turns);
    fnd_release(env, set->batch, sizeof *set->batch);
    fnd_release(env, set->works, (size_t)set->works_capacity * sizeof *set->works);
    fnd_release(env, set->new_order, (size_t)set->new_order_capacity * sizeof *set->new_order);
    set->manifold.env = env;
    fnd_manifold_release(&set->manifold);
    record_list_destroy(env, &set->records);
    record_list_destroy(env, &set->next_records);
    fnd_broad_phase_destroy(env, &set->broad);
    fnd_release(env, set->watches, (size_t)set->watch_count * sizeof *set->watches);
    fnd_release(env, set->candidates, (size_t)set->candidate_capacity * sizeof *set->candidates);
    memset(set, 0, sizeof *set);
}

bool fnd_contact_list_reserve(const fender_env *env, fnd_contact_list *list, const fnd_contact_model *model,
                              int present)
{
    void *items = list->items;
    bool ok = fnd_reserve(env, &items, &list->capacity, expected_contacts(model, present), sizeof *list->items);
    list->items = items;
    bool sees = false;
    for (int i = 0; i < model->type_count; i++) sees |= model->types[i].sees_surface;
    return ok && (!sees || fnd_contact_list_reserve_surfaces(env, list));
}

bool fnd_contact_list_reserve_surfaces(const fender_env *env, fnd_contact_list *list)
{
    if (list->surface_capacity >= list->capacity) return true;
    void *surfaces = list->surfaces;
    if (!fnd_reserve(env, &surfaces, &list->surface_capacity, list->capacity, sizeof *list->surfaces)) return false;
    list->surfaces = surfaces;
    for (int i = 0; i < list->count; i++)
        if (list->items[i].in.surface) list->items[i].in.surface = &list->surfaces[i];
    return true;
}

void fnd_contact_list_destroy(const fender_env *env, fnd_contact_list *list)
{
    fnd_release(env, list->items, (size_t)list->capacity * sizeof *list->items);
    fnd_release(env, list->surfaces, (size_t)list->surface_capacity * sizeof *list->surfaces);
    *list = (fnd_contact_list){0};
}
