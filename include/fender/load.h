/* fender/load.h - forces and torques on bodies as functions of time. */
#ifndef FENDER_LOAD_H
#define FENDER_LOAD_H

#include "world.h"

typedef enum fender_signal_after { FENDER_AFTER_HOLD, FENDER_AFTER_ZERO } fender_signal_after;

typedef enum fender_signal_kind {
    FENDER_SIGNAL_ZERO,
    FENDER_SIGNAL_CONSTANT,
    FENDER_SIGNAL_RAMP,
    FENDER_SIGNAL_TABLE
} fender_signal_kind;
/* A vector as a function of time. */
typedef struct fender_signal {
    fender_signal_kind kind;
    fender_vec3 constant;      /* CONSTANT */
    fender_vec3 direction;     /* RAMP: value = direction / |direction| * rate * max(0, t - start) */
    double rate, start;        /* RAMP: 1/s, s */
    const double *times;       /* TABLE: strictly increasing [s]; zero before the first; copied by the load */
    const fender_vec3 *values; /* TABLE: linear between rows */
    int count;                 /* TABLE */
    fender_signal_after after; /* TABLE: after the last row */
} fender_signal;

typedef enum fender_axes { FENDER_AXES_WORLD, FENDER_AXES_BODY } fender_axes;
typedef struct fender_load_def {
    size_t size; /* of this struct: set by fender_load_def_default */
    const char *name;
    fender_body_id body;
    bool at_center;       /* acts at the centre of mass; else at `point` */
    fender_vec3 point;    /* m, in S */
    fender_signal force;  /* N */
    fender_signal torque; /* N m */
    fender_axes axes;     /* of force and torque: world, or the structure axes of the body */
    bool active;
    void *user_data;
} fender_load_def;
/* Defaults: at the centre of mass, world axes, no force, active. */
FENDER_API fender_load_def fender_load_def_default(void);
FENDER_API fender_status fender_load_create(fender_world *world, const fender_load_def *def, fender_load_id *id,
                                            fender_error *error);
FENDER_API fender_status fender_load_find(const fender_world *world, const char *name, fender_load_id *id);
/* NULL for a stale id. Lives as long as the load. */
FENDER_API const char *fender_load_name(const fender_world *world, fender_load_id load);
/* Destroys a load immediately, without a new fender_world_initialize. */
FENDER_API fender_status fender_load_destroy(fender_world *world, fender_load_id load, fender_error *error);
FENDER_API void *fender_load_get_user_data(const fender_world *world, fender_load_id load); /* NULL for a stale id */
FENDER_API fender_status fender_load_set_user_data(fender_world *world, fender_load_id load, void *user_data);
FENDER_API fender_status fender_load_set_active(fender_world *world, fender_load_id load, bool active);
FENDER_API fender_status fender_load_is_active(const fender_world *world, fender_load_id load, bool *active);
/* In order of creation; the null id past the end. */
FENDER_API int fender_load_count(const fender_world *world);
FENDER_API fender_load_id fender_load_at(const fender_world *world, int index);
/* Strings and tables in the definition are borrowed from the world; `active` is the present value. */
FENDER_API fender_status fender_load_get_def(const fender_world *world, fender_load_id load, fender_load_def *def);

#endif
