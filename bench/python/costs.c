/* The calls of costs.py in C, for scripts/measure_python. usage: costs SCENARIO step|advance|landing COUNT */
#include <fender/fender.h>
#include <fender/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    fender_error error = {0};
    fender_env env = fender_env_default();
    if (argc != 4) return 2;
    long count = strtol(argv[3], NULL, 10);
    fender_scenario *scenario = fender_scenario_load(&env, NULL, argv[1], NULL, 0, &error);
    fender_world *world = scenario ? fender_scenario_build(scenario, &env, &error) : NULL;
    fender_status status = world ? FENDER_STATUS_OK : error.status;
    for (long i = 0; i < count && status == FENDER_STATUS_OK; i++)
        status = strcmp(argv[2], "step") == 0 ? fender_world_step(world, &error)
                                              : fender_world_advance(world, 1000, &error);
    if (status == FENDER_STATUS_OK) printf("%016llx\n", (unsigned long long)fender_world_hash(world));
    else fprintf(stderr, "%s\n", error.message);
    fender_world_destroy(world);
    fender_scenario_destroy(scenario);
    return status == FENDER_STATUS_OK ? 0 : 1;
}
