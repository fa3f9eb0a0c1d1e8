/* Round solids on uneven ground. */
#ifndef FND_COLLIDE_SURFACE_ROUND_H
#define FND_COLLIDE_SURFACE_ROUND_H

#include "collide/surface_convex.h"

/* Has the pair the energy of a pressure within the solid (surface_round.c)? Of the geometries alone, not of poses. */
bool fnd_surface_is_pressed(const fnd_surface_view *view);
/* Adds its contacts. */
void fnd_surface_add_pressed(const fnd_surface_view *view, fnd_manifold *out);

#endif
