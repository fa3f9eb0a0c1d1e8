/* Springs that hold the locked directions of joints, and the step that they need. */
#ifndef FND_MODEL_IMPORT_LINK_SPRINGS_H
#define FND_MODEL_IMPORT_LINK_SPRINGS_H

#include "model_import/model.h"

/* Springs and dampers of a link, along and about the axes of its joint. */
typedef struct fnd_model_link_springs {
    fender_pose frame; /* of the joint, in the world */
    bool turns[3];     /* free to turn */
    bool by_child;     /* along and about axes of the child, else of the parent */
    double k[3], damping[3], kr[3], cr[3];
} fnd_model_link_springs;
/* Finds the links that carry what rests on the ground. */
void fnd_model_find_standing(fnd_model *model);
/* Of a body that a link joins to its parent. */
fnd_model_link_springs fnd_model_springs_of(const fnd_model_body *b);
/* Half of the longest stable step, s, of a spring and a damper, by what gives way per force. */
double fnd_model_half_of_stable(double stiffness, double damping, double give, double damping_give);
/* s; a step of 1, 2 or 5 of a power of ten, if a link, or a contact, needs a shorter one than usual. */
double fnd_model_step_of_links(fnd_model *model, double of_contacts);

#endif
