/* What `fender size` was told and what it found, and its two forms. */
#ifndef FND_APP_SIZE_H
#define FND_APP_SIZE_H

#include <fender/advice.h>
#include <fender/sizing.h>

#include "app.h"

/* Quantities of the command line; NaN: not given. */
typedef struct fnd_size_input {
    double mass, legs, gravity, weight, sink, stiffness, damping, ratio, restitution, speed;
    double young, poisson, radius, other_young, other_poisson, other_radius, error;
} fnd_size_input;

typedef struct fnd_size {
    fnd_app *app;
    fnd_size_input input;
    const fender_law *law;
    fender_integrator_method method;
    bool located;
    bool power, clipped; /* the law has a power of the depth; it never pulls */
    double mass, weight; /* of one contact; NaN: not known */
    double exponent;
    double stiffness, damping;                 /* N/m^exponent; of the law's second parameter */
    const char *stiffness_name, *damping_name; /* parameters of the law */
    const char *stiffness_unit, *damping_unit;
    const char *stiffness_relation, *damping_relation; /* "" when given */
    fender_contact_figures figures;
} fnd_size;

void fnd_size_text(const fnd_size *size);
void fnd_size_json(const fnd_size *size);

#endif
