/* A run: everything that was resolved at its creation and is followed while it executes. */
#ifndef FND_RUN_RUN_H
#define FND_RUN_RUN_H

#include <stdatomic.h>

#include "run/action.h"
#include "run/controller.h"
#include "run/episode.h"
#include "run/expectation.h"
#include "run/host.h"
#include "run/recording.h"
#include "run/replay.h"
#include "run/tally.h"
#include "run/watch.h"
#include "support/memory.h"

enum { FND_SUMMARY_EVENTS = 1000 };

typedef enum fnd_run_end {
    FND_END_NONE,
    FND_END_UNTIL,
    FND_END_CONDITION,
    FND_END_ACTION,
    FND_END_HOST,
    FND_END_INTERRUPT,
    FND_END_ENERGY,   /* it grew without a source */
    FND_END_COMPARED, /* with all hashes of another run, or until one differed */
    FND_END_ERROR
} fnd_run_end;

/* Before its first state is taken in, while it goes on or has come to its end, after its files are closed. */
typedef enum fnd_run_phase { FND_RUN_CREATED, FND_RUN_OPEN, FND_RUN_CLOSED } fnd_run_phase;

struct fender_run {
    fender_env env;
    fnd_arena arena; /* owns every text and array below */
    const fender_scenario *scenario;
    fender_world *world;
    const char *directory, *command_line; /* NULL: none */
    bool (*progress)(void *ctx, const fender_progress *progress);
    void *progress_ctx;
    atomic_int cancelled;
    fnd_run_phase phase;
    bool last;            /* it ends with the present state */
    fender_status status; /* of what has been done so far, with `failure` */
    fnd_host_log host;

    int64_t last_step;
    bool adaptive, located;      /* of the world's method */
    fnd_instant instant;         /* the last accepted state */
    fnd_event_names event_names; /* that actions emit */
    int64_t *event_counts;       /* of the world's kinds, then of those */
    fnd_slides slides;
    fnd_history history;  /* of both */
    fender_event *events; /* the first ones */
    int event_count;
    fnd_condition_tree stop_when;
    fnd_action_list actions;
    fnd_step_watch watch;
    fnd_controller_list controllers;
    bool stopped; /* by an action */
    int64_t action_frames;
    fnd_expectation_table expectations;
    fnd_episode_table episodes;
    fnd_approach_table approaches;
    fnd_tally tally;

    fnd_recording_list recordings;
    fnd_table event_table;
    fnd_table_mark event_mark;
    fnd_frames frames;
    fnd_hash_log hashes;
    fnd_hash_check recorded; /* hashes to compare with */
    bool verifying;
    bool resume; /* goes on from a checkpoint */
    bool hosted; /* opened by a host, which knows of its commands */
    uint64_t scenario_hash;
    int64_t checkpoint_number; /* intervals that had passed at the last one; -1: none yet */
    int checkpoint_slot;       /* where the next one goes */
    int directory_lock;        /* descriptor; -1: none */
    bool directory_ready;      /* its summary marks it */
    int64_t event_rows;
    const char **file_texts; /* for the summary */
    char (*file_buffers)[320];

    double start_wall, next_progress; /* s */
    fnd_run_end end;
    fender_error failure; /* what stopped it */
    fender_run_summary summary;
    bool accept_residual;
    bool values_only;               /* no list of contacts, no approaches: the end and expectations alone are wanted */
    double growth_start;            /* J; residual when it became most of the energy at work; 0: it is not */
    char reason[1024], remedy[320]; /* of the verdict */
    const char *reasons[2];
};

/* As fender_run_create. `values_only`: of its summary end, ledger, hash, verdict and expectations are wanted. */
fender_run *fnd_run_create(const fender_env *env, const fender_run_def *def, bool values_only, fender_error *error);
/* Opens the files and takes in the first state; goes on to the next accepted state. Both leave what fails in the run.
 */
void fnd_run_begin(fender_run *run);
void fnd_run_go(fender_run *run);
/* Takes in a state that a host has integrated and committed in the world of a run that has begun. */
fender_status fnd_run_take_in(fender_run *run, fender_error *error);
/* run->status, with its error. */
fender_status fnd_run_status(const fender_run *run, fender_error *error);
/* Is the present state that of the time, but for rounding? */
bool fnd_run_is_at(const fender_run *run, double time);
/* Of a point of the grid. */
double fnd_run_grid_time(const fender_run *run, int64_t step);
/* The instant of the present state. */
fnd_instant fnd_run_instant(const fender_run *run, int64_t step, bool on_grid);
/* Updates at a state that is sampled within a step: rows, extremes, drifts. */
fender_status fnd_run_sample(fender_run *run, fender_error *error);
/* From an accepted state to the next. Records what falls between, and ends where a condition becomes true. */
fender_status fnd_run_advance(fender_run *run, fender_error *error);
/* Takes in the events of the moment: counts them, and tells all that follow events. Called for those of a step, and for
 * those of every operation of an action. */
fender_status fnd_run_note_events(fender_run *run, fender_error *error);
/* Part of the energy at work beyond which a residual is warned of: what the scenario says, or what the method can do.
 */
double fnd_residual_bound(const fender_scenario *scenario);
/* True if the energy grows without a source, so that continuing is pointless. */
bool fnd_run_grows(fender_run *run);
/* The verdict of the summary: the contact that adds up worst, and what to try. Error estimates of contacts become
 * infinite when it is not sound. */
void fnd_run_judge(fender_run *run);
/* The verdict on the energy up to the present state, with reason and remedy; for runs that keep values only. */
fender_run_verdict fnd_run_judge_so_far(fender_run *run);
/* Tells of a verdict that is not sound, through env->report. */
void fnd_run_warn_of_residual(const fender_run *run);
/* The same of shapes that lie deep in each other before the first step. */
void fnd_run_warn_of_overlap(const fender_run *run);
/* The first of these; false: there is none. */
bool fnd_run_overlaps(const fender_run *run, char *text, size_t size);
/* Warns of bodies whose inertia and shapes belong to bodies of other sizes. */
bool fnd_run_warn_of_sizes(const fender_run *run); /* false: no memory */
/* Warns of links that push apart points that coincide, in a direction that nothing tells. */
void fnd_run_warn_of_links(const fender_run *run);
/* A note through env.report for each event of such a contact among those of the moment. */
void fnd_debug_tell(const fender_run *run);
/* Pairs that pass through each other, to env->report: without a rule, or without a contact function. */
void fnd_run_warn_of_pairs(const fender_run *run);
/* FENDER_GEOMETRY_TYPE_COUNT: there is no such shape. */
fender_geometry_type fnd_shape_type(const fender_world *world, fender_shape_id shape);
/* Two such shapes touch with patches. */
bool fnd_geometry_has_patches(fender_geometry_type type);
/* Does the law act, and attract, beyond touch? */
bool fnd_law_holds_apart(const fender_law *law, const fender_contact_type_def *type);
/* It came to its end, and was not cut short. */
static inline bool fnd_run_is_complete(const fender_run *run)
{
    return run->end == FND_END_UNTIL || run->end == FND_END_CONDITION || run->end == FND_END_ACTION ||
           run->end == FND_END_HOST;
}
/* Writes summary.json as it is before the end, with "complete": false and room for how it will end. */
fender_status fnd_summary_begin(const fender_run *run, fender_error *error);
/* Writes summary.json. */
fender_status fnd_summary_write(const fender_run *run, fender_error *error);
/* For when that failed, as on a full disk: writes over what the first one holds, in its room, how the run ended;
 * without contacts, events and expectations. */
void fnd_summary_write_over(const fender_run *run);
/* Writes scene.json and scenario.yaml. */
fender_status fnd_scene_write(const fender_run *run, fender_error *error);
/* The text of scenario.yaml. */
void fnd_scenario_copy_append(const fender_run *run, fnd_buffer *to);
fender_status fnd_scenario_copy_write(const fender_run *run, fender_error *error);
/* Writes scenario.sources: everything that a repetition reads. */
fender_status fnd_sources_write(const fender_run *run, fender_error *error);

#endif
