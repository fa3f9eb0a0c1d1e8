/* Timing for the benchmarks: processor time, several repeats, median and spread. */
#ifndef FENDER_BENCH_H
#define FENDER_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BENCH_REPEATS = 7 };

static inline double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct bench_sample {
    double values[BENCH_REPEATS];
    int count;
} bench_sample;

static inline void bench_add(bench_sample *sample, double value)
{
    int i = sample->count++;
    for (; i > 0 && sample->values[i - 1] > value; i--) sample->values[i] = sample->values[i - 1];
    sample->values[i] = value;
}
static inline double bench_median(const bench_sample *sample) { return sample->values[sample->count / 2]; }
static inline double bench_least(const bench_sample *sample) { return sample->values[0]; }
static inline double bench_most(const bench_sample *sample) { return sample->values[sample->count - 1]; }

static inline void bench_fail(const char *what)
{
    fprintf(stderr, "benchmark: %s\n", what);
    exit(1);
}

#endif
