/* Prescribed motion of attached bodies relative to their parents, and what it makes of their trees. */
#ifndef FND_BODY_PART_H
#define FND_BODY_PART_H

#include "body/body.h"

enum { FND_PART_NUMBERS = 4 }; /* of a row: position x, y, z, angle */

/* A row and its first and second derivatives with respect to time. */
typedef struct fnd_part_row {
    double value[FND_PART_NUMBERS], rate[FND_PART_NUMBERS], second[FND_PART_NUMBERS];
} fnd_part_row;

/* The motion of one attached body. */
typedef struct fnd_part_motion {
    fender_vec3 axis, pivot; /* axis: unit, or zero */
    int count;
    double *times;
    fnd_part_row *rows;
    fender_pose X_PA;            /* the attachment: structure frame of the body in its parent's, before it moved */
    bool told;                   /* a command is in place of the rows */
    double since, duration;      /* s; of the command */
    fnd_part_row from;           /* at `since` */
    double to[FND_PART_NUMBERS]; /* where it rests at the end */
} fnd_part_motion;

/* The motion of a body's tree as seen from its root: `values` of all bodies, for bodies whose tree has moving parts. */
struct fnd_parts {
    double time; /* s; for which poses, composites and values are */
    int capacity;
    int active; /* bodies that move within a tree that has a state */
    fnd_moving values[];
};

fender_status fnd_part_check(const fender_part_motion *motion, double now, fender_error *error);
/* A copy of a motion that was checked; NULL: no memory. */
fnd_part_motion *fnd_part_create(const fender_env *env, const fender_part_motion *motion);
void fnd_part_destroy(const fender_env *env, fnd_part_motion *part);
/* Displacement at a time. */
fnd_part_row fnd_part_at(const fnd_part_motion *part, double time);
/* True if a body has a velocity or an acceleration by its own motion. */
bool fnd_part_moves(const fnd_body *body, double time);
/* The first time after `time` at which its third derivative jumps; INFINITY: none. */
double fnd_part_kink(const fnd_part_motion *part, double time);

/* Makes `moving` of all bodies point to the values of their trees, or NULL where the tree is rigid. */
void fnd_parts_bind(fnd_body *bodies, int count, fnd_parts *parts);
/* Poses, composites, places and values of all trees with moving parts at a time. */
void fnd_parts_move(fnd_body *bodies, int count, fnd_parts *parts, double time);

/* Keeps the present velocities as those at the start of a step. */
void fnd_parts_note_start(fnd_parts *parts);

/* Linear and angular momentum, kinetic energy, and their rates without forces known, of a subtree of a moving tree. */
typedef struct fnd_part_sums {
    double mass;
    fender_vec3 center, velocity, acceleration; /* W; of its centre of mass */
    fender_vec3 angular_momentum, rate;         /* W; about that centre */
    double kinetic_energy;
} fnd_part_sums;
/* `root_frame`: of the tree's root; its acceleration and angular acceleration in W, as those of the composite's centre
 * and of the root. */
fnd_part_sums fnd_part_sum(const fnd_body *bodies, int body, const fnd_frame *root_frame, fender_vec3 acceleration,
                           fender_vec3 angular_acceleration);
/* The same of the core of one body alone, in a rigid tree, too. */
fnd_part_sums fnd_part_core(const fnd_body *body, const fnd_frame *root_frame, fender_vec3 acceleration,
                            fender_vec3 angular_acceleration);
/* Rate of the angular velocity of the root of a moving tree, W, under a torque about the composite's centre. */
fender_vec3 fnd_part_root_turning(const fnd_body *root, const fnd_frame *root_frame, fender_vec3 torque);

#endif
