/* Mass properties of closed surfaces of triangles. */
#ifndef FND_GEOMETRY_MASS_H
#define FND_GEOMETRY_MASS_H

#include "geometry/geometry.h"

/* Of a geometry with a polytope or a surface; exact but for rounding, wherever the origin is. */
fender_mass_properties fnd_mass_of_polyhedron(const fender_geometry *geometry, double density);

#endif
