/* Warnings about the step: for contact types, friction, what rests, links, fast pairs. */
#include "step_warnings.h"

#include <stdio.h>
#include <string.h>

#include "describe.h"
#include "support/number.h"

/* "a.s:b.t" */
static void name_pair(const fender_world *world, const fender_shape_id pair[2], char *text, size_t size)
{
    snprintf(text, size, "%.64s.%.64s:%.64s.%.64s", fender_body_name(world, fender_shape_body(world, pair[0])),
             fender_shape_name(world, pair[0]), fender_body_name(world, fender_shape_body(world, pair[1])),
             fender_shape_name(world, pair[1]));
}

/* Springs and dampers of friction that the step does not follow: slip goes to and fro instead of dying out. */
static void warn_of_friction(const fender_world_advice *advice, const fender_type_use *use, fnd_app *app)
{
    const fender_world_def *def = fender_world_get_def(advice->world);
    const fender_friction_advice *f = &use->friction;
    char message[700], suggestion[160], pair[280], text[5][FND_APP_NUMBER_SIZE];
    name_pair(advice->world, use->slippery, pair, sizeof pair);
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
             fnd_app_duration_word(text[0], fnd_number_one_digit(f->largest_step / 2)),
             spring ? "" : " (a larger slip speed)");
    fnd_app_warn(app, message, suggestion);
}

static void warn_of_stick_speed(const fender_world_advice *advice, const fender_type_use *use, fnd_app *app)
{
    double now = 0, least = fender_advise_stick_speed(advice->world, &use->type, &now);
    char message[400], suggestion[160], text[3][FND_APP_NUMBER_SIZE];
    if (!(now < least)) return;
    snprintf(
        message, sizeof message,
        "with steps of %s what slides by contact type '%.64s' slower than %s may go to and fro and never stick: its "
        "stick_speed is %s",
        fnd_app_duration(text[0], fender_world_get_def(advice->world)->step), use->type.name,
        fnd_app_quantity(text[1], least, "m/s"), fnd_app_quantity(text[2], now, "m/s"));
    snprintf(suggestion, sizeof suggestion, "try stick_speed: %s m/s, or a shorter integrator.step",
             fnd_app_number(text[0], fnd_number_one_digit(2 * least)));
    fnd_app_warn(app, message, suggestion);
}

/* Damping, friction and rolling of what lies under its weight, at once. */
static void warn_of_rest(const fender_world_advice *advice, const fender_type_use *use, fnd_app *app)
{
    const fender_world_def *def = fender_world_get_def(advice->world);
    const fender_pair_advice pair = fender_advise_pair(advice->world, use->resting[0], use->resting[1], &use->type);
    char message[600], suggestion[160], name[280], text[2][FND_APP_NUMBER_SIZE];
    if (!(def->step > pair.stable_step)) return;
    name_pair(advice->world, use->resting, name, sizeof name);
    snprintf(message, sizeof message,
             "step %s is too long for what rests by contact type '%.64s' (%s): there %s is stable below %s, forces "
             "will chatter",
             fnd_app_duration(text[0], def->step), use->type.name, name, fender_integrator_name(def->method),
             fnd_app_duration(text[1], pair.stable_step));
    snprintf(suggestion, sizeof suggestion, "try --set integrator.step=%s, or a law with less damping at low speed",
             fnd_app_duration_word(text[0], fnd_number_one_digit(0.5 * pair.stable_step)));
    fnd_app_warn(app, message, suggestion);
}

void fnd_app_warn_of_step(const fender_world_advice *advice, fnd_app *app)
{
    double now = fender_world_get_def(advice->world)->step;
    const char *method = fender_integrator_name(fender_world_get_def(advice->world)->method);
    for (int i = 0; i < advice->use_count; i++) {
        const fender_type_use *use = &advice->uses[i];
        char message[600], suggestion[120], step[FND_APP_NUMBER_SIZE], limit[FND_APP_NUMBER_SIZE];
        char pair[280], mass[FND_APP_NUMBER_SIZE], stiffness[FND_APP_NUMBER_SIZE];
        if (use->friction_too_stiff) warn_of_friction(advice, use, app);
        if (use->pairs > 0) warn_of_stick_speed(advice, use, app);
        if (use->resting_mass > 0 && !use->step_too_long && !use->friction_too_stiff) warn_of_rest(advice, use, app);
        if (!use->step_too_long) continue;
        name_pair(advice->world, use->lightest, pair, sizeof pair);
        snprintf(message, sizeof message,
                 "step %s is too long for contact type '%.64s': %s is stable below %s for %s on %s (%s)",
                 fnd_app_duration(step, now), use->type.name, method, fnd_app_duration(limit, use->advice.largest_step),
                 fnd_app_quantity(mass, use->advice.mass, "kg"),
                 fnd_app_quantity(stiffness, use->advice.stiffness, "N/m"), pair);
        snprintf(suggestion, sizeof suggestion, "try --set integrator.step=%s",
                 fnd_app_duration_word(step, fnd_number_one_digit(use->advice.largest_step / 10)));
        fnd_app_warn(app, message, suggestion);
    }
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
             fnd_app_duration_word(text[0], fnd_number_one_digit(0.5 * longest)));
    fnd_app_warn(app, message, suggestion);
}

void fnd_app_warn_of_speed(const fender_world_advice *advice, fnd_app *app)
{
    const fender_world_def *def = fender_world_get_def(advice->world);
    char message[512], suggestion[200], step[FND_APP_NUMBER_SIZE];
    if (def->locate_events || !(def->step > advice->crossing_time)) return;
    const char *names[4];
    for (int i = 0; i < 2; i++) {
        names[2 * i] = fender_body_name(advice->world, fender_shape_body(advice->world, advice->fastest[i]));
        names[2 * i + 1] = fender_shape_name(advice->world, advice->fastest[i]);
    }
    snprintf(
        message, sizeof message,
        "in one step of %s %.64s.%.64s and %.64s.%.64s come nearer by more than the smaller is thick: steps in which "
        "they meet are divided, and their forces are coarse",
        fnd_app_duration(step, def->step), names[0], names[1], names[2], names[3]);
    snprintf(suggestion, sizeof suggestion,
             "try --set integrator.step=%s or less, or `locate_events: true`, which finds grazes",
             fnd_app_duration_word(step, fnd_number_one_digit(advice->crossing_time)));
    fnd_app_warn(app, message, suggestion);
}
