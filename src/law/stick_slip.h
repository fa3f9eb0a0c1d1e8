/* Friction that sticks by a spring and damper and slides at a limit in proportion to the load: the state machine that
 * laws of sliding, rolling and twisting share. What is a force here is a torque for the last two, a rate an angular
 * velocity, a coefficient an arm [m]. */
#ifndef FND_LAW_STICK_SLIP_H
#define FND_LAW_STICK_SLIP_H

#include <fender/law.h>

typedef enum fnd_restick { FND_RESTICK_CARRY, FND_RESTICK_HERE } fnd_restick;
extern const char *const fnd_restick_names[];
extern const char *const fnd_stick_slip_modes[];

typedef struct fnd_stick_slip {
    double mu_static, mu_kinetic, stiffness, damping, stick_speed;
    int restick;
} fnd_stick_slip;

enum { FND_STICK_SLIP_STATES = 3, FND_STICK_SLIP_ROOTS = 2 };

typedef struct fnd_stick_slip_memory {
    int phase, waited;
    fender_vec2 direction; /* of slip, when last accepted or at breakaway; unit */
    double speed;          /* when last accepted, while sliding */
} fnd_stick_slip_memory;

typedef struct fnd_stick_slip_input {
    fender_vec2 rate;
    double load; /* N, >= 0 */
    const double *states;
    bool located;
} fnd_stick_slip_input;

/* Of a law of sliding; of one of rolling, against the spin along x and y; of one of twisting, against that about z. */
fnd_stick_slip_input fnd_stick_slip_sliding(const fender_contact_input *in);
fnd_stick_slip_input fnd_stick_slip_rolling(const fender_contact_input *in);
fnd_stick_slip_input fnd_stick_slip_twisting(const fender_contact_input *in);

typedef struct fnd_stick_slip_output {
    fender_vec2 force;
    double power; /* W lost */
    int mode;
} fnd_stick_slip_output;

fnd_stick_slip_output fnd_stick_slip_force(const fnd_stick_slip *p, const fnd_stick_slip_input *in,
                                           const fnd_stick_slip_memory *m);
void fnd_stick_slip_rates(const fnd_stick_slip *p, const fnd_stick_slip_input *in, const fnd_stick_slip_memory *m,
                          double *rates);
void fnd_stick_slip_roots(const fnd_stick_slip *p, const fnd_stick_slip_input *in, const fnd_stick_slip_memory *m,
                          double *root);
void fnd_stick_slip_update(const fnd_stick_slip *p, const fnd_stick_slip_input *in, fnd_stick_slip_memory *m,
                           fender_contact_change *change);
double fnd_stick_slip_energy(const fnd_stick_slip *p, const fnd_stick_slip_input *in);

#endif
