/* Geometries of shapes: each reads its part of the tree into the description of a shape. */
#ifndef FND_SCENARIO_SHAPE_H
#define FND_SCENARIO_SHAPE_H

#include "scenario/section.h"
#include "scenario/value.h"

/* Reads the value of the key `type`, "box" say. *placed: it has set the pose of the shape, too. */
typedef bool fnd_read_geometry(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed);
/* By points, here or in files. */
fnd_read_geometry fnd_read_cloud, fnd_read_hull, fnd_read_grid, fnd_read_mesh;
/* Solids of a profile, which become meshes. */
fnd_read_geometry fnd_read_extruded, fnd_read_revolved, fnd_read_tube, fnd_read_hollow_sphere;
/* By the name of one of `geometries`. */
fnd_read_geometry fnd_read_named_geometry;

/* ---- Generated terrain ---- */

/* The grid with its heights in the scenario's memory; false after a diagnostic. */
bool fnd_read_hazard_field(fnd_reader *reader, fnd_node *node, fender_grid_def *grid);

#endif
