/* Functions of a state whose changes of sign end a step. */
#include "contact/crossing.h"
#include "contact/contact_set.h"

#include "base/memory.h"
#include <assert.h>
#include <float.h>

static int compare(const fnd_crossing *x, const fnd_crossing *y)
{
    int order = fnd_key_compare(&x->key, &y->key);
    if (order != 0) return order;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->root != y->root) return x->root < y->root ? -1 : 1;
    return 0;
}

const fnd_crossing *fnd_crossing_match(const fnd_crossing_list *list, const fnd_crossing *crossing, int *from)
{
    assert(*from >= 0 && *from <= list->count);
    while (*from < list->count && compare(&list->items[*from], crossing) < 0) (*from)++;
    return *from < list->count && compare(&list->items[*from], crossing) == 0 ? &list->items[*from] : NULL;
}

bool fnd_crossing_add(const fender_env *env, fnd_crossing_list *out, fnd_crossing crossing)
{
    assert(out->count >= 0 && out->count <= out->capacity);
    void *items = out->items;
    if (!fnd_reserve_one_more(env, &items, &out->capacity, out->count, sizeof *out->items)) return false;
    out->items = items;
    out->items[out->count++] = crossing;
    return true;
}

static bool add_law_roots(const fender_env *env, const fnd_contact_type *type, const fnd_slot *slot,
                          const fnd_contact *c, const unsigned char *memory, const double *states, int first,
                          fnd_crossing_list *out)
{
    if (!slot->law || slot->law->root_count == 0) return true;
    double roots[FENDER_LAW_ROOT_CAPACITY] = {0};
    fender_contact_input in = fnd_slot_input(type, slot, &c->in, states);
    slot->law->roots(slot->parameters, &in, memory + slot->memory_offset, roots);
    for (int i = 0; i < slot->law->root_count; i++)
        if (!fnd_crossing_add(env, out, (fnd_crossing){c->key, FND_CROSSING_LAW, first + i, roots[i], NAN}))
            return false;
    return true;
}

/* Rounding error of a distance between the two. Begin and end require a larger distance, so that touching shapes do not
 * flicker. */
static double grain(const fnd_frame *frames, const fnd_candidate *pair, const fnd_contact *c)
{
    double size = fender_vec3_length(frames[pair->body_a].p) + fender_vec3_length(frames[pair->body_b].p) +
                  fender_vec3_length(c->lever_a) + fender_vec3_length(c->lever_b);
    return 2 * DBL_EPSILON * size;
}

/* Event functions of the candidates at one state. */
typedef struct watch {
    const fender_env *env;
    fnd_contact_set *set;
    const fnd_contact_model *model;
    const fnd_frame *frames;
    double time;
    fnd_crossing_list *out;
    int next_record;
} watch;

/* The states as they would be if the step ended here: a commit gives to area that the point has gained a share of them
 * (share_states of transition.c). Roots that did not see this would find their laws' limits reached, and be taken back,
 * again and again. */
static const double *states_at_end(const fnd_contact_type *type, const fnd_record *record, const fnd_contact *c,
                                   const double *states, double *room)
{
    if (!c->weight_fades || c->shared || type->state_count == 0 || !(c->in.weight > record->weight)) return states;
    for (int i = 0; i < type->state_count; i++) room[i] = record->weight / c->in.weight * states[i];
    return room;
}

/* End function and roots of the laws of a contact with a record. */
static bool watch_record(watch *w, const fnd_candidate *candidate, const fnd_record *record, fnd_contact *c)
{
    if (record->suppressed || record->frozen) return true;
    const fnd_contact_type *type = &w->model->types[candidate->type];
    const int position = w->set->records.order[w->next_record];
    const unsigned char *memory = fnd_record_memory(&w->set->records, position);
    c->in.time = w->time;
    c->in.located = true;
    fnd_contact_provide(type, c);
    c->in.approach_speed = record->approach_speed;
    double room[FND_SLOT_COUNT * FENDER_LAW_STATE_CAPACITY];
    const double *states = states_at_end(type, record, c, fnd_record_states(w->set, type, position), room);
    bool asked = type->state_count > 0;
    for (int i = FND_SLOT_FRICTION; i < type->slot_count; i++)
        asked |= type->slots[i].law && type->slots[i].law->root_count > 0;
    if (asked || type->sees_surface)
        fnd_contact_carry(w->set, w->model, w->frames, record, c); /* slip in the contact's own frame */
    fender_contact_surface surface;
    if (type->sees_surface)
        fnd_contact_surface_see(w->model, &w->frames[candidate->body_a], &w->frames[candidate->body_b], c, &surface);
    if (asked) fnd_contact_force(type, memory, states, c); /* the normal force */
    for (int i = 0; i < type->slot_count; i++)
        if (!add_law_roots(w->env, type, &type->slots[i], c, memory, states, i * FENDER_LAW_ROOT_CAPACITY, w->out))
            return false;
    return true;
}

/* Gap or activation distance of a pair with pair events. */
static bool watch_border(watch *w, const fnd_candidate *candidate, const fnd_contact *c, fnd_key key, bool held)
{
    double distance = -c->in.depth, rate = -c->in.depth_rate, room = grain(w->frames, candidate, c);
    if (held)
        return fnd_crossing_add(
            w->env, w->out, (fnd_crossing){key, FND_CROSSING_PART, 0, candidate->release_gap - distance + room, -rate});
    return fnd_crossing_add(w->env, w->out,
                            (fnd_crossing){key, FND_CROSSING_BEGIN, 0, distance - candidate->onset_gap + room, rate});
}

static bool watch_pair(watch *w, const fnd_candidate *candidate)
{
    const fnd_record_list *records = &w->set->records;
    const fnd_frame *frame_a = &w->frames[candidate->body_a], *frame_b = &w->frames[candidate->body_b];
    const fnd_manifold *found = &w->set->manifold;
    fender_vec3 origin;
    if (!fnd_contacts_of_pair(w->env, w->set, w->model, candidate, frame_a, frame_b, candidate->follow_distance,
                              &origin))
        return false;
    fnd_key first = {candidate->a, candidate->b, 0};
    w->next_record = fnd_record_list_find(records, w->next_record, &first);
    const fnd_record *record = w->next_record < records->count ? fnd_record_at(records, w->next_record) : NULL;
    bool touching = record && record->key.a == candidate->a && record->key.b == candidate->b;
    for (int k = 0; k < found->count; k++) {
        fnd_contact c;
        fnd_contact_of_separation(candidate, &found->items[k], origin, frame_a, frame_b, &c);
        w->next_record = fnd_record_list_find(records, w->next_record, &c.key);
        record = w->next_record < records->count ? fnd_record_at(records, w->next_record) : NULL;
        bool held = record && fnd_key_compare(&record->key, &c.key) == 0;
        if (!candidate->whole && !watch_border(w, candidate, &c, c.key, held)) return false;
        if (held && !watch_record(w, candidate, record, &c)) return false;
    }
    /* Contacts of points with terrain are followed only near it, and a line of sight beyond the surface has no contact.
     * Over a long step, the nearest points detect the touch. */
    bool blind = candidate->probe || isfinite(candidate->follow_distance);
    fnd_contact nearest;
    if (!(candidate->whole || (blind && !touching)) ||
        !fnd_contact_probe(w->model, w->frames, (int)candidate->a, (int)candidate->b, &nearest))
        return true;
    return watch_border(w, candidate, &nearest, (fnd_key){candidate->a, candidate->b, FENDER_FEATURE_PAIR}, touching);
}

bool fnd_crossings_evaluate(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                            const fnd_frame *frames, double time, fnd_crossing_list *out)
{
    assert(out);
    assert(set->body_count == model->body_count);
    out->count = 0;
    if (!set->active) return true;
    watch w = {env, set, model, frames, time, out, 0};
    for (int i = 0; i < set->candidate_count; i++)
        if (!set->candidates[i].unlocated && !watch_pair(&w, &set->candidates[i])) return false;
    return true;
}
