/* Contacts from begin to end, and how near pairs came that never touched. */
#include "run/episode.h"

#include "run/directory.h"
#include "run/recording.h"
#include "support/io_error.h"
#include "tables/table.h"
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- Episodes ---- */

bool fnd_episode_table_create(fnd_episode_table *table, int capacity, fnd_arena *arena)
{
    memset(table, 0, sizeof *table);
    table->capacity = capacity;
    table->items = FND_ARENA_NEW_ROOM(arena, fender_episode, (size_t)capacity);
    table->keys = FND_ARENA_NEW_ROOM(arena, fnd_episode_key, (size_t)capacity);
    table->open = FND_ARENA_NEW_ROOM(arena, int, (size_t)capacity);
    return table->items && table->keys && table->open;
}

static void begin(fnd_episode_table *table, const fender_world *world, const fender_event *event)
{
    assert(table->count <= table->capacity);
    if (table->count == table->capacity) {
        table->dropped++;
        return;
    }
    fender_episode *episode = &table->items[table->count];
    memset(episode, 0, sizeof *episode); /* checkpoints keep its bytes */
    memset(&table->keys[table->count], 0, sizeof *table->keys);
    fnd_contact_name(world, event->contact.a, event->contact.b, event->contact.feature, episode->contact,
                     sizeof episode->contact);
    episode->begin_time = event->time;
    episode->end_time = episode->rebound_speed = NAN;
    episode->peak_force_time = event->time;
    episode->approach_speed = event->contact.depth_rate;
    table->keys[table->count] = (fnd_episode_key){event->contact.a, event->contact.b, event->contact.feature};
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
    note_residual(table, event->contact.a, event->contact.b, event->contact.residual);
    int at = find_open(table, event->contact.a, event->contact.b, event->contact.feature);
    if (at < 0) return;
    fender_episode *episode = &table->items[table->open[at]];
    table->open[at] = table->open[--table->open_count];
    episode->end_time = event->time;
    episode->peak_force = event->contact.peak_force;
    episode->peak_force_time = event->contact.peak_force_time;
    episode->peak_depth = event->contact.peak_depth;
    episode->impulse = event->contact.impulse;
    episode->approach_speed = event->contact.approach_speed;
    episode->rebound_speed = -event->contact.depth_rate;
    episode->errors = event->contact.errors;
}

void fnd_episode_table_follow(fnd_episode_table *table, const fnd_instant *instant)
{
    assert(table->open_count <= table->count);
    for (int i = 0; i < instant->event_count; i++) {
        const fender_event *event = &instant->events[i];
        if (event->kind == FENDER_EVENT_BEGIN) begin(table, instant->world, event);
        else if (event->kind == FENDER_EVENT_END) end(table, event);
    }
}

void fnd_episode_table_finish(fnd_episode_table *table, const fender_world *world)
{
    int count = fender_contact_count(world, FENDER_CLOCK_COMMITTED);
    for (int i = 0; i < count; i++) {
        fender_contact_data contact;
        if (fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, &contact) != FENDER_STATUS_OK) continue;
        if (contact.has_pair_events) { /* the record is that of the pair; its feature that of the event */
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
    fnd_table_location location = {env, directory, FND_FILE_EPISODES, NULL};
    fender_status status = fnd_table_open_at(&to, &location, row_size, NULL, error);
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

/* ---- Approaches ---- */

static int body_slot(fnd_approach_table *table, fender_body_id id)
{
    for (int slot = 0; slot < table->body_count; slot++)
        if (table->bodies[slot].id.index1 == id.index1) return slot;
    table->bodies[table->body_count].id = id;
    return table->body_count++;
}

static int shape_slot(fnd_approach_table *table, const fender_world *world, fender_shape_id id)
{
    fender_shape_def def;
    for (int slot = 0; slot < table->shape_count; slot++)
        if (table->shapes[slot].id.index1 == id.index1) return slot;
    if (fender_shape_get_def(world, id, &def) != FENDER_STATUS_OK) return -1;
    /* the ground below a grid has no end, though its surface has */
    bool endless = fender_geometry_type_of(def.geometry) == FENDER_GEOMETRY_GRID;
    table->shapes[table->shape_count] = (fnd_approach_shape){
        .id = id,
        .body = body_slot(table, fender_shape_body(world, id)),
        .geometry = def.geometry,
        .X_SG = def.X_SG,
        .radius = endless ? INFINITY : fender_geometry_bounding_radius(def.geometry),
        .lever = fender_vec3_length(def.X_SG.p) + fender_geometry_bounding_radius(def.geometry)};
    return table->shape_count++;
}

static void add_pair(fnd_approach_table *table, const fender_world *world, fender_shape_id a, fender_shape_id b)
{
    fnd_approach item = {.a = shape_slot(table, world, a),
                         .b = shape_slot(table, world, b),
                         .distance = INFINITY,
                         .least = INFINITY,
                         .time = fender_world_time(world)};
    if (item.a >= 0 && item.b >= 0) table->items[table->count++] = item;
}

bool fnd_approach_table_create(fnd_approach_table *table, const fender_world *world, fnd_arena *arena)
{
    const size_t sides = 2 * (size_t)FND_APPROACH_CAPACITY;
    memset(table, 0, sizeof *table);
    table->items = FND_ARENA_NEW_ARRAY(arena, fnd_approach, FND_APPROACH_CAPACITY);
    table->results = FND_ARENA_NEW_ARRAY(arena, fender_closest_approach, FND_APPROACH_CAPACITY);
    table->shapes = FND_ARENA_NEW_ARRAY(arena, fnd_approach_shape, sides);
    table->bodies = FND_ARENA_NEW_ARRAY(arena, fnd_approach_body, sides);
    table->last_time = fender_world_time(world);
    if (!table->items || !table->results || !table->shapes || !table->bodies) return false;
    int shapes = fender_shape_count(world);
    for (int i = 0; i < shapes; i++) {
        fender_shape_id one = fender_shape_at(world, i);
        for (int j = i + 1; j < shapes; j++) {
            fender_pair_explanation why;
            if (fender_world_explain(world, one, fender_shape_at(world, j), &why) != FENDER_STATUS_OK ||
                !fnd_pair_may_touch(&why))
                continue;
            table->pair_count++;
            if (table->count < FND_APPROACH_CAPACITY) add_pair(table, world, why.a, why.b);
        }
    }
    return true;
}

void fnd_approach_note_events(fnd_approach_table *table, const fnd_instant *instant)
{
    for (int i = 0; i < instant->event_count; i++) {
        const fender_event *event = &instant->events[i];
        if (event->kind != FENDER_EVENT_BEGIN) continue;
        for (int k = 0; k < table->count; k++) {
            fnd_approach *item = &table->items[k];
            if (table->shapes[item->a].id.index1 == event->contact.a.index1 &&
                table->shapes[item->b].id.index1 == event->contact.b.index1)
                item->touched = true;
        }
    }
}

static void place_shapes(fnd_approach_table *table, const fender_world *world)
{
    for (int i = 0; i < table->body_count; i++) {
        fender_body_data body;
        if (fender_body_get(world, table->bodies[i].id, FENDER_CLOCK_COMMITTED, &body) != FENDER_STATUS_OK) continue;
        table->bodies[i].pose = (fender_pose){body.position, body.attitude};
        table->bodies[i].velocity = body.velocity;
        table->bodies[i].rate = fender_vec3_length(body.angular_velocity);
    }
    for (int i = 0; i < table->shape_count; i++) {
        fnd_approach_shape *shape = &table->shapes[i];
        shape->X_WG = fender_pose_product(table->bodies[shape->body].pose, shape->X_SG);
    }
}

/* No two points of both come nearer to each other than this in a second, at their present velocities. */
static double closing_speed(const fnd_approach_table *table, const fnd_approach_shape *a, const fnd_approach_shape *b)
{
    const fnd_approach_body *body_a = &table->bodies[a->body], *body_b = &table->bodies[b->body];
    double speed = fender_vec3_length(fender_vec3_sub(body_a->velocity, body_b->velocity));
    if (body_a->rate > 0) speed += body_a->rate * a->lever;
    if (body_b->rate > 0) speed += body_b->rate * b->lever;
    return speed;
}

void fnd_approach_table_follow(fnd_approach_table *table, const fnd_instant *instant)
{
    assert(table->count <= FND_APPROACH_CAPACITY);
    const double since = instant->time - table->last_time;
    place_shapes(table, instant->world);
    table->last_time = instant->time;
    for (int i = 0; i < table->count; i++) {
        fnd_approach *item = &table->items[i];
        const fnd_approach_shape *a = &table->shapes[item->a], *b = &table->shapes[item->b];
        if (item->touched) continue;
        /* The spheres around both may show that the pair is farther apart than it was. */
        fender_vec3 between = fender_vec3_sub(b->X_WG.p, a->X_WG.p);
        if (fender_vec3_length(between) - a->radius - b->radius > item->distance) continue;
        fender_separation separation;
        if (fender_geometry_separation(a->geometry, &a->X_WG, b->geometry, &b->X_WG, &separation) != FENDER_STATUS_OK ||
            !(separation.distance < item->distance))
            continue;
        item->distance = separation.distance;
        item->time = instant->time;
        double gap = separation.distance - 0.5 * since * closing_speed(table, a, b);
        item->least = gap > 0 ? gap : separation.distance > 0 ? 0 : separation.distance;
    }
}

/* Nearest first; pairs at the same distance keep their order. */
static void sort_results(fnd_approach_table *table)
{
    for (int i = 1; i < table->result_count; i++) {
        fender_closest_approach one = table->results[i];
        int at = i;
        for (; at > 0 && table->results[at - 1].distance > one.distance; at--)
            table->results[at] = table->results[at - 1];
        table->results[at] = one;
    }
}

void fnd_approach_table_finish(fnd_approach_table *table, const fender_world *world)
{
    table->result_count = 0;
    for (int i = 0; i < table->count; i++) {
        const fnd_approach *item = &table->items[i];
        if (item->touched || !isfinite(item->distance)) continue;
        fender_closest_approach *result = &table->results[table->result_count++];
        fnd_pair_name(world, table->shapes[item->a].id, table->shapes[item->b].id, result->contact,
                      sizeof result->contact);
        result->distance = item->distance;
        result->least = item->least;
        result->time = item->time;
    }
    sort_results(table);
}
