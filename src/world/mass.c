/* Setting of core mass properties, and masses that change with time. */
#include "base/error.h"
#include "world/world.h"

static fender_status check(const fender_world *world, fender_body_id id, fender_error *error)
{
    if (!fnd_id_live(id.index1, id.generation, world->model.body_count)) return fnd_world_stale(error, "body");
    const fnd_body *body = &world->model.bodies[id.index1 - 1];
    if (fnd_body_dynamic(body) || body->motion == FENDER_MOTION_MASS_ONLY) return FENDER_STATUS_OK;
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, "body", "a body that nothing moves has no mass",
                                       body->name, "a dynamic or mass-only body", ""});
}

/* Everything above the body follows; the tree's velocity field stays. */
static void change_core(fender_world *world, int index, const fender_mass_properties *core)
{
    fnd_body *bodies = world->model.bodies;
    int root = fnd_tree_root(bodies, index);
    fnd_frame head = fnd_frame_of_state(&bodies[root], &bodies[root].state);
    fender_vec3 center_before = bodies[root].center_S;
    bodies[index].core = *core;
    fnd_composite_update_upward(bodies, index);
    fnd_root_state_shift(&bodies[root], center_before, head.w);
}

fender_status fender_body_get_mass(const fender_world *world, fender_body_id id, fender_mass_kind kind,
                                   fender_mass_properties *properties)
{
    if (!world || !properties) return fnd_world_missing(NULL);
    if (!fnd_id_live(id.index1, id.generation, world->model.body_count)) return FENDER_STATUS_STALE_ID;
    const fnd_body *body = &world->model.bodies[id.index1 - 1];
    *properties = body->core;
    if (kind == FENDER_MASS_COMPOSITE)
        *properties = (fender_mass_properties){body->mass, body->center_S, body->inertia};
    return FENDER_STATUS_OK;
}

fender_status fnd_inner_body_set_mass(fender_world *world, fender_body_id id, const fender_mass_properties *core,
                                      fender_error *error)
{
    if (!world || !core) return fnd_world_missing(error);
    fnd_world_settle(world);
    fender_status status = check(world, id, error);
    if (!status) status = fnd_mass_check(core, world->model.bodies[id.index1 - 1].def.lenient_inertia, error);
    fnd_tree_change change;
    if (!status) status = fnd_tree_change_begin(world, &change, error);
    if (status) return status;
    change_core(world, (int)id.index1 - 1, core);
    return fnd_tree_change_end(world, &change, FND_BOOK_OUTSIDE, error);
}

/* Core properties after a time of flow; exact at the end of it. */
static fender_mass_properties flowed(const fnd_body *body, double time)
{
    fender_mass_properties core = body->core;
    core.mass += time * body->flow.mass_rate;
    core.center_of_mass = fender_vec3_add_scaled(core.center_of_mass, time, body->flow.center_rate);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) core.inertia.m[i][j] += time * body->flow.inertia_rate.m[i][j];
    return core;
}

static double time_left(const fnd_body *body)
{
    return (body->flow.until_mass - body->core.mass) / body->flow.mass_rate;
}

fender_status fnd_inner_body_set_mass_flow(fender_world *world, fender_body_id id, const fender_mass_flow *flow,
                                           fender_error *error)
{
    if (!world || !flow) return fnd_world_missing(error);
    fnd_world_settle(world);
    fender_status status = check(world, id, error);
    if (status) return status;
    fnd_body *body = &world->model.bodies[id.index1 - 1];
    if (flow->mass_rate == 0) {
        body->flow = *flow;
        return FENDER_STATUS_OK;
    }
    fnd_body trial = *body;
    trial.flow = *flow;
    double left = time_left(&trial);
    if (!isfinite(flow->mass_rate) || !(flow->until_mass > 0) || !isfinite(flow->until_mass) || !(left >= 0) ||
        !isfinite(left))
        return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "mass_flow.until_mass", "the mass never gets there",
                                           fnd_number(flow->until_mass).text,
                                           "above 0 kg; below the present mass for a loss, above it for a gain", ""});
    fender_mass_properties end = flowed(&trial,
                                        left); /* valid at both ends is valid between: all three tests are convex */
    fender_error fault = {0};
    if ((status = fnd_mass_check(&end, body->def.lenient_inertia, &fault)))
        return fnd_fail(error, (fnd_fault){status, "mass_flow.inertia_rate", fault.message, fault.found, fault.expected,
                                           "the properties at the end of the flow must be possible too"});
    body->flow = *flow;
    world->flows = true;
    return FENDER_STATUS_OK;
}

fender_status fnd_world_flow(fender_world *world, double time, fender_error *error)
{
    fender_status status = fnd_world_refresh(world, error);
    if (status) return status;
    double energy = fnd_world_energy(world), axial = fnd_world_axial_momentum(world);
    fender_vec3 linear[2], angular[2];
    fnd_world_momentum(world, &linear[0], &angular[0]);
    bool more = false;
    for (int i = 0; i < world->model.body_count; i++) {
        fnd_body *body = &world->model.bodies[i];
        if (body->flow.mass_rate == 0) continue;
        double left = time_left(body);
        fender_mass_properties core = flowed(body, time < left ? time : left);
        if (time >= left) {
            core.mass = body->flow.until_mass;
            body->flow.mass_rate = 0;
        }
        more |= body->flow.mass_rate != 0;
        change_core(world, i, &core);
    }
    world->flows = more;
    fnd_dynamics_layout(&world->dynamics);
    fnd_world_pack(world);
    if ((status = fnd_world_refresh(world, error))) return status;
    fnd_world_momentum(world, &linear[1], &angular[1]);
    fnd_account *account = &world->account;
    account->applied += fnd_world_energy(world) - energy;
    account->impulse = fender_vec3_add(account->impulse, fender_vec3_sub(linear[1], linear[0]));
    account->angular_impulse = fender_vec3_add(account->angular_impulse, fender_vec3_sub(angular[1], angular[0]));
    account->axial_impulse += fnd_world_axial_momentum(world) - axial;
    return FENDER_STATUS_OK;
}
