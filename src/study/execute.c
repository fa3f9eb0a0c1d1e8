/* All runs of a study, on all cores: workers evaluate, the caller's thread writes. */
#include "study/stop.h"
#include "study/store.h"
#include "support/clock.h"
#include "support/io_error.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct work {
    const fender_study *study;
    fender_env env;
    pthread_mutex_t lock;
    pthread_cond_t row_done, row_free;
    const unsigned char *done; /* by the store */
    int64_t next, stride, end; /* end: runs of the study, as far as is known */
    fnd_stop_watch *watch;     /* NULL: all runs */
    fnd_row **free_rows, **done_rows;
    int free_count, done_count, busy; /* busy: workers that have not ended */
    bool stop;
} work;

/* The next run that nobody has done; -1: none. */
static int64_t take_run(work *w)
{
    while (w->next < w->end && (w->done[w->next / 8] >> (w->next % 8) & 1)) w->next += w->stride;
    if (w->next >= w->end) return -1;
    int64_t run = w->next;
    w->next += w->stride;
    return run;
}

static void *worker(void *argument)
{
    work *w = argument;
    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (w->free_count == 0 && !w->stop) pthread_cond_wait(&w->row_free, &w->lock);
        int64_t run = w->stop ? -1 : take_run(w);
        if (run < 0) break;
        fnd_row *row = w->free_rows[--w->free_count];
        row->run = run;
        pthread_mutex_unlock(&w->lock);
        fnd_study_evaluate(w->study, &w->env, row);
        pthread_mutex_lock(&w->lock);
        w->done_rows[w->done_count++] = row;
        pthread_cond_signal(&w->row_done);
    }
    w->busy--;
    pthread_cond_signal(&w->row_done);
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static void watch_row(void *ctx, int64_t run, const double *outcomes)
{
    work *w = ctx;
    w->end = fnd_study_stop_at(w->watch, run, outcomes);
}

static void note(const fender_study *study, const fnd_row *row, fender_study_progress *p)
{
    p->done++;
    p->done_now++;
    p->failed += row->status == FND_ROW_FAILED;
    p->succeeded += study->has_success && row->outcomes[study->outcome_count - 1] > 0;
    for (int i = 0; i < study->outcome_count && i < FENDER_STUDY_TOLD; i++) p->came_about[i] += row->outcomes[i] > 0;
}

/* Writing to the disk for good takes at most a fiftieth of the time: a kill loses little more than the runs in flight.
 */
static const double commit_share = 50;

/* Takes rows from the workers until all have ended. */
static fender_status collect(work *w, fnd_study_store *store, const fender_study_def *def, fender_study_progress *p,
                             fender_error *error)
{
    double start = fnd_wall_time(), told = start, committed = start, interval = 0;
    fender_status status = FENDER_STATUS_OK;
    pthread_mutex_lock(&w->lock);
    while (w->busy > 0 || w->done_count > 0) {
        if (w->done_count == 0) {
            struct timespec until;
            clock_gettime(CLOCK_REALTIME, &until);
            until.tv_nsec += 100000000;
            until.tv_sec += until.tv_nsec / 1000000000;
            until.tv_nsec %= 1000000000;
            pthread_cond_timedwait(&w->row_done, &w->lock, &until);
        }
        while (w->done_count > 0) {
            fnd_row *row = w->done_rows[--w->done_count];
            pthread_mutex_unlock(&w->lock);
            if (status == FENDER_STATUS_OK && row->status == FND_ROW_NONE)
                status = fnd_io_fail_memory(error, "a run of a study");
            if (status == FENDER_STATUS_OK) status = fnd_study_store_put(store, row, error);
            if (status == FENDER_STATUS_OK) note(w->study, row, p);
            pthread_mutex_lock(&w->lock);
            if (w->watch) watch_row(w, row->run, row->outcomes);
            w->free_rows[w->free_count++] = row;
            pthread_cond_signal(&w->row_free);
        }
        double now = fnd_wall_time();
        pthread_mutex_unlock(&w->lock);
        if (status == FENDER_STATUS_OK && now - committed > interval) {
            status = fnd_study_store_commit(store, error);
            committed = fnd_wall_time();
            interval = commit_share * (committed - now);
            if (interval > 0.5) interval = 0.5;
        }
        p->wall_time = now - start;
        bool on = true;
        if (def->progress && now - told > 0.2) {
            told = now;
            on = def->progress(def->progress_ctx, p);
        }
        pthread_mutex_lock(&w->lock);
        if (!on && status == FENDER_STATUS_OK && !w->stop)
            status = FND_IO_FAIL(error, .status = FENDER_STATUS_INTERRUPTED,
                                 .message = "the study was stopped on request",
                                 .suggestion = "the same command continues it");
        if (status != FENDER_STATUS_OK && !w->stop) {
            w->stop = true;
            pthread_cond_broadcast(&w->row_free);
        }
        /* After a stop what is in flight is still kept, unless the store is at fault. */
        if (w->stop && status == FENDER_STATUS_INTERRUPTED && w->done_count > 0) {
            while (w->done_count > 0) {
                fnd_row *row = w->done_rows[--w->done_count];
                if (row->status != FND_ROW_NONE && fnd_study_store_put(store, row, error) == FENDER_STATUS_OK)
                    note(w->study, row, p);
                w->free_rows[w->free_count++] = row;
            }
        }
    }
    pthread_mutex_unlock(&w->lock);
    fender_status last = fnd_study_store_finish(store, error);
    p->wall_time = fnd_wall_time() - start;
    return status == FENDER_STATUS_OK ? last : status;
}

enum { ROWS_PER_JOB = 16, MOST_JOBS = 1024 };

static fender_status set_up(work *w, fnd_arena *arena, int jobs, unsigned char **bits, fender_error *error)
{
    const fender_study *s = w->study;
    int rows = jobs * ROWS_PER_JOB;
    size_t numbers = (size_t)(2 * (s->input_count + s->kept_count + s->outcome_count) + s->outcome_count);
    *bits = fnd_arena_array(arena, (size_t)(s->runs / 8 + 1), 1, 1);
    w->free_rows = FND_ARENA_NEW_ARRAY(arena, fnd_row *, (size_t)rows);
    w->done_rows = FND_ARENA_NEW_ARRAY(arena, fnd_row *, (size_t)rows);
    for (int i = 0; i < rows && !arena->failed; i++) {
        fnd_row *row = FND_ARENA_NEW(arena, fnd_row);
        double *block = FND_ARENA_NEW_ARRAY(arena, double, numbers);
        if (!row || !block) break;
        row->inputs = block;
        row->kept = row->inputs + s->input_count;
        row->outcomes = row->kept + s->kept_count; /* behind them room for the slots of expressions */
        w->free_rows[w->free_count++] = row;
    }
    return arena->failed ? fnd_io_fail_memory(error, "a study") : FENDER_STATUS_OK;
}

fender_status fender_study_run(const fender_env *env, const fender_study_def *def, fender_study_progress *result,
                               fender_error *error)
{
    fender_study_progress own = {0}, *p = result ? result : &own;
    *p = own;
    const fender_study *s = def->study;
    bool sharded = def->shard_count > 0;
    if (def->shard < 0 || def->shard_count < 0 || (sharded ? def->shard >= def->shard_count : def->shard > 0))
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = "there is no such shard",
                           .expected = "a shard from 0 to count - 1", .suggestion = "write --shard 0/7");
    fnd_store_lock lock;
    fender_status status = fnd_study_store_lock(&lock, def->store, error);
    if (status != FENDER_STATUS_OK) return status;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int jobs = def->jobs > 0 ? def->jobs : cores > 0 ? (int)cores : 1;
    if (jobs > MOST_JOBS) jobs = MOST_JOBS;
    fnd_arena arena = fnd_arena_open(&env->allocator, 0);
    work w = {.study = s,
              .env = *env,
              .next = sharded ? def->shard : 0,
              .stride = sharded ? def->shard_count : 1,
              .end = s->runs};
    unsigned char *bits = NULL;
    pthread_t threads[MOST_JOBS];
    status = set_up(&w, &arena, jobs, &bits, error);
    w.done = bits;
    fnd_study_store *store = status == FENDER_STATUS_OK ? fnd_study_store_open(env, def->store, s, error) : NULL;
    if (status == FENDER_STATUS_OK && !store) status = error ? error->status : FENDER_STATUS_FILE;
    if (status == FENDER_STATUS_OK) status = fnd_study_store_done(store, bits, s->runs, error);
    if (status == FENDER_STATUS_OK && s->stop && w.stride == 1) { /* a shard alone cannot tell: it does all its runs */
        w.watch = fnd_study_watch(s, &arena);
        status = w.watch ? fnd_study_store_outcomes(store, watch_row, &w, error) : fnd_io_fail_memory(error, "a study");
    }
    if (status == FENDER_STATUS_OK) {
        for (int64_t k = w.next; k < w.end; k += w.stride) {
            p->total++;
            p->done += bits[k / 8] >> (k % 8) & 1;
        }
        pthread_mutex_init(&w.lock, NULL);
        pthread_cond_init(&w.row_done, NULL);
        pthread_cond_init(&w.row_free, NULL);
        int started = 0;
        pthread_mutex_lock(&w.lock);
        for (; started < jobs; started++)
            if (pthread_create(&threads[started], NULL, worker, &w) != 0) break;
        w.busy = started;
        pthread_mutex_unlock(&w.lock);
        if (started == 0) status = fnd_io_fail_memory(error, "threads");
        else status = collect(&w, store, def, p, error);
        for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
        pthread_cond_destroy(&w.row_free);
        pthread_cond_destroy(&w.row_done);
        pthread_mutex_destroy(&w.lock);
    }
    if (status == FENDER_STATUS_OK && w.end < s->runs) p->total = p->done = w.end; /* what follows is left out */
    fnd_study_store_close(store);
    fnd_arena_close(&arena);
    /* In the order of runs, so that it has the same bytes whatever happened on the way. */
    if (status == FENDER_STATUS_OK && p->done == p->total)
        status = fnd_study_store_merge(env, def->store, &def->store, 1, error);
    fnd_study_store_unlock(&lock);
    return status;
}
