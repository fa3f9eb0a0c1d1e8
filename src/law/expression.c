/* Laws that a scenario writes as formulas: expression (normal force) and friction_expression (coefficient of friction).
 *
 * What is tried here in place of a proof is tried at numbers over the whole range that the parameters name. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "law/friction_smooth.h"
#include "law/laws.h"
#include "law/parts.h"
#include "math/expression.h"

/* ---- Programs */

/* A shortened copy. */
static fender_status take(fender_expression *to, const fender_instruction *code, int count, bool normal,
                          const char *path, fender_error *error)
{
    fender_instruction room[FENDER_EXPRESSION_LIMIT];
    if (!fender_expression_is_valid(code, count, FENDER_LAW_SLOT_COUNT))
        return fnd_fail(error, FENDER_STATUS_VALUE, path, "the expression is not valid", fnd_number(count).text,
                        "instructions that fender_expression_is_valid accepts", "");
    if (normal && fender_expression_reads(code, count, FENDER_LAW_SLOT_NORMAL_FORCE))
        return fnd_fail(error, FENDER_STATUS_VALUE, path, "the normal force reads itself", "normal_force",
                        "depth, rate, slip, time, approach_speed", "");
    memcpy(room, code, (size_t)count * sizeof *code);
    count = fender_expression_shorten(room, count);
    if (count > FENDER_EXPRESSION_CAPACITY)
        return fnd_fail(error, FENDER_STATUS_VALUE, path, "the expression of the law is too long",
                        fnd_number(count).text, "at most 48 operations, names and numbers",
                        "compute what is constant beforehand, or write the law as a plug-in");
    memset(to, 0, sizeof *to);
    to->count = count;
    memcpy(to->code, room, (size_t)count * sizeof *code);
    return FENDER_STATUS_OK;
}

static bool reads(const fender_expression *e, int slot) { return fender_expression_reads(e->code, e->count, slot); }

static double at_least(double value, double least) { return value > least ? value : least; }

/* ---- Law `expression`
 *
 * N = max(F, 0). What the contact stores is the work of the force at rest, U(d) = integral of max(F(x, 0), 0) from 0 to
 * d; the rest of the force is its damper, P = (N - max(F(d, 0), 0)) d', which is 0 or more for a passive law. A force
 * with `supplied` stores and loses nothing: its work is applied from outside. */

typedef fender_expression_parameters expression;

static const fender_field expression_fields[] = {
    FND_REAL(expression, depth_range, "m", FND_POSITIVE, 0.1, "Depth up to which the force is tried before a run."),
    FND_REAL(expression, speed_range, "m/s", FND_POSITIVE, 10,
             "Rate, slip and approach speed up to which the force is tried before a run."),
    FND_REAL(expression, least_speed, "m/s", FND_POSITIVE, 1e-3, "Lower bound of approach_speed."),
    {"supplied", "1", "true: the force may depend on time and add energy; all its work counts as applied from outside.",
     FENDER_FIELD_BOOL, offsetof(expression, supplied), 0, 0, 1, 0, NULL},
};

/* With located events: does the clip hold the force at zero? */
typedef struct expression_memory {
    int slack;
} expression_memory;

/* The power of the depth that a program is: the depth or a number, then roots, powers and factors. */
static double exponent_of(const fender_expression *e)
{
    const fender_instruction *first = &e->code[0];
    const bool depth = (first->operation == FENDER_OP_SLOT || first->operation == FENDER_OP_SLOT_TIMES) &&
                       first->slot == FENDER_LAW_SLOT_DEPTH;
    double exponent = depth ? 1 : 0;
    if (!depth && first->operation != FENDER_OP_NUMBER) return NAN;
    for (int i = 1; i < e->count; i++) {
        if (e->code[i].operation == FENDER_OP_HALVES) exponent *= 0.5 * e->code[i].slot;
        else if (e->code[i].operation != FENDER_OP_TIMES_NUMBER) return NAN;
    }
    return exponent;
}

static double value_at(const fender_expression *e, double depth, double rate, double slip, double time, double speed)
{
    const double slots[FENDER_LAW_SLOT_COUNT] = {depth, rate, slip, time, speed, 0};
    return fender_expression_value(e->code, e->count, slots);
}

static bool begins_with(const fender_expression *e, const fender_expression *first)
{
    if (first->count > e->count) return false;
    for (int i = 0; i < first->count; i++) {
        const fender_instruction *a = &e->code[i], *b = &first->code[i];
        if (a->operation != b->operation || a->slot != b->slot || !(a->number == b->number)) return false;
    }
    return true;
}

/* Has it values where the shapes are apart? Located steps end at touch, and may look beyond it on the way. */
static bool is_extended(const expression *p)
{
    for (int i = 0; i < 3; i++)
        for (int k = -1; k <= 1; k++) {
            const double depth = i == 0 ? -1e-9 : i == 1 ? -1e-3 * p->depth_range : -p->depth_range;
            if (!isfinite(value_at(&p->force, depth, k * p->speed_range, 0, 0, p->speed_range))) return false;
        }
    return true;
}

fender_status fender_expression_parameters_set(fender_expression_parameters *parameters, const fender_instruction *code,
                                               int count, fender_error *error)
{
    expression *p = parameters;
    if (!p) return fnd_fail(error, FENDER_STATUS_ARGUMENT, "parameters", "parameters are needed", "NULL", "", "");
    fender_expression force;
    fender_status status = take(&force, code, count, true, "force", error);
    if (status) return status;
    p->force = p->rest = force;
    fender_expression_bind(p->rest.code, p->rest.count, FENDER_LAW_SLOT_RATE, 0);
    fender_expression_bind(p->rest.code, p->rest.count, FENDER_LAW_SLOT_SLIP, 0);
    p->rest.count = fender_expression_shorten(p->rest.code, p->rest.count);
    p->slips = reads(&p->force, FENDER_LAW_SLOT_SLIP);
    p->more = p->slips || reads(&p->force, FENDER_LAW_SLOT_TIME) || reads(&p->force, FENDER_LAW_SLOT_APPROACH_SPEED);
    p->shared = begins_with(&p->force, &p->rest) ? p->rest.count : 0;
    p->exponent = exponent_of(&p->rest);
    p->extended = is_extended(p);
    return FENDER_STATUS_OK;
}

/* Values of the slots that the expression reads, and of some that it does not. */
static void fill(const expression *p, const fender_contact_input *in, double *slots)
{
    slots[FENDER_LAW_SLOT_DEPTH] = in->depth > 0 || (in->located && p->extended) ? in->depth : 0;
    slots[FENDER_LAW_SLOT_RATE] = in->depth_rate;
    if (!p->more) return;
    slots[FENDER_LAW_SLOT_SLIP] = length(in->slip);
    slots[FENDER_LAW_SLOT_TIME] = in->time;
    slots[FENDER_LAW_SLOT_APPROACH_SPEED] = at_least(in->approach_speed, p->least_speed);
}

static double full_force(const expression *p, const fender_contact_input *in)
{
    double slots[FENDER_LAW_SLOT_COUNT];
    fill(p, in, slots);
    return fender_expression_value(p->force.code, p->force.count, slots);
}

/* While the clip holds the force at zero the spring still gives its energy back: to the damper. */
static void expression_force(const void *parameters, const fender_contact_input *in, const void *memory,
                             fender_contact_output *out)
{
    const expression *p = parameters;
    const expression_memory *m = memory;
    double slots[FENDER_LAW_SLOT_COUNT], stack[FENDER_EXPRESSION_CAPACITY + 1], spring = 0;
    assert(m || !in->located);
    fill(p, in, slots);
    const double full = fnd_expression_run(p->force.code, p->shared, p->force.count, slots, &spring, stack);
    const double normal = fnd_clip_holds(in, m ? m->slack : 0, full) ? 0 : full;
    out->force.z = normal;
    if (p->supplied) {
        out->supplied_power = -normal * in->depth_rate;
        return;
    }
    if (p->shared == 0) spring = fender_expression_value(p->rest.code, p->rest.count, slots);
    if (spring < 0 && in->depth > 0) spring = 0; /* as it is stored */
    out->damping_power = (normal - spring) * in->depth_rate;
}

/* Nothing: but the damping of an impact is asked of laws that begin alone (analysis/contact_advice.c). */
static void expression_begin(const void *parameters, const fender_contact_input *in, void *memory)
{
    (void)parameters, (void)in, (void)memory;
}

static void expression_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    const expression_memory *m = memory;
    assert(m);
    root[0] = fnd_clip_root(m->slack, full_force(parameters, in));
}

static void expression_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                              void *memory, fender_contact_change *change)
{
    (void)out, (void)change;
    expression_memory *m = memory;
    assert(m);
    m->slack = fnd_clip_slack(in, full_force(parameters, in));
}

/* ---- Stored energy */

/* Integral of max(F, 0) over u in [from, to], where the depth is d u^4: powers of the depth become polynomials of u up
 * to d^3, and roots at depth 0 do no harm. Lobatto's rule of 9 points has the ends among them, so that a kink close to
 * an end is noticed. */
static double panel(const fender_expression *rest, double *slots, double d, double from, double to)
{
    static const double place[5] = {0, 0.05012100229426991876, 0.16140686024463113402, 0.31844126808691092245, 0.5};
    static const double weight[5] = {1.0 / 72, 0.08274768078040276031, 0.13726935625008085395, 0.17321425548652316651,
                                     0.18575963718820862058};
    double sum = 0;
    for (int i = 0; i < 9; i++) {
        const double part = i < 5 ? place[i] : 1 - place[8 - i], u = from + (to - from) * part, u3 = u * u * u;
        slots[FENDER_LAW_SLOT_DEPTH] = d * u * u3;
        const double force = fender_expression_value(rest->code, rest->count, slots);
        if (force > 0) sum += weight[i < 5 ? i : 8 - i] * 4 * u3 * force;
    }
    return d * (to - from) * sum;
}

/* Halved until nothing changes: kinks of min, max and abs lie between ever closer points. */
static double integral(const fender_expression *rest, double *slots, double d, double from, double to, double whole,
                       int halvings)
{
    const double middle = 0.5 * (from + to);
    const double low = panel(rest, slots, d, from, middle), high = panel(rest, slots, d, middle, to), sum = low + high;
    if (halvings == 0 || !(fabs(sum - whole) > 1e-13 * sum)) return sum;
    return integral(rest, slots, d, from, middle, low, halvings - 1) +
           integral(rest, slots, d, middle, to, high, halvings - 1);
}

static double expression_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const expression *p = parameters;
    double slots[FENDER_LAW_SLOT_COUNT];
    (void)memory;
    if (p->supplied || !(in->depth > 0)) return 0;
    fill(p, in, slots);
    if (p->exponent > -1) {
        const double force = fender_expression_value(p->rest.code, p->rest.count, slots);
        return force > 0 ? force * in->depth / (p->exponent + 1) : 0;
    }
    const double whole = panel(&p->rest, slots, in->depth, 0, 1);
    return integral(&p->rest, slots, in->depth, 0, 1, whole, 16);
}

/* ---- Slopes, for the step */

/* By differences; at depth 0 to the side of greater depth. Calls without an impact are answered for a fast one. */
static void expression_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const expression *p = parameters;
    const double speed = in->approach_speed > 0 ? at_least(in->approach_speed, p->least_speed) : p->speed_range;
    const double depth = in->depth > 0 ? in->depth : 0, step = depth > 0 ? 1e-4 * depth : 1e-6 * p->depth_range;
    const double low = depth > 0 ? depth - step : 0, pace = 1e-4 * p->speed_range;
    const double slip = p->slips ? length(in->slip) : 0;
    out->normal_stiffness = (value_at(&p->rest, depth + step, 0, 0, in->time, speed) -
                             value_at(&p->rest, low, 0, 0, in->time, speed)) /
                            (depth + step - low);
    out->normal_damping = (value_at(&p->force, depth, pace, slip, in->time, speed) -
                           value_at(&p->force, depth, -pace, slip, in->time, speed)) /
                          (2 * pace);
}

/* ---- Whether it is passive */

enum { DEPTHS = 25, RATES = 12 };

typedef struct trial {
    double depth, rate, slip, time, speed;
} trial;

/* Four digits are enough to be told. */
static fnd_number_text told(double value)
{
    double scale = 1;
    if (!isfinite(value)) return fnd_number(fabs(value));
    while (value != 0 && fabs(value) * scale < 1000 && scale < 1e20) scale *= 10;
    return fnd_number(floor(value * scale + 0.5) / scale);
}

static const char *described(const trial *at, char *text, size_t size)
{
    snprintf(text, size, "depth %s m, rate %s m/s, slip %s m/s", told(at->depth).text, told(at->rate).text,
             told(at->slip).text);
    return text;
}

static double tried(const fender_expression *e, const trial *at)
{
    return value_at(e, at->depth, at->rate, at->slip, at->time, at->speed);
}

/* At one state: a finite force, which takes energy beyond what its spring stores. */
static fender_status try_at(const expression *p, const trial *at, fender_error *error)
{
    char found[160], text[200];
    const double full = tried(&p->force, at), rest = tried(&p->rest, at);
    if (!isfinite(full) || !isfinite(rest))
        return fnd_fail(error, FENDER_STATUS_VALUE, "force", "the force is not a finite number",
                        described(at, found, sizeof found), "a finite force within depth_range and speed_range",
                        "is a root taken of a negative number, or a divisor 0? max(x, 0) and x + small help");
    const double normal = full > 0 ? full : 0, spring = rest > 0 ? rest : 0, more = normal - spring;
    if (p->supplied || !(more * at->rate < 0) || !(fabs(more) > 1e-10 * (normal + spring))) return FENDER_STATUS_OK;
    snprintf(text, sizeof text, "the force adds energy: %s N, and %s N at rest, while the depth %s", told(normal).text,
             told(spring).text, at->rate > 0 ? "grows" : "falls");
    return fnd_fail(error, FENDER_STATUS_VALUE, "force", text, described(at, found, sizeof found),
                    "at least the force at rest while the depth grows, at most that while it falls",
                    "check the sign of the rate; or write 'supplied: true': the work then counts as applied");
}

/* v, of both signs, from a small part of the range to all of it; the first is 0. */
static double spread(int i, int count, double range)
{
    const int size = (i + 1) / 2;
    if (i == 0) return 0;
    double value = range;
    for (int k = size; k < count; k++) value *= (count - k) % 3 == 2 ? 0.4 : 0.5; /* 1, 0.5, 0.2, 0.1 */
    return i % 2 ? value : -value;
}

static fender_status expression_check(const void *parameters, fender_error *error)
{
    const expression *p = parameters;
    if (p->force.count < 1 || p->rest.count < 1)
        return fnd_fail(error, FENDER_STATUS_VALUE, "force", "law 'expression' has no force", "nothing",
                        "an expression of depth, rate, slip, time, approach_speed", "write force: \"k * depth\"");
    const bool timed = reads(&p->force, FENDER_LAW_SLOT_TIME), slips = p->slips;
    const bool speeds = reads(&p->force, FENDER_LAW_SLOT_APPROACH_SPEED);
    if (timed && !p->supplied)
        return fnd_fail(error, FENDER_STATUS_VALUE, "force", "a force that depends on time may add energy", "time",
                        "'supplied: true', which counts its work as applied from outside",
                        "write 'supplied: true', or leave out time");
    for (int d = 0; d < DEPTHS; d++)
        for (int r = 0; r <= 2 * RATES; r++)
            for (int s = 0; s < (slips ? 4 : 1); s++)
                for (int v = 0; v < (speeds ? 3 : 1); v++)
                    for (int t = 0; t < (timed ? 2 : 1); t++) {
                        const trial at = {.depth = spread(d == 0 ? 0 : 2 * d - 1, DEPTHS - 1, p->depth_range),
                                          .rate = spread(r, RATES, p->speed_range),
                                          .slip = spread(s == 0 ? 0 : 2 * s - 1, 3, p->speed_range),
                                          .time = t,
                                          .speed = v == 0   ? p->speed_range
                                                   : v == 1 ? 0.1 * p->speed_range
                                                            : p->least_speed};
                        const fender_status status = try_at(p, &at, error);
                        if (status) return status;
                    }
    return FENDER_STATUS_OK;
}

const fender_law fnd_law_expression = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_NORMAL,
    .name = "expression",
    .doc =
        "N = max(F, 0) by an expression F under `force`, of depth, rate, slip, time, approach_speed and `constants`.",
    .parameters = FENDER_FIELD_TABLE("expression", expression_fields, expression),
    .memory_size = sizeof(expression_memory),
    .check = expression_check,
    .begin = expression_begin,
    .force = expression_force,
    .update = expression_update,
    .root_count = 1,
    .roots = expression_roots,
    .stored_energy = expression_energy,
    .stiffness = expression_stiffness,
};

/* ---- Law `friction_expression`
 *
 * f = -mu N s / sqrt(s^2 + s_0^2): against the slip for mu >= 0, so that it never drives. */

typedef fender_friction_expression_parameters friction_expression;

static const fender_field friction_expression_fields[] = {
    FND_REAL(friction_expression, slip_speed, "m/s", FND_POSITIVE, 1e-3,
             "Slip at which friction has 0.707 of its limit; below it friction falls linearly to zero."),
    FND_REAL(friction_expression, speed_range, "m/s", FND_POSITIVE, 10,
             "Slip, rate and approach speed up to which the coefficient is tried before a run."),
    FND_REAL(friction_expression, least_speed, "m/s", FND_POSITIVE, 1e-3, "Lower bound of approach_speed."),
};

fender_status fender_friction_expression_parameters_set(fender_friction_expression_parameters *parameters,
                                                        const fender_instruction *code, int count, fender_error *error)
{
    if (!parameters)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "parameters", "parameters are needed", "NULL", "", "");
    fender_expression coefficient;
    fender_status status = take(&coefficient, code, count, false, "coefficient", error);
    if (!status) parameters->coefficient = coefficient;
    return status;
}

/* Beyond what was tried it might be negative, which counts as 0. */
static double coefficient_at(const friction_expression *p, const fender_contact_input *in, fender_vec2 slip,
                             double load)
{
    const fender_expression *e = &p->coefficient;
    if (e->count == 1 && e->code[0].operation == FENDER_OP_NUMBER) return e->code[0].number;
    const double slots[FENDER_LAW_SLOT_COUNT] = {in->depth > 0 ? in->depth : 0,
                                                 in->depth_rate,
                                                 length(slip),
                                                 in->time,
                                                 at_least(in->approach_speed, p->least_speed),
                                                 load};
    const double mu = fender_expression_value(e->code, e->count, slots);
    return mu < 0 ? 0 : mu;
}

static void friction_expression_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                      fender_contact_output *out)
{
    const friction_expression *p = parameters;
    const double load = fnd_load(in);
    (void)memory;
    if (load == 0) return;
    fnd_coulomb_friction(coefficient_at(p, in, in->slip, load), p->slip_speed, load, in, out);
}

/* The slope at zero slip. */
static void friction_expression_stiffness(const void *parameters, const fender_contact_input *in,
                                          fender_law_stiffness *out)
{
    const friction_expression *p = parameters;
    const double load = fabs(in->normal_force);
    out->tangential_damping = load > 0 ? coefficient_at(p, in, (fender_vec2){0, 0}, load) * load / p->slip_speed : 0;
}

static fender_status friction_expression_check(const void *parameters, fender_error *error)
{
    const friction_expression *p = parameters;
    const fender_expression *e = &p->coefficient;
    if (e->count < 1)
        return fnd_fail(error, FENDER_STATUS_VALUE, "coefficient", "law 'friction_expression' has no coefficient",
                        "nothing", "an expression of slip, normal_force, depth, rate, time, approach_speed",
                        "write coefficient: \"0.3\"");
    for (int s = 0; s < DEPTHS; s++)
        for (int n = 0; n < (reads(e, FENDER_LAW_SLOT_NORMAL_FORCE) ? 10 : 1); n++)
            for (int r = 0; r < (reads(e, FENDER_LAW_SLOT_RATE) ? 5 : 1); r++)
                for (int k = 0; k < (reads(e, FENDER_LAW_SLOT_TIME) || reads(e, FENDER_LAW_SLOT_DEPTH) ? 2 : 1); k++) {
                    double force = 1e-3;
                    for (int i = 0; i < n; i++) force *= 10;
                    const double slip = spread(s == 0 ? 0 : 2 * s - 1, DEPTHS - 1, p->speed_range);
                    const double rate = spread(r, 2, p->speed_range);
                    const double slots[FENDER_LAW_SLOT_COUNT] = {k * 0.01, rate, slip, k, p->speed_range, force};
                    const double mu = fender_expression_value(e->code, e->count, slots);
                    char found[200];
                    if (isfinite(mu) && mu >= 0) continue;
                    snprintf(found, sizeof found, "%s at slip %s m/s, rate %s m/s, normal force %s N", told(mu).text,
                             told(slip).text, told(rate).text, told(force).text);
                    return fnd_fail(error, FENDER_STATUS_VALUE, "coefficient",
                                    isfinite(mu) ? "a negative coefficient would drive the slip"
                                                 : "the coefficient is not a finite number",
                                    found, "0 or more",
                                    isfinite(mu) ? "check the signs; max(x, 0) keeps it at 0"
                                                 : "is a root taken of a negative number, or a divisor 0?");
                }
    return FENDER_STATUS_OK;
}

const fender_law fnd_law_friction_expression = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "friction_expression",
    .doc =
        "f = mu N s / sqrt(s^2 + slip_speed^2) against the slip s, mu by an expression under `coefficient`; it creeps "
        "under load.",
    .parameters = FENDER_FIELD_TABLE("friction_expression", friction_expression_fields, friction_expression),
    .check = friction_expression_check,
    .force = friction_expression_force,
    .stiffness = friction_expression_stiffness,
};
