/* How bodies that links join give way to a force. */
#ifndef FND_MODEL_IMPORT_MOBILITY_H
#define FND_MODEL_IMPORT_MOBILITY_H

#include "model_import/model.h"

/* Finds the mass that a contact meets at each cluster; false without memory. */
bool fnd_model_find_motions(fnd_model *model);
/* What a force at a point of a cluster meets, with all that links join to it. MuJoCo's rule: the mean over three axes
 * of what the point gives way. */
double fnd_model_mass_met(const fnd_model_body *cluster, fender_vec3 point);

#endif
