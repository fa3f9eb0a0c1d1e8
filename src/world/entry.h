/* What the public calls that change a world do, without the guard of entry.c: for calls from within. The world is never
 * NULL here: the guard has refused that. */
#ifndef FND_WORLD_ENTRY_H
#define FND_WORLD_ENTRY_H

#include <fender/fender.h>

fender_status fnd_inner_link_create(fender_world *world, const fender_link_def *def, fender_link_id *id,
                                    fender_error *error);
fender_status fnd_inner_link_set_active(fender_world *world, fender_link_id link, bool active);
fender_status fnd_inner_link_set_length(fender_world *world, fender_link_id link, double length, fender_error *error);
fender_status fnd_inner_link_set_rate(fender_world *world, fender_link_id link, double rate, double target,
                                      fender_error *error);
fender_status fnd_inner_link_set_force(fender_world *world, fender_link_id link, double force, fender_error *error);
fender_status fnd_inner_link_set_free(fender_world *world, fender_link_id link, fender_error *error);
fender_status fnd_inner_link_set_locked(fender_world *world, fender_link_id link, bool locked, fender_error *error);
fender_status fnd_inner_link_set_current(fender_world *world, fender_link_id link, double current, fender_error *error);
fender_status fnd_inner_link_set_parameter(fender_world *world, fender_link_id link, const char *name, double value,
                                           fender_error *error);
fender_status fnd_inner_body_set_mass(fender_world *world, fender_body_id body, const fender_mass_properties *core,
                                      fender_error *error);
fender_status fnd_inner_body_set_mass_flow(fender_world *world, fender_body_id body, const fender_mass_flow *flow,
                                           fender_error *error);
fender_status fnd_inner_point_create(fender_world *world, fender_body_id body, const char *name, fender_pose X_SP,
                                     fender_point_id *id, fender_error *error);
fender_status fnd_inner_body_attach(fender_world *world, const fender_attach_def *def, fender_attach_report *report,
                                    fender_error *error);
fender_status fnd_inner_body_detach(fender_world *world, fender_body_id body, fender_body_id from,
                                    fender_detach_rule rule, fender_body_id *freed, fender_error *error);
fender_status fnd_inner_body_reattach(fender_world *world, fender_body_id body, fender_pose X_PC,
                                      fender_attach_report *report, fender_error *error);
fender_status fnd_inner_body_set_part_motion(fender_world *world, fender_body_id body, const fender_part_motion *motion,
                                             fender_error *error);
fender_status fnd_inner_body_move_part(fender_world *world, fender_body_id body, fender_vec3 position, double angle,
                                       double duration, fender_error *error);
void fnd_inner_world_destroy(fender_world *world);
fender_status fnd_inner_world_initialize(fender_world *world, fender_error *error);
fender_status fnd_inner_world_stable_step(fender_world *world, double *longest, fender_error *error);
fender_status fnd_inner_world_step(fender_world *world, fender_error *error);
fender_status fnd_inner_world_advance(fender_world *world, int64_t count, fender_error *error);
fender_status fnd_inner_world_advance_to(fender_world *world, double time, fender_error *error);
fender_status fnd_inner_world_advance_tangent(fender_world *world, double time, int columns, double *x,
                                              fender_error *error);
fender_status fnd_inner_world_linearize(fender_world *world, double *a, fender_error *error);
fender_status fnd_inner_world_propose(fender_world *world, double limit, fender_proposal *proposal,
                                      fender_error *error);
fender_status fnd_inner_world_sample_motion(fender_world *world, double time, fender_error *error);
fender_status fnd_inner_world_sample(fender_world *world, double time, fender_error *error);
fender_status fnd_inner_world_accept(fender_world *world, fender_error *error);
fender_status fnd_inner_world_set_contacts_active(fender_world *world, bool active);
fender_status fnd_inner_body_create(fender_world *world, const fender_body_def *def, fender_body_id *id,
                                    fender_error *error);
fender_status fnd_inner_body_set_state(fender_world *world, fender_body_id body, const fender_body_state *state,
                                       fender_error *error);
fender_status fnd_inner_body_set_motion(fender_world *world, fender_body_id body, fender_vec3 velocity,
                                        fender_vec3 angular_velocity, fender_error *error);
fender_status fnd_inner_body_move_to(fender_world *world, fender_body_id body, fender_pose pose, double duration,
                                     fender_error *error);
fender_status fnd_inner_world_set_gravity(fender_world *world, fender_vec3 gravity, fender_error *error);
fender_status fnd_inner_material_create(fender_world *world, const char *name, fender_material_id *id,
                                        fender_error *error);
fender_status fnd_inner_shape_create(fender_world *world, fender_body_id body, const fender_shape_def *def,
                                     fender_shape_id *id, fender_error *error);
fender_status fnd_inner_shape_set_active(fender_world *world, fender_shape_id shape, bool active);
fender_status fnd_inner_contact_type_create(fender_world *world, const fender_contact_type_def *def,
                                            fender_contact_type_id *id, fender_error *error);
fender_status fnd_inner_rule_create(fender_world *world, const fender_rule_def *def, fender_rule_id *id,
                                    fender_error *error);
fender_status fnd_inner_rule_set_use(fender_world *world, fender_rule_id rule, fender_contact_type_id use,
                                     fender_error *error);
fender_status fnd_inner_load_create(fender_world *world, const fender_load_def *def, fender_load_id *id,
                                    fender_error *error);
fender_status fnd_inner_load_set_active(fender_world *world, fender_load_id load, bool active);
/* `which`: 0 force, 1 torque. */
fender_status fnd_inner_load_command(fender_world *world, fender_load_id load, int which, fender_vec3 value,
                                     fender_error *error);
fender_status fnd_inner_load_set_throttle(fender_world *world, fender_load_id load, double throttle,
                                          fender_error *error);
fender_status fnd_inner_load_set_motor_torque(fender_world *world, fender_load_id load, double torque,
                                              fender_error *error);
fender_status fnd_inner_sensor_create(fender_world *world, const fender_sensor_def *def, fender_sensor_id *id,
                                      fender_error *error);
fender_status fnd_inner_body_destroy(fender_world *world, fender_body_id body, fender_error *error);
fender_status fnd_inner_shape_destroy(fender_world *world, fender_shape_id shape, fender_error *error);
fender_status fnd_inner_link_destroy(fender_world *world, fender_link_id link, fender_error *error);
fender_status fnd_inner_load_destroy(fender_world *world, fender_load_id load, fender_error *error);
fender_status fnd_inner_rule_destroy(fender_world *world, fender_rule_id rule, fender_error *error);
fender_status fnd_inner_sensor_destroy(fender_world *world, fender_sensor_id sensor, fender_error *error);
fender_status fnd_inner_snapshot_restore(fender_world *world, const fender_snapshot *snapshot, fender_error *error);

#endif
