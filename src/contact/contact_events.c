/* Events of contacts: the list, and what each event tells. */
#include "base/hash.h"
#include "base/memory.h"
#include "contact/commit.h"
#include "contact/peak.h"
#include <string.h>

bool fnd_event_add(const fender_env *env, fnd_event_list *events, fender_event event)
{
    void *items = events->items;
    if (!fnd_reserve_one_more(env, &items, &events->capacity, events->count, sizeof *events->items)) return false;
    events->items = items;
    events->items[events->count++] = event;
    events->counts[event.kind]++;
    uint64_t h = fnd_hash_u64(events->hash, (uint64_t)event.kind << 32 | (uint32_t)event.code);
    h = fnd_hash_u64(h, (uint64_t)event.a.index1 << 32 | event.b.index1);
    h = fnd_hash_u64(h, (uint64_t)event.body_a.index1 << 32 | event.body_b.index1);
    h = fnd_hash_u64(h, (uint64_t)event.link.index1);
    h = fnd_hash_u64(h, event.feature);
    h = fnd_hash_double(h, event.time);
    events->hash = fnd_hash_double(h, event.speed);
    return true;
}

void fnd_event_rewind(fnd_event_list *events, const fnd_event_list *before)
{
    events->count = before->count;
    events->hash = before->hash;
    memcpy(events->counts, before->counts, sizeof events->counts);
}

fender_event fnd_contact_event(fender_event_kind kind, const fnd_key *key, double time, double speed)
{
    fender_event event;
    memset(&event, 0, sizeof event);
    event.kind = kind;
    event.time = time;
    event.a = (fender_shape_id){key->a + 1, 1};
    event.b = (fender_shape_id){key->b + 1, 1};
    event.feature = key->feature;
    event.speed = speed;
    return event;
}

fender_event fnd_release_event(const fnd_record *record, const fnd_accuracy *accuracy, double time, double depth_rate)
{
    fender_event event = fnd_contact_event(FENDER_EVENT_TERMINATE, &record->key, time, depth_rate);
    event.begin_time = record->begin_time;
    event.impulse = record->impulse;
    event.peak_force = record->peak_force;
    event.peak_force_time = record->peak_force_time;
    event.peak_depth = record->peak_depth;
    event.approach_speed = record->approach_speed;
    event.damping_loss = record->damping_loss;
    event.friction_loss = record->friction_loss;
    event.work = record->work;
    event.residual = fnd_record_residual(record);
    event.errors = fnd_record_errors(record, accuracy, time, -depth_rate);
    event.peak_force_error = event.errors.peak_force;
    return event;
}

fender_event_kind fnd_mode_event(const fnd_contact_type *type, int mode)
{
    const fender_law *law = type->slots[type->mode_slot].law;
    for (int i = 0; law->mode_names && law->mode_names[i]; i++) {
        if (i < mode) continue;
        if (strcmp(law->mode_names[i], "kinetic") == 0) return FENDER_EVENT_SLIP;
        return strcmp(law->mode_names[i], "static") == 0 ? FENDER_EVENT_STICK : FENDER_EVENT_MODE;
    }
    return FENDER_EVENT_MODE;
}
