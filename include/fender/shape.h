/* fender/shape.h - shapes of bodies, and materials. Geometries: geometry.h. */
#ifndef FENDER_SHAPE_H
#define FENDER_SHAPE_H

#include "geometry.h"
#include "world.h"

FENDER_API fender_status fender_material_create(fender_world *world, const char *name, fender_material_id *id,
                                                fender_error *error);
FENDER_API fender_status fender_material_find(const fender_world *world, const char *name, fender_material_id *id);
FENDER_API const char *fender_material_name(const fender_world *world, fender_material_id material);

typedef struct fender_shape_def {
    size_t size;                 /* of this struct: set by fender_shape_def_default */
    const char *name;            /* unique on its body */
    fender_geometry *geometry;   /* retained */
    fender_pose X_SG;            /* geometry frame in the structure frame of the body */
    fender_material_id material; /* null: none; material rules do not apply */
    bool active;
    /* A moving surface (belt, roller, turntable): the surface moves relative to the shape with surface_velocity +
     * surface_spin x r, with r from the origin of the geometry [m/s, rad/s, in geometry axes]. It changes slip and
     * spin; a component along the normal has no effect. The work of the drive is booked as applied. */
    fender_vec3 surface_velocity, surface_spin;
    void *user_data;
} fender_shape_def;

/* Active, identity pose, no material. */
FENDER_API fender_shape_def fender_shape_def_default(void);
FENDER_API fender_status fender_shape_create(fender_world *world, fender_body_id body, const fender_shape_def *def,
                                             fender_shape_id *id, fender_error *error);
/* Destroys a shape and the rules that name it, and releases its geometry. Its contacts end as in fender_body_destroy.
 * Call fender_world_initialize before the next step. */
FENDER_API fender_status fender_shape_destroy(fender_world *world, fender_shape_id shape, fender_error *error);
FENDER_API void *fender_shape_get_user_data(const fender_world *world, fender_shape_id shape); /* NULL for a stale id */
FENDER_API fender_status fender_shape_set_user_data(fender_world *world, fender_shape_id shape, void *user_data);
/* In an initialized world it takes effect immediately, clears the event list and fills it with the resulting events:
 * contacts of the shape end, or begin with what overlaps it. The change of stored energy is booked as applied. */
FENDER_API fender_status fender_shape_set_active(fender_world *world, fender_shape_id shape, bool active);
FENDER_API fender_status fender_shape_find(const fender_world *world, fender_body_id body, const char *name,
                                           fender_shape_id *id);
FENDER_API int fender_shape_count(const fender_world *world);
FENDER_API fender_shape_id fender_shape_at(const fender_world *world, int index);
FENDER_API const char *fender_shape_name(const fender_world *world, fender_shape_id shape);
FENDER_API fender_body_id fender_shape_body(const fender_world *world, fender_shape_id shape);
/* The geometry in it is borrowed: retain it to keep it. */
FENDER_API fender_status fender_shape_get_def(const fender_world *world, fender_shape_id shape, fender_shape_def *def);

#endif
