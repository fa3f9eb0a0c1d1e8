/* Evaluation of links: force and torque between two mass points at one state. */
#include "dynamics/link.h"

#include "base/memory.h"
#include <float.h>

static fnd_link_end end_at(const fnd_contact_model *model, const fnd_frame *frames, const fnd_point *point)
{
    const fnd_body *body = &model->bodies[point->body];
    const fnd_frame *frame = &frames[body->root];
    fender_vec3 lever_B = fender_quaternion_rotate(body->q_RS, fender_vec3_sub(point->X_SP.p, body->root_center_S));
    fnd_link_end e = {.frame = frame, .lever = fender_mat3_times(&frame->R_WB, lever_B)};
    e.velocity = fender_vec3_add(frame->v, fender_vec3_cross(frame->w, e.lever));
    e.q = fender_quaternion_product(frame->q, fender_quaternion_product(body->q_RS, point->X_SP.q));
    return e;
}

void fnd_link_evaluate(const fnd_link *link, const fnd_contact_model *model, const fnd_frame *frames, double time,
                       fnd_regime regime, fnd_link_value *v)
{
    const fnd_point *point_a = &model->points[link->point_a], *point_b = &model->points[link->point_b];
    const fnd_link_memory *memory = &link->memory;
    *v = (fnd_link_value){.root_a = model->bodies[point_a->body].root, .root_b = model->bodies[point_b->body].root};
    v->there = model->bodies[v->root_a].motion != FENDER_MOTION_MASS_ONLY &&
               model->bodies[v->root_b].motion != FENDER_MOTION_MASS_ONLY;
    if (!v->there || (link->made && !memory->active)) return; /* not made yet: its points are nowhere */
    fnd_link_end a = end_at(model, frames, point_a), b = end_at(model, frames, point_b);
    /* positions are subtracted before anything is added */
    fender_vec3 apart = fender_vec3_add(fender_vec3_sub(b.frame->p, a.frame->p), fender_vec3_sub(b.lever, a.lever));
    v->lever_a = a.lever;
    v->lever_b = b.lever;
    v->length = fender_vec3_length(apart);
    fender_vec3 direction = v->length > 0 ? fender_vec3_scale(1.0 / v->length, apart)
                                          : fender_quaternion_rotate(a.q, fender_vec3_make(1, 0, 0));
    bool joined = v->root_a == v->root_b, alive = memory->active && !memory->spent && !memory->broken;
    /* between two immovable bodies nobody would give or take what it holds */
    alive = alive && (fnd_body_dynamic(&model->bodies[v->root_a]) || fnd_body_dynamic(&model->bodies[v->root_b]));
    if (!joined) v->rate = fender_vec3_dot(direction, fender_vec3_sub(b.velocity, a.velocity));
    v->alive = alive;
    v->acting = alive && !joined;
    v->crushed = memory->crushed;
    if (!alive) return;
    const bool held = regime == FND_REGIME_HELD;
    v->located = regime != FND_REGIME_CLIPPED;
    switch (link->law) {
    case FENDER_LINK_CONTACT_LAW: fnd_link_contact_evaluate(link, model, direction, time, regime, v); return;
    case FENDER_LINK_SPRING_DAMPER_6DOF:
    case FENDER_LINK_LATCH: fnd_bushing_evaluate(link, &a, &b, apart, v); return;
    case FENDER_LINK_STRUT: fnd_strut_evaluate(link, direction, held, v); return;
    case FENDER_LINK_SPRING_DAMPER:
    case FENDER_LINK_TETHER:
    case FENDER_LINK_SEPARATION_SPRING: fnd_axial_evaluate(link, direction, held, v); return;
    }
}

int fnd_link_add_limit(int count, int number, double limit, double size, fnd_link_root *roots)
{
    if (isinf(limit)) return count;
    roots[count] = (fnd_link_root){number, limit - size + 4 * DBL_EPSILON * limit, NAN};
    return count + 1;
}

int fnd_link_roots(const fnd_link *link, const fnd_contact_model *model, const fnd_link_value *v, double grain,
                   fnd_link_root roots[FND_LINK_ROOT_CAPACITY])
{
    if (!v->alive || v->root_a == v->root_b) return 0;
    switch (link->law) {
    case FENDER_LINK_SPRING_DAMPER_6DOF:
    case FENDER_LINK_LATCH: return fnd_bushing_roots(link, v, roots);
    case FENDER_LINK_STRUT: return fnd_strut_roots(link, v, grain, roots);
    case FENDER_LINK_CONTACT_LAW: return fnd_link_contact_roots(link, model, v, grain, roots);
    case FENDER_LINK_SPRING_DAMPER:
    case FENDER_LINK_TETHER:
    case FENDER_LINK_SEPARATION_SPRING: return fnd_axial_roots(link, v, grain, roots);
    }
    return 0;
}

fnd_link_fate fnd_link_judge(const fnd_link *link, const fnd_link_value *v)
{
    if (!v->there || !link->memory.active || link->memory.spent || link->memory.broken) return FND_LINK_GOES_ON;
    switch (link->law) {
    case FENDER_LINK_SPRING_DAMPER_6DOF:
    case FENDER_LINK_LATCH: return fnd_bushing_judge(link, v);
    case FENDER_LINK_STRUT: return fnd_strut_judge(link, v);
    case FENDER_LINK_CONTACT_LAW: return fnd_link_contact_judge(link, v);
    case FENDER_LINK_SPRING_DAMPER:
    case FENDER_LINK_TETHER:
    case FENDER_LINK_SEPARATION_SPRING: return fnd_axial_judge(link, v);
    }
    return FND_LINK_GOES_ON;
}

bool fnd_link_mode_valid(const fnd_link *link, int mode)
{
    if (link->law == FENDER_LINK_STRUT) return fnd_strut_mode_valid(link, mode);
    return mode >= FND_LINK_SLACK && mode <= FND_LINK_CUT;
}

void fnd_link_release(const fender_env *env, fnd_link *link)
{
    const fender_field_table *table = fender_link_law_parameters(link->law);
    fnd_release(env, link->parameters, table->size);
    fnd_release(env, link->curve, (size_t)link->curve_count * sizeof *link->curve);
    fnd_text_release(env, link->name);
    *link = (fnd_link){0};
}
