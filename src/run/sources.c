/* The scenario of a run directory. */
#include "run/directory.h"
#include "scenario/bundle.h"
#include "text/fault.h"

fender_scenario *fender_scenario_load_run(const fender_env *env, const fender_registry *registry,
                                          const char *run_directory, fender_error *error)
{
    fender_error local = {0};
    fender_error *to = error ? error : &local;
    fnd_bundle bundle;
    size_t size;
    if (!fnd_io_env_usable(env, error)) return NULL;
    if (!env || !run_directory) {
        fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_ARGUMENT,
                                          .message = "env and a directory are needed",
                                          .expected = "pointers that are not NULL"});
        return NULL;
    }
    if (fnd_directory_check(env, run_directory, to) != FENDER_STATUS_OK) return NULL;
    char *path = fnd_directory_path(&env->allocator, run_directory, FND_FILE_SOURCES, &size);
    if (!path) {
        fnd_io_fail_memory(to, "the path of a scenario");
        return NULL;
    }
    fender_status status = fnd_bundle_read(&env->allocator, path, &bundle, to);
    env->allocator.release(env->allocator.ctx, path, size);
    if (status != FENDER_STATUS_OK) return NULL;
    fender_scenario *scenario = fnd_scenario_load_bundle(env, registry, &bundle, to);
    fnd_bundle_release(&bundle);
    return scenario;
}
