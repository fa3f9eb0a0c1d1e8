/* Evaluation of contacts by several threads: batches and the candidates between them are divided into parts of equal
 * cost, whose division depends on the candidates and records alone. Each part has its own rows; they are put one behind
 * the other in the order of parts, so that nothing depends on the number of threads. */
#ifndef FND_CONTACT_PARALLEL_H
#define FND_CONTACT_PARALLEL_H

#include "base/pool.h"
#include "contact/contact_set.h"

/* What each thread has of its own. */
typedef struct fnd_evaluator {
    fnd_contact_set set;   /* a copy of the set, with these */
    fnd_manifold manifold; /* grown by it */
    struct fnd_batch_result *batch_result;
    struct fnd_batch *placed;
    struct fnd_batch_result *placed_result;
    fnd_triangle_memory *terrain; /* as many as the set has */
    unsigned char *scratch_memory;
    fnd_contact_list spill; /* rows of the parts that have more than they have room for */
} fnd_evaluator;

/* Batches `from` up to `to` of the plan, with the candidates between them, and the records of their keys. */
typedef struct fnd_range {
    int from, to;               /* batches */
    int record_from, record_to; /* in the order of keys */
} fnd_range;

/* One part, and what was found in it. */
typedef struct fnd_part {
    fnd_range range;
    fnd_contact_list rows; /* a view of the list, or of the spill of its evaluator */
    bool spilled, failed;
    int thread, offset;    /* whose spill, and where in it */
    int at, first_ordinal; /* of its rows in the list of all */
    int saved;             /* where those rows are that others would overwrite */
} fnd_part;

typedef struct fnd_crew {
    fnd_pool *pool;
    fnd_evaluator *evaluators; /* by thread */
    int evaluator_count;
    int terrain_count;
    size_t scratch_size;
    fnd_part *parts;
    int part_count, part_capacity;
    fnd_contact *saved; /* see close_up */
    int saved_capacity;
    uint64_t version; /* of the plan that the parts are of */
    bool pays;        /* there is enough to do */
} fnd_crew;

/* Bodies in a block of loops that do little for each. */
enum { FND_CHEAP_BODY_BLOCK = 1024 };

/* The threads that loops over the contacts of a set may use; NULL: none but the calling one. */
static inline fnd_pool *fnd_contact_set_pool(const fnd_contact_set *set) { return set->crew ? set->crew->pool : NULL; }

/* For a set that was just made, with the threads of the pool. NULL: no memory. */
fnd_crew *fnd_crew_create(const fender_env *env, fnd_pool *pool, const fnd_contact_set *set);
void fnd_crew_destroy(const fender_env *env, fnd_crew *crew); /* NULL is fine */
/* True if several threads are to evaluate the contacts of the set: divides them into parts. */
bool fnd_crew_takes(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model);
/* fnd_contacts_evaluate by all threads, after fnd_crew_takes and what begins an evaluation. */
bool fnd_crew_evaluate(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                       const fnd_frame *frames, double time, fnd_regime regime, fnd_contact_list *out);

/* One part, by the thread whose set this is (contact/evaluate.c). Rows go to `rows`, which may be full: then all of
 * them go behind those in `spill`. False: no memory. */
bool fnd_contacts_evaluate_range(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                                 const fnd_frame *frames, double time, fnd_regime regime, const fnd_range *range,
                                 fnd_contact_list *rows, fnd_contact_list *spill);

#endif
