/* What friction asks of the step: laws that stick by springs or creep by dampers, on bodies that slide and turn. */
#ifndef FND_APP_FRICTION_ADVICE_H
#define FND_APP_FRICTION_ADVICE_H

#include <fender/world.h>

/* Friction of a pair under a load. */
typedef struct fnd_app_friction_advice {
    bool known;          /* false: no friction that has a stiffness or a damping at that load, or nothing moves */
    double load;         /* N; on the contact */
    double mass;         /* kg; effective across the normal, at most */
    double stiffness;    /* N/m */
    double damping;      /* N*s/m */
    double largest_step; /* s; the method is stable below it */
} fnd_app_friction_advice;

/* 1/kg; of a body that is pushed sideways at the outermost point of its shape: 1/m + the turning. 0: not moved. */
double fnd_app_sideways_mobility(const fender_world *world, fender_shape_id shape);
/* N; of the reduced mass under uniform or central gravity. */
double fnd_app_contact_weight(const fender_world *world, fender_shape_id shape, double reduced_mass);
/* N; what the pair carries at rest under uniform or central gravity, or else when it meets with its speed at the start,
 * whichever is more. */
double fnd_app_contact_load(const fender_world *world, fender_shape_id a, fender_shape_id b, double reduced_mass,
                            double stiffness);
fnd_app_friction_advice fnd_app_advise_friction(const fender_contact_type_def *type, double load, double mobility,
                                                fender_integrator_method method);

/* m/s; below it the step does not follow how sliding turns, which goes at mu_kinetic N / (m v): what slides slower
 * hunts to and fro and does not come to stick. For laws with a `stick_speed`, under uniform gravity; 0: there is no
 * such bound. */
double fnd_app_least_stick_speed(const fender_world *world, const fender_contact_type_def *type, double *stick_speed);

#endif
