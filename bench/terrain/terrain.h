/* Inputs of the terrain benchmark, the same for every engine, and what an engine must answer. */
#ifndef FENDER_BENCH_TERRAIN_H
#define FENDER_BENCH_TERRAIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 100 m x 50 m in cells of 0.1 m: waves, 150 craters, 4 mm of roughness; 1 000 000 triangles. Coordinates are exact in
 * float, for engines that know nothing else. */
enum { TERRAIN_X = 1001, TERRAIN_Y = 501, TERRAIN_RAYS = 1000000, TERRAIN_POINTS = 100000, TERRAIN_CHECKED = 5000 };
typedef struct terrain {
    int vertex_count, triangle_count;
    double *heights;         /* row by row along x */
    double (*vertices)[3];   /* m */
    float (*rounded)[3];     /* the same; followed by room for one more */
    int32_t (*triangles)[3]; /* counter-clockwise from above */
    double lowest, highest;
} terrain;

typedef struct terrain_ray {
    double origin[3], direction[3]; /* of unit length but for rounding to float */
} terrain_ray;

terrain *terrain_make(void);
void terrain_free(terrain *t);
/* Coherent: a raster of 1000 x 1000 from 30 m along (0.1, 0.05, -1). Incoherent: from 0.5 to 5 m above the highest
 * point anywhere to anywhere below. */
void terrain_make_rays(const terrain *t, int coherent, terrain_ray *rays, int count);
/* 0.02 to 3 m above the ground. */
void terrain_make_points(const terrain *t, double (*points)[3], int count);
/* By looking at every triangle that may be it, in long double: metres along the ray, -1: none; metres to the ground. */
double terrain_true_hit(const terrain *t, const terrain_ray *ray);
double terrain_true_distance(const terrain *t, const double point[3]);

typedef struct terrain_peer {
    const char *name;
    void *(*create)(const terrain *t);
    /* Distances along the rays [m]; -1: no hit. NULL: has no such query. */
    void (*cast)(void *data, const terrain_ray *rays, int count, double *distances);
    void (*find_nearest)(void *data, double (*points)[3], int count, double *distances);
    void (*release)(void *data);
    int nearest_count; /* of points, for a slow one; 0: all */
} terrain_peer;

extern const terrain_peer terrain_embree[3], /* single rays, packets, streams */
    terrain_cgal, terrain_bullet, terrain_ode, terrain_fcl;

#ifdef __cplusplus
}
#endif
#endif
