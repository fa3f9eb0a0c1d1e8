/***********************TRICK HEADER*************************
PURPOSE:
    (A Fender world as one plain structure, for Trick sims and their input files.)
LIBRARY DEPENDENCIES:
    ((src/fender_trick.c))
*************************************************************/
#ifndef FENDER_TRICK_H
#define FENDER_TRICK_H

#ifdef __cplusplus
extern "C" {
#endif

#define FENDER_TRICK_BODIES   16  /* at most, as roots: each has 13 integrated states */
#define FENDER_TRICK_STATES   209 /* 13 for each body, and the time */
#define FENDER_TRICK_CONTACTS 32  /* shown; the world may have more */
#define FENDER_TRICK_EVENTS   32  /* the latest ones are kept */
#define FENDER_TRICK_COMMANDS 16
#define FENDER_TRICK_SETTINGS 16
#define FENDER_TRICK_WATCHES  4
#define FENDER_TRICK_VALUES   9   /* of a command */
#define FENDER_TRICK_NAME     256 /* "body.shape" of the longest names, with its end */
#define FENDER_TRICK_NO_EVENT 1000.0

/* A body, in the order of the scenario. With `use_state`, initialization takes the state from here. */
typedef struct fender_trick_body {
    char name[FENDER_TRICK_NAME]; /* *o -- name in the scenario */
    int use_state;                /* *io -- 1: position to angular_velocity are the initial state */
    double position[3];           /* *io m origin of the structure frame, world axes */
    double attitude[4];           /* *io -- quaternion from structure to world axes, scalar first */
    double velocity[3];           /* *io m/s of the origin of the structure frame, world axes */
    double angular_velocity[3];   /* *io rad/s in structure axes */
    double center_position[3];    /* *o m centre of mass, world axes */
    double center_velocity[3];    /* *o m/s of the centre of mass, world axes */
    double mass;                  /* *o kg of the body and all that is attached to it */
    double contact_force[3];      /* *o N sum over its contacts, structure axes */
    double contact_torque[3];     /* *o N*m about the centre of mass, structure axes */
} fender_trick_body;

/* A contact at the accepted state: the force on b; a gets the opposite. */
typedef struct fender_trick_contact {
    char a[FENDER_TRICK_NAME]; /* *o -- "body.shape" */
    char b[FENDER_TRICK_NAME]; /* *o -- "body.shape" */
    double depth;              /* *o m overlap */
    double depth_rate;         /* *o m/s positive while it grows */
    double normal_force;       /* *o N pushes b away from a */
    double friction_force;     /* *o N magnitude of the tangential force */
    double force[3];           /* *o N on b, world axes */
    double point[3];           /* *o m where it acts, world axes */
    double begin_time;         /* *o s when it began */
    double peak_force;         /* *o N since the beginning */
} fender_trick_contact;

/* An event of a contact or a link. */
typedef struct fender_trick_event {
    char kind[FENDER_TRICK_NAME]; /* *io -- begin, end, capture and so on: fender_event_name */
    char a[FENDER_TRICK_NAME];    /* *io -- "body.shape" of a contact, the name of a link, the body that was attached */
    char b[FENDER_TRICK_NAME];    /* *io -- the other shape, or the other body */
    double time;                  /* *io s accurate to one step */
    double speed;                 /* *io m/s of approach at "begin", of rebound at "end", of a link's length */
} fender_trick_event;

/* A quantity of the world that the sim commands: `fender info commands` lists them. */
typedef struct fender_trick_command {
    char *name;                        /* *io -- "loads.engine.force"; NULL: not used */
    double value[FENDER_TRICK_VALUES]; /* *io -- in SI units, taken before each step; NaN (default): the scenario's */
    int count;                         /* *o -- how many numbers it takes; 0: not found yet */
    double given[FENDER_TRICK_VALUES]; /* *o -- the present value */
} fender_trick_command;

/* Two shapes whose first touch and last touch the integration shall hit: a dynamic event for Trick. */
typedef struct fender_trick_watch {
    char *a;          /* *io -- "body.shape"; NULL: not used */
    char *b;          /* *io -- "body.shape" */
    double tolerance; /* *io m gap that counts as touching (default 1e-12) */
    double gap;       /* *o m at the latest state of the integration; negative: overlap */
    int fires;        /* *io -- how often the event was hit */
    double last_time; /* *io s of the latest one */
    int side;         /* *io -- 1: apart at the accepted state, -1: touching, 0: not known yet */
    double x_lower;   /* *io m gap at the lower side of the search */
    double x_upper;   /* *io m gap at the upper side of the search */
} fender_trick_watch;

typedef struct fender_trick {
    /* Set by the input file, before initialization */
    char *scenario;                                      /* *io -- file of the scenario */
    char *set[FENDER_TRICK_SETTINGS];                    /* *io -- "PATH=VALUE", as `fender run --set` */
    fender_trick_command command[FENDER_TRICK_COMMANDS]; /* *io -- commanded quantities */
    fender_trick_watch watch[FENDER_TRICK_WATCHES];      /* *io -- dynamic events */

    /* Results */
    double time;                                         /* *io s of the accepted state */
    int body_count;                                      /* *o -- bodies of the world */
    fender_trick_body body[FENDER_TRICK_BODIES];         /* *io -- in the order of the scenario */
    int contact_count;                                   /* *o -- contacts at the accepted state */
    fender_trick_contact contact[FENDER_TRICK_CONTACTS]; /* *o -- the first of them */
    int event_count;                                     /* *io -- events since the start */
    fender_trick_event event[FENDER_TRICK_EVENTS];       /* *io -- event n is in place n modulo 32 */
    int begin_count;                                     /* *io -- contacts that have begun */
    int end_count;                                       /* *io -- contacts that have ended */
    double kinetic_energy;                               /* *o J of all bodies */
    double energy_residual;                              /* *o J that the integration lost or gained */
    double momentum[3];                                  /* *o N*s world axes */

    /* Integration by Trick: 13 for each dynamic body, then the time */
    int state_count;                   /* *o -- states in use, with the time */
    double state[FENDER_TRICK_STATES]; /* *io -- position, attitude, velocity, angular momentum */
    double rate[FENDER_TRICK_STATES];  /* *io -- their derivatives */

    double stretch; /* *io -- length of the step over that of Trick's integrator */
    int searching;  /* *io -- steps of the search for an event; 0: none */
    double longest; /* *io s end of the step in which an event is searched */
    double slope;   /* *io m/s of the gap, over that step */
    double t_lower; /* *io s before the first event of a watched pair */
    double t_upper; /* *io s after it */

    /* Checkpoints: the bytes of a snapshot, in memory of Trick */
    int snapshot_size;       /* *io -- bytes; 0: none */
    unsigned char *snapshot; /* *io -- see fender_snapshot_bytes */

    /* What went wrong; "" when nothing has */
    char message[512]; /* *o -- place, message, what was expected, remedy */

    void *inside; /* ** -- the world and the scenario */
} fender_trick;

/* Each returns 0, or the fender_status of a failure, which `message` explains. */
int fender_trick_default_data(fender_trick *t);
/* Loads the scenario, builds the world, sets the states that are given, fills in the results. */
int fender_trick_initialize(fender_trick *t);
/* Sets commands whose value has changed, at the accepted state. */
int fender_trick_apply_commands(fender_trick *t);
/* Derivatives at `state`, a trial state. Changes nothing else. */
int fender_trick_derivative(fender_trick *t);
/* `state` back at the accepted state. */
int fender_trick_reset_state(fender_trick *t);
/* Time to go [s] from `state` to the first event of a watched pair in the step: negative if it is past, 0 at the event,
 * which is then accepted, FENDER_TRICK_NO_EVENT if there is none. What Trick expects of a dynamic_event job. */
int fender_trick_time_to_go(fender_trick *t, double *time_to_go);
/* Accepts `state` at the time [s]: contacts begin and end, results are updated. */
int fender_trick_commit(fender_trick *t, double time);
/* Advances the world by its own integrator, for sims without an IntegLoop. Fixed-step methods give the
 * bits of `fender run` if the times are multiples of the step. */
int fender_trick_advance_to(fender_trick *t, double time);
/* Size of a snapshot of the accepted state; `fender_trick_snapshot_read` puts it into `bytes`. */
int fender_trick_snapshot_take(fender_trick *t, int *size);
int fender_trick_snapshot_read(fender_trick *t, unsigned char *bytes, int size);
/* Continues from `snapshot`. Builds the world first, in a new process. */
int fender_trick_snapshot_restore(fender_trick *t);
/* Hash of states, memory of contacts and events: equal bits give equal hashes. */
unsigned long long fender_trick_hash(const fender_trick *t);
void fender_trick_shutdown(fender_trick *t);

#ifdef __cplusplus
}
#endif

#endif
