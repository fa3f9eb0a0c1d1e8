/* Friction that sticks by a spring and damper and slides at a limit in proportion to the load: the state machine that
 * laws of sliding, rolling and twisting share. What is a force here is a torque for the last two, a rate an angular
 * velocity, a coefficient an arm [m]. */
#ifndef FND_LAW_FRICTION_STICK_H
#define FND_LAW_FRICTION_STICK_H

#include <fender/law.h>

typedef enum fnd_restick { FND_RESTICK_CARRY, FND_RESTICK_HERE } fnd_restick;
extern const char *const fnd_stick_slip_modes[];

typedef struct fnd_stick_slip {
    double mu_static, mu_kinetic, stiffness, damping, stick_speed;
    int restick;
} fnd_stick_slip;

enum { FND_STICK_SLIP_STATES = 3, FND_STICK_SLIP_ROOTS = 2 };

typedef struct fnd_stick_slip_memory {
    int phase, none;       /* none: 0, for the memory of laws is compared byte by byte */
    fender_vec2 direction; /* of slip, when last accepted or at breakaway; unit */
    double speed;          /* when last accepted, while sliding */
} fnd_stick_slip_memory;

typedef struct fnd_stick_slip_input {
    fender_vec2 rate;
    double load; /* N, >= 0 */
    const double *states;
    bool located;
} fnd_stick_slip_input;

typedef struct fnd_stick_slip_output {
    fender_vec2 force;
    double power; /* W lost */
    int mode;
} fnd_stick_slip_output;

#define FND_STICK_SLIP_ROUNDING 1e-12 /* of the limit: nearer to it, friction is at its limit */

/* The mode that a memory has: 0 undecided, 1 static, 2 kinetic. */
static inline int fnd_stick_slip_mode(const fnd_stick_slip_memory *m) { return m->phase < 2 ? m->phase : 2; }
fnd_stick_slip_output fnd_stick_slip_force(const fnd_stick_slip *p, const fnd_stick_slip_input *in,
                                           const fnd_stick_slip_memory *m);
void fnd_stick_slip_rates(const fnd_stick_slip *p, const fnd_stick_slip_input *in, const fnd_stick_slip_memory *m,
                          double *rates);
void fnd_stick_slip_roots(const fnd_stick_slip *p, const fnd_stick_slip_input *in, const fnd_stick_slip_memory *m,
                          double *root);
void fnd_stick_slip_update(const fnd_stick_slip *p, const fnd_stick_slip_input *in, fnd_stick_slip_memory *m,
                           fender_contact_change *change);
/* True if an update at these states changes nothing: it sticks and goes on sticking. */
bool fnd_stick_slip_rests(const fnd_stick_slip *p, const fnd_stick_slip_input *in, const fnd_stick_slip_memory *m);
double fnd_stick_slip_energy(const fnd_stick_slip *p, const fnd_stick_slip_input *in);

/* The functions of a law that are the same for all three but for what moves: law_rates, law_roots, law_update and
 * law_energy, where numbers(parameters) gives the fnd_stick_slip of its parameters and motion(in) its
 * fnd_stick_slip_input. Its force is its own. */
#define FND_STICK_SLIP_FUNCTIONS(law, numbers, motion)                                                                 \
    static void law##_rates(const void *parameters, const fender_contact_input *in, const void *memory, double *rates) \
    {                                                                                                                  \
        const fnd_stick_slip own = numbers(parameters);                                                                \
        const fnd_stick_slip_input moving = motion(in);                                                                \
        fnd_stick_slip_rates(&own, &moving, memory, rates);                                                            \
    }                                                                                                                  \
    static void law##_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)  \
    {                                                                                                                  \
        const fnd_stick_slip own = numbers(parameters);                                                                \
        const fnd_stick_slip_input moving = motion(in);                                                                \
        fnd_stick_slip_roots(&own, &moving, memory, root);                                                             \
    }                                                                                                                  \
    static void law##_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out, \
                             void *memory, fender_contact_change *change)                                              \
    {                                                                                                                  \
        const fnd_stick_slip own = numbers(parameters);                                                                \
        const fnd_stick_slip_input moving = motion(in);                                                                \
        (void)out;                                                                                                     \
        fnd_stick_slip_update(&own, &moving, memory, change);                                                          \
    }                                                                                                                  \
    static double law##_energy(const void *parameters, const fender_contact_input *in, const void *memory)             \
    {                                                                                                                  \
        const fnd_stick_slip own = numbers(parameters);                                                                \
        const fnd_stick_slip_input moving = motion(in);                                                                \
        (void)memory;                                                                                                  \
        return fnd_stick_slip_energy(&own, &moving);                                                                   \
    }

#endif
