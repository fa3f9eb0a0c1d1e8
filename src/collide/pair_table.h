/* The pair matrix: functions that compute contacts of two geometries, their signature, and the list of their results.
 */
#ifndef FND_COLLIDE_PAIR_TABLE_H
#define FND_COLLIDE_PAIR_TABLE_H

#include "geometry/geometry.h"
#include "geometry/surface.h"
#include "math/rotation.h"
#include <assert.h>
#include <fender/geometry.h>
#include <math.h>

typedef struct fnd_manifold {
    fender_separation *items;
    int count, capacity;
    const fender_env *env; /* NULL: it may not grow */
    bool failed;           /* no memory (or no space): the list is incomplete */
    /* The deepest point of a patch, whose contacts represent areas: usually a corner. Not a contact: weight 0. */
    fender_separation deepest;
    bool has_deepest;
    /* What a patch on a plane is asked for. `turns`: the points state `turn`; else they are shifted, which does the
     * same where the force is proportional to the depth. `splits`: area that is apart has points of its own.
     * `touching`: the pair has not begun. There is none of these then, and without `splits` no point before touch. */
    bool turns, splits, touching;
    double exponent; /* of the depth, to which the force is proportional, if it is above 1; patches are made for that */
} fnd_manifold;

bool fnd_manifold_grow(fnd_manifold *manifold);
void fnd_manifold_release(fnd_manifold *manifold);
/* Room for one more; NULL: there is none. */
static inline fender_separation *fnd_manifold_more(fnd_manifold *manifold)
{
    assert(manifold->count <= manifold->capacity);
    if (manifold->count == manifold->capacity && !fnd_manifold_grow(manifold)) return NULL;
    return &manifold->items[manifold->count++];
}
static inline void fnd_manifold_add(fnd_manifold *manifold, fender_separation separation)
{
    fender_separation *one = fnd_manifold_more(manifold);
    if (one) *one = separation;
}
/* A point of a patch: point_b on b at `depth` below a. */
static inline void fnd_manifold_add_point(fnd_manifold *manifold, double depth, fender_vec3 point_b, fender_vec3 normal)
{
    if (!(depth > 0) || (manifold->has_deepest && depth <= -manifold->deepest.distance)) return;
    manifold->deepest = (fender_separation){.distance = -depth,
                                            .point_a = fender_vec3_add_scaled(point_b, depth, normal),
                                            .point_b = point_b,
                                            .normal = normal,
                                            .weight_fades = true};
    manifold->has_deepest = true;
}
/* Of a patch: sums of weight times depth and of weight times depth squared. */
typedef struct fnd_patch_sums {
    double force, moment;
} fnd_patch_sums;
static inline void fnd_patch_sums_add(fnd_patch_sums *sums, const fender_separation *point)
{
    const double depth = point->distance < 0 ? -point->distance : 0;
    sums->force += point->weight * depth;
    sums->moment += point->weight * depth * depth;
}
/* May the deepest point be far behind a face that is not the way out? */
bool fnd_is_doubtful(double depth, const fnd_patch_sums *sums);
/* A single contact: weight 1. */
static inline fender_separation fnd_single(double distance, fender_vec3 point_a, fender_vec3 point_b,
                                           fender_vec3 normal, uint64_t feature)
{
    return (fender_separation){.distance = distance,
                               .point_a = point_a,
                               .point_b = point_b,
                               .normal = normal,
                               .feature = feature,
                               .weight = 1};
}

/* A geometry placed by the pose of its frame G in the world, as a matrix. */
typedef struct fnd_posed {
    const fender_geometry *geometry;
    fender_vec3 p_WG;
    fender_mat3 R_WG;
} fnd_posed;

/* A triangle with what contacts ask about it; normals and edges once they were asked for. */
typedef struct fnd_facet_edge {
    bool known;
    int32_t other;         /* triangle across it; -1: border */
    fender_vec3 direction; /* unit, from its corner to the next */
    fender_vec3 into;      /* into the other triangle, along it */
    double into_length;
    fender_vec3 normals; /* sum of both unit normals */
} fnd_facet_edge;
typedef struct fnd_facet {
    fnd_triangle_view view;
    bool has_normal;
    fender_vec3 normal; /* unit */
    fnd_facet_edge edges[3];
} fnd_facet;

/* Triangles of a surface around a place, kept from query to query. It answers every query whose ball lies within its
 * own, with the same bits as the surface itself. Zero it before the first use. */
enum { FND_KEPT_TRIANGLES = 32, FND_KEPT_FACETS = 6, FND_KEPT_TOUCHED = 6 };
typedef struct fnd_kept_triangle {
    fender_vec3 from; /* a place in G */
    double least;     /* m; the triangle is no nearer to it than that */
} fnd_kept_triangle;
/* Where a ball is known to touch one triangle alone, within it: around a place, with the triangle's plane. */
typedef struct fnd_foothold {
    fender_vec3 place;
    double room;             /* how far the centre may be from there; 0: nothing is known */
    fender_vec3 corner, tip; /* of the triangle: where its longest edge begins, and the opposite one */
    fender_vec3 normal;      /* unit */
    fnd_triangle_plane plane;
} fnd_foothold;
typedef struct fnd_triangle_memory {
    const struct fnd_surface *surface; /* NULL: nothing is kept */
    fender_vec3 center;                /* in G of the surface */
    double radius;
    int count; /* triangles within the radius, in the order of scans; -1: too many */
    /* A place with no triangle within `clear`; places within `room` of it are in front of the surface. */
    fender_vec3 front;
    double clear, room; /* 0: none is known */
    bool apart;         /* that was the answer to the last query */
    fender_vec3 tried;  /* of a mesh: no room was found there, nor is it searched for within `patience` of there */
    double patience;
    /* Within `steady_room` of `steady`, among the triangles within `limit` only those that are listed have places where
     * a ball touches; see mesh_memory.c. */
    fender_vec3 steady;
    double steady_room, limit; /* room 0: nothing is known */
    int steady_count, uses, pause;
    fnd_foothold foothold;
    unsigned char touched[FND_KEPT_TOUCHED];
    int32_t triangles[FND_KEPT_TRIANGLES];
    fnd_kept_triangle kept[FND_KEPT_TRIANGLES];
    unsigned char slots[FND_KEPT_TRIANGLES]; /* of each triangle among the facets, if it is there still */
    int oldest;                              /* of the facets, which the next one replaces */
    fnd_facet facets[FND_KEPT_FACETS];       /* the triangles that were looked at last */
} fnd_triangle_memory;

typedef enum fnd_query_kind {
    FND_QUERY_DISTANCE, /* the one separation of least distance, whatever `reach` */
    FND_QUERY_SINGLE,   /* one contact per pair, per point of a cloud */
    FND_QUERY_PATCH,    /* and patches where faces meet */
    FND_QUERY_CORNERS   /* and the corners of polytopes; pair functions never see it */
} fnd_query_kind;
typedef struct fnd_query {
    fnd_query_kind kind;
    double reach;                   /* largest separation to be reported; may be INFINITY */
    fender_separation_cache *cache; /* NULL: none */
    fnd_triangle_memory *memory;    /* of spheres and points on surfaces; NULL: none */
    double lift;                    /* a patch on a plane has what lies at most so far above it [m]; <= 0: nothing */
} fnd_query;

static inline fnd_query_kind fnd_query_of_points(fender_contact_points points)
{
    return points == FENDER_CONTACT_POINTS_SINGLE    ? FND_QUERY_SINGLE
           : points == FENDER_CONTACT_POINTS_CORNERS ? FND_QUERY_CORNERS
                                                     : FND_QUERY_PATCH;
}

static inline double fnd_query_range(const fnd_query *query)
{
    return query->kind == FND_QUERY_DISTANCE ? INFINITY : query->reach;
}

/* Adds the separations of a pair to `out`. Vectors in world axes, origin at a's p_WG (positions are subtracted first).
 * Pure but for out and the cache. DISTANCE adds exactly one for finite poses. Any order: the caller sorts by feature.
 */
typedef void fnd_pair_function(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out);

/* The function for (a, b) or for (b, a), then `mirrored`; function NULL: there is none. Call it through
 * fnd_pair_evaluate. */
typedef struct fnd_pair_entry {
    fnd_pair_function *function;
    bool mirrored;
} fnd_pair_entry;
fnd_pair_entry fnd_pair_find(const fender_geometry *a, const fender_geometry *b);
/* True if there is a function, and one of the two has an inside: a disk, a point and a cloud have a distance from each
 * other, but there is no volume that they could share. (The least translation that parts them is 0 wherever they are
 * parallel, and for a point always: a force by depth would let them pass, whatever its stiffness. Which side one came
 * from is no function of the pose.) */
bool fnd_pair_can_touch(const fender_geometry *a, const fender_geometry *b);
/* Mirrors the results for (b, a) from `first` on, including features of patches. */
void fnd_pair_mirror(const fnd_posed *a, const fnd_posed *b, int first, fnd_manifold *out);
/* The same without geometries that stand for others (collide/stand_in.h), corners and limits of the deepest point. */
void fnd_pair_evaluate_plain(const fnd_pair_entry *entry, const fnd_posed *a, const fnd_posed *b,
                             const fnd_query *query, fnd_manifold *out);
/* Calls the entry, mirrors its results if necessary, and sorts them by feature. Previous contents of `out` are kept.
 * CORNERS is handled here (collide/point_contact.h) and equals PATCH for pairs without corners. The mirrored pair gives
 * the mirrored result bit for bit, except for patches of two solids with faces of equal size. */
void fnd_pair_evaluate(const fnd_pair_entry *entry, const fnd_posed *a, const fnd_posed *b, const fnd_query *query,
                       fnd_manifold *out);

/* ---- Functions of pairs without a header of their own ---- */

/* ---- Spheres and capsules: a core (point or segment) swept by a radius ---- */

fnd_pair_function fnd_sphere_sphere, fnd_sphere_capsule, fnd_capsule_sphere, fnd_capsule_capsule;

/* ---- A plane ---- */

fnd_pair_function fnd_plane_convex; /* a: plane; b: capsule, disk, convex */

/* ---- Probes ---- */

fnd_pair_function fnd_probe_solid; /* a: probe; b: sphere, capsule, disk, plane, convex, field, grid, mesh */

/* ---- A user's signed distance ---- */

fnd_pair_function fnd_field_convex; /* a: field; b: capsule, disk, convex */

#endif
