/* Contacts from begin to end, collected from events; pairs that may touch and how near they came. */
#ifndef FND_RUN_EPISODE_H
#define FND_RUN_EPISODE_H

#include "run/resolve.h"
#include "support/memory.h"

enum { FND_EPISODE_CAPACITY = 10000 };

typedef struct fnd_episode_key {
    fender_shape_id a, b;
    uint64_t feature;
} fnd_episode_key;

typedef struct fnd_episode_table {
    fender_episode *items; /* in the order of their beginnings */
    fnd_episode_key *keys;
    int *open; /* indices of those that have not ended */
    int count, open_count, capacity;
    int64_t dropped; /* beyond the capacity */
    /* of all contacts, kept or not, the one whose own energy adds up worst; null ids: none */
    fender_shape_id worst_a, worst_b;
    double worst_residual;
} fnd_episode_table;

/* Room for `capacity` contacts; those beyond are counted. */
bool fnd_episode_table_create(fnd_episode_table *table, int capacity, fnd_arena *arena);
void fnd_episode_table_follow(fnd_episode_table *table, const fnd_instant *instant);
/* Fills what is known so far of the contacts that still exist. */
void fnd_episode_table_finish(fnd_episode_table *table, const fender_world *world);

/* Writes "episodes.csv": a row for each, every figure followed by the estimate of its error. */
fender_status fnd_episode_table_write(const fnd_episode_table *table, const fender_env *env, const char *directory,
                                      fender_error *error);

/* ---- Pairs that may touch: how many there are, and how near those came that never did. */

enum { FND_APPROACH_CAPACITY = 100 };

/* A shape that the pairs need. */
typedef struct fnd_approach_shape {
    fender_shape_id id;
    int body; /* slot */
    const fender_geometry *geometry;
    fender_pose X_SG;
    double radius; /* of the sphere about its origin that holds it */
    double lever;  /* of points that turn with the body */
} fnd_approach_shape;

typedef struct fnd_approach {
    int a, b; /* slots of the shapes */
    double distance, time;
    double least; /* what it may have been between that state and the next */
    bool touched;
} fnd_approach;

typedef struct fnd_approach_body {
    fender_pose pose;
    fender_vec3 velocity;
    double rate; /* rad/s */
} fnd_approach_body;

/* States are collected, and looked at many at a time: bounds on the motion between them leave few distances to find. */
enum { FND_APPROACH_STATES = 512 };
typedef struct fnd_approach_table {
    fnd_approach *items; /* the first pairs in the order of their keys */
    fender_closest_approach *results;
    fnd_approach_shape *shapes;
    fender_body_id *bodies;
    fnd_approach_body *states; /* `body_count` of each state collected; behind all, of the last before them */
    double *turns; /* by body and state: a point moves by no more up to there as it turns, per metre of its lever */
    double times[FND_APPROACH_STATES], since[FND_APPROACH_STATES]; /* s; the second: since the state before */
    double last_time;
    int count, result_count, shape_count, body_count, state_count;
    int64_t pair_count; /* all that may touch */
} fnd_approach_table;

bool fnd_approach_table_create(fnd_approach_table *table, const fender_world *world, fnd_arena *arena);
/* To be called with all events, before the state is followed. */
void fnd_approach_note_events(fnd_approach_table *table, const fnd_instant *instant);
void fnd_approach_table_follow(fnd_approach_table *table, const fnd_instant *instant);
/* Looks at the states that were collected: items are those of the present then. */
void fnd_approach_table_settle(fnd_approach_table *table);
/* The results: pairs that never touched. */
void fnd_approach_table_finish(fnd_approach_table *table, const fender_world *world);

#endif
