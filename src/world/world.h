/* Internal state of a world. */
#ifndef FND_WORLD_WORLD_H
#define FND_WORLD_WORLD_H

#include "body/mass_tree.h"
#include "contact/crossing.h"
#include "contact/peak.h"
#include "dynamics/dynamics.h"
#include "integrate/ode.h"
#include "world/entry.h"

/* Quadratures over accepted steps, and their reference values. */
typedef struct fnd_account {
    double damping, friction, contact_work, applied, attachment; /* J */
    fender_vec3 impulse, angular_impulse;                        /* of external forces; about the momentum origin */
    double start_energy, peak_kinetic;
    fender_vec3 start_momentum, start_angular_momentum;
    double axial_impulse, start_axial_momentum; /* about the planet's axis, in inertial space; turning frames */
    double motor;                               /* J; of the motors of moving parts */
    double start_wheel_momentum;                /* of reaction wheels, about the planet's axis */
} fnd_account;

/* How an adaptive method goes on. */
typedef struct fnd_pace {
    double step; /* s; next trial step; 0: to be chosen */
    fnd_step_control control;
} fnd_pace;

/* What was seen at the end of the last step is that at the start of the next, if nothing was evaluated since. */
typedef struct fnd_kept_watch {
    bool ready;          /* the functions, in the list of the upper end */
    bool calm;           /* no pair apart need be watched there */
    double horizon;      /* s; looked for within this */
    uint64_t version;    /* of the candidates */
    int64_t evaluations; /* the number of them then */
} fnd_kept_watch;

/* A step that was proposed. */
typedef struct fnd_trial {
    bool pending;
    bool arrived;           /* the trial arrays and the stages are those of its end */
    bool dense_ready;       /* the stages of dense output are, too */
    double length;          /* s */
    double longest, target; /* s; the longest that it may be, and the time of that end */
    fnd_kept_watch watched; /* at its end */
    uint64_t rows_version;  /* of the candidates, when the contacts at its end were found */
    bool rows_ready;        /* the contacts of the next evaluation are those at the end of the trial, */
    double rows_time;       /* s; as of this time */
    fender_proposal proposal;
    fnd_pace pace; /* after it */
    bool flowed; /* masses are those at the middle of the planned step; the previous ones are in body_backup, account */
    bool flow_hidden; /* they have changed places, so that the accepted state is shown */
    bool flows;       /* of the world, before that */
    bool at_kink;     /* it ends where a function of time has a kink */
    double planned;   /* s */
    fnd_account account;
    int64_t sweep_effort; /* of this proposal */
} fnd_trial;

/* The accepted state, saved while a time within a step is sampled. */
typedef struct fnd_aside {
    bool active;
    bool forces; /* evaluation and ledger, too; else motion alone */
    double time;
    fnd_account account;
    bool flowed, flows; /* masses have gone on to the sample: bodies_aside; world->flows before that */
} fnd_aside;

/* A beam that the world keeps. */
typedef struct fnd_sensor {
    char *name; /* NULL: destroyed; the slot is free */
    uint16_t generation;
    void *user_data;
    fender_beam beam;
} fnd_sensor;

enum {
    FND_CROSSINGS_START,
    FND_CROSSINGS_HIGH,
    FND_CROSSINGS_SPARE,
    FND_CROSSING_SPARES = 4,
    FND_CROSSINGS_FIRED = FND_CROSSINGS_SPARE + FND_CROSSING_SPARES, /* the event that ends the proposed step */
    FND_CROSSINGS_LATER, /* those of links a little later, for their rates */
    FND_CROSSING_LISTS
};

/* How far the shapes of a body may move within a step so that none passes another (world/sweep.c). */
typedef struct fnd_leeway {
    double way;          /* m^2; square of the least that one of them may move */
    double arm;          /* m^2; bounds the part that rotation has, */
    double per_momentum; /* 1/kg^2; and with the body's inertia */
} fnd_leeway;

/* Number of times that contacts froze their modes until the end of a step, and the last such contact. */
typedef struct fnd_holds {
    int64_t count;
    uint32_t shape_a, shape_b; /* UINT32_MAX: none */
} fnd_holds;

struct fender_world {
    fender_env env;
    fender_world_def def;
    void (*mass_listener)(void *ctx, fender_world *world, fender_body_id root); /* NULL: nobody */
    void *mass_listener_ctx;
    fender_registry *registry; /* held */
    fnd_contact_model model;
    fnd_dynamics dynamics;
    const fnd_method *method;
    fnd_ode ode;
    fnd_ode_workspace workspace;
    fender_quaternion *rotations[3]; /* committed, next, sample */
    double *vector[3];
    fender_vec3 *rotation_error; /* of the step that is tried */
    double *vector_error;
    double *vector_block; /* that of these four vectors */
    int state_capacity;   /* number of contacts whose continuous states fit into them and the workspace */
    fnd_pace pace;
    fnd_trial trial;
    fnd_aside aside;
    int64_t idle_events;  /* steps in a row that ended at an event */
    double idle_since;    /* s; when the first of them began */
    int64_t sweep_effort; /* evaluations of the subdivision of this step so far, for continuous collision detection */
    fnd_leeway *leeways;  /* by integrated body; as long as dynamics.sweep_ready says so, like the next three */
    bool sweep_common;    /* no shape is on an immovable body */
    bool sweep_whole;     /* all shapes that move are rigidly on integrated bodies */
    bool sweep_lines;     /* some shape is a probe */
    fnd_holds holds;
    fnd_frame *host_frames;
    bool busy;                       /* a call that changes it is under way */
    bool welding;                    /* requests of laws are being attached */
    int connection_count;            /* links made so far */
    bool flows;                      /* some body's mass is changing */
    bool gravity_told;               /* gravity was commanded */
    fender_wrench *last_stage;       /* per body, in S */
    fender_wrench *next_stage;       /* the same of a step that is being tried */
    fnd_body *bodies_aside;          /* those of the step, while a sample shows masses of its own */
    fnd_body *body_backup;           /* to undo a change of a tree that cannot be accepted, */
    fender_quaternion *since_backup; /* and the attitudes from which tangents of contacts turn */
    fnd_link_memory *link_backup;    /* to undo an initialization that fails */
    void *block;
    size_t block_size;
    fnd_account account;
    fnd_event_list events;
    /* located events: functions at the start of a step, at the ends of the bracket, and at a trial; and the event that
     * ends the proposed step */
    fnd_crossing_list crossings[FND_CROSSING_LISTS];
    fnd_kept_watch kept;
    bool initialized;
    int64_t step_count;
    double time, base_time; /* time = base_time + steps since then * step */
    int64_t base_step;
    fnd_sensor *sensors;
    int sensor_count, sensor_capacity, sensors_gone;
    bool host_state_set; /* a state is being tried by a host */
    double host_time;
    bool host_commands; /* commanded since it was set: the evaluation of the accepted state has the previous values */
    int evaluated;      /* index of the evaluation of the evaluated clock */
};

/* NULL for none. */
const fnd_method *fnd_world_method(fender_integrator_method method);
/* STATE: another call that changes the world is under way. */
fender_status fnd_world_fail_busy(fender_error *error);
/* Initialized, or STATE. */
fender_status fnd_world_ready(const fender_world *world, fender_error *error);
/* A time [s] to advance to: from the present one on, or VALUE. */
fender_status fnd_world_check_end(const fender_world *world, double time, fender_error *error);
/* Ensures that the committed evaluation is up to date. */
fender_status fnd_world_refresh(fender_world *world, fender_error *error);
/* Takes the present energy of contacts as their initial energy, after a change from outside. */
void fnd_world_rebase_contacts(fender_world *world);
/* After links were switched or commanded: evaluates again, and books the change of stored energy as applied. (Without
 * memory the next step evaluates, and the ledger shows the change as residual.) */
void fnd_world_contacts_changed(fender_world *world, double stored_before);
/* Sums over dynamic bodies at the committed state. */
void fnd_world_momentum(const fender_world *world, fender_vec3 *linear, fender_vec3 *angular);
/* Angular momentum along the planet's axis about its centre in inertial space; 0 unless the frame rotates. */
double fnd_world_axial_momentum(const fender_world *world);
double fnd_world_wheel_axial_momentum(const fender_world *world); /* that of reaction wheels, a part of it */
double fnd_world_stored(const fender_world *world);
/* Energy and momentum, for the booking of a change that is made from outside. */
typedef struct fnd_totals {
    fender_vec3 linear, angular;
    double energy, axial;
} fnd_totals;
fnd_totals fnd_world_totals(const fender_world *world);
/* Around a change: of a world that is initialized, its energy and momentum are booked as applied. */
fender_status fnd_world_book_begin(fender_world *world, fnd_totals *before, fender_error *error);
fender_status fnd_world_book_end(fender_world *world, const fnd_totals *before, fender_error *error);
void fnd_world_book_change(fender_world *world, const fnd_totals *before);
/* Makes that the uniform gravity if one was commanded, else that of the definition. */
void fnd_world_use_gravity(fender_world *world, fender_vec3 gravity);
/* Kinetic energy at the state of a vector (NULL: the shown state) and its evaluation. */
double fnd_world_kinetic(const fender_world *world, const double *vector, const fnd_evaluation *e);
/* Kinetic energy of the reaction wheels, which have the momentum of inertial space. */
double fnd_world_wheel_energy(const fender_world *world, const fnd_evaluation *e);
/* Notes the peak of kinetic energy. */
void fnd_world_account_peak(fender_world *world, double kinetic);
/* Creates a link without force for each pair whose laws may connect it. Existing links are kept. */
fender_status fnd_world_prepare_connections(fender_world *world, fender_error *error);
/* What was there before that was called: takes back what it has made, as if it had not been called, or keeps it. */
typedef struct fnd_connections {
    int links, points;
    bool initialized;
} fnd_connections;
fnd_connections fnd_connections_of(const fender_world *world);
void fnd_connections_take_back(fender_world *world, const fnd_connections *before);
void fnd_connections_keep(fender_world *world);
/* After fnd_world_prepare_connections, which returned `status`, for rules that are about to change: gives an
 * initialized world the arrays that new links need. On failure nothing has changed; else the caller keeps them, or
 * takes them back. */
fender_status fnd_connections_provide(fender_world *world, const fnd_connections *before, fender_status status,
                                      fender_error *error);
/* The shapes of a link that contacts made; of others 0 and 0. */
typedef struct fnd_made_pair {
    uint32_t a, b;
} fnd_made_pair;
fnd_made_pair fnd_connection_pair(const fnd_link *link);
/* Of an initialized world: makes the links of a snapshot that are missing, and hides those that it has not. `pairs`: by
 * link. False: its links are others, and nothing has changed, as with a failure. */
bool fnd_connections_meet(fender_world *world, const fnd_made_pair *pairs, int count, fnd_connections *before,
                          fender_status *status, fender_error *error);
/* Afterwards: all that is hidden goes, or all is as it was. */
void fnd_connections_met(fender_world *world, const fnd_connections *before, bool kept);
/* New arrays for the links that there are now, in place of those that the world had; the state and its contacts stay.
 * On failure nothing has changed. */
fender_status fnd_world_remake_arrays(fender_world *world, fender_error *error);
/* A slot becomes free. */
void fnd_link_forget(fender_world *world, int slot);
void fnd_point_forget(fender_world *world, int slot);
/* What laws asked for in the commit of an accepted state: bushings made and let go, at the frames of that state. What
 * they held is added to *released; *changed is set when the state must be evaluated again. */
void fnd_connections_commit(fender_world *world, const fnd_evaluation *now, bool *changed, double *released);
/* After an accepted state: adds the events of new bushings, attaches welds, and clears all requests. */
fender_status fnd_world_weld(fender_world *world, fender_error *error);
/* Takes the world from its committed state to the state in rotations[1], vector[1] at `time`, reached through
 * `step_stage_count` evaluations with weights in seconds. On failure nothing has changed. */
fender_status fnd_world_accept(fender_world *world, double time, const int *evaluations, const double *weights,
                               int step_stage_count, fender_error *error);
/* Checks that forces per point match their clouds. VALUE names the contact type. */
/* Checks rules that name shapes or bodies whose geometries have no contact function. */
fender_status fnd_world_check_rules(const fender_world *world, fender_error *error);
/* Sets the stick_speed and rest_rate of laws that leave them to the world (0), by step, gravity and bodies. */
void fnd_world_choose_least_speeds(fender_world *world);
fender_status fnd_world_check_prescribed_forces(const fender_world *world, fender_error *error);
/* NULL for a stale id. */
const fnd_point *fnd_world_point(const fender_world *world, fender_point_id id);

/* Sets a switch of contacts: they begin and end at once. On failure it stays as it was. */
fender_status fnd_world_switch_contacts(fender_world *world, bool *contacts, bool active);

/* ARGUMENT or TOPOLOGY: parts of trees move, but the method, the frame or a link does not go with that. */
fender_status fnd_world_check_parts(const fender_world *world, fender_error *error);

/* Check that the trial state, or the evaluation at the state to be accepted, is finite. NOT_FINITE names the contact or
 * body. *kinetic: the energy there. */
fender_status fnd_world_check_state(const fender_world *world, double time, fender_error *error);
fender_status fnd_world_check_law_states(const fender_world *world, double time, fender_error *error);
fender_status fnd_world_check_evaluation(const fender_world *world, double time, const fnd_evaluation *e,
                                         double *kinetic, fender_error *error);
/* INTEGRATOR for a contact that is too stiff for the step, or too deep for its shapes. */
fender_status fnd_world_check_contacts(const fender_world *world, double time, const fnd_evaluation *e,
                                       fender_error *error);
/* VALUE for a mesh that is inside a solid without contact, because it would stay there undetected. Checks all
 * candidates; for states that are set, and steps in which contacts have ended. */
fender_status fnd_world_check_within(const fender_world *world, double time, const fnd_evaluation *e,
                                     fender_error *error);
/* "a.x:b.y" of the contact with the largest force on a body in the trial step, or "body a"; "" for -1. */
void fnd_world_worst_contact(const fender_world *world, int body, char *name, size_t size);
/* Finds the next step. Masses that flow are then those at its middle. */
fender_status fnd_world_propose(fender_world *world, double limit, fender_proposal *proposal, fender_error *error);
/* Shows the masses of the accepted state while a step is proposed, or those of its middle again. */
fender_status fnd_world_hide_flow(fender_world *world, fender_error *error);
void fnd_world_show_flow(fender_world *world);
/* Accepts the proposed step. The list of events continues. */
fender_status fnd_world_take(fender_world *world, fender_error *error);
/* One step of the method over `step` seconds from the committed state to the trial arrays. False: no memory, or the
 * method failed (workspace.failure). */
bool fnd_world_try(fender_world *world, double step);
/* After such a step: writes the state after a part of it to the sample arrays, and the weights of the stages. False: no
 * memory. */
bool fnd_world_interpolate(fender_world *world, double step, double part, double *weights);
/* Error of fnd_world_try: INTEGRATOR with the reason of the method, or MEMORY for `what`. */
fender_status fnd_world_give_up(const fender_world *world, const char *what, fender_error *error);
/* Sets the error scales of the ode for a step from the committed state. */
void fnd_world_tolerances(fender_world *world);
/* Adaptive methods: tries steps of at most `longest` seconds until the tolerances hold. *length is the length of the
 * step, *pace the control state after it. INTEGRATOR if no step is short enough. */
fender_status fnd_world_adapt(fender_world *world, double longest, double *length, fnd_pace *pace, fender_error *error);
/* Methods with internal steps: the step is short after an event and grows by half from step to step, so that the few
 * stages resolve fast transients. */
fender_status fnd_world_pace(fender_world *world, double longest, double *length, fnd_pace *pace, fender_error *error);
/* Finds the first event within `step` seconds of the committed state. *end is the end of the step, just after the
 * event, or `step`; *found tells which. The trial arrays contain the state at *end. An adaptive method has already
 * tried the whole step. */
fender_status fnd_world_locate(fender_world *world, double step, double *end, bool *found, fender_error *error);
/* After a step with located events (world/chatter.c): contacts whose modes change too often within a step freeze
 * them until its end. */
void fnd_world_hold(fender_world *world);
/* True if so many consecutive steps have ended at events that the next one must ignore them. Reduces *longest [s] to
 * the limit of that step. */
bool fnd_world_passes_events(const fender_world *world, double *longest);
/* Shows the accepted state again, if another one was shown, and forgets a proposed step. */
/* The time of a step of the grid. */
double fnd_world_grid_time(const fender_world *world, int64_t step);
void fnd_world_settle(fender_world *world);
void fnd_world_show_accepted(fender_world *world);
/* Adds what the stages of a step say to the account. */
void fnd_world_book(fender_world *world, const int *evaluations, const double *weights, int count);
/* Continuous states of a contact with a record at the shown state. `room` is for them. */
static inline const double *fnd_world_contact_states(const fender_world *world, const fnd_contact_type *type,
                                                     const fnd_contact *c, double *room)
{
    const fnd_contact_set *set = &world->dynamics.contacts;
    if (!world->aside.active || !world->aside.forces)
        return fnd_memory_states(type, fnd_record_memory(&set->records, c->record));
    const ptrdiff_t at = (ptrdiff_t)c->record * set->state_stride;
    const double area = fnd_record_area(&set->records.items[c->record], c->in.weight);
    return fnd_states_of_area(type, world->vector[2] + fnd_state_offset(&world->dynamics) + at, area, room);
}
static inline bool fnd_world_locates(const fender_world *world)
{
    return world->def.locate_events || world->method->error_count > 0;
}
/* Advances the mass flows of all bodies, and what thrusters draw from tanks, from a time by a time (negative: back);
 * nothing else changes. False: no memory. */
fender_status fnd_world_flow(fender_world *world, double from, double time, fender_error *error);
/* The same for a sample that is shown: the accepted state stays packed. False: no memory. */
bool fnd_world_flow_sample(fender_world *world, double from, double time);
/* The same of tanks alone, after a step of a host, who changes other masses itself. */
fender_status fnd_world_flow_tanks(fender_world *world, double from, double to, fender_error *error);
/* The time at which the first tank is empty, INFINITY when none is before `until`. */
double fnd_world_dry_time(const fender_world *world, double until);
/* Counts the propellant of thrusters without a tank. */
void fnd_loads_burn_free(fender_world *world, double from, double to);
/* Event tolerance: the requested one, but at least the resolution of the time. */
double fnd_world_event_tolerance(const fender_world *world);
/* Is a step of `scaled` over the frequency of a damped spring certainly stable? False: fender_integrator_stable_step
 * tells, by a search. */
bool fnd_step_is_surely_stable(fender_integrator_method method, double scaled, double damping_ratio);
/* Accuracy of the world's own steps. */
fnd_accuracy fnd_world_accuracy(const fender_world *world);
/* Kinetic, gravitational and stored energy at the committed state. */
double fnd_world_energy(const fender_world *world);
/* Copies committed states of bodies and laws to rotations[0], vector[0]. */
void fnd_world_pack(fender_world *world);
/* Room in vectors and workspace for the continuous states of so many contacts; what is in them stays. False: no memory,
 * and nothing has changed. */
bool fnd_world_reserve_states(fender_world *world, int contacts);

/* Gravity and the frame at the time of the state that is shown. */
static inline fnd_frame_field fnd_world_field(const fender_world *world)
{
    fnd_frame_field field = world->dynamics.field;
    if (field.falling) fnd_frame_field_move(&field, world->time);
    return field;
}

/* Frame of a root as a host has evaluated it, or at the committed state: that of its evaluation, if it is still there,
 * or one made in `room`. */
static inline const fnd_frame *fnd_world_frame(const fender_world *world, int root, bool host, fnd_frame *room)
{
    const fnd_dynamics *d = &world->dynamics;
    const fnd_body *body = &world->model.bodies[root];
    if (host) return &world->host_frames[root];
    const bool known = world->initialized && d->committed_fresh && d->frames_committed;
    if (known && fnd_body_integrated(body)) return &d->frames[root];
    *room = fnd_frame_of_state(body, &body->state);
    return room;
}

/* How accepted states are evaluated. */
static inline fnd_regime fnd_world_regime(const fender_world *world)
{
    return fnd_world_locates(world) ? FND_REGIME_ENDED : FND_REGIME_CLIPPED;
}
/* ---- Slots of objects whose first member is their name, NULL while the slot is free ---- */

/* Slot for a new object: the first free one, or `count`. */
int fnd_slot_free(const void *items, size_t size, int count, int gone);
/* Slot of the existing object with that index; -1: none. */
int fnd_slot_at(const void *items, size_t size, int count, int gone, int number);
/* A generation is never 0. */
static inline uint16_t fnd_generation_after(uint16_t generation)
{
    return generation == UINT16_MAX ? 1 : (uint16_t)(generation + 1);
}
FND_SLOT_IDS(sensor, sensors, fender_world, model.number)
/* Defines the public functions by which objects of a kind are visited: how many, and the one of a number, in the order
 * of their slots. */
#define FND_ENUMERATE(noun, plural, owner)                                                                         \
    int fender_##noun##_count(const fender_world *world)                                                           \
    {                                                                                                              \
        return world ? (owner).noun##_count - (owner).plural##_gone : 0;                                           \
    }                                                                                                              \
    fender_##noun##_id fender_##noun##_at(const fender_world *world, int index)                                    \
    {                                                                                                              \
        if (!world) return (fender_##noun##_id){0};                                                                \
        return fnd_##noun##_id(&(owner), fnd_slot_at((owner).plural, sizeof *(owner).plural, (owner).noun##_count, \
                                                     (owner).plural##_gone, index));                               \
    }
/* The same for those by which objects without an index of names are found and named: there are few. */
#define FND_FIND_BY_NAME(noun, plural, owner)                                                               \
    fender_status fender_##noun##_find(const fender_world *world, const char *name, fender_##noun##_id *id) \
    {                                                                                                       \
        if (!world || !id) return fnd_world_missing(NULL);                                                  \
        for (int i = 0; i < (owner).noun##_count; i++)                                                      \
            if (name && (owner).plural[i].name && strcmp((owner).plural[i].name, name) == 0) {              \
                *id = fnd_##noun##_id(&(owner), i);                                                         \
                return FENDER_STATUS_OK;                                                                    \
            }                                                                                               \
        return FENDER_STATUS_NAME;                                                                          \
    }                                                                                                       \
    const char *fender_##noun##_name(const fender_world *world, fender_##noun##_id id)                      \
    {                                                                                                       \
        return world && fnd_##noun##_live(&(owner), id) ? (owner).plural[id.index1 - 1].name : NULL;        \
    }
/* ARGUMENT: a definition that its _default function has not made, or one of another version of the header. */
fender_status fnd_world_check_size(size_t found, size_t expected, const char *type, fender_error *error);
/* Frees the memory of a load and its slot. */
void fnd_load_release(const fender_env *env, fnd_load *load);
void fnd_load_forget(fender_world *world, fnd_load *load);
/* ARGUMENT: a required pointer is NULL. */
fender_status fnd_world_missing(fender_error *error);
/* Are two shapes within the range that the world limits contacts to (`contact_limit_factor`)? */
bool fnd_pair_in_range(const fender_world *world, int a, int b);
fender_status fnd_world_stale(fender_error *error, const char *what);
/* A new name of the name space, or NAME. */
fender_status fnd_world_check_name(const fnd_name_index *index, uint32_t scope, const char *name, const char *what,
                                   fender_error *error);

#endif
