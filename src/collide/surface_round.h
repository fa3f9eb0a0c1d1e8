/* Round solids on uneven ground. */
#ifndef FND_COLLIDE_SURFACE_ROUND_H
#define FND_COLLIDE_SURFACE_ROUND_H

#include "collide/surface_patch.h"

/* A capsule, whose contacts are those of a pressure within it and of balls at its ends; not when it is a ball, or a
 * line within rounding. */
bool fnd_surface_is_pressed(const fender_geometry *solid);
/* The pressure within a cylinder, of the triangles that are looked at one by one; on a solid, less what caps take of it
 * before a face. */
typedef struct fnd_field fnd_field;
void fnd_field_add(fnd_field *field, int32_t triangle);
void fnd_field_subtract(fnd_field *field, int32_t plane, const fnd_ground_columns *columns);
/* A disk that stands upright in a facet: force, force times place, energy. */
void fnd_field_add_rim(fnd_field *field, const fnd_surface_sighting *at, double force, fender_vec3 first,
                       double energy);
/* Adds its contacts. */
void fnd_surface_add_pressed(const fnd_surface_view *view, fnd_manifold *out);
/* Those of a disk or a cylinder. */
void fnd_surface_add_capped(const fnd_surface_view *view, fnd_surface_scan *scan, fnd_manifold *out);

#endif
