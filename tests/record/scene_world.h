/* A world from the text of a scenario, and numbers of it by path. */
#ifndef TEST_RECORD_SCENE_WORLD_H
#define TEST_RECORD_SCENE_WORLD_H

#include "check.h"

#include <fender/io.h>
#include <string.h>

static inline fender_world *world_of(const char *text)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), NULL, 0, &error);
    if (!scenario) print_error("%s %s\n", error.message, error.path);
    assert_non_null(scenario);
    fender_world *world = fender_scenario_build(scenario, &env, &error);
    assert_non_null(world);
    fender_scenario_destroy(scenario);
    return world;
}

static inline double read_one(const fender_world *world, const char *path)
{
    fender_channel channel;
    int count = 0;
    check_ok(fender_channel_find(world, path, &channel, 1, &count, &error));
    assert_int_equal(count, 1);
    return fender_channel_read(world, &channel);
}

static inline fender_vec3 read_vector(const fender_world *world, const char *path)
{
    fender_channel channels[3];
    int count = 0;
    check_ok(fender_channel_find(world, path, channels, 3, &count, &error));
    assert_int_equal(count, 3);
    return fender_vec3_make(fender_channel_read(world, &channels[0]), fender_channel_read(world, &channels[1]),
                            fender_channel_read(world, &channels[2]));
}

#define check_parts(actual, x, y, z, tolerance) check_vector(actual, fender_vec3_make(x, y, z), tolerance)

#endif
