/* What is read of two bodies or shapes: support of one on the other, clearance. */
#ifndef FND_RECORD_BETWEEN_H
#define FND_RECORD_BETWEEN_H

#include "record/object.h"

/* How a body stands on another, each body with what is attached to it. Support points are their contacts with each
 * other that have a depth above 0. The support polygon is the convex hull, as seen along gravity at the body's centre
 * of mass, of these points; patches count with their outline (record/outline.h). */
typedef struct fnd_support_data {
    double stability_margin; /* m; least distance, across gravity, of the centre of mass to the edges of the polygon:
                                positive inside, negative outside and where points span no polygon; 0 without points or
                                gravity */
    double tipping_energy;   /* J; least energy that raises the centre of mass over an edge; 0 unless inside */
    int support_points;
} fnd_support_data;
const fender_field_table *fnd_support_fields(void);
void fnd_support_get(const fender_world *world, uint64_t body, uint64_t ground, fnd_support_data *data);

/* Of a shape, or of a body with all its shapes and those of what is attached to it. */
typedef struct fnd_clearance_data {
    double clearance; /* m; negative: they overlap; INFINITY: no two shapes have a contact function */
} fnd_clearance_data;
const fender_field_table *fnd_clearance_fields(void);
void fnd_clearance_get(const fender_world *world, uint64_t one, uint64_t other, fnd_clearance_data *data);
/* Two shapes of them, at least, have a distance. */
bool fnd_clearance_exists(const fender_world *world, uint64_t one, uint64_t other);

#endif
