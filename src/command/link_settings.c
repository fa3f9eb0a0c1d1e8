/* The commands of links: lengths, rates, forces, currents, brakes, and parameters of their laws. */
#include "command/settings.h"
#include "support/io_error.h"
#include "support/number.h"

#include <stdio.h>
#include <string.h>

static fender_link_id link_of(const fender_command *command)
{
    fender_link_id id;
    _Static_assert(sizeof id == sizeof command->id, "an id is two numbers");
    memcpy(&id, command->id, sizeof id);
    return id;
}

static bool has_law(const fender_world *world, const fender_command *command, fender_link_law law)
{
    fender_link_def def;
    return fender_link_get_def(world, link_of(command), &def) == FENDER_STATUS_OK && def.law == law;
}

static fender_status data_of(const fender_world *world, const fender_command *command, fender_link_data *data)
{
    return fender_link_get(world, link_of(command), FENDER_CLOCK_COMMITTED, data);
}

/* ---- motion */

/* It has a free length: the laws that fender_link_set_length takes. */
static bool has_length(const fender_world *world, const fender_command *command)
{
    static const fender_link_law laws[] = {FENDER_LINK_SPRING_DAMPER,     FENDER_LINK_TETHER,
                                           FENDER_LINK_SEPARATION_SPRING, FENDER_LINK_STRUT,
                                           FENDER_LINK_CONTACT_LAW,       FENDER_LINK_ACTUATOR};
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++)
        if (has_law(world, command, laws[i])) return true;
    return false;
}

static bool is_actuator(const fender_world *world, const fender_command *command)
{
    return has_law(world, command, FENDER_LINK_ACTUATOR);
}

static bool is_magnet(const fender_world *world, const fender_command *command)
{
    return has_law(world, command, FENDER_LINK_ELECTROMAGNET);
}

static fender_status set_length(fender_world *world, const fender_command *command, const double *values,
                                fender_error *error)
{
    return fender_link_set_length(world, link_of(command), values[0], error);
}

static fender_status get_length(const fender_world *world, const fender_command *command, double *values)
{
    fender_link_data data;
    fender_status status = data_of(world, command, &data);
    if (status == FENDER_STATUS_OK) values[0] = data.free_length;
    return status;
}

static fender_status check_length(const fender_world *world, const fender_command *command, const double *values,
                                  fender_error *error)
{
    (void)world;
    if (values[0] >= 0 && values[0] <= 1e100) return FENDER_STATUS_OK;
    char found[FND_NUMBER_SIZE];
    fnd_number_format_digits(values[0], 6, found, sizeof found);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_VALUE, .path = command->name,
                       .message = values[0] < 0 ? "the length is negative" : "the length is too large", .found = found,
                       .expected = "0 m to 1e100 m");
}

static fender_status set_rate(fender_world *world, const fender_command *command, const double *values,
                              fender_error *error)
{
    return fender_link_set_rate(world, link_of(command), values[0], INFINITY, error);
}

static fender_status get_rate(const fender_world *world, const fender_command *command, double *values)
{
    fender_link_data data;
    fender_status status = data_of(world, command, &data);
    if (status == FENDER_STATUS_OK) values[0] = data.free_rate;
    return status;
}

static fender_status set_force(fender_world *world, const fender_command *command, const double *values,
                               fender_error *error)
{
    return fender_link_set_force(world, link_of(command), values[0], error);
}

static fender_status get_force(const fender_world *world, const fender_command *command, double *values)
{
    fender_link_data data;
    fender_status status = data_of(world, command, &data);
    if (status == FENDER_STATUS_OK) values[0] = data.mode == FENDER_ACTUATOR_FORCE ? data.command : data.force;
    return status;
}

/* Off, it holds where it is. */
static fender_status set_free(fender_world *world, const fender_command *command, const double *values,
                              fender_error *error)
{
    if (values[0] != 0) return fender_link_set_free(world, link_of(command), error);
    fender_link_data data;
    fender_status status = data_of(world, command, &data);
    if (status != FENDER_STATUS_OK || data.mode != FENDER_ACTUATOR_FREE) return status;
    return fender_link_set_rate(world, link_of(command), 0, INFINITY, error);
}

static fender_status get_free(const fender_world *world, const fender_command *command, double *values)
{
    fender_link_data data;
    fender_status status = data_of(world, command, &data);
    if (status == FENDER_STATUS_OK) values[0] = data.mode == FENDER_ACTUATOR_FREE;
    return status;
}

static fender_status set_locked(fender_world *world, const fender_command *command, const double *values,
                                fender_error *error)
{
    return fender_link_set_locked(world, link_of(command), values[0] != 0, error);
}

static fender_status get_locked(const fender_world *world, const fender_command *command, double *values)
{
    fender_link_data data;
    fender_status status = data_of(world, command, &data);
    if (status == FENDER_STATUS_OK) values[0] = data.locked;
    return status;
}

static fender_status set_current(fender_world *world, const fender_command *command, const double *values,
                                 fender_error *error)
{
    return fender_link_set_current(world, link_of(command), values[0], error);
}

static fender_status get_current(const fender_world *world, const fender_command *command, double *values)
{
    fender_link_data data;
    fender_status status = data_of(world, command, &data);
    if (status == FENDER_STATUS_OK) values[0] = data.command;
    return status;
}

/* ---- parameters */

/* The parameter of that name and number of components, or NULL; its value is in *def. */
static const fender_field *parameter_of(const fender_world *world, const fender_command *command, const char *name,
                                        int count, fender_link_def *def)
{
    if (fender_link_get_def(world, link_of(command), def) != FENDER_STATUS_OK) return NULL;
    const fender_field *field = fender_field_find(fender_link_law_parameters(def->law), name);
    if (!field || (field->type != FENDER_FIELD_REAL && field->type != FENDER_FIELD_VEC3)) return NULL;
    return fender_field_component_count(field) == count ? field : NULL;
}

enum { PARAMETERS_SIZE = 1024 }; /* bytes; those of no law are more */

static const char *name_of(const fender_command *command) { return strrchr(command->row->path, '.') + 1; }

static fender_status set_parameter(fender_world *world, const fender_command *command, const double *values,
                                   fender_error *error)
{
    const char *name = name_of(command);
    fender_link_def def;
    const fender_field *field = parameter_of(world, command, name, command->row->count, &def);
    if (!field) return FENDER_STATUS_STALE_ID;
    if (command->row->count == 1) return fender_link_set_parameter(world, link_of(command), name, values[0], error);
    double old[3];
    for (int i = 0; i < 3; i++) old[i] = fender_field_get(field, def.parameters, i);
    for (int i = 0; i < 3; i++) {
        char component[64];
        snprintf(component, sizeof component, "%.40s%s", name, fender_field_component_name(field, i));
        fender_status status = fender_link_set_parameter(world, link_of(command), component, values[i], error);
        for (int k = i - 1; status != FENDER_STATUS_OK && k >= 0; k--) { /* none is changed, or all */
            snprintf(component, sizeof component, "%.40s%s", name, fender_field_component_name(field, k));
            (void)fender_link_set_parameter(world, link_of(command), component, old[k], NULL);
        }
        if (status != FENDER_STATUS_OK) return status;
    }
    return FENDER_STATUS_OK;
}

static fender_status get_parameter(const fender_world *world, const fender_command *command, double *values)
{
    fender_link_def def;
    const fender_field *field = parameter_of(world, command, name_of(command), command->row->count, &def);
    if (!field) return FENDER_STATUS_STALE_ID;
    for (int i = 0; i < command->row->count; i++) values[i] = fender_field_get(field, def.parameters, i);
    return FENDER_STATUS_OK;
}

/* By the range of the parameter alone: what several parameters must be together depends on when they are set. */
static fender_status check_parameter(const fender_world *world, const fender_command *command, const double *values,
                                     fender_error *error)
{
    _Alignas(double) unsigned char parameters[PARAMETERS_SIZE];
    fender_link_def def;
    const fender_field *field = parameter_of(world, command, name_of(command), command->row->count, &def);
    if (!field) return FENDER_STATUS_STALE_ID;
    const fender_field_table *table = fender_link_law_parameters(def.law);
    if (table->size > sizeof parameters) return FENDER_STATUS_OK;
    memcpy(parameters, def.parameters, table->size);
    for (int i = 0; i < command->row->count; i++) (void)fender_field_set(field, parameters, i, values[i]);
    return fender_field_check(table, parameters, error);
}

/* ---- the table */

#define PARAMETER(name, number)                                                                 \
    static bool has_##name##_##number(const fender_world *world, const fender_command *command) \
    {                                                                                           \
        fender_link_def def;                                                                    \
        return parameter_of(world, command, #name, number, &def) != NULL;                       \
    }
#define EACH_PARAMETER(X)                                                                      \
    X(stiffness, 1, "N/m", "Stiffness along the line.")                                        \
    X(stiffness, 3, "N/m", "Stiffness along the axes of point a.")                             \
    X(damping, 1, "N*s/m", "Damping along the line.")                                          \
    X(damping, 3, "N*s/m", "Damping along the axes of point a.")                               \
    X(angular_stiffness, 3, "N*m/rad", "Stiffness about the axes of point a.")                 \
    X(angular_damping, 3, "N*m*s/rad", "Damping about the axes of point a.")                   \
    X(free_position, 3, "m", "Unloaded position of a bushing.")                                \
    X(compression_damping, 1, "N*s/m", "Damping of a strut that shortens.")                    \
    X(extension_damping, 1, "N*s/m", "Damping of a strut that lengthens.")                     \
    X(preload, 1, "N", "Preload of a strut or a separation spring.")                           \
    X(end_force, 1, "N", "Force at the end of the stroke of a separation spring.")             \
    X(stroke, 1, "m", "Stroke of a strut or a separation spring.")                             \
    X(stop_stiffness, 1, "N/m", "Stiffness of stops.")                                         \
    X(crush_force, 1, "N", "Force at which a strut crushes.")                                  \
    X(crush_stroke, 1, "m", "Length of a strut that can be crushed.")                          \
    X(limit, 1, "N", "Force that breaks the link.")                                            \
    X(angular_limit, 1, "N*m", "Torque that breaks the link.")                                 \
    X(distance, 1, "m", "Largest distance at which a latch captures.")                         \
    X(angle, 1, "rad", "Largest angle at which a latch captures.")                             \
    X(speed, 1, "m/s", "Largest speed at which a latch captures.")                             \
    X(pull_rate, 1, "m/s", "Rate at which a latch pulls in from its next capture on.")         \
    X(pull_angular_rate, 1, "rad/s", "Rate at which a latch aligns from its next capture on.") \
    X(rate_limit, 1, "m/s", "Largest rate of an actuator.")                                    \
    X(stroke_min, 1, "m", "Lower end of the stroke of an actuator.")                           \
    X(stroke_max, 1, "m", "Upper end of the stroke of an actuator.")                           \
    X(force_limit, 1, "N", "Force at which an actuator slips.")                                \
    X(brake, 1, "N", "Force that the brake of an actuator holds.")                             \
    X(back_drive_friction, 1, "N", "Force with which a free actuator resists.")                \
    X(constant, 1, "N*m^2/A^2", "Strength of an electromagnet.")                               \
    X(offset, 1, "m", "Offset of the length of an electromagnet.")                             \
    X(holding_force, 1, "N", "Force of an electromagnet at its contact.")                      \
    X(half_distance, 1, "m", "Length at which an electromagnet has half that force.")          \
    X(range, 1, "m", "Length up to which an electromagnet attracts.")                          \
    X(current_limit, 1, "A", "Largest current of an electromagnet.")                           \
    X(load, 1, "N", "Normal force of friction.")                                               \
    X(depth, 1, "m", "Depth to which surfaces with friction are pressed.")                     \
    X(radius, 1, "m", "Radius of the gap between surfaces with friction.")                     \
    X(arm, 1, "m", "Radius of a hinge at which its friction acts.")

#define FUNCTION(name, number, unit, doc) PARAMETER(name, number)
EACH_PARAMETER(FUNCTION)

#define ROW(name, number, unit, doc)                                                                   \
    {FND_COMMAND_LINK, "links.NAME." #name, unit,           doc, number, false, has_##name##_##number, \
     set_parameter,    get_parameter,       check_parameter},

static const fnd_command_row rows[] = {
    {FND_COMMAND_LINK, "links.NAME.length", "m", "Free length; an actuator goes to it.", 1, false, has_length,
     set_length, get_length, check_length},
    {FND_COMMAND_LINK, "links.NAME.rate", "m/s", "Rate of the free length from now on.", 1, false, has_length, set_rate,
     get_rate, NULL},
    {FND_COMMAND_LINK, "links.NAME.force", "N", "Force of an actuator; positive pushes.", 1, false, is_actuator,
     set_force, get_force, NULL},
    {FND_COMMAND_LINK, "links.NAME.free", "1", "An actuator without force; switched off, it holds where it is.", 1,
     true, is_actuator, set_free, get_free, NULL},
    {FND_COMMAND_LINK, "links.NAME.locked", "1", "The brake of an actuator.", 1, true, is_actuator, set_locked,
     get_locked, NULL},
    {FND_COMMAND_LINK, "links.NAME.current", "A", "Current of an electromagnet.", 1, false, is_magnet, set_current,
     get_current, NULL},
    EACH_PARAMETER(ROW)};

const fnd_command_row *fnd_link_command_row_at(int index)
{
    return index >= 0 && index < (int)(sizeof rows / sizeof rows[0]) ? &rows[index] : NULL;
}
