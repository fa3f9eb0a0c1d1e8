/* Terrain and solids of files as a scenario describes them. */
#ifndef FND_SCENARIO_MESH_IMPORT_H
#define FND_SCENARIO_MESH_IMPORT_H

#include <fender/mesh_file.h>

#include "scenario/shape.h"

/* Keys of an import beside the file itself; ended by a NULL name. */
extern const fnd_key fnd_import_keys[];

/* Reads the file that `file` names as the keys of `map` say, into data->points and triangles, or data->grid; *type:
 * MESH or GRID. What the file tells is in the axes of the file, about data->X_FG, which the map's position and
 * orientation are part of. False after a diagnostic. */
bool fnd_import_read(fnd_reader *reader, const fnd_node *map, const fnd_node *file, fender_mesh_format format,
                     const char *what, fnd_shape_data *data, fender_geometry_type *type);
/* True if the name has this extension, ignoring case. */
bool fnd_has_ending(const char *name, const char *ending);

#endif
