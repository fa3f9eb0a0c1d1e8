/* Threads that wait for jobs: a short spin first, because the next job of a step mostly comes at once. */
#define _DEFAULT_SOURCE /* sysconf, sigfillset */

#include "base/pool.h"
#include "base/memory.h"
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum { SPINS = 2000 }; /* some tens of microseconds */

typedef struct member {
    fnd_pool *pool;
    pthread_t id;
    int thread;
} member;

struct fnd_pool {
    fender_env env;    /* of the host */
    fender_env locked; /* the same, by one thread at a time */
    pthread_mutex_t memory_lock, lock;
    pthread_cond_t begun, done;
    fnd_pool_function *function;
    void *ctx;
    int blocks;
    atomic_int next;     /* block */
    atomic_uint job;     /* number of jobs so far; written with the lock */
    atomic_int busy;     /* members at work; written with the lock */
    bool open, stop;     /* with the lock: members may join; they end */
    int threads, wanted; /* that there are; places */
    member members[];
};

static void relax(void)
{
#if defined __GNUC__ && (defined __x86_64__ || defined __i386__)
    __builtin_ia32_pause();
#endif
}

static void *allocate_locked(void *ctx, size_t size, size_t alignment)
{
    fnd_pool *pool = ctx;
    pthread_mutex_lock(&pool->memory_lock);
    void *memory = pool->env.allocator.allocate(pool->env.allocator.ctx, size, alignment);
    pthread_mutex_unlock(&pool->memory_lock);
    return memory;
}

static void release_locked(void *ctx, void *memory, size_t size)
{
    fnd_pool *pool = ctx;
    pthread_mutex_lock(&pool->memory_lock);
    pool->env.allocator.release(pool->env.allocator.ctx, memory, size);
    pthread_mutex_unlock(&pool->memory_lock);
}

static void do_blocks(fnd_pool *pool, int thread)
{
    for (;;) {
        const int block = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (block >= pool->blocks) return;
        pool->function(pool->ctx, thread, block);
    }
}

static void *work(void *argument)
{
    member *m = argument;
    fnd_pool *pool = m->pool;
    unsigned seen = 0;
    for (;;) {
        for (int i = 0; i < SPINS && atomic_load_explicit(&pool->job, memory_order_relaxed) == seen; i++) relax();
        pthread_mutex_lock(&pool->lock);
        while (!pool->stop && (!pool->open || atomic_load(&pool->job) == seen))
            pthread_cond_wait(&pool->begun, &pool->lock);
        const bool stop = pool->stop;
        seen = atomic_load(&pool->job);
        if (!stop) atomic_fetch_add(&pool->busy, 1);
        pthread_mutex_unlock(&pool->lock);
        if (stop) return NULL;
        do_blocks(pool, m->thread);
        pthread_mutex_lock(&pool->lock);
        if (atomic_fetch_sub(&pool->busy, 1) == 1) pthread_cond_signal(&pool->done);
        pthread_mutex_unlock(&pool->lock);
    }
}

int fnd_pool_wanted(int wanted)
{
    assert(wanted >= 0);
    long cores = wanted > 0 ? wanted : sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > FND_POOL_THREADS ? FND_POOL_THREADS : (int)cores;
}

static size_t size_of(int wanted) { return sizeof(fnd_pool) + (size_t)wanted * sizeof(member); }

fnd_pool *fnd_pool_create(const fender_env *env, int threads)
{
    assert(threads >= 2 && threads <= FND_POOL_THREADS);
    fnd_pool *pool = fnd_allocate(env, size_of(threads));
    if (!pool) return NULL;
    pool->env = pool->locked = *env;
    pool->locked.allocator = (fender_allocator){allocate_locked, release_locked, pool};
    pthread_mutex_init(&pool->memory_lock, NULL);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begun, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->wanted = threads;
    pool->threads = 1;
    sigset_t all, before; /* signals are the host's: its own threads receive them */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (int i = 1; i < threads; i++) {
        member *m = &pool->members[i];
        m->pool = pool;
        m->thread = i;
        if (pthread_create(&m->id, NULL, work, m) != 0) break;
        pool->threads++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pool;
}

void fnd_pool_destroy(fnd_pool *pool)
{
    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    pthread_cond_broadcast(&pool->begun);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 1; i < pool->threads; i++) pthread_join(pool->members[i].id, NULL);
    pthread_cond_destroy(&pool->begun);
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->lock);
    pthread_mutex_destroy(&pool->memory_lock);
    const fender_env env = pool->env;
    fnd_release(&env, pool, size_of(pool->wanted));
}

int fnd_pool_threads(const fnd_pool *pool) { return pool->threads; }
const fender_env *fnd_pool_env(const fnd_pool *pool) { return &pool->locked; }

void fnd_pool_run(fnd_pool *pool, fnd_pool_function *function, void *ctx, int blocks)
{
    assert(function && blocks >= 0);
    pthread_mutex_lock(&pool->lock);
    pool->function = function;
    pool->ctx = ctx;
    pool->blocks = blocks;
    atomic_store(&pool->next, 0);
    pool->open = true;
    atomic_fetch_add(&pool->job, 1);
    pthread_cond_broadcast(&pool->begun);
    pthread_mutex_unlock(&pool->lock);
    do_blocks(pool, 0);
    for (int i = 0; i < SPINS && atomic_load_explicit(&pool->busy, memory_order_relaxed) > 0; i++) relax();
    pthread_mutex_lock(&pool->lock);
    pool->open = false; /* who has not come yet is not waited for */
    while (atomic_load(&pool->busy) > 0) pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

typedef struct loop {
    fnd_block_function *function;
    void *ctx;
    int count, block;
} loop;

static void do_block(void *ctx, int thread, int block)
{
    const loop *l = ctx;
    const int from = block * l->block;
    (void)thread;
    l->function(l->ctx, from, l->count - from < l->block ? l->count : from + l->block);
}

void fnd_pool_divide(fnd_pool *pool, fnd_block_function *function, void *ctx, int count, int block)
{
    assert(count > 0 && block > 0);
    loop l = {function, ctx, count, block};
    fnd_pool_run(pool, do_block, &l, (count - 1) / block + 1);
}

typedef struct condition {
    fnd_block_test *test;
    const void *ctx;
    atomic_bool fails;
} condition;

static void test_block(void *ctx, int from, int to)
{
    condition *c = ctx;
    if (atomic_load_explicit(&c->fails, memory_order_relaxed)) return;
    if (!c->test(c->ctx, from, to)) atomic_store_explicit(&c->fails, true, memory_order_relaxed);
}

bool fnd_pool_divide_test(fnd_pool *pool, fnd_block_test *test, const void *ctx, int count, int block)
{
    condition c = {.test = test, .ctx = ctx};
    fnd_pool_divide(pool, test_block, &c, count, block);
    return !atomic_load(&c.fails);
}
