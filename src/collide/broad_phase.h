/* Which volumes overlap: fattened ones that stay good until something leaves its own. Of the pairs found before, those
 * of volumes that have changed are looked at again, no others. */
#ifndef FND_COLLIDE_BROAD_PHASE_H
#define FND_COLLIDE_BROAD_PHASE_H

#include <fender/base.h>
#include <fender/spatial.h>
#include <stdint.h>

/* ---- A tree over boxes that can change one at a time ---- */

typedef struct fnd_box {
    double lower[3], upper[3];
} fnd_box;

static inline bool fnd_boxes_overlap(const fnd_box *a, const fnd_box *b)
{
    return a->lower[0] <= b->upper[0] && b->lower[0] <= a->upper[0] && a->lower[1] <= b->upper[1] &&
           b->lower[1] <= a->upper[1] && a->lower[2] <= b->upper[2] && b->lower[2] <= a->upper[2];
}

/* Nodes 0 .. leaf_count - 1 are the leaves, in no tree while their height is negative. */
typedef struct fnd_tree_node {
    fnd_box box;
    int32_t parent, child[2], height;
} fnd_tree_node;

typedef struct fnd_box_tree {
    fnd_tree_node *nodes;
    int leaf_count, node_count, free; /* `free`: first unused inner node, linked by `parent`; -1: none */
    int roots[2];                     /* two trees over the same leaves; -1: empty */
    int32_t *stack;                   /* of a query, or the leaves that are put in order */
} fnd_box_tree;

static inline bool fnd_box_tree_holds(const fnd_box_tree *tree, int leaf) { return tree->nodes[leaf].height >= 0; }

/* ---- The broad phase ---- */

/* Intersection of a box, a sphere and, optionally, a half space. Sizes may be infinite; the centre is finite. */
typedef struct fnd_volume {
    fnd_box box;
    fender_vec3 center;
    double radius;
    bool present, still; /* two still volumes are no pair */
    bool half_space;     /* it lies below the plane normal . x = offset */
    fender_vec3 normal;  /* of unit length */
    double offset;
} fnd_volume;

bool fnd_volumes_overlap(const fnd_volume *a, const fnd_volume *b);

typedef struct fnd_broad_phase {
    fnd_volume *volumes;
    int count;
    uint64_t *pairs; /* (low << 32 | high), increasing */
    int pair_count, pair_capacity;
    bool valid; /* false: all is found anew */
    /* what the last update did: which rows of the old list went, and where in the new list rows came */
    uint32_t *removed, *added;
    int removed_count, added_count, removed_capacity, added_capacity;

    fnd_box_tree tree;      /* 0: what moves, 1: what is still */
    unsigned char *which;   /* by volume: its tree */
    unsigned char *changed; /* by volume: enum fnd_volume_change */
    uint32_t *changes;      /* those that have changed */
    int change_count;
    uint32_t *loose; /* volumes without end, in no tree */
    int loose_count;
    uint32_t *hits;
    uint64_t *fresh, *scratch;
    int fresh_count, fresh_capacity, scratch_capacity;
} fnd_broad_phase;

enum fnd_volume_change { FND_VOLUME_KEPT, FND_VOLUME_MOVED, FND_VOLUME_ANEW };

/* Returns whether the two can touch. Called when a pair appears, and again when one of the two is ANEW. */
typedef bool fnd_eligible(const void *ctx, int low, int high);

bool fnd_broad_phase_create(const fender_env *env, fnd_broad_phase *broad, int count, int pair_capacity);
void fnd_broad_phase_destroy(const fender_env *env, fnd_broad_phase *broad);

/* The volume has another size or place (MOVED), or has begun, ended, or may touch others than before (ANEW). */
void fnd_broad_phase_change(fnd_broad_phase *broad, int index, enum fnd_volume_change change);

/* Brings the pairs up to date: all overlapping eligible pairs, in increasing order. They depend on the volumes alone,
 * not on what was before. False: no memory; then it is no longer valid. What touches in the end does not depend on the
 * volumes, because the narrow phase decides. */
bool fnd_broad_phase_update(const fender_env *env, fnd_broad_phase *broad, fnd_eligible *eligible, const void *ctx);

/* The same change in rows of another kind that go with the pairs: there is room for all; rows that came are not
 * filled. */
void fnd_rows_edit(void *rows, size_t size, int count, const fnd_broad_phase *broad);

#endif
