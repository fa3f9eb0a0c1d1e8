/* A rigid body: what it is, and its committed state. (The mass tree will make composites of several; a body is a root
 * today.) */
#ifndef FND_BODY_BODY_H
#define FND_BODY_BODY_H

#include <fender/fender.h>
#include <fender/spatial.h>

/* State of the body axes at the centre of mass: what is integrated. */
typedef struct fnd_state {
    fender_vec3 p;       /* m, W; centre of mass */
    fender_quaternion q; /* q_WB */
    fender_vec3 v;       /* m/s, W */
    fender_vec3 L; /* N m s, W; angular momentum about the centre (dynamic bodies) or angular velocity in W (others) */
} fnd_state;

/* Quantities that each stage derives from a state. */
typedef struct fnd_frame {
    fender_vec3 p, v, w; /* w: angular velocity, W */
    fender_quaternion q; /* q_WB */
    fender_mat3 R_WB;
} fnd_frame;

/* A commanded motion of a prescribed body, in place of its path. */
typedef enum fnd_motion_kind { FND_MOTION_PATH, FND_MOTION_STEADY, FND_MOTION_MOVE } fnd_motion_kind;
typedef struct fnd_motion {
    int kind;
    double since, duration; /* s */
    fender_body_state from; /* at `since` */
    fender_vec3 to;         /* m, W; at the end of a move */
    fender_vec3 turn;       /* rad, W; from the attitude at `since` to that at the end */
} fnd_motion;

/* Motion of a body relative to the root of its tree, in body axes of the root: the point of the body at a place x from
 * the composite's centre has the relative velocity v + w x x and the relative acceleration a + turning x x + w x (w x
 * x). The other members are those of a root. */
typedef struct fnd_moving {
    fender_vec3 v, w, a, turning;
    fender_vec3 center, center_rate, center_second; /* core's centre from the composite's, and its derivatives */
    fender_vec3 h, h_rate;                          /* N m s; relative angular momentum about the composite's centre */
    fender_mat3 inertia_rate;                       /* kg m^2/s */
    double energy, power;                           /* J, W; relative kinetic energy and its rate */
    fender_vec3 v_before, w_before;                 /* at the start of a step, for continuous collision detection */
} fnd_moving;
typedef struct fnd_parts fnd_parts;

typedef struct fnd_body {
    /* what every step reads */
    char *name; /* NULL: destroyed; the slot is free */
    fender_motion motion;
    int parent;                   /* mass tree; -1: none */
    int root;                     /* the body that is integrated, of its tree: derived by fnd_tree_layout */
    bool spherical;               /* inertia is a multiple of the identity, and the tree rigid */
    const fnd_moving *moving;     /* NULL: the tree is rigid */
    struct fnd_part_motion *part; /* its own motion relative to its parent; NULL: none */
    /* composite: of the body and all that is attached to it */
    double mass, inverse_mass;            /* inverse 0 unless dynamic */
    fnd_state state;                      /* committed; of a root only */
    fender_mat3 inverse_inertia, inertia; /* in B */
    fender_vec3 center_S;
    fender_quaternion q_SB;
    fender_vec3 root_center_S; /* composite centre of the root, in S */
    fender_quaternion q_RS;    /* S to body axes of the root */
    /* the rest */
    uint16_t generation;
    void *user_data;
    fender_mass_properties core;               /* centre in S, inertia in B */
    int first_child, last_child, next_sibling; /* mass tree; -1: none */
    int connection_child, connection_parent;   /* named when the link above was made */
    int connection_order;                      /* rises with every link made */
    fender_pose X_PS;                          /* in the parent's structure frame */
    bool part_ended;                           /* its own motion, by reattaching or detaching: it stays where it is */
    fender_mass_flow flow;
    fender_body_def def; /* as created; name, path point to memory of the body */
    double *path_times;
    fender_vec3 *path_positions, *path_velocities; /* velocities of cubics, else NULL */
    int path_count;
    fnd_motion motion_command;
} fnd_body;

/* Mass, centre and inertia: positive, finite, symmetric, definite (of a body that is mass only, perhaps zero), against
 * no triangle inequality. */
fender_status fnd_mass_check(const fender_mass_properties *properties, fender_motion motion, bool lenient,
                             fender_error *error);
/* Checks a definition (not its name). */
fender_status fnd_body_check(const fender_body_def *def, fender_error *error);
/* Fills a cleared body; on failure frees what it took. */
fender_status fnd_body_init(const fender_env *env, fnd_body *body, const fender_body_def *def, fender_error *error);
void fnd_body_release(const fender_env *env, fnd_body *body);

static inline bool fnd_body_dynamic(const fnd_body *body) { return body->motion == FENDER_MOTION_DYNAMIC; }
/* True if the state of the body is integrated. */
static inline bool fnd_body_integrated(const fnd_body *body) { return fnd_body_dynamic(body) && body->parent < 0; }

/* Between the structure frame's state and the integrated one. */
fnd_state fnd_state_from_structure(const fnd_body *body, const fender_body_state *state);
fender_body_state fnd_structure_from_frame(const fnd_body *body, const fnd_frame *frame);
fnd_frame fnd_frame_of_state(const fnd_body *body, const fnd_state *state);
/* Angular velocity in W from angular momentum and attitude (which a spherical body does not need). */
static inline fender_vec3 fnd_angular_velocity(const fnd_body *body, const fender_mat3 *R_WB, fender_vec3 L)
{
    if (body->spherical) return fender_vec3_scale(body->inverse_inertia.m[0][0], L);
    fender_vec3 L_B = fender_mat3_transpose_times(R_WB, L);
    return fender_mat3_times(R_WB, fender_mat3_times(&body->inverse_inertia, L_B));
}
/* The same of a root whose parts move, from L = J w + h. */
fender_vec3 fnd_part_angular_velocity(const fnd_body *root, const fender_mat3 *R_WB, fender_vec3 L);
/* Of a rigid tree. */
static inline void fnd_frame_pose(const fnd_body *body, const fnd_state *state, fnd_frame *frame)
{
    frame->p = state->p;
    frame->v = state->v;
    frame->q = state->q;
    frame->R_WB = fender_quaternion_matrix(state->q);
    frame->w = fnd_body_dynamic(body) ? fnd_angular_velocity(body, &frame->R_WB, state->L) : state->L;
}
/* Velocity and angular velocity, W, that a body has at a lever [m, W] from the centre of its root because parts of its
 * tree move; zero in a rigid tree. `R_WB`: of the root. */
static inline fender_vec3 fnd_part_velocity(const fnd_body *body, const fender_mat3 *R_WB, fender_vec3 lever)
{
    if (!body->moving) return fender_vec3_make(0, 0, 0);
    const fender_vec3 w = fender_mat3_times(R_WB, body->moving->w);
    return fender_vec3_add(fender_mat3_times(R_WB, body->moving->v), fender_vec3_cross(w, lever));
}
static inline fender_vec3 fnd_part_turning(const fnd_body *body, const fender_mat3 *R_WB)
{
    return body->moving ? fender_mat3_times(R_WB, body->moving->w) : fender_vec3_make(0, 0, 0);
}
/* The frame of a root with the velocity field of a member: its velocity at a lever l is v + w x l. */
static inline fnd_frame fnd_part_carrier(const fnd_body *body, const fnd_frame *root_frame)
{
    fnd_frame frame = *root_frame;
    if (!body->moving) return frame;
    frame.v = fender_vec3_add(frame.v, fender_mat3_times(&frame.R_WB, body->moving->v));
    frame.w = fender_vec3_add(frame.w, fender_mat3_times(&frame.R_WB, body->moving->w));
    return frame;
}
/* Kinetic energy of a root beside m v^2 / 2 + w . L / 2, because its parts move. */
static inline double fnd_part_energy(const fnd_body *root, const fnd_frame *frame)
{
    if (!root->moving) return 0;
    return 0.5 * fender_vec3_dot(frame->w, fender_mat3_times(&frame->R_WB, root->moving->h)) + root->moving->energy;
}
/* Where a prescribed or fixed body is at a time, on the smooth piece of its path that begins at or before `piece` (NaN:
 * on the path as a whole). */
fnd_state fnd_state_prescribed(const fnd_body *body, double time, double piece, double start_time);
/* The first time after `time` at which its motion has a kink; INFINITY: none. */
double fnd_motion_kink(const fnd_body *body, double time);
/* The rotation vector of a unit quaternion, at most pi long. */
fender_vec3 fnd_rotation_vector(fender_quaternion q);

/* ---- Rotation on which no torque acts ---- */

/* q_WB a time `step` (either sign) after q, with angular momentum L in W, about the centre of mass. Energy and |L| are
 * kept to rounding for any step, the phase to the order 10. `inverse_inertia` in B; `spherical`: it is a multiple of
 * the identity. */
fender_quaternion fnd_free_rotation(const fender_mat3 *inverse_inertia, bool spherical, fender_quaternion q,
                                    fender_vec3 L, double step);

#endif
