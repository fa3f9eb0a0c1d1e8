/* Deviations that follow a run, and the linear equations about a state. */
#include <fender/tangent.h>

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/tangent.h"
#include "world/entry.h"
#include "world/world.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

/* A step that ends at a located event ends later in a deviating motion. With x the deviations at the end of a step of
 * the same length, e the derivative with respect to its length (one more column), and g the separation whose zero ends
 * it, the event is later by s = -(g x) / (g e), and the deviation at the event is x + e s. From there on the steps of
 * the deviating motion are as long as those of the run, and end later by s: what follows is autonomous. At the end of
 * the run the deviation at its time is x - f s, f the rates there. Forces of both sides of an event thus enter as in
 * the jump (saltation) matrix 1 + (f+ - f-) g / (g f-), which is the same for exact steps.
 *
 * With the derivative of the steps that the deviating run would take, shorter after an event to end on the grid, the
 * error of a step would be differentiated by its length: 1e-3 with Hertz's law at steps of 1/100 of the contact. */

enum { PER_BODY = FENDER_DEVIATION_PER_BODY };

static const char remedy[] = "use differences of runs (Python: fender.jacobian)";

int fender_world_deviation_count(const fender_world *world)
{
    int count = 0;
    for (int i = 0; world && i < world->model.body_count; i++) count += fnd_body_integrated(&world->model.bodies[i]);
    return count * PER_BODY;
}

/* ---- What has no derivative */

static fender_status refuse(fender_error *error, const char *path, const char *message, const char *expected)
{
    return fnd_fail(error, FENDER_STATUS_STATE, path, message, "", expected, remedy);
}

static void name_contact(const fender_world *world, const fnd_key *key, char *name, size_t size)
{
    const fnd_contact_model *model = &world->model;
    const fnd_shape *a = &model->shapes[key->a], *b = &model->shapes[key->b];
    snprintf(name, size, "%s.%s:%s.%s", model->bodies[a->body].name, a->name, model->bodies[b->body].name, b->name);
}

/* Why the rates have no derivatives. */
static fender_status refuse_rates(const fender_world *world, const fnd_dynamics_tangent *t, fender_error *error)
{
    char name[200], message[320];
    if (!t->reason) return fnd_fail_memory(error, "derivatives");
    if (!t->at_contact) {
        snprintf(message, sizeof message, "the %s '%s' has no derivatives: %s", t->kind, t->name, t->reason);
        return refuse(error, t->name, message, "constant loads, drag, springs, links that act in both directions");
    }
    name_contact(world, &t->key, name, sizeof name);
    snprintf(message, sizeof message, "the contact '%s' has no derivatives: %s", name, t->reason);
    return refuse(error, name, message, "smooth contacts of balls, by laws with derivatives");
}

static bool is_moved(const fnd_body *body)
{
    if (!body->name || body->motion != FENDER_MOTION_PRESCRIBED) return false;
    const fnd_state *s = &body->state;
    return body->path_count > 0 || body->motion_command.kind != FND_MOTION_PATH || fender_vec3_length(s->v) > 0 ||
           fender_vec3_length(s->L) > 0;
}

/* What can be told before a step. */
static fender_status check_world(fender_world *world, bool steps, fender_error *error)
{
    const fnd_dynamics *d = &world->dynamics;
    const fnd_frame_field *field = &d->field;
    char message[200];
    if (steps && !fnd_method_has_tangent(world->method)) {
        snprintf(message, sizeof message, "steps of %s have no derivatives", world->method->name);
        return refuse(error, "integrator.method", message, "rk4, dopri5 or dop853");
    }
    if (field->framed || field->gradient || field->j2_oblate != 0)
        return refuse(error, "world.gravity", "the field of gravity has no derivatives",
                      "uniform gravity, or that of a point mass, in an inertial frame");
    for (int i = 0; i < world->model.body_count; i++) {
        const fnd_body *body = &world->model.bodies[i];
        if (body->name && body->moving) {
            snprintf(message, sizeof message, "parts of the tree of '%s' move", body->name);
            return refuse(error, body->name, message, "rigid trees");
        }
        if (!is_moved(body)) continue;
        snprintf(message, sizeof message, "the body '%s' has a prescribed motion", body->name);
        return refuse(error, body->name, message, "dynamic and fixed bodies");
    }
    if (world->flows || fnd_loads_burn(d, world->time))
        return refuse(error, "", "masses change during the steps", "constant masses");
    return FENDER_STATUS_OK;
}

/* ---- Deviations of the caller and of the equations */

/* Place of number i of a caller's deviation in one of ours: positions, velocities, angular momenta, rotations. */
static size_t place_of(size_t i, size_t bodies)
{
    static const size_t blocks[4] = {0, 3, 1, 2};
    const size_t body = i / PER_BODY, part = i % PER_BODY;
    return 3 * (blocks[part / 3] * bodies + body) + part % 3;
}

/* ---- Events */

/* Deviations along a run. The last column is that of longer steps. */
typedef struct following {
    fender_world *world;
    fnd_dynamics_tangent tangent;
    int columns; /* of the caller */
    size_t bodies, width;
    double *x;                    /* columns one after the other */
    double *late;                 /* s; by column: how much later the present state is */
    double *longer;               /* by column: the derivative of the length of the step, 0 but for the last */
    double *gap, *delay;          /* s; of an event, and of the first one of the step: later by so much */
    double start;                 /* s */
    fnd_approaches approaches[2]; /* now, and those after a step while they are made */
    void *block;
    size_t block_size;
} following;

static bool create(following *f, fender_world *world, int columns)
{
    const size_t bodies = (size_t)world->dynamics.dynamic_count, all = (size_t)columns + 1;
    memset(f, 0, sizeof *f);
    f->world = world;
    f->start = world->time;
    f->columns = columns;
    f->bodies = bodies;
    f->width = PER_BODY * bodies;
    f->block_size = all * (f->width + 4) * sizeof(double);
    double *at = f->block = fnd_allocate(&world->env, f->block_size);
    if (!at) return false;
    f->x = at, at += all * f->width;
    f->late = at, at += all;
    f->longer = at, at += all;
    f->gap = at, at += all;
    f->delay = at;
    f->longer[columns] = 1;
    return fnd_dynamics_tangent_create(&f->tangent, &world->dynamics, columns + 1, world->method->stage_count);
}

/* Of a row of speeds of approach; that of longer steps, the last column, is 0. */
static size_t row_size(const following *f) { return ((size_t)f->columns + 1) * sizeof(double); }

static void release_approaches(following *f, fnd_approaches *a)
{
    const fender_env *env = &f->world->env;
    for (int i = 0; i < a->count; i++) fnd_release(env, a->rows[i], row_size(f));
    fnd_release(env, a->rows, (size_t)a->capacity * sizeof *a->rows);
    fnd_release(env, a->keys, (size_t)a->capacity * sizeof *a->keys);
    *a = (fnd_approaches){0};
}

static void destroy(following *f)
{
    for (int i = 0; i < 2; i++) release_approaches(f, &f->approaches[i]);
    fnd_dynamics_tangent_destroy(&f->tangent);
    fnd_release(&f->world->env, f->block, f->block_size);
}

/* ---- Speeds of approach */

static bool reserve_approaches(const fender_env *env, fnd_approaches *a, int count)
{
    void *keys = a->keys, *rows = a->rows;
    int capacity = a->capacity;
    if (!fnd_reserve(env, &keys, &capacity, capacity, count, sizeof *a->keys)) return false;
    a->keys = keys;
    if (!fnd_reserve(env, &rows, &a->capacity, a->capacity, count, sizeof *a->rows)) return false;
    a->rows = rows;
    return true;
}

/* The change of the rate of depth of a contact that has just begun, by column. */
static const char *approach_of(following *f, const fnd_contact *c, double *row)
{
    fnd_dynamics *d = &f->world->dynamics;
    fnd_contact_tangent contact;
    const char *reason = fnd_contact_tangent_make(&d->env, &d->contacts, d->model, f->tangent.frames, c, &contact);
    for (int i = 0; !reason && i < f->columns; i++) {
        const double *x = f->x + (size_t)i * f->width;
        const fnd_frame_change a = fnd_frame_change_of(&f->tangent, x, c->body_a);
        const fnd_frame_change b = fnd_frame_change_of(&f->tangent, x, c->body_b);
        row[i] = fnd_contact_tangent_apply(&contact, &a, &b, i).depth_rate;
    }
    return reason;
}

/* True if the contacts of the committed state are those of the list. */
static bool same_contacts(const fnd_contact_list *rows, const fnd_approaches *a)
{
    int k = 0;
    for (int i = 0; i < rows->count; i++) {
        const fnd_contact *c = &rows->items[i];
        if (c->key.feature == FENDER_FEATURE_PAIR || c->record < 0) continue;
        if (k == a->count || !fnd_same_key(&a->keys[k], &c->key)) return false;
        k++;
    }
    return k == a->count;
}

/* The row of a contact in the list, which loses it; else a new one. NULL: unknown, or with *memory false no memory. */
static double *take_row(following *f, fnd_approaches *from, const fnd_contact *c, bool known, bool *memory)
{
    for (int k = 0; k < from->count; k++) {
        if (!fnd_same_key(&from->keys[k], &c->key)) continue;
        double *row = from->rows[k];
        from->rows[k] = NULL;
        return row;
    }
    double *row = known ? fnd_allocate(&f->world->env, row_size(f)) : NULL;
    *memory = *memory && (row || !known);
    if (!row || f->world->time == f->start || !approach_of(f, c, row)) return row;
    fnd_release(&f->world->env, row, row_size(f)); /* the next step tells why there is none */
    return NULL;
}

/* At an accepted state: which contacts have begun, and how their approaches follow the columns. Those that are there at
 * the start do not; `known`: of others, the step ends where they begin. False: no memory. */
static bool note_approaches(following *f, bool known)
{
    const fnd_contact_list *rows = &f->world->dynamics.evaluations[0].contacts;
    fnd_approaches *before = &f->approaches[0], *after = &f->approaches[1];
    bool memory = true;
    if (same_contacts(rows, before)) return true;
    if (!reserve_approaches(&f->world->env, after, rows->count)) return false;
    fnd_dynamics_tangent_at(&f->tangent, NULL, NULL);
    for (int i = 0; i < rows->count; i++) {
        const fnd_contact *c = &rows->items[i];
        if (c->key.feature == FENDER_FEATURE_PAIR || c->record < 0) continue;
        after->keys[after->count] = c->key;
        after->rows[after->count++] = take_row(f, before, c, known, &memory);
    }
    release_approaches(f, before);
    *before = *after;
    *after = (fnd_approaches){0};
    return memory;
}

/* The shapes of the event of a contact where they are nearest. */
static bool nearest_of(fender_world *world, const fender_contact_event *event, fnd_key *key, int *type,
                       fnd_contact *nearest)
{
    fnd_dynamics *d = &world->dynamics;
    fnd_contact_set *set = &d->contacts;
    *key = (fnd_key){event->a.index1 - 1, event->b.index1 - 1, event->feature};
    if (fnd_pair_decide(&world->model, (int)key->a, (int)key->b, type) != FENDER_PAIR_MAY_TOUCH) return false;
    const fnd_frame *a = &d->frames[world->model.shapes[key->a].root],
                    *b = &d->frames[world->model.shapes[key->b].root];
    if (key->feature != FENDER_FEATURE_PAIR &&
        fnd_contact_probe_key(&d->env, set, &world->model, a, b, key, *type, nearest))
        return true;
    return fnd_contact_probe_pair(&world->model, a, b, (int)key->a, (int)key->b, INFINITY,
                                  fnd_pair_memory(set, key->a, key->b), nearest);
}

/* gap: how much later the separation of these shapes vanishes, by column, at the committed state. False: it does not
 * pass zero. */
static bool find_delays(following *f, const fnd_contact *nearest)
{
    for (int c = 0; c <= f->columns; c++) {
        const double *x = f->x + (size_t)c * f->width;
        const fnd_frame_change a = fnd_frame_change_of(&f->tangent, x, nearest->body_a);
        const fnd_frame_change b = fnd_frame_change_of(&f->tangent, x, nearest->body_b);
        f->gap[c] = fnd_separation_change(nearest, &a, &b);
    }
    const double rate = f->gap[f->columns];
    for (int c = 0; c < f->columns; c++) {
        f->gap[c] /= -rate;
        if (!isfinite(f->gap[c])) return false;
    }
    return true;
}

static bool same_delays(const following *f)
{
    double most = 0, off = 0;
    for (int c = 0; c < f->columns; c++) {
        const double size = fabs(f->gap[c]), apart = fabs(f->gap[c] - f->delay[c]);
        if (size > most) most = size;
        if (apart > off) off = apart;
    }
    return off <= 1e-9 * most;
}

/* After an accepted step: contacts have begun or ended since event number `first`. `located`: where it ends. */
static fender_status pass_events(following *f, int first, bool located, fender_error *error)
{
    fender_world *world = f->world;
    fnd_dynamics *d = &world->dynamics;
    bool jumps = false, differ = false;
    int count = 0;
    char name[200], message[400];
    for (int i = first; i < world->events.count; i++) {
        const fender_event *event = &world->events.items[i];
        fnd_key key;
        fnd_contact nearest;
        int type;
        if (event->subject == FENDER_SUBJECT_LINK) {
            snprintf(message, sizeof message, "a link has the event '%s' at t = %s s: its time has no derivative",
                     fender_event_name(event->kind), fnd_number(world->time).text);
            return refuse(error, "", message, "links that act all the time");
        }
        if (event->kind != FENDER_EVENT_BEGIN && event->kind != FENDER_EVENT_END) continue;
        if (!nearest_of(world, &event->contact, &key, &type, &nearest)) continue;
        name_contact(world, &key, name, sizeof name);
        jumps |= fnd_contact_force_at_touch(&d->contacts, &world->model, d->frames, type, &nearest) > 0;
        if (jumps && !located) {
            snprintf(message, sizeof message,
                     "the force of the contact '%s' jumps where it begins or ends, within a step at t = %s s", name,
                     fnd_number(world->time).text);
            return fnd_fail(error, FENDER_STATUS_STATE, name, message, "", "steps that end at events",
                            "set integrator.locate_events");
        }
        if (!located) continue;
        if (count == 0) fnd_dynamics_tangent_at(&f->tangent, NULL, NULL);
        if (!find_delays(f, &nearest)) {
            snprintf(message, sizeof message, "the contact '%s' grazes at t = %s s: its time has no derivative", name,
                     fnd_number(world->time).text);
            return refuse(error, name, message, "contacts that begin and end with a speed");
        }
        differ |= count > 0 && !same_delays(f);
        if (jumps && differ) {
            snprintf(message, sizeof message,
                     "the contact '%s' begins or ends together with another at t = %s s, and the force jumps: which "
                     "one is first decides",
                     name, fnd_number(world->time).text);
            return refuse(error, name, message, "contacts that begin one after the other");
        }
        if (count++ == 0) memcpy(f->delay, f->gap, (size_t)f->columns * sizeof *f->gap);
    }
    if (count == 0) return FENDER_STATUS_OK;
    const double *e = f->x + (size_t)f->columns * f->width;
    for (int c = 0; c < f->columns; c++) {
        f->late[c] += f->delay[c];
        for (size_t i = 0; i < f->width; i++) f->x[(size_t)c * f->width + i] += f->delay[c] * e[i];
    }
    return FENDER_STATUS_OK;
}

/* ---- Along a run */

static fender_status follow_step(following *f, double limit, fender_error *error)
{
    fender_world *world = f->world;
    fender_proposal proposal;
    fender_status status = fnd_world_propose(world, limit, &proposal, error);
    if (status) return status;
    double *e = f->x + (size_t)f->columns * f->width;
    memset(e, 0, f->width * sizeof *e);
    f->tangent.columns = f->tangent.ode.columns = f->columns + (proposal.at_event ? 1 : 0);
    if (!fnd_ode_tangent_step(world->method, &world->ode, &world->workspace, &f->tangent.ode, world->trial.length,
                              f->longer, world->rotations[0], world->vector[0], f->x)) {
        fnd_world_settle(world);
        return refuse_rates(world, &f->tangent, error);
    }
    const int first = world->events.count;
    if ((status = fnd_world_take(world, error))) return status;
    if ((status = pass_events(f, first, proposal.at_event, error))) return status;
    return note_approaches(f, proposal.at_event) ? FENDER_STATUS_OK : fnd_fail_memory(error, "derivatives");
}

/* From the times of the deviating motions to that of the run. */
static void end_run(following *f)
{
    const fnd_dynamics *d = &f->world->dynamics;
    const fnd_evaluation *e = &d->evaluations[0];
    for (int k = 0; k < d->dynamic_count; k++) {
        const int i = d->dynamic[k];
        const fender_vec3 rates[4] = {d->model->bodies[i].state.v, e->acceleration[i], e->torque[i],
                                      e->angular_velocity[i]};
        for (int c = 0; c < f->columns; c++)
            for (size_t block = 0; block < 4; block++) {
                double *x = f->x + (size_t)c * f->width + 3 * (block * f->bodies + (size_t)k);
                x[0] -= f->late[c] * rates[block].x;
                x[1] -= f->late[c] * rates[block].y;
                x[2] -= f->late[c] * rates[block].z;
            }
    }
}

fender_status fnd_inner_world_advance_tangent(fender_world *world, double time, int columns, double *x,
                                              fender_error *error)
{
    fender_status status = fnd_world_ready(world, error);
    if (status) return status;
    if (fender_world_deviation_count(world) == 0) return fnd_inner_world_advance_to(world, time, error);
    if (columns < 1 || !x)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, columns < 1 ? "columns" : "x", "there are no deviations", "",
                        "a column or more", "");
    fnd_world_settle(world);
    if ((status = fnd_world_check_end(world, time, error))) return status;
    if ((status = check_world(world, true, error))) return status;
    following f;
    if (!create(&f, world, columns)) {
        destroy(&f);
        return fnd_fail_memory(error, "derivatives");
    }
    const size_t many = (size_t)columns;
    for (size_t i = 0; i < f.width; i++)
        for (size_t c = 0; c < many; c++) f.x[c * f.width + place_of(i, f.bodies)] = x[i * many + c];
    world->events.count = 0;
    f.tangent.approaches = &f.approaches[0];
    if ((status = fnd_world_refresh(world, error)) == FENDER_STATUS_OK && !note_approaches(&f, true))
        status = fnd_fail_memory(error, "derivatives");
    while (!status && world->time < time) status = follow_step(&f, time, error);
    if (!status && !(status = fnd_world_refresh(world, error))) end_run(&f);
    for (size_t i = 0; !status && i < f.width; i++)
        for (size_t c = 0; c < many; c++) x[i * many + c] = f.x[c * f.width + place_of(i, f.bodies)];
    destroy(&f);
    return status;
}

/* ---- About a state */

/* In axes that do not turn: the rate of a rotation vector v is dw + w x v. */
static void turn_rates(const following *f, double *rate, const double *x)
{
    const fnd_dynamics *d = &f->world->dynamics;
    for (int k = 0; k < d->dynamic_count; k++) {
        const size_t at = 9 * f->bodies + 3 * (size_t)k;
        const fender_vec3 v = fnd_read3(x + at), w = f->tangent.frames[d->dynamic[k]].w;
        const fender_vec3 turning = fender_vec3_add(fnd_read3(rate + at), fender_vec3_cross(w, v));
        rate[at] = turning.x, rate[at + 1] = turning.y, rate[at + 2] = turning.z;
    }
}

fender_status fnd_inner_world_linearize(fender_world *world, double *a, fender_error *error)
{
    fender_status status = fnd_world_ready(world, error);
    if (status) return status;
    const size_t n = (size_t)fender_world_deviation_count(world);
    if (n > 0 && !a) return fnd_world_missing(error);
    fnd_world_settle(world);
    if ((status = check_world(world, false, error)) || (status = fnd_world_refresh(world, error)) || n == 0)
        return status;
    following f;
    if (!create(&f, world, (int)n - 1)) { /* with the last column */
        destroy(&f);
        return fnd_fail_memory(error, "derivatives");
    }
    for (size_t c = 0; c < n; c++) f.x[c * n + place_of(c, f.bodies)] = 1;
    double *rates = f.tangent.ode.rate[0];
    if (!fnd_dynamics_tangent_rates(&f.tangent, 0, world->rotations[0], world->vector[0], f.x, rates))
        status = refuse_rates(world, &f.tangent, error);
    for (size_t c = 0; !status && c < n; c++) {
        turn_rates(&f, rates + c * n, f.x + c * n);
        for (size_t i = 0; i < n; i++) a[i * n + c] = rates[c * n + place_of(i, f.bodies)];
    }
    destroy(&f);
    return status;
}
