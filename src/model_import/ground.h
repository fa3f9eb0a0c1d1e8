/* The plane of --ground. */
#ifndef FND_MODEL_IMPORT_GROUND_H
#define FND_MODEL_IMPORT_GROUND_H

#include "model_import/model.h"

/* Adds the material of the plane, and warns of shapes that begin below it; false without memory. */
bool fnd_model_add_ground(fnd_model *model);

#endif
