/* Changes of mass and trees in a running world: layout, contacts and ledger follow, or everything stays as it was. */
#include "base/error.h"
#include "world/world.h"
#include <string.h>

fender_status fnd_tree_change_begin(fender_world *world, fnd_tree_change *change, fender_error *error)
{
    *change = (fnd_tree_change){0};
    if (!world->initialized) return FENDER_STATUS_OK;
    fender_status status = fnd_world_refresh(world, error);
    if (status) return status;
    if (!world->welding) world->events.count = 0; /* a weld is part of the step that has led to it */
    change->energy = fnd_world_energy(world);
    change->contact_energy = fnd_world_stored(world);
    fnd_world_momentum(world, &change->linear, &change->angular);
    change->axial = fnd_world_axial_momentum(world);
    memcpy(world->body_backup, world->model.bodies, (size_t)world->model.body_count * sizeof *world->body_backup);
    return FENDER_STATUS_OK;
}

/* The trees are as the bodies say: everything derived from them follows. */
static void lay_out(fender_world *world)
{
    fnd_dynamics *d = &world->dynamics;
    fnd_dynamics_layout(d);
    world->ode = fnd_dynamics_ode(d);
    world->host_state_set = false;
    fnd_world_pack(world);
    memcpy(world->rotations[1], world->rotations[0], (size_t)d->dynamic_count * sizeof(fender_quaternion));
    memcpy(world->vector[1], world->vector[0], 9 * (size_t)d->dynamic_count * sizeof(double));
    for (int i = 0; i < world->model.body_count; i++) /* tangents turn with the roots from here on */
        d->contacts.since[i] = world->model.bodies[i].state.q;
}

fender_status fnd_tree_change_end(fender_world *world, fnd_tree_change *change, fnd_booking booking,
                                  fender_error *error)
{
    if (!world->initialized) return FENDER_STATUS_OK;
    lay_out(world);
    double booked = world->account.damping + world->account.friction;
    fender_status status = fnd_world_accept(world, world->time, NULL, NULL, 0, error);
    if (status) {
        memcpy(world->model.bodies, world->body_backup, (size_t)world->model.body_count * sizeof *world->body_backup);
        lay_out(world);
        return status;
    }
    memset(world->last_stage, 0, (size_t)world->model.body_count * sizeof *world->last_stage);
    fnd_account *account = &world->account;
    /* what laws and links gave up for good is booked by the acceptance */
    booked = account->damping + account->friction - booked;
    double lost = change->energy - fnd_world_energy(world) - booked;
    change->contact_energy -= fnd_world_stored(world);
    if (booking == FND_BOOK_ATTACHMENT) {
        account->attachment += lost;
        return FENDER_STATUS_OK;
    }
    fender_vec3 linear, angular;
    fnd_world_momentum(world, &linear, &angular);
    account->applied -= lost;
    account->impulse = fender_vec3_add(account->impulse, fender_vec3_sub(linear, change->linear));
    account->angular_impulse = fender_vec3_add(account->angular_impulse, fender_vec3_sub(angular, change->angular));
    account->axial_impulse += fnd_world_axial_momentum(world) - change->axial;
    return FENDER_STATUS_OK;
}

void fnd_root_state_shift(fnd_body *root, fender_vec3 center_before, fender_vec3 w)
{
    if (!fnd_body_dynamic(root)) return;
    fender_mat3 R_WB = fender_quaternion_matrix(root->state.q);
    fender_quaternion q_BS = fender_quaternion_conjugate(root->q_SB);
    fender_vec3 shift_B = fender_quaternion_rotate(q_BS, fender_vec3_sub(root->center_S, center_before));
    fender_vec3 shift = fender_mat3_times(&R_WB, shift_B);
    root->state.p = fender_vec3_add(root->state.p, shift);
    root->state.v = fender_vec3_add(root->state.v, fender_vec3_cross(w, shift));
    root->state.L = fender_mat3_times(&R_WB, fender_mat3_times(&root->inertia, fender_mat3_transpose_times(&R_WB, w)));
}
