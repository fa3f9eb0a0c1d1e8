/* Contact types that stand for the surfaces of a model. */
#ifndef FND_MODEL_IMPORT_CONTACT_TYPES_H
#define FND_MODEL_IMPORT_CONTACT_TYPES_H

#include "model_import/model.h"

#define FND_MODEL_SLIP_SPEED 0.02 /* m/s, of friction */

typedef struct fnd_model_contact_type {
    fnd_phrase name;
    double stiffness, damping, mass, friction[3];
    int condim;
    bool varies; /* its solimp does */
} fnd_model_contact_type;

typedef struct fnd_model_contact_types {
    fnd_model_contact_type *list;
    int count, capacity;
    double step;  /* s, that contacts of linked bodies need */
    double least; /* of MuJoCo's depth at rest, as a part of that of the spring */
} fnd_model_contact_types;

/* MuJoCo's rules for the parameters of a pair. */
fnd_model_surface fnd_model_mix_surfaces(const fnd_model_surface *a, const fnd_model_surface *b);
/* May surfaces of the two touch? */
bool fnd_model_may_touch(const fnd_model *model, const fnd_model_material *a, const fnd_model_material *b);
/* That of two clusters; one that is there already is found again. `names`: what a new one is named after. -1: no
 * memory. */
int fnd_model_add_contact_type(fnd_model *model, fnd_model_contact_types *types, const fnd_model_surface *surface,
                               const fnd_model_body *const clusters[2], const char *const names[2],
                               const fnd_location *location);

#endif
