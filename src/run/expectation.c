/* Resolving, following and judging expectations. */
#include "run/expectation.h"

#include "support/number.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- resolving */

static void resolve_event(const fnd_resolver *resolver, const fnd_expectation *source, fnd_expectation_state *state)
{
    fnd_resolve_event(resolver, &source->event, &state->event);
    fnd_resolve_pair(resolver, &source->contact, state->pair);
    state->link = fender_link_at(resolver->world, source->link - 1);
}

static void resolve_channel(const fnd_resolver *resolver, const fnd_expectation *source, fnd_expectation_state *state)
{
    if (!fnd_resolve_channel(resolver, &source->channel, &state->channel)) return;
    const char *unit = state->channel.unit;
    state->has_equals = source->equals.text != NULL;
    fnd_resolve_number(resolver, &source->equals, unit, &state->equals);
    if (fnd_resolve_number(resolver, &source->within, unit, &state->within) && state->within < 0)
        fnd_diagnostic_add(resolver->diagnostics, FENDER_SEVERITY_ERROR, FENDER_STATUS_VALUE, &source->within.location,
                           "'within' must be 0 or more", source->within.text, "0 or more",
                           "check the sign: a tolerance cannot be negative");
    fnd_resolve_number(resolver, &source->above, unit, &state->above);
    fnd_resolve_number(resolver, &source->below, unit, &state->below);
    if (source->at == FND_EXPECT_TIME)
        fnd_resolve_time(resolver, source->at_time,
                         source->location.line > 0 ? &source->location : &source->channel.location, &state->at_step);
}

bool fnd_expectation_resolve(const fnd_resolver *resolver, const fender_scenario *scenario, fnd_arena *arena,
                             fnd_expectation_table *table)
{
    memset(table, 0, sizeof *table);
    table->count = scenario->expectation_count;
    table->states = FND_ARENA_NEW_ARRAY(arena, fnd_expectation_state, (size_t)table->count);
    table->results = FND_ARENA_NEW_ARRAY(arena, fender_expectation_result, (size_t)table->count);
    table->texts = fnd_arena_array(arena, (size_t)table->count, sizeof *table->texts, 1);
    if (!table->states || !table->results || !table->texts) return false;
    for (int i = 0; i < table->count; i++) {
        const fnd_expectation *source = &scenario->expectations[i];
        fnd_expectation_state *state = &table->states[i];
        state->source = source;
        state->above = -INFINITY;
        state->below = INFINITY;
        state->value = state->before = state->before_time = NAN;
        if (source->when && !fnd_condition_resolve(resolver, source->when, arena, &state->when)) return false;
        if (source->event.text) resolve_event(resolver, source, state);
        if (source->channel.text) resolve_channel(resolver, source, state);
        table->results[i].text = table->texts[i];
        table->results[i].source = source->source ? source->source : "";
        table->results[i].file = source->location.file ? source->location.file : "";
        table->results[i].line = source->location.line;
    }
    return true;
}

/* ---- following */

/* Does it tell of what the event brings, so that it has no value before? */
static bool comes_with_event(const fender_channel *channel)
{
    switch ((fnd_channel_source)channel->source) {
    case FND_CHANNEL_CONTACT:
    case FND_CHANNEL_SIGNALS:
    case FND_CHANNEL_EVENT: return true;
    default: return false;
    }
}

/* With a channel: its value at the time of the first event that fits. Where contacts are not located, they begin at the
 * start of the step, which is the accepted state before. */
static void follow_channel_at_event(fnd_expectation_state *state, const fnd_instant *instant)
{
    for (int i = 0; i < instant->event_count && isnan(state->value); i++) {
        const fender_event *event = &instant->events[i];
        if ((int)event->kind != state->event || !fnd_event_fits(instant->world, state->pair, event)) continue;
        fnd_channel_reader reader = fnd_channel_reader_begin(instant->world, instant->history);
        const bool earlier = event->time < instant->time && event->time == state->before_time;
        state->value = earlier && !comes_with_event(&state->channel)
                           ? state->before
                           : fnd_channel_reader_read_or(&reader, &state->channel, NAN);
    }
}

/* Keeps the time of the event that is nearest to the expected one, or the first. */
static void follow_event(fnd_expectation_state *state, const fnd_instant *instant)
{
    for (int i = 0; i < instant->event_count; i++) {
        const fender_event *event = &instant->events[i];
        double expected = state->source->event_time;
        if ((int)event->kind != state->event || !fnd_event_fits(instant->world, state->pair, event) ||
            !fnd_link_fits(state->link, event))
            continue;
        bool nearer = fabs(event->time - expected) < fabs(state->value - expected);
        if (isnan(state->value) || nearer) state->value = event->time;
    }
}

void fnd_expectation_note_action(fnd_expectation_table *table, int action, double time)
{
    for (int i = 0; i < table->count; i++)
        if (table->states[i].source->when) fnd_condition_note_action(&table->states[i].when, action, time);
}

void fnd_expectation_note_events(fnd_expectation_table *table, const fnd_instant *instant)
{
    for (int i = 0; i < table->count; i++)
        if (table->states[i].source->when) fnd_condition_note_events(&table->states[i].when, instant);
        else if (table->states[i].source->event.text && table->states[i].source->channel.text)
            follow_channel_at_event(&table->states[i], instant);
        else if (table->states[i].source->event.text) follow_event(&table->states[i], instant);
}

/* What a state without a value counts as: in an extreme, as the farthest from it. */
static double without_value(const fnd_expectation_state *state)
{
    switch (state->source->at) {
    case FND_EXPECT_MAX: return -INFINITY;
    case FND_EXPECT_MIN: return INFINITY;
    default: return NAN;
    }
}

void fnd_expectation_follow_conditions(fnd_expectation_table *table, const fnd_instant *instant)
{
    fnd_channel_reader reader = fnd_channel_reader_begin(instant->world, instant->history);
    fnd_channel_reader_give_ledger(&reader, &instant->ledger);
    for (int i = 0; i < table->count; i++) {
        fnd_expectation_state *state = &table->states[i];
        if (!state->source->when || !isnan(state->value) || !fnd_condition_holds(&state->when, instant)) continue;
        state->found = true;
        state->value = state->source->channel.text ? fnd_channel_reader_read_or(&reader, &state->channel, NAN)
                                                   : instant->time;
    }
}

double fnd_expectation_next_time(const fnd_expectation_table *table, double now)
{
    double next = INFINITY;
    for (int i = 0; i < table->count; i++) {
        if (!fnd_expectation_waits(&table->states[i])) continue;
        const double time = fnd_condition_next_time(&table->states[i].when, now);
        if (time < next) next = time;
    }
    return next;
}

/* The value at the state, or the largest or smallest so far. */
static void follow_value(fnd_expectation_state *state, const fnd_instant *instant, double value)
{
    bool first = isnan(state->value) && instant->step == 0;
    bool larger = state->source->at == FND_EXPECT_MAX && value > state->value;
    bool smaller = state->source->at == FND_EXPECT_MIN && value < state->value;
    /* A value that is not a number stays the result: it must not be hidden by the next. */
    if (first || larger || smaller || isnan(value) || state->source->at == FND_EXPECT_TIME) state->value = value;
}

void fnd_expectation_follow(fnd_expectation_table *table, const fnd_instant *instant)
{
    if (table->count == 0) return;
    fnd_channel_reader reader = fnd_channel_reader_begin(instant->world, instant->history);
    fnd_channel_reader_give_ledger(&reader, &instant->ledger);
    /* Between accepted states conditions are looked at where they become true. */
    if (instant->accepted) fnd_expectation_follow_conditions(table, instant);
    for (int i = 0; i < table->count; i++) {
        fnd_expectation_state *state = &table->states[i];
        const bool event = state->source->event.text != NULL;
        if (event && state->source->channel.text && isnan(state->value) && instant->accepted) {
            state->before = fnd_channel_reader_read_or(&reader, &state->channel, NAN);
            state->before_time = instant->time;
        }
        if (event || state->source->when || state->source->at == FND_EXPECT_END) continue;
        if (state->source->at == FND_EXPECT_TIME && (!instant->on_grid || state->at_step != instant->step)) continue;
        follow_value(state, instant, fnd_channel_reader_read_or(&reader, &state->channel, without_value(state)));
    }
}

/* ---- judging */

static bool has_unit(const char *unit) { return unit[0] && strcmp(unit, "1") != 0; }

typedef struct phrase {
    char *text;
    size_t used;
} phrase;

static void say(phrase *p, const char *words)
{
    int length = snprintf(p->text + p->used, FND_EXPECTATION_TEXT_SIZE - p->used, "%s", words);
    p->used += (size_t)length;
    if (p->used >= FND_EXPECTATION_TEXT_SIZE) p->used = FND_EXPECTATION_TEXT_SIZE - 1;
}

static void say_number(phrase *p, double value, const char *unit, int digits)
{
    char text[FND_NUMBER_SIZE];
    if (digits > 0) fnd_number_format_digits(value, digits, text, sizeof text);
    else fnd_number_format(value, text, sizeof text);
    say(p, text);
    if (has_unit(unit)) {
        say(p, " ");
        say(p, unit);
    }
}

static void judge_event(const fnd_expectation_state *state, fender_expectation_result *result, phrase *p)
{
    const fnd_expectation *source = state->source;
    bool timed = !isnan(source->event_time);
    double off = fabs(state->value - source->event_time);
    /* Rounding of the difference of two times must not decide. */
    result->met = !isnan(state->value) && (!timed || off <= source->event_within + 1e-12 * fabs(source->event_time));
    say(p, source->event.text);
    if (source->contact.text) {
        say(p, " of ");
        say(p, source->contact.text);
    }
    if (isnan(state->value)) {
        say(p, " never happened");
    } else {
        say(p, " at ");
        say_number(p, state->value, "s", 12);
    }
    if (!timed) return;
    say(p, ", expected at ");
    say_number(p, source->event_time, "s", 0);
    say(p, " within ");
    say_number(p, source->event_within, "s", 0);
}

static void say_when(phrase *p, const fnd_expectation *source)
{
    switch (source->at) {
    case FND_EXPECT_TIME:
        say(p, " at ");
        say_number(p, source->at_time, "s", 0);
        break;
    case FND_EXPECT_END: say(p, " at end"); break;
    case FND_EXPECT_MAX: say(p, " at its largest"); break;
    case FND_EXPECT_MIN: say(p, " at its smallest"); break;
    }
}

static void judge_channel(const fnd_expectation_state *state, fender_expectation_result *result, phrase *p)
{
    const char *unit = state->channel.unit;
    double value = state->value, off = fabs(value - state->equals);
    result->met = !isnan(value) && (!state->has_equals || off <= state->within) && value > state->above &&
                  value < state->below;
    if (state->has_equals) {
        result->expected = state->equals;
        result->within = state->within;
    }
    say(p, state->channel.name);
    say_when(p, state->source);
    say(p, ": ");
    if (isnan(value)) say(p, "not reached");
    else say_number(p, value, unit, 0);
    if (state->has_equals) {
        say(p, ", expected ");
        say_number(p, state->equals, unit, 0);
        say(p, " within ");
        say_number(p, state->within, unit, 0);
        if (!isnan(value) && !result->met) {
            say(p, "; off by ");
            say_number(p, off, unit, 3);
        }
    }
    if (isfinite(state->above)) {
        say(p, ", expected above ");
        say_number(p, state->above, unit, 0);
    }
    if (isfinite(state->below)) {
        say(p, ", expected below ");
        say_number(p, state->below, unit, 0);
    }
}

void fnd_expectation_finish(fnd_expectation_table *table, const fender_world *world, const fnd_history *history,
                            bool at_end)
{
    assert(table->count == 0 || table->states);
    fnd_channel_reader reader = fnd_channel_reader_begin(world, history);
    table->met = 0;
    for (int i = 0; i < table->count; i++) {
        fnd_expectation_state *state = &table->states[i];
        fender_expectation_result *result = &table->results[i];
        phrase p = {table->texts[i], 0};
        bool is_event = state->source->event.text != NULL;
        if (!is_event && !state->source->when && state->source->at == FND_EXPECT_END)
            state->value = at_end ? fnd_channel_reader_read_or(&reader, &state->channel, NAN) : NAN;
        if (state->channel.source == FND_CHANNEL_SENSOR && state->value == without_value(state)) state->value = NAN;
        result->expected = result->within = NAN;
        result->value = state->value;
        if (is_event) judge_event(state, result, &p);
        else if (state->source->channel.text) judge_channel(state, result, &p);
        result->value = state->value;
        table->met += result->met;
    }
}
