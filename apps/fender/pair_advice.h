/* How stiff the contact of a pair of shapes will be: of its geometries, at the attitude of the start, under its load.
 */
#ifndef FND_APP_PAIR_ADVICE_H
#define FND_APP_PAIR_ADVICE_H

#include <fender/world.h>

typedef struct fnd_app_pair_advice {
    bool known;            /* false: nothing can move, or nothing pushes: then mass and full_* alone may be known */
    double mass;           /* kg; reduced mass of the pair */
    double load;           /* N; fnd_app_contact_load at this stiffness; 0: none is known */
    double depth;          /* m; under the load; 1 mm without */
    double stiffness;      /* N/m; dN/dd of all points of the contact there, with their weights */
    double frequency;      /* Hz; undamped, of the mass on it */
    double full_stiffness; /* N/m; of the law there, as if all of the face were down; 0: not known */
    double full_frequency; /* Hz */
    double stable_step;    /* s; of all that the law does at rest under the weight on what stands: damping, friction,
                              rolling; INFINITY: there is no weight, no limit, or the method chooses its steps */
} fnd_app_pair_advice;

/* The shapes are moved along their normal until they touch, in a world of their own, and pressed together. */
fnd_app_pair_advice fnd_app_advise_pair(const fender_world *world, fender_shape_id a, fender_shape_id b,
                                        const fender_contact_type_def *type);
/* Its body is fixed or prescribed, or attached to one that is. */
bool fnd_app_shape_stands(const fender_world *world, fender_shape_id shape);

#endif
