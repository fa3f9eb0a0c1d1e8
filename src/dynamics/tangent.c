/* Derivatives of the rates of a state, column by column: rigid bodies and gravity in closed form, contacts by
 * contact/tangent.c. */
#include "dynamics/tangent.h"

#include "base/memory.h"
#include <assert.h>
#include <string.h>

static void write3(double *to, fender_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static void add3(double *to, double factor, fender_vec3 v)
{
    to[0] += factor * v.x;
    to[1] += factor * v.y;
    to[2] += factor * v.z;
}

/* ---- Room */

static bool rates(void *ctx, int stage, const fender_quaternion *rotations, const double *vector,
                  const double *deviations, double *out)
{
    return fnd_dynamics_tangent_rates(ctx, stage, rotations, vector, deviations, out);
}

/* The derivative of `conserve` of state_layout.c. */
static void conserve(void *ctx, double h, const double *longer, int stage_count, const double (*defect)[16],
                     double *deviations)
{
    fnd_dynamics_tangent *t = ctx;
    const fnd_dynamics *d = t->dynamics;
    bool internal = d->link_count > 0;
    for (int s = 0; s < stage_count && !internal; s++) internal = d->evaluations[s].contacts.count > 0;
    if (!internal) return;
    const size_t bodies = (size_t)d->dynamic_count;
    for (int c = 0; c < t->columns; c++)
        for (size_t k = 0; k < bodies; k++) {
            const int i = d->dynamic[k];
            fender_vec3 sum = {0, 0, 0}, change = {0, 0, 0};
            for (int s = 0; s < stage_count; s++)
                for (int r = s + 1; r < stage_count; r++) {
                    const fender_vec3 f = d->evaluations[s].internal_force[i], g = d->evaluations[r].internal_force[i];
                    const size_t at = 3 * ((size_t)c * bodies + k);
                    const fender_vec3 df = fnd_read3(t->internal[s] + at), dg = fnd_read3(t->internal[r] + at);
                    sum = fender_vec3_add_scaled(sum, defect[s][r], fender_vec3_cross(f, g));
                    change = fender_vec3_add_scaled(
                        change, defect[s][r], fender_vec3_add(fender_vec3_cross(df, g), fender_vec3_cross(f, dg)));
                }
            const double factor = -d->model->bodies[i].inverse_mass * h * h;
            double *L = deviations + (size_t)c * t->width + 6 * bodies + 3 * k;
            add3(L, factor * h, change);
            add3(L, factor * 3 * longer[c], sum);
        }
}

bool fnd_dynamics_tangent_create(fnd_dynamics_tangent *t, fnd_dynamics *d, int columns, int stages)
{
    assert(columns > 0 && stages > 0 && stages <= FND_STAGE_CAPACITY);
    const fender_env *env = &d->env;
    const size_t bodies = (size_t)d->dynamic_count, all = (size_t)d->model->body_count, many = (size_t)columns;
    const size_t stage_numbers = (12 + 3) * bodies * (size_t)stages;
    memset(t, 0, sizeof *t);
    t->dynamics = d;
    t->columns = columns;
    t->width = 12 * bodies;
    t->block_size = (t->width + stage_numbers) * many * sizeof(double) +
                    all * (sizeof(fnd_frame) + sizeof(fnd_frame_change) + sizeof(fender_mat3) + sizeof(fender_vec3) +
                           sizeof(int));
    char *at = t->block = fnd_allocate(env, t->block_size);
    if (!at) return false;
    t->ode.trial = (void *)at, at += t->width * many * sizeof(double);
    for (int s = 0; s < stages; s++) {
        t->ode.rate[s] = (void *)at, at += t->width * many * sizeof(double);
        t->internal[s] = (void *)at, at += 3 * bodies * many * sizeof(double);
    }
    t->frames = (void *)at, at += all * sizeof(fnd_frame);
    t->mobility = (void *)at, at += all * sizeof(fender_mat3);
    t->momentum = (void *)at, at += all * sizeof(fender_vec3);
    t->changes = (void *)at, at += all * sizeof(fnd_frame_change);
    t->place = (void *)at;
    for (size_t i = 0; i < all; i++) t->place[i] = -1;
    for (int k = 0; k < d->dynamic_count; k++) t->place[d->dynamic[k]] = k;
    t->ode.ctx = t;
    t->ode.columns = columns;
    t->ode.rates = rates;
    t->ode.conserve = conserve;
    return true;
}

void fnd_dynamics_tangent_destroy(fnd_dynamics_tangent *t)
{
    if (!t->dynamics) return;
    const fender_env *env = &t->dynamics->env;
    fnd_release(env, t->block, t->block_size);
    fnd_release(env, t->contacts, (size_t)t->contact_capacity * sizeof *t->contacts);
    fnd_release(env, t->locals, (size_t)t->local_capacity * sizeof *t->locals);
    memset(t, 0, sizeof *t);
}

/* ---- Rates */

void fnd_dynamics_tangent_at(fnd_dynamics_tangent *t, const fender_quaternion *rotations, const double *vector)
{
    const fnd_dynamics *d = t->dynamics;
    for (int i = 0; i < d->model->body_count; i++) {
        const fnd_body *body = &d->model->bodies[i];
        const bool moves = t->place[i] >= 0;
        const fnd_state state = moves && rotations ? fnd_state_unpack(d, t->place[i], rotations, vector) : body->state;
        fnd_frame_pose(body, &state, &t->frames[i]);
        if (!moves) continue;
        const fender_mat3 back = fender_mat3_transpose(&t->frames[i].R_WB);
        const fender_mat3 half = fender_mat3_product(&body->inverse_inertia, &back);
        t->mobility[i] = fender_mat3_product(&t->frames[i].R_WB, &half);
        t->momentum[i] = state.L;
    }
}

/* w = R J^-1 R^T L: dw = R J^-1 R^T (dL - turn x L) + turn x w */
fnd_frame_change fnd_frame_change_of(const fnd_dynamics_tangent *t, const double *x, int body)
{
    fnd_frame_change change = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    const int k = t->place[body];
    if (k < 0) return change;
    const size_t n = 3 * (size_t)t->dynamics->dynamic_count, at = 3 * (size_t)k;
    change.p = fnd_read3(x + at);
    change.v = fnd_read3(x + n + at);
    change.turn = fnd_read3(x + 3 * n + at);
    const fender_vec3 seen = fender_vec3_sub(fnd_read3(x + 2 * n + at),
                                             fender_vec3_cross(change.turn, t->momentum[body]));
    change.w = fender_vec3_add(fender_mat3_times(&t->mobility[body], seen),
                               fender_vec3_cross(change.turn, t->frames[body].w));
    return change;
}

static bool refuse(fnd_dynamics_tangent *t, const fnd_contact *contact, const char *reason)
{
    t->reason = reason;
    t->at_contact = contact != NULL;
    if (contact) t->key = contact->key;
    return false;
}

/* How the approach that a contact remembers follows the columns. */
static const char *find_approach(const fnd_dynamics_tangent *t, const fnd_key *key, fnd_contact_tangent *contact)
{
    for (int i = 0; t->approaches && i < t->approaches->count; i++) {
        if (!fnd_same_key(&t->approaches->keys[i], key)) continue;
        contact->approach = t->approaches->rows[i];
        return contact->approach ? NULL : "it remembers the speed of an approach whose time was not located";
    }
    return NULL;
}

/* The derivatives of all contacts of an evaluation; *count of them act. */
static bool make_contacts(fnd_dynamics_tangent *t, const fnd_evaluation *e, int *count)
{
    fnd_dynamics *d = t->dynamics;
    void *items = t->contacts;
    *count = 0;
    if (!fnd_reserve(&d->env, &items, &t->contact_capacity, t->contact_capacity, e->contacts.count,
                     sizeof *t->contacts))
        return refuse(t, NULL, NULL);
    t->contacts = items;
    for (int i = 0; i < e->contacts.count; i++) {
        const fnd_contact *c = &e->contacts.items[i];
        if (c->key.feature == FENDER_FEATURE_PAIR) continue; /* it has no force */
        if (c->record >= 0 && d->contacts.records.items[c->record].suppressed) continue;
        const char *reason = fnd_contact_tangent_make(&d->env, &d->contacts, d->model, t->frames, c,
                                                      &t->contacts[*count]);
        if (!reason && t->contacts[*count].remembers) reason = find_approach(t, &c->key, &t->contacts[*count]);
        if (reason) return refuse(t, c, reason);
        ++*count;
    }
    return true;
}

static bool refuse_local(fnd_dynamics_tangent *t, const char *kind, const char *name, const char *reason)
{
    t->kind = kind;
    t->name = name;
    return refuse(t, NULL, reason);
}

/* The derivatives of all loads and links that act. */
static bool make_locals(fnd_dynamics_tangent *t, const fnd_evaluation *e, int *count)
{
    fnd_dynamics *d = t->dynamics;
    void *items = t->locals;
    const char *reason;
    *count = 0;
    if (!fnd_reserve(&d->env, &items, &t->local_capacity, t->local_capacity, d->load_count + d->link_count,
                     sizeof *t->locals))
        return refuse(t, NULL, NULL);
    t->locals = items;
    for (int i = 0; i < d->load_count; i++) {
        const fnd_load *load = &d->loads[i];
        if (!load->name || !(load->active || fnd_load_is_wheel(load))) continue;
        if ((reason = fnd_load_tangent_refuses(load, d)) != NULL) return refuse_local(t, "load", load->name, reason);
        *count += fnd_load_tangent_make(load, d, t->frames, &t->locals[*count]);
    }
    for (int i = 0; i < e->link_count; i++) {
        const fnd_link *link = &d->links[i];
        if (!link->name) continue;
        reason = fnd_link_tangent_refuses(link, &e->links[i]);
        if (reason) return refuse_local(t, "link", link->name, reason);
        *count += fnd_link_tangent_make(link, d, t->frames, &t->locals[*count]);
    }
    return true;
}

static void apply_local(const fnd_dynamics_tangent *t, const fnd_local_tangent *local, double *forces, double *torques,
                        double *internal)
{
    const int *root = local->root, first = t->place[root[0]], second = root[1] >= 0 ? t->place[root[1]] : -1;
    for (int on = 0; on < 2; on++) {
        const int k = on == 0 ? first : second;
        fender_vec3 force, torque;
        if (k < 0) continue;
        fnd_local_tangent_apply(local, on, &t->changes[root[0]], root[1] >= 0 ? &t->changes[root[1]] : NULL, &force,
                                &torque);
        add3(forces + 3 * k, 1, force);
        add3(torques + 3 * k, 1, torque);
        if (first >= 0 && second >= 0) add3(internal + 3 * k, 1, force);
    }
}

/* Adds the forces and torques on both bodies. */
static void apply_contact(const fnd_dynamics_tangent *t, const fnd_contact_tangent *c, int column, double *forces,
                          double *torques, double *internal)
{
    const fnd_wrench_change change = fnd_contact_tangent_apply(c, &t->changes[c->body_a], &t->changes[c->body_b],
                                                               column);
    const int bodies[2] = {t->place[c->body_a], t->place[c->body_b]};
    for (int i = 0; i < 2; i++) {
        if (bodies[i] < 0) continue;
        const double sign = i == 0 ? -1 : 1;
        const fender_vec3 lever = i == 0 ? c->lever_a : c->lever_b, moved = i == 0 ? change.lever_a : change.lever_b;
        fender_vec3 torque = fender_vec3_add(fender_vec3_cross(lever, change.force),
                                             fender_vec3_cross(moved, c->force));
        torque = fender_vec3_add(torque, change.torque);
        add3(forces + 3 * bodies[i], sign, change.force);
        add3(torques + 3 * bodies[i], sign, torque);
        if (bodies[0] >= 0 && bodies[1] >= 0) add3(internal + 3 * bodies[i], sign, change.force);
    }
}

/* Of a point mass: -mu (1 - 3 r r^T / r^2) / r^3. */
static fender_vec3 gravity_change(const fnd_frame_field *field, fender_vec3 p, fender_vec3 change)
{
    if (field->gravity.kind != FENDER_GRAVITY_POINT_MASS) return (fender_vec3){0, 0, 0};
    const fender_vec3 r = fender_vec3_sub(p, field->gravity.center);
    const double square = fender_vec3_dot(r, r), factor = -field->gravity.mu / (square * sqrt(square));
    return fender_vec3_scale(factor, fender_vec3_add_scaled(change, -3 * fender_vec3_dot(r, change) / square, r));
}

bool fnd_dynamics_tangent_rates(fnd_dynamics_tangent *t, int stage, const fender_quaternion *rotations,
                                const double *vector, const double *deviations, double *out)
{
    fnd_dynamics *d = t->dynamics;
    const fnd_evaluation *e = &d->evaluations[stage];
    const size_t n = 3 * (size_t)d->dynamic_count;
    int count, local_count;
    fnd_dynamics_tangent_at(t, rotations, vector);
    if (!make_contacts(t, e, &count) || !make_locals(t, e, &local_count)) return false;
    memset(t->internal[stage], 0, n * (size_t)t->columns * sizeof(double));
    for (int c = 0; c < t->columns; c++) {
        const double *x = deviations + (size_t)c * t->width;
        double *rate = out + (size_t)c * t->width, *internal = t->internal[stage] + (size_t)c * n;
        memset(rate, 0, t->width * sizeof *rate);
        for (int k = 0; k < d->dynamic_count; k++) { /* others do not change */
            const int i = d->dynamic[k];
            t->changes[i] = fnd_frame_change_of(t, x, i);
        }
        for (int i = 0; i < count; i++) apply_contact(t, &t->contacts[i], c, rate + n, rate + 2 * n, internal);
        for (int i = 0; i < local_count; i++) apply_local(t, &t->locals[i], rate + n, rate + 2 * n, internal);
        for (int k = 0; k < d->dynamic_count; k++) {
            const int i = d->dynamic[k];
            const size_t at = 3 * (size_t)k;
            const fnd_frame_change *change = &t->changes[i];
            write3(rate + at, change->v);
            for (int m = 0; m < 3; m++) rate[n + at + (size_t)m] *= d->model->bodies[i].inverse_mass;
            add3(rate + n + at, 1, gravity_change(&d->field, t->frames[i].p, change->p));
            write3(rate + 3 * n + at, change->w);
        }
    }
    return true;
}
