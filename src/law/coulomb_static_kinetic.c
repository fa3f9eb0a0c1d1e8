/* Law `coulomb_static_kinetic`: Coulomb friction that sticks by a spring and damper and slides by mu_k N. */
#include "base/error.h"
#include "law/derive.h"
#include "law/laws.h"

/* The stretch s of the bristle is a continuous state. Sticking, it follows the slip and gives -(kt s + ct v). Sliding,
 * it is held: its length is kept at mu_k N / kt at accepted states, trailing, and grows by no more than the way that
 * was slid, so that what it holds was paid for. The way since the last accepted state is a continuous state, too. */
typedef struct static_kinetic {
    double mu_static, mu_kinetic, stiffness, damping, stick_speed;
    int restick;
} static_kinetic;

typedef enum restick { RESTICK_CARRY, RESTICK_HERE } restick;
static const char *const restick_names[] = {"carry", "here", NULL};

static const fender_field static_kinetic_fields[] = {
    {"mu_static", "1", "Coefficient of static friction.", FENDER_FIELD_REAL, offsetof(static_kinetic, mu_static),
     FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
    {"mu_kinetic", "1", "Coefficient of kinetic friction, at most mu_static.", FENDER_FIELD_REAL,
     offsetof(static_kinetic, mu_kinetic), FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
    {"stiffness", "N/m", "Tangential spring constant while sticking.", FENDER_FIELD_REAL,
     offsetof(static_kinetic, stiffness), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"damping", "N*s/m", "Tangential damping constant while sticking; 1.4 sqrt(stiffness * mass) damps well.",
     FENDER_FIELD_REAL, offsetof(static_kinetic, damping), 0, 0, INFINITY, 0, NULL},
    {"stick_speed", "m/s", "Slip below which sliding ends.", FENDER_FIELD_REAL, offsetof(static_kinetic, stick_speed),
     FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 1e-4, NULL},
    {"restick", "1",
     "carry: sticking goes on with the spring at mu_kinetic N; here: it begins with the spring at rest.",
     FENDER_FIELD_ENUM, offsetof(static_kinetic, restick), 0, 0, 1, RESTICK_CARRY, restick_names},
};

/* NEW: just touched and beyond the limit; decided at the next accepted state, for at touch N is zero. SLOW: sliding
 * below stick_speed, or pulled back by the bristle as its limit falls; the force keeps the direction of breakaway. */
typedef enum phase { PHASE_NEW, PHASE_STATIC, PHASE_SLOW, PHASE_FAST } phase;
static const char *const mode_names[] = {"none", "static", "kinetic", NULL};

typedef struct memory {
    int phase, waited;
    fender_vec2 direction; /* of slip, when last accepted or at breakaway; unit */
    double speed;          /* when last accepted, while sliding */
} memory;

static double dot(fender_vec2 u, fender_vec2 v) { return u.x * v.x + u.y * v.y; }
static double length(fender_vec2 u) { return sqrt(u.x * u.x + u.y * u.y); }
static fender_vec2 scaled(double a, fender_vec2 u) { return (fender_vec2){a * u.x, a * u.y}; }
static fender_vec2 combined(double a, fender_vec2 u, double b, fender_vec2 v)
{
    return (fender_vec2){a * u.x + b * v.x, a * u.y + b * v.y};
}
static fender_vec2 stretch_of(const fender_contact_input *in) { return (fender_vec2){in->states[0], in->states[1]}; }
static double load_of(const fender_contact_input *in) { return in->normal_force > 0 ? in->normal_force : 0; }

/* What spring and damper would take. */
static fender_vec2 trial_of(const static_kinetic *p, const fender_contact_input *in)
{
    return combined(p->stiffness, stretch_of(in), p->damping, in->slip);
}

static double largest(double a, double b) { return a > b ? a : b; }

/* Positive while slip is slow, or goes back along the direction. */
static double slowness(const static_kinetic *p, fender_vec2 slip, fender_vec2 direction)
{
    return largest(-dot(slip, direction), p->stick_speed - length(slip));
}

/* A bristle at its limit gives the limit's force along `direction`; it does not stretch on, but may relax. The power
 * lost is not negative as long as the spring holds no less than the limit. */
static void give_limit(const static_kinetic *p, const fender_contact_input *in, double limit, fender_vec2 direction,
                       fender_contact_output *out)
{
    double forward = dot(in->slip, direction);
    out->force.x = -limit * direction.x;
    out->force.y = -limit * direction.y;
    double spring = forward < 0 ? p->stiffness * dot(stretch_of(in), direction) : 0;
    out->friction_power = (limit - spring) * forward;
}

static fender_vec2 relaxation(const fender_contact_input *in, fender_vec2 direction)
{
    double forward = dot(in->slip, direction);
    return scaled(forward < 0 ? forward : 0, direction);
}

/* Has the bristle relaxed to nothing within a step that does not end there? */
static bool empty(const fender_contact_input *in, const memory *m)
{
    return !in->located && dot(in->slip, m->direction) < 0 && dot(stretch_of(in), m->direction) <= 0;
}

/* Is the bristle held by the clip? Then *direction is that of its force. */
static bool clipped(const static_kinetic *p, const fender_contact_input *in, const memory *m, fender_vec2 *direction)
{
    if (in->located && m->phase == PHASE_STATIC) return false;
    fender_vec2 trial = trial_of(p, in);
    double size = length(trial);
    if (size <= p->mu_static * load_of(in)) return false;
    *direction = scaled(1.0 / size, trial);
    return true;
}

/* Direction of fast sliding. Located, the slip along the last direction is held at stick_speed beyond the root, so that
 * a step that goes on through zero slip stays smooth. */
static fender_vec2 sliding_direction(const static_kinetic *p, const fender_contact_input *in, const memory *m)
{
    fender_vec2 v = in->slip;
    double missing = p->stick_speed - dot(v, m->direction);
    if (in->located && missing > 0) v = combined(1, v, missing, m->direction);
    double speed = length(v);
    return speed > 0 ? scaled(1.0 / speed, v) : m->direction;
}

static void static_kinetic_force(const void *parameters, const fender_contact_input *in, const void *memory_bytes,
                                 fender_contact_output *out)
{
    const static_kinetic *p = parameters;
    const memory *m = memory_bytes;
    double sliding = p->mu_kinetic * load_of(in);
    fender_vec2 direction;
    out->mode = m->phase < PHASE_SLOW ? m->phase : 2;
    switch (m->phase) {
    case PHASE_SLOW: {
        double spring = p->stiffness * dot(stretch_of(in), m->direction);
        if (empty(in, m)) return;
        bool relaxing = !in->located && dot(in->slip, m->direction) < 0;
        give_limit(p, in, relaxing && spring < sliding ? spring : sliding, m->direction, out);
        return;
    }
    case PHASE_FAST:
        /* a step that does not end at the moment of rest goes through it: no force then, or it would go to and fro */
        if (!in->located && dot(in->slip, m->direction) < 0) return;
        direction = sliding_direction(p, in, m);
        out->force.x = -sliding * direction.x;
        out->force.y = -sliding * direction.y;
        out->friction_power = sliding * dot(in->slip, direction);
        return;
    default:
        if (clipped(p, in, m, &direction)) {
            give_limit(p, in, sliding, direction, out);
            return;
        }
        direction = trial_of(p, in);
        out->force.x = -direction.x;
        out->force.y = -direction.y;
        out->friction_power = p->damping * dot(in->slip, in->slip);
    }
}

/* At which the way of sliding grows. */
static double sliding_speed(const static_kinetic *p, const fender_contact_input *in, const memory *m)
{
    if (m->phase == PHASE_FAST) return dot(in->slip, sliding_direction(p, in, m));
    return m->phase == PHASE_SLOW ? largest(dot(in->slip, m->direction), 0) : 0;
}

static void static_kinetic_state_rates(const void *parameters, const fender_contact_input *in, const void *memory_bytes,
                                       double *rates)
{
    const static_kinetic *p = parameters;
    const memory *m = memory_bytes;
    fender_vec2 direction, rate = in->slip;
    rates[2] = sliding_speed(p, in, m);
    if (m->phase == PHASE_FAST) rate = (fender_vec2){0, 0};
    else if (m->phase == PHASE_SLOW) rate = scaled(empty(in, m) ? 0 : 1, relaxation(in, m->direction));
    else if (clipped(p, in, m, &direction)) rate = relaxation(in, direction);
    rates[0] = rate.x;
    rates[1] = rate.y;
}

/* Going back in slow sliding, the bristle relaxes at the limit's force while it holds more than the limit; when it
 * holds no more, it sticks. */
static double slow_end(const static_kinetic *p, const fender_contact_input *in, const memory *m)
{
    double spring = p->stiffness * dot(stretch_of(in), m->direction), limit = p->mu_kinetic * load_of(in);
    double forward = dot(in->slip, m->direction) / p->stick_speed;
    double excess = spring + limit > 0 ? (spring - limit) / (spring + limit) : 0;
    return largest(forward, excess);
}

static void static_kinetic_roots(const void *parameters, const fender_contact_input *in, const void *memory_bytes,
                                 double *root)
{
    const static_kinetic *p = parameters;
    const memory *m = memory_bytes;
    root[1] = 1;
    switch (m->phase) {
    case PHASE_FAST: root[0] = dot(in->slip, m->direction) - p->stick_speed; break;
    case PHASE_SLOW:
        root[0] = slowness(p, in->slip, m->direction);
        root[1] = slow_end(p, in, m);
        break;
    default: root[0] = p->mu_static * load_of(in) - length(trial_of(p, in));
    }
}

static const double rounding = 1e-12;

static void set_stretch(fender_contact_change *change, double size, fender_vec2 direction)
{
    change->states[0] = size * direction.x;
    change->states[1] = size * direction.y;
}

static double least(double a, double b) { return a < b ? a : b; }

/* Sliding begins or goes on along `direction`, the spring holding `size` at the most. */
static void slide(const static_kinetic *p, const fender_contact_input *in, double size, fender_vec2 direction,
                  memory *m, fender_contact_change *change)
{
    double forward = dot(in->slip, direction), limit = p->mu_kinetic * load_of(in) / p->stiffness;
    if (forward < 0 && size <= limit * (1 + rounding)) { /* nothing to relax by: against the slip */
        forward = length(in->slip);
        direction = scaled(1.0 / forward, in->slip);
    }
    if (!(slowness(p, in->slip, direction) > 0)) {
        m->phase = PHASE_FAST;
        m->speed = forward = length(in->slip);
        direction = scaled(1.0 / forward, in->slip);
    } else {
        m->phase = PHASE_SLOW;
    }
    m->direction = direction;
    if (forward >= 0 || limit == 0) size = least(size, limit); /* else it relaxes by going back */
    set_stretch(change, size, direction);
}

/* Sticks with the present stretch, or slides on when that is too much. */
static void stick(const static_kinetic *p, const fender_contact_input *in, memory *m, fender_contact_change *change)
{
    fender_vec2 s = {change->states[0], change->states[1]};
    fender_vec2 trial = combined(p->stiffness, s, p->damping, in->slip);
    double size = length(trial), limit = p->mu_static * load_of(in);
    bool turned = m->phase == PHASE_SLOW; /* the limit itself holds when slip turns back at it */
    /* what reaches its limit to within rounding slips with what has reached it: legs that mirror each other do so at
     * once */
    bool held = m->phase == PHASE_STATIC ? size < limit * (1 - rounding) : size < limit;
    if (held || size == 0 || (turned && size <= limit * (1 + rounding))) {
        *m = (memory){.phase = PHASE_STATIC};
    } else if (m->phase == PHASE_NEW && !m->waited && in->located) {
        m->waited = 1;
    } else {
        slide(p, in, least(length(s), limit / p->stiffness), scaled(1.0 / size, trial), m, change);
    }
}

/* Steps that do not end at events may pass the moment of least slip: did it come below stick_speed on the way? */
static bool passed_rest(const static_kinetic *p, const fender_contact_input *in, const memory *m)
{
    fender_vec2 before = scaled(m->speed, m->direction), way = combined(1, in->slip, -1, before);
    double square = dot(way, way), at = square > 0 ? -dot(before, way) / square : 0;
    if (!(at > 0) || !(at < 1)) return false;
    return length(combined(1, before, at, way)) < p->stick_speed;
}

static void static_kinetic_update(const void *parameters, const fender_contact_input *in,
                                  const fender_contact_output *out, void *memory_bytes, fender_contact_change *change)
{
    const static_kinetic *p = parameters;
    memory *m = memory_bytes;
    (void)out;
    if (m->phase < PHASE_SLOW) {
        stick(p, in, m, change);
        return;
    }
    double limit = p->mu_kinetic * load_of(in) / p->stiffness;
    double size = m->phase == PHASE_SLOW ? largest(dot(stretch_of(in), m->direction), 0) : length(stretch_of(in));
    double speed = length(in->slip), forward = dot(in->slip, m->direction);
    bool held = m->phase == PHASE_SLOW && !(forward > 0);
    if (!held) size = least(size + in->states[2], limit);
    change->states[2] = 0;
    bool stops = m->phase == PHASE_FAST ? speed <= p->stick_speed || (!in->located && passed_rest(p, in, m))
                                        : held && size <= limit * (1 + rounding);
    if (!stops) {
        slide(p, in, size, m->direction, m, change);
        return;
    }
    set_stretch(change, p->restick == RESTICK_HERE ? 0 : size,
                m->phase == PHASE_FAST && forward > 0 ? scaled(1.0 / speed, in->slip) : m->direction);
    stick(p, in, m, change);
}

static double static_kinetic_energy(const void *parameters, const fender_contact_input *in, const void *memory_bytes)
{
    const static_kinetic *p = parameters;
    (void)memory_bytes;
    return 0.5 * p->stiffness * dot(stretch_of(in), stretch_of(in));
}

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
    if (p->mu_kinetic <= p->mu_static) return FENDER_STATUS_OK;
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "mu_kinetic", "mu_kinetic is above mu_static",
                                       fnd_number(p->mu_kinetic).text, "mu_static or less", ""});
}

static double damping_of_ratio(const void *parameters, const fender_intent *intent)
{
    const static_kinetic *p = parameters;
    return fender_damping_of_ratio(intent->ratio, intent->mass, p->stiffness);
}

static const fender_derivation static_kinetic_derivations[] = {
    {"stiffness", "sink weight", "k = weight / sink, sink the stretch under that load", fnd_derive_sink},
    {"damping", "ratio mass", "c = 2 ratio sqrt(mass k)", damping_of_ratio},
    {NULL, NULL, NULL, NULL}};

static fender_vec2 static_kinetic_stretch(const void *parameters, const fender_contact_input *in,
                                          const void *memory_bytes)
{
    (void)parameters, (void)memory_bytes;
    return stretch_of(in);
}

const fender_law fnd_law_coulomb_static_kinetic = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "coulomb_static_kinetic",
    .doc = "Coulomb friction that sticks: a spring and damper up to mu_static N, then mu_kinetic N against the slip "
           "until it falls below stick_speed.",
    .parameters = FENDER_FIELD_TABLE("coulomb_static_kinetic", static_kinetic_fields, static_kinetic),
    .memory_size = sizeof(memory),
    .mode_names = mode_names,
    .check = static_kinetic_check,
    .force = static_kinetic_force,
    .update = static_kinetic_update,
    .stored_energy = static_kinetic_energy,
    .root_count = 2,
    .roots = static_kinetic_roots,
    .stiffness = static_kinetic_stiffness,
    .derivations = static_kinetic_derivations,
    .state_count = 3,
    .state_rates = static_kinetic_state_rates,
    .stretch = static_kinetic_stretch,
};
