/* What commits of contacts have in common: sums of pairs, events, touches of one sphere on a surface. */
#include "contact/lifecycle.h"

#include "base/hash.h"
#include "base/memory.h"
#include "contact/peak.h"
#include "contact/touches.h"
#include "math/rotation.h"
#include <assert.h>
#include <string.h>

/* ---- Pairs ---- */

void fnd_pair_sum_add(fnd_pair_sum *sum, const fnd_record *record, const fnd_record *before, const fnd_contact *now)
{
    assert(record->key.a < record->key.b);
    assert(record->key.feature != FENDER_FEATURE_PAIR);
    static const fnd_record none;
    if (sum->a != record->key.a || sum->b != record->key.b)
        *sum = (fnd_pair_sum){.a = record->key.a, .b = record->key.b};
    if (!before) before = &none;
    sum->impulse += record->impulse - before->impulse;
    sum->force_impulse = fender_vec3_add(sum->force_impulse,
                                         fender_vec3_sub(record->force_impulse, before->force_impulse));
    sum->damping_loss += record->damping_loss - before->damping_loss;
    sum->friction_loss += record->friction_loss - before->friction_loss;
    sum->work += record->work - before->work;
    sum->stored += record->stored;
    sum->stored_at_start += record->stored_at_start - before->stored_at_start;
    sum->release += record->release_impulse - before->release_impulse;
    const double force = now ? now->force_C.z : 0;
    sum->force += force;
    /* a bond that has broken at this state had the pull that its record has just noted */
    sum->held += record->peak_pull > before->peak_pull ? -record->peak_pull : force;
}

/* Between accepted states, peaks are those of fnd_pairs_track. Where it has found none, as the areas of patches change,
 * the force may still be larger by about its rise in the last step. */
void fnd_pair_sum_book(const fnd_pair_sum *sum, double time, fnd_record *pair)
{
    assert(pair->key.feature == FENDER_FEATURE_PAIR);
    bool mine = sum->a == pair->key.a && sum->b == pair->key.b;
    pair->stored = 0;
    if (!mine) return;
    pair->impulse += sum->impulse;
    pair->force_impulse = fender_vec3_add(pair->force_impulse, sum->force_impulse);
    pair->damping_loss += sum->damping_loss;
    pair->friction_loss += sum->friction_loss;
    pair->work += sum->work;
    pair->stored = sum->stored;
    pair->stored_at_start += sum->stored_at_start;
    pair->release_impulse += sum->release;
    fnd_note_pull(pair, sum->held, time);
    if (sum->force > pair->peak_force) {
        pair->force_sampling_error = sum->force - pair->peak_force;
        pair->time_sampling_error = time - pair->last_time;
        pair->peak_force = sum->force;
        pair->peak_force_time = time;
    }
}

/* ---- Events ---- */

/* Common members of all events, in a fixed order. */
static uint64_t hash_event(uint64_t h, const fender_event *event)
{
    uint64_t shapes = 0, bodies = 0, link = 0, feature = 0;
    double speed = 0;
    if (event->subject == FENDER_SUBJECT_CONTACT) {
        shapes = (uint64_t)event->contact.a.index1 << 32 | event->contact.b.index1;
        feature = event->contact.feature;
        speed = event->contact.depth_rate;
    } else if (event->subject == FENDER_SUBJECT_LINK) {
        bodies = (uint64_t)event->link.body_a.index1 << 32 | event->link.body_b.index1;
        link = event->link.link.index1;
        speed = event->link.speed;
    } else if (event->subject == FENDER_SUBJECT_TREE) {
        bodies = (uint64_t)event->tree.child.index1 << 32 | event->tree.parent.index1;
        speed = event->tree.snap;
    }
    h = fnd_hash_u64(h, (uint64_t)event->kind << 32 | (uint32_t)event->code);
    h = fnd_hash_u64(fnd_hash_u64(h, shapes), bodies);
    h = fnd_hash_u64(fnd_hash_u64(h, link), feature);
    return fnd_hash_double(fnd_hash_double(h, event->time), speed);
}

bool fnd_event_add(const fender_env *env, fnd_event_list *events, fender_event event)
{
    assert(events->count >= 0 && events->count <= events->capacity);
    assert((size_t)event.kind < sizeof events->counts / sizeof events->counts[0]);
    void *items = events->items;
    if (!fnd_reserve_one_more(env, &items, &events->capacity, events->count, sizeof *events->items)) return false;
    events->items = items;
    if (event.subject == FENDER_SUBJECT_CONTACT) { /* `index1` alone is set in them */
        event.contact.a = fnd_shape_id(events->model, (int)event.contact.a.index1 - 1);
        event.contact.b = fnd_shape_id(events->model, (int)event.contact.b.index1 - 1);
    }
    events->items[events->count++] = event;
    events->counts[event.kind]++;
    events->hash = hash_event(events->hash, &event);
    return true;
}

void fnd_event_rewind(fnd_event_list *events, const fnd_event_list *before)
{
    assert(before->count <= events->count);
    events->count = before->count;
    events->hash = before->hash;
    memcpy(events->counts, before->counts, sizeof events->counts);
}

fender_event fnd_contact_event(fender_event_kind kind, const fnd_key *key, double time, double depth_rate)
{
    assert(key->a < key->b);
    fender_event event;
    memset(&event, 0, sizeof event);
    event.kind = kind;
    event.time = time;
    event.subject = FENDER_SUBJECT_CONTACT;
    event.contact.a.index1 = key->a + 1; /* the list makes ids of them */
    event.contact.b.index1 = key->b + 1;
    event.contact.feature = key->feature;
    event.contact.depth_rate = depth_rate;
    return event;
}

fender_event fnd_release_event(const fnd_record *record, const fnd_accuracy *accuracy, double time, double depth_rate)
{
    fender_event event = fnd_contact_event(FENDER_EVENT_END, &record->key, time, depth_rate);
    event.contact.begin_time = record->begin_time;
    event.contact.impulse = record->impulse;
    event.contact.peak_force = record->peak_force;
    event.contact.peak_force_time = record->peak_force_time;
    event.contact.peak_pull = record->peak_pull;
    event.contact.peak_pull_time = record->peak_pull_time;
    event.contact.peak_depth = record->peak_depth;
    event.contact.approach_speed = record->approach_speed;
    event.contact.damping_loss = record->damping_loss;
    event.contact.friction_loss = record->friction_loss;
    event.contact.work = record->work;
    event.contact.residual = fnd_record_residual(record);
    event.contact.errors = fnd_record_errors(record, accuracy, time, -depth_rate);
    return event;
}

fender_event_kind fnd_mode_event(const fnd_contact_type *type, int mode)
{
    assert(type->mode_slot >= 0 && type->mode_slot < FND_SLOT_COUNT);
    assert(type->slots[type->mode_slot].law);
    const fender_law *law = type->slots[type->mode_slot].law;
    for (int i = 0; law->mode_names && law->mode_names[i]; i++) {
        if (i < mode) continue;
        if (strcmp(law->mode_names[i], "kinetic") == 0) return FENDER_EVENT_SLIP;
        return strcmp(law->mode_names[i], "static") == 0 ? FENDER_EVENT_STICK : FENDER_EVENT_MODE;
    }
    return FENDER_EVENT_MODE;
}

/* ---- Touches of one sphere on a surface ---- */

const fnd_contact *fnd_contact_of_key(const fnd_contact_list *rows, const fnd_key *key)
{
    int low = 0, high = rows->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (fnd_key_compare(&rows->items[middle].key, key) < 0) low = middle + 1;
        else high = middle;
    }
    return low < rows->count && fnd_same_key(&rows->items[low].key, key) ? &rows->items[low] : NULL;
}

bool fnd_facet_transfer_has(const fnd_facet_transfer *transfer, const fnd_key *key)
{
    return key->a == transfer->key.a && key->b == transfer->key.b &&
           key->feature / FND_TOUCHES == transfer->key.feature / FND_TOUCHES;
}

static double weight_in(const fnd_contact_list *list, int from, const fnd_key *key)
{
    for (int i = from; i < list->count && fnd_key_compare(&list->items[i].key, key) <= 0; i++)
        if (fnd_same_key(&list->items[i].key, key)) return list->items[i].in.weight;
    return 0;
}

void fnd_facet_transfer_open(fnd_commit *c, const fnd_contact_list *now, fnd_transfer_position at, const fnd_key *key)
{
    assert(at.record <= c->set->records.count && at.now <= now->count);
    fnd_facet_transfer *transfer = &c->transfer;
    const fnd_record_list *records = &c->set->records;
    memset(transfer, 0, sizeof *transfer);
    transfer->key = *key;
    transfer->receiver = -1;
    if (c->stages->count == 0) return;
    const fnd_contact_list *from = c->stages->lists[0];
    double heaviest = 0, given = 0, wanted = 0;
    for (int i = at.record; i < records->count; i++) {
        const int place = records->order[i];
        const fnd_record *record = &records->items[place];
        if (!fnd_facet_transfer_has(transfer, &record->key)) break;
        const double before = weight_in(from, at.from, &record->key), after = weight_in(now, at.now, &record->key);
        if (record->suppressed) continue;
        if (before > heaviest) {
            heaviest = before;
            transfer->receiver = place;
        }
        if (!(before > after)) continue;
        const fnd_contact_type *type = &c->model->types[record->type];
        const double *states = fnd_step_stage_states(c, type, place);
        given += before - after;
        for (int k = 0; k < type->state_count; k++) transfer->states[k] += (before - after) * states[k];
    }
    for (int i = at.now; i < now->count && fnd_facet_transfer_has(transfer, &now->items[i].key); i++) {
        const double gain = now->items[i].in.weight - weight_in(from, at.from, &now->items[i].key);
        if (gain > 0) wanted += gain;
    }
    if (!(given > 0) || !(wanted > 0)) return;
    transfer->part = given < wanted ? given / wanted : 1;
    for (int k = 0; k < FND_CONTACT_STATES; k++) transfer->states[k] /= given;
}

/* The parts of a vector in C after a turn about its z; the first of both is the angle's cosine. */
static fender_vec3 rotated(const double rotation[2], fender_vec3 v)
{
    return fender_vec3_make(rotation[0] * v.x + rotation[1] * v.y, rotation[0] * v.y - rotation[1] * v.x, v.z);
}
static fender_vec2 turned_across(const double rotation[2], fender_vec2 v)
{
    const fender_vec3 u = rotated(rotation, fender_vec3_make(v.x, v.y, 0));
    return (fender_vec2){u.x, u.y};
}

/* Rotates the tangential values of a contact from one tangent frame to another. */
static void turn_tangent(fnd_contact *c, fender_vec3 tangent)
{
    const double rotation[2] = {fender_vec3_dot(tangent, c->tangent),
                                fender_vec3_dot(tangent, fender_vec3_cross(c->normal, c->tangent))};
    c->tangent = tangent;
    c->in.slip = turned_across(rotation, c->in.slip);
    c->in.spin = rotated(rotation, c->in.spin);
    c->force_C = rotated(rotation, c->force_C);
    if (!c->driven) return;
    c->drive = turned_across(rotation, c->drive);
    c->drive_spin = rotated(rotation, c->drive_spin);
}

bool fnd_facet_transfer_receive(const fnd_commit *c, const fnd_transition *s, fnd_record *record, unsigned char *memory)
{
    const fnd_record_list *records = &c->set->records;
    const fnd_contact *first = s->seen ? s->seen : s->now;
    if (!first->shared || !s->transfer || s->transfer->receiver < 0) return false;
    const fnd_record *receiver = &records->items[s->transfer->receiver];
    if (receiver->type != record->type) return false;
    const fnd_contact_type *type = &c->model->types[record->type];
    memcpy(memory, fnd_record_memory(records, s->transfer->receiver), type->memory_size);
    record->approach_speed = receiver->approach_speed;
    record->mode = receiver->mode;
    if (s->now) turn_tangent(s->now, fnd_least_rotation(receiver->normal, s->now->normal, receiver->tangent));
    return true;
}
