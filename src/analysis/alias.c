/* Names of variables that JEOD's simulations log, and the channels that they stand for (docs/manual/compare.md).
 *
 * A variable is VEHICLE, the path of its body, and a name within it:
 * veh1_dyn.body.composite_body.state.trans.position[0] or veh1.dyn_body.mass.composite_properties.mass. JEOD's
 * quaternion is the left one that takes inertial components to those of the body, so that its vector part is minus
 * ours. Its contact forces are those of the last stage. */
#include "analysis/alias.h"

#include <string.h>

static const fender_alias jeod[] = {
    {"composite_body.state.trans.position[i]", "center_position.i", 1},
    {"composite_body.state.trans.velocity[i]", "center_velocity.i", 1},
    {"composite_body.state.rot.ang_vel_this[i]", "angular_velocity.i", 1},
    {"composite_body.state.rot.Q_parent_this.scalar", "attitude.w", 1},
    {"composite_body.state.rot.Q_parent_this.vector[i]", "attitude.i", -1},
    {"structure.state.trans.position[i]", "position.i", 1},
    {"structure.state.trans.velocity[i]", "velocity.i", 1},
    {"structure.state.rot.ang_vel_this[i]", "angular_velocity.i", 1},
    {"structure.state.rot.Q_parent_this.scalar", "attitude.w", 1},
    {"structure.state.rot.Q_parent_this.vector[i]", "attitude.i", -1},
    {"composite_properties.mass", "mass", 1},
    {"composite_properties.position[i]", "center_of_mass.i", 1},
    {"composite_properties.inertia[i][j]", "inertia[i][j]", 1},
    {"core_properties.mass", "core_mass", 1},
    {"core_properties.position[i]", "core_center_of_mass.i", 1},
    {"core_properties.inertia[i][j]", "core_inertia[i][j]", 1},
    {"contact_surface.contact_force[i]", "contact_force_last_stage.i", 1},
    {"contact_surface.contact_torque[i]", "contact_torque_last_stage.i", 1},
};
enum { JEOD_COUNT = sizeof jeod / sizeof jeod[0] };

const fender_alias *fender_alias_at(const char *program, int index)
{
    return program && strcmp(program, "jeod") == 0 && index >= 0 && index < JEOD_COUNT ? &jeod[index] : NULL;
}

/* Fits a name of the table to a text, and notes the numbers at i and j. */
static bool fits(const char *name, const char *text, int *i, int *j)
{
    for (; *name; name++, text++) {
        const bool index = name[0] != '\0' && name[1] == ']' && (*name == 'i' || *name == 'j');
        if (!index && *name != *text) return false;
        if (!index) continue;
        if (*text < '0' || *text > '2') return false;
        *(*name == 'i' ? i : j) = *text - '0';
    }
    return *text == '\0';
}

/* Where the path of the body begins: behind the name of the vehicle. */
static const char *end_of_vehicle(const char *variable, const char *tail)
{
    static const char *const paths[] = {".dyn_body.mass.", ".body.mass.", ".dyn_body.", ".body.", ".mass.", "."};
    for (size_t k = 0; k < sizeof paths / sizeof paths[0]; k++) {
        const size_t length = strlen(paths[k]);
        if ((size_t)(tail - variable) <= length || strncmp(tail - length, paths[k], length) != 0) continue;
        const char *end = tail - length;
        return memchr(variable, '.', (size_t)(end - variable)) ? NULL : end;
    }
    return NULL;
}

static bool write(const char *variable, size_t vehicle, const fender_alias *alias, int i, int j, char *channel,
                  size_t size)
{
    static const char *const axes[] = {"x", "y", "z"};
    size_t used = strlen("bodies.") + vehicle + 1;
    if (used + strlen(alias->channel) + 1 > size) return false;
    memcpy(channel, "bodies.", strlen("bodies."));
    memcpy(channel + strlen("bodies."), variable, vehicle);
    channel[used - 1] = '.';
    for (const char *c = alias->channel; *c; c++) {
        char letter = *c;
        if (*c == 'i' && c[1] == ']') letter = (char)('0' + i);
        else if (*c == 'j' && c[1] == ']') letter = (char)('0' + j);
        else if (*c == 'i' && c[1] == '\0' && c[-1] == '.') letter = axes[i][0];
        channel[used++] = letter;
    }
    channel[used] = '\0';
    return true;
}

bool fnd_alias_channel(const char *program, const char *variable, int number, char *channel, size_t size,
                       double *factor)
{
    const fender_alias *alias;
    for (int k = 0; (alias = fender_alias_at(program, k)); k++) {
        for (const char *dot = strchr(variable, '.'); dot; dot = strchr(dot + 1, '.')) {
            int i = 0, j = 0;
            if (!fits(alias->variable, dot + 1, &i, &j)) continue;
            const char *end = end_of_vehicle(variable, dot + 1);
            if (!end) return false;
            size_t vehicle = (size_t)(end - variable);
            const bool dynamics = vehicle > 4 && strncmp(end - 4, "_dyn", 4) == 0; /* the object of the simulation */
            if (number > dynamics) return false;
            if (dynamics && number == 0) vehicle -= 4;
            *factor = alias->factor;
            return write(variable, vehicle, alias, i, j, channel, size);
        }
    }
    return false;
}
