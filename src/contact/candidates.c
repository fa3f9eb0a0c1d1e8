/* The candidate pairs: shapes watched for leaving their fattened volumes, and what the broad phase makes of it. */
#include "contact/contact_set.h"

#include "collide/point_contact.h"
#include "contact/quick.h"

/* A terrain has more to touch than can be followed everywhere; a point has one contact with it. */
static double sight_of(const fnd_shape *a, const fnd_shape *b)
{
    fnd_geometry_class class_a = fnd_geometry_class_of(a->geometry), class_b = fnd_geometry_class_of(b->geometry);
    bool terrain = class_a == FND_CLASS_GRID || class_a == FND_CLASS_MESH || class_b == FND_CLASS_GRID ||
                   class_b == FND_CLASS_MESH;
    bool point = class_a == FND_CLASS_POINT || class_b == FND_CLASS_POINT || class_a == FND_CLASS_PROBE ||
                 class_b == FND_CLASS_PROBE;
    return terrain && !point ? 0.1 * (a->bounding_radius < b->bounding_radius ? a->bounding_radius : b->bounding_radius)
                             : INFINITY;
}

static bool is_round(fnd_geometry_class class)
{
    return class == FND_CLASS_POINT || class == FND_CLASS_CLOUD || class == FND_CLASS_SPHERE ||
           class == FND_CLASS_PROBE; /* which has one contact, whatever it looks at */
}

/* Points, balls, probes and two capsules have one contact, or one for each point. Other solids may have patches,
 * whose points fade in and out, or contacts that change places as the solids roll, and a ball may touch several facets
 * of a terrain: their nearest points say when they touch. */
bool fnd_pair_is_whole(const fnd_contact_model *model, uint32_t shape_a, uint32_t shape_b, int type)
{
    const fnd_shape *a = &model->shapes[shape_a], *b = &model->shapes[shape_b];
    fender_contact_points points = model->types[type].points;
    fnd_geometry_class class_a = fnd_geometry_class_of(a->geometry), class_b = fnd_geometry_class_of(b->geometry);
    bool terrain = class_a == FND_CLASS_GRID || class_a == FND_CLASS_MESH || class_b == FND_CLASS_GRID ||
                   class_b == FND_CLASS_MESH;
    bool ball = class_a == FND_CLASS_SPHERE || class_b == FND_CLASS_SPHERE;
    if (terrain && ball) return points != FENDER_CONTACT_POINTS_SINGLE;
    if (is_round(class_a) || is_round(class_b)) return false;
    if (class_a == FND_CLASS_CAPSULE && class_b == FND_CLASS_CAPSULE) return false;
    if (points == FENDER_CONTACT_POINTS_CORNERS && fnd_corners_are_all(a->geometry, b->geometry)) return false;
    return terrain || points != FENDER_CONTACT_POINTS_SINGLE;
}

fnd_candidate fnd_candidate_of(const fnd_contact_model *model, uint32_t a, uint32_t b, int type)
{
    const fnd_shape *shape_a = &model->shapes[a], *shape_b = &model->shapes[b];
    const fnd_contact_type *t = &model->types[type];
    fnd_candidate pair = {.a = a,
                          .b = b,
                          .type = type,
                          .body_a = shape_a->root,
                          .body_b = shape_b->root,
                          .record = -1,
                          .entry = fnd_pair_find(shape_a->geometry, shape_b->geometry),
                          .points = fnd_query_of_points(t->points),
                          .onset_gap = t->onset_gap,
                          .release_gap = t->release_gap,
                          .sight = sight_of(shape_a, shape_b),
                          .unlocated = t->unlocated,
                          .whole = fnd_pair_is_whole(model, a, b, type),
                          .probe = shape_a->geometry->type == FENDER_GEOMETRY_PROBE ||
                                   shape_b->geometry->type == FENDER_GEOMETRY_PROBE};
    fnd_quick_prepare(model, &pair);
    return pair;
}

/* ---- what is watched of a shape */

void fnd_watches_prepare(fnd_contact_set *set, const fnd_contact_model *model)
{
    set->reach = 0;
    for (int i = 0; i < model->type_count; i++)
        if (model->types[i].release_gap > set->reach) set->reach = model->types[i].release_gap;
    double sum = 0, count = 0, least = INFINITY;
    for (int i = 0; i < model->shape_count; i++) {
        const fnd_shape *shape = &model->shapes[i];
        const fnd_body *root = &model->bodies[shape->root];
        fnd_watch *watch = &set->watches[i];
        bool still = !fnd_body_dynamic(root), present = shape->active && root->motion != FENDER_MOTION_MASS_ONLY;
        bool other = watch->root != shape->root || watch->still != still || watch->present != present;
        watch->root = shape->root;
        watch->still = still;
        watch->present = present;
        watch->lever = shape->p_BG;
        watch->centered = shape->centered;
        fnd_geometry_class class = fnd_geometry_class_of(shape->geometry);
        watch->round = class == FND_CLASS_SPHERE || class == FND_CLASS_POINT;
        watch->plane = class == FND_CLASS_PLANE;
        if (other) {
            set->broad.volumes[i].present = false; /* it cannot hold what it was not made for */
            fnd_broad_phase_change(&set->broad, i, FND_VOLUME_ANEW);
        }
        double r = shape->bounding_radius, size = fnd_shape_size(shape);
        if (size > 0 && size < least) least = size;
        if (!still && r > 0 && r < INFINITY) sum += 1 / r, count++;
    }
    set->usual_radius = count > 0 ? count / sum : 0;
    set->least_size = least;
    set->watches_ready = true;
}

/* No point of the shape is faster than this. */
static double largest_speed(const fnd_shape *shape, const fnd_frame *frame)
{
    double spin = fender_vec3_length(frame->w), speed = fender_vec3_length(frame->v);
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

static bool holds_plane(const fnd_volume *volume, const fnd_shape *shape, const fnd_frame *frame, double way,
                        double horizon)
{
    if (!volume->half_space) return true; /* it is everywhere */
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

/* Is the shape still in its volume, and for the horizon to come at its present speed? */
static bool holds(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames, int i,
                  double horizon)
{
    const fnd_watch *watch = &set->watches[i];
    if (!watch->present) return true;
    const fnd_volume *volume = &set->broad.volumes[i];
    const fnd_frame *frame = &frames[watch->root];
    double way = horizon > 0 ? horizon * largest_speed(&model->shapes[i], frame) : 0;
    if (watch->plane) return holds_plane(volume, &model->shapes[i], frame, way + 0.5 * set->reach, horizon);
    fender_vec3 center = frame->p, half;
    if (!watch->centered) center = fender_vec3_add(center, fender_mat3_times(&frame->R_WB, watch->lever));
    fender_vec3 moved = fender_vec3_sub(center, volume->center);
    double slack = watch->slack - way;
    if (!(slack >= 0 && fender_vec3_dot(moved, moved) <= slack * slack)) return false;
    if (watch->round) return true; /* the ball lies within the box */
    fnd_shape_box(&model->shapes[i], frame, &center, &half);
    way += 0.5 * set->reach;
    return holds_box(&volume->box, center, fender_vec3_add(half, fender_vec3_make(way, way, way)));
}

/* A volume is fattened by what its body covers in 20 steps, at least twice what it covers within the horizon, and where
 * it may be pushed from rest by a twentieth of the shape, or of the usual one if that is much smaller: changes are then
 * rare and the margin small. */
static void fatten(fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames, int i, double step,
                   double horizon)
{
    fnd_watch *watch = &set->watches[i];
    const fnd_shape *shape = &model->shapes[i];
    const fnd_frame *frame = &frames[watch->root];
    double time = 20.0 * step > 2.0 * horizon ? 20.0 * step : 2.0 * horizon;
    double usual = 4 * set->usual_radius, size = shape->bounding_radius < usual ? shape->bounding_radius : usual;
    fender_vec3 center, half;
    fnd_shape_box(shape, frame, &center, &half);
    if (watch->plane) half = fender_vec3_make(INFINITY, INFINITY, INFINITY);
    fender_vec3 at = fender_vec3_add(frame->p, fender_mat3_times(&frame->R_WB, shape->p_BG));
    double grain = 1e-15 * (fabs(at.x) + fabs(at.y) + fabs(at.z) + size);
    watch->slack = (watch->still ? 0 : 0.05 * size) + time * largest_speed(shape, frame) + grain;
    double margin = watch->slack + 0.5 * set->reach;
    fnd_volume *volume = &set->broad.volumes[i];
    *volume = (fnd_volume){{{center.x - half.x - margin, center.y - half.y - margin, center.z - half.z - margin},
                            {center.x + half.x + margin, center.y + half.y + margin, center.z + half.z + margin}},
                           at,
                           shape->bounding_radius + margin,
                           watch->present,
                           watch->still,
                           .half_space = watch->plane && follows_plane(frame, horizon)};
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
    if (!fnd_reserve(env, &candidates, &set->candidate_capacity, broad->pair_count, sizeof *set->candidates))
        return false;
    set->candidates = candidates;
    fnd_rows_edit(set->candidates, sizeof *set->candidates, set->candidate_count, broad);
    for (int k = 0; k < broad->added_count; k++) {
        uint64_t pair = broad->pairs[broad->added[k]];
        uint32_t first = (uint32_t)(pair >> 32), second = (uint32_t)pair;
        int type;
        fnd_pair_decide(model, (int)first, (int)second, &type);
        fnd_candidate *row = &set->candidates[broad->added[k]];
        *row = fnd_candidate_of(model, first, second, type);
        const fnd_key key = {first, second, 0};
        if (row->quick) row->record = fnd_record_list_place(&set->records, &key);
    }
    set->candidate_count = broad->pair_count;
    return true;
}

bool fnd_candidates_update(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                           const fnd_frame *frames, double step, double horizon)
{
    fnd_broad_phase *broad = &set->broad;
    if (!broad->valid || !set->watches_ready) fnd_watches_prepare(set, model);
    for (int i = 0; i < model->shape_count; i++) {
        if (broad->valid && broad->volumes[i].present == set->watches[i].present &&
            holds(set, model, frames, i, horizon))
            continue;
        fatten(set, model, frames, i, step, horizon);
        fnd_broad_phase_change(broad, i, FND_VOLUME_MOVED);
    }
    if (broad->valid && broad->change_count == 0) return true;
    if (!broad->valid) set->candidate_count = 0;
    set->candidate_version++;
    if (fnd_broad_phase_update(env, broad, eligible, model) && edit_candidates(env, set, model)) return true;
    broad->valid = false;
    return false;
}
