/* fender/ledger.h - energy and momentum of a world: current amounts, losses and residuals. */
#ifndef FENDER_LEDGER_H
#define FENDER_LEDGER_H

#include "field.h"
#include "world.h"

/* Energy and momentum of the whole world, committed. */
typedef struct fender_ledger {
    double kinetic;       /* J */
    double gravitational; /* J; uniform: -m g.(r - momentum_origin); point mass: -mu m / r, with j2. In a planet-fixed
                             frame it includes the centrifugal energy of position and of inertia, and is zero at the
                             frame's origin (except -1/2 W.JW of bodies), so that the total is Jacobi's integral */
    double stored;        /* J in contacts and links */
    double damping;       /* J lost so far along normals and in links */
    double friction;      /* J lost so far in sliding, rolling and twisting */
    double contact_work;  /* J; work of contacts on both of their bodies so far: -(damping + friction + change of
                             stored), except for the integration error */
    double applied;       /* J of work by loads and by prescribed and fixed bodies so far */
    double motor;      /* J of work so far by the motors of attached bodies that move (fender_body_set_part_motion) */
    double attachment; /* J lost so far by attaching, detaching and moving bodies within a tree, including contacts
                          that ended thereby */
    /* J; start + applied + motor - (kinetic + gravitational + stored + damping + friction + attachment): the loss of
     * energy that is unaccounted for; negative: a gain */
    double residual;
    double scale;                 /* J; peak kinetic energy plus all work so far: the reference for the residual */
    fender_vec3 linear_momentum;  /* N s */
    fender_vec3 angular_momentum; /* N m s about momentum_origin */
    fender_vec3 momentum_origin;  /* m, W; centre of mass of all dynamic bodies at the start */
    double linear_drift;          /* N s; |momentum - start - impulse of gravity, loads and immovable bodies| */
    double angular_drift;         /* N m s */
} fender_ledger;
FENDER_API const fender_field_table *fender_ledger_fields(void);
FENDER_API void fender_world_ledger(const fender_world *world, fender_ledger *ledger);

/* The same motion in inertial space, about the axis of the planet. In an inertial world all members except `kinetic`
 * and `gravitational` are zero. UNIFORM gravity, which is fixed to a rotating frame, does work in inertial space and
 * counts as applied. In a frame in orbit `applied` and `residual` are those of the frame. */
typedef struct fender_inertial_ledger {
    double kinetic;        /* J; of the inertial velocities, and of reaction wheels */
    double gravitational;  /* J; gravity alone; zero at the frame's origin */
    double applied;        /* J; work of loads and of bodies fixed to the planet, in inertial space, so far */
    double residual;       /* J; as that of the ledger: change of kinetic + gravitational + stored, losses, applied */
    double axial_momentum; /* N m s; component of the angular momentum along the axis, about the planet's centre */
    double axial_drift;    /* N m s; its change without an external torque */
} fender_inertial_ledger;
FENDER_API const fender_field_table *fender_inertial_ledger_fields(void);
FENDER_API void fender_world_inertial_ledger(const fender_world *world, fender_inertial_ledger *ledger);

#endif
