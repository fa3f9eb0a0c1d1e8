/* What a geometry holds, for the stages that compute with it. */
#ifndef FND_GEOMETRY_GEOMETRY_H
#define FND_GEOMETRY_GEOMETRY_H

#include <fender/geometry.h>
#include <stdatomic.h>

struct fender_geometry {
    fender_geometry_type type;
    atomic_int references;
    double radius;      /* sphere, capsule */
    double half_length; /* capsule */
    fender_env env;
};

#endif
