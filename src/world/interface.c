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

/* The subtree of a body, without that of another below it (-1: none). */
typedef struct part {
    int top, without;
} part;

static bool belongs(const fnd_body *bodies, const part *p, int body)
{
    return fnd_tree_descends(bodies, body, p->top) && (p->without < 0 || !fnd_tree_descends(bodies, body, p->without));
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
    if (field->gravity.kind != FENDER_GRAVITY_NONE || field->rotating) {
        /* the equations of motion have the gravity of the tree's centre for all of it */
        fender_vec3 here = fnd_frame_gravity(field, frame->p), there = fnd_frame_gravity(field, root_frame->p);
        fender_vec3 g = field->framed ? fnd_frame_acceleration(field, frame->p, frame->v) : here;
        if (moves) g = fender_vec3_add(g, fender_vec3_sub(there, here));
        a = fender_vec3_sub(a, g);
    }
    if (field->rotating) torque = fender_vec3_sub(torque, fnd_frame_torque(field, &b->inertia, &frame->R_WB, w, L));
    return (fender_wrench){fender_vec3_scale(b->mass, a), torque};
}

/* What the rest of its tree exerts on a subtree through the attachment. */
static void add_joint(const fender_world *world, int body, bool reversed, sum *s)
{
    const fnd_body *bodies = world->model.bodies;
    const int root = fnd_tree_root(bodies, body);
    const fnd_frame root_frame = fnd_frame_of_state(&bodies[root], &bodies[root].state);
    const fnd_frame frame = fnd_tree_frame(bodies, body, &root_frame);
    const part one = {body, -1};
    sum known = {.about = frame.p};
    fender_wrench all = required(world, body, root, &root_frame, &frame);
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
    const bool below = fnd_tree_descends(bodies, a, b), above = fnd_tree_descends(bodies, b, a);
    const part one = {a, above ? b : -1}, two = {b, below ? a : -1};
    status = fender_body_frame_state(world, place, &state, NULL);
    if (status) return status;
    sum contacts = {.about = state.position}, links = contacts, joint = contacts;
    data->contact_count = add_contacts(world, &one, &two, &contacts);
    add_links(world, &one, &two, &links);
    if (below || above) add_joint(world, below ? a : b, above, &joint);
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
