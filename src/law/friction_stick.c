/* The state machine of sticking and sliding, and its law coulomb_static_kinetic. */
#include "law/friction_stick.h"

#include <assert.h>
#include <math.h>

#include "law/derive.h"
#include "law/friction_smooth.h"
#include "law/laws.h"
#include "law/parts.h"

/* ---- The state machine
 *
 *     static    f = -(kt s + ct v), s' = v      until |f| reaches mu_static N
 *     kinetic   f = -mu_kinetic N v / |v|       until |v| falls below stick_speed
 *
 * Coulomb's friction with a spring in the place of rigid stiction (of sliding: Cundall and Strack 1979; of rolling: Ai,
 * Chen, Rotter and Ooi 2011, model C). The modes and how they follow each other are argued in
 * docs/models/contact_laws.md. */

/* The stretch s of the bristle is a continuous state. While sticking, it follows the slip and gives -(kt s + ct v).
 * While sliding, its length is set to mu_k N / kt at accepted states, opposite to the motion, and grows by no more than
 * the sliding distance, so that its energy has been supplied. The distance since the last accepted state is also a
 * continuous state. */
/* NEW: just touched; decided there, by the first forces. To wait for the end of a step would let its length decide.
 * SLOW: sliding below stick_speed, or pulled back by the bristle as its limit decreases; the force keeps the direction
 * of breakaway. */
typedef enum phase { PHASE_NEW, PHASE_STATIC, PHASE_SLOW, PHASE_FAST } phase;
const char *const fnd_stick_slip_modes[] = {"none", "static", "kinetic", NULL};

static const double rounding = FND_STICK_SLIP_ROUNDING;

static fender_vec2 stretch_of(const fnd_stick_slip_input *in) { return (fender_vec2){in->states[0], in->states[1]}; }

/* Force of spring and damper. */
static fender_vec2 trial_of(const fnd_stick_slip *p, const fnd_stick_slip_input *in)
{
    return combined(p->stiffness, stretch_of(in), p->damping, in->rate);
}

static double largest(double a, double b) { return a > b ? a : b; }

/* Positive while slip is slow, or goes back along the direction. */
static double slowness(const fnd_stick_slip *p, fender_vec2 slip, fender_vec2 direction)
{
    return largest(-dot(slip, direction), p->stick_speed - length(slip));
}

/* A bristle at its limit has the limit force along `direction`. It does not stretch further, but may relax. The lost
 * power is not negative as long as the spring force is at least the limit. */
static void give_limit(const fnd_stick_slip *p, const fnd_stick_slip_input *in, double limit, fender_vec2 direction,
                       fnd_stick_slip_output *out)
{
    double forward = dot(in->rate, direction);
    out->force.x = -limit * direction.x;
    out->force.y = -limit * direction.y;
    double spring = forward < 0 ? p->stiffness * dot(stretch_of(in), direction) : 0;
    out->power = (limit - spring) * forward;
}

static fender_vec2 relaxation(const fnd_stick_slip_input *in, fender_vec2 direction)
{
    double forward = dot(in->rate, direction);
    return scaled(forward < 0 ? forward : 0, direction);
}

/* True if the bristle has relaxed completely within a step that does not end at that time. */
static bool empty(const fnd_stick_slip_input *in, const fnd_stick_slip_memory *m)
{
    return !in->located && dot(in->rate, m->direction) < 0 && dot(stretch_of(in), m->direction) <= 0;
}

/* True if the bristle force is clipped; *direction is then the direction of that force. */
static bool clipped(const fnd_stick_slip *p, const fnd_stick_slip_input *in, const fnd_stick_slip_memory *m,
                    fender_vec2 *direction)
{
    if (in->located && m->phase == PHASE_STATIC) return false;
    fender_vec2 trial = trial_of(p, in);
    double size = length(trial);
    if (size <= p->mu_static * in->load) return false;
    *direction = scaled(1.0 / size, trial);
    return true;
}

/* Direction of fast sliding. With located events, the slip along the last direction is bounded below by stick_speed
 * beyond the root, so that a step through zero slip stays smooth. */
static fender_vec2 sliding_direction(const fnd_stick_slip *p, const fnd_stick_slip_input *in,
                                     const fnd_stick_slip_memory *m)
{
    fender_vec2 v = in->rate;
    double missing = p->stick_speed - dot(v, m->direction);
    if (in->located && missing > 0) v = combined(1, v, missing, m->direction);
    double speed = length(v);
    return speed > 0 ? scaled(1.0 / speed, v) : m->direction;
}

/* Force, power and mode of the phase. SLOW and FAST differ only in direction: SLOW has that of breakaway, because the
 * direction of slip is meaningless below stick_speed; FAST has that of the slip. */
static void give_force(const fnd_stick_slip *p, const fnd_stick_slip_input *in, const fnd_stick_slip_memory *m,
                       fnd_stick_slip_output *out)
{
    double sliding = p->mu_kinetic * in->load;
    fender_vec2 direction;
    out->mode = fnd_stick_slip_mode(m);
    switch (m->phase) {
    case PHASE_SLOW: {
        double spring = p->stiffness * dot(stretch_of(in), m->direction);
        if (empty(in, m)) return;
        bool relaxing = !in->located && dot(in->rate, m->direction) < 0;
        give_limit(p, in, relaxing && spring < sliding ? spring : sliding, m->direction, out);
        return;
    }
    case PHASE_FAST:
        /* a step that does not end at rest passes through it: no force then, because it would oscillate */
        if (!in->located && dot(in->rate, m->direction) < 0) return;
        direction = sliding_direction(p, in, m);
        out->force.x = -sliding * direction.x;
        out->force.y = -sliding * direction.y;
        out->power = sliding * dot(in->rate, direction);
        return;
    default:
        if (clipped(p, in, m, &direction)) {
            give_limit(p, in, sliding, direction, out);
            return;
        }
        direction = trial_of(p, in);
        out->force.x = -direction.x;
        out->force.y = -direction.y;
        out->power = p->damping * dot(in->rate, in->rate);
    }
}

/* At which the way of sliding grows. */
static double sliding_speed(const fnd_stick_slip *p, const fnd_stick_slip_input *in, const fnd_stick_slip_memory *m)
{
    if (m->phase == PHASE_FAST) return dot(in->rate, sliding_direction(p, in, m));
    return m->phase == PHASE_SLOW ? largest(dot(in->rate, m->direction), 0) : 0;
}

fnd_stick_slip_output fnd_stick_slip_force(const fnd_stick_slip *p, const fnd_stick_slip_input *in,
                                           const fnd_stick_slip_memory *m)
{
    assert(p && in->states && m);
    fnd_stick_slip_output out = {{0, 0}, 0, 0};
    give_force(p, in, m, &out);
    return out;
}

/* Sticking, the bristle follows the rate; sliding fast it is held; clipped or slow it may relax. The third state is the
 * way slid, which limits how far the bristle may be loaded at the next accepted state. */
void fnd_stick_slip_rates(const fnd_stick_slip *p, const fnd_stick_slip_input *in, const fnd_stick_slip_memory *m,
                          double *rates)
{
    assert(p && m && rates);
    fender_vec2 direction, rate = in->rate;
    rates[2] = sliding_speed(p, in, m);
    if (m->phase == PHASE_FAST) rate = (fender_vec2){0, 0};
    else if (m->phase == PHASE_SLOW) rate = scaled(empty(in, m) ? 0 : 1, relaxation(in, m->direction));
    else if (clipped(p, in, m, &direction)) rate = relaxation(in, direction);
    rates[0] = rate.x;
    rates[1] = rate.y;
}

/* Going back in slow sliding, the bristle relaxes at the limit's force while it holds more than the limit; when it
 * holds no more, it sticks. */
static double slow_end(const fnd_stick_slip *p, const fnd_stick_slip_input *in, const fnd_stick_slip_memory *m)
{
    double spring = p->stiffness * dot(stretch_of(in), m->direction), limit = p->mu_kinetic * in->load;
    double forward = dot(in->rate, m->direction) / (p->stick_speed > 0 ? p->stick_speed : FENDER_STICK_SPEED_FLOOR);
    double excess = spring + limit > 0 ? (spring - limit) / (spring + limit) : 0;
    return largest(forward, excess);
}

/* Roots that end a phase: sliding below stick_speed; slow sliding that has become fast or has reversed; sticking at the
 * limit. */
void fnd_stick_slip_roots(const fnd_stick_slip *p, const fnd_stick_slip_input *in, const fnd_stick_slip_memory *m,
                          double *root)
{
    assert(p && m && root);
    root[1] = 1;
    switch (m->phase) {
    case PHASE_FAST: root[0] = dot(in->rate, m->direction) - p->stick_speed; break;
    case PHASE_SLOW:
        root[0] = slowness(p, in->rate, m->direction);
        root[1] = slow_end(p, in, m);
        break;
    default: root[0] = p->mu_static * in->load - length(trial_of(p, in));
    }
    if (in->load > 0) return;
    for (int i = 0; i < FND_STICK_SLIP_ROOTS; i++) /* no force bends where an unloaded contact turns back */
        if (!(root[i] > 0)) root[i] = 1;
}

static void set_stretch(fender_contact_change *change, double size, fender_vec2 direction)
{
    assert(change->states);
    change->states[0] = size * direction.x;
    change->states[1] = size * direction.y;
}

static double least(double a, double b) { return a < b ? a : b; }

/* Sliding begins or continues along `direction`; the spring force is at most `size`. */
static void slide(const fnd_stick_slip *p, const fnd_stick_slip_input *in, double size, fender_vec2 direction,
                  fnd_stick_slip_memory *m, fender_contact_change *change)
{
    double forward = dot(in->rate, direction), limit = p->mu_kinetic * in->load / p->stiffness;
    if (forward < 0 && size <= limit * (1 + rounding)) { /* nothing to relax by: against the slip */
        forward = length(in->rate);
        direction = scaled(1.0 / forward, in->rate);
    }
    if (!(slowness(p, in->rate, direction) > 0)) {
        m->phase = PHASE_FAST;
        m->speed = forward = length(in->rate);
        direction = scaled(1.0 / forward, in->rate);
    } else {
        m->phase = PHASE_SLOW;
    }
    m->direction = direction;
    if (forward >= 0 || limit == 0) size = least(size, limit); /* else it relaxes by going back */
    set_stretch(change, size, direction);
}

/* Slip that turns back at the limit may still go across the bristle: damper and spring together then take more than the
 * limit, although nothing slides along it. The spring gives up what is too much, and it sticks; to slide on along a
 * direction that follows the slip would be to turn with it forever. False: the damper alone takes more. */
static bool trim(const fnd_stick_slip *p, const fnd_stick_slip_input *in, double limit, fender_vec2 s,
                 fender_contact_change *change)
{
    double size = length(s);
    if (size == 0) return false;
    fender_vec2 direction = scaled(1.0 / size, s);
    double back = -p->damping * dot(in->rate, direction);
    double across = p->damping * length(combined(1, in->rate, -dot(in->rate, direction), direction));
    if (back < 0 || across >= limit) return false;
    double most = (back + sqrt((limit - across) * (limit + across))) * (1 - rounding) / p->stiffness;
    if (most > size) return false; /* the damper exceeds the limit, in the other direction */
    set_stretch(change, most, direction);
    return true;
}

/* Sticks with the present stretch, or continues to slide if that is too large. */
static void stick(const fnd_stick_slip *p, const fnd_stick_slip_input *in, fnd_stick_slip_memory *m,
                  fender_contact_change *change)
{
    fender_vec2 s = {change->states[0], change->states[1]};
    fender_vec2 trial = combined(p->stiffness, s, p->damping, in->rate);
    double size = length(trial), limit = p->mu_static * in->load;
    bool turned = m->phase == PHASE_SLOW; /* the limit itself holds when slip turns back at it */
    /* a contact at its limit to within rounding slips together with one that has reached it: symmetric legs slip
     * simultaneously */
    bool held = m->phase == PHASE_STATIC ? size < limit * (1 - rounding) : size < limit;
    if (held || size == 0 || (turned && (size <= limit * (1 + rounding) || trim(p, in, limit, s, change)))) {
        *m = (fnd_stick_slip_memory){.phase = PHASE_STATIC};
    } else {
        slide(p, in, least(length(s), limit / p->stiffness), scaled(1.0 / size, trial), m, change);
    }
}

/* Steps that do not end at events may pass the minimum of the slip: true if it fell below stick_speed. */
static bool passed_rest(const fnd_stick_slip *p, const fnd_stick_slip_input *in, const fnd_stick_slip_memory *m)
{
    fender_vec2 before = scaled(m->speed, m->direction), way = combined(1, in->rate, -1, before);
    double square = dot(way, way), at = square > 0 ? -dot(before, way) / square : 0;
    if (!(at > 0) || !(at < 1)) return false;
    return length(combined(1, before, at, way)) < p->stick_speed;
}

void fnd_stick_slip_update(const fnd_stick_slip *p, const fnd_stick_slip_input *in, fnd_stick_slip_memory *m,
                           fender_contact_change *change)
{
    assert(change && change->states);
    if (m->phase < PHASE_SLOW) {
        stick(p, in, m, change);
        return;
    }
    double limit = p->mu_kinetic * in->load / p->stiffness;
    double size = m->phase == PHASE_SLOW ? largest(dot(stretch_of(in), m->direction), 0) : length(stretch_of(in));
    double speed = length(in->rate), forward = dot(in->rate, m->direction);
    bool held = m->phase == PHASE_SLOW && !(forward > 0);
    if (!held) size = least(size + in->states[2], limit);
    change->states[2] = 0;
    bool stops = m->phase == PHASE_FAST ? speed <= p->stick_speed || (!in->located && passed_rest(p, in, m))
                                        : held && size <= limit * (1 + rounding);
    if (!stops) {
        slide(p, in, size, m->direction, m, change);
        return;
    }
    set_stretch(change, p->restick == FND_RESTICK_HERE ? 0 : size,
                m->phase == PHASE_FAST && forward > 0 ? scaled(1.0 / speed, in->rate) : m->direction);
    stick(p, in, m, change);
}

bool fnd_stick_slip_rests(const fnd_stick_slip *p, const fnd_stick_slip_input *in, const fnd_stick_slip_memory *m)
{
    assert(p && in->states && m);
    if (m->phase != PHASE_STATIC || m->direction.x != 0 || m->direction.y != 0 || m->speed != 0) return false;
    const double size = length(trial_of(p, in)), limit = p->mu_static * in->load;
    return size < limit * (1 - rounding) || size == 0; /* as in `stick` */
}

/* While it slides, too: there the stretch is held, and what it gives up at accepted states is booked as friction. */
double fnd_stick_slip_energy(const fnd_stick_slip *p, const fnd_stick_slip_input *in)
{
    return 0.5 * p->stiffness * dot(stretch_of(in), stretch_of(in));
}

/* ---- Law `coulomb_static_kinetic`: Coulomb friction that sticks by a spring and damper and slides by mu_kinetic N
 * (M006 to M014) */

typedef fnd_stick_slip static_kinetic;

static const char *const restick_names[] = {"carry", "here", NULL};

static const fender_field static_kinetic_fields[] = {
    FND_REAL(static_kinetic, mu_static, "1", FND_REQUIRED, 0, "Coefficient of static friction."),
    FND_REAL(static_kinetic, mu_kinetic, "1", FND_REQUIRED, 0, "Coefficient of kinetic friction, at most mu_static."),
    FND_REAL(static_kinetic, stiffness, "N/m", FND_REQUIRED | FND_POSITIVE, 0,
             "Tangential spring constant while sticking."),
    FND_REAL(static_kinetic, damping, "N*s/m", 0, 0,
             "Tangential damping constant while sticking; 1.4 sqrt(stiffness * mass) damps well."),
    FND_REAL(static_kinetic, stick_speed, "m/s", 0, 0,
             "Slip below which sliding ends; 0: twice what the step can end, 0.1 mm/s at least."),
    FND_CHOICE(static_kinetic, "restick", restick, 1, FND_RESTICK_CARRY, restick_names,
               "carry: the spring keeps its force mu_kinetic N; here: the spring begins unloaded."),
};

static fnd_stick_slip static_kinetic_numbers(const void *parameters) { return *(const static_kinetic *)parameters; }

static fnd_stick_slip_input sliding_of(const fender_contact_input *in)
{
    return (fnd_stick_slip_input){in->slip, fnd_load(in), in->states, in->located};
}

FND_STICK_SLIP_FUNCTIONS(static_kinetic, static_kinetic_numbers, sliding_of)

static void static_kinetic_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                 fender_contact_output *out)
{
    fnd_stick_slip_input sliding = sliding_of(in);
    fnd_stick_slip_output result = fnd_stick_slip_force(parameters, &sliding, memory);
    out->force.x = result.force.x;
    out->force.y = result.force.y;
    out->friction_power = result.power;
    out->mode = result.mode;
}

/* Of sticking, the stiffer of the two modes. */
static void static_kinetic_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const static_kinetic *p = parameters;
    (void)in;
    out->tangential_stiffness = p->stiffness;
    out->tangential_damping = p->damping;
}

static fender_status static_kinetic_check(const void *parameters, fender_error *error)
{
    const static_kinetic *p = parameters;
    return fnd_check_coefficients(p->mu_static, p->mu_kinetic, error);
}

static double static_kinetic_ratio(const void *parameters, const fender_sizing_spec *spec)
{
    const static_kinetic *p = parameters;
    return fender_damping_of_ratio(spec->ratio, spec->mass, p->stiffness);
}

static const fender_derivation static_kinetic_derivations[] = {
    {"stiffness", "sink weight", "k = weight / sink, sink the stretch under that load", fnd_derive_sink},
    {"damping", "ratio mass", "c = 2 ratio sqrt(mass k)", static_kinetic_ratio},
    FND_END_OF_DERIVATIONS};

const fender_law fnd_law_coulomb_static_kinetic = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "coulomb_static_kinetic",
    .doc = "Coulomb friction with sticking: a spring and damper up to mu_static N, then mu_kinetic N against the slip "
           "until the slip falls below stick_speed.",
    .parameters = FENDER_FIELD_TABLE("coulomb_static_kinetic", static_kinetic_fields, static_kinetic),
    .memory_size = sizeof(fnd_stick_slip_memory),
    .mode_names = fnd_stick_slip_modes,
    .check = static_kinetic_check,
    .force = static_kinetic_force,
    .update = static_kinetic_update,
    .stored_energy = static_kinetic_energy,
    .root_count = FND_STICK_SLIP_ROOTS,
    .roots = static_kinetic_roots,
    .stiffness = static_kinetic_stiffness,
    .derivations = static_kinetic_derivations,
    .state_count = FND_STICK_SLIP_STATES,
    .state_rates = static_kinetic_rates,
    .stretch = fnd_state_stretch,
};
