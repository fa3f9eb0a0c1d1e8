/* Derivatives of the rates of a state: of contacts, gravity and rigid bodies. */
#ifndef FND_DYNAMICS_TANGENT_H
#define FND_DYNAMICS_TANGENT_H

#include "dynamics/tangent_local.h"
#include "integrate/tangent.h"

/* How the speeds of approach that contacts remember follow the columns: of contacts in the order of keys that began
 * after the deviations were made. Earlier ones do not change. */
typedef struct fnd_approaches {
    int count, capacity;
    fnd_key *keys;
    double **rows; /* m/s, by column; NULL: unknown */
} fnd_approaches;

/* Room for the derivatives of a world with this number of columns, and why they do not exist. */
typedef struct fnd_dynamics_tangent {
    fnd_dynamics *dynamics;
    fnd_ode_tangent ode; /* whose `ctx` is this */
    int columns;
    size_t width; /* numbers of a deviation: of a column */
    int *place;   /* by body: its number among the integrated bodies; -1: not integrated */
    /* By stage: derivatives of the internal forces, 3 of each body, of all columns. */
    double *internal[FND_STAGE_CAPACITY];
    fnd_frame *frames;         /* by body, at the state at hand */
    fender_mat3 *mobility;     /* by body: inverse inertia in W */
    fender_vec3 *momentum;     /* N m s, W; by body: angular */
    fnd_frame_change *changes; /* by body, of the column at hand */
    fnd_contact_tangent *contacts;
    int contact_capacity;
    fnd_local_tangent *locals; /* of the loads and links that act */
    int local_capacity;
    void *block;
    size_t block_size;
    const fnd_approaches *approaches; /* NULL: none */
    const char *reason;               /* of a failure, NULL: no memory */
    fnd_key key;                      /* of the contact at fault, if `at_contact` */
    bool at_contact;
    const char *kind, *name; /* of the load or link at fault; NULL: none */
} fnd_dynamics_tangent;

/* Makes the arrays for a method with that number of stages. False: no memory. */
bool fnd_dynamics_tangent_create(fnd_dynamics_tangent *tangent, fnd_dynamics *dynamics, int columns, int stages);
void fnd_dynamics_tangent_destroy(fnd_dynamics_tangent *tangent);
/* Derivatives of the rates at the state of an evaluation (`stage`). `internal`: also those of the internal forces, of
 * that stage. False: see `reason`. */
bool fnd_dynamics_tangent_rates(fnd_dynamics_tangent *tangent, int stage, const fender_quaternion *rotations,
                                const double *vector, const double *deviations, double *rates);
/* Makes a state the one at hand: frames and mobilities of all bodies. rotations NULL: the committed state. */
void fnd_dynamics_tangent_at(fnd_dynamics_tangent *tangent, const fender_quaternion *rotations, const double *vector);
/* Change of a body's frame at the state at hand by a column; zero for bodies that are not integrated. */
fnd_frame_change fnd_frame_change_of(const fnd_dynamics_tangent *tangent, const double *deviation, int body);

#endif
