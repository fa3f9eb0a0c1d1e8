/* Following the pairs that have not touched yet. */
#include "run/approach.h"

#include <string.h>

/* Farthest that a shape's surface can lie from the origin of its body. */
static double shape_reach(const fender_world *world, fender_shape_id shape)
{
    fender_shape_def def;
    if (fender_shape_get_def(world, shape, &def) != FENDER_STATUS_OK) return INFINITY;
    return fender_vec3_length(def.X_SG.p) + fender_geometry_bounding_radius(def.geometry);
}

/* The slot of a body's position, -1 when there is none. */
static int body_slot(fnd_approach_table *table, const fender_world *world, fender_shape_id shape)
{
    fender_body_id id = fender_shape_body(world, shape);
    int slot = 0;
    for (; slot < table->body_count; slot++)
        if (fender_body_at(world, table->bodies[slot]).index1 == id.index1) return slot;
    for (int i = 0; i < fender_body_count(world); i++) {
        if (fender_body_at(world, i).index1 != id.index1) continue;
        table->bodies[table->body_count] = i;
        return table->body_count++;
    }
    return -1;
}

static void add_pair(fnd_approach_table *table, const fender_world *world, fender_shape_id a, fender_shape_id b)
{
    fnd_approach *item = &table->items[table->count];
    *item = (fnd_approach){.a = a, .b = b, .distance = INFINITY, .time = fender_world_time(world)};
    item->reach = shape_reach(world, a) + shape_reach(world, b);
    item->body_a = body_slot(table, world, a);
    item->body_b = body_slot(table, world, b);
    if (item->body_a >= 0 && item->body_b >= 0) table->count++;
}

bool fnd_approach_table_create(fnd_approach_table *table, const fender_world *world, fnd_arena *arena)
{
    memset(table, 0, sizeof *table);
    table->items = FND_ARENA_NEW_ARRAY(arena, fnd_approach, FND_APPROACH_CAPACITY);
    table->results = FND_ARENA_NEW_ARRAY(arena, fender_closest_approach, FND_APPROACH_CAPACITY);
    table->positions = FND_ARENA_NEW_ARRAY(arena, fender_vec3, 2 * (size_t)FND_APPROACH_CAPACITY);
    table->bodies = FND_ARENA_NEW_ARRAY(arena, int, 2 * (size_t)FND_APPROACH_CAPACITY);
    if (!table->items || !table->results || !table->positions || !table->bodies) return false;
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

static void note_touches(fnd_approach_table *table, const fnd_moment *moment)
{
    for (int i = 0; i < moment->event_count; i++) {
        const fender_event *event = &moment->events[i];
        if (event->kind != FENDER_EVENT_ESTABLISH) continue;
        for (int k = 0; k < table->count; k++)
            if (table->items[k].a.index1 == event->a.index1 && table->items[k].b.index1 == event->b.index1)
                table->items[k].touched = true;
    }
}

void fnd_approach_table_follow(fnd_approach_table *table, const fnd_moment *moment)
{
    note_touches(table, moment);
    for (int i = 0; i < table->body_count; i++) {
        fender_body_data body;
        fender_body_id id = fender_body_at(moment->world, table->bodies[i]);
        if (fender_body_get(moment->world, id, FENDER_CLOCK_COMMITTED, &body) == FENDER_STATUS_OK)
            table->positions[i] = body.position;
    }
    for (int i = 0; i < table->count; i++) {
        fnd_approach *item = &table->items[i];
        if (item->touched) continue;
        /* The bodies' origins alone may show that the pair is farther apart than it was. */
        fender_vec3 between = fender_vec3_sub(table->positions[item->body_b], table->positions[item->body_a]);
        if (fender_vec3_length(between) - item->reach > item->distance) continue;
        fender_contact_data contact;
        if (fender_contact_between(moment->world, item->a, item->b, &contact) != FENDER_STATUS_OK ||
            !(contact.separation < item->distance))
            continue;
        item->distance = contact.separation;
        item->time = moment->time;
    }
}

void fnd_approach_table_finish(fnd_approach_table *table, const fender_world *world)
{
    table->result_count = 0;
    for (int i = 0; i < table->count; i++) {
        const fnd_approach *item = &table->items[i];
        if (item->touched || !isfinite(item->distance)) continue;
        fender_closest_approach *result = &table->results[table->result_count++];
        fnd_pair_name(world, item->a, item->b, result->contact, sizeof result->contact);
        result->distance = item->distance;
        result->time = item->time;
    }
}
