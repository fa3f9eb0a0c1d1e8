/* Evaluation of the dynamics: contacts and effectors in a fixed order, summed into wrenches, powers and rates. */
#include "base/memory.h"
#include "body/mass_tree.h"
#include "contact/parallel.h"
#include "dynamics/dynamics.h"
#include "dynamics/external.h"
#include <assert.h>
#include <string.h>

/* ---- Derivative ---- */

static bool evaluation_create(const fnd_dynamics *d, fnd_evaluation *e)
{
    assert(d->model->body_count >= 0 && d->link_count >= 0);
    size_t n = (size_t)d->model->body_count, links = (size_t)d->link_count;
    *e = (fnd_evaluation){0};
    e->block_size = n * (sizeof(fender_wrench) + 4 * sizeof(fender_vec3) + sizeof(fender_quaternion) + sizeof(double)) +
                    links * sizeof(fnd_link_value);
    if (d->model->parts) e->block_size += 2 * n * sizeof(double);
    if (n == 0) return fnd_contact_list_reserve(&d->env, &e->contacts, d->model, 0); /* no body, no link */
    if (!(e->block = fnd_allocate(&d->env, e->block_size))) return false;
    e->contact_wrench = e->block;
    e->internal_force = (fender_vec3 *)(void *)(e->contact_wrench + n);
    e->acceleration = e->internal_force + n;
    e->torque = e->acceleration + n;
    e->angular_velocity = e->torque + n;
    e->attitude = (fender_quaternion *)(void *)(e->angular_velocity + n);
    e->power = (double *)(void *)(e->attitude + n);
    e->links = (fnd_link_value *)(void *)(e->power + n);
    e->link_count = d->link_count;
    if (d->model->parts) {
        e->part_energy = (double *)(void *)(e->links + links);
        e->part_power = e->part_energy + n;
    }
    return fnd_contact_list_reserve(&d->env, &e->contacts, d->model, 0);
}

static void evaluation_release(const fnd_dynamics *d, fnd_evaluation *e)
{
    fnd_contact_list_destroy(&d->env, &e->contacts);
    fnd_release(&d->env, e->block, e->block_size);
    *e = (fnd_evaluation){0};
}

/* The threads of the world. */
static bool create_crew(fnd_dynamics *d)
{
    assert(d->threads > 0 && !d->pool);
    if (d->threads < 2) return true;
    d->pool = fnd_pool_create(&d->env, d->threads);
    if (d->pool) d->contacts.crew = fnd_crew_create(&d->env, d->pool, &d->contacts);
    return d->contacts.crew != NULL;
}

bool fnd_dynamics_create(fnd_dynamics *d)
{
    const fnd_contact_model *model = d->model;
    size_t bodies = (size_t)model->body_count;
    d->dynamic_count = 0;
    d->body_count = model->body_count;
    d->committed_fresh = false;
    d->pool = NULL;
    d->row_ends = (fnd_row_ends){0};
    bool ok = fnd_contact_set_create(&d->env, &d->contacts, model) && create_crew(d);
    if (bodies > 0) {
        d->dynamic = fnd_allocate(&d->env, bodies * sizeof *d->dynamic);
        d->frames = fnd_allocate(&d->env, bodies * sizeof *d->frames);
        d->energy_defect = fnd_allocate(&d->env, bodies * sizeof *d->energy_defect);
        d->load = fnd_allocate(&d->env, bodies * sizeof *d->load);
        d->integrated = fnd_allocate(&d->env, bodies * sizeof *d->integrated);
        d->dynamic_body = fnd_allocate(&d->env, bodies * sizeof *d->dynamic_body);
        ok = ok && d->dynamic && d->frames && d->energy_defect && d->load && d->integrated && d->dynamic_body;
    }
    for (int i = 0; ok && i < FND_EVALUATION_COUNT; i++) {
        if (i < d->stage_count || i >= FND_EVALUATION_NEXT) ok = evaluation_create(d, &d->evaluations[i]);
        d->evaluations[i].slot = i;
        if (ok && d->pool) ok = fnd_row_ends_reserve(d, d->evaluations[i].contacts.capacity);
    }
    d->dynamic_capacity = 0;
    for (int i = 0; i < model->body_count; i++) d->dynamic_capacity += fnd_body_dynamic(&model->bodies[i]);
    fnd_links_place_states(d);
    if (ok) fnd_dynamics_layout(d);
    return ok;
}

void fnd_dynamics_layout(fnd_dynamics *d)
{
    assert(d->model->body_count == d->body_count);
    fnd_contact_model *model = d->model;
    fnd_model_move_anew(model);
    fnd_tree_layout(model->bodies, model->body_count);
    fnd_shapes_pose(model);
    d->dynamic_count = 0;
    d->largest_inverse_mass = 0;
    for (int i = 0; i < model->body_count; i++) {
        const fnd_body *body = &model->bodies[i];
        d->integrated[i] = fnd_body_integrated(body);
        d->dynamic_body[i] = fnd_body_dynamic(body);
        if (d->integrated[i]) d->dynamic[d->dynamic_count++] = i;
        if (d->integrated[i] && body->inverse_mass > d->largest_inverse_mass)
            d->largest_inverse_mass = body->inverse_mass;
    }
    for (int i = 0; i < d->link_count; i++) fnd_link_place_ends(&d->links[i], model);
    d->contacts.watches_ready = d->contacts.planned = false;
    d->sweep_ready = false;
    d->committed_fresh = false;
}

bool fnd_dynamics_reserve(fnd_dynamics *d, int present)
{
    assert(present >= 0);
    bool ok = fnd_contact_set_reserve(&d->env, &d->contacts, d->model, present);
    for (int i = 0; ok && i < FND_EVALUATION_COUNT; i++)
        if (i < d->stage_count || i >= FND_EVALUATION_NEXT)
            ok = fnd_contact_list_reserve(&d->env, &d->evaluations[i].contacts, d->model, present) &&
                 (!d->pool || fnd_row_ends_reserve(d, d->evaluations[i].contacts.capacity));
    return ok;
}

void fnd_dynamics_release(fnd_dynamics *d)
{
    size_t bodies = (size_t)d->body_count;
    for (int i = 0; i < FND_EVALUATION_COUNT; i++) evaluation_release(d, &d->evaluations[i]);
    fnd_row_ends_release(&d->env, &d->row_ends);
    fnd_crew_destroy(&d->env, d->contacts.crew);
    fnd_pool_destroy(d->pool);
    d->pool = NULL;
    fnd_contact_set_destroy(&d->env, &d->contacts);
    fnd_release(&d->env, d->dynamic, bodies * sizeof *d->dynamic);
    fnd_release(&d->env, d->frames, bodies * sizeof *d->frames);
    fnd_release(&d->env, d->energy_defect, bodies * sizeof *d->energy_defect);
    fnd_release(&d->env, d->load, bodies * sizeof *d->load);
    fnd_release(&d->env, d->integrated, bodies * sizeof *d->integrated);
    fnd_release(&d->env, d->dynamic_body, bodies * sizeof *d->dynamic_body);
    d->integrated = d->dynamic_body = NULL;
    d->dynamic = NULL;
    d->frames = NULL;
    d->energy_defect = d->load = NULL;
    d->dynamic_count = d->body_count = 0;
}

/* A force from outside the system of dynamic bodies, for the ledger. */
static void add_external(fnd_evaluation *e, const fnd_dynamics *d, const fnd_frame *frame, fender_vec3 force,
                         fender_vec3 torque)
{
    fnd_book_external(e, d, frame, force, torque);
    if (d->field.axial) e->axial_torque += fnd_axial_torque(&d->field, frame->p, force, torque);
}

/* Applies a force, and a torque about its point of application, to b, and the opposite to a. */
typedef struct pair_wrench {
    int a, b;                     /* roots */
    fender_vec3 lever_a, lever_b; /* from their centres of mass */
    fender_vec3 force, torque;
} pair_wrench;

/* Adds the wrenches between two roots, with torques about their centres of mass. */
static inline void apply_pair(const fnd_dynamics *d, const fnd_frame *frames, const pair_wrench *p, fnd_evaluation *e,
                              fender_vec3 *torque_a, fender_vec3 *torque_b)
{
    assert(p->a >= 0 && p->b >= 0);
    fender_vec3 on_a = fender_vec3_negate(p->force);
    *torque_a = fender_vec3_sub(fender_vec3_cross(p->lever_a, on_a), p->torque);
    *torque_b = fender_vec3_add(fender_vec3_cross(p->lever_b, p->force), p->torque);
    bool dynamic_a = d->dynamic_body[p->a], dynamic_b = d->dynamic_body[p->b];
    if (dynamic_a && dynamic_b) {
        e->internal_force[p->a] = fender_vec3_add(e->internal_force[p->a], on_a);
        e->internal_force[p->b] = fender_vec3_add(e->internal_force[p->b], p->force);
    } else if (dynamic_a) { /* b is immovable: its power on the system is its force on a times its own velocity */
        add_external(e, d, &frames[p->a], on_a, *torque_a);
        e->applied_power += fender_vec3_dot(on_a, fnd_point_velocity(&frames[p->b], p->lever_b)) -
                            fender_vec3_dot(p->torque, frames[p->b].w);
    } else if (dynamic_b) {
        add_external(e, d, &frames[p->b], p->force, *torque_b);
        e->applied_power += fender_vec3_dot(p->force, fnd_point_velocity(&frames[p->a], p->lever_a)) +
                            fender_vec3_dot(p->torque, frames[p->a].w);
    }
}

/* Links act on the roots in addition to contacts; they do not count as contact forces. */
static void apply_links(const fnd_dynamics *d, double time, const fnd_frame *frames, fnd_evaluation *e)
{
    fnd_links_evaluate(d, time, frames, e);
    for (int i = 0; i < e->link_count; i++) {
        const fnd_link_value *v = &e->links[i];
        if (!v->acting) {
            if (v->motor_power == 0 && v->free_rate == 0) continue;
            e->applied_power += v->supplied_power; /* within a tree its energy changes all the same */
            e->damping_power += v->damping_power;
            continue;
        }
        pair_wrench p = {v->root_a, v->root_b, v->lever_a, v->lever_b, v->force_on_b, v->torque_on_b};
        fender_vec3 torque_a, torque_b;
        e->damping_power += v->damping_power;
        e->applied_power += v->supplied_power;
        apply_pair(d, frames, &p, e, &torque_a, &torque_b);
        e->acceleration[p.a] = fender_vec3_sub(e->acceleration[p.a], p.force); /* a force so far, as loads are */
        e->acceleration[p.b] = fender_vec3_add(e->acceleration[p.b], p.force);
        e->torque[p.a] = fender_vec3_add(e->torque[p.a], torque_a);
        e->torque[p.b] = fender_vec3_add(e->torque[p.b], torque_b);
    }
}

bool fnd_load_read_bodies(const fnd_dynamics *d, const fnd_load *load, const fnd_frame *frames, fnd_load_readings *read)
{
    const fnd_contact_model *model = d->model;
    const int counts[] = {load->def.force.reading_count, load->def.torque.reading_count};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < counts[k]; i++) {
            const fender_load_reading *reading = &load->readings[k][i];
            const bool at_point = reading->frame.kind == FENDER_BODY_FRAME_POINT;
            const fnd_point *point = at_point ? &model->points[reading->frame.point.index1 - 1] : NULL;
            const fnd_body *body = &model->bodies[at_point ? point->body : (int)reading->frame.body.index1 - 1];
            const fender_pose origin = fender_pose_identity();
            const fnd_body *root = &model->bodies[body->root];
            const fnd_frame frame = frames ? frames[body->root] : fnd_frame_of_state(root, &root->state);
            const fnd_frame carrier = body->moving ? fnd_part_carrier(body, &frame) : frame;
            read->of[k][i] = fnd_load_read(reading, body, at_point ? &point->X_SP : &origin, &carrier);
        }
    return counts[0] + counts[1] > 0;
}

/* A load acts on the root of its body's tree. */
static void apply_load(const fnd_dynamics *d, fnd_load *load, double time, const fnd_frame *frames, fnd_evaluation *e)
{
    assert(load->body >= 0 && load->body < d->model->body_count);
    const fnd_body *body = &d->model->bodies[load->body];
    const fnd_body *tank = load->tank >= 0 ? &d->model->bodies[load->tank] : NULL;
    int root = body->root;
    const fnd_frame *frame = &frames[root];
    fnd_load_value *v = &load->at[e->slot];
    const bool wheel = load->def.kind == FENDER_LOAD_REACTION_WHEEL; /* spins on without its motor */
    if (!load->name || !(load->active || wheel) || !fnd_body_dynamic(&d->model->bodies[root])) {
        *v = (fnd_load_value){0};
        return;
    }
    const bool given = load->def.kind == FENDER_LOAD_GIVEN;
    const double piece = given && !d->pieces ? (double)NAN : d->piece_time;
    fender_vec3 lever, turning = d->field.rotating ? d->field.omega : (fender_vec3){0, 0, 0};
    const fnd_frame carrier = body->moving ? fnd_part_carrier(body, frame) : *frame;
    fnd_load_readings read;
    const bool reads = given && fnd_load_read_bodies(d, load, frames, &read);
    fnd_load_evaluate(load, body, tank, reads ? &read : NULL, &carrier, time, piece, turning, v, &lever);
    v->lever = lever;
    fender_vec3 total = fender_vec3_add(v->torque, fender_vec3_cross(lever, v->force));
    e->acceleration[root] = fender_vec3_add(e->acceleration[root],
                                            v->force); /* a force until it is divided by the mass */
    e->torque[root] = fender_vec3_add(e->torque[root], total);
    e->applied_power += v->applied_power;
    e->damping_power += v->damping_power;
    if (!wheel) {
        add_external(e, d, frame, v->force, total);
    } else if (d->field.rotating) { /* its momentum is part of the system's: the turning of the frame is outside */
        fnd_book_external(e, d, frame, v->force, fender_vec3_negate(fender_vec3_cross(turning, v->momentum)));
    }
}

/* What is done for a body: its rates, and what acts on it from outside for the ledger, which is a sum over bodies. */
typedef struct duty {
    bool rates, ledger;
} duty;

/* Gravity, and in a rotating frame the inertial forces. In inertial space only gravity that is not that of the planet
 * counts as external. */
static inline void apply_field(const fnd_dynamics *d, int i, const fnd_frame *frame, duty of, fnd_evaluation *e)
{
    assert(i >= 0 && i < d->model->body_count);
    const fnd_frame_field *field = &d->field;
    const fnd_body *body = &d->model->bodies[i];
    fender_vec3 none = {0, 0, 0}, torque = none, a;
    if (!field->framed) a = fnd_frame_gravity(field, frame->p);
    else a = fnd_frame_acceleration(field, frame->p, frame->v);
    if (field->rotating) {
        fender_vec3 L = fnd_frame_inertia_times(&body->inertia, &frame->R_WB, frame->w);
        torque = fnd_frame_torque(field, &body->inertia, &frame->R_WB, frame->w, L);
        if (of.rates) e->torque[i] = fender_vec3_add(e->torque[i], torque);
        if (of.ledger && field->gravity.kind != FENDER_GRAVITY_PLANET) {
            fender_vec3 g = fender_vec3_scale(body->mass, fnd_frame_gravity(field, frame->p));
            e->axial_torque += fnd_axial_torque(field, frame->p, g, none);
        }
    }
    if (field->gradient) {
        fender_vec3 force, turning;
        fnd_frame_gradient(field, &body->inertia, &frame->R_WB, frame->p, &force, &turning);
        a = fender_vec3_add_scaled(a, body->inverse_mass, force);
        if (of.rates) e->torque[i] = fender_vec3_add(e->torque[i], turning);
        torque = fender_vec3_add(torque, turning);
        if (of.ledger && field->rotating && field->gravity.kind != FENDER_GRAVITY_PLANET)
            e->axial_torque += fnd_axial_torque(field, frame->p, force, turning);
    }
    if (of.rates) e->acceleration[i] = fender_vec3_add(e->acceleration[i], a);
    if (!of.ledger) return;
    fender_vec3 force = fender_vec3_scale(body->mass, a);
    fnd_book_external(e, d, frame, force, torque);
    if (field->falling) /* its energy depends on time */
        e->applied_power += fender_vec3_dot(force, frame->v) + fender_vec3_dot(torque, frame->w);
}

/* Bodies `from` up to `to`, whose sums are complete. */
FND_INTO_LOOP void finish_bodies(const fnd_dynamics *d, const fnd_frame *frames, int from, int to, duty of,
                                 fnd_evaluation *e)
{
    const bool in_field = d->field.gravity.kind != FENDER_GRAVITY_NONE || d->field.rotating;
    for (int i = from; i < to; i++) {
        const fnd_frame *frame = &frames[i];
        const fnd_body *body = &d->model->bodies[i];
        if (of.rates) {
            e->angular_velocity[i] = frame->w;
            e->attitude[i] = frame->q;
        }
        if (!d->integrated[i]) continue;
        if (of.rates) {
            fender_vec3 force = fender_vec3_add(e->contact_wrench[i].force, e->acceleration[i]);
            e->acceleration[i] = fender_vec3_scale(body->inverse_mass, force);
            e->torque[i] = fender_vec3_add(e->torque[i], e->contact_wrench[i].torque);
        }
        if (in_field) apply_field(d, i, frame, of, e);
        if (of.rates)
            e->power[i] = body->mass * fender_vec3_dot(e->acceleration[i], frame->v) +
                          fender_vec3_dot(e->torque[i], frame->w);
    }
}

typedef struct finish_job {
    const fnd_dynamics *d;
    const fnd_frame *frames;
    fnd_evaluation *e;
} finish_job;

/* Block 0 is the ledger, the others are rates of bodies. */
static void finish_block(void *ctx, int thread, int block)
{
    const finish_job *j = ctx;
    const int count = j->d->body_count, from = (block - 1) * FND_BODY_BLOCK, to = from + FND_BODY_BLOCK;
    (void)thread;
    if (block == 0) finish_bodies(j->d, j->frames, 0, count, (duty){.ledger = true}, j->e);
    else finish_bodies(j->d, j->frames, from, to < count ? to : count, (duty){.rates = true}, j->e);
}

static void finish(const fnd_dynamics *d, const fnd_frame *frames, fnd_evaluation *e)
{
    if (!fnd_pool_shares(d->pool, d->body_count, FND_BODY_BLOCK)) {
        finish_bodies(d, frames, 0, d->body_count, (duty){.rates = true, .ledger = true}, e);
        return;
    }
    finish_job j = {d, frames, e};
    fnd_pool_run(d->pool, finish_block, &j, 1 + (d->body_count - 1) / FND_BODY_BLOCK + 1);
}

static void clear_sums(fnd_evaluation *e, int bodies)
{
    e->damping_power = e->friction_power = e->applied_power = e->motor_power = 0;
    e->external_force = (fender_vec3){0, 0, 0};
    e->external_torque = (fender_vec3){0, 0, 0};
    e->axial_torque = 0;
    if (e->part_energy) memset(e->part_energy, 0, 2 * (size_t)bodies * sizeof *e->part_energy);
}

/* ---- Moving parts ---- */

/* Power of a force and a torque about its point by what moving parts add to the velocity of the point. */
static double part_power(const fnd_body *body, const fnd_frame *root, fender_vec3 lever, fender_vec3 force,
                         fender_vec3 torque)
{
    if (!body->moving) return 0;
    return fender_vec3_dot(force, fnd_part_velocity(body, &root->R_WB, lever)) +
           fender_vec3_dot(torque, fnd_part_turning(body, &root->R_WB));
}

/* What the motors of moving parts supply: the rate of the trees' kinetic energy that is not the power of the wrenches
 * on them as if they were rigid, less the power of the forces on the parts by the parts' relative motion. With L_B' =
 * T - w x L and T = m v^2 / 2 + w.Jw / 2 + w.h + E, dT/dt = F.v + T.w - w.J'w / 2 + w'.h + E'. */
static void account_parts(const fnd_dynamics *d, const fnd_frame *frames, fnd_evaluation *e)
{
    const fnd_contact_model *model = d->model;
    const fnd_body *bodies = model->bodies;
    double motor = 0;
    for (int k = 0; k < d->dynamic_count && e->part_energy; k++) {
        const int i = d->dynamic[k];
        const fnd_moving *m = bodies[i].moving;
        if (!m) continue;
        const fender_mat3 *R = &frames[i].R_WB;
        const fender_vec3 w = fender_mat3_transpose_times(R, frames[i].w);
        const fender_vec3 turning = fnd_part_root_turning(&bodies[i], &frames[i], e->torque[i]);
        const fender_vec3 own = fender_mat3_transpose_times(R, turning);
        e->part_energy[i] = fnd_part_energy(&bodies[i], &frames[i]);
        e->part_power[i] = fender_vec3_dot(own, m->h) -
                           0.5 * fender_vec3_dot(w, fender_mat3_times(&m->inertia_rate, w)) + m->power;
        motor += e->part_power[i];
    }
    for (int i = 0; i < e->contacts.count; i++) {
        const fnd_contact *c = &e->contacts.items[i];
        const fnd_body *a = &bodies[model->shapes[c->key.a].body], *b = &bodies[model->shapes[c->key.b].body];
        if (!a->moving && !b->moving) continue;
        motor += part_power(a, &frames[c->body_a], c->lever_a, c->force, c->torque);
        motor -= part_power(b, &frames[c->body_b], c->lever_b, c->force, c->torque);
    }
    for (int i = 0; i < e->link_count; i++) {
        const fnd_link_value *v = &e->links[i];
        const fnd_body *a = &bodies[model->points[d->links[i].point_a].body];
        const fnd_body *b = &bodies[model->points[d->links[i].point_b].body];
        if (!v->acting) continue;
        motor += part_power(a, &frames[v->root_a], v->lever_a, v->force_on_b, v->torque_on_b);
        motor -= part_power(b, &frames[v->root_b], v->lever_b, v->force_on_b, v->torque_on_b);
    }
    for (int i = 0; i < d->load_count; i++) {
        const fnd_load *load = &d->loads[i];
        if (!load->name) continue;
        const fnd_load_value *v = &load->at[e->slot];
        const fnd_body *body = &bodies[load->body];
        if (body->moving) motor -= part_power(body, &frames[body->root], v->lever, v->force, v->torque);
    }
    e->motor_power = motor;
}

bool fnd_dynamics_evaluate(fnd_dynamics *d, double time, const fnd_frame *frames, fnd_evaluation *e)
{
    assert(frames || d->model->body_count == 0);
    assert(d->model->body_count == d->body_count);
    assert(e >= d->evaluations && e < d->evaluations + FND_EVALUATION_COUNT);
    const fnd_contact_model *model = d->model;
    d->evaluation_count++;
    if (d->field.falling) fnd_frame_field_move(&d->field, time);
    const bool known = d->contacts_known;
    d->contacts_known = false;
    if (!known && d->regime != FND_REGIME_FROZEN &&
        !fnd_candidates_update(&d->env, &d->contacts, model, frames, d->step, 0))
        return false;
    if (!known && !fnd_contacts_evaluate(&d->env, &d->contacts, model, frames, time, d->regime, &e->contacts))
        return false;
    clear_sums(e, model->body_count);
    fnd_contacts_sum(d, frames, e);
    apply_links(d, time, frames, e);
    for (int i = 0; i < d->load_count; i++) apply_load(d, &d->loads[i], time, frames, e);
    finish(d, frames, e);
    if (fnd_model_moves(model)) account_parts(d, frames, e);
    return true;
}

/* ---- Loads over a step ---- */

void fnd_loads_book(fnd_dynamics *d, const int *evaluations, const double *weights, int count)
{
    assert(count >= 0 && count <= FND_STAGE_CAPACITY);
    for (int i = 0; i < d->load_count; i++) {
        fnd_load *load = &d->loads[i];
        for (int s = 0; s < count; s++) {
            const fnd_load_value *v = &load->at[d->evaluations[evaluations[s]].slot];
            load->memory.work += weights[s] * v->power;
            load->memory.damping_loss += weights[s] * v->damping_power;
        }
    }
}

void fnd_loads_balance(const fnd_dynamics *d, double time, double step, const double *weights, int count,
                       const fender_quaternion *rotations, double *vector)
{
    assert(count > 0 && count <= FND_STAGE_CAPACITY);
    for (int i = 0; i < d->load_count; i++) {
        const fnd_load *load = &d->loads[i];
        if (!load->name || load->def.kind != FENDER_LOAD_REACTION_WHEEL) continue;
        const fnd_body *body = &d->model->bodies[load->body];
        int k = 0;
        while (k < d->dynamic_count && d->dynamic[k] != body->root) k++;
        if (k == d->dynamic_count) continue;
        fnd_model_move(d->model, time + step);
        const fender_vec3 axis = fender_quaternion_rotate(rotations[k], fnd_load_axis(load, body));
        const double end = fnd_load_momentum(load, time + step, d->piece_time);
        fender_vec3 off = fender_vec3_sub(fender_vec3_scale(end, axis), load->at[d->evaluations[0].slot].momentum);
        for (int s = 0; s < count; s++)
            off = fender_vec3_add_scaled(off, -step * weights[s], load->at[d->evaluations[s].slot].rate);
        double *L = vector + 6 * d->dynamic_count + 3 * k;
        L[0] -= off.x;
        L[1] -= off.y;
        L[2] -= off.z;
    }
}

double fnd_dynamics_kink(const fnd_dynamics *d, double time)
{
    double first = INFINITY;
    for (int i = 0; i < d->load_count; i++) {
        const fnd_load *load = &d->loads[i];
        if (!load->name || !load->active || (load->def.kind == FENDER_LOAD_GIVEN && !d->pieces)) continue;
        const double kink = fnd_load_kink(load, time);
        if (kink < first) first = kink;
    }
    for (int i = 0; d->pieces && i < d->model->body_count; i++) {
        const fnd_body *body = &d->model->bodies[i];
        if (body->moving && body->part && !body->part_ended) {
            const double kink = fnd_part_kink(body->part, time);
            if (kink < first) first = kink;
        }
        if (!body->name || body->motion != FENDER_MOTION_PRESCRIBED) continue;
        const double kink = fnd_motion_kink(body, time);
        if (kink < first) first = kink;
    }
    return first;
}

#define LEAST_LEVEL 1e-12 /* of a thruster that goes out: it draws no more */

bool fnd_loads_burn(const fnd_dynamics *d, double time)
{
    for (int i = 0; i < d->load_count; i++) {
        const fnd_load *load = &d->loads[i];
        if (!load->name || load->def.kind != FENDER_LOAD_THRUSTER || load->tank < 0 || !load->active) continue;
        const bool open = load->memory.target > 0 || fnd_load_level(load, time, time) > LEAST_LEVEL;
        if (open && d->model->bodies[load->tank].core.mass > load->def.thruster.dry_mass) return true;
    }
    return false;
}
