/* The store of a study while its runs are carried out: rows as they come, made lasting now and then. */
#ifdef FENDER_WITH_SQLITE
#include "study/stop.h"
#include "study/store_base.h"

#include "support/file.h"
#include "support/io_error.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct fnd_study_store {
    fender_env env;
    sqlite3 *base;
    sqlite3_stmt *insert;
    const fender_study *study;
    char path[1024];
    bool open; /* a transaction */
};

static const char *const statuses[] = {"ok", "doubtful", "failed"};
static const char *const kinds[] = {"input", "kept", "outcome"};

/* ---- the lock */

/* Is the file that was locked still the one of that name? Whoever had it before may have removed it in the meantime. */
static bool is_still_there(int descriptor, const char *path)
{
    struct stat locked, named;
    return fstat(descriptor, &locked) == 0 && stat(path, &named) == 0 && locked.st_dev == named.st_dev &&
           locked.st_ino == named.st_ino;
}

fender_status fnd_study_store_lock(fnd_store_lock *lock, const char *store, fender_error *error)
{
    lock->descriptor = -1;
    if (strlen(store) > FND_STORE_NAME_LIMIT)
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .source = store,
                           .message = "the name of the store is too long", .expected = "at most 1000 bytes",
                           .suggestion = "name another store with -o");
    snprintf(lock->path, sizeof lock->path, "%s.lock", store);
    for (int i = 0; i < 100; i++) {
        int descriptor = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (descriptor < 0) return fnd_system_fail(error, "lock the store by", lock->path, errno);
        bool locked = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
        if (locked && is_still_there(descriptor, lock->path)) {
            lock->descriptor = descriptor;
            return FENDER_STATUS_OK;
        }
        close(descriptor);
        if (!locked) break;
    }
    return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = store,
                       .message = "another process uses this store", .expected = "one process for each store",
                       .suggestion = "wait for it, or give each process a separate shard and store");
}

void fnd_study_store_unlock(fnd_store_lock *lock)
{
    if (lock->descriptor < 0) return;
    (void)unlink(lock->path);
    close(lock->descriptor);
    lock->descriptor = -1;
}

/* ---- creating and going on */

static void hash_text(uint64_t hash, char text[20]) { snprintf(text, 20, "%016llx", (unsigned long long)hash); }

static bool put_column(sqlite3 *base, int at, fnd_column_kind kind, const char *name, const char *unit,
                       const char *detail)
{
    sqlite3_stmt *s = NULL;
    bool good = sqlite3_prepare_v2(base, "INSERT INTO columns VALUES(?1,?2,?3,?4,?5)", -1, &s, NULL) == SQLITE_OK &&
                sqlite3_bind_int(s, 1, at) == SQLITE_OK &&
                sqlite3_bind_text(s, 2, kinds[kind], -1, SQLITE_STATIC) == SQLITE_OK &&
                sqlite3_bind_text(s, 3, name, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
                sqlite3_bind_text(s, 4, unit, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
                sqlite3_bind_text(s, 5, detail, -1, SQLITE_TRANSIENT) == SQLITE_OK && sqlite3_step(s) == SQLITE_DONE;
    sqlite3_finalize(s);
    return good;
}

static int column_count(const fender_study *s) { return s->input_count + s->kept_count + s->outcome_count; }

static bool create_tables(fnd_study_store *store)
{
    const fender_study *s = store->study;
    fnd_arena arena = fnd_arena_open(&store->env.allocator, 0);
    const int count = column_count(s);
    const char **names = FND_ARENA_NEW_ARRAY(&arena, const char *, (size_t)count);
    bool *texts = FND_ARENA_NEW_ARRAY(&arena, bool, (size_t)count), good = names && texts;
    int at = 0;
    for (int i = 0; good && i < s->input_count; i++, at++) {
        char name[80];
        fnd_study_input_name(s, i, name, sizeof name);
        names[at] = fnd_arena_copy(&arena, name, strlen(name));
        texts[at] = fnd_study_input_variable(s, i)->texts != NULL;
        good = names[at] != NULL;
    }
    for (int i = 0; good && i < s->kept_count; i++) names[at++] = s->kept[i].id.name;
    for (int i = 0; good && i < s->outcome_count; i++) names[at++] = s->outcomes[i].id.name;
    good = good && fnd_base_create(store->base, &store->env, names, texts, count);
    fnd_arena_close(&arena);
    return good;
}

static bool put_runs(sqlite3 *base, int64_t runs)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)runs);
    return fnd_base_put_fact(base, "runs", text);
}

static bool create(fnd_study_store *store)
{
    const fender_study *s = store->study;
    sqlite3 *base = store->base;
    char name[80], hash[20], design[80], stop[FND_STOP_TEXT];
    hash_text(s->hash, hash);
    fnd_study_design_text(s, design, sizeof design);
    fnd_buffer sources = fnd_buffer_open(&store->env.allocator);
    uint64_t unused;
    bool good = fnd_study_append_sources(&sources, s, &unused) && fnd_base_execute(base, "BEGIN IMMEDIATE") &&
                create_tables(store) && fnd_base_put_fact(base, "format", "1") &&
                fnd_base_put_fact(base, "version", fender_version()) && fnd_base_put_fact(base, "hash", hash) &&
                put_runs(base, s->runs) && fnd_base_put_fact(base, "design", design) &&
                fnd_base_put_fact(base, "title", s->title) && fnd_base_put_fact(base, "text", s->text) &&
                fnd_base_put_fact(base, "scenario", fnd_buffer_text(&sources));
    fnd_buffer_close(&sources);
    if (good && s->stop) {
        fnd_stop_write(s->stop, stop, sizeof stop);
        good = fnd_base_put_fact(base, "stop", stop);
    }
    int at = 0;
    for (int i = 0; good && i < s->input_count; i++) {
        fnd_study_input_name(s, i, name, sizeof name);
        const fnd_variable *v = fnd_study_input_variable(s, i);
        good = put_column(base, at++, FND_COLUMN_INPUT, name, v->unit, v->path);
    }
    for (int i = 0; good && i < s->kept_count; i++) {
        const fnd_expectation *e = &s->expectations[i];
        good = put_column(base, at++, FND_COLUMN_KEPT, s->kept[i].id.name, s->kept[i].unit,
                          e->channel.text ? e->channel.text : e->event.text);
    }
    for (int i = 0; good && i < s->outcome_count; i++)
        good = put_column(base, at++, FND_COLUMN_OUTCOME, s->outcomes[i].id.name, "", s->outcomes[i].text);
    return good && fnd_base_seal(base) && fnd_base_execute(base, "COMMIT");
}

/* Does SQLite find its pages in order? The rows are checked when they are read. */
static fender_status check_pages(sqlite3 *base, const char *path, fender_error *error)
{
    sqlite3_stmt *s = NULL;
    fender_status status = FENDER_STATUS_OK;
    if (sqlite3_prepare_v2(base, "PRAGMA quick_check(1)", -1, &s, NULL) != SQLITE_OK || sqlite3_step(s) != SQLITE_ROW)
        status = fnd_base_fail(path, base, error);
    else if (!sqlite3_column_text(s, 0) || strcmp((const char *)sqlite3_column_text(s, 0), "ok") != 0)
        status = fnd_base_fail_damaged(path, (const char *)sqlite3_column_text(s, 0), error);
    sqlite3_finalize(s);
    return status;
}

/* Designs whose points do not depend on their number go on with more runs. */
static fender_status raise_runs(sqlite3 *base, int64_t runs, const char *path, fender_error *error)
{
    char before[24];
    long long number = 0;
    if (!fnd_base_fact(base, "runs", before, sizeof before) || sscanf(before, "%lld", &number) != 1)
        return fnd_base_fail_damaged(path, "no number of runs", error);
    bool good = number >= runs || (fnd_base_execute(base, "BEGIN IMMEDIATE") && put_runs(base, runs) &&
                                   fnd_base_seal(base) && fnd_base_execute(base, "COMMIT"));
    return good ? FENDER_STATUS_OK : fnd_base_fail(path, base, error);
}

static fender_status prepare(fnd_study_store *store, fender_error *error)
{
    const char *path = store->path;
    sqlite3 *base = store->base;
    char hash[20];
    sqlite3_stmt *s = NULL;
    if (!fnd_base_execute(base, "PRAGMA synchronous=FULL; PRAGMA cell_size_check=ON; PRAGMA cache_spill=OFF"))
        return fnd_base_fail(path, base, error);
    bool good = sqlite3_prepare_v2(base, "SELECT count(*) FROM sqlite_master", -1, &s, NULL) == SQLITE_OK &&
                sqlite3_step(s) == SQLITE_ROW;
    bool empty = good && sqlite3_column_int(s, 0) == 0;
    sqlite3_finalize(s);
    if (!good) return fnd_base_fail(path, base, error);
    if (empty && !create(store)) return fnd_base_fail(path, base, error);
    hash_text(store->study->hash, hash);
    fender_status status = empty ? FENDER_STATUS_OK : check_pages(base, path, error);
    if (status == FENDER_STATUS_OK && !empty) status = fnd_base_check_head(base, path, error);
    if (status == FENDER_STATUS_OK) status = fnd_base_check_study(base, path, hash, fender_version(), error);
    if (status != FENDER_STATUS_OK) return status;
    int columns = FND_COLUMNS_BEFORE + column_count(store->study) + FND_COLUMNS_BEHIND;
    store->insert = fnd_base_prepare_insert(base, &store->env, columns);
    if (!store->insert) return fnd_base_fail(path, base, error);
    status = raise_runs(base, store->study->runs, path, error);
    if (status != FENDER_STATUS_OK) return status;
    sqlite3_busy_timeout(base, 100); /* commits are tried again */
    return FENDER_STATUS_OK;
}

fnd_study_store *fnd_study_store_open(const fender_env *env, const char *path, const fender_study *study,
                                      fender_error *error)
{
    if (column_count(study) + FND_COLUMNS_BEFORE + FND_COLUMNS_BEHIND > FND_COLUMNS_MOST) {
        char found[32];
        snprintf(found, sizeof found, "%d", column_count(study));
        FND_IO_FAIL(error, .status = FENDER_STATUS_VALUE, .source = study->path,
                    .message = "the study has more columns than a store can have", .found = found,
                    .expected = "at most 1995 variables, kept values and outcomes",
                    .suggestion = "keep less, or make two studies of it");
        return NULL;
    }
    fnd_study_store *store = env->allocator.allocate(env->allocator.ctx, sizeof *store, _Alignof(max_align_t));
    if (!store) {
        fnd_io_fail_memory(error, "a store");
        return NULL;
    }
    memset(store, 0, sizeof *store);
    store->env = *env;
    store->study = study;
    snprintf(store->path, sizeof store->path, "%s", path);
    store->base = fnd_base_open(path, FND_BASE_WRITE, error);
    if (store->base && prepare(store, error) == FENDER_STATUS_OK) return store;
    fnd_study_store_close(store);
    return NULL;
}

fender_status fnd_study_store_done(fnd_study_store *store, unsigned char *bits, int64_t runs, fender_error *error)
{
    sqlite3_stmt *s = NULL;
    fender_status status = FENDER_STATUS_OK;
    int64_t run = -1;
    if (sqlite3_prepare_v2(store->base, "SELECT * FROM runs ORDER BY run", -1, &s, NULL) != SQLITE_OK)
        return fnd_base_fail(store->path, store->base, error);
    while (fnd_base_next_row(s, store->path, &run, &status, error) == SQLITE_ROW)
        if (run >= 0 && run < runs) bits[run / 8] |= (unsigned char)(1u << (run % 8));
    sqlite3_finalize(s);
    return status;
}

fender_status fnd_study_store_outcomes(fnd_study_store *store,
                                       void (*take)(void *ctx, int64_t run, const double *outcomes), void *ctx,
                                       fender_error *error)
{
    const fender_study *study = store->study;
    const int count = study->outcome_count, first = FND_COLUMNS_BEFORE + study->input_count + study->kept_count;
    fnd_arena arena = fnd_arena_open(&store->env.allocator, 0);
    double *outcomes = FND_ARENA_NEW_ARRAY(&arena, double, (size_t)count);
    sqlite3_stmt *s = NULL;
    int64_t run = -1;
    fender_status status = outcomes ? FENDER_STATUS_OK : fnd_io_fail_memory(error, "outcomes");
    if (outcomes && sqlite3_prepare_v2(store->base, "SELECT * FROM runs ORDER BY run", -1, &s, NULL) != SQLITE_OK)
        status = fnd_base_fail(store->path, store->base, error);
    while (s && fnd_base_next_row(s, store->path, &run, &status, error) == SQLITE_ROW) {
        for (int i = 0; i < count; i++) outcomes[i] = sqlite3_column_double(s, first + i); /* none: 0 */
        take(ctx, run, outcomes);
    }
    sqlite3_finalize(s);
    fnd_arena_close(&arena);
    return status;
}

/* ---- rows */

fender_status fnd_study_store_put(fnd_study_store *store, const fnd_row *row, fender_error *error)
{
    const fender_study *study = store->study;
    char hash[20];
    if (!store->open && !fnd_base_execute(store->base, "BEGIN IMMEDIATE"))
        return fnd_base_fail(store->path, store->base, error);
    store->open = true;
    hash_text(row->hash, hash);
    fnd_base_cells cells = fnd_base_begin_row(store->insert);
    fnd_base_put_integer(&cells, row->run);
    fnd_base_put_text(&cells, statuses[row->status]);
    fnd_base_put_text(&cells, row->reason);
    fnd_base_put_text(&cells, hash);
    for (int i = 0; i < study->input_count; i++) {
        const fnd_variable *v = fnd_study_input_variable(study, i);
        if (v->texts) fnd_base_put_text(&cells, v->texts[(int)row->inputs[i]]);
        else fnd_base_put_number(&cells, row->inputs[i]);
    }
    for (int i = 0; i < study->kept_count; i++) fnd_base_put_number(&cells, row->kept[i]);
    for (int i = 0; i < study->outcome_count; i++) fnd_base_put_number(&cells, row->outcomes[i]);
    return fnd_base_end_row(&cells) ? FENDER_STATUS_OK : fnd_base_fail(store->path, store->base, error);
}

fender_status fnd_study_store_commit(fnd_study_store *store, fender_error *error)
{
    if (!store->open) return FENDER_STATUS_OK;
    if (fnd_base_execute(store->base, "COMMIT")) {
        store->open = false;
        return FENDER_STATUS_OK;
    }
    if ((sqlite3_errcode(store->base) & 255) == SQLITE_BUSY) return FENDER_STATUS_OK; /* the rows wait */
    store->open = false;
    fender_status status = fnd_base_fail(store->path, store->base, error);
    if (!sqlite3_get_autocommit(store->base)) (void)fnd_base_execute(store->base, "ROLLBACK");
    return status;
}

fender_status fnd_study_store_finish(fnd_study_store *store, fender_error *error)
{
    enum { TRIES = 600 }; /* a minute */
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; i < TRIES && status == FENDER_STATUS_OK && store->open; i++)
        status = fnd_study_store_commit(store, error);
    if (status == FENDER_STATUS_OK && store->open) status = fnd_base_fail(store->path, store->base, error);
    return status;
}

void fnd_study_store_close(fnd_study_store *store)
{
    if (!store) return;
    fender_allocator a = store->env.allocator;
    sqlite3_finalize(store->insert);
    sqlite3_close(store->base);
    a.release(a.ctx, store, sizeof *store);
}
#else
typedef int fnd_store_is_empty; /* a source holds at least a declaration */
#endif
