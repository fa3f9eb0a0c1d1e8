/* Resolving texts of a scenario in the built world, with diagnostics at their places. */
#include "run/resolve.h"

#include "support/io_error.h"
#include "support/number.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static bool refuse(const fnd_resolver *resolver, fender_status status, const fnd_location *location,
                   const char *message, const char *found, const char *expected, const char *suggestion)
{
    fnd_diagnostic_add(resolver->diagnostics, FENDER_SEVERITY_ERROR, status, location, message, found, expected,
                       suggestion);
    return false;
}

/* ---- channels and numbers */

void fnd_resolver_keep(const fnd_resolver *resolver, const fender_channel *channel)
{
    if (channel->source == FND_CHANNEL_SLIDE)
        fnd_slides_want(resolver->slides, fnd_object_shape(resolver->world, channel->a));
}

bool fnd_resolve_channel(const fnd_resolver *resolver, const fnd_located_text *text, fender_channel *channel)
{
    fender_error error;
    memset(&error, 0, sizeof error);
    int count = 0;
    if (fnd_channel_find(resolver->world, resolver->event_names, text->text, channel, 1, &count, &error) !=
        FENDER_STATUS_OK) {
        fnd_diagnostic_add_error(resolver->diagnostics, &error, &text->location);
        return false;
    }
    if (count == 1) {
        fnd_resolver_keep(resolver, channel);
        return true;
    }
    char found[64], message[96], suggestion[256];
    snprintf(found, sizeof found, "%d numbers", count);
    snprintf(message, sizeof message, "this path has %d numbers, but one is needed", count);
    snprintf(suggestion, sizeof suggestion, "name one of them, for example %s", channel->name);
    return refuse(resolver, FENDER_STATUS_NAME, &text->location, message, found, "one number", suggestion);
}

void fnd_resolve_fmu(const fnd_resolver *resolver)
{
    for (int part = FND_FMU_INPUTS; part <= FND_FMU_OUTPUTS; part++) {
        const fnd_fmu_list *list = &resolver->scenario->fmu[part];
        for (int i = 0; i < list->count; i++) {
            const fnd_located_text *path = &list->entries[i].path;
            fender_command command;
            fender_error error;
            int count = 0;
            memset(&error, 0, sizeof error);
            if (part == FND_FMU_INPUTS) (void)fender_command_find(resolver->world, path->text, &command, &error);
            else (void)fnd_channel_find(resolver->world, resolver->event_names, path->text, NULL, 0, &count, &error);
            if (error.status != FENDER_STATUS_OK)
                fnd_diagnostic_add_error(resolver->diagnostics, &error, &path->location);
        }
    }
}

bool fnd_resolve_number(const fnd_resolver *resolver, const fnd_located_text *text, const char *unit, double *value)
{
    fender_error error;
    memset(&error, 0, sizeof error);
    if (!text->text) return true;
    if (fender_quantity_parse(text->text, strlen(text->text), unit, value, &error) == FENDER_STATUS_OK) return true;
    fnd_diagnostic_add_error(resolver->diagnostics, &error, &text->location);
    return false;
}

/* ---- times */

void fnd_duration_text(double seconds, char text[48])
{
    static const struct {
        double size;
        const char *unit;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t i = 0;
    while (i < 3 && seconds != 0 && fabs(seconds) < units[i].size * (1 - 1e-12)) i++;
    int length = fnd_number_format_digits(seconds / units[i].size, 12, text, 40);
    snprintf(text + length, 8, " %s", units[i].unit);
}

double fnd_step_ratio(double seconds, double step, bool *whole)
{
    assert(step > 0);
    double ratio = seconds / step, nearest = floor(ratio + 0.5);
    *whole = fabs(ratio - nearest) <= 1e-9 * fabs(ratio);
    return *whole ? nearest : ratio;
}

static const double largest_step_count = 9e15; /* whole numbers of steps stay exact in a double */

bool fnd_resolve_period(const fnd_resolver *resolver, double period, const fnd_location *location, int64_t *steps)
{
    assert(resolver->step > 0);
    bool whole;
    double ratio = fnd_step_ratio(period, resolver->step, &whole);
    if (whole && ratio >= 1 && ratio <= largest_step_count) {
        *steps = (int64_t)ratio;
        return true;
    }
    char period_text[48], step_text[48], low_text[48], high_text[48], expected[120], message[160], suggestion[128];
    fnd_duration_text(period, period_text);
    fnd_duration_text(resolver->step, step_text);
    fnd_duration_text(floor(ratio) * resolver->step, low_text);
    fnd_duration_text((floor(ratio) + 1) * resolver->step, high_text);
    snprintf(message, sizeof message, "a period of %s is not a whole number of steps of %s", period_text, step_text);
    snprintf(expected, sizeof expected, "a whole multiple of %s", step_text);
    if (ratio >= 1) snprintf(suggestion, sizeof suggestion, "the nearest are %s and %s", low_text, high_text);
    else snprintf(suggestion, sizeof suggestion, "the shortest is %s; or use `on: steps`", step_text);
    return refuse(resolver, FENDER_STATUS_VALUE, location, message, period_text, expected, suggestion);
}

bool fnd_resolve_time(const fnd_resolver *resolver, double time, const fnd_location *location, int64_t *step)
{
    bool whole;
    double ratio = fnd_step_ratio(time - resolver->start_time, resolver->step, &whole);
    char found[48], first[48], last[48], expected[128], message[200], suggestion[160];
    fnd_duration_text(time, found);
    if (!(ratio >= 0 && ratio <= (double)resolver->last_step)) {
        fnd_duration_text(resolver->start_time, first);
        fnd_duration_text(resolver->start_time + (double)resolver->last_step * resolver->step, last);
        snprintf(expected, sizeof expected, "a time from %s to %s", first, last);
        snprintf(message, sizeof message, "%s is outside the run, which lasts from %s to %s", found, first, last);
        return refuse(resolver, FENDER_STATUS_VALUE, location, message, found, expected,
                      "change the time, or `run.until`");
    }
    if (whole) {
        *step = (int64_t)ratio;
        return true;
    }
    fnd_duration_text(resolver->start_time + floor(ratio) * resolver->step, first);
    fnd_duration_text(resolver->start_time + (floor(ratio) + 1) * resolver->step, last);
    snprintf(suggestion, sizeof suggestion, "the nearest are %s and %s", first, last);
    fnd_duration_text(resolver->step, first);
    snprintf(expected, sizeof expected, "a time at which a step of %s ends", first);
    snprintf(message, sizeof message, "%s lies between two steps of %s", found, first);
    return refuse(resolver, FENDER_STATUS_VALUE, location, message, found, expected, suggestion);
}

/* ---- pairs */

enum { NAME_SIZE = 128 };

static bool copy_name(char to[NAME_SIZE], const char *from, size_t length)
{
    if (length == 0 || length >= NAME_SIZE) return false;
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

static bool refuse_name(const fnd_resolver *resolver, const fnd_location *location, const char *message,
                        const char *found, const char *expected, const fnd_nearest *search)
{
    char suggestion[160] = "";
    if (search->best) snprintf(suggestion, sizeof suggestion, "did you mean '%.120s'?", search->best);
    return refuse(resolver, FENDER_STATUS_NAME, location, message, found, expected, suggestion);
}

static bool select_part(const fnd_resolver *resolver, const char *text, size_t length, const fnd_location *location,
                        fnd_selector *selector)
{
    const fender_world *world = resolver->world;
    char body[NAME_SIZE], shape[NAME_SIZE], message[320];
    const char *dot = memchr(text, '.', length);
    size_t body_length = dot ? (size_t)(dot - text) : length;
    memset(selector, 0, sizeof *selector);
    if (!copy_name(body, text, body_length) || (dot && !copy_name(shape, dot + 1, length - body_length - 1)))
        return refuse(resolver, FENDER_STATUS_NAME, location, "this is neither a body nor a shape", text,
                      "BODY or BODY.SHAPE", "");
    if (fender_body_find(world, body, &selector->body) != FENDER_STATUS_OK) {
        fnd_nearest search = fnd_nearest_begin(body, strlen(body));
        for (int i = 0; i < fender_body_count(world); i++)
            fnd_nearest_offer(&search, fender_body_name(world, fender_body_at(world, i)));
        snprintf(message, sizeof message, "no body is named '%s'", body);
        return refuse_name(resolver, location, message, body, "the name of a body", &search);
    }
    if (!dot || fender_shape_find(world, selector->body, shape, &selector->shape) == FENDER_STATUS_OK) return true;
    fnd_nearest search = fnd_nearest_begin(shape, strlen(shape));
    for (int i = 0; i < fender_shape_count(world); i++)
        if (fender_shape_body(world, fender_shape_at(world, i)).index1 == selector->body.index1)
            fnd_nearest_offer(&search, fender_shape_name(world, fender_shape_at(world, i)));
    snprintf(message, sizeof message, "body '%s' has no shape '%s'", body, shape);
    return refuse_name(resolver, location, message, shape, "the name of a shape of that body", &search);
}

bool fnd_resolve_selector(const fnd_resolver *resolver, const fnd_located_text *text, fnd_selector *selector)
{
    memset(selector, 0, sizeof *selector);
    return !text->text || select_part(resolver, text->text, strlen(text->text), &text->location, selector);
}

bool fnd_resolve_pair(const fnd_resolver *resolver, const fnd_located_text *text, fnd_selector pair[2])
{
    memset(pair, 0, 2 * sizeof *pair);
    if (!text->text) return true;
    const char *colon = strchr(text->text, ':');
    if (!colon)
        return refuse(resolver, FENDER_STATUS_NAME, &text->location, "this is not a pair", text->text,
                      "BODY.SHAPE:BODY.SHAPE, or BODY:BODY", "write the two names with a colon between");
    return select_part(resolver, text->text, (size_t)(colon - text->text), &text->location, &pair[0]) &&
           select_part(resolver, colon + 1, strlen(colon + 1), &text->location, &pair[1]);
}

static bool side_fits(const fender_world *world, const fnd_selector *side, fender_shape_id shape)
{
    if (side->body.index1 == 0) return true;
    if (side->shape.index1 != 0) return side->shape.index1 == shape.index1;
    return fender_shape_body(world, shape).index1 == side->body.index1;
}

static bool may_touch(const fender_world *world, fender_shape_id a, fender_shape_id b)
{
    fender_pair_explanation pair;
    if (fender_world_explain(world, a, b, &pair) != FENDER_STATUS_OK) return false;
    switch (pair.reason) {
    case FENDER_PAIR_MAY_TOUCH:
    case FENDER_PAIR_NOT_ACTIVE:
    case FENDER_PAIR_OUT_OF_RANGE:
    case FENDER_PAIR_SAME_TREE: /* until it is detached */
    case FENDER_PAIR_NO_STATE: return true;
    case FENDER_PAIR_SAME_BODY:
    case FENDER_PAIR_BOTH_IMMOVABLE:
    case FENDER_PAIR_RULE_NEVER:
    case FENDER_PAIR_NO_RULE:
    case FENDER_PAIR_NO_FUNCTION:
    case FENDER_PAIR_NO_INSIDE: break;
    }
    return false;
}

void fnd_resolve_touch(const fnd_resolver *resolver, const fnd_selector pair[2], const fnd_location *location)
{
    const fender_world *world = resolver->world;
    const int count = fender_shape_count(world);
    int shapes[2] = {0, 0};
    if (pair[0].body.index1 == 0 || pair[1].body.index1 == 0) return; /* refused */
    for (int i = 0; i < count; i++) {
        const fender_shape_id a = fender_shape_at(world, i);
        for (int side = 0; side < 2; side++) shapes[side] += side_fits(world, &pair[side], a);
        if (!side_fits(world, &pair[0], a)) continue;
        for (int k = 0; k < count; k++) {
            const fender_shape_id b = fender_shape_at(world, k);
            if (k != i && side_fits(world, &pair[1], b) && may_touch(world, a, b)) return;
        }
    }
    char message[320], found[160];
    const char *names[2];
    for (int side = 0; side < 2; side++) names[side] = fender_body_name(world, pair[side].body);
    const int bare = shapes[0] == 0 ? 0 : shapes[1] == 0 ? 1 : -1;
    snprintf(message, sizeof message, "'%.64s' and '%.64s' cannot touch: this is never true", names[0], names[1]);
    if (bare >= 0) snprintf(found, sizeof found, "'%.64s', which has no shapes of its own", names[bare]);
    else snprintf(found, sizeof found, "no pair of their shapes that may touch");
    fnd_diagnostic_add(resolver->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_VALUE, location, message, found,
                       "two bodies or shapes with a rule",
                       bare >= 0 ? "name the attached body that has the shapes" : "`fender explain` tells why");
}

static bool hangs_on(const fender_world *world, fender_body_id body, fender_body_id top)
{
    while (body.index1 != 0 && body.index1 != top.index1) body = fender_body_parent(world, body);
    return body.index1 != 0;
}

static bool shares_tree(const fender_world *world, fender_body_id a, fender_body_id b)
{
    while (fender_body_parent(world, b).index1 != 0) b = fender_body_parent(world, b);
    return hangs_on(world, a, b);
}

/* One of the operations cuts the thrust. */
static bool is_cut(const fnd_action *action, const char *load)
{
    char active[192], throttle[192];
    snprintf(active, sizeof active, "loads.%s.active", load);
    snprintf(throttle, sizeof throttle, "loads.%s.throttle", load);
    for (int i = 0; i < action->operation_count; i++) {
        const fnd_operation *o = &action->operations[i];
        if (o->kind == FND_OPERATION_SET_COMMAND && o->values[0] == 0 &&
            (strcmp(o->command, active) == 0 || strcmp(o->command, throttle) == 0))
            return true;
    }
    return false;
}

void fnd_resolve_tanks(const fnd_resolver *resolver, const fnd_action *action, const fnd_operation *detach)
{
    const fender_world *world = resolver->world;
    const fender_scenario *scenario = resolver->scenario;
    const fender_body_id moved = fender_body_at(world, detach->body);
    for (int i = 0; i < scenario->load_count; i++) {
        const fnd_load_description *load = &scenario->loads[i];
        if (load->tank < 0 || load->body < 0) continue;
        const bool body = hangs_on(world, fender_body_at(world, load->body), moved);
        const bool tank = hangs_on(world, fender_body_at(world, load->tank), moved);
        const fender_body_id parent = fender_body_parent(world, moved);
        const fender_body_id other = fender_body_at(world, tank ? load->body : load->tank);
        if (body == tank || parent.index1 == 0 || !shares_tree(world, other, parent) || is_cut(action, load->id.name))
            continue;
        char message[320], found[200], remedy[200];
        snprintf(message, sizeof message,
                 "thruster '%.64s' goes on drawing from tank '%.64s', which is detached from it", load->id.name,
                 scenario->bodies[load->tank].id.name);
        snprintf(found, sizeof found, "detach: %.64s", scenario->bodies[detach->body].id.name);
        snprintf(remedy, sizeof remedy, "add '- set: {loads.%.64s.active: false}' to the action, if it shall end",
                 load->id.name);
        fnd_diagnostic_add(resolver->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_VALUE, &detach->location,
                           message, found, "a thrust that is cut with its tank", remedy);
    }
}

bool fnd_pair_fits(const fender_world *world, const fnd_selector pair[2], fender_shape_id a, fender_shape_id b)
{
    return (side_fits(world, &pair[0], a) && side_fits(world, &pair[1], b)) ||
           (side_fits(world, &pair[0], b) && side_fits(world, &pair[1], a));
}

static bool body_fits(const fnd_selector *side, fender_body_id body)
{
    return side->body.index1 == 0 || side->body.index1 == body.index1;
}

static bool bodies_fit(const fnd_selector pair[2], fender_body_id a, fender_body_id b)
{
    return (body_fits(&pair[0], a) && body_fits(&pair[1], b)) || (body_fits(&pair[0], b) && body_fits(&pair[1], a));
}

bool fnd_event_fits(const fender_world *world, const fnd_selector pair[2], const fender_event *event)
{
    if (pair[0].body.index1 == 0 && pair[1].body.index1 == 0) return true;
    switch (event->subject) {
    case FENDER_SUBJECT_CONTACT: return fnd_pair_fits(world, pair, event->contact.a, event->contact.b);
    case FENDER_SUBJECT_LINK: return bodies_fit(pair, event->link.body_a, event->link.body_b);
    case FENDER_SUBJECT_TREE:
        return bodies_fit(pair, event->tree.child, event->tree.parent) ||
               bodies_fit(pair, event->tree.moved, event->tree.parent);
    case FENDER_SUBJECT_NONE: break;
    }
    return false;
}

bool fnd_resolve_event(const fnd_resolver *resolver, const fnd_located_text *text, int *kind)
{
    for (int i = 0; fnd_event_name(resolver->event_names, i); i++) {
        *kind = i;
        if (strcmp(text->text, fnd_event_name(resolver->event_names, i)) == 0) return true;
    }
    return refuse(resolver, FENDER_STATUS_NAME, &text->location, "no event has this name", text->text,
                  "begin, end, slip, stick, mode, law, attach, detach, reattach, break, spent, capture, crush, bottom, "
                  "arrive, limit, latched, or one that an action emits",
                  "");
}

fender_body_frame fnd_resolve_body_frame(const fnd_resolver *resolver, int body, int point)
{
    /* a world is built in the order of the scenario */
    fender_body_frame location = {.kind = FENDER_BODY_FRAME_STRUCTURE, .body = fender_body_at(resolver->world, body)};
    if (point < 0) return location;
    location.kind = FENDER_BODY_FRAME_POINT;
    fender_point_find(resolver->world, location.body, resolver->scenario->bodies[body].points[point].id.name,
                      &location.point);
    return location;
}
