/* Bodies and energy as seen from the planet and from inertial space. */
#include "math/elementary.h"
#include "math/rotation.h"
#include "world/world.h"

#define FIELD(type, struct_name, member, unit_text, doc_text)                                              \
    {                                                                                                      \
#member, unit_text, doc_text, type, offsetof(struct_name, member), 0, -INFINITY, INFINITY, 0, NULL \
    }
#define REAL(member, unit, doc)   FIELD(FENDER_FIELD_REAL, fender_body_planet_data, member, unit, doc)
#define VECTOR(member, unit, doc) FIELD(FENDER_FIELD_VEC3, fender_body_planet_data, member, unit, doc)
#define TURN(member, doc)         FIELD(FENDER_FIELD_QUATERNION, fender_body_planet_data, member, "1", doc)

static const fender_field body_fields[] = {
    REAL(latitude, "rad", "Geodetic latitude of the centre of mass."),
    REAL(longitude, "rad", "Longitude of the centre of mass, east positive."),
    REAL(altitude, "m", "Height of the centre of mass above the planet's ellipsoid."),
    VECTOR(fixed_position, "m", "Centre of mass in planet-fixed axes, from the planet's centre."),
    VECTOR(fixed_velocity, "m/s", "Velocity of the centre of mass relative to the planet, in planet-fixed axes."),
    TURN(fixed_attitude, "Quaternion w x y z that takes structure axes to planet-fixed axes."),
    VECTOR(inertial_position, "m", "Centre of mass in inertial axes, from the centre of planet or point mass."),
    VECTOR(inertial_velocity, "m/s", "Velocity of the centre of mass in inertial space, in inertial axes."),
    TURN(inertial_attitude, "Quaternion w x y z that takes structure axes to inertial axes."),
    VECTOR(inertial_angular_velocity, "rad/s", "Angular velocity in inertial space, in structure axes."),
    VECTOR(inertial_angular_momentum, "N*m*s",
           "Angular momentum in inertial space about the centre of mass, in world axes; composite."),
};
static const fender_field_table body_table = FENDER_FIELD_TABLE("body_planet", body_fields, fender_body_planet_data);
const fender_field_table *fender_body_planet_fields(void) { return &body_table; }

#define LEDGER(member, unit, doc) FIELD(FENDER_FIELD_REAL, fender_inertial_ledger, member, unit, doc)
static const fender_field ledger_fields[] = {
    LEDGER(kinetic, "J", "Kinetic energy in inertial space."),
    LEDGER(gravitational, "J", "Energy of gravity alone."),
    LEDGER(applied, "J", "Work of loads and of bodies fixed to the planet in inertial space so far."),
    LEDGER(residual, "J", "Unaccounted energy in inertial space: the integration error."),
    LEDGER(axial_momentum, "N*m*s", "Angular momentum about the planet's axis in inertial space."),
    LEDGER(axial_drift, "N*m*s", "Change of axial_momentum without an external torque."),
};
static const fender_field_table ledger_table = FENDER_FIELD_TABLE("inertial_ledger", ledger_fields,
                                                                  fender_inertial_ledger);
const fender_field_table *fender_inertial_ledger_fields(void) { return &ledger_table; }

static fender_quaternion turn_of(const fender_mat3 *R) { return fnd_quaternion_from_matrix(R); }

/* q_IF: by how far the planet has turned since 0 s. */
static fender_quaternion planet_turn(const fnd_frame_field *field, double time)
{
    double sine, cosine, rotations = field->rate * time / 6.283185307179586;
    fnd_sin_cos(3.141592653589793 * (rotations - floor(rotations)), &sine, &cosine);
    return (fender_quaternion){cosine, 0, 0, sine};
}

fender_status fender_body_get_planet(const fender_world *world, fender_body_id id, fender_body_planet_data *data)
{
    if (!world || !data) return fnd_world_missing(NULL);
    fender_body_data body;
    fender_status status = fender_body_get(world, id, FENDER_CLOCK_COMMITTED, &body);
    if (status) return status;
    const fnd_frame_field now = fnd_world_field(world), *field = &now;
    *data = (fender_body_planet_data){0};
    fender_vec3 w_S = fender_quaternion_rotate(fender_quaternion_conjugate(body.attitude), field->omega);
    fender_vec3 inertial_velocity = body.center_velocity;
    fender_quaternion q_IW = fender_quaternion_identity();
    data->fixed_attitude = fender_quaternion_identity();
    data->inertial_angular_velocity = fender_vec3_add(body.angular_velocity, w_S);
    data->inertial_angular_momentum = body.angular_momentum;
    data->inertial_position = body.center_position;
    if (field->gravity.kind == FENDER_GRAVITY_POINT_MASS)
        data->inertial_position = fender_vec3_sub(body.center_position, field->gravity.center);
    if (field->framed) {
        fender_quaternion q_FW = turn_of(&field->R_FW), q_IF = planet_turn(field, world->time);
        fender_mat3 R_FW = field->R_FW;
        if (field->falling) {
            q_FW = fender_quaternion_conjugate(q_IF);
            R_FW = fender_quaternion_matrix(q_FW);
        } else {
            q_IW = fender_quaternion_product(q_IF, q_FW);
        }
        fender_vec3 rho = fender_vec3_add(field->origin, body.center_position);
        data->fixed_position = fender_mat3_times(&R_FW, rho);
        inertial_velocity = fender_vec3_add(inertial_velocity, fnd_frame_velocity(field, body.center_position));
        fender_vec3 relative = body.center_velocity;
        if (field->falling)
            relative = fender_vec3_sub(inertial_velocity,
                                       fender_vec3_cross(fender_vec3_scale(field->rate, field->axis), rho));
        data->fixed_velocity = fender_mat3_times(&R_FW, relative);
        data->fixed_attitude = fender_quaternion_normalized(fender_quaternion_product(q_FW, body.attitude));
        data->inertial_position = field->falling ? rho : fender_quaternion_rotate(q_IF, data->fixed_position);
        fender_geodetic place = fender_planet_geodetic(&world->def.frame.planet, data->fixed_position);
        data->latitude = place.latitude;
        data->longitude = place.longitude;
        data->altitude = place.altitude;
    }
    data->inertial_velocity = fender_quaternion_rotate(q_IW, inertial_velocity);
    data->inertial_attitude = fender_quaternion_normalized(fender_quaternion_product(q_IW, body.attitude));
    if (field->rotating) {
        fender_body_def def;
        fender_body_get_def(world, id, &def);
        fender_quaternion q_WB = fender_quaternion_product(body.attitude, fender_quaternion_normalized(def.body_axes));
        fender_mat3 R_WB = fender_quaternion_matrix(fender_quaternion_normalized(q_WB));
        fender_vec3 turning = fnd_frame_inertia_times(&body.inertia, &R_WB, field->omega);
        data->inertial_angular_momentum = fender_vec3_add(body.angular_momentum, turning);
    }
    return FENDER_STATUS_OK;
}

/* Velocity, angular velocity and angular momentum of a root in inertial space, W axes. */
typedef struct inertial_motion {
    fender_vec3 v, w, L;
} inertial_motion;

static inertial_motion motion_of(const fender_world *world, const fnd_frame_field *field, int index)
{
    const fnd_body *body = &world->model.bodies[index];
    fnd_frame frame = fnd_frame_of_state(body, &body->state);
    inertial_motion m;
    m.v = fender_vec3_add(frame.v, fnd_frame_velocity(field, frame.p));
    m.w = fender_vec3_add(frame.w, field->omega);
    m.L = fender_vec3_add(body->state.L, fnd_frame_inertia_times(&body->inertia, &frame.R_WB, field->omega));
    return m;
}

double fnd_world_wheel_axial_momentum(const fender_world *world)
{
    double sum = 0;
    if (!world->dynamics.field.axial) return 0;
    const fnd_frame_field field = fnd_world_field(world);
    const int slot = world->dynamics.evaluations[0].slot;
    for (int i = 0; i < world->dynamics.load_count; i++)
        if (fnd_load_is_wheel(&world->dynamics.loads[i]))
            sum += fender_vec3_dot(field.axis, world->dynamics.loads[i].at[slot].momentum);
    return sum;
}

double fnd_world_axial_momentum(const fender_world *world)
{
    double sum = 0;
    if (!world->dynamics.field.axial) return 0;
    const fnd_frame_field now = fnd_world_field(world), *field = &now;
    for (int k = 0; k < world->dynamics.dynamic_count; k++) {
        int i = world->dynamics.dynamic[k];
        const fnd_body *body = &world->model.bodies[i];
        inertial_motion m = motion_of(world, field, i);
        fender_vec3 lever = fender_vec3_cross(field->axis, fender_vec3_add(field->origin, body->state.p));
        sum += body->mass * fender_vec3_dot(lever, m.v) + fender_vec3_dot(field->axis, m.L);
    }
    return sum + fnd_world_wheel_axial_momentum(world);
}

void fender_world_inertial_ledger(const fender_world *world, fender_inertial_ledger *ledger)
{
    if (!ledger) return;
    *ledger = (fender_inertial_ledger){0};
    if (!world) return;
    const fnd_frame_field now = fnd_world_field(world), *field = &now;
    const fnd_account *a = &world->account;
    for (int k = 0; k < world->dynamics.dynamic_count; k++) {
        int i = world->dynamics.dynamic[k];
        const fnd_body *body = &world->model.bodies[i];
        const double *of_parts = world->dynamics.evaluations[0].part_energy; /* that move within their tree */
        inertial_motion m = motion_of(world, field, i);
        if (of_parts) ledger->kinetic += of_parts[i];
        ledger->kinetic += 0.5 * (body->mass * fender_vec3_dot(m.v, m.v) + fender_vec3_dot(m.w, m.L));
        ledger->gravitational += body->mass *
                                 fnd_frame_potential(field, body->state.p, world->dynamics.momentum_origin);
        if (!field->gradient) continue;
        fender_mat3 R_WB = fender_quaternion_matrix(body->state.q);
        ledger->gravitational += fnd_frame_gradient_energy(field, &body->inertia, &R_WB, body->state.p);
    }
    ledger->kinetic += fnd_world_wheel_energy(world, &world->dynamics.evaluations[0]);
    ledger->axial_momentum = fnd_world_axial_momentum(world);
    ledger->axial_drift = fabs(ledger->axial_momentum - a->start_axial_momentum - a->axial_impulse);
    if (!field->framed) return;
    if (field->falling) { /* as seen in the frame */
        fender_ledger seen;
        fender_world_ledger(world, &seen);
        ledger->applied = seen.applied;
        ledger->residual = seen.residual;
        return;
    }
    /* The energy in inertial space is that of the frame and rate times axial momentum (with the constant of the
     * frame's origin): so it began, and so work adds to it. Wheels have the same energy in both, and their momentum
     * does not count. */
    fender_vec3 spin = fender_vec3_cross(field->omega, field->origin);
    double mass = 0;
    for (int k = 0; k < world->dynamics.dynamic_count; k++)
        mass += world->model.bodies[world->dynamics.dynamic[k]].mass;
    double origin = 0.5 * mass * fender_vec3_dot(spin, spin);
    const double wheels = a->start_wheel_momentum;
    double start = a->start_energy - origin + field->rate * (a->start_axial_momentum - wheels);
    ledger->applied = a->applied + field->rate * (a->axial_impulse - (fnd_world_wheel_axial_momentum(world) - wheels));
    ledger->residual = start + ledger->applied -
                       (ledger->kinetic + ledger->gravitational + fnd_world_stored(world) + a->damping + a->friction +
                        a->attachment);
}

fender_vec3 fender_world_gravity_at(const fender_world *world, fender_vec3 position)
{
    const fender_vec3 none = {0, 0, 0};
    if (!world) return none;
    const fnd_frame_field now = fnd_world_field(world), *field = &now;
    return field->framed ? fnd_frame_acceleration(field, position, none) : fnd_frame_gravity(field, position);
}
