/* How a contact went through the step: where it began and ended, its peaks, and how well that is known. */
#include "contact/commit.h"
#include "contact/peak.h"
#include <float.h>

/* The contact at both ends of the step, `memory` as its laws have held it. */
static fnd_span span_of(const fnd_contact_set *set, const fnd_story *s, const fnd_contact_type *type,
                        unsigned char *memory, const fnd_contact *from, const fnd_contact *to)
{
    double *states = fnd_memory_states(type, memory), *before = states;
    if (s->old) before = fnd_memory_states(type, fnd_record_memory(&set->records, s->old_index));
    return (fnd_span){type, memory, {before, states}, {from, to}};
}

/* It began within the step: where the free flight from the state before to the first sight of it meets the surface. */
static void follow_touch(const fnd_contact_set *set, const fnd_passage *passage, const fnd_story *s,
                         const fnd_contact_type *type, unsigned char *memory, const fnd_contact *apart,
                         fnd_record *record)
{
    const fnd_contact *sight = s->seen ? s->seen : s->now;
    record->begin_error = passage->end_time - passage->start_time;
    if (apart->in.depth >= 0 || sight->in.depth <= 0 || !(sight->in.time > passage->start_time)) return;
    fnd_span flight = span_of(set, s, type, memory, apart, sight);
    fnd_contact touch = *s->now;
    double depth, part = fnd_span_crossing(&flight);
    fnd_span_depth(&flight, part, &depth, &touch.in.depth_rate);
    if (sight == s->now) touch.in.depth_rate = apart->in.depth_rate; /* which may have been pushed already */
    touch.in.depth = 0;
    touch.in.time = passage->start_time + part * (sight->in.time - passage->start_time);
    record->begin_error = touch.in.time - record->begin_time;
    fnd_span span = span_of(set, s, type, memory, &touch, s->now);
    touch.force_C.z = fnd_span_force(&span, 0);
    record->jump_in = fabs(touch.force_C.z * (s->active - (passage->end_time - touch.in.time)));
    if (touch.force_C.z > record->peak_force) {
        record->peak_force = touch.force_C.z;
        record->peak_force_time = touch.in.time;
    }
    fnd_peaks_follow(record, &span, NULL);
}

double fnd_located_error(const fnd_frame *a, const fnd_frame *b, const fnd_passage *passage, const fnd_contact *c)
{
    double size = fender_vec3_length(a->p) + fender_vec3_length(b->p) + fender_vec3_length(c->lever_a) +
                  fender_vec3_length(c->lever_b);
    double step = passage->end_time - passage->start_time, speed = fabs(c->in.depth_rate);
    double grain = 4 * DBL_EPSILON * size, slow = speed * step > grain ? grain / speed : step;
    return passage->accuracy->event_tolerance + slow;
}

void fnd_follow_inside(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                       const fnd_passage *passage, const fnd_story *s, const fnd_contact_type *type,
                       unsigned char *memory, fnd_record *record)
{
    double step = passage->end_time - passage->start_time;
    fnd_span span = span_of(set, s, type, memory, s->from && s->old ? s->from : s->now, s->now);
    fnd_peaks_follow(record, &span, s->now->fades ? NULL : passage->look);
    if (s->old || !(step > 0)) return;
    const fnd_body *body_a = &model->bodies[model->shapes[s->key.a].root];
    const fnd_body *body_b = &model->bodies[model->shapes[s->key.b].root];
    fnd_frame a = fnd_frame_of_state(body_a, &body_a->state), b = fnd_frame_of_state(body_b, &body_b->state);
    fnd_contact apart;
    if (!fnd_contact_probe_key(env, set, model, &a, &b, &s->key, record->type, &apart)) return;
    apart.in.time = passage->start_time;
    const fnd_contact *sight = s->seen ? s->seen : s->now;
    double change = fabs(sight->in.depth_rate - apart.in.depth_rate); /* in free flight */
    if (passage->located) {
        record->approach_error = change * (fnd_located_error(&a, &b, passage, s->now) / step);
        record->begin_error = fnd_located_error(&a, &b, passage, s->now);
        record->jump_in = fabs(s->now->force_C.z) * record->begin_error;
    } else {
        record->approach_error = change;
        follow_touch(set, passage, s, type, memory, &apart, record);
    }
}

void fnd_follow_release(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames,
                        const fnd_passage *passage, const fnd_story *s, const fnd_contact_type *type,
                        unsigned char *memory, const fnd_contact *apart, fnd_record *record)
{
    if (passage->count == 0) return;
    if (passage->located) {
        record->end_error = fnd_located_error(&frames[model->shapes[s->key.a].root],
                                              &frames[model->shapes[s->key.b].root], passage, apart);
        record->jump_out = s->last ? fabs(s->last->force_C.z) * record->end_error : 0;
        return;
    }
    record->end_error = passage->end_time - passage->start_time;
    if (!s->from || s->from->in.depth <= 0 || apart->in.depth >= 0) return;
    fnd_contact after = *apart;
    after.in.time = passage->end_time;
    after.force_C = fender_vec3_make(0, 0, 0);
    fnd_span span = span_of(set, s, type, memory, s->from, &after);
    double part = fnd_span_crossing(&span), depth, rate, before = record->peak_force, deepest = record->peak_depth;
    fnd_span_depth(&span, part, &depth, &rate);
    record->end_error *= 1 - part;
    double step = passage->end_time - passage->start_time;
    record->jump_out = fabs(fnd_span_force(&span, 0.999 * part) * (s->active - part * step));
    record->rebound_error = fabs(rate - after.in.depth_rate);
    if (!(s->from->in.depth_rate > 0)) return;
    fnd_peaks_follow(record, &span, NULL); /* it turned within this one step: what is found is a guess */
    record->force_sampling_error += record->peak_force - before;
    record->depth_sampling_error += record->peak_depth - deepest;
}
