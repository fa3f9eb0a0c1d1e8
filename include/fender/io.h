/* fender/io.h - scenario files, channels, recording, runs, reports. Library fender_io; it uses only the public
 * headers of the core.
 *
 * Loaders report every diagnostic through env->report, sorted by place, and return the first in the error. */
#ifndef FENDER_IO_H
#define FENDER_IO_H

#include "command.h"
#include "controller.h"
#include "fender.h"
#include "units.h"

/* ---- scenarios ---- */

/* A validated scenario, format version 1 (docs/formats/scenario.md). Immutable. */
typedef struct fender_scenario fender_scenario;

/* --set PATH=VALUE: VALUE is YAML text that replaces or adds the value at PATH ("bodies.veh2.state.velocity.x"). */
typedef struct fender_override {
    const char *path, *value;
} fender_override;

/* Loads a scenario. registry NULL: the built-in laws. The scenario holds the registry; plug-ins that it names
 * (`plugins`, see fender_registry_load) are loaded into its own registry. NULL on failure. `parse` reads text from
 * memory: `name` is the file name in messages, and includes are relative to the working directory. */
FENDER_API fender_scenario *fender_scenario_load(const fender_env *env, const fender_registry *registry,
                                                 const char *path, const fender_override *overrides, int override_count,
                                                 fender_error *error);
FENDER_API fender_scenario *fender_scenario_parse(const fender_env *env, const fender_registry *registry,
                                                  const char *name, const char *text, size_t length,
                                                  const fender_override *overrides, int override_count,
                                                  fender_error *error);
/* Loads the scenario of a run from its directory: all its files and --set options as they were when the run began.
 * FILE if a plug-in is missing or has changed. */
FENDER_API fender_scenario *fender_scenario_load_run(const fender_env *env, const fender_registry *registry,
                                                     const char *run_directory, fender_error *error);
FENDER_API void fender_scenario_destroy(fender_scenario *scenario);
FENDER_API const char *fender_scenario_title(const fender_scenario *scenario); /* "" when there is none */
/* Builds an initialized world. Objects that the world refuses (an inertia, a duplicate rule) are reported at their
 * place in the file. */
FENDER_API fender_world *fender_scenario_build(const fender_scenario *scenario, const fender_env *env,
                                               fender_error *error);
/* File and line of the definition of a rule; "" and 0 for a stale id. */
FENDER_API const char *fender_scenario_rule_location(const fender_scenario *scenario, fender_rule_id rule, int *line);

/* A value of the section `parameters`. Strings live as long as the scenario. */
typedef struct fender_scenario_parameter {
    const char *name;
    const char *given; /* as it is written, perhaps an expression; "" for a list or a map */
    const char *value; /* computed: "6 t", "60000 kg/s^2", "[0, 0, 5, m]" */
    const char *file;  /* where it is written */
    int line;
} fender_scenario_parameter;
/* In the order of the file; false past the end. */
FENDER_API bool fender_scenario_parameter_at(const fender_scenario *scenario, int index,
                                             fender_scenario_parameter *parameter);

/* A parameter of a contact type that was derived from design targets (`damping: {ratio: 0.1, mass: 388 kg}`).
 * Strings live as long as the scenario. */
typedef struct fender_scenario_derivation {
    const char *contact_type, *part; /* part: "law", "normal", "friction" and so on */
    const char *parameter, *unit;
    const char *from;     /* "ratio 0.1, mass 388 kg" */
    const char *relation; /* "c = 2 ratio sqrt(mass k)" */
    const char *file;     /* where it is written */
    int line;
    double value; /* SI */
} fender_scenario_derivation;
/* In the order of contact types and their parameters; false past the end. */
FENDER_API bool fender_scenario_derivation_at(const fender_scenario *scenario, int index,
                                              fender_scenario_derivation *derivation);
/* The formula of a contact type whose law under `part` ("normal", "friction") is one, as it is written. NULL: that law
 * is none, or there is no such type. The text lives as long as the scenario. */
FENDER_API const char *fender_scenario_formula(const fender_scenario *scenario, const char *contact_type,
                                               const char *part);

/* ---- channels ---- */

/* A value of a world that is read by path: "bodies.veh1.velocity.x", "contacts.veh1.hull:veh2.hull.depth",
 * "ledger.energy.residual", "loads.push.active", "events.begin.count", "time". A path may name a whole vector (all
 * components) and may contain `*` for any name. */
typedef struct fender_channel {
    char name[192]; /* full path of one number */
    char unit[24];
    /* how to read it: private */
    int source, component;
    uint64_t a, b;
    const fender_field *field;
} fender_channel;

/* Finds the channels of a pattern in a fixed order (order of creation, then order of fields). *count is their
 * number; at most `capacity` are written. NAME with a suggestion if nothing matches. */
FENDER_API fender_status fender_channel_find(const fender_world *world, const char *pattern, fender_channel *channels,
                                             int capacity, int *count, fender_error *error);
/* Reads the committed value. Contacts that do not exist read 0, except for separation and values of the closest
 * approach. A channel stays with its objects while others are created and destroyed; NaN when one of its own was
 * destroyed. It may also be read in another world that was built by the same calls. */
FENDER_API double fender_channel_read(const fender_world *world, const fender_channel *channel);
/* Enumerates the available channels, for `fender info channels`: false past the end. */
typedef struct fender_channel_kind {
    char path[64];          /* "bodies.NAME.velocity" */
    const char *unit, *doc; /* static strings */
} fender_channel_kind;
FENDER_API bool fender_channel_kind_at(int index, fender_channel_kind *kind);

/* ---- recording ---- */

/* Writes channels to a file. CSV by default: header `time [s],bodies.veh1.position.x [m],...`, numbers that read
 * back to the same bits. If `path` ends in .trk: Trick's binary format (version 10, doubles, the time first). If it
 * ends in .h5 or .hdf5: an HDF5 file with one group, named as the file without its extension, and a dataset for each
 * column. HDF5 returns NOT_BUILT in builds without it. The HDF5 library does not allocate from `env` and must be
 * thread-safe (Debian's is) if several threads record. Allocates only when opened. Every row is complete in the file
 * after at most one flush interval; close writes the rest. */
typedef struct fender_recorder fender_recorder;
FENDER_API fender_recorder *fender_recorder_create(const fender_env *env, const fender_world *world, const char *path,
                                                   const fender_channel *channels, int count, fender_error *error);
/* Writes a row. STALE_ID, and no row, when an object that a channel reads was destroyed. */
FENDER_API fender_status fender_recorder_sample(fender_recorder *recorder, fender_error *error);
FENDER_API int64_t fender_recorder_rows(const fender_recorder *recorder);
/* Closes and frees the recorder, also on failure. Accepts NULL. */
FENDER_API fender_status fender_recorder_close(fender_recorder *recorder, fender_error *error);

/* ---- runs ---- */

typedef struct fender_run fender_run;

typedef struct fender_progress {
    double time, until; /* s, simulated */
    int64_t step;
    double wall_time; /* s since execute began */
} fender_progress;

/* A controller of the program that makes the run: the one that a scenario names by `host: NAME`. */
typedef struct fender_host_controller {
    const char *name;
    const fender_controller *functions;
    void *user; /* fender_controller_setup.user */
} fender_host_controller;

typedef struct fender_run_def {
    const fender_scenario *scenario;
    const char *output_directory; /* NULL: no files are written. Created if missing; overwritten only if it was created
                                     by a run */
    const char *command_line;     /* for summary.json; may be NULL */
    /* Called about ten times per second of wall time; may be NULL. Returning false ends the run at an accepted step
     * (INTERRUPTED). */
    bool (*progress)(void *ctx, const fender_progress *progress);
    void *progress_ctx;
    /* Continues an interrupted run (killed, interrupted, a full disk) from its newest complete checkpoint in
     * output_directory, with the same bits and files as an uninterrupted run. The scenario must be that of the run
     * (fender_scenario_load_run). run.checkpoint_every of the scenario controls checkpoints, and the command line is
     * that of the run. Execute returns FILE if the directory or a checkpoint is missing or another run uses it, and
     * STATE if the run is complete; nothing is changed then. A run that a host has commanded is resumed by
     * fender_run_open alone: all other first calls return FILE. */
    bool resume;
    /* Directory of a run with which this one is compared, hash by hash (its hashes.csv); NULL: none. The run ends
     * after the last hash, or at the first that differs. The summary contains the result. */
    const char *verify_directory;
    /* Directory of a run whose host's commands and stops (its commands.csv) are repeated; NULL: none. verify_directory
     * implies it. */
    const char *repeat_directory;
    const fender_host_controller *controllers; /* borrowed by the run, with all they point to */
    int controller_count;
    /* Calls `call(argument)`, functions of a controller, such that a crash or a hang in it comes back: false, with what
     * happened in `what`. NULL: they are called directly. */
    bool (*guard)(void *ctx, void (*call)(void *argument), void *argument, char *what, size_t size);
    void *guard_ctx;
    /* Execute returns OK even if the verdict is not SOUND, for callers that inspect the summary. */
    bool accept_residual;
} fender_run_def;

/* Verdict on the results of a run. If the residual exceeds its bound, error estimates are invalid: all are infinite. */
typedef enum fender_run_verdict {
    FENDER_RUN_SOUND,    /* the energy residual is within residual_bound */
    FENDER_RUN_DOUBTFUL, /* it is not, or an error stopped the run */
    FENDER_RUN_NO_RESULT /* the residual is half of the energy at work or more */
} fender_run_verdict;

/* One contact from begin to end. */
typedef struct fender_episode {
    char contact[256];
    double begin_time, end_time;          /* s; end NaN: still touching */
    double peak_force, peak_force_time;   /* N, s; of the normal force */
    double peak_pull, peak_pull_time;     /* N, s; of its attraction, at accepted states; 0 without */
    double peak_depth, impulse;           /* m; N s, of the normal force */
    double approach_speed, rebound_speed; /* m/s */
    fender_contact_errors errors;         /* estimates */
} fender_episode;
typedef struct fender_closest_approach {
    char contact[256];
    double distance, time; /* m, s; the least at an accepted state */
    double least;          /* m; lower bound between two states: distance minus the motion of both in half a step */
} fender_closest_approach;
typedef struct fender_expectation_result {
    bool met;
    double value, expected, within; /* expected and within NaN when the expectation is a bound or an event */
    const char *text;               /* "bodies.veh1.velocity.x at end: -1.7680850 m/s, expected ..." */
    const char *source;             /* where the expected value comes from */
    const char *file;
    int line;
} fender_expectation_result;

/* An attachment that an action made or moved. Names live as long as the run. */
typedef struct fender_attachment {
    double time; /* s */
    const char *action, *child, *parent;
    bool reattached; /* it was attached before, and was moved */
    fender_attach_report report;
} fender_attachment;
/* An event that an action emitted. */
typedef struct fender_emission {
    double time; /* s */
    const char *event, *action;
} fender_emission;

/* Contacts of two bodies with each other, over all their shapes. */
typedef struct fender_body_pair_summary {
    const char *a, *b;                  /* a was created first */
    int64_t contact_count;              /* contacts that began */
    int64_t lasting_count;              /* contacts that have not ended */
    double begin_time, end_time;        /* s; of the first, and of the last to end; end NaN: still touching */
    double peak_force, peak_force_time; /* N, s; largest magnitude of the sum of their forces at accepted states */
    double impulse;                     /* N s; sum of the impulses of the normal forces */
    double energy_lost;                 /* J; in damping and friction */
    bool several;                       /* more than one pair of shapes has touched */
} fender_body_pair_summary;
/* A link over a run. */
typedef struct fender_link_summary {
    const char *link;
    double peak_force, peak_force_time; /* N, s; as in fender_link_data */
    double shortest, longest;           /* m; length while switched on, as in fender_link_data; NaN: it never was */
    double stroke_left;                 /* m; the least; NaN: it has no stroke */
    double energy_lost, crushed;        /* J, m; as in fender_link_data, at the end */
    bool active, spent, broken, captured;
} fender_link_summary;

typedef struct fender_run_summary {
    const char *title, *output_directory;
    int body_count, shape_count;
    int64_t pair_count; /* shape pairs that may touch */
    const char *method;
    double relative_tolerance;    /* of an adaptive method; 0: fixed step */
    double step, until, end_time; /* s; of the scenario; reached */
    double wall_time;             /* s; that the run has taken */
    int64_t step_count;
    bool interrupted;
    uint64_t hash;
    fender_ledger start, end;
    /* over all accepted steps */
    double largest_linear_drift, largest_angular_drift; /* N s, N m s */
    double largest_residual;                            /* J */
    double residual_bound; /* fraction of the ledger's scale above which the verdict is not SOUND */
    fender_run_verdict verdict;
    const char *const *reasons; /* of a verdict that is not SOUND: sentences without a full stop */
    int reason_count;
    const char *energy_remedy; /* of an energy that no shorter step keeps: what does; NULL: a shorter step may */
    int64_t modes_frozen;      /* fender_world_freeze_count, and the last contact's shapes */
    fender_shape_id frozen_a, frozen_b;
    const fender_episode *episodes;
    int episode_count;
    int64_t episodes_dropped;                   /* beyond the table's size (the first 10,000 are kept) */
    const fender_body_pair_summary *body_pairs; /* in the order of their first contacts, at most 100 */
    int body_pair_count;
    int64_t body_pair_contacts_dropped; /* contacts of further pairs */
    const fender_link_summary *links;   /* in the order of creation */
    int link_count;
    const fender_closest_approach *approaches; /* of pairs that never touched, at most 100 */
    int approach_count;
    const fender_attachment *attachments; /* the first 1000 */
    int attachment_count;
    int64_t attachments_dropped;
    const fender_emission *emissions; /* the first 1000 */
    int emission_count;
    int64_t emissions_dropped;
    const fender_expectation_result *expectations;
    int expectation_count, expectations_met;
    const char *const *files; /* written files with their rows: "log.csv (1001 rows)" */
    int file_count;
    /* With verify_directory: number of hashes that agree; steps of the last equal and the first different one; -1: none
     */
    int64_t hashes_compared, agreement_step, difference_step;
    double difference_time; /* s */
    double residual_floor;  /* J; what rounding may add to the bound, if the residual exceeds it; else 0 */
} fender_run_summary;

/* "sound", "doubtful", "no result". */
FENDER_API const char *fender_run_verdict_name(fender_run_verdict verdict);

/* Builds the world and resolves channels, conditions and expectations (errors with their places). Opens no files. */
FENDER_API fender_run *fender_run_create(const fender_env *env, const fender_run_def *def, fender_error *error);
/* Runs to the end. Returns OK; INTERRUPTED; RESIDUAL if the verdict is not SOUND; EXPECTATION if only an expectation
 * was missed; or the error that stopped the run. The files are readable in every case, and the summary describes the
 * run so far. */
FENDER_API fender_status fender_run_execute(fender_run *run, fender_error *error);

/* Instead of fender_run_execute, a host may step a run by itself: actions, records, checkpoints, replay, summary and
 * report are those of an executed run. The first call opens the run. After a failure all calls but finish repeat it.
 * One thread at a time.
 *
 *     fender_run_open(run, &error);
 *     double time = fender_world_time(fender_run_world(run));
 *     while (!fender_run_advance_to(run, time += 0.02, &more, &error) && more)
 *         fender_run_set_command(run, &throttle, &value, &error);
 *     fender_run_finish(run, &error); */
/* Opens the files and takes in the state at the start or, with `resume`, at the checkpoint. The world then has its
 * time: the host sets its commands from there on, as those after the checkpoint are not kept. Does nothing to a run
 * that is open. */
FENDER_API fender_status fender_run_open(fender_run *run, fender_error *error);
/* To the next accepted state, which may be an event within a step. *more (may be NULL): the run has not ended. */
FENDER_API fender_status fender_run_step(fender_run *run, bool *more, fender_error *error);
/* To a time that is not past, exactly, by as many steps as it takes; a step ends there. Stays where the run ends. */
FENDER_API fender_status fender_run_advance_to(fender_run *run, double time, bool *more, fender_error *error);
/* Sets a command of the run's world (fender_command_find, fender_run_world) at the present state. It is written to
 * commands.csv of the run directory, as are the times of fender_run_advance_to: `fender replay` repeats them. */
FENDER_API fender_status fender_run_set_command(fender_run *run, const fender_command *command, const double *values,
                                                fender_error *error);
/* Closes the files and writes the summary, which says "host" if the run had not come to its end. Returns what execute
 * would. */
FENDER_API fender_status fender_run_finish(fender_run *run, fender_error *error);
/* May be called from a signal handler or another thread. */
FENDER_API void fender_run_cancel(fender_run *run);
/* Borrowed from the run, whose steps change it: it is complete after fender_run_finish. NULL for NULL. */
FENDER_API const fender_run_summary *fender_run_get_summary(const fender_run *run);
FENDER_API const fender_world *fender_run_world(const fender_run *run);
/* As fender_channel_find and fender_channel_read, including what only a run knows: the numbers of events since its
 * start, emitted ones too, and slides. A slide is followed if it was found before the first step of the run; otherwise,
 * and by fender_channel_read, it is NaN. */
FENDER_API fender_status fender_run_channel_find(fender_run *run, const char *pattern, fender_channel *channels,
                                                 int capacity, int *count, fender_error *error);
FENDER_API double fender_run_channel_read(const fender_run *run, const fender_channel *channel);
FENDER_API void fender_run_destroy(fender_run *run); /* accepts NULL */

/* Writes one self-contained HTML page of a run directory, with a replay and plots. */
FENDER_API fender_status fender_report_write(const fender_env *env, const char *run_directory, const char *html_path,
                                             fender_error *error);

/* Exports the bodies of a run with their shapes, links and contact forces over time. At most `frames` states are
 * written, spaced evenly (0: 200), including the last. Curved shapes have vertices every 15 degrees; planes are
 * squares as large as the scene; roundings, points, clouds, probes and user geometries are omitted. Links are drawn
 * while they hold. PARSE if the files of the directory are inconsistent. */
/* glTF 2.0 (binary, .glb): a node for each body, link and contact pair, one animation. Numbers are floats relative
 * to the first position of the first body and the first time, which are stored in the node "world" (`extras.origin`
 * [m], `start_time` [s]); z becomes glTF's y. Forces are arrows with the scale `extras.newtons_per_metre` of their
 * group. A warning is reported where a body turns by more than 90 degrees from one frame to the next: players take the
 * short way. */
FENDER_API fender_status fender_export_gltf(const fender_env *env, const char *run_directory, const char *path,
                                            int frames, fender_error *error);
/* VTK for ParaView: `folder`/run.pvd, and for each state a .vtp file per body, one for the contacts and one for the
 * links, in doubles, W. The folder is created if missing; files of the same names are overwritten. */
FENDER_API fender_status fender_export_vtk(const fender_env *env, const char *run_directory, const char *folder,
                                           int frames, fender_error *error);

#endif
