/* Bodies that touch the terrain of the terrain benchmark: the same inputs for Fender and for other engines. */
#ifndef FENDER_BENCH_SURFACES_H
#define FENDER_BENCH_SURFACES_H

#include "../hulls/hulls.h"
#include "../terrain/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SURFACES_POSES = 10000, SURFACES_BODIES = 3, SURFACES_CONTACTS = 256 };

/* A sphere of 0.25 m, a box of 0.6 x 0.4 x 0.3 m, a hull of 32 vertices of about 0.5 m. */
typedef enum surfaces_body { SURFACES_BALL, SURFACES_BOX, SURFACES_HULL } surfaces_body;
typedef struct surfaces_shape {
    surfaces_body body;
    double radius, half[3];
    hulls_shape hull; /* of box and hull */
} surfaces_shape;

/* The vertex of the terrain that is deepest in the body, straight up and down, is so by `depth`. */
typedef struct surfaces_pose {
    hulls_pose pose;
    double depth;
} surfaces_pose;

typedef struct surfaces_answer {
    int contacts;
    double depth; /* of the deepest [m] */
} surfaces_answer;

typedef struct surfaces_peer {
    const char *name;
    void *(*create)(const terrain *t, const surfaces_shape *shapes);
    void (*query)(void *peer, surfaces_body body, const hulls_pose *pose, surfaces_answer *answer);
    void (*release)(void *peer);
} surfaces_peer;
extern const surfaces_peer surfaces_bullet, surfaces_ode, surfaces_fcl;

/* false: no memory. */
bool surfaces_make_shapes(surfaces_shape shapes[SURFACES_BODIES]);
void surfaces_make_poses(const terrain *t, const surfaces_shape *shape, surfaces_pose *poses, int count);

#ifdef __cplusplus
}
#endif
#endif
