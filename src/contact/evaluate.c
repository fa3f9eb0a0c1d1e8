/* Evaluation of contacts at any trial state: from poses to forces, without permanent changes. */
#include "base/memory.h"
#include "collide/mesh_memory.h"
#include "collide/mesh_touch.h"
#include "contact/batch.h"
#include "contact/contact_set.h"
#include "contact/parallel.h"
#include "contact/touches.h"
#include <assert.h>
#include <string.h>

/* Surfaces of the last row of a list, in the list's own room. False: no memory. */
static bool contact_list_see(const fender_env *env, fnd_contact_list *list, const fnd_contact_model *model,
                             const fnd_frame *frame_a, const fnd_frame *frame_b)
{
    assert(list->count > 0);
    if (!fnd_contact_list_reserve_surfaces(env, list)) return false;
    const int last = list->count - 1;
    fnd_contact_surface_see(model, frame_a, frame_b, &list->items[last], &list->surfaces[last]);
    return true;
}

static bool in_range(const fnd_contact_model *model, const fnd_shape *a, const fnd_shape *b, const fnd_posed *posed_a,
                     const fnd_posed *posed_b)
{
    if (model->contact_limit_factor == 0) return true;
    double limit = model->contact_limit_factor * (a->bounding_radius + b->bounding_radius);
    fender_vec3 d = fender_vec3_sub(posed_b->p_WG, posed_a->p_WG);
    return fender_vec3_dot(d, d) <= limit * limit;
}

/* True if a new contact of a probe is deeper than the motion of one step. Its ray then started within the solid, or the
 * surface entered the line of sight sideways. A force would create energy. */
static bool has_jumped(const fnd_contact_model *model, const fender_separation *s, const fender_contact_input *in)
{
    double rate = in->depth_rate > 0 ? in->depth_rate : 0;
    return s->deep || in->depth > 2 * model->step * rate + FND_PROBE_GRAIN;
}

/* True if a new contact of a probe that looks along the surface is lost within one step: the start of its ray enters
 * the surface almost together with its tip. Its force would act in that step alone. */
static bool would_be_lost(const fnd_contact_model *model, const fnd_candidate *pair, const fnd_frame *frames,
                          const fnd_contact *c)
{
    const bool first = model->shapes[pair->a].geometry->type == FENDER_GEOMETRY_PROBE;
    const fnd_shape *probe = &model->shapes[first ? pair->a : pair->b];
    const fender_mat3 R_WG = fnd_shape_rotation(probe, &frames[first ? pair->body_a : pair->body_b]);
    const double facing = fabs(fender_vec3_dot(c->normal, fender_mat3_column(&R_WG, 2)));
    const double length = probe->geometry->range + probe->geometry->cushion;
    if (probe->geometry->literal || !(facing < FENDER_PROBE_SLANT)) return false;
    return FENDER_PROBE_SLANT * c->in.depth_rate * model->step > 0.5 * length * facing;
}

/* Inputs and outputs of one evaluation. */
typedef struct evaluation {
    const fender_env *env;
    fnd_contact_set *set;
    const fnd_contact_model *model;
    const fnd_frame *frames;
    double time;
    fnd_regime regime;
    fnd_contact_list *out;
    bool batches;
    int next_record; /* in the order of keys */
    int first_ordinal;
    fnd_contact_list *spill; /* of one of several threads: where rows go for which `out` has no room; else NULL */
} evaluation;

/* Room for one more row. False: no memory. */
static bool grow_rows(const evaluation *e)
{
    fnd_contact_list *out = e->out, *spill = e->spill;
    void *items = spill ? spill->items : out->items;
    if (!spill) {
        if (!fnd_reserve_one_more(e->env, &items, &out->capacity, out->count, sizeof *out->items)) return false;
        out->items = items;
        return true;
    }
    const bool spilled = items && out->items == spill->items + spill->count;
    const int wanted = spill->count + out->count + 1;
    const int kept = spill->count + (spilled ? out->count : 0);
    if (spill->capacity < wanted &&
        !fnd_reserve(e->env, &items, &spill->capacity, kept, wanted + wanted / 2 + 8, sizeof *spill->items))
        return false;
    spill->items = items;
    if (!spilled && out->count > 0)
        memcpy(spill->items + spill->count, out->items, (size_t)out->count * sizeof *out->items);
    out->items = spill->items + spill->count;
    out->capacity = spill->capacity - spill->count;
    return true;
}

/* Appends a row, uninitialized. NULL: no memory. */
static inline fnd_contact *add_row(evaluation *e)
{
    fnd_contact_list *out = e->out;
    if (out->count == out->capacity && !grow_rows(e)) return NULL;
    fnd_contact *row = &out->items[out->count];
    row->in.surface = NULL;
    row->driven = false;
    row->ordinal = e->first_ordinal + out->count++ - out->pair_count;
    return row;
}

/* Fills the row of a contact of a pair: kinematics and forces. */
static bool fill_row(evaluation *e, const fnd_candidate *pair, const fender_separation *separation, fender_vec3 origin,
                     const fnd_record *record, fnd_contact *c)
{
    assert(pair->a < pair->b);
    assert(!record || record->key.feature == separation->feature);
    assert(!record || (record >= e->set->records.items && record < e->set->records.items + e->set->records.used));
    c->batch = false;
    const int position = record ? (int)(record - e->set->records.items) : -1;
    c->key = (fnd_key){pair->a, pair->b, separation->feature};
    c->type = pair->type;
    c->body_a = pair->body_a;
    c->body_b = pair->body_b;
    c->record = position;
    fnd_contact_pose(c, separation, origin, record, e->set->since, &e->frames[pair->body_a], &e->frames[pair->body_b]);
    fnd_contact_add_drive(e->model, &e->frames[pair->body_a], &e->frames[pair->body_b], c);
    if (c->in.depth > e->out->deepest) e->out->deepest = c->in.depth;
    if (c->gain > e->out->gain) e->out->gain = c->gain;
    c->in.time = e->time;
    c->in.normal_force = 0;
    c->in.states = NULL;
    c->in.located = e->regime != FND_REGIME_CLIPPED && !pair->unlocated;
    c->weight_fades = separation->weight_fades;
    c->shared = separation->shared;
    c->whole = pair->whole;
    c->grip = FND_GRIP_OTHER;
    c->probe = pair->probe;
    c->buried = pair->probe && !record &&
                (has_jumped(e->model, separation, &c->in) || would_be_lost(e->model, pair, e->frames, c));
    const fnd_contact_type *type = &e->model->types[c->type];
    if (type->sees_surface &&
        !contact_list_see(e->env, e->out, e->model, &e->frames[pair->body_a], &e->frames[pair->body_b]))
        return false;
    fnd_contact_provide(type, c);
    unsigned char *scratch = e->set->scratch_memory;
    const unsigned char *memory = record ? fnd_record_memory(&e->set->records, position) : scratch;
    double room[FND_SLOT_COUNT * FENDER_LAW_STATE_CAPACITY];
    const double *states = record ? fnd_contact_states(e->set, type, position, c->in.weight, room)
                                  : fnd_memory_states(type, scratch);
    c->in.approach_speed = record ? record->approach_speed : (c->in.depth_rate > 0 ? c->in.depth_rate : 0);
    if (!record) fnd_contact_begin(type, c, scratch);
    if (c->buried || (record && record->suppressed)) {
        c->force = c->torque = c->force_C = fender_vec3_make(0, 0, 0);
        c->strength = c->damping_power = c->friction_power = c->supplied_power = c->power = 0;
        c->mode = record ? record->mode : 0;
    } else {
        fnd_contact_force(type, memory, states, c);
    }
    return true;
}

static bool evaluate_contact(evaluation *e, const fnd_candidate *pair, const fender_separation *separation,
                             fender_vec3 origin, const fnd_record *record)
{
    fnd_contact *row = add_row(e);
    e->out->pair_count += separation->feature == FENDER_FEATURE_PAIR;
    return row && fill_row(e, pair, separation, origin, record, row);
}

/* True if the bounding spheres of the shapes are farther apart, with a margin for rounding. */
static bool apart(const fnd_shape *a, const fnd_shape *b, const fnd_frame *frame_a, const fnd_frame *frame_b,
                  double reach)
{
    double most = a->bounding_radius + b->bounding_radius + reach;
    if (!(most < INFINITY)) return false;
    fender_vec3 d = fender_vec3_sub(frame_b->p, frame_a->p);
    if (!a->centered) d = fender_vec3_sub(d, fender_mat3_times(&frame_a->R_WB, a->p_BG));
    if (!b->centered) d = fender_vec3_add(d, fender_mat3_times(&frame_b->R_WB, b->p_BG));
    return fender_vec3_dot(d, d) > most * most * (1 + 1e-6);
}

/* Is it certain what a ball has of a grid or mesh, by what is remembered: nothing, or one contact within one triangle?
 * Places as in fnd_shapes_pose_pair. */
static bool known_of_surface(fnd_contact_set *set, const fnd_candidate *pair, const fnd_shape *a, const fnd_shape *b,
                             const fnd_frame *frame_a, const fnd_frame *frame_b, double reach, bool limited,
                             fender_vec3 *origin)
{
    const bool first = pair->family == FND_FAMILY_BALL_SURFACE;
    if (!first && pair->family != FND_FAMILY_SURFACE_BALL) return false;
    fnd_triangle_memory *memory = fnd_pair_memory(set, pair->a, pair->b);
    if (!memory || pair->points == FND_QUERY_DISTANCE) return false;
    const bool stands = memory->foothold.room > 0 && !first && !limited && pair->points == FND_QUERY_PATCH;
    if (!memory->apart && !stands) return false;
    const fnd_shape *ball = first ? a : b, *surface = first ? b : a;
    const fnd_frame *frame = first ? frame_b : frame_a;
    fender_mat3 turned;
    const fender_mat3 *R_WG = &frame->R_WB;
    if (!surface->aligned) turned = fender_mat3_product(&frame->R_WB, &surface->R_BG), R_WG = &turned;
    fender_vec3 at_a = {0, 0, 0}, at_b = fender_vec3_sub(frame_b->p, frame_a->p);
    if (!a->centered) at_a = fender_mat3_times(&frame_a->R_WB, a->p_BG);
    if (!b->centered) at_b = fender_vec3_add(at_b, fender_mat3_times(&frame_b->R_WB, b->p_BG));
    const fender_vec3 between = first ? fender_vec3_sub(at_a, at_b) : fender_vec3_sub(at_b, at_a),
                      center = fender_mat3_transpose_times(R_WG, between);
    *origin = at_a;
    const double radius = ball->geometry->radius;
    if (memory->apart &&
        fnd_surface_is_clear(surface->geometry->surface, center, (1 + 1e-9) * (radius + reach), memory))
        return true;
    return stands && fnd_surface_sphere_stands(surface->geometry, R_WG, center, radius, reach, memory, &set->manifold);
}

bool fnd_contacts_of_pair(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                          const fnd_candidate *pair, const fnd_frame *frame_a, const fnd_frame *frame_b, double reach,
                          fender_vec3 *origin)
{
    assert(pair->a < pair->b && (int)pair->b < model->shape_count);
    const fnd_shape *a = &model->shapes[pair->a], *b = &model->shapes[pair->b];
    set->probed.kept = false;
    set->manifold.count = 0;
    set->manifold.has_deepest = false;
    set->manifold.env = env;
    if (!known_of_surface(set, pair, a, b, frame_a, frame_b, reach, model->contact_limit_factor != 0, origin)) {
        if (apart(a, b, frame_a, frame_b, reach)) return true;
        fnd_posed posed_a, posed_b;
        fnd_shapes_pose_pair(a, b, frame_a, frame_b, &posed_a, &posed_b);
        *origin = posed_a.p_WG;
        if (!in_range(model, a, b, &posed_a, &posed_b)) return true;
        fnd_query query = {pair->points, reach, NULL, fnd_pair_memory(set, pair->a, pair->b), pair->release_gap};
        set->manifold.turns = pair->turns;
        set->manifold.splits = pair->splits;
        set->manifold.touching = pair->touching;
        set->manifold.exponent = pair->exponent;
        fnd_pair_evaluate(&pair->entry, &posed_a, &posed_b, &query, &set->manifold);
    }
    bool complete = !set->manifold.failed;
    set->manifold.failed = false;
    return complete;
}

/* Those of a large patch are many, and begin and end at every step: all of them are of one query. */
static bool is_kept(const fnd_probed *p, const fnd_key *key, int type, double time, const fnd_frame *frame_a,
                    const fnd_frame *frame_b)
{
    return p->kept && p->a == key->a && p->b == key->b && p->type == type && p->time == time &&
           memcmp(&p->frames[0], frame_a, sizeof *frame_a) == 0 && memcmp(&p->frames[1], frame_b, sizeof *frame_b) == 0;
}

/* The first one of that feature; the count: there is none. */
static int find_feature(const fnd_manifold *found, uint64_t feature)
{
    int low = 0, high = found->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (found->items[middle].feature < feature) low = middle + 1;
        else high = middle;
    }
    return low < found->count && found->items[low].feature == feature ? low : found->count;
}

bool fnd_contact_probe_key(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                           const fnd_frame *frame_a, const fnd_frame *frame_b, const fnd_key *key, int type,
                           fnd_contact *out)
{
    assert(key->a < key->b && (int)key->b < model->shape_count);
    fnd_candidate pair = fnd_candidate_of(model, key->a, key->b, type);
    fnd_probed *p = &set->probed;
    const double time = fnd_model_moves(model) ? model->parts->time : 0; /* shapes move on their bodies */
    if (!is_kept(p, key, type, time, frame_a, frame_b)) {
        fender_vec3 origin;
        if (!fnd_contacts_of_pair(env, set, model, &pair, frame_a, frame_b, pair.follow_distance, &origin)) {
            set->out_of_memory = true;
            return false;
        }
        fnd_touches_name(set, model, &pair, frame_a, frame_b, 0);
        *p = (fnd_probed){p->keeps, p->keeps, key->a, key->b, type, time, {*frame_a, *frame_b}, origin};
    }
    const int at = find_feature(&set->manifold, key->feature);
    if (at == set->manifold.count) return false;
    fnd_contact_of_separation(model, &pair, &set->manifold.items[at], p->origin, frame_a, frame_b, out);
    return true;
}

/* m; separation at which a contact begins or ends. One that its law has ended stays away only until the shapes are
 * apart.
 */
static double end_gap(const fnd_candidate *pair, const fnd_record *record)
{
    return record && !record->suppressed ? pair->release_gap : pair->onset_gap;
}

/* True if the separation is a contact. With frozen contacts: those with a record; for a pair with pair events, also
 * overlapping points. */
static bool counts(const evaluation *e, const fnd_candidate *pair, const fender_separation *s, const fnd_record *record)
{
    if (s->weight_fades) return true;
    if (e->regime != FND_REGIME_FROZEN || pair->unlocated) return s->distance < end_gap(pair, record);
    return record || (pair->whole && s->distance < pair->onset_gap);
}

/* The record of the contact with that key, if it has the type of the pair. Otherwise the rule has changed its type, and
 * the contact begins again. Keys increase; mostly it is the next record. */
static inline const fnd_record *record_of(evaluation *e, const fnd_candidate *pair, const fnd_key *key)
{
    assert(key->a < key->b);
    assert(e->next_record >= 0 && e->next_record <= e->set->records.count);
    const fnd_record_list *records = &e->set->records;
    if (e->next_record == records->count) return NULL;
    const fnd_record *record = fnd_record_at(records, e->next_record);
    if (!fnd_same_key(&record->key, key)) {
        e->next_record = fnd_record_list_find(records, e->next_record, key);
        if (e->next_record == records->count) return NULL;
        record = fnd_record_at(records, e->next_record);
        if (!fnd_same_key(&record->key, key)) return NULL;
    }
    if (record->type != pair->type) return NULL;
    e->next_record++;
    return record;
}

static const fnd_record *pair_record(evaluation *e, const fnd_candidate *pair)
{
    const fnd_key key = {pair->a, pair->b, FENDER_FEATURE_PAIR};
    return record_of(e, pair, &key);
}

/* Has the pair a record? As pair_record, but it is not passed. */
static bool has_record(const evaluation *e, const fnd_candidate *pair)
{
    const fnd_record_list *records = &e->set->records;
    const fnd_key key = {pair->a, pair->b, FENDER_FEATURE_PAIR};
    const int at = fnd_record_list_find(records, e->next_record, &key);
    if (at == records->count) return false;
    const fnd_record *record = fnd_record_at(records, at);
    return fnd_same_key(&record->key, &key) && record->type == pair->type;
}

bool fnd_pair_is_over(const fnd_record_list *records, const fnd_candidate *pair, int from)
{
    const fnd_key first = {pair->a, pair->b, 0};
    bool some = false;
    if (!(pair->release_gap > pair->onset_gap)) return false; /* it ends where it begins */
    for (int i = fnd_record_list_find(records, from, &first); i < records->count; i++) {
        const fnd_record *record = fnd_record_at(records, i);
        if (record->key.a != pair->a || record->key.b != pair->b || record->key.feature == FENDER_FEATURE_PAIR) break;
        if (!record->suppressed) return false;
        some = true;
    }
    return some;
}

/* Copies the place and motion of a contact. */
static void copy_pose(const fnd_contact *from, fnd_contact *to)
{
    to->normal = from->normal;
    to->tangent = from->tangent;
    to->lever_a = from->lever_a;
    to->lever_b = from->lever_b;
    to->gain = from->gain;
    to->in.depth = from->in.depth;
    to->in.depth_rate = from->in.depth_rate;
    to->in.slip = from->in.slip;
    to->in.spin = from->in.spin;
    to->driven = from->driven;
    to->drive = from->drive;
    to->drive_spin = from->drive_spin;
}

/* Fills the row of a pair, which has its key, record and ordinal, and if it is `posed` its place, behind those of its
 * contacts from `first` on: that of the deepest, without force. */
static void fill_pair_row(fnd_contact_list *out, int first, bool posed, fnd_contact *row)
{
    const fnd_contact *deepest = &out->items[first];
    const fnd_key key = row->key;
    const int ordinal = row->ordinal, record = row->record;
    for (const fnd_contact *c = deepest + 1; c < row; c++)
        if (c->in.depth > deepest->in.depth) deepest = c;
    if (posed) {
        const fnd_contact own = *row;
        *row = *deepest;
        copy_pose(&own, row);
        if (row->in.depth > out->deepest) out->deepest = row->in.depth;
    } else {
        *row = *deepest;
    }
    row->batch = false;
    row->key = key;
    row->ordinal = ordinal;
    row->record = record;
    row->weight_fades = true;
    row->in.weight = row->in.area = 0;
    row->in.index = row->mode = 0;
    row->force_C = row->force = row->torque = row->turn = (fender_vec3){0, 0, 0};
    row->strength = row->damping_power = row->friction_power = row->power = row->supplied_power = 0;
}

/* Do rows from that one on wait for the batch of placed contacts? */
static bool awaits_batch(const fnd_contact_set *set, int first)
{
    const fnd_batch *batch = set->placed;
    return batch->count > 0 && set->placed_result->placed[batch->count - 1].row >= first;
}

/* The row of a pair, at its deepest point; at a located touch, when its patches have no area yet, at its nearest
 * points. */
static bool add_pair_row(evaluation *e, const fnd_candidate *pair, bool over, fender_vec3 origin, int first)
{
    assert(pair->whole);
    assert(first >= 0 && first <= e->out->count);
    fnd_contact_list *out = e->out;
    const fnd_record *record = pair_record(e, pair);
    if (out->count == first) {
        if (e->regime != FND_REGIME_ENDED || pair->unlocated) return true;
        if (pair->family != FND_FAMILY_OTHER) return true; /* a ball has contacts wherever its nearest points touch */
        const double gap = record && !over ? pair->release_gap : pair->onset_gap;
        const bool solid = fnd_pair_is_solid_on_surface(pair);
        fnd_candidate nearest = *pair;
        nearest.points = solid ? FND_QUERY_SINGLE : FND_QUERY_DISTANCE;
        if (!fnd_contacts_of_pair(e->env, e->set, e->model, &nearest, &e->frames[pair->body_a],
                                  &e->frames[pair->body_b], solid ? gap : INFINITY, &origin))
            return false;
        if (e->set->manifold.count == 0) return true;
        fender_separation touch = e->set->manifold.items[0];
        if (!(touch.distance < gap)) return true;
        touch.feature = FENDER_FEATURE_PAIR;
        touch.weight = 0;
        touch.weight_fades = true;
        return evaluate_contact(e, pair, &touch, origin, record);
    }
    fnd_contact *row = add_row(e);
    if (!row) return false;
    out->pair_count++;
    const fnd_manifold *found = &e->set->manifold;
    row->key = (fnd_key){pair->a, pair->b, FENDER_FEATURE_PAIR};
    row->record = record ? (int)(record - e->set->records.items) : -1;
    if (found->has_deepest) {
        const fnd_frame *frame_a = &e->frames[pair->body_a], *frame_b = &e->frames[pair->body_b];
        row->body_a = pair->body_a;
        row->body_b = pair->body_b;
        fnd_contact_pose(row, &found->deepest, origin, record, e->set->since, frame_a, frame_b);
        fnd_contact_add_drive(e->model, frame_a, frame_b, row);
    }
    if (awaits_batch(e->set, first)) {
        fnd_batch_result *result = e->set->placed_result;
        const int at = result->whole_count++;
        result->wholes[at].first = first;
        result->wholes[at].row = out->count - 1;
        result->wholes[at].posed = found->has_deepest;
        return true;
    }
    fill_pair_row(out, first, found->has_deepest, row);
    return !row->in.surface ||
           contact_list_see(e->env, out, e->model, &e->frames[pair->body_a], &e->frames[pair->body_b]);
}

static bool evaluate_pair(evaluation *e, const fnd_candidate *pair);

/* Laws of a row whose contact has a record and the motion that a batch has found: as in evaluate_contact. */
static void push(evaluation *e, const fnd_candidate *pair, fnd_contact *c)
{
    const fnd_contact_type *type = &e->model->types[c->type];
    c->in.located = e->regime != FND_REGIME_CLIPPED && !pair->unlocated;
    fnd_contact_provide(type, c);
    double room[FND_SLOT_COUNT * FENDER_LAW_STATE_CAPACITY];
    fnd_contact_force(type, fnd_record_memory(&e->set->records, c->record),
                      fnd_contact_states(e->set, type, c->record, c->in.weight, room), c);
}

/* Separations up to which contacts of a pair are looked for. */
static double reach_of(const evaluation *e, const fnd_candidate *pair)
{
    return e->regime == FND_REGIME_FROZEN && !pair->unlocated ? pair->follow_distance : pair->release_gap;
}

/* Fills the rows of placed contacts, which are in their places already. A direction that rounding decides is left to
 * the general path. */
static bool take_placed(evaluation *e)
{
    fnd_batch *batch = e->set->placed;
    fnd_batch_result *result = e->set->placed_result;
    if (batch->count == 0) return true;
    fnd_batch_begin(batch, e->set, e->model, e->frames, e->regime);
    e->set->batch_function(batch, result);
    for (int l = 0; l < batch->count; l++) {
        const fnd_candidate *pair = batch->pairs[l];
        const fnd_record *record = &e->set->records.items[batch->record[l]];
        fnd_contact *row = &e->out->items[result->placed[l].row];
        if (result->needs_fallback[l] != 0) {
            fender_separation separation = fnd_batch_placed_separation(result, l);
            separation.feature = record->key.feature;
            if (!fill_row(e, pair, &separation, fender_vec3_make(-0.0, -0.0, -0.0), record, row)) return false;
            continue;
        }
        fnd_batch_write(batch, result, l, record, e->time, row);
        e->out->batched_count += row->batch;
        if (!batch->forces) push(e, pair, row);
        if (result->depth[l] > e->out->deepest) e->out->deepest = result->depth[l];
    }
    for (int i = 0; i < result->whole_count; i++)
        fill_pair_row(e->out, result->wholes[i].first, result->wholes[i].posed, &e->out->items[result->wholes[i].row]);
    batch->count = result->whole_count = 0;
    return true;
}

/* A contact that a query has found, in the batch of such contacts. */
static bool add_placed(evaluation *e, const fnd_candidate *pair, const fender_separation *separation,
                       fender_vec3 origin, const fnd_record *record)
{
    if (!fnd_batch_fits_placed(e->set->placed, pair) && !take_placed(e)) return false;
    fnd_contact *row = add_row(e);
    if (!row) return false;
    row->key = record->key;
    fnd_batch_add_placed(e->set, pair, separation, origin, (int)(record - e->set->records.items),
                         (int)(row - e->out->items));
    return true;
}

/* Have the patches of a pair with located events no depth that tells whether its nearest points touch? Rounding may
 * decide differently about both, and the polygon around a round cap is wider by 0.5 % than the cap. */
static bool is_shallow(const evaluation *e, const fnd_candidate *pair, fender_vec3 origin)
{
    const fnd_manifold *found = &e->set->manifold;
    const fender_geometry *a = e->model->shapes[pair->a].geometry, *b = e->model->shapes[pair->b].geometry;
    double enough = 1e-9;
    if (a->caps) enough += 0.01 * a->bounding_radius;
    if (b->caps) enough += 0.01 * b->bounding_radius;
    const fender_separation *deepest = &found->items[0];
    for (int k = 1; k < found->count; k++)
        if (found->items[k].distance < deepest->distance) deepest = &found->items[k];
    if (deepest->distance < -enough) return false;
    if (!fnd_pair_is_solid_on_surface(pair)) return true;
    fnd_contact c;
    fnd_contact_of_separation(e->model, pair, deepest, origin, &e->frames[pair->body_a], &e->frames[pair->body_b], &c);
    return !fnd_contact_is_deep(e->model, e->frames, &c, 1e-9);
}

/* Removes the contacts of a pair whose begin and end are located by its nearest points, if these are apart. */
static void leave_to_nearest(evaluation *e, const fnd_candidate *pair, bool lasts, fender_vec3 origin)
{
    fnd_manifold *found = &e->set->manifold;
    if (found->count == 0 || !is_shallow(e, pair, origin)) return;
    fnd_contact nearest;
    if (fnd_contact_probe_pair(e->model, &e->frames[pair->body_a], &e->frames[pair->body_b], (int)pair->a, (int)pair->b,
                               INFINITY, fnd_pair_memory(e->set, pair->a, pair->b), &nearest) &&
        !(-nearest.in.depth < (lasts ? pair->release_gap : pair->onset_gap)))
        found->count = 0;
}

/* The contacts of one pair. */
static bool evaluate_pair(evaluation *e, const fnd_candidate *pair)
{
    assert(pair->body_a >= 0 && pair->body_a < e->model->body_count);
    assert(pair->body_b >= 0 && pair->body_b < e->model->body_count);
    assert(pair->type >= 0 && pair->type < e->model->type_count);
    const int before = e->out->count;
    const fnd_manifold *found = &e->set->manifold;
    fender_vec3 origin;
    const bool by_nearest = pair->whole && !pair->unlocated && pair->family == FND_FAMILY_OTHER;
    const bool known = pair->whole && has_record(e, pair);
    if (by_nearest && e->regime == FND_REGIME_FROZEN && !known) return true; /* it has not begun */
    const bool over = known && fnd_pair_is_over(&e->set->records, pair, e->next_record), lasts = known && !over;
    fnd_candidate to_begin;
    const bool located = e->regime != FND_REGIME_CLIPPED && !pair->unlocated; /* else its points say when it begins */
    const bool holds_apart = pair->release_gap > pair->onset_gap && (pair->splits || !located);
    if (holds_apart && pair->whole && !lasts &&
        !(over && e->regime == FND_REGIME_FROZEN)) { /* what is apart acts from touch on */
        to_begin = *pair;
        to_begin.touching = true;
        pair = &to_begin;
    }
    if (!fnd_contacts_of_pair(e->env, e->set, e->model, pair, &e->frames[pair->body_a], &e->frames[pair->body_b],
                              reach_of(e, pair), &origin))
        return false;
    fnd_touches_name(e->set, e->model, pair, &e->frames[pair->body_a], &e->frames[pair->body_b], e->next_record);
    if (by_nearest && e->regime == FND_REGIME_ENDED) leave_to_nearest(e, pair, lasts, origin);
    for (int k = 0; k < found->count; k++) {
        const fender_separation *separation = &found->items[k];
        fnd_key key = {pair->a, pair->b, separation->feature};
        const fnd_record *record = record_of(e, pair, &key);
        if (!counts(e, pair, separation, record)) continue;
        const bool batched = e->batches && fnd_batch_takes_placed(pair, record);
        if (batched && !add_placed(e, pair, separation, origin, record)) return false;
        if (!batched && !evaluate_contact(e, pair, separation, origin, record)) return false;
    }
    return pair->whole && e->regime != FND_REGIME_FROZEN ? add_pair_row(e, pair, over, origin, before) : true;
}

/* Do its rows have to be found by the general path? Frozen contacts are those of pairs with records, at any distance;
 * the broad phase is used only for pairs that begin without an event. */
static bool other_comes(const evaluation *e, const fnd_batch_other *other)
{
    const bool frozen = e->regime == FND_REGIME_FROZEN;
    if (other->kind == FND_OTHER_RECORD) return frozen;
    const fnd_candidate *pair = &e->set->candidates[other->candidate];
    if (frozen && other->record < 0 && (!pair->unlocated || other->kind == FND_OTHER_REPLACED)) return false;
    return other->kind != FND_OTHER_QUICK || !fnd_batch_are_apart(pair, e->frames);
}

static bool evaluate_other(evaluation *e, const fnd_batch_other *other)
{
    if (!other_comes(e, other)) return true;
    if (other->candidate >= 0) return evaluate_pair(e, &e->set->candidates[other->candidate]);
    const fnd_record *record = fnd_record_at(&e->set->records, other->record);
    fnd_candidate anew = fnd_candidate_of(e->model, record->key.a, record->key.b, record->type);
    anew.batch_placed = false; /* a batch would outlive it */
    return evaluate_pair(e, &anew);
}

/* The row of a lane that touches. */
static bool add_lane(evaluation *e, const fnd_batch *batch, const fnd_batch_result *result, int lane)
{
    fnd_contact *row = add_row(e);
    if (!row) return false;
    fnd_batch_write(batch, result, lane, &e->set->records.items[batch->record[lane]], e->time, row);
    if (batch->forces) e->out->batched_count++;
    else push(e, batch->pairs[lane], row);
    if (result->depth[lane] > e->out->deepest) e->out->deepest = result->depth[lane];
    return true;
}

/* Which lanes touch, a bit each: those with a row of the batch, and those that are left to the general path. */
typedef struct touches {
    unsigned sure, general;
} touches;

static touches touches_of(const evaluation *e, const fnd_batch *batch, const fnd_batch_result *result)
{
    const fnd_contact_type *type = batch->laws;
    const bool frozen = e->regime == FND_REGIME_FROZEN && !type->unlocated;
    touches t = {0, 0};
    for (int l = 0; l < batch->count; l++) {
        const bool known = batch->known[l], sure = result->needs_fallback[l] == 0;
        const bool touch = frozen ? known : -result->depth[l] < (known ? type->release_gap : type->onset_gap);
        const bool mine = sure && touch && known, general = !sure || (touch && !known);
        t.sure |= (unsigned)mine << l;
        t.general |= (unsigned)general << l;
    }
    return t;
}

/* A batch, and the candidates between its pairs and behind them, in the order of keys. */
static bool evaluate_batch(evaluation *e, fnd_batch *batch)
{
    fnd_batch_result *result = e->set->batch_result;
    const fnd_batch_other *others = e->set->plan->others;
    touches t = {0, 0};
    if (batch->count > 0) {
        fnd_batch_begin(batch, e->set, e->model, e->frames, e->regime);
        e->set->batch_function(batch, result);
        t = touches_of(e, batch, result);
    }
    int at = batch->first_other;
    for (int l = 0; l < batch->count; l++) {
        for (; at < batch->other_end && others[at].lane <= l; at++)
            if (!evaluate_other(e, &others[at])) return false;
        if (t.sure >> l & 1 && !add_lane(e, batch, result, l)) return false;
        if (t.general >> l & 1 && !evaluate_pair(e, batch->pairs[l])) return false;
    }
    for (; at < batch->other_end; at++)
        if (!evaluate_other(e, &others[at])) return false;
    return true;
}

static bool evaluate_range(evaluation *e, const fnd_range *range)
{
    const fnd_batch_plan *plan = e->set->plan;
    assert(range->from >= 0 && range->to <= plan->count);
    for (int k = range->from; k < range->to; k++) {
        const fnd_batch *soon = k + 1 < plan->count ? &plan->batches[k + 1] : NULL;
        for (int l = 0; soon && l < soon->count; l++) FND_PREFETCH(&e->set->records.items[soon->record[l]]);
        if (!evaluate_batch(e, &plan->batches[k])) return false;
    }
    return take_placed(e);
}

bool fnd_contacts_evaluate_range(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                                 const fnd_frame *frames, double time, fnd_regime regime, const fnd_range *range,
                                 fnd_contact_list *rows, fnd_contact_list *spill)
{
    assert(rows->count == 0 && spill);
    rows->gain = 1;
    evaluation e = {env, set, model, frames, time, regime, rows, set->any_batched, range->record_from, 0, spill};
    return evaluate_range(&e, range);
}

bool fnd_contacts_evaluate(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                           const fnd_frame *frames, double time, fnd_regime regime, fnd_contact_list *out)
{
    assert(out);
    assert(set->body_count == model->body_count);
    assert(set->candidate_count >= 0 && set->candidate_count <= set->candidate_capacity);
    assert(fnd_candidates_are_sound(set, model));
    out->count = out->batched_count = out->pair_count = 0;
    out->deepest = 0;
    out->gain = 1;
    if (!set->active) return true;
    if (!fnd_batch_plan_update(env, set, model)) return false;
    set->placed->count = set->placed_result->whole_count = 0;
    if (set->plan->count == 0) return true;
    if (set->any_batched) fnd_batch_turn(set, model, frames);
    if (fnd_crew_takes(env, set, model)) return fnd_crew_evaluate(env, set, model, frames, time, regime, out);
    evaluation e = {env, set, model, frames, time, regime, out, set->any_batched, 0, 0, NULL};
    return evaluate_range(&e, &(fnd_range){0, set->plan->count, 0, set->records.count});
}
