/* Numbers that depend on a key and a place alone: no state, the same on every machine. */
#ifndef FND_STUDY_RANDOM_H
#define FND_STUDY_RANDOM_H

#include "support/random.h"

/* The place of `index` in a permutation of 0 .. count - 1 that seed and stream choose. */
uint64_t fnd_permuted(uint64_t seed, uint32_t stream, uint64_t index, uint64_t count);
/* Morris' trajectories: the level from which a variable starts, and how many others move before it does. */
int fnd_morris_start(uint64_t seed, int64_t trajectory, int variable, int levels);
int fnd_morris_place(uint64_t seed, int64_t trajectory, int variable, int count);

enum { FND_SOBOL_DIMENSIONS = 32 };
/* Coordinate of Sobol's sequence (direction numbers of Joe and Kuo), scrambled after Owen, in (0, 1); index < 2^32. */
double fnd_sobol(uint64_t seed, int dimension, uint32_t index);

#endif
