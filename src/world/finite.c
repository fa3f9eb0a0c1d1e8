/* Checks of a proposed state, and the contact or body that causes a rejection. */
#include "base/error.h"
#include "collide/point_contact.h"
#include "geometry/surface.h"
#include "world/world.h"
#include <assert.h>
#include <stdio.h>

/* 0 times a value that is not finite is NaN, which persists in sums. */
static bool all_finite(const double *values, int count)
{
    assert(count >= 0);
    double sums[4] = {0, 0, 0, 0};
    int i = 0;
    for (; i + 4 <= count; i += 4)
        for (int k = 0; k < 4; k++) sums[k] += 0.0 * values[i + k];
    for (; i < count; i++) sums[0] += 0.0 * values[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]) == 0;
}

enum { NUMBER_BLOCK = 16 * FND_BODY_BLOCK };

static bool numbers_are_finite(const void *ctx, int from, int to)
{
    return all_finite((const double *)ctx + from, to - from);
}

/* Is no attitude zero or not finite? */
static inline bool rotations_are_sound(const void *ctx, int from, int to)
{
    const fender_quaternion *rotations = ctx;
    for (int k = from; k < to; k++) {
        const fender_quaternion *q = &rotations[k];
        const double q2 = q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z;
        if (!(isfinite(q2) && q2 > 0)) return false;
    }
    return true;
}

static bool contact_is_finite(const fnd_contact *c)
{
    double force = c->force.x + c->force.y + c->force.z, torque = c->torque.x + c->torque.y + c->torque.z;
    if (isfinite(force + torque + c->damping_power + c->friction_power)) return true; /* then each of them is */
    return fender_vec3_is_finite(c->force) && fender_vec3_is_finite(c->torque) && isfinite(c->damping_power) &&
           isfinite(c->friction_power);
}

static void contact_name(const fnd_contact_model *model, const fnd_contact *c, char *name, size_t size)
{
    assert((int)c->key.a < model->shape_count && (int)c->key.b < model->shape_count);
    const fnd_shape *a = &model->shapes[c->key.a], *b = &model->shapes[c->key.b];
    snprintf(name, size, "%s.%s:%s.%s", model->bodies[a->body].name, a->name, model->bodies[b->body].name, b->name);
}

/* The first contact that is not finite among the stages of the step and `last`, or NULL. */
static const fnd_contact *first_culprit(const fender_world *world, const fnd_evaluation *last)
{
    const fnd_evaluation *evaluations = world->dynamics.evaluations;
    int stages = world->method->stage_count;
    for (int s = 0; s <= stages; s++) {
        const fnd_evaluation *e = s < stages ? &evaluations[s] : last;
        for (int i = 0; e && i < e->contacts.count; i++)
            if (!contact_is_finite(&e->contacts.items[i])) return &e->contacts.items[i];
    }
    return NULL;
}

/* The contact with the largest force on a body in the stages of the step, or NULL. */
static const fnd_contact *strongest(const fender_world *world, int root)
{
    const fnd_contact_model *model = &world->model;
    const fnd_contact *best = NULL;
    int stages = world->method->stage_count;
    double most = 0;
    for (int s = 0; s < stages; s++) {
        const fnd_contact_list *list = &world->dynamics.evaluations[s].contacts;
        for (int i = 0; i < list->count; i++) {
            const fnd_contact *c = &list->items[i];
            bool on_body = model->shapes[c->key.a].root == root || model->shapes[c->key.b].root == root;
            double force = fender_vec3_length(c->force);
            if (on_body && force > most) most = force, best = c;
        }
    }
    return best;
}

void fnd_world_worst_contact(const fender_world *world, int body, char *name, size_t size)
{
    assert(body >= -1 && body < world->model.body_count);
    const fnd_contact_model *model = &world->model;
    const fnd_contact *c = body < 0 ? NULL : strongest(world, body);
    if (c) contact_name(model, c, name, size);
    else snprintf(name, size, "%s%s", body < 0 ? "" : "body ", body < 0 ? "" : model->bodies[body].name);
}

/* The damped oscillator of a contact and the reduced mass. False if the law does not provide its stiffness. */
typedef struct oscillator {
    double mass, stiffness, frequency, ratio; /* kg, N/m, rad/s, of damping */
} oscillator;
static bool springs_of(const fender_world *world, const fnd_contact *c, double *k, double *damping, double *inverse)
{
    const fnd_contact_model *model = &world->model;
    const fnd_slot *slot = &model->types[c->type].primary;
    if (!slot->law->stiffness) return false;
    fender_law_stiffness springs = {0};
    *inverse = 0;
    slot->law->stiffness(slot->parameters, &c->in, &springs);
    *k = c->gain * c->gain * springs.normal_stiffness;
    *damping = c->gain * c->gain * springs.normal_damping;
    const uint32_t shapes[] = {c->key.a, c->key.b};
    for (int i = 0; i < 2; i++) {
        const fnd_body *root = &model->bodies[model->shapes[shapes[i]].root];
        if (fnd_body_dynamic(root)) *inverse += root->inverse_mass;
    }
    return *inverse > 0 && *k > 0 && isfinite(*k) && isfinite(*damping);
}

static bool oscillator_of(const fender_world *world, const fnd_contact *c, oscillator *o)
{
    double k, damping, inverse;
    if (!springs_of(world, c, &k, &damping, &inverse)) return false;
    double frequency = sqrt(k * inverse);
    *o = (oscillator){1.0 / inverse, k, frequency, 0.5 * damping * inverse / frequency};
    return true;
}

/* Stability limit of the method for it; INFINITY if the law does not provide its stiffness. */
static double longest_step(const fender_world *world, const fnd_contact *c, double *mass, double *stiffness)
{
    assert(c->gain > 0);
    oscillator o;
    if (!oscillator_of(world, c, &o)) return INFINITY;
    *mass = o.mass;
    *stiffness = o.stiffness;
    return fender_integrator_stable_step(world->def.method, o.frequency, o.ratio);
}

/* True if the step is clearly stable: with every method where w h (1 + 2 ratio) < 1. Avoids the search for the limit.
 */
static bool surely_stable(const fender_world *world, const fnd_contact *c, double step)
{
    double k, damping, inverse;
    if (!springs_of(world, c, &k, &damping, &inverse)) return true;
    double left = 1 - step * damping * inverse; /* w h has to be below this */
    if (left > 0 && step * step * k * inverse <= left * left) return true;
    const double frequency = sqrt(k * inverse);
    return fnd_step_is_surely_stable(world->def.method, step * frequency, 0.5 * damping * inverse / frequency);
}

/* Has the law a parameter `area` that is 0, and the contact none? */
static bool lacks_area(const fender_world *world, const fnd_contact *c)
{
    const fnd_slot *slot = &world->model.types[c->type].primary;
    const fender_field *area = fender_field_find(&slot->law->parameters, "area");
    return area && !(c->in.area > 0) && fender_field_get(area, slot->parameters, 0) == 0;
}

static void advise(const fender_world *world, const fnd_contact *c, char *text, size_t size)
{
    if (c && lacks_area(world, c)) {
        snprintf(text, size,
                 "give the law an area, or its contact type points: corners (a rim or an edge that touches has no "
                 "area); the state stays at the last accepted step");
        return;
    }
    double mass = 0, stiffness = 0, limit = c ? longest_step(world, c, &mass, &stiffness) : INFINITY;
    if (world->def.step <= limit) {
        snprintf(text, size, "the state stays at the last accepted step; try a shorter integrator.step");
        return;
    }
    double wanted = 1;
    while (wanted > 0.2 * limit) wanted *= 0.1; /* a round number well inside */
    while (wanted * 2 <= 0.2 * limit) wanted *= 2;
    snprintf(text, size,
             "step %s s is too long for this contact (%s is stable below %.2g s for %.4g kg on %.3g N/m); try "
             "integrator.step=%.1gs; the "
             "state stays at the last accepted step",
             fnd_number(world->def.step).text, world->method->name, limit, mass, stiffness, wanted);
}

static void describe(const fnd_contact_model *model, const fnd_contact *c, char *text, size_t size)
{
    assert(c->type >= 0 && c->type < model->type_count);
    snprintf(text, size, "law %.40s (contact type %.40s), depth %.3g m, depth rate %.3g m/s",
             model->types[c->type].primary.law->name, model->types[c->type].name, c->in.depth, c->in.depth_rate);
}

static fender_status refuse(const fender_world *world, double time, const char *what, const fnd_contact *c,
                            fender_error *error)
{
    char message[320], found[160] = "NaN or infinity", suggestion[320], name[440] = "";
    const fnd_contact_model *model = &world->model;
    if (c) {
        contact_name(model, c, name, sizeof name);
        describe(model, c, found, sizeof found);
    }
    advise(world, c, suggestion, sizeof suggestion);
    snprintf(message, sizeof message, "step %lld (t = %s s): %s%.200s is not finite", (long long)world->step_count + 1,
             fnd_number(time).text, what, name);
    return fnd_fail(error, FENDER_STATUS_NOT_FINITE, name, message, found, "a finite number", suggestion);
}

fender_status fnd_world_check_state(const fender_world *world, double time, fender_error *error)
{
    const fnd_dynamics *d = &world->dynamics;
    if (fnd_pool_all(d->pool, numbers_are_finite, world->vector[1], 9 * d->dynamic_count, NUMBER_BLOCK) &&
        fnd_pool_all(d->pool, rotations_are_sound, world->rotations[1], d->dynamic_count, 4 * FND_BODY_BLOCK))
        return FENDER_STATUS_OK;
    for (int k = 0; k < d->dynamic_count; k++) {
        const fender_quaternion *q = &world->rotations[1][k];
        double q2 = q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z;
        fnd_state s = fnd_state_unpack(d, k, world->rotations[1], world->vector[1]);
        if (fender_vec3_is_finite(s.p) && fender_vec3_is_finite(s.v) && fender_vec3_is_finite(s.L) && isfinite(q2) &&
            q2 > 0)
            continue;
        const fnd_contact *c = first_culprit(world, NULL);
        if (c) return refuse(world, time, "the force at contact ", c, error);
        char what[200];
        c = strongest(world, d->dynamic[k]);
        snprintf(what, sizeof what, "the state of body %.100s%s", world->model.bodies[d->dynamic[k]].name,
                 c ? ", pushed by contact " : "");
        return refuse(world, time, what, c, error);
    }
    return FENDER_STATUS_OK;
}

fender_status fnd_world_check_law_states(const fender_world *world, double time, fender_error *error)
{
    const fnd_dynamics *d = &world->dynamics;
    int stride = d->contacts.state_stride;
    if (world->ode.state_count == 0) return FENDER_STATUS_OK;
    const double *states = world->vector[1] + fnd_law_state_offset(d);
    for (int i = 0; i < d->link_count; i++) {
        const fnd_link *link = &d->links[i];
        if (all_finite(states + link->state_at, link->state_count)) continue;
        char what[200];
        snprintf(what, sizeof what, "the state of the law of link %.100s", link->name);
        return refuse(world, time, what, NULL, error);
    }
    states += d->link_state_count;
    for (int i = 0; i < world->ode.state_count - d->link_state_count; i++) {
        if (isfinite(states[i])) continue;
        const fnd_contact_list *list = &d->evaluations[0].contacts;
        for (int k = 0; k < list->count; k++)
            if (list->items[k].record == i / stride)
                return refuse(world, time, "the state of the law of contact ", &list->items[k], error);
        return refuse(world, time, "the state of a law", NULL, error);
    }
    return FENDER_STATUS_OK;
}

/* True if all rates at the state and all powers are finite. The forces and powers of all contacts then are, because all
 * are in the sums; the rates of the stages are in the state, which has been checked. */
static bool sums_are_finite(const fender_world *world, const fnd_evaluation *e)
{
    const double *rates = (const double *)(const void *)e->acceleration; /* and the torques behind them */
    double powers = e->damping_power + e->friction_power;
    for (int s = 0; s < world->method->stage_count; s++) {
        const fnd_evaluation *stage = &world->dynamics.evaluations[s];
        powers += 0.0 * (stage->damping_power + stage->friction_power);
    }
    return isfinite(powers) &&
           fnd_pool_all(world->dynamics.pool, numbers_are_finite, rates, 6 * world->model.body_count, NUMBER_BLOCK);
}

/* The first contact at which a law of the host's stores no number, or NULL. */
static const fnd_contact *energy_culprit(const fender_world *world, const fnd_evaluation *e)
{
    const fnd_contact_set *set = &world->dynamics.contacts;
    bool any = false;
    for (int i = 0; i < world->model.type_count; i++) any |= world->model.types[i].own_energy;
    for (int i = 0; any && i < e->contacts.count; i++) {
        const fnd_contact *c = &e->contacts.items[i];
        const fnd_contact_type *type = &world->model.types[c->type];
        if (!type->own_energy || c->buried || c->key.feature == FENDER_FEATURE_PAIR) continue;
        const fnd_record *record = c->record < 0 ? NULL : &set->records.items[c->record];
        if (record && record->suppressed) continue;
        unsigned char *memory = record ? fnd_record_memory(&set->records, c->record) : set->scratch_memory;
        if (!record) fnd_contact_begin(type, c, memory);
        const double touch_weight = record ? record->touch_weight : 0;
        if (!isfinite(fnd_contact_stored_energy(type, memory, fnd_memory_states(type, memory), c, touch_weight)))
            return c;
    }
    return NULL;
}

fender_status fnd_world_check_evaluation(const fender_world *world, double time, const fnd_evaluation *e,
                                         double *kinetic, fender_error *error)
{
    const bool sure = sums_are_finite(world, e);
    *kinetic = fnd_world_kinetic(world, world->vector[1], e);
    const fnd_contact *c = sure ? NULL : first_culprit(world, e);
    if (c) return refuse(world, time, "the force at contact ", c, error);
    c = energy_culprit(world, e);
    if (c) return refuse(world, time, "the stored energy at contact ", c, error);
    for (int i = 0; i < e->link_count; i++) {
        const fnd_link_value *v = &e->links[i];
        if (fender_vec3_is_finite(v->force_on_b) && fender_vec3_is_finite(v->torque_on_b) &&
            isfinite(v->stored_energy) && isfinite(v->damping_power))
            continue;
        char what[200];
        snprintf(what, sizeof what, "the force of link %.100s", world->dynamics.links[i].name);
        return refuse(world, time, what, NULL, error);
    }
    for (int i = 0; !sure && i < world->model.body_count; i++) {
        if (fender_vec3_is_finite(e->acceleration[i]) && fender_vec3_is_finite(e->torque[i])) continue;
        char what[200];
        snprintf(what, sizeof what, "the acceleration of body %.100s", world->model.bodies[i].name);
        return refuse(world, time, what, NULL, error);
    }
    for (int k = 0; !isfinite(*kinetic) && k < world->dynamics.dynamic_count; k++) {
        int i = world->dynamics.dynamic[k];
        const double *velocity = world->vector[1] + 3 * (world->dynamics.dynamic_count + k);
        fender_vec3 v = fnd_read3(velocity), L = fnd_read3(velocity + 3 * world->dynamics.dynamic_count);
        double energy = world->model.bodies[i].mass * fender_vec3_dot(v, v) +
                        fender_vec3_dot(L, e->angular_velocity[i]);
        if (isfinite(energy)) continue;
        const fnd_contact *pushing = strongest(world, i);
        char what[200];
        snprintf(what, sizeof what, "the kinetic energy of body %.100s%s", world->model.bodies[i].name,
                 pushing ? ", pushed by contact " : "");
        return refuse(world, time, what, pushing, error);
    }
    if (!isfinite(e->applied_power)) return refuse(world, time, "the power of loads", NULL, error);
    return FENDER_STATUS_OK;
}

/* Error for a contact that is too stiff for the step or too deep for the shapes. */
static fender_status refuse_contact(const fender_world *world, double time, const fnd_contact *c, const char *what,
                                    const char *expected, const char *suggestion, fender_error *error)
{
    char message[320], found[160], name[440];
    contact_name(&world->model, c, name, sizeof name);
    describe(&world->model, c, found, sizeof found);
    snprintf(message, sizeof message, "step %lld (t = %s s): %s %.200s", (long long)world->step_count + 1,
             fnd_number(time).text, what, name);
    return fnd_fail(error, FENDER_STATUS_INTEGRATOR, name, message, found, expected, suggestion);
}

static double size_of(const fnd_shape *shape)
{
    return fnd_shape_size(shape) > 0 ? fnd_shape_size(shape) : INFINITY; /* a point has no size to go by */
}

static double lesser(double a, double b) { return a < b ? a : b; }

/* A signed distance, as of the ground of a planet, tells how deep a shape is wherever it is. */
static bool is_field(const fnd_shape *shape) { return fnd_geometry_class_of(shape->geometry) == FND_CLASS_FIELD; }

static bool is_tube(const fnd_shape *shape)
{
    return shape->geometry->type == FENDER_GEOMETRY_SPHERE || shape->geometry->type == FENDER_GEOMETRY_CAPSULE;
}

/* A sphere may not be deeper than the thickness of a plate. Axes of capsules pass each other at the sum of their radii.
 * The depth of a pair with pair events is that of its deepest point, which at the border of a face may be beside the
 * supporting part: there the sum of both thicknesses is the bound. So may be the corner of a box that stands on its
 * edge. The limit is at most the smaller bounding radius. */
static double depth_limit(const fender_world *world, const fnd_contact *c)
{
    assert(c->key.a < c->key.b);
    if (world->def.depth_limit > 0) return world->def.depth_limit;
    const fnd_shape *a = &world->model.shapes[c->key.a], *b = &world->model.shapes[c->key.b];
    const double both = a->geometry->thickness + b->geometry->thickness;
    if (is_field(a) || is_field(b)) return size_of(is_field(a) ? a : b);
    const double radius = lesser(a->bounding_radius, b->bounding_radius);
    const bool solids = a->geometry->thickness > 0 && b->geometry->thickness > 0;
    if (solids && is_tube(a) && is_tube(b)) return lesser(radius, 0.5 * both);
    const bool corners = world->model.types[c->type].points == FENDER_CONTACT_POINTS_CORNERS &&
                         fnd_corners_touch(a->geometry, b->geometry);
    if (corners || fnd_pair_has_pair_events(&world->model, c->key.a, c->key.b, c->type))
        return solids ? lesser(radius, both) : radius;
    return lesser(size_of(a), size_of(b));
}

/* True if every contact of the type is certainly stable, for all bodies. */
static bool type_is_stable(const fender_world *world, const fnd_contact_type *type, double gain, double step)
{
    if (!type->batch && !type->sticks) return false;
    double inverse = 2 * gain * gain * world->dynamics.largest_inverse_mass;
    double left = 1 - step * type->damping * inverse;
    return left > 0 && step * step * type->stiffness * inverse <= left * left;
}

/* Are all contacts that batches take surely stable with the method, whichever bodies they are between? */
static bool world_is_stable(const fender_world *world, double gain, double step)
{
    bool stable = true;
    for (int i = 0; i < world->model.type_count; i++)
        stable = stable && type_is_stable(world, &world->model.types[i], gain, step);
    return stable;
}

/* True if the step followed its initial contacts. */
static fender_status check_stiffness(const fender_world *world, double time, fender_error *error)
{
    double step = time - world->time;
    if (world->method->error_count > 0) return FENDER_STATUS_OK; /* keeps its steps stable itself */
    const fnd_contact_list *begun = &world->dynamics.evaluations[0].contacts;
    if (begun->count == 0) return FENDER_STATUS_OK;
    if (world_is_stable(world, begun->gain, step)) return FENDER_STATUS_OK;
    for (int i = 0; i < begun->count; i++) {
        const fnd_contact *c = &begun->items[i];
        if (c->record < 0 || world->dynamics.contacts.records.items[c->record].suppressed) continue;
        if (surely_stable(world, c, step)) continue;
        double mass = 0, stiffness = 0, longest = longest_step(world, c, &mass, &stiffness);
        if (!(step > longest)) continue;
        char suggestion[320], expected[120];
        advise(world, c, suggestion, sizeof suggestion);
        snprintf(expected, sizeof expected, "a step below %.3g s", longest);
        return refuse_contact(world, time, c, "the step is too long for the stiffness of contact", expected, suggestion,
                              error);
    }
    return FENDER_STATUS_OK;
}

static fender_vec3 velocity_at(const fnd_frame *frame, fender_vec3 place)
{
    return fender_vec3_add(frame->v, fender_vec3_cross(frame->w, fender_vec3_sub(place, frame->p)));
}

/* Contacts that began slowly, and are loaded later, damp by restitution over that speed: the damper, not the spring,
 * is what the step is too long for. */
static bool damps_by_its_touch(const fnd_slot *slot)
{
    const fender_field *least = fender_field_find(&slot->law->parameters, "least_speed");
    const fender_field *restitution = fender_field_find(&slot->law->parameters, "restitution");
    return least && restitution && fender_field_get(restitution, slot->parameters, 0) < 1;
}

/* Height [m] of the start of a line above the surface that it meets, after the step if both move on as they do. */
static double height_of_start(const fender_world *world, const fnd_contact *c, double step)
{
    const fnd_contact_model *model = &world->model;
    const bool first = model->shapes[c->key.a].geometry->type == FENDER_GEOMETRY_PROBE;
    const fnd_shape *probe = &model->shapes[first ? c->key.a : c->key.b];
    const fnd_body *own = &model->bodies[first ? c->body_a : c->body_b];
    const fnd_body *other = &model->bodies[first ? c->body_b : c->body_a];
    const fnd_frame frame = fnd_frame_of_state(own, &own->state), of_other = fnd_frame_of_state(other, &other->state);
    const fender_mat3 R_WG = fnd_shape_rotation(probe, &frame);
    const fender_vec3 u = fender_mat3_column(&R_WG, 2), out = first ? fender_vec3_negate(c->normal) : c->normal;
    const double length = probe->geometry->range + probe->geometry->cushion;
    const fender_vec3 origin = fender_vec3_add(frame.p, fender_mat3_times(&frame.R_WB, probe->p_BG));
    const fender_vec3 start = fender_vec3_add_scaled(origin, -probe->geometry->range, u);
    const fender_vec3 v = fender_vec3_sub(velocity_at(&frame, start), velocity_at(&of_other, start));
    return -(length - c->in.depth) * fender_vec3_dot(u, out) + step * fender_vec3_dot(v, out);
}

#define STEEP 2 /* least 1 / |n.u| of a line that turns with its vehicle out of the ground */

/* A step may take the start of a line of sight below the surface, which it then no longer sees. */
static fender_status check_lines(const fender_world *world, double time, const fnd_evaluation *e, fender_error *error)
{
    const fnd_contact_list *begun = &world->dynamics.evaluations[0].contacts;
    for (int i = 0, k = 0; i < begun->count; i++) {
        const fnd_contact *c = &begun->items[i];
        while (k < e->contacts.count && fnd_key_compare(&e->contacts.items[k].key, &c->key) < 0) k++;
        if (!c->probe || c->record < 0 || !(c->in.depth_rate > 0)) continue;
        if (!(c->gain < STEEP)) continue; /* a line along the surface may lose it by turning */
        if (k < e->contacts.count && fnd_key_compare(&e->contacts.items[k].key, &c->key) == 0) continue;
        if (!(height_of_start(world, c, time - world->time) < 0)) continue;
        const double limit = depth_limit(world, c);
        char expected[120];
        snprintf(expected, sizeof expected, "at most %.3g m, within a line that begins above the surface", limit);
        return refuse_contact(world, time, c, "the step goes beyond the depth limit of contact", expected,
                              "check the stiffness of the contact for its load; use a shorter integrator.step, a "
                              "stiffer law, or a longer line; the state stays at the last accepted step",
                              error);
    }
    return FENDER_STATUS_OK;
}

static bool is_open(const fnd_shape *shape) { return shape->geometry->surface && !shape->geometry->surface->closed; }

/* True if a contact with an open surface is new in this step, and deeper than the motion of the step explains: the
 * shape has come below the surface over its border or through a hole, and from there under it. */
static bool comes_from_below(const fender_world *world, const fnd_contact *c, double step)
{
    const fnd_contact_model *model = &world->model;
    const fnd_contact_list *begun = &world->dynamics.evaluations[0].contacts;
    if (c->buried || !(is_open(&model->shapes[c->key.a]) || is_open(&model->shapes[c->key.b]))) return false;
    for (int i = 0; i < begun->count; i++)
        if (fnd_key_compare(&begun->items[i].key, &c->key) == 0) return false;
    const fnd_body *a = &model->bodies[c->body_a], *b = &model->bodies[c->body_b];
    const fnd_frame of_a = fnd_frame_of_state(a, &a->state), of_b = fnd_frame_of_state(b, &b->state);
    const fender_vec3 at = fender_vec3_add(of_a.p, c->lever_a);
    const double speed = fender_vec3_length(fender_vec3_sub(velocity_at(&of_a, at), velocity_at(&of_b, at)));
    return c->in.depth > 2 * (speed > c->in.depth_rate ? speed : c->in.depth_rate) * step;
}

static fender_status refuse_from_below(const fender_world *world, double time, const fnd_contact *c, double limit,
                                       fender_error *error)
{
    char expected[160];
    snprintf(expected, sizeof expected, "a contact that begins at the surface, or at most %.3g m below it", limit);
    return refuse_contact(world, time, c, "the shape has come from below to contact", expected,
                          "it has fallen over the border of the surface, or through a hole (no_data: hole), and then "
                          "moved under it: make the surface larger, close the hole, or end the run before",
                          error);
}

static const char *remedy_of_depth(const fender_world *world, const fnd_contact *c)
{
    const double range = world->model.contact_limit_factor;
    if (range > 0 && range < 1)
        return "contacts within a world.contact_limit_factor below 1 begin deep: make it 0, or at least 1; the state "
               "stays at the last accepted step";
    if (damps_by_its_touch(&world->model.types[c->type].primary))
        return "check the stiffness of the contact for its load; use a shorter integrator.step, a larger least_speed "
               "of the law, a stiffer law, or a larger world.depth_limit; the state stays at the last accepted step";
    return "check the stiffness of the contact for its load; use a shorter integrator.step, a stiffer law, or a larger "
           "world.depth_limit; the state stays at the last accepted step";
}

fender_status fnd_world_check_contacts(const fender_world *world, double time, const fnd_evaluation *e,
                                       fender_error *error)
{
    fender_status status = check_stiffness(world, time, error);
    if (!status && world->def.depth_limit != 0 && e->contacts.count < world->dynamics.evaluations[0].contacts.count)
        status = check_lines(world, time, e, error);
    if (status) return status;
    double least = world->def.depth_limit > 0 ? world->def.depth_limit : world->dynamics.contacts.least_size;
    if (e->contacts.deepest <= least) return status;
    for (int i = 0; !status && world->def.depth_limit != 0 && i < e->contacts.count; i++) {
        const fnd_contact *c = &e->contacts.items[i];
        if (c->record >= 0 && world->dynamics.contacts.records.items[c->record].suppressed) continue;
        if (c->whole && c->key.feature != FENDER_FEATURE_PAIR) continue; /* the row of the pair tells its depth */
        double limit = depth_limit(world, c);
        if (c->in.depth > limit && c->record < 0 && comes_from_below(world, c, time - world->time))
            return refuse_from_below(world, time, c, limit, error);
        if (c->record < 0) continue;
        if (!(c->in.depth > limit) || !(c->in.depth_rate > 0)) continue;
        char expected[120];
        snprintf(expected, sizeof expected,
                 "at most %.3g m (world.depth_limit, or the size of the smaller or thinner shape)", limit);
        return refuse_contact(world, time, c, "the depth exceeds its limit at contact", expected,
                              remedy_of_depth(world, c), error);
    }
    return status;
}

/* ---- Meshes within solids ---- */

/* Meshes have forces only at their surfaces: a mesh completely inside a solid has no contact, and one that has sunk
 * into another mesh by a large part of its size may lose its contact. */
#define DEEP 0.05 /* of the bounding radius of the mesh */

static bool may_hold(const fender_geometry *geometry)
{
    return geometry->surface ? geometry->surface->closed : geometry->thickness > 0;
}

/* No point of a solid that is no surface is deeper than half its least extent: a foot never holds a terrain. */
static bool may_hold_deep(const fender_geometry *geometry, double deep)
{
    if (!may_hold(geometry) || geometry->surface) return may_hold(geometry);
    const fender_vec3 extent = fender_vec3_sub(geometry->bounds.upper, geometry->bounds.lower);
    const double depth = 0.5 * (1 + 1e-9) * lesser(extent.x, lesser(extent.y, extent.z));
    return !(depth <= deep);
}

static bool boxes_overlap(const fnd_shape *a, const fnd_frame *frame_a, const fnd_shape *b, const fnd_frame *frame_b)
{
    fender_vec3 center_a, half_a, center_b, half_b;
    fnd_shape_box(a, frame_a, &center_a, &half_a);
    fnd_shape_box(b, frame_b, &center_b, &half_b);
    const fender_vec3 between = fender_vec3_sub(center_a, center_b), most = fender_vec3_add(half_a, half_b);
    return fabs(between.x) < most.x && fabs(between.y) < most.y && fabs(between.z) < most.z;
}

/* m; of the deepest corner of the mesh `inner` within `outer`; 0: none is. */
static double depth_within(const fnd_shape *outer, const fnd_frame *frame_o, const fnd_shape *inner,
                           const fnd_frame *frame_i)
{
    assert(inner->geometry->surface);
    const fender_geometry corner = {.type = FENDER_GEOMETRY_POINT};
    const fender_box *bounds = &outer->geometry->bounds;
    const fnd_pair_entry entry = fnd_pair_find(&corner, outer->geometry);
    const fnd_query query = {FND_QUERY_DISTANCE, INFINITY, NULL, NULL, 0};
    double deepest = 0;
    fnd_posed at_o, at_i;
    fnd_shapes_pose_pair(outer, inner, frame_o, frame_i, &at_o, &at_i);
    for (int i = 0; entry.function && i < inner->geometry->surface->vertex_count; i++) {
        const fender_vec3 arm = fender_mat3_times(&at_i.R_WG, inner->geometry->surface->vertices[i]);
        const fnd_posed at = {&corner, fender_vec3_add(at_i.p_WG, arm), at_i.R_WG};
        const fender_vec3 p = fender_mat3_transpose_times(&at_o.R_WG, fender_vec3_sub(at.p_WG, at_o.p_WG));
        if (p.x < bounds->lower.x || p.y < bounds->lower.y || p.z < bounds->lower.z || p.x > bounds->upper.x ||
            p.y > bounds->upper.y || p.z > bounds->upper.z)
            continue;
        fender_separation room[1];
        fnd_manifold out = {.items = room, .capacity = 1};
        fnd_pair_evaluate(&entry, &at, &at_o, &query, &out);
        if (out.count > 0 && !out.failed && -room[0].distance > deepest) deepest = -room[0].distance;
    }
    return deepest;
}

static fender_status refuse_within(const fender_world *world, double time, const fnd_shape *outer,
                                   const fnd_shape *inner, double depth, fender_error *error)
{
    const fnd_contact_model *model = &world->model;
    char message[640], name[440], found[80];
    const fnd_shape *a = outer < inner ? outer : inner, *b = outer < inner ? inner : outer;
    snprintf(name, sizeof name, "%s.%s:%s.%s", model->bodies[a->body].name, a->name, model->bodies[b->body].name,
             b->name);
    snprintf(message, sizeof message, "t = %s s: the mesh %s.%s is inside %s.%s without contact", fnd_number(time).text,
             model->bodies[inner->body].name, inner->name, model->bodies[outer->body].name, outer->name);
    snprintf(found, sizeof found, "a corner %.3g m deep", depth);
    return fnd_fail(error, FENDER_STATUS_VALUE, name, message, found, "shapes that are apart, or whose surfaces meet",
                    "place it outside, make it a hull, or keep the two apart by a rule (never); "
                    "within a run: a stiffer law, or a smaller world.depth_limit");
}

fender_status fnd_world_check_within(const fender_world *world, double time, const fnd_evaluation *e,
                                     fender_error *error)
{
    assert(world->dynamics.contacts.candidate_count >= 0);
    assert(world->dynamics.body_count == world->model.body_count);
    const fnd_contact_model *model = &world->model;
    const fnd_contact_set *set = &world->dynamics.contacts;
    if (!set->active) return FENDER_STATUS_OK; /* nothing is to touch */
    for (int i = 0; i < set->candidate_count; i++) {
        const fnd_candidate *pair = &set->candidates[i];
        const fnd_shape *shapes[2] = {&model->shapes[pair->a], &model->shapes[pair->b]};
        const fnd_frame *frames[2] = {&world->dynamics.frames[pair->body_a], &world->dynamics.frames[pair->body_b]};
        for (int k = 0; k < 2; k++) {
            const fnd_shape *inner = shapes[k], *outer = shapes[1 - k];
            if (inner->geometry->type != FENDER_GEOMETRY_MESH ||
                !may_hold_deep(outer->geometry, DEEP * inner->bounding_radius) ||
                !boxes_overlap(outer, frames[1 - k], inner, frames[k]))
                continue;
            bool touches = false;
            for (int c = 0; c < e->contacts.count && !touches; c++)
                touches = e->contacts.items[c].key.a == pair->a && e->contacts.items[c].key.b == pair->b;
            const double depth = touches ? 0 : depth_within(outer, frames[1 - k], inner, frames[k]);
            if (depth > DEEP * inner->bounding_radius) return refuse_within(world, time, outer, inner, depth, error);
        }
    }
    return FENDER_STATUS_OK;
}
