/* The load between two bodies: sums over contacts and links, and the joint of attached bodies from their motion. */
#include "body/mass_tree.h"
#include "world/world.h"
#include <assert.h>

#define ROW(member, unit, kind, doc)                                                                       \
    {                                                                                                      \
#member, unit, doc, kind, offsetof(fender_interface_data, member), 0, -INFINITY, INFINITY, 0, NULL \
    }
static const fender_field interface_fields[] = {
    ROW(force, "N", FENDER_FIELD_VEC3, "Of contacts, links and joint, on the first body."),
    ROW(torque, "N*m", FENDER_FIELD_VEC3, "Of contacts, links and joint, about the origin of the frame."),
    ROW(contact_force, "N", FENDER_FIELD_VEC3, "Sum of the contacts of both bodies with each other."),
    ROW(contact_torque, "N*m", FENDER_FIELD_VEC3, "Torque of the contacts."),
    ROW(link_force, "N", FENDER_FIELD_VEC3, "Sum of the links between both bodies."),
    ROW(link_torque, "N*m", FENDER_FIELD_VEC3, "Torque of the links."),
    ROW(joint_force, "N", FENDER_FIELD_VEC3, "Through the attachment of one to the other; 0 for bodies of two trees."),
    ROW(joint_torque, "N*m", FENDER_FIELD_VEC3, "Torque through the attachment."),
    ROW(force_magnitude, "N", FENDER_FIELD_REAL, "Of the force."),
    ROW(torque_magnitude, "N*m", FENDER_FIELD_REAL, "Of the torque."),
    ROW(contact_force_magnitude, "N", FENDER_FIELD_REAL, "Of the contact force."),
    ROW(joint_force_magnitude, "N", FENDER_FIELD_REAL, "Of the joint force."),
    ROW(joint_torque_magnitude, "N*m", FENDER_FIELD_REAL, "Of the joint torque."),
    ROW(contact_count, "1", FENDER_FIELD_INT, "Contacts of both bodies with a depth above 0."),
};
static const fender_field_table interface_table = FENDER_FIELD_TABLE("interface", interface_fields,
                                                                     fender_interface_data);
const fender_field_table *fender_interface_fields(void) { return &interface_table; }

/* A body with all that is beyond it as seen from another that it is connected to (-1: with its subtree). */
typedef struct side {
    int top, from;
} side;

static bool is_on(const fnd_body *bodies, side s, int body)
{
    if (s.from < 0) return fnd_tree_descends(bodies, body, s.top);
    if (body == s.top || body == s.from) return body == s.top;
    return fnd_tree_root(bodies, body) == fnd_tree_root(bodies, s.top) && fnd_tree_step(bodies, s.from, body) == s.top;
}

/* A body with what is attached to it along the connections as seen from the root of its tree: its subtree, unless
 * connections lead past the links of the tree. */
static side side_of(const fnd_body *bodies, int body)
{
    if (bodies[body].parent < 0) return (side){body, -1};
    if (fnd_tree_lower_end(bodies, body) == body && fnd_tree_bypass(bodies, body) < 0) return (side){body, -1};
    return (side){body, fnd_tree_step(bodies, body, fnd_tree_root(bodies, body))};
}

/* One side without another (top -1: none). */
typedef struct part {
    side with, without;
} part;
static const side nothing = {-1, -1};

static bool belongs(const fnd_body *bodies, const part *p, int body)
{
    return is_on(bodies, p->with, body) && (p->without.top < 0 || !is_on(bodies, p->without, body));
}

/* A wrench about a point, W. */
typedef struct sum {
    fender_vec3 about; /* m, W */
    fender_wrench wrench;
} sum;

/* A force at a lever from the centre of a root, and a torque about its point of application. */
static void add(sum *s, fender_vec3 root, fender_vec3 lever, fender_vec3 force, fender_vec3 torque)
{
    fender_vec3 arm = fender_vec3_add(lever, fender_vec3_sub(root, s->about));
    s->wrench.force = fender_vec3_add(s->wrench.force, force);
    s->wrench.torque = fender_vec3_add(s->wrench.torque, fender_vec3_add(torque, fender_vec3_cross(arm, force)));
}

static fender_vec3 root_position(const fender_world *world, int root) { return world->model.bodies[root].state.p; }

/* What contacts do to `one`: with `other` alone, or (NULL) with everything outside. */
static int add_contacts(const fender_world *world, const part *one, const part *other, sum *s)
{
    const fnd_contact_model *model = &world->model;
    const fnd_contact_list *list = &world->dynamics.evaluations[0].contacts;
    int touching = 0;
    for (int i = 0; i < list->count; i++) {
        const fnd_contact *c = &list->items[i];
        const int body_a = model->shapes[c->key.a].body, body_b = model->shapes[c->key.b].body;
        const bool on_a = belongs(model->bodies, one, body_a), on_b = belongs(model->bodies, one, body_b);
        if (on_a == on_b || (other && !belongs(model->bodies, other, on_a ? body_b : body_a))) continue;
        touching += c->in.depth > 0;
        if (on_a)
            add(s, root_position(world, c->body_a), c->lever_a, fender_vec3_negate(c->force),
                fender_vec3_negate(c->torque));
        else add(s, root_position(world, c->body_b), c->lever_b, c->force, c->torque);
    }
    return touching;
}

/* The same of links; within a tree, too. */
static void add_links(const fender_world *world, const part *one, const part *other, sum *s)
{
    const fnd_contact_model *model = &world->model;
    const fnd_dynamics *d = &world->dynamics;
    for (int i = 0; i < d->evaluations[0].link_count; i++) {
        const fnd_link_value *v = &d->evaluations[0].links[i];
        if (!v->there || !v->alive) continue;
        const int body_a = model->points[d->links[i].point_a].body, body_b = model->points[d->links[i].point_b].body;
        const bool on_a = belongs(model->bodies, one, body_a), on_b = belongs(model->bodies, one, body_b);
        if (on_a == on_b || (other && !belongs(model->bodies, other, on_a ? body_b : body_a))) continue;
        if (on_a)
            add(s, root_position(world, v->root_a), v->lever_a, fender_vec3_negate(v->force_on_b),
                fender_vec3_negate(v->torque_on_b));
        else add(s, root_position(world, v->root_b), v->lever_b, v->force_on_b, v->torque_on_b);
    }
}

static void add_loads(const fender_world *world, const part *one, const fnd_frame *root, sum *s)
{
    const fnd_dynamics *d = &world->dynamics;
    for (int i = 0; i < d->load_count; i++) {
        const fnd_load *load = &d->loads[i];
        if (!load->name || !(load->active || fnd_load_is_wheel(load))) continue;
        if (!belongs(world->model.bodies, one, load->body)) continue;
        const fnd_body *tank = load->tank >= 0 ? &world->model.bodies[load->tank] : NULL;
        const double piece = load->def.kind == FENDER_LOAD_GIVEN && !d->pieces ? (double)NAN
                                                                               : fnd_piece_of(world->time);
        fnd_load_value v;
        fender_vec3 lever, turning = d->field.rotating ? d->field.omega : (fender_vec3){0, 0, 0};
        const fnd_body *body = &world->model.bodies[load->body];
        const fnd_frame carrier = fnd_part_carrier(body, root);
        fnd_load_readings read;
        const bool reads = fnd_load_read_bodies(d, load, NULL, &read);
        fnd_load_evaluate(load, body, tank, reads ? &read : NULL, &carrier, world->time, piece, turning, &v, &lever);
        add(s, root->p, lever, v.force, v.torque);
    }
}

/* Rate of the angular velocity of a tree from Euler's equation L' = torque; an immovable one turns evenly. */
static fender_vec3 angular_acceleration(const fender_world *world, int root, const fnd_frame *frame)
{
    const fnd_body *head = &world->model.bodies[root];
    if (!fnd_body_dynamic(head)) return (fender_vec3){0, 0, 0};
    fender_vec3 w_B = fender_mat3_transpose_times(&frame->R_WB, frame->w);
    fender_vec3 torque_B = fender_mat3_transpose_times(&frame->R_WB, world->dynamics.evaluations[0].torque[root]);
    fender_vec3 gyroscopic = fender_vec3_cross(w_B, fender_mat3_times(&head->inertia, w_B));
    return fender_mat3_times(&frame->R_WB,
                             fender_mat3_times(&head->inverse_inertia, fender_vec3_sub(torque_B, gyroscopic)));
}

/* An acceleration of mass that moves by v at p, less what gravity and the frame give it. */
static fender_vec3 without_gravity(const fnd_frame_field *field, const fnd_frame *root_frame, bool moves, fender_vec3 p,
                                   fender_vec3 v, fender_vec3 a)
{
    if (field->gravity.kind == FENDER_GRAVITY_NONE && !field->rotating) return a;
    /* the equations of motion have the gravity of the tree's centre for all of it, unless they have its gradient */
    fender_vec3 here = fnd_frame_gravity(field, p), there = fnd_frame_gravity(field, root_frame->p);
    fender_vec3 g = field->framed ? fnd_frame_acceleration(field, p, v) : here;
    if (moves && !field->gradient) g = fender_vec3_add(g, fender_vec3_sub(there, here));
    return fender_vec3_sub(a, g);
}

/* Takes from what the motion of a part requires what the gradient of gravity gives it by its own inertia. */
static void take_gradient(const fnd_frame_field *field, const fender_mat3 *inertia, const fender_mat3 *R_WB,
                          fender_vec3 p, fender_wrench *wrench)
{
    fender_vec3 force, torque;
    if (!field->gradient) return;
    fnd_frame_gradient(field, inertia, R_WB, p, &force, &torque);
    wrench->force = fender_vec3_sub(wrench->force, force);
    wrench->torque = fender_vec3_sub(wrench->torque, torque);
}

/* What the motion of a subtree requires of all forces but gravity, about its centre of mass. */
static fender_wrench required(const fender_world *world, int body, int root, const fnd_frame *root_frame,
                              const fnd_frame *frame)
{
    const fnd_body *b = &world->model.bodies[body];
    const fnd_frame_field now = fnd_world_field(world), *field = &now;
    const bool moves = fnd_body_dynamic(&world->model.bodies[root]);
    fender_vec3 lever = fender_vec3_sub(frame->p, root_frame->p), w = frame->w;
    fender_vec3 rate = angular_acceleration(world, root, root_frame);
    fender_vec3 a = moves ? world->dynamics.evaluations[0].acceleration[root] : (fender_vec3){0, 0, 0};
    a = fender_vec3_add(a, fender_vec3_cross(rate, lever));
    a = fender_vec3_add(a, fender_vec3_cross(w, fender_vec3_cross(w, lever)));
    fender_vec3 spin_B = fender_mat3_transpose_times(&frame->R_WB, w);
    fender_vec3 L = fender_mat3_times(&frame->R_WB, fender_mat3_times(&b->inertia, spin_B));
    fender_vec3 torque = fender_vec3_add(fnd_frame_inertia_times(&b->inertia, &frame->R_WB, rate),
                                         fender_vec3_cross(w, L));
    if (b->moving) {
        const fnd_body *head = &world->model.bodies[root];
        const fender_vec3 none = {0, 0, 0}, own = moves ? world->dynamics.evaluations[0].acceleration[root] : none;
        if (moves) rate = fnd_part_root_turning(head, root_frame, world->dynamics.evaluations[0].torque[root]);
        const fnd_part_sums sums = fnd_part_sum(world->model.bodies, body, root_frame, own, rate);
        a = sums.acceleration;
        torque = sums.rate;
    }
    a = without_gravity(field, root_frame, moves, frame->p, frame->v, a);
    if (field->rotating) torque = fender_vec3_sub(torque, fnd_frame_torque(field, &b->inertia, &frame->R_WB, w, L));
    fender_wrench all = {fender_vec3_scale(b->mass, a), torque};
    take_gradient(field, &b->inertia, &frame->R_WB, frame->p, &all);
    return all;
}

/* The same of bodies that are no subtree, core by core, about a place. */
static fender_wrench required_of_cores(const fender_world *world, const part *one, int root,
                                       const fnd_frame *root_frame, fender_vec3 place)
{
    const fnd_body *bodies = world->model.bodies, *head = &bodies[root];
    const fnd_frame_field field = fnd_world_field(world);
    const bool moves = fnd_body_dynamic(head);
    fender_vec3 a = {0, 0, 0}, rate = {0, 0, 0};
    if (moves) {
        a = world->dynamics.evaluations[0].acceleration[root];
        rate = head->moving ? fnd_part_root_turning(head, root_frame, world->dynamics.evaluations[0].torque[root])
                            : angular_acceleration(world, root, root_frame);
    }
    sum all = {.about = place};
    for (int i = 0; i < world->model.body_count; i++) {
        if (!bodies[i].name || !belongs(bodies, one, i)) continue;
        const fnd_part_sums core = fnd_part_core(&bodies[i], root_frame, a, rate);
        const fender_vec3 own = without_gravity(&field, root_frame, moves, core.center, core.velocity,
                                                core.acceleration);
        const fender_mat3 *inertia = &bodies[i].core.inertia;
        const fender_quaternion q_RB = fender_quaternion_product(bodies[i].q_RS, bodies[i].q_SB);
        const fender_mat3 R = fender_quaternion_matrix(fender_quaternion_product(root_frame->q, q_RB));
        fender_wrench wrench = {fender_vec3_scale(core.mass, own), core.rate};
        if (field.rotating)
            wrench.torque = fender_vec3_sub(
                core.rate, fnd_frame_torque(&field, inertia, &R, root_frame->w, core.angular_momentum));
        take_gradient(&field, inertia, &R, core.center, &wrench);
        add(&all, core.center, (fender_vec3){0, 0, 0}, wrench.force, wrench.torque);
    }
    return all.wrench;
}

/* What the rest of its tree exerts on one side of a connection. */
static void add_joint(const fender_world *world, side lower, bool reversed, sum *s)
{
    const fnd_body *bodies = world->model.bodies;
    const int body = lower.top, root = fnd_tree_root(bodies, body);
    const fnd_frame root_frame = fnd_frame_of_state(&bodies[root], &bodies[root].state);
    const fnd_frame frame = fnd_tree_frame(bodies, body, &root_frame);
    const part one = {lower, nothing};
    sum known = {.about = frame.p};
    fender_wrench all = lower.from < 0 ? required(world, body, root, &root_frame, &frame)
                                       : required_of_cores(world, &one, root, &root_frame, frame.p);
    add_contacts(world, &one, NULL, &known);
    add_links(world, &one, NULL, &known);
    add_loads(world, &one, &root_frame, &known);
    fender_vec3 force = fender_vec3_sub(all.force, known.wrench.force);
    fender_vec3 torque = fender_vec3_sub(all.torque, known.wrench.torque);
    if (reversed) force = fender_vec3_negate(force), torque = fender_vec3_negate(torque);
    add(s, frame.p, (fender_vec3){0, 0, 0}, force, torque);
}

static void show(fender_quaternion q, const sum *s, fender_vec3 *force, fender_vec3 *torque)
{
    q = fender_quaternion_conjugate(q);
    *force = fender_quaternion_rotate(q, s->wrench.force);
    *torque = fender_quaternion_rotate(q, s->wrench.torque);
}

fender_status fender_body_get_interface(const fender_world *world, fender_body_frame place, fender_body_id other,
                                        fender_interface_data *data)
{
    if (!world || !data) return fnd_world_missing(NULL);
    fender_body_state state;
    fender_body_id own = place.body;
    fender_status status = FENDER_STATUS_OK;
    if (place.kind == FENDER_BODY_FRAME_POINT) status = fender_point_get(world, place.point, &own, NULL, NULL);
    if (status) return status;
    if (!fnd_body_live(&world->model, own) || !fnd_body_live(&world->model, other)) return FENDER_STATUS_STALE_ID;
    if (own.index1 == other.index1) return FENDER_STATUS_ARGUMENT;
    if (!world->initialized) return FENDER_STATUS_STATE;
    *data = (fender_interface_data){0};
    const fnd_body *bodies = world->model.bodies;
    const int a = (int)own.index1 - 1, b = (int)other.index1 - 1;
    side on_a = {a, -1}, on_b = {b, -1};
    if (fnd_tree_root(bodies, a) == fnd_tree_root(bodies, b)) on_a = side_of(bodies, a), on_b = side_of(bodies, b);
    const bool below = is_on(bodies, on_b, a), above = is_on(bodies, on_a, b);
    const part one = {on_a, above ? on_b : nothing}, two = {on_b, below ? on_a : nothing};
    status = fender_body_frame_state(world, place, &state, NULL);
    if (status) return status;
    sum contacts = {.about = state.position}, links = contacts, joint = contacts;
    data->contact_count = add_contacts(world, &one, &two, &contacts);
    add_links(world, &one, &two, &links);
    if (below || above) add_joint(world, below ? on_a : on_b, above, &joint);
    show(state.attitude, &contacts, &data->contact_force, &data->contact_torque);
    show(state.attitude, &links, &data->link_force, &data->link_torque);
    show(state.attitude, &joint, &data->joint_force, &data->joint_torque);
    data->force = fender_vec3_add(fender_vec3_add(data->contact_force, data->link_force), data->joint_force);
    data->torque = fender_vec3_add(fender_vec3_add(data->contact_torque, data->link_torque), data->joint_torque);
    data->force_magnitude = fender_vec3_length(data->force);
    data->torque_magnitude = fender_vec3_length(data->torque);
    data->contact_force_magnitude = fender_vec3_length(data->contact_force);
    data->joint_force_magnitude = fender_vec3_length(data->joint_force);
    data->joint_torque_magnitude = fender_vec3_length(data->joint_torque);
    return FENDER_STATUS_OK;
}

int fender_contact_forces(const fender_world *world, int first, fender_contact_force *forces, int capacity)
{
    if (!world || !forces || first < 0 || !world->initialized) return 0;
    const fnd_contact_model *model = &world->model;
    const fnd_contact_list *list = &world->dynamics.evaluations[0].contacts;
    int count = 0;
    for (int i = first; i < list->count && count < capacity; i++, count++) {
        const fnd_contact *c = &list->items[i];
        forces[count].body_a = fnd_body_id(model, model->shapes[c->key.a].body);
        forces[count].body_b = fnd_body_id(model, model->shapes[c->key.b].body);
        forces[count].force = c->force;
        forces[count].touching = c->in.depth > 0;
    }
    return count;
}
