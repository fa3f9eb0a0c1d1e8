/* Collecting contacts from touch to release. */
#include "run/episode.h"
#include "record/table.h"
#include "run/directory.h"
#include "run/table_place.h"
#include "text/fault.h"

#include <stddef.h>
#include <stdio.h>
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
    fnd_contact_name(world, event->a, event->b, event->feature, episode->contact, sizeof episode->contact);
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
    episode->errors = event->errors;
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
        if (contact.whole_pair) { /* the record is that of the pair; its feature that of the event */
            if (fender_contact_between(world, contact.a, contact.b, &contact) != FENDER_STATUS_OK) continue;
            contact.feature = FENDER_FEATURE_PAIR;
        }
        note_residual(table, contact.a, contact.b, contact.residual);
        int at = find_open(table, contact.a, contact.b, contact.feature);
        if (at < 0) continue;
        fender_episode *episode = &table->items[table->open[at]];
        episode->peak_force = contact.peak_force;
        episode->peak_force_time = contact.peak_force_time;
        episode->peak_depth = contact.peak_depth;
        episode->impulse = contact.impulse;
        episode->approach_speed = contact.approach_speed;
        episode->errors = contact.errors;
    }
}

fender_status fnd_episode_table_write(const fnd_episode_table *table, const fender_env *env, const char *directory,
                                      fender_error *error)
{
    static const struct {
        const char *name, *unit;
        size_t value, error;
    } columns[] = {
#define COLUMN(member, unit) {#member, unit, offsetof(fender_episode, member), offsetof(fender_contact_errors, member)}
        COLUMN(begin_time, "s"), COLUMN(end_time, "s"),  COLUMN(peak_force, "N"),       COLUMN(peak_force_time, "s"),
        COLUMN(peak_depth, "m"), COLUMN(impulse, "N*s"), COLUMN(approach_speed, "m/s"), COLUMN(rebound_speed, "m/s"),
#undef COLUMN
    };
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    size_t row_size = FND_TABLE_TEXT_SIZE(sizeof table->items->contact) + 4 * COLUMNS * FND_TABLE_NUMBER_SIZE;
    fnd_table to;
    fnd_table_place place = {env, directory, FND_FILE_EPISODES, NULL};
    fender_status status = fnd_table_open_at(&to, &place, row_size, NULL, error);
    if (status != FENDER_STATUS_OK) return status;
    fnd_table_head(&to, "contact", "");
    for (int k = 0; k < COLUMNS; k++) {
        char name[40];
        snprintf(name, sizeof name, "%s_error", columns[k].name);
        fnd_table_head(&to, columns[k].name, columns[k].unit);
        fnd_table_head(&to, name, columns[k].unit);
    }
    status = fnd_table_end_header(&to, error);
    for (int i = 0; i < table->count && status == FENDER_STATUS_OK; i++) {
        const fender_episode *episode = &table->items[i];
        fnd_table_text(&to, episode->contact);
        for (int k = 0; k < COLUMNS; k++) {
            double value, estimate;
            memcpy(&value, (const char *)episode + columns[k].value, sizeof value);
            memcpy(&estimate, (const char *)&episode->errors + columns[k].error, sizeof estimate);
            fnd_table_number(&to, value);
            fnd_table_number(&to, estimate);
        }
        status = fnd_table_end_row(&to, error);
    }
    fender_status closed = fnd_table_close(&to, error);
    return status == FENDER_STATUS_OK ? closed : status;
}
