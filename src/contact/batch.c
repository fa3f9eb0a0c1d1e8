/* Batched contacts: what goes into a batch, the rows that come out, and their commit. */
#include "contact/batch.h"

#include "contact/parallel.h"
#include "contact/peak.h"
#include "law/friction_stick.h"
#include "law/laws.h"
#include "law/parts.h"
#include <assert.h>
#include <string.h>

/* ---- Evaluation ---- */

void fnd_batch_prepare(const fnd_contact_model *model, fnd_candidate *pair)
{
    assert(pair->type >= 0 && pair->type < model->type_count);
    const fnd_shape *a = &model->shapes[pair->a], *b = &model->shapes[pair->b];
    const fnd_geometry_class class_a = fnd_geometry_class_of(a->geometry), class_b = fnd_geometry_class_of(b->geometry);
    const bool ball_a = class_a == FND_CLASS_SPHERE || class_a == FND_CLASS_POINT;
    const bool ball_b = class_b == FND_CLASS_SPHERE || class_b == FND_CLASS_POINT;
    pair->batch = FND_BATCH_NONE;
    pair->batch_placed = false;
    pair->bound = INFINITY;
    const fnd_contact_type *type = &model->types[pair->type];
    if (type->sees_surface || a->runs || b->runs) return;
    if (model->bodies[a->body].moving || model->bodies[b->body].moving) return;
    pair->batch_placed = !pair->probe;
    if (model->contact_limit_factor != 0 || pair->whole) return;
    if (ball_a && ball_b && pair->entry.function && !pair->entry.mirrored) {
        const double most = a->bounding_radius + b->bounding_radius + type->release_gap;
        pair->batch = FND_BATCH_SPHERES;
        pair->radius_a = a->geometry->radius;
        pair->radius_b = b->geometry->radius;
        if (a->centered && b->centered) pair->bound = most * most * (1 + 1e-6);
    } else if (ball_a && class_b == FND_CLASS_PLANE) {
        pair->batch = FND_BATCH_SPHERE_PLANE;
        pair->radius_a = a->geometry->radius;
    } else if (ball_b && class_a == FND_CLASS_PLANE) {
        pair->batch = FND_BATCH_PLANE_SPHERE;
        pair->radius_a = b->geometry->radius;
    }
    pair->batch_placed &= pair->batch == FND_BATCH_NONE;
}

void fnd_batch_choose_functions(fnd_contact_set *set)
{
    set->batch_function = fnd_batch_evaluate_plain;
    set->batch_sum = fnd_batch_sum_plain;
#ifdef FND_WIDE
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        set->batch_function = fnd_batch_evaluate_avx512;
        set->batch_sum = fnd_batch_sum_avx512;
    } else if (__builtin_cpu_supports("avx2")) {
        set->batch_function = fnd_batch_evaluate_avx2;
        set->batch_sum = fnd_batch_sum_avx2;
    }
#endif
}

typedef struct turning {
    fnd_contact_set *set;
    const fnd_frame *frames;
} turning;

static inline void turn_bodies(void *ctx, int from, int to)
{
    const turning *t = ctx;
    for (int i = from; i < to; i++) fnd_batch_rotate(t->set, t->frames, i);
}

void fnd_batch_turn(fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames)
{
    turning t = {set, frames};
    if (set->records.count == 0) return;
    fnd_pool_blocks(fnd_contact_set_pool(set), turn_bodies, &t, model->body_count, FND_CHEAP_BODY_BLOCK);
}

static void put(fnd_batch_lanes *to, int lane, fender_vec3 v)
{
    to[0][lane] = v.x;
    to[1][lane] = v.y;
    to[2][lane] = v.z;
}

void fnd_batch_clear(fnd_batch *batch)
{
    /* bodies and records of lanes beyond `count` stay: they are some that there are */
    batch->count = batch->cost = 0;
    batch->placed = batch->any_spheres = false;
    batch->plane = UINT32_MAX;
    batch->planes_known = false;
    if (batch->any_planes)
        for (int l = 0; l < FND_BATCH_LANES; l++) batch->sense[l] = 0;
    if (batch->any_arms_a || batch->any_arms_b ||
        !batch->ready) { /* +0 is what a centred shape a adds to, -0 changes nothing of a place */
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < FND_BATCH_LANES; l++) batch->arm_a[k][l] = 0, batch->arm_b[k][l] = -0.0;
        for (int l = 0; l < FND_BATCH_LANES; l++) batch->off_a[l] = batch->off_b[l] = 0;
    }
    batch->any_planes = batch->any_arms_a = batch->any_arms_b = false;
    batch->ready = true;
}

static void put_plane(fnd_batch *batch, int lane, const fender_mat3 *R_WG)
{
    put(batch->up, lane, fender_mat3_column(R_WG, 2));
    put(batch->facing, lane, fender_vec3_negate(fender_mat3_times(R_WG, fender_vec3_make(0, 0, 1))));
}

void fnd_batch_add_arms(fnd_batch *batch, int lane, const fnd_contact_model *model)
{
    const fnd_shape *a = &model->shapes[batch->pairs[lane]->a], *b = &model->shapes[batch->pairs[lane]->b];
    batch->off_a[lane] = a->centered ? 0 : 1;
    batch->off_b[lane] = b->centered ? 0 : 1;
    put(batch->arm_B_a, lane, a->p_BG);
    put(batch->arm_B_b, lane, b->p_BG);
    batch->any_arms_a |= !a->centered;
    batch->any_arms_b |= !b->centered;
}

/* Directions of planes. Those of the only one are kept while it does not turn. */
static void put_planes(fnd_batch *batch, const fnd_contact_model *model, const fnd_frame *frames)
{
    if (batch->plane != UINT32_MAX) {
        const fnd_shape *shape = &model->shapes[batch->plane];
        const fender_mat3 R_WG = fnd_shape_rotation(shape, &frames[shape->root]);
        if (batch->planes_known && memcmp(&R_WG, &batch->R_WG, sizeof R_WG) == 0) return;
        batch->R_WG = R_WG;
        batch->planes_known = true;
    }
    for (int l = 0; l < batch->count; l++) {
        const fnd_candidate *pair = batch->pairs[l];
        if (batch->sense[l] == 0) continue;
        const fnd_shape *shape = &model->shapes[batch->sense[l] < 0 ? pair->a : pair->b];
        const fender_mat3 R_WG = fnd_shape_rotation(shape, &frames[shape->root]);
        put_plane(batch, l, &R_WG);
    }
}

/* What the laws remember of the contact. */
static void put_memory(fnd_batch *batch, const fnd_contact_set *set, int lane)
{
    batch->slack[lane] = batch->stretch[0][lane] = batch->stretch[1][lane] = batch->mode[lane] = 0;
    batch->memories[lane] = NULL;
    batch->states[lane] = NULL;
    if (!batch->known[lane]) return;
    const int record = batch->record[lane];
    const fnd_contact_type *type = batch->laws;
    const unsigned char *memory = fnd_record_memory(&set->records, record);
    batch->memories[lane] = memory;
    if (batch->located) batch->slack[lane] = fnd_spring_damper_is_slack(memory + type->primary.memory_offset);
    if (!batch->sticks) return;
    assert(type->friction.state_offset == 0);
    const double weight = batch->placed ? set->placed_result->weight[lane] : 1;
    const double *states = fnd_contact_states(set, type, record, weight, batch->of_area[lane]);
    batch->states[lane] = states;
    batch->stretch[0][lane] = states[0];
    batch->stretch[1][lane] = states[1];
    batch->mode[lane] = fnd_stick_slip_mode((const void *)(memory + type->friction.memory_offset));
}

void fnd_batch_begin(fnd_batch *batch, const fnd_contact_set *set, const fnd_contact_model *model,
                     const fnd_frame *frames, fnd_regime regime)
{
    assert(batch->count > 0 && batch->type >= 0 && batch->type < model->type_count);
    const fnd_contact_type *type = &model->types[batch->type];
    batch->frames = (const double *)(const void *)frames;
    batch->rotations = (const double *)(const void *)set->rotations;
    batch->records = (const double *)(const void *)&set->records.items->normal;
    batch->forces = type->batch || type->sticks;
    batch->located = regime != FND_REGIME_CLIPPED && !type->unlocated;
    batch->sticks = type->sticks;
    batch->laws = type;
    batch->stiffness = type->stiffness;
    batch->damping = type->damping;
    batch->mu = type->mu;
    batch->slip_speed = type->slip_speed;
    batch->friction_asks = type->friction.law ? 1 : 0;
    if (batch->any_planes) put_planes(batch, model, frames);
    if (!batch->forces || !(batch->located || batch->sticks)) return;
    for (int l = 0; l < batch->count; l++) put_memory(batch, set, l);
}

void fnd_batch_add_placed(fnd_contact_set *set, const fnd_candidate *pair, const fender_separation *separation,
                          fender_vec3 origin, int record, int row)
{
    assert(pair->batch_placed && record >= 0);
    fnd_batch *batch = set->placed;
    fnd_batch_result *result = set->placed_result;
    batch->placed = true;
    const int lane = fnd_batch_add(batch, pair, record);
    fnd_placed *placed = &result->placed[lane];
    if (lane == 0) result->weighted = false;
    result->weight[lane] = separation->weight;
    result->weighted |= separation->weight != 1;
    placed->row = row;
    placed->single = separation->shared && !separation->weight_fades && separation->weight == 1 &&
                     separation->area == 0 && separation->index == 0;
    if (!placed->single) {
        placed->index = separation->index;
        placed->area = separation->area;
        placed->border = separation->border;
        placed->turn = separation->turn;
        placed->weight_fades = separation->weight_fades;
        placed->shared = separation->shared;
    }
    put(batch->arm_a, lane, origin);
    put(result->normal, lane, separation->normal);
    put(result->lever_a, lane, fender_vec3_scale(0.5, fender_vec3_add(separation->point_a, separation->point_b)));
    result->depth[lane] = -separation->distance;
    /* A moment of its own is the general path's. */
    const fender_vec3 turn = separation->turn;
    result->needs_fallback[lane] = turn.x != 0 || turn.y != 0 || turn.z != 0;
}

fender_separation fnd_batch_placed_separation(const fnd_batch_result *result, int lane)
{
    const fnd_placed *placed = &result->placed[lane];
    const fender_vec3 at = fender_vec3_make(result->lever_a[0][lane], result->lever_a[1][lane],
                                            result->lever_a[2][lane]);
    return (fender_separation){
        .distance = -result->depth[lane],
        .point_a = at,
        .point_b = at,
        .normal = fender_vec3_make(result->normal[0][lane], result->normal[1][lane], result->normal[2][lane]),
        .weight = result->weight[lane],
        .area = placed->single ? 0 : placed->area,
        .index = placed->single ? 0 : placed->index,
        .weight_fades = !placed->single && placed->weight_fades,
        .shared = placed->single || placed->shared,
        .border = placed->single ? 0 : placed->border,
        .turn = placed->single ? fender_vec3_make(0, 0, 0) : placed->turn};
}

void fnd_batch_stick(const fnd_batch *batch, fnd_batch_result *result)
{
    const fnd_slot *slot = &batch->laws->friction;
    for (int l = 0; l < batch->count; l++) {
        if (result->grip[l] != FND_GRIP_OTHER) continue;
        fnd_stick_slip_output out = {{0, 0}, 0, 0};
        const double normal = result->force_C[2][l];
        const fnd_stick_slip_input in = {
            {result->slip[0][l], result->slip[1][l]}, normal > 0 ? normal : 0, batch->states[l], batch->located};
        if (batch->memories[l])
            out = fnd_stick_slip_force(slot->parameters, &in, (const void *)(batch->memories[l] + slot->memory_offset));
        result->force_C[0][l] = 0 + out.force.x;
        result->force_C[1][l] = 0 + out.force.y;
        result->friction_power[l] = 0 + out.power;
    }
}

/* Values that all rows of single contacts share. */
static void write_constants(fnd_contact *row)
{
    row->weight_fades = row->shared = row->buried = row->probe = false;
    row->gain = 1;
    row->turn = fender_vec3_make(0, 0, 0);
    row->border = 0;
    fender_contact_input *in = &row->in;
    in->normal_force = 0;
    in->weight = 1;
    in->area = 0;
    in->index = 0;
    in->states = NULL;
}

/* Values that all rows with forces from a batch share. */
static void write_lawful_constants(fnd_contact *row)
{
    write_constants(row);
    row->mode = 0;
    row->batch = true;
    fender_contact_input *in = &row->in;
    in->prescribed_normal = 0;
    in->prescribed_friction = (fender_vec2){0, 0};
    row->supplied_power = 0;
    row->torque = fender_vec3_make(0, 0, 0);
}

/* What a query says of a contact that is not a single one with full weight. Its commit is not batched. */
static void write_part(const fnd_batch_result *result, int lane, fnd_contact *row)
{
    const fnd_placed *placed = &result->placed[lane];
    row->batch = false;
    row->shared = placed->shared;
    row->weight_fades = placed->weight_fades;
    row->in.weight = result->weight[lane];
    row->in.area = placed->area;
    row->border = placed->border;
    row->turn = placed->turn;
    row->in.index = placed->index;
}

#define GET(vector, lanes) (vector).x = (lanes)[0][lane], (vector).y = (lanes)[1][lane], (vector).z = (lanes)[2][lane]

void fnd_batch_write(const fnd_batch *batch, const fnd_batch_result *result, int lane, const fnd_record *record,
                     double time, fnd_contact *row)
{
    assert(lane >= 0);
    const fnd_candidate *pair = batch->pairs[lane];
    if (!batch->forces) {
        write_constants(row);
        row->batch = false;
    } else if (!row->batch) { /* else the row was one in an earlier evaluation */
        write_lawful_constants(row);
    }
    row->shared = batch->placed;
    if (batch->placed && !result->placed[lane].single) write_part(result, lane, row);
    row->whole = pair->whole;
    row->grip = batch->sticks && row->batch ? (signed char)result->grip[lane] : FND_GRIP_OTHER;
    row->key.a = pair->a;
    row->key.b = pair->b;
    if (!batch->placed) row->key.feature = 0;
    row->type = pair->type;
    row->body_a = pair->body_a;
    row->body_b = pair->body_b;
    row->record = batch->record[lane];
    GET(row->normal, result->normal);
    GET(row->tangent, result->tangent);
    GET(row->lever_a, result->lever_a);
    GET(row->lever_b, result->lever_b);
    fender_contact_input *in = &row->in;
    in->time = time;
    in->depth = result->depth[lane];
    in->depth_rate = result->depth_rate[lane];
    in->approach_speed = record->approach_speed;
    in->slip.x = result->slip[0][lane];
    in->slip.y = result->slip[1][lane];
    GET(in->spin, result->spin);
    if (!batch->forces) return;
    in->normal_force = result->normal_force[lane];
    in->located = batch->located;
    row->mode = batch->sticks ? (int)batch->mode[lane] : 0;
    GET(row->force_C, result->force_C);
    GET(row->force, result->force);
    row->strength = result->strength[lane];
    row->damping_power = result->damping_power[lane];
    row->friction_power = result->friction_power[lane];
    row->power = result->power[lane];
    const fnd_contact_type *type = batch->laws;
    if (batch->placed && row->weight_fades && batch->states[lane])
        row->held = fnd_contact_held_energy(type, batch->memories[lane], batch->states[lane], row);
}

/* ---- Commit ---- */

static bool is_slack(const fnd_contact_type *type, const unsigned char *memory)
{
    return fnd_spring_damper_is_slack(memory + type->primary.memory_offset);
}

static double elastic(const fnd_contact_type *type, double depth) { return depth > 0 ? type->stiffness * depth : 0; }

static fnd_stick_slip_input stick_input(const fnd_contact_type *type, const fnd_contact *c, const double *states)
{
    const double load = c->in.normal_force > 0 ? c->in.normal_force : 0;
    return (fnd_stick_slip_input){c->in.slip, load, states + type->friction.state_offset, c->in.located};
}

bool fnd_batch_roots_hold(const fnd_contact_type *type, const unsigned char *memory, const double *states,
                          const fnd_contact *now)
{
    const double full = type->stiffness * now->in.depth + type->damping * now->in.depth_rate;
    if (!(fnd_clip_root(is_slack(type, memory), full) > 0)) return false;
    if (!type->sticks) return true;
    double roots[FND_STICK_SLIP_ROOTS];
    const fnd_stick_slip_input in = stick_input(type, now, states);
    fnd_stick_slip_roots(type->friction.parameters, &in, (const void *)(memory + type->friction.memory_offset), roots);
    return roots[0] > 0 && roots[1] > 0;
}

bool fnd_batch_is_quiet(const fnd_record *record, const fnd_contact_type *type, const unsigned char *memory,
                        const double *states, const fnd_contact *now)
{
    assert(now->batch);
    if (now->in.located) {
        const double full = type->stiffness * now->in.depth + type->damping * now->in.depth_rate;
        if ((fnd_clip_slack(&now->in, full) != 0) != is_slack(type, memory)) return false;
    }
    if (!type->sticks) return true;
    if (now->mode != record->mode || now->grip == FND_GRIP_SPRING) return false;
    if (now->grip == FND_GRIP_RESTS) return true;
    const fnd_stick_slip_input in = stick_input(type, now, states);
    return fnd_stick_slip_rests(type->friction.parameters, &in, (const void *)(memory + type->friction.memory_offset));
}

/* The force in the middle of a step whose depth is the cubic through both ends: see fnd_span_force. */
static double force_between(const fnd_contact_type *type, const unsigned char *memory, const fender_contact_input *a,
                            const fender_contact_input *b)
{
    const double h = b->time - a->time, s = 0.5, r = 0.5, rise = b->depth - a->depth;
    const double depth = a->depth + s * s * (3 - 2 * s) * rise + h * s * r * (r * a->depth_rate - s * b->depth_rate);
    const double rate = h > 0 ? 6 * s * r * rise / h + r * (1 - 3 * s) * a->depth_rate + s * (3 * s - 2) * b->depth_rate
                              : b->depth_rate;
    if (b->located) return is_slack(type, memory) ? 0 : type->stiffness * depth + type->damping * rate;
    const double force = elastic(type, depth) + type->damping * rate;
    return force < 0 ? 0 : force;
}

/* May the force be above `known` between the ends: does fnd_peaks_track have to look? */
static bool force_may_peak(const fnd_contact_type *type, const unsigned char *memory, double known,
                           const fnd_contact *from, const fnd_contact *now)
{
    const fender_contact_input *a = &from->in, *b = &now->in;
    const double first = from->force_C.z, last = now->force_C.z;
    const double h = b->time - a->time, rise = fabs(b->depth - a->depth);
    const double rates = fabs(a->depth_rate) + fabs(b->depth_rate), deeper = rise + h * rates;
    if (a->weight == b->weight && deeper < 0.25 * b->depth) {
        const double change = type->stiffness * deeper + type->damping * (rates + 1.5 * rise / h);
        if ((first > last ? first : last) + 2 * change < known) return false;
    }
    const double middle = force_between(type, memory, a, b);
    const double bend = 2 * (first - 2 * middle + last), slope = 4 * middle - 3 * first - last;
    if (!(bend < 0) || !(slope > 0) || !(slope < -2 * bend)) return false;
    return first - slope * slope / (4 * bend) > known;
}

/* May the cubic through both ends be deeper inside than the record knows? Its Hermite functions for the rates are 4/27
 * at most. */
static bool depth_may_peak(const fnd_record *record, const fender_contact_input *a, const fender_contact_input *b)
{
    if (!(a->depth_rate > 0 && b->depth_rate < 0)) return false;
    const double deeper = a->depth > b->depth ? a->depth : b->depth;
    const double most = deeper + (4.0 / 27) * (b->time - a->time) * (a->depth_rate - b->depth_rate);
    return !(most * (1 + 1e-9) < record->peak_depth);
}

/* Largest force and depth: what is largest at the end is noted here, what may be larger inside is left to
 * fnd_peaks_track. */
static void follow_peaks(const fnd_contact_model *model, fnd_record *record, const fnd_contact_type *type,
                         unsigned char *memory, const double *states, const fnd_contact *from, const fnd_contact *now)
{
    const double rate_a = fabs(from->in.depth_rate), rate_b = fabs(now->in.depth_rate);
    const bool long_enough = (rate_a > rate_b ? rate_a : rate_b) * (now->in.time - from->in.time) > 1e-10;
    const bool rotations = depth_may_peak(record, &from->in, &now->in);
    const double force = now->force_C.z, depth = now->in.depth;
    const double known = force > record->peak_force ? force : record->peak_force;
    const bool looks = long_enough && (rotations || force_may_peak(type, memory, known, from, now));
    if (!looks && !(force > record->peak_force) && !(depth > record->peak_depth)) return;
    const double grain = fnd_depth_grain(model, now);
    if (looks || grain > 0) {
        const double *before = states ? fnd_memory_states(type, memory) : NULL;
        const fnd_span span = {type, memory, {before, states}, {from, now}, grain};
        fnd_peaks_track(record, &span, NULL);
        return;
    }
    if (force > record->peak_force) {
        record->peak_force = force;
        record->peak_force_time = now->in.time;
        record->force_sampling_error = record->time_sampling_error = 0;
    }
    if (depth > record->peak_depth) {
        record->peak_depth = depth;
        record->depth_sampling_error = 0;
    }
}

void fnd_batch_commit(const fnd_contact_model *model, fnd_record *record, const fnd_contact_type *type,
                      unsigned char *memory, const double *states, const fnd_step_stages *stages,
                      const fnd_batch_sums *sums, const fnd_contact *now)
{
    assert(now->batch && now->record >= 0);
    assert(stages->count > 0 && fnd_same_key(&sums->from->key, &now->key));
    record->impulse += sums->push;
    record->force_impulse.x += sums->force[0];
    record->force_impulse.y += sums->force[1];
    record->force_impulse.z += sums->force[2];
    record->damping_loss += sums->damping;
    record->friction_loss += sums->friction;
    record->work += sums->power;
    const double step = stages->end_time - stages->start_time;
    if (step > record->longest_step) record->longest_step = step;
    record->last_time = stages->end_time;
    follow_peaks(model, record, type, memory, states, sums->from, now);
    record->stored = 0.5 * elastic(type, now->in.depth) * now->in.depth;
    if (states) {
        const fnd_stick_slip_input in = stick_input(type, now, states);
        record->stored += fnd_stick_slip_energy(type->friction.parameters, &in);
        memcpy(fnd_memory_states(type, memory), states, (size_t)type->state_count * sizeof *states);
    }
    const double residual = fabs(fnd_record_residual(record)), worked = fabs(record->work);
    if (residual > record->largest_residual) record->largest_residual = residual;
    if (worked > record->energy) record->energy = worked;
    if (record->stored > record->energy) record->energy = record->stored;
    record->normal = now->normal;
    record->tangent = now->tangent;
}
