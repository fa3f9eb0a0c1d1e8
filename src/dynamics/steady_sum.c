/* Wrenches and powers of steady contacts: sums over lanes, each in the order that derivative.c has. */
#include "contact/steady.h"
#include "dynamics/dynamics.h"

/* Sums in numbers of their own, so that none waits for memory. */
typedef struct sum6 {
    double x, y, z, u, v, w;
} sum6;

static inline sum6 sum6_of(fender_vec3 first, fender_vec3 second)
{
    return (sum6){first.x, first.y, first.z, second.x, second.y, second.z};
}

static inline void sum6_add(sum6 *s, const fnd_quick_lanes *first, const fnd_quick_lanes *second, int l)
{
    s->x += first[0][l];
    s->y += first[1][l];
    s->z += first[2][l];
    s->u += second[0][l];
    s->v += second[1][l];
    s->w += second[2][l];
}

static inline void sum6_put(const sum6 *s, fender_vec3 *first, fender_vec3 *second)
{
    *first = fender_vec3_make(s->x, s->y, s->z);
    *second = fender_vec3_make(s->u, s->v, s->w);
}

/* All between a body that moves and one that does not. */
static void sum_on_ground(const fnd_steady_pack *p, bool on_a, fnd_evaluation *e)
{
    fender_wrench *wrench = &e->contact_wrench[on_a ? p->body_a[0] : p->body_b[0]];
    const fnd_quick_lanes *torque = on_a ? p->torque_a : p->torque_b;
    sum6 on_body = sum6_of(wrench->force, wrench->torque), on_all = sum6_of(e->external_force, e->external_torque);
    double damping = e->damping_power, friction = e->friction_power;
    for (int l = 0; l < p->batch.count; l++) {
        sum6_add(&on_body, p->external_force, torque, l);
        sum6_add(&on_all, p->external_force, p->external_torque, l);
        damping += p->batch.damping_power[l];
        friction += p->batch.friction_power[l];
    }
    sum6_put(&on_body, &wrench->force, &wrench->torque);
    sum6_put(&on_all, &e->external_force, &e->external_torque);
    e->damping_power = damping;
    e->friction_power = friction;
}

static inline void add(fender_vec3 *to, const fnd_quick_lanes *lanes, int l)
{
    to->x += lanes[0][l];
    to->y += lanes[1][l];
    to->z += lanes[2][l];
}

static inline void subtract(fender_vec3 *from, const fnd_quick_lanes *lanes, int l)
{
    from->x -= lanes[0][l];
    from->y -= lanes[1][l];
    from->z -= lanes[2][l];
}

static void sum_lane(const fnd_dynamics *d, const fnd_steady_pack *p, int l, bool internal, fnd_evaluation *e)
{
    const int64_t a = p->body_a[l], b = p->body_b[l];
    e->damping_power += p->batch.damping_power[l];
    e->friction_power += p->batch.friction_power[l];
    subtract(&e->contact_wrench[a].force, p->batch.force, l);
    add(&e->contact_wrench[a].torque, p->torque_a, l);
    add(&e->contact_wrench[b].force, p->batch.force, l);
    add(&e->contact_wrench[b].torque, p->torque_b, l);
    if (d->dynamic_body[a] && d->dynamic_body[b]) {
        if (!internal) return;
        subtract(&e->internal_force[a], p->batch.force, l);
        add(&e->internal_force[b], p->batch.force, l);
    } else {
        add(&e->external_force, p->external_force, l);
        add(&e->external_torque, p->external_torque, l);
    }
}

void fnd_steady_sum(const fnd_dynamics *d, fnd_evaluation *e)
{
    const fnd_steady *steady = d->contacts.steady;
    const bool internal = d->stage_count > 1; /* as sum_contacts */
    for (int i = 0; i < steady->count; i++) {
        const fnd_steady_pack *pack = &steady->packs[i];
        if (pack->same && pack->external) sum_on_ground(pack, pack->moves_a[0] != 0, e);
        else
            for (int l = 0; l < pack->batch.count; l++) sum_lane(d, pack, l, internal, e);
    }
}
