/* What steps do to links: they load, are spent, break; where within a step. */
#include "dynamics/dynamics.h"
#include <float.h>

static fender_event event_of(const fnd_dynamics *d, int index, fnd_link_fate fate, int said, double time,
                             const fnd_link_value *v)
{
    const fnd_link *link = &d->links[index];
    fender_event event = {0};
    static const fender_event_kind kinds[] = {
        [FND_LINK_GOES_ON] = FENDER_EVENT_LAW, /* as the law of a link says */
        [FND_LINK_SPENT] = FENDER_EVENT_LINK_SPENT,     [FND_LINK_BREAKS] = FENDER_EVENT_LINK_BREAK,
        [FND_LINK_CATCHES] = FENDER_EVENT_LINK_CAPTURE, [FND_LINK_CRUSHES] = FENDER_EVENT_LINK_CRUSH,
        [FND_LINK_BOTTOMS] = FENDER_EVENT_LINK_BOTTOM};
    event.kind = kinds[fate];
    event.code = said;
    event.time = time;
    event.link = (fender_link_id){(uint32_t)index + 1, 1};
    event.body_a = (fender_body_id){(uint32_t)d->model->points[link->point_a].body + 1, 1};
    event.body_b = (fender_body_id){(uint32_t)d->model->points[link->point_b].body + 1, 1};
    event.speed = fate == FND_LINK_CATCHES ? v->speed : v->rate;
    return event;
}

bool fnd_links_announce(const fnd_dynamics *d, const fnd_evaluation *now, double time, fnd_event_list *events)
{
    for (int i = 0; i < now->link_count; i++) {
        fnd_link_fate fate = fnd_link_judge(&d->links[i], &now->links[i]);
        int said = d->links[i].law == FENDER_LINK_CONTACT_LAW && fate == FND_LINK_GOES_ON
                       ? fnd_link_contact_event(&d->links[i], d->model, &now->links[i])
                       : 0;
        if (fate == FND_LINK_GOES_ON && said == 0) continue;
        if (!fnd_event_add(&d->env, events, event_of(d, i, fate, said, time, &now->links[i]))) return false;
    }
    return true;
}

/* What the link makes of an accepted state. True: it says something else now. */
static bool change_of(fnd_link *link, const fnd_contact_model *model, const fnd_link_value *v, double *released)
{
    fnd_link_memory *memory = &link->memory;
    fnd_link_fate fate = fnd_link_judge(link, v);
    memory->mode = v->mode;
    if (fate == FND_LINK_CATCHES) {
        memory->captured = true;
        memory->mode = FND_LINK_LOADED;
        memory->caught_position = v->position;
        memory->caught_turn = v->turn;
        return true;
    }
    if (v->crushed > memory->crushed) {
        double lost = ((const fender_link_strut *)link->parameters)->crush_force * (v->crushed - memory->crushed);
        memory->damping_loss += lost;
        *released += lost;
        memory->crushed = v->crushed;
        if (fate != FND_LINK_BREAKS) return fnd_strut_settle(link, v);
    }
    if (link->law == FENDER_LINK_CONTACT_LAW && fate == FND_LINK_GOES_ON) {
        double given_up;
        bool changed = fnd_link_contact_commit(link, model, v, &given_up);
        memory->damping_loss += given_up;
        *released += given_up;
        return changed;
    }
    if (fate != FND_LINK_SPENT && fate != FND_LINK_BREAKS) return false;
    if (fate == FND_LINK_SPENT) memory->spent = true;
    else memory->broken = true;
    memory->damping_loss += v->stored_energy; /* what it held is lost with it */
    *released += v->stored_energy;
    return true;
}

void fnd_links_commit(fnd_dynamics *d, const fnd_evaluation *now, double time, const int *evaluations,
                      const double *weights, int count, bool *changed, double *released)
{
    for (int i = 0; i < now->link_count; i++) {
        fnd_link *link = &d->links[i];
        fnd_link_memory *memory = &link->memory;
        const fnd_link_value *v = &now->links[i];
        for (int s = 0; s < count; s++)
            memory->damping_loss += weights[s] * d->evaluations[evaluations[s]].links[i].damping_power;
        double force = v->force < 0 ? -v->force : v->force;
        if (force > memory->peak_force) {
            memory->peak_force = force;
            memory->peak_force_time = time;
        }
        if (change_of(link, d->model, v, released)) *changed = true;
    }
}

bool fnd_links_watch(const fnd_dynamics *d, const fnd_frame *frames, double time, fnd_crossing_list *out)
{
    for (int i = 0; i < d->link_count; i++) {
        fnd_link_value v;
        fnd_link_evaluate(&d->links[i], d->model, frames, time, FND_REGIME_HELD, &v);
        double size = fender_vec3_length(frames[v.root_a].p) + fender_vec3_length(frames[v.root_b].p) +
                      fender_vec3_length(v.lever_a) + fender_vec3_length(v.lever_b);
        fnd_link_root roots[FND_LINK_ROOT_CAPACITY];
        int count = fnd_link_roots(&d->links[i], d->model, &v, 2 * DBL_EPSILON * size, roots);
        for (int k = 0; k < count; k++) {
            fnd_crossing crossing = {
                {UINT32_MAX, (uint32_t)i, 0}, FND_CROSSING_LINK, roots[k].number, roots[k].value, roots[k].rate};
            if (!fnd_crossing_add(&d->env, out, crossing)) return false;
        }
    }
    return true;
}
