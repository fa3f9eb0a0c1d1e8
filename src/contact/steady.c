/* Contacts of steady steps: whether there are such, what is known of them, and the way back to their records. */
#include "contact/steady.h"

#include "base/memory.h"

#include <string.h>

/* ---- room to move */

/* A shape's origin goes no further than its body, and twice the difference of the quaternions times its lever. Half of
 * what is left is for each. */
static bool find_rooms(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames)
{
    fnd_steady_room *rooms = set->steady->rooms;
    for (int i = 0; i < set->steady->room_count; i++) rooms[i].least = INFINITY, rooms[i].lever = 0;
    for (int i = 0; i < model->shape_count; i++) {
        const fnd_watch *watch = &set->watches[i];
        fnd_steady_room *room = &rooms[watch->root];
        if (!room->moves || !watch->present) continue;
        if (!watch->round) return false;
        const fnd_frame *frame = &frames[watch->root];
        const fender_vec3 at = fender_vec3_add(frame->p, fender_mat3_times(&frame->R_WB, watch->lever));
        const double left = watch->slack - fender_vec3_length(fender_vec3_sub(at, set->broad.volumes[i].center));
        const double length = fender_vec3_length(watch->lever);
        if (!(left > 0)) return false;
        if (left < room->least) room->least = left;
        if (length > room->lever) room->lever = length;
    }
    for (int i = 0; i < set->steady->room_count; i++) {
        fnd_steady_room *room = &rooms[i];
        room->p = frames[i].p;
        room->q = frames[i].q;
        const double way = 0.49 * room->least, turn = room->lever > 0 ? 0.24 * room->least / room->lever : INFINITY;
        room->way2 = way * way;
        room->turn2 = turn * turn;
    }
    return true;
}

/* Do all shapes stay in their volumes, so that no other pair can touch? */
static bool candidates_hold(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                            const fnd_frame *frames, double step)
{
    const fnd_steady *steady = set->steady;
    bool inside = true;
    for (int i = 0; i < steady->room_count; i++) {
        const fnd_steady_room *room = &steady->rooms[i];
        const fnd_frame *frame = &frames[i];
        if (!room->moves) continue;
        const fender_vec3 moved = fender_vec3_sub(frame->p, room->p);
        const double w = frame->q.w - room->q.w, x = frame->q.x - room->q.x, y = frame->q.y - room->q.y,
                     z = frame->q.z - room->q.z;
        inside &= (fender_vec3_dot(moved, moved) <= room->way2) & (w * w + x * x + y * y + z * z <= room->turn2);
    }
    if (inside) return true;
    const uint64_t version = set->candidate_version;
    if (!fnd_candidates_update(env, set, model, frames, step, 0)) return false;
    const bool same = version == set->candidate_version ||
                      (set->broad.removed_count == 0 && set->broad.added_count == 0);
    return same && find_rooms(set, model, frames);
}

/* ---- beginning */

/* Worlds with more contacts are seldom steady. */
enum { MOST_CONTACTS = 1024 };

bool fnd_steady_reserve(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model, int contacts)
{
    if (!set->any_quick) return true;
    if (!set->steady) {
        if (!(set->steady = fnd_allocate(env, sizeof *set->steady))) return false;
        *set->steady = (fnd_steady){0};
    }
    fnd_steady *steady = set->steady;
    if (contacts > MOST_CONTACTS) contacts = MOST_CONTACTS;
    void *packs = steady->packs, *others = steady->others, *rooms = steady->rooms;
    /* the last of each type is not full, of contacts and of pairs that do not touch */
    const int wanted = contacts / FND_QUICK_LANES + 2 * model->type_count;
    bool ok = fnd_reserve(env, &packs, &steady->capacity, wanted, sizeof *steady->packs);
    steady->packs = packs;
    ok = ok && fnd_reserve(env, &others, &steady->other_capacity, 4 * contacts, sizeof *steady->others);
    steady->others = others;
    ok = ok && fnd_reserve(env, &rooms, &steady->room_capacity, model->body_count, sizeof *steady->rooms);
    steady->rooms = rooms;
    return ok;
}

void fnd_steady_destroy(const fender_env *env, fnd_steady *steady)
{
    if (!steady) return;
    fnd_release(env, steady->packs, (size_t)steady->capacity * sizeof *steady->packs);
    fnd_release(env, steady->others, (size_t)steady->other_capacity * sizeof *steady->others);
    fnd_release(env, steady->rooms, (size_t)steady->room_capacity * sizeof *steady->rooms);
    fnd_release(env, steady, sizeof *steady);
}

static void put(fnd_quick_lanes *to, int lane, fender_vec3 v)
{
    to[0][lane] = v.x;
    to[1][lane] = v.y;
    to[2][lane] = v.z;
}

static fender_vec3 get(const fnd_quick_lanes *from, int lane)
{
    return fender_vec3_make(from[0][lane], from[1][lane], from[2][lane]);
}

static void put_record(fnd_steady_pack *p, int l, const fnd_record *r)
{
    put(p->batch.held_normal, l, r->normal);
    put(p->batch.held_tangent, l, r->tangent);
    put(p->all_force_impulse, l, r->force_impulse);
    p->all_impulse[l] = r->impulse;
    p->damping_loss[l] = r->damping_loss;
    p->friction_loss[l] = r->friction_loss;
    p->all_work[l] = r->work;
    p->stored[l] = r->stored;
    p->stored_at_start[l] = r->stored_at_start + 0.0; /* as a step does that supplies nothing */
    p->energy[l] = r->energy;
    p->largest_residual[l] = r->largest_residual;
    p->peak_force[l] = r->peak_force;
    p->peak_force_time[l] = r->peak_force_time;
    p->peak_depth[l] = r->peak_depth;
    p->force_error[l] = r->force_sampling_error;
    p->time_error[l] = r->time_sampling_error;
    p->depth_error[l] = r->depth_sampling_error;
}

static void get_record(const fnd_steady_pack *p, int l, fnd_record *r)
{
    r->normal = get(p->batch.held_normal, l);
    r->tangent = get(p->batch.held_tangent, l);
    r->force_impulse = get(p->all_force_impulse, l);
    r->impulse = p->all_impulse[l];
    r->damping_loss = p->damping_loss[l];
    r->friction_loss = p->friction_loss[l];
    r->work = p->all_work[l];
    r->stored = p->stored[l];
    r->stored_at_start = p->stored_at_start[l];
    r->energy = p->energy[l];
    r->largest_residual = p->largest_residual[l];
    r->peak_force = p->peak_force[l];
    r->peak_force_time = p->peak_force_time[l];
    r->peak_depth = p->peak_depth[l];
    r->force_sampling_error = p->force_error[l];
    r->time_sampling_error = p->time_error[l];
    r->depth_sampling_error = p->depth_error[l];
}

/* With one more shape than `count`. */
static fnd_steady_arms arms_with(fnd_steady_arms arms, int count, bool has_arm)
{
    const fnd_steady_arms all = has_arm ? FND_STEADY_ARMS_ALL : FND_STEADY_ARMS_NONE;
    return count == 0 || arms == all ? all : FND_STEADY_ARMS_SOME;
}

/* Adds the pair to the last pack, `first` being that of its kind, or to the next if that is full or of another type.
 * False: there is no room. */
static bool add_pair(fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames, fender_vec3 origin,
                     const fnd_candidate *pair, int first, int *count)
{
    const fnd_steady *steady = set->steady;
    fnd_steady_pack *pack = *count > 0 ? &steady->packs[first + *count - 1] : NULL;
    if (!pack || !fnd_quick_fits(&pack->batch, pair)) {
        if (first + *count == steady->capacity) return false;
        pack = &steady->packs[first + (*count)++];
        memset(pack, 0, sizeof *pack);
        pack->batch.any_arms = true; /* to be cleared */
        pack->batch.plane = UINT32_MAX;
        pack->batch.frames = (const double *)(const void *)frames;
        pack->batch.turns = (const double *)(const void *)set->turns;
        pack->same = true;
        pack->origin = origin;
        fnd_quick_batch_begin(&pack->batch, model, pair->type);
    }
    const int l = pack->batch.count;
    const fnd_shape *a = &model->shapes[pair->a], *b = &model->shapes[pair->b];
    fnd_quick_batch_put(&pack->batch, model, frames, pair);
    pack->body_a[l] = pair->body_a;
    pack->body_b[l] = pair->body_b;
    put(pack->place_a, l, a->p_BG);
    put(pack->place_b, l, b->p_BG);
    pack->arms_at_a[l] = !a->centered;
    pack->arms_at_b[l] = !b->centered;
    pack->arms_a = arms_with(pack->arms_a, l, !a->centered);
    pack->arms_b = arms_with(pack->arms_b, l, !b->centered);
    pack->moves_a[l] = fnd_body_dynamic(&model->bodies[pair->body_a]);
    pack->moves_b[l] = fnd_body_dynamic(&model->bodies[pair->body_b]);
    pack->external |= pack->moves_a[l] != pack->moves_b[l];
    pack->same &= pack->body_a[l] == pack->body_a[0] && pack->body_b[l] == pack->body_b[0];
    if (pair->record >= 0) put_record(pack, l, &set->records.items[pair->record]);
    return true;
}

/* Planes whose body moves turn with it. */
static bool has_moving_plane(const fnd_contact_model *model, const fnd_candidate *pair)
{
    const int body = pair->quick == FND_QUICK_BALL_PLANE ? pair->body_b : pair->body_a;
    return pair->quick != FND_QUICK_BALLS && fnd_body_dynamic(&model->bodies[body]);
}

/* Contacts to packs, pairs without a contact beside them. False: some pair is of another kind, or there is no room. */
static bool sort_pairs(fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames,
                       fender_vec3 origin)
{
    fnd_steady *steady = set->steady;
    steady->count = steady->apart_count = steady->other_count = 0;
    int contacts = 0;
    for (int i = 0; i < set->candidate_count; i++) {
        const fnd_candidate *pair = &set->candidates[i];
        if (!pair->quick || has_moving_plane(model, pair)) return false;
        if (pair->record < 0) continue;
        const fnd_record *record = &set->records.items[pair->record];
        if (record->suppressed || record->type != pair->type) return false;
        if (!add_pair(set, model, frames, origin, pair, 0, &steady->count)) return false;
        contacts++;
    }
    for (int i = 0; i < set->candidate_count; i++) {
        const fnd_candidate *pair = &set->candidates[i];
        if (pair->record >= 0) continue;
        if (pair->bound < INFINITY) {
            if (steady->other_count == steady->other_capacity) return false;
            steady->others[steady->other_count++] = i;
        } else if (!add_pair(set, model, frames, origin, pair, steady->count, &steady->apart_count)) {
            return false;
        }
    }
    return contacts == set->records.count;
}

static const fnd_steady_functions *functions_of(const fnd_quick_batch *batch)
{
#ifdef FND_WIDE
    if (batch->function == fnd_quick_evaluate_avx512) return &fnd_steady_avx512;
    if (batch->function == fnd_quick_evaluate_avx2) return &fnd_steady_avx2;
#endif
    (void)batch;
    return &fnd_steady_plain;
}

bool fnd_steady_begin(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                      const fnd_frame *frames, fender_vec3 origin, double depth_limit)
{
    fnd_steady *steady = set->steady;
    if (set->records.count > MOST_CONTACTS) return false;
    fnd_quick_match(set);
    steady->functions = functions_of(set->batch);
    steady->depth_limit = depth_limit;
    steady->longest_step = 0;
    steady->room_count = model->body_count;
    for (int i = 0; i < model->body_count; i++) {
        fnd_quick_turn(set, frames, i);
        steady->rooms[i].moves = fnd_body_integrated(&model->bodies[i]);
    }
    return find_rooms(set, model, frames) && sort_pairs(set, model, frames, origin) &&
           fnd_steady_evaluate(env, set, model, frames, model->step);
}

/* ---- steps */

bool fnd_steady_evaluate(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                         const fnd_frame *frames, double step)
{
    const fnd_steady *steady = set->steady;
    const fnd_steady_functions *functions = steady->functions;
    if (!candidates_hold(env, set, model, frames, step)) return false;
    for (int i = 0; i < steady->other_count; i++)
        if (!fnd_quick_are_apart(&set->candidates[steady->others[i]], frames)) return false;
    for (int i = 0; i < steady->room_count; i++)
        if (steady->rooms[i].moves) fnd_quick_turn(set, frames, i);
    for (int i = 0; i < steady->apart_count; i++)
        if (!functions->are_apart(&steady->packs[steady->count + i])) return false;
    for (int i = 0; i < steady->count; i++)
        if (!functions->evaluate(&steady->packs[i], steady->depth_limit)) return false;
    return true;
}

void fnd_steady_begin_step(fnd_steady *steady)
{
    for (int i = 0; i < steady->count; i++) steady->functions->begin_step(&steady->packs[i]);
}

void fnd_steady_weigh(fnd_steady *steady, double weight, double *load)
{
    for (int i = 0; i < steady->count; i++) {
        fnd_steady_pack *pack = &steady->packs[i];
        steady->functions->weigh(pack, weight);
        const double *strength = pack->batch.strength, size = fabs(weight);
        if (pack->same) { /* numbers of their own, so that none waits for memory */
            double on_a = load[pack->body_a[0]], on_b = load[pack->body_b[0]];
            for (int l = 0; l < pack->batch.count; l++) on_a += size * strength[l], on_b += size * strength[l];
            load[pack->body_a[0]] = on_a;
            load[pack->body_b[0]] = on_b;
            continue;
        }
        for (int l = 0; l < pack->batch.count; l++) {
            load[pack->body_a[l]] += size * strength[l];
            load[pack->body_b[l]] += size * strength[l];
        }
    }
}

bool fnd_steady_goes_on(const fnd_steady *steady, double length)
{
    for (int i = 0; i < steady->count; i++)
        if (!steady->functions->goes_on(&steady->packs[i], length)) return false;
    return true;
}

double fnd_steady_commit(fnd_contact_set *set, const fnd_frame *frames, const fnd_steady_step *step)
{
    fnd_steady *steady = set->steady;
    double work = 0;
    for (int i = 0; i < steady->count; i++) {
        fnd_steady_pack *pack = &steady->packs[i];
        steady->functions->commit(pack, step);
        for (int l = 0; l < pack->batch.count; l++) work += pack->work[l];
    }
    steady->taken++;
    if (step->length > steady->longest_step) steady->longest_step = step->length;
    for (int i = 0; i < steady->room_count; i++)
        if (steady->rooms[i].moves) set->since[i] = frames[i].q;
    return work;
}

void fnd_steady_end(fnd_contact_set *set, double time)
{
    const fnd_steady *steady = set->steady;
    for (int i = 0; i < steady->count; i++) {
        const fnd_steady_pack *pack = &steady->packs[i];
        for (int l = 0; l < pack->batch.count; l++) {
            /* not by its pair: the last look for candidates may have moved those */
            fnd_record *record = &set->records.items[pack->batch.at_record[l] / FND_QUICK_RECORD];
            get_record(pack, l, record);
            record->last_time = time;
            if (steady->longest_step > record->longest_step) record->longest_step = steady->longest_step;
        }
    }
}
