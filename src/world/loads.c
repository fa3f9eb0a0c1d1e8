/* Loads of a world: making, finding, switching, reading. */
#include "base/error.h"
#include "base/memory.h"
#include "world/world.h"
#include <stdio.h>
#include <string.h>

fender_load_def fender_load_def_default(void)
{
    fender_load_def def = {0};
    def.size = sizeof def;
    def.at_center = true;
    def.active = true;
    def.wheel.momentum_limit = def.wheel.torque_limit = INFINITY;
    return def;
}

/* A quantity of a frame that has it. */
static fender_status check_reading(const fender_world *world, const fender_load_reading *r, const char *path,
                                   fender_error *error)
{
    const fnd_contact_model *model = &world->model;
    const bool point = r->frame.kind == FENDER_BODY_FRAME_POINT, body = r->frame.kind == FENDER_BODY_FRAME_STRUCTURE;
    if (point ? !fnd_point_live(model, r->frame.point) : body && !fnd_body_live(model, r->frame.body))
        return fnd_world_stale(error, point ? "point" : "body");
    const int last = r->quantity == FENDER_STATE_ATTITUDE ? 3 : r->quantity == FENDER_STATE_MASS ? 0 : 2;
    const bool known = (unsigned)r->quantity <= (point ? FENDER_STATE_ANGULAR_VELOCITY : FENDER_STATE_MASS);
    if ((point || body) && known && r->component >= 0 && r->component <= last) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_VALUE, path, "a reading of the formula is none", fnd_number(r->quantity).text,
                    "a fender_state_quantity and its component, of the structure frame of a body or of a point",
                    point ? "points have position, velocity, attitude and angular velocity" : "");
}

static fender_status check_readings(const fender_world *world, const fender_signal *s, const char *path,
                                    fender_error *error)
{
    if (s->reading_count < 0 || s->reading_count > FENDER_LOAD_READING_CAPACITY ||
        (s->reading_count > 0 && !s->readings))
        return fnd_fail(error, FENDER_STATUS_VALUE, path, "the formula reads too much",
                        fnd_number(s->reading_count).text, "at most 24 readings", "make two loads of it");
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; i < s->reading_count && !status; i++) status = check_reading(world, &s->readings[i], path, error);
    return status;
}

static fender_status check_signal(const fender_world *world, const fender_signal *s, const char *path,
                                  fender_error *error)
{
    const char *problem = NULL;
    if ((unsigned)s->kind > FENDER_SIGNAL_FORMULA) problem = "the kind of the function is unknown";
    if (s->kind == FENDER_SIGNAL_CONSTANT && !fender_vec3_is_finite(s->constant)) problem = "the value is not finite";
    if (s->kind == FENDER_SIGNAL_RAMP) {
        if (!fender_vec3_is_finite(s->direction) || !isfinite(s->rate) || !isfinite(s->start))
            problem = "the ramp is not finite";
        else if (!(fender_vec3_length(s->direction) > 0)) problem = "the direction of the ramp is zero";
    }
    if (s->kind == FENDER_SIGNAL_TABLE) {
        if (s->count < 1 || !s->times || !s->values) problem = "the table has no rows";
        if ((unsigned)s->after > FENDER_AFTER_ZERO) problem = "what follows the last row is unknown";
        for (int i = 0; !problem && i < s->count; i++) {
            if (!isfinite(s->times[i]) || !fender_vec3_is_finite(s->values[i]))
                problem = "a row of the table is not finite";
            else if (i > 0 && !(s->times[i] > s->times[i - 1])) problem = "the times of the table do not increase";
        }
    }
    if (s->kind == FENDER_SIGNAL_FORMULA) {
        const fender_status status = check_readings(world, s, path, error);
        if (status) return status;
        for (int i = 0; i < 3; i++) {
            const fender_expression *e = s->components ? &s->components[i] : NULL;
            const int slots = FENDER_LOAD_SLOT_COUNT + s->reading_count;
            if (!e || e->count < 0 || e->count > FENDER_EXPRESSION_CAPACITY ||
                (e->count > 0 && !fender_expression_is_valid(e->code, e->count, slots)))
                return fnd_fail(error, FENDER_STATUS_VALUE, path, "the formula is not valid", "",
                                "three programs that fender_expression_is_valid accepts, or of no instructions", "");
        }
    }
    if (!problem) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_VALUE, path, problem, "", "finite values, and rows with increasing times", "");
}

/* The parameters of the kind, NULL for a given load. */
static void *parameters_of(fender_load_def *def)
{
    switch (def->kind) {
    case FENDER_LOAD_GIVEN: break;
    case FENDER_LOAD_DRAG: return &def->drag;
    case FENDER_LOAD_SPRING: return &def->spring;
    case FENDER_LOAD_THRUSTER: return &def->thruster;
    case FENDER_LOAD_REACTION_WHEEL: return &def->wheel;
    }
    return NULL;
}

const void *fender_load_def_parameters(const fender_load_def *def)
{
    return def ? parameters_of((fender_load_def *)(uintptr_t)def) : NULL; /* which only points */
}

static fender_status refuse(fender_error *error, const char *path, const char *message, const char *found,
                            const char *expected, const char *suggestion)
{
    return fnd_fail(error, FENDER_STATUS_VALUE, path, message, found, expected, suggestion);
}

static fender_status check_tank(const fender_world *world, const fender_load_def *def, fender_error *error)
{
    const fender_load_thruster *p = &def->thruster;
    if (def->tank.index1 == 0) return FENDER_STATUS_OK;
    if (!fnd_body_live(&world->model, def->tank)) return fnd_world_stale(error, "tank");
    const fnd_body *tank = &world->model.bodies[def->tank.index1 - 1];
    if (tank->motion != FENDER_MOTION_DYNAMIC && tank->motion != FENDER_MOTION_MASS_ONLY)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "tank", "a fixed or prescribed body has no mass", tank->name,
                        "a dynamic or mass-only body", "");
    if (!(p->specific_impulse > 0))
        return refuse(error, "specific_impulse", "a thruster with a tank needs a specific impulse",
                      fnd_number(p->specific_impulse).text, "a time above 0 s", "300 s is that of many rocket engines");
    char found[40], expected[60];
    snprintf(found, sizeof found, "%s kg", fnd_number(p->dry_mass).text);
    snprintf(expected, sizeof expected, "above 0 kg and at most %s kg", fnd_number(tank->core.mass).text);
    if (!(p->dry_mass > 0) || !(p->dry_mass <= tank->core.mass))
        return refuse(error, "dry_mass", "the dry mass of the tank must be above zero and at most its mass", found,
                      expected, "the dry mass is what is left of the tank when it is empty");
    return FENDER_STATUS_OK;
}

/* Checks the parameters of the kind, and makes directions unit vectors. */
static fender_status check_kind(const fender_world *world, fender_load_def *def, fender_error *error)
{
    if (!fender_load_kind_name(def->kind))
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "kind", "the kind of the load is unknown", "",
                        "a fender_load_kind", "");
    const void *parameters = parameters_of(def);
    fender_status status = parameters ? fender_field_check(fender_load_parameters(def->kind), parameters, error)
                                      : FENDER_STATUS_OK;
    if (status) return status;
    if (def->kind != FENDER_LOAD_GIVEN &&
        (def->force.kind != FENDER_SIGNAL_ZERO || def->torque.kind != FENDER_SIGNAL_ZERO))
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, def->force.kind ? "force" : "torque",
                        "only a given load has a force and a torque of its own", fender_load_kind_name(def->kind),
                        "no signal", "make a second load for it");
    const bool thruster = def->kind == FENDER_LOAD_THRUSTER, wheel = def->kind == FENDER_LOAD_REACTION_WHEEL;
    if (def->tank.index1 != 0 && !thruster)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "tank", "only a thruster has a tank",
                        fender_load_kind_name(def->kind), "no tank", "");
    if (!thruster && !wheel) return FENDER_STATUS_OK;
    fender_vec3 *direction = thruster ? &def->thruster.direction : &def->wheel.axis;
    const double length = fender_vec3_length(*direction);
    if (!(length > 0) || !isfinite(length))
        return refuse(error, thruster ? "direction" : "axis", "the direction is zero or not finite", "",
                      "a vector that is not zero", "");
    *direction = fender_vec3_scale(1 / length, *direction);
    if (wheel && fabs(def->wheel.momentum) > def->wheel.momentum_limit)
        return refuse(error, "momentum", "the wheel begins beyond its momentum limit",
                      fnd_number(def->wheel.momentum).text, fnd_number(def->wheel.momentum_limit).text, "");
    return thruster ? check_tank(world, def, error) : FENDER_STATUS_OK;
}

static bool copy_signal(fender_world *world, fnd_load *load, int k, fender_signal *signal)
{
    int count = signal->kind == FENDER_SIGNAL_TABLE ? signal->count : 0;
    signal->count = count;
    if (count > 0) {
        load->times[k] = fnd_allocate(&world->env, (size_t)count * sizeof(double));
        load->values[k] = fnd_allocate(&world->env, (size_t)count * sizeof(fender_vec3));
        if (!load->times[k] || !load->values[k]) return false;
        memcpy(load->times[k], signal->times, (size_t)count * sizeof(double));
        memcpy(load->values[k], signal->values, (size_t)count * sizeof(fender_vec3));
    }
    signal->times = load->times[k];
    signal->values = load->values[k];
    if (signal->kind == FENDER_SIGNAL_FORMULA) {
        load->formulas[k] = fnd_allocate(&world->env, 3 * sizeof *load->formulas[k]);
        if (!load->formulas[k]) return false;
        memcpy(load->formulas[k], signal->components, 3 * sizeof *load->formulas[k]);
    }
    signal->components = load->formulas[k];
    signal->reading_count = signal->kind == FENDER_SIGNAL_FORMULA ? signal->reading_count : 0;
    if (signal->reading_count > 0) {
        const size_t size = (size_t)signal->reading_count * sizeof *load->readings[k];
        load->readings[k] = fnd_allocate(&world->env, size);
        if (!load->readings[k]) return false;
        memcpy(load->readings[k], signal->readings, size);
    }
    signal->readings = load->readings[k];
    return true;
}

void fnd_load_release(const fender_env *env, fnd_load *load)
{
    const fender_signal *signals[] = {&load->def.force, &load->def.torque};
    for (int k = 0; k < 2; k++) {
        const size_t rows = signals[k]->kind == FENDER_SIGNAL_TABLE ? (size_t)signals[k]->count : 0;
        fnd_release(env, load->times[k], rows * sizeof(double));
        fnd_release(env, load->values[k], rows * sizeof(fender_vec3));
        fnd_release(env, load->formulas[k], 3 * sizeof *load->formulas[k]);
        fnd_release(env, load->readings[k], (size_t)signals[k]->reading_count * sizeof *load->readings[k]);
    }
    fnd_text_release(env, load->name);
    *load = (fnd_load){.generation = load->generation, .body = load->body};
}

void fnd_load_forget(fender_world *world, fnd_load *load)
{
    load->generation = fnd_generation_after(load->generation);
    fnd_load_release(&world->env, load);
}

fender_status fnd_inner_load_create(fender_world *world, const fender_load_def *def, fender_load_id *id,
                                    fender_error *error)
{
    if (!def) return fnd_world_missing(error);
    const fender_status fits = fnd_world_check_size(def->size, sizeof *def, "fender_load_def", error);
    if (fits) return fits;
    fnd_world_settle(world);
    fnd_dynamics *d = &world->dynamics;
    if (!fnd_name_valid(def->name))
        return fnd_fail(error, FENDER_STATUS_NAME, "name", "a load needs a name", def->name ? def->name : "NULL",
                        "1 to 100 letters, digits and _, not beginning with a digit", "");
    for (int i = 0; i < d->load_count; i++)
        if (d->loads[i].name && strcmp(d->loads[i].name, def->name) == 0)
            return fnd_fail(error, FENDER_STATUS_NAME, "name", "a load with that name exists", def->name, "a new name",
                            "");
    if (!fnd_body_live(&world->model, def->body)) return fnd_world_stale(error, "body");
    if (world->model.bodies[def->body.index1 - 1].motion == FENDER_MOTION_FIXED ||
        world->model.bodies[def->body.index1 - 1].motion == FENDER_MOTION_PRESCRIBED)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "body", "a load needs a dynamic body to move",
                        world->model.bodies[def->body.index1 - 1].name, "a dynamic body", "");
    if (!def->at_center && !fender_vec3_is_finite(def->point))
        return fnd_fail(error, FENDER_STATUS_VALUE, "position", "the point of the load is not finite", "",
                        "finite numbers", "");
    fender_status status = check_signal(world, &def->force, "force", error);
    fender_load_def own = *def;
    fnd_totals before;
    if (!status) status = check_signal(world, &def->torque, "torque", error);
    if (!status) status = check_kind(world, &own, error);
    const bool books = def->kind == FENDER_LOAD_SPRING || def->kind == FENDER_LOAD_REACTION_WHEEL;
    if (!status && books) status = fnd_world_book_begin(world, &before, error);
    if (status) return status;
    void *loads = d->loads;
    if (!fnd_reserve_one_more(&world->env, &loads, &d->load_capacity, d->load_count, sizeof *d->loads))
        return fnd_fail_memory(error, "a load");
    d->loads = loads;
    const int slot = fnd_slot_free(loads, sizeof *d->loads, d->load_count, d->loads_gone);
    const bool again = slot < d->load_count;
    fnd_load *load = &d->loads[slot];
    *load = (fnd_load){.generation = again ? load->generation : 1,
                       .user_data = def->user_data,
                       .def = own,
                       .tank = (int)def->tank.index1 - 1};
    load->name = fnd_text_copy(&world->env, def->name);
    bool ok = load->name && copy_signal(world, load, 0, &load->def.force) &&
              copy_signal(world, load, 1, &load->def.torque);
    if (!ok) {
        fnd_load_release(&world->env, load);
        return fnd_fail_memory(error, "a load");
    }
    load->def.name = load->name;
    load->body = (int)def->body.index1 - 1;
    load->active = def->active;
    fnd_load_start(load, world->time);
    if (again) d->loads_gone--;
    else d->load_count++;
    d->committed_fresh = false;
    if (id) *id = fnd_load_id(d, slot);
    return books ? fnd_world_book_end(world, &before, error) : FENDER_STATUS_OK;
}

FND_ENUMERATE(load, loads, world->dynamics)
FND_FIND_BY_NAME(load, loads, world->dynamics)

/* What is read before the next step has the command: forces, accelerations, what an ideal sensor measures. Contacts at
 * the present state do not depend on it. */
static void take_effect(fender_world *world)
{
    fnd_dynamics *d = &world->dynamics;
    const bool known = d->committed_fresh;
    d->committed_fresh = false;
    if (!world->initialized || world->host_state_set) return;
    if (known) {
        fnd_contact_list *now = &d->evaluations[0].contacts, *next = &d->evaluations[FND_EVALUATION_NEXT].contacts;
        const fnd_contact_list rows = *now;
        *now = *next;
        *next = rows;
        d->contacts_known = true;
    }
    (void)fnd_world_refresh(world, NULL); /* without memory the next step begins with it */
}

fender_status fnd_inner_load_set_active(fender_world *world, fender_load_id id, bool active)
{
    fnd_world_settle(world);
    if (!fnd_load_live(&world->dynamics, id)) return FENDER_STATUS_STALE_ID;
    fnd_load *load = &world->dynamics.loads[id.index1 - 1];
    if (load->def.kind == FENDER_LOAD_GIVEN || load->def.kind == FENDER_LOAD_DRAG) {
        load->active = active;
        take_effect(world);
        return FENDER_STATUS_OK;
    }
    if (load->active == active) return FENDER_STATUS_OK;
    fnd_totals before;
    const fender_status status = fnd_world_book_begin(world, &before, NULL);
    if (status) return status;
    fnd_load_rebase(load, world->time);
    fnd_load_switch(load, active, world->time);
    return fnd_world_book_end(world, &before, NULL);
}

fender_status fender_load_is_active(const fender_world *world, fender_load_id id, bool *active)
{
    if (!world || !active) return fnd_world_missing(NULL);
    if (!fnd_load_live(&world->dynamics, id)) return FENDER_STATUS_STALE_ID;
    *active = world->dynamics.loads[id.index1 - 1].active;
    return FENDER_STATUS_OK;
}

/* ---- Commands ---- */

/* The load, if it is of that kind. */
static fender_status find_kind(fender_world *world, fender_load_id id, fender_load_kind kind, const char *expected,
                               fnd_load **load, fender_error *error)
{
    fnd_world_settle(world);
    if (!fnd_load_live(&world->dynamics, id)) return fnd_world_stale(error, "load");
    *load = &world->dynamics.loads[id.index1 - 1];
    if ((*load)->def.kind == kind) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_ARGUMENT, (*load)->name, "a load of this kind has no such command",
                    fender_load_kind_name((*load)->def.kind), expected, "");
}

fender_status fnd_inner_load_command(fender_world *world, fender_load_id id, int which, fender_vec3 value,
                                     fender_error *error)
{
    fnd_load *load;
    fender_status status = find_kind(world, id, FENDER_LOAD_GIVEN, "a given load", &load, error);
    if (status) return status;
    if (!fender_vec3_is_finite(value))
        return fnd_fail(error, FENDER_STATUS_VALUE, which == 0 ? "force" : "torque", "the command is not finite",
                        load->name, "finite numbers", "");
    /* of a state that a host tries: the accepted one keeps the value that it had */
    if (world->initialized && world->host_state_set) {
        if (!world->host_commands && (status = fnd_world_refresh(world, error))) return status;
        world->host_commands = true;
    }
    load->memory.commanded[which] = true;
    load->memory.command[which] = value;
    if (!world->host_commands) take_effect(world);
    return FENDER_STATUS_OK;
}

fender_status fnd_inner_load_set_throttle(fender_world *world, fender_load_id id, double throttle, fender_error *error)
{
    fnd_load *load;
    fender_status status = find_kind(world, id, FENDER_LOAD_THRUSTER, "a thruster", &load, error);
    if (status) return status;
    if (!(throttle >= 0) || !(throttle <= 1))
        return fnd_fail(error, FENDER_STATUS_VALUE, "throttle", "the throttle is not between 0 and 1",
                        fnd_number(throttle).text, "0 to 1", "");
    fnd_load_rebase(load, world->time);
    fnd_load_throttle(load, throttle, world->time);
    take_effect(world);
    return FENDER_STATUS_OK;
}

fender_status fnd_inner_load_set_motor_torque(fender_world *world, fender_load_id id, double torque,
                                              fender_error *error)
{
    fnd_load *load;
    fender_status status = find_kind(world, id, FENDER_LOAD_REACTION_WHEEL, "a reaction wheel", &load, error);
    if (status) return status;
    if (!isfinite(torque))
        return fnd_fail(error, FENDER_STATUS_VALUE, "torque", "the motor torque is not finite", load->name,
                        "a finite number", "");
    fnd_load_rebase(load, world->time);
    load->memory.motor_torque = torque;
    take_effect(world);
    return FENDER_STATUS_OK;
}

/* The value of a signal at the present time, in the axes of the load; of a formula, at the committed state. */
static fender_vec3 signal_now(const fender_world *world, const fnd_load *load, int which)
{
    const fender_signal *signal = which == 0 ? &load->def.force : &load->def.torque;
    if (signal->kind != FENDER_SIGNAL_FORMULA) return fnd_signal_value(signal, world->time, NAN, NULL);
    if (!world->initialized) return fender_vec3_make(0, 0, 0);
    const fnd_load_value *v = &load->at[world->dynamics.evaluations[0].slot];
    const fender_vec3 value = which == 0 ? v->force : v->torque;
    if (load->def.axes != FENDER_AXES_BODY) return value;
    const fnd_body *body = &world->model.bodies[load->body], *root = &world->model.bodies[body->root];
    const fender_quaternion q = fender_quaternion_product(root->state.q, body->q_RS);
    return fender_quaternion_rotate(fender_quaternion_conjugate(q), value);
}

fender_status fender_load_get_command(const fender_world *world, fender_load_id id, fender_load_command *command)
{
    if (!world || !command) return fnd_world_missing(NULL);
    if (!fnd_load_live(&world->dynamics, id)) return FENDER_STATUS_STALE_ID;
    const fnd_load *load = &world->dynamics.loads[id.index1 - 1];
    const fnd_load_memory *m = &load->memory;
    *command = (fender_load_command){{0, 0, 0}, {0, 0, 0}, 0, 0};
    if (load->def.kind == FENDER_LOAD_GIVEN) {
        command->force = m->commanded[0] ? m->command[0] : signal_now(world, load, 0);
        command->torque = m->commanded[1] ? m->command[1] : signal_now(world, load, 1);
    }
    if (load->def.kind == FENDER_LOAD_THRUSTER) command->throttle = m->throttle;
    if (load->def.kind == FENDER_LOAD_REACTION_WHEEL) command->motor_torque = m->motor_torque;
    return FENDER_STATUS_OK;
}

/* ---- Reading ---- */

#define ROW(type, member, unit, doc)                                                                  \
    {                                                                                                 \
#member, unit, doc, type, offsetof(fender_load_data, member), 0, -INFINITY, INFINITY, 0, NULL \
    }
#define BOOL(member, doc)         ROW(FENDER_FIELD_BOOL, member, "1", doc)
#define REAL(member, unit, doc)   ROW(FENDER_FIELD_REAL, member, unit, doc)
#define VECTOR(member, unit, doc) ROW(FENDER_FIELD_VEC3, member, unit, doc)

static const fender_field data_fields[] = {
    BOOL(active, "1 while the load acts, else 0."),
    BOOL(commanded, "1 once its force, torque or throttle has been commanded."),
    VECTOR(force, "N", "Force on the body, in world axes."),
    VECTOR(torque, "N*m", "Torque on the body about the point of the load, in world axes."),
    REAL(power, "W", "Power given to the body."),
    REAL(work, "J", "Work done on the body so far."),
    REAL(damping_loss, "J", "Energy lost so far in a drag or the damper of a spring."),
    REAL(stored_energy, "J", "Energy stored in a spring."),
    VECTOR(command_force, "N", "Commanded force of a given load, in its axes."),
    VECTOR(command_torque, "N*m", "Commanded torque of a given load, in its axes."),
    REAL(throttle, "1", "Commanded throttle of a thruster."),
    REAL(level, "1", "Thrust of a thruster over its thrust at throttle 1."),
    REAL(thrust, "N", "Thrust of a thruster."),
    REAL(propellant, "kg", "Propellant that a thruster has used so far."),
    REAL(motor_torque, "N*m", "Motor torque of a reaction wheel; 0 at its momentum limit."),
    REAL(momentum, "N*m*s", "Momentum of a reaction wheel about its axis."),
    REAL(speed, "rad/s", "Speed of a reaction wheel relative to its body."),
};
static const fender_field_table data_table = FENDER_FIELD_TABLE("load", data_fields, fender_load_data);
const fender_field_table *fender_load_fields(void) { return &data_table; }

fender_status fender_load_get(const fender_world *world, fender_load_id id, fender_clock clock, fender_load_data *data)
{
    if (!world || !data) return fnd_world_missing(NULL);
    if (clock != FENDER_CLOCK_COMMITTED && clock != FENDER_CLOCK_EVALUATED) return FENDER_STATUS_ARGUMENT;
    if (!fnd_load_live(&world->dynamics, id)) return FENDER_STATUS_STALE_ID;
    if (!world->initialized) return FENDER_STATUS_STATE;
    const fnd_load *load = &world->dynamics.loads[id.index1 - 1];
    const fnd_load_memory *m = &load->memory;
    const int shown = clock == FENDER_CLOCK_EVALUATED ? world->evaluated : 0;
    const fnd_load_value *v = &load->at[world->dynamics.evaluations[shown].slot];
    *data = (fender_load_data){
        .active = load->active,
        .commanded = m->commanded[0] || m->commanded[1],
        .force = v->force,
        .torque = v->torque,
        .power = v->power,
        .work = m->work,
        .damping_loss = m->damping_loss,
        .stored_energy = v->stored_energy,
        .command_force = m->command[0],
        .command_torque = m->command[1],
        .throttle = load->def.kind == FENDER_LOAD_THRUSTER ? m->throttle : 0,
        .level = v->level,
        .thrust = v->level * load->def.thruster.thrust,
        .propellant = m->propellant,
        .motor_torque = v->motor_torque,
        .momentum = v->wheel_momentum,
        .speed = v->wheel_speed,
    };
    return FENDER_STATUS_OK;
}
