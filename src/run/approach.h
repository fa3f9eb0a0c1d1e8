/* Pairs that may touch: how many there are, and how near those came that never did. */
#ifndef FND_RUN_APPROACH_H
#define FND_RUN_APPROACH_H

#include "run/moment.h"
#include "text/arena.h"

enum { FND_APPROACH_CAPACITY = 100 };

typedef struct fnd_approach {
    fender_shape_id a, b;
    int body_a, body_b; /* in the order of creation */
    double distance, time;
    double reach; /* m; farthest that the surfaces of both can lie from the origins of their bodies, summed */
    bool touched;
} fnd_approach;

typedef struct fnd_approach_table {
    fnd_approach *items; /* the first pairs in the order of their keys */
    fender_closest_approach *results;
    fender_vec3 *positions; /* of the bodies that the pairs need, at the moment */
    int *bodies;            /* their indices */
    int count, result_count, body_count;
    int64_t pair_count; /* all that may touch */
} fnd_approach_table;

bool fnd_approach_table_create(fnd_approach_table *table, const fender_world *world, fnd_arena *arena);
void fnd_approach_table_follow(fnd_approach_table *table, const fnd_moment *moment);
/* The results: pairs that never touched. */
void fnd_approach_table_finish(fnd_approach_table *table, const fender_world *world);

#endif
