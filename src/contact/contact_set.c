/* Memory of the contact set, and the candidate pairs. */
#include "contact/contact_set.h"

#include <limits.h>
#include <string.h>

/* How many contacts a shape may well have at once with one other, beyond the first. */
static int further_contacts(const fender_geometry *geometry)
{
    switch (fnd_geometry_class_of(geometry)) {
    case FND_CLASS_POINT:
    case FND_CLASS_SPHERE:
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
    void *items = list->items, *memory = list->memory;
    bool ok = fnd_reserve(env, &memory, &list->memory_capacity, count, list->stride);
    list->memory = memory;
    ok = ok && fnd_reserve(env, &items, &list->capacity, count, sizeof *list->items);
    list->items = items;
    return ok;
}

static void record_list_destroy(const fender_env *env, fnd_record_list *list)
{
    fnd_release(env, list->items, (size_t)list->capacity * sizeof *list->items);
    fnd_release(env, list->memory, (size_t)list->memory_capacity * list->stride);
    memset(list, 0, sizeof *list);
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
    }
    set->records.stride = set->next_records.stride = stride;
    int64_t n = model->shape_count, pairs = n * (n - 1) / 2, guess = 12 * n + 64;
    int capacity = (int)(pairs < guess ? pairs : guess);
    void *candidates = NULL;
    bool ok = fnd_broad_phase_create(env, &set->broad, model->shape_count, capacity) &&
              fnd_reserve(env, &candidates, &set->candidate_capacity, capacity, sizeof *set->candidates) &&
              fnd_contact_set_reserve(env, set, model, 0);
    set->candidates = candidates;
    set->manifold.env = env;
    ok = ok && fnd_manifold_grow(&set->manifold);
    ok = ok && (set->scratch_memory = fnd_allocate(env, stride)) != NULL;
    if (!ok) fnd_contact_set_destroy(env, set);
    return ok;
}

bool fnd_contact_set_reserve(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model, int present)
{
    int count = expected_contacts(model, present);
    return fnd_record_list_reserve(env, &set->records, count) &&
           fnd_record_list_reserve(env, &set->next_records, count);
}

void fnd_contact_set_destroy(const fender_env *env, fnd_contact_set *set)
{
    fnd_release(env, set->scratch_memory, set->next_records.stride);
    set->manifold.env = env;
    fnd_manifold_release(&set->manifold);
    record_list_destroy(env, &set->records);
    record_list_destroy(env, &set->next_records);
    fnd_broad_phase_destroy(env, &set->broad);
    fnd_release(env, set->candidates, (size_t)set->candidate_capacity * sizeof *set->candidates);
    memset(set, 0, sizeof *set);
}

bool fnd_contact_list_reserve(const fender_env *env, fnd_contact_list *list, const fnd_contact_model *model,
                              int present)
{
    void *items = list->items;
    bool ok = fnd_reserve(env, &items, &list->capacity, expected_contacts(model, present), sizeof *list->items);
    list->items = items;
    return ok;
}

void fnd_contact_list_destroy(const fender_env *env, fnd_contact_list *list)
{
    fnd_release(env, list->items, (size_t)list->capacity * sizeof *list->items);
    *list = (fnd_contact_list){0};
}

static bool eligible(const void *ctx, int low, int high)
{
    int type;
    return fnd_pair_decide(ctx, low, high, &type) == FENDER_PAIR_MAY_TOUCH;
}

/* No point of the shape is faster than this. */
static double largest_speed(const fnd_shape *shape, const fnd_frame *frame)
{
    double spin = fender_vec3_length(frame->w), speed = fender_vec3_length(frame->v);
    if (spin == 0) return speed; /* a plane has no end */
    return speed + spin * (fender_vec3_length(shape->p_BG) + shape->bounding_radius);
}

/* A box is fattened by a twentieth of the shape and by what its body covers in 20 steps, at least twice what it covers
 * within the horizon: rebuilding is then rare and the margin small. */
static void fatten(fnd_fat_box *fat, const fnd_shape *shape, const fnd_frame *frame, fender_vec3 center,
                   fender_vec3 half, double reach, double step, double horizon)
{
    double time = 20.0 * step > 2.0 * horizon ? 20.0 * step : 2.0 * horizon;
    double margin = 0.05 * shape->bounding_radius + time * largest_speed(shape, frame) + reach;
    *fat = (fnd_fat_box){center, fender_vec3_add(half, fender_vec3_make(margin, margin, margin)), shape->active};
}

/* A terrain has more to touch than can be followed everywhere. */
static double sight_of(const fnd_shape *a, const fnd_shape *b)
{
    fnd_geometry_class class_a = fnd_geometry_class_of(a->geometry), class_b = fnd_geometry_class_of(b->geometry);
    bool terrain = class_a == FND_CLASS_GRID || class_a == FND_CLASS_MESH || class_b == FND_CLASS_GRID ||
                   class_b == FND_CLASS_MESH;
    return terrain ? 0.1 * (a->bounding_radius < b->bounding_radius ? a->bounding_radius : b->bounding_radius)
                   : INFINITY;
}

static bool is_round(fnd_geometry_class class)
{
    return class == FND_CLASS_POINT || class == FND_CLASS_CLOUD || class == FND_CLASS_SPHERE;
}

/* Points, balls and two capsules have one contact, or one for each point. Other solids may have patches,
 * whose points fade in and out, or contacts that change places as the solids roll: their nearest points say when they
 * touch. */
static bool touches_as_whole(const fnd_shape *a, const fnd_shape *b, fender_contact_points points)
{
    fnd_geometry_class class_a = fnd_geometry_class_of(a->geometry), class_b = fnd_geometry_class_of(b->geometry);
    if (is_round(class_a) || is_round(class_b)) return false;
    if (class_a == FND_CLASS_CAPSULE && class_b == FND_CLASS_CAPSULE) return false;
    bool terrain = class_a == FND_CLASS_GRID || class_a == FND_CLASS_MESH || class_b == FND_CLASS_GRID ||
                   class_b == FND_CLASS_MESH;
    return terrain || points == FENDER_CONTACT_POINTS_PATCH;
}

fnd_candidate fnd_candidate_of(const fnd_contact_model *model, uint32_t a, uint32_t b, int type)
{
    const fnd_shape *shape_a = &model->shapes[a], *shape_b = &model->shapes[b];
    return (fnd_candidate){a,
                           b,
                           type,
                           shape_a->root,
                           shape_b->root,
                           fnd_pair_find(shape_a->geometry, shape_b->geometry),
                           model->types[type].points == FENDER_CONTACT_POINTS_SINGLE ? FND_QUERY_SINGLE
                                                                                     : FND_QUERY_PATCH,
                           model->types[type].onset_gap,
                           model->types[type].release_gap,
                           sight_of(shape_a, shape_b),
                           model->types[type].unlocated,
                           touches_as_whole(shape_a, shape_b, model->types[type].points)};
}

bool fnd_candidates_update(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                           const fnd_frame *frames, double step, double horizon)
{
    fnd_broad_phase *broad = &set->broad;
    double reach = 0;
    for (int i = 0; i < model->type_count; i++)
        if (model->types[i].release_gap > reach) reach = model->types[i].release_gap;
    fender_vec3 half_reach = fender_vec3_make(0.5 * reach, 0.5 * reach, 0.5 * reach);

    bool stale = !broad->valid;
    for (int i = 0; i < model->shape_count && !stale; i++) {
        const fnd_shape *shape = &model->shapes[i];
        if (!shape->active) continue;
        fender_vec3 center, half;
        fnd_shape_box(shape, &frames[shape->root], &center, &half);
        half = fender_vec3_add(half, half_reach);
        if (horizon > 0) {
            double way = horizon * largest_speed(shape, &frames[shape->root]);
            half = fender_vec3_add(half, fender_vec3_make(way, way, way));
        }
        stale = !fnd_fat_box_holds(&broad->boxes[i], center, half);
    }
    if (!stale) return true;

    for (int i = 0; i < model->shape_count; i++) {
        const fnd_shape *shape = &model->shapes[i];
        fender_vec3 center, half;
        fnd_shape_box(shape, &frames[shape->root], &center, &half);
        fatten(&broad->boxes[i], shape, &frames[shape->root], center, half, 0.5 * reach, step, horizon);
    }
    broad->valid = false;
    set->candidate_version++;
    if (!fnd_broad_phase_rebuild(env, broad, eligible, model)) return false;
    void *candidates = set->candidates;
    if (!fnd_reserve(env, &candidates, &set->candidate_capacity, broad->pair_count, sizeof *set->candidates)) {
        broad->valid = false;
        return false;
    }
    set->candidates = candidates;
    set->candidate_count = broad->pair_count;
    for (int i = 0; i < broad->pair_count; i++) {
        fnd_candidate *candidate = &set->candidates[i];
        uint32_t first = (uint32_t)(broad->pairs[i] >> 32), second = (uint32_t)broad->pairs[i];
        int type;
        fnd_pair_decide(model, (int)first, (int)second, &type);
        *candidate = fnd_candidate_of(model, first, second, type);
    }
    return true;
}
