/* Controllers that are built in: their parameters. */
#ifndef FND_CONTROL_BUILTIN_H
#define FND_CONTROL_BUILTIN_H

#include <fender/controller.h>

typedef enum fnd_builtin_kind {
    FND_BUILTIN_TABLE,       /* outputs as functions of time */
    FND_BUILTIN_PD,          /* proportional and derivative, for each output */
    FND_BUILTIN_PHASE_PLANE, /* on and off by a switching line, for each output */
    FND_BUILTIN_SEQUENCE     /* steps that last a time or until an input passes a bound */
} fnd_builtin_kind;

/* Of a PD or a phase plane for one output: input 2 i is its value, input 2 i + 1 its rate. */
typedef struct fnd_builtin_axis {
    double target;
    double proportional, derivative, offset; /* PD: offset + proportional (target - value) - derivative rate */
    double least, most;                      /* limits of the output */
    /* Phase plane: e = target - value - lead rate; on above the deadband, off again below deadband - hysteresis */
    double lead, deadband, hysteresis, level;
} fnd_builtin_axis;

typedef struct fnd_builtin_step {
    double duration;      /* s; INFINITY: until the input alone */
    int input;            /* -1: the time alone */
    double above, below;  /* it ends when the input is above or below; INFINITY, -INFINITY: no bound */
    const double *values; /* an output each; NaN: stays */
} fnd_builtin_step;

typedef struct fnd_builtin {
    fnd_builtin_kind kind;
    int output_count;
    const double *rows; /* TABLE: time [s] and a value for each output */
    int row_count;
    bool hold;                     /* TABLE: values last until the next row; else linear between rows */
    const fnd_builtin_axis *axes;  /* PD, PHASE_PLANE: output_count */
    const fnd_builtin_step *steps; /* SEQUENCE */
    int step_count;
} fnd_builtin;

/* The functions of a kind; fender_controller_setup.user is its fnd_builtin, which must live as long as the state. */
const fender_controller *fnd_builtin_controller(fnd_builtin_kind kind);

#endif
