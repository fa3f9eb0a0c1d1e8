/* Sums over contacts: wrenches on bodies, powers, and what comes from outside, each in the order of keys. */
#include "base/memory.h"
#include "base/pool.h"
#include "dynamics/dynamics.h"
#include "dynamics/external.h"
#include <assert.h>
#include <string.h>

static bool is_at_rest(const fnd_frame *frame)
{
    const fender_vec3 *v = &frame->v, *w = &frame->w;
    return v->x == 0 && v->y == 0 && v->z == 0 && w->x == 0 && w->y == 0 && w->z == 0;
}

/* A contact with an immovable body: its external effect on the system of dynamic bodies. `resting`: an immovable body
 * that is known to be at rest, mostly that of the contact before. */
FND_INTO_LOOP void add_immovable(const fnd_dynamics *d, const fnd_frame *frames, const fnd_contact *c, bool a_moves,
                                 fender_vec3 torque, fnd_evaluation *e, const fnd_frame **resting)
{
    assert(c->body_a < d->model->body_count && c->body_b < d->model->body_count);
    const fnd_frame *mover = &frames[a_moves ? c->body_a : c->body_b];
    const fnd_frame *other = &frames[a_moves ? c->body_b : c->body_a];
    const fender_vec3 force = a_moves ? fender_vec3_negate(c->force) : c->force;
    fnd_book_external(e, d, mover, force, torque);
    if (d->field.rotating) e->axial_torque += fnd_axial_torque(&d->field, mover->p, force, torque);
    if (other == *resting) return; /* it supplies nothing */
    if (is_at_rest(other)) {
        *resting = other;
        return;
    }
    const double turning = fender_vec3_dot(c->torque, other->w);
    e->applied_power += fender_vec3_dot(force, fnd_point_velocity(other, a_moves ? c->lever_b : c->lever_a)) +
                        (a_moves ? -turning : turning);
}

/* ---- By one thread ---- */

/* Componentwise for speed, because it is executed for every contact at every state. */
static void sum_at_once(const fnd_dynamics *d, const fnd_frame *frames, fnd_evaluation *e)
{
    const bool internal = d->stage_count > 1; /* methods of one stage have no use for it */
    double damping = 0, friction = 0, applied = 0;
    const fnd_frame *resting = NULL;
    for (int i = 0; i < e->contacts.count; i++) {
        const fnd_contact *c = &e->contacts.items[i];
        if (c->key.feature == FENDER_FEATURE_PAIR) continue; /* it has no force of its own */
        const int a = c->body_a, b = c->body_b;
        const double x = c->force.x, y = c->force.y, z = c->force.z;
        const fender_vec3 *l = &c->lever_a, *m = &c->lever_b;
        const double ax = (l->z * y - l->y * z) - c->torque.x, bx = (m->y * z - m->z * y) + c->torque.x;
        const double ay = (l->x * z - l->z * x) - c->torque.y, by = (m->z * x - m->x * z) + c->torque.y;
        const double az = (l->y * x - l->x * y) - c->torque.z, bz = (m->x * y - m->y * x) + c->torque.z;
        damping += c->damping_power;
        friction += c->friction_power;
        applied += c->supplied_power;
        fender_wrench *on_a = &e->contact_wrench[a], *on_b = &e->contact_wrench[b];
        on_a->force.x -= x;
        on_a->force.y -= y;
        on_a->force.z -= z;
        on_a->torque.x += ax;
        on_a->torque.y += ay;
        on_a->torque.z += az;
        on_b->force.x += x;
        on_b->force.y += y;
        on_b->force.z += z;
        on_b->torque.x += bx;
        on_b->torque.y += by;
        on_b->torque.z += bz;
        if (d->dynamic_body[a] && d->dynamic_body[b]) {
            if (!internal) continue;
            fender_vec3 *of_a = &e->internal_force[a], *of_b = &e->internal_force[b];
            of_a->x -= x;
            of_a->y -= y;
            of_a->z -= z;
            of_b->x += x;
            of_b->y += y;
            of_b->z += z;
        } else if (d->dynamic_body[a] || d->dynamic_body[b]) {
            const bool a_moves = d->dynamic_body[a];
            e->applied_power = applied;
            add_immovable(d, frames, c, a_moves, a_moves ? fender_vec3_make(ax, ay, az) : fender_vec3_make(bx, by, bz),
                          e, &resting);
            applied = e->applied_power;
        }
    }
    e->damping_power = damping;
    e->friction_power = friction;
    e->applied_power = applied;
}

/* ---- By several threads ---- */

/* Each body is in one block, which adds to it what it finds in the rows, in their order; one more block does what is a
 * sum over all rows, and the bodies that are not dynamic: a ground may be in every row. Which blocks there are depends
 * on the numbers of rows and bodies alone. */

enum {
    GROUP = 64,             /* rows whose bodies are noted together */
    ROW_BLOCK = 64 * GROUP, /* whose bodies are noted at once */
    LEAST_ROWS = 1024,      /* less is not divided */
    LEAST_BODIES = 64,      /* in a block */
    MOST_BLOCKS = 16        /* each looks through the groups */
};

typedef struct job {
    const fnd_dynamics *d;
    const fnd_frame *frames;
    fnd_evaluation *e;
    int body_block;
} job;

static int lesser(int a, int b) { return a < b ? a : b; }

/* The dynamic bodies of rows, and the range of those of each group. */
static void note_ends(void *ctx, int from, int to)
{
    const job *j = ctx;
    const fnd_row_ends *ends = &j->d->row_ends;
    const bool *dynamic = j->d->dynamic_body;
    assert(from % GROUP == 0);
    for (int first = from; first < to; first += GROUP) {
        fnd_ends span = {j->d->body_count, -1};
        for (int i = first; i < lesser(first + GROUP, to); i++) {
            const fnd_contact *c = &j->e->contacts.items[i];
            const int a = dynamic[c->body_a] ? c->body_a : -1, b = dynamic[c->body_b] ? c->body_b : -1;
            ends->rows[i] = (fnd_ends){a, b};
            if (a >= 0 && a < span.a) span.a = a;
            if (b >= 0 && b < span.a) span.a = b;
            if (a > span.b) span.b = a;
            if (b > span.b) span.b = b;
        }
        ends->spans[first / GROUP] = span;
    }
}

static fender_vec3 torque_on_a(const fnd_contact *c)
{
    const fender_vec3 *l = &c->lever_a, *f = &c->force;
    return fender_vec3_make((l->z * f->y - l->y * f->z) - c->torque.x, (l->x * f->z - l->z * f->x) - c->torque.y,
                            (l->y * f->x - l->x * f->y) - c->torque.z);
}

static fender_vec3 torque_on_b(const fnd_contact *c)
{
    const fender_vec3 *m = &c->lever_b, *f = &c->force;
    return fender_vec3_make((m->y * f->z - m->z * f->y) + c->torque.x, (m->z * f->x - m->x * f->z) + c->torque.y,
                            (m->x * f->y - m->y * f->x) + c->torque.z);
}

static void push_a(fender_wrench *on, const fnd_contact *c, fender_vec3 torque)
{
    on->force = fender_vec3_sub(on->force, c->force);
    on->torque = fender_vec3_add(on->torque, torque);
}

static void push_b(fender_wrench *on, const fnd_contact *c, fender_vec3 torque)
{
    on->force = fender_vec3_add(on->force, c->force);
    on->torque = fender_vec3_add(on->torque, torque);
}

/* What is a sum over all rows, and the wrenches on bodies that are not dynamic. */
static void sum_over_rows(const job *j)
{
    const fnd_dynamics *d = j->d;
    fnd_evaluation *e = j->e;
    double damping = 0, friction = 0, applied = 0;
    const fnd_frame *resting = NULL;
    for (int i = 0; i < d->body_count; i++)
        if (!d->dynamic_body[i]) e->contact_wrench[i] = (fender_wrench){{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < e->contacts.count; i++) {
        const fnd_contact *c = &e->contacts.items[i];
        const fnd_ends *ends = &d->row_ends.rows[i];
        damping += c->damping_power;
        friction += c->friction_power;
        applied += c->supplied_power;
        if (ends->a >= 0 && ends->b >= 0) continue;
        const fender_vec3 on_a = torque_on_a(c), on_b = torque_on_b(c);
        if (ends->a < 0) push_a(&e->contact_wrench[c->body_a], c, on_a);
        if (ends->b < 0) push_b(&e->contact_wrench[c->body_b], c, on_b);
        if (ends->a < 0 && ends->b < 0) continue;
        const bool a_moves = ends->a >= 0;
        e->applied_power = applied;
        add_immovable(d, j->frames, c, a_moves, a_moves ? on_a : on_b, e, &resting);
        applied = e->applied_power;
    }
    e->damping_power = damping;
    e->friction_power = friction;
    e->applied_power = applied;
}

/* Their other sums, which links and loads add to. */
static void clear_bodies(fnd_evaluation *e, int from, int to)
{
    const size_t size = (size_t)(to - from);
    memset(e->internal_force + from, 0, size * sizeof *e->internal_force);
    memset(e->acceleration + from, 0, size * sizeof *e->acceleration);
    memset(e->torque + from, 0, size * sizeof *e->torque);
    memset(e->power + from, 0, size * sizeof *e->power);
}

/* All that contacts do to the dynamic bodies `from` up to `to`. */
static void sum_on_bodies(const job *j, int from, int to)
{
    const fnd_dynamics *d = j->d;
    fnd_evaluation *e = j->e;
    const fnd_ends *ends = d->row_ends.rows;
    const int rows = e->contacts.count;
    const bool internal = d->stage_count > 1;
    for (int i = from; i < to; i++)
        if (d->dynamic_body[i]) e->contact_wrench[i] = (fender_wrench){{0, 0, 0}, {0, 0, 0}};
    clear_bodies(e, from, to);
    for (int first = 0; first < rows; first += GROUP) {
        const fnd_ends *span = &d->row_ends.spans[first / GROUP];
        if (span->b < from || span->a >= to) continue;
        for (int i = first; i < lesser(first + GROUP, rows); i++) {
            const int a = ends[i].a, b = ends[i].b;
            const fnd_contact *c = &e->contacts.items[i];
            if (a >= from && a < to) {
                push_a(&e->contact_wrench[a], c, torque_on_a(c));
                if (internal && b >= 0) e->internal_force[a] = fender_vec3_sub(e->internal_force[a], c->force);
            }
            if (b >= from && b < to) {
                push_b(&e->contact_wrench[b], c, torque_on_b(c));
                if (internal && a >= 0) e->internal_force[b] = fender_vec3_add(e->internal_force[b], c->force);
            }
        }
    }
}

static void sum_block(void *ctx, int thread, int block)
{
    const job *j = ctx;
    const int from = (block - 1) * j->body_block;
    (void)thread;
    if (block == 0) sum_over_rows(j);
    else sum_on_bodies(j, from, lesser(from + j->body_block, j->d->body_count));
}

bool fnd_row_ends_reserve(fnd_dynamics *d, int rows)
{
    fnd_row_ends *ends = &d->row_ends;
    void *of_rows = ends->rows, *spans = ends->spans;
    const bool ok = fnd_reserve(&d->env, &of_rows, &ends->capacity, ends->capacity, rows, sizeof *ends->rows) &&
                    fnd_reserve(&d->env, &spans, &ends->span_capacity, ends->span_capacity, rows / GROUP + 1,
                                sizeof *ends->spans);
    ends->rows = of_rows;
    ends->spans = spans;
    return ok;
}

void fnd_row_ends_release(const fender_env *env, fnd_row_ends *ends)
{
    fnd_release(env, ends->rows, (size_t)ends->capacity * sizeof *ends->rows);
    fnd_release(env, ends->spans, (size_t)ends->span_capacity * sizeof *ends->spans);
    *ends = (fnd_row_ends){0};
}

void fnd_contacts_sum(fnd_dynamics *d, const fnd_frame *frames, fnd_evaluation *e)
{
    assert(e->contacts.count >= 0 && e->contacts.count <= e->contacts.capacity);
    const int bodies = d->body_count;
    if (!d->pool || e->contacts.count < LEAST_ROWS || bodies < 2 * LEAST_BODIES ||
        !fnd_row_ends_reserve(d, e->contacts.capacity)) { /* one thread needs none */
        if (e->block) memset(e->block, 0, (size_t)((char *)e->links - (char *)e->block));
        sum_at_once(d, frames, e);
        return;
    }
    job j = {d, frames, e, (bodies - 1) / MOST_BLOCKS + 1};
    if (j.body_block < LEAST_BODIES) j.body_block = LEAST_BODIES;
    fnd_pool_blocks(d->pool, note_ends, &j, e->contacts.count, ROW_BLOCK);
    fnd_pool_run(d->pool, sum_block, &j, 1 + (bodies - 1) / j.body_block + 1);
}
