/* Parameters of laws by what is wanted of a contact: noted while contact types are read, derived when all bodies,
 * materials and rules are known. */
#ifndef FND_SCENARIO_INTENT_H
#define FND_SCENARIO_INTENT_H

#include "scenario/parameters.h"

/* A parameter that waits to be derived. */
typedef struct fnd_intent {
    fnd_node *node; /* the map that says what is wanted; the parameters, where one is not given and goes by the step */
    const fender_law *law;
    void *object; /* parameters of the law */
    const fender_field *field;
    const char *unit; /* resolved */
    bool by_step;     /* not given: its default goes by the step */
    struct fnd_intent *next;
} fnd_intent;

/* Does the law derive this parameter at all? */
bool fnd_law_derives(const fender_law *law, const char *name);
/* False after a finding. */
bool fnd_note_intent(fnd_reader *reader, fnd_node *node, const fender_law *law, void *object, const fender_field *field,
                     const char *unit);
/* stick_speed, where it is not given: slides must be able to end within a step under gravity. */
bool fnd_note_default(fnd_reader *reader, fnd_node *node, const fender_law *law, void *object,
                      const fender_field *field, const char *unit);
/* Derives all that were noted, checks the laws, and warns of constants of materials that nothing uses. */
void fnd_derive_parameters(fnd_reader *reader);

#endif
