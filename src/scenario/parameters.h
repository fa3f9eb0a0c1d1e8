/* Parameters of laws, loads and geometries of plug-ins: by the law's table of fields, by a known material, by what is
 * wanted of a contact. */
#ifndef FND_SCENARIO_PARAMETERS_H
#define FND_SCENARIO_PARAMETERS_H

#include "scenario/value.h"
#include <fender/sizing.h>

/* ---- Known materials ---- */

/* Materials named for a law: of the one body, or of both, and of the other. */
typedef struct fnd_known_materials {
    const fender_known_material *of[2];
} fnd_known_materials;

/* ---- Tables of fields ---- */

/* Input of the reader. */
typedef struct fnd_parameter_set {
    const char *law, *topic; /* `fender info TOPIC LAW` lists them; topic NULL: nothing does */
    const fender_field_table *table;
    const char *const *keys;       /* keys of the map that are no parameters, NULL-ended */
    const fender_law *contact_law; /* whose parameters may be derived; NULL: none */
    fender_status (*check)(const void *parameters, fender_error *error); /* or NULL */
} fnd_parameter_set;

/* In arena memory; NULL when there is none. What is wrong is in the diagnostics. */
void *fnd_read_parameters(fnd_reader *reader, fnd_node *node, const fnd_parameter_set *set);

/* ---- What is wanted ---- */

/* A parameter that waits to be derived. */
typedef struct fnd_sizing_spec {
    fnd_node *node; /* the map that says what is wanted; the parameters, where one is not given and goes by the step */
    const fender_law *law;
    void *object; /* parameters of the law */
    const fender_field *field;
    const char *unit; /* resolved */
    bool by_step;     /* not given: its default goes by the step */
    struct fnd_sizing_spec *next;
} fnd_sizing_spec;

/* Derives all that were noted, checks the laws, and warns of constants of materials that nothing uses. */
void fnd_derive_parameters(fnd_reader *reader);

#endif
