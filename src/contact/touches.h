/* Several touches of one ball with a surface: which of them goes on with which record. */
#ifndef FND_CONTACT_TOUCHES_H
#define FND_CONTACT_TOUCHES_H

#include "contact/contact_set.h"

enum { FND_TOUCHES = FND_SURFACE_TOUCHES }; /* features of the touches of one ball: a block of that size */

/* Gives the touches of balls in set->manifold, as a query has numbered them, the features of the records whose normals
 * they go on with; those that are new get free ones. `from`: at most the place of the first record of the pair, in the
 * order of keys. */
void fnd_touches_name(fnd_contact_set *set, const fnd_contact_model *model, const fnd_candidate *pair,
                      const fnd_frame *frame_a, const fnd_frame *frame_b, int from);

#endif
