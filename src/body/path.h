/* Prescribed motion: the tables of a body's path. */
#ifndef FND_BODY_PATH_H
#define FND_BODY_PATH_H

#include "body/body.h"

/* Checks path and harmonic motion of a definition. */
fender_status fnd_path_check(const fender_body_def *def, fender_error *error);
/* Copies a path into a body, with the velocities of its cubics. False: no memory; release it. */
bool fnd_path_copy(const fender_env *env, fnd_body *body, const fender_path *path);
void fnd_path_release(const fender_env *env, fnd_body *body);

#endif
