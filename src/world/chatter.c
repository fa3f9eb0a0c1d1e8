/* Modes that change again and again within one step.
 *
 * Where a law's modes point at each other (each leads to the root that ends it) events follow each other at the grain
 * of time, and the motion does not go on. A contact that has changed its modes TURN_LIMIT times within a step keeps
 * those that it has: its roots are not watched until the step ends, where its laws choose anew. Modes that are held are
 * smooth continuations; what they say is first order in the step, as without located events. One whose modes still turn
 * in the next step has TURNS_LEFT changes there before it is held again. What no contact answers for (touches, links)
 * is passed after EVENT_LIMIT events in a row: one step goes on through them, of an adaptive method no longer than they
 * took. The step is that of the grid, or of an adaptive method one that no event has cut short. */
#include "world/world.h"
#include <assert.h>

enum { TURN_LIMIT = 16, TURNS_LEFT = 4, EVENT_LIMIT = 10000, EVENTS_LEFT = 100 };

static void count_turn(fender_world *world, const fnd_key *key, const fnd_key *last)
{
    fnd_record_list *records = &world->dynamics.contacts.records;
    if (last && fnd_key_compare(key, last) == 0) return; /* two roots of one contact */
    const int place = fnd_record_list_position(records, key);
    if (place < 0) return;
    fnd_record *record = &records->items[place];
    if (++record->mode_changes < TURN_LIMIT || record->frozen) return;
    record->frozen = true;
    world->holds.count++;
    world->holds.shape_a = key->a;
    world->holds.shape_b = key->b;
}

static void end_step(fender_world *world)
{
    fnd_record_list *records = &world->dynamics.contacts.records;
    for (int i = 0; i < records->count; i++) {
        fnd_record *record = &records->items[records->order[i]];
        record->mode_changes = record->frozen ? TURN_LIMIT - TURNS_LEFT : 0;
        record->frozen = false;
    }
}

void fnd_world_hold(fender_world *world)
{
    const fender_proposal *step = &world->trial.proposal;
    assert(fnd_world_locates(world));
    if (world->idle_events == 0) world->idle_since = step->start_time;
    if (step->at_event) {
        const fnd_crossing_list *fired = &world->crossings[FND_CROSSINGS_FIRED];
        world->idle_events++;
        for (int i = 0; i < fired->count; i++)
            count_turn(world, &fired->items[i].key, i > 0 ? &fired->items[i - 1].key : NULL);
    } else if (world->idle_events < EVENT_LIMIT) {
        world->idle_events = 0;
    } else {
        world->idle_events = EVENT_LIMIT - EVENTS_LEFT;
        world->holds.count++;
        world->holds.shape_a = world->holds.shape_b = UINT32_MAX;
    }
    if (world->method->error_count > 0 ? !step->at_event : step->ends_step) end_step(world);
}

bool fnd_world_passes_events(const fender_world *world, double *longest)
{
    if (world->idle_events < EVENT_LIMIT) return false;
    if (world->method->error_count == 0) return true; /* to the end of the grid's step */
    double so_far = world->time - world->idle_since;
    if (so_far > world->def.step) so_far = world->def.step;
    if (so_far > 0 && so_far < *longest) *longest = so_far;
    return true;
}
