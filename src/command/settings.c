/* The commands of every kind of object: how each is set and read. */
#include "command/settings.h"
#include "support/io_error.h"
#include "support/number.h"

#include <math.h>
#include <string.h>

/* The id of the object. All kinds of ids have one form. */
#define ID_OF(noun)                                                              \
    static fender_##noun##_id noun##_of(const fender_command *command)           \
    {                                                                            \
        fender_##noun##_id id;                                                   \
        _Static_assert(sizeof id == sizeof command->id, "an id is two numbers"); \
        memcpy(&id, command->id, sizeof id);                                     \
        return id;                                                               \
    }
ID_OF(load)
ID_OF(link)
ID_OF(body)
ID_OF(shape)

/* ---- switches */

static fender_status set_load_active(fender_world *world, const fender_command *command, const double *values,
                                     fender_error *error)
{
    (void)error;
    return fender_load_set_active(world, load_of(command), values[0] != 0);
}

static fender_status get_load_active(const fender_world *world, const fender_command *command, double *values)
{
    bool active = false;
    fender_status status = fender_load_is_active(world, load_of(command), &active);
    values[0] = active;
    return status;
}

static fender_status set_link_active(fender_world *world, const fender_command *command, const double *values,
                                     fender_error *error)
{
    (void)error;
    return fender_link_set_active(world, link_of(command), values[0] != 0);
}

static fender_status get_link_active(const fender_world *world, const fender_command *command, double *values)
{
    fender_link_def def;
    fender_status status = fender_link_get_def(world, link_of(command), &def);
    if (status == FENDER_STATUS_OK) values[0] = def.active;
    return status;
}

static fender_status set_shape_active(fender_world *world, const fender_command *command, const double *values,
                                      fender_error *error)
{
    (void)error;
    return fender_shape_set_active(world, shape_of(command), values[0] != 0);
}

static fender_status get_shape_active(const fender_world *world, const fender_command *command, double *values)
{
    fender_shape_def def;
    fender_status status = fender_shape_get_def(world, shape_of(command), &def);
    if (status == FENDER_STATUS_OK) values[0] = def.active;
    return status;
}

/* ---- loads */

static bool is_kind(const fender_world *world, const fender_command *command, fender_load_kind kind)
{
    fender_load_def def;
    return fender_load_get_def(world, load_of(command), &def) == FENDER_STATUS_OK && def.kind == kind;
}

static bool is_given(const fender_world *world, const fender_command *command)
{
    return is_kind(world, command, FENDER_LOAD_GIVEN);
}

static bool is_thruster(const fender_world *world, const fender_command *command)
{
    return is_kind(world, command, FENDER_LOAD_THRUSTER);
}

static bool is_wheel(const fender_world *world, const fender_command *command)
{
    return is_kind(world, command, FENDER_LOAD_REACTION_WHEEL);
}

static fender_status set_force(fender_world *world, const fender_command *command, const double *values,
                               fender_error *error)
{
    return fender_load_set_force(world, load_of(command), fender_vec3_make(values[0], values[1], values[2]), error);
}

static fender_status set_torque(fender_world *world, const fender_command *command, const double *values,
                                fender_error *error)
{
    return fender_load_set_torque(world, load_of(command), fender_vec3_make(values[0], values[1], values[2]), error);
}

static fender_status set_throttle(fender_world *world, const fender_command *command, const double *values,
                                  fender_error *error)
{
    return fender_load_set_throttle(world, load_of(command), values[0], error);
}

static fender_status check_throttle(const fender_world *world, const fender_command *command, const double *values,
                                    fender_error *error)
{
    (void)world;
    if (values[0] >= 0 && values[0] <= 1) return FENDER_STATUS_OK;
    char found[FND_NUMBER_SIZE];
    fnd_number_format_digits(values[0], 6, found, sizeof found);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_VALUE, .path = command->name,
                       .message = "the throttle is not between 0 and 1", .found = found, .expected = "0 to 1");
}

static fender_status set_motor_torque(fender_world *world, const fender_command *command, const double *values,
                                      fender_error *error)
{
    return fender_load_set_motor_torque(world, load_of(command), values[0], error);
}

static fender_status load_commands(const fender_world *world, const fender_command *command, fender_load_command *now)
{
    return fender_load_get_command(world, load_of(command), now);
}

static fender_status get_force(const fender_world *world, const fender_command *command, double *values)
{
    fender_load_command now;
    const fender_status status = load_commands(world, command, &now);
    if (status == FENDER_STATUS_OK) memcpy(values, &now.force, 3 * sizeof *values);
    return status;
}

static fender_status get_torque(const fender_world *world, const fender_command *command, double *values)
{
    fender_load_command now;
    const fender_status status = load_commands(world, command, &now);
    if (status == FENDER_STATUS_OK) memcpy(values, &now.torque, 3 * sizeof *values);
    return status;
}

static fender_status get_throttle(const fender_world *world, const fender_command *command, double *values)
{
    fender_load_command now;
    const fender_status status = load_commands(world, command, &now);
    if (status == FENDER_STATUS_OK) values[0] = now.throttle;
    return status;
}

static fender_status get_motor_torque(const fender_world *world, const fender_command *command, double *values)
{
    fender_load_command now;
    const fender_status status = load_commands(world, command, &now);
    if (status == FENDER_STATUS_OK) values[0] = now.motor_torque;
    return status;
}

/* ---- motion */

/* Of all commands to motion and gravity (fender/body.h). */
static fender_status check_range(const fender_command *command, const double *values, fender_error *error)
{
    char found[FND_NUMBER_SIZE];
    for (int i = 0; i < command->row->count; i++) {
        if (fabs(values[i]) <= 1e100) continue;
        fnd_number_format_digits(values[i], 6, found, sizeof found);
        return FND_IO_FAIL(error, .status = FENDER_STATUS_VALUE, .path = command->name,
                           .message = "the value of a command is too large", .found = found,
                           .expected = "numbers of at most 1e100", .suggestion = "check the unit");
    }
    return FENDER_STATUS_OK;
}

static fender_status check_motion(const fender_world *world, const fender_command *command, const double *values,
                                  fender_error *error)
{
    fender_body_def def;
    const fender_status status = fender_body_get_def(world, body_of(command), &def);
    if (status != FENDER_STATUS_OK) return status;
    if (def.motion != FENDER_MOTION_DYNAMIC && def.motion != FENDER_MOTION_PRESCRIBED)
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .path = command->name,
                           .message = "only a dynamic or prescribed body's state can be set",
                           .found = fender_motion_name(def.motion), .expected = "a dynamic or prescribed body");
    return check_range(command, values, error);
}

static fender_status check_gravity(const fender_world *world, const fender_command *command, const double *values,
                                   fender_error *error)
{
    const fender_world_def *def = fender_world_get_def(world);
    const fender_gravity_kind kind = def->gravity.kind;
    if (def->frame.kind != FENDER_FRAME_INERTIAL || (kind != FENDER_GRAVITY_NONE && kind != FENDER_GRAVITY_UNIFORM))
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .path = command->name,
                           .message = "only a uniform gravity can be commanded",
                           .found = "the gravity of a planet or a point mass",
                           .expected = "an inertial world with uniform gravity or none");
    return check_range(command, values, error);
}

static fender_status body_state(const fender_world *world, const fender_command *command, fender_body_state *state)
{
    fender_body_data data;
    fender_status status = fender_body_get(world, body_of(command), FENDER_CLOCK_COMMITTED, &data);
    if (status == FENDER_STATUS_OK)
        *state = (fender_body_state){data.position, data.attitude, data.velocity, data.angular_velocity};
    return status;
}

static fender_status set_velocity(fender_world *world, const fender_command *command, const double *values,
                                  fender_error *error)
{
    fender_body_state state;
    fender_status status = body_state(world, command, &state);
    if (status != FENDER_STATUS_OK) return status;
    state.velocity = fender_vec3_make(values[0], values[1], values[2]);
    return fender_body_set_state(world, body_of(command), &state, error);
}

static fender_status get_velocity(const fender_world *world, const fender_command *command, double *values)
{
    fender_body_state state;
    fender_status status = body_state(world, command, &state);
    if (status == FENDER_STATUS_OK) memcpy(values, &state.velocity, 3 * sizeof *values);
    return status;
}

static fender_status set_angular_velocity(fender_world *world, const fender_command *command, const double *values,
                                          fender_error *error)
{
    fender_body_state state;
    fender_status status = body_state(world, command, &state);
    if (status != FENDER_STATUS_OK) return status;
    state.angular_velocity = fender_vec3_make(values[0], values[1], values[2]);
    return fender_body_set_state(world, body_of(command), &state, error);
}

static fender_status get_angular_velocity(const fender_world *world, const fender_command *command, double *values)
{
    fender_body_state state;
    fender_status status = body_state(world, command, &state);
    if (status == FENDER_STATUS_OK) memcpy(values, &state.angular_velocity, 3 * sizeof *values);
    return status;
}

static fender_status set_gravity(fender_world *world, const fender_command *command, const double *values,
                                 fender_error *error)
{
    (void)command;
    return fender_world_set_gravity(world, fender_vec3_make(values[0], values[1], values[2]), error);
}

static fender_status get_gravity(const fender_world *world, const fender_command *command, double *values)
{
    (void)command;
    const fender_vec3 gravity = fender_world_get_gravity(world);
    memcpy(values, &gravity, 3 * sizeof *values);
    return FENDER_STATUS_OK;
}

static fender_status set_contacts_active(fender_world *world, const fender_command *command, const double *values,
                                         fender_error *error)
{
    (void)command, (void)error;
    return fender_world_set_contacts_active(world, values[0] != 0);
}

static fender_status get_contacts_active(const fender_world *world, const fender_command *command, double *values)
{
    (void)command;
    values[0] = fender_world_get_contacts_active(world) ? 1 : 0;
    return FENDER_STATUS_OK;
}

/* ---- the table */

static const fnd_command_row rows[] = {
    {FND_COMMAND_LOAD, "loads.NAME.active", "1", "Switches a load on or off.", 1, true, NULL, set_load_active,
     get_load_active, NULL},
    {FND_COMMAND_LOAD, "loads.NAME.force", "N", "Force of a given load, in its axes.", 3, false, is_given, set_force,
     get_force, NULL},
    {FND_COMMAND_LOAD, "loads.NAME.torque", "N*m", "Torque of a given load, in its axes.", 3, false, is_given,
     set_torque, get_torque, NULL},
    {FND_COMMAND_LOAD, "loads.NAME.throttle", "1", "Throttle of a thruster, 0 to 1.", 1, false, is_thruster,
     set_throttle, get_throttle, check_throttle},
    {FND_COMMAND_LOAD, "loads.NAME.motor_torque", "N*m", "Motor torque of a reaction wheel.", 1, false, is_wheel,
     set_motor_torque, get_motor_torque, NULL},
    {FND_COMMAND_LINK, "links.NAME.active", "1", "Switches a link on or off.", 1, true, NULL, set_link_active,
     get_link_active, NULL},
    {FND_COMMAND_SHAPE, "bodies.NAME.shapes.NAME.active", "1", "Switches a shape on or off.", 1, true, NULL,
     set_shape_active, get_shape_active, NULL},
    {FND_COMMAND_BODY, "bodies.NAME.velocity", "m/s", "Velocity of the structure frame, in world axes.", 3, false, NULL,
     set_velocity, get_velocity, check_motion},
    {FND_COMMAND_BODY, "bodies.NAME.angular_velocity", "rad/s", "Angular velocity, in structure axes.", 3, false, NULL,
     set_angular_velocity, get_angular_velocity, check_motion},
    {FND_COMMAND_WORLD, "world.gravity", "m/s^2", "Uniform gravity, in world axes.", 3, false, NULL, set_gravity,
     get_gravity, check_gravity},
    {FND_COMMAND_WORLD, "world.contacts_active", "1", "Switches all contacts on or off.", 1, true, NULL,
     set_contacts_active, get_contacts_active, NULL},
};

const fnd_command_row *fnd_command_row_at(int index)
{
    const int count = (int)(sizeof rows / sizeof rows[0]);
    if (index >= count) return fnd_link_command_row_at(index - count);
    return index >= 0 ? &rows[index] : NULL;
}
