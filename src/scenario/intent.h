/* Parameters of laws by what is wanted of a contact: noted while contact types are read, derived when all bodies,
 * materials and rules are known. */
#ifndef FND_SCENARIO_INTENT_H
#define FND_SCENARIO_INTENT_H

#include "scenario/parameters.h"

/* A parameter that waits to be derived. */
typedef struct fnd_intent {
    fnd_node *node; /* the map that says what is wanted */
    const fender_law *law;
    void *object; /* parameters of the law */
    const fender_field *field;
    const char *unit; /* resolved */
    struct fnd_intent *next;
} fnd_intent;

/* Does the law derive this parameter at all? */
bool fnd_law_derives(const fender_law *law, const char *name);
/* False after a finding. */
bool fnd_note_intent(fnd_reader *reader, fnd_node *node, const fender_law *law, void *object, const fender_field *field,
                     const char *unit);
/* Derives all that were noted, checks the laws, and warns of constants of materials that nothing uses. */
void fnd_derive_parameters(fnd_reader *reader);

#endif
