/* Loads: forces and torques on bodies from signals, commands, motion, thrusters and wheels. */
#ifndef FND_DYNAMICS_LOAD_H
#define FND_DYNAMICS_LOAD_H

#include "body/body.h"
#include "integrate/ode.h"

/* Evaluations of a world, see dynamics.h. */
enum { FND_LOAD_VALUES = FND_STAGE_CAPACITY + 3, FND_NO_TANK = -1, FND_TANK_GONE = -2 };

/* What a load does at a state. */
typedef struct fnd_load_value {
    fender_vec3 force, torque;     /* on the body, torque about its point; W */
    fender_vec3 velocity, turning; /* m/s, rad/s; of the point and the body, W */
    fender_vec3 lever;             /* m, W; from the root's centre to the point */
    double power;                  /* W; of both on the body */
    double damping_power;          /* W */
    double applied_power;          /* W; what the source gives: to the body, and to a wheel */
    double stored_energy;          /* J; of a spring */
    fender_vec3 momentum, rate;    /* N m s, W; of a wheel, and how it changes in the axes of the world */
    double wheel_energy;           /* J */
    double level;                  /* of a thruster */
    double wheel_momentum, wheel_speed, motor_torque;
} fnd_load_value;

/* What the present and the future of a load follow from, beside the state of its body. Levels and momenta are those at
 * the time `since`; what they are later has a closed form. */
typedef struct fnd_load_memory {
    bool commanded[2]; /* force, torque */
    fender_vec3 command[2];
    double since;    /* s */
    double throttle; /* commanded */
    double target;   /* of the level, until closing_time */
    double level;
    double lit_time;           /* s; when the target rose above 0 */
    double closing_time;       /* s; when a command to 0 that waits takes effect; INFINITY: none */
    double propellant;         /* kg; used so far */
    double momentum;           /* N m s */
    double motor_torque;       /* N m; commanded */
    double work, damping_loss; /* J */
} fnd_load_memory;

typedef struct fnd_load {
    char *name; /* NULL: destroyed; the slot is free */
    uint16_t generation;
    void *user_data;
    fender_load_def def;
    double *times[2]; /* of force, of torque */
    fender_vec3 *values[2];
    fender_expression *formulas[2];   /* three each; NULL: none */
    fender_load_reading *readings[2]; /* of the formulas */
    int body;
    int tank;             /* FND_NO_TANK, FND_TANK_GONE or a body */
    bool active, leaving; /* leaving: it was active before its body was being destroyed */
    fnd_load_memory memory;
    fnd_load_memory backup;             /* of the accepted state, while a step is tried whose masses flow */
    fnd_load_memory shown;              /* the same while a time within a step is shown */
    fnd_load_value start;               /* at the accepted state before a host's commit */
    fnd_load_value at[FND_LOAD_VALUES]; /* by slot of the evaluation */
} fnd_load;

static inline bool fnd_load_is_wheel(const fnd_load *load)
{
    return load->name && load->def.kind == FENDER_LOAD_REACTION_WHEEL;
}

/* What formulas of a load read of other bodies, by signal. */
typedef struct fnd_load_readings {
    double of[2][FENDER_LOAD_READING_CAPACITY];
} fnd_load_readings;

/* Value of a signal at a time, of the smooth piece that begins at or before `piece` (NaN: the signal as a
 * whole). `slots` of formulas, by fender_load_slot, then what they read. */
fender_vec3 fnd_signal_value(const fender_signal *signal, double time, double piece, const double *slots);

/* A quantity of a frame at this place (of a body, in its structure frame) whose root has this frame. */
double fnd_load_read(const fender_load_reading *reading, const fnd_body *body, const fender_pose *place,
                     const fnd_frame *frame);
/* What a load on a body whose root has this frame does. `tank`: the body, NULL for none. `read`: NULL if its formulas
 * read nothing. `turning` [rad/s, W]: of the frame in inertial space. */
void fnd_load_evaluate(const fnd_load *load, const fnd_body *body, const fnd_body *tank, const fnd_load_readings *read,
                       const fnd_frame *frame, double time, double piece, fender_vec3 turning, fnd_load_value *value,
                       fender_vec3 *lever);
/* The axis of a wheel in body axes of the root. */
fender_vec3 fnd_load_axis(const fnd_load *load, const fnd_body *body);

/* Sets the memory of a new load. */
void fnd_load_start(fnd_load *load, double time);
/* Makes `time` the time from which the closed forms are reckoned; before a change of a command. */
void fnd_load_rebase(fnd_load *load, double time);
/* After a rebase: a new throttle, and a load switched on or off. */
void fnd_load_throttle(fnd_load *load, double throttle, double time);
void fnd_load_switch(fnd_load *load, bool active, double time);
/* Momentum of a wheel, and level of a thruster. */
double fnd_load_momentum(const fnd_load *load, double time, double piece);
double fnd_load_level(const fnd_load *load, double time, double piece);
/* The propellant [kg] that a thruster uses between two times (negative backwards) as long as there is some. */
double fnd_load_propellant(const fnd_load *load, double from, double to);
/* The first time after `time` at which what the load does has a kink that its own memory knows. */
double fnd_load_kink(const fnd_load *load, double time);

#endif
