/* The public calls that change a world. One is refused while another is under way: laws, shapes and sources of forces
 * are asked in the middle of a step, where nothing may change under it. */
#include "world/entry.h"

#include "base/error.h"
#include "world/world.h"

fender_status fnd_world_fail_busy(fender_error *error)
{
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_STATE, "", "the world is in the middle of a call that changes it",
                                       "a call from within a law, a shape or another callback of the world",
                                       "calls that change a world from outside of them",
                                       "note what is to be done, and do it when the step has returned"});
}

static fender_status begin(fender_world *world, fender_error *error)
{
    if (!world) return fnd_world_missing(error);
    if (world->busy) return fnd_world_fail_busy(error);
    world->busy = true;
    return FENDER_STATUS_OK;
}

static fender_status end(fender_world *world, fender_status status)
{
    world->busy = false;
    return status;
}

fender_status fender_link_create(fender_world *world, const fender_link_def *def, fender_link_id *id,
                                 fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_link_create(world, def, id, error));
}

fender_status fender_link_set_active(fender_world *world, fender_link_id link, bool active)
{
    const fender_status status = begin(world, NULL);
    return status ? status : end(world, fnd_inner_link_set_active(world, link, active));
}

fender_status fender_body_set_mass(fender_world *world, fender_body_id body, const fender_mass_properties *core,
                                   fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_body_set_mass(world, body, core, error));
}

fender_status fender_body_set_mass_flow(fender_world *world, fender_body_id body, const fender_mass_flow *flow,
                                        fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_body_set_mass_flow(world, body, flow, error));
}

fender_status fender_point_create(fender_world *world, fender_body_id body, const char *name, fender_pose X_SP,
                                  fender_point_id *id, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_point_create(world, body, name, X_SP, id, error));
}

fender_status fender_body_attach(fender_world *world, const fender_attach_def *def, fender_attach_report *report,
                                 fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_body_attach(world, def, report, error));
}

fender_status fender_body_detach(fender_world *world, fender_body_id body, fender_body_id from, fender_detach_rule rule,
                                 fender_body_id *freed, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_body_detach(world, body, from, rule, freed, error));
}

fender_status fender_body_reattach(fender_world *world, fender_body_id body, fender_pose X_PC,
                                   fender_attach_report *report, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_body_reattach(world, body, X_PC, report, error));
}

/* From a callback it cannot be done, and has nobody to tell: nothing happens. */
void fender_world_destroy(fender_world *world)
{
    if (world && !world->busy) fnd_inner_world_destroy(world);
}

fender_status fender_world_initialize(fender_world *world, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_world_initialize(world, error));
}

fender_status fender_world_stable_step(fender_world *world, double *longest, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_world_stable_step(world, longest, error));
}

fender_status fender_world_step(fender_world *world, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_world_step(world, error));
}

fender_status fender_world_advance(fender_world *world, int64_t count, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_world_advance(world, count, error));
}

fender_status fender_world_advance_to(fender_world *world, double time, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_world_advance_to(world, time, error));
}

fender_status fender_world_propose(fender_world *world, double limit, fender_proposal *proposal, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_world_propose(world, limit, proposal, error));
}

fender_status fender_world_sample(fender_world *world, double time, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_world_sample(world, time, error));
}

fender_status fender_world_accept(fender_world *world, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_world_accept(world, error));
}

void fender_world_set_contacts_active(fender_world *world, bool active)
{
    if (begin(world, NULL)) return;
    fnd_inner_world_set_contacts_active(world, active);
    (void)end(world, FENDER_STATUS_OK);
}

fender_status fender_body_create(fender_world *world, const fender_body_def *def, fender_body_id *id,
                                 fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_body_create(world, def, id, error));
}

fender_status fender_body_set_state(fender_world *world, fender_body_id body, const fender_body_state *state,
                                    fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_body_set_state(world, body, state, error));
}

fender_status fender_material_create(fender_world *world, const char *name, fender_material_id *id, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_material_create(world, name, id, error));
}

fender_status fender_shape_create(fender_world *world, fender_body_id body, const fender_shape_def *def,
                                  fender_shape_id *id, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_shape_create(world, body, def, id, error));
}

fender_status fender_shape_set_active(fender_world *world, fender_shape_id shape, bool active)
{
    const fender_status status = begin(world, NULL);
    return status ? status : end(world, fnd_inner_shape_set_active(world, shape, active));
}

fender_status fender_contact_type_create(fender_world *world, const fender_contact_type_def *def,
                                         fender_contact_type_id *id, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_contact_type_create(world, def, id, error));
}

fender_status fender_rule_add(fender_world *world, const fender_rule_def *def, fender_rule_id *id, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_rule_add(world, def, id, error));
}

fender_status fender_rule_set_use(fender_world *world, fender_rule_id rule, fender_contact_type_id use,
                                  fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_rule_set_use(world, rule, use, error));
}

fender_status fender_load_create(fender_world *world, const fender_load_def *def, fender_load_id *id,
                                 fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_load_create(world, def, id, error));
}

fender_status fender_load_set_active(fender_world *world, fender_load_id load, bool active)
{
    const fender_status status = begin(world, NULL);
    return status ? status : end(world, fnd_inner_load_set_active(world, load, active));
}

fender_status fender_sensor_create(fender_world *world, const char *name, const fender_beam *beam, fender_sensor_id *id,
                                   fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_sensor_create(world, name, beam, id, error));
}

fender_status fender_world_set_state(fender_world *world, double time, const double *y, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_world_set_state(world, time, y, error));
}

fender_status fender_world_derivative(fender_world *world, double *ydot, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_world_derivative(world, ydot, error));
}

fender_status fender_world_evaluate(fender_world *world, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_world_evaluate(world, error));
}

fender_status fender_world_commit(fender_world *world, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_world_commit(world, error));
}

fender_status fender_snapshot_restore(fender_world *world, const fender_snapshot *snapshot, fender_error *error)
{
    const fender_status status = begin(world, error);
    return status ? status : end(world, fnd_inner_snapshot_restore(world, snapshot, error));
}
