/* Functions of a state whose change of sign ends a step. */
#include "contact/crossing.h"

#include "base/memory.h"
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
    while (*from < list->count && compare(&list->items[*from], crossing) < 0) (*from)++;
    return *from < list->count && compare(&list->items[*from], crossing) == 0 ? &list->items[*from] : NULL;
}

bool fnd_crossing_add(const fender_env *env, fnd_crossing_list *out, fnd_crossing crossing)
{
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

/* What rounding makes of a distance between the two: a touch or a release lies beyond it, so that shapes which just
 * meet or just part do not flicker. */
static double grain(const fnd_frame *frames, const fnd_candidate *pair, const fnd_contact *c)
{
    double size = fender_vec3_length(frames[pair->body_a].p) + fender_vec3_length(frames[pair->body_b].p) +
                  fender_vec3_length(c->lever_a) + fender_vec3_length(c->lever_b);
    return 2 * DBL_EPSILON * size;
}

bool fnd_crossings_evaluate(const fender_env *env, const fnd_contact_set *set, const fnd_contact_model *model,
                            const fnd_frame *frames, double time, fnd_crossing_list *out)
{
    out->count = 0;
    if (!set->active) return true;
    int next_record = 0;
    for (int i = 0; i < set->candidate_count; i++) {
        const fnd_candidate *candidate = &set->candidates[i];
        fnd_contact c;
        if (!fnd_contact_probe(model, frames, (int)candidate->a, (int)candidate->b, &c)) continue;
        const fnd_record_list *records = &set->records;
        while (next_record < records->count && fnd_key_compare(&records->items[next_record].key, &c.key) < 0)
            next_record++;
        bool held = next_record < records->count && fnd_key_compare(&records->items[next_record].key, &c.key) == 0;
        double distance = -c.in.depth, rate = -c.in.depth_rate;
        if (!held) {
            double gap = distance - candidate->onset_gap + grain(frames, candidate, &c);
            if (!fnd_crossing_add(env, out, (fnd_crossing){c.key, FND_CROSSING_TOUCH, 0, gap, rate})) return false;
            continue;
        }
        double reach = candidate->release_gap - distance + grain(frames, candidate, &c);
        if (!fnd_crossing_add(env, out, (fnd_crossing){c.key, FND_CROSSING_PART, 0, reach, -rate})) return false;
        if (records->items[next_record].suppressed) continue;
        const fnd_contact_type *type = &model->types[candidate->type];
        const unsigned char *memory = fnd_record_memory(records, next_record);
        c.in.time = time;
        c.in.located = true;
        c.in.approach_speed = records->items[next_record].approach_speed;
        const double *states = fnd_record_states(set, type, next_record);
        if (type->state_count > 0 || (type->friction.law && type->friction.law->root_count > 0)) {
            fnd_contact_carry(model, frames, &records->items[next_record], &c); /* slip in the contact's own frame */
            fnd_contact_force(type, memory, states, &c);                        /* gives the normal force */
        }
        if (!add_law_roots(env, type, &type->primary, &c, memory, states, 0, out)) return false;
        if (!add_law_roots(env, type, &type->friction, &c, memory, states, FENDER_LAW_ROOT_CAPACITY, out)) return false;
    }
    return true;
}
