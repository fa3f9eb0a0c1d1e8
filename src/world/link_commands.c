/* Commands to links while a world runs: free lengths, their rates, parameters. */
#include "base/error.h"
#include "base/memory.h"
#include "math/range.h"
#include "world/entry.h"
#include "world/world.h"
#include <stdio.h>
#include <string.h>

/* ---- Booking ---- */

/* Energy before a command, in the whole world and in the link. */
typedef struct before {
    double stored, own;
} before;

static fnd_link *find(const fender_world *world, fender_link_id id, fender_error *error)
{
    const fnd_dynamics *d = &world->dynamics;
    if (fnd_link_live(d, id)) return &d->links[id.index1 - 1];
    (void)fnd_world_stale(error, "link");
    return NULL;
}

static const fnd_link_value *value_of(const fender_world *world, const fnd_link *link)
{
    return &world->dynamics.evaluations[0].links[link - world->dynamics.links];
}

static before energy_before(const fender_world *world, const fnd_link *link)
{
    if (!world->initialized) return (before){0, 0};
    return (before){fnd_world_stored(world), value_of(world, link)->stored_energy};
}

/* A jump may crush a strut at once: that energy, too, comes from outside. */
static void crush_by_command(fender_world *world, fnd_link *link, const fnd_link_value *v)
{
    double lost = ((const fender_link_strut *)link->parameters)->crush_force * (v->crushed - link->memory.crushed);
    world->account.applied += lost;
    world->account.damping += lost;
    link->memory.damping_loss += lost;
    link->memory.drive.work += lost;
    link->memory.crushed = v->crushed;
    if (!fnd_strut_settle(link, v)) return;
    world->dynamics.committed_fresh = false;
    (void)fnd_world_refresh(world, NULL); /* without memory the next step begins with it */
}

/* Evaluates anew, books the jump of energy, and adopts the mode that the link now has. */
static void take_effect(fender_world *world, fnd_link *link, before had)
{
    link->memory.drive.commanded = true;
    fnd_world_contacts_changed(world, had.stored);
    if (!world->initialized || !world->dynamics.committed_fresh) return;
    const fnd_link_value *v = value_of(world, link);
    link->memory.drive.work += v->stored_energy - had.own;
    link->memory.mode = v->mode;
    if (link->law == FENDER_LINK_STRUT && v->crushed > link->memory.crushed) crush_by_command(world, link, v);
}

static fender_status refuse_value(fender_error *error, const char *path, const char *message, double found,
                                  const char *expected)
{
    return fnd_fail(error, FENDER_STATUS_VALUE, path, message, fnd_number(found).text, expected, "");
}

/* ---- Actuators and electromagnets ---- */

static fender_status check_law(const fnd_link *link, fender_link_law law, const char *what, fender_error *error)
{
    if (link->law == law) return FENDER_STATUS_OK;
    char found[160];
    snprintf(found, sizeof found, "link '%.100s', a %s", link->name, fender_link_law_name(link->law));
    return fnd_fail(error, FENDER_STATUS_ARGUMENT, "link", what, found, fender_link_law_name(law), "");
}

/* A new mode and command; its motor goes on from where it gives the present force. */
static void command_actuator(fender_world *world, fnd_link *link, int mode, double aim, double until, bool locked)
{
    before had = energy_before(world, link);
    fnd_link_drive *d = &link->memory.drive;
    double length = world->initialized ? fnd_actuator_length(link, value_of(world, link)) : d->length;
    d->mode = mode;
    d->aim = aim;
    d->until = until;
    d->locked = locked;
    fnd_actuator_restart(link, world->time, length);
    take_effect(world, link, had);
}

fender_status fnd_inner_link_set_force(fender_world *world, fender_link_id id, double force, fender_error *error)
{
    fnd_world_settle(world);
    fnd_link *link = find(world, id, error);
    if (!link) return FENDER_STATUS_STALE_ID;
    fender_status status = check_law(link, FENDER_LINK_ACTUATOR, "only an actuator takes a force", error);
    if (status) return status;
    if (!isfinite(force)) return refuse_value(error, "force", "the force is not finite", force, "a finite force in N");
    command_actuator(world, link, FENDER_ACTUATOR_FORCE, force, (double)INFINITY, link->memory.drive.locked);
    return FENDER_STATUS_OK;
}

fender_status fnd_inner_link_set_free(fender_world *world, fender_link_id id, fender_error *error)
{
    fnd_world_settle(world);
    fnd_link *link = find(world, id, error);
    if (!link) return FENDER_STATUS_STALE_ID;
    fender_status status = check_law(link, FENDER_LINK_ACTUATOR, "only an actuator can be set free", error);
    if (status) return status;
    command_actuator(world, link, FENDER_ACTUATOR_FREE, 0, (double)INFINITY, link->memory.drive.locked);
    return FENDER_STATUS_OK;
}

fender_status fnd_inner_link_set_locked(fender_world *world, fender_link_id id, bool locked, fender_error *error)
{
    fnd_world_settle(world);
    fnd_link *link = find(world, id, error);
    if (!link) return FENDER_STATUS_STALE_ID;
    fender_status status = check_law(link, FENDER_LINK_ACTUATOR, "only an actuator has a brake", error);
    if (status) return status;
    const fnd_link_drive *d = &link->memory.drive;
    if (locked) status = fnd_actuator_check_servo(link->parameters, d->mode, true, error);
    if (!status && d->locked != locked) command_actuator(world, link, d->mode, d->aim, d->until, locked);
    return status;
}

static double within_limit(const fender_link_electromagnet *p, double current)
{
    return current > p->current_limit ? p->current_limit : current < -p->current_limit ? -p->current_limit : current;
}

fender_status fnd_inner_link_set_current(fender_world *world, fender_link_id id, double current, fender_error *error)
{
    fnd_world_settle(world);
    fnd_link *link = find(world, id, error);
    if (!link) return FENDER_STATUS_STALE_ID;
    fender_status status = check_law(link, FENDER_LINK_ELECTROMAGNET, "only an electromagnet takes a current", error);
    if (status) return status;
    if (!isfinite(current))
        return refuse_value(error, "current", "the current is not finite", current, "a finite current in A");
    before had = energy_before(world, link);
    link->memory.drive.aim = within_limit(link->parameters, current);
    take_effect(world, link, had);
    return FENDER_STATUS_OK;
}

/* ---- Free length ---- */

static fender_status check_driven(const fnd_link *link, fender_error *error)
{
    if (fnd_link_free_length(link->law, link->parameters)) return FENDER_STATUS_OK;
    char found[160];
    snprintf(found, sizeof found, "link '%.100s', a %s", link->name, fender_link_law_name(link->law));
    return fnd_fail(error, FENDER_STATUS_ARGUMENT, "link", "the link has no free length to be commanded", found,
                    "a link with a free length, as a spring_damper, a tether or a strut",
                    "fender_link_set_parameter changes parameters of any link");
}

static double length_now(const fender_world *world, const fnd_link *link)
{
    if (link->law == FENDER_LINK_ACTUATOR && world->initialized)
        return fnd_actuator_length(link, value_of(world, link));
    double rate;
    return fnd_drive_length(&link->memory.drive, world->time, false, &rate);
}

fender_status fnd_inner_link_set_length(fender_world *world, fender_link_id id, double length, fender_error *error)
{
    fnd_world_settle(world);
    fnd_link *link = find(world, id, error);
    if (!link) return FENDER_STATUS_STALE_ID;
    fender_status status = check_driven(link, error);
    if (status) return status;
    if (!(length >= 0) || !fnd_is_in_range(length))
        return refuse_value(error, "length", "the length is negative, not finite or too large", length,
                            "0 m to 1e100 m");
    if (link->law == FENDER_LINK_ACTUATOR) {
        status = fnd_actuator_check_servo(link->parameters, FENDER_ACTUATOR_LENGTH, false, error);
        if (status) return status;
        command_actuator(world, link, FENDER_ACTUATOR_LENGTH, length, (double)INFINITY, link->memory.drive.locked);
        return FENDER_STATUS_OK;
    }
    before had = energy_before(world, link);
    fnd_link_drive *d = &link->memory.drive;
    d->length = d->target = d->aim = length;
    d->since = world->time;
    d->rate = 0;
    d->limited = false;
    take_effect(world, link, had);
    return FENDER_STATUS_OK;
}

fender_status fnd_inner_link_set_rate(fender_world *world, fender_link_id id, double rate, double target,
                                      fender_error *error)
{
    fnd_world_settle(world);
    fnd_link *link = find(world, id, error);
    if (!link) return FENDER_STATUS_STALE_ID;
    fender_status status = check_driven(link, error);
    if (status) return status;
    if (!isfinite(rate)) return refuse_value(error, "rate", "the rate is not finite", rate, "a finite rate in m/s");
    const bool none = isinf(target);
    double length = length_now(world, link);
    if (isnan(target) || (!none && target < 0))
        return refuse_value(error, "target", "the target is negative or no number", target, "0 m or more, or infinite");
    if (!none && rate != 0 && (target - length) * rate < 0)
        return refuse_value(error, "target", "the rate leads away from the target", target,
                            "a rate towards the target");
    if (link->law == FENDER_LINK_ACTUATOR) {
        status = fnd_actuator_check_servo(link->parameters, FENDER_ACTUATOR_RATE, false, error);
        if (status) return status;
        command_actuator(world, link, FENDER_ACTUATOR_RATE, rate, target, link->memory.drive.locked);
        return FENDER_STATUS_OK;
    }
    before had = energy_before(world, link);
    fnd_link_drive *d = &link->memory.drive;
    d->length = length;
    d->since = world->time;
    d->rate = none || target != length ? rate : 0;
    d->limited = none && rate < 0;
    d->target = none ? (rate < 0 ? 0 : (double)INFINITY) : target;
    if (d->limited && length == 0) d->rate = 0;
    d->aim = rate;
    take_effect(world, link, had);
    return FENDER_STATUS_OK;
}

/* ---- Parameters ---- */

/* The field of a name, and the component of a vector: "stiffness", "stiffness.x". Reals alone. */
static const fender_field *field_of(const fender_field_table *table, const char *name, size_t *offset)
{
    for (int i = 0; name && i < table->count; i++) {
        const fender_field *f = &table->fields[i];
        size_t length = strlen(f->name);
        if (strncmp(name, f->name, length) != 0) continue;
        const char *rest = name + length;
        *offset = f->offset;
        if (f->type == FENDER_FIELD_REAL && *rest == 0) return f;
        if (f->type != FENDER_FIELD_VEC3 || rest[0] != '.' || rest[1] < 'x' || rest[1] > 'z' || rest[2] != 0) continue;
        *offset += (size_t)(rest[1] - 'x') * sizeof(double);
        return f;
    }
    return NULL;
}

fender_status fnd_inner_link_set_parameter(fender_world *world, fender_link_id id, const char *name, double value,
                                           fender_error *error)
{
    fnd_world_settle(world);
    fnd_link *link = find(world, id, error);
    if (!link) return FENDER_STATUS_STALE_ID;
    const fender_field_table *table = fender_link_law_parameters(link->law);
    size_t offset;
    const fender_field *field = field_of(table, name, &offset);
    if (!field)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "name", "the link has no such real parameter",
                        name ? name : "NULL", "a real parameter of its law, or a component: stiffness, stiffness.x",
                        "fender_link_law_parameters lists them");
    if (link->law == FENDER_LINK_ACTUATOR && (strcmp(field->name, "rate") == 0 || strcmp(field->name, "force") == 0))
        return strcmp(field->name, "rate") == 0 ? fnd_inner_link_set_rate(world, id, value, (double)INFINITY, error)
                                                : fnd_inner_link_set_force(world, id, value, error);
    if (link->law == FENDER_LINK_ELECTROMAGNET && strcmp(field->name, "current") == 0)
        return fnd_inner_link_set_current(world, id, value, error);
    double *present = (double *)(void *)((char *)link->parameters + offset), old = *present;
    if (present == fnd_link_free_length(link->law, link->parameters))
        return fnd_inner_link_set_length(world, id, value, error);
    if (link->memory.crushed > 0 && strcmp(field->name, "crush_force") == 0)
        return fnd_fail(error, FENDER_STATUS_STATE, "crush_force", "the strut has crushed at its present crush_force",
                        link->name, "a strut that has not crushed", "");
    *present = value;
    const fender_link_def def = {.law = link->law, .parameters = link->parameters};
    fender_status status = fnd_link_check_present(link, error);
    if (!status && link->use >= 0) status = fnd_link_use_check(&def, &world->model.types[link->use], error);
    *present = old;
    if (status) return status;
    before had = energy_before(world, link);
    *present = value;
    if (link->law == FENDER_LINK_ELECTROMAGNET)
        link->memory.drive.aim = within_limit(link->parameters, link->memory.drive.aim);
    if (link->law == FENDER_LINK_ACTUATOR) /* a limit may have changed */
        fnd_actuator_restart(link, world->time,
                             world->initialized ? value_of(world, link)->free_length : link->memory.drive.length);
    take_effect(world, link, had);
    return FENDER_STATUS_OK;
}
