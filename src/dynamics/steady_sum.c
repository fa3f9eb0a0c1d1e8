/* Wrenches and powers of steady contacts: sums over lanes, each in the order that derivative.c has. */
#include "contact/steady.h"
#include "dynamics/dynamics.h"

static inline double sum(double from, const double *lanes, int count)
{
    for (int l = 0; l < count; l++) from += lanes[l];
    return from;
}

static inline double sum_negative(double from, const double *lanes, int count)
{
    for (int l = 0; l < count; l++) from -= lanes[l];
    return from;
}

static inline fender_vec3 sum3(fender_vec3 from, const fnd_quick_lanes *lanes, int count)
{
    return fender_vec3_make(sum(from.x, lanes[0], count), sum(from.y, lanes[1], count), sum(from.z, lanes[2], count));
}

static inline fender_vec3 sum3_negative(fender_vec3 from, const fnd_quick_lanes *lanes, int count)
{
    return fender_vec3_make(sum_negative(from.x, lanes[0], count), sum_negative(from.y, lanes[1], count),
                            sum_negative(from.z, lanes[2], count));
}

/* All between the same two bodies: sum by sum. */
static void sum_pack(const fnd_dynamics *d, const fnd_steady_pack *p, fnd_evaluation *e)
{
    const int n = p->batch.count, a = (int)p->body_a[0], b = (int)p->body_b[0];
    const bool moves_a = d->dynamic_body[a], moves_b = d->dynamic_body[b];
    fender_wrench *on_a = &e->contact_wrench[a], *on_b = &e->contact_wrench[b];
    if (moves_a) {
        on_a->force = sum3_negative(on_a->force, p->batch.force, n);
        on_a->torque = sum3(on_a->torque, p->torque_a, n);
    }
    if (moves_b) {
        on_b->force = sum3(on_b->force, p->batch.force, n);
        on_b->torque = sum3(on_b->torque, p->torque_b, n);
    }
    if (moves_a && moves_b) {
        e->internal_force[a] = sum3_negative(e->internal_force[a], p->batch.force, n);
        e->internal_force[b] = sum3(e->internal_force[b], p->batch.force, n);
    } else {
        e->external_force = sum3(e->external_force, p->external_force, n);
        e->external_torque = sum3(e->external_torque, p->external_torque, n);
    }
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
        e->damping_power = sum(e->damping_power, pack->batch.damping_power, pack->batch.count);
        e->friction_power = sum(e->friction_power, pack->batch.friction_power, pack->batch.count);
        if (pack->same) sum_pack(d, pack, e);
        else
            for (int l = 0; l < pack->batch.count; l++) sum_lane(d, pack, l, internal, e);
    }
}
