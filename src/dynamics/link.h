/* Links: force elements between mass points, their evaluation, and updates at accepted steps. */
#ifndef FND_DYNAMICS_LINK_H
#define FND_DYNAMICS_LINK_H

#include "contact/contact_set.h"
#include <fender/fender.h>

/* Modes of a one-way link; bushings are always loaded. Struts have their own modes (link_laws.c). */
typedef enum fnd_link_mode {
    FND_LINK_SLACK,  /* beyond its free length; a latch that is open */
    FND_LINK_LOADED, /* spring and damper act */
    FND_LINK_CUT     /* within its range, but without force, because its damper would reverse it */
} fnd_link_mode;

/* Memory of the laws of a contact type on a link, and behind it their continuous states, as with contacts. */
enum { FND_LINK_MEMORY_CAPACITY = 256 };
typedef union fnd_link_law_memory {
    unsigned char bytes[FND_LINK_MEMORY_CAPACITY + FND_SLOT_COUNT * FENDER_LAW_STATE_CAPACITY * sizeof(double)];
    double align;
} fnd_link_law_memory;

/* What is commanded of a link. Between commands its free length is a closed form of time, without states. */
typedef struct fnd_link_drive {
    bool commanded;    /* it was commanded: the hashes of worlds without commands do not contain any of this */
    bool limited;      /* the target is a limit of the link, and none of a command */
    double length;     /* m; free length at `since` */
    double since;      /* s */
    double rate;       /* m/s; of the free length until it is `target`; 0: it rests */
    double target;     /* m; infinite: none */
    double until;      /* m; target of a commanded rate of an actuator; infinite: none */
    double aim;        /* last command: m, m/s, N or A */
    int mode;          /* of an actuator: fender_actuator_mode */
    bool locked;       /* its brake is on */
    bool pulling;      /* a latch moves its unloaded pose; or it has just come to where that ends */
    double pull_since; /* s; its capture */
    double pull_rate;  /* m/s; of the unloaded position since then; 0: it rests */
    double pull_spin;  /* rad/s; of the unloaded attitude */
    double work;       /* J; done by the moving end so far */
} fnd_link_drive;

/* Memory of a link between accepted steps. */
typedef struct fnd_link_memory {
    bool active, spent, broken;
    bool captured; /* of a latch */
    int mode;      /* fnd_link_mode */
    double damping_loss, peak_force, peak_force_time;
    double crushed;                /* m; of a strut */
    fender_vec3 caught_position;   /* of a latch: pose of b in the frame of a at its capture */
    fender_quaternion caught_turn; /* b to a then */
    bool begun, ended;     /* of a contact law: begun; ended by its law, until it is beyond the activation distance */
    double approach_speed; /* m/s */
    fnd_link_law_memory law;
    fnd_link_drive drive;
} fnd_link_memory;

/* A point as the body that is integrated sees it. */
typedef struct fnd_link_place {
    fender_vec3 arm;        /* from the root's centre of mass, in its axes */
    fender_quaternion turn; /* axes of the point to those of the root */
} fnd_link_place;

/* What a link has reached in the last step, between its ends, too. It is no part of the state of a world. */
enum { FND_LINK_LOOKS = 7 };
typedef struct fnd_link_reach {
    double end;               /* s; of that step; NaN: there is none since it was made, switched or restored */
    double shortest, longest; /* m */
    double force, force_time; /* N, s; the largest that was found within the step; 0: none */
    bool wanted;              /* it is looked at within the step: its force, and the square of its length then */
    double looks[2][FND_LINK_LOOKS];
} fnd_link_reach;

typedef struct fnd_link {
    char *name; /* NULL: destroyed; the slot is free */
    uint16_t generation;
    void *user_data;
    bool leaving; /* it was active before a body of it was being destroyed */
    fender_link_law law;
    void *parameters;
    fender_vec2 *curve; /* of a strut */
    int curve_count;
    int point_a, point_b;
    fnd_link_place place_a, place_b; /* by fnd_link_place_ends; those of moving parts are found at every state */
    bool fresh;                      /* made by the fender_world_initialize under way */
    bool made; /* for the contacts of the pair below to connect their bodies with; its points and parameters change */
    uint32_t shape_a, shape_b;
    int use;                   /* contact type of a contact law or of friction; else -1 */
    int state_at, state_count; /* of its laws' continuous states among those of all links */
    fnd_link_reach reach;
    fnd_link_memory memory;
    fnd_link_memory accepted; /* while a time within a step is shown: the memory of the accepted state */
} fnd_link;

/* Where its points are on their roots. Call it after every change of a tree or of a point. */
void fnd_link_place_ends(fnd_link *link, const fnd_contact_model *model);

/* One link at one state. World axes. */
typedef struct fnd_link_value {
    bool there;  /* both trees have states, so that length and other values are valid */
    bool alive;  /* switched on, not spent or broken, and at least one body is dynamic */
    bool acting; /* exerts a wrench on two roots */
    bool blind;  /* its points coincide: it acts along the x axis of point a */
    int mode;    /* fnd_link_mode */
    int root_a, root_b;
    double length, rate, force;
    fender_vec3 displacement, rotation; /* of a bushing */
    fender_vec3 lever_a, lever_b;       /* centre of mass of a root to where the force acts on it */
    fender_vec3 force_on_b, torque_on_b;
    double damping_power, stored_energy;
    double crushed;       /* m; of a strut: crushed length if this state is accepted */
    double crush_power;   /* W; lost by crushing, in addition to damping_power; booked by the crushed length, not by its
                             integral */
    double opening;       /* of an open latch: relative distance from capture; negative: it captures */
    double opening_rate;  /* 1/s; as those of roots */
    double speed;         /* m/s; of its points against each other */
    fender_vec3 position; /* of a latch: of b in the frame of a */
    fender_quaternion turn; /* b to a */
    double depth;           /* m; of a contact law */
    double time;            /* s */
    double free_length;     /* m; of laws that have one */
    double free_rate;       /* m/s; its rate */
    double motor_power;     /* W; by its moving end */
    bool slips;             /* of an actuator: its force is at its limit */
    double supplied_power;  /* W; from outside the world: the same, and what a contact law supplies */
    double slip, spin;      /* m/s, rad/s; of friction */
    double load, stretch;   /* N, m; of friction: what it is pressed with, and the stretch of its spring */
    int law_mode;
    bool located; /* laws hold their modes */
} fnd_link_value;
/* A link at frames of roots. If frozen, it has its committed mode at any state. `states` are those of its laws; NULL:
 * the committed ones. */
void fnd_link_evaluate(const fnd_link *link, const fnd_contact_model *model, const fnd_frame *frames, double time,
                       fnd_regime regime, const double *states, fnd_link_value *value);

/* One end: its root, pose and motion. */
typedef struct fnd_link_end {
    const fnd_link_place *place;
    const fnd_frame *frame;      /* of the root */
    fender_vec3 lever, velocity; /* from the root's centre of mass; of the point */
    fnd_link_place moved;        /* of a moving part: what the others point to; its frame has the part's velocity */
    fnd_frame carrier;
} fnd_link_end;
/* Point to world. */
static inline fender_quaternion fnd_link_end_attitude(const fnd_link_end *e)
{
    return fender_quaternion_product(e->frame->q, e->place->turn);
}

/* Functions that are positive while the mode of a link lasts, for a value with frozen mode. `grain` is the rounding
 * error of its length. */
enum { FND_LINK_ROOT_CAPACITY = 9 };
typedef struct fnd_link_root {
    int number;
    double value, rate; /* per second; NaN: it is not known; infinite: nor, and to be found from two states */
} fnd_link_root;
/* A limit is passed beyond rounding, so that the accepted state is beyond it too. `growth`: rate of the size, or
 * infinite. The new count. */
int fnd_link_add_limit(int count, int number, double limit, double size, double growth, fnd_link_root *roots);

/* Changes of a link at an accepted state. */
typedef enum fnd_link_fate {
    FND_LINK_GOES_ON,
    FND_LINK_SPENT,
    FND_LINK_BREAKS,
    FND_LINK_CATCHES,
    FND_LINK_CRUSHES, /* begins to */
    FND_LINK_BOTTOMS,
    FND_LINK_LIMITS /* an actuator begins to slip */
} fnd_link_fate;

/* The free length in the parameters of a law; NULL if it has none. */
double *fnd_link_free_length(fender_link_law law, void *parameters);
/* As created: at the length of the parameters. */
void fnd_drive_begin(fnd_link *link, double time);
/* Its value at a time. Held: it goes on beyond its target. */
double fnd_drive_length(const fnd_link_drive *drive, double time, bool held, double *rate);
bool fnd_drive_valid(const fnd_link_drive *drive);

/* The families of laws. Each fills force, energy and losses of a value whose kinematics are known; `along` is the unit
 * vector from a to b, `apart` the vector. */
void fnd_axial_evaluate(const fnd_link *link, fender_vec3 along, bool held, fnd_link_value *value);
int fnd_axial_roots(const fnd_link *link, const fnd_link_value *value, double grain, fnd_link_root *roots);
fnd_link_fate fnd_axial_judge(const fnd_link *link, const fnd_link_value *value);
void fnd_bushing_evaluate(const fnd_link *link, const fnd_link_end *a, const fnd_link_end *b, fender_vec3 apart,
                          bool held, fnd_link_value *value);
int fnd_bushing_roots(const fnd_link *link, const fnd_link_value *value, fnd_link_root *roots);
/* A latch begins to pull in what it has just captured. */
void fnd_latch_begin_pull(fnd_link *link, double time);
/* At an accepted state: true if it has arrived; and what ends there. True if its force may differ. */
bool fnd_latch_arrives(const fnd_link *link, double time);
bool fnd_latch_commit(fnd_link *link, double time);
fnd_link_fate fnd_bushing_judge(const fnd_link *link, const fnd_link_value *value);
void fnd_strut_evaluate(const fnd_link *link, fender_vec3 along, bool held, fnd_link_value *value);
int fnd_strut_roots(const fnd_link *link, const fnd_link_value *value, double grain, fnd_link_root *roots);
fnd_link_fate fnd_strut_judge(const fnd_link *link, const fnd_link_value *value);
/* link_contact.c: contact_law and friction. `states` are those of its laws; NULL: the committed ones. */
void fnd_link_contact_evaluate(const fnd_link *link, const fnd_contact_model *model, fender_vec3 along,
                               fnd_regime regime, const double *states, fnd_link_value *value);
void fnd_link_friction_evaluate(const fnd_link *link, const fnd_contact_model *model, const fnd_link_end *a,
                                const fnd_link_end *b, fender_vec3 apart, fender_vec3 along, const double *states,
                                fnd_link_value *value);
/* Rates of the states of its laws at an evaluation. */
void fnd_link_contact_rates(const fnd_link *link, const fnd_contact_model *model, const fnd_link_value *value,
                            const double *states, double *rates);
int fnd_link_contact_roots(const fnd_link *link, const fnd_contact_model *model, const fnd_link_value *value,
                           const double *states, double grain, fnd_link_root *roots);
fnd_link_fate fnd_link_contact_judge(const fnd_link *link, const fnd_link_value *value);
/* The event of its law at an accepted state (0: none), which is pure; and the update of the link at that state, with
 * the states that the step has led to. */
int fnd_link_contact_event(const fnd_link *link, const fnd_contact_model *model, const fnd_link_value *value,
                           const double *states);
bool fnd_link_contact_commit(fnd_link *link, const fnd_contact_model *model, const fnd_link_value *value,
                             const double *states, double *given_up);
/* May the link use the contact type? */
fender_status fnd_link_use_check(const fender_link_def *def, const fnd_contact_type *type, fender_error *error);
static inline bool fnd_link_uses_type(fender_link_law law)
{
    return law == FENDER_LINK_CONTACT_LAW || law == FENDER_LINK_FRICTION;
}

/* After a commit in which it was crushed: sets its next mode. True if it differs from that of the value. */
bool fnd_strut_settle(fnd_link *link, const fnd_link_value *value);
bool fnd_strut_mode_valid(const fnd_link *link, int mode);
/* True if a link of this kind can be in that mode. */
bool fnd_link_mode_valid(const fnd_link *link, int mode);
/* Checks beyond the ranges of the tables (links.c). */
fender_status fnd_strut_check(const fender_link_strut *strut, const fender_vec2 *curve, int count, fender_error *error);

/* link_actuator.c */
void fnd_actuator_evaluate(const fnd_link *link, fender_vec3 along, bool held, fnd_link_value *value);
int fnd_actuator_roots(const fnd_link *link, const fnd_link_value *value, double grain, fnd_link_root *roots);
fnd_link_fate fnd_actuator_judge(const fnd_link *link, const fnd_link_value *value);
/* Its motor from this length on, by its mode and last command. */
void fnd_actuator_restart(fnd_link *link, double time, double length);
/* Its length at which the servo gives the present force. */
double fnd_actuator_length(const fnd_link *link, const fnd_link_value *value);
/* At an accepted state: its length has yielded. True if its mode differs from that of the value. */
bool fnd_actuator_commit(fnd_link *link, const fnd_link_value *value);
/* True if it reaches its target while it slips. `slips`: it is not where its motor was. */
bool fnd_actuator_arrives(const fnd_link *link, const fnd_link_value *value, bool *slips);
bool fnd_actuator_mode_valid(int mode);
/* It has what the mode, or its brake, needs to hold or to move with. */
fender_status fnd_actuator_check_servo(const fender_link_actuator *actuator, int mode, bool locked,
                                       fender_error *error);
fender_status fnd_actuator_check(const fender_link_actuator *actuator, fender_error *error);
void fnd_magnet_evaluate(const fnd_link *link, fender_vec3 along, bool held, fnd_link_value *value);
int fnd_magnet_roots(const fnd_link *link, const fnd_link_value *value, double grain, fnd_link_root *roots);
fender_status fnd_magnet_check(const fender_link_electromagnet *magnet, fender_error *error);

/* Checks its parameters as they are now, those of an actuator for the mode and the brake that were last commanded. */
fender_status fnd_link_check_present(const fnd_link *link, fender_error *error);
void fnd_link_release(const fender_env *env, fnd_link *link);

#endif
