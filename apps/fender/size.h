/* What `fender size` was asked and found; laws without a closed form. */
#ifndef FND_SIZE_H
#define FND_SIZE_H

#include "app.h"

#include <fender/advice.h>
#include <fender/sizing.h>

#define FND_SIZE_ERROR 0.01 /* of an impact, unless another one is allowed */

/* Quantities of the command line; NaN: not given. */
typedef struct fnd_size_input {
    double mass, legs, gravity, weight, sink, stiffness, damping, ratio, restitution, speed;
    double young, poisson, radius, other_young, other_poisson, other_radius, error;
    double depth, force, time; /* of an impact */
} fnd_size_input;

typedef struct fnd_size {
    fnd_app *app;
    fnd_size_input input;
    const fender_law *law;
    fender_integrator_method method;
    bool located;
    bool any;            /* by the impact of the law itself: no closed form */
    bool power, clipped; /* the law has a power of the depth; it never pulls */
    double mass, weight; /* of one contact; NaN: not known */
    double exponent;
    double stiffness, damping;                 /* N/m^exponent; of the law's second parameter */
    const char *stiffness_name, *damping_name; /* parameters of the law */
    const char *stiffness_unit, *damping_unit;
    const char *stiffness_relation, *damping_relation;   /* "" when given */
    char stiffness_unit_text[64], damping_unit_text[64]; /* of any law */
    const void *parameters;
    fender_contact_figures figures;
    double contact_time; /* s; until the shapes part, where figures has the time of the force; NaN: not known */
} fnd_size;

/* A field's unit with {name} replaced by the value of that field. */
void fnd_size_unit(const fender_law *law, const fender_field *field, const void *parameters, char *text, size_t size);
/* Finds the parameters that are sized: of law `name`, which is none of those with a closed form. */
int fnd_size_any_law(fnd_size *size, const char *name);
/* Sets what `--set` gives. */
int fnd_size_any_set(fnd_size *size, void *parameters);
/* Sizes them by the impact of the law, in place, and fills the figures. */
int fnd_size_any(fnd_size *size, void *parameters);

#endif
