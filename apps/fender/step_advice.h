/* What a contact type means for the lightest pair that uses it: frequency, contact time, damping, longest stable step.
 */
#ifndef FND_APP_STEP_ADVICE_H
#define FND_APP_STEP_ADVICE_H

#include <fender/world.h>

typedef struct fnd_app_step_advice {
    bool known;            /* false: the law does not tell its stiffness, or nothing can move */
    double mass;           /* kg; reduced mass of the pair */
    double stiffness;      /* N/m; along the normal */
    double damping;        /* N*s/m */
    double frequency;      /* Hz; undamped */
    double contact_time;   /* s; half a damped period; infinite when overdamped */
    double damping_ratio;  /* 1 is critical */
    double largest_step;   /* s; the method is stable below it */
    bool depends_on_depth; /* the stiffness is that at `depth` */
    double depth;          /* m */
} fnd_app_step_advice;

/* For a contact of two bodies of this reduced mass [kg; infinite: immovable]. */
fnd_app_step_advice fnd_app_advise_step(const fender_contact_type_def *type, double mass,
                                        fender_integrator_method method);
/* 1 / (1/ma + 1/mb), from the motion and mass of two bodies; infinite when neither is moved by forces. */
double fnd_app_reduced_mass(const fender_world *world, fender_body_id a, fender_body_id b);
/* Eigenvalues of a symmetric matrix in rising order. */
fender_vec3 fnd_app_principal_moments(const fender_mat3 *inertia);

#endif
