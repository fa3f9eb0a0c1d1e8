/* Pairs of random convex hulls with certified distances: the same inputs for Fender and for other engines. */
#ifndef FENDER_BENCH_HULLS_H
#define FENDER_BENCH_HULLS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HULLS_SHAPES = 100, HULLS_PAIRS = 10000, HULLS_FRAMES = 100, HULLS_MOST = 512 };

/* Triangles are outward by the right-hand rule; every vertex is one of the hull. */
typedef struct hulls_shape {
    int vertex_count, triangle_count;
    double (*vertices)[3];
    int32_t (*triangles)[3];
} hulls_shape;

typedef struct hulls_pose {
    double q[4]; /* w, x, y, z; unit */
    double p[3];
} hulls_pose;

/* Sets: 'a' apart by 1 mm to 1 m; 'b' 0.1 to 20 mm into each other; 'c' and 'd' sequences of 100 frames that turn and
 * slide, apart and 5 mm into each other. */
typedef struct hulls_pair {
    int a, b;
    hulls_pose pose_a, pose_b;
    bool certified;   /* distance and normal are known */
    double distance;  /* signed */
    double normal[3]; /* from a to b */
} hulls_pair;

typedef struct hulls_answer {
    bool found;
    double distance, normal[3];
} hulls_answer;

/* Another engine. `create` takes all shapes of one size; `query` answers one pair; `frame` 0 begins a sequence of poses
 * that cohere (cold sets: always 0). */
typedef struct hulls_peer {
    const char *name;
    bool apart, overlapping; /* what it answers */
    void *(*create)(const hulls_shape *shapes, int count);
    void (*query)(void *peer, const hulls_pair *pair, int frame, hulls_answer *answer);
    void (*release)(void *peer);
} hulls_peer;
/* The engines that this program was built with; ends with a name of NULL. */
extern const hulls_peer hulls_bullet, hulls_fcl, hulls_fcl_tight, hulls_ccd_epa, hulls_ccd_mpr, hulls_ode;

/* shapes[HULLS_SHAPES] with `vertices` each; false: no memory. */
bool hulls_make_shapes(int vertices, hulls_shape *shapes);
void hulls_release_shapes(hulls_shape *shapes);
/* pairs[count] of the set; every `certify`-th of the overlapping ones gets its exact depth. */
bool hulls_make_pairs(const hulls_shape *shapes, char set, int certify, hulls_pair *pairs, int count);

#ifdef __cplusplus
}
#endif
#endif
