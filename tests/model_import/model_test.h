/* Shared by the tests of imported models: text to scenario to world, with the diagnostics. */
#ifndef FND_TEST_MODEL_TEST_H
#define FND_TEST_MODEL_TEST_H

#include "check.h"

#include "scenario/collect.h"

#include <fender/model_file.h>

/* The scenario of a model that is written as text; the test fails when it is refused. */
static inline fender_model_file *import_text(const char *name, const char *text, const fender_model_import *options,
                                             collection *c)
{
    fender_env env = collecting_env(c);
    fender_error error = {0};
    fender_model_file *model = fender_model_file_parse(&env, name, text, strlen(text), options, &error);
    if (!model) {
        print_collection(c);
        print_error("%s:%d: %s\n", name, error.line, error.message);
    }
    assert_non_null(model);
    return model;
}

/* The world that the scenario of a model builds, with no complaint. */
static inline fender_world *world_of(const fender_model_file *model)
{
    static collection c;
    fender_env env = collecting_env(&c), quiet = fender_env_default();
    fender_error error = {0};
    size_t length = 0;
    const char *text = fender_model_file_scenario(model, &length);
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "model.yaml", text, length, NULL, 0, &error);
    if (!scenario) {
        print_collection(&c);
        print_error("%s\n", text);
    }
    assert_non_null(scenario);
    fender_world *world = fender_scenario_build(scenario, &quiet, &error);
    if (!world) print_error("%s: %s, found %s\n%s\n", error.source, error.message, error.found, text);
    assert_non_null(world);
    fender_scenario_destroy(scenario);
    return world;
}

static inline fender_body_id body_named(const fender_world *world, const char *name)
{
    fender_body_id id = {0};
    if (fender_body_find(world, name, &id) != FENDER_STATUS_OK) print_error("no body '%s'\n", name);
    assert_true(id.index1 != 0);
    return id;
}

#endif
