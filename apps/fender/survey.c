/* Looks at the pairs of a world: which step their stiffness and their speed ask for. */
#include "survey.h"

#include <stdio.h>
#include <string.h>

#include "describe.h"
#include "pair_advice.h"

/* Friction grows with the load: the pair whose load moves most is the one that asks for the shortest step. */
static void note_friction(fnd_app_survey *survey, fnd_app_type_use *use, const fender_pair_explanation *pair,
                          double mass, double mobility)
{
    if (use->type.law == NULL && use->type.friction == NULL) return;
    if (!(mobility > 0) || !isfinite(mass)) return;
    double stiffness = fnd_app_advise_step(&use->type, mass, FENDER_INTEGRATOR_DOPRI5).stiffness;
    double load = fnd_app_contact_load(survey->world, pair->a, pair->b, mass, stiffness);
    double sideways = mobility * (1e-9 + load); /* without a load springs alone count */
    if (!(sideways > use->sideways)) return;
    use->sideways = sideways;
    use->mobility = mobility;
    use->load = load;
    use->slippery[0] = pair->a;
    use->slippery[1] = pair->b;
}

static void note_pair(fnd_app_survey *survey, const fender_pair_explanation *pair, double mobility)
{
    fender_contact_type_def type;
    if (fender_contact_type_get_def(survey->world, pair->use, &type) != FENDER_STATUS_OK) return;
    for (int i = 0; i < survey->use_count; i++) {
        fnd_app_type_use *use = &survey->uses[i];
        if (strcmp(use->type.name, type.name) != 0) continue;
        double mass = fnd_app_reduced_mass(survey->world, fender_shape_body(survey->world, pair->a),
                                           fender_shape_body(survey->world, pair->b));
        if (survey->pair_count < FND_APP_SURVEY_PAIRS)
            survey->pairs[survey->pair_count++] = (fnd_app_pair_use){pair->a, pair->b, i};
        if (use->pairs++ == 0 || mass < use->advice.mass) {
            use->advice.mass = mass;
            use->lightest[0] = pair->a;
            use->lightest[1] = pair->b;
        }
        if ((fnd_app_shape_stands(survey->world, pair->a) || fnd_app_shape_stands(survey->world, pair->b)) &&
            (use->resting_mass == 0 || mass < use->resting_mass)) {
            use->resting_mass = mass;
            use->resting[0] = pair->a;
            use->resting[1] = pair->b;
        }
        note_friction(survey, use, pair, mass, mobility);
        return;
    }
}

/* The least extent along its axes; 0: none, or no end. */
static double thickness_of(const fender_geometry *geometry)
{
    fender_pose pose = fender_pose_identity();
    fender_box box = fender_geometry_bounds(geometry, &pose);
    double x = box.upper.x - box.lower.x, y = box.upper.y - box.lower.y, z = box.upper.z - box.lower.z;
    double least = x < y ? x : y;
    if (z < least) least = z;
    return isfinite(least) ? least : 0;
}

/* The time in which a pair that approaches crosses the thickness of the smaller of both. */
static void note_speed(fnd_app_survey *survey, const fender_pair_explanation *pair)
{
    fender_shape_id ids[2] = {pair->a, pair->b};
    fender_body_data bodies[2];
    double size = INFINITY;
    for (int i = 0; i < 2; i++) {
        fender_shape_def def;
        if (fender_shape_get_def(survey->world, ids[i], &def) != FENDER_STATUS_OK ||
            fender_body_get(survey->world, fender_shape_body(survey->world, ids[i]), FENDER_CLOCK_COMMITTED,
                            &bodies[i]) != FENDER_STATUS_OK)
            return;
        double thickness = thickness_of(def.geometry);
        if (thickness > 0 && thickness < size) size = thickness; /* points are left out: they have none */
    }
    fender_vec3 between = fender_vec3_sub(bodies[1].position, bodies[0].position);
    fender_vec3 velocity = fender_vec3_sub(bodies[1].velocity, bodies[0].velocity);
    double speed = fender_vec3_length(velocity);
    if (!(fender_vec3_dot(between, velocity) < 0) || !(size / speed < survey->crossing_time)) return;
    survey->crossing_time = size / speed;
    survey->fastest[0] = pair->a;
    survey->fastest[1] = pair->b;
}

static void count_pairs(fnd_app_survey *survey)
{
    int count = fender_shape_count(survey->world);
    survey->pairs_counted = count <= FND_APP_SURVEY_SHAPES;
    for (int i = 0; survey->pairs_counted && i < count; i++)
        survey->mobility[i] = fnd_app_sideways_mobility(survey->world, fender_shape_at(survey->world, i));
    for (int i = 0; survey->pairs_counted && i < count; i++) {
        for (int k = i + 1; k < count; k++) {
            fender_pair_explanation pair;
            if (fender_world_explain(survey->world, fender_shape_at(survey->world, i),
                                     fender_shape_at(survey->world, k), &pair) != FENDER_STATUS_OK)
                continue;
            survey->reasons[pair.reason]++;
            if (pair.reason == FENDER_PAIR_MAY_TOUCH || pair.reason == FENDER_PAIR_OUT_OF_RANGE) {
                note_pair(survey, &pair, survey->mobility[i] + survey->mobility[k]);
                note_speed(survey, &pair);
            }
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

static void advise(fnd_app_survey *survey)
{
    const fender_world_def *def = fender_world_get_def(survey->world);
    for (int i = 0; i < survey->use_count; i++) {
        fnd_app_type_use *use = &survey->uses[i];
        if (use->pairs == 0) continue;
        use->advice = fnd_app_advise_step(&use->type, use->advice.mass, def->method);
        if (use->sideways > 0) {
            use->friction = fnd_app_advise_friction(&use->type, use->load, use->mobility, def->method);
            use->friction_too_stiff = use->friction.known && def->step > use->friction.largest_step;
        }
        use->step_too_long = use->advice.known && def->step > use->advice.largest_step;
        if (!use->step_too_long) continue;
        double proposed = one_digit(use->advice.largest_step / 10);
        if (survey->proposed_step == 0 || proposed < survey->proposed_step) survey->proposed_step = proposed;
    }
}

bool fnd_app_survey_begin(fnd_app_survey *survey, const fnd_app *app, const fender_world *world)
{
    int count = fender_contact_type_count(world);
    memset(survey, 0, sizeof *survey);
    survey->world = world;
    survey->crossing_time = INFINITY;
    survey->uses_size = (size_t)count * sizeof survey->uses[0];
    survey->uses = fnd_app_allocate(app, survey->uses_size);
    survey->mobility_size = (size_t)fender_shape_count(world) * sizeof survey->mobility[0];
    survey->mobility = fnd_app_allocate(app, survey->mobility_size);
    if (survey->uses == NULL || survey->mobility == NULL) {
        fnd_app_survey_end(survey, app);
        return false;
    }
    memset(survey->uses, 0, survey->uses_size);
    for (int i = 0; i < count; i++)
        if (fender_contact_type_get_def(world, fender_contact_type_at(world, i),
                                        &survey->uses[survey->use_count].type) == FENDER_STATUS_OK)
            survey->use_count++;
    count_pairs(survey);
    advise(survey);
    return true;
}

void fnd_app_survey_end(fnd_app_survey *survey, const fnd_app *app)
{
    fnd_app_release(app, survey->uses, survey->uses_size);
    fnd_app_release(app, survey->mobility, survey->mobility_size);
    survey->uses = NULL;
    survey->mobility = NULL;
}

/* "a.s:b.t" */
static void name_pair(const fender_world *world, const fender_shape_id pair[2], char *text, size_t size)
{
    snprintf(text, size, "%.64s.%.64s:%.64s.%.64s", fender_body_name(world, fender_shape_body(world, pair[0])),
             fender_shape_name(world, pair[0]), fender_body_name(world, fender_shape_body(world, pair[1])),
             fender_shape_name(world, pair[1]));
}

/* Springs and dampers of friction that the step does not follow: slip goes to and fro instead of dying out. */
static void warn_of_friction(const fnd_app_survey *survey, const fnd_app_type_use *use, fnd_app *app)
{
    const fender_world_def *def = fender_world_get_def(survey->world);
    const fnd_app_friction_advice *f = &use->friction;
    char message[700], suggestion[160], pair[280], text[5][FND_APP_NUMBER_SIZE];
    name_pair(survey->world, use->slippery, pair, sizeof pair);
    bool spring = f->stiffness > 0;
    fnd_app_quantity(text[0], spring ? f->stiffness : f->damping, spring ? "N/m" : "N*s/m");
    snprintf(
        message, sizeof message,
        "step %s is too long for the friction of contact type '%.64s': at %s it is a %s of %s on %s (%s), and %s is "
        "stable below %s: slip will chatter",
        fnd_app_duration(text[1], def->step), use->type.name, fnd_app_quantity(text[2], f->load, "N"),
        spring ? "spring" : "damper", text[0], fnd_app_quantity(text[3], f->mass, "kg"), pair,
        fender_integrator_name(def->method), fnd_app_duration(text[4], f->largest_step));
    snprintf(suggestion, sizeof suggestion, "try --set integrator.step=%s, or a softer friction%s",
             fnd_app_duration_word(text[0], one_digit(f->largest_step / 2)), spring ? "" : " (a larger slip speed)");
    fnd_app_warn(app, message, suggestion);
}

static void warn_of_stick_speed(const fnd_app_survey *survey, const fnd_app_type_use *use, fnd_app *app)
{
    double now = 0, least = fnd_app_least_stick_speed(survey->world, &use->type, &now);
    char message[400], suggestion[160], text[3][FND_APP_NUMBER_SIZE];
    if (!(now < least)) return;
    snprintf(
        message, sizeof message,
        "with steps of %s what slides by contact type '%.64s' slower than %s may go to and fro and never stick: its "
        "stick_speed is %s",
        fnd_app_duration(text[0], fender_world_get_def(survey->world)->step), use->type.name,
        fnd_app_quantity(text[1], least, "m/s"), fnd_app_quantity(text[2], now, "m/s"));
    snprintf(suggestion, sizeof suggestion, "try stick_speed: %s m/s, or a shorter integrator.step",
             fnd_app_number(text[0], one_digit(2 * least)));
    fnd_app_warn(app, message, suggestion);
}

/* Damping, friction and rolling of what lies under its weight, at once. */
static void warn_of_rest(const fnd_app_survey *survey, const fnd_app_type_use *use, fnd_app *app)
{
    const fender_world_def *def = fender_world_get_def(survey->world);
    const fnd_app_pair_advice pair = fnd_app_advise_pair(survey->world, use->resting[0], use->resting[1], &use->type);
    char message[600], suggestion[160], name[280], text[2][FND_APP_NUMBER_SIZE];
    if (!(def->step > pair.stable_step)) return;
    name_pair(survey->world, use->resting, name, sizeof name);
    snprintf(message, sizeof message,
             "step %s is too long for what rests by contact type '%.64s' (%s): there %s is stable below %s, forces "
             "will chatter",
             fnd_app_duration(text[0], def->step), use->type.name, name, fender_integrator_name(def->method),
             fnd_app_duration(text[1], pair.stable_step));
    snprintf(suggestion, sizeof suggestion, "try --set integrator.step=%s, or a law with less damping at low speed",
             fnd_app_duration_word(text[0], one_digit(0.5 * pair.stable_step)));
    fnd_app_warn(app, message, suggestion);
}

void fnd_app_survey_warn_of_step(const fnd_app_survey *survey, fnd_app *app)
{
    double now = fender_world_get_def(survey->world)->step;
    const char *method = fender_integrator_name(fender_world_get_def(survey->world)->method);
    for (int i = 0; i < survey->use_count; i++) {
        const fnd_app_type_use *use = &survey->uses[i];
        char message[600], suggestion[120], step[FND_APP_NUMBER_SIZE], limit[FND_APP_NUMBER_SIZE];
        char pair[280], mass[FND_APP_NUMBER_SIZE], stiffness[FND_APP_NUMBER_SIZE];
        if (use->friction_too_stiff) warn_of_friction(survey, use, app);
        if (use->pairs > 0) warn_of_stick_speed(survey, use, app);
        if (use->resting_mass > 0 && !use->step_too_long && !use->friction_too_stiff) warn_of_rest(survey, use, app);
        if (!use->step_too_long) continue;
        name_pair(survey->world, use->lightest, pair, sizeof pair);
        snprintf(message, sizeof message,
                 "step %s is too long for contact type '%.64s': %s is stable below %s for %s on %s (%s)",
                 fnd_app_duration(step, now), use->type.name, method, fnd_app_duration(limit, use->advice.largest_step),
                 fnd_app_quantity(mass, use->advice.mass, "kg"),
                 fnd_app_quantity(stiffness, use->advice.stiffness, "N/m"), pair);
        snprintf(suggestion, sizeof suggestion, "try --set integrator.step=%s",
                 fnd_app_duration_word(step, one_digit(use->advice.largest_step / 10)));
        fnd_app_warn(app, message, suggestion);
    }
}

double fnd_app_system_step(const fnd_app *app, const fender_scenario *scenario, const fender_world *world)
{
    enum { MOST_BODIES = 100 }; /* the search costs some thousand steps */
    double longest = INFINITY;
    if ((fender_link_count(world) == 0 && fender_contact_count(world, FENDER_CLOCK_COMMITTED) == 0) ||
        fender_body_count(world) > MOST_BODIES)
        return INFINITY;
    fender_env env = app->env;
    env.report = NULL; /* it was told when the run was created */
    fender_world *own = fender_scenario_build(scenario, &env, NULL);
    if (own && fender_world_stable_step(own, &longest, NULL) != FENDER_STATUS_OK) longest = INFINITY;
    fender_world_destroy(own);
    return longest;
}

void fnd_app_warn_of_system_step(fnd_app *app, const fender_world *world, double longest)
{
    const fender_world_def *def = fender_world_get_def(world);
    char message[300], suggestion[120], text[2][FND_APP_NUMBER_SIZE];
    if (!(def->step > longest)) return;
    snprintf(message, sizeof message,
             "step %s is too long for the links and contacts that act at the start, together: %s is stable below %s",
             fnd_app_duration(text[0], def->step), fender_integrator_name(def->method),
             fnd_app_duration(text[1], longest));
    snprintf(suggestion, sizeof suggestion, "try --set integrator.step=%s",
             fnd_app_duration_word(text[0], one_digit(0.5 * longest)));
    fnd_app_warn(app, message, suggestion);
}

void fnd_app_survey_warn_of_speed(const fnd_app_survey *survey, fnd_app *app)
{
    const fender_world_def *def = fender_world_get_def(survey->world);
    char message[512], suggestion[200], step[FND_APP_NUMBER_SIZE];
    if (def->locate_events || !(def->step > survey->crossing_time)) return;
    const char *names[4];
    for (int i = 0; i < 2; i++) {
        names[2 * i] = fender_body_name(survey->world, fender_shape_body(survey->world, survey->fastest[i]));
        names[2 * i + 1] = fender_shape_name(survey->world, survey->fastest[i]);
    }
    snprintf(
        message, sizeof message,
        "in one step of %s %.64s.%.64s and %.64s.%.64s come nearer by more than the smaller is thick: steps in which "
        "they meet are divided, and their forces are coarse",
        fnd_app_duration(step, def->step), names[0], names[1], names[2], names[3]);
    snprintf(suggestion, sizeof suggestion,
             "try --set integrator.step=%s or less, or `locate_events: true`, which finds grazes",
             fnd_app_duration_word(step, one_digit(survey->crossing_time)));
    fnd_app_warn(app, message, suggestion);
}
