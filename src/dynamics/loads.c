/* Loads: signals, drag, springs, thrusters and reaction wheels (docs/models/loads.md). */
#include "dynamics/load.h"

#include "math/elementary.h"
#include "math/expression.h"
#include <assert.h>
#include <stddef.h>

/* ---- Kinds and their parameters ---- */

#define ROW(type, owner, member, unit, flags, minimum, maximum, initial, doc)                     \
    {                                                                                             \
#member, unit, doc, type, offsetof(owner, member), flags, minimum, maximum, initial, NULL \
    }
#define REAL(owner, member, unit, flags, minimum, maximum, initial, doc) \
    ROW(FENDER_FIELD_REAL, owner, member, unit, flags, minimum, maximum, initial, doc)
#define VECTOR(owner, member, unit, flags, doc) \
    ROW(FENDER_FIELD_VEC3, owner, member, unit, flags, -INFINITY, INFINITY, 0, doc)

static const fender_field drag_fields[] = {
    REAL(fender_load_drag, linear, "N*s/m", 0, 0, INFINITY, 0, "Force per speed."),
    REAL(fender_load_drag, quadratic, "N*s^2/m^2", 0, 0, INFINITY, 0, "Force per square of the speed."),
    REAL(fender_load_drag, angular_linear, "N*m*s/rad", 0, 0, INFINITY, 0, "Torque per angular speed."),
    REAL(fender_load_drag, angular_quadratic, "N*m*s^2/rad^2", 0, 0, INFINITY, 0,
         "Torque per square of the angular speed."),
    VECTOR(fender_load_drag, medium_velocity, "m/s", 0, "Velocity of the medium, in world axes."),
};
static const fender_field spring_fields[] = {
    REAL(fender_load_spring, stiffness, "N/m", FENDER_FIELD_REQUIRED, 0, INFINITY, 0, "Force per distance."),
    REAL(fender_load_spring, damping, "N*s/m", 0, 0, INFINITY, 0, "Force per speed."),
    VECTOR(fender_load_spring, anchor, "m", FENDER_FIELD_REQUIRED, "Place of rest, in world axes."),
};
static const fender_field thruster_fields[] = {
    VECTOR(fender_load_thruster, direction, "1", FENDER_FIELD_REQUIRED,
           "Direction of the force on the body, in structure axes."),
    REAL(fender_load_thruster, thrust, "N", FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0,
         "Force at throttle 1."),
    REAL(fender_load_thruster, throttle, "1", 0, 0, 1, 0, "Throttle that is commanded at the start."),
    REAL(fender_load_thruster, minimum_throttle, "1", 0, 0, 1, 0, "Commands below it count as 0."),
    REAL(fender_load_thruster, rise_time, "s", 0, 0, INFINITY, 0, "Time constant of a rising level."),
    REAL(fender_load_thruster, decay_time, "s", 0, 0, INFINITY, 0, "Time constant of a falling level."),
    REAL(fender_load_thruster, minimum_on_time, "s", 0, 0, INFINITY, 0,
         "Least time between a command that lights the thruster and its end."),
    REAL(fender_load_thruster, specific_impulse, "s", 0, 0, INFINITY, 0,
         "Thrust per weight flow of propellant; 0: none is used."),
    REAL(fender_load_thruster, dry_mass, "kg", 0, 0, INFINITY, 0, "Mass of the tank at which the thrust ends."),
};
static const fender_field wheel_fields[] = {
    VECTOR(fender_load_wheel, axis, "1", FENDER_FIELD_REQUIRED, "Axis, in structure axes."),
    REAL(fender_load_wheel, spin_inertia, "kg*m^2", 0, 0, INFINITY, 0,
         "Inertia about the axis; 0: unknown, the wheel has neither speed nor energy."),
    REAL(fender_load_wheel, momentum, "N*m*s", 0, -INFINITY, INFINITY, 0, "Momentum at the start."),
    REAL(fender_load_wheel, momentum_limit, "N*m*s", FENDER_FIELD_NONE_ALLOWED, 0, INFINITY, INFINITY,
         "Largest momentum; the motor gives no torque beyond it."),
    REAL(fender_load_wheel, torque_limit, "N*m", FENDER_FIELD_NONE_ALLOWED, 0, INFINITY, INFINITY,
         "Largest torque of the motor."),
    REAL(fender_load_wheel, torque, "N*m", 0, -INFINITY, INFINITY, 0,
         "Torque of the motor that is commanded at the start; positive accelerates the wheel about its axis."),
};
static const fender_field_table tables[] = {
    [FENDER_LOAD_DRAG] = FENDER_FIELD_TABLE("drag", drag_fields, fender_load_drag),
    [FENDER_LOAD_SPRING] = FENDER_FIELD_TABLE("spring", spring_fields, fender_load_spring),
    [FENDER_LOAD_THRUSTER] = FENDER_FIELD_TABLE("thruster", thruster_fields, fender_load_thruster),
    [FENDER_LOAD_REACTION_WHEEL] = FENDER_FIELD_TABLE("reaction_wheel", wheel_fields, fender_load_wheel),
};
enum { KIND_COUNT = sizeof tables / sizeof tables[0] };

const char *fender_load_kind_name(fender_load_kind kind)
{
    if (kind == FENDER_LOAD_GIVEN) return "given";
    return (unsigned)kind < KIND_COUNT ? tables[kind].type_name : NULL;
}

const char *fender_load_kind_doc(fender_load_kind kind)
{
    static const char *const docs[] = {
        [FENDER_LOAD_GIVEN] = "A force and a torque as functions of time, or as commanded.",
        [FENDER_LOAD_DRAG] = "Force and torque against the velocity in a medium, linear and quadratic.",
        [FENDER_LOAD_SPRING] = "A damped spring to a place in the world.",
        [FENDER_LOAD_THRUSTER] = "Thrust along a direction by a commanded throttle; draws from a tank.",
        [FENDER_LOAD_REACTION_WHEEL] = "A wheel that a commanded motor torque accelerates about an axis.",
    };
    return (unsigned)kind < KIND_COUNT ? docs[kind] : NULL;
}

const fender_field_table *fender_load_parameters(fender_load_kind kind)
{
    return kind != FENDER_LOAD_GIVEN && (unsigned)kind < KIND_COUNT ? &tables[kind] : NULL;
}

/* ---- Signals ---- */

static fender_vec3 table_value(const fender_signal *s, double time, double piece)
{
    fender_vec3 zero = {0, 0, 0};
    const bool whole = isnan(piece);
    if (whole) piece = time;
    if (s->count == 0 || piece < s->times[0]) return zero;
    if (piece >= s->times[s->count - 1]) /* as a whole it has its last value at its last time */
        return s->after == FENDER_AFTER_HOLD || (whole && time == s->times[s->count - 1]) ? s->values[s->count - 1]
                                                                                          : zero;
    int low = 0, high = s->count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (s->times[middle] <= piece) low = middle;
        else high = middle;
    }
    double part = (time - s->times[low]) / (s->times[high] - s->times[low]);
    return fender_vec3_add_scaled(s->values[low], part, fender_vec3_sub(s->values[high], s->values[low]));
}

static double component(const fender_expression *e, const double *slots)
{
    return e->count > 0 ? fender_expression_value(e->code, e->count, slots) : 0;
}

fender_vec3 fnd_signal_value(const fender_signal *s, double time, double piece, const double *slots)
{
    fender_vec3 zero = {0, 0, 0};
    switch (s->kind) {
    case FENDER_SIGNAL_ZERO: return zero;
    case FENDER_SIGNAL_CONSTANT: return s->constant;
    case FENDER_SIGNAL_RAMP: {
        double length = fender_vec3_length(s->direction);
        if (time <= s->start || length == 0) return zero;
        return fender_vec3_scale(s->rate * (time - s->start) / length, s->direction);
    }
    case FENDER_SIGNAL_TABLE: return table_value(s, time, piece);
    case FENDER_SIGNAL_FORMULA:
        return fender_vec3_make(component(&s->components[0], slots), component(&s->components[1], slots),
                                component(&s->components[2], slots));
    }
    return zero;
}

/* The first time after `time` at which the signal has a kink; INFINITY: none. */
static double signal_kink(const fender_signal *s, double time)
{
    if (s->kind == FENDER_SIGNAL_RAMP) return s->start > time ? s->start : INFINITY;
    if (s->kind != FENDER_SIGNAL_TABLE || s->count == 0 || time >= s->times[s->count - 1]) return INFINITY;
    int low = -1, high = s->count - 1; /* times[low] <= time < times[high] */
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (s->times[middle] <= time) low = middle;
        else high = middle;
    }
    return s->times[high];
}

/* ---- Thrusters ---- */

#define STANDARD_GRAVITY 9.80665 /* m/s^2; of the specific impulse */

/* 1 - exp(-x) for x >= 0, without cancellation. */
static double charged(double x)
{
    if (x > 0.02) return 1 - fnd_exponential(-x);
    return x * (1 - x / 2 * (1 - x / 3 * (1 - x / 4 * (1 - x / 5 * (1 - x / 6)))));
}

/* A lag of first order after a time, and its integral over that time. */
static double lag(double level, double target, double constant, double time)
{
    if (!(constant > 0) || level == target) return target;
    return time > 0 ? level + (target - level) * charged(time / constant) : level;
}

static double lag_integral(double level, double target, double constant, double time)
{
    if (!(constant > 0) || level == target) return target * time;
    return target * time + (level - target) * constant * charged(time / constant);
}

static double constant_of(const fnd_load *load, double level, double target)
{
    return target > level ? load->def.thruster.rise_time : load->def.thruster.decay_time;
}

double fnd_load_level(const fnd_load *load, double time, double piece)
{
    const fnd_load_memory *m = &load->memory;
    const double constant = constant_of(load, m->level, m->target);
    if (piece < m->closing_time) return lag(m->level, m->target, constant, time - m->since);
    const double level = lag(m->level, m->target, constant, m->closing_time - m->since);
    return lag(level, 0, load->def.thruster.decay_time, time - m->closing_time);
}

/* Integral of the level from one time to a later one within a leg that begins at `from`. */
static double leg_integral(const fnd_load *load, double target, double from, double to)
{
    if (!(to > from)) return 0;
    const double level = fnd_load_level(load, from, from);
    return lag_integral(level, target, constant_of(load, level, target), to - from);
}

double fnd_load_propellant(const fnd_load *load, double from, double to)
{
    const fender_load_thruster *p = &load->def.thruster;
    const fnd_load_memory *m = &load->memory;
    if (!(p->specific_impulse > 0) || load->def.kind != FENDER_LOAD_THRUSTER || !load->active) return 0;
    if (to < from) return -fnd_load_propellant(load, to, from);
    if (from < m->since) from = m->since;
    const double turn = m->closing_time < from ? from : m->closing_time < to ? m->closing_time : to;
    const double open = m->closing_time <= from ? 0 : leg_integral(load, m->target, from, turn);
    const double closed = leg_integral(load, 0, turn, to);
    return (open + closed) * p->thrust / (p->specific_impulse * STANDARD_GRAVITY);
}

/* ---- Wheels ---- */

/* The motor torque while the momentum is within its limit. */
static double motor_torque(const fnd_load *load)
{
    const double limit = load->def.wheel.torque_limit, wanted = load->active ? load->memory.motor_torque : 0;
    return wanted > limit ? limit : wanted < -limit ? -limit : wanted;
}

static double saturation_time(const fnd_load *load)
{
    const double torque = motor_torque(load), limit = load->def.wheel.momentum_limit;
    if (torque == 0 || isinf(limit)) return INFINITY;
    const double left = ((torque > 0 ? limit : -limit) - load->memory.momentum) / torque;
    return load->memory.since + (left > 0 ? left : 0);
}

double fnd_load_momentum(const fnd_load *load, double time, double piece)
{
    const double torque = motor_torque(load);
    if (torque != 0 && piece >= saturation_time(load))
        return torque > 0 ? load->def.wheel.momentum_limit : -load->def.wheel.momentum_limit;
    return load->memory.momentum + torque * (time - load->memory.since);
}

/* ---- Commands and kinks ---- */

static double counted_throttle(const fnd_load *load, double throttle)
{
    return throttle < load->def.thruster.minimum_throttle ? 0 : throttle;
}

void fnd_load_start(fnd_load *load, double time)
{
    load->memory = (fnd_load_memory){.since = time, .lit_time = time, .closing_time = INFINITY};
    if (load->def.kind == FENDER_LOAD_REACTION_WHEEL) {
        load->memory.momentum = load->def.wheel.momentum;
        load->memory.motor_torque = load->def.wheel.torque;
    }
    if (load->def.kind != FENDER_LOAD_THRUSTER) return;
    load->memory.throttle = load->def.thruster.throttle;
    if (load->active) load->memory.target = counted_throttle(load, load->memory.throttle);
}

void fnd_load_rebase(fnd_load *load, double time)
{
    fnd_load_memory *m = &load->memory;
    if (load->def.kind == FENDER_LOAD_THRUSTER) {
        m->level = fnd_load_level(load, time, time);
        if (time >= m->closing_time) {
            m->target = 0;
            m->closing_time = INFINITY;
        }
    }
    if (load->def.kind == FENDER_LOAD_REACTION_WHEEL) m->momentum = fnd_load_momentum(load, time, time);
    m->since = time;
}

void fnd_load_throttle(fnd_load *load, double throttle, double time)
{
    fnd_load_memory *m = &load->memory;
    const double target = counted_throttle(load, throttle), least = m->lit_time + load->def.thruster.minimum_on_time;
    m->throttle = throttle;
    if (!load->active) return;
    if (target > 0) {
        if (!(m->target > 0)) m->lit_time = time;
        m->target = target;
        m->closing_time = INFINITY;
    } else if (m->target > 0 && time < least) {
        m->closing_time = least;
    } else {
        m->target = 0;
    }
}

void fnd_load_switch(fnd_load *load, bool active, double time)
{
    load->active = active;
    if (load->def.kind != FENDER_LOAD_THRUSTER) return;
    load->memory.level = load->memory.target = 0; /* a valve that is cut knows no lag */
    load->memory.closing_time = INFINITY;
    fnd_load_throttle(load, load->memory.throttle, time);
}

static double earlier(double a, double b) { return a < b ? a : b; }

double fnd_load_kink(const fnd_load *load, double time)
{
    double first = INFINITY;
    switch (load->def.kind) {
    case FENDER_LOAD_GIVEN:
        if (!load->memory.commanded[0]) first = signal_kink(&load->def.force, time);
        if (!load->memory.commanded[1]) first = earlier(first, signal_kink(&load->def.torque, time));
        break;
    case FENDER_LOAD_THRUSTER: first = load->memory.closing_time; break;
    case FENDER_LOAD_REACTION_WHEEL: first = saturation_time(load); break;
    case FENDER_LOAD_DRAG:
    case FENDER_LOAD_SPRING: break;
    }
    return first > time ? first : INFINITY;
}

/* ---- Evaluation ---- */

static fender_vec3 drag_of(double linear, double quadratic, fender_vec3 v)
{
    return fender_vec3_scale(-(linear + quadratic * fender_vec3_length(v)), v);
}

fender_vec3 fnd_load_axis(const fnd_load *load, const fnd_body *body)
{
    fender_mat3 R_RS = fender_quaternion_matrix(body->q_RS);
    return fender_mat3_times(&R_RS, load->def.wheel.axis);
}

/* With the momentum H about its axis a: the motor turns it by T, the body by -T a, and where the axis turns, by w x H:
 * the torque on the body is -dH/dt in inertial space. */
static void evaluate_wheel(const fnd_load *load, const fnd_body *body, const fnd_frame *frame, double time,
                           double piece, fender_vec3 turning, fnd_load_value *v)
{
    const fender_load_wheel *p = &load->def.wheel;
    const fender_vec3 axis_B = fnd_load_axis(load, body), axis = fender_mat3_times(&frame->R_WB, axis_B);
    const double torque = piece >= saturation_time(load) ? 0 : motor_torque(load);
    v->motor_torque = torque;
    v->wheel_momentum = fnd_load_momentum(load, time, piece);
    v->momentum = fender_vec3_scale(v->wheel_momentum, axis);
    v->rate = fender_vec3_add_scaled(fender_vec3_cross(frame->w, v->momentum), torque, axis);
    v->torque = fender_vec3_negate(fender_vec3_add(v->rate, fender_vec3_cross(turning, v->momentum)));
    v->power = fender_vec3_dot(v->torque, frame->w);
    v->applied_power = v->power;
    if (!(p->spin_inertia > 0)) return;
    const double speed = v->wheel_momentum / p->spin_inertia;
    v->wheel_speed = speed - fender_vec3_dot(axis, fender_vec3_add(frame->w, turning));
    v->wheel_energy = 0.5 * speed * v->wheel_momentum;
    v->applied_power += torque * speed;
}

static void put(double *slots, fender_vec3 v)
{
    slots[0] = v.x;
    slots[1] = v.y;
    slots[2] = v.z;
}

/* What formulas read. `R_WS`: structure to world axes. */
static void fill_slots(const fnd_load *load, const fnd_body *body, const fnd_frame *frame, const fender_mat3 *R_WS,
                       fender_vec3 lever, fender_vec3 speed, double time, double *slots)
{
    const bool turned = load->def.axes == FENDER_AXES_BODY;
    const fender_quaternion q = fender_quaternion_product(frame->q, body->q_RS);
    slots[FENDER_LOAD_SLOT_TIME] = time;
    put(slots + FENDER_LOAD_SLOT_POSITION, fender_vec3_add(frame->p, lever));
    put(slots + FENDER_LOAD_SLOT_VELOCITY, turned ? fender_mat3_transpose_times(R_WS, speed) : speed);
    put(slots + FENDER_LOAD_SLOT_ANGULAR_VELOCITY, turned ? fender_mat3_transpose_times(R_WS, frame->w) : frame->w);
    slots[FENDER_LOAD_SLOT_ATTITUDE] = q.w;
    put(slots + FENDER_LOAD_SLOT_ATTITUDE + 1, fender_vec3_make(q.x, q.y, q.z));
    slots[FENDER_LOAD_SLOT_MASS] = body->mass;
}

double fnd_load_read(const fender_load_reading *reading, const fnd_body *body, const fender_pose *place,
                     const fnd_frame *frame)
{
    const bool center = reading->quantity == FENDER_STATE_CENTER_POSITION ||
                        reading->quantity == FENDER_STATE_CENTER_VELOCITY;
    if (reading->quantity == FENDER_STATE_MASS) return body->mass;
    double numbers[4] = {0, 0, 0, 0};
    fender_quaternion q = fender_quaternion_product(frame->q, fender_quaternion_product(body->q_RS, place->q));
    if (reading->quantity == FENDER_STATE_ATTITUDE) {
        q = fender_quaternion_normalized(q);
        numbers[0] = q.w;
        put(numbers + 1, fender_vec3_make(q.x, q.y, q.z));
        return numbers[reading->component];
    }
    const fender_vec3 at_S = fender_vec3_sub(center ? body->center_S : place->p, body->root_center_S);
    const fender_vec3 lever = fender_mat3_times(&frame->R_WB, fender_quaternion_rotate(body->q_RS, at_S));
    switch (reading->quantity) {
    case FENDER_STATE_POSITION:
    case FENDER_STATE_CENTER_POSITION: put(numbers, fender_vec3_add(frame->p, lever)); break;
    case FENDER_STATE_VELOCITY:
    case FENDER_STATE_CENTER_VELOCITY:
        put(numbers, fender_vec3_add(frame->v, fender_vec3_cross(frame->w, lever)));
        break;
    case FENDER_STATE_ANGULAR_VELOCITY:
        put(numbers, fender_quaternion_rotate(fender_quaternion_conjugate(fender_quaternion_normalized(q)), frame->w));
        break;
    case FENDER_STATE_ATTITUDE:
    case FENDER_STATE_MASS: break;
    }
    return numbers[reading->component];
}

/* Puts what the formula of a signal reads behind the slots of the load. */
static fender_vec3 value_of(const fnd_load *load, int k, double time, double piece, const fnd_load_readings *read,
                            double *slots)
{
    const fender_signal *signal = k == 0 ? &load->def.force : &load->def.torque;
    for (int i = 0; read && i < signal->reading_count; i++) slots[FENDER_LOAD_SLOT_COUNT + i] = read->of[k][i];
    return fnd_signal_value(signal, time, piece, slots);
}

void fnd_load_evaluate(const fnd_load *load, const fnd_body *body, const fnd_body *tank, const fnd_load_readings *read,
                       const fnd_frame *frame, double time, double piece, fender_vec3 turning, fnd_load_value *v,
                       fender_vec3 *lever_W)
{
    fender_mat3 R_RS = fender_quaternion_matrix(body->q_RS);
    fender_vec3 point = load->def.at_center ? body->center_S : load->def.point;
    fender_vec3 lever_B = fender_mat3_times(&R_RS, fender_vec3_sub(point, body->root_center_S));
    fender_vec3 lever = fender_mat3_times(&frame->R_WB, lever_B);
    fender_vec3 speed = fender_vec3_add(frame->v, fender_vec3_cross(frame->w, lever));
    *v = (fnd_load_value){.velocity = speed, .turning = frame->w};
    *lever_W = lever;
    switch (load->def.kind) {
    case FENDER_LOAD_GIVEN: {
        const fnd_load_memory *m = &load->memory;
        double slots[FENDER_LOAD_SLOT_COUNT + FENDER_LOAD_READING_CAPACITY];
        if (load->formulas[0] || load->formulas[1]) {
            const fender_mat3 R_WS = fender_mat3_product(&frame->R_WB, &R_RS);
            fill_slots(load, body, frame, &R_WS, lever, speed, time, slots);
        }
        v->force = m->commanded[0] ? m->command[0] : value_of(load, 0, time, piece, read, slots);
        v->torque = m->commanded[1] ? m->command[1] : value_of(load, 1, time, piece, read, slots);
        if (load->def.axes != FENDER_AXES_BODY) break;
        v->force = fender_mat3_times(&frame->R_WB, fender_mat3_times(&R_RS, v->force));
        v->torque = fender_mat3_times(&frame->R_WB, fender_mat3_times(&R_RS, v->torque));
        break;
    }
    case FENDER_LOAD_DRAG: {
        const fender_load_drag *p = &load->def.drag;
        const fender_vec3 u = fender_vec3_sub(speed, p->medium_velocity);
        v->force = drag_of(p->linear, p->quadratic, u);
        v->torque = drag_of(p->angular_linear, p->angular_quadratic, frame->w);
        v->damping_power = -fender_vec3_dot(v->force, u) - fender_vec3_dot(v->torque, frame->w);
        v->applied_power = fender_vec3_dot(v->force, p->medium_velocity);
        v->power = v->applied_power - v->damping_power;
        return;
    }
    case FENDER_LOAD_SPRING: {
        const fender_load_spring *p = &load->def.spring;
        const fender_vec3 stretch = fender_vec3_sub(fender_vec3_add(frame->p, lever), p->anchor);
        v->force = fender_vec3_add_scaled(fender_vec3_scale(-p->stiffness, stretch), -p->damping, speed);
        v->damping_power = p->damping * fender_vec3_dot(speed, speed);
        v->stored_energy = 0.5 * p->stiffness * fender_vec3_dot(stretch, stretch);
        v->power = fender_vec3_dot(v->force, speed);
        return;
    }
    case FENDER_LOAD_THRUSTER: {
        const fender_load_thruster *p = &load->def.thruster;
        const bool dry = load->tank == FND_TANK_GONE || (tank && !(tank->core.mass > p->dry_mass));
        const fender_vec3 along = fender_mat3_times(&frame->R_WB, fender_mat3_times(&R_RS, p->direction));
        v->level = dry ? 0 : fnd_load_level(load, time, piece);
        v->force = fender_vec3_scale(v->level * p->thrust, along);
        break;
    }
    case FENDER_LOAD_REACTION_WHEEL: evaluate_wheel(load, body, frame, time, piece, turning, v); return;
    }
    v->power = fender_vec3_dot(v->force, speed) + fender_vec3_dot(v->torque, frame->w);
    v->applied_power = v->power;
}
