/* Records as of a state within a step that is only looked at: sums over the stages up to it, and peaks. Laws remember
 * nothing of it, and nothing begins or ends. */
#include "contact/lifecycle.h"
#include <assert.h>
#include <string.h>

static void book(const fnd_transition *s, fnd_record *record)
{
    record->impulse += s->impulse;
    record->force_impulse = fender_vec3_add(record->force_impulse, s->force_impulse);
    record->damping_loss += s->damping;
    record->friction_loss += s->friction;
    record->stored_at_start += s->supplied;
    record->work += s->power;
}

/* The memory of its laws with the states at the end, in scratch memory. */
static unsigned char *memory_at_end(const fnd_commit *c, const fnd_transition *s, const fnd_contact_type *type)
{
    fnd_contact_set *set = c->set;
    unsigned char *memory = set->scratch_memory; /* free between evaluations */
    if (!s->old) {
        fnd_contact_begin(type, s->now, memory);
        return memory;
    }
    memcpy(memory, fnd_record_memory(&set->records, s->old_index), set->records.stride);
    if (!c->stages->states || type->state_count == 0) return memory;
    double room[FND_CONTACT_STATES];
    const double *states = c->stages->states + (ptrdiff_t)s->old_index * set->state_stride;
    memcpy(fnd_memory_states(type, memory),
           fnd_states_of_area(type, states, fnd_record_area(s->old, s->now->in.weight), room),
           (size_t)type->state_count * sizeof(double));
    return memory;
}

static void show_state(const fnd_commit *c, const fnd_transition *s, fnd_record *record)
{
    const fnd_contact_type *type = &c->model->types[record->type];
    unsigned char *memory = memory_at_end(c, s, type);
    if (s->old) fnd_track_inside(c->env, c->set, c->model, c->stages, s, type, memory, record);
    if (s->old && s->now->weight_fades && type->state_count > 0)
        record->friction_loss += fnd_contact_area_loss(s, c->stages->start_time);
    record->stored = fnd_contact_stored_energy(type, memory, fnd_memory_states(type, memory), s->now,
                                               record->touch_weight);
}

void fnd_show_transition(fnd_commit *c, const fnd_transition *s, const fnd_record *before)
{
    assert(!s->old || before);
    fnd_record fresh = {.key = s->key}, *record = &fresh;
    if (s->old) record = &c->set->records.items[s->old_index];
    if (s->key.feature == FENDER_FEATURE_PAIR) {
        if (s->old) fnd_commit_pair_step(c, &c->sum, false, s->now, record); /* between looks they are not known */
        return;
    }
    const fnd_contact *one = s->now ? s->now : s->last;
    if (!s->old && one) fresh.type = one->type;
    if (!record->suppressed) {
        book(s, record);
        record->stored = 0;
        if (s->now) show_state(c, s, record);
    }
    if (fnd_pair_has_pair_events(c->model, s->key.a, s->key.b, record->type))
        fnd_pair_sum_add(&c->sum, record, s->old ? before : NULL, s->now);
}
