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
    episode->peak_pull = event->contact.peak_pull;
    episode->peak_pull_time = event->contact.peak_pull_time;
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
        episode->peak_pull = contact.peak_pull;
        episode->peak_pull_time = contact.peak_pull_time;
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
    size_t row_size = FND_TABLE_TEXT_SIZE(sizeof table->items->contact) + (4 * COLUMNS + 2) * FND_TABLE_NUMBER_SIZE;
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
    fnd_table_head(&to, "peak_pull", "N"); /* of accepted states: without an estimate */
    fnd_table_head(&to, "peak_pull_time", "s");
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
        fnd_table_number(&to, episode->peak_pull);
        fnd_table_number(&to, episode->peak_pull_time);
        status = fnd_table_end_row(&to, error);
    }
    fender_status closed = fnd_table_close(&to, error);
    return status == FENDER_STATUS_OK ? closed : status;
}

/* ---- Approaches ---- */

static int body_slot(fnd_approach_table *table, fender_body_id id)
{
    for (int slot = 0; slot < table->body_count; slot++)
        if (table->bodies[slot].index1 == id.index1) return slot;
    table->bodies[table->body_count] = id;
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

/* What is filled, from which world. */
typedef struct filling {
    fnd_approach_table *table;
    const fender_world *world;
} filling;

static bool add_pair(void *ctx, fender_shape_id a, fender_shape_id b, fender_contact_type_id use)
{
    const filling *f = ctx;
    fnd_approach_table *table = f->table;
    (void)use;
    table->pair_count++;
    if (table->count == FND_APPROACH_CAPACITY) return true;
    fnd_approach item = {.a = shape_slot(table, f->world, a),
                         .b = shape_slot(table, f->world, b),
                         .distance = INFINITY,
                         .least = INFINITY,
                         .time = fender_world_time(f->world)};
    if (item.a >= 0 && item.b >= 0) table->items[table->count++] = item;
    return true;
}

bool fnd_approach_table_create(fnd_approach_table *table, const fender_world *world, fnd_arena *arena)
{
    const size_t sides = 2 * (size_t)FND_APPROACH_CAPACITY;
    memset(table, 0, sizeof *table);
    table->items = FND_ARENA_NEW_ARRAY(arena, fnd_approach, FND_APPROACH_CAPACITY);
    table->results = FND_ARENA_NEW_ARRAY(arena, fender_closest_approach, FND_APPROACH_CAPACITY);
    table->shapes = FND_ARENA_NEW_ARRAY(arena, fnd_approach_shape, sides);
    table->bodies = FND_ARENA_NEW_ARRAY(arena, fender_body_id, sides);
    table->last_time = fender_world_time(world);
    if (!table->items || !table->results || !table->shapes || !table->bodies) return false;
    filling f = {table, world};
    if (fender_world_visit_pairs(world, add_pair, &f, NULL) != FENDER_STATUS_OK) return false;
    const size_t states = (size_t)(FND_APPROACH_STATES + 1) * (size_t)table->body_count;
    table->states = FND_ARENA_NEW_ARRAY(arena, fnd_approach_body, states > 0 ? states : 1);
    table->turns = FND_ARENA_NEW_ARRAY(arena, double, states > 0 ? states : 1);
    return table->states != NULL && table->turns != NULL;
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

/* How far two bodies have moved up to each state, relative to each other: for any of its pairs of shapes. Bodies that
 * move together, being attached to each other or at rest on one another, move much in the world and not at all in each
 * other's frame. */
typedef struct body_pair {
    int a, b;                        /* slots; -1: none yet */
    bool seen_each;                  /* the ways in each other's frames are known, too */
    double way[FND_APPROACH_STATES]; /* m; of their origins, in the world's axes */
    double way_in_a[FND_APPROACH_STATES], way_in_b[FND_APPROACH_STATES]; /* m; of the other's origin, in their axes */
    double turn[FND_APPROACH_STATES]; /* by how much a point moves, per metre of its lever */
} body_pair;

/* Two shapes of a pair. */
typedef struct approach_pair {
    const fnd_approach_table *table;
    fnd_approach *item;
    const fnd_approach_shape *a, *b;
    double lever_a, lever_b; /* m; INFINITY: it has no end */
    body_pair *bodies;
} approach_pair;

static const fnd_approach_body *body_at(const approach_pair *p, const fnd_approach_shape *shape, int state)
{
    return &p->table->states[state * p->table->body_count + shape->body];
}

/* No two points of both come nearer to each other than this in a second, at their present velocities. */
static double closing_speed(const approach_pair *p, int state)
{
    const fnd_approach_body *body_a = body_at(p, p->a, state), *body_b = body_at(p, p->b, state);
    double speed = fender_vec3_length(fender_vec3_sub(body_a->velocity, body_b->velocity));
    if (body_a->rate > 0) speed += body_a->rate * p->a->lever;
    if (body_b->rate > 0) speed += body_b->rate * p->b->lever;
    return speed;
}

/* A point at a distance of one from the origin moves by no more between two attitudes. */
static double turned(fender_quaternion q, fender_quaternion r)
{
    const double w = q.w - r.w, x = q.x - r.x, y = q.y - r.y, z = q.z - r.z, square = w * w + x * x + y * y + z * z;
    return square > 0 ? 2 * sqrt(square) : 0;
}

static void find_turns(fnd_approach_table *table)
{
    for (int i = 0; i < table->body_count; i++) {
        table->turns[i] = 0;
        for (int k = 1; k < table->state_count; k++) {
            const int at = k * table->body_count + i, before = at - table->body_count;
            table->turns[at] = table->turns[before] + turned(table->states[before].pose.q, table->states[at].pose.q);
        }
    }
}

static void find_ways(const fnd_approach_table *table, body_pair *bodies, int a, int b)
{
    bodies->a = a;
    bodies->b = b;
    bodies->seen_each = false;
    bodies->way[0] = 0;
    fender_vec3 before = fender_vec3_sub(table->states[b].pose.p, table->states[a].pose.p);
    for (int k = 1; k < table->state_count; k++) {
        const fnd_approach_body *at = &table->states[k * table->body_count];
        const fender_vec3 after = fender_vec3_sub(at[b].pose.p, at[a].pose.p);
        bodies->way[k] = bodies->way[k - 1] + fender_vec3_length(fender_vec3_sub(after, before));
        before = after;
    }
}

static void find_ways_in_each(const fnd_approach_table *table, body_pair *bodies)
{
    fender_vec3 in_a = {0}, in_b = {0};
    fender_quaternion q = {0};
    bodies->seen_each = true;
    bodies->way_in_a[0] = bodies->way_in_b[0] = bodies->turn[0] = 0;
    for (int k = 0; k < table->state_count; k++) {
        const fnd_approach_body *at = &table->states[k * table->body_count];
        const fender_quaternion back_a = fender_quaternion_conjugate(at[bodies->a].pose.q);
        const fender_quaternion back_b = fender_quaternion_conjugate(at[bodies->b].pose.q);
        const fender_vec3 between = fender_vec3_sub(at[bodies->b].pose.p, at[bodies->a].pose.p);
        const fender_vec3 new_a = fender_quaternion_rotate(back_a, between);
        const fender_vec3 new_b = fender_quaternion_rotate(back_b, between);
        const fender_quaternion r = fender_quaternion_product(back_a, at[bodies->b].pose.q);
        if (k > 0) {
            bodies->way_in_a[k] = bodies->way_in_a[k - 1] + fender_vec3_length(fender_vec3_sub(new_a, in_a));
            bodies->way_in_b[k] = bodies->way_in_b[k - 1] + fender_vec3_length(fender_vec3_sub(new_b, in_b));
            bodies->turn[k] = bodies->turn[k - 1] + turned(q, r);
        }
        in_a = new_a;
        in_b = new_b;
        q = r;
    }
}

/* m; without 0 times infinity */
static double swept(double turn, double lever) { return turn > 0 ? turn * lever : 0; }

/* m; points of both shapes have moved by no more between two states, relative to each other: at a state between them
 * the distance is at least the mean of both less half of this. */
static double way_in_world(const approach_pair *p, int low, int high)
{
    const double *at_low = &p->table->turns[low * p->table->body_count];
    const double *at_high = &p->table->turns[high * p->table->body_count];
    return p->bodies->way[high] - p->bodies->way[low] + swept(at_high[p->a->body] - at_low[p->a->body], p->lever_a) +
           swept(at_high[p->b->body] - at_low[p->b->body], p->lever_b);
}

static double way_in_each(const approach_pair *p, int low, int high)
{
    body_pair *bodies = p->bodies;
    if (!bodies->seen_each) find_ways_in_each(p->table, bodies);
    const double turn = bodies->turn[high] - bodies->turn[low];
    const double in_a = bodies->way_in_a[high] - bodies->way_in_a[low] + swept(turn, p->lever_b);
    const double in_b = bodies->way_in_b[high] - bodies->way_in_b[low] + swept(turn, p->lever_a);
    return in_a < in_b ? in_a : in_b;
}

/* m; to a multiple of 2^-33 (0.1 nm): distances that differ by less are the same, and the first of them counts.
 * Otherwise rounding would pick the time out of all during which two bodies rest on or hold each other, and each of
 * these states had to be looked at. It keeps the order of distances, so that neither the order in which states are
 * looked at nor their division into lots matters. */
static double rounded(double distance)
{
    const double whole = 1.5 * 0x1p19; /* its last bit is 2^-33 */
    return (distance + whole) - whole;
}

/* The distance at a state, or what it is at least; a new least one is noted. */
static double look_at_state(approach_pair *p, int state)
{
    fnd_approach *item = p->item;
    const fender_pose X_WA = fender_pose_product(body_at(p, p->a, state)->pose, p->a->X_SG);
    const fender_pose X_WB = fender_pose_product(body_at(p, p->b, state)->pose, p->b->X_SG);
    /* The spheres around both may show that the pair is farther apart than it was. */
    const double apart = fender_vec3_length(fender_vec3_sub(X_WB.p, X_WA.p)) - p->a->radius - p->b->radius;
    const double known = rounded(item->distance);
    if (rounded(apart) > known) return apart;
    fender_separation separation;
    if (fender_geometry_separation(p->a->geometry, &X_WA, p->b->geometry, &X_WB, &separation) != FENDER_STATUS_OK)
        return -INFINITY;
    const double distance = separation.distance, here = rounded(distance), time = p->table->times[state];
    if (!(here < known) && !(here == known && time < item->time)) return distance;
    item->distance = distance;
    item->time = time;
    const double gap = distance - 0.5 * p->table->since[state] * closing_speed(p, state);
    item->least = gap > 0 ? gap : distance > 0 ? 0 : distance;
    return distance;
}

/* True if no state between two, with at least this distance, can be the one to be noted. */
static bool decided(const approach_pair *p, int low, double least)
{
    const double here = rounded(least), known = rounded(p->item->distance);
    return here > known || (here == known && p->table->times[low] >= p->item->time);
}

/* The states between two, whose distances are known. */
static void look_between(approach_pair *p, int low, int high, double at_low, double at_high)
{
    if (high - low < 2) return;
    const double rounding = 1e-12 * (1 + fabs(at_low) + fabs(at_high)), mean = 0.5 * (at_low + at_high) - rounding;
    if (decided(p, low, mean - 0.5 * way_in_world(p, low, high))) return;
    /* what is added is the rounding of a place in the frame of the other body */
    const double far = 1e-13 * (fabs(at_low) + p->a->lever + p->b->lever);
    if (decided(p, low, mean) && decided(p, low, mean - far - 0.5 * way_in_each(p, low, high))) return;
    const int middle = low + (high - low) / 2;
    const double at_middle = look_at_state(p, middle);
    look_between(p, middle, high, at_middle, at_high); /* what comes nearer is nearest at its end */
    look_between(p, low, middle, at_low, at_middle);
}

void fnd_approach_table_settle(fnd_approach_table *table)
{
    assert(table->count <= FND_APPROACH_CAPACITY);
    const int last = table->state_count - 1;
    body_pair bodies;
    bodies.a = bodies.b = -1;
    if (last >= 0) find_turns(table);
    for (int i = 0; i < table->count && last >= 0; i++) {
        approach_pair p = {.table = table, .item = &table->items[i], .bodies = &bodies};
        if (p.item->touched) continue;
        p.a = &table->shapes[p.item->a];
        p.b = &table->shapes[p.item->b];
        p.lever_a = p.a->radius < INFINITY ? p.a->lever : INFINITY;
        p.lever_b = p.b->radius < INFINITY ? p.b->lever : INFINITY;
        if (bodies.a != p.a->body || bodies.b != p.b->body) find_ways(table, &bodies, p.a->body, p.b->body);
        const double at_first = look_at_state(&p, 0), at_last = last > 0 ? look_at_state(&p, last) : at_first;
        look_between(&p, 0, last, at_first, at_last);
    }
    for (int i = 0; i < table->body_count && last >= 0; i++) /* for those that are destroyed */
        table->states[FND_APPROACH_STATES * table->body_count + i] = table->states[last * table->body_count + i];
    table->state_count = 0;
}

void fnd_approach_table_follow(fnd_approach_table *table, const fnd_instant *instant)
{
    const int state = table->state_count++;
    table->times[state] = instant->time;
    table->since[state] = instant->time - table->last_time;
    table->last_time = instant->time;
    for (int i = 0; i < table->body_count; i++) {
        fnd_approach_body *at = &table->states[state * table->body_count + i];
        fender_body_state body;
        if (fender_body_get_state(instant->world, table->bodies[i], FENDER_CLOCK_COMMITTED, &body) !=
            FENDER_STATUS_OK) {
            *at = table->states[(state > 0 ? state - 1 : FND_APPROACH_STATES) * table->body_count + i];
            continue;
        }
        *at = (fnd_approach_body){
            {body.position, body.attitude}, body.velocity, fender_vec3_length(body.angular_velocity)};
    }
    if (table->state_count == FND_APPROACH_STATES) fnd_approach_table_settle(table);
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
    fnd_approach_table_settle(table);
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
