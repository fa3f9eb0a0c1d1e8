/* Quick contacts of an evaluation: what goes into a batch, and the rows that come out. */
#include "contact/quick.h"

#include <string.h>

void fnd_quick_prepare(const fnd_contact_model *model, fnd_candidate *pair)
{
    const fnd_shape *a = &model->shapes[pair->a], *b = &model->shapes[pair->b];
    const fnd_geometry_class class_a = fnd_geometry_class_of(a->geometry), class_b = fnd_geometry_class_of(b->geometry);
    const bool ball_a = class_a == FND_CLASS_SPHERE || class_a == FND_CLASS_POINT;
    const bool ball_b = class_b == FND_CLASS_SPHERE || class_b == FND_CLASS_POINT;
    pair->quick = FND_QUICK_NONE;
    pair->bound = INFINITY;
    if (!model->types[pair->type].quick || model->contact_limit_factor != 0 || pair->whole || a->runs || b->runs)
        return;
    if (ball_a && ball_b && pair->entry.function && !pair->entry.mirrored) {
        const double most = a->bounding_radius + b->bounding_radius;
        pair->quick = FND_QUICK_BALLS;
        pair->radius_a = a->geometry->radius;
        pair->radius_b = b->geometry->radius;
        if (a->centered && b->centered) pair->bound = most * most * (1 + 1e-6);
    } else if (ball_a && class_b == FND_CLASS_PLANE) {
        pair->quick = FND_QUICK_BALL_PLANE;
        pair->radius_a = a->geometry->radius;
    } else if (ball_b && class_a == FND_CLASS_PLANE) {
        pair->quick = FND_QUICK_PLANE_BALL;
        pair->radius_a = b->geometry->radius;
    }
}

fnd_quick_function *fnd_quick_function_here(void)
{
#ifdef FND_WIDE
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return fnd_quick_evaluate_avx512;
    if (__builtin_cpu_supports("avx2")) return fnd_quick_evaluate_avx2;
#endif
    return fnd_quick_evaluate_plain;
}

/* Two sorted lists side by side. */
static void match_records(fnd_contact_set *set)
{
    int at = 0;
    if (set->matched) return;
    for (int i = 0; i < set->candidate_count; i++) {
        fnd_candidate *pair = &set->candidates[i];
        if (!pair->quick) continue;
        const fnd_key key = {pair->a, pair->b, 0};
        at = fnd_record_list_find(&set->records, at, &key);
        bool known = at < set->records.count && fnd_key_compare(&fnd_record_at(&set->records, at)->key, &key) == 0;
        pair->record = known ? set->records.order[at] : -1;
    }
    set->matched = true;
}

void fnd_quick_begin(fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames)
{
    fnd_quick_batch *batch = set->batch;
    batch->count = 0;
    batch->plane = UINT32_MAX;
    batch->frames = (const double *)(const void *)frames;
    batch->turns = (const double *)(const void *)set->turns;
    batch->records = (const double *)(const void *)&set->records.items->normal;
    match_records(set);
    if (set->records.count == 0) return;
    for (int i = 0; i < model->body_count; i++) fnd_quick_turn(set, frames, i);
}

static void put(fnd_quick_lanes *to, int lane, fender_vec3 v)
{
    to[0][lane] = v.x;
    to[1][lane] = v.y;
    to[2][lane] = v.z;
}

/* +0 is what a centred shape a adds to, -0 what changes nothing of a place that it is added to. */
static void clear_arms(fnd_quick_batch *batch)
{
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < FND_QUICK_LANES; l++) batch->arm_a[k][l] = 0, batch->arm_b[k][l] = -0.0;
    batch->any_arms = false;
}

static void put_plane(fnd_quick_batch *batch, int lane, const fnd_contact_model *model, const fnd_frame *frames,
                      uint32_t plane)
{
    if (batch->plane != plane) {
        const fnd_shape *shape = &model->shapes[plane];
        const fender_mat3 R_WG = fnd_shape_rotation(shape, &frames[shape->root]);
        batch->up_W = fender_mat3_column(&R_WG, 2);
        batch->facing_W = fender_vec3_negate(fender_mat3_times(&R_WG, fender_vec3_make(0, 0, 1)));
        batch->plane = plane;
    }
    put(batch->up, lane, batch->up_W);
    put(batch->facing, lane, batch->facing_W);
}

static void begin_batch(fnd_quick_batch *batch, const fnd_contact_model *model, int type_index)
{
    const fnd_contact_type *type = &model->types[type_index];
    batch->type = type_index;
    batch->stiffness = type->stiffness;
    batch->damping = type->damping;
    batch->mu = type->mu;
    batch->slip_speed = type->slip_speed;
    batch->friction_asks = type->friction.law ? 1 : 0;
    if (batch->any_arms) clear_arms(batch);
    for (int l = 0; batch->any_planes && l < FND_QUICK_LANES; l++) batch->sense[l] = 0;
    batch->any_balls = batch->any_planes = false;
}

/* What two centred balls do not have. */
static void put_more(fnd_quick_batch *batch, int lane, const fnd_contact_model *model, const fnd_frame *frames,
                     const fnd_candidate *pair)
{
    const fnd_frame *frame_a = &frames[pair->body_a], *frame_b = &frames[pair->body_b];
    const fnd_shape *a = &model->shapes[pair->a], *b = &model->shapes[pair->b];
    if (!a->centered) put(batch->arm_a, lane, fender_mat3_times(&frame_a->R_WB, a->p_BG));
    if (!b->centered) put(batch->arm_b, lane, fender_mat3_times(&frame_b->R_WB, b->p_BG));
    batch->any_arms |= !a->centered || !b->centered;
    if (pair->quick == FND_QUICK_BALLS) {
        batch->any_balls = true;
        return;
    }
    const bool first = pair->quick == FND_QUICK_PLANE_BALL;
    batch->sense[lane] = first ? -1 : 1;
    batch->any_planes = true;
    put_plane(batch, lane, model, frames, first ? pair->a : pair->b);
}

static void put_pair(fnd_quick_batch *batch, const fnd_contact_model *model, const fnd_frame *frames,
                     const fnd_candidate *pair)
{
    const int lane = batch->count++;
    batch->pairs[lane] = pair;
    batch->at_a[lane] = (int64_t)pair->body_a * FND_QUICK_FRAME;
    batch->at_b[lane] = (int64_t)pair->body_b * FND_QUICK_FRAME;
    batch->turn_a[lane] = (int64_t)pair->body_a * FND_QUICK_TURN;
    batch->turn_b[lane] = (int64_t)pair->body_b * FND_QUICK_TURN;
    /* without a record only whether it touches is asked */
    batch->at_record[lane] = pair->record >= 0 ? (int64_t)pair->record * FND_QUICK_RECORD : 0;
    batch->radius_a[lane] = pair->radius_a;
    batch->radius_b[lane] = pair->radius_b;
    if (pair->bound < INFINITY) batch->any_balls = true;
    else put_more(batch, lane, model, frames, pair);
}

bool fnd_quick_add(fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames,
                   const fnd_candidate *pair)
{
    const fnd_record *record = pair->record >= 0 ? &set->records.items[pair->record] : NULL;
    if (record && (record->suppressed || record->type != pair->type)) return false;
    if (set->batch->count == 0) begin_batch(set->batch, model, pair->type);
    put_pair(set->batch, model, frames, pair);
    return true;
}

/* What is the same in all rows of quick contacts. */
static void write_constants(fnd_contact *row)
{
    row->mode = 0;
    row->fades = row->shared = row->buried = row->probe = false;
    row->gain = 1;
    row->quick = true;
    fender_contact_input *in = &row->in;
    in->normal_force = 0;
    in->weight = 1;
    in->area = 0;
    in->index = 0;
    in->states = NULL;
    in->located = false;
    in->provided_normal = 0;
    in->provided_friction = (fender_vec2){0, 0};
    row->supplied_power = 0;
    row->torque = fender_vec3_make(0, 0, 0);
}

#define GET(vector, lanes) (vector).x = (lanes)[0][lane], (vector).y = (lanes)[1][lane], (vector).z = (lanes)[2][lane]

void fnd_quick_write(const fnd_quick_batch *batch, int lane, const fnd_record *record, double time, fnd_contact *row)
{
    const fnd_candidate *pair = batch->pairs[lane];
    if (!row->quick) write_constants(row); /* else the row was one in an earlier evaluation */
    row->key.a = pair->a;
    row->key.b = pair->b;
    row->key.feature = 0;
    row->type = pair->type;
    row->body_a = pair->body_a;
    row->body_b = pair->body_b;
    row->record = pair->record;
    GET(row->normal, batch->normal);
    GET(row->tangent, batch->tangent);
    GET(row->lever_a, batch->lever_a);
    GET(row->lever_b, batch->lever_b);
    fender_contact_input *in = &row->in;
    in->time = time;
    in->depth = batch->depth[lane];
    in->depth_rate = batch->depth_rate[lane];
    in->approach_speed = record->approach_speed;
    in->slip.x = batch->slip[0][lane];
    in->slip.y = batch->slip[1][lane];
    GET(in->spin, batch->spin);
    in->normal_force = batch->normal_force[lane];
    GET(row->force_C, batch->force_C);
    GET(row->force, batch->force);
    row->strength = batch->strength[lane];
    row->damping_power = batch->damping_power[lane];
    row->friction_power = batch->friction_power[lane];
    row->power = batch->power[lane];
}
