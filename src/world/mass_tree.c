/* Mass trees in a running world: attach, reattach, detach. On failure nothing changes. */
#include "base/error.h"
#include "math/elementary.h"
#include "math/range.h"
#include "math/rotation.h"
#include "world/tree_change.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Attach and reattach ---- */

fender_attach_def fender_attach_def_default(void)
{
    fender_attach_def def = {0};
    def.size = sizeof def;
    def.X_PC = fender_pose_identity();
    return def;
}

static fender_status refuse(fender_error *error, const char *path, const char *message, const char *found,
                            const char *expected, const char *suggestion)
{
    return fnd_fail(error, FENDER_STATUS_TOPOLOGY, path, message, found, expected, suggestion);
}

static fender_status check_bodies(const fender_world *world, int child, int parent, fender_error *error)
{
    const fnd_body *bodies = world->model.bodies;
    char message[300];
    if (child == parent) {
        snprintf(message, sizeof message, "'%s' cannot be attached to itself", bodies[child].name);
        return refuse(error, "child", message, bodies[child].name, "two different bodies", "");
    }
    int moved = fnd_tree_root(bodies, child), root = fnd_tree_root(bodies, parent);
    if (moved == root) {
        snprintf(message, sizeof message,
                 "'%s' and '%s' are part of the same mass tree: attaching them would close a loop", bodies[child].name,
                 bodies[parent].name);
        return refuse(error, "child", message, bodies[child].name, "bodies of two trees",
                      "detach one first, or use reattach");
    }
    fender_motion moving = bodies[moved].motion;
    if (moving == FENDER_MOTION_FIXED || moving == FENDER_MOTION_PRESCRIBED) {
        snprintf(message, sizeof message, "'%s' is %s and cannot become a child", bodies[moved].name,
                 fender_motion_name(moving));
        return refuse(error, "child", message, bodies[moved].name, "a dynamic or mass-only child",
                      "attach in reverse: the immovable body is the parent");
    }
    if (moving == FENDER_MOTION_DYNAMIC && bodies[parent].motion == FENDER_MOTION_MASS_ONLY) {
        snprintf(message, sizeof message, "'%s' has a state, but '%s' is mass only: the state could be lost",
                 bodies[moved].name, bodies[parent].name);
        return refuse(error, "parent", message, bodies[parent].name, "a parent with a state",
                      "attach in reverse, or give the parent `motion: dynamic`");
    }
    return FENDER_STATUS_OK;
}

int fnd_body_on_the_move(const fender_world *world, int body)
{
    const fnd_body *bodies = world->model.bodies;
    for (int i = body; bodies[i].parent >= 0; i = bodies[i].parent) {
        const fnd_part_motion *part = bodies[i].part_ended ? NULL : bodies[i].part;
        if (part && (fnd_part_moves(&bodies[i], world->time) || isfinite(fnd_part_kink(part, world->time)))) return i;
    }
    return -1;
}

/* The root of the child's tree is what is held: no body on the way to it may still move the child. */
static fender_status check_way(const fender_world *world, int child, int parent, fender_error *error)
{
    const fnd_body *bodies = world->model.bodies;
    const int mover = fnd_body_on_the_move(world, child);
    if (mover < 0) return FENDER_STATUS_OK;
    char message[400], suggestion[240];
    snprintf(message, sizeof message,
             "'%.80s' moves, or is going to move, relative to '%.80s', and would take '%.80s' away from '%.80s'",
             bodies[mover].name, bodies[bodies[mover].parent].name, bodies[child].name, bodies[parent].name);
    if (fnd_body_dynamic(&bodies[fnd_tree_root(bodies, parent)]))
        snprintf(suggestion, sizeof suggestion,
                 "attach the other way round: '%.60s' with the parent '%.60s', or when the motion has ended",
                 bodies[parent].name, bodies[child].name);
    else snprintf(suggestion, sizeof suggestion, "attach when the motion has ended");
    return refuse(error, "child", message, bodies[child].name, "a child that does not move within its tree",
                  suggestion);
}

static bool pose_usable(const fender_pose *X)
{
    double n = X->q.w * X->q.w + X->q.x * X->q.x + X->q.y * X->q.y + X->q.z * X->q.z;
    return fnd_is_vector_in_range(X->p) && isfinite(n) && n > 1e-200;
}

static fender_status bad_pose(fender_error *error)
{
    return fnd_fail(error, FENDER_STATUS_VALUE, "position", "the pose of the child is not finite, or too large", "",
                    "finite numbers of at most 1e100 and a quaternion other than zero", "");
}

/* Pose of a structure frame in the world, from its root's committed state. */
static fender_pose structure_pose(const fnd_body *bodies, int body)
{
    int root = fnd_tree_root(bodies, body);
    fnd_frame root_frame = fnd_frame_of_state(&bodies[root], &bodies[root].state);
    fnd_frame frame = fnd_tree_frame(bodies, body, &root_frame);
    fender_body_state s = fnd_structure_from_frame(&bodies[body], &frame);
    return (fender_pose){s.position, s.attitude};
}

/* The requested pose: child's structure frame in the parent's. */
static fender_status wanted_pose(const fender_world *world, const fender_attach_def *def, int child, int parent,
                                 fender_pose *X_PC, fender_error *error)
{
    const fnd_body *bodies = world->model.bodies;
    if (def->pose == FENDER_ATTACH_AS_IS && bodies[fnd_tree_root(bodies, child)].motion != FENDER_MOTION_MASS_ONLY) {
        fender_pose X_WP = structure_pose(bodies, parent), X_WC = structure_pose(bodies, child);
        fender_pose difference = {fender_vec3_sub(X_WC.p, X_WP.p),
                                  X_WC.q}; /* positions are subtracted before they are turned */
        fender_pose turn = {{0, 0, 0}, fender_quaternion_conjugate(X_WP.q)};
        *X_PC = fender_pose_product(turn, difference);
        X_PC->q = fender_quaternion_normalized(X_PC->q);
        return FENDER_STATUS_OK;
    }
    if (def->child_point.index1 == 0 && def->parent_point.index1 == 0) {
        if (!pose_usable(&def->X_PC)) return bad_pose(error);
        *X_PC = (fender_pose){def->X_PC.p, fender_quaternion_normalized(def->X_PC.q)};
        return FENDER_STATUS_OK;
    }
    const fnd_point *c = fnd_world_point(world, def->child_point), *p = fnd_world_point(world, def->parent_point);
    if (!c || !p)
        return fnd_world_stale(error, c ? "parent point" : p ? "child point" : "child point and parent point");
    if (c->body != child || p->body != parent)
        return fnd_fail(error, FENDER_STATUS_NAME, c->body != child ? "child_point" : "parent_point",
                        "the point belongs to another body", c->body != child ? c->name : p->name,
                        c->body != child ? bodies[child].name : bodies[parent].name, "");
    static const fender_quaternion half_turn_about_z = {0, 0, 0, 1}; /* x axes face each other, z axes agree */
    fender_pose facing = {{0, 0, 0}, half_turn_about_z};
    *X_PC = fender_pose_product(fender_pose_product(p->X_SP, facing), fender_pose_inverse(c->X_SP));
    X_PC->q = fender_quaternion_normalized(X_PC->q);
    return FENDER_STATUS_OK;
}

/* State of two bodies that become one: momenta are added, the system's centre is unchanged, and angular momentum is
 * summed at their previous positions. The attitude is that of the parent. */
static fnd_state joined(const fnd_body *one, const fnd_body *other)
{
    const fnd_state *a = &one->state, *b = &other->state;
    double total = one->mass + other->mass, part = other->mass / total;
    fender_vec3 arm = fender_vec3_sub(b->p, a->p), drift = fender_vec3_sub(b->v, a->v);
    fnd_state s = *a;
    s.p = fender_vec3_add_scaled(a->p, part, arm);
    fender_vec3 momentum = fender_vec3_add(fender_vec3_scale(one->mass, a->v), fender_vec3_scale(other->mass, b->v));
    s.v = fender_vec3_scale(1.0 / total, momentum);
    fender_vec3 orbital = fender_vec3_scale(one->mass * part, fender_vec3_cross(arm, drift));
    s.L = fender_vec3_add(fender_vec3_add(a->L, b->L), orbital);
    return s;
}

static fnd_frame member_frame(const fnd_body *bodies, int body)
{
    int root = fnd_tree_root(bodies, body);
    fnd_frame root_frame = fnd_frame_of_state(&bodies[root], &bodies[root].state);
    return fnd_tree_frame(bodies, body, &root_frame);
}

/* Momentum of the wheels on a body and what it carries, W. */
static fender_vec3 wheel_momentum(const fender_world *world, int top)
{
    const fnd_body *bodies = world->model.bodies;
    fender_vec3 sum = {0, 0, 0};
    for (int i = 0; i < world->dynamics.load_count; i++) {
        const fnd_load *load = &world->dynamics.loads[i];
        if (!fnd_load_is_wheel(load) || !fnd_tree_descends(bodies, load->body, top)) continue;
        const double momentum = fnd_load_momentum(load, world->time, fnd_piece_of(world->time));
        const fender_vec3 axis = fender_quaternion_rotate(structure_pose(bodies, load->body).q, load->def.wheel.axis);
        sum = fender_vec3_add_scaled(sum, momentum, axis);
    }
    return sum;
}

/* Internal forces have turned wheels together with a body: the tree gets the momentum that they have lost. */
static void take_from_wheels(fender_world *world, int top, fender_vec3 before)
{
    fnd_body *root = &world->model.bodies[fnd_tree_root(world->model.bodies, top)];
    if (!fnd_body_dynamic(root)) return;
    root->state.L = fender_vec3_add(root->state.L, fender_vec3_sub(before, wheel_momentum(world, top)));
}

/* J w of a root about a place, where w is the turning of the frame. */
static fender_vec3 turning_of(const fender_world *world, int root, fender_vec3 about)
{
    const fnd_body *body = &world->model.bodies[root];
    const fender_vec3 turning = world->dynamics.field.omega, arm = fender_vec3_sub(body->state.p, about);
    const fender_mat3 R_WB = fender_quaternion_matrix(body->state.q);
    return fender_vec3_add_scaled(fnd_frame_inertia_times(&body->inertia, &R_WB, turning), body->mass,
                                  fender_vec3_cross(arm, fender_vec3_cross(turning, arm)));
}

/* Internal forces keep angular momentum in inertial space, L + J w, and J has changed. In a frame that turns, this is
 * the impulse of its forces. */
static void keep_inertial(fender_world *world, int member, fender_vec3 before, fnd_tree_change *change)
{
    const int index = fnd_tree_root(world->model.bodies, member);
    fnd_body *root = &world->model.bodies[index];
    if (!world->dynamics.field.rotating || !fnd_body_dynamic(root)) return;
    change->turning = fender_vec3_sub(before, turning_of(world, index, root->state.p));
    root->state.L = fender_vec3_add(root->state.L, change->turning);
}

/* Angle between two attitudes. */
static double turned_by(fender_quaternion from, fender_quaternion to)
{
    fender_quaternion q = fender_quaternion_product(to, fender_quaternion_conjugate(from));
    return 2.0 * fnd_angle(sqrt(q.x * q.x + q.y * q.y + q.z * q.z), fabs(q.w));
}

/* `link`: the body below the link whose connection was made or is to be cut. */
static fender_event tree_event(fender_event_kind kind, const fender_world *world, int link, double snap)
{
    const fnd_body *body = &world->model.bodies[link];
    fender_event event = {0};
    event.kind = kind;
    event.time = world->time;
    event.subject = FENDER_SUBJECT_TREE;
    event.tree.child = fnd_body_id(&world->model, body->connection_child);
    event.tree.parent = fnd_body_id(&world->model, body->connection_parent);
    event.tree.moved = fnd_body_id(&world->model, link);
    event.tree.snap = snap;
    return event;
}

fender_status fnd_inner_body_attach(fender_world *world, const fender_attach_def *def, fender_attach_report *report,
                                    fender_error *error)
{
    if (!def) return fnd_world_missing(error);
    const fender_status fits = fnd_world_check_size(def->size, sizeof *def, "fender_attach_def", error);
    if (fits) return fits;
    fnd_world_settle(world);
    fnd_body *bodies = world->model.bodies;
    if (!fnd_body_live(&world->model, def->child)) return fnd_world_stale(error, "child");
    if (!fnd_body_live(&world->model, def->parent)) return fnd_world_stale(error, "parent");
    if ((unsigned)def->pose > FENDER_ATTACH_POSED)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "pose", "the kind of attachment is unknown", "",
                        "a fender_attach_pose", "");
    int child = (int)def->child.index1 - 1, parent = (int)def->parent.index1 - 1;
    fender_status status = check_bodies(world, child, parent, error);
    if (!status) status = check_way(world, child, parent, error);
    fender_pose X_PC;
    if (!status) status = wanted_pose(world, def, child, parent, &X_PC, error);
    fnd_tree_change change;
    if (!status) status = fnd_tree_change_begin(world, &change, error);
    if (status) return status;

    int moved = fnd_tree_root(bodies, child), root = fnd_tree_root(bodies, parent);
    fender_pose X_PM = X_PC; /* the root of the child's tree is what moves (B031) */
    if (moved != child) {
        X_PM = fender_pose_product(X_PC, fender_pose_inverse(fnd_tree_pose(bodies, child)));
        X_PM.q = fender_quaternion_normalized(X_PM.q);
    }
    bool stateless = bodies[moved].motion == FENDER_MOTION_MASS_ONLY;
    bool joins = !stateless && def->pose != FENDER_ATTACH_POSED;
    const fnd_root_motion before = fnd_root_motion_of(bodies, root);
    fnd_frame child_before = fnd_frame_of_state(&bodies[moved], &bodies[moved].state);
    fnd_state together = joins ? joined(&bodies[root], &bodies[moved]) : bodies[root].state;
    const fender_vec3 wheels = wheel_momentum(world, moved);
    const fender_vec3 turning = fender_vec3_add(turning_of(world, root, together.p),
                                                turning_of(world, moved, together.p));

    fnd_tree_link(bodies, moved, parent, X_PM);
    bodies[moved].connection_child = child;
    bodies[moved].connection_parent = parent;
    bodies[moved].connection_order = ++world->connection_count;
    fnd_composite_update_upward(bodies, parent);
    if (joins && fnd_body_dynamic(&bodies[root])) bodies[root].state = together;
    else fnd_root_goes_on(world, root, before);
    fnd_model_move_anew(&world->model);
    if (joins && def->pose == FENDER_ATTACH_ALIGNED) {
        take_from_wheels(world, moved, wheels);
        keep_inertial(world, moved, turning, &change);
    }
    fnd_frame child_after = member_frame(bodies, moved);
    fender_vec3 snap = fender_vec3_sub(child_after.p, child_before.p);
    if (stateless) snap = fender_vec3_make(0, 0, 0);
    if (world->initialized && !fnd_event_add(&world->env, &world->events,
                                             tree_event(FENDER_EVENT_ATTACH, world, moved, fender_vec3_length(snap)))) {
        fnd_tree_change_undo(world, &change);
        return fnd_fail_memory(error, "an event");
    }
    bool keeps_momentum = joins && fnd_body_dynamic(&bodies[root]);
    status = fnd_tree_change_end(world, &change, keeps_momentum ? FND_BOOK_ATTACHMENT : FND_BOOK_OUTSIDE, error);
    if (!status) fnd_tree_tell(world, moved);
    if (status || !report) return status;
    *report = (fender_attach_report){.moved = fnd_body_id(&world->model, moved)};
    report->child_displacement = snap;
    if (joins && fnd_body_dynamic(&bodies[root])) {
        /* the parent's structure frame has moved by as much as its old centre */
        fender_vec3 lever = fender_vec3_sub(before.center_S, bodies[root].center_S);
        fender_quaternion q_BS = fender_quaternion_conjugate(bodies[root].q_SB);
        fender_vec3 old_center = fender_vec3_add(
            bodies[root].state.p, fender_mat3_times(&before.frame.R_WB, fender_quaternion_rotate(q_BS, lever)));
        report->parent_displacement = fender_vec3_sub(old_center, before.frame.p);
    }
    report->rotation = stateless ? 0 : turned_by(child_before.q, child_after.q);
    report->contact_energy_lost = world->initialized ? change.contact_energy : 0;
    if (world->initialized && !stateless) /* otherwise its mass enters from outside, with its energy */
        report->kinetic_energy_lost = change.energy - fnd_world_energy(world) - change.contact_energy;
    return FENDER_STATUS_OK;
}

/* Where bodies of a tree are to be hung on others, what is between them rests. */
static fender_status check_rest(const fender_world *world, int body, fender_error *error)
{
    const fnd_body *bodies = world->model.bodies;
    int top = fnd_tree_bypass(bodies, body);
    if (top < 0) return FENDER_STATUS_OK;
    for (int i = bodies[top].parent; bodies[i].parent >= 0; i = bodies[i].parent)
        if (fnd_tree_lower_end(bodies, i) != i) top = i;
    for (int i = body;; i = bodies[i].parent) {
        if (fnd_part_moves(&bodies[i], world->time)) {
            char message[300];
            snprintf(message, sizeof message,
                     "'%.100s' moves relative to '%.100s', and what it carries is attached there", bodies[i].name,
                     bodies[bodies[i].parent].name);
            return refuse(error, "body", message, bodies[i].name, "a part at rest",
                          "wait until it rests, or detach by the rule `tree`");
        }
        if (i == top) return FENDER_STATUS_OK;
    }
}

static fender_pose relative_pose(const fnd_body *bodies, int body, int reference)
{
    return fender_pose_product(fender_pose_inverse(fnd_tree_pose(bodies, reference)), fnd_tree_pose(bodies, body));
}

/* Places what is below a link so that a body is at a pose in the structure frame of another; one of both is below. */
static void place(fnd_body *bodies, int link, int body, int reference, fender_pose X)
{
    int above = reference, below = body;
    if (!fnd_tree_descends(bodies, body, link)) {
        above = body, below = reference;
        X = fender_pose_inverse(X);
    }
    if (bodies[link].parent != above) X = fender_pose_product(relative_pose(bodies, above, bodies[link].parent), X);
    if (below != link) X = fender_pose_product(X, relative_pose(bodies, link, below));
    bodies[link].X_PS = (fender_pose){X.p, fender_quaternion_normalized(X.q)};
    bodies[link].part_ended = bodies[link].part != NULL;
}

fender_status fnd_inner_body_reattach(fender_world *world, fender_body_id id, fender_pose X_PC,
                                      fender_attach_report *report, fender_error *error)
{
    fnd_world_settle(world);
    fnd_body *bodies = world->model.bodies;
    if (!fnd_body_live(&world->model, id)) return fnd_world_stale(error, "body");
    int body = (int)id.index1 - 1;
    if (bodies[body].parent < 0) {
        char message[200];
        snprintf(message, sizeof message, "'%s' is a root body and cannot be reattached", bodies[body].name);
        return refuse(error, "body", message, bodies[body].name, "an attached body", "attach it to a parent first");
    }
    if (!pose_usable(&X_PC)) return bad_pose(error);
    fnd_tree_change change;
    fender_status status = check_rest(world, body, error);
    if (!status) status = fnd_tree_change_begin(world, &change, error);
    if (status) return status;
    int root = fnd_tree_root(bodies, body), parent = bodies[body].parent;
    bool has_state = bodies[root].motion != FENDER_MOTION_MASS_ONLY;
    const fnd_root_motion of_root = fnd_root_motion_of(bodies, root);
    const int moved = fnd_tree_rehang(bodies, body);
    fnd_frame before = fnd_tree_frame(bodies, moved, &of_root.frame);
    const fender_vec3 wheels = wheel_momentum(world, moved), turning = turning_of(world, root, bodies[root].state.p);
    place(bodies, moved, body, parent, X_PC);
    fnd_composite_update_upward(bodies, bodies[moved].parent);
    /* internal forces moved it: the root's state (centre, momentum, angular momentum with that of wheels, attitude) is
     * what it was. Before the run, only the vehicle is put together: then its structure frame stays where it was told
     * to be. */
    if (!world->initialized || !has_state) {
        fnd_root_goes_on(world, root, of_root);
    } else {
        fnd_model_move_anew(&world->model);
        take_from_wheels(world, moved, wheels);
        keep_inertial(world, moved, turning, &change);
    }
    const fnd_frame after = member_frame(bodies, moved);
    fender_event event = tree_event(FENDER_EVENT_REATTACH, world, moved, 0);
    event.tree.child = id;
    event.tree.parent = fnd_body_id(&world->model, parent);
    if (has_state) event.tree.snap = fender_vec3_length(fender_vec3_sub(after.p, before.p));
    if (world->initialized && !fnd_event_add(&world->env, &world->events, event)) {
        fnd_tree_change_undo(world, &change);
        return fnd_fail_memory(error, "an event");
    }
    status = fnd_tree_change_end(world, &change, FND_BOOK_ATTACHMENT, error);
    if (!status) fnd_tree_tell(world, moved);
    if (status || !report) return status;
    *report = (fender_attach_report){.moved = fnd_body_id(&world->model, moved)};
    if (!has_state) return FENDER_STATUS_OK;
    report->child_displacement = fender_vec3_sub(after.p, before.p);
    report->rotation = turned_by(before.q, after.q);
    if (world->initialized) {
        report->contact_energy_lost = change.contact_energy;
        report->kinetic_energy_lost = change.energy - fnd_world_energy(world) - change.contact_energy;
    }
    return FENDER_STATUS_OK;
}

/* ---- Detach ---- */

/* The link that stands for the connection to cut (the body below it), or -1. */
static int find_connection(const fnd_body *bodies, int count, int body, int from)
{
    int best = -1, best_child = -1;
    for (int i = 0; i < count; i++) {
        if (bodies[i].parent < 0) continue;
        int c = bodies[i].connection_child, p = bodies[i].connection_parent;
        bool fits = from >= 0 ? (c == body && p == from) || (c == from && p == body) : c == body || p == body;
        if (!fits) continue;
        bool as_child = c == body;
        bool newer = best < 0 || (as_child && !best_child) ||
                     (as_child == best_child && bodies[i].connection_order > bodies[best].connection_order);
        if (newer) best = i, best_child = as_child;
    }
    return best;
}

static int find_tree_link(const fnd_body *bodies, int body, int from)
{
    if (from < 0) return bodies[body].parent >= 0 ? body : -1;
    int upper = fnd_tree_descends(bodies, body, from) ? from : fnd_tree_descends(bodies, from, body) ? body : -1;
    if (upper < 0) return -1;
    int at = upper == from ? body : from;
    while (bodies[at].parent != upper && bodies[at].parent >= 0) at = bodies[at].parent;
    return bodies[at].parent == upper ? at : -1;
}

static fender_status nothing_to_cut(const fnd_body *bodies, int body, int from, fender_detach_rule rule,
                                    fender_error *error)
{
    char message[300];
    if (from >= 0) {
        snprintf(message, sizeof message, "no %s between '%s' and '%s' to detach at",
                 rule == FENDER_DETACH_TREE ? "link of the mass tree" : "connection", bodies[body].name,
                 bodies[from].name);
        return refuse(error, "body", message, bodies[body].name, "two bodies that were attached to each other",
                      "the parents and connections are listed by `fender check`");
    }
    snprintf(message, sizeof message, "'%s' is a root and cannot be detached", bodies[body].name);
    return refuse(error, "body", message, bodies[body].name, "an attached body",
                  "name the attached body, or both bodies");
}

fender_status fnd_inner_body_detach(fender_world *world, fender_body_id id, fender_body_id from_id,
                                    fender_detach_rule rule, fender_body_id *freed, fender_error *error)
{
    fnd_world_settle(world);
    fnd_body *bodies = world->model.bodies;
    int count = world->model.body_count, body = (int)id.index1 - 1, from = (int)from_id.index1 - 1;
    if (!fnd_body_live(&world->model, id)) return fnd_world_stale(error, "body");
    if (from >= 0 && !fnd_body_live(&world->model, from_id)) return fnd_world_stale(error, "body");
    if ((unsigned)rule > FENDER_DETACH_TREE)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "rule", "the rule of detaching is unknown", "",
                        "a fender_detach_rule", "");
    int cut = rule == FENDER_DETACH_TREE ? find_tree_link(bodies, body, from)
                                         : find_connection(bodies, count, body, from);
    if (cut < 0) return nothing_to_cut(bodies, body, from, rule, error);
    fnd_tree_change change;
    const bool by_connection = rule == FENDER_DETACH_CONNECTION;
    fender_status status = by_connection ? check_rest(world, cut, error) : FENDER_STATUS_OK;
    if (!status) status = fnd_tree_change_begin(world, &change, error);
    if (status) return status;

    const int root = fnd_tree_root(bodies, cut);
    bool stateful = bodies[root].motion != FENDER_MOTION_MASS_ONLY;
    const fnd_root_motion before = fnd_root_motion_of(bodies, root);
    if (by_connection) cut = fnd_tree_rehang(bodies, cut);
    else fnd_tree_keep_names(bodies, cut);
    const int parent = bodies[cut].parent;
    const fender_event event = tree_event(FENDER_EVENT_DETACH, world, cut, 0);
    fnd_frame part = fnd_tree_frame(bodies, cut, &before.frame);
    const fender_body_state part_structure = fnd_structure_from_frame(&bodies[cut], &part);
    bodies[cut].part_ended = bodies[cut].part != NULL;
    fnd_tree_unlink(bodies, cut);
    fnd_composite_update_upward(bodies, parent);
    fnd_root_goes_on(world, root, before);
    if (stateful && fnd_body_dynamic(&bodies[cut])) {
        bodies[cut].state = (fnd_state){part.p, part.q, part.v, {0, 0, 0}};
        fnd_root_shift(&bodies[cut], bodies[cut].center_S, part.w); /* no shift: fills L from w */
        if (bodies[cut].moving) bodies[cut].state = fnd_state_from_structure(&bodies[cut], &part_structure);
    } else { /* mass only: it takes part in nothing, and stays there */
        bodies[cut].state = (fnd_state){part.p, part.q, {0, 0, 0}, {0, 0, 0}};
    }
    if (world->initialized && !fnd_event_add(&world->env, &world->events, event)) {
        fnd_tree_change_undo(world, &change);
        return fnd_fail_memory(error, "an event");
    }
    bool closed = fnd_body_dynamic(&bodies[root]) && fnd_body_dynamic(&bodies[cut]); /* nothing leaves the system */
    status = fnd_tree_change_end(world, &change, closed ? FND_BOOK_ATTACHMENT : FND_BOOK_OUTSIDE, error);
    if (!status && freed) *freed = fnd_body_id(&world->model, cut);
    if (!status) fnd_tree_tell(world, root);
    if (!status) fnd_tree_tell(world, cut);
    return status;
}
