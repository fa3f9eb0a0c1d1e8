/* Bodies of a world and their trees: making, finding, reading, setting. */
#include "base/error.h"
#include "base/memory.h"
#include "math/range.h"
#include "world/world.h"
#include <stdio.h>

/* ---- Bodies ---- */

#define REAL(member, unit_text, doc_text)                                                                            \
    {                                                                                                                \
#member, unit_text, doc_text, FENDER_FIELD_REAL, offsetof(fender_body_data, member), 0, -INFINITY, INFINITY, \
            0, NULL                                                                                                  \
    }
#define VECTOR(member, unit_text, doc_text)                                                                          \
    {                                                                                                                \
#member, unit_text, doc_text, FENDER_FIELD_VEC3, offsetof(fender_body_data, member), 0, -INFINITY, INFINITY, \
            0, NULL                                                                                                  \
    }

static const fender_field body_fields[] = {
    REAL(mass, "kg", "Mass of the body and of all bodies attached to it."),
    REAL(core_mass, "kg", "Mass of the body alone."),
    VECTOR(core_center_of_mass, "m", "Centre of mass of the body alone, in structure axes."),
    {"core_inertia", "kg*m^2", "Inertia of the body alone about its centre of mass, in body axes.",
     FENDER_FIELD_MATRIX3, offsetof(fender_body_data, core_inertia), 0, -INFINITY, INFINITY, 0, NULL},
    VECTOR(center_of_mass, "m", "Centre of mass of the composite, in structure axes."),
    {"inertia", "kg*m^2", "Inertia of the composite about its centre of mass, in body axes.", FENDER_FIELD_MATRIX3,
     offsetof(fender_body_data, inertia), 0, -INFINITY, INFINITY, 0, NULL},
    VECTOR(position, "m", "Origin of the structure frame, in world axes."),
    {"attitude", "1", "Quaternion w x y z that takes structure axes to world axes.", FENDER_FIELD_QUATERNION,
     offsetof(fender_body_data, attitude), 0, -INFINITY, INFINITY, 0, NULL},
    VECTOR(velocity, "m/s", "Velocity of the origin of the structure frame, in world axes."),
    VECTOR(angular_velocity, "rad/s", "Angular velocity, in structure axes."),
    VECTOR(center_position, "m", "Centre of mass, in world axes."),
    VECTOR(center_velocity, "m/s", "Velocity of the centre of mass, in world axes."),
    VECTOR(acceleration, "m/s^2", "Acceleration of the centre of mass, in world axes."),
    VECTOR(linear_momentum, "N*s", "Linear momentum, in world axes."),
    VECTOR(angular_momentum, "N*m*s", "Angular momentum about the centre of mass, in world axes."),
    VECTOR(contact_force, "N", "Sum of contact forces at the accepted state, in structure axes."),
    VECTOR(contact_torque, "N*m", "Sum of contact torques about the centre of mass, in structure axes."),
    VECTOR(contact_force_last_stage, "N",
           "Contact force at the last stage of the last step (what JEOD logs), in structure axes."),
    VECTOR(contact_torque_last_stage, "N*m", "Contact torque at the last stage of the last step, in structure axes."),
    REAL(kinetic_energy, "J", "Kinetic energy."),
};
static const fender_field_table body_table = FENDER_FIELD_TABLE("body", body_fields, fender_body_data);
const fender_field_table *fender_body_fields(void) { return &body_table; }

#define IN_RANGE "finite numbers of at most 1e100"

/* Moments about the origin must be numbers. Speeds whose energy is none are refused when the world starts. */
static fender_status check_position(fender_vec3 position, fender_error *error)
{
    if (fnd_is_vector_in_range(position)) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_VALUE, "state.position", "the state is too large", "", IN_RANGE,
                    "check the unit");
}

fender_status fnd_inner_body_create(fender_world *world, const fender_body_def *def, fender_body_id *id,
                                    fender_error *error)
{
    if (!def) return fnd_world_missing(error);
    const fender_status fits = fnd_world_check_size(def->size, sizeof *def, "fender_body_def", error);
    if (fits) return fits;
    fnd_world_settle(world);
    fnd_contact_model *model = &world->model;
    fender_status status = fnd_world_check_name(&model->body_names, 0, def->name, "body", error);
    if (!status) status = fnd_body_check(def, error);
    if (!status) status = check_position(def->state.position, error);
    if (status) return status;
    void *bodies = model->bodies;
    if (!fnd_reserve_one_more(&world->env, &bodies, &model->body_capacity, model->body_count, sizeof *model->bodies))
        return fnd_fail_memory(error, "a body");
    model->bodies = bodies;
    if (model->parts && /* else the start of the world makes them */
        !fnd_model_reserve_parts(&world->env, model, world->time))
        return fnd_fail_memory(error, "moving parts");
    const int slot = fnd_slot_free(bodies, sizeof *model->bodies, model->body_count, model->bodies_gone);
    fnd_body made = {0};
    if ((status = fnd_body_init(&world->env, &made, def, error))) return status;
    if (!fnd_name_add(&world->env, &model->body_names, 0, made.name, slot)) {
        fnd_body_release(&world->env, &made);
        return fnd_fail_memory(error, "a body");
    }
    fnd_body *body = &model->bodies[slot];
    made.generation = slot < model->body_count ? body->generation : 1;
    made.user_data = def->user_data;
    *body = made;
    if (body->motion == FENDER_MOTION_PRESCRIBED)
        body->state = fnd_state_prescribed(body, world->time, NAN, world->def.start_time);
    if (slot < model->body_count) model->bodies_gone--;
    else model->body_count++;
    world->initialized = false;
    if (id) *id = fnd_body_id(model, slot);
    return FENDER_STATUS_OK;
}

static const fnd_body *find(const fender_world *world, fender_body_id id)
{
    return world && fnd_body_live(&world->model, id) ? &world->model.bodies[id.index1 - 1] : NULL;
}

/* A new motion of a prescribed body from now on. What it changes in contacts is booked as applied. */
static fender_status command_motion(fender_world *world, fnd_body *body, const fnd_motion *motion, fender_error *error)
{
    fnd_totals before;
    fender_status status = fnd_world_book_begin(world, &before, error);
    if (status) return status;
    const fnd_motion had = body->motion_command;
    const fnd_state state = body->state;
    body->motion_command = *motion;
    body->state = fnd_state_prescribed(body, world->time, NAN, world->def.start_time);
    status = fnd_world_book_end(world, &before, error);
    if (status) {
        body->motion_command = had;
        body->state = state;
    } else if (world->initialized) {
        fnd_world_rebase_contacts(world);
    }
    return status;
}

/* The prescribed body and its present state. */
static fender_status find_prescribed(fender_world *world, fender_body_id id, fnd_body **body, fnd_motion *motion,
                                     fender_error *error)
{
    fnd_world_settle(world);
    if (!fnd_body_live(&world->model, id)) return fnd_world_stale(error, "body");
    *body = &world->model.bodies[id.index1 - 1];
    if ((*body)->motion != FENDER_MOTION_PRESCRIBED)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "body", "only a prescribed body has a commanded motion",
                        fender_motion_name((*body)->motion), "motion: prescribed", "");
    const fnd_frame frame = fnd_frame_of_state(*body, &(*body)->state);
    *motion = (fnd_motion){.since = world->time, .from = fnd_structure_from_frame(*body, &frame)};
    return FENDER_STATUS_OK;
}

fender_status fnd_inner_body_set_motion(fender_world *world, fender_body_id id, fender_vec3 velocity,
                                        fender_vec3 angular_velocity, fender_error *error)
{
    fnd_body *body;
    fnd_motion motion;
    fender_status status = find_prescribed(world, id, &body, &motion, error);
    if (status) return status;
    if (!fnd_is_vector_in_range(velocity) || !fnd_is_vector_in_range(angular_velocity))
        return fnd_fail(error, FENDER_STATUS_VALUE, "velocity", "the commanded motion is not finite, or too large",
                        body->name, IN_RANGE, "check the unit");
    motion.kind = FND_MOTION_STEADY;
    motion.from.velocity = velocity;
    motion.from.angular_velocity = angular_velocity;
    return command_motion(world, body, &motion, error);
}

fender_status fnd_inner_body_move_to(fender_world *world, fender_body_id id, fender_pose pose, double duration,
                                     fender_error *error)
{
    fnd_body *body;
    fnd_motion motion;
    fender_status status = find_prescribed(world, id, &body, &motion, error);
    if (status) return status;
    const fender_quaternion q = pose.q;
    const double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!fnd_is_vector_in_range(pose.p) || !isfinite(square) || !(square > 1e-200))
        return fnd_fail(error, FENDER_STATUS_VALUE, "pose",
                        "the pose is not finite or too large, or its attitude no rotation", body->name,
                        IN_RANGE " and a quaternion other than zero", "");
    if (!(duration > 0) || !isfinite(duration))
        return fnd_fail(error, FENDER_STATUS_VALUE, "duration", "the duration must be above zero and finite",
                        fnd_number(duration).text, "a time above 0 s", "fender_body_set_state jumps");
    motion.kind = FND_MOTION_MOVE;
    motion.duration = duration;
    motion.to = pose.p;
    motion.turn = fnd_rotation_vector(
        fender_quaternion_product(fender_quaternion_normalized(q), fender_quaternion_conjugate(motion.from.attitude)));
    const double way = fender_vec3_length(fender_vec3_sub(motion.to, motion.from.position)) +
                       fender_vec3_length(motion.turn);
    if (!fnd_is_in_range(way / duration) || !fnd_is_in_range(way / duration / duration))
        return fnd_fail(error, FENDER_STATUS_VALUE, "duration", "the motion is too fast for numbers",
                        fnd_number(duration).text, "rates of at most 1e100", "check the unit");
    return command_motion(world, body, &motion, error);
}

/* What a state brings into a running world, which no step checks any more. */
static fender_status check_range(const fender_body_state *s, fender_error *error)
{
    const struct {
        const char *path;
        fender_vec3 value;
    } vectors[] = {{"state.position", s->position},
                   {"state.velocity", s->velocity},
                   {"state.angular_velocity", s->angular_velocity}};
    for (int i = 0; i < 3; i++)
        if (!fnd_is_vector_in_range(vectors[i].value))
            return fnd_fail(error, FENDER_STATUS_VALUE, vectors[i].path, "the state is too large", "", IN_RANGE,
                            "check the unit");
    return FENDER_STATUS_OK;
}

fender_status fnd_inner_body_set_state(fender_world *world, fender_body_id id, const fender_body_state *state,
                                       fender_error *error)
{
    if (!state) return fnd_world_missing(error);
    fnd_world_settle(world);
    const fnd_body *found = find(world, id);
    if (!found) return fnd_world_stale(error, "body");
    if (found->motion != FENDER_MOTION_DYNAMIC && found->motion != FENDER_MOTION_PRESCRIBED)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "body", "only a dynamic or prescribed body's state can be set",
                        fender_motion_name(found->motion), "a dynamic or prescribed body", "");
    fender_body_def def = found->def;
    def.state = *state;
    fender_status status = fnd_body_check(&def, error);
    if (!status) status = check_range(state, error);
    if (status) return status;
    if (found->parent >= 0)
        return fnd_fail(error, FENDER_STATUS_TOPOLOGY, "body", "an attached body has no state of its own", found->name,
                        "a root", "set the state of the root of its tree");
    fnd_body *body = &world->model.bodies[id.index1 - 1];
    if (found->motion == FENDER_MOTION_PRESCRIBED) {
        fnd_motion motion = {.kind = FND_MOTION_STEADY, .since = world->time, .from = *state};
        motion.from.attitude = fender_quaternion_normalized(state->attitude);
        return command_motion(world, body, &motion, error);
    }
    if (!world->initialized) {
        body->state = fnd_state_from_structure(body, state);
        return FENDER_STATUS_OK;
    }
    /* what a hand from outside brings is booked as applied */
    if ((status = fnd_world_refresh(world, error))) return status;
    fender_vec3 linear[2], angular[2];
    double energy[2];
    fnd_world_momentum(world, &linear[0], &angular[0]);
    energy[0] = fnd_world_energy(world);
    double axial = fnd_world_axial_momentum(world);
    fnd_state before = body->state;
    body->state = fnd_state_from_structure(body, state);
    fnd_world_pack(world);
    world->dynamics.committed_fresh = false;
    if ((status = fnd_world_refresh(world, error))) {
        body->state = before;
        fnd_world_pack(world);
        world->dynamics.committed_fresh = true;
        return status;
    }
    fnd_world_momentum(world, &linear[1], &angular[1]);
    energy[1] = fnd_world_energy(world);
    fnd_world_rebase_contacts(world);
    fnd_links_adopt_modes(&world->dynamics);
    fnd_account *account = &world->account;
    account->applied += energy[1] - energy[0];
    account->impulse = fender_vec3_add(account->impulse, fender_vec3_sub(linear[1], linear[0]));
    account->angular_impulse = fender_vec3_add(account->angular_impulse, fender_vec3_sub(angular[1], angular[0]));
    account->axial_impulse += fnd_world_axial_momentum(world) - axial;
    return FENDER_STATUS_OK;
}

/* Contact wrench on an attached body and what it carries, about its own composite centre, W. */
static fender_wrench member_wrench(const fender_world *world, const fnd_evaluation *e, int body, const fnd_frame *root,
                                   const fnd_frame *frame)
{
    const fnd_contact_model *model = &world->model;
    fender_wrench sum = {{0, 0, 0}, {0, 0, 0}};
    fender_vec3 offset = fender_vec3_sub(root->p, frame->p);
    for (int i = 0; i < e->contacts.count; i++) {
        const fnd_contact *c = &e->contacts.items[i];
        bool on_a = fnd_tree_descends(model->bodies, model->shapes[c->key.a].body, body);
        bool on_b = fnd_tree_descends(model->bodies, model->shapes[c->key.b].body, body);
        if (!on_a && !on_b) continue;
        fender_vec3 force = on_a ? fender_vec3_negate(c->force) : c->force;
        fender_vec3 torque = on_a ? fender_vec3_negate(c->torque) : c->torque;
        fender_vec3 lever = fender_vec3_add(on_a ? c->lever_a : c->lever_b, offset);
        sum.force = fender_vec3_add(sum.force, force);
        sum.torque = fender_vec3_add(sum.torque, fender_vec3_add(torque, fender_vec3_cross(lever, force)));
    }
    return sum;
}

/* Of a member's centre: that of the root's plus what turning adds, w' from Euler's equation L' = torque. */
static fender_vec3 member_acceleration(const fender_world *world, const fnd_evaluation *e, int index, int root,
                                       const fnd_frame *root_frame, const fnd_frame *frame)
{
    const fnd_body *head = &world->model.bodies[root];
    if (head->moving) {
        const fender_vec3 rate = fnd_part_root_turning(head, root_frame, e->torque[root]);
        const fender_vec3 own = fnd_body_dynamic(head) ? e->acceleration[root] : fender_vec3_make(0, 0, 0);
        return fnd_part_sum(world->model.bodies, index, root_frame, own, rate).acceleration;
    }
    fender_vec3 w_B = fender_mat3_transpose_times(&root_frame->R_WB, root_frame->w);
    fender_vec3 L_B = fender_mat3_times(&head->inertia, w_B);
    fender_vec3 torque_B = fender_mat3_transpose_times(&root_frame->R_WB, e->torque[root]);
    fender_vec3 rate_B = fender_mat3_times(&head->inverse_inertia,
                                           fender_vec3_sub(torque_B, fender_vec3_cross(w_B, L_B)));
    fender_vec3 rate = fender_mat3_times(&root_frame->R_WB, rate_B), lever = fender_vec3_sub(frame->p, root_frame->p);
    fender_vec3 turning = fender_vec3_add(fender_vec3_cross(rate, lever),
                                          fender_vec3_cross(root_frame->w, fender_vec3_cross(root_frame->w, lever)));
    return fender_vec3_add(e->acceleration[root], turning);
}

/* Sums over a subtree whose parts move: its momentum is not that of its material at the centre. */
static void describe_moving(const fender_world *world, int index, const fnd_frame *root_frame, bool host,
                            fender_body_data *data)
{
    const fnd_body *bodies = world->model.bodies;
    const fender_vec3 none = {0, 0, 0};
    const int root = fnd_tree_root(bodies, index);
    if (!fnd_body_dynamic(&bodies[root])) return;
    const fnd_part_sums s = fnd_part_sum(bodies, index, root_frame, none, none);
    data->center_velocity = index == root ? root_frame->v : s.velocity;
    data->linear_momentum = fender_vec3_scale(bodies[index].mass, data->center_velocity);
    data->kinetic_energy = s.kinetic_energy;
    if (index != root || host) data->angular_momentum = s.angular_momentum;
}

static void describe(const fender_world *world, int index, int root, bool host, fender_body_data *data)
{
    const fnd_body *bodies = world->model.bodies, *body = &bodies[index];
    fnd_frame room;
    const fnd_frame *root_frame = fnd_world_frame(world, root, host, &room);
    fnd_frame frame = fnd_tree_frame(bodies, index, root_frame);
    fender_body_state s = fnd_structure_from_frame(body, &frame);
    *data = (fender_body_data){0};
    data->mass = body->mass;
    data->core_mass = body->core.mass;
    data->core_center_of_mass = body->core.center_of_mass;
    data->core_inertia = body->core.inertia;
    data->center_of_mass = body->center_S;
    data->inertia = body->inertia;
    data->position = s.position;
    data->attitude = s.attitude;
    data->velocity = s.velocity;
    data->angular_velocity = s.angular_velocity;
    data->center_position = frame.p;
    data->center_velocity = frame.v;
    if (fnd_body_dynamic(&bodies[root])) {
        data->linear_momentum = fender_vec3_scale(body->mass, frame.v);
        if (root == index && !host) {
            data->angular_momentum = body->state.L; /* to the last bit */
        } else {
            const fender_vec3 w_B = fender_mat3_transpose_times(&frame.R_WB, frame.w);
            data->angular_momentum = fender_mat3_times(&frame.R_WB, fender_mat3_times(&body->inertia, w_B));
        }
        data->kinetic_energy = 0.5 * body->mass * fender_vec3_dot(frame.v, frame.v) +
                               0.5 * fender_vec3_dot(frame.w, data->angular_momentum);
    }
    if (bodies[root].moving) describe_moving(world, index, root_frame, host, data);
    if (!world->initialized) return;
    const fnd_evaluation *e = &world->dynamics.evaluations[host ? FND_EVALUATION_HOST : 0];
    fender_wrench wrench = e->contact_wrench[index];
    data->acceleration = e->acceleration[index];
    if (root != index) {
        wrench = member_wrench(world, e, index, root_frame, &frame);
        data->acceleration = member_acceleration(world, e, index, root, root_frame, &frame);
    }
    const fender_mat3 R_SB = fender_quaternion_matrix(body->q_SB);
    data->contact_force = fender_mat3_times(&R_SB, fender_mat3_transpose_times(&frame.R_WB, wrench.force));
    data->contact_torque = fender_mat3_times(&R_SB, fender_mat3_transpose_times(&frame.R_WB, wrench.torque));
    data->contact_force_last_stage = world->last_stage[index].force;
    data->contact_torque_last_stage = world->last_stage[index].torque;
}

/* Is what the clock shows the evaluation of a host? */
static bool shows_host(const fender_world *world, fender_clock clock)
{
    return world->initialized && clock == FENDER_CLOCK_EVALUATED && world->evaluated == FND_EVALUATION_HOST;
}

fender_status fender_body_get(const fender_world *world, fender_body_id id, fender_clock clock, fender_body_data *data)
{
    if (!world || !data) return fnd_world_missing(NULL);
    if (clock != FENDER_CLOCK_COMMITTED && clock != FENDER_CLOCK_EVALUATED) return FENDER_STATUS_ARGUMENT;
    if (!find(world, id)) return FENDER_STATUS_STALE_ID;
    const int index = (int)id.index1 - 1, root = fnd_tree_root(world->model.bodies, index);
    const bool host = shows_host(world, clock);
    fnd_model_move(&world->model, host ? world->host_time : world->time);
    describe(world, index, root, host, data);
    fnd_model_move(&world->model, world->time);
    return FENDER_STATUS_OK;
}

fender_status fender_body_get_state(const fender_world *world, fender_body_id id, fender_clock clock,
                                    fender_body_state *state)
{
    if (!world || !state) return fnd_world_missing(NULL);
    if (clock != FENDER_CLOCK_COMMITTED && clock != FENDER_CLOCK_EVALUATED) return FENDER_STATUS_ARGUMENT;
    if (!find(world, id)) return FENDER_STATUS_STALE_ID;
    const fnd_body *bodies = world->model.bodies;
    const int index = (int)id.index1 - 1, root = fnd_tree_root(bodies, index);
    const bool host = shows_host(world, clock);
    fnd_frame room;
    fnd_model_move(&world->model, host ? world->host_time : world->time);
    const fnd_frame frame = fnd_tree_frame(bodies, index, fnd_world_frame(world, root, host, &room));
    *state = fnd_structure_from_frame(&bodies[index], &frame);
    fnd_model_move(&world->model, world->time);
    return FENDER_STATUS_OK;
}

fender_status fender_body_find(const fender_world *world, const char *name, fender_body_id *id)
{
    if (!world || !id) return fnd_world_missing(NULL);
    int index = fnd_name_find(&world->model.body_names, 0, name);
    if (index < 0) return FENDER_STATUS_NAME;
    *id = fnd_body_id(&world->model, index);
    return FENDER_STATUS_OK;
}

FND_ENUMERATE(body, bodies, world->model)

const char *fender_body_name(const fender_world *world, fender_body_id id)
{
    const fnd_body *body = find(world, id);
    return body ? body->name : NULL;
}

fender_status fender_body_get_def(const fender_world *world, fender_body_id id, fender_body_def *def)
{
    if (!world || !def) return fnd_world_missing(NULL);
    const fnd_body *body = find(world, id);
    if (!body) return FENDER_STATUS_STALE_ID;
    *def = body->def;
    return FENDER_STATUS_OK;
}

/* ---- Trees ---- */

fender_body_id fender_body_parent(const fender_world *world, fender_body_id id)
{
    const fnd_body *body = find(world, id);
    return body ? fnd_body_id(&world->model, body->parent) : (fender_body_id){0};
}

fender_body_id fender_body_root(const fender_world *world, fender_body_id id)
{
    if (!find(world, id)) return (fender_body_id){0};
    return fnd_body_id(&world->model, fnd_tree_root(world->model.bodies, (int)id.index1 - 1));
}

fender_body_id fender_body_child_at(const fender_world *world, fender_body_id id, int index)
{
    const fnd_body *body = find(world, id);
    if (!body || index < 0) return (fender_body_id){0};
    int child = body->first_child;
    for (; index > 0 && child >= 0; index--) child = world->model.bodies[child].next_sibling;
    return fnd_body_id(&world->model, child);
}

fender_pose fender_body_pose_in_parent(const fender_world *world, fender_body_id id)
{
    const fnd_body *body = find(world, id);
    return body ? body->X_PS : fender_pose_identity();
}

bool fender_body_connection(const fender_world *world, fender_body_id id, fender_body_id *child, fender_body_id *parent)
{
    const fnd_body *body = find(world, id);
    if (!body || body->parent < 0) return false;
    if (child) *child = fnd_body_id(&world->model, body->connection_child);
    if (parent) *parent = fnd_body_id(&world->model, body->connection_parent);
    return true;
}

typedef struct printer {
    const fender_world *world;
    void (*write)(void *ctx, const char *line);
    void *ctx;
} printer;

static void print_properties(const printer *p, int indent, const char *label, double mass, fender_vec3 center,
                             const fender_mat3 *I)
{
    char line[700];
    snprintf(line, sizeof line,
             "%*s%-9s mass %s kg, centre [%s, %s, %s] m, inertia [[%s, %s, %s], [%s, %s, %s], [%s, %s, %s]] kg*m^2",
             indent, "", label, fnd_number(mass).text, fnd_number(center.x).text, fnd_number(center.y).text,
             fnd_number(center.z).text, fnd_number(I->m[0][0]).text, fnd_number(I->m[0][1]).text,
             fnd_number(I->m[0][2]).text, fnd_number(I->m[1][0]).text, fnd_number(I->m[1][1]).text,
             fnd_number(I->m[1][2]).text, fnd_number(I->m[2][0]).text, fnd_number(I->m[2][1]).text,
             fnd_number(I->m[2][2]).text);
    p->write(p->ctx, line);
}

static void print_body(const printer *p, int index, int indent)
{
    const fnd_body *bodies = p->world->model.bodies, *body = &bodies[index];
    char line[700];
    int n = snprintf(line, sizeof line, "%*s%s (%s)", indent, "", body->name, fender_motion_name(body->motion));
    if (body->parent >= 0 && n > 0 && (size_t)n < sizeof line)
        snprintf(line + n, sizeof line - (size_t)n,
                 " at [%s, %s, %s] m, attitude [%s, %s, %s, %s] in %s; connected %s to %s",
                 fnd_number(body->X_PS.p.x).text, fnd_number(body->X_PS.p.y).text, fnd_number(body->X_PS.p.z).text,
                 fnd_number(body->X_PS.q.w).text, fnd_number(body->X_PS.q.x).text, fnd_number(body->X_PS.q.y).text,
                 fnd_number(body->X_PS.q.z).text, bodies[body->parent].name, bodies[body->connection_child].name,
                 bodies[body->connection_parent].name);
    p->write(p->ctx, line);
    if (body->mass > 0) {
        print_properties(p, indent + 2, "core", body->core.mass, body->core.center_of_mass, &body->core.inertia);
        print_properties(p, indent + 2, "composite", body->mass, body->center_S, &body->inertia);
    }
    for (int i = 0; i < p->world->model.point_count; i++) {
        const fnd_point *point = &p->world->model.points[i];
        if (point->body != index || !point->name) continue; /* one that has left keeps its body */
        snprintf(line, sizeof line, "%*spoint %s at [%s, %s, %s] m, attitude [%s, %s, %s, %s]", indent + 2, "",
                 point->name, fnd_number(point->X_SP.p.x).text, fnd_number(point->X_SP.p.y).text,
                 fnd_number(point->X_SP.p.z).text, fnd_number(point->X_SP.q.w).text, fnd_number(point->X_SP.q.x).text,
                 fnd_number(point->X_SP.q.y).text, fnd_number(point->X_SP.q.z).text);
        p->write(p->ctx, line);
    }
}

void fender_mass_tree_print(const fender_world *world, fender_body_id id, void (*write)(void *ctx, const char *line),
                            void *ctx)
{
    if (!world || !write) return;
    const printer p = {world, write, ctx};
    const fnd_body *bodies = world->model.bodies;
    for (int i = 0; i < world->model.body_count; i++) {
        if (find(world, id) ? i != (int)id.index1 - 1 : bodies[i].parent >= 0 || !bodies[i].name) continue;
        int at = i,
            depth = 0; /* children before siblings, without recursion: a chain may be as long as there are bodies */
        while (at >= 0) {
            print_body(&p, at, 2 * depth);
            if (bodies[at].first_child >= 0) {
                at = bodies[at].first_child;
                depth++;
                continue;
            }
            while (at != i && bodies[at].next_sibling < 0) at = bodies[at].parent, depth--;
            at = at == i ? -1 : bodies[at].next_sibling;
        }
    }
}
