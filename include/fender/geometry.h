/* fender/geometry.h - immutable, shareable geometry, and queries of placed geometries without a world.
 *
 * A geometry has its own frame G: origin at its centre, z along the axis. A shape (world.h) places it on a body.
 * Geometries are solids: sphere, capsule, box, cylinder, cone, ellipsoid, hull and a user's support function are
 * convex solids; a disk is a convex solid without thickness; a plane is a half space, solid where z < 0; a grid is
 * solid below its heights; a mesh is solid behind its triangles. */
#ifndef FENDER_GEOMETRY_H
#define FENDER_GEOMETRY_H

#include "base.h"
#include "spatial.h"

typedef enum fender_geometry_type {
    FENDER_GEOMETRY_SPHERE,    /* radius about the origin */
    FENDER_GEOMETRY_CAPSULE,   /* segment of +-half_length along z, swept by radius */
    FENDER_GEOMETRY_POINT,     /* the origin */
    FENDER_GEOMETRY_CLOUD,     /* points, each a separate contact, numbered from 0 in the given order */
    FENDER_GEOMETRY_DISK,      /* radius about z, no thickness, both sides touch */
    FENDER_GEOMETRY_PLANE,     /* half space z <= 0, outward normal z */
    FENDER_GEOMETRY_BOX,       /* +-half extents along x, y, z */
    FENDER_GEOMETRY_CYLINDER,  /* radius about z, |z| <= half_length */
    FENDER_GEOMETRY_CONE,      /* base of radius at z = -half_length, apex at z = +half_length */
    FENDER_GEOMETRY_ELLIPSOID, /* semi-axes along x, y, z */
    FENDER_GEOMETRY_HULL,      /* convex hull of points */
    FENDER_GEOMETRY_GRID,      /* heights z over a rectangular raster in x, y */
    FENDER_GEOMETRY_MESH,      /* triangles, outward by the right-hand rule */
    FENDER_GEOMETRY_USER,      /* user-defined functions */
    FENDER_GEOMETRY_PROBE,     /* contact point at the origin with a line of sight along +z: fender_geometry_probe */
    FENDER_GEOMETRY_TYPE_COUNT
} fender_geometry_type;

typedef struct fender_geometry fender_geometry;

/* Mass, centre of mass and inertia tensor about that centre, in axes that each call states. Off-diagonal entries are
 * tensor elements (negative products of inertia). */
typedef struct fender_mass_properties {
    double mass;                /* kg */
    fender_vec3 center_of_mass; /* m */
    fender_mat3 inertia;        /* kg m^2 */
} fender_mass_properties;

/* Constructors return a geometry with one reference, or NULL with the error filled: VALUE for a length that is
 * negative, infinite or NaN, MEMORY. Zero is allowed: a sphere of radius 0 is a point, a capsule of half length 0 a
 * sphere, a box may be flat. Lengths above 1e100 m are refused. Data are copied. Any thread. */
FENDER_API fender_geometry *fender_geometry_sphere(const fender_env *env, double radius, fender_error *error);
FENDER_API fender_geometry *fender_geometry_capsule(const fender_env *env, double radius, double half_length,
                                                    fender_error *error);
FENDER_API fender_geometry *fender_geometry_point(const fender_env *env, fender_error *error);
/* At least one point [m, G]; points may repeat. */
FENDER_API fender_geometry *fender_geometry_cloud(const fender_env *env, const fender_vec3 *points, int count,
                                                  fender_error *error);
FENDER_API fender_geometry *fender_geometry_disk(const fender_env *env, double radius, fender_error *error);
FENDER_API fender_geometry *fender_geometry_plane(const fender_env *env, fender_error *error);
FENDER_API fender_geometry *fender_geometry_box(const fender_env *env, fender_vec3 half_extents, fender_error *error);
FENDER_API fender_geometry *fender_geometry_cylinder(const fender_env *env, double radius, double half_length,
                                                     fender_error *error);
FENDER_API fender_geometry *fender_geometry_cone(const fender_env *env, double radius, double half_length,
                                                 fender_error *error);
FENDER_API fender_geometry *fender_geometry_ellipsoid(const fender_env *env, fender_vec3 radii, fender_error *error);
/* Convex hull of at least one point [m, G]. Points inside, repeated ones and those within rounding of a face of the
 * others are dropped; coplanar, collinear and coincident sets give a flat hull, a segment, a point. */
FENDER_API fender_geometry *fender_geometry_hull(const fender_env *env, const fender_vec3 *points, int count,
                                                 fender_error *error);

/* Heights at x = lower.x + i spacing.x, y = lower.y + j spacing.y: heights[j * count_x + i] [m, G]; at least 2 x 2.
 * A cell is two triangles, divided by the diagonal from (i, j) to (i + 1, j + 1). Solid below, empty outside. */
typedef struct fender_grid_def {
    int count_x, count_y;
    fender_vec2 lower, spacing; /* m; spacing > 0 */
    const double *heights;
} fender_grid_def;
FENDER_API fender_geometry *fender_geometry_grid(const fender_env *env, const fender_grid_def *def,
                                                 fender_error *error);
/* The same with unequal spacing: columns at x, count_x numbers, and rows at y, count_y numbers [m, G], both increasing.
 * The definition's lower and spacing are ignored. */
FENDER_API fender_geometry *fender_geometry_uneven_grid(const fender_env *env, const fender_grid_def *def,
                                                        const double *x, const double *y, fender_error *error);

/* Triangles with three indices each. Degenerate triangles are refused (VALUE names the first); unused vertices are
 * kept and ignored. */
typedef struct fender_mesh_def {
    const fender_vec3 *vertices; /* m, G */
    int vertex_count;
    const int32_t *triangles;
    int triangle_count;
} fender_mesh_def;
FENDER_API fender_geometry *fender_geometry_mesh(const fender_env *env, const fender_mesh_def *def,
                                                 fender_error *error);

/* A user-defined geometry: bounds, and either `support` (convex) or `signed_distance` (any solid, against points,
 * clouds, spheres, capsules and vertices of polytopes). The functions must be pure and may be called on any thread. */
typedef struct fender_geometry_class {
    uint32_t size; /* sizeof(fender_geometry_class) */
    const char *name;
    fender_box (*bounds)(const void *data); /* in G [m] */
    /* A point of the solid that lies farthest along the direction (not of unit length), in G. */
    fender_vec3 (*support)(const void *data, fender_vec3 direction);
    /* Distance [m] to the surface, negative inside, exact near it; *outward: its gradient, of unit length. */
    double (*signed_distance)(const void *data, fender_vec3 point, fender_vec3 *outward);
    fender_mass_properties (*mass_properties)(const void *data, double density); /* NULL: those of the bounds */
} fender_geometry_class;
/* `data` are copied (data_size bytes). ARGUMENT if functions are missing, VALUE if bounds are not finite. */
FENDER_API fender_geometry *fender_geometry_user(const fender_env *env, const fender_geometry_class *type,
                                                 const void *data, size_t data_size, fender_error *error);

/* A contact point with a line of sight, a common model of landers' feet. The contact point is the origin of G, the
 * line of sight +z of G. A ray starts `range` [m, > 0] behind the point and ends `cushion` [m] before it, at the
 * tip. If it enters a solid from outside before the tip, the probe touches; the depth is the overshoot l, the part
 * of the ray beyond the intercept. Depth and rate are along the line, so that a law's potential is a function of the
 * overshoot. Its force, divided by |n.u| (n: normal at the intercept, u: line of sight; at least
 * FENDER_PROBE_SLANT), acts along n at the intercept. The force is thus conservative and continuous from facet to
 * facet. Touches planes, grids, meshes, convex solids, spheres and capsules (models/probes.md). A ray that starts
 * within a solid does not hit it, nor does one that leaves it (back faces). VALUE if range is not above 0 or cushion
 * is below 0. */
FENDER_API fender_geometry *fender_geometry_probe(const fender_env *env, double range, double cushion,
                                                  fender_error *error);
/* The form of the Morpheus paper: the depth is that of the tip below the plane of the facet, and the force acts
 * along the normal at the tip. Depth and energy jump where the ray passes to a facet of another slope. */
FENDER_API fender_geometry *fender_geometry_probe_literal(const fender_env *env, double range, double cushion,
                                                          fender_error *error);
#define FENDER_PROBE_SLANT 0.1

/* The shape swept by a sphere: edges and corners are rounded outward by `radius` [m]. For disk, box, cylinder, cone,
 * ellipsoid, hull and user geometries with support; radii add up; point, sphere and capsule get a larger radius.
 * ARGUMENT for others and for NULL. The mass properties are those of the original shape. */
FENDER_API fender_geometry *fender_geometry_rounded(const fender_geometry *geometry, double radius,
                                                    fender_error *error);

/* References are counted atomically: any thread may retain and release them. Release accepts NULL. */
FENDER_API fender_geometry *fender_geometry_retain(fender_geometry *geometry);
FENDER_API void fender_geometry_release(fender_geometry *geometry);

FENDER_API fender_geometry_type fender_geometry_type_of(const fender_geometry *geometry);
FENDER_API const char *fender_geometry_type_name(fender_geometry_type type); /* "sphere"; NULL past the end */
/* Radius [m] of a sphere, capsule, disk, cylinder or cone; else 0. */
FENDER_API double fender_geometry_radius(const fender_geometry *geometry);
/* Half length [m] of a capsule, cylinder or cone; else 0. */
FENDER_API double fender_geometry_half_length(const fender_geometry *geometry);
/* Half extents [m] of a box, semi-axes of an ellipsoid; else 0. */
FENDER_API fender_vec3 fender_geometry_half_extents(const fender_geometry *geometry);
FENDER_API double fender_geometry_rounding(const fender_geometry *geometry); /* m; 0: none */
/* Returns true for a probe and its lengths [m]; else false. */
FENDER_API bool fender_geometry_probe_lengths(const fender_geometry *geometry, double *range, double *cushion,
                                              bool *literal);
/* Points of a cloud, vertices of a box, hull, grid, mesh: borrowed, in G; NULL and 0 for others. */
FENDER_API const fender_vec3 *fender_geometry_vertices(const fender_geometry *geometry, int *count);
/* Triangles of a box, hull, grid, mesh, three indices each, outward by the right-hand rule: writes up to `capacity`
 * indices and returns their number. */
FENDER_API int fender_geometry_triangles(const fender_geometry *geometry, int32_t *indices, int capacity);
/* Radius of the smallest sphere about the frame's origin that holds the geometry [m]; INFINITY for a plane. */
FENDER_API double fender_geometry_bounding_radius(const fender_geometry *geometry);
/* Box along the axes of the pose's outer frame that holds the placed geometry [m]; infinite where the geometry is. */
FENDER_API fender_box fender_geometry_bounds(const fender_geometry *geometry, const fender_pose *X_WG);
/* Mass properties of the homogeneous solid [kg/m^3], in G. A capsule is a cylinder with two hemispheres; disks,
 * points, clouds, planes, grids and flat hulls have none (zero); a mesh is assumed to be closed. */
FENDER_API fender_mass_properties fender_geometry_mass_properties(const fender_geometry *geometry, double density);

/* Relation of two placed geometries. All vectors have their origin at the origin of a's geometry frame and the axes
 * of the given poses, so that no accuracy is lost far from the world's origin. */
typedef struct fender_separation {
    double distance;     /* m; negative: they overlap by that much along the normal */
    fender_vec3 point_a; /* the point of a's surface that is nearest to b (or deepest in b) */
    fender_vec3 point_b; /* the same on b */
    fender_vec3 normal;  /* unit, outward of a, from a to b; point_b = point_a + distance * normal */
    uint64_t feature;    /* stable identifier of the touching features; 0 where a pair has one contact */
    double weight; /* fraction of the stiffness that acts here: 1 for single contacts; in a patch tributary area over
                      the area of the full face, 0 where the patch begins and ends */
    double area;   /* m^2; tributary area of a point of a patch; 0 for others */
    int index;     /* number of the cloud's point, or of the point in its patch; 0 for others */
    bool weight_fades; /* point of a patch: it appears and disappears with weight 0, which causes no event */
    bool shared;       /* one of several contacts of a sphere with a grid or mesh, which share stiffness and memory */
    double slant;      /* of a probe 1/|n.u| - 1: `distance` is along its line of sight, and the points are
                          distance / (1 + slant) apart; 0 for others */
    bool deep;         /* of a probe: the surface lies in the first half of its line of sight */
    double border;     /* m; a patch ends at that distance, or where the point's face ends; 0: where they touch */
    fender_vec3 turn;  /* 1/rad; of a patch: moment on b per energy stored there, for the weight depends on attitude */
} fender_separation;

/* Closest points, or deepest points of an overlap, of a placed by X_WA and b by X_WB (quaternions of unit length).
 * Exact for every pose, but where meshes overlap meshes or grids: there it is the deepest point of their patch, behind
 * the face that is near it (models/contact_patches.md). Where the normal is not unique (coincident centres, crossing
 * axes) a unit normal of the least penetration is chosen by a rule that depends on the poses alone. Returns
 * NO_PAIR_FUNCTION when the pair table has none. Any thread. */
FENDER_API fender_status fender_geometry_separation(const fender_geometry *a, const fender_pose *X_WA,
                                                    const fender_geometry *b, const fender_pose *X_WB,
                                                    fender_separation *separation);
/* Cache of a query, for the next query of the same two geometries in a similar pose. It makes the query faster and
 * changes its result by rounding at most. Zero it before the first use. */
typedef struct fender_separation_cache {
    uint64_t words[8];
} fender_separation_cache;
FENDER_API fender_status fender_geometry_separation_cached(const fender_geometry *a, const fender_pose *X_WA,
                                                           const fender_geometry *b, const fender_pose *X_WB,
                                                           fender_separation_cache *cache,
                                                           fender_separation *separation);

/* How many contacts a pair has. */
typedef enum fender_contact_points {
    FENDER_CONTACT_POINTS_PATCH,  /* touching faces have patches of a few weighted points (models/contact_patches.md) */
    FENDER_CONTACT_POINTS_SINGLE, /* one point per pair, the deepest; a cloud one per point (Simscape) */
    FENDER_CONTACT_POINTS_CORNERS /* boxes and hulls touch planes, grids, meshes and each other with their vertices,
                                     cylinders, cones and disks with twelve points of each rim, each with a fraction of
                                     the stiffness; all other pairs as with PATCH */
} fender_contact_points;
/* Contacts nearer than `range` [m, finite], in ascending order of feature: writes up to `capacity`, and sets *count
 * to their number. Same axes and origin as fender_geometry_separation. */
FENDER_API fender_status fender_geometry_contacts(const fender_geometry *a, const fender_pose *X_WA,
                                                  const fender_geometry *b, const fender_pose *X_WB,
                                                  fender_contact_points points, double range,
                                                  fender_separation *separations, int capacity, int *count);

typedef struct fender_ray {
    fender_vec3 origin, direction; /* direction of any length but 0 */
    double range;                  /* m; INFINITY: no end */
} fender_ray;
typedef struct fender_ray_hit {
    bool hit;
    double distance;    /* m along the ray, >= 0; 0 when the origin is inside a solid */
    fender_vec3 point;  /* in the axes of the ray */
    fender_vec3 normal; /* unit, outward; against the ray when the origin is inside */
    uint64_t feature;   /* face or triangle */
} fender_ray_hit;
/* First point where a ray enters the placed geometry. A mesh is hit from outside only (back faces are passed), points
 * and clouds never unless rounded. VALUE for a ray without direction or that is not finite. Any thread. */
FENDER_API fender_status fender_geometry_ray_cast(const fender_geometry *geometry, const fender_pose *X_WG,
                                                  const fender_ray *ray, fender_ray_hit *hit);
/* fender_geometry_ray_cast for many rays against one geometry, with the same bits. On grids and meshes that exceed
 * the caches it takes half of the time or less, because several rays are in flight at once. VALUE if a ray is
 * refused; then no hit is written. */
FENDER_API fender_status fender_geometry_ray_cast_many(const fender_geometry *geometry, const fender_pose *X_WG,
                                                       const fender_ray *rays, int count, fender_ray_hit *hits);
/* Feature on which a nearest point lies. */
typedef enum fender_surface_part { FENDER_ON_FACE, FENDER_ON_EDGE, FENDER_ON_VERTEX } fender_surface_part;
typedef struct fender_nearest {
    bool found;         /* false: nothing within the greatest distance; the rest is 0 */
    double distance;    /* m; negative behind the surface (inside a solid); its absolute value is one-sided */
    fender_vec3 point;  /* of the surface, in the axes of the point asked for */
    fender_vec3 normal; /* unit, outward there; at edges and vertices between the faces, weighed by their angles */
    fender_surface_part part; /* of grids and meshes; FACE for others */
    int corner;               /* of the triangle: the vertex, or the edge from it to the next; else 0 */
    uint64_t feature;         /* face or triangle as in fender_ray_hit, point of a cloud; 0 for others */
} fender_nearest;
/* The point of the placed geometry's surface that is nearest to `point`, within max_distance [m, INFINITY: any]. Of
 * equally near triangles one that is nearest by its inside wins, then the lowest number. Sign: a point is inside a
 * closed mesh if it is behind the pseudonormal there (angle-weighted at vertices, Baerentzen and Aanaes 2005); where
 * the border of an open mesh is nearest it is outside. Under a grid it is inside, with the distance to its triangles. A
 * cloud has no inside. VALUE for numbers that are not finite or a negative or NaN max_distance, NO_PAIR_FUNCTION for
 * a user geometry with a support function. Any thread. */
FENDER_API fender_status fender_geometry_nearest_point(const fender_geometry *geometry, const fender_pose *X_WG,
                                                       fender_vec3 point, double max_distance, fender_nearest *nearest);
/* The same for many points, with the same bits; VALUE if one is refused; then nothing is written. */
FENDER_API fender_status fender_geometry_nearest_points(const fender_geometry *geometry, const fender_pose *X_WG,
                                                        const fender_vec3 *points, int count, double max_distance,
                                                        fender_nearest *nearest);
/* True if there is a contact function for the two types. (A user geometry counts as one with support.) */
FENDER_API bool fender_geometry_pair_supported(fender_geometry_type a, fender_geometry_type b);
/* True if neither of the two has an inside, unless it is rounded: two disks, a disk with a point or a cloud. Such a
 * pair has a distance but no depth: in a world it cannot touch (FENDER_PAIR_NO_INSIDE). */
FENDER_API bool fender_geometry_pair_thin(fender_geometry_type a, fender_geometry_type b);

#endif
