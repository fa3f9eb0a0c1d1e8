/* Links and pairs of bodies over a run: what the contacts of two bodies did together, and how far links went. */
#ifndef FND_RUN_TALLY_H
#define FND_RUN_TALLY_H

#include "run/resolve.h"
#include "support/memory.h"

enum { FND_TALLY_PAIRS = 100, FND_TALLY_SLOTS = 256 };

/* Two bodies whose shapes have touched. */
typedef struct fnd_pair_tally {
    fender_body_id a, b; /* a was created first */
    int64_t contact_count, open;
    double begin_time, end_time; /* s; of the first and of the last that ended */
    double peak_force, peak_force_time;
    double impulse, energy_lost; /* of contacts that have ended */
    fender_shape_id first_a, first_b;
    bool several;      /* other shapes than those have touched */
    fender_vec3 force; /* while a state is summed */
} fnd_pair_tally;

typedef struct fnd_link_tally {
    double shortest, longest; /* m; INFINITY, -INFINITY: not seen yet */
    double stroke_left;       /* m; the least; INFINITY: it has no stroke */
    bool has_stroke;
} fnd_link_tally;

typedef struct fnd_tally {
    fnd_pair_tally *pairs; /* in the order of their first contacts */
    int16_t *slots;        /* by bodies: number of the pair + 1 */
    int pair_count;
    int64_t dropped;
    int64_t open;          /* contacts of all pairs that have not ended */
    fnd_link_tally *links; /* in the order of creation */
    int link_count;
    fender_body_pair_summary *pair_results;
    fender_link_summary *link_results;
} fnd_tally;

bool fnd_tally_create(fnd_tally *tally, const fender_world *world, fnd_arena *arena);
/* To be called with all events, in order. */
void fnd_tally_note_events(fnd_tally *tally, const fnd_instant *instant);
/* To be called at every accepted state, after its events. */
void fnd_tally_follow(fnd_tally *tally, const fnd_instant *instant);
/* Fills the results, with the contacts that last. */
void fnd_tally_finish(fnd_tally *tally, const fender_world *world);
/* Finds the pairs again after a checkpoint was read. */
void fnd_tally_index(fnd_tally *tally);

#endif
