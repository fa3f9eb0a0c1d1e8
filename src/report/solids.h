/* Geometries as triangles, for pictures. */
#ifndef FND_REPORT_SOLIDS_H
#define FND_REPORT_SOLIDS_H

#include <fender/fender.h>

typedef struct fnd_solid {
    fender_allocator allocator;
    fender_vec3 *points; /* m, in the frame that they were added in */
    int32_t *triangles;  /* three indices each, outward by the right-hand rule */
    int point_count, triangle_count;
    int point_capacity, index_capacity;
    bool failed; /* no memory */
} fnd_solid;

fnd_solid fnd_solid_open(const fender_allocator *allocator);
void fnd_solid_close(fnd_solid *solid);
/* From the origin to z = 1 [m]: a rod of that radius; an arrow. */
void fnd_solid_add_rod(fnd_solid *solid, double radius);
void fnd_solid_add_arrow(fnd_solid *solid);
/* All shapes of a body of the world, in its structure frame. */
void fnd_solid_add_body(fnd_solid *solid, const fender_world *world, fender_body_id body, double extent);

#endif
