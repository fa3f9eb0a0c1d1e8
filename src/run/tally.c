/* Sums over the contacts of two bodies, and the reach of links, for the summary. */
#include "run/tally.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A strut with an end stop: its stroke_left may be 0. */
static bool has_stroke(const fender_world *world, fender_link_id id)
{
    fender_link_def def;
    return fender_link_get_def(world, id, &def) == FENDER_STATUS_OK && def.law == FENDER_LINK_STRUT &&
           isfinite(((const fender_link_strut *)def.parameters)->stroke);
}

bool fnd_tally_create(fnd_tally *tally, const fender_world *world, fnd_arena *arena)
{
    memset(tally, 0, sizeof *tally);
    tally->link_count = fender_link_count(world);
    tally->pairs = FND_ARENA_NEW_ARRAY(arena, fnd_pair_tally, FND_TALLY_PAIRS);
    tally->slots = FND_ARENA_NEW_ARRAY(arena, int16_t, FND_TALLY_SLOTS);
    tally->pair_results = FND_ARENA_NEW_ARRAY(arena, fender_body_pair_summary, FND_TALLY_PAIRS);
    tally->links = FND_ARENA_NEW_ARRAY(arena, fnd_link_tally, (size_t)tally->link_count);
    tally->link_results = FND_ARENA_NEW_ARRAY(arena, fender_link_summary, (size_t)tally->link_count);
    if (!tally->pairs || !tally->slots || !tally->pair_results || !tally->links || !tally->link_results) return false;
    for (int i = 0; i < tally->link_count; i++)
        tally->links[i] = (fnd_link_tally){INFINITY, -INFINITY, INFINITY, has_stroke(world, fender_link_at(world, i))};
    return true;
}

/* ---- pairs of bodies */

/* The slot of a pair, or the empty one where it belongs. There are always empty ones. */
static int16_t *slot_of(const fnd_tally *tally, fender_body_id a, fender_body_id b)
{
    uint32_t at = (a.index1 * 2654435761u ^ b.index1 * 2246822519u) >> 16;
    for (;; at++) {
        int16_t *slot = &tally->slots[at % FND_TALLY_SLOTS];
        const fnd_pair_tally *pair = *slot > 0 ? &tally->pairs[*slot - 1] : NULL;
        if (!pair || (pair->a.index1 == a.index1 && pair->b.index1 == b.index1)) return slot;
    }
}

static fnd_pair_tally *find_pair(const fnd_tally *tally, fender_body_id one, fender_body_id other)
{
    const bool turned = one.index1 > other.index1;
    const int16_t *slot = slot_of(tally, turned ? other : one, turned ? one : other);
    return *slot > 0 ? &tally->pairs[*slot - 1] : NULL;
}

static fnd_pair_tally *pair_of(fnd_tally *tally, fender_body_id one, fender_body_id other)
{
    const bool turned = one.index1 > other.index1;
    const fender_body_id a = turned ? other : one, b = turned ? one : other;
    int16_t *slot = slot_of(tally, a, b);
    if (*slot > 0) return &tally->pairs[*slot - 1];
    if (tally->pair_count == FND_TALLY_PAIRS) return NULL;
    fnd_pair_tally *pair = &tally->pairs[tally->pair_count++];
    memset(pair, 0, sizeof *pair); /* checkpoints keep its bytes */
    pair->a = a;
    pair->b = b;
    pair->begin_time = pair->end_time = NAN;
    *slot = (int16_t)tally->pair_count;
    return pair;
}

void fnd_tally_index(fnd_tally *tally)
{
    memset(tally->slots, 0, FND_TALLY_SLOTS * sizeof *tally->slots);
    for (int i = 0; i < tally->pair_count; i++)
        *slot_of(tally, tally->pairs[i].a, tally->pairs[i].b) = (int16_t)(i + 1);
}

static void begin(fnd_pair_tally *pair, const fender_event *event)
{
    pair->open++;
    if (pair->contact_count++ == 0) {
        pair->begin_time = event->time;
        pair->first_a = event->contact.a;
        pair->first_b = event->contact.b;
    }
    pair->several |= pair->first_a.index1 != event->contact.a.index1 || pair->first_b.index1 != event->contact.b.index1;
}

void fnd_tally_note_events(fnd_tally *tally, const fnd_instant *instant)
{
    for (int i = 0; i < instant->event_count; i++) {
        const fender_event *event = &instant->events[i];
        if (event->kind != FENDER_EVENT_BEGIN && event->kind != FENDER_EVENT_END) continue;
        fnd_pair_tally *pair = pair_of(tally, fender_shape_body(instant->world, event->contact.a),
                                       fender_shape_body(instant->world, event->contact.b));
        if (!pair) {
            tally->dropped += event->kind == FENDER_EVENT_BEGIN;
        } else if (event->kind == FENDER_EVENT_BEGIN) {
            begin(pair, event);
            tally->open++;
        } else {
            pair->open--;
            tally->open--;
            pair->end_time = event->time;
            pair->impulse += event->contact.impulse;
            pair->energy_lost += event->contact.damping_loss + event->contact.friction_loss;
        }
    }
}

static void follow_pairs(fnd_tally *tally, const fnd_instant *instant)
{
    enum { CHUNK = 64 };
    fender_contact_force forces[CHUNK];
    for (int i = 0; i < tally->pair_count; i++) tally->pairs[i].force = (fender_vec3){0, 0, 0};
    for (int first = 0, count = CHUNK; count == CHUNK; first += count) {
        count = fender_contact_forces(instant->world, first, forces, CHUNK);
        for (int i = 0; i < count; i++) {
            fnd_pair_tally *pair = find_pair(tally, forces[i].body_a, forces[i].body_b);
            if (!pair) continue;
            const double sign = pair->a.index1 == forces[i].body_a.index1 ? 1 : -1;
            pair->force = fender_vec3_add_scaled(pair->force, sign, forces[i].force);
        }
    }
    for (int i = 0; i < tally->pair_count; i++) {
        const double force = fender_vec3_length(tally->pairs[i].force);
        if (!(force > tally->pairs[i].peak_force)) continue;
        tally->pairs[i].peak_force = force;
        tally->pairs[i].peak_force_time = instant->time;
    }
}

/* ---- links */

static void follow_links(fnd_tally *tally, const fender_world *world)
{
    for (int i = 0; i < tally->link_count; i++) {
        fnd_link_tally *link = &tally->links[i];
        const fender_link_id id = fender_link_at(world, i);
        fender_link_data data;
        if (fender_link_get(world, id, FENDER_CLOCK_COMMITTED, &data) != FENDER_STATUS_OK || !data.active) continue;
        if (data.shortest < link->shortest) link->shortest = data.shortest;
        if (data.longest > link->longest) link->longest = data.longest;
        if (!link->has_stroke && data.stroke_left == 0) continue;
        const double left = data.stroke_left -
                            (link->has_stroke ? data.length - data.shortest : data.longest - data.length);
        if (left < link->stroke_left) link->stroke_left = left;
    }
}

void fnd_tally_follow(fnd_tally *tally, const fnd_instant *instant)
{
    if (tally->open > 0) follow_pairs(tally, instant);
    if (tally->link_count > 0) follow_links(tally, instant->world);
}

/* ---- results */

static void add_lasting(fnd_tally *tally, const fender_world *world, const fender_contact_data *contact)
{
    const fnd_pair_tally *pair = find_pair(tally, fender_shape_body(world, contact->a),
                                           fender_shape_body(world, contact->b));
    if (!pair || pair->open == 0) return;
    fender_body_pair_summary *result = &tally->pair_results[pair - tally->pairs];
    result->impulse += contact->impulse;
    result->energy_lost += contact->damping_loss + contact->friction_loss;
}

static void finish_pairs(fnd_tally *tally, const fender_world *world)
{
    fender_contact_data contact, last;
    memset(&last, 0, sizeof last);
    for (int i = 0; i < tally->pair_count; i++) {
        const fnd_pair_tally *pair = &tally->pairs[i];
        tally->pair_results[i] = (fender_body_pair_summary){.a = fender_body_name(world, pair->a),
                                                            .b = fender_body_name(world, pair->b),
                                                            .contact_count = pair->contact_count,
                                                            .lasting_count = pair->open,
                                                            .begin_time = pair->begin_time,
                                                            .end_time = pair->open > 0 ? NAN : pair->end_time,
                                                            .peak_force = pair->peak_force,
                                                            .peak_force_time = pair->peak_force_time,
                                                            .impulse = pair->impulse,
                                                            .energy_lost = pair->energy_lost,
                                                            .several = pair->several};
    }
    const int count = fender_contact_count(world, FENDER_CLOCK_COMMITTED);
    for (int i = 0; i < count; i++) {
        if (fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, &contact) != FENDER_STATUS_OK) continue;
        if (contact.has_pair_events) { /* one record has what all of them did */
            if (contact.a.index1 == last.a.index1 && contact.b.index1 == last.b.index1) continue;
            last = contact;
            if (fender_contact_between(world, last.a, last.b, &contact) != FENDER_STATUS_OK) continue;
        }
        add_lasting(tally, world, &contact);
    }
}

static void finish_links(fnd_tally *tally, const fender_world *world)
{
    for (int i = 0; i < tally->link_count; i++) {
        const fnd_link_tally *link = &tally->links[i];
        const fender_link_id id = fender_link_at(world, i);
        fender_link_data data = {0};
        fender_link_get(world, id, FENDER_CLOCK_COMMITTED, &data);
        const bool seen = link->longest >= link->shortest;
        tally->link_results[i] = (fender_link_summary){.link = fender_link_name(world, id),
                                                       .peak_force = data.peak_force,
                                                       .peak_force_time = data.peak_force_time,
                                                       .shortest = seen ? link->shortest : NAN,
                                                       .longest = seen ? link->longest : NAN,
                                                       .stroke_left = isfinite(link->stroke_left) ? link->stroke_left
                                                                                                  : NAN,
                                                       .energy_lost = data.damping_loss,
                                                       .crushed = data.crushed,
                                                       .active = data.active,
                                                       .spent = data.spent,
                                                       .broken = data.broken,
                                                       .captured = data.captured};
    }
}

void fnd_tally_finish(fnd_tally *tally, const fender_world *world)
{
    finish_pairs(tally, world);
    finish_links(tally, world);
}
