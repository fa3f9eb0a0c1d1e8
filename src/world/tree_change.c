/* A change of masses or trees in a running world: what is derived from them, contacts and ledger follow. */
#include "world/tree_change.h"

#include <assert.h>
#include <string.h>

fender_status fnd_tree_change_begin(fender_world *world, fnd_tree_change *change, fender_error *error)
{
    *change = (fnd_tree_change){0};
    if (!world->initialized) return FENDER_STATUS_OK;
    fender_status status = fnd_world_refresh(world, error);
    if (status) return status;
    change->energy = fnd_world_energy(world);
    change->contact_energy = fnd_world_stored(world);
    fnd_world_momentum(world, &change->linear, &change->angular);
    change->axial = fnd_world_axial_momentum(world);
    change->events = world->events;
    change->connection_count = world->connection_count;
    const size_t count = (size_t)world->model.body_count;
    memcpy(world->body_backup, world->model.bodies, count * sizeof *world->body_backup);
    memcpy(world->since_backup, world->dynamics.contacts.since, count * sizeof *world->since_backup);
    return FENDER_STATUS_OK;
}

/* Updates everything that is derived from the trees. */
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

void fnd_tree_change_undo(fender_world *world, const fnd_tree_change *change)
{
    assert(world->initialized);
    const size_t count = (size_t)world->model.body_count;
    memcpy(world->model.bodies, world->body_backup, count * sizeof *world->body_backup);
    fnd_event_rewind(&world->events, &change->events);
    world->connection_count = change->connection_count;
    lay_out(world);
    memcpy(world->dynamics.contacts.since, world->since_backup, count * sizeof *world->since_backup);
}

/* Those of a change replace those of the step before; but a weld belongs to the step that caused it. */
static void drop_earlier_events(fender_world *world, const fnd_tree_change *change)
{
    fnd_event_list *events = &world->events;
    const int earlier = change->events.count;
    assert(earlier <= events->count);
    if (world->welding || earlier == 0) return;
    events->count -= earlier;
    memmove(events->items, events->items + earlier, (size_t)events->count * sizeof *events->items);
}

fender_status fnd_tree_change_end(fender_world *world, fnd_tree_change *change, fnd_booking booking,
                                  fender_error *error)
{
    if (!world->initialized) return FENDER_STATUS_OK;
    lay_out(world);
    fender_status status = fnd_world_check_parts(world, error);
    if (status) {
        fnd_tree_change_undo(world, change);
        return status;
    }
    double booked = world->account.damping + world->account.friction;
    status = fnd_world_accept(world, world->time, NULL, NULL, 0, error);
    if (status) {
        fnd_tree_change_undo(world, change);
        return status;
    }
    drop_earlier_events(world, change);
    memset(world->last_stage, 0, (size_t)world->model.body_count * sizeof *world->last_stage);
    fnd_account *account = &world->account;
    /* acceptance books the energy that laws and links released permanently */
    booked = account->damping + account->friction - booked;
    double lost = change->energy - fnd_world_energy(world) - booked;
    change->contact_energy -= fnd_world_stored(world);
    if (booking == FND_BOOK_ATTACHMENT) {
        account->attachment += lost;
        account->angular_impulse = fender_vec3_add(account->angular_impulse, change->turning);
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

void fnd_root_shift(fnd_body *root, fender_vec3 center_before, fender_vec3 w)
{
    if (!fnd_body_dynamic(root) && root->motion != FENDER_MOTION_MASS_ONLY) return;
    fender_mat3 R_WB = fender_quaternion_matrix(root->state.q);
    fender_quaternion q_BS = fender_quaternion_conjugate(root->q_SB);
    fender_vec3 shift_B = fender_quaternion_rotate(q_BS, fender_vec3_sub(root->center_S, center_before));
    fender_vec3 shift = fender_mat3_times(&R_WB, shift_B);
    root->state.p = fender_vec3_add(root->state.p, shift);
    if (!fnd_body_dynamic(root)) return;
    root->state.v = fender_vec3_add(root->state.v, fender_vec3_cross(w, shift));
    root->state.L = fender_mat3_times(&R_WB, fender_mat3_times(&root->inertia, fender_mat3_transpose_times(&R_WB, w)));
}

fnd_root_motion fnd_root_motion_of(const fnd_body *bodies, int root)
{
    fnd_root_motion m = {.frame = fnd_frame_of_state(&bodies[root], &bodies[root].state),
                         .center_S = bodies[root].center_S,
                         .parts = bodies[root].moving != NULL};
    if (!m.parts) return m;
    const fnd_frame material = fnd_tree_frame(bodies, root, &m.frame);
    m.structure = fnd_structure_from_frame(&bodies[root], &material);
    return m;
}

void fnd_root_goes_on(fender_world *world, int root, fnd_root_motion before)
{
    fnd_body *body = &world->model.bodies[root];
    fnd_model_move_anew(&world->model);
    if (!before.parts && !body->moving) {
        fnd_root_shift(body, before.center_S, before.frame.w);
        return;
    }
    if (!fnd_body_dynamic(body)) return;
    if (!before.parts) { /* its centre moves with its material */
        fnd_body rigid = *body;
        rigid.center_S = before.center_S;
        before.structure = fnd_structure_from_frame(&rigid, &before.frame);
    }
    body->state = fnd_state_from_structure(body, &before.structure);
}

void fnd_tree_tell(fender_world *world, int member)
{
    if (!world->mass_listener) return;
    const int root = fnd_tree_root(world->model.bodies, member);
    world->mass_listener(world->mass_listener_ctx, world, fnd_body_id(&world->model, root));
}
