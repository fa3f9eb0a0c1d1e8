/* How near the parts of a condition came to holding, and which of them held together: why an action did not act. */
#ifndef FND_RUN_NEARNESS_H
#define FND_RUN_NEARNESS_H

#include "run/resolve.h"
#include "support/memory.h"

enum { FND_NEARNESS_LEAVES = 64, FND_NEARNESS_TEXT_SIZE = 160 };

struct fnd_condition_tree;

/* One number of a condition with its limit: a distance, a channel, a time. */
typedef struct fnd_nearness_leaf {
    char text[FND_NEARNESS_TEXT_SIZE]; /* "bodies.a.position.z above 3 m" */
    const char *unit;                  /* of value and limit, SI; "" for counts */
    double limit;
    bool is_maximum; /* holds below the limit */
    int node, part;
    uint64_t together; /* the leaves that must hold with it: all but those of other branches of an `any` */
    /* over all states so far */
    bool held_at_all;   /* at one of them */
    double value, time; /* the nearest while the most of the others held; NaN: there was no state */
    bool held;          /* then */
    uint64_t with;      /* those that held then */
} fnd_nearness_leaf;

typedef struct fnd_nearness {
    fnd_nearness_leaf leaves[FND_NEARNESS_LEAVES];
    int count;
    bool cut;           /* there are more */
    bool closed;        /* the condition has held: nothing is followed any more */
    double became_true; /* s; NaN: never */
    uint64_t by;        /* leaves that held then */
} fnd_nearness;

/* Of a condition and the tree that it resolves to. NULL: no memory. */
fnd_nearness *fnd_nearness_create(const fnd_resolver *resolver, const fnd_condition *condition,
                                  const struct fnd_condition_tree *tree, fnd_arena *arena);
/* Takes in an accepted state, at which the whole condition holds or not. */
void fnd_nearness_follow(fnd_nearness *nearness, const struct fnd_condition_tree *tree, const fnd_instant *instant,
                         bool whole);
/* As members of an object of JSON. */
void fnd_nearness_append(fnd_buffer *to, const fnd_nearness *nearness);

#endif
