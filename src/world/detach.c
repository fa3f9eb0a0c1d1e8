/* Detach: one tree becomes two, each with the velocity field that it had. */
#include "base/error.h"
#include "world/world.h"
#include <stdio.h>

static fender_status refuse(fender_error *error, const char *message, const char *found, const char *expected,
                            const char *suggestion)
{
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_TOPOLOGY, "body", message, found, expected, suggestion});
}

/* The link to cut (the body below it), or -1. */
static int find_connection(const fnd_body *bodies, int count, int body, int from)
{
    int best = -1, best_child = -1;
    for (int i = 0; i < count; i++) {
        if (bodies[i].parent < 0) continue;
        int c = bodies[i].connection_child, p = bodies[i].connection_parent;
        bool fits = from >= 0 ? (c == body && p == from) || (c == from && p == body) : c == body || p == body;
        if (!fits) continue;
        bool as_child = c == body;
        bool newer = best < 0 || (as_child && !best_child) ||
                     (as_child == best_child && bodies[i].connection_order > bodies[best].connection_order);
        if (newer) best = i, best_child = as_child;
    }
    return best;
}

static int find_tree_link(const fnd_body *bodies, int body, int from)
{
    if (from < 0) return bodies[body].parent >= 0 ? body : -1;
    int upper = fnd_tree_descends(bodies, body, from) ? from : fnd_tree_descends(bodies, from, body) ? body : -1;
    if (upper < 0) return -1;
    int at = upper == from ? body : from;
    while (bodies[at].parent != upper && bodies[at].parent >= 0) at = bodies[at].parent;
    return bodies[at].parent == upper ? at : -1;
}

static fender_status nothing_to_cut(const fnd_body *bodies, int body, int from, fender_detach_rule rule,
                                    fender_error *error)
{
    char message[300];
    if (from >= 0) {
        snprintf(message, sizeof message, "no %s between '%s' and '%s' to detach at",
                 rule == FENDER_DETACH_TREE ? "link of the mass tree" : "connection", bodies[body].name,
                 bodies[from].name);
        return refuse(error, message, bodies[body].name, "two bodies that were attached to each other",
                      "the parents and connections are listed by `fender check`");
    }
    snprintf(message, sizeof message, "'%s' is a root and cannot be detached", bodies[body].name);
    return refuse(error, message, bodies[body].name, "an attached body", "name the attached body, or both bodies");
}

fender_status fnd_inner_body_detach(fender_world *world, fender_body_id id, fender_body_id from_id,
                                    fender_detach_rule rule, fender_body_id *freed, fender_error *error)
{
    if (!world) return fnd_world_missing(error);
    fnd_world_settle(world);
    fnd_body *bodies = world->model.bodies;
    int count = world->model.body_count, body = (int)id.index1 - 1, from = (int)from_id.index1 - 1;
    if (!fnd_id_live(id.index1, id.generation, count)) return fnd_world_stale(error, "body");
    if (from >= 0 && !fnd_id_live(from_id.index1, from_id.generation, count)) return fnd_world_stale(error, "body");
    int cut = rule == FENDER_DETACH_TREE ? find_tree_link(bodies, body, from)
                                         : find_connection(bodies, count, body, from);
    if (cut < 0) return nothing_to_cut(bodies, body, from, rule, error);
    fnd_tree_change change;
    fender_status status = fnd_tree_change_begin(world, &change, error);
    if (status) return status;

    int parent = bodies[cut].parent, root = fnd_tree_root(bodies, cut);
    bool stateful = bodies[root].motion != FENDER_MOTION_MASS_ONLY;
    fnd_frame head = fnd_frame_of_state(&bodies[root], &bodies[root].state);
    fnd_frame part = fnd_tree_frame(bodies, cut, &head);
    fender_vec3 center_before = bodies[root].center_S;
    fnd_tree_unlink(bodies, cut);
    fnd_composite_update_upward(bodies, parent);
    fnd_root_state_shift(&bodies[root], center_before, head.w);
    if (stateful && fnd_body_dynamic(&bodies[cut])) {
        bodies[cut].state = (fnd_state){part.p, part.q, part.v, {0, 0, 0}};
        fnd_root_state_shift(&bodies[cut], bodies[cut].center_S, part.w); /* no shift: fills L from w */
    }
    if (world->initialized) {
        fender_event event = {0};
        event.kind = FENDER_EVENT_DETACH;
        event.time = world->time;
        event.body_a = fender_body_at(world, cut);
        event.body_b = fender_body_at(world, parent);
        if (!fnd_event_add(&world->env, &world->events, event)) {
            for (int i = 0; i < count; i++) bodies[i] = world->body_backup[i];
            return fnd_fail_memory(error, "an event");
        }
    }
    bool closed = fnd_body_dynamic(&bodies[root]) && fnd_body_dynamic(&bodies[cut]); /* nothing leaves the system */
    status = fnd_tree_change_end(world, &change, closed ? FND_BOOK_ATTACHMENT : FND_BOOK_OUTSIDE, error);
    if (!status && freed) *freed = fender_body_at(world, cut);
    return status;
}
