/* What steps do to links: they load, are spent, break; where within a step. */
#include "dynamics/dynamics.h"
#include <float.h>

static fender_event event_of(const fnd_dynamics *d, int index, fnd_link_fate fate, double time, double speed)
{
    const fnd_link *link = &d->links[index];
    fender_event event = {0};
    event.kind = fate == FND_LINK_BREAKS ? FENDER_EVENT_LINK_BREAK : FENDER_EVENT_LINK_SPENT;
    event.time = time;
    event.link = (fender_link_id){(uint32_t)index + 1, 1};
    event.body_a = (fender_body_id){(uint32_t)d->model->points[link->point_a].body + 1, 1};
    event.body_b = (fender_body_id){(uint32_t)d->model->points[link->point_b].body + 1, 1};
    event.speed = speed;
    return event;
}

bool fnd_links_announce(const fnd_dynamics *d, const fnd_evaluation *now, double time, fnd_event_list *events)
{
    for (int i = 0; i < now->link_count; i++) {
        fnd_link_fate fate = fnd_link_judge(&d->links[i], &now->links[i]);
        if (fate == FND_LINK_GOES_ON) continue;
        if (!fnd_event_add(&d->env, events, event_of(d, i, fate, time, now->links[i].rate))) return false;
    }
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
        fnd_link_fate fate = fnd_link_judge(link, v);
        memory->mode = v->mode;
        if (fate == FND_LINK_GOES_ON) continue;
        if (fate == FND_LINK_SPENT) memory->spent = true;
        else memory->broken = true;
        memory->damping_loss += v->stored_energy; /* what it held is lost with it */
        *released += v->stored_energy;
        *changed = true;
    }
}

bool fnd_links_watch(const fnd_dynamics *d, const fnd_frame *frames, fnd_crossing_list *out)
{
    for (int i = 0; i < d->link_count; i++) {
        fnd_link_value v;
        fnd_link_evaluate(&d->links[i], d->model, frames, true, &v);
        double size = fender_vec3_length(frames[v.root_a].p) + fender_vec3_length(frames[v.root_b].p) +
                      fender_vec3_length(v.lever_a) + fender_vec3_length(v.lever_b);
        fnd_link_root roots[FND_LINK_ROOT_CAPACITY];
        int count = fnd_link_roots(&d->links[i], &v, 2 * DBL_EPSILON * size, roots);
        for (int k = 0; k < count; k++) {
            fnd_crossing crossing = {
                {UINT32_MAX, (uint32_t)i, 0}, FND_CROSSING_LINK, roots[k].number, roots[k].value, roots[k].rate};
            if (!fnd_crossing_add(&d->env, out, crossing)) return false;
        }
    }
    return true;
}
