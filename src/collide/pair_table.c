/* The matrix of pairs: which function computes the contact of which two types of geometry. */
#include "collide/pair_table.h"

#include "collide/sphere_capsule.h"

static fnd_pair_function *const table[FENDER_GEOMETRY_TYPE_COUNT][FENDER_GEOMETRY_TYPE_COUNT] = {
    /*                            sphere              capsule */
    [FENDER_GEOMETRY_SPHERE] = {fnd_sphere_sphere, fnd_sphere_capsule},
    [FENDER_GEOMETRY_CAPSULE] = {fnd_capsule_sphere, fnd_capsule_capsule},
};

fnd_pair_function *fnd_pair_function_find(fender_geometry_type a, fender_geometry_type b)
{
    const unsigned count = FENDER_GEOMETRY_TYPE_COUNT;
    if ((unsigned)a >= count || (unsigned)b >= count) return NULL;
    return table[a][b];
}
