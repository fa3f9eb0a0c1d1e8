/* The struct of a geometry, for internal use, and helpers of its constructors. */
#ifndef FND_GEOMETRY_GEOMETRY_H
#define FND_GEOMETRY_GEOMETRY_H

#include "geometry/polytope.h"
#include "geometry/surface.h"
#include <fender/geometry.h>
#include <stdatomic.h>

struct fender_geometry {
    fender_geometry_type type;
    atomic_int references;
    atomic_uint digest;    /* fnd_geometry_digest; 0: not found yet */
    double radius;         /* sphere, capsule, disk, cylinder, cone */
    double half_length;    /* capsule, cylinder, cone */
    fender_vec3 half;      /* box, ellipsoid */
    double range, cushion; /* probe */
    bool literal;
    double rounding;     /* ball that the shape is swept by; 0 for point, sphere, capsule: theirs is in the radius */
    fender_vec3 *points; /* cloud */
    int point_count;
    fnd_polytope *polytope; /* box, hull */
    fnd_polytope *caps;     /* disk, cylinder: a prism around it, whose ends stand for the caps; cone: a pyramid */
    fnd_polytope *within;   /* cylinder, cone: a finer prism or pyramid within it, which carries cells */
    fnd_polytope *rim;      /* disk, cylinder, cone: a coarse one within it, for contacts by corners */
    fender_geometry *side;  /* disk: its upper side as an open mesh, which stands for it as ground */
    fender_geometry
        *hull; /* closed convex mesh of few faces: as a hull, which stands for it below cylinders and disks */
    fnd_surface *surface; /* grid, mesh */
    fnd_surface *skin;    /* of the polytope that carries cells: triangles, fans of the faces in order */
    fender_vec3 *borders; /* beside it: of each side of a face, inward in the plane halfway to the neighbour's normal */
    fender_geometry_class user;
    void *user_data;
    size_t user_data_size;
    fender_geometry *source; /* of a rounded shape: owns points, polytope and data; NULL: they are its own */
    fender_box bounds;       /* in G, rounding included; infinite for a plane, and below a grid */
    double bounding_radius;  /* about the origin of G; of a grid: of its surface */
    double patch_area;       /* area of the largest flat face; 0: none */
    double thickness;        /* least extent along the axes of G; 0: no inside (points, clouds, disks, surfaces) */
    fender_env env;
};

/* A box along the axes of W that holds the geometry turned by R: its centre from the origin of G, and its half sizes.
 * Infinite half sizes where the geometry has no end; the centre is 0 there. */
void fnd_geometry_box(const fender_geometry *geometry, const fender_mat3 *R_WG, fender_vec3 *center, fender_vec3 *half);

/* Tells geometries apart that were made of other numbers. It is found once; any thread may ask. */
uint32_t fnd_geometry_digest(fender_geometry *geometry);

/* The polytope whose faces touch: its own, or the caps. NULL: none. */
static inline const fnd_polytope *fnd_geometry_faces(const fender_geometry *geometry)
{
    return geometry->polytope ? geometry->polytope : geometry->caps;
}

/* The polytope whose faces have cells: its own, that within a round solid, or a disk's caps. NULL: none. */
static inline const fnd_polytope *fnd_geometry_cells(const fender_geometry *geometry)
{
    return geometry->within ? geometry->within : fnd_geometry_faces(geometry);
}

/* How the pair table sees it. */
typedef enum fnd_geometry_class {
    FND_CLASS_POINT,
    FND_CLASS_CLOUD,
    FND_CLASS_SPHERE,
    FND_CLASS_CAPSULE,
    FND_CLASS_DISK,
    FND_CLASS_PLANE,
    FND_CLASS_CONVEX, /* box, cylinder, cone, ellipsoid, hull, user with support */
    FND_CLASS_GRID,
    FND_CLASS_MESH,
    FND_CLASS_FIELD, /* user with signed distance */
    FND_CLASS_PROBE,
    FND_CLASS_COUNT
} fnd_geometry_class;
fnd_geometry_class fnd_geometry_class_of(const fender_geometry *geometry);

/* ---- Making geometries ---- */

/* Finite coordinates of at most 1e100 m, of at least one point; the failure names the first bad one, the n-th of
 * `field` ("points"), each a `noun` ("point"). */
bool fnd_check_points(const fender_vec3 *points, int count, const char *type, const char *field, const char *noun,
                      fender_error *error);

/* An empty geometry of one reference and no size; checks the environment. */
fender_geometry *fnd_geometry_create(const fender_env *env, fender_geometry_type type, fender_error *error);
/* The triangles of a polytope's faces, as a closed surface, and the borders between its faces; none where a triangle
 * has no direction within rounding. False: no memory. */
bool fnd_geometry_make_skin(fender_geometry *geometry);
size_t fnd_borders_size(const fnd_polytope *polytope);
/* Fills bounds, bounding radius and area of the largest face from the rest. */
void fnd_geometry_measure(fender_geometry *geometry);
/* Length of v without loss below 1e-100. */
double fnd_length(fender_vec3 v);

/* ---- Mass properties ---- */

/* Of a geometry with a polytope or a surface; exact but for rounding, wherever the origin is. */
fender_mass_properties fnd_mass_of_polyhedron(const fender_geometry *geometry, double density);

#endif
