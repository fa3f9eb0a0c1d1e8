/* `fender check`: reads and validates a scenario; shows everything in SI, and what was derived. */
#include <stdio.h>
#include <string.h>

#include "check.h"

static const fnd_app_option options[] = {
    {"--set", "PATH=VALUE", "replace a value of the scenario; may be given several times"},
};

static void note_pair(fnd_app_check *check, const fender_pair_explanation *pair)
{
    fender_contact_type_def type;
    if (fender_contact_type_get_def(check->world, pair->use, &type) != FENDER_STATUS_OK) return;
    for (int i = 0; i < check->use_count; i++) {
        fnd_app_type_use *use = &check->uses[i];
        if (strcmp(use->type.name, type.name) != 0) continue;
        double mass = fnd_app_reduced_mass(check->world, fender_shape_body(check->world, pair->a),
                                           fender_shape_body(check->world, pair->b));
        if (use->pairs++ == 0 || mass < use->advice.mass) {
            use->advice.mass = mass;
            use->lightest[0] = pair->a;
            use->lightest[1] = pair->b;
        }
        return;
    }
}

static void count_pairs(fnd_app_check *check)
{
    int count = fender_shape_count(check->world);
    check->pairs_counted = count <= FND_APP_CHECK_SHAPES;
    for (int i = 0; check->pairs_counted && i < count; i++) {
        for (int k = i + 1; k < count; k++) {
            fender_pair_explanation pair;
            if (fender_world_explain(check->world, fender_shape_at(check->world, i), fender_shape_at(check->world, k),
                                     &pair) != FENDER_STATUS_OK)
                continue;
            check->reasons[pair.reason]++;
            if (pair.reason == FENDER_PAIR_MAY_TOUCH || pair.reason == FENDER_PAIR_OUT_OF_RANGE)
                note_pair(check, &pair);
        }
    }
}

/* The largest number of one digit that is not above the value, rounding aside. */
static double one_digit(double value)
{
    double unit = 1;
    if (!(value > 0) || !isfinite(value)) return value;
    while (unit > value) unit /= 10;
    while (unit * 10 <= value) unit *= 10;
    return floor(value / unit * (1 + 1e-9)) * unit;
}

static void warn_of_step(fnd_app *app, const fnd_app_type_use *use, const fender_world_def *def)
{
    char message[240], step[FND_APP_NUMBER_SIZE], limit[FND_APP_NUMBER_SIZE], proposal[FND_APP_NUMBER_SIZE];
    char suggestion[120];
    snprintf(message, sizeof message, "step %s is too long for contact type '%.64s': %s is stable below %s",
             fnd_app_duration(step, def->step), use->type.name, fnd_app_method_name(def->method),
             fnd_app_duration(limit, use->advice.largest_step));
    snprintf(suggestion, sizeof suggestion, "try --set integrator.step=%s",
             fnd_app_duration_word(proposal, one_digit(use->advice.largest_step / 10)));
    fender_diagnostic warning = {.severity = FENDER_SEVERITY_WARNING,
                                 .status = FENDER_STATUS_VALUE,
                                 .file = "",
                                 .excerpt = "",
                                 .message = message,
                                 .found = "",
                                 .expected = "",
                                 .suggestion = suggestion};
    fnd_app_report(app, &warning);
}

static void advise(fnd_app_check *check)
{
    const fender_world_def *def = fender_world_get_def(check->world);
    for (int i = 0; i < check->use_count; i++) {
        fnd_app_type_use *use = &check->uses[i];
        if (use->pairs == 0) continue;
        use->advice = fnd_app_advise_step(&use->type, use->advice.mass, def->method);
        use->step_too_long = use->advice.known && def->step > use->advice.largest_step;
        if (use->step_too_long) warn_of_step(check->app, use, def);
    }
}

static int check_run(fnd_app_check *check)
{
    int count = fender_contact_type_count(check->world);
    size_t size = (size_t)count * sizeof check->uses[0];
    check->uses = fnd_app_allocate(check->app, size);
    if (check->uses == NULL) return fnd_app_error(check->app, FENDER_STATUS_MEMORY, "no memory for contact types", "");
    memset(check->uses, 0, size);
    for (int i = 0; i < count; i++)
        if (fender_contact_type_get_def(check->world, fender_contact_type_at(check->world, i),
                                        &check->uses[check->use_count].type) == FENDER_STATUS_OK)
            check->use_count++;
    count_pairs(check);
    advise(check);
    if (check->app->json) {
        fnd_app_check_json(check);
    } else if (!check->app->quiet) {
        fnd_app_check_text(check);
    }
    fnd_app_release(check->app, check->uses, size);
    return FND_APP_OK;
}

static int execute(fnd_app *app)
{
    fender_error error = {0};
    int code, errors_before = app->error_count;
    fender_scenario *scenario = fnd_app_load(app, app->arguments[0], "", &code);
    if (scenario == NULL) return code;
    fender_run_def def = {.scenario = scenario};
    fender_run *run = fender_run_create(&app->env, &def, &error);
    if (run == NULL) {
        code = fnd_app_fail(app, &error, errors_before, "");
    } else {
        fnd_app_check check = {.app = app,
                               .file = app->arguments[0],
                               .scenario = scenario,
                               .world = fender_run_world(run),
                               .summary = fender_run_get_summary(run)};
        code = check_run(&check);
    }
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    return code;
}

const fnd_app_command fnd_app_command_check = {
    .group = "Understand",
    .name = "check",
    .arguments = "FILE",
    .summary = "read and validate; show everything in SI, and what was derived",
    .purpose = "read and validate a scenario; show everything in SI, and what was derived",
    .details = "Shows bodies with their mass and principal moments, contact types with all parameters, rules, loads,\n"
               "and how many pairs may touch; for the lightest pair of each contact type the natural frequency, the\n"
               "contact time, the damping ratio and the longest stable step. Runs nothing.\n",
    .example = "  fender check two_spheres.yaml",
    .files = "",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 1,
    .most_arguments = 1,
    .execute = execute,
};
