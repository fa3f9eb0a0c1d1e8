/* Numbers that depend on a key and a place alone, and the functions that distributions need: the same bits on every
 * machine. */
#ifndef FND_SUPPORT_RANDOM_H
#define FND_SUPPORT_RANDOM_H

#include <stdint.h>

/* Philox 4x32-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3; SC 2011). */
void fnd_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);
/* Four words for a use, a stream and an index. Use 0 is that of fnd_uniform. */
void fnd_draw(uint64_t seed, uint32_t use, uint32_t stream, uint64_t index, uint32_t out[4]);
/* In (0, 1), 53 bits: a function of seed, stream, index. */
double fnd_uniform(uint64_t seed, uint32_t stream, uint64_t index);
double fnd_log(double x);
double fnd_exp(double x);
/* Standard normal. */
double fnd_normal_quantile(double u);
double fnd_normal_probability(double x);

#endif
