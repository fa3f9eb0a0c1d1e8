/* The contact set: candidate pairs from the broad phase, records, and their memory. */
#include "contact/contact_set.h"

#include "collide/point_contact.h"
#include "contact/batch.h"
#include "contact/parallel.h"
#include <assert.h>
#include <limits.h>
#include <string.h>

/* ---- Candidates ---- */

/* How far apart contacts are followed within a step: a terrain has more to touch than can be followed everywhere; a
 * point has one contact with it. Corners of a large solid that are far from a small one are not followed either. What
 * holds fast is followed beyond where it lets go. */
static double visibility_of(const fnd_shape *a, const fnd_shape *b, const fnd_contact_type *type)
{
    fnd_geometry_class class_a = fnd_geometry_class_of(a->geometry), class_b = fnd_geometry_class_of(b->geometry);
    bool terrain = class_a == FND_CLASS_GRID || class_a == FND_CLASS_MESH || class_b == FND_CLASS_GRID ||
                   class_b == FND_CLASS_MESH;
    bool point = class_a == FND_CLASS_POINT || class_b == FND_CLASS_POINT || class_a == FND_CLASS_PROBE ||
                 class_b == FND_CLASS_PROBE;
    const double size = a->bounding_radius < b->bounding_radius ? a->bounding_radius : b->bounding_radius;
    if (terrain && !point) return type->release_gap + 0.1 * size;
    const bool solids = class_a == FND_CLASS_CONVEX && class_b == FND_CLASS_CONVEX;
    return solids && type->points == FENDER_CONTACT_POINTS_CORNERS ? type->release_gap + size : INFINITY;
}

static bool is_round(fnd_geometry_class class)
{
    return class == FND_CLASS_POINT || class == FND_CLASS_CLOUD || class == FND_CLASS_SPHERE ||
           class == FND_CLASS_PROBE; /* which has one contact, whatever it looks at */
}

/* Points, spheres, probes and two capsules have one contact, or one for each point; corners are points. Other solids
 * may have patches, whose points fade in and out, or contacts that change places as the solids roll, and a sphere may
 * touch several facets of a terrain: their nearest points say when they touch. */
bool fnd_pair_has_pair_events(const fnd_contact_model *model, uint32_t shape_a, uint32_t shape_b, int type)
{
    assert((int)shape_a < model->shape_count && (int)shape_b < model->shape_count);
    assert(type >= 0 && type < model->type_count);
    const fnd_shape *a = &model->shapes[shape_a], *b = &model->shapes[shape_b];
    fender_contact_points points = model->types[type].points;
    fnd_geometry_class class_a = fnd_geometry_class_of(a->geometry), class_b = fnd_geometry_class_of(b->geometry);
    bool terrain = class_a == FND_CLASS_GRID || class_a == FND_CLASS_MESH || class_b == FND_CLASS_GRID ||
                   class_b == FND_CLASS_MESH;
    bool sphere = class_a == FND_CLASS_SPHERE || class_b == FND_CLASS_SPHERE;
    if (terrain && sphere) return points != FENDER_CONTACT_POINTS_SINGLE;
    if (is_round(class_a) || is_round(class_b)) return false;
    if (class_a == FND_CLASS_CAPSULE && class_b == FND_CLASS_CAPSULE) return false;
    if (points == FENDER_CONTACT_POINTS_CORNERS && fnd_corners_touch(a->geometry, b->geometry)) return false;
    return terrain || points != FENDER_CONTACT_POINTS_SINGLE;
}

static fnd_pair_family family_of(const fender_geometry *a, const fender_geometry *b)
{
    const fnd_geometry_class class_a = fnd_geometry_class_of(a), class_b = fnd_geometry_class_of(b);
    const bool ball_a = class_a == FND_CLASS_SPHERE || class_a == FND_CLASS_POINT;
    const bool ball_b = class_b == FND_CLASS_SPHERE || class_b == FND_CLASS_POINT;
    if (ball_a && ball_b) return FND_FAMILY_BALLS;
    if (!ball_a && !ball_b) return FND_FAMILY_OTHER;
    const fnd_geometry_class other = ball_a ? class_b : class_a;
    if (other == FND_CLASS_PLANE) return ball_a ? FND_FAMILY_BALL_PLANE : FND_FAMILY_PLANE_BALL;
    const bool surface = other == FND_CLASS_GRID || other == FND_CLASS_MESH;
    return !surface ? FND_FAMILY_OTHER : ball_a ? FND_FAMILY_BALL_SURFACE : FND_FAMILY_SURFACE_BALL;
}

fnd_candidate fnd_candidate_of(const fnd_contact_model *model, uint32_t a, uint32_t b, int type)
{
    assert(a < b && (int)b < model->shape_count);
    assert(type >= 0 && type < model->type_count);
    const fnd_shape *shape_a = &model->shapes[a], *shape_b = &model->shapes[b];
    const fnd_contact_type *t = &model->types[type];
    fnd_candidate pair = {.a = a,
                          .b = b,
                          .type = type,
                          .body_a = shape_a->root,
                          .body_b = shape_b->root,
                          .family = family_of(shape_a->geometry, shape_b->geometry),
                          .entry = fnd_pair_find(shape_a->geometry, shape_b->geometry),
                          .points = fnd_query_of_points(t->points),
                          .onset_gap = t->onset_gap,
                          .release_gap = t->release_gap,
                          .follow_distance = visibility_of(shape_a, shape_b, t),
                          .unlocated = t->unlocated,
                          .turns = t->turns,
                          .splits = t->splits,
                          .exponent = t->exponent,
                          .whole = fnd_pair_has_pair_events(model, a, b, type),
                          .probe = shape_a->geometry->type == FENDER_GEOMETRY_PROBE ||
                                   shape_b->geometry->type == FENDER_GEOMETRY_PROBE};
    fnd_batch_prepare(model, &pair);
    return pair;
}

/* ---- what is watched of a shape */

static void watches_prepare(fnd_contact_set *set, const fnd_contact_model *model)
{
    assert(set->watch_count == model->shape_count);
    set->reach = 0;
    for (int i = 0; i < model->type_count; i++)
        if (model->types[i].release_gap > set->reach) set->reach = model->types[i].release_gap;
    double sum = 0, count = 0, least = INFINITY;
    for (int i = 0; i < model->shape_count; i++) {
        const fnd_shape *shape = &model->shapes[i];
        const fnd_body *root = &model->bodies[shape->root];
        fnd_watch *watch = &set->watches[i];
        bool still = !fnd_body_dynamic(root), present = shape->active && root->motion != FENDER_MOTION_MASS_ONLY;
        bool moving = model->bodies[shape->body].moving != NULL;
        bool other = watch->root != shape->root || watch->still != still || watch->present != present ||
                     watch->centered != shape->centered || /* which batches of spheres rely on */
                     watch->moving != moving;              /* no batch has a shape whose tree has moving parts */
        watch->root = shape->root;
        watch->still = still;
        watch->present = present;
        watch->lever = shape->p_BG;
        watch->centered = shape->centered;
        watch->moving = moving;
        fnd_geometry_class class = fnd_geometry_class_of(shape->geometry);
        watch->round = class == FND_CLASS_SPHERE || class == FND_CLASS_POINT;
        watch->plane = class == FND_CLASS_PLANE;
        watch->arm = watch->plane ? 0 : watch->moving ? (double)INFINITY : fnd_shape_reach_arm(shape);
        if (other) {
            set->broad.volumes[i].present = false; /* it cannot hold what it was not made for */
            fnd_broad_phase_change(&set->broad, i, FND_VOLUME_ANEW);
        }
        double r = shape->bounding_radius, size = fnd_shape_size(shape);
        if (size > 0 && size < least) least = size;
        if (!still && r > 0 && r < INFINITY) sum += 1 / r, count++;
    }
    set->bodies_watched = false;
    set->usual_radius = count > 0 ? count / sum : 0;
    set->least_size = least;
    set->watches_ready = true;
}

/* Where shapes of moving parts are now. */
static void follow_parts(fnd_contact_set *set, const fnd_contact_model *model)
{
    for (int i = 0; i < model->shape_count; i++)
        if (set->watches[i].moving) set->watches[i].lever = model->shapes[i].p_BG;
}

double fnd_shape_speed(const fnd_contact_model *model, const fnd_shape *shape, const fnd_frame *frame)
{
    double spin = fender_vec3_length(frame->w), speed = fender_vec3_length(frame->v);
    if (fnd_model_moves(model) && model->bodies[shape->body].moving) {
        const fnd_moving *m = model->bodies[shape->body].moving;
        speed += fender_vec3_length(m->v);
        spin += fender_vec3_length(m->w);
    }
    if (spin == 0) return speed;
    double r = shape->bounding_radius < INFINITY ? shape->bounding_radius : 0; /* a plane has no end: see `follows` */
    return speed + spin * (fender_vec3_length(shape->p_BG) + r);
}

static fender_vec3 plane_normal(const fnd_shape *shape, const fnd_frame *frame)
{
    return fender_mat3_times(&frame->R_WB, fender_mat3_column(&shape->R_BG, 2));
}

/* A plane that turns will be anywhere. */
static bool follows_plane(const fnd_frame *frame, double horizon)
{
    return horizon == 0 || (frame->w.x == 0 && frame->w.y == 0 && frame->w.z == 0);
}

static bool holds_plane(const fnd_volume *volume, const fnd_shape *shape, const fnd_frame *frame, bool moving,
                        double way, double horizon)
{
    if (!volume->half_space) return true; /* it is everywhere */
    if (moving && horizon > 0) return false;
    fender_vec3 n = plane_normal(shape, frame), m = volume->normal;
    fender_vec3 p = fender_vec3_add(frame->p, fender_mat3_times(&frame->R_WB, shape->p_BG));
    return n.x == m.x && n.y == m.y && n.z == m.z && follows_plane(frame, horizon) &&
           fender_vec3_dot(n, p) + way <= volume->offset;
}

static bool holds_box(const fnd_box *box, fender_vec3 center, fender_vec3 half)
{
    return center.x - half.x >= box->lower[0] && center.y - half.y >= box->lower[1] &&
           center.z - half.z >= box->lower[2] && center.x + half.x <= box->upper[0] &&
           center.y + half.y <= box->upper[1] && center.z + half.z <= box->upper[2];
}

/* No point at a unit arm moves by more than this in the rotation from q to p. */
static double turned_by(fender_quaternion p, fender_quaternion q)
{
    const double w = p.w - q.w, x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    return 2 * sqrt(w * w + x * x + y * y + z * z);
}

/* Part of its slack that a shape may have used up without a new volume. The rest is what its body may then move until
 * all shapes are looked at again: where it is little, that is at every state. */
#define SHARE 0.75

/* True if the shape is in its fattened volume and stays there until the horizon at its present speed, with room to
 * spare. */
static bool holds(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames, int i,
                  double horizon)
{
    assert(i >= 0 && i < set->watch_count);
    assert(set->watches[i].root == model->shapes[i].root);
    const fnd_watch *watch = &set->watches[i];
    if (!watch->present) return true;
    const fnd_volume *volume = &set->broad.volumes[i];
    const fnd_frame *frame = &frames[watch->root];
    double way = horizon > 0 ? horizon * fnd_shape_speed(model, &model->shapes[i], frame) : 0;
    if (watch->plane)
        return holds_plane(volume, &model->shapes[i], frame, watch->moving, way + 0.5 * set->reach, horizon);
    fender_vec3 center = frame->p, half;
    if (!watch->centered) center = fender_vec3_add(center, fender_mat3_times(&frame->R_WB, watch->lever));
    fender_vec3 moved = fender_vec3_sub(center, volume->center);
    double slack = SHARE * (watch->slack - way);
    if (!(slack >= 0 && fender_vec3_dot(moved, moved) <= slack * slack)) return false;
    if (watch->round) return true; /* the sphere lies within the box */
    if (!watch->moving) return slack >= fender_vec3_length(moved) + turned_by(frame->q, watch->q) * watch->arm;
    fnd_shape_reach_box(&model->shapes[i], frame, &center, &half);
    way += 0.5 * set->reach;
    return holds_box(&volume->box, center, fender_vec3_add(half, fender_vec3_make(way, way, way)));
}

/* A volume is fattened by what its body covers in 20 steps, at least twice what it covers within the horizon, and where
 * it may be pushed from rest by a twentieth of the shape, or of the usual one if that is much smaller: changes are then
 * rare and the margin small. */
static void fatten(fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames, int i, double step,
                   double horizon)
{
    assert(i >= 0 && i < model->shape_count);
    assert(step >= 0 && horizon >= 0);
    fnd_watch *watch = &set->watches[i];
    const fnd_shape *shape = &model->shapes[i];
    const fnd_frame *frame = &frames[watch->root];
    double time = 20.0 * step > 2.0 * horizon ? 20.0 * step : 2.0 * horizon;
    double usual = 4 * set->usual_radius, size = shape->bounding_radius < usual ? shape->bounding_radius : usual;
    fender_vec3 center, half;
    fnd_shape_reach_box(shape, frame, &center, &half);
    if (watch->plane) half = fender_vec3_make(INFINITY, INFINITY, INFINITY);
    fender_vec3 at = fender_vec3_add(frame->p, fender_mat3_times(&frame->R_WB, shape->p_BG));
    double grain = 1e-15 * (fabs(at.x) + fabs(at.y) + fabs(at.z) + size);
    watch->q = frame->q;
    watch->slack = (watch->still ? 0 : 0.05 * size) + time * fnd_shape_speed(model, shape, frame) + grain;
    double margin = watch->slack + 0.5 * set->reach;
    fnd_volume *volume = &set->broad.volumes[i];
    *volume = (fnd_volume){{{center.x - half.x - margin, center.y - half.y - margin, center.z - half.z - margin},
                            {center.x + half.x + margin, center.y + half.y + margin, center.z + half.z + margin}},
                           at,
                           shape->bounding_radius + margin,
                           watch->present,
                           watch->still,
                           .half_space = watch->plane && follows_plane(frame, horizon) &&
                                         !(watch->moving && horizon > 0)};
    if (volume->half_space) {
        volume->normal = plane_normal(shape, frame);
        volume->offset = fender_vec3_dot(volume->normal, at) + margin;
    }
}

/* ---- pairs */

static bool eligible(const void *ctx, int low, int high)
{
    int type;
    return fnd_pair_decide(ctx, low, high, &type) == FENDER_PAIR_MAY_TOUCH;
}

/* Candidates go with the pairs of the broad phase, row by row. */
static bool edit_candidates(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model)
{
    const fnd_broad_phase *broad = &set->broad;
    if (broad->removed_count == 0 && broad->added_count == 0) return true;
    void *candidates = set->candidates;
    if (!fnd_reserve(env, &candidates, &set->candidate_capacity, set->candidate_count, broad->pair_count,
                     sizeof *set->candidates))
        return false;
    set->candidates = candidates;
    fnd_rows_edit(set->candidates, sizeof *set->candidates, set->candidate_count, broad);
    for (int k = 0; k < broad->added_count; k++) {
        uint64_t pair = broad->pairs[broad->added[k]];
        uint32_t first = (uint32_t)(pair >> 32), second = (uint32_t)pair;
        int type;
        fnd_pair_decide(model, (int)first, (int)second, &type);
        set->candidates[broad->added[k]] = fnd_candidate_of(model, first, second, type);
    }
    set->candidate_count = broad->pair_count;
    return true;
}

/* How far the shape may still move without leaving its volume. */
static double room_of(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames, int i)
{
    const fnd_watch *watch = &set->watches[i];
    const fnd_volume *volume = &set->broad.volumes[i];
    const fnd_frame *frame = &frames[watch->root];
    const fender_vec3 at = fender_vec3_add(frame->p, fender_mat3_times(&frame->R_WB, model->shapes[i].p_BG));
    if (watch->plane && !volume->half_space) return INFINITY;
    if (watch->plane) return volume->offset - fender_vec3_dot(volume->normal, at) - 0.5 * set->reach;
    const double turned = watch->round ? 0 : turned_by(frame->q, watch->q) * watch->arm;
    return watch->slack - fender_vec3_length(fender_vec3_sub(at, volume->center)) - turned;
}

/* All shapes have just been found in their volumes. */
static void watch_bodies(fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames)
{
    for (int i = 0; i < model->body_count; i++)
        set->body_watches[i] = (fnd_body_watch){frames[i].p, frames[i].q, INFINITY, 0};
    for (int i = 0; i < model->shape_count; i++) {
        const fnd_watch *watch = &set->watches[i];
        if (!watch->present) continue;
        fnd_body_watch *body = &set->body_watches[watch->root];
        const double arm = watch->plane ? INFINITY
                                        : fender_vec3_length(model->shapes[i].p_BG) + (watch->round ? 0 : watch->arm);
        const fender_vec3 *p = &body->p;
        const double room = room_of(set, model, frames, i) -
                            1e-14 * (fabs(p->x) + fabs(p->y) + fabs(p->z) + (watch->plane ? 0 : arm));
        if (room < body->free) body->free = room;
        if (arm > body->arm) body->arm = arm;
    }
    set->bodies_watched = true;
}

static bool body_holds(const fnd_body_watch *watch, const fnd_frame *frame, double horizon)
{
    double way = fender_vec3_length(fender_vec3_sub(frame->p, watch->p));
    if (horizon > 0) way += horizon * fender_vec3_length(frame->v);
    if (watch->arm == 0 && way <= watch->free) return true; /* a rotation takes it nowhere */
    double turned = turned_by(frame->q, watch->q);
    if (horizon > 0) turned += horizon * fender_vec3_length(frame->w);
    if (way == 0 && turned == 0) return true; /* however little room there is, as around a ground at rest */
    return way + (turned > 0 ? turned * watch->arm : 0) <= watch->free;
}

typedef struct bodies_test {
    const fnd_contact_set *set;
    const fnd_frame *frames;
    double horizon;
} bodies_test;

static inline bool some_hold(const void *ctx, int from, int to)
{
    const bodies_test *t = ctx;
    for (int i = from; i < to; i++)
        if (!body_holds(&t->set->body_watches[i], &t->frames[i], t->horizon)) return false;
    return true;
}

static bool bodies_hold(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames,
                        double horizon)
{
    const bodies_test t = {set, frames, horizon};
    if (fnd_model_moves(model)) return false; /* shapes move within their trees */
    if (!set->bodies_watched || !set->watches_ready || !set->broad.valid || set->broad.change_count > 0) return false;
    return fnd_pool_all(fnd_contact_set_pool(set), some_hold, &t, model->body_count, FND_CHEAP_BODY_BLOCK);
}

bool fnd_candidates_update(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                           const fnd_frame *frames, double step, double horizon)
{
    assert(set->watch_count == model->shape_count);
    fnd_broad_phase *broad = &set->broad;
    if (bodies_hold(set, model, frames, horizon)) return true;
    if (!broad->valid || !set->watches_ready) watches_prepare(set, model);
    if (fnd_model_moves(model)) follow_parts(set, model);
    for (int i = 0; i < model->shape_count; i++) {
        if (broad->valid && broad->volumes[i].present == set->watches[i].present &&
            holds(set, model, frames, i, horizon))
            continue;
        fatten(set, model, frames, i, step, horizon);
        fnd_broad_phase_change(broad, i, FND_VOLUME_MOVED);
    }
    watch_bodies(set, model, frames);
    if (broad->valid && broad->change_count == 0) return true;
    if (!broad->valid) set->candidate_count = 0;
    set->candidate_version++;
    if (fnd_broad_phase_update(env, broad, eligible, model) && edit_candidates(env, set, model)) return true;
    broad->valid = false;
    return false;
}

/* ---- Memory ---- */

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
    assert(present >= 0);
    int64_t n = model->shape_count, pairs = n * (n - 1) / 2, guess = 2 * n + 16 + present, more = 0;
    for (int i = 0; i < model->shape_count; i++) more += further_contacts(model->shapes[i].geometry);
    int64_t expected = (pairs < guess ? pairs : guess) + more;
    return (int)(expected < INT_MAX / 2 ? expected : INT_MAX / 2);
}

bool fnd_record_list_reserve(const fender_env *env, fnd_record_list *list, int count)
{
    assert(count >= 0 && list->stride > 0);
    assert(list->count <= list->capacity);
    if (count <= list->capacity) return true;
    if (count < list->capacity + list->capacity / 2) count = list->capacity + list->capacity / 2;
    const int kept = list->used > list->count ? list->used : list->count;
    void *items = list->items, *memory = list->memory, *order = list->order, *vacant = list->vacant;
    bool ok = fnd_reserve(env, &memory, &list->memory_capacity, kept, count, list->stride);
    list->memory = memory;
    ok = ok && fnd_reserve(env, &order, &list->order_capacity, list->order_capacity, count, sizeof *list->order);
    list->order = order;
    ok = ok && fnd_reserve(env, &vacant, &list->vacant_capacity, list->vacant_capacity, count, sizeof *list->vacant);
    list->vacant = vacant;
    ok = ok && fnd_reserve(env, &items, &list->capacity, kept, count, sizeof *list->items);
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
    assert(list->count >= 0 && list->count <= list->order_capacity);
    for (int i = 0; i < list->count; i++) list->order[i] = i;
    list->used = list->count;
    list->scattered = 0;
}

/* Steps that double, then bisection: what is looked for is mostly near. */
int fnd_record_list_find(const fnd_record_list *list, int from, const fnd_key *key)
{
    assert(from >= 0 && from <= list->count);
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

int fnd_record_list_position(const fnd_record_list *list, const fnd_key *key)
{
    int at = fnd_record_list_find(list, 0, key);
    return at < list->count && fnd_key_compare(&fnd_record_at(list, at)->key, key) == 0 ? list->order[at] : -1;
}

bool fnd_contact_set_reserve_commit(const fender_env *env, fnd_contact_set *set, int contacts)
{
    assert(contacts >= 0);
    void *sums = set->sums, *order = set->new_order, *persists = set->persists;
    int wanted = set->records.capacity > contacts ? set->records.capacity : contacts;
    bool ok = fnd_reserve(env, &sums, &set->sum_capacity, set->sum_capacity, wanted, sizeof *set->sums);
    set->sums = sums;
    ok = ok &&
         fnd_reserve(env, &order, &set->new_order_capacity, set->new_order_capacity, wanted, sizeof *set->new_order);
    set->new_order = order;
    ok = ok &&
         fnd_reserve(env, &persists, &set->persists_capacity, set->persists_capacity, wanted, sizeof *set->persists);
    set->persists = persists;
    return ok;
}

/* Two places for each sphere and point, if there is a surface for them, but not without end. */
static bool reserve_terrain(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model)
{
    enum { MOST = 4096 };
    int round = 0, count = 8;
    bool surfaces = false;
    for (int i = 0; i < model->shape_count; i++) {
        const fnd_geometry_class class = fnd_geometry_class_of(model->shapes[i].geometry);
        round += class == FND_CLASS_SPHERE || class == FND_CLASS_POINT;
        surfaces |= class == FND_CLASS_GRID || class == FND_CLASS_MESH;
    }
    if (!surfaces || round == 0) return true;
    while (count < 2 * round && count < MOST) count *= 2;
    set->terrain = fnd_allocate(env, (size_t)count * sizeof *set->terrain);
    if (!set->terrain) return false;
    set->terrain_count = count;
    for (int i = 0; i < count; i++) set->terrain[i].surface = NULL;
    return true;
}

bool fnd_contact_set_create(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model)
{
    assert(model->shape_count >= 0 && model->body_count >= 0);
    *set = (fnd_contact_set){.active = true};
    size_t stride = 16; /* never none: a pointer to it may be formed for any contact */
    for (int i = 0; i < model->type_count; i++) {
        const fnd_contact_type *type = &model->types[i];
        size_t size = type->memory_size + (size_t)(type->state_count + 1) / 2 * (2 * sizeof(double));
        if (size > stride) stride = size;
        if (type->state_count > set->state_stride) set->state_stride = type->state_count;
        set->any_batched |= !type->sees_surface;
    }
    set->records.stride = set->next_records.stride = stride;
    int64_t n = model->shape_count, pairs = n * (n - 1) / 2, guess = 12 * n + 64;
    int capacity = (int)(pairs < guess ? pairs : guess);
    void *candidates = NULL;
    set->plan = fnd_allocate(env, sizeof *set->plan);
    bool ok = set->plan && fnd_broad_phase_create(env, &set->broad, model->shape_count, capacity) &&
              fnd_reserve(env, &candidates, &set->candidate_capacity, 0, capacity, sizeof *set->candidates) &&
              fnd_contact_set_reserve(env, set, model, 0);
    set->candidates = candidates;
    set->watch_count = model->shape_count;
    if (model->shape_count > 0)
        ok = ok && (set->watches = fnd_allocate(env, (size_t)set->watch_count * sizeof *set->watches)) != NULL;
    set->manifold.env = env;
    void *separations = NULL; /* of one pair: 64 are more than patches of a few faces have */
    ok = ok && fnd_reserve(env, &separations, &set->manifold.capacity, 0, 64, sizeof *set->manifold.items);
    set->manifold.items = separations;
    ok = ok && (set->scratch_memory = fnd_allocate(env, stride)) != NULL;
    ok = reserve_terrain(env, set, model) && ok;
    set->body_count = model->body_count;
    if (model->body_count > 0) {
        set->since = fnd_allocate(env, (size_t)set->body_count * sizeof *set->since);
        set->rotations = fnd_allocate(env, (size_t)set->body_count * sizeof *set->rotations);
        set->body_watches = fnd_allocate(env, (size_t)set->body_count * sizeof *set->body_watches);
        ok = ok && set->since && set->rotations && set->body_watches;
    }
    set->batch_result = fnd_allocate(env, sizeof *set->batch_result);
    set->placed = fnd_allocate(env, sizeof *set->placed);
    set->placed_result = fnd_allocate(env, sizeof *set->placed_result);
    fnd_batch_choose_functions(set);
    ok = set->batch_result && set->placed && set->placed_result && ok;
    if (set->placed) fnd_batch_clear(set->placed);
    if (!ok) fnd_contact_set_destroy(env, set);
    return ok;
}

bool fnd_contact_set_reserve(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model, int present)
{
    int count = expected_contacts(model, present) + 1; /* a commit needs room for one more */
    return fnd_batch_plan_reserve(env, set->plan, set->candidate_capacity + count) &&
           fnd_record_list_reserve(env, &set->records, count) &&
           fnd_record_list_reserve(env, &set->next_records, count) && fnd_contact_set_reserve_commit(env, set, count);
}

void fnd_contact_set_destroy(const fender_env *env, fnd_contact_set *set)
{
    fnd_release(env, set->requests.items, (size_t)set->requests.capacity * sizeof *set->requests.items);
    fnd_release(env, set->terrain, (size_t)set->terrain_count * sizeof *set->terrain);
    fnd_release(env, set->scratch_memory, set->next_records.stride);
    fnd_release(env, set->since, (size_t)set->body_count * sizeof *set->since);
    fnd_release(env, set->body_watches, (size_t)set->body_count * sizeof *set->body_watches);
    fnd_release(env, set->rotations, (size_t)set->body_count * sizeof *set->rotations);
    if (set->plan) fnd_batch_plan_release(env, set->plan);
    fnd_release(env, set->plan, sizeof *set->plan);
    fnd_release(env, set->batch_result, sizeof *set->batch_result);
    fnd_release(env, set->placed, sizeof *set->placed);
    fnd_release(env, set->placed_result, sizeof *set->placed_result);
    fnd_release(env, set->sums, (size_t)set->sum_capacity * sizeof *set->sums);
    fnd_release(env, set->new_order, (size_t)set->new_order_capacity * sizeof *set->new_order);
    fnd_release(env, set->persists, (size_t)set->persists_capacity * sizeof *set->persists);
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
    assert(list->count >= 0 && list->count <= list->capacity);
    void *items = list->items;
    bool ok = fnd_reserve(env, &items, &list->capacity, list->count, expected_contacts(model, present),
                          sizeof *list->items);
    list->items = items;
    bool sees = false;
    for (int i = 0; i < model->type_count; i++) sees |= model->types[i].sees_surface;
    return ok && (!sees || fnd_contact_list_reserve_surfaces(env, list));
}

bool fnd_contact_list_reserve_surfaces(const fender_env *env, fnd_contact_list *list)
{
    assert(list->count <= list->capacity);
    if (list->surface_capacity >= list->capacity) return true;
    void *surfaces = list->surfaces;
    if (!fnd_reserve(env, &surfaces, &list->surface_capacity, list->count, list->capacity, sizeof *list->surfaces))
        return false;
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

/* ---- For assertions ---- */

#ifndef NDEBUG
bool fnd_records_are_sound(const fnd_record_list *list)
{
    if (list->count < 0 || list->used < list->count || list->used > list->capacity) return false;
    for (int i = 0; i < list->count; i++) {
        const int position = list->order[i];
        if (position < 0 || position >= list->used) return false;
        if (i > 0 && fnd_key_compare(&list->items[list->order[i - 1]].key, &list->items[position].key) >= 0)
            return false;
    }
    for (int i = 0; i < list->used - list->count; i++)
        if (list->vacant[i] < 0 || list->vacant[i] >= list->used) return false;
    return true;
}

bool fnd_rows_are_sound(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_contact_list *rows)
{
    if (rows->count < 0 || rows->count > rows->capacity || rows->batched_count > rows->count) return false;
    for (int i = 0; i < rows->count; i++) {
        const fnd_contact *c = &rows->items[i];
        if (i > 0 && fnd_key_compare(&rows->items[i - 1].key, &c->key) >= 0) return false;
        if (c->key.a >= c->key.b || (int)c->key.b >= model->shape_count) return false;
        if (c->type < 0 || c->type >= model->type_count) return false;
        if (c->body_a != model->shapes[c->key.a].root || c->body_b != model->shapes[c->key.b].root) return false;
        if (c->record < -1 || c->record >= set->records.used) return false;
        if (c->record >= 0 && !fnd_same_key(&set->records.items[c->record].key, &c->key)) return false;
        if (c->in.depth > rows->deepest) return false;
    }
    return true;
}

bool fnd_candidates_are_sound(const fnd_contact_set *set, const fnd_contact_model *model)
{
    for (int i = 0; i < set->candidate_count; i++) {
        const fnd_candidate *c = &set->candidates[i], *before = i > 0 ? c - 1 : NULL;
        if (c->a >= c->b || (int)c->b >= model->shape_count || c->type < 0 || c->type >= model->type_count)
            return false;
        if (before && (before->a > c->a || (before->a == c->a && before->b >= c->b))) return false;
    }
    return true;
}
#endif
