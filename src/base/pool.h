/* A few threads that share the blocks of one job, for loops inside a world. Which thread does which block is open: a
 * block writes to places of its own, and whoever asked puts them together in the order of blocks. So results do not
 * depend on the number of threads. */
#ifndef FND_BASE_POOL_H
#define FND_BASE_POOL_H

#include <fender/base.h>

enum { FND_POOL_THREADS = 256 }; /* at most */

typedef struct fnd_pool fnd_pool;
/* One block of a job. `thread`: 0 (the one that asked) to fnd_pool_threads - 1, for scratch memory. */
typedef void fnd_pool_function(void *ctx, int thread, int block);

/* Number of threads that `wanted` stands for: 0 is one for each core. */
int fnd_pool_wanted(int wanted);
/* `threads` with the caller's, at least 2. If the system gives fewer, there are fewer. NULL: no memory. */
fnd_pool *fnd_pool_create(const fender_env *env, int threads);
void fnd_pool_destroy(fnd_pool *pool); /* NULL is fine */
int fnd_pool_threads(const fnd_pool *pool);
/* The environment for functions of a job: its allocator is that of `env`, called by one thread at a time. */
const fender_env *fnd_pool_env(const fnd_pool *pool);
/* Does all blocks and returns when they are done. One caller at a time. */
void fnd_pool_run(fnd_pool *pool, fnd_pool_function *function, void *ctx, int blocks);
/* Some of the turns of a loop: `from` up to `to`. Each is to depend on none of the others. */
typedef void fnd_block_function(void *ctx, int from, int to);
void fnd_pool_divide(fnd_pool *pool, fnd_block_function *function, void *ctx, int count, int block);
/* Do several threads share a loop of `count` turns in blocks of `block`, of which each is to take about 25 us? Not
 * without a pool, nor for less than two blocks. */
static inline bool fnd_pool_shares(const fnd_pool *pool, int count, int block) { return pool && count >= 2 * block; }
/* A loop that is shared, or that the calling thread does at once. Where a call costs as much as some turns, whoever
 * asks does the latter itself, by a function marked FND_INTO_LOOP, and gives the pool one that calls it. */
static inline void fnd_pool_blocks(fnd_pool *pool, fnd_block_function *function, void *ctx, int count, int block)
{
    if (count == 0) return; /* there may be no arrays, either */
    if (!fnd_pool_shares(pool, count, block)) function(ctx, 0, count);
    else fnd_pool_divide(pool, function, ctx, count, block);
}

/* A function that becomes part of each loop that calls it. */
#if defined __GNUC__
#define FND_INTO_LOOP static inline __attribute__((always_inline))
#else
#define FND_INTO_LOOP static inline
#endif

/* The same of a condition. True if it holds for all turns. */
typedef bool fnd_block_test(const void *ctx, int from, int to);
bool fnd_pool_divide_test(fnd_pool *pool, fnd_block_test *test, const void *ctx, int count, int block);
static inline bool fnd_pool_all(fnd_pool *pool, fnd_block_test *test, const void *ctx, int count, int block)
{
    if (count == 0) return true;
    return !pool || count < 2 * block ? test(ctx, 0, count) : fnd_pool_divide_test(pool, test, ctx, count, block);
}

#endif
