/* The laws of links that drive: the linear actuator and the electromagnet. */
#include "base/error.h"
#include "dynamics/link.h"
#include <assert.h>
#include <float.h>

static fender_status refuse(fender_error *error, const char *path, const char *message, const char *expected)
{
    return fnd_fail(error, FENDER_STATUS_VALUE, path, message, "", expected, "");
}

/* ---- Actuator ---- */

/* Modes: how its motor gives the force, and which stop acts. */
enum { SERVO, SLIPS_OUT, SLIPS_IN, BY_FORCE, PART_MASK = 3, STOP_SHIFT = 2, LOW = 0, BETWEEN = 1, HIGH = 2 };

static int part_of(int mode) { return mode & PART_MASK; }
static int stop_of(int mode) { return mode >> STOP_SHIFT; }
static bool slips(int mode) { return part_of(mode) == SLIPS_OUT || part_of(mode) == SLIPS_IN; }
static double sense_of(int mode) { return part_of(mode) == SLIPS_OUT ? 1 : -1; }

static double within(double value, double low, double high) { return value < low ? low : value > high ? high : value; }

/* The motor gives the force, and no brake. */
static bool powered(const fnd_link_drive *d) { return !d->locked && d->mode != FENDER_ACTUATOR_FREE; }

/* What it resists with before it slips. */
static double resistance(const fnd_link *link)
{
    const fender_link_actuator *p = link->parameters;
    const fnd_link_drive *d = &link->memory.drive;
    if (d->locked) return p->brake;
    if (d->mode == FENDER_ACTUATOR_FREE) return p->back_drive_friction;
    return p->back_drive ? p->force_limit : (double)INFINITY;
}

/* Its force is given: by a command, or none. */
static bool by_force(const fnd_link *link)
{
    const fnd_link_drive *d = &link->memory.drive;
    return (!d->locked && d->mode == FENDER_ACTUATOR_FORCE) || resistance(link) == 0;
}

static double given_force(const fnd_link *link)
{
    const fender_link_actuator *p = link->parameters;
    const fnd_link_drive *d = &link->memory.drive;
    if (d->locked || d->mode != FENDER_ACTUATOR_FORCE) return 0;
    return within(d->aim, -p->force_limit, p->force_limit);
}

/* Difference of motor and length at which it slips. */
static double yield_of(const fnd_link *link)
{
    const fender_link_actuator *p = link->parameters;
    double most = resistance(link);
    return p->stiffness > 0 && isfinite(most) ? most / p->stiffness : (double)INFINITY;
}

/* A commanded length without a limit of the rate: its motor is there, however far it slips. */
static bool is_there(const fnd_link *link)
{
    const fender_link_actuator *p = link->parameters;
    const fnd_link_drive *d = &link->memory.drive;
    return !d->locked && d->mode == FENDER_ACTUATOR_LENGTH && isinf(p->rate_limit);
}

/* `away` [m/s]: rate at which motor and length part. During slip their distance is the yield point but for rounding. */
static int part_at(const fnd_link *link, double apart, double away)
{
    if (by_force(link)) return BY_FORCE;
    double yield = yield_of(link), slack = 1e-9 * yield;
    if (isinf(yield)) return SERVO;
    for (int part = SLIPS_OUT; part <= SLIPS_IN; part++) {
        double x = sense_of(part) * apart;
        bool was = part_of(link->memory.mode) == part;
        if (x > (sense_of(part) * away > 0 ? (was ? yield - slack : yield) : yield + slack)) return part;
    }
    return SERVO;
}

static int stop_at(const fender_link_actuator *p, double length)
{
    return length < p->stroke_min ? LOW : length > p->stroke_max ? HIGH : BETWEEN;
}

/* How far it is into a stop; positive: too short. */
static double into_stop(const fender_link_actuator *p, int stop, double length)
{
    return stop == LOW ? p->stroke_min - length : stop == HIGH ? p->stroke_max - length : 0;
}

static int mode_at(const fnd_link *link, const fnd_link_value *v)
{
    int part = part_at(link, v->free_length - v->length, v->free_rate - v->rate);
    return part | stop_at(link->parameters, v->length) << STOP_SHIFT;
}

void fnd_actuator_evaluate(const fnd_link *link, fender_vec3 along, bool held, fnd_link_value *v)
{
    assert(link->law == FENDER_LINK_ACTUATOR);
    const fender_link_actuator *p = link->parameters;
    v->mode = held ? link->memory.mode : mode_at(link, v);
    double force, apart = v->free_length - v->length, away = v->free_rate - v->rate;
    v->law_mode = link->memory.drive.mode;
    if (part_of(v->mode) == BY_FORCE) {
        force = given_force(link);
        v->free_length = v->length;
        v->free_rate = v->rate;
        v->motor_power = force * v->rate;
    } else if (slips(v->mode)) {
        double yield = sense_of(v->mode) * yield_of(link), power;
        force = sense_of(v->mode) * resistance(link);
        power = force * v->rate;
        v->slips = true;
        v->free_length = v->length + yield;
        v->free_rate = v->rate;
        v->stored_energy = 0.5 * p->stiffness * yield * yield;
        if (power > 0 && powered(&link->memory.drive)) v->motor_power = power; /* it pushes as hard as it can */
        else v->damping_power = -power;                                        /* it is driven back */
    } else {
        force = p->stiffness * apart + p->damping * away;
        v->stored_energy = 0.5 * p->stiffness * apart * apart;
        v->damping_power = p->damping * away * away;
        v->motor_power = force * v->free_rate;
    }
    double into = into_stop(p, stop_of(v->mode), v->length);
    v->force = force + p->stop_stiffness * into;
    v->stored_energy += 0.5 * p->stop_stiffness * into * into;
    v->force_on_b = fender_vec3_scale(v->force, along);
}

int fnd_actuator_roots(const fnd_link *link, const fnd_link_value *v, double grain, fnd_link_root *roots)
{
    enum { OUT, IN, TURN, REACHED, STOP_LOW, STOP_HIGH, LIMIT };
    const fender_link_actuator *p = link->parameters;
    const fnd_link_drive *d = &link->memory.drive;
    double yield = yield_of(link);
    int count = 0, stop = stop_of(v->mode);
    if (slips(v->mode)) {
        double s = sense_of(v->mode);
        if (is_there(link)) {
            roots[count++] = (fnd_link_root){REACHED, s * (d->length - v->length) - yield + grain, -s * v->rate};
        } else {
            roots[count++] = (fnd_link_root){TURN, s * (d->rate - v->rate) + DBL_MIN, NAN};
            if (d->rate != 0 && isfinite(d->target)) {
                double way = d->rate < 0 ? -1 : 1;
                roots[count++] = (fnd_link_root){REACHED, way * (d->target - v->free_length) + grain, -way * v->rate};
            }
        }
    } else if (part_of(v->mode) == SERVO && isfinite(yield)) {
        double apart = v->free_length - v->length, away = v->free_rate - v->rate;
        roots[count++] = (fnd_link_root){OUT, yield - apart + grain, -away};
        roots[count++] = (fnd_link_root){IN, yield + apart + grain, away};
    }
    if (p->stop_stiffness > 0) {
        double low = v->length - p->stroke_min, high = p->stroke_max - v->length;
        if (stop == LOW) roots[count++] = (fnd_link_root){STOP_LOW, -low + grain, -v->rate};
        else if (p->stroke_min > 0) roots[count++] = (fnd_link_root){STOP_LOW, low + grain, v->rate};
        if (isfinite(high))
            roots[count++] = stop == HIGH ? (fnd_link_root){STOP_HIGH, -high + grain, v->rate}
                                          : (fnd_link_root){STOP_HIGH, high + grain, -v->rate};
    }
    return fnd_link_add_limit(count, LIMIT, p->limit, fabs(v->force), (double)INFINITY, roots);
}

fnd_link_fate fnd_actuator_judge(const fnd_link *link, const fnd_link_value *v)
{
    const fender_link_actuator *p = link->parameters;
    const fnd_link_memory *memory = &link->memory;
    if (!v->alive) return FND_LINK_GOES_ON;
    if (fabs(v->force) > p->limit) return FND_LINK_BREAKS;
    if (stop_of(v->mode) != BETWEEN && stop_of(memory->mode) == BETWEEN) return FND_LINK_BOTTOMS;
    bool begins = slips(v->mode) && part_of(memory->mode) != part_of(v->mode);
    return begins && (memory->drive.locked || powered(&memory->drive)) ? FND_LINK_LIMITS : FND_LINK_GOES_ON;
}

void fnd_actuator_restart(fnd_link *link, double time, double length)
{
    const fender_link_actuator *p = link->parameters;
    fnd_link_drive *d = &link->memory.drive;
    d->length = d->target = length;
    d->since = time;
    d->rate = 0;
    d->limited = false;
    if (d->locked || d->mode == FENDER_ACTUATOR_FORCE || d->mode == FENDER_ACTUATOR_FREE) return;
    double goal = d->aim, speed = p->rate_limit;
    if (d->mode == FENDER_ACTUATOR_RATE) {
        if (fabs(d->aim) < speed) speed = fabs(d->aim);
        goal = isfinite(d->until) ? d->until : d->aim < 0 ? -(double)INFINITY : (double)INFINITY;
        if (!((goal - length) * d->aim > 0)) return; /* it stands, or is beyond */
    }
    d->target = within(goal, p->stroke_min, p->stroke_max);
    d->limited = d->target != goal;
    if (d->target == length) return;
    if (isinf(speed)) d->length = d->target;
    else d->rate = d->target > length ? speed : -speed;
}

double fnd_actuator_length(const fnd_link *link, const fnd_link_value *v)
{
    const fender_link_actuator *p = link->parameters;
    if (part_of(link->memory.mode) != BY_FORCE || !v->alive) return v->free_length;
    double apart = p->stiffness > 0 ? given_force(link) / p->stiffness : 0;
    return within(v->length + apart, p->stroke_min, p->stroke_max);
}

bool fnd_actuator_arrives(const fnd_link *link, const fnd_link_value *v, bool *slipping)
{
    const fnd_link_drive *d = &link->memory.drive;
    *slipping = slips(v->mode) && v->alive;
    return *slipping && d->rate != 0 && (d->target - v->free_length) * d->rate <= 0;
}

bool fnd_actuator_commit(fnd_link *link, const fnd_link_value *v)
{
    fnd_link_drive *d = &link->memory.drive;
    link->memory.mode = v->mode;
    if (!v->alive || !slips(v->mode) || is_there(link)) return false;
    bool slipping;
    double length = fnd_actuator_arrives(link, v, &slipping) ? d->target : v->free_length;
    fnd_actuator_restart(link, v->time, length);
    if (sense_of(v->mode) * (d->rate - v->rate) < 0)
        link->memory.mode = SERVO | stop_of(v->mode) << STOP_SHIFT; /* they come together again */
    return link->memory.mode != v->mode;
}

bool fnd_actuator_mode_valid(int mode) { return mode >= 0 && stop_of(mode) <= HIGH; }

/* What has neither acts like a free actuator: nothing follows the motor. A damper follows its rate, not its length. */
fender_status fnd_actuator_check_servo(const fender_link_actuator *p, int mode, bool locked, fender_error *error)
{
    static const char remedy[] = "give a stiffness; mode 'force' and 'free' need none";
    if (p->stiffness > 0) return FENDER_STATUS_OK;
    if (locked)
        return fnd_fail(error, FENDER_STATUS_VALUE, "stiffness", "an actuator without stiffness has no brake", "0 N/m",
                        "more than 0 N/m with the brake on", remedy);
    if (mode == FENDER_ACTUATOR_LENGTH)
        return fnd_fail(error, FENDER_STATUS_VALUE, "stiffness", "an actuator without stiffness cannot hold a length",
                        "0 N/m", "more than 0 N/m in mode 'length'", remedy);
    if (mode == FENDER_ACTUATOR_RATE && p->damping == 0)
        return fnd_fail(error, FENDER_STATUS_VALUE, "stiffness", "an actuator without a servo cannot move at a rate",
                        "no stiffness, no damping", "a stiffness or a damping above 0 in mode 'rate'", remedy);
    return FENDER_STATUS_OK;
}

fender_status fnd_actuator_check(const fender_link_actuator *p, fender_error *error)
{
    if (!(p->stroke_max > p->stroke_min))
        return refuse(error, "stroke_max", "the stroke of the actuator is empty", "a stroke_max above stroke_min");
    if (p->length < p->stroke_min || p->length > p->stroke_max)
        return refuse(error, "length", "the length is outside the stroke", "a length from stroke_min to stroke_max");
    if ((p->stroke_min > 0 || isfinite(p->stroke_max)) && p->stop_stiffness == 0)
        return refuse(error, "stop_stiffness", "a stroke ends at stops, which need a stiffness",
                      "a stop_stiffness of more than 0 N/m with 'stroke_min' or 'stroke_max'");
    bool yields = (isfinite(p->force_limit) && p->back_drive) || isfinite(p->brake) || p->back_drive_friction > 0;
    if (yields && p->stiffness == 0)
        return refuse(error, "stiffness", "an actuator slips against its stiffness",
                      "a stiffness of more than 0 N/m with 'force_limit', 'brake' or 'back_drive_friction'");
    return fnd_actuator_check_servo(p, p->mode, p->locked, error);
}

/* ---- Electromagnet ---- */

/* K and d0. */
typedef struct strength {
    double constant, offset;
} strength;

static strength strength_of(const fender_link_electromagnet *p)
{
    if (p->constant > 0) return (strength){p->constant, p->offset};
    double offset = p->half_distance / (sqrt(2.0) - 1); /* (d0 / (half + d0))^2 = 1 / 2 */
    double reach = offset / p->current_limit;
    return (strength){p->holding_force * reach * reach, offset};
}

void fnd_magnet_evaluate(const fnd_link *link, fender_vec3 along, bool held, fnd_link_value *v)
{
    assert(link->law == FENDER_LINK_ELECTROMAGNET);
    const fender_link_electromagnet *p = link->parameters;
    v->mode = held ? link->memory.mode : v->length < p->range ? FND_LINK_LOADED : FND_LINK_SLACK;
    if (v->mode == FND_LINK_SLACK) return;
    const strength s = strength_of(p);
    const double current = link->memory.drive.aim, pull = s.constant * current * current;
    double near = 1 / (v->length + s.offset), far = isinf(p->range) ? 0 : 1 / (p->range + s.offset);
    double part = current / p->current_limit * s.offset * near, drag = p->damping * part * part * v->rate;
    v->force = -pull * near * near - drag;
    v->stored_energy = -pull * (near - far);
    v->damping_power = drag * v->rate;
    v->force_on_b = fender_vec3_scale(v->force, along);
}

int fnd_magnet_roots(const fnd_link *link, const fnd_link_value *v, double grain, fnd_link_root *roots)
{
    const fender_link_electromagnet *p = link->parameters;
    if (isinf(p->range)) return 0;
    double sense = v->mode == FND_LINK_SLACK ? -1 : 1;
    roots[0] = (fnd_link_root){0, sense * (p->range - v->length) + grain, -sense * v->rate};
    return 1;
}

fender_status fnd_magnet_check(const fender_link_electromagnet *p, fender_error *error)
{
    bool by_constant = p->constant > 0 && p->offset > 0 && p->holding_force == 0 && p->half_distance == 0;
    bool by_holding = p->constant == 0 && p->offset == 0 && p->holding_force > 0 && p->half_distance > 0;
    if (!by_constant && !by_holding)
        return refuse(error, "constant", "the strength of the electromagnet is not given in one way",
                      "'constant' and 'offset', or 'holding_force' and 'half_distance'");
    if (fabs(p->current) > p->current_limit)
        return refuse(error, "current", "the current is above its limit", "at most current_limit, either way");
    return FENDER_STATUS_OK;
}
