/* `material: steel` in the parameters of a law. */
#ifndef FND_SCENARIO_KNOWN_MATERIAL_H
#define FND_SCENARIO_KNOWN_MATERIAL_H

#include "scenario/value.h"

#include <fender/sizing.h>

/* Materials named for a law: of the one body, or of both, and of the other. */
typedef struct fnd_known_materials {
    const fender_known_material *of[2];
} fnd_known_materials;

/* Is it a key that names a material, and does the law take constants of it? */
bool fnd_is_material_key(const fender_law *law, const char *key);
/* False after a finding. */
bool fnd_read_known_materials(fnd_reader *reader, fnd_node *node, const fender_law *law, fnd_known_materials *found);
/* The value that they give a parameter; NaN: none. */
double fnd_known_value(const fnd_known_materials *found, const char *parameter);

#endif
