/* The surfaces of contacts, for the types with a law that asks. */
#ifndef FND_CONTACT_CONTACT_SURFACE_H
#define FND_CONTACT_CONTACT_SURFACE_H

#include "contact/contact_set.h"

/* Fills `out`, of a contact with its frame and depth, and lets its input point there. */
void fnd_contact_surface_see(const fnd_contact_model *model, const fnd_frame *frame_a, const fnd_frame *frame_b,
                             fnd_contact *contact, fender_contact_surface *out);
/* The same for the last row of a list, in the list's own room. False: no memory. */
bool fnd_contact_list_see(const fender_env *env, fnd_contact_list *list, const fnd_contact_model *model,
                          const fnd_frame *frame_a, const fnd_frame *frame_b);

#endif
