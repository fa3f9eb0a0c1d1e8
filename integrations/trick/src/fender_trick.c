/*************************************************************
PURPOSE: (A Fender world as one plain structure: fender_trick.h. It calls Fender alone, nothing of Trick.)
*************************************************************/
#include "fender_trick.h"

#include <fender/command.h>
#include <fender/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What Trick neither shows nor saves. */
typedef struct inside {
    fender_scenario *scenario;
    fender_world *world;
    fender_command command[FENDER_TRICK_COMMANDS];
    fender_shape_id shape_a[FENDER_TRICK_WATCHES], shape_b[FENDER_TRICK_WATCHES];
    fender_snapshot *snapshot;
} inside;

static fender_world *world_of(const fender_trick *t) { return t->inside != NULL ? ((inside *)t->inside)->world : NULL; }

static int fail(fender_trick *t, const fender_error *error)
{
    char place[200] = "";
    if (error->line > 0) snprintf(place, sizeof place, "%.120s:%d:%d: ", error->source, error->line, error->column);
    snprintf(t->message, sizeof t->message, "fender: %.150s%.60s: %.100s; found %.40s, expected %.60s; %.60s", place,
             error->path, error->message, error->found, error->expected, error->suggestion);
    return (int)error->status;
}

static int fail_simply(fender_trick *t, fender_status status, const char *message, const char *name)
{
    snprintf(t->message, sizeof t->message, "fender: %s%.80s", message, name);
    return (int)status;
}

static void put_name(char to[FENDER_TRICK_NAME], const char *name)
{
    snprintf(to, FENDER_TRICK_NAME, "%s", name != NULL ? name : "");
}

static void put_shape(char to[FENDER_TRICK_NAME], const fender_world *world, fender_shape_id shape)
{
    const char *name = fender_shape_name(world, shape),
               *body = fender_body_name(world, fender_shape_body(world, shape));
    snprintf(to, FENDER_TRICK_NAME, "%s.%s", body != NULL ? body : "", name != NULL ? name : "");
}

static void put_vector(double to[3], fender_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

int fender_trick_default_data(fender_trick *t)
{
    memset(t, 0, sizeof *t);
    for (int i = 0; i < FENDER_TRICK_BODIES; i++) t->body[i].attitude[0] = 1;
    for (int i = 0; i < FENDER_TRICK_WATCHES; i++) t->watch[i].tolerance = 1e-12;
    for (int i = 0; i < FENDER_TRICK_COMMANDS; i++)
        for (int k = 0; k < FENDER_TRICK_VALUES; k++) t->command[i].value[k] = NAN;
    return 0;
}

/* ---- results */

static int show_bodies(fender_trick *t, const fender_world *world)
{
    t->body_count = fender_body_count(world);
    for (int i = 0; i < t->body_count && i < FENDER_TRICK_BODIES; i++) {
        fender_trick_body *b = &t->body[i];
        fender_body_id id = fender_body_at(world, i);
        fender_body_data d;
        if (fender_body_get(world, id, FENDER_CLOCK_COMMITTED, &d) != FENDER_STATUS_OK) continue;
        put_name(b->name, fender_body_name(world, id));
        put_vector(b->position, d.position);
        b->attitude[0] = d.attitude.w;
        b->attitude[1] = d.attitude.x;
        b->attitude[2] = d.attitude.y;
        b->attitude[3] = d.attitude.z;
        put_vector(b->velocity, d.velocity);
        put_vector(b->angular_velocity, d.angular_velocity);
        put_vector(b->center_position, d.center_position);
        put_vector(b->center_velocity, d.center_velocity);
        b->mass = d.mass;
        put_vector(b->contact_force, d.contact_force);
        put_vector(b->contact_torque, d.contact_torque);
    }
    return 0;
}

static void show_contacts(fender_trick *t, const fender_world *world)
{
    t->contact_count = fender_contact_count(world, FENDER_CLOCK_COMMITTED);
    for (int i = 0; i < FENDER_TRICK_CONTACTS; i++) {
        fender_trick_contact *c = &t->contact[i];
        fender_contact d;
        if (i >= t->contact_count || fender_contact_get(world, FENDER_CLOCK_COMMITTED, i, &d) != FENDER_STATUS_OK) {
            if (c->a[0]) memset(c, 0, sizeof *c);
            continue;
        }
        put_shape(c->a, world, d.a);
        put_shape(c->b, world, d.b);
        c->depth = d.depth;
        c->depth_rate = d.depth_rate;
        c->normal_force = d.normal_force;
        c->friction_force = d.friction_force;
        put_vector(c->force, d.force);
        put_vector(c->point, d.point);
        c->begin_time = d.begin_time;
        c->peak_force = d.peak_force;
    }
}

static void show_events(fender_trick *t, const fender_world *world)
{
    int count = 0;
    const fender_event *events = fender_world_events(world, &count);
    for (int i = 0; i < count; i++) {
        const fender_event *e = &events[i];
        fender_trick_event *to = &t->event[t->event_count++ % FENDER_TRICK_EVENTS];
        memset(to, 0, sizeof *to);
        put_name(to->kind, fender_event_name(e->kind));
        to->time = e->time;
        if (e->subject == FENDER_SUBJECT_CONTACT) {
            put_shape(to->a, world, e->contact.a);
            put_shape(to->b, world, e->contact.b);
            to->speed = e->contact.depth_rate;
        } else if (e->subject == FENDER_SUBJECT_LINK) {
            put_name(to->a, fender_link_name(world, e->link.link));
            put_name(to->b, fender_body_name(world, e->link.body_b));
            to->speed = e->link.speed;
        } else if (e->subject == FENDER_SUBJECT_TREE) {
            put_name(to->a, fender_body_name(world, e->tree.child));
            put_name(to->b, fender_body_name(world, e->tree.parent));
        }
        if (e->kind == FENDER_EVENT_BEGIN) t->begin_count++;
        if (e->kind == FENDER_EVENT_END) t->end_count++;
    }
}

static void show(fender_trick *t, bool with_events)
{
    fender_world *world = world_of(t);
    fender_ledger ledger;
    t->time = fender_world_time(world);
    show_bodies(t, world);
    show_contacts(t, world);
    if (with_events) show_events(t, world);
    fender_world_ledger(world, &ledger);
    t->kinetic_energy = ledger.kinetic;
    t->energy_residual = ledger.residual;
    put_vector(t->momentum, ledger.linear_momentum);
    for (int i = 0; i < FENDER_TRICK_COMMANDS; i++)
        if (t->command[i].count > 0) fender_command_get(world, &((inside *)t->inside)->command[i], t->command[i].given);
    fender_world_get_state(world, t->state);
    t->state[t->state_count - 1] = t->time;
}

/* ---- building */

/* "body.shape" */
static int find_shape(fender_trick *t, const fender_world *world, const char *name, fender_shape_id *shape)
{
    const char *dot = name != NULL ? strrchr(name, '.') : NULL;
    char body[FENDER_TRICK_NAME];
    fender_body_id id;
    if (dot != NULL && (size_t)(dot - name) < sizeof body) {
        memcpy(body, name, (size_t)(dot - name));
        body[dot - name] = '\0';
        if (fender_body_find(world, body, &id) == FENDER_STATUS_OK &&
            fender_shape_find(world, id, dot + 1, shape) == FENDER_STATUS_OK)
            return 0;
    }
    return fail_simply(t, FENDER_STATUS_NAME, "watch: there is no shape ", name != NULL ? name : "without a name");
}

/* What the input file leaves out is what is in force; the rest is 0, as no checkpoint can hold a NaN. */
static void complete_command(fender_trick_command *c)
{
    for (int k = 0; k < FENDER_TRICK_VALUES; k++)
        if (isnan(c->value[k])) c->value[k] = k < c->count ? c->given[k] : 0;
}

/* Loads the scenario and builds the world, without states of the host. */
static int build(fender_trick *t)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_override overrides[FENDER_TRICK_SETTINGS];
    char paths[FENDER_TRICK_SETTINGS][192];
    int count = 0;
    fender_trick_shutdown(t);
    t->message[0] = '\0';
    if (t->scenario == NULL || t->scenario[0] == '\0')
        return fail_simply(t, FENDER_STATUS_ARGUMENT, "scenario: the input file names none", "");
    for (int i = 0; i < FENDER_TRICK_SETTINGS; i++) {
        if (t->set[i] == NULL) continue;
        const char *equals = strchr(t->set[i], '=');
        if (equals == NULL || (size_t)(equals - t->set[i]) >= sizeof paths[0])
            return fail_simply(t, FENDER_STATUS_ARGUMENT, "set: expected PATH=VALUE, found ", t->set[i]);
        memcpy(paths[count], t->set[i], (size_t)(equals - t->set[i]));
        paths[count][equals - t->set[i]] = '\0';
        overrides[count].path = paths[count];
        overrides[count].value = equals + 1;
        count++;
    }
    inside *in = calloc(1, sizeof *in);
    if (in == NULL) return fail_simply(t, FENDER_STATUS_MEMORY, "not enough memory", "");
    t->inside = in;
    in->scenario = fender_scenario_load(&env, NULL, t->scenario, overrides, count, &error);
    if (in->scenario != NULL) in->world = fender_scenario_build(in->scenario, &env, &error);
    if (in->world == NULL) return fail(t, &error);
    t->state_count = fender_world_state_count(in->world) + 1;
    if (t->state_count > FENDER_TRICK_STATES)
        return fail_simply(t, FENDER_STATUS_VALUE, "the scenario has more dynamic bodies than FENDER_TRICK_BODIES", "");
    for (int i = 0; i < FENDER_TRICK_COMMANDS; i++) {
        fender_trick_command *c = &t->command[i];
        c->count = 0;
        if (c->name == NULL) {
            complete_command(c);
            continue;
        }
        if (fender_command_find(in->world, c->name, &in->command[i], &error) != FENDER_STATUS_OK)
            return fail(t, &error);
        c->count = in->command[i].count;
        fender_command_get(in->world, &in->command[i], c->given);
        complete_command(c);
    }
    for (int i = 0; i < FENDER_TRICK_WATCHES; i++) {
        if (t->watch[i].a == NULL) continue;
        int status = find_shape(t, in->world, t->watch[i].a, &in->shape_a[i]);
        if (status == 0) status = find_shape(t, in->world, t->watch[i].b, &in->shape_b[i]);
        if (status != 0) return status;
    }
    return 0;
}

static int arm_watches(fender_trick *t);

int fender_trick_initialize(fender_trick *t)
{
    fender_error error = {0};
    int status = build(t);
    if (status != 0) return status;
    fender_world *world = world_of(t);
    for (int i = 0; i < FENDER_TRICK_BODIES; i++) {
        const fender_trick_body *b = &t->body[i];
        if (!b->use_state) continue;
        fender_body_state state = {
            {b->position[0], b->position[1], b->position[2]},
            {b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]},
            {b->velocity[0], b->velocity[1], b->velocity[2]},
            {b->angular_velocity[0], b->angular_velocity[1], b->angular_velocity[2]},
        };
        if (i >= fender_body_count(world))
            return fail_simply(t, FENDER_STATUS_ARGUMENT, "body: a state is given for a body that is not there", "");
        if (fender_body_set_state(world, fender_body_at(world, i), &state, &error) != FENDER_STATUS_OK)
            return fail(t, &error);
    }
    show(t, true);
    return arm_watches(t);
}

/* ---- steps */

int fender_trick_apply_commands(fender_trick *t)
{
    fender_world *world = world_of(t);
    fender_error error = {0};
    if (world == NULL) return fail_simply(t, FENDER_STATUS_ARGUMENT, "the world is not initialized", "");
    for (int i = 0; i < FENDER_TRICK_COMMANDS; i++) {
        fender_trick_command *c = &t->command[i];
        if (c->count == 0 || memcmp(c->value, c->given, (size_t)c->count * sizeof c->value[0]) == 0) continue;
        if (fender_command_set(world, &((inside *)t->inside)->command[i], c->value, &error) != FENDER_STATUS_OK)
            return fail(t, &error);
        memcpy(c->given, c->value, (size_t)c->count * sizeof c->value[0]);
    }
    return 0;
}

static int set_trial(fender_trick *t)
{
    fender_world *world = world_of(t);
    fender_error error = {0};
    if (world == NULL) return fail_simply(t, FENDER_STATUS_ARGUMENT, "the world is not initialized", "");
    if (fender_world_set_state(world, t->state[t->state_count - 1], t->state, &error) != FENDER_STATUS_OK)
        return fail(t, &error);
    return 0;
}

int fender_trick_derivative(fender_trick *t)
{
    fender_error error = {0};
    int status = set_trial(t);
    if (status != 0) return status;
    if (fender_world_derivative(world_of(t), t->rate, &error) != FENDER_STATUS_OK) return fail(t, &error);
    t->rate[t->state_count - 1] = 1;
    return 0;
}

static int place(fender_trick *t, fender_shape_id shape, fender_shape_def *def, fender_pose *X_WG)
{
    fender_world *world = world_of(t);
    fender_body_data data;
    if (fender_shape_get_def(world, shape, def) != FENDER_STATUS_OK ||
        fender_body_get(world, fender_shape_body(world, shape), FENDER_CLOCK_EVALUATED, &data) != FENDER_STATUS_OK)
        return fail_simply(t, FENDER_STATUS_STALE_ID, "watch: the shape is gone", "");
    fender_pose X_WS = {data.position, data.attitude};
    *X_WG = fender_pose_product(X_WS, def->X_SG);
    return 0;
}

static int measure(fender_trick *t, int watch, double *gap)
{
    inside *in = t->inside;
    fender_shape_def a, b;
    fender_pose X_WA, X_WB;
    fender_separation separation;
    int status = place(t, in->shape_a[watch], &a, &X_WA);
    if (status == 0) status = place(t, in->shape_b[watch], &b, &X_WB);
    if (status != 0) return status;
    if (fender_geometry_separation(a.geometry, &X_WA, b.geometry, &X_WB, &separation) != FENDER_STATUS_OK)
        return fail_simply(t, FENDER_STATUS_NO_PAIR_FUNCTION, "watch: no distance is known of ", t->watch[watch].a);
    *gap = separation.distance;
    return 0;
}

/* Gaps of all watched pairs at `state`. */
static int measure_all(fender_trick *t)
{
    fender_error error = {0};
    int status = set_trial(t);
    if (status != 0) return status;
    if (fender_world_evaluate(world_of(t), &error) != FENDER_STATUS_OK) return fail(t, &error);
    for (int i = 0; i < FENDER_TRICK_WATCHES && status == 0; i++)
        if (t->watch[i].a != NULL) status = measure(t, i, &t->watch[i].gap);
    return status;
}

int fender_trick_reset_state(fender_trick *t)
{
    fender_world *world = world_of(t);
    if (world == NULL) return fail_simply(t, FENDER_STATUS_ARGUMENT, "the world is not initialized", "");
    fender_world_get_state(world, t->state);
    t->state[t->state_count - 1] = fender_world_time(world);
    return 0;
}

static bool has_crossed(const fender_trick_watch *w) { return w->a != NULL && (w->side > 0 ? w->gap < 0 : w->gap > 0); }

/* The accepted state is known to be on one side of each watched pair's event. */
static int arm_watches(fender_trick *t)
{
    int status = measure_all(t);
    for (int i = 0; i < FENDER_TRICK_WATCHES && status == 0; i++) {
        fender_trick_watch *w = &t->watch[i];
        if (w->a == NULL) continue;
        if (w->side == 0) w->side = w->gap > 0 ? 1 : -1;
        w->x_lower = w->gap;
    }
    return status;
}

static bool is_near(const fender_trick_watch *w)
{
    return w->a != NULL && !has_crossed(w) && fabs(w->gap) <= w->tolerance;
}

/* Moves `state` past the event by so short a time that it makes no difference: the last stage of the step that ends
 * was still on this side of the event, and the first stage of the next step has to be on the other side. */
static int pass_event(fender_trick *t, int watch, double longest)
{
    fender_trick_watch *w = &t->watch[watch];
    const double now = t->state[t->state_count - 1], slope = fabs(t->slope);
    double before[FENDER_TRICK_STATES];
    int status = fender_trick_derivative(t);
    memcpy(before, t->state, sizeof before);
    double span = slope > 0 ? w->tolerance / slope : longest;
    for (; status == 0 && span <= longest; span *= 2) {
        for (int i = 0; i < t->state_count; i++) t->state[i] = before[i] + span * t->rate[i];
        if (t->state[t->state_count - 1] == now) continue;
        status = measure_all(t);
        if (has_crossed(w)) return status;
    }
    memcpy(t->state, before, sizeof before); /* the pair only grazes */
    return status;
}

/* Regula falsi, halved where it is slow, for the first event of all watched pairs: none has crossed at t_lower, one or
 * more at t_upper. It ends within the tolerance before the event. */
int fender_trick_time_to_go(fender_trick *t, double *time_to_go)
{
    const double now = t->state[t->state_count - 1];
    bool watched = false, crossed = false;
    int nearest = -1, first = -1;
    *time_to_go = FENDER_TRICK_NO_EVENT;
    for (int i = 0; i < FENDER_TRICK_WATCHES; i++) watched = watched || t->watch[i].a != NULL;
    if (!watched) return 0;
    int status = measure_all(t);
    if (status != 0) return status;
    for (int i = 0; i < FENDER_TRICK_WATCHES; i++) {
        crossed = crossed || has_crossed(&t->watch[i]);
        if (is_near(&t->watch[i])) nearest = i;
    }
    if (t->searching == 0 && !crossed) return 0;
    if (t->searching == 0) t->t_lower = fender_world_time(world_of(t));
    if (crossed) t->t_upper = now;
    else t->t_lower = now;
    for (int i = 0; i < FENDER_TRICK_WATCHES; i++)
        *(crossed ? &t->watch[i].x_upper : &t->watch[i].x_lower) = t->watch[i].gap;
    const double width = t->t_upper - t->t_lower, least = 1e-15 * (1 + fabs(now));
    double root = t->t_upper;
    for (int i = 0; i < FENDER_TRICK_WATCHES; i++) {
        const fender_trick_watch *w = &t->watch[i];
        if (w->a == NULL || (w->side > 0 ? w->x_upper >= 0 : w->x_upper <= 0)) continue;
        const double aim = 0.5 * w->side * w->tolerance, slope = w->x_upper - w->x_lower;
        const double part = slope != 0 ? (aim - w->x_lower) / slope : 0.5;
        const double guess = t->t_lower + width * (part > 0 && part < 1 ? part : 0.5);
        if (first >= 0 && guess >= root) continue;
        first = i;
        root = guess;
        if (t->searching == 0) t->slope = width > 0 ? slope / width : 0;
    }
    if ((!crossed && nearest >= 0) || width <= least) {
        if (nearest < 0 || crossed) nearest = first;
        *time_to_go = 0;
        t->searching = 0;
        if (!crossed) status = pass_event(t, nearest, 1e-6 * (t->longest - now > 0 ? t->longest - now : 0));
        for (int i = 0; i < FENDER_TRICK_WATCHES && status == 0; i++) {
            fender_trick_watch *w = &t->watch[i];
            if (!has_crossed(w) && i != nearest) continue;
            w->side = -w->side;
            w->fires++;
            w->last_time = now;
        }
        return status != 0 ? status : fender_trick_commit(t, t->state[t->state_count - 1]);
    }
    if (t->searching == 0) t->longest = now; /* the end of the step */
    if (t->searching++ % 3 == 2) root = t->t_lower + 0.5 * width;
    /* Trick takes 0 for the event: a search that cannot go on ends there at the next call. */
    *time_to_go = root != now ? root - now : -least;
    return 0;
}

int fender_trick_commit(fender_trick *t, double time)
{
    fender_error error = {0};
    fender_world *world = world_of(t);
    if (world == NULL) return fail_simply(t, FENDER_STATUS_ARGUMENT, "the world is not initialized", "");
    t->state[t->state_count - 1] = time;
    int status = set_trial(t);
    if (status != 0) return status;
    if (fender_world_commit(world, &error) != FENDER_STATUS_OK) return fail(t, &error);
    show(t, true);
    return arm_watches(t);
}

int fender_trick_advance_to(fender_trick *t, double time)
{
    fender_error error = {0};
    int status = fender_trick_apply_commands(t);
    if (status != 0) return status;
    fender_world *world = world_of(t);
    const double end = time - 1e-9 * fender_world_get_def(world)->step; /* clocks of hosts are rounded */
    bool whole = !fender_integrator_adaptive(fender_world_get_def(world)->method);
    while (whole && fender_world_time(world) < end) {
        /* Steps of full length where they fit: with fixed-step methods those of `fender run`, to the bit. */
        fender_proposal proposal;
        if (fender_world_propose(world, INFINITY, &proposal, &error) != FENDER_STATUS_OK) return fail(t, &error);
        whole = proposal.end_time <= time + (time - end);
        if (!whole) fender_world_discard_proposal(world);
        else if (fender_world_accept(world, &error) != FENDER_STATUS_OK) return fail(t, &error);
        if (whole) show_events(t, world);
    }
    if (fender_world_time(world) < end) {
        if (fender_world_advance_to(world, time, &error) != FENDER_STATUS_OK) return fail(t, &error);
        show_events(t, world);
    }
    show(t, false);
    return 0;
}

/* ---- checkpoints */

int fender_trick_snapshot_take(fender_trick *t, int *size)
{
    inside *in = t->inside;
    fender_error error = {0};
    size_t bytes = 0;
    *size = 0;
    if (world_of(t) == NULL) return fail_simply(t, FENDER_STATUS_ARGUMENT, "the world is not initialized", "");
    fender_snapshot_destroy(in->snapshot);
    in->snapshot = fender_snapshot_take(in->world, &error);
    if (in->snapshot == NULL) return fail(t, &error);
    fender_snapshot_bytes(in->snapshot, &bytes);
    if (bytes > 2000000000) return fail_simply(t, FENDER_STATUS_VALUE, "the snapshot is larger than 2 GB", "");
    *size = (int)bytes;
    return 0;
}

int fender_trick_snapshot_read(fender_trick *t, unsigned char *bytes, int size)
{
    inside *in = t->inside;
    size_t have = 0;
    const void *from = in != NULL && in->snapshot != NULL ? fender_snapshot_bytes(in->snapshot, &have) : NULL;
    if (from == NULL || size < 0 || (size_t)size != have)
        return fail_simply(t, FENDER_STATUS_ARGUMENT, "the snapshot has another size", "");
    memcpy(bytes, from, have);
    fender_snapshot_destroy(in->snapshot);
    in->snapshot = NULL;
    return 0;
}

int fender_trick_snapshot_restore(fender_trick *t)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    int status = build(t);
    if (status != 0) return status;
    if (t->snapshot == NULL || t->snapshot_size <= 0)
        return fail_simply(t, FENDER_STATUS_FILE, "the checkpoint has no snapshot of the world", "");
    fender_snapshot *snapshot = fender_snapshot_from_bytes(&env, t->snapshot, (size_t)t->snapshot_size, &error);
    if (snapshot == NULL) return fail(t, &error);
    fender_status restored = fender_snapshot_restore(world_of(t), snapshot, &error);
    fender_snapshot_destroy(snapshot);
    if (restored != FENDER_STATUS_OK) return fail(t, &error);
    show(t, false);
    return 0;
}

unsigned long long fender_trick_hash(const fender_trick *t)
{
    return world_of(t) != NULL ? (unsigned long long)fender_world_hash(world_of(t)) : 0;
}

void fender_trick_shutdown(fender_trick *t)
{
    inside *in = t->inside;
    if (in == NULL) return;
    fender_snapshot_destroy(in->snapshot);
    fender_world_destroy(in->world);
    fender_scenario_destroy(in->scenario);
    free(in);
    t->inside = NULL;
}
