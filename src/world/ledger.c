/* Energy and momentum of the whole world at the committed state. */
#include "world/world.h"

/* The evaluation at the state holds the angular velocities. */
static double body_kinetic(double mass, fender_vec3 v, fender_vec3 w, fender_vec3 L)
{
    return 0.5 * mass * fender_vec3_dot(v, v) + 0.5 * fender_vec3_dot(w, L);
}

double fnd_world_wheel_energy(const fender_world *world, const fnd_evaluation *e)
{
    const fnd_dynamics *d = &world->dynamics;
    double energy = 0;
    for (int i = 0; i < d->load_count; i++)
        if (d->loads[i].name) energy += d->loads[i].at[e->slot].wheel_energy;
    return energy;
}

double fnd_world_kinetic(const fender_world *world, const double *vector, const fnd_evaluation *e)
{
    const fnd_dynamics *d = &world->dynamics;
    const int n = 3 * d->dynamic_count;
    double energy = 0;
    for (int k = 0; k < d->dynamic_count; k++) {
        const int i = d->dynamic[k];
        const fnd_body *body = &world->model.bodies[i];
        const fender_vec3 v = vector ? fnd_read3(vector + n + 3 * k) : body->state.v;
        const fender_vec3 L = vector ? fnd_read3(vector + 2 * n + 3 * k) : body->state.L;
        energy += body_kinetic(body->mass, v, e->angular_velocity[i], L);
        if (e->part_energy) energy += e->part_energy[i];
    }
    return energy + fnd_world_wheel_energy(world, e);
}

static double world_kinetic(const fender_world *world)
{
    return fnd_world_kinetic(world, NULL, &world->dynamics.evaluations[0]);
}

static double world_gravitational(const fender_world *world)
{
    const fnd_frame_field *field = &world->dynamics.field;
    double energy = 0;
    if (field->falling || (field->gravity.kind == FENDER_GRAVITY_NONE && !field->rotating && !field->gradient))
        return 0;
    for (int k = 0; k < world->dynamics.dynamic_count; k++) {
        const fnd_body *body = &world->model.bodies[world->dynamics.dynamic[k]];
        energy += body->mass * fnd_frame_potential(field, body->state.p, world->dynamics.momentum_origin);
        if (!field->rotating && !field->gradient) continue;
        fender_mat3 R_WB = fender_quaternion_matrix(body->state.q);
        if (field->gradient) energy += fnd_frame_gradient_energy(field, &body->inertia, &R_WB, body->state.p);
        if (field->rotating) energy += fnd_frame_centrifugal(field, body->mass, body->state.p, &body->inertia, &R_WB);
    }
    return energy;
}

double fnd_world_stored(const fender_world *world)
{
    const fnd_contact_set *set = &world->dynamics.contacts;
    const fnd_contact_list *list = &world->dynamics.evaluations[0].contacts;
    double energy = 0;
    for (int i = 0; i < list->count; i++) {
        const fnd_contact *c = &list->items[i];
        if (c->record < 0 || set->records.items[c->record].suppressed) continue;
        const fnd_contact_type *type = &world->model.types[c->type];
        const unsigned char *memory = fnd_record_memory(&set->records, c->record);
        double room[FND_SLOT_COUNT * FENDER_LAW_STATE_CAPACITY];
        energy += fnd_contact_stored_energy(type, memory, fnd_world_contact_states(world, type, c, room), c,
                                            set->records.items[c->record].touch_weight);
    }
    const fnd_evaluation *e = &world->dynamics.evaluations[0];
    for (int i = 0; i < e->link_count; i++) energy += e->links[i].stored_energy;
    for (int i = 0; i < world->dynamics.load_count; i++)
        if (world->dynamics.loads[i].name) energy += world->dynamics.loads[i].at[e->slot].stored_energy;
    return energy;
}

void fnd_world_momentum(const fender_world *world, fender_vec3 *linear, fender_vec3 *angular)
{
    *linear = *angular = fender_vec3_make(0, 0, 0);
    for (int k = 0; k < world->dynamics.dynamic_count; k++) {
        const fnd_body *body = &world->model.bodies[world->dynamics.dynamic[k]];
        fender_vec3 p = fender_vec3_scale(body->mass, body->state.v);
        fender_vec3 arm = fender_vec3_sub(body->state.p, world->dynamics.momentum_origin);
        *linear = fender_vec3_add(*linear, p);
        *angular = fender_vec3_add(*angular, fender_vec3_add(fender_vec3_cross(arm, p), body->state.L));
    }
    const int slot = world->dynamics.evaluations[0].slot;
    for (int i = 0; i < world->dynamics.load_count; i++)
        if (fnd_load_is_wheel(&world->dynamics.loads[i]))
            *angular = fender_vec3_add(*angular, world->dynamics.loads[i].at[slot].momentum);
}

void fnd_world_account_peak(fender_world *world, double kinetic)
{
    if (kinetic > world->account.peak_kinetic) world->account.peak_kinetic = kinetic;
}

void fender_world_ledger(const fender_world *world, fender_ledger *ledger)
{
    if (!ledger) return;
    *ledger = (fender_ledger){0};
    if (!world) return;
    const fnd_account *a = &world->account;
    ledger->kinetic = world_kinetic(world);
    ledger->gravitational = world_gravitational(world);
    ledger->stored = fnd_world_stored(world);
    ledger->damping = a->damping;
    ledger->friction = a->friction;
    ledger->contact_work = a->contact_work;
    ledger->applied = a->applied;
    ledger->motor = a->motor;
    ledger->attachment = a->attachment;
    ledger->residual = a->start_energy + a->applied + a->motor -
                       (ledger->kinetic + ledger->gravitational + ledger->stored + a->damping + a->friction +
                        a->attachment);
    ledger->scale = a->peak_kinetic + fabs(a->damping) + fabs(a->friction) + fabs(a->applied) + fabs(a->attachment) +
                    fabs(a->motor);
    fnd_world_momentum(world, &ledger->linear_momentum, &ledger->angular_momentum);
    ledger->momentum_origin = world->dynamics.momentum_origin;
    fender_vec3 linear = fender_vec3_sub(fender_vec3_sub(ledger->linear_momentum, a->start_momentum), a->impulse);
    fender_vec3 angular = fender_vec3_sub(fender_vec3_sub(ledger->angular_momentum, a->start_angular_momentum),
                                          a->angular_impulse);
    ledger->linear_drift = fender_vec3_length(linear);
    ledger->angular_drift = fender_vec3_length(angular);
}

void fnd_world_rebase_contacts(fender_world *world)
{
    fnd_contacts_rebase(&world->dynamics.contacts, &world->model, &world->dynamics.evaluations[0].contacts);
}

double fnd_world_energy(const fender_world *world)
{
    return world_kinetic(world) + world_gravitational(world) + fnd_world_stored(world);
}

void fnd_world_contacts_changed(fender_world *world, double stored_before)
{
    world->dynamics.committed_fresh = false;
    if (!world->initialized || fnd_world_refresh(world, NULL) != FENDER_STATUS_OK) return;
    world->account.applied += fnd_world_stored(world) - stored_before;
    fnd_world_rebase_contacts(world);
}

/* ---- Changes from outside ---- */

fnd_totals fnd_world_totals(const fender_world *world)
{
    fnd_totals t;
    fnd_world_momentum(world, &t.linear, &t.angular);
    t.axial = fnd_world_axial_momentum(world);
    t.energy = world_kinetic(world) + world_gravitational(world) + fnd_world_stored(world);
    return t;
}

void fnd_world_book_change(fender_world *world, const fnd_totals *before)
{
    fnd_account *account = &world->account;
    const fnd_totals after = fnd_world_totals(world);
    account->applied += after.energy - before->energy;
    account->impulse = fender_vec3_add(account->impulse, fender_vec3_sub(after.linear, before->linear));
    account->angular_impulse = fender_vec3_add(account->angular_impulse,
                                               fender_vec3_sub(after.angular, before->angular));
    account->axial_impulse += after.axial - before->axial;
}

fender_status fnd_world_book_begin(fender_world *world, fnd_totals *before, fender_error *error)
{
    const fender_status status = world->initialized ? fnd_world_refresh(world, error) : FENDER_STATUS_OK;
    *before = fnd_world_totals(world);
    return status;
}

fender_status fnd_world_book_end(fender_world *world, const fnd_totals *before, fender_error *error)
{
    world->dynamics.committed_fresh = false;
    if (!world->initialized) return FENDER_STATUS_OK;
    const fender_status status = fnd_world_refresh(world, error);
    if (!status) fnd_world_book_change(world, before);
    return status;
}
