/* From a state to its rates: frames, contacts, loads, gravity, wrenches. */
#ifndef FND_DYNAMICS_DYNAMICS_H
#define FND_DYNAMICS_DYNAMICS_H

#include "base/pool.h"
#include "contact/contact_set.h"
#include "contact/crossing.h"
#include "dynamics/link.h"
#include "dynamics/load.h"
#include "integrate/ode.h"
#include "planet/frame_field.h"
#include <float.h>
#include <math.h>

/* Bodies in a block of a loop over bodies that several threads do (fnd_pool_blocks): some 0.1 us each. */
enum { FND_BODY_BLOCK = 256 };

/* Results of one evaluation. Arrays are by body. */
typedef struct fnd_evaluation {
    fnd_contact_list contacts;
    fender_wrench *contact_wrench; /* W, torque about the centre of mass */
    fender_vec3 *internal_force;   /* of contacts and links between dynamic bodies */
    fender_vec3 *acceleration;     /* of the centre of mass */
    fender_vec3 *torque;           /* about it */
    fender_vec3 *angular_velocity;
    fender_quaternion *attitude; /* q_WB */
    double *power;               /* of all forces and torques on the body */
    fnd_link_value *links;       /* by link */
    int link_count;
    int slot; /* of the values of loads */
    void *block;
    size_t block_size;
    double *part_energy, *part_power; /* of roots whose parts move: what that adds to the kinetic energy and its rate;
                                         NULL: no parts move */
    double damping_power, friction_power, applied_power, motor_power;
    fender_vec3 external_force,
        external_torque; /* gravity, inertial forces, loads, immovable bodies; torque about the momentum origin */
    double axial_torque; /* of loads and immovable bodies, along the planet's axis about its centre; turning frames */
} fnd_evaluation;

/* For sums over contacts by several threads: the dynamic bodies of each row (-1: it is none), and the range of those of
 * each group of rows. */
typedef struct fnd_ends {
    int a, b;
} fnd_ends;
typedef struct fnd_row_ends {
    fnd_ends *rows, *spans;
    int capacity, span_capacity;
} fnd_row_ends;

typedef struct fnd_dynamics {
    fender_env env;
    fnd_contact_model *model;
    fnd_contact_set contacts;
    fnd_load *loads;
    int load_count, load_capacity, loads_gone;
    fnd_link *links;
    int link_count, link_capacity, links_gone;
    int link_state_count;      /* continuous states of the laws of all links */
    const double *link_states; /* at the state that is evaluated; NULL: the links' own */
    fnd_frame_field field;
    double start_time, step;
    double piece_time; /* s, by fnd_piece_of; functions of time are those of the smooth piece that begins at or before
                          it */
    bool pieces;       /* steps end where signals and paths have kinks */
    fnd_regime regime; /* of the evaluations that come */
    fender_vec3 momentum_origin;
    int *dynamic; /* bodies that are integrated, in order */
    int dynamic_count;
    int dynamic_capacity;            /* largest number of integrated bodies: all dynamic bodies as roots */
    int body_count;                  /* that the arrays were made for */
    fnd_frame *frames;               /* of the last evaluation */
    bool sweep_ready;                /* what world/sweep.c keeps is that of the present shapes and trees */
    bool frames_committed;           /* which was that of the committed state */
    double *energy_defect, *load;    /* by body, for a commit: see fnd_step_stages */
    double largest_inverse_mass;     /* 1/kg; of the bodies at the last evaluation */
    bool *integrated, *dynamic_body; /* by body: fnd_body_integrated, fnd_body_dynamic */
    int stage_count;                 /* of the integrator, with those for dense output */
    fnd_evaluation evaluations[FND_STAGE_CAPACITY + 3];
    bool contacts_known;  /* the next evaluation has its contacts already */
    bool committed_fresh; /* evaluations[0] is that of the committed state */
    int threads;          /* that evaluate; 1: none but the calling one */
    fnd_pool *pool;       /* of them; NULL: none */
    fnd_row_ends row_ends;
    int64_t evaluation_count; /* number since the world was created, which is not part of its state */
} fnd_dynamics;

/* evaluations[]: the stages of a step, of which the first is the committed state; then the state to be accepted; that
 * of a host; a sample within a step. */
enum { FND_EVALUATION_NEXT = FND_STAGE_CAPACITY, FND_EVALUATION_HOST, FND_EVALUATION_SAMPLE, FND_EVALUATION_COUNT };

bool fnd_dynamics_create(fnd_dynamics *dynamics); /* sizes the arrays below the model */
/* Reserves memory in all lists for the number of contacts expected when `present` of them exist. False: no memory. */
bool fnd_dynamics_reserve(fnd_dynamics *dynamics, int present);
void fnd_dynamics_release(fnd_dynamics *dynamics); /* what create made; loads stay */

/* Updates everything that depends on the mass trees: integrated bodies and positions of shapes. Call it after every
 * change of a tree. */
void fnd_dynamics_layout(fnd_dynamics *dynamics);

/* Fills wrenches, powers and rates for bodies at these frames. False: no memory. */
bool fnd_dynamics_evaluate(fnd_dynamics *dynamics, double time, const fnd_frame *frames, fnd_evaluation *evaluation);

/* The part of it that are sums over contacts: wrenches on bodies, internal forces, powers, external force and torque.
 * What links, loads and gravity add to begins at zero. */
void fnd_contacts_sum(fnd_dynamics *dynamics, const fnd_frame *frames, fnd_evaluation *evaluation);
/* Room for the bodies of so many rows. False: no memory. */
bool fnd_row_ends_reserve(fnd_dynamics *dynamics, int rows);
void fnd_row_ends_release(const fender_env *env, fnd_row_ends *ends);

/* All links at a state. */
void fnd_links_evaluate(const fnd_dynamics *dynamics, double time, const fnd_frame *frames, fnd_evaluation *evaluation);

/* Events of the links that break or are spent at an accepted state, in order of creation. False: no memory. */
bool fnd_links_announce(const fnd_dynamics *dynamics, const fnd_evaluation *now, double time, fnd_event_list *events);
/* Shows the frames at a time [s] within the step that is to be accepted. False: no memory. */
typedef struct fnd_frame_sampler {
    bool (*show)(void *ctx, double time);
    void *ctx;
} fnd_frame_sampler;
/* Before the commit: what links reach within the step. Frames are those of its end; with a sampler (NULL: only both
 * ends are known) they are others afterwards. `located`: the step ends where motions of ends do. False: no memory. */
bool fnd_links_track(fnd_dynamics *dynamics, const fnd_evaluation *now, double start, double end, bool located,
                     const fnd_frame_sampler *sampler);
/* At the committed evaluation: does a force exceed its limit, as a command may have made it? It breaks its link at the
 * next accepted state. */
bool fnd_links_overloaded(const fnd_dynamics *dynamics);
/* One link at the frames of the dynamics, in the mode that it has. */
void fnd_links_look(const fnd_dynamics *dynamics, int index, double time, fnd_link_value *value);
/* Updates links after an accepted step: their losses over the evaluations of the step, and their modes. *changed is set
 * if `now` must be evaluated again; the energy of broken links is added to *released. */
void fnd_links_commit(fnd_dynamics *dynamics, const fnd_evaluation *now, double time, const int *evaluations,
                      const double *weights, int count, bool *changed, double *released);

/* While a time within a step is shown, links have the losses, work, peaks and crushed lengths of then, and *released
 * gets what is lost by crushing. The accepted ones are kept. */
void fnd_links_show(fnd_dynamics *dynamics, const fnd_evaluation *now, double time, const int *evaluations,
                    const double *weights, int count, double *released);
void fnd_links_show_accepted(fnd_dynamics *dynamics);

/* The modes of links at a committed state that was changed from outside, at its evaluation. */
void fnd_links_adopt_modes(fnd_dynamics *dynamics);

/* Adds the functions whose change of sign ends a step at a state of links. False: no memory. */
bool fnd_links_watch(const fnd_dynamics *dynamics, const fnd_frame *frames, double time, fnd_crossing_list *out);

/* State vector of the integrator: rotations of the dynamic bodies; positions, then velocities, then angular momenta,
 * then the continuous states of the laws of links, then those of every contact that has a record, state_stride of the
 * contact set to each. */
fnd_ode fnd_dynamics_ode(fnd_dynamics *dynamics);
void fnd_state_pack(const fnd_dynamics *dynamics, int k, const fnd_state *state, fender_quaternion *rotations,
                    double *vector);
static inline fender_vec3 fnd_read3(const double *from) { return fender_vec3_make(from[0], from[1], from[2]); }
static inline fnd_state fnd_state_unpack(const fnd_dynamics *dynamics, int k, const fender_quaternion *rotations,
                                         const double *vector)
{
    int n = 3 * dynamics->dynamic_count;
    const fender_quaternion *q =
        &rotations[k]; /* componentwise, because copying a struct would wait for its members in the store buffer */
    return (fnd_state){fnd_read3(vector + 3 * k),
                       {q->w, q->x, q->y, q->z},
                       fnd_read3(vector + n + 3 * k),
                       fnd_read3(vector + 2 * n + 3 * k)};
}
/* Frames of all bodies: dynamic ones from the vector (NULL: the committed state), others from the time. Later
 * evaluations of contacts use the states of laws in the same vector. */
void fnd_dynamics_frames(fnd_dynamics *dynamics, double time, const fender_quaternion *rotations, const double *vector,
                         fnd_frame *frames);
/* Offsets in a vector: of the states of laws, which begin with those of links, and of those of contacts. */
static inline int fnd_law_state_offset(const fnd_dynamics *dynamics) { return 9 * dynamics->dynamic_count; }
static inline int fnd_state_offset(const fnd_dynamics *dynamics)
{
    return fnd_law_state_offset(dynamics) + dynamics->link_state_count;
}
static inline int fnd_state_count(const fnd_dynamics *dynamics)
{
    return dynamics->link_state_count + dynamics->contacts.state_stride * dynamics->contacts.records.count;
}
/* Finds the places of the states of links' laws. */
void fnd_links_place_states(fnd_dynamics *dynamics);
/* The states of links' laws: their own, packed; and their rates from an evaluation, or with frames at these. */
void fnd_links_states_pack(const fnd_dynamics *dynamics, double *states);
void fnd_links_state_rates(const fnd_dynamics *dynamics, const fnd_evaluation *evaluation, const fnd_frame *frames,
                           const double *states, double *rates);

FND_SLOT_IDS(load, loads, fnd_dynamics, model->number)
FND_SLOT_IDS(link, links, fnd_dynamics, model->number)
/* What the formulas of a load read of other bodies at these frames (NULL: the committed state). False: nothing. */
bool fnd_load_read_bodies(const fnd_dynamics *dynamics, const fnd_load *load, const fnd_frame *frames,
                          fnd_load_readings *read);
/* Loads at an accepted state: their work, losses and propellant over the evaluations of the step. */
void fnd_loads_book(fnd_dynamics *dynamics, const int *evaluations, const double *weights, int count);
/* Adds to the new momenta of a step from `time` what wheels have gained or given beside the torques of the stages, so
 * that their momentum and that of their bodies are kept to rounding. */
void fnd_loads_balance(const fnd_dynamics *dynamics, double time, double step, const double *weights, int count,
                       const fender_quaternion *rotations, double *vector);
/* The first time after `time` at which a load or a prescribed motion has a kink; INFINITY: none. */
double fnd_dynamics_kink(const fnd_dynamics *dynamics, double time);
/* True if a thruster draws from a tank. */
bool fnd_loads_burn(const fnd_dynamics *dynamics, double time);
/* The piece of functions of time at a time: kinks within its rounding have been passed. Else a kink beside a time of
 * the grid would make a step of a few units in the last place. */
static inline double fnd_piece_of(double time) { return time + 8 * DBL_EPSILON * fabs(time); }

#endif
