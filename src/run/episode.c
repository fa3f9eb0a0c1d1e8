/* Collecting contacts from touch to release. */
#include "run/episode.h"

#include <string.h>

bool fnd_episode_table_create(fnd_episode_table *table, fnd_arena *arena)
{
    memset(table, 0, sizeof *table);
    table->items = FND_ARENA_NEW_ARRAY(arena, fender_episode, FND_EPISODE_CAPACITY);
    table->keys = FND_ARENA_NEW_ARRAY(arena, fnd_episode_key, FND_EPISODE_CAPACITY);
    table->open = FND_ARENA_NEW_ARRAY(arena, int, FND_EPISODE_CAPACITY);
    return table->items && table->keys && table->open;
}

static void begin(fnd_episode_table *table, const fender_world *world, const fender_event *event)
{
    if (table->count == FND_EPISODE_CAPACITY) {
        table->dropped++;
        return;
    }
    fender_episode *episode = &table->items[table->count];
    fnd_pair_name(world, event->a, event->b, episode->contact, sizeof episode->contact);
    episode->begin_time = event->time;
    episode->end_time = episode->rebound_speed = NAN;
    episode->peak_force_time = event->time;
    episode->approach_speed = event->speed;
    table->keys[table->count] = (fnd_episode_key){event->a, event->b, event->feature};
    table->open[table->open_count++] = table->count++;
}

/* Position in `open` of the contact; -1: it was dropped. */
static int find_open(const fnd_episode_table *table, fender_shape_id a, fender_shape_id b, uint64_t feature)
{
    for (int i = 0; i < table->open_count; i++) {
        const fnd_episode_key *key = &table->keys[table->open[i]];
        if (key->a.index1 == a.index1 && key->b.index1 == b.index1 && key->feature == feature) return i;
    }
    return -1;
}

static void note_residual(fnd_episode_table *table, fender_shape_id a, fender_shape_id b, double residual)
{
    if (table->worst_a.index1 != 0 && fabs(residual) <= fabs(table->worst_residual)) return;
    table->worst_a = a;
    table->worst_b = b;
    table->worst_residual = residual;
}

static void end(fnd_episode_table *table, const fender_event *event)
{
    note_residual(table, event->a, event->b, event->residual);
    int at = find_open(table, event->a, event->b, event->feature);
    if (at < 0) return;
    fender_episode *episode = &table->items[table->open[at]];
    table->open[at] = table->open[--table->open_count];
    episode->end_time = event->time;
    episode->peak_force = event->peak_force;
    episode->peak_force_time = event->peak_force_time;
    episode->peak_depth = event->peak_depth;
    episode->impulse = event->impulse;
    episode->approach_speed = event->approach_speed;
    episode->rebound_speed = -event->speed;
}

void fnd_episode_table_follow(fnd_episode_table *table, const fnd_moment *moment)
{
    for (int i = 0; i < moment->event_count; i++) {
        const fender_event *event = &moment->events[i];
        if (event->kind == FENDER_EVENT_ESTABLISH) begin(table, moment->world, event);
        else if (event->kind == FENDER_EVENT_TERMINATE) end(table, event);
    }
}

void fnd_episode_table_finish(fnd_episode_table *table, const fender_world *world)
{
    int count = fender_contact_count(world, FENDER_CLOCK_COMMITTED);
    for (int i = 0; i < count; i++) {
        fender_contact_data contact;
        if (fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, &contact) != FENDER_STATUS_OK) continue;
        note_residual(table, contact.a, contact.b, contact.residual);
        int at = find_open(table, contact.a, contact.b, contact.feature);
        if (at < 0) continue;
        fender_episode *episode = &table->items[table->open[at]];
        episode->peak_force = contact.peak_force;
        episode->peak_force_time = contact.peak_force_time;
        episode->peak_depth = contact.peak_depth;
        episode->impulse = contact.impulse;
        episode->approach_speed = contact.approach_speed;
    }
}
