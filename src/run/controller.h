/* Controllers of a run: inputs sampled at exact times, updates, outputs set as commands. */
#ifndef FND_RUN_CONTROLLER_H
#define FND_RUN_CONTROLLER_H

#include <fender/command.h>

#include "run/resolve.h"
#include "support/memory.h"

typedef struct fnd_sampled_input {
    const fnd_controller_input *source;
    fender_channel channel;
    double scale, bias, noise, quantum;
    int64_t taken; /* samples so far: the next has this number */
    double *ring;  /* the last samples, sample k at k % size: those that are late wait here */
    int size;
} fnd_sampled_input;

typedef struct fnd_controller_state {
    const fnd_controller_description *source;
    const fender_controller *functions;
    void *state;
    struct fnd_fmu_import *import; /* of an FMU; else NULL */
    bool begun;                    /* init was called: there may be something to destroy */
    fnd_sampled_input *inputs;
    fender_command *outputs;
    double *values, *numbers; /* of inputs; of outputs, a vector takes three */
    const char **number_names;
    int number_count;
    int64_t next; /* update */
} fnd_controller_state;

typedef struct fnd_controller_list {
    fnd_controller_state *states;
    int count;
    double start_time;
    const fender_allocator *allocator;
    bool (*guard)(void *ctx, void (*call)(void *argument), void *argument, char *what, size_t size);
    void *guard_ctx;
} fnd_controller_list;

struct fender_run;
struct fnd_serializer;

/* Finds channels and commands and begins each controller. Diagnostics go to the resolver; false when there is no
 * memory. */
bool fnd_controllers_resolve(const fnd_resolver *resolver, const fender_run_def *def, const fender_allocator *allocator,
                             fnd_arena *arena, fnd_controller_list *list);
void fnd_controllers_release(fnd_controller_list *list);
/* The next time after now at which one is sampled or updated; INFINITY: none. */
double fnd_controllers_next_time(const fnd_controller_list *list, double now);
/* Samples and updates what is due at the state that was just accepted. CONTROLLER for one that fails. */
fender_status fnd_controllers_follow(struct fender_run *run, fender_error *error);
void fnd_controllers_serialize(struct fnd_serializer *w, fnd_controller_list *list);
/* CONTROLLER, naming it, when one has a state that it cannot save: such a run has no checkpoints. */
fender_status fnd_controllers_check_saving(const fnd_controller_list *list, fender_error *error);

#endif
