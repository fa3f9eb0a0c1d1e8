/* A world of a fixed and a flying ball, as small as what can be checked by hand. */
#ifndef TEST_RECORD_SMALL_WORLD_H
#define TEST_RECORD_SMALL_WORLD_H

#include "check.h"
#include <fender/fender.h>
#include <stdlib.h>
#include <string.h>

/* `ground` (radius 1, fixed at the origin) and `ball` (radius 0.5, 2 kg) on the x axis at `x` with velocity `speed`
 * along it; a spring of 1000 N/m between any two shapes; a load `push` of 4 N along y on the sphere and a link
 * `rope` of 100 N/m between the two origins, both not active; a sensor `altimeter` on the sphere's near side. */
static inline fender_world *small_world(double x, double speed)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    fender_body_def ground = fender_body_def_default(), ball = fender_body_def_default();
    fender_shape_def shape = fender_shape_def_default();
    fender_contact_type_def type = {.size = sizeof(fender_contact_type_def), .name = "spring"};
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT};
    fender_load_def load = fender_load_def_default();
    fender_body_id body;
    fender_shape_id shape_id;
    fender_load_id load_id;
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    type.law = fender_law_find(NULL, "spring_damper");
    assert_non_null(type.law);
    char *parameters = calloc(1, type.law->parameters.size);
    (void)fender_field_initialize(&type.law->parameters, parameters, type.law->parameters.size, NULL);
    fender_field_set(fender_field_find(&type.law->parameters, "stiffness"), parameters, 0, 1000);
    type.law_parameters = parameters;
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    free(parameters);
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    ground.name = "ground";
    ground.motion = FENDER_MOTION_FIXED;
    check_ok(fender_body_create(world, &ground, &body, &error));
    shape.name = "hull";
    shape.geometry = fender_geometry_sphere(&env, 1, NULL);
    check_ok(fender_shape_create(world, body, &shape, &shape_id, &error));
    fender_geometry_release(shape.geometry);
    ball.name = "ball";
    ball.mass_properties.mass = 2;
    ball.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
    ball.state.position.x = x;
    ball.state.velocity.x = speed;
    check_ok(fender_body_create(world, &ball, &body, &error));
    shape.geometry = fender_geometry_sphere(&env, 0.5, NULL);
    check_ok(fender_shape_create(world, body, &shape, &shape_id, &error));
    fender_geometry_release(shape.geometry);
    load.name = "push";
    load.body = body;
    load.force.kind = FENDER_SIGNAL_CONSTANT;
    load.force.constant = fender_vec3_make(0, 4, 0);
    load.active = false;
    check_ok(fender_load_create(world, &load, &load_id, &error));
    fender_link_def link = fender_link_def_default();
    fender_link_spring_damper rope = {.stiffness = 100, .free_length = 1, .limit = INFINITY};
    link.name = "rope";
    link.parameters = &rope;
    link.active = false;
    check_ok(fender_point_create(world, fender_body_at(world, 0), "hook", fender_pose_identity(), &link.a, &error));
    check_ok(fender_point_create(world, fender_body_at(world, 1), "hook", fender_pose_identity(), &link.b, &error));
    check_ok(fender_link_create(world, &link, NULL, &error));
    const fender_beam beam = {body, {-0.5, 0, 0}, {-2, 0, 0}, INFINITY}; /* along x, towards the ground */
    check_ok(fender_sensor_create(
        world, &(fender_sensor_def){.size = sizeof(fender_sensor_def), .name = "altimeter", .beam = beam}, NULL,
        &error));
    check_ok(fender_world_initialize(world, &error));
    return world;
}

#endif
