/* The same motion in an inertial world and in frames of a planet: worlds of one body, states carried over. */
#ifndef VERIF_PLANET_FRAMES_H
#define VERIF_PLANET_FRAMES_H

#include "check.h"
#include <fender/fender.h>

static const double PI = 3.14159265358979323846;

static inline fender_planet planet_named(const char *name)
{
    fender_planet planet;
    check_ok(fender_planet_find(name, &planet, &error));
    return planet;
}

static inline fender_mat3 frame_axes(const fender_frame *frame)
{
    return frame->kind == FENDER_FRAME_LOCAL
               ? fender_local_axes_matrix(frame->origin.latitude, frame->origin.longitude, frame->axes)
               : fender_mat3_identity();
}

static inline fender_vec3 frame_origin(const fender_frame *frame)
{
    return frame->kind == FENDER_FRAME_LOCAL ? fender_planet_fixed_position(&frame->planet, &frame->origin)
                                             : fender_vec3_make(0, 0, 0);
}

/* By the definition alone, for tests that do not trust rotation.c. */
static inline fender_quaternion quaternion_of(const fender_mat3 *r)
{
    fender_quaternion best = {1, 0, 0, 0};
    double t = 1 + r->m[0][0] + r->m[1][1] + r->m[2][2];
    if (t > 0.1)
        best = (fender_quaternion){t, r->m[2][1] - r->m[1][2], r->m[0][2] - r->m[2][0], r->m[1][0] - r->m[0][1]};
    else if (r->m[0][0] >= r->m[1][1] && r->m[0][0] >= r->m[2][2])
        best = (fender_quaternion){r->m[2][1] - r->m[1][2], 1 + r->m[0][0] - r->m[1][1] - r->m[2][2],
                                   r->m[0][1] + r->m[1][0], r->m[0][2] + r->m[2][0]};
    else if (r->m[1][1] >= r->m[2][2])
        best = (fender_quaternion){r->m[0][2] - r->m[2][0], r->m[0][1] + r->m[1][0],
                                   1 - r->m[0][0] + r->m[1][1] - r->m[2][2], r->m[1][2] + r->m[2][1]};
    else
        best = (fender_quaternion){r->m[1][0] - r->m[0][1], r->m[0][2] + r->m[2][0], r->m[1][2] + r->m[2][1],
                                   1 - r->m[0][0] - r->m[1][1] + r->m[2][2]};
    return fender_quaternion_normalized(best);
}

/* A state of inertial axes, which are those of the planet at 0 s, in the frame; an inertial world keeps it. */
static inline fender_body_state in_frame(const fender_frame *frame, fender_body_state s)
{
    if (frame->kind == FENDER_FRAME_INERTIAL) return s;
    fender_mat3 R_FW = frame_axes(frame);
    fender_vec3 omega = {0, 0, frame->planet.rotation_rate};
    fender_body_state f;
    f.position = fender_mat3_transpose_times(&R_FW, fender_vec3_sub(s.position, frame_origin(frame)));
    f.velocity = fender_mat3_transpose_times(&R_FW, fender_vec3_sub(s.velocity, fender_vec3_cross(omega, s.position)));
    f.attitude = fender_quaternion_product(fender_quaternion_conjugate(quaternion_of(&R_FW)), s.attitude);
    f.angular_velocity = fender_vec3_sub(s.angular_velocity,
                                         fender_quaternion_rotate(fender_quaternion_conjugate(s.attitude), omega));
    return f;
}

/* How far two quaternions turn apart [rad]. */
static inline double turn_between(fender_quaternion a, fender_quaternion b)
{
    fender_quaternion d = fender_quaternion_product(fender_quaternion_conjugate(a), b);
    return 2 * asin(sqrt(d.x * d.x + d.y * d.y + d.z * d.z));
}

static inline fender_world *world_of(const fender_world_def *def)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_world *world = fender_world_create(&env, def, &error);
    if (!world) fail_msg("%s: %s, expected %s", error.path, error.message, error.expected);
    return world;
}

static inline fender_body_id add_body(fender_world *world, const char *name, double mass, fender_mat3 inertia,
                                      const fender_body_state *state)
{
    fender_body_def def = fender_body_def_default();
    def.name = name;
    def.mass_properties.mass = mass;
    def.mass_properties.inertia = inertia;
    def.state = *state;
    fender_body_id id;
    check_ok(fender_body_create(world, &def, &id, &error));
    return id;
}

static inline void add_sphere(fender_world *world, fender_body_id body, const char *name, double radius, fender_vec3 at)
{
    fender_env env = fender_env_default();
    fender_shape_def def = fender_shape_def_default();
    fender_shape_id id;
    def.name = name;
    def.geometry = fender_geometry_sphere(&env, radius, NULL);
    def.X_SG.p = at;
    check_ok(fender_shape_create(world, body, &def, &id, &error));
    fender_geometry_release(def.geometry);
}

static inline void set_parameter(const fender_law *law, void *parameters, const char *name, double value)
{
    const fender_field *field = fender_field_find(&law->parameters, name);
    assert_non_null(field);
    fender_field_set(field, parameters, 0, value);
}

/* Springs and dampers everywhere; with friction that sticks where mu is above zero. */
static inline void add_contact(fender_world *world, double stiffness, double damping, double mu)
{
    const fender_law *normal = fender_law_find(NULL, "spring_damper");
    const fender_law *friction = fender_law_find(NULL, "coulomb_static_kinetic");
    union {
        double align;
        char bytes[128];
    } n, f;
    (void)fender_field_initialize(&normal->parameters, n.bytes, sizeof n.bytes, NULL);
    set_parameter(normal, n.bytes, "stiffness", stiffness);
    set_parameter(normal, n.bytes, "damping", damping);
    (void)fender_field_initialize(&friction->parameters, f.bytes, sizeof f.bytes, NULL);
    set_parameter(friction, f.bytes, "mu_static", mu);
    set_parameter(friction, f.bytes, "mu_kinetic", mu);
    set_parameter(friction, f.bytes, "stiffness", stiffness);
    set_parameter(friction, f.bytes, "damping", damping);
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "type", .normal = normal, .normal_parameters = n.bytes};
    if (mu > 0) type.friction = friction, type.friction_parameters = f.bytes;
    fender_contact_type_id id;
    check_ok(fender_contact_type_create(world, &type, &id, &error));
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = id};
    fender_rule_id rule_id;
    check_ok(fender_rule_create(world, &rule, &rule_id, &error));
}

static inline fender_body_planet_data seen_from_space(const fender_world *world, fender_body_id body)
{
    fender_body_planet_data data;
    assert_int_equal(fender_body_get_planet(world, body, &data), FENDER_STATUS_OK);
    return data;
}

#endif
