/* fender/controller.h - controllers: code outside the world that reads inputs at a fixed rate and sets outputs.
 *
 * A controller is a table of C functions. It comes from a shared library, from a program that hosts the run
 * (fender_run_def.controllers), from an FMU, or is built in. A library includes this header and defines one function:
 *
 *     static int update(void *state, double time, const double *inputs, double *outputs, char *message)
 *     {
 *         outputs[0] = inputs[0] < 10 ? 1 : 0;
 *         return 0;
 *     }
 *     const fender_controller *fender_controller_entry(void)
 *     {
 *         static const fender_controller controller = {FENDER_CONTROLLER_HEAD, "descent", NULL, update};
 *         return &controller;
 *     }
 *
 * Compile it by `cc -shared -fPIC -I INCLUDE -o descent.so descent.c`, and name it in a scenario (docs/models/
 * controllers.md). It is not linked with Fender. */
#ifndef FENDER_CONTROLLER_H
#define FENDER_CONTROLLER_H

#include "base.h"

/* Increases with incompatible changes of this interface. */
#define FENDER_CONTROLLER_VERSION 1
enum { FENDER_CONTROLLER_MESSAGE = 240, FENDER_CONTROLLER_NUMBERS = 64 };

/* What a controller is told at its start. Arrays and texts are valid during the call. */
typedef struct fender_controller_setup {
    uint32_t size;                                       /* of this struct */
    const char *name;                                    /* in the scenario */
    int input_count, output_count, parameter_count;      /* at most FENDER_CONTROLLER_NUMBERS each; an
                                                            output that is a vector counts as three */
    const char *const *input_names, *const *input_units; /* inputs are in SI units */
    const char *const *output_names, *const *output_units;
    const char *const *parameter_names;
    const double *parameters;          /* in SI units */
    double period, start_time;         /* s; between two updates; of the first update */
    const fender_allocator *allocator; /* of the run, for a state; lives as long as it */
    void *user;                        /* of the host's controller; else NULL */
} fender_controller_setup;

/* Functions return 0, or any other number after writing what is wrong to `message` (FENDER_CONTROLLER_MESSAGE bytes,
 * empty before the call). A controller must depend on its state, the time and its inputs alone, so that a run can be
 * repeated, and must not use global variables: a study runs several at once. */
typedef struct fender_controller {
    uint32_t size, version; /* FENDER_CONTROLLER_HEAD */
    const char *name;
    /* Creates the state of one run. NULL: there is none (state is then NULL). One that fails leaves no state. */
    int (*init)(const fender_controller_setup *setup, void **state, char *message);
    /* Called once for each sample, in order; required. `time` is that of the sample. `outputs` holds the previous
     * outputs (at first those of the world) and what it returns stays in force until the next sample. */
    int (*update)(void *state, double time, const double *inputs, double *outputs, char *message);
    /* Writes the state to `bytes` if it fits, and returns its size; -1: it cannot. For checkpoints. A controller with a
     * state but without these cannot be resumed. */
    int64_t (*save)(void *state, void *bytes, size_t capacity);
    int (*restore)(void *state, const void *bytes, size_t size, char *message);
    /* NULL: nothing to release. Also called after an update that has failed, but not after one that crashed or hung. */
    void (*destroy)(void *state);
} fender_controller;
#define FENDER_CONTROLLER_HEAD (uint32_t)sizeof(fender_controller), FENDER_CONTROLLER_VERSION

/* Defined by a library; never NULL. */
FENDER_API const fender_controller *fender_controller_entry(void);

#endif
