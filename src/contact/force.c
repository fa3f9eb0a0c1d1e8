/* From the motion of a contact to its force: frame, slip, spin, and laws. */
#include "contact/contact_set.h"
#include "geometry/point_query.h"
#include "geometry/support.h"
#include "law/friction_stick.h"
#include "math/rotation.h"
#include <assert.h>
#include <string.h>

/* ---- Frame and motion ---- */

void fnd_shapes_pose_pair(const fnd_shape *a, const fnd_shape *b, const fnd_frame *frame_a, const fnd_frame *frame_b,
                          fnd_posed *posed_a, fnd_posed *posed_b)
{
    posed_a->geometry = a->geometry;
    posed_a->p_WG = a->centered ? fender_vec3_make(0, 0, 0) : fender_mat3_times(&frame_a->R_WB, a->p_BG);
    posed_a->R_WG = fnd_shape_rotation(a, frame_a);
    posed_b->geometry = b->geometry;
    posed_b->p_WG = fender_vec3_sub(frame_b->p, frame_a->p);
    if (!b->centered) posed_b->p_WG = fender_vec3_add(posed_b->p_WG, fender_mat3_times(&frame_b->R_WB, b->p_BG));
    posed_b->R_WG = fnd_shape_rotation(b, frame_b);
}

static bool same_vector(fender_vec3 u, fender_vec3 v) { return u.x == v.x && u.y == v.y && u.z == v.z; }

static bool same_rotation(fender_quaternion p, fender_quaternion q)
{
    return p.w == q.w && p.x == q.x && p.y == q.y && p.z == q.z;
}

/* Half the angle of rotation of a body about n: see fnd_half_twist. */
static void half_twist(const fnd_frame *frame, fender_quaternion since, fender_vec3 n, double *cosine, double *sine)
{
    *cosine = 1;
    *sine = 0;
    if (same_rotation(frame->q, since)) return;
    fnd_half_twist(fender_quaternion_product(frame->q, fender_quaternion_conjugate(since)), n, cosine, sine);
}

/* Tangent of C: the tangent of the last accepted frame, rotated by the smallest rotation of the normal and the mean
 * spin of both bodies about it. The half twists of the two bodies add up to the mean angle, so that no angle is
 * computed. */
static fender_vec3 carried_tangent(const fnd_record *record, fender_vec3 normal, const fnd_frame *frame_a,
                                   const fnd_frame *frame_b, fender_quaternion since_a, fender_quaternion since_b)
{
    /* at the accepted state itself: the accepted value bit for bit, so that evaluating it again changes nothing */
    if (same_vector(normal, record->normal) && same_rotation(frame_a->q, since_a) && same_rotation(frame_b->q, since_b))
        return record->tangent;
    fender_vec3 x = fnd_least_rotation(record->normal, normal, record->tangent);
    double ca, sa, cb, sb;
    half_twist(frame_a, since_a, normal, &ca, &sa);
    half_twist(frame_b, since_b, normal, &cb, &sb);
    double c = ca * cb - sa * sb, s = sa * cb + ca * sb;
    fender_vec3 y = fender_vec3_cross(normal, x);
    x = fender_vec3_add(fender_vec3_scale(c, x), fender_vec3_scale(s, y));
    x = fender_vec3_add_scaled(x, -fender_vec3_dot(x, normal), normal); /* rounding does not add up over steps */
    return fender_vec3_scale(1.0 / fender_vec3_length(x), x);
}

/* Velocity of b relative to a at the contact point. */
static fender_vec3 point_motion(const fnd_contact *c, const fnd_frame *frame_a, const fnd_frame *frame_b)
{
    return fender_vec3_sub(fender_vec3_add(frame_b->v, fender_vec3_cross(frame_b->w, c->lever_b)),
                           fender_vec3_add(frame_a->v, fender_vec3_cross(frame_a->w, c->lever_a)));
}

/* Relative motion of the bodies at the contact point, in its frame. */
static void fill_motion(fnd_contact *c, const fnd_frame *frame_a, const fnd_frame *frame_b)
{
    fender_vec3 y = fender_vec3_cross(c->normal, c->tangent), velocity = point_motion(c, frame_a, frame_b);
    fender_vec3 spin = fender_vec3_sub(frame_b->w, frame_a->w);
    c->in.depth_rate = -c->gain * fender_vec3_dot(velocity, c->normal);
    c->in.slip = (fender_vec2){fender_vec3_dot(velocity, c->tangent), fender_vec3_dot(velocity, y)};
    c->in.spin = fender_vec3_make(fender_vec3_dot(spin, c->tangent), fender_vec3_dot(spin, y),
                                  fender_vec3_dot(spin, c->normal));
}

/* What parts that move within their trees add to the motion. */
static void add_parts(const fnd_contact_model *model, const fnd_frame *frame_a, const fnd_frame *frame_b,
                      fnd_contact *c)
{
    const fnd_body *a = &model->bodies[model->shapes[c->key.a].body], *b = &model->bodies[model->shapes[c->key.b].body];
    if (!a->moving && !b->moving) return;
    const fender_vec3 y = fender_vec3_cross(c->normal, c->tangent);
    const fender_vec3 v = fender_vec3_sub(fnd_part_velocity(b, &frame_b->R_WB, c->lever_b),
                                          fnd_part_velocity(a, &frame_a->R_WB, c->lever_a));
    const fender_vec3 w = fender_vec3_sub(fnd_part_turning(b, &frame_b->R_WB), fnd_part_turning(a, &frame_a->R_WB));
    c->in.depth_rate -= c->gain * fender_vec3_dot(v, c->normal);
    c->in.slip = (fender_vec2){c->in.slip.x + fender_vec3_dot(v, c->tangent), c->in.slip.y + fender_vec3_dot(v, y)};
    c->in.spin = fender_vec3_add(c->in.spin, fender_vec3_make(fender_vec3_dot(w, c->tangent), fender_vec3_dot(w, y),
                                                              fender_vec3_dot(w, c->normal)));
}

void fnd_contact_add_drive(const fnd_contact_model *model, const fnd_frame *frame_a, const fnd_frame *frame_b,
                           fnd_contact *c)
{
    if (fnd_model_moves(model)) add_parts(model, frame_a, frame_b, c);
    assert((int)c->key.a < model->shape_count && (int)c->key.b < model->shape_count);
    const fnd_shape *shapes[2] = {&model->shapes[c->key.a], &model->shapes[c->key.b]};
    c->driven = shapes[0]->runs || shapes[1]->runs;
    if (!c->driven) return;
    const fnd_frame *frames[2] = {frame_a, frame_b};
    const fender_vec3 levers[2] = {c->lever_a, c->lever_b};
    fender_vec3 run = {0, 0, 0}, spin = {0, 0, 0}, y = fender_vec3_cross(c->normal, c->tangent);
    for (int i = 0; i < 2; i++) {
        if (!shapes[i]->runs) continue;
        double sign = i == 0 ? -1 : 1;
        fender_mat3 R_WG = fnd_shape_rotation(shapes[i], frames[i]);
        fender_vec3 w = fender_mat3_times(&R_WG, shapes[i]->spinning), v = fender_mat3_times(&R_WG, shapes[i]->running);
        fender_vec3 arm = fender_vec3_sub(levers[i], fender_mat3_times(&frames[i]->R_WB, shapes[i]->p_BG));
        run = fender_vec3_add_scaled(run, sign, fender_vec3_add(v, fender_vec3_cross(w, arm)));
        spin = fender_vec3_add_scaled(spin, sign, w);
    }
    c->drive = (fender_vec2){fender_vec3_dot(run, c->tangent), fender_vec3_dot(run, y)};
    c->drive_spin = fender_vec3_make(fender_vec3_dot(spin, c->tangent), fender_vec3_dot(spin, y),
                                     fender_vec3_dot(spin, c->normal));
    c->in.slip = (fender_vec2){c->in.slip.x + c->drive.x, c->in.slip.y + c->drive.y};
    c->in.spin = fender_vec3_add(c->in.spin, c->drive_spin);
}

/* Slip, spin and rate of depth of a contact in its frame, with what running surfaces add, as the bodies move now. */
static void contact_move(const fnd_contact_model *model, const fnd_frame *frame_a, const fnd_frame *frame_b,
                         fnd_contact *c)
{
    assert((int)c->key.a < model->shape_count && (int)c->key.b < model->shape_count);
    fill_motion(c, frame_a, frame_b);
    fnd_contact_add_drive(model, frame_a, frame_b, c);
}

void fnd_contact_pose(fnd_contact *c, const fender_separation *separation, fender_vec3 origin, const fnd_record *record,
                      const fender_quaternion *since, const fnd_frame *frame_a, const fnd_frame *frame_b)
{
    fender_vec3 middle = fender_vec3_scale(0.5, fender_vec3_add(separation->point_a, separation->point_b));
    c->normal = fender_vec3_make(separation->normal.x, separation->normal.y, separation->normal.z); /* see below */
    c->lever_a = fender_vec3_add(origin, middle);
    c->lever_b = fender_vec3_sub(c->lever_a, fender_vec3_sub(frame_b->p, frame_a->p));
    c->tangent = record ? carried_tangent(record, c->normal, frame_a, frame_b, since[c->body_a], since[c->body_b])
                        : fnd_any_tangent(c->normal);
    c->gain = 1 + separation->slant;
    c->in.depth = -separation->distance;
    c->in.weight = separation->weight;
    c->in.area = separation->area;
    c->in.index = separation->index;
    c->turn = separation->turn;
    c->border = separation->border;
    fill_motion(c, frame_a, frame_b);
}

void fnd_contact_carry(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames,
                       const fnd_record *record, fnd_contact *c)
{
    int a = model->shapes[c->key.a].root, b = model->shapes[c->key.b].root;
    const fnd_frame *frame_a = &frames[a], *frame_b = &frames[b];
    c->tangent = carried_tangent(record, c->normal, frame_a, frame_b, set->since[a], set->since[b]);
    contact_move(model, frame_a, frame_b, c);
}

void fnd_contact_of_separation(const fnd_contact_model *model, const fnd_candidate *pair,
                               const fender_separation *separation, fender_vec3 origin, const fnd_frame *frame_a,
                               const fnd_frame *frame_b, fnd_contact *out)
{
    memset(out, 0, sizeof *out);
    out->key = (fnd_key){pair->a, pair->b, separation->feature};
    out->type = pair->type;
    out->body_a = pair->body_a;
    out->body_b = pair->body_b;
    out->record = -1;
    out->weight_fades = separation->weight_fades;
    out->shared = separation->shared;
    fnd_contact_pose(out, separation, origin, NULL, NULL, frame_a, frame_b);
    if (fnd_model_moves(model)) add_parts(model, frame_a, frame_b, out);
}

bool fnd_contact_probe_pair(const fnd_contact_model *model, const fnd_frame *frame_a, const fnd_frame *frame_b, int a,
                            int b, double reach, fnd_triangle_memory *memory, fnd_contact *out)
{
    assert(a >= 0 && a < model->shape_count);
    assert(b >= 0 && b < model->shape_count);
    const fnd_shape *shape_a = &model->shapes[a], *shape_b = &model->shapes[b];
    fnd_pair_entry entry = fnd_pair_find(shape_a->geometry, shape_b->geometry);
    if (!entry.function) return false;
    fnd_posed posed_a, posed_b;
    fnd_shapes_pose_pair(shape_a, shape_b, frame_a, frame_b, &posed_a, &posed_b);
    fender_separation separation;
    fnd_manifold one = {.items = &separation, .capacity = 1};
    const fnd_query query = {reach < INFINITY ? FND_QUERY_SINGLE : FND_QUERY_DISTANCE, reach, NULL, memory, 0};
    fnd_pair_evaluate(&entry, &posed_a, &posed_b, &query, &one);
    if (one.count < 1) return false;
    memset(out, 0, sizeof *out);
    out->key = (fnd_key){(uint32_t)a, (uint32_t)b, separation.feature};
    out->body_a = shape_a->root;
    out->body_b = shape_b->root;
    out->record = -1;
    fnd_contact_pose(out, &separation, posed_a.p_WG, NULL, NULL, frame_a, frame_b);
    if (fnd_model_moves(model)) add_parts(model, frame_a, frame_b, out);
    return true;
}

/* A point relative to the centre of mass of the shape's root (W), in the shape's own frame. */
static fender_vec3 place_in(const fnd_shape *shape, const fnd_frame *frame, fender_vec3 point)
{
    const fender_mat3 R_WG = fnd_shape_rotation(shape, frame);
    return fender_mat3_transpose_times(&R_WG, fender_vec3_sub(point, fender_mat3_times(&frame->R_WB, shape->p_BG)));
}

bool fnd_contact_is_deep(const fnd_contact_model *model, const fnd_frame *frames, const fnd_contact *contact,
                         double way)
{
    const fnd_shape *a = &model->shapes[contact->key.a], *b = &model->shapes[contact->key.b];
    const bool first = a->geometry->surface != NULL; /* is the grid or mesh */
    const fnd_shape *ground = first ? a : b, *solid = first ? b : a;
    if (!(contact->in.depth > way)) return false;
    assert(ground->geometry->surface && !solid->geometry->surface);
    /* the contact's point of the solid, which may be a little outside of it: of a polygon around a cap, say */
    const fender_vec3 way_in = fender_vec3_scale((first ? -0.5 : 0.5) * contact->in.depth, contact->normal);
    const fender_vec3 in_solid = fender_vec3_add(first ? contact->lever_b : contact->lever_a, way_in),
                      in_ground = fender_vec3_add(first ? contact->lever_a : contact->lever_b, way_in);
    fnd_solid_point nearest;
    if (!fnd_point_query(solid->geometry, place_in(solid, &frames[solid->root], in_solid), &nearest)) return false;
    if (nearest.distance > 0) way += nearest.distance;
    const fnd_surface *surface = ground->geometry->surface;
    const fender_vec3 at = place_in(ground, &frames[ground->root], in_ground);
    const fnd_surface_closest place = fnd_surface_nearest(surface, at, INFINITY);
    return place.triangle >= 0 && place.distance > way && fnd_surface_is_behind(surface, at, &place);
}

/* ---- Surfaces ---- */

/* Axes of C as the rows of R_CW. */
static fender_mat3 frame_of(const fnd_contact *c)
{
    fender_vec3 x = c->tangent, y = fender_vec3_cross(c->normal, c->tangent), z = c->normal;
    return (fender_mat3){{{x.x, x.y, x.z}, {y.x, y.y, y.z}, {z.x, z.y, z.z}}};
}

/* One of the shapes: `lever` to the common point, `way` the distance from there to its surface along the outward normal
 * (W). */
static fender_curvature look_at(const fnd_shape *shape, const fnd_frame *frame, const fender_mat3 *R_CW,
                                fender_vec3 lever, fender_vec3 outward, double way, fender_mat3 *R_CG,
                                fender_vec3 *point_G)
{
    fender_mat3 R_WG = fnd_shape_rotation(shape, frame);
    *R_CG = fender_mat3_product(R_CW, &R_WG);
    fender_vec3 arm = shape->centered ? lever : fender_vec3_sub(lever, fender_mat3_times(&frame->R_WB, shape->p_BG));
    *point_G = fender_mat3_transpose_times(&R_WG, arm);
    fender_vec3 n = fender_mat3_transpose_times(&R_WG, outward);
    fnd_curvature k = fnd_geometry_curvature(shape->geometry, fender_vec3_add_scaled(*point_G, way, n), n);
    fender_vec3 direction = fender_mat3_times(R_CG, k.direction);
    return (fender_curvature){k.first, k.second, {direction.x, direction.y}};
}

/* Of all curvatures: what the sum has less of across its first direction is rounding, as where a cylinder lies on a
 * plane. Its inverse would be a radius. */
#define STRAIGHT 1e-12

/* Curvature tensors in C add up. */
static fender_curvature sum_of(const fender_curvature *a, const fender_curvature *b)
{
    const fender_curvature *both[2] = {a, b};
    double xx = 0, xy = 0, yy = 0, all = 0;
    for (int i = 0; i < 2; i++) {
        const fender_curvature *k = both[i];
        all += fabs(k->first) + fabs(k->second);
        double excess = k->first - k->second, x = k->direction.x, y = k->direction.y;
        xx += k->second + excess * x * x;
        xy += excess * x * y;
        yy += k->second + excess * y * y;
    }
    fnd_symmetric_plane e = fnd_symmetric_plane_of(xx, xy, yy);
    if (fabs(e.second) <= STRAIGHT * all) e.second = 0;
    return (fender_curvature){e.first, e.second, {e.cosine, e.sine}};
}

void fnd_contact_surface_see(const fnd_contact_model *model, const fnd_frame *frame_a, const fnd_frame *frame_b,
                             fnd_contact *c, fender_contact_surface *out)
{
    assert((int)c->key.a < model->shape_count && (int)c->key.b < model->shape_count);
    assert(c->gain > 0);
    fender_mat3 R_CW = frame_of(c);
    double way = 0.5 * c->in.depth / c->gain; /* depth of the common point below both surfaces */
    out->a = look_at(&model->shapes[c->key.a], frame_a, &R_CW, c->lever_a, c->normal, way, &out->R_CA, &out->point_A);
    out->b = look_at(&model->shapes[c->key.b], frame_b, &R_CW, c->lever_b, fender_vec3_negate(c->normal), way,
                     &out->R_CB, &out->point_B);
    out->relative = sum_of(&out->a, &out->b);
    double product = out->relative.first * out->relative.second;
    out->radius = out->relative.second > 0 ? 1 / sqrt(product) : INFINITY;
    c->in.surface = out;
}

/* ---- Laws ---- */

/* Splits the power of slip and spin into that of the bodies' own motion and the work of the drives. */
static void book_drive(fnd_contact *c, const fender_contact_output *out)
{
    double power = out->force.x * c->drive.x + out->force.y * c->drive.y + fender_vec3_dot(out->torque, c->drive_spin);
    c->power -= power;
    c->supplied_power -= power;
}

static const double *slot_states(const fnd_slot *slot, const double *states)
{
    assert(!states || slot->law->state_count >= 0);
    return slot->law->state_count > 0 ? states + slot->state_offset : NULL;
}

/* Scales the output of the law for full contact by the weight of a point of a patch. */
static void weigh(fender_contact_output *out, double weight)
{
    out->force = fender_vec3_scale(weight, out->force);
    out->torque = fender_vec3_scale(weight, out->torque);
    out->damping_power *= weight;
    out->friction_power *= weight;
    out->supplied_power *= weight;
}

/* The laws' depth changes `gain` times as fast as the displacement along the normal. The force is multiplied by `gain`,
 * including tangential forces of whole laws. Power is unchanged. */
static void lean(const fnd_contact_type *type, double gain, fender_contact_output *out)
{
    out->force.z *= gain;
    if (!type->whole) return;
    out->force.x *= gain;
    out->force.y *= gain;
    out->torque = fender_vec3_scale(gain, out->torque);
    out->friction_power *= gain;
}

/* A law receives its own part of the prescribed forces; a whole law receives all. */
static void show_prescribed(const fnd_contact_type *type, const fnd_slot *slot, fender_contact_input *in)
{
    if (!type->is_prescribed || type->whole) return;
    if (slot != &type->friction) in->prescribed_friction = (fender_vec2){0, 0};
    if (slot != &type->primary) in->prescribed_normal = 0;
}

static const double no_states[FENDER_LAW_STATE_CAPACITY * FND_SLOT_COUNT];

/* The weight depends on the attitude, and so does the stored energy: the moment that goes with it. Area comes without
 * stretch and takes its stretch along: that has no moment. */
static void turn_with_weight(const fnd_contact_type *type, const unsigned char *memory, const double *states,
                             fnd_contact *c)
{
    const double energy = fnd_slot_stored_energy(type, &type->primary, memory, c->border > 0 ? no_states : states,
                                                 &c->in, c->border);
    const fender_vec3 torque = fender_vec3_scale(energy, c->turn), y = fender_vec3_cross(c->normal, c->tangent);
    fender_vec3 spin = c->in.spin; /* of the bodies, not of surfaces that run */
    if (c->driven) spin = fender_vec3_sub(spin, c->drive_spin);
    c->torque = fender_vec3_add(c->torque, torque);
    c->power += fender_vec3_dot(torque, c->tangent) * spin.x + fender_vec3_dot(torque, y) * spin.y +
                fender_vec3_dot(torque, c->normal) * spin.z;
}

void fnd_contact_force(const fnd_contact_type *type, const unsigned char *memory, const double *states, fnd_contact *c)
{
    assert(type->primary.law);
    assert(c->gain > 0);
    fender_contact_output out = {{0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0};
    /* componentwise, because copying a struct would wait for its members, which were just written */
    double prescribed_normal = c->in.prescribed_normal;
    fender_vec2 prescribed_friction = c->in.prescribed_friction;
    c->in.normal_force = 0;
    c->in.states = slot_states(&type->primary, states);
    show_prescribed(type, &type->primary, &c->in);
    type->primary.law->force(type->primary.parameters, &c->in, memory, &out);
    if (c->gain != 1) lean(type, c->gain, &out);
    for (int i = FND_SLOT_FRICTION; i < type->slot_count; i++) {
        const fnd_slot *slot = &type->slots[i];
        fender_contact_output friction;
        if (!slot->law) continue;
        memset(&friction, 0, sizeof friction);
        c->in.normal_force = out.force.z;
        c->in.states = slot_states(slot, states);
        c->in.prescribed_friction = prescribed_friction;
        show_prescribed(type, slot, &c->in);
        slot->law->force(slot->parameters, &c->in, memory + slot->memory_offset, &friction);
        if (i == FND_SLOT_FRICTION) {
            out.force.x += friction.force.x;
            out.force.y += friction.force.y;
        }
        out.torque = fender_vec3_add(out.torque, friction.torque);
        out.friction_power += friction.friction_power + friction.damping_power;
        out.supplied_power += friction.supplied_power;
        if (type->mode_slot == i) out.mode = friction.mode;
    }
    c->in.states = NULL; /* they belong to this call */
    c->in.prescribed_normal = prescribed_normal;
    c->in.prescribed_friction = prescribed_friction;
    if (c->in.weight != 1) weigh(&out, c->in.weight);
    fender_vec3 y = fender_vec3_cross(c->normal, c->tangent);
    c->force_C = fender_vec3_make(out.force.x, out.force.y, out.force.z);
    c->force = fender_vec3_add(
        fender_vec3_add(fender_vec3_scale(out.force.x, c->tangent), fender_vec3_scale(out.force.y, y)),
        fender_vec3_scale(out.force.z, c->normal));
    bool rotations = out.torque.x != 0 || out.torque.y != 0 || out.torque.z != 0; /* few laws do */
    c->torque = fender_vec3_make(out.torque.x, out.torque.y, out.torque.z);
    if (rotations)
        c->torque = fender_vec3_add(
            fender_vec3_add(fender_vec3_scale(out.torque.x, c->tangent), fender_vec3_scale(out.torque.y, y)),
            fender_vec3_scale(out.torque.z, c->normal));
    c->damping_power = out.damping_power;
    c->friction_power = out.friction_power;
    c->supplied_power = out.supplied_power;
    c->strength = fender_vec3_length(c->force);
    double rate = c->gain != 1 ? c->in.depth_rate / c->gain : c->in.depth_rate; /* along the normal */
    c->power = out.force.x * c->in.slip.x + out.force.y * c->in.slip.y - out.force.z * rate;
    if (rotations) c->power += fender_vec3_dot(out.torque, c->in.spin);
    if (c->driven) book_drive(c, &out);
    c->mode = out.mode;
    if (c->turn.x != 0 || c->turn.y != 0 || c->turn.z != 0) turn_with_weight(type, memory, states, c);
    if (c->weight_fades && type->state_count > 0) c->held = fnd_contact_held_energy(type, memory, states, c);
}

void fnd_slot_input_adapt(const fnd_contact_type *type, const fnd_slot *slot, const double *states,
                          fender_contact_input *in)
{
    if (slot == &type->primary) in->normal_force = 0; /* its own answer, not its input */
    show_prescribed(type, slot, in);
    in->states = slot_states(slot, states);
}

fnd_slot_view fnd_slot_view_open(const fnd_contact_type *type, const fnd_slot *slot, const double *states,
                                 fender_contact_input *in)
{
    const fnd_slot_view view = {in->normal_force, in->prescribed_normal, in->prescribed_friction, in->states};
    fnd_slot_input_adapt(type, slot, states, in);
    return view;
}

void fnd_slot_view_close(const fnd_slot_view *view, fender_contact_input *in)
{
    in->normal_force = view->normal_force;
    in->prescribed_normal = view->prescribed_normal;
    in->prescribed_friction = view->prescribed_friction;
    in->states = view->states;
}

fender_contact_input fnd_slot_input(const fnd_contact_type *type, const fnd_slot *slot, const fender_contact_input *in,
                                    const double *states)
{
    fender_contact_input own = *in;
    fnd_slot_input_adapt(type, slot, states, &own);
    return own;
}

/* What the normal law stores per weight where a patch ends: area that passes has no stretch there. `memory`: its own.
 */
static double energy_at_border(const fnd_contact_type *type, const unsigned char *memory,
                               const fender_contact_input *in, double border)
{
    fender_contact_input own = fnd_slot_input(type, &type->primary, in, no_states);
    own.depth = -border;
    return type->primary.law->stored_energy(type->primary.parameters, &own, memory);
}

double fnd_slot_stored_energy(const fnd_contact_type *type, const fnd_slot *slot, const unsigned char *memory,
                              const double *states, const fender_contact_input *in, double border)
{
    if (!slot->law || !slot->law->stored_energy) return 0; /* slots in the middle may be empty */
    memory += slot->memory_offset;
    const bool relative = border > 0 && slot == &type->primary;
    bool as_is = !type->is_prescribed && slot->law->state_count == 0 && !in->states && !relative &&
                 (slot != &type->primary || in->normal_force == 0);
    if (as_is) return in->weight * slot->law->stored_energy(slot->parameters, in, memory);
    fender_contact_input own = fnd_slot_input(type, slot, in, states);
    double energy = slot->law->stored_energy(slot->parameters, &own, memory);
    return in->weight * (relative ? energy - energy_at_border(type, memory, in, border) : energy);
}

double fnd_energy_to_border(const fnd_contact_type *type, const unsigned char *memory, const fender_contact_input *in,
                            double border, double touch_weight)
{
    if (!(border > 0) || !(touch_weight > 0) || !type->primary.law->stored_energy) return 0;
    return touch_weight * energy_at_border(type, memory + type->primary.memory_offset, in, border);
}

double fnd_contact_held_energy(const fnd_contact_type *type, const unsigned char *memory, const double *states,
                               const fnd_contact *c)
{
    double sum = 0;
    if (!(c->in.weight > 0)) return 0;
    for (int i = FND_SLOT_FRICTION; i < type->slot_count; i++) {
        const fnd_slot *slot = &type->slots[i];
        if (!slot->law || slot->law->state_count == 0) continue;
        sum += fnd_slot_stored_energy(type, slot, memory, states, &c->in, c->border) -
               fnd_slot_stored_energy(type, slot, memory, no_states, &c->in, c->border);
    }
    return sum / c->in.weight;
}

double fnd_contact_stored_energy(const fnd_contact_type *type, const unsigned char *memory, const double *states,
                                 const fnd_contact *c, double touch_weight)
{
    if (c->key.feature == FENDER_FEATURE_PAIR) return 0; /* its laws have not begun, because other laws act */
    double sum = fnd_slot_stored_energy(type, &type->primary, memory, states, &c->in, c->border) +
                 fnd_energy_to_border(type, memory, &c->in, c->border, touch_weight);
    for (int i = FND_SLOT_FRICTION; i < type->slot_count; i++)
        sum += fnd_slot_stored_energy(type, &type->slots[i], memory, states, &c->in, 0);
    return sum;
}

void fnd_contact_begin(const fnd_contact_type *type, const fnd_contact *contact, unsigned char *memory)
{
    assert(type->primary.law && memory);
    const fender_contact_input *in = &contact->in;
    if (type->memory_size > 0) memset(memory, 0, type->memory_size);
    double *states = fnd_memory_states(type, memory);
    for (int i = 0; i < type->state_count; i++) states[i] = 0;
    fender_contact_input own = fnd_slot_input(type, &type->primary, in, states);
    if (type->primary.law->begin) type->primary.law->begin(type->primary.parameters, &own, memory);
    for (int i = FND_SLOT_FRICTION; i < type->slot_count; i++) {
        const fnd_slot *slot = &type->slots[i];
        if (!slot->law || !slot->law->begin) continue;
        fender_contact_output out;
        memset(&out, 0, sizeof out);
        own = fnd_slot_input(type, &type->primary, in, states);
        type->primary.law->force(type->primary.parameters, &own, memory, &out);
        own = fnd_slot_input(type, slot, in, states);
        own.normal_force = contact->gain * out.force.z;
        slot->law->begin(slot->parameters, &own, memory + slot->memory_offset);
    }
}

/* Of friction that sticks, from slip and normal force alone. With frames, the bodies have their motion. */
static void stick_rates(const fnd_contact_type *type, const unsigned char *memory, const fnd_contact *c,
                        const fnd_frame *frames, const double *states, double *rates)
{
    assert(!c->driven);
    const fnd_slot *slot = &type->friction;
    fnd_stick_slip_input in = {c->in.slip, c->in.normal_force > 0 ? c->in.normal_force : 0, states + slot->state_offset,
                               c->in.located};
    if (frames) {
        const fender_vec3 velocity = point_motion(c, &frames[c->body_a], &frames[c->body_b]);
        const fender_vec3 y = fender_vec3_cross(c->normal, c->tangent);
        in.rate = (fender_vec2){fender_vec3_dot(velocity, c->tangent), fender_vec3_dot(velocity, y)};
    }
    fnd_stick_slip_rates(slot->parameters, &in, (const void *)(memory + slot->memory_offset),
                         rates + slot->state_offset);
}

static void slot_rates(const fnd_contact_type *type, const fnd_slot *slot, const unsigned char *memory,
                       const fender_contact_input *in, const double *states, double *rates)
{
    if (!slot->law || slot->law->state_count == 0) return;
    fender_contact_input own = fnd_slot_input(type, slot, in, states);
    slot->law->state_rates(slot->parameters, &own, memory + slot->memory_offset, rates + slot->state_offset);
}

void fnd_contact_state_rates(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_contact_list *found,
                             const fnd_frame *frames, const double *states, double *rates)
{
    assert(found->count == 0 || set->state_stride >= 0);
    int stride = set->state_stride;
    for (int i = 0; i < stride * set->records.count; i++) rates[i] = 0;
    if (stride == 0) return;
    for (int i = 0; i < found->count; i++) {
        const fnd_contact *c = &found->items[i];
        const fnd_contact_type *type = &model->types[c->type];
        if (c->key.feature == FENDER_FEATURE_PAIR) continue; /* it represents other contacts, only at accepted states */
        if (c->record < 0 || type->state_count == 0 || set->records.items[c->record].suppressed) continue;
        const unsigned char *memory = fnd_record_memory(&set->records, c->record);
        ptrdiff_t at = (ptrdiff_t)c->record * stride;
        const double area = fnd_record_area(&set->records.items[c->record], c->in.weight);
        double room[FND_SLOT_COUNT * FENDER_LAW_STATE_CAPACITY];
        const double *own_states = fnd_states_of_area(type, states + at, area, room);
        if (c->grip != FND_GRIP_OTHER && !frames) {
            assert(area == 1);
            double *own = rates + at + type->friction.state_offset; /* as of fnd_stick_slip_rates */
            own[0] = c->in.slip.x;
            own[1] = c->in.slip.y;
            continue;
        }
        if (type->sticks && !c->driven && !(frames && fnd_model_moves(model))) {
            stick_rates(type, memory, c, frames, own_states, rates + at);
            for (int k = 0; area != 1 && k < type->state_count; k++) rates[at + k] *= area;
            continue;
        }
        fnd_contact moved;
        if (frames) {
            moved = *c;
            const fnd_frame *frame_a = &frames[model->shapes[c->key.a].root],
                            *frame_b = &frames[model->shapes[c->key.b].root];
            contact_move(model, frame_a, frame_b, &moved);
            c = &moved;
        }
        for (int k = 0; k < type->slot_count; k++)
            slot_rates(type, &type->slots[k], memory, &c->in, own_states, rates + at);
        for (int k = 0; area != 1 && k < type->state_count; k++) rates[at + k] *= area;
    }
}

void fnd_contact_states_pack(const fnd_contact_set *set, const fnd_contact_model *model, double *states)
{
    assert(states || set->records.count == 0 || set->state_stride == 0);
    int stride = set->state_stride;
    for (int i = 0; stride > 0 && i < set->records.count; i++) { /* their places are in order */
        const fnd_contact_type *type = &model->types[set->records.items[i].type];
        const double *own = fnd_memory_states(type, fnd_record_memory(&set->records, i));
        const double area = fnd_record_area(&set->records.items[i], 0);
        for (int k = 0; k < stride; k++) *states++ = k < type->state_count ? area * own[k] : 0;
    }
}
