/* When a study has run often enough: looks at its first runs, in their order, at places fixed beforehand. */
#ifndef FND_STUDY_STOP_H
#define FND_STUDY_STOP_H

#include "support/memory.h"
#include <fender/base.h>

enum { FND_STOP_LIMIT = 8, FND_STOP_TEXT = 1200 };

/* All conditions must hold at one look: the interval of P(name), exact and at error `level`, is narrower than twice
 * `half`. The looks of a study together have the error that the study states, so that the last interval holds with
 * that confidence, whatever number of runs it took. */
typedef struct fnd_stop {
    int64_t first; /* runs at the first look; each later one has half as many again */
    int looks, count;
    struct {
        char name[72];
        double half, level; /* level: of one look, on both sides together */
        int64_t hits;
    } conditions[FND_STOP_LIMIT];
    int64_t runs, next; /* runs seen, and those at the next look */
    int look;           /* looks taken */
    bool broken;        /* a run is missing: no look can be taken any more */
    bool reached;
} fnd_stop;

/* From name, half width and error (1 - confidence) of each condition: the looks, and the error of each. */
void fnd_stop_plan(fnd_stop *stop);
/* What a store keeps of it, and back; false: not such a text. */
void fnd_stop_write(const fnd_stop *stop, char *text, size_t size);
bool fnd_stop_read(fnd_stop *stop, const char *text);
/* The next run in order, and what came about in it; true when it is the last one. */
bool fnd_stop_add(fnd_stop *stop, int64_t run, const bool *came);

struct fnd_results;
/* The rule of a store, after the rows that it has, up to the first one that is missing. False: the study has none. */
bool fnd_results_stop(const struct fnd_results *results, fnd_stop *stop);
/* Runs that make the store complete: those up to a stop that is reached, else all. */
int64_t fnd_results_total(const struct fnd_results *results);

struct fender_study;
struct fnd_row;
/* Rows as they come, in any order; NULL without memory. */
typedef struct fnd_stop_watch fnd_stop_watch;
fnd_stop_watch *fnd_study_watch(const struct fender_study *study, fnd_arena *arena);
/* Notes a row's outcomes (1, 0, NaN); how many runs the study has, as far as is known: all, or those up to a stop. */
int64_t fnd_study_stop_at(fnd_stop_watch *watch, int64_t run, const double *outcomes);

#endif
