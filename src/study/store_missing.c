/* What a build without SQLite says instead. */
#ifndef FENDER_WITH_SQLITE
#include "study/store.h"
#include "support/io_error.h"

static fender_status missing(fender_error *error)
{
    return FND_IO_FAIL(error, .status = FENDER_STATUS_NOT_BUILT, .message = "this build has no stores of studies",
                       .expected = "a build with SQLite",
                       .suggestion = "build with -DFENDER_WITH_SQLITE=ON (libsqlite3-dev)");
}
fender_status fnd_study_store_lock(fnd_store_lock *lock, const char *store, fender_error *error)
{
    (void)lock, (void)store;
    return missing(error);
}
void fnd_study_store_unlock(fnd_store_lock *lock) { (void)lock; }
fnd_study_store *fnd_study_store_open(const fender_env *env, const char *path, const fender_study *study,
                                      fender_error *error)
{
    (void)env, (void)path, (void)study, (void)missing(error);
    return NULL;
}
fender_status fnd_study_store_done(fnd_study_store *store, unsigned char *bits, int64_t runs, fender_error *error)
{
    (void)store, (void)bits, (void)runs;
    return missing(error);
}
fender_status fnd_study_store_outcomes(fnd_study_store *store,
                                       void (*take)(void *ctx, int64_t run, const double *outcomes), void *ctx,
                                       fender_error *error)
{
    (void)store, (void)take, (void)ctx;
    return missing(error);
}
fender_status fnd_study_store_put(fnd_study_store *store, const fnd_row *row, fender_error *error)
{
    (void)store, (void)row;
    return missing(error);
}
fender_status fnd_study_store_commit(fnd_study_store *store, fender_error *error)
{
    (void)store;
    return missing(error);
}
fender_status fnd_study_store_finish(fnd_study_store *store, fender_error *error)
{
    (void)store;
    return missing(error);
}
void fnd_study_store_close(fnd_study_store *store) { (void)store; }
fender_status fnd_study_store_merge(const fender_env *env, const char *out, const char *const *stores, int count,
                                    fender_error *error)
{
    (void)env, (void)out, (void)stores, (void)count;
    return missing(error);
}
fender_status fender_study_merge(const fender_env *env, const char *out, const char *const *stores, int count,
                                 fender_error *error)
{
    (void)env, (void)out, (void)stores, (void)count;
    return missing(error);
}
fender_status fender_study_count(const fender_env *env, const char *store, fender_study_counts *counts,
                                 fender_error *error)
{
    (void)env, (void)store, (void)counts;
    return missing(error);
}
fender_status fnd_results_read(fnd_results *r, const fender_env *env, const char *path, fender_error *error)
{
    (void)r, (void)env, (void)path;
    return missing(error);
}
void fnd_results_release(fnd_results *r) { (void)r; }
#else
typedef int fnd_store_missing_is_empty; /* a source holds at least a declaration */
#endif
